#!/usr/bin/env python3
"""Builds the examples for two chips, measures them, and writes the table of docs/examples.md.

tools/docs/example_table.py            writes
tools/docs/example_table.py --check    writes nothing; exit code 1 where a line differs
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from ecfit.build.elf import Elf
from ecfit.paths import ROOT

EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "examples.md"
BEGIN, END = "<!-- table: tools/docs/example_table.py -->\n", "<!-- end -->\n"
NAMES = ("key-exchange", "signature", "verification", "pieces", "openssl", "three-curves")
CHIPS = ("samd20", "nrf52840")
ECFIT = [sys.executable, "-c", "from ecfit.cli import main; main()"]
POINT = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint


class Measured(NamedTuple):
    """A program: bytes of flash and of data, all of it; stack, time and what main() says."""

    flash: int
    data: int
    stack: int
    microseconds: float
    said: str


def make(name: str, chip: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`make` in the folder of an example, which builds in `folder`."""
    command = ["make", "-s", "-C", str(EXAMPLES / name), f"CHIP={chip}", f"OUT={folder}"]
    command += [f"ECFIT={Path(sys.executable).with_name('ecfit')}", *words]
    said = {**os.environ, "LC_ALL": "C"}  # what make says of an error is read
    return subprocess.run(
        command, env=said, capture_output=True, text=True, timeout=120, check=False
    )


def built(name: str, chip: str, folder: Path) -> Path:
    """The program of an example. Errors: RuntimeError."""
    goals = [f"{folder}/ecfit_config.h"] if name == "openssl" else []
    for goal in [*goals, f"{folder}/{name}.elf"]:
        done = make(name, chip, folder, goal)
        if done.returncode:
            raise RuntimeError(f"{name} for {chip}: {done.stderr}")
        if goal in goals:
            (folder / "from_openssl.h").write_text(signed_by_another(), encoding="utf-8")
    return folder / f"{name}.elf"


def signed_by_another() -> str:
    """What openssl.sh writes, from the same code and the same key each time: for figures that can
    be made again. The signature is that of RFC 6979.
    """
    secret = int.from_bytes(hashlib.sha256(b"examples/openssl").digest(), "big")
    key, text = ec.derive_private_key(secret, ec.SECP256R1()), "the sluice is open"
    signature = key.sign(text.encode(), ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
    point = key.public_key().public_bytes(*POINT)
    return (
        f'#define MESSAGE "{text}"\n'
        f"static const uint8_t openssl_key[65] = {{{', '.join(map(str, point))}}};\n"
        f"static const uint8_t openssl_signature[] = {{{', '.join(map(str, signature))}}};\n"
    )


def measure(name: str, chip: str, folder: Path) -> Measured:
    """One line. Errors: RuntimeError."""
    program = built(name, chip, folder)
    command = [*ECFIT, "measure", "--elf", str(program), "--function", "main", "--target", chip,
               "--expect", "0", "--show", "board_log", "--format", "json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name} for {chip}: {done.stderr or done.stdout}")
    (record,) = json.loads(done.stdout)
    elf = Elf(program.read_bytes(), "EM_ARM")
    said = bytes.fromhex(record["outputs"].partition("=")[2]).split(b"\0")[0].decode()
    return Measured(
        flash=sum(len(segment.data) for segment in elf.segments),
        data=elf.sections[".data"] + elf.sections[".bss"],
        stack=record["stack_bytes"],
        microseconds=record["time_us"],
        said=said,
    )


def row(name: str, chip: str, one: Measured) -> str:
    """One line of the table."""
    cells = (f"`{name}`", chip, f"{one.flash:,}", f"{one.data:,}", f"{one.stack:,}",
             f"{one.microseconds / 1000:,.0f}")  # fmt: skip
    return f"| {' | '.join(cells)} |\n"


def table() -> str:
    """All of it."""
    text = "| example | chip | flash B | data B | stack B | ms |\n"
    text += f"| --- | --- |{' ---: |' * 4}\n"
    with tempfile.TemporaryDirectory(prefix="examples-") as scratch:
        for name in NAMES:
            for chip in CHIPS:
                text += row(name, chip, measure(name, chip, Path(scratch) / name / chip))
    return text


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write, or check, the table of docs/examples.md.")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    new = f"{head}{BEGIN}\n{table()}\n{END}{tail}"
    if not arguments.check:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit("the table of docs/examples.md differs, run tools/docs/example_table.py")


if __name__ == "__main__":
    main()
