"""Montgomery's reduction by rows: what is above the last subtraction of m, as one fact.

out R = value + q m + rest, where q is a sum of digits and rest has a few late carries. That is
algebra. So Z3 need not find it: out - rest / R lies between two numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from prove.algebra.values import Fact, Mono, Poly, Space, at, plus, times
from prove.contracts.contract import Goal

MOST = 16  # terms of the rest
ROUNDS = 100  # a row takes a few


def reduced(
    space: Space, out: Poly, goal: Goal, value: Poly, envs: Sequence[list[int]]
) -> Fact | None:
    """out less the rest, with its range; None where the rest is long, or a sample is outside."""
    limits = [(lo, hi) for p, lo, hi in space.given if p == value]
    m, factor = goal.modulus, goal.factor
    if not limits or m is None:
        return None
    left = expanded(space, plus(times(out, factor), value, -1))
    digits = {n: c for n, c in left.items() if _digit(space, n) and c % m == 0}
    rest = plus(left, digits, -1)
    if len(rest) > MOST:
        return None
    low, high = space.range(digits)
    p = plus(times(out, factor), rest, -1)
    common = gcd(*p.values())
    p = {n: c // common for n, c in p.items()}
    lo, hi = -(-(low + limits[0][0]) // common), (high + limits[0][1]) // common
    return (p, lo, hi) if all(lo <= at(p, env) <= hi for env in envs) else None


def late(space: Space, outs: Iterable[Poly], facts: Iterable[Fact]) -> list[Fact]:
    """The facts on the words of the last row, and on what is computed of them."""
    first = min((v for p in outs for m in p for v in m if space.defs[v]), default=0)
    return [f for f in facts if all(v >= first for m in f[0] for v in m)]


def _digit(space: Space, mono: Mono) -> bool:
    return len(mono) == 1 and mono[0] in space.digits


def expanded(space: Space, p: Poly) -> Poly:
    """p without names of words, and without the carries of words that digits clear."""
    for _ in range(ROUNDS):
        before = p
        for zero in reversed(space.zeros):
            last = max((m for m in zero if len(m) == 1 and m[0] not in space.digits), default=())
            if last and p.get(last, 0) % zero[last] == 0:
                p = plus(p, zero, -(p.get(last, 0) // zero[last]))
        rules = {v: space.cuts[v] for m in p for v in m if v in space.cuts and not space.bit[v]}
        p = space.substitute(p, rules)
        if p == before:
            break
    return p
