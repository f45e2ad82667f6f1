#!/usr/bin/env python3
"""Digests of what the compilers make of the library, a line for each build. The gate of a change
that must not change the code: names and files may differ, bytes may not.

tools/checks/objects.py -o FILE         builds all cases and writes their digests
tools/checks/objects.py --against FILE  the same, and names each build that differs: exit code 7
    --every N                           one case of N of each kind, for a look in between
    --kind KIND                         those of one kind

The kinds of cases:
    preset   each preset, curve and core, with gcc and clang
    several  images of several curves: each preset and core, each PRODUCT with each SQUARE
    field    each PRODUCT with each SQUARE and REDUCE, where a field has code of its own
    menu     the configuration header of the packages, which needs no Python (docs/packages.md)
    amalgam  the one file of `ecfit amalgamate`
    value    each value of each knob on some preset and core, with operations on messages, too

The digests of a build:
    code      the library's object as it is: code, constants and where the relocations are
    functions the same with a section for each function, whatever their order
    assembly  each section of ecfit_asm.S with its name and its relocations

Where `code` differs and `functions` does not, the order of functions has changed. That can cost
cycles on a chip with a cache or a line buffer, so it needs golden counts.
A case that cannot be is left out; one that does not compile has the error as its digest.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import random
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

from ecfit.build.parts import built, make_parts
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, EVERY_OP, OPS
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.errors import REGRESSION, UsageError
from ecfit.paths import LIB
from ecfit.ship.amalgam import HASHES, amalgam

TARGETS = ("samd20", "cc2538", "nrf52840", "ibex", "host")
TOOLCHAINS = ("gcc", "clang")
FIELDS = ("secp256r1", "secp384r1", "secp521r1", "secp256k1", "x25519", "ed25519", "ed448")
IMAGES = (
    ("secp256r1", "x25519"),
    ("secp256r1", "ed25519", "x25519"),
    ("secp256r1", "secp384r1", "secp256k1"),
    ("ed25519", "ed448", "x448"),
)
PRODUCTS = tuple(itertools.product(("rows", "unrolled"), ("own", "as_mul")))
REDUCTIONS = ("mont", "solinas", "solinas_loop", "pmers")
MENU = LIB.parent / "packages" / "include"


class Case(NamedTuple):
    """One build."""

    kind: str
    target: str
    toolchain: str
    curves: tuple[str, ...]
    preset: str
    sets: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """A line's beginning."""
        sets = ",".join("=".join(pair) for pair in self.sets) or "-"
        return " ".join(
            [self.kind, self.target, self.toolchain, "+".join(self.curves), self.preset, sets]
        )


def cases() -> Iterator[Case]:
    """All of them, those that cannot be among them."""
    for preset, curve, target, toolchain in itertools.product(
        all_presets(), CURVES, TARGETS, TOOLCHAINS
    ):
        yield Case("preset", target, toolchain, (curve,), preset)
    for target, image in itertools.product(TARGETS, IMAGES):
        for preset in all_presets():
            yield Case("several", target, "gcc", image, preset)
        for product, square in PRODUCTS:
            sets = (("PRODUCT", product), ("SQUARE", square))
            yield Case("several", target, "gcc", image, "balanced", sets)
    for target, curve, (product, square), reduce in itertools.product(
        TARGETS, FIELDS, PRODUCTS, REDUCTIONS
    ):
        field = (("PRODUCT", product), ("SQUARE", square), ("REDUCE", reduce))
        yield Case("field", target, "gcc", (curve,), "balanced", field)
    for kind, (number, preset), (other, curve) in itertools.product(
        ("menu", "amalgam"), enumerate(all_presets()), enumerate(CURVES)
    ):
        target = TARGETS[(number + other) % len(TARGETS)]
        yield Case(kind, target, "gcc", (curve,), preset)
    yield from values()


def values() -> Iterator[Case]:
    """Each value of each knob. Core and preset hang on names: other knobs do not move them."""
    for knob in knobs.all_knobs().values():
        for value, curve in itertools.product(knob.values, FIELDS):
            number = zlib.crc32(f"{knob.name} {value} {curve}".encode())
            target, preset = TARGETS[number % len(TARGETS)], list(all_presets())[number // 8 % 5]
            choice = knob.choices.get(value)
            if not (choice and choice.arch and find_target(target).arch not in choice.arch):
                yield Case("value", target, "gcc", (curve,), preset, ((knob.name, value),))


def digests(case: Case, before: str = "") -> str | None:
    """What a line has behind the name; None: a case that cannot be.

    `before`: what it had. With the same code it has the same functions, which saves a build.
    """
    target = find_target(case.target)
    toolchain = find_toolchain(case.toolchain, target.arch, target.core, "Os")
    own = ("-ffunction", "-fdata", "-fcallgraph", "-g")
    flags = [flag for flag in toolchain.compile if not flag.startswith(own)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            include, defines = written(case, folder)
        except UsageError:
            return None
        command = [*flags, *defines, *(f"-I{path}" for path in include), "-c"]
        source = next(path / "ecfit.c" for path in include if (path / "ecfit.c").is_file())
        code = [*command, str(source), "-o", "code.o"]
        apart = [*command, "-ffunction-sections", "-fdata-sections", str(source), "-o", "apart.o"]
        assembly = source.with_name("ecfit_asm.S")
        third = "-"
        if assembly.is_file():
            error = failure([*command, str(assembly), "-o", "assembly.o"], folder)
            third = error or sections(folder / "assembly.o")
        first = failure(code, folder) or whole(folder / "code.o")
        if before.startswith(f"{first} "):
            return " ".join([*before.split()[:2], third])
        second = failure(apart, folder) or functions(folder / "apart.o")
        failed = [text for text in (first, third, second) if text.startswith("fails")]
        if failed and case.kind == "value" and "#error" in failed[0]:
            return None  # the library refuses it
        return failed[0] if failed else f"{first} {second} {third}"


def failure(command: Sequence[str], folder: Path) -> str:
    """Runs a compiler: its first error, or nothing."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    error = done.stderr.partition("error:")[2] or done.stderr
    return "fails: " + " ".join(error.split())[:100] if done.returncode else ""


def written(case: Case, folder: Path) -> tuple[list[Path], list[str]]:
    """Writes the configuration; the include path and the macros. Errors: UsageError."""
    target = find_target(case.target)
    several = len(case.curves) > 1
    ops = EVERY_OP if case.kind == "value" else OPS
    first, *rest = [
        knobs.resolve(
            CURVES[curve], case.preset, dict(case.sets), target.backend, several=several, ops=ops
        )
        for curve in case.curves
    ]
    if case.kind == "menu":
        symbols = [f"PRESET_{case.preset.upper()}", *(curve.upper() for curve in case.curves)]
        macros = [f"-DCONFIG_ECFIT_{symbol}=1" for symbol in symbols]
        return [MENU, LIB / "include", LIB / "src"], macros
    if case.kind == "amalgam":
        curve = CURVES[case.curves[0]]
        parts = make_parts(first, curve.name, built(curve, first, curve.ops), {})
        files = dict(parts.generated)
        header = files.pop("ecfit_config.h")
        save(folder, amalgam(header, files, "a gate", HASHES).files)
        return [folder], []
    more = dict(zip(case.curves[1:], rest, strict=True))
    text = knobs.header(first, case.curves[:1], ops, extras=True, more=more)
    save(folder, {"ecfit_config.h": text})
    return [folder, LIB / "include", LIB / "src"], []


def save(folder: Path, files: dict[str, str]) -> None:
    """Writes texts below a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def short(*parts: object) -> str:
    """The digest of some values."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def whole(path: Path) -> str:
    """What the chip would hold, in order; symbols do not count."""
    return short(*(found for _, found in contents(path)))


def functions(path: Path) -> str:
    """The same, whatever the order."""
    return short(*sorted(repr(found) for _, found in contents(path)))


def sections(path: Path) -> str:
    """Sections with their names, whatever their order."""
    return short(*sorted(repr(pair) for pair in contents(path, named=True)))


def contents(path: Path, *, named: bool = False) -> Iterator[tuple[str, object]]:
    """Each section that a chip holds: name; bytes, and the relocations' places or,
    if `named`, their kinds and symbols, too.
    """
    with path.open("rb") as file:
        elf = ELFFile(file)
        places: dict[int, list[object]] = {}
        for section in elf.iter_sections():
            if isinstance(section, RelocationSection):
                symbols = elf.get_section(section["sh_link"])
                places[section["sh_info"]] = sorted(
                    (entry["r_offset"], entry["r_info_type"], name_of(elf, symbols, entry))
                    if named
                    else entry["r_offset"]
                    for entry in section.iter_relocations()
                )
        for index, section in enumerate(elf.iter_sections()):
            held = section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & 2
            if held and section.data_size:
                yield section.name, (section.data(), places.get(index, []))


def name_of(elf: ELFFile, symbols: object, entry: object) -> str:
    """The symbol, or the section, that a relocation is about."""
    symbol = symbols.get_symbol(entry["r_info_sym"])  # type: ignore[attr-defined,index]
    if symbol.name or not isinstance(symbol["st_shndx"], int):
        return str(symbol.name)
    return str(elf.get_section(symbol["st_shndx"]).name)


def chosen(every: int) -> list[Case]:
    """One case of N of each kind, the same ones every time."""
    kinds: dict[str, list[Case]] = defaultdict(list)
    for case in cases():
        kinds[case.kind].append(case)
    source = random.Random(1)
    return [
        case
        for of_kind in kinds.values()
        for case in source.sample(of_kind, -(-len(of_kind) // every))
    ]


def compared(before: dict[str, str], now: dict[str, str]) -> tuple[int, int]:
    """Names each build that differs; how many, and how many by the order of functions alone."""
    changed = order = 0
    for name, found in now.items():
        old = before.get(name)
        if old == found:
            continue
        changed += 1
        if old is None or "fails" in (old + found):
            print(f"differs: {name}: {old} before, {found} now")
            continue
        names = ("code", "functions", "assembly")
        pairs = zip(names, old.split(), found.split(), strict=True)
        which = [part for part, one, other in pairs if one != other]
        order += which == ["code"]
        print(f"differs: {name}: {', '.join(which)}")
    for name in before.keys() - now.keys():
        changed += 1
        print(f"differs: {name}: is no more")
    return changed, order


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, help="write the digests here")
    parser.add_argument("--against", type=Path, help="compare with these")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one case of N (1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="parallel jobs (2)")
    parser.add_argument("--kind", help="the cases of one kind (all)")
    given = parser.parse_args(arguments)
    picked = [case for case in chosen(given.every) if given.kind in (None, case.kind)]
    before: dict[str, str] = {}
    if given.against:
        lines_before = given.against.read_text(encoding="utf-8").splitlines()
        before = dict(line.split(": ", 1) for line in lines_before)
    with ProcessPoolExecutor(given.jobs) as pool:
        known = [before.get(case.name, "") for case in picked]
        results = list(pool.map(digests, picked, known))
    now = {
        case.name: result
        for case, result in zip(picked, results, strict=True)
        if result is not None
    }
    if given.output:
        lines = "".join(f"{name}: {result}\n" for name, result in now.items())
        given.output.write_text(lines, encoding="utf-8")
    changed = order = 0
    if given.against:
        names = {case.name for case in picked}
        changed, order = compared({k: v for k, v in before.items() if k in names}, now)
    failed = sum("fails" in result for result in now.values())
    print(
        f"objects: {len(now)} built of {len(picked)} cases, {failed} do not compile, "
        f"{changed} differ, {order} of them in the order of functions alone"
    )
    return REGRESSION if changed else 0


if __name__ == "__main__":
    sys.exit(main())
