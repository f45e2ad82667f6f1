"""Products and squares of 64, 128, 256 and 384 bits for ARMv6-M, by subtractive Karatsuba.

The core multiplies 32 by 32 bits to the low 32, so a product of words is four products of halves.
It has eight registers that can compute; others, and the stack, hold what must wait.

- A word times a word (`word`): low, high, and two in the middle,
  whose sum is 33 bits and stands 16 bits further up (`settle`).
- Two words times two words (`mul64`): four such products;
  the two crossed ones are added before they are shifted.
- From there on: with a = a0 + a1 X and b = b0 + b1 X,
      a b = a0 b0 (1 + X) + a1 b1 (X + X^2) - (a0 - a1)(b0 - b1) X,
  three products of half the length; three blocks need six (`blocks_of_three`).
  The differences are taken without their signs; the sign of their product is a mask, and it is
  subtracted, complemented or not: less ~D and less a borrow is plus D. Nothing branches.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.armv6m.writer import Writer, each


def word(w: Writer, a: str, b: str, t: Sequence[str], *, keep: bool) -> tuple[str, str, str, str]:
    """A word times a word: registers of low, high, middle, and a free one.

    The carry of the middle is the flag C, which UXTH and MULS leave alone.
    `keep`: a and b stay, and t has four registers; else a is lost, and t has three.
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


def mul64(w: Writer, third: str = "lr") -> None:
    """r7:r3:r1:r0 = r2:r1 * r4:r3. Loses all low registers, r10, r11 and a third high one."""
    a, b, t, h = ("r1", "r2"), ("r3", "r4"), ("r0", "r5", "r7", "r6"), ("r10", "r11", third)
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
    w("adcs", "r7", "r2")  # no carry: the high word of a square is not all ones
    w("adds", "r1", "r0", "r3")
    w("adcs", "r3", "r7")
    w("adcs", "r7", "r2")
    w("subs", "r1", "r1", "r4")
    w("sbcs", "r3", "r5")
    w("sbcs", "r7", "r2")


def difference(w: Writer, x: Sequence[str], y: Sequence[str], mask: str) -> None:
    """x = |x - y|, `mask` all ones where it is negative. `mask` may be one of y."""
    for index, (first, second) in enumerate(zip(x, y, strict=True)):
        each(w, "subs", "sbcs", first, second, begins=index == 0)
    w("sbcs", mask, mask)
    magnitude(w, x, mask)


def magnitude(w: Writer, x: Sequence[str], mask: str) -> None:
    """x = (x ^ mask) - mask."""
    for name in x:
        w("eors", name, mask)
    for index, name in enumerate(x):
        each(w, "subs", "sbcs", name, mask, begins=index == 0)


SQUARE64 = ("r0", "r1", "r3", "r7")
LOW = ("r1", "r2", "r3", "r4", "r5", "r6")


def fold64(w: Writer, place: str = "r12", high: Sequence[str] = SQUARE64) -> None:
    """The words 2 to 7 of a product: `high` is its high half, the low one stands at r12, or where
    a word of the stack, `place`, says.

    Out: the other four of r1 to r6, then the last two of `high`, without the product of the
    differences. Loses r0; the second of `high` is 0.
    The high words of the high half are added at words 4 and 6, and so is what the middle sum
    carries: it is added to them first, for a product's high half is never all ones.
    """
    h0, zero, h2, h3 = high
    low = [name for name in LOW if name not in high]
    l0, l1, l2, l3 = low
    w("mov" if place == "r12" else "ldr", l0, place)
    w("ldm", l0, f"{{{', '.join(low)}}}")
    w("adds", l2, l2, h0)
    w("adcs", l3, zero)
    w("movs", zero, "#0")
    w("adcs", h2, zero)
    w("adcs", h3, zero)
    w("adds", l0, l0, l2)
    w("adcs", l1, l3)
    w("adcs", l2, h2)
    w("adcs", l3, h3)
    w("adcs", h2, zero)
    w("adcs", h3, zero)


def store64(w: Writer, place: str = "r12", high: Sequence[str] = SQUARE64) -> None:
    """Those words to where they belong."""
    w("mov" if place == "r12" else "ldr", "r0", place)
    w("adds", "r0", "r0", "#8")
    w("stm", "r0!", f"{{{', '.join(name for name in LOW if name not in high)}}}")
    w("stm", "r0!", f"{{{', '.join(high[2:])}}}")


def mul128(w: Writer) -> None:
    """The inner function: r0 = r1 * r2, four words each, by three products of two."""
    w("push", "{r1, r2, lr}")
    w("mov", "r12", "r0")
    w.note("|a0 - a1| |b0 - b1|, to the stack; r8: all ones where it is negative")
    w("ldm", "r2!", "{r3, r4, r5, r6}")
    difference(w, ("r3", "r4"), ("r5", "r6"), "r7")
    w("ldm", "r1", "{r1, r2, r5, r6}")
    difference(w, ("r1", "r2"), ("r5", "r6"), "r5")
    w("eors", "r7", "r5")
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
    w("rsbs", "r1", "r0", "#0")
    for name in ("r2", "r4", "r5", "r6"):
        w("pop", "{r1}")
        w("eors", "r1", "r0")
        w("sbcs", name, "r1")
    w("sbcs", "r3", "r0")
    w("sbcs", "r7", "r0")
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
        each(w, "subs", "sbcs", name, "r0", begins=index == 0)
    w("sbcs", "r3", "r1")
    w("sbcs", "r7", "r1")
    store64(w)
    w("pop", "{r1, pc}")
