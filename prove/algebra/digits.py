"""Digits of a quotient in Montgomery's reduction: q = c t modulo 2^32, with c = -1/m or 1/m.

The lowest word of q m is then t or -t. So the floor of q m0 / 2^32 needs no variable of its own but
the bit that says whether t is 0.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from prove.algebra.indexes import Indexes
from prove.algebra.polynomials import M32, Fact, Mono, Poly, Value, constant, plus

Q = 1 << 32
DEPTH = 4  # of bits that stand for sums with bits
Scaled = tuple[Poly, int]


class Digits(Indexes):
    """What a space knows of them."""

    def __init__(self) -> None:
        super().__init__()
        self.scaled: dict[frozenset[tuple[tuple[int, ...], int]], Scaled] = {}
        self.factors: dict[int, Scaled] = {}  # of v = floor(c t / 2^32): t and c
        self.zeros: list[Poly] = []  # what digits clear: words that are 0

    def note_scaled(self, a: Value, b: Value) -> None:
        """a b is a product; remembered where that is a word times a large number."""
        for x, c in ((a, b.const), (b, a.const)):
            if c and c >> 24 and x.lo >= 0 and x.hi <= M32:
                self.scaled[frozenset((m, c * f) for m, f in x.p.items())] = x.p, c

    def note_zero(self, p: Poly) -> None:
        """p = 0."""
        if p not in self.zeros:
            self.zeros.append(p)
            self.facts.append((p, 0, 0))

    def like_zero(self, x: Value, k: int) -> Value | None:
        """floor(x / 2^k) where x is a word that is 0, and multiples of 2^k."""
        for zero in self.zeros:
            above = plus(x.p, zero, -1)
            if all(c % (1 << k) == 0 for c in above.values()):
                return self.value({m: c >> k for m, c in above.items()}, x.lo >> k, x.hi >> k)
        return None

    def without_zeros(self, p: Poly) -> Poly:
        """p, and for each word that a digit clears, the digit and carries."""
        for zero in reversed(self.zeros):
            words = [m for m, c in zero.items() if abs(c) == 1 and m and self.defs[max(m)] is None]
            last = max(words, default=())
            if last and last in p:
                p = plus(p, zero, -p[last] * zero[last])
        return p

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

    def cleared(self, p: Poly, q: int) -> bool:
        """Whether p is a multiple of q by what its last digit is modulo q."""
        last = max((v for m, c in p.items() if c % q for v in m if v in self.digits), default=-1)
        if last < 0 or q > Q:  # a digit is known modulo 2^32 alone
            return False
        p = self.substitute(p, {last: self.digits[last]})
        return not any(c % q for c in self.rewritten(Value(p, 0, 0), q).p.values())

    def rewritten(self, x: Value, q: int) -> Value:
        """x with variables as 2 f + bit, and bits as what they stand for, where that makes its
        terms multiples of q.
        """
        p = x.p
        for _ in range(DEPTH):
            rules = {}
            for m, c in p.items():
                if len(m) == 1 and c % q:
                    (v,) = m
                    stands = self.split.get(v) or (
                        self.cuts.get(v) if q == Q and self.bit[v] else None
                    )
                    if stands is not None:
                        rules[v] = stands
            if not rules:
                return x
            p = self.substitute(p, rules)
            if all(c % q == 0 for m, c in p.items() if m):
                return Value(p, x.lo, x.hi)
        return x

    defs: list[Callable[[Sequence[int]], int] | None]
    facts: list[Fact]
    digits: dict[int, Poly]
    split: dict[int, Poly]
    cuts: dict[int, Poly]
    bit: list[bool]

    @abstractmethod
    def substitute(self, p: Mapping[Mono, int], rules: Mapping[int, Poly]) -> Poly:
        """p with variables replaced."""

    @abstractmethod
    def add(self, *values: Value) -> Value:
        """Their sum."""

    @abstractmethod
    def value(self, p: Poly, lo: int | None = None, hi: int | None = None) -> Value:
        """A polynomial with its range."""

    @abstractmethod
    def floor(self, x: Value, k: int) -> Value:
        """floor(x / 2^k)."""
