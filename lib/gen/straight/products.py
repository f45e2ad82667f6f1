"""Columns of products and squares by strips, on cores with UMAAL.

A strip is some words of one factor, which stay in registers while the words of the other pass by:
a row is one UMAAL for each word of the strip, a load and a store. Five words are the most that 14
registers allow: 1.6 cycles a product of words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gen.straight.program import Program

Column = Callable[[int, str], None]
"""Takes column k, whose value is complete: columns come in their order, the lowest first."""
Spare = Callable[[int], str]
"""A word that column k takes for nothing, where else a 0 is added; it is overwritten."""


def product(  # noqa: PLR0917 - what a product is made of
    p: Program,
    a: Sequence[str],
    b: Sequence[str],
    widths: Sequence[int],
    column: Column,
    spare: Spare | None = None,
) -> None:
    """The columns of a b by strips of so many words of b. UMAAL adds a word of the row before and
    the carry of its own, so that no column overflows. Where a strip begins there is no such word,
    nor a carry in the rows of the first: the lower half takes 2 n words more.
    """
    n, j0 = len(a), 0
    part: dict[int, str] = {}  # what earlier strips left, by column
    for width in widths:
        last = j0 + width == n
        current: dict[int, str] = {}
        for i in range(n):
            carry = part.pop(i + j0, None)
            for j in range(j0, j0 + width):
                k = i + j
                c = current.get(k)
                if c is None and carry is None:
                    current[k], carry = p.umull(a[i], b[j])
                    continue
                if c is None:
                    assert carry is not None
                    c, carry = carry, spare(k) if spare else p.number(0)
                elif carry is None:
                    carry = spare(k) if spare else p.number(0)
                p.umaal(c, carry, a[i], b[j])
                current[k] = c
            assert carry is not None
            current[i + j0 + width] = carry
            done = i + j0
            value = current.pop(done)
            if i + 1 < n:
                p.touch(a[i + 1], *([part[done + 1]] if done + 1 in part else []))
            if last or done < j0 + width:
                column(done, value)
            else:
                part[done] = value
                p.spill(value)
        for k, value in sorted(current.items()):
            if last:
                column(k, value)
            else:
                part[k] = value
        j0 += width


def square(  # noqa: PLR0912, PLR0915 - one pass, in which the flags decide the order
    p: Program,
    a: Sequence[str],
    widths: Sequence[int],
    column: Column,
    pause: Callable[[], None] | None = None,
) -> None:
    """The columns of a^2 by strips of words that are doubled on the way, d_i = 2 a_i + the bit from
    below. The bit that doubling loses at the top of a_i concerns a_(i+1) alone, which column
    2 i + 2 begins with, under a mask.

    Doubling goes by the flags. So columns come only where none is under way, and `pause` is called
    before a strip ends it: no flag outlives that.
    """
    n, j0, final = len(a), 0, 0
    part: dict[int, str] = {}
    waiting: dict[int, str] = {}
    start: str | None = None  # what column 2 i begins with

    def flush() -> None:
        nonlocal final
        while final in waiting:
            column(final, waiting.pop(final))
            final += 1

    for width in widths:
        current: dict[int, str] = {}
        twice: dict[int, str] = {}
        end = j0 + width
        for i in range(j0, n):
            carry = part.pop(i + j0, None)
            strip = range(j0, min(i, end))
            for j in strip:
                c = current.get(i + j)
                if carry is None:
                    carry = p.number(0)
                if c is None:
                    c, carry = carry, p.number(0)
                p.umaal(c, carry, a[i], twice[j])
                current[i + j] = c
            top = i + strip[-1] + 1 if strip else 2 * i
            if i < end:
                if start is None and carry is None:
                    current[2 * i], carry = p.umull(a[i], a[i])
                else:
                    current[2 * i] = start or p.number(0)
                    carry = carry or p.number(0)
                    p.umaal(current[2 * i], carry, a[i], a[i])
                start, top = None, 2 * i + 1
            assert top not in current and carry is not None
            current[top] = carry
            done = i + j0
            value = current.pop(done)
            ready = done < 2 * end or end == n
            if i < end:
                if i + 1 < n:
                    start = p.made("and", a[i + 1], a[i], "asr #31")
                if i == j0 and i:
                    p.flags("cmn", a[i - 1], a[i - 1])
                if i < n - 1:
                    twice[i] = p.made("adcs" if i else "adds", a[i], a[i])
            if i + 1 < n:
                p.touch(a[i + 1], *([part[done + 1]] if done + 1 in part else []))
            (waiting if ready else part)[done] = value
            p.spill(value)
            if i >= end - 1:
                flush()
        for k, value in sorted(current.items()):
            assert k not in part
            (waiting if k < 2 * end or end == n else part)[k] = value
        j0 = end
        flush()
        if end < n and pause:
            pause()
