"""What an image is built from, and the key that this gives it: known without building it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import msgspec

from ecfit.build import toolchain
from ecfit.build.parts import Parts
from ecfit.choices.targets import Target
from ecfit.model import Configuration, Place, Toolchain, digest
from ecfit.paths import FIRMWARE

FOLDERS = {
    "armv6m": "cortexm",
    "armv7m": "cortexm",
    "rv32": "rv32",
    "avr": "avr",
    "xtensa": "lx106",
}  # of firmware/, by architecture


class Request(msgspec.Struct, frozen=True, dict=True):
    """An image to build: these operations of this library for this target,
    its code in flash or copied to RAM.

    `lines`: of the source, by address, are read, too. The image is the same.
    """

    target: Target
    configuration: Configuration
    curve: str
    ops: tuple[str, ...]
    toolchain: Toolchain
    parts: Parts
    place: Place = "flash"
    lines: bool = False

    @cached_property
    def key(self) -> str:
        """The content key: equal keys make equal images, on every machine."""
        target = [
            self.target.arch,
            self.target.core,
            [msgspec.to_builtins(m) for m in self.target.memory],
        ]
        flags = toolchain.flags_key(self.toolchain)
        stack = self.target.stack
        variant = [self.place, *(["lines"] if self.lines else []), *([stack] if stack else [])]
        glue = [[path.name, path.read_bytes()] for path in self.files]
        return digest([target, list(self.ops), flags, self.parts.identity, glue, *variant])

    @property
    def glue(self) -> tuple[Path, ...]:
        """The sources that are compiled beside the library. The folder of the first one contains
        the headers of the architecture.
        """
        library = self.parts.adapter, *self.parts.glue
        if self.target.arch == "host":
            return FIRMWARE / "bench_host.c", *library
        return *sorted(self.arch_folder.glob("*.c")), FIRMWARE / "bench_main.c", *library

    @property
    def arch_folder(self) -> Path:
        """Start-up and linker script of the architecture."""
        return FIRMWARE / FOLDERS[self.target.arch]

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """Every file of the image's surroundings that its build may read:
        other adapters do not count.
        """
        headers = sorted(FIRMWARE.glob("*.h"))
        headers += [path for one in self.parts.beside for path in (one.adapter, *one.glue)]
        if self.target.arch != "host":
            headers += sorted(path for path in self.arch_folder.iterdir() if path.is_file())
        return tuple(dict.fromkeys((*self.glue, *headers)))
