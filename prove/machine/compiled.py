"""The library's C as GCC compiles it for the presets, each function by itself, linked with the
assembly of the back end.

Flags keep GCC from inlining and from making copies of a function for some callers. So each function
has code of its own, with the calling convention of the core.
"""

from __future__ import annotations

import hashlib
import io
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from elftools.elf.elffile import ELFFile

from ecfit.build import toolchain
from ecfit.build.build import build_alone
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from prove.algebra.primes import P25519
from prove.machine.image import CORES, Image

NAMES = ("secp256r1", "secp384r1", "secp256k1", "x25519", "ed25519")
PRESETS = ("tiny", "lowram", "compact", "balanced", "fast")
FLAGS = (
    "-fno-inline",
    "-fno-ipa-cp",
    "-fno-ipa-sra",
    "-fno-ipa-icf",
    "-fno-partial-inlining",
    "-fno-optimize-sibling-calls",
    "-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY",
    "-Wl,--unresolved-symbols=ignore-all",
)
"""Beside those of the bench. `ecfit ct` judges the multiplications of a core, and the prover."""
_NODE = re.compile(r'^node: \{ title: "[^"]*" label: "(\w+)\\n([^"]*?):(\d+):\d+\\n', re.MULTILINE)


class Function(NamedTuple):
    """A C function of a build: where it stands, and the digest of its code and of all it needs."""

    name: str
    path: Path
    line: int
    digest: str


class Build(NamedTuple):
    """One curve in one preset on one back end."""

    backend: str
    curve: str
    preset: str
    linked: bytes
    functions: dict[str, Function]

    @property
    def words(self) -> int:
        """Of an element."""
        return -(-(CURVES[self.curve].p or P25519).bit_length() // 32)

    def image(self) -> Image:
        """A copy of one's own, with the C functions."""
        return Image(self.linked, every=True)


@cache
def build(backend: str, curve: str, preset: str) -> Build:
    """Compiled and linked. Errors: MissingToolError, BuildError."""
    arch, core = CORES[backend]
    tools = toolchain.find_toolchain("gcc", arch, core, "Os")
    header = knobs.header(
        knobs.resolve(CURVES[curve], preset, {"BACKEND": backend}, backend), [curve]
    )
    with tempfile.TemporaryDirectory() as folder:
        linked = build_alone(tools, header, Path(folder), ("ecfit.c", "ecfit_asm.S"), FLAGS)
        graph = (Path(folder) / "ecfit.ci").read_text("utf-8")
        objects = _Objects((Path(folder) / "ecfit.o").read_bytes())
        objects.join((Path(folder) / "ecfit_asm.o").read_bytes())
    found = {}
    for name, path, line in _NODE.findall(graph):
        if re.search(r"/src/(mp|field)/", path):
            found[name] = Function(name, Path(path), int(line), objects.digest(name))
    return Build(backend, curve, preset, linked, found)


def builds(backend: str) -> Iterator[Build]:
    """All of a back end."""
    for curve in NAMES:
        for preset in PRESETS:
            yield build(backend, curve, preset)


class _Objects:
    """Sections of object files, and what they need of each other."""

    def __init__(self, data: bytes) -> None:
        self.at: dict[str, tuple[Any, int]] = {}  # of each symbol, its file and section
        self.join(data)

    def join(self, data: bytes) -> None:
        """One file more."""
        elf = ELFFile(io.BytesIO(data))
        for s in _symbols(elf).iter_symbols():
            if s.name and isinstance(s["st_shndx"], int):
                self.at.setdefault(s.name, (elf, s["st_shndx"]))

    def digest(self, name: str) -> str:
        """Of the bytes of a function, and of all functions and constants that it needs."""
        h, seen, todo = hashlib.sha256(), set[tuple[int, int]](), [self.at[name]]
        while todo:
            elf, number = todo.pop(0)
            if (id(elf), number) in seen:
                continue
            seen.add((id(elf), number))
            section = elf.get_section(number)
            h.update(section.name.encode() + section.data())
            for kind in (".rel", ".rela"):
                for r in _relocations(elf, kind + section.name):
                    s = _symbols(elf).get_symbol(r["r_info_sym"])
                    added = r["r_addend"] if kind == ".rela" else 0
                    to = (elf, s["st_shndx"]) if isinstance(s["st_shndx"], int) else None
                    to = to or self.at.get(s.name)
                    # names of labels inside of functions differ from build to build
                    where = f"{to[0].get_section(to[1]).name}+{s['st_value']}" if to else s.name
                    h.update(f"{r['r_offset']} {r['r_info_type']} {where} {added}".encode())
                    todo += [to] if to else []
        return h.hexdigest()[:16]


def _symbols(elf: Any) -> Any:
    return elf.get_section_by_name(".symtab")


def _relocations(elf: Any, name: str) -> Iterator[Any]:
    found = elf.get_section_by_name(name)
    return found.iter_relocations() if found else iter(())
