"""Formulas of lib/src/group for the interpreter on 2^255 - 19, as sequences of calls of a field's
routines. What the tables say is the same on every core: armv7em.formulas reads them.

A formula works on registers of a field element each, behind the pointer in a0, and each operation
leaves there the address of its result. Word 0 of the frame is the routines', word 1 a mask.
"""

from __future__ import annotations

from collections.abc import Callable

from gen.armv7em.formulas import LADDER, TABLES, TIGHT, chosen, read, steps_of_line, swapped
from gen.rv32im.code import Code, at, enter, frame, leave

__all__ = ["FRAME", "LADDER", "STACK", "TABLES", "TIGHT", "chosen", "ladder_448", "ladder_step"]
__all__ += ["run_448", "through", "write"]

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


def ladder_step(c: Code, field: str, size: int, *, at_once: bool) -> None:
    """A step of the ladder on a line, on registers of so many bytes."""
    enter(c, FRAME)
    here = 0
    for step in steps_of_line(at_once=at_once):
        op = "sqr" if step.op == "MUL" and step.a == step.b else step.op.lower()
        places = [(1, step.a), (2, step.b), (3, step.plus), (0, step.d)]
        for index, place in places:
            if place is not None and (index or place != here) and not (index == 2 and op == "sqr"):
                c("addi", f"a{index}", "a0", size * (place - here))
        c("jal", f"ecfit_{field}_{op}")
        here = step.d
    leave(c, FRAME)


SIZE_448, SMALL_448 = 56, 39081  # bytes of an element, and (A - 2)/4
FRAME_448 = 3  # words
STEPS_448 = (
    "xz_step of lib/src/group/xz_codes.inc on registers of 14 words of any value, n times, n more "
    "than 0; first exchanges registers 0 and 1 with 2 and 3 where a bit is set, of exchanges from "
    "bit 31 on",
)
RUN_448 = (
    "A formula of lib/src/group, as field/op.h has it, on registers of 14 words of any value; "
    "OP_SMALL is a product with the word at small, from 2^0 to 2^17 - 1.",
)


def ladder_448(c: Code) -> None:
    """The ladder's step modulo 2^448 - 2^224 - 1, as a loop; in the frame are exchanges, n, and the
    small factor.
    """
    enter(c, FRAME_448)
    c("sw", "a1", at("sp", 0))
    c("sw", "a2", at("sp", 1))
    c("li", "a1", SMALL_448)
    c("sw", "a1", at("sp", 2))
    c.label("1")
    here = 0
    steps = [
        s._replace(op="sqr" if s.op == "MUL" and s.a == s.b else s.op.lower()) for s in read(LADDER)
    ]
    for step in swapped(steps):
        for index, place in ((1, step.a), (2, step.b), (0, step.d)):
            if index or place != here:
                c("addi", f"a{index}", "a0", SIZE_448 * (place - here))
        if step.op == "small":
            c("addi", "a2", "sp", 8)
        if step.op == "select":
            c("lw", "a3", at("sp", 0))
            c("srai", "a3", "a3", 31)
        c("jal", f"ecfit_p448_{step.op}")
        here = step.d
    c("addi", "a0", "a0", -SIZE_448 * here)
    c("lw", "a1", at("sp", 0))
    c("slli", "a1", "a1", 1)
    c("sw", "a1", at("sp", 0))
    c("lw", "a1", at("sp", 1))
    c("addi", "a1", "a1", -1)
    c("sw", "a1", at("sp", 1))
    c("bnez", "a1", "1b")
    leave(c, FRAME_448)


def run_448(c: Code) -> None:
    """The interpreter of formulas (field/op.h) on registers of 56 bytes; in the frame are the
    pointers to them, to the code and to the small factor.
    """
    enter(c, FRAME_448)
    for k in range(3):
        c("sw", f"a{k}", at("sp", k))
    c.label("1")
    c("lw", "s0", at("sp", 0))
    c("lw", "s1", at("sp", 1))
    c("lhu", "a5", "0(s1)")
    c("addi", "s1", "s1", 2)
    c("sw", "s1", at("sp", 1))
    c("beqz", "a5", "6f")
    c("li", "a4", SIZE_448)
    for register, low in (("a0", 8), ("a1", 4), ("a2", 0)):
        c("srli", register, "a5", low)
        c("andi", register, register, 15)
        c("mul", register, register, "a4")
        c("add", register, register, "s0")
    c("srli", "a5", "a5", 12)
    c("bnez", "a5", "3f")
    c("beq", "a1", "a2", "2f")
    c("jal", "ecfit_p448_mul")
    c("j", "1b")
    c.label("2")
    c("jal", "ecfit_p448_sqr")
    c("j", "1b")
    c.label("3")
    c("addi", "a5", "a5", -2)
    c("bgez", "a5", "4f")
    c("jal", "ecfit_p448_add")
    c("j", "1b")
    c.label("4")
    c("bnez", "a5", "5f")
    c("jal", "ecfit_p448_sub")
    c("j", "1b")
    c.label("5")
    c("lw", "a2", at("sp", 2))
    c("jal", "ecfit_p448_small")
    c("j", "1b")
    c.label("6")
    leave(c, FRAME_448)
