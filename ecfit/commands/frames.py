"""`profile --stack`: the functions on the deepest path of each operation, and what each takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import rows
from ecfit.errors import UsageError
from ecfit.measure.bench import Bench, Row
from ecfit.model import Frame, Record
from ecfit.show.layout import Cells, Column
from ecfit.units import grouped


class FrameCost(msgspec.Struct, frozen=True):
    """What one function on the deepest path takes of the stack, and the stack below it, in bytes.
    `stack_bytes`: what the run used."""

    library: str
    preset: str | None
    target: str
    curve: str
    op: str
    function: str
    frame_bytes: int
    depth_bytes: int
    stack_bytes: int | None


def frames(common: Common) -> int:
    """Measures each row and prints its deepest path. Errors: UsageError, MissingToolError."""
    if common.format not in ("table", "json", "csv", "md"):
        raise UsageError(f"--stack has no picture: leave out --format {common.format}")
    chosen = [row for row in rows(common.select()) if row.offered]
    bench = common.bench()
    bench.check(chosen)
    records: list[Record] = []
    costs: list[FrameCost] = []
    done = dict(bench.each(chosen, bench.measure))
    for index, row in enumerate(chosen):
        records.append(done[index])
        if done[index].status == "ok":
            costs += _costs(bench, row, done[index])
    columns = [*map(Column, ("target", "library", "op", "function"))]
    columns += [Column("frame B", True), Column("depth B", True)]
    cells: Cells = [
        [
            cost.target,
            " ".join(filter(None, (cost.library, cost.preset))),
            cost.op,
            cost.function,
            grouped(cost.frame_bytes),
            grouped(cost.depth_bytes),
        ]
        for cost in costs
    ]
    notes = [
        "depth: the bytes of stack down to and with this function, on the deepest path of the "
        "compiler's call graph"
    ]
    notes += [
        f"{record.op} on {record.target}: the run used {record.stack_bytes} bytes"
        + (f"; not in the graph: {record.static_stack_open}" if record.static_stack_open else "")
        for record in records
        if record.status == "ok"
    ]
    common.print(costs, columns, cells, notes)
    return verdict(records)


def _costs(bench: Bench, row: Row, record: Record) -> list[FrameCost]:
    """The frames of a row, outermost first."""
    costs, down = [], 0
    where = (record.library, record.preset, record.target, record.curve, record.op)
    for frame in path(bench.image(bench.request(row)).frames, f"bench_{row.op}"):
        down += frame.bytes
        costs.append(
            FrameCost(*where, frame.name.rpartition(":")[2], frame.bytes, down, record.stack_bytes)
        )
    return costs


def path(all_frames: Sequence[Frame], root: str) -> tuple[Frame, ...]:
    """The calls from `root` down to where the stack is deepest, as far as the compiler's call
    graph knows them (ecfit.build.stackbound); the sum of their bytes is the bound. Of two ways as
    deep the one with the first name in the alphabet. Empty when there is no call graph.
    """
    by_name = {frame.name: frame for frame in all_frames}
    if root not in by_name:
        return ()
    deepest: dict[str, tuple[Frame, ...]] = {}
    return _below(by_name, root, deepest, set())


def depth(frames: Sequence[Frame]) -> int:
    """The stack of such a path, in bytes."""
    return sum(frame.bytes for frame in frames)


def _below(
    by_name: Mapping[str, Frame], name: str, deepest: dict[str, tuple[Frame, ...]], above: set[str]
) -> tuple[Frame, ...]:
    if name in above:  # recursion: of which there is no bound
        return ()
    if name not in deepest:
        frame = by_name[name]
        inner = above | {name}
        ways = [_below(by_name, callee, deepest, inner) for callee in frame.calls]
        deepest[name] = (frame, *max(ways, key=depth, default=()))
    return deepest[name]
