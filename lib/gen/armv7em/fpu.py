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
from gen.armv7em.product import ALL, RESULT
from gen.armv7em.spans import settle

LOW = 8  # s8 to s14: columns 0 to 6
LATER = 15  # s15, s16: the upper words of R
BACK = 17  # s17: the return address
WIDE = 6  # words of R in the first pass
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


def square(c: Code) -> list[str]:
    """Columns 7 to 15 of R^2; those below go to floating-point registers.

    In column k stand a[k/2]^2 and the products d[i] a[j], i < j, i + j = k, where d = 2 R. A word
    is doubled when it has been squared: ADCS carries what doubling loses to the next word, which
    is right for all words but that one, a[i + 1]: where the bit is set, a[i + 1] is missing at
    column 2 (i + 1), and waits for it as a masked word. A product takes two words, one that stays
    and one that goes to the next column, so a column of p products needs p + 1: they are there
    from column 8 on, and one short below.
    """
    word = {i: v(f"a{i}") for i in range(8)}
    stays, goes, mask = v("c0"), [v("c1")], ""
    c("umull", stays, goes[0], word[0], word[0])
    columns: list[str] = []
    for k in range(1, 16):
        if k % 2:
            i = (k - 1) // 2
            if i < 7:
                mask = double(c, i, word)
        else:
            goes.insert(0 if k in {10, 12} else len(goes), mask)
        if k <= 7:
            c("vmov", s(LOW + k - 1), stays)
        else:
            columns.append(stays)
        factors = [(i, k - i) for i in range(max(0, k - 7), k // 2 + 1) if k - i < 8]
        if len(goes) <= len(factors) and factors:
            goes.append(v(f"z{k}"))
            c("mov", goes[-1], "#0")
        stays, *goes = goes
        for carried, (i, j) in zip(goes, factors, strict=True):
            c("umaal", stays, carried, word[i], word[j])
    return [*columns, stays]


def double(c: Code, i: int, word: dict[int, str]) -> str:
    """Word i twice; the next word where its top bit is lost, else 0."""
    mask, twice = v(f"m{i + 1}"), v(f"d{i}")
    masked = ("and", mask, word[i + 1], f"{word[i]}, asr #31")
    doubled = ("adcs" if i else "adds", twice, word[i], word[i])
    for line in (masked, doubled) if i < 4 else (doubled, masked):
        c(*line)
    word[i] = twice
    return mask


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
    columns = square(c)
    lower(c, columns)
    code.lines += settle(c.lines, GIVEN, LEFT, ALL)


def lower(c: Code, columns: list[str]) -> None:
    """R = columns 0 to 6, which went out, and 7 + 38 times the others.

    Of the last word and what is carried to it, the latter becomes r6.
    """
    top, *high = columns
    factor, carry = v("factor"), v("r6")
    c("mov", factor, "#38")
    c("mov", v("first"), "#0")
    c("umaal", top, v("first"), high[7], factor)
    c("lsl", v("twice"), v("first"), "#1")
    c("orr", v("above"), v("twice"), f"{top}, lsr #31")
    c("mov", v("nineteen"), "#19")
    c("mul", carry, v("above"), v("nineteen"))
    c("bic", top, top, "#0x80000000")
    words = [*(v(f"r{k}") for k in range(6)), v("low6")]
    after = {0: 2, 2: 4, 4: 5, 5: 7}  # column 12 is in r5
    for k, word in enumerate(words):
        if k in after:
            bring(c, words[k : after[k]], LOW + k)
        c("umaal", *((word, carry) if k < 6 else (carry, word)), high[k], factor)
    c("add", v("r7"), top, words[6])
    c("vmov", "lr", s(BACK))
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


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
    """R - [r8]: 38 is taken for what is borrowed, which leaves no other borrow. r8 ends behind the
    operand.
    """
    begin(code)
    c = code
    for first in (0, 4):
        c("ldm", "r8!", several(("r9", "r10", "r11", "r12")))
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
LEFT = {f"r{k}": name for k, name in enumerate(RESULT)}
