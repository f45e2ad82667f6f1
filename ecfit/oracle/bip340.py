"""Schnorr signatures of BIP 340 with Python's integers: the bench checks its outputs by them."""

from __future__ import annotations

import hashlib

from ecfit.choices.curves import CURVES
from ecfit.oracle import weierstrass

_C = CURVES["secp256k1"]


def _hash(name: str, *parts: bytes) -> bytes:
    tag = hashlib.sha256(f"BIP0340/{name}".encode()).digest()
    return hashlib.sha256(b"".join((tag, tag, *parts))).digest()


def _even(k: int) -> tuple[int, bytes]:
    """The one of k and n - k whose point has an even y, and the x of that, 32 bytes."""
    point = weierstrass.multiply(_C, k, weierstrass.base(_C))
    assert point is not None
    return _C.n - k if point[1] & 1 else k, point[0].to_bytes(32, "big")


def public_key(private_key: bytes) -> bytes:
    """The x of the public key, 32 bytes. in: 1 <= private_key < n"""
    return _even(int.from_bytes(private_key, "big"))[1]


def sign(private_key: bytes, message: bytes, aux_rand: bytes) -> bytes:
    """x of R || s. in: 1 <= private_key < n; 32 random bytes, or zeros"""
    d, public = _even(int.from_bytes(private_key, "big"))
    mask = int.from_bytes(_hash("aux", aux_rand), "big")
    nonce = _hash("nonce", (d ^ mask).to_bytes(32, "big"), public, message)
    k, r = _even(int.from_bytes(nonce, "big") % _C.n)
    e = int.from_bytes(_hash("challenge", r, public, message), "big")
    return r + ((k + e * d) % _C.n).to_bytes(32, "big")


def verify(signature: bytes, public: bytes, message: bytes) -> bool:
    """Whether x of R || s, 64 bytes, is a signature of the message by the key with this x."""
    x, s = int.from_bytes(public, "big"), int.from_bytes(signature[32:], "big")
    square = (pow(x, 3, _C.p) + _C.b) % _C.p
    y = pow(square, (_C.p + 1) // 4, _C.p)
    if x >= _C.p or s >= _C.n or y * y % _C.p != square:
        return False
    e = int.from_bytes(_hash("challenge", signature[:32], public, message), "big")
    even = x, _C.p - y if y & 1 else y
    point = weierstrass.commitment(_C, even, s, e % _C.n)
    return point is not None and not point[1] & 1 and point[0].to_bytes(32, "big") == signature[:32]
