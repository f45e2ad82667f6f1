"""The routines of the small ladder on the Cortex-M4, of the field on the Cortex-M3, and of the
small fields on RV32IM, each alone: they keep no register, so that `test_assembly.py` calls them
through others only, where few operands are edges. And X25519 as small as it is, alone and beside
Ed25519.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import product

import pytest

from ecfit.choices.curves import CURVES
from workshop.assembly.p25519 import COMPUTE, LOOP, R, borrowed, tops
from workshop.assembly.routines import ALL_ONES, RAM, RETURN, TOP, Bench, edges, sources
from workshop.library.api import Status
from workshop.library.images import Chip
from workshop.vectors.rfc_wycheproof import x_cases

COUNT = 300
LOOSE = (1 << 255) + (1 << 254)  # differences are of less than this
FACTOR = 121665
OUT, A, B = RAM + 0x20, RAM + 0x60, RAM + 0xA0
Compute = Callable[[int, int], int]
ROUTINES: dict[str, Compute] = {
    "x_mul": COMPUTE["MUL"],
    "x_sqr": lambda a, _: COMPUTE["MUL"](a, a),
    "x_add": tops,
    "x_sub": borrowed,
}
MOST = (1 << 16) - (1 << 9)  # of the low half of a word that multiplies
ON_M3: dict[str, tuple[Compute, int]] = {
    "mul": (COMPUTE["MUL"], R),
    "sqr": (lambda a, _: COMPUTE["MUL"](a, a), R),
    "add": (COMPUTE["ADD"], R),
    "sub": (COMPUTE["SUB"], R),
    "small": (lambda a, b: COMPUTE["SMALL"](a, (1 << 16) + b), MOST + 1),
}
LONG, ONE_WORD = 8, 0  # what a product takes of b
SMALL = (1 << 26) - 1
ON_RV32: dict[tuple[str, int], Compute] = {
    ("sum", 0): LOOP["ADD"],
    ("sum", ALL_ONES): LOOP["SUB"],
    ("loop_product", LONG): LOOP["MUL"],
    ("loop_product", ONE_WORD): LOOP["SMALL"],
    ("least_product", LONG): LOOP["MUL"],
    ("least_product", ONE_WORD): LOOP["SMALL"],
}

NEAR: dict[str, tuple[Compute, int]] = {
    "armv6m small": (COMPUTE["SMALL"], (1 << 16) + MOST),
    "armv7m small": (COMPUTE["SMALL"], (1 << 16) + MOST),
    "rv32im loop_product": (LOOP["SMALL"], SMALL),
    "rv32im least_mul": (LOOP["SMALL"], SMALL),
}  # the largest words that they multiply by


def said(name: str) -> int:
    """The cycles of a routine's banner."""
    text = sources("armv7em")[f"ecfit_p25519_{name}"]
    found = re.search(r"(\d+)\s+(?:\* )?cycles \(cortex-m4\)", text)
    assert found
    return int(found[1])


@pytest.mark.parametrize("name", ROUTINES)
def test_a_routine_alone(name: str) -> None:
    """Results, cycles, one trace, the stack pointer, and nothing else written; in place, too."""
    bench = Bench("armv7em", "cortex-m4")
    most = LOOSE if name == "x_sub" else R
    assert alone(bench, name, [], ROUTINES[name], (most, most)) == {said(name)}


@pytest.mark.parametrize("name", ON_M3)
def test_a_routine_alone_on_the_m3(name: str) -> None:
    compute, most = ON_M3[name]
    assert len(alone(Bench("armv7m", "cortex-m3"), name, [], compute, (R, most))) == 1


@pytest.mark.parametrize(("name", "how"), ON_RV32)
def test_a_routine_alone_on_rv32(name: str, how: int) -> None:
    bench = Bench("rv32im", "ibex")
    most = SMALL if how == ONE_WORD and name != "sum" else R
    assert len(alone(bench, name, [how], ON_RV32[name, how], (R, most))) == 1


def alone(
    bench: Bench, name: str, how: list[int], compute: Compute, below: tuple[int, int]
) -> set[int]:
    """The cycles of a routine on edges and random operands; checks what it leaves."""
    draw, seen = random.Random(name), set()
    some = [*edges(8), R - 38, R - 1, (1 << 255) - 19, (1 << 255) + 19]
    pairs = draw.sample(list(product(some, some)), COUNT)
    pairs += [(draw.randrange(R), draw.randrange(R)) for _ in range(COUNT)]
    cycles = set()
    for index, (left, right) in enumerate(pairs):
        a, b = left % below[0], right % below[1]
        out = (OUT, A, B)[index % 3]
        place = {OUT: 0, A: a, B: b}
        bench.machine.write(RAM, b"\xa5" * 0xE0)
        for at in (A, B):
            bench.machine.write(at, place[at].to_bytes(32, "little"))
        expected = bytearray(bench.machine.read(RAM, 0xE0))
        expected[out - RAM : out - RAM + 32] = compute(a, b).to_bytes(32, "little")
        address, arguments = bench.symbols[f"ecfit_p25519_{name}"], [out, A, B, *how]
        result = bench.machine.call(address, arguments, sp=TOP, return_to=RETURN, limit=9999)
        assert bench.machine.read(RAM, 0xE0) == bytes(expected), (hex(a), hex(b))
        assert bench.machine.register(bench.convention.sp) == TOP
        cycles.add(result.cycles)
        seen.add((out, result.trace_hash))
    assert len(seen) == 3
    return cycles


@pytest.mark.parametrize("beside", [[], ["ed25519"]], ids=["alone", "beside"])
@pytest.mark.parametrize("target", ["nrf52840", "ibex"])
@pytest.mark.parametrize("preset", ["tiny", "compact"])
def test_wycheproof(preset: str, target: str, beside: list[str]) -> None:
    """The small ones, alone or with Ed25519, whose field serves both; every tenth case."""
    chip = Chip(target, preset, curve=CURVES["x25519"], beside=[CURVES[name] for name in beside])
    for case in x_cases("x25519")[::10]:
        if case.public_key is not None:
            answer = chip.call("ecdh", case.private_key + case.public_key, 32)
            status = Status.OK if any(case.shared) else Status.BAD_PUBLIC_KEY
            assert answer[:2] == (status, case.shared), case.label


@pytest.mark.parametrize("which", NEAR)
def test_small_products_stay_below_what_banners_say_and_come_near(which: str) -> None:
    compute, factor = NEAR[which]
    backend, name = which.split()
    text = sources(backend)[f"ecfit_p25519_{name}"]
    most = 0
    for above in range(2 * factor - 1000, 2 * factor):  # bit 255 of a product whose others are ones
        for shift in (224, 0):
            a = (((above << 255 - shift) - 1) // factor << shift) | (1 << shift) - 1
            most = max(most, compute(a, factor) - (1 << 255))
    assert most.bit_length() == max(map(int, re.findall(r"2\^255 \+ 2\^(\d+)", text)))
