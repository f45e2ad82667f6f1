"""Doubling and addition in Jacobian coordinates for ARMv6-M, as calls of a field's routines
(formulas: lib/src/group/jacobian_fused.inc).

Operands are in the frame, or coordinates of points whose pointers stand in the frame. Registers are
saved once a formula.
"""

from __future__ import annotations

from typing import NamedTuple

from armv6m_long import enter, leave
from armv6m_writer import Writer

SIZE = 32  # bytes of a field element


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
            if offset:
                w("adds", name, f"#{offset}")
        w("bl", f"ecfit_{field}_{operation}")


def doubling(w: Writer) -> None:
    """4 mul, 4 sqr: A = 3 (X - Z^2)(X + Z^2)/2, B = Y^2, S = X B:
    Z3 = Y Z, X3 = A^2 - 2 S, Y3 = A (S - X3) - B^2.
    """
    enter(w)
    w("push", "{r0}")
    w("sub", "sp", f"#{2 * SIZE}")
    x, y, z = (Place(2 * SIZE, SIZE * k) for k in range(3))
    t, u = (Place(None, SIZE * k) for k in range(2))
    run(
        w,
        "secp256r1",
        [
            ("sqr", t, z),
            ("sub", u, x, t),
            ("add", t, x, t),
            ("mul", t, t, u),
            ("half", u, t),
            ("add", t, t, u),  # A
            ("mul", z, y, z),
            ("sqr", y, y),  # B
            ("mul", u, x, y),  # S
            ("sqr", y, y),
            ("sqr", x, t),
            ("sub", x, x, u),
            ("sub", x, x, u),
            ("sub", u, u, x),
            ("mul", u, u, t),
            ("sub", y, u, y),
        ],
    )
    w("add", "sp", f"#{2 * SIZE + 4}")
    leave(w)


def addition(w: Writer, *, affine: bool) -> None:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr: H = U2 - U1, S = S2 - S1, Z3 = Z1 H (Z2), V = U1 H^2,
    X3 = S^2 - H^3 - 2 V, Y3 = S (V - X3) - S1 H^3;
    U1 = X1 (Z2^2), S1 = Y1 (Z2^3), U2 = X2 Z1^2, S2 = Y2 Z1^3.
    """
    enter(w)
    w("push", "{r0, r1}" if affine else "{r0-r2}")
    w("sub", "sp", f"#{4 * SIZE}")
    base = 4 * SIZE
    x, y, z = (Place(base, SIZE * k) for k in range(3))
    qx, qy = (Place(base + 4, SIZE * k) for k in range(2))
    qz = Place(base + 8, 0)
    h, s, t, u = (Place(None, SIZE * k) for k in range(4))
    scaled: list[Step] = [("sqr", t, qz), ("mul", x, x, t), ("mul", t, t, qz), ("mul", y, y, t)]
    run(
        w,
        "secp256r1",
        [
            *([] if affine else scaled),
            ("sqr", t, z),
            ("mul", h, qx, t),
            ("sub", h, h, x),
            ("mul", t, t, z),
            ("mul", s, qy, t),
            ("sub", s, s, y),
            ("mul", z, z, h),
            *([] if affine else [("mul", z, z, qz)]),
            ("sqr", t, h),
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
    w.note("all ones where H and S are both 0")
    w("mov", "r0", "sp")
    w("movs", "r1", "#0")
    for _ in range(4):
        w("ldm", "r0!", "{r2-r5}")
        for k in range(2, 6):
            w("orrs", "r1", f"r{k}")
    w("rsbs", "r0", "r1", "#0")
    w("sbcs", "r0", "r0")
    w("mvns", "r0", "r0")
    w("add", "sp", f"#{4 * SIZE + (8 if affine else 12)}")
    leave(w)
