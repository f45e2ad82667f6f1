#!/usr/bin/env python3
"""Write the table of docs/cycle-model.md from a run of `ecfit fidelity`.

tools/fidelity_doc.py            measures and writes
tools/fidelity_doc.py --check    writes nothing; exit code 1 when the table differs
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import msgspec

from ecfit import cli
from ecfit.commands.fidelity import Comparison, summary, table
from ecfit.prose import wrapped
from ecfit.show.report import to_md

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "cycle-model.md"
BEGIN, END = "<!-- table: tools/fidelity_doc.py -->\n", "<!-- end -->\n"


def measured() -> list[Comparison]:
    """Every row that `ecfit fidelity` prints. Errors: RuntimeError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.json")
        if code := cli.run(["fidelity", "--quiet", "--format", "json", "-o", str(path)]):
            raise RuntimeError(f"ecfit fidelity ended with exit code {code}")
        return msgspec.json.decode(path.read_bytes(), type=list[Comparison])


def rewritten(text: str, rows: list[Comparison]) -> str:
    """The document with its table brought up to date. Errors: ValueError
    when the markers are missing.
    """
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    run = [row for row in rows if row.ratio is not None]
    columns, cells = table(run)
    return head + BEGIN + "\n" + wrapped(to_md(columns, cells, summary(run))) + "\n" + END + tail


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description="Write, or check, the table of docs/cycle-model.md."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 when the table differs"
    )
    arguments = parser.parse_args()
    before = DOCUMENT.read_text(encoding="utf-8")
    after = rewritten(before, measured())
    if arguments.check:
        if before != after:
            sys.stderr.write("docs/cycle-model.md: the table is not today's: run 'make fidelity'\n")
        return int(before != after)
    DOCUMENT.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
