"""Compares every library and preset on two chips and marks the Pareto-optimal ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ecfit.build.parts import OWN
from ecfit.build.toolchain import OPTS
from ecfit.show.report import Field, table_of
from ecfit.units import grouped, milliseconds
from ecfit_studies.survey.comparison import largest
from ecfit_studies.survey.front import (
    Key,
    ahead,
    ahead_line,
    charts,
    equal,
    extremes,
    figures,
    front,
    key,
    label,
    published_rows,
    row_name,
    shown,
)
from ecfit_studies.survey.plan import (
    BARE,
    BARE_ROWS,
    ON_REQUEST,
    ON_REQUEST_SAID,
    SHORT_TABLE,
    alike,
    on_request,
    rows,
    usual_rows,
)
from ecfit_studies.survey.ranking import constant_time
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord


def plan(ask: Ask) -> list[Job]:
    """The operations of each configuration that there is for a curve on a chip, at each level;
    ours as others have it (blinded, with a key pair, or a short table) at the usual one. First
    those of libraries that come only when asked for, at the usual one, too.
    """
    jobs = on_request(ask)
    for target in ask.targets:
        for curve in ask.curves:
            usual, beside = usual_rows(ask, target, curve), alike(target, curve)
            jobs += [
                Job(row, name, opt=opt)
                for name, configuration in (*usual, *beside)
                for opt in (OPTS if (name, configuration) in usual else OPTS[:1])
                for row in rows(ask, target, configuration, curve)
            ]
    return jobs


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """One table for each chip and curve: a row for each configuration at the usual level, and at
    another where that is on the front.
    """
    sections = []
    for target, curve in dict.fromkeys((record.target, record.curve) for record in records):
        mine = [record for record in records if (record.target, record.curve) == (target, curve)]
        mine += published_rows(mine)
        found, libraries = figures(mine), {key(record): record.library for record in mine}
        best, ours = front(found), ahead(found, libraries)
        names = {same[0]: same for same in shown(equal(mine), best)}
        groups = [[r for r in mine if key(r) == name] for name in names]
        ops = list(dict.fromkeys(record.op for record in mine))
        fields = _fields({name: label(same) for name, same in names.items()}, best, ours, ops)
        line = ahead_line(found, mine)
        sections.append(Section(f"{target}, {curve}", *table_of(fields, groups), [line]))
    return sections


def _fields(
    names: Mapping[Key, str], best: set[Key], ours: Mapping[Key, Key], ops: list[str]
) -> list[Field]:
    def time(op: str, rs: Sequence[StudyRecord]) -> str:
        return milliseconds(next((r.time_us for r in rs if r.op == op), None))

    def failed(rs: Sequence[StudyRecord]) -> str:
        return next((r.status for r in rs if r.status != "ok"), "ok")

    def heap(rs: Sequence[StudyRecord]) -> str:
        return grouped(largest(rs, "heap_bytes"))

    def behind(rs: Sequence[StudyRecord]) -> str:
        return row_name(ours[key(rs[0])]) if key(rs[0]) in ours else "-"

    times = [Field(f"{op} ms", partial(time, op)) for op in ops]
    return [
        Field("front", lambda rs: "*" if key(rs[0]) in best else "", False),
        Field("library", lambda rs: names[key(rs[0])], False),
        Field("level", lambda rs: f"-{rs[0].opt}", False, rank=1),
        *times,
        Field("flash B", lambda rs: grouped(largest(rs, "flash_bytes"))),
        Field("stack B", lambda rs: grouped(largest(rs, "stack_bytes"))),
        Field("heap B", heap, needed=lambda all_: any(largest(rs, "heap_bytes") for rs in all_)),
        Field("RAM B", lambda rs: grouped(largest(rs, "ram_bytes"))),
        Field("constant-time", constant_time, False),
        Field("behind", behind, False, lambda all_: any(rs[0].library != OWN for rs in all_)),
        Field("status", failed, False, lambda all_: any(failed(rs) != "ok" for rs in all_)),
    ]


def settings(sets: Mapping[str, str]) -> str:
    """Knobs as they are written."""
    return " ".join(f"{knob}={value}" for knob, value in sets.items())


STUDY = Study(
    name="anchors",
    title="Anchors: every library on one chip",
    about="This study compares every library and preset on two chips and marks the Pareto-optimal "
    "ones. A row is one image with all operations of a library. Every configuration has a row at "
    "-Os, and another one at -O2 or -O3 if that is on the front. "
    "A row with `*` is on the Pareto front: no other row with the same operations is as small, as "
    "fast in each operation, and needs as little RAM (static, stack and heap). "
    "`behind` names a row of ours that is no larger, needs no more RAM and is no slower in any "
    "operation of that library. Settings with equal figures share a row.\n\n"
    "The names of our rows are short for knobs. `blinded`: BLIND=coordinates, as micro-ecc and "
    "Mbed TLS do by default. `key pair`: SIGN=eddsa_pair, which gets the public key for signing, "
    "as all other libraries here do. `5-teeth`: COMB_TEETH=5. `2-blocks`: COMB_BLOCKS=2. "
    "`long`: PRODUCT_VAR=long. `comb_edwards`: MULG=comb_edwards, public keys by a table. "
    f"`short table`: {settings(SHORT_TABLE)}. "
    f"All rows `bare`: {settings(BARE)}, with the reduction of `fast`. "
    + " ".join(f"`{name}` adds {settings(sets)}." for name, sets in BARE_ROWS.items())
    + " Signing in these rows takes the nonce from the caller. The rows `fast` and `compact` are "
    "the presets unchanged, with RFC 6979. "
    f"{ON_REQUEST_SAID}\n\n"
    "Some rows have settings, and there is no preset with these settings. This is why. "
    "`blinded`, `key pair`, `short table` and `bare` do what another library does, so that like "
    "is compared with like. `blinded` needs random numbers, `key pair` needs the public key, "
    "`short table` and `bare` keep less than a preset promises: `bare` clears nothing. "
    "`comb_edwards`, `5-teeth` and `2-blocks` spend 0.8 to 8.5 kB of flash on faster key "
    "generation and signing. The rows of `lowram` with settings are faster than `lowram`, for up "
    "to 5.6 kB more flash. Where a preset does not use `digits`, the row with `digits` needs more "
    "RAM or more time.",
    targets=("samd20", "nrf52840"),
    curves=("secp256r1", "secp256k1", "x25519", "ed25519"),
    plan=plan,
    summarise=summarise,
    answer=extremes,
    charts=charts,
    outside=ON_REQUEST,
)
