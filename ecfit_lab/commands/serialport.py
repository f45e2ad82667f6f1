"""A serial line as a pipe of bytes: a terminal device, or the UART of an emulated board
behind a socket.
"""

from __future__ import annotations

import os
import select
import socket
import termios
import time
from types import TracebackType
from typing import Self

from ecfit.errors import EcfitError, UsageError

_SPEEDS = {
    int(name[1:]): getattr(termios, name)
    for name in dir(termios)
    if name.startswith("B") and name[1:].isdigit()
}


class SerialError(EcfitError):
    """The line cannot be opened, or broke."""

    status = "serial line"


class SerialPort:
    """An open line. `where`: a device (/dev/ttyACM0), tcp:HOST:PORT or unix:PATH.
    A context manager.
    """

    def __init__(self, where: str, baud: int) -> None:
        """Opens it: 8 data bits, no parity, 1 stop bit, raw. Errors: UsageError, SerialError."""
        if baud not in _SPEEDS or not baud:
            raise UsageError(
                f"{baud} is not a speed of a serial line: "
                f"known: {', '.join(map(str, sorted(_SPEEDS)))}"
            )
        self.where = where
        self._socket: socket.socket | None = None
        try:
            if where.startswith(("tcp:", "unix:")):
                self._socket = _connect(where)
                self._file = self._socket.fileno()
            else:
                self._file = os.open(where, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                _raw(self._file, _SPEEDS[baud])
        except OSError as error:
            raise SerialError(f"cannot open {where}: {error.strerror or error}") from None
        except termios.error as error:
            os.close(self._file)
            raise SerialError(f"{where} is not a serial line: {error.args[-1]}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._socket is not None:
            self._socket.close()
        else:
            os.close(self._file)

    def write(self, data: bytes) -> None:
        """Sends all bytes. Errors: SerialError."""
        try:
            while data:
                select.select([], [self._file], [], 5)
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise SerialError(f"{self.where} broke: {error.strerror}") from None

    def read_line(self, seconds: float) -> bytes | None:
        """The next line without its newline, or None when none comes
        in that time. Errors: SerialError.
        """
        line, end = bytearray(), time.monotonic() + seconds
        while True:
            ready, *_ = select.select([self._file], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return None
            try:
                byte = os.read(self._file, 1)
            except OSError as error:
                raise SerialError(f"{self.where} broke: {error.strerror}") from None
            if not byte:
                raise SerialError(f"{self.where} was closed by the other side")
            if byte == b"\n":
                return bytes(line)
            line += byte

    def discard(self, seconds: float) -> None:
        """Throws away what arrives until the line is silent for that time. Errors: SerialError."""
        while self.read_line(seconds) is not None:
            pass


def _connect(where: str) -> socket.socket:
    kind, _, rest = where.partition(":")
    if kind == "unix":
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.connect(rest)
        return line
    host, _, port = rest.rpartition(":")
    if not port.isdigit() or not host:
        raise UsageError(f"a port is a device, tcp:HOST:PORT or unix:PATH, not '{where}'")
    return socket.create_connection((host, int(port)), timeout=5)


def _raw(file: int, speed: int) -> None:
    """8N1, no echo, no translation, no flow control."""
    _, _, control, _, _, _, characters = termios.tcgetattr(file)
    control &= ~(termios.CSIZE | termios.PARENB | termios.CSTOPB | termios.CRTSCTS)
    control |= termios.CS8 | termios.CREAD | termios.CLOCAL
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    termios.tcsetattr(file, termios.TCSANOW, [0, 0, control, 0, speed, speed, characters])
    termios.tcflush(file, termios.TCIOFLUSH)
