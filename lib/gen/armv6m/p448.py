"""Modulo 2^448 - 2^224 - 1 for ARMv6-M and ARMv7-M, whose products come from three of 7 or 8 words;
sums, differences, multiples and choices in memory; the ladder's step and the interpreter.

With F = 2^224, F^2 is F + 1. Elements are any 14 words, R = 1. Routines lose all registers but r9
and sp, as those of armv6m/sparse.py do.
"""

from __future__ import annotations

from gen.armv6m.long import enter, leave, product256, square256
from gen.armv6m.points import REACH
from gen.armv6m.products import settle, square, word
from gen.armv6m.sparse import several
from gen.armv6m.writer import BRANCHES, CORES, Writer, carry, each, keep
from gen.armv7em.formulas import LADDER, read, swapped

HALF, SIZE = 28, 56  # bytes
SMALL = 39081  # (A - 2)/4
M, L, H = 0, 64, 64 + SIZE  # in the frame of a product
FRAME = H + SIZE
WORDS = ("r1", "r2", "r3", "r4")


# ---- three and seven words ---------------------------------------------------------------------


def mul96(w: Writer) -> None:
    """The inner function: six words at r0, which goes on, = three at r1 times three at r2: of two
    words each, then what has an upper word.
    """
    w("push", "{r0, lr}")
    w("ldm", "r1!", "{r5-r7}")
    w("ldm", "r2", "{r2-r4}")
    w("push", "{r2, r3, r5, r6}")  # b0, b1, a0, a1
    w("mov", "r11", "r7")
    w("mov", "r12", "r4")
    for to, name in (("r4", "r3"), ("r3", "r2"), ("r1", "r5"), ("r2", "r6")):
        w("movs", to, name)
    w("bl", "ecfit_mul64")
    w("ldr", "r1", "[sp, #16]")
    w("stm", "r1!", "{r0, r3}")
    w("mov", "r8", "r6")
    w("mov", "r10", "r7")
    crossed(w, 0)
    for high, name in (("r8", "r4"), ("r10", "r7"), ("lr", "r0")):
        w("mov", high, name)
    crossed(w, 1)
    w.note("a2 b2")
    w("mov", "r8", "r0")
    w("mov", "r10", "r4")
    w("mov", "r1", "r11")
    w("mov", "r2", "r12")
    low, high, middle, free = word(w, "r1", "r2", ("r3", "r4", "r5"), keep=False)
    settle(w, low, high, middle, free)
    w("mov", "r2", "r10")
    w("adds", "r3", low, "r2")
    w("adcs", high, "r7")
    w("mov", "r1", "lr")
    w("mov", "r2", "r8")
    ended96(w, 16)


def crossed(w: Writer, k: int) -> None:
    """r7:r4:r0 = r10:r8 + a2 bk + b2 ak: a2 and b2 in r11 and r12, the others on the stack."""
    w.note(f"a2 b{k} + b2 a{k}")
    w("ldr", "r1", f"[sp, #{4 * k}]")
    w("mov", "r2", "r11")
    word(w, "r1", "r2", ("r3", "r4", "r5"), keep=False)  # r1, r4, r3, C
    w("movs", "r5", "#0")
    w("adcs", "r5", "r5")
    w("mov", "r6", "r8")
    w("adds", "r1", "r1", "r6")
    w("mov", "r6", "r10")
    w("adcs", "r4", "r6")
    w("movs", "r7", "#0")
    w("adcs", "r7", "r7")
    w("mov", "r8", "r1")
    w("mov", "r10", "r4")
    w("ldr", "r0", f"[sp, #{8 + 4 * k}]")
    w("mov", "r1", "r12")
    word(w, "r0", "r1", ("r2", "r4", "r6"), keep=False)  # r0, r4, r2, C
    w("movs", "r6", "#0")
    w("adcs", "r5", "r6")
    w("adds", "r3", "r3", "r2")
    w("adcs", "r5", "r6")
    w("mov", "r1", "r8")
    w("adds", "r0", "r0", "r1")
    w("mov", "r1", "r10")
    w("adcs", "r4", "r1")
    w("adcs", "r7", "r6")
    w("lsls", "r1", "r3", "#16")
    w("lsrs", "r3", "r3", "#16")
    w("lsls", "r5", "r5", "#16")
    w("orrs", "r3", "r5")
    w("adds", "r0", "r0", "r1")
    w("adcs", "r4", "r3")
    w("adcs", "r7", "r6")


def ended96(w: Writer, place: int) -> None:
    """Words 2 to 5 to the result, whose pointer is on the stack, the last but where to return."""
    w("ldr", "r0", f"[sp, #{place}]" if place else "[sp]")
    w("adds", "r0", "#8")
    w("stm", "r0!", "{r1-r4}")
    w("add", "sp", f"#{place + 4}")
    w("pop", "{pc}")


def sqr96(w: Writer) -> None:
    """The inner function: six words at r0, which goes on, = three at r1, squared."""
    w("push", "{r0, lr}")
    w("ldm", "r1", "{r1-r3}")
    for high, name in (("r8", "r1"), ("r10", "r2"), ("r11", "r3")):
        w("mov", high, name)
    w("bl", "ecfit_sqr64")
    w("ldr", "r2", "[sp]")
    w("stm", "r2!", "{r0, r1}")
    w("mov", "r0", "r8")
    w("mov", "r8", "r3")
    w("mov", "r12", "r7")
    w.note("a2 a0 and a2 a1")
    w("mov", "r7", "r11")
    settle(w, *word(w, "r0", "r7", ("r1", "r2", "r3"), keep=False))  # r2:r0
    w("mov", "r1", "r10")
    low, high, middle, free = word(w, "r1", "r7", ("r3", "r4", "r5"), keep=False)
    settle(w, low, high, middle, free)  # r4:r1
    w("adds", "r1", "r1", "r2")
    w("movs", "r6", "#0")
    w("adcs", "r4", "r6")
    w.note("twice")
    w("adds", "r0", "r0", "r0")
    w("adcs", "r1", "r1")
    w("adcs", "r4", "r4")
    w("adcs", "r6", "r6")
    square(w, "r7", "r2", "r3", "r5")
    w("mov", "r5", "r8")
    w("adds", "r0", "r0", "r5")
    w("mov", "r5", "r12")
    w("adcs", "r1", "r5")
    w("adcs", "r4", "r2")
    w("adcs", "r6", "r3")
    for to, name in (("r3", "r4"), ("r2", "r1"), ("r1", "r0"), ("r4", "r6")):
        w("movs", to, name)
    ended96(w, 0)


def mul224(w: Writer) -> None:
    """The inner function: 14 words at r0 = 7 at r1 times 7 at r2."""
    w("push", "{r0-r2, lr}")
    product256(w, words=7)
    w("pop", "{pc}")


def sqr224(w: Writer) -> None:
    """The inner function: 14 words at r0 = those 7 at r1, squared."""
    w("push", "{r0, r1, lr}")
    square256(w, words=7)
    w("pop", "{pc}")


# ---- the field ---------------------------------------------------------------------------------


def mul(w: Writer) -> None:
    """r0 = r1 r2."""
    product(w, ("a", "b"))


def sqr(w: Writer) -> None:
    """r0 = r1^2."""
    product(w, ("a",))


def product(w: Writer, operands: tuple[str, ...]) -> None:
    """m, l and h on the stack, then what they come to."""
    op, names = ("mul", "{r0-r2}") if len(operands) > 1 else ("sqr", "{r0, r1}")
    w("push", f"{names[:-1]}, lr}}")
    w("sub", "sp", f"#{FRAME}")
    w.note("the sums of halves, 8 words each, and their product")
    w("add", "r0", "sp", f"#{L}")
    for index in range(len(operands)):
        if index:
            w("ldr", "r1", f"[sp, #{FRAME + 8}]")
        total(w)
    for index in range(len(operands)):
        w("add", f"r{index + 1}", "sp", f"#{L + 32 * index}")
    w("mov", "r0", "sp")
    w("bl", f"ecfit_{op}256")
    for part, offset in ((L, 0), (H, HALF)):
        w("add", "r3", "sp", f"#{FRAME}")
        w("ldm", "r3!", names)
        for index in range(1, len(operands) + 1):
            if offset:
                w("adds", f"r{index}", f"#{offset}")
        w("add", "r0", "sp", f"#{part}")
        w("bl", f"ecfit_{op}224")
    fold(w)
    w("add", "sp", f"#{FRAME + 4 * len(operands) + 4}")
    w("pop", "{pc}")


def total(w: Writer) -> None:
    """To r0, which goes on, 8 words: the sum of the halves at r1."""
    w("movs", "r2", "r1")
    w("adds", "r2", f"#{HALF}")
    for k in range(3):
        w("ldm", "r1!", "{r3, r4}")
        w("ldm", "r2!", "{r5, r6}")
        each(w, "adds", "adcs", "r3", "r5", begins=k == 0)
        w("adcs", "r4", "r6")
        w("stm", "r0!", "{r3, r4}")
    w("ldr", "r3", "[r1]")
    w("ldr", "r5", "[r2]")
    w("movs", "r4", "#0")
    w("adcs", "r3", "r5")
    w("adcs", "r4", "r4")
    w("stm", "r0!", "{r3, r4}")


def fold(w: Writer) -> None:
    """To where the word behind the frame says: l + h + F (m - l), what is of m - l above F twice.

    Of the upper seven words, then of the lower ones; what the upper ones come to above F is added
    to the lower ones, and once more behind them, with what these come to.
    """
    chains = ("r8", "r10", "r11")
    plus, less = ("adds", "adcs"), ("subs", "sbcs")
    result = f"[sp, #{FRAME}]"
    for half in (1, 0):
        first = H + HALF * half
        others = (
            [(M, plus), (M + HALF, plus), (L, less)]
            if half
            else [(L, plus), (M + HALF, plus), (L + HALF, less)]
        )
        for chunk, count in ((0, 4), (1, 3)):
            words = WORDS[:count]
            w.note(f"words {7 * half + 4 * chunk} to {7 * half + 4 * chunk + count - 1}")
            w("add", "r0", "sp", f"#{first + 16 * chunk}")
            w("ldm", "r0!", several(words))
            if not half:
                signed(w, words, chunk)
            for (place, how), high in zip(others, chains, strict=True):
                w("add", "r0", "sp", f"#{place + 16 * chunk}")
                if chunk:
                    carry(w, high)
                for names in (words[:2], words[2:]):
                    some = ("r5", "r6")[: len(names)]
                    w("ldm", "r0!", several(some))
                    for name, other in zip(names, some, strict=True):
                        each(w, *how, name, other, begins=not chunk and name == "r1")
                if not chunk or high == "r8":
                    keep(w, high)
                else:
                    w("sbcs", "r5", "r5")
                    w("add", "r8", "r5")
            w("ldr", "r0", result)
            if half or chunk:
                w("adds", "r0", f"#{HALF * half + 16 * chunk}")
            w("stm", "r0!", several(words))
        w("ldr", "r6", f"[sp, #{M + SIZE}]")
        w("add", "r6", "r8")
        w("adds", "r6", "#2")
        if half:
            w("mov", "r12", "r6")
    w.note("above F: r12 of the upper words, r6 of the lower ones")
    w("mov", "r5", "r12")
    w("adds", "r6", "r6", "r5")
    w("mov", "r5", "lr")
    w("adds", "r6", "r6", "r5")
    w("ldr", "r0", result)
    w("adds", "r0", f"#{HALF}")
    rippled(w, less=True)


def signed(w: Writer, words: tuple[str, ...], chunk: int) -> None:
    """Words += r12, which has a sign; lr: what is above F in the end."""
    w("mov", "r6", "r12")
    w("asrs", "r7", "r6", "#31")
    if chunk:
        carry(w, "lr")
    for name in words:
        begins = not chunk and name == "r1"
        each(w, "adds", "adcs", name, "r6" if begins else "r7", begins=begins)
    if not chunk:
        keep(w, "lr")
        return
    w("movs", "r5", "#0")
    w("adcs", "r5", "r7")
    w("mov", "lr", "r5")


def rippled(w: Writer, *, less: bool = False) -> None:
    """The upper words, at r0, += r6, which has a sign; then all += F + 1 where they carry, `less`:
    -F - 1 where they borrow. r0 ends as it begins.
    """
    w("asrs", "r7", "r6", "#31")
    seven(w)
    w("movs", "r6", "#0")
    w("adcs", "r6", "r7")
    w("subs", "r0", f"#{SIZE}")
    w(*(("asrs", "r7", "r6", "#31") if less else ("movs", "r7", "#0")))
    seven(w)
    w("ldr", "r2", "[r0]")
    if less:
        w("adcs", "r2", "r7")
        w("adds", "r2", "r2", "r6")
    else:
        w("adcs", "r2", "r6")
    w("str", "r2", "[r0]")


def seven(w: Writer) -> None:
    """Seven words at r0, which goes on, += r6, whose sign is r7; the flag C."""
    w("mov", "r1", "r0")
    for names in ("r2-r5", "r2-r4"):
        w("ldm", "r1!", f"{{{names}}}")
        for k in range(2, int(names[-1]) + 1):
            first = names == "r2-r5" and k == 2
            each(w, "adds", "adcs", f"r{k}", "r6" if first else "r7", begins=first)
        w("stm", "r0!", f"{{{names}}}")


def add(w: Writer) -> None:
    """r0 = r1 + r2."""
    linear(w, "adds", "adcs")


def sub(w: Writer) -> None:
    """r0 = r1 - r2."""
    linear(w, "subs", "sbcs")


def linear(w: Writer, first: str, others: str) -> None:
    """The upper words first, so that what is carried out of them is added to the lower ones."""
    less = first == "subs"
    for half in (1, 0):
        for name in ("r0", "r1", "r2"):
            w(*(("adds", name, f"#{HALF}") if half else ("subs", name, f"#{SIZE}")))
        if not half:
            w(*(("rsbs", "r6", "r7", "#0") if less else ("lsrs", "r6", "r7", "#1")))
        w("ldm", "r1!", "{r3-r5}")
        if half:  # r7 is free
            w("ldm", "r2!", "{r6, r7}")
            w(first, "r3", "r3", "r6")
            w(others, "r4", "r7")
        else:
            for name in ("r3", "r4"):
                w("ldm", "r2!", "{r6}")
                w(others, name, "r6")
        w("ldm", "r2!", "{r6}")
        w(others, "r5", "r6")
        w("stm", "r0!", "{r3-r5}")
        for _ in range(2):
            w("ldm", "r1!", "{r3, r4}")
            w("ldm", "r2!", "{r5, r6}")
            w(others, "r3", "r5")
            w(others, "r4", "r6")
            w("stm", "r0!", "{r3, r4}")
        if half and less:
            w("sbcs", "r7", "r7")
        elif half:
            w("movs", "r7", "#0")
            w("adcs", "r7", "r7")
    if less:
        w("sbcs", "r6", "r6")
        w("adds", "r6", "r6", "r7")
    else:
        w("movs", "r6", "#0")
        w("adcs", "r6", "r7")
    rippled(w, less=less)
    w("bx", "lr")


def small(w: Writer) -> None:
    """r0 = r1 times the word at r2; r7: what is carried."""
    w("ldr", "r2", "[r2]")
    w("movs", "r6", "#0")
    w("movs", "r7", "#0")
    for half in (1, 0):
        for name in ("r0", "r1"):
            w(*(("adds", name, f"#{HALF}") if half else ("subs", name, f"#{SIZE}")))
        if not half:
            w("mov", "r8", "r7")
        for k in range(7):
            carried, word_ = ("r3", "r7") if k % 2 else ("r7", "r3")
            w("ldm", "r1!", f"{{{word_}}}")
            w("uxth", "r4", word_)
            w("lsrs", word_, word_, "#16")
            w("muls", "r4", "r2", "r4")
            w("muls", word_, "r2", word_)
            w("lsls", "r5", word_, "#16")
            w("lsrs", word_, word_, "#16")
            for more in (carried, "r5"):
                w("adds", "r4", "r4", more)
                w("adcs", word_, "r6")
            w("stm", "r0!", "{r4}")
        w("movs", "r7", "r3")
    w("mov", "r6", "r8")
    w("adds", "r6", "r6", "r7")
    rippled(w)
    w("bx", "lr")


def select(w: Writer) -> None:
    """r0 = r2 where the mask r3 is all ones, else r1."""
    for _ in range(7):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r2!", "{r6, r7}")
        for name, other in (("r4", "r6"), ("r5", "r7")):
            w("eors", other, name)
            w("ands", other, "r3")
            w("eors", name, other)
        w("stm", "r0!", "{r4, r5}")
    w("bx", "lr")


# ---- formulas ----------------------------------------------------------------------------------


def ladder(w: Writer) -> dict[str, int]:
    """The ladder's step as a loop; returns the cycles of each turn but the last. In the frame are
    the registers' pointer, exchanges, n, and the small factor.
    """
    enter(w)
    w("movs", "r3", f"#{SMALL >> 8}")
    w("lsls", "r3", "r3", "#8")
    w("adds", "r3", f"#{SMALL & 255}")
    w("push", "{r0-r3}")
    w.label("1")
    before = dict(w.cycles)
    steps = [
        s._replace(op="sqr" if s.op == "MUL" and s.a == s.b else s.op.lower()) for s in read(LADDER)
    ]
    for step in swapped(steps):
        for index, place in ((0, step.d), (1, step.a), (2, step.b)):
            if index == 2 and step.op in {"sqr", "small"}:
                continue
            w("ldr", f"r{index}", "[sp]")
            for part in range(0, SIZE * place, REACH):
                w("adds", f"r{index}", f"#{min(REACH, SIZE * place - part)}")
        if step.op == "small":
            w("add", "r2", "sp", "#12")
        if step.op == "select":
            w("ldr", "r3", "[sp, #4]")
            w("asrs", "r3", "r3", "#31")
        w("bl", f"ecfit_p448_{step.op}")
    w("ldr", "r0", "[sp, #4]")
    w("lsls", "r0", "r0", "#1")
    w("str", "r0", "[sp, #4]")
    w("ldr", "r0", "[sp, #8]")
    w("subs", "r0", "#1")
    w("str", "r0", "[sp, #8]")
    w("adds", "r0", "r0", "#0")
    w.lines[-1] = "    beq     2f"
    turn = {core: w.cycles[core] - before[core] + BRANCHES[core][0] for core in CORES}
    w.lines.append("    b       1b")
    w.label("2")
    for core in CORES:
        w.cycles[core] += BRANCHES[core][0] - 1
    w("add", "sp", "#16")
    leave(w)
    return turn


def run(w: Writer) -> None:
    """The interpreter of formulas (field/op.h); in the frame are the pointers to the registers, to
    the code and to the small factor. A product stands before the code of the next operation, so
    that it needs no branch back.
    """
    enter(w)
    w("push", "{r0-r2}")
    w("b", "1f")
    w.label("7")
    w("bl", "ecfit_p448_mul")
    w.label("1")
    w("ldr", "r5", "[sp, #4]")
    w("ldrh", "r3", "[r5]")
    w("adds", "r5", "#2")
    w("str", "r5", "[sp, #4]")
    w("ldr", "r4", "[sp]")
    w("movs", "r6", f"#{SIZE}")
    for index, shift in ((0, 20), (1, 24), (2, 28)):
        w("lsls", f"r{index}", "r3", f"#{shift}")
        w("lsrs", f"r{index}", f"r{index}", "#28")
        w("muls", f"r{index}", "r6", f"r{index}")
        w("adds", f"r{index}", f"r{index}", "r4")
    w("lsrs", "r4", "r3", "#12")
    w("bne", "3f")
    w("cmp", "r1", "r2")
    w("bne", "7b")
    w("cmp", "r3", "#0")
    w("beq", "6f")
    for label, op in (("", "sqr"), ("3", "add"), ("4", "sub"), ("5", "small")):
        if label:
            w.label(label)
        if label == "3":
            w("cmp", "r4", "#2")
            w("beq", "4f")
            w("bhi", "5f")
        if op == "small":
            w("ldr", "r2", "[sp, #8]")
        w("bl", f"ecfit_p448_{op}")
        w("b", "1b")
    w.label("6")
    w("add", "sp", "#12")
    leave(w)
