"""Three more chips: of how many rows of other libraries one of ours is ahead, and of which not."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit_studies.questions import anchors
from ecfit_studies.survey.front import USUAL, charts, extremes
from ecfit_studies.survey.plan import ON_REQUEST, ON_REQUEST_SAID
from ecfit_studies.survey.ranking import rows_left, standings, table
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord


def plan(ask: Ask) -> list[Job]:
    """As of the study anchors, but secp256k1 at the usual level alone."""
    return [
        job for job in anchors.plan(ask) if job.opt == USUAL or job.row.curve.name != "secp256k1"
    ]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """For each chip, the rows of other libraries that no row of ours is ahead of. Then a table that
    counts them for each library. Both leave out rows with a failed record.
    """
    found = standings(records)
    targets = dict.fromkeys(record.target for record in records)
    mine = {target: [one for one in found if one.target == target] for target in targets}
    left = [rows_left(f"{target}: rows that are not", some) for target, some in mine.items()]
    return [*left, table("Each library", found)]


STUDY = Study(
    name="fronts",
    title="Fronts: where another library is ahead",
    about="This study measures the rows of the study `anchors` (SAM D20 and nRF52840) on three "
    "more chips. A row is all operations of a library in one image, at -Os, -O2 or -O3. A row of "
    "another library is behind if one of our rows is no larger, needs no more RAM and is no "
    "slower in any of its operations. The tables show the rows that are not behind. "
    "On the CC2538 (Cortex-M3), the time of a long multiplication (UMULL) depends on its "
    "operands. This library uses only short multiplications (MUL) for secrets. Other libraries "
    "use long ones. "
    f"{ON_REQUEST_SAID}",
    targets=("lpc1114", "cc2538", "ibex"),
    curves=("secp256r1", "secp256k1", "x25519", "ed25519"),
    plan=plan,
    summarise=summarise,
    answer=extremes,
    outside=ON_REQUEST,
    more_charts=charts,
)
