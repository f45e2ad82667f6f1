#!/usr/bin/env python3
"""Lines of code and prose that are wider than WIDTH columns; exit code 1 and one line per finding.

Not looked at: generated C, tables of Markdown, data in TOML that stands on one line (texts there
can take several), and what cannot be broken: one word, be it behind the mark of a list or comment.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 100
SUFFIXES = {
    *(".py", ".c", ".h", ".inc", ".def", ".S", ".in", ".sh", ".md", ".toml"),
    *(".html", ".css", ".js"),
}
NAMES = {"Makefile", "run", "LICENSE"}  # run: .ci/run
GENERATED = re.compile(
    r"_comb_\w+\.inc$|_params\.inc$|/(comb|params)/|ecfit_config(_check)?\b.*\.h$"
)
UNBREAKABLE = re.compile(r"\s*(?:[-*#]+ |/\*+ |// )?\S+$")
TEXT = re.compile(r"""\s*(?:[\w."-]+ = )?(?:"[^"]*"|'[^']*'),?$""")
VALUE = re.compile(r"""\s*(?:[\w."-]+ = |[\[{"'\d])""")


def findings(name: str, text: str) -> Iterator[str]:
    """The lines of a file that are too wide."""
    quoted = False  # inside a text of several lines, in TOML
    for number, line in enumerate(text.split("\n"), 1):
        whole = not quoted
        quoted ^= name.endswith(".toml") and line.count('"""') % 2 == 1
        if len(line) <= WIDTH or UNBREAKABLE.match(line):
            continue
        if name.endswith(".md") and line.startswith("|"):
            continue
        if name.endswith(".toml") and whole and not _prose(line):
            continue
        yield f"{name}:{number}: {len(line)} columns, {WIDTH} are the width of the house"


def _prose(line: str) -> bool:
    """Is a line of TOML a comment, or one text, or data with a comment that makes it too wide?"""
    if TEXT.match(line):
        return " " in line.rpartition(" = ")[2].strip()
    return not VALUE.match(line) or 0 < len(line.rpartition(" # ")[0]) <= WIDTH


def files(root: Path) -> list[str]:
    """What people write in the repository, by its ending."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return [
        name
        for name in found.stdout.splitlines()
        if (Path(name).suffix in SUFFIXES or Path(name).name in NAMES)
        and not GENERATED.search(name)
        and (root / name).is_file()
    ]


def all_findings(root: Path) -> list[str]:
    """Those of every file."""
    return [
        finding
        for name in files(root)
        for finding in findings(name, (root / name).read_text(encoding="utf-8"))
    ]


def main() -> None:
    """Command line: no arguments."""
    if found := all_findings(ROOT):
        sys.exit("\n".join(f"lint_width: {line}" for line in found))


if __name__ == "__main__":
    main()
