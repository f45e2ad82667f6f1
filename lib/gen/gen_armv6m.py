#!/usr/bin/env python3
"""Write the unrolled functions of the backend armv6m: folders `armv6m` and `thumb` of lib/src.

lib/gen/gen_armv6m.py      writes them (`make generate` does so, too)

What they do is explained where it is written: armv6m/products.py, armv6m/long.py,
armv6m/longer.py, armv6m/field.py, armv6m/p25519.py.
The cycles of each are counted while it is written, by the table of the core, and stand in its
banner; a test compares them with what the simulator counts.

What stands in folders `thumb` is of the backend armv7m, too, without a change. Files of both
include it, each function in its place in the object.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from types import ModuleType

from gen.armv6m import blocks as armv6m_blocks
from gen.armv6m import both as armv6m_both
from gen.armv6m import field as armv6m_field
from gen.armv6m import p256 as armv6m_p256
from gen.armv6m import p384 as armv6m_p384
from gen.armv6m import p448 as armv6m_p448
from gen.armv6m import p521 as armv6m_p521
from gen.armv6m import p25519 as armv6m_p25519
from gen.armv6m import points as armv6m_points
from gen.armv6m import sparse as armv6m_sparse
from gen.armv6m.field import mod_add, mod_once, mod_sub, redc_secp256k1, redc_secp384r1
from gen.armv6m.long import enter, inner_mul256, inner_sqr256, leave, mul256, sqr256
from gen.armv6m.longer import (
    inner_mul384,
    inner_sqr384,
    mul192,
    mul384,
    mul512,
    sqr192,
    sqr384,
    sqr512,
)
from gen.armv6m.longer import rows as armv6m_rows
from gen.armv6m.products import mul128, sqr128
from gen.armv6m.sparse import Prime
from gen.armv6m.writer import CORES, Writer
from gen.assembly_files import SRC, file_text, short

COMMAND = "lib/gen/gen_armv6m.py"
PRIMES = (
    ("secp384r1", 12, "2^384 - 2^128 - 2^96 + 2^32 - 1", redc_secp384r1, 20),
    ("secp256k1", 8, "2^256 - 2^32 - 977", redc_secp256k1, 36),
)  # name, words, form, what writes its reduction, bytes of its stack
SPARSE = {field.name: field for field in (*armv6m_sparse.PRIMES, armv6m_p521.PRIME)}
IN_LOOPS = [field.name for field in armv6m_sparse.PRIMES]  # curves with products of blocks, too
GOLDEN = {
    "mul": "r0 = r1 r2",
    "sqr": "r0 = r1^2",
    "add": "r0 = r1 + r2",
    "sub": "r0 = r1 - r2",
    "small": "r0 = r1 times the word at r2",
    "select": "r0 = r2 where the mask r3 is all ones, else r1",
}
SHARED: dict[str, tuple[str, ...]] = {
    "mp/thumb/add": ("mp_add",),
    "mp/thumb/select": ("mp_cmov", "mp_cswap"),
    "mp/thumb/lookup_words": ("mp_lookup_words",),
    "mp/thumb/mac_row": ("mp_mac_row",),
    "mp/thumb/mul": ("mul384", "mul192", "mp_mul_12", "mp_mul_16", "mp_mul_8", "rows256"),
    "mp/thumb/sqr": ("sqr384", "sqr192", "mp_sqr_12", "mp_sqr_16", "mp_sqr_8"),
    "mp/thumb/sub": ("mp_sub",),
    "field/thumb/inv": ("inv_follow_15", "inv_reduce_15", "inv_steps_15"),
    "field/thumb/mod": tuple(
        f"mod_{name}_{n}" for name in ("add", "once", "sub") for n in (12, 16, 8)
    ),
    "field/thumb/redc": ("redc_secp256k1", "redc_secp256r1", "redc_secp384r1"),
    "field/thumb/p25519_ladder": ("p25519_both", "p25519_ladder"),
    "field/thumb/p25519_product": ("p25519_product",),
    "field/thumb/p25519_rows": ("p25519_rows_mul", "p25519_rows_run", "p25519_rows_sum"),
    "field/thumb/p25519_run": ("p25519_run",),
    "field/thumb/p25519_select": ("p25519_select",),
    "field/thumb/p25519_square": ("p25519_square",),
    "field/thumb/secp256r1_fe": ("secp256r1_fe_mul", "secp256r1_fe_sqr"),
    "field/thumb/secp256r1_plus": ("secp256r1_least_minus", "secp256r1_plus"),
    "field/thumb/secp256r1_rows": (
        "secp256r1_rows_linear", "secp256r1_rows_mul", "secp256r1_rows_run", "secp256r1_rows_sum",
    ),
    "field/thumb/secp256r1_run": ("secp256r1_run",),
    "field/thumb/sparse": tuple(
        f"{curve}_{name}"
        for curve in (*SPARSE, "secp384r1")
        for name in ("add", "fe_mul", "fe_sqr", "half", "mul", "redc", "sqr", "sub")
        if (curve, name) != ("secp521r1", "redc")  # each core has its own
    )
    + tuple(f"{curve}_{name}" for curve in SPARSE for name in ("fe_add", "fe_sub"))
    + tuple(f"{curve}_{name}" for curve in IN_LOOPS for name in ("both", "fe_both"))
    + tuple(f"p448_{name}" for name in list(GOLDEN)[2:])
    + tuple(f"p448_fe_{name}" for name in list(GOLDEN)[:5]),
    "group/thumb/secp256r1": ("secp256r1_pt_add", "secp256r1_pt_double"),
    "group/thumb/sparse": tuple(
        f"{curve}_{name}" for curve in (*SPARSE, "secp384r1") for name in ("pt_add", "pt_double")
    )
    + tuple(f"{curve}_ladder_step" for curve in SPARSE)
    + ("p448_pt_run", "p448_xz_steps"),
}  # fmt: skip
HAND = {
    "mp/armv6m/mp": ("ecfit_mp_lookup",),
    "field/armv6m/p25519": ("ecfit_p25519_run_as_mul",),
    "field/armv6m/secp256r1": ("ecfit_secp256r1_run_blocks",),
    "field/thumb/redc": ("ecfit_redc_secp256r1",),
}  # of generated files, the functions written by hand
LOST = " * For the functions of this backend alone: all registers are lost but r9 and sp.\n"
OWN = ("mp/armv6m/mp", "field/armv6m/p25519", "field/armv6m/secp256r1")
ON_M3: dict[str, tuple[int, int | str]] = {
    "ecfit_mp_mul_8": (120, 951),
    "ecfit_mp_mul_12": (192, 2094),
    "ecfit_mp_mul_16": (280, 3460),
    "ecfit_mp_sqr_8": (96, 638),
    "ecfit_mp_sqr_12": (160, 1403),
    "ecfit_mp_sqr_16": (252, 2404),
    "ecfit_p25519_ladder": (196, 8899),
    "ecfit_p25519_product": (192, 1068),
    "ecfit_p25519_square": (168, 755),
    "ecfit_secp256r1_fe_mul": (192, 1066),
    "ecfit_secp256r1_fe_sqr": (168, 753),
    "ecfit_secp256r1_pt_add": (332, 15892),
    "ecfit_secp256r1_pt_add_affine": (332, 10999),
    "ecfit_secp256r1_pt_double": (260, 7572),
    "ecfit_secp384r1_fe_mul": (296, 2390),
    "ecfit_secp384r1_fe_sqr": (264, 1699),
    "ecfit_secp384r1_pt_add": (500, 35923),
    "ecfit_secp384r1_pt_add_affine": (500, 24788),
    "ecfit_secp384r1_pt_double": (396, 17130),
    "ecfit_secp128r1_fe_add": (32, 69),
    "ecfit_secp128r1_fe_both": (112, 608),
    "ecfit_secp128r1_fe_mul": (108, 357),
    "ecfit_secp128r1_fe_sqr": (92, 270),
    "ecfit_secp128r1_fe_sub": (32, 62),
    "ecfit_secp128r1_ladder_step": (112, 3754),
    "ecfit_secp128r1_pt_add": (184, 5301),
    "ecfit_secp128r1_pt_add_affine": (184, 3727),
    "ecfit_secp128r1_pt_double": (144, 2669),
    "ecfit_secp160r1_fe_add": (32, 85),
    "ecfit_secp160r1_fe_both": (128, 1240),
    "ecfit_secp160r1_fe_mul": (168, 907),
    "ecfit_secp160r1_fe_sqr": (148, 694),
    "ecfit_secp160r1_fe_sub": (32, 69),
    "ecfit_secp160r1_ladder_step": (172, 9475),
    "ecfit_secp160r1_pt_add": (276, 13655),
    "ecfit_secp160r1_pt_add_affine": (276, 9457),
    "ecfit_secp160r1_pt_double": (220, 6640),
    "ecfit_secp192r1_fe_add": (32, 91),
    "ecfit_secp192r1_fe_both": (128, 1160),
    "ecfit_secp192r1_fe_mul": (168, 827),
    "ecfit_secp192r1_fe_sqr": (148, 614),
    "ecfit_secp192r1_fe_sub": (32, 78),
    "ecfit_secp192r1_ladder_step": (172, 8658),
    "ecfit_secp192r1_pt_add": (276, 12438),
    "ecfit_secp192r1_pt_add_affine": (276, 8640),
    "ecfit_secp192r1_pt_double": (220, 6061),
    "ecfit_secp224r1_fe_add": (32, 119),
    "ecfit_secp224r1_fe_both": (144, 1947),
    "ecfit_secp224r1_fe_mul": (192, 1073),
    "ecfit_secp224r1_fe_sqr": (168, 760),
    "ecfit_secp224r1_fe_sub": (32, 92),
    "ecfit_secp224r1_ladder_step": (196, 11162),
    "ecfit_secp224r1_pt_add": (332, 16081),
    "ecfit_secp224r1_pt_add_affine": (332, 11153),
    "ecfit_secp224r1_pt_double": (260, 7764),
    "ecfit_secp521r1_fe_add": (32, 194),
    "ecfit_secp521r1_fe_mul": (424, 3679),
    "ecfit_secp521r1_fe_sqr": (396, 2537),
    "ecfit_secp521r1_fe_sub": (32, 193),
    "ecfit_secp521r1_ladder_step": (428, 38067),
    "ecfit_secp521r1_pt_add": (724, 54698),
    "ecfit_secp521r1_pt_add_affine": (724, 37569),
    "ecfit_secp521r1_pt_double": (572, 25482),
    "ecfit_p448_fe_add": (32, 184),
    "ecfit_p448_fe_mul": (312, 2951),
    "ecfit_p448_fe_small": (32, 306),
    "ecfit_p448_fe_sqr": (284, 1978),
    "ecfit_p448_fe_sub": (32, 184),
    "ecfit_p448_pt_run": (324, 28221),
    "ecfit_p448_xz_steps": (328, "38 + 24322 n"),
}  # of shared functions for C: bytes of stack, cycles of a Cortex-M3


def inner_text(name: str, what: str, w: Writer) -> str:
    """An inner function."""
    lines = "\n".join(w.lines)
    cost = ", ".join(f"{w.cycles[core]} ({core})" for core in CORES)
    kept = "r1 and r9" if "sqr" in name else "r1, r2 and r9"
    return (
        f"/* {name}: {what}\n"
        f" * For the functions of this backend alone: all registers are lost but {kept};\n"
        " * r0 ends behind the result.\n"
        f" * {cost} cycles from entry to return.\n */\n"
        f"    inner   {name}\n{lines}\n    endfunction {name}\n"
    )


def routine_text(name: str, what: str, w: Writer) -> str:
    """An inner function that keeps nothing."""
    lines = "\n".join(w.lines)
    cost = ", ".join(f"{w.cycles[core]} ({core})" for core in CORES)
    return (
        f"/* {name}: {what}\n{LOST}"
        f" * {cost} cycles from entry to return.\n */\n"
        f"    inner   {name}\n{lines}\n    endfunction {name}\n"
    )


def outer_text(  # noqa: PLR0917 - what a banner says, in its order
    name: str,
    parameters: str,
    what: str,
    stack: int,
    w: Writer,
    begins: str = "function",
    costs: Mapping[str, str] = {},
) -> str:
    """A function that C calls. `costs`: cycles that are no number."""
    lines = "\n".join(w.lines)
    cost = ", ".join(f"{costs.get(core) or w.cycles[core]} ({core})" for core in CORES)
    room = f"{stack} bytes"
    if name in ON_M3:
        stack_on_m3, cycles = ON_M3[name]
        cost += f", {cycles} (cortex-m3)"
        room += f", {stack_on_m3} with armv7m" if stack_on_m3 != stack else ""
    return (
        f"/* void {name}({parameters})\n * {what}\n"
        f" * CT: values   Clobbers: r0-r3, r12, flags   Stack: {room}\n"
        f" * Cost: {cost}\n */\n"
        f"    {begins:<8} {name}\n{lines}\n    endfunction {name}\n"
    )


REDC = """\
/* mp_word ecfit_mod_redc(mp_word *t, const mp_word *m, mp_word inv, size_t n)
 * t = t + q m with the lowest n words 0, by Montgomery's reduction; returns the carry.
 * in: t: 2n words, m: n words, the prime of a Brainpool curve, inv = -1/m mod 2^32
 * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: {} bytes
 * Cost: {}
 */
    function ecfit_mod_redc
{}
    endfunction ecfit_mod_redc
"""


def redc() -> str:
    """Montgomery's reduction, with what it costs at some lengths."""
    costs, lines = [], ""
    for n in armv6m_field.LENGTHS:
        w = Writer()
        armv6m_field.redc_of_any(w, n)
        costs += [f"{w.cycles[core]} ({core}, n = {n})" for core in CORES]
        lines = "\n".join(w.lines)
    text = "\n * ".join(wrap(", ".join(costs), 88))
    return REDC.format(armv6m_field.FRAME + 20, text, lines)


MUL64 = "r0, r3, r6, r7 = (2^32 r2 + r1) (2^32 r4 + r3)"
SQR64 = "r0, r1, r3, r7 = (2^32 r2 + r1)^2"


def functions() -> dict[str, str]:
    """Each function, with its banner."""
    inner_mul, inner_sqr = Writer(), Writer()
    mul128(inner_mul)
    sqr128(inner_sqr)
    calls = {"ecfit_mul128": inner_mul.cycles, "ecfit_sqr128": inner_sqr.cycles}
    found = {
        "ecfit_mul128": inner_text("ecfit_mul128", "r0 = r1 * r2, four words each", inner_mul),
        "ecfit_sqr128": inner_text("ecfit_sqr128", "r0 = r1^2, four words", inner_sqr),
    }
    for name, what, write_product in (
        ("mul64", MUL64, armv6m_blocks.blocks_mul64),
        ("sqr64", SQR64, armv6m_blocks.blocks_sqr64),
        ("mul192", "r0 = r1 * r2, six words each", mul192),
        ("sqr192", "r0 = r1^2, six words", sqr192),
        ("mul96", "r0 = r1 * r2, three words each; r0 ends behind the result", armv6m_p448.mul96),
        ("sqr96", "r0 = r1^2, three words; r0 ends behind the result", armv6m_p448.sqr96),
        ("mul224", "r0 = r1 * r2, seven words each", armv6m_p448.mul224),
        ("sqr224", "r0 = r1^2, seven words", armv6m_p448.sqr224),
        ("mul256", "r0 = r1 * r2, eight words each", inner_mul256),
        ("sqr256", "r0 = r1^2, eight words", inner_sqr256),
        ("mul384", "r0 = r1 * r2, twelve words each", inner_mul384),
        ("sqr384", "r0 = r1^2, twelve words", inner_sqr384),
        ("mul521", "r0 = r1 * r2.   in: 18 words each below 2^521", armv6m_p521.mul521),
        ("sqr521", "r0 = r1^2.   in: 18 words below 2^521", armv6m_p521.sqr521),
    ):
        w = Writer(calls)
        write_product(w)
        calls[f"ecfit_{name}"] = w.cycles
        found[f"ecfit_{name}"] = routine_text(f"ecfit_{name}", what, w)
    for n, big, little in ((8, 112, 84), (12, 184, 148), (16, 272, 240)):
        product, power = Writer(calls), Writer(calls)
        {8: mul256, 12: mul384, 16: mul512}[n](product)
        {8: sqr256, 12: sqr384, 16: sqr512}[n](power)
        calls |= {f"ecfit_mp_mul_{n}": product.cycles, f"ecfit_mp_sqr_{n}": power.cycles}
        found[f"ecfit_mp_mul_{n}"] = outer_text(
            f"ecfit_mp_mul_{n}", "mp_word *t, const mp_word *a, const mp_word *b",
            f"t = a * b.   in: {n} words each; out: {2 * n}, not a or b", big, product,
        )  # fmt: skip
        found[f"ecfit_mp_sqr_{n}"] = outer_text(
            f"ecfit_mp_sqr_{n}", "mp_word *t, const mp_word *a",
            f"t = a^2.   in: {n} words of any value; out: {2 * n}, not a", little, power,
        )  # fmt: skip
    found["ecfit_mod_redc"] = redc()
    for n in (8, 12, 16):
        for name, sign, write_sum in (("add", "+", mod_add), ("sub", "-", mod_sub)):
            w = Writer()
            write_sum(w, n)
            found[f"ecfit_mod_{name}_{n}"] = outer_text(
                f"ecfit_mod_{name}_{n}",
                "mp_word *r, const mp_word *a, const mp_word *b, const mp_word *m",
                f"r = a {sign} b mod m, {n} words.   in: a, b below m; r may be a or b", 20, w,
            )  # fmt: skip
    for n in (8, 12, 16):
        w, name = Writer(), f"ecfit_mod_once_{n}"
        mod_once(w, n)
        found[name] = outer_text(
            name, "mp_word *r, const mp_word *t, mp_word carry, const mp_word *m",
            f"r = t + carry B^{n} - m, if that is not negative, else t."
            "   in: below 2 m; r may be t", 20, w,
        )  # fmt: skip
    for prime, n, form, write, stack in PRIMES:
        w = Writer()
        write(w)
        found[f"ecfit_redc_{prime}"] = outer_text(
            f"ecfit_redc_{prime}", "mp_word *r, mp_word *t",
            f"r = t/2^{32 * n} mod p = {form}.\n"
            f" * in: t below p 2^{32 * n}, lost; out: below p", stack, w,
        )  # fmt: skip
    found["ecfit_both256"] = both(calls)
    found |= p25519(calls)
    found |= points("secp256r1", 8, armv6m_p256, calls)
    found |= points("secp384r1", 12, armv6m_p384, calls)
    found |= secp256r1_small(calls)
    found["ecfit_rows256"] = rows(calls)
    for curve, field in SPARSE.items():
        found |= points(curve, field.words, field, calls)
    return found | golden(calls)


BOTH = {
    "both_mul64": "r7:r3:r1:r0 = r2:r1 r4:r3. All low registers are lost, r8, r10 and r11",
    "both_sqr64": "r7:r3:r1:r0 = (r2:r1)^2. All low registers are lost",
    "both_difference": "r0 = |r1 - what is behind it|, four words each; both go on; r7: its mask",
    "both128": "r0 = r1 r2, four words each; r1, r2 and r9 are kept, r0 ends behind the result",
    "both_block": "r4..r1 += four words from the stack by the mask r7, the flag C, and\n"
    " * r12, r11, r10, r8; carries to r6, r5 = 0",
    "both256": "r0 = r1 r2, eight words each, by squares where r1 is r2\n"
    " * All registers are lost but r9 and sp.",
}  # in the order in which one needs the other

LABELS = {
    "both_mul64": ".balign 4\n8:\n    ",
    "both_sqr64": ".balign 4\n9:\n    ",
}  # whose addresses are taken: of a function's name, an assembler may make an odd one itself


BLOCKS = {
    "blocks_sqr64": BOTH["both_sqr64"],
    "blocks_mul64": "r7:r6:r3:r0 = r2:r1 r4:r3. All low registers are lost, r8 and r10",
    "blocks128": BOTH["both128"] + "\n * By squares where r1 is r2.",
    "blocks_sqr128": "r0 = r1^2, four words; r1, r2 and r9 are kept, r0 ends behind the result",
    "secp256r1_blocks_minus": "r0 = r1 - r2 mod p, 8 words each, below p."
    "\n * r0 ends behind the result",
    "secp256r1_blocks_redc": "the end of a product: r = t/2^256 mod p, below p, of t below"
    "\n * p 2^256, 16 words where sp is. r0 ends behind the result."
    "\n * Behind them: where r goes, and the address to return to",
    "secp256r1_blocks": "r0 = r1 r2/2^256 mod p, 8 words each, below p, by squares where r1 is r2."
    "\n * r0 ends behind the result",
    "secp256r1_blocks_in": "r0 = r0 r2/2^256 mod p, 8 words each, below p, a square where"
    "\n * r0 is r2. r0 ends behind the result",
    "secp256r1_blocks_sqr": "r0 = r0^2/2^256 mod p, 8 words each, below p."
    "\n * r0 ends behind the result",
}  # likewise


def both(calls: dict[str, dict[str, int]]) -> str:
    """The function of products that are squares, too."""
    return whole(calls, armv6m_both, BOTH, "Products of 256 bits that are squares where both")


def blocks(calls: dict[str, dict[str, int]]) -> str:
    """The same with squares of blocks."""
    about = "Products of 256 bits, by squares of 128 where both"
    return whole(calls, armv6m_blocks, BLOCKS, about)


def whole(
    calls: dict[str, dict[str, int]], module: ModuleType, parts: dict[str, str], about: str
) -> str:
    """A product with its parts, which are entries."""
    written = {}
    for name in parts:
        w = Writer(calls)
        getattr(module, name)(w)
        calls[f"ecfit_{name}"] = w.cycles
        if name == "both_mul64":
            calls["r5"] = w.cycles  # what is called by it, when it is a product
        written[name] = w
    texts = []
    for name in reversed(parts):
        cost = ", ".join(f"{written[name].cycles[core]} ({core})" for core in CORES)
        begins = "inner   " if name == list(parts)[-1] else "entry   "
        begins = LABELS.get(name, "") + begins
        lines = "\n".join(written[name].lines)
        alignment = {"both256": ", 4", "secp256r1_blocks_sqr": ", 16"}.get(name, "")
        kind = "square" if "sqr" in name and module is armv6m_blocks else "product"
        said = LOST if name.startswith("secp256r1") else ""
        texts.append(
            f"/* ecfit_{name}: {parts[name]}\n{said}"
            f" * {cost} cycles from entry to return, of a {kind} */\n"
            f"    {begins}ecfit_{name}{alignment}\n{lines}\n"
            f"    endfunction ecfit_{name}\n"
        )
    return f"/* {about} operands are one\n{LOST} */\n" + "\n".join(texts)


ROUTINES = {
    "mul": "r0 = r1 r2 mod 2^255 - 19, below 2^255 + 2^231, 8 words of any value each",
    "sqr": "r0 = r1^2 mod 2^255 - 19, below 2^255 + 2^231, 8 words of any value",
    "both": "r0 = r1 r2 mod 2^255 - 19, below 2^255 + 2^231, 8 words of any value each,\n"
    " * by squares where r1 is r2",
    "add": "r0 = r1 + r2 mod 2^255 - 19, below 2^255 + 2^6, 8 words of any value each",
    "sub": "r0 = r1 - r2 mod 2^255 - 19, below 2^256, 8 words of any value each",
    "select": "r0 = r2 where the mask r3 is all ones, else r1, 8 words each",
    "small": "r0 = r1 times the word at r2 mod 2^255 - 19, below 2^255 + 2^241,\n"
    " * 8 words of any value; the word from 2^16 to 2^17 - 2^9",
}


def p25519(calls: dict[str, dict[str, int]]) -> dict[str, str]:
    """The functions of 2^255 - 19."""
    found = {}
    for name, what in ROUTINES.items():
        w = Writer(calls)
        getattr(armv6m_p25519, name)(w)
        calls[f"ecfit_p25519_{name}"] = w.cycles
        found[f"ecfit_p25519_{name}"] = routine_text(f"ecfit_p25519_{name}", what, w)
    branch = Writer()
    branch.taken("bne", "1f")  # where it is not, an ADR comes behind: 2 cycles
    product, square = calls["ecfit_both_mul64"], calls["ecfit_both_sqr64"]
    saved = {c: 9 * (product[c] - square[c]) + branch.cycles[c] - 2 for c in CORES}
    for name, less, stack in (("ladder", None, 184), ("ladder_as_mul", saved, 196)):
        w = Writer(calls)
        armv6m_p25519.xz_step(w, less)
        found[f"ecfit_p25519_{name}"] = outer_text(
            f"ecfit_p25519_{name}", "mp_word *reg, mp_word mask",
            "xz_step of group/xz_codes.inc on registers of 8 words, after exchanging 0 and 1\n"
            " * with 2 and 3 where the mask is all ones.   in: any values; register 5: "
            "ecfit_p25519_run", stack, w,
        )  # fmt: skip
    for name, full, parameters, what, stack in (
        ("mul", "product", "mp_word *r, const mp_word *a, const mp_word *b", "a b", 180),
        ("both", "product_as_mul", "mp_word *r, const mp_word *a, const mp_word *b", "a b", 192),
        ("sqr", "square", "mp_word *r, const mp_word *a", "a^2", 152),
    ):
        w = Writer(calls)
        enter(w)
        w("bl", f"ecfit_p25519_{name}")
        leave(w)
        found[f"ecfit_p25519_{full}"] = outer_text(
            f"ecfit_p25519_{full}", parameters,
            f"r = {what} mod 2^255 - 19, below 2^255 + 2^231.   in: 8 words of any value; "
            "r may be an operand", stack, w,
        )  # fmt: skip
    return found


RUN_448 = {"cortex-m0plus": "39792", "cortex-m0": "40111"}  # of the first formula
STACKS_448 = {"mul": 304, "sqr": 272, "add": 32, "sub": 32, "small": 32}


def golden(calls: dict[str, dict[str, int]]) -> dict[str, str]:
    """Those of 2^448 - 2^224 - 1."""
    found = {}
    for name, what in GOLDEN.items():
        w, full = Writer(calls), f"ecfit_p448_{name}"
        getattr(armv6m_p448, name)(w)
        calls[full] = w.cycles
        more = ";\n * the word from 2^0 to 2^16 - 1" if name == "small" else ""
        found[full] = routine_text(
            full, f"{what}.   in: 14 words of any value{more}\n * out: of any value", w
        )
        if name == "select":
            continue
        w = Writer(calls)
        enter(w)
        w("bl", full)
        leave(w)
        two = name != "sqr"
        found[f"ecfit_p448_fe_{name}"] = outer_text(
            f"ecfit_p448_fe_{name}",
            "mp_word *r, const mp_word *a" + ", const mp_word *b" * two,
            f"r = {OPS_448[name]} mod p.   in: 14 words of any value{more}; r may be an operand\n"
            " * out: of any value", STACKS_448[name], w,
        )  # fmt: skip
    w = Writer(calls)
    turn = armv6m_p448.ladder(w)
    found["ecfit_p448_xz_steps"] = outer_text(
        "ecfit_p448_xz_steps", "mp_word *reg, mp_word exchanges, size_t n",
        "xz_step of group/xz_codes.inc on registers of 14 words of any value, n times, n more\n"
        " * than 0; first exchanges registers 0 and 1 with 2 and 3 where a bit is set, of\n"
        " * exchanges from bit 31 on", 320, w,
        costs={core: f"{w.cycles[core] - turn[core]} + {turn[core]} n" for core in CORES},
    )  # fmt: skip
    w = Writer(calls)
    armv6m_p448.run(w)
    text = outer_text(
        "ecfit_p448_pt_run", "mp_word *reg, const uint16_t *code, const mp_word *small",
        "A formula of lib/src/group, as field/op.h has it, on registers of 14 words of any value;\n"
        " * OP_SMALL is a product with the word at small, from 2^0 to 2^16 - 1.", 316, w,
        costs=RUN_448,
    )  # fmt: skip
    found["ecfit_p448_pt_run"] = re.sub(r"\((cortex-\w+)\)", r"(\1, n = 0)", text)
    return found


OPS_448 = {
    "mul": "a b",
    "sqr": "a^2",
    "add": "a + b",
    "sub": "a - b",
    "small": "a times the word at b",
}
LEAST = "ecfit_secp256r1_least_"  # names of those that the smallest interpreter has for itself


def secp256r1_small(calls: dict[str, dict[str, int]]) -> dict[str, str]:
    """Those of P-256 with one function for products and squares: it, and two sums with one end."""
    curve, p256 = "ecfit_secp256r1", armv6m_p256
    plus, minus, back = Writer(), Writer(), Writer()
    p256.plus(plus)
    p256.minus(minus)
    p256.back(back)
    plus.cycles = {core: plus.cycles[core] + back.cycles[core] for core in CORES}
    redc = Writer(calls)
    p256.reduce(redc)
    redc.cycles = {core: redc.cycles[core] + back.cycles[core] for core in CORES}
    calls[f"{curve}_reduce"] = redc.cycles
    words = "mod p, 8 words each, below p"
    begins = routine_text(f"{curve}_plus", f"r0 = r1 + r2 {words}", plus)
    ends = routine_text(f"{curve}_minus", f"r0 = r1 - r2 {words}", minus)
    reduction = routine_text(
        f"{curve}_reduce",
        "r0 = t/2^256 mod p, below p, of t below p 2^256,\n * 16 words where sp is", redc,
    )  # fmt: skip
    least = (ends + reduction.replace("    inner  ", "    entry  ")).replace(f"{curve}_", LEAST)
    what = "r0 = r1 r2/2^256 mod p, 8 words each, below p, by squares where r1 is r2"
    w = Writer(calls)
    p256.both(w)
    found = {
        f"{LEAST}minus": least,
        f"{curve}_plus": begins + (ends + reduction).replace("    inner  ", "    entry  "),
        f"{curve}_both": routine_text(f"{curve}_both", what, w),
        f"{curve}_blocks": blocks(calls),
    }
    w = Writer(calls)
    armv6m_blocks.ladder_step(w)
    found[f"{curve}_ladder_step"] = outer_text(
        f"{curve}_ladder_step", "mp_word *reg",
        "ladder_step of group/jacobian_codes.inc on registers of 8 words below p", 184, w,
    )  # fmt: skip
    return found


STACKS = {
    "secp256r1": {"mul": 184, "sqr": 156, "double": 252, "add": 324},
    "secp384r1": {"mul": 288, "sqr": 252, "double": 388, "add": 492},
}  # of the functions for C


def rows(calls: dict[str, dict[str, int]]) -> str:
    """The product in loops, a way in for each length."""
    text = []
    for bits, words in ((256, "eight"), (192, "six"), (128, "four")):
        w = Writer(calls)
        armv6m_rows(w, bits)
        calls[f"ecfit_rows{bits}"] = w.cycles
        w.lines = w.lines[: None if bits == 128 else 2]
        one = routine_text(f"ecfit_rows{bits}", f"r0 = r1 * r2, {words} words each", w)
        text.append(one if bits == 256 else one.replace("    inner   ", "    entry   "))
    return "".join(text)


PRODUCTS = {128: (28, 8), 192: (76, 60), 256: (80, 52), 521: (232, 200)}
"""Bytes of stack, of a square."""


def stacks(field: Prime) -> dict[str, int]:
    """Those of a sparse prime."""
    n, (mul, sqr) = field.words, PRODUCTS[field.bits]
    least = 8 + 8 * n
    double, add = 36 + 8 * n + least + mul, 44 + 16 * n + least + mul
    return {
        "both": 32 + least + 36,
        "mul": 32 + least + mul,
        "sqr": 32 + least + sqr,
        "double": double,
        "add": add,
    }


def points(
    curve: str, n: int, field: ModuleType | Prime, calls: dict[str, dict[str, int]]
) -> dict[str, str]:
    """Those of a curve: its field's routines, and doubling and addition as calls of them."""
    found = {}
    stack = stacks(field) if isinstance(field, Prime) else STACKS[curve]
    words = f"mod p, {n} words each, below p"
    both = (
        {"both": f"r0 = r1 r2/2^{32 * n} {words}, also where r1 is r2"} if curve in IN_LOOPS else {}
    )
    most = 521 if curve == "secp521r1" else 32 * n
    routines = {
        "redc": f"r0 = t/2^{32 * n} mod p, below p, of t below p 2^{most},\n"
        f" * {2 * n} words where sp is",
        "mul": f"r0 = r1 r2/2^{32 * n} {words}",
        "sqr": f"r0 = r1^2/2^{32 * n} {words}",
        "add": f"r0 = r1 + r2 {words}",
        "sub": f"r0 = r1 - r2 {words}",
        "half": f"r0 = r1/2 {words}",
    } | both
    for name, what in routines.items():
        w = Writer(calls)
        getattr(field, name)(w)
        calls[f"ecfit_{curve}_{name}"] = w.cycles
        found[f"ecfit_{curve}_{name}"] = routine_text(f"ecfit_{curve}_{name}", what, w)
    two = "mp_word *r, const mp_word *a, const mp_word *b"
    for name, parameters, what in (
        ("mul", two, "a b"),
        ("sqr", "mp_word *r, const mp_word *a", "a^2"),
        *(("both", two, "a b") for _ in both),
    ):
        w = Writer(calls)
        enter(w)
        w("bl", f"ecfit_{curve}_{name}")
        leave(w)
        found[f"ecfit_{curve}_fe_{name}"] = outer_text(
            f"ecfit_{curve}_fe_{name}", parameters,
            f"r = {what}/2^{32 * n} mod p.   in: {n} words below p; r may be an operand",
            stack[name], w,
        )  # fmt: skip
    if curve in SPARSE:  # P-384 has few outside of formulas
        for name, sign in (("add", "+"), ("sub", "-")):
            w = Writer(calls)
            enter(w)
            w("bl", f"ecfit_{curve}_{name}")
            leave(w)
            found[f"ecfit_{curve}_fe_{name}"] = outer_text(
                f"ecfit_{curve}_fe_{name}", "mp_word *r, const mp_word *a, const mp_word *b",
                f"r = a {sign} b mod p.   in: {n} words below p; r may be an operand", 32, w,
            )  # fmt: skip
        w, full = Writer(calls), f"ecfit_{curve}_ladder_step"
        armv6m_points.ladder_step(w, curve, 4 * n)
        found[full] = outer_text(
            full, "mp_word *reg",
            f"ladder_step of group/jacobian_codes.inc on registers of {n} words below p",
            4 + stack["mul"], w,
        )  # fmt: skip
    exact = "Neither the neutral element; returns all ones where r = q (r is garbage then), or 0."
    point = "mp_word *r, const mp_word *qxy"
    w = Writer(calls)
    by_square = n > 8  # of 8 words a square saves little more than the sums cost
    armv6m_points.doubling(w, curve, 4 * n, by_square=by_square)
    double = outer_text(
        f"ecfit_{curve}_pt_double", "mp_word *r",
        f"r = 2 r in Jacobian coordinates, {3 * n} words below p, any point.   "
        f"{4 - by_square} mul, {4 + by_square} sqr",
        stack["double"], w,
    )  # fmt: skip
    w, mixed, full = Writer(calls), Writer(), f"ecfit_{curve}_pt_add"
    fewer = armv6m_points.addition(w, curve, 4 * n, by_square=by_square)
    armv6m_points.affine(mixed)
    mixed.cycles = {core: cycles + fewer[core] for core, cycles in mixed.cycles.items()}
    add = outer_text(
        full, f"{point}, const mp_word *qz",
        "r = r + q in Jacobian coordinates; q is affine when qz is 0.\n"
        f" * {8 - by_square} mul, {3 + by_square} sqr, with qz {12 - by_square} mul, "
        f"{4 + by_square} sqr; not CT: whether qz is 0\n * {exact}",
        stack["add"], w,
    )  # fmt: skip
    affine = outer_text(
        f"{full}_affine", point, f"r = r + q for q affine: {full}",
        stack["add"], mixed, "entry",
    )  # fmt: skip
    found[f"ecfit_{curve}_pt_double"] = double
    found[full] = (add + affine).replace("void", "mp_word")
    return found


def included(name: str) -> dict[str, str]:
    """What a back end's file includes, each with its first function."""
    layer, _, stem = name.split("/")
    begins = f"{layer}/thumb/" + (f"{stem}_" if layer == "field" else "")
    return {
        f"{shared}.S": f"ecfit_{names[0]}"
        for shared, names in SHARED.items()
        if shared.startswith(begins)
    }


def generated() -> dict[Path, str]:
    """Each file and its text."""
    place = {f"ecfit_{name}": file for file, names in SHARED.items() for name in names}
    files: dict[str, dict[str, str]] = {name: {} for name in OWN}
    for name, text in functions().items():
        field = short(name).partition("_")[0]
        own = f"field/armv6m/{field}" if field in {"p25519", "secp256r1"} else "mp/armv6m/mp"
        files.setdefault(place.get(name, own), {})[name] = text
    return {
        SRC / f"{name}.S": file_text(
            f"{name}.S", COMMAND, written, HAND.get(name, ()), included(name) if name in OWN else {}
        )
        for name, written in files.items()
    }


def main() -> None:
    """Command line: no arguments."""
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
