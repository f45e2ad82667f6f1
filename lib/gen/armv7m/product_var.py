"""Products and squares of 8 words by UMULL, for public data alone: on the Cortex-M3 it takes 3 to
5 cycles, by its operands.

A row is a word x of A times four of B, added to four columns that wait in registers:

    x B0, x B2: added in one chain of carries, to columns 0 to 3
    x B3: its high word is column 4, with what that chain carried
    x B1: added to columns 1 and 2, the low word of x B3 to 3, and what is carried to 4

Flags survive UMULL, loads and stores. Nothing is carried out of column 4, for
(W^4 - 1) + (W - 1)(W^4 - 1) < W^5, W = 2^32. Column 0 is done and stored; its register is column 4
of the next row. That is 20 cycles of UMULL and 9 of additions for four products of words.

A frame: columns at the stack pointer, then r0, the pointer to the second operand, and lr. A whole
product has all its columns there, then r0 and lr: the pointer waits in the last column.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.armv7em.code import Code, at, several

SIZE = 8
A, SPARE, X, NEXT, LOW = "r1", "r0", "r12", "lr", "r11"
B = ("r3", "r4", "r5", "r2")  # four words of B; its pointer is in the last
COLUMNS = ("r6", "r7", "r8", "r9", "r10")
MIDDLE = ("r1", "r2", "r3", "r4")  # columns 8 to 11 of what mul and sqr leave
UPPER = ("r5", "r6", "r7", "r8")  # columns 12 to 15
CARRY = "r0"  # and what is carried out of them, less 1
RESULT, SECOND, FRAME = 2 * SIZE, 2 * SIZE + 1, 2 * SIZE + 2  # words of the frame
LAST = 2 * SIZE - 1  # column


def enter(code: Code, second: str, *, whole: bool) -> None:
    """The frame."""
    code("push", several(("r0", "lr") if whole else ("r0", second, "lr")))
    code("sub", "sp", "sp", f"#{8 * SIZE}")
    if whole and second != A:
        code("str", second, at("sp", LAST))


def leave(code: Code) -> None:
    """And back."""
    code("add", "sp", "sp", f"#{4 * FRAME}")
    code("ldr", "pc", "[sp]", "#4")


def load(code: Code, registers: Sequence[str], base: str, word: int) -> None:
    """Words behind a pointer."""
    for k, register in enumerate(registers):
        code("ldr", register, at(base, word + k))


def store(code: Code, registers: Sequence[str], column: int) -> None:
    """Columns of the frame."""
    for k, register in enumerate(registers):
        code("str", register, at("sp", column + k))


class Rows:
    """Rows over columns in registers, from `column` on; what is done is stored."""

    def __init__(self, code: Code, column: int, columns: Sequence[str] = COLUMNS) -> None:
        self.code, self.column = code, column
        self.columns = list(columns)

    def block(self, word: int, *, fresh: bool = False) -> None:
        """Four rows, of words `word` to `word` + 3 of A. fresh: there are no columns yet."""
        for i in range(0, 4, 2):
            load(self.code, (X, NEXT), A, word + i)
            self.row(X, fresh=fresh and i == 0)
            self.row(NEXT)

    def row(self, x: str, *, fresh: bool = False) -> None:
        """One row; x is lost."""
        code, (c0, c1, c2, c3, c4) = self.code, self.columns
        if fresh:
            code("umull", c0, c1, x, B[0])
            code("umull", c2, c3, x, B[2])
            code("umull", SPARE, c4, x, B[3])
        else:
            code("umull", LOW, SPARE, x, B[0])
            code("adds", c0, c0, LOW)
            code("adcs", c1, c1, SPARE)
            code("umull", LOW, SPARE, x, B[2])
            code("adcs", c2, c2, LOW)
            code("adcs", c3, c3, SPARE)
            code("umull", SPARE, c4, x, B[3])
            code("adc", c4, c4, "#0")
        code("umull", LOW, x, x, B[1])
        code("adds", c1, c1, LOW)
        code("adcs", c2, c2, x)
        code("adcs", c3, c3, SPARE)
        code("adc", c4, c4, "#0")
        code("str", c0, at("sp", self.column))
        self.columns = [c1, c2, c3, c4, c0]
        self.column += 1


def mul(code: Code, *, whole: bool = False) -> None:
    """[r1] [r2] in the frame, but for MIDDLE and CARRY, or all of it. Loses all registers.

    Low words of A times low and high ones of B, then the high ones of both: columns 8 to 11 are
    stored without high words of A times low ones of B, which come last.
    """
    second = LAST if whole else SECOND
    enter(code, "r2", whole=whole)
    load(code, B, "r2", 0)
    rows = Rows(code, 0)
    rows.block(0, fresh=True)
    code("ldr", "r2", at("sp", second))
    load(code, B, "r2", SIZE // 2)
    rows.block(0)
    rows.block(4)
    store(code, rows.columns[:3], 12)
    if whole:
        code("ldr", "r2", at("sp", second))
    store(code, rows.columns[3:4], LAST)
    if not whole:
        code("ldr", "r2", at("sp", second))
    load(code, B, "r2", 0)
    rows = Rows(code, 4)
    load(code, rows.columns[:4], "sp", 4)
    rows.block(4)
    load(code, MIDDLE, "sp", 8)
    for k, (register, column) in enumerate(zip(MIDDLE, rows.columns, strict=False)):
        code("adcs" if k else "adds", register, register, column)
    if whole:
        load(code, UPPER, "sp", 12)
        for register in UPPER:
            code("adcs", register, register, "#0")
        upper_half(code)
    else:
        code("sbc", CARRY, CARRY, CARRY)


def upper_half(code: Code) -> None:
    """Columns 8 to 15, stored."""
    code("add", "r0", "sp", f"#{4 * SIZE}")
    code("stm", "r0", several((*MIDDLE, *UPPER)))


def sqr(code: Code, *, whole: bool = False) -> None:
    """[r1]^2, likewise.

    Products of different words first: of the four low ones, of low and high ones, of the four high
    ones. They are doubled, and squares of words added: columns 0 to 7 first, then the others.
    """
    enter(code, "r1", whole=whole)
    low, high = Rows(code, 4), "r12"
    c4, c5, c6, zero, _ = low.columns
    load(code, B, A, 0)
    among_low(code, ("r0", "r11", "lr", c4, c5, c6), zero)
    code("mov", zero, "#0")
    load(code, B, A, 4)
    low.block(0)
    eight, nine, ten, eleven, twelve = low.columns
    among_high(code, (nine, ten, eleven, twelve, high, "lr"))
    store(code, (eight, nine, ten, eleven, twelve, high, "lr"), 8)
    squares_low(code)
    squares_high(code)
    if whole:
        upper_half(code)
    else:
        store(code, UPPER, 12)
        code("mov", CARRY, "#-1")


def among_low(code: Code, columns: Sequence[str], spare: str) -> None:
    """Products of different words of four, in columns 1 to 6, of which 1 to 3 are stored."""
    a, b, c, d = B
    c1, c2, c3, c4, c5, c6 = columns
    u, v = "r12", spare
    code("umull", c1, c2, a, b)
    code("umull", c3, c4, a, d)
    code("umull", c5, c6, c, d)
    code("umull", u, v, a, c)
    code("adds", c2, c2, u)
    code("adcs", c3, c3, v)
    code("umull", u, v, b, d)
    code("adcs", c4, c4, u)
    code("adcs", c5, c5, v)
    code("adc", c6, c6, "#0")
    code("umull", u, v, b, c)
    code("adds", c3, c3, u)
    code("adcs", c4, c4, v)
    code("adcs", c5, c5, "#0")
    code("adc", c6, c6, "#0")
    store(code, (c1, c2, c3), 1)


def among_high(code: Code, columns: Sequence[str]) -> None:
    """The same of the four high words, added to columns 9 to 11; 12 to 14 are new."""
    a, b, c, d = B
    c9, c10, c11, c12, c13, c14 = columns
    u, v = LOW, SPARE
    code("umull", u, v, a, b)
    code("adds", c9, c9, u)
    code("adcs", c10, c10, v)
    code("umull", u, c12, a, d)
    code("adcs", c11, c11, u)
    code("adc", c12, c12, "#0")
    code("umull", c13, c14, c, d)
    code("umull", u, v, a, c)
    code("adds", c10, c10, u)
    code("adcs", c11, c11, v)
    code("umull", u, v, b, d)
    code("adcs", c12, c12, u)
    code("adcs", c13, c13, v)
    code("adc", c14, c14, "#0")
    code("umull", u, v, b, c)
    code("adds", c11, c11, u)
    code("adcs", c12, c12, v)
    code("adcs", c13, c13, "#0")
    code("adc", c14, c14, "#0")


def squares_low(code: Code) -> None:
    """Columns 0 to 7. r9, r10: what doubling and squares carry, less 1."""
    columns = ("r2", "r3", "r4", "r5", "r6", "r7", "r8")
    words = ("r9", "r10", "r11", "r12")
    load(code, words, A, 0)
    load(code, columns, "sp", 1)
    code("umull", "r0", "lr", "r9", "r9")
    for k, register in enumerate(columns):
        code("adcs" if k else "adds", register, register, register)
    code("sbc", "r9", "r9", "r9")
    code("adds", columns[0], columns[0], "lr")
    for k, word in enumerate(words[1:]):
        code("umull", "lr", word, word, word)
        code("adcs", columns[2 * k + 1], columns[2 * k + 1], "lr")
        code("adcs", columns[2 * k + 2], columns[2 * k + 2], word)
    code("sbc", "r10", "r10", "r10")
    store(code, ("r0", *columns), 0)


def squares_high(code: Code) -> None:
    """Columns 8 to 15, in r1 to r8. A carry comes back as 0 - (carry - 1) does not borrow."""
    columns = ("r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8")
    words = ("r9", "r11", "r12", "lr")
    code("rsbs", "r9", "r9", "#0")
    load(code, words, A, 4)
    load(code, columns[:7], "sp", 8)
    code("mov", "r8", "#0")
    for register in columns[:7]:
        code("adcs", register, register, register)
    code("adc", "r8", "r8", "r8")
    code("rsbs", "r10", "r10", "#0")
    for k, word in enumerate(words):
        code("umull", "r0", word, word, word)
        code("adcs", columns[2 * k], columns[2 * k], "r0")
        code("adc" if k == SIZE // 2 - 1 else "adcs", columns[2 * k + 1], columns[2 * k + 1], word)
