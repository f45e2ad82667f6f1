"""Products and squares of 256 bits on RV32IM: what the fields have in common.

Words are counted from the lowest, B = 2^32; column k is what stands at B^k. Routines take
pointers a0 = result, a1 = a, a2 = b, and keep sp, gp, tp, ra and a0: formulas call them many times
and save registers once. The lowest word of the caller's frame is theirs. A result may stand where
an operand does.

A product goes by rows: all words of a, in registers, times a word of b, added to the columns, all
16 of which stay in registers. To add the carry of the word before and the column takes three
instructions each, because the upper half of the product takes both carries:
(B - 1)^2 + 2 (B - 1) = B^2 - 1. Column by column, sums of three words would have to be kept, and
a word more to be added in each column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gen.rv32im.code import Code, Registers, at

WORDS = 8


def row(  # noqa: PLR0917 - what a row is made of
    c: Code,
    free: Registers,
    a: Sequence[str],
    b: str,
    columns: list[str | None],
    first: str | None = None,
) -> str:
    """columns += a b + first; returns the register of the carry. Columns that are None begin."""
    carry, own = first, False
    for j, word in enumerate(a):
        low, high = free.several(2)
        c("mul", low, word, b)
        c("mulhu", high, word, b)
        if carry is not None:
            bit = carry if own else free.take()
            c.add(low, carry, bit)
            c("add", high, high, bit)
            free.give(bit)
        column = columns[j]
        if column is None:
            columns[j] = low
        else:
            c.add(column, low, low)
            c("add", high, high, low)
            free.give(low)
        carry, own = high, True
    assert carry is not None
    return carry


def rows(c: Code, firsts: Mapping[int, int]) -> tuple[list[str], Registers]:
    """a b: 16 columns in registers, and what else is free.

    `firsts`: by row, the column below it that is added to its first one, as Montgomery's
    reduction of P-256 asks for.
    """
    c("sw", "a0", at("sp", 0))
    free = Registers(["a1", "a2"])
    a = [*free.several(WORDS - 1), "a1"]
    c.load(a, "a1")
    t: list[str | None] = [None] * (2 * WORDS)
    for i in range(WORDS):
        b = free.take() if i < WORDS - 1 else "a2"
        c.note(f"row {i}")
        c("lw", b, at("a2", i))
        columns = t[i : i + WORDS]
        first = t[firsts[i]] if i in firsts else None
        carry = row(c, free, a, b, columns, first)
        t[i : i + WORDS + 1] = [*columns, carry]
        free.give(b)
    free.give(*a)
    return [word for word in t if word is not None], free


def square(c: Code) -> tuple[list[str], Registers]:
    """a^2, likewise: the mixed products by rows, doubled, and the squares of words.

    A square is 0, 1 or 4 modulo 8, so its low word is not B - 1: it takes a carry.
    """
    c("sw", "a0", at("sp", 0))
    free = Registers(["a1"])
    a = [*free.several(WORDS - 1), "a1"]
    c.load(a, "a1")
    t: list[str | None] = [None] * (2 * WORDS)
    for i in range(WORDS - 1):
        c.note(f"row {i}")
        columns = t[2 * i + 1 : i + WORDS]
        carry = row(c, free, a[i + 1 :], a[i], columns)
        t[2 * i + 1 : i + WORDS + 1] = [*columns, carry]
    c.note("doubled, and squares added")
    bit = carry = ""
    result: list[str] = []
    for i in range(WORDS):
        low, high = a[i], free.take()
        c("mulhu", high, a[i], a[i])
        c("mul", low, a[i], a[i])
        if carry:
            c("add", low, low, carry)
            free.give(carry)
        even, odd = t[2 * i], t[2 * i + 1]
        if even is None:
            result.append(low)
        else:
            bit = doubled(c, free, even, bit)
            c.add(even, low, low)
            c("add", high, high, low)
            free.give(low)
            result.append(even)
        if odd is None:
            c("add", bit, bit, high)
            free.give(high)
            result.append(bit)
        else:
            bit = doubled(c, free, odd, bit)
            c.add(odd, high, high)
            carry = high
            result.append(odd)
    return result, free


def doubled(c: Code, free: Registers, word: str, bit: str) -> str:
    """word = 2 word + bit; returns the register of what is shifted out."""
    above = free.take()
    c("srli", above, word, 31)
    c("slli", word, word, 1)
    if bit:
        c("add", word, word, bit)
        free.give(bit)
    return above


def finish(c: Code, words: Sequence[str], free: str) -> None:
    """Stores the result, and returns."""
    if "a0" in words:
        c("mv", free, "a0")
        words = [free if word == "a0" else word for word in words]
    c("lw", "a0", at("sp", 0))
    c.store(words, "a0")
    c("ret")
