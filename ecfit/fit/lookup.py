"""The answer by the atlas: what is likely to be best is looked up, then measured on the chip.

Rows are of another chip of the core, another compiler and a larger image, so a prediction only
says what to measure next. After each turn it is corrected by the measured row that differs in the
fewest knobs, since wait states and compilers weigh on like code alike. No figure of an answer is
predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.fit.atlas import Chart, Entry, bits, burdens, nearest, operations, read_charts
from ecfit.fit.climb import climb, named
from ecfit.fit.estimate import ASKS, Figures
from ecfit.fit.fit import Answer, Done
from ecfit.fit.question import Question
from ecfit.fit.search import Cost
from ecfit.fit.space import able, in_effect
from ecfit.fit.tried import WORTH, Tried
from ecfit.model import Configuration

MOST = 6  # configurations measured for one question
HARNESS = 2048  # bytes of flash that an image has beside the library, at most
TOLERANCE = 1.04  # of a limit, while a figure is predicted and nothing is measured
CORRECTED = 1.02  # of a limit, where the nearest row has been measured
GAIN = 0.99  # of the objective: less of a gain is not worth a build


def lacking(question: Question) -> str:
    """What of a question the atlas does not answer; empty where it does."""
    curve, backend = question.needs[0].curve, question.target.backend
    limits = any(limit.replayed for limit in question.limits)
    reasons = {
        "several curves": len(question.needs) > 1,
        "other libraries": question.libraries != (OWN,),
        "presets": bool(question.presets),
        "--set": not set_names(question) <= {*question.extras, find_slot(curve.name).hash}
        if curve.name in read_charts(backend)
        else bool(question.sets),
        "a handshake": limits,
        f"{curve.name} on {backend}": question.mode is None
        or curve.name not in read_charts(backend),
    }  # fmt: skip
    return next((reason for reason, applies in reasons.items() if applies), "")


def set_names(question: Question) -> set[str]:
    """The knobs that --set names."""
    return {name.rpartition(".")[2].upper() for name in question.sets}


def looked_up(
    question: Question, aims: Sequence[str], measured: Done, *, thorough: bool = False
) -> dict[str, Answer]:
    """An answer for each of these aims, by its name; and by "AIM eased" that which asks something
    of the caller, where it saves more than a twentieth. The first aim is the most important. Empty
    where none of those measured keeps the limits. `thorough`: climbs from what was looked up.
    The question is one that the atlas answers.
    """
    chart = read_charts(question.target.backend)[question.needs[0].curve.name]
    pool = _Pool(question, chart, measured)
    pool.fill(aims)
    if thorough:
        pool.climb(aims)
    return pool.answers(aims, pool.told(thorough=thorough))


class _Pool(Tried):
    """What has been measured for a question, and what the rows of the atlas predict."""

    def __init__(self, question: Question, chart: Chart, measured: Done) -> None:
        super().__init__(question, measured)
        need = question.needs[0]
        self.curve, self.ops, self.slot = need.curve, need.ops, find_slot(need.curve.name)
        backend = question.target.backend
        self.base = dict(resolve(need.curve, DEFAULT_PRESET, {}, backend).settings)
        self.left, self.made = chart.left, chart.made
        self.entries = [row for row in chart.rows if self._possible(row)]
        self.waiting = dict(enumerate(self.entries))
        self.asked = [burdens(self.slot, {**self.base, **r.values}, self.ops) for r in self.entries]
        # measured by predicted: flash, time, and stack, which is exact where the rows have each op
        self.factors: dict[int, tuple[float, float, float]] = {}
        self.charted = operations(self.curve)
        self.exact = {*self.ops} <= {*self.charted}

    def _possible(self, row: Entry) -> bool:
        """Whether the chip can have these values, and holds the image."""
        target = self.question.target
        flash = row.flash_with(bits(self.curve, self.ops))
        return flash + HARNESS <= target.region("flash").size and all(
            able(all_knobs()[name], value, target, self.slot) for name, value in row.values.items()
        )

    def predicted(self, number: int) -> dict[str, float]:
        """What a row would cost here."""
        row, target = self.entries[number], self.question.target
        flash_factor, time_factor, stack_factor = self._factors(row)
        flash = row.flash_with(bits(self.curve, self.ops)) * flash_factor
        figures = {"flash": flash, ASKS: float(self.asked[number])}
        for op in self.ops:
            at, name = self.charted.index(nearest(op)), f"{self.curve.name}.{op}"
            time, energy = target.time_and_energy(round(row.cycles[at] * time_factor))
            figures |= {f"{name}.time": time or 0.0, f"{name}.energy": energy or 0.0}
            figures |= {f"{name}.stack": row.stack[at] * stack_factor}
            figures |= {f"{name}.ram": row.ram[at] * stack_factor}
        return figures

    def _factors(self, row: Entry) -> tuple[float, float, float]:
        """Of flash, time and stack, from the rows that were measured and differ in the fewest
        values.
        """
        near: dict[int, list[tuple[float, float, float]]] = {}
        for number, factors in self.factors.items():
            differing = len(self.entries[number].values.items() ^ row.values.items())
            near.setdefault(differing, []).append(factors)
        if not near:
            return 1.0, 1.0, 1.0
        flash, time, stack = zip(*near[min(near)], strict=True)
        return median(flash), median(time), median(stack)

    def fill(self, aims: Sequence[str]) -> None:
        """Measures the likeliest rows, by turns for each aim, until none could be better."""
        while len(self.rows) < MOST and (numbers := self._next(aims)):
            wanted: dict[str, tuple[int, Configuration]] = {}
            for number in numbers[: MOST - len(self.rows)]:
                configuration = self._configuration(self.waiting.pop(number))
                if configuration and (OWN, configuration.label) not in self.rows:
                    wanted.setdefault(configuration.label, (number, configuration))
            self._measure(list(wanted.values()))

    def climb(self, aims: Sequence[str]) -> None:
        """Changes one setting at a time, from the best of each aim and from the presets."""
        for eased in (False, True):
            for aim in aims:
                answer = self.best(aim, "", eased=eased)
                start = answer.rows[answer.best][0].configuration if answer else None
                question = msgspec.structs.replace(self.question, minimise=aim, asking=eased)
                climb(question, start, self.prices(aim, eased=eased))

    def _next(self, aims: Sequence[str]) -> list[int]:
        """The rows that promise a better answer: for each aim the best, and that with a burden
        where the answer would name it.
        """
        chosen: dict[int, None] = {}
        predicted = {number: self.predicted(number) for number in self.waiting}
        slack = CORRECTED if self.factors else TOLERANCE
        for aim in aims:
            total = self.question.totalling(aim)
            plain: Figures | None = None
            for eased in (False, True):
                price, exact = (self.pricing(aim, eased=eased, slack=x) for x in (slack, 1.0))
                best = min((f for f in self.figures.values() if f), key=exact, default=None)
                number = min(predicted, key=lambda n: (price(predicted[n]), n), default=-1)
                if number < 0:
                    break
                expected = predicted[number]
                if eased and plain and total(expected) >= WORTH * total(plain):
                    continue
                if best is None or self._gains(price(expected), exact(best), eased=eased):
                    chosen.setdefault(number)
                    plain = plain or expected
                plain = plain or best
        return list(chosen)

    def _gains(self, expected: Cost, best: Cost, *, eased: bool) -> bool:
        """Whether a cost is enough below another to be worth a build."""
        at = 1 if eased else 2  # the place of the objective
        if expected[:at] != best[:at]:
            return expected[:at] < best[:at]
        return expected[at] < GAIN * best[at]

    def _configuration(self, row: Entry) -> Configuration | None:
        values = {**self.base, **row.values}
        values |= {n.rpartition(".")[2].upper(): v for n, v in self.question.sets.items()}
        used = in_effect(self.slot, values, self.ops)
        return named(self.question, {n: values[n] for n in used}, values)

    def _measure(self, wanted: Sequence[tuple[int, Configuration]]) -> None:
        before = {number: self.predicted(number) for number, _ in wanted}
        now = {number: self._factors(self.entries[number]) for number, _ in wanted}
        done = self.measure([configuration for _, configuration in wanted])
        for (number, _), figures in zip(wanted, done, strict=True):
            if figures:
                expected, (flash, time, stack) = before[number], now[number]
                ratios = {}
                for figure in ("time", "stack"):
                    names = [name for name in expected if name.endswith(f".{figure}")]
                    ratios[figure] = sum(figures[n] for n in names) / sum(
                        expected[n] for n in names
                    )
                self.factors[number] = (
                    flash * figures["flash"] / expected["flash"],
                    time * ratios["time"],
                    1.0 if self.exact else stack * ratios["stack"],
                )

    def told(self, *, thorough: bool) -> str:
        """Where the answer comes from, and what it does not promise."""
        entries = f"{len(self.entries)} configurations of the atlas ({self.made})"
        text = f"{entries}, {len(self.rows)} measured"
        if thorough:
            return f"{text}; none of them is better by one setting"
        flash = median(flash for flash, *_ in self.factors.values()) if self.factors else 1.0
        others = {op: nearest(op) for op in self.ops if op not in self.charted}
        if others:
            text += "; it has no " + ", ".join(f"{op}, but {like}" for op, like in others.items())
        elif not 0.9 < flash < 1.3 and not self.question.sets:
            text += "; it is of another version"
        if self.left:
            return f"{text}; {self.curve.name} is open in it: --thorough may well find better"
        return f"{text}; --thorough searches on"
