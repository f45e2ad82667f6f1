"""What one sensor sends stays with that sensor: the others lose nothing, the gateway goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiocoap
import pytest

from ecfit.errors import UsageError
from ecfit_lab.gateway import coap, library
from ecfit_lab.gateway.coap import Sensor
from ecfit_lab.gateway.gateway import Gateway
from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.gateway.stores import SqliteStore
from tools.rigs import sensor_fleet as sf

Answer = Callable[[Any], list[bytes]]
KEYS = 3
MESSAGES = 12
MAX_AGE, BLOCK2 = 14, 23  # numbers of options


class Hostile(asyncio.DatagramProtocol):
    """Answers every request with the datagrams that `answer` makes."""

    def __init__(self, answer: Answer) -> None:
        self.answer, self.asked = answer, 0
        self.transport: Any = None

    def itself(self) -> Hostile:
        return self

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        request = aiocoap.Message.decode(data)
        if int(request.code) == 1:
            self.asked += 1
            for number, one in enumerate(self.answer(request)):
                later = asyncio.get_running_loop().call_later
                later(0.005 * number, self.transport.sendto, one, addr)


def option(number: int, value: bytes = b"") -> bytes:
    """The first option of a message, 13 to 268, with a value of any length up to 268."""
    size = len(value)
    long = [size - 13] if size >= 13 else []
    return bytes([0xD0 | min(size, 13), number - 13, *long]) + value


def response(request: Any, options: bytes = b"", payload: bytes = b"{}", kind: int = 2) -> bytes:
    """2.05 with options by hand."""
    token = bytes(request.token)
    head: bytes = (
        bytes([0x40 | kind << 4 | len(token), 0x45]) + request.mid.to_bytes(2, "big") + token
    )
    return head + options + b"\xff" + payload


def long_max_age(request: Any) -> list[bytes]:
    return [response(request, option(MAX_AGE, b"\xff" * 200))]


def no_text(request: Any) -> list[bytes]:
    """Refused for a member that no store can write down."""
    return [response(request, payload=b'{"\\ud800":1,"\\ud800":2,"\\u0000":3}')]


def empty_blocks(request: Any) -> list[bytes]:
    """Blocks without an end and without a byte."""
    token = bytes(request.token)
    head = bytes([0x60 | len(token), 0x45]) + request.mid.to_bytes(2, "big") + token
    return [head + option(BLOCK2, b"\x0a")]


def ended(request: Any) -> list[bytes]:
    """A reading, and at once the end of the observation."""
    token = bytes(request.token)
    last = bytes([0x50 | len(token), 0x84, 7, 7]) + token
    return [response(request), last]


HOSTILE = {one.__name__: one for one in (long_max_age, no_text, empty_blocks, ended)}


class Run:
    """Honest sensors and hostile ones at one gateway; `wrong` collects what nobody contained."""

    def __init__(self, folder: Path, answers: list[Answer]) -> None:
        self.folder, self.lines, self.wrong = folder, list[str](), list[str]()
        self.hostile = [Hostile(answer) for answer in answers]
        self.more: list[Sensor] = []
        self.after = 0.0

    async def __call__(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self.wrong.append(str(context)))
        fleet = sf.Fleet(1, KEYS, KEYS * MESSAGES, share=0, keys=self.folder / "keys", pace=0.03)
        sensors = [coap.sensor(line) for line in await fleet.open()]
        for one in self.hostile:
            await loop.create_datagram_endpoint(one.itself, local_addr=("127.0.0.1", 0))
            port = one.transport.get_extra_info("sockname")[1]
            sensors.append(Sensor(f"coap://127.0.0.1:{port}/t", "sensor0"))
        store = SqliteStore(self.folder / "kept.db")
        verify = library.load()
        keys = Keyring(self.folder / "keys", verify.takes)
        gateway = Gateway(
            keys, store, verify, id_member="measurement_id", threads=1, say=self.lines.append
        )
        gateway.load_keys()
        gateway.observe([*sensors[KEYS:], *self.more])
        running = asyncio.create_task(gateway.run())
        await asyncio.sleep(0.1)
        gateway.observe([*sensors, *self.more])
        try:
            done = asyncio.create_task(fleet.done.wait())
            await asyncio.wait([running, done], timeout=10, return_when=asyncio.FIRST_COMPLETED)
            assert not running.done(), running.exception()
            assert fleet.done.is_set()
            await asyncio.sleep(self.after)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            store.close()
        assert gateway.accepted == KEYS * MESSAGES
        assert self.wrong == []


@pytest.mark.parametrize("name", HOSTILE)
def test_the_others_lose_nothing(name: str, tmp_path: Path) -> None:
    run = Run(tmp_path, [HOSTILE[name]])
    asyncio.run(run())
    assert 1 <= run.hostile[0].asked < 6, "asked in a loop"
    assert all("\n" not in line for line in run.lines)


def test_a_sensor_without_an_address(tmp_path: Path) -> None:
    """A name that no resolver takes, and one that only a database could have handed over."""
    run = Run(tmp_path, [])
    run.more = [Sensor(f"coap://{'a' * 70}.invalid/t"), Sensor("coap://[/t")]
    asyncio.run(run())
    assert len(run.lines) == 3


def test_max_age_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sensor says 2^32 - 1 seconds and falls silent: it is asked again after the cap."""
    monkeypatch.setattr(coap, "LONGEST_AGE", 0.1)
    monkeypatch.setattr(coap, "SLACK", 0.1)
    monkeypatch.setattr(coap, "FIRST_PAUSE", 0.05)
    run = Run(tmp_path, [lambda request: [response(request, option(MAX_AGE, b"\xff" * 4))]])
    run.after = 0.5
    asyncio.run(run())
    assert run.hostile[0].asked > 2


@pytest.mark.parametrize(
    "text", ["coap://127.0.0.1/\udcff", "coap://127.0.0.1/\0", "\udcff=coap://a/"]
)
def test_a_sensor_that_no_store_can_name(text: str) -> None:
    with pytest.raises(UsageError, match="a sensor is coap"):
        coap.sensor(text)


def test_a_key_that_no_store_can_name(tmp_path: Path) -> None:
    (tmp_path / "a\udcff.pem").write_bytes(sf.Signer().pem())
    (tmp_path / "b.pem").write_bytes(sf.Signer().pem())
    keys = Keyring(tmp_path, lambda _: True)
    assert len(keys.reload() or ()) == 1
    assert list(keys.keys) == ["b"]
