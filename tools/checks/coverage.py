#!/usr/bin/env python3
"""Lines and branches of lib/src that the host tests run, over every curve and configuration
that they build.

    tools/checks/coverage.py [--jobs N] [pytest arguments]   runs the tests (those named, else
                                                             FILES) on builds with gcov, then
                                                             reports; N files at a time, as many as
                                                             processors by default
    tools/checks/coverage.py --report                        reports what the last run left

A template is compiled once per curve and configuration; what counts is its text.
A line is covered when any instance of it ran, a way of a branch when any instance took it;
`a && b` has the ways of both. Built without optimisation and with every function as one,
so that lines and branches are those of the source. An `if` whose condition is a constant
in an instance has no branch there, and what it leaves out no code; a statement that has no code
in any instance counts as a line that never ran, so nothing is covered by not being compiled.

Exit code 1 where less than LIMIT of the lines or of the ways that docs/coverage.toml does
not except is covered.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ecfit.paths import cache_dir

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "lib" / "src"
BUILDS = (
    cache_dir() / "libtest"
)  # of workshop/library/build.py, which has a folder for each set of flags
EXCEPTIONS = ROOT / "docs" / "coverage.toml"
LIMIT = 98.0
SECONDS = 120
# Every function as one, without those that a build does not use.
FLAGS = (
    "-O0 -Dalways_inline=unused -ffunction-sections -fdata-sections -Wl,--gc-sections --coverage"
)
# Tests that call the library in the process; the others (lints, valgrind,
# simulator) build their own. Slow ones first.
FILES = [
    "test_toy", "test_curves", "test_rfc_signatures", "test_toy_mul", "test_published",
    "test_open_arithmetic",
    "test_api_vectors", "test_api_errors", "test_api_differential", "test_rfc_exchange",
    "test_rfc_toy", "test_steps",
    "test_rfc_arithmetic", "test_der", "test_hashes", "test_rng", "test_sha256",
]  # fmt: skip
# Thousands of vectors a build take most of the time, and reach nothing that the others do not.
SELECTED = ["-k", "not wycheproof and not on_a_chip"]


@dataclass
class Counts:
    """One file: runs of each line; ways of each branch, by line, number of ways,
    and place among them.
    """

    lines: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    branches: dict[tuple[int, int, int], int] = field(default_factory=lambda: defaultdict(int))

    def missing(self, excepted: set[int]) -> tuple[list[int], list[int]]:
        """Lines that never ran, and lines with a way never taken among those that ran."""
        lines = sorted(
            line for line, count in self.lines.items() if not count and line not in excepted
        )
        ways = {
            line
            for (line, _, _), count in self.branches.items()
            if not count and line not in excepted
        }
        return lines, sorted(ways - set(lines))


def run_tests(jobs: int, arguments: list[str]) -> bool:
    """The tests on builds with fresh counters, each file in a process of its own.
    Returns whether all passed.
    """
    for path in BUILDS.rglob("*.gcda"):
        path.unlink()
    named = any(".py" in argument for argument in arguments)
    runs = (
        [arguments]
        if named
        else [[f"tests/lib/{name}.py", *SELECTED, *arguments] for name in FILES]
    )
    with ThreadPoolExecutor(jobs) as pool:
        return all(list(pool.map(run_file, runs)))


def run_file(arguments: list[str]) -> bool:
    """One run of pytest: a line with its time, its output only where a test fails."""
    variables = {
        "ECFIT_CACHE": str(cache_dir()),
        "ECFIT_TEST_CC": "gcc",
        "ECFIT_TEST_CFLAGS": FLAGS,
        "ECFIT_TEST_SCALE": "small",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    start = time.monotonic()
    run = subprocess.run(
        command, cwd=ROOT, env=os.environ | variables, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
        check=False,
    )  # fmt: skip
    last = run.stdout.strip().rpartition("\n")[2]
    print(f"{arguments[0]}: {last}; {time.monotonic() - start:.0f} s in all", flush=True)
    if run.returncode:
        print(run.stdout, file=sys.stderr)
    return run.returncode == 0


def gcov(path: Path) -> list[dict[str, Any]]:
    """What one build has counted, by file."""
    command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", str(path)]
    run = subprocess.run(
        command, cwd=path.parent, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    files: list[dict[str, Any]] = json.loads(run.stdout)["files"]
    return files


def collect(jobs: int) -> dict[str, Counts]:
    """All builds together, by path below lib/src; empty where nothing was counted."""
    found: dict[str, Counts] = defaultdict(Counts)
    with ThreadPoolExecutor(jobs) as pool:
        for files in pool.map(gcov, sorted(BUILDS.rglob("*.gcda"))):
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


# A statement that has code: a call, an assignment, an increment, a return. Not a declaration,
# not `(void)x;`, not `break;`, which is a way of the branch before it.
STATEMENT = re.compile(
    r"\s+(?=\S)(?!\(void\)\w+;|static |typedef |enum )"
    r"(.*\);|.*[^=!<>]=[^=].*;|.*(\+\+|--).*;|return\b.*;)"
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def statements(text: str) -> Iterator[int]:
    """Numbers of the lines of functions that are a statement, whole."""
    blank = COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
    inside, begins = False, False
    for number, line in enumerate(map(str.rstrip, blank.split("\n")), 1):
        if line in ("{", "}"):
            inside = line == "{"
        elif inside and begins and STATEMENT.fullmatch(line):
            yield number
        if line:
            begins = line[-1] in ";{}"


def add_what_was_never_compiled(found: dict[str, Counts]) -> None:
    """Statements without code in any build become lines that never ran."""
    for path in sorted(SRC.rglob("*")):
        if path.suffix in (".inc", ".h", ".c"):
            name = str(path.relative_to(SRC))
            for number in statements(path.read_text(encoding="utf-8")):
                found.setdefault(name, Counts()).lines[number] += 0


def excepted_lines() -> dict[str, set[int]]:
    """The lines of docs/coverage.toml. Errors: ValueError for one that is no longer in its file."""
    found: dict[str, set[int]] = defaultdict(set)
    if EXCEPTIONS.is_file():
        for entry in tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8")).get("exception", []):
            text = (SRC / entry["file"]).read_text(encoding="utf-8").splitlines()
            at = [number for number, line in enumerate(text, 1) if line.strip() == entry["line"]]
            if not at:
                raise ValueError(
                    f"docs/coverage.toml: {entry['file']} has no line '{entry['line']}'"
                )
            found[entry["file"]] |= set(at)
    return found


def report(found: dict[str, Counts]) -> int:
    """The table; 0 when both parts are at least LIMIT."""
    excepted = excepted_lines()
    add_what_was_never_compiled(found)
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
            print(
                text
                + (f"; never {never}" if never else "")
                + (f"; not every way {half}" if half else "")
            )
    shares = [100 * ran / count if count else 100.0 for count, ran in (totals[:2], totals[2:])]
    print(
        f"lines {totals[1]}/{totals[0]} ({shares[0]:.1f} %), branches {totals[3]}/{totals[2]} "
        f"({shares[1]:.1f} %)"
    )
    return int(min(shares) < LIMIT)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--report", action="store_true", help="report what the last run left")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    options, arguments = parser.parse_known_args()
    if not options.report and not run_tests(options.jobs, arguments):
        print("coverage: a test failed", file=sys.stderr)
        return 1
    found = collect(options.jobs)
    if not found:
        print("coverage: nothing was counted: run it without --report first", file=sys.stderr)
        return 1
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
