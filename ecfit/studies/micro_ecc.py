"""The tables of micro-ecc's project page: assembly, squaring and NAF; curves;
code and stack on a Cortex-M0.
"""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.choices.curves import find_curve
from ecfit.choices.published import Series, load_document
from ecfit.choices.targets import Target
from ecfit.measure.bench import Row
from ecfit.studies.plan import compared, has_own, own, published, rows, source
from ecfit.studies.study import Ask, Job, Section, Study, StudyRecord

DOCUMENT = "micro-ecc-lpc1114"
PRESETS = ("tiny", "compact", "balanced")
POINT_CHECK = "valid_public_key"
ALONE = " (ECDH alone)"
DIFFERS = (
    "Version of 2020 instead of June 2013. It has no NAF, and ECDH and verification check the "
    "point. Its curve was a constant, and is now an argument of each function, with numbers and "
    "pointers to functions. It makes keys regular. libc's memset of 166 bytes counts only here"
)
DROPPED = "The packaged version of 2020 does not have this curve any more"


def plan(ask: Ask) -> list[Job]:
    """Each series with the packaged version of the library,
    then this library on the same curves.
    """
    jobs: list[Job] = []
    document = load_document(DOCUMENT)
    for target in ask.targets:
        for series in document.series:
            if series.code_ecdh_bytes:
                jobs += _series_jobs(ask, target, series, alone=True)
            if series.code_bytes:
                jobs += _series_jobs(ask, target, series, alone=False)
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


def _series_jobs(ask: Ask, target: Target, series: Series, *, alone: bool) -> list[Job]:
    """The operations of a series in one image, or ECDH alone: both sizes are published."""
    document, curve, peer = (
        load_document(DOCUMENT),
        find_curve(series.curve),
        ask.peers["micro-ecc"],
    )
    words = series.configuration
    options = {
        "OPTIMIZATION_LEVEL": "1",  # assembly in loops, as in the version of 2013
        "PLATFORM": "auto" if "assembly" in words else "c",
        "SQUARE_FUNC": "1" if "squaring function" in words and not words.startswith("no ") else "0",
    }
    configuration, only = peer.configure(options), ("ecdh",) if alone else ()
    if curve.name in peer.curves:
        made, differs = rows(ask, target, configuration, curve, only=only), DIFFERS
    else:
        wanted, differs = (
            only or tuple(op for op in curve.ops if op in (*series.figures, *series.stack_bytes)),
            DROPPED,
        )
        place = target, target.mode(ask.mode), ask.mode, configuration, curve
        made = [Row(*place, op, wanted, offered=False) for op in wanted]
    jobs = []
    for row in made:
        said = published(document, series, row.op)
        if alone:
            said["flash_bytes"] = float(series.code_ecdh_bytes or 0)
            said.pop("static_stack_bytes", None)
        name = words + (ALONE if alone else "")
        jobs.append(Job(row, name, published=said, source=source(document), differs=differs))
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each chip."""
    sections = []
    for name in dict.fromkeys(record.target for record in records):
        mine = [record for record in records if record.target == name]
        sections.append(compared(name, mine, lines=_point_check()))
    return sections


def _point_check() -> list[str]:
    """What is published of a function that has no row."""
    found: dict[str, list[str]] = {}
    for series in load_document(DOCUMENT).series:
        if POINT_CHECK in series.stack_bytes:
            figure = f"{series.curve} {series.stack_bytes[POINT_CHECK]}"
            found.setdefault(series.configuration, []).append(figure)
    text = (
        "published static stack of the check of a public key, which is part of ECDH and "
        "verification here"
    )
    return [f"{text}; {name}: {', '.join(figures)} bytes" for name, figures in found.items()]


STUDY = Study(
    name="micro-ecc",
    title="micro-ecc on a Cortex-M0: assembly, squaring, curves, code and stack",
    about="The tables of micro-ecc's project page of 2013, measured with its packaged version and "
    "with this library. The packaged version no longer has secp128r1 and secp384r1.",
    targets=("lpc1114",),
    curves=(),
    plan=plan,
    summarise=summarise,
)
