"""The records of studies that come with the checkout: results/studies, JSON lines, compressed."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ecfit.choices.curves import CURVES, HYBRIDS
from ecfit.errors import UsageError
from ecfit.paths import ROOT
from ecfit_studies.survey.study import Study, StudyRecord

RECORDS = ROOT / "results" / "studies"


def records_path(study: Study) -> Path:
    """Where the records of a study are kept."""
    return RECORDS / f"{study.name}.jsonl.gz"


def kept(study: Study) -> list[StudyRecord]:
    """The records of a study, in the order of its plan. Errors: UsageError when there are none."""
    path = records_path(study)
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines()
        return [msgspec.json.decode(line, type=StudyRecord) for line in lines]
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise UsageError(f"no records of the study {study.name} in {path}: {error}") from None


def kept_outside(
    study: Study, present: Iterable[str], targets: Iterable[str], curves: Iterable[str] = ()
) -> list[StudyRecord]:
    """The records of libraries that come only when asked for and that are not `present`, on these
    targets and curves, and of KEMs and other signatures; without curves, of all.
    Errors: UsageError when there are none.
    """
    missing, asked, wanted = {*study.outside} - {*present}, {*targets}, {*curves}
    return [
        record
        for record in (kept(study) if missing else ())
        if record.library in missing
        and record.target in asked
        and (not wanted or _curve(record) in wanted or _curve(record) not in CURVES)
    ]


def _curve(record: StudyRecord) -> str:
    """Of a hybrid group, the one that it has beside its KEM."""
    group = HYBRIDS.get(record.curve)
    return group.curve.name if group else record.curve
