#!/usr/bin/env python3
"""Lines and branches of lib/src that the host tests run, over every curve and configuration that they build.

    tools/coverage.py [pytest arguments]    runs the tests (those named, else FILES) on builds with gcov, then reports
    tools/coverage.py --report              reports what the last run left

A template is compiled once per curve and configuration; what counts is its text. A line is covered when any instance of
it ran, a branch when any instance went that way: an `if` that is constant in an instance has no branches there. Built
without optimisation, so that lines are those of the source. Exit code 1 where less than LIMIT of the lines or branches
that docs/coverage.toml does not except is covered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "lib" / "src"
CACHE = ROOT / ".cache" / "coverage"
EXCEPTIONS = ROOT / "docs" / "coverage.toml"
LIMIT = 98.0
SECONDS = 120
FLAGS = "-O0 -ffunction-sections -fdata-sections -Wl,--gc-sections --coverage"  # without what a build does not use
# Tests that call the library in the process; the others (lints, valgrind, simulator) build their own.
FILES = [
    "test_api_vectors", "test_api_errors", "test_api_differential", "test_sha256", "test_open_arithmetic", "test_toy",
    "test_toy_mul", "test_curves", "test_der", "test_published", "test_rng", "test_steps", "test_wycheproof",
    "test_hashes", "test_rfc_exchange", "test_rfc_signatures", "test_rfc_arithmetic", "test_rfc_toy",
]  # fmt: skip


@dataclass
class Counts:
    """One file: runs of each line; ways of each branch, by line, number of ways, and place among them."""

    lines: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    branches: dict[tuple[int, int, int], int] = field(default_factory=lambda: defaultdict(int))

    def missing(self, excepted: set[int]) -> tuple[list[int], list[int]]:
        """Lines that never ran, and lines with a way never taken among those that ran."""
        lines = sorted(line for line, count in self.lines.items() if not count and line not in excepted)
        ways = {line for (line, _, _), count in self.branches.items() if not count and line not in excepted}
        return lines, sorted(ways - set(lines))


def run_tests(arguments: list[str]) -> int:
    """The tests on builds with counters; those of an earlier run are removed. Returns pytest's exit code."""
    for path in CACHE.rglob("*.gcda"):
        path.unlink()
    variables = {
        "ECFIT_CACHE": str(CACHE),
        "ECFIT_TEST_CC": "gcc",
        "ECFIT_TEST_CFLAGS": FLAGS,
        "ECFIT_TEST_SCALE": "small",
    }
    named = any(".py" in argument for argument in arguments)
    files = [] if named else [f"tests/lib/{name}.py" for name in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | variables, check=False).returncode


def gcov(path: Path) -> list[dict[str, Any]]:
    """What one build has counted, by file."""
    command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", str(path)]
    run = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=SECONDS, check=True)
    files: list[dict[str, Any]] = json.loads(run.stdout)["files"]
    return files


def collect() -> dict[str, Counts]:
    """All builds together, by path below lib/src."""
    found: dict[str, Counts] = defaultdict(Counts)
    with ThreadPoolExecutor(2) as pool:
        for files in pool.map(gcov, sorted(CACHE.rglob("*.gcda"))):
            for entry in files:
                path = Path(entry["file"])
                if path.is_relative_to(SRC):
                    add(found[str(path.relative_to(SRC))], entry["lines"])
    return found


def add(counts: Counts, lines: Iterable[dict[str, Any]]) -> None:
    """One build's lines of one file, each once per function that has it."""
    for line in lines:
        number, branches = line["line_number"], line["branches"]
        counts.lines[number] += line["count"]
        for at, branch in enumerate(branches):
            counts.branches[number, len(branches), at] += branch["count"]


def excepted_lines() -> dict[str, set[int]]:
    """The lines of docs/coverage.toml. Errors: ValueError for one that is no longer in its file, or is there twice."""
    found: dict[str, set[int]] = defaultdict(set)
    if EXCEPTIONS.is_file():
        for entry in tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8")).get("exception", []):
            text = (SRC / entry["file"]).read_text(encoding="utf-8").splitlines()
            at = [number for number, line in enumerate(text, 1) if line.strip() == entry["line"]]
            if not at:
                raise ValueError(f"docs/coverage.toml: {entry['file']} has no line '{entry['line']}'")
            found[entry["file"]] |= set(at)
    return found


def without_build(found: dict[str, Counts]) -> Iterator[str]:
    """Files with functions that no build of the tests has."""
    for path in sorted(SRC.rglob("*.inc")):
        name = str(path.relative_to(SRC))
        if name not in found and "\n{\n" in path.read_text(encoding="utf-8"):
            yield name


def report(found: dict[str, Counts]) -> int:
    """The table; 0 when both parts are at least LIMIT."""
    excepted = excepted_lines()
    totals = [0, 0, 0, 0]
    for name, counts in sorted(found.items()):
        left_out = excepted.get(name, set())
        lines = [count for line, count in counts.lines.items() if line not in left_out]
        ways = [count for (line, _, _), count in counts.branches.items() if line not in left_out]
        row = [len(lines), sum(map(bool, lines)), len(ways), sum(map(bool, ways))]
        totals = [total + part for total, part in zip(totals, row, strict=True)]
        never, half = counts.missing(left_out)
        if never or half:
            text = f"{name}: lines {row[1]}/{row[0]}, branches {row[3]}/{row[2]}"
            print(text + (f"; never {never}" if never else "") + (f"; one way only {half}" if half else ""))
    absent = list(without_build(found))
    for name in absent:
        print(f"{name}: in no build")
    shares = [100 * ran / count if count else 100.0 for count, ran in (totals[:2], totals[2:])]
    print(f"lines {totals[1]}/{totals[0]} ({shares[0]:.1f} %), branches {totals[3]}/{totals[2]} ({shares[1]:.1f} %)")
    return int(min(shares) < LIMIT or bool(absent))


def main() -> int:
    """Command line."""
    arguments = sys.argv[1:]
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if arguments != ["--report"] and run_tests(arguments):
        print("coverage: a test failed", file=sys.stderr)
        return 1
    found = collect()
    if not found:
        print("coverage: nothing was counted: run it without --report first", file=sys.stderr)
        return 1
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
