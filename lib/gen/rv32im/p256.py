"""The field of P-256 on RV32IM: p = 2^256 - 2^224 + 2^192 + 2^96 - 1, elements times R = 2^256,
below p.

Montgomery's reduction makes the low columns zero by adding a multiple m of p, and -1/p is 1 modulo
2^96: so digit k of m is column k itself as it stands when all below is done. B = 2^32,

    m p = -m + m B^3 + m B^6 - m B^7 + m B^8.

-m makes the low columns zero and carries nothing. A negative term would make carries negative, so
its words are complemented: the sum of ~m[k] B^k is B^8 - 1 - m, and

    -m B^7 = ~m B^7 + B^7 - B^15.

The sum is below 2 p. -p = -B^8 + B^7 - B^6 - B^3 + 1 is added as well, above column 8; B^15 is
gone then. p comes back where nothing is left of the carry.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.rv32im.code import Code, Registers, difference_of, ripple, ripple_down, sum_of
from gen.rv32im.product import WORDS, finish, rows, square

FIRSTS = {3: 0, 4: 1, 5: 2, 6: 3, 7: 4}  # digit of m that goes along with a row: at B^(3 + i)
PLUS = (3, 6, 8)
MINUS = 7


def mul(c: Code) -> None:
    """a b / R: the product by rows, digits of m as first carries."""
    t, free = rows(c, FIRSTS)
    reduce(c, t, free, 6, set(FIRSTS.items()))


def sqr(c: Code) -> None:
    """a^2 / R."""
    t, free = square(c)
    reduce(c, t, free, 3, set())


def reduce(
    c: Code, t: Sequence[str], free: Registers, start: int, done: set[tuple[int, int]]
) -> None:
    """m p, column by column from `start` on, but for what is done; -p; the result goes out."""
    carry = ""
    for k in range(start, 2 * WORDS):
        c.note(f"column {k}")
        count = ""
        if carry and k in {MINUS, WORDS}:
            c("addi", carry, carry, 1)
        for word in [carry] if carry else []:
            c.add(t[k], word, word)
            count = word
        for shift in (*PLUS, MINUS):
            digit = k - shift
            if not 0 <= digit < WORDS or (k, digit) in done:
                continue
            word, bit = t[digit], free.take()
            if shift == MINUS:
                c("xori", bit, word, -1)
                word = bit
            c.add(t[k], word, bit)
            if count:
                c("add", count, count, bit)
                free.give(bit)
            else:
                count = bit
        carry = count
        if k >= WORDS:
            free.give(t[k - WORDS])
    words = t[WORDS:]
    c.note("-p")
    bit, other = free.several(2)
    once(c, words, carry, bit, other)
    finish(c, words, bit)


def once(c: Code, r: Sequence[str], top: str, bit: str, other: str) -> None:
    """r and its carry `top`, below 2 p, to which 1 has been added, less p + 1 or 1: below p. To
    the sum comes -B^3 - B^6 - B^8, B^7 is there already.
    """
    c("seqz", bit, r[3])
    c("addi", r[3], r[3], -1)
    bit, other = ripple_down(c, r[4:6], bit, other, last=False)
    c("addi", bit, bit, 1)
    bit, other = ripple_down(c, r[6:8], bit, other, last=False)
    c("addi", bit, bit, 1)
    c("sub", bit, bit, top)
    add_p(c, r, bit, other, top)


def add_p(c: Code, r: Sequence[str], s: str, t: str, u: str) -> None:
    """r += p where s is 1, not where it is 0: s (-1 + B^3 + B^6 - B^7) modulo B^8."""
    c.sub(r[0], s, t)
    t, u = ripple_down(c, r[1:3], t, u, last=False)
    c("sub", t, s, t)
    ripple(c, r[3:6], t, last=False)
    c("add", t, t, s)
    c.add(r[6], t, t)
    c("sub", t, t, s)
    c("add", r[7], r[7], t)


def operands(c: Code, count: int) -> tuple[list[str], list[str], list[str]]:
    """Words of a and, with `count` 2, of b; four registers that are free."""
    free = Registers(["a0", "a1", "a2"])
    a = [*free.several(WORDS - 1), "a1"]
    c.load(a, "a1")
    b = [*free.several(WORDS - 1), "a2"] if count == 2 else []
    if b:
        c.load(b, "a2")
    return a, b, free.several(4)


def out(c: Code, words: Sequence[str]) -> None:
    """Stores the result where a0 points, and returns."""
    c.store(words, "a0")
    c("ret")


def add_reduced(c: Code, a: Sequence[str], b: Sequence[str], free: Sequence[str]) -> None:
    """a += b modulo p: with 1, and B^7."""
    carry, t, u = free[:3]
    sum_of(c, a, b, carry, t, one=True)
    c("li", t, 1)
    c.add(a[7], t, t)
    c("add", carry, carry, t)
    once(c, a, carry, t, u)


def add(c: Code) -> None:
    """a + b: -p is added as well, and comes back where the sum was below p."""
    a, b, free = operands(c, 2)
    add_reduced(c, a, b, free)
    out(c, a)


def sub(c: Code) -> None:
    """a - b."""
    a, b, (borrow, t, u, _) = operands(c, 2)
    difference_of(c, a, b, borrow, (t, u))
    add_p(c, a, borrow, t, u)
    out(c, a)


def three_halves(c: Code) -> None:
    """3 a / 2: a/2 is (a + p)/2 where a is odd."""
    a, _, (s, t, u, _) = operands(c, 1)
    half = Registers([*a, "a0", s, t, u]).several(WORDS)
    for word, copy in zip(a, half, strict=True):
        c("mv", copy, word)
    c("andi", s, half[0], 1)
    add_p(c, half, s, t, u)
    c.note("p's top word is B - 1: nothing is carried out of s p where the top word grows")
    c("sltu", t, a[7], half[7])
    c("sub", t, s, t)
    for k in range(WORDS):
        c("srli", half[k], half[k], 1)
        c("slli", u, half[k + 1] if k < WORDS - 1 else t, 31)
        c("add", half[k], half[k], u)
    add_reduced(c, half, a, (s, t, u))
    out(c, half)
