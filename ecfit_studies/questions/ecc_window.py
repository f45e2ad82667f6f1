"""Window sizes: speed against memory, in Mbed TLS and in this library."""

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
from ecfit_studies.survey.study import Ask, Chart, Job, Point, Section, Study, StudyRecord

WINDOWS = ("2", "3", "4", "5", "6", "7")
NOTE = (
    "On curves below 384 bits, Mbed TLS uses a window of at most 4 (5 for the base point with a "
    "table). A larger setting only changes the size of its code by a few bytes"
)


@known(VARIANTS)
def plan(ask: Ask) -> list[Job]:
    """Each window of the peer and ours; no table of the base point,
    which would hide the window in a key generation.
    """
    curve = find_curve("secp256r1")
    jobs: list[Job] = []

    def add(target: Target, configuration: Configuration, window: str) -> None:
        made = rows(ask, target, configuration, curve, only=("keygen", "ecdh"))
        jobs.extend(exchange(made, f"window {window}", "window 4"))

    for target in ask.targets:
        for window in WINDOWS:
            add(target, own(curve, target, WINDOW=window, MULG="as_var", MULD="bits"), window)
        for window in WINDOWS:
            add(
                target,
                ask.peers["mbedtls"].configure({"WINDOW": window, "FIXED_POINT": "0"}),
                window,
            )
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """ECDHE alone: one key generation and one shared secret."""
    mine = [r for r in records if r.op == "ecdhe"]
    ours = compared("ECDHE on P-256 by window size", mine, rate=True, lines=[NOTE])
    return [ours, section("host/mbedtls-window")]


def charts(records: Sequence[StudyRecord]) -> list[Chart]:
    """RAM against speed, for each chip whose RAM is counted."""
    made = []
    for target in dict.fromkeys(r.target for r in records if r.ram_bytes is not None):
        points = [
            Point(
                r.ram_bytes or 0, 1e6 / (r.time_us or 1), r.group.removeprefix("window "), r.library
            )
            for r in records
            if r.op == "ecdhe" and r.target == target
        ]
        title = f"P-256 on {target}: windows of 2 to 7 bits"
        made.append(
            Chart(
                target,
                title,
                "RAM: stack, heap and static, bytes",
                "ECDHE a second",
                tuple(points),
                True,
            )
        )
    return made


STUDY = Study(
    name="ecc-window",
    title="Window size: ECDHE a second against memory",
    about="ECDHE is a key generation and a shared secret. This study measures it on P-256 with "
    "each size of the window. Mbed TLS has the table of its window on the heap, and this library "
    "has it on the stack. In these rows, neither has a table of the base point.",
    targets=("nrf52840", "samd20"),
    curves=(),
    plan=plan,
    summarise=summarise,
    answer=partial(reproduced, number="000"),
    charts=charts,
)
