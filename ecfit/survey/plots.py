"""Charts of studies as SVG: the same bytes for the same points, so that they compare as texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from math import exp, floor, hypot, log, log10
from typing import TYPE_CHECKING, NamedTuple

from ecfit.errors import MissingToolError
from ecfit.survey.study import Chart, Point

if TYPE_CHECKING:
    import altair

WIDTH, HEIGHT = 640, 420
MARGIN = 24  # between a point and the edge
LETTER, LINE, RADIUS = 5.2, 11.0, 5.0  # what a letter, a line and a point take, in pixels
MOST_NAMED = 25  # points that all get a label
# Series differ by colour and by shape: both are seen in print and by who sees few colours.
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
SHAPES = ["circle", "square", "triangle-up", "diamond"]
# Where a label may stand, in this order: pixels from the point to its near end, and which end.
PLACES = [
    (dx, dy, align)
    for far in (0.0, LINE)
    for dy in (-far - 5, 0.0, far + 5)
    for dx, align in ((RADIUS + 3, "left"), (-RADIUS - 3, "right"))
]


class Axis:
    """A logarithmic axis over some values, `pixels` long."""

    def __init__(self, values: Sequence[float], pixels: int) -> None:
        """Values above 0; without any, or with one, the axis is of one decade."""
        low, high = log(min(values, default=1)), log(max(values, default=10))
        if high == low:
            low, high = low - log(10) / 2, high + log(10) / 2
        self.pixels, self.scale = pixels, (high - low) / (pixels - 2 * MARGIN)
        self.low = low - MARGIN * self.scale

    def place(self, value: float) -> float:
        """Pixels from the low end."""
        return (log(value) - self.low) / self.scale

    def value(self, place: float) -> float:
        """What stands there, in six digits."""
        return float(f"{exp(self.low + place * self.scale):.6g}")

    def ticks(self) -> list[float]:
        """Round numbers some way apart: the fewer decades, the more of them in each."""
        low, high = self.value(0), self.value(self.pixels)
        decades = range(floor(log10(low)), floor(log10(high)) + 1)
        for steps in (
            (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9),
            (1, 1.5, 2, 3, 5, 7),
            (1, 2, 5),
            (1, 3),
        ):
            found = [float(f"{step * 10.0**decade:.3g}") for decade in decades for step in steps]
            found = [tick for tick in found if low <= tick <= high]
            if len(found) <= self.pixels / 45:
                return found
        return [tick for tick in found if log10(tick) % 1 == 0]


class Label(NamedTuple):
    """A text beside its point: pixels of its near end from the low ends of the axes."""

    x: float
    y: float
    text: str
    align: str
    marked: bool

    def box(self) -> tuple[float, float, float, float]:
        """Left, low, right, high."""
        width = LETTER * len(self.text)
        left = self.x if self.align == "left" else self.x - width
        return left, self.y - LINE / 2, left + width, self.y + LINE / 2


def labels(points: Sequence[Point], across: Axis, up: Axis, *, line: bool = False) -> list[Label]:
    """A label for each place that stands out, and for the others where there is room.

    Points in one place share theirs. None is written over a point or another; where one that stands
    out has no free place, it takes the first. Of very many that stand out, it has none then.
    """
    few = sum(p.marked for p in points) <= MOST_NAMED
    taken = list(_obstacles(points, across, up, line=line))
    found: list[Label] = []
    for x, y, text, marked in _named(points, across, up):
        options = [Label(x + dx, y + dy, text, align, marked) for dx, dy, align in PLACES]
        inside = [label for label in options if label.box()[0] > 0 and label.box()[2] < WIDTH]
        free = [label for label in inside if not any(_over(label.box(), box) for box in taken)]
        for label in (free or (inside or options if marked and few else []))[:1]:
            found.append(label)
            taken.append(label.box())
    return found


def _named(
    points: Sequence[Point], across: Axis, up: Axis
) -> Iterator[tuple[float, float, str, bool]]:
    """Places, with the names of the points that are there: what stands out first."""
    places: list[tuple[float, float, list[str], bool]] = []
    for p in sorted(points, key=lambda p: not p.marked):
        x, y = across.place(p.x), up.place(p.y)
        for other in places:
            if p.marked == other[3] and hypot(x - other[0], y - other[1]) < RADIUS / 2:
                other[2].append(p.label)
                break
        else:
            places.append((x, y, [p.label], p.marked))
    yield from ((x, y, ", ".join(dict.fromkeys(names)), marked) for x, y, names, marked in places)


def _obstacles(
    points: Sequence[Point], across: Axis, up: Axis, *, line: bool
) -> Iterator[tuple[float, float, float, float]]:
    """Boxes that points take, and, with `line`, what joins those of a series."""
    last: dict[str, tuple[float, float]] = {}
    for p in points:
        x, y = across.place(p.x), up.place(p.y)
        yield x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS
        if line and p.series in last:
            from_x, from_y = last[p.series]
            steps = int(hypot(x - from_x, y - from_y) / 4) + 1
            for part in (step / steps for step in range(steps)):
                middle_x, middle_y = from_x + part * (x - from_x), from_y + part * (y - from_y)
                yield middle_x - 1, middle_y - 1, middle_x + 1, middle_y + 1
        last[p.series] = x, y


def _over(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def check_plots() -> None:
    """Whether plots can be drawn here. Errors: MissingToolError."""
    if not all(find_spec(name) for name in ("altair", "vl_convert")):
        raise MissingToolError(
            "a plot needs the Python packages altair and vl-convert-python: "
            ".venv/bin/pip install -e '.[energy]'"
        )


@cache
def svg(chart: Chart) -> str:
    """A chart as a picture that needs nothing else. Errors: MissingToolError."""
    check_plots()
    import altair
    import vl_convert

    across, up = Axis([p.x for p in chart.points], WIDTH), Axis([p.y for p in chart.points], HEIGHT)
    colours = dict(zip(sorted({p.series for p in chart.points}), COLOURS, strict=False))
    values = [
        {"x": p.x, "y": p.y, "series": p.series, "order": order, "marked": p.marked,
         "colour": colours[p.series]}
        for order, p in enumerate(chart.points)
    ]  # fmt: skip
    texts = [
        {"x": across.value(at.x), "y": up.value(at.y), "text": at.text, "align": at.align,
         "colour": "#222" if at.marked else "#666"}
        for at in labels(chart.points, across, up, line=chart.line)
    ]  # fmt: skip
    x = altair.X("x:Q", title=chart.x, scale=_scale(across), axis=_axis(across))
    y = altair.Y("y:Q", title=chart.y, scale=_scale(up), axis=_axis(up, above=True))
    base = altair.Chart(altair.InlineData(values=values)).encode(x=x, y=y, order="order:O")
    colour, outline, shape = (
        channel("series:N", title=None, scale={"range": kinds})
        for channel, kinds in (
            (altair.Fill, COLOURS), (altair.Stroke, COLOURS), (altair.Shape, SHAPES),
        )
    )  # fmt: skip
    filled = altair.condition("datum.marked", altair.value(1), altair.value(0))
    join = altair.Stroke("colour:N", scale=None)
    layers = [base.mark_line(strokeWidth=1).encode(stroke=join)] if chart.line else []
    points = base.mark_point(size=60, filled=True, strokeWidth=1.5, opacity=1)
    layers.append(points.encode(fill=colour, stroke=outline, shape=shape, fillOpacity=filled))
    text = altair.Chart(altair.InlineData(values=texts)).encode(x=x, y=y, text="text:N")
    align = altair.ExprRef("datum.align")
    text = text.mark_text(align=align, baseline="middle", fontSize=9)
    layers.append(text.encode(color=altair.Color("colour:N", scale=None)))
    title = altair.Title(chart.title, offset=8)
    picture = altair.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=title)
    return vl_convert.vegalite_to_svg(json.dumps(picture.to_dict())) + "\n"


def _scale(axis: Axis) -> altair.Scale:
    import altair

    domain = [axis.value(0), axis.value(axis.pixels)]
    return altair.Scale(type="log", nice=False, domain=domain)


def _axis(axis: Axis, *, above: bool = False) -> altair.Axis:
    """`above`: its name stands above its high end; beside it, it would lie on wide numbers."""
    import altair

    drawn = altair.Axis(values=axis.ticks(), labelOverlap=True, format=",~r")
    if above:
        drawn.titleAngle, drawn.titleAlign, drawn.titleAnchor = 0, "left", "end"
        drawn.titleX, drawn.titleY = -36, -8
    return drawn
