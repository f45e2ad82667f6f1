"""Programs of `gen.straight` in registers of the Cortex-M4, as functions that C calls.

Widths of strips and tunings of the allocator are found by trying all (`best`), and written here: a
search is no part of a build.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from gen.armv7em.code import Code, at, several
from gen.straight.allocation import Line, Tuning, allocated
from gen.straight.fields import FIELDS, Field, modular, program, reduction, squares
from gen.straight.program import Program

REGISTERS = [f"r{k}" for k in range(13)] + ["lr"]
KEPT = [f"r{k}" for k in range(4, 12)]
BEFORE = {"choice_sqr": "select", "add_sqr": "add", "sub_sqr": "sub"}
"""What leaves an operand on the stack where another routine squares it."""
Choice = tuple[tuple[int, ...], Tuning]
TUNED: dict[tuple[str, str], Choice] = {
    ("secp128r1", "add"): ((), Tuning(0, 0)),
    ("secp128r1", "mul"): ((4,), Tuning(0, 0)),
    ("secp128r1", "sqr"): ((4,), Tuning(0, 0)),
    ("secp128r1", "sub"): ((), Tuning(0, 0)),
    ("secp128r1", "three_halves"): ((), Tuning(0, 0)),
    ("secp128r1", "add_twice_sub"): ((), Tuning(0, 0)),
    ("secp160r1", "add"): ((), Tuning(0, 0)),
    ("secp160r1", "mul"): ((5,), Tuning(0, 0)),
    ("secp160r1", "sqr"): ((5,), Tuning(0, 0)),
    ("secp160r1", "sub"): ((), Tuning(0, 0)),
    ("secp160r1", "three_halves"): ((), Tuning(0, 0)),
    ("secp160r1", "add_twice_sub"): ((), Tuning(0, 6)),
    ("secp192r1", "add"): ((), Tuning(0, 0)),
    ("secp192r1", "mul"): ((3, 3), Tuning(20, 0)),
    ("secp192r1", "sqr"): ((6,), Tuning(3, 12)),
    ("secp192r1", "sub"): ((), Tuning(0, 0)),
    ("secp192r1", "three_halves"): ((), Tuning(0, 0)),
    ("secp192r1", "add_twice_sub"): ((), Tuning(0, 30)),
    ("secp224r1", "add"): ((), Tuning(0, 0)),
    ("secp224r1", "mul"): ((4, 3), Tuning(0, 0)),
    ("secp224r1", "sqr"): ((7,), Tuning(20, 0)),
    ("secp224r1", "sub"): ((), Tuning(0, 0)),
    ("secp224r1", "three_halves"): ((), Tuning(0, 0)),
    ("secp224r1", "add_twice_sub"): ((), Tuning(0, 30)),
    ("secp521r1", "add"): ((), Tuning(0, 0)),
    ("secp521r1", "mul"): ((4, 3, 5, 5), Tuning(15, 0)),
    ("secp521r1", "sqr"): ((5, 5, 2, 5), Tuning(0, 0)),
    ("secp521r1", "sub"): ((), Tuning(0, 0)),
    ("secp521r1", "three_halves"): ((), Tuning(0, 0)),
    ("secp521r1", "add_twice_sub"): ((), Tuning(30, 4)),
    ("p448", "add"): ((), Tuning(6, 0)),
    ("p448", "mul"): ((5, 5, 4), Tuning(0, 0)),
    ("p448", "sqr"): ((5, 3, 6), Tuning(10, 0)),
    ("p448", "sub"): ((), Tuning(20, 0)),
    ("p448", "small"): ((), Tuning(0, 0)),
    ("p448", "small_add"): ((), Tuning(10, 0)),
    ("p448", "select"): ((), Tuning(0, 0)),
    ("p448", "squared"): ((6, 3, 5), Tuning(6, 0)),
}
SQUARES = {
    12: ((5, 2, 5), Tuning(20, 0)),
    16: ((5, 4, 2, 5), Tuning(0, 0)),
}
REDUCTIONS = {12: Tuning(20, 0), 16: Tuning(20, 0)}


def ops(field: Field) -> list[str]:
    """What there is of a field."""
    of_it = [op for name, op in TUNED if name == field.name]
    return [*of_it, *BEFORE] if "squared" in of_it else of_it


def estimate(lines: Sequence[Line]) -> int:
    """Cycles: LDR 2, behind another 1, behind STR 3; STR 1, behind LDR 0; else 1."""
    cost, last = 0, ""
    for line in lines:
        if line.kind == "ldr":
            cost += 1 if last == "ldr" else 3 if last == "str" else 2
        else:
            cost += line.kind == "op" or last != "ldr"
        last = line.kind
    return cost


class Routine(NamedTuple):
    """The instructions of a function between its ends, the words of its frame, and what it pushes:
    arguments that it loads again, and registers that the caller keeps. `beyond`: words above the
    frame where `x` is.
    """

    lines: list[Line]
    frame: int
    saved: list[str]
    kept: list[str]
    beyond: int = 0

    def cost(self) -> int:
        """Cycles with its ends."""
        pushed = len(self.saved) + len(self.kept)
        return estimate(self.lines) + pushed + len(self.kept) + (self.words() > len(self.kept))

    def words(self) -> int:
        """Of the stack."""
        return self.frame + self.beyond + len(self.saved) + len(self.kept)

    def result(self) -> str:
        """The register that holds the result's address in the end."""
        last = max(i for i, line in enumerate(self.lines) if line.place[0] == "r")
        base = self.lines[last].base
        assert not any(base in line.writes for line in self.lines[last:])
        return base


def routine(p: Program, arguments: Sequence[str], tuning: Tuning, *, keeps: bool) -> Routine:
    """Arguments in r0 and on. `keeps`: the registers that a caller in C keeps; else lr alone."""
    start = {name: f"r{k}" for k, name in enumerate(arguments)}
    lines, frame = allocated(p, REGISTERS, start, tuning, estimate)
    again = any(line.place[0] == "saved" for line in lines)
    used = {r for line in lines for r in line.writes}
    kept = [r for r in (*KEPT, "lr") if r in used and (keeps or r == "lr")]
    return Routine(lines, frame, list(start.values()) if again else [], kept)


def of_field(field: Field, op: str, choice: Choice | None = None) -> Routine:
    """An operation of a field, with what is written here or another choice."""
    widths, tuning = choice or TUNED[field.name, op]
    if op == "squared":
        lines, frame = allocated(program(field, op, widths), REGISTERS, {"r": ""}, tuning, estimate)
        return Routine(lines, frame, ["r0"], ["lr"], field.words)
    return routine(program(field, op, widths), pointers(op), tuning, keeps=False)


def ends_with(op: str) -> str:
    """The operation that it ends with."""
    return "squared" if op in BEFORE else op


def exits(field: Field) -> dict[str, str]:
    """The registers that hold the result's address when an operation returns."""
    return {op: of_field(field, ends_with(op)).result() for op in ops(field)}


def before(field: Field, op: str) -> list[Line]:
    """An operation whose result goes to where the square finds it, in registers but r0, which the
    frame has already.
    """
    start = {name: f"r{k}" for k, name in enumerate(pointers(op)) if k}
    _, tuning = TUNED.get((field.name, op), ((), Tuning(0, 0)))
    lines, frame = allocated(
        program(field, op, p=Program(to="x")), REGISTERS, start, tuning, estimate
    )
    assert frame <= of_field(field, "squared").frame
    assert not any(line.place[0] == "saved" for line in lines)
    return lines


def pointers(op: str) -> tuple[str, ...]:
    """To the result and to operands; a mask behind them."""
    if op in ("sqr", "three_halves"):
        return "r", "a"
    more = {"select": "mask.", "small_add": "c", "add_twice_sub": "c"}
    return ("r", "a", "b", more[op]) if op in more else ("r", "a", "b")


def of_length(op: str, n: int) -> Routine:
    """A square of n words; a sum, a difference or the reduction modulo any m of n words."""
    if op in ("add", "sub"):
        arguments = (*pointers(op), "m")
        return routine(modular(n, add=op == "add"), arguments, Tuning(0, 0), keeps=True)
    if op == "sqr":
        widths, tuning = SQUARES[n]
        return routine(squares(n, widths), pointers(op), tuning, keeps=True)
    arguments = ("r", "t", "m", "inverse.")
    return routine(reduction(n, (4,) * (n // 4)), arguments, REDUCTIONS[n], keeps=True)


def enter(c: Code, made: Routine) -> None:
    """What a function pushes, and its frame."""
    if made.saved or made.kept:
        c("push", several((*made.saved, *made.kept)))
    if made.frame + made.beyond:
        c("sub", "sp", "sp", f"#{4 * (made.frame + made.beyond)}")


def body(c: Code, made: Routine, lines: Sequence[Line]) -> None:
    """Lines, in the frame of a routine."""
    start = {"x": made.frame, "saved": made.frame + made.beyond}
    for line in lines:
        if line.kind == "op":
            operands = line.operands
            if operands[-1].startswith(("lsl ", "lsr ", "asr ")):
                operands = (*operands[:-2], f"{operands[-2]}, {operands[-1]}")
            c(line.name, *operands)
        else:
            area, k = line.place
            c(line.name, *line.operands, at(line.base, k + start.get(area, 0)))


def write(c: Code, made: Routine) -> None:
    """The function."""
    enter(c, made)
    body(c, made, made.lines)
    leave(c, made)


def write_square(c: Code, field: Field, op: str) -> None:
    """What comes before a square, which is behind a choice; or the jump there."""
    made, entry = of_field(field, "squared"), f"ecfit_{field.name}_squared"
    enter(c, made)
    body(c, made, before(field, BEFORE[op]))
    if op == "choice_sqr":
        c.entry(entry)
        body(c, made, made.lines)
        leave(c, made)
    else:
        c("b", entry)


def leave(c: Code, made: Routine) -> None:
    """What enter() did, undone; the return."""
    frame, saved, kept = made.frame + made.beyond, made.saved, made.kept
    if frame or saved:
        c("add", "sp", "sp", f"#{4 * (frame + len(saved))}")
    if kept:
        assert kept[-1] == "lr"
        c("pop", several((*kept[:-1], "pc")))
        return
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def strips(words: int) -> list[tuple[int, ...]]:
    """All widths of strips of some words that are worth a try."""
    most = -(-words // 5)
    some = [w for count in range(1, most + 1) for w in product(range(2, 8), repeat=count)]
    return [widths for widths in some if sum(widths) == words]


def best(field: Field, op: str) -> tuple[int, tuple[int, ...], Tuning]:
    """The least cost, and what leads to it."""
    costs = []
    for widths in strips(field.used) if op in ("mul", "sqr", "squared") else [()]:
        for tuning in map(Tuning, *zip(*product((0, 3, 6, 10, 20), (0, 6, 12, 30)), strict=True)):
            try:
                costs.append((of_field(field, op, (widths, tuning)).cost(), widths, tuning))
            except AssertionError:
                continue
    return min(costs)


if __name__ == "__main__":
    for one in FIELDS:
        for name in (op for op in ops(one) if (one.name, op) in TUNED):
            print(one.name, name, *best(one, name), flush=True)
