"""Of the records in results/studies a sample measures the same. Whether all are of this code is
no matter of the gate: `make evidence-status`.
"""

from __future__ import annotations

import pytest

from ecfit.choices.curves import find_curve
from ecfit.choices.peers import all_peers, outside_peers
from ecfit.choices.targets import find_target
from ecfit.choices.variants import known
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit_studies.survey.plan import VARIANTS
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import (
    Ask,
    Job,
    Study,
    StudyRecord,
    all_studies,
    find_study,
    measure,
    too_large,
)

COUNTS = (
    *("status", "cycles", "instructions", "time_us", "energy_uj", "trace_hash", "ratio"),
    *("flash_bytes", "foreign_bytes", "static_ram_bytes", "stack_bytes", "heap_bytes"),
    *("static_stack_bytes", "static_stack_open"),
)
OUR_OWN = "ecfit"


def rows_of(study: Study) -> list[tuple[Job, StudyRecord]]:
    """What is planned, each with its record that is kept; those made of two others are left out."""
    targets, curves = tuple(map(find_target, study.targets)), tuple(map(find_curve, study.curves))
    outside = {name: peer for name, peer in outside_peers().items() if name in study.outside}
    jobs = study.plan(Ask(targets, curves, "datasheet", outside | all_peers()))
    records = [record for record in kept(study) if record.op != "ecdhe"]
    assert len(jobs) == len(records), f"{study.name}: another plan, run 'make long WHAT=studies'"
    return list(zip(jobs, records, strict=True))


@pytest.mark.check
@pytest.mark.parametrize("name", all_studies())
def test_classes_are_those_of_the_targets(name: str) -> None:
    """What a page says of a chip holds for the figures on it."""
    for record in kept(find_study(name)):
        mode = find_target(record.target).mode(record.mode) if record.mode else None
        if mode is not None and record.error_class is not None:
            assert record.error_class == mode.error_class, (record.target, record.group)


@pytest.mark.parametrize("name", all_studies())
@known(VARIANTS)
def test_a_sample_measures_the_same(name: str) -> None:
    """The quickest row of ours and of a peer, exactly."""
    study, chosen = find_study(name), []
    rows = [(job, record) for job, record in rows_of(study) if record.cycles is not None]
    rows = [pair for pair in rows if pair[1].library not in study.outside]  # not at hand
    for ours in (True, False):
        some = [(job, record) for job, record in rows if (record.library == OUR_OWN) == ours]
        chosen += sorted(some, key=lambda pair: pair[1].instructions or 0)[:1]
    if not chosen:  # times of one machine on one day: nothing comes out the same
        assert {record.target for _, record in rows_of(study)} == {"host"}
        return
    bench = Bench(Settings(), all_peers(), Store())
    found = [(record, next(measure(study, [job], bench))[1]) for job, record in chosen]
    assert {again.status for _, again in found} == {"ok"}
    compilers = {(record.toolchain, again.toolchain) for record, again in found}
    # counts are of a compiler; that results are right is not
    found = [(record, again) for record, again in found if record.toolchain == again.toolchain]
    if not found:
        pytest.skip(
            "results are right; counts were not compared: "
            f"records and this machine have {compilers}"
        )
    for record, again in found:
        for field in COUNTS:
            row = f"{record.library} {record.curve} {record.op} on {record.target}"
            what = f"{row}: {field}; run 'make long WHAT=studies'"
            assert getattr(again, field) == getattr(record, field), what


@pytest.mark.parametrize("name", all_studies())
def test_every_row_is_right_or_explained_by_the_library(name: str) -> None:
    """No row failed but where the image is too large for the chip; what is not offered is an
    operation, or a curve, that the library does not have.
    """
    for job, record in rows_of(find_study(name)):
        if too_large(record):
            assert record.library != OUR_OWN
            continue
        assert record.status == ("ok" if job.row.offered else "not offered"), record
        assert (
            job.row.offered
            or job.row.curve.name not in (outside_peers() | all_peers())[record.library].curves
        )
