"""Products and Montgomery's reduction of any even length on RV32IM, four words of a factor at a
time in registers, the words of the other one by one in a loop.

With a word b of the other goes a word of the sum, and the four words above it stand in registers:
each product's low word is one column lower than its high word, so that the four are in their
places for the next b. Behind the last two words of a factor, if its length is not a multiple of 4,
zeros make up four.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.rv32im.code import Code, at, enter, leave

A = ("s0", "s1", "s2", "s3")  # four words of the factor
W = ("s4", "s5", "s6", "s7")  # four words of the sum
WORD, LOW, HIGH, CARRY, SUM = "t0", "t1", "t2", "t3", "t4"
KEPT = (*A, *W)
ENTRY_WORDS = 16
RESULT, ENTRY, LEFT, END = "a0", "a1", "a2", "a3"  # LEFT: how far to the one that is wanted
SOME, MASK = ("a4", "a5", "s0"), "s1"
SUMS = ("a6", "a7", *(f"t{k}" for k in range(7)), *(f"s{k}" for k in range(2, 9)))
LOOKING = tuple(f"s{k}" for k in range(9))


def step(c: Code) -> None:
    """SUM + W + A WORD: its lowest word to SUM, the others to W."""
    carry = ""
    for k in range(4):
        c("mul", LOW, A[k], WORD)
        c("mulhu", HIGH, A[k], WORD)
        if carry:
            c.add(LOW, carry, carry)
            c("add", HIGH, HIGH, carry)
        c.note(f"word {k}")
        if k == 0:
            c.add(SUM, LOW, LOW)
            c("add", HIGH, HIGH, LOW)
            c.add(SUM, W[0], LOW)
            c("add", CARRY, HIGH, LOW)
        else:
            c("add", W[k - 1], W[k], LOW)
            c("sltu", LOW, W[k - 1], LOW)
            c("add", CARRY if k < 3 else W[3], HIGH, LOW)
        carry = CARRY


def loop(c: Code, label: str, other: str, t: str, end: str) -> None:
    """t += A other, word by word up to `end`; what is above goes to W."""
    for word in W:
        c("li", word, 0)
    c.label(label)
    c("lw", WORD, at(other, 0))
    c("lw", SUM, at(t, 0))
    c("addi", other, other, 4)
    step(c)
    c("sw", SUM, at(t, 0))
    c("addi", t, t, 4)
    c("bne", other, end, f"{label}b")


def mul(c: Code) -> None:
    """t = a b: a0 = t, a1 = a, a2 = b, a3 = n."""
    enter(c, 0, KEPT)
    c("slli", "a3", "a3", 2)
    c("add", "a4", "a1", "a3")  # where a ends
    c("add", "a5", "a2", "a3")  # where b ends
    c("add", "t0", "a0", "a3")
    c.note("the low half of t begins at 0")
    c("mv", "t1", "a0")
    c.label("1")
    c("sw", "zero", at("t1", 0))
    c("sw", "zero", at("t1", 1))
    c("addi", "t1", "t1", 8)
    c("bne", "t1", "t0", "1b")
    c.label("2")
    c.note("four words of a, or two")
    c("lw", A[0], at("a1", 0))
    c("lw", A[1], at("a1", 1))
    c("li", A[2], 0)
    c("li", A[3], 0)
    c("addi", "a6", "a1", 8)
    c("beq", "a6", "a4", "3f")
    c("lw", A[2], at("a1", 2))
    c("lw", A[3], at("a1", 3))
    c.label("3")
    c("mv", "a6", "a2")
    c("mv", "a7", "a0")
    loop(c, "4", "a6", "a7", "a5")
    c("addi", "a1", "a1", 8)
    c("sw", W[0], at("a7", 0))
    c("sw", W[1], at("a7", 1))
    c("beq", "a1", "a4", "5f")
    c("sw", W[2], at("a7", 2))
    c("sw", W[3], at("a7", 3))
    c("addi", "a1", "a1", 8)
    c("addi", "a0", "a0", 16)
    c("bne", "a1", "a4", "2b")
    c.label("5")
    leave(c, 0, KEPT)


def add_digits(c: Code, words: Sequence[str], digit: str, modulus: Sequence[str]) -> None:
    """words += digit modulus; what is carried out does not count, nor what stays in the first."""
    for k, (word, other) in enumerate(zip(words, modulus, strict=True)):
        last = k == len(words) - 1
        c("mul", LOW, digit, other)
        if not last:
            c("mulhu", HIGH, digit, other)
        if k:
            if last:
                c("add", word, word, CARRY)
            else:
                c.add(LOW, CARRY, CARRY)
                c("add", HIGH, HIGH, CARRY)
        if last:
            c("add", word, word, LOW)
        else:
            c.add(word, LOW, LOW)
            c("add", CARRY, HIGH, LOW)


def redc(c: Code) -> None:
    """a0 = t, a1 = m, a2 = -1/m modulo B, a3 = n: four digits of the quotient at once, which
    follow from four words of t and of m; then they times m are added.
    """
    t, m, inverse, end, carry = "a0", "a1", "a2", "a3", "a4"
    low, modulus = W, ("t4", "t5", "t6", "a6")
    enter(c, 0, KEPT)
    c("mv", "a5", end)  # digits that are left
    c("slli", end, end, 2)
    c("add", end, end, m)
    c("li", carry, 0)
    c.label("1")
    c.load(low, t)
    c.load(modulus, m)
    for k in range(4):
        c.note(f"digit {k}")
        c("mul", A[k], low[k], inverse)
        if k < 3:
            add_digits(c, low[k:], A[k], modulus[: 4 - k])
    c("li", LOW, 2)
    c("bne", "a5", LOW, "2f")
    c("li", A[2], 0)
    c("li", A[3], 0)
    c.label("2")
    c("mv", "a6", m)
    c("mv", "a7", t)
    loop(c, "3", "a6", "a7", end)
    c.note("the words above, and the carry")
    for k in range(4):
        if k == 2:
            c("addi", "a5", "a5", -2)
            c("beqz", "a5", "4f")
        c("lw", SUM, at("a7", k))
        c.add(SUM, carry, carry)
        c.add(SUM, W[k], LOW)
        c("add", carry, carry, LOW)
        c("sw", SUM, at("a7", k))
    c("addi", t, t, 16)
    c("addi", "a5", "a5", -2)
    c("bnez", "a5", "1b")
    c.label("4")
    c("mv", "a0", carry)
    leave(c, 0, KEPT)


def look_up(c: Code) -> None:
    """a0 = result, a1 = table, a2 = index, a3 = count, entries of 16 words: all are read.

    An entry is masked where it is not the one, and all are put together. Each word takes a load, an
    AND and an OR. Sums stand in registers that narrow encodings do not reach, all others in those
    that they do.
    """
    enter(c, 0, LOOKING)
    c("slli", END, END, 6)
    c("add", END, END, ENTRY)
    for name in SUMS:
        c("li", name, 0)
    c.label("1")
    c("seqz", MASK, LEFT)
    c("neg", MASK, MASK)
    c("addi", LEFT, LEFT, -1)
    for first in range(0, ENTRY_WORDS, len(SOME)):
        some = list(zip(SUMS[first : first + len(SOME)], SOME, strict=False))
        for k, (_, word) in enumerate(some):
            c("lw", word, at(ENTRY, first + k))
        for _, word in some:
            c("and", word, word, MASK)
        for name, word in some:
            c("or", name, name, word)
    c("addi", ENTRY, ENTRY, 4 * ENTRY_WORDS)
    c("bne", ENTRY, END, "1b")
    c.store(SUMS, RESULT)
    leave(c, 0, LOOKING)
