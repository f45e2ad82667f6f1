"""Programs of `gen.straight` in registers of the Cortex-M4, as functions that C calls.

Widths of strips and tunings of the allocator are found by trying all (`best`), and written here: a
search is no part of a build.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gen.armv7em.code import Code, at, several
from gen.straight.allocation import Line, Tuning, allocated
from gen.straight.fields import FIELDS, Field, program

REGISTERS = [f"r{k}" for k in range(13)] + ["lr"]
KEPT = [f"r{k}" for k in range(4, 12)]
POINTERS = {"r": "r0", "a": "r1", "b": "r2"}
TUNED: dict[tuple[str, str], tuple[tuple[int, ...], Tuning]] = {
    ("secp521r1", "add"): ((), Tuning(0, 0)),
    ("secp521r1", "mul"): ((4, 3, 5, 5), Tuning(3, 0)),
    ("secp521r1", "sqr"): ((5, 5, 2, 5), Tuning(0, 0)),
    ("secp521r1", "sub"): ((), Tuning(0, 0)),
    ("p448", "add"): ((), Tuning(6, 0)),
    ("p448", "mul"): ((5, 5, 4), Tuning(0, 0)),
    ("p448", "sqr"): ((5, 3, 6), Tuning(10, 0)),
    ("p448", "sub"): ((), Tuning(20, 0)),
    ("p448", "small"): ((), Tuning(0, 0)),
}


def ops(field: Field) -> list[str]:
    """What there is of a field."""
    return [op for name, op in TUNED if name == field.name]


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


def lines_of(
    field: Field, op: str, widths: tuple[int, ...], tuning: Tuning
) -> tuple[list[Line], int]:
    """The instructions of a function between its ends, and the words of its frame."""
    start = {v: r for v, r in POINTERS.items() if v != "b" or op != "sqr"}
    p = program(field, op, widths)
    return allocated(p, REGISTERS, start, tuning, estimate)


def write(c: Code, field: Field, op: str) -> None:
    """The function: pointers in r0, r1 and, but for squares, r2."""
    widths, tuning = TUNED[field.name, op]
    lines, frame = lines_of(field, op, widths, tuning)
    pointers = [r for v, r in POINTERS.items() if v != "b" or op != "sqr"]
    c("push", several((*pointers, *KEPT, "lr")))
    if frame:
        c("sub", "sp", "sp", f"#{4 * frame}")
    for line in lines:
        if line.kind == "op":
            operands = line.operands
            if operands[-1].startswith(("lsl ", "lsr ", "asr ")):
                operands = (*operands[:-2], f"{operands[-2]}, {operands[-1]}")
            c(line.name, *operands)
        else:
            area, k = line.place
            k += frame if area == "saved" else 0
            c(line.name, *line.operands, at(line.base, k))
    c("add", "sp", "sp", f"#{4 * (frame + len(pointers))}")
    c("pop", several((*KEPT, "pc")))


def stack(field: Field, op: str) -> int:
    """Bytes."""
    widths, tuning = TUNED[field.name, op]
    return 4 * (lines_of(field, op, widths, tuning)[1] + (11 if op == "sqr" else 12))


def strips(words: int) -> list[tuple[int, ...]]:
    """All widths of strips of some words that are worth a try."""
    count = -(-words // 5)
    some = product(range(2, 8), repeat=count)
    return [widths for widths in some if sum(widths) == words]


def best(field: Field, op: str) -> tuple[int, tuple[int, ...], Tuning]:
    """The least estimate, and what leads to it."""
    found = []
    for widths in strips(field.used) if op in ("mul", "sqr") else [()]:
        for dirty, pointer in product((0, 3, 6, 10, 20), (0, 6, 12, 30)):
            try:
                lines, _ = lines_of(field, op, widths, Tuning(dirty, pointer))
            except AssertionError:
                continue
            found.append((estimate(lines), widths, Tuning(dirty, pointer)))
    return min(found)


if __name__ == "__main__":
    for one in FIELDS:
        for name in ops(one):
            print(one.name, name, *best(one, name), flush=True)
