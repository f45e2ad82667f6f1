"""Domain parameters of short Weierstrass curves y^2 = x^3 + a*x + b over a prime field, as data with sources."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Curve:
    """One curve. `p` is the field, `n` the prime order of the base point (`gx`, `gy`), `h` the cofactor."""

    name: str
    title: str
    source: str
    p: int
    a: int
    b: int
    n: int
    gx: int
    gy: int
    h: int = 1

    @property
    def field_bits(self) -> int:
        """Length of a field element in bits."""
        return self.p.bit_length()

    @property
    def field_bytes(self) -> int:
        """Length of an encoded field element in bytes (SEC 1 v2, 2.3.5)."""
        return (self.field_bits + 7) // 8

    @property
    def order_bits(self) -> int:
        """Length of a scalar in bits; `qlen` of RFC 6979."""
        return self.n.bit_length()

    @property
    def order_bytes(self) -> int:
        """Length of an encoded scalar in bytes; `rlen` / 8 of RFC 6979."""
        return (self.order_bits + 7) // 8

    def contains(self, x: int, y: int) -> bool:
        """True when (x, y) are field elements that satisfy the curve equation."""
        in_field = 0 <= x < self.p and 0 <= y < self.p
        return in_field and (y * y - (x * x * x + self.a * x + self.b)) % self.p == 0


SECP256R1 = Curve(
    name="secp256r1",
    title="NIST P-256",
    source="SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2",
    p=0xFFFFFFFF_00000001_00000000_00000000_00000000_FFFFFFFF_FFFFFFFF_FFFFFFFF,
    a=0xFFFFFFFF_00000001_00000000_00000000_00000000_FFFFFFFF_FFFFFFFF_FFFFFFFC,
    b=0x5AC635D8_AA3A93E7_B3EBBD55_769886BC_651D06B0_CC53B0F6_3BCE3C3E_27D2604B,
    n=0xFFFFFFFF_00000000_FFFFFFFF_FFFFFFFF_BCE6FAAD_A7179E84_F3B9CAC2_FC632551,
    gx=0x6B17D1F2_E12C4247_F8BCE6E5_63A440F2_77037D81_2DEB33A0_F4A13945_D898C296,
    gy=0x4FE342E2_FE1A7F9B_8EE7EB4A_7C0F9E16_2BCE3357_6B315ECE_CBB64068_37BF51F5,
)

# Toy curves: every point, scalar and signature can be tried. Like the real ones they have prime order, a = -3,
# p = 3 mod 4 and sizes of whole bytes; one has n < p as secp256r1, the other p < n.
TOY251 = Curve(
    name="toy251",
    title="toy, n < p",
    source="points counted by tests/lib/test_reference.py",
    p=251,
    a=251 - 3,
    b=26,
    n=223,
    gx=2,
    gy=84,
)
TOY223 = Curve(
    name="toy223",
    title="toy, p < n",
    source="points counted by tests/lib/test_reference.py",
    p=223,
    a=223 - 3,
    b=178,
    n=251,
    gx=3,
    gy=14,
)

CURVES: dict[str, Curve] = {curve.name: curve for curve in (SECP256R1, TOY251, TOY223)}
