"""Progress on standard error: a bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any, Self

from ecfit.model import Record
from ecfit.show.layout import available, wrapped
from ecfit.units import grouped


class Progress:
    """Counts finished rows. A context manager. `total`: None where it is not known before;
    `rows`: a line for each row on a terminal, too, above the bar.
    """

    def __init__(self, total: int | None, *, quiet: bool, rows: bool = False) -> None:
        self.total, self.count, self.rows = total, 0, rows
        self.quiet = quiet
        self.bar: Any = None
        if sys.stderr.isatty() and not quiet and not os.environ.get("NO_COLOR"):
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.description}"),
            )
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=total)

    def __enter__(self) -> Self:
        if self.bar is not None:
            self.bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def done(self, record: Record) -> None:
        """One row more."""
        names = (record.library, record.preset, record.changed, record.curve, record.op)
        what = f"{' '.join(filter(None, names))} on {record.target}"
        figure = f"{grouped(record.cycles)} cycles" if record.cycles is not None else record.status
        if record.cycles is None and record.instructions is not None:
            figure = f"{grouped(record.instructions)} instructions"
        elif record.cycles is None and record.flash_bytes is not None:
            figure = f"{grouped(record.flash_bytes)} bytes"
        self.said(what, figure)

    def said(self, what: str, figure: str) -> None:
        """One row more, in words."""
        self.count += 1
        if self.bar is not None:
            self.bar.update(self.task, advance=1, description=what)
            if self.rows:
                self.bar.console.print(f"{what}: {figure}", highlight=False, markup=False)
        elif not self.quiet:
            of = "" if self.total is None else f"/{self.total}"
            lines = wrapped(f"[{self.count}{of}] {what}: {figure}", available())
            sys.stderr.write("\n".join([*lines, ""]))
            sys.stderr.flush()
