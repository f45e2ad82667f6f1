"""This library beside others on this machine, in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ecfit.build.parts import OWN
from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target
from ecfit.model import Configuration
from ecfit.show.layout import Column
from ecfit.show.report import Field, table_of, to_md
from ecfit_studies.survey.front import Key, key
from ecfit_studies.survey.plan import has_own, own, rows
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord

PRESETS, LEVELS = ("balanced", "fast"), ("O2", "O3")
SYSTEM = ("openssl", "sodium-system", "secp256k1-system")  # not built here
BASES = {
    "OpenSSL": ("openssl keys-kept",),
    "AWS-LC": ("aws-lc keys-kept", "aws-lc"),
}  # what all are compared with at the first level: the first that a curve has


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
                found += _peers(peer, target, curve.name)
            jobs += [
                Job(row, one.name, opt=opt)
                for one in found
                for opt in one.levels
                for row in rows(ask, target, one.configuration, curve)
            ]
    return jobs


def _peers(peer: Peer, target: Target, curve: str) -> list[_Row]:
    """A peer's usual settings, and those that keep what its users set up once."""
    if peer.on_request:
        return []
    levels = LEVELS[:1] if peer.system else LEVELS
    variants = peer.variants_on(curve, target.core)
    kept = {name: some for name, some in variants.items() if name.endswith("-kept")}
    return [
        _Row(f"{peer.name} {name}".strip(), peer.configure(settings, target.core), levels)
        for name, settings in {"": {}, **kept}.items()
    ]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """A table for each curve: microseconds, and how many times those of each base."""
    sections = []
    for curve in dict.fromkeys(record.curve for record in records):
        mine = [record for record in records if record.curve == curve]
        ops = list(dict.fromkeys(record.op for record in mine))
        groups = _by_key(mine)
        bases = {name: found for name, rows in BASES.items() if (found := _first(groups, rows))}
        # as the library that ran reports it; its package stands below the tables
        said = [f"x {n} {rs[0].library_version.partition(' (')[0]}" for n, rs in bases.items()]
        title = f"{curve} ({'; '.join(said)})" if said else curve
        sections.append(Section(title, *table_of(_fields(ops, bases), list(groups.values()))))
    return sections


def _first(groups: Mapping[Key, list[StudyRecord]], names: Sequence[str]) -> list[StudyRecord]:
    return next((groups[one] for name in names if (one := (name, LEVELS[0])) in groups), [])


def _by_key(records: Sequence[StudyRecord]) -> dict[Key, list[StudyRecord]]:
    found: dict[Key, list[StudyRecord]] = {}
    for record in records:
        found.setdefault(key(record), []).append(record)
    return found


def _fields(ops: Sequence[str], bases: Mapping[str, Sequence[StudyRecord]]) -> list[Field]:
    def time(op: str, rs: Sequence[StudyRecord]) -> float | None:
        return next((r.time_us for r in rs if r.op == op), None)

    def micro(op: str, rs: Sequence[StudyRecord]) -> str:
        return "-" if (mine := time(op, rs)) is None else f"{mine:.1f}"

    def ratio(op: str, base: Sequence[StudyRecord], rs: Sequence[StudyRecord]) -> str:
        mine, theirs = time(op, rs), time(op, base)
        return f"{mine / theirs:.2f}" if mine and theirs else "-"

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
            *(Field(f"{op} x {name}", partial(ratio, op, bases[name]), rank=1) for name in bases),
        )
    ]
    return [
        Field("library", lambda rs: rs[0].group, False),
        Field("level", level, False),
        *figures,
        Field("spread", spread, rank=2),
        Field("status", failed, False, lambda all_: any(failed(rs) != "ok" for rs in all_)),
    ]


def answer(records: Sequence[StudyRecord]) -> str:
    """The times of the fastest preset, as multiples of each base's: below 1 ours is faster."""
    ours = f"{OWN} {PRESETS[-1]}", LEVELS[0]
    cells = []
    ops = [*dict.fromkeys(r.op for r in records)]
    for curve in dict.fromkeys(r.curve for r in records):
        groups = _by_key([r for r in records if r.curve == curve and r.status == "ok"])
        mine = {r.op: r.time_us for r in groups.get(ours, ())}
        for name, groups_of in BASES.items():
            theirs = {r.op: r.time_us for r in _first(groups, groups_of)}
            both = [(mine.get(op), theirs.get(op)) for op in ops]
            ratios = [f"{a / b:.2f}" if a and b else "-" for a, b in both]
            if set(ratios) != {"-"}:
                cells.append([curve, name, *ratios])
    columns = [Column("curve"), Column("against"), *(Column(op, True) for op in ops)]
    lead = f"Times of `{ours[0]}` as multiples of another library's; below 1 ours is faster. A dash"
    lead += " has no pair of steady times"
    return f"{lead} ([how it was measured](#method)).\n\n" + to_md(columns, cells, [])


STUDY = Study(
    name="host",
    title="On this machine: every library in turn",
    about="Native code: medians of processor time, with one batch of each library in turn. "
    "Other work on the machine makes all rows slower. This library runs its C for 64-bit words, "
    "with assembly for its fields, if the processor has BMI2, ADX and AVX2. OpenSSL, libsodium "
    "and libsecp256k1 are the distribution's builds, AWS-LC is built here; all have assembly. "
    "The ratios compare with OpenSSL, and with AWS-LC at -O2, which keep their key objects. Each "
    "heading names their versions, and says `generic code` if OpenSSL has no special code for "
    "the curve. In the rows `-kept`, everything that users set up once is set up before.",
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
    answer=answer,
)
