"""The Re-Mote study: three libraries, five curves and three coordinate systems on a CC2538,
in seconds and joules. Two of the libraries come from outside.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ecfit.choices.curves import find_curve
from ecfit.choices.published import Document, Series, load_document
from ecfit.choices.targets import Target
from ecfit.model import Configuration
from ecfit.survey.comparison import compared
from ecfit.survey.outside import COORDINATES, MODES, OPS, RUNS
from ecfit.survey.outside import remote as own_source
from ecfit.survey.plan import own, published, rows, source
from ecfit.survey.study import Ask, Job, Section, Study, StudyRecord

SUBSTITUTE = (
    'rows "pinol" of the library ecfit: this is not the paper\'s code, but ecfit with the same '
    "settings: coordinates, 32-bit words, double-and-add or sliding window, Montgomery reduction. "
    "Its verification multiplies two points in one run of doublings. So compare the coordinate "
    "systems with each other by these rows, not with the times of the paper"
)
NOTE = (
    "signing: the caller gives the nonce, as in the paper. Joules: the paper measured the whole "
    "board at its USB supply, 88 to 102 mW in each row. Here, `core mJ` is the core alone, at the "
    "typical current of the data sheet. `board mJ` is the core and the board's serial bridge, by "
    "their data sheets, both from 5 V: 120 mW at 16 MHz. The paper's joules were not used for it. "
    "The current of the bridge is that with traffic"
)
CODE = (
    "code: the paper's size is the difference between two whole firmwares, so it leaves out code "
    "that both contain. The paper does not name the optimisation level. We concluded -Os from "
    "these very sizes, so they cannot confirm it"
)


def plan(ask: Ask) -> list[Job]:
    """At the published clock each series from its own source; this library and packages in place
    of what has none. At the full clock, where nothing is published, those alone.
    """
    document = load_document("remote-cc2538")
    jobs: list[Job] = []
    for target in ask.targets:
        for series in document.series:
            at_home = target.name == series.target
            outside = document.own[series.library] in RUNS
            if at_home and outside and not _private(series):
                jobs += own_source(ask, document, series, target)
            elif at_home or not series.configuration.startswith("af"):
                jobs += _packaged(ask, document, series, target)
    return jobs


def _private(series: Series) -> bool:
    return series.not_run.startswith("source not public")


def _packaged(ask: Ask, document: Document, series: Series, target: Target) -> list[Job]:
    """From a package, or this library as a substitute."""
    at_home = target.name == series.target
    configuration = _pinol(series, target) if series.library == "pinol" else _peer(ask, series)
    modes = MODES if at_home and series.library == "tweetnacl" else (ask.mode,)
    jobs = []
    for mode in modes:
        asked = msgspec.structs.replace(ask, mode=mode)
        for row in rows(asked, target, configuration, find_curve(series.curve), only=OPS):
            jobs.append(
                Job(
                    row,
                    f"{series.library} {series.configuration}",
                    published=published(document, series, row.op) if at_home else {},
                    source=source(document) if at_home else None,
                    differs=SUBSTITUTE if series.library == "pinol" else series.differs or None,
                )
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
    """One table for each clock and mode of the flash."""
    places = dict.fromkeys((record.target, record.mode or "") for record in records)
    return [
        compared(
            f"{target}, mode {mode}",
            [r for r in records if (r.target, r.mode) == (target, mode)],
            lines=[NOTE, CODE],
        )
        for target, mode in places
    ]


STUDY = Study(
    name="remote",
    title="Re-Mote: signatures on a CC2538, in seconds and joules",
    about="A paper measured key generation, signature and verification with three libraries on a "
    "CC2538. This study measures the same again. If the code that the paper measured is public, it "
    "measures that code. It does so at the clock of the paper, and then at the full clock. At "
    "the paper's clock, no document that we have gives the wait states of the flash, so there are "
    "three assumptions: the mode fitted is the best estimate, datasheet gives the shortest times, "
    "and worst the longest.",
    targets=("cc2538-16mhz", "cc2538"),
    curves=(),
    plan=plan,
    summarise=summarise,
    outside=tuple(RUNS),
)
