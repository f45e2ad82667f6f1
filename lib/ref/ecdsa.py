"""ECDSA (FIPS 186-5, 6.4) with the nonces of RFC 6979."""

from __future__ import annotations

import hmac
from collections.abc import Iterator

from ref.codec import encode_scalar
from ref.curves import Curve
from ref.group import Point, add, multiply, multiply_base

Signature = tuple[int, int]
LOW_S = {"secp256k1"}  # signing gives the smaller one of s and n - s (BIP 146)
HASH_MIN, HASH_MAX = 16, 64  # ECFIT_HASH_MIN, ECFIT_HASH_MAX


def bits2int(curve: Curve, data: bytes) -> int:
    """The leftmost `order_bits` bits of a string as an integer
    (RFC 6979, 2.3.2; FIPS 186-5, 6.4.1 step 2)."""
    excess = 8 * len(data) - curve.order_bits
    value = int.from_bytes(data, "big")
    return value >> excess if excess > 0 else value


def takes(curve: Curve, digest: bytes) -> bool:
    """Whether the library signs and verifies this hash: 16 to 64 bytes, and not 0 modulo n.

    FIPS 186-5 has no such rule, nor have OpenSSL and :func:`verify`: what they say of another hash,
    the library answers with ECFIT_BAD_HASH.
    """
    return HASH_MIN <= len(digest) <= HASH_MAX and bits2int(curve, digest) % curve.n != 0


def nonces(
    curve: Curve, private_key: int, digest: bytes, *, hash_name: str = "sha256", extra: bytes = b""
) -> Iterator[int]:
    """Candidate nonces of RFC 6979, 3.2, all in 1..n-1;
    the first is the nonce unless r or s turns out zero.

    `extra` is the additional data k' of section 3.6, appended to the input of steps d and f.
    """
    size = hmac.new(b"", b"", hash_name).digest_size
    seed = (
        encode_scalar(curve, private_key)
        + encode_scalar(curve, bits2int(curve, digest) % curve.n)
        + extra
    )
    key, value = bytes(size), b"\x01" * size

    def update(tail: bytes) -> None:
        nonlocal key, value
        key = hmac.digest(key, value + tail, hash_name)
        value = hmac.digest(key, value, hash_name)

    update(b"\x00" + seed)
    update(b"\x01" + seed)
    while True:
        candidate = b""
        while 8 * len(candidate) < curve.order_bits:
            value = hmac.digest(key, value, hash_name)
            candidate += value
        nonce = bits2int(curve, candidate)
        if 1 <= nonce < curve.n:
            yield nonce
        update(b"\x00")


def sign_with_nonce(curve: Curve, private_key: int, digest: bytes, nonce: int) -> Signature | None:
    """(r, s) for a given nonce, or None when r or s is zero and another nonce must be tried."""
    point = multiply_base(curve, nonce)
    assert point is not None, "nonce must not be a multiple of n"
    r = point[0] % curve.n
    s = pow(nonce, -1, curve.n) * (bits2int(curve, digest) + r * private_key) % curve.n
    if curve.name in LOW_S:
        s = min(s, curve.n - s)
    return (r, s) if r and s else None


def sign(
    curve: Curve, private_key: int, digest: bytes, *, hash_name: str = "sha256", extra: bytes = b""
) -> Signature:
    """Deterministic signature of a digest, or a hedged one with `extra` (RFC 6979, 3.6)."""
    for nonce in nonces(curve, private_key, digest, hash_name=hash_name, extra=extra):
        signature = sign_with_nonce(curve, private_key, digest, nonce)
        if signature is not None:
            return signature
    raise AssertionError("unreachable: nonces() does not end")


def verify(curve: Curve, public_key: Point, digest: bytes, signature: Signature) -> bool:
    """FIPS 186-5, 6.4.2. The public key is a valid point."""
    r, s = signature
    if not (1 <= r < curve.n and 1 <= s < curve.n):
        return False
    inverse = pow(s, -1, curve.n)
    u1, u2 = bits2int(curve, digest) * inverse % curve.n, r * inverse % curve.n
    point = add(curve, multiply_base(curve, u1), multiply(curve, u2, public_key))
    return point is not None and point[0] % curve.n == r


def encode_signature(curve: Curve, signature: Signature) -> bytes:
    """r || s, each big-endian of `order_bytes`."""
    return b"".join(encode_scalar(curve, part) for part in signature)
