"""Figures that others measured on silicon: ecfit/data/published, one TOML per document,
with their conditions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from ecfit import documents
from ecfit.errors import UsageError
from ecfit.paths import DATA, read_input

# How many of a unit there are in one second at a clock of `hz`, or in one cycle.
SECONDS = {"s": 1.0, "ms": 1e3, "us": 1e6}
CYCLES = {"cycles": 1.0, "kcycles": 1e-3}


class Series(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of one library in one configuration on one target, by operation.

    `opt` and `options` are how the bench builds the library to reproduce it; `configuration`
    is the document's own name for that. `functions`: by operation, the function whose time the
    figure is, with all that it calls; none: the whole operation of the bench. `code_bytes`, of all
    operations; `code_ecdh_bytes`, of ECDH alone; `energy_j` and `stack_bytes` (the most a function
    can need) by operation; `message`: bytes, blocks, transmission_ms and firmware_kb of one that is
    sent; `heap_bytes`: what else the document says, for studies. "per_s": operations a second.
    `not_run`: why the figure is printed but not reproduced. `differs`: what is not as published.
    `chose`: the rule of a model that was chosen by these figures, which then score nothing.
    """

    library: str
    curve: str
    target: str
    unit: Literal["s", "ms", "us", "cycles", "kcycles", "per_s"]
    figures: dict[str, float]
    mode: str = "datasheet"
    configuration: str = ""
    opt: str = "Os"
    options: dict[str, str] = {}
    functions: dict[str, str] = {}
    code_bytes: int | None = None
    code_ecdh_bytes: int | None = None
    heap_bytes: int | None = None
    energy_j: dict[str, float] = {}
    stack_bytes: dict[str, int] = {}
    message: dict[str, float] = {}
    conditions: str = ""
    differs: str = ""
    not_run: str = ""
    chose: str = ""


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why figures of a document are off: those of a field of a record, of the operations and of
    the configurations that end with one of these words; left out: of all.
    """

    field: str
    text: str
    ops: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the figures stand, and what holds for all of them.
    `origin`: where the document itself is found; `name`: of its file. `fitted`: what of the way to
    build its libraries was chosen by its own figures, which then say nothing of it.
    `own`: by library, the peer that is the code which was measured, from a package or from outside
    (peers/outside); other code is a substitute. `added`: by library, which hash of ours stands in
    for one that its sizes have and the library has not. `reasons`: why what is off is off.
    """

    document: str
    origin: str
    conditions: str
    library_version: str
    compiler: str
    series: tuple[Series, ...]
    differs: str = ""
    not_run: str = ""
    fitted: dict[str, str] = {}
    own: dict[str, str] = {}
    added: dict[str, str] = {}
    reasons: tuple[Reason, ...] = ()
    name: str = ""

    def reason(self, field: str, configuration: str, op: str) -> str | None:
        """Why a figure is off; None where nobody has said."""
        for reason in self.reasons:
            ends = configuration.endswith(reason.configurations) if reason.configurations else True
            if reason.field == field and ends and (not reason.ops or op in reason.ops):
                return reason.text
        return None


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


def read_document(path: Path) -> Document:
    """The document in a file. Errors: UsageError."""
    try:
        document = documents.toml(read_input(path, documents.LARGEST_TOML), Document)
        return msgspec.structs.replace(document, name=path.stem)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path}: {error}") from None


class TlsRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A platform of the document about TLS clients: milliseconds by connection."""

    platform: str
    handshake_ms: dict[str, float]


class TlsClients(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The document about TLS clients. `platforms`: the document's name for each of our platforms.
    The bytes in both directions and the peak memory are the same on all platforms.
    """

    document: str
    differs: str
    platforms: dict[str, str]
    row: tuple[TlsRow, ...]
    bytes_total: dict[str, int]
    peak_memory_mb: dict[str, float]

    def handshake_ms(self, platform: str, connection: str) -> float | None:
        """What it says of a platform of ours; None: nothing."""
        named = self.platforms.get(platform)
        times = [row.handshake_ms.get(connection) for row in self.row if row.platform == named]
        return times[0] if times else None


@cache
def tls_clients() -> TlsClients:
    """The document's figures."""
    path = DATA / "published" / "tls" / "clients.toml"
    return msgspec.toml.decode(path.read_bytes(), type=TlsClients)


@cache
def load_document(name: str) -> Document:
    """The document ecfit/data/published/NAME.toml. Errors: UsageError."""
    return read_document(DATA / "published" / f"{name}.toml")


def figures(documents: Iterable[Document]) -> tuple[Figure, ...]:
    """The figures of documents, in their order."""
    return tuple(
        Figure(document, series, op, value)
        for document in documents
        for series in document.series
        for op, value in series.figures.items()
    )


@cache
def all_figures() -> tuple[Figure, ...]:
    """Every published figure of silicon, documents in the order of their file names.
    Errors: UsageError.
    """
    return figures(load_document(path.stem) for path in sorted((DATA / "published").glob("*.toml")))
