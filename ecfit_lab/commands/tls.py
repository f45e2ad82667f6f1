"""The command `tls`: a TLS client on modelled chips and emulated boards against servers of this
machine, or recorded connections again.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec

from ecfit.arguments.common import Common
from ecfit.choices.boards import find_machine
from ecfit.choices.targets import Target, find_target, use_files
from ecfit.errors import (
    BUILD_FAILED,
    BUILD_STATUSES,
    CONSTANT_TIME,
    OK,
    WRONG_RESULT,
    UsageError,
)
from ecfit.measure.battery import Plan, plan, with_battery
from ecfit.measure.battery import check as check_currents
from ecfit.measure.store import Store
from ecfit.run.emulator import check_installed
from ecfit.show.layout import Cells, Column
from ecfit.show.progress import Progress
from ecfit.show.report import with_years
from ecfit.units import grouped, microjoules, milliseconds, quantity
from ecfit_lab.tls.channels import energy_uj, radio, sentences
from ecfit_lab.tls.configs import (
    DEFAULT_WEB,
    DOCUMENT,
    MBEDTLS,
    WOLFSSL,
    find_backend,
    find_connection,
    find_stack,
    stack_of,
)
from ecfit_lab.tls.connections import LOST, Place, Wanted, clients, replay_row
from ecfit_lab.tls.connections import follow as follow_secrets
from ecfit_lab.tls.image import LEAST_RECORD, MOST_RECORD, Client, check
from ecfit_lab.tls.link import read_recording, write_recording
from ecfit_lab.tls.phases import NAMES
from ecfit_lab.tls.record import Network, TlsRecord, flat
from ecfit_lab.tls.server import Remote, check_go, check_remote, find_remote
from ecfit_lab.wire import study
from ecfit_lab.wire.image import target

DEFAULT_TARGET = "nrf52840"
HANDSHAKE = "handshake"  # as --every names it
DEFAULT_BACKENDS = {MBEDTLS: ("mbedtls", "ecfit-fast"), WOLFSSL: ("wolfssl",)}
_RANKS = {"instructions": 2, "µJ": 2, "wire B": 1, "heap B": 1, "stack B": 1, "flash B": 1}
_LINES = [
    "handshake: from the first byte to the last that the client waits for; cycles of chips are "
    "modelled, the network costs --rtt and --bandwidth, or what --link takes",
    "RAM: static, heap and stack",
]
_BYTES = "bytes: of TCP's payload, the 64 that are served among them"
_BYTES_OF_LINK = "bytes, frames, mJ: of the handshake, without the 64 bytes that are served then"


def command(common: Common) -> int:
    """Measures, or replays. Errors: UsageError."""
    values = common.values
    wanted = Wanted(
        mode=values["mode"].lower(),
        runs=values["runs"],
        seed=values["seed"],
        network=network(values["rtt"], values["bandwidth"], values["link"]),
        timeout=values["timeout"],
        remote=_remote(common),
    )
    chosen = _chosen(common)
    check_all(chosen, wanted, replays=bool(values["replay"]))
    asked = battery(chosen, values)
    if wanted.network.link and values["boards"]:
        raise UsageError("--link is for modelled chips: leave --board out")
    if wanted.remote:
        wanted.remote.reach()
    if values["follow"]:
        return follow(common, chosen, wanted.mode)
    store, peers = Store(enabled=not values["no_cache"]), common.peers()
    if values["replay"]:
        recording = read_recording(values["replay"])
        work: Callable[[Client], TlsRecord] = partial(
            replay_row, peers=peers, store=store, recording=recording, wanted=wanted
        )
    else:
        work = partial(_live, common=common, wanted=wanted, store=store)
    records = run_all(chosen, work, values["jobs"], quiet=values["quiet"])
    show(common, records, asked)
    return verdict(records)


def battery(chosen: Sequence[Client], values: Mapping[str, Any]) -> Plan | None:
    """What battery life is asked for. Errors: UsageError."""
    asked = plan(values, (HANDSHAKE,))
    if asked:
        check_currents(asked, {one.target.name: one.target for one in chosen}.values())
    return asked


def check_all(chosen: Sequence[Client], wanted: Wanted, *, replays: bool = False) -> None:
    """Whether every row can be. Errors: UsageError, MissingToolError."""
    for client in chosen:
        check(client)
        client.target.mode(wanted.mode)
    if any(one.connection.hybrid for one in chosen) and not (wanted.remote or replays):
        check_go()
    for arch in sorted({one.target.arch for one in chosen if one.target.runner == "qemu"}):
        check_installed(arch)


def follow(common: Common, chosen: Sequence[Client], mode: str) -> int:
    """The secrets of a recording followed. Exit code 5 when one decides about time.
    Errors: UsageError without a recording.
    """
    if not common.values["replay"]:
        raise UsageError("--ct follows the secrets of a recording: name it with --replay")
    recording, store = read_recording(common.values["replay"]), Store()
    places: list[Place] = []
    for client in chosen:
        found = follow_secrets(client, common.peers(), store, recording, mode)
        who = f"{client.connection.name} {client.backend} on {client.target.name}"
        sys.stderr.write(f"ecfit: {who}: {len(found)} constant-time findings\n")
        places += found
    names = [*Place.__struct_fields__]
    columns = [Column(n, n == "count", text=n in ("secret", "of", "source")) for n in names]
    cells = [["-" if (v := getattr(p, n)) is None else str(v) for n in names] for p in places]
    common.print(places, columns, cells, [])
    return CONSTANT_TIME if places else OK


def network(rtt: str | None, bandwidth: str | None, link: str | None) -> Network:
    """What was asked for of it. Errors: UsageError."""
    return Network(
        link=radio(link, rtt, bandwidth),
        rtt_us=quantity(rtt, "time", "--rtt") if rtt else 0,
        bits_per_second=quantity(bandwidth, "rate", "--bandwidth") if bandwidth else 0,
    )


def _live(client: Client, common: Common, wanted: Wanted, store: Store) -> TlsRecord:
    keep = common.values["record"]
    if keep:
        path = keep.format(connection=client.connection.name, target=client.target.name)
        wanted = msgspec.structs.replace(
            wanted, keep=lambda recording: write_recording(path, recording)
        )
    return study.row(client, common.peers(), store, wanted)


def _chosen(common: Common) -> list[Client]:
    """The rows. Errors: UsageError."""
    values = common.values
    boards = _boards(common)
    own = tuple(target.name for target in use_files(values["target_files"]))
    names = values["targets"] or own or (() if boards else (DEFAULT_TARGET,))
    targets = [*map(find_target, names), *boards]
    if values["replay"]:
        servers: Sequence[str] = (read_recording(values["replay"]).connection,)
    else:
        servers = values["servers"] or ((DEFAULT_WEB,) if values["connect"] else DOCUMENT)
    connections = [find_connection(name) for name in servers]
    if values["connect"]:
        for one in connections:
            check_remote(one)
    record_bytes = _record_bytes(values["record_buffer"])
    if values["replay"]:
        record_bytes = read_recording(values["replay"]).record_bytes
    return [
        msgspec.structs.replace(client, record_bytes=record_bytes)
        for client in clients(targets, connections, _backends(common))
    ]


def _record_bytes(text: str | None) -> int:
    """Of the client's buffer; 0: the connection's own. Errors: UsageError."""
    size = round(quantity(text, "size", "--record-buffer")) if text else 0
    if size and not LEAST_RECORD <= size <= MOST_RECORD:
        raise UsageError(f"--record-buffer: {LEAST_RECORD} to {MOST_RECORD} bytes, not {size}")
    return size


def _remote(common: Common) -> Remote | None:
    """The server of --connect. Errors: UsageError."""
    values = common.values
    if not values["connect"]:
        if named := [name for name in ("ca", "sni") if values[name]]:
            raise UsageError(f"--{named[0]} belongs to --connect HOST:PORT")
        return None
    if values["replay"]:
        raise UsageError("--connect and --replay: a recording has its server in it")
    if not values["ca"]:
        raise UsageError("--connect needs --ca FILE: whom the client trusts")
    return find_remote(values["connect"], values["ca"], values["sni"], values["timeout"])


def _backends(common: Common) -> list[str]:
    """Of the stacks that are wanted. Errors: UsageError."""
    stacks = [find_stack(name) for name in common.values["stacks"] or (MBEDTLS,)]
    wanted = common.values["backends"]
    if not wanted:
        return [name for stack in stacks for name in DEFAULT_BACKENDS[stack]]
    found = [find_backend(name) for name in wanted]
    if others := [name for name in found if stack_of(name) not in stacks]:
        raise UsageError(f"--backend {others[0]} belongs to --stack {stack_of(others[0])}")
    return found


def _boards(common: Common) -> list[Target]:
    """The emulated boards. Errors: UsageError."""
    values = common.values
    sizes = [
        quantity(values[kind], "size", f"--{kind}") if values[kind] else 0
        for kind in ("flash", "ram")
    ]
    if any(sizes) and not values["boards"]:
        raise UsageError("--flash and --ram are of an emulated board: name it with --board")
    if values["boards"] and (values["replay"] or values["record"]):
        raise UsageError("--record and --replay are for modelled chips: leave --board out")
    return [target(find_machine(name), *sizes) for name in values["boards"] or ()]


def run_all(
    chosen: Sequence[Client], work: Callable[[Client], TlsRecord], jobs: int, *, quiet: bool
) -> list[TlsRecord]:
    """The records in the order of the rows; several at a time. Where a server is lost, rows that
    have begun are ended, and no others begin.
    """
    lost = threading.Event()

    def unless_lost(client: Client) -> TlsRecord | None:
        record = None if lost.is_set() else work(client)
        if record is not None and record.status == LOST:
            lost.set()
        return record

    pool = ThreadPoolExecutor(jobs)
    records = []
    try:
        with Progress(len(chosen), quiet=quiet) as progress:
            for record in filter(None, pool.map(unless_lost, chosen)):
                records.append(record)
                progress.said(
                    f"{record.connection} {record.backend} on {record.platform}",
                    f"{record.handshake_ms} ms" if record.status == "ok" else record.status,
                )
    except BaseException:  # who interrupts does not wait for a row
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return records


def link_table(records: Sequence[TlsRecord]) -> tuple[list[Column], Cells]:
    """The columns for people where a radio link is below; mJ are of computation and radio."""
    names = [("ms", 2), ("bytes", 3), ("frames", 0), ("radio ms", 1), ("wait min", 0)]
    names += [("mJ", 0), ("RAM B", 0), ("flash B", 0)]
    columns = [Column(name) for name in ("platform", "connection", "backend")]
    columns += [Column(name, True, rank=rank, fold=True) for name, rank in names]
    columns.append(Column("status", rank=4))
    cells = [
        [
            *(
                r.platform,
                r.connection,
                r.backend,
                milliseconds(r.compute_ms and 1000 * r.compute_ms),
            ),
            *(grouped(r.handshake_bytes), grouped(r.frames)),
            milliseconds(r.air_ms and 1000 * r.air_ms),
            "-" if not r.silence_ms else f"{r.silence_ms / 60_000:.1f}",
            milliseconds(r.radio_uj and (energy_uj(r) or r.radio_uj)),
            *(grouped(r.ram_bytes), grouped(r.flash_bytes), r.status),
        ]
        for r in records
    ]
    return columns, cells


def table(records: Sequence[TlsRecord]) -> tuple[list[Column], Cells]:
    """The columns for people; those of boards where there are any."""
    if any(record.link for record in records):
        return link_table(records)
    figures: dict[str, Callable[[TlsRecord], str]] = {
        "cycles": lambda r: grouped(r.handshake_cycles),
        "instructions": lambda r: grouped(r.handshake_instructions),
        "handshake ms": lambda r: milliseconds(r.handshake_ms and 1000 * r.handshake_ms),
        "sent B": lambda r: grouped(r.payload_sent_bytes),
        "received B": lambda r: grouped(r.payload_received_bytes),
        "wire B": lambda r: grouped(r.wire_bytes),
        "heap B": lambda r: grouped(r.heap_bytes),
        "stack B": lambda r: grouped(r.stack_bytes),
        "RAM B": lambda r: grouped(r.ram_bytes),
        "flash B": lambda r: grouped(r.flash_bytes),
        "µJ": lambda r: microjoules(r.energy_uj),
    }
    chips = any(r.handshake_cycles for r in records) or not study.on_boards(records)
    without = {"instructions", "wire B"} if not study.on_boards(records) else set()
    without |= set() if chips else {"cycles", "µJ"}
    names = [name for name in figures if name not in without]
    columns = [Column(name) for name in ("platform", "connection", "backend")]
    columns += [Column(name, True, rank=_RANKS.get(name, 0)) for name in names]
    phases = NAMES if chips else ()
    columns += [Column(name.replace("_", " ") + " %", True, rank=3) for name in phases]
    columns.append(Column("status", rank=1))
    cells = [
        [r.platform, r.connection, r.backend]
        + [figures[name](r) for name in names]
        + [_share(r, name) for name in phases]
        + [r.status]
        for r in records
    ]
    return columns, cells


def _share(record: TlsRecord, phase: str) -> str:
    if not record.handshake_cycles or not record.phases:
        return "-"
    return f"{100 * record.phases[phase] / record.handshake_cycles:.1f}"


def show(common: Common, records: Sequence[TlsRecord], asked: Plan | None = None) -> None:
    """Prints the records as asked, `asked`: with a battery's years. Errors: OutputError."""
    columns, cells = table(records)
    values: Sequence[Any] = records
    if common.format == "csv":
        values = [flat(record) for record in records]
    boards = study.BOARD_LINES if study.on_boards(records) else []
    counted = _BYTES_OF_LINK if any(record.link for record in records) else _BYTES
    lines = [*sentences(records), *_LINES, counted, *boards]
    if asked:
        calls = [
            (find_target(r.platform), HANDSHAKE, r.compute_ms and 1000 * r.compute_ms)
            for r in records
        ]
        radios_uj = [r.radio_uj for r in records]
        values, told = with_battery(asked, values, calls, HANDSHAKE, radios_uj)
        names = {column.name for column in columns}
        after = "handshake ms" if "handshake ms" in names else "ms"
        columns, cells = with_years(columns, cells, values, after)
        lines = [*told, *lines]
    common.print(values, columns, cells, lines)


def verdict(records: Sequence[TlsRecord]) -> int:
    """A line on standard error for each row that failed; the exit code for the gravest."""
    code = OK
    for r in records:
        if r.status == "ok":
            continue
        code = max(code, BUILD_FAILED if r.status in BUILD_STATUSES else WRONG_RESULT)
        sys.stderr.write(
            f"ecfit: {r.connection} {r.backend} on {r.platform}: {r.status}: {r.detail}\n"
        )
    return code
