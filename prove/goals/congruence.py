"""What is proved of a run: congruence of each result with what the banner computes, and its bound.

The congruence is algebra: out * R - value, with what cancels modulo p gone, leaves a few terms in
carries. Samples suggest which carries are constant or equal; each suggestion is proved before it
is used. What is left is proved by cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from prove.algebra.relations import solved, suggested
from prove.algebra.solver import UNITS, Folded, Late, Solver
from prove.algebra.values import Mono, Poly, Refused, at, modulo, plus, times, whole
from prove.contracts.contract import Goal
from prove.goals.quotients import between, expanded, reduced
from prove.goals.states import State

SAMPLES, SEED = 200, 1
FOLDED = 5.0  # what is called seconds, for a question to fewer facts
MANY = 600  # facts: up to so many, the solver that knows all answers in seconds
BUDGET = 200.0  # what is called seconds (prove.algebra.solver), for one goal of one aliasing
MOST_COLUMNS = 300  # of the matrix of all variables
MOST_BITS = 16  # of a residue whose cases are tried


class Wrong(Refused):
    """A counterexample."""


class Proof:
    """One goal of one run."""

    def __init__(
        self, state: State, goal: Goal, envs: Sequence[list[int]], solvers: tuple[Solver, Solver]
    ) -> None:
        self.state, self.space, self.goal, self.envs = state, state.space, goal, envs
        self.linear, self.full = solvers
        self.folded: Folded | None = None
        words = state.outputs(goal)
        self.words = words
        self.out = whole(words)
        self.value = goal.value.poly(self.space, state.known)
        left = plus(times(self.out.p, goal.factor), self.value, -1)
        space = self.space
        zeros: dict[int, Poly] = {v: {} for v, hi in enumerate(space.hi) if space.lo[v] == hi == 0}
        self.left = space.substitute(left, zeros)  # as a word above an operand's bound
        self.facts: list[str] = []

    def refute(self, inputs: Sequence[Mapping[str, int]]) -> None:
        """Samples that break the goal end the proof."""
        for env, values in zip(self.envs, inputs, strict=True):
            out = at(self.out.p, env)
            if not self.goal.fits(out, at(self.value, env)):
                shown = ", ".join(f"{o} = {x:#x}" for o, x in values.items())
                raise Wrong(f"counterexample: {shown} gives {out:#x}")

    def bound(self) -> None:
        """out is below its bound, and the quotient below its own."""
        most = self.goal.most
        if most is not None:
            added = self.space.without_zeros(self.left)
            lo, hi = self.space.range(added)
            if (lo < 0 or hi > most) and not self._follows(added, 0, most):
                raise Refused("the quotient of the result is not proved")
        bound = self.goal.bound
        if bound is None or self.out.hi < bound:
            return
        if not self._follows(self.out.p, None, bound - 1):
            raise Refused("the bound of the result is not proved")
        self.facts.append(f"the result is below {bound:#x}: by {len(self.full.seen)} linear facts")

    def congruence(self) -> None:
        """out * factor = value, modulo the modulus."""
        if self.space.digits:
            self._told()
        named = self.state.run.named
        left = expanded(self.space, self.left) if named else self.space.without_zeros(self.left)
        left = self._expanded(modulo(left, self.goal.modulus))
        self.facts.append(f"after substitution {len(left)} terms are left")
        computed = [v for mono in left for v in mono if self.space.defs[v] is not None]
        if computed and len(self.full.seen) > MANY:
            facts = [(dict(terms), lo, hi) for terms, lo, hi in self.full.seen]
            self.folded = Folded(self.space, facts, min(computed), FOLDED)
        steps = [self._constants, self._equals, self._related, self._sums, self._inverted]
        if self.folded is not None:  # each question takes seconds, and few sums often are enough
            steps.insert(0, self._sums)
        for step in steps:
            if self._vanishes(left):
                return
            left = modulo(step(left), self.goal.modulus)
        if not self._vanishes(left):
            left = modulo(self._bounded(left), self.goal.modulus)
        if not self._vanishes(left):
            self._cases(left)

    def _bounded(self, left: Poly) -> Poly:
        """What is left by its range, where the quotient is a sum of words."""
        fact = between(self.space, self.out, self.left, self.goal, self.value)
        if fact is None:
            return left
        self.linear.add(*fact)
        self._learn(*fact)
        self.facts.append(f"the range of {len(fact[0])} terms, by words of the quotient")
        return self._related(left)

    def _told(self) -> None:
        """The solvers know what the result of a reduction by digits lies between."""
        fact = reduced(self.space, self.out.p, self.goal, self.value, self.envs)
        if fact is not None:
            self.linear.add(*fact)
            self.full.add(*fact)

    def _vanishes(self, left: Poly) -> bool:
        if not left:
            return True
        if self.goal.modulus is not None or self.goal.top:
            return False
        size = 1 << 32 * len(self.words)  # both are from 0 to below it
        lo, hi = self.space.range(self.value)
        fits = lo >= 0 and hi < size and self.out.lo >= 0 and self.out.hi < size
        return fits and all(c % size == 0 for c in left.values())

    def _expanded(self, left: Poly) -> Poly:
        """Variables that stand for polynomials, and halves, replaced."""
        s, m = self.space, self.goal.modulus
        kept: set[int] = set()
        for _ in range(60):
            if m and m % 2:
                half = pow(2, -1, m)
                rules = {}
                for v in {v for mono in left for v in mono if v in s.halves}:
                    q, b = s.halves[v]
                    rules[v] = times(plus(q, {(b,): 1}, -1), half)
                    kept.add(b)
                left = modulo(s.substitute(left, rules), m)
            rules = {
                v: s.residues[v][1]
                for mono in left
                for v in mono
                if v in s.residues and s.residues[v][0] == m
            }
            left = modulo(s.substitute(left, rules), m)
            rules = {v: s.cuts[v] for mono in left for v in mono if v in s.cuts and v not in kept}
            left = modulo(s.substitute(left, rules), m)
            again = any(v in s.cuts and v not in kept for mono in left for v in mono)
            halved = m and m % 2 and any(v in s.halves for mono in left for v in mono)
            again = again or bool(rules)
            if not again and not halved:
                return left
        return left

    def _shown(self, p: Poly, lo: int, hi: int) -> bool:
        """Proved: lo <= p <= hi."""
        self._in_time()
        return self.linear.holds(p, lo, hi) or self._follows(p, lo, hi)

    def _follows(self, p: Poly, lo: int | None, hi: int | None) -> bool:
        """The same, by more than the simple facts."""
        if self.folded is not None and self.folded.holds(p, lo, hi):
            return True
        return self.full.holds(p, lo, hi)

    def _learn(self, p: Poly, lo: int, hi: int) -> None:
        """lo <= p <= hi is proved."""
        self.full.add(p, lo, hi)
        if self.folded is not None:
            self.folded.add(p, lo, hi)

    def _in_time(self) -> None:
        solvers = [self.linear, self.full, *([self.folded] if self.folded else [])]
        if sum(solver.spent for solver in solvers) > BUDGET * UNITS:
            raise Refused("the congruence is not proved within its budget")

    def _constants(self, left: Poly) -> Poly:
        """Variables that are one number in all samples."""
        rules: dict[int, Poly] = {}
        for v in sorted({v for mono in left for v in mono if self.space.defs[v] is not None}):
            seen = {env[v] for env in self.envs}
            if len(seen) == 1:
                (x,) = seen
                if self._shown({(v,): 1}, x, x):
                    rules[v] = {(): x} if x else {}
                    self._learn({(v,): 1}, x, x)
                    self.facts.append(f"{self.space.names[v]} = {x}")
        return self.space.substitute(left, rules)

    def _equals(self, left: Poly) -> Poly:
        """Bits that are another one, or its opposite: of those that are alike in all samples, the
        last one or the first.
        """
        alike: dict[tuple[int, ...], list[int]] = {}
        rules: dict[int, Poly] = {}
        for v in sorted({v for mono in left for v in mono if self.space.bit[v]}):
            mine = tuple(env[v] for env in self.envs)
            others = [(u, False) for u in alike.get(mine, [])]
            others += [(u, True) for u in alike.get(tuple(1 - x for x in mine), [])]
            for u, opposite in sorted({min(others), max(others)}, reverse=True) if others else ():
                p: Poly = {(v,): 1, (u,): 1 if opposite else -1}
                if self._shown(p, int(opposite), int(opposite)):
                    rules[v] = {(): 1, (u,): -1} if opposite else {(u,): 1}
                    self._learn(p, int(opposite), int(opposite))
                    sign = "1 - " if opposite else ""
                    self.facts.append(f"{self.space.names[v]} = {sign}{self.space.names[u]}")
                    break
            else:
                alike.setdefault(mine, []).append(v)
        return self.space.substitute(left, rules)

    def _inverted(self, left: Poly) -> Poly:
        """Variables that are sums of later ones, such as a word by the digit that clears it."""
        s = self.space
        variables = [v for v in range(len(s.names)) if v not in s.cuts and s.defs[v] is not None]
        inputs = sorted({v for m in left for v in m if s.defs[v] is None})
        columns: list[Mono] = [(v,) for v in (*reversed(variables), *inputs)]
        columns += [m for m in left if len(m) > 1]
        if len(columns) > MOST_COLUMNS:
            return left
        return self._by(suggested(columns, self.envs), left)

    def _related(self, left: Poly) -> Poly:
        """Monomials that are sums of others."""
        return self._by(suggested(sorted(left, key=lambda m: (len(m), m)), self.envs), left)

    def _by(self, relations: Sequence[tuple[Poly, Mono]], left: Poly) -> Poly:
        """`left` by relations that are proved."""
        s = self.space
        single = {m[0]: p for p, m in relations if len(m) == 1}
        for p, mono in relations:
            if not mono or mono not in left or not self._zero(p, single):
                continue
            self._learn(p, 0, 0)
            self.facts.append(f"{len(p)} terms are 0")
            if len(mono) == 1:
                left = s.substitute(left, {mono[0]: solved(p, mono)})
            else:
                left = plus(left, p, -left[mono] * p[mono])
        return left

    def _zero(self, p: Poly, single: Mapping[int, Poly]) -> bool:
        """Proved: p = 0. The last digit by what it is modulo 2^32 may leave a multiple of 2^32."""
        s = self.space
        last = max((v for m in p for v in m if v in s.digits), default=-1)
        if last < 0:
            return self._shown(p, 0, 0)
        q = s.substitute(p, {last: s.digits[last]})
        for v in sorted({v for m in q for v in m if s.bit[v] and v in single}):
            if self._shown(single[v], 0, 0):
                q = s.substitute(q, {v: solved(single[v], (v,))})
        common = gcd(*q.values()) if q else 0
        return not q or (common > 1 and self._shown({m: c // common for m, c in q.items()}, 0, 0))

    def _sums(self, left: Poly) -> Poly:
        """Sums of the terms of one coefficient that are one number, or sums of other such sums."""
        groups: dict[int, Poly] = {}
        for mono, c in left.items():
            if mono:
                groups.setdefault(abs(c), {})[mono] = 1 if c > 0 else -1
        sums = list(groups.items())
        envs = [[at(p, env) for _, p in sums] for env in self.envs]
        for relation, mono in suggested([(i,) for i in range(len(sums))], envs):
            p: Poly = {}
            for m, c in relation.items():
                p = plus(p, sums[m[0]][1] if m else {(): 1}, c)
            if mono and self._shown(p, 0, 0):
                left = plus(left, p, -sums[mono[0]][0] * relation[mono])
                self._learn(p, 0, 0)
                self.facts.append(f"a sum of {len(p)} terms = 0")
        return left

    def _cases(self, left: Poly) -> None:
        """By all values of the variables that are left."""
        s = self.space
        variables = sorted({v for mono in left for v in mono})
        small = all(s.hi[v] - s.lo[v] <= 4 for v in variables)
        if not small or len(variables) > MOST_BITS:
            names = [s.names[v] for v in variables][:8]
            raise Refused(f"the congruence is not proved: {len(left)} terms are left, in {names}")
        self.facts.append(f"{len(variables)} variables by cases")
        scopes = self.full.solver.num_scopes()
        try:
            self._case(left, variables, self.envs)
        except Late:
            raise
        except Refused:
            self.full.solver.pop(self.full.solver.num_scopes() - scopes)
            self._more()
            self._case(left, variables, self.envs)

    def _more(self) -> None:
        """What products of long factors lie between, as facts. Errors: Refused, if there are none.

        They make all else slower, so they come last.
        """
        if not self.space.products:
            raise Refused("the congruence is not proved in one case of its carries")
        for fact in self.space.products:
            self.full.add(*fact)
        self.facts.append(f"with what {len(self.space.products)} products lie between")

    def _case(self, left: Poly, rest: list[int], envs: Sequence[list[int]]) -> None:
        """All values of the rest; a case with samples, `envs`, need not be asked about."""
        solver = self.full
        if not left or (not envs and solver.impossible()):
            return
        if not rest:
            raise Refused("the congruence is not proved in one case of its carries")
        self._in_time()
        v = rest[0]
        for x in range(self.space.lo[v], self.space.hi[v] + 1):
            solver.solver.push()
            solver.solver.add(solver.monomial((v,)) == x)
            fixed = self.space.substitute(left, {v: {(): x} if x else {}})
            some = [env for env in envs if env[v] == x]
            self._case(modulo(fixed, self.goal.modulus), rest[1:], some)
            solver.solver.pop()
