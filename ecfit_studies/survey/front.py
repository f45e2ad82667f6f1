"""Which rows of a table nothing else beats, which row of ours leaves a peer's behind, and where a
value of a knob is on the front, or for what it stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from ecfit.build.parts import OWN
from ecfit.build.toolchain import OPTS
from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import Knob, all_knobs, curve_slots, find_slot, library_knobs, resolve
from ecfit.choices.presets import all_presets
from ecfit.choices.published import load_document
from ecfit.choices.targets import find_target
from ecfit.fit.space import in_effect
from ecfit.show.layout import Column
from ecfit.show.report import to_md
from ecfit.units import grouped, milliseconds
from ecfit_studies.survey.plan import published
from ecfit_studies.survey.study import Chart, Point, Section, StudyRecord

USUAL = OPTS[0]  # the level at which every configuration has a row
PUBLISHED = "micro-ecc-lpc1114"  # a document whose figures take part as rows

NEAR = 0.02  # of a figure, by which a row may be behind

Key = tuple[str, str]  # group and optimisation: one configuration at one level
Name = TypeVar("Name", bound=tuple[Any, ...])
Figures = Mapping[Key, Mapping[str, float]]  # flash, RAM and the time of each operation


def key(record: StudyRecord) -> Key:
    """Which row a record is of."""
    return record.group, record.opt


def figures(records: Sequence[StudyRecord]) -> dict[Key, dict[str, float]]:
    """The figures of each row that are compared. Rows with a failed record are left out."""
    failed = {key(record) for record in records if record.status != "ok"}
    found: dict[Key, dict[str, float]] = {}
    for record in records:
        if key(record) not in failed:
            mine = found.setdefault(key(record), {"flash": record.flash_bytes or 0, "ram": 0})
            mine["ram"] = max(mine["ram"], record.ram_bytes or 0)
            mine[record.op] = record.time_us or 0
    return found


def front(found: Mapping[Name, Mapping[str, float]]) -> set[Name]:
    """The rows that no other beats: at most as much flash, RAM and time of each operation, less
    of one. Rows compare when they have the same operations.
    """
    return {
        name
        for name, mine in found.items()
        if not any(at_most(other, mine, less=True) for other in found.values())
    }


def beaten(found: Figures, others: Figures | None = None) -> dict[Key, Key]:
    """Of each row that another leaves behind by more than `NEAR` one that does: it has no figure
    above the row's, and one so far below. `others`: the rows that may; without it, all.
    """
    return {
        name: other
        for name, mine in found.items()
        for other, theirs in (others or found).items()
        if at_most(theirs, mine) and any(theirs[axis] < (1 - NEAR) * mine[axis] for axis in mine)
    }


def ahead(found: Figures, libraries: Mapping[Key, str]) -> dict[Key, Key]:
    """For each row of a peer the first of ours that is no larger, needs no more RAM and is no
    slower in any operation, where there is one.
    """
    own = {name: mine for name, mine in found.items() if libraries[name] == OWN}
    peers = {name: mine for name, mine in found.items() if libraries[name] != OWN}
    best = {
        name: next((one for one, mine in own.items() if at_most(mine, theirs)), None)
        for name, theirs in peers.items()
    }
    return {name: one for name, one in best.items() if one is not None}


def ahead_line(found: Figures, records: Sequence[StudyRecord], where: str = "") -> str:
    """Of how many rows of other libraries one of ours is ahead, and of how many a preset is."""
    libraries = {key(record): record.library for record in records}
    changed = {key(record) for record in records if record.library == OWN and record.changed}
    theirs = sum(library != OWN for name, library in libraries.items() if name in found)
    presets = {name: mine for name, mine in found.items() if name not in changed}
    return (
        f"{where}{len(ahead(found, libraries))} of {theirs} rows of other libraries, at all "
        f"levels, are behind a row of ours, and {len(ahead(presets, libraries))} behind a preset"
    )


def at_most(other: Mapping[str, float], mine: Mapping[str, float], *, less: bool = False) -> bool:
    """Whether `other` has all that `mine` has and no figure above its; `less`: and one below."""
    if not mine.keys() <= other.keys() or other is mine:
        return False
    gains = [mine[axis] - other[axis] for axis in mine]
    return min(gains) >= 0 and (max(gains) > 0 or not less)


def equal(records: Sequence[StudyRecord]) -> list[list[Key]]:
    """The rows; those of one library with equal figures together: settings that a curve lacks,
    and levels at which nothing changes.
    """
    found: dict[Key, list[object]] = {}
    for r in records:
        sizes = r.flash_bytes, r.stack_bytes, r.heap_bytes, r.ram_bytes
        found.setdefault(key(r), [r.library]).append((r.op, r.status, r.time_us, *sizes))
    same: dict[str, list[Key]] = {}
    for name, values in found.items():
        same.setdefault(repr(values), []).append(name)
    return list(same.values())


def shown(rows: Sequence[Sequence[Key]], best: set[Key]) -> list[Sequence[Key]]:
    """Of rows with equal figures those at the usual level, and those that are on the front."""
    return [same for same in rows if same[0][1] == USUAL or best & {*same}]


def label(same: Sequence[Key]) -> str:
    """The name of the first, then the settings of the others."""
    first, *others = dict.fromkeys(group for group, _ in same)
    return ", ".join([first, *(name.partition(" ")[2] for name in others)])


def row_name(name: Key) -> str:
    """A row's name with its level, where that is not the usual one."""
    return name[0].removeprefix(f"{OWN} ") + ("" if name[1] == USUAL else f" -{name[1]}")


def published_rows(records: Sequence[StudyRecord]) -> list[StudyRecord]:
    """Rows of published figures of this chip and curve, where code and stack are published, too."""
    first = records[0]
    document, made = load_document(PUBLISHED), []
    for series in document.series:
        where = series.target, series.curve, bool(series.code_bytes and series.stack_bytes)
        if where == (first.target, first.curve, True):
            group = f"{series.library} of {document.library_version}, published: " + (
                series.configuration
            )
            for op in series.figures:
                said = published(document, series, op)
                stack = max(series.stack_bytes.values())
                changes = {"library": series.library, "group": group, "op": op, "opt": USUAL}
                changes["image_ops"] = "+".join(series.figures)  # that have one
                sizes = {"flash_bytes": series.code_bytes, "stack_bytes": stack, "ram_bytes": stack}
                nothing = {"status": "ok", "detail": None, "heap_bytes": None, "preset": None}
                made.append(
                    msgspec.structs.replace(
                        first, **changes, **sizes, **nothing, time_us=said["time_us"]
                    )
                )
    return made


def extremes(records: Sequence[StudyRecord], of: str = "curve", names: Sequence[str] = ()) -> str:
    """The smallest, the fastest and the least RAM of each chip and curve, among rows that have all
    of its operations: a table of Markdown. `names`: these curves alone; `of`: what they are.
    """
    columns = [Column(name) for name in (f"chip, {of}", "smallest", "fastest", "least RAM")]
    cells = []
    for target, curve in dict.fromkeys((r.target, r.curve) for r in records):
        found = figures([r for r in records if (r.target, r.curve) == (target, curve)])
        most = max((len(row) for row in found.values()), default=0)
        whole = {name: row for name, row in found.items() if len(row) == most}
        if not whole or (names and curve not in names):
            continue
        times = {name: sum(row.values()) - row["flash"] - row["ram"] for name, row in whole.items()}
        small = min(whole, key=lambda name: (whole[name]["flash"], times[name]))
        quick = min(whole, key=lambda name: (times[name], whole[name]["flash"]))
        least = min(whole, key=lambda name: (whole[name]["ram"], times[name]))
        figure = (
            (small, f"{grouped(int(whole[small]['flash']))} B"),
            (quick, f"{milliseconds(times[quick])} ms"),
            (least, f"{grouped(int(whole[least]['ram']))} B"),
        )
        cells.append([f"{target}, {curve}", *(_extreme(*one) for one in figure)])
    lead = "Of the rows with all operations of a library, these are the extremes; a time is that of"
    return f"{lead} all operations together ([how it was measured](#method)).\n\n" + to_md(
        columns, cells, []
    )


def _extreme(name: Key, figure: str) -> str:
    """A figure, which no line parts, and the row that has it, with an unusual level."""
    level = "" if name[1] == USUAL else f" at {name[1]}"
    return f"{figure}: {name[0]}{level}".replace(" ", "\N{NO-BREAK SPACE}", figure.count(" "))


def charts(records: Sequence[StudyRecord]) -> list[Chart]:
    """Flash against the time of all operations, for each chip and curve, of what has them all:
    at the usual level, for the eye's sake; filled where any level is on the front.
    """
    made = []
    for target, curve in dict.fromkeys((r.target, r.curve) for r in records):
        mine = [r for r in records if (r.target, r.curve) == (target, curve) and r.status == "ok"]
        best, ops = front(figures(mine)), {r.op for r in mine}
        points = []
        fronted = {group for group, _ in best}
        for same in (same for same in equal(mine) if same[0][1] == USUAL):
            group = [r for r in mine if key(r) == same[0]]
            if {r.op for r in group} == ops:
                total = sum(r.time_us or 0 for r in group) / 1000
                series = OWN if group[0].library == OWN else "peers"
                flash = group[0].flash_bytes or 0
                marked = any(name in fronted for name, _ in same)
                points.append(Point(flash, total, row_name(same[0]), series, marked))
        title = f"{curve} on {target} at -Os; filled: on the front"
        y = f"{', '.join(sorted(ops))}: ms together"
        made.append(Chart(f"{target}-{curve}", title, "flash, bytes", y, tuple(points)))
    return made


# ---- values of knobs ---------------------------------------------------------------------------

VALUES_TITLE = "Values, and where they are on the front"
FEATURES = (
    *("STATUS_TEXT", "HASH_STREAM", "KEYGEN", "ECDH", "SIGN", "VERIFY"),
    *("COMPRESS", "DER", "RESUME", "WORK"),
)
OTHERS = {
    ("BACKEND", "w8"): "8-bit cores",
    ("BACKEND", "w16"): "16-bit cores",
    ("BACKEND", "w64"): "computers",
    ("BACKEND", "w32m16"): "cores without assembly and without a constant-time long multiply",
    ("SHA256", "caller"): "a hash of the caller",
    ("SHA512", "caller"): "a hash of the caller",
    ("SHAKE256", "caller"): "a hash of the caller",
    ("SHA512", "roots"): "500 bytes less flash, for a boot loader",
    ("COMB_TEETH", "3"): "key generation or signing alone: 4 % less flash than 4 teeth",
    ("COMB_TEETH", "6"): "key generation alone: the fastest, with 4 blocks",
    ("WNAF_A", "2"): "verification alone: the least stack of those with a table",
    ("WNAF_G", "3"): "verification of Ed25519 alone: 2 % less flash than 4",
}


def where_on_front(records: Sequence[StudyRecord]) -> Section:
    """A row for each value: chips and curves where it is on the front of these records, else the
    reason for which it stays.
    """
    found = on_fronts(records)
    columns = [Column(name, figure=False) for name in ("value", "on the front", "or stays for")]
    cells = [
        [f"{knob.name}={value}", _text(found.get((knob.name, value), {})), reason(knob, value)]
        for knob in all_knobs().values()
        for value in knob.values
    ]
    lines = [
        "on the front: the curves, by chip, for which a row with this value is on the front. A row "
        "is off the front if another row of ours is as good in every figure, and more than 2 % "
        "better in one. The rows are those of the studies anchors, fronts and knobs, at -Os, with "
        "all operations in one image"
    ]
    return Section(VALUES_TITLE, columns, cells, lines)


def _text(places: Mapping[str, set[str]]) -> str:
    return "; ".join(f"{chip}: {', '.join(sorted(curves))}" for chip, curves in places.items())


def on_fronts(records: Sequence[StudyRecord]) -> dict[tuple[str, str], dict[str, set[str]]]:
    """Of each value of a knob the curves of each chip on whose front a row has it."""
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    own = [r for r in records if r.library == OWN and r.opt == USUAL]
    for target, curve in dict.fromkeys((r.target, r.curve) for r in own):
        mine = [r for r in own if (r.target, r.curve) == (target, curve)]
        rows, firsts = figures(mine), {key(record): record for record in mine}
        for name in rows.keys() - beaten(rows):
            for pair in _active(firsts[name]):
                found.setdefault(pair, {}).setdefault(target, set()).add(curve)
    return found


def _active(record: StudyRecord) -> Iterator[tuple[str, str]]:
    """The knobs that decide about what a record measured, with their values."""
    curve = find_curve(record.curve)
    sets = dict(pair.split("=") for pair in (record.changed or "").split())
    backend = find_target(record.target).backend
    settings = dict(resolve(curve, record.preset, sets, backend).settings)
    active = in_effect(find_slot(curve.name), settings, record.image_ops.split("+"))
    return ((name, value) for name, value in settings.items() if name in active)


def reason(knob: Knob, value: str) -> str:
    """For what a value is there beside fronts; empty where there is nothing."""
    if value not in library_knobs()[knob.name].values:
        return "a published study asks for it"
    if knob.bought(value):
        return knob.bought(value)
    for name, preset in all_presets().items():
        for where, sets in preset.exceptions().items():
            if str(sets.get(knob.name)) == value:
                return f"the preset `{name}`: {where}"
    slots = [s for s in curve_slots() if value in s.instead.get(knob.name, {}).values()]
    if falls := [slot.name for slot in slots]:
        return f"{falls[0]} and others have it in place of another value"
    if knob.choices and (knob.name in FEATURES or value == "none" or knob.choices[value].asks):
        return "what a program needs"
    return OTHERS.get((knob.name, value), "")
