#!/usr/bin/env python3
"""Write the table of docs/cycle-model.md from a run of `ecfit fidelity`, and keep its rows
in results/fidelity.jsonl.gz, which `ecfit report` shows.

tools/fidelity_doc.py            measures and writes
tools/fidelity_doc.py --check    writes nothing; exit code 1 when table or rows differ
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from pathlib import Path

import msgspec

from ecfit import cli
from ecfit.commands.fidelity import Comparison, summary, table
from ecfit.commands.report import FIDELITY
from ecfit.measure.store import write_atomic
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


def kept(rows: list[Comparison]) -> bytes:
    """The rows as JSON lines, compressed."""
    return gzip.compress(b"".join(msgspec.json.encode(row) + b"\n" for row in rows), mtime=0)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description="Write, or check, the table of docs/cycle-model.md."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 when the table differs"
    )
    arguments = parser.parse_args()
    rows, before = measured(), DOCUMENT.read_text(encoding="utf-8")
    after, lines = rewritten(before, rows), kept(rows)
    if arguments.check:
        same = before == after and FIDELITY.is_file() and FIDELITY.read_bytes() == lines
        if not same:
            sys.stderr.write(
                "docs/cycle-model.md, results/fidelity.jsonl.gz: not today's: run 'make fidelity'\n"
            )
        return int(not same)
    DOCUMENT.write_text(after, encoding="utf-8")
    write_atomic(FIDELITY, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
