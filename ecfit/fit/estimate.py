"""Estimates of what has not been measured, from what has: what they are made of, by how much they
are doubted, and what the doubt learns.

`docs/fit.md` says why the parts of a configuration are put together so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations, islice
from math import log

import msgspec

Point = tuple[str, ...]  # a text for each axis
Figures = Mapping[str, float]  # by name; times and energies end in a name of SPEEDS
Measure = Callable[[Sequence[Point]], Sequence[Figures | None]]
Column = tuple[Figures, Figures]  # of a point, and of one that differs on one axis

SPEEDS = (".time", ".energy")
DEPTHS = (".stack", ".ram")
ASKS = "asks"  # a figure that is known and adds up: no margin is taken off


class Margins(msgspec.Struct, frozen=True):
    """How far below its estimate a figure is taken to be at most: a fraction of it, and for sizes
    bytes on top. `still`: whether a stack is taken for the centre's, without a margin, where no
    change that was measured moved it.
    """

    speed: float = 0.04
    size: float = 0.01
    flash_bytes: float = 48
    stack_bytes: float = 96
    still: bool = True


class Scale(msgspec.Struct, frozen=True):
    """The axis that says how long a step of others takes, and those `apart`, which have steps that
    it says nothing of.
    """

    axis: int
    apart: tuple[int, ...] = ()


class Miss(msgspec.Struct, frozen=True):
    """How far a figure was below its estimate, margin not counted, when it was measured."""

    point: Point
    figure: str
    estimate: float
    measured: float

    @property
    def share(self) -> float:
        """The part of the estimate by which it is below."""
        return (self.estimate - self.measured) / self.estimate if self.estimate else 0.0


def lowering(margins: Margins, centre: Figures) -> Callable[[Figures], dict[str, float]]:
    """From estimates to the least that each figure is taken to be."""

    rules: dict[str, tuple[float, float, float | None]] = {}

    def rule(name: str) -> tuple[float, float, float | None]:
        if name == ASKS:
            return 1.0, 0.0, None
        if _is_speed(name):
            return 1 - margins.speed, 0.0, None
        if name.endswith(DEPTHS):
            still = centre.get(name) if margins.still else None
            return 1 - margins.size, margins.stack_bytes, still
        return 1 - margins.size, margins.flash_bytes, None

    def lowered(estimate: Figures) -> dict[str, float]:
        lower = {}
        for name, value in estimate.items():
            share, taken, still = rules.get(name) or rules.setdefault(name, rule(name))
            lower[name] = value if value == still else value * share - taken
        return lower

    return lowered


@cache
def _is_speed(name: str) -> bool:
    return name.endswith(SPEEDS)


class State:
    """What has been measured, and what follows from it for the rest. Another way to estimate is
    a class with its own `estimate` and `split`. `version`: of its estimates and margins.
    """

    def __init__(
        self,
        points: Sequence[Point],
        margins: Margins,
        scale: Scale | None = None,
        counted: Sequence[str] | None = None,
    ) -> None:
        self.points, self.margins, self.scale = list(dict.fromkeys(points)), margins, scale
        self.counted = counted
        self._names: Sequence[str] | None = None  # that are estimated: all, until it has begun
        self.ranks = {point: rank for rank, point in enumerate(self.points)}
        self.measured: dict[Point, Figures | None] = {}
        self.miss: Miss | None = None
        self.version = 0
        self._estimates: dict[Point, Figures] = {}
        self._columns: dict[str, list[tuple[Figures, Figures]]] = {}

    @property
    def centre(self) -> Figures:
        """The figures of the first point, nothing where its run failed."""
        return self.measured[self.points[0]] or {}

    def start(self, measure: Measure) -> None:
        """Measures what no estimate can be made of, and what the estimates rest on."""
        self._note([point for point in self.points if self.split(point) is None], measure)
        if self.scale and self.centre:
            columns = self._extremes(self.scale.axis)
            wanted = [point for pairs in columns.values() for pair in pairs for point in pair]
            new = [point for point in dict.fromkeys(wanted) if point not in self.measured]
            self._note(new, measure)
            for text, pairs in columns.items():
                figures = [(self.measured[before], self.measured[after]) for before, after in pairs]
                self._columns[text] = [
                    (before, after) for before, after in figures if before and after
                ]
        self._estimates.clear()
        self._names = self.counted

    def _note(self, chosen: Sequence[Point], measure: Measure) -> None:
        self.measured.update(zip(chosen, measure(chosen), strict=True))

    def take(self, chosen: Sequence[Point], measure: Measure) -> None:
        """Measures points; where one is further below its estimate than the margin expects,
        the margin grows by it.
        """
        before, margins = [self.estimate(point) for point in chosen], self.margins
        self._note(chosen, measure)
        for point, estimate in zip(chosen, before, strict=True):
            if figures := self.measured[point]:
                self._learn(point, estimate, figures)
        self.version += self.margins != margins

    def _learn(self, point: Point, estimate: Figures, figures: Figures) -> None:
        for name, expected in estimate.items():
            below = expected - figures.get(name, expected)
            if below <= 0 or name == ASKS:
                continue
            miss = Miss(point, name, expected, figures[name])
            if self.miss is None or miss.share > self.miss.share:
                self.miss = miss
            margins, grown = self.margins, {}
            if _is_speed(name):
                grown["speed"] = max(margins.speed, 1.25 * miss.share)
            else:
                kind = "stack_bytes" if name.endswith(DEPTHS) else "flash_bytes"
                wanted = 1.25 * below - margins.size * expected
                grown[kind] = max(getattr(margins, kind), wanted)
                if kind == "stack_bytes" and expected == self.centre.get(name):
                    grown["still"] = False
            self.margins = msgspec.structs.replace(margins, **grown)

    def estimate(self, point: Point) -> Figures:
        """The figures of a point, measured or put together from others; nothing where a run that
        they would be made of failed. Once the search has begun estimates stay as they are.
        """
        if point in self.measured:
            return self.measured[point] or {}
        figures = self._estimates.get(point)
        if figures is None:
            figures = self._estimates[point] = self._estimate(point)
        return figures

    def _estimate(self, point: Point) -> Figures:
        columns = self._columns.get(point[self.scale.axis]) if self.scale else None
        if columns and (unscaled := self._unscaled(point)) in self.ranks:
            usual = self._usual(point)
            if usual == point:
                return scaled(self.estimate(unscaled), columns, self._names)
            if usual in self.ranks and (opposite := self._usual(unscaled)) in self.ranks:
                return self._corner(usual, unscaled, opposite)
        parts = self.split(point)  # None: it has not been measured, and nothing is known
        return self._corner(*parts, self.points[0]) if parts else {}

    def _corner(self, left: Point, right: Point, opposite: Point) -> Figures:
        a, b, base = self.estimate(left), self.estimate(right), self.estimate(opposite)
        return corner(a, b, base, self._names) if a and b and base else {}

    def split(self, point: Point) -> tuple[Point, Point] | None:
        """Two points that each share some of the point's differences from the centre, and together
        all: where it can be, on the axis of the scale and on the rest. None when there are no such
        points: then it has to be measured.
        """
        centre = self.points[0]
        if self.scale and point[self.scale.axis] != centre[self.scale.axis]:
            alone = _with(centre, self.scale.axis, point[self.scale.axis])
            rest = self._unscaled(point)
            if rest != centre and alone in self.ranks and rest in self.ranks:
                return alone, rest
        differing = [i for i, (a, b) in enumerate(zip(point, centre, strict=True)) if a != b]
        for size in range(1, len(differing) // 2 + 1):
            for axes in combinations(differing, size):
                part = tuple(point[i] if i in axes else c for i, c in enumerate(centre))
                rest = tuple(centre[i] if i in axes else p for i, p in enumerate(point))
                if part in self.ranks and rest in self.ranks:
                    return part, rest
        return None

    def _unscaled(self, point: Point) -> Point:
        """The point with the centre's text on the axis of the scale."""
        at = self.scale.axis if self.scale else 0
        return _with(point, at, self.points[0][at])

    def _usual(self, point: Point) -> Point:
        """The point with the centre's text on the axes that stand apart from the scale."""
        for axis in self.scale.apart if self.scale else ():
            point = _with(point, axis, self.points[0][axis])
        return point

    def _extremes(self, axis: int) -> dict[str, list[tuple[Point, Point]]]:
        """For each text on the axis of the scale pairs of points, with the centre's text and with
        this one, that show what it does to times: the centre, where all times together are
        shortest, and where each is longest.
        """
        centre = self.points[0]
        times = [name for name in self.centre if name.endswith(".time")]
        usual = [p for p in self.points if self._usual(p) == p == self._unscaled(p)]
        here = {point: self.estimate(point) for point in usual}
        figures = {p: [log(max(1.0, of[name])) for name in times] for p, of in here.items() if of}
        orders = [sorted(figures, key=lambda p: sum(figures[p]))] if times else []
        for number, _ in enumerate(times):
            longest = {point: -of[number] for point, of in figures.items()}
            orders.append(sorted(figures, key=longest.__getitem__))
        columns = {}
        for text in dict.fromkeys(point[axis] for point in self.points):
            alone = _with(centre, axis, text)
            if alone in self.ranks and alone != centre:
                pairs = {centre: alone}
                for order in orders:
                    able = (point for point in order if _with(point, axis, text) in self.ranks)
                    pairs |= {point: _with(point, axis, text) for point in islice(able, 1)}
                columns[text] = list(pairs.items())
        return columns


def corner(
    left: Figures, right: Figures, opposite: Figures, names: Sequence[str] | None = None
) -> dict[str, float]:
    """The fourth corner of a square. Bytes add. Of times, which lie between what adds and what
    multiplies, the smaller.
    """
    figures = {}
    for name in opposite if names is None else names:
        if name not in left or name not in right or name not in opposite:
            continue
        a, b, base = left[name], right[name], opposite[name]
        value = a + b - base
        if base > 0 and _is_speed(name):
            value = min(value, a * b / base)
        figures[name] = max(0.0, value)
    return figures


def scaled(
    figures: Figures, columns: Sequence[Column], names: Sequence[str] | None = None
) -> dict[str, float]:
    """The figures with another scale, which changed the first of each column into the second. Bytes
    change by as much as where they shrink most; a time by the smaller ratio of the two that are
    nearest, above and below; outside of them, by the smallest.
    """
    changed = {}
    for name in figures if names is None else names:
        if name not in figures:
            continue
        value = figures[name]
        pairs = [(before[name], after[name]) for before, after in columns if name in before]
        if not _is_speed(name):
            changed[name] = max(0.0, value + min([b - a for a, b in pairs]))
            continue
        below = max([pair for pair in pairs if pair[0] <= value], default=None)
        above = min([pair for pair in pairs if pair[0] >= value], default=None)
        beside = [below, above] if below and above else pairs
        changed[name] = value * min([b / a for a, b in beside if a] or [1.0])
    return changed


def _with(point: Point, axis: int, text: str) -> Point:
    return (*point[:axis], text, *point[axis + 1 :])
