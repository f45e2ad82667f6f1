"""The document's table: platforms and connections, each measured by its method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ecfit.choices.boards import all_machines, find_machine
from ecfit.choices.peers import Peer
from ecfit.choices.published import tls_clients
from ecfit.choices.targets import Target, find_target
from ecfit.measure.store import Store
from ecfit.tls import native
from ecfit.tls.configs import CONNECTIONS, DOCUMENT
from ecfit.tls.image import Client
from ecfit.tls.measure import Wanted, clients, measure
from ecfit.tls.record import TlsRecord
from ecfit.wire import measure as wired
from ecfit.wire.image import target

NAME, TITLE = "tls", "TLS clients: handshake time, bytes and memory, and what a back end buys"
HOST = "host"
CHIPS = ("samd21", "stm32f103", "cc2538", "nrf52840", "nrf5340", "esp32c3")
BOARDS = ("mps2-an385", "mps2-an386", "mps2-an500", "mps2-an505")
TARGETS = (HOST, *CHIPS, *BOARDS)
BACKENDS = ("mbedtls", "ecfit-fast")
Row = list[str]
COLUMNS = (
    "platform", "connection", "elliptic curves", "handshake ms", "median ms", "spread %",
    "bytes", "peak memory B", "flash B", "published ms", "published B",
)  # fmt: skip


def plan(names: Sequence[str]) -> list[Client]:
    """Every row; of the host, optimised for speed as its programs are."""
    targets = [platform(name) for name in names or TARGETS]
    wanted = clients(targets, [CONNECTIONS[name] for name in DOCUMENT], BACKENDS)
    return [
        Client(one.target, one.connection, one.backend, opt="O2")
        if one.target.runner == HOST
        else one
        for one in wanted
    ]


def platform(name: str) -> Target:
    """A chip, this machine, or an emulated board. Errors: UsageError."""
    if name.lower() in all_machines():
        return target(find_machine(name))
    return find_target(name)


def row(client: Client, peers: Mapping[str, Peer], store: Store, wanted: Wanted) -> TlsRecord:
    """The record of a row, on a chip, an emulated board, or this machine."""
    if client.target.runner == HOST:
        return native.measure(client, peers, wanted.runs, wanted.seed, wanted.timeout)
    if client.target.runner == "qemu":
        return wired.measure(client, peers, store, wanted)
    return measure(client, peers, store, wanted)


def cells(record: TlsRecord) -> Row:
    """The document's columns: the mean without outliers, the median and the spread beside it,
    and its own figures.
    """
    document = tls_clients()
    published = document.handshake_ms(record.platform, record.connection)
    low, high = record.handshake_cycles_min, record.handshake_cycles_max
    spread = (
        f"{100 * (high - low) / record.handshake_cycles:.2f}"
        if record.handshake_cycles and low is not None and high is not None
        else "-"
    )
    sent, received = record.payload_sent_bytes, record.payload_received_bytes
    memory = record.peak_rss_bytes or record.ram_bytes
    return [
        record.platform,
        record.connection,
        record.backend,
        "-" if record.handshake_ms_mean is None else f"{record.handshake_ms_mean:.4g}",
        "-" if record.handshake_ms is None else f"{record.handshake_ms:.4g}",
        spread,
        "-" if sent is None or received is None else str(sent + received),
        "-" if memory is None else str(memory),
        "-" if record.flash_bytes is None else str(record.flash_bytes),
        "-" if published is None else f"{published:g}",
        "-" if published is None else str(document.bytes_total[record.connection]),
    ]


def lines(records: Sequence[TlsRecord]) -> list[str]:
    """What stands under the table."""
    document = tls_clients()
    runs = max((record.runs for record in records), default=0)
    return [
        f"handshake: {runs} connections, two outliers tossed, the rest averaged; "
        "chips: modelled cycles at the chip's clock, the network costs nothing (ecfit tls --rtt); "
        "linux: wall time on this machine, the server's computation and TCP's handshake in it",
        "bytes: of TCP's payload, both ways; peak memory: on chips static RAM, heap and stack, "
        "on linux the most resident memory of the process",
        f"published: {document.document}; {document.differs}",
    ]
