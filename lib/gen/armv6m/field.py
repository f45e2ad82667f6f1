"""Sums, differences and reductions modulo the primes of curves for ARMv6-M, without loops, and
Montgomery's reduction modulo any odd m, by rows without a loop over their words: a row is a digit
of the quotient times m.

The lowest words of t are in the frame, each row one word lower, and so is m: words of both are
where an instruction says, and a row of n words begins at the last n of 18.
"""

from __future__ import annotations

from gen.armv6m.writer import BRANCHES, CORES, Writer, each


def pairs_of_words(n: int) -> list[bool]:
    """Whether a pair of words is the first, for each pair of n words."""
    return [index == 0 for index in range(n // 2)]


def mod_add(w: Writer, n: int) -> None:
    """r0 = r1 + r2 mod r3, all of n words, the operands below the modulus."""
    w("push", "{r4-r7, lr}")
    for first in pairs_of_words(n):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r2!", "{r6, r7}")
        each(w, "adds", "adcs", "r4", "r6", begins=first)
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
        each(w, "subs", "sbcs", "r4", "r6", begins=first)
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
        each(w, "subs", "sbcs", "r4", "r6", begins=first)
        w("sbcs", "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
    w("pop", "{r4-r7, pc}")


def mod_sub(w: Writer, n: int) -> None:
    """r0 = r1 - r2 mod r3, likewise."""
    w("push", "{r4-r7, lr}")
    for first in pairs_of_words(n):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r2!", "{r6, r7}")
        each(w, "subs", "sbcs", "r4", "r6", begins=first)
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
        each(w, "adds", "adcs", "r4", "r6", begins=first)
        w("adcs", "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
    w("pop", "{r4-r7, pc}")


def finish(w: Writer, n: int, minus: dict[int, str], plain: str) -> None:
    """r, n words at r12, plus r7 2^(32 n), less the modulus where that is not negative.

    in: below twice the modulus. `plain`: what most of its words are, "0" or "-1";
    `minus`: the others. Constants come to r2.
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
        each(w, "subs", "sbcs", "r4", names.get(value, "r2"), begins=index == 0)
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
        each(w, "subs", "sbcs", "r4", name, begins=index == 0)
        w("stm", "r1!", "{r4}")


def constant(w: Writer, value: str) -> None:
    """r2 = a negative number, and C stays; a number below -256 is what lr holds."""
    number = -int(value)
    if number > 256:
        w("mov", "r2", "lr")
    else:
        w("movs", "r2", f"#{number - 1}")
        w("mvns", "r2", "r2")


def redc_secp384r1(w: Writer) -> None:
    """Column k of the quotient m: t[k] + m[k-1] - m[k-3] - m[k-4], the digit itself.

    Column k of the result: t[k+12] + m[k] and what columns 12 to 15 have of the sum above.
    r1: t, whose lower half becomes m; r2, r3: what is carried from column to column,
    and its sign; r0 = 0.
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
        each(w, "adds", "adcs", "r4", carry if k == 16 else sign, begins=k == 16)
        w("str", "r4", f"[r1, #{4 * k}]")
    w("adcs", sign, "r0")
    for k in range(16, 24):
        w("ldr", "r4", f"[r1, #{4 * k}]")
        w("ldr", "r5", f"[r1, #{4 * (k - 12)}]")
        each(w, "adds", "adcs", "r4", "r5", begins=k == 16)
        w("stm", "r7!", "{r4}")
    w("movs", "r7", sign)
    w("adcs", "r7", "r0")
    finish(w, 12, {1: "0", 2: "0", 4: "-2"}, "-1")
    w("pop", "{r4-r7, pc}")


def redc_secp256k1(w: Writer) -> None:
    """p is 2^256 - c, c = 2^32 + 977: the digit m of column k is x/977 modulo 2^32,
    x = t[k] - carry. The carry of the next column is m, the high word of 977 m, and what x
    borrowed; in the end it is below c, so that -p comes on top as c less the carry.

    r1: t, whose lower half becomes m; r2: 1/977; r3: 977; r6, r7: the carry, two words.
    """
    w("push", "{r4-r7, lr}")
    w("mov", "r12", "r0")
    w("ldr", "r2", "=0xd2253531")
    w("ldr", "r3", "=977")
    w("movs", "r6", "#0")
    w("movs", "r7", "#0")
    w("movs", "r0", "#2")
    w.note("four digits a turn")
    w.label("1")
    before = dict(w.cycles)
    for _ in range(4):
        digit_secp256k1(w)
    w("subs", "r0", "#1")
    w("bne", "1b")
    for core, cycles in before.items():  # the other turn, and the branch back
        w.cycles[core] += w.cycles[core] - cycles + BRANCHES[core][0] - 1
    w.note("r6, r0: c less the carry; upper half of t and the quotient on top")
    w("subs", "r6", "r3", "r6")
    w("movs", "r0", "#1")
    w("sbcs", "r0", "r7")
    sums = ("r2", "r3", "r4", "r5")
    for start in (0, 4):
        w("ldm", "r1!", "{r2-r5}")
        w("movs", "r7", "#0")
        carried = ("r6", "r0" if start == 0 else "r7", "r7", "r7")
        for index, (name, word) in enumerate(zip(sums, carried, strict=True)):
            each(w, "adds", "adcs", name, word, begins=index == 0)
        w("movs", "r6", "#0")
        w("adcs", "r6", "r6")
        if start == 0:
            w("mov", "r0", "r1")
            w("subs", "r0", "#48")
        for index, name in enumerate(sums):
            w("ldr", "r7", f"[r0, #{4 * (start + index)}]")
            each(w, "adds", "adcs", name, "r7", begins=index == 0)
        w("movs", "r7", "#0")
        w("adcs", "r6", "r7")
        if start == 0:
            w("push", "{r2-r5}")
    w.note("less c where that is negative")
    w("subs", "r6", "r6", "#1")
    w("ldr", "r7", "=977")
    w("ands", "r7", "r6")
    w("lsrs", "r6", "r6", "#31")
    w("mov", "r0", "r12")
    for index in range(4):
        w("pop", "{r1}")
        each(w, "subs", "sbcs", "r1", ("r7", "r6", "r7", "r7")[index], begins=index == 0)
        if index == 1:
            w("movs", "r7", "#0")
        w("stm", "r0!", "{r1}")
    for name in sums:
        w("sbcs", name, "r7")
    w("stm", "r0!", "{r2-r5}")
    w("pop", "{r4-r7, pc}")


def digit_secp256k1(w: Writer) -> None:
    """The digit of a column, in place of it, and the next carry."""
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


MOST = 18  # words
WINDOW, MODULUS = 4, 4 + 4 * MOST  # in the frame; a word is stored 4 bytes below its place
INVERSE, ENTRY, TOP, END = (MODULUS + 4 * MOST + 4 * k for k in range(4))
FRAME = END + 4
LENGTHS = (8, 12, 16, 18)  # whose cost a banner says


def redc_of_any(w: Writer, n: int = 8) -> None:
    """r0 = t, r1 = m, r2 = -1/m modulo 2^32, r3 = n; returns the carry. `n`: that of the cycles."""
    w("push", "{r4-r7, lr}")
    window_filled(w, n)
    rows_of_any(w, n)
    window_emptied(w, n)
    w("movs", "r0", "r5")
    w("add", "sp", f"#{FRAME}")
    w("pop", "{r4-r7, pc}")


def window_filled(w: Writer, n: int) -> None:
    """The low words of t, and m, to the frame; r0: the word that comes in, lr: where word 0 is."""
    w("sub", "sp", f"#{FRAME}")
    w("str", "r2", f"[sp, #{INVERSE}]")
    w("lsls", "r3", "r3", "#2")
    w("mov", "r12", "r3")
    w("movs", "r4", f"#{4 * MOST}")
    w("subs", "r4", "r4", "r3")
    w.note("r2: where word 0 is; where its code is: 12 times as far as its place")
    w("mov", "r2", "sp")
    w("adds", "r2", "r2", "r4")
    w("adds", "r2", f"#{WINDOW}")
    w("mov", "lr", "r2")
    w("lsls", "r5", "r4", "#3")
    w("lsls", "r4", "r4", "#2")
    w("adds", "r5", "r5", "r4")
    w("adr", "r4", "8f")
    w("adds", "r4", "r4", "r5")
    w("adds", "r4", "#1")
    w("str", "r4", f"[sp, #{ENTRY}]")
    w("adds", "r3", "r0", "r3")
    turn = loop(w, "1")
    w("ldm", "r0!", "{r4, r5}")
    w("ldm", "r1!", "{r6, r7}")
    w("str", "r6", f"[r2, #{4 * MOST}]")
    w("str", "r7", f"[r2, #{4 * MOST + 4}]")
    w("stm", "r2!", "{r4, r5}")
    w("cmp", "r0", "r3")
    again(w, "1", turn, n // 2)
    w.note("where the last word ends, and what is carried")
    w("add", "r3", "r12")
    w("str", "r3", f"[sp, #{END}]")
    w("movs", "r7", "#0")
    w("str", "r7", f"[sp, #{TOP}]")


def rows_of_any(w: Writer, n: int) -> None:
    """All rows; r0: behind t, r5: what is carried."""
    turn = loop(w, "2")
    w("mov", "r12", "r0")
    w("mov", "r0", "lr")
    w("ldr", "r2", "[r0]")
    w("ldr", "r0", f"[sp, #{INVERSE}]")
    w("muls", "r2", "r0", "r2")
    w("lsrs", "r3", "r2", "#16")
    w("uxth", "r2", "r2")
    w("movs", "r1", "#0")
    w("ldr", "r0", f"[sp, #{ENTRY}]")
    w("bx", "r0")
    w.lines.append("    .balign 4")
    w.label("8")
    for k in range(MOST):
        before = dict(w.cycles)
        redc_word(w, k)
        if k < MOST - n:
            w.cycles = before
    w("mov", "r0", "r12")
    w("ldm", "r0!", "{r4}")
    w("movs", "r5", "#0")
    w("adds", "r4", "r4", "r1")
    w("adcs", "r5", "r5")
    w("ldr", "r6", f"[sp, #{TOP}]")
    w("movs", "r1", "#0")
    w("adds", "r4", "r4", "r6")
    w("adcs", "r5", "r1")
    w("str", "r4", f"[sp, #{WINDOW + 4 * MOST - 4}]")
    w("str", "r5", f"[sp, #{TOP}]")
    w("ldr", "r7", f"[sp, #{END}]")
    w("cmp", "r0", "r7")
    w.taken("beq", "3f")
    last = {core: count - turn[core] for core, count in w.cycles.items()}
    for core in CORES:  # a branch that is not taken, and one that is
        w.cycles[core] += (n - 1) * (last[core] + 1)
    w.skipped("b", "2b")
    w.label("3")


def window_emptied(w: Writer, n: int) -> None:
    """Its words to the upper half of t, the lower one is 0; r5 stays."""
    w("movs", "r6", "#0")
    w("add", "r3", "sp", f"#{WINDOW + 4 * MOST}")
    w("mov", "r2", "lr")
    w("subs", "r1", "r3", "r2")
    w("subs", "r0", "r0", "r1")
    w("subs", "r1", "r0", "r1")
    turn = loop(w, "4")
    w("ldm", "r2!", "{r4, r7}")
    w("stm", "r0!", "{r4, r7}")
    w("str", "r6", "[r1]")
    w("str", "r6", "[r1, #4]")
    w("adds", "r1", "#8")
    w("cmp", "r2", "r3")
    again(w, "4", turn, n // 2)


def mod_once(w: Writer, n: int) -> None:
    """r0 = r1 + r2 2^(32 n) - r3, if that is not negative, else r1, n words each."""
    w("push", "{r4-r7, lr}")
    w("mov", "r12", "r1")
    for k in range(n // 2):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r3!", "{r6, r7}")
        each(w, "subs", "sbcs", "r4", "r6", begins=k == 0)
        w("sbcs", "r5", "r7")
    w.note("r2: all ones where m is to be subtracted")
    w("movs", "r4", "#0")
    w("sbcs", "r2", "r4")
    w("mvns", "r2", "r2")
    w("asrs", "r2", "r2", "#31")
    w("mov", "r1", "r12")
    w("subs", "r3", f"#{4 * n}")
    for k in range(n // 2):
        w("ldm", "r3!", "{r6, r7}")
        w("ands", "r6", "r2")
        w("ands", "r7", "r2")
        w("ldm", "r1!", "{r4, r5}")
        each(w, "subs", "sbcs", "r4", "r6", begins=k == 0)
        w("sbcs", "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
    w("pop", "{r4-r7, pc}")


def redc_word(w: Writer, k: int) -> None:
    """Word k of a row: r3:r2 times a word of m, what is carried, r1, and a word of t. The products
    in the middle are added one by one: nothing is carried beyond 64 bits.
    """
    w("ldr", "r5", f"[sp, #{MODULUS + 4 * k}]")
    w("lsrs", "r6", "r5", "#16")
    w("uxth", "r5", "r5")
    w("movs", "r7", "r5")
    w("muls", "r7", "r2", "r7")
    w("muls", "r5", "r3", "r5")
    w("movs", "r0", "r6")
    w("muls", "r0", "r2", "r0")
    w("muls", "r6", "r3", "r6")
    for middle in ("r5", "r0"):
        w("lsls", "r4", middle, "#16")
        w("lsrs", middle, middle, "#16")
        w("adds", "r7", "r7", "r4")
        w("adcs", "r6", middle)
    w("adds", "r7", "r7", "r1")
    w("movs", "r1", "#0")
    w("adcs", "r6", "r1")
    w("ldr", "r4", f"[sp, #{WINDOW + 4 * k}]")
    w("adds", "r7", "r7", "r4")
    w("adcs", "r1", "r6")
    w("str", "r7", f"[sp, #{WINDOW + 4 * k - 4}]")


def loop(w: Writer, label: str) -> dict[str, int]:
    """A loop begins."""
    w.label(label)
    return dict(w.cycles)


def again(w: Writer, label: str, before: dict[str, int], times: int) -> None:
    """Its end, and the cycles of all its turns."""
    w("adds", "r0", "r0", "#0")  # as the branch of the last turn
    w.lines[-1] = f"    bne     {label}b"
    for core in CORES:
        once = w.cycles[core] - before[core]
        w.cycles[core] += (times - 1) * (once + BRANCHES[core][0] - 1)
