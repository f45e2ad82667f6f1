"""The command `profile`: cycles per function, collapsed stacks, flame graphs."""

from __future__ import annotations

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import rows
from ecfit.commands.frames import frames
from ecfit.errors import UsageError
from ecfit.model import Record
from ecfit.show.flamegraph import draw
from ecfit.show.layout import Cells, Column
from ecfit.show.report import emit
from ecfit.units import grouped

Stacks = dict[tuple[str, ...], int]


class FunctionCost(msgspec.Struct, frozen=True):
    """Cycles of one function in one run: in itself, and with all that it called."""

    library: str
    preset: str | None
    target: str
    curve: str
    op: str
    function: str
    self_cycles: int
    total_cycles: int
    self_percent: float


def functions(record: Record, stacks: Stacks) -> list[FunctionCost]:
    """Costs by function, dearest first."""
    own: dict[str, int] = {}
    whole: dict[str, int] = {}
    for stack, cycles in stacks.items():
        own[stack[-1]] = own.get(stack[-1], 0) + cycles
        for name in set(stack):
            whole[name] = whole.get(name, 0) + cycles
    total = sum(own.values()) or 1
    where = (record.library, record.preset, record.target, record.curve, record.op)
    costs = [
        FunctionCost(
            *where, name, own.get(name, 0), whole[name], round(100 * own.get(name, 0) / total, 2)
        )
        for name in whole
    ]
    return sorted(costs, key=lambda cost: (-cost.self_cycles, cost.function))


def root(record: Record) -> str:
    """What a profile is of: the frame below all others."""
    return f"{record.library} {record.preset or ''}".strip() + f" {record.op} {record.target}"


def collapsed(record: Record, stacks: Stacks) -> list[str]:
    """Lines "frame;frame;frame cycles", outermost first, as flame-graph viewers read them."""
    return [
        f"{';'.join((root(record), *stack))} {cycles}"
        for stack, cycles in sorted(stacks.items())
        if cycles
    ]


def profiles(common: Common) -> int:
    """Runs each row once and prints where its cycles went, or its stack. Errors: UsageError."""
    if common.values["of_stack"]:
        return frames(common)
    chosen = [row for row in rows(common.select()) if row.offered]
    for row in chosen:
        if row.target.runner != "sim":
            raise UsageError(f"{row.target.name} has no profile: it counts no cycles")
    bench = common.bench()
    bench.check(chosen)
    records: list[Record] = []
    costs: list[FunctionCost] = []
    lines: list[str] = []
    done = dict(bench.each(chosen, bench.profile))
    for index in range(len(chosen)):
        record, stacks = done[index]
        records.append(record)
        costs += functions(record, stacks)
        lines += collapsed(record, stacks)
    if common.format == "svg":
        emit(
            draw([(root(record), done[index][1]) for index, record in enumerate(records)]),
            common.path,
        )
    elif common.format == "collapsed":
        emit("".join(f"{line}\n" for line in lines), common.path)
    else:
        columns = [*map(Column, ("target", "library", "op", "function"))]
        columns += [Column(name, True) for name in ("self cycles", "%", "with callees")]
        cells: Cells = [
            [
                c.target,
                " ".join(filter(None, (c.library, c.preset))),
                c.op,
                c.function,
                grouped(c.self_cycles),
                f"{c.self_percent:.1f}",
                grouped(c.total_cycles),
            ]
            for c in costs
        ]
        common.print(costs, columns, cells, [])
    return verdict(records)
