"""The curves: names, aliases, sizes, domain parameters (SP 800-186)."""

from __future__ import annotations

import msgspec

from ecfit.errors import unknown_name

OPS = ("keygen", "ecdh", "sign", "verify")


class Curve(msgspec.Struct, frozen=True):
    """A short Weierstrass curve y^2 = x^3 + ax + b over GF(p), base point (gx, gy) of prime order n, cofactor 1."""

    name: str
    aliases: tuple[str, ...]
    bits: int
    field_bytes: int
    scalar_bytes: int
    p: int
    a: int
    b: int
    gx: int
    gy: int
    n: int
    source: str


_P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1

CURVES: dict[str, Curve] = {
    "secp256r1": Curve(
        name="secp256r1",
        aliases=("P-256", "prime256v1", "nist-p256", "NIST P-256"),
        bits=256,
        field_bytes=32,
        scalar_bytes=32,
        p=_P256,
        a=_P256 - 3,
        b=0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        gx=0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        gy=0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
        n=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
        source="SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2",
    ),
}


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def find_curve(name: str) -> Curve:
    """The curve of that name or alias, letter case and punctuation ignored. Errors: UsageError."""
    wanted = _plain(name)
    for curve in CURVES.values():
        if wanted in map(_plain, (curve.name, *curve.aliases)):
            return curve
    raise unknown_name("curve", name, CURVES)
