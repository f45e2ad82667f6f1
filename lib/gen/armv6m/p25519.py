"""The field of 2^255 - 19 for ARMv6-M: products, squares, sums and differences of 8 words, and an
interpreter of formulas that calls them.

2^256 is 38 and 2^255 is 19. Inner functions, which lose all registers but r9 and sp: r0 = result,
r1, r2 = operands of any value, of which the result may be one. The interpreter saves registers
once for a whole formula.
"""

from __future__ import annotations

from gen.armv6m.long import enter, leave, product256, square256
from gen.armv6m.p256 import TOP, WAITING, chain
from gen.armv6m.writer import Writer, each
from gen.armv7em.formulas import SIZE, Step, read, swapped

LEFT = {"cortex-m0plus": 1, "cortex-m0": 2}  # cycles fewer of a branch that is not taken


def mul(w: Writer) -> None:
    """r0 = r1 r2, below 2^255 + 2^231."""
    w("push", "{r0, lr}")
    w("sub", "sp", "#64")
    w("mov", "r0", "sp")
    w("push", "{r0-r2}")
    product256(w, store=False)
    folded(w)


def sqr(w: Writer) -> None:
    """r0 = r1^2, likewise."""
    w("push", "{r0, lr}")
    w("sub", "sp", "#64")
    w("mov", "r0", "sp")
    w("push", "{r0, r1}")
    square256(w, store=False)
    folded(w)


def both(w: Writer) -> None:
    """r0 = r1 r2, likewise, by squares where r1 is r2: smaller than a function for each."""
    w("push", "{r0, lr}")
    w("sub", "sp", "#64")
    w("mov", "r0", "sp")
    w("bl", "ecfit_both256")
    w("mov", "r1", "sp")
    w("ldr", "r0", "[sp, #64]")
    w("ldr", "r4", "[r1, #60]")
    fold_top(w)
    before = dict(w.cycles)
    w.label("1")
    w("movs", "r3", "#38")
    fold_pair(w, None, None)
    w("add", "r2", "sp", "#24")
    w("cmp", "r1", "r2")
    w.taken("bne", "1b")
    w.cycles = {core: 3 * count - 2 * before[core] - LEFT[core] for core, count in w.cycles.items()}
    fold_word(w, None)
    left(w)


def folded(w: Writer) -> None:
    """The product on the stack but for its four top words, r1 to r4, folded; and returns."""
    for high, name in zip(("r8", "r10", "r11"), ("r1", "r2", "r3"), strict=True):
        w("mov", high, name)
    w("ldr", "r0", "[sp, #64]")
    w("mov", "r1", "sp")
    fold(w)
    left(w)


def left(w: Writer) -> None:
    """The end of a function that has a product on its stack."""
    w("add", "sp", "#68")
    w("pop", "{pc}")


def fold(w: Writer) -> None:
    """r0 = low + 38 high, 8 words each behind r1, the four top ones in r8, r10, r11, r4.

    The top word comes first: what it has above bit 255 is known before word 0 is written, but for
    what word 6 carries, at most 39, which stays there. r7: what is carried.
    """
    fold_top(w)
    for pair, (first, second) in enumerate(((None, None), (None, None), ("r8", "r10"))):
        if pair:
            w("movs", "r3", "#38")
        fold_pair(w, first, second)
    fold_word(w, "r11")


def fold_top(w: Writer) -> None:
    """r12 = the top word, lowered; r7: what it carries to word 0."""
    w("movs", "r2", "#0")
    w("movs", "r3", "#38")
    halves(w, "r4", "r6", "r5")
    w("ldr", "r4", "[r1, #28]")
    w("lsls", "r7", "r5", "#16")
    w("lsrs", "r5", "r5", "#16")
    for part in ("r6", "r7"):
        w("adds", "r4", "r4", part)
        w("adcs", "r5", "r2")
    w.note("what lies above bit 255, 19 times, is carried into word 0")
    w("lsls", "r7", "r5", "#1")
    w("lsrs", "r6", "r4", "#31")
    w("orrs", "r7", "r6")
    w("movs", "r6", "#19")
    w("muls", "r7", "r6", "r7")
    w("lsls", "r4", "r4", "#1")
    w("lsrs", "r4", "r4", "#1")
    w("mov", "r12", "r4")


def fold_word(w: Writer, high: str | None) -> None:
    """The last two words."""
    w.note("word 6, and what it carries into word 7")
    w("movs", "r3", "#38")
    high_word(w, "r4", high, 32)
    halves(w, "r4", "r5", "r4")
    w("adds", "r5", "r5", "r7")
    w("ldr", "r2", "[r1]")
    w("lsrs", "r3", "r4", "#16")
    w("lsls", "r4", "r4", "#16")
    w("movs", "r6", "#0")
    w("adds", "r2", "r2", "r5")
    w("adcs", "r3", "r6")
    w("adds", "r2", "r2", "r4")
    w("mov", "r4", "r12")
    w("adcs", "r3", "r4")
    w("stm", "r0!", "{r2, r3}")


def fold_pair(w: Writer, first: str | None, second: str | None) -> None:
    """Two words: 38 times a word is 38 times each half.

    Those of low halves and what was carried are added in one chain, those of high halves in a
    second.
    """
    high_word(w, "r4", first, 32)
    halves(w, "r4", "r5", "r4")
    w("adds", "r5", "r5", "r7")
    high_word(w, "r6", second, 36)
    halves(w, "r6", "r7", "r6")
    w("lsrs", "r2", "r4", "#16")
    w("adds", "r7", "r7", "r2")
    w("lsls", "r4", "r4", "#16")
    w("ldm", "r1!", "{r2, r3}")
    w("adds", "r2", "r2", "r5")
    w("adcs", "r3", "r7")
    w("movs", "r7", "#0")
    w("adcs", "r7", "r7")
    w("lsls", "r5", "r6", "#16")
    w("lsrs", "r6", "r6", "#16")
    w("adds", "r2", "r2", "r4")
    w("adcs", "r3", "r5")
    w("adcs", "r7", "r6")
    w("stm", "r0!", "{r2, r3}")


def high_word(w: Writer, name: str, waits: str | None, offset: int) -> None:
    """The register = a word that waits in another, or stands behind r1."""
    if waits:
        w("mov", name, waits)
    else:
        w("ldr", name, f"[r1, #{offset}]")


def halves(w: Writer, word: str, low: str, high: str) -> None:
    """low, high = r3 times the halves of a word; one of them may be its register: the last."""
    w("uxth", low, word)
    w("lsrs", high, word, "#16")
    w("muls", low, "r3", low)
    w("muls", high, "r3", high)


def add(w: Writer) -> None:
    """r0 = r1 + r2, below 2^255 + 2^6: what lies above bit 255 comes down as 19 each."""
    chain(w, "adds", "adcs")
    w("movs", "r1", "#0")
    w("adcs", "r1", "r1")
    w("adds", "r1", "r1", "r1")
    w("lsrs", "r2", "r7", "#31")
    w("adds", "r1", "r1", "r2")
    w("lsls", "r7", "r7", "#1")
    w("lsrs", "r7", "r7", "#1")
    lower(w, "adds", "adcs")


def sub(w: Writer) -> None:
    """r0 = r1 - r2, below 2^256.

    Bits above 255 and what was borrowed are v 2^255, v from -2 to 1: 19 (v - 1) is added below
    2^255 and bit 255 set, so that nothing is borrowed above.
    """
    chain(w, "subs", "sbcs")
    w("sbcs", "r1", "r1")
    w("lsls", "r1", "r1", "#1")
    w("mvns", "r1", "r1")
    w("adds", "r1", "#2")
    w("lsrs", "r2", "r7", "#31")
    w("subs", "r1", "r1", "r2")
    w("movs", "r2", "#1")
    w("lsls", "r2", "r2", "#31")
    w("orrs", "r7", "r2")
    lower(w, "subs", "sbcs")


def lower(w: Writer, first: str, others: str) -> None:
    """r0 = the words of :func:`chain`, and 19 r1 from word 0 on; and returns."""
    w("movs", "r2", "#19")
    w("muls", "r1", "r2", "r1")
    for index, high in enumerate(WAITING):
        w("mov", "r2", high)
        each(w, first, others, "r2", "r1", begins=index == 0)
        w("stm", "r0!", "{r2}")
        if index == 0:
            w("movs", "r1", "#0")
    for name in TOP:
        w(others, name, "r1")
    w("stm", "r0!", "{r3-r7}")
    w("bx", "lr")


def small(w: Writer) -> None:
    """r0 = r1 times the word at r2, which is 2^16 + b, b at most 65024; below 2^255 + 2^241.

    x b by halves of x, and x at the next half of a word; as in :func:`fold`, the top word first.
    """
    w("ldrh", "r2", "[r2]")
    w("ldr", "r4", "[r1, #28]")
    times_small(w)
    w("adds", "r4", "r4", "r7")
    w("movs", "r3", "#0")
    w("adcs", "r5", "r3")
    w("lsls", "r3", "r5", "#1")
    w("lsrs", "r5", "r4", "#31")
    w("adds", "r3", "r3", "r5")
    w("movs", "r5", "#19")
    w("muls", "r3", "r5", "r3")
    w("lsls", "r4", "r4", "#1")
    w("lsrs", "r4", "r4", "#1")
    w("mov", "r12", "r4")
    for _ in range(7):
        w("ldm", "r1!", "{r4}")
        times_small(w)
        w("adds", "r4", "r4", "r3")
        w("adds", "r4", "r4", "r7")
        w("movs", "r3", "#0")
        w("adcs", "r3", "r5")
        w("stm", "r0!", "{r4}")
    w("mov", "r4", "r12")
    w("adds", "r4", "r4", "r3")
    w("stm", "r0!", "{r4}")
    w("bx", "lr")


def times_small(w: Writer) -> None:
    """Of the product of the word r4: r4 + r7 + 2^32 r5. With b as it is, r4 takes 2^25 more."""
    w("lsrs", "r5", "r4", "#16")
    w("uxth", "r4", "r4")
    w("movs", "r6", "r5")
    w("muls", "r6", "r2", "r6")
    w("adds", "r6", "r6", "r4")
    w("muls", "r4", "r2", "r4")
    w("lsls", "r7", "r6", "#16")
    w("lsrs", "r6", "r6", "#16")
    w("adds", "r5", "r5", "r6")


def select(w: Writer) -> None:
    """r0 = r2 where the mask r3 is all ones, else r1."""
    for _ in range(4):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r2!", "{r6, r7}")
        for name, other in (("r4", "r6"), ("r5", "r7")):
            w("eors", other, name)
            w("ands", other, "r3")
            w("eors", name, other)
        w("stm", "r0!", "{r4, r5}")
    w("bx", "lr")


def xz_step(w: Writer, saved: dict[str, int] | None = None) -> None:
    """A step of the ladder as calls; r0: registers, r1: where its points change places before.

    The exchange is a choice of what is doubled: armv7em/formulas.py. `saved`: products and squares
    are of one function, cycles by which a square takes less.
    """
    enter(w)
    w("push", "{r1}")
    here = 0
    for step in swapped([lower_case(step) for step in read("xz_step")]):
        for name, place in (("r1", step.a), ("r2", step.b)):
            if name == "r1" or step.op != "sqr":
                w("movs", name, "r0")
                moved(w, name, place - here)
        moved(w, "r0", step.d - here)
        here = step.d + 1  # each leaves r0 behind its result
        if step.op == "select":
            w("ldr", "r3", "[sp]")
        if saved and step.op == "sqr":
            w("movs", "r2", "r1")
            w.cycles = {core: count - saved[core] for core, count in w.cycles.items()}
        w("bl", f"ecfit_p25519_{'both' if saved and step.op in ('mul', 'sqr') else step.op}")
    w("add", "sp", "#4")
    leave(w)


def moved(w: Writer, name: str, elements: int) -> None:
    """A pointer some elements further."""
    if elements:
        w("adds" if elements > 0 else "subs", name, f"#{SIZE * abs(elements)}")


def lower_case(step: Step) -> Step:
    """The step with the name of its routine."""
    op = step.op.lower()
    return step._replace(op="sqr" if op == "mul" and step.a == step.b else op)
