#!/usr/bin/env python3
"""The gateway under load: emulated sensors, wrong messages among good ones, kills.

tools/rigs/gateway_load.py [--messages 10000] [--sensors 50] [--share 0.05] [--kills 10] [--seed N]
                      [--store sqlite|lines|postgres] [--gateways 1] [--leave-dead] [--pace 0]
                      [--clock-jumps 0]

Prints one line and exits 0 when every good message was kept once and none of the others; else says
what went wrong and exits 1. --leave-dead: a gateway that was killed stays dead.
--pace: seconds between two messages of a sensor. --clock-jumps: so many times the clock of
PostgreSQL jumps, by up to an hour ahead of the true time or behind it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tools.rigs.sensor_fleet import Fleet
from workshop.devices import pg_cluster

SECONDS = 900  # until it is given up
ECFIT = [sys.executable, "-c", "from ecfit.cli import main; main()"]
BUDGET = ("--rate", "100000", "--burst", "1000000")  # these sensors send as fast as they can
Kept = list[tuple[str, str]]


class Load:
    """One run."""

    def __init__(self, options: argparse.Namespace, folder: Path, url: str) -> None:
        self.options, self.folder = options, folder
        self.rng = random.Random(options.seed)
        self.processes: list[asyncio.subprocess.Process | None] = [None] * options.gateways
        where = {"sqlite": folder / "readings.db", "lines": folder / "readings.jsonl"}
        self.store = [f"--{options.store}", str(where.get(options.store, url))]
        self.url, self.kills, self.jumps = url, 0, 0
        self.move: Callable[[float], None] | None = None  # the database's clock
        self.budget: tuple[str, ...] = BUDGET
        self.more: list[str] = []  # sensors that are none of the fleet
        self.began: tuple[int, float] | None = None

    async def run(self) -> int:
        """The exit code."""
        o = self.options
        fleet = Fleet(
            o.seed, o.sensors, o.messages, share=o.share, keys=self.folder / "keys", pace=o.pace
        )
        lines = await fleet.open()
        (self.folder / "sensors.txt").write_text("\n".join([*lines, *self.more]) + "\n")
        for number in range(o.gateways):
            await self.start(number)
        begin = time.monotonic()
        killers = [asyncio.create_task(one(fleet)) for one in (self.kill, self.jump)]
        try:
            async with asyncio.timeout(SECONDS):
                while not fleet.done.is_set():
                    await asyncio.wait([asyncio.create_task(fleet.done.wait())], timeout=0.5)
                    self.alive()
                    if self.began is None and fleet.first:
                        self.began = len(fleet.acknowledged), self.spent()
        except TimeoutError:
            print(f"gateway_load: {len(fleet.acknowledged)} acknowledged after {SECONDS} s")
            return 1
        finally:
            for killer in killers:
                killer.cancel()
            end, spent = time.monotonic(), self.spent()
            seconds, rate = end - begin, (o.messages - 1) / max(end - fleet.first, 1e-3)
            await self.stop()
        if self.began and not o.kills and (some := o.messages - self.began[0]):
            print(f"processor time of the gateway: {1e6 * (spent - self.began[1]) / some:.0f} us")
        return self.verdict(fleet, seconds, rate)

    async def start(self, number: int) -> None:
        """One gateway."""
        keys, sensors = self.folder / "keys", self.folder / "sensors.txt"
        log = (self.folder / f"gateway{number}.log").open("ab")
        self.processes[number] = await asyncio.create_subprocess_exec(
            *ECFIT, "gateway", "--sensors", str(sensors), "--keys", str(keys), *self.store,
            *self.budget, stdout=log, stderr=log,
        )  # fmt: skip
        log.close()

    def spent(self) -> float:
        """Seconds of processor time of the gateways that run."""
        ticks = 0
        for process in self.processes:
            if process and process.returncode is None:
                fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def alive(self) -> None:
        """A gateway that ended by itself is a failure. Errors: RuntimeError."""
        for number, process in enumerate(self.processes):
            if process and process.returncode not in (None, -9):
                log = (self.folder / f"gateway{number}.log").read_text()
                raise RuntimeError(f"gateway {number} ended with {process.returncode}: {log}")

    async def kill(self, fleet: Fleet) -> None:
        """At so many moments, which the number of acknowledged messages decides.

        Until then each sensor keeps its last message: on a busy machine all would be told before.
        """
        o = self.options
        for sensor in fleet.sensors:
            sensor.keeps_last = o.messages >= 5 * o.sensors
        moments = sorted(self.rng.sample(range(o.messages // 50, o.messages * 4 // 5), o.kills))
        for moment in moments:
            while len(fleet.acknowledged) < moment:
                await asyncio.sleep(0.002)
            await asyncio.sleep(self.rng.random() * 0.02)
            number = await self.victim()
            process = self.processes[number]
            if process is None:
                continue
            process.kill()
            await process.wait()
            self.kills += 1
            self.processes[number] = None
            if not o.leave_dead:
                await self.start(number)
        for sensor in fleet.sensors:
            sensor.keeps_last = False

    async def jump(self, fleet: Fleet) -> None:
        """So many times, spread over the messages."""
        for number in range(self.options.clock_jumps if self.move else 0):
            while len(fleet.acknowledged) < (number + 1) * self.options.messages // 12:
                await asyncio.sleep(0.002)
            assert self.move is not None
            self.move(self.rng.choice((-3600, -90, -7, 0, 7, 90, 3600)))
            self.jumps += 1

    async def victim(self) -> int:
        """One that has sensors; where several share them, when each of them has some."""
        if self.options.store != "postgres":
            return self.rng.randrange(self.options.gateways)
        alive = {f"-{p.pid}-": n for n, p in enumerate(self.processes) if p}
        query = "SELECT DISTINCT owner FROM sensors WHERE owner IS NOT NULL"
        with pg_cluster.connect(self.url) as base:
            while True:
                owners = [owner for (owner,) in base.execute(query)]
                found = [n for pid, n in alive.items() if any(pid in owner for owner in owners)]
                if len(found) == len(alive):
                    return self.rng.choice(found)
                await asyncio.sleep(0.1)

    async def stop(self) -> None:
        """Ends all of them in good order."""
        for process in self.processes:
            if process and process.returncode is None:
                process.terminate()
                await process.wait()

    def kept(self) -> tuple[Kept, Counter[str]]:
        """Key and measurement id of all accepted readings; refused ones by reason."""
        if self.options.store == "lines":
            kept = lines_of(self.folder / "readings.jsonl")
            files = (self.folder / "readings.jsonl.refused").glob("*.jsonl")
            reasons = Counter(line["reason"] for file in files for line in lines_of(file))
            return [(line["key"], line["measurement"]) for line in kept], reasons
        base = (
            pg_cluster.connect(self.url)
            if self.options.store == "postgres"
            else sqlite3.connect(self.folder / "readings.db")
        )
        good = list(base.execute("SELECT key, measurement FROM readings"))
        return good, Counter(r for (r,) in base.execute("SELECT reason FROM refused"))

    def verdict(self, fleet: Fleet, seconds: float, rate: float) -> int:
        """Prints it."""
        accepted, refused = self.kept()
        good, o = fleet.good(), self.options
        lost, wrong = good - set(accepted), set(accepted) - good
        doubled = len(accepted) - len(set(accepted))
        kinds = Counter(told.kind for _, told in fleet.acknowledged)
        again = sum(one.sent for one in fleet.sensors) - o.messages
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        print(
            f"gateway_load: {o.messages} messages ({told}) of {o.sensors} sensors, {o.store}, "
            f"{o.gateways} gateways, {self.kills} kills, {self.jumps} jumps, {seconds:.1f} s, "
            f"{rate:.0f} a second once it began: {len(accepted)} kept, {len(lost)} lost, "
            f"{doubled} doubled, {len(wrong)} wrong; {again} sent again; seed {o.seed}"
        )
        print("refused: " + ", ".join(f"{count} {reason}" for reason, count in refused.items()))
        return int(bool(lost or wrong or doubled))


def lines_of(file: Path) -> list[dict[str, str]]:
    """Of JSON, which has no other ends of lines."""
    return [json.loads(line) for line in file.read_text().rstrip("\n").split("\n")]


def main() -> int:
    """Runs it."""
    parser = argparse.ArgumentParser()
    for name, default in (("messages", 10_000), ("sensors", 50), ("kills", 10), ("gateways", 1),
                          ("clock-jumps", 0)):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--store", choices=("sqlite", "lines", "postgres"), default="sqlite")
    parser.add_argument("--leave-dead", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ecfit-load-") as name:
        if options.store == "postgres":
            with pg_cluster.running() as url, pg_cluster.clock(url) as (shifted, move):
                load = Load(options, Path(name), shifted)
                load.move = move
                return asyncio.run(load.run())
        return asyncio.run(Load(options, Path(name), "").run())


if __name__ == "__main__":
    sys.exit(main())
