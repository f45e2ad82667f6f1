"""A simulated machine whose runs can be stopped, kept and put back:
one run up to a point serves for many from there.

Nothing is counted in such runs, and flash costs nothing in them.
"""

from __future__ import annotations

import ctypes as ct
import weakref
from collections.abc import Sequence

from ecfit.sim import abi
from ecfit.sim.machine import Machine, SimError

__all__ = ["State", "StoppableMachine"]

_LIMIT, _BKPT, _FAULT = 0, 1, 2  # ecsim_stop


class State:
    """Registers, flags and RAM of a machine at one moment. Kept until it is let go of."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        weakref.finalize(self, abi.library().ecsim_state_free, handle)


class StoppableMachine(Machine):
    """A machine, and what its runs can do between two instructions (sim/ecsim.h: states)."""

    def save(self) -> State:
        """The state now. SimError when memory is short."""
        handle = self._library.ecsim_save(self._handle)
        if not handle:
            raise SimError("out of memory")
        return State(handle)

    def restore(self, state: State) -> None:
        """Puts back a state of this machine, whose code must be the same."""
        self._library.ecsim_restore(self._handle, state.handle)

    @property
    def pc(self) -> int:
        """Address of the next instruction."""
        return self.register(self._convention.pc)

    @pc.setter
    def pc(self, address: int) -> None:
        self._library.ecsim_put_pc(self._handle, address)

    def on(self, instructions: int) -> bool:
        """Goes on for at most so many instructions; whether the run may still go on."""
        return int(self._library.ecsim_run(self._handle, instructions)) == _LIMIT

    def on_to(self, ranges: Sequence[tuple[int, int]], instructions: int) -> bool:
        """Likewise for at least one, and until the next instruction is in one of the ranges
        (start, size).
        """
        native = (abi.Range * len(ranges))(*(abi.Range(*span) for span in ranges))
        return (
            int(self._library.ecsim_run_to(self._handle, native, len(native), instructions))
            == _LIMIT
        )

    def guard(self, address: int) -> None:
        """From now on an instruction fetch from the region there ends a run with a fault."""
        if self._library.ecsim_guard(self._handle, address):
            raise SimError(f"no memory at 0x{address:08x}")

    def privileged(self, address: int) -> None:
        """From now on a data access of unprivileged code to the region there is a fault."""
        if self._library.ecsim_privileged(self._handle, address):
            raise SimError(f"no memory at 0x{address:08x}")

    def patch(self, address: int, code: bytes) -> None:
        """Changes instructions, which nobody reads as data. Quicker than :meth:`load`."""
        if self._library.ecsim_patch(self._handle, address, code, len(code)):
            raise SimError(f"patch outside memory: {len(code)} bytes at 0x{address:08x}")

    def visits(
        self, start: int, wanted: Sequence[int], limit: int
    ) -> tuple[list[int], list[int], int]:
        """Goes on for `limit` instructions. For each halfword from `start` on: how often it was
        next, and how many instructions came before the wanted time (0: the last). How many in all.
        """
        size = len(wanted)
        count, when = (ct.c_uint32 * size)(), (ct.c_uint64 * size)()
        native = (ct.c_uint32 * size)(*wanted)
        done = self._library.ecsim_visits(self._handle, start, size, native, count, when, limit)
        return list(count), list(when), int(done)

    def digest(self, registers: int) -> int:
        """Names all that the rest of a run depends on where a function begins that reads
        these registers (a set of bits).
        """
        return int(self._library.ecsim_digest(self._handle, registers))

    @property
    def fault(self) -> tuple[int, int] | None:
        """Kind (sim/ecsim.h) and address of the fault at which a run has ended."""
        report = self._report()
        return (report.fault, report.fault_address) if report.stop == _FAULT else None

    @property
    def stopped(self) -> bool:
        """Whether a run has ended, at a BKPT or a fault."""
        return int(self._report().stop) != _LIMIT

    @property
    def at_breakpoint(self) -> bool:
        """Whether a run has ended at a BKPT."""
        return int(self._report().stop) == _BKPT

    @property
    def executed(self) -> int:
        """Instructions since the state was put back, or the run begun."""
        return int(self._report().instructions)

    def _report(self) -> abi.Report:
        report = abi.Report()
        self._library.ecsim_result(self._handle, ct.byref(report))
        return report
