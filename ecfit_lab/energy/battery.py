"""How long a battery lasts: tasks so often, sleep between them, self-discharge."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ecfit.errors import UsageError
from ecfit_lab.energy.tasks import Task

YEAR_S = 365.25 * 86400


class Duty(msgspec.Struct, frozen=True):
    """A task once in so many seconds."""

    task: Task
    period_s: float


class Battery(msgspec.Struct, frozen=True):
    """A cell: charge, the voltage that it is drawn at, which share of it can be used, and what it
    loses by itself in a year, as a share.
    """

    coulombs: float
    volts: float
    usable: float = 1.0
    self_discharge: float = 0.0

    @property
    def joules(self) -> float:
        """What a device can draw."""
        return self.coulombs * self.volts * self.usable


class Life(msgspec.Struct, frozen=True):
    """Mean power of the device, and years: expected, at least, at most."""

    power_w: float
    years: float
    years_low: float
    years_high: float


def life(battery: Battery, duties: Sequence[Duty], sleep_w: float) -> Life:
    """Years until the battery is empty. The bounds are those of the tasks' energies alone.

    Errors: UsageError when the tasks do not fit into their periods, or nothing draws anything.
    """
    busy = sum(duty.task.duration_s / duty.period_s for duty in duties)
    if busy > 1:
        raise UsageError(
            f"the tasks take {busy:.3g} times the time there is: --every must be longer"
        )
    power = sleep_w * (1 - busy) + sum(d.task.energy_j / d.period_s for d in duties)
    off = sum(d.task.energy_uncertainty_j / d.period_s for d in duties)
    loss = battery.joules * battery.self_discharge / YEAR_S
    if power + loss <= 0:
        raise UsageError("a device that draws nothing needs no battery: is --every missing?")

    def years(watts: float) -> float:
        return battery.joules / (max(watts, 0.0) + loss) / YEAR_S if watts + loss > 0 else 1e99

    return Life(power, years(power), years(power + off), years(power - off))
