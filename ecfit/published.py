"""Figures that others measured on silicon: ecfit/data/published, one TOML per document, with their conditions."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from ecfit.errors import UsageError
from ecfit.paths import DATA

# How many of a unit there are in one second at a clock of `hz`, or in one cycle.
SECONDS = {"s": 1.0, "ms": 1e3, "us": 1e6}
CYCLES = {"cycles": 1.0, "kcycles": 1e-3}


class Series(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of one library in one configuration on one target, by operation.

    `opt` and `options` are how the bench builds the library to reproduce it; `configuration` is the document's own name
    for that.
    `not_run`: why the figure is printed but not reproduced. `differs`: what is not as published.
    """

    library: str
    curve: str
    target: str
    unit: Literal["s", "ms", "us", "cycles", "kcycles"]
    figures: dict[str, float]
    mode: str = "datasheet"
    configuration: str = ""
    opt: str = "Os"
    options: dict[str, str] = {}
    conditions: str = ""
    differs: str = ""
    not_run: str = ""


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the figures stand, and what holds for all of them. `origin`: where the document itself is found."""

    document: str
    origin: str
    conditions: str
    library_version: str
    compiler: str
    series: tuple[Series, ...]
    differs: str = ""
    not_run: str = ""


class Figure(msgspec.Struct, frozen=True):
    """One published figure with all that is known of it."""

    document: Document
    series: Series
    op: str
    value: float

    @property
    def not_run(self) -> str:
        """Why it is not reproduced; empty when it is."""
        return self.series.not_run or self.document.not_run

    @property
    def differs(self) -> str:
        """What is not as published."""
        return self.series.differs or self.document.differs

    def from_cycles(self, cycles: int, hz: int) -> float:
        """Cycles in the unit of the figure, at a clock in hertz."""
        unit = self.series.unit
        return cycles * CYCLES[unit] if unit in CYCLES else cycles / hz * SECONDS[unit]


@cache
def all_figures() -> tuple[Figure, ...]:
    """Every published figure, documents in the order of their file names. Errors: UsageError."""
    found = []
    for path in sorted((DATA / "published").glob("*.toml")):
        try:
            document = msgspec.toml.decode(path.read_bytes(), type=Document)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path.name}: {error}") from None
        found += [
            Figure(document, series, op, value) for series in document.series for op, value in series.figures.items()
        ]
    return tuple(found)
