"""Numbers with signs: a space whose floors have one form, and the instructions on such words.

A word that stands for a number x from -2^31 to 2^31 - 1 is x - 2^32 s, s = -1 where x is negative,
else 0. Here s is one variable, from whatever shift it comes, and floor(x + 2^k y, k) is written as
y + floor(x, k). So what the code computes of x has the form that the specification has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from prove.algebra.values import M32, Fact, Pointer, Poly, Refused, Space, Value, at, constant, plus
from prove.machine.execution import Content
from prove.machine.image import Instruction
from prove.machine.riscv import RiscV
from prove.machine.thumb import Thumb

LONG = 1 << 30  # terms of a factor that products take as it is: all
MOST_TERMS = 400
Row = tuple[int, int, int]  # variables u and v, and K with |u| + |v| <= K


def split(p: Poly, k: int) -> tuple[Poly, Poly]:
    """q and r where p = 2^k q + r, with coefficients of r from -2^(k - 1) to 2^(k - 1)."""
    half = (1 << k - 1) - 1
    high = {m: c + half >> k if c > 0 else -(half - c >> k) for m, c in p.items()}
    rest = {m: c - (high[m] << k) for m, c in p.items()}
    return {m: c for m, c in high.items() if c}, {m: c for m, c in rest.items() if c}


class Signed(Space):
    """Ranges of polynomials are remembered; products are never given a name."""

    def __init__(self) -> None:
        super().__init__(LONG, digits=False)
        self.ranges: dict[object, tuple[int, ...]] = {}  # by `_form`
        self.floors: dict[int, tuple[Poly, int]] = {}  # v = floor(p / 2^k)
        self.negatives: dict[int, Poly] = {}  # v = 1 where p is negative
        self.rows: list[Row] = []

    def range(self, p: Poly) -> tuple[int, int]:  # type: ignore[override]
        """What is remembered, or by terms; of c u a + c v b, at most |c| K max(|a|, |b|)."""
        most, rest = 0, p
        for u, v, k in self.rows:
            mine = {m: c for m, c in rest.items() if m.count(u) + m.count(v) == 1}
            by = [{m: c for m, c in mine.items() if w in m} for w in (u, v)]
            if not all(by):
                continue
            sizes = [
                sum(abs(c) * self._size(tuple(x for x in m if x != w)) for m, c in some.items())
                for w, some in zip((u, v), by, strict=True)
            ]
            most += k * max(sizes)
            rest = {m: c for m, c in rest.items() if m not in mine}
        lo, hi = self._known(rest)
        lo, hi = lo - most, hi + most
        if rest is not p:
            a, b = self._known(p)
            lo, hi = max(lo, a), min(hi, b)
        return lo, hi

    def _known(self, p: Poly) -> tuple[int, int]:
        lo, hi = super().range(p)
        key, sign, number = self._form(p)
        if key in self.ranges:
            a, b = (sign * end + number for end in self.ranges[key][::sign])
            lo, hi = max(lo, a), min(hi, b)
        return lo, hi

    @staticmethod
    def _form(p: Poly) -> tuple[object, int, int]:
        """p without its number, or the opposite of that: one for both."""
        number = p.get((), 0)
        rest = {m: c for m, c in p.items() if m}
        sign = -1 if rest and rest[min(rest)] < 0 else 1
        return frozenset((m, sign * c) for m, c in rest.items()), sign, number

    def _remember(self, v: Value) -> Value:
        key, sign, number = self._form(v.p)
        self.ranges[key] = tuple(sign * (end - number) for end in (v.lo, v.hi)[::sign])
        return v

    def _size(self, mono: tuple[int, ...]) -> int:
        return max(map(abs, self.mono_range(mono)))

    def value(self, p: Poly, lo: int | None = None, hi: int | None = None) -> Value:
        if len(p) > MOST_TERMS:
            raise Refused(f"a number of more than {MOST_TERMS} terms")
        return self._remember(super().value(p, lo, hi))

    def scale(self, a: Value, f: int) -> Value:
        found = super().scale(a, f)
        return self.value(found.p, found.lo, found.hi)

    def mul(self, a: Value, b: Value) -> Value:
        if a.lo >= 0 and b.lo >= 0 and max(a.hi, b.hi) <= M32:
            super().mul(self.signed(a), self.signed(b))  # its range is remembered
        return super().mul(a, b)

    def bitify(self, x: Value) -> Value:
        return x

    def floor(self, x: Value, k: int) -> Value:
        x = self.value(x.p, x.lo, x.hi)
        if k == 0:
            return x
        if x.lo >> k == x.hi >> k:
            return constant(x.lo >> k)
        high, p = split(x.p, k)
        rest = self.value(p)
        if not any(high):  # a number alone
            less = high.get((), 0) << k
            rest = self.value(p, x.lo - less, x.hi - less)
        low = self._floor(rest, k)
        return self.value(plus(high, low.p), x.lo >> k, x.hi >> k)

    def _floor(self, x: Value, k: int) -> Value:
        """The same, where nothing more can be taken out."""
        if x.lo >> k == x.hi >> k:
            return constant(x.lo >> k)
        if (x.lo, x.hi) == (-1, 0):
            return x
        common = 0
        for c in x.p.values():
            common |= c
        j = min((common & -common).bit_length() - 1, k)
        if j:
            y = Value({m: c >> j for m, c in x.p.items()}, -(-x.lo >> j), x.hi >> j)
            return self.floor(y, k - j)
        ((mono, c), *more) = x.p.items()
        if not more and c == 1 and len(mono) == 1 and mono[0] in self.floors:
            p, j = self.floors[mono[0]]
            return self.floor(self.value(p, x.lo << j, (x.hi + 1 << j) - 1), j + k)
        if (x.lo >> k, x.hi >> k) == (-1, 0):
            return self._negative(x, k)
        key = (x.key(), k)
        if key not in self.memo:
            v = self.defined("f", x.p, k, x.lo >> k, x.hi >> k)
            self.floors[v] = x.p, k
            self.memo[key] = self.value({(v,): 1})
            self.facts.append((plus(x.p, {(v,): 1}, -1 << k), 0, (1 << k) - 1))
            self.facts.append((x.p, x.lo, x.hi))
        return self.memo[key]

    def _negative(self, x: Value, k: int) -> Value:
        """-1 where x, of k bits and a sign, is negative, else 0: less a bit."""
        key, p = (x.key(), "negative"), x.p
        if key not in self.memo:
            other = self.memo.get((frozenset(plus({(): -1}, p, -1).items()), "negative"))
            if other is not None:  # x is negative where -1 - x is not
                return self.value(plus({(): -1}, other.p, -1))
            v = self.variable(f"n{len(self.names)}", 0, 1, lambda env: -(at(p, env) >> k))
            self.memo[key] = self.value({(v,): -1})
            self.negatives[v] = p
            self.facts.append((plus(p, {(v,): 1}, 1 << k), 0, (1 << k) - 1))
            self.facts.append((p, x.lo, x.hi))
        return self.memo[key]

    def about(self, facts: Iterable[Fact], some: Iterable[Poly]) -> list[Fact]:
        """The facts on variables that these polynomials are made of."""
        todo = [v for p in some for m in p for v in m]
        found = set[int]()
        while todo:
            v = todo.pop()
            if v not in found:
                found.add(v)
                p = self.floors[v][0] if v in self.floors else self.negatives.get(v, {})
                todo += [w for m in p for w in m]
        return [f for f in facts if all(v in found for m in f[0] for v in m)]

    def mod(self, x: Value, k: int) -> Value:
        x = self.value(x.p, x.lo, x.hi)
        if x.lo >= 0 and x.hi < 1 << k:
            return x
        return self.value(plus(x.p, self.floor(x, k).p, -1 << k), 0, (1 << k) - 1)

    def signed(self, x: Value, k: int = 32) -> Value:
        """The low k bits as a number with a sign."""
        low = self.mod(x, k)
        half = 1 << k - 1
        return self.value(plus(low.p, self.floor(low, k - 1).p, -1 << k), -half, half - 1)


class SignedThumb(Thumb):
    """Thumb code on such words."""

    s: Signed
    limit = 2000  # instructions

    def shifted(self, op: str, x: Value, k: int) -> tuple[Value, Value | None]:
        if op != "asr":
            return super().shifted(op, x, k)
        s = self.s
        return s.mod(s.floor(s.signed(x), min(k, 32)), 32), s.mod(s.floor(x, min(k, 32) - 1), 1)

    def extended(self, v: Value, size: int) -> Value:
        return self.s.mod(self.s.signed(v, 8 * size), 32)

    def sum(self, x: Content, y: Content, carry: Value, *, flags: bool) -> Content:
        if isinstance(x, Value) and isinstance(y, Value):
            self.s.add(self.s.signed(x), self.s.signed(y), carry)  # its range is remembered
        return super().sum(x, y, carry, flags=flags)

    def _signed_long(self, i: Instruction, name: str) -> None:
        """smull, smlal."""
        low, high, x, y = (self.register(o) for o in i.operands)
        s = self.s
        total = self.long_product(s.signed(self.word(x)), s.signed(self.word(y)))
        if name == "smlal":
            above = s.scale(s.signed(self.word(high)), 1 << 32)
            total = s.add(s.add(self.word(low), above), total)
        self.r[low], self.r[high] = s.mod(total, 32), s.mod(s.floor(total, 32), 32)

    def _signed_part(self, i: Instruction, name: str) -> None:
        """sbfx, sxth, sxtb."""
        x = self.operand(i, i.operands[1])
        if isinstance(x, Pointer):
            raise Refused("a part of a pointer")
        low, width = 0, 16 if name == "sxth" else 8
        if name == "sbfx":
            low, width = i.operands[2].imm, i.operands[3].imm
        s = self.s
        self.r[self.register(i.operands[0])] = s.mod(s.signed(s.floor(x, low), width), 32)

    METHODS: ClassVar[
        tuple[tuple[set[str], Callable[[SignedThumb, Instruction, str], int | None]], ...]
    ] = (
        ({"smull", "smlal"}, _signed_long),
        ({"sbfx", "sxth", "sxtb"}, _signed_part),
        *Thumb.METHODS,
    )  # type: ignore[assignment]


class SignedRiscV(RiscV):
    """RV32IMC code on numbers with signs."""

    s: Signed
    limit = 20_000

    def extended(self, v: Value, size: int) -> Value:
        """A part of a word with a sign, as a word."""
        return self.s.mod(self.s.signed(v, 8 * size), 32)

    def shifted(self, op: str, x: Value, k: int) -> tuple[Value, Value | None]:
        """asr in the form that the specification has."""
        if op != "asr":
            return super().shifted(op, x, k)
        return self.s.mod(self.s.floor(self.s.signed(x), k), 32), None

    def _with_number(self, op: str, a: Value, b: Value) -> Value | None:
        """It has no more bits than both."""
        found = super()._with_number(op, a, b)
        if found is None or b.const is None or found.const is not None:
            return found
        return self.s.value(found.p, 0, (1 << max(a.hi, b.const).bit_length()) - 1)

    def sum(self, x: Content, y: Content, tested: Content) -> Content:
        if isinstance(x, Value) and isinstance(y, Value):
            self.s.add(self.s.signed(x), self.s.signed(y))  # its range is remembered
        return super().sum(x, y, tested)

    def minus(self, x: Content, y: Content) -> Content:
        if isinstance(x, Value) and isinstance(y, Value):
            self.s.add(self.s.signed(x), self.s.scale(self.s.signed(y), -1))
        return super().minus(x, y)

    def _arithmetic(self, name: str, x: Value, y: Value) -> Value:
        if name != "mulh":
            return super()._arithmetic(name, x, y)
        s = self.s
        return s.mod(s.floor(s.mul(s.signed(x), s.signed(y)), 32), 32)
