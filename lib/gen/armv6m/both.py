"""Products of 256 bits for ARMv6-M that are squares where both operands are one: smaller than a
function for each.

Karatsuba's method as armv6m/products.py and armv6m/long.py have it, but the product of 64 bits is a
function, and so is the square: which of them it is to be stands in the frame. A square takes the
difference of its halves twice, for what it has of a product's code.
"""

from __future__ import annotations

from collections.abc import Callable

from gen.armv6m.long import MAIN, add_waiting, difference128, middle
from gen.armv6m.products import difference, fold64, mul64, sqr64, store64
from gen.armv6m.writer import Writer

MASK, CHOICE, OPERANDS = 32, 36, 40  # in the frame of the product of 256 bits


def both256(w: Writer) -> None:
    """The inner function: r0 = r1 r2, eight words each; a square where r1 is r2."""
    w("push", "{lr}")
    w("push", "{r0-r2}")
    w("sub", "sp", f"#{OPERANDS}")
    w("adr", "r3", "8f")
    w("cmp", "r1", "r2")
    w.taken("bne", "1f")
    w.skipped("adr", "r3", "9f")
    w.label("1")
    w("adds", "r3", "#1")
    w("str", "r3", f"[sp, #{CHOICE}]")
    w.note("the differences, where the product will be; then their product, to the stack")
    w("bl", "ecfit_both_difference")
    w("mov", "r12", "r7")
    w("ldr", "r1", f"[sp, #{OPERANDS + 8}]")
    w("bl", "ecfit_both_difference")
    w("mov", "r2", "r12")
    w("eors", "r7", "r2")
    w("mvns", "r7", "r7")
    w("str", "r7", f"[sp, #{MASK}]")
    w("movs", "r2", "r0")
    w("subs", "r2", "#16")
    w("movs", "r1", "r0")
    w("subs", "r1", "#32")
    w("mov", "r0", "sp")
    w("bl", "ecfit_both128")
    w.note("low and high half")
    w("add", "r3", "sp", f"#{OPERANDS}")
    w("ldm", "r3!", "{r0-r2}")
    w("bl", "ecfit_both128")
    w("adds", "r1", "#16")
    w("adds", "r2", "#16")
    w("bl", "ecfit_both128")
    fold(w)
    w("pop", "{pc}")


def called(w: Writer) -> None:
    """The function that :func:`both_block` writes."""
    w("bl", "ecfit_both_block")


def fold(w: Writer, block: Callable[[Writer], None] = called, frame: int = OPERANDS + 12) -> None:
    """As :func:`armv6m_long.fold128`, but the product of the differences is taken off the stack, by
    four words at a time; what the middle sum carries waits where the choice stood. `block` writes
    what takes them. `frame`: its bytes, which it takes off the stack.
    """
    w.note("the middle: high words of the low half and low words of the high one; they wait")
    middle(w, f"[sp, #{CHOICE}]")
    w("ldr", "r7", f"[sp, #{MASK}]")
    w.note("words 4 to 7")
    w("subs", "r0", "#48")
    w("ldm", "r0!", "{r1-r4}")
    w("adds", "r5", "r7", "r7")
    block(w)
    w("stm", "r0!", "{r1-r4}")
    w.note("words 8 to 11")
    w("adds", "r0", "#16")
    w("ldm", "r0!", "{r1-r4}")
    w("adds", "r1", "r1", "r6")
    for name in MAIN[1:]:
        w("adcs", name, "r5")
    w("movs", "r6", "#0")
    w("adcs", "r6", "r6")
    block(w)
    w("adds", "r6", "r6", "r7")
    w("subs", "r0", "#32")
    w("stm", "r0!", "{r1-r4}")
    w.note("words 12 to 15")
    w("ldr", "r5", f"[sp, #{CHOICE - 32}]")
    w("adds", "r6", "r6", "r5")
    w("asrs", "r7", "r6", "#31")
    w("ldm", "r0!", "{r1-r4}")
    w("adds", "r1", "r1", "r6")
    for name in MAIN[1:]:
        w("adcs", name, "r7")
    w("subs", "r0", "#16")
    w("stm", "r0!", "{r1-r4}")
    w("add", "sp", f"#{frame - 32}")


def block_taken(w: Writer) -> None:
    """r4..r1 += four words from the stack, by the mask r7, the flag C, and the four that wait."""
    for name in MAIN:
        w("pop", "{r5}")
        w("eors", "r5", "r7")
        w("adcs", name, "r5")
    w("movs", "r5", "#0")
    w("adcs", "r6", "r5")
    add_waiting(w)
    w("movs", "r5", "#0")
    w("adcs", "r6", "r5")


def both_block(w: Writer) -> None:
    """The same as a function."""
    block_taken(w)
    w("bx", "lr")


def both_difference(w: Writer) -> None:
    """To r0: |x0 - x1| of the blocks at r1; r7: its mask."""
    difference128(w)
    w("bx", "lr")


def both128(w: Writer) -> None:
    """The inner function: r0 = r1 r2, four words each."""
    w("push", "{r1, r2, lr}")
    w("mov", "r12", "r0")
    w.note("|a0 - a1| |b0 - b1|, to the stack; before it all ones where it is negative")
    w("ldm", "r2!", "{r3, r4, r5, r6}")
    difference(w, ("r3", "r4"), ("r5", "r6"), "r7")
    w("ldm", "r1", "{r1, r2, r5, r6}")
    difference(w, ("r1", "r2"), ("r5", "r6"), "r5")
    w("eors", "r7", "r5")
    w("push", "{r7}")
    chosen(w, 4)
    w("push", "{r0, r1, r3, r7}")
    w.note("a0 b0")
    w("ldr", "r1", "[sp, #20]")
    w("ldm", "r1", "{r1, r2}")
    w("ldr", "r3", "[sp, #24]")
    w("ldm", "r3", "{r3, r4}")
    chosen(w, 20)
    w("mov", "r2", "r12")
    w("stm", "r2!", "{r0, r1, r3, r7}")
    w.note("a1 b1")
    w("ldr", "r1", "[sp, #20]")
    w("ldr", "r2", "[r1, #12]")
    w("ldr", "r1", "[r1, #8]")
    w("ldr", "r3", "[sp, #24]")
    w("ldr", "r4", "[r3, #12]")
    w("ldr", "r3", "[r3, #8]")
    chosen(w, 20)
    w.note("the three together")
    fold64(w)
    w("ldr", "r0", "[sp, #16]")
    w("rsbs", "r1", "r0", "#0")
    for name in ("r2", "r4", "r5", "r6"):
        w("pop", "{r1}")
        w("eors", "r1", "r0")
        w("sbcs", name, "r1")
    w("sbcs", "r3", "r0")
    w("sbcs", "r7", "r0")
    store64(w)
    w("add", "sp", "#4")
    w("pop", "{r1, r2, pc}")


def chosen(w: Writer, pushed: int) -> None:
    """The product or the square of 64 bits, `pushed` bytes being on the stack beside r1, r2, lr."""
    w("ldr", "r5", f"[sp, #{12 + pushed + CHOICE}]")
    w("blx", "r5")


def both_mul64(w: Writer) -> None:
    """r7:r3:r1:r0 = r2:r1 * r4:r3."""
    mul64(w, "r8")
    w("bx", "lr")


def both_sqr64(w: Writer) -> None:
    """r7:r3:r1:r0 = (r2:r1)^2."""
    sqr64(w)
    w("bx", "lr")
