"""Records as text: table, json, csv, md. A record in, a string out; nothing is computed here."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target, all_targets
from ecfit.measure.store import write_output
from ecfit.model import Record
from ecfit.sim.model import load_model
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


class Field(msgspec.Struct, frozen=True):
    """A column of a table of records: its heading, the cell of a record,
    and whether these records need it.
    """

    name: str
    cell: Callable[[Any], str]
    figure: bool = True
    needed: Callable[[Sequence[Any]], bool] = lambda records: True


_WHAT = (
    Field("target", lambda r: r.target, False),
    Field("library", lambda r: r.library, False),
    Field("preset", lambda r: " ".join(filter(None, (r.preset or "-", r.changed))), False),
    Field("curve", lambda r: r.curve, False, lambda records: len({r.curve for r in records}) > 1),
    Field("op", lambda r: r.op, False),
)
_STATUS = Field(
    "status", lambda r: r.status, False, lambda records: any(r.status != "ok" for r in records)
)


def _several_runs(records: Sequence[Record]) -> bool:
    return any(r.runs > 1 and r.cycles is not None for r in records)


def _static_stack(record: Record) -> str:
    """The bound; with a mark when it leaves something out."""
    return grouped(record.static_stack_bytes) + ("*" if record.static_stack_open else "")


_BENCH = (
    *_WHAT,
    Field("cycles", lambda r: grouped(r.cycles)),
    Field("min", lambda r: grouped(r.cycles_min), needed=_several_runs),
    Field("max", lambda r: grouped(r.cycles_max), needed=_several_runs),
    Field("mean", lambda r: grouped(round(r.cycles_mean or 0)), needed=_several_runs),
    Field("traces", lambda r: grouped(r.trace_hashes), needed=_several_runs),
    Field("ms", lambda r: milliseconds(r.time_us)),
    Field(
        "mJ",
        lambda r: milliseconds(r.energy_uj),  # of microjoules
        needed=lambda records: any(r.energy_uj is not None for r in records),
    ),
    Field("flash", lambda r: grouped(r.flash_bytes)),
    Field("stack", lambda r: grouped(r.stack_bytes)),
    Field(
        "heap",
        lambda r: grouped(r.heap_bytes),
        needed=lambda records: any(r.heap_bytes for r in records),
    ),
    Field(
        "static stack",
        _static_stack,
        needed=lambda records: any(r.static_stack_bytes for r in records),
    ),
    Field("RAM", lambda r: grouped(r.ram_bytes)),
    Field("class", lambda r: r.error_class or "-", False),
    _STATUS,
)
_SIZE = (
    *_WHAT,
    Field("flash", lambda r: grouped(r.flash_bytes)),
    Field("of it libgcc, libc", lambda r: grouped(r.foreign_bytes)),
    Field("static RAM", lambda r: grouped(r.static_ram_bytes)),
    _STATUS,
)


def table_of(fields: Sequence[Any], records: Sequence[Any]) -> tuple[list[Column], Cells]:
    """Columns and cells of any records; a column that these do not need is left out."""
    return _table(fields, records)


def _table(fields: Sequence[Field], records: Sequence[Record]) -> tuple[list[Column], Cells]:
    shown = [field for field in fields if field.needed(records)]
    columns = [Column(field.name, field.figure) for field in shown]
    return columns, [[field.cell(record) for field in shown] for record in records]


def bench_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of measured operations; columns that would say the same in every row
    are left out.
    """
    return _table(_BENCH, records)


def size_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of sizes."""
    return _table(_SIZE, records)


def _of_target(target: Target, mode_name: str | None, energy: bool) -> list[str]:
    """What is open about a target: effects that its model leaves off, a bound of its flash;
    where its power is from.
    """
    lines = []
    if target.model and mode_name:
        if rows := load_model(target.model).not_settled():
            lines.append(
                f"{target.model}: not settled, and so off: {', '.join(rows)} (docs/cycle-model.md)"
            )
        if other := target.modes[mode_name].bound:
            lines.append(
                f"{target.name}: its flash is unknown: mode {mode_name} is a lower bound, "
                f"mode {other} an upper one"
            )
    if target.power and energy:
        power = target.power[0]
        lines.append(
            f"{target.name}: energy at {power.volts} V and {power.milliamperes} mA: {power.source}"
        )
    return lines


def notes(
    records: Sequence[Record], peers: Mapping[str, Peer], *, static_stack: bool = True
) -> list[str]:
    """The lines under a table: conditions, what static stacks leave out,
    then what differs between the libraries.
    """
    lines = ["curve: " + ", ".join(dict.fromkeys(r.curve for r in records))]
    for name, mode_name in dict.fromkeys((r.target, r.mode) for r in records):
        target = all_targets()[name]
        line = f"{name}: {target.description}"
        if mode_name:
            mode = target.modes[mode_name]
            line += f"; mode {mode_name}: {mode.help}; class {mode.error_class}: {mode.reason}"
        lines.append(line)
        lines += _of_target(target, mode_name, any(r.energy_uj is not None for r in records))
    if changed := next((r.model_rows for r in records if r.model_rows), None):
        lines.append(f"what if: the cycle model is changed, {changed}: the classes do not hold")
    for compiler, opt, seed, runs in dict.fromkeys(
        (r.toolchain, r.opt, r.seed, r.runs) for r in records
    ):
        inputs = f", seed {seed}, {runs} {'run' if runs == 1 else 'runs, cycles: the median'}"
        lines.append(
            f"{compiler} -{opt}{inputs if any(r.time_us is not None for r in records) else ''}"
        )
    images = [
        ops
        for ops in dict.fromkeys(r.image_ops for r in records if r.flash_bytes is not None)
        if any(r.op != ops for r in records if r.image_ops == ops)
    ]
    if images:
        what = images[0] if len(images) == 1 else "the operations of a row"
        lines.append(f"flash: what an image with {what} has more than an empty one, in bytes")
    opened: dict[str, set[str]] = {}
    for record in records if static_stack else ():
        opened.setdefault(record.library, set()).update(
            (record.static_stack_open or "").split("; ")
        )
    for library, parts in opened.items():
        if left_out := "; ".join(sorted(parts - {""})):
            lines.append(
                f"* static stack of {library}, from the compiler's call graph, "
                f"leaves out: {left_out}"
            )
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

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        justify: Literal["left", "right"] = "right" if column.figure else "left"
        table.add_column(column.name, justify=justify, no_wrap=column.figure, overflow="fold")
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
    return (
        "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
        if not colour
        else out.getvalue()
    )


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
