"""Texts generated from lib/knobs.toml alone: the default configuration header, the checks of
checks.py and docs/knobs.md.

`python -m ecfit.choices.knobdocs` writes them (make generate); with --check it writes nothing,
names what differs and fails.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

from ecfit.choices.checks import (
    ALLOW,
    any_of,
    check_files,
    cores_where_first,
    is_flag,
    known_cores,
)
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import Knob, all_knobs, header, macros, resolve
from ecfit.choices.leaves import leaf_conditions, leaf_lines
from ecfit.choices.presets import DEFAULT_PRESET, all_presets
from ecfit.paths import LIB, ROOT
from ecfit.prose import wrapped

DEFAULT_CURVE = "secp256r1"
MEASURED = "<!-- table: tools/docs/studies.py -->\n"  # to the page's end
SHORT, SHORT_SETS = "w8", {"REDUCE": "mont"}  # words for which no reduction is written
PRESETS = [
    "A preset gives each knob the value in its column of the table above. The lines under a preset "
    "say where it has other values. That depends on the curve, the back end (such as `armv6m`) and "
    "the operations in the image. If several lines fit, all of them apply; where two give a knob "
    "different values, the later line wins.",
    "",
    "`SIGN=eddsa_pair` takes no function away. `ecfit_ed25519_sign` still signs with the private "
    "key alone. [Two functions](#sign) are added: `ecfit_ed25519_key_pair` makes a key pair, and "
    "`ecfit_ed25519_sign_pair` signs with it in half the time. `ecfit bench` and `ecfit ct` then "
    "call `ecfit_ed25519_sign_pair`. To measure or check `ecfit_ed25519_sign`, add "
    "`--set SIGN=eddsa`. The same holds for Ed448.",
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
        short_value = dict(short.settings)[knob]
        if knob != "BACKEND" and short_value != value:
            condition = f"#if defined({is_flag(all_knobs()['BACKEND'], SHORT, None)})\n"
            own, instead = (_lines(all_knobs()[knob], chosen) for chosen in (value, short_value))
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
    guard = "#define ECFIT_CONFIG_H\n"
    assert guard in text
    text = text.replace(guard, guard + "".join(f"{line}\n" for line in required()))
    return text.replace(fixed, backend_by_core())


def required() -> list[str]:
    """Lines of a header that stands in for one of the user's: an error for him who has one."""
    return [
        "#if defined(ECFIT_CONFIG_REQUIRED)",
        '#error "ECFIT_CONFIG_REQUIRED: this is the default: name the folder of yours before it"',
        "#endif",
    ]


def _default_term(settings: Mapping[str, str], vary: Collection[str], name: str, value: str) -> str:
    """The condition that a column of lib/leaves.toml has a value in the default header."""
    if name not in vary:
        return str(int({**settings, "curve": DEFAULT_CURVE}[name] == value))
    knob = all_knobs()[name]
    backends = [usual for usual in knob.choices if cores_where_first(usual)]
    there = backends if name == "BACKEND" else (settings[name], SHORT_SETS[name])
    curve = None if knob.scope == "global" else DEFAULT_CURVE
    return f"defined({is_flag(knob, value, curve)})" if value in there else "0"


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


def _needs(knob: Knob) -> str:
    parts = [f"only with {owner} = {' or '.join(values)}" for owner, values in knob.used_by.items()]
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
    lines += ["", "## Presets", "", *PRESETS, ""]
    for name, preset in presets.items():
        lines.append(f"- `{name}`: {preset.description}")
        for where, own in preset.exceptions().items():
            values = " ".join(f"`{knob}={value}`" for knob, value in own.items())
            lines.append(f"  - {where}: {values}")
    for knob in all_knobs().values():
        lines += ["", f"## {knob.name}", "", knob.help, ""]
        lines += [f"Spends: {knob.spends}. Default: `{knob.default}`. {_needs(knob)}".rstrip(), ""]
        if knob.kind == "number":
            lines.append(f"Values: {knob.range_text}.")
        gone = [f"- `{value}`: {instead}." for value, instead in knob.gone.items()]
        for choice, declared in knob.choices.items():
            needs = "".join(
                f" Needs {partner} = {' or '.join(values)}."
                for partner, values in declared.needs.items()
            )
            former = "".join(f" Formerly `{name}`." for name in declared.formerly)
            lines.append(f"- `{choice}`: {declared.help}.{needs}{former}".replace("..", "."))
        lines += ["", "Gone since 0.2:", "", *gone] if gone else []
        if knob.name == "BACKEND":
            lines += ["", *_core_list()]
    lines += ["", "## What each value costs and gains", "", ""]
    return wrapped("\n".join(lines)) + _measured()


def _measured() -> str:
    """The tables of the study of the knobs, as tools/docs/studies.py left them on the page."""
    page = ROOT / "docs" / "knobs.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    return MEASURED + text.partition(MEASURED)[2]


def texts() -> dict[Path, str]:
    """Every generated file with its text."""
    return {
        LIB / "include" / "ecfit_config.h": default_header(),
        **{LIB / "include" / name: text for name, text in check_files().items()},
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
