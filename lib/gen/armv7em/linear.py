"""Sums and differences of 256 bits on the Cortex-M4: r0 = result, r1 = a, r2 = b; nothing is kept
but r0 and sp.
"""

from __future__ import annotations

from collections.abc import Iterator

from gen.armv7em.code import Code, r, several

A8 = tuple(r(k) for k in range(3, 11))  # eight words of a


def words_of_b(
    c: Code, some: tuple[str, ...] = ("r1", "r11", "r12"), pointer: str = "r2"
) -> Iterator[tuple[int, str]]:
    """Loads b where the pointer is, a few words at a time: their numbers and registers.

    The pointer is behind b afterwards.
    """
    for start in range(0, 8, len(some)):
        words = some[: 8 - start]
        c("ldm", f"{pointer}!", several(words))
        for j, word in enumerate(words):
            yield start + j, word


def each_word_of_b(c: Code, first: str, others: str) -> None:
    """A8 = A8 op b through r1, r11, r12."""
    for k, word in words_of_b(c):
        c(others if k else first, A8[k], A8[k], word)


def finish(c: Code) -> None:
    """Stores A8 where r0 points, and returns."""
    c("stm", "r0", several(A8))
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


KEPT = tuple(r(k) for k in range(4, 12))  # eight words in functions for C
FREE = ("r1", "r12", "lr")


def modular(c: Code, *, add: bool) -> None:
    """a + b or a - b modulo m, eight words each behind r1, r2, r3; the result where r0 points.

    A difference gets m back where it borrowed; of a sum m is taken away, and comes back where that
    borrowed more than was carried.
    """
    c("push", several((*KEPT, "lr")))
    c("ldm", "r1", several(KEPT))
    for k, word in words_of_b(c, FREE):
        c(("adcs" if k else "adds") if add else "sbcs" if k else "subs", KEPT[k], KEPT[k], word)
    c("sbc", "r2", "r2", "r2")
    if add:
        for k, word in words_of_b(c, FREE, "r3"):
            c("sbcs" if k else "subs", KEPT[k], KEPT[k], word)
        c("sbc", "r1", "r1", "r1")
        c("and", "r2", "r2", "r1")
        c("sub", "r3", "r3", "#32")
    add_masked(c)


def add_masked(c: Code) -> None:
    """KEPT + (m & r2), m behind r3, goes where r0 points; the end of a function."""
    for k, word in words_of_b(c, FREE, "r3"):
        c("and", word, word, "r2")
        c("adcs" if k else "adds", KEPT[k], KEPT[k], word)
    c("stm", "r0", several(KEPT))
    c("pop", several((*KEPT, "pc")))
