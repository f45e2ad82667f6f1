#!/usr/bin/env python3
"""A trace as a converter would record it, made from a simulated run: cycles, and power states.

tools/rigs/synthetic_trace.py DIR [TARGET [REPEATS [SEED]]]    writes DIR/trace.csv (voltage over a
                                                               shunt of 10 ohm), DIR/times.csv (the
                                                               firmware's time trace) and
                                                               DIR/truth.csv
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ecfit.arguments.selection import rows, select
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store

OPS = ("keygen", "sign", "verify")
TIMER_HZ = 32_768


class Setup(NamedTuple):
    """How it is measured: the paper's converter (MCP3008, 3.25 V, 10 bits, 2.5 ms) by default."""

    volts: float = 5.0
    shunt_ohms: float = 10.0
    reference_volts: float = 3.25
    bits: int = 10
    interval_s: float = 2.5e-3
    jitter_s: float = 0.0
    noise_volts: float = 4e-3
    board_ma: float = 20.0  # what the board draws beside the core
    led_ma: float = 60.0
    led_s: float = 15e-3
    pause_s: float = 40e-3
    averaged: bool = False  # the converter means over the interval: edges are mixed


class Piece(NamedTuple):
    """So long so much current, in amperes; `task`: its name, empty beside a task."""

    seconds: float
    amperes: float
    task: str = ""


def simulated(target_name: str, ops: Sequence[str] = OPS) -> list[tuple[str, float, float]]:
    """Task, seconds and amperes of the core of each operation, measured on the simulator."""
    target = find_target(target_name)
    bench = Bench(Settings(jobs=1), {}, Store())
    chosen = select(
        targets=(target_name,), libraries=("ecfit",), curves=("secp256r1",), ops=ops,
        presets=("balanced",), sets=(), mode="datasheet", peers={}, toolchains=("gcc",),
        opts=("Os",), together=False,
    )  # fmt: skip
    records = [record for _, record in bench.each(rows(chosen), bench.measure)]
    amperes = target.power[0].milliamperes / 1000
    return sorted((r.op, (r.time_us or 0) / 1e6, amperes) for r in records)


def timeline(tasks: Sequence[tuple[str, float, float]], setup: Setup) -> list[Piece]:
    """Each task between two flashes of the light, pauses before, between and behind."""
    board = setup.board_ma / 1000
    lit = Piece(setup.led_s, board + setup.led_ma / 1000)
    pieces = [Piece(setup.pause_s, board)]
    for name, seconds, amperes in tasks:
        pieces += [lit, Piece(seconds, board + amperes, name), lit, Piece(setup.pause_s, board)]
    return pieces


def truth(pieces: Sequence[Piece], setup: Setup) -> list[tuple[str, float, float]]:
    """Task, seconds, joules of the device: what it draws at the supply less the shunt's drop."""
    return [
        (p.task, p.seconds, p.seconds * p.amperes * (setup.volts - p.amperes * setup.shunt_ohms))
        for p in pieces
        if p.task
    ]


def samples(pieces: Sequence[Piece], setup: Setup, rng: random.Random) -> list[tuple[float, float]]:
    """Seconds, and volts over the shunt as the converter gives them."""
    step, most = setup.reference_volts / 2**setup.bits, 2**setup.bits - 1
    ends, end = [], 0.0
    for piece in pieces:
        end += piece.seconds
        ends.append(end)
    found, at, t = [], 0, rng.random() * setup.interval_s
    while t < end:
        while ends[at] <= t:
            at += 1
        amperes = pieces[at].amperes
        if setup.averaged and t + setup.interval_s > ends[at] and at + 1 < len(pieces):
            share = (ends[at] - t) / setup.interval_s
            amperes = share * amperes + (1 - share) * pieces[at + 1].amperes
        volts = amperes * setup.shunt_ohms + rng.gauss(0, setup.noise_volts)
        found.append((t, min(most, max(0, round(volts / step))) * step))
        t += setup.interval_s + rng.random() * setup.jitter_s
    return found


def trace_text(found: Sequence[tuple[float, float]]) -> str:
    """time (s),voltage (V)"""
    return "time (s),voltage (V)\n" + "".join(f"{t:.6f},{v:.6f}\n" for t, v in found)


def times_text(pieces: Sequence[Piece]) -> str:
    """The firmware's time trace, in ticks of its timer."""
    lines = [f"{p.task},{round(p.seconds * TIMER_HZ)}" for p in pieces if p.task]
    return f"task,duration_ticks@{TIMER_HZ}\n" + "\n".join(lines) + "\n"


def main() -> int:
    """Writes the three files."""
    if not 2 <= len(sys.argv) <= 5:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    folder, setup = Path(sys.argv[1]), Setup()
    target = sys.argv[2] if len(sys.argv) > 2 else "cc2538-16mhz"
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    pieces = timeline(simulated(target) * repeats, setup)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "trace.csv").write_text(trace_text(samples(pieces, setup, rng)), encoding="utf-8")
    (folder / "times.csv").write_text(times_text(pieces), encoding="utf-8")
    lines = [
        f"{name},{seconds:.6f},{joules:.8f}\n" for name, seconds, joules in truth(pieces, setup)
    ]
    (folder / "truth.csv").write_text("task,seconds,joules\n" + "".join(lines), encoding="utf-8")
    print(f"synthetic_trace: {len(pieces)} pieces of {target} in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
