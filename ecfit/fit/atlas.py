"""The atlas: configurations of a curve on a back end, with what each costs, measured beforehand.

A row is one image with all operations of its curve. Its bytes are kept by the operations that
reach them, so the flash of any set of operations follows: within 2.1 % of an image with that set
alone, cycles within 0.3 %, stacks exact. Cycles are of the core, without wait states. No figure of
the atlas is printed: `fit` finds by it what to measure (ecfit.fit.lookup). A curve is closed when
no single change of a row of its fronts is left to measure. An open one answers as well, and says
that a search may find better.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from ecfit.choices.curves import MESSAGE_OPS, NAMED, Curve, with_hashed
from ecfit.choices.knobs import CurveSlot, all_knobs, find_slot, resolve
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.fit.space import asked, in_effect
from ecfit.paths import DATA

SLACK = 1.03  # a row that is better by less in every figure adds nothing to a front
COARSER = 0.02  # what is added to that while there are more rows than
MOST_ROWS = 400
# The operation with rows that one without is most like.
_LIKE = {**NAMED, "sign_schnorr": "sign_message", "verify_schnorr": "verify_message"}
BURDENS = 3  # the place of the burdens in the figures of a row


class Entry(msgspec.Struct, frozen=True):
    """A row. `values`: of the knobs that have an effect on any operation; `flash`: bytes with all
    operations; `parts`: of these, by the operations that reach them (bit i is operation i of
    :func:`operations`); `cycles`, `stack` and `ram` (bytes) of each operation.
    """

    values: dict[str, str]
    flash: int
    parts: dict[int, int]
    cycles: tuple[int, ...]
    stack: tuple[int, ...]
    ram: tuple[int, ...]

    def flash_with(self, chosen: int) -> int:
        """Bytes of flash with these operations alone, as bits."""
        return self.flash - sum(size for mask, size in self.parts.items() if not mask & chosen)


class Chart(msgspec.Struct, frozen=True):
    """The rows of a curve on a back end, in columns. `knobs`: of each its values, and which a row
    has, from 1; 0: none. Sizes are in units of 4 bytes, cycles in hundreds. `left`: single changes
    of these rows that are not measured, 0 where the curve is closed. `made`: with which library.
    """

    knobs: dict[str, tuple[list[str], list[int]]]
    flash: list[int]
    parts: dict[int, list[int]]
    cycles: list[list[int]]  # of each operation
    stack: list[list[int]]
    ram: list[list[int]]
    left: int = 0
    made: str = ""

    @classmethod
    def of(cls, rows: Sequence[Entry], left: int = 0, made: str = "") -> Chart:
        """The chart of these rows, in an order that packs well."""
        names = sorted({name for row in rows for name in row.values})
        rows = sorted(rows, key=lambda row: [row.values.get(name, "") for name in names])
        knobs = {}
        for name in names:
            values = sorted({row.values[name] for row in rows if name in row.values})
            places = [
                values.index(row.values[name]) + 1 if name in row.values else 0 for row in rows
            ]
            knobs[name] = values, places
        masks = sorted({mask for row in rows for mask in row.parts})
        return cls(
            knobs,
            [row.flash // 4 for row in rows],
            {mask: [row.parts.get(mask, 0) // 4 for row in rows] for mask in masks},
            [
                [count // 100 for count in column]
                for column in zip(*(r.cycles for r in rows), strict=True)
            ],
            [
                [size // 4 for size in column]
                for column in zip(*(r.stack for r in rows), strict=True)
            ],
            [[size // 4 for size in column] for column in zip(*(r.ram for r in rows), strict=True)],
            left,
            made,
        )

    @property
    def rows(self) -> list[Entry]:
        """The rows."""
        return [
            Entry(
                {n: values[at[i] - 1] for n, (values, at) in self.knobs.items() if at[i]},
                4 * self.flash[i],
                {mask: 4 * sizes[i] for mask, sizes in self.parts.items() if sizes[i]},
                tuple(100 * column[i] for column in self.cycles),
                tuple(4 * column[i] for column in self.stack),
                tuple(4 * column[i] for column in self.ram),
            )
            for i in range(len(self.flash))
        ]


def file_of(backend: str) -> Path:
    """Where the charts of a back end are."""
    return DATA / "atlas" / f"{backend}.msgpack.xz"


def packed_file(charts: Mapping[str, Chart]) -> bytes:
    """The contents of such a file: the charts by curve."""
    return lzma.compress(msgspec.msgpack.encode(charts), preset=9)


@cache
def read_charts(backend: str) -> Mapping[str, Chart]:
    """The charts of a back end by curve: none where there is no file."""
    try:
        data = lzma.decompress(file_of(backend).read_bytes())
        return msgspec.msgpack.decode(data, type=dict[str, Chart])
    except (OSError, lzma.LZMAError, msgspec.MsgspecError):
        return {}


def operations(curve: Curve) -> tuple[str, ...]:
    """The operations of the rows of a curve: those that take a hash where there are both."""
    return tuple(op for op in curve.every_op if op not in (*MESSAGE_OPS, *NAMED))


def nearest(op: str) -> str:
    """The operation of the rows that one is most like: itself, or what it builds on."""
    return _LIKE.get(op, op)


def bits(curve: Curve, ops: Iterable[str]) -> int:
    """A set of operations as bits; those that no row has by what they build on."""
    rows = {*ops} if {*ops} <= {*operations(curve)} else {*with_hashed(ops), *map(nearest, ops)}
    return sum(1 << at for at, op in enumerate(operations(curve)) if op in rows)


def usual_sets(curve: Curve) -> list[tuple[str, ...]]:
    """The sets of operations that people ask for: a front is kept for each."""
    every = operations(curve)
    pairs = (("keygen", "ecdh"), ("keygen", "sign"), ("sign", "verify"))
    sets = [*((op,) for op in every), *(pair for pair in pairs if {*pair} <= {*every}), every]
    return list(dict.fromkeys(sets))


class Fronts:
    """Rows of which no other is as good in every figure, for each of the usual sets; the least of
    each figure, and at most MOST_ROWS. `backend`: where they are; `add` says whether a row is on a
    front now.
    """

    def __init__(self, curve: Curve, backend: str) -> None:
        self.curve, self.slot, self.sets = curve, find_slot(curve.name), usual_sets(curve)
        self.base = dict(resolve(curve, DEFAULT_PRESET, {}, backend).settings)
        self.fronts: list[dict[int, tuple[float, ...]]] = [{} for _ in self.sets]
        self.slack = SLACK

    def add(self, number: int, row: Entry) -> bool:
        """A row by its number. Returns whether it is on a front."""
        for ops, front in zip(self.sets, self.fronts, strict=True):
            self._take(front, number, self.figures(row, ops))
        while len(self.rows) > MOST_ROWS:
            self.slack += COARSER
            for front in self.fronts:
                before = dict(front)
                front.clear()
                for kept, figures in before.items():
                    self._take(front, kept, figures)
        return number in self.rows

    def _take(
        self, front: dict[int, tuple[float, ...]], number: int, mine: tuple[float, ...]
    ) -> None:
        if any(_beats(kept, mine, self.slack) for kept in front.values()):
            if any(_beats(kept, mine, 1.0) for kept in front.values()):
                return
            rivals = [kept for kept in front.values() if kept[BURDENS] <= mine[BURDENS]]
            if not any(
                all(kept[place] > figure for kept in rivals) for place, figure in enumerate(mine)
            ):
                return
        for beaten in [n for n, kept in front.items() if _beats(mine, kept, 1.0)]:
            del front[beaten]
        front[number] = mine

    @property
    def rows(self) -> dict[int, int]:
        """The numbers of the rows that are on a front, with on how many."""
        counts: dict[int, int] = {}
        for number in (number for front in self.fronts for number in front):
            counts[number] = counts.get(number, 0) + 1
        return counts

    def figures(self, row: Entry, ops: Sequence[str]) -> tuple[float, ...]:
        """What counts, all to be small: flash, stack, RAM, burdens and cycles."""
        places = [operations(self.curve).index(op) for op in ops]
        return (
            row.flash_with(bits(self.curve, ops)),
            max(row.stack[i] for i in places),
            max(row.ram[i] for i in places),
            1 + burdens(self.slot, {**self.base, **row.values}, ops),
            *(row.cycles[i] for i in places),
        )


def burdens(slot: CurveSlot, values: Mapping[str, str], ops: Sequence[str]) -> int:
    """How many of all settings of a curve ask something of the caller of these operations."""
    asking = values.items() & _asking()
    effective = in_effect(slot, values, ops) if asking else set()
    return sum(name in effective for name, _ in asking)


@cache
def _asking() -> frozenset[tuple[str, str]]:
    """The values of knobs that ask something of the caller."""
    every = ((name, value) for name, knob in all_knobs().items() for value in knob.choices)
    return frozenset((name, value) for name, value in every if asked(all_knobs()[name], value))


def _beats(a: Sequence[float], b: Sequence[float], slack: float) -> bool:
    return all(x <= y * slack for x, y in zip(a, b, strict=True))
