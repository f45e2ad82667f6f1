#!/usr/bin/env python3
"""Measures examples/micro-ecc on three chips, with micro-ecc and with compat/uecc, and writes the
table of docs/from-micro-ecc.md.

tools/docs/uecc_table.py              writes
tools/docs/uecc_table.py --nearest    measures nothing: writes the second table from the first
tools/docs/uecc_table.py --check      writes nothing; exit code 1 where a line differs
--chip samd20, --library "ecfit tiny"    measure some lines, and leave the others
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ecfit.build.elf import Elf
from ecfit.build.fetch import code_folder
from ecfit.choices.peers import all_peers
from ecfit.paths import ROOT
from tools.docs import example_table

PAGE = ROOT / "docs" / "from-micro-ecc.md"
BEGIN, END = "<!-- table: tools/docs/uecc_table.py -->\n", "<!-- end -->\n"
NEAREST = "<!-- table: tools/docs/uecc_table.py --nearest -->\n"
CHIPS = {"nrf51822": "cortex-m0", "samd20": "cortex-m0plus", "nrf52840": "cortex-m4"}
MEMORY = "FLASH=0 FLASH_SIZE=0x40000 RAM=0x20000000 RAM_SIZE=0x2000"
PARTS = {"k": "key pair", "e": "ECDH", "s": "sign", "v": "verify"}
HEADING = "| chip | library | flash B | flash B, verify alone | stack B |"
HEADING += "".join(f" {name} ms |" for name in PARTS.values())
HEADING += f"\n| --- | --- |{' ---: |' * (3 + len(PARTS))}\n"
MICRO = "micro-ecc"
PRESETS = ("tiny", "lowram", "compact", "balanced")
# Settings for rows that are no larger and no slower than micro-ecc. The program does not call
# uECC_valid_public_key() there: ecfit checks each key once without it.
ONE_CHECK = ", one check"
FOUR = "ecfit lowram MULV=digits_four"
BESIDE = {
    "nrf51822": (f"{FOUR}{ONE_CHECK}", f"{FOUR},INVERT_VAR=gcd{ONE_CHECK}"),
    "samd20": (f"{FOUR}{ONE_CHECK}",),
    "nrf52840": (f"ecfit lowram COORDINATES=jacobian_run,MULV=digits,MULD=digits{ONE_CHECK}",),
}
LIBRARIES = (MICRO, *(f"ecfit {preset}" for preset in PRESETS))
ONE_CURVE = " ".join(
    f"-DuECC_SUPPORTS_{name}=0" for name in ("secp160r1", "secp192r1", "secp224r1", "secp256k1")
)


# From the name of a library: words for make, and what the program is compiled with.
Program = Callable[[str], tuple[list[str], str]]


class Measured(NamedTuple):
    """Of one program: all its flash, stack of main(), milliseconds."""

    flash: int
    stack: int
    ms: float


def program(library: str) -> tuple[list[str], str]:
    """Words for make, and what the program is compiled with."""
    if library == MICRO:
        where = code_folder(all_peers()[MICRO]) / "micro-ecc"
        return [f"UECC={where}"], f"{ONE_CURVE} -DuECC_SUPPORT_COMPRESSED_POINT=0"
    preset, _, sets = library.removesuffix(ONE_CHECK).removeprefix("ecfit ").partition(" ")
    words = [f"PRESET={preset}"]
    words += [f"SETS=NONCE=random,COMPRESS=sec1,{sets}"] if sets else []
    return words, "-DASK_IF_VALID=0" if library.endswith(ONE_CHECK) else ""


def measure(chip: str, library: str, part: str, folder: Path, of: Program = program) -> Measured:
    """A program with one operation, or with all (`a`). Errors: RuntimeError."""
    words, more = of(library)
    words += [f"TARGET_{chip}={chip}", f"BOARD_{chip}=simulator", f"CORE_{chip}={CHIPS[chip]}",
              f"MEMORY_{chip}={MEMORY}"]  # fmt: skip
    defines = f"-w -DPART=\"'{part}'\" {more}"
    done = example_table.make(MICRO, chip, folder, *words, f"DEFINES={defines}")
    if done.returncode:
        raise RuntimeError(f"{library} for {chip}: {done.stderr}")
    path = folder / f"{MICRO}.elf"
    command = [*example_table.ECFIT, "measure", "--elf", str(path), "--function", "main",
               "--target", chip, "--expect", "0", "--format", "json"]  # fmt: skip
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(f"{library} for {chip}: {found.stderr or found.stdout}")
    (record,) = json.loads(found.stdout)
    elf = Elf(path.read_bytes(), "EM_ARM")
    flash = sum(len(segment.data) for segment in elf.segments)
    return Measured(flash, record["stack_bytes"], record["time_us"] / 1000)


def row(chip: str, library: str, folder: Path, of: Program = program) -> str:
    """One line: flash beyond a program without an operation, stack and time of each."""
    found = {part: measure(chip, library, part, folder / part, of) for part in ("0", "a", *PARTS)}
    empty, all_of_it, *each = found.values()
    cells = [f"{one.flash - empty.flash:,}" for one in (all_of_it, each[-1])]
    cells += [f"{max(one.stack for one in each):,}"]
    cells += [f"{one.ms:,.0f}" for one in each]
    return f"| {chip} | {library} | {' | '.join(cells)} |\n"


def table(kept: str, chips: Sequence[str], chosen: str | None) -> str:
    """All of it: lines of these chips and of this library measured, others as they were."""
    text = HEADING
    with tempfile.TemporaryDirectory(prefix="uecc-") as scratch:
        for chip in CHIPS:
            for number, library in enumerate((*LIBRARIES, *BESIDE[chip])):
                begin = f"| {chip} | {library} | "
                found = [line for line in kept.splitlines(keepends=True) if line.startswith(begin)]
                if chip in chips and chosen in (None, library):
                    found = [row(chip, library, Path(scratch) / chip / str(number))]
                    print(found[0], end="", flush=True)
                text += "".join(found)
    return text


class Row(NamedTuple):
    """A line of the first table, for one use: all four operations, or verification alone."""

    library: str
    flash: int
    stack: int
    ms: tuple[int, ...]

    def __str__(self) -> str:
        times = " ".join(f"{one:,}" for one in self.ms)
        return (
            f"{self.library.removeprefix('ecfit ')}: {self.flash:,} B, {self.stack:,} B, {times} ms"
        )


def rows(text: str, alone: bool) -> dict[str, list[Row]]:
    """Of each chip, from the first table."""
    found: dict[str, list[Row]] = {}
    for line in text.splitlines():
        chip, *cells = line.strip("| ").split(" | ")
        if chip not in CHIPS:
            continue
        library, *cells = cells
        flash, verify, stack, *ms = (int(cell.replace(",", "")) for cell in cells)
        times = tuple(ms[-1:] if alone else ms)
        found.setdefault(chip, []).append(Row(library, verify if alone else flash, stack, times))
    return found


def nearest(text: str) -> str:
    """The second table: what is no slower, and what is no larger, than each row of micro-ecc."""
    out = "| chip | operations | micro-ecc | smallest row that is no slower "
    out += "| fastest row that is no larger |\n| --- | --- | --- | --- | --- |\n"
    for alone, name in ((False, "all four"), (True, "verify")):
        for chip, lines in rows(text, alone).items():
            (theirs,) = (line for line in lines if line.library == MICRO)
            ours = [line for line in lines if line.library != MICRO]
            no_slower = [
                o for o in ours if all(a <= b for a, b in zip(o.ms, theirs.ms, strict=True))
            ]
            no_larger = [o for o in ours if o.flash <= theirs.flash]
            small = min(no_slower, key=lambda o: o.flash, default="none")
            fast = min(no_larger, key=lambda o: sum(o.ms), default="none")
            out += f"| {chip} | {name} | {str(theirs).partition(': ')[2]} | {small} | {fast} |\n"
    return out


def between(text: str, begin: str, new: str) -> str:
    """The page with another table behind a mark."""
    head, rest = text.split(begin)
    _, tail = rest.split(END, 1)
    return f"{head}{begin}\n{new}\n{END}{tail}"


def rewrite(
    page: Path,
    begin: str,
    heading: str,
    cells: Iterable[tuple[str, str]],
    line: Callable[[str, str, Path], str],
    *,
    options: argparse.Namespace,
) -> None:
    """Writes the table of a page, or with --check compares it. `cells`: chip and library of each
    line. Lines that --chip and --library leave out stay as they are. `line`: measures one.
    """
    text = page.read_text(encoding="utf-8")
    kept = text.split(begin)[1].split(END)[0].splitlines(keepends=True)
    new = heading
    with tempfile.TemporaryDirectory(prefix="table-") as scratch:
        for number, (chip, library) in enumerate(cells):
            found = [one for one in kept if one.startswith(f"| {chip} | {library} | ")]
            if options.chip in (None, chip) and options.library in (None, library):
                found = [line(chip, library, Path(scratch) / str(number))]
                print(found[0], end="", flush=True)
            new += "".join(found)
    new = between(text, begin, new)
    if not options.check:
        page.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit(f"the table of {page.relative_to(ROOT)} differs, run {sys.argv[0]}")


def main() -> None:
    """Command line."""
    libraries = sorted({*LIBRARIES, *(one for more in BESIDE.values() for one in more)})
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nearest", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--chip", choices=[*CHIPS], help="measure the lines of this chip alone")
    parser.add_argument("--library", choices=libraries, help="and of this library")
    found = parser.parse_args()
    text = new = PAGE.read_text(encoding="utf-8")
    first = text.split(BEGIN)[1].split(END)[0]
    if not found.nearest:
        first = table(first, [found.chip] if found.chip else [*CHIPS], found.library)
        new = between(text, BEGIN, first)
    new = between(new, NEAREST, nearest(first))
    if not found.check:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit("the table of docs/from-micro-ecc.md differs, run tools/docs/uecc_table.py")


if __name__ == "__main__":
    main()
