"""What was measured for a question, as answers: for each aim the best that asks nothing of the
caller, and the best of all where that saves more than a twentieth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from ecfit.build.parts import OWN
from ecfit.fit.climb import changed, climbs, presets
from ecfit.fit.estimate import ASKS, Figures, Margins, Point
from ecfit.fit.fit import Answer, Done, asks, figures_together, rows_of
from ecfit.fit.question import Question
from ecfit.fit.search import FAILED, Cost, Found
from ecfit.fit.space import OPERATIONS
from ecfit.measure.bench import Row
from ecfit.model import Configuration, Record

WORTH = 0.95  # of the objective: a burden is named where it saves more than the rest
EASED = "eased"  # ends the name of an answer that asks something of the caller


class Tried:
    """Points with their figures, each measured once. `measured`: measures rows."""

    def __init__(self, question: Question, measured: Done) -> None:
        self.question = msgspec.structs.replace(question, asking=True)
        self.measured = measured
        self.rows: dict[Point, tuple[Row, ...]] = {}
        self.records: dict[Point, tuple[Record, ...]] = {}
        self.figures: dict[Point, Figures | None] = {}

    def add(self, rows: Sequence[Row], records: Sequence[Record]) -> None:
        """A point by its rows, one for each operation of the question in turn."""
        configurations = _configurations(rows)
        point = tuple(text for c in configurations for text in (c.library, c.label))
        figures = figures_together(self.question, records)
        burden = float(sum(len(asks(self.question, c)) for c in configurations))
        self.rows[point], self.records[point] = tuple(rows), tuple(records)
        self.figures[point] = figures and {**figures, ASKS: burden}

    def measure(self, configurations: Iterable[Configuration]) -> list[Figures | None]:
        """Measures configurations of our library, those that are new. Returns their figures."""
        points = {(c.library, c.label): c for c in configurations}
        rows = [rows_of(self.question, c) for point, c in points.items() if point not in self.rows]
        done = iter(self.measured([row for image in rows for row in image]))
        for image in rows:
            self.add(image, [next(done) for _ in image])
        return [self.figures[point] for point in points]

    def pricing(self, aim: str, *, eased: bool, slack: float = 1.0) -> Callable[[Figures], Cost]:
        """The cost for an aim; `eased`: a burden only breaks ties. `slack`: of the limits."""
        q = self.question
        limits = tuple(msgspec.structs.replace(x, most=x.most * slack) for x in q.limits)
        cost = msgspec.structs.replace(q, minimise=aim, limits=limits).pricing()
        if not eased:
            return cost

        def lifted(figures: Figures) -> Cost:
            excess, burden, total, flash = cost(figures)
            return excess, total, flash, burden

        return lifted

    def prices(
        self, aim: str, *, eased: bool
    ) -> Callable[[Sequence[Configuration]], Sequence[Cost]]:
        """What :func:`ecfit.fit.climb.climb` prices by."""
        price = self.pricing(aim, eased=eased)

        def measure(configurations: Sequence[Configuration]) -> list[Cost]:
            self.measure(configurations)
            figures = (self.figures[c.library, c.label] for c in configurations)
            return [price(result) if result else FAILED for result in figures]

        return measure

    def best(self, aim: str, told: str, *, eased: bool) -> Answer | None:
        """What is measured in order for an aim; None where nothing ran."""
        price = self.pricing(aim, eased=eased)
        ran = [(price(figures), point) for point, figures in self.figures.items() if figures]
        if not ran:
            return None
        order = tuple(point for _, point in sorted(ran))
        outcome = Found(order, self.figures, {}, {}, len(ran), None, Margins())
        question = msgspec.structs.replace(self.question, minimise=aim)
        return Answer(question, outcome, self.rows, self.records, tuple(self.figures), told)

    def answers(self, aims: Iterable[str], told: str) -> dict[str, Answer]:
        """The best by aim, and by "AIM eased" that with a burden. Empty where nothing fits."""
        found: dict[str, Answer] = {}
        for aim in aims:
            plain = self.best(aim, told, eased=False)
            if plain is None or not plain.fits:
                return {}
            found[aim] = plain
        return {**found, **self.eased(found)}

    def eased(self, plain: dict[str, Answer]) -> dict[str, Answer]:
        """By "AIM eased" what asks something of the caller and is better than these by aim."""
        found = {}
        for aim, answer in plain.items():
            lifted = self.best(aim, answer.told, eased=True)
            if lifted is None or not lifted.fits:
                continue
            total = self.question.totalling(aim)
            before, after = (total(a.figures(a.best)) for a in (answer, lifted))
            if after < WORTH * before and lifted.figures(lifted.best)[ASKS]:
                found[f"{aim} {EASED}"] = lifted
        return found


def with_burdens(answers: dict[str, Answer], measured: Done) -> dict[str, Answer]:
    """The answers of a search, and what is better with a burden: of the presets, and of each
    answer with one value that asks something of the caller.
    """
    question = next(iter(answers.values())).question
    if not climbs(question) or any(limit.replayed for limit in question.limits):
        return answers
    tried = Tried(question, measured)
    for answer in answers.values():
        for point, rows in answer.rows.items():
            tried.add(rows, answer.records[point])
    eased = list(presets(tried.question))
    for answer in answers.values():
        best = answer.rows[answer.best][0].configuration
        names = [] if best.library != OWN else [n for n, _ in best.settings if n not in OPERATIONS]
        eased += [new for n in names for new in changed(tried.question, best, n)
                  if asks(tried.question, new)]  # fmt: skip
    tried.measure(eased)
    return {**answers, **tried.eased(answers)}


def so_far(
    question: Question, done: Iterable[tuple[Row, Record]], aims: Iterable[str]
) -> dict[str, Answer]:
    """The answers among rows that were measured before a stop; empty where none is whole and
    fits, or where a limit is that of a handshake.
    """
    tried = Tried(question, lambda _: [])
    images: dict[tuple[object, ...], dict[tuple[str, str], tuple[Row, Record]]] = {}
    for row, record in done:
        configurations = sorted((c.library, c.key) for c in _configurations([row]))
        images.setdefault((row.image_ops, *configurations), {})[row.curve.name, row.op] = (
            row,
            record,
        )
    for image in images.values():
        if {*question.operations()} <= {*image}:
            rows, records = zip(*(image[of] for of in question.operations()), strict=True)
            tried.add(rows, records)
    if any(limit.replayed for limit in question.limits):
        return {}
    return tried.answers(aims, f"stopped: the best of {len(tried.rows)} measured configurations")


def _configurations(rows: Sequence[Row]) -> list[Configuration]:
    """Of each curve in an image."""
    pairs = {row.curve.name: row.configuration for row in rows}
    for row in rows:
        pairs |= {curve.name: configuration for curve, configuration in row.others
                  if curve.name not in pairs}  # fmt: skip
    return [pairs[name] for name in sorted(pairs)]
