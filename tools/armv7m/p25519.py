"""The field of 2^255 - 19 for the Cortex-M3: what folds a product, sums and differences.

As `armv6m_p25519.py` has them, with more registers: all words of a result are at hand when what
lies above bit 255 is known, 19 for each 2^255. Inner functions lose all registers but r9 and sp:
r0 = result, r1, r2 = operands of any value, of which the result may be one.
"""

from __future__ import annotations

from armv7em.code import Code, at, several

from armv7m.p256 import X, leave, load
from armv7m.products import run

WORDS = ("r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7")
U, ABOVE, BY = "r8", "r11", "lr"


def fold(c: Code) -> None:
    """Below 2^255 + 2^231: the low 8 of the 16 words where the stack pointer is, and 38 times the
    high ones; behind them stand the address of the result and that to return to.

    38 times a low half and what is above a word of 38 times the high half before it are one word;
    38 times the high halves are added in a chain of their own, four words and then three. The top
    word comes first: what it has above bit 255 goes into word 0, but for what word 6 carries.
    """
    c("ldr", "r7", at("sp", 7))
    times_38(c, 7, "r10", first=True)
    c("adds", "r7", "r7", U)
    c("lsr", U, "r10", "#16")
    c("adc", U, U, "#0")
    c("adds", "r7", "r7", "r10, lsl #16")
    c("adc", U, U, "#0")
    above(c, "r7", U, ABOVE)
    c("bic", "r7", "r7", "#0x80000000")
    c("ldm", "sp", several(WORDS[:4]))
    c.note("words 0 to 3, then what they carry, and words 4 to 6")
    first, second = ("r10", "r12", "r4", "r5"), ("r10", "r12", "r11")
    batch(c, 0, first)
    c("mov", ABOVE, "#0")
    c("adc", ABOVE, ABOVE, "#0")
    run(c, "add", WORDS[:4], tuple(f"{name}, lsl #16" for name in first))
    c("adc", ABOVE, ABOVE, "r5, lsr #16")
    for word in (4, 5, 6):
        c("ldr", WORDS[word], at("sp", word))
    batch(c, 4, second)
    c("adc", "r7", "r7", "#0")
    run(c, "add", WORDS[4:7], tuple(f"{name}, lsl #16" for name in second))
    c("adc", "r7", "r7", f"{second[-1]}, lsr #16")
    c("ldr", "r8", at("sp", 16))
    c("stm", "r8!", several(WORDS))
    c("mov", "r0", "r8")
    c("add", "sp", "sp", "#68")
    c("pop", several(("pc",)))


def batch(c: Code, start: int, highs: tuple[str, ...]) -> None:
    """Adds 38 times low halves, and ABOVE; `highs` = 38 times high halves."""
    for index, name in enumerate(highs):
        below = f"{highs[index - 1]}, lsr #16" if index else ABOVE
        times_38(c, start + index, name)
        c("add", U, U, below)
        c("adcs" if index else "adds", WORDS[start + index], WORDS[start + index], U)


def times_38(c: Code, word: int, high: str, *, first: bool = False) -> None:
    """U and `high` = 38 times the halves of a high word."""
    c("ldrh", U, f"[sp, #{32 + 4 * word}]")
    c("ldrh", high, f"[sp, #{34 + 4 * word}]")
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
