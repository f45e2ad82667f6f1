"""Records as text: table, json, csv, md. A record in, a string out; nothing is computed here."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ecfit.choices.curves import HASHING
from ecfit.choices.peers import Peer
from ecfit.choices.targets import ERROR_CLASSES, Target, all_targets
from ecfit.measure.store import write_output
from ecfit.model import Record
from ecfit.output import end_output
from ecfit.show.layout import Cells, Column, View, to_table
from ecfit.sim.model import load_model
from ecfit.units import grouped, microjoules, milliseconds

FORMATS = ("table", "json", "csv", "md")


class Field(msgspec.Struct, frozen=True):
    """A column of a table of records: its heading, the cell of a record,
    and whether these records need it.

    `rank`, `text`: as of a Column.
    """

    name: str
    cell: Callable[[Any], str]
    figure: bool = True
    needed: Callable[[Sequence[Any]], bool] = lambda records: True
    rank: int = 0
    text: bool = False


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


def _several_runs(records: Sequence[Record]) -> bool:
    return any(r.runs > 1 and r.cycles is not None for r in records)


def _has_energy(records: Sequence[Record]) -> bool:
    return any(r.energy_uj is not None for r in records)


def _spread(record: Record) -> str:
    """Between the quartiles of the times of native code."""
    return "-" if record.time_spread is None else f"{record.time_spread:.1%}"


def _has_prepared(records: Sequence[Record]) -> bool:
    return any(r.prepare_cycles is not None for r in records)


def _static_stack(record: Record) -> str:
    """The bound; with a mark when it leaves something out."""
    return grouped(record.static_stack_bytes) + ("*" if record.static_stack_open else "")


_BENCH = (
    *_WHAT,
    Field("cycles", lambda r: grouped(r.cycles)),
    Field("min", lambda r: grouped(r.cycles_min), needed=_several_runs, rank=3),
    Field("max", lambda r: grouped(r.cycles_max), needed=_several_runs, rank=3),
    Field("mean", lambda r: grouped(round(r.cycles_mean or 0)), needed=_several_runs, rank=3),
    Field("traces", lambda r: grouped(r.trace_hashes), needed=_several_runs, rank=3),
    Field("prepare", lambda r: grouped(r.prepare_cycles), needed=_has_prepared, rank=1),
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
    Field("class", lambda r: r.error_class or "-", False, rank=2),
    _STATUS,
)
_SIZE = (
    *_WHAT,
    Field("flash B", lambda r: grouped(r.flash_bytes)),
    Field("libgcc, libc B", lambda r: grouped(r.foreign_bytes), rank=1),
    Field("static RAM B", lambda r: grouped(r.static_ram_bytes)),
    _STATUS,
)


def table_of(fields: Sequence[Any], records: Sequence[Any]) -> tuple[list[Column], Cells]:
    """Columns and cells of any records; a column that these do not need is left out."""
    return _table(fields, records)


def _table(fields: Sequence[Field], records: Sequence[Record]) -> tuple[list[Column], Cells]:
    shown = [field for field in fields if field.needed(records)]
    columns = [Column(f.name, f.figure, f.text, f.rank) for f in shown]
    return columns, [[field.cell(record) for field in shown] for record in records]


def bench_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of measured operations; columns that would say the same in every row
    are left out.
    """
    return _table(_BENCH, records)


def size_table(records: Sequence[Record]) -> tuple[list[Column], Cells]:
    """Columns and cells of sizes."""
    return _table(_SIZE, records)


def _what_if(records: Sequence[Record]) -> list[str]:
    """What was changed in the cycle models for this run."""
    changes = dict.fromkeys(r.model_rows for r in records if r.model_rows)
    return [
        f"what if: the cycle model is changed, {changed}: the classes do not hold"
        for changed in changes
    ]


def _of_target(target: Target, mode_name: str | None) -> list[str]:
    """What is open about a target: effects that its model leaves off, a bound of its flash."""
    lines = []
    if target.model and mode_name:
        if rows := load_model(target.model).not_settled():
            lines.append(
                f"{target.model}: the model leaves out these effects, because no measurement "
                f"shows how large they are: {', '.join(rows)} (docs/cycle-model.md)"
            )
        if other := target.modes[mode_name].bound:
            lines.append(
                f"{target.name}: its flash is unknown. Mode {mode_name} is a lower bound, "
                f"mode {other} an upper bound"
            )
    return lines


def _left_out(records: Sequence[Record]) -> list[str]:
    """What the static stack of each library does not count, by reason."""
    opened: dict[str, dict[str, set[str]]] = {}
    for record in records:
        for part in filter(None, (record.static_stack_open or "").split("; ")):
            function, _, reason = part.partition(": ")
            opened.setdefault(record.library, {}).setdefault(reason, set()).add(function)
    return [
        f"* static stack of {library}, from the compiler's call graph, leaves out {reason}: "
        + ", ".join(sorted(functions))
        for library, reasons in opened.items()
        for reason, functions in sorted(reasons.items())
    ]


def notes(
    records: Sequence[Record], peers: Mapping[str, Peer], *, static_stack: bool = True
) -> list[str]:
    """The lines under a table: conditions, what static stacks leave out,
    then what differs between the libraries.
    """
    return [
        f"curve: {_curves(records)}",
        *_targets(records),
        *_what_if(records),
        *_classes(records),
        *_compilers(records),
        *_hashed(records),
        *_images(records),
        *_prepared(records),
        *(_left_out(records) if static_stack else ()),
        *_libraries(records, peers),
    ]


def brief_notes(
    records: Sequence[Record], peers: Mapping[str, Peer], not_offered: int = 0
) -> list[str]:
    """The same lines for a screen, of which the first three are shown: those come first without
    which the table is read wrongly. `not_offered`: rows that the table does not have.
    """
    named = f"{_curves(records)}; {'; '.join(_compilers(records))}"
    rows = "row is" if not_offered == 1 else "rows are"
    return [
        *[f"{not_offered} {rows} not offered (--format csv has them)"] * bool(not_offered),
        *_what_if(records),
        *_hashed(records),
        *_classes(records),
        named,
        *_images(records),
        *_prepared(records),
        *_libraries(records, peers),
        *_targets(records),
        *_left_out(records),
    ]


def _curves(records: Sequence[Record]) -> str:
    return ", ".join(dict.fromkeys(r.curve for r in records))


def _targets(records: Sequence[Record]) -> Iterator[str]:
    for name, mode_name in dict.fromkeys((r.target, r.mode) for r in records):
        target = all_targets()[name]
        line = f"{name}: {target.description}"
        if mode_name:
            mode = target.modes[mode_name]
            line += f". Mode {mode_name}: {mode.help}. Class {mode.error_class}: {mode.reason}"
        yield line
        yield from _of_target(target, mode_name)
        if target.power and any(r.target == name and r.energy_uj is not None for r in records):
            active = target.power[0]
            yield (
                f"{name}: µJ count the running core at {active.volts:g} V and "
                f"{active.milliamperes:g} mA. Source: {active.source}"
            )


def _classes(records: Sequence[Record]) -> list[str]:
    found = sorted({r.error_class for r in records if r.error_class})
    return ["class: " + "; ".join(f"{c}: {ERROR_CLASSES[c]}" for c in found)] * bool(found)


def _compilers(records: Sequence[Record]) -> Iterator[str]:
    for compiler, opt, seed, runs in dict.fromkeys(
        (r.toolchain, r.opt, r.seed, r.runs) for r in records
    ):
        inputs = f", seed {seed}, {runs} {'run' if runs == 1 else 'runs, cycles: the median'}"
        yield (f"{compiler} -{opt}{inputs if any(r.time_us is not None for r in records) else ''}")


def _hashed(records: Sequence[Record]) -> Iterator[str]:
    """How long the message is that an operation hashes (bench_op.h)."""
    hashing = [op for op in HASHING if any(r.op == op for r in records)]
    if hashing:
        yield f"{', '.join(hashing)}: of a message of 32 bytes; a longer one takes longer to hash"


def _images(records: Sequence[Record]) -> Iterator[str]:
    images = [
        ops
        for ops in dict.fromkeys(r.image_ops for r in records if r.flash_bytes is not None)
        if any(r.op != ops for r in records if r.image_ops == ops)
    ]
    if images:
        what = images[0] if len(images) == 1 else "the operations of a row"
        yield f"flash: bytes that {what} add to an empty image"


def _prepared(records: Sequence[Record]) -> Iterator[str]:
    if _has_prepared(records):
        yield (
            "prepare: cycles to set up a table in RAM, or the objects that users of another "
            "library keep between calls. It runs once, before the first operation that needs it. "
            "It is not part of cycles and ms, but its stack counts"
        )


def _libraries(records: Sequence[Record], peers: Mapping[str, Peer]) -> Iterator[str]:
    for library in dict.fromkeys(r.library for r in records):
        if library in peers:
            versions = dict.fromkeys(r.library_version for r in records if r.library == library)
            yield f"{library}: version {'; '.join(versions)}"
            cores = dict.fromkeys(r.core for r in records if r.library == library)
            yield from (
                f"{library}: {name} is "
                + ", ".join(f"{option.default_on(core)} on {core}" for core in cores)
                + f": {option.why}"
                for name, option in peers[library].options.items()
                if option.why
            )
            yield from (f"{library}: {one.text}" for one in peers[library].differences)


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
