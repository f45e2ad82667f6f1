#!/usr/bin/env python3
"""Measures examples/mcuboot on three chips, with what MCUboot brings and with compat/mcuboot, and
writes the table of docs/from-mcuboot.md. MCUboot is a checkout of yours.

tools/docs/mcuboot_table.py --peer-dir mcuboot=PATH            writes
tools/docs/mcuboot_table.py --peer-dir mcuboot=PATH --check    exit code 1 where a line differs
--tinycrypt    instead, examples/micro-ecc as a program for MCUboot's TinyCrypt, with TinyCrypt and
               with compat/tinycrypt: the table of docs/from-micro-ecc.md
--chip nrf52840, --library "ecfit tiny"    measure some lines, and leave the others
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from secureboot import ALGORITHMS, make_key, pem, sign_again

from ecfit.build.elf import Elf
from ecfit.paths import ROOT
from tools.docs import example_table, uecc_table

PAGE = ROOT / "docs" / "from-mcuboot.md"
BEGIN, END = "<!-- table: tools/docs/mcuboot_table.py -->\n", "<!-- end -->\n"
CHIPS = {"nrf51822": "cortex-m0", "samd20": "cortex-m0plus", "nrf52840": "cortex-m4"}
MEMORY = "FLASH=0 FLASH_SIZE=0x40000 RAM=0x20000000 RAM_SIZE=0x3000"
PROGRAM = bytes(range(256)) * 16
NAMES = {"ecdsa-p256": "P-256", "ecdsa-p384": "P-384", "ed25519": "Ed25519"}
BROUGHT = "TinyCrypt"
TINYCRYPT_PAGE = ROOT / "docs" / "from-micro-ecc.md"
TINYCRYPT = "<!-- table: tools/docs/mcuboot_table.py --tinycrypt -->\n"
LIBRARIES = (BROUGHT, "ecfit tiny", "ecfit lowram", "ecfit balanced")  # of that page


class Build(NamedTuple):
    """A row: the name of what computes, words for make, flags of the compiler."""

    name: str
    words: tuple[str, ...]
    defines: str = ""


def ours(preset: str, sets: str, more: str = "") -> Build:
    """Our library. `more` is what its name says beside the preset."""
    name = f"ecfit {preset}{f', {more}' if more else ''}"
    words = f"HASH_STREAM=own,{sets}{f',{more}' if more else ''}"
    return Build(name, (f"PRESET={preset}", f"SETS={words}"))


BUILDS = {
    "ecdsa-p256": (
        Build(BROUGHT, ("CRYPTO=tinycrypt",)),
        ours("tiny", "DER=strict,SHA256=own"),
        ours("balanced", "DER=strict,SHA256=own"),
    ),
    "ecdsa-p384": (
        ours("tiny", "DER=strict,SHA512=small"),
        ours("compact", "DER=strict,SHA512=own"),
        ours("balanced", "DER=strict,SHA512=own", "SQUARE=as_mul"),
        ours("balanced", "DER=strict,SHA512=own"),
    ),
    "ed25519": (
        Build("TinyCrypt and fiat", ("CRYPTO=tinycrypt",)),
        ours("tiny", "SHA256=own,SHA512=small"),
        ours("balanced", "SHA256=own,SHA512=own"),
    ),
}


@cache
def signed(algorithm: str) -> tuple[bytes, bytes]:
    """A key in PEM, and an image of 4 KiB that imgtool signed with it: the same each time."""
    found = ALGORITHMS[algorithm]
    key = make_key(found, "examples/mcuboot")
    if algorithm == "ed25519":  # MCUboot's default, where secure-boot takes SHA-512
        found = found._replace(sha=256)
    return pem(key), sign_again(found, PROGRAM, key)


def built(peer: Path, chip: str, algorithm: str, build: Build, folder: Path) -> tuple[Path, int]:
    """The program that the name of the folder says, which validates one image (v) or does nothing
    (0); its flash without the image. Errors: RuntimeError.
    """
    part = folder.name
    folder.mkdir(parents=True, exist_ok=True)
    key, image = signed(algorithm)
    (folder / "own.pem").write_bytes(key)
    (folder / "own.bin").write_bytes(image)
    words = [f"TARGET_{chip}={chip}", f"BOARD_{chip}=simulator", f"CORE_{chip}={CHIPS[chip]}",
             f"MEMORY_{chip}={MEMORY}", f"MCUBOOT={peer}", f"ALGORITHM={algorithm}",
             f"KEY={folder}/own.pem", f"IMAGE={folder}/own.bin", *build.words]  # fmt: skip
    words.append(f"DEFINES=-w -DPART=\"'{part}'\" {build.defines}")
    done = example_table.make("mcuboot", chip, folder, *words)
    if done.returncode:
        raise RuntimeError(f"{build.name}, {algorithm}, {chip}: {done.stderr}")
    program = folder / "mcuboot.elf"
    elf = Elf(program.read_bytes(), "EM_ARM")
    flash = sum(len(segment.data) for segment in elf.segments)
    return program, flash - ((len(image) + 3) // 4 * 4 if part == "v" else 0)


@cache
def empty(peer: Path, chip: str, folder: Path) -> int:
    """The flash of a program without a validation, the same for all that compute."""
    return built(peer, chip, "ecdsa-p256", BUILDS["ecdsa-p256"][1], folder / chip / "0")[1]


def row(peer: Path, chip: str, algorithm: str, build: Build, folder: Path) -> str:
    """The figures of one line: flash beyond a program without a validation, stack, time."""
    program, flash = built(peer, chip, algorithm, build, folder / "v")
    command = [*example_table.ECFIT, "measure", "--elf", str(program), "--function", "main",
               "--target", chip, "--expect", "0", "--format", "json"]  # fmt: skip
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(f"{build.name}, {algorithm}, {chip}: {found.stderr or found.stdout}")
    (record,) = json.loads(found.stdout)
    stack, ms = record["stack_bytes"], record["time_us"] / 1000
    flash -= empty(peer, chip, folder.parent)
    return f"{flash:,} | {stack:,} | {ms:,.0f} |\n"


def table(peer: Path, kept: str, chips: Sequence[str], library: str | None) -> str:
    """All of it: lines of these chips and of this library measured, others as they were."""
    text = "| signature | chip | library | flash B | stack B | ms |\n"
    text += "| --- | --- | --- | ---: | ---: | ---: |\n"
    with tempfile.TemporaryDirectory(prefix="mcuboot-") as scratch:
        for algorithm, builds in BUILDS.items():
            for chip in CHIPS:
                for number, build in enumerate(builds):
                    begin = f"| {NAMES[algorithm]} | {chip} | {build.name} | "
                    found = [line for line in kept.splitlines(keepends=True)
                             if line.startswith(begin)]  # fmt: skip
                    if chip in chips and library in (None, build.name):
                        where = Path(scratch) / f"{algorithm}-{chip}-{number}"
                        found = [begin + row(peer, chip, algorithm, build, where)]
                        print(found[0], end="", flush=True)
                    text += "".join(found)
    return text


def tinycrypt(peer: Path, library: str) -> tuple[list[str], str]:
    """examples/micro-ecc for TinyCrypt: words for make, and what it is compiled with."""
    brought = library == BROUGHT
    where = f"TINYCRYPT={peer}/ext/tinycrypt/lib" if brought else f"PRESET={library[6:]}"
    return ["API=tinycrypt", where], ""


def main() -> None:
    """Command line."""
    names = {build.name for builds in BUILDS.values() for build in builds}
    parser = argparse.ArgumentParser(description="Writes, or checks, the table of a page.")
    parser.add_argument("--peer-dir", required=True, metavar="mcuboot=PATH")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tinycrypt", action="store_true", help="that of docs/from-micro-ecc.md")
    parser.add_argument("--chip", choices=[*CHIPS], help="measure the lines of this chip alone")
    parser.add_argument("--library", choices=sorted(names | {*LIBRARIES}), help="and of this one")
    options = parser.parse_args()
    name, _, path = options.peer_dir.partition("=")
    peer = Path(path).resolve()
    if name != "mcuboot" or not (peer / "boot" / "bootutil").is_dir():
        parser.error(f"--peer-dir mcuboot=PATH: {options.peer_dir} is not a checkout of MCUboot")
    if options.tinycrypt:
        measured = partial(uecc_table.row, of=partial(tinycrypt, peer))
        rewrite = uecc_table.rewrite
        rewrite(TINYCRYPT_PAGE, TINYCRYPT, uecc_table.HEADING, product(CHIPS, LIBRARIES), measured,
                options=options)  # fmt: skip
        return
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    kept, tail = rest.split(END, 1)
    chips = [options.chip] if options.chip else [*CHIPS]
    new = f"{head}{BEGIN}\n{table(peer, kept, chips, options.library)}\n{END}{tail}"
    if not options.check:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit("the table of docs/from-mcuboot.md differs, run tools/docs/mcuboot_table.py")


if __name__ == "__main__":
    main()
