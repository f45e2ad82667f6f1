#!/usr/bin/env python3
"""How fast the gateway is: messages for a second of a core, and kept a second by sensors.

tools/rigs/gateway_speed.py [SECONDS]    of each measurement (default 2); prints three tables
tools/rigs/gateway_speed.py parts        prints the last one
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import random
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ecfit.choices.curves import CURVES
from ecfit.oracle import keyformats
from ecfit.oracle.keygen import generate
from ecfit_lab.gateway import library
from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.gateway.readings import Message, Reading, examine
from ecfit_lab.message import jss
from ecfit_lab.message.algorithms import ALGORITHMS, Algorithm, Key, Verifier
from tools.rigs import gateway_load
from tools.rigs import sensor_fleet as sf

CHUNK, ROUNDS, PARTS = 5, 10, 3
UNSIGNED = [
    sys.executable,
    "-c",
    "from ecfit.cli import main; from ecfit_lab.gateway.verifier import LibraryVerifier; "
    "LibraryVerifier.__call__ = lambda *_: True; main()",
]  # a gateway that believes every signature


def signed(algorithm: Algorithm, folder: Path) -> bytes:
    """A message with a key of its own, whose public key goes into the folder."""
    pair = generate(CURVES[algorithm.curve])
    (folder / f"{algorithm.curve}.pem").write_text(keyformats.text([pair], "pem"))
    key = keyformats._library_key(pair)
    sign = sf.signer_of(key, algorithm)
    return jss.write({"chip_temp": 20953, "measurement_id": 34}, algorithm.name, sign)


def examined(
    threads: int, seconds: float, message: Message, keys: Keyring, verify: Verifier
) -> float:
    """Microseconds of processor time for a message: what others do on this machine is not in it."""

    def work() -> int:
        count, until = 0, time.thread_time() + seconds / threads
        while time.thread_time() < until:
            for _ in range(CHUNK):
                assert isinstance(examine(message, keys, verify, "measurement_id"), Reading)
            count += CHUNK
        return count

    begin = time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        count = sum(f.result() for f in [pool.submit(work) for _ in range(threads)])
    return 1e6 * (time.process_time() - begin) / count


def by_threads(seconds: float) -> None:
    """The first table."""
    counts = (1, 2, 4, 8)
    columns = [f"{n} thread{'s' if n > 1 else ''}" for n in counts]
    print("| algorithm | curve | Python µs | library µs | cores | " + " | ".join(columns) + " |")
    print("| --- | --- | ---: | ---: | ---: |" + " ---: |" * len(counts))
    verify = library.load()
    for algorithm in ALGORITHMS:
        with tempfile.TemporaryDirectory() as name:
            data = signed(algorithm, Path(name))
            keys = Keyring(Path(name), verify.takes)
            keys.reload()
        message = Message("s", data)
        best: dict[int, float] = {}
        for _ in range(ROUNDS):  # in turn; the best, whose caches others disturbed least
            for n in (0, *counts):
                one = verify if n else _nothing
                took = examined(max(n, 1), seconds / ROUNDS, message, keys, one)
                best[n] = min(best.get(n, took), took)
        rates = [f"{1e6 / best[n]:,.0f}" for n in counts]
        print(
            f"| {algorithm.name} | {algorithm.curve} | {best[0]:.0f} | {best[1] - best[0]:.0f} | "
            f"{best[1] / best[0]:.1f} | " + " | ".join(rates) + " |"
        )


def _nothing(_key: Key, _signed: bytes, _signature: bytes) -> bool:
    """In place of a verification: what is left is Python's part."""
    return True


def loaded(sensors: int, messages: int, store: str) -> tuple[float, float]:
    """Messages a second, and microseconds of the gateway's processor time for each."""
    options = argparse.Namespace(
        messages=messages, sensors=sensors, share=0.0, kills=0, gateways=1, seed=1,
        store=store, leave_dead=False, pace=0.0, clock_jumps=0,
    )  # fmt: skip
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(said):
        code = asyncio.run(gateway_load.Load(options, Path(name), "").run())
    rate = re.search(r"([0-9.]+) a second once it began", said.getvalue())
    spent = re.search(r"processor time of the gateway: ([0-9]+) us", said.getvalue())
    assert code == 0
    assert rate
    return float(rate[1]), float(spent[1]) if spent else 0.0


def by_sensors() -> None:
    """The second table: from the sensors, which run on the same cores, to the disk."""
    print("\n| sensors | messages | messages a second, SQLite | lines of JSON |")
    print("| ---: | ---: | ---: | ---: |")
    for sensors, messages in ((1, 500), (5, 1000), (20, 3000), (50, 4000), (200, 4000)):
        rates = [f"{loaded(sensors, messages, store)[0]:,.0f}" for store in ("sqlite", "lines")]
        print(f"| {sensors} | {messages} | {' | '.join(rates)} |")


def by_parts() -> None:
    """The third table: processor time of a message, and what of it is not the signature's."""
    print("\n| sensors | processor µs a message | without the signature |")
    print("| ---: | ---: | ---: |")
    usual = gateway_load.ECFIT
    each: dict[str, float] = {}
    for sensors in (50, 200):
        for command in (usual, UNSIGNED) * PARTS:
            gateway_load.ECFIT = command
            took = loaded(sensors, 6000, "sqlite")[1]
            each[command[2]] = min(took, each.get(command[2], took))
        print(f"| {sensors} | " + " | ".join(f"{took:.0f}" for took in each.values()) + " |")
        each.clear()
    gateway_load.ECFIT = usual


def main() -> int:
    """Measures."""
    random.seed(1)
    if sys.argv[1:] != ["parts"]:
        by_threads(float(sys.argv[1]) if len(sys.argv) > 1 else 2)
        by_sensors()
    by_parts()
    return 0


if __name__ == "__main__":
    sys.exit(main())
