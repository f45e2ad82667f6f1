"""The command `fit`: from a budget to the best configuration, and the files to compile."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ecfit.arguments.budget import question
from ecfit.arguments.common import Common
from ecfit.build.parts import OWN
from ecfit.commands.config import again_with, config_files, hand_over, kept
from ecfit.errors import BUDGET, OK
from ecfit.fit.fit import Answer
from ecfit.measure.bench import Row
from ecfit.measure.store import check_new_folder
from ecfit.model import Record
from ecfit.show import fitted
from ecfit.show.progress import Progress
from ecfit.show.report import emit, render
from ecfit.tls.budget import fit_handshake

EVIDENCE = "evidence"  # the name of the answer among the files, with .md and .json


def command(common: Common) -> int:
    """Searches, measures, prints, and writes what fits. Returns the exit code.

    Errors: UsageError, MissingToolError, BudgetError.
    """
    asked, bench = question(common), common.bench()
    if common.values["folder"] is not None:
        check_new_folder(Path(common.values["folder"]))
    with Progress(0, quiet=common.values["quiet"]) as progress:

        def measured(rows: Sequence[Row]) -> list[Record]:
            progress.more(len(rows))
            found: dict[int, Record] = {}
            for index, record in bench.each(rows, bench.measure):
                found[index] = record
                progress.done(record)
            return [found[index] for index in range(len(rows))]

        answer = fit_handshake(asked, bench, measured)
    emit(_text(answer, common, common.format, explain=common.values["explain"]), None)
    if not answer.fits:
        sys.stderr.write(
            f"ecfit: nothing keeps this budget: the nearest of {len(answer.space)} "
            "configurations, and what would have to give, are above\n"
        )
        return BUDGET
    if common.values["folder"] is not None:
        _write(answer, common, common.values["folder"])
    return OK


def _text(answer: Answer, common: Common, form: str, *, explain: bool) -> str:
    if form == "json":
        return fitted.as_json(answer)
    colour = form == "table" and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    told = fitted.lines(answer, common.peers(), explain=explain)
    return render(form, [], *fitted.table(answer), told, colour=colour)


def _write(answer: Answer, common: Common, folder: str) -> None:
    """The amalgam of the answer, and the evidence. Errors: BuildError, OutputError."""
    row = answer.rows[answer.best][0]
    if row.configuration.library != OWN:
        sys.stderr.write(
            f"ecfit: the answer is another library, {row.configuration.library}: "
            "there is no configuration to write, its own sources are\n"
        )
        return
    measured = {
        f"{EVIDENCE}.md": _text(answer, common, "md", explain=True),
        f"{EVIDENCE}.json": fitted.as_json(answer),
    }
    keep = kept(row, common.values["sets"], every_op=False)
    again = again_with(row, every_op=False, keep=keep)
    files = config_files(row, every_op=False, keep=keep)
    hand_over(Path(folder), row, files, measured, again, keep)
