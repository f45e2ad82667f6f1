"""Modulo 2^255 - 19, where 2^256 is 38 and 2^255 is 19.

What stands above bit 255 is folded in one pass, from the lowest byte on: the highest byte of the
result is computed first, without what the bytes below carry, and tells how much is to be added to
the lowest byte. What they carry then comes upon the lower seven bits of the highest byte, which
has room for it. So a result is below 2^255 and some 2^248.
"""

from __future__ import annotations

from gen.avr.code import Code

ZERO = 1
LAST = 31  # the highest byte


def redc(c: Code) -> None:
    """r = t modulo p: lower half + 38 upper half. The highest byte: v = t[31] + 38 t[63] =
    128 q + v', q at most 77; a byte carries at most 44, the first one, and 39 others.
    """
    factor, nineteen, byte, top, low, high = 20, 21, 22, 23, 18, 19
    c("movw", 30, 22)
    c("movw", 26, 24)
    c("ldi", factor, "38")
    c("ldi", nineteen, "19")
    c("clr", 25)  # zero
    c("ldd", byte, "Z+63")
    c("mul", byte, factor)
    c("ldd", top, f"Z+{LAST}")
    c("add", top, 0)
    c("adc", 1, 25)
    c("lsl", top)
    c("rol", 1)
    c("lsr", top)
    c("mul", 1, nineteen)
    c("movw", low, 0)
    for k in range(LAST):
        c("ldd", byte, f"Z+{32 + k}")
        c("mul", byte, factor)
        c("add", 0, low)
        c("adc", 1, high if k == 0 else 25)
        c("ldd", byte, f"Z+{k}")
        c("add", 0, byte)
        c("adc", 1, 25)
        c("st", "X+", 0)
        c("mov", low, 1)
    c("add", top, low)
    c("st", "X+", top)
    c("clr", ZERO)
    c("ret")


CHUNK = tuple(range(16, 24))
LEAST = 2  # of the highest byte of a difference


def linear(c: Code, *, subtract: bool) -> None:
    """r = a + b, or a - b. Of the highest byte, v for both, v = 128 q + v': with a sum, q is at
    most 3, and 19 q are added. With a difference, q is from -3 to 1 where v' is from 2 to 129, so
    that there is something to borrow from; -19 q are subtracted. A chunk carries 2 at most, or
    borrows from -1 to 2.
    """
    first, more = ("sub", "sbc") if subtract else ("add", "adc")
    extra, top, byte, sign = 24, 25, 0, 1
    for register in (16, 17, 28, 29):
        c("push", register)
    c("movw", 30, 22)
    c("movw", 28, 20)
    c("movw", 26, 24)
    c("ldd", top, f"Z+{LAST}")
    c("ldd", byte, f"Y+{LAST}")
    c(first, top, byte)
    if subtract:
        c("sbc", extra, extra)
        c("subi", top, str(LEAST))
        c("sbc", extra, ZERO)
    else:
        c("clr", extra)
        c("rol", extra)
    c("lsl", top)
    c("rol", extra)
    c("lsr", top)
    c("ldi", 16, "19")
    if subtract:
        c("subi", top, str(-LEAST))
        c("neg", extra)
    c("muls" if subtract else "mul", extra, 16)
    c("mov", extra, 0)
    if subtract:
        sign_of(c, sign, extra)
    else:
        c("clr", sign)
    for begin in range(0, LAST, len(CHUNK)):
        bytes_ = CHUNK[: LAST - begin]
        for k, register in enumerate(bytes_):
            c("ldd", register, f"Z+{begin + k}")
            c("ldd", byte, f"Y+{begin + k}")
            c(more if k else first, register, byte)
        c("clr", byte)
        c("rol", byte)
        for k, register in enumerate(bytes_):
            c(more if k else first, register, sign if k else extra)
        c("mov", extra, sign)
        c("adc", extra, byte)
        for register in bytes_:
            c("st", "X+", register)
        if subtract and begin + len(CHUNK) < LAST:
            sign_of(c, sign, extra)
    c(first, top, extra)
    c("st", "X+", top)
    c("clr", ZERO)
    for register in (29, 28, 17, 16):
        c("pop", register)
    c("ret")


def sign_of(c: Code, sign: int, byte: int) -> None:
    """All ones where the byte is negative, else 0."""
    c("mov", sign, byte)
    c("lsl", sign)
    c("sbc", sign, sign)


def add(c: Code) -> None:
    """A sum."""
    linear(c, subtract=False)


def sub(c: Code) -> None:
    """A difference."""
    linear(c, subtract=True)


FACTORS = (20, 21, 23)  # bytes of a small factor
BYTE, NONE = 22, 14  # a byte, and zero


def small(c: Code) -> None:
    """r = a times a word of three bytes, below 2^19. What stands at 2^240 and above, without what
    is carried there, is v = 2^15 q + v', q below 2^20; 19 q begins the lowest column. At most 766
    are carried to v'.
    """
    kept, over = tuple(range(12, 18)), (12, 13)
    for register in kept:
        c("push", register)
    c("movw", 26, 24)
    c("movw", 24, 22)
    c("movw", 30, 20)
    for k, register in enumerate(FACTORS):
        c("ldd", register, f"Z+{k}")
    c("movw", 30, 24)
    c("clr", NONE)
    above(c, over)
    total = columns(c, (15, 16, 24, 25))
    c("add", over[0], total[0])
    c("adc", over[1], total[1])
    c("st", "X+", over[0])
    c("st", "X+", over[1])
    c("clr", ZERO)
    for register in reversed(kept):
        c("pop", register)
    c("ret")


def above(c: Code, over: tuple[int, int]) -> None:
    """v' = what stands above, but for q; r15, r16, r24, r25 = 19 q."""
    v = (15, 16, 17, 18, 19)
    for register in v:
        c("clr", register)
    for place in range(3, -1, -1):  # of the byte: 31 - place
        c("ldd", BYTE, f"Z+{LAST - place}")
        for k in range(max(0, place - 1), 3):
            c("mul", BYTE, FACTORS[k])
            for step, register in enumerate(v[k + 1 - place :]):
                c("adc" if step else "add", register, step if step < 2 else NONE)
    c("lsl", v[0])
    for register in v[1:]:
        c("rol", register)
    c("mov", over[0], v[0])
    c("mov", over[1], v[1])
    c("lsr", over[1])
    c("ror", over[0])
    total = (15, 16, 24, 25)
    c("ldi", BYTE, "19")
    for k, register in enumerate(v[2:]):
        c("mul", register, BYTE)
        if k == 0:
            c("mov", total[0], 0)
            c("mov", total[1], 1)
            continue
        c("add", total[k], 0)
        c("mov", total[k + 1], 1)
        c("adc", total[k + 1], NONE)


def columns(c: Code, total: tuple[int, ...]) -> tuple[int, ...]:
    """The lower 30 bytes of the product and of the four that are there; what is carried out."""
    window = (17, 18, 19)
    for column in range(LAST - 1):
        c("ldd", window[column % 3], f"Z+{column}")
        if column > 1:
            c("clr", total[2])
        for k in range(min(3, column + 1)):
            c("mul", window[(column - k) % 3], FACTORS[k])
            c("add", total[0], 0)
            c("adc", total[1], 1)
            c("adc", total[2], NONE)
            if column == 0:
                c("adc", total[3], NONE)
        c("st", "X+", total[0])
        total = (*total[1:], total[0])
    return total
