"""Products and squares modulo 2^255 - 19 for public data: what product_var.py leaves, folded.

2^256 is 38: the high words, 38 times, are added to the low ones in two chains for each four, one of
low and one of high halves of their products. What lies above bit 255 then comes down as 19 each.
"""

from __future__ import annotations

from gen.armv7em.code import Code, at, several
from gen.armv7m import product_var as product
from gen.armv7m.product_var import CARRY, MIDDLE, RESULT, SIZE, leave, load

FACTOR, ABOVE = "r12", "lr"
LOW = ("r5", "r6", "r7", "r8")
HIGH = ("r9", "r10", "r11", "r12")


def mul(code: Code) -> None:
    """[r0] = [r1] [r2]."""
    product.mul(code)
    fold(code)


def sqr(code: Code) -> None:
    """[r0] = [r1]^2."""
    product.sqr(code)
    fold(code)


def fold(code: Code) -> None:
    """What product.mul or product.sqr left, folded; and the return."""
    half = SIZE // 2
    code("mov", FACTOR, "#38")
    load(code, LOW, "sp", 0)
    code.note("ABOVE: 38 times what columns 8 to 11 carry, and what is carried into word 4")
    code("bic", "r9", FACTOR, CARRY)
    for k, (word, high) in enumerate(zip(LOW, MIDDLE, strict=True)):
        code("umull", "r0", high, high, FACTOR)
        code("adcs" if k else "adds", word, word, "r0")
    code("adc", ABOVE, MIDDLE[3], "r9")
    for k in range(half - 1):
        code("adcs" if k else "adds", LOW[k + 1], LOW[k + 1], MIDDLE[k])
    code("adc", ABOVE, ABOVE, "#0")
    load(code, MIDDLE, "sp", 3 * half)
    load(code, HIGH[:3], "sp", half)
    for k, (word, high) in enumerate(zip(HIGH, MIDDLE, strict=True)):
        code("umull", "r0", high, high, FACTOR)
        if k == half - 1:
            code("ldr", word, at("sp", half + k))
        code("adcs" if k else "adds", word, word, "r0")
    code("adc", MIDDLE[3], MIDDLE[3], "#0")
    for k, (word, term) in enumerate(zip(HIGH, (ABOVE, *MIDDLE[:3]), strict=True)):
        code("adcs" if k else "adds", word, word, term)
    code("adc", MIDDLE[3], MIDDLE[3], "#0")
    top = MIDDLE[3]
    code.note("19 times what lies above bit 255")
    code("lsl", top, top, "#1")
    code("orr", top, top, f"{HIGH[3]}, lsr #31")
    code("bic", HIGH[3], HIGH[3], "#0x80000000")
    code("add", "r0", top, f"{top}, lsl #1")
    code("add", top, "r0", f"{top}, lsl #4")
    for k, word in enumerate((*LOW, *HIGH)):
        code("adcs" if k else "adds", word, word, "#0" if k else top)
    code("ldr", "r0", at("sp", RESULT))
    code("stm", "r0", several((*LOW, *HIGH)))
    leave(code)
