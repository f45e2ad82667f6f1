"""The commands `bench` and `size`: rows measured, or built and weighed, and printed as a table."""

from __future__ import annotations

from ecfit.arguments.common import Common
from ecfit.arguments.selection import rows, size_rows
from ecfit.choices.curves import ALL_OPS
from ecfit.show.report import bench_table, size_table


def bench(common: Common) -> int:
    """Runs each row. Returns the exit code. Errors: UsageError, MissingToolError."""
    chosen = rows(common.select())
    asked = None
    if any(common.values[name] for name in ("battery", "every", "sleep")):
        from ecfit.measure.battery import check, plan

        asked = plan(common.values, ALL_OPS)
    if asked:
        check(asked, {row.target.name: row.target for row in chosen}.values())
    return common.measure(chosen, "measure", bench_table, asked)


def size(common: Common) -> int:
    """Builds each row, and all operations together. Returns the exit code. Errors: as above."""
    return common.measure(size_rows(common.select(together=True)), "size", size_table)
