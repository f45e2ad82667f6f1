"""Texts generated from lib/knobs.toml alone: the default configuration header,
ecfit_config_check.h and docs/knobs.md.

`python -m ecfit.choices.knobdocs` writes them (make generate); with --check it writes nothing,
names what differs and fails.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

from ecfit.choices.cores import ALLOW, NO_UNIT, UNKNOWN, any_of, cores_where_first, known_cores
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import (
    CurveSlot,
    Knob,
    all_knobs,
    curve_slots,
    header,
    macros,
    needed_knob,
    resolve,
)
from ecfit.choices.leaves import leaf_conditions, leaf_lines, leaves_of
from ecfit.choices.presets import DEFAULT_PRESET, all_presets
from ecfit.paths import LIB, ROOT
from ecfit.prose import wrapped

DEFAULT_CURVE = "secp256r1"
SHORT, SHORT_SETS = "w8", {"REDUCE": "mont"}  # words for which no reduction is written
OLD = "ecfit_config.h is of an older version: write it again with `ecfit config`"
THESIS_LIBRARY = [  # tests/lib/test_thesis_library.py builds and runs each
    "## The choices of Piñol's thesis library",
    "",
    "`ecfit study remote` names this library by its author. You can combine its choices on every "
    "short Weierstrass curve. The study adds",
    "`--set REDUCE=mont --set MULG=as_var --set MULD=bits` to all of them.",
    "",
    "| choice there | here |",
    "| --- | --- |",
    "| affine, homogeneous, Jacobian (af, hm, jb) | `--set COORDINATES=affine`, "
    "`homogeneous`, `jacobian` |",
    "| double-and-add | `--set MULV=binary_var` |",
    "| sliding window (sw) | `--set MULV=naf_var --set WINDOW=4` (in non-adjacent form) |",
    "| words of 16 and 32 bits | `--set BACKEND=w16`, `w32` |",
]


def default_header() -> str:
    """lib/include/ecfit_config.h: the preset balanced with the default backend
    of the declaration, or the one that the core asks for.
    """
    usual = str(all_knobs()["BACKEND"].default)
    configuration = resolve(CURVES[DEFAULT_CURVE], DEFAULT_PRESET, {}, usual)
    text = header(configuration, [DEFAULT_CURVE])
    short = resolve(CURVES[DEFAULT_CURVE], DEFAULT_PRESET, SHORT_SETS, SHORT)
    for knob, value in configuration.settings:
        other = dict(short.settings)[knob]
        if knob != "BACKEND" and other != value:
            condition = f"#if defined({_is(all_knobs()['BACKEND'], SHORT, None)})\n"
            own, instead = (_lines(all_knobs()[knob], one) for one in (value, other))
            assert own in text
            text = text.replace(own, f"{condition}{instead}#else\n{own}#endif\n")
    settings = dict(configuration.settings) | {"with": "0"}
    vary = {"BACKEND", *(name for name, value in short.settings if settings[name] != value)}
    for curve in ("", DEFAULT_CURVE):
        files = leaf_conditions(curve, partial(_default_term, settings, vary))
        fixed = "\n".join(leaf_lines(curve, settings))
        assert fixed in text
        text = text.replace(fixed, "\n".join(files))
    fixed = _lines(all_knobs()["BACKEND"], usual)
    assert fixed in text
    return text.replace(fixed, backend_by_core())


def _default_term(settings: Mapping[str, str], vary: Collection[str], name: str, value: str) -> str:
    """The condition that a column of lib/leaves.toml has a value in the default header."""
    if name not in vary:
        return str(int({**settings, "curve": DEFAULT_CURVE}[name] == value))
    knob = all_knobs()[name]
    backends = [usual for usual in knob.choices if cores_where_first(usual)]
    there = backends if name == "BACKEND" else (settings[name], SHORT_SETS[name])
    curve = None if knob.scope == "global" else DEFAULT_CURVE
    return f"defined({_is(knob, value, curve)})" if value in there else "0"


def backend_by_core() -> str:
    """The backend that the core asks for, for the preprocessor."""
    knob, word, text = all_knobs()["BACKEND"], "if", ""
    usual = str(knob.default)
    for backend in knob.choices:
        cores = cores_where_first(backend)
        if cores and backend != usual:
            text += "".join(f"/* {core.name} */\n" for core in cores)
            text += f"#{word} {any_of(cores)}\n{_lines(knob, backend)}"
            word = "elif"
    return f"{text}#else\n{_lines(knob, usual)}#endif\n"


def _lines(knob: Knob, value: str) -> str:
    curve = None if knob.scope == "global" else DEFAULT_CURVE
    return "".join(f"#define {name} {text}\n" for name, text in macros(knob, value, curve))


def _core_checks() -> Iterator[str]:
    """Backends that are not constant-time on the core that is compiled for, and unknown cores."""
    yield f"#if !defined({ALLOW})"
    word = "if"
    for core in known_cores():
        fit = [_is(all_knobs()["BACKEND"], value, None) for value in core.constant]
        yield f"#{word} {core.when}"
        if fit:
            yield f"#if {' && '.join(f'!defined({flag})' for flag in fit)}"
        yield (
            f'#error "ECFIT_BACKEND is not constant-time on {core.name}: {core.reason}; '
            f'{core.advice}, or define {ALLOW}"'
        )
        yield from ["#endif"] if fit else []
        word = "elif"
    yield f'#else\n#error "ECFIT_BACKEND: {UNKNOWN}; to compile all the same, define {ALLOW}"'
    yield "#endif\n#endif"


def _unit_checks() -> Iterator[str]:
    """Values that need a floating-point unit."""
    for knob in all_knobs().values():
        for value in (value for value, choice in knob.choices.items() if choice.fpu):
            yield f"#if defined({_is(knob, value, None)})\n{NO_UNIT}#endif"


def _core_list() -> Iterator[str]:
    """What holds on which cores."""
    yield (
        "Not every backend is constant-time on every core. The default configuration header "
        "takes one that is. Another header with another backend is an error, and so is a core "
        f"that is not on this list, unless it defines `{ALLOW}`:"
    )
    yield ""
    for core in known_cores():
        if core.constant:
            fit = " or ".join(f"`{value}`" for value in core.constant)
            yield f"- {core.name}: {fit}. Others are refused: {core.reason}."
        else:
            yield f"- {core.name}: no back end. Reason: {core.reason}."
    yield ""
    yield (
        "`ecfit ct` checks the cores of the targets. For the other cores, this list repeats "
        "what their manuals say. A back end in assembly does not compile for a big-endian core. "
        "Those in C do. A compiler without GNU inline assembly is refused too: without it, the "
        "compiler can see through the masks of the library and turn them into branches "
        "(`lib/src/ct.h`). If you have checked that it does not, define "
        "`ECFIT_ALLOW_VISIBLE_MASKS`."
    )


def _is(knob: Knob, value: str, curve: str | None) -> str:
    return macros(knob, value, curve)[-1][0]


def offered(knob: Knob, slot: CurveSlot | None) -> list[str]:
    """The values of a slot that there are for a curve, or for the library."""
    if slot is None:
        return list(knob.choices)
    instead = slot.instead.get(knob.name, {})
    return [
        value
        for value, choice in knob.choices.items()
        if value not in instead and (not choice.family or slot.family in choice.family)
    ]


def _slot_checks(knob: Knob, slot: CurveSlot | None) -> Iterator[str]:
    """Checks that exactly one choice is made, with everything that it needs."""
    curve = slot.name if slot else None
    flags = [_is(knob, choice, curve) for choice in offered(knob, slot)]
    name = flags[0].rsplit("_IS_", 1)[0]
    word = "#if"
    for former in knob.gone:
        yield f"{word} defined({name}_IS_{former.upper()})"
        yield f'#error "{name}: {knob.gone_text(former)}"'
        word = "#elif"
    yield f"{word} {' + '.join(f'defined({flag})' for flag in flags)} != 1"
    yield f'#error "{name}: define exactly one of {", ".join(flags)}"'
    for choice in offered(knob, slot):
        for other, allowed in knob.choices[choice].needs.items():
            needed = all_knobs()[needed_knob(other, slot) if slot else other]
            if slot and needed.scope == "curve" and not needed.concerns(slot):
                continue
            where = slot if needed.scope == "curve" else None
            name_of = where.name if where else None
            able = [value for value in offered(needed, where) if value in allowed]
            flags = [f"defined({_is(needed, value, name_of)})" for value in able]
            yield f"#elif defined({_is(knob, choice, curve)}) && !({' || '.join(flags) or 0})"
            yield f'#error "{name}: {choice} needs {needed.name} {" or ".join(able)}"'
    yield "#endif"


def _number_checks(knob: Knob, slot: CurveSlot | None) -> Iterator[str]:
    name = macros(knob, str(knob.default), slot.name if slot else None)[0][0]
    word = "#if"
    for value in knob.gone:
        yield f"{word} defined({name}) && {name} == {value}"
        yield f'#error "{name}: {knob.gone_text(value)}"'
        word = "#elif"
    yield f"{word} !defined({name}) || {name} < {knob.min} || {name} > {knob.max}"
    yield f'#error "{name}: define it, {knob.range_text}"'
    yield "#endif"


def _table_checks(slot: CurveSlot) -> Iterator[str]:
    """Tables of the base point that are neither in lib/src nor beside the configuration."""
    name = f"ECFIT_{slot.name.upper()}"
    numbers: tuple[str, ...] = ("COMB_TEETH", "COMB_BLOCKS")
    if slot.family == "montgomery":  # the table of the Edwards curve, where that has not its own
        edwards = slot.name.replace("x", "ed")
        alone = f"defined({name}_MULG_IS_COMB_EDWARDS) && !ECFIT_CURVE_{edwards.upper()}_ENABLED"
        tables = [("COMB", alone, edwards, "MULG=comb_edwards", numbers)]
    else:
        users = all_knobs()["WNAF_G"].used_by["MULD"]
        odd = " || ".join(f"defined({name}_MULD_IS_{user.upper()})" for user in users)
        tables = [
            ("COMB", f"defined({name}_MULG_IS_COMB_FLASH)", slot.name, "MULG=comb_flash", numbers),
            ("ODD", odd, slot.name, "MULD=naf", ("WNAF_G",)),
        ]
    for kind, asked, curve, user, knobs in tables:
        sets = ",".join([user, *(f"{knob}=.." for knob in knobs)])
        macros_ = ", ".join([curve, *(f"{name}_{knob}" for knob in knobs)])
        yield f"#if ({asked}) && !__has_include(ECFIT_{kind}_FILE({macros_}))"
        yield (
            f'#error "{name}_{" and _".join(knobs)}: lib/src/curve/comb has no such table; '
            f"`ecfit config --curve {slot.name} --set {sets} -o DIR` writes DIR/curve: "
            'put it beside this header"'
        )
        yield "#endif"


def config_check() -> str:
    """lib/include/ecfit_config_check.h: what Python validates,
    for those who write the configuration header by hand.
    """
    lines = [
        "/* ecfit_config_check.h - refuses a configuration that is incomplete, "
        "out of range or contradictory.",
        " * Generated from lib/knobs.toml; do not edit. */",
        "#ifndef ECFIT_CONFIG_CHECK_H",
        "#define ECFIT_CONFIG_CHECK_H",
        "",
    ]

    def checks(slot: CurveSlot | None) -> Iterator[str]:
        for knob in all_knobs().values():
            if knob.concerns(slot) if slot else knob.scope == "global":
                yield from (_slot_checks if knob.kind == "slot" else _number_checks)(knob, slot)

    last = leaves_of("")[-1].macro
    lines += [f"#ifndef {last}", f'#error "{OLD}"', "#endif"]
    lines += [*checks(None), *_core_checks(), *_unit_checks()]
    for slot in curve_slots():
        lines += ["", f"#if {slot.macro}_ENABLED", *checks(slot), "#endif"]
    lines += ["", "/* template.h has the names of tables. */"]
    lines += ["#if defined(ECFIT_COMB_FILE) && defined(__has_include)"]
    for slot in curve_slots():
        lines += [f"#if {slot.macro}_ENABLED", *_table_checks(slot), "#endif"]
    return "\n".join([*lines, "#endif", "", "#endif", ""])


def _needs(knob: Knob) -> str:
    parts = [f"only with {other} = {' or '.join(values)}" for other, values in knob.used_by.items()]
    return "; ".join(parts)


def knob_page() -> str:
    """docs/knobs.md."""
    presets = all_presets()
    lines = [
        "# Knobs",
        "",
        "Every setting of the library. A knob is a slot (which file) or a number (how much), "
        "and names what it spends.",
        "Generated from `lib/knobs.toml` and `ecfit/data/presets/` by `make generate`; "
        "do not edit.",
        "",
        "`ecfit bench --set KNOB=VALUE` sets a knob on top of a preset, "
        "`--set CURVE.KNOB=VALUE` for one curve only.",
        "In C, the same choice is a set of macros in `ecfit_config.h`; "
        "`ecfit_config_check.h` refuses contradictions.",
        "`BACKEND` is chosen by the target unless it is set.",
        "",
        "| knob | of | values | " + " | ".join(f"`{name}`" for name in presets) + " | spends |",
        "| --- | --- | --- | " + " | ".join("---" for _ in presets) + " | --- |",
    ]
    for knob in all_knobs().values():
        scope = "library" if knob.scope == "global" else "curve"
        chosen = [str(preset.values.get(knob.name, knob.default)) for preset in presets.values()]
        cells = [
            f"[`{knob.name}`](#{knob.name.lower()})",
            scope,
            knob.range_text,
            *chosen,
            knob.spends,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "## Presets", ""]
    for name, preset in presets.items():
        line = f"- `{name}`: {preset.description}"
        for where, own in preset.exceptions().items():
            line += f"; {where}: " + " ".join(f"`{knob}={value}`" for knob, value in own.items())
        lines.append(line)
    for knob in all_knobs().values():
        lines += ["", f"## {knob.name}", "", knob.help, ""]
        lines += [f"Spends: {knob.spends}. Default: `{knob.default}`. {_needs(knob)}".rstrip(), ""]
        if knob.kind == "number":
            lines.append(f"Values: {knob.range_text}.")
        gone = [f"- `{value}`: {instead}." for value, instead in knob.gone.items()]
        for choice, declared in knob.choices.items():
            needs = "".join(
                f" Needs {other} = {' or '.join(values)}."
                for other, values in declared.needs.items()
            )
            former = "".join(f" Formerly `{name}`." for name in declared.formerly)
            lines.append(f"- `{choice}`: {declared.help}.{needs}{former}".replace("..", "."))
        lines += ["", "Gone since 0.2:", "", *gone] if gone else []
        if knob.name == "BACKEND":
            lines += ["", *_core_list()]
    lines += ["", "## What each value costs and gains", "", *_measured()]
    lines += ["", *THESIS_LIBRARY]
    return wrapped("\n".join(lines) + "\n")


def _measured() -> list[str]:
    """The tables of the study of the knobs, from docs/results (tools/docs/studies.py)."""
    path = ROOT / "docs" / "results" / "knobs.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return text.replace("\n## ", "\n### ").strip().splitlines()[2:]


def texts() -> dict[Path, str]:
    """Every generated file with its text."""
    return {
        LIB / "include" / "ecfit_config.h": default_header(),
        LIB / "include" / "ecfit_config_check.h": config_check(),
        ROOT / "docs" / "knobs.md": knob_page(),
    }


def main(arguments: list[str]) -> int:
    """Writes the files, or with --check names those that differ (exit code 1)."""
    stale = [
        path
        for path, text in texts().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if "--check" in arguments:
            sys.stderr.write(
                f"{path.relative_to(ROOT)} is not what lib/knobs.toml says: run 'make generate'\n"
            )
        else:
            path.write_text(texts()[path], encoding="utf-8")
            sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
