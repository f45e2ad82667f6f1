"""Rows built and run on the workers of a dask cluster, which share nothing but the job.

A job is a row with its settings and the content key of what is wanted: a worker whose sources,
compiler or simulator differ makes another key, and says so. An image is built once, by whichever
worker, and goes from there to the others that need it. What a lost worker had in hand is done again
by another. Measurements come back; records are made where they were asked for.
"""

from __future__ import annotations

import logging
import platform
import re
import sys
from concurrent.futures import CancelledError
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ecfit import __version__
from ecfit.choices.peers import all_peers
from ecfit.errors import EcfitError, MissingToolError, UsageError
from ecfit.measure.bench import Bench, Observe, Row, null_row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Image, Measurement

if TYPE_CHECKING:
    from distributed import Client, Future

ANSWER = 5  # seconds for a scheduler to answer
JOIN = 20  # seconds for the first worker to be there, and for another when all are lost
WAITING = 4  # rows that wait for each thread of a worker


class OtherWorkerError(EcfitError):
    """A worker that would measure something else."""


class Job(msgspec.Struct, frozen=True):
    """The job of a worker: a row, and the content key of the image or measurement."""

    row: Row
    settings: Settings
    use_cache: bool
    key: str
    observe: Observe = "counts"


class Cluster:
    """The workers behind a scheduler. Errors: UsageError where nobody
    answers or versions differ, MissingToolError without dask.
    """

    def __init__(self, address: str, *, use_cache: bool) -> None:
        self.address, self.use_cache = address, use_cache
        self._client = _connected(address)
        self._images: dict[str, Future] = {}
        threads = sum(worker["nthreads"] for worker in self._workers().values())
        self.places = max(1, min(WAITING * threads, 256))

    def measured(self, settings: Settings, row: Row, key: str, observe: Observe) -> Measurement:
        """The measurement of this content key. Errors: BuildError, UsageError."""
        images = [self._image(settings, variant) for variant in (row, null_row(row))]
        job = Job(row, settings, self.use_cache, key, observe)
        future = self._submit(_measured, job, *images, key=f"ecfit-run-{key}")
        result: Measurement = self._result(future)
        return result

    def _image(self, settings: Settings, row: Row) -> Future:
        key = _bench(settings, self.use_cache).request(row).key
        if key not in self._images:
            job = Job(row, settings, self.use_cache, key)
            self._images[key] = self._submit(_image, job, key=f"ecfit-image-{key}")
        return self._images[key]

    def _submit(self, *job: Any, key: str) -> Future:
        try:
            return self._client.submit(*job, key=key)
        except Exception as error:
            raise self._lost(error) from None

    def _result(self, future: Future) -> Any:
        from distributed import TimeoutError as NotYetError

        while True:
            try:
                return future.result(timeout=JOIN)
            except NotYetError:
                if not self._workers():
                    raise UsageError(
                        f"all workers of {self.address} are gone: start some ('dask worker "
                        f"{self.address}') and run this again; what is done is in the cache"
                    ) from None
            except OtherWorkerError as error:
                raise UsageError(str(error)) from None
            except EcfitError:
                raise
            except CancelledError as error:
                raise self._lost(error) from None
            except Exception as error:
                message = f"{type(error).__name__}: {error}".splitlines()[0]
                raise UsageError(f"a job failed on {self.address}: {message}") from None

    def _workers(self) -> dict[str, Any]:
        try:
            workers: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        except Exception as error:
            raise self._lost(error) from None
        return workers

    def _lost(self, error: BaseException) -> UsageError:
        return UsageError(
            f"the scheduler at {self.address} went away ({type(error).__name__}): "
            "run this again; what is done is in the cache"
        )


def _connected(address: str) -> Client:
    """A client of that scheduler. Errors: UsageError, MissingToolError."""
    if not re.fullmatch(r"(tcp|tls)://[^/\s]+:[0-9]{1,5}", address):
        raise UsageError(f"--scheduler takes an address as tcp://HOST:PORT, not '{address}'")
    try:
        from distributed import Client
    except ImportError:
        raise MissingToolError(
            "--scheduler needs dask.distributed: pip install distributed, here and on the workers"
        ) from None
    for name in ("distributed", "distributed.client"):  # which has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"no dask scheduler answers at {address} within {ANSWER} s "
            f"({type(error).__name__}): start one with 'dask scheduler'"
        ) from None
    try:
        client.wait_for_workers(1, timeout=JOIN)
    except (OSError, TimeoutError):
        raise UsageError(
            f"{address} has no workers: start some with 'dask worker {address}'"
        ) from None
    _compare(client, address)
    return client


def _compare(client: Client, address: str) -> None:
    """Errors: UsageError where a worker has another Python, dask or ecfit, or none."""
    try:
        theirs: dict[str, tuple[str, ...]] = client.run(versions)
    except Exception as error:
        message = str(error).splitlines()[0]
        raise UsageError(
            f"a worker of {address} cannot run jobs of ecfit ({type(error).__name__}: {message}): "
            "install the same ecfit there"
        ) from None
    for worker, its in theirs.items():
        if its != versions():
            raise UsageError(
                f"worker {worker} has {', '.join(its)}, here are {', '.join(versions())}: "
                "install the same"
            )


def versions() -> tuple[str, ...]:
    """What must be the same everywhere for jobs to be understood."""
    import distributed

    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    return f"ecfit {__version__}", f"distributed {distributed.__version__}", python


@cache
def _bench(settings: Settings, use_cache: bool) -> Bench:
    """The bench of a worker, or of a client that makes keys: one for all rows of a command."""
    return Bench(settings, all_peers({}), Store(enabled=use_cache))


def _image(job: Job) -> Image:
    """On a worker. Errors: BuildError, OtherWorkerError."""
    bench = _bench(job.settings, job.use_cache)
    request = bench.request(job.row)
    _same(request.key, job, bench)
    return bench.image(request)


def _measured(job: Job, image: Image, null: Image) -> Measurement:
    """On a worker. Errors: BuildError, OtherWorkerError."""
    bench = _bench(job.settings, job.use_cache)
    _same(bench.key(job.row, job.observe), job, bench)
    kept = bench.store.measurement(job.key)
    return kept if kept is not None else bench.run(job.row, image, null, job.observe)


def _same(own: str, job: Job, bench: Bench) -> None:
    if own != job.key:
        raise OtherWorkerError(
            f"worker {platform.node()} would measure something else: its sources, compiler "
            f"({bench.toolchain(job.row).label}) or simulator are not those here: "
            "install the same"
        )
