"""Linear relations that samples suggest: each is proved by Z3 before it is used.

All samples of some monomials are a matrix. Its rows with the fewest pivots say which monomials are
sums of the others: a carry that is another one, or the sum of two carries that is a third.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prove.algebra.values import Fact, Mono, Poly, Space, at, plus, times

FIELD = (1 << 127) - 1  # a prime: the elimination is modulo it
MOST_TERMS = 400  # of a product that is told as a fact
MOST = 1 << 66  # coefficients of a relation


def suggested(monos: Sequence[Mono], envs: Sequence[list[int]]) -> list[tuple[Poly, Mono]]:
    """Polynomials that are 0 in all samples, each with the monomial that it says as a sum of some
    before it. None of them is proved.
    """
    columns: list[Mono] = [(), *(m for m in monos if m)]
    basis: list[tuple[int, list[int], list[int]]] = []  # pivot row, values, combination
    found: list[tuple[Poly, Mono]] = []
    if len(columns) >= len(envs):
        return found  # too few samples
    for k, mono in enumerate(columns):
        values = [at({mono: 1}, env) % FIELD for env in envs]
        combination = [0] * len(columns)
        combination[k] = 1
        for pivot, other, made in basis:
            f = values[pivot]
            if f:
                values = [(x - f * y) % FIELD for x, y in zip(values, other, strict=True)]
                combination = [(x - f * y) % FIELD for x, y in zip(combination, made, strict=True)]
        first = next((i for i, x in enumerate(values) if x), None)
        if first is None:
            p = _rational(dict(zip(columns, combination, strict=True)))
            if p and all(at(p, env) == 0 for env in envs):
                found.append((p, mono if abs(p[mono]) == 1 else newest(p)))
            continue
        inverse = pow(values[first], -1, FIELD)
        basis.append(
            (
                first,
                [x * inverse % FIELD for x in values],
                [x * inverse % FIELD for x in combination],
            )
        )
    return found


def _rational(p: Mapping[Mono, int]) -> Poly:
    """The same with small integers as coefficients; nothing where there are none."""
    parts = {m: _fraction(c) for m, c in p.items() if c}
    common = 1
    for part in parts.values():
        if part is None:
            return {}
        if common % part[1]:
            common *= part[1]
    return {m: part[0] * common // part[1] for m, part in parts.items() if part}


def _fraction(x: int) -> tuple[int, int] | None:
    """Numerator and denominator, both small."""
    for d in range(1, 9):
        n = x * d % FIELD
        n = n - FIELD if n > FIELD // 2 else n
        if abs(n) <= MOST:
            return n, d
    return None


def newest(p: Poly) -> Mono:
    """The monomial that a relation is solved for: one of coefficient 1 or -1, the newest."""
    able = [m for m, c in p.items() if m and abs(c) == 1]
    return max(able, key=lambda m: (len(m), m), default=())


def solved(p: Poly, mono: Mono) -> Poly:
    """What a monomial of coefficient 1 or -1 is where p is 0."""
    return times(plus(p, {mono: p[mono]}, -1), -p[mono])


def products(space: Space) -> list[Fact]:
    """Products of variables that stand for polynomials, as the products of those."""
    named = {v for v in space.cuts if not space.bit[v]}
    pairs = {m for p, _, _ in space.facts for m in p if len(m) == 2 and named.issuperset(m)}
    found = list(space.told)
    for u, v in sorted(pairs):
        p = space.multiply(space.cuts[u], space.cuts[v])
        if len(p) <= MOST_TERMS:
            found.append((plus(p, {(u, v): 1}, -1), 0, 0))
    return found
