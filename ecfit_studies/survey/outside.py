"""Rows of two studies from the code that their documents measured: peers/outside."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ecfit.choices.curves import HASHING, find_curve
from ecfit.choices.published import Document, Series
from ecfit.choices.targets import Target
from ecfit_studies.survey.plan import published, rows, source
from ecfit_studies.survey.study import Ask, Job

# The tables of micro-ecc's project page.
MICRO_ECC_2013 = "micro-ecc-2013"
ALONE = " (ECDH alone)"
POINT_CHECK = " (check of a public key)"
KEYS = 10  # as in the author's speed test
BOUNDS = ("zero-ws", "worst")  # modes of the flash, below and above the usual one
# What the document's stack is of.
FUNCTIONS = {
    "keygen": "ecc_make_key",
    "ecdh": "ecdh_shared_secret",
    "sign": "ecdsa_sign",
    "verify": "ecdsa_verify",
}
VALID = "valid_public_key"
SPEED_TEST = (
    "micro-ecc-2013: we measured the code of June 2013, as the project page did. We compiled it "
    "with gcc 12.2, and the page with gcc 4.8, so the C parts give other machine code. We used ten "
    "keys of our own. If a row is for ECDH and ECDSA together, its size is that of ECDH and "
    "verification, because the speed test of micro-ecc calls only these two"
)

# The tables of the Re-Mote.
COORDINATES = {"af": "affine", "hm": "homogeneous", "jb": "jacobian"}
OPS = ("keygen", "sign", "verify")
MODES = ("datasheet", "fitted", "worst")  # of a flash that is not known
RUNS = {"pinol": 5, "micro-ecc-2015": 10}  # inputs, by library from outside
PINOL = (
    "pinol: we measured Piñol's library, in a later revision than the paper did. The paper "
    "compiled it with gcc-arm of 2015; the rows that we keep are of gcc 4.9.3, of that year. Our "
    "message has 32 bytes, and the paper's has 15; the hash takes the same number of blocks. Each "
    "of our times is the median of five inputs; the paper used fixed random numbers. Our size is "
    "that of the whole library; the paper's leaves out code that Contiki contains anyway"
)
MICRO_ECC_2015 = (
    "micro-ecc-2015: we measured micro-ecc of July 2015, the last version in which the curve is "
    "chosen when the library is compiled. The paper compiled it with gcc-arm of 2015; the rows "
    "that we keep are of gcc 4.9.3, of that year. The paper's figures include a hash, and ours do "
    "not. The hash would take a few ms. Our sizes are about 0.5 kB smaller"
)
WORDS = "16-bit words"  # the paper measured them, too, and prints no figure


def squares(words: str) -> str:
    """The option of a squaring function, by the document's words."""
    return "1" if "squaring function" in words and not words.startswith("no ") else "0"


def micro_ecc(ask: Ask, target: Target, document: Document, series: Series) -> list[Job]:
    """ECDH alone; ECDH and verification, as in the speed test; all four, for their stack;
    the check of a public key, for its stack.
    """
    words, curve = series.configuration, find_curve(series.curve)
    options = {
        "ASM": "auto" if words.startswith("assembly") else "none",
        "SQUARE_FUNC": squares(words),
        "NAF": "1" if words.endswith("NAF") and not words.startswith("no ") else "0",
        "CHECK": "before",
    }
    jobs: list[Job] = []

    def add(name: str, ops: tuple[str, ...], fields: tuple[str, ...], shown: Sequence[str]) -> None:
        made = rows(ask, target, ask.peers[MICRO_ECC_2013].configure(options), curve, only=ops)
        for row in (row for row in made if row.op in shown):
            said = published(document, series, row.op)
            if name.endswith(ALONE) and series.code_ecdh_bytes:
                said["flash_bytes"] = series.code_ecdh_bytes
            said = {field: value for field, value in said.items() if field in fields}
            jobs.append(
                Job(
                    row,
                    name,
                    published=said,
                    source=source(document),
                    differs=SPEED_TEST,
                    runs=KEYS,
                    function=FUNCTIONS[row.op],
                )
            )

    if series.code_ecdh_bytes:
        add(words + ALONE, ("ecdh",), ("time_us", "flash_bytes"), ("ecdh",))
    if series.code_bytes:
        every = ("time_us", "flash_bytes", "static_stack_bytes")
        add(words, ("ecdh", "verify"), every, ("ecdh", "verify"))
    if series.stack_bytes:
        add(words, (), ("static_stack_bytes",), ("keygen", "sign"))
        options["CHECK"] = "library"
        add(words + POINT_CHECK, ("ecdh",), (), ("ecdh",))
        jobs[-1] = _of_check(jobs[-1], series)
    return jobs


def _of_check(job: Job, series: Series) -> Job:
    said = {"static_stack_bytes": float(series.stack_bytes[VALID])}
    return msgspec.structs.replace(job, published=said, function=f"ecc_{VALID}")


def bounds(ask: Ask, target: Target, document: Document, mode: str) -> list[Job]:
    """Each published time once, with another flash; their base is the row with the usual one."""
    asked, jobs = msgspec.structs.replace(ask, mode=mode), []
    for series in document.series if mode in target.modes else ():
        found: dict[str, Job] = {}
        for job in micro_ecc(asked, target, document, series):
            if "time_us" in job.published:
                found.setdefault(job.row.op, job)
        jobs += [msgspec.structs.replace(job, base=job.group) for job in found.values()]
    return jobs


def remote(ask: Ask, document: Document, series: Series, target: Target) -> list[Job]:
    """From the code that was measured, in each mode of the flash; Piñol's with words of 16 bits,
    too.
    """
    name = document.own[series.library]
    if name not in ask.peers:
        return []
    if series.library == "micro-ecc":
        settings = [({"ASM": series.configuration, "CHECK": "ecdh"}, "")]
    else:
        points = {"COORDINATES": COORDINATES[series.configuration.split()[0]]}
        settings = [(points, ""), (points | {"WORDS": "16"}, f", {WORDS}")]
    jobs = []
    hashing = dict(zip(HASHING.values(), HASHING, strict=True))
    ops = (*OPS, *(hashing[op] for op in OPS if op in hashing))
    for options, words in settings:
        configuration = ask.peers[name].configure(options)
        for mode in MODES[:1] if words else MODES:
            asked = msgspec.structs.replace(ask, mode=mode)
            for row in rows(asked, target, configuration, find_curve(series.curve), only=ops):
                said = published(document, series, HASHING.get(row.op, row.op))
                jobs.append(
                    Job(
                        row,
                        f"{series.library} {series.configuration}{words}",
                        published={} if words else said,
                        source=None if words else source(document),
                        differs=PINOL if series.library == "pinol" else MICRO_ECC_2015,
                        runs=None if words else RUNS[name],
                    )
                )
    return jobs
