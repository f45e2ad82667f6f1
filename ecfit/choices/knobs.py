"""Knobs: the one declaration lib/knobs.toml, and what follows from it.

A configuration is resolved (default, then the target's backend, then the preset,
then --set), validated, and turned into the header that the library is compiled with.
The texts that are generated from the declaration alone are in knobdocs.py (docs/knobs.md) and
checks.py (ecfit_config_check.h).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Literal

import msgspec

from ecfit.choices.curves import (
    BASE,
    CURVES,
    EVERY_OP,
    HASHED,
    HASHING,
    NAMED,
    OPS,
    SCHNORR,
    SPAKE2P,
    Curve,
    with_hashed,
)
from ecfit.choices.leaves import leaf_lines, leaves_of
from ecfit.choices.presets import DEFAULT_PRESET, Place, all_presets, find_preset
from ecfit.errors import UsageError, unknown_name
from ecfit.model import Configuration
from ecfit.paths import LIB

LIBRARY = "ecfit"
NONE = "none"
OTHERS = {"weierstrass": ("_X", "_ED"), "edwards": ("_X",)}  # endings of other families' macros
NO_FUNCTION = '"none.h"'
_TITLE = "/* ecfit_config.h - which files fill the slots, and the numbers. "
_TITLE += "Generated from lib/knobs.toml. */"
EXTRAS = ["COMPRESS", "DER", "RESUME", "WORK", "STATUS_TEXT", "HASH_STREAM"]  # no operation calls


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value of a slot: macros of files, needed values of other knobs, families or curves.

    `buys`: what it is for where that is neither bytes nor cycles, or not on every core or curve.
    `asks`: what it asks of the caller; `ecfit fit` tries it where nothing else is left.
    `through`: knobs that it uses; `search`: it is tried only with these values of others.
    `arch`: where it can be built; empty, anywhere. `fpu`: it needs such a unit. `formerly`: before.
    """

    help: str
    macros: dict[str, str] = {}
    needs: dict[str, tuple[str, ...]] = {}
    family: tuple[str, ...] = ()
    buys: str = ""
    asks: str = ""
    through: tuple[str, ...] = ()
    search: dict[str, tuple[str, ...]] = {}
    arch: tuple[str, ...] = ()
    fpu: bool = False
    formerly: tuple[str, ...] = ()


class Knob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A slot (which file) or a number (how much), for the library or for each curve.

    `buys`: the purpose of a number's value that no figure shows. `ops`: what uses it; empty, all,
    or the operations of choices `through` it; `apart`: none. `search`: the values that `ecfit fit`
    tries; `axis`: it varies those of one axis together. `gone`: a former value, and its successor.
    """

    name: str
    scope: Literal["global", "curve"]
    kind: Literal["slot", "number"]
    default: str | int
    spends: str
    help: str
    choices: dict[str, Choice] = {}
    min: int = 0
    max: int = 0
    macro: str | None = None
    used_by: dict[str, tuple[str, ...]] = {}
    buys: dict[str, str] = {}
    family: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()
    search: tuple[str | int, ...] = ()
    axis: str = ""
    apart: bool = False
    gone: dict[str, str] = {}

    def concerns(self, slot: CurveSlot) -> bool:
        """Whether the curve has this knob: those of a curve belong to families of curves."""
        return self.scope == "curve" and (not self.family or slot.family in self.family)

    @property
    def values(self) -> tuple[str, ...]:
        """Every value that this knob can have."""
        if self.kind == "slot":
            return tuple(self.choices)
        between = (str(value) for value in range(self.min, self.max + 1))
        return tuple(value for value in between if value not in self.gone)

    def bought(self, value: str) -> str:
        """The purpose of a value besides bytes and cycles; empty if it has no other."""
        return self.choices[value].buys if value in self.choices else self.buys.get(value, "")

    @property
    def range_text(self) -> str:
        """The values, as a text for messages and tables."""
        gaps = self.kind == "slot" or len(self.values) <= int(self.values[-1]) - int(self.values[0])
        return ", ".join(self.values) if gaps else f"{self.min} to {self.max}"

    def gone_text(self, value: str) -> str:
        """What a message says of a value of an earlier version."""
        return f"{value} is gone: {self.gone[value]}"

    def _names(self) -> dict[str, str]:
        """Each choice by its name and its former names, in small letters."""
        former = {
            old.lower(): name for name, choice in self.choices.items() for old in choice.formerly
        }
        return former | {name.lower(): name for name in self.choices}

    def check(self, value: str) -> str:
        """The value in its canonical form. Errors: UsageError."""
        if value.lower() in self.gone:
            raise UsageError(f"{self.name}: {self.gone_text(value.lower())}")
        if self.kind == "slot":
            name = self._names().get(value.lower())
            if name is None:
                raise unknown_name(f"value of {self.name}", value, self.choices)
            return name
        try:
            number = int(value)
        except ValueError:
            raise UsageError(f"{self.name} is a number, {self.range_text}, not '{value}'") from None
        if str(number) not in self.values:
            raise UsageError(
                f"{self.name} is {self.range_text}, not {number} (it spends {self.spends})"
            )
        return str(number)


class CurveSlot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A curve of the library: how its macros begin, the bits of the words
    that hold its numbers.

    family: which knobs it has; hash: the knob of its hash; legacy: below 112 bits, in no preset;
    instead: knob, value, and the value that stands in for it where a preset asks for it.
    """

    name: str
    bits: int
    macro: str
    family: str = "weierstrass"
    hash: str | None = None
    legacy: bool = False
    instead: dict[str, dict[str, str]] = {}

    def takes(self, choice: Choice) -> bool:
        return not choice.family or bool({self.family, self.name} & {*choice.family})

    def fitted(self, values: Mapping[str, str]) -> dict[str, str]:
        """The values, with those that this curve has no file for replaced."""
        return {
            name: self.instead.get(name, {}).get(value, value) for name, value in values.items()
        }


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    core: tuple[object, ...]  # ecfit.choices.targets
    curve: tuple[CurveSlot, ...]
    knob: tuple[Knob, ...]


@cache
def _declared() -> _File:
    try:
        return msgspec.toml.decode((LIB / "knobs.toml").read_bytes(), type=_File)
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"lib/knobs.toml: {error}") from None


@cache
def library_knobs() -> Mapping[str, Knob]:
    """Every knob by name, in the order of the declaration. Errors: UsageError."""
    return {knob.name: knob for knob in _declared().knob}


_EXTENDED: list[Mapping[str, Knob]] = []


def all_knobs() -> Mapping[str, Knob]:
    """The same; within `extended`, those that it was given. Errors: UsageError."""
    return _EXTENDED[-1] if _EXTENDED else library_knobs()


@contextmanager
def extended(knobs: Mapping[str, Knob]) -> Iterator[None]:
    """Within it, in every thread, these are the knobs: the library's with more values."""
    _EXTENDED.append(knobs)
    try:
        yield
    finally:
        _EXTENDED.pop()


def are_extended() -> bool:
    """Whether this is within `extended`."""
    return bool(_EXTENDED)


def curve_slots() -> tuple[CurveSlot, ...]:
    """The curves of the library. Errors: UsageError."""
    return _declared().curve


def find_slot(curve: str) -> CurveSlot:
    """The declaration of a curve. Errors: UsageError when the library does not have it."""
    if declared := {slot.name: slot for slot in curve_slots()}.get(curve):
        return declared
    raise unknown_name("curve of ecfit", curve, [slot.name for slot in curve_slots()])


def _find_knob(name: str) -> Knob:
    if knob := all_knobs().get(name.upper()):
        return knob
    raise unknown_name("knob", name, all_knobs())


def resolve(
    curve: Curve,
    preset: str | None,
    sets: Mapping[str, str],
    backend: str,
    *,
    several: bool = False,
    ops: Iterable[str] = (),
) -> Configuration:
    """The configuration of one curve, alone in its image or not (`several`). Errors: UsageError.

    `sets`: KNOB or CURVE.KNOB to value, as the user gave them; of another curve: ignored here, so
    that one command line can configure several curves. `ops`: of the image; empty, all.
    """
    name = find_preset(preset or DEFAULT_PRESET)
    values = {knob.name: str(knob.default) for knob in all_knobs().values()}
    values["BACKEND"] = _find_knob("BACKEND").check(backend)
    slot = find_slot(curve.name)
    chosen = _chosen(slot, sets)
    backend = chosen.get("BACKEND", values["BACKEND"])
    place = Place(slot.name, slot.family, slot.bits, backend, curve.among(ops), several)
    asked = all_presets()[name].chosen(place, chosen, partial(needed, slot))
    values |= {knob: _find_knob(knob).check(str(value)) for knob, value in asked.items()}
    before = slot.fitted(values)
    hashing = slot.hash if slot.family == "weierstrass" and {*HASHED} & {*ops} else None
    own = {hashing: "own"} if hashing and before[hashing] == NONE else {}
    apart = [op for op in ops if op in NAMED]
    if apart and before.get("INSTANCE") == "shared":
        own |= {"INSTANCE": "own"}
    values = before | own | chosen
    _check_named(apart, values)
    if hashing and values[hashing] == NONE:
        raise UsageError(f"an operation on messages needs a hash, not {hashing}={NONE}")
    _check_combination(slot, values, chosen)
    changed = tuple(f"{name}={v}" for name, v in sorted(values.items()) if before[name] != v)
    return Configuration(LIBRARY, name, tuple(sorted(values.items())), changed)


_APART = {  # settings that an operation does not go with; of others, an instance for several
    "verify_parts": (("SHA512", "caller"), ("SHAKE256", "caller")),
    "sign_parts": (("SHA512", "caller"), ("SHAKE256", "caller"), ("CHECK", "verify")),
    "sign_schnorr": (("INSTANCE", "shared"), ("CHECK", "verify")),
}


def _check_named(ops: Iterable[str], values: Mapping[str, str]) -> None:
    """Refuses what operations that are to be named cannot be built with. Errors: UsageError."""
    for op in ops:
        for name, value in _APART.get(op, (("INSTANCE", "shared"),)):
            if values.get(name) == value:
                raise UsageError(f"{op} does not go with {name}={value}: leave that setting out")


def needed(slot: CurveSlot, name: str, value: str) -> dict[str, tuple[str, ...]]:
    choice = all_knobs()[name].choices.get(value)
    needs = choice.needs if choice else all_knobs()[name].used_by
    return {needed_knob(partner, slot): allowed for partner, allowed in needs.items()}


def _chosen(slot: CurveSlot, sets: Mapping[str, str]) -> dict[str, str]:
    """The settings that concern this curve, checked. Errors: UsageError."""
    chosen = {}
    for full_name, value in sets.items():
        prefix, _, knob_name = full_name.rpartition(".")
        knob = _find_knob(knob_name)
        checked = knob.check(value)
        if prefix and knob.scope == "global":
            raise UsageError(f"{knob.name} holds for the whole library: set it without '{prefix}.'")
        if prefix and prefix != slot.name:
            continue
        if knob.scope == "curve" and not knob.concerns(slot):
            raise UsageError(
                f"{slot.name} has no {knob.name}: it is for {' and '.join(knob.family)} curves"
            )
        if knob.kind == "slot" and not slot.takes(choice := knob.choices[checked]):
            able = " and ".join(choice.family)
            raise UsageError(f"{slot.name} has no {knob.name}={checked}: it is for {able} curves")
        if instead := slot.instead.get(knob.name, {}).get(checked):
            raise UsageError(f"{slot.name} has no {knob.name}={checked}, it takes {instead}")
        chosen[knob.name] = checked
    return chosen


def _check_combination(slot: CurveSlot, values: Mapping[str, str], chosen: Iterable[str]) -> None:
    """Refuses choices that do not go together, and settings without effect. Errors: UsageError."""
    for name, value in values.items():
        knob = all_knobs()[name]
        if knob.choices and (knob.scope == "global" or knob.concerns(slot)):
            for partner, allowed in needed(slot, name, value).items():
                offered = [choice for choice in allowed if choice in all_knobs()[partner].values]
                if values[partner] not in offered:
                    raise UsageError(
                        f"{name}={value} needs {partner}={' or '.join(offered)}, "
                        f"not {values[partner]}"
                    )
    for name in chosen:
        for partner, users in all_knobs()[name].used_by.items():
            if values[partner] not in users:
                choices = all_knobs()[partner].choices
                able = [of for of in users if slot.takes(choices[of])]
                raise UsageError(
                    f"{slot.name}: {name} has no effect with {partner}={values[partner]}: "
                    f"it needs {' or '.join(able)}"
                )


def needed_knob(name: str, slot: CurveSlot) -> str:
    """The knob that a `needs` names: HASH is that of the curve."""
    return slot.hash or name if name == "HASH" else name


def _others_own(curve: str) -> tuple[str, ...]:
    """The endings of macros of operations that only another curve has."""
    own = CURVES[curve].every_op if curve in CURVES else ()
    return tuple(f"_{op.upper()}" for op in (*SCHNORR, *SPAKE2P) if op not in own)


def macros(knob: Knob, value: str, curve: str | None) -> list[tuple[str, str]]:
    """The macros of a value: of a slot the files and a flag NAME_IS_VALUE, of a number itself."""
    capitals, lower = (curve or "").upper(), curve or ""
    name = f"ECFIT_{capitals}_{knob.name}" if curve else f"ECFIT_{knob.name}"
    if knob.kind == "number":
        return [((knob.macro or name).replace("{CURVE}", capitals), value)]
    taken = {leaf.macro for leaf in leaves_of(lower)}
    family = next((slot.family for slot in curve_slots() if slot.name == lower), "weierstrass")
    named = [
        (macro.replace("{CURVE}", capitals), f'"{file.replace("{curve}", lower)}"')
        for macro, file in knob.choices[value].macros.items()
        if macro not in taken and not macro.endswith((*OTHERS.get(family, ()), *_others_own(lower)))
    ]
    return [*named, (f"{name}_IS_{value.upper()}", "1")]


def header(
    configuration: Configuration,
    curves: Sequence[str],
    ops: Iterable[str] = EVERY_OP,
    *,
    extras: bool = True,
    more: Mapping[str, Configuration] | None = None,
) -> str:
    """The text of ecfit_config.h: these settings for these curves, with operations `ops` alone.

    `extras` False drops what no operation of the bench needs (EXTRAS). `more`: curves that have
    their own configurations. Errors: UsageError when these contradict each other.
    """
    ops = with_hashed(ops)
    dropped = [op.upper() for op in OPS if op not in ops] + ([] if extras else EXTRAS)
    left_out = [knob for knob in all_knobs().values() if knob.name in dropped]
    drop = {knob.name: NONE if NONE in knob.choices else str(knob.default) for knob in left_out}
    further = {
        curve: dict(configured.settings) | drop for curve, configured in (more or {}).items()
    }
    asked = [configuration, *(more or {}).values()]
    changed = {change.partition("=")[0] for configured in asked for change in configured.changed}
    values = dict(configuration.settings) | drop
    values |= agreed({curves[0]: values} | further, changed)
    curves = [*curves, *further]
    beside = {"with": str(int("ed25519" in curves))}
    lines = [_TITLE, "#ifndef ECFIT_CONFIG_H", "#define ECFIT_CONFIG_H", ""]
    for knob in all_knobs().values():
        if knob.scope == "global":
            named = macros(knob, values[knob.name], None)
            lines += [f"#define {name} {value}" for name, value in named]
    lines += leaf_lines("", values)
    bits = max(slot.bits for slot in curve_slots() if slot.name in curves)
    lines += ["", f"#define ECFIT_MAX_BITS {bits} /* of the widest curve enabled */"]
    lines += ["", *_shared_instance(dict.fromkeys(curves, values) | further)]
    for slot in curve_slots():
        enabled = slot.name in curves
        lines += ["", f"#define {slot.macro}_ENABLED {int(enabled)}"]
        if enabled:
            own = further.get(slot.name) or _values_for(slot, values, configuration.preset)
            silent = _silent([op for op in ops if op in CURVES[slot.name].every_op])
            lines += _curve_macros(slot, slot.fitted(own) | beside, slot.name, silent)
    return "\n".join([*lines, "", "#endif", ""])


def _silent(ops: Container[str]) -> tuple[str, ...]:
    """The endings of macros of operations that are not among these."""
    return tuple(f"_{op.upper()}" for op in BASE if op not in ops)


def _values_for(slot: CurveSlot, values: Mapping[str, str], preset: str | None) -> dict[str, str]:
    """The values of another curve for this one. If this curve's family does not have a value, that
    of the preset.
    """
    asked = all_presets()[preset].values if preset else {}
    own = dict(values)
    for name, value in values.items():
        knob = all_knobs()[name]
        if knob.scope == "curve" and knob.choices and not slot.takes(knob.choices[value]):
            own[name] = str(asked.get(name, knob.default))
    return own


def _curve_macros(
    slot: CurveSlot, values: Mapping[str, str], name: str, silent: tuple[str, ...] = ()
) -> list[str]:
    """`silent`: endings of macros whose file is left out."""
    lines = [
        f"#define {macro} {NO_FUNCTION if macro.endswith(silent) else text}"
        for knob in all_knobs().values()
        if knob.concerns(slot)
        for macro, text in macros(knob, values[knob.name], name)
    ]
    return lines + leaf_lines(name, values)


def agreed(
    every: Mapping[str, Mapping[str, str]], said: Container[str] = frozenset()
) -> dict[str, str]:
    """Settings of the whole library that all these curves can have: where presets differ, those
    of the last family. Errors: UsageError where `said` settings do.
    """
    order, settings = sorted(every, key=[slot.name for slot in curve_slots()].index), {}
    for knob in (knob for knob in all_knobs().values() if knob.scope == "global"):
        wanted = [v for curve in order if (v := every[curve][knob.name]) != NONE] or [NONE]
        if knob.name in said and len({*wanted}) > 1:
            both = " and ".join(sorted({*wanted}))
            raise UsageError(f"{knob.name} holds for the whole library: {both} contradict")
        settings[knob.name] = wanted[-1]
    return settings


def _shared_instance(settings: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The pseudo-curve `shared`: code of all curves with INSTANCE=shared. Errors: UsageError."""
    able = [slot for slot in curve_slots() if all_knobs()["INSTANCE"].concerns(slot)]
    there = [settings[slot.name] for slot in able if slot.name in settings]
    sharing = [values for values in there if values.get("INSTANCE") == "shared"]
    if not sharing:
        return ["#define ECFIT_CURVE_SHARED_ENABLED 0"]
    alone = _silent(HASHING)  # it has no operation that is to be named
    text = _curve_macros(able[0], sharing[0], "shared", alone)
    if any(_curve_macros(able[0], own, "shared", alone) != text for own in sharing):
        raise UsageError("curves with INSTANCE=shared take the same settings")
    return ["#define ECFIT_CURVE_SHARED_ENABLED 1", *text]
