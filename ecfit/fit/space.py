"""The configurations of a curve that a fit tries, each once: knobs without an effect on the
operations needed are not varied.

Everything comes from lib/knobs.toml: choices, needs, used_by, family, instead, and for this alone
ops, through, search and asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

import msgspec

from ecfit.choices.curves import OPS, Curve
from ecfit.choices.knobs import (
    EXTRAS,
    CurveSlot,
    Knob,
    all_knobs,
    curve_slots,
    find_slot,
    needed_knob,
    resolve,
)
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.choices.targets import Target
from ecfit.errors import UsageError

OPERATIONS = tuple(op.upper() for op in OPS)  # the knobs of these names


class Candidate(msgspec.Struct, frozen=True):
    """A configuration to try, as changes from the preset, and its place among the others:
    one text for each axis (:func:`axes`), empty where the axis has no effect.
    """

    changes: dict[str, str]
    point: tuple[str, ...]


def in_effect(slot: CurveSlot, values: Mapping[str, str], ops: Sequence[str]) -> set[str]:
    """The knobs that decide about these operations of a curve, with these values."""
    hashes, found = _hashes(), set(_from_the_start(slot.name, tuple(ops)))
    waiting = sorted(found)
    while waiting:
        knob = all_knobs()[waiting.pop()]
        if knob.kind == "slot":
            choice = knob.choices[values[knob.name]]
            used = {*choice.through, *({"HASH"} & set(choice.needs))}
            names = {needed_knob(name, slot) for name in used}
            more = {n for n in names if all_knobs()[n].concerns(slot) or n in hashes} - found
            found |= more
            waiting += sorted(more)
    return {name for name in found if _used(all_knobs()[name], values, found)}


@cache
def _hashes() -> frozenset[str | None]:
    return frozenset(other.hash for other in curve_slots())


@cache
def _from_the_start(curve: str, ops: tuple[str, ...]) -> frozenset[str]:
    """The knobs that decide about these operations, whatever the others are."""
    slot = find_slot(curve)
    found = {
        knob.name
        for knob in all_knobs().values()
        if (knob.scope == "global" or knob.concerns(slot))
        and knob.name not in _hashes()
        and knob.name not in EXTRAS
        and (knob.name.lower() in ops if knob.name in OPERATIONS else True)
        and (not knob.ops or any(op in ops for op in knob.ops))
    }
    if slot.family == "edwards" and slot.hash:
        found.add(slot.hash)  # a key is expanded by its hash
    return frozenset(found)


def _used(knob: Knob, values: Mapping[str, str], found: set[str]) -> bool:
    return all(other in found and values[other] in users for other, users in knob.used_by.items())


def axes(knobs: Sequence[str]) -> list[tuple[str, ...]]:
    """Knobs that are varied together: those whose effects do not add up, with all that only some
    of their values use.
    """
    groups: dict[str, list[str]] = {}
    for name in knobs:
        owner = next((other for other in all_knobs()[name].used_by if other in knobs), name)
        groups.setdefault(all_knobs()[owner].axis or owner, []).append(name)
    return [tuple(group) for group in groups.values()]


def values_to_try(
    knob: Knob,
    base: str,
    target: Target,
    slot: CurveSlot,
    *,
    several: bool = False,
    asking: bool = False,
) -> tuple[str, ...]:
    """The values of a knob that are tried where none is set, that of the preset first.

    `asking`: those that ask something of the caller as well.
    """
    if knob.name in (*OPERATIONS, *EXTRAS) or not (knob.scope == "global" or knob.concerns(slot)):
        return (base,)
    named = tuple(map(str, knob.search)) or tuple(
        value
        for value in knob.values
        if not knob.bought(value) or (several and knob.name == "INSTANCE")
    )
    if knob.bought(base) and not knob.search:  # the preset has it for more than bytes and cycles
        named = (base,)
    if knob.name == "BACKEND":  # which ones are constant-time on its core, the target says
        return (base,)
    if asking:
        named += tuple(value for value, choice in knob.choices.items() if choice.asks)
    able = [value for value in named if _able(knob, value, target, slot)]
    return tuple(dict.fromkeys((base, *able))) if base in named or knob.search == () else (base,)


def _able(knob: Knob, value: str, target: Target, slot: CurveSlot) -> bool:
    choice = knob.choices.get(value)
    if choice is None:
        return True
    return (
        (not choice.arch or target.arch in choice.arch)
        and (not choice.family or slot.family in choice.family)
        and value not in slot.instead.get(knob.name, {})
    )


def candidates(
    curve: Curve,
    ops: Sequence[str],
    target: Target,
    sets: Mapping[str, str],
    *,
    preset: str = DEFAULT_PRESET,
    several: bool = False,
    asking: bool = False,
) -> list[Candidate]:
    """All that are tried for these operations, the preset (with `sets`) first where it is valid.

    `sets`: fixed, KNOB or CURVE.KNOB. Errors: UsageError when none of them is valid.
    """
    slot, knobs = find_slot(curve.name), all_knobs()
    fixed = {n.rpartition(".")[2].upper(): v for n, v in sets.items() if _mine(n, curve)}
    base = dict(resolve(curve, preset, {}, target.backend, several=several).settings)
    base |= {name: knobs[name].check(value) for name, value in fixed.items() if name in knobs}
    known = [name for name in fixed if name in knobs]
    tried = {
        name: (base[name],)
        if name in fixed
        else values_to_try(knobs[name], base[name], target, slot, several=several, asking=asking)
        for name in knobs
    }
    changing = [name for name, values in tried.items() if len(values) > 1]
    slots = [name for name in changing if not knobs[name].used_by]
    groups = axes(changing)
    numbers = [name for name in changing if name not in slots]
    found: dict[tuple[str, ...], Candidate] = {}
    for chosen in product(*(tried[name] for name in slots)):
        values = base | dict(zip(slots, chosen, strict=True))
        if not _valid(curve, values, known):
            continue
        active = in_effect(slot, values, ops)
        if not _searched(values, active):
            continue
        used = [name for name in numbers if name in active]
        for digits in product(*(tried[name] for name in used)):
            filled = values | dict(zip(used, digits, strict=True))
            point = tuple(
                " ".join(f"{name}={filled[name]}" for name in group if name in active)
                for group in groups
            )
            if point not in found:
                found[point] = Candidate(_changes(base, filled), point)
    first = next(iter(found.values()), None)
    if first is not None:  # what is wrong with a setting is the same for all
        resolve(curve, preset, {**sets, **first.changes}, target.backend, several=several)
    else:
        resolve(curve, preset, sets, target.backend, several=several)  # says what is wrong with it
        raise UsageError(f"{curve.name}: no configuration has these settings together")
    return list(found.values())


def _mine(name: str, curve: Curve) -> bool:
    prefix = name.rpartition(".")[0]
    return not prefix or prefix == curve.name


def _searched(values: Mapping[str, str], active: set[str]) -> bool:
    """Whether each choice stands beside those with which it is worth trying."""
    return all(
        values[other] in allowed
        for name in active
        if all_knobs()[name].kind == "slot"
        for other, allowed in all_knobs()[name].choices[values[name]].search.items()
    )


def _changes(base: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value != base[name]}


@cache
def _needs(curve: str) -> dict[tuple[str, str], list[tuple[str, tuple[str, ...]]]]:
    """What each value of each slot of a curve needs of others."""
    slot = find_slot(curve)
    return {
        (knob.name, value): [(needed_knob(n, slot), some) for n, some in choice.needs.items()]
        for knob in all_knobs().values()
        if knob.scope == "global" or knob.concerns(slot)
        for value, choice in knob.choices.items()
        if choice.needs
    }


def _valid(curve: Curve, values: Mapping[str, str], fixed: Iterable[str]) -> bool:
    """Whether these settings go together, and those that are `fixed` have an effect."""
    needs = _needs(curve.name)
    return all(
        values[other] in allowed
        for pair in values.items()
        for other, allowed in needs.get(pair, ())
    ) and all(
        values[other] in users
        for name in fixed
        for other, users in all_knobs()[name].used_by.items()
    )


def varied(points: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """What is varied, a text for each knob: its values in the order in which they are tried."""
    found: dict[str, dict[str, None]] = {}
    for point in points:
        for pair in " ".join(point).split():
            found.setdefault(pair.partition("=")[0], {})[pair] = None
    yield from (" | ".join(values) for values in found.values() if len(values) > 1)
