"""Products and squares of 192 bits (three blocks of 64), 384 (three of 128) and 512 (two of 256)
for ARMv6-M.
"""

from __future__ import annotations

from gen.armv6m.long import difference128, enter, leave
from gen.armv6m.products import difference
from gen.armv6m.sparse import several
from gen.armv6m.writer import BRANCHES, CORES, Writer, each

PAIRS = ((0, 1), (0, 2), (1, 2))  # of blocks
WORDS = ("r1", "r2", "r3", "r4")


def fold_blocks(w: Writer, *, sign: bool) -> None:
    """The product of three blocks each at t, from P0, P1, P2 there, r0 behind them, and the three
    products of differences, which are taken off the stack; their masks stand behind them (`sign`)
    or they are squares.

    With P = l + h X, u = h0 + l1, v = h1 + l2 and D01 .. = l01 + h01 X the blocks are
    l0; l0 + u - l01; l0 + u + v - h01 - l02; h2 + u + v - h02 - l12; h2 + v - h12; h2.
    r7 counts what a block carries, and begins with as much as is taken away, so that it is never
    negative.
    """
    sums(w)
    begins = (0, 0, 1, 1, 1) if sign else (0, 1, 2, 2, 1)
    at, popped = 0, 0
    blocks = (
        (1, 0, "", ((0, 0),)),
        (2, 0, "r11", ((0, 1), (1, 0))),
        (3, 5, "r12", ((1, 1), (2, 0))),
        (4, 5, "r12", ((2, 1),)),
    )  # l0 or h2, where a carry of a sum waits, halves that are taken away
    for block, beside, place, halves in blocks:
        w.note(f"block {block}")
        to(w, at, beside)
        w("ldm", "r0!", several(WORDS))
        if place:
            w("add", "r7", place)
            carried_in(w, begins[block - 1], begins[block])
        else:
            w("movs", "r7", f"#{begins[block]}")
        to(w, beside + 1, block)
        added(w)
        w("movs", "r5", "#0")
        w("adcs", "r7", "r5")
        for which, half in halves:
            taken(w, half, f"[sp, #{96 + 4 * which - popped}]" if sign else None)
            popped += 16
        w("subs", "r0", "#16")
        w("stm", "r0!", several(WORDS))
        at = block + 1
    w.note("block 5")
    w("ldm", "r0!", several(WORDS))
    w("add", "r7", "r10")
    carried_in(w, begins[-1], None)
    w("subs", "r0", "#16")
    w("stm", "r0!", several(WORDS))


def sums(w: Writer) -> None:
    """u to block 1, v to block 4, u + v to blocks 2 and 3; r11, r10, r12: what u, v and all three
    sums carry; r0: t.
    """
    w("subs", "r0", "#80")
    for place, back, on in (("r11", 32, 16), ("r10", 16, -64)):
        w("ldm", "r0!", several(WORDS))
        added(w)
        w("movs", "r5", "#0")
        w("adcs", "r5", "r5")
        w("mov", place, "r5")
        w("subs", "r0", f"#{back}")
        w("stm", "r0!", several(WORDS))
        w("adds" if on > 0 else "subs", "r0", f"#{abs(on)}")
    added(w)
    w("movs", "r5", "#0")
    w("adcs", "r5", "r5")
    w("add", "r5", "r10")
    w("add", "r5", "r11")
    w("mov", "r12", "r5")
    w("stm", "r0!", several(WORDS))
    w("stm", "r0!", several(WORDS))
    w("subs", "r0", "#64")


def added(w: Writer) -> None:
    """WORDS += four words at r0, which goes on."""
    for pair in (WORDS[:2], WORDS[2:]):
        w("ldm", "r0!", "{r5, r6}")
        for name, other in zip(pair, ("r5", "r6"), strict=True):
            each(w, "adds", "adcs", name, other, begins=name == "r1")


def taken(w: Writer, half: int, mask: str | None) -> None:
    """WORDS less four words off the stack; or and those by a mask."""
    if mask is None:
        for pair in (WORDS[:2], WORDS[2:]):
            w("pop", "{r5, r6}")
            for name, other in zip(pair, ("r5", "r6"), strict=True):
                each(w, "subs", "sbcs", name, other, begins=name == "r1")
        w("movs", "r5", "#0")
        w("sbcs", "r7", "r5")
        return
    w("ldr", "r6", mask)
    if half == 0:
        w("adds", "r5", "r6", "r6")
    for name in WORDS:
        w("pop", "{r5}")
        w("eors", "r5", "r6")
        each(w, "adds", "adcs", name, "r5", begins=half == 1 and name == "r1")
    if half == 0:
        w("movs", "r5", "#0")
    w("adcs", "r7", "r6" if half else "r5")


def carried_in(w: Writer, less: int, bias: int | None) -> None:
    """WORDS += r7 less a number, with its sign; r7: the bias, and what they carry."""
    if less:
        w("subs", "r7", f"#{less}")
        w("asrs", "r6", "r7", "#31")
    else:
        w("movs", "r6", "#0")
    for name in WORDS:
        each(w, "adds", "adcs", name, "r7" if name == "r1" else "r6", begins=name == "r1")
    if bias is not None:
        w("movs", "r7", f"#{bias}")
        w("adcs", "r7", "r6")


def to(w: Writer, at: int, block: int) -> None:
    """r0, at one block of four words, to another."""
    if block != at:
        w("adds" if block > at else "subs", "r0", f"#{16 * abs(block - at)}")


def difference_of_blocks(w: Writer, operand: int | None, first: int, second: int) -> None:
    """To r0: the difference of two blocks of the operand, a pointer at [sp, #operand] or r1.

    r7: its mask.
    """
    if operand:
        w("ldr", "r1", f"[sp, #{operand}]")
    if first:
        w("adds", "r1", f"#{16 * first}")
    difference128(w, gap=second - first - 1)


def mul384(w: Writer) -> None:
    """The function for C."""
    enter(w)
    w("bl", "ecfit_mul384")
    leave(w)


def inner_mul384(w: Writer) -> None:
    """The inner function: three blocks each, six products of blocks."""
    masks, frame = 96, 108
    w("push", "{lr}")
    w("push", "{r0-r2}")
    w("sub", "sp", f"#{frame}")
    for index, (first, second) in enumerate(PAIRS):
        w.note(f"(a{first} - a{second})(b{first} - b{second}) to the stack, by way of t")
        if index:
            w("ldr", "r0", f"[sp, #{frame}]")
        difference_of_blocks(w, frame + 4 if index else None, first, second)
        w("mov", "r12", "r7")
        difference_of_blocks(w, frame + 8, first, second)
        w("mov", "r2", "r12")
        w("eors", "r7", "r2")
        w("mvns", "r7", "r7")
        w("str", "r7", f"[sp, #{masks + 4 * index}]")
        w("movs", "r2", "r0")
        w("subs", "r2", "#16")
        w("movs", "r1", "r2")
        w("subs", "r1", "#16")
        w("add", "r0", "sp", f"#{32 * index}")
        w("bl", "ecfit_mul128")
    w.note("the products of the blocks")
    w("add", "r3", "sp", f"#{frame}")
    w("ldm", "r3!", "{r0-r2}")
    w("bl", "ecfit_mul128")
    for _ in range(2):
        w("adds", "r1", "#16")
        w("adds", "r2", "#16")
        w("bl", "ecfit_mul128")
    fold_blocks(w, sign=True)
    w("add", "sp", f"#{frame - 96 + 12}")
    w("pop", "{pc}")


def sqr384(w: Writer) -> None:
    """The function for C."""
    enter(w)
    w("bl", "ecfit_sqr384")
    leave(w)


def inner_sqr384(w: Writer) -> None:
    """The inner function, likewise."""
    frame = 96
    w("push", "{lr}")
    w("push", "{r0, r1}")
    w("sub", "sp", f"#{frame}")
    for index, (first, second) in enumerate(PAIRS):
        w.note(f"(a{first} - a{second})^2 to the stack, by way of t")
        if index:
            w("ldr", "r0", f"[sp, #{frame}]")
        difference_of_blocks(w, frame + 4 if index else None, first, second)
        w("movs", "r1", "r0")
        w("subs", "r1", "#16")
        w("add", "r0", "sp", f"#{32 * index}")
        w("bl", "ecfit_sqr128")
    w.note("the squares of the blocks")
    w("add", "r3", "sp", f"#{frame}")
    w("ldm", "r3!", "{r0, r1}")
    w("bl", "ecfit_sqr128")
    for _ in range(2):
        w("adds", "r1", "#16")
        w("bl", "ecfit_sqr128")
    fold_blocks(w, sign=False)
    w("add", "sp", "#8")
    w("pop", "{pc}")


def difference256(w: Writer) -> None:
    """To r0, 8 words: |x0 - x1| of the 16 at r1; r3: its mask. Loses r4 to r6; r1 += 32."""
    for index in range(4):
        w("ldm", "r1!", "{r4, r5}")
        w("ldr", "r6", "[r1, #24]")
        each(w, "subs", "sbcs", "r4", "r6", begins=index == 0)
        w("ldr", "r6", "[r1, #28]")
        w("sbcs", "r5", "r6")
        w("stm", "r0!", "{r4, r5}")
    w("sbcs", "r3", "r3")
    w("subs", "r0", "#32")
    for index in range(4):
        w("ldr", "r4", "[r0]")
        w("ldr", "r5", "[r0, #4]")
        w("eors", "r4", "r3")
        w("eors", "r5", "r3")
        each(w, "subs", "sbcs", "r4", "r3", begins=index == 0)
        w("sbcs", "r5", "r3")
        w("stm", "r0!", "{r4, r5}")


def fold256(w: Writer, frame: int, *, sign: bool) -> None:
    """Adds a0 b1 + a1 b0 to the two halves of a product at t, [sp, #frame].

    It is their sum less the product of the differences, at sp, whose mask is r7; the sum comes to
    sp + 64. r6: what is carried out of it, 0 or 1.
    """
    w("ldr", "r0", f"[sp, #{frame}]")
    w("add", "r1", "sp", "#64")
    for index in range(16):
        w("ldr", "r4", f"[r0, #{4 * index}]")
        w("ldr", "r5", f"[r0, #{4 * index + 64}]")
        each(w, "adds", "adcs", "r4", "r5", begins=index == 0)
        w("stm", "r1!", "{r4}")
    w("movs", "r6", "#0")
    w("adcs", "r6", "r6")
    w("mov", "r2", "sp")
    w("add", "r1", "sp", "#64")
    if sign:
        w("rsbs", "r3", "r7", "#0")
    for index in range(16):
        w("ldm", "r2!", "{r5}")
        w("ldr", "r4", "[r1]")
        if sign:
            w("eors", "r5", "r7")
        each(w, "subs", "sbcs", "r4", "r5", begins=index == 0 and not sign)
        w("stm", "r1!", "{r4}")
    if not sign:
        w("movs", "r7", "#0")
    w("sbcs", "r6", "r7")
    w("adds", "r0", "#32")
    w("add", "r1", "sp", "#64")
    for index in range(8):
        w("ldm", "r1!", "{r2, r3}")
        w("ldr", "r4", "[r0]")
        each(w, "adds", "adcs", "r4", "r2", begins=index == 0)
        w("ldr", "r5", "[r0, #4]")
        w("adcs", "r5", "r3")
        w("stm", "r0!", "{r4, r5}")
    w("movs", "r7", "#0")
    for index in range(8):
        w("ldr", "r4", "[r0]")
        w("adcs", "r4", "r7" if index else "r6")
        w("stm", "r0!", "{r4}")


def mul512(w: Writer) -> None:
    """The whole function, by three products of 256 bits."""
    w("push", "{r4-r7, lr}")
    w("push", "{r0-r2}")
    w("sub", "sp", "#128")
    difference256(w)
    w("movs", "r7", "r3")
    w("ldr", "r1", "[sp, #136]")
    difference256(w)
    w("eors", "r7", "r3")
    w("movs", "r2", "r0")
    w("subs", "r2", "#32")
    w("movs", "r1", "r2")
    w("subs", "r1", "#32")
    w("mov", "r0", "sp")
    w("bl", "ecfit_mp_mul_8")
    for offset in (0, 32):
        w("add", "r3", "sp", "#128")
        w("ldm", "r3!", "{r0-r2}")
        if offset:
            w("adds", "r0", f"#{2 * offset}")
            w("adds", "r1", f"#{offset}")
            w("adds", "r2", f"#{offset}")
        w("bl", "ecfit_mp_mul_8")
    fold256(w, 128, sign=True)
    w("add", "sp", "#140")
    w("pop", "{r4-r7, pc}")


def sqr512(w: Writer) -> None:
    """The whole function, by three squares of 256 bits."""
    w("push", "{r4-r7, lr}")
    w("push", "{r0, r1}")
    w("sub", "sp", "#128")
    difference256(w)
    w("movs", "r1", "r0")
    w("subs", "r1", "#32")
    w("mov", "r0", "sp")
    w("bl", "ecfit_mp_sqr_8")
    for offset in (0, 32):
        w("add", "r3", "sp", "#128")
        w("ldm", "r3!", "{r0, r1}")
        if offset:
            w("adds", "r0", f"#{2 * offset}")
            w("adds", "r1", f"#{offset}")
        w("bl", "ecfit_mp_sqr_8")
    fold256(w, 128, sign=False)
    w("add", "sp", "#136")
    w("pop", "{r4-r7, pc}")


def mul192(w: Writer) -> None:
    """The inner function: three blocks of two words each, six products of blocks."""
    w("push", "{r0-r2, lr}")
    w("sub", "sp", "#12")
    for pushed, (first, second) in enumerate(reversed(PAIRS)):
        w.note(f"(a{first} - a{second})(b{first} - b{second}) to the stack, and its mask")
        two_blocks(w, 20 + 16 * pushed, first, second, ("r3", "r4", "r5", "r6"))
        difference(w, ("r3", "r4"), ("r5", "r6"), "r7")
        two_blocks(w, 16 + 16 * pushed, first, second, ("r1", "r2", "r5", "r6"))
        difference(w, ("r1", "r2"), ("r5", "r6"), "r5")
        w("eors", "r7", "r5")
        w("mvns", "r7", "r7")
        w("str", "r7", f"[sp, #{16 * pushed + 4 * (2 - pushed)}]")
        w("bl", "ecfit_mul64")
        w("push", "{r0, r3, r6, r7}")
    for block in range(3):
        blocks_at(w, 68, ("r3", "r4"), block)
        blocks_at(w, 64, ("r1", "r2"), block)
        w("bl", "ecfit_mul64")
        put_block(w, 60, block, "{r0, r3, r6, r7}")
    fold192(w, ("r0", "r3"), sign=True)
    w("add", "sp", "#24")
    w("pop", "{pc}")


def sqr192(w: Writer) -> None:
    """The inner function, likewise."""
    w("push", "{r0, r1, lr}")
    for pushed, (first, second) in enumerate(reversed(PAIRS)):
        w.note(f"(a{first} - a{second})^2 to the stack")
        two_blocks(w, 4 + 16 * pushed, first, second, ("r1", "r2", "r3", "r4"))
        difference(w, ("r1", "r2"), ("r3", "r4"), "r3")
        w("bl", "ecfit_sqr64")
        w("push", "{r0, r1, r3, r7}")
    for block in range(3):
        blocks_at(w, 52, ("r1", "r2"), block)
        w("bl", "ecfit_sqr64")
        put_block(w, 48, block, "{r0, r1, r3, r7}")
    w("movs", "r6", "r3")
    fold192(w, ("r0", "r1"), sign=False)
    w("add", "sp", "#8")
    w("pop", "{pc}")


def blocks_at(w: Writer, at: int, names: tuple[str, str], block: int) -> None:
    """A block of the operand whose pointer is at [sp, #at]."""
    low, high = names
    if block == 0:
        w("ldr", low, f"[sp, #{at}]")
        w("ldm", low, several(names))
    else:
        w("ldr", high, f"[sp, #{at}]")
        w("ldr", low, f"[{high}, #{8 * block}]")
        w("ldr", high, f"[{high}, #{8 * block + 4}]")


def put_block(w: Writer, at: int, block: int, names: str) -> None:
    """A product of blocks to t, whose pointer is at [sp, #at], but for the last one; r2: t."""
    w("ldr", "r2", f"[sp, #{at}]")
    if block == 1:
        w("adds", "r2", "#16")
    if block < 2:
        w("stm", "r2!", names)


PAIR, BLOCK = ("r4", "r5"), ("r1", "r3")  # of words: what is added, and the sum


def fold192(w: Writer, low: tuple[str, str], *, sign: bool) -> None:
    """t, 12 words at r2, from P0 and P1 there, P2 in `low`, r6 and r7, and what :func:`fold_blocks`
    takes off the stack, in blocks of two words. r6 counts what a block carries, and begins with as
    much as is taken away, so that it is never negative; r0 = 0.
    """
    neighbours(w, low)
    begins = (0, 1, 2, 2) if sign else (1, 2, 3, 2)
    w("movs", "r6", f"#{begins[0]}")
    pair_added(w)
    pair_taken(w, 0, 0, sign=sign)
    w("stm", "r2!", several(BLOCK))
    blocks = (
        ("r8", 24, ((0, 1), (1, 0)), -8),
        ("lr", -8, ((1, 1), (2, 0)), 24),
        ("lr", 0, ((2, 1),), 16),
    )  # where a carry of a sum waits, to l0 or h2, halves that are taken away, back
    for block, (place, beside, halves, back) in enumerate(blocks):
        w.note(f"block {block + 2}")
        w("add", "r6", place)
        carried(w, begins[block], begins[block + 1])
        step(w, -beside)
        pair_added(w)
        for which, half in halves:
            pair_taken(w, which, half, sign=sign)
        step(w, -back)
        w("stm", "r2!", several(BLOCK))
    w.note("block 5")
    w("add", "r6", "r10")
    carried(w, begins[-1], None)
    step(w, -8)
    w("stm", "r2!", several(BLOCK))


def step(w: Writer, size: int) -> None:
    """r2 += a size."""
    if size:
        w("adds" if size > 0 else "subs", "r2", f"#{abs(size)}")


def neighbours(w: Writer, low: tuple[str, str]) -> None:
    """v and h2 to blocks 4 and 5, u to BLOCK, u + v to blocks 2 and 3; r10, r8, lr: what v, u and
    all three sums carry; r2: t; r0 = 0.
    """
    w("ldr", "r4", "[r2, #24]")
    w("ldr", "r5", "[r2, #28]")
    w("adds", "r4", "r4", low[0])
    w("adcs", "r5", low[1])
    w("movs", "r0", "#0")
    w("movs", "r1", "#0")
    w("adcs", "r1", "r0")
    w("mov", "r10", "r1")
    w("adds", "r2", "#32")
    w("stm", "r2!", "{r4-r7}")
    w("subs", "r2", "#40")
    w("ldm", "r2!", several(BLOCK))
    w("ldm", "r2!", "{r6, r7}")
    w("adds", "r1", "r1", "r6")
    w("adcs", "r3", "r7")
    w("movs", "r6", "#0")
    w("adcs", "r6", "r0")
    w("mov", "r8", "r6")
    w("adds", "r4", "r4", "r1")
    w("adcs", "r5", "r3")
    w("adcs", "r6", "r0")
    w("add", "r6", "r10")
    w("mov", "lr", "r6")
    w("subs", "r2", "#8")
    w("stm", "r2!", several(PAIR))
    w("stm", "r2!", several(PAIR))
    w("subs", "r2", "#32")


def pair_added(w: Writer) -> None:
    """BLOCK += two words at r2."""
    w("ldm", "r2!", several(PAIR))
    w("adds", "r1", "r1", "r4")
    w("adcs", "r3", "r5")
    w("adcs", "r6", "r0")


def pair_taken(w: Writer, which: int, half: int, *, sign: bool) -> None:
    """BLOCK less two words off the stack; or and those by their mask, `sign`."""
    if sign:
        w("ldr", "r7", f"[sp, #{48 + 4 * which - 8 * (2 * which + half)}]")
        if half == 0:
            w("adds", "r4", "r7", "r7")
    w("pop", several(PAIR))
    if sign:
        w("eors", "r4", "r7")
        w("eors", "r5", "r7")
        each(w, "adds", "adcs", "r1", "r4", begins=half == 1)
        w("adcs", "r3", "r5")
        w("adcs", "r6", "r7" if half else "r0")
    else:
        w("subs", "r1", "r1", "r4")
        w("sbcs", "r3", "r5")
        w("sbcs", "r6", "r0")


def carried(w: Writer, less: int, bias: int | None) -> None:
    """BLOCK = two words at r2 and r6 less a number, with its sign; r6: the bias, and what they
    carry.
    """
    w("ldm", "r2!", several(BLOCK))
    if less:
        w("subs", "r6", f"#{less}")
        w("asrs", "r4", "r6", "#31")
    sign = "r4" if less else "r0"
    w("adds", "r1", "r1", "r6")
    w("adcs", "r3", sign)
    if bias is not None:
        w("movs", "r6", f"#{bias}")
        w("adcs", "r6", sign)


def rows(w: Writer, bits: int) -> None:
    """The inner function for any even number of words, r3 bytes: rows of products of blocks."""
    w("movs", "r3", f"#{bits // 8}")
    if bits > 128:
        w("b", "ecfit_rows")
    w.lines.append("    entry   ecfit_rows")
    w("adds", "r4", "r1", "r3")
    w("push", "{r0-r4, lr}")
    w("sub", "sp", "#12")
    w("movs", "r4", "#0")
    turn = begin(w, "4")
    w("subs", "r3", "#4")
    w("str", "r4", "[r0, r3]")
    again(w, turn, bits // 32)
    w.note("a row: what is carried, 0; words of the other factor, from the lowest on")
    row = begin(w, "1")
    w("movs", "r5", "#0")
    w("str", "r5", "[sp]")
    w("str", "r5", "[sp, #4]")
    turn = begin(w, "2")
    block_of_row(w)
    w("adds", "r5", "#8")
    w("ldr", "r1", "[sp, #24]")
    w("cmp", "r5", "r1")
    again(w, turn, bits // 64)
    w("stm", "r2!", "{r6, r7}")
    for at in (12, 16):
        w("ldr", "r1", f"[sp, #{at}]")
        w("adds", "r1", "#8")
        w("str", "r1", f"[sp, #{at}]")
    w("ldr", "r2", "[sp, #28]")
    w("cmp", "r1", "r2")
    again(w, row, bits // 64)
    w("add", "sp", "#32")
    w("pop", "{pc}")


def block_of_row(w: Writer) -> None:
    """r5 bytes up: a product of blocks and what is carried, at [sp], to t, [sp, #12]; r2: behind
    it. The factors' pointers: [sp, #16], [sp, #20].
    """
    w("str", "r5", "[sp, #8]")
    w("ldr", "r3", "[sp, #20]")
    w("adds", "r3", "r3", "r5")
    w("ldm", "r3", "{r3, r4}")
    w("ldr", "r1", "[sp, #16]")
    w("ldm", "r1", "{r1, r2}")
    w("bl", "ecfit_mul64")
    w("movs", "r4", "#0")
    w("ldr", "r5", "[sp, #8]")
    w("ldr", "r2", "[sp, #12]")
    w("adds", "r2", "r2", "r5")
    for place, step in (("sp", 4), ("r2", 4)):
        w("ldr", "r1", f"[{place}]")
        w("adds", "r0", "r0", "r1")
        w("ldr", "r1", f"[{place}, #{step}]")
        w("adcs", "r3", "r1")
        w("adcs", "r6", "r4")
        w("adcs", "r7", "r4")
    w("str", "r6", "[sp]")
    w("str", "r7", "[sp, #4]")
    w("stm", "r2!", "{r0, r3}")


def begin(w: Writer, label: str) -> tuple[str, dict[str, int]]:
    """Of a loop."""
    w.label(label)
    return label, dict(w.cycles)


def again(w: Writer, turn: tuple[str, dict[str, int]], times: int) -> None:
    """Its end, and the cycles of all its turns."""
    label, before = turn
    w("adds", "r0", "r0", "#0")  # as the branch of the last turn
    w.lines[-1] = f"    bne     {label}b"
    for core in CORES:
        once = w.cycles[core] - before[core]
        w.cycles[core] += (times - 1) * (once + BRANCHES[core][0] - 1)


def two_blocks(w: Writer, at: int, first: int, second: int, names: tuple[str, ...]) -> None:
    """Two blocks of an operand, whose pointer stands at [sp, #at]."""
    if second == first + 1:
        w("ldr", names[0], f"[sp, #{at}]")
        if first:
            w("adds", names[0], f"#{8 * first}")
        w("ldm", names[0], several(names))
        return
    pointer = names[-1]
    w("ldr", pointer, f"[sp, #{at}]")
    for k, name in zip((2 * first, 2 * first + 1, 2 * second, 2 * second + 1), names, strict=True):
        w("ldr", name, f"[{pointer}, #{4 * k}]")
