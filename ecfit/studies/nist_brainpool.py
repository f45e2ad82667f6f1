"""Curves against each other: NIST, Brainpool, and those since."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.curves import CURVES
from ecfit.published import load_document
from ecfit.study import Ask, Job, Section, Study, StudyRecord
from ecfit.studyplan import compared, has_own, own, published, rows, source

BASE = "secp256r1"
DIFFERS = "Mbed TLS 3.6 on a microcontroller for 2.18 on a Core i7: the relative figures compare, not the absolute ones"


def plan(ask: Ask) -> list[Job]:
    """Every curve with the peer of the document and with this library."""
    document = load_document("host/mbedtls-curves")
    said = {series.curve: series for series in document.series}
    jobs: list[Job] = []
    for target in ask.targets:
        for curve in (curve for curve in CURVES.values() if curve.name in said or curve in ask.curves):
            for row in rows(ask, target, ask.peers["mbedtls"].configure({}), curve):
                series = said.get(curve.name)
                figures = published(document, series, row.op) if series and row.op in ("sign", "verify") else {}
                both = published(document, series, "ecdhe") if series else {}
                jobs.append(
                    Job(
                        row,
                        curve.name,
                        BASE,
                        published=figures,
                        source=source(document) if series else None,
                        differs=DIFFERS if series else None,
                        ecdhe=both if row.op == "ecdh" else None,
                    )
                )
            for row in rows(ask, target, own(curve, target), curve) if has_own(curve) else ():
                jobs.append(Job(row, curve.name, BASE, ecdhe={} if row.op == "ecdh" else None))
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each operation of the document."""
    sections = []
    for op, title in (("sign", "ECDSA and EdDSA, sign"), ("verify", "ECDSA and EdDSA, verify"), ("ecdhe", "ECDHE")):
        mine = [record for record in records if record.op == op]
        sections.append(compared(title, sorted(mine, key=lambda r: (r.target, r.library)), rate=True))
    return sections


STUDY = Study(
    name="nist-brainpool",
    title="Curves: NIST, Brainpool, and those since",
    about="Operations a second on every curve, and how they relate to P-256 (to the base: how many times as fast).",
    targets=("nrf52840",),
    curves=("secp256r1", "secp256k1", "x25519", "ed25519"),
    plan=plan,
    summarise=summarise,
)
