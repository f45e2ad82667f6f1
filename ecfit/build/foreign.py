"""An ELF file of any project: what of it is loaded where, and where its functions are.

What start-up code would do to memory is done here: initialised data stand where they run, zeroed
data are zeros. Objects and archives are linked for the target first.
"""

from __future__ import annotations

import hashlib
import io
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ecfit.build import toolchain
from ecfit.build.elf import lines_of, result_bytes
from ecfit.choices.targets import Memory, Target
from ecfit.errors import BuildError, UsageError, unknown_name
from ecfit.model import Image, Segment, Symbol
from ecfit.paths import cache_dir, read_input

MACHINES = {"armv6m": "EM_ARM", "armv7m": "EM_ARM", "rv32": "EM_RISCV"}
KINDS = {"EM_ARM": "Arm", "EM_RISCV": "RISC-V", "EM_386": "x86", "EM_X86_64": "x86-64"}
KINDS |= {"EM_AARCH64": "64-bit Arm", "EM_AVR": "AVR", "EM_XTENSA": "Xtensa"}
T = TypeVar("T")
ALLOCATED, EXECUTABLE, THREAD_LOCAL = 2, 4, 0x400  # of sh_flags
ARCHIVES, ELF, BITCODE = (b"!<arch>\n", b"!<thin>\n"), b"\x7fELF", b"BC\xc0\xde"
MEMBER = b"`\n"  # ends the header of each file in an archive
RESERVED = re.compile(r"stack|heap")  # sections that only keep room
RELOCATABLE = b"\1\0"  # e_type
NAME = re.compile(r"[A-Za-z_.$][\w.$]*")
HASH = re.compile(r"::h[0-9a-f]{16}$|\[[0-9a-f]{5,16}\]")  # of Rust, behind its names
OF_CXX = re.compile(r"`(__cxa_|__gxx_|operator |std::|vtable for __cxxabiv1|__cxxabiv1)")
NEAR = 3  # names to suggest
# Code begins behind the address that the debug information of dropped functions has: zero.
# Constants are apart from it, because some code in assembly says nothing of its alignment.
SCRIPT = """
MEMORY {{ FLASH (rx) : ORIGIN = {flash.start:#x}, LENGTH = {flash.size:#x}
          RAM (rwx) : ORIGIN = {ram.start:#x}, LENGTH = {ram.size:#x} }}
SECTIONS {{
    .text ORIGIN(FLASH) + 0x100 : {{ *(.text .text.*) . = ALIGN(4); }} > FLASH
    .rodata : {{ *(.rodata .rodata.* .srodata .srodata.*) . = ALIGN(4); }} > FLASH
    .ARM.extab : {{ *(.ARM.extab* .gnu.linkonce.armextab.*) }} > FLASH
    .ARM.exidx : {{ PROVIDE(__exidx_start = .); *(.ARM.exidx* .gnu.linkonce.armexidx.*)
                    PROVIDE(__exidx_end = .); }} > FLASH
    .eh_frame : {{ *(.eh_frame .eh_frame.* .gcc_except_table .gcc_except_table.*)
                   . = ALIGN(4); }} > FLASH
    .init_array : {{ KEEP(*(.init_array .init_array.*)) }} > FLASH
    .data : {{ *(.data .data.*) . = ALIGN(4); PROVIDE(__global_pointer$ = . + 0x800);
              *(.sdata .sdata.*) . = ALIGN(4); }} > RAM AT > FLASH
    .bss : {{ *(.sbss .sbss.* .bss .bss.* COMMON) . = ALIGN(4); PROVIDE(end = ALIGN(8));
             PROVIDE(_end = ALIGN(8)); PROVIDE(__end__ = ALIGN(8)); }} > RAM
    PROVIDE(__dso_handle = 0);
}}
"""


class Piece(msgspec.Struct, frozen=True):
    """A section: `data`, then zeros up to `size` bytes, at `address`, where it is when the program
    runs; initialised data have their source at `source`.
    """

    name: str
    address: int
    size: int
    data: bytes
    source: int


class Program(msgspec.Struct, frozen=True):
    """What a file holds: `entries` of each function by name, as a call takes them (on Arm with
    the Thumb bit), `objects`: address and size of variables by name.

    `arm`: functions that no Cortex-M core runs; `constructors`: functions that start-up code
    would call before main. `image`: functions and source lines for those who name places.
    `linked`: whether it was linked here, from an object or an archive; `debug`: whether it kept its
    debug information then.
    """

    pieces: tuple[Piece, ...]
    entries: dict[str, tuple[int, ...]]
    objects: dict[str, tuple[int, int]]
    stripped: bool
    global_pointer: int | None
    arm: frozenset[str]
    constructors: tuple[str, ...]
    image: Image
    linked: bool = False
    debug: bool = True

    @property
    def flash_bytes(self) -> int:
        """What a programmer writes to the chip: code, constants and the values of variables."""
        return sum(len(piece.data) for piece in self.pieces)

    @property
    def static_ram_bytes(self) -> int:
        """Variables, and code that start-up code copies to RAM; stack and heap not counted."""
        return sum(
            piece.size - (len(piece.data) if piece.source == piece.address else 0)
            for piece in self.pieces
        )

    def entry(self, name: str) -> int:
        """The address of a function, by its name or as 0x... Errors: UsageError."""
        if re.fullmatch(r"0x[0-9a-fA-F]{1,8}", name):
            return int(name, 16)
        addresses = self.entries.get(name, ())
        if name in self.arm:
            raise UsageError(f"{name} is Arm code, this core runs Thumb code alone: build for it")
        if len(addresses) == 1:
            return addresses[0]
        if addresses:
            places = sorted(n for n in self.entries if plain_name(n) == name != n)
            places = places or [f"0x{address & ~1:x}" for address in addresses]
            listed = ", ".join(places)
            raise UsageError(f"there are {len(addresses)} functions {name}: choose {listed}")
        if self.stripped:
            raise UsageError(
                "the image has no names of functions (it is stripped): "
                "name the address, as --function 0x1234, or link without -s"
            )
        raise _unknown("function", name, self.entries)

    def place(self, name: str) -> tuple[int, int]:
        """Address and size of a variable. Errors: UsageError."""
        if name not in self.objects:
            raise _unknown("variable", name, self.objects)
        return self.objects[name]


def _unknown(kind: str, name: str, names: Sequence[str] | dict[str, Any]) -> UsageError:
    """Names hundreds of functions no more than needed: those that are near, or how many."""
    near = [n for n in names if name.lower() in n.lower()][:NEAR]
    error = str(unknown_name(kind, name, near or names))
    if not near and len(names) > NEAR:
        error = error.partition(" known: ")[0] + f" the image has {len(names)}"
        error += " (dropped by --gc-sections, inlined, or a macro?)" if kind == "function" else ""
    return UsageError(error.replace("known: ", "there are ") if near else error)


def read_program(path: Path, target: Target, names: Sequence[str]) -> Program:
    """The program in a file; an object or an archive is linked for these functions and variables,
    the first a function.

    Errors: UsageError, which says what the file is and what is needed; BuildError of the linker.
    """
    try:
        data = read_input(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if data.startswith(BITCODE):
        raise _bitcode(path)
    if not data.startswith((ELF, *ARCHIVES)):
        raise UsageError(
            f"{path} is not an ELF file (a .bin or .hex has no functions: take what it was made of)"
        )
    if data.startswith(ARCHIVES):
        if (first := data.find(MEMBER + ELF)) >= 0:
            _read(data[first + len(MEMBER) :], str(path), target, lambda elf, _: elf)
        return _linked(path, target, names, bitcode=MEMBER + BITCODE in data)
    program = read_elf(data, str(path), target)
    return program if data[16:18] != RELOCATABLE else _linked(path, target, names)


def read_elf(data: bytes, what: str, target: Target) -> Program:
    """The program in these bytes. Errors: UsageError."""
    program = _read(data, what, target, _program)
    plain = _written(target, list(program.entries))
    entries = dict(program.entries)
    for name, encoded in plain.items():
        addresses = (address for one in encoded for address in program.entries[one])
        entries[name] = tuple(dict.fromkeys((*entries.get(name, ()), *addresses)))
    short = {encoded[0]: name for name, encoded in plain.items() if len(encoded) == 1}
    functions = (
        msgspec.structs.replace(one, name=short.get(one.name, one.name))
        for one in program.image.functions
    )
    image = msgspec.structs.replace(program.image, functions=tuple(functions))
    return msgspec.structs.replace(program, entries=entries, image=image)


def _written(target: Target, names: Sequence[str]) -> dict[str, list[str]]:
    """The functions of C++ and Rust as their sources name them, with arguments and without, and
    the symbols of each: several where it is overloaded.
    """
    written: dict[str, list[str]] = {}
    for encoded, text in toolchain.demangled(target.arch, names).items():
        full = HASH.sub("", text)
        for name in dict.fromkeys((full, plain_name(full))):
            written.setdefault(name, []).append(encoded)
    return written


def plain_name(text: str) -> str:
    """The name in a prototype of C++, as ns::twice<int> in `int ns::twice<int>(int)`."""
    depth, start = 0, 0
    for at, character in enumerate(text):
        before = text[start:at]
        if "operator" in before and character in "<>(":  # which may be its name
            return text
        depth += (character == "<") - (character == ">")
        if depth == 0 and character == " " and not before.endswith("(anonymous"):
            start = at + 1
        if depth == 0 and character == "(" and not text.startswith("(anonymous ", at):
            return before
    return text


def _read(data: bytes, what: str, target: Target, of: Callable[[Any, bytes], T]) -> T:
    from elftools.elf.elffile import ELFFile

    try:
        elf = ELFFile(io.BytesIO(data))
        _check(elf, what, target)
        return of(elf, data)
    except UsageError:
        raise
    except Exception as error:  # of the parser, which raises what comes up
        message = " ".join(str(error).split()) or type(error).__name__
        raise UsageError(f"{what} is damaged or cut short: {message}") from None


def _check(elf: Any, what: str, target: Target) -> None:
    machine, wanted = str(elf["e_machine"]), MACHINES.get(target.arch)
    kind = KINDS.get(machine, machine)
    if wanted is None or machine == "EM_AVR":
        raise UsageError(
            f"{what} is for {kind}: `measure` calls functions on Cortex-M and RISC-V alone "
            "(what libraries cost on an AVR: `ecfit bench --target atmega328p`)"
        )
    if machine != wanted:
        raise UsageError(
            f"{what} is for {kind}, {target.name} is {KINDS[wanted]} ({target.core}): "
            "choose another target, or build for this one"
        )
    if elf.elfclass != 32 or not elf.little_endian:
        order = "little" if elf.little_endian else "big"
        raise UsageError(
            f"{what} is {elf.elfclass}-bit {order}-endian {kind}: "
            f"{target.name} runs 32-bit little-endian code"
        )


def _program(elf: Any, data: bytes) -> Program:
    pieces = tuple(_pieces(elf, len(data)))
    entries: dict[str, tuple[int, ...]] = {}
    objects: dict[str, tuple[int, int]] = {}
    functions: dict[int, Symbol] = {}
    arm = set()
    table = elf.get_section_by_name(".symtab")
    flags = [section["sh_flags"] for section in elf.iter_sections()]
    for symbol in table.iter_symbols() if table else ():
        kind, index, value = symbol["st_info"]["type"], symbol["st_shndx"], symbol["st_value"]
        if (
            not symbol.name.isprintable()
            or symbol.name[:1] in ("", "$")
            or not isinstance(index, int)
        ):
            continue
        inside = flags[index]
        if inside & EXECUTABLE and kind in ("STT_FUNC", "STT_NOTYPE"):
            if kind == "STT_FUNC":
                functions[value & ~1] = Symbol(symbol.name, value & ~1, symbol["st_size"])
                if elf["e_machine"] == "EM_ARM" and not value & 1:
                    arm.add(symbol.name)
            entries[symbol.name] = tuple(dict.fromkeys((*entries.get(symbol.name, ()), value)))
        elif inside & ALLOCATED:
            objects[symbol.name] = value, symbol["st_size"]
    pointer = (
        [s["st_value"] for s in (table.get_symbol_by_name("__global_pointer$") or ())]
        if table
        else []
    )
    image = Image(
        key=hashlib.sha256(data).hexdigest(),
        segments=(Segment(0, data),),
        functions=tuple(functions[address] for address in sorted(functions)),
    )
    return Program(
        pieces,
        entries,
        objects,
        table is None,
        pointer[0] if pointer else None,
        frozenset(arm),
        _constructors(elf, functions),
        image,
    )


def _constructors(elf: Any, functions: dict[int, Symbol]) -> tuple[str, ...]:
    table = elf.get_section_by_name(".init_array")
    words = memoryview(table.data()[: table["sh_size"] // 4 * 4]).cast("I") if table else ()
    return tuple(functions[w & ~1].name if w & ~1 in functions else f"0x{w:x}" for w in words)


def _pieces(elf: Any, size: int) -> Iterator[Piece]:
    """The sections that take memory; of a file without sections, its segments."""
    segments = list(elf.iter_segments("PT_LOAD"))
    for segment in segments:
        if segment["p_offset"] + segment["p_filesz"] > size:
            raise ValueError("a segment ends behind the end of the file")
        if segment["p_filesz"] > segment["p_memsz"]:
            raise ValueError("a segment has more bytes in the file than in memory")
    if elf.num_sections() == 0:
        for segment in segments:
            yield Piece(
                "segment",
                segment["p_vaddr"],
                segment["p_memsz"],
                segment.data(),
                segment["p_paddr"],
            )
    for section in elf.iter_sections():
        flags, length = section["sh_flags"], section["sh_size"]
        if not flags & ALLOCATED or not length:
            continue
        address, empty = section["sh_addr"], section["sh_type"] == "SHT_NOBITS"
        if empty and (flags & THREAD_LOCAL or RESERVED.search(section.name)):
            continue
        source = next(
            (
                segment["p_paddr"] + section["sh_offset"] - segment["p_offset"]
                for segment in segments
                if not empty
                and 0 <= section["sh_offset"] - segment["p_offset"] <= segment["p_filesz"] - length
            ),
            address,
        )
        content = b"" if empty else section.data()
        if not empty and len(content) != length:
            raise ValueError(f"section {section.name} ends behind the end of the file")
        name = section.name if section.name.isprintable() else "a section"
        yield Piece(name[:40], address, length, content, source)


def with_lines(program: Program) -> Image:
    """The image with its source lines; without them where it has none that can be read."""
    from elftools.elf.elffile import ELFFile

    try:
        elf = ELFFile(io.BytesIO(program.image.segments[0].data))
        lines = lines_of(elf, program.image.functions)
    except Exception:  # debug information of other compilers: a convenience
        lines = ()
    return msgspec.structs.replace(program.image, lines=lines)


def returned_bytes(program: Program, name: str) -> int | None:
    """Bytes of the number that a function returns; None where nothing says so."""
    from elftools.elf.elffile import ELFFile

    try:
        elf = ELFFile(io.BytesIO(program.image.segments[0].data))
        return result_bytes(elf, program.entry(name) & ~1)
    except Exception:  # as in with_lines
        return None


def outside(program: Program, memory: Sequence[Memory]) -> str | None:
    """What of a program is where there is no memory, in a sentence; None when all fits."""
    for piece in program.pieces:
        if not any(_within(piece.address, piece.size, m) for m in memory):
            there = ", ".join(
                f"{m.kind} 0x{m.start:08x} to 0x{m.start + m.size:08x}" for m in memory
            )
            return f"{piece.name}, {piece.size} bytes at 0x{piece.address:08x}: there is {there}"
    return None


def _within(address: int, size: int, memory: Memory) -> bool:
    return memory.start <= address and address + size <= memory.start + memory.size


def _linked(path: Path, target: Target, names: Sequence[str], *, bitcode: bool = False) -> Program:
    """Links an object or archive for a target: these functions and variables, and what they need
    of the file and of the compiler's libraries. Errors: UsageError, BuildError, MissingToolError.
    """
    tools = toolchain.find_toolchain("gcc", target.arch, target.core, "Os")
    try:
        defined = toolchain.symbols(target.arch, path)
    except BuildError as error:
        raise BuildError(f"{error} (a thin archive names objects, which must be there)") from None
    written = _written(target, defined)
    if names[0] not in defined and names[0] not in written:
        raise _bitcode(path) if bitcode else _unknown("function", names[0], [*defined, *written])
    wanted = [one for name in names for one in written.get(name, [name]) if NAME.fullmatch(one)]
    script = SCRIPT.format(flash=target.region("flash"), ram=target.region("ram"))
    group = *toolchain.libraries(target.arch, target.core), "-lc", "-lgcc"
    with tempfile.TemporaryDirectory(prefix="link-", dir=cache_dir()) as name:
        folder = Path(name)
        (folder / "image.ld").write_text(script, encoding="utf-8")
        options = ("-Timage.ld", "-Wl,-e,0", *(f"-Wl,-u,{name}" for name in wanted))
        whole = path.resolve()
        for _ in range(2):
            files = (str(whole), "-Wl,--start-group", *group, "-Wl,--end-group")
            debug = _link([*tools.link, *options, *files, "-o", "image.elf"], path, folder, target)
            data = (folder / "image.elf").read_bytes()
            program = read_elf(data, f"{path}, linked", target)
            if names[0] in program.entries:
                return msgspec.structs.replace(program, linked=True, debug=debug)
            try:
                whole = toolchain.exported(target.arch, whole, wanted, folder)
            except BuildError:
                raise UsageError(f"{names[0]} is static in {path}: measure its object") from None
    raise UsageError(f"{path} defines no function {names[0]}")


def _bitcode(path: Path) -> UsageError:
    return UsageError(
        f"{path} is code of LLVM that is compiled when it is linked: link the image with lld, "
        "or compile without -flto (Rust: without linker-plugin-lto)"
    )


def _link(command: Sequence[str], path: Path, folder: Path, target: Target) -> bool:
    """Whether the image has its debug information: a linker that cannot read it goes without.
    Errors: BuildError.
    """
    what = f"linking {path}"
    try:
        toolchain.run(command, what, folder)
        return True
    except BuildError as error:
        refused = error
    if "terminated with signal" in str(refused):
        with suppress(BuildError):
            toolchain.run([*command, "-Wl,--strip-debug"], what, folder)
            return False
    advice = "link it with what it needs, and measure that"
    if "generated with LTO version" in str(refused):  # of another GCC
        advice = "compile it with -ffat-lto-objects, or without -flto"
        if b"__gnu_lto_slim" not in path.read_bytes():
            with suppress(BuildError):
                toolchain.run([*command, "-fno-lto"], what, folder)
                return True
    if OF_CXX.search(str(refused)):
        package = toolchain.cxx_package(target.arch)
        advice = f"it needs the C++ library: install the package {package}, or " if package else ""
        advice += "compile it with -fno-exceptions -fno-rtti"
    raise BuildError(f"{refused} ({advice})")
