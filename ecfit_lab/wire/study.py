"""The document's table: platforms and connections, each measured by its method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ecfit.choices.boards import all_machines, find_machine
from ecfit.choices.peers import Peer
from ecfit.choices.published import tls_clients
from ecfit.choices.targets import Target, find_target
from ecfit.measure.store import Store
from ecfit_lab.tls.configs import CONNECTIONS, DOCUMENT
from ecfit_lab.tls.connections import Wanted, clients, measure
from ecfit_lab.tls.image import Client
from ecfit_lab.tls.record import NETWORK, TlsRecord
from ecfit_lab.wire import native, onboard
from ecfit_lab.wire.image import target

NAME, TITLE = "tls", "TLS clients: handshake time, bytes and memory, and what a back end buys"
HOST = "host"
CHIPS = ("samd21", "cc2538", "stm32wle5", "nrf52840", "nrf5340", "esp32c3")
BOARDS = ("mps2-an385", "mps2-an386", "mps2-an500", "mps2-an505", "lx60")
TARGETS = (HOST, *CHIPS, *BOARDS)
BACKENDS = ("mbedtls", "ecfit-fast")
BOARD_LINES = [
    "boards (mps2-.., lx60): QEMU counts instructions, not cycles. The milliseconds are computed "
    "as if each instruction took one clock of the board. The clock is 25 MHz, 20 MHz on "
    "mps2-an505 and 80 MHz on lx60. A real core takes longer. The milliseconds include the work "
    "of TCP/IP, and not the time that the client waits. mps2-an500 has a Cortex-M7, and runs code "
    "for a Cortex-M4. lx60 has the core of an ESP8266",
    "wire B, on wire: these are the bytes of all captured frames, also of ARP. A frame counts from "
    "its Ethernet header to the end of the IP packet. Preamble, padding and checksum do not count. "
    "The bytes differ from run to run, because the number of acknowledgements without data does",
]
# Operating systems of the document's board: the bytes of their default buffer for what comes in.
# 1,500: Zephyr, modules/mbedtls/Kconfig at 79cdeb6e. 16,384: Mbed TLS, whose default ESP-IDF keeps
# (from memory: its file was not opened). The chip stands in for the board.
SYSTEMS, BOARD = {"esp32c3-idf": 16384, "esp32c3-zephyr": 1500}, "esp32c3"
# The cell `modelled`: of chips that the document's own board is not.
CORE = "RV32 core of an ESP32-C3; no Wi-Fi, no Xtensa"
UNLIKE = {
    "esp32c3": CORE,
    "esp32c3-idf": f"{CORE}; of ESP-IDF its buffer of 16,384 B alone",
    "esp32c3-zephyr": f"{CORE}; of Zephyr its buffer of 1,500 B alone",
}
Row = list[str]
# Names, and ranks: what is left out first where there is no room for all (show.layout).
TEXTS = ("platform", "connection", "curves by", "modelled")
COLUMNS = {
    **dict.fromkeys(TEXTS[:3], 0),
    **{"handshake ms": 0, "median ms": 2, "spread %": 2, "bytes": 0, "wire B": 2},
    **{"peak B": 0, "flash B": 1, "published ms": 3, "published B": 3, "modelled": 3},
}
WIRE_COLUMNS = {
    **dict.fromkeys(TEXTS[:3], 0),
    **{"Minstr": 0, "spread %": 2, "sent B": 0, "sent on wire B": 0, "received B": 0},
    **{"received on wire B": 0, "frames": 1, "static RAM B": 2, "heap B": 2, "stack B": 2},
    **{"flash B": 2, "TCP/IP of flash B": 1},
}


def plan(names: Sequence[str]) -> list[Client]:
    """Every row; of the host, optimised for speed as its programs are."""
    targets = [platform(name) for name in names or TARGETS]
    wanted = clients(targets, [CONNECTIONS[name] for name in DOCUMENT], BACKENDS)
    wanted += [
        msgspec.structs.replace(one, record_bytes=size)
        for size in SYSTEMS.values()
        for one in wanted
        if one.target.name == BOARD and one.backend in (BACKENDS[0], "-")
    ]
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
        return native.measure(client, peers, wanted)
    if client.target.runner == "qemu":
        return onboard.measure(client, peers, store, wanted)
    record = measure(client, peers, store, wanted)
    return msgspec.structs.replace(record, platform=name_of(client))


def name_of(client: Client) -> str:
    """The platform of a row: the chip's name, or that of the system for which it stands in."""
    names = [name for name, size in SYSTEMS.items() if size == client.record_bytes]
    return names[0] if names else client.target.name


def cells(record: TlsRecord) -> Row:
    """The document's columns: the mean without outliers, the median and the spread beside it,
    and its own figures.
    """
    document = tls_clients()
    published = document.handshake_ms(record.platform, record.connection)
    sent, received = record.payload_sent_bytes, record.payload_received_bytes
    return [
        record.platform,
        record.connection,
        record.backend,
        "-" if record.handshake_ms_mean is None else f"{record.handshake_ms_mean:.4g}",
        "-" if record.handshake_ms is None else f"{record.handshake_ms:.4g}",
        spread(record),
        "-" if sent is None or received is None else str(sent + received),
        _text(record.wire_bytes),
        _text(record.peak_rss_bytes or record.ram_bytes),
        _text(record.flash_bytes),
        "-" if published is None else f"{published:g}",
        "-" if published is None else str(document.bytes_total[record.connection]),
        modelled(record),
    ]


def modelled(record: TlsRecord) -> str:
    """How much of the platform is there."""
    if record.platform == native.PLATFORM:
        return "nothing; it runs natively"
    if record.wire_bytes is not None:
        return "core, TCP/IP and Ethernet, by QEMU"
    return UNLIKE.get(record.platform, "core; no network")


def wire_cells(record: TlsRecord) -> Row:
    """The cells of the table that only emulated boards fill, from the median run."""
    instructions = record.handshake_instructions
    return [
        record.platform,
        record.connection,
        record.backend,
        "-" if instructions is None else f"{instructions / 1e6:.4g}",
        spread(record),
        _text(record.payload_sent_bytes),
        _text(record.wire_sent_bytes),
        _text(record.payload_received_bytes),
        _text(record.wire_received_bytes),
        _text(record.wire_frames),
        _text(record.static_ram_bytes),
        _text(record.heap_bytes),
        _text(record.stack_bytes),
        _text(record.flash_bytes),
        _text(record.flash.get(NETWORK)),
    ]


def _text(value: int | None) -> str:
    return "-" if value is None else str(value)


def spread(record: TlsRecord) -> str:
    """From the lowest to the highest of all runs, in per cent of the median."""
    for low, middle, high in (
        (record.handshake_cycles_min, record.handshake_cycles, record.handshake_cycles_max),
        (
            record.handshake_instructions_min,
            record.handshake_instructions,
            record.handshake_instructions_max,
        ),
        (record.handshake_ms_min, record.handshake_ms, record.handshake_ms_max),
    ):
        if low is not None and high is not None and middle:
            return f"{100 * (high - low) / middle:.2f}"
    return "-"


def on_boards(records: Sequence[TlsRecord]) -> list[TlsRecord]:
    """Those whose wire was captured."""
    return [record for record in records if record.wire_bytes is not None]


def lines(records: Sequence[TlsRecord]) -> list[str]:
    """What stands under the table."""
    document = tls_clients()
    runs = max((record.runs for record in records), default=0)
    said = [
        f"handshake: the client makes {runs} connections. The time is the mean of those that are "
        "left without the two outliers, which are the times furthest from the median",
        "chips: the time is that of the modelled cycles at the chip's clock. It does not include "
        "the network (ecfit tls --rtt adds that). On chips, the client has no TCP/IP stack, so no "
        "row of a chip includes work of TCP/IP. The rows tcp of chips are a client without TLS, "
        "which only receives the data",
        "linux: the time is wall time. It includes the server's computation and the handshake of "
        "TCP. The machine also did other work",
        "rsa: each run makes new keys, and Mbed TLS takes longer for some moduli than for others. "
        "Another run differs by up to 3 %: 11 runs of `ecfit tls --server tls1.2-rsa --n 1` with "
        "ecfit-fast took 138.9 to 145.8 ms on the nrf52840. It is not the cache: with one key, "
        "the client at 16 places in the flash, 4 bytes apart, takes 144.0 to 144.1 ms",
        "bytes: this is TCP's payload in both directions",
        "peak B: on chips and boards, this is the sum of static RAM, heap and stack. On linux, it "
        "is the largest resident memory of the process",
    ]
    levels: dict[str, list[str]] = {}
    for record in records:
        platforms = levels.setdefault(f"-{record.opt}", [])
        platforms += [] if record.platform in platforms else [record.platform]
    said.append(
        "level of optimisation: the code is compiled with "
        + "; ".join(f"{level} on {', '.join(names)}" for level, names in levels.items())
        + ". Mbed TLS has its default options. Its elliptic curves gain more from -O2 than the "
        "other code does (docs/tls.md)"
    )
    said += BOARD_LINES if on_boards(records) else []
    return [*said, f"published: {document.document}. {document.differs}"]
