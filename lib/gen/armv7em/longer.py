"""Products of 8, 12 and 16 words on the Cortex-M4, and Montgomery's reduction modulo any m of 8
words.

Functions for C: they keep r4 to r11, and the stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gen.armv7em.code import Code, at, several

KEPT = tuple(f"r{k}" for k in range(4, 12))  # r4 to r11
FOUR = KEPT[:4]  # words of a
COLUMNS = (*KEPT[4:], "r3")  # the four columns of a row and its carry, in turn
PAIR = ("r12", "lr")  # words of b


def mul(c: Code, n: int) -> None:
    """Where r0 points, 2n words: a b, n words each behind r1 and r2.

    Four words of a at a time, times all words of b, one by one: a row. Its lowest column is done
    with its first product and goes to the result; what was there comes into the next row as its
    first carry, where it is added for nothing.
    """
    c("push", several((*KEPT, "lr")))
    for block in range(0, n, 4):
        c.note(f"words {block} to {block + 3} of a")
        c("ldm", "r1!", several(FOUR))
        for j in range(n):
            row(c, block, j)
        for k in range(n, n + 4):
            c("str", COLUMNS[k % 5], at("r0", block + k))
        if block + 4 < n:
            c("sub", "r2", "r2", f"#{4 * n}")
    c("pop", several((*KEPT, "pc")))


def row(c: Code, block: int, j: int) -> None:
    """Word j of b times four of a."""
    columns, carry = [COLUMNS[(j + i) % 5] for i in range(4)], COLUMNS[(j + 4) % 5]
    if j % 2 == 0:
        c("ldm", "r2!", several(PAIR))
    word = PAIR[j % 2]
    if j == 0 and block:
        for i in range(4):
            c("ldr", columns[i], at("r0", block + i))
    if j == 0 and not block:
        c("umull", columns[0], carry, FOUR[0], word)
    else:
        if j < 4 or not block:
            c("mov", carry, "#0")
        else:
            c("ldr", carry, at("r0", block + j))
        c("umaal", columns[0], carry, FOUR[0], word)
    c("str", columns[0], at("r0", block + j))
    for i in range(1, 4):
        if j == 0 and not block:
            c("mov", columns[i], "#0")
        c("umaal", columns[i], carry, FOUR[i], word)


def words(c: Code, pointer: str, some: Sequence[str], count: int) -> Iterator[tuple[int, str]]:
    """Words behind a pointer, a few at a time: their numbers and registers."""
    for start in range(0, count, len(some)):
        group = some[: count - start]
        c("ldm", f"{pointer}!", several(group))
        for j, word in enumerate(group):
            yield start + j, word


def redc(c: Code) -> None:
    """Where r0 points: t/R modulo m, t behind r1, 16 words, lost; m behind r2, r3 = -1/m.

    Four digits of the quotient at a time: with the four low words of m, as each digit takes a
    column to 0, then with the others, word by word, as in a row of a product. The carry of the
    upper columns waits in the flag.
    """
    digits, m = ("r8", "r9", "r10", "r11"), FOUR
    window, free = ["r0", "r1", "r2", "r3"], "r12"
    c("push", several(("r0", "r1", "r2", "r3", *KEPT, "lr")))
    for start in (0, 4):
        c.note(f"digits {start} to {start + 3}")
        if start:
            c("ldr", window[0], at("sp", 1))
            c("ldr", "lr", at("sp", 2))
            c("add", window[0], window[0], f"#{4 * start}")
        else:
            c("mov", window[0], "r1")
            c("mov", "lr", "r2")
            c("mov", "r4", "r3")
            c("str", "r4", at("sp", 3))
        c("ldm", "lr", several(m))
        for i in (1, 2, 3, 0):
            c("ldr", window[i], at(window[0], i))
        c("ldr", "lr", at("sp", 3))
        for i in range(4):
            c("mul", digits[i], window[0], "lr")
            c("mov", free, "#0")
            for j in range(4):
                c("umaal", window[j], free, digits[i], m[j])
            window, free = [*window[1:], free], window[0]
        c("ldr", "r4", at("sp", 1))
        c("ldr", "r5", at("sp", 2))
        others = ("r5", "r6", "r7", "lr")
        c("add", "r5", "r5", "#16")
        c("ldm", "r5", several(others))
        for j in range(4):
            place = at("r4", start + 4 + j)
            c("ldr", free, place)
            c("umaal", window[0], free, digits[0], others[j])
            c("str", window[0], place)
            for i in range(1, 4):
                c("umaal", window[i], free, digits[i], others[j])
            window, free = [*window[1:], free], window[0]
        c("add", "r5", "r4", f"#{4 * (start + 8)}")
        c("ldm", "r5", several(others))
        for i in range(4):
            c("adcs" if start or i else "adds", window[i], window[i], others[i])
        if not start:
            for i in range(4):
                c("str", window[i], at("r4", 8 + i))
    less(c, [*digits, *window])


def less(c: Code, value: Sequence[str]) -> None:
    """The end of :func:`redc`: less m, if that is not negative; to where the result belongs.

    The lower half of the value is in t yet, and behind r4; the carry is the flag.
    """
    c("add", "r5", "r4", "#32")
    c("ldm", "r5", several(value[:4]))
    free = [name for name in ("r5", "r6", "r7", "lr", *KEPT, "r0") if name not in value][:3]
    carried = "r4"
    c("mov", carried, "#0")
    c("adc", carried, carried, "#0")
    pointer = next(
        name for name in ("r0", "r1", "r2", "r3", "r12", "lr") if name not in (*value, *free)
    )
    c("ldr", pointer, at("sp", 2))
    for k, word in words(c, pointer, free, 8):
        c("sbcs" if k else "subs", value[k], value[k], word)
    c("sbc", carried, carried, "#0")
    c("sub", pointer, pointer, "#32")
    for k, word in words(c, pointer, free, 8):
        c("and", word, word, carried)
        c("adcs" if k else "adds", value[k], value[k], word)
    c("ldr", pointer, at("sp", 0))
    for k, word in enumerate(value):
        c("str", word, at(pointer, k))
    c("add", "sp", "sp", "#16")
    c("pop", several((*KEPT, "pc")))
