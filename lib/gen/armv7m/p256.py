"""The field of P-256 for the Cortex-M3: the reduction of a product, sums and differences.

As `armv6m/p256.py` has them, with more registers. Inner functions lose all registers but r9 and
sp: r0 = result, r1, r2 = operands below p, of which the result may be one.
p = 2^256 - 2^224 + 2^192 + 2^96 - 1: its words are -1, -1, -1, 0, 0, 0, 1, -1.
"""

from __future__ import annotations

from collections.abc import Callable

from gen.armv7em.code import Code, at, several
from gen.armv7m.products import CARRYING, run

M = ("r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8")  # digits of the quotient
LOW = ("r0", "r11", "r12", "lr")  # columns 0 to 3
HIGH = ("r1", "r2", "r3", "r4")  # columns 4 to 7
K = "r10"  # what columns carry, with its sign


def product(routine: str, reduction: str) -> Callable[[Code], None]:
    """A product on the stack, and what reduces it, which returns."""

    def write(c: Code) -> None:
        c("push", several(("r0", "lr")))
        c("sub", "sp", "sp", "#64")
        c("mov", "r0", "sp")
        c("bl", routine)
        c("b", reduction)

    return write


def redc(c: Code) -> None:
    """t/2^256, below p, of the 16 words t, below p 2^256, where the stack pointer is; behind them
    stand the address of the result and that to return to.

    The quotient m of Montgomery's reduction is, column by column, t[k] + m[k-3] + m[k-6] - m[k-7];
    column k of the result is t[k+8] + m[k] + m[k+2] - m[k+1] + m[k+5], and -p, which comes back
    where that is negative: 1 in column 0, and words of ones in columns 3 and 6. [MONT85]
    """
    c("ldm", "sp", several(M))
    c.note("digits 3 to 7; r10: what they carry into column 0, less -p there")
    run(c, "add", M[3:], M[:5])
    c("mov", K, "#1")
    c("adc", K, K, "#0")
    run(c, "add", M[6:], M[:2])
    c("adc", K, K, "#0")
    c("subs", M[7], M[7], M[0])
    c("sbc", K, K, "#0")
    c.note("columns 0 to 3")
    for index, name in enumerate(LOW):
        c("ldr", name, at("sp", 8 + index))
    run(c, "add", LOW, (K, "#0", "#0", "#0"))
    c("mov", K, "#0")
    c("adc", K, K, "#0")
    run(c, "add", (*LOW, K), (*M[0:4], "#0"))
    run(c, "add", (*LOW, K), (*M[2:6], "#0"))
    run(c, "add", (*LOW, K), (*M[5:8], "#-1", "#-1"))
    run(c, "sub", (*LOW, K), (*M[1:5], "#0"))
    c.note("columns 4 to 7")
    for index, name in enumerate(HIGH):
        c("ldr", name, at("sp", 12 + index))
    sign = f"{K}, asr #31"
    run(c, "add", HIGH, (K, sign, sign, sign))
    c("asr", K, K, "#31")
    c("adc", K, K, "#0")
    run(c, "add", (*HIGH, K), (*M[4:8], "#0"))
    run(c, "add", (*HIGH, K), (*M[6:8], "#-1", "#0", "#-1"))
    run(c, "sub", (*HIGH, K), (*M[5:8], "#0", "#0"))
    c.note("r10: 0, or all ones where p comes back")
    c("ldr", "r5", at("sp", 16))
    back(c, (*LOW, *HIGH), K)
    c("stm", "r5!", several(LOW))
    c("stm", "r5", several(HIGH))
    c("add", "sp", "sp", "#68")
    c("pop", several(("pc",)))


def back(c: Code, words: tuple[str, ...], mask: str) -> None:
    """Adds p where the mask is all ones, not 0."""
    run(c, "add", words, (mask, mask, mask, "#0", "#0", "#0", f"{mask}, lsr #31", mask))


X = ("r3", "r4", "r5", "r6", "r7", "r8", "r10", "r11")


def load(c: Code, operation: str) -> None:
    """X = the words at r1 and those at r2, added or subtracted; the last carry is in C."""
    c("ldm", "r1", several(X))
    combine(c, operation)


def combine(c: Code, operation: str) -> None:
    """X and the words at r2, likewise."""
    for word in range(0, 8, 2):
        c("ldr", "r1", at("r2", word))
        c("ldr", "r12", at("r2", word + 1))
        c(CARRYING[operation] if word else f"{operation}s", X[word], X[word], "r1")
        c(CARRYING[operation], X[word + 1], X[word + 1], "r12")


def leave(c: Code) -> None:
    """r0 = X; returns."""
    c("stm", "r0!", several(X))
    c("bx", "lr", narrow=True)


def add(c: Code) -> None:
    """r0 = r1 + r2: p is subtracted, and comes back where that is negative."""
    load(c, "add")
    c("mov", "r1", "#0")
    c("adc", "r1", "r1", "#0")
    run(c, "sub", (*X, "r1"), ("#-1", "#-1", "#-1", "#0", "#0", "#0", "#1", "#-1", "#0"))
    back(c, X, "r1")
    leave(c)


def sub(c: Code) -> None:
    """r0 = r1 - r2."""
    load(c, "sub")
    c("sbc", "r1", "r1", "r1")
    back(c, X, "r1")
    leave(c)


def half(c: Code) -> None:
    """r0 = r1/2: p is added to an odd number, and what that carries comes in from above."""
    c("ldm", "r1", several(X))
    c("sbfx", "r1", X[0], "#0", "#1")
    back(c, X, "r1")
    for name in reversed(X):
        c("rrxs", name, name)
    leave(c)
