"""Window sizes: speed against memory, in Mbed TLS and in this library."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.curves import find_curve
from ecfit.published import load_document
from ecfit.study import Ask, Job, Section, Study, StudyRecord
from ecfit.studyplan import compared, own, published, rows, source

WINDOWS = ("2", "3", "4", "5", "6", "7")
EXCHANGE = ("keygen", "ecdh")
DIFFERS = (
    "Mbed TLS 3.6 on a microcontroller for 2.2 on a 64-bit host: the relative figures compare, not the absolute ones"
)


def plan(ask: Ask) -> list[Job]:
    """Each window of the peer and ours; no table of the base point, which would hide the window in a key generation."""
    document, curve = load_document("host/mbedtls-window"), find_curve("secp256r1")
    said = {series.options["WINDOW"]: published(document, series, "ecdhe") for series in document.series}
    jobs: list[Job] = []
    for target in ask.targets:
        peer = ask.peers["mbedtls"]
        for window in WINDOWS:
            theirs = peer.configure({"WINDOW": window, "FIXED_POINT": "0"})
            mine = own(curve, target, WINDOW=window, MULG="as_var", MULD="separate")
            for configuration in (theirs, mine):
                figures = said.get(window, {}) if configuration is theirs else {}
                jobs += [
                    Job(
                        row,
                        f"window {window}",
                        base="window 4",
                        source=source(document) if figures else None,
                        differs=DIFFERS if figures else None,
                        ecdhe=figures if row.op == "ecdh" else None,
                    )
                    for row in rows(ask, target, configuration, curve, only=EXCHANGE)
                ]
    return sorted(jobs, key=lambda job: (job.row.target.name, job.row.configuration.library))


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """ECDHE alone: one key generation and one shared secret."""
    return [compared("ECDHE on P-256 by window size", [r for r in records if r.op == "ecdhe"], rate=True)]


STUDY = Study(
    name="ecc-window",
    title="Window size: ECDHE a second against memory",
    about="A key generation and a shared secret on P-256 for each window. Mbed TLS has its table on the heap, this "
    "library on the stack; neither keeps one for the base point here.",
    targets=("nrf52840", "samd20"),
    curves=(),
    plan=plan,
    summarise=summarise,
)
