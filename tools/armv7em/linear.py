"""Sums and differences of 256 bits on the Cortex-M4: r0 = result, r1 = a, r2 = b; nothing is kept
but r0 and sp.
"""

from __future__ import annotations

from collections.abc import Iterator

from armv7em.code import Code, r, several

A8 = tuple(r(k) for k in range(3, 11))  # eight words of a


def words_of_b(c: Code, some: tuple[str, ...] = ("r1", "r11", "r12")) -> Iterator[tuple[int, str]]:
    """Loads b where r2 points, a few words at a time: their numbers and registers. r2 points behind
    b afterwards.
    """
    for start in range(0, 8, len(some)):
        words = some[: 8 - start]
        c("ldm", "r2!", several(words))
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
