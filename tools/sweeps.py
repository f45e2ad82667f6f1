#!/usr/bin/env python3
"""When each sweep last passed. A sweep is a make target that no ring of CI runs: SWEEPS there.

tools/sweeps.py begin NAME     before the sweep: keeps the time and the commit in .cache/sweeps
tools/sweeps.py passed NAME    behind it: keeps date, commit and minutes in results/sweeps.toml, and
                               writes the table
tools/sweeps.py doc            writes the table of CONTRIBUTING.md from that file
tools/sweeps.py check          writes nothing; exit code 1 when the table differs

A pass outside a git checkout, or under `make --ignore-errors`, is not kept. Of the variables behind
`make NAME`, those that say how much ran are kept with their values, of others the name.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KEPT, PAGE, BEGUN = "results/sweeps.toml", "CONTRIBUTING.md", ".cache/sweeps"
BEGIN, END = "<!-- table: tools/sweeps.py doc -->\n", "<!-- end -->\n"
HEAD = "# When each sweep last passed: tools/sweeps.py writes this, nobody else.\n"
SIZES = {"EACH", "KEEP", "N", "SAMPLE", "SECONDS", "SEED"}  # variables whose values are kept
IGNORED = {"JOBS"}
NAMES = re.compile(r"^SWEEPS := ((?:.*\\\n)*.*)\n", re.MULTILINE)


def sweeps(root: Path) -> list[str]:
    """Their names, in the order of the Makefile."""
    found = NAMES.search((root / "Makefile").read_text(encoding="utf-8"))
    return found[1].replace("\\", "").split() if found else []


def kept(root: Path) -> dict[str, dict[str, Any]]:
    """The last pass of each sweep that has one."""
    path = root / KEPT
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def keep(root: Path, passes: dict[str, dict[str, Any]]) -> None:
    """Writes the file (atomically)."""
    lines = [HEAD]
    for name, row in sorted(passes.items()):
        lines.append(f"\n[{name}]\n")
        lines += [f"{key} = {toml(value)}\n" for key, value in row.items()]
    partial = root / f"{KEPT}.partial"
    partial.write_text("".join(lines), encoding="utf-8")
    partial.replace(root / KEPT)


def toml(value: object) -> str:
    """A date, a number or a text without quotes in it."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def git(root: Path, *words: str) -> str:
    """What git says; empty where this is no checkout, or there is no git."""
    try:
        done = subprocess.run(
            ["git", "-C", root, *words], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def commit(root: Path) -> str:
    """The short hash of the commit, with -dirty if the tree has something else; empty: no git."""
    head = git(root, "rev-parse", "--short=8", "HEAD")
    others = [f":!{name}" for name in (KEPT, PAGE)]  # what this program writes
    return head + "-dirty" * bool(head and git(root, "status", "--porcelain", "--", ".", *others))


def options(flags: str) -> str:
    """What make's command line set, from MAKEFLAGS; paths stay out."""
    words = shlex.split(flags.partition("-- ")[2])
    named = [word.partition("=") for word in words]
    return " ".join(
        f"{name}={value}" if name in SIZES and value.isalnum() else name
        for name, _, value in sorted(named)
        if name not in IGNORED
    )


def begin(root: Path, name: str) -> None:
    """Keeps when and on which commit the sweep begins."""
    path = root / BEGUN / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{time.time():.0f} {commit(root)}", encoding="utf-8")


def passed(root: Path, name: str) -> None:
    """Keeps a pass, and writes the table. Errors: OSError, where begin() was not called."""
    start, _, on = (root / BEGUN / name).read_text(encoding="utf-8").partition(" ")
    flags = os.environ.get("MAKEFLAGS", "")
    single = flags.partition(" ")[0]
    if not on or (not single.startswith("-") and "i" in single):
        return
    if commit(root).partition("-")[0] != on.partition("-")[0]:  # somebody committed meanwhile
        on = on.removesuffix("-dirty") + "-dirty"
    row = {
        "date": time.strftime("%Y-%m-%d"),
        "commit": on,
        "minutes": round((time.time() - int(start)) / 60),
        "options": options(flags),
    }
    keep(root, kept(root) | {name: row})
    write(root)
    print(f"{name}: passed on {on}; {KEPT} and {PAGE} have it")


def table(root: Path) -> str:
    """A row for each sweep. Errors: ValueError for a pass of what is no sweep."""
    passes, names = kept(root), sweeps(root)
    if set(passes) - set(names):
        raise ValueError(f"{KEPT}: no sweep of the Makefile: {sorted(set(passes) - set(names))}")
    lines = [
        "| target | last passed | on commit | minutes | with |",
        "| --- | --- | --- | ---: | --- |",
    ]
    for name in names:
        row = passes.get(name)
        cells = (
            (str(row["date"]), f"`{row['commit']}`", str(row["minutes"]), row["options"])
            if row
            else ("never recorded", "", "", "")
        )
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page(root: Path) -> str:
    """The page with today's table."""
    head, _, rest = (root / PAGE).read_text(encoding="utf-8").partition(BEGIN)
    return f"{head}{BEGIN}\n{table(root)}\n{END}{rest.partition(END)[2]}"


def write(root: Path) -> None:
    """Writes the table."""
    (root / PAGE).write_text(page(root), encoding="utf-8")


def main(words: Sequence[str]) -> int:
    """Command line."""
    try:
        if words[:1] == ["begin"] and len(words) == 2:
            begin(ROOT, words[1])
        elif words[:1] == ["passed"] and len(words) == 2:
            passed(ROOT, words[1])
        elif words == ["doc"]:
            write(ROOT)
        elif words == ["check"]:
            if page(ROOT) != (ROOT / PAGE).read_text(encoding="utf-8"):
                print(f"{PAGE}: its table of sweeps differs: run tools/sweeps.py doc")
                return 1
        else:
            print("usage: sweeps.py begin NAME | passed NAME | doc | check", file=sys.stderr)
            return 2
    except (OSError, ValueError) as error:
        print(f"sweeps.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
