"""A real board against the model: the micro-benchmark firmware is asked over a serial line,
the simulator runs the same kernels of the same image.

Both sides are measured alike: clocks of 3n passes less those of n, less the empty loop's,
so that calls, loops and SysTick drop out.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ecfit.arguments.common import Common
from ecfit.arguments.selection import model_rows
from ecfit.build.boardimage import BAUD, Firmware, build_firmware
from ecfit.choices.boards import Board, all_boards, find_board
from ecfit.choices.targets import find_target
from ecfit.errors import OK, UsageError, unknown_name
from ecfit.measure.store import write_output
from ecfit.paths import read_input
from ecfit.run.basis import flash_timing
from ecfit.show.layout import Cells, Column, cut
from ecfit.sim.machine import Machine, Region, SimError, load_model
from ecfit_lab.commands.serialport import SerialError, SerialPort

PLACES = (("flash", "ram"), ("ram", "ram"), ("flash", "flash"))  # code, data
EMPTY = "empty"
VERSION = "3"  # of the firmware's protocol
CLOCKS, TICKS = 0.02, 2  # how far its two clocks may be apart: the share, and ticks at the edges
TRIES = 3
TIMEOUT = 3.0  # seconds for a reply; the longest run takes half of it at 8 MHz
LIMIT = 100_000_000
OFF = 0.01  # from here on a loop counts as one that the model does not explain


class Kernel(msgspec.Struct, frozen=True):
    """A loop of the firmware: `per_pass` instructions of its class in each pass."""

    index: int
    name: str
    per_pass: int
    writes: bool


class Timing(msgspec.Struct, frozen=True):
    """Clocks of one instruction of a class on the board and in the model;
    ratio is modelled / measured. `data`: flash, ram, or another bank of RAM.
    """

    board: str
    kernel: str
    code: str
    data: str
    mode: str
    passes: int
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
        self.symbols, self.banks, self.mode = firmware.symbols, board.banks, mode
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

    def kernels(self) -> dict[str, Kernel]:
        """What the firmware can run, by name."""
        found = {}
        for index in range(self.table_size()):
            entry = self.symbols["kernels"] + 20 * index
            at, _, _, per_pass, writes = (
                int.from_bytes(self.machine.read(entry + 4 * i, 4), "little") for i in range(5)
            )
            name = self.machine.read(at, 40).split(b"\0")[0].decode()
            found[name] = Kernel(index, name, per_pass, bool(writes))
        return found

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
        own = {"ram": self.symbols["board_data"], "flash": self.symbols["board_data_flash"]}
        result = self.machine.call(
            start,
            (passes, (own | self.banks)[data], own["flash"]),
            sp=self.symbols["image_stack_top"],
            return_to=self.symbols["bench_unexpected"],
            limit=LIMIT,
        )
        if result.stop != "bkpt":
            raise SimError(
                f"kernel {kernel.name} does not run on the model: {result.fault or result.stop}"
            )
        return result.cycles


class Clocks:
    """Clocks of one instruction of a kernel on one side, without its loop."""

    def __init__(self, side: Session | Model, empty: Kernel, passes: int) -> None:
        self.side, self.empty, self.passes = side, empty, passes
        self.loops: dict[tuple[str, str], float] = {}

    def of(self, kernel: Kernel, code: str, data: str) -> float:
        """Errors: SerialError, SimError."""
        if (code, data) not in self.loops:
            self.loops[code, data] = self.per_pass(self.empty, code, data)
        whole = self.per_pass(kernel, code, data)
        return round((whole - self.loops[code, data]) / kernel.per_pass, 3)

    def per_pass(self, kernel: Kernel, code: str, data: str) -> float:
        """Clocks of one pass of a kernel, its loop included. Errors: SerialError, SimError."""
        more, less = (
            self.side.cycles(kernel, code, data, passes)
            for passes in (3 * self.passes, self.passes)
        )
        return (more - less) / (2 * self.passes)


def places(board: Board, kernel: Kernel) -> Iterator[tuple[str, str]]:
    """Where a kernel's code and data are tried: data elsewhere than in the first bank of RAM only
    if it uses them.
    """
    for code, data in (*PLACES, *(("flash", bank) for bank in board.banks)):
        uses = kernel.writes or kernel.name.startswith("load")
        if data == "ram" or (uses and not (data == "flash" and kernel.writes)):
            yield code, data


def compare(
    session: Session, model: Model, board: Board, wanted: Sequence[str], passes: int
) -> list[Timing]:
    """Every wanted kernel in each place, on both sides.
    Errors: SerialError, SimError, UsageError.
    """
    session.hello(board)
    kernels = {kernel.name: kernel for kernel in session.kernels(model.table_size())}
    empty = kernels.pop(EMPTY)
    for name in wanted:
        if name not in kernels:
            raise unknown_name("kernel", name, list(kernels))
    rows, sides = [], [Clocks(side, empty, passes) for side in (session, model)]
    for kernel in kernels.values():
        for code, data in places(board, kernel) if kernel.name in (wanted or kernels) else ():
            measured, modelled = (side.of(kernel, code, data) for side in sides)
            rows.append(
                Timing(
                    board.name, kernel.name, code, data, model.mode, passes, measured, modelled,
                    round(modelled / measured, 3) if measured > 0 else None,
                )
            )  # fmt: skip
    return rows


def modelled_today(rows: Sequence[Timing], changed: Mapping[str, int]) -> list[Timing]:
    """Kept rows with what the model counts now; `changed`: rows of the cycle model.
    Errors: BuildError, SimError, UsageError.
    """
    found = []
    for name, mode in dict.fromkeys((row.board, row.mode) for row in rows):
        board = find_board(name)
        with Model(board, build_firmware(board), mode, changed) as model:
            kernels = model.kernels()
            for row in rows:
                if (row.board, row.mode) != (name, mode):
                    continue
                if row.kernel not in kernels or (row.code, row.data) not in places(
                    board, kernels[row.kernel]
                ):
                    raise UsageError(f"{name}: no loop '{row.kernel}' from {row.code}, {row.data}")
                counted = Clocks(model, kernels[EMPTY], row.passes)
                now = counted.of(kernels[row.kernel], row.code, row.data)
                ratio = round(now / row.measured, 3) if row.measured > 0 else None
                found.append(msgspec.structs.replace(row, modelled=now, ratio=ratio))
    return found


def table(rows: Sequence[Timing], *, several: bool = False) -> tuple[list[Column], Cells]:
    """Columns and cells of the comparison; `several`: rows of more than one board."""
    names = (*["board"] * several, "kernel", "code", "data", ">measured", ">modelled", ">ratio")
    cells = [
        [
            *[r.board] * several,
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


def again(common: Common) -> int:
    """`ecfit fidelity --board`: loops that were measured before, beside today's model.
    Returns the exit code.
    """
    rows: list[Timing] = []
    for path in common.values["boards"]:
        try:
            rows += msgspec.json.decode(read_input(Path(path)), type=list[Timing])
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path}: no rows of 'ecfit board --format json': {error}") from None
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from None
    rows = modelled_today(rows, dict(model_rows(common.values["models"])))
    lines = []
    for name in dict.fromkeys(row.board for row in rows):
        off = sorted(
            abs(row.ratio - 1) for row in rows if row.board == name and row.ratio is not None
        )
        if off:
            lines.append(
                f"{name}: {len(off)} loops, |ratio - 1| median {statistics.median(off):.1%}, "
                f"worst {off[-1]:.1%}, {sum(one > OFF for one in off)} beyond {OFF:.0%}"
            )
    common.print(rows, *table(rows, several=True), lines, every_row=True)
    return OK


def _entry(board: Board) -> dict[str, str | int | None]:
    return {
        "name": board.name,
        "core": board.core,
        "clock_hz": board.hz,
        "target": board.target,
        "description": board.description,
    }
