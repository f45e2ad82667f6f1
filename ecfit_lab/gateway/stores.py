"""Where readings are kept, and SQLite. What commit() has returned from is on disk.

On a full disk, what is refused goes first: it is not kept, and what was kept of it is deleted. If
even that leaves no room for readings, commit() fails with FullError, and may be called again.

One commit is one transaction of many readings. The name of a reading (key, boot epoch, measurement
id) is unique: a store that holds it already says so, and keeps the first (docs/gateway.md).

Within a boot, ids have an order. A reading that comes after one with a higher id is late: with it
is kept `said_before`, when the first of those came (docs/gateway.md).

A store of an older version is brought up to date when it is opened. Before there were boot epochs,
a gateway kept messages with an epoch too, as one of their members: the name of each reading is made
from there.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from ecfit.errors import OutputError
from ecfit_lab.gateway.budgets import DEFAULT, Limits, Shares, room
from ecfit_lab.gateway.readings import (
    DUPLICATE,
    REUSED,
    Reading,
    Refusal,
    content,
    epoch_text,
    kept_json,
    shown,
)
from ecfit_lab.message.refusal import MessageRefusedError

_READINGS = """
CREATE TABLE IF NOT EXISTS readings (
    identity TEXT NOT NULL, epoch TEXT NOT NULL, measurement TEXT NOT NULL, key TEXT NOT NULL,
    sensor TEXT NOT NULL, algorithm TEXT NOT NULL, payload TEXT NOT NULL, received TEXT NOT NULL,
    said_before TEXT,
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
    payload, received, NULL FROM readings_without_epoch
"""
# Ids that are texts have no order: no number, and NULL is never above another.
_NUMBER = "CASE WHEN measurement GLOB '[-0-9]*' THEN CAST(measurement AS INTEGER) END"
_IN_ORDER = f"""
CREATE INDEX IF NOT EXISTS readings_in_order ON readings (identity, epoch, {_NUMBER})
"""
# The next reading of the same boot says when it came, or whichever above it came first.
_SAID_BEFORE = """
SELECT COALESCE(said_before, received) FROM readings
    WHERE identity = ? AND epoch = ? AND NUMBER > ? ORDER BY NUMBER LIMIT 1
""".replace("NUMBER", _NUMBER)
_INSERT = """
INSERT INTO readings (identity, epoch, measurement, key, sensor, algorithm, payload, received,
    said_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
_SAME_NAME = "SELECT payload FROM readings WHERE (identity, epoch, measurement) = (?, ?, ?)"
_REFUSED_OF = "CREATE INDEX IF NOT EXISTS refused_of ON refused (sensor)"
_SIZE = "length(CAST(sensor || reason || detail || message AS BLOB)) + 40"  # with its time
_SHARE = "SELECT COALESCE(SUM(SIZE), 0) FROM refused WHERE sensor = ?".replace("SIZE", _SIZE)
_DROP_OLDEST_OF = """
DELETE FROM refused WHERE rowid IN (SELECT rowid FROM (
    SELECT rowid, SUM(SIZE) OVER (ORDER BY rowid DESC) AS newer FROM refused WHERE sensor = ?
) WHERE newer > ? ORDER BY rowid LIMIT ?)
""".replace("SIZE", _SIZE)
_DROP_OLDEST = """
DELETE FROM refused WHERE rowid IN (SELECT rowid FROM refused ORDER BY rowid LIMIT ?)
"""
_AT_ONCE = 256  # refused messages that are dropped in a transaction on a disk that is nearly full
_LEAST = 65_536  # free bytes of a disk; with less, SQLite's shared memory cannot grow either
Name = tuple[str, str, str]


class FullError(OutputError):
    """There is no room for readings. Nothing of the batch is kept, and it may be tried again."""


class Store(Protocol):
    """Keeps readings and refusals. `late`: readings kept since it was opened that came late."""

    late: int

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        """All readings or none, on disk when it returns. For each whether it is new: a reading that
        is there already is False, and a refusal is kept in its place. Refusals are kept if there
        is room for them (budgets). Errors: OutputError; FullError where there is no room.
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
    return Refusal(reading.sensor, DUPLICATE if same else REUSED, detail, shown(payload))


def _epoch_of(payload: str) -> str:
    """The boot epoch in what an old gateway has kept."""
    found = msgspec.json.decode(payload)
    return (epoch_text(found) or "") if isinstance(found, dict) else ""


class SqliteStore:
    """A database in one file. Several processes may share it."""

    def __init__(self, path: Path, limits: Limits = DEFAULT) -> None:
        """Errors: OutputError."""
        self.path, self.late, self._shares = path, 0, Shares(limits.refused_bytes)
        try:
            self._base = sqlite3.connect(
                path, timeout=30, isolation_level=None, check_same_thread=False
            )
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute(
                "PRAGMA synchronous=FULL"
            )  # the log is on disk before COMMIT is done
            ((self._page,),) = self._base.execute("PRAGMA page_size").fetchall()
            self._base.create_function("epoch_of", 1, _epoch_of)
            self._base.execute("BEGIN IMMEDIATE")
            self._tables()
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error, AttributeError):
                self._base.execute("ROLLBACK")
            raise OutputError(f"cannot keep readings in {path}: {error}") from None

    def _tables(self) -> None:
        """Makes them, or brings those of an older gateway up to date."""
        self._base.execute(_READINGS)
        self._base.execute(_REFUSED)
        columns = [row[1] for row in self._base.execute("PRAGMA table_info(readings)")]
        if "epoch" not in columns:
            self._base.execute("ALTER TABLE readings RENAME TO readings_without_epoch")
            self._base.execute(_READINGS)
            self._base.execute(_COPY)
            self._base.execute("DROP TABLE readings_without_epoch")
        elif "said_before" not in columns:
            self._base.execute("ALTER TABLE readings ADD COLUMN said_before TEXT")
        self._base.execute(_IN_ORDER)
        self._base.execute(_REFUSED_OF)

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        left, free = self._room()
        if left < 0 and not self._begin_log_again():
            return self._known_already(batch)
        try:
            return self._commit(batch, keep=left + free > 0, drop=-1 if left > 0 else _AT_ONCE)
        except FullError:
            with self._transaction():
                self._base.execute("DELETE FROM refused")
            if not self._begin_log_again():
                raise
            return self._commit(batch, keep=False, drop=_AT_ONCE)

    def _begin_log_again(self) -> bool:
        """What is in the log goes into the file, and the next transaction has all of the log's
        room: whether the file could grow. If not, nothing more may go into the log, for it would
        need as much room later.
        """
        try:
            self._base.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error as error:
            return not self._is_full(error)
        return True

    def _known_already(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        """On a full disk, for readings that come again. Errors: FullError if one is new."""
        with self._transaction():
            for one in batch:
                if isinstance(one, Reading):
                    known = self._base.execute(_SAME_NAME, name_of(one)).fetchall()
                    if not known:
                        raise FullError(f"cannot keep readings in {self.path}: the disk is full")
        return [isinstance(one, Refusal) for one in batch]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing. Errors: OutputError, FullError."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            yield
            self._base.execute("COMMIT")
        except FullError:
            self._base.execute("ROLLBACK")
            raise
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            kind = FullError if self._is_full(error) else OutputError
            raise kind(f"cannot keep readings in {self.path}: {error}") from None

    def _is_full(self, error: sqlite3.Error) -> bool:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code != sqlite3.SQLITE_IOERR:
            return code == sqlite3.SQLITE_FULL
        disk = os.statvfs(self.path)
        return disk.f_bavail * disk.f_frsize < _LEAST

    def _room(self) -> tuple[int, int]:
        """Bytes of the disk beyond the reserve and what the file will grow by, which is in the log
        alone; and bytes of the file that are free. Errors: OutputError.
        """
        try:
            ((free,),) = self._base.execute("PRAGMA freelist_count").fetchall()
            ((pages,),) = self._base.execute("PRAGMA page_count").fetchall()
            growth = max(0, pages * self._page - self.path.stat().st_size)
            return room(self.path) - growth, free * self._page
        except (sqlite3.Error, OSError) as error:
            raise OutputError(f"cannot keep readings in {self.path}: {error}") from None

    def _commit(self, batch: Sequence[Reading | Refusal], *, keep: bool, drop: int) -> list[bool]:
        """`keep`: refusals, too; else some old ones go. `drop`: so many at most, -1 for any."""
        when, new, late, refused = now(), [], 0, []
        with self._transaction():
            if not keep:
                self._base.execute(_DROP_OLDEST, (drop,))
            for one in batch:
                if isinstance(one, Refusal):
                    new.append(True)
                    refused.append(one)
                    continue
                before = self._said_before(one)
                new.append(self._insert(one, when, before))
                late += new[-1] and before is not None
                if not new[-1]:
                    refused.append(self._again(one))
            if keep:
                self._refuse(refused, when, drop)
        self.late += late
        return new

    def _refuse(self, refused: list[Refusal], when: str, drop: int) -> None:
        """Keeps these, and drops the oldest of a sensor that has more than its share."""
        over = set()
        for one in refused:
            row = (one.sensor, one.reason, one.detail, one.message)
            self._base.execute("INSERT INTO refused VALUES (?, ?, ?, ?, ?)", (*row, when))
            if self._shares.spend(one.sensor, sum(len(text.encode()) for text in row) + 40):
                over.add(one.sensor)
        for sensor in over:
            ((size,),) = self._base.execute(_SHARE, (sensor,)).fetchall()
            if size > self._shares.each:
                self._base.execute(_DROP_OLDEST_OF, (sensor, self._shares.after, drop))
                ((size,),) = self._base.execute(_SHARE, (sensor,)).fetchall()
            self._shares.counted(sensor, size)

    def _said_before(self, one: Reading) -> str | None:
        """When the first reading came that this one should have come before."""
        rows = self._base.execute(_SAID_BEFORE, (one.identity, one.epoch, one.number)).fetchall()
        return str(rows[0][0]) if rows else None

    def _insert(self, one: Reading, when: str, before: str | None) -> bool:
        payload = msgspec.json.encode(one.payload).decode()
        row = (*name_of(one), one.key, one.sensor, one.algorithm, payload, when, before)
        return self._base.execute(_INSERT, row).rowcount == 1

    def _again(self, one: Reading) -> Refusal:
        same = False
        with suppress(msgspec.MsgspecError, MessageRefusedError):  # somebody else has written there
            for (payload,) in self._base.execute(_SAME_NAME, name_of(one)):
                same = content(kept_json(payload)) == content(one.payload)
        return again(one, same=same)

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._base.close()
