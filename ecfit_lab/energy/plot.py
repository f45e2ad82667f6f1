"""A trace with its tasks marked, as SVG."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from ecfit.errors import MissingToolError
from ecfit_lab.energy.marks import Marked
from ecfit_lab.energy.tasks import Run
from ecfit_lab.energy.trace import Trace

WIDTH, HEIGHT = 900, 320
COLUMNS = 900  # of each, what lies between its least and its greatest sample is drawn
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#bcbd22"]
LETTER = 6.0  # pixels


def svg(trace: Trace, marked: Marked, runs: Sequence[Run]) -> str:
    """The picture. Errors: MissingToolError."""
    try:
        import altair
        import vl_convert
    except ImportError:
        raise MissingToolError(
            "a plot needs the Python packages altair and vl-convert-python: "
            "pip install altair vl-convert-python"
        ) from None
    start, unit, scale = trace.times[0], *_unit(trace.seconds)
    lines = [
        {"t": (t - start) * scale, "low": low * 1000, "high": high * 1000}
        for t, low, high in _envelope(trace)
    ]
    boxes = _boxes(trace, runs, start, scale)
    top = max(line["high"] for line in lines)
    x = altair.X("t:Q", title=f"time, {unit}", scale=altair.Scale(zero=False, nice=False))
    y = altair.Y("low:Q", title="power, mW", scale=altair.Scale(domainMin=0))
    tasks = list(dict.fromkeys(run.task for run in runs))
    colour = altair.Color("task:N", title=None, scale=altair.Scale(domain=tasks, range=COLOURS))
    box = altair.Chart(altair.InlineData(values=boxes))
    across = {"x": altair.X("t:Q"), "x2": "end:Q"}
    layers = [
        box.mark_rect(opacity=0.25).encode(**across, color=colour),
        altair.Chart(altair.InlineData(values=lines))
        .mark_rule(color="#333", strokeWidth=1)
        .encode(x=x, y=y, y2="high:Q"),
        box.mark_rule(strokeWidth=2).encode(**across, y="power:Q", color=colour),
        box.transform_filter("datum.room")
        .mark_text(dy=-6, fontSize=10, align="center")
        .encode(x="middle:Q", y=altair.value(0), text="task:N", color=colour),
    ]
    if marked.threshold_w is not None:
        level = [{"low": marked.threshold_w * 1000}]
        layers.append(
            altair.Chart(altair.InlineData(values=level))
            .mark_rule(strokeDash=[4, 3], color="#888")
            .encode(y="low:Q")
        )
    picture = altair.layer(*layers).properties(
        width=WIDTH, height=HEIGHT, title=altair.Title(trace.name, offset=18)
    )
    assert top > 0
    return str(vl_convert.vegalite_to_svg(json.dumps(picture.to_dict()))) + "\n"


def _unit(seconds: float) -> tuple[str, float]:
    return ("ms", 1e3) if seconds < 2 else ("s", 1.0)


def _envelope(trace: Trace) -> list[tuple[float, float, float]]:
    """Time, least and greatest power of each column; neighbours touch."""
    count = len(trace.times)
    edges = sorted({n * count // COLUMNS for n in range(COLUMNS + 1)})
    found = []
    for first, last in pairwise(edges):
        part = trace.power[max(0, first - 1) : last]
        found.append((trace.times[first], min(part), max(part)))
    return found


def _boxes(
    trace: Trace, runs: Sequence[Run], start: float, scale: float
) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for run in runs:
        begin, end = (run.begin_s - start) * scale, (run.begin_s + run.duration_s - start) * scale
        pixels = run.duration_s / trace.seconds * WIDTH
        found.append(
            {
                "t": begin,
                "end": end,
                "middle": (begin + end) / 2,
                "power": run.power_w * 1000,
                "task": run.task,
                "room": pixels > LETTER * len(run.task),
            }
        )
    return found
