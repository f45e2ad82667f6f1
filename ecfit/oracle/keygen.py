"""New key pairs, from the system's random generator."""

from __future__ import annotations

import secrets

from ecfit.choices.curves import Curve
from ecfit.oracle import rfc7748, weierstrass
from ecfit.oracle.keyformats import KeyPair


def generate(curve: Curve) -> KeyPair:
    """A key pair: the private key is uniform in 1 .. n-1 (FIPS 186-5, A.2.1),
    or random bytes (RFC 7748, RFC 8032).
    """
    if curve.form != "weierstrass":
        private = secrets.token_bytes(curve.scalar_bytes)
        public = rfc7748.exchange_base if curve.form == "montgomery" else rfc7748.public_key
        return KeyPair(curve, private, public(curve.name, private))
    d = secrets.randbelow(curve.n - 1) + 1
    point = weierstrass.multiply(curve, d, weierstrass.base(curve))
    assert point is not None
    return KeyPair(
        curve, d.to_bytes(curve.scalar_bytes, "big"), weierstrass.encode_point(curve, point)
    )
