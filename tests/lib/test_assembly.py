"""Every assembly function alone on the simulator: Python's integers, and what its banner says.

`test_assembly_random.py` has more operands, on an emulator.
"""

from __future__ import annotations

import random
import re
from itertools import chain

import pytest

from workshop.assembly.cases import add, cases, lookup
from workshop.assembly.fused import Prime
from workshop.assembly.routines import (
    BACKENDS,
    Bench,
    Function,
    evaluate,
    functions,
    operands,
    pairs,
    sources,
)
from workshop.paths import SRC
from workshop.scale import OUTER

COUNT = 100 if OUTER else 25  # random operands of each function and length, beside pairs of edges
PAIRS = 4 * COUNT  # of edges, at most
FEW = 4  # operands where only cycles are of interest
FOUND = [(backend, function) for backend in BACKENDS for function in functions(backend).values()]
DIGITS = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)  # of a quotient
NAMES = [f"{backend}-{function.name}" for backend, function in FOUND]


@pytest.mark.sampled
@pytest.mark.parametrize(("backend", "function"), FOUND, ids=NAMES)
def test_results(backend: str, function: Function) -> None:
    """Edges and random operands: results, cycles, one trace, stack, registers, memory."""
    model, cost = next(iter(function.costs.items()))
    bench = Bench(backend, model)
    found = cases(function.name, backend)
    for n, case in found:
        alike = sum(length == n for length, _ in found)  # of other moduli, too
        some = pairs(case, n, PAIRS // alike, function.name)
        for values in chain(some, operands(case, n, -(-COUNT // alike), function.name)):
            bench.check(function, case, n, values, cost=cost)


@pytest.mark.parametrize(("backend", "function"), FOUND, ids=NAMES)
def test_operands_in_one_place(backend: str, function: Function) -> None:
    """An output that may be an operand, is it."""
    bench, found = Bench(backend, next(iter(function.costs))), cases(function.name, backend)
    for n, case in found:
        alike = sum(length == n for length, _ in found)
        for alias in case.aliases:
            for values in operands(case, n, -(-COUNT // alike), function.name):
                bench.check(function, case, n, values, alias=alias)


@pytest.mark.parametrize(("backend", "function"), FOUND, ids=NAMES)
def test_cost_on_each_core_by_each_assembler(backend: str, function: Function) -> None:
    for model, cost in function.costs.items():
        for compiler in ("gcc", "clang"):
            bench = Bench(backend, model, compiler)
            for n, case in cases(function.name, backend):
                for values in operands(case, n, FEW, function.name):
                    bench.check(function, case, n, values, cost=cost)


@pytest.mark.parametrize(("backend", "function"), FOUND, ids=NAMES)
def test_nothing_beside_operands_and_stack_is_read(backend: str, function: Function) -> None:
    """There is no other memory; functions that read a word too many end in a fault."""
    model = next(iter(function.costs))
    for n, case in cases(function.name, backend):
        alone = Bench(backend, model, operands=case.arguments)
        for values in operands(case, n, 2, function.name):
            alone.run(function, case, values)


def test_a_word_that_is_read_too_many_is_found() -> None:
    case, function = add(8), functions("armv7em")["ecfit_mp_add"]
    short = case.arguments[1]._replace(words=7)
    case = case._replace(arguments=(case.arguments[0], short, *case.arguments[2:]))
    bench = Bench("armv7em", "cortex-m4", operands=case.arguments)
    with pytest.raises(AssertionError, match="ecfit_mp_add"):
        bench.run(function, case, [0, 0, 0, 0, 8])


@pytest.mark.parametrize("n", [12, 14, 18, 22, 36, 54])
def test_looking_up_entries_that_are_no_whole_groups(n: int) -> None:
    for backend, function in FOUND:
        if function.name == "ecfit_mp_lookup":
            bench = Bench(backend, next(iter(function.costs)))
            for values in operands(lookup(n), n, COUNT, function.name):
                bench.check(function, lookup(n), n, values)


@pytest.mark.parametrize(
    ("backend", "core", "name"),
    [
        ("armv7em", "cortex-m4", "secp384r1_fe_mul"),
        ("rv32im", "ibex", "secp256k1_fe_mul"),
        ("armv7m", "cortex-m3", "secp256k1_fe_mul"),
        ("armv7m", "cortex-m3", "secp256k1_fe_mul_var"),
    ],
)
def test_quotients_of_montgomery_whose_digits_are_edges(backend: str, core: str, name: str) -> None:
    """The digits of a quotient are added and subtracted with carries of their own: all patterns of
    edges come to them, which operands that are edges do not bring.
    """
    field, name = Prime(name.partition("_")[0]), f"ecfit_{name}"
    found, bench = functions(backend)[name], Bench(backend, core)
    radix, draw = 1 << field.bits, random.Random(384)
    for _ in range(2 * COUNT):
        b = draw.choice((1, 1 << field.bits // 2 | 1, draw.randrange(1, field.p, 2)))
        a = -edges(field, draw) * field.p * pow(b, -1, radix) % radix
        if a < field.p:
            bench.check(found, cases(name)[0][1], field.words, [0, a, b])


def test_quotients_of_a_reduction_whose_digits_are_edges() -> None:
    field, name = Prime("secp256k1"), "ecfit_redc_secp256k1"
    found, bench = functions("armv6m")[name], Bench("armv6m", "cortex-m0plus")
    draw = random.Random(256)
    for _ in range(COUNT):
        quotient = edges(field, draw)
        low = -quotient * field.p % (1 << field.bits)
        for high in (0, edges(field, draw) % field.p, -quotient % field.p, field.p - 1):
            bench.check(found, cases(name)[0][1], field.words, [0, high << field.bits | low])


def edges(field: Prime, draw: random.Random) -> int:
    """A number of a field's length whose words are edges."""
    return sum(draw.choice(DIGITS) << 32 * i for i in range(field.words))


def test_no_function_touches_r9_or_an_absolute_address() -> None:
    """r9 may be the platform's; a literal that is an address would need the linker to place it."""
    for backend in BACKENDS:
        saves = backend in {"armv7em", "armv7m"}  # r9 among the registers that its functions keep
        for name, text in sources(backend).items():
            code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
            assert saves or not re.search(r"\b(r9|sb)\b", code), name
            literals = re.sub(r"^\s*\.macro .*", "", code, flags=re.MULTILINE)  # without defaults
            assert not re.search(r"=\s*[A-Za-z_]", literals), name


def test_long_multiplies_of_the_cortex_m3_are_for_public_data() -> None:
    """Their time depends on operands there: only functions with `_var` in their names have them."""
    every = [*sources("armv6m").items(), *sources("armv7m").items()]
    found = [name for name, text in every if re.search(r"^\s*[us]m[ul]l[al]", text, re.MULTILINE)]
    assert found
    assert [name for name in found if not name.endswith("_var")] == []


def test_every_name_is_one_that_an_amalgam_finds() -> None:
    """By `function`, `inner` or `entry`: a name made visible otherwise is left out there."""
    for path in SRC.rglob("*.S"):
        if path.parent != SRC / "mp":  # where these are made
            assert ".global" not in path.read_text(encoding="utf-8"), path.name


def test_a_sum_of_a_banner() -> None:
    assert evaluate("21 + 34 n", 8) == 293
    assert evaluate("1470", 8) == 1470
    assert evaluate("37 + 262 n/8", 16) == 561
