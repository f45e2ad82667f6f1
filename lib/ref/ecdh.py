"""Elliptic-curve Diffie-Hellman (SEC 1 v2, 3.3.1; SP 800-56A r3, 5.7.1.2)."""

from __future__ import annotations

from ref.codec import decode_point, decode_private_key
from ref.curves import Curve
from ref.group import multiply


def shared_secret(curve: Curve, private_key: bytes, public_key: bytes) -> bytes:
    """x coordinate of d*Q as a string of `field_bytes`. ValueError for a bad key."""
    scalar, peer = decode_private_key(curve, private_key), decode_point(curve, public_key)
    shared = multiply(curve, scalar, peer)
    if shared is None:
        raise ValueError("the point at infinity")
    return shared[0].to_bytes(curve.field_bytes, "big")
