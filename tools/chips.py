"""Writes ecfit/data/chips.txt, the table of chips by the names that people type, from the target
files of the crate `probe-rs`: `.venv/bin/python tools/chips.py VERSION` (with cargo).

Of each chip it takes name, packages, architecture, flash and RAM. Left out are option bytes, ROM,
external memory beside flash of the chip, and memory that is there under a second address.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml

from ecfit.choices.chips import KIB, TABLE

CARGO = """\
[package]
name = "chips"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
probe-rs = "={version}"
"""
HEADER = """\
# Chips by the names that people type: names, packages, architecture, flash and RAM, from the target
# files of the crate probe-rs {version} (github.com/probe-rs/probe-rs), "MIT OR Apache-2.0", by
# {authors}.
# Written by tools/chips.py; what this does not say stands in chips.toml.
# A series, then chips of equal memory a line: architecture, flash (hexadecimal start + size), RAM,
# the beginning of their names (. if there is none), and the rest of each (- if there is none) with
# its packages.
"""
RANKS = ("armv6m", "armv7m", "armv7em", "armv8m")  # of several cores the highest; others: the first
NO_FLASH = re.compile(
    r"OTP|OPT|SYS.*|VND|UICR|ROM|ROMCP|BootROM.*|DFlash|USR_LEGACY|.*alias.*|.*secure.*|.*CBUS|"
    r".*XIP|.*(FlexSPI|XSPI|QSPI|XPI|SPI Flash|SiP).*"
)
NO_RAM = re.compile(r".*alias.*|.*secure.*|.*code bus|USB.*|.*MBOX.*|.*MAILBOX.*")
EXTERNAL = 8 << 20  # bytes: no flash inside a microcontroller is larger
GAP = 16 << 20  # bytes, from one bank of flash to another
UNSTRIPED = range(0x2100_0000, 0x2104_0000)  # the SRAM of an RP2040 again

Range = tuple[int, int]  # start and size


class Loader(yaml.CSafeLoader):  # type: ignore[misc]
    """YAML whose tags (`!Nvm`) are kept beside the value."""


Loader.add_multi_constructor(
    "!",
    lambda loader, tag, node: (
        tag,
        loader.construct_mapping(node, deep=True) if isinstance(node, yaml.MappingNode) else None,
    ),
)


def main(version: str) -> None:
    """Reads the crate, writes the table."""
    with tempfile.TemporaryDirectory() as folder:
        package = crate(version, Path(folder))
    targets = Path(package["manifest_path"]).parent / "targets"
    authors = ", ".join(name.partition(" <")[0] for name in package["authors"])
    lines, chips = [], 0
    for path in sorted(targets.glob("*.y*ml")):
        series = yaml.load(path.read_text(encoding="utf-8"), Loader)
        lines.append(f"@{re.sub(r'[ _-]?[Ss]eries$', '', series['name'])}")
        lines += table(series["variants"])
        chips += len(series["variants"])
    text = HEADER.format(version=version, authors=authors) + "\n".join(lines) + "\n"
    TABLE.write_text(text, encoding="utf-8")
    print(f"{TABLE.name}: {chips} chips of probe-rs {version}, {len(text.encode())} bytes")


def crate(version: str, folder: Path) -> dict[str, Any]:
    """The crate as cargo describes it, fetched if it is not there."""
    (folder / "Cargo.toml").write_text(CARGO.replace("{version}", version), encoding="utf-8")
    (folder / "lib.rs").touch()
    done = subprocess.run(
        ["cargo", "metadata", "--format-version", "1"],
        cwd=folder, check=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    packages: list[dict[str, Any]] = json.loads(done.stdout)["packages"]
    return next(package for package in packages if package["name"] == "probe-rs")


def table(variants: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The lines of a series."""
    alike: dict[str, dict[str, list[str]]] = {}
    for chip in variants:
        packages = [name.removeprefix(chip["name"]) for name in chip.get("package_variants") or ()]
        names = alike.setdefault(memory(chip), {})
        names.setdefault(chip["name"], []).extend(name for name in packages if name)
    for key, names in alike.items():
        prefix = common(list(names))
        words = [
            ":".join([name.removeprefix(prefix) or "-", ",".join(packages)]).rstrip(":")
            for name, packages in names.items()
        ]
        yield " ".join([key, prefix or ".", *words])


def common(names: Sequence[str]) -> str:
    """How all names begin."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in alike)


def memory(chip: dict[str, Any]) -> str:
    """Architecture, flash and RAM of a chip, as in the table."""
    core = max(
        chip["cores"], key=lambda one: RANKS.index(one["type"]) if one["type"] in RANKS else 0
    )
    if chip["cores"][0]["type"] not in RANKS:
        core = chip["cores"][0]
    regions = [
        (kind, of)
        for kind, of in chip["memory_map"]
        if not of.get("cores") or core["name"] in of["cores"]
    ]
    flash = [
        span(of)
        for kind, of in regions
        if kind == "Nvm" and not of.get("is_alias") and not NO_FLASH.fullmatch(of.get("name") or "")
    ]
    return f"{core['type']} {text(near(together(flash)))} {text(ram(regions))}"


def span(region: dict[str, Any]) -> Range:
    """Start and size."""
    start, end = region["range"]["start"], region["range"]["end"]
    return start, end - start


def together(spans: Sequence[Range]) -> list[Range]:
    """The banks of flash, the largest first: neighbours are one, and external ones are left out
    where there is another.
    """
    inside = [one for one in spans if one[1] <= EXTERNAL] or list(spans)
    banks: list[Range] = []
    for start, size in sorted(set(inside)):
        if banks and start <= sum(banks[-1]):
            banks[-1] = banks[-1][0], banks[-1][1] + size
        else:
            banks.append((start, size))
    return sorted(banks, key=lambda bank: (-bank[1], bank[0]))


def near(banks: Sequence[Range]) -> list[Range]:
    """The first bank, and those beside it behind a gap: what lies elsewhere is for data."""
    return [bank for bank in banks if abs(bank[0] - banks[0][0]) < GAP]


def ram(regions: Sequence[tuple[str, dict[str, Any]]]) -> list[Range]:
    """The banks of RAM, that of stack and data first; neighbours are one bank."""
    names = {of.get("name") or "" for kind, of in regions if kind == "Ram"}
    again = {name for name in names if name.replace("_ICODE", "_DCODE") in names - {name}}
    spans: list[Range] = []
    second: list[Range] = []
    for kind, of in regions:
        name = of.get("name") or ""
        if kind != "Ram" or NO_RAM.fullmatch(name) or name in again or span(of)[0] in UNSTRIPED:
            continue
        (second if of.get("is_alias") else spans).append(span(of))
    for one in second:  # which address is the alias is a matter of taste: data lie at the higher
        for other in spans:
            if one[1] == other[1] and other[0] < 0x2000_0000 <= one[0]:
                spans[spans.index(other)] = one
    banks: list[Range] = []
    for start, size in sorted(set(spans)):
        if banks and start == sum(banks[-1]):
            banks[-1] = banks[-1][0], banks[-1][1] + size
        elif not banks or start >= sum(banks[-1]):
            banks.append((start, size))
        elif size > banks[-1][1]:  # the same address twice, as in a chip that shares it out
            banks[-1] = start, size
    return sorted(banks, key=lambda bank: (not 0x2000_0000 <= bank[0] < 0x4000_0000, -bank[1]))


def text(banks: Sequence[Range]) -> str:
    """As in the table."""
    words = (f"{start:x}+{size // KIB}K" if size % KIB == 0 else f"{start:x}+{size}"
             for start, size in banks)  # fmt: skip
    return ",".join(words) or "-"


if __name__ == "__main__":
    main(sys.argv[1])
