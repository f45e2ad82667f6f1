"""The command `study`: measures what a study plans, and prints its tables."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import pairs
from ecfit.choices.curves import CURVES, find_curve
from ecfit.choices.peers import Peer, outside_peers
from ecfit.choices.targets import all_targets, find_target
from ecfit.choices.variants import known
from ecfit.commands.catalogue import cut
from ecfit.errors import INTERRUPTED, OK, EcfitError, UsageError
from ecfit.measure.bench import Bench
from ecfit.measure.store import Store, write_output
from ecfit.model import Measurement, Observation, digest
from ecfit.run.cases import make_case
from ecfit.run.hostlib import HostError
from ecfit.run.hostpairs import ROUNDS, Item, description, interleaved
from ecfit.show.layout import Column, available, noted, to_table, wrapped
from ecfit.show.origin import stamped
from ecfit.show.progress import Progress
from ecfit.show.report import emit, to_csv, to_json
from ecfit.show.view import chosen, fields_of, keys
from ecfit_lab.wire import study as tls_study
from ecfit_studies.survey import coverage_table as covered
from ecfit_studies.survey.charts import charts
from ecfit_studies.survey.coverage import coverage
from ecfit_studies.survey.plan import VARIANTS
from ecfit_studies.survey.plots import check_plots, svg
from ecfit_studies.survey.ranking import checked
from ecfit_studies.survey.records import kept, kept_outside, records_path
from ecfit_studies.survey.study import (
    Ask,
    Chart,
    Job,
    Section,
    Study,
    StudyRecord,
    all_studies,
    brief_conditions,
    find_study,
    measure,
    page,
    ratios,
    too_large,
    with_ecdhe,
)


@known(VARIANTS)
def command(common: Common) -> int:
    """Lists the studies, or runs one. Returns the exit code. Errors: UsageError."""
    name = common.values["name"]
    if common.values["of_coverage"]:
        if name is not None:
            raise UsageError(f"--coverage is of all studies: leave '{name}' out")
        return _coverage(common)
    if name == tls_study.NAME:
        from ecfit_studies.commands.tls_document import document

        return document(common)
    if common.values["list_them"] or name is None:
        entries = [
            {
                "name": study.name,
                "title": study.title,
                "targets": " ".join(study.targets),
                "curves": " ".join(study.curves),
            }
            for study in all_studies().values()
        ]
        targets = " ".join(tls_study.TARGETS)
        entries.append(
            {"name": tls_study.NAME, "title": tls_study.TITLE, "targets": targets, "curves": ""}
        )
        titles = [{"name": entry["name"], "title": cut(entry["title"], 61)} for entry in entries]
        return common.listing(entries, shown=titles)
    study = find_study(name)
    if common.view().columns and records_path(study).is_file():
        _check_columns(study, kept(study), common)
    if common.values["plot"]:
        check_plots()
    records, stopped = run(study, common)
    _print(study, records, common)
    if common.values["plot"]:
        draw(charts(study, records), Path(common.values["plot"]))
    if stopped:
        sys.stderr.write("ecfit: interrupted: above is what was measured; it is kept, and the same "
                         "command goes on there\n")  # fmt: skip
        return INTERRUPTED
    return verdict([record for record in records if not too_large(record)])


def draw(pictures: Sequence[Chart], path: Path) -> None:
    """Writes the charts: one to the path, several beside each other with their names. Errors:
    UsageError, MissingToolError, OutputError.
    """
    if not pictures:
        raise UsageError("--plot: no row has been measured that could be drawn")
    for picture in pictures:
        name = path if len(pictures) == 1 else path.with_stem(f"{path.stem}-{picture.name}")
        write_output(name, svg(picture))
        sys.stderr.write(f"ecfit: wrote {name}\n")


def _coverage(common: Common) -> int:
    """Prints which published figures are reproduced, from records that are kept."""
    entries = coverage()
    if common.format == "md":
        emit(covered.page(entries), common.path)
    elif common.format == "table":
        columns, cells, lines = covered.screen(entries)
        counts = to_table(*covered.counted(entries), [covered.documents()], colour=False)
        emit(f"{to_table(columns, cells, lines, colour=False)}\n{counts}", common.path)
    else:
        common.print(entries, *covered.table(entries))
    return OK


def ask(study: Study, common: Common) -> Ask:
    """The targets and curves asked for, else the study's own. Errors: UsageError."""
    targets = common.values["targets"] or study.targets
    curves = common.values["curves"] or study.curves
    return Ask(
        targets=tuple(all_targets().values())
        if "all" in targets
        else tuple(map(find_target, targets)),
        curves=tuple(CURVES.values()) if "all" in curves else tuple(map(find_curve, curves)),
        mode=common.values["mode"].lower(),
        peers=_at_hand(common),
    )


def _at_hand(common: Common) -> dict[str, Peer]:
    """All peers but those that come only when asked for, and are not. Errors: UsageError."""
    asked = pairs(common.values.get("peer_dirs", ()), "--peer-dir")
    peers = common.peers().items()
    return {name: peer for name, peer in peers if not peer.on_request or name in asked}


def run(study: Study, common: Common) -> tuple[list[StudyRecord], bool]:
    """The records of a study, in the order of its plan; before them those that are kept of
    libraries whose code is not at hand; whether it was interrupted, when some are missing.
    Errors: UsageError, MissingToolError.
    """
    asked = ask(study, common)
    bench, jobs = common.bench(), study.plan(asked)
    if not study.curves and asked.curves:  # its plan has the curves of a document
        jobs = [job for job in jobs if job.row.curve in asked.curves]
    places = [target.name for target in asked.targets], [curve.name for curve in asked.curves]
    outside = kept_outside(study, asked.peers, *places)
    if not jobs and not outside:
        raise UsageError(f"study {study.name} has nothing to measure for these targets and curves")
    records: list[StudyRecord | None] = [None] * len(jobs)
    stopped = False
    with Progress(len(jobs), quiet=common.values["quiet"], rows=True) as progress:
        try:
            for index, record in measure(study, jobs, bench):
                records[index] = record
                progress.done(record)
        except KeyboardInterrupt:
            if not any(records):
                raise
            stopped = True
    jobs = [job for job, record in zip(jobs, records, strict=True) if record is not None]
    measured = [record for record in records if record is not None]
    measured = _checked_before(study, measured)
    if stopped:
        return outside + _with_base(with_ecdhe(jobs, measured)), True
    try:
        measured = time_host(jobs, measured, bench)
    except HostError as error:
        raise EcfitError(
            f"study {study.name}: the times of this machine cannot be taken: {error}"
        ) from None
    return outside + with_ecdhe(jobs, measured), False


def _with_base(records: Sequence[StudyRecord]) -> list[StudyRecord]:
    """Those whose base is among them, or that need none."""
    groups = {(r.target, r.curve, r.group) for r in records}
    return [r for r in records if r.base is None or (r.target, r.curve, r.base) in groups]


def _checked_before(study: Study, records: Sequence[StudyRecord]) -> list[StudyRecord]:
    """The records with what `ecfit ct` said of the same row when it took the same cycles and bytes:
    its code is the same.
    """

    def same(r: StudyRecord) -> tuple[object, ...]:
        return *checked(r), r.image_ops, r.cycles, r.flash_bytes

    known = {same(r): r.constant_time for r in kept(study)} if records_path(study).is_file() else {}
    return [
        msgspec.structs.replace(r, constant_time=r.constant_time or known.get(same(r)))
        for r in records
    ]


def time_host(
    jobs: Sequence[Job], records: Sequence[StudyRecord], bench: Bench
) -> list[StudyRecord]:
    """The records, those of this machine timed again in turn with each other:
    only ratios hold there.
    """
    native = [
        i
        for i, job in enumerate(jobs)
        if job.row.target.runner == "host" and records[i].status == "ok"
    ]
    timed = list(records)
    if not native:
        return timed
    machine, items, parts = description(), [], []
    for index in native:
        row = jobs[index].row
        same = Bench(
            msgspec.structs.replace(bench.settings, opt=jobs[index].opt), bench.peers, bench.store
        )
        image = same.image(same.request(row))
        items.append(
            Item(
                image.segments[0].data, row.op, make_case(row.curve, row.op, bench.settings.seed, 0)
            )
        )
        parts.append([image.key, row.op])
    key = digest(["in turn, processor time", machine, ROUNDS, bench.settings.seed, parts])
    for index, times in zip(native, _in_turn(items, key, bench.store), strict=True):
        low, middle, high = statistics.quantiles(times, n=4)
        changes = {
            "time_us": middle,
            "time_spread": round((high - low) / middle, 4),
            "host": machine,
        }
        again = msgspec.structs.replace(records[index], **changes)
        timed[index] = msgspec.structs.replace(again, ratio=ratios(again.published, again))
    return timed


def _in_turn(items: Sequence[Item], key: str, store: Store) -> list[list[float]]:
    """The times of native code, kept like other measurements: all of one session,
    or none. Errors: HostError.
    """
    keys = [digest([key, place]) for place in range(len(items))]
    kept = [store.measurement(of_item) for of_item in keys]
    times_kept = [list(each.observation.times_us) for each in kept if each is not None]
    if len(times_kept) == len(items):
        return times_kept
    times = interleaved(items)
    for of_item, times_us in zip(keys, times, strict=True):
        store.put_measurement(of_item, Measurement(Observation(times_us=tuple(times_us))))
    return times


def _print(study: Study, records: Sequence[StudyRecord], common: Common) -> None:
    peers = {**outside_peers(), **common.peers()}
    old = _kept_libraries(study, common)
    if common.values["tables"]:
        rows = table_rows(study.summarise(records))
        text = to_json(rows) if common.format == "json" else _csv(rows, common)
    elif common.format == "json":
        text = to_json(stamped(records, old))
    elif common.format == "csv":
        text = _csv(stamped([flat(record) for record in records], old), common)
    elif common.format == "md":
        text = page(study, records, peers)
    else:
        text = _tables(study, records, common)
    emit(text, common.path)


def _csv(rows: Sequence[Any], common: Common) -> str:
    """The rows with the columns asked for. Errors: UsageError for one that there is not."""
    return to_csv(fields_of(rows, common.view().columns))


def _kept_libraries(study: Study, common: Common) -> frozenset[str]:
    """The libraries whose rows are kept and not measured, since their code is not at hand."""
    return frozenset(study.outside) - frozenset(_at_hand(common))


def _kept_line(study: Study, records: Sequence[StudyRecord], common: Common) -> str:
    old = _kept_libraries(study, common)
    names = ", ".join(dict.fromkeys(r.library for r in records if r.library in old))
    line = f"Kept from an earlier measurement, not measured now: {names}"
    return f"{line} (--peer-dir measures them: docs/adding-a-peer.md)" if names else ""


def _tables(study: Study, records: Sequence[StudyRecord], common: Common) -> str:
    """The tables of a study, one line a row, and a summary at the end."""
    view, parts = common.view(every_row=True), []
    sections = study.summarise(records)
    if view.columns and not records_path(study).is_file():
        _check_columns(study, records, common)
    for section in sections:
        headings = {key for column in section.columns for key in keys(column.name)}
        names = [name for name in view.columns if name.lower() in headings]
        if names or not view.columns:
            table = chosen(section.columns, section.cells, (), names)
            text = to_table(*table, section.lines, colour=common.coloured(), view=view)
            parts.append(f"{section.title}\n{text.rstrip()}\n")
    if line := _kept_line(study, records, common):
        parts.insert(0, "\n".join(wrapped(line, available())) + "\n")
    lines = brief_conditions(records, {**outside_peers(), **common.peers()})
    return "\n".join([*parts, *noted(lines, available(), everything=view.notes), ""])


def _check_columns(study: Study, records: Sequence[StudyRecord], common: Common) -> None:
    """A table may lack a column that another one has, or that no row needs.
    Errors: UsageError for one that there is in none, or for a field that csv lacks.
    """
    if common.format == "csv" and not common.values["tables"]:
        _csv(stamped([flat(record) for record in records[:1]]), common)
        return
    sections = study.summarise(records)
    if common.format == "csv":
        _csv(table_rows(sections), common)
        return
    heads = [column for section in sections for column in section.columns]
    heads += [Column(name) for name in ("target", "status", "spread")]
    chosen(heads, [["-"] * len(heads)], (), common.view().columns)


def table_rows(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """Every row of the tables with the columns of all of them, figures as numbers."""
    heads = dict.fromkeys(column.name for section in sections for column in section.columns)
    return [
        {"table": section.title}
        | dict.fromkeys(heads)
        | {
            column.name: _figure(cell) if column.figure else cell
            for column, cell in zip(section.columns, row, strict=True)
        }
        for section in sections
        for row in section.cells
    ]


def _figure(cell: str) -> float | str | None:
    """The number of a cell, null where it has none; a text that is not a number stays."""
    if cell in ("-", ""):
        return None
    try:
        return float(cell.replace(" ", ""))
    except ValueError:
        return cell


def flat(record: StudyRecord) -> dict[str, Any]:
    """A record without nested fields: published_time_us, ratio_time_us, and so on."""
    fields: dict[str, Any] = msgspec.structs.asdict(record)
    for name in ("published", "ratio"):
        values = fields.pop(name)
        for field in ("time_us", "flash_bytes", "static_stack_bytes", "heap_bytes", "energy_uj"):
            fields[f"{name}_{field}"] = values.get(field)
    return fields
