"""Joules, mean power and duration of each run of a task, with what sampling and resolution allow.

Mean power is taken over the samples within the task; the duration is the firmware's where there is
a time trace, else the distance of the markers; energy is their product. docs/energy.md says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import fsum, hypot, sqrt

import msgspec

from ecfit_lab.energy.marks import Marked, Span
from ecfit_lab.energy.timetrace import Timed
from ecfit_lab.energy.trace import Trace

EDGE_FROM = 8  # samples: from so many on, the outermost two are left out, which may be mixed
COVERAGE = 3  # stated uncertainties are that many standard deviations, so that every run is within


class Run(msgspec.Struct, frozen=True):
    """One run of a task. Uncertainties are three standard deviations, 99.7 %."""

    task: str
    number: int
    begin_s: float
    samples: int
    duration_s: float
    duration_uncertainty_s: float
    power_w: float
    power_uncertainty_w: float
    energy_j: float
    energy_uncertainty_j: float


class Task(msgspec.Struct, frozen=True):
    """All runs of a task: means, the mean of their uncertainties, and the standard deviation of
    their energies, as a fraction; None for a single run.
    """

    task: str
    runs: int
    samples: int
    duration_s: float
    duration_uncertainty_s: float
    power_w: float
    power_uncertainty_w: float
    energy_j: float
    energy_uncertainty_j: float
    spread: float | None


def runs(
    trace: Trace,
    marked: Marked,
    timed: Sequence[Timed],
    *,
    names: Sequence[str],
    ratio: float,
    calibration: float,
) -> list[Run]:
    """Every run in the order of time. `names`: of the tasks where there is no time trace, in turn.

    `ratio`: of the clocks; `calibration`: how far shunt and supply may be off, as a fraction.
    """
    found = []
    for n, span in enumerate(marked.spans):
        power, power_u = mean_power(trace, span)
        duration, duration_u = _duration(span, timed[n] if timed else None, ratio)
        energy = power * duration
        power_u = hypot(power_u, calibration / COVERAGE * power)
        found.append(
            Run(
                timed[n].task if timed else names[n % len(names)],
                n + 1,
                span.begin_s,
                span.last - span.first + 1,
                duration,
                COVERAGE * duration_u,
                power,
                COVERAGE * power_u,
                energy,
                COVERAGE * hypot(power_u * duration, power * duration_u),
            )
        )
    return found


def mean_power(trace: Trace, span: Span) -> tuple[float, float]:
    """Watts, and their standard uncertainty: the scatter of the samples, and the resolution, which
    no averaging removes where the noise is smaller than a step.
    """
    first, last = span.first, span.last
    if last - first + 1 >= EDGE_FROM:
        first, last = first + 1, last - 1
    times, power = trace.times, trace.power
    count = last - first + 1
    values = power[first : last + 1]
    steps = map(
        _trapezoid, times[first:last], times[first + 1 : last + 1], values, islice(values, 1, None)
    )
    mean = fsum(steps) / (times[last] - times[first])
    scatter = sqrt(fsum((value - mean) ** 2 for value in values) / (count - 1) / count)
    return mean, hypot(scatter, trace.step_w / sqrt(12))


def _trapezoid(t0: float, t1: float, p0: float, p1: float) -> float:
    return (t1 - t0) * (p0 + p1) / 2


def _duration(span: Span, timed: Timed | None, ratio: float) -> tuple[float, float]:
    """Seconds, and their standard uncertainty: each edge lies somewhere within an interval."""
    edges = hypot(span.begin_width_s, span.end_width_s) / sqrt(12)
    if timed is None:
        return span.seconds, edges
    disagreement = max(0.0, abs(ratio - 1) * timed.seconds - edges) / sqrt(3)
    return timed.seconds, hypot(timed.step_s / sqrt(6), disagreement)


def by_task(found: Sequence[Run]) -> list[Task]:
    """The means of each task, in the order of their first runs."""
    grouped: dict[str, list[Run]] = {}
    for run in found:
        grouped.setdefault(run.task, []).append(run)
    return [_mean(name, of) for name, of in grouped.items()]


def _mean(name: str, of: Sequence[Run]) -> Task:
    n = len(of)

    def mean(field: str) -> float:
        return fsum(getattr(run, field) for run in of) / n

    energy = mean("energy_j")
    spread = (
        sqrt(fsum((run.energy_j - energy) ** 2 for run in of) / (n - 1)) / energy
        if n > 1 and energy
        else None
    )
    return Task(
        name,
        n,
        sum(run.samples for run in of),
        mean("duration_s"),
        mean("duration_uncertainty_s"),
        mean("power_w"),
        mean("power_uncertainty_w"),
        energy,
        mean("energy_uncertainty_j"),
        spread,
    )


def idle_power(trace: Trace, marked: Marked) -> float | None:
    """Mean watts outside of tasks and markers; None where nothing is left."""
    taken = sorted([*((s.first, s.last) for s in marked.spans), *marked.peaks])
    total, count, after = 0.0, 0, 0
    for first, last in [*taken, (len(trace.times), 0)]:
        part = trace.power[after + 1 : first - 1]  # a sample beside an edge may be mixed
        total, count, after = total + fsum(part), count + len(part), last + 1
    return total / count if count else None
