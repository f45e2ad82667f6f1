"""The study `tls`: the document's table of TLS clients, on this machine, chips and boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from ecfit.arguments.common import Common
from ecfit.errors import UsageError
from ecfit.measure.store import Store, write_output
from ecfit.prose import wrapped
from ecfit.show.layout import Cells, Column
from ecfit.show.report import emit, to_md
from ecfit_lab.commands.tls import check_all, run_all, verdict
from ecfit_lab.tls.configs import TCP
from ecfit_lab.tls.connections import LOST, Wanted
from ecfit_lab.tls.record import TlsRecord, flat
from ecfit_lab.wire import study
from ecfit_studies.survey.plots import svg
from ecfit_studies.survey.study import Chart, Point

_ABOUT = """\
This study measures a TLS connection on a device, with RSA and with ECDSA, and with two back ends
for the elliptic curves. The time of the handshake is the mean without two outliers, which is the
document's method. The median and the spread of all runs stand beside it."""

_TCP = """\
The rows `tcp` show the cost of TCP/IP itself. In flash and static RAM, this is lwIP and the driver
of the Ethernet controller. On the wire, it is headers and acknowledgements.
"""


def document(common: Common) -> int:
    """Measures the rows. Errors: UsageError, MissingToolError."""
    values = common.values
    if values["tables"]:
        raise UsageError(f"{study.NAME}: leave --tables out, the records have every column")
    wanted = Wanted(mode=values["mode"].lower())
    chosen = study.plan([] if "all" in values["targets"] else values["targets"])
    check_all(chosen, wanted)
    work = partial(
        study.row, peers=common.peers(), store=Store(not values["no_cache"]), wanted=wanted
    )
    timed = [client for client in chosen if client.target.runner == study.HOST]
    counted = [client for client in chosen if client.target.runner != study.HOST]
    records = run_all(timed, work, 1, quiet=values["quiet"])  # wall time: one at a time
    if LOST not in {record.status for record in records}:
        records += run_all(counted, work, values["jobs"], quiet=values["quiet"])
    if values["plot"]:
        write_output(Path(values["plot"]), svg(picture(records)))
    if common.format == "md":
        emit(page(records), common.path)
        return verdict(records)
    rows: Sequence[object] = records
    if common.format == "csv":
        rows = [flat(record) for record in records]
    columns, cells = first(records)
    lines = [*study.lines(records), *failed(records)]
    common.print(rows, columns, cells, lines, every_row=True)
    return verdict(records)


def picture(records: Sequence[TlsRecord]) -> Chart:
    """Flash of the client against the time of a handshake."""
    shown = [r for r in records if r.connection != TCP]
    points = tuple(
        Point(r.flash_bytes, r.handshake_ms, f"{r.platform} {r.connection}", r.backend, False)
        for r in shown
        if r.flash_bytes and r.handshake_ms
    )
    return Chart(study.NAME, study.TITLE, "flash, bytes", "handshake ms", points)


def _columns(names: Mapping[str, int]) -> list[Column]:
    return [Column(name, name not in study.TEXTS, rank=rank) for name, rank in names.items()]


def first(records: Sequence[TlsRecord]) -> tuple[list[Column], Cells]:
    """The document's table: what was measured."""
    shown = [record for record in records if record.status == "ok"]
    return _columns(study.COLUMNS), [study.cells(record) for record in shown]


def failed(records: Sequence[TlsRecord]) -> list[str]:
    """A line for each row that was not measured."""
    return [
        f"{r.platform}, {r.connection}, {r.backend}: {r.status}: {r.detail}"
        for r in records
        if r.status != "ok"
    ]


def answer(records: Sequence[TlsRecord]) -> str:
    """How many times faster each handshake is with our curves, by chip: a table of Markdown."""
    theirs, ours = study.BACKENDS
    times = {
        (r.platform, r.connection, r.backend): r.handshake_ms_mean
        for r in records
        if r.platform in study.CHIPS
    }
    connections = [c for c in dict.fromkeys(r.connection for r in records) if c != TCP]
    cells = []
    for chip in dict.fromkeys(platform for platform, _, _ in times):
        row = [chip]
        for connection in connections:
            before, after = (times.get((chip, connection, by)) for by in (theirs, ours))
            row.append(f"{after:.4g} ms, {before / after:.1f} x" if before and after else "-")
        cells.append(row)
    lead = f"The handshake with the curves by `{ours}`, and how many times as fast it is as with "
    lead += "those of Mbed TLS; a time is computation alone ([how it was measured](#method))."
    return f"{lead}\n\n" + to_md(list(map(Column, ("chip", *connections))), cells, [])


def page(records: Sequence[TlsRecord]) -> str:
    """The study as a page of Markdown."""
    columns, cells = first(records)
    parts = [
        f"# {study.TITLE}\n",
        f"{answer(records)}\n",
        "## Handshake, bytes, memory\n",
        to_md(columns, cells, []),
    ]
    if wired := study.on_boards(records):
        parts += ["## Emulated boards: instructions, wire, memory\n", _TCP]
        parts += [to_md(_columns(study.WIRE_COLUMNS), [study.wire_cells(r) for r in wired], [])]
    parts += ["## Method\n", f"{_ABOUT}\n"]
    parts += [f"Made by `ecfit study {study.NAME}`; do not edit.\n", "## Conditions\n"]
    parts.append("\n".join(f"- {line}" for line in [*study.lines(records), *failed(records)]))
    return wrapped("\n".join(parts) + "\n")
