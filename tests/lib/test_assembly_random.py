"""Every assembly function on a user-mode emulator, on random operands and words that are edges:
what `test_assembly.py` asks on the simulator, less what only that knows, on many more operands.

ECFIT_ASM_CASES: how many for each function, its lengths together (sweep `asm-random`: a million).
"""

from __future__ import annotations

import os

import pytest

from workshop.assembly import cases as lib_assembly_cases
from workshop.assembly import hash as lib_assembly_hash
from workshop.assembly.cases import cases
from workshop.assembly.emulated import Batch, Draws, Emulated, share
from workshop.assembly.inner import inner
from workshop.assembly.routines import ALL_ONES, BACKENDS, Case, Function, functions

COUNT = int(os.environ.get("ECFIT_ASM_CASES", "100"))
FOUND = [
    (backend, function)
    for backend in BACKENDS
    for function in (functions(backend) | inner(backend)).values()
]
NAMES = [f"{backend}-{function.name}" for backend, function in FOUND]


@pytest.mark.parametrize(("backend", "function"), FOUND, ids=NAMES)
def test_random_operands(backend: str, function: Function) -> None:
    known = cases(function.name, backend)
    with Emulated(backend) as emulated:
        for (n, case), count in zip(known, share(COUNT, len(known)), strict=True):
            calls = 1 if case.fixed else count
            emulated.check(function, case, n, Draws(case, n, f"{function.name} {n}"), calls)


def test_openssl_compresses_as_fips_180_says() -> None:
    """The reference of SHA-512 is OpenSSL's."""
    case = lib_assembly_hash.sha512_block(16)
    draws = Draws(case, 16, "FIPS 180-4")
    for index in range(20):
        h, w, _ = draws.values(index % 2)
        words = (lib_assembly_hash.parts(h, 8), lib_assembly_hash.parts(w, 16))
        wanted = lib_assembly_hash.whole(lib_assembly_hash.compressed(*words))
        assert lib_assembly_hash.transformed(h, w) == wanted


def one(name: str) -> Function:
    """A function of armv7em."""
    return functions("armv7em")[name]


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("ecfit_mp_add", lib_assembly_cases.sub(8)),
        ("ecfit_mp_mul_8", lib_assembly_cases.mul(6)),
        ("ecfit_mod_add_8", lib_assembly_cases.mod_linear(-1)(8, lib_assembly_cases.moduli(8)[0])),
    ],
)
def test_what_is_wrong_is_found(name: str, case: Case) -> None:
    """A wrong result, a write outside the output, and another operation fail the check."""
    with Emulated("armv7em") as emulated, pytest.raises(AssertionError, match=name):
        emulated.check(one(name), case, 8, Draws(case, 8, name), 20)


@pytest.mark.parametrize("shift", [0, 13, 31])
def test_a_carry_lost_in_one_word_of_all_ones_is_found(shift: int) -> None:
    """A mistake that numbers at random show once in 2^32 times: edges show it."""

    def reference(_: int, a: int, b: int, keep: int, n: int) -> tuple[tuple[int, ...], int]:
        (total,), carry = right.reference(0, a, b, keep, n)
        lost = keep and a >> 64 & ALL_ONES == ALL_ONES
        return (total ^ (1 << 96 + shift if lost else 0),), carry or 0

    right = lib_assembly_cases.add(8)
    case = right._replace(reference=reference)
    with Emulated("armv7em") as emulated, pytest.raises(AssertionError, match="ecfit_mp_add"):
        emulated.check(one("ecfit_mp_add"), case, 8, Draws(case, 8, "carry"), 2000)


@pytest.mark.parametrize(
    ("backend", "name"), [("armv6m", "secp256r1_add"), ("armv7em", "p25519_sub"),
                          ("rv32im", "p25519_sub")]
)  # fmt: skip
def test_a_register_that_is_lost_is_found(backend: str, name: str) -> None:
    """An inner function keeps none."""
    function = inner(backend)[f"ecfit_{name}"]._replace(inner=False)
    ((n, case),) = cases(function.name, backend)
    with Emulated(backend) as emulated, pytest.raises(AssertionError, match="is not kept"):
        emulated.check(function, case, n, Draws(case, n, name), 20)


@pytest.mark.parametrize("backend", ["armv7em", "rv32im"])
def test_the_step_of_the_ladder_where_its_signs_show(backend: str) -> None:
    """DA - CB = d and X1 = 1: the squares of d and of -d are left as different numbers, which an
    exchange of the points would turn into each other.
    """
    times = (1,) if backend == "armv7em" else ()  # a loop there
    name = "ecfit_p25519_xz_step" + "s" * len(times)
    case = cases(name, backend)[0][1]
    p = (1 << 255) - 19
    drawn = []
    for d in (1, 2, 3, 4):
        for mask in (0, (1 << 32) - 1):
            x3 = d * pow(2, -1, p) % p  # with X2 = 0, Z2 = 1
            registers = (0, 1, x3, 5, 1, 121665, 0, 0)
            drawn.append([sum(value << 256 * i for i, value in enumerate(registers)), mask, *times])
    batch, function = Batch(case, drawn, ()), functions(backend)[name]
    with Emulated(backend) as emulated:
        got = emulated.answers(function, batch)
        assert [batch.wrong(i, got) for i in range(len(drawn))] == [""] * len(drawn)
