"""X25519 against P-256, library by library."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.build.parts import OWN
from ecfit.choices.curves import find_curve
from ecfit.choices.targets import Target
from ecfit.show.layout import Column
from ecfit.show.report import to_md
from ecfit_studies.survey.comparison import compared
from ecfit_studies.survey.plan import exchange, has_own, own, rows
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

EXCHANGE = ("keygen", "ecdh")
CURVES = ("secp256r1", "x25519")


def plan(ask: Ask) -> list[Job]:
    """P-256 and X25519 of every library that has both."""
    jobs: list[Job] = []
    for target in ask.targets:
        for library in (OWN, *(name for name, peer in ask.peers.items() if not peer.on_request)):
            found = [_usual(ask, target, library, name) for name in CURVES]
            jobs += [job for some in found for job in some] if all(found) else []
    return jobs


def _usual(ask: Ask, target: Target, library: str, name: str) -> list[Job]:
    """A library as it is by default."""
    curve = find_curve(name)
    if library == OWN and not has_own(curve):
        return []
    configuration = (
        own(curve, target) if library == OWN else ask.peers[library].configure({}, target.core)
    )
    made = rows(ask, target, configuration, curve, only=EXCHANGE)
    return exchange(made, name, CURVES[0]) if len(made) == len(EXCHANGE) else []


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """ECDHE alone."""
    mine = [r for r in records if r.op == "ecdhe"]
    return [compared("ECDHE: X25519 against P-256", mine, rate=True)]


def answer(records: Sequence[StudyRecord]) -> str:
    """How many ECDHE of X25519 take the time of one of P-256 in the same library, by chip."""
    times = {(r.target, r.library, r.curve): r.time_us for r in records if r.op == "ecdhe"}
    found: dict[str, list[tuple[float, str]]] = {}
    for (target, library, curve), time in times.items():
        base = times.get((target, library, CURVES[0]))
        if curve == CURVES[1] and time and base:
            found.setdefault(target, []).append((round(base / time, 2), library))
    cells = []
    for target, ratios in found.items():
        ours = next((f"{ratio:.2f}" for ratio, library in ratios if library == OWN), "-")
        ends = [f"{ratio:.2f}: {library}" for ratio, library in (min(ratios), max(ratios))]
        faster = sum(ratio > 1 for ratio, _ in ratios)
        cells.append([target, f"{faster} of {len(ratios)}", ours, *ends])
    heads = ("chip", "libraries with the faster X25519", OWN, "least", "most")
    lead = "X25519 against P-256 of the same library: its key exchanges in the time of one of P-256"
    columns = [Column(head, head == OWN) for head in heads]
    return f"{lead} ([how it was measured](#method)).\n\n" + to_md(columns, cells, [])


STUDY = Study(
    name="ecc-curve25519",
    title="X25519 against P-256",
    about="ECDHE is a key generation and a shared secret. This study measures it with every "
    "library that has both curves. The column `to base` compares with P-256 of the same library: "
    "2 means that X25519 is twice as fast.",
    targets=("nrf52840", "samd20", "host"),
    curves=(),
    plan=plan,
    summarise=summarise,
    answer=answer,
)
