"""The law of RAM banks that wait (sim/ecsim.h, ecsim_bank), by small programs counted by hand."""

from __future__ import annotations

import pytest

from ecfit.sim.machine import Machine, Region, SimError, load_model
from workshop.sim.build import MEMORY
from workshop.sim.build import assemble_m4 as assemble

SLOW, FAST = 0x2100_0000, 0x2200_0000


def cycles(code: str, latency: int, *, other: int = SLOW, observe: bool = False) -> int:
    """Of a program on a Cortex-M4: r0 and the stack in the bank, r1 in `other`."""
    banks = (
        Region("slow", SLOW, 0x1000, "ram", latency),
        Region("fast", FAST, 0x1000, "ram"),
    )
    image = assemble(code + "; bx lr")
    start, back = image.symbols["_start"], image.symbols["back"]
    with Machine(load_model("cortex-m4"), (*MEMORY, *banks)) as machine:
        image.load(machine)
        arguments = (SLOW + 64, other + 256)
        result = machine.call(
            start, arguments, sp=SLOW + 0x800, return_to=back, limit=100, profile=observe
        )
    assert result.fault is None
    return result.cycles


@pytest.mark.parametrize(
    ("code", "waits"),
    [
        ("ldr r2, [r0]", 1),
        ("ldr r2, [r0]; ldr r3, [r1]", 1),  # pipelined
        ("ldr r2, [r0]; nop; ldr r3, [r1]", 2),
        ("ldrd r2, r3, [r0]", 1),
        ("ldr r2, [r0]; ldrd r2, r3, [r1]", 2),  # which is not pipelined
        ("ldm r1, {r2, r3}", 1),
        ("push {r4, r5}; pop {r4, r5}", 1),
        ("push {r4, r5}; nop; pop {r4, r5}", 1),
        ("str r2, [r0]", 0),  # hidden in the write buffer
        ("str r2, [r0]; str r2, [r0]", 0),
        ("str r2, [r0]; ldr r3, [r1]", 1),
        ("str r2, [r0]; nop; ldr r3, [r1]", 1),
        ("ldr r2, [r0]; str r2, [r1]; ldr r3, [r0]", 1),
        ("ldr r2, [r0]; str r2, [r1]; nop; ldr r3, [r0]", 2),
        ("ldr r2, [r0]; nop; str r2, [r1]; ldr r3, [r0]", 2),
    ],
)
@pytest.mark.parametrize("observe", [False, True])
def test_an_access_that_finds_its_bus_idle_waits(code: str, waits: int, *, observe: bool) -> None:
    plain = cycles(code, 0, observe=observe)
    assert cycles(code, 1, observe=observe) - plain == waits
    assert cycles(code, 3, observe=observe) - plain == 3 * waits


def test_banks_have_buses_of_their_own() -> None:
    alternating = "ldr r2, [r0]; ldr r3, [r1]; ldr r2, [r0]"
    assert cycles(alternating, 1) - cycles(alternating, 0) == 1
    assert cycles(alternating, 1, other=FAST) - cycles(alternating, 0, other=FAST) == 2


@pytest.mark.parametrize("latency", [-1, 16])
def test_a_latency_out_of_range_is_refused(latency: int) -> None:
    with pytest.raises(SimError, match="latency of memory region"):
        cycles("nop", latency)


def test_flash_has_no_latency() -> None:
    with pytest.raises(SimError, match="latency of memory region"):
        Machine(load_model("cortex-m4"), (Region("flash", 0, 64, "flash", 1),))
