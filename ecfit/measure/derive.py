"""What is computed from counts when a record is made: time, energy, RAM."""

from __future__ import annotations

import msgspec

from ecfit.choices.targets import Target
from ecfit.model import Record


def derive(target: Target, record: Record) -> Record:
    """The record with time_us (cycles at the target's clock), energy_uj
    (that time in the target's active state) and ram_bytes (static RAM, stack and heap) filled in.
    """
    time_us, energy, ram = record.time_us, None, None
    if record.cycles is not None and target.clock is not None:
        time_us = round(record.cycles * 1e6 / target.clock.hz, 3)
        if target.power:
            active = target.power[0]
            energy = round(time_us * active.volts * active.milliamperes / 1000, 3)
    if record.static_ram_bytes is not None and record.stack_bytes is not None:
        ram = record.static_ram_bytes + record.stack_bytes + (record.heap_bytes or 0)
    return msgspec.structs.replace(record, time_us=time_us, energy_uj=energy, ram_bytes=ram)
