"""Charts of studies as SVG: the same bytes for the same points, so that they compare as texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from math import exp, floor, hypot, log, log10
from typing import TYPE_CHECKING, NamedTuple

from ecfit.errors import MissingToolError
from ecfit_studies.survey.study import Chart, Point

if TYPE_CHECKING:
    import altair

WIDTH, HEIGHT = 640, 420
MARGIN = 24  # between a point and the edge
LETTER, LINE, RADIUS = 5.2, 11.0, 5.0  # what a letter, a line and a point take, in pixels
BESIDE = 16.0  # pixels: a label that is nearer to its point needs no line to it
# Series differ by colour and by shape: both are seen in print and by who sees few colours.
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
SHAPES = ["circle", "square", "triangle-up", "diamond"]
RINGS = 9  # of places around a point: the outer ones have a line that leads to the point


def _places() -> Iterator[tuple[float, float, str]]:
    """Where a label may stand, nearest first: pixels from the point to its near end, and which end
    that is.
    """
    sides = ((1, "left"), (-1, "right"))
    for ring in range(RINGS):
        far = ring * LINE
        for dx in dict.fromkeys(RADIUS + 3 + times * far for times in (0, 1, 3)):
            for dy in dict.fromkeys((-far - 5, 0.0 if dx > far else -5.0, far + 5)):
                yield from ((side * dx, dy, align) for side, align in sides)


PLACES = tuple(_places())


Place = tuple[float, float]
Box = tuple[float, float, float, float]


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
    """A text beside its point: pixels of its near end, and of the point, from the low ends of the
    axes.
    """

    x: float
    y: float
    text: str
    align: str
    marked: bool
    point: tuple[float, float]

    def box(self) -> Box:
        """Left, low, right, high."""
        width = LETTER * len(self.text)
        left = self.x if self.align == "left" else self.x - width
        return left, self.y - LINE / 2, left + width, self.y + LINE / 2

    def leader(self) -> list[Box]:
        """What the line to the point takes; nothing where the label stands beside the point."""
        if hypot(self.x - self.point[0], self.y - self.point[1]) < BESIDE:
            return []
        return list(_line(self.point, (self.x, self.y), RADIUS + 1))


def labels(chart: Chart, across: Axis, up: Axis) -> list[Label]:
    """A label for each place that stands out, and for the others where there is room beside them.

    Points in one place share theirs. None is written over a point, a line or another label; where
    there is no such place, the point has none.
    """
    taken = list(_obstacles(chart, across, up))
    found = list(_ratio_name(chart, across, up, taken))[:1]
    taken += [label.box() for label in found]
    for x, y, text, marked in _named(chart.points, across, up):
        for dx, dy, align in PLACES:
            label = Label(x + dx, y + dy, text, align, marked, (x, y))
            boxes = [label.box(), *label.leader()]
            left, low, right, high = boxes[0]
            inside = left > 0 and right < WIDTH and low > 0 and high < HEIGHT
            near = marked or len(boxes) == 1
            if inside and near and not any(_over(box, one) for box in boxes for one in taken):
                found.append(label)
                taken += boxes
                break
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


def _obstacles(chart: Chart, across: Axis, up: Axis) -> Iterator[Box]:
    """Boxes that points take, and lines: those of a series, and that of a ratio with its name."""
    last: dict[str, tuple[float, float]] = {}
    for p in chart.points:
        x, y = across.place(p.x), up.place(p.y)
        yield x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS
        if chart.line and p.series in last:
            yield from _line(last[p.series], (x, y))
        last[p.series] = x, y
    for ends in _ratio_ends(chart, across, up):
        one, other = ((across.place(x), up.place(y)) for x, y in ends)
        yield from _line(one, other)


def _line(one: Place, other: Place, apart: float = 0.0) -> Iterator[Box]:
    """Small boxes along a line, that begin so many pixels from its first end."""
    length = hypot(other[0] - one[0], other[1] - one[1])
    steps = int(length / 4) + 1
    for part in (step / steps for step in range(steps)):
        if part * length >= apart:
            x, y = one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])
            yield x - 1, y - 1, x + 1, y + 1


def _ratio_ends(chart: Chart, across: Axis, up: Axis) -> Iterator[tuple[Place, Place]]:
    """Where the line of the ratio enters and leaves the picture, if it crosses it."""
    if chart.ratio is not None:
        low = max(across.value(0), up.value(0) / chart.ratio)
        high = min(across.value(across.pixels), up.value(up.pixels) / chart.ratio)
        if low < high:
            yield (low, low * chart.ratio), (high, high * chart.ratio)


def _ratio_name(chart: Chart, across: Axis, up: Axis, taken: Sequence[Box]) -> Iterator[Label]:
    """Places for the name of the ratio, below its line, from its high end on."""
    for ends in _ratio_ends(chart, across, up):
        (x1, y1), (x2, y2) = ((across.place(x), up.place(y)) for x, y in ends)
        for part in range(97, 3, -3):
            x, y = x1 + part / 100 * (x2 - x1), y1 + part / 100 * (y2 - y1)
            label = Label(x + LINE, y - LINE, f"1:{chart.ratio:.3g}", "left", False, (x, y))
            _, low, right, _ = label.box()
            if low > 0 and right < WIDTH and not any(_over(label.box(), one) for one in taken):
                yield label


def _over(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def check_plots() -> None:
    """Whether plots can be drawn here. Errors: MissingToolError."""
    if not all(find_spec(name) for name in ("altair", "vl_convert")):
        raise MissingToolError(
            "a plot needs the Python packages altair and vl-convert-python: "
            ".venv/bin/pip install -e '.[page]'"
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
    named = labels(chart, across, up)
    texts = [
        {"x": across.value(at.x), "y": up.value(at.y), "text": at.text, "align": at.align,
         "colour": "#222" if at.marked else "#666"}
        for at in named
    ]  # fmt: skip
    leaders = [
        {"x": across.value(at.point[0]), "y": up.value(at.point[1]),
         "x2": across.value(at.x), "y2": up.value(at.y)}
        for at in named if at.leader()
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
    layers = [_leaders(leaders, x, y)] if leaders else []
    for ends in _ratio_ends(chart, across, up):
        layers.append(_ratio_line(ends, x, y))
    layers += [base.mark_line(strokeWidth=1).encode(stroke=join)] if chart.line else []
    points = base.mark_point(size=60, filled=True, strokeWidth=1.5, opacity=1)
    layers.append(points.encode(fill=colour, stroke=outline, shape=shape, fillOpacity=filled))
    text = altair.Chart(altair.InlineData(values=texts)).encode(x=x, y=y, text="text:N")
    align = altair.ExprRef("datum.align")
    text = text.mark_text(align=align, baseline="middle", fontSize=9)
    layers.append(text.encode(color=altair.Color("colour:N", scale=None)))
    title = altair.Title(chart.title, offset=8)
    picture = altair.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=title)
    return vl_convert.vegalite_to_svg(json.dumps(picture.to_dict())) + "\n"


def _leaders(lines: list[dict[str, float]], x: altair.X, y: altair.Y) -> altair.Chart:
    """From points to labels that stand apart from them."""
    import altair

    chart = altair.Chart(altair.InlineData(values=lines)).encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    drawn: altair.Chart = chart.mark_rule(color="#999", strokeWidth=0.6)
    return drawn


def _ratio_line(ends: tuple[Place, Place], x: altair.X, y: altair.Y) -> altair.Chart:
    """A line where y is so many times x."""
    import altair

    values = [{"x": there, "y": up} for there, up in ends]
    line = altair.Chart(altair.InlineData(values=values)).encode(x=x, y=y)
    drawn: altair.Chart = line.mark_line(color="#999", strokeWidth=1, strokeDash=[4, 3])
    return drawn


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
