"""One connection of the client on a modelled chip."""

from __future__ import annotations

import struct

import msgspec

from ecfit.choices.targets import Mode
from ecfit.errors import BuildError
from ecfit.model import Image
from ecfit.run import leaks
from ecfit.run.basis import cycle_model, flash_timing
from ecfit.run.job import FailureError, function_at
from ecfit.run.runner import Observe
from ecfit.sim.calls import CallingMachine
from ecfit.sim.machine import Region, RunResult, SimError
from ecfit_lab.tls.certs import private_part
from ecfit_lab.tls.configs import WEB_ROOM, Connection, find_connection, kem_of
from ecfit_lab.tls.image import OP, Client
from ecfit_lab.tls.link import Link, Recording, Step, Stream
from ecfit_lab.tls.wolfssl import KEMS

SEND, RECEIVE, RANDOM, TIME, MARK, LEAVE = 1, 2, 3, 4, 5, 6  # firmware/tls/host_call.h
READY, CONNECTED, SERVED, CLOSED = 1, 2, 3, 4  # stages: firmware/tls/port.h
OUT = 256  # firmware/bench_main.c: outputs in bench_arena
HARNESS_RAM = 1024 + 4  # bench_arena and bench_pool, which no client needs
_HEAP = struct.Struct("<3I")
_RESULT = struct.Struct("<2i8I")
# Labels of what is secret, and their names: bit 0, and of random bytes that are not sent bit 1.
OWN_KEY, DRAWN = 1, 2
LABELS = ("private key of the client", "random bytes")
LIMIT = 20_000_000_000  # instructions
_SIZES = {"name": 64, "anchor": 1400, "certificate": 1400, "key": 256}  # firmware/tls/port.h


class End(msgspec.Struct, frozen=True):
    """How a connection ended, as the client says: firmware/tls/port.h."""

    error: int
    stage: int
    flags: int
    refused: int
    payload_bytes: int
    payload_sum: int
    version: int
    ciphersuite: int
    alert: int
    resumed: int


class Mark(msgspec.Struct, frozen=True):
    """A stage that was reached: cycles and instructions until then, steps of the stream, and where
    the run was profiled, the cycles of each path of functions.
    """

    stage: int
    cycles: int
    instructions: int
    steps: int
    profile: dict[tuple[str, ...], int] = {}


class Ran(msgspec.Struct, frozen=True):
    """What a connection showed. `status`: "ok", or why the run itself did not end."""

    status: str
    end: End
    marks: tuple[Mark, ...]
    steps: tuple[Step, ...]
    result: RunResult | None
    heap_bytes: int = 0
    stack_bytes: int = 0
    ram_bytes: int = 0
    times: tuple[int, ...] = ()  # cycles when each step was called for

    def mark(self, stage: int) -> Mark | None:
        """The mark of a stage, where it was reached."""
        return next((mark for mark in self.marks if mark.stage == stage), None)


def stack_set_aside(connection: Connection, backend: str) -> int:
    """Bytes of RAM that a device leaves to its stack; the heap has the rest."""
    if connection.hybrid and (kem := kem_of(backend)[0]) in KEMS:
        return KEMS[kem][1]
    wide = connection.rsa or any(curve.bits > 256 for curve in connection.curves)
    return 5120 if wide else 3584


def given_bytes(recording: Recording, stack_bytes: int = 0) -> bytes:
    """port_given of firmware/tls/port.h. Errors: BuildError when something is too large."""
    given, web = recording.given, find_connection(recording.connection).web
    room = WEB_ROOM if web else _SIZES
    fields = {
        "name": given.name.encode() + b"\0",
        "anchor": given.anchor,
        "certificate": given.certificate,
        "key": given.key,
    }
    for name, data in fields.items():
        if len(data) > room[name]:
            raise BuildError(f"the client's {name} has {len(data)} bytes, more than {room[name]}")
    sizes = [len(fields["anchor"]), len(fields["certificate"]), len(fields["key"])]
    head = struct.pack("<5I", *sizes, recording.payload_bytes, stack_bytes)
    return head + b"".join(data.ljust(room[name], b"\0") for name, data in fields.items())


class _Answers:
    """The host's side of a run."""

    def __init__(
        self, machine: CallingMachine, image: Image, link: Link, recording: Recording
    ) -> None:
        self.machine, self.image, self.link = machine, image, link
        self.random, self.time_ms = Stream(recording.seed), recording.time_ms
        self.marks: list[Mark] = []
        self.times: list[int] = []
        self.profiling = False
        self.secret = False  # whether they are followed
        self.sent = b"".join(step.data for step in recording.steps if step.what == "send")

    def __call__(self, arguments: tuple[int, ...]) -> int | None:
        question, address, size = arguments[:3]
        if question in (SEND, RECEIVE, LEAVE):
            self.times.append(self.machine.cycles)
        if question == SEND:
            return self.link.send(self.machine.read(address, size))
        if question == RECEIVE:
            result, data = self.link.receive(size)
            self._write(address, data, 0)
            return result
        if question == RANDOM:
            drawn = self.random.take(size)
            self._write(address, drawn, 0 if drawn in self.sent else DRAWN)
            return 0
        if question == TIME:
            self._write(address, self.time_ms.to_bytes(8, "little"), 0)
            return 0
        if question == MARK:
            self._mark(size)
            return 0
        if question == LEAVE:
            return self.link.leave()
        return None

    def _write(self, address: int, data: bytes, labels: int) -> None:
        if data:
            self.machine.write(address, data)
            if self.secret:
                self.machine.secret(address, len(data), labels)

    def _mark(self, stage: int) -> None:
        profile: dict[tuple[str, ...], int] = {}
        for addresses, cycles in self.machine.stacks() if self.profiling else ():
            names = tuple(function_at(self.image, address) for address in addresses)
            profile[names] = profile.get(names, 0) + cycles
        self.marks.append(
            Mark(
                stage,
                self.machine.cycles,
                self.machine.instructions,
                len(self.link.steps),
                profile,
            )
        )


def run(
    client: Client,
    image: Image,
    mode: Mode | None,
    link: Link,
    recording: Recording,
    *,
    observe: Observe = "counts",
    stack_bytes: int | None = None,
) -> Ran:
    """Runs one connection from reset. What goes wrong in it is in the result.
    Errors: BuildError.
    """
    target, symbols = client.target, image.symbols
    regions = [Region(m.name, m.start, m.size, m.kind, m.latency) for m in target.memory]
    try:
        with CallingMachine(cycle_model(target), regions, flash_timing(mode)) as machine:
            for segment in image.segments:
                machine.load(segment.address, segment.data)
            aside = (
                stack_set_aside(client.connection, client.backend)
                if stack_bytes is None
                else stack_bytes
            )
            given = given_bytes(recording, aside)
            if not client.secrets:
                machine.load(symbols["given"], given)
            machine.reset(target.region("flash").start, limit=10_000_000)
            machine.functions([function.address for function in image.functions])
            machine.write(
                symbols["bench_heap"], bytes(_HEAP.size)
            ) if "bench_heap" in symbols else None
            answers = _Answers(machine, image, link, recording)
            answers.profiling, answers.secret = observe == "profile", observe == "taint"
            if client.secrets:
                machine.write(symbols["given"], given)
            if answers.secret:
                leaks.declare_public(machine, image, target.arch)
                key = recording.given.key
                begin, size = (0, len(key)) if client.connection.psk else private_part(key)
                if size:
                    place = symbols["given"] + len(given) - _SIZES["key"] + begin
                    machine.secret(place, size, OWN_KEY)
            machine.answer = answers
            arena = symbols["bench_arena"]
            result = machine.call(
                symbols[f"bench_{OP}"],
                (arena + OUT, arena),
                sp=symbols["image_stack_top"],
                return_to=symbols["bench_return"],
                limit=LIMIT,
                profile=answers.profiling,
                taint=answers.secret,
            )
            return _ran(client, image, machine, answers, result)
    except (SimError, FailureError) as error:
        raise BuildError(f"{client.target.name}: {error}") from None


def _ran(
    client: Client, image: Image, machine: CallingMachine, answers: _Answers, result: RunResult
) -> Ran:
    symbols = image.symbols
    _, most, extent = (
        _HEAP.unpack(machine.read(symbols["bench_heap"], _HEAP.size))
        if "bench_heap" in symbols
        else (0, 0, 0)
    )
    status = "ok"
    if result.stop == "limit":
        status = f"endless: {result.instructions} instructions and not done"
    elif result.fault is not None and result.stack_low < symbols["image_stack_limit"]:
        size = symbols["image_stack_top"] - symbols["image_stack_limit"]
        status = f"stack overflow: the {size} bytes of RAM that are left for it are too few"
    elif result.fault is not None:
        status = f"fault: {result.fault} in {function_at(image, result.fault.pc)}"
    elif result.bkpt != 1:
        status = f"fault: BKPT #{result.bkpt}"
    elif result.stack_low < symbols["image_stack_limit"] + extent:
        status = "stack overflow into data"
    end = End(*_RESULT.unpack(machine.read(symbols["bench_arena"] + OUT, _RESULT.size)))
    ram = client.target.region("ram")
    stack = symbols["image_stack_top"] - result.stack_low
    static = symbols["image_stack_limit"] - ram.start - HARNESS_RAM
    return Ran(
        status=status,
        end=end,
        marks=tuple(answers.marks),
        steps=tuple(answers.link.steps),
        result=result,
        heap_bytes=most,
        stack_bytes=stack,
        ram_bytes=static,
        times=tuple(answers.times),
    )
