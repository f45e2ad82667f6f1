"""Slots for whoever can cause a fault: what he writes who knows which one it will be.

An image that is altered stands under the genuine trailer, and is accepted where the fault makes its
hash the genuine one. A forgery has a hash that fits, and a signature that holds where the fault
makes e zero, r or s. With R = a G + b Q, r = x(R) and s = r/b, an ECDSA signature holds for
e = a s. An EdDSA signature likewise where k is zero, or where the public key is read from R.

A signature of chosen words holds for nothing. Its numbers, or those that the verification computes
of them, are full of addresses in the slot: a return address that is read from the wrong place in
the stack may be one of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from boot_attacks import HASH_TYPES, SIGNATURE_TYPES, read
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from ref import rfc8032
from ref.curves import CURVES
from ref.group import add, multiply, multiply_base
from secureboot import HEADER, SLOT_SIZE, Algorithm, PrivateKey, minimum

PROGRAM_BYTES = 512
WORD = 4
CHOSEN = 0x201  # of the slot: odd, so that a return to it stays in Thumb code
NEW = 0x5A  # in place of bytes that are zero; others are inverted


class Adversary(NamedTuple):
    """A slot and the oldest version that may run. `altered`: the slot is the genuine one but for
    some bytes; `genuine`: it is the genuine one, and too old.
    """

    name: str
    image: bytes
    oldest: bytes = minimum()
    altered: bool = True
    genuine: bool = False


def adversaries(algorithm: Algorithm, key: PrivateKey, image: bytes) -> Iterator[Adversary]:
    """All of them, against a boot loader that has `key`. `image`: genuine, of PROGRAM_BYTES."""
    yield from _altered(algorithm, image)
    changed = _changed(image, HEADER + 8, PROGRAM_BYTES - 8)
    forged = _edwards if isinstance(key, ed25519.Ed25519PrivateKey) else _weierstrass
    for name, signature in forged(key, _hash(algorithm, changed)):
        yield Adversary(name, _resigned(algorithm, changed, signature), altered=False)
    for name, oldest in (("older", minimum(1, 3)), ("no counter", minimum(counter=1))):
        yield Adversary(name, image, oldest, altered=False, genuine=True)


def chosen_words(
    algorithm: Algorithm, key: PrivateKey, image: bytes, slot: int
) -> Iterator[Adversary]:
    """Slots whose signatures are words that lead into the slot, which begins at `slot`."""
    changed = _changed(image, HEADER + 8, PROGRAM_BYTES - 8)
    if isinstance(key, ed25519.Ed25519PrivateKey):
        parts = {"R, S": _words(slot, 16)[:-1] + b"\0"}
    else:
        n, digest = CURVES[key.curve.name].n, _hash(algorithm, changed)
        size = 4 * (n.bit_length() // 32)
        words = _words(slot, size // 2)
        first, second = (int.from_bytes(words[at : at + size], "little") for at in (0, size))
        s = int.from_bytes(digest, "big") * pow(first, -1, n) % n
        parts = {"r, s": _der(first, second), "u1, u2": _der(second * s % n, s)}
    for name, signature in parts.items():
        yield Adversary(name, _resigned(algorithm, changed, signature), altered=False)


def with_words(algorithm: Algorithm, image: bytes, words: list[int]) -> bytes:
    """An altered program, and an ECDSA signature whose r and s are these words of 32 bits."""
    changed = _changed(image, HEADER + 8, PROGRAM_BYTES - 8)
    half = len(words) // 2
    r, s = (
        sum(word << 32 * i for i, word in enumerate(part)) for part in (words[:half], words[half:])
    )
    return _resigned(algorithm, changed, _der(r, s))


def _words(slot: int, count: int) -> bytes:
    return b"".join((slot + CHOSEN + 4 * i).to_bytes(4, "little") for i in range(count))


def _altered(algorithm: Algorithm, image: bytes) -> Iterator[Adversary]:
    end, block = HEADER + PROGRAM_BYTES, 64 if algorithm.sha == 256 else 128
    zeros = [at for at in range(32, end) if image[at] == 0]
    middle = HEADER + PROGRAM_BYTES // 2
    for name, at, size in (
        ("first zero byte", zeros[0], 1),
        ("last zero byte", zeros[-1], 1),
        ("byte", middle + 1, 1),
        ("last byte", end - 1, 1),
        ("word", middle, WORD),
        ("two words", end - 2 * WORD, 2 * WORD),
        ("block", middle, block),
        ("last block", end - block, block),
        ("program", HEADER + 8, PROGRAM_BYTES - 8),
    ):
        yield Adversary(name, _changed(image, at, size))
    other = _changed(image, HEADER + 8, PROGRAM_BYTES - 8).ljust(SLOT_SIZE // 2, b"\xff")
    yield Adversary("genuine one behind it", other + image)


def _changed(image: bytes, at: int, size: int) -> bytes:
    new = bytes(byte ^ 0xFF if byte else NEW for byte in image[at : at + size])
    return image[:at] + new + image[at + size :]


def _hash(algorithm: Algorithm, image: bytes) -> bytes:
    return hashlib.new(f"sha{algorithm.sha}", image[: read(image).open_area]).digest()


def _resigned(algorithm: Algorithm, image: bytes, signature: bytes) -> bytes:
    """With a hash that fits and another signature."""
    parts, area = read(image), b""
    new = {HASH_TYPES[algorithm.sha]: _hash(algorithm, image)}
    new |= dict.fromkeys(SIGNATURE_TYPES, signature)
    for kind, at, length in parts.entries:
        value = new.get(kind, image[at : at + length])
        area += kind.to_bytes(2, "little") + len(value).to_bytes(2, "little") + value
    head = image[: parts.open_area + 2] + (4 + len(area)).to_bytes(2, "little")
    return head + area


def _weierstrass(key: PrivateKey, _digest: bytes) -> Iterator[tuple[str, bytes]]:
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    curve = CURVES[key.curve.name]
    numbers = key.public_key().public_numbers()
    for name, a, b in (("e = 0", 0, 77), ("e = r", 77, 77), ("e = s", 1, 77)):
        point = add(curve, multiply_base(curve, a), multiply(curve, b, (numbers.x, numbers.y)))
        assert point is not None
        r = point[0] % curve.n
        yield name, _der(r, r * pow(b, -1, curve.n) % curve.n)


def _der(*numbers: int) -> bytes:
    body = b""
    for number in numbers:
        value = number.to_bytes(number.bit_length() // 8 + 1, "big")
        body += bytes([2, len(value)]) + value
    return bytes([0x30, len(body)]) + body


def _edwards(key: PrivateKey, digest: bytes) -> Iterator[tuple[str, bytes]]:
    curve, own = rfc8032.EDCURVES["ed25519"], bytes(range(1, 33))
    point = rfc8032.encode(curve, rfc8032.multiply(curve, 77, curve.base))
    yield "k = 0", point + (77).to_bytes(32, "little")
    yield "R = 0, S = 0", rfc8032.encode(curve, curve.identity) + bytes(32)
    mine, (scalar, _) = rfc8032.public_key(curve, own), rfc8032.expand(curve, own)
    k = int.from_bytes(curve.hash(curve.dom_of(False, None) + mine + mine + digest), "little")
    yield "key in R", mine + (scalar * (1 + k) % curve.n).to_bytes(32, "little")
