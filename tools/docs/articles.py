#!/usr/bin/env python3
"""The figures of two articles about Mbed TLS, by the program that made them: the benchmark of its
sources (programs/test), compiled with -O2, as their build does.

The article on tuning has the settings of scripts/ecc-heap.sh. It is of version 2.2; the oldest that
a package carries is 2.4.0. The comparison of curves is of 2.18.0 with its default settings. The
program's clock and its random numbers are replaced, so that it does the same on every machine:
instructions are counted by callgrind, beside the least time of rounds in turn.

tools/docs/articles.py            measures, and keeps the figures in results/articles.json
tools/docs/articles.py --check    writes nothing; exit code 1 when they are others, times left out
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

import msgspec

from ecfit.build.fetch import package_folder
from ecfit.choices.peers import Package
from ecfit.paths import write_atomic
from ecfit_studies.survey.articles import FIGURES, ArticleFigure, kept

SHA256 = {
    "2.4.0": "5ce5d5a4de194fb71a33532014041bf4a9a63c775c7a930df40aa9415b7c2459",
    "2.18.0": "7edd5eedd6d30328bdbced98dccb8b75b88713677af8c0fe9d40e9daf18d0b39",
}
SETTINGS = [*((0, window) for window in (2, 3, 4, 5, 6)), (1, 4)]  # fixed point, window
COUNTED, TIMED, ROUNDS = 4, 20, 15  # operations under callgrind, in a round; rounds
LIKE = 0.02  # the part by which a count of another compiler may differ
SPREAD = 0.05  # a time is kept below it: from the least of the rounds to their lower quartile
SMALL = (
    *("bignum", "ecp", "ecp_curves", "ecdh", "ecdsa", "platform", "memory_buffer_alloc"),
    *("asn1parse", "asn1write"),
)
CONFIGURATION = """\
#include <stddef.h>
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_MEMORY_BUFFER_ALLOC_C
#define MBEDTLS_MEMORY_DEBUG
#define MBEDTLS_TIMING_C
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_ECDSA_C
#define MBEDTLS_ECDH_C
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECP_DP_CURVE25519_ENABLED
"""
# In place of timing.c and of libc's rand(). The program asks expired() before each operation: the
# first one makes the table of the base point and does not count. The allocator's answers are
# printed, too.
CLOCK = """\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "mbedtls/timing.h"

static unsigned asked, count, state;
static struct timespec start;

int rand(void)
{
    state = state * 1103515245u + 12345u;
    return (int)(state >> 8 & 0x7fffff);
}

void mbedtls_set_alarm(int seconds)
{
    (void)seconds;
    asked = state = 0;
    count = (unsigned)atoi(getenv("COUNT"));
}

unsigned long mbedtls_timing_hardclock(void)
{
    return 0;
}

__attribute__((noinline)) void begun(void)
{
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
}

__attribute__((noinline)) void ended(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    double ns = 1e9 * (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec);
    printf("[%.0f ns]", ns / count);
}

int expired(void)
{
    if (asked == 1)
        begun();
    if (asked == count + 1) {
        ended();
        return 1;
    }
    asked++;
    return 0;
}

#ifdef MBEDTLS_MEMORY_DEBUG
#include "mbedtls/memory_buffer_alloc.h"
void told_max(size_t *used, size_t *blocks)
{
    mbedtls_memory_buffer_alloc_max_get(used, blocks);
    printf("[%lu blocks]", (unsigned long)*blocks);
}
#endif
"""
LINE = re.compile(
    r"(\w+)-(\w+) +: +\[(\d+) ns\] *\d+ (\w+)/s(?: *\[(\d+) blocks\] *(\d+) heap bytes)?"
)
CURVES = {"Curve25519": "x25519"}
OPS = {("ECDSA", "sign"): "sign", ("ECDSA", "verify"): "verify", ("ECDHE", "handshake"): "ecdhe"}


class Program(NamedTuple):
    """The benchmark of a version, built with settings: fixed point and window, or its defaults."""

    path: Path
    version: str
    settings: tuple[int, int] | None

    @property
    def asks(self) -> list[str]:
        """Its arguments."""
        return ["ecdsa", "ecdh"] if self.settings is None else ["ecdh"]


def build(version: str, settings: tuple[int, int] | None, folder: Path) -> Program:
    """Builds the benchmark. Errors: PackageError, MissingToolError, CalledProcessError."""
    package = Package("cargo", "mbedtls-sys-auto", version, SHA256[version])
    source = package_folder("an article's program", package) / "vendor"
    common = ["cc", "-O2", "-w", "-I.", f"-I{source / 'include'}"]
    files = [path for path in (source / "library").glob("*.c") if path.stem != "timing"]
    if settings is not None:
        fixed, window = settings
        chosen = (
            f"#define MBEDTLS_ECP_WINDOW_SIZE {window}\n"
            f"#define MBEDTLS_ECP_FIXED_POINT_OPTIM {fixed}\n"
        )
        (folder / "heap_config.h").write_text(CONFIGURATION + chosen, encoding="utf-8")
        common.append("-DMBEDTLS_CONFIG_FILE=<heap_config.h>")
        files = [path for path in files if path.stem in SMALL]
    (folder / "clock.c").write_text(CLOCK, encoding="utf-8")
    program = [*common, "-Dmbedtls_timing_alarmed=expired()", "-c", "-o", "benchmark.o"]
    program += ["-Dmbedtls_memory_buffer_alloc_max_get=told_max"] * (settings is not None)
    for command in (
        [*program, str(source / "programs" / "test" / "benchmark.c")],
        [*common, "benchmark.o", "clock.c", *map(str, files), "-o", "benchmark"],
    ):
        subprocess.run(command, cwd=folder, check=True, timeout=300)
    return Program(folder / "benchmark", version, settings)


def _run(program: Program, count: int, before: Sequence[str] = ()) -> list[re.Match[str]]:
    """The lines that the program prints; `before`: of its command."""
    done = subprocess.run(
        [*before, str(program.path), *program.asks],
        cwd=program.path.parent,
        env={**os.environ, "COUNT": str(count)},
        capture_output=True,
        text=True,
        check=True,
        timeout=1800,
    )
    return [found for line in done.stdout.splitlines() if (found := LINE.search(line))]


def counted(program: Program) -> list[ArticleFigure]:
    """Its figures with instructions of an operation, and without times."""
    counter = ["valgrind", "-q", "--tool=callgrind", "--zero-before=begun", "--dump-before=ended"]
    rows = _run(program, COUNTED, [*counter, "--callgrind-out-file=counts"])
    heaps = _run(program, TIMED * 10) if program.settings else rows  # of more random numbers
    figures = []
    for number, (row, heap) in enumerate(zip(rows, heaps, strict=True), 1):
        op, curve = OPS.get((row[1], row[4])), CURVES.get(row[2], row[2])
        wanted = program.settings in (None, SETTINGS[2]) or curve == "secp256r1"
        if op is None or not wanted or curve.endswith("k1"):
            continue  # what no article has; X25519 has neither setting
        text = (program.path.parent / f"counts.{number}").read_text(encoding="utf-8")
        total = re.search(r"^totals: (\d+)$", text, re.MULTILINE)
        assert total is not None, f"callgrind's file of {row[0]} has no total"
        fixed, window = program.settings or (None, None)
        figures.append(
            ArticleFigure(
                version=program.version,
                curve=curve,
                op=op,
                window=window,
                fixed_point=fixed,
                instructions=round(int(total[1]) / COUNTED),
                heap_bytes=int(heap[6]) if heap[6] else None,
                blocks=int(heap[5]) if heap[5] else None,
            )
        )
    return figures


def timed(programs: Sequence[Program], figures: Sequence[ArticleFigure]) -> list[ArticleFigure]:
    """The figures with the least time of an operation, of rounds in which all take their turn."""
    times = defaultdict[tuple[object, ...], list[float]](list)
    for _ in range(ROUNDS):
        for program in programs:
            for row in _run(program, TIMED):
                key = program.version, program.settings, row[1], row[4], CURVES.get(row[2], row[2])
                times[key].append(int(row[3]) / 1000)
    told = []
    for figure in figures:
        settings = None if figure.fixed_point is None else (figure.fixed_point, figure.window)
        (words,) = (words for words, op in OPS.items() if op == figure.op)
        mine = times[figure.version, settings, *words, figure.curve]
        spread = quantiles(mine)[0] / min(mine) - 1
        time = {"time_us": round(min(mine), 1), "time_spread": round(spread, 4)}
        told.append(msgspec.structs.replace(figure, **time if spread < SPREAD else {}))
    return told


def base_again() -> list[ArticleFigure]:
    """A window of 4 without a table, by which the other settings are divided, measured again."""
    with tempfile.TemporaryDirectory() as scratch:
        return counted(build("2.4.0", SETTINGS[2], Path(scratch)))


def alike(again: Sequence[ArticleFigure]) -> bool:
    """Whether figures of that setting are those that are kept: the same bytes, and instructions
    that differ by less than 2 %, since those are of a compiler and of libc, too.
    """
    before = [row for row in kept() if (row.fixed_point, row.window) == SETTINGS[2]]
    if [row.without_count() for row in again] != [row.without_count() for row in before]:
        return False
    pairs = zip(again, before, strict=True)
    return all(abs(a.instructions / b.instructions - 1) < LIKE for a, b in pairs)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="The figures of two articles, by their program.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch:
        programs: list[Program] = []
        for settings in (*SETTINGS, None):
            folder = Path(scratch, str(len(programs)))
            folder.mkdir()
            programs.append(build("2.4.0" if settings else "2.18.0", settings, folder))
        figures = [figure for program in programs for figure in counted(program)]
        if not check:
            figures = timed(programs, figures)
    if check:
        if figures != [figure.without_time() for figure in kept()]:
            sys.stderr.write("results/articles.json: not today's: run 'tools/docs/articles.py'\n")
            return 1
        return 0
    write_atomic(FIGURES, b"".join(msgspec.json.encode(figure) + b"\n" for figure in figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
