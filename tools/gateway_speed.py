#!/usr/bin/env python3
"""How fast the gateway is: messages examined a second by threads, and kept a second by sensors.

tools/gateway_speed.py [SECONDS]    of each measurement (default 2); prints two Markdown tables
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import os
import random
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gateway_load
import sensor_fleet as sf

from ecfit.choices.curves import CURVES
from ecfit.commands.keys import generate
from ecfit.gateway import library
from ecfit.gateway.keyring import Keyring
from ecfit.gateway.readings import Message, Reading, examine
from ecfit.message import jss
from ecfit.message.algorithms import ALGORITHMS, Algorithm
from ecfit.oracle import keyformats
from ecfit.run import verifier

CHUNK = 20


def signed(algorithm: Algorithm, folder: Path) -> bytes:
    """A message with a key of its own, whose public key goes into the folder."""
    pair = generate(CURVES[algorithm.curve])
    (folder / f"{algorithm.curve}.pem").write_text(keyformats.text([pair], "pem"))
    key = keyformats._library_key(pair)
    sign = sf.signer_of(key, algorithm)
    return jss.write({"chip_temp": 20953, "measurement_id": 34}, algorithm.name, sign)


def examined(
    threads: int, seconds: float, one: tuple[Message, Keyring, verifier.LibraryVerifier]
) -> float:
    """Messages a second."""
    message, keys, verify = one

    def work() -> int:
        count = 0
        while time.monotonic() < until:
            for _ in range(CHUNK):
                assert isinstance(examine(message, keys, verify, "measurement_id"), Reading)
            count += CHUNK
        return count

    until = time.monotonic() + seconds
    with ThreadPoolExecutor(threads) as pool:
        return sum(f.result() for f in [pool.submit(work) for _ in range(threads)]) / seconds


def by_threads(seconds: float) -> None:
    """The first table."""
    cores = os.cpu_count() or 1
    counts = sorted({1, *(n for n in (2, 4, 8, 16, 32, 64) if n <= cores), cores})
    columns = [f"{n} thread{'s' if n > 1 else ''}" for n in counts]
    print("| algorithm | curve | parsing µs | verifying µs | " + " | ".join(columns) + " |")
    print("| --- | --- | ---: | ---: |" + " ---: |" * len(counts))
    verify = library.load()
    for algorithm in ALGORITHMS:
        with tempfile.TemporaryDirectory() as name:
            data = signed(algorithm, Path(name))
            keys = Keyring(Path(name), verify.takes)
            keys.reload()
        message = Message("s", data)
        parsing = 1e6 * timed(lambda data=data: jss.parse(data), seconds / 4)
        whole = 1e6 / examined(1, seconds, (message, keys, verify))
        rates = [f"{examined(n, seconds, (message, keys, verify)):,.0f}" for n in counts]
        print(
            f"| {algorithm.name} | {algorithm.curve} | {parsing:.0f} | {whole - parsing:.0f} | "
            + " | ".join(rates) + " |"
        )  # fmt: skip


def timed(call: object, seconds: float) -> float:
    """Seconds of one call."""
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        call()  # type: ignore[operator]
        count += 1
    return (time.perf_counter() - begin) / count


def by_sensors() -> None:
    """The second table: from the sensors, which run on the same cores, to the disk."""
    print("\n| sensors | messages | messages a second, SQLite | lines of JSON |")
    print("| ---: | ---: | ---: | ---: |")
    for sensors, messages in ((1, 500), (5, 1000), (20, 3000), (50, 4000), (200, 4000)):
        rates = []
        for store in ("sqlite", "lines"):
            options = argparse.Namespace(
                messages=messages, sensors=sensors, share=0.0, kills=0, gateways=1, seed=1,
                store=store, leave_dead=False, pace=0.0,
            )  # fmt: skip
            said = io.StringIO()
            with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(said):
                code = asyncio.run(gateway_load.Load(options, Path(name), "").run())
            match = re.search(r"([0-9.]+) a second once it began", said.getvalue())
            assert code == 0
            assert match
            rates.append(f"{float(match[1]):,.0f}")
        print(f"| {sensors} | {messages} | {' | '.join(rates)} |")


def main() -> int:
    """Measures."""
    random.seed(1)
    by_threads(float(sys.argv[1]) if len(sys.argv) > 1 else 2)
    by_sensors()
    return 0


if __name__ == "__main__":
    sys.exit(main())
