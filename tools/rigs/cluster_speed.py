#!/usr/bin/env python3
"""The speed-up of a sweep on two workers: one dask worker, then two, each a process with one thread
and an empty cache, on this machine.

tools/rigs/cluster_speed.py [OPTION OF BENCH ..]    prints the times, their ratio, the load, and
                                                    whether the records are the same
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SWEEP = ("--target", "samd20,nrf52840", "--curve", "secp256r1,x25519,ed25519", "--preset",
         "tiny,balanced,fast")  # fmt: skip
ECFIT = (sys.executable, "-c", "from ecfit.cli import main; main()")


def dask(what: str, *options: str, cache: Path) -> subprocess.Popen[bytes]:
    code = f"from distributed.cli.dask_{what} import main; main()"
    command = [sys.executable, "-c", code, "--no-dashboard", *options]
    environment = {**os.environ, "ECFIT_CACHE": str(cache)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def sweep(workers: int, options: tuple[str, ...]) -> tuple[float, float, str]:
    """Seconds of a sweep on so many workers, processor seconds of the busiest, and its records."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "own").mkdir()
        file = folder / "scheduler.json"
        started = [dask("scheduler", "--port", "0", "--scheduler-file", str(file), cache=folder)]
        try:
            while not file.exists() or not file.read_text():
                time.sleep(0.1)
            address = json.loads(file.read_text())["address"]
            for number in range(workers):
                (folder / f"{number}").mkdir()
                more = ("--no-nanny", "--nthreads", "1", "--local-directory", name)
                started.append(dask("worker", address, *more, cache=folder / f"{number}"))
            from distributed import Client

            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=60)
            command = [*ECFIT, "bench", *options, "--quiet", "--format", "json"]
            environment = {**os.environ, "ECFIT_CACHE": str(folder / "own")}
            start = time.monotonic()
            done = subprocess.run(
                [*command, "--scheduler", address],
                env=environment, capture_output=True, text=True, check=True,
            )  # fmt: skip
            seconds = time.monotonic() - start
        finally:
            used = [_stopped(process) for process in started]
        return seconds, max(used[1:]), done.stdout


def _stopped(process: subprocess.Popen[bytes]) -> float:
    """Processor seconds that a process has taken with its compilers."""
    process.kill()
    _, process.returncode, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    options = tuple(sys.argv[1:]) or SWEEP
    before = os.getloadavg()[0]
    (one, busy, first), (two, busier, second) = (sweep(workers, options) for workers in (1, 2))
    print(
        f"{len(json.loads(first))} rows: {one:.1f} s on one worker, {two:.1f} s on two: "
        f"{one / two:.2f} times as fast; processor time of the busiest worker {busy:.1f} s and "
        f"{busier:.1f} s: {busy / busier:.2f} times on processors of their own; "
        f"{os.cpu_count()} processors, load {before:.1f} before, "
        f"{os.getloadavg()[0]:.1f} after; records "
        f"{'the same, byte for byte' if first == second else 'DIFFER'}"
    )
    return 0 if first == second else 1


if __name__ == "__main__":
    sys.exit(main())
