"""This library beside others on this machine, in turn: its C has no assembly there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ecfit.build.parts import OWN
from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target
from ecfit.model import Configuration
from ecfit.show.report import Field, table_of
from ecfit.survey.front import Key, key
from ecfit.survey.plan import has_own, own, rows
from ecfit.survey.study import Ask, Job, Section, Study, StudyRecord

PRESETS = ("balanced", "fast")
LEVELS = ("O2", "O3")
SYSTEM = ("openssl", "sodium-system", "secp256k1-system")  # not built here
BASE = ("openssl keys-kept", LEVELS[0])  # what all are compared with


class _Row(NamedTuple):
    name: str
    configuration: Configuration
    levels: tuple[str, ...]


def plan(ask: Ask) -> list[Job]:
    """Each library as its users set it up, at two levels; one that is installed as it is."""
    jobs: list[Job] = []
    for target in ask.targets:
        for curve in ask.curves:
            presets = PRESETS if has_own(curve) else ()
            found = [_Row(f"{OWN} {name}", own(curve, target, name), LEVELS) for name in presets]
            for peer in ask.peers.values():
                found += _peers(peer, target)
            jobs += [
                Job(row, one.name, opt=opt)
                for one in found
                for opt in one.levels
                for row in rows(ask, target, one.configuration, curve)
            ]
    return jobs


def _peers(peer: Peer, target: Target) -> list[_Row]:
    """A peer's usual settings, and those that keep what its users set up once."""
    if peer.on_request:
        return []
    levels = LEVELS[:1] if peer.system else LEVELS
    kept = {name: some for name, some in peer.variants.items() if name.endswith("-kept")}
    return [
        _Row(f"{peer.name} {name}".strip(), peer.configure(settings, target.core), levels)
        for name, settings in {"": {}, **kept}.items()
    ]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """A table for each curve: microseconds, and how many times those of OpenSSL."""
    sections = []
    for curve in dict.fromkeys(record.curve for record in records):
        mine = [record for record in records if record.curve == curve]
        ops = list(dict.fromkeys(record.op for record in mine))
        base = {r.op: r.time_us for r in mine if key(r) == BASE and r.time_us}
        groups = _by_key(mine)
        title = curve + "".join(f" (x OpenSSL {one})" for one in dict.fromkeys(_bases(mine)))
        sections.append(Section(title, *table_of(_fields(ops, base), list(groups.values()))))
    return sections


def _bases(records: Sequence[StudyRecord]) -> list[str]:
    """The base of the ratios, as the library that ran reports it."""
    return [record.library_version for record in records if key(record) == BASE]


def _by_key(records: Sequence[StudyRecord]) -> dict[Key, list[StudyRecord]]:
    found: dict[Key, list[StudyRecord]] = {}
    for record in records:
        found.setdefault(key(record), []).append(record)
    return found


def _fields(ops: Sequence[str], base: Mapping[str, float]) -> list[Field]:
    def time(op: str, rs: Sequence[StudyRecord]) -> float | None:
        return next((r.time_us for r in rs if r.op == op), None)

    def micro(op: str, rs: Sequence[StudyRecord]) -> str:
        return "-" if (mine := time(op, rs)) is None else f"{mine:.1f}"

    def ratio(op: str, rs: Sequence[StudyRecord]) -> str:
        mine = time(op, rs)
        return "-" if mine is None or op not in base else f"{mine / base[op]:.2f}"

    def spread(rs: Sequence[StudyRecord]) -> str:
        return f"{max(r.time_spread or 0 for r in rs):.1%}"

    def level(rs: Sequence[StudyRecord]) -> str:
        return "as installed" if rs[0].library in SYSTEM else f"-{rs[0].opt}"

    def failed(rs: Sequence[StudyRecord]) -> str:
        return next((r.status for r in rs if r.status != "ok"), "ok")

    figures = [
        field
        for op in ops
        for field in (
            Field(f"{op} µs", partial(micro, op)),
            Field(f"{op} x OpenSSL", partial(ratio, op), needed=lambda _: bool(base), rank=1),
        )
    ]
    return [
        Field("library", lambda rs: rs[0].group, False),
        Field("level", level, False),
        *figures,
        Field("spread", spread, rank=2),
        Field("status", failed, False, lambda all_: any(failed(rs) != "ok" for rs in all_)),
    ]


STUDY = Study(
    name="host",
    title="On this machine: every library in turn",
    about="Native code of this machine: medians, with one batch of each library in turn. This "
    "library runs its C for 64-bit words, without assembly. On x86-64, additions with carry are "
    "functions of the compiler. OpenSSL, libsodium and libsecp256k1 are the distribution's builds, "
    "most with assembly for the processor. The ratios compare with OpenSSL, which keeps its key "
    "objects. Each heading names its version, and says `generic code` if OpenSSL has no special "
    "code for the curve. In the rows `-kept`, everything that users set up once is set up before.",
    targets=("host",),
    curves=(
        "secp256r1",
        "secp384r1",
        "secp521r1",
        "secp256k1",
        "brainpoolP256r1",
        "x25519",
        "ed25519",
    ),
    plan=plan,
    summarise=summarise,
)
