"""Doubling and addition in Jacobian coordinates on P-256, as calls of the field's routines
(formulas: lib/src/group/jacobian_plain.inc).

A formula is a list of steps (operation, result, operands). Operands are words of the frame, or
behind a pointer that stands in the frame. Registers are saved once a formula, not once an
operation. Where an operation goes on with the result of the one before, it takes it from the
registers: its name ends in _on. A result that nothing else needs is not stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from armv7em.code import Code, at, r, several

SAVED = ("r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "lr")
FIELD = "ecfit_secp256r1"
SIZE = 32  # bytes of a field element


RESULT = tuple(r(k) for k in range(8))
POINTERS = {"mul": ("r0", "r1", "r2"), "sqr": ("r0", "r8")}  # to results and operands
LINEAR = ("r8", "r9", "r10")  # of sums and differences
GOING_ON = ("r8", "r10")


class Place(NamedTuple):
    """A field element: behind the pointer in word `pointer` of the frame, or (None) in the frame
    itself, `offset` bytes from its beginning.
    """

    pointer: int | None
    offset: int = 0


Step = tuple[str, Place | None, *tuple[Place, ...]]


def address(c: Code, register: str, place: Place, *, narrow: bool = False) -> None:
    """The register points at a field element."""
    if place.pointer is None:
        c("add", register, "sp", f"#{place.offset}", narrow=narrow)
    else:
        c("ldr", register, at("sp", place.pointer), narrow=narrow)


def pointers(operation: str) -> tuple[str, ...]:
    """The registers that point to the result and to operands."""
    return GOING_ON if operation.endswith("_on") else POINTERS.get(operation, LINEAR)


def store(c: Code, operation: str) -> None:
    """The result of a routine to where it was told."""
    c("stm", "r10" if operation in POINTERS else "r8", several(RESULT))


def run(c: Code, steps: list[Step]) -> None:
    """Calls for each step."""
    for operation, result, *operands in steps:
        places = [
            (register, place)
            for register, place in zip(pointers(operation), (result, *operands), strict=True)
            if place is not None
        ]
        for index, (register, place) in enumerate(places):
            address(c, register, place, narrow=operation == "mul" and index < 2)
        c("bl", f"{FIELD}_{operation}")
        if result is not None:
            store(c, operation)


def doubling(c: Code) -> None:
    """4 mul, 4 sqr, 6 smaller ones: the result of dbl-2001-b with Z3/2.

    A = 3 (Z^2 - X)(X + Z^2)/2, B = Y^2, S = X B:
    Z3 = Y Z, X3 = A^2 - 2 S, Y3 = A (X3 - S) - B^2.
    """
    c("push", several(SAVED))
    c("add", "r1", "r0", f"#{SIZE}")
    c("add", "r2", "r0", f"#{2 * SIZE}")
    c("sub", "sp", "sp", f"#{2 * SIZE + 12}")
    c("stm", "sp", several(("r0", "r1", "r2")))
    x, y, z = (Place(k) for k in range(3))
    t, u = Place(None, 12), Place(None, 12 + SIZE)
    run(
        c,
        [
            ("sqr", t, z),
            ("sub_on", u, x),
            ("add", t, x, t),
            ("mul", t, t, u),
            ("three_halves_on", t, t),  # A
            ("mul", z, y, z),
            ("sqr", y, y),  # B
            ("mul", u, x, y),  # S
            ("sqr", y, y),
            ("sqr", None, t),
            ("sub_twice_on", x, u),
            ("sub_on", u, u),
            ("mul", None, u, t),
            ("sub_on", y, y),
        ],
    )
    c("add", "sp", "sp", f"#{2 * SIZE + 12}")
    c("pop", several((*SAVED[:-1], "pc")))


def mixed(c: Code) -> None:
    """8 mul, 3 sqr: H = U2 - X1, S = S2 - Y1, Z3 = Z1 H, V = X1 H^2, X3 = S^2 - H^3 - 2 V,
    Y3 = S (V - X3) - Y1 H^3; U2 = X2 Z1^2, S2 = Y2 Z1^3.
    """
    c("add", "r2", "r0", f"#{SIZE}")
    c("add", "r3", "r1", f"#{SIZE}")
    c("push", several((*("r0", "r1", "r2", "r3"), *SAVED)))
    c("add", "r0", "r0", f"#{2 * SIZE}")
    c("push", several(("r0", "r1")))
    c("sub", "sp", "sp", f"#{4 * SIZE}")
    base = 4 * SIZE // 4
    z, kept = Place(base), base + 1  # whether H has a bit, then the answer
    x, qx, y, qy = (Place(base + 2 + k) for k in range(4))
    h, s, t, u = (Place(None, SIZE * k) for k in range(4))
    run(c, [("sqr", t, z), ("mul", None, qx, t), ("sub_on", h, x)])
    any_bit(c)
    c("str", "r0", at("sp", kept), narrow=True)
    run(c, [("mul", t, t, z), ("mul", None, qy, t), ("sub_on", s, y)])
    any_bit(c)
    c("ldr", "r1", at("sp", kept), narrow=True)
    c.note("all ones where H and S are both 0")
    c("orr", "r0", "r0", "r1")
    c("clz", "r0", "r0")
    c("lsrs", "r0", "r0", "#5", narrow=True)
    c("rsbs", "r0", "r0", "#0", narrow=True)
    c("str", "r0", at("sp", kept))
    run(
        c,
        [
            ("mul", z, z, h),
            ("sqr", t, h),
            ("mul", u, x, t),  # V
            ("mul", t, t, h),  # H^3
            ("mul", y, y, t),
            ("sqr", None, s),
            ("sub_on", None, t),
            ("sub_twice_on", x, u),
            ("sub", u, u, x),
            ("mul", None, u, s),
            ("sub_on", y, y),
        ],
    )
    c("ldr", "r0", at("sp", kept))
    c("add", "sp", "sp", f"#{4 * SIZE + 24}")
    c("pop", several((*SAVED[:-1], "pc")))


def any_bit(c: Code) -> None:
    """r0 = 0 where r0 to r7 all are; others are lost. A narrow instruction must follow."""
    for first, second in ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)):
        c("orrs", r(first), r(second), narrow=True)


def addition(c: Code) -> None:
    """12 mul, 4 sqr: the mixed addition to X1 Z2^2, Y1 Z2^3, with the Z of that times Z2."""
    c("add", "r3", "r0", f"#{2 * SIZE}")
    c("add", "r12", "r0", f"#{SIZE}")
    c("push", several((*("r0", "r1", "r2", "r3"), *SAVED)))
    c("push", several(("r1", "r12")))
    c("sub", "sp", "sp", f"#{SIZE}")
    base = SIZE // 4
    kept, y, x, qz, z = base, Place(base + 1), Place(base + 2), Place(base + 4), Place(base + 5)
    t = Place(None)
    run(c, [("sqr", t, qz), ("mul", x, x, t), ("mul", t, t, qz), ("mul", y, y, t)])
    c("ldr", "r0", at("sp", base + 2))
    c("ldr", "r1", at("sp", base + 3))
    c("bl", f"{FIELD}_pt_add_affine")
    c("str", "r0", at("sp", kept))
    run(c, [("mul", z, z, qz)])
    c("ldr", "r0", at("sp", kept))
    c("add", "sp", "sp", f"#{SIZE + 24}")
    c("pop", several((*SAVED[:-1], "pc")))


def through(routine: str, operation: str = "") -> Callable[[Code], None]:
    """A function for C around a routine; `operation`: where it is one of this field."""

    def write(c: Code) -> None:
        c("push", several(SAVED))
        for index, register in enumerate(pointers(operation) if operation else ()):
            if register != r(index):
                c("mov", register, r(index))
        c("bl", routine)
        if operation:
            store(c, operation)
        c("pop", several((*SAVED[:-1], "pc")))

    return write
