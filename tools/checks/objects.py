#!/usr/bin/env python3
"""Whether two trees of the library are the same to the compilers. The gate of a change that must
not change the code: names and files may differ, bytes may not.

tools/checks/objects.py -o FOLDER         writes the preprocessed texts of all cases
tools/checks/objects.py --against FOLDER  compares with them and names each build that differs:
                                          exit code 7
    --values                              with the other tree's values of knobs, since the values
                                          of presets may change on purpose
    --every N                             one case of N of each kind, for a look in between
    --kind KIND                           those of one kind

The same text makes the same object. Only where the texts differ, both are compiled. To compare with
a commit, run this file first on a worktree of it, with PYTHONPATH=WORKTREE.

The kinds of cases:
    preset   each preset, curve and core, with gcc and clang
    several  images of several curves: each preset and core, each PRODUCT with each SQUARE
    field    each PRODUCT with each SQUARE and REDUCE, where a field has code of its own
    menu     the configuration header of the packages, which needs no Python (docs/packages.md)
    amalgam  the one file of `ecfit amalgamate`
    value    each value of each knob on some preset and core, with operations on messages, too

What differs:
    code      the library's object as it is: code, constants and where the relocations are
    functions the same with a section for each function, whatever their order
    assembly  each section of ecfit_asm.S with its name and its relocations

Where `code` differs and `functions` does not, the order of functions has changed. That can cost
cycles on a chip with a cache or a line buffer, so it needs golden counts.
A case that cannot be is left out. One that does not compile has the error in place of an object.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

from ecfit.build.parts import built, make_parts
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, EVERY_OP, OPS
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.errors import REGRESSION, UsageError
from ecfit.model import Configuration
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


INDEX = "cases.json"
REFUSED = re.compile(r"fails: (#error |ECFIT_\w+: )")  # by the library (ecfit_config_check.h)
APART = ("-ffunction-sections", "-fdata-sections")
Values = dict[str, dict[str, str]]  # curve: knob: value


class Text(msgspec.Struct):
    """What the preprocessor makes of a case: flags, digests of texts, values of the knobs."""

    flags: list[str]
    code: str
    assembly: str
    values: Values

    def same(self, other: Text) -> bool:
        """Whether the compiler would see no difference."""
        ours = (self.flags, self.code, self.assembly)
        return ours == (other.flags, other.code, other.assembly)


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


def preprocessed(case: Case, texts: Path, values: Values | None = None) -> Text | None:
    """Keeps the texts of a case below `texts`. None: a case that cannot be, or has no such knob."""
    target = find_target(case.target)
    toolchain = find_toolchain(case.toolchain, target.arch, target.core, "Os")
    own = ("-ffunction", "-fdata", "-fcallgraph", "-g")
    flags = [flag for flag in toolchain.compile if not flag.startswith(own)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            include, defines, values = written(case, folder, values)
        except UsageError:
            return None
        command = [*flags, *defines, *(f"-I{path}" for path in include), "-E", "-P"]
        source = next(path / "ecfit.c" for path in include if (path / "ecfit.c").is_file())
        kept = []
        for file in (source, source.with_name("ecfit_asm.S")):
            if not file.is_file():
                kept.append("-")
                continue
            error = failure([*command, str(file), "-o", "text"], folder)
            if error and case.kind == "value" and REFUSED.match(error):
                return None  # the library refuses it
            kept.append(error or keep(folder / "text", texts))
    return Text(flags, kept[0], kept[1], values)


def keep(path: Path, texts: Path) -> str:
    """Puts a text without its margins below its digest."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    text = "\n".join(line for line in lines if line) + "\n"
    digest = short(text)
    kept = texts / f"{digest}.gz"
    if not kept.is_file():
        part = kept.with_name(f"{digest}.{os.getpid()}")
        part.write_bytes(gzip.compress(text.encode(), 1, mtime=0))
        part.replace(kept)
    return digest


def difference(one: Text, other: Text, texts: tuple[Path, Path]) -> list[str]:
    """Compiles what differs: which of assembly, code and functions, or the errors."""
    found = []
    for part, before, now, way, digest in (
        ("assembly", one.assembly, other.assembly, ("-x", "assembler"), sections),
        ("code", one.code, other.code, ("-x", "cpp-output"), whole),
        ("functions", one.code, other.code, (*APART, "-x", "cpp-output"), functions),
    ):
        same = (before, one.flags) == (now, other.flags)
        if same or (part == "functions" and "code" not in found):
            continue
        results = [
            compiled(folder / f"{text}.gz", (*flags, "-w", *way), digest)
            if (folder / f"{text}.gz").is_file()
            else text
            for text, flags, folder in (
                (before, one.flags, texts[0]),
                (now, other.flags, texts[1]),
            )
        ]
        if results[0] != results[1]:
            errors = any(result == "-" or result.startswith("fails") for result in results)
            found.append(f"{part}: {results[0]} before, {results[1]} now" if errors else part)
    return found


def compiled(text: Path, flags: Sequence[str], digest: Callable[[Path], str]) -> str:
    """The digest of a text's object, or the compiler's error."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "text").write_bytes(gzip.decompress(text.read_bytes()))
        return failure([*flags, "-c", "text", "-o", "object.o"], folder) or digest(
            folder / "object.o"
        )


def failure(command: Sequence[str], folder: Path) -> str:
    """Runs a compiler: its first error, or nothing."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    error = done.stderr.partition("error:")[2] or done.stderr
    return "fails: " + " ".join(error.split())[:100] if done.returncode else ""


def written(
    case: Case, folder: Path, values: Values | None = None
) -> tuple[list[Path], list[str], Values]:
    """Writes the configuration; the include path, the macros and the values of the knobs, which
    are those of another tree where `values` says so. Errors: UsageError.
    """
    target = find_target(case.target)
    several = len(case.curves) > 1
    ops = EVERY_OP if case.kind == "value" else OPS
    settled = [
        knobs.resolve(
            CURVES[curve], case.preset, dict(case.sets), target.backend, several=several, ops=ops
        )
        for curve in case.curves
    ]
    first, *rest = settled = [
        with_values(one, (values or {}).get(curve, {}))
        for one, curve in zip(settled, case.curves, strict=True)
    ]
    used = {curve: dict(one.settings) for one, curve in zip(settled, case.curves, strict=True)}
    if case.kind == "menu":
        symbols = [f"PRESET_{case.preset.upper()}", *(curve.upper() for curve in case.curves)]
        macros = [f"-DCONFIG_ECFIT_{symbol}=1" for symbol in symbols]
        return [MENU, LIB / "include", LIB / "src"], macros, {}
    if case.kind == "amalgam":
        curve = CURVES[case.curves[0]]
        parts = make_parts(first, curve.name, built(curve, first, curve.ops), {})
        files = dict(parts.generated)
        header = files.pop("ecfit_config.h")
        save(folder, amalgam(header, files, "a gate", HASHES).files)
        return [folder], [], used
    more = dict(zip(case.curves[1:], rest, strict=True))
    text = knobs.header(first, case.curves[:1], ops, extras=True, more=more)
    save(folder, {"ecfit_config.h": text})
    return [folder, LIB / "include", LIB / "src"], [], used


def with_values(configuration: Configuration, values: Mapping[str, str]) -> Configuration:
    """The configuration with these values. Errors: UsageError, where a value is no more."""
    known = {name: value for name, value in values.items() if name in knobs.all_knobs()}
    for name, value in known.items():
        knobs.all_knobs()[name].check(value)
    settings = tuple(sorted({**dict(configuration.settings), **known}.items()))
    return msgspec.structs.replace(configuration, settings=settings)


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, help="write the texts here")
    parser.add_argument("--against", type=Path, help="compare with these")
    parser.add_argument("--values", action="store_true", help="take the values of --against")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one case of N (1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="parallel jobs (2)")
    parser.add_argument("--kind", help="the cases of one kind (all)")
    given = parser.parse_args(arguments)
    picked = [case for case in chosen(given.every) if given.kind in (None, case.kind)]
    before = {}
    if given.against:
        before = msgspec.json.decode((given.against / INDEX).read_bytes(), type=dict[str, Text])
        if given.values:
            picked = [case for case in picked if case.kind != "menu"]  # it has presets alone
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(given.jobs) as pool:
        folder = given.output or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        values = [
            before[case.name].values if given.values and case.name in before else None
            for case in picked
        ]
        texts = list(pool.map(preprocessed, picked, itertools.repeat(folder), values))
        now = {
            case.name: text for case, text in zip(picked, texts, strict=True) if text is not None
        }
        (folder / INDEX).write_bytes(msgspec.json.encode(now))
        failed = sum("fails" in text.code + text.assembly for text in now.values())
        print(f"objects: {len(now)} texts of {len(picked)} cases, {failed} fail")
        if not given.against:
            return 0
        both = [case.name for case in picked if case.name in before and case.name in now]
        other = [name for name in both if not before[name].same(now[name])]
        print(f"objects: {len(both) - len(other)} have the same text as before")
        sides = itertools.repeat((given.against, folder))
        pairs = ([before[name] for name in other], [now[name] for name in other])
        found = pool.map(difference, *pairs, sides)
        changed = order = 0
        for case_name, parts in zip(other, found, strict=True):
            changed += bool(parts)
            order += parts == ["code"]
            if parts:
                print(f"differs: {case_name}: {', '.join(parts)}", flush=True)
        gone = [case.name for case in picked if (case.name in before) != (case.name in now)]
        for case_name in gone:
            side = "no more" if case_name in before else "new"
            print(f"differs: {case_name}: is {side}")
    print(
        f"objects: {len(both)} compared, {len(other)} of them compiled, {changed} differ, "
        f"{order} of them in the order of functions alone; {len(gone)} on one side alone"
    )
    return REGRESSION if changed or gone else 0


if __name__ == "__main__":
    sys.exit(main())
