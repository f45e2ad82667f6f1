"""The client on an emulated board: what it counted against what was captured, and how it fails.

CI takes one board; ECFIT_TLS=all (`make long WHAT=tls`) takes the others, and the linker profile.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Self

import msgspec
import pytest

from ecfit import cli
from ecfit.choices.boards import find_machine
from ecfit.choices.peers import all_peers
from ecfit.errors import BUILD_FAILED, INTERRUPTED, USAGE, WRONG_RESULT
from ecfit.measure.store import Store
from ecfit.model import Image
from ecfit.run.emulator import EmulatorError, WiredBoard
from ecfit_lab.tls import certs
from ecfit_lab.tls import server as server_module
from ecfit_lab.tls.configs import DOCUMENT, TCP, find_connection
from ecfit_lab.tls.connections import LOST, Wanted
from ecfit_lab.tls.image import Client
from ecfit_lab.tls.link import Recording, now_ms
from ecfit_lab.tls.record import TlsRecord
from ecfit_lab.tls.server import HOST, PAYLOAD, Server, ServerProcess
from ecfit_lab.wire import onboard, study
from ecfit_lab.wire.image import image, orders_address, target
from ecfit_studies.commands import tls_document as tlsdocument

BOARD, NAME, BACKEND = "mps2-an386", "tls1.3-ecdsa", "ecfit-fast"
EVERY = os.environ.get("ECFIT_TLS") == "all"
BOARDS = study.BOARDS if EVERY else [BOARD, "lx60"]
LEAST_OVERHEAD = 14 + 20 + 20  # of a segment: Ethernet, IP, TCP


def row(board: str, name: str, flash: int = 0, ram: int = 0, backend: str = BACKEND) -> TlsRecord:
    client = Client(target(find_machine(board), flash, ram), find_connection(name), backend)
    return onboard.measure(client, all_peers(), Store(), Wanted(runs=1))


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(target(find_machine(BOARD)), find_connection(TCP), BACKEND)


@pytest.fixture(scope="module")
def built(client: Client) -> Image:
    return image(client, all_peers(), Store())


def connect(client: Client, built: Image, port: int, timeout: float = 5) -> onboard.Run:
    recording = Recording(TCP, 1, now_ms(), certs.make(find_connection(NAME)))
    return onboard.run(client, built, recording, port, timeout)


def test_the_capture_has_what_the_client_counted(client: Client, built: Image) -> None:
    with Server(client.connection, None) as server:
        one = connect(client, built, server.port)
    assert onboard.failure(one) == ("ok", "")
    assert (one.sent.stream, one.received.stream) == (b"", PAYLOAD)
    assert one.stage(4).received_bytes == len(PAYLOAD)
    for way in (one.sent, one.received):  # a SYN, an acknowledgement, a FIN, and ARP
        assert way.frames >= 4
        assert way.wire_bytes >= len(way.stream) + 3 * LEAST_OVERHEAD + 42


def test_a_difference_between_capture_and_client_is_a_failure(client: Client, built: Image) -> None:
    with Server(client.connection, None) as server:
        one = connect(client, built, server.port)
    less = msgspec.structs.replace(one.received, stream=PAYLOAD[:-1])
    cut = msgspec.structs.replace(one, received=less)
    assert onboard.failure(cut)[0] == "capture differs"


@pytest.mark.parametrize("board", BOARDS)
def test_a_handshake(board: str) -> None:
    record = row(board, NAME)
    assert (record.status, record.version) == ("ok", "1.3"), record.detail
    assert record.round_trips == 2  # TCP's, and one of TLS 1.3
    sent, received = record.payload_sent_bytes, record.payload_received_bytes
    assert sent and received and record.wire_bytes and record.wire_frames
    assert record.wire_bytes >= sent + received + (record.wire_frames - 4) * LEAST_OVERHEAD
    assert record.handshake_bytes and record.handshake_bytes < sent + received
    assert sum(record.flash.values()) == record.flash_bytes
    assert record.flash["network"] > record.flash["ecc"] > 0
    assert record.handshake_instructions and record.handshake_instructions > 1_000_000


@contextmanager
def mute(answer: bytes, *, closes: bool) -> Iterator[int]:
    """A server that sends this, and nothing more."""
    done = threading.Event()

    def serve(listening: socket.socket) -> None:
        speaking, _ = listening.accept()
        with speaking:
            speaking.sendall(answer)
            if not closes:
                done.wait(10)

    with socket.create_server((HOST, 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        done.set()
        thread.join(10)


@pytest.mark.parametrize(
    ("answer", "closes", "word"),
    [(b"", False, "server stalled"), (PAYLOAD[:9], True, "payload cut short")],
)
def test_a_server_that_breaks_off(
    client: Client, built: Image, answer: bytes, closes: bool, word: str
) -> None:
    with mute(answer, closes=closes) as port:
        one = connect(client, built, port, 10 if closes else 1.5)
    assert onboard.failure(one)[0] == word, onboard.failure(one)


def test_no_server(client: Client, built: Image) -> None:
    with socket.create_server((HOST, 0)) as listening:
        port = int(listening.getsockname()[1])
    assert onboard.failure(connect(client, built, port))[0] == LOST


def alone(code: bytes) -> WiredBoard:
    """A board that runs this from address 8."""
    machine = find_machine(BOARD)
    program = struct.pack("<II", 0x20001000, 9) + code
    return WiredBoard(machine, program, (orders_address(machine), b""))


def test_a_board_that_never_answers() -> None:
    with alone(b"\xfe\xe7") as board, pytest.raises(EmulatorError, match="said nothing for"):
        board.line(0.5)  # a branch to itself
    assert board.process.poll() is not None, "QEMU was left behind"
    assert not Path(board.folder.name).exists()


def test_a_board_that_breaks_down() -> None:
    with alone(b"\x00\xbe\x00\xbe") as board, pytest.raises(EmulatorError, match="Lockup"):
        board.line(30)


def test_a_board_without_orders(built: Image) -> None:
    machine = find_machine(BOARD)
    with WiredBoard(machine, built.segments[0].data, (orders_address(machine), b"")) as board:
        assert board.line(30) == "fault: no orders"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run([*arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_lost_server_ends_the_study(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the first row its process is killed: that row is shown, no other is tried."""
    started: list[int] = []

    class Killed(ServerProcess):
        def __enter__(self) -> Self:
            super().__enter__()
            started.append(self.port)
            if len(started) > 1:
                self._process.kill()
                self._process.wait()
            return self

    monkeypatch.setattr(server_module, "ServerProcess", Killed)
    monkeypatch.setattr(study, "DOCUMENT", (TCP, TCP, TCP))
    monkeypatch.setattr(tlsdocument, "Wanted", partial(Wanted, runs=1))
    code, out, err = run(
        capsys, "study", "tls", "--target", BOARD, "--jobs", "1", "--quiet", "--format", "csv"
    )
    assert code == WRONG_RESULT
    assert [line.split(",")[1:3] for line in out.splitlines()[1:]] == [[BOARD, TCP]] * 2
    assert len(started) == 2
    assert err == (
        f"ecfit: tcp - on {BOARD}: {LOST}: SIGKILL ended the server's process; "
        "the client: no server answers the board\n"
    )


def test_no_emulator(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, out, err = run(capsys, "tls", "--board", BOARD, "--server", TCP)
    assert (code, out) == (BUILD_FAILED, "")
    assert err == (
        "ecfit: error: qemu-system-arm, which emulates the board, not found: "
        "install the package qemu-system-arm\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--board", "mps2-an387"], "did you mean"),
        (["--flash", "128KiB"], "name it with --board"),
        (["--board", BOARD, "--ram", "8MiB"], "has 4186112 bytes of ram"),
        (["--board", BOARD, "--ram", "0KiB"], "takes a size above 0 with its unit"),
        (["--board", BOARD, "--record", "x.json"], "leave --board out"),
    ],
)
def test_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    code, out, err = run(capsys, "tls", *arguments)
    assert (code, out) == (USAGE, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.skipif(not EVERY, reason="builds an image: make long WHAT=tls")
def test_a_profile_that_is_too_small() -> None:
    record = row(BOARD, TCP, flash=16 << 10)
    assert record.status == "build failed"
    assert record.detail and "bytes more than there are of FLASH" in record.detail


@pytest.mark.skipif(not EVERY, reason="builds an image: make long WHAT=tls")
def test_a_profile_whose_heap_is_too_small() -> None:
    record = row(BOARD, NAME, ram=32 << 10)
    assert record.status == "out of memory"
    assert record.detail and "the heap had no room for" in record.detail


@pytest.mark.skipif(not EVERY, reason="builds and runs seven images: make long WHAT=tls")
@pytest.mark.parametrize("backend", study.BACKENDS)
@pytest.mark.parametrize("name", DOCUMENT)
def test_the_profile_of_128_and_64_kilobytes(name: str, backend: str) -> None:
    record = row(BOARD, name, 128 << 10, 64 << 10, backend)
    assert record.status == "ok", record.detail
    assert record.flash_bytes and record.ram_bytes
    assert record.flash_bytes < 128 << 10
    assert record.ram_bytes < 64 << 10


_HANGS = f"""
import struct, time
from ecfit.choices.boards import find_machine
from ecfit.run.emulator import WiredBoard
from ecfit_lab.wire.image import orders_address
machine = find_machine("{BOARD}")
program = struct.pack("<IIH", 0x20001000, 9, 0xE7FE)
with WiredBoard(machine, program, (orders_address(machine), b"")) as board:
    print(board.process.pid, flush=True)
    time.sleep(60)
"""


def test_the_emulator_ends_with_a_command_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _HANGS], stdout=subprocess.PIPE) as command:
        assert command.stdout is not None
        emulator = Path("/proc", command.stdout.readline().decode().strip())
        assert emulator.is_dir()
        command.kill()
    ends([emulator])


def runs(process: Path) -> bool:
    """Whether it is there, and no zombie that nobody has waited for."""
    with suppress(OSError):
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def ends(processes: list[Path]) -> None:
    for _ in range(100):
        if not any(runs(process) for process in processes):
            return
        time.sleep(0.05)
    pytest.fail("QEMU was left behind")


def emulators(parent: int) -> list[Path]:
    """The programs that a process has started: QEMU alone, here."""
    found: list[Path] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after = path.read_text().rpartition(")")[2].split()
            found += [path.parent] if int(after[1]) == parent and after[0] != "Z" else []
    return found


def test_an_interruption_does_not_wait_for_the_row() -> None:
    command = "import signal as s; s.signal(s.SIGINT, s.default_int_handler);"
    command += "s.pthread_sigmask(s.SIG_UNBLOCK, {s.SIGINT});"  # who runs the tests may block it
    command += "from ecfit.cli import main; main()"
    arguments = ["tls", "--board", BOARD, "--server", TCP, "--n", "1000", "--quiet"]
    with subprocess.Popen(
        [sys.executable, "-c", command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        for _ in range(600):
            if seen := emulators(process.pid):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out.decode(), err.decode()) == (
        INTERRUPTED,
        "",
        "\necfit: interrupted\n",
    )
    ends(seen)
