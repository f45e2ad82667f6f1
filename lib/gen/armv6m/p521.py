"""Modulo 2^521 - 1 for ARMv6-M and ARMv7-M: products and squares of 16 words by three of 8, the 9
bits above them by a row, and what reduces them; sums, differences and halves in memory.

Elements have 18 words, of which the last is 0, and R = 2^576. Routines lose all registers but r9
and sp, as those of armv6m/sparse.py do.
"""

from __future__ import annotations

from itertools import pairwise

from gen.armv6m.sparse import Prime, several
from gen.armv6m.writer import Writer, carry, each, keep

P = 2**521 - 1
BITS = 9  # of word 16
ROW, MASK = 64, 132  # in the frame of a product, behind the product of the differences
WORDS = ("r1", "r2", "r3", "r4")
CARRIES = {"m": "r8", "p": "r10", "d": "r11", "row": "r8"}
"""Where carries wait: of the middle sum, of what is added to it, of the differences, of the row,
whose first one is that of the middle sum.
"""


def mul521(w: Writer) -> None:
    """The inner function: 36 words at r0 = 18 at r1 times 18 at r2, both below 2^521."""
    product(w, square=False)


def sqr521(w: Writer) -> None:
    """The inner function: 36 words at r0 = 18 at r1, squared, below 2^521."""
    product(w, square=True)


def product(w: Writer, *, square: bool) -> None:
    """By three of 256 bits."""
    pointers = MASK + 4
    name = "ecfit_sqr256" if square else "ecfit_mul256"
    w("push", "{r0, r1, lr}" if square else "{r0-r2, lr}")
    w("sub", "sp", f"#{pointers}")
    w.note("the differences, where the product will be; then their product, to the stack")
    distance(w)
    if not square:
        w("str", "r7", f"[sp, #{MASK}]")
        w("ldr", "r1", f"[sp, #{pointers + 8}]")
        distance(w)
        w("ldr", "r3", f"[sp, #{MASK}]")
        w("eors", "r7", "r3")
        w("mvns", "r7", "r7")
        w("str", "r7", f"[sp, #{MASK}]")
        w("movs", "r2", "r0")
        w("subs", "r2", "#32")
        w("movs", "r1", "r2")
    else:
        w("movs", "r1", "r0")
    w("subs", "r1", "#32")
    w("mov", "r0", "sp")
    w("bl", name)
    operands = "{r0, r1}" if square else "{r0-r2}"
    for offset in (0, 32):
        w("add", "r3", "sp", f"#{pointers}")
        w("ldm", "r3!", operands)
        if offset:
            w("adds", "r0", f"#{2 * offset}")
            w("adds", "r1", f"#{offset}")
            if not square:
                w("adds", "r2", f"#{offset}")
        w("bl", name)
    w.note("the row")
    w("ldr", "r1", f"[sp, #{pointers + 4}]")
    if square:
        square_row(w)
    else:
        w("ldr", "r2", f"[sp, #{pointers + 8}]")
        row(w)
    w("ldr", "r0", f"[sp, #{pointers}]")
    if not square:
        w("ldr", "r7", f"[sp, #{MASK}]")
    fold(w, square=square)
    w("add", "sp", f"#{pointers - 64 + (8 if square else 12)}")
    w("pop", "{pc}")


def distance(w: Writer) -> None:
    """To r0, 8 words: |x0 - x1| of the 16 at r1; r7: its mask; r0 goes on."""
    words, waiting = ("r3", "r4", "r5", "r6"), ("r8", "r10", "r11", "r12")
    w("mov", "lr", "r0")
    w("movs", "r2", "r1")
    w("adds", "r2", "#32")
    for begins in (True, False):
        w("ldm", "r1!", several(words))
        for pair in (words[:2], words[2:]):
            w("ldm", "r2!", "{r0, r7}")
            for name, other in zip(pair, ("r0", "r7"), strict=True):
                each(w, "subs", "sbcs", name, other, begins=begins and name == "r3")
        if begins:
            for high, name in zip(waiting, words, strict=True):
                w("mov", high, name)
    w("sbcs", "r7", "r7")
    w("mov", "r0", "lr")
    for pair in (waiting[:2], waiting[2:]):
        low = ("r1", "r2")
        for name, high in zip(low, pair, strict=True):
            w("mov", name, high)
            w("eors", name, "r7")
        if pair == waiting[:2]:
            w("subs", "r1", "r1", "r7")
        else:
            w("sbcs", "r1", "r7")
        w("sbcs", "r2", "r7")
        w("stm", "r0!", several(low))
    for name in words:
        w("eors", name, "r7")
    for name in words:
        w("sbcs", name, "r7")
    w("stm", "r0!", several(words))


def row(w: Writer) -> None:
    """17 words to the frame: the words of each operand times what the other has above them, and
    the product of these. Sums of low halves and of high halves are below 2^26 each; r8: what the
    word before left.
    """
    w("ldr", "r3", "[r1, #64]")
    w("ldr", "r4", "[r2, #64]")
    for k in range(16):
        w("ldm", "r1!", "{r5}")
        w("ldm", "r2!", "{r6}")
        w("uxth", "r7", "r5")
        w("muls", "r7", "r4", "r7")
        w("lsrs", "r5", "r5", "#16")
        w("muls", "r5", "r4", "r5")
        w("uxth", "r0", "r6")
        w("muls", "r0", "r3", "r0")
        w("adds", "r7", "r7", "r0")
        w("lsrs", "r6", "r6", "#16")
        w("muls", "r6", "r3", "r6")
        w("adds", "r5", "r5", "r6")
        if k:
            w("add", "r7", "r8")
        w("lsls", "r6", "r5", "#16")
        w("lsrs", "r5", "r5", "#16")
        w("adds", "r7", "r7", "r6")
        w("movs", "r0", "#0")
        w("adcs", "r5", "r0")
        w("str", "r7", f"[sp, #{ROW + 4 * k}]")
        if k < 15:
            w("mov", "r8", "r5")
    w("muls", "r3", "r4", "r3")
    w("adds", "r5", "r5", "r3")
    w("str", "r5", f"[sp, #{ROW + 64}]")


def square_row(w: Writer) -> None:
    """The same of a square: twice the words times what is above them; r0: what is left."""
    w("ldr", "r3", "[r1, #64]")
    w("adds", "r4", "r3", "r3")
    w("movs", "r2", "#0")
    for k in range(16):
        if k % 2 == 0:
            w("ldm", "r1!", "{r5, r6}")
        word = "r6" if k % 2 else "r5"
        w("uxth", "r7", word)
        w("muls", "r7", "r4", "r7")
        if k:
            w("adds", "r7", "r7", "r0")
        w("lsrs", "r0", word, "#16")
        w("muls", "r0", "r4", "r0")
        w("lsls", word, "r0", "#16")
        w("lsrs", "r0", "r0", "#16")
        w("adds", "r7", "r7", word)
        w("adcs", "r0", "r2")
        w("str", "r7", f"[sp, #{ROW + 4 * k}]")
    w("muls", "r3", "r3", "r3")
    w("adds", "r0", "r0", "r3")
    w("str", "r0", f"[sp, #{ROW + 64}]")


def added(w: Writer, *, begins: bool) -> None:
    """WORDS += four words at r0, which goes on."""
    for pair in (WORDS[:2], WORDS[2:]):
        w("ldm", "r0!", "{r5, r6}")
        for name, other in zip(pair, ("r5", "r6"), strict=True):
            each(w, "adds", "adcs", name, other, begins=begins and name == "r1")


def differences(w: Writer, *, begins: bool, square: bool) -> None:
    """WORDS less four words off the stack, or and those, by the mask r7."""
    if begins and not square:
        w("adds", "r5", "r7", "r7")
    for pair in (WORDS[:2], WORDS[2:]):
        w("pop", "{r5, r6}")
        for name, other in zip(pair, ("r5", "r6"), strict=True):
            if square:
                each(w, "subs", "sbcs", name, other, begins=begins and name == "r1")
            else:
                w("eors", other, "r7")
                w("adcs", name, other)


def of_row(w: Writer, k: int, popped: int) -> None:
    """WORDS += four words of the row, from its word k on, with the carry."""
    carry(w, CARRIES["row"])
    for index, name in enumerate(WORDS):
        w("ldr", "r5", f"[sp, #{ROW + 4 * (k + index) - popped}]")
        w("adcs", name, "r5")
    if k < 12:
        keep(w, CARRIES["row"])


def fold(w: Writer, *, square: bool) -> None:
    """A product at t, r0, from its halves, the product of the differences, which is taken off the
    stack, and the row. Half of a middle sum is added twice, and waits in its upper place.
    """
    for chunk in range(2):
        w.note(f"words {8 + 4 * chunk} to {11 + 4 * chunk}")
        if chunk == 0:
            w("adds", "r0", "#32")
        w("ldm", "r0!", several(WORDS))
        w("adds", "r0", "#16")
        if chunk:
            carry(w, CARRIES["m"])
        added(w, begins=chunk == 0)
        keep(w, CARRIES["m"])
        w("subs", "r0", "#16")
        w("stm", "r0!", several(WORDS))
        w("subs", "r0", "#80")
        if chunk:
            carry(w, CARRIES["p"])
        added(w, begins=chunk == 0)
        keep(w, CARRIES["p"])
        if chunk:
            carry(w, CARRIES["d"])
        differences(w, begins=chunk == 0, square=square)
        keep(w, CARRIES["d"])
        w("adds", "r0", "#16")
        w("stm", "r0!", several(WORDS))
    upper(w, square=square)


def upper(w: Writer, *, square: bool) -> None:
    """Its words from 16 on."""
    for chunk in range(2):
        w.note(f"words {16 + 4 * chunk} to {19 + 4 * chunk}")
        w("ldm", "r0!", several(WORDS))
        w("adds", "r0", "#16")
        carry(w, CARRIES["p"])
        added(w, begins=False)
        keep(w, CARRIES["p"])
        carry(w, CARRIES["d"])
        differences(w, begins=False, square=square)
        keep(w, CARRIES["d"])
        if chunk == 0:
            w("mov", "r12", CARRIES["m"])
        of_row(w, 4 * chunk, 48 + 16 * chunk)
        w("subs", "r0", "#48")
        w("stm", "r0!", several(WORDS))
    w.note("words 24 to 31: what all these carry, with a sign")
    w("mov", "r6", CARRIES["d"])
    for high in (CARRIES["p"], "r12"):
        w("add", "r6", high)
    if not square:
        w("adds", "r6", "r6", "r7")
    w("adds", "r6", "#2" if square else "#3")
    w("asrs", "r7", "r6", "#31")
    for chunk in range(2):
        w("ldm", "r0!", several(WORDS))
        w("subs", "r0", "#16")
        if chunk:
            carry(w, CARRIES["p"])
        for index, name in enumerate(WORDS):
            first = chunk == index == 0
            each(w, "adds", "adcs", name, "r6" if first else "r7", begins=first)
        keep(w, CARRIES["p"])
        of_row(w, 8 + 4 * chunk, 64)
        w("stm", "r0!", several(WORDS))
    w.note("word 32, and zeros")
    w("ldr", "r1", f"[sp, #{ROW + 64 - 64}]")
    w("adcs", "r1", "r7")
    w("add", "r1", CARRIES["p"])
    w("adds", "r1", "#1")
    w("movs", "r2", "#0")
    w("movs", "r3", "#0")
    w("movs", "r4", "#0")
    w("stm", "r0!", several(WORDS))


class Mersenne(Prime):
    """The field. Sums have two passes: 2^521 is 1, which is added beforehand and taken away again
    where nothing is carried.
    """

    __slots__ = ()

    def redc(self, w: Writer) -> None:
        """r0 = t/R, below p: bits 55 to 575, and those from 576 on with bits 0 to 54 behind them,
        of t, where the stack pointer is.
        """
        held, words, t = "r1", ("r3", "r4", "r5", "r6"), "r7"
        w("movs", "r2", "r0")
        w("mov", "r0", "sp")
        w.note("words 0 and 1 to words 32 to 34")
        w("ldm", "r0!", "{r3, r4}")
        w("ldr", "r5", "[sp, #128]")
        w("lsls", "r6", "r3", "#18")
        w("orrs", "r5", "r6")
        w("lsrs", "r3", "r3", "#14")
        w("lsls", "r6", "r4", "#18")
        w("orrs", "r3", "r6")
        w("lsls", "r6", "r4", "#9")
        w("lsrs", "r6", "r6", "#23")
        for k, name in enumerate(("r5", "r3", "r6"), 32):
            w("str", name, f"[sp, #{4 * k}]")
        w("movs", held, "r4")
        for first in range(0, 16, 4):
            w("ldm", "r0!", several(words))
            done = (held, *words[:3])
            for name, above in zip(done, words, strict=True):
                w("lsrs", name, name, "#23")
                w("lsls", t, above, "#9")
                w("orrs", name, t)
            if first:
                w("mov", t, "r8")
                w("rsbs", t, t, "#0")
            else:
                w("cmp", "r0", "r0")
            for k, name in enumerate(done, 18 + first):
                w("ldr", t, f"[sp, #{4 * k}]")
                w("adcs", name, t)
            w("stm", "r2!", several(done))
            if first < 12:
                w("sbcs", t, t)
                w("mov", "r8", t)
                w("movs", held, words[3])
        w("movs", t, "#0")
        w("adcs", t, t)
        w("lsrs", "r6", "r6", "#23")
        w("adds", t, t, "r6")
        w("ldr", "r6", "[sp, #136]")
        w("adds", t, t, "r6")
        w("movs", "r0", "r2")
        w("subs", "r0", "#64")
        w("lsrs", "r1", t, "#10")
        ended(w)

    def add(self, w: Writer) -> None:
        """r0 = r1 + r2."""
        w("mov", "r8", "r0")
        w("cmp", "r0", "r0")
        pairs(w, "adcs", "adcs")
        w("mov", "r0", "r8")
        w("lsrs", "r1", "r7", "#10")
        ended(w)

    def sub(self, w: Writer) -> None:
        """r0 = r1 - r2."""
        w("mov", "r8", "r0")
        pairs(w, "subs", "sbcs")
        w("mov", "r0", "r8")
        w("movs", "r1", "#0")
        ended(w)

    def half(self, w: Writer) -> None:
        """r0 = r1/2: bit 0 comes to bit 520."""
        w("ldm", "r1!", "{r3}")
        w("lsls", "r2", "r3", "#31")
        w("lsrs", "r2", "r2", "#23")
        w("mov", "r8", "r2")
        names = ("r3", "r4", "r5", "r6", "r7")
        for _ in range(4):
            w("ldm", "r1!", several(names[1:]))
            for name, above in pairwise(names):
                w("lsrs", name, name, "#1")
                w("lsls", "r2", above, "#31")
                w("orrs", name, "r2")
            w("stm", "r0!", several(names[:-1]))
            w("movs", "r3", "r7")
        w("lsrs", "r3", "r3", "#1")
        w("mov", "r2", "r8")
        w("orrs", "r3", "r2")
        w("movs", "r4", "#0")
        w("stm", "r0!", "{r3, r4}")
        w("bx", "lr")


def pairs(w: Writer, first: str, others: str) -> None:
    """r0 = r1 + or - r2, 16 words, and word 16 to r7."""
    for k in range(8):
        w("ldm", "r1!", "{r3, r4}")
        w("ldm", "r2!", "{r5, r6}")
        each(w, first, others, "r3", "r5", begins=k == 0 and first != others)
        w(others, "r4", "r6")
        w("stm", "r0!", "{r3, r4}")
    w("ldr", "r7", "[r1]")
    w("ldr", "r5", "[r2]")
    w(others, "r7", "r5")


def ended(w: Writer) -> None:
    """16 words at r0, with word 16 in r7 and r1 = 0, less 1 where the flag C is 0; bits from 521 on
    are lost.
    """
    w("mov", "r2", "r0")
    for _ in range(4):
        w("ldm", "r2!", "{r3-r6}")
        for name in ("r3", "r4", "r5", "r6"):
            w("sbcs", name, "r1")
        w("stm", "r0!", "{r3-r6}")
    w("sbcs", "r7", "r1")
    w("lsls", "r2", "r7", "#23")
    w("lsrs", "r2", "r2", "#23")
    w("movs", "r3", "#0")
    w("stm", "r0!", "{r2, r3}")
    w("bx", "lr")


PRIME = Mersenne("secp521r1", P, 18, 521, ended)  # its columns are not those of a sum
