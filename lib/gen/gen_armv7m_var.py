#!/usr/bin/env python3
"""Write the functions `_var` of the backend armv7m, for public data alone: products by long
multiplies, and the formulas of verification upon them.

lib/gen/gen_armv7m_var.py    writes all files; the programs that say how they work stand in
                             lib/gen/armv7m/*_var.py
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gen.armv7em.code import Code
from gen.armv7m import k256 as points
from gen.armv7m import p256_var as p256
from gen.armv7m import p25519_var as p25519
from gen.armv7m import product_var as product
from gen.armv7m.narrow import narrowed, paired
from gen.assembly_files import SRC, file_text

COMMAND = "lib/gen/gen_armv7m_var.py"
HAND = {"field/armv7m/p25519_var": ("ecfit_p25519_run_var",)}  # by file
P256, K256, SIZE = "secp256r1", "secp256k1", 32
COSTS = {
    "ecfit_p25519_product_var": 678,
    "ecfit_secp256k1_fe_mul_var": 734,
    "ecfit_secp256k1_pt_double_var": 4469,
    "ecfit_secp256k1_pt_add_var": 11041,
    "ecfit_secp256k1_pt_add_affine_var": 7680,
    "ecfit_secp256r1_fe_mul_var": 658,
    "ecfit_secp256r1_pt_double_var": 4806,
    "ecfit_secp256r1_pt_add_var": 9909,
    "ecfit_secp256r1_pt_add_affine_var": 6912,
}  # the most, each long multiply at its longest; tests/lib/test_assembly.py measures them


class Piece(NamedTuple):
    """A function or a routine of a layer: its file is that of its kind of curve."""

    layer: str
    kind: str
    name: str
    banner: tuple[str, ...]
    write: Callable[[Code], None]


def routine(name: str, what: str, write: Callable[[Code], None]) -> Piece:
    """A routine of a field: called with pointers, keeps sp alone. Its cycles are in those of a
    function that calls it.
    """
    banner = (
        f"{name}: [r0] = {what}",
        "CT: no, public data   Clobbers: all but sp",
    )
    return Piece("field", "inner", name, banner, write)


def function(  # noqa: PLR0917 - a row of a table
    name: str, parameters: str, what: tuple[str, ...], stack: int, write: Callable[[Code], None],
    kind: str = "function",
) -> Piece:  # fmt: skip
    """A formula that C calls."""
    returned = "mp_word" if "_add_" in name else "void"
    banner = (
        f"{returned} {name}({parameters})",
        *what,
        f"CT: no, public data   Clobbers: r0-r3, r12, flags   Stack: {stack} bytes",
        f"Cost: {COSTS[name]} (cortex-m3)",
    )
    return Piece("group" if "_pt_" in name else "field", kind, name, banner, write)


def reduced(write: Callable[..., None]) -> Callable[[Code], None]:
    """A product of secp256k1, which ends as those of secrets do (armv7m/k256.py): that takes 9
    cycles a digit without a long multiply.
    """

    def made(code: Code) -> None:
        write(code, whole=True)
        code("b", "ecfit_secp256k1_redc")

    return made


BELOW = "in: pointers to 8 words below p; r0 may be one of the others; out: below p"
FE = "in: 8 words below p; r may be an operand; out: below p"
ANY = "in: pointers to 8 words of any value; r0 may be one of the others; out: below 2^255 + 2^12"
EXCEPTIONS = (
    "Neither the neutral element; returns all ones where r = q (r is garbage then), or 0.",
)
MUL, SQR = "[r1] [r2] / R mod p", "[r1]^2 / R mod p"


def jacobian(field: str, stack: int, doubling: str) -> tuple[Piece, ...]:
    """The functions of a curve that has the routines `mul_var` and `sqr_var`. `stack`: bytes of
    these, and of registers.
    """
    name = f"ecfit_{field}"
    return (
        function(
            f"{name}_fe_mul_var", "mp_word *r, const mp_word *a, const mp_word *b",
            (f"r = a b / R mod p.   {FE}",), stack, points.through(f"{name}_mul_var", var=True),
        ),
        function(
            f"{name}_pt_double_var", "mp_word *r",
            (f"r = 2 r in Jacobian coordinates, 24 words below p, any point.   {doubling}, 4 sqr",),
            stack + 68, lambda code: points.doubling(code, field, SIZE, var=True),
        ),
        function(
            f"{name}_pt_add_var", "mp_word *r, const mp_word *qxy, const mp_word *qz",
            (
                "r = r + q in Jacobian coordinates; q is affine when qz is 0.",
                "8 mul, 3 sqr, with qz 12 mul, 4 sqr",
                *EXCEPTIONS,
            ),
            stack + 140, lambda code: points.addition(code, field, SIZE, var=True),
        ),
        function(
            f"{name}_pt_add_affine_var", "mp_word *r, const mp_word *qxy",
            (f"r = r + q for q affine: {name}_pt_add_var",), stack + 140, points.affine, "entry",
        ),
    )  # fmt: skip


PIECES: tuple[Piece, ...] = (
    routine("ecfit_secp256k1_mul_var", f"{MUL}.   {BELOW}", reduced(product.mul)),
    routine("ecfit_secp256k1_sqr_var", f"{SQR}.   {BELOW}", reduced(product.sqr)),
    routine("ecfit_secp256r1_mul_var", f"{MUL}.   {BELOW}", p256.mul),
    routine("ecfit_secp256r1_sqr_var", f"{SQR}.   {BELOW}", p256.sqr),
    routine("ecfit_p25519_mul_var", f"[r1] [r2] mod 2^255 - 19.   {ANY}", p25519.mul),
    routine("ecfit_p25519_sqr_var", f"[r1]^2 mod 2^255 - 19.   {ANY}", p25519.sqr),
    function(
        "ecfit_p25519_product_var", "mp_word *r, const mp_word *a, const mp_word *b",
        ("r = a b mod 2^255 - 19, below 2^255 + 2^12.   in: 8 words of any value; r may be an "
         "operand",),
        112, points.through("ecfit_p25519_mul_var", var=True),
    ),
    *jacobian(K256, 108, "3 mul"),
    *jacobian(P256, 112, "4 mul"),
)  # fmt: skip


def files() -> dict[Path, str]:
    """Each generated file and its text. An entry stands behind the function before it."""
    found: dict[str, dict[str, str]] = {name: {} for name in HAND}
    name = ""
    for piece in PIECES:
        code = Code()
        code.begin(piece.kind, piece.name, piece.banner)
        if piece.kind == "entry":
            code.lines[-1] = f"    entry   {piece.name}"
        piece.write(code)
        code.lines = (narrowed if piece.layer == "group" else paired)(code.lines)
        code.end(piece.name)
        name = name if piece.kind == "entry" else piece.name
        file = f"{piece.layer}/armv7m/{'p25519' if '_p25519_' in name else 'jacobian'}_var"
        texts = found.setdefault(file, {})
        texts[name] = texts.get(name, "") + code.text()
    return {
        SRC / f"{name}.S": file_text(f"{name}.S", COMMAND, texts, HAND.get(name, ()))
        for name, texts in found.items()
    }


def main() -> None:
    """Command line: no arguments."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
