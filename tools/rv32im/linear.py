"""Sums and differences of 256 bits modulo any m on RV32IM, for C: a0 = result, the others pointers
to operands.
"""

from __future__ import annotations

from collections.abc import Sequence

from rv32im.code import Code, Registers, difference_of, enter, leave, sum_of
from rv32im.product import WORDS

FRAME = 0


def words_of(c: Code, free: Registers, pointer: str) -> list[str]:
    """Eight words behind a pointer, which is kept."""
    words = free.several(WORDS)
    c.load(words, pointer)
    return words


def modular(c: Code, *, add: bool) -> None:
    """a + b or a - b modulo m.

    A difference gets m back where it borrowed; of a sum m is taken away, and comes back where that
    borrowed more than was carried.
    """
    free = Registers(["a0", "a1", "a2", "a3"])
    carry, t, u = free.several(3)
    enter(c, FRAME)
    a, b = words_of(c, free, "a1"), words_of(c, free, "a2")
    if add:
        sum_of(c, a, b, carry, t, one=False)
        c.load(b, "a3")
        reduce_once(c, a, b, carry, (t, u, "a1"))
    else:
        difference_of(c, a, b, carry, (t, u))
        c.load(b, "a3")
        c("neg", carry, carry)
        add_masked(c, a, b, carry, (t, u))
    c.store(a, "a0")
    leave(c, FRAME)


def once(c: Code) -> None:
    """Eight words behind a1 and a carry a2, below 2 m, less m where that is not negative."""
    free = Registers(["a0", "a1", "a2", "a3"])
    enter(c, FRAME)
    a, m = words_of(c, free, "a1"), words_of(c, free, "a3")
    t, u = free.several(2)
    reduce_once(c, a, m, "a2", (t, u, "a1"))
    c.store(a, "a0")
    leave(c, FRAME)


def reduce_once(
    c: Code, a: Sequence[str], m: Sequence[str], carry: str, free: tuple[str, str, str]
) -> None:
    """a and its carry less m, which comes back where that borrowed more."""
    t, u, borrow = free
    difference_of(c, a, m, borrow, (t, u))
    c("sltu", carry, carry, borrow)
    c("neg", carry, carry)
    add_masked(c, a, m, carry, (t, u))


def add_masked(
    c: Code, a: Sequence[str], m: Sequence[str], mask: str, free: tuple[str, str]
) -> None:
    """a += m & mask; nothing is carried out that counts. m is lost."""
    t, carry = free
    for k, (word, other) in enumerate(zip(a, m, strict=True)):
        c("and", other, other, mask)
        if k == 0:
            c.add(word, other, carry)
        elif k == WORDS - 1:
            c("add", word, word, other)
            c("add", word, word, carry)
        else:
            c.add(word, other, t)
            c.add(word, carry, carry)
            c("add", carry, carry, t)


