"""Traces of a Joulescope, JLS version 2: the only module that knows its maker's package, pyjls.

A recording of two million samples a second is read as means over so many samples that at most
POINTS remain; the package computes them from summaries that the file holds.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
from array import array
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ecfit.errors import MissingToolError, UsageError
from ecfit_lab.energy.csvtrace import Circuit
from ecfit_lab.energy.trace import Trace, check_current, checked

POINTS = 4_000_000
SECONDS = 120  # for a whole recording
_BLOCK = 1 << 20  # digital samples at a time
_GROUP = 4096  # points at a time


def read(path: Path, circuit: Circuit) -> Trace:
    """Power: of the recording's own voltage where it has one, else at --volts.

    Errors: UsageError, MissingToolError.
    """
    try:
        import pyjls as _installed  # noqa: F401
    except ImportError:
        raise MissingToolError(
            "traces of a Joulescope need the Python package pyjls: pip install pyjls"
        ) from None
    if circuit.shunt_ohms is not None or circuit.resolution_volts is not None:
        raise UsageError(
            f"{path.name}: a Joulescope measures current: leave --shunt-ohms and --resolution out"
        )
    if not path.is_file() or not os.access(path, os.R_OK):
        raise UsageError(f"{path}: cannot be read")
    if path.stat().st_size < 32:
        raise UsageError(f"{path.name}: the file is too short for a recording")
    return _apart(path, circuit)


def _apart(path: Path, circuit: Circuit) -> Trace:
    """Reads in a process of its own: the package is native code, in which a damaged file can end
    the process, or never end. Errors: UsageError.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(theirs, path, circuit, POINTS), daemon=True)
    child.start()
    theirs.close()
    try:
        found = ours.recv() if ours.poll(SECONDS) else f"not read within {SECONDS} s"
    except EOFError:
        found = "what reads it has crashed"
    finally:
        child.kill()
        child.join()
        ours.close()
    if isinstance(found, str):
        raise UsageError(f"{path.name}: not a whole JLS recording: {found}")
    if isinstance(found, UsageError):
        raise found
    trace: Trace = found
    return trace


def _child(answer: Connection, path: Path, circuit: Circuit, points: int) -> None:
    """The trace of a recording, a UsageError, or what is wrong with the file."""
    import pyjls

    found: Trace | UsageError | str
    try:
        with _quiet(), pyjls.Reader(str(path)) as reader:
            found = _read(path.name, reader, circuit, points)
    except UsageError as error:
        found = error
    except (RuntimeError, ValueError, OSError, KeyError, MemoryError, IndexError) as error:
        found = " ".join(str(error).split())[:80]
    answer.send(found)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without what the package's C part writes to standard error."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def _read(name: str, reader: Any, circuit: Circuit, points: int) -> Trace:
    signals = {
        signal.name.lower(): signal
        for signal in reader.signals.values()
        if signal.signal_type == 0 and signal.length > 0
    }
    current = signals.get("current")
    if current is None:
        raise UsageError(f"{name}: the recording has no signal 'current'")
    if current.units != "A":
        raise UsageError(f"{name}: its current is in '{current.units[:20]}', not in A")
    voltage = signals.get("voltage")
    if voltage is None and circuit.volts is None:
        raise UsageError(f"{name}: the voltage of the supply is not in it: give --volts")
    if voltage is not None and circuit.volts is not None:
        raise UsageError(f"{name}: it has the voltage of the supply: leave --volts out")
    step = -(-current.length // points)
    count = current.length // step
    amperes = _means(reader, current.signal_id, step, count)
    if not math.isfinite(sum(amperes)):  # what the instrument could not hand over is no number
        at = next(n for n, value in enumerate(amperes) if not math.isfinite(value))
        raise UsageError(
            f"{name}: a gap at {at * step / current.sample_rate:.4g} s: samples are lost, "
            "record it again"
        )
    check_current(name, max(amperes), min(amperes))
    if voltage is None:
        volts = array("d", [circuit.volts or 0.0]) * count
    elif (voltage.length, voltage.sample_rate) != (current.length, current.sample_rate):
        raise UsageError(f"{name}: current and voltage are not of the same samples")
    else:
        volts = _means(reader, voltage.signal_id, step, count)
    power = array("d", [i * u for i, u in zip(amperes, volts, strict=True)])
    interval = step / current.sample_rate
    times = array("d", [n * interval for n in range(count)])
    bits = bytearray(count)
    for pin in range(8):
        if (signal := signals.get(f"gpi[{pin}]") or signals.get(f"gpi{pin}")) is not None:
            _digital(name, reader, signal, current.sample_rate, step, bits=bits, pin=pin)
    return checked(name, times, power, 0.0, bytes(bits) if any(bits) else b"")


def _means(reader: Any, signal: int, step: int, count: int) -> array[float]:
    """The mean of each `step` samples."""
    found: array[float] = array("d")
    take: Callable[[int, int], Any]
    if step == 1:
        take = lambda at, n: reader.fsr(signal, at, n)  # noqa: E731
    else:
        take = lambda at, n: reader.fsr_statistics(signal, at * step, step, n)[:, 0]  # noqa: E731
    for at in range(0, count, _GROUP * 16):
        found.extend(map(float, take(at, min(_GROUP * 16, count - at))))
    return found


def _digital(
    name: str, reader: Any, signal: Any, rate: int, step: int, *, bits: bytearray, pin: int
) -> None:
    """Takes every `step`-th sample of a pin, and sets the pin's bit where the sample is high."""
    import numpy

    if signal.sample_rate != rate:
        raise UsageError(f"{name}: a digital channel is sampled at another rate than the current")
    total = min(signal.length, len(bits) * step)
    block = max(step, _BLOCK // step * step)
    for at in range(0, total, block):
        packed = reader.fsr(signal.signal_id, at, min(block, total - at))
        values = numpy.unpackbits(packed, bitorder="little")[: min(block, total - at) : step]
        for offset in numpy.flatnonzero(values):
            bits[at // step + int(offset)] |= 1 << pin
