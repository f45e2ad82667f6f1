"""2^255 - 19 on a Cortex-M4 or M33 with a floating-point unit, whose registers hold words.

VMOV brings a word to or from such a register in a cycle, wherever it stands in the code, where a
load beside no other takes two. So an operand, the low columns of a product and the return address
are there, and nothing goes to the stack. An element is any integer below 2^256; products are below
2^255 + 2^230. R is r0 to r7, B is s0 to s7:

- mul: R = R B. Six words of R times the words of B, row by row, then the other two words.
- sqr: R = R^2, by columns.

Both keep B. They end as low + 38 high, in which what the top word has above bit 255 comes down as
19 each before the other words carry into it: no second pass.
"""

from __future__ import annotations

from collections.abc import Iterable

from gen.armv7em.code import Code, at, several
from gen.armv7em.product import ALL, RESULT, Pool, Square
from gen.armv7em.spans import settle

LOW = 8  # s8 to s14: columns 0 to 6
LATER = 15  # s15, s16: the upper words of R
BACK = 17  # s17: the return address
WIDE = 6  # words of R in the first pass
FOLD = "ecfit_p25519_fpu_fold"
HIGH = dict(
    enumerate(("r6", "r7", "lr", "r9", "r10", "r11", "r12", "r8", "r4", "r0"), WIDE)
)  # where columns 6 to 15 are before the end


def s(index: int) -> str:
    """The name of a floating-point register of a word."""
    return f"s{index}"


def v(name: str) -> str:
    """A value, whose register is found when all is written."""
    return f"<{name}>"


def bring(c: Code, names: Iterable[str], first: int) -> None:
    """Words from floating-point registers, two at a time."""
    words = list(names)
    for k in range(0, len(words) - 1, 2):
        c("vmov", *words[k : k + 2], s(first + k), s(first + k + 1))
    if len(words) % 2:
        c("vmov", words[-1], s(first + len(words) - 1))


def mul(code: Code) -> None:
    """R B; another way in is with B = [r8]."""
    begin(code)
    code("vldm", "r8", "{s0-s7}")
    code.entry("ecfit_p25519_fpu_mul")
    c = Code()
    a = [v(f"a{k}") for k in range(8)]
    column = [v(f"c{k}") for k in range(16)]
    c("vmov", s(BACK), "lr")
    c("vmov", s(LATER), s(LATER + 1), a[6], a[7])
    for i in range(8):
        first_row(c, i, a, column)
    bring(c, (v("u"), v("w")), LATER)
    column[6] = v("c6again")
    c("vmov", column[6], s(LOW + 6))
    second_rows(c, (v("u"), v("w")), column)
    code.lines += settle(c.lines, GIVEN, {column[k][1:-1]: HIGH[k] for k in HIGH}, ALL)
    code.entry(FOLD)
    fold(code)


def first_row(c: Code, i: int, a: list[str], column: list[str]) -> None:
    """The lower words of R times word i of B; column i goes out."""
    b = v(f"b{i}")
    c("vmov", b, s(i))
    if i == 0:
        c("umull", column[0], column[1], a[0], b)
        c("vmov", s(LOW), column[0])
        c("umull", column[7], column[2], a[1], b)  # column 1: waits for row 1
    elif i > 1:
        c("mov", column[i + WIDE], "#0")
    for j in range(2 if i == 0 else 0, WIDE):
        if i == 0:
            c("mov", column[j + 1], "#0")
        c("umaal", column[i + j], column[j + 1] if i == 0 else column[i + WIDE], a[j], b)
        if j == 0 and i < 7:
            c("vmov", s(LOW + i), column[i])


def second_rows(c: Code, a: tuple[str, str], column: list[str]) -> None:
    """The upper words of R times B: each word of them has its own carry, from row to row."""
    one, two = column[14], column[15]
    for i in range(8):
        if i % 2 == 0:
            bring(c, (v(f"d{i}b"), v(f"d{i + 1}b")), i)
        b = v(f"d{i}b")
        if i == 0:
            c("mov", one, "#0")
            c("umaal", column[6], one, a[0], b)
            c("umaal", column[7], one, a[1], b)
            c("mov", two, "#0")
            continue
        c("umaal", column[6 + i], two if i == 1 else one, a[0], b)
        if i == 1:
            c("umaal", column[8], two, a[1], b)
        else:
            c("umaal", column[7 + i] if i < 7 else one, two, a[1], b)


def fold(code: Code) -> None:
    """R = columns 0 to 5, which went out, 6 and 7 + 38 times the others, where HIGH says.

    Three values stand in R until there is room for them beside it.
    """
    c = Code()
    high = [v(f"c{k}") for k in range(6, 16)]
    factor, carry, last = v("factor"), v("carry"), high[8]
    c("mov", factor, "#38")
    c("mov", v("first"), "#0")
    c("umaal", high[1], v("first"), high[9], factor)
    c("lsl", v("twice"), v("first"), "#1")
    c("orr", v("above"), v("twice"), f"{high[1]}, lsr #31")
    c("mov", v("nineteen"), "#19")
    c("mul", carry, v("above"), v("nineteen"))
    c("bic", v("r7"), high[1], "#0x80000000")
    words = [*(v(f"r{k}") for k in range(6)), high[0]]
    for k, word in enumerate(words):
        if k == 2:
            factor = v("again")
            c("mov", factor, "#38")
        elif k == 4:
            c("mov", v("carry4"), carry)
            c("mov", v("last4"), last)
            carry, last = v("carry4"), v("last4")
        if k in {0, 2, 4}:
            bring(c, words[k : k + 2], LOW + k)
        c("umaal", word, carry, last if k == 6 else high[2 + k], factor)
    c("add", v("r7"), v("r7"), carry)
    c("vmov", "lr", s(BACK))
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)
    left = {f"r{k}": RESULT[k] for k in (0, 1, 2, 3, 4, 5, 7)} | {"c6": "r6"}
    code.lines += settle(c.lines, {f"c{k}": HIGH[k] for k in HIGH}, left, ALL)


class Squared(Square):
    """A square by columns, of which those below 7 go to floating-point registers."""

    def __init__(self, c: Code) -> None:
        super().__init__(c, with_digits=False, words=RESULT)
        self.pool = Fresh(c)
        self.words = {k: v(f"a{k}") for k in range(8)}

    def store(self, k: int) -> None:
        """The column before this one."""
        if 0 < k < 8:
            self.c("vmov", s(LOW + k - 1), self.last)
        elif k == 8:
            self.result.append(self.last)


class Fresh(Pool):
    """A name for each value."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.count = 0

    def take(self) -> str:
        """A name that nothing has."""
        self.count += 1
        return v(f"v{self.count}")


def sqr(code: Code) -> None:
    """R^2; another way in chooses words of [r8] where the bytes of GE are 1."""
    begin(code)
    four = ("r9", "r10", "r11", "r12")
    for first in (0, 4):
        code("ldm", "r8" if first else "r8!", several(four))
        for k, word in enumerate(four, first):
            code("sel", RESULT[k], word, RESULT[k])
    code.entry("ecfit_p25519_fpu_sqr")
    c = Code()
    c("vmov", s(BACK), "lr")
    square = Squared(c)
    square.columns()
    columns = [*square.result, square.carry]
    for k in (7, 15, 10, 12):  # for which their registers have not been free
        c("mov", v(f"m{k}"), columns[k - 7])
        columns[k - 7] = v(f"m{k}")
    columns.insert(0, v("m6"))
    c("vmov", columns[0], s(LOW + 6))
    left = {columns[k - 6][1:-1]: HIGH[k] for k in HIGH}
    code.lines += settle(c.lines, GIVEN, left, ALL)
    code("b", FOLD)


def begin(code: Code) -> None:
    """Tells the assembler of the unit, which compilers for soft floats do not."""
    code.lines.append("    .fpu    fpv4-sp-d16")


def linear(code: Code) -> None:
    """R + [r8], or r11 times that: the top words first, then the others with what these leave."""
    begin(code)
    c = code
    c("mov", "r11", "#1")
    c.entry("ecfit_p25519_fpu_linear")
    c("ldr", "r9", at("r8", 7))
    c("mov", "r12", "#0")
    c("umaal", "r7", "r12", "r11", "r9")
    c("lsl", "r12", "r12", "#1")
    c("orr", "r12", "r12", "r7, lsr #31")
    c("bic", "r7", "r7", "#0x80000000")
    c("mov", "r9", "#19")
    c("mul", "r12", "r12", "r9")
    for first, words in ((0, ("r9", "r10")), (2, ("r9", "r10")), (4, ("r8", "r9", "r10"))):
        c("ldm", "r8" if "r8" in words else "r8!", several(words))
        for k, word in enumerate(words, first):
            c("umaal", RESULT[k], "r12", "r11", word)
    c("add", "r7", "r7", "r12")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def sub(code: Code) -> None:
    """R - [r8]: 38 is taken for what is borrowed, which leaves no other borrow."""
    begin(code)
    c = code
    for first in (0, 4):
        c("ldm", "r8!" if first == 0 else "r8", several(("r9", "r10", "r11", "r12")))
        for k, word in enumerate(("r9", "r10", "r11", "r12"), first):
            c("sbcs" if k else "subs", RESULT[k], RESULT[k], word)
    c("sbc", "r9", "r9", "r9")
    c("and", "r9", "r9", "#38")
    c("subs", "r0", "r0", "r9")
    for k in range(1, 8):
        c("sbcs" if k < 7 else "sbc", RESULT[k], RESULT[k], "#0")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


GIVEN = {f"a{k}": name for k, name in enumerate(RESULT)}
