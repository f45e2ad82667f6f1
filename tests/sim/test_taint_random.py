"""What taint calls public is public: random programs, run again with other secrets,
agree in all of it.

A program without a finding takes the same course and the same time whatever the secrets are;
and a register or a byte of memory that differs afterwards is labelled.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, Protocol

import pytest
import rv32_random
import sim_random
from sim_build import MEMORY, RAM, RAM_SIZE, TEXT, assemble
from sim_random import MIDDLE
from taint_armv7m import Assembly

from ecfit.sim.machine import Machine, load_model

SECRETS = 96  # bytes from the middle of RAM on, about half of which are secret
LIMIT = 20_000


class Start(Protocol):
    """Registers, as sim_oracle and rv32_oracle hold them."""

    def apply(self, machine: Machine) -> None: ...


class Program(NamedTuple):
    """Code for TEXT and the state that it starts in; bit 0 of the program counter;
    registers that the host can see.
    """

    code: bytes
    start: Start
    code_bit: int
    registers: range


def halfwords(code: list[int]) -> bytes:
    return b"".join(half.to_bytes(2, "little") for half in code)


def armv6m(rng: random.Random) -> Program:
    begin = [0x4646, 0xCE0F]  # mov r6, r8; ldm r6!, {r0-r3}
    code = begin + sim_random.Program(rng).generate(rng.randrange(4, 40))
    return Program(halfwords(code), sim_random.random_state(rng), 1, range(15))


def armv7m(rng: random.Random) -> Program:
    lines = Assembly(rng).program(rng.randrange(3, 24))
    image = assemble(f".fpu fpv4-sp-d16\nldm r8, {{r0-r3}}\n{lines}\nbkpt #0", cpu="cortex-m4")
    (segment,) = image.segments
    return Program(segment[1], sim_random.random_state(rng), 1, range(15))


def rv32(rng: random.Random) -> Program:
    begin = [
        half
        for number in (10, 11, 12, 13)
        for half in rv32_random.i_type(0x03, 2, number, 3, 4 * (number - 10))
    ]
    code = begin + rv32_random.Program(rng).generate(rng.randrange(4, 40))
    return Program(halfwords(code), rv32_random.random_state(rng), 0, range(32))


def seen(machine: Machine, program: Program) -> tuple[list[int], bytes]:
    return [machine.register(i) for i in program.registers], machine.read(RAM, RAM_SIZE)


def begin(machine: Machine, program: Program, ram: bytes) -> None:
    machine.load(TEXT, program.code)
    machine.write(RAM, ram)
    program.start.apply(machine)


def check(machine: Machine, another: Machine, program: Program, rng: random.Random) -> bool:
    """Runs a program on two new machines with two sets of secrets; whether it had no finding,
    so that all has been compared."""
    places = [MIDDLE + i for i in range(SECRETS) if rng.random() < 0.5]
    ram = bytearray(rng.randbytes(RAM_SIZE))
    begin(machine, program, bytes(ram))
    for place in places:
        machine.secret(place, 1, 1 << place % 3)
    first = machine.run(TEXT | program.code_bit, limit=LIMIT, taint=True)
    if first.stop != "bkpt" or first.findings:
        return False
    registers, memory = seen(machine, program)
    labels, register_labels = (
        machine.labels(RAM, RAM_SIZE),
        [machine.register_labels(i) for i in program.registers],
    )
    flag_labels, flags = machine.register_labels(16), machine.register(16)
    for place in places:
        ram[place - RAM] = rng.getrandbits(8)
    begin(another, program, bytes(ram))
    second = another.run(TEXT | program.code_bit, limit=LIMIT)
    assert (second.cycles, second.trace_hash) == (first.cycles, first.trace_hash)
    other_registers, other_memory = seen(another, program)
    told = [
        i for i, n in enumerate(register_labels) if n == 0 and registers[i] != other_registers[i]
    ]
    assert not told, f"registers {told} differ and are public"
    wild = [RAM + i for i in range(RAM_SIZE) if memory[i] != other_memory[i] and not labels[i]]
    assert not wild, f"memory at {[hex(place) for place in wild[:4]]} differs and is public"
    assert not program.code_bit or flag_labels or flags == another.register(16), (
        "flags differ and are public"
    )
    return True


@pytest.mark.parametrize(
    ("model", "generate", "programs", "least"),
    [("cortex-m0", armv6m, 1200, 300), ("cortex-m4", armv7m, 120, 40), ("ibex", rv32, 1200, 300)],
)
def test_public_is_public(
    model: str,
    generate: Callable[[random.Random], Program],
    programs: int,
    least: int,
    cross_compiler: None,
) -> None:
    rng, compared, core = random.Random(f"taint {model}"), 0, load_model(model)
    for number in range(programs):
        program = generate(rng)
        with Machine(core, MEMORY) as machine, Machine(core, MEMORY) as another:
            try:
                compared += check(machine, another, program, rng)
            except AssertionError as error:
                raise AssertionError(
                    f"program {number}: {error}: {program.code.hex(' ', 2)}"
                ) from None
    assert compared >= least
