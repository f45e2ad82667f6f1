"""Records as text: table, json, csv, md. A record in, a string out; nothing is computed here."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ecfit.choices.targets import known_target
from ecfit.measure.store import write_output
from ecfit.model import Record
from ecfit.output import end_output
from ecfit.show.layout import Cells, Column, View, to_table
from ecfit.units import grouped, microjoules, milliseconds, years

FORMATS = ("table", "json", "csv", "md")


class Field(msgspec.Struct, frozen=True):
    """A column of a table of records: its heading, the cell of a record,
    and whether these records need it.

    `rank`, `text`, `fold`: as of a Column.
    """

    name: str
    cell: Callable[[Any], str]
    figure: bool = True
    needed: Callable[[Sequence[Any]], bool] = lambda records: True
    rank: int = 0
    text: bool = False
    fold: bool = False


_WHAT = (
    Field("target", lambda r: r.target, False),
    Field("library", lambda r: r.library, False),
    Field(
        "preset", lambda r: " ".join(filter(None, (r.preset or "-", r.changed))), False, text=True
    ),
    Field("curve", lambda r: r.curve, False, lambda records: len({r.curve for r in records}) > 1),
    Field(
        "compiler",
        lambda r: f"{r.toolchain} -{r.opt}",
        False,
        lambda records: len({(r.toolchain, r.opt) for r in records}) > 1,
        text=True,
    ),
    Field("op", lambda r: r.op, False),
)
_STATUS = Field(
    "status", lambda r: r.status, False, lambda records: any(r.status != "ok" for r in records)
)


def counted(record: Record) -> bool:
    """Whether it has instructions alone, and no cycles."""
    return record.instructions is not None and record.cycles is None


def _several_runs(records: Sequence[Record]) -> bool:
    return any(r.runs > 1 and r.cycles is not None for r in records)


def _has_energy(records: Sequence[Record]) -> bool:
    return any(r.energy_uj is not None for r in records)


def _spread(record: Record) -> str:
    """Between the quartiles of the times of native code."""
    return "-" if record.time_spread is None else f"{record.time_spread:.1%}"


def has_prepared(records: Sequence[Record]) -> bool:
    return any(r.prepare_cycles is not None for r in records)


def _class(record: Record) -> str:
    """The class of a time, and whether the chip takes longer than that."""
    target = known_target(record.target) if record.error_class else None
    mode = target.modes.get(record.mode or "") if target else None
    if mode is None or record.error_class != mode.error_class:
        return record.error_class or "-"
    return mode.accuracy


def _static_stack(record: Record) -> str:
    """The bound; with a mark when it leaves something out."""
    return grouped(record.static_stack_bytes) + ("*" if record.static_stack_open else "")


_BENCH = (
    *_WHAT,
    Field("cycles", lambda r: grouped(r.cycles)),
    Field(
        "instructions",
        lambda r: grouped(r.instructions),
        needed=lambda records: any(counted(r) for r in records),
    ),
    Field("min", lambda r: grouped(r.cycles_min), needed=_several_runs, rank=3),
    Field("max", lambda r: grouped(r.cycles_max), needed=_several_runs, rank=3),
    Field("mean", lambda r: grouped(round(r.cycles_mean or 0)), needed=_several_runs, rank=3),
    Field("traces", lambda r: grouped(r.trace_hashes), needed=_several_runs, rank=3),
    Field("prepare", lambda r: grouped(r.prepare_cycles), needed=has_prepared, rank=1),
    Field("ms", lambda r: milliseconds(r.time_us)),
    Field("spread", _spread, needed=lambda records: any(r.time_spread for r in records), rank=2),
    Field("µJ", lambda r: microjoules(r.energy_uj), needed=_has_energy, rank=1),
    Field("flash B", lambda r: grouped(r.flash_bytes)),
    Field("stack B", lambda r: grouped(r.stack_bytes)),
    Field(
        "heap B",
        lambda r: grouped(r.heap_bytes),
        needed=lambda records: any(r.heap_bytes for r in records),
    ),
    Field(
        "static stack B",
        _static_stack,
        needed=lambda records: any(r.static_stack_bytes for r in records),
        rank=5,
    ),
    Field("RAM B", lambda r: grouped(r.ram_bytes), rank=4),
    Field("class", _class, False, rank=2),
    _STATUS,
)
_SIZE = (
    *_WHAT,
    Field("flash B", lambda r: grouped(r.flash_bytes)),
    Field("libgcc+libc B", lambda r: grouped(r.foreign_bytes), rank=1),
    Field("static RAM B", lambda r: grouped(r.static_ram_bytes)),
    _STATUS,
)


def table_of(fields: Sequence[Any], records: Sequence[Any]) -> tuple[list[Column], Cells]:
    """Columns and cells of any records; a column that these do not need is left out."""
    return _table(fields, records)


def _table(fields: Sequence[Field], records: Sequence[Record]) -> tuple[list[Column], Cells]:
    shown = [field for field in fields if field.needed(records)]
    columns = [Column(f.name, f.figure, f.text, f.rank, fold=f.fold) for f in shown]
    return columns, [[field.cell(record) for field in shown] for record in records]


def headings(step: str) -> list[str]:
    """All columns that the table of a step can have."""
    return [field.name for field in (_SIZE if step == "size" else _BENCH)]


def bench_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of measured operations; columns that would say the same in every row
    are left out.
    """
    return _table(_BENCH, records)


def with_years(
    columns: Sequence[Column], cells: Cells, values: Sequence[Mapping[str, Any]], after: str
) -> tuple[list[Column], Cells]:
    """The table with the years of a battery, `battery_years`, behind the column of that name."""
    at = [column.name for column in columns].index(after) + 1
    wider = [
        [*row[:at], years(value["battery_years"]), *row[at:]]
        for row, value in zip(cells, values, strict=True)
    ]
    return [*columns[:at], Column("years", figure=True), *columns[at:]], wider


def size_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of sizes."""
    return _table(_SIZE, records)


def to_json(values: Sequence[Any]) -> str:
    """An array of flat objects."""
    return msgspec.json.format(msgspec.json.encode(values), indent=2).decode() + "\n"


def to_csv(values: Sequence[Any]) -> str:
    """One line per object, absent figures empty."""
    rows: list[dict[str, Any]] = [msgspec.to_builtins(value) for value in values]
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()


def to_md(columns: Sequence[Column], cells: Cells, lines: Sequence[str]) -> str:
    """A Markdown table and its notes as a list."""
    out = ["| " + " | ".join(column.name for column in columns) + " |"]
    out.append("| " + " | ".join("---:" if column.figure else "---" for column in columns) + " |")
    out += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells]
    if lines:
        out += ["", *(f"- {line}" for line in lines)]
    return "\n".join(out) + "\n"


def render(
    format_name: str,
    values: Sequence[Any],
    columns: Sequence[Column],
    cells: Cells,
    lines: Sequence[str],
    *,
    colour: bool,
    view: View = View(),  # noqa: B008  it is frozen
) -> str:
    """The values in a format: json and csv hold all fields, table and md the columns."""
    if format_name == "json":
        return to_json(values)
    if format_name == "csv":
        return to_csv(values)
    if format_name == "md":
        return to_md(columns, cells, lines)
    return to_table(columns, cells, lines, colour=colour, view=view)


def emit(text: str, path: str | None) -> None:
    """Writes to standard output or to a file. Errors: OutputError."""
    if path is None or path == "-":
        sys.stdout.write(text)
        end_output()
    else:
        write_output(Path(path), text)
