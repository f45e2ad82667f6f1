"""What a run of the independent emulator shows to its hooks, for the comparison
of whole programs.
"""

from __future__ import annotations

import abc

from unicorn import UC_HOOK_CODE, UC_HOOK_MEM_READ, UC_HOOK_MEM_WRITE, Uc

from ecfit.sim.machine import RunResult
from workshop.sim.build import STACK_TOP


class Tracing(abc.ABC):
    """Follows each instruction: their number, the lowest stack pointer, and the trace hash
    as ecsim.h defines it.

    A mixin that stands before an `Emulator`, which makes `uc`.
    """

    uc: Uc
    stack_pointer: int  # the emulator's number of that register

    def __init__(self) -> None:
        super().__init__()
        self.instructions = 0
        self.stack_low = 2**32
        self._hash = 0x6A09E667F3BCC908
        self._at: int | None = None
        self._next: int | None = (
            None  # where the program counter goes when nothing is taken; none: a transfer
        )
        self._first_access = False
        self.uc.hook_add(UC_HOOK_CODE, self._on_instruction)
        self.uc.hook_add(UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, self._on_access)

    @staticmethod
    @abc.abstractmethod
    def always_transfers(first: int) -> bool:
        """May the instruction of that first halfword go to the next one and still be a transfer?"""

    @staticmethod
    def is_literal(_first: int) -> bool:
        """Is its address left out of the hash?"""
        return False

    def is_skipped(self, _since: int, _until: int) -> bool:
        """Has the emulator not shown the instructions there because their conditions failed?"""
        return False

    def _mix(self, word: int) -> None:
        product = (self._hash ^ word) * 0x9E3779B97F4A7C15 % 2**64
        self._hash = product ^ product >> 32

    def _on_instruction(self, uc: Uc, address: int, size: int, _data: object) -> None:
        self._arrive(address)
        first = int.from_bytes(uc.mem_read(address, 2), "little")
        self._first_access = not self.is_literal(first)
        self._at, self._next = address, None if self.always_transfers(first) else address + size
        self.instructions += 1
        self.stack_low = min(self.stack_low, uc.reg_read(self.stack_pointer))

    def _arrive(self, address: int) -> None:
        went_on = self._next is not None and (
            self._next == address or self.is_skipped(self._next, address)
        )
        if self._at is not None and not went_on:
            self._mix(self._at << 32 | address)

    def _on_access(
        self, _uc: Uc, _kind: int, address: int, _size: int, _value: int, _data: object
    ) -> None:
        if self._first_access:
            self._mix(address)
            self._first_access = False

    def trace_hash(self, end: int) -> str:
        """The digest of a run that came to `end`."""
        self._arrive(end)
        h = self._hash
        h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD % 2**64
        h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 % 2**64
        return f"{h ^ h >> 33:016x}"

    def check(self, result: RunResult, end: int, *, skipped: int = 0) -> None:
        """Compares this trace with the simulator's run, which ended at `end`. `skipped`:
        instructions that only the simulator counts.
        """
        assert result.instructions - skipped == self.instructions
        assert result.stack_low == self.stack_low <= STACK_TOP
        assert result.trace_hash == self.trace_hash(end)
