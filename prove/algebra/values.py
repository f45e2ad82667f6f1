"""Values of a symbolic run: exact integer polynomials in the words that go in, with ranges.

An instruction loses something: a high half, a carry. That becomes a variable of its own,
v = floor(E / 2^k), with the facts 0 <= E - 2^k v < 2^k and a range for v. So each value is a
polynomial in input words and such variables, and no equation is left over. Equal floors of equal
polynomials are one variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product as cube

from prove.algebra.carries import Carries
from prove.algebra.polynomials import (
    M32,
    Fact,
    Large,
    Mono,
    Pointer,
    Poly,
    Refused,
    Value,
    at,
    constant,
    modulo,
    multiples,
    plus,
    times,
    whole,
)

__all__ = [
    "M32",
    "Fact",
    "Large",
    "Mono",
    "Pointer",
    "Poly",
    "Refused",
    "Space",
    "Value",
    "at",
    "constant",
    "modulo",
    "plus",
    "times",
    "whole",
]


TERMS = 4000  # the most of a sum; a proof has up to 693, one with calls, in one piece, more
PRODUCTS = 500_000  # likewise of a product of two
SHORT = 8  # terms of a polynomial whose range may be known


class Space(Carries):
    """The variables of one run, what they stand for, and the facts about them."""

    KNOWN = 100  # terms of a product of long factors that is told

    def __init__(self, long: int = 2, *, digits: bool = True) -> None:
        self.long = long  # terms of a factor that a product takes as it is
        self.naming = digits  # of digits
        self.names: list[str] = []
        self.bit: list[bool] = []
        self.defs: list[Callable[[Sequence[int]], int] | None] = []  # None: an input
        self.memo: dict[tuple[frozenset[tuple[Mono, int]], object], Value] = {}
        self.facts: list[Fact] = []
        self.cuts: dict[int, Poly] = {}  # a variable that is a polynomial
        self.width: dict[frozenset[tuple[Mono, int]], int] = {}  # and the k of each
        self.halves: dict[int, tuple[Poly, int]] = {}  # v = floor(q / 2): q, its lowest bit
        self.split: dict[int, Poly] = {}  # a variable as twice another and a bit
        self.products: list[Fact] = []  # ranges of products of long factors
        self.told: list[Fact] = []  # what such products are
        self.inputs: dict[str, list[int]] = {}  # of each operand: its words
        self.limits: dict[frozenset[tuple[Mono, int]], int] = {}  # of polynomials, by contract
        self.digits: dict[int, Poly] = {}  # of `digit`
        self.given: list[Fact] = []  # of the operands
        self.nested = False  # whether the floor of a floor is told as one
        self.inner: dict[Mono, tuple[Value, int]] = {}  # a variable as floor(x / 2^k)
        self.residues: dict[int, tuple[int, Poly]] = {}  # a variable modulo m
        super().__init__()

    def variable(
        self, name: str, lo: int, hi: int, define: Callable[[Sequence[int]], int] | None = None
    ) -> int:
        """A new one; `define` computes it from those before it."""
        self.names.append(name)
        self.lo.append(lo)
        self.hi.append(hi)
        self.bit.append(lo >= 0 and hi <= 1)
        self.defs.append(define)
        return len(self.names) - 1

    def word(self, name: str, hi: int = M32) -> Value:
        """An input."""
        return Value({(self.variable(name, 0, hi),): 1}, 0, hi)

    def defined(self, name: str, p: Poly, k: int, lo: int, hi: int) -> int:
        """A variable for floor(p / 2^k)."""
        return self.variable(f"{name}{len(self.names)}", lo, hi, lambda env: at(p, env) >> k)

    def multiply(self, p: Poly, q: Poly) -> Poly:
        """p q; the square of a bit is the bit. Errors: Large."""
        if len(p) == 1 and () in p:
            return times(q, p[()])
        if len(q) == 1 and () in q:
            return times(p, q[()])
        if len(p) * len(q) > PRODUCTS:
            raise Large(f"a product of {len(p)} and {len(q)} terms")
        r: Poly = {}
        for m, c in p.items():
            for n, d in q.items():
                mono = self._join(m, n)
                total = r.get(mono, 0) + c * d
                if total:
                    r[mono] = total
                else:
                    r.pop(mono, None)
        return r

    def _join(self, m: Mono, n: Mono) -> Mono:
        if not m or not n:
            return m or n
        s = sorted(m + n)
        return tuple(v for i, v in enumerate(s) if not (i and self.bit[v] and s[i - 1] == v))

    def value(self, p: Poly, lo: int | None = None, hi: int | None = None) -> Value:
        """A polynomial with the best of the range that it has and the one that is known."""
        a, b = self.known(p) if len(p) <= SHORT else self.range(p)
        return Value(p, a if lo is None else max(a, lo), b if hi is None else min(b, hi))

    def add(self, *values: Value) -> Value:
        """Their sum."""
        p: Poly = {}
        for v in values:
            p = plus(p, v.p)
        if len(p) > TERMS:
            raise Large(f"a sum of more than {TERMS} terms")
        return self.value(p, sum(v.lo for v in values), sum(v.hi for v in values))

    def scale(self, a: Value, f: int) -> Value:
        """f a."""
        return Value(times(a.p, f), min(a.lo * f, a.hi * f), max(a.lo * f, a.hi * f))

    def words(self, define: Callable[[Sequence[int]], int], count: int) -> list[Value]:
        """A number as so many words, each a variable."""

        def one(i: int) -> Value:
            v = self.variable(
                f"w{len(self.names)}", 0, M32, lambda env: define(env) >> 32 * i & M32
            )
            return Value({(v,): 1}, 0, M32)

        return [one(i) for i in range(count)]

    def fresh(self, a: Value, count: int) -> list[Value]:
        """a as so many words, each a variable: `a` is told as their sum."""
        p = a.p
        words = self.words(lambda env: at(p, env), count)
        total = whole(words)
        (first,) = next(iter(words[0].p))
        self.cuts[first] = plus(plus(p, total.p, -1), {(first,): 1})
        self.facts += [(plus(total.p, p, -1), 0, 0), (total.p, a.lo, a.hi)]
        self.limits[total.key()] = a.hi
        return words

    def digit(self, a: Value) -> Value:
        """A word as a variable that no later step replaces, such as a digit of a quotient: what it
        is modulo 2^32 stands in the facts alone.
        """
        digit = len(a.p) == 1 and max(next(iter(a.p)), default=-1) in self.digits
        if a.const is not None or digit or not self.naming:
            return a
        v = self.variable(f"m{len(self.names)}", a.lo, a.hi, lambda env: at(a.p, env))
        self.facts.append((plus(a.p, {(v,): 1}, -1), 0, 0))
        self.digits[v] = a.p
        return Value({(v,): 1}, a.lo, a.hi)

    def cut(self, a: Value) -> Value:
        """a; a long polynomial as a variable that equals it, so that its products are short."""
        few = {v for mono in a.p for v in mono} <= self.index
        return a if len(a.p) <= self.long or few else self.named(a)

    def named(self, a: Value) -> Value:
        """a as a variable that equals it."""
        if len(a.p) == 1 and next(iter(a.p.values())) == 1 and len(next(iter(a.p))) == 1:
            return a
        a = Value(a.p, a.lo, min(a.hi, self.limits.get(a.key(), a.hi)))
        key = (a.key(), 0)
        if key not in self.memo:
            i = self.defined("w", a.p, 0, a.lo, a.hi)
            self.cuts[i] = a.p
            self.memo[key] = Value({(i,): 1}, a.lo, a.hi)
            self.facts.append((plus(a.p, {(i,): 1}, -1), 0, 0))
        return self.memo[key]

    def mul(self, a: Value, b: Value) -> Value:
        """a b."""
        ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        p = self.multiply(a.p, b.p)
        if a.const is None and b.const is None:
            whole, p = p, self.multiply(self.cut(a).p, self.cut(b).p)
            if p != whole and len(whole) < self.KNOWN:
                self.told.append((plus(p, whole, -1), 0, 0))
        if a.const is None and b.const is None and len(p) > 1:
            self.products.append((p, min(ends), max(ends)))
        self.note_scaled(a, b)
        return self.value(p, min(ends), max(ends))

    def bits_of(self, *polys: Poly, limit: int = 5) -> list[int] | None:
        """The variables, where all are bits and there are few."""
        found: set[int] = set()
        for p in polys:
            for mono in p:
                if not all(self.bit[v] for v in mono):
                    return None
                found.update(mono)
                if len(found) > limit:
                    return None
        return sorted(found)

    def table(self, f: Callable[..., int], *polys: Poly, linear: bool = False) -> Value | None:
        """f of polynomials in few bits, by all their values; None for others. `linear`: None where
        that is products of bits, of which a variable of its own is better; tried with digits alone.
        """
        bits = self.bits_of(*polys)
        if bits is None:
            return None
        out: Poly = {}
        values = []
        for pattern in cube((0, 1), repeat=len(bits)):
            env = dict(zip(bits, pattern, strict=True))
            y = f(*(at(p, env) for p in polys))
            values.append(y)
            term: Poly = {(): y} if y else {}
            for v, b in env.items():
                term = self.multiply(term, {(v,): 1} if b else {(): 1, (v,): -1})
            out = plus(out, term)
        products = any(len(m) > 1 for m in out)
        if linear and self.naming and products and not self.index.issuperset(bits):
            return None
        return Value(out, min(values), max(values))

    def floor(self, x: Value, k: int) -> Value:
        """floor(x / 2^k)."""
        if k == 0:
            return x
        inner = self.inner.get(next(iter(x.p), ())) if self.nested and len(x.p) == 1 else None
        if inner is not None and set(x.p.values()) == {1}:  # floor(floor(y / 2^j) / 2^k)
            return self.floor(inner[0], inner[1] + k)
        if x.lo >> k == x.hi >> k:
            return constant(x.lo >> k)
        found = (
            self.table(lambda y: y >> k, x.p, linear=True) or self._sign(x, k) or self._small(x, k)
        )
        if found is not None:
            return found
        common = 0
        for c in x.p.values():
            common |= c
        j = min((common & -common).bit_length() - 1, k)
        if j:  # floor(2^j y / 2^k) = floor(y / 2^(k - j))
            y = Value({m: c >> j for m, c in x.p.items()}, -(-x.lo >> j), x.hi >> j)
            return self.floor(y, k - j) if k > j else self.bitify(y)
        given, x = x, self.rewritten(x, 1 << k)
        exact = self._exact(x, k) or (k == 32 and self.least(x)) or self.like_zero(x, k)
        if exact is not None:
            self.note_exact(exact, given, k)
            return exact
        found = self._new_floor(x, k)
        if self.cleared(x.p, 1 << k):
            self.note_zero(plus(x.p, found.p, -(1 << k)))
        return found

    def _sign(self, x: Value, k: int) -> Value | None:
        """floor(x / 2^31) of a word that is a small number with a sign, and 2^32 where negative."""
        top = multiples(x.p)
        if k != 31 or not top or x.lo < 0 or x.hi > M32:
            return None
        bit = self.value(top)
        lo, hi = self.range(plus(x.p, bit.p, -1 << 32))
        return bit if (bit.lo, bit.hi) == (0, 1) and lo >= -1 << 31 and hi < 1 << 31 else None

    def _small(self, x: Value, k: int) -> Value | None:
        """floor(x / 2^32) of a small number with a sign, and multiples of 2^32."""
        above = multiples(x.p)
        if k != 32 or not above or self.index:
            return None
        rest = plus(x.p, above, -1 << 32)
        lo, hi = self.range(rest)
        if lo < -1 << 31 or hi >= 1 << 31:
            return None
        sign = self.floor(Value(rest, lo, hi), k)
        return self.bitify(Value(plus(above, sign.p), x.lo >> k, x.hi >> k))

    def _exact(self, x: Value, k: int) -> Value | None:
        """floor(x / 2^k) where x is a multiple of 2^k and a number or a word below it."""
        q = 1 << k
        if all(c % q == 0 for m, c in x.p.items() if m):
            p = {m: c >> k for m, c in x.p.items() if c >> k}
            return self.bitify(Value(p, x.lo >> k, x.hi >> k))
        rest, high = dict(x.p), dict[Mono, int]()
        newest = sorted(
            (m for m, c in x.p.items() if c % q == 0),
            key=lambda m: max(m, default=1 << 60),
            reverse=True,
        )
        for m in newest[:8]:
            high[m] = rest.pop(m) >> k
            if self._below(rest, k):
                return self.bitify(self.value(high, x.lo >> k, x.hi >> k))
        return None

    def _below(self, p: Poly, k: int) -> bool:
        """Whether p is known to be from 0 to 2^k - 1."""
        if self.width.get(frozenset(p.items()), k + 1) <= k:
            return True
        lo, hi = self.known(p)
        return lo >= 0 and hi < 1 << k

    def _new_floor(self, x: Value, k: int) -> Value:
        key = (x.key(), k)
        if key not in self.memo:
            lo, hi = x.lo >> k, x.hi >> k
            i = self.defined("f", x.p, k, lo, hi)
            p: Poly = {(i,): 1}
            self.memo[key] = Value(p, lo, hi)
            self.inner[(i,)] = x, k
            self.facts.append((plus(x.p, p, -(1 << k)), 0, (1 << k) - self._gap(x.p, k)))
            self.facts.append((x.p, x.lo, x.hi))
            self.note_floor(i, x.p, k)
            self.note_carry(i, x, k)
        return self.memo[key]

    def bitify(self, x: Value) -> Value:
        """x; where it is known to be 0 or 1, as a variable that is known to be a bit."""
        if x.lo < 0 or x.hi > 1 or x.const is not None or self.bits_of(x.p, limit=40) is not None:
            return x
        key = (x.key(), 0)
        if key not in self.memo:
            b = self.defined("b", x.p, 0, 0, 1)
            self.cuts[b] = x.p
            self.memo[key] = Value({(b,): 1}, 0, 1)
            self.facts.append((plus(x.p, {(b,): 1}, -1), 0, 0))
            self._note_half(x.p, b)
        return self.memo[key]

    def _note_half(self, p: Poly, b: int) -> None:
        """b = q - 2 floor(q / 2), remembered."""
        for m, c in p.items():
            if c != -2 or len(m) != 1:
                continue
            q = plus(p, {m: 1}, 2)
            half = self.memo.get((frozenset(q.items()), 1))
            if half is not None and half.p == {m: 1}:
                self.halves[m[0]] = (q, b)
                ((mono, one), *more) = q.items()
                if not more and one == 1 and len(mono) == 1:
                    self.split[mono[0]] = {m: 2, (b,): 1}

    def mod(self, x: Value, k: int) -> Value:
        """x modulo 2^k."""
        q = 1 << k
        if x.lo >= 0 and x.hi < q:
            return x
        found = self.table(lambda y: y & q - 1, x.p, linear=True)
        if found is not None:
            return found
        x = self.rewritten(x, q)
        above = self.floor(x, k)
        p = plus(x.p, above.p, -q)
        if p in self.zeros:
            return constant(0)
        if above.const is not None and x.lo >> k == x.hi >> k:
            return Value(p, x.lo % q, x.hi % q)
        if k == 1:
            return self.bitify(Value(p, 0, 1))
        if all(c % q == 0 for m, c in p.items() if m):
            # a number and a multiple of 2^k, and from 0 to 2^k - 1: that number
            low = p.get((), 0) % q
            if p != ({(): low} if low else {}):
                self.facts.append((p, low, low))
            return constant(low)
        key = frozenset(p.items())
        self.width[key] = min(k, self.width.get(key, k))
        return Value(p, 0, q - self._gap(x.p, k))

    @staticmethod
    def _gap(p: Poly, k: int) -> int:
        """How far p modulo 2^k stays below 2^k: a square is 0, 1 or 4 modulo 8."""
        square = k > 2 and len(p) == 1 and all(len(m) == 2 and m[0] == m[1] for m in p)
        return 4 if square and set(p.values()) == {1} else 1

    def witness(self, inputs: Mapping[int, int]) -> list[int]:
        """All variables, for these inputs."""
        env: list[int] = [0] * len(self.names)
        for i, define in enumerate(self.defs):
            env[i] = inputs[i] if define is None else define(env)
        return env

    def substitute(self, p: Mapping[Mono, int], rules: Mapping[int, Poly]) -> Poly:
        """p with variables replaced."""
        out: Poly = {}
        for mono, c in p.items():
            term: Poly = {(): c}
            if any(v in rules for v in mono):
                for v in mono:
                    term = self.multiply(term, rules.get(v, {(v,): 1}))
            else:
                term = {mono: c}
            out = plus(out, term)
        return out
