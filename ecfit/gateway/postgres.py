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
from ecfit.gateway.readings import Reading, Refusal
from ecfit.gateway.stores import again, name_of

# The boot epoch is computed from the payload: also for an old gateway, which does not know it.
# An old gateway took one of any size, and a key has room for 2704 bytes: those that are taken now
# have 200 characters at most.
_EPOCH_OF = "left(COALESCE(({0} -> 'boot_epoch')::text, ({0} -> '-24')::text, ''), 200)"
_EPOCH = f"text NOT NULL GENERATED ALWAYS AS ({_EPOCH_OF.format('payload')}) STORED"
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS readings (
    identity text, epoch {_EPOCH}, measurement text, key text NOT NULL, sensor text NOT NULL,
    algorithm text NOT NULL, payload jsonb NOT NULL, received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (identity, epoch, measurement));
CREATE TABLE IF NOT EXISTS refused (
    sensor text NOT NULL, reason text NOT NULL, detail text NOT NULL, message text NOT NULL,
    received timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS gateways (name text PRIMARY KEY, until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS sensors (
    uri text PRIMARY KEY, bound text, owner text, until timestamptz NOT NULL DEFAULT now());
"""
_OLD = """SELECT NOT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = 'readings'::regclass AND attname = 'epoch' AND NOT attisdropped)"""
_MIGRATE = f"""
ALTER TABLE readings ADD COLUMN epoch {_EPOCH};
ALTER TABLE readings DROP CONSTRAINT readings_pkey;
ALTER TABLE readings ADD PRIMARY KEY (identity, epoch, measurement);
"""
_SAME = """SELECT payload = %s::jsonb FROM readings
    WHERE identity = %s AND measurement = %s AND epoch = EPOCH""".replace(
    "EPOCH", _EPOCH_OF.format("%s::jsonb")
)
_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")  # not a backslash and the text u0000
_LOCK = 0x6563666974  # so that two gateways that start at once make the tables one after the other


def connect(url: str) -> Any:
    """A connection, with the tables made. Errors: OutputError, MissingToolError."""
    try:
        import psycopg
    except ImportError as error:
        raise MissingToolError(
            f"--postgres needs the Python package psycopg: pip install 'ecfit[gateway]' ({error})"
        ) from None
    try:
        base = psycopg.connect(url, autocommit=True, connect_timeout=10)
        with base.transaction():
            base.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            base.execute(SCHEMA)
            ((old,),) = base.execute(_OLD).fetchall()
            if old:
                base.execute(_MIGRATE)
            base.execute("SET synchronous_commit = on")
        return base
    except psycopg.Error as error:
        raise OutputError(f"cannot keep readings in the database: {one_line(error)}") from None


def one_line(error: Exception) -> str:
    """The message of the database. It does not repeat the password of the URL."""
    return " ".join(str(error).split())[:200]


class PostgresStore:
    """The primary key of the table makes a reading unique among all gateways."""

    def __init__(self, url: str) -> None:
        """Errors: OutputError, MissingToolError."""
        self._base = connect(url)

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        """Readings in the order of their names, so that two gateways never wait for each other.

        Errors: OutputError.
        """
        import psycopg

        new = [isinstance(one, Refusal) for one in batch]
        order = sorted(
            (*name_of(one), place) for place, one in enumerate(batch) if isinstance(one, Reading)
        )
        try:
            with self._base.transaction(), self._base.cursor() as cursor:
                for *_, place in order:
                    new[place] = self._insert(cursor, batch[place])
                refused = [
                    self._again(cursor, one) if isinstance(one, Reading) else one
                    for one, fresh in zip(batch, new, strict=True)
                    if isinstance(one, Refusal) or not fresh
                ]
                cursor.executemany(
                    "INSERT INTO refused VALUES (%s, %s, %s, %s)",
                    [(r.sensor, r.reason, r.detail, r.message) for r in refused],
                )
        except psycopg.Error as error:
            raise OutputError(f"cannot keep readings in the database: {one_line(error)}") from None
        return new

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

    def _insert(self, cursor: Any, one: Any) -> bool:
        payload = self._json(one)
        cursor.execute(
            "INSERT INTO readings (identity, measurement, key, sensor, algorithm, payload) "
            "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            (one.identity, one.measurement, one.key, one.sensor, one.algorithm, payload),
        )
        return bool(cursor.rowcount == 1)

    def close(self) -> None:
        """Lets go of the connection."""
        with suppress(Exception):
            self._base.close()
