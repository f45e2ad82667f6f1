"""Doubling and addition in Jacobian coordinates, as calls of the routines of a curve's field
(formulas: lib/src/group/jacobian.inc).

A formula is a list of steps (operation, result, operands). Operands are words of the frame, or
coordinates of points whose pointers stand in the frame. Registers are saved once a formula, not
once an operation. Word 0 of the frame is the routines'.
"""

from __future__ import annotations

from typing import NamedTuple

from gen.rv32im.code import Code, at, enter, frame, leave
from gen.rv32im.straight import HERE, ops, words_below

K256 = "secp256k1"  # a = 0
WORDS = {field.name: field.words for field in HERE}  # of a field element, where it has not 8
POINTERS = 1  # word of the frame where r, qxy, qz stand
TEMPORARY = 4  # where its field elements begin
DOUBLING, ADDITION = 2, 4  # elements in the frame


class Place(NamedTuple):
    """A field element, by its number: behind the pointer in word `pointer` of the frame, or (None)
    in the frame itself.
    """

    pointer: int | None
    number: int


Step = tuple[str, Place, *tuple[Place, ...]]


def words(field: str) -> int:
    """Of an element."""
    return WORDS.get(field, 8)


def coordinates(pointer: int, count: int) -> tuple[Place, ...]:
    """Those of a point."""
    return tuple(Place(POINTERS + pointer, k) for k in range(count))


def temporary(count: int) -> tuple[Place, ...]:
    """Elements in the frame."""
    return tuple(Place(None, k) for k in range(count))


def address(c: Code, register: str, place: Place, size: int) -> None:
    """The register points at a field element of so many words."""
    if place.pointer is None:
        c("addi", register, "sp", 4 * (TEMPORARY + size * place.number))
        return
    c("lw", register, at("sp", place.pointer))
    if place.number:
        c("addi", register, register, 4 * size * place.number)


def run(c: Code, field: str, steps: list[Step]) -> None:
    """Calls for each step. An operand that is the result of the step before is where a0 points."""
    before: Place | None = None
    for operation, *places in steps:
        for index in (*range(1, len(places)), 0):
            if places[index] == before and index:
                c("mv", f"a{index}", "a0")
            elif places[index] != before:
                address(c, f"a{index}", places[index], words(field))
        c("jal", f"ecfit_{field}_{operation}")
        before = places[0]


def doubling(c: Code, field: str) -> None:
    """4 mul, 4 sqr, 7 smaller ones: the result of dbl-2001-b with Z3/2; on secp256k1 3 mul, 4 sqr,
    5 smaller ones.

    A = 3 (X - Z^2)(X + Z^2)/2, on secp256k1 3 X^2/2, B = Y^2, S = X B:
    Z3 = Y Z, X3 = A^2 - 2 S, Y3 = A (S - X3) - B^2.
    """
    enter(c, frame_words(field, DOUBLING))
    c("sw", "a0", at("sp", POINTERS))
    (x, y, z), (t, u) = coordinates(0, 3), temporary(2)
    slope: list[Step] = [("sqr", t, z), ("sub", u, x, t), ("add", t, x, t), ("mul", t, t, u)]
    if field == K256:
        slope = [("sqr", t, x)]
    run(
        c,
        field,
        [
            *slope,
            ("three_halves", t, t),  # A
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
    leave(c, frame_words(field, DOUBLING))


def addition(c: Code, field: str) -> None:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr: H = U2 - U1, S = S2 - S1, Z3 = Z1 H (Z2), V = U1 H^2, X3
    = S^2 - H^3 - 2 V, Y3 = S (V - X3) - S1 H^3; U1 = X1 (Z2^2), S1 = Y1 (Z2^3), U2 = X2 Z1^2, S2
    = Y2 Z1^3.
    """
    enter(c, frame_words(field, ADDITION))
    for k in range(3):
        c("sw", f"a{k}", at("sp", POINTERS + k))
    x, y, z = coordinates(0, 3)
    qx, qy = coordinates(1, 2)
    (qz,) = coordinates(2, 1)
    h, s, t, u = temporary(4)
    c("beqz", "a2", "1f")
    run(c, field, [("sqr", t, qz), ("mul", x, x, t), ("mul", t, t, qz), ("mul", y, y, t)])
    c.label("1")
    run(
        c,
        field,
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
    c("lw", "a2", at("sp", POINTERS + 2))
    c("beqz", "a2", "2f")
    run(c, field, [("mul", z, z, qz)])
    c.label("2")
    c.note("all ones where H and S are both 0")
    c("li", "a1", 0)
    for k in range(2 * words(field)):
        c("lw", "a2", at("sp", TEMPORARY + k))
        c("or", "a1", "a1", "a2")
    c("seqz", "a1", "a1")
    c("neg", "a1", "a1")
    c("sw", "a1", at("sp", POINTERS + 2))
    run(
        c,
        field,
        [
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
    c("lw", "a0", at("sp", POINTERS + 2))
    leave(c, frame_words(field, ADDITION))


def affine(c: Code, field: str) -> None:
    """The addition with qz = 0."""
    c("li", "a2", 0)
    c("j", f"ecfit_{field}_pt_add")


def frame_words(field: str, elements: int) -> int:
    """Of a frame with so many elements."""
    return TEMPORARY + elements * words(field)


def stack(field: str, elements: int) -> int:
    """Bytes of the stack, of the field's routines too."""
    return frame(frame_words(field, elements)) + 4 * below(field)


def below(field: str, *some: str) -> int:
    """Words of the stack that some routines of a field take, or all, at most."""
    of = [words_below(one, op) for one in HERE if one.name == field for op in some or ops(one)]
    return max(of, default=0)
