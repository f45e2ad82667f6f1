"""The independent emulator (Unicorn, from QEMU) as an ARMv7-M core with DSP and floating-point
registers: same memory, same state, to be compared with the simulator.

Known deviations, on code that no compiler emits; the simulator follows the architecture,
and the case is left out of the comparison, or compared as said:

- the emulator executes what Arm DDI 0403 calls UNPREDICTABLE in some way, the simulator faults;
- the emulator's core is one of ARMv8-M: it also knows LDA, STL, TT, SG,
  BXNS and floating-point arithmetic; and it executes SETEND, which no M-profile core has;
- unaligned words of LDM, LDRD, LDREX and VLDR: the emulator performs them,
  the core and the simulator fault;
- a branch to an address outside memory or without the Thumb bit: the emulator faults
  on the next instruction, the simulator on the branch, which names the culprit;
- WFI, WFE, YIELD, SEV, CPS, and MRS and MSR of other than the flags: the emulator leaves its loop
  or needs the interrupt controller; left to own tests;
- a stack pointer written with its two low bits set: the emulator keeps them,
  in the architecture they do not exist (they are masked when its state is read);
- BKPT, SVC and undefined instructions raise an exception in both, but the emulator's
  program counter differs.
"""

from __future__ import annotations

from dataclasses import dataclass

from unicorn import UC_ARCH_ARM, UC_MODE_MCLASS, UC_MODE_THUMB, Uc
from unicorn.arm_const import (
    UC_ARM_REG_APSR_NZCVQG,
    UC_ARM_REG_PC,
    UC_ARM_REG_S0,
    UC_ARM_REG_SP,
    UC_ARM_REG_XPSR,
    UC_CPU_ARM_CORTEX_M33,
)

from ecfit.sim.machine import Machine
from workshop.sim import oracle as sim_oracle
from workshop.sim.emulator import Emulator
from workshop.sim.oracle import CORE, THUMB
from workshop.sim.tracing import Tracing

_VECTOR = list(range(UC_ARM_REG_S0, UC_ARM_REG_S0 + 32))
FLAGS = 0xF80F0000  # NZCVQ and GE


@dataclass(frozen=True)
class State(sim_oracle.State):
    """r0..r14; NZCVQ and GE where the program status word has them; s0..s31, or nothing
    to leave them alone.
    """

    vector: tuple[int, ...]

    def apply(self, machine: Machine) -> None:
        super().apply(machine)
        for index, value in enumerate(self.vector):
            machine.set_register(32 + index, value)

    def named(self) -> list[tuple[str, int]]:
        return [*super().named(), *((f"s{i}", value) for i, value in enumerate(self.vector))]


def state_of(machine: Machine, vectors: bool = True) -> State:
    return State(
        tuple(machine.register(i) for i in range(15)),
        machine.register(16) & FLAGS,
        tuple(machine.register(32 + i) for i in range(32)) if vectors else (),
    )


class Oracle(Emulator[State]):
    """A Cortex-M33 of the emulator, which has all that a Cortex-M4 has."""

    code_bit = 1
    pc_register = UC_ARM_REG_PC

    def __init__(self) -> None:
        super().__init__(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS, UC_CPU_ARM_CORTEX_M33)

    def apply(self, state: State) -> None:
        """Flags take two writes: the first sets all but GE, and the Thumb bit,
        which a wrong branch has cleared.
        """
        names = [*CORE, UC_ARM_REG_XPSR, UC_ARM_REG_APSR_NZCVQG, *_VECTOR[: len(state.vector)]]
        values = (*state.registers, state.flags | THUMB, state.flags, *state.vector)
        self.uc.reg_write_batch([*zip(names, values, strict=True)])

    def state(self, vectors: bool = True) -> State:
        values = list(
            self.uc.reg_read_batch([*CORE, UC_ARM_REG_XPSR, *(_VECTOR if vectors else ())])
        )
        values[13] &= ~3
        return State(tuple(values[:15]), values[15] & FLAGS, tuple(values[16:]))

    def is_lost(self) -> bool:
        """Has it taken an address for the return from an exception? It then
        faults on everything.
        """
        return self.exception in (3, 8)


class TracingOracle(Tracing, Oracle):
    """Follows each instruction; the emulator does not show those that an IT block skips."""

    stack_pointer = UC_ARM_REG_SP

    def __init__(self) -> None:
        super().__init__()
        self._block = range(0)  # of the last IT

    def _on_instruction(self, uc: Uc, address: int, size: int, data: object) -> None:
        super()._on_instruction(uc, address, size, data)
        it = int.from_bytes(uc.mem_read(address, 2), "little")
        if it & 0xFF00 == 0xBF00 and it & 15:
            end = address + 2
            for _ in range(4 - ((it & -it).bit_length() - 1)):
                end += 4 if uc.mem_read(end + 1, 1)[0] >= 0xE8 else 2
            self._block = range(address + 2, end + 1)

    def is_skipped(self, since: int, until: int) -> bool:
        return since in self._block and until in self._block and since < until

    @staticmethod
    def always_transfers(_first: int) -> bool:
        """Compilers make no branch to the next instruction."""
        return False

    @staticmethod
    def is_literal(first: int) -> bool:
        """LDR and LDR.W of a word relative to the PC, from flash."""
        return first & 0xF800 == 0x4800 or first & 0xFF7F == 0xF85F
