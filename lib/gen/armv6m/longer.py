"""Products and squares of 192 bits (three blocks of 64), 384 (three of 128) and 512 (two of 256)
for ARMv6-M.
"""

from __future__ import annotations

from gen.armv6m.long import difference128, enter, leave
from gen.armv6m.products import difference
from gen.armv6m.writer import BRANCHES, CORES, Writer, each


def blocks_of_three(w: Writer, frame: int) -> None:
    """(P0 + P1 X + P2 X^2)(1 + X + X^2), X = 2^128, in place of the products P at t.

    t is at [sp, #frame]. The left factor, 16 words, goes to the stack;
    it is added to itself 4 and 8 words up.
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
        each(w, "adds", "adcs", "r4", "r5", begins=index == 0)
        w("stm", "r0!", "{r4}")
    for index in range(20, 24):
        w("ldr", "r4", f"[r1, #{4 * index}]")
        w("adcs", "r4", "r7")
        w("stm", "r0!", "{r4}")
    w("adds", "r1", "#16")
    for index in range(12):
        w("ldr", "r4", f"[sp, #{4 * index}]")
        w("ldr", "r5", f"[sp, #{4 * index + 16}]")
        each(w, "adds", "adcs", "r4", "r5", begins=index == 0)
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
        each(w, "adds", "adcs", "r4", "r6", begins=index == 0)
        w("adcs", "r5", "r7")
        w("stm", "r1!", "{r4, r5}")


def difference_of_blocks(w: Writer, operand: int, first: int, second: int) -> None:
    """To r0: the difference of two blocks of the operand, a pointer at [sp, #operand].

    r7: its mask.
    """
    w("ldr", "r1", f"[sp, #{operand}]")
    if first:
        w("adds", "r1", f"#{16 * first}")
    difference128(w, gap=second - first - 1)


def add_product(w: Writer, frame: int, first: int, words: int, *, sign: bool) -> None:
    """Adds the product at [sp, #32], `first` words up in t.

    By its sign at [sp, #frame - 4]; without `sign` it is subtracted.
    """
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
            each(w, "subs", "sbcs", "r2", "r4", begins=index == 0)
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
    """The function for C."""
    enter(w)
    w("bl", "ecfit_mul384")
    leave(w)


def inner_mul384(w: Writer) -> None:
    """The inner function: three blocks each, six products of blocks."""
    frame = 68
    w("push", "{lr}")
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
    w("pop", "{pc}")


def sqr384(w: Writer) -> None:
    """The function for C."""
    enter(w)
    w("bl", "ecfit_sqr384")
    leave(w)


def inner_sqr384(w: Writer) -> None:
    """The inner function, likewise."""
    frame = 64
    w("push", "{lr}")
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


PAIRS = ((0, 1), (0, 2), (1, 2))  # of blocks


def mul192(w: Writer) -> None:
    """The inner function: three blocks of two words each, six products of blocks."""
    out = ("r0", "r3", "r6", "r7")
    w("push", "{r0-r2, lr}")
    w("sub", "sp", "#4")
    blocks192(w, "mul64", out, {8: ("r1", "r2"), 12: ("r3", "r4")})
    for first, second in PAIRS:
        w.note(f"less (a{first} - a{second})(b{first} - b{second})")
        two_blocks(w, 12, first, second, ("r3", "r4", "r5", "r6"))
        difference(w, ("r3", "r4"), ("r5", "r6"), "r7")
        two_blocks(w, 8, first, second, ("r1", "r2", "r5", "r6"))
        difference(w, ("r1", "r2"), ("r5", "r6"), "r5")
        w("eors", "r7", "r5")
        w("mvns", "r7", "r7")
        w("str", "r7", "[sp]")
        w("bl", "ecfit_mul64")
        w("ldr", "r1", "[sp]")
        for name in out:
            w("eors", name, "r1")
        w("ldr", "r2", "[sp, #4]")
        w("adds", "r2", f"#{8 * (first + second)}")
        w("adds", "r4", "r1", "r1")
        for low, high in (out[:2], out[2:], *(("", ""),) * (4 - first - second)):
            w("ldr", "r4", "[r2]")
            w("ldr", "r5", "[r2, #4]")
            w("adcs", "r4", low or "r1")
            w("adcs", "r5", high or "r1")
            w("stm", "r2!", "{r4, r5}")
    w("add", "sp", "#16")
    w("pop", "{pc}")


def sqr192(w: Writer) -> None:
    """The inner function, likewise."""
    out = ("r0", "r1", "r3", "r7")
    w("push", "{r0, r1, lr}")
    w("sub", "sp", "#4")
    blocks192(w, "sqr64", out, {8: ("r1", "r2")})
    for first, second in PAIRS:
        w.note(f"less (a{first} - a{second})^2")
        two_blocks(w, 8, first, second, ("r1", "r2", "r3", "r4"))
        difference(w, ("r1", "r2"), ("r3", "r4"), "r3")
        w("bl", "ecfit_sqr64")
        w("ldr", "r2", "[sp, #4]")
        w("adds", "r2", f"#{8 * (first + second)}")
        w("movs", "r6", "#0")
        for low, high in (out[:2], out[2:], *(("", ""),) * (4 - first - second)):
            w("ldr", "r4", "[r2]")
            w("ldr", "r5", "[r2, #4]")
            each(w, "subs", "sbcs", "r4", low or "r6", begins=low == "r0")
            w("sbcs", "r5", high or "r6")
            w("stm", "r2!", "{r4, r5}")
    w("add", "sp", "#12")
    w("pop", "{pc}")


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


def blocks192(
    w: Writer, routine: str, out: tuple[str, ...], operands: dict[int, tuple[str, str]]
) -> None:
    """At t, [sp, #4]: (P0 + P1 X + P2 X^2)(1 + X + X^2), X = 2^64, of the products P of blocks,
    which are in registers `out`; `operands`: where their pointers stand, and their registers.
    """
    for block in range(3):
        for at, (low, high) in operands.items():
            w("ldr", high, f"[sp, #{at}]")
            w("ldr", low, f"[{high}, #{8 * block}]")
            w("ldr", high, f"[{high}, #{8 * block + 4}]")
        w("bl", f"ecfit_{routine}")
        w("ldr", "r2", "[sp, #4]")
        if block:
            w("adds", "r2", f"#{16 * block}")
        w("stm", "r2!", f"{{{', '.join(out)}}}")
    sum192(w)


def sum192(w: Writer) -> None:
    """The three products times 1 + X + X^2, in place."""
    w.note("their sum, the left factor: words 2 to 7 in r2, r3, r6, r7, r4, r5, and in memory")
    w("ldr", "r0", "[sp, #4]")
    w("movs", "r1", "r0")
    w("adds", "r1", "#8")
    w("ldm", "r1!", "{r2-r7}")
    w("adds", "r2", "r2", "r4")
    w("adcs", "r3", "r5")
    w("ldm", "r1!", "{r4, r5}")
    w("adcs", "r6", "r4")
    w("adcs", "r7", "r5")
    w("ldm", "r1!", "{r4, r5}")
    w("movs", "r1", "#0")
    w("adcs", "r4", "r1")
    w("adcs", "r5", "r1")
    names = ("r2", "r3", "r6", "r7", "r4", "r5")
    for k, name in enumerate(names, 2):
        w("str", name, f"[r0, #{4 * k}]")
    w.note("with it 2 words up; r8: what word 8 gets")
    for k, name in enumerate(names):
        w("ldr", "r1", f"[r0, #{4 * k}]")
        each(w, "adds", "adcs", name, "r1", begins=k == 0)
    w("movs", "r1", "#0")
    w("adcs", "r1", "r1")
    w("mov", "r8", "r1")
    w.note("and 4 words up")
    for k, name in enumerate(names[2:]):
        w("ldr", "r1", f"[r0, #{4 * k}]")
        each(w, "adds", "adcs", name, "r1", begins=k == 0)
    for k in (2, 3):
        w("str", names[k - 2], f"[r0, #{4 * k}]")
    for k, name in ((6, "r2"), (7, "r3")):
        w("ldr", name, f"[r0, #{4 * k}]")
        w("ldr", "r1", f"[r0, #{4 * k - 8}]")
        w("adcs", "r1", name)
        w("str", "r1", f"[r0, #{4 * k + 8}]")
    w("movs", "r1", "#0")
    w("adcs", "r2", "r1")
    w("adcs", "r3", "r1")
    for k in (4, 5, 6, 7):
        w("str", names[k - 2], f"[r0, #{4 * k}]")
    w("adds", "r0", "#32")
    w("ldm", "r0!", "{r4, r5}")
    w("subs", "r0", "#8")
    w("mov", "r6", "r8")
    w("adds", "r4", "r4", "r6")
    for name in ("r5", "r2", "r3"):
        w("adcs", name, "r1")
    w("stm", "r0!", "{r4, r5}")
    w("stm", "r0!", "{r2, r3}")


def two_blocks(w: Writer, at: int, first: int, second: int, names: tuple[str, ...]) -> None:
    """Two blocks of an operand, whose pointer stands at [sp, #at]."""
    pointer = names[0] if first == 0 and second == 1 else names[-1]
    w("ldr", pointer, f"[sp, #{at}]")
    if pointer == names[0]:
        w("ldm", pointer, f"{{{', '.join(names)}}}")
        return
    for k, name in zip((2 * first, 2 * first + 1, 2 * second, 2 * second + 1), names, strict=True):
        w("ldr", name, f"[{pointer}, #{4 * k}]")
