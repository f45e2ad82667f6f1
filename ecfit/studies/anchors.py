"""Every library and every preset on a chip, and which of them nothing else beats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ecfit.build.parts import OWN
from ecfit.choices.curves import Curve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target
from ecfit.model import Configuration
from ecfit.show.report import Field, table_of
from ecfit.studies.plan import has_own, largest, own, rows
from ecfit.studies.study import Ask, Chart, Job, Point, Section, Study, StudyRecord
from ecfit.units import grouped, milliseconds


def plan(ask: Ask) -> list[Job]:
    """The operations of each configuration that there is for a curve on a chip."""
    return [
        Job(row, name)
        for target in ask.targets
        for curve in ask.curves
        for name, configuration in _configurations(ask, target, curve)
        for row in rows(ask, target, configuration, curve)
    ]


def _configurations(ask: Ask, target: Target, curve: Curve) -> list[tuple[str, Configuration]]:
    presets = all_presets() if has_own(curve) else {}
    found = [(f"{OWN} {name}", own(curve, target, name)) for name in presets]
    for peer in ask.peers.values():
        if not peer.on_request:
            found.append((peer.name, peer.configure({}, target.core)))
            default = found[-1][1].key
            for name, settings in peer.variants.items():
                configuration = peer.configure(settings, target.core)
                if configuration.key != default:
                    found.append((f"{peer.name} {name}", configuration))
    return found


def front(records: Sequence[StudyRecord]) -> set[str]:
    """The groups that no other beats: at most as much flash, RAM and time of each operation, less
    of one. Libraries compare when they have the same operations; what failed is left out.
    """
    figures: dict[str, dict[str, float]] = {}
    for record in records:
        if record.status == "ok":
            mine = figures.setdefault(record.group, {})
            mine["flash"] = record.flash_bytes or 0
            mine["ram"] = max(mine.get("ram", 0), record.ram_bytes or 0)
            mine[record.op] = record.time_us or 0
    return {
        name
        for name, mine in figures.items()
        if not any(_beats(other, mine) for other in figures.values())
    }


def _beats(other: dict[str, float], mine: dict[str, float]) -> bool:
    if not mine.keys() <= other.keys() or other is mine:
        return False
    gains = [mine[axis] - other[axis] for axis in mine]
    return min(gains) >= 0 and max(gains) > 0


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each chip and curve, a row for each configuration."""
    sections = []
    for target, curve in dict.fromkeys((record.target, record.curve) for record in records):
        mine = [record for record in records if (record.target, record.curve) == (target, curve)]
        best, ops = front(mine), list(dict.fromkeys(record.op for record in mine))
        names = {same[0]: ", ".join(same) for same in equal(mine)}
        groups = [[r for r in mine if r.group == name] for name in names]
        sections.append(Section(f"{target}, {curve}", *table_of(_fields(names, best, ops), groups)))
    return sections


def equal(records: Sequence[StudyRecord]) -> list[list[str]]:
    """The groups; those of one library with equal figures together: settings that a curve lacks."""
    figures: dict[str, list[object]] = {}
    for r in records:
        sizes = r.flash_bytes, r.stack_bytes, r.heap_bytes, r.ram_bytes
        figures.setdefault(r.group, [r.library]).append((r.op, r.status, r.time_us, *sizes))
    found: dict[str, list[str]] = {}
    for name, values in figures.items():
        found.setdefault(repr(values), []).append(name)
    return [
        [first, *(name.partition(" ")[2] for name in others)] for first, *others in found.values()
    ]


def charts(records: Sequence[StudyRecord]) -> list[Chart]:
    """Flash against the time of all operations, for each chip and curve, of what has them all."""
    made = []
    for target, curve in dict.fromkeys((r.target, r.curve) for r in records):
        mine = [r for r in records if (r.target, r.curve) == (target, curve) and r.status == "ok"]
        best, ops = front(mine), {r.op for r in mine}
        points = []
        for name, *_ in equal(mine):
            group = [r for r in mine if r.group == name]
            if {r.op for r in group} == ops:
                total = sum(r.time_us or 0 for r in group) / 1000
                flash, label = group[0].flash_bytes or 0, name.removeprefix(f"{OWN} ")
                series = OWN if group[0].library == OWN else "peers"
                points.append(Point(flash, total, label, series, name in best))
        title = f"{curve} on {target}; filled: on the Pareto front"
        y = f"{', '.join(sorted(ops))}: ms together"
        made.append(Chart(f"{target}-{curve}", title, "flash, bytes", y, tuple(points)))
    return made


def _fields(names: Mapping[str, str], best: set[str], ops: list[str]) -> list[Field]:
    def time(op: str, rs: Sequence[StudyRecord]) -> str:
        return milliseconds(next((r.time_us for r in rs if r.op == op), None))

    def failed(rs: Sequence[StudyRecord]) -> str:
        return next((r.status for r in rs if r.status != "ok"), "ok")

    def heap(rs: Sequence[StudyRecord]) -> str:
        return grouped(largest(rs, "heap_bytes"))

    times = [Field(f"{op} ms", partial(time, op)) for op in ops]
    return [
        Field("front", lambda rs: "*" if rs[0].group in best else "", False),
        Field("library", lambda rs: names[rs[0].group], False),
        *times,
        Field("flash B", lambda rs: grouped(largest(rs, "flash_bytes"))),
        Field("stack B", lambda rs: grouped(largest(rs, "stack_bytes"))),
        Field("heap B", heap, needed=lambda all_: any(largest(rs, "heap_bytes") for rs in all_)),
        Field("RAM B", lambda rs: grouped(largest(rs, "ram_bytes"))),
        Field("status", failed, False, lambda all_: any(failed(rs) != "ok" for rs in all_)),
    ]


STUDY = Study(
    name="anchors",
    title="Anchors: every library on one chip",
    about="All operations that a library has in one image. `*`: on the Pareto front, nothing with "
    "the same operations is at most as large, takes at most as much RAM (static, stack and heap) "
    "and at most as long in each operation. Settings with equal figures share a row.",
    targets=("samd20", "nrf52840"),
    curves=("secp256r1", "x25519", "ed25519"),
    plan=plan,
    summarise=summarise,
    charts=charts,
)
