#!/usr/bin/env python3
"""Write the table of docs/cycle-model.md, and that of other models in the notebook of the cycle
model, from a run of `ecfit fidelity`. Keep its rows in results/fidelity.jsonl.gz, which
`ecfit report` shows and which every claim of a class is read from (tests/fidelity/test_claims.py).

tools/docs/fidelity_doc.py            measures and writes
tools/docs/fidelity_doc.py --tried    the table of other models as well, another minute
tools/docs/fidelity_doc.py --outside x25519-cm0=FOLDER
                                 also measures code that no package carries, with FOLDER as
                                 docs/cycle-model.md says, and keeps its rows
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
import tempfile
from pathlib import Path

import msgspec

from ecfit import cli
from ecfit.commands.fidelity import OUTSIDE, Comparison, shown_table, summary
from ecfit.paths import write_atomic
from ecfit.prose import wrapped
from ecfit.show.report import to_md
from ecfit_studies.commands.report import FIDELITY

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "cycle-model.md"
NOTEBOOK = ROOT / "evidence" / "notebooks" / "cycle-model.md"
BEGIN, END = "<!-- table: tools/docs/fidelity_doc.py -->\n", "<!-- end -->\n"
BEGIN_TRIED = "<!-- table: tools/docs/fidelity_doc.py --tried -->\n"
TRIED = {  # what if: rows of the model, and what that is
    "fetch_odd=0,fetch_buffer=0": "the tables alone",
    "fetch_buffer=0": "with odd halfwords",
    "fetch_odd=0": "with three words ahead",
    "": "both: what the models have",
    "fetch_buffer=2": "two words ahead: Arm says three",
    "stores_load=1": "not settled, off",
}
# Where a row is from: `ecfit fidelity` prints it, the page has what changes how it is read.
ORIGIN = re.compile(r", (?:published|modelled|what differs): |: not run: |^source: ")


def measured(*options: str) -> list[Comparison]:
    """Every row that `ecfit fidelity` prints. Errors: RuntimeError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.json")
        if code := cli.run(["fidelity", "--quiet", "--format", "json", "-o", str(path), *options]):
            raise RuntimeError(f"ecfit fidelity ended with exit code {code}")
        return msgspec.json.decode(path.read_bytes(), type=list[Comparison])


def measured_outside(asked: str) -> list[Comparison]:
    """The rows of a peer of peers/outside, `asked` as NAME=FOLDER. Errors: RuntimeError."""
    figures = ROOT / "peers" / "outside" / asked.partition("=")[0] / "published.toml"
    return measured("--published", str(figures), "--peer-dir", asked)


def tried() -> str:
    """A row for each model: its ratios of the rows of assembly on two chips."""
    found: dict[str, dict[tuple[str, str, str], str]] = {}
    for changes in TRIED:
        model = ["--model", changes] if changes else []
        rows = measured("--target", "stm32wle5,nrf52840", *model)
        found[changes] = {
            (row.target, row.library, row.op): f"{row.ratio:.3f}" for row in rows if row.ratio
        }
    groups: dict[tuple[str, str], list[str]] = {}
    for target, library, op in found[""]:
        groups.setdefault((target, library), []).append(op)
    heads = [f"{target}, {library}: {', '.join(ops)}" for (target, library), ops in groups.items()]
    lines = ["| `--model` | | " + " | ".join(heads) + " |", "| --- " * (2 + len(groups)) + "|"]
    for changes, words in TRIED.items():
        cells = [" ".join(found[changes][*key, op] for op in ops) for key, ops in groups.items()]
        lines.append(f"| {f'`{changes}`' if changes else 'none'} | {words} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _between(text: str, begin: str, table_text: str) -> str:
    """The text with another table after `begin`. Errors: ValueError without the markers."""
    head, rest = text.split(begin)
    _, tail = rest.split(END, 1)
    return head + begin + "\n" + wrapped(table_text) + "\n" + END + tail


def rewritten(text: str, rows: list[Comparison]) -> str:
    """The document with its table brought up to date. Errors: ValueError
    when the markers are missing.
    """
    notes = [line for line in summary(rows) if not ORIGIN.search(line)]
    return _between(text, BEGIN, to_md(*shown_table(rows), notes))


def kept(rows: list[Comparison]) -> bytes:
    """The rows as JSON lines, compressed."""
    return gzip.compress(b"".join(msgspec.json.encode(row) + b"\n" for row in rows), mtime=0)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write the table of docs/cycle-model.md.")
    parser.add_argument("--tried", action="store_true", help="the table of other models, too")
    parser.add_argument("--outside", metavar="NAME=FOLDER", help="a peer of peers/outside")
    arguments = parser.parse_args()
    if arguments.outside:
        OUTSIDE.write_bytes(msgspec.json.encode(measured_outside(arguments.outside)) + b"\n")
    rows, before = measured(), DOCUMENT.read_text(encoding="utf-8")
    after, lines = rewritten(before, rows), kept(rows)
    pages = {DOCUMENT: after}
    if arguments.tried:
        notebook = NOTEBOOK.read_text(encoding="utf-8")
        pages[NOTEBOOK] = _between(notebook, BEGIN_TRIED, tried())
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    write_atomic(FIDELITY, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
