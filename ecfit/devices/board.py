"""A real board against the model: the micro-benchmark firmware is asked over a serial line,
the simulator runs the same kernels of the same image.

Both sides are measured alike: clocks of 3n passes less those of n, less the empty loop's,
so that calls, loops and SysTick drop out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ecfit.arguments.common import Common
from ecfit.build.boardimage import BAUD, Firmware, build_firmware
from ecfit.choices.boards import Board, all_boards, find_board
from ecfit.choices.targets import find_target
from ecfit.errors import OK, UsageError, unknown_name
from ecfit.measure.store import write_output
from ecfit.run.runner import flash_timing
from ecfit.run.serialport import SerialError, SerialPort
from ecfit.show.layout import Cells, Column, cut
from ecfit.sim.machine import Machine, Region, SimError, load_model

PLACES = (("flash", "ram"), ("ram", "ram"), ("flash", "flash"))  # code, data
EMPTY = "empty"
VERSION = "2"  # of the firmware's protocol
CLOCKS, TICKS = 0.02, 2  # how far its two clocks may be apart: the share, and ticks at the edges
TRIES = 3
TIMEOUT = 3.0  # seconds for a reply; the longest run takes half of it at 8 MHz
LIMIT = 100_000_000


class Kernel(msgspec.Struct, frozen=True):
    """A loop of the firmware: `per_pass` instructions of its class in each pass."""

    index: int
    name: str
    per_pass: int
    writes: bool


class Timing(msgspec.Struct, frozen=True):
    """Clocks of one instruction of a class on the board and in the model;
    ratio is modelled / measured.
    """

    board: str
    kernel: str
    code: str
    data: str
    measured: float
    modelled: float
    ratio: float | None


def checked(text: str) -> bytes:
    """A line of the protocol (firmware/board/main.c): TEXT*XX."""
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"{text}*{total:02X}\n".encode()


def text_of(line: bytes) -> str | None:
    """The text of a received line, or None when its checksum is wrong."""
    found = re.fullmatch(rb"(.*)\*([0-9A-F]{2})\r?", line, re.DOTALL)
    if found is None or not found.group(1).isascii():
        return None
    text = found.group(1).decode("ascii")
    return text if checked(text).rstrip() == line.rstrip() else None


class Session:
    """A conversation with the firmware. Requests are repeated when the reply
    is missing or broken.
    """

    def __init__(self, port: SerialPort) -> None:
        self.port = port
        self.hz = self.tick_hz = 1
        self.ran: list[tuple[str, int]] = []  # kernels and their clocks, as the pin marked them

    def ask(self, request: str, reply: str) -> list[str]:
        """Words of the reply behind its first one, which must be `reply`. Errors: SerialError."""
        reason = "no reply"
        for _ in range(TRIES):
            self.port.write(checked(request))
            line = self.port.read_line(TIMEOUT)
            text = None if line is None else text_of(line)
            if text is not None and text.split(" ", 1)[0] == reply:
                return text.split()[1:]
            if text is not None and text != "error checksum":
                raise SerialError(f"{self.port.where}: '{request}' was answered with '{text}'")
            reason = "no reply" if line is None else "replies arrive damaged"
            self.port.discard(0.2)
        raise SerialError(
            f"{self.port.where}: {reason} to '{request}': is the firmware running, at {BAUD} baud?"
        )

    def hello(self, board: Board) -> None:
        """Makes sure that this board is there. Errors: SerialError."""
        found = self.ask("hello", "board")
        if found != [VERSION, board.name, str(board.hz), str(board.tick_hz)]:
            version, name, hz = (*found, "", "", "")[:3]
            raise SerialError(
                f"{self.port.where}: this is firmware {version} of {name} at {hz} Hz, "
                f"not {VERSION} of {board.name}: write it again (--firmware)"
            )
        self.hz, self.tick_hz = int(board.hz or 1), board.tick_hz

    def kernels(self, count: int) -> list[Kernel]:
        """What the firmware can run, in its order. Errors: SerialError."""
        found = []
        for index in range(count):
            _, name, per_pass, writes = self.ask(f"kernel {index}", "kernel")
            found.append(Kernel(index, name, int(per_pass), writes == "1"))
        return found

    def cycles(self, kernel: Kernel, code: str, data: str, passes: int) -> int:
        """Clocks of a run. Errors: SerialError."""
        cycles, ticks = map(int, self.ask(f"run {kernel.index} {code} {data} {passes}", "cycles"))
        seconds, slow = cycles / self.hz, ticks / self.tick_hz
        if abs(seconds - slow) > CLOCKS * seconds + TICKS / self.tick_hz:
            raise SerialError(
                f"{self.port.where}: {kernel.name} took {seconds * 1e3:.4g} ms by the cycle "
                f"counter and {slow * 1e3:.4g} ms by the slow clock: is the crystal running?"
            )
        self.ran.append((kernel.name, cycles))
        return cycles

    def time_trace(self) -> str:
        """What has run, for `ecfit energy --time-trace`."""
        lines = [f"task,duration_ticks@{self.hz}"]
        return "\n".join([*lines, *(f"{name},{cycles}" for name, cycles in self.ran)]) + "\n"


class Model:
    """The same kernels of the same firmware on the simulator. A context manager."""

    def __init__(
        self, board: Board, firmware: Firmware, mode: str, rows: Mapping[str, int] | None = None
    ) -> None:
        """`rows`: what is changed in the cycle model. Errors: UsageError, SimError."""
        target = find_target(board.target) if board.target else None
        options = target.model_options if target else {}
        regions = [Region(m.name, m.start, m.size, m.kind, m.latency) for m in board.memory]
        timing = flash_timing(target.mode(mode)) if target else None
        self.symbols = firmware.symbols
        cycles = load_model(board.model or "", **options).with_rows(rows or {})
        self.machine = Machine(cycles, regions, timing)
        for segment in firmware.segments:
            self.machine.load(segment.address, segment.data)

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *error: object) -> None:
        self.machine.close()

    def table_size(self) -> int:
        """How many kernels the firmware has."""
        return (self.symbols["kernels_end"] - self.symbols["kernels"]) // 20

    def cycles(self, kernel: Kernel, code: str, data: str, passes: int) -> int:
        """Clocks of a run. Errors: SimError."""
        entry = self.symbols["kernels"] + 20 * kernel.index
        _, start, end, *_ = (
            int.from_bytes(self.machine.read(entry + 4 * i, 4), "little") for i in range(5)
        )
        start &= ~1
        if code == "ram":
            self.machine.write(self.symbols["board_code"], self.machine.read(start, end - start))
            start = self.symbols["board_code"]
        result = self.machine.call(
            start,
            (passes, self.symbols["board_data" if data == "ram" else "board_data_flash"]),
            sp=self.symbols["image_stack_top"],
            return_to=self.symbols["bench_unexpected"],
            limit=LIMIT,
        )
        if result.stop != "bkpt":
            raise SimError(
                f"kernel {kernel.name} does not run on the model: {result.fault or result.stop}"
            )
        return result.cycles


def per_pass(
    run: Callable[[Kernel, str, str, int], int], kernel: Kernel, code: str, data: str, passes: int
) -> float:
    """Clocks of one pass of a kernel, its loop included."""
    return (run(kernel, code, data, 3 * passes) - run(kernel, code, data, passes)) / (2 * passes)


def compare(
    session: Session, model: Model, board: Board, wanted: Sequence[str], passes: int
) -> list[Timing]:
    """Every wanted kernel in each place, on both sides.
    Errors: SerialError, SimError, UsageError.
    """
    session.hello(board)
    kernels = session.kernels(model.table_size())
    empty = next(kernel for kernel in kernels if kernel.name == EMPTY)
    known = [kernel.name for kernel in kernels if kernel is not empty]
    for name in wanted:
        if name not in known:
            raise unknown_name("kernel", name, known)
    rows = []
    for code, data in PLACES:
        base = [per_pass(side.cycles, empty, code, data, passes) for side in (session, model)]
        for kernel in kernels:
            if (
                kernel is empty
                or (wanted and kernel.name not in wanted)
                or (data == "flash" and kernel.writes)
            ):
                continue
            if data == "flash" and not kernel.name.startswith("load"):
                continue  # as with data in RAM: it reads none
            both = [per_pass(side.cycles, kernel, code, data, passes) for side in (session, model)]
            measured, modelled = (
                (b - e) / kernel.per_pass for b, e in zip(both, base, strict=True)
            )
            ratio = round(modelled / measured, 3) if measured > 0 else None
            rows.append(
                Timing(
                    board.name,
                    kernel.name,
                    code,
                    data,
                    round(measured, 3),
                    round(modelled, 3),
                    ratio,
                )
            )
    return rows


def table(rows: Sequence[Timing]) -> tuple[list[Column], Cells]:
    """Columns and cells of the comparison."""
    names = ("kernel", "code", "data", ">measured", ">modelled", ">ratio")
    cells = [
        [
            r.kernel,
            r.code,
            r.data,
            f"{r.measured:.2f}",
            f"{r.modelled:.2f}",
            "-" if r.ratio is None else f"{r.ratio:.3f}",
        ]
        for r in rows
    ]
    return [Column(name.lstrip(">"), name.startswith(">")) for name in names], cells


def _brief(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the list: clocks in MHz, the description cut."""
    return {
        "name": entry["name"],
        "core": entry["core"],
        "MHz": entry["clock_hz"] // 10**6,
        "target": entry["target"],
        "description": cut(entry["description"], 32),
    }


def command(common: Common) -> int:
    """`ecfit board`: lists boards, writes a firmware, or measures a board.
    Returns the exit code.
    """
    values: dict[str, Any] = dict(common.values)
    if values["name"] is None:
        entries = [_entry(board) for board in all_boards().values()]
        shown = [_brief(one) for one in entries]
        return common.listing(entries, shown=shown)
    board = find_board(values["name"])
    firmware = build_firmware(board)
    if values["firmware"]:
        write_output(Path(values["firmware"]), firmware.elf)
    if not values["port"]:
        if not values["firmware"]:
            raise UsageError(
                "say where the board is (--port), or where to write its firmware (--firmware FILE)"
            )
        return OK
    with Model(board, firmware, values["mode"]) as model, SerialPort(values["port"], BAUD) as port:
        port.discard(0.1)
        session = Session(port)
        rows = compare(session, model, board, values["kernels"], values["passes"])
    if values["time_trace"]:
        write_output(Path(values["time_trace"]), session.time_trace().encode())
    what = (
        f"target {board.target}, mode {values['mode']}"
        if board.target
        else f"{board.model}, zero wait states"
    )
    lines = [
        f"{board.name}: {board.description}",
        f"clocks per instruction, {values['passes']} passes; model: {what}",
    ]
    common.print(rows, *table(rows), lines)
    return OK


def _entry(board: Board) -> dict[str, str | int | None]:
    return {
        "name": board.name,
        "core": board.core,
        "clock_hz": board.hz,
        "target": board.target,
        "description": board.description,
    }
