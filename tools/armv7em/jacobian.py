"""Doubling and addition in Jacobian coordinates, as calls of the routines of a curve's field
(formulas: lib/src/group/jacobian_plain.inc).

A formula is a list of steps (operation, result, operands). Operands are words of the frame, or
behind a pointer that stands in the frame. Registers are saved once a formula, not once an
operation. Where an operation goes on with the result of the one before, it takes it from the
registers: its name ends in _on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from armv7em.code import Code, at, r, several

SAVED = ("r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "lr")
K256 = "secp256k1"  # a = 0
P384 = "secp384r1"  # twelve words: nothing goes on in registers


POINTERS = {"mul": ("r0", "r1", "r2"), "sqr": ("r0", "r8")}  # of results and operands
LINEAR = ("r8", "r9", "r10")  # of sums and differences
GOING_ON = ("r8", "r10")


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


def size(curve: str) -> int:
    """Bytes of a field element."""
    return 48 if curve == P384 else 32


def from_memory(steps: list[Step]) -> list[Step]:
    """Steps that go on with a result as such that read it."""
    found: list[Step] = []
    for step in steps:
        operation, to, places = step[0], step[1], step[2:]
        name = operation.removesuffix("_on")
        if name == "sub_twice":
            found += [("sub", to, found[-1][1], *places), ("sub", to, to, *places)]
        elif name != operation and name == "sub":
            found.append((name, to, found[-1][1], *places))
        else:
            found.append((name, to, *places))
    return found


def run(c: Code, curve: str, steps: list[Step]) -> None:
    """Calls for each step."""
    if curve == P384:
        for operation, *places in from_memory(steps):
            for index, place in enumerate(places):
                address(c, r(index), place)
            c("bl", f"ecfit_{curve}_{operation}")
        return
    for operation, *places in steps:
        pointers = GOING_ON if operation.endswith("_on") else POINTERS.get(operation, LINEAR)
        for register, place in zip(pointers, places, strict=True):
            address(c, register, place)
        c("bl", f"ecfit_{curve}_{operation}")


def slope(curve: str, t: Place, u: Place, x: Place, z: Place) -> list[Step]:
    """t = A, (3 X^2 + a Z^4)/2 for a = 0, its negative 3 (Z^2 - X)(X + Z^2)/2 for a = -3."""
    if curve == K256:
        return [("sqr", t, x), ("three_halves_on", t, t)]
    return [
        ("sqr", t, z),
        ("sub_on", u, x),
        ("add", t, x, t),
        ("mul", t, t, u),
        ("three_halves_on", t, t),
    ]


def doubling(c: Code, curve: str) -> None:
    """4 mul, 4 sqr, 6 smaller ones, for a = 0 3 mul, 4 sqr, 4: dbl-2001-b with Z3/2.

    A of :func:`slope`, B = Y^2, S = X B:
    Z3 = Y Z, X3 = A^2 - 2 S, Y3 = A (X3 - S) - B^2, or A (S - X3) - B^2 where A has its sign.
    """
    each = size(curve)
    c("push", several(SAVED))
    c("add", "r1", "r0", f"#{each}")
    c("add", "r2", "r0", f"#{2 * each}")
    c("sub", "sp", "sp", f"#{2 * each + 12}")
    c("stm", "sp", several(("r0", "r1", "r2")))
    x, y, z = (Place(k, 0) for k in range(3))
    t, u = Place(None, 12), Place(None, 12 + each)
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
            ("sub_twice_on", x, u),
            ("sub", u, u, x) if curve == K256 else ("sub_on", u, u),
            ("mul", u, u, t),
            ("sub_on", y, y),
        ],
    )
    c("add", "sp", "sp", f"#{2 * each + 12}")
    c("pop", several((*SAVED[:-1], "pc")))


def addition(c: Code, curve: str) -> None:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr: H = U2 - U1, S = S2 - S1, Z3 = Z1 H (Z2), V = U1 H^2, X3
    = S^2 - H^3 - 2 V, Y3 = S (V - X3) - S1 H^3; U1 = X1 (Z2^2), S1 = Y1 (Z2^3), U2 = X2 Z1^2, S2
    = Y2 Z1^3.
    """
    each = size(curve)
    c("add", "r3", "r0", f"#{2 * each}")
    c("push", several((*("r0", "r1", "r2", "r3"), *SAVED)))
    c("add", "r4", "r0", f"#{each}")
    c("add", "r5", "r1", f"#{each}")
    c("push", several(("r4", "r5")))
    c("sub", "sp", "sp", f"#{4 * each}")
    base = 4 * each // 4
    y, qy, x, qx, qz, z = (Place(base + k, 0) for k in range(6))
    h, s, t, u = (Place(None, each * k) for k in range(4))
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
            ("sub_on", h, x),
            ("mul", t, t, z),
            ("mul", s, qy, t),
            ("sub_on", s, y),
            ("mul", z, z, h),
        ],
    )
    c("ldr", "r2", at("sp", base + 4))
    c("cbz", "r2", "2f", narrow=True)
    c("nop", narrow=True)
    run(c, curve, [("mul", z, z, qz)])
    c.label("2")
    c.note("all ones where H and S are both 0")
    c("mov", "r0", "sp")
    c("mov", "r1", "#0")
    for _ in range(each // 8):
        c("ldm", "r0!", several(("r2", "r3", "r4", "r5")))
        for k in range(2, 6):
            c("orr", "r1", "r1", r(k))
    c("clz", "r1", "r1")
    c("lsr", "r1", "r1", "#5")
    c("rsb", "r1", "r1", "#0")
    c("str", "r1", at("sp", base + 4))
    run(
        c,
        curve,
        [
            ("sqr", t, h),
            ("mul", u, x, t),  # V
            ("mul", t, t, h),  # H^3
            ("mul", y, y, t),
            ("sqr", x, s),
            ("sub_on", x, t),
            ("sub_twice_on", x, u),
            ("sub", u, u, x),
            ("mul", u, u, s),
            ("sub_on", y, y),
        ],
    )
    c("ldr", "r0", at("sp", base + 4))
    c("add", "sp", "sp", f"#{4 * each + 24}")
    c("pop", several((*SAVED[:-1], "pc")))


def affine(c: Code, curve: str) -> None:
    """The addition with qz = 0."""
    c("mov", "r2", "#0")
    c("b", f"ecfit_{curve}_pt_add")


def through(routine: str, pointers: Sequence[str] = ()) -> Callable[[Code], None]:
    """A function for C around a routine that takes its pointers in these registers."""

    def write(c: Code) -> None:
        c("push", several(SAVED))
        for index, register in enumerate(pointers):
            if register != r(index):
                c("mov", register, r(index))
        c("bl", routine)
        c("pop", several((*SAVED[:-1], "pc")))

    return write
