"""The field of P-384 on the Cortex-M4: p = 2^384 - c, c = 2^128 + 2^96 - 2^32 + 1, elements times
R = 2^384, below p.

Routines take pointers r0 = result, r1 = a, r2 = b, and keep nothing but sp. Of 14 registers twelve
hold an element: two are left, so that sums store nothing between, but no result is passed on in
registers. In words, from the lowest, p is -1, 0, 0, -1, -2 and -1 on, c is 1, -1, -1, 0, 1.
Products and squares: p384_product.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.armv7em import straight
from gen.armv7em.code import Code, several
from gen.armv7em.p384_product import add_p
from gen.straight.allocation import Tuning
from gen.straight.fields import add_twice_sub
from gen.straight.program import Program

WORDS = ("r0", *(f"r{k}" for k in range(3, 13)), "lr")
MASK, POINTER = "r1", "r2"
ADD_TWICE_SUB = straight.routine(
    add_twice_sub(Program(), 2**384 - 2**128 - 2**96 + 2**32 - 1),
    straight.pointers("add_twice_sub"),
    Tuning(20, 0),
    keeps=False,
)
EXITS = {"mul": "r1", "sqr": "r1", "add": POINTER, "sub": POINTER}
EXITS["add_twice_sub"] = ADD_TWICE_SUB.result()
"""Where the address of a result is afterwards."""


def less_c(c: Code, words: Sequence[str], mask: str) -> None:
    """The words less c where the mask is all ones."""
    bit = f"{mask}, lsr #31"
    for k, word in enumerate(words):
        operand = {0: bit, 1: mask, 2: mask, 4: bit}.get(k, "#0")
        c("sbcs" if k else "subs", word, word, operand)


def both(c: Code, first: str, others: str) -> None:
    """WORDS = a op b: four words at a time, and two when registers become few."""
    c("push", several(("r0", "lr")))
    for start, count in ((0, 4), (4, 4), (8, 2), (10, 2)):
        of_a = WORDS[start : start + count]
        of_b = WORDS[start + count : start + 2 * count] if start < 10 else (MASK, POINTER)
        c("ldm", "r1!" if start < 10 else "r1", several(of_a))
        c("ldm", "r2!" if start < 10 else "r2", several(of_b))
        for k in range(count):
            c(others if start + k else first, of_a[k], of_a[k], of_b[k])


def once(c: Code) -> None:
    """WORDS with their carry, below 2 p, become less than p: c comes on top, and goes again where
    neither sum was carried out of.
    """
    c("sbc", MASK, MASK, MASK)  # -1 where nothing was carried
    for k, word in enumerate(WORDS):
        if k in {1, 2}:  # x + (B - 1) + carry is x - 0 - (1 - carry)
            c("sbcs", word, word, "#0")
        else:
            c("adcs" if k else "adds", word, word, "#1" if k in {0, 4} else "#0")
    c("adc", MASK, MASK, "#0")  # not both: below 2 p + c
    less_c(c, WORDS, MASK)


def finish(c: Code) -> None:
    """Stores the result, and returns."""
    c("pop", several((POINTER,)))
    c("stm", POINTER, several(WORDS))
    c("pop", several(("pc",)))


def add(c: Code) -> None:
    """a + b."""
    both(c, "adds", "adcs")
    once(c)
    finish(c)


def sub(c: Code) -> None:
    """a - b."""
    both(c, "subs", "sbcs")
    c("sbc", MASK, MASK, MASK)
    add_p(c, WORDS, MASK)
    finish(c)


def three_halves(c: Code) -> None:
    """3 a/2: a/2, which is (a + p)/2 where a is odd, + a."""
    c("push", several(("r0", "lr")))
    c("mov", POINTER, "r1")
    c("ldm", POINTER, several(WORDS))
    c("and", MASK, WORDS[0], "#1")
    c("rsb", MASK, MASK, "#0")
    add_p(c, WORDS, MASK, carry=True)
    for word in reversed(WORDS):
        c("rrxs", word, word)
    for k, word in enumerate(WORDS):
        c("ldr", MASK, f"[{POINTER}], #4")
        c("adcs" if k else "adds", word, word, MASK)
    once(c)
    finish(c)
