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
from pathlib import Path
from typing import Any

from ecfit.choices.targets import core_accuracy, find_target
from ecfit.prose import wrapped
from ecfit_studies.survey.ranking import SUBSETS, Standing, both
from tools.golden import stored

ROOT = Path(__file__).resolve().parents[2]
CLAIM, CLAIM_END = "<!-- ahead: tools/docs/readme.py -->\n", "<!-- end of ahead -->\n"
BEGIN, END = "<!-- table: tools/docs/readme.py -->\n", "<!-- end -->\n"
TARGETS = ("lpc1114", "rp2040")
OPS = ("keygen", "ecdh", "sign", "verify")

Record = dict[str, Any]


def table(records: list[Record]) -> str:
    """The Markdown table: one row for each target and library with milliseconds an operation,
    flash and stack.
    """
    lines = [
        "| chip | class | library | keygen ms | ECDH ms | sign ms | verify ms | flash B "
        "| stack B |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
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
    flash = chip.modes[ops["ecdh"]["mode"]].flash
    accuracy = f"core {core_accuracy(chip).error_class}"
    accuracy += f", flash {flash.error_class}" if flash else ""
    library = " ".join(part for part in name if part)
    cells = [f"{chip.name}, {hertz // 10**6} MHz", accuracy, library, *times]
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
    return head + END + between + CLAIM + ahead() + CLAIM_END + tail


def ahead() -> str:
    """What is claimed about other libraries, and whose rows it does not hold of."""
    found = both()
    behind, every = sum(one.behind for one in found), sum(one.rows for one in found)
    presets, named = sum(one.presets for one in found), sum(one.named for one in found)
    behind_fit, by_hand = presets + named, behind - presets - named
    others = _named(
        [one for one in found if one.rows > one.presets + one.named],
        {one.target for one in found},
    )
    hand = f" ({by_hand} of them are behind settings by hand)" if by_hand else ""
    text = (
        f"We measured {every:,} builds of other libraries (page *Ahead* of `make docs`), with all "
        f"operations or a part. For {presets:,} of them, an unchanged preset of ours is no larger, "
        f"needs no more RAM and is no slower. For {named:,} more, `fit` finds such a configuration "
        f"when its limits are the figures of the build. For {every - behind_fit:,} it does not"
        f"{hand}: {others}."
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
