#!/usr/bin/env python3
"""A day in the life of a sensor: firmware with timelib's marks runs on the simulator, and a model
of power makes of it what an analyser would record.

tools/rigs/sensor_day.py DIR [READINGS [PERIOD_S [SEED]]]    writes DIR/trace.csv (time, current and
                                                             the marker's pin, as a PPK2 does),
                                                             DIR/times.csv (the firmware's time
                                                             trace) and DIR/truth.csv

The sensor sleeps, signs a reading, serves it to a gateway, and sleeps again. Its radio sleeps, too,
and looks 8 times a second whether somebody sends. The chip is a CC2538 at 16 MHz.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ecfit.build import toolchain
from ecfit.build.build import build
from ecfit.build.messages import message_parts
from ecfit.build.parts import contents
from ecfit.build.request import Request
from ecfit.choices import knobs
from ecfit.choices.curves import find_curve
from ecfit.choices.targets import Target, find_target
from ecfit.errors import BuildError
from ecfit.model import Image
from ecfit.paths import FIRMWARE
from ecfit.run.basis import cycle_model, flash_timing
from ecfit.sim.calls import CallingMachine
from ecfit.sim.machine import Region
from ecfit_lab.energy.airtime import Step, listening, message_steps
from ecfit_lab.energy.links import find_link
from ecfit_lab.message.operations import message_input

TARGET, CURVE, LINK, MODE = "cc2538-16mhz", "secp192r1", "802.15.4-contikimac", "fitted"
OP = "jss"  # the operation of the bench that is the whole day: firmware/timelib/day.c
TICK_HZ = 32_768
TICKS, CYCLES, PIN, SLEEP, RADIO, SAY = range(16, 22)  # firmware/timelib/sim.h
SAMPLE_S = 1e-4
READINGS, PERIOD_S = 24, 2.5
ASLEEP_AMPERES = 1.3e-6  # CC2538 data sheet: power mode 2
TIMELIB = FIRMWARE / "timelib"
KEY = bytes.fromhex("6FAB034934E4C0FC9AE67F5B5659A9D7D1FEFD187EE09FD4")  # RFC 6979, A.2.3


class Piece(NamedTuple):
    """So long so much current; `task`: whose marker's pin is high, empty where it is low."""

    seconds: float
    amperes: float
    task: str


class Day(NamedTuple):
    """What was run: power over time, the firmware's own times in ticks, and the last message."""

    pieces: list[Piece]
    times: list[tuple[str, int]]
    message: bytes


def image(target: Target) -> Image:
    """The firmware. Errors: BuildError, MissingToolError."""
    curve = find_curve(CURVE)
    configuration = knobs.resolve(curve, "balanced", {}, target.backend)
    parts = message_parts(configuration, curve, (OP,))
    parts = msgspec.structs.replace(
        parts,
        adapter=TIMELIB / "day.c",
        identity=[*parts.identity, contents(TIMELIB), TICK_HZ],
        include=(*parts.include, TIMELIB, FIRMWARE / "tls"),
        glue=(TIMELIB / "timelib.c", TIMELIB / "sim.c", *parts.glue),
        glue_defines=(
            *parts.glue_defines,
            f"TIMELIB_HZ={target.clock.hz if target.clock else 0}u",
            f"TIMELIB_TICK_HZ={TICK_HZ}u",
            "TIMELIB_TICKS=0xFFFFFFFFu",
        ),
    )
    tools = toolchain.find_toolchain("gcc", target.arch, target.core, "Os")
    return build(Request(target, configuration, CURVE, (OP,), tools, parts))


class Host:
    """The world around the firmware: clocks, pin, radio, and what all that draws."""

    def __init__(
        self, machine: CallingMachine, target: Target, symbols: dict[str, int], seed: int
    ) -> None:
        assert target.clock is not None
        self.machine, self.hz, self.symbols = machine, target.clock.hz, symbols
        self.active = next(one for one in target.power if one.state == "active")
        self.link = find_link(LINK)
        self.random = random.Random(seed)
        self.pieces: list[Piece] = []
        self.times: list[tuple[str, int]] = []
        self.ticks: list[int] = []
        self.message = b""
        self.now = 0.0  # seconds, at the last piece's end
        self.computed = 0  # cycles that are in the pieces
        self.high = False
        self.left, self.period_s, self.wake_s = 0, 0.0, 0.0

    def __call__(self, arguments: tuple[int, ...]) -> int | None:
        question, address, size = arguments[:3]
        self._compute()
        if question == TICKS:
            return int(self.now * TICK_HZ)
        if question == CYCLES:
            return int(self.now * self.hz) & 0xFFFFFF
        if question == PIN:
            self.high = size == 1
            return 0
        if question == SLEEP:
            return self._pause(size / TICK_HZ) if size else self._sleep()
        if question == RADIO:
            self.message = self.machine.read(address, size)
            cycle_us = 1e6 / self.link.wake_hz
            self._steps(message_steps(self.link, size, self.random.random() * cycle_us))
            return 0
        if question == SAY:
            name = self.machine.read(address, 16).split(b"\0")[0].decode("ascii")
            self.times.append((name, size))
            self._name(name)
            return 0
        return None

    def _spend(self, seconds: float, amperes: float) -> None:
        if seconds > 0:
            self.pieces.append(Piece(seconds, amperes, "?" if self.high else ""))
            self.now += seconds

    def _compute(self) -> None:
        """What the core has done since the last call."""
        cycles = self.machine.cycles - self.computed
        self.computed += cycles
        self._spend(cycles / self.hz, self.active.milliamperes / 1000)

    def _steps(self, steps: Sequence[Step]) -> None:
        milliwatts = {"tx": self.link.tx_milliwatts, "rx": self.link.rx_milliwatts}
        for step in steps:
            amperes = milliwatts.get(step.state, 0) / 1000 / self.active.volts
            self._spend(step.time_us / 1e6, max(amperes, ASLEEP_AMPERES))

    def _pause(self, seconds: float) -> int:
        self._spend(seconds, ASLEEP_AMPERES)
        return 1

    def _sleep(self) -> int:
        """Until the next reading, while the radio looks for others."""
        self.wake_s += self.period_s
        while self.now < self.wake_s:
            self._steps(listening(self.link))
        self.left -= 1
        self.machine.write(self.symbols["bench_pool_used"], bytes(4))
        self.machine.write(self.symbols["bench_pool"], self.random.randbytes(512))
        return int(self.left >= 0)

    def _name(self, name: str) -> None:
        """The pieces under the last mark are of this task."""
        for at in reversed(range(len(self.pieces))):
            if self.pieces[at].task == "?":
                self.pieces[at] = self.pieces[at]._replace(task=name)
            elif self.pieces[at].task:
                break


def run(readings: int, period_s: float, seed: int) -> Day:
    """The day. Errors: BuildError, MissingToolError."""
    target = find_target(TARGET)
    found = image(target)
    regions = [Region(m.name, m.start, m.size, m.kind, m.latency) for m in target.memory]
    with CallingMachine(cycle_model(target), regions, flash_timing(target.mode(MODE))) as machine:
        for segment in found.segments:
            machine.load(segment.address, segment.data)
        machine.reset(target.region("flash").start, limit=10_000_000)
        host = Host(machine, target, found.symbols, seed)
        host.left, host.period_s = readings, period_s
        machine.answer = host
        arena = found.symbols["bench_arena"]
        machine.write(arena, message_input(KEY))
        result = machine.call(
            found.symbols[f"bench_{OP}"],
            (arena + 256, arena),
            sp=found.symbols["image_stack_top"],
            return_to=found.symbols["bench_return"],
            limit=10**12,
        )
        if result.bkpt != 1 or machine.register(0):
            raise BuildError(f"the day ended early: {result.fault or result.stop}")
    return Day(host.pieces, host.times, host.message)


def samples(pieces: Sequence[Piece]) -> Iterator[tuple[float, float, bool]]:
    """Milliseconds, mean microamperes of the time until then, and the pin at that moment."""
    charge, begin, end, number = 0.0, 0.0, 0.0, 1
    for piece in pieces:
        end += piece.seconds
        while number * SAMPLE_S <= end:
            at = number * SAMPLE_S
            charge += (at - max(begin, at - SAMPLE_S)) * piece.amperes
            yield at * 1e3, charge / SAMPLE_S * 1e6, bool(piece.task)
            charge, begin, number = 0.0, at, number + 1
        charge += (end - begin) * piece.amperes
        begin = end


def write(day: Day, folder: Path) -> None:
    """The three files."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "trace.csv").open("w", encoding="utf-8") as file:
        file.write("Timestamp(ms),Current(uA),D0-D7\n")
        file.writelines(f"{t:.3f},{i:.3f},{pin:d}0000000\n" for t, i, pin in samples(day.pieces))
    lines = [f"task,duration_ticks@{TICK_HZ}", *(f"{name},{ticks}" for name, ticks in day.times)]
    (folder / "times.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = ["task,seconds,joules"]
    lines += [f"{name},{s:.6f},{j:.9f}" for name, s, j in truth(day.pieces)]
    (folder / "truth.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def truth(pieces: Sequence[Piece]) -> list[tuple[str, float, float]]:
    """What the model put in: each task, its seconds and joules together; "" beside the tasks."""
    volts = next(one for one in find_target(TARGET).power if one.state == "active").volts
    found: dict[str, tuple[float, float]] = {}
    for piece in pieces:
        seconds, joules = found.get(piece.task, (0.0, 0.0))
        more = piece.seconds * piece.amperes * volts
        found[piece.task] = seconds + piece.seconds, joules + more
    return [(name, *figures) for name, figures in sorted(found.items())]


def main() -> int:
    """Writes the three files."""
    if not 2 <= len(sys.argv) <= 5:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    words = [*sys.argv[2:], *("", "", "")]
    day = run(int(words[0] or READINGS), float(words[1] or PERIOD_S), int(words[2] or 1))
    write(day, Path(sys.argv[1]))
    seconds = sum(piece.seconds for piece in day.pieces)
    print(f"sensor_day: {len(day.times)} tasks in {seconds:.1f} s, in {sys.argv[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
