#!/usr/bin/env python3
"""Digests of what the compilers make of the library: one line per preset, curve and core.

tools/objects.py -o FILE         compiles all of them and writes the digests
tools/objects.py --against FILE  the same, and names each object that differs: exit code 7

For a change that must not change the code: names may differ, bytes may not. Symbols do not count;
code, constants and relocations' places do.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.errors import REGRESSION
from ecfit.paths import LIB

TARGETS = ("samd20", "cc2538", "nrf52840", "ibex", "host")
TOOLCHAINS = ("gcc", "clang")


def cases() -> Iterator[tuple[str, str, str, str]]:
    """Every (preset, curve, target, toolchain)."""
    for preset in all_presets():
        for curve in CURVES:
            for target in TARGETS:
                for toolchain in TOOLCHAINS:
                    yield preset, curve, target, toolchain


def object_digest(preset: str, curve: str, target_name: str, toolchain_name: str) -> str:
    """SHA-256 of what the library's object has for a chip."""
    target = find_target(target_name)
    toolchain = find_toolchain(toolchain_name, target.arch, target.core, "Os")
    configuration = knobs.resolve(CURVES[curve], preset, {}, target.backend)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        header = knobs.header(configuration, [curve], OPS, extras=True)
        (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
        flags = [
            flag
            for flag in toolchain.compile
            if not flag.startswith(("-ffunction", "-fdata", "-fcallgraph", "-g"))
        ]
        include = [f"-I{path}" for path in (folder, LIB / "include", LIB / "src")]
        command = [*flags, *include, "-c", str(LIB / "src" / "ecfit.c"), "-o", "ecfit.o"]
        subprocess.run(command, check=True, capture_output=True, cwd=folder)
        return _contents(folder / "ecfit.o")


def _contents(path: Path) -> str:
    from elftools.elf.elffile import ELFFile
    from elftools.elf.relocation import RelocationSection

    digest = hashlib.sha256()
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if isinstance(section, RelocationSection):
                places = sorted(entry["r_offset"] for entry in section.iter_relocations())
                digest.update(repr(places).encode())
            elif section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & 2:
                digest.update(section.data())  # what the chip would hold
    return digest.hexdigest()[:24]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, help="write the digests here")
    parser.add_argument("--against", type=Path, help="compare with these")
    arguments = parser.parse_args()
    all_cases = list(cases())
    with ThreadPoolExecutor(2) as pool:
        digests = list(pool.map(lambda case: object_digest(*case), all_cases))
    lines = [f"{' '.join(case)} {digest}" for case, digest in zip(all_cases, digests, strict=True)]
    if arguments.output:
        arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    changed = []
    if arguments.against:
        before = dict(
            line.rsplit(" ", 1)
            for line in arguments.against.read_text(encoding="utf-8").splitlines()
        )
        now = dict(line.rsplit(" ", 1) for line in lines)
        changed = sorted(
            name for name in before.keys() | now.keys() if before.get(name) != now.get(name)
        )
        for name in changed:
            print(f"differs: {name}")
    print(f"objects: {len(lines)} compiled, {len(changed)} differ")
    return REGRESSION if changed else 0


if __name__ == "__main__":
    sys.exit(main())
