"""Flash by module: the bytes of an image by the source that they come from."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from pathlib import PurePosixPath

import msgspec

from ecfit.model import Image, Record

LAYERS = ("ct", "mp", "field", "group", "mul", "api", "hash", "curve")  # folders of lib/src
FILES, FOREIGN, CONSTANTS = "files of other libraries", "libgcc, libc", "constants"
KINDS = (*LAYERS, FILES, FOREIGN, CONSTANTS)
_OWN = "lib/src/"
_HARNESS = ("firmware/", "adapter.c")  # start-up and adapters, which no figure counts
_ELSEWHERE = ("../", "/libgcc/", "/newlib/", "/picolibc")


class Part(msgspec.Struct, frozen=True):
    """A module and its bytes. `kind`: one of KINDS; a layer of this library is its own."""

    name: str
    kind: str
    bytes: int


def parts(image: Image, record: Record) -> list[Part]:
    """The modules of an image that knows its source lines; together they are the flash of
    the record. What no line of source made are constants: tables, parameters, literals.
    """
    found: Counter[tuple[str, str]] = Counter()
    for source, size in _bytes_of_sources(image).items():
        if module := _module(source):
            found[module] += size
    foreign = record.foreign_bytes or 0
    found[FOREIGN, FOREIGN] = foreign
    found[CONSTANTS, CONSTANTS] = (record.flash_bytes or 0) - found.total()
    made = [Part(name, kind, size) for (name, kind), size in found.items() if size]
    return sorted(made, key=lambda part: (KINDS.index(part.kind), -part.bytes, part.name))


def _module(source: str) -> tuple[str, str] | None:
    """Name and kind of a source file's module. None if it does not belong to the library, or counts
    separately.
    """
    if not source or any(mark in source for mark in (*_HARNESS, *_ELSEWHERE)):
        return None
    if _OWN in source:
        folder = PurePosixPath(source.partition(_OWN)[2]).parts[0]
        layer = folder if folder in LAYERS else "ct"
        return layer, layer
    return PurePosixPath(source).name, FILES


def _bytes_of_sources(image: Image) -> Counter[str]:
    """The bytes of all functions, by source file; inlined code is where it was written."""
    starts = [line.address for line in image.lines]
    found: Counter[str] = Counter()
    for function in image.functions:
        address, end = function.address, function.address + function.size
        while address < end:
            index = bisect_right(starts, address)
            after = min(starts[index], end) if index < len(starts) else end
            source = image.lines[index - 1].source if index else ""
            found[source.rpartition(":")[0]] += after - address
            address = after
    return found
