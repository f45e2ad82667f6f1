"""The Re-Mote study: three libraries, five curves and three coordinate systems on a CC2538,
in seconds and joules.
"""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.choices.curves import find_curve
from ecfit.choices.published import Document, Series, load_document
from ecfit.choices.targets import Target
from ecfit.model import Configuration
from ecfit.studies.plan import compared, own, published, rows, source
from ecfit.studies.study import Ask, Job, Section, Study, StudyRecord

COORDINATES = {"af": "affine", "hm": "homogeneous", "jb": "jacobian"}
PINOL = (
    "No package has the library of the thesis. Here, this library runs with the same choices: "
    "coordinates, 32-bit words, double-and-add or sliding window, Montgomery reduction. "
    "It verifies in one run of doublings for both multiples. "
    "Its code is different, so compare the order of the coordinate systems and not the times. "
    "The thesis saved nothing with its sliding window, and this library saves a sixth to a fifth"
)
NOTE = (
    "signing: the nonce comes from the caller, as in the paper. Joules: the paper measured the "
    "whole board at its USB supply, 90 to 102 mW in each row. "
    "Here, only the core counts, with the typical current of the data sheet: 21 mW at 16 MHz"
)
CODE = (
    "code: the paper's size is the difference of two whole firmwares, "
    "which leaves out code that both contain. Its level -Os was deduced from these very sizes, so "
    "their ratio does not confirm it"
)
SMALL = "Version of 2020, whose level 2 has unrolled additions instead of loops"


def plan(ask: Ask) -> list[Job]:
    """Each series of the document, on each chip; affine coordinates at the published clock only:
    they take minutes.
    """
    document = load_document("remote-cc2538")
    return [
        job
        for target in ask.targets
        for series in document.series
        for job in _jobs(ask, document, series, target)
    ]


def _jobs(ask: Ask, document: Document, series: Series, target: Target) -> list[Job]:
    at_home = target.name == series.target
    if not at_home and series.configuration.startswith("af"):
        return []
    configuration = _pinol(series, target) if series.library == "pinol" else _peer(ask, series)
    differs = (
        PINOL if series.library == "pinol" else series.differs or (SMALL if series.not_run else "")
    )
    jobs = []
    for row in rows(
        ask, target, configuration, find_curve(series.curve), only=("keygen", "sign", "verify")
    ):
        said = published(document, series, row.op) if at_home else {}
        name = f"{series.library} {series.configuration}"
        jobs.append(
            Job(row, name, published=said, source=source(document), differs=differs or None)
        )
    return jobs


def _peer(ask: Ask, series: Series) -> Configuration:
    options = series.options or (
        {"OPTIMIZATION_LEVEL": "2"} if series.library == "micro-ecc" else {}
    )
    return ask.peers[series.library].configure(options)


def _pinol(series: Series, target: Target) -> Configuration:
    coordinates, _, rest = series.configuration.partition(" ")
    sets = {
        "COORDINATES": COORDINATES[coordinates],
        "REDUCE": "mont",
        "MULG": "as_var",
        "MULD": "bits",
    }
    sets |= {"MULV": "naf_var", "WINDOW": "4"} if rest.endswith("sw") else {"MULV": "binary_var"}
    return own(find_curve(series.curve), target, **sets, BACKEND="w32", NONCE="random")


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each clock."""
    targets = dict.fromkeys(record.target for record in records)
    return [
        compared(name, [r for r in records if r.target == name], lines=[NOTE, CODE])
        for name in targets
    ]


STUDY = Study(
    name="remote",
    title="Re-Mote: signatures on a CC2538, in seconds and joules",
    about="Key generation, signature and verification with the paper's libraries and settings. "
    "One table is at the clock of the paper, the other at the chip's full clock.",
    targets=("cc2538-16mhz", "cc2538"),
    curves=(),
    plan=plan,
    summarise=summarise,
)
