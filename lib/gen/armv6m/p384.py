"""The field of P-384 for ARMv6-M, as armv6m/p256.py has that of P-256.

p = 2^384 - 2^128 - 2^96 + 2^32 - 1: its words are -1, 0, 0, -1, -2, -1, .., -1; those of
2^384 - p are 1, -1, -1, 0, 1, 0, .., 0.
"""

from __future__ import annotations

from gen.armv6m.p256 import shifted
from gen.armv6m.writer import Writer, each

FIELD = "ecfit_secp384r1"
N = 12  # words


def mul(w: Writer) -> None:
    """r0 = r1 r2/2^384."""
    reduced(w, "ecfit_mul384")


def sqr(w: Writer) -> None:
    """r0 = r1^2/2^384."""
    reduced(w, "ecfit_sqr384")


def reduced(w: Writer, product: str) -> None:
    """A product on the stack, then the reduction."""
    w("push", "{r0, lr}")
    w("sub", "sp", f"#{8 * N}")
    w("mov", "r0", "sp")
    w("bl", product)
    w("ldr", "r0", f"[sp, #{8 * N}]")
    w("bl", f"{FIELD}_redc")
    w("add", "sp", f"#{8 * N + 4}")
    w("pop", "{pc}")


AT = 8  # bytes from the stack pointer to t in the reduction
LOW, HIGH = ("r2", "r3", "r4"), ("r5", "r6", "r7")


def redc(w: Writer) -> None:
    """r0 = t/2^384, below p, the 24 words of t, below p 2^384, where the stack pointer is.

    Column k of the quotient m: t[k] + m[k-1] - m[k-3] - m[k-4], the digit itself; column k of the
    result: t[k+12] + m[k] and what columns 12 to 15 have of the sum above. Three columns at a
    time, each term in one chain: a digit is ready when the next column needs it.
    With it comes -p, 1 in columns 12 and 16 and words of ones in columns 13 and 14, and goes back
    where the result is negative.
    """
    w("push", "{r0, lr}")
    w.note(
        "r0: what is carried from three columns to the next; r8: the digit before the last three"
    )
    w.note("columns 0 to 2")
    load(w, HIGH, 0)
    w("movs", "r0", "#0")
    w("adds", "r6", "r6", "r5")
    w("adcs", "r7", "r6")
    w("adcs", "r0", "r0")
    store(w, HIGH, 0)
    digits, columns = HIGH, LOW
    for first in (3, 6, 9):
        w.note(f"columns {first} to {first + 2}")
        load(w, columns, first)
        carried(w, columns)
        less_digits(w, columns, digits, before=first > 3)
        w("adds", columns[0], columns[0], digits[2])
        w("adcs", columns[1], columns[0])
        w("adcs", columns[2], columns[1])
        w("adcs", "r0", "r1")
        w("mov", "r8", digits[2])
        store(w, columns, first)
        digits, columns = columns, digits
    last_columns(w)
    w.note("all ones where p comes back")
    w("subs", "r3", "r0", "#1")
    w("ldr", "r0", "[sp]")
    w("add", "r1", "sp", f"#{AT + 4 * 12}")
    back(w, "r1")
    w("pop", "{r0, pc}")


def last_columns(w: Writer) -> None:
    """Columns 12 to 23, m[9] to m[11] in LOW."""
    w.note("columns 12 to 14")
    load(w, HIGH, 12)
    w("adds", "r0", "r0", "#1")
    carried(w, HIGH)
    add_digits(w, HIGH, 0)
    less_digits(w, HIGH, LOW, before=True)
    w("mvns", "r1", "r1")
    w("adds", "r5", "r5", "r4")
    w("adcs", "r6", "r1")
    w("adcs", "r7", "r1")
    w("movs", "r1", "#0")
    w("adcs", "r0", "r1")
    store(w, HIGH, 12)
    w.note("columns 15 to 17")
    load(w, HIGH, 15)
    carried(w, HIGH)
    add_digits(w, HIGH, 3)
    w("mvns", "r1", "r1")
    w("subs", "r5", "r5", "r4")
    for name in ("r6", "r7", "r0"):
        w("sbcs", name, "r1")
    store(w, HIGH, 15)
    w.note("columns 18 to 23")
    w("add", "r1", "sp", f"#{AT + 4 * 18}")
    w("ldm", "r1!", "{r2-r7}")
    carried(w, LOW + HIGH)
    add_digits(w, LOW + HIGH, 6)
    w("add", "r1", "sp", f"#{AT + 4 * 18}")
    w("stm", "r1!", "{r2-r7}")


def load(w: Writer, names: tuple[str, ...], first: int) -> None:
    """Three columns of t."""
    for k, name in enumerate(names, first):
        w("ldr", name, f"[sp, #{AT + 4 * k}]")


def store(w: Writer, names: tuple[str, ...], first: int) -> None:
    """Three columns to where they were."""
    for k, name in enumerate(names, first):
        w("str", name, f"[sp, #{AT + 4 * k}]")


def less_digits(
    w: Writer, columns: tuple[str, ...], digits: tuple[str, ...], *, before: bool
) -> None:
    """Less m[k-3], three digits, and m[k-4], that in r8 `before` them; r1 = 0."""
    for index, (name, digit) in enumerate(zip(columns, digits, strict=True)):
        each(w, "subs", "sbcs", name, digit, begins=index == 0)
    w("movs", "r1", "#0")
    w("sbcs", "r0", "r1")
    if before:
        w("mov", "r1", "r8")
        w("subs", columns[0], columns[0], "r1")
    each(w, "subs", "sbcs", columns[1], digits[0], begins=not before)
    w("sbcs", columns[2], digits[1])
    w("movs", "r1", "#0")
    w("sbcs", "r0", "r1")


def add_digits(w: Writer, columns: tuple[str, ...], first: int) -> None:
    """Adds m[first] and so on; r1 = 0."""
    for index, name in enumerate(columns):
        w("ldr", "r1", f"[sp, #{AT + 4 * (first + index)}]")
        each(w, "adds", "adcs", name, "r1", begins=index == 0)
    w("movs", "r1", "#0")
    w("adcs", "r0", "r1")


def carried(w: Writer, names: tuple[str, ...]) -> None:
    """Adds what is carried into words, r0, with its sign; r0 = what they carry; r1 is lost."""
    w("asrs", "r1", "r0", "#31")
    for index, name in enumerate(names):
        each(w, "adds", "adcs", name, "r1" if index else "r0", begins=index == 0)
    w("movs", "r0", "#0")
    w("adcs", "r0", "r1")


def back(w: Writer, source: str) -> None:
    """r0 = the words behind the source, r1 or r0 itself, and p where r3 is all ones, not 0."""
    w("adds", "r2", "r3", "r3")
    w("mov", "r8", "r2")
    w("movs", "r2", "#0")
    minus = {1: "r2", 2: "r2", 4: "r2"}
    for start in range(0, N, 4):
        w("ldm", f"{source}!", "{r4-r7}")
        if start == 4:
            w("mov", "r2", "r8")
        for index in range(start, start + 4):
            each(w, "adds", "adcs", f"r{4 + index % 4}", minus.get(index, "r3"), begins=index == 0)
        w("stm", "r0!", "{r4-r7}")


def chain(w: Writer, first: str, others: str, *, ones: bool) -> None:
    """r0 = the words of a sum or difference; r0 comes back.

    `ones`: r3 = what words 5 to 11 have in common, all ones where all of them are.
    """
    for start in range(0, N, 2):
        w("ldm", "r1!", "{r4, r5}")
        w("ldm", "r2!", "{r6, r7}")
        each(w, first, others, "r4", "r6", begins=start == 0)
        w(others, "r5", "r7")
        w("stm", "r0!", "{r4, r5}")
        if ones and start == 4:
            w("movs", "r3", "r5")
        elif ones and start > 4:
            w("ands", "r3", "r4")
            w("ands", "r3", "r5")


def add(w: Writer) -> None:
    """r0 = r1 + r2.

    The sum is p or more where it was carried out of, or where 2^384 - p, which has no words above
    4, carries through words of ones.
    """
    chain(w, "adds", "adcs", ones=True)
    w("movs", "r2", "#0")
    w("movs", "r1", "#0")
    w("adcs", "r1", "r1")
    w("subs", "r0", f"#{4 * N}")
    w("mvns", "r7", "r2")
    w("ldr", "r4", "[r0]")
    w("ldr", "r5", "[r0, #4]")
    w("adds", "r4", "#1")
    w("adcs", "r5", "r7")
    w("ldr", "r4", "[r0, #8]")
    w("adcs", "r4", "r7")
    w("ldr", "r5", "[r0, #12]")
    w("adcs", "r5", "r2")
    w("ldr", "r4", "[r0, #16]")
    w("movs", "r5", "#1")
    w("adcs", "r4", "r5")
    w("adcs", "r3", "r2")
    w("adcs", "r1", "r2")
    w.note("r1: 0 where the sum is below p; 2^384 - p is added where it is not")
    w("rsbs", "r1", "r1", "#0")
    w("movs", "r3", "#1")
    w("ands", "r3", "r1")
    minus = {0: "r3", 1: "r1", 2: "r1", 4: "r3"}
    for start in range(0, N, 4):
        for k in range(4):
            w("ldr", f"r{4 + k}", f"[r0, #{4 * k}]")
        for index in range(start, start + 4):
            each(w, "adds", "adcs", f"r{4 + index % 4}", minus.get(index, "r2"), begins=index == 0)
        w("stm", "r0!", "{r4-r7}")
    w("bx", "lr")


def sub(w: Writer) -> None:
    """r0 = r1 - r2."""
    chain(w, "subs", "sbcs", ones=False)
    w("sbcs", "r3", "r3")
    w("movs", "r1", "r0")
    w("subs", "r0", f"#{4 * N}")
    w("subs", "r1", f"#{4 * N}")
    back(w, "r1")
    w("bx", "lr")


def half(w: Writer) -> None:
    """r0 = r1/2: p is added to an odd number first."""
    w("ldr", "r3", "[r1]")
    w("lsls", "r3", "r3", "#31")
    w("asrs", "r3", "r3", "#31")
    back(w, "r1")
    w.note("what is carried is the top bit; words from there down")
    w("movs", "r7", "#0")
    w("adcs", "r7", "r7")
    for start in range(N - 3, -1, -3):
        w("subs", "r0", "#12")
        w("ldm", "r0!", "{r3-r5}")
        w("subs", "r0", "#12")
        w("lsls", "r1", "r3", "#31")
        for name, above in (("r3", "r4"), ("r4", "r5"), ("r5", "r7")):
            shifted(w, name, above)
        w("stm", "r0!", "{r3-r5}")
        if start:
            w("subs", "r0", "#12")
            w("lsrs", "r7", "r1", "#31")
    w("bx", "lr")
