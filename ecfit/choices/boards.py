"""Boards that the micro-benchmark firmware is built for: a table each in ecfit/data/boards.toml;
emulated boards with Ethernet, for firmware that talks: ecfit/data/machines.toml.
"""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.choices.targets import NOT_ON_CHIP, Memory, find_target
from ecfit.documents import named
from ecfit.errors import unknown_name
from ecfit.paths import DATA


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board: which sources and macros of firmware/board serve its UART and clocks,
    and what it is compared with.

    With `target` memory, clock and model are that target's; without, they stand here
    (an emulated board). `timelib`: its port (firmware/timelib), whose slow clock counts `tick_hz`
    in `tick_bits`. `banks`: further banks of RAM by name, each with the address of 1 KiB that
    nothing else uses; those of a target follow from its memory.
    """

    description: str
    core: str
    sources: tuple[str, ...]
    defines: tuple[str, ...]
    timelib: str
    tick_hz: int
    source: str
    tick_bits: int = 32
    target: str | None = None
    model: str | None = None
    hz: int | None = None
    memory: tuple[Memory, ...] = ()
    banks: dict[str, int] = {}
    name: str = ""


@cache
def all_boards() -> dict[str, Board]:
    """Every board by name, memory and clock filled in from its target. Errors: UsageError."""
    boards = named(DATA / "boards.toml", Board)
    return {name: _complete(board) for name, board in boards.items()}


def _complete(board: Board) -> Board:
    if board.target is None:
        return board
    target = find_target(board.target)
    assert target.clock is not None
    others = [memory for memory in target.memory if memory.kind == "ram"][1:]
    return msgspec.structs.replace(
        board, model=target.model, hz=target.clock.hz, memory=target.memory,
        banks={memory.name: memory.start for memory in others} | board.banks,
    )  # fmt: skip


def find_board(name: str) -> Board:
    """The board of that name, letter case ignored. Errors: UsageError."""
    boards = all_boards()
    if name.lower() not in boards:
        raise unknown_name("board", name, boards)
    return boards[name.lower()]


class NetMachine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A machine of QEMU: which core its code is for, where its memories, its Ethernet controller
    and its UART are (armv7m: LAN9118 and CMSDK; xtensa: OpenCores and 16550). `backend`: of the
    library.
    """

    description: str
    core: str
    backend: str
    hz: int
    lan_base: int
    lan_irq: int
    uart_base: int
    memory: tuple[Memory, ...]
    source: str
    arch: str = "armv7m"
    name: str = ""

    def loaded_at(self, size: int) -> int:
        """Where the loader puts so many bytes before the reset: at the end of RAM, or where there
        is a memory that is not the chip's.
        """
        apart = (memory.start for memory in self.memory if memory.name == NOT_ON_CHIP)
        ram = self.region("ram")
        return next(apart, ram.start + ram.size - size)

    def region(self, kind: str) -> Memory:
        """The memory of that kind."""
        return next(memory for memory in self.memory if memory.kind == kind)


@cache
def all_machines() -> dict[str, NetMachine]:
    """Every machine by name. Errors: UsageError."""
    return named(DATA / "machines.toml", NetMachine)


def find_machine(name: str) -> NetMachine:
    """The machine of that name, letter case ignored. Errors: UsageError."""
    if name.lower() not in all_machines():
        raise unknown_name("board", name, all_machines())
    return all_machines()[name.lower()]
