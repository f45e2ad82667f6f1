"""Asks `ecfit fit` for a configuration that is ahead of each row of another library, where no
unchanged preset is: results/fit/ahead.jsonl (sweep fit-ahead, hours; it goes on where it ended).

A search takes minutes, so it looks first for what fit measures in any case: from the two best
presets, and the others while nothing keeps the limits, one setting at a time. What keeps them there
makes fit's answer keep them, for that is the best of all that was measured.

--again: asks nothing, and measures the kept configurations again. Those that exceed their limits
now go; so do those of rows that are no more.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import msgspec

from ecfit.build.parts import OWN
from ecfit.choices.curves import find_curve
from ecfit.choices.targets import find_target
from ecfit.fit.asked import ANSWERS, Asked, answers
from ecfit.fit.climb import climb
from ecfit.fit.estimate import ASKS
from ecfit.fit.fit import Done, asks, figures_together, fit, rows_of
from ecfit.fit.question import Limit, Need, Question, names
from ecfit.fit.search import FAILED, Cost
from ecfit.measure.bench import Bench
from ecfit.measure.bench import Row as Measured
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store, write_output
from ecfit.model import Configuration, Record
from ecfit_studies.survey.front import at_most
from ecfit_studies.survey.ranking import MODE, Place, compared, without_preset

Row = tuple[Place, dict[str, float]]


class KeptError(Exception):
    """A configuration that keeps the limits, with the records of its operations."""


def measurer(jobs: int) -> Done:
    """What measures rows, each once."""
    bench, known = Bench(Settings(jobs=jobs), {}, Store()), dict[str, Record]()

    def done(rows: Sequence[Measured]) -> list[Record]:
        new = {repr(row): row for row in rows if repr(row) not in known}
        for number, record in bench.each(list(new.values()), bench.measure):
            known[list(new)[number]] = record
        return [known[repr(row)] for row in rows]

    return done


def asked(row: Row, measured: Done) -> Asked | None:
    """A configuration that fit measures and that keeps these limits, or else the best of its
    answer; None where it finds none. Errors: BudgetError.
    """
    asking, priced = msgspec.structs.replace(question(row), asking=True), 0

    def price(some: Sequence[Configuration]) -> list[Cost]:
        nonlocal priced
        costs = []
        for one in some:
            records, priced = measured(rows_of(asking, one)), priced + 1
            figures = figures_together(asking, records)
            if figures is not None and asking.excess(figures) == 0:
                raise KeptError(one, records)
            burden = len(asks(asking, one))
            costs.append(FAILED if figures is None else asking.cost({**figures, ASKS: burden}))
        return costs

    try:
        climb(asking, None, price)
    except KeptError as kept:
        one, records = kept.args
        return _made(row, one, records, priced)
    answer = fit(question(row), Bench(Settings(), {}, Store()), measured)
    if not answer.fits:
        return None
    best = answer.rows[answer.best][0].configuration
    return _made(row, best, answer.records[answer.best], len(answer.found.measured))


def _made(row: Row, one: Configuration, records: Sequence[Record], number: int) -> Asked:
    (target, curve, ops), limits = row
    changes = dict(change.split("=") for change in one.changed)
    return Asked(target, curve, ops, limits, one.preset or "", changes, _figures(records), number)


def question(row: Row) -> Question:
    """The question that `Asked.command` asks."""
    (target, curve, ops), figures = row
    chip, needs = find_target(target), (Need(find_curve(curve), tuple(ops.split("+"))),)
    limits = [Limit("", aim, names(needs, aim), figures[aim]) for aim in ("flash", "ram")]
    for op in needs[0].ops:
        if op in figures:  # published rows lack some
            limits.append(Limit("", "time", (f"{curve}.{op}.time",), figures[op]))
    return Question(
        target=chip, mode=chip.mode(MODE), mode_name=MODE, needs=needs, limits=tuple(limits),
        minimise="time", weights=dict.fromkeys(needs[0].ops, 1), use=None, sets={}, presets=(),
        libraries=(OWN,),
    )  # fmt: skip


def _figures(records: Sequence[Record]) -> dict[str, float]:
    sizes = {"flash": records[0].flash_bytes or 0, "ram": max(r.ram_bytes or 0 for r in records)}
    return sizes | {record.op: record.time_us or 0 for record in records}


def again(one: Asked, measured: Done) -> Asked:
    """The same with the figures of the library as it is now."""
    return msgspec.structs.replace(one, figures=_figures(measured(one.rows(MODE))))


def needed(some: Sequence[Asked], rows: Sequence[Row]) -> list[Asked]:
    """Those that keep their limits, where these are still a row's; each once, in their order."""
    kept = {
        (one.place, *sorted(one.limits.items())): one
        for one in some
        if (one.place, one.limits) in rows and at_most(one.figures, one.limits)
    }
    return list(kept.values())


def write(some: Sequence[Asked]) -> None:
    """Writes what is kept."""
    write_output(ANSWERS, b"".join(msgspec.json.encode(one) + b"\n" for one in some))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="only measure what is kept")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    rows, found, measured = list(without_preset(compared())), answers(), measurer(chosen.jobs)
    if chosen.again:
        found = [again(one, measured) for one in found]
    known = [(one.place, one.limits) for one in found]
    for row in () if chosen.again else rows:
        if row not in known and (one := asked(row, measured)):
            found.append(one)
            write(found)
            print(*row[0], one.preset, one.changed, one.measured, flush=True)
    write(needed(found, rows))


if __name__ == "__main__":
    main()
