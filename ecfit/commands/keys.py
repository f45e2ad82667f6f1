"""The command `keys`: key pairs from the system's random generator."""

from __future__ import annotations

import secrets
import sys

from ecfit.arguments.common import Common
from ecfit.choices.curves import Curve, find_curve
from ecfit.errors import OK
from ecfit.measure.store import write_secret
from ecfit.oracle import rfc7748, weierstrass
from ecfit.oracle.keyformats import KeyPair, text


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


def keys(common: Common) -> int:
    """Makes and writes key pairs. Errors: UsageError, OutputError."""
    curve, count = find_curve(common.values["curve"]), common.values["count"]
    made = text([generate(curve) for _ in range(count)], common.format)
    if common.path in (None, "-"):
        sys.stdout.write(made)
    else:
        assert common.path is not None
        write_secret(common.path, made, replace=common.values["force"])
    return OK
