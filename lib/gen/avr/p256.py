"""Modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1, the prime of P-256.

Montgomery's reduction of it costs no product: -1/p is 1 modulo 2^96, so the quotient's digit m[k]
is the lowest word of 32 bits itself, and m p = -m + m 2^96 + m 2^192 - m 2^224 + m 2^256. Column
k is t[k] + m[k-3] + m[k-6] - m[k-7] + m[k-8] and what is carried, from -1 to 3: m[0] to m[2] are
t[0] to t[2], and every other digit takes the place of its word of t.

Sums, differences and the end of the reduction compare with p, or add and subtract it by a mask:
its bytes are 0xff, 0 and a single 1.
"""

from __future__ import annotations

from typing import NamedTuple

from gen.avr.code import Code

ZERO = 1
WORDS = 8


class Prime(NamedTuple):
    """A prime, in bytes that are 0xff, 0 and at most one other; zero bytes of an element above."""

    p: int
    size: int
    above: int = 0

    @property
    def bytes_(self) -> bytes:
        """From the lowest one."""
        return self.p.to_bytes(self.size, "little")

    @property
    def odd(self) -> int:
        """The byte that is neither."""
        (found,) = set(self.bytes_) - {0xFF, 0}
        return found


PRIME = Prime((1 << 256) - (1 << 224) + (1 << 192) + (1 << 96) - 1, 32)
TERMS = ((3, 1), (6, 1), (7, -1), (8, 1))  # m[k - j]


def redc(c: Code) -> None:
    """r = t/R mod p."""
    total, high, byte = (18, 19, 20, 21), 22, 0
    c("movw", 30, 22)
    c("movw", 26, 24)
    c("clr", high)
    for column in range(3, 2 * WORDS):
        c("mov", total[0], high)
        c("lsl", high)
        c("sbc", high, high)
        c("mov", total[1], high)
        c("mov", total[2], high)
        c("mov", total[3], high)
        terms = [(column, 1)]
        terms += [(column - j, sign) for j, sign in TERMS if 0 <= column - j < WORDS]
        for word, sign in terms:
            first, more = ("add", "adc") if sign > 0 else ("sub", "sbc")
            for k, register in enumerate(total):
                c("ldd", byte, f"Z+{4 * word + k}")
                c(more if k else first, register, byte)
            c(more, high, ZERO)
        for k, register in enumerate(total):
            if column < WORDS:
                c("std", f"Z+{4 * column + k}", register)
            else:
                c("st", "X+", register)
    c("movw", 30, 24)
    lower(c, high, PRIME)
    c("ret")


def lower(c: Code, high: int, prime: Prime) -> None:
    """[Z] and the byte above it, below 2p, less p if that is not negative."""
    known = {0xFF: 20, 1: 21, 0x7F: 21, 0: ZERO}
    c("ldi", known[0xFF], "0xff")
    c("ldi", known[1], str(prime.odd))
    for k, byte in enumerate(prime.bytes_):
        c("ldd", 0, f"Z+{k}")
        c("cpc" if k else "cp", 0, known[byte])
    c("sbc", high, ZERO)
    c("com", high)
    by_mask(c, "sub", "sbc", high, prime)


def by_mask(c: Code, first: str, more: str, mask: int, prime: Prime) -> None:
    """[Z] less p or with p where the mask is all ones."""
    known = {0xFF: mask, 1: 21, 0x7F: 21, 0: ZERO}
    c("mov", known[1], mask)
    c("andi", known[1], str(prime.odd))
    for k, byte in enumerate(prime.bytes_):
        c("ldd", 0, f"Z+{k}")
        c(more if k else first, 0, known[byte])
        c("std", f"Z+{k}", 0)


def linear(c: Code, op: str, more: str, prime: Prime) -> None:
    """[r] = a + b, or a - b; Z = r then, and the carry."""
    c("push", 28)
    c("push", 29)
    c("movw", 30, 22)
    c("movw", 28, 20)
    c("movw", 26, 24)
    for k in range(prime.size):
        c("ldd", 18, f"Z+{k}")
        c("ldd", 0, f"Y+{k}")
        c(more if k else op, 18, 0)
        c("st", "X+", 18)
    for _ in range(prime.above):
        c("st", "X+", ZERO)
    c("movw", 30, 24)


def add_modulo(c: Code, prime: Prime) -> None:
    """r = a + b mod p."""
    high = 22
    linear(c, "add", "adc", prime)
    c("clr", high)
    c("rol", high)
    lower(c, high, prime)
    c("pop", 29)
    c("pop", 28)
    c("ret")


def sub_modulo(c: Code, prime: Prime) -> None:
    """r = a - b mod p."""
    mask = 22
    linear(c, "sub", "sbc", prime)
    c("sbc", mask, mask)
    by_mask(c, "add", "adc", mask, prime)
    c("pop", 29)
    c("pop", 28)
    c("ret")


def add(c: Code) -> None:
    """A sum."""
    add_modulo(c, PRIME)


def sub(c: Code) -> None:
    """A difference."""
    sub_modulo(c, PRIME)
