"""The micro-benchmark firmware (firmware/board) as an ELF file for a board."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from ecfit.build import toolchain
from ecfit.build.elf import Elf
from ecfit.choices.boards import Board
from ecfit.model import Segment
from ecfit.paths import FIRMWARE, ROOT, cache_dir

BAUD = 115_200


class Firmware(msgspec.Struct, frozen=True):
    """The linked firmware: the file as it is flashed, and what the simulator needs of it."""

    elf: bytes
    segments: tuple[Segment, ...]
    symbols: dict[str, int]


def build_firmware(board: Board) -> Firmware:
    """Compiles and links the firmware of a board.
    Errors: BuildError, MissingToolError, UsageError.
    """
    tools = toolchain.find_toolchain(
        "gcc", "armv6m" if board.core.startswith("cortex-m0") else "armv7m", board.core, "Os"
    )
    sources, common, timelib = (FIRMWARE / name for name in ("board", "cortexm", "timelib"))
    what = f"board firmware for {board.name}"
    macros = [
        *board.defines,
        f'BOARD_NAME="{board.name}"',
        f"BOARD_HZ={board.hz}u",
        f"TIMELIB_HZ={board.hz}u",
        f"TIMELIB_TICK_HZ={board.tick_hz}u",
        f"TIMELIB_TICKS={(1 << board.tick_bits) - 1:#x}u",
        f"UART_BAUD={BAUD}u",
        "BOARD_BANKS=" + "".join(f'{{"{name}",{at:#x}u}},' for name, at in board.banks.items()),
    ]
    with tempfile.TemporaryDirectory(prefix="board-", dir=cache_dir()) as name:
        folder = Path(name)
        script = (common / "image.ld.in").read_text(encoding="utf-8").replace("@CODE@", "FLASH")
        for kind in ("flash", "ram"):
            memory = next(m for m in board.memory if m.kind == kind)
            script = script.replace(f"@{kind.upper()}_START@", hex(memory.start))
            script = script.replace(f"@{kind.upper()}_SIZE@", hex(memory.size))
        (folder / "image.ld").write_text(script, encoding="utf-8")
        files = [
            common / "startup.c",
            *(sources / source for source in ("main.c", "kernels.S", *board.sources)),
            *(timelib / source for source in ("timelib.c", "systick.c", board.timelib)),
        ]
        flags = [
            *tools.debug,
            f"-ffile-prefix-map={ROOT}=.",
            f"-I{sources}",
            f"-I{common}",
            f"-I{timelib}",
            "-fno-tree-loop-distribute-patterns",
        ]
        for file in files:
            command = [*tools.compile, *flags, *(f"-D{macro}" for macro in macros), "-c", str(file)]
            toolchain.run([*command, "-o", f"{file.stem}.o"], what, folder)
        objects = [f"{file.stem}.o" for file in files]
        toolchain.run([*tools.link, "-Timage.ld", *objects, "-o", "image.elf"], what, folder)
        data = (folder / "image.elf").read_bytes()
    elf = Elf(data, "EM_ARM")
    return Firmware(data, elf.segments, elf.symbols)
