"""Doubling and addition in Jacobian coordinates, as calls of the routines of a curve's field
(formulas: lib/src/group/jacobian.inc).

A formula is a list of steps (operation, result, operands). Operands are words of the frame, or
coordinates of points whose pointers stand in the frame. Registers are saved once a formula, not
once an operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from armv7em.code import Code, at, r, several

SAVED = ("r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "lr")
SIZE = 32  # bytes of a field element


class Place(NamedTuple):
    """A field element: behind the pointer in word `pointer` of the frame, or (None) in the frame
    itself.
    """

    pointer: int | None
    offset: int


Step = tuple[str, Place, *tuple[Place, ...]]


def address(c: Code, register: str, place: Place) -> None:
    """The register points at a field element."""
    if place.pointer is None:
        c("add", register, "sp", f"#{place.offset}")
        return
    c("ldr", register, at("sp", place.pointer))
    if place.offset:
        c("add", register, register, f"#{place.offset}")


def run(c: Code, curve: str, steps: list[Step]) -> None:
    """Calls for each step."""
    for operation, *places in steps:
        for index, place in enumerate(places):
            address(c, r(index), place)
        c("bl", f"ecfit_{curve}_{operation}")


def slope(curve: str, t: Place, u: Place, x: Place, z: Place) -> list[Step]:
    """t = A = 3 X^2 + a Z^4, half of it: 3 (X - Z^2)(X + Z^2)/2 where a is -3, 3 X^2/2 where 0."""
    if curve == "secp256k1":
        return [("sqr", t, x), ("three_halves", t, t)]
    return [
        ("sqr", t, z),
        ("sub", u, x, t),
        ("add", t, x, t),
        ("mul", t, t, u),
        ("three_halves", t, t),
    ]


def doubling(c: Code, curve: str) -> None:
    """4 mul, 4 sqr, 6 smaller ones, for a = 0 3 mul, 4 sqr, 4: dbl-2001-b with Z3/2.

    A of :func:`slope`, B = Y^2, S = X B: Z3 = Y Z, X3 = A^2 - 2 S, Y3 = A (S - X3) - B^2.
    """
    c("push", several(SAVED))
    c("sub", "sp", "sp", f"#{2 * SIZE + 4}")
    c("str", "r0", at("sp", 0))
    x, y, z = (Place(0, SIZE * k) for k in range(3))
    t, u = Place(None, 4), Place(None, 4 + SIZE)
    run(
        c,
        curve,
        [
            *slope(curve, t, u, x, z),
            ("mul", z, y, z),
            ("sqr", y, y),  # B
            ("mul", u, x, y),  # S
            ("sqr", y, y),
            ("sqr", x, t),
            ("sub_twice", x, x, u),
            ("sub", u, u, x),
            ("mul", u, u, t),
            ("sub", y, u, y),
        ],
    )
    c("add", "sp", "sp", f"#{2 * SIZE + 4}")
    c("pop", several((*SAVED[:-1], "pc")))


def addition(c: Code, curve: str) -> None:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr: H = U2 - U1, S = S2 - S1, Z3 = Z1 H (Z2), V = U1 H^2, X3
    = S^2 - H^3 - 2 V, Y3 = S (V - X3) - S1 H^3; U1 = X1 (Z2^2), S1 = Y1 (Z2^3), U2 = X2 Z1^2, S2
    = Y2 Z1^3.
    """
    c("push", several((*("r0", "r1", "r2"), *SAVED)))
    c("sub", "sp", "sp", f"#{4 * SIZE}")
    base = 4 * SIZE // 4
    x, y, z = (Place(base, SIZE * k) for k in range(3))
    qx, qy = (Place(base + 1, SIZE * k) for k in range(2))
    qz = Place(base + 2, 0)
    h, s, t, u = (Place(None, SIZE * k) for k in range(4))
    c("cbz", "r2", "1f", narrow=True)
    c("nop", narrow=True)
    run(c, curve, [("sqr", t, qz), ("mul", x, x, t), ("mul", t, t, qz), ("mul", y, y, t)])
    c.label("1")
    run(
        c,
        curve,
        [
            ("sqr", t, z),
            ("mul", h, qx, t),
            ("sub", h, h, x),
            ("mul", t, t, z),
            ("mul", s, qy, t),
            ("sub", s, s, y),
            ("mul", z, z, h),
        ],
    )
    c("ldr", "r2", at("sp", base + 2))
    c("cbz", "r2", "2f", narrow=True)
    c("nop", narrow=True)
    run(c, curve, [("mul", z, z, qz)])
    c.label("2")
    c.note("all ones where H and S are both 0")
    c("mov", "r0", "sp")
    c("mov", "r1", "#0")
    for _ in range(4):
        c("ldm", "r0!", several(("r2", "r3", "r4", "r5")))
        for k in range(2, 6):
            c("orr", "r1", "r1", r(k))
    c("clz", "r1", "r1")
    c("lsr", "r1", "r1", "#5")
    c("rsb", "r1", "r1", "#0")
    c("str", "r1", at("sp", base + 2))
    run(
        c,
        curve,
        [
            ("sqr", t, h),
            ("mul", u, x, t),  # V
            ("mul", t, t, h),  # H^3
            ("mul", y, y, t),
            ("sqr", x, s),
            ("sub", x, x, t),
            ("sub_twice", x, x, u),
            ("sub", u, u, x),
            ("mul", u, u, s),
            ("sub", y, u, y),
        ],
    )
    c("ldr", "r0", at("sp", base + 2))
    c("add", "sp", "sp", f"#{4 * SIZE + 12}")
    c("pop", several((*SAVED[:-1], "pc")))


def affine(c: Code, curve: str) -> None:
    """The addition with qz = 0."""
    c("mov", "r2", "#0")
    c("b", f"ecfit_{curve}_pt_add")


def through(routine: str) -> Callable[[Code], None]:
    """A function for C around a routine."""

    def write(c: Code) -> None:
        c("push", several(SAVED))
        c("bl", routine)
        c("pop", several((*SAVED[:-1], "pc")))

    return write
