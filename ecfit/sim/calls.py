"""A simulated machine whose code can call the host: a BKPT of one number, arguments in registers.

The simulator stops there like at any BKPT; the host answers and the run goes on,
counted and observed as one (sim/ecsim.h: host calls).
"""

from __future__ import annotations

import ctypes as ct
from collections.abc import Callable

from ecfit.sim import abi
from ecfit.sim.machine import SLICE, Machine, SimError
from ecfit.sim.result import RunResult

__all__ = ["HOST_CALL", "CallingMachine"]

HOST_CALL = 3  # the number of the BKPT: firmware/host_call.h
_BKPT = 1  # ecsim_stop
_PROFILE, _TAINT, _WARM = 1, 2, 4


class CallingMachine(Machine):
    """A machine, and who answers its calls: given the arguments, returns the result,
    or None to end the run there.
    """

    answer: Callable[[tuple[int, ...]], int | None] | None = None

    def run(
        self, pc: int, *, limit: int, profile: bool = False, taint: bool = False, warm: bool = False
    ) -> RunResult:
        """As of :class:`Machine`, with host calls answered on the way.

        SimError when there is nobody to answer.
        """
        observe = (_PROFILE if profile or taint else 0) | (_TAINT if taint else 0)
        observe |= _WARM if warm else 0
        self._library.ecsim_begin(self._handle, pc, observe)
        while (left := limit - self.instructions) > 0:
            if not self._library.ecsim_run(self._handle, min(left, SLICE)):
                continue
            if not self._called() or not self._answered():
                break
        return self._result(profile, taint)

    def _called(self) -> bool:
        report = self._report()
        return bool(report.stop == _BKPT and report.bkpt == HOST_CALL)

    def _answered(self) -> bool:
        """Answers a call; whether the run is to go on."""
        if self.answer is None:
            raise SimError("the code calls the host, and nobody answers")
        arguments = self._convention.arguments
        result = self.answer(tuple(self.register(index) for index in arguments[:4]))
        if result is None:
            return False
        self.set_register(arguments[0], result & 0xFFFFFFFF)
        self._library.ecsim_resume(self._handle)
        return True

    @property
    def cycles(self) -> int:
        """Since the run began."""
        return int(self._report().cycles)

    @property
    def instructions(self) -> int:
        """Likewise."""
        return int(self._report().instructions)

    def stacks(self) -> list[tuple[tuple[int, ...], int]]:
        """Of a run that is profiled, so far: call stack of function entry addresses
        and cycles spent in its last function itself.
        """
        return self._profile()

    def _report(self) -> abi.Report:
        report = abi.Report()
        self._library.ecsim_result(self._handle, ct.byref(report))
        return report
