"""The field of 2^255 - 19 for the Cortex-M3: what folds a product, sums and differences.

As `armv6m/p25519.py` has them, with more registers: all words of a result are at hand when what
lies above bit 255 is known, 19 for each 2^255. Inner functions lose all registers but r9 and sp:
r0 = result, r1, r2 = operands of any value, of which the result may be one.
"""

from __future__ import annotations

from gen.armv7em.code import Code, at, several
from gen.armv7m.p256 import X, leave, load
from gen.armv7m.products import run

WORDS = ("r0", "r1", "r2", "r3")  # four at a time
HIGH, BY, U, ABOVE, TOP = "r4", "r5", "r6", "r8", "lr"
TIMES = (("r7", "r10", "r11", "r12"), ("r10", "r11", "r12"))  # 38 times high halves


def fold(c: Code) -> None:
    """Below 2^255 + 2^231: the low 8 of the 16 words where the stack pointer is, and 38 times the
    high ones; behind them stand the address of the result and that to return to.

    38 times a low half and what is above a word of 38 times the high half before it are one word;
    38 times the high halves are added in a chain of their own, four words and then three. The top
    word comes first: what it has above bit 255 goes into word 0, but for what word 6 carries.
    """
    top, over, high = "r0", "r1", "r7"
    c("add", HIGH, "sp", "#32")
    c("ldr", top, at("sp", 7))
    times_38(c, 7, high, first=True)
    c("lsr", over, high, "#16")
    c("adds", top, top, U)
    c("adc", over, over, "#0")
    c("adds", top, top, f"{high}, lsl #16")
    c("adc", over, over, "#0")
    above(c, top, over, "r2")
    c("mov", ABOVE, "r2")
    c("bic", TOP, top, "#0x80000000")
    c("ldm", "sp", several(WORDS))
    c.note("words 0 to 3, then what they carry, and words 4 to 7")
    batch(c, 0, TIMES[0])
    c("movs", U, "#0")
    c("adcs", U, U, U)
    run(c, "add", WORDS, tuple(f"{name}, lsl #16" for name in TIMES[0]))
    c("adc", ABOVE, U, f"{TIMES[0][3]}, lsr #16")
    c("ldr", "r7", at("sp", 16))
    c("stm", "r7!", several(WORDS))
    for index in range(3):
        c("ldr", WORDS[index], at("sp", 4 + index))
    batch(c, 4, TIMES[1])
    c("adc", WORDS[3], TOP, "#0")
    run(c, "add", WORDS[:3], tuple(f"{name}, lsl #16" for name in TIMES[1]))
    c("adc", WORDS[3], WORDS[3], f"{TIMES[1][2]}, lsr #16")
    c("stm", "r7!", several(WORDS))
    c("mov", "r0", "r7")
    c("add", "sp", "sp", "#68")
    c("pop", several(("pc",)))


def batch(c: Code, start: int, highs: tuple[str, ...]) -> None:
    """Adds 38 times low halves, and ABOVE; `highs` = 38 times high halves."""
    for index, name in enumerate(highs):
        below = f"{highs[index - 1]}, lsr #16" if index else ABOVE
        times_38(c, start + index, name)
        c("add", U, U, below)
        c("adcs" if index else "adds", WORDS[index], WORDS[index], U)


def times_38(c: Code, word: int, high: str, *, first: bool = False) -> None:
    """U and `high` = 38 times the halves of a high word."""
    c("ldrh", U, f"[{HIGH}, #{4 * word}]")
    c("ldrh", high, f"[{HIGH}, #{4 * word + 2}]")
    if first:
        c("mov", BY, "#38")
    c("mul", U, U, BY)
    c("mul", high, high, BY)


def above(c: Code, top: str, carried: str, out: str) -> None:
    """out = 19 for each 2^255 of what lies above bit 255 of the top word; `carried` is lost."""
    c("lsr", out, top, "#31")
    c("add", carried, out, f"{carried}, lsl #1")
    c("mov", out, "#19")
    c("mul", out, carried, out)


def add(c: Code) -> None:
    """r0 = r1 + r2, below 2^255 + 2^6."""
    load(c, "add")
    c("mov", "r1", "#0")
    c("adc", "r1", "r1", "#0")
    above(c, X[7], "r1", "r2")
    c("bic", X[7], X[7], "#0x80000000")
    run(c, "add", X, ("r2", *["#0"] * 7))
    leave(c)


def sub(c: Code) -> None:
    """r0 = r1 - r2, below 2^256.

    Bits above 255 and what was borrowed are v 2^255, v from -2 to 1: 19 (1 - v) is subtracted below
    2^255 and bit 255 set, so that nothing is borrowed above.
    """
    load(c, "sub")
    c("sbc", "r1", "r1", "r1")
    above(c, X[7], "r1", "r2")
    c("rsb", "r2", "r2", "#19")
    c("orr", X[7], X[7], "#0x80000000")
    run(c, "sub", X, ("r2", *["#0"] * 7))
    leave(c)


def small(c: Code) -> None:
    """r0 = r1 times the word at r2, below 2^255 + 2^241.

    in: that word 2^16 + f, f at most 2^16 - 2^9

    A word of halves l and h makes l f + (h f + l) 2^16 + h 2^32, where h f + l is one word; h and
    the upper half of that go to l f of the next word, which is one word still.
    """
    f, crossed, below, top = "r2", "r10", "r11", "r12"
    lows, highs = ("r3", "r4", "r5", "r6"), ("r7", "r8")
    c("ldrh", f, "[r2]")
    c.note("the top word: what it has above bit 255 goes into word 0")
    c("ldrh", "r3", "[r1, #28]")
    c("ldrh", "r4", "[r1, #30]")
    times_word(c, "r3", "r4", f, crossed)
    c("adds", "r3", "r3", f"{crossed}, lsl #16")
    c("adc", "r4", "r4", f"{crossed}, lsr #16")
    above(c, "r3", "r4", below)
    c("bic", top, "r3", "#0x80000000")
    for word in range(7):
        low, high = lows[word % 4], highs[word % 2]
        if word % 2 == 0:
            for ahead in range(word, min(word + 2, 7)):
                c("ldrh", lows[ahead % 4], f"[r1, #{4 * ahead}]")
                c("ldrh", highs[ahead % 2], f"[r1, #{4 * ahead + 2}]")
        times_word(c, low, high, f, crossed)
        c("add", low, low, below)
        c("adcs" if word else "adds", low, low, f"{crossed}, lsl #16")
        c("add", below, high, f"{crossed}, lsr #16")
        if word == 3:
            c("stm", "r0!", several(lows))
    c("adc", lows[3], top, below)
    c("stm", "r0!", several(lows))
    c("bx", "lr", narrow=True)


def times_word(c: Code, low: str, high: str, f: str, crossed: str) -> None:
    """Of halves of a word: crossed = high f + low, low = low f."""
    c("mul", crossed, high, f)
    c("add", crossed, crossed, low)
    c("mul", low, low, f)
