"""ARMv7-M images for the simulator's tests; memory as in `sim_build`."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from pathlib import Path

from sim_build import RAM, TEXT, Image, read_image, tool_environment

_COMMON = ["-mthumb", "-nostartfiles", "-Wl,--build-id=none", "-Wl,-n"]
CORES = {
    "cortex-m3": ("-mcpu=cortex-m3",),
    "cortex-m4": ("-mcpu=cortex-m4", "-mfloat-abi=softfp", "-mfpu=fpv4-sp-d16"),
    "cortex-m33": ("-mcpu=cortex-m33", "-mfloat-abi=softfp", "-mfpu=fpv5-sp-d16"),
}


def _link(arguments: list[str], source: str, suffix: str) -> Image:
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / f"input{suffix}", Path(folder) / "out.elf"
        path.write_text(source)
        command = ["arm-none-eabi-gcc", *_COMMON, *arguments, str(path), "-o", str(out)]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, env=tool_environment()
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return read_image(out)


@functools.cache
def assemble(text: str, base: int = TEXT) -> Image:
    """Assemble for a Cortex-M4, placed at `base`; a label `back` with BKPT #1 is added behind it."""
    source = f".syntax unified\n.thumb\n.text\n.global _start\n_start:\n{text}\n.balign 4\nback: bkpt #1\n"
    return _link([*CORES["cortex-m4"], "-nostdlib", f"-Wl,-Ttext={base:#x}"], source, ".s")


@functools.cache
def compile_c(source: str, core: str, optimise: str) -> Image:
    """Compile freestanding C, with libgcc and the C library's memory functions."""
    back = '\n__attribute__((naked, used)) void back(void) { __asm__("bkpt #1"); }\n'
    flags = [optimise, "-ffreestanding", "-Wl,--entry=back", f"-Wl,-Ttext={TEXT:#x}", f"-Wl,-Tdata={RAM:#x}"]
    return _link([*CORES[core], *flags], source + back, ".c")
