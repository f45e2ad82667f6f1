"""Connections measured: live runs against a server of this process, the median one replayed;
and which functions of a replayed one let a secret decide about time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target
from ecfit.errors import BuildError, EcfitError, UsageError
from ecfit.measure.store import Store
from ecfit.model import Image, Leak
from ecfit.run import leaks
from ecfit.run.runner import Observe
from ecfit.units import median_int
from ecfit_lab.tls import certs, phases
from ecfit_lab.tls.configs import (
    EDHOC,
    LAKERS,
    PAYLOAD_BYTES,
    TCP,
    Connection,
    lack,
    stack_of,
)
from ecfit_lab.tls.ends import reason
from ecfit_lab.tls.image import Client, image
from ecfit_lab.tls.link import Datagrams, Live, LostError, Recording, Replay, Step, now_ms
from ecfit_lab.tls.record import Network, TlsRecord, spread, timed
from ecfit_lab.tls.server import PAYLOAD, OtherSide, Remote, credentials, other_side, payload_bytes
from ecfit_lab.tls.simrun import CLOSED, CONNECTED, LABELS, READY, Ran, run

LOST = "server lost"  # the status of a row that found none
FUNCTIONS = 12  # that a record names
_VERSIONS = {0x303: "1.2", 0x304: "1.3"}


class Wanted(msgspec.Struct, frozen=True):
    """How to measure."""

    mode: str = "datasheet"
    runs: int = 10
    seed: int = 1
    network: Network = Network()
    timeout: float = 10.0  # seconds that a server may be silent
    keep: Callable[[Recording], None] | None = None  # is given the median run
    remote: Remote | None = None  # else a server of this machine, with certificates made for it


class Measured(msgspec.Struct, frozen=True):
    """A run and how it can be run again."""

    ran: Ran
    recording: Recording

    @property
    def cycles(self) -> int:
        """Of the handshake."""
        return handshake(self.ran)[0]


def handshake(ran: Ran) -> tuple[int, int]:
    """Cycles and instructions of the handshake. Errors: BuildError when it was not done."""
    first, last = ran.mark(READY), ran.mark(CONNECTED)
    if first is None or last is None:
        raise BuildError("the handshake was not done")
    return last.cycles - first.cycles, last.instructions - first.instructions


def failure(ran: Ran, payload_bytes: int = PAYLOAD_BYTES) -> tuple[str, str]:
    """("ok", ""), or why a run is not a connection that served so much of its payload."""
    if ran.status != "ok":
        return ran.status.split(":")[0], ran.status
    word, sentence = reason(ran.end)
    expected = payload_bytes, sum(PAYLOAD[:payload_bytes])
    if word == "ok" and (ran.end.payload_bytes, ran.end.payload_sum) != expected:
        return "wrong payload", f"{ran.end.payload_bytes} bytes of payload, or others, came"
    return word, sentence


def round_trips(steps: Sequence[Step], *, datagram: bool = False) -> int:
    """The round trips: that of TCP, and one each time that the client waits for an answer."""
    trips, sent = 0 if datagram else 1, False
    for step in steps:
        trips += sent and step.what == "receive"
        sent = step.what == "send"
    return trips


def live(
    client: Client, built: Image, given: certs.Credentials, port: int, wanted: Wanted
) -> Measured:
    """One run against a server, with the seed that is wanted.
    Errors: LostError when there is none.
    """
    recording = Recording(
        client.connection.name,
        wanted.seed,
        now_ms(),
        given,
        payload_bytes(wanted.remote, client.connection),
        client.record_bytes,
    )
    link = (Datagrams if client.connection.datagram else Live)(port, wanted.timeout)
    try:
        ran = run(client, built, client.target.mode(wanted.mode), link, recording)
    finally:
        link.close()
    return Measured(ran, msgspec.structs.replace(recording, steps=ran.steps))


def replayed(
    client: Client, built: Image, recording: Recording, mode: str, observe: Observe = "counts"
) -> tuple[Ran, Replay]:
    """A recording run again. What differs is in the second."""
    link = Replay(recording)
    ran = run(client, built, client.target.mode(mode), link, recording, observe=observe)
    return ran, link


def measure(client: Client, peers: Mapping[str, Peer], store: Store, wanted: Wanted) -> TlsRecord:
    """A row: a failure is a record, too. Errors: UsageError, and what no row can have:
    MissingToolError.
    """
    base = _base(client, wanted)
    try:
        built = image(client, peers, store)
        given = credentials(client.connection, wanted.remote)
        done: list[Measured] = []
        with other_side(client.connection, given, wanted.remote) as server:
            for index in range(wanted.runs):
                this = msgspec.structs.replace(wanted, seed=wanted.seed + index)
                try:
                    one = live(client, built, given, server.port, this)
                except LostError as error:
                    return failed(base, LOST, str(error), server)
                word, sentence = failure(one.ran, payload_bytes(wanted.remote, client.connection))
                if word != "ok":
                    return failed(base, word, sentence, server)
                done.append(one)
    except UsageError:
        raise
    except BuildError as error:
        return msgspec.structs.replace(base, status=error.status, detail=str(error))
    except EcfitError as error:
        return msgspec.structs.replace(base, status=LOST, detail=str(error))
    middle = median_int([one.cycles for one in done])
    median = next(one for one in done if one.cycles == middle)
    if wanted.keep is not None:
        wanted.keep(median.recording)
    again, link = replayed(client, built, median.recording, wanted.mode, "profile")
    if link.differs or handshake(again) != handshake(median.ran):
        detail = link.differs or "other counts than live"
        return msgspec.structs.replace(base, status="replay differs", detail=detail)
    row = counted(base, client, built, again)
    counts = spread([one.cycles for one in done])
    return timed(msgspec.structs.replace(row, **counts), client.target, wanted.network)


def failed(base: TlsRecord, word: str, sentence: str, server: OtherSide) -> TlsRecord:
    """The row of a connection that failed so for the client, with what the server says of it; where
    that is gone, its server is lost.
    """
    server.stop()
    if server.lost:
        word, sentence = LOST, f"{server.lost}; the client: {sentence}"
    told = "; ".join([sentence, *server.failures])
    return msgspec.structs.replace(base, status=word, detail=told)


def replay_row(
    client: Client, peers: Mapping[str, Peer], store: Store, recording: Recording, wanted: Wanted
) -> TlsRecord:
    """The row of a recording, without a server. Errors: as of :func:`measure`."""
    base = _base(client, wanted)
    try:
        built = image(client, peers, store)
        ran, link = replayed(client, built, recording, wanted.mode, "profile")
    except BuildError as error:
        return msgspec.structs.replace(base, status=error.status, detail=str(error))
    word, sentence = failure(ran, recording.payload_bytes)
    if link.differs:
        word, sentence = "replay differs", link.differs
    if word != "ok":
        return msgspec.structs.replace(base, status=word, detail=sentence)
    row = counted(base, client, built, ran)
    counts = spread([handshake(ran)[0]])
    return timed(msgspec.structs.replace(row, **counts), client.target, wanted.network)


def _base(client: Client, wanted: Wanted) -> TlsRecord:
    target: Target = client.target
    mode = target.mode(wanted.mode)
    curves, tcp = client.connection.curves, client.connection.version == TCP
    return TlsRecord(
        platform=target.name,
        connection=client.connection.name,
        stack=LAKERS if client.connection.version == EDHOC else "-" if tcp else client.stack,
        backend=client.backend if curves else "-",
        core=target.core,
        mode=wanted.mode,
        toolchain=client.tools.label,
        opt=client.opt,
        seed=wanted.seed,
        error_class=mode.error_class if mode else None,
    )


def counted(base: TlsRecord, client: Client, built: Image, ran: Ran) -> TlsRecord:
    """The record with what a profiled run of a whole connection showed."""
    first, last = ran.mark(READY), ran.mark(CONNECTED)
    assert first is not None and last is not None and ran.mark(CLOSED) is not None
    spent = phases.between(first.profile, last.profile)
    until = ran.steps[first.steps : last.steps]
    measured = ran.steps[first.steps :]
    functions = phases.by_function(spent)
    flash_bytes = built.sections[".text"] + built.sections[".data"]
    return msgspec.structs.replace(
        base,
        version=_VERSIONS.get(ran.end.version),
        handshake_instructions=handshake(ran)[1],
        round_trips=round_trips(until, datagram=client.connection.datagram),
        handshake_bytes=sum(len(step.data) for step in until),
        payload_sent_bytes=_total(measured, "send"),
        payload_received_bytes=_total(measured, "receive"),
        heap_bytes=ran.heap_bytes,
        stack_bytes=ran.stack_bytes,
        static_ram_bytes=ran.ram_bytes,
        ram_bytes=ran.ram_bytes + ran.heap_bytes + ran.stack_bytes,
        flash_bytes=flash_bytes,
        phases=phases.by_phase(spent),
        functions=dict(list(functions.items())[:FUNCTIONS]),
        flash=phases.by_origin(built.origins, flash_bytes),
        flights=phases.flights(
            until,
            ran.times[first.steps : last.steps],
            first.cycles,
            datagram=client.connection.datagram,
        ),
    )


def _total(steps: Sequence[Step], what: str) -> int:
    return sum(len(step.data) for step in steps if step.what == what)


def clients(
    targets: Sequence[Target], connections: Sequence[Connection], backends: Sequence[str]
) -> list[Client]:
    """Every combination; TCP and a shared key have no back end and stand once."""
    return [
        Client(target, connection, backend)
        for target in targets
        for connection in connections
        for backend in _of(connection, backends)
    ]


def _of(connection: Connection, backends: Sequence[str]) -> Sequence[str]:
    """The back ends of a connection's rows; the first, which is refused, where none fits."""
    fit = [
        one
        for one in backends
        if not (connection.version == EDHOC and lack(stack_of(one), connection, one))
    ]
    return fit if fit and connection.curves else backends[:1]


# What of a connection a phase computes with: of what a finding tells something.
SET_UP = "set_up"  # before the connection: the client's own key is read
SECRETS = {
    SET_UP: "private key of the client",
    "key_share": "private key of the key exchange, shared secret",
    "certificates": "none: certificates are public",
    "signature": "private key of the client",
    "key_schedule": "shared secret, traffic secrets",
    "records": "traffic keys",
    "messages": "traffic secrets",
}


class Place(msgspec.Struct, frozen=True):
    """A place where a secret decides: what (a branch, an address, ..), and how often. `secret`:
    what the phase computes with; `of`: what it was computed from, of LABELS.
    """

    platform: str
    connection: str
    backend: str
    phase: str
    secret: str
    of: str
    kind: str
    function: str
    source: str | None
    count: int


def follow(
    client: Client, peers: Mapping[str, Peer], store: Store, recording: Recording, mode: str
) -> list[Place]:
    """The places, in the order in which they came. Secret are the client's own private key, and
    all random bytes but those that it sends in the clear; public are its public key, and what
    a record held that was authenticated. Errors: EcfitError when the connection does not replay.
    """
    client = msgspec.structs.replace(client, secrets=True)
    built = image(client, peers, store)
    ran, link = replayed(client, built, recording, mode, "taint")
    word, sentence = failure(ran, recording.payload_bytes)
    if link.differs or word != "ok" or ran.result is None:
        raise EcfitError(
            f"{client.connection.name} {client.backend} on {client.target.name} does not replay: "
            f"{link.differs or sentence}"
        )
    seen = [leaks.Seen(ran.result.findings)]
    return [_place(client, leak) for leak in leaks.named(built, seen, LABELS)]


def _place(client: Client, leak: Leak) -> Place:
    where = SET_UP if "mbedtls_pk_parse_key" in leak.path else phases.phase(leak.path)
    return Place(
        client.target.name,
        client.connection.name,
        client.backend,
        where,
        SECRETS[where],
        ", ".join(leak.secret),
        leak.kind,
        leak.function,
        leak.source,
        leak.count,
    )
