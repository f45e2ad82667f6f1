"""Products and squares of P-384 on the Cortex-M4, with Montgomery's reduction on the way.

p = 2^384 - c, c = B^4 + B^3 - B + 1 in words of B = 2^32, and -1/p is 1 modulo B. So digit d[k] of
the quotient is column k as it stands when all below is done, and m p = sum of d[k] B^k p adds

    + d[k-1] - d[k-3] - d[k-4] + d[k-12]    to column k, which then becomes 0 below 12.

The product is made of tiles, four words of a times four of b, a row for each word of b:

    (four columns from below) + (a word a row) + a b = (four columns that are done) + (four above),

eight words, never more. In the tiles that finish columns below 12 the word of a row is d[k-1],
which costs nothing. What is subtracted are two chains of borrows, one column apart, m B^3 and
m B^4: their words of a tile are taken when its digits are known, from the columns above; between
tiles the one borrow stays in the flags, the other, u, in the frame.

-p is added as well. Above column 11, + c is + d[11] - B + 1 at column 12, which is the complement
of d[11] subtracted, B^3 with the first chain, and B^4; so what is carried to column 16 is a word
that is not negative, and goes on in words, as the digits from 4 on are added by UMAAL with a
factor 1. Digits 0 to 3 are added when their columns are done.

In a square the tiles beside the diagonal have words of 2 a: (2 a mod B^4) of a block, the bit above
being the lowest of the block that follows: there it is 1 added to twice its words, and beside its
own tile those words once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.armv7em.code import Code, at, several

POINTER, WORD = "r0", "r1"  # of b, and its word
FACTOR = ("r2", "r3", "r4", "r5")  # words of a
LOW, HIGH = ("r6", "r7", "r8", "r9"), ("r10", "r11", "r12", "lr")  # columns
VALUE = (*FACTOR, *LOW, *HIGH)  # of the result
BORROW, FRAME = 20, 21  # words of the frame: u, then what is carried to column 16; what was pushed
RESULT, KEPT, BACK = FRAME, FRAME + 1, FRAME + 2  # where a goes on, or what was above 2 a; lr


def place(column: int) -> str:
    """A column, or the digit that it becomes: from 4 on in the order in which the end reads."""
    return at("sp", column - 4 if column >= 4 else 16 + column)


def enter(c: Code) -> None:
    """The frame."""
    c("push", several(("r0", "r1", "lr")))
    c("sub", "sp", "sp", f"#{4 * FRAME}")


def row(c: Code, columns: Sequence[str], j: int, word: str) -> None:
    """Four words of a times a word, to columns j to j + 3 of a tile, carried to j + 4."""
    for i, factor in enumerate(FACTOR):
        c("umaal", columns[j + i], columns[j + 4], factor, word)


def first_row(c: Code, columns: Sequence[str], word: str) -> None:
    """The first of all, where no column stands."""
    c("umull", columns[0], columns[4], FACTOR[0], word)
    for i in range(1, 4):
        c("mov", columns[i], "#0")
        c("umaal", columns[i], columns[4], FACTOR[i], word)


def third_column(c: Code, *, first: bool) -> None:
    """Column 3 of a tile, before its last row: less d[0] of the tile, and what is borrowed."""
    c("subs" if first else "sbcs", LOW[3], LOW[3], LOW[0])


def digits_off(c: Code, *, last: bool) -> None:
    """Columns 4 to 7 of a tile less its digits; a borrow in the flags, u in WORD, 1 where nothing
    is borrowed.

    Flags and u change places by rotation. u is WORD afterwards, with the first chain's flag on top,
    or what is carried to column 16, and 1.
    """
    for k in range(3):
        c("sbcs", HIGH[k], HIGH[k], LOW[k + 1])
    if last:
        c("adcs", HIGH[3], HIGH[3], "#0")  # + B^3 - B^4
    c("rrxs", WORD, WORD)
    for k in range(4):
        c("sbcs", HIGH[k], HIGH[k], LOW[k])
    if not last:
        return
    c("adcs", WORD, WORD, WORD)
    c("adc", WORD, WORD, "#0")
    c("cmp", POINTER, POINTER)
    c("adcs", HIGH[0], HIGH[0], LOW[3])
    for k in range(1, 4):
        c("sbcs", HIGH[k], HIGH[k], "#0")
    c("adc", WORD, WORD, "#0")


def add_digit(c: Code, k: int, spare: str) -> None:
    """Digit k, which stands in `spare`, is added to column 12 + k."""
    c("adcs" if k else "adds", HIGH[k], HIGH[k], spare)


def mul(c: Code) -> None:
    """a b / R."""
    enter(c)
    c("mov", POINTER, "r2")
    for block in (0, 4, 8):
        c.note(f"words {block} to {block + 3} of a")
        load_block(c, block)
        low_tile(c, block)
        middle_tile(c, block)
        high_tile(c, block)
    finish(c)


def load_block(c: Code, block: int) -> None:
    """Words of a, and the columns that are there."""
    if block:
        c("ldr", WORD, at("sp", KEPT))
        for k in range(4):
            c("ldr", LOW[k], place(block + k))
        c("add", WORD, WORD, f"#{4 * block}")
    c("ldm", WORD, several(FACTOR))


def low_tile(c: Code, block: int) -> None:
    """With words 0 to 3 of b; its lower columns are digits."""
    columns = (*LOW, *HIGH)
    for j in range(4):
        c("ldr", WORD, at(POINTER, j))
        if block and j == 0:
            c("ldr", HIGH[0], place(block - 1))
        if j:
            c("str", LOW[j - 1], place(block + j - 1))
            c("mov", HIGH[j], LOW[j - 1])
        if block == 0 == j:
            first_row(c, columns, WORD)
        else:
            row(c, columns, j, WORD)
        if j == 0:
            third_column(c, first=block == 0)
    if block:
        c("ldr", WORD, at("sp", BORROW))
        c("str", LOW[3], place(block + 3))
    else:
        c("mov", WORD, "#1")
    digits_off(c, last=block == 8)
    if block < 8:
        c("adcs", LOW[1], WORD, WORD)  # u, and the other borrow is in the flags again
    else:
        c("mov", LOW[1], WORD)


def middle_tile(c: Code, block: int) -> None:
    """With words 4 to 7 of b; in the last block digits 0 to 3 are added to its columns, one row
    later, the fourth in the next tile.
    """
    columns = (*HIGH, *LOW)
    spare = (LOW[2], LOW[3], HIGH[0])
    for j in range(4):
        c("ldr", WORD, at(POINTER, 4 + j))
        if block:
            c("ldr", LOW[j], place(block + 4 + j))
        if j and block == 8:
            c("ldr", spare[j - 1], place(j - 1))
        if j == 0:
            c("str", LOW[1], at("sp", BORROW))
            if not block:
                c("str", LOW[3], place(3))
        elif block < 8 or j > 1:
            done = j - 1 if block < 8 else j - 2
            c("str", HIGH[done], place(block + 4 + done))
        if not block:
            c("mov", LOW[j], "#0")
        if j and block == 8:
            add_digit(c, j - 1, spare[j - 1])
        row(c, columns, j, WORD)


def high_tile(c: Code, block: int) -> None:
    """With words 8 to 11 of b."""
    columns = (*LOW, *HIGH)
    for j in range(4):
        c("ldr", WORD, at(POINTER, 8 + j))
        if block:
            c("ldr", HIGH[j], place(block + 8 + j))
        if block < 8:
            if j:
                c("str", LOW[j - 1], place(block + 7 + j))
            else:
                c("str", HIGH[3], place(block + 7))
            if not block:
                c("mov", HIGH[j], "#0")
        elif j == 0:
            c("ldr", HIGH[1], place(3))
            c("str", HIGH[2], place(14))
            add_digit(c, 3, HIGH[1])
        elif j == 1:
            c("str", HIGH[3], place(15))
        row(c, columns, j, WORD)
    if block < 8:
        for k, register in enumerate((LOW[3], *HIGH)):
            c("str", register, place(block + 11 + k))


def finish(c: Code) -> None:
    """Columns 16 to 23 and the digits from 4 on; p where that is negative; returns."""
    carry, one = POINTER, WORD
    c.note("digits 4 to 11")
    c("ldr", carry, at("sp", BORROW))
    c("mov", one, "#1")
    c("sbc", carry, carry, "#0")  # less 1, and what columns 12 to 15 carry
    for half in (LOW, HIGH):
        c("pop", several(FACTOR))
        for column, digit in zip(half, FACTOR, strict=True):
            c("umaal", column, carry, digit, one)
    c("pop", several(FACTOR))
    c("sub", carry, carry, "#1")
    c("ldr", WORD, at("sp", RESULT - 12))
    add_p(c, VALUE, carry)
    c("stm", WORD, several(VALUE))
    c("ldr", "lr", at("sp", BACK - 12))
    c("add", "sp", "sp", f"#{4 * (BACK + 1 - 12)}")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def add_p(c: Code, words: Sequence[str], mask: str, *, carry: bool = False) -> None:
    """words += p where the mask is all ones; the carry out, where it is asked for, in the flags."""
    for k, word in enumerate(words):
        operand = {1: "#0", 2: "#0", 4: f"{mask}, lsl #1"}.get(k, mask)
        last = k == len(words) - 1 and not carry
        c("adc" if last else "adcs" if k else "adds", word, word, operand)


def sqr(c: Code) -> None:
    """a^2 / R."""
    enter(c)
    c("mov", POINTER, "r1")
    c("ldm", POINTER, several(FACTOR))
    first_squares(c)
    second_squares(c)
    last_squares(c)
    finish(c)


def diagonal(c: Code, columns: Sequence[str], j: int) -> None:
    """A row of the tile of four words with themselves."""
    row(c, columns, j, FACTOR[j])


def doubled(c: Code) -> None:
    """Twice the words of a, and the carry; WORD is 0 where a bit was above, else all ones."""
    for k, word in enumerate(FACTOR):
        c("adcs" if k else "adds", word, word, word)
    c("sbc", WORD, WORD, WORD)
    c("str", WORD, at("sp", KEPT))


def first_squares(c: Code) -> None:
    """Words 0 to 3 of a: their square, twice their products with words 4 to 7, and 8 to 11."""
    columns = (*LOW, *HIGH)
    c.note("words 0 to 3 with themselves")
    first_row(c, columns, FACTOR[0])
    third_column(c, first=True)
    for j in range(1, 4):
        c("mov", HIGH[j], LOW[j - 1])
        diagonal(c, columns, j)
    c("mov", WORD, "#1")
    digits_off(c, last=False)
    keep_borrows(c)
    doubled(c)
    c.note("with words 4 to 7")
    columns = (*HIGH, *LOW)
    for j in range(4):
        c("ldr", WORD, at(POINTER, 4 + j))
        c("str", LOW[j], place(j))
        c("mov", LOW[j], HIGH[j - 1] if j else LOW[3])
        row(c, columns, j, WORD)
        if j == 0:
            borrow_again(c, HIGH[0], 4)
            c("sbcs", HIGH[3], HIGH[3], HIGH[0])
    c("ldr", WORD, at("sp", BORROW))
    c("str", HIGH[1], place(5))
    digits_off_high(c)
    keep_borrows(c)
    c.note("with words 8 to 11")
    c("ldr", WORD, at("sp", KEPT))
    for pair in ((0, 1), (2, 3)):
        for k in pair:
            c("ldr", HIGH[k], at(POINTER, 4 + k))
        if pair == (0, 1):
            for k in (2, 3):
                c("str", HIGH[k], place(4 + k))
    for k in range(4):
        c("bic", HIGH[k], HIGH[k], WORD)
    columns = (*LOW, *HIGH)
    for j in range(4):
        c("ldr", WORD, at(POINTER, 8 + j))
        row(c, columns, j, WORD)


def digits_off_high(c: Code) -> None:
    """As digits_off, where the digits stand in the other half."""
    for k in range(3):
        c("sbcs", LOW[k], LOW[k], HIGH[k + 1])
    c("rrxs", WORD, WORD)
    for k in range(4):
        c("sbcs", LOW[k], LOW[k], HIGH[k])


def keep_borrows(c: Code) -> None:
    """Both to the frame: additions follow."""
    c("adc", WORD, WORD, "#0")
    c("str", WORD, at("sp", BORROW))


def borrow_again(c: Code, digit: str, k: int) -> None:
    """The first chain's borrow in the flags again; a digit is stored."""
    c("ldr", WORD, at("sp", BORROW))
    c("str", digit, place(k))
    c("adds", WORD, WORD, WORD)


def second_squares(c: Code) -> None:
    """Words 4 to 7: their square, and twice their products with words 8 to 11."""
    columns = (*LOW, *HIGH)
    c.note("words 4 to 7 with themselves")
    for k in range(4):
        c("ldr", FACTOR[k], at(POINTER, 4 + k))
    for k in range(4):
        c("str", HIGH[k], place(12 + k))
    for j in range(4):
        if j == 0:
            c("ldr", HIGH[0], place(7))
        else:
            c("mov", HIGH[j], LOW[j - 1])
        diagonal(c, columns, j)
        if j == 0:
            borrow_again(c, LOW[0], 8)
            third_column(c, first=False)
    c("ldr", WORD, at("sp", BORROW))
    c("str", LOW[1], place(9))
    c("and", WORD, WORD, "#1")  # no flag of a tile before
    digits_off(c, last=True)
    c("str", WORD, at("sp", BORROW))
    c("ldr", WORD, at("sp", KEPT))
    c("str", LOW[2], place(10))
    c("str", LOW[3], place(11))
    c("rsbs", WORD, WORD, "#0")
    for word in FACTOR:
        c("adcs", word, word, word)
    c("sbc", WORD, WORD, WORD)
    c("str", WORD, at("sp", KEPT))
    c.note("with words 8 to 11")
    columns = (*HIGH, *LOW)
    spare = (LOW[2], LOW[3], HIGH[0])
    for j in range(4):
        c("ldr", WORD, at(POINTER, 8 + j))
        c("ldr", LOW[j], place(12 + j))
        if j:
            c("ldr", spare[j - 1], place(j - 1))
        if j > 1:
            c("str", HIGH[j - 2], place(10 + j))
        if j:
            add_digit(c, j - 1, spare[j - 1])
        row(c, columns, j, WORD)


def last_squares(c: Code) -> None:
    """The square of words 8 to 11, and they themselves where the bit above twice the words before
    is 1.
    """
    columns = (*LOW, *HIGH)
    c.note("words 8 to 11 with themselves")
    for k in range(4):
        c("ldr", FACTOR[k], at(POINTER, 8 + k))
    c("ldr", WORD, at("sp", KEPT))
    c("ldr", HIGH[1], place(3))
    c("str", HIGH[2], place(14))
    add_digit(c, 3, HIGH[1])
    c("str", HIGH[3], place(15))
    for j in range(4):
        c("bic", HIGH[j], FACTOR[j], WORD)
        diagonal(c, columns, j)
