#!/usr/bin/env python3
"""The heap figures of the article on tuning Mbed TLS, by the program that made them.

The article says that a script of the sources gives its figures: scripts/ecc-heap.sh, which runs
programs/test/benchmark. Version 2.4.0 is the oldest that a package carries; the article is of 2.2.
The program's clock and its random numbers are replaced, so that it does the same on every machine.

tools/docs/ecc_heap.py            measures, and keeps the figures in results/ecc-heap.json
tools/docs/ecc_heap.py --check    writes nothing; exit code 1 when they are others
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from ecfit.build.fetch import package_folder
from ecfit.choices.peers import Package
from ecfit.paths import write_atomic
from ecfit_studies.survey.coverage import HEAP, HeapFigure

PACKAGE = Package(
    "cargo",
    "mbedtls-sys-auto",
    "2.4.0",
    "5ce5d5a4de194fb71a33532014041bf4a9a63c775c7a930df40aa9415b7c2459",
)
FILES = ("bignum", "ecp", "ecp_curves", "ecdh", "ecdsa", "platform", "memory_buffer_alloc")
SETTINGS = [*((0, window) for window in (2, 3, 4, 5, 6)), (1, 4)]  # fixed point, window
CURVES = {"ECDHE-secp256r1": "secp256r1", "ECDHE-Curve25519": "x25519"}
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
# In place of timing.c and of libc's rand(): the alarm comes after so many random numbers. The
# allocator's answers are printed, too.
STUBS = """\
#include <stdio.h>
#include "mbedtls/memory_buffer_alloc.h"
#include "mbedtls/timing.h"

volatile int mbedtls_timing_alarmed;
static unsigned drawn, state;

int rand(void)
{
    state = state * 1103515245u + 12345u;
    mbedtls_timing_alarmed = ++drawn >= 4000;
    return (int)(state >> 8 & 0x7fffff);
}

void mbedtls_set_alarm(int seconds)
{
    (void)seconds;
    drawn = state = 0;
    mbedtls_timing_alarmed = 0;
}

unsigned long mbedtls_timing_hardclock(void)
{
    return 0;
}

void told_max(size_t *used, size_t *blocks)
{
    mbedtls_memory_buffer_alloc_max_get(used, blocks);
    printf("[%lu blocks]", (unsigned long)*blocks);
}
"""


def measured() -> list[HeapFigure]:
    """Every figure, in the order of the settings. Errors: BuildError, CalledProcessError."""
    source, found = package_folder("the article's script", PACKAGE) / "vendor", []
    for fixed, window in SETTINGS:
        for name, heap, blocks in _run(source, fixed, window):
            if name == "x25519" and (fixed, window) != (0, 4):
                continue  # neither setting is about it
            found.append(
                HeapFigure(
                    curve=name,
                    window=window,
                    fixed_point=fixed,
                    heap_bytes=heap,
                    blocks=blocks,
                    version=PACKAGE.version,
                )
            )
    return found


def _run(source: Path, fixed: int, window: int) -> list[tuple[str, int, int]]:
    """Curve, heap bytes and blocks that the program prints."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        settings = (
            f"#define MBEDTLS_ECP_WINDOW_SIZE {window}\n"
            f"#define MBEDTLS_ECP_FIXED_POINT_OPTIM {fixed}\n"
        )
        (folder / "heap_config.h").write_text(CONFIGURATION + settings, encoding="utf-8")
        (folder / "stubs.c").write_text(STUBS, encoding="utf-8")
        library = [str(source / "library" / f"{name}.c") for name in (*FILES, "asn1parse")]
        library.append(str(source / "library" / "asn1write.c"))
        program = ["-Dmbedtls_memory_buffer_alloc_max_get=told_max", "-c"]
        common = ["cc", "-O2", "-w", "-I.", f"-I{source / 'include'}"]
        common.append("-DMBEDTLS_CONFIG_FILE=<heap_config.h>")
        benchmark = str(source / "programs" / "test" / "benchmark.c")
        for command in (
            [*common, *program, benchmark, "-o", "benchmark.o"],
            [*common, "benchmark.o", "stubs.c", *library, "-o", "benchmark"],
        ):
            subprocess.run(command, cwd=folder, check=True, timeout=300)
        ran = [str(folder / "benchmark"), "ecdh"]
        text = subprocess.run(ran, capture_output=True, text=True, check=True, timeout=600).stdout
    line = re.compile(r"(\S+) +:.*\[(\d+) blocks\] *(\d+) heap bytes")
    rows = [line.search(row) for row in text.splitlines()]
    return [(CURVES[row[1]], int(row[3]), int(row[2])) for row in rows if row and row[1] in CURVES]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="The heap figures of an article, by its program.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    data = b"".join(msgspec.json.encode(one) + b"\n" for one in measured())
    if parser.parse_args().check:
        if HEAP.read_bytes() != data:
            sys.stderr.write("results/ecc-heap.json: not today's: run 'tools/docs/ecc_heap.py'\n")
            return 1
        return 0
    write_atomic(HEAP, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
