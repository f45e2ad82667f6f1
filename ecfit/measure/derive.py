"""What is computed from counts when a record is made: time, energy, RAM."""

from __future__ import annotations

import msgspec

from ecfit.choices.targets import Target
from ecfit.model import Record


def derive(target: Target, record: Record) -> Record:
    """The record with time_us (cycles at the target's clock), energy_uj
    (that time in the target's active state) and ram_bytes (static RAM, stack and heap) filled in.
    """
    counted, energy = time_and_energy(target, record.cycles)
    time_us, ram = record.time_us if counted is None else counted, None
    if record.static_ram_bytes is not None and record.stack_bytes is not None:
        ram = record.static_ram_bytes + record.stack_bytes + (record.heap_bytes or 0)
    return msgspec.structs.replace(record, time_us=time_us, energy_uj=energy, ram_bytes=ram)


def time_and_energy(target: Target, cycles: int | None) -> tuple[float | None, float | None]:
    """Microseconds and microjoules of so many cycles; None where that is not known."""
    if cycles is None or target.clock is None:
        return None, None
    time_us = round(cycles * 1e6 / target.clock.hz, 3)
    if not target.power:
        return time_us, None
    active = target.power[0]
    return time_us, round(time_us * active.volts * active.milliamperes / 1000, 3)
