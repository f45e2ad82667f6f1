#!/usr/bin/env python3
"""Write the table of RTL of docs/cycle-model.md from results/rtl.json, which sweep `rtl` writes.

tools/docs/rtl_doc.py            writes
tools/docs/rtl_doc.py --check    writes nothing; exit code 1 when the table differs
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "cycle-model.md"
KEPT = ROOT / "results" / "rtl.json"
BEGIN, END = "<!-- table: tools/docs/rtl_doc.py -->\n", "<!-- end -->\n"


class Equal(msgspec.Struct, frozen=True):
    """A configuration that was equal, as workshop/rigs/rtl_run.py keeps it."""

    core: str
    repository: str
    commit: str
    parameters: dict[str, int]
    options: dict[str, int]
    kernels: int
    programs: int
    instructions: int
    operations: tuple[str, ...]


def words(numbers: dict[str, int]) -> str:
    """Names with their numbers."""
    return ", ".join(f"{name} = {number}" for name, number in numbers.items()) or "-"


def table() -> str:
    """A row for each configuration."""
    lines = [
        "| RTL | parameters | options of the model | kernels | random programs | instructions "
        "| operations |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for one in msgspec.json.decode(KEPT.read_bytes(), type=list[Equal]):
        cells = (
            f"{one.repository} {one.commit[:8]}",
            words(one.parameters),
            words(one.options),
            str(one.kernels),
            f"{one.programs:,}",
            f"{one.instructions:,}",
            str(len(one.operations)),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Writes or checks."""
    text = DOCUMENT.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    new = f"{head}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"
    if "--check" not in sys.argv[1:]:
        DOCUMENT.write_text(new, encoding="utf-8")
    elif new != text:
        print("docs/cycle-model.md: its table of RTL differs: run tools/docs/rtl_doc.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
