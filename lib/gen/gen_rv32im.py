#!/usr/bin/env python3
"""Write the assembly of RV32IM: what of lib/src/mp/rv32im, field/rv32im, group/rv32im is unrolled.

lib/gen/gen_rv32im.py    writes all files; lib/gen/rv32im says how they work
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from gen.assembly_files import SRC, file_text, short
from gen.rv32im import blocks, formulas, jacobian, k256, linear, loop, p256, p25519, straight
from gen.rv32im.code import Code, frame
from gen.straight.fields import Field

COMMAND = "lib/gen/gen_rv32im.py"
CORES = ("ibex", "ibex-single", "esp32-c3")
CLOBBERS = "CT: all   Clobbers: a0-a7, t0-t6"
DOMAINS = {
    "secp256r1": ("below p", "below p"),
    "secp256k1": ("below p", "below p"),
    "p25519": ("of any value", "below 2^255 + 2^25"),
} | {field.name: (field.domain, field.domain) for field in straight.HERE}
# of elements, as operands and as results
HAND = {
    "mp/rv32im/mp": tuple(
        f"ecfit_mp_{name}" for name in ("add", "cmov", "cswap", "lookup", "mac_row", "sub")
    ),
    "field/rv32im/p25519": tuple(
        f"ecfit_p25519_{name}" for name in ("least_mul", "least_run", "sum")
    ),
    "group/rv32im/p25519": ("ecfit_p25519_edwards_take_var",),
}  # functions written by hand, by file


class Piece(NamedTuple):
    """A function or a routine of a layer: its file is that of its field, or of the layer."""

    layer: str
    kind: str
    name: str
    banner: tuple[str, ...]
    write: Callable[[Code], None]


FREE = "; word 0 of the caller's frame is free"


def routine(
    field: str,
    name: str,
    what: str,
    write: Callable[[Code], None],
    out: str = "",
    *,
    free: str = FREE,
    small: str = "",
) -> Piece:
    """A routine of a field: called with pointers a0, a1, a2, keeps a0, sp, gp, tp and ra; `free`:
    where it may write, too; `small`: of a word among its operands.
    """
    domain, range_ = DOMAINS[field]
    banner = (
        f"ecfit_{field}_{name}: [a0] = {what}.   in: pointers to {jacobian.words(field)} words "
        f"{domain}{small}; a0 may be one of the others{free}",
        f"out: {out or range_}   CT: all   Clobbers: all but a0, sp, gp, tp, ra",
    )
    return Piece("field", "inner", f"ecfit_{field}_{name}", banner, write)


def cost(name: str) -> str:
    """The cost of a function on each core; ibex-single: with the single-cycle multiplier."""
    if name in COSTS:
        return ", ".join(
            f"{cycles} ({core})" for cycles, core in zip(COSTS[name], CORES, strict=True)
        )
    return ", ".join(
        f"{cycles} ({core}, n = {n})"
        for core, row in zip(CORES, COSTS_OF[name], strict=True)
        for n, cycles in zip((0,) if name in RUNS else LENGTHS, row, strict=True)
    )


def function(
    layer: str, prototype: str, text: tuple[str, ...], stack: int, write: Callable[[Code], None]
) -> Piece:
    """A function that C calls: what it takes stands in COSTS."""
    name = prototype.partition("(")[0].split()[-1]
    banner = (
        prototype,
        *text,
        f"{CLOBBERS}   Stack: {stack} bytes",
        "Cost: " + cost(name),
    )
    return Piece(layer, "function", name, banner, write)


COSTS: dict[str, tuple[int | str, ...]] = {
    "ecfit_mod_add_8": (242, 242, 184),
    "ecfit_mod_once_8": (190, 190, 140),
    "ecfit_mod_sub_8": (202, 202, 144),
    "ecfit_mp_lookup_16": (656, 656, 502),
    "ecfit_p25519_fe_mul": (1022, 732, 905),
    "ecfit_p25519_fe_sqr": (684, 506, 595),
    "ecfit_secp256r1_fe_mul": (1051, 795, 944),
    "ecfit_secp256r1_fe_sqr": (719, 575, 640),
    "ecfit_p25519_loop_mul": (1154, 864, 1013),
    "ecfit_p25519_edwards_add_minus1": (9745, 7135, 8684),
    "ecfit_p25519_edwards_again_minus1": (6117, 4535, 5422),
    "ecfit_p25519_edwards_base_minus1": (6369, 4675, 5670),
    "ecfit_p25519_edwards_double_minus1": (7087, 5215, 6301),
    "ecfit_p25519_edwards_last_minus1": (6500, 4760, 5784),
    "ecfit_p25519_edwards_mixed_minus1": (7470, 5440, 6663),
    "ecfit_p25519_edwards_root_minus1": (5302, 3786, 4762),
    "ecfit_p25519_xz_step": (8515, 6319, 7545),
    "ecfit_secp256r1_pt_add": (15558, 11910, 14166),
    "ecfit_secp256r1_pt_add_affine": (10895, 8415, 9885),
    "ecfit_secp256r1_pt_double": (7577, 5977, 6850),
    "ecfit_secp256k1_fe_mul": (1087, 799, 972),
    "ecfit_secp256k1_fe_sqr": (749, 573, 662),
    "ecfit_secp256k1_fe_negate": (60, 60, 52),
    "ecfit_secp256k1_pt_add": (16110, 11950, 14590),
    "ecfit_secp256k1_pt_add_affine": (11273, 8441, 10175),
    "ecfit_secp256k1_pt_double": (6554, 4986, 5901),
    "ecfit_secp128r1_ladder_step": (3315, 2507, 2903),
    "ecfit_secp128r1_fe_mul": (335, 255, 277),
    "ecfit_secp128r1_fe_sqr": (271, 215, 223),
    "ecfit_secp160r1_ladder_step": (5013, 3769, 4460),
    "ecfit_secp160r1_fe_mul": (494, 370, 424),
    "ecfit_secp160r1_fe_sqr": (382, 298, 326),
    "ecfit_secp192r1_ladder_step": (6151, 4747, 5544),
    "ecfit_secp192r1_fe_mul": (609, 465, 534),
    "ecfit_secp192r1_fe_sqr": (436, 352, 379),
    "ecfit_secp224r1_ladder_step": (8141, 6237, 7354),
    "ecfit_secp224r1_fe_mul": (800, 604, 708),
    "ecfit_secp224r1_fe_sqr": (553, 441, 487),
    "ecfit_secp521r1_ladder_step": (41329, 30267, 37325),
    "ecfit_secp521r1_fe_mul": (4142, 2988, 3744),
    "ecfit_secp521r1_fe_sqr": (2373, 1763, 2132),
    "ecfit_secp128r1_pt_add": (4793, 3609, 4197),
    "ecfit_secp128r1_pt_add_affine": (3442, 2634, 3001),
    "ecfit_secp128r1_pt_double": (2521, 1977, 2194),
    "ecfit_secp160r1_pt_add": (7269, 5445, 6469),
    "ecfit_secp160r1_pt_add_affine": (5171, 3927, 4582),
    "ecfit_secp160r1_pt_double": (3717, 2885, 3283),
    "ecfit_secp192r1_pt_add": (8928, 6864, 8050),
    "ecfit_secp192r1_pt_add_affine": (6316, 4912, 5670),
    "ecfit_secp192r1_pt_double": (4465, 3553, 3994),
    "ecfit_secp224r1_pt_add": (11840, 9040, 10701),
    "ecfit_secp224r1_pt_add_affine": (8347, 6443, 7517),
    "ecfit_secp224r1_pt_double": (5862, 4630, 5266),
    "ecfit_secp521r1_pt_add": (60159, 43871, 54438),
    "ecfit_secp521r1_pt_add_affine": (41478, 30416, 37465),
    "ecfit_secp521r1_pt_double": (27382, 20326, 24648),
    "ecfit_brainpoolP256r1_fe_mul": (1874, 1362, 1676),
    "ecfit_brainpoolP256r1_fe_sqr": (1540, 1140, 1376),
    "ecfit_brainpoolP384r1_fe_mul": (3966, 2958, 3553),
    "ecfit_brainpoolP384r1_fe_sqr": (3241, 2353, 2925),
    "ecfit_brainpoolP512r1_fe_mul": (6850, 5058, 6166),
    "ecfit_brainpoolP512r1_fe_sqr": (5619, 4051, 5096),
    "ecfit_brainpoolP256r1_ladder_step": (20143, 14847, 18159),
    "ecfit_brainpoolP256r1_pt_add": (29005, 21261, 26181),
    "ecfit_brainpoolP256r1_pt_add_affine": (20229, 14933, 18236),
    "ecfit_brainpoolP256r1_pt_double": (14487, 10839, 13058),
    "ecfit_brainpoolP384r1_ladder_step": (42511, 31783, 38267),
    "ecfit_brainpoolP384r1_pt_add": (61469, 45821, 55373),
    "ecfit_brainpoolP384r1_pt_add_affine": (42624, 31896, 38371),
    "ecfit_brainpoolP384r1_pt_double": (30268, 22684, 27293),
    "ecfit_brainpoolP512r1_ladder_step": (73249, 54209, 66132),
    "ecfit_brainpoolP512r1_pt_add": (106145, 78369, 95885),
    "ecfit_brainpoolP512r1_pt_add_affine": (73386, 54346, 66260),
    "ecfit_brainpoolP512r1_pt_double": (51992, 38552, 47000),
    "ecfit_p448_fe_mul": (2490, 1902, 2208),
    "ecfit_p448_fe_sqr": (1665, 1329, 1474),
    "ecfit_p448_fe_add": (283, 283, 216),
    "ecfit_p448_fe_sub": (297, 297, 229),
    "ecfit_p448_fe_small": (375, 317, 308),
    "ecfit_p448_xz_steps": ("62 + 21146 n", "62 + 16804 n", "33 + 18747 n"),
    "ecfit_secp384r1_ladder_step": (23175, 17631, 21103),
    "ecfit_secp384r1_fe_mul": (2282, 1706, 2070),
    "ecfit_secp384r1_fe_sqr": (1424, 1112, 1296),
    "ecfit_secp384r1_pt_add": (33580, 25420, 30648),
    "ecfit_secp384r1_pt_add_affine": (23288, 17744, 21207),
    "ecfit_secp384r1_pt_double": (15752, 12200, 14330),
}  # by core; measured by tests/lib/test_assembly.py, which fails where they are wrong
LENGTHS = (8, 12, 16, 18)
COSTS_OF: dict[str, tuple[tuple[int, ...], ...]] = {
    "ecfit_mod_redc": (
        (1374, 2798, 4726, 6509),
        (1042, 2108, 3550, 4879),
        (1182, 2434, 4134, 5705),
    ),
    "ecfit_mp_mul_blocks": (
        (1142, 2451, 4264, 5935),
        (886, 1875, 3240, 4495),
        (990, 2147, 3752, 5235),
    ),
    "ecfit_p25519_loop_run": ((12678,), (10018,), (11314,)),
    "ecfit_p448_pt_run": ((24565,), (19113,), (21743,)),
}  # the same, by core and length
RUNS = {"ecfit_p25519_loop_run", "ecfit_p448_pt_run"}  # whose n is the number of a formula
FE = "in: 8 words below p; r may be an operand; out: below p"
ANY = "in: 8 words of any value; r may be an operand; out: below 2^255 + 2^25"
POINTERS = "mp_word *r, const mp_word *a, const mp_word *b"
ONE = "mp_word *r, const mp_word *a"
P256, K256, SMALL = "secp256r1", "secp256k1", "p25519"


def fused(field: str, op: str, what: str, parameters: str) -> Piece:
    """A field operation of C around its routine."""
    name = f"ecfit_{field}_fe_{op}"
    domain = ANY if field == SMALL else FE.replace("8", str(jacobian.words(field)))
    if field == "p448":
        domain = domain.replace("below p", DOMAINS[field][0])
        domain = domain.replace(";", f"{SMALL_448 * (op == 'small')};", 1)
    text = (f"r = {what}.   {domain}",)
    write = formulas.through(f"ecfit_{field}_{op}")
    stack = formulas.STACK + 4 * jacobian.below(field, op)
    return function("field", f"void {name}({parameters})", text, stack, write)


def formula(name: str) -> Piece:
    """A formula over 2^255 - 19."""
    steps = formulas.chosen(name)
    ops = sorted({step.op for step in steps})
    cost = ", ".join(f"{sum(step.op == op for step in steps)} {op}" for op in ops)
    tight = formulas.TIGHT.get(name)
    registers = f", 0 to {tight.stop - 1} below 2^255 + 2^25, also afterwards" if tight else ""
    text: tuple[str, ...] = (
        f"{name} of lib/src/group/{formulas.TABLES[name]}: {cost}",
        f"in: the registers of the formula, 8 words each{registers}",
    )
    mask = ", mp_word mask" if name == formulas.LADDER else ""
    if mask:
        text = (*text, "first exchanges registers 0 and 1 with 2 and 3 where the mask is all ones")
    prototype = f"void ecfit_p25519_{name}(mp_word *reg{mask})"
    return function("group", prototype, text, formulas.STACK, lambda c: formulas.write(c, name))


def jacobian_functions(field: str, doubling: str) -> tuple[Piece, ...]:
    """The formulas of a short Weierstrass curve. `doubling`: what one costs."""

    words = 3 * jacobian.words(field)

    def one(
        prototype: str, text: tuple[str, ...], elements: int, write: Callable[[Code, str], None]
    ) -> Piece:
        stack = jacobian.stack(field, elements)
        return function("group", prototype, text, stack, lambda c: write(c, field))

    return (
        one(
            f"void ecfit_{field}_pt_double(mp_word *r)",
            (f"r = 2 r in Jacobian coordinates, {words} words below p, any point.   {doubling}",),
            jacobian.DOUBLING,
            jacobian.doubling,
        ),
        one(
            f"mp_word ecfit_{field}_pt_add(mp_word *r, const mp_word *qxy, const mp_word *qz)",
            (
                "r = r + q in Jacobian coordinates; q is affine when qz is 0.",
                "8 mul, 3 sqr, with qz 12 mul, 4 sqr",
                "Neither the neutral element; returns all ones where r = q (r is garbage then), "
                "or 0.",
                "not CT: whether qz is 0",
            ),
            jacobian.ADDITION,
            jacobian.addition,
        ),
        one(
            f"mp_word ecfit_{field}_pt_add_affine(mp_word *r, const mp_word *qxy)",
            (f"r = r + q for q affine: ecfit_{field}_pt_add",),
            jacobian.ADDITION,
            jacobian.affine,
        ),
    )


WHAT = {
    "mul": "[a1] [a2] / R",
    "sqr": "[a1]^2 / R",
    "add": "[a1] + [a2]",
    "sub": "[a1] - [a2]",
    "three_halves": "3 [a1] / 2",
    "add_twice_sub": "[a1] + 2 [a2] - [a3]",
    "small": "[a1] times the word at a2",
    "select": "[a2] where the mask a3 is all ones, else [a1]",
}
OPERATIONS = {
    "mul": "a b mod p",
    "sqr": "a^2 mod p",
    "add": "a + b mod p",
    "sub": "a - b mod p",
    "small": "a times the word at b mod p",
}  # of Curve448
SMALL_448 = "; the word from 2^0 to 2^17 - 1"
LADDER_448 = "ecfit_p448_xz_steps(mp_word *reg, mp_word exchanges, size_t n)"
RUN_448 = "ecfit_p448_pt_run(mp_word *reg, const uint16_t *code, const mp_word *small)"


def straight_lines(field: Field) -> Iterator[Piece]:
    """The field of a sparse prime, by programs, and its formulas."""
    if straight.composed(field):
        yield redc(field)
    for op in straight.ops(field):
        if straight.composed(field) and op in ("mul", "sqr"):
            write = partial(straight.compose, field=field, op=op)
        else:
            write = partial(straight.write, made=straight.of_field(field, op))
        what = WHAT[op].replace(" / R", field.divisor)
        yield routine(field.name, op, what, write, free="", small=SMALL_448 * (op == "small"))
    if field.name == "p448":
        yield from curve448(field)
    else:
        yield from outer(field.name, "4 mul, 4 sqr")
        words = jacobian.words(field.name)
        yield function(
            "group",
            f"void ecfit_{field.name}_ladder_step(mp_word *reg)",
            (f"ladder_step of group/jacobian_codes.inc on registers of {words} words below p",),
            formulas.STACK + 4 * jacobian.below(field.name),
            partial(
                formulas.ladder_step,
                field=field.name,
                size=4 * words,
                at_once="add_twice_sub" in straight.ops(field),
            ),
        )


CLOBBERED = "CT: all   Clobbers: all but a0, sp, gp, tp, ra"


def redc(field: Field) -> Piece:
    """What takes a product to an element."""
    name, n = f"ecfit_{field.name}_redc", field.words
    banner = (
        f"{name}: [a0] = t / R.   in: t below p 2^{32 * n}, {2 * n} words behind a1, not where a0 "
        "is",
        f"out: below p   {CLOBBERED}",
    )
    write = partial(straight.write, made=straight.apart("redc", n, straight.prime(field)))
    return Piece("field", "inner", name, banner, write)


def long_product(op: str, n: int) -> Piece:
    """A product or a square of n words."""
    name, what, other = f"ecfit_mp_{op}_{n}", "[a1]^2", ""
    if op == "product":
        what, other = "[a1] [a2]", " or b"
    operands = f"pointers to {n} words of any value"
    banner = (
        f"{name}: [a0] = {what}.   in: {operands}; out: {2 * n}, not a{other}",
        CLOBBERED,
    )
    return Piece("mp", "inner", name, banner, partial(straight.write, made=straight.apart(op, n)))


def curve448(field: Field) -> Iterator[Piece]:
    """What C calls of Curve448: operations of its field, the ladder, and the interpreter."""
    for op, what in OPERATIONS.items():
        yield fused(field.name, op, what, ONE if op == "sqr" else POINTERS)
    stack = frame(formulas.FRAME_448) + 4 * jacobian.below(field.name)
    yield function("group", f"void {LADDER_448}", formulas.STEPS_448, stack, formulas.ladder_448)
    yield function("group", f"void {RUN_448}", formulas.RUN_448, stack, formulas.run_448)


def weierstrass(field: str, of: ModuleType, doubling: str) -> tuple[Piece, ...]:
    """The field of a short Weierstrass curve, and its formulas."""
    routines = (routine(field, op, WHAT[op], getattr(of, op)) for op in straight.OPS[:5])
    return (*routines, *outer(field, doubling))


def outer(field: str, doubling: str) -> tuple[Piece, ...]:
    """What C calls of a field and its curve."""
    return (
        fused(field, "mul", "a b / R mod p", POINTERS),
        fused(field, "sqr", "a^2 / R mod p", ONE),
        *jacobian_functions(field, doubling),
    )


def modular(op: str, sign: str) -> Piece:
    """A sum or a difference modulo any m of eight words."""
    prototype = f"void ecfit_mod_{op}_8({POINTERS}, const mp_word *m)"
    text = (
        f"r = a {sign} b mod m.   in: 8 words, a, b below m; r may be an operand; out: below m",
    )
    return function(
        "field", prototype, text, frame(0), lambda c: linear.modular(c, add=op == "add")
    )


TIGHT = "[a1] + [a2], both below 2^255 + 2^25"
LOOPED = "[a1] [a2] with a3 = 8; with a3 = 0 [a1] times a word below 2^26, [a2]"
PRODUCTS = "below 2^255 + 2^11, or 2^255 + 2^32"
CHOICE = "[a2] where the mask a3 is all ones, else [a1]"
BLOCKS = frame(0, blocks.KEPT)
PIECES = (
    *weierstrass(P256, p256, "4 mul, 4 sqr"),
    *weierstrass(K256, k256, "3 mul, 4 sqr"),
    *(piece for field in straight.HERE for piece in straight_lines(field)),
    function(
        "field",
        "void ecfit_secp256k1_fe_negate(mp_word *y, mp_word mask)",
        ("y = -y where the mask is all ones.   in: 8 words, 0 < y < p; out: below p",),
        0,
        k256.negate,
    ),
    routine(SMALL, "mul", "[a1] [a2]", p25519.mul),
    routine(SMALL, "sqr", "[a1]^2", p25519.sqr),
    routine(SMALL, "add", "[a1] + [a2]", p25519.add, "of any value"),
    routine(SMALL, "add_tight", TIGHT, p25519.add_tight, "of any value"),
    routine(SMALL, "sub", "[a1] - [a2]", p25519.sub, "of any value"),
    routine(SMALL, "select", CHOICE, p25519.select, "either"),
    routine(SMALL, "small_add", "[a1] times a word below 2^19, [a2], + [a3]", p25519.small_add),
    fused(SMALL, "mul", "a b", POINTERS),
    fused(SMALL, "sqr", "a^2", ONE),
    *(formula(name) for name in formulas.TABLES),
    routine(SMALL, "loop_product", LOOPED, loop.product, PRODUCTS, free=""),
    function(
        "field",
        f"void ecfit_p25519_loop_mul({POINTERS})",
        ("r = a b.   in: 8 words of any value; r may be an operand; out: below 2^255 + 2^11",),
        loop.STACK,
        loop.mul,
    ),
    function(
        "field",
        "void ecfit_p25519_loop_run(mp_word *reg, const uint16_t *code)",
        loop.RUN,
        loop.STACK,
        loop.run,
    ),
    Piece("field", "inner", loop.LEAVE, loop.END, loop.end),
    modular("add", "+"),
    modular("sub", "-"),
    *(long_product(op, n) for n in (8, 12, 16) for op in ("product", "square")),
    *(Piece("field", "inner", name, banner, write) for name, banner, write in linear.TAILS),
    function(
        "field",
        "void ecfit_mod_once_8(mp_word *r, const mp_word *t, mp_word carry, const mp_word *m)",
        ("r = t + carry B^8 - m, if that is not negative, else t.   in: below 2 m; r may be t",),
        frame(0),
        linear.once,
    ),
    function(
        "mp",
        "void ecfit_mp_lookup_16(mp_word *r, const mp_word *table, mp_word index, size_t count, "
        "size_t n)",
        (
            "r = table[index], of count entries of n words; all are read.",
            "in: index < count, n = 16; count is not secret; cycles are those with 8 entries",
        ),
        frame(0, blocks.LOOKING),
        blocks.look_up,
    ),
    function(
        "mp",
        "void ecfit_mp_mul_blocks(mp_word *t, const mp_word *a, const mp_word *b, size_t n)",
        ("t = a b.   in: n words each, n > 0 even; out: 2n words, not a or b; n is not secret",),
        BLOCKS,
        blocks.mul,
    ),
    function(
        "field",
        "mp_word ecfit_mod_redc(mp_word *t, const mp_word *m, mp_word inv, size_t n)",
        (
            "t = t + q m with the lowest n words 0, by Montgomery's reduction; returns the carry.",
            "in: t: 2n words, m: n words, odd, inv = -1/m mod 2^32, n > 2 even; n is not secret",
        ),
        BLOCKS,
        blocks.redc,
    ),
)


def place(piece: Piece) -> str:
    """The file of a function."""
    field = short(piece.name).partition("_")[0]
    if piece.layer == "mp":
        field = "mp"
    elif piece.layer == "group" and field != SMALL:
        field = "formulas"
    elif field in {one.name for one in straight.HERE}:
        field = "straight"
    return f"{piece.layer}/rv32im/{field}"


def files() -> dict[Path, str]:
    """Each generated file and its text."""
    found: dict[str, dict[str, str]] = {name: {} for name in HAND}
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
    texts["mp/rv32im/all"] = (
        "/* mp/rv32im/all.S - every function of the backend\n"
        f" * generated by `{COMMAND}`; do not edit */\n"
        '#include "mp/riscv.S"\n' + "".join(f'#include "{name}.S"\n' for name in sorted(texts))
    )
    return {SRC / f"{name}.S": text for name, text in texts.items()}


def main() -> None:
    """Command line: no arguments."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
