"""Contracts of banners that are no formula: look-ups, and a number less m."""

from __future__ import annotations

from prove.contract import Contract, Goal, Operand
from prove.expression import Term

WORDS = 8  # of a modulus


def special(name: str, backend: str, parameters: list[str], text: str) -> Contract | None:
    """That of a banner in one of these forms; without the registers that are kept."""
    for (names, said), made in FORMS.items():
        if parameters == names.split() and f") {said}" in text:
            return made(name, backend, 10 if backend == "rv32im" else 0, text)
    return None


def _look_up(name: str, backend: str, first: int, text: str) -> Contract:
    """An entry of a table, by a secret index."""
    return Contract(
        name, backend, {first: "r", first + 1: "table"}, {}, (),
        numbers={first + 3: 0, first + 4: 0}, indexes={first + 2: ("index", 0)}, text=text,
    )  # fmt: skip


def _once(name: str, backend: str, first: int, text: str) -> Contract:
    """A number of a word more, which is in a register, modulo m."""
    full = 1 << 32 * WORDS
    operands = {
        "r": Operand(WORDS, full),
        "t": Operand(WORDS + 1, -3),
        "m": Operand(WORDS, full, 0, 0),
    }
    goal = Goal("r", WORDS, Term("var", (), "t"), modulus=-1, bound=-1)
    return Contract(
        name, backend, {first: "r", first + 1: "t", first + 3: "m"}, operands, (goal,),
        ({}, {"r": "t"}), text=text, above={first + 2: "t"},
    )  # fmt: skip


FORMS = {
    ("r table index count n", "r = table[index], of count entries of n words"): _look_up,
    ("r t carry m", "r = t + carry B^8 - m, if that is not negative, else t. in: below 2 m"): _once,
}
