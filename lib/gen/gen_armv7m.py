#!/usr/bin/env python3
"""Write the assembly of the Cortex-M3: lib/src/mp/armv7m and field/armv7m.

lib/gen/gen_armv7m.py     writes all files (`make generate` does so, too)

The programs that say how they work stand in lib/gen/armv7m. What is not written anew is of the
backend armv6m: its functions call routines of this one by the same names. Those that do so as they
are stand in folders `thumb`, which files of both include.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import wrap

from gen import gen_armv6m
from gen.armv6m.field import LENGTHS
from gen.armv7em.code import Code
from gen.armv7m import k256, p256, p25519, products
from gen.armv7m.narrow import narrowed
from gen.assembly_files import SRC, file_text, found_in, short

COMMAND = "lib/gen/gen_armv7m.py"
LOST = "For the functions of this backend alone: all registers are lost but r9 and sp"
ANY = "in: 14 words of any value; out: of any value"
OF_P = "mod p, 8 words each, below p"
ROUTINES = gen_armv6m.ROUTINES  # of 2^255 - 19
INNER: dict[str, tuple[str, str, Callable[[Code], None]]] = {
    "ecfit_mul128": (
        "r0 = r1 r2, four words each",
        f"{LOST}, r1 and r2; r0 ends behind the result.",
        products.mul128,
    ),
    "ecfit_sqr128": (
        "r0 = r1^2, four words",
        f"{LOST} and r1; r0 ends behind the result.",
        products.sqr128,
    ),
    "ecfit_mul64": (gen_armv6m.MUL64, f"{LOST}.", products.mul64),
    "ecfit_sqr64": (gen_armv6m.SQR64, f"{LOST}.", products.sqr64),
    "ecfit_mul96": (
        "r0 = r1 r2, three words each",
        f"{LOST}; r0 ends behind the result.",
        products.mul96,
    ),
    "ecfit_sqr96": (
        "r0 = r1^2, three words",
        f"{LOST}; r0 ends behind the result.",
        products.sqr96,
    ),
    "ecfit_mul224": ("r0 = r1 r2, seven words each", f"{LOST}.", products.mul224),
    "ecfit_sqr224": ("r0 = r1^2, seven words", f"{LOST}.", products.sqr224),
    "ecfit_mul256": ("r0 = r1 r2, eight words each", f"{LOST}.", products.mul256),
    "ecfit_sqr256": ("r0 = r1^2, eight words", f"{LOST}.", products.sqr256),
    "ecfit_mul521": (
        "r0 = r1 r2.   in: 18 words each below 2^521",
        f"{LOST}.",
        products.mul521,
    ),
    "ecfit_sqr521": ("r0 = r1^2.   in: 18 words below 2^521", f"{LOST}.", products.sqr521),
    "ecfit_secp521r1_redc": (
        "r0 = t/2^576 mod p, below p, of t below p 2^521, 36 words where sp is",
        f"{LOST}.",
        products.redc521,
    ),
    "ecfit_p448_mul": (f"r0 = r1 r2.   {ANY}", f"{LOST}.", products.p448_mul),
    "ecfit_p448_sqr": (f"r0 = r1^2.   {ANY}", f"{LOST}.", products.p448_sqr),
    "ecfit_both256": (
        "r0 = r1 r2, eight words each, also where r1 is r2",
        f"{LOST}.",
        products.both256,
    ),
    "ecfit_secp256r1_both": (
        f"r0 = r1 r2/2^256 {OF_P}, also where r1 is r2",
        f"{LOST}.",
        p256.product("ecfit_mul256", "ecfit_secp256r1_redc"),
    ),
    "ecfit_secp256r1_mul": (
        f"r0 = r1 r2/2^256 {OF_P}",
        f"{LOST}.",
        p256.product("ecfit_mul256", "ecfit_secp256r1_redc"),
    ),
    "ecfit_secp256r1_sqr": (
        f"r0 = r1^2/2^256 {OF_P}",
        f"{LOST}.",
        p256.product("ecfit_sqr256", "ecfit_secp256r1_redc"),
    ),
    "ecfit_secp256r1_redc": (
        "the end of a product: r = t/2^256 mod p, below p, of t below p 2^256, 16 words where "
        "sp is",
        "Behind them: where r goes, and the address to return to. All registers are lost but r9.",
        p256.redc,
    ),
    "ecfit_secp256r1_add": (f"r0 = r1 + r2 {OF_P}", f"{LOST}.", p256.add),
    "ecfit_secp256r1_sub": (f"r0 = r1 - r2 {OF_P}", f"{LOST}.", p256.sub),
    "ecfit_secp256r1_half": (f"r0 = r1/2 {OF_P}", f"{LOST}.", p256.half),
    "ecfit_secp256k1_mul": (
        f"r0 = r1 r2/2^256 {OF_P}",
        f"{LOST}.",
        p256.product("ecfit_mul256", "ecfit_secp256k1_redc"),
    ),
    "ecfit_secp256k1_sqr": (
        f"r0 = r1^2/2^256 {OF_P}",
        f"{LOST}.",
        p256.product("ecfit_sqr256", "ecfit_secp256k1_redc"),
    ),
    "ecfit_secp256k1_redc": (
        "the end of a product: r = t/2^256 mod p, below p, of t below p 2^256, 16 words where "
        "sp is",
        "Behind them: where r goes, and the address to return to. All registers are lost but r9.",
        k256.redc,
    ),
    "ecfit_secp256k1_add": (f"r0 = r1 + r2 {OF_P}", f"{LOST}.", k256.add),
    "ecfit_secp256k1_sub": (f"r0 = r1 - r2 {OF_P}", f"{LOST}.", k256.sub),
    "ecfit_secp256k1_sub_twice": (f"r0 = r1 - 2 r2 {OF_P}", f"{LOST}.", k256.sub_twice),
    "ecfit_secp256k1_three_halves": (f"r0 = 3 r1/2 {OF_P}", f"{LOST}.", k256.three_halves),
    "ecfit_p25519_mul": (
        ROUTINES["mul"],
        f"{LOST}; r0 ends behind the result.",
        p256.product("ecfit_mul256", "ecfit_p25519_fold"),
    ),
    "ecfit_p25519_sqr": (
        ROUTINES["sqr"],
        f"{LOST}; r0 ends behind the result.",
        p256.product("ecfit_sqr256", "ecfit_p25519_fold"),
    ),
    "ecfit_p25519_fold": (
        "the end of a product: r = t mod 2^255 - 19, below 2^255 + 2^231, of t of any value, "
        "16 words where sp is",
        "Behind them: where r goes, and the address to return to. All registers are lost but r9; "
        "r0 ends behind the result.",
        p25519.fold,
    ),
    "ecfit_p25519_add": (
        ROUTINES["add"],
        f"{LOST}; r0 ends behind the result.",
        p25519.add,
    ),
    "ecfit_p25519_sub": (
        ROUTINES["sub"],
        f"{LOST}; r0 ends behind the result.",
        p25519.sub,
    ),
    "ecfit_p25519_small": (
        ROUTINES["small"].replace("\n *", ""),
        f"{LOST}; r0 ends behind the result.",
        p25519.small,
    ),
}  # what it computes, what it says besides, what writes it
COSTS: dict[str, tuple[int, str]] = {
    "ecfit_p25519_ladder_as_mul": (196, "10155 (cortex-m3)"),
    "ecfit_p25519_product_as_mul": (192, "1068 (cortex-m3)"),
    "ecfit_p25519_run_as_mul": (200, "11020 (cortex-m3, n = 0)"),
}  # of functions for C that are those of armv6m but for a call: bytes of stack, cycles
SIZE = 32  # bytes of an element of secp256k1
POINT = "mp_word *r, const mp_word *qxy"
FUNCTIONS: dict[str, tuple[str, tuple[str, ...], int, int, Callable[[Code], None]]] = {
    "fe_mul": (
        "void {}(mp_word *r, const mp_word *a, const mp_word *b)",
        ("r = a b/2^256 mod p.   in: 8 words below p; r may be an operand",),
        192,
        1092,
        k256.through("ecfit_secp256k1_mul", var=False),
    ),
    "fe_sqr": (
        "void {}(mp_word *r, const mp_word *a)",
        ("r = a^2/2^256 mod p.   in: 8 words below p; r may be an operand",),
        168,
        779,
        k256.through("ecfit_secp256k1_sqr", var=False),
    ),
    "pt_double": (
        "void {}(mp_word *r)",
        ("r = 2 r in Jacobian coordinates, 24 words below p, any point.   3 mul, 4 sqr",),
        260,
        6595,
        lambda c: k256.doubling(c, "secp256k1", SIZE, var=False),
    ),
    "pt_add": (
        f"mp_word {{}}({POINT}, const mp_word *qz)",
        (
            "r = r + q in Jacobian coordinates; q is affine when qz is 0.",
            "8 mul, 3 sqr, with qz 12 mul, 4 sqr; not CT: whether qz is 0",
            "Neither the neutral element; returns all ones where r = q (r is garbage then), or 0.",
        ),
        332,
        16407,
        lambda c: k256.addition(c, "secp256k1", SIZE, var=False),
    ),
    "pt_add_affine": (
        f"mp_word {{}}({POINT})",
        ("r = r + q for q affine: ecfit_secp256k1_pt_add",),
        332,
        11344,
        k256.affine,
    ),
}  # of secp256k1, for C: declaration, what its banner says, bytes of stack, cycles, what writes it
HAND = {"mp/armv7m/mp": ("ecfit_mp_lookup",)}
FIELDS = {"p25519", "secp256k1", "secp256r1"}  # each in a file
FOLD = "ecfit_p25519_fold"  # alone, behind all others


def inner_text(symbol: str) -> str:
    """An inner function."""
    what, more, write = INNER[symbol]
    c = Code()
    c.begin("inner", symbol, (f"{symbol}: {what}", more))
    write(c)
    c.lines = narrowed(c.lines)
    c.end(symbol)
    return c.text().replace(f"inner {symbol}, 4", f"inner {symbol}, 8")  # a line of flash


def outer_text(name: str) -> str:
    """A function of secp256k1 for C. The addition of an affine point is another way into the
    addition, and stands behind it.
    """
    declaration, what, stack, cycles, write = FUNCTIONS[name]
    symbol = f"ecfit_secp256k1_{name}"
    c = Code()
    banner = (
        declaration.format(symbol),
        *what,
        f"CT: values   Clobbers: r0-r3, r12, flags   Stack: {stack} bytes",
        f"Cost: {cycles} (cortex-m3)",
    )
    c.begin("function", symbol, banner)
    if name == "pt_add_affine":
        c.lines[-1] = f"    entry   {symbol}"
    write(c)
    c.lines = narrowed(c.lines)
    c.end(symbol)
    return c.text() + (outer_text("pt_add_affine") if name == "pt_add" else "")


REDC_COSTS = (1529, 3261, 5649, 7089)


def redc_text() -> str:
    """Montgomery's reduction."""
    c = Code()
    products.redc(c)
    costs = [
        f"{cycles} (cortex-m3, n = {n})" for n, cycles in zip(LENGTHS, REDC_COSTS, strict=True)
    ]
    lines = "\n".join(narrowed(c.lines))
    stack = 4 * (products.REDC_FRAME + len(products.KEPT) + 1)
    return gen_armv6m.REDC.format(stack, "\n * ".join(wrap(", ".join(costs), 88)), lines)


def taken(name: str, text: str) -> str:
    """A function of armv6m with the stack and cycles of a Cortex-M3 in its banner."""
    stack, cost = COSTS[name]
    text = re.sub(r"Stack: \d+ bytes", f"Stack: {stack} bytes", text)
    text = re.sub(r"Cost: [^*]*\n", f"Cost: {cost}\n", text)
    return text.replace("bl      ecfit_p25519_both", "bl      ecfit_p25519_mul")  # no smaller here


def files() -> dict[Path, str]:
    """Each generated file and its text."""
    found: dict[str, dict[str, str]] = {}
    model = found_in(SRC / "field/armv6m/p25519.S") | gen_armv6m.functions()
    for name in (*INNER, *COSTS):
        text = inner_text(name) if name in INNER else taken(name, model[name])
        field = short(name).partition("_")[0]
        file = f"field/armv7m/{field}" if field in FIELDS else "mp/armv7m/mp"
        file = "field/armv7m/p25519_fold" if name == FOLD else file
        found.setdefault(file, {})[name] = text
    found["mp/armv7m/mp"]["ecfit_mod_redc"] = redc_text()
    for name in FUNCTIONS.keys() - {"pt_add_affine"}:
        file = f"{'group' if name.startswith('pt_') else 'field'}/armv7m/secp256k1"
        found.setdefault(file, {})[f"ecfit_secp256k1_{name}"] = outer_text(name)
    return {
        SRC / f"{name}.S": file_text(
            f"{name}.S",
            COMMAND,
            written,
            HAND.get(name, ()),
            {} if name.startswith("group/") else gen_armv6m.included(name),
        )
        for name, written in found.items()
    }


def main() -> None:
    """Command line: no arguments."""
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
