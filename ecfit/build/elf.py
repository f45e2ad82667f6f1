"""Reading what the linker made: segments, symbols and section sizes of an ELF file, and its map."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from ecfit.errors import BuildError
from ecfit.model import Line, Mark, Segment, Symbol

COUNTED = (".text", ".data", ".bss")
_MARK = re.compile(r"ecfit_public(_memory)?\.\d+\.(\w+)\.(\d+)")  # lib/src/ct.h, bench_mark.h
_SYMBOL_BYTES = 16  # of an entry of a 32-bit symbol table
_GLOBAL, _FUNCTION = 1, 2  # a symbol's binding and type


class Elf:
    """What the bench needs of an ELF image; source lines only when asked for.

    Errors: BuildError when it is not a complete one for `machine`.
    """

    def __init__(self, data: bytes, machine: str, *, debug: bool = False) -> None:
        from elftools.elf.elffile import ELFFile

        try:
            elf = ELFFile(io.BytesIO(data))
            if elf["e_machine"] != machine:
                raise BuildError(f"the image is for {elf['e_machine']}, not for {machine}")
            self.segments = _segments(elf, len(data))
            self.sections = {name: _size(elf, name) for name in COUNTED}
            self.symbols, self.functions, self.public_at = _symbols(elf, len(data))
            self.names = {function.address: function.name for function in self.functions}
            self._code = [
                (s["sh_addr"], s.data())
                for s in elf.iter_sections()
                if s["sh_flags"] & 4 and s["sh_size"]
            ]
            self.lines = lines_of(elf, self.functions) if debug else ()
        except BuildError:
            raise
        except (
            Exception
        ) as error:  # of the parser, which raises what comes up: not all of it is an ELFError
            what = " ".join(str(error).split()) or type(error).__name__
            raise BuildError(f"the image is not a readable ELF file: {what}") from None

    def code(self, address: int, size: int) -> bytes:
        """The instructions at an address; empty where the image has none."""
        for start, data in self._code:
            if start <= address < start + len(data):
                return bytes(data[address - start : address - start + size])
        return b""


def _segments(elf: object, size: int) -> tuple[Segment, ...]:
    segments = []
    for segment in elf.iter_segments("PT_LOAD"):  # type: ignore[attr-defined]
        if segment["p_offset"] + segment["p_filesz"] > size:
            raise BuildError("the image is cut short: a segment ends behind the end of the file")
        if segment["p_filesz"]:
            segments.append(Segment(segment["p_paddr"], segment.data()))
    segments.sort(key=lambda segment: segment.address)
    for lower, upper in pairwise(segments):
        if lower.address + len(lower.data) > upper.address:
            raise BuildError(f"segments of the image overlap at 0x{upper.address:08x}")
    return tuple(segments)


def _size(elf: object, name: str) -> int:
    section = elf.get_section_by_name(name)  # type: ignore[attr-defined]
    return int(section["sh_size"]) if section else 0


def _symbols(elf: object, size: int) -> tuple[dict[str, int], tuple[Symbol, ...], tuple[Mark, ...]]:
    """All global symbols by name; all functions (static ones too) by address, Thumb bit cleared;
    and where something becomes public. The linker drops the marks of a function with it.
    """
    table = elf.get_section_by_name(".symtab")  # type: ignore[attr-defined]
    if table is None:
        raise BuildError("the image has no symbol table")
    if table["sh_offset"] + table["sh_size"] > size or table["sh_entsize"] < _SYMBOL_BYTES:
        raise BuildError("the image is cut short: its symbol table ends behind the end of the file")
    names = elf.get_section(table["sh_link"]).data()  # type: ignore[attr-defined]
    narrow = table["sh_entsize"] == _SYMBOL_BYTES
    entries = struct.Struct("<IIIBBH" if narrow else "<IBBHQQ").iter_unpack(table.data())
    symbols, functions, marks = {}, {}, set()
    for entry in entries:
        if narrow:
            at, address, length, info, _, section = entry
        else:
            at, info, _, section, address, length = entry
        name = names[at : names.index(b"\0", at)].decode()
        if info >> 4 == _GLOBAL and section:
            symbols[name] = address
        if info & 15 == _FUNCTION and section:
            functions[address & ~1] = Symbol(name, address & ~1, length)
        if name.startswith(("ecfit_public.", "ecfit_public_memory.")):
            part = _MARK.fullmatch(name)
            memory, register, count = part.groups() if part else ("", name, "0")
            marks.add((address & ~1, register, int(count), bool(memory)))
    ordered = tuple(functions[address] for address in sorted(functions))
    return symbols, ordered, tuple(Mark(*mark) for mark in sorted(marks))


def lines_of(elf: object, functions: Sequence[Symbol]) -> tuple[Line, ...]:
    """The line table of all units that have one, by address; consecutive rows of one line are one.

    Sequences of functions that the linker has dropped are left out: they begin at address 0.
    """
    if not elf.has_dwarf_info():  # type: ignore[attr-defined]
        return ()
    dwarf = elf.get_dwarf_info()  # type: ignore[attr-defined]
    rows: dict[int, str] = {}
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        sequence: dict[int, str] = {}
        for state in (
            (entry.state for entry in program.get_entries() if entry.state) if program else ()
        ):
            if not state.end_sequence:
                sequence[state.address] = f"{_file_name(program.header, state.file)}:{state.line}"
                continue
            start = min(sequence, default=0)
            if any(
                function.address <= start < function.address + max(function.size, 2)
                for function in functions
            ):
                rows.setdefault(state.address, "")
                rows |= sequence
            sequence = {}
    ordered = [Line(address, rows[address]) for address in sorted(rows)]
    return tuple(
        now
        for before, now in zip([None, *ordered], ordered, strict=False)
        if not before or before.source != now.source
    )


def result_bytes(elf: Any, address: int) -> int | None:
    """Bytes of the number that the function at an address returns, 0 where it returns none, as its
    debug information says; None where there is none.
    """
    if not elf.has_dwarf_info():
        return None
    dwarf = elf.get_dwarf_info()
    aranges = dwarf.get_aranges()
    offset = aranges.cu_offset_at_addr(address) if aranges else None
    for unit in dwarf.iter_CUs() if offset is None else [dwarf.get_CU_at(offset)]:
        for die in unit.iter_DIEs():
            start = die.attributes.get("DW_AT_low_pc")
            if die.tag == "DW_TAG_subprogram" and start is not None and start.value == address:
                return _type_bytes(die)
    return None


def _type_bytes(die: Any) -> int:
    while True:
        if die.tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type"):
            return 4
        links = ("DW_AT_type", "DW_AT_specification", "DW_AT_abstract_origin")
        link = next((name for name in links if name in die.attributes), None)
        if link is None or die.tag == "DW_TAG_enumeration_type":
            size = die.attributes.get("DW_AT_byte_size")
            number = die.tag in ("DW_TAG_base_type", "DW_TAG_enumeration_type")
            return size.value if number and size is not None else 0
        die = die.get_DIE_from_attribute(link)


def _file_name(header: Mapping[str, Any], index: int) -> str:
    """A file of a line table, as the compiler wrote it, without "./".
    Before DWARF 5 files and folders count from 1.
    """
    first = 0 if header["version"] >= 5 else 1
    entry = header["file_entry"][index - first]
    folders = header["include_directory"]
    number = entry.dir_index - first
    folder = folders[number].decode() if 0 <= number < len(folders) else ""
    return str(PurePosixPath(folder, entry.name.decode()))


_OUTPUT = re.compile(r"^(\.\S+)(?:\s|$)")
_INPUT = re.compile(r"^ \.?\S*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(\S.*)$")


def foreign_bytes(map_text: str) -> int:
    """Bytes of .text and .data that came out of archives (libgcc, libc), from a GNU linker map."""
    return sum(
        size for name, size in object_bytes(map_text).items() if re.search(r"\.a\([^)]+\)$", name)
    )


def object_bytes(map_text: str) -> dict[str, int]:
    """Bytes of .text and .data by the object that they came from, as a GNU linker map names it."""
    layout = map_text.split("Linker script and memory map", 1)[-1]
    total: dict[str, int] = {}
    section, pending = "", ""
    for raw in layout.splitlines():
        line = pending + raw
        pending = ""
        output = _OUTPUT.match(line)
        if output:
            section = output.group(1)
        elif re.match(r"^ \.\S+$", line):  # a long name: its figures stand on the next line
            pending = line
        elif section in (".text", ".data"):
            figures = _INPUT.match(line)
            if figures:
                total[figures.group(2)] = total.get(figures.group(2), 0) + int(figures.group(1), 16)
    return {name: size for name, size in total.items() if size}


_SECTION = re.compile(
    r"^ (\.(?:text|rodata|data)\S*)\s*\n?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(lib_\S+|\S+\.a\(\S+)",
    re.MULTILINE,
)


def section_bytes(map_text: str) -> dict[tuple[str, str], int]:
    """Bytes of the sections of code and data that a library and archives put into an image, by
    name and object, from a GNU linker map.
    """
    layout = map_text.split("Linker script and memory map", 1)[-1]
    total: dict[tuple[str, str], int] = {}
    for name, address, size, origin in _SECTION.findall(layout):
        if int(address, 16) and int(size, 16):
            total[name, origin] = total.get((name, origin), 0) + int(size, 16)
    return total
