"""What the page chooses from on every chip: the atlas in columns, the chips by name, and for each
kind of chip how its flash and core change the cycles of the atlas.

All figures of the atlas are predictions: the page says how far off times were, and with which
command they are measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ecfit.choices.chips import called, chips, target_of
from ecfit.choices.curves import CURVES, Curve
from ecfit.choices.knobs import all_knobs, find_slot
from ecfit.choices.targets import Target, all_targets
from ecfit.errors import UsageError
from ecfit.fit.atlas import Entry, bits, operations, read_charts
from ecfit.fit.climb import named
from ecfit.fit.question import Need, Question
from ecfit.fit.space import asked, in_effect
from ecfit.measure.battery import asleep_ua
from ecfit.model import Configuration
from ecfit.paths import ROOT

FACTORS = ROOT / "results" / "fit" / "chips.json"  # written by tools/atlas.py --chips
CHIPS = {  # that the rows of a back end were measured on
    "armv6m": "samd20",
    "armv7m": "cc2538",
    "armv7em": "nrf52840",
    "rv32im": "ibex",
    "avr": "atmega1284p",
}


CODE = (
    "BACKEND",
    "PRODUCT",
    "SQUARE",
    "FPU",
)  # on code of a kind, the flash of a chip weighs alike
Factors = dict[str, dict[str, tuple[float, float, float]]]


def code_of(values: Mapping[str, str]) -> str:
    """The kind of code that a row of the atlas is."""
    return " ".join(values.get(name, "-") for name in CODE)


class Columns(msgspec.Struct, frozen=True):
    """The rows of a curve on a back end. Operations are bits of `parts` and of `asks`.

    `labels`: preset and changes; `flash`: bytes with all operations, and in `parts` by mask those
    that only these operations reach; `cycles` without wait states, `stack` and `ram` in bytes, of
    each operation; `code`: of each row the number of its kind in `codes`; `asks`: of a row the
    number of a text and the operations that it is about; `fpu`: whether a row needs that unit;
    `left`: single changes that are not measured.
    """

    ops: tuple[str, ...]
    labels: list[str]
    flash: list[int]
    parts: dict[int, list[int]]
    cycles: list[list[int]]
    stack: list[list[int]]
    ram: list[list[int]]
    codes: list[str]
    code: list[int]
    asks: list[list[tuple[int, int]]]
    fpu: list[int]
    left: int


class Kind(msgspec.Struct, frozen=True, omit_defaults=True):
    """Chips that differ in memory alone. `like`: the target whose flash times them; `hz`: 0 where
    the clock is not known; `active`: milliamperes while it computes, `asleep`: microamperes, 0
    where not known; `error`: why nothing is known of them.
    """

    core: str
    backend: str = ""
    like: str = ""
    hz: int = 0
    fpu: bool = False
    error_class: str = ""
    active: float = 0
    asleep: float = 0
    error: str = ""


class Choices(msgspec.Struct, frozen=True):
    """All that the page chooses from. `chips`: of equal kind (its number), flash and RAM in bytes
    the names, with spaces between; `factors`: of a target, by a curve of each kind of field and by
    kind of code, the least, the median and the largest from cycles of the atlas to its own;
    `measured`: the chip of each back end.
    """

    made: str
    charts: dict[str, dict[str, Columns]]
    asks: list[str]
    kinds: list[Kind]
    chips: list[tuple[int, int, int, str]]
    factors: dict[str, Factors]
    measured: dict[str, str]


def choices() -> Choices:
    """What there is now."""
    asks: dict[str, int] = {}
    charts = {
        backend: {
            name: _columns(backend, CURVES[name], chart.rows, chart.left, asks)
            for name, chart in read_charts(backend).items()
        }
        for backend in CHIPS
    }
    kinds: dict[Kind, int] = {}
    groups: dict[tuple[int, int, int], list[str]] = {}
    for name, kind, flash, ram in _chips():
        group = kinds.setdefault(kind, len(kinds)), flash, ram
        groups.setdefault(group, []).append(name)
    factors = msgspec.json.decode(FACTORS.read_bytes(), type=dict[str, Factors])
    made = "; ".join(sorted({c.made for backend in CHIPS for c in read_charts(backend).values()}))
    together = [(*group, " ".join(names)) for group, names in groups.items()]
    return Choices(made, charts, list(asks), list(kinds), together, factors, CHIPS)


def _columns(
    backend: str, curve: Curve, rows: list[Entry], left: int, asks: dict[str, int]
) -> Columns:
    ops, slot = operations(curve), find_slot(curve.name)
    chip = all_targets()[CHIPS[backend]]
    question = Question(
        target=chip, mode=None, mode_name="zero-ws", needs=(Need(curve, ops),), limits=(),
        minimise="time", weights={}, use=None, sets={}, presets=(), libraries=("ecfit",),
        asking=True,
    )  # fmt: skip
    pairs = [(row, named(question, row.values, row.values)) for row in rows]
    resolved = [(row, configuration) for row, configuration in pairs if configuration]

    def burdens(configuration: Configuration) -> list[tuple[int, int]]:
        values, masks = dict(configuration.settings), dict[str, int]()
        for op in ops:
            for name in in_effect(slot, values, (op,)):
                if text := asked(all_knobs()[name], values[name]):
                    text = f"{name}={values[name]} asks for {text}"
                    masks[text] = masks.get(text, 0) | bits(curve, (op,))
        return [(asks.setdefault(text, len(asks)), mask) for text, mask in sorted(masks.items())]

    def unit(row: Entry) -> int:
        found = (all_knobs()[name].choices.get(value) for name, value in row.values.items())
        return int(any(choice.fpu for choice in found if choice))

    masks = sorted({mask for row, _ in resolved for mask in row.parts})

    def figures(name: str) -> list[list[int]]:
        return [[getattr(row, name)[at] for row, _ in resolved] for at in range(len(ops))]

    codes = sorted({code_of(row.values) for row, _ in resolved})
    return Columns(
        ops,
        [" ".join([c.preset or "", *c.changed]) for _, c in resolved],
        [row.flash for row, _ in resolved],
        {mask: [row.parts.get(mask, 0) for row, _ in resolved] for mask in masks},
        figures("cycles"),
        figures("stack"),
        figures("ram"),
        codes,
        [codes.index(code_of(row.values)) for row, _ in resolved],
        [burdens(configuration) for _, configuration in resolved],
        [unit(row) for row, _ in resolved],
        left,
    )


def _chips() -> Iterator[tuple[str, Kind, int, int]]:
    """Every chip by its name, with its flash and RAM in bytes."""
    targets = [target for target in all_targets().values() if target.runner == "sim"]
    taken = {name for target in targets for name in target.names}
    for target in targets:
        for name in target.names:
            yield name, _kind(target), *_sizes(target)
    for chip in chips():
        if chip.name.lower() in taken:
            continue
        flash, ram = (sum(size for _, size in spans) for spans in (chip.flash, chip.ram))
        try:
            target = target_of(chip)
        except UsageError as error:
            text = str(error).partition(": ")[2]
            yield chip.name.lower(), Kind(chip.arch, error=text), flash, ram
        else:
            yield chip.name.lower(), _kind(target), *_sizes(target)


def _kind(target: Target) -> Kind:
    active = target.power[0].milliamperes if target.power else 0
    mode = target.modes.get("datasheet")
    return Kind(
        called(target.core).removeprefix("a ").removeprefix("an "),
        target.backend,
        target.like or target.name,
        target.clock.hz if target.clock else 0,
        bool(target.fpu),
        mode.accuracy if mode else "",
        active,
        asleep_ua(target) or 0,
    )


def _sizes(target: Target) -> tuple[int, int]:
    flash, ram = (
        sum(m.size for m in target.memory if m.kind == kind and m.name != "harness")
        for kind in ("flash", "ram")
    )
    return flash, ram
