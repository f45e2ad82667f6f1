"""Contracts of banners that are no formula: look-ups, and a number less m."""

from __future__ import annotations

import re

from prove.contracts.contract import Contract, Goal, Operand
from prove.contracts.expression import Term


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
    words = int(re.findall(r"B\^(\d+)", text)[0])
    full = 1 << 32 * words
    operands = {
        "r": Operand(words, full),
        "t": Operand(words + 1, -3),
        "m": Operand(words, full, 0, 0),
    }
    goal = Goal("r", words, Term("var", (), "t"), modulus=-1, bound=-1)
    return Contract(
        name, backend, {first: "r", first + 1: "t", first + 3: "m"}, operands, (goal,),
        ({}, {"r": "t"}), text=text, above={first + 2: "t"},
    )  # fmt: skip


def _zeroed(name: str, backend: str, first: int, text: str) -> Contract:
    """Montgomery's reduction without its last step, for any length: n words are 0 of it."""
    operands = {"t": Operand(-2, -4), "m": Operand(-1, -4, 0, 0)}
    value = Term("var", (), "t")
    goals = (
        Goal("t", -2, value, (first,), modulus=-1, top=1, quotient=-4),
        Goal("t", -1, Term("num")),
    )
    return Contract(
        name, backend, {first: "t", first + 1: "m"}, operands, goals,
        numbers={first + 2: -1, first + 3: -5}, text=text,
    )  # fmt: skip


def _by_rows(name: str, backend: str, first: int, text: str) -> Contract:
    """Montgomery's product for any length, or for one, with the modulus in a record."""
    operands = {"a": Operand(-1, -4), "b": Operand(-1, -1), "r": Operand(-1, -4)}
    room = ("t",) if "t: 2n words, lost" in text else ()
    operands |= {t: Operand(-2, -4) for t in room} | {"m": Operand(-1, -4, 0, 0)}
    value = Term("mul", (Term("var", (), "a"), Term("var", (), "b")))
    goal = Goal("r", -1, value, factor=-4, modulus=-1, bound=-1)
    places = {first: "r", first + 1: "a", first + 2: "b", first + 3: "record"}
    alone: tuple[dict[str, str], ...] = ({}, {"a": "b"}, {"r": "a"}, {"r": "b"})
    return Contract(
        name, backend, places, operands, (goal,), (*alone, {"a": "b", "r": "b"}), lost=room,
        text=text, record=("m", None, -1, -5), pushed=room,
    )  # fmt: skip


LESS = ", if that is not negative, else t. in: below 2 m"
FORMS = {
    ("r table index count n", "r = table[index], of count entries of n words"): _look_up,
    **{("r t carry m", f"r = t + carry B^{n} - m{LESS}"): _once for n in (8, 12, 16)},
    ("t m inv n", "t = t + q m with the lowest n words 0, by Montgomery's reduction;"): _zeroed,
    (
        "r a b m t",
        "r = a b / R mod m, by rows. in: m: odd, of n > 0 words; one of a, b below m; t: "
        "2n words, lost out: below m; r may be a or b",
    ): _by_rows,
    (
        "r a b m",
        "r = a b / R mod m, by rows. in: m: odd, of 8 words; one of a, b below m out: below m; "
        "r may be a or b",
    ): _by_rows,
}
