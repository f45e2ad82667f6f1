"""Linear facts about a run, in z3's exact rational arithmetic: products of variables are variables
of their own, tied to their factors where one of those is a bit.

The limit of a question is in units of z3's own count of its work, not in seconds. So a proof ends
in the same way on each machine, whatever else it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import z3

from prove.algebra.values import Fact, Mono, Poly, Refused, Space, at

FEW = 8  # values of a variable that are told one by one
UNITS = 300_000  # of z3's count for what is called a second: a slow core does about so many
GUARD = 600  # real seconds after which a question ends the proof


class Late(Refused):
    """The proof took too long by the clock; it may go through on another day."""


class Solver:
    """Facts of a space, and questions."""

    def __init__(self, space: Space, facts: Iterable[Fact], seconds: float) -> None:
        self.space = space
        self.context = z3.Context()  # what was asked before in this process has no effect
        self.solver = z3.SolverFor("QF_LRA", ctx=self.context)
        self.monomials: dict[Mono, Any] = {}
        self.seen: dict[tuple[frozenset[tuple[Mono, int]], int, int], None] = {}
        self.queries, self.spent = 0, 0
        self.units = int(UNITS * seconds)
        self.solver.set("rlimit", self.units)
        self.solver.set("timeout", 1000 * GUARD)
        for fact in facts:
            self.add(*fact)

    def monomial(self, mono: Mono) -> Any:
        """The unknown for a product of variables."""
        found = self.monomials.get(mono)
        if found is not None:
            return found
        x = z3.Real("m" + "_".join(map(str, mono)), self.context)
        self.monomials[mono] = x
        s = self.space
        bits = [v for v in mono if s.bit[v]]
        lo, hi = s.mono_range(mono)
        if len(mono) == 1 and hi - lo <= FEW:
            self.solver.add(z3.Or([x == k for k in range(lo, hi + 1)]))
            return x
        self.solver.add(x >= lo, x <= hi)
        if bits and len(mono) > 1:
            rest = list(mono)
            rest.remove(bits[0])
            other, bit = self.monomial(tuple(rest)), self.monomial((bits[0],))
            self.solver.add(z3.Implies(bit == 0, x == 0), z3.Implies(bit == 1, x == other))
        return x

    def linear(self, p: Poly) -> Any:
        """A polynomial, as a sum of unknowns."""
        terms = [self._number(c) * self.monomial(m) if m else self._number(c) for m, c in p.items()]
        return z3.Sum(terms) if terms else self._number(0)

    def _number(self, c: int) -> Any:
        return z3.RealVal(c, self.context)

    def add(self, p: Poly, lo: int, hi: int) -> None:
        """lo <= p <= hi is a fact."""
        key = (frozenset(p.items()), lo, hi)
        if key not in self.seen:
            self.seen[key] = None
            e = self.linear(p)
            self.solver.add(e >= lo, e <= hi)

    def holds(self, p: Poly, lo: int | None, hi: int | None) -> bool:
        """Whether lo <= p <= hi follows (None: no such end)."""
        e = self.linear(p)
        outside = [] if lo is None else [e <= lo - 1]
        outside += [] if hi is None else [e >= hi + 1]
        return self.impossible(z3.Or(outside))

    def impossible(self, *claims: Any) -> bool:
        """Whether no values have the facts and these claims."""
        self.solver.push()
        self.solver.add(*claims)
        before = self._count()
        answer = self.solver.check()
        why = self.solver.reason_unknown() if answer == z3.unknown else ""
        spent = self._count() - before
        self.spent += spent
        self.solver.pop()
        self.queries += 1
        if why in ("timeout", "canceled") and spent < self.units:
            raise Late(f"a question to the solver took {GUARD} seconds")
        return bool(answer == z3.unsat)

    def _count(self) -> int:
        """What z3 counts."""
        counts = self.solver.statistics()
        return sum(int(counts[i][1]) for i in range(len(counts)) if counts[i][0] == "rlimit count")


class Folded(Solver):
    """What is said of variables from `first` on, by facts in which products occur only together,
    as those of a column: their sum is one unknown, of which its range is known. So many facts of
    many terms become few of few. What it does not show, a solver that knows all may.
    """

    def __init__(self, space: Space, facts: Sequence[Fact], first: int, seconds: float) -> None:
        self.group: dict[Mono, int] = {}
        self.members: list[frozenset[Mono]] = []
        about = [f for f in facts if any(v >= first for m in f[0] for v in m)]
        places: dict[Mono, list[tuple[int, int]]] = {}
        for number, (p, _, _) in enumerate(about):
            for mono, c in p.items():
                if len(mono) > 1:
                    places.setdefault(mono, []).append((number, c))
        together: dict[tuple[tuple[int, int], ...], list[Mono]] = {}
        for mono, where in places.items():
            together.setdefault(tuple(where), []).append(mono)
        for monos in together.values():
            self.group |= dict.fromkeys(monos, len(self.members))
            self.members.append(frozenset(monos))
        super().__init__(space, facts, seconds)

    def folded(self, p: Poly) -> Poly | None:
        """p with an unknown for each group; None where it has a part of one."""
        q: Poly = {}
        parts: dict[int, Poly] = {}
        for mono, c in p.items():
            number = self.group.get(mono)
            if number is not None:
                parts.setdefault(number, {})[mono] = c
            elif len(mono) > 1:
                return None
            else:
                q[mono] = c
        for number, part in parts.items():
            if part.keys() != self.members[number] or len(set(part.values())) > 1:
                return None
            q[-1 - number,] = next(iter(part.values()))
        return q

    def monomial(self, mono: Mono) -> Any:
        """The unknown for a variable, or for a group, whose number is below 0."""
        if not mono or mono[0] >= 0 or mono in self.monomials:
            return super().monomial(mono)
        x = self.monomials[mono] = z3.Real(f"s{-mono[0]}", self.context)
        ranges = [self.space.mono_range(member) for member in self.members[-1 - mono[0]]]
        self.solver.add(x >= sum(lo for lo, _ in ranges), x <= sum(hi for _, hi in ranges))
        return x

    def add(self, p: Poly, lo: int, hi: int) -> None:
        """A fact, if its products are whole groups."""
        q = self.folded(p)
        if q is not None:
            super().add(q, lo, hi)

    def holds(self, p: Poly, lo: int | None, hi: int | None) -> bool:
        """Whether lo <= p <= hi follows from these facts."""
        q = self.folded(p)
        return q is not None and super().holds(q, lo, hi)


def pair(
    space: Space, simple: Iterable[Fact], facts: Iterable[Fact], seconds: float
) -> tuple[Solver, Solver]:
    """One that knows simple facts, with short questions, and one that knows all."""
    return Solver(space, simple, min(5, seconds)), Solver(space, facts, seconds)


def check(space: Space, facts: Iterable[Fact], envs: Iterable[Sequence[int]]) -> None:
    """All facts, and the ranges of variables and sums, hold in samples. Errors: Refused."""
    told: list[Fact] = [({(v,): 1}, lo, space.hi[v]) for v, lo in enumerate(space.lo)]
    told += [(dict(key), lo, hi) for key, (lo, hi) in space.sums.items()]
    told += [(dict(key), 0, (1 << k) - 1) for key, k in space.width.items()]
    told += [*facts, *space.products]
    for env in envs:
        if any(not lo <= at(p, env) <= hi for p, lo, hi in told):
            raise Refused("a fact of the prover does not hold: the prover is wrong")
