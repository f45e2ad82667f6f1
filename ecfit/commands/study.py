"""The command `study`: measures what a study plans, and prints its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import pairs
from ecfit.choices.curves import CURVES, find_curve
from ecfit.choices.peers import Peer, outside_peers
from ecfit.choices.targets import all_targets, find_target
from ecfit.commands.catalogue import cut
from ecfit.errors import OK, EcfitError, UsageError
from ecfit.run.hostlib import HostError
from ecfit.show.layout import available, noted, to_table
from ecfit.show.progress import Progress
from ecfit.show.report import emit, to_csv, to_json
from ecfit.show.view import chosen, keys
from ecfit.studies import covered
from ecfit.studies.coverage import coverage
from ecfit.studies.kept import kept_outside
from ecfit.studies.study import (
    Ask,
    Study,
    StudyRecord,
    all_studies,
    brief_conditions,
    find_study,
    measure,
    page,
    time_host,
    with_ecdhe,
)
from ecfit.wire import study as tls_study


def command(common: Common) -> int:
    """Lists the studies, or runs one. Returns the exit code. Errors: UsageError."""
    name = common.values["name"]
    if common.values["of_coverage"]:
        if name is not None:
            raise UsageError(f"--coverage is of every study: leave '{name}' out")
        return _coverage(common)
    if name == tls_study.NAME:
        from ecfit.commands.tlsdocument import document

        return document(common)
    if common.values["list_them"] or name is None:
        entries = [
            {
                "name": one.name,
                "title": one.title,
                "targets": " ".join(one.targets),
                "curves": " ".join(one.curves),
            }
            for one in all_studies().values()
        ]
        targets = " ".join(tls_study.TARGETS)
        entries.append(
            {"name": tls_study.NAME, "title": tls_study.TITLE, "targets": targets, "curves": ""}
        )
        titles = [{"name": one["name"], "title": cut(one["title"], 61)} for one in entries]
        return common.listing(entries, shown=titles)
    study = find_study(name)
    records = run(study, common)
    _print(study, records, common)
    return verdict(records)


def _coverage(common: Common) -> int:
    """Prints which published figures are reproduced, from records that are kept."""
    entries = coverage()
    if common.format == "md":
        emit(covered.page(entries), common.path)
    elif common.format == "table":
        columns, cells, lines = covered.table(entries)
        counts = to_table(*covered.counted(entries), [], colour=False)
        emit(f"{to_table(columns, cells, lines, colour=False)}\n{counts}", common.path)
    else:
        common.print(entries, *covered.table(entries))
    return OK


def ask(study: Study, common: Common) -> Ask:
    """The targets and curves asked for, else the study's own. Errors: UsageError."""
    targets = common.values["targets"] or study.targets
    curves = common.values["curves"] or study.curves
    if common.values["curves"] and not study.curves:
        raise UsageError(
            f"study {study.name} is about the curves of its document: leave --curve out"
        )
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


def run(study: Study, common: Common) -> list[StudyRecord]:
    """The records of a study, in the order of its plan; before them those that are kept of
    libraries whose code is not at hand. Errors: UsageError, MissingToolError."""
    asked = ask(study, common)
    bench, jobs = common.bench(), study.plan(asked)
    places = [target.name for target in asked.targets], [curve.name for curve in asked.curves]
    outside = kept_outside(study, asked.peers, *places)
    if not jobs and not outside:
        raise UsageError(f"study {study.name} has nothing to measure for these targets and curves")
    records: list[StudyRecord | None] = [None] * len(jobs)
    with Progress(len(jobs), quiet=common.values["quiet"]) as progress:
        for index, record in measure(study, jobs, bench):
            records[index] = record
            progress.done(record)
    measured = [record for record in records if record is not None]
    try:
        measured = time_host(jobs, measured, bench)
    except HostError as error:
        raise EcfitError(
            f"study {study.name}: the times of this machine cannot be taken: {error}"
        ) from None
    return outside + with_ecdhe(jobs, measured)


def _print(study: Study, records: Sequence[StudyRecord], common: Common) -> None:
    peers = outside_peers() | common.peers()
    if common.format == "json":
        text = to_json(records)
    elif common.format == "csv":
        text = to_csv([flat(record) for record in records])
    elif common.format == "md":
        text = page(study, records, peers)
    else:
        text = _tables(study, records, common)
    emit(text, common.path)


def _tables(study: Study, records: Sequence[StudyRecord], common: Common) -> str:
    """The tables of a study, one line a row, and a summary at the end."""
    view, parts = common.view(every_row=True), []
    sections = study.summarise(records)
    heads = [column for section in sections for column in section.columns]
    chosen(heads, [["-"] * len(heads)], (), view.columns)  # a table may lack what another has
    for section in sections:
        known = {key for column in section.columns for key in keys(column.name)}
        names = [name for name in view.columns if name.lower() in known]
        if names or not view.columns:
            table = chosen(section.columns, section.cells, (), names)
            text = to_table(*table, section.lines, colour=common.coloured(), view=view)
            parts.append(f"{section.title}\n{text}")
    lines = brief_conditions(records, outside_peers() | common.peers())
    return "\n".join([*parts, *noted(lines, available(), everything=view.notes), ""])


def flat(record: StudyRecord) -> dict[str, Any]:
    """A record without nested fields: published_time_us, ratio_time_us, and so on."""
    fields: dict[str, Any] = msgspec.structs.asdict(record)
    for name in ("published", "ratio"):
        values = fields.pop(name)
        for field in ("time_us", "flash_bytes", "static_stack_bytes", "heap_bytes", "energy_uj"):
            fields[f"{name}_{field}"] = values.get(field)
    return fields
