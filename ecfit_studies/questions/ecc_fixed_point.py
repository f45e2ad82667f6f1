"""A table of the base point kept or not, in Mbed TLS and in this library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ecfit.choices.curves import find_curve
from ecfit.choices.published import load_document
from ecfit.choices.targets import Target
from ecfit.choices.variants import known
from ecfit.model import Configuration
from ecfit_studies.survey.comparison import compared
from ecfit_studies.survey.plan import ARTICLE, VARIANTS, exchange, of_article, own, rows
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

NONE, FLASH = "no table", "table in flash"
OURS = {
    NONE: {"MULG": "as_var", "MULD": "bits"},
    FLASH: {"MULG": "comb_flash"},
    "table in RAM": {"MULG": "comb_ram"},
}
TABLE = (
    ". Version 3.6 has the table of the base point in flash. "
    "Version 2.2 made it on the heap at first use, and kept it"
)


@known(VARIANTS)
def plan(ask: Ask) -> list[Job]:
    """With and without the table, of the peer and ours (in RAM too)."""
    document, curve = load_document("host/mbedtls-fixed-point"), find_curve("secp256r1")
    jobs: list[Job] = []

    def add(
        target: Target, configuration: Configuration, name: str, of: str = "", **more: Any
    ) -> None:
        made = rows(ask, target, configuration, curve, only=("keygen", "ecdh"))
        jobs.extend(exchange(made, name + of, NONE + of, **more))

    for target in ask.targets:
        for name, sets in OURS.items():
            add(target, own(curve, target, **sets), name)
        for name, value in ((NONE, "0"), (FLASH, "1")):
            add(target, ask.peers["mbedtls"].configure({"WINDOW": "4", "FIXED_POINT": value}), name)
        for series in (series for series in document.series if series.curve == curve.name):
            kept = series.options["FIXED_POINT"] == "1"
            add(
                target,
                ask.peers["mbedtls"].configure(series.options),
                FLASH if kept else NONE,
                ARTICLE,
                **of_article(document, series, TABLE if kept else ""),
            )
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """ECDHE alone."""
    return [
        compared(
            "ECDHE on P-256 with and without a table",
            [r for r in records if r.op == "ecdhe"],
            rate=True,
        )
    ]


STUDY = Study(
    name="ecc-fixed-point",
    title="A table of the base point: ECDHE a second against memory",
    about="ECDHE is a key generation and a shared secret. This study measures it on P-256, with "
    "and without a table of the base point. The table speeds up only the key generation.",
    targets=("nrf52840", "samd20", "host"),
    curves=(),
    plan=plan,
    summarise=summarise,
)
