"""A table of the base point kept or not, in Mbed TLS and in this library."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.curves import find_curve
from ecfit.knobs import all_knobs
from ecfit.published import load_document
from ecfit.study import Ask, Job, Section, Study, StudyRecord
from ecfit.studyplan import compared, own, published, rows, source

EXCHANGE = ("keygen", "ecdh")
NONE = "no table"
DIFFERS = (
    "Mbed TLS 3.6, its table in flash, on a microcontroller for 2.2, which builds it in RAM at first use, on a host"
)
OURS = {
    NONE: {"MULG": "as_var", "MULD": "separate"},
    "table in flash": {"MULG": "comb_flash"},
    "table in RAM": {"MULG": "comb_ram"},
}


def plan(ask: Ask) -> list[Job]:
    """With and without the table, of the peer and ours (in RAM too, where this library has that)."""
    document, curve = load_document("host/mbedtls-fixed-point"), find_curve("secp256r1")
    said = {s.options["FIXED_POINT"]: published(document, s, "ecdhe") for s in document.series if s.options}
    jobs: list[Job] = []
    for target in ask.targets:
        for name, value in ((NONE, "0"), ("table in flash", "1")):
            configuration = ask.peers["mbedtls"].configure({"WINDOW": "4", "FIXED_POINT": value})
            for row in rows(ask, target, configuration, curve, only=EXCHANGE):
                figures = said[value] if row.op == "ecdh" else None
                jobs.append(Job(row, name, NONE, source=source(document), differs=DIFFERS, ecdhe=figures))
        for name, sets in OURS.items():
            if sets["MULG"] in all_knobs()["MULG"].choices:
                for row in rows(ask, target, own(curve, target, **sets), curve, only=EXCHANGE):
                    jobs.append(Job(row, name, NONE, ecdhe={} if row.op == "ecdh" else None))
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """ECDHE alone."""
    return [compared("ECDHE on P-256 with and without a table", [r for r in records if r.op == "ecdhe"], rate=True)]


STUDY = Study(
    name="ecc-fixed-point",
    title="A table of the base point: ECDHE a second against memory",
    about="A key generation and a shared secret on P-256; the table speeds up the key generation.",
    targets=("nrf52840", "samd20"),
    curves=(),
    plan=plan,
    summarise=summarise,
)
