"""Traces in text: exports of a Nordic PPK2, and columns of time and voltage or current.

The first line names the columns with their units, `Timestamp(ms),Current(uA),D0-D7`,
`time_s;voltage_mV` or `"Timestamp (s)","Main current (A)"`. Separated by commas, semicolons (then
numbers may have decimal commas, as quoted ones may always) or tabs.
"""

from __future__ import annotations

import csv
import math
import re
from array import array
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

import msgspec

from ecfit.errors import UsageError
from ecfit_lab.energy.trace import Trace, check_current, checked, step_of

LINE = 4096  # characters: a longer line is not one of a trace
_NAMES = {
    "time": ("time", "timestamp", "t", "zeit"),
    "current": ("current", "i", "strom"),
    "voltage": ("voltage", "u", "v", "spannung"),
}
_SCALES = {
    "time": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "current": {"A": 1.0, "mA": 1e-3, "uA": 1e-6, "nA": 1e-9},
    "voltage": {"V": 1.0, "mV": 1e-3, "uV": 1e-6},
}
_SAID = {"time": "s, ms, us, ns", "current": "A, mA, uA, nA", "voltage": "V, mV, uV"}


class Circuit(msgspec.Struct, frozen=True):
    """Values that are not in the file: supply, shunt, and the resolution of the converter in
    volts.
    """

    volts: float | None = None
    shunt_ohms: float | None = None
    resolution_volts: float | None = None


class _Column(msgspec.Struct, frozen=True):
    place: int
    scale: float


class _Layout(msgspec.Struct, frozen=True):
    """Where things stand in a line. `word`: the column of eight digits; `pins`: one each."""

    separator: str
    count: int
    columns: dict[str, _Column]
    word: int | None
    pins: tuple[tuple[int, int], ...]


def read(path: Path, circuit: Circuit) -> Trace:
    """A trace in text. Errors: UsageError, one line with the file's name and the line's number."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            return _read(path.name, file, circuit)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None


def _lines(name: str, file: IO[str]) -> Iterator[tuple[int, str]]:
    """Numbered lines that are not empty. A line without an end is not read whole."""
    for number, line in enumerate(iter(partial(file.readline, LINE), ""), 1):
        if len(line) == LINE:
            raise UsageError(f"{name}: line {number} is longer than {LINE} characters: no trace")
        if line.strip():
            yield number, line


def _read(name: str, file: IO[str], circuit: Circuit) -> Trace:
    lines = _lines(name, file)
    _, header = next(lines, (0, ""))
    if not header:
        raise UsageError(f"{name}: the file is empty")
    layout = _layout(name, header)
    _check_circuit(name, layout, circuit)
    times, one, two, bits = _columns(name, lines, layout)
    if not times:
        raise UsageError(f"{name}: there is no sample below the names of the columns")
    power, step = _power(name, layout, circuit, one, two)
    return checked(name, times, power, step, bytes(bits))


def _cells(line: str, separator: str) -> list[str]:
    """The cells of a line, quoted ones without their quotes."""
    line = line.rstrip("\r\n")
    return next(csv.reader([line], delimiter=separator)) if '"' in line else line.split(separator)


def _layout(name: str, header: str) -> _Layout:
    separator = next((mark for mark in ";\t" if mark in header), ",")
    cells = [cell.strip().lstrip("# ") for cell in _cells(header, separator)]  # as Joulescope's
    columns: dict[str, _Column] = {}
    word, pins = None, []
    for place, cell in enumerate(cells):
        if cell == "D0-D7":
            word = place
        elif re.fullmatch("D[0-7]", cell):
            pins.append((place, int(cell[1])))
        elif (found := _named(name, cell)) is not None:
            kind, scale = found
            if kind in columns:
                raise UsageError(f"{name}: two columns of {kind}: leave one")
            columns[kind] = _Column(place, scale)
    if "time" not in columns or len(columns) < 2:
        raise UsageError(
            f"{name}: the first line must name columns of time and of current or voltage with "
            f"their units, as 'time (ms),current (mA)', not '{' '.join(header.split())[:60]}'"
        )
    return _Layout(separator, len(cells), columns, word, tuple(pins))


def _named(name: str, cell: str) -> tuple[str, float] | None:
    """Kind and scale of a column; None for one of something else. A channel may stand before its
    name, and its device behind it: `Main current (A) - Arc 1`. Errors: UsageError.
    """
    names = "|".join(name for kind in _NAMES.values() for name in kind)
    pattern = rf"(?:[\w-]+ )*?({names})(?:[ _]*[(\[_ ]([^)\]]*)(?:[)\]](?: - .*)?)?)?"
    match = re.fullmatch(pattern, cell, re.IGNORECASE)
    if not match:
        return None
    kind = next(kind for kind, names in _NAMES.items() if match[1].lower() in names)
    unit = (match[2] or "").strip().replace("µ", "u").replace("μ", "u")
    scales = _SCALES[kind]
    if not unit:
        raise UsageError(f"{name}: column '{cell[:40]}' has no unit: one of {_SAID[kind]}")
    exact = {u: s for u, s in scales.items() if u == unit or u.lower() == unit}
    if not exact:
        raise UsageError(
            f"{name}: column '{cell[:40]}': '{unit[:20]}' is no unit of {kind}: "
            f"one of {_SAID[kind]}"
        )
    return kind, next(iter(exact.values()))


def _check_circuit(name: str, layout: _Layout, circuit: Circuit) -> None:
    """Supply and shunt are given where they are needed, and only there. Errors: UsageError."""
    current, voltage = "current" in layout.columns, "voltage" in layout.columns
    if not current and circuit.shunt_ohms is None:
        raise UsageError(
            f"{name}: a trace of voltage over a shunt needs --shunt-ohms: is it of current?"
        )
    if current and circuit.shunt_ohms is not None:
        raise UsageError(f"{name}: a trace of current has no shunt: leave --shunt-ohms out")
    if circuit.volts is None and not (current and voltage):
        raise UsageError(f"{name}: the voltage of the supply is not in it: give --volts")
    if circuit.volts is not None and current and voltage:
        raise UsageError(f"{name}: it has the voltage of the supply: leave --volts out")


def _columns(
    name: str, lines: Iterator[tuple[int, str]], layout: _Layout
) -> tuple[array[float], array[float], array[float], bytearray]:
    """Times in seconds, then the raw columns: current or voltage. If the trace has both, the first
    column is current and the second is voltage.
    """
    kinds = [kind for kind in ("current", "voltage") if kind in layout.columns]
    when, what = layout.columns["time"], layout.columns[kinds[0]]
    other = layout.columns[kinds[1]] if len(kinds) > 1 else None
    times, one, two, bits = array("d"), array("d"), array("d"), bytearray()
    separator, count = layout.separator, layout.count
    digital = layout.word is not None or bool(layout.pins)
    number = 0
    try:
        for number, line in lines:
            cells = _cells(line, separator)
            if "," in line and (separator != "," or '"' in line):  # decimal commas
                cells = [cell.replace(",", ".") for cell in cells]
            if len(cells) != count:
                raise UsageError(
                    f"{name}: line {number} has {len(cells)} columns, the first one {count}: "
                    "is the file cut off?"
                )
            times.append(float(cells[when.place]) * when.scale)
            one.append(float(cells[what.place]) * what.scale)
            if other is not None:
                two.append(float(cells[other.place]) * other.scale)
            if digital:
                bits.append(_bits(cells, layout))
    except ValueError:
        shown = " ".join(line.split())[:40]
        raise UsageError(f"{name}: line {number} is not of numbers: '{shown}'") from None
    for values in (times, one, two):
        if not math.isfinite(math.fsum(values) if len(values) < 64 else sum(values)):
            raise UsageError(f"{name}: it holds numbers that are none, as nan or inf")
    return times, one, two, bits


def _bits(cells: list[str], layout: _Layout) -> int:
    """Bit n is channel n; the leftmost digit of D0-D7 is D0. Errors: ValueError."""
    if layout.word is not None:
        digits = cells[layout.word].strip()
        if len(digits) != 8 or digits.strip("01"):
            raise ValueError
        return int(digits[::-1], 2)
    value = 0
    for place, pin in layout.pins:
        digit = cells[place].strip()
        if digit not in ("0", "1"):
            raise ValueError
        value |= (digit == "1") << pin
    return value


def _power(
    name: str, layout: _Layout, circuit: Circuit, one: array[float], two: array[float]
) -> tuple[array[float], float]:
    """Watts of the device, and the step of the converter in watts. Errors: UsageError."""
    highest, lowest = max(one), min(one)
    if two:
        check_current(name, highest, lowest)
        return array("d", [i * v for i, v in zip(one, two, strict=True)]), step_of(one) * max(two)
    assert circuit.volts is not None
    volts, ohms = circuit.volts, circuit.shunt_ohms
    if ohms is None:
        check_current(name, highest, lowest)
        return array("d", [i * volts for i in one]), step_of(one) * volts
    if highest >= volts:
        raise UsageError(
            f"{name}: {highest:.4g} V over the shunt at a supply of {volts:g} V: "
            "is the unit of its column wrong?"
        )
    check_current(name, highest / ohms, lowest / ohms)
    step = circuit.resolution_volts or step_of(one)
    return array("d", [(volts - u) * u / ohms for u in one]), step * volts / ohms
