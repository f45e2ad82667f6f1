"""Several curves in one image: each searched alone, then the best combinations measured whole.

The code of a curve is its own but for what all share, so bytes add up to an overlap, which is
measured for each way to share; times and stacks are those of each curve. docs/fit.md says what
is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from ecfit.build.parts import OWN, Beside
from ecfit.choices.curves import ALL_OPS, POST_QUANTUM, Curve, with_hashed
from ecfit.choices.knobs import NONE, all_knobs, header
from ecfit.errors import BudgetError, UsageError
from ecfit.fit.estimate import ASKS, Figures, Margins, Measure, Point, State
from ecfit.fit.fit import (
    Answer,
    Done,
    Planned,
    configuration_of,
    figures_together,
    fit,
    planned,
    searched,
)
from ecfit.fit.question import Limit, Need, Question
from ecfit.fit.search import DOUBT, run
from ecfit.measure.bench import Bench, Row
from ecfit.model import Configuration, Record

RUNNERS_UP = 3  # combinations measured before any other, so that the answer has company
Kind = tuple[tuple[str, str], ...]  # what decides how much curves share: names and values


class Part(msgspec.Struct, frozen=True):
    """A configuration of one curve, and its figures alone in an image.

    `library`: its settings of the whole library that have an effect; `shared`: the settings of
    an instance that it shares with other curves, None when it has its own.
    """

    chosen: Planned
    library: dict[str, str]
    shared: tuple[tuple[str, str], ...] | None
    reduce: str
    figures: Figures


class Combined(msgspec.Struct, frozen=True):
    """A part of each curve so far. `values`: what another is compared by, all to be small: what
    decides about the cost.
    """

    parts: tuple[int, ...]
    library: dict[str, str]
    shared: tuple[tuple[str, str], ...] | None
    figures: dict[str, float]
    values: tuple[float, ...]
    kind: Kind = ()


Join = Callable[[int, Combined, int, Part], Combined | None]


class _Sums(State):
    """Estimates of combinations: their parts, less the overlap that was measured for their kind,
    or where none was, the largest that was measured.
    """

    def __init__(self, found: Mapping[Point, Combined], margins: Margins) -> None:
        super().__init__(list(found), margins)
        self.found = found
        self.overlaps: dict[Kind, float] = {}

    def split(self, point: Point) -> tuple[Point, Point] | None:
        return None if point in self.points[:RUNNERS_UP] else (point, point)

    def estimate(self, point: Point) -> Figures:
        figures = self.measured.get(point)
        if figures is not None:
            return figures
        sums = self.found[point]
        overlap = self.overlaps.get(sums.kind, max(self.overlaps.values(), default=0.0))
        return {**sums.figures, "flash": sums.figures["flash"] - overlap}

    def _note(self, chosen: Sequence[Point], measure: Measure) -> None:
        super()._note(chosen, measure)
        self.version += 1
        for point in chosen:
            figures, sums = self.measured[point], self.found[point]
            if figures is not None:
                overlap = sums.figures["flash"] - figures["flash"]
                self.overlaps[sums.kind] = max(overlap, self.overlaps.get(sums.kind, overlap))


def fit_together(question: Question, bench: Bench, measured: Done) -> Answer:
    """The answer for one curve or several. Errors: UsageError, BudgetError."""
    if len(question.needs) == 1:
        return fit(question, bench, measured)
    of_ours = any(need.curve.name not in POST_QUANTUM for need in question.needs)
    if of_ours and OWN not in question.libraries:
        raise UsageError(f"several curves in one image are {OWN}'s only: add --lib {OWN}")
    answer = _together(question, bench, measured)
    if answer.fits or not of_ours:
        return answer
    return _together(msgspec.structs.replace(question, asking=True), bench, measured)


def _together(question: Question, bench: Bench, measured: Done) -> Answer:
    columns, margins = [], Margins()
    for need in question.needs:
        alone = question.about(need)
        space = planned(alone, bench.peers)
        bench.check([_alone(alone, bench, next(iter(space.values())))])
        answer = searched(alone, bench.peers, space, measured)
        estimated = {point: figures for point, figures in answer.found.estimates.items() if figures}
        columns.append([_part(alone, bench, space[p], estimated[p], p) for p in estimated])
        margins = _wider(margins, answer.found.margins)
    combined = _combinations(question, columns)
    rows: dict[Point, tuple[Row, ...]] = {}
    records: dict[Point, tuple[Record, ...]] = {}

    def measure(points: Sequence[Point]) -> list[Figures | None]:
        for point in points:
            parts = [c[i] for c, i in zip(columns, combined[point].parts, strict=True)]
            rows[point] = _rows(question, bench, parts, combined[point].library)
        able = [point for point in points if rows[point]]
        done = iter(measured([row for point in able for row in rows[point]]))
        for point in points:
            records[point] = tuple(next(done) for _ in rows[point])
        return [
            {**figures, ASKS: combined[point].figures[ASKS]} if figures else None
            for point in points
            for figures in [figures_together(question, records[point]) if records[point] else None]
        ]

    state = _Sums(combined, margins)
    outcome = run(state, measure, question.pricing())
    if not outcome.order:
        raise BudgetError("nothing that was tried can stand in one image")
    return Answer(question, outcome, rows, records, tuple(combined))


def _wider(a: Margins, b: Margins) -> Margins:
    return Margins(
        speed=max(a.speed, b.speed),
        size=max(a.size, b.size),
        flash_bytes=max(a.flash_bytes, b.flash_bytes),
        stack_bytes=max(a.stack_bytes, b.stack_bytes),
        still=False,  # the first of the combinations is no centre
    )


def _alone(question: Question, bench: Bench, chosen: Planned) -> Row:
    configuration = configuration_of(question, bench.peers, chosen)
    need = question.needs[0]
    return Row(
        question.target, question.mode, question.mode_name, configuration, need.curve,
        need.ops[0], need.ops,
    )  # fmt: skip


def _part(
    question: Question, bench: Bench, chosen: Planned, figures: Figures, point: Point
) -> Part:
    named = dict(pair.split("=") for text in point if "=" in text for pair in text.split())
    library = {name: value for name, value in named.items() if all_knobs()[name].scope == "global"}
    candidate = chosen.candidate
    values = (
        candidate.values
        if candidate
        else dict(configuration_of(question, bench.peers, chosen).settings)
    )
    shared = None
    if question.needs[0].curve.form == "weierstrass" and values["INSTANCE"] == "shared":
        shared = tuple(sorted((n, v) for n, v in values.items() if n not in library))
    return Part(chosen, library, shared, values.get("REDUCE", ""), figures)


def _combinations(question: Question, columns: Sequence[Sequence[Part]]) -> dict[Point, Combined]:
    """The combinations that no other of the same kind beats in every figure, by estimate."""
    nothing = Combined((), {}, None, {"flash": 0.0}, ())
    join, partial = _joining(question), [nothing]
    for number, column in enumerate(columns):
        alone = (join(number, nothing, index, part) for index, part in enumerate(column))
        worth = [
            combined.parts[-1]
            for combined in _front(combined for combined in alone if combined is not None)
        ]
        grown = (join(number, before, i, column[i]) for before in partial for i in worth)
        partial = _front(combined for combined in grown if combined is not None)
    if not partial:
        raise UsageError("these curves have no settings of the whole library in common")
    best = sorted(partial, key=lambda combined: (question.cost(combined.figures), combined.parts))
    return {tuple(map(str, combined.parts)): combined for combined in best}


def _joining(question: Question) -> Join:
    """How one curve more is added: None where settings of the whole library, or of the instance,
    differ.
    """
    total = question.totalling(question.minimise)
    late = [limit for limit in question.limits if limit.aim in ("time", "energy")]
    deep = [limit for limit in question.limits if limit.aim in ("stack", "ram")]

    def over(limit: Limit, figures: Figures) -> float:
        return max(0.0, limit.spent(figures) / limit.most - (1 - DOUBT))

    def join(number: int, before: Combined, index: int, part: Part) -> Combined | None:
        if any(before.library.get(name, value) != value for name, value in part.library.items()):
            return None
        if part.shared and before.shared and part.shared != before.shared:
            return None
        figures = {**before.figures, **part.figures}
        for name in ("flash", ASKS):
            figures[name] = before.figures.get(name, 0.0) + part.figures.get(name, 0.0)
        exceeded = sum(over(limit, figures) for limit in late)
        deepest = (over(limit, figures) for limit in deep)
        values = (figures["flash"], total(figures), figures[ASKS], exceeded, *deepest)
        kind = (*before.kind, (str(number), f"{part.reduce} {part.shared is not None}"))
        library = {**before.library, **part.library}
        shared = part.shared or before.shared
        return Combined((*before.parts, index), library, shared, figures, values, kind)

    return join


def _front(candidates: Iterable[Combined]) -> list[Combined]:
    """Those that none beats among those that can be combined with the same others."""
    groups: dict[object, list[Combined]] = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.values, candidate.parts)):
        group = groups.setdefault(
            (tuple(sorted(candidate.library.items())), candidate.shared, candidate.kind), []
        )
        if not any(
            all(a <= b for a, b in zip(g.values, candidate.values, strict=True)) for g in group
        ):
            group.append(candidate)
    return [candidate for group in groups.values() for candidate in group]


def _rows(
    question: Question, bench: Bench, parts: Sequence[Part], library: Mapping[str, str]
) -> tuple[Row, ...]:
    """A row for each operation of each curve, all curves in each image; none where they cannot
    stand in one.
    """
    ops = tuple(op for op in ALL_OPS if any(op in need.ops for need in _own(question)))
    image: list[tuple[Curve, Configuration]] = []
    for need, part in zip(question.needs, parts, strict=True):
        settings = part.chosen.settings
        if part.chosen.library == OWN:
            settings = {**settings, **_of_library(part, library), **_left_out(need, ops)}
        chosen = Planned(part.chosen.library, part.chosen.preset, settings)
        try:
            image.append((need.curve, configuration_of(question.about(need), bench.peers, chosen)))
        except UsageError:
            return ()
    own = [pair for pair in image if pair[1].library == OWN]
    try:
        if own:
            header(own[0][1], [own[0][0].name], ops, more={c.name: s for c, s in own[1:]})
    except UsageError:
        return ()
    libraries = [Beside(*own[0], ops, tuple(own[1:]))] if own else []
    libraries += [
        Beside(*pair, need.ops)
        for need, pair in zip(question.needs, image, strict=True)
        if pair not in own
    ]
    rows = []
    for need, (curve, configuration) in zip(question.needs, image, strict=True):
        mine = next(x for x in libraries if x.curve == curve or (curve, configuration) in x.more)
        others = tuple(pair for pair in image if pair[0] != curve and pair in own)
        rows += [
            Row(
                question.target, question.mode, question.mode_name, configuration, curve, op,
                mine.ops, more=others if configuration.library == OWN else (),
                beside=tuple(beside for beside in libraries if beside != mine),
            )
            for op in need.ops
        ]  # fmt: skip
    return tuple(rows)


def _own(question: Question) -> list[Need]:
    """What is of our library."""
    return [need for need in question.needs if need.curve.name not in POST_QUANTUM]


def _of_library(part: Part, library: Mapping[str, str]) -> dict[str, str]:
    """Settings of the whole library that another curve decides."""
    return {name: value for name, value in library.items() if name not in part.library}


def _left_out(need: Need, ops: Sequence[str]) -> dict[str, str]:
    """The operations of other curves that this one is to do without."""
    mine = with_hashed(need.ops)
    return {op.upper(): NONE for op in ops if op in need.curve.ops and op not in mine}


def changed(rows: Sequence[Row]) -> list[tuple[str, Configuration]]:
    """The configuration of each curve in the rows of a point."""
    return list({row.curve.name: row.configuration for row in rows}.items())
