"""Products and squares of P-256 for public data: Montgomery's reduction [MONT85] of what
product_var.py leaves.

p = 2^256 - 2^224 + 2^192 + 2^96 - 1, so the quotient m is, column by column,
t[k] + m[k-3] + m[k-6] - m[k-7], and column k of the result t[k+8] + m[k] + m[k+2] - m[k+1] + m[k+5]
and -p, which comes back where that is negative: 1 in column 0, -1 in columns 3 and 6, 1 in 7.
A chain of carries for each term; those of the quotient go on in columns 0 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.armv7em.code import Code, at, several
from gen.armv7m import product_var as product
from gen.armv7m.product_var import CARRY, MIDDLE, RESULT, SIZE, leave, load

M = ("r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12")
HIGH = ("r5", "r6", "r7", "r8")  # columns 4 to 7, where m[0] to m[3] were
ABOVE = "lr"  # what is carried out of them


def mul(code: Code) -> None:
    """[r0] = [r1] [r2] / R."""
    product.mul(code)
    redc(code)


def sqr(code: Code) -> None:
    """[r0] = [r1]^2 / R."""
    product.sqr(code)
    redc(code)


def chain(code: Code, first: str, others: str, to: Sequence[str], terms: Sequence[str]) -> None:
    """Terms to columns; a constant is one that has an instruction of its own: "-1", "0"."""
    for k, (column, term) in enumerate(zip(to, terms, strict=True)):
        name = others if k else first
        if term == "-1":  # with its carry: all ones are added
            code("sbcs", column, column, "#0")
        else:
            code(name, column, column, "#0" if term == "0" else term)


def redc(code: Code) -> None:
    """What product.mul or product.sqr left, reduced; and the return."""
    load(code, M, "sp", 0)
    code.note("m[3] to m[7], without two terms; what they carry goes on in column 0")
    chain(code, "adds", "adcs", M[3:], M[:5])
    chain(code, "adcs", "adcs", MIDDLE, M[:4])
    code("adc", CARRY, CARRY, "#0")
    chain(code, "adds", "adcs", M[6:], M[:2])
    chain(code, "adcs", "adcs", MIDDLE, M[2:6])
    code("adc", CARRY, CARRY, "#0")
    code.note("what is not borrowed is the 1 of -p")
    code("subs", M[7], M[7], M[0])
    chain(code, "adcs", "adcs", MIDDLE, (*M[5:], "-1"))
    code("adc", CARRY, CARRY, "#0")
    chain(code, "subs", "sbcs", MIDDLE, M[1:5])
    code.note("columns 4 to 7")
    load(code, HIGH, "sp", 3 * SIZE // 2)
    chain(code, "sbcs", "sbcs", HIGH, (*M[5:], "0"))
    code("sbc", ABOVE, ABOVE, ABOVE)
    sign = f"{CARRY}, asr #31"
    chain(code, "adds", "adcs", HIGH, (CARRY, sign, sign, sign))
    code("adc", ABOVE, ABOVE, sign)
    chain(code, "adds", "adcs", HIGH, M[4:])
    code("adc", ABOVE, ABOVE, "#0")
    chain(code, "adds", "adcs", HIGH, (*M[6:], "-1", "0"))
    code("sbc", ABOVE, ABOVE, "#0")
    code.note("p where that is negative")
    ones, one = ABOVE, f"{ABOVE}, lsr #31"
    chain(code, "adds", "adcs", (*MIDDLE, *HIGH), (ones, ones, ones, "0", "0", "0", one, ones))
    code("ldr", "r0", at("sp", RESULT))
    code("stm", "r0", several((*MIDDLE, *HIGH)))
    leave(code)
