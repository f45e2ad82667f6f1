"""Hybrid groups of TLS 1.3 (draft-ietf-tls-ecdhe-mlkem): ECDH on a curve and ML-KEM, whose shares
and secrets stand one behind the other, in the order of `Curve.parts`.

A private key is nobody else's: that of the curve, then the decapsulation key.
"""

from __future__ import annotations

from ecfit.choices.curves import Curve
from ecfit.oracle import mlkem, rfc7748, weierstrass


def key_pair(group: Curve, private: bytes, seed: bytes) -> tuple[bytes, bytes]:
    """The client's private key and share, of a private key of the curve and a seed of the KEM."""
    dk, ek = mlkem.key_pair(group.kem.name, seed)
    return private + dk, joined(group, public_key(group.curve, private), ek)


def answer(group: Curve, share: bytes, private: bytes, message: bytes) -> tuple[bytes, bytes]:
    """The server's share and secret, of a private key of the curve and a message of the KEM.
    Errors: ValueError for a share that is none.
    """
    public, ek = halves(group, share, group.kem.public_bytes)
    cipher, secret = mlkem.encapsulate(group.kem.name, ek, message)
    of_curve = exchange(group.curve, private, public)
    mine = joined(group, public_key(group.curve, private), cipher)
    return mine, joined(group, of_curve, secret)


def secret(group: Curve, private: bytes, share: bytes) -> bytes:
    """The client's secret, of its private key and the server's share. Errors: ValueError."""
    size = group.curve.scalar_bytes
    public, cipher = halves(group, share, group.kem.cipher_bytes)
    of_kem = mlkem.decapsulate(group.kem.name, private[size:], cipher)
    return joined(group, exchange(group.curve, private[:size], public), of_kem)


def joined(group: Curve, of_curve: bytes, of_kem: bytes) -> bytes:
    """What both halves have, in the order of the group."""
    return b"".join(of_kem if part == group.kem else of_curve for part in group.parts)


def halves(group: Curve, data: bytes, kem_bytes: int) -> tuple[bytes, bytes]:
    """What is of the curve, and the bytes of the KEM."""
    if group.parts[0] == group.kem:
        return data[kem_bytes:], data[:kem_bytes]
    cut = len(data) - kem_bytes
    return data[:cut], data[cut:]


def given(group: Curve, op: str, of_curve: bytes, of_kem: bytes) -> bytes:
    """The input of an operation, of those of ECDH and of the KEM."""
    size, dk = group.curve.scalar_bytes, group.kem.scalar_bytes if op == "decaps" else 0
    private = of_curve[:size] + of_kem[:dk] if op == "decaps" else b""
    return private + joined(group, of_curve[size:], of_kem[dk:])


def result(group: Curve, op: str, data: bytes, pool: bytes) -> bytes:
    """The output of an operation that draws random numbers for the KEM first, then for the curve,
    whose private key they are. Errors: ValueError.
    """
    size, cut = group.curve.scalar_bytes, group.scalar_bytes
    if op == "decaps":
        return secret(group, data[:cut], data[cut:])
    pool_bytes = mlkem.SEED_BYTES if op == "keygen" else mlkem.MESSAGE_BYTES
    private = pool[pool_bytes : pool_bytes + size]
    if op == "keygen":
        return b"".join(key_pair(group, private, pool[:pool_bytes]))
    return b"".join(answer(group, data, private, pool[:pool_bytes]))


def public_key(curve: Curve, private: bytes) -> bytes:
    """Of a private key of the curve."""
    if curve.form == "montgomery":
        return rfc7748.exchange_base(curve.name, private)
    d = int.from_bytes(private, "big")
    point = weierstrass.multiply(curve, d, weierstrass.base(curve))
    if point is None:
        raise ValueError("the private key is out of range")
    return weierstrass.encode_point(curve, point)


def exchange(curve: Curve, private: bytes, public: bytes) -> bytes:
    """ECDH. Errors: ValueError for a public key that is none."""
    if curve.form == "montgomery":
        return rfc7748.exchange(curve.name, private, public)
    point = weierstrass.decode_point(curve, public)
    if point is None:
        raise ValueError("the public key is not on the curve")
    shared = weierstrass.multiply(curve, int.from_bytes(private, "big"), point)
    if shared is None:
        raise ValueError("the private key is out of range")
    return shared[0].to_bytes(curve.field_bytes, "big")
