#!/usr/bin/env python3
"""Write the long products and squares of the backend armv6m: lib/src/mp/armv6m/mul_N.S and sqr_N.S.

tools/gen_armv6m.py      writes them (`make generate` does so, too)

The core multiplies 32 by 32 bits to the low 32: so a product of words is four products of halves. It has eight
registers that can compute; others, and the stack, hold what must wait.

- A word times a word (`Word`): low, high, and two in the middle, whose sum is 33 bits and 16 bits further up.
- Two words times two words (`mul64`): four such products; the two crossed ones are added before they are shifted.
- From there on subtractive Karatsuba: with a = a0 + a1 B and b = b0 + b1 B,
      a b = a0 b0 (1 + B) + a1 b1 (B + B^2) - (a0 - a1)(b0 - b1) B,
  three products of half the length. The differences are taken without their signs; the sign of their product is a
  mask, and to subtract it or to add it is to add it, complemented or not. Nothing branches.

What a function costs is counted while it is written, with the table of the core, and stands in its banner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "lib/src/mp/armv6m"
FIELD = ROOT / "lib/src/field/armv6m"
CORES = ("cortex-m0plus", "cortex-m0")
LOADS = {"ldr", "str", "ldrh"}
BRANCHES = {"cortex-m0plus": (2, 3, 3), "cortex-m0": (3, 4, 4)}  # bx, bl, pop with pc


class Writer:
    """Instructions of one function as text, and their cycles on each core.

    `calls`: cycles of the functions that it may call, from entry to return.
    """

    def __init__(self, calls: dict[str, dict[str, int]] | None = None) -> None:
        self.lines: list[str] = []
        self.cycles = dict.fromkeys(CORES, 0)
        self.calls = calls or {}

    def __call__(self, operation: str, *operands: str) -> None:
        """One instruction."""
        text = ", ".join(operands)
        self.lines.append(f"    {operation:<7} {text}")
        for core in CORES:
            self.cycles[core] += self._cost(core, operation, text)

    def _cost(self, core: str, operation: str, text: str) -> int:
        bx, call, pop_pc = BRANCHES[core]
        if operation in {"ldm", "stm", "push", "pop"}:
            return registers(text) + (pop_pc if "pc" in text else 1)
        if operation == "bl":
            return call + self.calls[text][core]
        if operation == "bx":
            return bx
        return 2 if operation in LOADS else 1

    def note(self, text: str) -> None:
        """A comment of its own line."""
        self.lines.append(f"    /* {text} */")


def registers(text: str) -> int:
    """How many registers stand in the braces."""
    inside = re.search(r"\{(.*)\}", text)
    assert inside
    count = 0
    for part in inside[1].split(","):
        first, _, last = part.strip().partition("-")
        count += int(last[1:]) - int(first[1:]) + 1 if last else 1
    return count


def listed(names: Sequence[str]) -> str:
    """Registers in braces, which must ascend as they do in memory."""
    numbers = [int(name[1:]) for name in names]
    assert numbers == sorted(set(numbers)), names
    return "{" + ", ".join(names) + "}"


def word(w: Writer, a: str, b: str, t: Sequence[str], *, keep: bool) -> tuple[str, str, str, str]:
    """A word times a word: registers of low, high, middle, and a free one; the carry of the middle is the flag C.

    `keep`: a and b stay, and t has four registers; else a is lost, and t has three. UXTH and MULS leave C alone.
    """
    t0, t1, t2 = t[:3]
    if keep:
        al = t[3]
        w("uxth", t0, b)
        w("lsrs", t1, a, "#16")
        w("muls", t0, t1, t0)  # high of a, low of b
        w("lsrs", t2, b, "#16")
        w("muls", t1, t2, t1)  # high
        w("uxth", al, a)
        w("muls", t2, al, t2)  # low of a, high of b
    else:
        al = a
        w("uxth", t0, b)
        w("lsrs", t1, a, "#16")
        w("uxth", a, a)
        w("muls", t0, t1, t0)
        w("lsrs", t2, b, "#16")
        w("muls", t1, t2, t1)
        w("muls", t2, al, t2)
    w("adds", t0, t0, t2)
    w("uxth", t2, b)
    w("muls", al, t2, al)  # low
    return al, t1, t0, t2


def settle(w: Writer, low: str, high: str, middle: str, free: str) -> None:
    """high:low += middle 2^16, whose carry is in C. `middle` and `free` are lost."""
    w("movs", free, "#0")
    w("adcs", free, free)
    w("lsls", free, free, "#16")
    w("adds", high, high, free)
    w("lsls", free, middle, "#16")
    w("lsrs", middle, middle, "#16")
    w("adds", low, low, free)
    w("adcs", high, middle)


def mul64(w: Writer) -> None:
    """r7:r3:r1:r0 = r2:r1 * r4:r3. Loses all low registers, r10, r11 and lr."""
    a, b, t, h = ("r1", "r2"), ("r3", "r4"), ("r0", "r5", "r7", "r6"), ("r10", "r11", "lr")
    (a0, a1), (b0, b1) = a, b
    low, high, middle, free = word(w, a0, b0, t, keep=True)
    settle(w, low, high, middle, free)
    w("mov", h[0], low)
    w1 = high
    t0, t1, t2 = (name for name in t if name != w1)
    x, w2, mid, top = word(w, a0, b1, (t0, t1, t2), keep=False)
    w("movs", top, "#0")
    w("adcs", top, top)
    w("adds", w1, w1, x)
    w("movs", x, "#0")
    w("adcs", w2, x)
    w("mov", h[1], w1)
    w("mov", h[2], w2)
    x2, y2, mid2, w3 = word(w, b0, a1, (x, w1, w2), keep=False)
    w("movs", w3, "#0")
    w("adcs", top, w3)
    w("adds", mid, mid, mid2)
    w("adcs", top, w3)
    w1, w2 = mid2, x2
    w("mov", w1, h[1])
    w("adds", w1, w1, x2)
    w("mov", w2, h[2])
    w("adcs", w2, y2)
    w("adcs", w3, w3)
    w("lsls", y2, mid, "#16")
    w("lsrs", mid, mid, "#16")
    w("lsls", top, top, "#16")
    w("orrs", mid, top)
    w("adds", w1, w1, y2)
    w("adcs", w2, mid)
    w("movs", y2, "#0")
    w("adcs", w3, y2)
    low, high, middle, free = word(w, a1, b1, (y2, mid, top), keep=False)
    settle(w, low, high, middle, free)
    w("adds", w2, w2, low)
    w("adcs", w3, high)
    w("mov", "r0", h[0])
    assert (w1, w2, w3) == ("r1", "r3", "r7")


def square(w: Writer, a: str, low: str, high: str, free: str) -> None:
    """high:low = a^2. a is lost, and `free`."""
    w("uxth", low, a)
    w("lsrs", high, a, "#16")
    w("movs", a, low)
    w("muls", a, high, a)
    w("muls", low, low, low)
    w("muls", high, high, high)
    w("lsls", free, a, "#17")
    w("lsrs", a, a, "#15")
    w("adds", low, low, free)
    w("adcs", high, a)


def sqr64(w: Writer) -> None:
    """r7:r3:r1:r0 = (r2:r1)^2. Loses all low registers."""
    w("subs", "r6", "r1", "r2")
    w("sbcs", "r7", "r7")
    w("eors", "r6", "r7")
    w("subs", "r6", "r6", "r7")
    square(w, "r2", "r3", "r7", "r4")
    square(w, "r1", "r0", "r2", "r4")  # a0^2 = r2:r0
    square(w, "r6", "r4", "r5", "r1")  # (a0 - a1)^2 = r5:r4
    w("adds", "r3", "r3", "r2")  # what is added at words 1 and 2
    w("movs", "r2", "#0")
    w("adcs", "r2", "r2")
    w("adds", "r1", "r0", "r3")
    w("adcs", "r3", "r7")
    w("adcs", "r7", "r2")
    w("adds", "r3", "r3", "r2")
    w("movs", "r2", "#0")
    w("adcs", "r7", "r2")
    w("subs", "r1", "r1", "r4")
    w("sbcs", "r3", "r5")
    w("sbcs", "r7", "r2")


def difference(w: Writer, x: Sequence[str], y: Sequence[str], mask: str) -> None:
    """x = |x - y|, `mask` all ones where it is negative. `mask` may be one of y."""
    for index, (first, second) in enumerate(zip(x, y, strict=True)):
        w(*(("sbcs", first, second) if index else ("subs", first, first, second)))
    w("sbcs", mask, mask)
    magnitude(w, x, mask)


def magnitude(w: Writer, x: Sequence[str], mask: str) -> None:
    """x = (x ^ mask) - mask."""
    for name in x:
        w("eors", name, mask)
    for index, name in enumerate(x):
        w(*(("sbcs", name, mask) if index else ("subs", name, name, mask)))


def fold64(w: Writer) -> None:
    """The words 2 to 7 of a product from its halves: r7:r3:r1:r0 is the high one, the low one stands at r12.

    Out: r2, r4, r5, r6, r3, r7, without the product of the differences. Loses r0; r1 = 0.
    """
    w("mov", "r2", "r12")
    w("ldm", "r2", "{r2, r4, r5, r6}")
    w("adds", "r5", "r5", "r0")  # what is added at words 2 and 4
    w("adcs", "r6", "r1")
    w("movs", "r0", "#0")
    w("adcs", "r0", "r0")
    w("adds", "r2", "r2", "r5")
    w("adcs", "r4", "r6")
    w("adcs", "r5", "r3")
    w("adcs", "r6", "r7")
    w("adcs", "r3", "r0")
    w("movs", "r1", "#0")
    w("adcs", "r7", "r1")
    w("adds", "r5", "r5", "r0")
    w("adcs", "r6", "r1")
    w("adcs", "r3", "r1")
    w("adcs", "r7", "r1")


def store64(w: Writer) -> None:
    """Those words to where they belong."""
    w("mov", "r0", "r12")
    w("adds", "r0", "r0", "#8")
    w("stm", "r0!", "{r2, r4, r5, r6}")
    w("stm", "r0!", "{r3, r7}")


def mul128(w: Writer) -> None:
    """The inner function: r0 = r1 * r2, four words each, by three products of two."""
    w("push", "{r1, r2, lr}")
    w("mov", "r12", "r0")
    w.note("|a0 - a1| |b0 - b1|, to the stack; r8: its sign, all ones where it is to be subtracted")
    w("ldm", "r2!", "{r3, r4, r5, r6}")
    difference(w, ("r3", "r4"), ("r5", "r6"), "r7")
    w("ldm", "r1", "{r1, r2, r5, r6}")
    difference(w, ("r1", "r2"), ("r5", "r6"), "r5")
    w("eors", "r7", "r5")
    w("mvns", "r7", "r7")
    w("mov", "r8", "r7")
    mul64(w)
    w("push", "{r0, r1, r3, r7}")
    w.note("a0 b0")
    w("ldr", "r1", "[sp, #16]")
    w("ldm", "r1", "{r1, r2}")
    w("ldr", "r3", "[sp, #20]")
    w("ldm", "r3", "{r3, r4}")
    mul64(w)
    w("mov", "r2", "r12")
    w("stm", "r2!", "{r0, r1, r3, r7}")
    w.note("a1 b1")
    w("ldr", "r1", "[sp, #16]")
    w("ldr", "r2", "[r1, #12]")
    w("ldr", "r1", "[r1, #8]")
    w("ldr", "r3", "[sp, #20]")
    w("ldr", "r4", "[r3, #12]")
    w("ldr", "r3", "[r3, #8]")
    mul64(w)
    w.note("the three together")
    fold64(w)
    w("mov", "r0", "r8")
    w("adds", "r1", "r0", "r0")
    for index, name in enumerate(("r2", "r4", "r5", "r6")):
        w("pop", "{r1}")
        w("eors", "r1", "r0")
        w("adcs", name, "r1")
    w("adcs", "r3", "r0")
    w("adcs", "r7", "r0")
    store64(w)
    w("pop", "{r1, r2, pc}")


def sqr128(w: Writer) -> None:
    """The inner function: r0 = r1^2, four words, by three squares of two."""
    w("push", "{r1, lr}")
    w("mov", "r12", "r0")
    w.note("(a0 - a1)^2, to r8, r10, r11, lr")
    w("ldm", "r1", "{r1, r2, r3, r4}")
    difference(w, ("r1", "r2"), ("r3", "r4"), "r3")
    sqr64(w)
    for high, name in zip(("r8", "r10", "r11", "lr"), ("r0", "r1", "r3", "r7"), strict=True):
        w("mov", high, name)
    w.note("a0^2")
    w("ldr", "r1", "[sp]")
    w("ldm", "r1", "{r1, r2}")
    sqr64(w)
    w("mov", "r2", "r12")
    w("stm", "r2!", "{r0, r1, r3, r7}")
    w.note("a1^2")
    w("ldr", "r1", "[sp]")
    w("ldr", "r2", "[r1, #12]")
    w("ldr", "r1", "[r1, #8]")
    sqr64(w)
    w.note("the three together")
    fold64(w)
    for index, (high, name) in enumerate(
        zip(("r8", "r10", "r11", "lr"), ("r2", "r4", "r5", "r6"), strict=True)
    ):
        w("mov", "r0", high)
        w(*(("sbcs", name, "r0") if index else ("subs", name, name, "r0")))
    w("sbcs", "r3", "r1")
    w("sbcs", "r7", "r1")
    store64(w)
    w("pop", "{r1, pc}")


def enter(w: Writer) -> None:
    """Saves what the inner functions lose."""
    w("push", "{r4-r7, lr}")
    for low, high in (("r4", "r8"), ("r5", "r10"), ("r6", "r11")):
        w("mov", low, high)
    w("push", "{r4-r6}")


def leave(w: Writer) -> None:
    """Restores it, and returns."""
    w("pop", "{r4-r6}")
    for low, high in (("r4", "r8"), ("r5", "r10"), ("r6", "r11")):
        w("mov", high, low)
    w("pop", "{r4-r7, pc}")


def difference128(w: Writer, gap: int = 0) -> None:
    """To r0, four words: |x0 - x1| of the blocks at r1, with `gap` others between; r7: its mask.

    Both pointers go on. Loses r2 to r6.
    """
    w("ldm", "r1!", "{r3-r6}")
    if gap:
        w("adds", "r1", f"#{16 * gap}")
    w("ldm", "r1!", "{r2, r7}")
    w("subs", "r3", "r3", "r2")
    w("sbcs", "r4", "r7")
    w("ldm", "r1!", "{r2, r7}")
    w("sbcs", "r5", "r2")
    w("sbcs", "r6", "r7")
    w("sbcs", "r7", "r7")
    magnitude(w, ("r3", "r4", "r5", "r6"), "r7")
    w("stm", "r0!", "{r3-r6}")


MAIN = ("r1", "r2", "r3", "r4")
WAITING = ("r8", "r10", "r11", "r12")


def signed_part(w: Writer, offset: int, *, first: bool, sign: bool) -> None:
    """Four words of the product of the differences to r4..r1: `sign`: by the mask r7, else subtracted."""
    if sign and first:
        w("adds", "r5", "r7", "r7")
    for index, name in enumerate(MAIN):
        w("ldr", "r5", f"[sp, #{offset + 4 * index}]")
        begins = index == 0 and (not sign or not first)
        if sign:
            w("eors", "r5", "r7")
            w(*(("adds", name, name, "r5") if begins else ("adcs", name, "r5")))
        else:
            w(*(("subs", name, name, "r5") if begins else ("sbcs", name, "r5")))


def add_waiting(w: Writer) -> None:
    """The four words that wait, to r4..r1."""
    for index, (high, name) in enumerate(zip(WAITING, MAIN, strict=True)):
        w("mov", "r5", high)
        w(*(("adcs", name, "r5") if index else ("adds", name, name, "r5")))


def fold128(w: Writer, offset: int, mask: int | None) -> None:
    """The words 4 to 15 of a product at r0 - 64 from its halves there, and the product of the differences on the stack.

    `offset`: of that product; `mask`: of its sign; None: it is to be subtracted.
    r6 counts what is carried into word 8, then into word 12; what the middle sum carries, lr, goes to both.
    """
    sign = mask is not None
    w.note("the middle: high words of the low half and low words of the high one; they wait")
    w("subs", "r0", "#48")
    w("ldm", "r0!", "{r1-r4}")
    w("ldm", "r0!", "{r5, r6}")
    w("adds", "r1", "r1", "r5")
    w("adcs", "r2", "r6")
    w("ldm", "r0!", "{r5, r6}")
    w("adcs", "r3", "r5")
    w("adcs", "r4", "r6")
    w("movs", "r6", "#0")
    w("adcs", "r6", "r6")
    w("mov", "lr", "r6")
    for high, name in zip(WAITING, MAIN, strict=True):
        w("mov", high, name)
    w.note("words 4 to 7")
    w("subs", "r0", "#48")
    w("ldm", "r0!", "{r1-r4}")
    if sign:
        w("ldr", "r7", f"[sp, #{mask}]")
    signed_part(w, offset, first=True, sign=sign)
    w("movs", "r5", "#0")
    w("adcs" if sign else "sbcs", "r6", "r5")
    add_waiting(w)
    w("movs", "r5", "#0")
    w("adcs", "r6", "r5")
    w("stm", "r0!", "{r1-r4}")
    w.note("words 8 to 11")
    w("adds", "r0", "#16")
    w("ldm", "r0!", "{r1-r4}")
    if not sign:
        w("asrs", "r5", "r6", "#31")
    w("adds", "r1", "r1", "r6")
    for name in MAIN[1:]:
        w("adcs", name, "r5")
    w("movs", "r6", "#0")
    w("adcs", "r6", "r6" if sign else "r5")
    signed_part(w, offset + 16, first=False, sign=sign)
    if sign:
        w("adcs", "r6", "r7")
    else:
        w("movs", "r5", "#0")
        w("sbcs", "r6", "r5")
    add_waiting(w)
    w("movs", "r5", "#0")
    w("adcs", "r6", "r5")
    w("subs", "r0", "#32")
    w("stm", "r0!", "{r1-r4}")
    w.note("words 12 to 15")
    w("mov", "r5", "lr")
    w("adds", "r6", "r6", "r5")
    w("asrs", "r7", "r6", "#31")
    w("ldm", "r0!", "{r1-r4}")
    w("adds", "r1", "r1", "r6")
    for name in MAIN[1:]:
        w("adcs", name, "r7")
    w("subs", "r0", "#16")
    w("stm", "r0!", "{r1-r4}")


def mul256(w: Writer) -> None:
    """The whole function."""
    enter(w)
    w("push", "{r0-r2}")
    w("sub", "sp", "#36")
    w.note("the differences, where the product will be; then their product, to the stack")
    difference128(w)
    w("mov", "r12", "r7")
    w("ldr", "r1", "[sp, #44]")
    difference128(w)
    w("mov", "r2", "r12")
    w("eors", "r7", "r2")
    w("mvns", "r7", "r7")
    w("str", "r7", "[sp, #32]")
    w("movs", "r2", "r0")
    w("subs", "r2", "#16")
    w("movs", "r1", "r0")
    w("subs", "r1", "#32")
    w("mov", "r0", "sp")
    w("bl", "ecfit_mul128")
    w.note("low and high half")
    w("add", "r3", "sp", "#36")
    w("ldm", "r3!", "{r0-r2}")
    w("bl", "ecfit_mul128")
    w("adds", "r1", "#16")
    w("adds", "r2", "#16")
    w("bl", "ecfit_mul128")
    fold128(w, 0, 32)
    w("add", "sp", "#48")
    leave(w)


def sqr256(w: Writer) -> None:
    """The whole function."""
    enter(w)
    w("push", "{r0, r1}")
    w("sub", "sp", "#32")
    w.note("the difference, where the square will be; then its square, to the stack")
    difference128(w)
    w("movs", "r1", "r0")
    w("subs", "r1", "#16")
    w("mov", "r0", "sp")
    w("bl", "ecfit_sqr128")
    w.note("low and high half")
    w("add", "r3", "sp", "#32")
    w("ldm", "r3!", "{r0, r1}")
    w("bl", "ecfit_sqr128")
    w("adds", "r1", "#16")
    w("bl", "ecfit_sqr128")
    fold128(w, 0, None)
    w("add", "sp", "#40")
    leave(w)


def pairs_of_words(n: int) -> list[bool]:
    """Whether a pair of words is the first, for each pair of n words."""
    return [index == 0 for index in range(n // 2)]


def mod_add(w: Writer, n: int) -> None:
    """r0 = r1 + r2 mod r3, all of n words, the operands below the modulus."""
    w("push", "{r4-r7, lr}")
    for first in pairs_of_words(n):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r2!", "{r6, r7}")
        w(*(("adds", "r4", "r4", "r6") if first else ("adcs", "r4", "r6")))
        w("adcs", "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
    w("movs", "r2", "#0")
    w("adcs", "r2", "r2")
    w.note("is the sum the modulus or more? r2: the carry, then all ones where it is")
    w("subs", "r0", f"#{4 * n}")
    w("mov", "r12", "r0")
    for first in pairs_of_words(n):
        w("ldm", "r0!", "{r4, r5}")
        w("ldm", "r3!", "{r6, r7}")
        w(*(("subs", "r4", "r4", "r6") if first else ("sbcs", "r4", "r6")))
        w("sbcs", "r5", "r7")
    w("movs", "r4", "#0")
    w("sbcs", "r2", "r4")
    w("mvns", "r2", "r2")
    w("asrs", "r2", "r2", "#31")
    w("mov", "r0", "r12")
    w("subs", "r3", f"#{4 * n}")
    for first in pairs_of_words(n):
        w("ldm", "r3!", "{r6, r7}")
        w("ands", "r6", "r2")
        w("ands", "r7", "r2")
        w("ldr", "r4", "[r0]")
        w("ldr", "r5", "[r0, #4]")
        w(*(("subs", "r4", "r4", "r6") if first else ("sbcs", "r4", "r6")))
        w("sbcs", "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
    w("pop", "{r4-r7, pc}")


def mod_sub(w: Writer, n: int) -> None:
    """r0 = r1 - r2 mod r3, likewise."""
    w("push", "{r4-r7, lr}")
    for first in pairs_of_words(n):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r2!", "{r6, r7}")
        w(*(("subs", "r4", "r4", "r6") if first else ("sbcs", "r4", "r6")))
        w("sbcs", "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
    w("sbcs", "r2", "r2")
    w("subs", "r0", f"#{4 * n}")
    for first in pairs_of_words(n):
        w("ldm", "r3!", "{r6, r7}")
        w("ands", "r6", "r2")
        w("ands", "r7", "r2")
        w("ldr", "r4", "[r0]")
        w("ldr", "r5", "[r0, #4]")
        w(*(("adds", "r4", "r4", "r6") if first else ("adcs", "r4", "r6")))
        w("adcs", "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
    w("pop", "{r4-r7, pc}")


def blocks_of_three(w: Writer, frame: int) -> None:
    """(P0 + P1 X + P2 X^2)(1 + X + X^2), X = 2^128, in place of the products P, 8 words each, at t.

    t is at [sp, #frame]. The left factor, 16 words, goes to the stack; it is added to itself 4 and 8 words up.
    """
    w("ldr", "r1", f"[sp, #{frame}]")
    w("mov", "r0", "sp")
    w("ldm", "r1!", "{r4-r7}")
    w("stm", "r0!", "{r4-r7}")
    w("subs", "r1", "#16")
    w("movs", "r7", "#0")
    for index in range(8):
        low = 4 + index + (4 if index > 3 else 0)
        w("ldr", "r4", f"[r1, #{4 * low}]")
        w("ldr", "r5", f"[r1, #{4 * low + 16}]")
        w(*(("adcs", "r4", "r5") if index else ("adds", "r4", "r4", "r5")))
        w("stm", "r0!", "{r4}")
    for index in range(20, 24):
        w("ldr", "r4", f"[r1, #{4 * index}]")
        w("adcs", "r4", "r7")
        w("stm", "r0!", "{r4}")
    w("adds", "r1", "#16")
    for index in range(12):
        w("ldr", "r4", f"[sp, #{4 * index}]")
        w("ldr", "r5", f"[sp, #{4 * index + 16}]")
        w(*(("adcs", "r4", "r5") if index else ("adds", "r4", "r4", "r5")))
        w("stm", "r1!", "{r4}")
    for index in range(12, 16):
        w("ldr", "r4", f"[sp, #{4 * index}]")
        w("adcs", "r4", "r7")
        w("stm", "r1!", "{r4}")
    w("movs", "r4", "#0")
    w("adcs", "r4", "r4")
    w("movs", "r5", "#0")
    w("movs", "r6", "#0")
    w("stm", "r1!", "{r4-r7}")
    w("subs", "r1", "#64")
    w("mov", "r0", "sp")
    for index in range(8):
        w("ldm", "r0!", "{r4, r5}")
        w("ldr", "r6", "[r1]")
        w("ldr", "r7", "[r1, #4]")
        w(*(("adcs", "r4", "r6") if index else ("adds", "r4", "r4", "r6")))
        w("adcs", "r5", "r7")
        w("stm", "r1!", "{r4, r5}")


def difference_of_blocks(w: Writer, operand: int, first: int, second: int) -> None:
    """To r0: the difference of two blocks of the operand whose pointer is at [sp, #operand]; r7: its mask."""
    w("ldr", "r1", f"[sp, #{operand}]")
    if first:
        w("adds", "r1", f"#{16 * first}")
    difference128(w, gap=second - first - 1)


def add_product(w: Writer, frame: int, first: int, words: int, *, sign: bool) -> None:
    """Adds the product at [sp, #32] by its sign at [sp, #frame - 4], or subtracts it, `first` words up in t."""
    w("ldr", "r0", f"[sp, #{frame}]")
    w("adds", "r0", f"#{4 * first}")
    w("add", "r1", "sp", "#32")
    if sign:
        w("ldr", "r7", f"[sp, #{frame - 4}]")
        w("adds", "r4", "r7", "r7")
    for index in range(4):
        w("ldm", "r1!", "{r4, r5}")
        w("ldr", "r2", "[r0]")
        w("ldr", "r3", "[r0, #4]")
        if sign:
            w("eors", "r4", "r7")
            w("eors", "r5", "r7")
            w("adcs", "r2", "r4")
            w("adcs", "r3", "r5")
        else:
            w(*(("sbcs", "r2", "r4") if index else ("subs", "r2", "r2", "r4")))
            w("sbcs", "r3", "r5")
        w("stm", "r0!", "{r2, r3}")
    if not sign:
        w("movs", "r7", "#0")
    for _ in range((words - first - 8) // 2):
        w("ldr", "r2", "[r0]")
        w("ldr", "r3", "[r0, #4]")
        w("adcs" if sign else "sbcs", "r2", "r7")
        w("adcs" if sign else "sbcs", "r3", "r7")
        w("stm", "r0!", "{r2, r3}")


def mul384(w: Writer) -> None:
    """The whole function: three blocks each, six products of blocks."""
    frame = 68
    enter(w)
    w("push", "{r0-r2}")
    w("sub", "sp", f"#{frame}")
    w("bl", "ecfit_mul128")
    for _ in range(2):
        w("adds", "r1", "#16")
        w("adds", "r2", "#16")
        w("bl", "ecfit_mul128")
    w.note("their sum, one and two blocks further up, too")
    blocks_of_three(w, frame)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        w.note(f"less (a{first} - a{second})(b{first} - b{second})")
        w("mov", "r0", "sp")
        difference_of_blocks(w, frame + 4, first, second)
        w("mov", "r12", "r7")
        difference_of_blocks(w, frame + 8, first, second)
        w("mov", "r2", "r12")
        w("eors", "r7", "r2")
        w("mvns", "r7", "r7")
        w("str", "r7", f"[sp, #{frame - 4}]")
        w("mov", "r1", "sp")
        w("add", "r2", "sp", "#16")
        w("bl", "ecfit_mul128")
        add_product(w, frame, 4 * (first + second), 24, sign=True)
    w("add", "sp", f"#{frame + 12}")
    leave(w)


def sqr384(w: Writer) -> None:
    """The whole function, likewise."""
    frame = 64
    enter(w)
    w("push", "{r0, r1}")
    w("sub", "sp", f"#{frame}")
    w("bl", "ecfit_sqr128")
    for _ in range(2):
        w("adds", "r1", "#16")
        w("bl", "ecfit_sqr128")
    w.note("their sum, one and two blocks further up, too")
    blocks_of_three(w, frame)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        w.note(f"less (a{first} - a{second})^2")
        w("mov", "r0", "sp")
        difference_of_blocks(w, frame + 4, first, second)
        w("mov", "r1", "sp")
        w("add", "r0", "sp", "#32")
        w("bl", "ecfit_sqr128")
        add_product(w, frame, 4 * (first + second), 24, sign=False)
    w("add", "sp", f"#{frame + 8}")
    leave(w)


def finish(w: Writer, n: int, minus: dict[int, str], plain: str) -> None:
    """r, n words at r12, plus r7 2^(32 n), less the modulus where that is not negative: in: below twice the modulus.

    `plain`: what most words of the modulus are, "0" or "-1"; `minus`: the others. Constants come to r2.
    """
    names = {"0": "r0", "-1": "r3"}
    w("movs", "r0", "#0")
    w("mvns", "r3", "r0")
    w("mov", "r1", "r12")
    for index in range(n):
        w("ldm", "r1!", "{r4}")
        value = minus.get(index, plain)
        if value not in names:
            constant(w, value)
        w(
            *(
                ("sbcs", "r4", names.get(value, "r2"))
                if index
                else ("subs", "r4", "r4", names.get(value, "r2"))
            )
        )
    w.note("r7: all ones where the modulus is to be subtracted")
    w("sbcs", "r7", "r0")
    w("mvns", "r7", "r7")
    w("mov", "r1", "r12")
    for index in range(n):
        value = minus.get(index, plain)
        name = {"0": "r0", "-1": "r7"}.get(value, "r2")
        if name == "r2":
            constant(w, value)
            w("ands", "r2", "r7")
        w("ldr", "r4", "[r1]")
        w(*(("sbcs", "r4", name) if index else ("subs", "r4", "r4", name)))
        w("stm", "r1!", "{r4}")


def constant(w: Writer, value: str) -> None:
    """r2 = a negative number, by instructions that leave C alone; below -256 it is what lr holds."""
    number = -int(value)
    if number > 256:
        w("mov", "r2", "lr")
    else:
        w("movs", "r2", f"#{number - 1}")
        w("mvns", "r2", "r2")


def redc_secp384r1(w: Writer) -> None:
    """Column k of the quotient: t[k] + m[k-1] - m[k-3] - m[k-4]; of the result: t[k+12] + m[k] + the same.

    r1: t, whose lower half becomes m; r2, r3: what is carried from column to column, and its sign; r0 = 0.
    """
    w("push", "{r4-r7, lr}")
    w("mov", "r12", "r0")
    w("movs", "r0", "#0")
    w("movs", "r2", "#0")
    carry, other = "r2", "r3"
    last = ["r4", "r5", "r6"]  # m[k-1], m[k-2], m[k-3]
    x = "r7"
    for k in range(16):
        w("ldr", x, f"[r1, #{4 * k}]")
        w("asrs", other, carry, "#31")
        w("adds", x, x, carry)
        w("adcs", other, "r0")
        if 1 <= k <= 12:
            w("adds", x, x, last[0])
            w("adcs", other, "r0")
        if 3 <= k <= 14:
            w("subs", x, x, last[2])
            w("sbcs", other, "r0")
        free = last[2]
        if k >= 4:
            w("ldr", free, f"[r1, #{4 * (k - 4)}]")
            w("subs", x, x, free)
            w("sbcs", other, "r0")
        if k < 12:
            w("str", x, f"[r1, #{4 * k}]")
        else:
            w("ldr", free, f"[r1, #{4 * (k - 12)}]")
            w("adds", x, x, free)
            w("adcs", other, "r0")
            w("mov", free, "lr" if k > 12 else "r12")
            w("stm", f"{free}!", "{" + x + "}")
            w("mov", "lr", free)
        last = [x, last[0], last[1]]
        x = free
        carry, other = other, carry
    w("mov", "r7", "lr")
    w("asrs", "r3" if carry == "r2" else "r2", carry, "#31")
    sign = "r3" if carry == "r2" else "r2"
    for k in range(16, 24):
        w("ldr", "r4", f"[r1, #{4 * k}]")
        w(*(("adcs", "r4", sign) if k > 16 else ("adds", "r4", "r4", carry)))
        w("str", "r4", f"[r1, #{4 * k}]")
    w("adcs", sign, "r0")
    for k in range(16, 24):
        w("ldr", "r4", f"[r1, #{4 * k}]")
        w("ldr", "r5", f"[r1, #{4 * (k - 12)}]")
        w(*(("adcs", "r4", "r5") if k > 16 else ("adds", "r4", "r4", "r5")))
        w("stm", "r7!", "{r4}")
    w("movs", "r7", sign)
    w("adcs", "r7", "r0")
    finish(w, 12, {1: "0", 2: "0", 4: "-2"}, "-1")
    w("pop", "{r4-r7, pc}")


def redc_secp256k1(w: Writer) -> None:
    """p is 2^256 - 2^32 - 977: the digit m of column k is x/977 modulo 2^32, x = t[k] - carry, and the carry of the
    next column is m, the high word of 977 m, and what x borrowed.

    r1: t, whose lower half becomes m; r2: 1/977; r3: 977; r6, r7: the carry, two words; r0 = 0.
    """
    w("push", "{r4-r7, lr}")
    w("mov", "r12", "r0")
    w("movs", "r0", "#0")
    w("ldr", "r2", "=0xd2253531")
    w("ldr", "r3", "=977")
    w("movs", "r6", "#0")
    w("movs", "r7", "#0")
    for _ in range(8):
        w("ldr", "r4", "[r1]")
        w("subs", "r4", "r4", "r6")
        w("sbcs", "r5", "r5")
        w("subs", "r7", "r7", "r5")
        w("muls", "r4", "r2", "r4")
        w("stm", "r1!", "{r4}")
        w("uxth", "r5", "r4")
        w("muls", "r5", "r3", "r5")
        w("lsrs", "r5", "r5", "#16")
        w("lsrs", "r6", "r4", "#16")
        w("muls", "r6", "r3", "r6")
        w("adds", "r6", "r6", "r5")
        w("lsrs", "r6", "r6", "#16")
        w("adds", "r6", "r6", "r7")
        w("adds", "r6", "r6", "r4")
        w("movs", "r7", "#0")
        w("adcs", "r7", "r7")
    w.note("the quotient less the carry, then the upper half of t on top")
    w("rsbs", "r4", "r3", "#0")
    w("mov", "lr", "r4")
    w("subs", "r1", "#32")
    for index in range(8):
        w("ldr", "r4", "[r1]")
        subtrahend = ("r6", "r7")[index] if index < 2 else "r0"
        w(*(("sbcs", "r4", subtrahend) if index else ("subs", "r4", "r4", subtrahend)))
        w("stm", "r1!", "{r4}")
    w("subs", "r1", "#32")
    w("mov", "r2", "r12")
    for index in range(8):
        w("ldr", "r5", "[r1, #32]")
        w("ldm", "r1!", "{r4}")
        w(*(("adcs", "r4", "r5") if index else ("adds", "r4", "r4", "r5")))
        w("stm", "r2!", "{r4}")
    w("movs", "r7", "#0")
    w("adcs", "r7", "r7")
    finish(w, 8, {0: "-977", 1: "-2"}, "-1")
    w("pop", "{r4-r7, pc}")


PRIMES = (
    ("secp384r1", 12, "2^384 - 2^128 - 2^96 + 2^32 - 1", redc_secp384r1),
    ("secp256k1", 8, "2^256 - 2^32 - 977", redc_secp256k1),
)  # name, words, form, what writes its reduction
HEAD = "generated by `tools/gen_armv6m.py`"


def inner_text(name: str, what: str, w: Writer) -> str:
    """The file of an inner function."""
    lines = "\n".join(w.lines)
    cost = ", ".join(f"{w.cycles[core]} ({core})" for core in CORES)
    return (
        f"/* {name}: {what}; {HEAD}\n"
        " * For the functions of this backend alone: it loses all registers but r1, r2 and r9; r0 ends behind the result.\n"
        f" * {cost} cycles from entry to return.\n */\n"
        f"    inner   {name}\n{lines}\n    endfunction {name}\n"
    )


def outer_text(name: str, parameters: str, what: str, stack: int, w: Writer) -> str:
    """The file of a function that C calls."""
    lines = "\n".join(w.lines)
    cost = ", ".join(f"{w.cycles[core]} ({core})" for core in CORES)
    return (
        f"/* void {name}({parameters})\n * {what}; {HEAD}\n"
        f" * CT: values   Clobbers: r0-r3, r12, flags   Stack: {stack} bytes\n * Cost: {cost}\n */\n"
        f"    function {name}\n{lines}\n    endfunction {name}\n"
    )


def generated() -> dict[Path, str]:
    """Each file and its text."""
    inner_mul, inner_sqr = Writer(), Writer()
    mul128(inner_mul)
    sqr128(inner_sqr)
    calls = {"ecfit_mul128": inner_mul.cycles, "ecfit_sqr128": inner_sqr.cycles}
    files = {
        FOLDER / "mul128.S": inner_text("ecfit_mul128", "r0 = r1 * r2, four words each", inner_mul),
        FOLDER / "sqr128.S": inner_text("ecfit_sqr128", "r0 = r1^2, four words", inner_sqr),
    }
    for n, big, little in ((8, 108, 80), (12, 140, 112)):
        product, power, add, sub = Writer(calls), Writer(calls), Writer(), Writer()
        (mul256 if n == 8 else mul384)(product)
        (sqr256 if n == 8 else sqr384)(power)
        mod_add(add, n)
        mod_sub(sub, n)
        files[FOLDER / f"mul_{n}.S"] = outer_text(
            f"ecfit_mp_mul_{n}", "mp_word *t, const mp_word *a, const mp_word *b",
            f"t = a * b.   in: {n} words each; out: {2 * n}, not a or b", big, product,
        )  # fmt: skip
        files[FOLDER / f"sqr_{n}.S"] = outer_text(
            f"ecfit_mp_sqr_{n}", "mp_word *t, const mp_word *a",
            f"t = a^2.   in: {n} words; out: {2 * n}, not a", little, power,
        )  # fmt: skip
        for name, sign, w in (("add", "+", add), ("sub", "-", sub)):
            files[FIELD / f"mod_{name}_{n}.S"] = outer_text(
                f"ecfit_mod_{name}_{n}",
                "mp_word *r, const mp_word *a, const mp_word *b, const mp_word *m",
                f"r = a {sign} b mod m.   in: a, b below m, {n} words; r may be a or b", 20, w,
            )  # fmt: skip
    for prime, n, form, write in PRIMES:
        w = Writer()
        write(w)
        files[FIELD / f"redc_{prime}.S"] = outer_text(
            f"ecfit_redc_{prime}", "mp_word *r, mp_word *t",
            f"r = t/2^{32 * n} mod p, below p = {form}.   in: t below p 2^{32 * n}, lost", 20, w,
        )  # fmt: skip
    return files


def main() -> None:
    """Command line: no arguments."""
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
