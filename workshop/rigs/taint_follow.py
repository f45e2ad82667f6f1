"""Runs of images that follow secrets, for the taint tests."""

from __future__ import annotations

from ecfit.sim.machine import Finding, Machine, RunResult
from workshop.sim.build import RAM, STACK_TOP, Image

KEY, NONCE = 1, 2  # labels
BUFFER = RAM + 0x100  # 16 bytes of KEY, then 16 of NONCE, then public ones


def follow(machine: Machine, image: Image, *args: int, function: str = "_start") -> RunResult:
    """Calls a function with the address of the buffer, which holds secrets, and then `args`."""
    image.load(machine)
    machine.functions(image.functions)
    machine.write(BUFFER, bytes(range(1, 65)))
    machine.secret(RAM, 0x10000, 0)
    machine.secret(BUFFER, 16, KEY)
    machine.secret(BUFFER + 16, 16, NONCE)
    result = machine.call(
        image.symbols[function],
        [BUFFER, *args],
        sp=STACK_TOP,
        return_to=image.symbols["back"],
        limit=1_000_000,
        taint=True,
    )
    assert result.stop == "bkpt", result.fault
    return result


def kinds(findings: tuple[Finding, ...]) -> list[tuple[str, int]]:
    return [(found.kind, found.labels) for found in findings]
