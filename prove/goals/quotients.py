"""Montgomery's reduction: what is above the last subtraction of m, as one fact.

out R = value + q m + rest, where q is a sum of digits and rest has a few late carries. That is
algebra. So Z3 need not find it: by rows, out - rest / R lies between two numbers; where the digits
are columns themselves, so does rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from prove.algebra.values import Fact, Mono, Poly, Space, Value, at, plus, times
from prove.contracts.contract import Goal

MOST = 16  # terms of the rest
WORD, MOST_WORDS = 32, 64  # bits of a word; words of a quotient
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


def between(space: Space, out: Value, left: Poly, goal: Goal, value: Poly) -> Fact | None:
    """The rest, with its range, for left = out R - value; None where it is long."""
    if goal.modulus is None:
        return None
    left = _without_cuts(space, left)
    multiple = {n: c // goal.modulus for n, c in left.items() if c % goal.modulus == 0}
    late, most = _words(space, multiple)
    rest = {n: c for n, c in left.items() if n not in multiple}
    rest = plus(rest, late, goal.modulus)
    if not rest or len(rest) > MOST:
        return None
    low, high = space.range(value)
    high += most * goal.modulus
    common = gcd(*rest.values())
    above, below = out.hi * goal.factor - low, out.lo * goal.factor - high
    return {n: c // common for n, c in rest.items()}, -(-below // common), above // common


def _words(space: Space, q: Poly) -> tuple[Poly, int]:
    """q less a sum of words at places, each a polynomial that is known to be one; the most that
    this sum is.
    """
    words = [(_without_cuts(space, dict(key)), k) for key, k in space.width.items() if k <= WORD]
    most = 0
    for _ in range(MOST_WORDS):
        if not q:
            break
        at_bit = _zeros(q)
        less = [(plus(q, word, -1 << at_bit), k) for word, k in words]
        rest, k = max(less, key=lambda one: _zeros(one[0]), default=(q, 0))
        if _zeros(rest) <= at_bit:
            break
        q, most = rest, most + ((1 << k) - 1 << at_bit)
    return q, most


def _zeros(p: Poly) -> int:
    """At the lower end of all coefficients; many, if there are none."""
    return min(((c & -c).bit_length() - 1 for c in p.values()), default=1 << WORD)


def _without_cuts(space: Space, p: Poly) -> Poly:
    """p without names of polynomials."""
    while rules := {v: space.cuts[v] for n in p for v in n if v in space.cuts}:
        p = space.substitute(p, rules)
    return p


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
