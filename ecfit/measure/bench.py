"""From a selection to records: builds what is missing, runs what is missing, keeps both.

A row is one operation of one library on one target. Rows are independent and run on threads:
compilers are processes of their own, and the simulator runs outside the interpreter's lock.
A row that fails is a record with a status.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import nullcontext
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import msgspec

from ecfit import __version__
from ecfit.build.parts import NULL, Beside, built, make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import MESSAGE_OPS, OPS, Curve
from ecfit.choices.peers import Peer
from ecfit.choices.targets import Mode, Target
from ecfit.errors import BuildError, MissingToolError
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store, own_code
from ecfit.model import (
    Configuration,
    Image,
    Measurement,
    Observation,
    Place,
    Record,
    Toolchain,
    Verdict,
    digest,
)
from ecfit.run import basis
from ecfit.units import median_int

if TYPE_CHECKING:
    from ecfit.run.job import Job

NOT_OFFERED = "not offered"
T = TypeVar("T")


def derive(target: Target, record: Record) -> Record:
    """The record with time_us (cycles at the target's clock), energy_uj (that time in the target's
    active state) and ram_bytes (static RAM, stack and heap) filled in.
    """
    counted, energy = target.time_and_energy(record.cycles)
    time_us, ram = record.time_us if counted is None else counted, None
    if record.static_ram_bytes is not None and record.stack_bytes is not None:
        ram = record.static_ram_bytes + record.stack_bytes + (record.heap_bytes or 0)
    return msgspec.structs.replace(record, time_us=time_us, energy_uj=energy, ram_bytes=ram)


class Row(msgspec.Struct, frozen=True):
    """One record to be: where, what, how. `image_ops`: the operations that its image contains;
    `more`: further curves in it, with their settings, which are not run, and libraries that are
    `beside`; `extras`: what else is in it (EXTRAS).
    """

    target: Target
    mode: Mode | None
    mode_name: str | None
    configuration: Configuration
    curve: Curve
    op: str
    image_ops: tuple[str, ...]
    offered: bool = True
    place: Place = "flash"
    more: tuple[tuple[Curve, Configuration], ...] = ()
    beside: tuple[Beside, ...] = ()
    extras: tuple[str, ...] = ()
    toolchain: str | None = None  # None: that of the settings
    opt: str | None = None

    @property
    def others(self) -> tuple[tuple[Curve, Configuration], ...]:
        """All that is in the image, and not run."""
        beside = ((o.curve, o.configuration) for o in self.beside)
        return *self.more, *beside, *(pair for row in self.beside for pair in row.more)

    @property
    def curve_name(self) -> str:
        """All curves of the image: secp256r1+secp384r1; of a hybrid group its name."""
        others = self.others if not self.curve.parts else ()
        return "+".join([self.curve.name, *(curve.name for curve, _ in others)])

    @property
    def config_key(self) -> str:
        """The key of the configuration, or of all of them."""
        keys = [self.configuration.key, *(configuration.key for _, configuration in self.others)]
        return digest(keys)[:16] if self.others else keys[0]

    @property
    def changed(self) -> str | None:
        """What was changed from the preset, for any of the curves."""
        every = self.configuration, *(configuration for _, configuration in self.more)
        texts = [text for configuration in every for text in configuration.changed]
        texts += ["PLACE=ram"] * (self.place == "ram")
        texts += [f"STACK={self.target.stack}"] * bool(self.target.stack)
        return " ".join(dict.fromkeys(texts)) or None


# A call's counts, or its profile as well; "accepted": counts of what an operation accepts, while
# what it must refuse is not tried.
Observe = Literal["counts", "profile", "accepted"]


class Remote(Protocol):
    """Other machines that build and run (ecfit.measure.cluster)."""

    places: int  # rows that it is worth waiting for at the same time

    def measured(self, settings: Settings, row: Row, key: str, observe: Observe) -> Measurement:
        """The measurement of this content key. Errors: BuildError, UsageError."""


class Bench:
    """Measures rows. Images are built once per command and content key, whoever asks first."""

    def __init__(
        self,
        settings: Settings,
        peers: Mapping[str, Peer],
        store: Store,
        remote: Remote | None = None,
    ) -> None:
        self.settings, self.peers, self.store, self.remote = settings, peers, store, remote
        self._images: dict[str, Future[Image]] = {}
        self._requests: dict[tuple[object, object], Request] = {}  # four are asked for each row
        self._lock = threading.Lock()
        self._host = threading.Lock()  # native code is timed by the clock: one row at a time

    def check(self, rows: Sequence[Row]) -> None:
        """Finds out before the work begins whether names are known and any compiler is there.

        Where some compilers are missing, their rows are marked and the rest goes on.
        Errors: UsageError; MissingToolError when all are missing.
        """
        different = {(r.target.name, r.toolchain, r.opt): r for r in rows}.values()
        missing = []
        for row in different:
            try:
                self.toolchain(row)
                basis.check(row.target, self.settings.model_rows)
            except MissingToolError as error:
                missing.append(error)
        if missing and len(missing) == len(different):
            raise missing[0]

    def each(self, rows: Sequence[Row], step: Callable[[Row], T]) -> Iterator[tuple[int, T]]:
        """Index and result of `step` for each row, as they are done.
        Interrupting cancels what has not begun.

        The first row of each image comes before the second of any:
        threads do not wait for one another's builds.
        """
        pool = ThreadPoolExecutor(self.remote.places if self.remote else self.settings.jobs)
        try:
            futures = {pool.submit(step, rows[index]): index for index in _spread(rows)}
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def measure(self, row: Row, observe: Observe = "counts") -> Record:
        """Builds and runs one row, or takes it from the store."""
        if not row.offered:
            return self._not_offered(row)
        try:
            return self._record(row, self._measurement(row, observe))
        except BuildError as error:
            return self._record(row, Measurement(Observation(error.status, str(error))))

    def candidate(self, row: Row) -> Record:
        """As :meth:`measure`, but what an operation must refuse is not tried, which is two thirds
        of a verification's runs: :meth:`confirm` does it, of what is chosen. Only the simulator
        here can do without.
        """
        here = row.target.runner == "sim" and self.remote is None
        return self.measure(row, "accepted" if here else "counts")

    def confirm(self, row: Row) -> Record:
        """Of a candidate the record that :meth:`measure` gives."""
        from ecfit.run import runner

        record = self.candidate(row)
        if record.status != "ok":
            return record
        key, accepted = self.key(row, "counts"), self._measurement(row, "accepted")
        if self.store.measurement(key) is None:
            refused = runner.refuse(self.image(self.request(row)), self._job(row, 1))
            if refused.status != "ok":
                return self._record(row, Measurement(refused))
            self.store.put_measurement(key, accepted)
        return record

    def size(self, row: Row) -> Record:
        """Builds one row without running it: sizes only, `op` names all operations of the image."""
        from ecfit.build.build import sizes

        if not row.offered:
            return self._not_offered(row)
        try:
            image, null = self.image(self.request(row)), self.image(self.request(null_row(row)))
            measurement = Measurement(Observation(), sizes(image, null, row.place))
        except BuildError as error:
            measurement = Measurement(Observation(error.status, str(error)))
        return self._record(row, measurement)

    def _not_offered(self, row: Row) -> Record:
        detail = (
            f"{row.configuration.library} has no {row.op} on {row.curve_name} for {row.target.core}"
        )
        return self._record(row, Measurement(Observation(NOT_OFFERED, detail)))

    def profile(self, row: Row) -> tuple[Record, dict[tuple[str, ...], int]]:
        """Runs one row once and tells its cycles by call stack as well; kept like a measurement."""
        if not row.offered:
            return self.measure(row), {}
        try:
            measurement = self._measurement(row, "profile")
        except BuildError as error:
            return self._record(row, Measurement(Observation(error.status, str(error)))), {}
        return self._record(row, measurement), measurement.observation.profile

    def constant_time(self, row: Row) -> Verdict:
        """Follows the secrets of a run with each public input, and compares runs that differ
        in their secrets alone: of the image that is measured, and of that with the operation in
        pieces. Where there are both, the runs of the latter are compared.
        """
        from ecfit.run import runner
        from ecfit.run.cases import has_public_input
        from ecfit.run.follow import follow

        try:
            requests = [self.request(row, lines=True, pieces=pieces) for pieces in (False, True)]
            images = [
                self.image(request)
                for request in {request.key: request for request in requests}.values()
            ]
        except BuildError as error:
            failed = self._record(row, Measurement(Observation(error.status, str(error))))
            return Verdict(failed, (), (), (), (failed,))
        job = msgspec.structs.replace(self._job(row, self.settings.runs), secrets_only=True)
        inputs = self.settings.inputs if has_public_input(row.op) else 1
        followed = [follow(image, job, inputs) for image in images]
        taint = next((observed for observed in followed if observed.status != "ok"), followed[0])
        compared = (
            runner.run(images[-1], msgspec.structs.replace(job, public=n)) for n in range(inputs)
        )
        return Verdict(
            self._record(row, Measurement(taint)),
            tuple(leak for observed in followed for leak in observed.leaks),
            tuple(use for observed in followed for use in observed.declared),
            tuple(dict.fromkeys(what for observed in followed for what in observed.accepted)),
            tuple(self._compared(row, observed) for observed in compared),
            sum(len(image.public_at) for image in images),
        )

    def _compared(self, row: Row, observed: Observation) -> Record:
        from ecfit.run.cases import not_comparable

        record, why = self._record(row, Measurement(observed)), not_comparable(row.curve, row.op)
        return msgspec.structs.replace(record, runs=1, detail=why) if why else record

    def toolchain(self, row: Row) -> Toolchain:
        """The compiler of a row. Errors: UsageError, MissingToolError."""
        name, opt = row.toolchain or self.settings.toolchain, row.opt or self.settings.opt
        return find_toolchain(name, row.target.arch, row.target.core, opt, self.settings.cc)

    def _compiler(self, row: Row) -> str:
        """What a record says of the compiler: its name alone where it is not installed."""
        try:
            return self.toolchain(row).label
        except MissingToolError:
            return row.toolchain or self.settings.toolchain

    def request(self, row: Row, *, lines: bool = False, pieces: bool = False) -> Request:
        """What to build for a row, and whether to read its source `lines`; in `pieces`, if it has
        them.

        Errors: PackageError, MissingToolError.
        """
        what = row.configuration, row.curve_name, row.image_ops, row.more, row.beside, row.extras
        how = repr(row.target), row.place, row.toolchain, row.opt, lines, pieces
        request = self._requests.get((what, how))
        if request is None:
            request = self._requests[what, how] = self._requested(row, lines=lines, pieces=pieces)
        return request

    def _requested(self, row: Row, *, lines: bool, pieces: bool) -> Request:
        more, extras, ops = row.more, row.extras, row.image_ops
        if set(ops) & set(MESSAGE_OPS):
            from ecfit.build.messages import message_parts

            parts = message_parts(row.configuration, row.curve, ops)
        else:
            args = row.configuration, row.curve.name, ops, self.peers
            parts = make_parts(*args, more=more, beside=row.beside, extras=extras, pieces=pieces)
        ops = built(row.curve, row.configuration, ops) if row.more else ops
        by, of, place = self.toolchain(row), row.configuration, row.place
        return Request(row.target, of, row.curve.name, ops, by, parts, place, lines)

    def image(self, request: Request) -> Image:
        """The image of a request: from the store, or built by the first thread that asks.
        Errors: BuildError.
        """
        key = request.key
        with self._lock:
            future = self._images.get(key)
            mine = future is None
            if future is None:
                future = self._images[key] = Future()
        if mine:
            try:
                future.set_result(self.store.made_image(key, partial(_built, request)))
            except BaseException as error:
                future.set_exception(error)
                raise
        return future.result()

    def _job(self, row: Row, runs: int) -> Job:
        from ecfit.run.job import Job

        return Job(
            row.target,
            row.mode,
            row.curve,
            row.op,
            self.settings.seed,
            runs,
            self.settings.limit,
            model_rows=self.settings.model_rows,
        )

    def _measurement(self, row: Row, observe: Observe = "counts") -> Measurement:
        """From the store, or built and run, here or elsewhere. Errors: BuildError."""
        key = self.key(row, observe)
        measurement = self.store.measurement(key)
        if measurement is None and observe == "accepted":
            measurement = self.store.measurement(self.key(row, "counts"))
        if measurement is None:
            if self.remote is not None and row.target.runner == "sim":
                measurement = self.remote.measured(self.settings, row, key, observe)
            else:
                image, null = self.request(row), self.request(null_row(row))
                measurement = self.run(row, self.image(image), self.image(null), observe)
            if row.target.runner == "sim" or measurement.observation.status == "ok":
                self.store.put_measurement(key, measurement)
        return measurement

    def key(self, row: Row, observe: Observe) -> str:
        """The content key of a measurement: equal keys, equal figures. Errors: BuildError."""
        of = self.settings
        settings = [row.curve.name, row.op, of.seed, self._runs(observe), of.limit, observe]
        return digest(
            [
                self.request(row).key,
                self.request(null_row(row)).key,
                basis.runner_key(row.target, row.mode, of.model_rows),
                settings,
                own_code(),
            ]
        )

    def _runs(self, observe: Observe) -> int:
        return 1 if observe == "profile" else self.settings.runs

    def run(self, row: Row, image: Image, null: Image, observe: Observe) -> Measurement:
        """Runs a row, whose image and whose empty one there are."""
        from ecfit.build.build import sizes
        from ecfit.build.stackbound import bound
        from ecfit.run import runner

        with self._host if row.target.runner == "host" else nullcontext():
            observation = runner.run(image, self._job(row, self._runs(observe)), observe)
        stack = bound(image.frames, f"bench_{row.op}", observation.stack_bytes)
        return Measurement(observation, sizes(image, null, row.place), stack)

    def _error_class(self, row: Row, observed: Observation) -> str | None:
        """What the figures of a row are worth; of a changed cycle model nothing is known."""
        if row.mode is None:
            return row.target.counts_class if observed.instructions else None
        return None if self.settings.model_rows else row.target.time_class(row.mode)

    def _record(self, row: Row, measurement: Measurement) -> Record:
        observed, sizes = measurement.observation, measurement.sizes
        peer = self.peers.get(row.configuration.library)
        hashes = set(observed.trace_hashes)
        return derive(
            row.target,
            Record(
                library=row.configuration.library,
                library_version=observed.version or _version(peer),
                curve=row.curve_name,
                op=row.op,
                image_ops="+".join(row.image_ops),
                target=row.target.name,
                core=row.target.core,
                mode=row.mode_name,
                preset=row.configuration.preset,
                changed=row.changed,
                config_key=row.config_key,
                toolchain=self._compiler(row),
                opt=row.opt or self.settings.opt,
                model_rows=self.settings.model_changes if row.target.runner == "sim" else None,
                runner=row.target.runner,
                seed=self.settings.seed,
                runs=self.settings.runs,
                status=observed.status,
                detail=observed.detail,
                cycles=median_int(observed.cycles) if observed.cycles else None,
                cycles_min=min(observed.cycles, default=None),
                cycles_max=max(observed.cycles, default=None),
                cycles_mean=round(mean(observed.cycles), 3) if observed.cycles else None,
                instructions=median_int(observed.instructions) if observed.instructions else None,
                prepare_cycles=observed.prepare_cycles,
                time_spread=round(observed.time_spread, 4)
                if observed.time_spread is not None
                else None,
                time_us=sorted(observed.times_us)[len(observed.times_us) // 2]
                if observed.times_us
                else None,
                stack_bytes=observed.stack_bytes,
                static_stack_bytes=measurement.stack.bytes if measurement.stack else None,
                static_stack_open="; ".join(measurement.stack.open) or None
                if measurement.stack
                else None,
                heap_bytes=observed.heap_bytes,
                static_ram_bytes=sizes.static_ram_bytes,
                flash_bytes=sizes.flash_bytes,
                foreign_bytes=sizes.foreign_bytes,
                trace_hash=next(iter(hashes)) if len(hashes) == 1 else None,
                trace_hashes=len(hashes) or None,
                error_class=self._error_class(row, observed) if observed.status == "ok" else None,
            ),
        )


def _built(request: Request) -> Image:
    from ecfit.build.build import build

    return build(request)


def _version(peer: Peer | None) -> str:
    """What a record says of a library, where its code does not say it."""
    if peer is None:
        return __version__
    if peer.system is None:
        return peer.library_version
    from ecfit.build.fetch import version

    return version(peer)


def _spread(rows: Sequence[Row]) -> list[int]:
    """The indices of the rows, those of one image as far apart as can be."""
    next_turn: dict[object, int] = {}
    turns = []
    for row in rows:
        what = row.target.name, row.config_key, row.curve_name, row.image_ops, row.place
        image = (*what, row.extras, row.toolchain, row.opt)
        turns.append(next_turn.get(image, 0))
        next_turn[image] = turns[-1] + 1
    return sorted(range(len(rows)), key=turns.__getitem__)


def null_row(row: Row) -> Row:
    """The row of the empty image that is subtracted from this row's: all operations,
    so that its glue is as large.
    """
    row = msgspec.structs.replace(row, configuration=Configuration(NULL, None, ()), image_ops=OPS)
    return msgspec.structs.replace(row, more=(), beside=(), extras=())
