"""What an attacker, or an accident, puts into the slot, and the reason with which the boot loader
refuses it (boot.h).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import hybrid
from secureboot import (
    HEADER,
    SLOT_SIZE,
    Algorithm,
    Chip,
    PrivateKey,
    build_program,
    make_key,
    minimum,
    sign,
)

NO_IMAGE, BAD_HEADER, BAD_TRAILER, UNKNOWN_ENTRY, WRONG_KEY = 1, 2, 3, 4, 5
ALTERED, BAD_SIGNATURE, DOWNGRADE, BAD_VECTORS = 6, 7, 8, 9
GENUINE = 0
PROGRAM_BYTES = 1024
COUNTER = ("--security-counter", "5")


class Attack(NamedTuple):
    """A slot, the oldest version that may run, and what the boot loader must say: the reason,
    or GENUINE: some of what looks like an attack is none.
    """

    name: str
    image: bytes
    reason: int
    oldest: bytes = minimum()


class Signed(NamedTuple):
    """An image and where its parts are: the entries of both areas as type, offset of the value,
    length.
    """

    data: bytes
    end: int
    open_area: int
    entries: tuple[tuple[int, int, int], ...]

    @property
    def image(self) -> bytes:
        """Without what imgtool may have put behind it."""
        return self.data[: self.end]

    def place(self, kind: int) -> int:
        """Where the value of the entry of this type is."""
        return next(at for type_, at, _ in self.entries if type_ == kind)


def read(data: bytes) -> Signed:
    """The parts of an image of imgtool."""
    at = HEADER + _number(data, 12, 4)
    protected = _number(data, 10, 2)
    entries, open_area = [], at + protected
    for begin in [at, open_area] if protected else [at]:
        end = begin + _number(data, begin + 2, 2)
        at = begin + 4
        while at < end:
            length = _number(data, at + 2, 2)
            entries.append((_number(data, at, 2), at + 4, length))
            at += 4 + length
    return Signed(data, at, open_area, tuple(entries))


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def changed(image: bytes, at: int, value: bytes | None = None) -> bytes:
    """With other bytes at an offset; without `value`, with one bit changed."""
    value = bytes([image[at] ^ 1]) if value is None else value
    return image[:at] + value + image[at + len(value) :]


def forged(algorithm: Algorithm, image: bytes, at: int) -> bytes:
    """With a bit changed and the hash made to fit: only the signature tells."""
    data, parts = changed(image, at), read(image)
    digest = hashlib.new(f"sha{algorithm.sha}", data[: parts.open_area]).digest()
    return changed(data, parts.place(HASH_TYPES[algorithm.sha]), digest)


HASH_TYPES = {256: 0x10, 384: 0x11, 512: 0x12}
SIGNATURE_TYPES = 0x22, 0x24


def attacks(where: Chip, algorithm: Algorithm, key: PrivateKey) -> Iterator[Attack]:
    """All of them, for a boot loader that has `key`."""
    program = build_program(where, algorithm, PROGRAM_BYTES)
    image = sign(algorithm, program, key)
    counted = sign(algorithm, program, key, *COUNTER)
    yield Attack("genuine", image, GENUINE)
    yield Attack("genuine, with a counter", counted, GENUINE, minimum(1, 2, 3, 4, counter=5))
    yield from _altered(algorithm, image, counted)
    yield from _wrong_keys(algorithm, program, image)
    yield from _cut(image)
    yield from _followed(read(image).image)
    yield from _unknown(algorithm, program, key, image)
    yield from _old(image, counted)
    yield from _headers(algorithm, program, key, image)
    smaller = changed(counted, 10, b"\x0b\x00")
    yield Attack("protected area of another size than it says", smaller, BAD_TRAILER)
    if algorithm.second:
        yield from _second(algorithm, program, key, image)


def _altered(algorithm: Algorithm, image: bytes, counted: bytes) -> Iterator[Attack]:
    parts = read(image)
    signature = next(at for kind, at, _ in parts.entries if kind in SIGNATURE_TYPES)
    hashed = parts.place(HASH_TYPES[algorithm.sha])
    yield Attack("program altered", changed(image, HEADER + 700), ALTERED)
    yield Attack("version altered", changed(image, 20), ALTERED)
    yield Attack("padding of the header altered", changed(image, HEADER - 1), ALTERED)
    yield Attack("counter altered", changed(counted, read(counted).place(0x50)), ALTERED)
    yield Attack("hash altered", changed(image, hashed + 5), ALTERED)
    yield Attack("program and hash altered", forged(algorithm, image, HEADER + 700), BAD_SIGNATURE)
    yield Attack("signature altered", changed(image, signature + 20), BAD_SIGNATURE)
    yield Attack("signature no DER", changed(image, signature), BAD_SIGNATURE)


def _second(
    algorithm: Algorithm, program: bytes, key: PrivateKey, image: bytes
) -> Iterator[Attack]:
    """One of two signatures is right, or there: who has broken one scheme has not broken both."""
    parts, other = read(image), make_key(algorithm, "somebody else's")
    first = next(at for kind, at, _ in parts.entries if kind in SIGNATURE_TYPES)
    at, size = parts.place(hybrid.TYPE), hybrid.SIZE
    for name, wrong in (("challenge", at), ("response", at + size // 2), ("hints", at + size - 1)):
        yield Attack(f"second signature, {name} altered", changed(image, wrong), BAD_SIGNATURE)
    yield Attack("second signature zero", changed(image, at, bytes(size)), BAD_SIGNATURE)
    theirs = sign(algorithm, program, key, second=other)
    yield Attack("second signature of another key", theirs, BAD_SIGNATURE)
    theirs = sign(algorithm, program, other, second=key)
    right = image[parts.place(1) : parts.place(1) + algorithm.sha // 8]
    named = changed(theirs, read(theirs).place(1), right)
    yield Attack("first signature of another key", named, BAD_SIGNATURE)
    new = sign(algorithm, changed(program, 700), key)
    stale = changed(new, read(new).place(hybrid.TYPE), image[at : at + size])
    yield Attack("second signature of another image", stale, BAD_SIGNATURE)
    without = parts.image[: at - 4]
    for name, area in (
        ("no second signature", without),
        ("second signature alone", parts.image[: first - 4] + parts.image[at - 4 :]),
        ("second signature twice", parts.image + parts.image[at - 4 :]),
        ("second signature shorter", without + _entry_of(image[at : at + size - 1])),
        ("second signature longer", without + _entry_of(image[at : at + size] + b"\0")),
    ):
        total = (len(area) - parts.open_area).to_bytes(2, "little")
        yield Attack(name, changed(area, parts.open_area + 2, total), BAD_TRAILER)


def _entry_of(value: bytes) -> bytes:
    return hybrid.TYPE.to_bytes(2, "little") + len(value).to_bytes(2, "little") + value


def _followed(image: bytes) -> Iterator[Attack]:
    """Bytes behind what is signed, that nobody would have verified."""
    for name, at in (
        ("right", len(image)),
        ("a word", len(image) + 7 & ~3),
        ("far", SLOT_SIZE - 1),
    ):
        behind = image.ljust(at, b"\xff") + b"\x00"
        yield Attack(f"a byte {name} behind it", behind, BAD_TRAILER)


def _wrong_keys(algorithm: Algorithm, program: bytes, image: bytes) -> Iterator[Attack]:
    other = sign(algorithm, program, make_key(algorithm, "somebody else's"))
    own, theirs = read(image), read(other)
    size = algorithm.sha // 8
    right = image[own.place(1) : own.place(1) + size]
    yield Attack("wrong key", other, WRONG_KEY)
    named = changed(other, theirs.place(1), right)
    yield Attack("wrong key that calls itself the right one", named, BAD_SIGNATURE)


def _cut(image: bytes) -> Iterator[Attack]:
    """Cut short: erased flash stands behind."""
    parts = read(image)
    signature = next(at for kind, at, _ in parts.entries if kind in SIGNATURE_TYPES)
    cut = BAD_SIGNATURE if parts.entries[-1][0] in SIGNATURE_TYPES else BAD_TRAILER
    for name, at, reason in (
        ("in the magic", 3, NO_IMAGE),
        ("in the header", 12, BAD_HEADER),
        ("in the program", HEADER + 100, BAD_TRAILER),
        ("before the trailer", parts.open_area, BAD_TRAILER),
        ("in the size of the trailer", parts.open_area + 3, BAD_TRAILER),
        ("behind the size of the trailer", parts.open_area + 4, BAD_TRAILER),
        ("before the signature", signature - 4, BAD_TRAILER),
        ("in the signature", signature + 30, cut),
    ):
        yield Attack(f"cut {name}", image[:at].ljust(SLOT_SIZE, b"\xff"), reason)
    size = _number(image, parts.open_area + 2, 2)
    for name, less, reason in (("a byte", 1, BAD_TRAILER), ("all entries", size - 4, BAD_TRAILER)):
        shorter = changed(image, parts.open_area + 2, (size - less).to_bytes(2, "little"))
        yield Attack(f"trailer shorter by {name}", shorter, reason)


def _unknown(
    algorithm: Algorithm, program: bytes, key: PrivateKey, image: bytes
) -> Iterator[Attack]:
    custom = sign(algorithm, program, key, "--custom-tlv", "0x00a0", "0x01020304")
    yield Attack("unknown entry, signed", custom, UNKNOWN_ENTRY)
    asks = sign(algorithm, program, key, "--dependencies", "(1, 2.0.0+0)")
    yield Attack("an entry that asks for another image", asks, UNKNOWN_ENTRY)
    parts = read(image)
    for name, entry, reason in (
        ("unknown entry, not signed", b"\xa0\x00\x02\x00xx", UNKNOWN_ENTRY),
        ("counter, not signed", b"\x50\x00\x04\x00\xff\xff\xff\x7f", UNKNOWN_ENTRY),
        ("key hash twice", _entry(image, parts, 1), BAD_TRAILER),
        ("hash twice", _entry(image, parts, HASH_TYPES[algorithm.sha]), BAD_TRAILER),
    ):
        size = (_number(image, parts.open_area + 2, 2) + len(entry)).to_bytes(2, "little")
        yield Attack(name, changed(parts.image, parts.open_area + 2, size) + entry, reason)


def _entry(image: bytes, parts: Signed, kind: int) -> bytes:
    at, length = next((at, length) for type_, at, length in parts.entries if type_ == kind)
    return image[at - 4 : at + length]


def _old(image: bytes, counted: bytes) -> Iterator[Attack]:
    """The image is 1.2.3+4."""
    for oldest in ((2, 0, 0, 0), (1, 3, 0, 0), (1, 2, 4, 0), (1, 2, 3, 5)):
        name = f"downgrade from {oldest[0]}.{oldest[1]}.{oldest[2]}+{oldest[3]}"
        yield Attack(name, image, DOWNGRADE, minimum(*oldest))
    for oldest in ((1, 2, 3, 4), (1, 2, 2, 9), (1, 1, 9, 9), (0, 9, 9, 9)):
        name = f"no downgrade from {oldest[0]}.{oldest[1]}.{oldest[2]}+{oldest[3]}"
        yield Attack(name, image, GENUINE, minimum(*oldest))
    yield Attack("downgrade of the counter", counted, DOWNGRADE, minimum(counter=6))
    yield Attack("no counter", image, DOWNGRADE, minimum(counter=1))
    yield Attack("no record of the oldest version", image, DOWNGRADE, b"\xff" * 12)


def _headers(
    algorithm: Algorithm, program: bytes, key: PrivateKey, image: bytes
) -> Iterator[Attack]:
    big = (0xFFFFFFFF).to_bytes(4, "little")
    yield Attack("empty slot", b"\xff" * SLOT_SIZE, NO_IMAGE)
    yield Attack("zeros", bytes(SLOT_SIZE), NO_IMAGE)
    yield Attack("program larger than memory", changed(image, 12, big), BAD_HEADER)
    yield Attack("header larger than the slot", changed(image, 8, b"\xff\xff"), BAD_HEADER)
    yield Attack("header smaller than it is", changed(image, 8, b"\x1f\x00"), BAD_HEADER)
    yield Attack("protected area that is not there", changed(image, 10, b"\x08\x00"), BAD_TRAILER)
    fills = (SLOT_SIZE - HEADER).to_bytes(4, "little")
    yield Attack("no room for a trailer", changed(image, 12, fills), BAD_TRAILER)
    yield Attack("not bootable", sign(algorithm, program, key, "--non-bootable"), BAD_HEADER)
    ram = sign(algorithm, program, key, "--load-addr", "0x20000000")
    yield Attack("for RAM", ram, BAD_HEADER)
    elsewhere = changed(program, 4, (0x00000201).to_bytes(4, "little"))
    yield Attack("linked for another place", sign(algorithm, elsewhere, key), BAD_VECTORS)
    arm = changed(program, 4, bytes([program[4] & 0xFE]))
    yield Attack("not in Thumb state", sign(algorithm, arm, key), BAD_VECTORS)
