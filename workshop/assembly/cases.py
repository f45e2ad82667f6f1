"""What each assembly function computes, by name, in Python's integers: one for all backends.

A name that ends in a number has that length in words; one without takes its length as an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from random import Random

from ecfit.choices.curves import CURVES
from workshop.assembly import divsteps as lib_assembly_divsteps
from workshop.assembly import edges as to_edges
from workshop.assembly import fused as lib_assembly_fused
from workshop.assembly import hash as lib_assembly_hash
from workshop.assembly import inner as lib_assembly_inner
from workshop.assembly import p25519 as lib_assembly_p25519
from workshop.assembly.fused import BY_FIELD
from workshop.assembly.routines import WORD, Argument, Case, places

LENGTHS = (
    2,
    4,
    6,
    8,
    12,
    14,
    16,
    18,
)  # in words, of functions that take any: those of the curves, and the least
LENGTHS_OF = {
    "ecfit_mod_redc": (4, 6, 8, 12, 14, 16, 18),
    "ecfit_inv_reduce": (3, 5, 9, 13, 19),
    "ecfit_inv_follow": (3, 5, 9, 13, 19),
    "ecfit_inv_steps": (30,),
    "ecfit_sha512_block": (16,),
    "ecfit_sha512_roots": (8, 16, 80),
    "ecfit_inv_steps_15": (15,),
    "ecfit_inv_reduce_15": (2, 4, 18, 26, 36),
    "ecfit_inv_follow_15": (2, 4, 18, 26, 36),
    "ecfit_mp_lookup_16": (16,),
    "ecfit_mp_lookup": (8, 16, 24, 40),  # whole groups of words: its cost goes by them
    "ecfit_p25519_edwards_look_up": (4, 8, 12, 16),  # entries
    "ecfit_p25519_edwards_look_up_digits": (8,),
    "ecfit_p25519_edwards_take": (0, 1),  # whether it is negated
}
Builder = Callable[[int], Case]
ByModulus = Callable[[int, int], Case]
PRIMES = {
    8: (1 << 256) - (1 << 224) + (1 << 192) + (1 << 96) - 1,
    12: (1 << 384) - (1 << 128) - (1 << 96) + (1 << 32) - 1,
}


def mac_row(n: int) -> Case:
    """r += a * b; returns the carry word."""

    def reference(r: int, a: int, b: int, _: int) -> tuple[tuple[int, ...], int | None]:
        total = r + a * b
        return (total % (1 << WORD * n),), total >> WORD * n

    arguments = (Argument("inout", n), Argument("in", n), Argument("word"), Argument("length"))
    return Case(arguments, reference, aim=to_edges.rows(n))


def mul(n: int) -> Case:
    """t = a * b."""
    arguments = (Argument("out", 2 * n), Argument("in", n), Argument("in", n))
    return Case(arguments, lambda _, a, b: ((a * b,), None), aim=to_edges.products(n))


def sqr(n: int) -> Case:
    """t = a^2."""
    arguments = (Argument("out", 2 * n), Argument("in", n))
    return Case(arguments, lambda _, a: ((a * a,), None), aim=to_edges.squares(n))


def mul_any(n: int) -> Case:
    """The same, the length an argument."""
    case = mul(n)
    arguments = (*case.arguments, Argument("length"))
    return Case(arguments, lambda t, a, b, _: case.reference(t, a, b), aim=case.aim)


def redc(n: int, m: int) -> Case:
    """t + q m, a multiple of 2^(32 n), and its carry, for one odd m and its -1/m."""
    inv = pow(-m, -1, 1 << WORD)

    digits = pow(-m, -1, 1 << WORD * n)

    def reference(t: int, *_: int) -> tuple[tuple[int, ...], int]:
        total = t + m * (t * digits % (1 << WORD * n))
        carry, rest = divmod(total, 1 << 2 * WORD * n)
        return (rest,), carry

    modulus = Argument("in", n, m, m)
    arguments = (
        Argument("inout", 2 * n),
        modulus,
        Argument("word", most=inv, least=inv),
        Argument("length"),
    )
    aim = to_edges.reductions(m, n, most=1 << 2 * WORD * n)
    return Case(arguments, reference, aim=aim)


def moduli(n: int) -> tuple[int, ...]:
    """Odd ones of n words: the largest, the least with its top bit, one between, and those of
    curves: primes that are sparse, orders that are not.
    """
    full = 1 << WORD * n
    some = [full - 1, full // 2 + 1, full // 3 * 2 | 1]
    for curve in CURVES.values():
        some += [m for m in (curve.p, curve.n) if -(-m.bit_length() // WORD) == n and m > full // 2]
    return tuple(dict.fromkeys(some))


def mod_mul(n: int, m: int, *, room: bool = True) -> Case:
    """r = a b/R mod m, a of any value, by a record of m: where it stands, another pointer, -1/m, n.
    m itself is behind what the function takes, with `room` for 2n words or without.
    """
    big = 1 << WORD * n
    operands = (Argument("out", n), Argument("in", n), Argument("in", n, m - 1))
    behind = (*(Argument("lost", 2 * n),) * room, Argument("in", n, m, m))
    place = places((*operands, Argument("in", 4), *behind))[-1]
    fields = (place, place, pow(-m, -1, 1 << WORD), n)
    value = sum(field << WORD * i for i, field in enumerate(fields))
    record = Argument("in", 4, value, value)
    near = (m - 1, big - m, (m + 1) // 2, big % m)
    return Case(
        (*operands, record, *behind),
        lambda _, a, b, *__: ((a * b * pow(big, -1, m) % m,), None),
        ((0, 1), (0, 2)),
        near,
        aim=to_edges.any_of(to_edges.modular(m, n, big % m), to_edges.quotients(m, n, most=big)),
    )


def reduce(n: int, m: int) -> Case:
    """r = t/R mod m, for one odd m and its -1/m."""
    big = 1 << WORD * n
    inv = pow(-m, -1, 1 << WORD)
    modulus, digit = Argument("in", n, m, m), Argument("word", most=inv, least=inv)
    arguments = (Argument("out", n), Argument("lost", 2 * n, m * big - 1), modulus, digit)
    near = (m, m - 1, m * m, (m - 1) ** 2, m * big - m, m * (big - 1), m << 32)
    unit = pow(big, -1, m)
    aim = to_edges.reductions(m, n, 1)
    return Case(arguments, lambda _, t, *__: ((t * unit % m,), None), (), near, aim=aim)


def lookup(n: int) -> Case:
    """r = table[index] of 8 entries."""
    count, size = 8, WORD * n

    def reference(_r: int, table: int, index: int, *_: int) -> tuple[tuple[int, ...], None]:
        return (table >> size * index & (1 << size) - 1,), None

    word = Argument("word", most=count - 1)
    entries = Argument("word", most=count, least=count)
    arguments = (Argument("out", n), Argument("in", count * n), word, entries, Argument("length"))
    return Case(arguments, reference)


def add(n: int) -> Case:
    """r = a + (b & keep); returns the carry."""

    def reference(_: int, a: int, b: int, keep: int, __: int) -> tuple[tuple[int, ...], int | None]:
        total = a + (b if keep else 0)
        return (total % (1 << WORD * n),), total >> WORD * n

    arguments = (Argument("out", n), Argument("in", n), Argument("in", n), Argument("mask"))
    aim = to_edges.sums(1 << WORD * n, n)
    return Case((*arguments, Argument("length")), reference, ((0, 1), (0, 2)), aim=aim)


def sub(n: int) -> Case:
    """r = a - b; returns the borrow."""
    arguments = (Argument("out", n), Argument("in", n), Argument("in", n), Argument("length"))
    return Case(
        arguments,
        lambda _, a, b, __: (((a - b) % (1 << WORD * n),), int(a < b)),
        ((0, 1), (0, 2)),
        aim=to_edges.sums(1 << WORD * n, n, sign=-1),
    )


def cmov(n: int) -> Case:
    """r = a where mask is all ones."""
    arguments = (Argument("inout", n), Argument("in", n), Argument("mask"), Argument("length"))
    return Case(arguments, lambda r, a, mask, _: ((a if mask else r,), None))


def cswap(n: int) -> Case:
    """Exchanges a and b where mask is all ones."""
    arguments = (Argument("inout", n), Argument("inout", n), Argument("mask"), Argument("length"))
    return Case(arguments, lambda a, b, mask, _: ((b, a) if mask else (a, b), None))


def mod_linear(sign: int) -> ByModulus:
    """r = a + b or a - b modulo m."""

    def case(n: int, m: int) -> Case:
        def reference(_: int, a: int, b: int, __: int) -> tuple[tuple[int, ...], int | None]:
            return ((a + sign * b) % m,), None

        operand = Argument("in", n, m - 1)
        arguments = (Argument("out", n), operand, operand, Argument("in", n, m, m))
        near = (m - 1, m - 2, m // 2, m // 2 + 1)
        aim = to_edges.sums(m, n, sign=sign)
        return Case(arguments, reference, ((0, 1), (0, 2)), near, aim=aim)

    return case


def mod_once(n: int, m: int) -> Case:
    """r = t with its carry less m, if that is not negative."""

    def reference(_: int, t: int, carry: int, __: int) -> tuple[tuple[int, ...], int | None]:
        total = t + (carry << WORD * n)
        return ((total - m if total >= m else total) % (1 << WORD * n),), None

    def aim(draw: Random, values: list[int]) -> None:
        total = to_edges.near(draw, (0, m, 1 << WORD * n, 2 * m), n) % (2 * m)
        values[1], values[2] = total % (1 << WORD * n), total >> WORD * n

    carry = Argument("word", most=1)
    arguments = (Argument("out", n), Argument("in", n), carry, Argument("in", n, m, m))
    return Case(arguments, reference, ((0, 1),), (m, m - 1, m + 1), aim=aim)


def montgomery(p: int) -> Builder:
    """r = t/R mod p, t below p R and lost."""

    def case(n: int) -> Case:
        big = 1 << WORD * n
        unit = pow(big, -1, p)
        arguments = (Argument("out", n), Argument("lost", 2 * n, p * big - 1))
        near = (
            p,
            p - 1,
            p * p,
            (p - 1) ** 2,
            p * big - p,
            (big - 1) * (p - 1),
            p * (big - 1),
            p << 32,
        )
        aim = to_edges.reductions(p, n, 1)
        return Case(arguments, lambda _, t: ((t * unit % p,), None), (), near, aim=aim)

    return case


BY_NAME: dict[str, Builder] = {
    "ecfit_mp_mac_row": mac_row,
    "ecfit_mp_both": mul,
    "ecfit_mp_mul": mul,
    "ecfit_mp_mul_blocks": mul_any,
    "ecfit_inv_steps": lib_assembly_divsteps.WORDS.steps,
    "ecfit_inv_steps_15": lib_assembly_divsteps.HALVES.steps,
    "ecfit_inv_reduce": lib_assembly_divsteps.WORDS.reduce,
    "ecfit_inv_reduce_15": lib_assembly_divsteps.HALVES.reduce,
    "ecfit_inv_follow": lib_assembly_divsteps.WORDS.follow,
    "ecfit_inv_follow_15": lib_assembly_divsteps.HALVES.follow,
    "ecfit_mp_lookup": lookup,
    "ecfit_mp_lookup_words": lookup,
    "ecfit_mp_lookup_16": lookup,
    "ecfit_p25519_edwards_look_up": lib_assembly_fused.look_up,
    "ecfit_p25519_edwards_look_up_digits": lib_assembly_fused.look_up_digits,
    "ecfit_p25519_edwards_take": lib_assembly_fused.take,
    "ecfit_mp_add": add,
    "ecfit_mp_sub": sub,
    "ecfit_mp_cmov": cmov,
    "ecfit_mp_cswap": cswap,
    "ecfit_redc_secp256k1": montgomery((1 << 256) - (1 << 32) - 977),
    "ecfit_redc_secp256r1": montgomery(PRIMES[8]),
    "ecfit_redc_secp384r1": montgomery(PRIMES[12]),
    "ecfit_mp_sqr": sqr,
    "ecfit_sha512_block": lib_assembly_hash.sha512_block,
    "ecfit_sha512_roots": lib_assembly_hash.sha512_roots,
}
BY_MODULUS: dict[str, ByModulus] = {
    "ecfit_mod_mul": mod_mul,
    "ecfit_mod_redc": redc,
    "ecfit_mod_reduce": reduce,
    "ecfit_mod_add": mod_linear(1),
    "ecfit_mod_once": mod_once,
    "ecfit_mod_sub": mod_linear(-1),
    "ecfit_mod_rows_add": mod_linear(1),
    "ecfit_mod_rows_mul": partial(mod_mul, room=False),
    "ecfit_mod_rows_sub": mod_linear(-1),
}


INTERPRETERS = {
    "ecfit_p25519_least_run": lib_assembly_p25519.LOOP,
    "ecfit_p25519_loop_run": lib_assembly_p25519.LOOP,
    "ecfit_p25519_rows_run": lib_assembly_p25519.ROWS,
    "ecfit_p25519_run": lib_assembly_p25519.COMPUTE,
    "ecfit_p25519_run_as_mul": lib_assembly_p25519.COMPUTE,
}
LENGTH_OF = {
    "ecfit_redc_secp256k1": 8,
    "ecfit_redc_secp256r1": 8,
    "ecfit_redc_secp384r1": 12,
}  # of those whose name ends in a prime
LENGTH_OF_FIELD = {
    "secp128r1": 4,
    "secp160r1": 6,
    "secp192r1": 6,
    "secp384r1": 12,
    "secp521r1": 18,
    "brainpoolP384r1": 12,
    "brainpoolP512r1": 16,
    "p448": 14,
}  # in words, where it is not 8


LADDER_448 = [(times, lib_assembly_fused.Golden().ladder(times)) for times in (1, 2, 3, 7)]


def by_halves(field: lib_assembly_fused.Halves) -> dict[str, list[tuple[int, Case]]]:
    """Those of Curve448, of a back end."""
    return {
        name: list(enumerate(some)) if name.endswith("_run") else [(14, one) for one in some]
        for name, some in field.functions().items()
    } | {"ecfit_p448_xz_steps": [(times, field.ladder(times)) for times in (1, 2, 3, 7)]}


ON_RV32IM = by_halves(lib_assembly_fused.Halves())
ON_THUMB = by_halves(lib_assembly_fused.Thumb())
LADDERS = {"ecfit_p448_xz_steps": LADDER_448, "ecfit_p448_xz_steps_as_mul": LADDER_448}


def cases(name: str, backend: str = "") -> list[tuple[int, Case]]:
    """The lengths that a function is tested with, and what it computes there; for the interpreter
    of formulas, their numbers. A back end is asked for where two have such a name.
    """
    own = {
        "armv6m": ON_THUMB,
        "armv7m": ON_THUMB,
        "armv7em": lib_assembly_p25519.ARMV7EM,
        "rv32im": ON_RV32IM,
    }
    special = LADDERS | own.get(backend, {})
    if name in special:
        return special[name]
    if name in lib_assembly_inner.CASES:
        length = LENGTH_OF_FIELD.get(name.split("_")[1], 8)
        return [(length, lib_assembly_inner.CASES[name])]
    if name == "ecfit_p25519_run_var":
        return list(enumerate(lib_assembly_p25519.runs_var().values()))
    if name == "ecfit_p25519_product_var":
        name = "ecfit_p25519_fe_mul"
    name = name if name in BY_NAME else name.removesuffix("_var")
    if name in INTERPRETERS:
        small = name.removeprefix("ecfit_p25519_") in {"least_run", "loop_run", "rows_run"}
        return list(enumerate(lib_assembly_p25519.runs(INTERPRETERS[name], small=small).values()))
    if name in lib_assembly_p25519.BY_FIELD:
        return [(8, lib_assembly_p25519.BY_FIELD[name])]
    if name.endswith(("_run", "_run_blocks", "_rows_linear")):
        return list(enumerate(BY_FIELD[name]))
    if name in BY_FIELD:
        return [(LENGTH_OF_FIELD.get(name.split("_")[1], 8), case) for case in BY_FIELD[name]]
    if name in LENGTH_OF:
        return [(LENGTH_OF[name], BY_NAME[name](LENGTH_OF[name]))]
    fixed = re.fullmatch(r"(\w+?)_(\d+)", name)
    if name in BY_NAME or name in BY_MODULUS or not fixed:
        lengths = LENGTHS_OF.get(name, LENGTHS)
    else:
        name, lengths = fixed[1], (int(fixed[2]),)
    if name in BY_MODULUS:
        return [(n, BY_MODULUS[name](n, m)) for n in lengths for m in moduli(n)]
    assert name in BY_NAME, f"{name}: what it computes is not in workshop/assembly/cases.py"
    return [(n, BY_NAME[name](n)) for n in lengths]
