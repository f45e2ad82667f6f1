"""Constants of Montgomery arithmetic for a modulus held in whole 64-bit blocks:
R = 2^(64 * blocks)."""

from __future__ import annotations

from dataclasses import dataclass

from ref.curves import Curve

BLOCK_BITS = 64


@dataclass(frozen=True)
class Modulus:
    """An odd modulus m and the radix R > m in which its residues are held."""

    m: int
    blocks: int

    @property
    def radix(self) -> int:
        """R."""
        return 1 << (BLOCK_BITS * self.blocks)

    @property
    def one(self) -> int:
        """R mod m, which stands for 1."""
        return self.radix % self.m

    @property
    def r2(self) -> int:
        """R^2 mod m, the factor that turns a residue into its Montgomery form."""
        return self.radix**2 % self.m

    @property
    def inverse(self) -> int:
        """-m^-1 mod 2^64. Its low bits are the constant of every smaller word."""
        return -pow(self.m, -1, 1 << BLOCK_BITS) % (1 << BLOCK_BITS)

    def encode(self, value: int) -> int:
        """value * R mod m."""
        return value * self.radix % self.m

    def decode(self, value: int) -> int:
        """value / R mod m; also what one Montgomery reduction of a product computes."""
        return value * pow(self.radix, -1, self.m) % self.m


def blocks_of(curve: Curve) -> int:
    """64-bit blocks that hold both a field element and a scalar."""
    return -(-max(curve.field_bits, curve.order_bits) // BLOCK_BITS)


def field(curve: Curve) -> Modulus:
    """Arithmetic modulo p."""
    return Modulus(curve.p, blocks_of(curve))


def scalars(curve: Curve) -> Modulus:
    """Arithmetic modulo n."""
    return Modulus(curve.n, blocks_of(curve))
