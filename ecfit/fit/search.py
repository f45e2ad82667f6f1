"""The search: which candidates are worth measuring, until no other can be the answer.

Pure: it knows points, figures and a cost, no configurations and no bench. `docs/fit.md` says what
of its answer is proved and what rests on the margins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, takewhile
from math import inf

import msgspec

from ecfit.fit.estimate import Figures, Margins, Measure, Miss, Point, Scale, State, lowering

Cost = tuple[float, ...]  # the excess over each limit, then the objective

BATCH = 8  # candidates measured before the next are chosen: the same whatever the number of jobs
DOUBT = 0.1  # of a figure
FAILED: Cost = (inf,)


class Found(msgspec.Struct, frozen=True):
    """What a search saw. `order`: the measured points that ran, best first; `measured`: all of
    them, None where a run failed; `estimates`: of every point what was measured, or the estimate;
    `open`: optimistic figures of those not measured; `first`: how many were measured before any
    was chosen.
    """

    order: tuple[Point, ...]
    measured: dict[Point, Figures | None]
    estimates: dict[Point, Figures]
    open: dict[Point, Figures]
    first: int
    miss: Miss | None
    margins: Margins


def search(
    points: Sequence[Point],
    measure: Measure,
    cost: Callable[[Figures], Cost],
    *,
    scale: Scale | None = None,
    fits: Callable[[Figures], bool] | None = None,
    counted: Sequence[str] | None = None,
) -> Found:
    """Measures until no other point can cost less than the best, by its optimistic figures.

    The first of `points` is the centre that others are compared with; the order of `points` breaks
    ties, so the answer depends on nothing else. `cost` must not fall when a figure grows. `scale`:
    the axis whose changes are seen best where much is done. With `fits` it ends, too, where no
    point can be one that fits: which is nearest, it does not say. `counted`: the figures that
    `cost` and `fits` ask for; without it, all.
    """
    return run(State(points, Margins(), scale, counted), measure, cost, fits)


def run(
    state: State,
    measure: Measure,
    cost: Callable[[Figures], Cost],
    fits: Callable[[Figures], bool] | None = None,
) -> Found:
    """The search with what a state knows and estimates."""
    state.start(measure)
    first, prices = len(state.measured), _Prices(state, cost, fits)
    while waiting := prices.worthwhile():
        state.take(waiting, measure)
    succeeded = {point: figures for point, figures in state.measured.items() if figures is not None}
    order = sorted(succeeded, key=lambda point: (cost(succeeded[point]), state.ranks[point]))
    left = [point for point in state.points if point not in state.measured]
    optimistic = lowering(state.margins, state.centre)
    return Found(
        tuple(order),
        state.measured,
        {point: state.estimate(point) for point in state.points},
        {point: optimistic(state.estimate(point)) for point in left},
        first,
        state.miss,
        state.margins,
    )


class _Prices:
    """What each point could cost at least: worked out again where what a state thinks of it is
    another. While none fits, of those that might.
    """

    def __init__(
        self,
        state: State,
        cost: Callable[[Figures], Cost],
        fits: Callable[[Figures], bool] | None,
    ) -> None:
        self.state, self.cost, self.fits = state, cost, fits
        self._of = -1
        self._optimistic = lowering(state.margins, state.centre)
        self._least: list[tuple[Cost, int]] = []
        self._might: dict[int, bool] = {}

    def worthwhile(self) -> list[Point]:
        """Of those that could cost less than the best, or the same and stand before it, the
        likeliest.

        A failed run costs more than any, and so does what needs its figures for an estimate.
        """
        state, fits = self.state, self.fits
        succeeded = [
            (point, figures) for point, figures in state.measured.items() if figures is not None
        ]
        best = min(
            [(self.cost(figures), state.ranks[point]) for point, figures in succeeded],
            default=(FAILED, len(state.points)),
        )
        able = fits is None or any(fits(figures) for _, figures in succeeded)
        if self._of != state.version:
            self._sort(best)
        hopeful = (
            state.points[rank]
            for _, rank in takewhile(lambda expected: expected < best, self._least)
            if state.points[rank] not in state.measured and (able or self._might_fit(rank))
        )
        return list(islice(hopeful, BATCH))

    def _sort(self, best: tuple[Cost, int]) -> None:
        """The possible costs of candidates that could beat the best, lowest first."""
        state, self._of, self._might = self.state, self.state.version, {}
        self._optimistic = lowering(state.margins, state.centre)
        expected = (
            (self.cost(self._optimistic(estimate)), rank)
            for rank, point in enumerate(state.points)
            if point not in state.measured and (estimate := state.estimate(point))
        )
        self._least = sorted(price for price in expected if price < best)

    def _might_fit(self, rank: int) -> bool:
        answer = self._might.get(rank)
        if answer is None and self.fits is not None:
            figures = self._optimistic(self.state.estimate(self.state.points[rank]))
            answer = self._might[rank] = self.fits(_doubted(figures))
        return bool(answer)


def _doubted(figures: Figures) -> Figures:
    """Figures that are taken for less still, before all that is left is given up for too much."""
    share = 1 - DOUBT
    return {name: value * share for name, value in figures.items()}
