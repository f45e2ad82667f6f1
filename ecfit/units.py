"""Figures as text, and back. Names contain units: cycles, bytes, microseconds."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence

from ecfit.errors import UsageError


def grouped(value: int | None) -> str:
    """An integer with thin groups of three: 15 990 123. Absent: a dash."""
    return "-" if value is None else f"{value:,}".replace(",", " ")


def milliseconds(time_us: float | None) -> str:
    """Microseconds as milliseconds with three significant digits at least. Absent: a dash."""
    if time_us is None:
        return "-"
    value = time_us / 1000
    digits = 0 if value >= 1000 else 1 if value >= 10 else 2 if value >= 1 else 4
    return f"{value:,.{digits}f}".replace(",", " ")


def microjoules(energy_uj: float | None) -> str:
    """An energy with three significant digits at least. Absent: a dash."""
    return "-" if energy_uj is None else milliseconds(energy_uj * 1000)


def years(value: float | None) -> str:
    """Years with three significant digits. Absent: a dash."""
    if value is None:
        return "-"
    return f"{value:.{max(0, min(4, 2 - math.floor(math.log10(value))))}f}"


def median_int(values: Sequence[int]) -> int:
    """The lower median: a value that occurred, so that counts stay exact integers."""
    return statistics.median_low(values)


def hex_size(size: int) -> str:
    """A size in bytes as the TOML files write it: whole KiB where it is."""
    return f"{size // 1024} KiB" if size % 1024 == 0 else f"{size} B"


def difference(after: int | None, before: int | None) -> str:
    """A difference with its sign; 0 when equal. Absent: a dash."""
    if after is None or before is None:
        return "-"
    return f"{after - before:+d}" if after != before else "0"


def percent(after: int | None, before: int | None, noise: float = 0) -> str:
    """A relative difference in per cent with its sign; 0 when it is at most `noise` (a fraction).
    Absent: a dash.
    """
    if after is None or before is None:
        return "-"
    return "0" if abs(after - before) <= noise * before else f"{100 * (after / before - 1):+.1f} %"


_UNITS = {
    # K is 1,000, the less of what people mean by it, so that no limit is exceeded.
    "size": {"": 1.0, "b": 1.0, "k": 1e3, "kb": 1e3, "kib": 1024.0, "mb": 1e6, "mib": 1024.0**2},
    "time": {"us": 1.0, "ms": 1e3, "s": 1e6, "min": 60e6, "h": 3600e6},
    "energy": {"uJ": 1.0, "mJ": 1e3, "J": 1e6},
    "rate": {"bit/s": 1.0, "kbit/s": 1e3, "Mbit/s": 1e6},
    "power": {"nW": 1e-9, "uW": 1e-6, "mW": 1e-3, "W": 1.0},
    "current": {"nA": 1e-9, "uA": 1e-6, "mA": 1e-3, "A": 1.0},
    "voltage": {"uV": 1e-6, "mV": 1e-3, "V": 1.0},
    "charge": {"mAh": 3.6, "Ah": 3600.0},
}
_EXAMPLES = {
    "size": "8KiB, 8kB or 8192",
    "time": "200ms, 1.5s or 900us",
    "energy": "1mJ, 0.2J or 50uJ",
    "rate": "250kbit/s, 9600bit/s or 1Mbit/s",
    "power": "45mW or 3.5uW",
    "current": "2uA or 350nA",
    "voltage": "3V or 3.17mV",
    "charge": "2400mAh or 2.4Ah",
}


def quantity(text: str, kind: str, option: str) -> float:
    """A number with its unit in bytes, microseconds, microjoules, bits a second, watts, amperes,
    volts or coulombs; units of sizes in any case, and a number alone is bytes. Errors: UsageError.
    """
    parts = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,6})?) ?([A-Za-z/]*)", text.strip())
    unit = parts and _UNITS[kind].get(parts[2].lower() if kind == "size" else parts[2])
    if not parts or not unit or float(parts[1]) <= 0:
        raise UsageError(
            f"{option} takes a {kind} above 0 with its unit, as {_EXAMPLES[kind]}, not '{text}'"
        )
    return float(parts[1]) * unit


def share(text: str, option: str) -> float:
    """A share in per cent, from 0 to 100, as a fraction. Errors: UsageError."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise UsageError(f"{option} takes per cent, as 10%, not '{text}'")
    return value / 100
