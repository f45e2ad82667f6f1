"""Emulated sensors for the gateway's tests: CoAP servers that are observed, light enough for many.

Each has messages to tell, one after the other: a notification is confirmable, is sent again until
it is acknowledged, and the next one follows then. Some of the messages are forged, replayed or
malformed. A sensor that is not acknowledged drops its observer and waits for another.
"""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from aiocoap import Message
from aiocoap.numbers.codes import CONTENT, EMPTY
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from ecfit_lab.message import jss
from ecfit_lab.message.algorithms import Algorithm, Key

CON, NON, ACK, RST = 0, 1, 2, 3
TIMEOUT, SENDINGS = 0.4, 4  # seconds until it is sent again, twice as long each time
BLOCK = 2  # 64 bytes
KINDS = ("good", "forged", "replayed", "malformed")


class Told(NamedTuple):
    """A message, what it is, and its measurement id."""

    kind: str
    data: bytes
    measurement: int


def free_port() -> int:
    """A UDP port that nobody has now, for servers that do not say which one they took."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def signer_of(key: Any, algorithm: Algorithm) -> Callable[[bytes], bytes]:
    """Signs as an algorithm says, with a private key of `cryptography`."""
    if algorithm.hash is None:
        return key.sign  # type: ignore[no-any-return]
    hashed, half = getattr(hashes, algorithm.hash)(), algorithm.signature_bytes // 2

    def sign(data: bytes) -> bytes:
        pair = decode_dss_signature(key.sign(data, ec.ECDSA(hashed)))
        return b"".join(part.to_bytes(half, "big") for part in pair)

    return sign


class Signer:
    """A key pair of P-256."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self._sign = signer_of(self.key, Key("secp256r1", b"").algorithm)

    def __call__(self, data: bytes) -> bytes:
        return self._sign(data)

    def pem(self) -> bytes:
        """The public key."""
        form = s.PublicFormat.SubjectPublicKeyInfo
        return self.key.public_key().public_bytes(s.Encoding.PEM, form)


def messages(rng: random.Random, signer: Signer, count: int, share: float) -> list[Told]:
    """So many, of each wrong kind that share."""
    other, told, good = Signer(), list[Told](), list[Told]()
    for n in range(count):
        kind = rng.choices(KINDS, (1 - 3 * share, share, share, share))[0]
        if kind == "replayed" and not good:
            kind = "good"
        payload = {"chip_temp": rng.randrange(15_000, 30_000), "measurement_id": n}
        if kind == "good":
            good.append(Told(kind, jss.write(payload, "ES256", signer), n))
            told.append(good[-1])
        elif kind == "forged":
            told.append(Told(kind, forged(rng, payload, signer, other), n))
        elif kind == "replayed":
            told.append(Told(kind, *rng.choice(good)[1:]))
        else:
            told.append(Told(kind, malformed(rng, jss.write(payload, "ES256", signer)), n))
    return told


def forged(rng: random.Random, payload: dict[str, Any], signer: Signer, other: Signer) -> bytes:
    """Signed by somebody else, changed after it was signed, or with a signature that is made up."""
    kind = rng.randrange(3)
    if kind == 0:
        return jss.write(payload, "ES256", other)
    if kind == 1:
        changed = {**payload, "chip_temp": -1}
        signature = jss.parse(jss.write(payload, "ES256", signer)).signature
        return jss.write(changed, "ES256", lambda _: signature)
    return jss.write(payload, "ES256", lambda _: rng.randbytes(64))


def malformed(rng: random.Random, data: bytes) -> bytes:
    """No message at all, or nearly one."""
    return rng.choice(
        (
            data[: rng.randrange(len(data))],
            rng.randbytes(rng.randrange(1, 100)),
            data.replace(b'"ES256"', b'"HS256"'),
            data.replace(b'"ES256"', b'"none"'),
            data.replace(b"{", b'{"measurement_id":1,', 1),
            data.replace(b'"measurement_id"', b'"id"'),
            data[:-2] + b'="}',
            b"[" * 2000,
            b"",
        )
    )


class Sensor(asyncio.DatagramProtocol):
    """One of them; `acknowledged` is told of each message that the gateway has taken."""

    def __init__(
        self,
        told: list[Told],
        *,
        blocks: bool,
        acknowledged: Callable[[Told], None],
        pace: float = 0.0,
    ) -> None:
        self.pace = pace
        self.told, self.blocks, self._acknowledged = told, blocks, acknowledged
        self.at = self.sent = 0
        self.keeps_last = False  # to itself, for now
        self._observer: tuple[Any, bytes] | None = None
        self._mid = random.randrange(65536)
        self._waits = False  # for an acknowledgement
        self._timer: asyncio.TimerHandle | None = None
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._transport.get_extra_info("sockname")[1])

    def datagram_received(self, data: bytes, addr: Any) -> None:
        message = Message.decode(data)
        if message.mtype == ACK and message.mid == self._mid and self._waits:
            self._stop()
            self._waits = False
            self._acknowledged(self.told[self.at])
            self.at += 1
            self._timer = asyncio.get_running_loop().call_later(self.pace, self._tell)
        elif message.mtype == RST and message.mid == self._mid:
            self._stop()
            self._observer = None
        elif message.code == 1:
            self._asked(message, addr)

    def _asked(self, message: Message, addr: Any) -> None:
        block = message.opt.block2
        if message.opt.observe == 0:  # an observer that comes again, or a new one: the last counts
            self._send(Message(_mtype=ACK, _mid=message.mid, code=EMPTY), addr)
            self._stop()
            self._waits = False
            self._observer = addr, message.token
            self._tell()
        elif block is not None and self.at < len(self.told):
            answer = self._content(block.block_number)
            answer.mtype, answer.mid, answer.token = ACK, message.mid, message.token
            self._send(answer, addr)

    def _content(self, number: int) -> Message:
        data = self.told[self.at].data
        answer = Message(code=CONTENT, payload=data)
        answer.opt.etag = self.at.to_bytes(4, "big")
        if self.blocks and len(data) > 64:
            answer.payload = data[64 * number : 64 * number + 64]
            answer.opt.block2 = (number, 64 * number + 64 < len(data), BLOCK)
        return answer

    def _tell(self) -> None:
        """The next message, to whom it may concern."""
        if self._observer is None or self.at >= len(self.told):
            return
        if self.keeps_last and self.at == len(self.told) - 1:
            self._timer = asyncio.get_running_loop().call_later(0.02, self._tell)
            return
        self._mid = (self._mid + 1) % 65536
        addr, token = self._observer
        message = self._content(0)
        message.mtype, message.mid, message.token = CON, self._mid, token
        message.opt.observe, message.opt.max_age = self.at, 20
        self._waits = True
        self._send_until(message, addr, TIMEOUT, SENDINGS)

    def _send_until(self, message: Message, addr: Any, timeout: float, left: int) -> None:
        if left == 0:
            self._observer, self._waits = None, False
            return
        self._send(message, addr)
        self.sent += 1
        self._timer = asyncio.get_running_loop().call_later(
            timeout, self._send_until, message, addr, 2 * timeout, left - 1
        )

    def _send(self, message: Message, addr: Any) -> None:
        self._transport.sendto(message.encode(), addr)

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()


def _itself(sensor: Sensor) -> Sensor:
    return sensor


class Fleet:
    """So many sensors on this machine, with their keys in a folder; `done` when all is told."""

    def __init__(
        self, seed: int, sensors: int, count: int, *, share: float, keys: Path, pace: float
    ) -> None:
        rng = random.Random(seed)
        self.first = 0.0  # when the first message was acknowledged
        self.acknowledged: list[tuple[int, Told]] = []
        self.done = asyncio.Event()
        self.sensors: list[Sensor] = []
        self.total = count
        keys.mkdir(parents=True, exist_ok=True)
        for n in range(sensors):
            signer = Signer()
            (keys / f"sensor{n}.pem").write_bytes(signer.pem())
            own = count // sensors + (n < count % sensors)
            told = messages(rng, signer, own, share)
            self.sensors.append(
                Sensor(told, blocks=n % 4 == 0, acknowledged=partial(self._taken, n), pace=pace)
            )

    def _taken(self, n: int, told: Told) -> None:
        self.first = self.first or time.monotonic()
        self.acknowledged.append((n, told))
        if len(self.acknowledged) == self.total:
            self.done.set()

    async def open(self) -> list[str]:
        """Opens the sockets: what to hand to the gateway."""
        loop = asyncio.get_running_loop()
        for one in self.sensors:
            await loop.create_datagram_endpoint(partial(_itself, one), local_addr=("127.0.0.1", 0))
        return [
            f"sensor{n}=coap://127.0.0.1:{one.port}/temperature"
            for n, one in enumerate(self.sensors)
        ]

    def good(self) -> set[tuple[str, str]]:
        """Sensor and measurement id of all that must be accepted, and nothing else."""
        return {
            (f"sensor{n}", str(told.measurement))
            for n, one in enumerate(self.sensors)
            for told in one.told
            if told.kind == "good"
        }
