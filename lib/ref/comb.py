"""Signed comb of the base point: table and evaluation.

Definition (Hamburg 2012, "Fast and compact elliptic-curve cryptography", 3.3:
signed all-bits-set comb). With `teeth` t, `blocks` v and the order n of the curve:

    d = ceil(bits(n) / (t*v))                   columns: doublings are d - 1, additions d*v - 1
    L = t*v*d >= bits(n)                        signed digits
    e(i, k) = (i + k*v) * d                     lowest digit of tooth k of block i,
                                                0 <= k < t, 0 <= i < v
    T(i, j) = 2^e(i,t-1) G + sum over k < t-1 of s(j,k) 2^e(i,k) G,
              s(j,k) = +1 when bit k of j is set, else -1

with 0 <= j < 2^(t-1). The table lists T(0,0), T(0,1), ..., T(1,0), ...:
entry number i * 2^(t-1) + j, affine x then y.

Scalar, 1 <= k < n:

    K = k when k is odd, n - k when k is even   (then the result is negated); K is odd and below 2^L
    K = sum over 0 <= i < L of b_i 2^i with all b_i = +1 or -1:
        b_i = +1 when bit i+1 of K is set, else -1, for i < L - 1;  b_(L-1) = +1

that is, the bits of (K >> 1) with bit L-1 set, read as signs.
Bits of K at and above bits(n) are zero.

Column c of block i takes the digits at e(i,k) + c for k < t as signs.
When the one of the top tooth is +, the entry is T(i, j) with bit k of j that sign (+ for 1);
when it is -, all are inverted: j is complemented and the entry negated.

    A = column d-1 of block v-1, then plus column d-1 of blocks v-2 ... 0
    for c = d-2 ... 0:  A = 2A;  for i = v-1 ... 0: A = A + column c of block i

K*G = A. Formulas that are not complete need to know which additions
meet equal or opposite operands: `exceptions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ref.curves import Curve
from ref.group import Point, add, negate


@cache
def _power(curve: Curve, exponent: int) -> Point:
    """2^exponent G."""
    if exponent == 0:
        return (curve.gx, curve.gy)
    half = _power(curve, exponent // 2)
    for _ in range(exponent - exponent // 2):
        half = add(curve, half, half)
    return half


class Shape(ABC):
    """Digits of a comb: what follows from the bits of the order alone, for any kind of curve."""

    teeth: int
    blocks: int

    @property
    @abstractmethod
    def order_bits(self) -> int:
        """bits(n)."""

    @property
    def columns(self) -> int:
        """d."""
        return -(-self.order_bits // (self.teeth * self.blocks))

    @property
    def digits(self) -> int:
        """L."""
        return self.teeth * self.blocks * self.columns

    @property
    def entries(self) -> int:
        """Entries of one block, 2^(t-1)."""
        return 1 << (self.teeth - 1)

    def exponent(self, block: int, tooth: int) -> int:
        """e(i, k)."""
        return (block + tooth * self.blocks) * self.columns

    def entry_scalar(self, block: int, index: int) -> int:
        """The integer by which the base point is multiplied in T(i, j); not reduced."""
        top = self.teeth - 1
        signs = (1 if index >> tooth & 1 else -1 for tooth in range(top))
        lower = sum(sign << self.exponent(block, tooth) for tooth, sign in enumerate(signs))
        return (1 << self.exponent(block, top)) + lower


@dataclass(frozen=True)
class Comb(Shape):
    """Shape of a comb for one curve."""

    curve: Curve
    teeth: int
    blocks: int

    @property
    def order_bits(self) -> int:
        """bits(n)."""
        return self.curve.order_bits

    def table(self) -> list[Point]:
        """All entries, block by block: sums of powers of two times the base point."""
        return [
            self._entry(block, index)
            for block in range(self.blocks)
            for index in range(self.entries)
        ]

    def _entry(self, block: int, index: int) -> Point:
        top = self.teeth - 1
        result = _power(self.curve, self.exponent(block, top))
        for tooth in range(top):
            term = _power(self.curve, self.exponent(block, tooth))
            result = add(
                self.curve, result, term if index >> tooth & 1 else negate(self.curve, term)
            )
        return result

    def recode(self, scalar: int) -> tuple[int, bool]:
        """Signs of the digits as a bit string (bit i set: b_i = +1),
        and whether the result is to be negated."""
        even = scalar % 2 == 0
        odd = self.curve.n - scalar if even else scalar
        return odd >> 1 | 1 << (self.digits - 1), even

    def column(self, signs: int, block: int, column: int) -> tuple[int, bool]:
        """Entry j of the block for one column, and whether it is negated."""
        bits = [signs >> (self.exponent(block, tooth) + column) & 1 for tooth in range(self.teeth)]
        minus = bits[-1] == 0
        index = sum(bit << tooth for tooth, bit in enumerate(bits[:-1]))
        return (self.entries - 1 - index if minus else index), minus

    def multiply(self, table: list[Point], scalar: int) -> Point:
        """scalar * G for 1 <= scalar < n."""
        signs, even = self.recode(scalar)
        result: Point = None
        for column in reversed(range(self.columns)):
            result = add(self.curve, result, result)
            for block in reversed(range(self.blocks)):
                index, minus = self.column(signs, block, column)
                entry = table[block * self.entries + index]
                result = add(self.curve, result, negate(self.curve, entry) if minus else entry)
        return negate(self.curve, result) if even else result

    def additions(self, scalar: int) -> Iterator[tuple[int, int]]:
        """The operands of each point addition as unreduced multiples of G: (A, entry).
        A is 0 in the first."""
        signs, _ = self.recode(scalar)
        total = 0
        for column in reversed(range(self.columns)):
            total *= 2
            for block in reversed(range(self.blocks)):
                index, minus = self.column(signs, block, column)
                entry = self.entry_scalar(block, index) * (-1 if minus else 1)
                yield total, entry
                total += entry


def exceptions(comb: Comb) -> Iterator[tuple[int, int, int]]:
    """(column, block, relation) of each addition that some odd scalar below n makes exceptional.

    That is, A = relation * T. A: the sum so far, T: the signed entry to be added, modulo n;
    relation 1: equal, -1: opposite, 0: A is infinity.
    Complete, for any curve: A - relation * T is a sum over the teeth of V * 2^exponent,
    with V of fewer bits than a tooth has and of known parity.
    So for each multiple of n in its range the V follow one by one from the low end.
    """
    for column in reversed(range(comb.columns)):
        for block in reversed(range(comb.blocks)):
            if (column, block) == (comb.columns - 1, comb.blocks - 1):
                continue  # the first entry is taken, not added
            for relation in (0, 1, -1):
                if any(True for _ in _hits(comb, column, block, relation)):
                    yield column, block, relation


def _hits(comb: Comb, column: int, block: int, relation: int) -> Iterator[int]:
    """The smallest scalar, where it is below n,
    for each choice of the digits that make the addition exceptional."""
    n, bits, d = comb.curve.n, comb.curve.order_bits, comb.columns
    teeth = []  # of each tooth, from the low end: (digit's position, its weight in V)
    for tooth in range(comb.teeth * comb.blocks):
        own = tooth % comb.blocks
        last = 1 if own > block else -relation if own == block else 0
        weights = [(tooth * d + at, 1 << (at - column)) for at in range(column + 1, d)]
        teeth.append(([(tooth * d + column, last)] if last else []) + weights)

    def signs(position: int) -> tuple[int, ...]:
        return (1,) if position == comb.digits - 1 else (-1,) if position + 1 >= bits else (-1, 1)

    ends = [
        sum(
            pick(sign * weight for sign in signs(position)) << (tooth * d)
            for tooth, digits in enumerate(teeth)
            for position, weight in digits
        )
        for pick in (min, max)
    ]

    def solve(tooth: int, rest: int, chosen: dict[int, int]) -> Iterator[dict[int, int]]:
        if tooth == len(teeth):
            if rest == 0:
                yield chosen
            return
        low = rest % (1 << d)
        for value in (low, low - (1 << d)):
            found = _digits(teeth[tooth], value)
            if found is not None and all(
                sign in signs(position) for position, sign in found.items()
            ):
                yield from solve(tooth + 1, (rest - value) >> d, chosen | found)

    for multiple in range(-(-ends[0] // n), ends[1] // n + 1):
        for chosen in solve(0, multiple * n, {}):
            smallest = sum(chosen.get(at, signs(at)[0]) << at for at in range(comb.digits))
            if smallest < n:
                yield smallest


def _digits(weights: list[tuple[int, int]], value: int) -> dict[int, int] | None:
    """The signs with which the weights, 1 or -1 or nothing and then 2, 4, ..,
    add up to the value."""
    found = {}
    for position, weight in weights:
        rest = value // abs(weight)
        if rest % 2 == 0:
            return None
        last = (position, weight) == weights[-1]
        sign = rest if last else 1 if (rest - 1) // 2 % 2 else -1
        if sign not in (1, -1):
            return None
        found[position] = sign if weight > 0 else -sign
        value -= sign * abs(weight)
    return found if value == 0 else None
