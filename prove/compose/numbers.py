"""What the check knows of the functions of mp without running them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from prove.compose.admitted import facts
from prove.intervals.ctypes import INT, UNSIGNED, Type
from prove.intervals.domain import Content, Num, Ptr, State, Unknown, any_of, exactly
from prove.intervals.expressions import Result
from prove.intervals.interpreter import Interpreter

BYTES = Type("ptr", 4, of=Type("int", 1))


@dataclass(frozen=True)
class Product(Num):
    """What these make multiplied, and nothing else."""

    factors: tuple[Num, ...] = ()


class Numbers:
    """Numbers in memory, and functions on them. `faults`: calls that keep no contract."""

    p: int  # the prime of the field
    words: int  # of an element
    c: Any = None  # the interpreter
    where = ""
    faults: dict[str, str]
    assumed: set[str]  # facts that were used

    def fault(self, what: str) -> None:
        """Note it once for each place."""
        self.faults.setdefault(f"{self.where}: {what}", what)

    def canonical(self, v: Num, size: int, by: str) -> None:
        """A residue of which words are read."""
        if not v.whole(size):
            self.fault(f"{by} reads a number that is negative or too large")
        elif v.tag and v.hi >= v.tag:
            self.fault(f"{by} reads an element that may not be below p: up to {v.hi:#x}")

    def known(self, callee: str, operand: int, v: Num) -> Num:
        """An operand of a call from where the interpreter is, with what a fact says of it."""
        caller = self.c.frames[-1].name
        for one in facts() if v.lo == 0 < v.hi and self.c.unit.curve.startswith("secp") else ():
            named = callee.endswith(one.callee) and caller.endswith(one.where)
            if named and one.operand == operand:
                self.assumed.add(one.where)
                return replace(v, lo=1)
        return v

    # numbers in memory
    def number(self, s: State, p: Content, words: int) -> Num:
        """Of so many words."""
        if not isinstance(p, Ptr):
            return any_of(4 * words)
        if p.off.const is not None:
            v = s.read(p.obj, p.off.lo, 4 * words)
            return v if isinstance(v, Num) else any_of(4 * words)
        found: Num | None = None
        for off in self.offsets(s, p, 4 * words):
            v = s.read(p.obj, off, 4 * words)
            one = v if isinstance(v, Num) else any_of(4 * words)
            found = one if found is None else found.join(one)
        return found or any_of(4 * words)

    def offsets(self, s: State, p: Ptr, size: int) -> list[int]:
        """Where numbers of a size may stand behind an address."""
        found: list[int] = self.c.offsets(s, p, size)
        return found

    def operand(self, s: State, p: Content, words: int, what: str) -> Num:
        """One that must be what its words say."""
        v = self.number(s, p, words)
        if not v.whole(4 * words):
            self.fault(f"operand {what} is negative or too large: from {v.lo:#x} to {v.hi:#x}")
            return v.stored(4 * words)
        return v

    def write(self, s: State, p: Content, words: int, v: Num) -> None:
        """A result."""
        if isinstance(p, Ptr):
            self.c.put(s, p, 4 * words, v)

    @staticmethod
    def count(v: Content) -> int:
        """A length."""
        if isinstance(v, Num) and v.const is not None:
            return v.const
        raise Unknown("a length that is not known")

    def _mp_copy(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        if isinstance(a[0], Ptr) and isinstance(a[1], Ptr):
            c.copy(s, a[0], a[1], 4 * self.count(a[2]))
        return [(s, exactly(0), INT)]

    def _mp_zero(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        if self.count(a[1]):
            self.write(s, a[0], self.count(a[1]), exactly(0))
        return [(s, exactly(0), INT)]

    def _mp_cmov(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        mask = a[2].const if isinstance(a[2], Num) else None
        if mask != 0 and isinstance(a[0], Ptr) and isinstance(a[1], Ptr):
            c.copy(s, a[0], a[1], 4 * self.count(a[3]), perhaps=mask != 0xFFFFFFFF)
        return [(s, exactly(0), INT)]

    def _mp_cswap(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        assert isinstance(a[0], Ptr) and isinstance(a[1], Ptr)
        n = self.count(a[3])
        unit = self.words if n % self.words == 0 else n
        for i in range(0, n, unit):
            x, y = (p.moved(exactly(i), 4) for p in (a[0], a[1]) if isinstance(p, Ptr))
            both = self.number(s, x, unit).join(self.number(s, y, unit))
            self.write(s, x, unit, both)
            self.write(s, y, unit, both)
        return [(s, exactly(0), INT)]

    def _mp_lookup(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        table, count, n = a[1], a[3], self.count(a[4])
        if isinstance(table, Ptr) and isinstance(a[0], Ptr):
            index = Num(0, max(count.hi - 1, 0) if isinstance(count, Num) else 0)
            c.copy(s, a[0], table.moved(index, 4 * n), 4 * n)
        return [(s, exactly(0), INT)]

    def _mp_sub(
        self, c: Interpreter, s: State, a: list[Content], *, used: bool, **_: bool
    ) -> list[Result]:
        n, p = self.count(a[3]), a[1]
        if isinstance(p, Ptr) and p.off.const is not None and p == a[2]:  # a number less itself
            self.write(s, a[0], n, exactly(0))
            return [(s, exactly(0), UNSIGNED)]
        x = self.number(s, a[1], n)
        y = self.known("mp_sub", 2, self.number(s, a[2], n))
        tag = x.tag or y.tag
        out = Num(x.lo - y.hi, x.hi - y.lo, tag)
        if not used:
            self.write(s, a[0], n, out)
            return [(s, Num(0, 1), UNSIGNED)]
        found: list[Result] = []
        v, q, exact = x.stored(4 * n), y.stored(4 * n), x.whole(4 * n) and y.whole(4 * n)
        for borrow in (0, 1):
            if v.hi < q.lo if borrow == 0 else v.lo >= q.hi:
                continue
            t, lo, hi = s.fork(), out.lo, out.hi
            if exact and borrow:
                self.refine(t, (a[1], n), x, x.lo, min(x.hi, y.hi - 1))
                self.refine(t, (a[2], n), y, max(y.lo, x.lo + 1), y.hi)
                hi = min(hi, -1)
            elif exact:
                self.refine(t, (a[1], n), x, max(x.lo, y.lo), x.hi)
                self.refine(t, (a[2], n), y, y.lo, min(y.hi, x.hi))
                lo = max(lo, 0)
            self.write(t, a[0], n, Num(lo, hi, tag))
            found.append((t, exactly(borrow), UNSIGNED))
        return found

    def refine(self, s: State, place: tuple[Content, int], v: Num, lo: int, hi: int) -> None:
        """A number of which more became known."""
        p, n = place
        if isinstance(p, Ptr) and p.off.const is not None and v.const is None and lo <= hi:
            s.write(p.obj, p.off.lo, 4 * n, Num(lo, hi, v.tag))

    def _mp_add(
        self, c: Interpreter, s: State, a: list[Content], *, used: bool, **_: bool
    ) -> list[Result]:
        n, keep = self.count(a[4]), a[3].const if isinstance(a[3], Num) else None
        x, y = self.number(s, a[1], n), self.number(s, a[2], n)
        if keep == 0:
            y = exactly(0)
        elif keep != 0xFFFFFFFF:
            y = Num(min(0, y.lo), y.hi, y.tag)
        tag, q = x.tag or y.tag, 1 << 32 * n
        out = Num(x.lo + y.lo, x.hi + y.hi, tag)
        if not used:
            self.write(s, a[0], n, out)
            return [(s, Num(0, 1), UNSIGNED)]
        p = x.stored(4 * n)
        window = x.lo - p.lo if p.hi - p.lo == x.hi - x.lo else None
        found: list[Result] = []
        for carry in (0, 1):
            lo, hi = p.lo + y.lo, p.hi + y.hi
            if lo >= q if carry == 0 else hi < q:
                continue
            t = s.fork()
            lo, hi = (lo, min(hi, q - 1)) if carry == 0 else (max(lo, q), hi)
            known = out if window is None else Num(lo + window, hi + window, tag)
            self.write(t, a[0], n, known)
            found.append((t, exactly(carry), UNSIGNED))
        return found

    def _mp_add_small(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        n = self.count(a[3])
        x, y = self.number(s, a[1], n), a[2]
        assert isinstance(y, Num)
        self.write(s, a[0], n, Num(x.lo + y.lo, x.hi + y.hi, x.tag))
        return [(s, exactly(0), INT)]

    def _mp_mac_row(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        n, b = self.count(a[3]), a[2]
        assert isinstance(b, Num)
        x, y = self.operand(s, a[0], n, "r"), self.operand(s, a[1], n, "a")
        total = Num(x.lo + y.lo * b.lo, x.hi + y.hi * b.hi)
        self.write(s, a[0], n, total.stored(4 * n))
        return [(s, Num(total.lo >> 32 * n, total.hi >> 32 * n), UNSIGNED)]

    def _mp_mul(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        n = self.count(a[3])
        x, y = self.operand(s, a[1], n, "a"), self.operand(s, a[2], n, "b")
        self.write(s, a[0], 2 * n, Product(x.lo * y.lo, x.hi * y.hi, factors=(x, y)))
        return [(s, exactly(0), INT)]

    def _mp_sqr(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        return self._mp_mul(c, s, [a[0], a[1], a[1], a[2]])

    def _ecfit_mp_both_8(
        self, c: Interpreter, s: State, a: list[Content], **_: bool
    ) -> list[Result]:
        return self._mp_mul(c, s, [*a[:3], exactly(8)])

    def _mp_half(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        n, top = self.count(a[2]), a[1]
        assert isinstance(top, Num)
        x = self.number(s, a[0], n).stored(4 * n)
        q = 1 << 32 * n
        self.write(
            s, a[0], n, Num((x.lo + top.lo * q) >> 1, (x.hi + min(top.hi, 1) * q) >> 1, x.tag)
        )
        return [(s, exactly(0), INT)]

    def seen(self, s: State, p: Content, n: int, what: str, *, above: bool) -> Num:
        """A number whose words decide something."""
        v = self.number(s, p, n)
        if n > self.words and n % self.words == 0 and isinstance(p, Ptr):  # several elements
            for i in range(0, n, self.words):
                self.seen(s, p.moved(exactly(i), 4), self.words, what, above=above)
        elif above:
            self.canonical(v, 4 * n, what)
        elif not v.whole(4 * n):
            self.fault(f"{what} reads a number that is negative or too large")
        return v.stored(4 * n)

    def _mp_is_zero(
        self, c: Interpreter, s: State, a: list[Content], *, used: bool, above: bool, **_: bool
    ) -> list[Result]:
        n = self.count(a[1])
        v = self.seen(s, a[0], n, "mp_is_zero", above=above)
        if v.lo > 0 or v.hi == 0 or not used:
            return [(s, exactly(0 if v.lo > 0 else 0xFFFFFFFF), UNSIGNED)]
        if n > self.words + 1:
            return [(s, any_of(4), UNSIGNED)]
        t = s.fork()
        self.refine(s, (a[0], n), v, 0, 0)
        self.refine(t, (a[0], n), v, 1, v.hi)
        return [(s, exactly(0xFFFFFFFF), UNSIGNED), (t, exactly(0), UNSIGNED)]

    def _mp_equal(
        self, c: Interpreter, s: State, a: list[Content], *, above: bool, **_: bool
    ) -> list[Result]:
        for p in a[:2]:
            self.seen(s, p, self.count(a[2]), "mp_equal", above=above)
        return [(s, Num(0, 1), INT)]

    def _mp_bit(
        self, c: Interpreter, s: State, a: list[Content], *, above: bool, **_: bool
    ) -> list[Result]:
        if isinstance(a[0], Ptr) and a[0].off.const is not None and isinstance(a[1], Num):
            v = self.number(s, a[0], self.words)
            if v.const is not None and a[1].const is not None and a[1].const < 32 * self.words:
                return [(s, exactly(v.const >> a[1].const & 1), UNSIGNED)]
            for _off, n, one in s.pieces(a[0].obj, a[0].off.lo, 4):
                if above and isinstance(one, Num):
                    self.canonical(one, n, "mp_bit")
        return [(s, Num(0, 1), UNSIGNED)]

    def _mp_from_bytes(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        size, n = a[2], self.count(a[3])
        most = size.hi if isinstance(size, Num) else 4 * n
        self.write(s, a[0], n, any_of(min(most, 4 * n)))
        return [(s, exactly(0), INT)]

    def _mp_from_little(
        self, c: Interpreter, s: State, a: list[Content], **_: bool
    ) -> list[Result]:
        self.write(s, a[0], self.count(a[2]), any_of(4 * self.count(a[2])))
        return [(s, exactly(0), INT)]

    def _mp_to_bytes(
        self, c: Interpreter, s: State, a: list[Content], *, above: bool, **_: bool
    ) -> list[Result]:
        self.seen(s, a[1], self.words, "mp_to_bytes", above=above)
        return c.forget(s, [(a[0], BYTES)])

    def _mp_to_little(
        self, c: Interpreter, s: State, a: list[Content], *, above: bool, **_: bool
    ) -> list[Result]:
        self.seen(s, a[1], self.count(a[2]), "mp_to_little", above=above)
        return c.forget(s, [(a[0], BYTES)])
