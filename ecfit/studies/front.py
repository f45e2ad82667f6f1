"""Which rows of a table nothing else beats, and which row of ours leaves a peer's behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ecfit.build.parts import OWN
from ecfit.build.toolchain import OPTS
from ecfit.choices.published import load_document
from ecfit.studies.plan import published
from ecfit.studies.study import Chart, Point, StudyRecord

USUAL = OPTS[0]  # the level at which every configuration has a row
PUBLISHED = "micro-ecc-lpc1114"  # a document whose figures take part as rows

NEAR = 0.02  # of a figure, by which a row may be behind

Key = tuple[str, str]  # group and optimisation: one configuration at one level
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


def front(found: Figures) -> set[Key]:
    """The rows that no other beats: at most as much flash, RAM and time of each operation, less
    of one. Rows compare when they have the same operations.
    """
    return {
        name
        for name, mine in found.items()
        if not any(_at_most(other, mine, less=True) for other in found.values())
    }


def beaten(found: Figures, others: Figures | None = None) -> dict[Key, Key]:
    """Of each row that another leaves behind by more than `NEAR` one that does: it has no figure
    above the row's, and one so far below. `others`: the rows that may; without it, all.
    """
    return {
        name: other
        for name, mine in found.items()
        for other, theirs in (others or found).items()
        if _at_most(theirs, mine) and any(theirs[axis] < (1 - NEAR) * mine[axis] for axis in mine)
    }


def ahead(found: Figures, libraries: Mapping[Key, str]) -> dict[Key, Key]:
    """For each row of a peer the first of ours that is no larger, needs no more RAM and is no
    slower in any operation, where there is one.
    """
    own = {name: mine for name, mine in found.items() if libraries[name] == OWN}
    peers = {name: mine for name, mine in found.items() if libraries[name] != OWN}
    best = {
        name: next((one for one, mine in own.items() if _at_most(mine, theirs)), None)
        for name, theirs in peers.items()
    }
    return {name: one for name, one in best.items() if one is not None}


def _at_most(other: Mapping[str, float], mine: Mapping[str, float], *, less: bool = False) -> bool:
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
                sizes = {"flash_bytes": series.code_bytes, "stack_bytes": stack, "ram_bytes": stack}
                nothing = {"status": "ok", "detail": None, "heap_bytes": None, "preset": None}
                made.append(
                    msgspec.structs.replace(
                        first, **changes, **sizes, **nothing, time_us=said["time_us"]
                    )
                )
    return made


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
