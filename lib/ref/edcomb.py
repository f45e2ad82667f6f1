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
        """What the table holds of an entry."""
        return stored(self.curve, self.entry(block, index))


def stored(curve: EdCurve, point: EPoint) -> tuple[int, int, int]:
    """What tables hold of a point: (y - x)/2, (y + x)/2, dxy for a = -1, and x, y, -dxy
    for a = 1.
    """
    x, y = rfc8032.affine(curve, point)
    p = curve.p
    if curve.a == -1:
        half = (p + 1) // 2
        return (y - x) * half % p, (y + x) * half % p, curve.d * x * y % p
    return x, y, -curve.d * x * y % p


def odd_multiples(curve: EdCurve, width: int) -> list[tuple[int, int, int]]:
    """What the table for signed digits of `width` bits holds: B, 3 B .. (2^(width - 1) - 1) B."""
    numbers = range(1, 1 << (width - 1), 2)
    return [stored(curve, rfc8032.multiply(curve, number, curve.base)) for number in numbers]
