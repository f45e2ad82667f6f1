"""What ends a run on every Arm core in the same way: the limit, the end of memory,
a bad start, noise.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ecfit.sim.machine import Fault, Machine, load_model
from workshop.sim.build import FLASH_SIZE, MEMORY, RAM, assemble
from workshop.sim.fault_checks import EXECUTE, PERIPHERAL

pytestmark = pytest.mark.usefixtures("cross_compiler")
BRANCH = {
    "cortex-m0": 3,
    "cortex-m3": 2,
    "cortex-m4": 2,
    "cortex-m33": 2,
}  # cycles of one to itself


@pytest.fixture(params=BRANCH)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def core(name: str) -> Iterator[Machine]:
    """64 KiB of flash at 0 and 64 KiB of RAM at 0x20000000, zero wait states."""
    with Machine(load_model(name), MEMORY) as machine:
        yield machine


@pytest.mark.parametrize(
    "limit", [0, 1, 2, 3, 65535, 65536, 65537, 262143, 262144, 262145, 1_000_001]
)
def test_the_limit_is_exact(limit: int, name: str, core: Machine) -> None:
    image = assemble("1: b 1b")
    image.load(core)
    result = image.call(core, "_start", limit=limit)
    assert (result.stop, result.instructions, result.cycles) == (
        "limit",
        limit,
        BRANCH[name] * limit,
    )
    assert (result.bkpt, result.fault) == (None, None)


def test_running_over_the_end_of_memory(core: Machine) -> None:
    """The fault is at the address that does not exist; a wide instruction cut
    by the end is at its own.
    """
    core.load(FLASH_SIZE - 4, bytes.fromhex("00bf00bf"))
    result = core.run(FLASH_SIZE - 3, limit=100)
    assert result.fault == Fault(EXECUTE, FLASH_SIZE, FLASH_SIZE)
    assert (result.instructions, result.cycles) == (2, 2)
    core.load(FLASH_SIZE - 2, bytes.fromhex("00f0"))
    result = core.run(FLASH_SIZE - 3, limit=100)
    assert result.fault == Fault(EXECUTE, FLASH_SIZE, FLASH_SIZE - 2)
    assert result.instructions == 1


@pytest.mark.parametrize("pc", [0x0, 0x100, RAM, PERIPHERAL | 1, 0x20FFFFFF, 0xFFFFFFFF])
def test_a_bad_start_is_a_fault(pc: int, core: Machine) -> None:
    """Without the Thumb bit, or outside memory."""
    result = core.run(pc, limit=10)
    assert result.stop == "fault"
    assert result.fault is not None
    assert result.fault.address == (pc if pc % 2 == 0 else pc & ~1)
    assert result.instructions == 0


def test_random_bytes_never_crash(core: Machine) -> None:
    """Flash and RAM full of noise, runs from everywhere: a result each time,
    with counts that fit.
    """
    rng = random.Random(4)
    for _ in range(300):
        core.load(0, rng.randbytes(0x400))
        core.write(RAM, rng.randbytes(0x400))
        for index in range(15):
            near = rng.choice((0, RAM)) + rng.randrange(0x400)
            core.set_register(index, near if index % 2 else rng.getrandbits(32))
        core.set_register(13, RAM + rng.randrange(0x400))
        start = rng.choice((0, RAM)) + rng.randrange(0x400) | 1
        result = core.run(start, limit=1000, profile=rng.random() < 0.3, taint=rng.random() < 0.3)
        assert result.instructions <= 1000
        assert result.cycles_min <= result.cycles <= result.instructions * 40
        assert (result.stop == "fault") == (result.fault is not None)
