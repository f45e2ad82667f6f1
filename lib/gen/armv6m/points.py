"""Doubling and addition in Jacobian coordinates for ARMv6-M, as calls of a field's routines
(formulas: lib/src/group/jacobian_fused.inc). A field element has `size` bytes.

Operands are in the frame, or coordinates of points whose pointers stand in the frame. Registers are
saved once a formula.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from gen.armv6m.long import enter, leave
from gen.armv6m.writer import BRANCHES, CORES, Writer
from gen.armv7em.formulas import read

REACH = 252  # bytes of an addition to a pointer


class Place(NamedTuple):
    """A field element: behind the pointer at `pointer` bytes of the frame, or in the frame."""

    pointer: int | None
    offset: int


Step = tuple[str, Place, *tuple[Place, ...]]


def run(w: Writer, field: str, steps: list[Step]) -> None:
    """Calls for each step."""
    for operation, *places in steps:
        for index, (pointer, offset) in enumerate(places):
            name = f"r{index}"
            if pointer is None:
                w("add", name, "sp", f"#{offset}")
                continue
            w("ldr", name, f"[sp, #{pointer}]")
            for part in range(0, offset, REACH):
                w("adds", name, f"#{min(REACH, offset - part)}")
        w("bl", f"ecfit_{field}_{operation}")


def doubling(w: Writer, field: str, size: int, *, by_square: bool) -> None:
    """4 mul, 4 sqr: A = 3 (X - Z^2)(X + Z^2)/2, B = Y^2, S = X B:
    Z3 = Y Z, X3 = A^2 - 2 S, Y3 = A (S - X3) - B^2.
    `by_square`: Z3 = ((Y + Z)^2 - Y^2 - Z^2)/2, a square in place of a product.
    """
    enter(w)
    w("push", "{r0}")
    w("sub", "sp", f"#{2 * size}")
    run(w, field, doubling_steps(size, by_square=by_square))
    w("add", "sp", f"#{2 * size + 4}")
    leave(w)


def doubling_steps(size: int, *, by_square: bool = False, no_a: bool = False) -> list[Step]:
    """Of two elements in the frame, and the point, whose pointer stands behind them.
    `no_a`: the curve's a is 0, and A is 3 X^2/2.
    """
    x, y, z = (Place(2 * size, size * k) for k in range(3))
    t, u = (Place(None, size * k) for k in range(2))
    begun: list[Step] = [("add", z, y, z), ("sqr", z, z), ("sub", z, z, t)] if by_square else []
    product: list[Step] = [] if by_square else [("mul", z, y, z)]
    ended: list[Step] = [("sub", z, z, y), ("half", z, z)] if by_square else []
    slope: list[Step] = [
        ("sqr", t, z),
        *begun,
        ("sub", u, x, t),
        ("add", t, x, t),
        ("mul", t, t, u),
        ("half", u, t),
        ("add", t, t, u),
    ]
    if no_a:
        slope = [("sqr", t, x), ("three_halves", t, t)]
    return [
        *slope,  # A
        *product,
        ("sqr", y, y),  # B
        *ended,
        ("mul", u, x, y),  # S
        ("sqr", y, y),
        ("sqr", x, t),
        ("sub", x, x, u),
        ("sub", x, x, u),
        ("sub", u, u, x),
        ("mul", u, u, t),
        ("sub", y, u, y),
    ]


def ladder_step(w: Writer, field: str, size: int) -> None:
    """A step of the ladder on a line, on registers whose pointer is in the frame."""
    enter(w)
    w("push", "{r0}")
    for step in read("ladder_step", "jacobian_codes.inc"):
        d, a, b = (Place(0, size * k) for k in (step.d, step.a, step.b))
        square = step.op == "MUL" and a == b
        run(w, field, [("sqr", d, a) if square else (step.op.lower(), d, a, b)])
    w("add", "sp", "#4")
    leave(w)


def addition(w: Writer, field: str, size: int, *, by_square: bool) -> dict[str, int]:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr; returns its cycles where qz is 0.

    H = U2 - U1, S = S2 - S1, Z3 = Z1 H (Z2), V = U1 H^2,
    X3 = S^2 - H^3 - 2 V, Y3 = S (V - X3) - S1 H^3;
    U1 = X1 (Z2^2), S1 = Y1 (Z2^3), U2 = X2 Z1^2, S2 = Y2 Z1^3.
    `by_square`: Z1 H = ((Z1 + H)^2 - Z1^2 - H^2)/2, a square in place of a product.
    """
    w.label("9")
    enter(w)
    w("push", "{r0-r2}")
    w("sub", "sp", f"#{4 * size}")
    base = 4 * size
    with_z, slopes, times_z, rest = addition_steps(size, by_square=by_square)
    saved = unless_zero(w, field, with_z, "1")
    run(w, field, slopes)
    w("ldr", "r2", f"[sp, #{base + 8}]")
    saved += unless_zero(w, field, times_z, "2")
    run(w, field, rest)
    w.note("all ones where H and S are both 0")
    w("mov", "r0", "sp")
    w("movs", "r1", "#0")
    for _ in range(2 * size // 16):
        w("ldm", "r0!", "{r2-r5}")
        for k in range(2, 6):
            w("orrs", "r1", f"r{k}")
    w("rsbs", "r0", "r1", "#0")
    w("sbcs", "r0", "r0")
    w("mvns", "r0", "r0")
    w("add", "sp", f"#{4 * size + 12}")
    leave(w)
    return {core: cycles - saved[core] for core, cycles in w.cycles.items()}


def addition_steps(size: int, *, by_square: bool = False) -> tuple[list[Step], ...]:
    """With qz, H and S, with qz, the rest: of four elements in the frame, of which H and S are the
    first, and pointers behind them: to r, to x and y of q, to qz.
    """
    base = 4 * size
    x, y, z = (Place(base, size * k) for k in range(3))
    qx, qy = (Place(base + 4, size * k) for k in range(2))
    qz = Place(base + 8, 0)
    h, s, t, u = (Place(None, size * k) for k in range(4))
    third: list[Step] = [("mul", t, t, z), ("mul", s, qy, t), ("sub", s, s, y), ("mul", z, z, h)]
    square: list[Step] = [("sqr", t, h)]
    if by_square:
        third = [("mul", s, t, z), ("mul", s, qy, s), ("sub", s, s, y), ("add", z, z, h)]
        third += [("sqr", z, z), ("sub", z, z, t), *square, ("sub", z, z, t), ("half", z, z)]
        square = []
    return (
        [("sqr", t, qz), ("mul", x, x, t), ("mul", t, t, qz), ("mul", y, y, t)],
        [("sqr", t, z), ("mul", h, qx, t), ("sub", h, h, x), *third],
        [("mul", z, z, qz)],
        [
            *square,
            ("mul", u, x, t),  # V
            ("mul", t, t, h),  # H^3
            ("mul", y, y, t),
            ("sqr", x, s),
            ("sub", x, x, t),
            ("sub", x, x, u),
            ("sub", x, x, u),
            ("sub", u, u, x),
            ("mul", u, u, s),
            ("sub", y, u, y),
        ],
    )


def unless_zero(w: Writer, field: str, steps: list[Step], label: str) -> Counter[str]:
    """Steps that are left out where r2 is 0, and what that saves: a branch takes 2 or 3 then."""
    w("cmp", "r2", "#0")
    w("beq", f"{label}f")
    before = Counter(w.cycles)
    run(w, field, steps)
    w.label(label)
    taken = Counter({core: BRANCHES[core][0] - 1 for core in CORES})
    return Counter(w.cycles) - before - taken


def affine(w: Writer) -> None:
    """The addition with qz = 0: another entry of its function, label 9 at its beginning."""
    w("movs", "r2", "#0")
    w("b", "9b")
