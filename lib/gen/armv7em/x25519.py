"""The products of X25519 in few bytes on the Cortex-M4: one end for products, squares and sums.

An element is any integer below 2^256 of its class. All of them end as low + factor high, in which
what the top word has above bit 255 comes down as 19 each before the other words carry into it: no
second pass. So the results are below 2^255 + 2^242, not tight as those of p25519.py.
"""

from __future__ import annotations

import re

from gen.armv7em import tiles
from gen.armv7em.code import Code
from gen.armv7em.linear import A8
from gen.armv7em.product import Square

HIGH = ("r0", "r5", "r1", "r6", "r8", "lr", "r2", "r3")  # columns 8 to 15
# A square's registers, by columns, are others: these for those of product.py.
RENAMED = {
    **{"r2": "r0", "lr": "r5", "r11": "r1", "r0": "r6", "r4": "r8", "r3": "lr", "r5": "r2"},
    **{"r12": "r3", "r6": "r4", "r7": "r7", "r8": "r9", "r9": "r10", "r10": "r11", "r1": "r12"},
}
END, FOLD = "ecfit_p25519_x_end", "ecfit_p25519_x_fold"


class Small(Code):
    """Instructions as narrow as they can be."""

    def __call__(self, name: str, *operands: str, narrow: bool = True) -> None:
        super().__call__(name, *operands, narrow=narrow)


def mul(code: Code) -> None:
    """a b: the product by tiles, and what all end in."""
    c = Small()
    high, _ = tiles.product(c)
    assert tuple(high) == HIGH
    c.entry(END)
    c("mov", "r4", "sp")
    c("mov", "r11", "#38")
    fold(c)
    code.lines += c.lines


def sqr(code: Code) -> None:
    """a^2: the square by columns, then the end of the product."""
    code.lines += [
        "    push    {r0, r1, lr}",
        "    sub     sp, sp, #48",
        "    ldr     lr, [r1], #4",
        "    ldr     r8, [r1], #4",
        "    ldm     r1, {r2, r4, r7, r9, r10, r11}",
    ]
    c = Small()
    high = Square(c, with_digits=False, words=A8).write()
    assert tuple(RENAMED[name] for name in high) == HIGH
    code.lines += [re.sub(r"\b(r\d+|lr)\b", lambda m: RENAMED[m[0]], text) for text in c.lines]
    code("b.w", END, narrow=True)


def fold(c: Code) -> None:
    """[r4] + r11 times HIGH, which lie behind what is loaded one by one; the result goes out."""
    c.entry(FOLD)
    c("ldr", "r7", "[r4, #28]")
    c("mov", "r12", "#0")
    c("umaal", "r7", "r12", "r3", "r11")
    c("lsls", "r7", "r7", "#1")
    c("adc", "r12", "r12", "r12")
    c("lsrs", "r7", "r7", "#1")
    c("movs", "r3", "#19")
    c("mul", "r12", "r12", "r3")
    c("ldm", "r4!", "{r3, r9, r10}")
    for low, high in (("r3", "r0"), ("r9", "r5"), ("r10", "r1")):
        c("umaal", low, "r12", high, "r11")
    for k, low in enumerate(("r0", "r5", "r1", "r4")):
        c("ldr", low, f"[r4, #{4 * k}]")
    for low, high in (("r0", "r6"), ("r5", "r8"), ("r1", "lr"), ("r4", "r2")):
        c("umaal", low, "r12", high, "r11")
    c("ldr", "r2", "[sp, #48]")
    c("add", "r7", "r12")
    c("stm", "r2!", "{r3, r9, r10}")
    for k, low in enumerate(("r0", "r5", "r1", "r4", "r7")):
        c("str", low, f"[r2, #{4 * k}]")
    c("add", "sp", "sp", "#56")
    c("pop", "{pc}")


def linear(code: Code) -> None:
    """a + b; with another factor in r11, that times a, plus b."""
    c = Small()
    c("mov", "r11", "#1")
    c.entry("ecfit_p25519_x_linear")
    c("push", "{r0, r1, lr}")
    c("sub", "sp", "sp", "#48")
    c("mov", "r4", "r2")
    c("mov", "r7", "r1")
    c("ldm", "r7!", "{r0, r5}")
    c("ldm", "r7!", "{r1, r6, r8, lr}")
    c("ldm", "r7!", "{r2, r3}")
    c("b.w", FOLD)
    code.lines += c.lines


def sub(code: Code) -> None:
    """a - b: 38 is taken for what is borrowed, which leaves no other borrow."""
    c = Small()
    c("ldm", "r1", "{r3, r4, r5, r6, r7, r8, r9, r10}")
    for start, words in ((3, ("r1", "r11", "r12")), (6, ("r1", "r11", "r12")), (9, ("r1", "r11"))):
        c("ldm", "r2!", "{" + ", ".join(words) + "}")
        for k, word in enumerate(words):
            a = f"r{start + k}"
            c("sbcs" if start + k > 3 else "subs", a, a, word)
    c("sbcs", "r1", "r1", "r1")
    c("and", "r1", "r1", "#38")
    c("movs", "r2", "#0")
    c("subs", "r3", "r3", "r1")
    for k in range(4, 8):
        c("sbcs", f"r{k}", "r2")
    for k in range(8, 11):
        c("sbcs" if k < 10 else "sbc", f"r{k}", f"r{k}", "#0")
    c("stm", "r0", "{r3, r4, r5, r6, r7, r8, r9, r10}")
    c("bx", "lr")
    code.lines += c.lines
