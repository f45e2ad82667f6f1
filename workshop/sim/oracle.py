"""The independent emulator (Unicorn, from QEMU): same memory, same state, to be compared
with the simulator.

Known deviations, all of them on code that no compiler emits; the simulator follows the architecture
and the case is left out of the comparison, or compared as said:

- unaligned accesses: the emulator performs them, the core and the simulator fault
  (WatchingOracle reports them);
- encodings that Arm DDI 0419 calls UNPREDICTABLE: the emulator executes them in some way,
  the simulator faults (`is_unpredictable`);
- a branch to an address outside memory or without the Thumb bit: the emulator faults
  on the next instruction, the simulator on the branch, which names the culprit;
- CBZ, CBNZ, IT and SETEND, which ARMv6-M does not have (`is_later`): the emulator executes them,
  the simulator faults;
- 32-bit encodings of ARMv7-M: likewise;
- YIELD and WFE, which leave its loop (`LEAVES_LOOP`); left to own tests;
- MRS and MSR of stack pointers, CONTROL and PRIMASK: the emulator switches banks in its own way;
  left to own tests;
- a stack pointer written with its two low bits set: the emulator keeps them,
  in the architecture they do not exist (they are masked when its state is read);
- MSR APSR with bit 27 set: the emulator keeps the Q flag, which ARMv6-M does not have;
- BKPT, SVC and undefined instructions raise an exception in both, but the emulator's
  program counter differs.
"""

from __future__ import annotations

from dataclasses import dataclass

from unicorn import (
    UC_ARCH_ARM,
    UC_HOOK_MEM_READ,
    UC_HOOK_MEM_WRITE,
    UC_MODE_MCLASS,
    UC_MODE_THUMB,
    Uc,
)
from unicorn.arm_const import (
    UC_ARM_REG_LR,
    UC_ARM_REG_PC,
    UC_ARM_REG_R0,
    UC_ARM_REG_SP,
    UC_ARM_REG_XPSR,
    UC_CPU_ARM_CORTEX_M0,
)

from ecfit.sim.machine import Machine
from workshop.sim.emulator import Emulator
from workshop.sim.tracing import Tracing

CORE = [*range(UC_ARM_REG_R0, UC_ARM_REG_R0 + 13), UC_ARM_REG_SP, UC_ARM_REG_LR]
THUMB = 1 << 24  # of the program status word
_FLAGS = 0xF0000000
LEAVES_LOOP = frozenset({0xBF10, 0xBF20})


@dataclass(frozen=True)
class State:
    """r0..r14, and NZCV in the top four bits of a word."""

    registers: tuple[int, ...]
    flags: int

    def apply(self, machine: Machine) -> None:
        for index, value in enumerate(self.registers):
            machine.set_register(index, value)
        machine.set_register(16, self.flags)

    def named(self) -> list[tuple[str, int]]:
        return [
            *((f"r{i}", value) for i, value in enumerate(self.registers)),
            ("flags", self.flags),
        ]


def state_of(machine: Machine) -> State:
    return State(tuple(machine.register(i) for i in range(15)), machine.register(16) & _FLAGS)


class Oracle(Emulator[State]):
    """A Cortex-M0 of the emulator."""

    code_bit = 1
    pc_register = UC_ARM_REG_PC

    def __init__(self) -> None:
        super().__init__(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS, UC_CPU_ARM_CORTEX_M0)

    def apply(self, state: State) -> None:
        self.uc.reg_write_batch(
            [*zip(CORE, state.registers, strict=True), (UC_ARM_REG_XPSR, state.flags | THUMB)]
        )

    def state(self) -> State:
        values = list(self.uc.reg_read_batch([*CORE, UC_ARM_REG_XPSR]))
        values[13] &= ~3
        return State(tuple(values[:15]), values[15] & _FLAGS)


class WatchingOracle(Oracle):
    """Remembers whether an access of the run was unaligned."""

    def __init__(self) -> None:
        super().__init__()
        self.unaligned = False
        self.uc.hook_add(UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, self._on_access)

    def _on_access(
        self, _uc: Uc, _kind: int, address: int, size: int, _value: int, _data: object
    ) -> None:
        self.unaligned |= address % size != 0

    def run(self, pc: int, until: int, count: int = 0, timeout: float = 0) -> str | None:
        self.unaligned = False
        trouble = super().run(pc, until, count, timeout)
        return trouble or ("unaligned access" if self.unaligned else None)


class TracingOracle(Tracing, Oracle):
    """Follows each instruction."""

    stack_pointer = UC_ARM_REG_SP

    @staticmethod
    def always_transfers(first: int) -> bool:
        """ADD PC, MOV PC, BX and BLX, POP with PC, B, BL."""
        return first & 0xFD87 == 0x4487 or first & 0xFF00 in (0x4700, 0xBD00) or first >= 0xE000

    @staticmethod
    def is_literal(first: int) -> bool:
        return first & 0xF800 == 0x4800


def is_unpredictable(first: int, second: int = 0) -> bool:
    """Arm DDI 0419: the 16-bit encodings that are UNPREDICTABLE, and the 32-bit ones
    with wrong fixed bits.
    """
    if first & 0xFF00 == 0x4400:  # ADD PC, PC
        return first & 0xFF == 0xFF
    if first & 0xFF00 == 0x4500:  # CMP with two low registers, or with the PC
        rn, rm = (first >> 4 & 8) | (first & 7), first >> 3 & 15
        return (rn < 8 and rm < 8) or rn == 15 or rm == 15
    if first & 0xFF00 == 0x4600:  # MOV SP, PC
        return first & 0xFF == 0xFD
    if first & 0xFF00 == 0x4700:  # BX, BLX: fixed bits, PC
        return first & 7 != 0 or first >> 3 & 15 == 15
    if first & 0xF600 == 0xB400 and first & 0x1FF == 0:  # PUSH or POP of nothing
        return True
    if first & 0xFFE8 == 0xB660 and first & 0xF != 2:  # CPS
        return True
    if first & 0xF000 == 0xC000:  # LDM, STM: empty list, base stored but not first
        base, registers = first >> 8 & 7, first & 0xFF
        stored_late = not first & 0x800 and registers >> base & 1 and registers & ((1 << base) - 1)
        return registers == 0 or bool(stored_late)
    return False


def is_later(first: int) -> bool:
    """16-bit encodings of other architecture versions: CBZ and CBNZ, IT, SETEND."""
    return (
        first & 0xF500 == 0xB100
        or (first & 0xFF00 == 0xBF00 and first & 0xF != 0)
        or first & 0xFFF7 == 0xB650
    )
