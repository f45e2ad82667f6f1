#!/usr/bin/env python3
"""Write the table of README.md from the golden counts (results/golden/counts.json), and what it
says of other libraries from the records of studies (ecfit_studies/survey/ranking.py).

tools/docs/readme.py            writes
tools/docs/readme.py --check    writes nothing; exit code 1 when the table differs
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ecfit.choices.chips import chips, target_of
from ecfit.choices.targets import all_targets, core_accuracy, find_target
from ecfit.errors import UsageError
from ecfit.prose import wrapped
from ecfit_studies.survey.ranking import SUBSETS, Standing, both
from tools.golden import stored

ROOT = Path(__file__).resolve().parents[2]
CLAIM, CLAIM_END = "<!-- ahead: tools/docs/readme.py -->\n", "<!-- end of ahead -->\n"
BEGIN, END = "<!-- table: tools/docs/readme.py -->\n", "<!-- end -->\n"
CORES, CORES_END = "<!-- cores: tools/docs/readme.py -->\n", "<!-- end of cores -->\n"
GROUPS = {
    "Cortex-M0": ("cortex-m0",),
    "Cortex-M0+": ("cortex-m0plus",),
    "Cortex-M3": ("cortex-m3",),
    "Cortex-M4": ("cortex-m4",),
    "Cortex-M7": ("cortex-m7",),
    "Cortex-M33": ("cortex-m33",),
    "RISC-V: Ibex, CV32E40P, Hazard3": ("ibex", "cv32e40p", "hazard3"),
    "RISC-V of the ESP32-C3": ("esp32-c3",),
    "RISC-V of the CH32V003": ("qingke-v2",),
    "AVR": ("avr5", "avr51", "avr6"),
}
WORTH = {
    "RTL": "equal to the core's RTL",
    "A": "within 2 % of silicon",
    "B": "within 10 %",
    "C": "not validated",
}
TARGETS = ("lpc1114", "rp2040")
OPS = ("keygen", "ecdh", "sign", "verify")

Record = dict[str, Any]


def table(records: list[Record]) -> str:
    """The Markdown table: one row for each target and library with milliseconds an operation,
    flash and stack.
    """
    lines = [
        "| chip | library | keygen ms | ECDH ms | sign ms | verify ms | flash B | stack B |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for target in TARGETS:
        mine = [record for record in records if record["target"] == target]
        for name in dict.fromkeys((record["library"], record["preset"]) for record in mine):
            ops = {
                record["op"]: record
                for record in mine
                if (record["library"], record["preset"]) == name
            }
            lines.append(row(target, name, ops))
    return "\n".join(lines) + "\n"


def row(target: str, name: tuple[str, str | None], ops: dict[str, Record]) -> str:
    """One line of the table."""
    chip = find_target(target)
    hertz = chip.clock.hz if chip.clock else 1
    times = [f"{ops[op]['cycles'] / hertz * 1000:.0f}" for op in OPS]
    stack = max(record["stack_bytes"] for record in ops.values())
    library = " ".join(part for part in name if part)
    cells = [f"{chip.name}, {hertz // 10**6} MHz", library, *times]
    return "| " + " | ".join([*cells, str(ops["ecdh"]["flash_bytes"]), str(stack)]) + " |"


def rewritten(text: str) -> str:
    """README.md with its table and its claim brought up to date. Errors: ValueError
    when the markers are missing.
    """
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    records = stored("bench")
    head = head + BEGIN + table(records)
    between, rest = tail.split(CLAIM)
    _, tail = rest.split(CLAIM_END)
    head += END + between + CLAIM + ahead() + CLAIM_END
    between, rest = tail.split(CORES)
    _, tail = rest.split(CORES_END)
    return head + between + CORES + cores() + CORES_END + tail


def cores() -> str:
    """A row for each group of cores: its chips, and how far the model's cycles are off."""
    others, timed = _others()
    text = (
        f"`.venv/bin/ecfit list targets NAME` tells, for the chips below and {others:,} more "
        f"by name, {timed:,} of them timed like a relative of theirs; another chip is "
        "[a file](docs/adding-a-target.md). Flash "
        "and stack are counted, so exact. A time is the core's cycles, which the table judges, and "
        "what the flash adds. Its class counts both: A is within 2 % of silicon, B within 10 %, C "
        "not validated. `figures` counts the published ones behind a judgement; none of them chose "
        "a rule of [the cycle model](docs/cycle-model.md)."
    )
    lines = [
        "| core | chips, with the class of a time | cycles of the core | figures |",
        "| --- | --- | --- | ---: |",
    ]
    for core, of in GROUPS.items():
        targets = [t for t in all_targets().values() if t.core in of]
        classes = [(t.name, (t.modes.get("datasheet") or t.modes["zero-ws"])) for t in targets]
        names = ", ".join(f"{name} {mode.error_class}" for name, mode in classes)
        worth = dict.fromkeys(WORTH[core_accuracy(target).error_class] for target in targets)
        figures = ", ".join(dict.fromkeys(str(core_accuracy(t).rows or "-") for t in targets))
        lines.append(f"| {core} | {names} | {', '.join(worth)} | {figures} |")
    return wrapped(text + "\n") + "\n" + "\n".join(lines) + "\n"


def _others() -> tuple[int, int]:
    """How many chips no target file describes, and how many of these have a core with a model."""
    described, timed = 0, 0
    for chip in chips():
        with suppress(UsageError):
            like = target_of(chip).like
            described, timed = described + (not like), timed + bool(like)
    return len(chips()) - described, timed


def ahead() -> str:
    """What is claimed about other libraries, and whose rows it does not hold of."""
    found, every_build = both(fronts=True), sum(one.rows for one in both())
    behind, every = sum(one.behind for one in found), sum(one.rows for one in found)
    presets, named = sum(one.presets for one in found), sum(one.named for one in found)
    behind_fit, by_hand = presets + named, behind - presets - named
    others = _named(
        [one for one in found if one.rows > one.presets + one.named],
        {one.target for one in found},
    )
    hand = f", though settings by hand match {by_hand}" if by_hand else ""
    text = (
        f"Of the {every_build:,} builds of other libraries that we measured, {every:,} count: no "
        "other build of theirs is at least as good in flash, RAM and the time of every operation. "
        f"One of our presets is at least as good in all of these as {presets:,} "
        f"of them, and a configuration that `ecfit fit` finds as {named:,} more. For "
        f"{every - behind_fit:,} neither holds{hand}: {others}. The page *Ahead* of `make docs` "
        "lists all."
    )
    return wrapped(text + "\n")


def _named(found: Sequence[Standing], every_chip: set[str]) -> str:
    """The libraries, their curves and chips."""
    curves = dict[tuple[str, str], list[str]]()
    for library, curve in dict.fromkeys((one.library, one.curve) for one in found):
        some = [one for one in found if (one.library, one.curve) == (library, curve)]
        chips = list(dict.fromkeys(one.target for one in some))
        where = "all" if {*chips} == every_chip else ", ".join(chips)
        curves.setdefault((library, where), []).append(curve + _alone(some))
    names = [f"{library} ({', '.join(of)}: {where})" for (library, where), of in curves.items()]
    return "; ".join(names) or "none"


def _alone(some: Sequence[Standing]) -> str:
    """The operations of images that have fewer than the library, where no other is of a library."""
    sets = dict.fromkeys(one.ops for one in some)
    return f" {' or '.join(sets)} alone" if {*sets} <= {*SUBSETS} else ""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write, or check, the table of README.md.")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    new = rewritten(text)
    if arguments.check:
        if new != text:
            sys.exit("the table of README.md differs, run tools/docs/readme.py")
        return
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
