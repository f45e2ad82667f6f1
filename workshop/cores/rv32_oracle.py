"""The independent emulator (Unicorn, from QEMU) as an RV32IMC core: same memory, same state,
to be compared.

Known deviations, all of them on code that no compiler emits; the simulator follows
the architecture, and the case is left out of the comparison:

- the emulator's core also has atomics (A), supervisor and user mode,
  and more control registers (`is_beyond`);
- it passes over 16-bit encodings that are reserved or of extensions that it does
  not have either (`is_reserved`);
- ECALL, EBREAK and undefined instructions raise an exception in both,
  but the emulator's program counter differs.
"""

from __future__ import annotations

from dataclasses import dataclass

from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32
from unicorn.riscv_const import UC_CPU_RISCV32_SIFIVE_E31, UC_RISCV_REG_PC, UC_RISCV_REG_X0

from ecfit.sim.machine import Machine
from workshop.sim.emulator import Emulator
from workshop.sim.tracing import Tracing

_REGISTERS = [UC_RISCV_REG_X0 + index for index in range(1, 32)]
PC = 32  # as a register of the simulator


@dataclass(frozen=True)
class State:
    """x1..x31."""

    registers: tuple[int, ...]

    def apply(self, machine: Machine) -> None:
        for index, value in enumerate(self.registers, 1):
            machine.set_register(index, value)

    def named(self) -> list[tuple[str, int]]:
        return [(f"x{index}", value) for index, value in enumerate(self.registers, 1)]


def state_of(machine: Machine) -> State:
    return State(tuple(machine.register(index) for index in range(1, 32)))


class Oracle(Emulator[State]):
    """An RV32IMAC core of the emulator."""

    pc_register = UC_RISCV_REG_PC

    def __init__(self) -> None:
        super().__init__(UC_ARCH_RISCV, UC_MODE_RISCV32, UC_CPU_RISCV32_SIFIVE_E31)

    def apply(self, state: State) -> None:
        self.uc.reg_write_batch(list(zip(_REGISTERS, state.registers, strict=True)))

    def state(self) -> State:
        return State(tuple(value & 0xFFFFFFFF for value in self.uc.reg_read_batch(_REGISTERS)))


def size_of(first: int) -> int:
    """Bytes of the instruction that begins with that halfword."""
    return 4 if first & 3 == 3 else 2


class TracingOracle(Tracing, Oracle):
    """Follows each instruction."""

    stack_pointer = UC_RISCV_REG_X0 + 2

    @staticmethod
    def always_transfers(first: int) -> bool:
        """JAL, JALR, C.J, C.JAL, C.JR and C.JALR."""
        return (
            first & 0x77 == 0x67
            or first & 0x6003 == 0x2001
            or (first & 0xE07F == 0x8002 and first & 0xF80 != 0)
        )


def is_reserved(half: int) -> bool:
    """16-bit encodings of RV64, of floating point, or left free, that the emulator
    executes as nothing.
    """
    quadrant, funct3 = half & 3, half >> 13
    if quadrant == 0:
        return funct3 in (1, 4, 5)  # C.FLD, free, C.FSD
    if quadrant == 1:
        wide = bool(half & 0x1000)  # shifts of 32 and more; C.SUBW, C.ADDW and the two behind them
        return funct3 == 4 and wide and half >> 10 & 3 != 2
    return funct3 in (1, 3, 5, 7) or (
        funct3 == 0 and bool(half & 0x1000)
    )  # C.FLDSP ..., C.SLLI of 32 and more


def is_beyond(word: int) -> bool:
    """32-bit encodings that the emulator's core has beyond RV32IM_Zicsr_Zifencei."""
    opcode = word & 0x7F
    if opcode == 0x73:  # other control registers, SRET, SFENCE.VMA, and so on
        return word not in (0x00000073, 0x00100073) and not (
            word >> 20 == 0x340 and word >> 12 & 3 != 0
        )
    return opcode == 0x2F
