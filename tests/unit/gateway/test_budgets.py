"""No sensor takes what others need: messages over its budget meet silence, what is refused has a
share of the disk for each sensor, and a full disk loses nothing that was acknowledged.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import random
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from ecfit_lab.gateway import coap, datagram
from ecfit_lab.gateway.budgets import Budget, Limits
from ecfit_lab.gateway.coap import Endpoint, Observation, Sensor
from ecfit_lab.gateway.postgres import PostgresStore
from ecfit_lab.gateway.readings import Message, Reading, Refusal, refusal
from ecfit_lab.gateway.stores import FullError
from tests.unit.gateway.test_coap import Taken, Wire, told
from tools.rigs import sensor_fleet as sf
from workshop.devices import pg_cluster
from workshop.devices.kept_readings import (
    STORES,
    Make,
    messages,
    place_in,
    reading,
    server_url,
    small_disk,
)

ALL = [*STORES, "postgres"]
WHERE = ("127.0.0.1", 5683)


def test_a_budget() -> None:
    """A burst at once, then the rate; a pause saves up no more than a burst."""
    seconds = [0.0]
    budget = Budget(10, 50, lambda: seconds[0])
    assert [budget.take() for _ in range(60)] == [True] * 50 + [False] * 10
    taken = 0
    for _ in range(1000):
        seconds[0] += 0.01
        taken += budget.take()
    assert taken == pytest.approx(100, abs=1)
    seconds[0] += 1e6
    assert sum(budget.take() for _ in range(100)) == 50


class Endpoints:
    """For one observation: what is sent stays here."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.endpoint = Endpoint(self.wire.sendto)

    async def find(self, _host: str, _port: int) -> tuple[Endpoint, tuple[str, int]]:
        return self.endpoint, WHERE


def notification(kind: int, mid: int, token: bytes, payload: bytes) -> bytes:
    """2.05 with an Observe option."""
    head = bytes([0x40 | kind << 4 | len(token), 69]) + mid.to_bytes(2, "big") + token
    return head + bytes([0x61, mid & 255]) + b"\xff" + payload


@pytest.mark.parametrize("kind", [datagram.CON, datagram.NON])
def test_what_is_over_the_budget_meets_silence(kind: int) -> None:
    """300 notifications at once: 50 are taken and acknowledged, the others are as if lost on their
    way. One that was not taken is taken when it comes again.
    """

    async def run() -> None:
        ends, taken = Endpoints(), Taken()
        observation = Observation(
            Sensor("coap://s/t"), taken.deliver, taken.lines.append, Limits(10, 50)
        )
        task = asyncio.create_task(observation.run(ends))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        ends.wire.sent.clear()
        for mid in range(300):
            data = notification(kind, mid, observation._token, b"%d" % mid)
            ends.endpoint.datagram_received(data, WHERE)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert 50 <= len(taken.data) < 80
        acknowledged = [data for data in ends.wire.sent if data[0] == 0x60]
        assert len(acknowledged) == (len(taken.data) if kind == datagram.CON else 0)
        assert not [data for data in ends.wire.sent if data[0] == 0x70], "no reset either"
        await asyncio.sleep(0.3)
        again = notification(kind, 299, observation._token, b"299")
        before = len(taken.data)
        ends.endpoint.datagram_received(again, WHERE)
        await asyncio.sleep(0.05)
        assert len(taken.data) == before + 1
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())


def test_a_sensor_with_much_to_say_is_heard_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """It sends again what was not acknowledged, as RFC 7252, 4.2, says: nothing of it is lost."""
    monkeypatch.setattr(sf, "TIMEOUT", 0.05)

    async def run() -> None:
        taken, done = Taken(), list[sf.Told]()
        sensor = sf.Sensor(told(30), blocks=False, acknowledged=done.append)
        await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: sensor, local_addr=("127.0.0.1", 0)
        )
        ends = coap.Endpoints()
        uri = f"coap://127.0.0.1:{sensor.port}/t"
        observation = Observation(Sensor(uri), taken.deliver, taken.lines.append, Limits(20, 5))
        task = asyncio.create_task(observation.run(ends))
        await taken.until(30)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        ends.close()
        assert taken.data == [one.data for one in told(30)]

    asyncio.run(run())


def test_strangers_have_one_budget_together() -> None:
    """1,000 sources that nobody configured: few resets, and nothing is kept of them."""
    wire = Wire()
    endpoint = Endpoint(wire.sendto)
    for n in range(1000):
        where = (f"10.0.{n // 250}.{n % 250}", 5683)
        endpoint.datagram_received(notification(datagram.CON, n, b"none", b"{}"), where)
        endpoint.datagram_received(b"\x40\x01" + n.to_bytes(2, "big"), where)
    assert 0 < len(wire.sent) < 70


def test_a_sensor_that_comes_and_goes_does_not_fill_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ends each observation at once, and does not answer the next request."""
    monkeypatch.setattr(coap, "FIRST_PAUSE", 0.0)

    class Ends(Endpoints):
        """Fails each second time."""

        async def find(self, host: str, port: int) -> tuple[Endpoint, tuple[str, int]]:
            self.asked = getattr(self, "asked", 0) + 1
            if self.asked % 2:
                raise OSError("it is gone")
            asyncio.get_running_loop().call_soon(self.answer)
            return await super().find(host, port)

        def answer(self) -> None:
            for exchange in self.endpoint._waiting.values():
                exchange.answer.set_result(datagram.Datagram(datagram.ACK, 69, 0, b"", {}, b"{}"))

    async def run() -> list[str]:
        ends, taken = Ends(), Taken()
        observation = Observation(Sensor("coap://s/t"), taken.deliver, taken.lines.append)
        monkeypatch.setattr(observation, "_listen", lambda: asyncio.sleep(0))
        task = asyncio.create_task(observation.run(ends))  # type: ignore[arg-type]
        while ends.__dict__.get("asked", 0) < 200:
            await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return taken.lines

    assert 2 <= len(asyncio.run(run())) <= 12


def test_a_refused_message_is_cut_to_what_is_kept() -> None:
    """4 KiB, however its bytes are written, and however long a message was that came again."""
    for data in (b"x" * 60_000, b"\xff" * 60_000, b"\0" * 60_000, "é".encode() * 30_000):
        one = refusal(Message("s", data), "not JSON", "")
        assert len(one.message.encode()) <= 4096
    assert one.message == "é" * 2048


@pytest.mark.parametrize("name", ALL)
def test_a_message_that_comes_again_is_cut_as_well(name: str, tmp_path: Path) -> None:
    """Its sensor may send 64 KiB, in blocks, as often as it likes."""
    place = place_in(name, tmp_path)
    store = place.make()
    long = reading(1)
    long.payload["x"] = "é" * 30_000
    assert store.commit([long, long]) == [True, False]
    store.close()
    (message,) = messages(name, place.where)
    assert 4000 < len(message.encode()) <= 4096


def refusals(sensor: int, first: int, count: int) -> list[Reading | Refusal]:
    """So many of a sensor, with a number each, of 2 KiB."""
    uri = f"coap://sensor{sensor}/t"
    return [
        Refusal(uri, "not JSON", f"{sensor} {n}", f"{sensor}:{n}:" + "x" * 2000)
        for n in range(first, first + count)
    ]


@pytest.mark.parametrize("name", ALL)
def test_each_sensor_has_a_share_for_what_is_refused(name: str, tmp_path: Path) -> None:
    """The oldest go, in this run and in the next, and nobody else's do."""
    share = 100_000
    place = place_in(name, tmp_path)
    store = place.make(Limits(refused_bytes=share))
    store.commit([*refusals(2, 0, 10), reading(1)])
    for n in range(0, 300, 10):
        store.commit(refusals(1, n, 10))
    store.close()
    store = place.make(Limits(refused_bytes=share))
    for n in range(300, 600, 10):
        store.commit([*refusals(1, n, 10), reading(n)])
    store.close()
    numbers: dict[str, list[int]] = {"1": [], "2": []}
    for message in messages(name, place.where):
        numbers[message.split(":")[0]].append(int(message.split(":")[1]))
    assert numbers["2"] == list(range(10))
    assert numbers["1"] == list(range(600 - len(numbers["1"]), 600)), "the newest, in their order"
    assert share / 3 < 2000 * len(numbers["1"]) <= share


@contextmanager
def store_on(disk: Path, name: str) -> Iterator[Make]:
    """What opens a store whose tables or files are on this disk."""
    if name != "postgres":
        yield partial(STORES[name], disk / "kept")
        return
    (disk / "table").mkdir()
    os.chown(disk / "table", pwd.getpwnam("postgres").pw_uid, -1)
    with pg_cluster.connect(server_url()) as base:
        base.execute("DROP SCHEMA IF EXISTS small CASCADE")
        base.execute("DROP TABLESPACE IF EXISTS small")
        base.execute(f"CREATE TABLESPACE small LOCATION '{disk / 'table'}'")
        base.execute("CREATE SCHEMA small")
    url = f"{server_url()}&options=-csearch_path%3Dsmall%20-cdefault_tablespace%3Dsmall"
    try:
        yield partial(PostgresStore, url)
    finally:
        with pg_cluster.connect(server_url()) as base:
            base.execute("DROP SCHEMA small CASCADE")
            base.execute("DROP TABLESPACE small")


@pytest.mark.ci
@pytest.mark.parametrize("name", ALL)
def test_what_is_refused_leaves_room_for_readings(name: str) -> None:
    """A disk of 20 MB, and 60 sensors that send 72 MB of rubbish: each reading of an honest one is
    kept, in this run and the next, and replays of it are known.
    """
    with small_disk() as disk, store_on(disk, name) as make:
        store, number = make(), 0
        for turn in range(300):
            batch = [one for n in range(3) for one in refusals(turn * 3 % 60 + n, turn * 40, 40)]
            batch[50:50] = [reading(number + n) for n in range(5)]
            new = store.commit(batch)
            assert all(new)
            number += 5
            if turn == 150:
                store.close()
                store = make()
        assert store.commit([reading(n) for n in range(number)]) == [False] * number
        store.close()
        store = make()
        assert store.commit([reading(number)]) == [True]
        store.close()


@pytest.mark.ci
@pytest.mark.parametrize("name", ALL)
def test_a_full_disk_waits_for_room(name: str) -> None:
    """Readings fill it: what is refused goes first, then nothing more is taken, what was reported
    stays, and the same store goes on as soon as there is room.
    """
    with small_disk() as disk, store_on(disk, name) as make:
        store, number = make(), 0
        for sensor in range(30):
            store.commit([*refusals(sensor, 0, 40)])
        with pytest.raises(FullError, match="cannot keep readings in"):  # one line for its user
            while number < 10_000:
                assert all(store.commit(long_readings(number, 50)))
                number += 50
        assert number >= 800, "readings had 13 of the 20 MB, and SQLite's log 4"
        for _ in range(3):
            with pytest.raises(FullError):
                store.commit(long_readings(number, 500))
        assert store.commit(long_readings(0, 50)) == [False] * 50, (
            "kept already: acknowledged again"
        )
        subprocess.run(["mount", "-o", "remount,size=22m", str(disk)], check=True)
        assert all(store.commit(long_readings(number, 9))), "little room is enough for a few"
        subprocess.run(["mount", "-o", "remount,size=80m", str(disk)], check=True)
        assert all(store.commit(long_readings(number + 9, 500)))
        store.close()
        store = make()
        for first in range(0, number, 500):
            assert not any(store.commit(long_readings(first, min(500, number - first))))
        store.close()
        if name == "sqlite":
            with closing(sqlite3.connect(disk / "kept")) as base:
                assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def long_readings(first: int, count: int) -> list[Reading | Refusal]:
    """Of 16 KiB each, which no database makes shorter."""
    batch: list[Reading | Refusal] = []
    for n in range(first, first + count):
        one = reading(n)
        one.payload["x"] = random.Random(n).randbytes(8000).hex()
        batch.append(one)
    return batch
