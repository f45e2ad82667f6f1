"""Charts of studies as SVG: the same bytes for the same points, so that they can be compared like texts."""

from __future__ import annotations

import json
from functools import cache
from math import log

import altair
import vl_convert

from ecfit.studies.study import Chart, Point

WIDTH, HEIGHT = 640, 420
LETTER, LINE = 6, 11  # what a letter and a line of a label take, in pixels
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
DARK, LIGHT = 1.0, 0.35  # how dense a point is that stands out, and one that does not


def labelled(points: tuple[Point, ...]) -> list[str]:
    """The label of each point. Where one would be written over another, the first has both, the other none."""
    xs, ys = [log(p.x) for p in points], [log(p.y) for p in points]
    across, up = (
        pixels / ((max(some, default=0) - min(some, default=0)) or 1)
        for some, pixels in ((xs, WIDTH), (ys, HEIGHT))
    )
    labels = [""] * len(points)
    for index, p in enumerate(points):
        for other in range(index):
            near = abs(xs[index] - xs[other]) * across < LETTER * len(labels[other])
            if (
                near
                and p.marked == points[other].marked
                and abs(ys[index] - ys[other]) * up < LINE
                and labels[other]
            ):
                labels[other] += f", {p.label}"
                break
        else:
            labels[index] = p.label
    return labels


@cache
def svg(chart: Chart) -> str:
    """A chart as a picture that needs nothing else."""
    values = [
        {"x": p.x, "y": p.y, "label": label, "series": p.series, "order": order, "marked": p.marked}
        for order, (p, label) in enumerate(zip(chart.points, labelled(chart.points), strict=True))
    ]
    scale = altair.Scale(type="log", nice=False, padding=24)
    base = altair.Chart(altair.InlineData(values=values)).encode(
        x=altair.X("x:Q", title=chart.x, scale=scale, axis=altair.Axis(labelOverlap=True)),
        y=altair.Y("y:Q", title=chart.y, scale=scale, axis=altair.Axis(labelOverlap=True)),
        color=altair.Color("series:N", title=None, scale=altair.Scale(range=COLOURS)),
        opacity=altair.condition("datum.marked", altair.value(DARK), altair.value(LIGHT)),
    )
    layers = [base.mark_circle(size=60)]
    layers += [base.mark_line(strokeWidth=1).encode(order="order:O")] if chart.line else []
    text = base.mark_text(align="left", baseline="middle", dx=6, dy=-6, fontSize=9)
    text = text.encode(text="label:N", color=altair.value("#333"))
    layers.append(text.transform_filter("datum.marked"))
    picture = altair.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=chart.title)
    return vl_convert.vegalite_to_svg(json.dumps(picture.to_dict())) + "\n"
