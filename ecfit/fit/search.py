"""The search: which candidates are worth measuring, until no other can be the answer.

Pure: it knows points, figures and a cost, no configurations and no bench. `docs/fit.md` says what
of its answer is proved and what rests on the margins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import msgspec

Point = tuple[str, ...]  # a text for each axis
Figures = Mapping[str, float]  # by name; times and energies end in a name of SPEEDS
Cost = tuple[float, ...]  # by how much limits are exceeded, then what is to be small
Measure = Callable[[Sequence[Point]], Sequence[Figures | None]]

SPEEDS = (".time", ".energy")
BATCH = 8  # candidates measured before the next are chosen: the same whatever the number of jobs
DOUBT = 0.1  # of a figure
FAILED: Cost = (float("inf"),)


class Margins(msgspec.Struct, frozen=True):
    """How far below its estimate a figure is taken to be at most: a fraction of it, and for sizes
    bytes on top.
    """

    speed: float = 0.03
    size: float = 0.01
    size_bytes: float = 48


class Miss(msgspec.Struct, frozen=True):
    """How far a figure was below its estimate, margin not counted, when it was measured."""

    point: Point
    figure: str
    estimate: float
    measured: float


class Found(msgspec.Struct, frozen=True):
    """What a search saw. `order`: the measured points that ran, best first; `measured`: all of
    them, None where a run failed; `open`: optimistic figures of those not measured;
    `estimates`: of every point what was measured, or the estimate.
    """

    order: tuple[Point, ...]
    measured: dict[Point, Figures | None]
    open: dict[Point, Figures]
    estimates: dict[Point, Figures]
    atoms: int
    miss: Miss | None
    margins: Margins


def search(
    points: Sequence[Point],
    measure: Measure,
    cost: Callable[[Figures], Cost],
    margins: Margins | None = None,
    fits: Callable[[Figures], bool] | None = None,
) -> Found:
    """Measures until no other point can cost less than the best, by its optimistic figures.

    The first of `points` is the centre that others are compared with; the order of `points` breaks
    ties, so the answer depends on nothing else. `cost` must not fall when a figure grows. With
    `fits` it ends, too, where no point can be one that fits: which is nearest, it does not say.
    """
    return run(State(points, margins or Margins()), measure, cost, fits)


def run(
    state: State,
    measure: Measure,
    cost: Callable[[Figures], Cost],
    fits: Callable[[Figures], bool] | None = None,
) -> Found:
    """The search with what a state knows and estimates."""
    points = state.points
    atoms = [point for point in points if state.split(point) is None]
    state.take(atoms, measure)
    while waiting := _worthwhile(state, cost):
        if fits and not any(f is not None and fits(f) for f in state.measured.values()):
            waiting = [point for point in waiting if fits(_doubted(state.optimistic(point)))]
        if not waiting:
            break
        state.take(waiting[:BATCH], measure)
    ranks = {point: rank for rank, point in enumerate(points)}
    ran = {point: figures for point, figures in state.measured.items() if figures is not None}
    order = sorted(ran, key=lambda point: (cost(ran[point]), ranks[point]))
    left = {point: state.optimistic(point) for point in points if point not in state.measured}
    return Found(
        tuple(order),
        state.measured,
        left,
        {point: state.estimate(point) for point in points},
        len(atoms),
        state.miss,
        state.margins,
    )


def _doubted(figures: Figures) -> Figures:
    """Figures that are taken for less still, before all that is left is given up for too much."""
    return {name: value * (1 - DOUBT) for name, value in figures.items()}


def _worthwhile(state: State, cost: Callable[[Figures], Cost]) -> list[Point]:
    """Those that could cost less than the best, or the same and stand before it; likeliest first.

    A failed run costs more than any, and so does what needs its figures for an estimate.
    """
    best = (FAILED, len(state.points))
    for rank, point in enumerate(state.points):
        figures = state.measured.get(point)
        if figures is not None:
            best = min(best, (cost(figures), rank))
    hopeful = [
        (cost(state.optimistic(point)), rank)
        for rank, point in enumerate(state.points)
        if point not in state.measured and state.estimate(point)
    ]
    return [state.points[rank] for expected, rank in sorted(hopeful) if (expected, rank) < best]


class State:
    """What has been measured, and what follows from it for the rest. Another way to estimate is
    a class with its own `estimate` and `split`.
    """

    def __init__(self, points: Sequence[Point], margins: Margins) -> None:
        self.points, self.margins = list(dict.fromkeys(points)), margins
        self.known = set(self.points)
        self.measured: dict[Point, Figures | None] = {}
        self.miss: Miss | None = None
        self._beside: dict[tuple[int, Point], list[Point]] = {}  # measured, by all axes but one
        self._splits: dict[Point, tuple[Point, Point] | None] = {}
        self._estimates: dict[Point, Figures] = {}

    def take(self, chosen: Sequence[Point], measure: Measure) -> None:
        """Measures points; where one is further below its estimate than the margin expects,
        the margin grows by it.
        """
        before = {point: self.estimate(point) for point in chosen if self.split(point)}
        for point, figures in zip(chosen, measure(chosen), strict=True):
            self.measured[point] = figures
            for axis in range(len(point)) if figures is not None else ():
                self._beside.setdefault((axis, _with(point, axis, "")), []).append(point)
            if figures is not None and point in before:
                self._learn(point, before[point], figures)
        self._estimates = {}

    def _learn(self, point: Point, estimate: Figures, figures: Figures) -> None:
        for name, value in figures.items():
            below = estimate.get(name, value) - value
            if below <= 0:
                continue
            if self.miss is None or below / estimate[name] > _share(self.miss):
                self.miss = Miss(point, name, estimate[name], value)
            if name.endswith(SPEEDS):
                wanted = 1.25 * below / estimate[name]
                self.margins = msgspec.structs.replace(
                    self.margins, speed=max(self.margins.speed, wanted)
                )
            else:
                wanted = 1.25 * below - self.margins.size * estimate[name]
                self.margins = msgspec.structs.replace(
                    self.margins, size_bytes=max(self.margins.size_bytes, wanted)
                )

    def optimistic(self, point: Point) -> Figures:
        """The least that each figure of a point not measured is taken to be."""
        margins = self.margins
        return {
            name: value * (1 - margins.speed)
            if name.endswith(SPEEDS)
            else max(0.0, value * (1 - margins.size) - margins.size_bytes)
            for name, value in self.estimate(point).items()
        }

    def estimate(self, point: Point) -> Figures:
        """The figures of a point, measured or put together from others: the nearest square of
        measured points of which it is the fourth corner, else the centre and the changes from it.
        """
        seen = self.measured.get(point)
        if seen is not None:
            return seen
        if point not in self._estimates:
            squares = self._squares(point)
            parts = self.split(point)
            if squares:
                found = _least(squares)
            elif parts is not None:
                corners = [self.estimate(p) for p in (*parts, self.points[0])]
                found = corner(*corners) if all(corners) else {}
            else:
                found = {}  # its run failed, or it has not been made: nothing is known
            self._estimates[point] = found
        return self._estimates[point]

    def _squares(self, point: Point) -> list[Figures]:
        """What the squares say that two axes span, with three corners measured."""
        found: list[Figures] = []
        for one, other in combinations(self._neighbours(point), 2):
            (axis, near), (second, far) = one, other
            if axis == second:
                continue
            opposite = _with(_with(point, axis, near[axis]), second, far[second])
            figures = [self.measured.get(corner) for corner in (near, far, opposite)]
            if all(figure is not None for figure in figures):
                found.append(corner(*(figure or {} for figure in figures)))
        return found

    def _neighbours(self, point: Point) -> list[tuple[int, Point]]:
        """The measured points that differ on one axis, with that axis."""
        return [
            (axis, other)
            for axis in range(len(point))
            for other in self._beside.get((axis, _with(point, axis, "")), ())
        ]

    def split(self, point: Point) -> tuple[Point, Point] | None:
        """Two points that each share some of the point's differences from the centre, and together
        all; None when there are no such points: then it has to be measured.
        """
        if point not in self._splits:
            self._splits[point] = self._split(point)
        return self._splits[point]

    def _split(self, point: Point) -> tuple[Point, Point] | None:
        centre = self.points[0]
        differing = [i for i, (a, b) in enumerate(zip(point, centre, strict=True)) if a != b]
        for size in range(1, len(differing) // 2 + 1):
            for axes in combinations(differing, size):
                part = tuple(point[i] if i in axes else c for i, c in enumerate(centre))
                rest = tuple(centre[i] if i in axes else p for i, p in enumerate(point))
                if part in self.known and rest in self.known:
                    return part, rest
        return None


def corner(one: Figures, other: Figures, opposite: Figures) -> dict[str, float]:
    """The fourth corner of a square. Bytes add. Of times, which lie between what adds and what
    multiplies, the smaller.
    """
    found = {}
    for name, base in opposite.items():
        if name not in one or name not in other:
            continue
        found[name] = one[name] + other[name] - base
        if name.endswith(SPEEDS) and base > 0:
            found[name] = min(found[name], one[name] * other[name] / base)
        found[name] = max(0.0, found[name])
    return found


def _least(several: Iterable[Figures]) -> dict[str, float]:
    """The smallest of each figure."""
    found: dict[str, float] = {}
    for figures in several:
        for name, value in figures.items():
            found[name] = min(value, found.get(name, value))
    return found


def _with(point: Point, axis: int, text: str) -> Point:
    return (*point[:axis], text, *point[axis + 1 :])


def _share(miss: Miss) -> float:
    return (miss.estimate - miss.measured) / miss.estimate if miss.estimate else 0.0
