"""Every assembly function of AVR alone on the simulator: Python's integers, bounds of operands and
results, and what its banner says. No proof covers these functions.

ECFIT_ASM_CASES: how many operands for each function and length.
"""

from __future__ import annotations

import os
import re
from random import Random

import pytest

from workshop.assembly.avr import CASES, P160, P256, P25519, Bench, Case, R, operands
from workshop.assembly.routines import Function, functions, sources
from workshop.scale import OUTER

COUNT = int(os.environ.get("ECFIT_ASM_CASES", "2000" if OUTER else "200"))
PROMISED = functions("avr")
FOUND = [(name, case) for name, cases in CASES.items() for case in cases]
NAMES = [f"{name}-{case.n}" if case.n else name for name, case in FOUND]


def promised(name: str) -> Function:
    """What its banner says; a routine has no stack and no cost there."""
    return PROMISED.get(name, Function(name, "0", {}))


def test_each_function_has_a_case() -> None:
    assert set(CASES) == set(sources("avr"))


@pytest.mark.parametrize(("name", "case"), FOUND, ids=NAMES)
def test_results(name: str, case: Case) -> None:
    """Edges and random operands, in place, too: results, bounds, cycles, one trace, memory."""
    bench, draw = Bench(), Random(name)
    for index, values in enumerate(operands(case, COUNT, draw)):
        bench.check(promised(name), case, values)
        if case.aliases and index % 3 == 0:
            bench.check(promised(name), case, values, case.aliases[index % len(case.aliases)])


@pytest.mark.parametrize(("name", "case"), FOUND, ids=NAMES)
def test_no_secret_decides(name: str, case: Case) -> None:
    """Followed through each instruction: no branch and no address is of an operand."""
    bench = Bench()
    for values in operands(case, 4, Random(name)):
        bench.check(promised(name), case, values, taint=True)


@pytest.mark.parametrize(
    ("name", "values", "least"),
    [
        ("ecfit_p25519_redc", (0, R * R - 1), 1 << 255),
        ("ecfit_p25519_redc", (0, (R - 1) << 256 | (1 << 255) - 1), 0),
        ("ecfit_p25519_fe_add", (0, R - 1, R - 1), 0),
        ("ecfit_p25519_fe_add", (0, (1 << 255) - 1, R - 1), 1 << 255),
        ("ecfit_p25519_fe_sub", (0, R - 1, 0), 0),
        ("ecfit_p25519_fe_sub", (0, 0, R - 1), 0),
        ("ecfit_p25519_fe_sub", (0, (130 << 248) - 1, 0), (130 << 248) - 1),
        ("ecfit_p25519_fe_sub", (0, 2 << 248, 1), (2 << 248) - 1),
        ("ecfit_p25519_fe_sub", (0, 0, (126 << 248) - 1), (2 << 248) - 19),
        ("ecfit_p25519_fe_small", (0, R - 1, (1 << 19) - 1), 0),
        ("ecfit_secp160r1_redc", (0, (P160 - 1) ** 2), 0),
        ("ecfit_secp160r1_fe_add", (0, P160 - 1, P160 - 1), P160 - 2),
        ("ecfit_secp160r1_fe_add", (0, P160 - 1, 1), 0),
        ("ecfit_secp160r1_fe_sub", (0, 0, P160 - 1), 1),
        ("ecfit_secp256r1_redc", (0, (P256 << 256) - 1), 0),
        ("ecfit_secp256r1_redc", (0, (P256 - 1) ** 2), 0),
        ("ecfit_secp256r1_fe_add", (0, P256 - 1, P256 - 1), P256 - 2),
        ("ecfit_secp256r1_fe_add", (0, P256 - 1, 1), 0),
        ("ecfit_secp256r1_fe_sub", (0, 0, P256 - 1), 1),
    ],
)
def test_at_the_bounds(name: str, values: tuple[int, ...], least: int) -> None:
    """The largest operands that a banner allows, and results that reach the region of a bound."""
    case = CASES[name][0]
    bounded = case._replace(
        right=lambda given, results: case.right(given, results) and results[0] >= least
    )
    Bench().check(promised(name), bounded, values)


def test_what_is_wrong_is_found() -> None:
    """A check that another modulus passes would be none."""
    case = CASES["ecfit_p25519_fe_add"][0]
    wrong = case._replace(right=CASES["ecfit_secp256r1_fe_add"][0].right)
    with pytest.raises(AssertionError, match="fe_add"):
        Bench().check(promised("ecfit_p25519_fe_add"), wrong, [0, R - 1, P25519])


def test_a_product_is_never_of_a_variable_time() -> None:
    """There are no instructions in these files but those whose time is fixed; branches count."""
    for name, text in sources("avr").items():
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        branches = re.findall(r"^\s+(br\w+|sb[ri][cs]|cpse|[ei]*jmp)\b", code, re.MULTILINE)
        assert set(branches) <= {"brne"}, (name, branches)
        assert not re.search(r"\b(lds|sts|elpm|lpm)\b", code), name
