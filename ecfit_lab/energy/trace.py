"""A measured trace: times in seconds, powers in watts, and what the digital channels said."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from operator import sub

import msgspec

from ecfit.errors import UsageError

GAP = 5  # intervals: a converter that needs 2.5 to 10 ms for a sample has none of that length
SAMPLES = 1 << 28  # more do not fit into the memory of a usual machine
MOST_AMPERES = 10.0  # above what any board with a microcontroller draws
LONGEST_INTERVAL, SHORTEST_INTERVAL = 1.0, 1e-8  # seconds: outside, the unit must be another
_SAMPLED = 10_001  # intervals that the median is taken from


class Trace(msgspec.Struct, frozen=True):
    """Samples in the order of time. `step_w`: the power between two neighbouring values that the
    converter can tell apart; 0 where it is finer than the numbers. `bits`: for each sample the
    digital channels, D0 is bit 0; empty without them. `interval_s`: the median.
    """

    name: str
    times: Sequence[float]
    power: Sequence[float]
    step_w: float
    interval_s: float
    bits: bytes = b""

    @property
    def seconds(self) -> float:
        """From the first to the last sample."""
        return self.times[-1] - self.times[0]


def checked(
    name: str, times: array[float], power: array[float], step_w: float, bits: bytes = b""
) -> Trace:
    """A trace whose times increase without gaps. Errors: UsageError."""
    if len(times) < 8:
        raise UsageError(f"{name}: {len(times)} samples are no trace: 8 are the least")
    if len(times) > SAMPLES:
        raise UsageError(f"{name}: more than {SAMPLES} samples: cut the trace, or sample slower")
    shortest = min(map(sub, islice(times, 1, None), times))
    if shortest <= 0:
        at = next(i for i in range(1, len(times)) if times[i] <= times[i - 1])
        raise UsageError(
            f"{name}: time does not increase at sample {at + 1}, {times[at]:g} s after "
            f"{times[at - 1]:g} s: two recordings in one file, or times of too few digits"
        )
    interval = _median_interval(times)
    if not SHORTEST_INTERVAL <= interval <= LONGEST_INTERVAL:
        raise UsageError(
            f"{name}: samples are {interval:g} s apart: is the unit of its times wrong?"
        )
    if max(map(sub, islice(times, 1, None), times)) > GAP * interval:
        at = next(i for i in range(1, len(times)) if times[i] - times[i - 1] > GAP * interval)
        raise UsageError(
            f"{name}: a gap of {times[at] - times[at - 1]:.4g} s at {times[at - 1]:.4g} s, where "
            f"samples are {interval:.3g} s apart: samples are lost, record it again"
        )
    return Trace(name, times, power, step_w, interval, bits)


def _median_interval(times: Sequence[float]) -> float:
    stride = max(1, (len(times) - 1) // _SAMPLED)
    found = sorted(times[i + 1] - times[i] for i in range(0, len(times) - 1, stride))
    return found[len(found) // 2]


def check_current(name: str, highest: float, lowest: float) -> None:
    """Amperes that a board can draw. Errors: UsageError."""
    if max(highest, -lowest) > MOST_AMPERES:
        raise UsageError(
            f"{name}: a current of {max(highest, -lowest):.4g} A is not a board's: "
            "is the unit of its column, or the shunt, wrong?"
        )
    if highest == lowest:
        raise UsageError(f"{name}: all samples are equal: nothing was measured")
    if highest < 1e-9:
        raise UsageError(
            f"{name}: no current above 1 nA: is the unit of its column wrong, or the shunt "
            "connected the other way round?"
        )


def step_of(values: Sequence[float]) -> float:
    """The least difference of two values, among the first 100,000: what the converter resolves."""
    found = sorted(set(islice(values, 100_000)))
    return min(map(sub, found[1:], found), default=0.0)
