"""Runs a native library in a process of its own, so that a crash or an endless loop there
is a record, not ours.

Timing: batches of equal length, of so many warm calls that one lasts about 10 ms;
the median of seven batches.
"""

from __future__ import annotations

import ctypes as ct
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from ecfit.paths import PACKAGE, private_folder
from ecfit.run.cases import Case

BATCH_NS = 10_000_000
BATCHES = 7
MOST_CALLS = 1 << 20  # of one batch
TIMEOUT = 60  # seconds for all cases of one operation
_OUT_SIZE = 256  # of an output, or that of the case where it is larger


class HostError(Exception):
    """The process died or did not end; `status` is the word for the record."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status


class Outcome(msgspec.Struct, frozen=True):
    """One case: status and output, statuses of the inputs to be refused, microseconds per call,
    bytes on the heap.

    `heap_bytes`: the most that bench_calloc() had given out at one time;
    None when it was not asked. `spread`: between the quartiles of the batches' times,
    as a fraction of the median. `version`: what an adapter says of the library that runs.
    """

    status: int
    out: bytes
    refused: tuple[int, ...]
    time_us: float
    heap_bytes: int | None = None
    spread: float = 0.0
    version: str | None = None


class _Heap(ct.Structure):
    """bench_heap of firmware/bench_host.c."""

    _fields_ = (("now", ct.c_size_t), ("most", ct.c_size_t))


class _Order(msgspec.Struct, frozen=True):
    library: str
    op: str
    cases: tuple[Case, ...]


def machine_name() -> str:
    """The processor's own name for itself: host figures hold for it only."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
        "unknown",
    )


def environment() -> dict[str, str]:
    """Of a Python that finds this package, and imports nothing from the current folder (-P)."""
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(library: bytes, op: str, cases: Sequence[Case]) -> list[Outcome]:
    """Runs the cases of an operation of a shared library. Errors: HostError."""
    with private_folder("ecfit-") as folder:
        path = folder / "image.so"
        path.write_bytes(library)
        order = msgspec.msgpack.encode(_Order(str(path), op, tuple(cases)))
        command = [sys.executable, "-P", "-m", "ecfit.run.hostlib"]
        try:
            done = subprocess.run(
                command,
                input=order,
                capture_output=True,
                timeout=TIMEOUT,
                check=False,
                env=environment(),
            )
        except subprocess.TimeoutExpired:
            raise HostError("endless loop", f"did not end within {TIMEOUT} s") from None
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        raise HostError(f"fault: {name}", f"the process was ended by {name}")
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise HostError("fault: native", reason[-1] if reason else f"exit code {done.returncode}")
    return msgspec.msgpack.decode(done.stdout, type=list[Outcome])


def batch_size(batch: Callable[[int], float], wanted_ns: int) -> int:
    """How many calls take `wanted_ns` when warm: the first ones pay for cold caches, slow clocks.

    `batch`: makes so many calls, and says what one took in microseconds.
    """
    count, wanted = 1, wanted_ns / 1000
    while (each := batch(count)) * count < wanted / 4 and count < MOST_CALLS:
        count *= 2
    return max(1, min(MOST_CALLS, round(wanted / max(each, 0.001))))


def set_up(library: ct.CDLL, op: str, data: bytes, pool: bytes) -> int:
    """The status of what an adapter sets up once before an operation; 0 where it has nothing."""
    prepare = getattr(library, f"bench_prepare_{op}", None)
    if prepare is None:
        return 0
    size = ct.c_size_t(len(pool))
    return int(library.bench_set_up(ct.cast(prepare, ct.c_void_p), data, pool, size))


def version_of(library: ct.CDLL) -> str | None:
    """What an adapter says of the library that it runs; None where it says nothing."""
    says = getattr(library, "bench_version", None)
    if says is None:
        return None
    says.restype = ct.c_char_p
    return str(says().decode())


def _measure(order: _Order) -> list[Outcome]:
    """In the child: loads the library, runs and times."""
    library = ct.CDLL(order.library)
    function = ct.cast(getattr(library, f"bench_{order.op}"), ct.c_void_p)
    elapsed = ct.c_uint64()
    out = ct.create_string_buffer(max(_OUT_SIZE, *(case.out_size for case in order.cases)))
    heap = _Heap.in_dll(library, "bench_heap")

    def batch(data: bytes, pool: bytes, repeats: int) -> int:
        return int(
            library.bench_batch(
                function, out, data, pool, ct.c_size_t(len(pool)), repeats, ct.byref(elapsed)
            )
        )

    def status_of(data: bytes, pool: bytes) -> int:
        return set_up(library, order.op, data, pool) or batch(data, pool, 1)

    def timed(case: Case, repeats: int) -> float:
        batch(case.data, case.pool, repeats)
        return elapsed.value / repeats / 1000

    outcomes = []
    for case in order.cases:
        heap.most = heap.now
        status = status_of(case.data, case.pool)
        most = heap.most or None
        result = out.raw[: case.out_size]
        times = _times(partial(timed, case)) if status == 0 else []
        refused = tuple(status_of(refusal.data, case.pool) for refusal in case.refused)
        outcomes.append(
            Outcome(
                status,
                result,
                refused,
                statistics.median(times) if times else 0.0,
                most,
                _spread(times) if times else 0.0,
                version_of(library),
            )
        )
    return outcomes


def _times(timed: Callable[[int], float]) -> list[float]:
    """Microseconds of one call, by batch."""
    repeats = batch_size(timed, BATCH_NS)
    return [timed(repeats) for _ in range(BATCHES)]


def _spread(times: Sequence[float]) -> float:
    """How far apart the quartiles are, as a fraction of the median."""
    low, middle, high = statistics.quantiles(times, n=4)
    return (high - low) / middle


if __name__ == "__main__":
    answer = _measure(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Order))
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))
