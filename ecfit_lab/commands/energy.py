"""The command `energy`: what the tasks in a measured trace cost, and how long a battery lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ecfit.arguments.common import Common
from ecfit.errors import OK, UsageError
from ecfit.measure.battery import YEAR_S, Duty, Life, Plan, life, plan
from ecfit.measure.store import write_output
from ecfit.show.layout import Column
from ecfit.units import grouped, quantity, share, years
from ecfit_lab.energy import csvtrace, marks, timetrace
from ecfit_lab.energy.csvtrace import Circuit
from ecfit_lab.energy.marks import Marked
from ecfit_lab.energy.tasks import Run, Task, by_task, idle_power, runs
from ecfit_lab.energy.timetrace import Timed
from ecfit_lab.energy.trace import Trace

_CHANNELS = tuple(f"d{channel}" for channel in range(8))


def command(common: Common) -> int:
    """Analyses a trace. Errors: UsageError, MissingToolError, OutputError."""
    v = common.values
    plot = Path(v["plot"]) if v["plot"] else None
    timed = timetrace.read(Path(v["time_trace"])) if v["time_trace"] else ()
    if timed and v["tasks"]:
        raise UsageError("--task names the tasks of a trace without --time-trace: leave one out")
    trace = read(Path(v["trace"]), v)
    marked = find(trace, timed, v)
    names = _names(v["tasks"], len(marked.spans))
    ratio = marks.clock_ratio(trace, marked.spans, timed) if timed else 1.0
    off = share(v["calibration"], "--calibration")
    found = runs(trace, marked, timed, names=names, ratio=ratio, calibration=off)
    tasks = by_task(found)
    asked = plan(v, [task.task for task in tasks])
    lasting = asked and lifetime(tasks, asked, idle_power(trace, marked))
    if plot:
        from ecfit_lab.energy.plot import svg

        write_output(plot, svg(trace, marked, found))
    rows = [_row(one) for one in (found if v["runs"] else tasks)]
    if lasting:
        rows.append(_battery_row(rows[0], lasting))
    notes = _battery_notes(lasting, v) if lasting else []
    notes += _notes(trace, marked, timed, ratio)
    columns, cells = _table(found if v["runs"] else tasks)
    common.print(rows, columns, cells, notes)
    return OK


def read(path: Path, v: Mapping[str, Any]) -> Trace:
    """The trace, by the kind of its file. Errors: UsageError, MissingToolError."""
    resolution = v["resolution"] and quantity(v["resolution"], "voltage", "--resolution")
    circuit = Circuit(v["volts"], v["shunt_ohms"], resolution or None)
    if path.suffix.lower() == ".jls":
        from ecfit_lab.energy import jlstrace

        return jlstrace.read(path, circuit)
    return csvtrace.read(path, circuit)


def find(trace: Trace, timed: Sequence[Timed], v: Mapping[str, Any]) -> Marked:
    """Where the tasks are. Errors: UsageError."""
    marker = v["marker"].lower()
    threshold = v["threshold"] and quantity(v["threshold"], "power", "--threshold")
    if marker == "led":
        return marks.by_peaks(trace, threshold or None, timed)
    if marker not in _CHANNELS:
        raise UsageError(f"--marker is led, or d0 to d7, not '{v['marker'][:20]}'")
    if threshold:
        raise UsageError("--threshold is for --marker led alone")
    return marks.by_channel(trace, int(marker[1]), len(timed) or None)


def _names(given: Sequence[str], spans: int) -> Sequence[str]:
    """The names of the tasks if there is no time trace."""
    if not given:
        return ("task",)
    if spans % len(given):
        raise UsageError(
            f"--task names {len(given)} tasks in turn, and the trace has {spans} runs, "
            "which is no multiple"
        )
    return given


def lifetime(tasks: Sequence[Task], asked: Plan, idle_w: float | None) -> Life:
    """Years of the battery. `idle_w`: what the trace has outside of tasks. Errors: UsageError."""
    if asked.sleep_w is None:
        there = f"; outside of tasks this trace has {idle_w * 1000:.3g} mW" if idle_w else ""
        raise UsageError(f"name what the device draws between the tasks, as --sleep 2uA{there}")
    duties = [
        Duty(period, task.duration_s, task.energy_j, task.energy_uncertainty_j)
        for task in tasks
        if (period := asked.period(task.task)) is not None
    ]
    return life(asked.battery, duties, asked.sleep_w)


def _row(one: Run | Task) -> dict[str, Any]:
    """Units in the names; shares in per cent."""
    return {
        "task": one.task,
        "number": one.number if isinstance(one, Run) else None,
        "begin_s": one.begin_s if isinstance(one, Run) else None,
        "runs": one.runs if isinstance(one, Task) else 1,
        "samples": one.samples,
        "duration_ms": one.duration_s * 1e3,
        "duration_uncertainty_ms": one.duration_uncertainty_s * 1e3,
        "power_mw": one.power_w * 1e3,
        "power_uncertainty_mw": one.power_uncertainty_w * 1e3,
        "energy_mj": one.energy_j * 1e3,
        "energy_uncertainty_mj": one.energy_uncertainty_j * 1e3,
        "spread_percent": one.spread * 100 if isinstance(one, Task) and one.spread else None,
        "battery_years": None,
        "battery_years_low": None,
        "battery_years_high": None,
    }


def _battery_row(like: Mapping[str, Any], lasting: Life) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(like)
    row |= {"task": "(battery)", "power_mw": lasting.power_w * 1e3}
    fields = msgspec.structs.asdict(lasting)
    return row | {f"battery_{name}": fields[name] for name in fields if name != "power_w"}


def _table(found: Sequence[Run] | Sequence[Task]) -> tuple[list[Column], list[list[str]]]:
    by_run = isinstance(found[0], Run)
    names = ["task", "run" if by_run else "runs", "samples", "ms", "±", "mW", "± ", "mJ", "±  "]
    cells = []
    for one in found:
        cells.append(
            [
                one.task,
                str(one.number if isinstance(one, Run) else one.runs),
                str(one.samples),
                *_pair(one.duration_s, one.duration_uncertainty_s),
                *_pair(one.power_w, one.power_uncertainty_w),
                *_pair(one.energy_j, one.energy_uncertainty_j),
            ]
        )
        if isinstance(one, Task):
            cells[-1].append("-" if one.spread is None else f"{one.spread:.1%}")
    columns = [Column(name.strip(), figure=name != "task") for name in names]
    return columns + ([] if by_run else [Column("spread", figure=True)]), cells


def _pair(value: float, uncertainty: float) -> tuple[str, str]:
    """In thousandths, with as many digits as the uncertainty of two has."""
    off = uncertainty * 1e3
    digits = 3 if off <= 0 else max(0, min(6, 1 - _exponent(off)))
    return f"{value * 1e3:.{digits}f}", f"{off:.{digits}f}"


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])


def _notes(trace: Trace, marked: Marked, timed: Sequence[Timed], ratio: float) -> list[str]:
    step = f", steps of {trace.step_w * 1000:.3g} mW" if trace.step_w else ""
    lines = [
        f"{trace.name}: {len(trace.times)} samples of {trace.seconds:.4g} s, "
        f"{trace.interval_s * 1000:.4g} ms apart{step}",
        "±: three standard deviations (99.7 %), from sampling and resolution; a run's, not less "
        "for the mean of several (docs/energy.md)",
    ]
    if marked.threshold_w is not None:
        lines.append(f"markers: {len(marked.peaks)} above {marked.threshold_w * 1000:.4g} mW")
    if timed:
        lines.append(
            f"durations are the time trace's; the trace's clock makes {ratio:.5f} of its second"
        )
    if (idle := idle_power(trace, marked)) is not None:
        lines.append(f"outside of tasks and markers: {idle * 1000:.4g} mW; it is in their energy")
    return lines


def _battery_notes(lasting: Life, v: Mapping[str, Any]) -> list[str]:
    return [
        f"battery {v['battery']}: {years(lasting.years)} years ({years(lasting.years_low)} to "
        f"{years(lasting.years_high)}) with --every {', '.join(v['every'])}, asleep "
        f"{v['sleep']}: {lasting.power_w * 1e6:.4g} µW on average, "
        f"{grouped(round(lasting.power_w * YEAR_S))} J a year"
    ]
