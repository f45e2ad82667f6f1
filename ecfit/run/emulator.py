"""A program of firmware/net on an emulated board: QEMU in a process of its own,
a UDP port of this machine forwarded to the board's.
"""

from __future__ import annotations

import queue
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from ecfit.choices.boards import NetMachine
from ecfit.errors import EcfitError, MissingToolError, UsageError

QEMU = "qemu-system-arm"
HOST = "127.0.0.1"
COAP_PORT = 5683  # of the board
START_SECONDS = 30
STOP_SECONDS = 5
READY = "ready"


class EmulatorError(EcfitError):
    """The emulator does not start, or the program on it gave up."""


def _command(folder: Path, machine: NetMachine, settings: int, port: int) -> list[str]:
    loader = f"loader,file={folder / 'settings'},addr={settings:#x},force-raw=on"
    network = f"user,id=n0,model=lan9118,hostfwd=udp:{HOST}:{port}-:{COAP_PORT}"
    quiet = ["-display", "none", "-monitor", "none", "-serial", "stdio"]
    image = ["-kernel", str(folder / "image"), "-device", loader]
    command = [QEMU, "-M", machine.name, *quiet, *image, "-nic", network]
    dies_with_us = shutil.which("setpriv")  # even when we are killed
    return [dies_with_us, "--pdeathsig", "TERM", *command] if dies_with_us else command


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


class Emulator:
    """A context manager: QEMU runs inside, and the program has said that it is ready."""

    def __init__(
        self, machine: NetMachine, image: bytes, settings: tuple[int, bytes], port: int
    ) -> None:
        """`settings`: an address in RAM, and what is there before the reset."""
        self.machine, self.image, self.settings, self.port = machine, image, settings, port
        self.lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> Emulator:
        if shutil.which(QEMU) is None:
            raise MissingToolError(
                f"{QEMU}, which emulates the board, not found: install the package {QEMU}"
            )
        check_port(self.port)
        self.folder = tempfile.TemporaryDirectory(prefix="ecfit-")
        folder = Path(self.folder.name)
        (folder / "image").write_bytes(self.image)
        (folder / "settings").write_bytes(self.settings[1])
        (folder / "settings").chmod(0o600)
        self._start(_command(folder, self.machine, self.settings[0], self.port))
        try:
            self._until_ready()
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

    def _until_ready(self) -> None:
        try:
            line = self.lines.get(timeout=START_SECONDS)
        except queue.Empty:
            raise EmulatorError(
                f"{self.machine.name} is not ready after {START_SECONDS} s"
            ) from None
        if line != READY:
            raise self._failure(line)

    def _failure(self, line: str | None) -> EmulatorError:
        """What the program said last, or QEMU did."""
        if line is not None:
            return EmulatorError(f"{self.machine.name}: {line}")
        self.process.wait(STOP_SECONDS)
        assert self.process.stderr is not None
        said = [text.strip() for text in self.process.stderr.read().splitlines() if text.strip()]
        return EmulatorError(f"{QEMU} ended: {said[-1] if said else self.process.returncode}")

    def wait(self) -> None:
        """Until it ends by itself, which it should not. Errors: EmulatorError."""
        while True:
            line = self.lines.get()
            if line != READY:
                raise self._failure(line)

    def close(self) -> None:
        """Ends QEMU; nothing of it is left."""
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
