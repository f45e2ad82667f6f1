"""Products and squares of 256 bits for ARMv6-M, from blocks of 128: armv6m/products.py."""

from __future__ import annotations

from gen.armv6m.products import magnitude
from gen.armv6m.writer import Writer, each


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


def difference224(w: Writer) -> None:
    """To r0, four words: |x0 - x1| of four and three words at r1; r7: its mask. r0 goes on. Loses
    all low registers.
    """
    w("ldm", "r1!", "{r3-r6}")
    w("ldm", "r1", "{r1, r2, r7}")
    w("subs", "r3", "r3", "r1")
    w("sbcs", "r4", "r2")
    w("sbcs", "r5", "r7")
    w("movs", "r7", "#0")
    w("sbcs", "r6", "r7")
    w("sbcs", "r7", "r7")
    magnitude(w, ("r3", "r4", "r5", "r6"), "r7")
    w("stm", "r0!", "{r3-r6}")


MAIN = ("r1", "r2", "r3", "r4")
WAITING = ("r8", "r10", "r11", "r12")


def signed_part(w: Writer, offset: int, *, first: bool, sign: bool) -> None:
    """Four words of the product of the differences to r4..r1.

    `sign`: by the mask r7, else subtracted.
    """
    if sign and first:
        w("adds", "r5", "r7", "r7")
    for index, name in enumerate(MAIN):
        w("ldr", "r5", f"[sp, #{offset + 4 * index}]")
        begins = index == 0 and (not sign or not first)
        if sign:
            w("eors", "r5", "r7")
            each(w, "adds", "adcs", name, "r5", begins=begins)
        else:
            each(w, "subs", "sbcs", name, "r5", begins=begins)


def add_waiting(w: Writer) -> None:
    """The four words that wait, to r4..r1."""
    for index, (high, name) in enumerate(zip(WAITING, MAIN, strict=True)):
        w("mov", "r5", high)
        each(w, "adds", "adcs", name, "r5", begins=index == 0)


def middle(w: Writer, carry: str = "lr", words: int = 12) -> None:
    """The high words of the low half and the low words of the high one, added; they wait.

    `carry`: where what they carry waits; `words`: those before r0, from these on.
    """
    w("subs", "r0", f"#{4 * words}")
    w("ldm", "r0!", "{r1-r4}")
    w("ldm", "r0!", "{r5, r6}")
    w("adds", "r1", "r1", "r5")
    w("adcs", "r2", "r6")
    w("ldm", "r0!", "{r5, r6}")
    w("adcs", "r3", "r5")
    w("adcs", "r4", "r6")
    w("movs", "r6", "#0")
    w("adcs", "r6", "r6")
    w("mov" if carry == "lr" else "str", *(("lr", "r6") if carry == "lr" else ("r6", carry)))
    for high, name in zip(WAITING, MAIN, strict=True):
        w("mov", high, name)


def fold128(
    w: Writer, offset: int, mask: int | None, *, store: bool = True, above: int = 4
) -> None:
    """The words 4 to 15 of a product at r0 - 64 from its halves there; `above`: 2 where there are
    but 14.

    `offset`: of the product of the differences, on the stack; `mask`: of its sign;
    None: it is to be subtracted. r6 counts what is carried into word 8, then into word 12;
    what the middle sum carries, lr, goes to both. `store`: words 12 to 15, else r1 to r4 have them.
    """
    sign, several = mask is not None, f"{{r1-r{above}}}"
    w.note("the middle: high words of the low half and low words of the high one; they wait")
    middle(w, words=8 + above)
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
    w("ldm", "r0!", several)
    if not sign:
        w("asrs", "r5", "r6", "#31")
    w("adds", "r1", "r1", "r6")
    for name in MAIN[above:]:
        w("movs", name, "#0")
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
    w("subs", "r0", f"#{16 + 4 * above}")
    w("stm", "r0!", "{r1-r4}")
    w.note(f"words 12 to {11 + above}")
    w("mov", "r5", "lr")
    w("adds", "r6", "r6", "r5")
    w("asrs", "r7", "r6", "#31")
    w("ldm", "r0!", several)
    w("adds", "r1", "r1", "r6")
    for name in MAIN[1:above]:
        w("adcs", name, "r7")
    if store:
        w("subs", "r0", f"#{4 * above}")
        w("stm", "r0!", several)


def mul256(w: Writer) -> None:
    """The function for C."""
    enter(w)
    w("bl", "ecfit_mul256")
    leave(w)


def inner_mul256(w: Writer) -> None:
    """The inner function."""
    w("push", "{lr}")
    w("push", "{r0-r2}")
    product256(w)
    w("pop", "{pc}")


def product256(w: Writer, *, store: bool = True, words: int = 8) -> None:
    """16 words at r0 = 8 at r1 times 8 at r2, or 14 of 7; these three are on the stack, and come
    off it. Loses all registers. `store`: :func:`fold128`.
    """
    difference = difference128 if words == 8 else difference224
    w("sub", "sp", "#36")
    w.note("the differences, where the product will be; then their product, to the stack")
    difference(w)
    w("mov", "r12", "r7")
    w("ldr", "r1", "[sp, #44]")
    difference(w)
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
    w("bl", f"ecfit_mul{32 * words - 128}")
    fold128(w, 0, 32, store=store, above=2 * words - 12)
    w("add", "sp", "#48")


def sqr256(w: Writer) -> None:
    """The function for C."""
    enter(w)
    w("bl", "ecfit_sqr256")
    leave(w)


def inner_sqr256(w: Writer) -> None:
    """The inner function."""
    w("push", "{lr}")
    w("push", "{r0, r1}")
    square256(w)
    w("pop", "{pc}")


def square256(w: Writer, *, store: bool = True, words: int = 8) -> None:
    """16 words at r0 = those 8 at r1, squared, likewise."""
    difference = difference128 if words == 8 else difference224
    w("sub", "sp", "#32")
    w.note("the difference, where the square will be; then its square, to the stack")
    difference(w)
    w("movs", "r1", "r0")
    w("subs", "r1", "#16")
    w("mov", "r0", "sp")
    w("bl", "ecfit_sqr128")
    w.note("low and high half")
    w("add", "r3", "sp", "#32")
    w("ldm", "r3!", "{r0, r1}")
    w("bl", "ecfit_sqr128")
    w("adds", "r1", "#16")
    w("bl", f"ecfit_sqr{32 * words - 128}")
    fold128(w, 0, None, store=store, above=2 * words - 12)
    w("add", "sp", "#40")
