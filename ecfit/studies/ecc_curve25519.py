"""X25519 against P-256, library by library."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.build import OWN
from ecfit.curves import Curve, find_curve
from ecfit.measure import Row
from ecfit.model import Configuration
from ecfit.published import load_document
from ecfit.study import Ask, Job, Section, Study, StudyRecord
from ecfit.studyplan import compared, has_own, own, published, rows, source
from ecfit.targets import Target

EXCHANGE = ("keygen", "ecdh")
BASE = "secp256r1"
DIFFERS = (
    "Mbed TLS 3.6 on a microcontroller for 2.2 on a 64-bit host; its P-256 without a table: 53 a second, window of 4"
)


def plan(ask: Ask) -> list[Job]:
    """P-256 and X25519 of every library that has both."""
    jobs: list[Job] = []
    for target in ask.targets:
        for library in (OWN, *(name for name, peer in ask.peers.items() if not peer.on_request)):
            curves = find_curve(BASE), find_curve("x25519")
            found = [_jobs(ask, target, library, curve) for curve in curves]
            jobs += [job for some in found for job in some] if all(found) else []
    return jobs


def _jobs(ask: Ask, target: Target, library: str, curve: Curve) -> list[Job]:
    if library == OWN and not has_own(curve):
        return []
    made = rows(ask, target, _configuration(ask, target, library, curve), curve, only=EXCHANGE)
    return [_job(row, library, curve) for row in made] if len(made) == len(EXCHANGE) else []


def _job(row: Row, library: str, curve: Curve) -> Job:
    if library != "mbedtls" or row.op != "ecdh":
        return Job(row, curve.name, BASE, ecdhe={} if row.op == "ecdh" else None)
    plain = curve.name == BASE
    document = load_document("host/mbedtls-fixed-point")
    series = next(
        s for s in document.series if s.curve == curve.name and (not plain or s.options["FIXED_POINT"] == "0")
    )
    said = published(document, series, "ecdhe")
    return Job(row, curve.name, BASE, source=source(document), differs=DIFFERS, ecdhe=said)


def _configuration(ask: Ask, target: Target, library: str, curve: Curve) -> Configuration:
    if library == OWN:
        return own(curve, target)
    options = {"WINDOW": "4", "FIXED_POINT": "0"} if library == "mbedtls" else {}
    return ask.peers[library].configure(options)


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """ECDHE alone."""
    return [compared("ECDHE: X25519 against P-256", [r for r in records if r.op == "ecdhe"], rate=True)]


STUDY = Study(
    name="ecc-curve25519",
    title="X25519 against P-256",
    about="A key generation and a shared secret, with every library that has both curves.",
    targets=("nrf52840", "samd20"),
    curves=(),
    plan=plan,
    summarise=summarise,
)
