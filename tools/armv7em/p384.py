"""The field of P-384 on the Cortex-M4: p = 2^384 - c, c = 2^128 + 2^96 - 2^32 + 1, elements times
R = 2^384, below p.

Routines take pointers r0 = result, r1 = a, r2 = b, and keep nothing but sp. Of 14 registers twelve
hold an element: two are left, so that sums store nothing between, but no result is passed on in
registers. In words, from the lowest, p is -1, 0, 0, -1, -2 and -1 on, c is 1, -1, -1, 0, 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from armv7em.code import Code, at, several
from armv7em.longer import FOUR

WORDS = ("r0", *(f"r{k}" for k in range(3, 13)), "lr")
MASK, POINTER = "r1", "r2"
BYTES = 48


def mul(c: Code) -> None:
    """a b / R."""
    c("push", several(("r0", "lr")))
    c("sub", "sp", "sp", f"#{2 * BYTES}")
    for block in (0, 4, 8):
        rows(c, block)
    reduce(c)


def sqr(c: Code) -> None:
    """a^2 / R."""
    c("mov", "r2", "r1")
    c("b", "ecfit_secp384r1_mul")


COLUMNS = ("r8", "r9", "r10", "r11", "r3", "r0")  # of a row, its carry, and one to be stored
WORD = "r12"  # of b


def rows(c: Code, block: int) -> None:
    """Four words of a, where r1 points, times all of b, word by word, on the stack from column
    `block` on; r1 goes on.

    As longer.mul, but that a column waits until the next row has loaded, behind which storing it
    costs nothing.
    """
    c.note(f"words {block} to {block + 3} of a")
    c("ldm", "r1!", several(FOUR))
    for j in range(12):
        *columns, carry, done = (COLUMNS[(j + i) % 6] for i in range(6))
        if j == 0 and block:
            for i, column in enumerate(columns):
                c("ldr", column, at("sp", block + i))
        c("ldr", WORD, at("r2", j))
        if j >= 4 and block:
            c("ldr", carry, at("sp", block + j))
        if j:
            c("str", done, at("sp", block + j - 1))
        if block == 0 == j:
            c("umull", columns[0], carry, FOUR[0], WORD)
            for column, word in zip(columns[1:], FOUR[1:], strict=True):
                c("mov", column, "#0")
                c("umaal", column, carry, word, WORD)
            continue
        if j < 4 or not block:
            c("mov", carry, "#0")
        for column, word in zip(columns, FOUR, strict=True):
            c("umaal", column, carry, word, WORD)
    for k in range(11, 16):
        c("str", COLUMNS[k % 6], at("sp", block + k))


ONE = "r12"
LOW = ("r2", "r3", "r4", "r5")  # the last four digits, by k modulo 4, then columns 12 to 15
MINUS = ("r6", "r7", "r8", "r9")  # complements of these digits
CARRY, OTHER = "r10", "lr"
HIGH = ("r7", "r8", "r9", "r10", "r11", "r12", "lr")  # columns 17 to 23


def reduce(c: Code) -> None:
    """t/R modulo p of t on the stack, 24 words, to where the word above it points; the end.

    -1/p is 1 modulo 2^32: digit k of the quotient is
    d[k] = t[k] + d[k-1] - d[k-3] - d[k-4] and what is carried, and goes where t[k] was. Above,
    d[k-12] is added, too. In place of -d stands its complement, -d - 1 + B: 1 too much in its
    column, which the next takes back with B, where another comes, so that only where such begin
    or end a constant is left. UMAAL with a factor 1 takes three words to a column, and what is
    carried stays positive. Words are loaded ahead, before one is stored, which then costs nothing.
    """
    c("mov", ONE, "#1")
    c("mov", CARRY, "#0")
    c("ldr", LOW[0], at("sp", 0))
    for k in range(16):
        terms(c, k)
        if k >= 3:
            c("add", CARRY, CARRY, OTHER)
        if k == 3:
            c("add", CARRY, CARRY, "#1")  # of column 4
        if k < 12:
            c("mvn", MINUS[k % 4], LOW[k % 4])
        if k < 15:
            c("ldr", LOW[(k + 1) % 4], at("sp", k + 1))
        if 11 <= k < 15:
            c("ldr", OTHER, at("sp", k - 11))
        if k < 12:
            c("str", LOW[k % 4], at("sp", k))
    top(c)


def terms(c: Code, k: int) -> None:
    """Digits and their complements, and CARRY, are added to column k; OTHER: what it carries, more.

    From column 12 on, OTHER is d[k-12] before.
    """
    low, last, third, fourth = LOW[k % 4], LOW[(k - 1) % 4], MINUS[(k - 3) % 4], MINUS[k % 4]
    if k == 12:
        c("umaal", low, OTHER, last, ONE)
        c("umaal", low, CARRY, third, ONE)
        c("add", CARRY, CARRY, OTHER)
        c("mov", OTHER, "#0")
        c("umaal", low, OTHER, fourth, ONE)
    elif k == 15:
        c("umaal", low, CARRY, fourth, ONE)
        c("adds", low, low, OTHER)
        c("mov", OTHER, "#0")
        c("adc", OTHER, OTHER, "#0")
    elif k > 12:
        c("umaal", low, CARRY, fourth, ONE)
        c("umaal", low, OTHER, third, ONE)
    elif k:
        c("umaal", low, CARRY, last, ONE)
        if k >= 3:
            c("mov", OTHER, third)
            c("umaal", low, OTHER, ONE if k == 3 else fourth, ONE)  # and 1 of column 3


def top(c: Code) -> None:
    """Columns 16 to 23 are added to digits 4 to 11; what is 1 too much in columns 15 and 16 goes;
    less p where it is more.

    That is words 3 and 4 of the value: less B^3 + B^4, and with c = B^4 + B^3 - B + 1 on top, it is
    1 - B more than it was.
    """
    first, carried = "r6", "r1"
    value = (*LOW, first, *HIGH)
    c("ldr", first, at("sp", 16))
    c("ldr", carried, at("sp", 4))
    c("umaal", first, CARRY, carried, ONE)
    c("cmp", CARRY, "#1")
    c("add", carried, "sp", "#68")
    c("ldm", carried, several(HIGH))
    for k in range(0, 7, 2):
        pair = ("r0", "r1")[: 7 - k]
        for j, word in enumerate(pair):
            c("ldr", word, at("sp", 5 + k + j))
        for j, word in enumerate(pair):
            c("adcs", HIGH[k + j], HIGH[k + j], word)
    mask = carried
    c("mov", mask, "#0")
    c("adc", mask, mask, "#0")
    for k, word in enumerate(value):  # x + (B - 1) + carry is x - 0 - (1 - carry)
        c("sbcs" if k else "adds", word, word, "#0" if k else "#1")
    c("adc", mask, mask, "#0")
    c("sub", mask, mask, "#2")
    less_c(c, value, mask)
    c("ldr", "r0", at("sp", 24))
    c("stm", "r0", several(value))
    c("add", "sp", "sp", f"#{2 * BYTES + 4}")
    c("pop", several(("pc",)))


def less_c(c: Code, words: Sequence[str], mask: str) -> None:
    """The words less c where the mask is all ones."""
    bit = f"{mask}, lsr #31"
    for k, word in enumerate(words):
        operand = {0: bit, 1: mask, 2: mask, 4: bit}.get(k, "#0")
        c("sbcs" if k else "subs", word, word, operand)


def both(c: Code, first: str, others: str) -> None:
    """WORDS = a op b: four words at a time, and two when registers become few."""
    c("push", several(("r0", "lr")))
    for start, count in ((0, 4), (4, 4), (8, 2), (10, 2)):
        of_a = WORDS[start : start + count]
        of_b = WORDS[start + count : start + 2 * count] if start < 10 else (MASK, POINTER)
        c("ldm", "r1!" if start < 10 else "r1", several(of_a))
        c("ldm", "r2!" if start < 10 else "r2", several(of_b))
        for k in range(count):
            c(others if start + k else first, of_a[k], of_a[k], of_b[k])


def add_p(c: Code, *, carry: bool = False) -> None:
    """WORDS += p where the mask is all ones; the carry out, where it is asked for, in the flags."""
    for k, word in enumerate(WORDS):
        operand = {1: "#0", 2: "#0", 4: f"{MASK}, lsl #1"}.get(k, MASK)
        last = k == len(WORDS) - 1 and not carry
        c("adc" if last else "adcs" if k else "adds", word, word, operand)


def once(c: Code) -> None:
    """WORDS with their carry, below 2 p, become less than p: c comes on top, and goes again where
    neither sum was carried out of.
    """
    c("sbc", MASK, MASK, MASK)  # -1 where nothing was carried
    for k, word in enumerate(WORDS):
        if k in {1, 2}:  # x + (B - 1) + carry is x - 0 - (1 - carry)
            c("sbcs", word, word, "#0")
        else:
            c("adcs" if k else "adds", word, word, "#1" if k in {0, 4} else "#0")
    c("adc", MASK, MASK, "#0")  # not both: below 2 p + c
    less_c(c, WORDS, MASK)


def finish(c: Code) -> None:
    """Stores the result, and returns."""
    c("pop", several((POINTER,)))
    c("stm", POINTER, several(WORDS))
    c("pop", several(("pc",)))


def add(c: Code) -> None:
    """a + b."""
    both(c, "adds", "adcs")
    once(c)
    finish(c)


def sub(c: Code) -> None:
    """a - b."""
    both(c, "subs", "sbcs")
    c("sbc", MASK, MASK, MASK)
    add_p(c)
    finish(c)


def three_halves(c: Code) -> None:
    """3 a/2: a/2, which is (a + p)/2 where a is odd, + a."""
    c("push", several(("r0", "lr")))
    c("mov", POINTER, "r1")
    c("ldm", POINTER, several(WORDS))
    c("and", MASK, WORDS[0], "#1")
    c("rsb", MASK, MASK, "#0")
    add_p(c, carry=True)
    for word in reversed(WORDS):
        c("rrxs", word, word)
    for k, word in enumerate(WORDS):
        c("ldr", MASK, f"[{POINTER}], #4")
        c("adcs" if k else "adds", word, word, MASK)
    once(c)
    finish(c)
