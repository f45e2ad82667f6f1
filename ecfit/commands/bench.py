"""The commands `bench` and `size`: rows measured, or built and weighed, and printed as a table;
and `compare`: two such runs side by side.
"""

from __future__ import annotations

import sys

from ecfit.arguments.common import Common
from ecfit.arguments.selection import rows, size_rows
from ecfit.errors import OK, REGRESSION
from ecfit.show.compared import compared, row_of, table
from ecfit.show.report import bench_table, size_table


def bench(common: Common) -> int:
    """Runs each row. Returns the exit code. Errors: UsageError, MissingToolError."""
    return common.measure(rows(common.select()), "measure", bench_table)


def size(common: Common) -> int:
    """Builds each row, and all operations together. Returns the exit code. Errors: as above."""
    return common.measure(size_rows(common.select(together=True)), "size", size_table)


def compare(common: Common) -> int:
    """Prints what changed between two files of records. Returns the exit code: 7 when a figure
    has grown by more than --fail-on, or a row failed or went away. Errors: UsageError.
    """
    v = common.values
    changes, lines = compared(v["old"], v["new"], v["fail_on"])
    common.print(changes, *table(changes), lines)
    worse = [change for change in changes if change.worse]
    if not worse:
        return OK
    sys.stderr.write(
        f"ecfit: {len(worse)} of the figures are worse than --fail-on {v['fail_on']} allows, "
        f"the first: {row_of(worse[0])}: {worse[0].what} {worse[0].old} -> {worse[0].new}\n"
    )
    return REGRESSION
