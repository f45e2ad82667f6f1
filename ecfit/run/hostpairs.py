"""Times native code of several libraries against each other: one batch of each in turn,
over and over.

What slows the machine down for a while then slows all of them down; their ratio,
round by round, stays. The time is that of the processor: while it does other work, no time counts.
"""

from __future__ import annotations

import ctypes as ct
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from ecfit.paths import private_folder
from ecfit.run.cases import Case
from ecfit.run.hostlib import HostError, batch_size, environment, machine_name, set_up

BATCH_NS = 5_000_000
ROUNDS = 15
TIMEOUT = 300  # seconds for all rounds
_OUT_SIZE = 256


class Item(msgspec.Struct, frozen=True):
    """One thing to time: a shared library with bench_<op>, and its input."""

    library: bytes
    op: str
    case: Case


class _Order(msgspec.Struct, frozen=True):
    paths: tuple[str, ...]
    ops: tuple[str, ...]
    cases: tuple[Case, ...]


def interleaved(items: Sequence[Item]) -> list[list[float]]:
    """Microseconds per call of each item, one figure for each of ROUNDS. Errors: HostError."""
    with private_folder("ecfit-") as folder:
        paths = []
        for index, item in enumerate(items):
            path = folder / f"image{index}.so"
            path.write_bytes(item.library)
            paths.append(str(path))
        order = _Order(
            tuple(paths), tuple(item.op for item in items), tuple(item.case for item in items)
        )
        command = [sys.executable, "-P", "-m", "ecfit.run.hostpairs"]
        try:
            done = subprocess.run(
                command,
                input=msgspec.msgpack.encode(order),
                capture_output=True,
                timeout=TIMEOUT,
                check=False,
                env=environment(),
            )
        except subprocess.TimeoutExpired:
            raise HostError("endless loop", f"did not end within {TIMEOUT} s") from None
    if done.returncode:
        raise HostError(
            "fault: native", f"the process that takes the times ended with {done.returncode}"
        )
    return msgspec.msgpack.decode(done.stdout, type=list[list[float]])


def description() -> str:
    """The processor and how its clock is governed, as far as the system tells."""
    path = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    try:
        governor = path.read_text(encoding="utf-8").strip()
    except OSError:
        governor = "not told by the system"
    return f"{machine_name()}, governor: {governor}"


def _measure(order: _Order) -> list[list[float]]:
    """In the child: loads all libraries, then times a batch of each, round by round."""
    elapsed = ct.c_uint64()
    out = ct.create_string_buffer(_OUT_SIZE)
    libraries = [ct.CDLL(path) for path in order.paths]
    functions = [
        ct.cast(getattr(lib, f"bench_{op}"), ct.c_void_p)
        for lib, op in zip(libraries, order.ops, strict=True)
    ]

    def batch(index: int, repeats: int) -> float:
        case = order.cases[index]
        size = ct.c_size_t(len(case.pool))
        start = time.thread_time_ns()
        libraries[index].bench_batch(
            functions[index], out, case.data, case.pool, size, repeats, ct.byref(elapsed)
        )
        return (time.thread_time_ns() - start) / repeats / 1000

    for library, op, case in zip(libraries, order.ops, order.cases, strict=True):
        if set_up(library, op, case.data, case.pool):
            raise RuntimeError(f"what {op} keeps could not be set up")
    repeats = [batch_size(partial(batch, index), BATCH_NS) for index in range(len(libraries))]
    times: list[list[float]] = [[] for _ in libraries]
    for _ in range(ROUNDS):
        for index, count in enumerate(repeats):
            times[index].append(batch(index, count))
    return times


if __name__ == "__main__":
    answer = _measure(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Order))
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))
