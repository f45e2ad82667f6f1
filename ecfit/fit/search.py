"""The search: which candidates are worth measuring, until no other can be the answer.

Pure: it knows points, figures and a cost, no configurations and no bench. `docs/fit.md` says what
of its answer is proved and what rests on the margins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, islice

import msgspec

Point = tuple[str, ...]  # a text for each axis
Figures = Mapping[str, float]  # by name; times and energies end in a name of SPEEDS
Cost = tuple[float, ...]  # by how much limits are exceeded, then what is to be small
Measure = Callable[[Sequence[Point]], Sequence[Figures | None]]

SPEEDS = (".time", ".energy")
ASKS = "asks"  # a figure that is known and adds up: no margin is taken off
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
    them, None where a run failed; `estimates`: of every point what was measured, or the estimate.
    """

    order: tuple[Point, ...]
    measured: dict[Point, Figures | None]
    estimates: dict[Point, Figures]
    atoms: int
    miss: Miss | None
    margins: Margins

    @property
    def open(self) -> dict[Point, Figures]:
        """Optimistic figures of those not measured."""
        return {
            point: lowered(figures, self.margins)
            for point, figures in self.estimates.items()
            if point not in self.measured
        }


def search(
    points: Sequence[Point],
    measure: Measure,
    cost: Callable[[Figures], Cost],
    margins: Margins | None = None,
    *,
    fits: Callable[[Figures], bool] | None = None,
    counted: Sequence[str] | None = None,
) -> Found:
    """Measures until no other point can cost less than the best, by its optimistic figures.

    The first of `points` is the centre that others are compared with; the order of `points` breaks
    ties, so the answer depends on nothing else. `cost` must not fall when a figure grows. With
    `fits` it ends, too, where no point can be one that fits: which is nearest, it does not say.
    `counted`: the figures that `cost` and `fits` ask for; without it, all.
    """
    return run(State(points, margins or Margins()), measure, cost, fits, counted)


def run(
    state: State,
    measure: Measure,
    cost: Callable[[Figures], Cost],
    fits: Callable[[Figures], bool] | None = None,
    counted: Sequence[str] | None = None,
) -> Found:
    """The search with what a state knows and estimates."""
    points, prices = state.points, _Prices(state, cost, counted)
    atoms = [point for point in points if state.split(point) is None]
    state.take(atoms, measure)
    while waiting := prices.worthwhile():
        if fits and not any(f is not None and fits(f) for f in state.measured.values()):
            able = (point for point in waiting if fits(_doubted(prices.optimistic(point))))
            waiting = list(islice(able, BATCH))
        if not waiting:
            break
        state.take(waiting[:BATCH], measure)
    ranks = {point: rank for rank, point in enumerate(points)}
    ran = {point: figures for point, figures in state.measured.items() if figures is not None}
    order = sorted(ran, key=lambda point: (cost(ran[point]), ranks[point]))
    return Found(
        tuple(order),
        state.measured,
        {point: state.estimate(point) for point in points},
        len(atoms),
        state.miss,
        state.margins,
    )


def _doubted(figures: Figures) -> Figures:
    """Figures that are taken for less still, before all that is left is given up for too much."""
    return {name: value * (1 - DOUBT) for name, value in figures.items()}


def lowered(estimate: Figures, margins: Margins, counted: Sequence[str] | None = None) -> Figures:
    """The least that each figure with this estimate is taken to be; of those `counted` alone."""
    speed, size, size_bytes = 1 - margins.speed, 1 - margins.size, margins.size_bytes
    return {
        name: estimate[name] * speed
        if _is_speed(name)
        else max(0.0, estimate[name] * size - size_bytes)
        if name != ASKS
        else estimate[name]
        for name in (estimate if counted is None else counted)
        if name in estimate
    }


@cache
def _is_speed(name: str) -> bool:
    return name.endswith(SPEEDS)


class _Prices:
    """What each point could cost at least: worked out again where its estimate or the margins are
    others.
    """

    def __init__(
        self, state: State, cost: Callable[[Figures], Cost], counted: Sequence[str] | None
    ) -> None:
        self.state, self.cost, self.counted = state, cost, counted
        self._known: dict[Point, tuple[Figures, Margins, Cost]] = {}

    def optimistic(self, point: Point) -> Figures:
        """The least that each figure of a point not measured is taken to be."""
        return lowered(self.state.estimate(point), self.state.margins, self.counted)

    def worthwhile(self) -> list[Point]:
        """Those that could cost less than the best, or the same and stand before it; likeliest
        first.

        A failed run costs more than any, and so does what needs its figures for an estimate.
        """
        state = self.state
        best = (FAILED, len(state.points))
        for rank, point in enumerate(state.points):
            figures = state.measured.get(point)
            if figures is not None:
                best = min(best, (self.cost(figures), rank))
        hopeful = []
        for rank, point in enumerate(state.points):
            if point not in state.measured and (estimate := state.estimate(point)):
                expected = self._least(point, estimate), rank
                if expected < best:
                    hopeful.append(expected)
        return [state.points[rank] for _, rank in sorted(hopeful)]

    def _least(self, point: Point, estimate: Figures) -> Cost:
        margins, known = self.state.margins, self._known.get(point)
        if known is None or known[0] is not estimate or known[1] is not margins:
            known = estimate, margins, self.cost(lowered(estimate, margins, self.counted))
            self._known[point] = known
        return known[2]


class State:
    """What has been measured, and what follows from it for the rest. Another way to estimate is
    a class with its own `estimate` and `split`.
    """

    def __init__(self, points: Sequence[Point], margins: Margins) -> None:
        self.points, self.margins = list(dict.fromkeys(points)), margins
        self.known = set(self.points)
        self._values = [set(texts) for texts in zip(*self.points, strict=True)]  # of each axis
        self.measured: dict[Point, Figures | None] = {}
        self.miss: Miss | None = None
        self._beside: dict[tuple[int, Point], list[Point]] = {}  # measured, by all axes but one
        self._splits: dict[Point, tuple[Point, Point] | None] = {}
        self._squared: dict[Point, Figures | None] = {}  # the least of its squares, None: none
        self._estimates: dict[Point, Figures] = {}
        self._users: dict[Point, dict[Point, None]] = {}  # estimates made of that of one

    def take(self, chosen: Sequence[Point], measure: Measure) -> None:
        """Measures points; where one is further below its estimate than the margin expects,
        the margin grows by it.
        """
        before = {point: self.estimate(point) for point in chosen if self.split(point)}
        for point, figures in zip(chosen, measure(chosen), strict=True):
            self.measured[point] = figures
            if figures is None:
                continue
            for axis in range(len(point)):
                self._beside.setdefault((axis, _with(point, axis, "")), []).append(point)
            self._renew(point)
            if point in before:
                self._learn(point, before[point], figures)

    def _renew(self, point: Point) -> None:
        """Forgets the squares in which a point that was measured is a corner, and the estimates
        that are made of them.
        """
        waiting = [point]
        for axis, values in enumerate(self._values):
            waiting += [_with(point, axis, value) for value in values]
        for (axis, near), (second, far) in combinations(self._neighbours(point), 2):
            waiting.append(_with(_with(point, axis, near[axis]), second, far[second]))
        for changed in waiting:
            self._squared.pop(changed, None)
        while waiting:
            changed = waiting.pop()
            if self._estimates.pop(changed, None) is not None:
                waiting += self._users.get(changed, ())

    def _learn(self, point: Point, estimate: Figures, figures: Figures) -> None:
        for name, value in figures.items():
            below = estimate.get(name, value) - value
            if below <= 0 or name == ASKS:
                continue
            if self.miss is None or below / estimate[name] > _share(self.miss):
                self.miss = Miss(point, name, estimate[name], value)
            margins, speed = self.margins, _is_speed(name)
            wanted = 1.25 * below
            if speed and wanted / estimate[name] > margins.speed:
                self.margins = msgspec.structs.replace(margins, speed=wanted / estimate[name])
            if not speed and wanted - margins.size * estimate[name] > margins.size_bytes:
                wanted -= margins.size * estimate[name]
                self.margins = msgspec.structs.replace(margins, size_bytes=wanted)

    def estimate(self, point: Point) -> Figures:
        """The figures of a point, measured or put together from others: the nearest square of
        measured points of which it is the fourth corner, else the centre and the changes from it.
        """
        found = self._estimates.get(point)
        if found is None:
            found = self._estimates[point] = self.measured.get(point) or self._estimate(point)
        return found

    def _estimate(self, point: Point) -> Figures:
        if point not in self._squared:
            squares = self._squares(point)
            self._squared[point] = _least(squares) if squares else None
        squared = self._squared[point]
        if squared is not None:
            return squared
        parts = self.split(point)
        if parts is None:
            return {}  # its run failed, or it has not been made: nothing is known
        corners = (*parts, self.points[0])
        for part in corners:
            self._users.setdefault(part, {})[point] = None
        figures = [self.estimate(part) for part in corners]
        return corner(*figures) if all(figures) else {}

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
        a, b = one[name], other[name]
        value = a + b - base
        if base > 0 and _is_speed(name):
            value = min(value, a * b / base)
        found[name] = max(0.0, value)
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
