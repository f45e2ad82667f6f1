"""The field of P-384 on the Cortex-M4: p = 2^384 - c, c = 2^128 + 2^96 - 2^32 + 1, elements times
R = 2^384, below p.

Routines take pointers r0 = result, r1 = a, r2 = b, and keep nothing but sp. Of 14 registers twelve
hold an element: two are left, so that sums store nothing between, but no result is passed on in
registers. In words, from the lowest, p is -1, 0, 0, -1, -2 and -1 on, c is 1, -1, -1, 0, 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from armv7em.code import Code, at, several
from armv7em.longer import blocks

WORDS = ("r0", *(f"r{k}" for k in range(3, 13)), "lr")
MASK, POINTER = "r1", "r2"
BYTES = 48


def mul(c: Code) -> None:
    """a b / R."""
    c("push", several(("r0", "lr")))
    c("sub", "sp", "sp", f"#{2 * BYTES}")
    c("mov", "r0", "sp")
    blocks(c, 12)
    reduce(c)


def sqr(c: Code) -> None:
    """a^2 / R."""
    c("mov", "r2", "r1")
    c("b", "ecfit_secp384r1_mul")


ONE = "r12"


def reduce(c: Code) -> None:
    """t/R modulo p of t on the stack, 24 words, to where the word above it points; the end.

    -1/p is 1 modulo 2^32: digit k of the quotient is
    d[k] = t[k] + d[k-1] - d[k-3] - d[k-4] and what is carried, and goes where t[k] was. Above,
    d[k-12] is added, too. In place of -d stands its complement, -d - 1 + B: 1 too much in its
    column, which the next takes back with B, where another comes, so that only where such begin
    or end a constant is left. UMAAL with a factor 1 takes three words to a column, and what is
    carried stays positive.
    """
    d = ("r2", "r3", "r4", "r5")  # the last four digits, by k modulo 4,
    n = ("r6", "r7", "r8", "r9")  # their complements
    carry, low, other = "r10", "r11", "lr"
    c("mov", "r1", "sp")
    c("mov", ONE, "#1")
    c("mov", carry, "#0")
    for k in range(16):
        last, third, fourth = d[(k - 1) % 4], n[(k - 3) % 4], n[k % 4]
        low = d[k % 4] if k < 12 else "r11"
        c("ldr", low, at("r1", k))
        if k == 12:
            c("ldr", other, at("r1", 0))
            c("umaal", low, other, last, ONE)
            c("umaal", low, carry, third, ONE)
            c("add", carry, carry, other)
            c("mov", other, "#0")
            c("umaal", low, other, fourth, ONE)
        elif k > 12:
            c("ldr", other, at("r1", k - 12))
            c("umaal", low, carry, fourth, ONE)
            if k < 15:
                c("umaal", low, other, third, ONE)
            else:
                c("adds", low, low, other)
                c("mov", other, "#0")
                c("adc", other, other, "#0")
        elif k:
            c("umaal", low, carry, last, ONE)
            if k == 3:
                c("mov", other, third)
                c("umaal", low, other, ONE, ONE)  # and 1
            elif k >= 4:
                c("mov", other, third)
                c("umaal", low, other, fourth, ONE)
        if k in {3, 4} or k >= 5:
            c("add", carry, carry, other)
        if k == 3:
            c("add", carry, carry, "#1")  # of column 4
        if k < 12:
            c("mvn", n[k % 4], low)
            c("str", low, at("r1", k))
        elif k < 15:
            c("str", low, at("r1", k))
    top(c)


def top(c: Code) -> None:
    """Columns 16 to 23; what is 1 too much in columns 15 and 16 goes; less p where it is more.

    r10 has the carry, r11 column 15.
    """
    value = ("r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr")
    c("subs", "r11", "r11", "#1")
    c("sbc", "r10", "r10", "#1")
    c("str", "r11", at("r1", 15))
    c("str", "r10", "[sp, #-4]!")
    high = value[4:]
    c("add", "r2", "r1", "#16")
    c("ldm", "r2", several(high))
    for k in range(8):
        c("ldr", "r2", at("r1", 16 + k))
        c("adcs" if k else "adds", high[k], high[k], "r2")
    c("mov", "r2", "#0")
    c("adc", "r2", "r2", "#0")
    c("ldr", "r3", "[sp], #4")
    c("adds", high[0], high[0], "r3")
    c("asr", "r3", "r3", "#31")
    for word in high[1:]:
        c("adcs", word, word, "r3")
    c("adc", "r0", "r2", "r3")
    for k in range(4):
        c("ldr", value[k], at("r1", 12 + k))
    c("lsrs", "r0", "r0", "#1")  # the carry
    last_p(c, value, {0: "#1", 1: "#-1", 2: "#-1", 4: "#1"}, ("r0", "r1"))
    c("ldr", "r0", at("sp", 24))
    c("stm", "r0", several(value))
    c("add", "sp", "sp", f"#{2 * BYTES + 4}")
    c("pop", several(("pc",)))


def last_p(c: Code, value: Sequence[str], rest: dict[int, str], free: tuple[str, str]) -> None:
    """Less p = B^n - rest where that is not negative: the rest comes on top, and goes again where
    nothing was carried, now or before, which is the carry flag.

    `rest`: by word; a register, or #1, or #-1 for all ones.
    """
    carried, mask = free
    c("mov", carried, "#0")
    c("adc", carried, carried, "#0")
    for k, word in enumerate(value):
        operand = rest.get(k, "#0")
        if operand == "#-1":  # x + (B - 1) + carry is x - 0 - (1 - carry)
            c("sbcs", word, word, "#0")
        else:
            c("adcs" if k else "adds", word, word, operand)
    c("adc", carried, carried, "#0")
    c("sub", mask, carried, "#1")
    register = next((name for name in rest.values() if name.startswith("r")), None)
    if register:
        c("and", register, register, mask)
    c("and", carried, mask, "#1")
    masked = {"#1": carried, "#-1": mask}
    for k, word in enumerate(value):
        operand = rest.get(k, "#0")
        c("sbcs" if k else "subs", word, word, masked.get(operand, operand))


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
    bit = f"{MASK}, lsr #31"
    for k, word in enumerate(WORDS):
        operand = {0: bit, 1: MASK, 2: MASK, 4: bit}.get(k, "#0")
        c("sbcs" if k else "subs", word, word, operand)


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
