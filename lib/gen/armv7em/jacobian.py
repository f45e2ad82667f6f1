"""Doubling and addition in Jacobian coordinates, as calls of the routines of a curve's field
(formulas: lib/src/group/jacobian_plain.inc).

A formula is a list of steps (operation, result, operands). Operands are words of the frame, or
behind a pointer that stands in the frame. Registers are saved once a formula, not once an
operation. Where an operation goes on with the result of the one before, it takes it from the
registers: its name ends in _on. A result that nothing else needs is not stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gen.armv7em import p384
from gen.armv7em.code import Code, at, r, several
from gen.straight.fields import FIELDS

SAVED = ("r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "lr")
K256 = "secp256k1"  # a = 0
P384 = "secp384r1"
IN_MEMORY = {P384: 48} | {field.name: 4 * field.words for field in FIELDS}
# bytes of an element of those whose operands come from memory, and whose results go there


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


def size(curve: str) -> int:
    """Bytes of a field element."""
    return IN_MEMORY.get(curve, 32)


def from_memory(steps: list[Step]) -> list[Step]:
    """Steps that go on with a result as such that read it. One that is not stored goes where the
    next result will, or to its own first operand, if the next step needs that place.
    """
    results: list[Place] = []
    for step, after in reversed(list(zip(steps, [*steps[1:], None], strict=True))):
        result = step[1]
        if result is None:
            assert after is not None
            result = step[2:][0] if results[0] in after[2:] else results[0]
        results.insert(0, result)
    found: list[Step] = []
    for index, (step, result) in enumerate(zip(steps, results, strict=True)):
        operation, operands = step[0], step[2:]
        name = operation.removesuffix("_on")
        if name in {operation, "three_halves"}:
            found.append((name, result, *operands))
            continue
        found.append(("sub", result, results[index - 1], *operands))
        if name == "sub_twice":
            found.append(("sub", result, result, *operands))
    return found


def squares_as_products(steps: list[Step]) -> list[Step]:
    """The steps where a square is a product."""
    found: list[Step] = []
    for step in steps:
        operation, result, *operands = step
        again = operands if operation == "sqr" else ()
        found.append(("mul" if again else operation, result, *operands, *again))
    return found


def run(c: Code, curve: str, steps: list[Step], *, as_mul: bool = False) -> None:
    """Calls for each step. `as_mul`: there is no routine for squares."""
    if as_mul:
        steps = squares_as_products(steps)
    if curve in IN_MEMORY:
        for operation, *every in from_memory(steps):
            for index, place in enumerate(every):
                assert place is not None
                address(c, r(index), place)
            c("bl", f"ecfit_{curve}_{operation}")
        return
    for operation, result, *operands in steps:
        places = [
            (register, place)
            for register, place in zip(pointers(operation), (result, *operands), strict=True)
            if place is not None
        ]
        for index, (register, place) in enumerate(places):
            address(c, register, place, narrow=operation == "mul" and index < 2)
        c("bl", f"ecfit_{curve}_{operation}")
        if result is not None:
            store(c, operation)


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


def doubling(c: Code, curve: str, *, as_mul: bool = False) -> None:
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
    x, y, z = (Place(k) for k in range(3))
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
            ("sqr", None, t),
            ("sub_twice_on", x, u),
            ("sub", u, u, x) if curve == K256 else ("sub_on", u, u),
            ("mul", None, u, t),
            ("sub_on", y, y),
        ],
        as_mul=as_mul,
    )
    c("add", "sp", "sp", f"#{2 * each + 12}")
    c("pop", several((*SAVED[:-1], "pc")))


def mixed(c: Code, curve: str, *, as_mul: bool = False) -> None:
    """8 mul, 3 sqr: H = U2 - X1, S = S2 - Y1, Z3 = Z1 H, V = X1 H^2, X3 = S^2 - H^3 - 2 V,
    Y3 = S (V - X3) - Y1 H^3; U2 = X2 Z1^2, S2 = Y2 Z1^3.
    """
    each = size(curve)
    c("add", "r2", "r0", f"#{each}")
    c("add", "r3", "r1", f"#{each}")
    c("push", several((*("r0", "r1", "r2", "r3"), *SAVED)))
    c("add", "r0", "r0", f"#{2 * each}")
    c("push", several(("r0", "r1")))
    c("sub", "sp", "sp", f"#{4 * each}")
    base = 4 * each // 4
    z, kept = Place(base), base + 1  # whether H has a bit, then the answer
    x, qx, y, qy = (Place(base + 2 + k) for k in range(4))
    h, s, t, u = (Place(None, each * k) for k in range(4))
    run(c, curve, [("sqr", t, z), ("mul", None, qx, t), ("sub_on", h, x)], as_mul=as_mul)
    any_bit(c, curve, h)
    c("str", "r0", at("sp", kept))
    run(c, curve, [("mul", t, t, z), ("mul", None, qy, t), ("sub_on", s, y)])
    any_bit(c, curve, s)
    c("ldr", "r1", at("sp", kept))
    c.note("all ones where H and S are both 0")
    c("orr", "r0", "r0", "r1")
    c("clz", "r0", "r0")
    c("lsrs", "r0", "r0", "#5", narrow=True)
    c("rsbs", "r0", "r0", "#0", narrow=True)
    c("str", "r0", at("sp", kept))
    run(
        c,
        curve,
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
        as_mul=as_mul,
    )
    c("ldr", "r0", at("sp", kept))
    c("add", "sp", "sp", f"#{4 * each + 24}")
    c("pop", several((*SAVED[:-1], "pc")))


def any_bit(c: Code, curve: str, result: Place) -> None:
    """r0 = 0 where the last result is, which is at this place of the frame; others are lost."""
    if curve in IN_MEMORY and curve != P384:
        for k in range(size(curve) // 4):
            c("ldr", r(min(k, 1)), at("sp", result.offset // 4 + k))
            if k:
                c("orr", "r0", "r0", "r1")
        return
    if curve == P384:
        for word in p384.WORDS[1:]:
            c("orr", "r0", "r0", word)
        return
    for first, second in ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6)):
        c("orrs", r(first), r(second), narrow=True)
    c("orr", "r0", "r0", "r4")


def addition(c: Code, curve: str, *, as_mul: bool = False) -> None:
    """12 mul, 4 sqr: the mixed addition to X1 Z2^2, Y1 Z2^3, with the Z of that times Z2."""
    each = size(curve)
    c("add", "r3", "r0", f"#{2 * each}")
    c("add", "r12", "r0", f"#{each}")
    c("push", several((*("r0", "r1", "r2", "r3"), *SAVED)))
    c("push", several(("r1", "r12")))
    c("sub", "sp", "sp", f"#{each}")
    base = each // 4
    kept, y, x, qz, z = base, Place(base + 1), Place(base + 2), Place(base + 4), Place(base + 5)
    t = Place(None)
    scale: list[Step] = [("sqr", t, qz), ("mul", x, x, t), ("mul", t, t, qz), ("mul", y, y, t)]
    run(c, curve, scale, as_mul=as_mul)
    c("ldr", "r0", at("sp", base + 2))
    c("ldr", "r1", at("sp", base + 3))
    c("bl", f"ecfit_{curve}_pt_add_affine{'_as_mul' if as_mul else ''}")
    c("str", "r0", at("sp", kept))
    run(c, curve, [("mul", z, z, qz)])
    c("ldr", "r0", at("sp", kept))
    c("add", "sp", "sp", f"#{each + 24}")
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
