"""A program of firmware/net on an emulated board: QEMU in a process of its own, and a UDP port
of this machine forwarded to the board's, or the wire recorded.
"""

from __future__ import annotations

import os
import queue
import shutil
import socket
import subprocess
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from ecfit.choices.boards import NetMachine
from ecfit.errors import EcfitError, MissingToolError, UsageError

QEMU = "qemu-system-arm"
HOST = "127.0.0.1"


class _Emulator(NamedTuple):
    """A program, its package, the options of its machines, how it takes an image, and its
    Ethernet controller.
    """

    program: str
    package: str
    options: tuple[str, ...]
    image: Callable[[Path], Sequence[str]]
    controller: str


EMULATORS = {
    "armv7m": _Emulator(QEMU, QEMU, (), lambda path: ("-kernel", str(path)), "lan9118"),
    "xtensa": _Emulator(
        "qemu-system-xtensa",
        "qemu-system-misc",
        ("-cpu", "lx106"),
        lambda path: ("-device", f"loader,file={path}"),
        "open_eth",
    ),
}
COAP_PORT = 5683  # of the board
START_SECONDS = 30
STOP_SECONDS = 5
READY = "ready"


class EmulatorError(EcfitError):
    """The emulator does not start, or the program on it gave up."""


def _command(folder: Path, machine: NetMachine, settings: int, more: Sequence[str]) -> list[str]:
    loader = f"loader,file={folder / 'settings'},addr={settings:#x},force-raw=on"
    quiet = ["-display", "none", "-monitor", "none", "-serial", "stdio"]
    program, _, options, kernel, _ = EMULATORS[machine.arch]
    image = [*kernel(folder / "image"), "-device", loader]
    return ends_with_us([program, "-M", machine.name, *options, *quiet, *image, *more])


def ends_with_us(command: Sequence[str]) -> list[str]:
    """The command, as one that ends with this process, even when that is killed."""
    dies_with_us = shutil.which("setpriv")
    if dies_with_us is None:
        return list(command)
    # who was killed before this was set is never told: the shell looks whose child it is
    started_by_us = ["sh", "-c", '[ "$PPID" -eq "$0" ] && exec "$@"', str(os.getpid())]
    return [dies_with_us, "--pdeathsig", "KILL", *started_by_us, *command]


def check_port(port: int) -> None:
    """Whether the port can be had. Errors: UsageError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise UsageError(
                f"UDP port {port} of {HOST} cannot be had ({error.strerror}): "
                "choose another with --port"
            ) from None


def check_installed(arch: str = "armv7m") -> None:
    """Checks that there is an emulator. Errors: MissingToolError."""
    program, package = EMULATORS[arch][:2]
    if shutil.which(program) is None:
        raise MissingToolError(
            f"{program}, which emulates the board, not found: install the package {package}"
        )


_running: set[Board] = set()


def stop_running() -> None:
    """Ends every board of this process, for one that leaves without its threads."""
    for board in list(_running):
        board.close()


class Board(ABC):
    """A context manager: QEMU runs inside, and nothing of it is left behind."""

    def __init__(self, machine: NetMachine, image: bytes, settings: tuple[int, bytes]) -> None:
        """`settings`: an address in RAM, and what is there before the reset."""
        self.machine, self.image, self.settings = machine, image, settings
        self.lines: queue.Queue[str | None] = queue.Queue()

    @abstractmethod
    def options(self, folder: Path) -> list[str]:
        """What else QEMU is told; files of its own go into the folder."""

    @abstractmethod
    def begun(self) -> None:
        """Waits for what must be there before the context is entered."""

    def __enter__(self) -> Self:
        check_installed(self.machine.arch)
        self.folder = tempfile.TemporaryDirectory(prefix="ecfit-")
        _running.add(self)
        folder = Path(self.folder.name)
        (folder / "image").write_bytes(self.image)
        (folder / "settings").write_bytes(self.settings[1])
        (folder / "settings").chmod(0o600)
        self._start(_command(folder, self.machine, self.settings[0], self.options(folder)))
        try:
            self.begun()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _start(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C is ours
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def line(self, seconds: float) -> str:
        """The next line of the program. Errors: EmulatorError if QEMU ends or the time is over."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise EmulatorError(f"{self.machine.name} has said nothing for {seconds:g} s") from None
        if line is None:
            raise self._failure(line)
        return line

    def _failure(self, line: str | None) -> EmulatorError:
        """What the program said last, or QEMU did."""
        if line is not None:
            return EmulatorError(f"{self.machine.name}: {line}")
        self.process.wait(STOP_SECONDS)
        assert self.process.stderr is not None
        messages = [
            text.strip() for text in self.process.stderr.read().splitlines() if text.strip()
        ]
        own = [text for text in messages if text.startswith("qemu")]  # registers may follow
        why = (own or messages[-1:] or [f"exit code {self.process.returncode}"])[0]
        return EmulatorError(f"{EMULATORS[self.machine.arch].program} ended: {why}")

    def close(self) -> None:
        """Ends QEMU; nothing of it is left."""
        _running.discard(self)
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        self.folder.cleanup()


class Emulator(Board):
    """A board whose UDP port is one of this machine; its program has said that it is ready."""

    def __init__(
        self, machine: NetMachine, image: bytes, settings: tuple[int, bytes], port: int
    ) -> None:
        super().__init__(machine, image, settings)
        self.port = port

    def options(self, folder: Path) -> list[str]:
        """Errors: UsageError when the port cannot be had."""
        check_port(self.port)
        model = f"model={EMULATORS[self.machine.arch].controller}"
        return ["-nic", f"user,id=n0,{model},hostfwd=udp:{HOST}:{self.port}-:{COAP_PORT}"]

    def begun(self) -> None:
        """Errors: EmulatorError."""
        line = self.line(START_SECONDS)
        if line != READY:
            raise self._failure(line)

    def wait(self) -> None:
        """Until it ends by itself, which it should not. Errors: EmulatorError."""
        while True:
            line = self.lines.get()
            if line != READY:
                raise self._failure(line)


class WiredBoard(Board):
    """A board that counts: a nanosecond of its time is an instruction; frames are recorded."""

    def options(self, folder: Path) -> list[str]:
        """The board reaches this machine's loopback as the gateway of its network."""
        self.capture = folder / "wire.pcap"
        dump = f"filter-dump,id=d0,netdev=n0,file={self.capture}"
        nic = f"user,id=n0,model={EMULATORS[self.machine.arch].controller}"
        return ["-icount", "shift=0", "-nic", nic, "-object", dump]

    def begun(self) -> None:
        """Nothing: what the client says is read as it comes."""

    def captured(self) -> bytes:
        """The capture so far."""
        return self.capture.read_bytes()
