"""What stands behind the client's stream, generator and clock: a live connection, which is
recorded, or a recording, which is played again without a server, bit for bit.
"""

from __future__ import annotations

import hashlib
import socket
import time
from pathlib import Path
from typing import Protocol

import msgspec

from ecfit import documents
from ecfit.errors import EcfitError, OutputError, UsageError
from ecfit.measure.store import write_output
from ecfit.paths import read_input
from ecfit_lab.tls.certs import Credentials
from ecfit_lab.tls.configs import PAYLOAD_BYTES, find_connection
from ecfit_lab.tls.server import HOST

GONE, LATE = -1, -2  # firmware/tls/host_call.h
SCHEMA = 1
MOST_BYTES = 1 << 20  # of a file


WHATS = ("send", "receive", "leave")


class LostError(EcfitError):
    """Nobody listens where the server should be."""


class Step(msgspec.Struct, frozen=True):
    """One call of the client's stream: what it sent, what it received, or that it left this
    connection for another; `result` where it was none (0: closed, GONE, LATE).
    """

    what: str  # of WHATS
    data: bytes = b""
    result: int | None = None


class Recording(msgspec.Struct, frozen=True):
    """A connection as the client saw it: both directions call by call, its random stream's seed,
    the time in milliseconds since 1970, and what it was given.
    """

    connection: str
    seed: int
    time_ms: int
    given: Credentials
    payload_bytes: int = PAYLOAD_BYTES  # that the client waits for before it closes
    record_bytes: int = 0  # of the client's buffer; 0: the connection's own
    steps: tuple[Step, ...] = ()
    schema: int = SCHEMA

    def total(self, what: str) -> int:
        """Bytes of one direction."""
        return sum(len(step.data) for step in self.steps if step.what == what)


class Link(Protocol):
    """Answers the client's calls."""

    def send(self, data: bytes) -> int:
        """Bytes sent, or GONE."""

    def receive(self, size: int) -> tuple[int, bytes]:
        """So many bytes, fewer at the end of the stream; 0, GONE or LATE with none."""

    def leave(self) -> int:
        """Another connection to the same server; 0, or GONE."""

    @property
    def steps(self) -> list[Step]:
        """What has passed so far."""


class Live:
    """A connection to a server on loopback; `timeout` in seconds, of a server that stalls."""

    def __init__(self, port: int, timeout: float = 5.0) -> None:
        """Errors: LostError when nobody listens."""
        self.steps: list[Step] = []
        self._port, self._timeout = port, timeout
        self._connect()

    def _connect(self) -> None:
        try:
            self._socket = socket.create_connection((HOST, self._port), self._timeout)
        except OSError as error:
            where = f"{HOST}:{self._port}"
            raise LostError(f"no server at {where}: {error.strerror or error}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """Ends it."""
        self._socket.close()

    def leave(self) -> int:
        """Ends it and makes another."""
        self._socket.close()
        self._connect()
        self.steps.append(Step("leave"))
        return 0

    def send(self, data: bytes) -> int:
        """Sends all of it."""
        try:
            self._socket.sendall(data)
        except OSError:
            self.steps.append(Step("send", data, GONE))
            return GONE
        self.steps.append(Step("send", data))
        return len(data)

    def receive(self, size: int) -> tuple[int, bytes]:
        """Waits for all that was asked for: how TCP cuts the stream decides nothing."""
        data, result = b"", None
        try:
            while len(data) < size:
                part = self._socket.recv(size - len(data))
                if not part:
                    break
                data += part
        except TimeoutError:
            result = None if data else LATE
        except OSError:
            result = None if data else GONE
        if not data and result is None:
            result = 0
        self.steps.append(Step("receive", data, result))
        return (len(data) if result is None else result), data


class Datagrams(Live):
    """The same over UDP: a call is a datagram."""

    def _connect(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.settimeout(self._timeout)
        self._socket.connect((HOST, self._port))

    def receive(self, size: int) -> tuple[int, bytes]:
        """One datagram, cut where it is longer; nobody can close."""
        data, result = b"", None
        try:
            data = self._socket.recv(size)
        except OSError as error:
            result = LATE if isinstance(error, TimeoutError) else GONE
        self.steps.append(Step("receive", data, result))
        return (len(data) if result is None else result), data


class Replay:
    """A recording instead of a server. What the client sends should be what it sent then;
    `differs` says where it was not (an alert that nobody hears, for instance).
    """

    def __init__(self, recording: Recording) -> None:
        self.steps: list[Step] = []
        self.differs: str | None = None
        self._left = list(recording.steps)

    def _next(self, what: str) -> Step | None:
        if self._left and self._left[0].what == what:
            self.steps.append(self._left.pop(0))
            return self.steps[-1]
        self.differs = (
            self.differs or f"{what} number {len(self.steps) + 1} is not in the recording"
        )
        return None

    def send(self, data: bytes) -> int:
        """Compares."""
        step = self._next("send")
        if step is None:
            self.steps.append(Step("send", data))
            return len(data)
        if step.data != data:
            self.differs = self.differs or f"send number {len(self.steps)} differs"
        return len(data) if step.result is None else step.result

    def leave(self) -> int:
        """As then."""
        return 0 if self._next("leave") else GONE

    def receive(self, size: int) -> tuple[int, bytes]:
        """What came then."""
        step = self._next("receive")
        if step is None:
            return GONE, b""
        data = step.data[:size]
        return (len(data) if step.result is None else step.result), data


class Stream:
    """The client's generator: SHA-256 of a seed and a counter. For measurements, not for keys."""

    def __init__(self, seed: int) -> None:
        self._seed, self._count, self._rest = seed, 0, b""

    def take(self, size: int) -> bytes:
        """The next bytes."""
        while len(self._rest) < size:
            block = f"ecfit tls {self._seed} {self._count}".encode()
            self._rest += hashlib.sha256(block).digest()
            self._count += 1
        out, self._rest = self._rest[:size], self._rest[size:]
        return out


def now_ms() -> int:
    """The time of this machine."""
    return time.time_ns() // 1_000_000


def read_recording(name: str) -> Recording:
    """A recording, from a file that may come from anywhere.
    Errors: UsageError, one line with the file's name.
    """
    path = Path(name)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path.name}: larger than any recording")
        recording = documents.json(read_input(path, MOST_BYTES), Recording)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path.name} is not a recording: {error}") from None
    if recording.schema != SCHEMA:
        raise UsageError(f"{path.name}: schema {recording.schema} is not {SCHEMA}: record again")
    if any(step.what not in WHATS for step in recording.steps):
        raise UsageError(f"{path.name} is not a recording: a step is none of {', '.join(WHATS)}")
    if not 0 <= recording.time_ms < 1 << 47:
        raise UsageError(f"{path.name} is not a recording: its time is out of range")
    find_connection(recording.connection)
    return recording


def write_recording(name: str, recording: Recording) -> None:
    """Writes a recording atomically. Errors: OutputError."""
    path = Path(name)
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {path}: there is no folder {path.parent}")
    data = msgspec.json.format(msgspec.json.encode(recording), indent=1)
    write_output(path, data + b"\n")
