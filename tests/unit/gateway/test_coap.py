"""Observing: real servers, blocks, late acknowledgements, and datagrams of all kinds."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiocoap
import pytest
from aiocoap import resource

from ecfit.errors import UsageError
from ecfit_lab.gateway import coap, datagram
from ecfit_lab.gateway.coap import Endpoint, Endpoints, Observation, Sensor
from tools.rigs import sensor_fleet as sf


@pytest.mark.parametrize(
    ("text", "uri", "bound"),
    [
        ("coap://10.0.0.1/t", "coap://10.0.0.1/t", None),
        ("attic=coap://[::1]:5683/t?x=1", "coap://[::1]:5683/t?x=1", "attic"),
        ("coap://s/t?a=coap://b", "coap://s/t?a=coap://b", None),
    ],
)
def test_a_sensor_is_named(text: str, uri: str, bound: str | None) -> None:
    assert coap.sensor(text) == Sensor(uri, bound)


@pytest.mark.parametrize(
    "text", ["", "http://a/b", "coap:///t", "coap://a:0/t", "coap://a:99999/", "=coap://a/t", "a b"]
)
def test_what_is_no_sensor_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"a sensor is coap://HOST\[:PORT\]/PATH"):
        coap.sensor(text)


class Taken:
    """What was delivered; `wait` before it is kept."""

    def __init__(self) -> None:
        self.data: list[bytes] = []
        self.lines: list[str] = []
        self.more = asyncio.Event()
        self.gate: Callable[[bytes], Awaitable[None]] | None = None

    async def deliver(self, _sensor: Sensor, data: bytes, _form: int | None) -> None:
        if self.gate:
            await self.gate(data)
        self.data.append(data)
        self.more.set()

    async def until(self, count: int) -> None:
        """So many have been delivered."""
        async with asyncio.timeout(15):
            while len(self.data) < count:
                self.more.clear()
                await self.more.wait()


async def observed(uri: str, taken: Taken, count: int) -> None:
    """Observes until so many have been delivered."""
    endpoints = Endpoints()
    task = asyncio.create_task(
        Observation(Sensor(uri), taken.deliver, taken.lines.append).run(endpoints)
    )
    try:
        await taken.until(count)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        endpoints.close()


class Temperature(resource.ObservableResource):  # type: ignore[misc]
    """A resource of aiocoap, longer than a block of 1024 bytes, or not."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.value = size, 0

    def text(self) -> bytes:
        return f"{self.value};".encode() * self.size

    async def render_get(self, _request: Any) -> Any:
        return aiocoap.Message(payload=self.text())


@pytest.mark.parametrize("size", [3, 2000])
def test_an_aiocoap_server(size: int) -> None:
    """Its answer to the registration, then each change; 2000: in blocks."""

    async def run() -> None:
        site, temperature, taken = resource.Site(), Temperature(size), Taken()
        site.add_resource(["temperature"], temperature)
        bind = ("127.0.0.1", 56_830 + size % 7)
        server = await aiocoap.Context.create_server_context(site, bind=bind)

        async def changes() -> None:
            for count in range(1, 5):
                await taken.until(count)
                temperature.value = count
                temperature.updated_state()

        changing = asyncio.create_task(changes())
        try:
            await observed(f"coap://127.0.0.1:{bind[1]}/temperature", taken, 5)
        finally:
            await changing
            await server.shutdown()
        assert taken.data == [f"{n};".encode() * size for n in range(5)]
        assert taken.lines == []

    asyncio.run(run())


def told(count: int) -> list[sf.Told]:
    return [sf.Told("good", f'{{"n":{n},"x":"{"y" * 200}"}}'.encode(), n) for n in range(count)]


async def opened(sensor: sf.Sensor) -> str:
    await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: sensor, local_addr=("127.0.0.1", 0)
    )
    return f"coap://127.0.0.1:{sensor.port}/temperature"


@pytest.mark.parametrize("blocks", [False, True])
def test_nothing_is_acknowledged_before_it_is_kept(
    blocks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sent again meanwhile is not taken twice; what fails is never acknowledged."""
    monkeypatch.setattr(sf, "TIMEOUT", 0.05)

    async def run() -> None:
        taken, done = Taken(), list[sf.Told]()
        sensor = sf.Sensor(told(3), blocks=blocks, acknowledged=done.append)

        async def gate(data: bytes) -> None:
            await asyncio.sleep(0.2)
            assert len(done) == len(taken.data)  # of this one, nothing yet
            if b'"n":2' in data:
                raise OSError("the disk is gone")

        taken.gate = gate
        uri = await opened(sensor)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2):
                await observed(uri, taken, 3)
        assert taken.data == [one.data for one in told(2)]
        assert done == told(2)
        assert sensor.sent > 3

    asyncio.run(run())


def test_a_sensor_that_is_not_there_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked until it answers, and that is said once."""
    monkeypatch.setattr(coap, "ACK_TIMEOUT", 0.02)
    monkeypatch.setattr(coap, "FIRST_PAUSE", 0.05)

    async def run() -> None:
        taken, sensor = Taken(), sf.Sensor(told(2), blocks=False, acknowledged=lambda _: None)
        uri = await opened(sensor)
        port = sensor.port
        sensor._transport.close()

        async def later() -> None:
            await asyncio.sleep(1.5)
            await asyncio.get_running_loop().create_datagram_endpoint(
                lambda: sensor, local_addr=("127.0.0.1", port)
            )

        coming = asyncio.create_task(later())
        await observed(uri, taken, 2)
        await coming
        assert taken.lines == [f"{uri}: no answer: trying again", f"{uri}: answers again"]

    asyncio.run(run())


def test_a_resource_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coap, "FIRST_PAUSE", 0.05)

    async def run() -> None:
        taken = Taken()
        bind = ("127.0.0.1", 56_840)
        server = await aiocoap.Context.create_server_context(resource.Site(), bind=bind)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.7):
                await observed("coap://127.0.0.1:56840/none", taken, 1)
        await server.shutdown()
        assert taken.lines == ["coap://127.0.0.1:56840/none: answers 4.04: trying again"]

    asyncio.run(run())


class Wire:
    """A transport that counts what is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def sendto(self, data: bytes, _where: object) -> None:
        self.sent.append(data)


def test_any_datagram_is_survived() -> None:
    """Random ones, and damaged answers of an observation; a request gets a reset."""
    rng = random.Random(1)
    wire = Wire()
    endpoint = Endpoint(wire.sendto)
    good = aiocoap.Message(
        _mtype=0, _mid=7, _token=b"t", code=69, payload=b"x" * 64, observe=3, max_age=9
    )
    good.opt.block2 = (0, True, 2)
    whole = good.encode()
    for n in range(20_000):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.getrandbits(8)
        sample = rng.randbytes(rng.randrange(40)) if n % 3 == 0 else bytes(data)
        endpoint.datagram_received(sample[: rng.randrange(1, 80)], ("127.0.0.1", 1))
    endpoint = Endpoint(wire.sendto)  # the budget of resets is used up
    endpoint.datagram_received(b"\x40\x01\x12\x34", ("127.0.0.1", 1))
    assert wire.sent[-1] == b"\x70\x00\x12\x34"
    endpoint.datagram_received(whole, ("127.0.0.1", 1))  # an observation that we do not have
    assert wire.sent[-1] == b"\x70\x00\x00\x07"


def answer(kind: int, mid: int, token: bytes, option: int) -> bytes:
    """A 2.05 with a reading and one option beside Observe."""
    asked = datagram.request(mid, token, [(datagram.OBSERVE, b"\1"), (option, b"x")])
    return bytes((asked[0] & 0xCF | kind << 4, datagram.CONTENT)) + asked[2:] + b"\xff{}"


def reset(mid: int) -> bytes:
    return datagram.empty(datagram.RST, mid)


@pytest.mark.parametrize(
    ("option", "kind", "taken"),
    [
        (2052, datagram.CON, True),
        (2052, datagram.ACK, True),
        (2053, datagram.CON, False),
        (2053, 1, False),
        (2053, datagram.ACK, False),
    ],
)
def test_a_response_with_an_unknown_option(option: int, kind: int, taken: bool) -> None:
    """An elective one is ignored. A response with a critical one is rejected, and a confirmable one
    gets a reset (RFC 7252, 5.4.1).
    """

    async def run() -> None:
        wire = Wire()
        endpoint, where = Endpoint(wire.sendto), ("127.0.0.1", 1)
        asking = asyncio.create_task(endpoint.ask(where, b"t", []))
        await asyncio.sleep(0)
        mid = int.from_bytes(wire.sent[0][2:4], "big")
        endpoint.datagram_received(answer(kind, mid, b"t", option), where)
        if taken:
            assert (await asking).payload == b"{}"
        else:
            with pytest.raises(coap.NoAnswerError, match="option 2053, which must be understood"):
                await asking
        resets = [reset(mid)] if kind == datagram.CON and not taken else []
        assert [data for data in wire.sent if data[0] == reset(mid)[0]] == resets

    asyncio.run(run())


@pytest.mark.parametrize("option", [2052, 2053])
def test_a_notification_with_an_unknown_option(option: int) -> None:
    """The same of a notification: one line says why it is not taken."""

    async def run() -> None:
        wire, taken = Wire(), Taken()
        endpoint, where = Endpoint(wire.sendto), ("127.0.0.1", 1)
        observation = Observation(Sensor("coap://s/t"), taken.deliver, taken.lines.append)
        observation._endpoint, observation._where = endpoint, where
        endpoint.observations[where, b"t"] = observation
        for mid in (7, 8):
            endpoint.datagram_received(answer(datagram.CON, mid, b"t", option), where)
        await asyncio.sleep(0.01)
        if option == 2052:
            assert taken.data == [b"{}", b"{}"]
            assert wire.sent == [datagram.empty(datagram.ACK, mid) for mid in (7, 8)]
        else:
            why = "sends option 2053, which must be understood: a message was not taken"
            assert taken.lines == [f"coap://s/t: {why}"]
            assert (taken.data, wire.sent) == ([], [reset(7), reset(8)])

    asyncio.run(run())


def test_messages_of_the_emulated_sensors_are_what_they_say(tmp_path: Path) -> None:
    """The load test counts on it: good ones verify, the others do not."""
    from ecfit_lab.gateway import library
    from ecfit_lab.gateway.keyring import Keyring
    from ecfit_lab.gateway.readings import Message, Reading, examine

    signer, verify = sf.Signer(), library.load()
    (tmp_path / "s.pem").write_bytes(signer.pem())
    keys = Keyring(tmp_path, verify.takes)
    keys.reload()
    for one in sf.messages(random.Random(1), signer, 400, 0.2):
        found = examine(Message("s", one.data), keys, verify, "measurement_id")
        assert isinstance(found, Reading) == (one.kind in ("good", "replayed")), one
        if isinstance(found, Reading):
            assert found.measurement == str(one.measurement)
