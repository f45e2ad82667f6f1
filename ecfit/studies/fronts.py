"""Three more chips: of how many rows of other libraries one of ours is ahead, and of which not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ecfit.build.parts import OWN
from ecfit.show.layout import Column
from ecfit.show.report import Field, table_of
from ecfit.studies.anchors import plan
from ecfit.survey.front import Key, ahead, ahead_line, charts, figures, key, published_rows
from ecfit.survey.plan import largest
from ecfit.survey.study import Section, Study, StudyRecord
from ecfit.units import grouped, milliseconds

Rows = dict[Key, list[StudyRecord]]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """For each chip the rows of other libraries that no row of ours has behind it, and how many
    it has; rows with a failed record are left out of both.
    """
    return [
        _section(target, [record for record in records if record.target == target])
        for target in dict.fromkeys(record.target for record in records)
    ]


def _section(target: str, records: Sequence[StudyRecord]) -> Section:
    left: list[list[StudyRecord]] = []
    lines = []
    for curve in dict.fromkeys(record.curve for record in records):
        mine = [record for record in records if record.curve == curve]
        mine += published_rows(mine)
        found, libraries = figures(mine), {key(record): record.library for record in mine}
        theirs = [name for name in found if libraries[name] != OWN]
        behind = ahead(found, libraries)
        lines.append(ahead_line(found, mine, f"{curve}: "))
        rows: Rows = {name: [] for name in theirs if name not in behind}
        for record in mine:
            if key(record) in rows:
                rows[key(record)].append(record)
        left += rows.values()
    title = f"{target}: rows that are not"
    if not left:
        return Section(title, [Column("library", figure=False)], [["none"]], lines)
    fields = _fields(list(dict.fromkeys(record.op for record in records)))
    return Section(title, *table_of(fields, left), lines)


def _fields(ops: Sequence[str]) -> list[Field]:
    def time(op: str, rs: Sequence[StudyRecord]) -> str:
        return milliseconds(next((r.time_us for r in rs if r.op == op), None))

    return [
        Field("curve", lambda rs: rs[0].curve, False),
        Field("library", lambda rs: rs[0].group, False),
        Field("level", lambda rs: f"-{rs[0].opt}", False),
        *(Field(f"{op} ms", partial(time, op)) for op in ops),
        Field("flash B", lambda rs: grouped(largest(rs, "flash_bytes"))),
        Field("RAM B", lambda rs: grouped(largest(rs, "ram_bytes"))),
    ]


STUDY = Study(
    name="fronts",
    title="Fronts: where another library is ahead",
    about="The rows of the study `anchors` on three more chips. A row is all operations of a "
    "library in one image, at -Os, -O2 or -O3. It is behind one of ours if that is no larger, "
    "needs no more RAM and is no slower in any of its operations. The tables show the rows of "
    "other libraries that are not behind. "
    "On the CC2538 (Cortex-M3), the time of a long multiplication depends on its operands. This "
    "library multiplies secrets with short ones only. Other libraries use long ones.",
    targets=("lpc1114", "cc2538", "ibex"),
    curves=("secp256r1", "x25519", "ed25519"),
    plan=plan,
    summarise=summarise,
    more_charts=charts,
)
