"""The symbolic run against an independent emulator (Unicorn, from QEMU), on the same states.

Each register and each word of memory after the run, and the instructions on the way, must be what
the polynomials say. Without that a proof does not count.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import unicorn
from unicorn import arm_const, riscv_const

from prove.algebra.values import M32, Pointer, Refused, Value, at
from prove.contracts.contract import FLAGS_GE, Contract
from prove.goals.states import Around, State, begin, finish, samples
from prove.machine.execution import Content
from prove.machine.image import Image

STATES = 6  # of each aliasing
OPERANDS, STACK, RETURN = 0x2000_0000, 0x2100_8000, 0x000F_F000
LIMIT = 200_000  # instructions
STUB, BYTES_CARRY = RETURN + 16, bytes.fromhex("80fa40f0")  # uadd8 r0, r0, r0: the flags GE


def compare(
    image: Image,
    contract: Contract,
    alias: Mapping[str, str],
    *,
    signed: bool = False,
    count: int = STATES,
) -> tuple[int, int]:
    """How many instructions were the same, and the bytes of stack. Errors: Refused."""
    state = followed(image, contract, alias, signed=signed)
    emulated = Emulated(image, contract, state)
    seed = zlib.crc32(contract.variant().encode())
    total = 0
    for values in samples(contract, state, count, seed):
        total += emulated.run(state.space.witness(values))
    return total, -state.run.low


def followed(
    image: Image, contract: Contract, alias: Mapping[str, str], *, signed: bool = False
) -> State:
    """A run that follows all calls, with its path."""
    state = begin(image, contract, alias, around=Around(signed=signed))
    state.run.path = []
    if state.run.tops:  # in C: words of the stack get names, so that sums stay short
        state.run.named = {"sp"}
    finish(image, contract, state)
    return state


class Emulated:
    """A core of the emulator with the code, set to states of a run."""

    def __init__(self, image: Image, contract: Contract, state: State) -> None:
        self.state, self.entry = state, image.symbols[contract.name]
        self.thumb = int(image.thumb)
        if image.thumb:
            self.uc = unicorn.Uc(
                unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
            )
            core = arm_const.UC_CPU_ARM_CORTEX_M4
            if contract.backend == "armv6m":
                core = arm_const.UC_CPU_ARM_CORTEX_M0
            if contract.backend == "armv7m":
                core = arm_const.UC_CPU_ARM_CORTEX_M3
            self.uc.ctl_set_cpu_model(core)
            names = dict(enumerate([*(f"R{i}" for i in range(13)), "SP", "LR"]))
            if core == arm_const.UC_CPU_ARM_CORTEX_M4:
                names |= {32 + i: f"S{i}" for i in range(32)}
            self.registers = {n: getattr(arm_const, f"UC_ARM_REG_{x}") for n, x in names.items()}
        else:
            self.uc = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
            self.registers = {i: riscv_const.UC_RISCV_REG_X0 + i for i in range(32)}
        self.uc.mem_map(0, 0x10_0000)
        for start, data in image.segments:
            self.uc.mem_write(start, bytes(data))
        bases = sorted({key[0] for key in state.run.memory} - {"sp"} | set(state.base.values()))
        self.place = {o: OPERANDS + 0x1000 * i for i, o in enumerate(bases)}
        self.place |= {"sp": STACK, "lr": RETURN + self.thumb}
        self.uc.mem_map(OPERANDS, 0x10_0000)
        self.uc.mem_map(STACK & ~0xFFFF, 0x2_0000)
        self.path: list[int] = []
        self.uc.hook_add(unicorn.UC_HOOK_CODE, self._step)

    def _step(self, _uc: Any, address: int, _size: int, _data: object) -> None:
        self.path.append(address)

    def number(self, v: Content, env: list[int]) -> int:
        """What a register or a word has."""
        if isinstance(v, Pointer):
            return (self.place[v.base] + v.offset) & M32
        return at(v.p, env)

    def execute(self, env: list[int]) -> None:
        """Runs one state, by its variables. Errors: Refused."""
        state = self.state
        for (base, offset), v in state.memory.items():
            word = self.number(v, env).to_bytes(4, "little")
            self.uc.mem_write(self.place[base] + offset, word)
        if FLAGS_GE in state.start:
            self.uc.mem_write(STUB, BYTES_CARRY)
            self.uc.reg_write(self.registers[0], self.number(state.start[FLAGS_GE], env))
            self.uc.emu_start(STUB | self.thumb, STUB + len(BYTES_CARRY))
        for n, content in state.start.items():
            if n == FLAGS_GE:
                continue
            self.uc.reg_write(self.registers[n], self.number(content, env))
        self.path.clear()
        try:
            self.uc.emu_start(self.entry | self.thumb, RETURN, count=LIMIT)
        except unicorn.UcError as error:
            raise Refused(f"the emulator stops: {error}") from None

    def run(self, env: list[int]) -> int:
        """Runs one state, and compares what comes of it; how many instructions that were."""
        self.execute(env)
        state, read = self.state, self.uc.mem_read
        if self.path != state.run.path:
            raise Refused("the emulator takes another path")
        for n, known in state.run.r.items():
            if isinstance(known, Value | Pointer) and n in self.registers:
                self._same(f"register {n}", self.uc.reg_read(self.registers[n]), known, env)
        for (base, offset), known in state.run.memory.items():
            if known is not None:
                got = int.from_bytes(read(self.place[base] + offset, 4), "little")
                self._same(f"{base}{offset:+d}", got, known, env)
        return len(self.path)

    def _same(self, what: str, got: int, known: Content, env: list[int]) -> None:
        wanted = self.number(known, env)
        if got != wanted:
            raise Refused(f"the emulator has {got:#x} in {what}, the model {wanted:#x}")
