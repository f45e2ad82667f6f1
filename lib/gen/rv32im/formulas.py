"""Formulas of lib/src/group for the interpreter on 2^255 - 19, as sequences of calls of a field's
routines. What the tables say is the same on every core: armv7em.formulas reads them.

A formula works on registers of a field element each, behind the pointer in a0, and each operation
leaves there the address of its result. Word 0 of the frame is the routines', word 1 a mask.
"""

from __future__ import annotations

from collections.abc import Callable

from gen.armv7em.formulas import LADDER, TABLES, TIGHT, chosen, swapped
from gen.rv32im.code import Code, at, enter, frame, leave

__all__ = ["FRAME", "LADDER", "STACK", "TABLES", "TIGHT", "chosen", "through", "write"]

SIZE = 32  # bytes of a field element
FRAME = 2  # words of the frame
STACK = frame(FRAME)


def write(c: Code, name: str) -> None:
    """The function of a formula."""
    steps = chosen(name)
    enter(c, FRAME)
    if name == LADDER:
        steps = swapped(steps)
        c("sw", "a1", at("sp", 1))
    here = 0
    for step in steps:
        places = [step.d, step.a, step.b, *([] if step.plus is None else [step.plus])]
        for index in (*range(1, len(places)), 0):
            offset = SIZE * (places[index] - here)
            if offset or index:
                c("addi", f"a{index}", "a0", offset)
        if step.op == "select":
            c("lw", "a3", at("sp", 1))
        c("jal", f"ecfit_p25519_{step.op}")
        here = step.d
    leave(c, FRAME)


def through(routine: str) -> Callable[[Code], None]:
    """A function for C around a routine."""

    def write_function(c: Code) -> None:
        enter(c, FRAME)
        c("jal", routine)
        leave(c, FRAME)

    return write_function
