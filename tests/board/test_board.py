"""`ecfit board`: the protocol against a pretended line, and against the UART of emulated boards."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from uart import QEMU, emulated

from ecfit import cli
from ecfit.build.boardimage import BAUD, build_firmware
from ecfit.choices.boards import all_boards, find_board
from ecfit.devices.board import Kernel, Model, Session, checked, per_pass, text_of
from ecfit.errors import UsageError
from ecfit.run.serialport import SerialError, SerialPort

# Board, and the exponent of nanoseconds of one emulated instruction: with its clock,
# clocks per instruction.
EMULATED = [("microbit", 6), ("mps2-an385", 6), ("netduinoplus2", 3)]


class Line:
    """A pretended serial line: answers from a script; None is silence."""

    where = "script"

    def __init__(self, *answers: bytes | None) -> None:
        self.answers, self.sent = list(answers), []

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def read_line(self, seconds: float) -> bytes | None:
        return self.answers.pop(0) if self.answers else None

    def discard(self, seconds: float) -> None:
        pass


def session(*answers: bytes | None) -> tuple[Session, Line]:
    line = Line(*answers)
    return Session(line), line  # type: ignore[arg-type]


def reply(text: str) -> bytes:
    return checked(text).rstrip(b"\n")


def test_checksum() -> None:
    assert checked("hello") == b"hello*62\n"
    assert text_of(b"hello*62") == "hello"
    assert text_of(b"hello*62\r") == "hello"
    for bad in (
        b"hello*63",
        b"hallo*62",
        b"hello*6",
        b"hello",
        b"",
        b"hello*6g",
        b"h\xe9llo*62",
        b"hello*62*",
    ):
        assert text_of(bad) is None, bad


def test_a_reply() -> None:
    good, line = session(
        reply("board 2 microbit 16000000 31250"), reply("cycles 160000 312"), reply("cycles 99 9")
    )
    good.hello(find_board("microbit"))
    kernel = Kernel(3, "load", 64, False)
    assert good.cycles(kernel, "ram", "flash", 10) == 160_000
    assert line.sent[1:] == [checked("run 3 ram flash 10")]
    assert good.time_trace() == "task,duration_ticks@16000000\nload,160000\n"
    with pytest.raises(SerialError, match=r"took 0.006\d+ ms by the cycle counter and 0.288 ms by"):
        good.cycles(kernel, "ram", "flash", 10)


@pytest.mark.parametrize("damage", [None, b"cycles 1234*00", b"\xff\xfe", reply("error checksum")])
def test_a_request_is_repeated(damage: bytes | None) -> None:
    retried, line = session(damage, damage, reply("cycles 7"))
    assert retried.ask("run 0 flash ram 1", "cycles") == ["7"]
    assert len(line.sent) == 3


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ((), "no reply to 'hello': is the firmware running, at 115200 baud"),
        ((b"x", b"y", b"z"), "replies arrive damaged to 'hello'"),
        ((reply("error index"),), "'hello' was answered with 'error index'"),
        (
            (reply("board 1 other 16000000"),),
            "this is firmware 1 of other at 16000000 Hz, not 2 of microbit: write it again",
        ),
        ((reply("board 2 microbit 16000000 32768"),), "this is firmware 2 of microbit"),
        ((reply("board"),), "this is firmware"),
    ],
)
def test_one_clear_line(answers: tuple[bytes, ...], message: str) -> None:
    with pytest.raises(SerialError, match=re.escape(message)) as caught:
        session(*answers)[0].hello(find_board("microbit"))
    assert "\n" not in str(caught.value)


def test_ports_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for where, message in (
        ("/dev/does-not-exist", "cannot open /dev/does-not-exist: No such file"),
        (str(tmp_path / "file"), "is not a serial line"),
        ("unix:/nowhere/at/all", "cannot open unix:/nowhere/at/all"),
        ("tcp:localhost:1", "cannot open tcp:localhost:1"),
    ):
        with pytest.raises(SerialError, match=re.escape(message)):
            SerialPort(where, BAUD)
    for where in ("tcp:localhost", "tcp::12", "tcp:host:x"):
        with pytest.raises(UsageError, match=r"a port is a device, tcp:HOST:PORT or unix:PATH"):
            SerialPort(where, BAUD)
    with pytest.raises(UsageError, match="12345 is not a speed"):
        SerialPort("/dev/null", 12345)


def test_terminal_devices() -> None:
    """A pseudo-terminal stands for a serial device: bytes pass untranslated, silence ends,
    hanging up is an error.
    """
    master, slave = pty.openpty()
    with SerialPort(os.ttyname(slave), BAUD) as port:
        os.write(master, b"caf\xc3\xa9\r\x00\x03\n")
        assert port.read_line(2) == b"caf\xc3\xa9\r\x00\x03"
        assert port.read_line(0.05) is None
        port.write(b"\x11\x13\n")
        assert os.read(master, 10) == b"\x11\x13\n"
        os.close(slave)
        os.close(master)
        with pytest.raises(SerialError, match=r"broke|closed"):
            port.read_line(1)


def test_boards_are_complete() -> None:
    for board in all_boards().values():
        assert board.hz
        assert board.model
        assert {m.kind for m in board.memory} == {"flash", "ram"}
        assert len(board.source) > 10
        assert build_firmware(board).elf
    with pytest.raises(UsageError, match="unknown board 'microbat': did you mean microbit"):
        find_board("microbat")


# Clocks of one instruction on the Cortex-M0 without wait states (Arm DDI 0432C, 3.3),
# plus what the loop adds to it.
CORTEX_M0 = {
    "alu": 1, "multiply": 1, "load": 2, "load_then_use": 1.5, "load_byte": 2, "load_literal": 2,
    "store": 2, "load_multiple_4": 5 + 3 / 32, "store_multiple_4": 5 + 3 / 32, "push_pop_4": 5,
    "branch_taken": 3, "branch_not_taken": 1, "call_return": 3.5,
}  # fmt: skip


@pytest.mark.parametrize("code", ["flash", "ram"])
def test_the_model_runs_every_kernel(code: str) -> None:
    board = find_board("microbit")
    with Model(board, build_firmware(board), "datasheet") as model:
        names = list(CORTEX_M0)
        assert model.table_size() == 1 + len(names)
        empty = per_pass(model.cycles, Kernel(0, "empty", 0, False), code, "ram", 10)
        assert empty == 4
        for index, name in enumerate(names, 1):
            passes = 32 if "multiple" in name or "push" in name else 64
            clocks = (
                per_pass(model.cycles, Kernel(index, name, passes, False), code, "ram", 10) - empty
            )
            assert clocks / passes == CORTEX_M0[name], name


# On the Cortex-M4, of what its model leaves open or has from others: with the rows off that are not
# settled. LDM of four and three ADD.W, two NOP: 5 + 3 + 2 clocks of six instructions, one more
# where the ADD.W lie at odd halfwords.
CORTEX_M4 = {
    "load_multiple_then_odd": (48, 11 / 6), "load_multiple_then_even": (48, 10 / 6),
    "multiply_then_shift": (48, 1),
    "store_multiple_then_load": (64, (3 + 2) / 2 + 2 / 64), "umaal_then_store": (48, 1),
    "smlad_then_store": (48, 1),
    "smlad_then_shift": (48, 1),
}  # fmt: skip
# What the rows would add to an instruction of these kernels.
IF_SETTLED = {
    "store_multiple_then_load": ("stores_load", 0.5),
}  # fmt: skip


def kernel_names(model: Model) -> list[str]:
    """The names of the firmware's kernels, from its table."""
    names = []
    for index in range(model.table_size()):
        entry = model.symbols["kernels"] + 20 * index
        at = int.from_bytes(model.machine.read(entry, 4), "little")
        names.append(model.machine.read(at, 40).split(b"\0")[0].decode())
    return names


@pytest.mark.parametrize("code", ["flash", "ram"])
def test_what_would_settle_the_open_questions(code: str) -> None:
    board = find_board("nrf52840dk")
    firmware = build_firmware(board)

    def clocks(model: Model) -> dict[str, float]:
        names = kernel_names(model)
        empty = per_pass(model.cycles, Kernel(names.index("empty"), "", 0, False), code, "ram", 10)
        found = {}
        for name, (passes, _) in CORTEX_M4.items():
            kernel = Kernel(names.index(name), name, passes, False)
            found[name] = (per_pass(model.cycles, kernel, code, "ram", 10) - empty) / passes
        return found

    with Model(board, firmware, "zero-ws") as model:
        assert clocks(model) == {name: figure for name, (_, figure) in CORTEX_M4.items()}
    for row in ("stores_load",):
        with Model(board, firmware, "zero-ws", {row: 1}) as model:
            for name, figure in clocks(model).items():
                more = IF_SETTLED[name][1] if IF_SETTLED.get(name, ("", 0))[0] == row else 0
                assert figure == CORTEX_M4[name][1] + more, (row, name)


@pytest.fixture
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str, float]]:
    """A board in the emulator: its name, where its UART is, and its clocks per instruction."""
    (name, shift), kind = request.param
    firmware = tmp_path / "firmware.elf"
    assert cli.run(["board", name, "--firmware", str(firmware)]) == 0
    hz = find_board(name).hz
    assert hz
    clocks, options = hz * 2**shift / 1e9, ["-icount", f"shift={shift}"]
    if kind == "unix":
        with emulated(name, firmware, tmp_path / "uart", *options) as port:
            yield name, port, clocks
        return
    command = [QEMU, "-M", name, "-display", "none", "-serial", "pty", "-kernel", str(firmware)]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            where = re.search(r"/dev/\S+", process.stdout.readline())
            assert where
            yield name, where.group(), clocks
        finally:
            process.kill()


@pytest.mark.parametrize(
    "board",
    [(board, kind) for board in EMULATED for kind in ("unix", "pty")],
    indirect=True,
    ids=str,
)
def test_emulated_board(
    board: tuple[str, str, float], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The emulator counts one clock for each instruction of any class,
    so every class comes out at that figure.
    """
    name, port, clocks = board
    out = tmp_path / "rows.csv"
    code = cli.run(
        ["board", name, "--port", port, "--passes", "50", "--format", "csv", "-o", str(out)]
    )
    assert code == 0, capfd.readouterr().err
    head, *lines = (line.split(",") for line in out.read_text(encoding="utf-8").splitlines())
    rows = [dict(zip(head, line, strict=True)) for line in lines]
    assert len(rows) > 30
    assert {(row["code"], row["data"]) for row in rows} == {
        ("flash", "ram"),
        ("ram", "ram"),
        ("flash", "flash"),
    }
    for row in rows:
        expected = clocks * (35 / 32 if "multiple_4" in row["kernel"] else 1)
        assert abs(float(row["measured"]) / expected - 1) < 0.15, row
        assert float(row["modelled"]) >= 0


def test_the_firmware_refuses(tmp_path: Path) -> None:
    """Requests that make no sense get an error that names what is wrong,
    and the firmware goes on.
    """
    firmware = tmp_path / "firmware.elf"
    assert cli.run(["board", "microbit", "--firmware", str(firmware)]) == 0
    with (
        emulated("microbit", firmware, tmp_path / "uart") as line,
        SerialPort(line, BAUD) as port,
    ):
        for request, reason in (
            ("nonsense", "request"), ("", "request"), ("kernel", "index"),
            ("kernel 999", "index"), ("kernel -1", "index"),
            ("kernel 123456789012", "index"), ("run 0", "place"),
            ("run 0 rom ram 1", "place"), ("run 0 flash rom 1", "place"),
            ("run 7 flash flash 1", "place"), ("run 0 flash ram 0", "count"),
            ("run 0 flash ram 99999999", "count"), ("run 0 flash ram x", "count"),
        ):  # fmt: skip
            port.write(checked(request))
            assert text_of(port.read_line(5) or b"") == f"error {reason}", request
        for damaged in (b"hello\n", b"hello*00\n", b"\n", b"x" * 500 + b"*11\n", b"*\n"):
            port.write(damaged)
            assert text_of(port.read_line(5) or b"") == "error checksum", damaged
        assert Session(port).ask("hello", "board") == ["2", "microbit", "16000000", "31250"]
