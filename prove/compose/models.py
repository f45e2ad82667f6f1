"""What the check knows of functions without running them: those of the field, and routines in
assembly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from prove.compose.numbers import Numbers, Product
from prove.contracts.banner import Unread, contracts, prime
from prove.contracts.contract import Contract, Goal
from prove.contracts.expression import Term
from prove.intervals.ctypes import INT, UNSIGNED
from prove.intervals.domain import Content, Num, Ptr, State, Unknown, any_of, exactly
from prove.intervals.expressions import Result, Typed
from prove.intervals.interpreter import Interpreter

BELOW = ("mp", "field", "")  # layers that see the words of elements
TAGGED = re.compile(r"_fe_(mul|sqr|add|sub|set|from|in|one|negate|inv|pow|sqrt|redc|whole|out)")
SAMES = {"mp_mul_rows": "mp_mul", "mp_sqr_own": "mp_sqr", "ecfit_mp_lookup_words": "mp_lookup",
         "mod_mul_rows": "mod_mul"}  # fmt: skip

ENTRIES = ("ecfit_p25519_edwards_take_var", "ecfit_p25519_edwards_look_up",
           "ecfit_p25519_edwards_look_up_digits")  # fmt: skip


class Model(Numbers):
    """`faults`: calls that do not keep a contract. `calls`: those into mp and field."""

    def __init__(self, backend: str, p: int, layers: dict[str, str]) -> None:
        self.backend, self.p, self.layers = backend, p, layers
        self.words = 2 * -(-p.bit_length() // 64)  # of 64 bits whole ones
        self.faults: dict[str, str] = {}
        self.calls: dict[tuple[str, str], int] = {}
        self.assembly: Any = None  # runs formulas (prove.compose.routines)
        self.assumed: set[str] = set()
        self.relied: set[str] = set()  # routines whose contracts were used
        self.where = ""

    # the interpreter asks
    def call(
        self, c: Interpreter, s: State, name: str, args: list[Typed], how: tuple[bool, str]
    ) -> list[Result] | None:
        """The results of a function that is modelled; None of another."""
        caller, (used, where) = c.frames[-1].name, how
        above = self.layers.get(caller) not in BELOW
        outer, self.where = self.where, f"{where} calls {name}" if above else self.where
        mine = self.layers.get(name)
        if above and (mine in ("mp", "field") or name.startswith("ecfit_")):
            self.calls[where, name] = self.calls.get((where, name), 0) + 1
        known: Callable[..., list[Result]] | None = getattr(self, "_" + SAMES.get(name, name), None)
        values = [v for v, _ in args]
        if name.endswith("fe_lower_alone") and isinstance(values[0], Ptr):
            return self._back(outer, self._lower(c, s, name, args, values[0]))
        if name in ENTRIES:
            return self._back(outer, self._entry(s, name, values))
        if known is not None and name.startswith(("mp_", "ecfit_mp_", "mod_", "ecfit_mod_")):
            return self._back(outer, known(c, s, values, used=used, above=above))
        if name.endswith("_fe_redc") and c.unit.curve.startswith("secp"):
            return self._back(outer, self._fe_redc(s, values))
        if name == "mod_inv" and "fermat" not in str(c.unit.functions[name].coord):
            return self._back(outer, self._inverse(c, s, values))
        if name.startswith("ecfit_") and name not in c.unit.functions:
            return self._back(outer, self._routine(c, s, name, values))
        return None

    def _back(self, outer: str, found: list[Result]) -> list[Result]:
        self.where = outer
        return found

    def after(
        self, c: Interpreter, name: str, args: list[Typed], found: list[Result]
    ) -> list[Result]:
        """What a function of the field returns stands for a residue."""
        if self.layers.get(name, "field") == "field" and TAGGED.search(name):
            place = next(
                (v for v, _ in args if isinstance(v, Ptr) and v.off.const is not None), None
            )
            for s, _, _ in found:
                if place is not None:
                    v = self.number(s, place, self.words)
                    s.write(
                        place.obj, place.off.lo, 4 * self.words, Num(v.lo, v.hi, self.p, v.step)
                    )
        if self.layers.get(c.frames[-1].name) not in BELOW:
            self.where = ""
        return found

    def watch(self, c: Interpreter, s: State, p: Ptr, size: int) -> None:
        """A word of an element is read outside of the field: it must be below p."""
        if size > 4 or self.layers.get(c.frames[-1].name) in BELOW or not isinstance(p, Ptr):
            return
        for _, n, v in s.pieces(p.obj, p.off.lo, size):
            if n > 4 and isinstance(v, Num):
                self.canonical(v, n, c.frames[-1].name)

    # field: what its comments promise
    def modulus(self, c: Interpreter, s: State, m: Content) -> tuple[int, int]:
        """m and its words, of a pointer to a record."""
        if not isinstance(m, Ptr):
            raise Unknown("a modulus that is not known")
        where, limbs = s.read(m.obj, m.off.lo, 4), s.read(m.obj, m.off.lo + 12, 4)
        n = self.count(limbs)
        v = self.number(s, where, n)
        if v.const is None:
            raise Unknown("a modulus that is not known")
        return v.const, n

    def _mod_mul(self, c: Interpreter, s: State, a: list[Content], **_: bool) -> list[Result]:
        m, n = self.modulus(c, s, a[3])
        x, y = self.operand(s, a[1], n, "a"), self.operand(s, a[2], n, "b")
        if min(x.hi, y.hi) >= m:
            self.fault(f"neither operand of a product is below the modulus {m:#x}")
        self.write(s, a[0], n, Num(least((x, y), m), m - 1, m))
        return [(s, exactly(0), INT)]

    _ecfit_mod_mul = _ecfit_mod_rows_mul_8 = _mod_mul

    def _ecfit_mod_redc(
        self, c: Interpreter, s: State, a: list[Content], **_: bool
    ) -> list[Result]:
        n = self.count(a[3])
        m, t = self.number(s, a[1], n), self.operand(s, a[0], 2 * n, "t")
        if m.const is None or t.hi >= m.const << 32 * n:
            self.fault("t is not below m R")
        assert isinstance(a[0], Ptr)
        found: list[Result] = []
        top, q = (t.hi + ((1 << 32 * n) - 1) * m.hi) >> 32 * n, 1 << 32 * n
        ranges = [(0, min(top, q - 1)), (q, top)]
        if isinstance(t, Product) and least(t.factors, m.hi):  # neither 0 nor m
            ranges = [(1, m.hi - 1), (m.hi + 1, min(top, q - 1)), (q, top)]
        for lo, hi in ranges:
            if lo <= hi:
                u = s.fork()
                self.write(u, a[0].moved(exactly(n), 4), n, Num(lo, hi, m.hi))
                found.append((u, exactly(lo // q), UNSIGNED))
        return found

    def _ecfit_mod_once_8(
        self, c: Interpreter, s: State, a: list[Content], **_: bool
    ) -> list[Result]:
        m, t = self.number(s, a[3], 8), self.number(s, a[1], 8)
        if t.hi >= 2 * m.lo or t.lo < 0:
            self.fault("t is not below 2m")
        self.write(s, a[0], 8, Num(0, m.hi - 1, m.hi))
        return [(s, exactly(0), INT)]

    def _ecfit_mp_lookup_16(
        self, c: Interpreter, s: State, a: list[Content], **_: bool
    ) -> list[Result]:
        if self.count(a[4]) != 16:
            self.fault("ecfit_mp_lookup_16 takes entries of 16 words")
        return self._mp_lookup(c, s, a)

    def _fe_redc(self, s: State, a: list[Content]) -> list[Result]:
        """A reduction in C: r below p, of t below p R."""
        t = self.operand(s, a[1], 2 * self.words, "t")
        if t.hi >= self.p << 32 * self.words:
            self.fault("t is not below p R")
        self.write(s, a[0], self.words, Num(0, self.p - 1, self.p))
        return [(s, exactly(0), INT)]

    def _inverse(self, c: Interpreter, s: State, a: list[Content]) -> list[Result]:
        m, n = self.modulus(c, s, a[2])
        x = self.operand(s, a[1], n, "a")
        if x.hi >= m:
            self.fault("an inverse of a number that is not below the modulus")
        self.write(s, a[0], n, Num(least((x,), m), m - 1, m))
        return [(s, exactly(0), INT)]

    def _lower(
        self, c: Interpreter, s: State, name: str, args: list[Typed], r: Ptr
    ) -> list[Result]:
        """The function that asks for bit 255: run on ranges in each of which bits are known."""
        v, top = self.operand(s, r, 8, "r"), 1 << 256
        if v.hi >= 2 * self.p:
            self.fault(f"{name} takes p away once, and r may be {v.hi:#x}")
        ends = [0, (top >> 1) - (1 << 224), self.p, top >> 1, top - (1 << 224) - 19, v.hi + 1]
        found: list[Result] = []
        for lo, hi in pairwise(ends):
            lo, hi = max(lo, v.lo), min(hi - 1, v.hi)  # noqa: PLW2901
            if lo <= hi:
                t = s.fork()
                t.write(r.obj, r.off.lo, 32, Num(lo, hi, v.tag))
                found += self.after(c, name.replace("lower", "out"), args, c.run(t, name, args))
        return found

    # routines in assembly
    def _entry(self, s: State, name: str, a: list[Content]) -> list[Result]:
        """An entry (y - x)/2, (y + x)/2, dxy of a table, or its opposite."""
        r, table = a[0], a[1]
        assert isinstance(r, Ptr) and isinstance(table, Ptr)
        count = {"r": 1, "s": 8}.get(name[-1], 16)
        count = a[3].hi if name.endswith("look_up") and isinstance(a[3], Num) else count
        found: list[Num] = []
        for i in range(3):
            at = table.moved(Num(0, count - 1), 96).moved(exactly(i), 32)
            found.append(self.number(s, at if count > 1 else table.moved(exactly(i), 32), 8))
        third, twice = found[2], (1 << 256) - 38
        if third.hi > twice or not third.whole(32):
            self.fault(f"dxy is not below 2^256 - 37, as {name} asks for")
        both = found[0].join(found[1])
        for i, v in enumerate((both, both, third.join(Num(twice - third.hi, twice - third.lo)))):
            self.write(s, r.moved(exactly(i), 32), 8, Num(v.lo, v.hi, self.p))
        return [(s, exactly(0), INT)]

    def _routine(self, c: Interpreter, s: State, name: str, a: list[Content]) -> list[Result]:
        try:
            wanted = contracts(self.backend, name)
        except (Unread, ValueError, AssertionError):
            return self.assembly.call(c, s, name, a)  # type: ignore[no-any-return]
        first = 10 if self.backend == "rv32im" else 0
        places = {o: a[n - first] for n, o in wanted[0].arguments.items()}
        fits = [w for w in wanted if self._is_of(s, w, places)]
        if not fits:
            self.fault(f"{name} has no contract for this modulus")
            fits = wanted
        self.relied.add(name)
        contract = fits[0]
        known = {}
        for o, operand in contract.operands.items():
            if operand.number is not None or o not in places:
                continue
            if all(o != n for g in contract.goals for n in g.value.names()):
                continue
            at = next(n for n, one in contract.arguments.items() if one == o) - first
            v = self.known(name, at, self.operand(s, places[o], operand.words, o))
            known[o] = v
            if not operand.least <= v.lo or v.hi >= operand.bound:
                self.fault(
                    f"operand {o} may be {v.hi if v.hi >= operand.bound else v.lo:#x}, "
                    f"and {name} asks for less than {operand.bound:#x} and {operand.least} at least"
                )
        for goal in contract.goals:
            if goal.place:
                self.write(s, places[goal.place], goal.words, outcome(contract, goal, known))
        return [(s, any_of(4), UNSIGNED)]

    def _is_of(self, s: State, w: Contract, places: dict[str, Content]) -> bool:
        m = w.operands.get("m")
        return (
            m is None or m.number is None or self.number(s, places["m"], m.words).const == m.number
        )


def outcome(contract: Contract, goal: Goal, known: dict[str, Num]) -> Num:
    """What a result lies between, and what it stands for."""
    tag = goal.modulus or prime(contract.name) or 0
    tag = prime(contract.name) or tag
    top = (1 << 32 * goal.words) - 1
    if goal.bound is not None:
        factors = factors_of(goal.value, known)
        return Num(least(factors, tag) if factors else 0, goal.bound - 1, tag)
    if goal.modulus is None and goal.factor == 1:
        v = interval(goal.value, known)
        if v is not None and v.lo >= 0 and v.hi <= top:
            return Num(v.lo, v.hi, tag)
    return Num(0, top, tag)


def least(factors: Sequence[Num], m: int) -> int:
    """A product modulo a prime is not 0, if no factor is."""
    return int(all(0 < v.lo <= v.hi < m for v in factors))


def factors_of(term: Term, known: dict[str, Num]) -> list[Num]:
    """Of a product of operands; none of another term."""
    if term.op == "var":
        return [known[term.name]] if term.name in known else []
    if term.op != "mul":
        return []
    parts = [factors_of(p, known) for p in term.parts]
    return [v for part in parts for v in part] if all(parts) else []


def interval(term: Term, known: dict[str, Num]) -> Num | None:
    """What an expression lies between."""
    if term.op == "num":
        return exactly(term.value)
    if term.op == "var":
        return known.get(term.name)
    if term.op == "choice":
        yes, no = (interval(p, known) for p in term.parts[1:])
        return yes.join(no) if yes and no else None
    if term.op not in ("add", "sub", "mul"):
        return None
    parts: Sequence[Num | None] = [interval(p, known) for p in term.parts]
    x, y = parts
    if x is None or y is None:
        return None
    if term.op == "mul":
        ends = [i * j for i in (x.lo, x.hi) for j in (y.lo, y.hi)]
        return Num(min(ends), max(ends))
    if term.op == "add":
        return Num(x.lo + y.lo, x.hi + y.hi)
    return Num(x.lo - y.hi, x.hi - y.lo)
