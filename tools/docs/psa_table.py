#!/usr/bin/env python3
"""Measures examples/psa on three chips, with Mbed TLS and with compat/psa, and writes the table of
docs/from-psa.md.

tools/docs/psa_table.py            writes
tools/docs/psa_table.py --check    writes nothing; exit code 1 where a line differs
--chip nrf52840, --library "ecfit tiny"    measure some lines, and leave the others
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ecfit.build.elf import Elf
from ecfit.build.fetch import code_folder
from ecfit.choices.peers import all_peers
from ecfit.paths import ROOT
from tools.docs import example_table
from tools.docs.uecc_table import CHIPS, END, MEMORY, PARTS, Measured, between

PAGE = ROOT / "docs" / "from-psa.md"
BEGIN = "<!-- table: tools/docs/psa_table.py -->\n"
OTHERS = {"Mbed TLS 3.6.5": "", "Mbed TLS with p256-m": "P256M=1"}
PRESETS = ("tiny", "lowram", "balanced")
LIBRARIES = (*OTHERS, *(f"ecfit {preset}" for preset in PRESETS))


def built(chip: str, library: str, part: str, folder: Path) -> tuple[Path, int]:
    """A program with one operation, all (`a`) or none (`0`); its flash. Errors: RuntimeError."""
    words = [f"TARGET_{chip}={chip}", f"BOARD_{chip}=simulator", f"CORE_{chip}={CHIPS[chip]}",
             f"MEMORY_{chip}={MEMORY}"]  # fmt: skip
    if library in OTHERS:
        words.append(f"MBEDTLS={code_folder(all_peers()['mbedtls']) / 'mbedtls'}")
        words += OTHERS[library].split()
    else:
        words.append(f"PRESET={library.removeprefix('ecfit ')}")
    done = example_table.make("psa", chip, folder, *words, f"DEFINES=-w -DPART=\"'{part}'\"")
    if done.returncode:
        raise RuntimeError(f"{library} for {chip}: {done.stderr}")
    program = folder / "psa.elf"
    elf = Elf(program.read_bytes(), "EM_ARM")
    return program, sum(len(segment.data) for segment in elf.segments)


def measure(chip: str, library: str, part: str, folder: Path) -> Measured:
    """The same, run. Errors: RuntimeError."""
    program, flash = built(chip, library, part, folder)
    command = [*example_table.ECFIT, "measure", "--elf", str(program), "--function", "main",
               "--target", chip, "--expect", "0", "--format", "json"]  # fmt: skip
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(f"{library} for {chip}: {found.stderr or found.stdout}")
    (record,) = json.loads(found.stdout)
    return Measured(flash, record["stack_bytes"], record["time_us"] / 1000)


def row(chip: str, library: str, folder: Path) -> str:
    """One line: flash beyond a program without an operation, stack and time of each."""
    _, empty = built(chip, library, "0", folder / "0")
    _, all_of_it = built(chip, library, "a", folder / "a")
    each = [measure(chip, library, part, folder / part) for part in PARTS]
    cells = [f"{all_of_it - empty:,}", f"{each[-1].flash - empty:,}"]
    cells += [f"{max(one.stack for one in each):,}"]
    cells += [f"{one.ms:,.0f}" for one in each]
    return f"| {chip} | {library} | {' | '.join(cells)} |\n"


def table(kept: str, chips: Sequence[str], libraries: Sequence[str]) -> str:
    """All of it: lines of these chips and libraries measured, others as they were."""
    text = "| chip | library | flash B | flash B, verify alone | stack B |"
    text += "".join(f" {name} ms |" for name in PARTS.values())
    text += f"\n| --- | --- |{' ---: |' * (3 + len(PARTS))}\n"
    with tempfile.TemporaryDirectory(prefix="psa-") as scratch:
        for chip in CHIPS:
            for library in LIBRARIES:
                begin = f"| {chip} | {library} | "
                found = [line for line in kept.splitlines(keepends=True) if line.startswith(begin)]
                if chip in chips and library in libraries:
                    found = [row(chip, library, Path(scratch) / chip / library.replace(" ", "-"))]
                    print(found[0], end="", flush=True)
                text += "".join(found)
    return text


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--chip", choices=[*CHIPS], help="measure the lines of this chip alone")
    parser.add_argument("--library", choices=LIBRARIES, help="and of this library")
    found = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    kept = text.split(BEGIN)[1].split(END)[0]
    chips = [found.chip] if found.chip else [*CHIPS]
    libraries = [found.library] if found.library else [*LIBRARIES]
    new = between(text, BEGIN, table(kept, chips, libraries))
    if not found.check:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit("the table of docs/from-psa.md differs, run tools/docs/psa_table.py")


if __name__ == "__main__":
    main()
