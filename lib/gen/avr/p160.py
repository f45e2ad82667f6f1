"""Modulo p = 2^160 - 2^31 - 1, the prime of secp160r1, with elements of 12 words of which the upper
two are 0: 20 bytes count.

Montgomery's reduction by 2^192 costs no product: -1/p is 2^31 + 1 modulo 2^32. Of a word w with
lowest bit b the digit m is w with its highest bit flipped if b is set, and w - m - 2^31 b is
-2^32 e, e = 1 where b is set and the highest bit of w is not. The rest of m p 2^(32 k), beside
that, is m above, five words up, less half of m, rounded down, one word up. So column k is
t[k] - m[k-1]/2 - e[k-1] + m[k-5] and what is carried, from -1 to 1.
"""

from __future__ import annotations

from gen.avr.code import Code
from gen.avr.p256 import Prime, add_modulo, lower, sub_modulo
from gen.avr.products import mul_bytes, sqr_bytes

SIZE = 20
DIGITS = 6
PRIME = Prime((1 << 160) - (1 << 31) - 1, SIZE, 4)
ZERO = 1
KEPT = tuple(range(2, 18))


def mul(c: Code) -> None:
    """A product of 20 bytes."""
    mul_bytes(c, SIZE, (8, 8, 4))


def sqr(c: Code) -> None:
    """A square of 20 bytes, all of them in registers."""
    sqr_bytes(c, tuple(range(2, 22)), ((22, 23, 24), (26, 27, 25)), 28)


def redc(c: Code) -> None:
    """r = t / 2^192 mod p."""
    total, half, high, e, byte = (18, 19, 20, 21), (16, 17, 24, 25), 22, 23, 0
    c("push", 16)
    c("push", 17)
    c("movw", 30, 22)
    c("movw", 26, 24)
    c("clr", high)
    for column in range(11):
        c("mov", total[0], high)
        c("lsl", high)
        c("sbc", high, high)
        for register in total[1:]:
            c("mov", register, high)
        added = [column] if column < 10 else []
        added += [column - 5] if column >= 5 else []
        for word in added:
            for k, register in enumerate(total):
                c("ldd", byte, f"Z+{4 * word + k}")
                c("adc" if k else "add", register, byte)
            c("adc", high, ZERO)
        if 1 <= column <= DIGITS:
            c("lsr", e)
            for register, word in zip(total, half, strict=True):
                c("sbc", register, word)
            c("sbc", high, ZERO)
        if column >= DIGITS:
            for register in total:
                c("st", "X+", register)
            continue
        c("mov", e, total[3])
        c("com", e)
        c("lsl", e)
        c("clr", e)
        c("rol", e)
        c("and", e, total[0])
        c("mov", half[3], total[0])
        c("lsr", half[3])
        c("clr", half[3])
        c("ror", half[3])
        c("eor", total[3], half[3])
        for k, register in enumerate(total):
            c("std", f"Z+{4 * column + k}", register)
        c("movw", half[0], total[0])
        c("movw", half[2], total[2])
        for k in (3, 2, 1, 0):
            c("ror" if k < 3 else "lsr", half[k])
    for _ in range(4):
        c("st", "X+", ZERO)
    c("movw", 30, 26)
    c("sbiw", 30, "24")
    lower(c, high, PRIME)
    c("pop", 17)
    c("pop", 16)
    c("ret")


def add(c: Code) -> None:
    """A sum."""
    add_modulo(c, PRIME)


def sub(c: Code) -> None:
    """A difference."""
    sub_modulo(c, PRIME)
