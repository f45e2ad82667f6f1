"""The independent emulator (Unicorn, from QEMU) as an RV32IMC core: same memory, same state, to be compared.

Known deviations, all of them on code that no compiler emits; the simulator follows the architecture, and the case is
left out of the comparison:

- the emulator's core also has atomics (A), supervisor and user mode, and more control registers (`is_beyond`);
- it passes over 16-bit encodings that are reserved or of extensions that it does not have either (`is_reserved`);
- ECALL, EBREAK and undefined instructions raise an exception in both, but the emulator's program counter differs.
"""

from __future__ import annotations

from dataclasses import dataclass

from sim_build import FLASH, FLASH_SIZE, RAM, RAM_SIZE
from tracing import Tracing
from unicorn import (
    UC_ARCH_RISCV,
    UC_HOOK_INTR,
    UC_MODE_RISCV32,
    UC_PROT_EXEC,
    UC_PROT_READ,
    Uc,
    UcError,
)
from unicorn.riscv_const import UC_CPU_RISCV32_SIFIVE_E31, UC_RISCV_REG_PC, UC_RISCV_REG_X0

from ecfit.simlib import Machine

_REGISTERS = [UC_RISCV_REG_X0 + index for index in range(1, 32)]
PC = 32  # as a register of the simulator


@dataclass(frozen=True)
class State:
    """x1..x31."""

    registers: tuple[int, ...]

    def apply(self, machine: Machine) -> None:
        for index, value in enumerate(self.registers, 1):
            machine.set_register(index, value)


def state_of(machine: Machine) -> State:
    return State(tuple(machine.register(index) for index in range(1, 32)))


def difference(ours: State, theirs: State) -> str:
    """What differs, in words; empty when nothing does."""
    pairs = enumerate(zip(ours.registers, theirs.registers, strict=True), 1)
    return ", ".join(f"x{index} {a:08x} not {b:08x}" for index, (a, b) in pairs if a != b)


class Oracle:
    """An RV32IMAC core of the emulator with the memory of `sim_build`."""

    def __init__(self) -> None:
        self.uc = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
        self.uc.ctl_set_cpu_model(UC_CPU_RISCV32_SIFIVE_E31)
        self.uc.mem_map(FLASH, FLASH_SIZE, UC_PROT_READ | UC_PROT_EXEC)
        self.uc.mem_map(RAM, RAM_SIZE)
        self.uc.mem_write(FLASH, b"\xff" * FLASH_SIZE)
        self.uc.mem_write(RAM, b"\xa5" * RAM_SIZE)
        self.exception: int | None = None
        self.uc.hook_add(UC_HOOK_INTR, self._on_exception)

    def _on_exception(self, uc: Uc, number: int, _data: object) -> None:
        self.exception = number
        uc.emu_stop()

    def load(self, address: int, data: bytes) -> None:
        self.uc.mem_write(address, data)
        self.uc.ctl_remove_cache(address & ~1, (address + len(data) + 1) & ~1)

    def apply(self, state: State) -> None:
        self.uc.reg_write_batch(list(zip(_REGISTERS, state.registers, strict=True)))

    def state(self) -> State:
        return State(tuple(value & 0xFFFFFFFF for value in self.uc.reg_read_batch(_REGISTERS)))

    def pc(self) -> int:
        return int(self.uc.reg_read(UC_RISCV_REG_PC))

    def run(self, pc: int, until: int, count: int = 0) -> str | None:
        """Run; None when `until` or the count was reached, else what went wrong, in the emulator's words."""
        self.exception = None
        try:
            self.uc.emu_start(pc, until, count=count)
        except UcError as error:
            return str(error)
        return None if self.exception is None else f"exception {self.exception}"

    def ram(self) -> bytes:
        return bytes(self.uc.mem_read(RAM, RAM_SIZE))


def size_of(first: int) -> int:
    """Bytes of the instruction that begins with that halfword."""
    return 4 if first & 3 == 3 else 2


class TracingOracle(Tracing, Oracle):
    """Follows each instruction."""

    stack_pointer = UC_RISCV_REG_X0 + 2

    @staticmethod
    def always_transfers(first: int) -> bool:
        """JAL, JALR, C.J, C.JAL, C.JR and C.JALR."""
        return first & 0x77 == 0x67 or first & 0x6003 == 0x2001 or (first & 0xE07F == 0x8002 and first & 0xF80 != 0)


def is_reserved(half: int) -> bool:
    """16-bit encodings of RV64, of floating point, or left free, that the emulator executes as nothing."""
    quadrant, funct3 = half & 3, half >> 13
    if quadrant == 0:
        return funct3 in (1, 4, 5)  # C.FLD, free, C.FSD
    if quadrant == 1:
        wide = bool(half & 0x1000)  # shifts of 32 and more; C.SUBW, C.ADDW and the two behind them
        return funct3 == 4 and wide and half >> 10 & 3 != 2
    return funct3 in (1, 3, 5, 7) or (funct3 == 0 and bool(half & 0x1000))  # C.FLDSP ..., C.SLLI of 32 and more


def is_beyond(word: int) -> bool:
    """32-bit encodings that the emulator's core has beyond RV32IM_Zicsr_Zifencei."""
    opcode = word & 0x7F
    if opcode == 0x73:  # other control registers, SRET, SFENCE.VMA, and so on
        return word not in (0x00000073, 0x00100073) and not (word >> 20 == 0x340 and word >> 12 & 3 != 0)
    return opcode == 0x2F
