"""The field of P-256 and its points in Jacobian coordinates for ARMv6-M: products and squares with
their reductions, sums and differences, and the formulas as calls of them.

Inner functions lose all registers but r9 and sp: r0 = result, r1, r2 = operands below p, of which
the result may be one. A formula saves registers once.
p = 2^256 - 2^224 + 2^192 + 2^96 - 1: its words are -1, -1, -1, 0, 0, 0, 1, -1.
"""

from __future__ import annotations

from gen.armv6m.writer import Writer, each

FIELD = "ecfit_secp256r1"
SIZE = 32  # bytes of a field element
WAITING = ("r8", "r10", "r11")  # of a sum: its words 0 to 2 wait there
TOP = ("r3", "r4", "r5", "r6", "r7")  # and words 3 to 7 here


def mul(w: Writer) -> None:
    """r0 = r1 r2/2^256."""
    reduced(w, "ecfit_mul256")


def sqr(w: Writer) -> None:
    """r0 = r1^2/2^256."""
    reduced(w, "ecfit_sqr256")


def both(w: Writer) -> None:
    """r0 = r1 r2/2^256, by squares where r1 is r2."""
    reduced(w, "ecfit_both256", "reduce")


def reduced(w: Writer, product: str, reduction: str = "redc") -> None:
    """A product on the stack, then the reduction."""
    w("push", "{r0, lr}")
    w("sub", "sp", "#64")
    w("mov", "r0", "sp")
    w("bl", product)
    w("ldr", "r0", "[sp, #64]")
    w("bl", f"{FIELD}_{reduction}")
    w("add", "sp", "#68")
    w("pop", "{pc}")


def redc(w: Writer) -> None:
    """r0 = t/2^256, below p, the 16 words of t, below p 2^256, where the stack pointer is.

    The quotient m of Montgomery's reduction is, column by column, t[k] + m[k-3] + m[k-6] - m[k-7];
    column k of the result is t[k+8] + m[k] + m[k+2] - m[k+1] + m[k+5], and -p, which comes back
    where that is negative: 1 in column 0, and words of ones in columns 3 and 6. [MONT85]
    """
    w("push", "{r0, lr}")
    w("add", "r1", "sp", "#8")
    quotient(w)
    w.note("columns 0 to 3 from m[0] to m[3]; r7: carried out of them")
    low_columns(w)
    w("push", "{r2-r5}")
    w.note("columns 4 to 7")
    high_columns(w)
    w.note("r7: 0, or all ones where p comes back")
    w("ldr", "r0", "[sp, #16]")
    w("pop", "{r1, r6}")
    w("adds", "r1", "r1", "r7")
    w("adcs", "r6", "r7")
    w("stm", "r0!", "{r1, r6}")
    w("pop", "{r1}")
    w("adcs", "r1", "r7")
    w("stm", "r0!", "{r1}")
    w("pop", "{r1}")
    w("movs", "r6", "#0")
    for name in ("r1", "r2", "r3"):
        w("adcs", name, "r6")
    w("movs", "r6", "#1")
    w("ands", "r6", "r7")
    w("adcs", "r4", "r6")
    w("adcs", "r5", "r7")
    w("stm", "r0!", "{r1-r5}")
    w("pop", "{r0, pc}")


def reduce(w: Writer, prefix: str = FIELD, *, tail: bool = False) -> None:
    """The same with the end of :func:`minus`, smaller. `tail`: the end of a product; where the
    result goes and the address to return to stand behind t, and all of it leaves the stack.
    """
    if tail:
        w("mov", "r1", "sp")
    else:
        w("push", "{r0, lr}")
        w("add", "r1", "sp", "#8")
    quotient(w)
    w.note("columns 0 to 3 from m[0] to m[3]; r7: carried out of them")
    low_columns(w, 0 if tail else 8)
    w("push", "{r2-r5}")
    w.note("columns 4 to 7")
    w("movs", "r2", "r7")
    high_columns(w, TOP[1:], "r2")
    w.note("r2: 0, or all ones where p comes back")
    w("movs", "r1", "r2")
    for name in WAITING:
        w("pop", "{r2}")
        w("mov", name, "r2")
    w("pop", "{r3}")
    if tail:
        w("add", "sp", "#64")
    w("pop", "{r0, r2}")
    w("mov", "lr", "r2")
    w("b", f"{prefix}_ends")


DIGITS = ("r8", "r10", "r11", "r12", "lr")  # m[3] to m[7]
COLUMNS = ("r2", "r3", "r4", "r5")


def quotient(w: Writer) -> None:
    """m[0], m[1], m[3] in r2, r3, r5 and DIGITS; r1: behind them, t[8]."""
    w("ldm", "r1!", "{r2-r7}")
    w.note("m[3], m[4], m[5]")
    w("adds", "r5", "r5", "r2")
    w("adcs", "r6", "r3")
    w("adcs", "r7", "r4")
    for high, low in zip(DIGITS, ("r5", "r6", "r7"), strict=False):
        w("mov", high, low)
    w("ldm", "r1!", "{r4, r7}")
    w.note("m[6], m[7]; r0: what they carry into column 0, less -p there")
    w("adcs", "r4", "r5")
    w("adcs", "r7", "r6")
    w("movs", "r0", "#1")
    w("movs", "r6", "#0")
    w("adcs", "r0", "r6")
    w("adds", "r4", "r4", "r2")
    w("adcs", "r7", "r3")
    w("adcs", "r0", "r6")
    w("subs", "r7", "r7", "r2")
    w("sbcs", "r0", "r6")
    w("mov", "r12", "r4")
    w("mov", "lr", "r7")


def waiting(
    w: Writer,
    first: str,
    others: str,
    digits: tuple[str, ...],
    *,
    begins: bool,
    columns: tuple[str, ...] = COLUMNS,
) -> None:
    """Digits that wait in high registers, to the last of four columns where one began before."""
    names = columns if begins else columns[-len(digits) :]
    for index, (name, digit) in enumerate(zip(names, digits, strict=False)):
        w("mov", "r0", digit)
        each(w, first, others, name, "r0", begins=begins and index == 0)


def low_columns(w: Writer, place: int = 8) -> None:
    """Columns 0 to 3; m[2] is read from the stack, as m[1] is: t stands there at `place`."""
    one, two = (f"[sp, #{place + 4 * k}]" for k in (1, 2))
    w("ldr", "r4", two)
    w("movs", "r7", "#0")
    w("adds", "r2", "r2", "r0")
    for name in (*COLUMNS[1:], "r7"):
        w("adcs", name, "r6")
    for pair, (low, high) in enumerate((COLUMNS[:2], COLUMNS[2:])):
        w("ldm", "r1!", "{r0, r6}")
        each(w, "adds", "adcs", low, "r0", begins=pair == 0)
        w("adcs", high, "r6")
    w("movs", "r6", "#0")
    w("adcs", "r7", "r6")
    w("ldr", "r0", two)
    w("adds", "r2", "r2", "r0")
    waiting(w, "adds", "adcs", DIGITS[:3], begins=False)
    w("adcs", "r7", "r6")
    w("ldr", "r0", one)
    w("subs", "r2", "r2", "r0")
    w("ldr", "r0", two)
    w("sbcs", "r3", "r0")
    waiting(w, "subs", "sbcs", DIGITS[:2], begins=False)
    w("sbcs", "r7", "r6")
    w("mvns", "r6", "r6")
    waiting(w, "adds", "adcs", DIGITS[2:], begins=True)
    w("adcs", "r5", "r6")
    w("adcs", "r7", "r6")


def high_columns(w: Writer, columns: tuple[str, ...] = COLUMNS, over: str = "r7") -> None:
    """Columns 4 to 7, in four registers, and what is carried out of them, `over`; r0 is lost, and
    that of r3 and r6 which is none of them.
    """
    c0, c1, c2, c3 = columns
    zero = "r6" if "r3" in columns else "r3"
    w("ldm", "r1!", f"{{{c0}-{c3}}}")
    w("asrs", zero, over, "#31")
    w("adds", c0, c0, over)
    for name in columns[1:]:
        w("adcs", name, zero)
    w("movs", over, "#0")
    w("adcs", over, zero)
    w("movs", zero, "#0")
    waiting(w, "adds", "adcs", DIGITS[1:], begins=True, columns=columns)
    w("adcs", over, zero)
    waiting(w, "subs", "sbcs", DIGITS[2:], begins=True, columns=columns)
    w("sbcs", c3, zero)
    w("sbcs", over, zero)
    w("mov", "r0", "r12")
    w("adds", c0, c0, "r0")
    w("mov", "r0", "lr")
    w("adcs", c1, "r0")
    w("mvns", "r0", zero)
    w("adcs", c2, "r0")
    w("adcs", c3, zero)
    w("adcs", over, "r0")


def chain(w: Writer, first: str, others: str) -> None:
    """Words 0 to 2 of a sum or difference to high registers, words 3 to 7 to low ones."""
    low = ("r3", "r4", "r5")
    for start in (0, 3):
        w("ldm", "r1!", "{r3-r5}")
        w("ldm", "r2!", "{r6, r7}")
        each(w, first, others, "r3", "r6", begins=start == 0)
        w(others, "r4", "r7")
        w("ldm", "r2!", "{r6}")
        w(others, "r5", "r6")
        if start == 0:
            for high, name in zip(WAITING, low, strict=True):
                w("mov", high, name)
    w("ldm", "r1!", "{r6, r7}")
    w("ldm", "r2", "{r1, r2}")
    w(others, "r6", "r1")
    w(others, "r7", "r2")


def back(w: Writer) -> None:
    """r0 = those words, and p where r1 is all ones, not 0; and returns."""
    for index, high in enumerate(WAITING):
        w("mov", "r2", high)
        each(w, "adds", "adcs", "r2", "r1", begins=index == 0)
        w("stm", "r0!", "{r2}")
    w("movs", "r2", "#0")
    for name in TOP[:3]:
        w("adcs", name, "r2")
    w("movs", "r2", "#1")
    w("ands", "r2", "r1")
    w("adcs", "r6", "r2")
    w("adcs", "r7", "r1")
    w("stm", "r0!", "{r3-r7}")
    w("bx", "lr")


def add(w: Writer) -> None:
    """r0 = r1 + r2."""
    total(w)
    back(w)


def plus(w: Writer) -> None:
    """The same before :func:`minus`, whose end it takes."""
    total(w)
    w("b", f"{FIELD}_ends")


def minus(w: Writer, prefix: str = FIELD) -> None:
    """r0 = r1 - r2, its end an entry."""
    chain(w, "subs", "sbcs")
    w("sbcs", "r1", "r1")
    w.lines.append(f"    entry   {prefix}_ends")
    back(w)
    w.lines.append(f"    endfunction {prefix}_ends")


def total(w: Writer) -> None:
    """r1 + r2 - p: -p is 1 in the first carry, and 2^224 - 2^192 - 2^96 - 2^256."""
    w("cmp", "r0", "r0")
    chain(w, "adcs", "adcs")
    w("movs", "r1", "#0")
    w("adcs", "r1", "r1")
    w("movs", "r2", "#0")
    w("mvns", "r2", "r2")
    w("adds", "r3", "r3", "r2")
    w("adcs", "r4", "r2")
    w("adcs", "r5", "r2")
    w("movs", "r2", "#1")
    w("mvns", "r2", "r2")
    w("adcs", "r6", "r2")
    w("movs", "r2", "#0")
    w("adcs", "r7", "r2")
    w("adcs", "r1", "r2")
    w("subs", "r1", "r1", "#1")


def sub(w: Writer) -> None:
    """r0 = r1 - r2."""
    chain(w, "subs", "sbcs")
    w("sbcs", "r1", "r1")
    back(w)


def half(w: Writer) -> None:
    """r0 = r1/2: of an odd number without its bit 0, and (p + 1)/2.

    That is 2^255 - 2^223 + 2^191 + 2^95.
    """
    w("ldm", "r1!", "{r2-r5}")
    w("lsls", "r7", "r2", "#31")
    w("mov", "r8", "r7")
    w("asrs", "r6", "r7", "#31")
    w("lsrs", "r6", "r6", "#1")
    w("mov", "r10", "r6")
    for name, above in (("r2", "r3"), ("r3", "r4"), ("r4", "r5")):
        shifted(w, name, above)
    w("stm", "r0!", "{r2, r3}")
    w("ldm", "r1!", "{r2, r3}")
    shifted(w, "r5", "r2")
    shifted(w, "r2", "r3")
    w("ldm", "r1", "{r1, r6}")
    w("lsrs", "r3", "r3", "#1")
    w("lsls", "r7", "r1", "#31")
    w("orrs", "r3", "r7")
    w("lsrs", "r1", "r1", "#1")
    w("lsls", "r7", "r6", "#31")
    w("orrs", "r1", "r7")
    w("lsrs", "r6", "r6", "#1")
    w.note("words 2 to 7 are in r4, r5, r2, r3, r1, r6")
    w("mov", "r7", "r8")
    w("adds", "r4", "r4", "r7")
    w("stm", "r0!", "{r4}")
    w("movs", "r4", "#0")
    w("adcs", "r5", "r4")
    w("adcs", "r2", "r4")
    w("adcs", "r3", "r7")
    w("adcs", "r1", "r7")
    w("mov", "r4", "r10")
    w("adcs", "r6", "r4")
    for name in ("r5", "r2", "r3", "r1", "r6"):
        w("stm", "r0!", f"{{{name}}}")
    w("bx", "lr")


def shifted(w: Writer, name: str, above: str) -> None:
    """A word half as large, with what the next one has for its top; r6 is lost."""
    w("lsrs", name, name, "#1")
    w("lsls", "r6", above, "#31")
    w("orrs", name, "r6")
