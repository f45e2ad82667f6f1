"""A table of the base point kept or not, in Mbed TLS and in this library."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ecfit.choices.curves import find_curve
from ecfit.choices.targets import Target
from ecfit.choices.variants import known
from ecfit.model import Configuration
from ecfit_studies.survey.articles import section
from ecfit_studies.survey.comparison import compared
from ecfit_studies.survey.coverage import reproduced
from ecfit_studies.survey.plan import VARIANTS, exchange, own, rows
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

NONE, FLASH = "no table", "table in flash"
OURS = {
    NONE: {"MULG": "as_var", "MULD": "bits"},
    FLASH: {"MULG": "comb_flash"},
    "table in RAM": {"MULG": "comb_ram"},
}


@known(VARIANTS)
def plan(ask: Ask) -> list[Job]:
    """With and without the table, of the peer and ours (in RAM too)."""
    curve = find_curve("secp256r1")
    jobs: list[Job] = []

    def add(target: Target, configuration: Configuration, name: str) -> None:
        made = rows(ask, target, configuration, curve, only=("keygen", "ecdh"))
        jobs.extend(exchange(made, name, NONE))

    for target in ask.targets:
        for name, sets in OURS.items():
            add(target, own(curve, target, **sets), name)
        for name, value in ((NONE, "0"), (FLASH, "1")):
            add(target, ask.peers["mbedtls"].configure({"WINDOW": "4", "FIXED_POINT": value}), name)
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """ECDHE alone."""
    return [
        compared(
            "ECDHE on P-256 with and without a table",
            [r for r in records if r.op == "ecdhe"],
            rate=True,
        ),
        section("host/mbedtls-fixed-point"),
    ]


STUDY = Study(
    name="ecc-fixed-point",
    title="A table of the base point: ECDHE a second against memory",
    about="ECDHE is a key generation and a shared secret. This study measures it on P-256, with "
    "and without a table of the base point. The table speeds up only the key generation.",
    targets=("nrf52840", "samd20"),
    curves=(),
    plan=plan,
    summarise=summarise,
    answer=partial(reproduced, number="000"),
)
