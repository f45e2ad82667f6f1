"""Observing: real servers, blocks, late acknowledgements, and datagrams of all kinds."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
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


@pytest.mark.parametrize(
    ("uri", "options"),
    [
        ("coap://10.0.0.1/t", [(11, b"t")]),
        ("coap://[fe80::1%25eth0]", []),
        ("coap://10.0.0.1/", []),
        ("coap://Attic.Example/t", [(3, b"attic.example"), (11, b"t")]),
        ("coap://[::1]/a%2Fb/c", [(11, b"a/b"), (11, b"c")]),
        ("coap://[::1]/a//b/", [(11, b"a"), (11, b""), (11, b"b"), (11, b"")]),
        ("coap://[::1]/t?a=b%26c&&d", [(11, b"t"), (15, b"a=b&c"), (15, b""), (15, b"d")]),
        ("coap://[::1]/%C3%A4", [(11, "ä".encode())]),
    ],
)
def test_a_uri_is_split_before_it_is_decoded(uri: str, options: list[tuple[int, bytes]]) -> None:
    """RFC 7252, 6.4, steps 5, 8 and 9."""
    assert coap.uri_options(uri) == options


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("coap://10.0.0.1/t#x", "no fragment"),
        ("coap://10.0.0.1/a/../b", r"'\.\.' is no part of a URI for CoAP"),
        ("coap://10.0.0.1/%2e", r"'\.' is no part"),
        ("coap://10.0.0.1/" + 256 * "a", "is no part"),
    ],
)
def test_what_no_option_holds_is_refused(text: str, line: str) -> None:
    """RFC 7252, 6.4, step 3, and 5.10.1."""
    with pytest.raises(UsageError, match=line):
        coap.sensor(text)


@pytest.mark.parametrize("mark", ["%25", "%"])
def test_the_interface_of_an_address_is_kept(mark: str) -> None:
    """Two sensors of one address on two links are two (RFC 4007, 6)."""
    assert coap.host_of(f"coap://[fe80::1{mark}Wpan0]:61616/t") == "fe80::1%Wpan0"
    assert coap.host_of("coap://[fe80::1%25]/t") == "fe80::1%25"
    assert coap.host_of("coap://attic%25/t") == "attic%25"
    coap.sensor(f"coap://[fe80::1{mark}eth0]/t")
    with pytest.raises(UsageError, match=r"by one interface alone: name it, as \[fe80::1%25eth0\]"):
        coap.sensor("attic=coap://[FE80::1]/t")

    async def found() -> tuple[object, ...]:
        endpoints = coap.Endpoints()
        where = (await endpoints.find("fe80::1%lo", 5683))[1]
        endpoints.close()
        return where

    assert asyncio.run(found()) == ("fe80::1", 5683, 0, socket.if_nametoindex("lo"))


def test_a_sensor_on_the_link_answers() -> None:
    """By the link-local address of an interface of this machine; another scope is not it."""
    lines = Path("/proc/net/if_inet6").read_text(encoding="ascii").splitlines()
    links = [line.split() for line in lines if line.startswith("fe80")]
    if not links:
        pytest.skip("no interface of this machine has a link-local address")
    zone = links[0][-1]
    host = str(ip_address(bytes.fromhex(links[0][0])))

    async def asked() -> bytes:
        endpoints = coap.Endpoints()
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sensor:
            sensor.bind((host, 0, 0, socket.if_nametoindex(zone)))
            sensor.settimeout(5)
            endpoint, where = await endpoints.find(f"{host}%{zone}", sensor.getsockname()[1])
            answer = asyncio.ensure_future(endpoint.ask(where, b"t", []))
            data, back = await asyncio.to_thread(sensor.recvfrom, 100)
            sensor.sendto(response(datagram.ACK, data[2] << 8 | data[3], b"t"), back)
            payload = (await answer).payload
        endpoints.close()
        return payload

    assert asyncio.run(asked()) == b"{}"


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
        bind = ("127.0.0.1", sf.free_port())
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
        bind = ("127.0.0.1", sf.free_port())
        uri = f"coap://127.0.0.1:{bind[1]}/none"
        server = await aiocoap.Context.create_server_context(resource.Site(), bind=bind)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.7):
                await observed(uri, taken, 1)
        await server.shutdown()
        assert taken.lines == [f"{uri}: answers 4.04: trying again"]

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
            with pytest.raises(coap.NoAnswerError, match="option 2053, which is not understood"):
                await asking
        resets = [reset(mid)] if kind == datagram.CON and not taken else []
        assert [data for data in wire.sent if data[0] == reset(mid)[0]] == resets

    asyncio.run(run())


def response(kind: int, mid: int, token: bytes, code: int = datagram.CONTENT) -> bytes:
    """A response with a reading."""
    head = bytes((0x40 | kind << 4 | len(token), code)) + mid.to_bytes(2, "big")
    return head + token + b"\xff{}"


def observing(endpoint: Endpoint, where: coap.Address, taken: Taken) -> Observation:
    """An observation with the token "t" that has been registered."""
    observation = Observation(Sensor("coap://s/t"), taken.deliver, taken.lines.append)
    observation._endpoint, observation._where = endpoint, where
    endpoint.observations[where, b"t"] = observation
    return observation


REJECTED = [
    ("a ping", datagram.empty(datagram.CON, 7), True),
    ("a request", response(datagram.CON, 7, b"t", datagram.GET), True),
    ("a code of class 1", response(datagram.CON, 7, b"t", 0x21), True),
    ("a code of class 7", response(datagram.CON, 7, b"t", 0xE5), True),
    ("a token of 9 bytes", b"\x49\x45\0\7" + bytes(9), True),
    ("a payload of no bytes", b"\x40\x45\0\7\xff", True),
    ("an empty message with a byte more", b"\x40\0\0\7x", True),
    ("the same, not confirmable", b"\x50\0\0\7x", False),
    ("a code of class 7, not confirmable", response(1, 7, b"t", 0xE5), False),
    ("an acknowledgement of nothing", datagram.empty(datagram.ACK, 7), False),
    ("a reset of nothing", datagram.empty(datagram.RST, 7), False),
    ("another version", b"\x80\0\0\7", False),
]


@pytest.mark.parametrize("number", range(len(REJECTED)))
def test_what_is_rejected_with_a_reset(number: int) -> None:
    """Confirmable messages that cannot be processed, and no others (RFC 7252, 4.2, 4.3). The
    observation with their token hears nothing of them.
    """

    async def run() -> None:
        why, data, rejected = REJECTED[number]
        wire, taken = Wire(), Taken()
        endpoint, where = Endpoint(wire.sendto), ("127.0.0.1", 1)
        observation = observing(endpoint, where, taken)
        endpoint.datagram_received(data, where)
        await asyncio.sleep(0.01)
        assert wire.sent == ([reset(7)] if rejected else []), why
        assert taken.data == []
        assert not observation._fresh_until

    asyncio.run(run())


def test_an_acknowledgement_is_that_of_its_message() -> None:
    """Message ID and token both match, or it says nothing (RFC 7252, 5.3.2)."""

    async def run() -> None:
        wire = Wire()
        endpoint, where = Endpoint(wire.sendto), ("127.0.0.1", 1)
        asking = asyncio.create_task(endpoint.ask(where, b"t", []))
        await asyncio.sleep(0)
        mid = int.from_bytes(wire.sent[0][2:4], "big")
        for data in (
            response(datagram.ACK, mid ^ 1, b"t"),
            response(datagram.ACK, mid, b"u"),
            response(datagram.RST, mid, b"t"),
            response(datagram.ACK, mid, b"t", datagram.GET),
        ):
            endpoint.datagram_received(data, where)
            await asyncio.sleep(0)
            assert not asking.done(), data.hex()
        endpoint.datagram_received(response(datagram.ACK, mid, b"t"), where)
        assert (await asking).payload == b"{}"

    asyncio.run(run())


def test_each_copy_of_a_separate_response_is_acknowledged() -> None:
    """Its acknowledgement may have been lost (RFC 7252, 4.5); another's is unknown here."""

    async def run() -> None:
        wire = Wire()
        endpoint, where = Endpoint(wire.sendto), ("127.0.0.1", 1)
        asking = asyncio.create_task(endpoint.ask(where, b"t", []))
        await asyncio.sleep(0)
        for _ in range(3):
            endpoint.datagram_received(response(datagram.CON, 9, b"t"), where)
            await asyncio.sleep(0)
        await asking
        endpoint.datagram_received(response(datagram.CON, 9, b"u"), where)
        endpoint.datagram_received(response(datagram.CON, 9, b"t"), ("127.0.0.1", 2))
        assert wire.sent[1:] == [datagram.empty(datagram.ACK, 9)] * 3 + [reset(9)] * 2

    asyncio.run(run())


@pytest.mark.parametrize(
    ("sizes", "whole"), [((5, 2), True), ((5, 5), True), ((5, 3, 1), True), ((2, 5), False)]
)
def test_blocks_may_become_smaller(sizes: tuple[int, ...], whole: bool) -> None:
    """On the way, not larger (RFC 7959, 2.4). The last of `sizes` stays."""
    data = bytes(range(256)) * 5

    class Shrinking:
        def __init__(self) -> None:
            self.left = list(sizes)

        def block(self, at: int) -> tuple[list[tuple[int, bytes]], bytes]:
            size = self.left.pop(0) if len(self.left) > 1 else self.left[0]
            part = data[at : at + (16 << size)]
            more = at + len(part) < len(data)
            value = (at >> (size + 4)) << 4 | more << 3 | size
            return [(datagram.BLOCK2, value.to_bytes(3, "big"))], part

    async def run() -> None:
        server, taken = Shrinking(), Taken()
        endpoint: Endpoint
        where = ("127.0.0.1", 1)

        def notification(kind: int, mid: int, token: bytes, at: int) -> bytes:
            options, part = server.block(at)
            asked = datagram.request(mid, token, options)
            return (
                bytes((asked[0] & 0xCF | kind << 4, datagram.CONTENT)) + asked[2:] + b"\xff" + part
            )

        def send(sent: bytes, _where: object) -> None:
            message = datagram.read(sent)
            if message is None or message.code != datagram.GET:
                return
            block = message.block()
            at = 0 if block is None else block.number << (block.size + 4)
            reply = notification(datagram.ACK, message.mid, message.token, at)
            asyncio.get_running_loop().call_soon(endpoint.datagram_received, reply, where)

        endpoint = Endpoint(send)
        observing(endpoint, where, taken)
        endpoint.datagram_received(notification(1, 5, b"t", 0), where)
        async with asyncio.timeout(5):
            while not taken.data and not taken.lines:
                await asyncio.sleep(0.01)
        assert taken.data == ([data] if whole else [])
        assert bool(taken.lines) != whole

    asyncio.run(run())


@pytest.mark.parametrize("option", [2052, 2053])
def test_a_notification_with_an_unknown_option(option: int) -> None:
    """The same of a notification: one line says why it is not taken."""

    async def run() -> None:
        wire, taken = Wire(), Taken()
        endpoint, where = Endpoint(wire.sendto), ("127.0.0.1", 1)
        observing(endpoint, where, taken)
        for mid in (7, 8):
            endpoint.datagram_received(answer(datagram.CON, mid, b"t", option), where)
        await asyncio.sleep(0.01)
        if option == 2052:
            assert taken.data == [b"{}", b"{}"]
            assert wire.sent == [datagram.empty(datagram.ACK, mid) for mid in (7, 8)]
        else:
            why = "sends option 2053, which is not understood: a message was not taken"
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
