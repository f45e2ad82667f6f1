"""C functions whose comments are no formula of the words of operands: powers and inversions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from prove.contracts import divsteps, powers
from prove.contracts.banner import Unread
from prove.contracts.comments import text_of
from prove.contracts.contract import Outcome
from prove.inverses import divloop, elements, limbs, rows, traces
from prove.machine.compiled import Build, Function

KINDS = {
    "steps": "(mp_entry *t, mp_word f, mp_word g, size_t zeta) t = the matrix of S divsteps from "
    "the low limbs f and g; returns zeta after them, which is -(delta + 1/2). in: f odd; zeta from "
    "-2^30 to 2^30 out: absolute values in a row sum up to 2^S at most ",
    "reduce": "(mp_limb *fg, const mp_entry *t, size_t n) (f, g) = T (f, g)/2^S, rounded down; fg: "
    "n > 1 pairs of limbs. in: absolute values of f, g below 2^(S n - 1), those in a row of T sum "
    "up to 2^S at most out: likewise ",
    "follow": "(mp_limb *dem, const mp_entry *t, size_t n, const mod *m) (d, e) = T (d, e)/2^S "
    "modulo m; dem: n > 1 limbs of d, e, m in turn. in: d, e from -m to m; m odd, below "
    "2^(S n - 1); absolute values in a row of T sum up to 2^S at most out: likewise ",
}
"""The comments of what applies a matrix, and makes it; specified in prove/contracts/divsteps.py."""


class Matrix(NamedTuple):
    """A part of an inversion in C."""

    backend: str
    name: str
    said: divsteps.Promise


Promise = powers.Power | limbs.Promise | Matrix
Known = Mapping[str, Mapping[str, Any]]  # records of C functions


def _matrices(backend: str, function: Function, words: int) -> list[Matrix]:
    kind = function.name.removeprefix("mod_inv_")
    if kind not in KINDS or backend != "rv32im":  # others have it in assembly
        return []
    text = " ".join(text_of(function.path, function.line, function.name).split())
    if f"mod_inv_{kind}{KINDS[kind]}" not in f"{text} ":
        raise Unread("its comment is not what the prover knows of divsteps")
    bits, size = limbs.LIMBS[backend]
    lengths = () if kind == "steps" else (2, 3, *limbs.lengths(backend, words))
    return [Matrix(backend, function.name, divsteps.Promise(kind, bits, 8 * size, lengths))]


def promises(backend: str, function: Function, words: int) -> Sequence[Promise]:
    """What the comment says; nothing for other functions. Errors: Unread."""
    return (
        _matrices(backend, function, words)
        or limbs.promises(backend, function, words)
        or powers.promises(backend, function, words)
    )


def digest(some: Sequence[Promise]) -> str:
    """Of what is proved."""
    plain = [
        one._replace(contract=replace(one.contract, text="")) if isinstance(one, powers.Power)
        else one
        for one in some
    ]  # fmt: skip
    return hashlib.sha256(repr(plain).encode()).hexdigest()[:16]


def prove(
    made: Build, function: Function, some: Sequence[Promise], known: Known
) -> Iterator[Outcome]:
    """All of them. Errors: Refused."""
    of_powers = [one for one in some if isinstance(one, powers.Power)]
    for one in some:
        if isinstance(one, limbs.Promise):
            yield from limbs.prove(made, one, known)
        elif isinstance(one, Matrix):
            yield matrix(made, one)
    if of_powers and function.path.name == "divsteps.inc":
        yield from divloop.prove(made, of_powers, known)
    elif of_powers:
        yield from elements.prove(made, of_powers, known)


def matrix(made: Build, one: Matrix) -> Outcome:
    """A part of an inversion, for its lengths. Errors: Refused."""
    if one.said.kind == "steps":
        return traces.prove(made.image(), one.backend, one.name, one.said)
    return rows.prove(rows.Routine(made.image(), *one), one.said.lengths)
