"""Key exchange with ML-KEM on microcontrollers, beside this library's X25519 and P-256."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.build.parts import OWN
from ecfit.choices.curves import CURVES, KEMS, MEASURED
from ecfit.choices.targets import Target
from ecfit.model import Configuration
from ecfit.show.layout import Column
from ecfit.survey.plan import of_peer, own, rows
from ecfit.survey.study import Ask, Job, Section, Study, StudyRecord, too_large
from ecfit.units import grouped, milliseconds

CLASSICAL = ("x25519", "secp256r1")
PRESETS = ("fast", "tiny")
OPS = ("keygen", "encaps", "decaps", "ecdh")
HEADS = {
    "exchange": False, "library": False, **{f"{op} ms": True for op in OPS},
    "flash B": True, "RAM B": True, "client sends B": True, "server sends B": True,
}  # fmt: skip


def plan(ask: Ask) -> list[Job]:
    """Each library with each parameter set, and its variants; of ours what a hybrid has beside."""
    jobs = list[Job]()
    for target in ask.targets:
        for curve in ask.curves:
            for name, configuration in _ours(target, curve.name):
                made = rows(ask, target, configuration, curve, only=OPS)
                jobs += [Job(row, name) for row in made]
        for kem in KEMS.values():
            for peer in ask.peers.values():
                for name, configuration in of_peer(peer, target, kem):
                    jobs += [Job(row, name) for row in rows(ask, target, configuration, kem)]
    return jobs


def _ours(target: Target, curve: str) -> list[tuple[str, Configuration]]:
    return [(f"{OWN} {preset}", own(CURVES[curve], target, preset)) for preset in PRESETS]


def summarise(records: Sequence[StudyRecord]) -> list[Section]:
    """A table for each chip: time of each operation, size, and what goes over the wire."""
    columns = [Column(name, number) for name, number in HEADS.items()]
    sections = []
    for target in dict.fromkeys(record.target for record in records):
        groups: dict[tuple[str, str], list[StudyRecord]] = {}
        for record in records:
            if record.target == target:
                groups.setdefault((record.curve, record.group), []).append(record)
        cells = [
            [curve, group, *_figures(some)]
            for (curve, group), some in groups.items()
            if not all(map(too_large, some))
        ]
        sections.append(Section(target, columns, cells))
    return sections


def _figures(records: Sequence[StudyRecord]) -> list[str]:
    """Of one library: an operation that has no room has no time."""
    by_op = {record.op: record for record in records}
    times = [
        "no room" if op in by_op and too_large(by_op[op])
        else milliseconds(by_op[op].time_us) if op in by_op
        else "-"
        for op in OPS
    ]  # fmt: skip
    ram = [record.ram_bytes for record in records]
    most = "no room" if None in ram else grouped(max(one or 0 for one in ram))
    one = MEASURED[records[0].curve]
    answer = one.cipher_bytes if one.name in KEMS else one.public_bytes
    sizes = next((record.flash_bytes for record in records if record.flash_bytes), None)
    return [*times, grouped(sizes), most, grouped(one.public_bytes), grouped(answer)]


STUDY = Study(
    name="post-quantum",
    title="Key exchange with ML-KEM beside X25519 and P-256",
    about="This study measures ML-KEM (FIPS 203) in other people's portable C, at -Os, and this "
    "library's X25519 and P-256, which a hybrid has beside it. Without hybrid, client and server "
    "both make a key pair and call ECDH. With ML-KEM, the client makes a key pair and "
    "decapsulates, and the server encapsulates. So a client with X25519MLKEM768 takes the sum of "
    "both rows, but for the time of `encaps`. It needs the flash of both, less what they share, "
    "and the larger RAM. A library stands in a table with all three operations in one image. "
    "RAM is the deepest stack and the largest heap of any operation, with static data. It does "
    "not contain keys and ciphertexts, which are the caller's: 768 to 3,168 bytes each. "
    "`no room`: the operation needs more RAM than the chip has beside them. The "
    "model gives 16 KiB of Ibex's 64 KiB to data. PQClean is archived, "
    "and its package has the advisory RUSTSEC-2026-0161 (unmaintained): use it to compare.",
    targets=("nrf52840", "samd20", "cc2538", "ibex"),
    curves=CLASSICAL,
    plan=plan,
    summarise=summarise,
)
