"""Readings in a PostgreSQL database, which several gateways share.

The only modules that know psycopg are this one and `fleet`, through `connect`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from ecfit.errors import MissingToolError, OutputError
from ecfit_lab.gateway.budgets import DEFAULT, Limits, Shares
from ecfit_lab.gateway.readings import Reading, Refusal
from ecfit_lab.gateway.stores import FullError, again

# The boot epoch is computed from the payload: also for an old gateway, which does not know it.
# An old gateway took one of any size, and a key has room for 2704 bytes: those that are taken now
# have 200 characters at most.
_EPOCH_OF = "left(COALESCE(({0} -> 'boot_epoch')::text, ({0} -> '-24')::text, ''), 200)"
_EPOCH = f"text NOT NULL GENERATED ALWAYS AS ({_EPOCH_OF.format('payload')}) STORED"
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS readings (
    identity text, epoch {_EPOCH}, measurement text, key text NOT NULL, sensor text NOT NULL,
    algorithm text NOT NULL, payload jsonb NOT NULL, received timestamptz NOT NULL DEFAULT now(),
    said_before timestamptz, PRIMARY KEY (identity, epoch, measurement));
CREATE TABLE IF NOT EXISTS refused (
    sensor text NOT NULL, reason text NOT NULL, detail text NOT NULL, message text NOT NULL,
    received timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS gateways (name text PRIMARY KEY, until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS sensors (
    uri text PRIMARY KEY, bound text, owner text, until timestamptz NOT NULL DEFAULT now());
"""
_COLUMNS = """SELECT attname FROM pg_attribute
    WHERE attrelid = 'readings'::regclass AND attnum > 0 AND NOT attisdropped"""
_ADD_EPOCH = f"""
ALTER TABLE readings ADD COLUMN epoch {_EPOCH};
ALTER TABLE readings DROP CONSTRAINT readings_pkey;
ALTER TABLE readings ADD PRIMARY KEY (identity, epoch, measurement);
"""
_ADD_SAID_BEFORE = "ALTER TABLE readings ADD COLUMN said_before timestamptz"
# Ids that are texts have no order: no number, and NULL is never above another.
_NUMBER = "CASE WHEN {0}measurement ~ '^-?[0-9]{{1,16}}$' THEN {0}measurement::bigint END"
_HAS_ORDER = "SELECT to_regclass('readings_in_order') IS NOT NULL"
_ADD_ORDER = f"""
CREATE INDEX readings_in_order ON readings (identity, epoch, ({_NUMBER.format("")}))
"""
# `said_before`: when the next reading of the same boot came, or whichever above it came first.
_INSERT = """
INSERT INTO readings (identity, measurement, key, sensor, algorithm, payload, said_before)
    VALUES (%(identity)s, %(measurement)s, %(key)s, %(sensor)s, %(algorithm)s, %(payload)s,
        COALESCE((SELECT COALESCE(above.said_before, above.received) FROM readings above
            WHERE above.identity = %(identity)s AND above.epoch = EPOCH AND NUMBER > %(number)s
            ORDER BY NUMBER LIMIT 1), CASE WHEN %(late)s THEN now() END))
    ON CONFLICT DO NOTHING RETURNING said_before IS NOT NULL
""".replace("EPOCH", _EPOCH_OF.format("%(payload)s::jsonb")).replace(
    "NUMBER", _NUMBER.format("above.")
)
_SAME = """SELECT payload = %s::jsonb FROM readings
    WHERE identity = %s AND measurement = %s AND epoch = EPOCH""".replace(
    "EPOCH", _EPOCH_OF.format("%s::jsonb")
)
_HAS_SHARES = "SELECT to_regclass('refused_of') IS NOT NULL"
_ADD_SHARES = "CREATE INDEX refused_of ON refused (sensor, received)"
_SIZE = "octet_length(sensor || reason || detail || message) + 40"  # with its time
_SHARE = "SELECT COALESCE(SUM(SIZE), 0) FROM refused WHERE sensor = %s".replace("SIZE", _SIZE)
_DROP_OLDEST_OF = """
DELETE FROM refused WHERE ctid IN (SELECT ctid FROM (
    SELECT ctid, SUM(SIZE) OVER (ORDER BY received DESC, ctid DESC) AS newer
    FROM refused WHERE sensor = %s) of WHERE newer > %s)
""".replace("SIZE", _SIZE)
_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")  # not a backslash and the text u0000
# So that two gateways that start at once make the tables one after the other, and so that they drop
# refused messages one after the other.
_LOCK, _DROP_LOCK = 0x6563666974, 0x6563666975


def connect(url: str) -> Any:
    """A connection, with the tables made. Errors: OutputError, MissingToolError."""
    try:
        import psycopg
    except ImportError as error:
        raise MissingToolError(
            f"--postgres needs the Python package psycopg: pip install 'psycopg[binary]' ({error})"
        ) from None
    try:
        base = psycopg.connect(url, autocommit=True, connect_timeout=10)
        with base.transaction():
            base.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            base.execute(SCHEMA)
            columns = [column for (column,) in base.execute(_COLUMNS).fetchall()]
            if "epoch" not in columns:
                base.execute(_ADD_EPOCH)
            if "said_before" not in columns:
                base.execute(_ADD_SAID_BEFORE)
            ((ordered,),) = base.execute(_HAS_ORDER).fetchall()
            if not ordered:
                base.execute(_ADD_ORDER)
            ((shared,),) = base.execute(_HAS_SHARES).fetchall()
            if not shared:
                base.execute(_ADD_SHARES)
            base.execute("SET synchronous_commit = on")
        return base
    except psycopg.Error as error:
        raise OutputError(f"cannot keep readings in the database: {one_line(error)}") from None


def one_line(error: Exception) -> str:
    """The message of the database. It does not repeat the password of the URL."""
    return " ".join(str(error).split())[:200]


def _lower_first(reading: tuple[int, Reading]) -> tuple[str, str, int, str, int]:
    """By name, in which ids are compared as numbers if they are."""
    place, one = reading
    return one.identity, one.epoch, one.number or 0, one.measurement, place


def _overtaken(batch: Sequence[Reading | Refusal]) -> set[int]:
    """Places of readings that came after one of the same boot with a higher id."""
    highest: dict[tuple[str, str], int] = {}
    places = set()
    for place, one in enumerate(batch):
        if isinstance(one, Reading) and (number := one.number) is not None:
            boot = one.identity, one.epoch
            if number < highest.setdefault(boot, number):
                places.add(place)
            highest[boot] = max(number, highest[boot])
    return places


class PostgresStore:
    """The primary key of the table makes a reading unique among all gateways."""

    def __init__(self, url: str, limits: Limits = DEFAULT) -> None:
        """Errors: OutputError, MissingToolError."""
        self._base, self.late, self._shares = connect(url), 0, Shares(limits.refused_bytes)

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        """Readings in the order of their names, so that two gateways never wait for each other.
        Of a boot, the lower ids come first: what is above one then came before this batch.

        Errors: OutputError, FullError.
        """
        import psycopg

        try:
            try:
                return self._commit(batch, room_for_refused=True)
            except psycopg.errors.DiskFull:
                self._drop_refused()
                return self._commit(batch, room_for_refused=False)
        except psycopg.Error as error:
            kind = FullError if isinstance(error, psycopg.errors.DiskFull) else OutputError
            raise kind(f"cannot keep readings in the database: {one_line(error)}") from None

    def _drop_refused(self) -> None:
        """Gives their room back. TRUNCATE needs some pages itself; VACUUM does not, but it waits
        for whoever still reads them.
        """
        import psycopg

        with suppress(psycopg.errors.DiskFull):
            self._base.execute("TRUNCATE refused")
            return
        with suppress(psycopg.errors.DiskFull):
            self._base.execute("DELETE FROM refused")
            self._base.execute("VACUUM refused")

    def _commit(self, batch: Sequence[Reading | Refusal], *, room_for_refused: bool) -> list[bool]:
        new = [isinstance(one, Refusal) for one in batch]
        readings = [(place, one) for place, one in enumerate(batch) if isinstance(one, Reading)]
        overtaken, late = _overtaken(batch), 0
        with self._base.transaction(), self._base.cursor() as cursor:
            for place, one in sorted(readings, key=_lower_first):
                rows = self._insert(cursor, one, late=place in overtaken)
                new[place] = bool(rows)
                late += rows == [(True,)]
            if room_for_refused:
                refused = [
                    self._again(cursor, one) if isinstance(one, Reading) else one
                    for one, fresh in zip(batch, new, strict=True)
                    if isinstance(one, Refusal) or not fresh
                ]
                self._refuse(cursor, refused)
        self.late += late
        return new

    def _refuse(self, cursor: Any, refused: Sequence[Refusal]) -> None:
        """Keeps these, and drops the oldest of a sensor that has more than its share."""
        rows = [(one.sensor, one.reason, one.detail, one.message) for one in refused]
        cursor.executemany("INSERT INTO refused VALUES (%s, %s, %s, %s)", rows)
        over = {r[0] for r in rows if self._shares.spend(r[0], len("".join(r).encode()) + 40)}
        if not over:
            return
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_DROP_LOCK,))
        for sensor in over:
            size = self._share(cursor, sensor)
            if size > self._shares.each:
                cursor.execute(_DROP_OLDEST_OF, (sensor, self._shares.after))
                size = self._share(cursor, sensor)
            self._shares.counted(sensor, size)

    @staticmethod
    def _share(cursor: Any, sensor: str) -> int:
        cursor.execute(_SHARE, (sensor,))
        return int(cursor.fetchone()[0])

    @staticmethod
    def _json(one: Reading) -> str:
        """The payload; jsonb does not have the character U+0000."""
        payload = msgspec.json.encode(one.payload).decode()
        return _NUL.sub(r"\1\\ufffd", payload) if "\\u0000" in payload else payload

    def _again(self, cursor: Any, one: Reading) -> Refusal:
        payload = self._json(one)
        cursor.execute(_SAME, (payload, one.identity, one.measurement, payload, payload))
        found = cursor.fetchone()  # None: somebody has deleted it meanwhile
        return again(one, same=found is not None and found[0])

    def _insert(self, cursor: Any, one: Reading, *, late: bool) -> list[tuple[bool]]:
        """A row if it is new: whether it came late, as it did if another of its batch shows it."""
        row = msgspec.structs.asdict(one)
        values = {**row, "payload": self._json(one), "number": one.number, "late": late}
        cursor.execute(_INSERT, values)
        return cursor.fetchall()  # type: ignore[no-any-return]

    def close(self) -> None:
        """Lets go of the connection."""
        with suppress(Exception):
            self._base.close()
