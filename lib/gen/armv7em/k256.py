"""The field of secp256k1 on the Cortex-M4: p = 2^256 - c, c = 2^32 + 977, elements times R =
2^256, below p.

Words are counted from the lowest, B = 2^32; column k is what stands at B^k. Montgomery's
reduction takes a multiple m of p away: T - m p = T + m c - m 2^256, and digit k of m makes column
k zero: m[k] = -x/977 modulo B, where x is what stands there when all below is done. It comes in
at column k by 977 m[k], and at column k + 1 as it is. There, and with what the last column
carried, below 2^10, two things are left to be added, which one product with 977 takes for nothing
if the digit itself has come as the first carry of a row. So a digit costs an addition for x, two
products, and a store for later: the upper half less m, and p on top where that is negative. A
square has no rows, and there a digit costs two additions more.

Routines are called as those of P-256 are.
"""

from __future__ import annotations

from gen.armv7em.code import Code, at, several
from gen.armv7em.p256 import MASK, A, B, each_word_of_b, finish
from gen.armv7em.product import (
    DIGITS,
    FRAME,
    HALF,
    OTHER,
    PARTS,
    RESULT,
    Pool,
    enter,
    leave,
    square,
)

NAME = "ecfit_secp256k1_"
FREE = "r11"  # beside MASK
SMALL = 977
INVERSE = -pow(SMALL, -1, 1 << 32) % (1 << 32)  # a digit's factor


def constant(c: Code, register: str, value: int) -> None:
    """The register becomes a value of up to 32 bits."""
    c("movw", register, f"#{value & 0xFFFF:#x}", narrow=True)
    if value >> 16:
        c("movt", register, f"#{value >> 16:#x}", narrow=True)


def mul(c: Code) -> None:
    """a b / R: the product by rows, digits of m as first carries."""
    enter(c)
    Product(c).write()


class Product:
    """What :func:`mul` knows while it writes: rows of four words of a, as in product.rows."""

    def __init__(self, c: Code) -> None:
        self.c, self.pool = c, Pool(c, 9)
        self.columns: dict[int, str] = {}
        self.carried, self.factor, self.small = (self.pool.take() for _ in range(3))
        self.word = self.digit = ""

    def write(self) -> None:
        """All of it."""
        c, pool = self.c, self.pool
        constant(c, self.factor, INVERSE)
        constant(c, self.small, SMALL)
        c.note("low half of a")
        self.next_word(0)
        for i in range(8):
            self.low_row(i)
        self.half()
        c.note("high half of a, from column 4 on")
        for i in range(8):
            self.high_row(i)
        for k in range(12, 16):
            c("adcs", self.columns[k], self.columns[k], "#0")
        names = zip((self.columns[k] for k in range(8, 16)), RESULT, strict=True)
        pool.settle(dict(names), [*RESULT, "r12"])
        less(c)

    def next_word(self, i: int) -> None:
        """Word i of b."""
        self.word = self.pool.take()
        self.c("ldr", self.word, at(OTHER, i))

    def products(self, low: int) -> None:
        """The word of b times four of a: columns from `low` on, carried to the fifth."""
        carry = self.columns[low + 4]
        for j in range(4):
            self.c("umaal", self.columns[low + j], carry, HALF[j], self.word)
            if j == 0:
                self.add_carried(low)
        self.pool.give(self.word)

    def add_carried(self, k: int) -> None:
        """What the low half carried goes to columns 8 and 9, and on, when they are done."""
        if k < 8:
            return
        operand = {8: self.carried, 9: self.digit}.get(k, "#0")
        self.c("adcs" if k > 8 else "adds", self.columns[k], self.columns[k], operand)
        if k < 10:
            self.pool.give(operand)

    def low_row(self, i: int) -> None:
        """Columns i to i + 3, carried to column i + 4."""
        c, columns = self.c, self.columns
        if i == 0:
            for k in (0, 4, 1, 2, 3):
                columns[k] = self.pool.take()
            c("umull", columns[0], columns[4], HALF[0], self.word)
            for j in range(1, 4):
                c("mov", columns[j], "#0")
                c("umaal", columns[j], columns[4], HALF[j], self.word)
            self.pool.give(self.word)
        else:
            if i > 4:
                columns[i + 4] = self.pool.take()
                c("mov", columns[i + 4], "#0")
            else:
                columns[i + 4] = self.digit
            self.products(i)
        if i < 4:
            self.make_digit(i)
        elif i < 7:  # registers are short: the column waits in its digit's place
            self.next_word(i + 1)
            c("str", columns[i], at("sp", DIGITS + i))
            self.pool.give(columns.pop(i))

    def make_digit(self, k: int) -> None:
        """Column k becomes zero by a digit; the next word of b; the digit is kept."""
        c, column = self.c, self.columns.pop(k)
        self.digit = self.pool.take()
        if k:
            c("add", self.digit, column, self.carried)
            c("mul", self.digit, self.digit, self.factor)
        else:
            c("mul", self.digit, column, self.factor)
            c("mov", self.carried, "#0")
        c("umaal", column, self.carried, self.digit, self.small)
        if k == 7:  # what is carried, with the digit: two words, where one was and the zero
            c("mov", self.factor, "#1")
            c("umaal", self.carried, column, self.digit, self.factor)
            self.pool.give(self.factor)
            self.pool.give(self.small)
            self.next_word(k - 3)
            c("str", self.digit, at("sp", DIGITS + k))
            self.pool.give(self.digit)
            self.digit = column
        else:
            self.pool.give(column)
            self.next_word(k + 1 if k < 4 else k - 3)
            c("str", self.digit, at("sp", DIGITS + k))

    def half(self) -> None:
        """Columns 8 to 11 go to the frame, 4 to 6 come back, with the high half of a."""
        c, columns = self.c, self.columns
        pointer = self.pool.take()
        c("ldr", pointer, at("sp", FRAME + 1))
        for k in range(8, 12):
            register = columns.pop(k)
            c("str", register, at("sp", PARTS + k - 8))
            self.pool.give(register)
        c("ldm", pointer, several(HALF))
        self.pool.give(pointer)
        for k in range(4, 7):
            columns[k] = self.pool.take()
            c("ldr", columns[k], at("sp", DIGITS + k))
        self.next_word(0)

    def high_row(self, i: int) -> None:
        """Columns i + 4 to i + 7, carried to column i + 8; 8 to 11 of the low half come back."""
        c, columns = self.c, self.columns
        if i == 0 or i > 3:
            columns[i + 8] = self.pool.take()
        else:
            columns[i + 8] = self.digit
        if i == 0:
            c("mov", columns[8], "#0")
        elif i > 3:
            c("ldr", columns[i + 8], at("sp", PARTS + i - 4))
        self.products(i + 4)
        if i < 4:
            self.make_digit(i + 4)
        elif i < 7:
            self.next_word(i + 1)


def sqr(c: Code) -> None:
    """a^2 / R: the square by columns, then the digits of m."""
    square(c, with_digits=False, where="r8", result=RESULT)
    carried, digit, column, x, factor, small = (*HALF, "r12", "lr")
    constant(c, factor, INVERSE)
    constant(c, small, SMALL)
    c("mov", carried, "#0")
    for k in range(8):
        c("ldr", column, at("sp", DIGITS + k))
        if k:
            c("str", digit, at("sp", DIGITS + k - 1))
            c("adds", column, column, digit)
            c("add", x, column, carried)
        c("mul", digit, x if k else column, factor)
        c("umaal", column, carried, digit, small)
        if k:
            c("adc", carried, carried, "#0")
    c("str", digit, at("sp", DIGITS + 7))
    c("adds", carried, carried, digit)
    c("adc", column, column, "#0")  # it is zero
    for k, register in enumerate(RESULT):
        operand = {0: carried, 1: column}.get(k, "#0")
        c("adcs" if k else "adds", register, register, operand)
    less(c)


def less(c: Code) -> None:
    """r0 to r7 less m, below p, and p on top where that is negative; the end of a routine."""
    digits = (*HALF, "r12", "lr")
    c("ldm", "sp", several(digits))
    for k, digit in enumerate(digits):
        c("sbcs" if k else "subs", RESULT[k], RESULT[k], digit)
    c("ldr", "r8", at("sp", DIGITS + 6))
    c("ldr", "r9", at("sp", DIGITS + 7))
    c("ldr", "r10", at("sp", FRAME))
    c("sbcs", "r6", "r6", "r8")
    c("sbcs", "r7", "r7", "r9")
    negative(c)
    leave(c)


def negative(c: Code) -> None:
    """r0 to r7 + p, where they borrowed: less c, in what is below 2^256."""
    c("sbc", MASK, MASK, MASK)
    constant(c, FREE, SMALL)
    masked(c)


def masked(c: Code) -> None:
    """r0 to r7 less what stands in a register and B where the mask is all ones."""
    c("and", FREE, FREE, MASK)
    for k, word in enumerate(RESULT):
        operand = (FREE, f"{MASK}, lsr #31")[k] if k < 2 else "#0"
        c("sbcs" if k else "subs", word, word, operand)


def load(c: Code, name: str) -> None:
    """a to r0 to r7, and the way in for one that is there."""
    c("ldm", A, several(RESULT))
    c.entry(f"{NAME}{name}_on")


def less_b(c: Code) -> None:
    """r0 to r7 - b, below p."""
    each_word_of_b(c, "subs", "sbcs")
    negative(c)


def sub(c: Code) -> None:
    """a - b, and a - 2 b with a in r0 to r7, with a correction for each difference."""
    load(c, "sub")
    less_b(c)
    finish(c)
    c.entry(f"{NAME}sub_twice_on")
    less_b(c)
    c("sub", B, B, "#32")
    c("b", f"{NAME}sub_on")


def add(c: Code) -> None:
    """a + b: c comes on top, and goes again where neither sum was carried out of.

    And 3 a/2 with a in r0 to r7 and where r10 points: a/2 + a. Where a is odd, a/2 is (a - 1)/2 +
    (p + 1)/2 = (a - 1)/2 + 2^255 - (c - 1)/2.
    """
    load(c, "add")
    each_word_of_b(c, "adds", "adcs")
    c("sbc", MASK, MASK, MASK)  # -1 where nothing was carried
    constant(c, FREE, SMALL)
    for k, word in enumerate(RESULT):
        c("adcs" if k else "adds", word, word, (FREE, "#1")[k] if k < 2 else "#0")
    c("adc", MASK, MASK, "#0")  # not both: below 2 p + c
    masked(c)
    finish(c)
    c.entry(f"{NAME}three_halves_on")
    c("and", MASK, RESULT[0], "#1")
    c("rsb", MASK, MASK, "#0")
    constant(c, FREE, (1 << 31) + SMALL // 2)
    c("and", FREE, FREE, MASK)
    c("lsrs", RESULT[7], RESULT[7], "#1")
    for word in reversed(RESULT[:7]):
        c("rrxs", word, word)
    for k, word in enumerate(RESULT):
        operand = {0: FREE, 7: f"{MASK}, lsl #31"}.get(k, "#0")
        c("sbcs" if k else "subs", word, word, operand)
    c("b", f"{NAME}add_on")
