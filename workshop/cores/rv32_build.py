"""RISC-V images for the simulator's tests; memory as in `sim_build`."""

from __future__ import annotations

import functools
import re

from workshop.sim.build import RAM, TEXT, Image, link

GCC = "riscv64-unknown-elf-gcc"
_COMMON = [GCC, "-mabi=ilp32", "-nostartfiles", "-Wl,--build-id=none", "-Wl,-n"]
_SCRIPT = f"""
SECTIONS
{{
    . = {TEXT:#x};
    .text : {{ *(.text .text.* .rodata .rodata.* .srodata .srodata.*) }}
    . = {RAM:#x};
    .data : {{ *(.data .data.* .sdata .sdata.*) }}
    .bss (NOLOAD) : {{ *(.sbss .sbss.* .bss .bss.* COMMON) }}
}}
"""
BACK = "back: ebreak; srai zero, zero, 1"  # what a called function returns to: stops with number 1


def _line(statement: str) -> str:
    """A statement; one that begins with `c.` (after labels) is the only kind that is compressed."""
    is_short = re.match(r"\s*(\w+:\s*)*c\.", statement)
    return f".option rvc\n{statement}\n.option norvc" if is_short else statement


@functools.cache
def assemble(text: str) -> Image:
    """Assemble statements (`;` ends one), placed at TEXT. `back` comes behind them,
    at a multiple of 4.
    """
    head = [
        ".text",
        ".global _start",
        ".type _start, @function",
        ".option norelax",
        ".option norvc",
        "_start:",
    ]
    lines = [*head, *text.split(";"), ".balign 4"]
    source = "\n".join(_line(line) for line in [*lines, *BACK.split(";")]) + "\n"
    march = "-march=rv32imac_zicsr_zifencei_zba_zbb_zbs_zbkb"
    return link([*_COMMON, march, "-nostdlib"], source, ".s", _SCRIPT)


@functools.cache
def compile_c(source: str, optimise: str) -> Image:
    """Compile C, with libgcc and the C library's memory functions."""
    back = (
        "\n"
        "__attribute__((naked, used)) void back(void) "
        f'{{ __asm__("{BACK.partition(": ")[2]}"); }}\n'
    )
    flags = ["-march=rv32imc", optimise, "--specs=picolibc.specs", "-Wl,--entry=back"]
    return link([*_COMMON, *flags], source + back, ".c", _SCRIPT)
