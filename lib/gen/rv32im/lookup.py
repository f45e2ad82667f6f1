"""Look-ups of 16 words at once on RV32IM, in constant time: all entries are read.

An entry is masked where it is not the one, and all are put together. Each word takes a load, an AND
and an OR. Sums stand in registers that narrow encodings do not reach, all others in those that
they do.
"""

from __future__ import annotations

from gen.rv32im.code import Code, at, enter, leave

WORDS = 16
RESULT, ENTRY, LEFT, END = "a0", "a1", "a2", "a3"  # LEFT: how far to the one that is wanted
WORD, MASK = ("a4", "a5", "s0"), "s1"
SUMS = ("a6", "a7", *(f"t{k}" for k in range(7)), *(f"s{k}" for k in range(2, 9)))
KEPT = tuple(f"s{k}" for k in range(9))


def look_up(c: Code) -> None:
    """a0 = result, a1 = table, a2 = index, a3 = count."""
    enter(c, 0, KEPT)
    c("slli", END, END, 6)
    c("add", END, END, ENTRY)
    for name in SUMS:
        c("li", name, 0)
    c.label("1")
    c("seqz", MASK, LEFT)
    c("neg", MASK, MASK)
    c("addi", LEFT, LEFT, -1)
    for first in range(0, WORDS, len(WORD)):
        some = list(zip(SUMS[first : first + len(WORD)], WORD, strict=False))
        for k, (_, word) in enumerate(some):
            c("lw", word, at(ENTRY, first + k))
        for _, word in some:
            c("and", word, word, MASK)
        for name, word in some:
            c("or", name, name, word)
    c("addi", ENTRY, ENTRY, 4 * WORDS)
    c("bne", ENTRY, END, "1b")
    c.store(SUMS, RESULT)
    leave(c, 0, KEPT)
