"""The independent emulator (Unicorn, from QEMU): what its cores share. Their deviations stand
in their modules.
"""

from __future__ import annotations

import abc
from typing import Generic, Protocol, TypeVar

from unicorn import UC_HOOK_INTR, UC_PROT_EXEC, UC_PROT_READ, Uc, UcError

from ecfit.sim.machine import Machine
from workshop.sim.build import FLASH, FLASH_SIZE, RAM, RAM_SIZE, Image


class Registers(Protocol):
    """The state of a core, as the comparison sees it."""

    def apply(self, machine: Machine) -> None:
        """Set it in the simulator."""

    def named(self) -> list[tuple[str, int]]:
        """Each register with its name."""


AnyState = TypeVar("AnyState", bound=Registers)


def difference(ours: Registers, theirs: Registers) -> str:
    """What differs, in words; empty when nothing does."""
    if ours == theirs:
        return ""
    pairs = zip(ours.named(), theirs.named(), strict=True)
    return ", ".join(f"{name} {a:08x} not {b:08x}" for (name, a), (_, b) in pairs if a != b)


class Emulator(abc.ABC, Generic[AnyState]):
    """A core of the emulator with the memory of `sim_build`."""

    code_bit = 0  # set in an address to run from
    cycles: int | None = None  # it counts none
    pc_register: int  # the emulator's number of it

    def __init__(self, architecture: int, mode: int, core: int) -> None:
        self.uc = Uc(architecture, mode)
        self.uc.ctl_set_cpu_model(core)
        self.uc.mem_map(FLASH, FLASH_SIZE, UC_PROT_READ | UC_PROT_EXEC)
        self.uc.mem_map(RAM, RAM_SIZE)
        self.uc.mem_write(FLASH, b"\xff" * FLASH_SIZE)
        self.uc.mem_write(RAM, b"\xa5" * RAM_SIZE)
        self.exception: int | None = None
        self.uc.hook_add(UC_HOOK_INTR, self._on_exception)

    @abc.abstractmethod
    def apply(self, state: AnyState) -> None:
        """Set registers and flags."""

    @abc.abstractmethod
    def state(self) -> AnyState:
        """Registers and flags."""

    def _on_exception(self, uc: Uc, number: int, _data: object) -> None:
        self.exception = number
        uc.emu_stop()

    def load(self, address: int, data: bytes) -> None:
        self.uc.mem_write(address, data)
        self.uc.ctl_remove_cache(address & ~1, (address + len(data) + 1) & ~1)

    def load_image(self, image: Image) -> None:
        for address, data in image.segments:
            self.load(address, data)

    def pc(self) -> int:
        return int(self.uc.reg_read(self.pc_register))

    def run(self, pc: int, until: int, count: int = 0, timeout: float = 0) -> str | None:
        """Run; None when `until`, the count or the timeout (seconds, 0 = none) was reached,
        else what went wrong, in the emulator's words."""
        self.exception = None
        try:
            self.uc.emu_start(pc | self.code_bit, until, timeout=int(timeout * 1e6), count=count)
        except UcError as error:
            return str(error)
        return None if self.exception is None else f"exception {self.exception}"

    def ram(self) -> bytes:
        return bytes(self.uc.mem_read(RAM, RAM_SIZE))


def stepped(ours: AnyState, theirs: AnyState, pc: int, their_pc: int, trouble: str | None) -> str:
    """What differs after one instruction that is no fault to the simulator; trouble:
    of the oracle.
    """
    if trouble:
        return f"the oracle stops: {trouble}"
    return difference(ours, theirs) or ("" if pc == their_pc else f"pc {pc:#x} not {their_pc:#x}")
