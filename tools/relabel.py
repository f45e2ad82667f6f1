#!/usr/bin/env python3
"""Put the kept records of the studies under today's names, after values of knobs were renamed
or texts about published figures were changed.

tools/relabel.py    writes results/studies again: labels, keys and classes of targets change, what
                    was measured does not

Each record is matched with the row that is planned in its place: the settings of that row,
under their former names (`formerly` in lib/knobs.toml), must have the key of the record.
"""

from __future__ import annotations

import gzip
import sys

import msgspec

from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import all_knobs
from ecfit.choices.peers import all_peers, outside_peers
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Row
from ecfit.model import Configuration
from ecfit.paths import write_atomic
from ecfit_studies.survey.records import kept, records_path
from ecfit_studies.survey.study import Ask, Job, Study, StudyRecord, all_studies

LABELS = ("group", "base", "changed", "config_key", "source", "differs")
Labels = tuple[str | None, ...]


def former(configuration: Configuration) -> Configuration:
    """The same settings under the names that they had before."""
    knobs = all_knobs()

    def name(knob: str, value: str) -> str:
        choice = knobs[knob].choices.get(value) if knob in knobs else None
        return choice.formerly[0] if choice and choice.formerly else value

    settings = tuple((knob, name(knob, value)) for knob, value in configuration.settings)
    return msgspec.structs.replace(configuration, settings=settings)


def former_key(row: Row) -> str:
    """The key of a row's configuration, or of all of them, under the former names."""
    more = tuple((curve, former(configuration)) for curve, configuration in row.more)
    before = msgspec.structs.replace(row, configuration=former(row.configuration), more=more)
    return before.config_key


def names(job: Job, record: StudyRecord) -> tuple[Labels, Labels]:
    """The labels of a record, and those of its row. Errors: RuntimeError, of another row."""
    row = job.row
    ours = row.target.name, row.curve_name, row.op
    if ours != (record.target, record.curve, record.op) or record.config_key not in {
        row.config_key,
        former_key(row),
    }:
        raise RuntimeError(f"{record.group}, {record.curve}, {record.op}: not of this plan")
    before = tuple(getattr(record, label) for label in LABELS)
    return before, (
        job.group, job.base, row.changed, row.config_key, job.source, job.differs,
    )  # fmt: skip


def relabelled(study: Study) -> list[StudyRecord]:
    """The records of a study under today's names. Errors: RuntimeError, of another plan."""
    targets, curves = tuple(map(find_target, study.targets)), tuple(map(find_curve, study.curves))
    outside = outside_peers()
    peers = {name: outside[name] for name in study.outside if name in outside} | all_peers()
    jobs = study.plan(Ask(targets, curves, "datasheet", peers))
    records = kept(study)
    measured = [record for record in records if record.op != "ecdhe"]  # made of two others
    if len(jobs) != len(measured):
        raise RuntimeError(f"{study.name}: another plan, run 'make long WHAT=studies'")
    new = dict(names(job, record) for job, record in zip(jobs, measured, strict=True))
    found = []
    for record in records:
        labels = new[tuple(getattr(record, label) for label in LABELS)]
        renamed = msgspec.structs.replace(record, **dict(zip(LABELS, labels, strict=True)))
        mode = find_target(record.target).mode(record.mode) if record.mode else None
        if mode is not None and record.error_class is not None:
            renamed = msgspec.structs.replace(renamed, error_class=mode.error_class)
        found.append(renamed)
    return found


def main() -> int:
    """Command line: no arguments."""
    try:
        found = {study: relabelled(study) for study in all_studies().values()}
    except RuntimeError as error:
        print(f"relabel: {error}", file=sys.stderr)
        return 1
    for study, records in found.items():
        lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
        write_atomic(records_path(study), gzip.compress(lines, mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
