"""The tables of micro-ecc's project page: assembly, squaring and NAF; curves; code and stack on a Cortex-M0."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.curves import find_curve
from ecfit.measure import Row
from ecfit.published import Series, load_document
from ecfit.study import Ask, Job, Section, Study, StudyRecord
from ecfit.studyplan import compared, has_own, own, published, rows, source
from ecfit.targets import Target

DOCUMENT = "micro-ecc-lpc1114"
PRESETS = ("tiny", "compact", "balanced")


def plan(ask: Ask) -> list[Job]:
    """Each series with the packaged version of the library, then this library on the same curves."""
    jobs: list[Job] = []
    document = load_document(DOCUMENT)
    for target in ask.targets:
        for series in document.series:
            jobs += _series_jobs(ask, target, series)
        for name in dict.fromkeys(series.curve for series in document.series):
            curve = find_curve(name)
            for preset in PRESETS if has_own(curve) else ():
                jobs += [Job(row, preset) for row in rows(ask, target, own(curve, target, preset), curve)]
    return jobs


def _series_jobs(ask: Ask, target: Target, series: Series) -> list[Job]:
    """The operations of a series; one that only gives ECDH is built with ECDH alone."""
    document = load_document(DOCUMENT)
    curve, peer = find_curve(series.curve), ask.peers["micro-ecc"]
    assembly, square = "assembly" in series.configuration, "squaring function" in series.configuration
    options = {
        "OPTIMIZATION_LEVEL": "1",  # assembly in loops, as in the version of 2013
        "PLATFORM": "auto" if assembly else "c",
        "SQUARE_FUNC": "1" if square and not series.configuration.startswith("no ") else "0",
    }
    only = () if series.code_bytes else ("ecdh",)
    jobs = []
    if curve.name not in peer.curves:
        return [_missing(ask, target, series, op) for op in series.figures]
    for row in rows(ask, target, peer.configure(options), curve, only=only):
        said = published(document, series, row.op)
        if not series.code_bytes and series.code_ecdh_bytes:
            said["flash_bytes"] = series.code_ecdh_bytes
        differs = "version of 2020 for that of June 2013: no NAF, the point checked in ECDH, other curve arithmetic"
        jobs.append(Job(row, series.configuration, published=said, source=source(document), differs=differs))
    return jobs


def _missing(ask: Ask, target: Target, series: Series, op: str) -> Job:
    """A published figure of a curve that the packaged version does not have."""
    document, configuration = load_document(DOCUMENT), ask.peers["micro-ecc"].configure({})
    row = Row(
        target, target.mode(ask.mode), ask.mode, configuration, find_curve(series.curve), op, (op,), offered=False
    )
    said, differs = published(document, series, op), "the packaged version of 2020 has dropped this curve"
    return Job(row, series.configuration, published=said, source=source(document), differs=differs)


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each chip."""
    targets = dict.fromkeys(record.target for record in records)
    return [compared(name, [record for record in records if record.target == name]) for name in targets]


STUDY = Study(
    name="micro-ecc",
    title="micro-ecc on a Cortex-M0: assembly, squaring, curves, code and stack",
    about="The tables of the library's project page of 2013 with its packaged version, and this library beside it. "
    "secp128r1 and secp384r1 are in this library only: the packaged version has dropped them.",
    targets=("lpc1114",),
    curves=(),
    plan=plan,
    summarise=summarise,
)
