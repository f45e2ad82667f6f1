"""The space of configurations around a preset: each value of each knob,
with as few other changes as it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ecfit.choices.curves import CURVES, Curve
from ecfit.choices.knobs import (
    CurveSlot,
    Knob,
    all_knobs,
    curve_slots,
    find_slot,
    needed_knob,
    resolve,
)
from ecfit.choices.targets import Target
from ecfit.errors import UsageError
from ecfit.model import Configuration

MOST_CHANGES = 6


class Variant(msgspec.Struct, frozen=True):
    """One value of a knob and the configuration it is judged against:
    the nearest valid one with another value.

    Where there is none that differs in this knob alone, that is the preset itself.
    """

    curve: Curve
    knob: str
    value: str
    configuration: Configuration
    base: Configuration


def variants(curve: Curve, preset: str, target: Target) -> Iterator[Variant]:
    """Each value of each knob that the preset does not have and the target can take, on this curve.

    Where the curve does not have the knob or the value: on the first that does.
    """
    backend = target.backend
    for knob in (knob for knob in all_knobs().values() if not knob.apart):
        for value in knob.values:
            choice = knob.choices.get(value)
            if choice and choice.arch and target.arch not in choice.arch:
                continue
            if choice and choice.fpu and not target.fpu:
                continue
            for slot in _slots_for(knob, curve):
                variant = _variant(CURVES[slot.name], preset, backend, knob.name, value)
                if variant is not None:
                    unchanged = resolve(variant.curve, preset, {}, backend)
                    if (knob.name, value) not in unchanged.settings:
                        yield variant
                    break


def _slots_for(knob: Knob, curve: Curve) -> list[CurveSlot]:
    """The curves to try a knob on, `curve` first; a hash is tried on curves that use it."""
    hashes = {slot.hash for slot in curve_slots()}
    slots = [find_slot(curve.name), *(slot for slot in curve_slots() if not slot.legacy)]
    if knob.name in hashes:
        return [slot for slot in slots if slot.hash == knob.name] + slots[:1]
    return [slot for slot in slots if knob.scope == "global" or knob.concerns(slot)]


def _variant(curve: Curve, preset: str, backend: str, knob: str, value: str) -> Variant | None:
    sets = nearest(curve, preset, backend, {knob: value})
    if sets is None:
        return None
    configuration = resolve(curve, preset, sets, backend)
    others = {name: setting for name, setting in sets.items() if name != knob}
    around = nearest(curve, preset, backend, others)
    base = resolve(curve, preset, around if around is not None else {}, backend)
    if base.key == configuration.key:
        base = resolve(curve, preset, {}, backend)
    return Variant(curve, knob, value, configuration, base)


def nearest(
    curve: Curve, preset: str, backend: str, sets: Mapping[str, str]
) -> dict[str, str] | None:
    """`sets` and the fewest further settings that make a valid configuration;
    None when there are none.
    """
    waiting, done = [dict(sets)], set()
    while waiting:
        tried = waiting.pop(0)
        key = tuple(sorted(tried.items()))
        if key in done:
            continue
        done.add(key)
        try:
            resolve(curve, preset, tried, backend)
            return tried
        except UsageError:
            if len(tried) < len(sets) + MOST_CHANGES:
                waiting += [
                    {**tried, **change}
                    for change in _repairs(find_slot(curve.name), preset, backend, tried)
                ]
    return None


def _repairs(
    slot: CurveSlot, preset: str, backend: str, sets: Mapping[str, str]
) -> list[dict[str, str]]:
    """Single settings that could mend the first contradiction: of the knob that is needed,
    or of the one that needs.
    """
    values = {**dict(resolve(CURVES[slot.name], preset, {}, backend).settings), **sets}
    for name, value in values.items():
        knob = all_knobs()[name]
        if knob.scope == "curve" and not knob.concerns(slot):
            continue
        needs = knob.choices[value].needs if knob.kind == "slot" and value in knob.choices else {}
        if knob.kind == "number" and name in sets:
            needs = knob.used_by
        for needed, allowed in needs.items():
            partner = needed_knob(needed, slot)
            if values[partner] not in allowed:
                mend = (
                    []
                    if partner in sets
                    else [{partner: v} for v in allowed if v in all_knobs()[partner].values]
                )
                return mend + (
                    [] if name in sets else [{name: v} for v in knob.values if v != value]
                )
    return []
