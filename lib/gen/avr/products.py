"""Products and squares of 256 bits: one level of subtractive Karatsuba over halves of 16 bytes.

A half by a half is 256 products of bytes by rows: eight bytes of b stay in registers, a byte of a
comes in, and the row is added to nine bytes of a sum that moves up one byte a row [HUTTER11]. Of
a row, the products with b[0], b[2], b[4] and b[6] stand side by side, so that one chain of
additions takes them all, and so do the other four: five cycles for a product of bytes.

A half squared has all its 16 bytes in registers, and goes by columns: the mixed products of a
column, twice their sum, the square in the middle, what the column below carries [HUTTER15].

With halves of a and b, m = (a0 - a1) (b0 - b1): a b = l + (l + h - m) 2^128 + h 2^256, l = a0 b0,
h = a1 b1. Halves are subtracted with a mask for the sign, and m is added or subtracted by a mask.
"""

from __future__ import annotations

from gen.avr.code import HALF, Code, call, restore, save, stack_pointer_in, stack_pointer_out

LOW = range(2, 10)  # bytes of b
BYTE = 19  # of a
PAIRS = (20, 22, 24)  # of products
SUM = tuple(range(10, 19))  # of a row, moved on with each
A = tuple(range(2, 18))  # 16 bytes
ZERO = 1
MASK, OTHER = 18, 19
Sums = tuple[tuple[int, int, int], tuple[int, int, int]]


def row(c: Code, total: tuple[int, ...], width: int, *, first: bool) -> None:
    """total += the byte of a times `width` bytes of b, an even number; `first`: it is the sum."""
    for odd in (0, 1):
        columns = range(odd, width, 2)
        pairs = dict(zip(columns, (0, *PAIRS), strict=False))
        for k in reversed(columns):
            c("mul", BYTE, LOW[k])
            if first and not odd:
                c("movw", total[k], 0)
            elif pairs[k]:
                c("movw", pairs[k], 0)
        if not odd:
            c("clr", total[width])
            if first:
                continue
        for k in columns:
            c("add" if k == odd else "adc", total[k], pairs[k])
            c("adc", total[k + 1], pairs[k] + 1)
        if not odd:
            c("rol", total[width])


def mul_bytes(c: Code, size: int, widths: tuple[int, ...]) -> None:
    """[Z] = [X] [Y], `size` bytes each. A block is so many bytes of b, times all of a. The bytes
    above the rows that the block before left in [Z] come in groups of a block's width, since one
    byte with each row would not fit: a carry of a group waits on the stack for the next one.
    """
    offset = 0
    for width in widths:
        total = SUM[: width + 1]
        for k in range(width):
            c("ldd", LOW[k], f"Y+{offset + k}")
        if offset:
            c("sbiw", 26, str(size))
        for begin in range(0, size, width):
            count = min(width, size - begin)
            if offset:
                join(c, total[:width], offset + begin, count, begin // width)
            for k in range(begin, begin + count):
                c("ld", BYTE, "X+")
                row(c, total, width, first=not offset and k == 0)
                c("std", f"Z+{offset + k}", total[0])
                total = (*total[1:], total[0])
        if offset:
            c("pop", BYTE)
            c("clr", 0)
            c("add", total[width - count], BYTE)
            for k in range(width - count + 1, width):
                c("adc", total[k], 0)
        for k in range(width):
            c("std", f"Z+{offset + size + k}", total[k])
        offset += width
    c("clr", ZERO)
    c("ret")


def join(c: Code, total: tuple[int, ...], at: int, count: int, group: int) -> None:
    """total += `count` bytes of [Z] and the carry of the group before; the first one: = these."""
    if group == 0:
        for k in range(count):
            c("ldd", total[k], f"Z+{at + k}")
        return
    if group > 1:
        c("pop", BYTE)
        c("lsr", BYTE)
    for k, register in enumerate(total):
        if k < count:
            c("ldd", 0, f"Z+{at + k}")
        elif k == count:
            c("clr", 0)
        c("adc" if k or group > 1 else "add", register, 0)
    c("clr", BYTE)
    c("rol", BYTE)
    c("push", BYTE)


def sqr_bytes(c: Code, bytes_: tuple[int, ...], sums: Sums, zero: int) -> None:
    """[Z] = [X]^2, the registers of all bytes; `sums` of even and odd columns."""
    size = len(bytes_)
    for register in bytes_:
        c("ld", register, "X+")
    c("clr", zero)
    for column in range(2 * size - 1):
        low, middle, high = sums[column % 2]
        carried = sums[1 - column % 2][1:]
        mixed = [(k, column - k) for k in range(size) if k < column - k < size]
        for index, (left, right) in enumerate(mixed):
            c("mul", bytes_[left], bytes_[right])
            if index == 0:
                c("movw", low, 0)
                c("clr", high)
            else:
                add(c, (low, middle, high), (0, 1, zero))
        if mixed:
            c("lsl", low)
            c("rol", middle)
            c("rol", high)
        if column % 2 == 0:
            c("mul", bytes_[column // 2], bytes_[column // 2])
            if mixed:
                add(c, (low, middle, high), (0, 1, zero))
            else:
                c("movw", low, 0)
                c("clr", high)
        if column:
            add(c, (low, middle, high), (*carried, zero))
        c("std", f"Z+{column}", low)
    c("std", f"Z+{2 * size - 1}", sums[0][1])
    c("clr", ZERO)
    c("ret")


def mul_half(c: Code) -> None:
    """Of 16 bytes."""
    mul_bytes(c, HALF, (8, 8))


def sqr_half(c: Code) -> None:
    """Of 16 bytes."""
    sqr_bytes(c, A, ((18, 19, 20), (22, 23, 24)), 25)


def add(c: Code, total: tuple[int, ...], words: tuple[int, ...]) -> None:
    """total += words, byte by byte."""
    for k, (register, word) in enumerate(zip(total, words, strict=True)):
        c("adc" if k else "add", register, word)


def difference(c: Code, mask: int) -> None:
    """[X], X moved on = the lower half of what Z points at less the upper one, without its sign;
    the mask is all ones where it is negative.
    """
    for k, register in enumerate(A):
        c("ldd", register, f"Z+{k}")
        c("ldd", 0, f"Z+{HALF + k}")
        c("sbc" if k else "sub", register, 0)
    c("sbc", mask, mask)
    for register in A:
        c("eor", register, mask)
    for k, register in enumerate(A):
        c("sbc" if k else "sub", register, mask)
    for register in A:
        c("st", "X+", register)


def combine(c: Code) -> None:
    """[Z], which has l and h, = l + (l + h + m) 2^128 + h 2^256 with m behind Y, which is negated
    where the mask is all ones. With s = h's lower half + l's upper one, the middle is
    s + l's lower half, s + h's upper half; s comes once from memory.
    """
    over, top, sign, copy = 19, 20, 21, 22
    for k, register in enumerate(A):
        c("ldd", register, f"Z+{HALF + k}")
        c("ldd", 0, f"Z+{2 * HALF + k}")
        c("adc" if k else "add", register, 0)
        c("std", f"Z+{2 * HALF + k}", register)
    c("clr", over)
    c("rol", over)
    for k, register in enumerate(A):
        c("ldd", 0, f"Z+{k}")
        c("adc" if k else "add", register, 0)
    c("mov", top, over)
    c("adc", top, ZERO)
    signed(c, 0, copy, begins=True)
    for k, register in enumerate(A):
        c("std", f"Z+{HALF + k}", register)
    c("adc", top, ZERO)
    for k, register in enumerate(A):
        c("ldd", register, f"Z+{2 * HALF + k}")
        c("adc" if k else "add", register, ZERO if k else top)
    c("adc", over, ZERO)
    for k, register in enumerate(A):
        c("ldd", 0, f"Z+{3 * HALF + k}")
        c("adc" if k else "add", register, 0)
    c("adc", over, ZERO)
    signed(c, HALF, copy, begins=False)
    c("adc", over, ZERO)
    for k, register in enumerate(A):
        c("std", f"Z+{2 * HALF + k}", register)
    c("add", over, MASK)
    c("mov", sign, over)
    c("lsl", sign)
    c("sbc", sign, sign)
    for k in range(HALF):
        c("ldd", 0, f"Z+{3 * HALF + k}")
        c("adc" if k else "add", 0, sign if k else over)
        c("std", f"Z+{3 * HALF + k}", 0)
    c("ret")


def signed(c: Code, at: int, copy: int, *, begins: bool) -> None:
    """A += 16 bytes of m, negated by the mask; where it begins, 1 for that."""
    if begins:
        c("mov", copy, MASK)
        c("lsr", copy)
    for k, register in enumerate(A):
        c("ldd", 0, f"Y+{1 + at + k}")
        c("eor", 0, MASK)
        c("adc" if k or begins else "add", register, 0)


FRAME = 32  # m; above it the mask and the pointers
AT = {"mask": 33, "b": 34, "a": 36, "t": 38}
PUSHED = 7  # bytes of those


def enter(c: Code) -> None:
    """The frame; Y = the stack pointer, X = t + 32."""
    save(c)
    for register in (25, 24, 23, 22, 21, 20, 18):
        c("push", register)
    stack_pointer_in(c)
    c("sbiw", 28, str(FRAME))
    stack_pointer_out(c)
    c("movw", 26, 24)
    c("adiw", 26, "32")


def leave(c: Code) -> None:
    """What enter() did, undone."""
    c("adiw", 28, str(FRAME + PUSHED))
    stack_pointer_out(c)
    restore(c)


def pointer(c: Code, pair: int, name: str) -> None:
    """A pointer out of the frame."""
    c("ldd", pair, f"Y+{AT[name]}")
    c("ldd", pair + 1, f"Y+{AT[name] + 1}")


def halves(c: Code, *, upper: bool) -> None:
    """Half of the product: pointers in, the call, Y back."""
    pointer(c, 26, "a")
    pointer(c, 30, "t")
    pointer(c, 24, "b")
    c("movw", 28, 24)
    if upper:
        c("adiw", 26, str(HALF))
        c("adiw", 28, str(HALF))
        c("adiw", 30, str(2 * HALF))
    call(c, "ecfit_mp_mul_half")
    stack_pointer_in(c)


def mul(c: Code) -> None:
    """t = a b, 32 bytes each."""
    enter(c)
    c("movw", 30, 22)
    difference(c, MASK)
    c("movw", 30, 20)
    difference(c, OTHER)
    c("eor", MASK, OTHER)
    c("com", MASK)
    c("std", f"Y+{AT['mask']}", MASK)
    c("movw", 30, 28)
    c("adiw", 30, "1")
    c("movw", 26, 24)
    c("adiw", 26, "32")
    c("movw", 28, 26)
    c("adiw", 28, str(HALF))
    call(c, "ecfit_mp_mul_half")
    stack_pointer_in(c)
    halves(c, upper=False)
    halves(c, upper=True)
    pointer(c, 30, "t")
    c("ldd", MASK, f"Y+{AT['mask']}")
    call(c, "ecfit_mp_combine")
    leave(c)


def sqr(c: Code) -> None:
    """t = a^2, 32 bytes: as mul(), with (a0 - a1)^2 always subtracted."""
    enter(c)
    c("movw", 30, 22)
    difference(c, MASK)
    c("sbiw", 26, str(HALF))
    c("movw", 30, 28)
    c("adiw", 30, "1")
    call(c, "ecfit_mp_sqr_half")
    for upper in (False, True):
        pointer(c, 26, "a")
        pointer(c, 30, "t")
        if upper:
            c("adiw", 26, str(HALF))
            c("adiw", 30, str(2 * HALF))
        call(c, "ecfit_mp_sqr_half")
    c("sbiw", 30, str(2 * HALF))
    c("ldi", MASK, "0xff")
    call(c, "ecfit_mp_combine")
    leave(c)


def wrapped(c: Code, inner: str, sums: int) -> None:
    """A routine for C: r, a and, where there are two operands, b."""
    save(c)
    c("movw", 30, 24)
    c("movw", 26, 22)
    if sums == 2:
        c("movw", 28, 20)
    call(c, inner)
    restore(c)
