"""Products modulo p of P-256 for ARMv6-M that are squares where both operands are one: larger than
armv6m/both.py, and faster.

Both part where they begin on a block of 128 bits: a square has one difference of its halves,
without a sign, and each block is a square, of three squares of 64 bits. Product and reduction have
one frame.
"""

from __future__ import annotations

from gen.armv6m.both import block_taken, fold
from gen.armv6m.long import difference128, enter, leave
from gen.armv6m.p256 import back, minus, reduce
from gen.armv6m.products import difference, fold64, settle, sqr64, store64, word
from gen.armv6m.writer import CORES, Writer, each

NAME, FIELD = "ecfit_blocks", "ecfit_secp256r1_blocks"
MASK, OPERANDS, PRODUCT = 32, 40, 48  # in the frame of the product of 256 bits
PRODUCT64 = ("r0", "r3", "r6", "r7")  # what a product of 64 bits leaves
HIGH = ("r8", "r10", "r11", "r12")


def secp256r1_blocks(w: Writer, *, square: bool = False) -> None:
    """The inner function: r0 = r1 r2/2^256 modulo p of P-256; a square where r1 is r2. `square`:
    the same instructions, with the cycles of a square.
    """
    w("push", "{r0, lr}")
    w("sub", "sp", "#64")
    w("push", "{r1, r2}")
    w("sub", "sp", f"#{OPERANDS}")
    w.note("the differences, where the product will be; then their product, to the stack")
    w("add", "r0", "sp", f"#{PRODUCT}")
    difference128(w)
    w("ldr", "r1", f"[sp, #{OPERANDS + 4}]")
    w("ldr", "r2", f"[sp, #{OPERANDS}]")
    w("mov", "r12", "r7")
    w("movs", "r7", "#0")
    w("cmp", "r1", "r2")
    branch, write = (w.taken, w.skipped) if square else (w, w)
    branch("beq", "1f")
    before = dict(w.cycles)
    difference128(w)
    if square:
        w.cycles = before
    write("mov", "r2", "r12")
    write("eors", "r7", "r2")
    w.label("1")
    w("mvns", "r7", "r7")
    w("str", "r7", f"[sp, #{MASK}]")
    w("add", "r1", "sp", f"#{PRODUCT}")
    w("movs", "r2", "r0")
    w("subs", "r2", "#16")
    w("mov", "r0", "sp")
    w("bl", f"{NAME}128")
    w.note("low and high half")
    w("add", "r3", "sp", f"#{OPERANDS}")
    w("ldm", "r3!", "{r1, r2}")
    w("add", "r0", "sp", f"#{PRODUCT}")
    w("bl", f"{NAME}128")
    w("adds", "r1", "#16")
    w("adds", "r2", "#16")
    w("bl", f"{NAME}128")
    fold(w, block_taken, PRODUCT)
    w.leads(f"{FIELD}_redc")


def secp256r1_blocks_redc(w: Writer) -> None:
    """Its end: the reduction."""
    reduce(w, FIELD, tail=True)
    end = Writer()
    back(end)
    w.cycles = {core: w.cycles[core] + end.cycles[core] for core in CORES}


def secp256r1_blocks_minus(w: Writer) -> None:
    """r0 = r1 - r2, with the end of that."""
    minus(w, FIELD)


def secp256r1_blocks_in(w: Writer) -> None:
    """The same with r1 = r0; it leads into that."""
    w("movs", "r1", "r0")
    w.leads(FIELD)


def secp256r1_blocks_sqr(w: Writer) -> None:
    """The same with r1 = r2 = r0; it leads into the one with r1 = r0."""
    w("movs", "r2", "r0")
    squares = Writer(w.calls | {f"{NAME}128": square128(w.calls)})
    squares("movs", "r1", "r0")
    secp256r1_blocks(squares, square=True)
    w.cycles = {core: w.cycles[core] + squares.cycles[core] for core in CORES}


def square128(calls: dict[str, dict[str, int]]) -> dict[str, int]:
    """Cycles of :func:`blocks128`, of a square."""
    w = Writer(calls)
    w("cmp", "r1", "r2")
    w.taken("beq", f"{NAME}_sqr128")
    w.leads(f"{NAME}_sqr128")
    return w.cycles


SIZE = 32
XQ, Y, M, XR, H, E, T = 0, 1, 2, 3, 5, 6, 7
STEP = (
    ("mul", H, M, XR), ("minus", H, Y, H), ("minus", E, XQ, XR), ("mul", T, H, E), ("mul", E, E, E),
    ("mul", XR, XR, E), ("mul", M, M, T), ("mul", Y, Y, T), ("mul", Y, Y, E), ("mul", H, H, H),
    ("minus", XQ, M, H), ("minus", M, XQ, XR), ("minus", M, M, XR), ("minus", M, H, M),
    ("mul", XQ, XQ, H), ("mul", XR, XR, XR), ("minus", XR, Y, XR), ("mul", Y, Y, H),
)  # fmt: skip
"""ladder_step of group/jacobian_codes.inc: operation, result, operands."""


def ladder_step(w: Writer) -> None:
    """The function for C: r0 are registers of 8 words. Each routine leaves r0 behind its result,
    and addresses follow from there.
    """
    enter(w)
    at = 0
    for kind, d, a, b in STEP:
        in_place = kind == "mul" and a == d
        square = in_place and b == d
        operands = {} if square else {"r2": b} if in_place else {"r1": a, "r2": b}
        late = {name: x for name, x in operands.items() if x != at or at == d}
        for name in operands:
            if name not in late:
                w("movs", name, "r0")
        moved(w, "r0", at, d)
        for name, x in late.items():
            w("movs", name, "r0")
            moved(w, name, d, x)
        product = "_sqr" if square else "_in" if in_place else ""
        w("bl", f"{FIELD}{product if kind == 'mul' else '_minus'}")
        at = d + 1
    leave(w)


def moved(w: Writer, name: str, at: int, wanted: int) -> None:
    """From the address of a register to that of another."""
    if at != wanted:
        w("adds" if at < wanted else "subs", name, f"#{SIZE * abs(wanted - at)}")


def blocks128(w: Writer) -> None:
    """The inner function: r0 = r1 r2, four words each; a square where r1 is r2."""
    w("cmp", "r1", "r2")
    w("beq", f"{NAME}_sqr128")
    w("push", "{r1, r2, lr}")
    w("mov", "r12", "r0")
    w.note("|a0 - a1| |b0 - b1|, to the stack; before it all ones where it is negative")
    w("ldm", "r2!", "{r3, r4, r5, r6}")
    difference(w, ("r3", "r4"), ("r5", "r6"), "r7")
    w("ldm", "r1", "{r1, r2, r5, r6}")
    difference(w, ("r1", "r2"), ("r5", "r6"), "r5")
    w("eors", "r7", "r5")
    w("push", "{r7}")
    w("bl", f"{NAME}_mul64")
    w("push", "{r0, r3, r6, r7}")
    w.note("a0 b0")
    w("ldr", "r1", "[sp, #20]")
    w("ldm", "r1", "{r1, r2}")
    w("ldr", "r3", "[sp, #24]")
    w("ldm", "r3", "{r3, r4}")
    w("bl", f"{NAME}_mul64")
    w("mov", "r2", "r12")
    w("stm", "r2!", "{r0, r3, r6, r7}")
    w.note("a1 b1")
    w("ldr", "r1", "[sp, #20]")
    w("ldr", "r2", "[r1, #12]")
    w("ldr", "r1", "[r1, #8]")
    w("ldr", "r3", "[sp, #24]")
    w("ldr", "r4", "[r3, #12]")
    w("ldr", "r3", "[r3, #8]")
    w("bl", f"{NAME}_mul64")
    w.note("the three together")
    fold64(w, high=PRODUCT64)
    w("ldr", "r0", "[sp, #16]")
    w("rsbs", "r3", "r0", "#0")
    for name in ("r1", "r2", "r4", "r5"):
        w("pop", "{r3}")
        w("eors", "r3", "r0")
        w("sbcs", name, "r3")
    w("sbcs", "r6", "r0")
    w("sbcs", "r7", "r0")
    store64(w, high=PRODUCT64)
    w("add", "sp", "#4")
    w("pop", "{r1, r2, pc}")


def blocks_sqr128(w: Writer) -> None:
    """r0 = r1^2, four words; keeps r1 and r2, which is the same."""
    w("push", "{r0-r2, lr}")
    w.note("(a0 - a1)^2, to r8, r10, r11, r12")
    w("ldm", "r1", "{r1, r2, r3, r4}")
    difference(w, ("r1", "r2"), ("r3", "r4"), "r3")
    w("bl", f"{NAME}_sqr64")
    for high, name in zip(HIGH, ("r0", "r1", "r3", "r7"), strict=True):
        w("mov", high, name)
    w.note("a0^2")
    w("ldr", "r1", "[sp, #4]")
    w("ldm", "r1", "{r1, r2}")
    w("bl", f"{NAME}_sqr64")
    w("ldr", "r2", "[sp]")
    w("stm", "r2!", "{r0, r1, r3, r7}")
    w.note("a1^2")
    w("ldr", "r1", "[sp, #4]")
    w("ldr", "r2", "[r1, #12]")
    w("ldr", "r1", "[r1, #8]")
    w("bl", f"{NAME}_sqr64")
    w.note("the three together")
    fold64(w, "[sp]")
    for index, (high, name) in enumerate(zip(HIGH, ("r2", "r4", "r5", "r6"), strict=True)):
        w("mov", "r0", high)
        each(w, "subs", "sbcs", name, "r0", begins=index == 0)
    w("sbcs", "r3", "r1")
    w("sbcs", "r7", "r1")
    store64(w, "[sp]")
    w("add", "sp", "#4")
    w("pop", "{r1, r2, pc}")


def blocks_mul64(w: Writer) -> None:
    """r7:r6:r3:r0 = r2:r1 * r4:r3. Loses all low registers, r8 and r10.

    Products of halves that stand in the middle of words, four for the two words in the middle, are
    added as they come; so are their carries, to those of the next word. r7, then r0 has this sum.
    """
    low, high, middle, free = word(w, "r1", "r3", ("r0", "r5", "r7", "r6"), keep=True)
    settle(w, low, high, middle, free)
    w("mov", "r8", low)
    half_products(w, ("r1", "r4"), ("r7", "r6", "r0"), begins=True)
    w("movs", "r0", "#0")
    w("adcs", "r0", "r0")
    w("adds", "r5", "r5", "r1")
    w("movs", "r1", "#0")
    w("adcs", "r6", "r1")  # no carry: it is the high word of a product
    w("mov", "r10", "r5")
    half_products(w, ("r3", "r2"), ("r7", "r5", "r1"), carries="r0")
    w("lsrs", "r1", "r7", "#16")
    w("adds", "r5", "r5", "r1")  # no carry, nor behind the next
    w("lsls", "r7", "r7", "#16")
    w("adds", "r3", "r3", "r7")
    w("movs", "r1", "#0")
    w("adcs", "r5", "r1")
    w("mov", "r7", "r10")
    w("adds", "r3", "r3", "r7")
    w("adcs", "r6", "r5")
    w("adcs", "r1", "r1")
    half_products(w, ("r2", "r4"), ("r0", "r7", "r5"))
    w("movs", "r4", "#0")
    w("adcs", "r4", "r4")
    w("adds", "r6", "r6", "r2")
    w("adcs", "r7", "r1")
    w("lsls", "r1", "r0", "#16")
    w("lsrs", "r0", "r0", "#16")
    w("lsls", "r4", "r4", "#16")
    w("orrs", "r0", "r4")
    w("adds", "r6", "r6", "r1")
    w("adcs", "r7", "r0")
    w("mov", "r0", "r8")
    w("bx", "lr")


def half_products(
    w: Writer,
    words: tuple[str, str],
    names: tuple[str, str, str],
    *,
    begins: bool = False,
    carries: str = "",
) -> None:
    """A word times a word: the low word in place of the first, the high one in the second name, and
    what stands in the middle is added to the first name, or begins it; the third name is lost. The
    flag C is its carry; where there may be two, both are added to `carries`.
    """
    (a, b), (total, high, t) = words, names
    product = total if begins else t
    w("uxth", product, b)
    w("lsrs", high, a, "#16")
    w("uxth", a, a)
    w("muls", product, high, product)
    if not begins:
        w("adds", total, total, t)
    if carries:
        w("movs", t, "#0")
        w("adcs", carries, t)
    w("lsrs", t, b, "#16")
    w("muls", high, t, high)
    w("muls", t, a, t)
    w("adds", total, total, t)
    w("uxth", t, b)
    w("muls", a, t, a)
    if carries:
        w("movs", t, "#0")
        w("adcs", carries, t)


def blocks_sqr64(w: Writer) -> None:
    """r7:r3:r1:r0 = (r2:r1)^2."""
    sqr64(w)
    w("bx", "lr")
