"""Where readings are kept: SQLite, or lines of JSON. What commit() has returned from is on disk.

One commit is one transaction of many readings. The name of a reading, key and measurement id, is
unique: a store that holds it already says so, and keeps the first (docs/gateway.md).
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import msgspec

from ecfit.errors import OutputError
from ecfit.gateway.readings import DUPLICATE, Reading, Refusal

_SCHEMA = """
CREATE TABLE IF NOT EXISTS readings (
    identity TEXT NOT NULL, measurement TEXT NOT NULL, key TEXT NOT NULL, sensor TEXT NOT NULL,
    algorithm TEXT NOT NULL, payload TEXT NOT NULL, received TEXT NOT NULL,
    PRIMARY KEY (identity, measurement)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refused (
    sensor TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, message TEXT NOT NULL,
    received TEXT NOT NULL
);
"""


class Store(Protocol):
    """Keeps readings and refusals."""

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        """All or nothing, on disk when it returns. For each whether it is new: a reading that is
        there already is False, and a refusal is kept in its place. Errors: OutputError.
        """

    def close(self) -> None:
        """Lets go of the files."""


def now() -> str:
    """UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def again(reading: Reading) -> Refusal:
    """What is kept of a reading that is there already."""
    detail = f"measurement {reading.measurement} of key {reading.key}"
    payload = msgspec.json.encode(reading.payload).decode()
    return Refusal(reading.sensor, DUPLICATE, detail, payload)


class SqliteStore:
    """A database in one file. Several processes may share it."""

    def __init__(self, path: Path) -> None:
        """Errors: OutputError."""
        self.path = path
        try:
            self._base = sqlite3.connect(
                path, timeout=30, isolation_level=None, check_same_thread=False
            )
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute(
                "PRAGMA synchronous=FULL"
            )  # the log is on disk before COMMIT is done
            self._base.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise OutputError(f"cannot keep readings in {path}: {error}") from None

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        when, new = now(), []
        try:
            self._base.execute("BEGIN IMMEDIATE")
            for one in batch:
                new.append(isinstance(one, Refusal) or self._insert(one, when))
                if isinstance(one, Refusal) or not new[-1]:
                    refused = one if isinstance(one, Refusal) else again(one)
                    row = (refused.sensor, refused.reason, refused.detail, refused.message, when)
                    self._base.execute("INSERT INTO refused VALUES (?, ?, ?, ?, ?)", row)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            raise OutputError(f"cannot keep readings in {self.path}: {error}") from None
        return new

    def _insert(self, one: Reading, when: str) -> bool:
        payload = msgspec.json.encode(one.payload).decode()
        row = (one.identity, one.measurement, one.key, one.sensor, one.algorithm, payload, when)
        done = self._base.execute(
            "INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row
        )
        return done.rowcount == 1

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._base.close()


class LinesStore:
    """Lines of JSON at the end of one file, which is this process's alone.

    What a reading is called is kept in memory: some 150 bytes for each.
    """

    def __init__(self, path: Path) -> None:
        """A line that a kill left half-written is cut off. Errors: OutputError."""
        self.path = path
        self._known: set[tuple[str, str]] = set()
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OutputError(
                    f"{path} is another gateway's: several share --sqlite or --postgres"
                ) from None
            self._size = self._read()
            os.ftruncate(self._file, self._size)
            self._sync_folder()
        except OSError as error:
            raise OutputError(f"cannot keep readings in {path}: {error.strerror}") from None

    def _read(self) -> int:
        """Bytes of whole lines; their readings are known from now on."""
        size = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                size += len(line)
                try:
                    one = msgspec.json.decode(line)
                    if one["accepted"]:
                        self._known.add((one["identity"], one["measurement"]))
                except (msgspec.MsgspecError, KeyError, TypeError, RecursionError):
                    raise OutputError(
                        f"{self.path}: line {number} is none of a gateway's: choose another file"
                    ) from None
        return size

    def _sync_folder(self) -> None:
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        when, new, lines = now(), [], []
        names: set[tuple[str, str]] = set()
        for one in batch:
            if isinstance(one, Reading):
                name = one.identity, one.measurement
                new.append(name not in self._known and name not in names)
                names.add(name)
            else:
                new.append(True)
            kept: dict[str, Any] = {"accepted": isinstance(one, Reading) and new[-1]}
            shown = again(one) if isinstance(one, Reading) and not new[-1] else one
            kept |= {"received": when, **msgspec.structs.asdict(shown)}
            lines.append(msgspec.json.encode(kept) + b"\n")
        self._append(b"".join(lines))
        self._known |= names
        return new

    def _append(self, data: bytes) -> None:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):  # nothing of it was acknowledged
                os.ftruncate(self._file, self._size)
                os.fsync(self._file)
            raise OutputError(f"cannot keep readings in {self.path}: {error.strerror}") from None
        self._size += len(data)

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._file)
