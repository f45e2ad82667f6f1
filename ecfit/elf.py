"""Reading what the linker made: segments, symbols and section sizes of an ELF file, and its map."""

from __future__ import annotations

import io
import re

from ecfit.errors import BuildError
from ecfit.model import Segment, Symbol

COUNTED = (".text", ".data", ".bss")


class Elf:
    """What the bench needs of an ELF image. Errors: BuildError when it is not a complete one for `machine`."""

    def __init__(self, data: bytes, machine: str) -> None:
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile

        try:
            elf = ELFFile(io.BytesIO(data))
            if elf["e_machine"] != machine:
                raise BuildError(f"the image is for {elf['e_machine']}, not for {machine}")
            self.segments = _segments(elf, len(data))
            self.sections = {name: _size(elf, name) for name in COUNTED}
            self.symbols, self.functions = _symbols(elf)
        except (ELFError, UnicodeDecodeError, KeyError, AttributeError, AssertionError, ValueError) as error:
            raise BuildError(f"the image is not a readable ELF file: {error}") from None


def _segments(elf: object, size: int) -> tuple[Segment, ...]:
    found = []
    for segment in elf.iter_segments("PT_LOAD"):  # type: ignore[attr-defined]
        if segment["p_offset"] + segment["p_filesz"] > size:
            raise BuildError("the image is cut short: a segment ends behind the end of the file")
        if segment["p_filesz"]:
            found.append(Segment(segment["p_paddr"], segment.data()))
    return tuple(found)


def _size(elf: object, name: str) -> int:
    section = elf.get_section_by_name(name)  # type: ignore[attr-defined]
    return int(section["sh_size"]) if section else 0


def _symbols(elf: object) -> tuple[dict[str, int], tuple[Symbol, ...]]:
    """All global symbols by name, and all functions (static ones too) by address, Thumb bit cleared."""
    table = elf.get_section_by_name(".symtab")  # type: ignore[attr-defined]
    if table is None:
        raise BuildError("the image has no symbol table")
    symbols, functions = {}, {}
    for symbol in table.iter_symbols():
        address = symbol["st_value"]
        if symbol["st_info"]["bind"] == "STB_GLOBAL" and symbol["st_shndx"] != "SHN_UNDEF":
            symbols[symbol.name] = address
        if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_shndx"] != "SHN_UNDEF":
            functions[address & ~1] = Symbol(symbol.name, address & ~1, symbol["st_size"])
    return symbols, tuple(functions[address] for address in sorted(functions))


_OUTPUT = re.compile(r"^(\.\S+)(?:\s|$)")
_INPUT = re.compile(r"^ \.?\S*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(\S.*)$")


def foreign_bytes(map_text: str) -> int:
    """Bytes of .text and .data that came out of archives (libgcc, libc), from a GNU linker map."""
    layout = map_text.split("Linker script and memory map", 1)[-1]
    total, section, pending = 0, "", ""
    for raw in layout.splitlines():
        line = pending + raw
        pending = ""
        output = _OUTPUT.match(line)
        if output:
            section = output.group(1)
        elif re.match(r"^ \.\S+$", line):  # a long name: its figures stand on the next line
            pending = line
        elif section in (".text", ".data"):
            found = _INPUT.match(line)
            if found and re.search(r"\.a\([^)]+\)$", found.group(2)):
                total += int(found.group(1), 16)
    return total
