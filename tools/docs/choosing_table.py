#!/usr/bin/env python3
"""Write the tables of docs/choosing.md from the kept records of the studies `operations` and
`anchors`.

tools/docs/choosing_table.py            writes
tools/docs/choosing_table.py --check    writes nothing; exit code 1 when a table differs
"""

from __future__ import annotations

import argparse
import re
import sys

from ecfit.paths import ROOT
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import StudyRecord, find_study

PAGE = ROOT / "docs" / "choosing.md"
BEGIN, END = "<!-- tables: tools/docs/choosing_table.py -->\n", "<!-- end -->\n"
GROUP = re.compile(r"(?<=\d) (?=\d{3}\b)")  # between thousands
BEGIN_OPERATIONS = "<!-- table: tools/docs/choosing_table.py, operations -->\n"
OPS = ("keygen", "ecdh", "sign", "verify")
CHIPS = {"samd20": "Cortex-M0+, 48 MHz", "nrf52840": "Cortex-M4, 64 MHz"}
PRESETS = ("tiny", "lowram", "compact", "balanced", "fast")


def tables(records: list[StudyRecord]) -> str:
    """A table for each chip: a row for each curve and preset."""
    text = ""
    for chip, shown in CHIPS.items():
        text += f"\n### {shown}: {chip}\n\n"
        text += "| curve | preset | flash B | stack B | keygen ms | ECDH ms | sign ms "
        text += "| verify ms |\n"
        text += f"| --- | --- |{' ---: |' * 6}\n"
        mine = [one for one in records if one.target == chip and one.opt == "Os"]
        for curve in dict.fromkeys(one.curve for one in mine):
            for preset in PRESETS:
                group = [
                    one for one in mine if (one.curve, one.group) == (curve, f"ecfit {preset}")
                ]
                text += row(curve, preset, group) if group else ""
    return text


def operations() -> str:
    """The one table of the study of this name."""
    study = find_study("operations")
    (section,) = study.summarise(kept(study))
    lines = [" | ".join(column.name for column in section.columns),
             " | ".join("---:" if column.figure else "---" for column in section.columns),
             *(GROUP.sub(",", " | ".join(cells)) for cells in section.cells)]  # fmt: skip
    return "\n" + "".join(f"| {line} |\n" for line in lines)


def row(curve: str, preset: str, group: list[StudyRecord]) -> str:
    """One line: all operations in one image."""
    times = {one.op: (one.time_us or 0) / 1000 for one in group}
    cells = [curve, f"`{preset}`", f"{group[0].flash_bytes:,}"]
    cells.append(f"{max(one.stack_bytes or 0 for one in group):,}")
    cells += [_milliseconds(times[op]) if op in times else "-" for op in OPS]
    return f"| {' | '.join(cells)} |\n"


def _milliseconds(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write, or check, the tables of docs/choosing.md.")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END, 1)
    new = f"{head}{BEGIN}{tables(kept(find_study('anchors')))}\n{END}{tail}"
    head, rest = new.split(BEGIN_OPERATIONS)
    _, tail = rest.split(END, 1)
    new = f"{head}{BEGIN_OPERATIONS}{operations()}\n{END}{tail}"
    if arguments.check:
        if new != text:
            sys.exit("the tables of docs/choosing.md differ, run tools/docs/choosing_table.py")
        return
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
