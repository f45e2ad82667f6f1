"""The library as `ecfit amalgamate` hands it over, in the place of lib/src: its files, and what
compilers make of both.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import Relocation, RelocationSection
from elftools.elf.sections import SymbolTableSection

from ecfit.build.build import build
from ecfit.build.parts import Parts, built, make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError
from ecfit.model import Configuration, Image
from ecfit.paths import LIB
from ecfit.run.job import Job
from ecfit.run.runner import run
from ecfit.ship.amalgam import HASHES, amalgam

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror"]
DIALECTS = {
    "gcc": ["gcc", "-std=c99"],
    "clang": ["clang", "-std=c99"],
    "g++": ["g++", "-x", "c++", "-std=c++11"],
    "clang++": ["clang++", "-x", "c++", "-std=c++11"],
}
RANDOM = 20  # configurations
MOST_CHANGES = 6  # of a random one, from its preset
SEED = 12
CALLED = "ecfit_bytes"  # what a hash is of


class Case(NamedTuple):
    """A configuration of one curve for a target."""

    target: str
    curve: str
    preset: str
    sets: tuple[tuple[str, str], ...] = ()

    @property
    def configuration(self) -> Configuration:
        """All its settings. Errors: UsageError."""
        backend = find_target(self.target).backend
        return knobs.resolve(CURVES[self.curve], self.preset, dict(self.sets), backend)

    @property
    def name(self) -> str:
        """How a test of it is called."""
        return "-".join([self.target, self.curve, self.preset, *("=".join(s) for s in self.sets)])


def presets() -> Iterator[Case]:
    """Every preset with every curve, on a chip with assembly, on one without, and on this machine;
    each preset and curve on one of the three.
    """
    targets = ("samd20", "nrf52840", "cc2538", "ibex", "host")
    for number, preset in enumerate(all_presets()):
        for other, curve in enumerate(CURVES):
            yield Case(targets[(number + other) % len(targets)], curve, preset)


def random_cases(count: int = RANDOM, seed: int = SEED) -> list[Case]:
    """Valid configurations, drawn."""
    source = random.Random(seed)
    found: list[Case] = []
    while len(found) < count:
        target = source.choice(("samd20", "nrf52840", "ibex", "host"))
        curve, preset = source.choice(list(CURVES)), source.choice(list(all_presets()))
        case, wanted = Case(target, curve, preset), source.randint(2, MOST_CHANGES)
        for _ in range(40 * wanted):
            knob = source.choice(list(knobs.all_knobs().values()))
            changed = Case(target, curve, preset, (*case.sets, (knob.name, _draw(source, knob))))
            if knob.name in dict(case.sets) or not _valid(changed):
                continue
            case = changed
            if len(case.sets) == wanted:
                break
        found.append(case)
    return found


def _draw(source: random.Random, knob: knobs.Knob) -> str:
    return source.choice(knob.values)


def _valid(case: Case) -> bool:
    arch = find_target(case.target).arch
    for name, value in case.sets:
        choice = knobs.all_knobs()[name].choices.get(value)
        if name == "BACKEND" or (choice and choice.arch and arch not in choice.arch):
            return False
    try:
        before = Case(*case[:3], case.sets[:-1]).configuration
        return case.configuration.key != before.key
    except UsageError:
        return False


def of_case(case: Case, folder: Path) -> tuple[Parts, Parts]:
    """What an image is made of, with all operations: from the tree, and from the amalgam."""
    curve, configuration = CURVES[case.curve], case.configuration
    ops = built(curve, configuration, curve.ops)
    parts = make_parts(configuration, curve.name, ops, {})
    files = dict(parts.generated)
    header = files.pop("ecfit_config.h")
    tree, whole = folder / "tree", folder / "amalgam"
    made = amalgam(header, files, "a test", HASHES).files
    for path, texts in ((tree, parts.generated), (whole, made)):
        for name, text in texts.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(text, encoding="utf-8")
    sources = tuple(path for path in (whole / "ecfit.c", whole / "ecfit_asm.S") if path.exists())
    identity = [*parts.identity, *(path.read_text(encoding="utf-8") for path in sources)]
    own = msgspec.structs.replace(parts, include=(tree, *parts.include), generated={})
    glue = parts.glue if CALLED in made["ecfit.h"] else ()  # who calls no hash asks for none
    other = msgspec.structs.replace(
        parts,
        sources=sources,
        include=(whole, *((LIB / "src",) if glue else ())),  # what a caller brings is a test's
        generated={},
        identity=identity,
        glue=glue,
    )
    return own, other


def image_of(case: Case, parts: Parts) -> Image:
    """An image with all operations, built now."""
    target, curve = find_target(case.target), CURVES[case.curve]
    ops = built(curve, case.configuration, curve.ops)
    tools = find_toolchain("gcc", target.arch, target.core, "Os")
    return build(Request(target, case.configuration, curve.name, ops, tools, parts))


def statuses(case: Case, image: Image) -> dict[str, str]:
    """How each operation ends whose results are compared with the oracle's."""
    target, curve = find_target(case.target), CURVES[case.curve]
    mode = target.mode("datasheet")
    ops = built(curve, case.configuration, curve.ops)
    return {op: run(image, Job(target, mode, curve, op, seed=1, runs=2)).status for op in ops}


def objects(
    case: Case, own: Parts, other: Parts, compiler: str, opt: str = "Os"
) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    """What a compiler makes of the tree and of the amalgam, by section, for each source file."""
    target = find_target(case.target)
    found = find_toolchain(compiler, target.arch, target.core, opt)
    flags = [f for f in found.compile if f != "-g" and not f.startswith("-fcallgraph")]
    flags.append("-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY")
    for sources in zip(own.sources, other.sources, strict=True):
        pair = []
        for parts, source in zip((own, other), sources, strict=True):
            path = parts.include[0] / f"{source.name}.o"
            include = [f"-I{folder}" for folder in parts.include]
            compiled([*flags, *include, "-c", str(source), "-o", str(path)])
            pair.append(sections(path))
        yield pair[0], pair[1]


def compiled(command: Sequence[str]) -> None:
    """Runs a compiler; AssertionError with what it says where it refuses."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"


def sections(path: Path) -> dict[str, object]:
    """Each section of an object that the chip would hold: its bytes, and to what it refers."""
    found: dict[str, list[object]] = {}
    with path.open("rb") as file:
        elf = ELFFile(file)
        for section in elf.iter_sections():
            if section["sh_flags"] & 2 and section["sh_size"]:
                found[section.name] = [section["sh_type"], section.data()]
        for section in elf.iter_sections():
            if not isinstance(section, RelocationSection):
                continue
            symbols = elf.get_section(section["sh_link"])
            assert isinstance(symbols, SymbolTableSection)
            place = elf.get_section(section["sh_info"]).name
            if place in found:
                found[place].append(
                    [_reference(elf, symbols, r) for r in section.iter_relocations()]
                )
    return {name: value for name, value in found.items() if ".eh_frame" not in name}


def _reference(elf: ELFFile, symbols: SymbolTableSection, entry: Relocation) -> object:
    """Where a relocation is, of what kind, and the name of what it refers to."""
    symbol = symbols.get_symbol(entry["r_info_sym"])
    name: object = symbol.name
    if (not name or symbol.name.startswith(".L")) and isinstance(symbol["st_shndx"], int):
        name = elf.get_section(symbol["st_shndx"]).name, symbol["st_value"]
    return entry["r_offset"], entry["r_info_type"], name, entry.entry.get("r_addend")
