"""The cost and gain of each value of each knob against the preset balanced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ecfit.build.parts import EXTRAS
from ecfit.choices.curves import OPS, Curve
from ecfit.choices.knobs import NONE, all_knobs, curve_slots, resolve
from ecfit.choices.knobspace import Variant, variants
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.choices.targets import Target
from ecfit.choices.variants import known
from ecfit.measure.bench import Row
from ecfit.model import Configuration
from ecfit.show.layout import Column
from ecfit.show.report import to_md
from ecfit.units import difference, grouped, percent
from ecfit_studies.questions.anchors import STUDY as ANCHORS
from ecfit_studies.questions.fronts import STUDY as FRONTS
from ecfit_studies.survey.comparison import largest
from ecfit_studies.survey.front import on_fronts, where_on_front
from ecfit_studies.survey.plan import VARIANTS
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

SIZES, NOISE = ("flash_bytes", "stack_bytes", "static_ram_bytes"), 0.01  # of the cycles, by place
NO_CHANGE, NO_GAIN = "NOTHING CHANGES", "NOTHING GAINED HERE"
TITLES = {"flash_bytes": "flash", "stack_bytes": "stack", "static_ram_bytes": "static RAM"}


@known(VARIANTS)
def plan(ask: Ask) -> list[Job]:
    """The preset, then each value with the configuration it is judged against."""
    jobs: list[Job] = []
    own = {slot.name for slot in curve_slots()}
    for target in ask.targets:
        for curve in (curve for curve in ask.curves if curve.name in own):
            preset = resolve(curve, DEFAULT_PRESET, {}, target.backend)
            jobs += _jobs(ask, target, curve, preset, group=DEFAULT_PRESET)
            for variant in variants(curve, DEFAULT_PRESET, target):
                jobs += _variant_jobs(ask, target, variant)
    return jobs


def _variant_jobs(ask: Ask, target: Target, variant: Variant) -> list[Job]:
    """The operations with a value; before them those of its base."""
    extras = (variant.knob,) if variant.knob in EXTRAS else ()
    name, base = f"{variant.knob}={variant.value}", f"against {variant.knob}={variant.value}"
    against = _jobs(ask, target, variant.curve, variant.base, extras=extras, group=base)
    changed = _jobs(
        ask, target, variant.curve, variant.configuration, extras=extras, group=name, base=base
    )
    return against + changed


def _jobs(
    ask: Ask, target: Target, curve: Curve, configuration: Configuration, **place: Any
) -> list[Job]:
    """A job for each operation of a configuration; `place`: extras, group and base of them."""
    left_out = {name.lower() for name, value in configuration.settings if value == NONE}
    ops = tuple(op for op in curve.ops if op not in left_out)
    mode = target.mode(ask.mode)
    name = ask.mode if target.runner == "sim" else None
    extras = place.pop("extras", ())
    rows = [Row(target, mode, name, configuration, curve, op, ops, extras=extras) for op in ops]
    return [Job(row, **place) for row in rows]


@known(VARIANTS)
def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One section for each target and curve asked for: a row for each value."""
    sections = []
    for target in dict.fromkeys(record.target for record in records):
        groups: dict[tuple[str, str], list[StudyRecord]] = {}
        for record in (record for record in records if record.target == target):
            groups.setdefault((record.curve, record.group), []).append(record)
        curves = [curve for curve, group in groups if group == DEFAULT_PRESET]
        for curve in curves:
            cells = [_preset_cells(groups[curve, DEFAULT_PRESET])]
            for (other, group), values in groups.items():
                base = values[0].base
                if base is not None and (other == curve or other not in curves):
                    cells.append(_cells(group, values, groups[other, base], curve))
            sections.append(Section(f"{target}, {curve}", _columns(), cells, _lines()))
    return [*sections, where_on_front(_with_others(records))]


def _columns() -> list[Column]:
    columns = [Column(name, True) for name in (*(f"{TITLES[f]} B" for f in SIZES), *OPS)]
    return [Column("value"), Column("with"), *columns, Column("gains")]


def _preset_cells(records: Sequence[StudyRecord]) -> list[str]:
    cycles, sizes = {r.op: r.cycles for r in records}, [grouped(largest(records, f)) for f in SIZES]
    return [f"preset {DEFAULT_PRESET}", "", *sizes, *(grouped(cycles.get(op)) for op in OPS), ""]


def _cells(
    group: str, records: Sequence[StudyRecord], base: Sequence[StudyRecord], curve: str
) -> list[str]:
    """Differences from the base: bytes, and per cent of cycles."""
    further = [part for part in (records[0].changed or "").split() if part != group]
    if records[0].curve != curve:
        further.insert(0, records[0].curve)
    if base[0].changed is None and further[:1] != [records[0].curve] and further:
        further.append("(against the preset)")
    failed = [record.status for record in records if record.status != "ok"]
    sizes = [difference(largest(records, field), largest(base, field)) for field in SIZES]
    before, after = ({record.op: record.cycles for record in some} for some in (base, records))
    cycles = [percent(after.get(op), before.get(op), NOISE) for op in OPS]
    verdict = failed[0] if failed else judged(group, records, base)
    return [group, " ".join(further), *sizes, *cycles, verdict]


def judged(group: str, records: Sequence[StudyRecord], base: Sequence[StudyRecord]) -> str:
    """What a value gains on its base, and buys besides; or that it changes or gains nothing."""
    before = {record.op: record for record in base}
    both = [(before[record.op], record) for record in records if record.op in before]
    gains, same = [], True
    for field, title in {**TITLES, "cycles": "cycles"}.items():
        noise = NOISE if field == "cycles" else 0
        figures = [(then.op, getattr(then, field), getattr(now, field)) for then, now in both]
        known = [(op, then, now) for op, then, now in figures if then and now is not None]
        moved = [(op, then, now) for op, then, now in known if abs(now / then - 1) > noise]
        moved += [(op, then, now) for op, then, now in figures if then == 0 and now]
        same = same and not moved
        better = [op for op, then, now in moved if now < then]
        if better:
            gains.append(title if len(better) == len(both) else f"{title} of {', '.join(better)}")
    name, _, value = group.partition("=")
    bought = all_knobs()[name].bought(value) if name in all_knobs() else ""
    return "; ".join(filter(None, [*gains, bought])) or (NO_CHANGE if same else NO_GAIN)


def _lines() -> list[str]:
    return [
        "stack: the deepest of the operations",
        "cycles: the difference to the value that it replaces. A difference within 1 % counts as 0 "
        "because the place of the code in flash has an effect of that size",
        "with: other knobs that have to change for this value. The comparison is with a "
        "configuration that has these changes too, if there is one",
    ]


@known(VARIANTS)
def answer(records: Sequence[StudyRecord]) -> str:
    """Of the values on the front of a chip and curve, the one that saves most of each figure."""
    fronts = on_fronts(_with_others(records))
    groups: dict[tuple[str, str, str], list[StudyRecord]] = {}
    for record in records:
        groups.setdefault((record.target, record.curve, record.group), []).append(record)
    saved: dict[tuple[str, str], dict[str, list[tuple[float, str]]]] = {}
    for (target, curve, group), rows in groups.items():
        base = groups.get((target, curve, rows[0].base or ""), [])
        name, _, value = group.partition("=")
        if base and curve in fronts.get((name, value), {}).get(target, ()):
            changes = saved.setdefault((target, curve), {})
            for figure, change in _changes(rows, base):
                changes.setdefault(figure, []).append((change, group))
    heads = [*(TITLES[field] for field in SIZES[:2]), *OPS]
    cells = [
        [f"{target}, {curve}", *(_most(changes.get(head, []), head) for head in heads)]
        for (target, curve), changes in saved.items()
    ]
    lead = "The value that saves most where it replaces that of the preset "
    lead += f"`{DEFAULT_PRESET}`, of those on the front; the tables have what each costs"
    columns = [Column("chip, curve"), *map(Column, heads)]
    return f"{lead} ([how it was measured](#method)).\n\n" + to_md(columns, cells, [])


def _changes(
    records: Sequence[StudyRecord], base: Sequence[StudyRecord]
) -> Iterator[tuple[str, float]]:
    """Figures with what a value changes of them: bytes, and parts of the cycles."""
    if {record.status for record in (*records, *base)} == {"ok"}:
        for field in SIZES[:2]:
            yield TITLES[field], (largest(records, field) or 0) - (largest(base, field) or 0)
        before = {record.op: record.cycles for record in base}
        for record in records:
            if record.cycles and (then := before.get(record.op)):
                yield record.op, record.cycles / then - 1


def _most(changes: Sequence[tuple[float, str]], figure: str) -> str:
    """The value that saves most of a figure, and how much; a dash where none saves any."""
    least, group = min(changes, default=(0.0, ""))
    if least >= (-NOISE if figure in OPS else 0):
        return "-"
    saved = f"{-least:.1%}".replace("%", " %") if figure in OPS else f"{grouped(round(-least))} B"
    return f"{saved}: {group}"


def _with_others(records: Sequence[StudyRecord]) -> list[StudyRecord]:
    """The records, and those of the studies that have further rows for a front."""
    return [*records, *kept(ANCHORS), *kept(FRONTS)]


STUDY = Study(
    name="knobs",
    title="Knobs: what each value costs and gains",
    about="Each value of each knob against the preset `balanced`, all operations in one image.",
    targets=("samd20",),
    curves=("secp256r1",),
    plan=plan,
    summarise=summarise,
    answer=answer,
)
