"""The signed comb of ref.comb on Edwards curves: table entries,
and which the C templates hold of them."""

from __future__ import annotations

from dataclasses import dataclass

from ref import rfc8032
from ref.comb import Shape
from ref.rfc8032 import EdCurve, EPoint


@dataclass(frozen=True)
class EdComb(Shape):
    """A comb of an Edwards curve.

    Scalars are k modulo n, made odd by adding n where they are even,
    so there must be more digits than bits of n.
    """

    curve: EdCurve
    teeth: int
    blocks: int

    @property
    def order_bits(self) -> int:
        """Bits of the order."""
        return self.curve.n.bit_length()

    @property
    def columns(self) -> int:
        """As few as give more digits than bits of n."""
        return self.order_bits // (self.teeth * self.blocks) + 1

    def entry(self, block: int, index: int) -> EPoint:
        """The point of an entry."""
        return rfc8032.multiply(
            self.curve, self.entry_scalar(block, index) % self.curve.n, self.curve.base
        )

    def stored(self, block: int, index: int) -> tuple[int, int, int]:
        """What the table holds of an entry: y - x, y + x, 2dxy for a = -1, and x, y,
        -dxy for a = 1."""
        curve, p = self.curve, self.curve.p
        x, y = rfc8032.affine(curve, self.entry(block, index))
        if curve.a == -1:
            return (y - x) % p, (y + x) % p, 2 * curve.d * x * y % p
        return x, y, -curve.d * x * y % p
