#!/usr/bin/env python3
"""Measures examples/micro-ecc as a program for TinyCrypt on three chips, with TinyCrypt and with
compat/tinycrypt, and writes the table of docs/from-micro-ecc.md. A checkout of MCUboot, which
brings TinyCrypt, is yours.

tools/docs/tinycrypt_table.py --peer-dir mcuboot=PATH            writes
tools/docs/tinycrypt_table.py --peer-dir mcuboot=PATH --check    exit code 1 where a line differs
"""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path

from ecfit.paths import ROOT
from tools.docs.mcuboot_table import BROUGHT, peer_dir
from tools.docs.uecc_table import CHIPS, HEADING, rewrite, row

PAGE = ROOT / "docs" / "from-micro-ecc.md"
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
    measured = partial(row, of=partial(program, peer))
    rewrite(PAGE, BEGIN, HEADING, product(CHIPS, LIBRARIES), measured, options=options)


if __name__ == "__main__":
    main()
