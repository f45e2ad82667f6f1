"""The record of a row of connections, and the figures computed from its counts."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import msgspec

from ecfit.choices.targets import Target
from ecfit.units import median_int
from ecfit_lab.tls.phases import NAMES, ORIGINS, REST, Flight

SCHEMA = 1
NETWORK = "network"  # an origin of flash, on boards that have TCP/IP
TOSSED = 2  # outliers, of the document's method


class Network(msgspec.Struct, frozen=True):
    """What lies between client and server; 0: it costs nothing."""

    rtt_us: float = 0
    bits_per_second: float = 0

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
