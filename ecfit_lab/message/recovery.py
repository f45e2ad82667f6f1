"""Signatures with message recovery (Pintsov-Vanstone), as lib/msg/recovery.c makes them:
c || s, from which the receiver computes the message.

Slow arithmetic with Python's integers: for tests and studies.
"""

from __future__ import annotations

import hashlib

import msgspec

from ecfit.choices.curves import Curve, find_curve
from ecfit.oracle import rfc7748, weierstrass
from ecfit_lab.message.algorithms import Key
from ecfit_lab.message.refusal import MessageRefusedError, Reason

GROUPS = ("secp192r1", "secp256r1", "ed25519")
LONGEST = 240  # bytes that can be recovered: ECFIT_MSG_RECOVERED_MAX
_STREAM, _HASH, _BESIDE, _BLOCK = b"PV1 stream", b"PV1 hash", b"PV1 data", 32


class Sizes(msgspec.Struct, frozen=True):
    """Bytes of a signature: of s, and of the zeros before the message."""

    scalar: int
    redundancy: int

    @property
    def overhead(self) -> int:
        """What a signed message has more than the message."""
        return self.scalar + self.redundancy


def sizes(curve: Curve) -> Sizes:
    """The redundancy has half as many bits as the order: as hard to guess as the key to find."""
    return Sizes(curve.scalar_bytes, curve.scalar_bytes // 2)


def mask(data: bytes, point: bytes) -> bytes:
    """Data xor the key stream of a point; its own inverse."""
    blocks = range(-(-len(data) // _BLOCK))
    stream = b"".join(hashlib.sha256(_STREAM + bytes([i]) + point).digest() for i in blocks)
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))


def challenge(masked: bytes, visible: bytes, redundancy: int) -> int:
    """h of c and of the data that is signed with it; with such data, also of the message's size:
    or bytes could move from one to the other.
    """
    size = bytes([len(masked) - redundancy])
    first = _BESIDE + size if visible else _HASH
    return int.from_bytes(hashlib.sha256(first + masked + visible).digest(), "big")


def _point(curve: Curve, key: Key, s: bytes, h: int) -> bytes | None:
    """s G - h Q, encoded; None where s is out of range or the point is none of a nonce."""
    if curve.form == "edwards":
        return rfc7748.commitment(curve.name, key.public, s, h)
    public, number = weierstrass.decode_point(curve, key.public), int.from_bytes(s, "big")
    if public is None or number >= curve.n:
        return None
    point = weierstrass.commitment(curve, public, number, h)
    return None if point is None else weierstrass.encode_point(curve, point)


def check(data: bytes, key: Key, visible: bytes = b"") -> bytes:
    """The message in a signature. Errors: MessageRefusedError."""
    curve = find_curve(key.curve)
    size = sizes(curve)
    if not size.overhead <= len(data) <= size.overhead + LONGEST:
        raise MessageRefusedError(Reason.SIGNATURE_SIZE, f"{len(data)} bytes")
    masked, s = data[: -size.scalar], data[-size.scalar :]
    point = _point(curve, key, s, challenge(masked, visible, size.redundancy))
    if point is None:
        raise MessageRefusedError(Reason.WRONG_SIGNATURE, "s is out of range")
    message = mask(masked, point)
    if any(message[: size.redundancy]):
        raise MessageRefusedError(Reason.NO_REDUNDANCY)
    return message[size.redundancy :]
