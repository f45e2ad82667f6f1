"""The field of 2^255 - 19 on the Cortex-M4: 2^256 is 38, and 2^255 is 19.

An element is any integer below 2^256 of its class. Products are tight: below 2^255 + 2^230. All
of them end as low + factor high, in which what the top word has above bit 255 comes down as 19 each
before the other words carry into it: no second pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gen.armv7em import tiles
from gen.armv7em.code import Code, at, several
from gen.armv7em.linear import A8, each_word_of_b, finish, words_of_b
from gen.armv7em.product import ALL, DIGITS, FRAME, Square

ENTRY = "ecfit_p25519_squared"
# Where the result's address is afterwards; else r0.
EXIT = {"mul": "r6"}


def mul(c: Code) -> None:
    """a b: the product by tiles, then folded."""
    high, free = tiles.product(c)
    fold(c, high, free, EXIT["mul"])


def sqr(c: Code) -> None:
    """a^2: the square by columns, then folded. Its middle is a routine, too: ENTRY squares A8."""
    frame(c)
    c("ldm", "r1", several(A8))
    c.entry(ENTRY)
    high = Square(c, with_digits=False, words=A8).write()
    fold(c, high, [name for name in ALL if name not in high], "r0", pushed=2)


def frame(c: Code) -> None:
    """What a square pushes."""
    c("push", several(("r0", "lr")))
    c("sub", "sp", "sp", f"#{4 * FRAME}")


def squared(c: Code) -> None:
    """Goes on to square A8, in place of :func:`finish`."""
    frame(c)
    c("b", ENTRY)


def fold(c: Code, high: Sequence[str], free: Sequence[str], out: str, *, pushed: int = 3) -> None:
    """Columns 0 to 7 of the frame + 38 times those of `high`, which lie behind `free` one by one;
    the result goes to the address that `out` has then.

    The top column comes first: it has at most 77 above bit 255, and then takes a carry below 39.
    """
    low, factor, carry = [*free[:3], *(high[k] for k in (7, 0, 1, 2)), free[3]], free[4], free[5]
    c("mov", factor, "#38")
    c("mov", carry, "#0")
    for k in (7, 0, 1, 2):
        c("ldr", low[k], at("sp", DIGITS + k))
    c("umaal", low[7], carry, high[7], factor)
    lower(c, low[7], carry, high[7])
    for start, end in ((0, 3), (3, 7)):
        for k in range(start, end):
            if k >= 3:
                c("ldr", low[k], at("sp", DIGITS + k))
        for k in range(start, end):
            c("umaal", low[k], carry, high[k], factor)
    assert out in high[3:7]
    back = ("ldr", "lr", at("sp", FRAME + pushed - 1))
    early = "lr" in high[3:7]  # free by now
    c("ldr", out, at("sp", FRAME))
    if early:
        c(*back)
    c("add", low[7], low[7], carry)
    for k in range(8):
        c("str", low[k], at(out, k))
    if not early:
        c(*back)
    c("add", "sp", "sp", f"#{4 * (FRAME + pushed)}")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def lower(c: Code, top: str, carry: str, free: str) -> None:
    """carry = what the top word and its carry have above bit 255, 19 each."""
    c("add", carry, carry, carry)
    c("add", carry, carry, f"{top}, lsr #31")
    c("bic", top, top, "#0x80000000")
    c("mov", free, "#19")
    c("mul", carry, carry, free)


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
    """a + b of two products: below 2^231 is left where something is carried."""
    c("ldm", "r1", several(A8))
    each_word_of_b(c, "adds", "adcs")
    c("mov", "r1", "#38")
    c("sbc", "r12", "r12", "r12")
    c("bic", "r12", "r1", "r12")
    c("adds", A8[0], A8[0], "r12")
    for k in range(1, 8):
        c("adcs" if k < 7 else "adc", A8[k], A8[k], "#0")
    end(c)


def sub_tight(c: Code, end: Callable[[Code], None] = finish) -> None:
    """a - b of two products: above 2^255 - 2^231 is left where something is borrowed."""
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
    """a times the lowest word of b, plus c: r0 result, r1 a, r2 b, r3 c; b below 2^17."""
    c("str", "lr", "[sp, #-4]!")
    c("ldr", "lr", "[r2]")
    c("mov", "r2", "r1")
    c("ldm", "r3", several(A8))
    c("ldr", "r1", "[r2, #28]")
    c("mov", "r11", "#0")
    c("umaal", A8[7], "r11", "r1", "lr")
    lower(c, A8[7], "r11", "r12")
    for k, word in words_of_b(c, ("r1", "r12")):
        if k < 7:  # the last word is read once more: an odd number would take as long
            c("umaal", A8[k], "r11", word, "lr")
    c("add", A8[7], A8[7], "r11")
    c("ldr", "lr", "[sp], #4")
    finish(c)
