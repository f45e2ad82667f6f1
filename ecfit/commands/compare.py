"""The command `compare`: two runs of `bench` side by side."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from ecfit.arguments.common import Common
from ecfit.errors import OK, REGRESSION, UsageError
from ecfit.run.checkout import checkout, commit, records
from ecfit.show.compared import (
    Side,
    allowed_growth,
    compared,
    first_of,
    read_side,
    summary,
    table,
)
from ecfit.show.report import emit


def compare(common: Common) -> int:
    """Prints what changed between two runs: files of records, checkouts or revisions, which are
    measured now. Returns the exit code: 7 when a figure has grown by more than --fail-on,
    an output is another, or a row failed or went away. Errors: UsageError, those of a build.
    """
    v = common.values
    allowed_growth(v["fail_on"])  # what is wrong with it is told before minutes of work
    names, options = (v["old"], v["new"]), v["question"]
    if options and all(map(is_file, names)):
        raise UsageError(f"two files of records are compared as they are: leave out {options[0]}")
    beside = Path(names[1]) if Path(names[1]).is_dir() else Path()
    folders = [None if is_file(name) else checkout(name, beside) for name in names]
    sides = []
    for name, folder in zip(names, folders, strict=True):
        if folder is None:
            sides.append(read_side(name))
            continue
        called = commit(name, folder)
        if not v["quiet"]:
            sys.stderr.write(f"ecfit: measuring {called}\n")
        sides.append(Side(called, records(folder, [*options, *["--quiet"] * v["quiet"]])))
    everything = v["wide"] and common.format in ("table", "md")
    changes, lines = compared(sides[0], sides[1], v["fail_on"], everything=everything)
    lines += [f"question: ecfit bench {shlex.join(options)}".strip()] * any(folders)
    if common.format == "md":
        emit(summary(changes, lines), common.path)
    else:
        common.print(changes, *table(changes), lines)
    worse = [change for change in changes if change.worse]
    if not worse:
        return OK
    sys.stderr.write(
        f"ecfit: {len(worse)} of the figures {'is' if len(worse) == 1 else 'are'} worse than "
        f"--fail-on {v['fail_on']} allows, the first: {first_of(worse[0])}\n"
    )
    return REGRESSION


def is_file(name: str) -> bool:
    """A file of records, or a pipe of them."""
    return Path(name).exists() and not Path(name).is_dir()
