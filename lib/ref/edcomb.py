"""The signed comb of ref.comb on Edwards curves: table entries, and which the C templates hold of them."""

from __future__ import annotations

from dataclasses import dataclass

from ref import rfc8032
from ref.rfc8032 import EdCurve, EPoint


@dataclass(frozen=True)
class EdComb:
    """Shape of a comb: digits, exponents and entries are those of ref.comb.Comb.

    Scalars are k modulo n, made odd by adding n where they are even, so there must be more digits than bits of n.
    """

    curve: EdCurve
    teeth: int
    blocks: int

    @property
    def columns(self) -> int:
        """Columns of a block."""
        return -(-self.curve.n.bit_length() // (self.teeth * self.blocks))

    @property
    def digits(self) -> int:
        """Signed digits."""
        return self.teeth * self.blocks * self.columns

    @property
    def entries(self) -> int:
        """Entries of one block."""
        return 1 << (self.teeth - 1)

    def exponent(self, block: int, tooth: int) -> int:
        """The lowest digit of a tooth."""
        return (block + tooth * self.blocks) * self.columns

    def entry_scalar(self, block: int, index: int) -> int:
        """The integer by which B is multiplied in entry `index` of a block."""
        top = self.teeth - 1
        signs = (1 if index >> tooth & 1 else -1 for tooth in range(top))
        lower = sum(sign << self.exponent(block, tooth) for tooth, sign in enumerate(signs))
        return (1 << self.exponent(block, top)) + lower

    def entry(self, block: int, index: int) -> EPoint:
        """The point of an entry."""
        return rfc8032.multiply(self.curve, self.entry_scalar(block, index) % self.curve.n, self.curve.base)

    def stored(self, block: int, index: int) -> tuple[int, int, int]:
        """What the table holds of an entry: y - x, y + x, 2dxy for a = -1, and x, y, -dxy for a = 1."""
        curve, p = self.curve, self.curve.p
        x, y = rfc8032.affine(curve, self.entry(block, index))
        if curve.a == -1:
            return (y - x) % p, (y + x) % p, 2 * curve.d * x * y % p
        return x, y, -curve.d * x * y % p
