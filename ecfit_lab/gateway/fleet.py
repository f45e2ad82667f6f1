"""Several gateways share the sensors: each holds leases on its part, in the database.

A gateway renews its leases twice in their time. One that dies does not: its sensors are free when
they have run out, and the others take them. Two that hold the same sensor for a moment do no harm,
for what is kept twice is one row.

The clock is the database's, and it may jump. A lease that ends later than one that begins now has
been given before such a jump: it counts as run out, or a dead gateway would keep its sensors for as
long as the clock went back.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from ecfit.errors import OutputError
from ecfit_lab.gateway.coap import Sensor
from ecfit_lab.gateway.postgres import connect, one_line

LEASE = 6  # seconds
_EACH = LEASE / 3
_TURN_LOCK = 0x6563666976  # gateways take their turns one after the other
_VALID = "until BETWEEN now() AND now() + %(lease)s * interval '1 s'"
_RENEW = """UPDATE sensors SET until = now() + %(lease)s * interval '1 s'
    WHERE owner = %(me)s AND VALID""".replace("VALID", _VALID)
_TAKE = """UPDATE sensors SET owner = %(me)s, until = now() + %(lease)s * interval '1 s'
    WHERE uri IN (SELECT uri FROM sensors WHERE owner IS NULL OR NOT (VALID)
    ORDER BY uri LIMIT %(room)s FOR UPDATE SKIP LOCKED)""".replace("VALID", _VALID)
_ALIVE = "SELECT count(*) FROM gateways WHERE VALID".replace("VALID", _VALID)


class Fleet:
    """The part of one gateway. `observe` is handed the sensors that it has whenever they change."""

    def __init__(
        self,
        url: str,
        sensors: Sequence[Sensor],
        observe: Callable[[Sequence[Sensor]], None],
        say: Callable[[str], None],
    ) -> None:
        """Errors: OutputError, MissingToolError."""
        self._base = connect(url)
        self._observe, self._say = observe, say
        self.name = f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(4)}"
        self._mine: tuple[Sensor, ...] | None = None
        # A gateway that stops in its turn, as a laptop that sleeps, holds up the others as long.
        self._base.execute(f"SET idle_in_transaction_session_timeout = '{LEASE}s'")
        with self._base.transaction(), self._base.cursor() as cursor:
            self._begin_turn(cursor)
            cursor.executemany(
                "INSERT INTO sensors (uri, bound) VALUES (%s, %s) "
                "ON CONFLICT (uri) DO UPDATE SET bound = excluded.bound",
                [(one.uri, one.bound) for one in sorted(sensors, key=lambda one: one.uri)],
            )

    async def run(self) -> None:
        """Until it is cancelled; then its sensors are free at once. Errors: OutputError."""
        import psycopg

        try:
            while True:
                found = await asyncio.to_thread(self.turn)
                if found != self._mine:
                    self._mine = found
                    self._observe(found)
                    self._say(f"has {len(found)} of the sensors")
                await asyncio.sleep(_EACH)
        except psycopg.Error as error:
            raise OutputError(f"the sensors are not shared any more: {one_line(error)}") from None
        finally:
            self._leave()

    @staticmethod
    def _begin_turn(cursor: Any) -> None:
        """Alone until the transaction ends: after a jump of the clock, each would delete the others
        for dead, and wait for them.
        """
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_TURN_LOCK,))

    def turn(self) -> tuple[Sensor, ...]:
        """Renews, gives up what is beyond its share, takes what is free: the sensors it has."""
        with self._base.transaction(), self._base.cursor() as cursor:
            self._begin_turn(cursor)
            cursor.execute(
                "INSERT INTO gateways VALUES (%(me)s, now() + %(lease)s * interval '1 s') "
                "ON CONFLICT (name) DO UPDATE SET until = excluded.until",
                self._names,
            )
            cursor.execute(
                "DELETE FROM gateways WHERE until < now() - interval '1 min' "
                "OR until > now() + %(lease)s * interval '1 s'",
                self._names,
            )
            cursor.execute(_RENEW, self._names)
            share = self._share(cursor)
            cursor.execute(
                "UPDATE sensors SET owner = NULL WHERE uri IN (SELECT uri FROM sensors "
                "WHERE owner = %(me)s ORDER BY uri OFFSET %(share)s FOR UPDATE SKIP LOCKED)",
                {**self._names, "share": share},
            )
            cursor.execute("SELECT count(*) FROM sensors WHERE owner = %(me)s", self._names)
            room = max(0, share - cursor.fetchone()[0])
            cursor.execute(_TAKE, {**self._names, "room": room})
            cursor.execute(
                "SELECT uri, bound FROM sensors WHERE owner = %(me)s ORDER BY uri", self._names
            )
            return tuple(Sensor(uri, bound) for uri, bound in cursor.fetchall())

    @property
    def _names(self) -> dict[str, Any]:
        return {"me": self.name, "lease": LEASE}

    @staticmethod
    def _share(cursor: Any) -> int:
        """Sensors by gateways that are alive, rounded up."""
        cursor.execute(_ALIVE, {"lease": LEASE})
        gateways = max(1, cursor.fetchone()[0])
        cursor.execute("SELECT count(*) FROM sensors")
        return int(-(-cursor.fetchone()[0] // gateways))

    def _leave(self) -> None:
        import psycopg

        try:
            with self._base.transaction(), self._base.cursor() as cursor:
                self._begin_turn(cursor)
                cursor.execute("UPDATE sensors SET owner = NULL WHERE owner = %s", [self.name])
                cursor.execute("DELETE FROM gateways WHERE name = %s", [self.name])
            self._base.close()
        except psycopg.Error:
            return  # the leases run out
