"""Preset, curves, operations and backend as a Kconfig menu (Zephyr, ESP-IDF), and as a
configuration header that takes its symbols: CONFIG_ECFIT_PRESET_TINY, CONFIG_ECFIT_X25519,
CONFIG_ECFIT_OP_VERIFY and so on, from a menu or from a compiler's line (PlatformIO, Rust).

Where nothing was chosen, the preset is `balanced`, the curve is secp256r1, the operations are all,
and BACKEND is what the core asks for. For every other value, ECFIT_CONFIG_FILE names a header of
`ecfit config`.
"""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from ecfit.choices import knobdocs
from ecfit.choices.checks import folded, offered
from ecfit.choices.curves import BASE, CURVES, NAMED, OPS
from ecfit.choices.knobs import NONE, CurveSlot, Knob, all_knobs, curve_slots, macros, resolve
from ecfit.choices.leaves import leaf_conditions, leaves_of
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
# Whose knobs had symbols before 0.2: for a version, an error says what to use instead.
HAD_SYMBOLS = {
    *("secp128r1", "secp160r1", "secp192r1", "secp224r1", "secp256r1", "secp384r1", "secp521r1"),
    *("secp256k1", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"),
    *("x25519", "x448", "ed25519", "ed448"),
}
GONE_WIDTH = 182  # of the lists of symbols that were, which nobody reads
CURVES_IN_IMAGE = f"CONFIG_{PREFIX}_CURVES"
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


# ---- the menu ----------------------------------------------------------------------------------


def menu() -> str:
    """packages/Kconfig.knobs, which the menus of Zephyr and ESP-IDF include."""
    lines = [f"# {MADE}", "", *_config_folder(), "", *_presets(), "", 'menu "Curves"', ""]
    for slot in curve_slots():
        lines += [f"config {PREFIX}_{slot.name.upper()}", f'    bool "{slot.name}"']
        lines += ["    default y"] if slot.name == FIRST else []
        lines += [*_help(_about(slot)), ""]
    lines += ["endmenu", "", 'menu "Operations"', ""]
    for op in OPS:
        lines += [f"config {PREFIX}_OP_{op.upper()}", f'    bool "{op}"', "    default y", ""]
    for op in NAMED:
        lines += [f"config {PREFIX}_OP_{op.upper()}", f'    bool "{op}"']
        lines += [f"    depends on {PREFIX}_OP_{BASE[op].upper()}", ""]
    return "\n".join([*lines, "endmenu", "", *_backends(), ""])


def _config_folder() -> list[str]:
    text = (
        "A folder of `ecfit config -o` or `ecfit amalgamate -o`, which then says it all, and can "
        "set every knob; empty: the choices below."
    )
    return [
        f"config {PREFIX}_CONFIG_DIR",
        '    string "Folder of a configuration"',
        '    default ""',
        *_help(text),
    ]


def _presets() -> list[str]:
    lines = [f"choice {PREFIX}_PRESET", '    prompt "Preset"']
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


def _backends() -> list[str]:
    knob = all_knobs()["BACKEND"]
    auto = symbol(knob, None, "auto")
    lines = [f"choice {symbol(knob, None)}", f'    prompt "{knob.name}"']
    for value, cores in BY_CORE.items():
        lines += [f"    default {symbol(knob, None, value)} if {' || '.join(cores)}"]
    lines += [f"    default {auto}", *_help(f"{knob.help.strip()} It spends {knob.spends}."), ""]
    lines += [f"config {auto}", '    bool "auto"']
    lines += [*_help("in C, as the core asks for: w32m16 where long products take long")]
    for value in offered(knob, None):
        lines += ["", f"config {symbol(knob, None, value)}", f'    bool "{value}"']
        lines += _help(knob.choices[value].help)
    return [*lines, "", "endchoice"]


# ---- the values of presets ---------------------------------------------------------------------


@cache
def _preset(preset: str, curve: str, backend: str, ops: tuple[str, ...]) -> dict[str, str]:
    return dict(resolve(CURVES[curve], preset, {}, backend or "w32", ops=ops).settings)


class Case(NamedTuple):
    """A value that holds with a preset, a curve in the image, a backend, operations alone; each if
    it is named.
    """

    value: str
    preset: str = ""
    curve: str = ""
    backend: str = ""
    ops: tuple[str, ...] = ()

    def holds(self, other: Case) -> bool:
        """Whether it is for all that another is for."""
        pairs = zip(self[1:], other[1:], strict=True)
        return all(mine in ((), "", theirs) for mine, theirs in pairs)


def cases(knob: Knob, slot: CurveSlot | None) -> list[Case]:
    """The values of presets, exceptions first; the last is for every other case."""
    if knob.name in FIXED:
        return [Case(FIXED[knob.name])]
    curve = slot.name if slot else FIRST
    found = [Case(_preset(DEFAULT_PRESET, curve, "", ())[knob.name])]

    def add(preset: str, other: str = "", backend: str = "", ops: tuple[str, ...] = ()) -> None:
        """Unless the cases so far say so."""
        value = _preset(preset, other or curve, backend, ops)[knob.name]
        case = Case(value, preset, other, backend, ops)
        if next(one.value for one in found if one.holds(case)) != value:
            found.insert(0, case)

    for preset, declared in reversed(all_presets().items()):
        backends = dict.fromkeys(["", *declared.backends])
        for backend in backends if slot is None else [""]:
            add(preset, "", backend)
        for other in curve_slots() if slot is None else ():
            for backend in backends:
                add(preset, other.name, backend)
        alone = [where.ops for where in declared.where if where.ops and slot]
        for ops in dict.fromkeys([(), *alone]):
            for backend in dict.fromkeys(["", *(declared.backends if slot else ())]):
                add(preset, "", backend, ops)
    return found


def values(knob: Knob, slot: CurveSlot | None) -> list[str]:
    """All that the header can choose."""
    if knob.name == "BACKEND":
        return list(offered(knob, slot))
    found = [case.value for case in cases(knob, slot)]
    found += [NONE] if knob.name.lower() in OPS else []
    found += [knobdocs.SHORT_SETS[knob.name]] if _short(knob, slot) else []
    return list(dict.fromkeys(found))


def _short(knob: Knob, slot: CurveSlot | None) -> bool:
    """Whether short words take another value."""
    weierstrass = slot is not None and slot.family == "weierstrass"
    return weierstrass and knob.name in knobdocs.SHORT_SETS


# ---- the header --------------------------------------------------------------------------------


def header() -> str:
    """packages/include/ecfit_config.h."""
    lines = [
        "/* ecfit_config.h - which files fill the slots, and the numbers, by symbols CONFIG_ECFIT_",
        " * of a Kconfig menu or a compiler's line (docs/packages.md).",
        f" * {MADE}. */",
        "#if defined(ECFIT_CONFIG_FILE) && !defined(ECFIT_CONFIG_H)",
        "#include ECFIT_CONFIG_FILE",
        "#endif",
        "#ifndef ECFIT_CONFIG_H",
        "#define ECFIT_CONFIG_H",
        *knobdocs.required(),
        *_preset_chosen(),
        *_curves(),
        *_operations(),
    ]
    for knob, slot in concerned():
        if slot is None:
            lines += [*_chosen(knob, None), ""]
    lines += [*leaf_conditions("", partial(_term, None)), ""]
    lines += [
        "#define ECFIT_CURVE_SHARED_ENABLED 0",
        "/* The knobs of curves, be they in the image or not. Where curves choose alike, the first",
        " * of them has the choice, and the others take its files and numbers. */",
    ]
    for slots, block in _alike():
        lines += _for_all(slots, block)
    lines = [line for line in map(_without_named, lines) if line is not None] + _named()
    lines = [line if line.startswith("#error") else folded(line) for line in lines]
    return "\n".join([*lines, "", *_gone(), "", "#endif", ""])


def _without_named(line: str) -> str | None:
    """The line, but for the file of an operation that is to be named (:func:`_named`): nothing, or
    that it is left out, where another curve of the family has it.
    """
    name = line.split()[1] if line.startswith("#define ") else ""
    op = next((op for op in NAMED if name.endswith(f"_{op.upper()}")), "")
    slots = [slot for slot in curve_slots() if name.startswith(f"ECFIT_{slot.name.upper()}_")]
    if not op or op not in _family_ops(slots[0].family):
        return line
    return None if op in CURVES[slots[0].name].every_op else f'#define {name} "none.h"'


def _family_ops(family: str) -> set[str]:
    return {op for slot in curve_slots() if slot.family == family
            for op in CURVES[slot.name].every_op}  # fmt: skip


def _named() -> list[str]:
    """The files of operations that are in an image only where their symbols are: of the first curve
    that has one; the others take its.
    """
    lines = ["", "/* Operations that are left out unless they are named. */"]
    for op, base in NAMED.items():
        files: dict[str, str] = {}
        for slot in curve_slots():
            knob = all_knobs()[base.upper()]
            if op in CURVES[slot.name].every_op:
                value = next(v for v in knob.choices if v != NONE and slot.takes(knob.choices[v]))
                files |= dict(macros(knob, value, slot.name)[:-1])
        files = {name: file for name, file in files.items() if name.endswith(f"_{op.upper()}")}
        first = {file: name for name, file in reversed(files.items())}
        lines += [f"#if defined({_op(op)}) && defined({_op(base)})"]
        lines += [f"#define {name} {file}" for file, name in first.items()]
        lines += ["#else", *(f'#define {name} "none.h"' for name in first.values()), "#endif"]
        others = files.keys() - first.values()
        lines += [f"#define {name} {first[files[name]]}" for name in files if name in others]
    return lines


def _alike() -> list[tuple[list[CurveSlot], list[str]]]:
    """Curves of a family that choose alike, be it a knob or the files by several; and the choice
    of the first of them.
    """
    found: dict[str, tuple[list[CurveSlot], list[str]]] = {}
    for slot in curve_slots():
        blocks = {k.name: _chosen(k, slot) for k in all_knobs().values() if k.concerns(slot)}
        leaves = leaf_conditions(slot.name, partial(_term, slot))
        columns = {name for leaf in leaves_of(slot.name) for name in leaf.columns}
        asked = [line for name in sorted(columns & blocks.keys()) for line in blocks[name]]
        for block, beside in [*((block, []) for block in blocks.values()), (leaves, asked)]:
            text = "\n".join([slot.family, *block, *beside])
            key = text.replace(slot.name.upper(), "").replace(slot.name, "")
            found.setdefault(key, ([], block))[0].append(slot)
    return list(found.values())


def _for_all(slots: list[CurveSlot], block: list[str]) -> list[str]:
    """The choice of the first of some curves, made for all of them."""
    first, *others = slots
    enabled = " || ".join(f"{slot.macro}_ENABLED" for slot in slots)
    names = ", ".join(slot.name for slot in slots)
    lines: list[str] = []
    same: dict[str, None] = {}
    for line in block:
        define = re.match(rf"#define (ECFIT_{first.name.upper()}_\w+) ", line)
        if line.startswith("#error"):
            lines[-1] = f"#elif {enabled}"  # not #else: other curves may have no file
        lines.append(line.replace(f'"{first.name}:', f'"{names}:'))
        if define and "_IS_" in define[1]:
            lines += [line.replace(first.name.upper(), other.name.upper()) for other in others]
        elif define:
            same[define[1]] = None
    for other in others:
        mine = {name.replace(first.name.upper(), other.name.upper()): name for name in same}
        lines += [f"#define {name} {its}" for name, its in mine.items()]
    return lines


def _term(slot: CurveSlot | None, column: str, value: str) -> str:
    """The condition that a column of lib/leaves.toml has a value for a curve."""
    if column == "curve":
        return str(int(slot is not None and value == slot.name))
    if column == "with":
        return f"{'' if value == '1' else '!'}ECFIT_CURVE_ED25519_ENABLED"
    knob = all_knobs()[column]
    where = slot if knob.scope == "curve" else None
    there = values(knob, where)
    if value not in there or len(there) == 1:
        return str(int(value in there))
    return f"defined({macros(knob, value, where.name if where else None)[-1][0]})"


def _curves() -> list[str]:
    lines = []
    for slot in curve_slots():
        lines += [f"#if defined(CONFIG_{PREFIX}_{slot.name.upper()})"]
        lines += [f"#define {slot.macro}_ENABLED 1"]
        lines += ["#else", f"#define {slot.macro}_ENABLED 0", "#endif"]
    first = f"ECFIT_CURVE_{FIRST.upper()}_ENABLED"
    enabled = " + ".join(f"{slot.macro}_ENABLED" for slot in curve_slots())
    lines += [f"#define {CURVES_IN_IMAGE} ({enabled})"]
    lines += [f"#if {CURVES_IN_IMAGE} == 0", f"#undef {first}", f"#define {first} 1", "#endif"]
    word = "#if"
    for bits in sorted({slot.bits for slot in curve_slots()}, reverse=True):
        widest = [f"{slot.macro}_ENABLED" for slot in curve_slots() if slot.bits == bits]
        lines += [f"{word} {' || '.join(widest)}", f"#define ECFIT_MAX_BITS {bits}"]
        word = "#elif"
    return [*lines, "#endif"]


def _preset_chosen() -> list[str]:
    names = [f"CONFIG_{PREFIX}_PRESET_{name.upper()}" for name in all_presets()]
    usual = f"CONFIG_{PREFIX}_PRESET_{DEFAULT_PRESET.upper()}"
    return [f"#if !({_any(names)})", f"#define {usual} 1", "#endif"]


def _operations() -> list[str]:
    """The operations, and where an only curve has no others than a preset asks about."""
    names = [_op(op) for op in OPS]
    lines = [f"#if !({_any(names)})", *(f"#define {name} 1" for name in names), "#endif"]
    families = {slot.family: CURVES[slot.name].ops for slot in curve_slots()}
    asked = [where.ops for preset in all_presets().values() for where in preset.where if where.ops]
    for ops, (family, there) in itertools.product(dict.fromkeys(asked), families.items()):
        mine = [f"defined({_op(op)})" for op in there if op in ops]
        if mine:
            either = " || ".join(mine) if len(mine) == 1 else f"({' || '.join(mine)})"
            others = [f"!defined({_op(op)})" for op in there if op not in ops]
            when = " && ".join([f"{CURVES_IN_IMAGE} == 1", either, *others])
            lines += [f"#if {when}", f"#define {_alone(ops, family)} 1", "#endif"]
    return lines


def _alone(ops: Iterable[str], family: str) -> str:
    words = [family, *ops, "alone"]
    return f"CONFIG_{PREFIX}_{'_'.join(word.upper() for word in words)}"


def _op(name: str) -> str:
    return f"CONFIG_{PREFIX}_OP_{name.upper()}"


def _any(names: list[str]) -> str:
    return " || ".join(f"defined({name})" for name in names)


def _chosen(knob: Knob, slot: CurveSlot | None) -> list[str]:
    """What the preset has, or the operations and the symbol of a backend."""

    def defined(value: str) -> list[str]:
        curve = slot.name if slot else None
        return [f"#define {name} {text}" for name, text in macros(knob, value, curve)]

    branches: list[tuple[str, list[str]]] = []
    *special, last = cases(knob, slot)
    if knob.name == "BACKEND":
        for value in values(knob, slot):
            branches += [(f"defined(CONFIG_{symbol(knob, slot, value)})", defined(value))]
        return _branches(branches, knobdocs.backend_by_core().splitlines())
    if knob.name.lower() in OPS:
        branches += [(f"!defined({_op(knob.name)})", defined(NONE))]
    if _short(knob, slot):
        short = (f"defined(ECFIT_BACKEND_IS_{name})" for name in ("W8", "W16"))
        branches += [(" || ".join(short), defined(knobdocs.SHORT_SETS[knob.name]))]
        special = [case for case in special if case.backend not in ("w8", "w16")]
    for value, alike in itertools.groupby(_ordered(special), key=lambda case: case.value):
        branches += [(_holds(alike, slot), defined(value))]
    return _branches(branches, defined(last.value))


def _ordered(cases: list[Case]) -> list[Case]:
    """Each beside one with its value, where only cases of other presets are between."""
    found: list[Case] = []
    for case in cases:
        at = len(found)
        while at and found[at - 1].value != case.value and found[at - 1].preset != case.preset:
            at -= 1
        alike = at > 0 and found[at - 1].value == case.value
        found.insert(at if alike else len(found), case)
    return found


def _holds(cases: Iterable[Case], slot: CurveSlot | None) -> str:
    """That one of some cases holds. Those that differ in one thing, as the backend, are asked about
    together.
    """
    rows = [[[part] for part in _asked(case, slot)] for case in cases]
    for at in range(len(rows[0])):
        alike: dict[str, list[list[str]]] = {}
        for row in rows:
            same = alike.setdefault(str(row[:at] + row[at + 1 :]), row)
            same[at] += row[at] if same is not row else []
        rows = list(alike.values())
    kinds = range(len(rows[0]))
    shared = [at for at in kinds if len({frozenset(row[at]) for row in rows}) == 1]
    if len(rows) > 1 and any("" not in rows[0][at] for at in shared):
        common = _all([rows[0][at] for at in shared])
        others = [_all([row[at] for at in kinds if at not in shared]) for row in rows]
        return f"{common} && ({' || '.join(others)})" if all(others) else common
    return " || ".join(map(_all, rows))


def _all(row: Sequence[Sequence[str]]) -> str:
    """That of each kind one condition holds."""
    terms = [parts for parts in row if "" not in parts]
    either = [f"({' || '.join(parts)})" if len(parts) > 1 else parts[0] for parts in terms]
    return f"({' && '.join(either)})" if len(terms) > 1 else "".join(either)


def _asked(case: Case, slot: CurveSlot | None) -> tuple[str, ...]:
    """The conditions of a case, of each kind one; empty where it has none."""
    return (
        f"defined(CONFIG_{PREFIX}_PRESET_{case.preset.upper()})",
        f"ECFIT_CURVE_{case.curve.upper()}_ENABLED" if case.curve else "",
        f"defined({PREFIX}_BACKEND_IS_{case.backend.upper()})" if case.backend else "",
        f"defined({_alone(case.ops, slot.family)})" if case.ops and slot else "",
    )


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
        lines += [f"#{'elif' if lines else 'if'} {' || '.join(conditions)}", *text]
    return [*lines, "#else", *rest, "#endif"] if lines else rest


def _gone() -> Iterator[str]:
    """An error for each symbol of a knob that there was."""
    found: dict[str, list[str]] = {}
    for knob, slot in concerned():
        if knob.name in {"BACKEND", *FIXED} or (slot and slot.name not in HAD_SYMBOLS):
            continue
        names = [""] if knob.kind == "number" else [*offered(knob, slot), *knob.gone]
        mine = [f"CONFIG_{symbol(knob, slot, name)}" for name in names]
        found.setdefault(slot.name if slot else "the library", []).extend(mine)
    yield "/* Symbols that were, until 0.3. */"
    for what, names in found.items():
        yield folded(f"#if {_any(names)}", GONE_WIDTH)
        yield (
            f'#error "{what}: a knob is no symbol any more: name a header of `ecfit config` with '
            'ECFIT_CONFIG_FILE or CONFIG_ECFIT_CONFIG_DIR (docs/packages.md)"'
        )
        yield "#endif"
