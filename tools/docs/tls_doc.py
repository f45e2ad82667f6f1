#!/usr/bin/env python3
"""Write the tables of docs/tls.md from the kept counts (results/golden/tls.json).

tools/docs/tls_doc.py            writes
tools/docs/tls_doc.py --check    writes nothing; exit code 1 when a table differs
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ecfit.choices.targets import find_target
from ecfit.paths import ROOT
from ecfit.tls.phases import NAMES
from ecfit.tls.record import Network, TlsRecord, timed

sys.path.append(str(Path(__file__).resolve().parents[1] / "rigs"))

import tls

PAGE = ROOT / "docs" / "tls.md"
BEGIN, END = "<!-- table: tools/docs/tls_doc.py -->\n", "<!-- end -->\n"
Row = dict[str, Any]


def lines(rows: list[Row]) -> list[str]:
    """A line for each row that was kept: times at the chip's clock, energy of the computation,
    flash of elliptic curves and big numbers, phases in per cent.
    """
    head = [
        "chip",
        "connection",
        "elliptic curves",
        "level",
        "Mcycles",
        "ms",
        "mJ",
        "heap B",
        "stack B",
    ]
    head += ["flash B", "of it curves B", *(f"{name.replace('_', ' ')} %" for name in NAMES)]
    texts = [f"| {' | '.join(head)} |"]
    texts.append("| " + " | ".join(["---"] * 4 + ["---:"] * (len(head) - 4)) + " |")
    for row in rows:
        cycles, flash = row["handshake_cycles"], row["flash"]
        record = TlsRecord(
            stack="-", handshake_cycles=cycles,
            **{name: row[name] for name in ("platform", "connection", "backend")},
        )  # fmt: skip
        full = timed(record, find_target(row["platform"]), Network())
        energy = None if full.energy_uj is None else full.energy_uj / 1000
        cells = [row["platform"], row["connection"], row["backend"], f"-{row['opt']}"]
        cells.append(f"{cycles / 1e6:.2f}")
        cells += ["-" if v is None else f"{v:.4g}" for v in (full.compute_ms, energy)]
        cells += [str(row["heap_bytes"]), str(row["stack_bytes"]), str(row["flash_bytes"])]
        cells.append(str(flash["ecc"] + flash["bignum"]))
        cells += [f"{100 * row['phases'][name] / cycles:.1f}" for name in NAMES]
        texts.append(f"| {' | '.join(cells)} |")
    return texts


def rewritten(text: str) -> str:
    """The page with its table brought up to date. Errors: ValueError when a marker is missing."""
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    rows = [row for row in tls.kept() if row["connection"] != "tcp"]
    return head + BEGIN + "\n" + "\n".join(lines(rows)) + "\n\n" + END + tail


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write, or check, the table of docs/tls.md.")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    new = rewritten(text)
    if arguments.check:
        if new != text:
            sys.exit("the table of docs/tls.md differs, run tools/docs/tls_doc.py")
        return
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
