"""Curves against each other: NIST, Brainpool, and those since."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ecfit.choices.curves import CURVES, Curve
from ecfit.choices.published import load_document
from ecfit.choices.targets import Target
from ecfit_studies.survey.articles import section
from ecfit_studies.survey.comparison import compared
from ecfit_studies.survey.coverage import reproduced
from ecfit_studies.survey.plan import has_own, own, rows
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

BASE = "secp256r1"
NOTE = (
    "the primes of Brainpool curves have no special form, so Mbed TLS reduces by division. "
    "The NIST curves are faster, and by how much depends on how fast the processor divides"
)


def plan(ask: Ask) -> list[Job]:
    """Every curve with the peer of the document and with this library."""
    return [
        job
        for target in ask.targets
        for library in (_theirs, _ours)
        for curve in CURVES.values()
        for job in library(ask, target, curve)
    ]


def _theirs(ask: Ask, target: Target, curve: Curve) -> list[Job]:
    """Mbed TLS with the largest window, as the page's version had it by default. Of newer curves,
    those that were asked for.
    """
    document = load_document("host/mbedtls-curves")
    series = next((series for series in document.series if series.curve == curve.name), None)
    if series is None and curve not in ask.curves:
        return []
    options = series.options if series else document.series[0].options
    made = rows(ask, target, ask.peers["mbedtls"].configure(options), curve)
    return [Job(row, curve.name, BASE, ecdhe={} if row.op == "ecdh" else None) for row in made]


def _ours(ask: Ask, target: Target, curve: Curve) -> list[Job]:
    said = {series.curve for series in load_document("host/mbedtls-curves").series}
    if not has_own(curve) or (curve.name not in said and curve not in ask.curves):
        return []
    made = rows(ask, target, own(curve, target), curve)
    return [Job(row, curve.name, BASE, ecdhe={} if row.op == "ecdh" else None) for row in made]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each operation, and the document's."""
    sections = []
    for op, title in (
        ("sign", "ECDSA and EdDSA, sign"),
        ("verify", "ECDSA and EdDSA, verify"),
        ("ecdhe", "ECDHE"),
    ):
        mine = [record for record in records if record.op == op]
        sections.append(compared(title, mine, rate=True, lines=[NOTE]))
    return [*sections, section("host/mbedtls-curves")]


STUDY = Study(
    name="nist-brainpool",
    title="Curves: NIST, Brainpool, and those since",
    about="This study measures the operations on every curve, in operations a second. The column "
    "`to base` compares with P-256 of the same library: 2 is twice as fast.",
    targets=("nrf52840", "host"),
    curves=("secp256k1", "x25519", "x448", "ed25519", "ed448"),
    plan=plan,
    summarise=summarise,
    answer=partial(reproduced, number="002"),
)
