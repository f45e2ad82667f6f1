"""Sums and differences of 256 bits modulo any m on RV32IM, for C: a0 = result, the others pointers
to operands. How they end is the same for all: each jumps to that.
"""

from __future__ import annotations

from gen.rv32im.code import Code, Registers, difference_of, enter, leave, sum_of
from gen.rv32im.product import WORDS

FRAME = 0
POINTERS = ("a0", "a1", "a2", "a3")
FREE = Registers(POINTERS)
CARRY, T, U = FREE.several(3)
A, B = FREE.several(WORDS), FREE.several(WORDS)
LESS, PLUS = "ecfit_mod_less_8", "ecfit_mod_plus_8"


def modular(c: Code, *, add: bool) -> None:
    """a + b or a - b modulo m.

    A difference gets m back where it borrowed; of a sum m is taken away, and comes back where that
    borrowed more than was carried.
    """
    enter(c, FRAME)
    c.load(A, "a1")
    c.load(B, "a2")
    if add:
        sum_of(c, A, B, CARRY, T, one=False)
        c("j", LESS)
    else:
        difference_of(c, A, B, CARRY, (T, U))
        c.load(B, "a3")
        c("j", PLUS)


def once(c: Code) -> None:
    """Eight words behind a1 and a carry a2, below 2 m, less m where that is not negative."""
    enter(c, FRAME)
    c.load(A, "a1")
    c("mv", CARRY, "a2")
    c("j", LESS)


def less(c: Code) -> None:
    """A and its carry less m, which comes back where that borrowed more."""
    c.load(B, "a3")
    difference_of(c, A, B, "a1", (T, U))
    c("sltu", CARRY, CARRY, "a1")
    c("j", PLUS)


def plus(c: Code) -> None:
    """A += B where CARRY is 1; the result goes out, the function ends."""
    c("neg", CARRY, CARRY)
    for k, (word, other) in enumerate(zip(A, B, strict=True)):
        c("and", other, other, CARRY)
        if k == 0:
            c.add(word, other, U)
            continue
        if k == WORDS - 1:
            c("add", word, word, other)
            c("add", word, word, U)
            continue
        c.add(word, other, T)
        c.add(word, U, U)
        c("add", U, U, T)
    c.store(A, "a0")
    leave(c, FRAME)


def words(registers: list[str]) -> str:
    """Registers as a banner names them."""
    return " ".join(registers)


TAILS = (
    (
        LESS,
        (
            f"{LESS}: how ecfit_mod_add_8 and ecfit_mod_once_8 end: the words {words(A)} and "
            f"their carry {CARRY}, less m of a3 where that is not negative, go where a0 points.",
            "CT: all   Clobbers: what its caller has saved",
        ),
        less,
    ),
    (
        PLUS,
        (
            f"{PLUS}: how {LESS} and ecfit_mod_sub_8 end: the words {words(A)}, plus "
            f"{words(B)} where {CARRY} is 1, go where a0 points.",
            "CT: all   Clobbers: what its caller has saved",
        ),
        plus,
    ),
)
