"""Whole compiled ARMv7-M programs against the independent emulator: result, memory, instructions,
stack, trace hash.
"""

from __future__ import annotations

import pytest

from ecfit.sim.machine import Machine, load_model
from tests.sim.test_programs import PROGRAMS, check_slices
from tests.sim.test_rv32_programs import PACKED, WIDE
from workshop.cores.armv7m_oracle import State, TracingOracle, state_of
from workshop.sim.build import ARMV7M, MEMORY, RAM, RAM_SIZE, STACK_TOP, arm_compile

pytestmark = pytest.mark.usefixtures("cross_compiler")

CONDITIONS = """
#include <stdint.h>
uint32_t work(uint32_t seed)
{
    uint32_t low = 0, high = 0, ties = 0;
    for (uint32_t i = 0; i < 500; i++) {
        seed = seed * 1664525u + 1013904223u;
        int32_t a = (int32_t)seed >> 8, b = (int32_t)(seed << 7) >> 9;
        int32_t smaller = a < b ? a : b, larger = a < b ? b : a;
        low += (uint32_t)(smaller < 0 ? -smaller : smaller);
        high ^= (uint32_t)(larger > 1000 ? larger - 1000 : larger < -1000 ? larger + 1000 : 0);
        ties += (a & 15) == (b & 15) ? i : (a & 1) ? 1u : 0u;
    }
    return low ^ high << 3 ^ ties;
}
"""
ALL = {**PROGRAMS, "wide": WIDE, "packed": PACKED, "conditions": CONDITIONS}
# where programs return to: not behind a return, which would be a transfer to the next instruction
BACK = 0xF000
BUILDS = [("cortex-m3", "-Os"), ("cortex-m4", "-O2"), ("cortex-m7", "-O2"), ("cortex-m33", "-O2")]


@pytest.mark.parametrize(("core", "optimise"), BUILDS)
@pytest.mark.parametrize("name", ALL)
def test_program_agrees(name: str, core: str, optimise: str) -> None:
    image = arm_compile(ALL[name], optimise, ARMV7M[core])
    oracle = TracingOracle()
    oracle.load_image(image)
    with Machine(load_model(core), MEMORY) as machine:
        image.load(machine)
        machine.load(BACK, bytes.fromhex("01be"))
        result = machine.call(
            image.symbols["work"],
            [0xC0FFEE01],
            sp=STACK_TOP,
            return_to=BACK,
            limit=10**7,
            profile=True,
        )
        assert result.stop == "bkpt", result
        assert result.instructions > 3_000
        after, ram = state_of(machine, vectors=False), machine.read(RAM, RAM_SIZE)

    start = [0xECF00000 + i for i in range(13)]  # as Machine.call leaves them
    start[0] = 0xC0FFEE01
    oracle.apply(State((*start, STACK_TOP, BACK | 1), 0, ()))
    assert oracle.run(image.symbols["work"], BACK) is None
    assert oracle.state(vectors=False).registers == after.registers
    assert result.result == after.registers[0] != 0xBAD
    oracle.check(result, BACK, skipped=result.classes.get("skipped", 0))
    assert ram == oracle.ram()


def test_slices_do_not_change_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """IT blocks are cut, too."""
    with Machine(load_model("cortex-m33"), MEMORY) as machine:
        whole = check_slices(
            monkeypatch, machine, arm_compile(CONDITIONS, "-Os", ARMV7M["cortex-m33"]), 1000, 7
        )
        assert whole.classes["it"] > 500
