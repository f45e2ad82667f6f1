"""The field of 2^255 - 19 on RV32IM: 2^256 is 38, and 2^255 is 19.

An element is any integer below 2^256 of its class. Products are tight: below 2^255 + 2^25.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.rv32im.code import (
    Code,
    Registers,
    at,
    difference_of,
    ripple,
    ripple_down,
    sum_of,
)
from gen.rv32im.p256 import operands, out
from gen.rv32im.product import WORDS, finish, row, rows, square

TWICE = 38


def mul(c: Code) -> None:
    """a b: the product by rows, then folded."""
    fold(c, *rows(c, {}))


def sqr(c: Code) -> None:
    """a^2, likewise."""
    fold(c, *square(c))


def fold(c: Code, t: list[str], free: Registers) -> None:
    """Columns 0 to 7 + 38 times those above: one more row; the result goes out."""
    c.note("38 times the upper half")
    factor = free.take()
    c("li", factor, TWICE)
    low: list[str | None] = list(t[:WORDS])
    carry = row(c, free, t[WORDS:], factor, low)
    lower(c, t[:WORDS], carry, factor)
    finish(c, t[:WORDS], factor)


def lower(c: Code, words: Sequence[str], carry: str, free: str) -> None:
    """What lies above bit 255 of the words and their carry, below 2^26, comes down as 19 each."""
    top = words[WORDS - 1]
    c("slli", carry, carry, 1)
    c("srli", free, top, 31)
    c("add", carry, carry, free)
    c("slli", top, top, 1)
    c("srli", top, top, 1)
    c("li", free, TWICE // 2)
    c("mul", carry, carry, free)
    ripple(c, words, carry, last=True)


def twice_19(c: Code, bit: str) -> None:
    """38 where the bit is 1, else 0."""
    c("neg", bit, bit)
    c("andi", bit, bit, TWICE)


def add(c: Code) -> None:
    """a + b. 38 comes for what is carried.

    Where that carries again, hardly anything is left, and 38 fits into the lowest word.
    """
    a, b, free = operands(c, 2)
    carry = free[0]
    sum_of(c, a, b, carry, free[1], one=False)
    twice_19(c, carry)
    ripple(c, a, carry, last=False)
    twice_19(c, carry)
    c("add", a[0], a[0], carry)
    out(c, a)


def add_tight(c: Code) -> None:
    """a + b of two products: below 2^26 is left where something is carried."""
    a, b, free = operands(c, 2)
    carry = free[0]
    sum_of(c, a, b, carry, free[1], one=False)
    twice_19(c, carry)
    c("add", a[0], a[0], carry)
    out(c, a)


def sub(c: Code) -> None:
    """a - b, likewise: 38 is taken for what is borrowed."""
    a, b, free = operands(c, 2)
    borrow, t, u = free[:3]
    difference_of(c, a, b, borrow, (t, u))
    twice_19(c, borrow)
    borrow, _ = ripple_down(c, a, borrow, t, last=False)
    twice_19(c, borrow)
    c("sub", a[0], a[0], borrow)
    out(c, a)


def select(c: Code) -> None:
    """b where the mask in a3 is all ones, else a."""
    a, b = Registers(["a0", "a1", "a2", "a3"]).several(2)
    for k in range(WORDS):
        c("lw", a, at("a1", k))
        c("lw", b, at("a2", k))
        c("xor", b, b, a)
        c("and", b, b, "a3")
        c("xor", b, b, a)
        c("sw", b, at("a0", k))
    c("ret")


def small_add(c: Code) -> None:
    """a times the lowest word of b, plus c: a0 result, a1 a, a2 b, a3 c; b below 2^19."""
    free = Registers(["a0", "a1", "a2", "a3"])
    sums = [*free.several(WORDS - 1), "a3"]
    c.load(sums, "a3")
    a = [*free.several(WORDS - 1), "a1"]
    c.load(a, "a1")
    c("lw", "a2", at("a2", 0))
    columns: list[str | None] = [*sums]
    carry = row(c, free, a, "a2", columns)
    lower(c, sums, carry, "a2")
    out(c, sums)
