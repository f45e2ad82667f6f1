"""What an operation costs: each one alone in an image, on three chips."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import inf

from ecfit.choices.curves import OPS
from ecfit.choices.knobs import resolve
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.measure.bench import Row
from ecfit.show.layout import Column
from ecfit.show.report import to_md
from ecfit.units import grouped, milliseconds
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord


def plan(ask: Ask) -> list[Job]:
    """Every operation of each curve, also those that an image has only where they are named."""
    jobs = []
    for curve, target in product(ask.curves, ask.targets):
        for op in curve.every_op:
            found = resolve(curve, DEFAULT_PRESET, {}, target.backend, ops=(op,))
            row = Row(target, target.mode(ask.mode), ask.mode, found, curve, op, (op,))
            jobs.append(Job(row, DEFAULT_PRESET))
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table: a row for each curve and operation, with three columns for each chip."""
    by_place = {(record.curve, record.op, record.target): record for record in records}
    chips = [*dict.fromkeys(record.target for record in records)]
    heads = [f"{chip} {figure}" for chip in chips for figure in ("ms", "flash B", "RAM B")]
    columns = [Column(name, name in heads) for name in ("curve", "operation", *heads)]
    cells = []
    for curve, op in dict.fromkeys((record.curve, record.op) for record in records):
        row = [curve, op]
        for chip in chips:
            record = by_place.get((curve, op, chip))
            if record is None:
                row += ["-"] * 3
            else:
                sizes = record.flash_bytes, record.ram_bytes
                row += [milliseconds(record.time_us), *map(grouped, sizes)]
        cells.append(row)
    return [Section("each operation alone", columns, cells, [])]


def answer(records: Sequence[StudyRecord]) -> str:
    """Of what any curve can do, the curve that does it with the least of each figure."""
    good = [r for r in records if r.status == "ok" and r.op in OPS]
    cells = []
    for target, op in dict.fromkeys((r.target, r.op) for r in good):
        mine = [r for r in good if (r.target, r.op) == (target, op)]
        quick = min(mine, key=lambda r: r.time_us or inf)
        small = min(mine, key=lambda r: r.flash_bytes or inf)
        least = min(mine, key=lambda r: r.ram_bytes or inf)
        cells.append(
            [
                target,
                op,
                f"{milliseconds(quick.time_us)} ms: {quick.curve}",
                f"{grouped(small.flash_bytes)} B: {small.curve}",
                f"{grouped(least.ram_bytes)} B: {least.curve}",
            ]
        )
    heads = ("chip", "operation", "fastest", "least flash", "least RAM")
    columns = [Column(head) for head in heads]
    lead = "The curve with the least of each figure, of those measured here"
    return f"{lead} ([how it was measured](#method)).\n\n" + to_md(columns, cells, [])


STUDY = Study(
    name="operations",
    title="What an operation costs",
    about="Each row is an image with one operation alone, by the preset `balanced` at -Os. `RAM B` "
    "is stack and what else the operation needs, with the context of `verify_parts`. Of a message, "
    "here are 32 bytes.",
    targets=("samd20", "nrf52840", "ibex"),
    curves=("secp256r1", "secp256k1", "secp384r1", "x25519", "ed25519", "x448", "ed448"),
    plan=plan,
    summarise=summarise,
    answer=answer,
)
