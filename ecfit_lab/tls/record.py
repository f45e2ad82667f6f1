"""The record of a row of connections, and the figures computed from its counts."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

import msgspec

from ecfit.choices.targets import Target
from ecfit.units import median_int
from ecfit_lab.energy.airtime import exchange
from ecfit_lab.energy.links import Link
from ecfit_lab.tls.configs import EDHOC, find_connection
from ecfit_lab.tls.phases import NAMES, ORIGINS, REST, Flight

SCHEMA = 1
NETWORK = "network"  # an origin of flash, on boards that have TCP/IP
TOSSED = 2  # outliers, of the document's method
# Bytes of TCP: what a segment carries, so that the packet has the 1,280 that IPv6 needs (RFC 8200,
# 5); its header; of the opening the option that says so.
SEGMENT, TCP_HEADER, TCP_OPTION = 1280 - 40 - 20, 20, 4
UDP_HEADER, NEXT_HEADER = 7, 1  # as 6LoWPAN compresses UDP; TCP it cannot, and names (RFC 6282, 4)
FIRST_TIMER_S, LAST_TIMER_S = 1, 60  # of a flight that nobody answers: RFC 6347, 4.2.4.1


class Network(msgspec.Struct, frozen=True):
    """What lies between client and server; 0: it costs nothing. `link`: a radio, which has a model
    of its own.
    """

    rtt_us: float = 0
    bits_per_second: float = 0
    link: Link | None = None

    def time_us(self, trips: int, size: int) -> float:
        """Time of so many round trips and bytes."""
        sending = 8e6 * size / self.bits_per_second if self.bits_per_second else 0
        return trips * self.rtt_us + sending


class TlsRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Connections of one kind. Units are in the names; absent figures are null.

    Cycles, bytes and memory are of the median run; `handshake_cycles_mean` is the document's
    figure: the two runs that lie farthest from the median tossed, the others averaged.
    `handshake_ms` is computation and network: cycles at the target's clock, round trips and bytes
    until the handshake is done. `energy_uj` is of the computation.

    Over a radio link, the network's time is `air_ms`, in which frames are sent with the gaps
    between them, and `silence_ms`, in which a duty cycle forbids it; `radio_uj` is of the client's
    radio. `answer_ms`: the longest time from a flight of the server to the client's next one, in
    which the server of a connection without TCP sends its own `repeats` times again.

    An emulated board has instructions instead of cycles, and times at one instruction a clock;
    `wire_bytes` are of its captured frames. This machine has times alone.
    """

    schema: int = SCHEMA
    platform: str
    connection: str
    stack: str
    backend: str
    core: str | None = None
    mode: str | None = None
    toolchain: str | None = None
    opt: str | None = None
    seed: int = 1
    runs: int = 0
    status: str = "ok"
    detail: str | None = None
    version: str | None = None
    handshake_cycles: int | None = None
    handshake_cycles_min: int | None = None
    handshake_cycles_max: int | None = None
    handshake_cycles_mean: float | None = None
    handshake_instructions: int | None = None
    handshake_instructions_min: int | None = None
    handshake_instructions_max: int | None = None
    handshake_instructions_mean: float | None = None
    compute_ms: float | None = None
    network_ms: float | None = None
    handshake_ms: float | None = None
    handshake_ms_min: float | None = None
    handshake_ms_max: float | None = None
    handshake_ms_mean: float | None = None
    round_trips: int | None = None
    energy_uj: float | None = None
    link: str | None = None
    frames: int | None = None
    air_ms: float | None = None
    silence_ms: float | None = None
    radio_uj: float | None = None
    answer_ms: float | None = None
    repeats: int | None = None
    handshake_bytes: int | None = None
    payload_sent_bytes: int | None = None
    payload_received_bytes: int | None = None
    wire_bytes: int | None = None
    wire_sent_bytes: int | None = None
    wire_received_bytes: int | None = None
    wire_frames: int | None = None
    heap_bytes: int | None = None
    stack_bytes: int | None = None
    static_ram_bytes: int | None = None
    ram_bytes: int | None = None
    peak_rss_bytes: int | None = None
    flash_bytes: int | None = None
    phases: dict[str, int] = {}
    functions: dict[str, int] = {}
    flash: dict[str, int] = {}
    flights: list[Flight] = []
    error_class: str | None = None


def flat(record: TlsRecord) -> dict[str, object]:
    """A record without nested fields: phase_records_cycles, flash_tls_bytes, and so on."""
    fields: dict[str, object] = msgspec.structs.asdict(record)
    for name in ("phases", "functions", "flash", "flights"):
        fields.pop(name)
    fields |= {f"phase_{name}_cycles": record.phases.get(name) for name in NAMES}
    origins = (*ORIGINS, NETWORK, REST)
    return fields | {f"flash_{name}_bytes": record.flash.get(name) for name in origins}


def without_outliers(values: Sequence[float]) -> float:
    """The document's figure: the two that lie farthest from the median tossed, the rest averaged.
    Of four values or fewer none is tossed.
    """
    middle = statistics.median(values)
    kept = sorted(values, key=lambda value: abs(value - middle))
    return statistics.fmean(kept[:-TOSSED] if len(kept) > 2 * TOSSED else kept)


def spread(cycles: Sequence[int]) -> dict[str, int | float]:
    """The fields of a record that say how runs differ."""
    return {
        "runs": len(cycles),
        "handshake_cycles": median_int(cycles),
        "handshake_cycles_min": min(cycles),
        "handshake_cycles_max": max(cycles),
        "handshake_cycles_mean": round(without_outliers(cycles), 1),
    }


def timed(record: TlsRecord, target: Target, network: Network) -> TlsRecord:
    """The record with times and energy."""
    if record.handshake_cycles is None or target.clock is None:
        return record
    hz = target.clock.hz
    compute = record.handshake_cycles / hz * 1e6
    mean = (record.handshake_cycles_mean or record.handshake_cycles) / hz * 1e6
    if network.link:
        record = _carried(record, network.link, hz)
        waiting = 1000 * ((record.air_ms or 0) + (record.silence_ms or 0))
    else:
        waiting = network.time_us(record.round_trips or 0, record.handshake_bytes or 0)
    active = target.power[0] if target.power else None
    energy = compute * active.volts * active.milliamperes / 1000 if active else None
    return msgspec.structs.replace(
        record,
        compute_ms=round(compute / 1000, 4),
        network_ms=round(waiting / 1000, 4),
        handshake_ms=round((compute + waiting) / 1000, 4),
        handshake_ms_mean=round((mean + waiting) / 1000, 4),
        energy_uj=None if energy is None else round(energy, 3),
    )


def in_coap(flights: Sequence[Flight]) -> list[Flight]:
    """The flights of EDHOC in requests and responses of CoAP, as RFC 9528, A.2, has them: a request
    has a head of 4 bytes, the path /.well-known/edhoc in 18, a format in 2, a marker, and an
    identifier before the message; a response a head, a format and a marker.
    """
    more = {"client": 4 + 18 + 2 + 1 + 1, "server": 4 + 2 + 1}
    return [
        msgspec.structs.replace(f, datagrams=[more[f.by] + size for size in f.datagrams])
        for f in flights
    ]


def datagrams(flights: Sequence[Flight], link: Link) -> list[tuple[bool, int]]:
    """What crosses a link for these flights: whether the client sends it, and bytes beside the
    headers that the link counts, which are those of UDP.
    """
    header = TCP_HEADER + (NEXT_HEADER - UDP_HEADER if link.network_bytes else 0)
    sizes = list[tuple[bool, int]]()
    for flight in flights:
        cuts = range(0, flight.bytes, SEGMENT)
        segments = [header + min(SEGMENT, flight.bytes - at) for at in cuts]
        sizes += [(flight.by == "client", size) for size in flight.datagrams or segments]
    return sizes


def repeated(answer_s: float) -> int:
    """How often a server sends a flight again until the answer is there: after 1 s, and each time
    after twice as long, but at most 60 s (RFC 6347, 4.2.4.1; RFC 9147, 5.8.2).
    """
    count, timer, at = 0, FIRST_TIMER_S, FIRST_TIMER_S
    while at < answer_s:
        count, timer = count + 1, min(2 * timer, LAST_TIMER_S)
        at += timer
    return count


def _carried(record: TlsRecord, link: Link, hz: int) -> TlsRecord:
    """The record with what its flights cost over a link. TCP takes three segments before them, and
    none after: a lower bound, as later acknowledgements travel with data. A responder of EDHOC
    repeats nothing, because CoAP's client does.
    """
    connection = find_connection(record.connection)
    stream, edhoc = not connection.datagram, connection.version == EDHOC
    flights = in_coap(record.flights) if edhoc else record.flights
    header = datagrams([Flight("client", 1, 0, 0)], link)[0][1] - 1
    opening = [(sends, header + option) for sends, option in
               ((True, TCP_OPTION), (False, TCP_OPTION), (True, 0))]  # fmt: skip
    cost = exchange(link, (opening if stream else []) + datagrams(flights, link))
    answers = [0.0]
    for asks, replies in itertools.pairwise(flights):
        if asks.by == "server" and not asks.cookie:
            under_way = exchange(link, datagrams([asks, replies], link))
            computes = (replies.end_cycles - asks.begin_cycles) / hz
            answers.append(computes + (under_way.time_us + under_way.wait_us) / 1e6)
    return msgspec.structs.replace(
        record,
        link=link.name,
        frames=cost.sent + cost.received,
        air_ms=round(cost.time_us / 1000, 4),
        silence_ms=round(cost.wait_us / 1000, 4),
        radio_uj=round(cost.energy_uj, 3),
        answer_ms=round(1000 * max(answers), 4),
        repeats=None if stream else 0 if edhoc else repeated(max(answers)),
    )
