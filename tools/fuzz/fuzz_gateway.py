#!/usr/bin/env python3
"""Damaged datagrams, messages and key files for the gateway: each is taken, or refused in one line.

tools/fuzz/fuzz_gateway.py [SECONDS] [SEED]    fuzzes for that time (default 60); prints one line
                                               and exits 0, or prints what happened and exits 1
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from aiocoap import Message as Coap

from ecfit.errors import UsageError
from ecfit.oracle.keyreader import public_key
from ecfit_lab.gateway import library
from ecfit_lab.gateway.coap import AT_WORK, Endpoint, Observation, Sensor
from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.gateway.readings import Message, Reading, examine
from tools.rigs import sensor_fleet as sf

WHERE = ("127.0.0.1", 5683)
WORDS = (
    *(b"{", b"}", b"[", b'"', b"\\", b"\\u0000", b"\\ud800", b"1e999", b"-0", b"9" * 400, b"null"),
    *(b'"jss.protected"', b'"jss.signature":', b'"kid":"x"', b"=", b"\xff", b"\0", b"[" * 3000),
    *(b"-----BEGIN PUBLIC KEY-----", b"\n", b'"crv":"P-384"', b'"kty":"OKP"', b"A" * 43),
)


class OddEndError(Exception):
    """Something that is neither taken nor refused."""


class Wire:
    """A transport that leads nowhere."""

    def sendto(self, data: bytes, _where: object) -> None:
        """Ours can be read."""
        Coap.decode(data)


class Endpoints:
    """For one observation."""

    def __init__(self) -> None:
        self.endpoint = Endpoint(Wire().sendto)

    async def find(self, _host: str, _port: int) -> tuple[Endpoint, tuple[str, int]]:
        """Always the one."""
        return self.endpoint, WHERE


def damage(rng: random.Random, data: bytes) -> bytes:
    """One to four injuries."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
        at = rng.randrange(len(data) + 1)
        other = at + rng.randrange(1, 40)
        word = rng.choice((rng.choice(WORDS), rng.randbytes(rng.randrange(1, 9)), data[at:other]))
        data = data[:at] + word + data[rng.choice((at, at + 1, other)) :]
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data


class Fuzz:
    """All three, in turn."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng, self.ends = random.Random(seed), Counter[str]()
        signer, self.verify = sf.Signer(), library.load()
        (folder / "s.pem").write_bytes(signer.pem())
        self.pem = signer.pem()
        self.keys = Keyring(folder, self.verify.takes)
        self.keys.reload()
        self.told = [t.data for t in sf.messages(self.rng, signer, 60, 0.05)]
        self.original = {(t, self.examined(t)) for t in self.told}
        self.good = {e for _, e in self.original if e}
        self.problem: Exception | None = None

    def examined(self, data: bytes) -> str:
        """What a message says, empty where it is refused. Errors: OddEndError."""
        start = time.process_time()
        found = examine(Message("s", data), self.keys, self.verify, "measurement_id")
        if time.process_time() - start > 2:
            raise OddEndError(f"took long: {data!r}")
        if isinstance(found, Reading):
            return repr(found.payload)
        if found.reason == "not understood":
            raise OddEndError(f"{found.detail}: {data!r}")
        return ""

    def message(self) -> None:
        """What verifies was signed."""
        said = self.examined(damage(self.rng, self.rng.choice(self.told)))
        if said and said not in self.good:
            raise OddEndError(f"accepted, and nobody signed it: {said}")
        self.ends["messages taken" if said else "messages refused"] += 1

    def key(self) -> None:
        """A key, or one line."""
        jwk = b'{"kty":"OKP","crv":"Ed25519","x":"' + b"A" * 43 + b'"}'
        data = damage(self.rng, self.rng.choice((self.pem, jwk)))
        try:
            public_key(data)
            self.ends["keys taken"] += 1
        except UsageError as error:
            if "\n" in str(error) or not 5 < len(str(error)) < 300:
                raise OddEndError(f"not one line: {error}") from None
            self.ends["keys refused"] += 1

    async def deliver(self, _sensor: Sensor, data: bytes, _form: int | None) -> None:
        """As the gateway."""
        try:
            said = self.examined(data)
            if said and said not in self.good:
                raise OddEndError(f"accepted, and nobody signed it: {said}")
            self.ends["notifications taken" if said else "notifications refused"] += 1
        except Exception as error:
            self.problem = error

    async def datagrams(self) -> None:
        """A hundred of them, at one observation."""
        endpoints = Endpoints()
        observation: Any = Observation(Sensor("coap://127.0.0.1/t"), self.deliver, self._said)
        task = asyncio.create_task(observation.run(endpoints))
        await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._unexpected)
        for _ in range(100):
            told = self.rng.choice(self.told)
            options = {"observe": self.rng.randrange(9), "max_age": self.rng.randrange(300)}
            good = Coap(
                _mtype=self.rng.randrange(4), _mid=self.rng.randrange(20),
                _token=observation._token, code=69, payload=told, **options,
            )  # fmt: skip
            if self.rng.random() < 0.3:
                good.opt.block2 = (self.rng.randrange(3), self.rng.random() < 0.5, 2)
            data = good.encode()
            if self.rng.random() < 0.8:  # the first bytes and options, more than the rest
                head = 30 if self.rng.random() < 0.7 else len(data)
                data = damage(self.rng, data[:head]) + data[head:]
            endpoints.endpoint.datagram_received(data, WHERE)
            self.ends["datagrams"] += 1
            await asyncio.sleep(0)
            if len(observation._busy) > AT_WORK:
                raise OddEndError("more at work than allowed")
            if task.done():
                break
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        if self.problem:
            raise OddEndError(f"{type(self.problem).__name__}: {self.problem}")

    def _said(self, line: str) -> None:
        if "\n" in line:
            self.problem = OddEndError(line)

    def _unexpected(self, _loop: object, context: dict[str, Any]) -> None:
        self.problem = context.get("exception") or RuntimeError(context["message"])

    def run(self, rounds: int = 0, seconds: float = 0) -> Counter[str]:
        """That many rounds, or for that time. Errors: OddEndError."""
        until, done = time.monotonic() + seconds, 0
        while done < rounds or time.monotonic() < until:
            for _ in range(100):
                self.message()
                self.key()
            asyncio.run(self.datagrams())
            done += 1
        return self.ends


def main() -> int:
    """Fuzzes."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    with tempfile.TemporaryDirectory(prefix="ecfit-fuzz-") as folder:
        try:
            ends = Fuzz(seed, Path(folder)).run(seconds=seconds)
        except Exception as odd:
            print(f"fuzz_gateway: seed {seed}: {type(odd).__name__}: {odd}")
            return 1
    told = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    print(f"fuzz_gateway: {seconds:.0f} s (seed {seed}): {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
