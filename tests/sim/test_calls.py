"""Host calls: a run stops at its BKPT, the host answers, and the run goes on, counted as one."""

from __future__ import annotations

import pytest

from ecfit.sim.calls import HOST_CALL, CallingMachine
from ecfit.sim.machine import RunResult, SimError, load_model
from workshop.cores import rv32_build
from workshop.sim.build import MEMORY, STACK_TOP, Image, assemble

pytestmark = pytest.mark.usefixtures("cross_compiler", "riscv_compiler")
CORES = ["cortex-m0", "cortex-m3", "cortex-m4", "ibex"]
ARM = """
    movs r1, #7
1:  {call}
    adds r0, #1
    subs r1, #1
    bne 1b
    bx lr
"""
RV32 = """
    li a1, 7
1:  {call}
    addi a0, a0, 1
    addi a1, a1, -1
    bnez a1, 1b
    ret
"""


def program(core: str, *, calls: bool) -> Image:
    """Seven times a call, or none, and one more."""
    if core == "ibex":
        call = "ebreak\nsrai zero, zero, 3" if calls else ""
        return rv32_build.assemble(RV32.format(call=call))
    return assemble(ARM.format(call="bkpt #3" if calls else ""), cpu=core)


def call(on: CallingMachine, image: Image, argument: int) -> RunResult:
    """One run of the program."""
    image.load(on)
    start, back = image.symbols["_start"], image.symbols["back"]
    return on.call(start, (argument,), sp=STACK_TOP, return_to=back, limit=1000, profile=True)


@pytest.mark.parametrize("core", CORES)
def test_a_call_costs_nothing(core: str) -> None:
    image, plain = program(core, calls=True), program(core, calls=False)
    asked: list[tuple[int, ...]] = []
    seen: list[int] = []

    with CallingMachine(load_model(core), MEMORY) as on:

        def answer(arguments: tuple[int, ...]) -> int:
            asked.append(arguments[:2])
            seen.append(on.instructions)
            return arguments[0] + 10

        on.answer = answer
        called = call(on, image, 1)
    with CallingMachine(load_model(core), MEMORY) as on:
        without = call(on, plain, 1)
    assert asked == [(1 + 11 * turn, 7 - turn) for turn in range(7)]
    assert seen == sorted(set(seen))
    assert (called.stop, called.result) == ("bkpt", 78)
    assert called.bkpt != HOST_CALL
    assert called.instructions == without.instructions
    assert called.cycles == without.cycles
    assert sum(cycles for _, cycles in called.profile) == called.cycles


@pytest.mark.parametrize("core", CORES)
def test_a_call_that_is_not_answered_ends_the_run(core: str) -> None:
    image = program(core, calls=True)
    with CallingMachine(load_model(core), MEMORY) as on:
        with pytest.raises(SimError, match="nobody answers"):
            call(on, image, 1)
        on.answer = lambda arguments: None
        result = call(on, image, 1)
        assert (result.stop, result.bkpt, result.result) == ("bkpt", HOST_CALL, 1)
