"""The table of a study that compares published figures with measured ones."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.choices.targets import find_target
from ecfit.model import Record
from ecfit.show.layout import Column
from ecfit.show.report import Field, table_of
from ecfit.units import grouped, milliseconds
from ecfit_studies.survey.outside import ALONE
from ecfit_studies.survey.study import Section, StudyRecord

WATTS = (
    "energy: the joules of the board are our time at {milliwatts:g} mW. We added this power up "
    "from data sheets, for a supply of {volts:g} V: {parts}. We did not use the paper's joules "
    "for it"
)

WORTH = (
    "We chose the line buffer of the mode datasheet by these times, so they cannot confirm it. The "
    "other modes fit nothing: every time is too short in zero-ws (no wait states), and too long in "
    "worst (no buffer)"
)


def compared(
    title: str, records: Sequence[StudyRecord], *, rate: bool = False, lines: Sequence[str] = ()
) -> Section:
    """Published and measured figures side by side; `rate`: operations a second,
    and what they are to the base.

    Where a table is too narrow, the ratios stay longest: they are what a study is about.
    """
    shown = [
        r
        for r in records
        if r.op != "keygen" or r.published or not any(x.op == "ecdhe" for x in records)
    ]
    timed = any("time_us" in r.published for r in records)
    fields = (
        Field("target", lambda r: r.target, False, lambda rs: len({r.target for r in rs}) > 1),
        Field(
            "library",
            lambda r: f"{r.library} {r.preset}" if r.preset and not r.changed else r.library,
            False,
        ),
        Field(
            "configuration",
            lambda r: r.group,
            False,
            lambda rs: any(r.group not in (r.curve, r.preset) for r in rs),
            text=True,
        ),
        Field("curve", lambda r: r.curve, False, lambda rs: len({r.curve for r in rs}) > 1),
        Field("op", lambda r: r.op, False, lambda rs: len({r.op for r in rs}) > 1),
        *(_rates(records) if rate else _pair("time_us", "ms", ranks=(1, 0, 0))),
        Field(
            "spread",
            lambda r: _spread(r.time_spread),
            needed=lambda rs: any(r.time_spread for r in rs),
            rank=4,
        ),
        *_pair("flash_bytes", "flash B", ranks=(4, 3, 2)),
        *_pair(
            "static_stack_bytes",
            "static stack B",
            optional=True,
            ranks=(7, 7, 7) if timed else (1, 1, 1),
        ),
        Field("stack B", lambda r: grouped(r.stack_bytes), rank=5),
        *_pair("heap_bytes", "heap B", optional=True, ranks=(6, 6, 6)),
        Field("RAM B", lambda r: grouped(r.ram_bytes), rank=5),
        *_energy(records),
        Field("status", lambda r: r.status, False, lambda rs: any(r.status != "ok" for r in rs)),
    )
    return Section(title, *table_of(fields, shown), list(lines))


def worth(name: str, records: Sequence[StudyRecord]) -> list[Section]:
    """How near the published times are, in each mode of the flash; each time counts once."""
    groups = {r.base for r in records if r.base is not None}
    known = [r for r in records if r.base or (r.group in groups and "time_us" in r.ratio)]
    times: dict[tuple[str, str], list[float]] = {}
    seen = set()
    for r in known:
        code = "asm" if r.group.startswith("assembly") else "c"
        key = r.mode, r.group.removesuffix(ALONE), r.curve, r.op
        if key not in seen:
            times.setdefault((r.mode or "", code), []).append(r.ratio["time_us"])
        seen.add(key)
    cells = [
        [mode, code, str(len(found)), f"{min(found):.2f}", f"{max(found):.2f}"]
        for (mode, code), found in sorted(times.items(), key=lambda one: (one[0][1], min(one[1])))
    ]
    columns = [Column("mode"), Column("code")]
    columns += [Column(head, True) for head in ("times", "least ratio", "largest ratio")]
    return [Section(f"{name}: what the times are worth", columns, cells, [WORTH])] * bool(groups)


def largest(records: Sequence[Record], field: str) -> int | None:
    """The largest value of a field; None when no record has one."""
    return max((value for r in records if (value := getattr(r, field)) is not None), default=None)


def _pair(
    field: str, name: str, *, ranks: tuple[int, int, int], optional: bool = False
) -> tuple[Field, ...]:
    """Published, measured and their ratio, with their ranks; `optional`: a column that only stands
    where it says something.
    """
    published, ours, ratio = ranks

    def needed(records: Sequence[StudyRecord]) -> bool:
        return any(field in r.published for r in records)

    def measured(record: StudyRecord) -> str:
        left_out = field == "static_stack_bytes" and record.static_stack_open  # a note says what
        return _figure(field, getattr(record, field)) + ("*" if left_out else "")

    def stands(records: Sequence[StudyRecord]) -> bool:
        return (
            not optional
            or needed(records)
            or (field == "heap_bytes" and any(r.heap_bytes for r in records))
        )

    return (
        Field(
            f"published {name}",
            lambda r: _figure(field, r.published.get(field)),
            needed=needed,
            rank=published,
            fold=True,
        ),
        Field(name, measured, needed=stands, rank=ours, fold=True),
        Field(
            f"{name} ratio",
            lambda r: f"{r.ratio[field]:.2f}" if field in r.ratio else "-",
            needed=needed,
            rank=ratio,
            fold=True,
        ),
    )


def board_uj(record: Record) -> float | None:
    """Microjoules of the whole board; None where its power is not known."""
    board = find_target(record.target).board
    return record.time_us * board.milliwatts / 1000 if record.time_us and board else None


def board_watts(record: Record) -> list[str]:
    """The line under a table that says what the board draws; none where that is not known."""
    board = find_target(record.target).board
    if board is None:
        return []
    parts = ", ".join(f"{one.name} {one.milliamperes:g} mA" for one in board.parts)
    return [WATTS.format(milliwatts=board.milliwatts, parts=parts, volts=board.volts)]


def _energy(records: Sequence[StudyRecord]) -> tuple[Field, ...]:
    """Of the core; where a document has that of a board, the board's beside it."""
    field, pair = "energy_uj", _pair("energy_uj", "mJ", ranks=(8, 8, 8))
    if not any(field in r.published and board_uj(r) for r in records):
        return pair

    def ratio(record: StudyRecord) -> str:
        ours, said = board_uj(record), record.published.get(field)
        return f"{ours / said:.2f}" if ours and said else "-"

    return (
        pair[0],
        Field("core mJ", lambda r: _figure(field, r.energy_uj), rank=8),
        Field("board mJ", lambda r: _figure(field, board_uj(r)), rank=8),
        Field("board mJ ratio", ratio, rank=8),
    )


def _rates(records: Sequence[StudyRecord]) -> tuple[Field, ...]:
    """Operations a second, then how many times as fast as the base of the same library,
    target and operation.
    """
    reference = {(r.target, r.library, r.group, r.op): r for r in records}

    def published_any(some: Sequence[StudyRecord]) -> bool:
        return any(r.published for r in some)

    def related(record: StudyRecord, *, theirs: bool) -> str:
        found = reference.get((record.target, record.library, record.base or "", record.op))
        values = [
            r and (r.published.get("time_us") if theirs else r.time_us) for r in (found, record)
        ]
        return f"{values[0] / values[1]:.2f}" if values[0] and values[1] else "-"

    return (
        Field(
            "published a second",
            lambda r: _rate(r.published.get("time_us")),
            needed=published_any,
            rank=2,
        ),
        Field("a second", lambda r: _rate(r.time_us), rank=1),
        Field("published to base", lambda r: related(r, theirs=True), needed=published_any),
        Field("to base", lambda r: related(r, theirs=False)),
    )


def _figure(field: str, value: float | None) -> str:
    if value is None:
        return "-"
    return milliseconds(value) if field in ("time_us", "energy_uj") else grouped(round(value))


def _spread(value: float | None) -> str:
    return f"{100 * value:.0f} %" if value else "-"


def _rate(time_us: float | None) -> str:
    return (
        "-"
        if not time_us
        else f"{1e6 / time_us:.3g}"
        if time_us > 1e4
        else grouped(round(1e6 / time_us))
    )
