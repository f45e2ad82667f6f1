"""`ecfit board`: the protocol against a pretended line, and against the UART of emulated boards."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ecfit import cli
from ecfit.build.boardimage import BAUD, build_firmware
from ecfit.choices.boards import all_boards, find_board
from ecfit.errors import UsageError
from ecfit_lab.commands.board import (
    Clocks,
    Kernel,
    Model,
    Session,
    Timing,
    checked,
    places,
    text_of,
)
from ecfit_lab.commands.serialport import SerialError, SerialPort
from tools.rigs.uart import QEMU, emulated

# Board, and the exponent of nanoseconds of one emulated instruction: with its clock,
# clocks per instruction.
EMULATED = [("microbit", 6), ("mps2-an385", 6), ("netduinoplus2", 3)]


class Line:
    """A pretended serial line: answers from a script; None is silence."""

    where = "script"

    def __init__(self, *answers: bytes | None) -> None:
        self.answers = list(answers)
        self.sent: list[bytes] = []

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
        reply("board 3 microbit 16000000 31250"), reply("cycles 160000 312"), reply("cycles 99 9")
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
            "this is firmware 1 of other at 16000000 Hz, not 3 of microbit: write it again",
        ),
        ((reply("board 3 microbit 16000000 32768"),), "this is firmware 3 of microbit"),
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
    "alu": 1, "multiply": 1, "load": 2, "load_then_use": 1.5,
    "load_apart": 4 / 3, "load_byte": 2, "load_literal": 2,
    "store": 2, "load_multiple_4": 5 + 3 / 32, "store_multiple_4": 5 + 3 / 32, "push_pop_4": 5,
    "branch_taken": 3, "branch_not_taken": 1, "call_return": 3.5,
}  # fmt: skip


@pytest.mark.parametrize("code", ["flash", "ram"])
def test_the_model_runs_every_kernel(code: str) -> None:
    board = find_board("microbit")
    with Model(board, build_firmware(board), "datasheet") as model:
        names = list(CORTEX_M0)
        assert model.table_size() == 1 + len(names)
        counted = Clocks(model, model.kernels()["empty"], 10)
        empty = counted.per_pass(counted.empty, code, "ram")
        assert empty == 4
        for index, name in enumerate(names, 1):
            passes = 32 if "multiple" in name or "push" in name else 48 if "apart" in name else 64
            whole = counted.per_pass(Kernel(index, name, passes, False), code, "ram")
            assert (whole - empty) / passes == CORTEX_M0[name], name
            assert model.kernels()[name].per_pass == passes


# On the Cortex-M4, of what its model leaves open or has from others: with the rows off that are not
# settled. LDM of four and three ADD.W, two NOP: 5 + 3 + 2 clocks of six instructions, one more
# where the ADD.W lie at odd halfwords.
CORTEX_M4 = {
    "load_multiple_then_odd": (48, 11 / 6), "load_multiple_then_even": (48, 10 / 6),
    "multiply_then_shift": (48, 1),
    "store_multiple_then_load": (64, (3 + 2) / 2 + 2 / 64), "umaal_then_store": (48, 1),
    "smlad_then_store": (48, 1),
    "smlad_then_shift": (48, 1),
    "store_then_odd": (48, 1), "store_then_even": (48, 1),
    "load_wide_odd": (48, 50 / 48), "load_wide_even": (48, 49 / 48),
    "branch_not_taken_wide": (48, 1), "branch_not_taken_narrow": (48, 1),
    "store_back_then_store": (48, 49 / 48), "store_then_store": (48, 49 / 48),
    "load_flash_then_ram": (48, 49 / 48), "load_apart": (48, 4 / 3),
}  # fmt: skip
# What the rows would add to an instruction of these kernels.
IF_SETTLED = {
    "store_multiple_then_load": ("stores_load", 0.5),
}  # fmt: skip


@pytest.mark.parametrize("code", ["flash", "ram"])
def test_what_would_settle_the_open_questions(code: str) -> None:
    board = find_board("nrf52840dk")
    firmware = build_firmware(board)

    def all_clocks(model: Model) -> dict[str, float]:
        kernels = model.kernels()
        counted = Clocks(model, kernels["empty"], 10)
        assert {name: kernels[name].per_pass for name in CORTEX_M4} == {
            name: passes for name, (passes, _) in CORTEX_M4.items()
        }
        return {name: counted.of(kernels[name], code, "ram") for name in CORTEX_M4}

    with Model(board, firmware, "zero-ws") as model:
        assert all_clocks(model) == {
            name: round(figure, 3) for name, (_, figure) in CORTEX_M4.items()
        }
    for row in ("stores_load",):
        with Model(board, firmware, "zero-ws", {row: 1}) as model:
            for name, figure in all_clocks(model).items():
                more = IF_SETTLED[name][1] if IF_SETTLED.get(name, ("", 0))[0] == row else 0
                assert figure == round(CORTEX_M4[name][1] + more, 3), (row, name)


# On the STM32F407, by bank: loads that find the bus idle wait in SRAM2, and of loads in a row the
# first one. A store hides its wait.
BANKS = {
    "load_apart": (4 / 3, 5 / 3), "load": (65 / 64, 66 / 64), "load_double": (3, 4),
    "load_multiple_4": (5 + 3 / 32, 6 + 3 / 32), "store_then_odd": (1, 1),
    "load_flash_then_ram": (49 / 48, 73 / 48),
}  # fmt: skip


def test_each_bank_of_ram_has_its_rows() -> None:
    board = find_board("stm32f4discovery")
    with Model(board, build_firmware(board), "zero-ws") as model:
        kernels = model.kernels()
        counted = Clocks(model, kernels["empty"], 10)
        for name, (plain, slow) in BANKS.items():
            for data, expected in (("ram", plain), ("ccm", plain), ("sram2", slow)):
                found = counted.of(kernels[name], "flash", data)
                assert found == round(expected, 3), (name, data)


def test_where_loops_run() -> None:
    """Code from flash and RAM, data in each bank, if the loop uses data; no store into flash."""
    ram, banks = [("flash", "ram"), ("ram", "ram")], [("flash", "sram2"), ("flash", "ccm")]
    expected: list[tuple[str, str]]
    for name, writes, expected in (
        ("alu", False, ram),
        ("load", False, [*ram, ("flash", "flash"), *banks]),
        ("load_then_store", True, [*ram, *banks]),
        ("store", True, [*ram, *banks]),
    ):
        assert list(places(find_board("stm32f4discovery"), Kernel(1, name, 1, writes))) == expected
    for board, names in (
        ("nucleo-f103rb", []), ("nrf52840dk", ["ram8"]), ("pico2", ["sram8", "sram9"]),
    ):  # fmt: skip
        assert list(find_board(board).banks) == names


@pytest.fixture
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str, float]]:
    """A board in the emulator: its name, where its UART is, and its clocks per instruction."""
    (name, shift), kind = request.param
    firmware = tmp_path / "firmware.elf"
    assert cli.run(["board", name, "--firmware", str(firmware)]) == 0
    hz = find_board(name).hz
    assert hz
    per_instruction, options = hz * 2**shift / 1e9, ["-icount", f"shift={shift}"]
    if kind == "unix":
        with emulated(name, firmware, tmp_path / "uart", *options) as port:
            yield name, port, per_instruction
        return
    command = [QEMU, "-M", name, "-display", "none", "-serial", "pty", "-kernel", str(firmware)]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            where = re.search(r"/dev/\S+", process.stdout.readline())
            assert where
            yield name, where.group(), per_instruction
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
    name, port, per_instruction = board
    out = tmp_path / "rows.json"
    code = cli.run(
        ["board", name, "--port", port, "--passes", "50", "--format", "json", "-o", str(out)]
    )
    assert code == 0, capfd.readouterr().err
    rows = json.loads(out.read_text(encoding="utf-8"))
    assert len(rows) > 30
    assert {(row["code"], row["data"]) for row in rows} == {
        ("flash", "ram"),
        ("ram", "ram"),
        ("flash", "flash"),
        *(("flash", bank) for bank in find_board(name).banks),
    }
    for row in rows:
        expected = per_instruction * (35 / 32 if "multiple_4" in row["kernel"] else 1)
        assert abs(row["measured"] / expected - 1) < 0.15, row
        assert row["modelled"] >= 0
    again = tmp_path / "again.json"
    ask = ["fidelity", "--board", str(out), "--format", "json", "-o", str(again)]
    assert cli.run(ask) == 0
    figures = ("board", "kernel", "code", "data", "measured", "modelled", "ratio")
    assert [[row[figure] for figure in figures] for row in json.loads(again.read_text())] == [
        [row[figure] for figure in figures] for row in rows
    ]


def test_kept_loops_beside_the_model_of_today(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """`ecfit fidelity --board` counts anew, also with another model, and refuses what is none."""
    row = Timing(
        "nrf52840dk", "store_multiple_then_load", "flash", "ram", "zero-ws", 10, 3.03, 9.0, 9.0
    )
    kept, out = tmp_path / "rows.json", tmp_path / "out.json"

    def ratio(*more: str) -> float:
        kept.write_bytes(msgspec.json.encode([row]))
        ask = ["fidelity", "--board", str(kept), *more]
        assert cli.run([*ask, "--format", "json", "-o", str(out)]) == 0
        return float(json.loads(out.read_text(encoding="utf-8"))[0]["ratio"])

    assert (ratio(), ratio("--model", "stores_load=1")) == (0.835, 1.0)
    assert cli.run(["fidelity", "--board", str(kept)]) == 0
    assert "nrf52840dk: 1 loops, |ratio - 1| median 16.5%" in capfd.readouterr().out
    assert cli.run(["fidelity", "--board", str(tmp_path / "none.json")]) == 2
    assert capfd.readouterr().err.endswith("none.json: No such file or directory\n")
    for text, message in (
        ("[{}]", "rows.json: no rows of 'ecfit board --format json': "),
        (kept.read_text().replace('"ram"', '"ccm"'), "nrf52840dk: no loop"),
        (kept.read_text().replace("nrf52840dk", "nrf52"), "unknown board 'nrf52'"),
    ):
        kept.write_text(text, encoding="utf-8")
        assert cli.run(["fidelity", "--board", str(kept)]) == 2
        error = capfd.readouterr().err
        assert message in error
        assert error.count("\n") == 1


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
            ("run 8 flash flash 1", "place"), ("run 0 flash ram 0", "count"),
            ("run 0 flash ram 99999999", "count"), ("run 0 flash ram x", "count"),
        ):  # fmt: skip
            port.write(checked(request))
            assert text_of(port.read_line(5) or b"") == f"error {reason}", request
        for damaged in (b"hello\n", b"hello*00\n", b"\n", b"x" * 500 + b"*11\n", b"*\n"):
            port.write(damaged)
            assert text_of(port.read_line(5) or b"") == "error checksum", damaged
        assert Session(port).ask("hello", "board") == ["3", "microbit", "16000000", "31250"]
