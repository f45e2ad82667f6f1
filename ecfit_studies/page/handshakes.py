"""Kept handshakes of TLS clients: their flights in time, and where cycles and flash go."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from ecfit.choices.targets import find_target
from ecfit_lab.tls.configs import TCP
from ecfit_lab.tls.phases import Flight
from ecfit_studies.survey.front import USUAL

MS = 1000


class Moment(msgspec.Struct, frozen=True):
    """A flight, in milliseconds of the handshake."""

    by: str
    bytes: int
    begin_ms: float
    end_ms: float


class Handshake(msgspec.Struct, frozen=True):
    """One connection on one chip with one back end of elliptic curves. `phases` in milliseconds,
    `flash` in bytes; each adds up to its total.
    """

    connection: str
    target: str
    backend: str
    ms: float
    flash_bytes: int
    phases: dict[str, float]
    flash: dict[str, int]
    flights: list[Moment]


class Kept(msgspec.Struct, frozen=True):
    """What is read of a kept row (tools/rigs/tls.py)."""

    platform: str
    connection: str
    backend: str
    opt: str
    handshake_cycles: int
    flash_bytes: int
    phases: dict[str, int]
    flash: dict[str, int]
    flights: list[Flight]


def handshakes(path: Path, targets: Collection[str]) -> list[Handshake]:
    """The kept rows of these chips; none where nothing is kept. All of them for no chips."""
    if not path.is_file():
        return []
    rows = msgspec.json.decode(path.read_bytes(), type=list[Kept])
    return [
        _handshake(row)
        for row in rows
        if row.connection != TCP and (not targets or row.platform in targets)
    ]


def _handshake(row: Kept) -> Handshake:
    clock = find_target(row.platform).clock
    assert clock is not None, row.platform

    def ms(cycles: int) -> float:
        return round(cycles / clock.hz * MS, 4)

    return Handshake(
        row.connection,
        row.platform,
        row.backend if row.opt == USUAL else f"{row.backend} -{row.opt}",
        ms(row.handshake_cycles),
        row.flash_bytes,
        {name: ms(cycles) for name, cycles in row.phases.items()},
        {name: size for name, size in row.flash.items() if size},
        [Moment(f.by, f.bytes, ms(f.begin_cycles), ms(f.end_cycles)) for f in row.flights],
    )
