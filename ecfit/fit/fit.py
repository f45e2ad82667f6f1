"""A fit: candidates as declared, their figures from the bench, the answer of the search."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.curves import POST_QUANTUM
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.peers import Peer
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.choices.targets import Target
from ecfit.errors import BudgetError, UsageError
from ecfit.fit.climb import climb, climbs
from ecfit.fit.estimate import ASKS, Figures, Point, Scale
from ecfit.fit.question import Limit, Question, figures_of
from ecfit.fit.search import FAILED, Cost, Found, search
from ecfit.fit.space import Candidate, asked, candidates, hash_knobs, in_effect
from ecfit.measure.bench import Bench, Row
from ecfit.model import Configuration, Record

FIELD, SECRETS = "field", "secrets"  # axes in lib/knobs.toml
LACKS = re.compile(r"(\d+) bytes (?:of stack )?more than")  # a detail of what does not fit

Done = Callable[[Sequence[Row]], Sequence[Record]]  # measures rows


class Planned(msgspec.Struct, frozen=True):
    """A configuration that is made when it is to be measured: of ours with its preset.

    `sets`: what was asked for; `candidate`: what is tried beside that.
    """

    library: str
    preset: str
    sets: dict[str, str]
    candidate: Candidate | None = None

    @property
    def settings(self) -> dict[str, str]:
        """All settings that are not the preset's."""
        return {**self.sets, **(self.candidate.changes if self.candidate else {})}


class Answer(msgspec.Struct, frozen=True):
    """What a search found. `records`: of each point that was measured, one for each operation.
    `told`: where the answer comes from, if not from a search.
    """

    question: Question
    found: Found
    rows: dict[Point, tuple[Row, ...]]
    records: dict[Point, tuple[Record, ...]]
    space: tuple[Point, ...]
    told: str = ""

    @property
    def fits(self) -> bool:
        """Returns whether a configuration keeps all limits."""
        return bool(self.found.order) and self.question.excess(self.figures(self.best)) == 0

    @property
    def best(self) -> Point:
        """The winner; where nothing fits, the nearest."""
        return self.found.order[0]

    @property
    def others(self) -> tuple[Point, ...]:
        """The configurations after the best. If the best fits, only those that fit too."""
        rest = self.different[1:]
        if self.fits:
            rest = tuple(p for p in rest if self.question.excess(self.figures(p)) == 0)
        return rest

    @property
    def different(self) -> tuple[Point, ...]:
        """Those measured, best first; of those with the same figures throughout, the first: a
        choice that changes nothing beside some other is no other answer.
        """
        first_with: dict[tuple[tuple[str, float], ...], Point] = {}
        for point in self.found.order:
            first_with.setdefault(tuple(sorted(self.figures(point).items())), point)
        return tuple(first_with.values())

    def figures(self, point: Point) -> Figures:
        """The figures of a point that was measured."""
        return self.found.measured[point] or {}

    def without(self, limit: Limit) -> Point | None:
        """The best of those measured if this limit were not there, when it is better than
        the winner: then the limit binds.
        """
        question = msgspec.structs.replace(
            self.question, limits=tuple(x for x in self.question.limits if x != limit)
        )
        point = min(self.found.order, key=lambda p: question.cost(self.figures(p)))
        here, there = (question.cost(self.figures(p)) for p in (self.best, point))
        return point if there[:3] < here[:3] else None


def fit(question: Question, bench: Bench, measured: Done) -> Answer:
    """Searches and measures; where nothing fits, once more with the values that ask something
    of the caller. `measured`: rows to records, with progress. The question is about one curve.

    Errors: UsageError; BudgetError when nothing could be measured.
    """
    narrow = planned(question, bench.peers)
    first = configuration_of(question, bench.peers, next(iter(narrow.values())))
    bench.check(rows_of(question, first))
    once = _once(measured)
    answer = climbed(searched(question, bench.peers, narrow, once, nearest=False), once)
    if not answer.fits:
        asking = msgspec.structs.replace(question, asking=True)
        wide = planned(asking, bench.peers)
        answer = climbed(searched(asking, bench.peers, wide, once, nearest=False), once)
        if not answer.fits:
            answer = climbed(searched(asking, bench.peers, wide, once), once)
    return answer


def climbed(answer: Answer, measured: Done) -> Answer:
    """With what :func:`climb` measured from there, best first; where settings are ours to choose.

    A configuration is a point of one text, its label.
    """
    question, rows, records = answer.question, dict(answer.rows), dict(answer.records)
    best = rows[answer.best][0].configuration
    if not climbs(question) or best.library != OWN:
        return answer
    points: dict[str, Point] = {
        rows_of_point[0].configuration.key: point for point, rows_of_point in rows.items()
    }
    figures = dict(answer.found.measured)

    def price(configurations: Sequence[Configuration]) -> list[Cost]:
        new = [configuration for configuration in configurations if configuration.key not in points]
        for configuration in new:
            points[configuration.key] = (configuration.label,)
            rows[points[configuration.key]] = rows_of(question, configuration)
        done = iter(
            measured([row for configuration in new for row in rows[points[configuration.key]]])
        )
        for point in (points[configuration.key] for configuration in new):
            records[point] = tuple(next(done) for _ in rows[point])
            combined = figures_together(question, records[point])
            burden = len(asks(question, rows[point][0].configuration))
            figures[point] = None if combined is None else {**combined, ASKS: burden}
        priced = (figures[points[configuration.key]] for configuration in configurations)
        return [FAILED if result is None else question.cost(result) for result in priced]

    climb(question, best, price)
    succeeded = dict.fromkeys(
        [*answer.found.order, *(p for p, measured_figures in figures.items() if measured_figures)]
    )
    order = sorted(succeeded, key=lambda point: question.cost(figures[point] or {}))
    extended = msgspec.structs.replace(answer.found, order=tuple(order), measured=figures)
    return msgspec.structs.replace(answer, found=extended, rows=rows, records=records)


def reordered(answer: Answer, question: Question) -> Answer:
    """What was measured for an answer, as the answer to another question with these limits."""
    order = sorted(answer.found.order, key=lambda point: question.cost(answer.figures(point)))
    sorted_again = msgspec.structs.replace(answer.found, order=tuple(order))
    return msgspec.structs.replace(answer, question=question, found=sorted_again)


def _once(measured: Done) -> Done:
    """Measures each row once, however often it is asked for."""
    records: dict[tuple[str, str], Record] = {}

    def measure(rows: Sequence[Row]) -> list[Record]:
        keys = [(row.config_key, row.op) for row in rows]
        new = {key: row for key, row in zip(keys, rows, strict=True) if key not in records}
        records.update(zip(new, measured(list(new.values())), strict=True))
        return [records[key] for key in keys]

    return measure


def searched(
    question: Question,
    peers: Mapping[str, Peer],
    space: Mapping[Point, Planned],
    measured: Done,
    *,
    nearest: bool = True,
) -> Answer:
    """The search among these; where none fits, the nearest of all where that is asked for."""
    rows: dict[Point, tuple[Row, ...]] = {}
    records: dict[Point, tuple[Record, ...]] = {}

    def measure(points: Sequence[Point]) -> list[Figures | None]:
        for point in points:
            rows[point] = rows_of(question, configuration_of(question, peers, space[point]))
        done = iter(measured([row for point in points for row in rows[point]]))
        for point in points:
            records[point] = tuple(next(done) for _ in rows[point])
        results: list[Figures | None] = []
        for point in points:
            figures = figures_together(question, records[point])
            burden = len(asks(question, rows[point][0].configuration))
            results.append(None if figures is None else {**figures, ASKS: burden})
        return results

    def fits(figures: Figures) -> bool:
        return question.excess(figures) == 0

    outcome = search(
        list(space),
        measure,
        question.pricing(),
        scale=scale(next(iter(space))),
        fits=None if nearest else fits,
        counted=question.counted,
    )
    if not outcome.order:
        raise _nothing_ran(question.target, tuple(records.values()))
    return Answer(question, outcome, rows, records, tuple(space))


def _nothing_ran(target: Target, records: Sequence[Sequence[Record]]) -> BudgetError:
    """The error where every point failed: what its memory lacks, where that was why."""
    failed = next(record for of_point in records for record in of_point if record.status != "ok")
    worst = [max(_lacking(record) for record in of_point) for of_point in records]
    if not any(worst):
        return BudgetError(f"nothing that was tried ran: {failed.status}: {failed.detail}")
    flash, ram = (sum(m.size for m in target.memory if m.kind == kind) for kind in ("flash", "ram"))
    least = min(lack for lack in worst if lack)
    why = next(r.detail for of_point in records for r in of_point if _lacking(r) == least)
    return BudgetError(
        f"nothing that was tried fits {target.name}, which has {flash} B of flash and {ram} B of "
        f"RAM; the nearest: {why}; need fewer operations, or name a chip with more memory"
    )


def _lacking(record: Record) -> int:
    """The bytes of flash or stack that an operation lacks, 0 where it failed for another reason."""
    match = LACKS.search(record.detail or "") if record.status != "ok" else None
    return int(match[1]) if match else 0


def scale(point: Point) -> Scale | None:
    """The axis of the field, of which all that is done on curves is made, and those where the field
    is not used: hashes and what is done with secrets.
    """
    axis_of: dict[str, int] = {}
    for number, text in enumerate(point):
        for name in (pair.partition("=")[0] for pair in text.split() if "=" in pair):
            if name in all_knobs():
                axis_of[all_knobs()[name].axis or name] = number
    apart = tuple(axis_of[name] for name in (SECRETS, *sorted(hash_knobs())) if name in axis_of)
    return Scale(axis_of[FIELD], apart) if FIELD in axis_of else None


def asks(question: Question, configuration: Configuration) -> list[str]:
    """What a configuration asks of the caller, and the question does not: by its settings, or its
    preset.
    """
    fixed = {name.rpartition(".")[2].upper() for name in question.sets}
    if configuration.library != OWN:
        return []
    pairs = [change.partition("=")[::2] for change in configuration.changed]
    if len(question.needs) == 1 and not question.presets:
        need, values = question.needs[0], dict(configuration.settings)
        used = in_effect(find_slot(need.curve.name), values, need.ops)
        pairs = [(name, value) for name, value in values.items() if name in used]
    texts = []
    for name, value in pairs:
        if (text := asked(all_knobs()[name], value)) and name not in fixed:
            texts.append(f"{name}={value} asks for {text}")
    return texts


def planned(question: Question, peers: Mapping[str, Peer]) -> dict[Point, Planned]:
    """Every point with how its configuration is made; the first is the centre.

    The first axis is the library, or the preset where presets were asked for.
    """
    curve, ops, target = question.needs[0].curve, question.needs[0].ops, question.target
    space: dict[Point, Planned] = {}
    if OWN in question.libraries and curve.name not in POST_QUANTUM:
        for preset in question.presets:
            space[(f"preset {preset}",)] = Planned(OWN, preset, question.sets)
        if not question.presets:
            for candidate in candidates(
                curve, ops, target, question.sets, several=question.several, asking=question.asking
            ):
                chosen = Planned(OWN, DEFAULT_PRESET, question.sets, candidate)
                space[("", *candidate.point)] = chosen
    length = len(next(iter(space), ("",)))
    for name in question.libraries:
        if name != OWN and set(ops) <= set(peers[name].ops(curve.name, target.core)):
            for label, settings in {"": {}, **peers[name].variants}.items():
                point = (f"{name} {label}".strip(), *[""] * (length - 1))
                space[point] = Planned(name, "", settings)
    if not space:
        raise UsageError(f"none of these libraries has {', '.join(ops)} on {curve.name}")
    return space


def configuration_of(
    question: Question, peers: Mapping[str, Peer], chosen: Planned
) -> Configuration:
    """The configuration itself. Errors: UsageError."""
    if chosen.library != OWN:
        return peers[chosen.library].configure(chosen.settings)
    need, backend = question.needs[0], question.target.backend
    return resolve(
        need.curve,
        chosen.preset,
        chosen.settings,
        backend,
        several=question.several,
        ops=need.ops,
    )


def rows_of(question: Question, configuration: Configuration) -> tuple[Row, ...]:
    """A row for each operation, all in one image."""
    need = question.needs[0]
    return tuple(
        Row(
            question.target,
            question.mode,
            question.mode_name,
            configuration,
            need.curve,
            op,
            need.ops,
            extras=question.extras if configuration.library == OWN else (),
        )
        for op in need.ops
    )


def figures_together(question: Question, records: Sequence[Record]) -> Figures | None:
    """The figures of an image; None when an operation failed."""
    if any(record.status != "ok" for record in records):
        return None
    figures: dict[str, float] = {}
    for (curve, _), record in zip(question.operations(), records, strict=True):
        figures |= figures_of(curve, record)
    return figures
