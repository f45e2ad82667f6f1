"""The curves that the bench can measure: names, aliases, sizes, domain parameters, operations."""

from __future__ import annotations

from typing import Literal

import msgspec

from ecfit.errors import unknown_name

OPS = ("keygen", "ecdh", "sign", "verify")


class Curve(msgspec.Struct, frozen=True):
    """Short Weierstrass: y^2 = x^3 + ax + b over GF(p), base point (gx, gy) of prime order n, cofactor 1.

    Montgomery and Edwards: X25519 and Ed25519, whose encodings and parameters RFC 7748 and RFC 8032 fix (oracle25519).
    """

    name: str
    aliases: tuple[str, ...]
    bits: int
    field_bytes: int
    scalar_bytes: int
    source: str
    form: Literal["weierstrass", "montgomery", "edwards"] = "weierstrass"
    p: int = 0
    a: int = 0
    b: int = 0
    gx: int = 0
    gy: int = 0
    n: int = 0

    @property
    def ops(self) -> tuple[str, ...]:
        """The operations that this form of curve has."""
        return {"weierstrass": OPS, "montgomery": OPS[:2], "edwards": ("keygen", "sign", "verify")}[self.form]

    @property
    def public_bytes(self) -> int:
        """Size of an encoded public key: SEC 1 uncompressed, or one field element."""
        return 1 + 2 * self.field_bytes if self.form == "weierstrass" else self.field_bytes


def _weierstrass(
    name: str, aliases: tuple[str, ...], source: str, *, p: int, a: int, b: int, gx: int, gy: int, n: int
) -> Curve:
    return Curve(
        name=name,
        aliases=aliases,
        bits=p.bit_length(),
        field_bytes=(p.bit_length() + 7) // 8,
        scalar_bytes=(n.bit_length() + 7) // 8,
        source=source,
        p=p,
        a=a % p,
        b=b,
        gx=gx,
        gy=gy,
        n=n,
    )


_SECP160R1 = _weierstrass(
    "secp160r1",
    (),
    "SEC 2 v1, 2.4.2 (n has 161 bits)",
    p=2**160 - 2**31 - 1,
    a=-3,
    b=0x1C97BEFC54BD7A8B65ACF89F81D4D4ADC565FA45,
    gx=0x4A96B5688EF573284664698968C38BB913CBFC82,
    gy=0x23A628553168947D59DCC912042351377AC5FB32,
    n=0x0100000000000000000001F4C8F927AED3CA752257,
)
_SECP192R1 = _weierstrass(
    "secp192r1",
    ("P-192", "prime192v1", "nist-p192", "NIST P-192"),
    "FIPS 186-4, D.1.2.1; SEC 2 v2, 2.2.2",
    p=2**192 - 2**64 - 1,
    a=-3,
    b=0x64210519E59C80E70FA7E9AB72243049FEB8DEECC146B9B1,
    gx=0x188DA80EB03090F67CBF20EB43A18800F4FF0AFD82FF1012,
    gy=0x07192B95FFC8DA78631011ED6B24CDD573F977A11E794811,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFF99DEF836146BC9B1B4D22831,
)
_SECP224R1 = _weierstrass(
    "secp224r1",
    ("P-224", "nist-p224", "NIST P-224"),
    "SP 800-186, 3.2.1.2; SEC 2 v2, 2.3.2",
    p=2**224 - 2**96 + 1,
    a=-3,
    b=0xB4050A850C04B3ABF54132565044B0B7D7BFD8BA270B39432355FFB4,
    gx=0xB70E0CBD6BB4BF7F321390B94A03C1D356C21122343280D6115C1D21,
    gy=0xBD376388B5F723FB4C22DFE6CD4375A05A07476444D5819985007E34,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFF16A2E0B8F03E13DD29455C5C2A3D,
)
_SECP256R1 = _weierstrass(
    "secp256r1",
    ("P-256", "prime256v1", "nist-p256", "NIST P-256"),
    "SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2",
    p=2**256 - 2**224 + 2**192 + 2**96 - 1,
    a=-3,
    b=0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    gx=0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    gy=0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    n=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
)
_SECP256K1 = _weierstrass(
    "secp256k1",
    ("bitcoin",),
    "SEC 2 v2, 2.4.1",
    p=2**256 - 2**32 - 977,
    a=0,
    b=7,
    gx=0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    gy=0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
)
_X25519 = Curve(
    name="x25519",
    aliases=("curve25519",),
    bits=255,
    field_bytes=32,
    scalar_bytes=32,
    source="RFC 7748, 4.1 and 5",
    form="montgomery",
)
_ED25519 = Curve(
    name="ed25519",
    aliases=("edwards25519",),
    bits=255,
    field_bytes=32,
    scalar_bytes=32,
    source="RFC 8032, 5.1",
    form="edwards",
)
_X448 = Curve(
    name="x448",
    aliases=("curve448",),
    bits=448,
    field_bytes=56,
    scalar_bytes=56,
    source="RFC 7748, 4.2 and 5",
    form="montgomery",
)
_ED448 = Curve(
    name="ed448",
    aliases=("edwards448",),
    bits=448,
    field_bytes=57,
    scalar_bytes=57,
    source="RFC 8032, 5.2",
    form="edwards",
)

CURVES: dict[str, Curve] = {
    curve.name: curve
    for curve in (
        _SECP256R1, _SECP256K1, _SECP224R1, _SECP192R1, _SECP160R1, _X25519, _ED25519, _X448, _ED448,
    )
}  # fmt: skip


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def find_curve(name: str) -> Curve:
    """The curve of that name or alias, letter case and punctuation ignored. Errors: UsageError."""
    wanted = _plain(name)
    for curve in CURVES.values():
        if wanted in map(_plain, (curve.name, *curve.aliases)):
            return curve
    raise unknown_name("curve", name, CURVES)
