"""The field of 2^255 - 19 on the Cortex-M4: 2^256 is 38, and 2^255 is 19.

An element is any integer below 2^256 of its class. Products are tight: below 2^255 + 2^25.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armv7em import tiles
from armv7em.code import Code, at, several
from armv7em.linear import A8, each_word_of_b, finish, words_of_b
from armv7em.product import ALL, DIGITS, FRAME, Square

ENTRY = "ecfit_p25519_squared"
SQUARES = ("sqr", "add_sqr", "sub_sqr", "choice_sqr")
# Where the result's address is afterwards; else r0.
EXIT = {"mul": "r3", **dict.fromkeys(SQUARES, "r12")}


def mul(c: Code) -> None:
    """a b: the product by tiles, then folded."""
    high, free = tiles.product(c)
    assert high[7] == EXIT["mul"]
    fold(c, high, free)


def sqr(c: Code) -> None:
    """a^2: the square by columns, then folded. Its middle is a routine, too: ENTRY squares A8."""
    frame(c)
    c("ldm", "r1", several(A8))
    c.entry(ENTRY)
    high = Square(c, with_digits=False, words=A8).write()
    assert high[7] == EXIT["sqr"]
    fold(c, high, [name for name in ALL if name not in high], pushed=2)


def frame(c: Code) -> None:
    """What a square pushes."""
    c("push", several(("r0", "lr")))
    c("sub", "sp", "sp", f"#{4 * FRAME}")


def squared(c: Code) -> None:
    """Goes on to square A8, in place of :func:`finish`."""
    frame(c)
    c("b", ENTRY)


def fold(c: Code, high: Sequence[str], free: Sequence[str], *, pushed: int = 3) -> None:
    """Columns 0 to 7 of the frame + 38 times those of `high`, which lie behind `free` one by one;
    the result goes out.

    What lies above bit 255 of the sum, at most 77, comes down as 19 each.
    """
    low, factor, carry = [*free[:4], *high[:4]], free[4], free[5]
    c("mov", factor, "#38")
    c("mov", carry, "#0")
    for start in (0, 4):
        for k in range(start, start + 4):
            c("ldr", low[k], at("sp", DIGITS + k))
        for k in range(start, start + 4):
            c("umaal", low[k], carry, high[k], factor)
    back = ("ldr", "lr", at("sp", FRAME + pushed - 1))
    early = "lr" in high[4:7]  # free by now
    c("ldr", high[7], at("sp", FRAME))
    if early:
        c(*back)
    lower(c, low, carry, factor)
    order = sorted(low, key=number)
    if order == low:
        c("stm", high[7], several(low))
    else:
        for k in range(8):
            c("str", low[k], at(high[7], k))
    if not early:
        c(*back)
    c("add", "sp", "sp", f"#{4 * (FRAME + pushed)}")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def number(register: str) -> int:
    """The number of a core register."""
    return 14 if register == "lr" else int(register[1:])


def lower(c: Code, words: Sequence[str], carry: str, free: str) -> None:
    """What lies above bit 255 of the words and their carry, below 2^26, comes down as 19 each."""
    c("add", carry, carry, carry)
    c("add", carry, carry, f"{words[7]}, lsr #31")
    c("bic", words[7], words[7], "#0x80000000")
    c("mov", free, "#19")
    c("mul", carry, carry, free)
    c("adds", words[0], words[0], carry)
    for k in range(1, 8):
        c("adcs" if k < 7 else "adc", words[k], words[k], "#0")


def add(c: Code) -> None:
    """a + b. 38 comes for what is carried.

    Where that carries again, hardly anything is left, and 38 fits into the lowest word.
    """
    c("ldm", "r1", several(A8))
    each_word_of_b(c, "adds", "adcs")
    c("mov", "r1", "#38")
    for last in (False, True):
        c("sbc", "r12", "r12", "r12")
        c("bic", "r12", "r1", "r12")
        c("add" if last else "adds", A8[0], A8[0], "r12")
        for word in A8[1:] if not last else ():
            c("adcs", word, word, "#0")
    finish(c)


def add_tight(c: Code, end: Callable[[Code], None] = finish) -> None:
    """a + b of two products: below 2^26 is left where something is carried."""
    c("ldm", "r1", several(A8))
    each_word_of_b(c, "adds", "adcs")
    c("mov", "r1", "#38")
    c("sbc", "r12", "r12", "r12")
    c("bic", "r12", "r1", "r12")
    c("add", A8[0], A8[0], "r12")
    end(c)


def sub_tight(c: Code, end: Callable[[Code], None] = finish) -> None:
    """a - b of two products: above 2^255 - 2^25 is left where something is borrowed."""
    c("ldm", "r1", several(A8))
    each_word_of_b(c, "subs", "sbcs")
    c("sbc", "r12", "r12", "r12")
    c("and", "r12", "r12", "#38")
    c("subs", A8[0], A8[0], "r12")
    for k in range(1, 8):
        c("sbcs" if k < 7 else "sbc", A8[k], A8[k], "#0")
    end(c)


def sub(c: Code) -> None:
    """a - b, likewise: 38 is taken for what is borrowed."""
    c("ldm", "r1", several(A8))
    each_word_of_b(c, "subs", "sbcs")
    for last in (False, True):
        c("sbc", "r12", "r12", "r12")
        c("and", "r12", "r12", "#38")
        c("sub" if last else "subs", A8[0], A8[0], "r12")
        for word in A8[1:] if not last else ():
            c("sbcs", word, word, "#0")
    finish(c)


def select(c: Code, end: Callable[[Code], None] = finish) -> None:
    """b where the mask in r3 is all ones, else a: SEL takes bytes by what an addition of bytes
    carried.
    """
    c("uadd8", "r3", "r3", "r3")
    c("ldm", "r1", several(A8))
    for k, word in words_of_b(c):
        c("sel", A8[k], word, A8[k])
    end(c)


def negate(c: Code) -> None:
    """2^256 - 38 - a where the mask in r1 is all ones: complements, and 37 less."""
    words = ("r2", "r3", "r4", "r5", "r6", "r7", "r8", "r12")
    c("push", several(words[2:7]))
    c("ldm", "r0", several(words))
    for word in words:
        c("eor", word, word, "r1")
    c("and", "r1", "r1", "#37")
    c("subs", words[0], words[0], "r1")
    for k in range(1, 8):
        c("sbcs" if k < 7 else "sbc", words[k], words[k], "#0")
    c("stm", "r0", several(words))
    c("pop", several(words[2:7]))
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def small_add(c: Code) -> None:
    """a times the lowest word of b, plus c: r0 result, r1 a, r2 b, r3 c; b below 2^19."""
    c("str", "lr", "[sp, #-4]!")
    c("ldr", "lr", "[r2]")
    c("mov", "r2", "r1")
    c("ldm", "r3", several(A8))
    c("mov", "r11", "#0")
    for k, word in words_of_b(c, ("r1", "r12")):
        c("umaal", A8[k], "r11", word, "lr")
    lower(c, A8, "r11", "r12")
    c("ldr", "lr", "[sp], #4")
    finish(c)
