#!/usr/bin/env python3
"""Damaged traces and time traces: each must be analysed, or refused in one line, within seconds.

tools/fuzz/fuzz_trace.py [SECONDS] [SEED]    fuzzes for that time (default 60); prints one line and
                                             exits 0, or prints the first file that ends otherwise,
                                             keeps it, and exits 1
"""

from __future__ import annotations

import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import FrameType

from ecfit.errors import EcfitError
from ecfit_lab.energy import csvtrace, jlstrace, marks, timetrace
from ecfit_lab.energy.csvtrace import Circuit
from ecfit_lab.energy.tasks import by_task, idle_power, runs
from tools.rigs import synthetic_trace as st

TASKS = [("keygen", 0.08, 0.007), ("sign", 0.05, 0.0071)]
WORDS = (
    *(b"nan", b"inf", b"-inf", b"1e308", b"-1e308", b"1e-320", b"1_0", b"0x1", b"-0", b"\xff\xfe"),
    *(b"", b",", b";", b"\t", b"\n", b"\r", b"\0", b'"', b"9" * 400, b"1," * 300, "µ".encode()),
    *(b"time (s)", b"time (ms)", b"voltage", b"current (uA)", b"D0-D7", b"D0", b"@0", b"ticks@1"),
)
SLOW, HANG = 5.0, 20


class OddEndError(Exception):
    """A file that ended neither in joules nor in one line."""


class HangError(BaseException):
    """So that no handler of exceptions takes it for one of a parser."""


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise HangError


def good(rng: random.Random, folder: Path) -> dict[str, bytes]:
    """Whole files by name: three kinds of traces, and a time trace."""
    setup = st.Setup()
    pieces = st.timeline(TASKS, setup)
    found = st.samples(pieces, setup, rng)
    lines = [f"{t * 1000:.2f},{v * 1e5:.3f},{'1' if v > 0.24 else '0'}0000000\n" for t, v in found]
    return {
        "shunt.csv": st.trace_text(found).encode(),
        "ppk.csv": ("Timestamp(ms),Current(uA),D0-D7\n" + "".join(lines)).encode(),
        "times.csv": st.times_text(pieces).encode(),
        "trace.jls": _recording(found, folder / "good.jls"),
    }


def _recording(found: list[tuple[float, float]], path: Path) -> bytes:
    import numpy
    import pyjls

    with pyjls.Writer(str(path)) as writer:
        writer.source_def(source_id=1, name="JS220", vendor="Jetperch", model="JS220")
        for number, name, units in ((1, "current", "A"), (2, "voltage", "V")):
            writer.signal_def(
                signal_id=number, source_id=1, sample_rate=400, name=name, units=units
            )
        values = numpy.array([v / 10 for _, v in found], dtype=numpy.float32)
        writer.fsr_f32(1, 0, values)
        writer.fsr_f32(2, 0, values * 0 + 5)
    return path.read_bytes()


def damage(rng: random.Random, data: bytes) -> bytes:
    """One to four injuries: bytes, words, pieces moved, repeated or left out, the end cut off."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if not data:
            break
        at, kind = rng.randrange(len(data)), rng.randrange(7)
        if rng.random() < 0.3:
            at = rng.randrange(min(64, len(data)))
        other = at + rng.randrange(1, 400)
        if kind == 0:
            data = data[:at] + bytes([rng.getrandbits(8)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + rng.choice(WORDS) + data[at + rng.randrange(12) :]
        elif kind == 2:
            data = data[:at] + data[other:]
        elif kind == 3:
            data = data[:at] + data[at:other] * rng.randrange(2, 5) + data[other:]
        elif kind == 4:
            to = rng.randrange(len(data))
            data = data[:to] + data[at:other] + data[to:]
        elif kind == 5:
            data = data[:at]
        else:
            data = data[:at] + rng.randbytes(rng.randrange(1, 30)) + data[at:]
    return data


def analyse(folder: Path, name: str) -> str:
    """All that the command does to a trace: "analysed", or "refused". Errors: OddEndError."""
    try:
        timed = timetrace.read(folder / "times.csv")
        if name == "trace.jls":
            trace = jlstrace.read(folder / name, Circuit())
        elif name == "ppk.csv":
            trace = csvtrace.read(folder / name, Circuit(volts=3.0))
        else:
            trace = csvtrace.read(folder / name, Circuit(volts=5.0, shunt_ohms=10.0))
        if name == "ppk.csv":
            marked, timed, ratio = marks.by_channel(trace, 0, None), (), 1.0
        else:
            marked = marks.by_peaks(trace, None, timed)
            ratio = marks.clock_ratio(trace, marked.spans, timed)
        by_task(runs(trace, marked, timed, names=("task",), ratio=ratio, calibration=0.01))
        idle_power(trace, marked)
    except EcfitError as error:
        if "\n" in str(error) or not 10 < len(str(error)) < 400:
            raise OddEndError(f"not one line: {error}") from error
        return "refused"
    return "analysed"


def end_of(folder: Path, name: str) -> str:
    """How one set of files ends. Errors: OddEndError."""
    start = time.process_time()
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(HANG)
    try:
        ended = analyse(folder, name)
    except OddEndError:
        raise
    except Exception as error:
        raise OddEndError(f"{type(error).__name__}: {error}") from error
    except HangError as error:
        raise OddEndError(f"not done after {HANG} s") from error
    finally:
        signal.alarm(0)
    if time.process_time() - start > SLOW:
        raise OddEndError(f"took {time.process_time() - start:.1f} s")
    return ended


def fuzz(folder: Path, seed: int, files: int = 0, seconds: float = 0) -> Counter[str]:
    """That many files, or for that time; they are left in the folder. Errors: OddEndError."""
    rng, ends, until = random.Random(seed), Counter[str](), time.monotonic() + seconds
    whole = good(rng, folder)
    while sum(ends.values()) < files or time.monotonic() < until:
        hurt = rng.choice(("shunt.csv", "shunt.csv", "ppk.csv", "times.csv", "trace.jls"))
        name = rng.choice(("shunt.csv", "trace.jls")) if hurt == "times.csv" else hurt
        for file in (name, "times.csv"):
            data = damage(rng, whole[file]) if file == hurt else whole[file]
            (folder / file).write_bytes(data)
        ends[f"{hurt} {end_of(folder, name)}"] += 1
    return ends


def main() -> int:
    """Fuzzes."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    folder = Path(tempfile.mkdtemp(prefix="ecfit-fuzz-"))
    jlstrace.SECONDS = HANG - 5  # a recording that is not read in time is refused
    try:
        ends = fuzz(folder, seed, seconds=seconds)
    except OddEndError as odd:
        print(f"fuzz_trace: seed {seed}: {odd}: {folder}")
        return 1
    told = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    print(
        f"fuzz_trace: {sum(ends.values())} damaged traces in {seconds:.0f} s (seed {seed}): {told}"
    )
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
