"""Key exchange with ML-KEM and signatures with ML-DSA on microcontrollers, beside this library's
curves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from ecfit.build.parts import OWN, Beside
from ecfit.choices.curves import HYBRIDS, KEMS, MEASURED, SIGNATURES, Curve
from ecfit.choices.targets import Target
from ecfit.show.layout import Column
from ecfit.units import grouped, milliseconds
from ecfit_studies.survey.front import extremes, figures, front
from ecfit_studies.survey.plan import of_peer, own, rows
from ecfit_studies.survey.study import Ask, Job, Section, Study, StudyRecord, too_large

PRESETS = ("fast", "tiny")
ORDER = ("x25519", "secp256r1", "ed25519", *KEMS, *SIGNATURES, *HYBRIDS)
RUNS = 25  # inputs of a signature with ML-DSA, which takes as many attempts as it needs


class Table(NamedTuple):
    """What stands in one table of a chip: a curve or scheme has a row for each library."""

    name: str
    ops: tuple[str, ...]
    classical: tuple[str, ...]
    schemes: dict[str, Curve]
    sizes: tuple[str, str]


TABLES = (
    Table(
        "exchange", ("keygen", "encaps", "decaps", "ecdh"), ("x25519", "secp256r1"), KEMS,
        ("client sends B", "server sends B"),
    ),
    Table(
        "signature", ("keygen", "sign", "verify"), ("ed25519", "secp256r1"), SIGNATURES,
        ("public key B", "signature B"),
    ),
)  # fmt: skip


def plan(ask: Ask) -> list[Job]:
    """Each library with each parameter set, and its variants; of ours what a hybrid has beside."""
    jobs = list[Job]()
    for target in ask.targets:
        for table in TABLES:
            for curve in ask.curves:
                for preset in PRESETS if curve.name in table.classical else ():
                    made = rows(ask, target, own(curve, target, preset), curve, only=table.ops)
                    jobs += [Job(row, f"{OWN} {preset}") for row in made]
            for scheme in table.schemes.values():
                for peer in ask.peers.values():
                    for name, configuration in of_peer(peer, target, scheme):
                        jobs += [
                            Job(row, name, runs=RUNS if row.op == "sign" else None)
                            for row in rows(ask, target, configuration, scheme)
                        ]
        for group in (group for group in HYBRIDS.values() if group.curve in ask.curves):
            jobs += _hybrid(ask, target, group)
    return jobs


def _hybrid(ask: Ask, target: Target, group: Curve) -> list[Job]:
    """Each library that has the KEM, with our curve, in one image."""
    beside = Beside(group.curve, own(group.curve, target, PRESETS[0]), ("keygen", "ecdh"))
    return [
        Job(msgspec.structs.replace(row, curve=group, beside=(beside,)), f"{name} + {OWN} fast")
        for peer in ask.peers.values()
        for name, configuration in of_peer(peer, target, group.kem)
        for row in rows(ask, target, configuration, group.kem)
    ]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """Two tables for each chip: time of each operation, size, and what goes over the wire."""
    sections = []
    for target in dict.fromkeys(record.target for record in records):
        for table in TABLES:
            place, cells = (target, table), list[list[str]]()
            mine = [r for r in records if (r.target, TABLES["verify" in r.image_ops]) == place]
            for curve in ORDER:
                some = [r for r in mine if r.curve == curve]
                best = {group for group, _ in front(figures(some))}
                for group in dict.fromkeys(r.group for r in some):
                    rows_of = [r for r in some if r.group == group]
                    mark = "*" if group in best else ""
                    cells.append([curve, mark, group, *_figures(table, rows_of)])
            names = [*(f"{op} ms" for op in table.ops), "flash B", "RAM B", *table.sizes]
            columns = [Column(table.name), Column("front"), Column("library")]
            columns += [Column(name, figure=True) for name in names]
            title = target if table == TABLES[0] else f"{target}: {table.name}s"
            if cells:
                sections.append(Section(title, columns, cells))
    return sections


def _figures(table: Table, records: Sequence[StudyRecord]) -> list[str]:
    """Of one library: an operation that has no room has no time."""
    by_op = {record.op: record for record in records}
    times = [
        "-" if op not in by_op
        else _lacks(by_op[op]) if too_large(by_op[op])
        else milliseconds(by_op[op].time_us) if by_op[op].status == "ok"
        else by_op[op].status
        for op in table.ops
    ]  # fmt: skip
    ram = [record.ram_bytes for record in records]
    most = (
        "no room"
        if any(map(too_large, records))
        else "-"
        if None in ram
        else grouped(max(one or 0 for one in ram))
    )
    one = (MEASURED | HYBRIDS)[records[0].curve]
    ours = 2 * one.scalar_bytes if table.name == "signature" else one.public_bytes
    answer = one.signature_bytes or one.cipher_bytes or ours
    sizes = next((record.flash_bytes for record in records if record.flash_bytes), None)
    return [*times, grouped(sizes), most, grouped(one.public_bytes), grouped(answer)]


def _lacks(record: StudyRecord) -> str:
    found = re.search(r"needs (\d+) bytes of stack", record.detail or "")  # else the heap is full
    return f"lacks {grouped(int(found[1]))} B" if found else "no room"


STUDY = Study(
    name="post-quantum",
    title="ML-KEM and ML-DSA beside X25519, P-256 and Ed25519",
    about="This study measures ML-KEM (FIPS 203) and ML-DSA (FIPS 204) in other people's code, "
    "at -Os, and this library's curves, which a hybrid has beside them. Without hybrid, client "
    "and server both make a key pair and call ECDH. With ML-KEM, the client makes a key pair and "
    "decapsulates, and the server encapsulates. X25519MLKEM768 and SecP256r1MLKEM768 have both "
    "halves in one image. There `keygen` and `decaps` are all that the client does, and `encaps` "
    "all that the server does. A library stands in a table with all operations of a scheme in "
    "one image. `*` marks the Pareto front: no other row of the scheme is as small, as fast, and "
    "needs as little RAM. Signing with ML-DSA takes as many attempts as it needs: its time is "
    f"the median of {RUNS} inputs, the same for all libraries and chips. Messages have 32 bytes. "
    "RAM is the deepest stack and the largest heap of any operation, with static data. It does "
    "not contain keys, ciphertexts and signatures, which are the caller's: 768 to 4,896 bytes "
    "each. `no room`: the operation needs more RAM than the chip has beside them, and `lacks` "
    "says how much stack. The model gives 16 KiB of Ibex's 64 KiB to data. PQClean is archived "
    "(RUSTSEC-2026-0161): use it to compare.",
    targets=("nrf52840", "samd20", "cc2538", "ibex", "stm32u575", "rp2350"),
    curves=ORDER[:3],
    plan=plan,
    summarise=summarise,
    answer=partial(extremes, of="scheme", names=("mlkem768", "mldsa44")),
    outside=("wolfssl-pq",),
)
