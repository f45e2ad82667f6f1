"""Each 16-bit encoding once, and many of 32 bits, alone, from random states: registers, memory,
counter or fault.
"""

from __future__ import annotations

import random

import pytest

from ecfit.sim.machine import Machine
from workshop.cores.rv32_oracle import PC, Oracle, State, is_beyond, is_reserved, state_of
from workshop.sim.build import RAM, RAM_SIZE, TEXT
from workshop.sim.emulator import difference, stepped
from workshop.sim.random_programs import random_operand

_BEHIND = 0x0001  # C.NOP


@pytest.fixture
def oracle() -> Oracle:
    return Oracle()


def _state(rng: random.Random) -> State:
    return State(tuple(random_operand(rng, code_bit=0) for _ in range(31)))


def _compare(machine: Machine, oracle: Oracle, code: int, size: int, start: State) -> str:
    """Run one instruction on both sides; what differs, or nothing."""
    encoded = code.to_bytes(size, "little") + _BEHIND.to_bytes(2, "little") * 2
    machine.load(TEXT, encoded)
    oracle.load(TEXT, encoded)
    start.apply(machine)
    oracle.apply(start)
    result = machine.run(TEXT, limit=1)
    trouble = oracle.run(TEXT, 0xFFFFFFFE, count=1)
    if code in (0x9002, 0x00100073):  # EBREAK
        return (
            ""
            if (result.stop, result.bkpt) == ("bkpt", 255) and trouble
            else f"EBREAK: {result.stop}, {trouble}"
        )
    fault = result.fault
    if fault is None:
        return stepped(
            state_of(machine), oracle.state(), machine.register(PC), oracle.pc(), trouble
        )
    if fault.kind == "execution outside memory":
        # the emulator arrives there, and faults on its next instruction
        arrived = fault.address == oracle.pc()
        return (
            difference(state_of(machine), oracle.state())
            if arrived
            else f"{fault}, not {oracle.pc():#x}"
        )
    if changed := difference(state_of(machine), start):
        return f"{fault} changed {changed}"
    return "" if trouble else f"{fault}, but the oracle goes on"


def _check(machine: Machine, oracle: Oracle, code: int, size: int, rng: random.Random) -> str:
    found = _compare(machine, oracle, code, size, _state(rng))
    return f"{code:0{2 * size}x}: {found}" if found else ""


def test_every_16_bit_encoding(ibex: Machine, oracle: Oracle) -> None:
    rng = random.Random(1)
    encodings = [h for h in range(0x10000) if h & 3 != 3 and not is_reserved(h)]
    found = [f for h in encodings if (f := _check(ibex, oracle, h, 2, rng))]
    assert not found, f"{len(found)} encodings: {found[:10]}"
    assert ibex.read(RAM, RAM_SIZE) == oracle.ram()


def test_32_bit_encodings(ibex: Machine, oracle: Oracle) -> None:
    """Random fields under each major opcode, biased to those that have instructions;
    and nothing but random bits.
    """
    rng = random.Random(2)
    opcodes = [low << 2 | 3 for low in range(32) if low & 7 != 7]
    known = (0x03, 0x0F, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6F, 0x73)
    encodings = [rng.getrandbits(25) << 7 | opcode for opcode in opcodes for _ in range(100)]
    encodings += [rng.getrandbits(25) << 7 | rng.choice(known) for _ in range(3000)]
    encodings += [
        rng.choice((0, 1, 0x20)) << 25 | rng.getrandbits(18) << 7 | rng.choice((0x13, 0x33))
        for _ in range(3000)
    ]
    encodings = [w for w in encodings if not is_beyond(w)]
    assert len(encodings) > 6000
    found = [f for w in encodings if (f := _check(ibex, oracle, w, 4, rng))]
    assert not found, f"{len(found)} encodings: {found[:10]}"
    assert ibex.read(RAM, RAM_SIZE) == oracle.ram()


def test_what_the_emulator_has_beyond_this_core_faults(ibex: Machine) -> None:
    """Atomics, reserved 16-bit encodings, instructions longer than 32 bits,
    privileged instructions.
    """
    rng = random.Random(3)
    reserved = [h for h in range(0x10000) if h & 3 != 3 and is_reserved(h)]
    assert len(reserved) > 1000
    atomics = [rng.getrandbits(25) << 7 | 0x2F for _ in range(200)]
    longer = [rng.getrandbits(27) << 5 | 0x1F for _ in range(200)]
    for code, size in [*((h, 2) for h in reserved), *((w, 4) for w in atomics + longer)]:
        ibex.load(TEXT, code.to_bytes(size, "little"))
        result = ibex.run(TEXT, limit=1)
        assert result.fault is not None
        assert (result.fault.kind, result.fault.pc) == ("undefined instruction", TEXT), f"{code:x}"
