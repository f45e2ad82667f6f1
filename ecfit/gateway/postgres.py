"""Readings in a PostgreSQL database, which several gateways share.

The only modules that know psycopg are this one and `fleet`, through `connect`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from ecfit.errors import MissingToolError, OutputError
from ecfit.gateway.readings import Reading, Refusal
from ecfit.gateway.stores import again

SCHEMA = """
CREATE TABLE IF NOT EXISTS readings (
    identity text, measurement text, key text NOT NULL, sensor text NOT NULL,
    algorithm text NOT NULL, payload jsonb NOT NULL, received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (identity, measurement));
CREATE TABLE IF NOT EXISTS refused (
    sensor text NOT NULL, reason text NOT NULL, detail text NOT NULL, message text NOT NULL,
    received timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS gateways (name text PRIMARY KEY, until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS sensors (
    uri text PRIMARY KEY, bound text, owner text, until timestamptz NOT NULL DEFAULT now());
"""
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
            base.execute("SET synchronous_commit = on")
        return base
    except psycopg.Error as error:
        raise OutputError(f"cannot keep readings in the database: {one_line(error)}") from None


def one_line(error: Exception) -> str:
    """What the database says, without the password of its URL, which it does not repeat."""
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
            (one.identity, one.measurement, place)
            for place, one in enumerate(batch)
            if isinstance(one, Reading)
        )
        try:
            with self._base.transaction(), self._base.cursor() as cursor:
                for _, _, place in order:
                    new[place] = self._insert(cursor, batch[place])
                refused = [
                    again(one) if isinstance(one, Reading) else one
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

    def _insert(self, cursor: Any, one: Any) -> bool:
        payload = msgspec.json.encode(one.payload).decode()
        if "\\u0000" in payload:  # a character that jsonb does not have
            payload = payload.replace("\\u0000", "\\ufffd")
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
