"""Where readings are kept, and SQLite. What commit() has returned from is on disk.

One commit is one transaction of many readings. The name of a reading (key, boot epoch, measurement
id) is unique: a store that holds it already says so, and keeps the first (docs/gateway.md).

A store of before boot epochs is brought up to date when it is opened. An old gateway kept messages
with an epoch too, as one of their members: the name of each reading is made from there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from ecfit.errors import OutputError
from ecfit.gateway.readings import DUPLICATE, REUSED, Reading, Refusal, epoch_text

_READINGS = """
CREATE TABLE IF NOT EXISTS readings (
    identity TEXT NOT NULL, epoch TEXT NOT NULL, measurement TEXT NOT NULL, key TEXT NOT NULL,
    sensor TEXT NOT NULL, algorithm TEXT NOT NULL, payload TEXT NOT NULL, received TEXT NOT NULL,
    PRIMARY KEY (identity, epoch, measurement)
) WITHOUT ROWID
"""
_REFUSED = """
CREATE TABLE IF NOT EXISTS refused (
    sensor TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, message TEXT NOT NULL,
    received TEXT NOT NULL
)
"""
_COPY = """
INSERT INTO readings SELECT identity, epoch_of(payload), measurement, key, sensor, algorithm,
    payload, received FROM readings_without_epoch
"""
_SAME_NAME = "SELECT payload FROM readings WHERE (identity, epoch, measurement) = (?, ?, ?)"
Name = tuple[str, str, str]


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


def name_of(reading: Reading) -> Name:
    """What is unique."""
    return reading.identity, reading.epoch, reading.measurement


def again(reading: Reading, *, same: bool) -> Refusal:
    """What is kept of a reading whose name is there already: the same one, or another one of a
    sensor that began to count again without a new boot epoch.
    """
    boot = f" of boot {reading.epoch}" if reading.epoch else ""
    detail = f"measurement {reading.measurement}{boot} of key {reading.key}"
    payload = msgspec.json.encode(reading.payload).decode()
    return Refusal(reading.sensor, DUPLICATE if same else REUSED, detail, payload)


def _epoch_of(payload: str) -> str:
    """The boot epoch in what an old gateway has kept."""
    found = msgspec.json.decode(payload)
    return (epoch_text(found) or "") if isinstance(found, dict) else ""


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
            self._base.create_function("epoch_of", 1, _epoch_of)
            self._base.execute("BEGIN IMMEDIATE")
            self._base.execute(_READINGS)
            self._base.execute(_REFUSED)
            columns = [row[1] for row in self._base.execute("PRAGMA table_info(readings)")]
            if "epoch" not in columns:
                self._base.execute("ALTER TABLE readings RENAME TO readings_without_epoch")
                self._base.execute(_READINGS)
                self._base.execute(_COPY)
                self._base.execute("DROP TABLE readings_without_epoch")
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error, AttributeError):
                self._base.execute("ROLLBACK")
            raise OutputError(f"cannot keep readings in {path}: {error}") from None

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        when, new = now(), []
        try:
            self._base.execute("BEGIN IMMEDIATE")
            for one in batch:
                new.append(isinstance(one, Refusal) or self._insert(one, when))
                if isinstance(one, Refusal) or not new[-1]:
                    refused = one if isinstance(one, Refusal) else self._again(one)
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
        row = (*name_of(one), one.key, one.sensor, one.algorithm, payload, when)
        done = self._base.execute(
            "INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row
        )
        return done.rowcount == 1

    def _again(self, one: Reading) -> Refusal:
        same = False
        with suppress(msgspec.MsgspecError):  # somebody else has written there
            for (payload,) in self._base.execute(_SAME_NAME, name_of(one)):
                same = msgspec.json.decode(payload) == one.payload
        return again(one, same=same)

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._base.close()
