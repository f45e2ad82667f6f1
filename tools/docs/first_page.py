#!/usr/bin/env python3
"""The commands of the documentation's first page, docs/README.md, as they stand there, in a new
clone of this repository with an empty cache, and the time of each.

tools/docs/first_page.py    exit code 1 when one fails or all together take more than ten minutes
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ecfit.paths import ROOT

PAGE = ROOT / "docs" / "README.md"
LIMIT = 600  # seconds
INSTALLS = ("make setup", "apt-get ")


def commands() -> list[str]:
    """The lines of the blocks that a reader types."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    return [line for block in blocks for line in block.splitlines()]


def run(command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A line, as a shell in that folder runs it."""
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, env={**os.environ, **variables},
        capture_output=True, text=True, timeout=LIMIT, check=False,
    )  # fmt: skip


def _say(text: str) -> None:
    sys.stdout.write(f"try: {text}\n")
    sys.stdout.flush()


def main() -> None:
    """Command line: no arguments."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ecfit-try-") as name:
        clone = Path(name) / "ecfit"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        variables = {"ECFIT_CACHE": str(clone / ".cache" / "ecfit")}
        for command in commands():
            if command.startswith("apt-get ") and os.geteuid() != 0:
                _say(f"        {command}   (left out: not root)")
                continue
            before = time.monotonic()
            done = run(command, clone, **variables)
            _say(f"{time.monotonic() - before:5.1f} s {command}")
            if done.returncode:
                sys.exit(f"try: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    took = time.monotonic() - begin
    _say(f"{took:5.1f} s all, of {LIMIT}")
    sys.exit(took > LIMIT)


if __name__ == "__main__":
    main()
