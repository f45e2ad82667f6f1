"""Coverage: for each published figure, whether it is reproduced, and if not, why not.
Made of records that are kept; nothing is measured.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

import msgspec

from ecfit.choices.curves import HASHING, MESSAGE_OPS, find_curve
from ecfit.choices.published import (
    SECONDS,
    Document,
    Series,
    all_figures,
    load_document,
    tls_clients,
)
from ecfit.paths import ROOT
from ecfit_lab.energy.airtime import blocks, message
from ecfit_lab.energy.links import find_link
from ecfit_lab.message.operations import form
from ecfit_lab.tls.record import TlsRecord
from ecfit_studies.survey import articles, riot
from ecfit_studies.survey.comparison import board_uj
from ecfit_studies.survey.outside import VALID
from ecfit_studies.survey.plan import published
from ecfit_studies.survey.records import RECORDS, kept
from ecfit_studies.survey.study import StudyRecord, find_study

State = Literal["within 5 %", "within 10 %", "off", "substitute", "not measured"]
Kind = Literal["measured", "computed", "to the base"]
STATES: tuple[State, ...] = ("within 5 %", "within 10 %", "off", "substitute", "not measured")
NEAR, CLOSE = 0.05, 0.10
# By document: its number among the sources of this project, and the studies that have its rows.
STUDIES = {
    "host/mbedtls-window": ("000", ("ecc-window",)),
    "host/mbedtls-fixed-point": ("000", ("ecc-fixed-point",)),
    "tls/clients": ("001", ()),
    "host/mbedtls-curves": ("002", ("nist-brainpool",)),
    "micro-ecc-lpc1114": ("003", ("micro-ecc",)),
    "remote-cc2538": ("004", ("remote",)),
    "messages/jss-cc2538": ("004", ("jss",)),
}
FIELDS = {
    "time_us": "time",
    "energy_uj": "energy",
    "flash_bytes": "code",
    "static_stack_bytes": "stack",
    "heap_bytes": "heap",
}
NAMES = "library", "target", "curve", "configuration", "op", "published"
FIDELITY = ROOT / "results" / "fidelity.jsonl.gz"
NO_RECORD = "we have not measured this row yet"
HASH_APART = "hash apart"  # of `remote`: what a message costs a verification more than its hash
BASE = "the speeds of other rows are scaled by this one's, since we do not have its machine"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A published figure and what became of it, both in `unit`.

    `kind`: measured; computed by a model of a board's power; or a speed to that of a base, of
    another machine. `code`: the document's own, or a substitute. `ratio`: ours / published.
    `reason`: always, unless it is reproduced.
    """

    document: str
    name: str
    configuration: str
    curve: str
    op: str
    field: str
    kind: Kind = "measured"
    published: float
    unit: str
    ours: float | None = None
    ratio: float | None = None
    code: Literal["own", "substitute"] | None = None
    state: State
    reason: str | None = None


def judged(ratio: float | None, *, own: bool) -> State:
    """What a ratio says. A substitute is never reproduced."""
    if ratio is None:
        return "not measured"
    if not own:
        return "substitute"
    off = round(abs(ratio - 1), 4)
    return "within 5 %" if off <= NEAR else "within 10 %" if off <= CLOSE else "off"


def coverage() -> list[Entry]:
    """Every published figure, the five documents first. Errors: UsageError."""
    found: list[Entry] = []
    for name in STUDIES:
        made = {"tls/clients": _tls, "messages/jss-cc2538": _messages}.get(name)
        article = _article(name) if name.startswith("host/") else None
        found += made() if made else article or _document(_load(name))
    return found + list(_fidelity())


def reproduced(_: Sequence[StudyRecord], number: str) -> str:
    """What the page of a study of this document says first: of kept rows. Errors: UsageError."""
    kinds: tuple[Kind, ...] = ("measured", "to the base")
    entries = [one for one in coverage() if one.document == number and one.kind in kinds]
    own = [one for one in entries if one.code == "own"]
    near = [sum(one.state in STATES[:most] for one in own) for most in (1, 2)]
    rest = len(entries) - len(own)
    more = f" For {rest} more, that code was not measured." if rest else ""
    return (
        f"With the code that the document measured, {near[0]} of its {len(own)} figures come out "
        f"within 5 %, and {near[1]} within 10 % ([each figure](coverage.md)).{more}"
    )


def _load(path: str) -> Document:
    """A document under its path below ecfit/data/published, which is its key here."""
    return msgspec.structs.replace(load_document(path), name=path)


class _Told(msgspec.Struct, frozen=True):
    """One figure of a series, under the name of a record's field; `op` may be empty: of all."""

    document: Document
    series: Series
    op: str
    field: str
    value: float

    @property
    def kind(self) -> Kind:
        """Joules are computed."""
        return "computed" if self.field == "energy_uj" else "measured"

    @property
    def unit(self) -> tuple[str, float]:
        """The unit to print, and how many of the record's make one."""
        unit = self.series.unit
        if self.field == "time_us":
            return unit, SECONDS.get(unit, 1) / 1e6
        return ("J", 1e-6) if self.field == "energy_uj" else ("bytes", 1)


def _document(document: Document) -> Iterator[Entry]:
    """The figures of a document with series, each once."""
    records = [r for study in STUDIES[document.name][1] for r in kept(find_study(study))]
    records = [r for r in records if (r.source or "").startswith(document.document)]
    seen: set[tuple[object, ...]] = set()
    for series in document.series:
        for told in _told(document, series):
            # what stands in two tables of a page is one figure
            key = series.configuration, series.curve, told.op, told.field, told.value
            if key not in seen:
                seen.add(key)
                yield _entry(told, records)


def _is_window(series: Series) -> bool:
    told = [(s.figures, s.heap_bytes) for s in load_document("host/mbedtls-window").series]
    return (series.figures, series.heap_bytes) in told


def _article(name: str) -> Iterator[Entry]:
    """The figures of an article about Mbed TLS, by the program that made them; each once."""
    document, seconds = _load(name), "a second"
    for row in articles.rows(name):
        series = row.series
        if name == "host/mbedtls-fixed-point" and _is_window(series):
            continue  # the article's other table has it
        pairs = [("time_us", seconds, row.said, row.a_second)]
        if series.heap_bytes:
            pairs.append(("heap_bytes", "bytes", series.heap_bytes, row.ours.heap_bytes))
        for field, unit, said, ours in pairs:
            ratio = None if ours is None else round(ours / said, 4)
            state, where = judged(ratio, own=True), (field, series.curve, row.op)
            yield Entry(
                document=STUDIES[name][0],
                name=name,
                configuration=series.configuration,
                curve=series.curve,
                op=row.op,
                field=FIELDS[field],
                kind="to the base" if unit == seconds else "measured",
                published=said,
                unit=unit,
                ours=None if ours is None else float(f"{ours:.5g}"),
                ratio=ratio,
                code=None if ratio is None else "own",
                state=state,
                reason=_why(document, state, where) if ratio else BASE,
            )


def _why(document: Document, state: State, where: tuple[str, str, str]) -> str | None:
    return None if state in STATES[:2] else document.reason(*where)


def _told(document: Document, series: Series) -> Iterator[_Told]:
    """What a series says; code once, and not under each of the operations that it has."""
    for op in dict.fromkeys((*series.figures, *(op for op in series.stack_bytes if op != VALID))):
        for field, value in published(document, series, op).items():
            if field != "flash_bytes":
                yield _Told(document, series, op, field, value)
    if series.code_bytes:
        yield _Told(document, series, "", "flash_bytes", series.code_bytes)
    if series.code_ecdh_bytes:
        yield _Told(document, series, "ecdh", "flash_bytes", series.code_ecdh_bytes)
    if VALID in series.stack_bytes:
        yield _Told(document, series, VALID, "static_stack_bytes", series.stack_bytes[VALID])


def _entry(told: _Told, records: Sequence[StudyRecord]) -> Entry:
    """A figure with the record that measured it."""
    series, field, record = told.series, told.field, _record(told, records)
    computed = told.kind == "computed"
    ratio = record.ratio.get(field) if record else None
    value = getattr(record, field) if record else None
    if record and computed:
        value = board_uj(record)
        ratio = round(value / told.value, 4) if value else None
    own = record is not None and told.document.own.get(series.library) == record.library
    added = told.document.added.get(series.library) if field == "flash_bytes" else None
    if value and added:
        value, own = value + _hash_bytes(), False
        ratio = round(value / told.value, 4)
    state, reason = judged(ratio, own=own), None
    if record and computed and state in STATES[:2]:
        state = max(state, judged(record.ratio.get("time_us"), own=own), key=STATES.index)
    if state == "not measured":
        reason = series.not_run or NO_RECORD
    elif state == "substitute":
        reason = added or (record.differs if record else None)
    elif state == "off":
        reason = told.document.reason(field, series.configuration, told.op)
    unit, scale = told.unit
    if value is not None:
        value = float(f"{value * scale:.5g}")
    return Entry(
        document=STUDIES[told.document.name][0],
        name=told.document.name,
        configuration=series.configuration,
        curve=series.curve,
        op=told.op or "all",
        field=FIELDS[field],
        kind=told.kind,
        published=round(told.value * scale, 4),
        unit=unit,
        ours=value,
        ratio=ratio,
        code=None if ratio is None else "own" if own else "substitute",
        state=state,
        reason=reason,
    )


@cache
def _hash_bytes() -> int:
    """The code of this library's SHA-256 and of its call."""
    found = {r.op: r.flash_bytes for r in kept(find_study("remote")) if r.group == HASH_APART}
    return (found["verify_message"] or 0) - (found["verify"] or 0)


def _record(told: _Told, records: Sequence[StudyRecord]) -> StudyRecord | None:
    """The record that measured a figure: on the document's chip, in the mode that is the best
    estimate of its flash.
    """
    series, op, field = told.series, told.op, told.field
    alone = op == "ecdh" and field == "flash_bytes"  # two sizes of a series have ECDH in them
    found = [
        r
        for r in records
        if (r.target, r.curve, r.published.get(field)) == (series.target, series.curve, told.value)
        and (op in ("", HASHING.get(r.op, r.op)) or (op == VALID and r.function == f"ecc_{VALID}"))
        and _is_of(r.group, series)
        and (field != "flash_bytes" or ("alone" in r.group) == alone)
    ]
    found.sort(key=lambda r: r.mode != "fitted")
    return found[0] if found else None


def _is_of(group: str, series: Series) -> bool:
    """Whether a row of a study is of a series: by its name, or that of an article's."""
    words = series.configuration
    names = (words, f"{series.library} {words}", series.curve)
    return group in names or group.startswith(f"{words} (")


@cache
def _tls_records() -> dict[tuple[str, str], TlsRecord]:
    """By platform and connection, with Mbed TLS as it is."""
    lines = gzip.decompress((RECORDS / "tls.jsonl.gz").read_bytes()).splitlines()
    records = [msgspec.json.decode(line, type=TlsRecord) for line in lines]
    return {(r.platform, r.connection): r for r in records if r.backend in ("mbedtls", "-")}


def _tls() -> Iterator[Entry]:
    """The draft about TLS clients, whose figures are placeholders."""
    document = tls_clients()
    of_ours = {theirs: ours for ours, theirs in document.platforms.items()}
    for row in document.row:
        for connection, value in row.handshake_ms.items():
            one = _tls_records().get((of_ours.get(row.platform, ""), connection))
            said = value, document.bytes_total[connection], document.peak_memory_mb[connection]
            units = ("time", "ms"), ("bytes", "bytes"), ("memory", "MB")
            for (field, unit), theirs, ours in zip(units, said, _client(one), strict=True):
                ratio = None if ours is None else round(ours / theirs, 4)
                yield Entry(
                    document="001",
                    name="tls/clients",
                    configuration=row.platform,
                    curve="-",
                    op=connection,
                    field=field,
                    published=theirs,
                    unit=unit,
                    ours=None if ours is None else float(f"{ours:.4g}"),
                    ratio=ratio,
                    code=None if ours is None else "substitute",
                    state=judged(ratio, own=False),
                    reason=NO_RECORD if one is None else document.differs,
                )


def _client(one: TlsRecord | None) -> tuple[float | None, float | None, float | None]:
    """Milliseconds, bytes both ways and megabytes of a client."""
    if one is None:
        return None, None, None
    peak, sent = one.peak_rss_bytes or one.ram_bytes, one.payload_sent_bytes
    both = sent + (one.payload_received_bytes or 0) if sent is not None else None
    return one.handshake_ms, both, peak / 1e6 if peak else None


def _messages() -> Iterator[Entry]:
    """Table 7. Sizes are of the format, and so nobody's code; signing is by the paper's code, as in
    the study `remote`.
    """
    document = _load("messages/jss-cc2538")
    forms = {"disabled": MESSAGE_OPS[0], "enabled": MESSAGE_OPS[1]}
    plain = _sent(document.series[0], forms)
    units = {"transmission_ms": "ms", "firmware_kb": "kB", "firmware_overhead_kb": "kB"}
    for series in document.series:
        measured = _sent(series, forms)
        measured["overhead_bytes"] = measured["bytes"] - plain["bytes"]
        quotient = measured["transmission_ms"] / plain["transmission_ms"]
        measured["overhead_percent"] = round(100 * (quotient - 1), 1)
        measured |= _firmware(signed=series.configuration == "enabled")
        for op, value in series.figures.items():
            yield _of_message(document, series, f"{op}_ms", value, _own_ms(series, op), "ms")
        for field, value in series.message.items():
            unit = units.get(field, "%" if field.endswith("percent") else field.rpartition("_")[2])
            yield _of_message(document, series, field, value, measured.get(field), unit)


def _sent(series: Series, forms: dict[str, str]) -> dict[str, float]:
    """What a message of that form takes on the radio."""
    size = form(find_curve(series.curve), forms[series.configuration]).size
    over = round(message(find_link("802.15.4-contikimac"), size).time_us / 1000, 1)
    return {"bytes": size, "blocks": blocks(size), "transmission_ms": over}


def _firmware(*, signed: bool) -> dict[str, float]:
    """Sizes of the sensor's image under RIOT, which stands in for the paper's under Contiki."""
    plain, ours = (riot.firmware()[which].flash_bytes / 1000 for which in (False, signed))
    more = ours - plain
    return {
        "firmware_kb": round(ours, 2),
        "firmware_overhead_kb": round(more, 2),
        "firmware_overhead_percent": round(100 * more / plain, 1),
    }


def _own_ms(series: Series, op: str) -> float | None:
    """Milliseconds of the paper's own code in the flash that its other times gave, from the study
    of its tables: the fastest configuration, as the paper's sensor has.
    """
    wanted = "micro-ecc-2015", "micro-ecc fast", series.curve, op, "fitted"
    for r in kept(find_study("remote")):
        if (r.library, r.group, r.curve, r.op, r.mode) == wanted and r.time_us is not None:
            return round(r.time_us / 1000, 1)
    return None


def _of_message(  # noqa: PLR0917
    document: Document, series: Series, field: str, value: float, ours: float | None, unit: str
) -> Entry:
    ratio, said = None if ours is None else round(ours / value, 4), series.configuration
    own = not field.startswith("firmware")
    state = judged(ratio, own=own)
    return Entry(
        document="004",
        name=document.name,
        configuration=f"JSS {said}",
        curve=series.curve,
        op="message",
        field=field.removesuffix("_ms").removesuffix("_kb").replace("_", " "),
        published=value,
        unit=unit,
        ours=ours,
        ratio=ratio,
        code=None if ours is None else "own" if own else "substitute",
        state=state,
        reason=None if state in STATES[:2] else document.reason(field, said, "message"),
    )


def _fidelity() -> Iterator[Entry]:
    """The figures of silicon in other documents, as `ecfit fidelity` keeps them."""
    lines = gzip.decompress(FIDELITY.read_bytes()).splitlines()
    rows = [msgspec.json.decode(line) for line in lines]
    for figure in all_figures():
        document, series = figure.document, figure.series
        if document.name in STUDIES:
            continue
        what = series.library, series.target, series.curve, series.configuration, figure.op
        found = [r for r in rows if tuple(map(r.get, NAMES)) == (*what, figure.value)]
        row = found[0] if found else None
        ratio = row["ratio"] if row else None
        own = not figure.differs
        state = judged(ratio, own=own)
        why: str | None = figure.differs or "the model does not fit (docs/cycle-model.md)"
        if state in STATES[:2]:
            why = None
        yield Entry(
            document="others",
            name=document.name,
            configuration=series.configuration or series.library,
            curve=series.curve,
            op=figure.op,
            field="time",
            published=figure.value,
            unit=series.unit,
            ours=row["modelled"] if row else None,
            ratio=ratio,
            code=None if ratio is None else "own" if own else "substitute",
            state=state,
            reason=why if ratio is not None else figure.not_run or NO_RECORD,
        )
