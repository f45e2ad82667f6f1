"""Records as text: table, json, csv, md. A record in, a string out; nothing is computed here."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ecfit.model import Record
from ecfit.peers import Peer
from ecfit.store import write_output
from ecfit.targets import all_targets
from ecfit.units import grouped, milliseconds

if TYPE_CHECKING:
    from rich.table import Table

FORMATS = ("table", "json", "csv", "md")
WIDE = 240  # columns of a table that goes to a file or a pipe: never wrapped
Cells = list[list[str]]


class Column(msgspec.Struct, frozen=True):
    """A heading and whether its cells are figures, which stand to the right."""

    name: str
    figure: bool = False


_BENCH = ("target", "library", "preset", "curve", "op", ">cycles", ">ms", ">flash", ">stack", ">RAM", "class")
_SIZE = ("target", "library", "preset", "curve", "operations", ">flash", ">of it libgcc, libc", ">static RAM")


def _columns(names: Sequence[str]) -> list[Column]:
    return [Column(name.lstrip(">"), name.startswith(">")) for name in names]


def _name(record: Record) -> str:
    return " ".join(part for part in (record.preset or "-", record.changed) if part)


def _bench_cells(r: Record) -> list[str]:
    return [
        r.target,
        r.library,
        _name(r),
        r.curve,
        r.op,
        grouped(r.cycles),
        milliseconds(r.time_us),
        grouped(r.flash_bytes),
        grouped(r.stack_bytes),
        grouped(r.ram_bytes),
        r.error_class or "-",
    ]


def _size_cells(r: Record) -> list[str]:
    sizes = (r.flash_bytes, r.foreign_bytes, r.static_ram_bytes)
    return [r.target, r.library, _name(r), r.curve, r.op, *map(grouped, sizes)]


def bench_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of measured operations; a column `runs` and one `status` where there is something to say."""
    return _table(_BENCH, records, [_bench_cells(record) for record in records])


def size_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of sizes."""
    return _table(_SIZE, records, [_size_cells(record) for record in records])


def _table(names: Sequence[str], records: Sequence[Record], cells: Cells) -> tuple[list[Column], Cells]:
    columns = _columns(names)
    if any(record.runs > 1 and record.cycles for record in records):
        columns += _columns((">min", ">max", ">traces"))
        for row, r in zip(cells, records, strict=True):
            row += [grouped(r.cycles_min), grouped(r.cycles_max), grouped(r.trace_hashes)]
    if any(record.status != "ok" for record in records):
        columns.append(Column("status"))
        for row, r in zip(cells, records, strict=True):
            row.append(r.status)
    return columns, cells


def notes(records: Sequence[Record], peers: Mapping[str, Peer]) -> list[str]:
    """The lines under a table: conditions, then what differs between the libraries."""
    lines = []
    for name, mode_name in dict.fromkeys((r.target, r.mode) for r in records):
        target = all_targets()[name]
        line = f"{name}: {target.description}"
        if mode_name:
            mode = target.modes[mode_name]
            line += f"; mode {mode_name}: {mode.help}; class {mode.error_class}: {mode.reason}"
        lines.append(line)
    for compiler, opt, seed, runs in dict.fromkeys((r.toolchain, r.opt, r.seed, r.runs) for r in records):
        inputs = f", seed {seed}, {runs} {'run' if runs == 1 else 'runs, cycles: the median'}"
        lines.append(f"{compiler} -{opt}{inputs if any(r.time_us is not None for r in records) else ''}")
    for ops in dict.fromkeys(r.image_ops for r in records if r.flash_bytes is not None):
        if any(r.op != ops for r in records if r.image_ops == ops):
            lines.append(f"flash: what an image with {ops} has more than an empty one, in bytes")
    for library in dict.fromkeys(r.library for r in records):
        if library in peers:
            lines += [f"{library}: {difference.text}" for difference in peers[library].differences]
    return lines


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


def _rich_table(columns: Sequence[Column], cells: Cells) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column.name, justify="right" if column.figure else "left", no_wrap=column.figure)
    previous = cells[0][:2] if cells else []
    for row in cells:
        if columns[0].name == "target" and row[:2] != previous:
            table.add_section()
        previous = row[:2]
        table.add_row(*row)
    return table


def to_table(columns: Sequence[Column], cells: Cells, lines: Sequence[str], *, colour: bool) -> str:
    """A table for a terminal (as wide as it is) or for a file (never wrapped)."""
    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    if colour:
        console = Console(file=out, force_terminal=True, width=Console().width)
    else:
        console = Console(file=out, width=WIDE, color_system=None)
    console.print(_rich_table(columns, cells), highlight=False)
    for line in lines:
        console.print(Text(line, style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n" if not colour else out.getvalue()


def render(
    format_name: str,
    values: Sequence[Any],
    columns: Sequence[Column],
    cells: Cells,
    lines: Sequence[str],
    *,
    colour: bool,
) -> str:
    """The values in a format: json and csv hold all fields, table and md the columns."""
    if format_name == "json":
        return to_json(values)
    if format_name == "csv":
        return to_csv(values)
    if format_name == "md":
        return to_md(columns, cells, lines)
    return to_table(columns, cells, lines, colour=colour)


def emit(text: str, path: str | None) -> None:
    """Writes to standard output or to a file. Errors: OutputError."""
    if path is None or path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_output(Path(path), text)
