#!/usr/bin/env python3
"""Measures examples/micro-ecc as a program for TinyCrypt on three chips, with TinyCrypt and with
compat/tinycrypt, and writes the table of docs/from-tinycrypt.md. A checkout of MCUboot, which
brings TinyCrypt, is yours.

tools/docs/tinycrypt_table.py --peer-dir mcuboot=PATH            writes
tools/docs/tinycrypt_table.py --peer-dir mcuboot=PATH --check    exit code 1 where a line differs
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

from mcuboot_table import BROUGHT, peer_dir
from uecc_table import CHIPS, END, HEADING, between, row

from ecfit.paths import ROOT

PAGE = ROOT / "docs" / "from-tinycrypt.md"
BEGIN = "<!-- table: tools/docs/tinycrypt_table.py -->\n"
LIBRARIES = (BROUGHT, "ecfit tiny", "ecfit lowram", "ecfit balanced")


def program(peer: Path, library: str) -> tuple[list[str], str]:
    """Words for make, and what the program is compiled with."""
    brought = library == BROUGHT
    where = f"TINYCRYPT={peer}/ext/tinycrypt/lib" if brought else f"PRESET={library[6:]}"
    return ["API=tinycrypt", where], ""


def main() -> None:
    """Command line."""
    peer, options = peer_dir(CHIPS, LIBRARIES)
    text = PAGE.read_text(encoding="utf-8")
    kept = text.split(BEGIN)[1].split(END)[0].splitlines(keepends=True)
    new = HEADING
    with tempfile.TemporaryDirectory(prefix="tinycrypt-") as scratch:
        for number, (chip, library) in enumerate((c, one) for c in CHIPS for one in LIBRARIES):
            found = [line for line in kept if line.startswith(f"| {chip} | {library} | ")]
            if options.chip in (None, chip) and options.library in (None, library):
                found = [row(chip, library, Path(scratch) / str(number), partial(program, peer))]
                print(found[0], end="", flush=True)
            new += "".join(found)
    new = between(text, BEGIN, new)
    if not options.check:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        sys.exit("the table of docs/from-tinycrypt.md differs, run tools/docs/tinycrypt_table.py")


if __name__ == "__main__":
    main()
