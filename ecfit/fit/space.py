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

from ecfit.choices.curves import HASHED, OPS, Curve, with_hashed
from ecfit.choices.knobs import (
    EXTRAS,
    NONE,
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
Rule = tuple[str, str, str, tuple[str, ...]]  # a knob with this value needs another to have one


class Candidate(msgspec.Struct, frozen=True):
    """A configuration to try, and its place among the others: one text for each axis
    (:func:`axes`), empty where the axis has no effect.
    """

    point: tuple[str, ...]
    base: Mapping[str, str]
    slots: Mapping[str, str]
    numbers: tuple[tuple[str, str], ...]

    @property
    def values(self) -> dict[str, str]:
        """All settings of the configuration."""
        return {**self.slots, **dict(self.numbers)}

    @property
    def changes(self) -> dict[str, str]:
        """The configuration as changes from the preset."""
        return {name: v for name, v in self.values.items() if v != self.base[name]}


def in_effect(slot: CurveSlot, values: Mapping[str, str], ops: Sequence[str]) -> set[str]:
    """The knobs that decide about these operations of a curve, with these values."""
    hashes, effective = hash_knobs(), set(_from_the_start(slot.name, with_hashed(ops)))
    waiting = sorted(effective)
    while waiting:
        knob = all_knobs()[waiting.pop()]
        if knob.kind == "slot":
            choice = knob.choices[values[knob.name]]
            used = {*choice.through, *({"HASH"} & set(choice.needs))}
            names = {needed_knob(name, slot) for name in used}
            more = {n for n in names if all_knobs()[n].concerns(slot) or n in hashes} - effective
            effective |= more
            waiting += sorted(more)
    return {name for name in effective if _used(all_knobs()[name], values, effective)}


@cache
def hash_knobs() -> frozenset[str]:
    """The knobs of the hashes that curves have."""
    return frozenset(slot.hash for slot in curve_slots() if slot.hash)


@cache
def _through() -> frozenset[str]:
    """The knobs that choices of others use."""
    choices = (choice for knob in all_knobs().values() for choice in knob.choices.values())
    return frozenset(name for choice in choices for name in choice.through)


@cache
def _from_the_start(curve: str, ops: tuple[str, ...]) -> frozenset[str]:
    """The knobs that decide about these operations, whatever the others are."""
    slot = find_slot(curve)
    names = {
        knob.name
        for knob in all_knobs().values()
        if (knob.scope == "global" or knob.concerns(slot))
        and knob.name not in hash_knobs()
        and knob.name not in EXTRAS
        and (knob.name.lower() in ops if knob.name in OPERATIONS else True)
        and (any(op in ops for op in knob.ops) if knob.ops else knob.name not in _through())
    }
    if slot.hash and (slot.family == "edwards" or {*HASHED} & {*ops}):
        names.add(slot.hash)  # a key is expanded by its hash, a message is hashed
    return frozenset(names)


def _used(knob: Knob, values: Mapping[str, str], effective: set[str]) -> bool:
    return all(user in effective and values[user] in users for user, users in knob.used_by.items())


def axes(knobs: Sequence[str]) -> list[tuple[str, ...]]:
    """Knobs that are varied together: those whose effects do not add up, with all that only some
    of their values use.
    """
    groups: dict[str, list[str]] = {}
    for name in knobs:
        owner = next((user for user in all_knobs()[name].used_by if user in knobs), name)
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
    there = [value for value in named if able(knob, value, target, slot)]
    return tuple(dict.fromkeys((base, *there))) if base in named or knob.search == () else (base,)


def asked(knob: Knob, value: str) -> str:
    """What a value asks of the caller; empty if nothing."""
    return knob.choices[value].asks if value in knob.choices else ""


def able(knob: Knob, value: str, target: Target, slot: CurveSlot) -> bool:
    """Whether the chip and the curve can have this value."""
    choice = knob.choices.get(value)
    if choice is None:
        return True
    return (
        (not choice.arch or target.arch in choice.arch)
        and (not choice.fpu or target.fpu != "")
        and slot.takes(choice)
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
    base = dict(resolve(curve, preset, {}, target.backend, several=several, ops=ops).settings)
    base |= {name: knobs[name].check(value) for name, value in fixed.items() if name in knobs}
    knobs_fixed = [name for name in fixed if name in knobs]
    tried = {
        name: (base[name],)
        if name in fixed
        else values_to_try(knobs[name], base[name], target, slot, several=several, asking=asking)
        for name in knobs
    }
    changing = [name for name, values in tried.items() if len(values) > 1]
    by_point: dict[tuple[str, ...], Candidate] = {}
    for values, active in _in_slots(slot, base, tried, knobs_fixed, ops):
        for point, digits in _in_numbers(axes(changing), tried, values, active):
            by_point.setdefault(point, Candidate(point, base, values, digits))
    first = next(iter(by_point.values()), None)
    if first is not None:  # what is wrong with a setting is the same for all
        resolve(curve, preset, {**sets, **first.changes}, target.backend, several=several, ops=ops)
    else:
        resolve(
            curve, preset, sets, target.backend, several=several, ops=ops
        )  # says what is wrong with it
        raise UsageError(f"{curve.name}: no configuration has these settings together")
    return list(by_point.values())


def _in_slots(
    slot: CurveSlot,
    base: Mapping[str, str],
    tried: Mapping[str, Sequence[str]],
    fixed: Iterable[str],
    ops: Sequence[str],
) -> Iterator[tuple[dict[str, str], frozenset[str]]]:
    """The valid settings of all slots, with the knobs that have an effect with them: each effect
    once.
    """
    knobs = all_knobs()
    names = [name for name, texts in tried.items() if len(texts) > 1 and not knobs[name].used_by]
    deciding = [name for name in names if _decides(knobs[name])]
    effects: dict[tuple[str, ...], frozenset[str]] = {}
    effects_seen = set()
    for values in _valid(slot, base, {name: tried[name] for name in names}, fixed):
        key = tuple(values[name] for name in deciding)
        if key not in effects:
            effects[key] = frozenset(in_effect(slot, values, ops))
        active = effects[key]
        effect = tuple(values[name] if name in active else "" for name in names)
        if effect not in effects_seen and _searched(values, active):
            effects_seen.add(effect)
            yield values, active


def _decides(knob: Knob) -> bool:
    """Whether its value decides which other knobs have an effect."""
    return any(choice.through or "HASH" in choice.needs for choice in knob.choices.values()) or any(
        knob.name in user.used_by for user in all_knobs().values()
    )


def _in_numbers(
    groups: Sequence[Sequence[str]],
    tried: Mapping[str, Sequence[str]],
    values: Mapping[str, str],
    active: frozenset[str],
) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """The points with these settings of the slots, each with its numbers; in the order of these."""
    texts, several = [""] * len(groups), []
    for at, group in enumerate(groups):
        used = [name for name in group if name in active]
        numbers = [name for name in used if all_knobs()[name].used_by]
        pairs = [f"{name}={values[name]}" for name in used if name not in numbers]
        texts[at] = " ".join(pairs)
        if numbers:
            several.append((at, used, numbers))
    order = list(tried)
    several.sort(key=lambda group: min(order.index(name) for name in group[2]))
    options = [
        [
            (" ".join(f"{name}={filled.get(name, values[name])}" for name in used), settings)
            for digits in product(*(tried[name] for name in numbers))
            for settings in [tuple(zip(numbers, digits, strict=True))]
            for filled in [dict(settings)]
        ]
        for _, used, numbers in several
    ]
    for chosen in product(*options):
        for (at, _, _), (text, _) in zip(several, chosen, strict=True):
            texts[at] = text
        yield tuple(texts), tuple(pair for _, settings in chosen for pair in settings)


def _mine(name: str, curve: Curve) -> bool:
    prefix = name.rpartition(".")[0]
    return not prefix or prefix == curve.name


def _searched(values: Mapping[str, str], active: Iterable[str]) -> bool:
    """Returns whether each choice has the other choices with which it is worth trying."""
    return all(
        values[partner] in allowed
        for name, beside in _beside().items()
        if name in active
        for partner, allowed in beside.get(values[name], {}).items()
    )


@cache
def _beside() -> dict[str, dict[str, dict[str, tuple[str, ...]]]]:
    """Of each knob the choices that are tried with some values of others only, and these."""
    by_knob = {}
    for knob in all_knobs().values():
        by_value = {value: choice.search for value, choice in knob.choices.items() if choice.search}
        if by_value:
            by_knob[knob.name] = by_value
    return by_knob


@cache
def _needs(curve: str) -> dict[tuple[str, str], list[tuple[str, tuple[str, ...]]]]:
    """What each value of each slot of a curve needs of others."""
    slot = find_slot(curve)
    return {
        (knob.name, value): [(needed_knob(n, slot), allowed) for n, allowed in choice.needs.items()]
        for knob in all_knobs().values()
        if knob.scope == "global" or knob.concerns(slot)
        for value, choice in knob.choices.items()
        if choice.needs
    }


def _valid(
    slot: CurveSlot,
    base: Mapping[str, str],
    tried: Mapping[str, Sequence[str]],
    fixed: Iterable[str],
) -> Iterator[dict[str, str]]:
    """The settings that go together, and with which those that are `fixed` have an effect;
    a contradiction ends them as soon as both its sides are chosen.
    """
    names = list(tried)
    place = {name: number for number, name in enumerate(names, start=1)}
    rules: list[list[Rule]] = [[] for _ in range(len(names) + 1)]
    for (name, value), pairs in _needs(slot.name).items():
        for partner, allowed in pairs:
            last = max(place.get(name, 0), place.get(partner, 0))
            rules[last].append((name, value, partner, allowed))
    for name in fixed:
        for partner, users in all_knobs()[name].used_by.items():
            rules[place.get(partner, 0)].append((name, base[name], partner, users))

    def below(values: dict[str, str], number: int) -> Iterator[dict[str, str]]:
        if any(
            values[a] == value and values[b] not in allowed_ones
            for a, value, b, allowed_ones in rules[number]
        ):
            return
        if number == len(names):
            yield values
            return
        for value in tried[names[number]]:
            yield from below({**values, names[number]: value}, number + 1)

    return below(dict(base), 0)


def untried(
    curve: Curve, target: Target, fixed: Iterable[str], *, several: bool = False, asking: bool
) -> Iterator[tuple[str, str]]:
    """Knobs and values that a curve could have here and that are not tried of themselves."""
    slot, base = find_slot(curve.name), dict(resolve(curve, None, {}, target.backend).settings)
    for name, knob in all_knobs().items():
        elsewhere = name in hash_knobs() and name != slot.hash
        if name in fixed or elsewhere or not (knob.scope == "global" or knob.concerns(slot)):
            continue
        tried = values_to_try(knob, base[name], target, slot, several=several, asking=asking)
        for value in knob.values:
            if value not in (*tried, NONE) and able(knob, value, target, slot):
                yield name, value


def varied(points: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A text for each varied knob: its values, in the order of the trials."""
    texts = dict.fromkeys(text for point in points for text in point)
    values_of: dict[str, dict[str, None]] = {}
    for pair in (pair for text in texts for pair in text.split()):
        values_of.setdefault(pair.partition("=")[0], {})[pair] = None
    yield from (" | ".join(values) for values in values_of.values() if len(values) > 1)
