#!/usr/bin/env python3
"""Sensors that answer the gateway with whole exchanges of CoAP that are wrong, beside honest ones.

tools/fuzz/fuzz_exchanges.py [SECONDS] [SEED]    fuzzes for that time (default 60); prints one line
                                                 and exits 0, or prints what happened and exits 1

A hostile sensor answers each request, and speaks unasked, with datagrams whose type, code, token,
number, options, blocks and payload are right or wrong, that are cut off, damaged, sent twice, or
sent later in another order. It knows the tokens of the honest sensors, and it has a key of its own,
so that some of what it sends verifies. The honest sensors must lose nothing: each of their readings
is kept once. All datagrams stay on 127.0.0.1, at most RATE a second of each hostile sensor.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from aiocoap import Message as Coap

from ecfit_lab.gateway import coap, library
from ecfit_lab.gateway.budgets import Limits
from ecfit_lab.gateway.gateway import Gateway
from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.gateway.stores import SqliteStore
from ecfit_lab.message import cose, jss
from tools.fuzz.fuzz_gateway import OddEndError, damage
from tools.rigs import sensor_fleet as sf

HONEST, HOSTILE = 4, 4
RATE = 50  # datagrams a second of a hostile sensor
PACE = 0.2  # seconds between two readings of an honest sensor
WAIT = 20.0  # seconds until an acknowledgement, at most
# The waiting times of the gateway, shortened, so that many exchanges have room in a minute.
TIMES = {"ACK_TIMEOUT": 0.2, "SEPARATE": 0.5, "SLACK": 0.3, "FIRST_PAUSE": 0.05,
         "LONGEST_PAUSE": 0.3, "LONGEST_AGE": 2.0}  # fmt: skip
ETAG, OBSERVE, CONTENT_FORMAT, MAX_AGE, BLOCK2, SIZE2 = 4, 6, 12, 14, 23, 28
CODES = (0, 1, 2, 65, 67, 68, 69, 95, 128, 132, 134, 160, 163, 224, 255)


def extended(value: int) -> tuple[int, bytes]:
    """The nibble of an option's delta or length, and what extends it."""
    if value < 13:
        return value, b""
    if value < 269:
        return 13, bytes([value - 13])
    return 14, (value - 269).to_bytes(2, "big")


def datagram(
    head: tuple[int, int, int, bytes], options: list[tuple[int, bytes]], payload: bytes
) -> bytes:
    """A message of CoAP, whatever is in it. `head`: type, code, number and token."""
    kind, code, mid, token = head
    out = bytes([0x40 | kind << 4 | len(token), code]) + mid.to_bytes(2, "big") + token
    before = 0
    for number, value in sorted(options, key=lambda one: one[0]):
        (delta, more), (size, larger) = extended(number - before), extended(len(value))
        out += bytes([delta << 4 | size]) + more + larger + value
        before = number
    return out + (b"\xff" + payload if payload else b"")


def uint(value: int) -> bytes:
    """In as few bytes as it has."""
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


class Hostile(asyncio.DatagramProtocol):
    """One of them."""

    def __init__(self, fuzz: Fuzz, number: int) -> None:
        self.rng = random.Random(fuzz.rng.getrandbits(64))
        self.fuzz, self.signer = fuzz, sf.Signer()
        self.transport: Any = None
        self.gateway: Any = None  # its address, once it has asked
        self.tokens, self.mids = [b""], [0]
        self.later: list[bytes] = []
        self.room = float(RATE)
        self.signed = 0
        self.name = f"hostile{number}"

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.gateway = addr
        message = Coap.decode(data)
        self.fuzz.ends["datagrams of the gateway"] += 1
        if int(message.code) != 1:
            return
        self.fuzz.ends["requests"] += 1
        token = bytes(message.token)
        if message.opt.observe == 0 and token not in self.tokens:
            self.tokens = [*self.tokens[-3:], token]
        block = message.opt.block2
        for _ in range(self.rng.choice((0, 1, 1, 1, 2, 3))):
            self.say(self.made(message.mid, token, block.block_number if block else 0))

    def say(self, data: bytes) -> None:
        """Now, twice, or later in another order; cut off and damaged or not."""
        chance = self.rng.random()
        if chance < 0.15:
            data = damage(self.rng, data[:30]) + data[30:]
        elif chance < 0.2:
            data = data[: self.rng.randrange(len(data) + 1)]
        if self.rng.random() < 0.15:
            self.later.append(data)
            return
        for _ in range(self.rng.choice((1, 1, 1, 1, 2))):
            self.send(data)

    def send(self, data: bytes) -> None:
        if self.gateway is not None and self.room >= 1:
            self.room -= 1
            self.fuzz.ends["hostile datagrams"] += 1
            self.transport.sendto(data, self.gateway)

    def tick(self, seconds: float) -> None:
        """What is said unasked: notifications, and what was held back."""
        self.room = min(RATE, self.room + RATE * seconds)
        self.rng.shuffle(self.later)
        while self.later and self.rng.random() < 0.7:
            self.send(self.later.pop())
        if self.rng.random() < 0.5:
            self.say(self.made(self.rng.randrange(65536), self.tokens[-1], 0))

    def made(self, mid: int, token: bytes, number: int) -> bytes:
        """A response, right in most things."""
        rng = self.rng
        self.mids = [*self.mids[-7:], mid]
        if rng.random() < 0.15:
            mid = rng.choice((*self.mids, rng.randrange(65536)))
        if rng.random() < 0.15:
            known = [*self.tokens, *self.fuzz.tokens(), rng.randbytes(rng.randrange(16)), token[:3]]
            token = rng.choice(known)
        kind = rng.choice((2, 2, 2, 0, 0, 1, 3)) if rng.random() < 0.9 else rng.randrange(4)
        code = 69 if rng.random() < 0.85 else rng.choice(CODES)
        payload, options = self.payload(number)
        if rng.random() < 0.8:
            options.append((OBSERVE, uint(rng.choice((0, 1, 5, 2**24 - 1, rng.getrandbits(24))))))
        options += self.wrong()
        return datagram((kind, code, mid, token[:15]), options, payload)

    def payload(self, number: int) -> tuple[bytes, list[tuple[int, bytes]]]:
        """A message of its own, a replayed one, a damaged one, or none; whole or a block of it."""
        rng = self.rng
        self.signed += 1
        members = {"boot_epoch": rng.randrange(3), "measurement_id": self.signed // 4}
        if rng.random() < 0.5:
            data, form = jss.write(members, "ES256", self.signer), 50
        else:
            data, form = cose.write(members, -7, self.signer), 18
        chance = rng.random()
        if chance < 0.1:
            data = rng.choice(self.fuzz.told)  # of an honest sensor
        elif chance < 0.4:
            data = damage(rng, data)
        elif chance < 0.5:
            data = rng.randbytes(rng.choice((0, 1, 16, 64, 300, 1200)))
        form = rng.choice((form, form, form, form, 42, 0, rng.getrandbits(16)))
        options = [(ETAG, b"\1" * rng.choice((0, 4, 4, 4, 8)))]
        if rng.random() < 0.9:
            options.append((CONTENT_FORMAT, uint(form)))
        if rng.random() < 0.6:  # in blocks
            size = rng.choice((0, 2, 2, 2, 6))
            at = number << (size + 4)
            more = at + (16 << size) < len(data)
            if rng.random() < 0.2:
                number, more, size = rng.getrandbits(20), rng.random() < 0.5, rng.randrange(8)
            options.append((BLOCK2, uint(number << 4 | more << 3 | size)))
            data = data[at : at + (16 << size)]
        return data, options

    def wrong(self) -> list[tuple[int, bytes]]:
        """Options that are too long, there twice, or unknown."""
        rng = self.rng
        found = []
        if rng.random() < 0.5:
            found.append((MAX_AGE, rng.choice((b"", b"\1", b"\xff" * 4, b"\xff" * 200))))
        for _ in range(rng.choice((0, 0, 0, 1, 1, 3))):
            known = (ETAG, OBSERVE, CONTENT_FORMAT, MAX_AGE, BLOCK2, SIZE2)
            number = rng.choice((*known, rng.randrange(60), rng.randrange(65536)))
            found.append((number, rng.randbytes(rng.choice((0, 1, 2, 3, 4, 5, 9, 250, 300)))))
        return found


class Store(SqliteStore):
    """Of what is refused nothing is left: ten minutes of it would fill the disk."""

    def commit(self, batch: Any) -> list[bool]:
        """As a gateway's."""
        new = super().commit(batch)
        self._base.execute("DELETE FROM refused")
        return new


class Fuzz:
    """Honest and hostile sensors at one gateway, for some seconds."""

    def __init__(self, seed: int, folder: Path, seconds: float) -> None:
        self.rng, self.ends = random.Random(seed), Counter[str]()
        self.folder, self.seconds = folder, seconds
        self.problems: list[str] = []
        self.lines = 0
        self.gateway: Any = None
        self.longest = 0.0
        (folder / "keys").mkdir()
        self.hostile = [Hostile(self, n) for n in range(HOSTILE)]
        for one in self.hostile:
            (folder / "keys" / f"{one.name}.pem").write_bytes(one.signer.pem())
        self.honest = [self.sensor(n) for n in range(HONEST)]
        self.told = [told.data for one in self.honest for told in one.told[:50]]

    def sensor(self, number: int) -> sf.Sensor:
        """An honest one: JSS and COSE, in blocks or whole, which starts again every 50 readings."""
        signer = sf.Signer()
        (self.folder / "keys" / f"honest{number}.pem").write_bytes(signer.pem())
        told = []
        for n in range(int(self.seconds / PACE) + 10):
            members = {"boot_epoch": n // 50, "measurement_id": n % 50, "chip_temp": 20000 + n}
            data = cose.write(members, -7, signer) if n % 2 else jss.write(members, "ES256", signer)
            told.append(sf.Told("good", data, n))
        heard = [time.monotonic()]

        def acknowledged(_: sf.Told) -> None:
            now = time.monotonic()
            self.longest = max(self.longest, now - heard[0])
            heard[0] = now

        return sf.Sensor(told, blocks=number % 2 == 0, acknowledged=acknowledged, pace=PACE)

    def tokens(self) -> list[bytes]:
        """Of all observations."""
        sockets = self.gateway._endpoints._open.values()
        return [token for one, _ in sockets for _, token in one.observations]

    def say(self, line: str) -> None:
        """What the gateway says is one line."""
        self.lines += 1
        if "\n" in line or len(line) > 400:
            self.problems.append(f"not one line: {line!r}")

    async def run(self) -> Counter[str]:
        """Errors: OddEndError."""
        before = {name: getattr(coap, name) for name in TIMES}
        try:
            for name, value in TIMES.items():
                setattr(coap, name, value)
            await self.start()
        finally:
            for name, value in before.items():
                setattr(coap, name, value)
        self.verdict()
        return self.ends

    async def start(self) -> None:
        """The sensors and the gateway."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self.problems.append(str(context)))
        names = [f"honest{n}" for n in range(HONEST)] + [one.name for one in self.hostile]
        both: list[asyncio.DatagramProtocol] = [*self.honest, *self.hostile]
        sensors = []
        for name, one in zip(names, both, strict=True):
            transport, _ = await loop.create_datagram_endpoint(
                partial(_itself, one), local_addr=("127.0.0.1", 0)
            )
            port = transport.get_extra_info("sockname")[1]
            sensors.append(coap.Sensor(f"coap://127.0.0.1:{port}/t", name))
        store, verify = Store(self.folder / "kept.db"), library.load()
        keys = Keyring(self.folder / "keys", verify.takes)
        self.gateway = Gateway(
            keys, store, verify, id_member="measurement_id", threads=1, say=self.say,
            limits=Limits(rate=RATE, burst=20 * RATE),
        )  # fmt: skip
        self.gateway.load_keys()
        self.gateway.observe(sensors)
        running = asyncio.create_task(self.gateway.run())
        try:
            await self.fuzz(running)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            store.close()

    async def fuzz(self, running: asyncio.Task[None]) -> None:
        """For its time; then the honest ones have a moment for what is under way."""
        end, before = time.monotonic() + self.seconds, time.monotonic()
        while (now := time.monotonic()) < end:
            for bad in self.hostile:
                bad.tick(now - before)
            before = now
            if running.done():
                raise OddEndError(f"the gateway ended: {running.exception()!r}")
            if self.problems:
                raise OddEndError(self.problems[0])
            await asyncio.sleep(0.02)
        for one in self.honest:
            one.told = one.told[: one.at + 1]
        async with asyncio.timeout(WAIT):
            while any(one.at < len(one.told) for one in self.honest):
                await asyncio.sleep(0.05)

    def verdict(self) -> None:
        """Errors: OddEndError where an honest sensor lost something, or one waited too long."""
        query = "SELECT count(*) FROM readings WHERE key = ?"
        with closing(sqlite3.connect(self.folder / "kept.db")) as base:
            for number, one in enumerate(self.honest):
                ((count,),) = base.execute(query, (f"honest{number}",))
                if count != one.at:
                    raise OddEndError(f"honest{number}: {one.at} acknowledged, {count} kept")
                self.ends["honest readings, each kept once"] += count
                self.ends["honest readings sent again"] += one.sent - one.at
            for bad in self.hostile:
                ((count,),) = base.execute(query, (bad.name,))
                if count > 3 * (bad.signed // 4 + 1):  # three epochs, four messages for an id
                    raise OddEndError(f"{bad.name}: {count} kept, which nobody signed")
                self.ends["hostile readings that verify"] += count
        self.ends["hostile messages refused"] += self.gateway.refused.total()
        self.ends["lines said"] += self.lines
        if self.longest > WAIT:
            raise OddEndError(f"an honest sensor waited {self.longest:.1f} s")


def _itself(one: asyncio.DatagramProtocol) -> asyncio.DatagramProtocol:
    return one


def main() -> int:
    """Fuzzes."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    with tempfile.TemporaryDirectory(prefix="ecfit-fuzz-") as folder:
        fuzz = Fuzz(seed, Path(folder), seconds)
        try:
            ends = asyncio.run(fuzz.run())
        except Exception as odd:
            print(f"fuzz_exchanges: seed {seed}: {type(odd).__name__}: {odd}")
            return 1
    told = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    print(
        f"fuzz_exchanges: {seconds:.0f} s, {HONEST} honest and {HOSTILE} hostile sensors "
        f"(seed {seed}): {told}; longest wait of an honest one {fuzz.longest:.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
