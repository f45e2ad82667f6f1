#!/usr/bin/env python3
"""Write the assembly of the Cortex-M4, M7 and M33 (ARMv7-M with UMAAL): the folders `armv7em`
of lib/src.

lib/gen/gen_armv7em.py    writes all files; lib/gen/armv7em says how they work
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from gen.armv7em import (
    formulas,
    fpu,
    jacobian,
    k256,
    linear,
    longer,
    p256,
    p384,
    p384_product,
    p25519,
    straight,
    x25519,
)
from gen.armv7em.code import Code
from gen.assembly_files import SRC, file_text, short
from gen.straight.fields import FIELDS, Field

COMMAND = "lib/gen/gen_armv7em.py"
DOMAINS = {
    "secp256r1": ("below p", "below p"),
    "secp256k1": ("below p", "below p"),
    "secp384r1": ("below p", "below p"),
    "p25519": ("of any value", "below 2^255 + 2^230"),
} | {field.name: (field.domain, field.domain) for field in FIELDS}
# of elements, as operands and as results
HAND = {
    "mp/armv7em/mp": tuple(
        f"ecfit_mp_{name}"
        for name in ("add", "cmov", "cswap", "lookup", "mac_row", "mul_blocks", "sub")
    ),
    "field/armv7em/mod": (
        *(f"ecfit_mod_{name}" for name in ("mul", "redc", "rows_add_8")),
        *(f"ecfit_inv_{name}" for name in ("follow", "reduce", "steps")),
    ),
    "group/armv7em/p25519": (
        *(f"ecfit_p25519_edwards_{name}" for name in ("look_up", "look_up_digits", "take_var")),
        "ecfit_p25519_x_ladder",
    ),
    "mul/armv7em/p25519_fpu": ("ecfit_p25519_fpu_clear", "ecfit_p25519_fpu_ladder"),
}  # of generated files, the functions written by hand, by file
WHOLE = ("hash/thumb/sha512_block",)  # files written by hand
WITH_UNIT = "mul/armv7em/p25519_fpu"  # for cores with a floating-point unit
FIRST = ("mp/thumb", "field/thumb/p25519_rows")  # in all.S


class Piece(NamedTuple):
    """A function or a routine of a layer: its file is that of its field, or of the layer."""

    layer: str
    kind: str
    name: str
    banner: tuple[str, ...]
    write: Callable[[Code], None]


def routine(  # noqa: PLR0917 - a row of a table
    field: str,
    name: str,
    what: str,
    cost: int,
    write: Callable[[Code], None],
    out: str = "",
    to: str = "[r0]",
    more: tuple[str, ...] = (),
    small: str = "",
) -> Piece:
    """A routine of a field: called with pointers, keeps sp alone. `to`: where the result is;
    `more`: of its other ways in; `small`: of a word among its operands.
    """
    domain, range_ = DOMAINS[field]
    banner = (
        f"ecfit_{field}_{name}: {to} = {what}.   "
        f"in: pointers to {SIZES.get(field, 8)} words {domain}{small}"
        f"{'; r0 may be one of the others' if to == '[r0]' else ''}",
        *more,
        f"out: {out or range_}   CT: all   Clobbers: all but sp   {cost} cycles (cortex-m4)",
    )
    return Piece("field", "inner", f"ecfit_{field}_{name}", banner, write)


def function(
    name: str, prototype: str, text: tuple[str, ...], stack: int, write: Callable[[Code], None]
) -> Piece:
    """A function that C calls."""
    case = ", n = 0" if name.endswith("_run") else ""
    costs = (f"{n} ({core}{case})" for n, core in zip(COSTS[name], CORES, strict=True))
    banner = (
        prototype,
        *text,
        f"CT: all   Clobbers: r0-r3, r12, flags   Stack: {stack} bytes",
        f"Cost: {', '.join(costs)}",
        *(["n = 0 stands for the complete addition."] if case else ()),
    )
    part = name.split("_")[1]
    runs = name.endswith("_run") and "_pt_" not in name
    field = part in {"mod", "redc"} or "_fe_" in name or runs
    layer = "mp" if part == "mp" else "field" if field else "group"
    return Piece(layer, "function", name, banner, write)


CORES = ("cortex-m4", "cortex-m33")
COSTS = {
    "ecfit_secp256r1_fe_mul": (225, 213),
    "ecfit_secp256r1_fe_sqr": (195, 201),
    "ecfit_secp256r1_fe_add": (86, 80),
    "ecfit_secp256r1_fe_sub": (76, 70),
    "ecfit_secp256r1_fe_negate": (45, 43),
    "ecfit_secp256r1_least_run": (5611, 5141),
    "ecfit_mod_add_8": (111, 97),
    "ecfit_mod_add_12": (179, 164),
    "ecfit_mod_add_16": (235, 212),
    "ecfit_mod_sub_16": (183, 168),
    "ecfit_mod_sub_12": (142, 132),
    "ecfit_mod_reduce_8": (281, 248),
    "ecfit_mod_reduce_12": (440, 428),
    "ecfit_mod_reduce_16": (703, 683),
    "ecfit_mp_mul_16": (596, 518),
    "ecfit_mp_sqr_12": (232, 225),
    "ecfit_mp_sqr_16": (363, 355),
    "ecfit_mp_mul_8": (174, 156),
    "ecfit_mp_mul_12": (351, 309),
    "ecfit_secp256k1_fe_mul": (241, 237),
    "ecfit_secp256k1_fe_sqr": (226, 247),
    "ecfit_secp256k1_fe_add": (87, 81),
    "ecfit_secp256k1_fe_sub": (78, 72),
    "ecfit_secp256k1_pt_double": (1755, 1815),
    "ecfit_secp256k1_pt_add": (3853, 3875),
    "ecfit_secp256k1_pt_add_affine": (2716, 2735),
    "ecfit_secp384r1_fe_mul": (441, 422),
    "ecfit_secp384r1_fe_sqr": (350, 331),
    "ecfit_secp384r1_fe_add": (118, 107),
    "ecfit_secp384r1_fe_sub": (105, 93),
    "ecfit_secp384r1_ladder_step": (4864, 4635),
    "ecfit_secp384r1_ladder_step_as_mul": (5140, 4911),
    "ecfit_secp384r1_pt_double": (3699, 3484),
    "ecfit_secp384r1_pt_double_as_mul": (4067, 3852),
    "ecfit_secp384r1_pt_add_as_mul": (7465, 7089),
    "ecfit_secp384r1_pt_add_affine_as_mul": (5311, 5032),
    "ecfit_secp384r1_pt_add": (7097, 6721),
    "ecfit_secp384r1_pt_add_affine": (5035, 4756),
    "ecfit_mod_sub_8": (88, 78),
    "ecfit_secp256r1_pt_double": (1873, 1833),
    "ecfit_secp256r1_pt_double_as_mul": (2001, 1889),
    "ecfit_secp256r1_pt_add_as_mul": (3651, 3445),
    "ecfit_secp256r1_pt_add_affine_as_mul": (2577, 2433),
    "ecfit_secp256r1_pt_add": (3523, 3389),
    "ecfit_p25519_fe_mul": (191, 176),
    "ecfit_p25519_fe_negate": (49, 45),
    "ecfit_p25519_fe_sqr": (154, 159),
    "ecfit_p25519_xz_steps": ("25 + 1849 n", "22 + 1765 n"),
    "ecfit_p25519_edwards_add_minus1": (2065, 1901),
    "ecfit_p25519_edwards_mixed_minus1": (1547, 1424),
    "ecfit_p25519_edwards_last_minus1": (1376, 1266),
    "ecfit_p25519_edwards_double_minus1": (1553, 1499),
    "ecfit_p25519_edwards_again_minus1": (1382, 1341),
    "ecfit_p25519_edwards_base_minus1": (1395, 1337),
    "ecfit_p25519_edwards_root_minus1": (1032, 987),
    "ecfit_secp256r1_pt_add_affine": (2481, 2391),
    "ecfit_secp128r1_ladder_step": (1015, 968),
    "ecfit_secp128r1_ladder_step_as_mul": (1042, 992),
    "ecfit_secp128r1_pt_double": (859, 805),
    "ecfit_secp128r1_pt_double_as_mul": (895, 837),
    "ecfit_secp128r1_pt_add": (1538, 1437),
    "ecfit_secp128r1_pt_add_as_mul": (1574, 1469),
    "ecfit_secp128r1_pt_add_affine": (1113, 1043),
    "ecfit_secp128r1_pt_add_affine_as_mul": (1140, 1067),
    "ecfit_secp160r1_ladder_step": (1879, 1860),
    "ecfit_secp160r1_ladder_step_as_mul": (1975, 1935),
    "ecfit_secp160r1_pt_double": (1472, 1441),
    "ecfit_secp160r1_pt_double_as_mul": (1600, 1541),
    "ecfit_secp160r1_pt_add": (2806, 2740),
    "ecfit_secp160r1_pt_add_as_mul": (2934, 2840),
    "ecfit_secp160r1_pt_add_affine": (2009, 1958),
    "ecfit_secp160r1_pt_add_affine_as_mul": (2105, 2033),
    "ecfit_secp192r1_ladder_step": (1822, 1739),
    "ecfit_secp192r1_ladder_step_as_mul": (1924, 1826),
    "ecfit_secp192r1_pt_double": (1440, 1358),
    "ecfit_secp192r1_pt_double_as_mul": (1576, 1474),
    "ecfit_secp192r1_pt_add": (2714, 2553),
    "ecfit_secp192r1_pt_add_as_mul": (2850, 2669),
    "ecfit_secp192r1_pt_add_affine": (1954, 1835),
    "ecfit_secp192r1_pt_add_affine_as_mul": (2056, 1922),
    "ecfit_secp224r1_ladder_step": (2343, 2305),
    "ecfit_secp224r1_ladder_step_as_mul": (2496, 2452),
    "ecfit_secp224r1_pt_double": (1827, 1778),
    "ecfit_secp224r1_pt_double_as_mul": (2031, 1974),
    "ecfit_secp224r1_pt_add": (3475, 3382),
    "ecfit_secp224r1_pt_add_as_mul": (3679, 3578),
    "ecfit_secp224r1_pt_add_affine": (2492, 2419),
    "ecfit_secp224r1_pt_add_affine_as_mul": (2645, 2566),
    "ecfit_secp521r1_ladder_step": (7638, 7294),
    "ecfit_secp521r1_ladder_step_as_mul": (8394, 7975),
    "ecfit_secp521r1_pt_double": (5523, 5267),
    "ecfit_secp521r1_pt_double_as_mul": (6531, 6175),
    "ecfit_secp521r1_pt_add": (11219, 10671),
    "ecfit_secp521r1_pt_add_as_mul": (12227, 11579),
    "ecfit_secp521r1_pt_add_affine": (7942, 7556),
    "ecfit_secp521r1_pt_add_affine_as_mul": (8698, 8237),
    "ecfit_secp521r1_fe_mul": (716, 679),
    "ecfit_secp521r1_fe_sqr": (465, 453),
    "ecfit_secp521r1_fe_add": (147, 137),
    "ecfit_secp521r1_fe_sub": (145, 135),
    "ecfit_secp128r1_fe_mul": (97, 91),
    "ecfit_secp128r1_fe_sqr": (89, 84),
    "ecfit_secp128r1_fe_add": (58, 55),
    "ecfit_secp128r1_fe_sub": (50, 47),
    "ecfit_secp160r1_fe_mul": (176, 172),
    "ecfit_secp160r1_fe_sqr": (145, 148),
    "ecfit_secp160r1_fe_add": (65, 60),
    "ecfit_secp160r1_fe_sub": (62, 56),
    "ecfit_secp192r1_fe_mul": (169, 160),
    "ecfit_secp192r1_fe_sqr": (136, 132),
    "ecfit_secp192r1_fe_add": (68, 64),
    "ecfit_secp192r1_fe_sub": (66, 59),
    "ecfit_secp224r1_fe_mul": (217, 213),
    "ecfit_secp224r1_fe_sqr": (167, 165),
    "ecfit_secp224r1_fe_add": (83, 81),
    "ecfit_secp224r1_fe_sub": (73, 66),
    "ecfit_p448_fe_mul": (535, 527),
    "ecfit_p448_fe_sqr": (405, 386),
    "ecfit_p448_fe_add": (134, 124),
    "ecfit_p448_fe_sub": (133, 124),
    "ecfit_p448_fe_small": (114, 107),
    "ecfit_p448_pt_run": (5883, 5750),
    "ecfit_p448_pt_as_mul_run": (5883, 5750),
    "ecfit_p448_xz_steps": ("25 + 5074 n", "22 + 4907 n"),
    "ecfit_p448_xz_steps_as_mul": ("25 + 5717 n", "22 + 5588 n"),
}  # measured by tests/lib/test_assembly.py, which fails where they are wrong


LINES = {
    ("p448", "add"): 109,
    ("p448", "mul"): 510,
    ("p448", "sqr"): 380,
    ("p448", "sub"): 108,
    ("p448", "small"): 89,
    ("p448", "small_add"): 119,
    ("p448", "select"): 68,
    ("p448", "add_sqr"): 460,
    ("p448", "sub_sqr"): 458,
    ("p448", "choice_sqr"): 426,
    ("secp128r1", "add"): 33,
    ("secp128r1", "mul"): 72,
    ("secp128r1", "sqr"): 64,
    ("secp128r1", "sub"): 25,
    ("secp128r1", "add_twice_sub"): 46,
    ("secp128r1", "three_halves"): 41,
    ("secp160r1", "add"): 40,
    ("secp160r1", "mul"): 151,
    ("secp160r1", "sqr"): 120,
    ("secp160r1", "sub"): 37,
    ("secp160r1", "add_twice_sub"): 62,
    ("secp160r1", "three_halves"): 47,
    ("secp192r1", "add"): 43,
    ("secp192r1", "mul"): 144,
    ("secp192r1", "sqr"): 111,
    ("secp192r1", "sub"): 41,
    ("secp192r1", "add_twice_sub"): 72,
    ("secp192r1", "three_halves"): 56,
    ("secp224r1", "add"): 58,
    ("secp224r1", "mul"): 192,
    ("secp224r1", "sqr"): 142,
    ("secp224r1", "sub"): 48,
    ("secp224r1", "add_twice_sub"): 88,
    ("secp224r1", "three_halves"): 77,
    ("secp521r1", "add"): 122,
    ("secp521r1", "mul"): 691,
    ("secp521r1", "sqr"): 440,
    ("secp521r1", "sub"): 120,
    ("secp521r1", "add_twice_sub"): 209,
    ("secp521r1", "three_halves"): 161,
}  # cycles of routines on the Cortex-M4, likewise


def formula(name: str) -> Piece:
    """A formula over 2^255 - 19."""
    steps = formulas.steps_of(name)
    cost = ", ".join(
        f"{sum(step.op == op for step in steps)} {op}" for op in sorted({s.op for s in steps})
    )
    tight = formulas.TIGHT.get(name)
    registers = f", 0 to {tight.stop - 1} below 2^255 + 2^230, also afterwards" if tight else ""
    text: tuple[str, ...] = (
        f"{name} of lib/src/group/{formulas.TABLES[name]}: {cost}",
        f"in: the registers of the formula, 8 words each{registers}",
    )
    full, more, stack = f"ecfit_p25519_{name}", "", 96
    if name == formulas.LADDER:
        full, more, stack = f"{full}s", ", mp_word exchanges, size_t n", 104
        text = (
            *text,
            "n times, n more than 0; first exchanges registers 0 and 1 with 2 and 3 where a bit is "
            "set, of exchanges from bit 31 on",
        )
    prototype = f"void {full}(mp_word *reg{more})"
    return function(full, prototype, text, stack, lambda c: formulas.write(c, name))


IN = "r0 to r7"
STORE_10 = "below p; r10: what was in r0"
STORE_8 = "below p; r8 is kept"


def routines(
    curve: str,
    of: ModuleType,
    costs: tuple[int, int, int, int],
    sums: tuple[int, int],
    differences: tuple[int, int],
) -> tuple[Piece, ...]:
    """Those of a curve of 256 bits; costs of the other ways into sums and differences."""
    name = f"ecfit_{curve}"
    add_on = f"{name}_add_on: with what r9 points to in r0 to r7, {sums[0]} cycles"
    sub_on = f"{name}_sub_on: with what r9 points to in r0 to r7, {differences[0]} cycles"
    three_halves = (
        f"{name}_three_halves_on: 3/2 of what r10 points to and r0 to r7 are, {sums[1]} cycles"
    )
    sub_twice = f"{name}_sub_twice_on: r0 to r7 - 2 [r10], {differences[1]} cycles"
    mul, sqr, add, sub = costs
    return (
        routine(curve, "mul", "[r1] [r2] / R", mul, of.mul, STORE_10, IN),
        routine(curve, "sqr", "[r8]^2 / R", sqr, of.sqr, STORE_10, IN),
        routine(curve, "add", "[r9] + [r10]", add, of.add, STORE_8, IN, (add_on, three_halves)),
        routine(curve, "sub", "[r9] - [r10]", sub, of.sub, STORE_8, IN, (sub_on, sub_twice)),
    )


STRAIGHT = {field.name: field.words for field in FIELDS}
SIZES = {"secp384r1": 12} | STRAIGHT  # words of a field, where it has not 8
FE = "in: 8 words below p; r may be an operand; out: below p"
ANY = "in: 8 words of any value; r may be an operand; out: below 2^255 + 2^230"
POINTERS = "mp_word *r, const mp_word *a, const mp_word *b"


def fused(name: str, what: str, operands: str, stack: int) -> Piece:
    """A field operation of C around its routine."""
    field, op = name.split("_")
    full = f"ecfit_{field}_fe_{op}"
    operation = "" if field in {SMALL, P384} else op
    domain = ANY if field == SMALL else FE.replace("8", str(SIZES.get(field, 8)))
    text = (f"r = {what}.   {domain}",)
    return function(
        full, f"void {full}({operands})", text, stack, jacobian.through(f"ecfit_{name}", operation)
    )


def jacobian_function(  # noqa: PLR0917 - a row of a table
    curve: str,
    name: str,
    parameters: str,
    text: tuple[str, ...],
    stack: int,
    write: Callable[[Code, str], None],
) -> Piece:
    """A formula of a curve."""
    full = f"ecfit_{curve}_{name}"
    returned = "void" if name.startswith("pt_double") else "mp_word"
    return function(
        full, f"{returned} {full}({parameters})", text, stack, lambda c: write(c, curve)
    )


EXCEPTIONS = (
    "Neither the neutral element; returns all ones where r = q (r is garbage then), or 0.",
)


def jacobian_functions(
    curve: str,
    products: tuple[str, str, str] = ("4 mul, 4 sqr", "12 mul, 4 sqr", "8 mul, 3 sqr"),
    stacks: tuple[int, int, int] = (172, 340, 248),
    *,
    as_mul: bool = False,
) -> tuple[Piece, ...]:
    """Those of a curve; bytes of their stacks. `as_mul`: with squares as products."""
    kind = "_as_mul" if as_mul else ""
    words = 3 * SIZES.get(curve, 8)
    return (
        jacobian_function(
            curve,
            "pt_double" + kind,
            "mp_word *r",
            (
                f"r = 2 r in Jacobian coordinates, {words} words below p, any point.   "
                + products[0],
            ),
            stacks[0],
            partial(jacobian.doubling, as_mul=as_mul),
        ),
        jacobian_function(
            curve,
            "pt_add" + kind,
            "mp_word *r, const mp_word *qxy, const mp_word *qz",
            (f"r = r + q in Jacobian coordinates.   {products[1]}", *EXCEPTIONS),
            stacks[1],
            partial(jacobian.addition, as_mul=as_mul),
        ),
        jacobian_function(
            curve,
            "pt_add_affine" + kind,
            "mp_word *r, const mp_word *qxy",
            (f"r = r + q for q affine, r in Jacobian coordinates.   {products[2]}", *EXCEPTIONS),
            stacks[2],
            partial(jacobian.mixed, as_mul=as_mul),
        ),
    )


def modular(op: str, n: int) -> Piece:
    """A sum or a difference modulo any m of n words."""
    name, sign = f"ecfit_mod_{op}_{n}", "+" if op == "add" else "-"
    prototype = f"void {name}({POINTERS}, const mp_word *m)"
    text = (f"r = a {sign} b mod m.   in: {n} words, a, b below m; r may be a or b; out: below m",)
    if n == 8:
        return function(name, prototype, text, 36, partial(linear.modular, add=op == "add"))
    made = straight.of_length(op, n)
    return function(name, prototype, text, 4 * made.words(), partial(straight.write, made=made))


def product(n: int) -> Piece:
    """A product of n words."""
    name = f"ecfit_mp_mul_{n}"
    prototype = f"void {name}(mp_word *t, const mp_word *a, const mp_word *b)"
    text = (f"t = a b.   in: {n} words each; out: {2 * n}, not a or b",)
    return function(name, prototype, text, 36, lambda c: longer.mul(c, n))


def through_square(write: Callable[..., None]) -> Callable[[Code], None]:
    """What a routine leaves, squared."""
    return lambda c: write(c, p25519.squared)


WHAT = {
    "mul": "a b{}",
    "sqr": "a^2{}",
    "add": "a + b",
    "sub": "a - b",
    "small": "a times the word at b",
}


def straight_lines(field: Field) -> Iterator[Piece]:
    """The operations of a field by programs: routines, functions around those that C calls, and the
    formulas of its curve.
    """
    most, each = 0, 4 * field.words
    word = "; the word from 2^0 to 2^17 - 1"
    for op in straight.ops(field):
        if op == "squared":
            continue
        on_stack = op in straight.BEFORE
        made = straight.of_field(field, straight.ends_with(op))
        write = partial(straight.write, made=made)
        if on_stack:
            write = partial(straight.write_square, field=field, op=op)
        what = ROUTINES[op].format(field.divisor)
        small = word if op.startswith("small") else ""
        yield routine(field.name, op, what, LINES[field.name, op], write, small=small)
        most = most if on_stack else max(most, 4 * made.words())
        if op in WHAT:
            full = f"ecfit_{field.name}_fe_{op}"
            text = (
                f"r = {WHAT[op].format(field.divisor)} mod p.   in: {field.words} words "
                f"{field.domain}{small}; r may be an operand; out: {field.domain}",
            )
            prototype = f"void {full}({ONE if op == 'sqr' else TWO})"
            around, stack = jacobian.through(f"ecfit_{field.name}_{op}"), 36 + 4 * made.words()
            yield function(full, prototype, text, stack, around)
    if "three_halves" in straight.ops(field):
        stacks = (most + 2 * each + 48, most + 5 * each + 120, most + 4 * each + 60)
        yield from jacobian_functions(field.name, stacks=stacks)
        products = ("8 mul", "16 mul", "11 mul")
        yield from jacobian_functions(field.name, products, stacks, as_mul=True)
        for as_mul in (False, True):
            exits = straight.exits(field)
            yield line_step(field.name, field.words, most + 36, exits, as_mul=as_mul)
    else:
        square = max(most, 4 * straight.of_field(field, "squared").words())
        for as_mul in (False, True):
            yield ladder(field, (most if as_mul else square) + 44, as_mul=as_mul)
            yield interpreter(field, most + 48, as_mul=as_mul)


WHAT = {
    "mul": "a b{}",
    "sqr": "a^2{}",
    "add": "a + b",
    "sub": "a - b",
    "small": "a times the word at b",
}
ROUTINES = {
    "mul": "[r1] [r2]{}",
    "sqr": "[r1]^2{}",
    "add": "[r1] + [r2]",
    "sub": "[r1] - [r2]",
    "three_halves": "3 [r1] / 2",
    "add_twice_sub": "[r1] + 2 [r2] - [r3]",
    "small": "[r1] times the word at r2",
    "small_add": "[r1] times the word at r2 + [r3]",
    "add_sqr": "([r1] + [r2])^2{}",
    "sub_sqr": "([r1] - [r2])^2{}",
    "choice_sqr": "([r2] where the mask r3 is all ones, else [r1])^2{}",
    "select": "[r2] where the mask r3 is all ones, else [r1]",
}


def ladder(field: Field, stack: int, *, as_mul: bool) -> Piece:
    """The step of Curve448's ladder."""
    name = f"ecfit_{field.name}_xz_steps{'_as_mul' if as_mul else ''}"
    return function(
        name,
        f"void {name}(mp_word *reg, mp_word exchanges, size_t n)",
        (
            "xz_step of lib/src/group/xz_codes.inc on registers of 14 words of any value, n times, "
            "n more than 0; first exchanges registers 0 and 1 with 2 and 3 where a bit is set, of "
            "exchanges from bit 31 on",
        ),
        stack,
        partial(formulas.ladder_448, exits=straight.exits(field), as_mul=as_mul),
    )


def line_step(
    curve: str, words: int, stack: int, exits: Mapping[str, str], *, as_mul: bool
) -> Piece:
    """The step of the ladder on a line."""
    name = f"ecfit_{curve}_ladder_step{'_as_mul' if as_mul else ''}"
    return function(
        name,
        f"void {name}(mp_word *reg)",
        (f"ladder_step of group/jacobian_codes.inc on registers of {words} words below p",),
        stack,
        partial(formulas.ladder_step, curve=curve, size=4 * words, exits=exits, as_mul=as_mul),
    )


def square(n: int) -> Piece:
    """A square of n words."""
    name, made = f"ecfit_mp_sqr_{n}", straight.of_length("sqr", n)
    prototype = f"void {name}(mp_word *t, const mp_word *a)"
    text = (f"t = a^2.   in: {n} words of any value; out: {2 * n}, not a",)
    return function(name, prototype, text, 4 * made.words(), partial(straight.write, made=made))


def reduction(n: int) -> Piece:
    """Montgomery's, modulo any m of n words."""
    name = f"ecfit_mod_reduce_{n}"
    prototype = f"void {name}(mp_word *r, mp_word *t, const mp_word *m, mp_word inv)"
    text = (
        f"r = t/R mod m, below it.   in: t below m R, {2 * n} words, lost; m: {n} words, odd; "
        "inv = -1/m mod 2^32",
    )
    if n == 8:
        return function(name, prototype, text, 52, longer.redc)
    made = straight.of_length("reduce", n)
    return function(name, prototype, text, 4 * made.words(), partial(straight.write, made=made))


def interpreter(field: Field, stack: int, *, as_mul: bool) -> Piece:
    """Of Curve448's formulas."""
    name = f"ecfit_{field.name}_pt_{'as_mul_' if as_mul else ''}run"
    return function(
        name,
        f"void {name}(mp_word *reg, const uint16_t *code, const mp_word *small)",
        (
            "A formula of lib/src/group, as field/op.h has it, on registers of 14 words of any "
            "value; OP_SMALL is a product with the word at small, from 2^0 to 2^17 - 1.",
        ),
        stack,
        partial(formulas.run_448, as_mul=as_mul),
    )


P256, K256, P384, SMALL = "secp256r1", "secp256k1", "secp384r1", "p25519"
TWO, ONE = POINTERS, "mp_word *r, const mp_word *a"
TIGHT = "[r1] + [r2], both below 2^255 + 2^230"
MULTIPLE = "[r1] times a word below 2^17, [r2],"
DIFFERENCE = TIGHT.replace("+", "-", 1)
LOOSE = "below 2^255 + 2^242"
X_DIFFERENCE = "[r1] - [r2], both below 2^255 + 2^254"
ENDS = (
    "ecfit_p25519_x_end: of a product whose columns 0 to 7 are in the frame, the others in HIGH of "
    "lib/gen/armv7em/x25519.py",
    "ecfit_p25519_x_fold: [r4] + r11 times those, r11 below 2^17",
)
FACTOR = ("ecfit_p25519_x_linear: r11 [r1] + [r2], r11 below 2^17",)
R_IN = "in: R r0 to r7, [r8] 8 words"
R_OUT = "   CT: all   Clobbers: r8 to r12"
PRODUCT_OUT = f"out: below 2^255 + 2^230{R_OUT}, lr, s8 to s17"
FPU: tuple[tuple[str, tuple[str, ...], Callable[[Code], None]], ...] = (
    (
        "mul_by",
        (
            f"ecfit_p25519_fpu_mul_by: R = R [r8].   {R_IN} of any value",
            f"{PRODUCT_OUT}, s0 to s7   143 cycles (cortex-m4)",
            "ecfit_p25519_fpu_mul: by s0 to s7, which are kept, 134 cycles",
        ),
        fpu.mul,
    ),
    (
        "choice_sqr",
        (
            "ecfit_p25519_fpu_choice_sqr: R = ([r8] where the mask GE is all ones, else R)^2.   "
            f"{R_IN} of any value",
            f"{PRODUCT_OUT}   111 cycles (cortex-m4)",
            "ecfit_p25519_fpu_sqr: R^2, 92 cycles",
        ),
        fpu.sqr,
    ),
    (
        "add",
        (
            f"ecfit_p25519_fpu_add: R = R + [r8].   {R_IN} of any value",
            f"out: below 2^255 + 2^242{R_OUT}   30 cycles (cortex-m4)",
            "ecfit_p25519_fpu_linear: R + r11 [r8], r11 below 2^17",
        ),
        fpu.linear,
    ),
    (
        "sub",
        (
            f"ecfit_p25519_fpu_sub: R = R - [r8], both below 2^255 + 2^254.   {R_IN}",
            f"out: of any value{R_OUT}   30 cycles (cortex-m4)",
        ),
        fpu.sub,
    ),
)  # routines of which R is an operand and the result
CHOICE = "[r2] where the mask r3 is all ones, else [r1]"
PIECES: tuple[Piece, ...] = (
    *routines(P256, p256, (191, 160, 49, 39), (40, 60), (30, 61)),
    fused("secp256r1_mul", "a b / R mod p", TWO, 96),
    fused("secp256r1_sqr", "a^2 / R mod p", ONE, 96),
    fused("secp256r1_add", "a + b mod p", TWO, 36),
    fused("secp256r1_sub", "a - b mod p", TWO, 36),
    function(
        "ecfit_secp256r1_fe_negate",
        "void ecfit_secp256r1_fe_negate(mp_word *y, mp_word mask)",
        ("y = -y where the mask is all ones.   in: 8 words, 0 < y < p; out: below p",),
        20,
        p256.negate,
    ),
    function(
        "ecfit_secp256r1_least_run",
        "void ecfit_secp256r1_least_run(mp_word *reg, const uint16_t *code)",
        (
            "A formula modulo p of P-256, as field/op.h has it, on registers of 8 words below p, "
            "which products divide by 2^256: with sums in few bytes; squares are products.",
        ),
        104,
        p256.least_run,
    ),
    *jacobian_functions(P256),
    *jacobian_functions(P256, ("8 mul", "16 mul", "11 mul"), as_mul=True),
    *routines(K256, k256, (207, 191, 50, 41), (41, 64), (32, 65)),
    fused("secp256k1_mul", "a b / R mod p", TWO, 96),
    fused("secp256k1_sqr", "a^2 / R mod p", ONE, 96),
    fused("secp256k1_add", "a + b mod p", TWO, 36),
    fused("secp256k1_sub", "a - b mod p", TWO, 36),
    *jacobian_functions(K256, ("3 mul, 4 sqr", "12 mul, 4 sqr", "8 mul, 3 sqr")),
    routine(P384, "mul", "[r1] [r2] / R", 416, p384_product.mul),
    routine(P384, "sqr", "[r1]^2 / R", 325, p384_product.sqr),
    routine(P384, "add", "[r1] + [r2]", 93, p384.add),
    routine(P384, "sub", "[r1] - [r2]", 80, p384.sub),
    routine(P384, "three_halves", "3 [r1] / 2", 126, p384.three_halves),
    routine(
        P384,
        "add_twice_sub",
        ROUTINES["add_twice_sub"],
        140,
        partial(straight.write, made=p384.ADD_TWICE_SUB),
    ),
    fused("secp384r1_mul", "a b / R mod p", TWO, 132),
    fused("secp384r1_sqr", "a^2 / R mod p", ONE, 132),
    fused("secp384r1_add", "a + b mod p", TWO, 44),
    fused("secp384r1_sub", "a - b mod p", TWO, 44),
    *jacobian_functions(P384, stacks=(240, 456, 348)),
    *jacobian_functions(P384, ("8 mul", "16 mul", "11 mul"), (240, 456, 348), as_mul=True),
    *(line_step(P384, 12, 132, p384.EXITS, as_mul=as_mul) for as_mul in (False, True)),
    routine(SMALL, "mul", "[r1] [r2]", 166, p25519.mul),
    routine(SMALL, "sqr", "[r1]^2", 129, p25519.sqr),
    routine(SMALL, "add", "[r1] + [r2]", 53, p25519.add, "of any value"),
    routine(SMALL, "add_tight", TIGHT, 50, p25519.add_tight, "of any value"),
    routine(SMALL, "sub", "[r1] - [r2]", 52, p25519.sub, "of any value"),
    routine(SMALL, "sub_tight", DIFFERENCE, 49, p25519.sub_tight, "of any value"),
    routine(SMALL, "add_sqr", f"({TIGHT})^2", 161, through_square(p25519.add_tight)),
    routine(SMALL, "sub_sqr", f"({DIFFERENCE})^2", 160, through_square(p25519.sub_tight)),
    routine(SMALL, "choice_sqr", f"({CHOICE})^2", 151, through_square(p25519.select)),
    routine(SMALL, "small_add", f"{MULTIPLE} + [r3]", 56, p25519.small_add, LOOSE),
    routine(SMALL, "x_mul", "[r1] [r2]", 175, x25519.mul, LOOSE, more=ENDS),
    routine(SMALL, "x_sqr", "[r1]^2", 139, x25519.sqr, LOOSE),
    routine(SMALL, "x_add", "[r1] + [r2]", 67, x25519.linear, LOOSE, more=FACTOR),
    routine(SMALL, "x_sub", X_DIFFERENCE, 50, x25519.sub, "of any value"),
    *(
        Piece("field", "inner", f"ecfit_p25519_fpu_{name}", banner, write)
        for name, banner, write in FPU
    ),
    fused("p25519_mul", "a b", TWO, 96),
    fused("p25519_sqr", "a^2", ONE, 92),
    function(
        "ecfit_p25519_fe_negate",
        "void ecfit_p25519_fe_negate(mp_word *a, mp_word mask)",
        ("a = 2^256 - 38 - a where mask is all ones.   in: 8 words below 2^256 - 37",),
        20,
        p25519.negate,
    ),
    *(formula(name) for name in formulas.TABLES),
    *(piece for field in FIELDS for piece in straight_lines(field)),
    *(modular(op, n) for n in (8, 12, 16) for op in ("add", "sub")),
    product(8),
    product(12),
    product(16),
    *map(square, straight.SQUARES),
    *map(reduction, (8, *straight.REDUCTIONS)),
)


def place(piece: Piece) -> str:
    """The file of a function."""
    name = short(piece.name)
    field = name.partition("_")[0]
    if piece.layer == "mp":
        return "mp/armv7em/mp"
    if "_fpu_" in name:
        return WITH_UNIT
    if field in {one.name for one in FIELDS}:
        field = "straight"
    return f"{piece.layer}/armv7em/{field}"


def files() -> dict[Path, str]:
    """Each generated file and its text."""
    found: dict[str, dict[str, str]] = {}
    for piece in PIECES:
        code = Code()
        code.begin(piece.kind, piece.name, piece.banner)
        piece.write(code)
        code.end(piece.name)
        found.setdefault(place(piece), {})[piece.name] = code.text()
    texts = {
        name: file_text(f"{name}.S", COMMAND, functions, HAND.get(name, ()))
        for name, functions in found.items()
    }
    every = [name for name in (*FIRST, *sorted((*texts, *WHOLE))) if name != WITH_UNIT]
    texts["mp/armv7em/all"] = (
        "/* mp/armv7em/all.S - every function of the backend\n"
        f" * generated by `{COMMAND}`; do not edit */\n"
        + "".join(f'#include "{name}.S"\n' for name in every)
        + f'#if defined(ECFIT_FPU_IS_WORDS)\n#include "{WITH_UNIT}.S"\n#endif\n'
    )
    return {SRC / f"{name}.S": text for name, text in texts.items()}


def main() -> None:
    """Command line: no arguments."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
