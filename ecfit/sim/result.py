"""The parts of a machine and the results of a run: memory, faults, findings, counts."""

from __future__ import annotations

from typing import Literal

import msgspec


class Region(msgspec.Struct, frozen=True):
    """A piece of memory. ``start`` and ``size`` are multiples of 4; regions do not overlap.
    ``latency``: clocks that a data access waits in RAM whose bus is idle (sim/ecsim.h).
    """

    name: str
    start: int
    size: int
    kind: Literal["flash", "ram"]
    latency: int = 0


class Fault(msgspec.Struct, frozen=True):
    """Why a run could not go on: ``kind`` in words, the address concerned
    and the address of the instruction.

    An instruction that the core does not have, or that is not modelled,
    stands behind the kind in parentheses.
    """

    kind: str
    address: int
    pc: int

    def __str__(self) -> str:
        return f"{self.kind} 0x{self.address:08x} at pc 0x{self.pc:08x}"


class Finding(msgspec.Struct, frozen=True):
    """A place where a secret decides about time: what it decides, the instruction, how often,
    and the secrets' labels.

    ``stack``: call stack of function entry addresses, outermost first,
    when the run came here first. Of a declaration: ``what`` became public
    as in :meth:`Machine.public_at`, and how many ``bytes`` at a time.
    """

    kind: str
    pc: int
    labels: int
    count: int
    stack: tuple[int, ...]
    what: int = 0
    bytes: int = 0


class RunResult(msgspec.Struct, frozen=True):
    """How a run ended and what was counted.

    ``cycles`` and ``instructions`` exclude the BKPT, or the faulting instruction, at the end.
    ``cycles`` takes the longest time of each operand-dependent instruction, ``cycles_min``
    the shortest. ``stack_low`` is the lowest stack pointer seen. ``trace_hash`` (16 hex digits)
    covers the path of the program counter and the address of each data access, in order
    (sim/ecsim.h defines it). ``classes`` (instructions by cost row), ``loads`` and ``stores``
    (accesses by region name) and ``profile`` (call stack of function entry addresses, outermost
    first, with the cycles spent in its last function itself) are filled when the run was asked
    to profile, else empty; ``findings`` when it was asked to follow secrets, and ``declared``,
    each use of a point of :meth:`Machine.public_at` at which something secret became public:
    one for each path of calls and number of bytes.
    """

    stop: Literal["bkpt", "fault", "limit"]
    bkpt: int | None
    fault: Fault | None
    result: int
    cycles: int
    cycles_min: int
    instructions: int
    stack_low: int
    trace_hash: str
    classes: dict[str, int]
    loads: dict[str, int]
    stores: dict[str, int]
    profile: list[tuple[tuple[int, ...], int]]
    findings: tuple[Finding, ...] = ()
    declared: tuple[Finding, ...] = ()
