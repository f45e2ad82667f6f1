"""A configuration header read back: which curves, operations and settings it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

import msgspec

from ecfit.choices import knobs
from ecfit.choices.curves import BASE, CURVES, HASHED, OPS
from ecfit.choices.presets import Place, all_presets
from ecfit.errors import UsageError

KEEP = "ECFIT_KEEP_"  # and the knob of a hash: an amalgam has it though nothing uses it
LARGEST = 1 << 20  # bytes of a header: with all curves it has some 60 kB
_DEFINE = re.compile(r"^#define (\w+) (\S+)", re.MULTILINE)


class Asked(msgspec.Struct, frozen=True):
    """What a command line would say to get this header. `hashing`: the operations that it
    has on messages, and those that are to be named; `idle`: macros of settings that have no effect
    beside the others.
    """

    curves: tuple[str, ...]
    ops: tuple[str, ...]
    hashing: tuple[str, ...]
    preset: str
    sets: tuple[str, ...]
    idle: frozenset[str]
    macros: frozenset[tuple[str, str]]

    def is_as(self, text: str) -> bool:
        """Whether another header asks for the same."""
        macros = frozenset(_DEFINE.findall(text))
        return all(name in self.idle for name, _ in self.macros ^ macros)


def read(text: str, name: str) -> Asked:
    """What a header asks for: the preset that it is nearest to, and what differs.

    Errors: UsageError where it is not one of `ecfit config`.
    """
    if re.search(r"^#\s*(if|elif|else)\b(?!ndef ECFIT_CONFIG_H)", text, re.MULTILINE):
        raise UsageError(
            f"{name} decides by the compiler (#if): write one for a chip with 'ecfit config'"
        )
    macros = dict(_DEFINE.findall(text))
    curves = [s for s in knobs.curve_slots() if macros.get(f"{s.macro}_ENABLED") == "1"]
    if not curves:
        raise UsageError(f"{name} is no configuration header: write one with 'ecfit config'")
    every = list(knobs.all_knobs().values())
    values = {
        slot.name: {
            knob.name: _value(knob, macros, None if knob.scope == "global" else slot.name, name)
            for knob in every
            if knob.scope == "global" or knob.concerns(slot)
        }
        for slot in curves
    }
    there = {
        op for s in curves for op in CURVES[s.name].ops if values[s.name][op.upper()] != knobs.NONE
    }
    kept = tuple(
        f"{name.removeprefix(KEEP)}={next(iter(values.values()))[name.removeprefix(KEEP)]}"
        for name in macros
        if name.startswith(KEEP)
    )
    sets = {preset: _sets(values, preset) for preset in all_presets()}
    # Presets that agree in this place: the smaller kind, tiny before lowram.
    preset = min(reversed(list(sets)), key=lambda preset: len(sets[preset]))
    idle = {
        knobs.macros(knob, "", None if knob.scope == "global" else slot.name)[-1][0]
        for slot in curves
        for knob in every
        if knob.kind == "number"
        and knob.name in values[slot.name]
        and _idle(knob, values[slot.name])
    }
    return Asked(
        tuple(slot.name for slot in curves),
        tuple(op for op in OPS if op in there),
        tuple(op for op in BASE if any(_hashes(s, op, macros) for s in curves)),
        preset,
        tuple(dict.fromkeys((*sets[preset], *kept))),
        frozenset(idle),
        frozenset(macros.items()),
    )


def _hashes(slot: knobs.CurveSlot, op: str, macros: Mapping[str, str]) -> bool:
    file = macros.get(f"ECFIT_{slot.name.upper()}_{op.upper()}", knobs.NO_FUNCTION)
    has_hash = op not in HASHED or macros.get(f"ECFIT_{slot.hash}_IS_NONE") != "1"
    return file != knobs.NO_FUNCTION and has_hash


def _value(knob: knobs.Knob, macros: Mapping[str, str], curve: str | None, name: str) -> str:
    for value in knob.values:
        macro, text = knobs.macros(knob, value, curve)[-1]
        if macros.get(macro) == text:
            return value
    raise UsageError(f"{name} does not say {knob.name}: write it anew with 'ecfit config'")


def _idle(knob: knobs.Knob, values: Mapping[str, str]) -> bool:
    return any(values.get(owner) not in users for owner, users in knob.used_by.items())


def _sets(values: Mapping[str, Mapping[str, str]], preset: str) -> tuple[str, ...]:
    """The settings that differ from a preset, as --set takes them."""
    several, settings = len(values) > 1, []
    usual = _usual(values, preset)
    for curve, own in values.items():
        for name, value in own.items():
            knob = knobs.all_knobs()[name]
            left_out = name in {op.upper() for op in OPS} and value == knobs.NONE
            left_out = left_out or (name in knobs.EXTRAS and value == _without(knob))
            differs = value != usual[curve][name] and not _idle(knob, own) and not left_out
            if name == "BACKEND" or differs:
                prefix = f"{curve}." if several and knob.scope == "curve" else ""
                settings.append(f"{prefix}{name}={value}")
    return tuple(dict.fromkeys(settings))


def _usual(values: Mapping[str, Mapping[str, str]], preset: str) -> Mapping[str, Mapping[str, str]]:
    """What the preset has for each of these curves, with one value for a global knob."""
    slots = [knobs.find_slot(curve) for curve in values]
    many = [slot.family for slot in slots].count("weierstrass") > 1
    by_curve = {}
    for slot in slots:
        own = values[slot.name]
        ops = frozenset(op for op in CURVES[slot.name].ops if own[op.upper()] != knobs.NONE)
        place = Place(slot.name, slot.family, slot.bits, own["BACKEND"], ops, many)
        chosen = all_presets()[preset].chosen(place, {}, partial(knobs.needed, slot))
        usual = {knob.name: str(knob.default) for knob in knobs.all_knobs().values()}
        usual |= {name.upper(): str(value) for name, value in chosen.items()}
        by_curve[slot.name] = slot.fitted(usual)
    shared = knobs.agreed(by_curve)
    return {curve: usual | shared for curve, usual in by_curve.items()}


def _without(knob: knobs.Knob) -> str:
    return knobs.NONE if knobs.NONE in knob.choices else str(knob.default)
