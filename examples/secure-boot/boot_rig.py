"""A boot of the simulator that can be attacked: from the reset on, one thing goes wrong once,
and the run goes on.

Four models of a fault: an instruction is left out; a register (the flags are one) is read as zero
by one instruction; one bit of an instruction is another the one time that it is executed; a word
that is loaded arrives changed.

One run goes from the reset to the refusal, and stops before each instruction that is attacked; its
state there serves for all faults. Where a faulted run calls one of the functions `JOINS` with
the registers and the memory of a run whose end is known, it ends as that one did: a run depends
on nothing else. Memory closely below the stack pointer is left out, and so are registers and flags
in which nothing is handed to a function.

The slot is guarded: the first instruction fetched from it ends the run. That is an acceptance,
unless the registers of a memory protection unit, on a core that has one, forbid it at that moment.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from secureboot import MINIMUM, SLOT, SLOT_SIZE, SYSTEM_CONTROL, Chip

from ecfit.build.elf import Elf
from ecfit.choices.targets import find_target
from ecfit.run.basis import cycle_model
from ecfit.sim.machine import Region
from ecfit.sim.state import State, StoppableMachine

MODELS = "skip", "zero", "flip", "load"
JOINS = "verify_once", "check_signature", "check_hash", "boot_verify", "boot_age"
RAM_SIZE = 0x8000  # bytes of a chip's RAM that the loader has here
_KEPT = 0x7FF0  # r4 to r14: what a function relies on besides its arguments
_THREE = 0x7  # r0 to r2; of a function of JOINS that takes more, r3
_FLAGS, _PC = 16, 15
_PROTECTION = 0xE000ED90  # MPU_TYPE; CTRL, RNR, RBAR and RASR or RLAR behind it
_NO_PROTECTION = "cortex-m0", "cortex-m0plus"  # optional there: the SAM D21 has none
_EXECUTE = 8  # ecsim_fault
_STOP = b"\x63\xbe"  # BKPT #99: a function of JOINS begins
_WORDS = 0, 0xFFFFFFFF  # what a load may give instead, besides one wrong bit and chance


class Fault(NamedTuple):
    """Where, at which instruction of the run, and what: of a model, a register, a bit, a word."""

    function: str
    pc: int
    ordinal: int
    model: str
    detail: int


class Found(NamedTuple):
    """How many faults of each model were tried, and those after which the slot was executed."""

    tried: Counter[str]
    accepted: list[Fault]


def small(where: Chip) -> Chip:
    """The chip with the RAM that a rig keeps and compares."""
    return where._replace(ram=(where.ram[0], min(RAM_SIZE, where.ram[1])))


class Rig:
    """A boot loader, built for `small(where)`, with a slot and the RAM that it finds.
    `joins`: other functions than JOINS, of four arguments at most.
    """

    def __init__(
        self,
        where: Chip,
        boot: Elf,
        image: bytes,
        oldest: bytes,
        ram: bytes | None = None,
        *,
        joins: tuple[str, ...] = (),
    ) -> None:
        self.where, self.boot = where, boot
        self.walker, self.victim = (self._machine(image, oldest, ram) for _ in range(2))
        self.code = bytes(self.walker.read(where.flash, MINIMUM))
        self.joins = {
            one.address: _KEPT | _THREE | 8 * (bool(joins) or one.name.startswith("boot_age"))
            for one in boot.functions
            if any(name in one.name for name in joins or JOINS)
        }
        self.refusal = range(0)
        for one in boot.functions:
            if one.name == "port_refuse":
                self.refusal = range(one.address, one.address + one.size)
        for address in self.joins:
            self.victim.patch(address, _STOP)
        self.begin = self.walker.save()
        self.known: dict[tuple[int, int], bool] = {}
        self.instructions = 0  # of a run without a fault
        self.limit = 10**9
        self.guarded = True  # whether a protection unit is heeded
        self.accepted_whole = self._whole()

    def _machine(self, image: bytes, oldest: bytes, ram: bytes | None) -> StoppableMachine:
        where, flash = self.where, self.where.flash
        target = find_target(where.name)
        end = target.region("flash").size
        regions = [
            Region("loader", flash, MINIMUM, "flash"),
            Region("page", flash + MINIMUM, SLOT - MINIMUM, "flash"),
            Region("slot", flash + SLOT, SLOT_SIZE, "flash"),
            Region("ram", *where.ram, "ram"),
            SYSTEM_CONTROL,
        ]
        if end > SLOT + SLOT_SIZE:
            size = end - SLOT - SLOT_SIZE
            regions.append(Region("rest", flash + SLOT + SLOT_SIZE, size, "flash"))
        machine = StoppableMachine(cycle_model(target), regions)
        for segment in self.boot.segments:
            machine.load(segment.address, segment.data)
        machine.load(flash + SLOT, image[:SLOT_SIZE])
        machine.load(flash + MINIMUM, oldest)
        machine.guard(flash + SLOT)
        machine.write(_PROTECTION, bytes(0x40))
        if ram is not None:
            machine.write(where.ram[0], ram)
        machine.reset(flash, limit=0)
        return machine

    def _whole(self) -> bool:
        """The run without a fault: what it comes to is known from now on."""
        self.walker.on(self.limit)
        assert self.walker.stopped
        self.instructions = self.walker.executed
        self.limit = 2 * self.instructions + 10**6
        self.victim.restore(self.begin)
        return self._finish()

    def left_in_ram(self, moments: int) -> list[bytes]:
        """What a run that is stopped at so many points, evenly spread, leaves in RAM."""
        self.walker.restore(self.begin)
        found, at = [], 0
        for number in range(moments):
            ordinal = self.instructions * (2 * number + 1) // (2 * moments)
            self.walker.on(ordinal - at)
            found.append(self.walker.read(*self.where.ram))
            at = ordinal
        return found

    def points(self, functions: tuple[str, ...] = ("",)) -> list[int]:
        """The instructions of a run, by their number in it: the first, the middle and the last
        time that each is executed. `functions`: those whose names begin so.
        """
        named = [one for one in self.boot.functions if one.name.startswith(functions)]
        inside = {at for one in named for at in range(one.address, one.address + one.size, 2)}
        flash, halfwords = self.where.flash, MINIMUM // 2
        wanted, found = [1] * halfwords, set[int]()
        for _ in range(3):
            self.walker.restore(self.begin)
            count, when, _ = self.walker.visits(flash, wanted, self.instructions)
            found |= {
                when[i]
                for i, times in enumerate(count)
                if times and (functions == ("",) or flash + 2 * i in inside)
            }
            wanted = [0] * halfwords if wanted[0] else [times // 2 + 1 for times in count]
        return sorted(found)

    def around(self, other: Rig, size: int) -> list[int]:
        """`size` instructions from shortly before this run differs from another one: where what
        differs between their slots is read.
        """
        same, differs = 0, min(self.instructions, other.instructions)
        while differs - same > 1:
            middle = (same + differs) // 2
            equal = self._digest_at(middle) == other._digest_at(middle)
            same, differs = (middle, differs) if equal else (same, middle)
        first = max(0, same - size // 8)
        return list(range(first, min(first + size, self.instructions)))

    def _digest_at(self, ordinal: int) -> int:
        self.walker.restore(self.begin)
        self.walker.on(ordinal)
        return self.walker.digest(0x7FFF)

    def attack(
        self,
        points: Sequence[int],
        models: Sequence[str] = MODELS[:2],
        choice: random.Random | None = None,
    ) -> Found:
        """All faults of these models at these points, in their order; with `choice`, of each model
        one at each.
        """
        tried: Counter[str] = Counter()
        accepted, at = [], 0
        self.walker.restore(self.begin)
        for ordinal in points:
            self.walker.on(ordinal - at)
            at, here, pc = ordinal, self.walker.save(), self.walker.pc
            for model in models:
                for detail in self._details(model, here, pc, choice):
                    tried[model] += 1
                    if self._faulted(model, detail, here, pc):
                        accepted.append(Fault(self.name(pc), pc, ordinal, model, detail))
        return Found(tried, accepted)

    def leads_into_slot(self, pc: int, bit: int) -> bool:
        """Whether the next instruction is one of the slot after this one with a bit changed,
        wherever it stands.
        """
        self.victim.restore(self.begin)
        self.victim.pc = pc
        self._flip(pc, bit)
        return self._in_slot(self.victim.pc) or self._fetched()

    def _in_slot(self, address: int) -> bool:
        return 0 <= address - self.where.flash - SLOT < SLOT_SIZE

    def _fetched(self) -> bool:
        fault = self.victim.fault
        return fault is not None and fault[0] == _EXECUTE and self._in_slot(fault[1])

    def name(self, pc: int) -> str:
        """The function there, and how far behind its beginning."""
        for one in self.boot.functions:
            if one.address <= pc < one.address + one.size:
                return f"{one.name}+{pc - one.address:#x}"
        return hex(pc)

    def half(self, pc: int) -> int:
        """A halfword of the loader; 0 outside."""
        at = pc - self.where.flash
        return int.from_bytes(self.code[at : at + 2], "little") if 0 <= at < MINIMUM else 0

    def size(self, pc: int) -> int:
        """Bytes of the instruction there."""
        return 4 if self.half(pc) >> 11 in (0b11101, 0b11110, 0b11111) else 2

    def _details(
        self, model: str, here: State, pc: int, choice: random.Random | None
    ) -> Iterator[int]:
        if model == "skip":
            found = [0]
        elif model == "zero":
            found = list(self._read(here, pc))
        elif model == "flip":
            found = list(range(8 * self.size(pc)))
        else:
            found = self._loads(here, pc, choice)
        if choice is not None and found:
            found = [choice.choice(found)]
        yield from found

    def _read(self, here: State, pc: int) -> Iterator[int]:
        """The registers that this instruction reads to some effect, where they are not zero."""
        after, flags = self._stepped(here, pc)
        before = self._registers(here)
        for register in (*range(15), _FLAGS):
            if before[register] == 0:
                continue
            self._zeroed(here, pc, register)
            now = self.victim
            if (now.digest(0x7FFF), now.register(_FLAGS)) != (after, flags):
                yield register

    def _registers(self, here: State) -> list[int]:
        self.victim.restore(here)
        return [self.victim.register(index) for index in range(17)]

    def _stepped(self, here: State, pc: int) -> tuple[int, int]:
        self.victim.restore(here)
        self._step(pc)
        return self.victim.digest(0x7FFF), self.victim.register(_FLAGS)

    def _step(self, pc: int) -> None:
        """One instruction, that is there itself."""
        if pc in self.joins:
            self.victim.patch(pc, self.code[pc - self.where.flash :][:2])
        self.victim.on(1)
        if pc in self.joins:
            self.victim.patch(pc, _STOP)

    def _zeroed(self, here: State, pc: int, register: int) -> None:
        """One instruction that reads a register as zero. Where it does not write it, the register
        holds its value again afterwards.
        """
        victim = self.victim
        victim.restore(here)
        value = victim.register(register)
        self._step(pc)
        kept = victim.register(register) == value
        victim.restore(here)
        victim.set_register(register, 0)
        self._step(pc)
        if kept and victim.register(register) == 0:
            victim.set_register(register, value)

    def _loads(self, here: State, pc: int, choice: random.Random | None) -> list[int]:
        """What a load may give instead: register << 32 | word. Empty where nothing is loaded."""
        if not is_load(self.half(pc), self.half(pc + 2)):
            return []
        chance = choice or random.Random(pc)
        before = self._registers(here)
        self.victim.restore(here)
        self._step(pc)
        after = [self.victim.register(index) for index in range(16)]
        size = self.size(pc)
        found = []
        for register in (*range(13), 14, _PC):
            expected = pc + size if register == _PC else before[register]
            if after[register] != expected:
                after[register] |= register == _PC  # the Thumb bit
                words = [after[register] ^ 1 << bit for bit in range(32)]
                found += [register << 32 | word for word in (*words, *_WORDS)]
                found.append(register << 32 | chance.getrandbits(32))
        return found

    def _faulted(self, model: str, detail: int, here: State, pc: int) -> bool:
        """Whether the slot is executed after this fault."""
        victim = self.victim
        if model == "zero":
            self._zeroed(here, pc, detail)
            return self._finish()
        victim.restore(here)
        if model == "skip":
            self._skip(pc)
        elif model == "flip":
            self._flip(pc, detail)
        else:
            self._step(pc)
            register, word = detail >> 32, detail & 0xFFFFFFFF
            if register != _PC:
                victim.set_register(register, word)
            elif word & 1 == 0:
                return False  # not Thumb state: a fault
            else:
                victim.pc = word
        return self._finish()

    def _flip(self, pc: int, bit: int) -> None:
        at = pc - self.where.flash
        code = bytearray(self.code[at : at + 4])
        code[bit // 8] ^= 1 << bit % 8
        self.victim.patch(pc, bytes(code))
        self.victim.on(1)
        if code[1] == 0xBF and code[0] & 15:  # it has become an IT
            for _ in range(4):
                self.victim.on(1)
        self._as_built(pc, 4)

    def _skip(self, pc: int) -> None:
        half = self.half(pc)
        if half >> 8 == 0xBF and half & 15:  # an IT: its block has no condition this time
            self._as_built(pc, 2)
            self.victim.pc = pc + 2
            for _ in range(4):
                self.victim.on(1)
            self._as_built(pc, 2)
            return
        self.victim.pc = pc + self.size(pc)

    def _as_built(self, pc: int, size: int) -> None:
        """Puts the code there back, and what was decoded behind it."""
        at = pc - self.where.flash
        self.victim.patch(pc, self.code[at : at + size])
        for join in self.joins:
            if pc <= join < pc + size:
                self.victim.patch(join, _STOP)

    def _finish(self) -> bool:
        """Runs on; whether an instruction is fetched from the slot."""
        victim, keys, answer = self.victim, [], False
        left, last = self.limit, 0
        while left > 0:
            part = min(left, 1_000_000)
            if victim.on(part):
                left -= part
                now = victim.digest(0x7FFF)
                if now == last or victim.pc in self.refusal:
                    break  # an endless loop
                last = now
                continue
            fault = victim.fault
            if fault is not None:
                answer = self._fetched() and not (self.guarded and self._protected(fault[1]))
                break
            pc = victim.pc
            if pc not in self.joins or victim.read(pc, 2) != _STOP or pc in self.refusal:
                break  # a refusal
            keys.append((pc, victim.digest(self.joins[pc])))
            if keys[-1] in self.known:
                answer = self.known[keys[-1]]
                break
            victim.pc = pc  # behind its BKPT the run goes on
            self._step(pc)
        for key in keys:
            self.known[key] = answer
        return answer

    def _protected(self, address: int) -> bool:
        """Whether a protection unit keeps the victim from executing this."""
        core = self.where.core
        if core in _NO_PROTECTION:
            return False
        control, base, rest = (
            int.from_bytes(self.victim.read(_PROTECTION + at, 4), "little") for at in (4, 12, 16)
        )
        if not (control & 1 and rest & 1):
            return False
        if core == "cortex-m33":
            return bool(base & 1) and base & ~31 <= address <= rest | 31
        size = 2 << (rest >> 1 & 31)
        return bool(rest >> 28 & 1) and base & -size <= address < (base & -size) + size


def is_load(half: int, second: int) -> bool:
    """Whether a Thumb instruction loads words, halfwords or bytes (Arm DDI 0403, A5)."""
    if half >> 11 in (0b01101, 0b01111, 0b10001, 0b10011, 0b01001, 0b11001):
        return True  # immediate, literal, stack, multiple
    if half >> 12 == 0b0101:
        return half >> 9 & 7 >= 3
    if half >> 9 == 0b1011110:
        return True  # pop
    if half >> 9 == 0b1111100:
        return half >> 4 & 1 == 1 and second >> 12 != 15
    return half >> 9 == 0b1110100 and half >> 4 & 1 == 1
