"""Images for the simulator's tests: memory layout, assembler and compiler front ends."""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ecfit.sim.machine import Machine, Region, RunResult

FLASH, FLASH_SIZE = 0x00000000, 0x10000
RAM, RAM_SIZE = 0x20000000, 0x10000
MEMORY = (Region("flash", FLASH, FLASH_SIZE, "flash"), Region("ram", RAM, RAM_SIZE, "ram"))
TEXT = 0x100  # where images begin
STACK_TOP = RAM + RAM_SIZE
LIMIT = 100_000_000

_ARM = ["arm-none-eabi-gcc", "-mthumb", "-nostartfiles", "-Wl,--build-id=none", "-Wl,-n"]


def tool_environment() -> dict[str, str]:
    """For compilers: the runtime that test_sanitizers.py preloads is not for them."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


@dataclass(frozen=True)
class Image:
    """Linked code: (address, bytes) of each section, and the addresses of its symbols
    (Thumb bit clear).
    """

    segments: tuple[tuple[int, bytes], ...]
    symbols: dict[str, int]
    functions: tuple[int, ...]

    def load(self, machine: Machine) -> None:
        for address, data in self.segments:
            machine.load(address, data)

    def call(
        self, machine: Machine, name: str, *args: int, profile: bool = False, limit: int = LIMIT
    ) -> RunResult:
        """Call a function; it returns to the symbol `back`, which is a BKPT #1."""
        return machine.call(
            self.symbols[name],
            args,
            sp=STACK_TOP,
            return_to=self.symbols["back"],
            limit=limit,
            profile=profile,
        )


def read_image(path: Path) -> Image:
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        segments = tuple(
            (section["sh_addr"], section.data())
            for section in elf.iter_sections("SHT_PROGBITS")
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_size"]
        )
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = {
            symbol.name: symbol["st_value"] & ~1 for symbol in table.iter_symbols() if symbol.name
        }
        functions = tuple(
            sorted(
                s["st_value"] & ~1
                for s in table.iter_symbols()
                if s["st_info"]["type"] == "STT_FUNC"
            )
        )
    return Image(segments, symbols, functions)


def link(command: list[str], source: str, suffix: str, script: str = "") -> Image:
    """What a compiler makes of a source, with that linker script if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        path, out, memory = (
            Path(folder) / name for name in (f"input{suffix}", "out.elf", "image.ld")
        )
        path.write_text(source)
        memory.write_text(script)
        command = [*command, str(path), *([f"-T{memory}"] if script else []), "-o", str(out)]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, env=tool_environment()
        )
        assert done.returncode == 0, done.stderr
        return read_image(out)


@functools.cache
def arm_assemble(text: str, base: int, core: tuple[str, ...]) -> Image:
    """Assemble Thumb code, placed at `base`; a label `back` with BKPT #1 is added behind
    it. core: flags.
    """
    source = (
        f".syntax unified\n.thumb\n.text\n.global _start\n_start:\n{text}\n.balign 4\n"
        "back: bkpt #1\n"
    )
    return link([*_ARM, *core, "-nostdlib", f"-Wl,-Ttext={base:#x}"], source, ".s")


@functools.cache
def arm_compile(source: str, optimise: str, core: tuple[str, ...]) -> Image:
    """Compile freestanding C, with libgcc and the C library's memory functions. core: flags."""
    back = '\n__attribute__((naked, used)) void back(void) { __asm__("bkpt #1"); }\n'
    flags = [
        optimise,
        "-ffreestanding",
        "-Wl,--entry=back",
        f"-Wl,-Ttext={TEXT:#x}",
        f"-Wl,-Tdata={RAM:#x}",
    ]
    return link([*_ARM, *core, *flags], source + back, ".c")


def assemble(text: str, base: int = TEXT, cpu: str = "cortex-m0") -> Image:
    """`arm_assemble` for a core by its name."""
    return arm_assemble(text, base, (f"-mcpu={cpu}",))


def compile_c(source: str, optimise: str) -> Image:
    """`arm_compile` for a Cortex-M0."""
    return arm_compile(source, optimise, ("-mcpu=cortex-m0",))


ARMV7M = {  # by core: its flags
    "cortex-m3": ("-mcpu=cortex-m3",),
    "cortex-m4": ("-mcpu=cortex-m4", "-mfloat-abi=softfp", "-mfpu=fpv4-sp-d16"),
    "cortex-m7": ("-mcpu=cortex-m7", "-mfloat-abi=softfp", "-mfpu=fpv5-d16"),
    "cortex-m33": ("-mcpu=cortex-m33", "-mfloat-abi=softfp", "-mfpu=fpv5-sp-d16"),
}


def assemble_m4(text: str, base: int = TEXT) -> Image:
    """`arm_assemble` for a Cortex-M4."""
    return arm_assemble(text, base, ARMV7M["cortex-m4"])
