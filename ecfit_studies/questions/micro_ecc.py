"""The tables of micro-ecc's project page: assembly, squaring and NAF; curves;
code and stack on a Cortex-M0. Its code of 2013 comes from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import msgspec

from ecfit.choices.curves import find_curve
from ecfit.choices.published import Series, load_document
from ecfit.choices.targets import Target
from ecfit_studies.survey.charts import published
from ecfit_studies.survey.comparison import compared, worth
from ecfit_studies.survey.coverage import reproduced
from ecfit_studies.survey.outside import ALONE, BOUNDS, MICRO_ECC_2013, POINT_CHECK, bounds, squares
from ecfit_studies.survey.outside import micro_ecc as own_source
from ecfit_studies.survey.plan import has_own, own, rows
from ecfit_studies.survey.study import Ask, Chart, Job, Section, Study, StudyRecord

DOCUMENT = "micro-ecc-lpc1114"
PRESETS = ("tiny", "compact", "balanced")
PARTS = {ALONE: "ECDH alone", POINT_CHECK: "check of a public key"}  # by the end of a group
REST = "ECDH and ECDSA"
SHORT = {  # for 80 columns
    "no squaring function, no NAF": "plain",
    "squaring function": "squaring",
    "assembly": "asm",
    ", ": "+",
}
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
        if MICRO_ECC_2013 in ask.peers and ask.mode == "datasheet":
            jobs += [job for mode in BOUNDS for job in bounds(ask, target, document, mode)]
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
    """For each chip the tables of the page, those of the two other libraries, and what the flash
    of the model is worth.
    """
    sections = []
    for name in dict.fromkeys(record.target for record in records):
        tables: dict[str, list[StudyRecord]] = {}
        for record in _usual(r for r in records if r.target == name):
            title, group = record.library, record.group
            for word, short in SHORT.items():
                group = group.replace(word, short)
            if record.library == MICRO_ECC_2013:
                end = next((end for end in PARTS if group.endswith(end)), "")
                title = f"the page of 2013, {PARTS.get(end, REST)}"
                group = group.removesuffix(end)
            row = msgspec.structs.replace(record, group=group)
            tables.setdefault(f"{name}: {title}", []).append(row)
        sections += [compared(title, rows) for title, rows in tables.items()]
        sections += worth(name, [r for r in records if r.target == name])
    return sections


def _usual(records: Iterable[StudyRecord]) -> list[StudyRecord]:
    """The records but those of the bounds."""
    return [record for record in records if record.base is None]


def _charts(records: Sequence[StudyRecord]) -> list[Chart]:
    """Published and measured times of each chip."""
    usual = _usual(records)
    made = [
        published(name, [r for r in usual if r.target == name])
        for name in dict.fromkeys(record.target for record in usual)
    ]
    return [chart for chart in made if chart]


STUDY = Study(
    name="micro-ecc",
    title="micro-ecc on a Cortex-M0: assembly, squaring, curves, code and stack",
    about="micro-ecc's project page of 2013 has tables of its time, code size and stack. This "
    "study measures the same rows with the code of 2013, and then with the packaged version of "
    "micro-ecc. The rows of this library are for comparison. A configuration is named as on the "
    "page, with `asm` for assembly, `squaring` for its squaring function, and `plain` for C alone "
    "without squaring function and NAF.",
    targets=("lpc1114",),
    curves=(),
    plan=plan,
    summarise=summarise,
    answer=partial(reproduced, number="003"),
    more_charts=_charts,
    outside=(MICRO_ECC_2013,),
)
