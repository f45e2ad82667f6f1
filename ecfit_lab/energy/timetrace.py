"""The time trace that the firmware wrote: one line for each run of a task, in their order.

The first line names the columns, `task,duration_ms`; the unit may be s, ms, us or, with the
frequency of the timer, ticks: `task,duration_ticks@32768`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import msgspec

from ecfit.errors import UsageError

MOST = 1_000_000  # bytes
_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}


class Timed(msgspec.Struct, frozen=True):
    """A run of a task by the firmware's own clock; `step_s`: what that clock resolves."""

    task: str
    seconds: float
    step_s: float


def read(path: Path) -> tuple[Timed, ...]:
    """The runs in their order. Errors: UsageError."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > MOST:
        raise UsageError(f"{path.name}: a time trace of more than {MOST} bytes: is it the trace?")
    text = data.decode("utf-8-sig", errors="replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    match = lines and re.fullmatch(
        r"task[,;\t] ?duration[ _]?\(?(s|ms|us|ticks@([0-9]{1,10}))\)?", lines[0]
    )
    if not match:
        raise UsageError(
            f"{path.name}: the first line of a time trace is 'task,duration_ms' (or _s, _us, "
            "_ticks@32768)"
        )
    if match[2] and not int(match[2]):
        raise UsageError(f"{path.name}: a timer of 0 Hz does not tick")
    scale = 1 / int(match[2]) if match[2] else _UNITS[match[1]]
    runs = tuple(_timed(path.name, n, line, scale) for n, line in enumerate(lines[1:], 2))
    if not runs:
        raise UsageError(f"{path.name}: there is no task below its first line")
    return runs


def _timed(name: str, number: int, line: str, scale: float) -> Timed:
    match = re.fullmatch(r"([^,;\t]{1,80}?)\s*[,;\t]\s*([0-9]{1,12})(?:\.([0-9]{1,12}))?", line)
    if not match:
        raise UsageError(f"{name}: line {number} is not 'task,duration': '{line[:40]}'")
    seconds = float(f"{match[2]}.{match[3] or 0}") * scale
    if not (math.isfinite(seconds) and seconds > 0):
        raise UsageError(f"{name}: line {number}: a task that took no time")
    return Timed(match[1], seconds, 10.0 ** -len(match[3] or "") * scale)
