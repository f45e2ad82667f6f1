"""Measures the boot loader and writes the tables of docs/secure-boot.md.

    .venv/bin/python examples/secure-boot/table.py [--check]

--check: writes nothing; exit code 1 where the document says something else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from boot_attacks import changed
from secureboot import (
    ALGORITHMS,
    HEADER,
    HYBRIDS,
    LIBRARIES,
    MBEDTLS_HEAP,
    RUNS,
    Algorithm,
    Library,
    build_boot,
    build_program,
    chip,
    make_key,
    run,
    sign,
    sign_again,
)

from ecfit.choices.targets import find_target
from ecfit.paths import ROOT

DOCUMENT = ROOT / "docs" / "secure-boot.md"
BEGIN, END = "<!-- table: examples/secure-boot/table.py -->\n", "<!-- end -->\n"
BEGIN_HYBRID = "<!-- table: examples/secure-boot/table.py, hybrid -->\n"
CHIPS = ("samd21", "nrf52840")
HYBRID_CHIPS = (*CHIPS, "nrf5340")
MODE = "datasheet"
SMALL, LARGE = 4096, 20480  # bytes of programs
SHOWN = {"ecdsa-p256": "ECDSA P-256", "ed25519": "Ed25519", "ecdsa-p384": "ECDSA P-384"}
SHOWN |= {f"{name}+mldsa44": f"{SHOWN[name]} and ML-DSA-44" for name in ("ecdsa-p256", "ed25519")}


class Measured(NamedTuple):
    """Of a boot loader, all of it: bytes of flash, of data and of stack in RAM; cycles from the
    reset into a program of SMALL bytes, and for each KiB more.
    """

    flash: int
    data: int
    stack: int
    cycles: int
    per_kib: int


def offered(algorithm: Algorithm, library: Library) -> bool:
    """Mbed TLS 3.6 has no Ed25519."""
    return library.preset is not None or bool(algorithm.mbedtls)


def measure(name: str, algorithm: Algorithm, library: Library) -> Measured:
    """One line."""
    where, mode, key = chip(name), find_target(name).mode(MODE), make_key(algorithm, "table")
    boot = build_boot(where, algorithm, library, key, smallest_heap(algorithm, library))
    image = sign_again(algorithm, build_program(where, algorithm, SMALL), key)
    done = run(where, boot, image, mode=mode)
    assert done.bkpt == RUNS, done
    hashed = []  # of images that are altered: their runs end behind the first hash
    for size in (SMALL, LARGE):
        image = sign(algorithm, build_program(where, algorithm, size), key)
        altered = changed(image, HEADER + SMALL - 1)
        hashed.append(run(where, boot, altered, mode=mode).cycles)
    return Measured(
        flash=sum(len(segment.data) for segment in boot.segments),
        data=boot.sections[".data"] + boot.sections[".bss"],
        stack=boot.symbols["image_stack_top"] - done.stack_low,
        cycles=done.cycles,
        per_kib=2 * (hashed[1] - hashed[0]) * 1024 // (LARGE - SMALL),  # hashed twice
    )


@cache
def smallest_heap(algorithm: Algorithm, library: Library) -> int:
    """The smallest multiple of 64 bytes with which Mbed TLS verifies: the same on both chips,
    whose pointers and numbers are of one size.
    """
    if library.preset is not None:
        return MBEDTLS_HEAP
    where, key = chip(CHIPS[-1]), make_key(algorithm, "table")
    image = sign_again(algorithm, build_program(where, algorithm, SMALL), key)
    low, high = 0, MBEDTLS_HEAP // 64
    while high - low > 1:
        middle = (low + high) // 2
        boot = build_boot(where, algorithm, library, key, 64 * middle)
        low, high = (low, middle) if run(where, boot, image).bkpt == RUNS else (middle, high)
    return 64 * high


def row(name: str, algorithm: Algorithm, library: Library) -> str:
    """One line of the table."""
    clock = find_target(name).clock
    one = measure(name, algorithm, library)
    assert clock is not None
    cells = (SHOWN[algorithm.name], name, library.name, f"{one.flash:,}", f"{one.data:,}",
             f"{one.stack:,}", f"{one.cycles / clock.hz * 1e3:,.0f}",
             f"{one.per_kib / clock.hz * 1e3:.2f}")  # fmt: skip
    return f"| {' | '.join(cells)} |\n"


def table(algorithms: Iterable[Algorithm], chips: Sequence[str]) -> str:
    """All of it."""
    head = ("algorithm", "chip", "library", "flash B", "data B", "stack B", "ms", "ms a KiB more")
    text = f"| {' | '.join(head)} |\n| --- | --- | --- |{' ---: |' * 5}\n"
    for algorithm in algorithms:
        for name in chips:
            for library in LIBRARIES.values():
                if offered(algorithm, library):
                    text += row(name, algorithm, library)
                    sys.stderr.write(text.splitlines()[-1] + "\n")
    return text


def main() -> int:
    """Command line."""
    text = DOCUMENT.read_text(encoding="utf-8")
    new = text
    for begin, algorithms, chips in (
        (BEGIN, ALGORITHMS, CHIPS),
        (BEGIN_HYBRID, HYBRIDS, HYBRID_CHIPS),
    ):
        before, _, rest = new.partition(begin)
        made = table(algorithms.values(), chips)
        new = f"{before}{begin}\n{made}\n{END}{rest.partition(END)[2]}"
    if "--check" in sys.argv:
        return text != new
    DOCUMENT.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
