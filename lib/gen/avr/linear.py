"""Rows, sums, differences and choices of integers of any length, in loops: two bytes a turn, since
words have 16 bits. Lengths are below 256 words, of which the lower byte counts.
"""

from __future__ import annotations

from gen.avr.code import Code

R, A, B, FOURTH, FIFTH = 24, 22, 20, 18, 16  # arguments
ZERO = 1


def pointers(c: Code, *, third: bool) -> None:
    """X = the second argument, Z = the third one, Y = the first one; or Z = the first one."""
    c("movw", 26, A)
    if third:
        c("push", 28)
        c("push", 29)
        c("movw", 30, B)
        c("movw", 28, R)
    else:
        c("movw", 30, R)


def chain(c: Code, op: str, keep: tuple[int, int] | None, length: int) -> None:
    """[Y] = [X] op [Z], the masked one if there is a mask; returns what is carried."""
    pointers(c, third=True)
    count, byte, other = 22, 24, 0
    c("mov", count, length)
    c("clc")
    c.label("1")
    for k in range(2):
        c("ld", byte, "X+")
        c("ld", other, "Z+")
        if keep:
            c("and", other, keep[k])
        c(op, byte, other)
        c("st", "Y+", byte)
    c("dec", count)
    c("brne", "1b")
    c("clr", R)
    c("rol", R)
    c("clr", R + 1)
    c("pop", 29)
    c("pop", 28)
    c("ret")


def add(c: Code) -> None:
    """Sums."""
    chain(c, "adc", (FOURTH, FOURTH + 1), FIFTH)


def sub(c: Code) -> None:
    """Differences."""
    chain(c, "sbc", None, FOURTH)


def cmov(c: Code) -> None:
    """[Z] = [X] by a mask, whose bytes are alike."""
    pointers(c, third=False)
    mask, count, here, there = B, FOURTH, 25, 0
    c.label("1")
    for _ in range(2):
        c("ld", there, "X+")
        c("ld", here, "Z")
        c("eor", there, here)
        c("and", there, mask)
        c("eor", here, there)
        c("st", "Z+", here)
    c("dec", count)
    c("brne", "1b")
    c("ret")


def cswap(c: Code) -> None:
    """[Z] and [X] exchanged by a mask."""
    pointers(c, third=False)
    mask, count, here, there, both = B, FOURTH, 25, 0, 24
    c.label("1")
    for _ in range(2):
        c("ld", there, "X")
        c("ld", here, "Z")
        c("mov", both, here)
        c("eor", both, there)
        c("and", both, mask)
        c("eor", here, both)
        c("eor", there, both)
        c("st", "X+", there)
        c("st", "Z+", here)
    c("dec", count)
    c("brne", "1b")
    c("ret")


def lookup(c: Code) -> None:
    """[Y] = an entry of [X]: the entries and'ed with whether they are it, or'ed together."""
    index, count, length, mask, left, byte, entry = B, FOURTH, FIFTH, 24, 25, 0, 19
    c("push", 28)
    c("push", 29)
    c("movw", 26, A)
    c("movw", 28, R)
    c("movw", 30, R)
    c("mov", left, length)
    c.label("1")
    c("st", "Z+", ZERO)
    c("st", "Z+", ZERO)
    c("dec", left)
    c("brne", "1b")
    c("clr", entry)
    c.label("2")
    c("mov", mask, entry)
    c("eor", mask, index)
    c("neg", mask)
    c("sbc", mask, mask)
    c("com", mask)
    c("movw", 30, 28)
    c("mov", left, length)
    c.label("3")
    for _ in range(2):
        c("ld", byte, "X+")
        c("and", byte, mask)
        c("ld", 21, "Z")
        c("or", byte, 21)
        c("st", "Z+", byte)
    c("dec", left)
    c("brne", "3b")
    c("inc", entry)
    c("cp", entry, count)
    c("brne", "2b")
    c("pop", 29)
    c("pop", 28)
    c("ret")


def mac_row(c: Code) -> None:
    """[Z] += [X] times a word; returns what is carried. A word of it: with the upper halves'
    product, which is below B - 1 by 2 B', B' = 2^8, the carries of three others fit.
    """
    word, a, carried, total, above = (20, 21), (22, 23), (18, 19), (16, 17), (14, 15)
    count, zero = 25, 24
    kept = (*above, *total)
    for register in kept:
        c("push", register)
    c("movw", 26, A)
    c("movw", 30, R)
    c("mov", count, FOURTH)
    c("clr", zero)
    c("clr", carried[0])
    c("clr", carried[1])
    c.label("1")
    c("ld", a[0], "X+")
    c("ld", a[1], "X+")
    c("ld", total[0], "Z")
    c("ldd", total[1], "Z+1")
    c("mul", a[1], word[1])
    c("movw", above[0], 0)
    for low, high in (carried, (0, 1)):
        if low == 0:
            c("mul", a[0], word[0])
        c("add", total[0], low)
        c("adc", total[1], high)
        c("adc", above[0], zero)
        c("adc", above[1], zero)
    for left, right in ((0, 1), (1, 0)):
        c("mul", a[left], word[right])
        c("add", total[1], 0)
        c("adc", above[0], 1)
        c("adc", above[1], zero)
    c("st", "Z+", total[0])
    c("st", "Z+", total[1])
    c("movw", carried[0], above[0])
    c("dec", count)
    c("brne", "1b")
    c("movw", R, carried[0])
    c("clr", ZERO)
    for register in reversed(kept):
        c("pop", register)
    c("ret")
