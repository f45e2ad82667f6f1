"""Each encoding once and more, alone, from random states: registers, flags, memory,
program counter or fault.
"""

import random
from collections.abc import Callable, Sequence

import pytest

from ecfit.sim.machine import Machine
from workshop.scale import some
from workshop.sim.build import FLASH_SIZE, RAM, RAM_SIZE, TEXT
from workshop.sim.emulator import stepped
from workshop.sim.oracle import (
    LEAVES_LOOP,
    State,
    WatchingOracle,
    is_later,
    is_unpredictable,
    state_of,
)
from workshop.sim.random_programs import random_operand, random_stack_pointer

_NOP = 0xBF00
_AT_ONCE = 4096  # cases that are in flash together


def _state(rng: random.Random) -> State:
    # The emulator reads the word at a target, where a halfword would do.
    registers = [random_operand(rng, code_end=FLASH_SIZE - 4) for _ in range(15)]
    registers[13] = random_stack_pointer(rng)
    return State(tuple(registers), rng.getrandbits(4) << 28)


def _compare(machine: Machine, oracle: WatchingOracle, pc: int, first: int, start: State) -> str:
    """Run the one instruction at pc, whose first halfword is `first`, on both sides;
    what differs, or nothing.
    """
    start.apply(machine)
    oracle.apply(start)
    result = machine.run(pc | 1, limit=1)
    trouble = oracle.run(pc, 0xFFFFFFFE, count=1)
    if first & 0xFF00 == 0xBE00:
        return "" if result.stop == "bkpt" and trouble else f"BKPT: {result.stop}, {trouble}"
    fault = result.fault
    if fault is None:
        return stepped(
            state_of(machine), oracle.state(), machine.register(15), oracle.pc(), trouble
        )
    if fault.kind in ("execution outside memory", "branch without the Thumb bit") and not trouble:
        # the emulator arrives there, and faults on its next instruction
        return "" if fault.address & ~1 == oracle.pc() & ~1 else f"{fault}, not {oracle.pc():#x}"
    return "" if trouble else f"{fault}, but the oracle goes on"


@pytest.fixture
def oracle() -> WatchingOracle:
    return WatchingOracle()


def _check(
    machine: Machine, oracle: WatchingOracle, cases: Sequence[tuple[int, int]], rng: random.Random
) -> list[str]:
    """Pairs of halfwords, each run once at an address of its own; those that differ, in words."""
    found = []
    for at in range(0, len(cases), _AT_ONCE):
        part = cases[at : at + _AT_ONCE]
        code = b"".join(half.to_bytes(2, "little") for pair in part for half in pair)
        machine.load(TEXT, code)
        oracle.load(TEXT, code)
        for index, (first, second) in enumerate(part):
            what = _compare(machine, oracle, TEXT + 4 * index, first, _state(rng))
            if oracle.unaligned:  # it has been performed there
                oracle.load(RAM, machine.read(RAM, RAM_SIZE))
            if what:
                found.append(f"{first:04x} {second:04x}: {what}")
    return found


@pytest.mark.sampled
def test_every_16_bit_encoding(m0: Machine, oracle: WatchingOracle) -> None:
    """In the outer ring; in `make test` each fifth."""
    rng = random.Random(1)
    left_out = {h for h in range(0xE800) if is_unpredictable(h) or is_later(h)} | LEAVES_LOOP
    halves = [h for h in some(range(0xE800), 5) if h not in left_out]
    found = _check(m0, oracle, [(h, _NOP) for h in halves], rng)
    assert not found, f"{len(found)} encodings: {found[:10]}"
    assert m0.read(RAM, RAM_SIZE) == oracle.ram()


def test_32_bit_encodings(m0: Machine, oracle: WatchingOracle) -> None:
    """BL with offsets near and far, and the barriers."""
    rng = random.Random(2)
    cases = [(0xF000 | rng.choice((0, 0x7FF)), 0xF800 | rng.getrandbits(11)) for _ in range(300)]
    cases += [
        (0xF000 | rng.getrandbits(11), 0xD000 | rng.getrandbits(1) << 13 | rng.getrandbits(12))
        for _ in range(700)
    ]
    cases += [(0xF3BF, 0x8F40 | option) for option in (0xF, 0x1F, 0x2F)]
    found = _check(m0, oracle, cases, rng)
    assert not found, f"{len(found)} encodings: {found[:10]}"


def test_32_bit_encodings_that_are_undefined(m0: Machine) -> None:
    """ARMv6-M has BL, MSR, MRS and the barriers (Arm DDI 0419, A5.3).
    The emulator executes some more.
    """
    rng = random.Random(3)
    cases = [
        (rng.choice((0xE800, 0xF800)) | rng.getrandbits(11), rng.getrandbits(16))
        for _ in range(4000)
    ]
    cases += [(0xF000 | rng.getrandbits(11), rng.getrandbits(15)) for _ in range(1000)]
    cases += [(0xF7F0 | rng.getrandbits(4), 0xA000 | rng.getrandbits(12)) for _ in range(100)]
    for first, second in cases:
        m0.load(TEXT, first.to_bytes(2, "little") + second.to_bytes(2, "little"))
        result = m0.run(TEXT | 1, limit=1)
        assert result.fault is not None, f"{first:04x} {second:04x}"
        assert (result.fault.kind, result.fault.pc) == ("undefined instruction", TEXT), (
            f"{first:04x} {second:04x}"
        )


@pytest.mark.parametrize(
    ("is_kind", "kind", "at_least"),
    [
        (is_unpredictable, "unpredictable instruction", 200),
        (is_later, "undefined instruction", 1000),
    ],
)
def test_what_the_emulator_executes_in_some_way_faults(
    m0: Machine, is_kind: Callable[[int], bool], kind: str, at_least: int
) -> None:
    encodings = [h for h in range(0xE800) if is_kind(h)]
    assert len(encodings) > at_least
    for first in encodings:
        m0.load(TEXT, first.to_bytes(2, "little"))
        result = m0.run(TEXT | 1, limit=1)
        assert result.fault is not None
        assert (result.fault.kind, result.fault.pc, result.instructions) == (kind, TEXT, 0), (
            f"{first:04x}"
        )
