"""secp256k1 for the Cortex-M3: the reduction of a product, sums and differences; and points in
Jacobian coordinates, by formulas of the backend armv6m (lib/gen/armv6m/points.py): for public data,
on other curves, too, the same with products and squares `_var`.

p = 2^256 - c, c = 2^32 + 977: its words are 2^32 - 977, 2^32 - 2, and -1 six times. Inner
functions lose all registers but r9 and sp: r0 = result, r1, r2 = operands below p, of which the
result may be one. Elements are times R = 2^256.
"""

from __future__ import annotations

from collections.abc import Callable

from gen.armv6m.points import Step, addition_steps, doubling_steps
from gen.armv7em.code import Code, at, several
from gen.armv7m.p256 import X, combine, leave, load
from gen.armv7m.products import run

SMALL = 977
INVERSE = -pow(SMALL, -1, 1 << 32) % (1 << 32)  # a digit's factor
COLUMN, GONE, HIGH, FACTOR, BY = "r0", "r1", "r2", "r3", "r4"
M = ("r5", "r6", "r7", "r8", "r10", "r11", "r12", "lr")  # columns, then digits of the quotient
WORDS = ("r0", "r1", "r3", "r4", "r5", "r6", "r7", "r8")  # of the result
SIGN = "r10"
RESULT = 16  # the word behind the product: where the result goes


def redc(c: Code) -> None:
    """t/2^256, below p, of the 16 words t, below p 2^256, where the stack pointer is; behind them
    stand the address of the result and that to return to.

    Montgomery's reduction [MONT85] takes a multiple m of p away: t - m p = t + m c - m 2^256.
    Digit k of m is -x/977 modulo 2^32, where x is what stands in column k when all below is done.
    It comes in at column k by 977 m[k], and at column k + 1 as it is. Column k carries
    h = (977 m[k] + x)/2^32, which is a whole number, and below 978. With the lowest ten bits of
    m[k] and of x left out, 977 (m[k] >> 10) + (x >> 10) is h 2^22 less 977 at most. So h is that
    and 2^21, shifted right by 22: MUL has 32 bits. The upper half with these, less m, is above -p
    and below p: p comes back where it is negative.
    """
    c("movw", FACTOR, f"#{INVERSE & 0xFFFF:#x}", narrow=True)
    c("movt", FACTOR, f"#{INVERSE >> 16:#x}", narrow=True)
    c("movw", BY, f"#{SMALL}", narrow=True)
    c("ldm", "sp", several(M))
    for k, digit in enumerate(M):
        c.note(f"digit {k}")
        x = COLUMN
        if k:
            c("adds", digit, digit, M[k - 1])
            c("sbc", GONE, GONE, GONE)  # the carry, less 1: 2^22 more in HIGH
            c("adds", x, digit, HIGH)
        else:
            c("mov", x, digit)
        c("mul", digit, x, FACTOR)
        c("lsr", HIGH, digit, "#10")
        c("mul", HIGH, HIGH, BY)
        c("add", HIGH, HIGH, f"{x}, lsr #10")
        c("add", HIGH, HIGH, "#0x600000" if k else "#0x200000")
        if k:
            c("adc", HIGH, GONE, f"{HIGH}, lsr #22")
        else:
            c("lsr", HIGH, HIGH, "#22")
    c.note(
        "the upper half less m; the last digit goes to its lowest word, what carries to the next"
    )
    for word, name in enumerate(WORDS[:4]):
        c("ldr", name, at("sp", 8 + word))
    c("adds", WORDS[0], WORDS[0], HIGH)
    c("sbc", HIGH, HIGH, HIGH)
    c("adds", WORDS[0], WORDS[0], M[7])
    c("adc", HIGH, HIGH, "#1")
    run(c, "sub", WORDS[:4], M[:4])
    for word, name in enumerate(WORDS[4:]):
        c("ldr", name, at("sp", 12 + word))
    for name, other in zip(WORDS[4:], M[4:], strict=True):
        c("sbcs", name, name, other)
    c("sbc", SIGN, SIGN, SIGN)
    run(c, "add", WORDS[1:], (HIGH, *["#0"] * 6))
    c("adc", SIGN, SIGN, "#0")
    c.note("p where that is negative")
    back(c, WORDS, SIGN, HIGH)
    c("ldr", HIGH, at("sp", RESULT))
    c("stm", HIGH, several(WORDS))
    c("add", "sp", "sp", "#68")
    c("pop", several(("pc",)))


def back(c: Code, words: tuple[str, ...], mask: str, low: str) -> None:
    """Adds p where the mask is all ones, not 0; `low` is lost."""
    c("bic", low, mask, f"#{SMALL - 1:#x}")
    run(c, "add", words, (low, f"{mask}, lsl #1", *[mask] * 6))


def add(c: Code) -> None:
    """r0 = r1 + r2."""
    load(c, "add")
    less_p(c)
    leave(c)


def less_p(c: Code) -> None:
    """X and its carry modulo p: c comes on top, and p comes back where neither sum was carried out
    of. They are not both, since two operands and c are below 2 p + c.
    """
    c("sbc", "r1", "r1", "r1")
    c("movw", "r12", f"#{SMALL}", narrow=True)
    run(c, "add", (*X, "r1"), ("r12", "#1", *["#0"] * 7))
    back(c, X, "r1", "r12")


def sub(c: Code) -> None:
    """r0 = r1 - r2."""
    load(c, "sub")
    plus_p(c)
    leave(c)


def sub_twice(c: Code) -> None:
    """r0 = r1 - 2 r2."""
    load(c, "sub")
    plus_p(c)
    combine(c, "sub")
    plus_p(c)
    leave(c)


def plus_p(c: Code) -> None:
    """X and p, where X was borrowed for."""
    c("sbc", "r1", "r1", "r1")
    back(c, X, "r1", "r12")


def three_halves(c: Code) -> None:
    """r0 = 3 r1/2: p is added to an odd number, and what that carries comes in from above."""
    c("mov", "r2", "r1")
    c("ldm", "r1", several(X))
    c("sbfx", "r1", X[0], "#0", "#1")
    back(c, X, "r1", "r12")
    for name in reversed(X):
        c("rrxs", name, name)
    combine(c, "add")
    less_p(c)
    leave(c)


# ---- points ------------------------------------------------------------------------------------

K256 = "secp256k1"  # a = 0, and a routine for two differences
VAR = {"mul", "sqr"}  # routines that have a long one


def saved(last: str, *, var: bool) -> str:
    """The registers of a caller: routines on secrets keep r9."""
    return several(("r4", "r5", "r6", "r7", "r8", *(["r9"] if var else []), "r10", "r11", last))


def begin(code: Code, arguments: int, size: int, *, var: bool) -> None:
    """Registers, pointers, then elements at the stack pointer."""
    code("push", saved("lr", var=var))
    code("push", several(f"r{k}" for k in range(arguments)), narrow=True)
    code("sub", "sp", "sp", f"#{size}")


def finish(code: Code, arguments: int, size: int, *, var: bool) -> None:
    """And back."""
    code("add", "sp", "sp", f"#{size + 4 * arguments}")
    code("pop", saved("pc", var=var))


def through(name: str, *, var: bool) -> Callable[[Code], None]:
    """A routine as a function of C."""

    def write(code: Code) -> None:
        code("push", saved("lr", var=var))
        code("bl", name)
        code("pop", saved("pc", var=var))

    return write


def merged(steps: list[Step]) -> list[Step]:
    """The steps with two differences of one place in a row as one."""
    found: list[Step] = []
    for step in steps:
        if found and step == found[-1] and step[0] == "sub":
            found[-1] = ("sub_twice", *step[1:])
        else:
            found.append(step)
    return found


def calls(code: Code, field: str, steps: list[Step], *, var: bool) -> None:
    """A call for each step; pointers that r0 to r2 hold."""
    for operation, *places in merged(steps) if field == K256 else steps:
        for index, (pointer, offset) in enumerate(places):
            name = f"r{index}"
            if pointer is None:
                code("add", name, "sp", f"#{offset}")
                continue
            code("ldr", name, f"[sp, #{pointer}]")
            if offset:
                code("add", name, name, f"#{offset}")
        code("bl", f"ecfit_{field}_{operation}{'_var' if var and operation in VAR else ''}")


def doubling(code: Code, field: str, size: int, *, var: bool) -> None:
    """4 mul, 4 sqr, and on secp256k1, whose a is 0, a product less."""
    begin(code, 1, 2 * size, var=var)
    calls(code, field, doubling_steps(size, no_a=field == K256), var=var)
    finish(code, 1, 2 * size, var=var)


def addition(code: Code, field: str, size: int, *, var: bool) -> None:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr; another way in, with qz = 0, stands behind it."""
    code.label("9")
    begin(code, 3, 4 * size, var=var)
    with_z, slopes, times_z, rest = addition_steps(size)
    unless_zero(code, field, with_z, "1", var=var)
    calls(code, field, slopes, var=var)
    code("ldr", "r2", f"[sp, #{4 * size + 8}]")
    unless_zero(code, field, times_z, "2", var=var)
    calls(code, field, rest, var=var)
    code.note("all ones where H and S are both 0")
    code("mov", "r0", "sp")
    code("mov", "r1", "#0")
    for _ in range(2 * size // 16):
        code("ldm", "r0!", several(f"r{k}" for k in range(2, 6)))
        for k in range(2, 6):
            code("orr", "r1", "r1", f"r{k}")
    code("subs", "r1", "r1", "#1")
    code("sbc", "r0", "r0", "r0")
    finish(code, 3, 4 * size, var=var)


def affine(code: Code) -> None:
    """The addition with qz = 0."""
    code("mov", "r2", "#0")
    code("b", "9b")


def unless_zero(code: Code, field: str, steps: list[Step], label: str, *, var: bool) -> None:
    """Steps that are left out where r2 is 0."""
    code("cmp", "r2", "#0")
    code("beq", f"{label}f")
    calls(code, field, steps, var=var)
    code.label(label)
