"""The study of signed readings, from the records that are kept."""

from __future__ import annotations

from functools import cache

from ecfit.choices.curves import find_curve
from ecfit.show.layout import Cells
from ecfit_lab.message.operations import form
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import StudyRecord, find_study


@cache
def records() -> tuple[StudyRecord, ...]:
    return tuple(kept(find_study("jss")))


def cells(title: str) -> Cells:
    sections = find_study("jss").summarise(records())
    return next(section.cells for section in sections if title in section.title)


def test_each_form_on_each_curve() -> None:
    rows = cells("a signed reading")
    forms = ("JSS", "COSE_Sign1", "recovery")
    curves = ("secp192r1", "secp256r1", "ed25519")
    assert [row[:2] for row in rows] == [
        ["-", "JSON, unsigned"], *([curve, name] for curve in curves for name in forms)
    ]  # fmt: skip
    assert all(record.status == "ok" for record in records())


def test_the_sample_is_that_of_the_paper() -> None:
    unsigned, signed = cells("a signed reading")[:2]
    assert unsigned[4:8] == ["39", "39", "1", "1"]
    assert signed[4:8] == ["154", "154", "3", "3"]
    assert (signed[2], unsigned[8], signed[8]) == ("218.0", "92", "361")


def test_recovery_is_the_shortest() -> None:
    for name in ("secp192r1", "secp256r1", "ed25519"):
        curve = find_curve(name)
        sizes = [form(curve, op).size for op in ("recover", "cose", "jss")]
        assert sizes == sorted(sizes)
        assert sizes[0] <= 64  # one block of CoAP


def test_seconds_of_the_paper() -> None:
    """Within 10 % of the paper's, compiled with a gcc of its year."""
    rows = cells("seconds, and the joules of the paper")
    assert len(rows) == 48
    for row in rows:
        assert row[6] == "within 10 %" and abs(float(row[5]) - 1) < 0.10, row
