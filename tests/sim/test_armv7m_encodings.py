"""ARMv7-M encodings alone, from random states: registers, flags with Q and GE, memory,
program counter or fault.

16-bit encodings, one in eight (the emulator takes its time; `test_encodings` has all of those
that ARMv6-M has); every 32-bit encoding of `armv7m_templates` many times, with any registers;
and words drawn at random, most of which are undefined.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from ecfit.sim.machine import Machine, load_model
from workshop.cores.armv7m_oracle import FLAGS, Oracle, State, state_of
from workshop.cores.armv7m_templates import draw, templates
from workshop.sim.build import MEMORY, RAM, RAM_SIZE, TEXT
from workshop.sim.emulator import stepped
from workshop.sim.random_programs import random_operand, random_stack_pointer

_NOP = 0xBF00
_GENERAL = tuple(r for r in range(15) if r != 13)
_CHOICES = {**dict.fromkeys("denmatu", _GENERAL), "b": tuple(range(15))}
_AT_ONCE = 1000  # cases side by side, 8 bytes each
_BRANCHED = ("execution outside memory", "branch without the Thumb bit")
# The emulator does these in some way: see armv7m_oracle.
_OTHERWISE = (
    "unpredictable instruction",
    "unaligned read",
    "unaligned write",
    "instruction that is not modelled",
)
_LEAVES_LOOP = (0xBF10, 0xBF20, 0xBF30, 0xBF40)  # hints
_SETEND = (0xB650, 0xB658)

Case = tuple[int, int]


def _state(rng: random.Random, *, vectors: bool) -> State:
    registers = [random_operand(rng) for _ in range(15)]
    registers[13] = random_stack_pointer(rng)
    vector = tuple(rng.getrandbits(32) for _ in range(32)) if vectors else ()
    return State(tuple(registers), rng.getrandbits(32) & FLAGS, vector)


def _compare(machine: Machine, oracle: Oracle, at: int, start: State) -> tuple[str, str]:
    """Run one instruction on both sides: how it ended, and what differs, if anything."""
    start.apply(machine)
    oracle.apply(start)
    result = machine.run(at | 1, limit=1)
    trouble = oracle.run(at, 0xFFFFFFFE, count=1)
    if result.stop == "bkpt" and result.instructions == 0:
        return "bkpt", "" if trouble else "the oracle passes over BKPT"
    if result.fault is None:
        vectors = bool(start.vector)
        ours, theirs = state_of(machine, vectors), oracle.state(vectors)
        return "ok", stepped(ours, theirs, machine.register(15), oracle.pc(), trouble)
    kind = result.fault.kind.split(" (")[0]
    if kind in _OTHERWISE:
        if not trouble:
            oracle.load(RAM, machine.read(RAM, RAM_SIZE))
        return kind, ""
    if (
        kind in _BRANCHED and not trouble
    ):  # the emulator arrives there, and faults on its next instruction
        arrived = result.fault.address & ~1 == oracle.pc() & ~1
        return kind, "" if arrived else f"{result.fault}, not {oracle.pc():#x}"
    return kind, "" if trouble else f"{result.fault}, but the oracle goes on"


def _check(cases: Sequence[Case], seed: int, *, vectors: bool = False) -> Counter[str]:
    """Run each case once at an address of its own; how many ended how. Fails on a difference."""
    rng, ends, found = random.Random(seed), Counter[str](), []
    oracle = Oracle()
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        for index in range(0, len(cases), _AT_ONCE):
            part = cases[index : index + _AT_ONCE]
            code = b"".join(
                half.to_bytes(2, "little") for case in part for half in (*case, _NOP, _NOP)
            )
            machine.load(TEXT, code)
            oracle.load(TEXT, code)
            for place, (first, second) in enumerate(part):
                start, ram = _state(rng, vectors=vectors), machine.read(RAM, RAM_SIZE)
                end, what = _compare(machine, oracle, TEXT + 8 * place, start)
                if what and oracle.is_lost():  # since an earlier case: once more, on new machines
                    oracle = Oracle()
                    for side in (machine, oracle):
                        side.load(TEXT, code)
                        side.load(RAM, ram)
                    end, what = _compare(machine, oracle, TEXT + 8 * place, start)
                ends[end] += 1
                if what:
                    found.append(f"{first:04x} {second:04x}: {what}")
                    oracle.load(RAM, machine.read(RAM, RAM_SIZE))
        assert not found, f"{len(found)} of {len(cases)}: {found[:10]}"
        assert machine.read(RAM, RAM_SIZE) == oracle.ram()
    return ends


def test_16_bit_encodings() -> None:
    """All of CBZ, CBNZ and what else is new in ARMv7-M; an eighth of the others."""
    left_out = {
        *range(0xB660, 0xB680),
        *(h for h in range(0xBF00, 0xC000) if h & 15),
        *_LEAVES_LOOP,
        *_SETEND,
    }
    rng = random.Random(0)
    new = {h for h in range(0xB000, 0xC000) if h & 0xF500 == 0xB100}
    chosen = [h for h in range(0xE800) if h not in left_out and (h in new or rng.random() < 0.125)]
    ends = _check([(h, _NOP) for h in chosen], 1)
    assert ends["ok"] > 5_000, ends
    assert ends["unpredictable instruction"] < 300, ends
    assert ends["unaligned read"] + ends["unaligned write"] < 500, ends


def test_setend_is_undefined() -> None:
    """ARMv7-M does not have it; the emulator executes it."""
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        for half in _SETEND:
            machine.load(TEXT, half.to_bytes(2, "little"))
            result = machine.run(TEXT | 1, limit=1)
            assert result.fault is not None
            assert result.fault.kind == "undefined instruction"


@pytest.mark.parametrize("group", list(templates()))
def test_every_32_bit_encoding(group: str) -> None:
    rng = random.Random(2)
    cases = [draw(rng, row, _CHOICES) for row in templates()[group] for _ in range(60)]
    ends = _check(cases, 3, vectors=group == "vectors")
    assert ends["undefined instruction"] == 0, ends
    assert ends["unpredictable instruction"] <= len(cases) // 100, (
        ends
    )  # LDR SP with a base of SP that is written
    assert ends["ok"] > len(cases) // 2, ends


def test_branches() -> None:
    """B.W, BL, B<cond>.W near and far."""
    rng = random.Random(4)
    cases = [
        (0xF000 | rng.choice((0, 0x7FF)), rng.choice((0xB800, 0xF800)) | rng.getrandbits(11))
        for _ in range(300)
    ]
    cases += [
        (0xF000 | rng.getrandbits(11), 0x9000 | rng.getrandbits(14) | 0x4000 * (i & 1))
        for i in range(700)
    ]
    cases += [
        (0xF000 | rng.randrange(14) << 6 | rng.choice((0, 0x43F)), 0x8000 | rng.getrandbits(11))
        for _ in range(600)
    ]
    ends = _check(cases, 5)
    assert ends["ok"] > 400, ends
    assert set(ends) <= {"ok", "execution outside memory"}, ends


def test_flags_through_special_registers() -> None:
    """MSR APSR with each mask, and MRS."""
    cases = [(0xF380 | r, 0x8000 | mask << 10) for r in _GENERAL for mask in (1, 2, 3)]
    cases += [(0xF3EF, 0x8000 | r << 8) for r in _GENERAL]
    ends = _check(cases * 10, 6)
    assert set(ends) == {"ok"}, ends


def _is_of_armv8(first: int, second: int) -> bool:
    """LDA, STL, TT, SG, and SIMD loads and stores, which the emulator's core
    takes for instructions.
    """
    exclusive = first & 0xFFE0 == 0xE8C0 or first & 0xFFF0 in (0xE840, 0xE8D0)
    return (
        exclusive
        or first & 0xFF10 == 0xF900
        or (first, second) == (0xE97F, 0xE97F)
        or first & 0xEC00 == 0xEC00
    )


def test_words_drawn_at_random() -> None:
    """Undefined ones fault on both sides; what both execute is the same."""
    rng = random.Random(7)
    cases = [(rng.randrange(0xE800, 0x10000), rng.getrandbits(16)) for _ in range(12_000)]
    cases += [(rng.randrange(0xEA00, 0xEC00), rng.getrandbits(16)) for _ in range(2_000)]
    cases += [(rng.randrange(0xFA00, 0xFC00), rng.getrandbits(16) | 0xF000) for _ in range(4_000)]
    hints = [
        (first, second)
        for first, second in cases
        if first & 0xFFF0 == 0xF3A0 or first & 0xFFE0 in (0xF380, 0xF3E0)
    ]
    ends = _check([case for case in cases if not _is_of_armv8(*case) and case not in hints], 8)
    assert ends["ok"] > 1_000, ends
    assert ends["undefined instruction"] > 1_000, ends
