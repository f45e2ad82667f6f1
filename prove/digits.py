"""Digits of a quotient in Montgomery's reduction: q = c t modulo 2^32, with c = -1/m or 1/m.

The lowest word of q m is then t or -t. So the floor of q m0 / 2^32 needs no variable of its own but
the bit that says whether t is 0.
"""

from __future__ import annotations

from abc import abstractmethod

from prove.indexes import Indexes
from prove.polynomials import M32, Poly, Value, constant, plus

Q = 1 << 32
Scaled = tuple[Poly, int]


class Digits(Indexes):
    """What a space knows of them."""

    def __init__(self) -> None:
        super().__init__()
        self.scaled: dict[frozenset[tuple[tuple[int, ...], int]], Scaled] = {}
        self.factors: dict[int, Scaled] = {}  # of v = floor(c t / 2^32): t and c

    def note_scaled(self, a: Value, b: Value) -> None:
        """a b is a product; remembered where that is a word times a large number."""
        for x, c in ((a, b.const), (b, a.const)):
            if c and c >> 24 and x.lo >= 0 and x.hi <= M32:
                self.scaled[frozenset((m, c * f) for m, f in x.p.items())] = x.p, c

    def note_floor(self, v: int, p: Poly, k: int) -> None:
        """v = floor(p / 2^k)."""
        found = self.scaled.get(frozenset(p.items()))
        if found is not None and k == 32:
            self.factors[v] = found

    def _parts(self, p: Poly) -> tuple[Poly, Poly, int] | None:
        """p as 2^32 high + t or 2^32 high - t: high, the word t, and the sign."""
        for m, f in p.items():
            if f % Q or len(m) != 1 or m[0] not in self.factors:
                continue
            t, c = self.factors[m[0]]
            sign = (-(f // Q) * c + 1) % Q - 1
            if sign not in (1, -1):
                continue
            high = dict(p)
            for n, g in t.items():
                high[n] = high.get(n, 0) - sign * g
            if all(g % Q == 0 for g in high.values()):
                return {n: g // Q for n, g in high.items() if g}, t, sign
        return None

    def least(self, x: Value) -> Value | None:
        """floor(x / 2^32) where x is a digit of a quotient times the lowest word of the modulus."""
        found = self._parts(x.p)
        if found is None:
            return None
        high, t, sign = found
        if sign < 0:
            high = plus(high, self.nonzero(Value(t, 0, M32)).p, -1)
        return self.value(high, x.lo >> 32, x.hi >> 32)

    def nonzero(self, x: Value) -> Value:
        """0 where the word x is 0, else 1."""
        return self.floor(self.add(x, constant(M32)), 32)

    @abstractmethod
    def add(self, *values: Value) -> Value:
        """Their sum."""

    @abstractmethod
    def value(self, p: Poly, lo: int | None = None, hi: int | None = None) -> Value:
        """A polynomial with its range."""

    @abstractmethod
    def floor(self, x: Value, k: int) -> Value:
        """floor(x / 2^k)."""
