"""Inversion by divsteps: what the banners of its three routines say, and the specification.

A divstep [BY19] takes delta and the numbers f and g, f odd. With zeta = -(delta + 1/2), where zeta
is negative and g is odd, it leaves -zeta - 2, g, (g - f)/2. Else it leaves zeta - 1, f, and
(g + f)/2 or g/2, whichever is an integer. After S steps f and g are T (f, g)/2^S. The matrix T of
(u, v) and (q, r) begins with (1, 0) and (0, 1).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import z3

from prove.algebra.polynomials import Refused
from prove.contracts.banner import Unread
from prove.contracts.sources import banners

ZETA = 1 << 30  # the most that zeta is, or its opposite
MOST_WORDS = 17  # of a modulus: those of P-521
MATRIX = "absolute values in a row of T sum up to 2^{s} at most"
LIMBS = "limbs not negative but for the highest"
KINDS = {
    "steps": "(int32_t *t, mp_word f, mp_word g, mp_word zeta) "
    "t = the matrix of {s} divsteps from the low limbs f and g, 4 words; returns zeta after them: "
    "mod_inv_steps of field/inverse/steps_{file}.inc. in: f odd; zeta from -2^30 to 2^30 "
    "out: rows of absolute values that sum up to 2^{s} at most CT: all ",
    "reduce": "(int{p}_t *fg, const int32_t *t, size_t n) "
    "(f, g) = T (f, g)/2^{s}, rounded down, n > 1 pairs of limbs of {s} bits, T of 4 words: "
    "mod_inv_reduce of field/inverse/rows.inc. "
    f"in: absolute values of f, g below 2^({{s}} n - 1), {LIMBS}; {MATRIX} "
    "out: likewise CT: all but n ",
    "follow": "(int{p}_t *dem, const int32_t *t, size_t n, mp_word inv) "
    "(d, e) = T (d, e)/2^{s} modulo m, n > 1 limbs of {s} bits of d, e, m in turn, T of 4 words, "
    "inv = -1/m mod 2^32: mod_inv_follow of field/inverse/rows.inc. "
    f"in: m odd, below 2^({{s}} n - 1); d, e from -m to m, {LIMBS}; {MATRIX} "
    "out: likewise CT: all but n ",
}
"""The banners: limbs have `s` bits and a place of `p`."""


class Promise(NamedTuple):
    """What a banner says: limbs of `bits` in places of `place` bits; `lengths`, that are proved."""

    kind: str
    bits: int
    place: int
    lengths: tuple[int, ...]


def kind(name: str) -> str:
    """Which of the three a routine is; nothing for others."""
    found = re.fullmatch(r"ecfit_inv_(steps|reduce|follow)(?:_15)?", name)
    return found[1] if found else ""


def promise(backend: str, name: str) -> Promise | None:
    """It, or None for other routines. Errors: Unread."""
    mine = kind(name)
    if not mine:
        return None
    text, form = banners(backend).get(name) or "", KINDS[mine]
    known = {30: (32, "words"), 15: (16, "pairs")}
    bits = [s for s, (p, file) in known.items() if name + form.format(s=s, p=p, file=file) in text]
    if not bits:
        raise Unread("its banner is not what the prover knows of divsteps")
    (size,) = bits
    most = 32 * MOST_WORDS // size + 1
    lengths = () if mine == "steps" else tuple(range(2, most + 1))
    return Promise(mine, size, known[size][0], lengths)


def key(backend: str, name: str) -> str:
    """What a proof depends on beside the code, as a text."""
    try:
        said = promise(backend, name)
    except Unread:
        return "unread"
    return "" if said is None else f"{said} {ZETA}"


class Matrix(NamedTuple):
    """After some steps: f = (u, v), g = (q, r)."""

    zeta: int
    u: int
    v: int
    q: int
    r: int


def matrix(count: int, f: int, g: int, zeta: int) -> list[Matrix]:
    """After each of so many steps, of integers; the state at the beginning is the first."""
    found = [Matrix(zeta, 1, 0, 0, 1)]
    for _ in range(count):
        zeta, u, v, q, r = found[-1]
        if zeta < 0 and g & 1:
            f, g = g, (g - f) // 2
            found.append(Matrix(-zeta - 2, 2 * q, 2 * r, q - u, r - v))
        elif g & 1:
            g = (g + f) // 2
            found.append(Matrix(zeta - 1, 2 * u, 2 * v, q + u, r + v))
        else:
            g //= 2
            found.append(Matrix(zeta - 1, 2 * u, 2 * v, q, r))
    return found


def _absolute(x: Any) -> Any:
    return z3.If(x < 0, -x, x)


@cache
def rows_hold(count: int) -> None:
    """After i steps, by induction: the absolute values in a row sum up to 2^i at most, no entry is
    -2^i or less, v is even, and r is odd. Errors: Refused.
    """
    u, v, q, r, x, y, z = z3.Ints("u v q r x y z")
    after = [(2 * q, 2 * r, q - u, r - v), (2 * u, 2 * v, q + u, r + v), (2 * u, 2 * v, q, r)]
    for i in range(count):
        solver = z3.SolverFor("QF_LIA")
        solver.add(*_bounds((u, v, q, r), 1 << i), v == 2 * x, r == 2 * y + 1)
        for some in after:
            kept = z3.And(*_bounds(some, 2 << i))
            wrong = z3.Or(z3.Not(kept), some[1] == 2 * z + 1, some[3] == 2 * z)
            if solver.check(wrong) != z3.unsat:
                raise Refused(f"the bounds of the matrix after {i + 1} steps are not proved")


def _bounds(some: Sequence[Any], k: int) -> list[Any]:
    sums = [_absolute(some[j]) + _absolute(some[j + 1]) <= k for j in (0, 2)]
    return [*sums, *(e > -k for e in some)]


@cache
def sums_hold() -> None:
    """|u a + v b| <= K M where |u| + |v| <= K, |a| <= M, |b| <= M. Errors: Refused."""
    u, v, a, b, k, m = z3.Reals("u v a b k m")
    solver = z3.SolverFor("QF_NRA")
    solver.add(_absolute(u) + _absolute(v) <= k, _absolute(a) <= m, _absolute(b) <= m)
    if solver.check(_absolute(u * a + v * b) > k * m) != z3.unsat:
        raise Refused("the bound of a row's products is not proved")
