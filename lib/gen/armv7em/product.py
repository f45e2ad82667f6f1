"""Products and squares of 256 bits on the Cortex-M4: what the fields have in common.

Words are counted from the lowest, B = 2^32; column k is what stands at B^k. Routines take
pointers r0 = result, r1 = a, r2 = b, and keep nothing but sp: formulas call them many times and
save registers once. A result may stand where an operand does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gen.armv7em.code import Code, at, r, several

DIGITS = 0  # words of the frame: columns 0 to 7,
PARTS = 8  # columns 8 to 11 of the first half,
FRAME = 12  # and what is pushed before: result, a + 4 words, return address
HALF = ("r8", "r9", "r10", "r11")  # four words of a
WORD, OTHER = "r12", "lr"  # a word of b, where b stands
RESULT = tuple(r(k) for k in range(8))
ALL = (*RESULT, *HALF, "r12", "lr")


def enter(c: Code) -> None:
    """The frame; a + 4 words for later, the low half of a, where b stands."""
    c("add", "r3", "r1", "#16")
    c("push", several(("r0", "r3", "lr")))
    c("sub", "sp", "sp", f"#{4 * FRAME}")
    c("mov", OTHER, "r2")
    c("ldm", "r1", several(HALF))


def rows(c: Code, low: Mapping[int, int], high: Mapping[int, int]) -> None:
    """a b: two halves of a, each times all words of b.

    Columns 0 to 7 go to the frame, 8 to 15 to r0 to r7: column k lives in register k modulo 8.
    `low`, `high`: columns of the result that are added for nothing, as first carries of rows.
    """
    c.note("low half of a")
    c("ldr", WORD, at(OTHER, 0))
    for i in range(8):
        low_row(c, i, low.get(i))
        next_word(c, i)
        if i < 4:
            c("str", r(i), at("sp", DIGITS + i))
    c("ldr", WORD, at("sp", FRAME + 1))
    for j in range(4):
        c("str", r(j), at("sp", PARTS + j))
    c("ldm", WORD, several(HALF))
    c("ldr", WORD, at(OTHER, 0))
    c.note("high half of a, from column 4 on")
    for i in range(8):
        high_row(c, i, high.get(i))
        next_word(c, i)


def next_word(c: Code, i: int) -> None:
    """The word of b for the row behind row i."""
    if i < 7:
        c("ldr", WORD, at(OTHER, i + 1))


def low_row(c: Code, i: int, digit: int | None) -> None:
    """Columns i to i + 3, carried to column i + 4; a digit below column i is in its register."""
    columns, carry = [r((i + j) % 8) for j in range(4)], r((i + 4) % 8)
    if i == 0:
        c("umull", columns[0], carry, HALF[0], WORD)
        for j in range(1, 4):
            c("mov", columns[j], "#0")
            c("umaal", columns[j], carry, HALF[j], WORD)
        return
    if digit is not None and digit <= i - 5:  # its register is in use
        c("ldr", carry, at("sp", DIGITS + digit))
    else:
        c("mov", carry, "#0" if digit is None else r(digit))
    for j in range(4):
        c("umaal", columns[j], carry, HALF[j], WORD)


def high_row(c: Code, i: int, digit: int | None) -> None:
    """Columns i + 4 to i + 7, carried to column i + 8; 8 to 11 of the low half come back."""
    columns, carry = [r((i + 4 + j) % 8) for j in range(4)], r(i)
    if i > 3:
        c("ldr", carry, at("sp", PARTS + i - 4))
    elif digit is not None and digit < 4:
        c("ldr", carry, at("sp", DIGITS + digit))
    if 0 < i < 5:
        c("str", r(i + 3), at("sp", DIGITS + i + 3))
    if i <= 3 and digit is None:
        c("mov", carry, "#0")
    elif i <= 3 and digit is not None and digit >= 4:
        c("mov", carry, r(digit))
    for j in range(4):
        c("umaal", columns[j], carry, HALF[j], WORD)


def leave(c: Code) -> None:
    """Returns."""
    c("ldr", "lr", at("sp", FRAME + 2))
    c("add", "sp", "sp", f"#{4 * FRAME + 12}")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


class Pool:
    """Registers given out and taken back. Their names are final only when all is written:
    :meth:`Pool.settle`.
    """

    def __init__(self, code: Code, size: int = 14) -> None:
        self.code, self.start = code, len(code.lines)
        self.free = [f"<{i}>" for i in range(size)]

    def take(self) -> str:
        """A register that nothing uses."""
        return self.free.pop(0)

    def give(self, register: str) -> None:
        """What it holds is not needed any more."""
        self.free.append(register)

    def settle(self, fixed: dict[str, str], others: Sequence[str]) -> dict[str, str]:
        """Gives all registers names, and returns them: the fixed ones, and of the others what is
        left.
        """
        left = [name for name in others if name not in fixed.values()]
        names = dict(fixed)
        for lines in self.code.lines[self.start :]:
            for place in re.findall(r"<\d+>", lines):
                if place not in names:
                    names[place] = left.pop(0)
        self.code.lines[self.start :] = [
            re.sub(r"<\d+>", lambda found: names[found[0]], line)
            for line in self.code.lines[self.start :]
        ]
        return names


HALVED = {4: 1, 6: 0}  # digit of m that goes along with an even column, halved,
WHOLE = {3: 0, 5: 2}  # and with an odd one


def square(c: Code, *, with_digits: bool, where: str, result: Sequence[str]) -> None:
    """a^2, a behind `where`, column by column, with the frame of a product: columns 0 to 7 to it,
    others to `result`.

    In column k stand the words that the column before carried, and the products a[i] a[j], i < j,
    i + j = k. A product takes two words and leaves one, and one for the next column; the first of
    a column may be a plain product, which brings a word, or a word is made up. The one that
    remains is doubled, the carry in the flags, and a[k/2]^2 is added to it, or in odd columns
    nothing but what the square carried.

    `with_digits`: columns 0 to 2 are added at columns 3 to 6 on the way, as Montgomery's reduction
    of P-256 asks for. In odd columns a product with 1 in place of nothing does it. For even ones
    the digit is halved for the word that is made up, and its lowest bit goes with the carry, which
    is small there. At column 8 one is added, see p256.above_square.
    """
    Square(c, with_digits=with_digits).write(where, result)


class Square:
    """What :func:`square` knows while it writes."""

    def __init__(self, c: Code, *, with_digits: bool, words: Sequence[str] = ()) -> None:
        self.c, self.with_digits = c, with_digits
        if not words:
            c("push", several(("r0", "r1", "lr")))
            c("sub", "sp", "sp", f"#{4 * FRAME}")
        self.pool = Pool(c)
        self.given = {self.pool.take(): word for word in words}  # registers of a, all of them
        self.where = "" if words else self.pool.take()
        self.words: dict[int, str] = dict(enumerate(self.given))  # of a
        self.digits: dict[int, str] = {}  # that are in a register
        self.waiting: list[str] = []  # words of the column
        self.result: list[str] = []
        self.last = self.carry = self.factor = ""

    def write(self, where: str = "", result: Sequence[str] = ()) -> list[str]:
        """All columns; where 8 to 15 are: in `result`, unless all words of a were given."""
        self.columns()
        columns = [*self.result, self.carry]
        if self.given:
            fixed = {**self.given, self.carry: WORD}
        else:
            fixed = {self.where: where, **dict(zip(columns, result, strict=True))}
        names = self.pool.settle(fixed, ALL)
        return [names[column] for column in columns]

    def columns(self) -> None:
        """All columns, one after the other."""
        c = self.c
        for k in range(15):
            self.load(k)
            self.store(k)
            if k == 0:
                self.last, self.carry = self.pool.take(), self.pool.take()
                c("umull", self.last, self.carry, self.words[0], self.words[0])
                continue
            self.products(k)
            self.odd_bit(k)
            self.last = self.waiting.pop(0)
            if k == 1:
                self.first_column()
            else:
                c("adds" if k == 2 else "adcs", self.last, self.last, self.last)
                self.add_square(k)
            if k >= 8:
                self.result.append(self.last)
        c("adc", self.carry, self.carry, "#0")

    def halved(self, k: int) -> int | None:
        """The digit that goes along with an even column."""
        return HALVED.get(k) if self.with_digits else None

    def load(self, k: int) -> None:
        """The word of a that column k is the first to need; column 1 loads with column 0."""
        for i in () if self.given else {0: (0, 1), 1: ()}.get(k, (k,) if k < 8 else ()):
            self.words[i] = self.pool.take() if i < 7 else self.where
            self.c("ldr", self.words[i], at(self.where, i))
        if self.halved(k) == 0:
            self.digits[0] = self.pool.take()
            self.c("ldr", self.digits[0], at("sp", DIGITS))

    def store(self, k: int) -> None:
        """The low column before this one; digits 0 and 1 stay for columns 3 and 4."""
        if not 0 < k <= 8:
            return
        self.c("str", self.last, at("sp", DIGITS + k - 1))
        if self.with_digits and k <= 2:
            self.digits[k - 1] = self.last
        else:
            self.pool.give(self.last)

    def products(self, k: int) -> None:
        """a[i] a[j] of a column: waiting is the word that remains and those of the next column."""
        waiting, following = self.waiting, []
        pairs = [(i, k - i) for i in range(max(0, k - 7), (k + 1) // 2)]
        for done, (i, j) in enumerate(pairs):
            op = "umaal"
            if len(waiting) >= 2:
                low, high = waiting.pop(), waiting.pop()
            elif not waiting or done + 1 < len(pairs):
                op, low, high = "umull", self.pool.take(), self.pool.take()
            else:
                low, high = waiting.pop(), self.made_up(k)
            self.c(op, low, high, self.words[i], self.words[j])
            waiting.append(low)
            following.append(high)
            if i == k - 7:
                self.pool.give(self.words.pop(i))
        self.waiting = waiting + following

    def made_up(self, k: int) -> str:
        """A word that a product may take: 0, or half a digit."""
        register, digit = self.pool.take(), self.halved(k)
        if digit is None:
            self.c("mov", register, "#0")
        else:
            self.c("lsr", register, self.digits[digit], "#1")
        return register

    def odd_bit(self, k: int) -> None:
        """The lowest bit of a digit that was halved."""
        digit = self.halved(k)
        if digit is not None:
            bit = self.digits.pop(digit)
            self.c("and", bit, bit, "#1")
            self.c("add", self.carry, self.carry, bit)
            self.pool.give(bit)

    def first_column(self) -> None:
        """2 u + what a[0]^2 carried, without flags."""
        two, high = self.pool.take(), self.pool.take()
        self.c("mov", two, "#2")
        self.c("mov", high, "#0")
        self.c("umaal", self.carry, high, self.last, two)
        self.pool.give(self.last)
        self.pool.give(two)
        self.last, self.carry = self.carry, high

    def add_square(self, k: int) -> None:
        """a[k/2]^2 in even columns; in odd ones a digit, or nothing."""
        c = self.c
        if k == 8 and self.with_digits:
            c("add", self.carry, self.carry, "#1")
        if k % 2 == 0:
            c("umaal", self.last, self.carry, self.words[k // 2], self.words[k // 2])
        elif self.with_digits and k in WHOLE:
            self.add_digit(k, WHOLE[k])
        else:
            if not self.factor:
                self.factor = self.pool.take()
                c("mov", self.factor, "#0")
            c("umaal", self.last, self.carry, self.factor, self.factor)

    def add_digit(self, k: int, digit: int) -> None:
        """A digit times 1."""
        if k == min(WHOLE):
            self.factor = self.pool.take()
            self.c("mov", self.factor, "#1")
        else:
            self.digits[digit] = self.pool.take()
            self.c("ldr", self.digits[digit], at("sp", DIGITS + digit))
        self.c("umaal", self.last, self.carry, self.digits[digit], self.factor)
        self.pool.give(self.digits.pop(digit))
        if k == max(WHOLE):
            self.pool.give(self.factor)
            self.factor = ""
