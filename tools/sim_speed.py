#!/usr/bin/env python3
"""Simulated instructions a second on one core: ECDH of this library, per target and flash mode, the best of five runs.

tools/sim_speed.py [--least N]    exit code 1 when the slowest row is below N million a second
"""

from __future__ import annotations

import argparse
import sys
import time

from ecfit import knobs, measure, runner
from ecfit.curves import CURVES
from ecfit.hostlib import machine_name
from ecfit.store import Store
from ecfit.targets import find_target

REPEATS = 5
CASES = (("lpc1114", "zero-ws"), ("lpc1114", "datasheet"), ("rp2040", "datasheet"), ("samd20", "datasheet"))


def speed(target_name: str, mode_name: str) -> tuple[int, float]:
    """Instructions of one ECDH, and the best rate in instructions a second, reset and checks included."""
    target, curve = find_target(target_name), CURVES["secp256r1"]
    mode = target.mode(mode_name)
    configuration = knobs.resolve(curve, "balanced", {}, target.backend)
    bench = measure.Bench(measure.Settings(), {}, Store())
    row = measure.Row(target, mode, mode_name, configuration, curve, "ecdh", ("ecdh",))
    image = bench.image(bench.request(row))
    best, instructions = 0.0, 0
    for _ in range(REPEATS):
        start = time.perf_counter()
        seen = runner.run(image, runner.Job(target, mode, curve, "ecdh", 1, 1))
        seconds = time.perf_counter() - start
        if seen.status != "ok":
            raise RuntimeError(f"{target_name}: {seen.status}: {seen.detail}")
        instructions = seen.instructions[0]
        best = max(best, instructions / seconds)
    return instructions, best


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=float, default=0.0, help="million a second that each row must reach")
    arguments = parser.parse_args()
    print(f"{machine_name()}, one core")
    slowest = float("inf")
    for target, mode in CASES:
        instructions, rate = speed(target, mode)
        slowest = min(slowest, rate / 1e6)
        print(f"{target:8} {mode:10} {instructions / 1e6:6.1f} M instructions  {rate / 1e6:6.1f} M instructions/s")
    if slowest < arguments.least:
        print(f"below {arguments.least:g} M instructions/s", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
