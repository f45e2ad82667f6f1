"""Records as setups: a configuration of a library on a chip for a curve, with all its operations.

What the page chooses from; each has the command that measures it again.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

import msgspec

from ecfit.build.parts import OWN
from ecfit_studies.survey.front import USUAL, equal, figures, front, key, label, row_name, shown
from ecfit_studies.survey.study import StudyRecord

ENOUGH = ("time_us", "cycles", "stack_bytes", "ram_bytes", "flash_bytes")


class Operation(msgspec.Struct, frozen=True):
    """What an operation takes; RAM is static RAM, stack and heap together."""

    time_us: float
    cycles: int
    stack_bytes: int
    ram_bytes: int
    heap_bytes: int | None
    energy_uj: float | None


class Setup(msgspec.Struct, frozen=True):
    """One image, what its operations take, and the command that measures them.

    `place`: where it stands among the setups; `short`: its name in charts; `group` and `opt`:
    the row of the study that it is; `error_class`: of its times.
    """

    place: int
    target: str
    curve: str
    label: str
    short: str
    group: str
    opt: str
    own: bool
    version: str
    compiler: str
    flash_bytes: int
    error_class: str | None
    command: str
    ops: dict[str, Operation]


def setups(records: Sequence[StudyRecord]) -> list[Setup]:
    """The setups of records that ran; those of one library with equal figures are one."""
    made: list[Setup] = []
    for target, curve in dict.fromkeys((r.target, r.curve) for r in records):
        mine = [r for r in records if (r.target, r.curve) == (target, curve) and _ran(r)]
        for same in shown(equal(mine), front(figures(mine))):
            group = [r for r in mine if key(r) == same[0]]
            level = "" if same[0][1] == USUAL else f" -{same[0][1]}"
            made.append(_setup(len(made), label(same) + level, row_name(same[0]), group))
    return made


def _ran(record: StudyRecord) -> bool:
    return record.status == "ok" and None not in [getattr(record, name) for name in ENOUGH]


def _setup(place: int, label: str, short: str, records: Sequence[StudyRecord]) -> Setup:
    one = records[0]
    return Setup(
        place,
        one.target,
        one.curve,
        label,
        short,
        one.group,
        one.opt,
        one.library == OWN,
        one.library_version,
        f"{one.toolchain} -{one.opt}",
        one.flash_bytes or 0,
        one.error_class,
        command(one),
        {r.op: _operation(r) for r in records},
    )


def _operation(record: StudyRecord) -> Operation:
    return Operation(
        record.time_us or 0,
        record.cycles or 0,
        record.stack_bytes or 0,
        record.ram_bytes or 0,
        record.heap_bytes,
        record.energy_uj,
    )


def command(record: StudyRecord) -> str:
    """The command that measures the operations of a record's image again."""
    words = ["ecfit", "bench", "--target", record.target, "--lib", record.library]
    words += ["--curve", record.curve, "--op", record.image_ops.replace("+", ",")]
    words += ["--preset", record.preset] if record.preset else []
    prefix = "" if record.library == OWN else f"{record.library}."
    changes = [f"{prefix}{change}" for change in (record.changed or "").split()]
    words += ["--set", ",".join(changes)] if changes else []
    words += ["--mode", record.mode] if record.mode not in (None, "datasheet") else []
    toolchain = record.toolchain.partition(" ")[0]
    words += ["--toolchain", toolchain] if toolchain != "gcc" else []
    words += ["--opt", record.opt] if record.opt != "Os" else []
    return shlex.join(words)


def failures(records: Sequence[StudyRecord]) -> Iterator[str]:
    """The rows that did not run, with each reason once."""
    seen = dict.fromkeys(
        f"{r.group} on {r.target}, {r.curve}, {r.op}: {r.status}"
        + (f": {r.detail}" if r.detail else "")
        for r in records
        if r.status != "ok"
    )
    yield from seen
