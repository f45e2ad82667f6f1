"""The Re-Mote study: three libraries, five curves and three coordinate systems on a CC2538,
in seconds and joules. Two of the libraries come from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from ecfit.choices.curves import find_curve
from ecfit.choices.published import Document, Series, load_document
from ecfit.choices.targets import Target
from ecfit.choices.variants import known
from ecfit.measure.bench import Row
from ecfit.model import Configuration
from ecfit_studies.survey.comparison import compared
from ecfit_studies.survey.coverage import HASH_APART, reproduced
from ecfit_studies.survey.outside import COORDINATES, MODES, OPS, RUNS
from ecfit_studies.survey.outside import remote as own_source
from ecfit_studies.survey.plan import VARIANTS, own, published, rows, source
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

SUBSTITUTE = (
    "rows with library ecfit and configuration pinol: they do not measure Piñol's code. They "
    "measure ecfit with the settings of the paper's rows: coordinates, 32-bit words, "
    "double-and-add or sliding window, and Montgomery reduction. The rest of the code is ecfit's "
    "own, and faster. Use these rows only to compare the coordinate systems with each other"
)
NOTE = "signing: the nonce of ECDSA comes from the caller's generator, as in the paper"
ENERGY = (
    "energy: the paper measured the whole board at its USB supply. Its rows have 88 to 102 mW. We "
    "measured no energy. `core mJ` is our time at the power of the core alone, from its data "
    "sheet. `board mJ` is our time at 120 mW. This is the power of 24 mA at 5 V: 7 mA of the "
    "core, and 17 mA of the bridge between USB and UART. The bridge takes 17 mA while it has "
    "traffic. So `board mJ` is too high if the bridge had no traffic"
)
HASH = (
    f"configuration {HASH_APART}: ecfit's verification of a hash, and of a message. The difference "
    "is its SHA-256, which stands in for the one that the paper added to micro-ecc and does not "
    "name (coverage). The rows of micro-ecc here have none"
)
CODE = (
    "code: the paper's size is the difference between the sizes of two firmwares, so it leaves "
    "out code that both contain. The paper does not say at which level it was compiled. We "
    "deduced -Os from these sizes, so the ratios of the sizes do not confirm it"
)


@known(VARIANTS)
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
        if target.name == document.series[0].target:
            jobs += _hash_apart(ask, target)
    return jobs


def _hash_apart(ask: Ask, target: Target) -> list[Job]:
    """Verification without a hash and with one, in images of their own and in portable C."""
    curve = find_curve("secp256r1")
    what = own(curve, target, "tiny", BACKEND="w32", SHA256="own"), curve
    place = target, target.mode(ask.mode), ask.mode
    ops = "verify", "verify_message"
    return [Job(Row(*place, *what, op, (op,)), HASH_APART) for op in ops]


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
    sections: list[Section] = []
    for place in places:
        rows = [r for r in records if (r.target, r.mode or "") == place]
        lines = [] if sections else [NOTE]
        if not sections and any(r.published for r in rows):
            lines += [ENERGY, CODE, HASH]
        sections.append(compared(f"{place[0]}, mode {place[1]}", rows, lines=lines))
    return sections


STUDY = Study(
    name="remote",
    title="Re-Mote: signatures on a CC2538, in seconds and joules",
    about="A paper measured key generation, signature and verification with three libraries on a "
    "CC2538. This study measures the same again. If the code that the paper measured is public, it "
    "measures that code. It does so at the clock of the paper, 16 MHz, and then at the full clock, "
    "32 MHz. No document that we have gives the wait states of the flash at 16 MHz, so there is a "
    "table for each of three assumptions, called modes: `fitted` is the best estimate, "
    "`datasheet` gives the shortest times, and `worst` gives the longest. The notes under the "
    "first table hold for all tables.",
    targets=("cc2538-16mhz", "cc2538"),
    curves=(),
    plan=plan,
    summarise=summarise,
    answer=partial(reproduced, number="004"),
    outside=tuple(RUNS),
)
