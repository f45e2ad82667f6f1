"""The answer by the atlas: what is likely to be best is looked up, then measured on the chip.

Rows are of another chip of the core, another compiler and a larger image, so a prediction only
says what to measure next. After each turn it is corrected by what was measured. No figure of an
answer is predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.fit.atlas import Chart, Entry, bits, burdens, operations, read_charts
from ecfit.fit.climb import climbs, named
from ecfit.fit.estimate import ASKS, Figures, Margins
from ecfit.fit.fit import Answer, Done, asks, figures_together, rows_of
from ecfit.fit.question import Question
from ecfit.fit.search import Cost, Found
from ecfit.fit.space import able, in_effect
from ecfit.measure.bench import Row
from ecfit.measure.derive import time_and_energy
from ecfit.model import Configuration, Record

MOST = 6  # configurations measured for one question
HARNESS = 2048  # bytes of flash that an image has beside the library, at most
TOLERANCE = 1.04  # of a limit, while a figure is predicted
WORTH = 0.95  # of the objective: a burden is named where it saves more than the rest
EASED = "eased"  # ends the name of an answer that asks something of the caller


def chart_of(question: Question) -> Chart | None:
    """The rows that answer a question; None where there are none: then a search answers."""
    need = question.needs[0]
    _, charts = read_charts(question.target.backend)
    rows = charts.get(need.curve.name)
    plain = climbs(question) and question.libraries == (OWN,) and question.mode is not None
    more = question.sets or question.extras or any(limit.replayed for limit in question.limits)
    if not rows or not plain or more or not {*need.ops} <= {*operations(need.curve)}:
        return None
    return rows


def looked_up(question: Question, aims: Sequence[str], measured: Done) -> dict[str, Answer]:
    """An answer for each of these aims, by its name; and by "AIM eased" that which asks something
    of the caller, where it saves more than a twentieth. The first aim is the most important. Empty
    where the atlas has no rows, or none of those measured keeps the limits.
    """
    chart = chart_of(question)
    if chart is None:
        return {}
    pool = _Pool(question, chart, aims, measured)
    pool.fill()
    return pool.answers()


class _Pool:
    """What has been measured for a question, and what the rows of the atlas predict."""

    def __init__(
        self, question: Question, chart: Chart, aims: Sequence[str], measured: Done
    ) -> None:
        self.question = msgspec.structs.replace(question, asking=True)
        self.aims, self.measured = aims, measured
        need = question.needs[0]
        self.curve, self.ops, self.slot = need.curve, need.ops, find_slot(need.curve.name)
        backend = question.target.backend
        self.base = dict(resolve(need.curve, DEFAULT_PRESET, {}, backend).settings)
        self.rows = [row for row in chart.rows if self._possible(row)]
        self.waiting = dict(enumerate(self.rows))
        self.asked = [burdens(self.slot, {**self.base, **r.values}, self.ops) for r in self.rows]
        self.scale = {"flash": 1.0, "time": 1.0}
        self.ratios: list[tuple[float, float]] = []
        self.figures: dict[str, Figures | None] = {}
        self.image: dict[str, tuple[tuple[Row, ...], tuple[Record, ...]]] = {}

    def _possible(self, row: Entry) -> bool:
        """Whether the chip can have these values, and holds the image."""
        target = self.question.target
        flash = row.flash_with(bits(self.curve, self.ops))
        return flash + HARNESS <= target.region("flash").size and all(
            able(all_knobs()[name], value, target, self.slot) for name, value in row.values.items()
        )

    def predicted(self, number: int) -> dict[str, float]:
        """What a row would cost here."""
        row, target = self.rows[number], self.question.target
        flash = row.flash_with(bits(self.curve, self.ops)) * self.scale["flash"]
        figures = {"flash": flash, ASKS: float(self.asked[number])}
        for op in self.ops:
            at, name = operations(self.curve).index(op), f"{self.curve.name}.{op}"
            time, energy = time_and_energy(target, round(row.cycles[at] * self.scale["time"]))
            figures |= {f"{name}.time": time or 0.0, f"{name}.energy": energy or 0.0}
            figures |= {f"{name}.stack": row.stack[at], f"{name}.ram": row.ram[at]}
        return figures

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

    def fill(self) -> None:
        """Measures the likeliest rows, by turns for each aim, until none could be better."""
        while len(self.image) < MOST and (numbers := self._next()):
            wanted = []
            for number in numbers[: MOST - len(self.image)]:
                row = self.waiting.pop(number)
                configuration = self._configuration(row)
                if configuration and configuration.label not in self.image:
                    wanted.append((number, configuration))
            self._measure(wanted)

    def _next(self) -> list[int]:
        chosen: dict[int, None] = {}
        predicted = {number: self.predicted(number) for number in self.waiting}
        for eased in (False, True):
            for aim in self.aims:
                price = self.pricing(aim, eased=eased, slack=TOLERANCE)
                exact = self.pricing(aim, eased=eased)
                best = min((exact(f) for f in self.figures.values() if f), default=None)
                expected, number = min(
                    ((price(f), n) for n, f in predicted.items()), default=((), -1)
                )
                if number >= 0 and (best is None or expected[:3] < best[:3]):
                    chosen.setdefault(number)
        return list(chosen)

    def _configuration(self, row: Entry) -> Configuration | None:
        values = {**self.base, **row.values}
        used = in_effect(self.slot, values, self.ops)
        return named(self.question, {n: values[n] for n in used}, values)

    def _measure(self, wanted: Sequence[tuple[int, Configuration]]) -> None:
        rows = [rows_of(self.question, configuration) for _, configuration in wanted]
        done = iter(self.measured([row for image in rows for row in image]))
        for (number, configuration), image in zip(wanted, rows, strict=True):
            records = tuple(next(done) for _ in image)
            figures = figures_together(self.question, records)
            burden = float(len(asks(self.question, configuration)))
            self.image[configuration.label] = image, records
            self.figures[configuration.label] = figures and {**figures, ASKS: burden}
            if figures:
                before = self.predicted(number)
                names = [name for name in before if name.endswith(".time")]
                time = sum(figures[n] for n in names) / sum(before[n] for n in names)
                self.ratios.append((figures["flash"] / before["flash"] * self.scale["flash"],
                                    time * self.scale["time"]))  # fmt: skip
        if self.ratios:
            flash, times = zip(*self.ratios, strict=True)
            self.scale = {"flash": median(flash), "time": median(times)}

    def answers(self) -> dict[str, Answer]:
        """The best of those measured, by aim."""
        found: dict[str, Answer] = {}
        for aim in self.aims:
            plain = self._answer(aim, eased=False)
            if plain is None or not plain.fits:
                return {}
            found[aim] = plain
            lifted = self._answer(aim, eased=True)
            if lifted and lifted.fits:
                total = self.question.totalling(aim)
                before, after = (total(a.figures(a.best)) for a in (plain, lifted))
                burden = (a.figures(a.best)[ASKS] for a in (plain, lifted))
                if after < WORTH * before and len({*burden}) > 1:
                    found[f"{aim} {EASED}"] = lifted
        return found

    def _answer(self, aim: str, *, eased: bool) -> Answer | None:
        price = self.pricing(aim, eased=eased)
        ran = {label: figures for label, figures in self.figures.items() if figures}
        if not ran:
            return None
        points = {label: (label,) for label in self.figures}
        order = sorted(ran, key=lambda label: price(ran[label]))
        outcome = Found(
            tuple(points[label] for label in order),
            {points[label]: figures for label, figures in self.figures.items()},
            {}, {}, len(points), None, Margins(),
        )  # fmt: skip
        return Answer(
            msgspec.structs.replace(self.question, minimise=aim),
            outcome,
            {points[label]: image for label, (image, _) in self.image.items()},
            {points[label]: records for label, (_, records) in self.image.items()},
            tuple(points.values()),
            self.told(),
        )

    def told(self) -> str:
        """Where the answer comes from, and what it does not promise."""
        made, _ = read_charts(self.question.target.backend)
        text = f"{len(self.rows)} configurations of the atlas ({made}), {len(self.image)} measured"
        rest = "" if 0.9 < self.scale["flash"] < 1.3 else "; it is of another version"
        return f"{text}{rest}; --thorough searches on"
