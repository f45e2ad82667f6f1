"""What each assembly function computes, by name, in Python's integers: one entry serves all backends that have it.

A name that ends in a number has that length in words; one without takes its length as an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lib_assembly import WORD, Argument, Case

LENGTHS = (
    2,
    4,
    6,
    8,
    12,
    14,
    16,
    18,
)  # in words, of functions that take any: those of the curves, and the least
Builder = Callable[[int], Case]


def mac_row(n: int) -> Case:
    """r += a * b; returns the carry word."""

    def reference(r: int, a: int, b: int, _: int) -> tuple[tuple[int, ...], int | None]:
        total = r + a * b
        return (total % (1 << WORD * n),), total >> WORD * n

    arguments = (Argument("inout", n), Argument("in", n), Argument("word"), Argument("length"))
    return Case(arguments, reference)


def mul(n: int) -> Case:
    """t = a * b."""
    arguments = (Argument("out", 2 * n), Argument("in", n), Argument("in", n))
    return Case(arguments, lambda _, a, b: ((a * b,), None))


def sqr(n: int) -> Case:
    """t = a^2."""
    return Case((Argument("out", 2 * n), Argument("in", n)), lambda _, a: ((a * a,), None))


BY_NAME: dict[str, Builder] = {
    "ecfit_mp_mac_row": mac_row,
    "ecfit_mp_mul": mul,
    "ecfit_mp_sqr": sqr,
}


def cases(name: str) -> list[tuple[int, Case]]:
    """The lengths that a function is tested with, and what it computes there."""
    fixed = re.fullmatch(r"(\w+?)_(\d+)", name)
    if name in BY_NAME:
        return [(n, BY_NAME[name](n)) for n in LENGTHS]
    assert fixed, f"{name}: what it computes is not in lib_assembly_cases.py"
    assert fixed[1] in BY_NAME, f"{name}: what it computes is not in lib_assembly_cases.py"
    return [(int(fixed[2]), BY_NAME[fixed[1]](int(fixed[2])))]
