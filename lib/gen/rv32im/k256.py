"""The field of secp256k1 on RV32IM: p = 2^256 - c, c = 2^32 + 977, elements times R = 2^256, below
p.

Montgomery's reduction takes a multiple m of p away: T - m p = T + m c - m 2^256, and digit k of m
makes column k zero: m[k] = -x/977 modulo B = 2^32, where x is what stands there when all below is
done. The digit comes in at column k by 977 m[k], and at column k + 1 as it is. The low half of
977 m[k] is -x, so only its upper half is computed: what column k carries is that, below 977, and 1
where x is not 0. T + m c is below p^2 + 2^256 c < 2^512, and nothing is carried out of the top.
The upper half less m is above -p and below p: p is added where it is negative, which is to
subtract c from what is left modulo 2^256.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.rv32im.code import Code, Registers, at, difference_of, ripple, ripple_down, sum_of
from gen.rv32im.p256 import operands, out
from gen.rv32im.product import WORDS, finish, rows, square

SMALL = 977
INVERSE = -pow(SMALL, -1, 1 << 32) % (1 << 32)  # a digit's factor


def mul(c: Code) -> None:
    """a b / R."""
    reduce(c, *rows(c, {}))


def sqr(c: Code) -> None:
    """a^2 / R."""
    reduce(c, *square(c))


def reduce(c: Code, t: Sequence[str], free: Registers) -> None:
    """The digits of m; the upper half less m, and less c where that borrowed; the result goes
    out.
    """
    factor, small = free.several(2)
    c("li", factor, INVERSE)
    c("li", small, SMALL)
    digits: list[str] = []
    carried = ""
    for k in range(WORDS):
        c.note(f"digit {k}")
        x = t[k]
        if digits:
            bit = free.take()
            c.add(x, carried, carried)
            c.add(x, digits[-1], bit)
            c("add", carried, carried, bit)
            free.give(bit)
        digit, high = free.several(2)
        c("mul", digit, x, factor)
        c("mulhu", high, digit, small)
        c("snez", x, x)
        c("add", high, high, x)
        if digits:
            c("add", high, high, carried)
            free.give(carried)
        free.give(x)
        digits.append(digit)
        carried = high
    free.give(factor, small)
    words = t[WORDS:]
    c.note("what the last one carries, and the last digit, go to the upper half")
    bit = free.take()
    c.add(words[0], carried, carried)
    c.add(words[0], digits[-1], bit)
    c("add", carried, carried, bit)
    ripple(c, words[1:], carried, last=True)
    c.note("less m")
    other = free.take()
    difference_of(c, words, digits, carried, (bit, other))
    less_c(c, words, carried, bit, other)
    finish(c, words, bit)


def less_c(c: Code, r: Sequence[str], s: str, t: str, u: str) -> None:
    """r -= c where s is 1, not where it is 0, modulo B^8."""
    c("neg", t, s)
    c("andi", t, t, SMALL)
    c.sub(r[0], t, u)
    c("add", u, u, s)
    ripple_down(c, r[1:], u, t, last=True)


def add_reduced(c: Code, a: Sequence[str], b: Sequence[str], free: Sequence[str]) -> None:
    """a += b modulo p: c comes on top, and goes again where neither sum was carried out of. They
    are not both, since a + b + c is below 2 p + c.
    """
    carry, t, u = free[:3]
    sum_of(c, a, b, carry, t, one=False)
    c("li", t, SMALL)
    c.add(a[0], t, t)
    c("addi", t, t, 1)
    ripple(c, a[1:], t, last=False)
    c("or", carry, carry, t)
    c("xori", carry, carry, 1)
    less_c(c, a, carry, t, u)


def add(c: Code) -> None:
    """a + b."""
    a, b, free = operands(c, 2)
    add_reduced(c, a, b, free)
    out(c, a)


def sub(c: Code) -> None:
    """a - b."""
    a, b, (borrow, t, u, _) = operands(c, 2)
    difference_of(c, a, b, borrow, (t, u))
    less_c(c, a, borrow, t, u)
    out(c, a)


def three_halves(c: Code) -> None:
    """3 a / 2: where a is odd, a/2 is (a - 1)/2 + (p + 1)/2 = (a - 1)/2 + 2^255 - (c - 1)/2."""
    a, _, (s, t, u, _) = operands(c, 1)
    half = Registers([*a, "a0", s, t, u]).several(WORDS)
    c("andi", s, a[0], 1)
    for k in range(WORDS):
        c("srli", half[k], a[k], 1)
        c("slli", u, a[k + 1] if k < WORDS - 1 else s, 31)
        c("add", half[k], half[k], u)
    c("li", t, (1 << 31) + SMALL // 2)
    c("neg", s, s)
    c("and", t, t, s)
    c.sub(half[0], t, u)
    ripple_down(c, half[1:], u, t, last=True)
    add_reduced(c, half, a, (s, t, u))
    out(c, half)


def negate(c: Code) -> None:
    """-a in place of a, not 0, where the mask a1 is all ones: ~a - (c - 1), which does not borrow,
    for ~a is 2^256 - 1 - a.

    A function for C: a0 points to a.
    """
    word, less, borrow, mask = "a2", "a3", "a4", "a1"
    c("andi", less, mask, SMALL - 1)
    for k in range(WORDS):
        c("lw", word, at("a0", k))
        c("xor", word, word, mask)
        if k < WORDS - 1:
            c.sub(word, less, borrow)
        else:
            c("sub", word, word, less)
        c("sw", word, at("a0", k))
        less, borrow = borrow, less
        if k == 0:
            c("neg", borrow, mask)
            c("add", less, less, borrow)
    c("ret")
