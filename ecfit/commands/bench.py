"""The commands `bench` and `size`: rows measured, or built and weighed, and printed as a table."""

from __future__ import annotations

from ecfit.arguments.common import Common
from ecfit.arguments.selection import rows, size_rows
from ecfit.show.report import bench_table, size_table


def bench(common: Common) -> int:
    """Runs each row. Returns the exit code. Errors: UsageError, MissingToolError."""
    return common.measure(rows(common.select()), "measure", bench_table)


def size(common: Common) -> int:
    """Builds each row, and all operations together. Returns the exit code. Errors: as above."""
    return common.measure(size_rows(common.select(together=True)), "size", size_table)
