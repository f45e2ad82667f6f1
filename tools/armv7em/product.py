"""Products and squares of 256 bits on the Cortex-M4: what the fields have in common.

Words are counted from the lowest, B = 2^32; column k is what stands at B^k. Routines take pointers r0 = result, r1 = a, r2 = b,
and keep nothing but sp: formulas call them many times and save registers once. A result may stand where an operand does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from armv7em.code import Code, at, r, several

DIGITS = 0  # words of the frame: columns 0 to 7,
PARTS = 8  # columns 8 to 11 of the first half,
FRAME = 12  # and what is pushed before: result, a + 4 words, return address
HALF = ("r8", "r9", "r10", "r11")  # four words of a
WORD, OTHER = "r12", "lr"  # a word of b, where b stands
RESULT = tuple(r(k) for k in range(8))


def enter(c: Code) -> None:
    """The frame; a + 4 words for later, the low half of a, where b stands."""
    c("add", "r3", "r1", "#16")
    c("push", several(("r0", "r3", "lr")))
    c("sub", "sp", "sp", f"#{4 * FRAME}")
    c("mov", OTHER, "r2")
    c("ldm", "r1", several(HALF))


def rows(c: Code, low: Mapping[int, int], high: Mapping[int, int]) -> None:
    """a b: two halves of a, each times all words of b. Columns 0 to 7 go to the frame (column 7 of the first half and 4 to 7 of
    the second stay in their registers as long as they can), 8 to 15 to r0 to r7: column k lives in register k modulo 8.

    `low`, `high`: columns of the result that are added for nothing, as first carries of rows, by row.
    """
    c("ldr", WORD, at(OTHER, 0))
    c.note("low half of a")
    for i in range(8):
        column = [r((i + j) % 8) for j in range(4)]
        carry = r((i + 4) % 8)
        if i == 0:
            c("umull", column[0], carry, HALF[0], WORD)
            for j in range(1, 4):
                c("mov", column[j], "#0")
                c("umaal", column[j], carry, HALF[j], WORD)
        else:
            if i == 7 and i in low:
                c("ldr", carry, at("sp", DIGITS + low[i]))
            else:
                c("mov", carry, r(low[i]) if i in low else "#0")
            for j in range(4):
                c("umaal", column[j], carry, HALF[j], WORD)
        if i < 7:
            c("ldr", WORD, at(OTHER, i + 1))
        if i < 4:
            c("str", column[0], at("sp", DIGITS + i))
    c("ldr", WORD, at("sp", FRAME + 1))
    for j in range(4):
        c("str", r(j), at("sp", PARTS + j))
    c("ldm", WORD, several(HALF))
    c("ldr", WORD, at(OTHER, 0))
    c.note("high half of a, from column 4 on")
    for i in range(8):
        column = [r((i + 4 + j) % 8) for j in range(4)]
        carry = r(i)
        if i > 3:
            c("ldr", carry, at("sp", PARTS + i - 4))
        elif i in high and high[i] < 4:
            c("ldr", carry, at("sp", DIGITS + high[i]))
        if 0 < i < 5:
            c("str", r(i + 3), at("sp", DIGITS + i + 3))
        if i <= 3 and high.get(i, 4) >= 4:
            c("mov", carry, r(high[i]) if i in high else "#0")
        for j in range(4):
            c("umaal", column[j], carry, HALF[j], WORD)
        if i < 7:
            c("ldr", WORD, at(OTHER, i + 1))


def leave(c: Code, words: Sequence[str] = RESULT) -> None:
    """Stores the result where r10 points, and returns."""
    c("stm", "r10", several(words))
    c("ldr", "lr", at("sp", FRAME + 2))
    c("add", "sp", "sp", f"#{4 * FRAME + 12}")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


class Pool:
    """Registers given out and taken back. Their names are final only when all is written: :meth:`Pool.settle`."""

    def __init__(self, code: Code, size: int = 14) -> None:
        self.code, self.start = code, len(code.lines)
        self.free = [f"<{i}>" for i in range(size)]

    def take(self) -> str:
        """A register that nothing uses."""
        return self.free.pop(0)

    def give(self, register: str) -> None:
        """What it holds is not needed any more."""
        self.free.append(register)

    def settle(self, fixed: dict[str, str], others: Sequence[str]) -> None:
        """Gives all registers names: the fixed ones, and of the others what is left."""
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


SQUARED = ("r0", *(r(k) for k in range(2, 9)))  # columns 8 to 15 of a square
HALVED = {4: 1, 6: 0}  # digit of m that goes along with an even column, halved,
WHOLE = {3: 0, 5: 2}  # and with an odd one


def square(c: Code, *, with_digits: bool) -> None:
    """a^2, column by column, with the frame of a product; columns 0 to 7 to the frame, 8 to 15 to SQUARED.

    In column k stand the words that the column before carried, and the products a[i] a[j], i < j, i + j = k. A product takes
    two words and leaves one, and one for the next column; the first of a column may be a plain product, which brings a
    word, or a word is made up. The one that remains is doubled, the carry in the flags, and a[k/2]^2 is added to it, or in
    odd columns nothing but what the square carried.

    `with_digits`: columns 0 to 2 are added at columns 3 to 6 on the way, as Montgomery's reduction of P-256 asks for. In odd
    columns a product with 1 in place of nothing does it. For even ones the digit is halved for the word that is made up, and its
    lowest bit goes with the carry, which is small there. At column 8 one is added, see p256.above_square.
    """
    c("push", several(("r0", "r1", "lr")))
    c("sub", "sp", "sp", f"#{4 * FRAME}")
    halved, whole = (HALVED, WHOLE) if with_digits else ({}, {})
    pool = Pool(c)
    where = pool.take()
    words: dict[int, str] = {}
    digits: dict[int, str] = {}
    result: list[str] = []
    waiting: list[str] = []
    last = zero = one = carry = ""
    for k in range(15):
        for i in {0: (0, 1), 1: ()}.get(k, (k,) if k < 8 else ()):
            words[i] = pool.take() if i < 7 else where
            c("ldr", words[i], at(where, i))
        if halved.get(k) == 0:
            digits[0] = pool.take()
            c("ldr", digits[0], at("sp", DIGITS))
        if 0 < k <= 8:
            c("str", last, at("sp", DIGITS + k - 1))
            if with_digits and k <= 2:
                digits[k - 1] = last  # for the columns 3 and 4
            else:
                pool.give(last)
        if k == 0:
            last, carry = pool.take(), pool.take()
            c("umull", last, carry, words[0], words[0])
            continue
        waiting = products(c, pool, k, words, waiting, digits.get(halved.get(k, -1)))
        if k in halved:
            bit = digits.pop(halved[k])
            c("and", bit, bit, "#1")
            c("add", carry, carry, bit)
            pool.give(bit)
        last = waiting.pop(0)
        if k == 1:  # 2 u + what a[0]^2 carried, without flags
            two, high = pool.take(), pool.take()
            c("mov", two, "#2")
            c("mov", high, "#0")
            c("umaal", carry, high, last, two)
            pool.give(last)
            pool.give(two)
            last, carry = carry, high
            continue
        c("adds" if k == 2 else "adcs", last, last, last)
        if k == 8 and with_digits:
            c("add", carry, carry, "#1")
        if k % 2 == 0:
            c("umaal", last, carry, words[k // 2], words[k // 2])
        elif k in whole:
            if k == 3:
                one = pool.take()
                c("mov", one, "#1")
            else:
                digits[whole[k]] = pool.take()
                c("ldr", digits[whole[k]], at("sp", DIGITS + whole[k]))
            c("umaal", last, carry, digits[whole[k]], one)
            pool.give(digits.pop(whole[k]))
            if k == 5:
                pool.give(one)
        else:
            if not zero:
                zero = pool.take()
                c("mov", zero, "#0")
            c("umaal", last, carry, zero, zero)
        if k >= 8:
            result.append(last)
    c("adc", carry, carry, "#0")
    result.append(carry)
    fixed = {where: "r1", **dict(zip(result, SQUARED, strict=True))}
    pool.settle(fixed, [*RESULT, *HALF, "r12", "lr"])


def products(
    c: Code,
    pool: Pool,
    k: int,
    words: dict[int, str],
    waiting: list[str],
    digit: str | None,
) -> list[str]:
    """a[i] a[j] of a column; returns the word that remains and those of the next column. `digit`: half of it is made up."""
    pairs = [(i, k - i) for i in range(max(0, k - 7), (k + 1) // 2)]
    following = []
    for done, (i, j) in enumerate(pairs):
        if len(waiting) >= 2:
            low, high = waiting.pop(), waiting.pop()
            c("umaal", low, high, words[i], words[j])
        elif not waiting or done + 1 < len(pairs):
            low, high = pool.take(), pool.take()
            c("umull", low, high, words[i], words[j])
        else:
            low, high = waiting.pop(), pool.take()
            if digit:
                c("lsr", high, digit, "#1")
            else:
                c("mov", high, "#0")
            c("umaal", low, high, words[i], words[j])
        waiting.append(low)
        following.append(high)
        if i == k - 7:
            pool.give(words.pop(i))
    return waiting + following
