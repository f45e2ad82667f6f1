"""Connections of the client on an emulated board: instructions, bytes of TCP's payload and of the
wire, memory.

QEMU's time is no board's. It runs with `-icount shift=0`: a nanosecond of the board's time is an
instruction, and while the board sleeps, time passes as it does here. The controller's counter of
25 MHz so counts instructions in steps of 40 (Xtensa: the core's, of 40 MHz, in steps of 25); what
was slept is taken off.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

import msgspec

from ecfit.choices.boards import find_machine
from ecfit.choices.peers import Peer
from ecfit.errors import BuildError, EcfitError
from ecfit.measure.store import Store
from ecfit.model import Image
from ecfit.run.emulator import EmulatorError, WiredBoard
from ecfit.units import median_int
from ecfit_lab.tls import phases
from ecfit_lab.tls.configs import PAYLOAD_BYTES, TCP
from ecfit_lab.tls.connections import LOST, Wanted, failed
from ecfit_lab.tls.ends import reason
from ecfit_lab.tls.image import Client
from ecfit_lab.tls.link import Recording, Stream, now_ms
from ecfit_lab.tls.record import NETWORK, TlsRecord, without_outliers
from ecfit_lab.tls.server import PAYLOAD, credentials, other_side, payload_bytes
from ecfit_lab.tls.simrun import (
    CLOSED,
    CONNECTED,
    HARNESS_RAM,
    READY,
    End,
    given_bytes,
    stack_set_aside,
)
from ecfit_lab.wire import capture
from ecfit_lab.wire.image import NETWORK_OBJECT, image, orders_address

GATEWAY = (10, 0, 2, 2)  # this machine, as the board sees it
ADDRESS, HARDWARE = bytes((10, 0, 2, 15)), bytes.fromhex("525400123456")  # firmware/net/net.c
TICKS = {"armv7m": 40, "xtensa": 25}  # instructions of a tick of the counter, by architecture
SECONDS = 60  # that a connection may compute, on a busy machine
_MAGIC = 0x31434C54  # firmware/tls/port_board.c
_RANDOM_BYTES = 4096
_RESULT = struct.Struct("<2i8I")
_SEEN = struct.Struct("<21I")
_VERSIONS = {0x303: "1.2", 0x304: "1.3"}


class Stage(msgspec.Struct, frozen=True):
    """The state when a stage was reached."""

    ticks: int
    asleep: int
    sent_bytes: int
    received_bytes: int


class Run(msgspec.Struct, frozen=True):
    """One connection, as the client counted it and as the capture shows it. `unread_bytes`: what
    came when the client had closed, the server's farewell.
    """

    end: End
    stages: tuple[Stage, ...]
    round_trips: int
    heap_bytes: int
    stack_bytes: int
    unanswered: bool
    unread_bytes: int
    sent: capture.Way
    received: capture.Way
    tick: int = 40

    def stage(self, number: int) -> Stage:
        """The stage of that number, from 1."""
        return self.stages[number - 1]

    @property
    def instructions(self) -> int:
        """Of the handshake, TCP's own in it, without those that waited."""
        first, last = self.stage(READY), self.stage(CONNECTED)
        ticks = (last.ticks - first.ticks) % (1 << 32)
        return self.tick * (ticks - (last.asleep - first.asleep))

    @property
    def handshake_bytes(self) -> int:
        """Both ways, until the handshake is done."""
        return self.stage(CONNECTED).sent_bytes + self.stage(CONNECTED).received_bytes


def orders(client: Client, recording: Recording, port: int, timeout: float) -> bytes:
    """What the loader puts into the board's RAM: firmware/tls/port_board.c."""
    gateway = int.from_bytes(bytes(GATEWAY), "big")
    head = struct.pack("<4Iq", _MAGIC, gateway, port, round(1000 * timeout), recording.time_ms)
    given = given_bytes(recording, stack_set_aside(client.connection, client.backend))
    return head + given + Stream(recording.seed).take(_RANDOM_BYTES)


def run(client: Client, built: Image, recording: Recording, port: int, timeout: float) -> Run:
    """One connection to a server of this machine. Errors: EmulatorError, CaptureError."""
    machine = find_machine(client.target.name)
    settings = orders_address(machine), orders(client, recording, port, timeout)
    with WiredBoard(machine, built.segments[0].data, settings) as emulator:
        line = emulator.line(SECONDS + 3 * timeout)
        data = emulator.captured()
    name, *words = line.split()
    if name != "result":
        raise EmulatorError(f"{machine.name}: {line}")
    raw = b"".join(int(word, 16).to_bytes(4, "little") for word in words)
    if len(raw) != _RESULT.size + _SEEN.size:
        raise EmulatorError(f"{machine.name}: a result of {len(raw)} bytes")
    end = End(*_RESULT.unpack_from(raw))
    seen = _SEEN.unpack_from(raw, _RESULT.size)
    stages = tuple(Stage(*seen[4 * i : 4 * i + 4]) for i in range(CLOSED))
    trips, heap, stack, unanswered, unread = seen[4 * CLOSED :]
    sent, received = capture.ways(data, ADDRESS, HARDWARE)
    return Run(
        end,
        stages,
        trips,
        heap,
        stack,
        bool(unanswered),
        unread,
        sent,
        received,
        TICKS[machine.arch],
    )


def failure(one: Run, payload_bytes: int = PAYLOAD_BYTES) -> tuple[str, str]:
    """("ok", ""), or why it is not a connection that served its payload and was captured whole."""
    word, sentence = reason(one.end)
    if one.unanswered:
        return LOST, "no server answers the board"
    if word != "ok":
        return word, sentence
    expected = payload_bytes, sum(PAYLOAD[:payload_bytes])
    if (one.end.payload_bytes, one.end.payload_sum) != expected:
        return "wrong payload", f"{one.end.payload_bytes} bytes of payload, or others, came"
    last = one.stage(CLOSED)
    counted = last.sent_bytes, last.received_bytes + one.unread_bytes
    captured = len(one.sent.stream), len(one.received.stream)
    if counted != captured:
        return "capture differs", f"the client counted {counted} bytes, the capture has {captured}"
    return "ok", ""


def measure(client: Client, peers: Mapping[str, Peer], store: Store, wanted: Wanted) -> TlsRecord:
    """A row: a failure is a record, too. Errors: UsageError, and what no row can have:
    MissingToolError.
    """
    base = _base(client, wanted)
    try:
        built = image(client, peers, store)
        given = credentials(client.connection, wanted.remote)
        size = payload_bytes(wanted.remote, client.connection)
        done: list[Run] = []
        with other_side(client.connection, given, wanted.remote) as server:
            for index in range(wanted.runs):
                seed = wanted.seed + index
                recording = Recording(client.connection.name, seed, now_ms(), given, size)
                one = run(client, built, recording, server.port, wanted.timeout)
                word, sentence = failure(one, size)
                if word != "ok":
                    return failed(base, word, sentence, server)
                done.append(one)
    except BuildError as error:
        return msgspec.structs.replace(base, status=error.status, detail=str(error))
    except (EmulatorError, capture.CaptureError) as error:
        return msgspec.structs.replace(base, status="board failed", detail=str(error))
    except EcfitError as error:
        return msgspec.structs.replace(base, status=LOST, detail=str(error))
    return _counted(base, client, built, done, wanted)


def _base(client: Client, wanted: Wanted) -> TlsRecord:
    tcp = client.connection.version == TCP
    return TlsRecord(
        platform=client.target.name,
        connection=client.connection.name,
        stack="-" if tcp else client.stack,
        backend="-" if tcp else client.backend,
        core=client.target.core,
        toolchain=client.tools.label,
        opt=client.opt,
        seed=wanted.seed,
    )


def _counted(
    base: TlsRecord, client: Client, built: Image, done: list[Run], wanted: Wanted
) -> TlsRecord:
    """The record of successful runs. Fields that are not of all runs are of the median one."""
    counts = [one.instructions for one in done]
    median = next(one for one in done if one.instructions == median_int(counts))
    assert client.target.clock is not None
    mean, hz = without_outliers(counts), client.target.clock.hz
    waiting = wanted.network.time_us(median.round_trips, median.handshake_bytes) / 1000
    flash_bytes = built.sections[".text"] + built.sections[".data"]
    static = built.symbols["image_stack_limit"] - client.target.region("ram").start - HARNESS_RAM
    return msgspec.structs.replace(
        base,
        runs=len(done),
        version=_VERSIONS.get(median.end.version),
        handshake_instructions=median.instructions,
        handshake_instructions_min=min(counts),
        handshake_instructions_max=max(counts),
        handshake_instructions_mean=round(mean, 1),
        compute_ms=round(1000 * median.instructions / hz, 4),
        network_ms=round(waiting, 4),
        handshake_ms=round(1000 * median.instructions / hz + waiting, 4),
        handshake_ms_mean=round(1000 * mean / hz + waiting, 4),
        round_trips=median.round_trips,
        handshake_bytes=median.handshake_bytes,
        payload_sent_bytes=median.stage(CLOSED).sent_bytes,
        payload_received_bytes=median.stage(CLOSED).received_bytes,
        wire_sent_bytes=median.sent.wire_bytes,
        wire_received_bytes=median.received.wire_bytes,
        wire_bytes=median.sent.wire_bytes + median.received.wire_bytes,
        wire_frames=median.sent.frames + median.received.frames,
        heap_bytes=median.heap_bytes,
        stack_bytes=median.stack_bytes,
        static_ram_bytes=static,
        ram_bytes=static + median.heap_bytes + median.stack_bytes,
        flash_bytes=flash_bytes,
        flash=_flash(built.origins, flash_bytes),
    )


def _flash(origins: Mapping[str, int], flash_bytes: int) -> dict[str, int]:
    """Bytes of flash by what they are for, the network's among them."""
    network = sum(size for source, size in origins.items() if source.startswith(NETWORK_OBJECT))
    return {NETWORK: network, **phases.by_origin(origins, flash_bytes - network)}
