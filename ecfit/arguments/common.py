"""What the options of a command mean: the `Common` that each command is handed,
and the steps that commands share.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecfit.errors import (
    BUILD_FAILED,
    BUILD_STATUSES,
    OK,
    USAGE,
    WRONG_RESULT,
    OutputError,
    UsageError,
    unknown_name,
)

if TYPE_CHECKING:
    from ecfit.arguments.selection import Selection
    from ecfit.choices.peers import Peer
    from ecfit.measure.battery import Plan
    from ecfit.measure.bench import Bench, Remote, Row
    from ecfit.model import Record
    from ecfit.show.layout import Cells, Column, View


DEFAULT_TARGET = "lpc1114"


class Common:
    """The options of one invocation, and the steps that commands share."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.path: str | None = values.get("path")
        self.format: str = values.get("format_name", "table").lower()
        self._peers: Mapping[str, Peer] | None = None
        if self.path is not None:
            _check_writable(Path(self.path))

    def peers(self) -> Mapping[str, Peer]:
        """All peers, those of --peer-dir among them. Errors: UsageError."""
        from ecfit.arguments.selection import pairs
        from ecfit.choices.peers import find_peers

        if self._peers is None:
            named = pairs(self.values.get("peer_dirs", ()), "--peer-dir")
            self._peers = find_peers({name: Path(path) for name, path in named.items()})
        return self._peers

    def target_names(self) -> tuple[str, ...]:
        """The targets asked for; files of the user are known from now on. Errors: UsageError."""
        from ecfit.choices.targets import use_files

        own = use_files(self.values.get("target_files", ()))
        asked: tuple[str, ...] = self.values["targets"]
        return asked or tuple(target.name for target in own) or (DEFAULT_TARGET,)

    def select(
        self, *, together: bool = False, curves: Sequence[str] = (), ops: Sequence[str] = ()
    ) -> Selection:
        """What was asked for, names checked; `together`: curves may be put in one image.

        `curves`, `ops`: these in place of those asked for. Errors: UsageError.
        """
        from ecfit.arguments.selection import select

        v = self.values
        return select(
            targets=self.target_names(),
            libraries=v.get("libraries", ("ecfit",)),
            curves=curves or v["curves"],
            ops=ops or v["ops"],
            presets=v["presets"],
            sets=v["sets"],
            mode=v.get("mode", "datasheet").lower(),
            peers=self.peers(),
            toolchains=v.get("toolchains", ("gcc",)),
            opts=v.get("opts", ("Os",)),
            together=together,
        )

    def bench(self) -> Bench:
        """The machinery, set up as asked. Errors: UsageError."""
        from ecfit.arguments.selection import model_rows
        from ecfit.measure.bench import Bench
        from ecfit.measure.settings import Settings
        from ecfit.measure.store import Store
        from ecfit.model import DEFAULT_LIMIT

        v = self.values
        settings = Settings(
            toolchain=v.get("toolchain", "gcc").lower(),
            cc=v.get("cc"),
            model_rows=model_rows(v.get("models", ())),
            seed=v.get("seed", 1),
            runs=v.get("runs", 1),
            inputs=v.get("inputs", 1),
            limit=v.get("limit", DEFAULT_LIMIT),
            jobs=v["jobs"],
        )
        return Bench(settings, self.peers(), Store(enabled=not v["no_cache"]), self._remote())

    def _remote(self) -> Remote | None:
        """The cluster that was asked for. Errors: UsageError, MissingToolError."""
        v = self.values
        if v.get("scheduler") is None:
            return None
        for option in ("peer_dirs", "cc"):
            if v.get(option):
                name = option.removesuffix("s").replace("_", "-")
                raise UsageError(
                    f"--{name} names files of this machine, the workers of --scheduler do not have "
                    "them: leave one of the two out"
                )
        from ecfit.measure.cluster import Cluster

        return Cluster(v["scheduler"], use_cache=not v["no_cache"])

    def measure(
        self,
        rows: Sequence[Row],
        step: str,
        table: Callable[[Sequence[Record]], tuple[list[Column], Cells]],
        asked: Plan | None = None,
    ) -> int:
        """Measures rows with progress, prints those that are offered, names what failed; `asked`:
        with the years of a battery. The exit code is the gravest of the rows.
        """
        from ecfit.choices.targets import find_target
        from ecfit.measure.bench import NOT_OFFERED
        from ecfit.model import Record
        from ecfit.show.notes import brief_notes, notes
        from ecfit.show.origin import ORIGIN
        from ecfit.show.report import headings, with_years
        from ecfit.show.view import check

        names = self.view().columns
        if self.format in ("table", "md"):
            more = ["years", "battery_years"] if asked else []
            check(names, [*headings(step), *more], Record.__struct_fields__)
        elif not asked:
            check(names, (), [*Record.__struct_fields__, *ORIGIN])
        order = _order(self.values.get("sort"))
        done = order(self.measured(rows, step))
        shown = [record for record in done if record.status != NOT_OFFERED] or done
        lines = notes(shown, self.peers())
        if self.format == "table":
            lines = brief_notes(shown, self.peers(), len(done) - len(shown))
        values: Sequence[Any] = shown if self.format in ("table", "md") else done
        columns, cells = table(shown)
        if asked:
            calls = [(find_target(r.target), r.op, r.time_us) for r in values]
            from ecfit.measure.battery import with_battery

            values, told = with_battery(asked, values, calls, "each")
            lines = [*told, *lines]
            if self.format in ("table", "md"):
                columns, cells = with_years(columns, cells, values, "ms")
        self.print(values, columns, cells, lines, every_row=step == "measure")
        return verdict(done)

    def measured(self, rows: Sequence[Row], step: str) -> list[Record]:
        """The record of each row, in their order. Errors: UsageError, MissingToolError."""
        from ecfit.show.progress import Progress

        bench = self.bench()
        bench.check(rows)
        records: dict[int, Record] = {}
        with Progress(len(rows), quiet=self.values["quiet"]) as progress:
            for index, record in bench.each(rows, bench.size if step == "size" else bench.measure):
                records[index] = record
                progress.done(record)
        return [records[index] for index in sorted(records)]

    def view(self, *, every_row: bool = False) -> View:
        """What of a table is wanted. Errors: UsageError for columns of json."""
        from ecfit.show.layout import View

        v = self.values
        if v.get("shown_columns") and self.format == "json":
            raise UsageError("--columns is of tables and csv: --format json has every field")
        return View(
            v.get("shown_columns", ()), v.get("wide", False), v.get("all_notes", False), every_row
        )

    def listing(
        self,
        entries: Sequence[Mapping[str, Any]],
        texts: Sequence[str] = ("description", "help"),
        notes: Sequence[str] = (),
        shown: Sequence[Mapping[str, Any]] = (),
    ) -> int:
        """Prints what there is: all fields as json and csv, and as a table those of `shown`.

        `texts`: the fields that may be wrapped.
        """
        from ecfit.show.layout import Column

        rows = shown or entries
        cells = [["-" if value is None else str(value) for value in row.values()] for row in rows]
        columns = [
            Column(name, any(isinstance(row[name], int) for row in rows), wrap=name in texts)
            for name in rows[0]
        ]
        self.print(entries, columns, cells, notes)
        return OK

    def print(
        self,
        values: Sequence[Any],
        columns: Sequence[Column],
        cells: Cells,
        lines: Sequence[str],
        *,
        every_row: bool = False,
        under: tuple[Sequence[Column], Cells] | None = None,
    ) -> None:
        """Prints or writes values in the chosen format. `every_row`: a table may be longer than a
        screen. `under`: another table below it, and the lines below that. Errors: OutputError,
        UsageError for a column that there is not.
        """
        from ecfit.show.report import emit, render
        from ecfit.show.view import chosen, fields_of

        view = self.view(every_row=every_row)
        if self.format in ("table", "md"):
            columns, cells = chosen(columns, cells, values, view.columns)
        else:
            from ecfit.show.origin import stamped

            values = stamped(values)
            values = fields_of(values, view.columns) if view.columns else values
        show = partial(render, self.format, values, colour=self.coloured(), view=view)
        if under and cells and self.format in ("table", "md"):
            text = f"{show(columns, cells, [])}\n{show(*under, lines)}"
        else:
            text = show(columns, cells, lines)
        emit(text, self.path)

    def coloured(self) -> bool:
        """Whether the output is a terminal that may have colours."""
        return self.path is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _order(field: str | None) -> Callable[[list[Record]], list[Record]]:
    """Sorts records by a field, smallest first, those without it last; not at all
    without a name. Errors: UsageError.
    """
    from ecfit.model import Record

    if field is None:
        return lambda records: records
    short = {"flash": "flash_bytes", "stack": "stack_bytes", "ram": "ram_bytes", "ms": "time_us"}
    name = short.get(field.lower(), field.lower())
    if name not in Record.__struct_fields__:
        raise unknown_name("field in --sort", field, [*short, *Record.__struct_fields__])

    def key(record: Record) -> tuple[bool, Any]:
        value = getattr(record, name)
        return value is None, value if value is not None else 0

    return lambda records: sorted(records, key=key)


def _check_writable(path: Path) -> None:
    """Finds out before minutes of work. Errors: OutputError."""
    folder = path.parent
    if path.is_dir():
        raise OutputError(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise OutputError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(path if path.exists() and not path.is_file() else folder, os.W_OK):
        raise OutputError(f"cannot write {path}: permission denied")


def verdict(records: Sequence[Record]) -> int:
    """One line on standard error per reason why rows failed; the exit code for them."""
    from ecfit.measure.bench import NOT_OFFERED

    code = OK
    lines = set()
    for record in records:
        if record.status in ("ok", NOT_OFFERED):
            continue
        code = max(code, BUILD_FAILED if record.status in BUILD_STATUSES else WRONG_RESULT)
        line = f"{record.library} on {record.target}: {record.status}: {record.detail}"
        if line not in lines:
            lines.add(line)
            sys.stderr.write(f"ecfit: {line}\n")
    if records and all(record.status == NOT_OFFERED for record in records):
        reasons = dict.fromkeys(record.detail for record in records)
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        sys.stderr.write(f"ecfit: error: nothing to measure: {next(iter(reasons))}{more}\n")
        return USAGE
    return code
