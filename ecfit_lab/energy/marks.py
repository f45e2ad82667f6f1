"""Where the tasks are in a trace: by a digital channel, or by the peaks of a marker light.

A light that the firmware turns on for a moment before and after each task draws a peak of power:
the task lies between the end of one peak and the beginning of the next, as in the paper with the
figures of the Re-Mote (ecfit/data/published).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from ecfit.errors import UsageError
from ecfit_lab.energy.timetrace import Timed
from ecfit_lab.energy.trace import Trace

LEVELS = 256
LEAST_SAMPLES = 4  # of a task: fewer say nothing about its power
CLOCKS = 0.02  # how far the clocks of the firmware and of the trace may be apart


class Span(msgspec.Struct, frozen=True):
    """The samples of a task, first and last, and when it begins and ends: each of the two lies
    somewhere within `begin_width_s` and `end_width_s` around that time.
    """

    first: int
    last: int
    begin_s: float
    end_s: float
    begin_width_s: float
    end_width_s: float

    @property
    def seconds(self) -> float:
        """From the middle of where it begins to the middle of where it ends."""
        return self.end_s - self.begin_s

    @property
    def slack_s(self) -> float:
        """How far off that can be."""
        return (self.begin_width_s + self.end_width_s) / 2


class Marked(msgspec.Struct, frozen=True):
    """The spans of the tasks; `threshold_w`: of the peaks; None with digital markers."""

    spans: tuple[Span, ...]
    threshold_w: float | None = None
    peaks: tuple[tuple[int, int], ...] = ()


def by_channel(trace: Trace, channel: int, expected: int | None) -> Marked:
    """A task runs while the channel is high. Errors: UsageError."""
    if not trace.bits:
        raise UsageError(f"{trace.name}: it has no digital channels: --marker led finds peaks")
    high = trace.bits.translate(bytes(value >> channel & 1 for value in range(256)))
    runs = list(_runs(high))
    _check_ends(trace, runs, f"channel D{channel} is high")
    if not runs:
        raise UsageError(f"{trace.name}: channel D{channel} never goes high: is it another one?")
    if expected is not None and len(runs) != expected:
        raise UsageError(
            f"{trace.name}: channel D{channel} goes high {len(runs)} times, and the time trace "
            f"has {expected} tasks"
        )
    return Marked(tuple(_span(trace, first, last) for first, last in runs))


def by_peaks(trace: Trace, threshold_w: float | None, timed: Sequence[Timed]) -> Marked:
    """A task runs between two peaks; peaks are above the threshold.

    Without a threshold it is searched: the middle of the widest range of levels that as many peaks
    rise above as the tasks of the time trace need. Errors: UsageError.
    """
    if threshold_w is None:
        if not timed:
            raise UsageError(
                f"{trace.name}: what is a marker's peak? Give --time-trace, or --threshold"
            )
        threshold_w = _threshold(trace, 2 * len(timed))
    peaks = list(_runs(bytes(map(threshold_w.__lt__, trace.power))))
    _check_ends(trace, peaks, "a marker's light is on")
    if not peaks:
        raise UsageError(f"{trace.name}: nothing rises above {threshold_w * 1000:.4g} mW")
    wanted = 2 * len(timed) if timed else len(peaks) + len(peaks) % 2
    if len(peaks) != wanted:
        raise UsageError(_missing(trace, peaks, timed, threshold_w))
    pairs = zip(peaks[::2], peaks[1::2], strict=True)
    return Marked(
        tuple(_span(trace, one[1] + 1, other[0] - 1) for one, other in pairs),
        threshold_w,
        tuple(peaks),
    )


def clock_ratio(trace: Trace, spans: Sequence[Span], timed: Sequence[Timed]) -> float:
    """Time of the trace in time of the firmware, where both agree on every task.

    Errors: UsageError where they do not.
    """
    firmware = sum(run.seconds for run in timed)
    ratio = sum(span.seconds for span in spans) / firmware
    slack = sum(span.slack_s**2 for span in spans) ** 0.5 + timed[0].step_s
    if abs(ratio - 1) > CLOCKS + slack / firmware:
        raise UsageError(
            f"{trace.name}: the tasks take {ratio:.4g} times as long as the time trace says: is "
            "it of another run, or the unit of time wrong in one of the two?"
        )
    for number, (span, run) in enumerate(zip(spans, timed, strict=True), 1):
        if abs(span.seconds - ratio * run.seconds) > span.slack_s + 2 * run.step_s:
            raise UsageError(
                f"{trace.name}: run {number}, {run.task}, takes {run.seconds * 1000:.4g} ms by "
                f"the time trace and {span.seconds * 1000:.4g} ms between its markers: is the "
                "time trace of another run?"
            )
    return ratio


def _runs(high: bytes) -> Iterator[tuple[int, int]]:
    """First and last index of each run of 1 in bytes of 0 and 1."""
    return ((match.start(), match.end() - 1) for match in re.finditer(b"\1+", high))


def _check_ends(trace: Trace, runs: Sequence[tuple[int, int]], what: str) -> None:
    if runs and (runs[0][0] == 0 or runs[-1][1] == len(trace.times) - 1):
        where = "begins" if runs[0][0] == 0 else "ends"
        raise UsageError(f"{trace.name}: the trace {where} while {what}: record it whole")


def _span(trace: Trace, first: int, last: int) -> Span:
    """The task whose samples these are. Errors: UsageError when they are too few."""
    times = trace.times
    if last - first + 1 < LEAST_SAMPLES:
        raise UsageError(
            f"{trace.name}: {max(0, last - first + 1)} samples between the markers at "
            f"{times[max(first - 1, 0)]:.6g} s, and {LEAST_SAMPLES} are the least: repeat the "
            "task between them, or sample faster"
        )
    return Span(
        first,
        last,
        (times[first - 1] + times[first]) / 2,
        (times[last] + times[last + 1]) / 2,
        times[first] - times[first - 1],
        times[last + 1] - times[last],
    )


def _threshold(trace: Trace, wanted: int) -> float:
    """Watts. Errors: UsageError when no level separates so many peaks from the rest."""
    low, high = min(trace.power), max(trace.power)
    scale = (LEVELS - 1) / (high - low)
    levels = bytes([int((power - low) * scale) for power in trace.power])
    counts = [levels.translate(_above(n)).count(b"\0\1") for n in range(LEVELS - 1)]
    widths: dict[int, list[int]] = {}  # number of peaks: the longest range of levels with it
    begin = 0
    for n in range(1, LEVELS):
        if n == LEVELS - 1 or counts[n] != counts[begin]:
            if n - begin > len(widths.get(counts[begin], ())):
                widths[counts[begin]] = list(range(begin, n))
            begin = n
    # Near enough to say where markers are missing; as many as tasks is each peak, task and peak.
    off = max(2, wanted // 10)
    near = {c: len(w) for c, w in widths.items() if c > wanted // 2 and abs(c - wanted) <= off}
    best = max(near, key=near.__getitem__, default=None)
    if near.get(wanted, 0) >= max(3, near.get(best or 0, 0) // 4):
        best = wanted  # also where a peak within a task is seen over more levels
    if best is None:
        raise UsageError(
            f"{trace.name}: no level has {wanted} peaks above it, two for each task of the time "
            "trace: is it of another run, or is the marker too short? --threshold sets a level"
        )
    chosen = widths[best]
    return low + (chosen[len(chosen) // 2] + 1) / scale


def _above(level: int) -> bytes:
    """For bytes.translate: 1 for what is above that level."""
    return bytes(level + 1) + bytes([1]) * (LEVELS - 1 - level)


def _missing(
    trace: Trace, peaks: Sequence[tuple[int, int]], timed: Sequence[Timed], threshold_w: float
) -> str:
    """Says how many markers there are, and near which task one is missing or too many."""
    above = f"{len(peaks)} markers above {threshold_w * 1000:.4g} mW"
    if not timed:
        return f"{trace.name}: {above}: a task has two, so one is missing"
    times, at = trace.times, 0
    for number, run in enumerate(timed, 1):
        parted = number, run.task
        if at + 1 >= len(peaks):
            break
        begin, end = times[peaks[at][1]], times[peaks[at + 1][0]]
        if abs(end - begin - run.seconds) > 2 * trace.interval_s + CLOCKS * run.seconds:
            break
        at += 2
    near = times[peaks[min(at, len(peaks) - 1)][0]]
    return (
        f"{trace.name}: {above}, and the {len(timed)} tasks of the time trace need "
        f"{2 * len(timed)}: they part at run {parted[0]}, {parted[1]}, near {near:.4g} s"
    )
