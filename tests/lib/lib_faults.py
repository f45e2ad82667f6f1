"""Faults on the simulator: one instruction of a run is skipped, once, and the run goes on.

A rig holds a chip in the middle of a call: its registers and RAM can be saved and put back,
so that one run up to a point serves for the fault there. Points are found with breakpoints in place
of every instruction of the functions concerned.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ref import codec, ecdsa
from ref.curves import CURVES as REFERENCE
from ref.group import multiply_base

from ecfit.build.build import Request, build
from ecfit.build.parts import make_parts
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.measure.store import Store
from ecfit.model import Image, Symbol
from ecfit.sim.machine import Machine, Region, load_model

BREAK = b"\x07\xbe"  # BKPT #7
RETURNED = 1  # firmware/bench_main.c
KEY, DIGEST = 0xC0FFEE, hashlib.sha256(b"firmware").digest()
REGISTERS = range(17)  # r0..r15 and the flags


class State(NamedTuple):
    """Where a run stands: the next instruction, registers, RAM."""

    pc: int
    registers: tuple[int, ...]
    ram: bytes


class Point(NamedTuple):
    """An instruction about to be executed: its address, for how many times now,
    and the state before it.
    """

    pc: int
    hit: int
    state: State


class Rig:
    """A verification on a Cortex-M0+ that can be stopped, changed and continued.
    `function`: which, `sets`: knobs.
    """

    def __init__(
        self, curve: str, function: str, sets: dict[str, str], preset: str = "balanced"
    ) -> None:
        self.target = find_target("samd20")
        self.curve = REFERENCE[curve]
        self.image = self._image(curve, sets, preset)
        self.ram = next(memory for memory in self.target.memory if memory.kind == "ram")
        regions = [Region(m.name, m.start, m.size, m.kind) for m in self.target.memory]
        model = load_model(self.target.model or "", **self.target.model_options)
        self.machine = Machine(model, regions, None)
        self.code = max(self.image.segments, key=lambda segment: len(segment.data))
        for segment in self.image.segments:
            self.machine.load(segment.address, segment.data)
        self.function = self.image.symbols[f"ecfit_{curve}_{function}"] & ~1
        ready = self.machine.reset(self.target.region("flash").start, limit=10**6)
        assert ready.stop == "bkpt", ready
        self.instructions = 0  # of a whole run

    def _image(self, curve: str, sets: dict[str, str], preset: str) -> Image:
        config = resolve(CURVES[curve], preset, sets, self.target.backend)
        parts = make_parts(config, curve, ["verify"], {})
        toolchain = find_toolchain("gcc", self.target.arch, self.target.core, "Os")
        request = Request(self.target, config, curve, ("verify",), toolchain, parts)
        return Store().made_image(request.key, lambda: build(request))

    def begin(self, *, valid: bool) -> State:
        """The state at the first instruction of a verification of a valid signature,
        or of one with another r.
        """
        r, s = ecdsa.sign(self.curve, KEY, DIGEST)
        signature = ecdsa.encode_signature(self.curve, (r if valid else r ^ 1, s))
        public = codec.encode_point(self.curve, multiply_base(self.curve, KEY))
        arena, machine = self.image.symbols["bench_arena"], self.machine
        machine.write(arena, signature + public + DIGEST)
        at = [arena, arena + len(signature), arena + len(signature) + len(public), len(DIGEST)]
        stack, back = self.image.symbols["image_stack_top"], self.image.symbols["bench_return"]
        machine.call(self.function, at, sp=stack, return_to=back, limit=0)
        return self.save(self.function)

    def save(self, pc: int) -> State:
        """The state now."""
        registers = tuple(self.machine.register(index) for index in REGISTERS)
        return State(pc, registers, self.machine.read(self.ram.start, self.ram.size))

    def restore(self, state: State) -> None:
        """Puts a state back, and the code as built."""
        self.machine.load(self.code.address, self.code.data)
        self.machine.write(self.ram.start, state.ram)
        for index, value in zip(REGISTERS, state.registers, strict=True):
            self.machine.set_register(index, value)

    def finish(self, pc: int, limit: int) -> int | None:
        """Runs on from there; the result, None when the function did not come back (a fault,
        an endless loop).
        """
        run = self.machine.run(pc | 1, limit=limit)
        return run.result if run.stop == "bkpt" and run.bkpt == RETURNED else None

    def whole(self, *, valid: bool) -> int | None:
        """The result of an undisturbed run."""
        state = self.begin(valid=valid)
        self.restore(state)
        run = self.machine.run(state.pc | 1, limit=10**9)
        self.instructions = run.instructions
        return run.result if run.stop == "bkpt" and run.bkpt == RETURNED else None

    def skipped(self, point: Point) -> int | None:
        """The result when this instruction is left out. A run that goes on for much longer counts
        as no answer.
        """
        self.restore(point.state)
        return self.finish(point.pc + size_of(self.code_at(point.pc)), self.instructions * 9 // 8)

    def code_at(self, pc: int) -> int:
        """The halfword there, as built."""
        offset = pc - self.code.address
        return int.from_bytes(self.code.data[offset : offset + 2], "little")

    def functions(self, *parts: str) -> list[Symbol]:
        """The functions whose name contains one of these texts."""
        return [
            function
            for function in self.image.functions
            if any(part in function.name for part in parts)
        ]

    def points(self, functions: list[Symbol], *, often: bool) -> Iterator[Point]:
        """Every instruction of these functions in a wrong signature's run: at its first
        and last time, and with `often` at some between. A run of a valid signature comes before,
        so that what it left in memory is there."""
        totals = Counter(point.pc for point in self._stops(functions, None))
        wanted = {
            pc: {1, total, *({2, total // 2, total // 2 + 1, total - 1} if often else ())}
            for pc, total in totals.items()
        }
        return self._stops(functions, wanted)

    def moments(self, count: int) -> Iterator[Point]:
        """`count` instructions all over a wrong signature's run, whatever function they
        are in, evenly spread.
        """
        self.whole(valid=True)
        for number in range(count):
            state = self.begin(valid=False)
            self.restore(state)
            self.machine.run(
                state.pc | 1, limit=1 + self.instructions * (2 * number + 1) // (2 * count)
            )
            pc = self.machine.register(15)
            yield Point(pc, number, self.save(pc))

    def _stops(
        self, functions: list[Symbol], wanted: dict[int, set[int]] | None
    ) -> Iterator[Point]:
        """The points at the wanted times (None: at all times, without their states)."""
        planted = bytearray(self.code.data)
        for function in functions:
            for pc in instructions(self, function):
                planted[pc - self.code.address : pc - self.code.address + 2] = BREAK
        assert self.whole(valid=True) is not None
        seen: Counter[int] = Counter()
        state = self.begin(valid=False)
        self.restore(state)
        pc = state.pc
        while True:
            self.machine.load(self.code.address, bytes(planted))
            run = self.machine.run(pc | 1, limit=10**9)
            assert run.stop == "bkpt", run
            if run.bkpt == RETURNED:
                return
            pc = self.machine.register(15)
            seen[pc] += 1
            if wanted is None:
                yield Point(pc, seen[pc], state)
            elif seen[pc] in wanted[pc]:
                here = self.save(pc)
                yield Point(pc, seen[pc], here)
                self.restore(here)
            offset = pc - self.code.address
            self.machine.load(pc, self.code.data[offset : offset + 2])
            step = self.machine.run(pc | 1, limit=1)
            if step.stop == "bkpt" and step.bkpt == RETURNED:
                return
            pc = self.machine.register(15)


def instructions(rig: Rig, function: Symbol) -> Iterator[int]:
    """Addresses of the Thumb instructions of a function: a word that one of them loads relative
    to the pc is none.
    """
    pc, data = function.address, set[int]()
    while pc < function.address + function.size:
        if pc in data:
            pc += 4
            continue
        half = rig.code_at(pc)
        if half >> 11 == 0b01001:
            data.add((pc + 4 & ~3) + (half & 0xFF) * 4)
        yield pc
        pc += size_of(half)


def size_of(half: int) -> int:
    """Bytes of a Thumb instruction that begins with this halfword."""
    return 4 if half >> 11 in (0b11101, 0b11110, 0b11111) else 2
