"""The knobs as a Kconfig menu (Zephyr, ESP-IDF), and as a configuration header that takes its
symbols: CONFIG_ECFIT_PRESET_TINY, CONFIG_ECFIT_X25519, CONFIG_ECFIT_X25519_WIPE_NONE and so on,
from a menu or from a compiler's line (PlatformIO, Rust).

What nothing was chosen for is as in the preset, which is `balanced` where none was chosen;
the curve is secp256r1 where none was chosen; BACKEND is then what the core asks for.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple

from ecfit.choices import knobdocs
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import (
    CurveSlot,
    Knob,
    all_knobs,
    curve_slots,
    macros,
    needed_knob,
    resolve,
)
from ecfit.choices.leaves import leaf_conditions
from ecfit.choices.presets import DEFAULT_PRESET, all_presets

PREFIX = "ECFIT"
FIRST = "secp256r1"
# The code of several curves in one instance takes a header of `ecfit config`.
FIXED = {"INSTANCE": "own"}
BY_CORE = {  # symbols of Zephyr; the last one of ESP-IDF
    "armv6m": ["CPU_CORTEX_M0", "CPU_CORTEX_M0PLUS", "CPU_CORTEX_M1"],
    "armv7m": ["CPU_CORTEX_M3"],
    "armv7em": ["CPU_CORTEX_M4", "CPU_CORTEX_M7", "CPU_CORTEX_M33"],
    "rv32im": ["(RISCV_ISA_RV32I && RISCV_ISA_EXT_M)", "IDF_TARGET_ARCH_RISCV"],
}
MADE = "Generated from lib/knobs.toml by tools/packages/gen_packages.py"


def symbol(knob: Knob, slot: CurveSlot | None, value: str = "") -> str:
    """The name of a choice, or of one of its values, or of a number; without CONFIG_."""
    curve = [slot.name.upper()] if slot else []
    return "_".join([PREFIX, *curve, knob.name, *([value.upper()] if value else [])])


def concerned() -> Iterator[tuple[Knob, CurveSlot | None]]:
    """Every knob of the library, then those of each curve."""
    for knob in all_knobs().values():
        if knob.scope == "global":
            yield knob, None
    for slot in curve_slots():
        for knob in all_knobs().values():
            if knob.concerns(slot):
                yield knob, slot


@cache
def _preset(preset: str, curve: str, backend: str = "w32") -> dict[str, str]:
    return dict(resolve(CURVES[curve], preset, {}, backend).settings)


class Default(NamedTuple):
    """A value that holds where nothing was chosen; with a preset, a curve, a backend, if named."""

    value: str
    preset: str = ""
    curve: str = ""
    backend: str = ""


def defaults(knob: Knob, slot: CurveSlot | None) -> list[Default]:
    """What holds where nothing was chosen, exceptions first; the last is for every other case."""
    curve = slot.name if slot else FIRST
    last = _preset(DEFAULT_PRESET, curve)[knob.name]
    found: list[Default] = []
    for preset, declared in all_presets().items():
        usual = _preset(preset, curve)[knob.name]
        for backend in declared.backends if slot else ():
            own = _preset(preset, curve, backend)[knob.name]
            if own != usual:
                found.append(Default(own, preset, backend=backend))
        for other in curve_slots() if slot is None else ():
            own = _preset(preset, other.name)[knob.name]
            if own != usual:
                found.append(Default(own, preset, other.name))
        if usual != last:
            found.append(Default(usual, preset))
    return [*found, Default(last)]


# ---- the menu ----------------------------------------------------------------------------------


def menu() -> str:
    """packages/Kconfig.knobs, which the menus of Zephyr and ESP-IDF include."""
    lines = [f"# {MADE}", "", *_config_folder(), "", *_presets(), "", 'menu "Curves"', ""]
    for slot in curve_slots():
        lines += [f"config {PREFIX}_{slot.name.upper()}", f'    bool "{slot.name}"']
        lines += ["    default y"] if slot.name == FIRST else []
        lines += [*_help(_about(slot)), ""]
    lines += ["endmenu", "", 'menu "The whole library"', ""]
    for knob, curve in concerned():
        if curve is None:
            lines += [*_entry(knob, None), ""]
    lines += ["endmenu", ""]
    for slot in curve_slots():
        lines += [f'menu "{slot.name}"', f"    depends on {PREFIX}_{slot.name.upper()}", ""]
        for knob in all_knobs().values():
            if knob.concerns(slot) and knob.name not in FIXED and _choice(knob, slot):
                lines += [*_entry(knob, slot), ""]
        lines += ["endmenu", ""]
    return "\n".join(lines)


def _choice(knob: Knob, slot: CurveSlot) -> bool:
    """Whether there is anything to choose."""
    return knob.kind == "number" or len(knobdocs.offered(knob, slot)) > 1


def _config_folder() -> list[str]:
    text = (
        "A folder of `ecfit config -o` or `ecfit amalgamate -o`, which then says it all; "
        "empty: the choices below."
    )
    return [
        f"config {PREFIX}_CONFIG_DIR",
        '    string "Folder of a configuration"',
        '    default ""',
        *_help(text),
    ]


def _presets() -> list[str]:
    lines = [f"choice {PREFIX}_PRESET", '    prompt "Preset: what is not chosen below"']
    lines += [f"    default {PREFIX}_PRESET_{DEFAULT_PRESET.upper()}", ""]
    for name, preset in all_presets().items():
        lines += [f"config {PREFIX}_PRESET_{name.upper()}", f'    bool "{name}"']
        lines += [*_help(preset.description), ""]
    return [*lines, "endchoice"]


def _about(slot: CurveSlot) -> str:
    legacy = " Legacy, below 112 bits of security." if slot.legacy else ""
    return f"{CURVES[slot.name].source}.{legacy}"


def _help(text: str) -> list[str]:
    filled = textwrap.wrap(text.replace("{curve}", "CURVE"), 92, break_on_hyphens=False)
    return ["    help", *(f"        {line.strip()}" for line in filled)]


def _entry(knob: Knob, slot: CurveSlot | None) -> list[str]:
    """A choice or a number."""
    text = f"{knob.help.strip()} It spends {knob.spends}."
    if knob.kind == "number":
        name = symbol(knob, slot)
        lines = [f"config {name}", f'    int "{knob.name}"', f"    range {knob.min} {knob.max}"]
        lines += [f"    default {_when(case.value, case)}" for case in defaults(knob, slot)]
        return [*lines, *_help(text)]
    lines = [f"choice {symbol(knob, slot)}", f'    prompt "{knob.name}"']
    if knob.name == "BACKEND":
        for value, cores in BY_CORE.items():
            lines += [f"    default {symbol(knob, slot, value)} if {' || '.join(cores)}"]
        lines += [f"    default {symbol(knob, slot, 'auto')}"]
    else:
        for case in defaults(knob, slot):
            lines += [f"    default {_when(symbol(knob, slot, case.value), case)}"]
    lines += [*_help(text), ""]
    if knob.name == "BACKEND":
        lines += [f"config {symbol(knob, slot, 'auto')}", '    bool "auto"']
        lines += [*_help("in C, as the core asks for: w32m16 where long products take long"), ""]
    for value in knobdocs.offered(knob, slot):
        lines += [f"config {symbol(knob, slot, value)}", f'    bool "{value}"']
        lines += [f"    depends on {condition}" for condition in _needs(knob, slot, value)]
        lines += _help(knob.choices[value].help)
    return [*lines, "", "endchoice"]


def _when(value: str, case: Default) -> str:
    parts = [f"{PREFIX}_PRESET_{case.preset.upper()}"] if case.preset else []
    parts += [f"{PREFIX}_{case.curve.upper()}"] if case.curve else []
    parts += [symbol(all_knobs()["BACKEND"], None, case.backend)] if case.backend else []
    return f"{value} if {' && '.join(parts)}" if parts else value


def _needs(knob: Knob, slot: CurveSlot | None, value: str) -> Iterator[str]:
    """Conditions on knobs that stand above; the header checks those on knobs below, too."""
    order = list(all_knobs())
    for name, allowed in knob.choices[value].needs.items():
        other = all_knobs()[needed_knob(name, slot) if slot else name]
        above = other.scope == "global" or order.index(other.name) < order.index(knob.name)
        if not above or other.name in FIXED or (slot and not _has(other, slot)):
            continue
        where = slot if other.scope == "curve" else None
        there = [choice for choice in allowed if choice in knobdocs.offered(other, where)]
        if set(there) != set(knobdocs.offered(other, where)):
            yield " || ".join(symbol(other, where, choice) for choice in there)


def _has(knob: Knob, slot: CurveSlot) -> bool:
    return knob.scope == "global" or knob.concerns(slot)


# ---- the header --------------------------------------------------------------------------------


def header() -> str:
    """packages/include/ecfit_config.h."""
    lines = [
        "/* ecfit_config.h - which files fill the slots, and the numbers, by symbols CONFIG_ECFIT_",
        " * of a Kconfig menu or a compiler's line (docs/packages.md).",
        f" * {MADE}. */",
        "#ifndef ECFIT_CONFIG_H",
        "#define ECFIT_CONFIG_H",
        "",
        *_curves(),
        "",
    ]
    for knob, slot in concerned():
        if slot is None:
            lines += [*_chosen(knob, None), ""]
    lines += [*leaf_conditions("", partial(_term, None)), ""]
    lines += ["#define ECFIT_CURVE_SHARED_ENABLED 0", ""]
    for slot in curve_slots():
        lines += [f"#if {slot.macro}_ENABLED"]
        for knob in all_knobs().values():
            if knob.concerns(slot):
                lines += _chosen(knob, slot)
        lines += [*leaf_conditions(slot.name, partial(_term, slot)), "#endif", ""]
    return "\n".join([*lines, "#endif", ""])


def _term(slot: CurveSlot | None, column: str, value: str) -> str:
    """The condition that a column of lib/leaves.toml has a value for a curve."""
    if column == "curve":
        return str(int(slot is not None and value == slot.name))
    if column == "with":
        return f"{'' if value == '1' else '!'}ECFIT_CURVE_ED25519_ENABLED"
    knob = all_knobs()[column]
    where = slot if knob.scope == "curve" else None
    there = knobdocs.offered(knob, where)
    if value not in there or len(there) == 1:
        return str(int(value in there))
    return f"defined({macros(knob, value, where.name if where else None)[-1][0]})"


def _curves() -> list[str]:
    names = [f"CONFIG_{PREFIX}_{slot.name.upper()}" for slot in curve_slots()]
    lines = [f"#if !({_any(names)})", f"#define CONFIG_{PREFIX}_{FIRST.upper()} 1", "#endif"]
    for slot, name in zip(curve_slots(), names, strict=True):
        lines += [f"#if defined({name})", f"#define {slot.macro}_ENABLED 1"]
        lines += ["#else", f"#define {slot.macro}_ENABLED 0", "#endif"]
    word = "#if"
    for bits in sorted({slot.bits for slot in curve_slots()}, reverse=True):
        widest = [f"{slot.macro}_ENABLED" for slot in curve_slots() if slot.bits == bits]
        lines += [f"{word} {_broken(widest)}", f"#define ECFIT_MAX_BITS {bits}"]
        word = "#elif"
    return [*lines, "#endif"]


def _any(names: list[str]) -> str:
    return _broken([f"defined({name})" for name in names])


def _broken(words: list[str]) -> str:
    rows = [" || ".join(words[at : at + 2]) for at in range(0, len(words), 2)]
    return " || \\\n    ".join(rows)


def _chosen(knob: Knob, slot: CurveSlot | None) -> list[str]:
    """What was chosen, else what the preset has."""
    curve = slot.name if slot else None

    def defined(value: str) -> list[str]:
        return [f"#define {name} {text}" for name, text in macros(knob, value, curve)]

    if knob.name in FIXED:
        return defined(FIXED[knob.name])
    cases: list[tuple[str, list[str]]] = []
    *special, last = defaults(knob, slot)
    if knob.kind == "number":
        name = f"CONFIG_{symbol(knob, slot)}"
        cases += [(f"defined({name})", defined(name))]
    else:
        for value in knob.gone:
            error = f'#error "{symbol(knob, slot)}: {knob.gone_text(value)}"'
            cases += [(f"defined(CONFIG_{symbol(knob, slot, value)})", [error])]
        then = (special or [last])[0].value  # next to it, it shares its lines
        for value in sorted(knobdocs.offered(knob, slot), key=lambda value: value == then):
            cases += [(f"defined(CONFIG_{symbol(knob, slot, value)})", defined(value))]
    if knob.name in knobdocs.SHORT_SETS and slot and slot.family == "weierstrass":
        short = (f"defined(ECFIT_BACKEND_IS_{name})" for name in ("W8", "W16"))
        cases += [(" || ".join(short), defined(knobdocs.SHORT_SETS[knob.name]))]
    cases += [(_holds(case), defined(case.value)) for case in special]
    rest = knobdocs.backend_by_core().splitlines()
    return _branches(cases, rest if knob.name == "BACKEND" else defined(last.value))


def _holds(case: Default) -> str:
    when = [f"defined(CONFIG_{PREFIX}_PRESET_{case.preset.upper()})"]
    when += [f"ECFIT_CURVE_{case.curve.upper()}_ENABLED"] if case.curve else []
    when += [f"defined({PREFIX}_BACKEND_IS_{case.backend.upper()})"] if case.backend else []
    return " && ".join(when) if len(when) == 1 else f"({' && '.join(when)})"


def _branches(cases: list[tuple[str, list[str]]], rest: list[str]) -> list[str]:
    """#if, with cases together that follow each other and say the same."""
    groups = [
        ([condition for condition, _ in group], text)
        for text, group in itertools.groupby(cases, key=lambda case: case[1])
    ]
    while groups and groups[-1][1] == rest:  # as without it
        groups.pop()
    lines: list[str] = []
    for conditions, text in groups:
        lines += [f"#{'elif' if lines else 'if'} {_broken(conditions)}", *text]
    return [*lines, "#else", *rest, "#endif"] if lines else rest
