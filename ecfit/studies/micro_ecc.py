"""The tables of micro-ecc's project page: assembly, squaring and NAF; curves;
code and stack on a Cortex-M0. Its code of 2013 comes from outside.
"""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.choices.curves import find_curve
from ecfit.choices.published import Series, load_document
from ecfit.choices.targets import Target
from ecfit.survey.comparison import compared
from ecfit.survey.outside import ALONE, MICRO_ECC_2013, squares
from ecfit.survey.outside import micro_ecc as own_source
from ecfit.survey.plan import has_own, own, rows
from ecfit.survey.study import Ask, Job, Section, Study, StudyRecord

DOCUMENT = "micro-ecc-lpc1114"
PRESETS = ("tiny", "compact", "balanced")
PACKAGED = (
    "micro-ecc: this is the packaged version of 2020. The project page of 2013 has no figures of "
    "it. It has no NAF. Its functions get the curve as an argument, and bring all scalars to the "
    "same length before a multiplication. Our adapter calls its check of the public key in ECDH "
    "and in verification"
)


def plan(ask: Ask) -> list[Job]:
    """Each series with the code that was measured, then with the packaged version of the library,
    then this library on the same curves.
    """
    jobs: list[Job] = []
    document = load_document(DOCUMENT)
    for target in ask.targets:
        if MICRO_ECC_2013 in ask.peers:
            for series in document.series:
                jobs += own_source(ask, target, document, series)
        for series in document.series:
            if series.code_ecdh_bytes:
                jobs += _packaged(ask, target, series, alone=True)
            if series.code_bytes:
                jobs += _packaged(ask, target, series, alone=False)
        for name in dict.fromkeys(series.curve for series in document.series):
            curve = find_curve(name)
            for preset in PRESETS if has_own(curve) else ():
                mine = own(curve, target, preset)
                jobs += [
                    Job(row, preset + ALONE)
                    for row in rows(ask, target, mine, curve, only=("ecdh",))
                ]
                jobs += [Job(row, preset) for row in rows(ask, target, mine, curve)]
    return jobs


def _packaged(ask: Ask, target: Target, series: Series, *, alone: bool) -> list[Job]:
    """The operations of a series in one image, or ECDH alone, of the packaged version."""
    curve, peer, words = find_curve(series.curve), ask.peers["micro-ecc"], series.configuration
    if curve.name not in peer.curves or (words.endswith("NAF") and not words.startswith("no ")):
        return []
    options = {
        "OPTIMIZATION_LEVEL": "1",  # assembly in loops, as in the version of 2013
        "PLATFORM": "auto" if words.startswith("assembly") else "c",
        "SQUARE_FUNC": squares(words),
    }
    made = rows(ask, target, peer.configure(options), curve, only=("ecdh",) if alone else ())
    name = words + (ALONE if alone else "")
    return [Job(row, name, differs=PACKAGED) for row in made]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each chip."""
    targets = dict.fromkeys(record.target for record in records)
    return [compared(name, [r for r in records if r.target == name]) for name in targets]


STUDY = Study(
    name="micro-ecc",
    title="micro-ecc on a Cortex-M0: assembly, squaring, curves, code and stack",
    about="micro-ecc's project page of 2013 has tables of its time, code size and stack. This "
    "study measures the same rows with the code of 2013, and then with the packaged version of "
    "micro-ecc. The rows of this library are for comparison.",
    targets=("lpc1114",),
    curves=(),
    plan=plan,
    summarise=summarise,
    outside=(MICRO_ECC_2013,),
)
