"""X25519 and X448 (RFC 7748, 5): scalar multiplication on u coordinates of Montgomery curves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class XCurve:
    """v^2 = u^3 + a*u^2 + u over GF(p); `base` is the base point's u,
    `cofactor` clears the scalar's low bits."""

    name: str
    title: str
    source: str
    p: int
    a: int
    base: int
    cofactor: int

    @property
    def field_bits(self) -> int:
        """Length of a field element in bits."""
        return self.p.bit_length()

    @property
    def size(self) -> int:
        """Size of every string."""
        return (self.field_bits + 7) // 8

    def scalar(self, data: bytes) -> int:
        """The clamped scalar (decodeScalar25519, decodeScalar448).
        ValueError when the size is wrong."""
        top = 1 << (self.field_bits - 1)
        return self._integer(data) % top // self.cofactor * self.cofactor + top

    def coordinate(self, data: bytes) -> int:
        """The u coordinate (decodeUCoordinate): unused bits ignored, values from p on reduced.
        ValueError: size."""
        return self._integer(data) % (1 << self.field_bits) % self.p

    def _integer(self, data: bytes) -> int:
        if len(data) != self.size:
            raise ValueError(f"{self.name}: {len(data)} bytes, not {self.size}")
        return int.from_bytes(data, "little")


X25519 = XCurve(
    name="x25519",
    title="X25519 on Curve25519",
    source="RFC 7748, 4.1 and 5",
    p=2**255 - 19,
    a=486662,
    base=9,
    cofactor=8,
)
X448 = XCurve(
    name="x448",
    title="X448 on Curve448",
    source="RFC 7748, 4.2 and 5",
    p=2**448 - 2**224 - 1,
    a=156326,
    base=5,
    cofactor=4,
)
XCURVES = {curve.name: curve for curve in (X25519, X448)}


def multiply(curve: XCurve, scalar: int, u: int) -> int:
    """The u coordinate of scalar times a point with coordinate u, 0 for the neutral element;
    scalar below 2^bits."""
    p, a24 = curve.p, (curve.a - 2) // 4
    x1, x2, z2, x3, z3 = u, 1, 0, u, 1
    for bit in range(curve.field_bits - 1, -1, -1):
        swap = scalar >> bit & 1
        if swap:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % p, b * b % p, d * a % p, c * b % p
        e = aa - bb
        x2, z2, x3, z3 = (
            aa * bb % p,
            e * (aa + a24 * e) % p,
            (da + cb) ** 2 % p,
            x1 * (da - cb) ** 2 % p,
        )
        if swap:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return x2 * pow(z2, p - 2, p) % p


def exchange(curve: XCurve, private_key: bytes, public_key: bytes) -> bytes:
    """The shared secret; all zero when the public key has a small order. ValueError: sizes."""
    shared = multiply(curve, curve.scalar(private_key), curve.coordinate(public_key))
    return shared.to_bytes(curve.size, "little")


def public_key(curve: XCurve, private_key: bytes) -> bytes:
    """The public key of a private key."""
    return exchange(curve, private_key, curve.base.to_bytes(curve.size, "little"))
