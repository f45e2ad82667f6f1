"""lib/include/ecfit_config_check.h, and for each family of curves a file with the checks that all
its curves share: what Python validates, for those who write the configuration header by hand.
It also checks the core: which back ends are known to be constant-time there (lib/knobs.toml).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from ecfit.choices.knobs import CurveSlot, Knob, all_knobs, curve_slots, macros, needed_knob
from ecfit.choices.leaves import leaves_of
from ecfit.choices.targets import FPU
from ecfit.errors import UsageError
from ecfit.paths import LIB
from ecfit.prose import WIDTH

ALLOW = "ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"  # compiles for any core, with any backend
NO_UNIT = f"""\
#if !defined(__ARM_FP) && !defined({FPU})
#error "FPU words needs a floating-point unit, and this compiler has none: where the core has \\
one, define {FPU}"
#endif
"""
UNKNOWN = "it is not known whether this core multiplies in constant time"
MADE = "Generated from lib/knobs.toml; do not edit."
OLD = "ecfit_config.h is of an older version: write it again with `ecfit config`"
FOLDER = "ecfit_config_check"
# The macros with which the file of a family asks about a curve.
ASKING = """\
/* A macro of the curve that is checked: ECFIT_SECP256R1_WINDOW for WINDOW. */
#define ECFIT_CHECKED(name) ECFIT_CHECK_CAT(ECFIT_CHECKED_CURVE, name)
#define ECFIT_CHECK_CAT(curve, name) ECFIT_CHECK_CAT_(curve, name)
#define ECFIT_CHECK_CAT_(curve, name) ECFIT_##curve##_##name

/* 1 if such a flag is defined, as 1, as 0 or as nothing; else 0. `defined` cannot be asked about a
 * name that is put together, so these make a comma of the value of a flag. */
#define ECFIT_CHECK_COMMA_1 0, 1
#define ECFIT_CHECK_COMMA_0 0, 1
#define ECFIT_CHECK_COMMA_ 0, 1
#define ECFIT_CHECKED_HAS(name) ECFIT_CHECK_COMMA(ECFIT_CHECKED(name))
#define ECFIT_CHECK_COMMA(value) ECFIT_CHECK_COMMA_OF(value)
#define ECFIT_CHECK_COMMA_OF(value) ECFIT_CHECK_SECOND(ECFIT_CHECK_COMMA_##value, 0, 0)
#define ECFIT_CHECK_SECOND(...) ECFIT_CHECK_SECOND_(__VA_ARGS__)
#define ECFIT_CHECK_SECOND_(first, second, ...) second

/* An error that names the curve, which #error cannot. A compiler without this pragma stops at the
 * message, which is no C. */
#define ECFIT_REFUSED(knob, ...) ECFIT_REFUSE(ECFIT_CHECKED_CURVE, knob, __VA_ARGS__)
#define ECFIT_REFUSE(curve, knob, ...) ECFIT_REFUSE_(curve, knob, __VA_ARGS__)
#define ECFIT_REFUSE_(curve, knob, ...) ECFIT_REFUSE_TEXT(ECFIT_##curve##_##knob: __VA_ARGS__)
#if defined(__GNUC__)
#define ECFIT_REFUSE_TEXT(...) ECFIT_REFUSE_PRAGMA(GCC error #__VA_ARGS__)
#define ECFIT_REFUSE_PRAGMA(...) _Pragma(#__VA_ARGS__)
#else
#define ECFIT_REFUSE_TEXT(...) #__VA_ARGS__
#endif"""


# ---- cores -------------------------------------------------------------------------------------


class Core(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A core, known to the preprocessor by `when`, where only `constant` are constant-time."""

    name: str
    when: str
    constant: tuple[str, ...]
    reason: str

    @property
    def advice(self) -> str:
        """What else to take."""
        return f"take BACKEND {' or '.join(self.constant)}" if self.constant else "no BACKEND helps"


class _Cores(msgspec.Struct, frozen=True):
    core: tuple[Core, ...]


@cache
def known_cores() -> tuple[Core, ...]:
    """All of them. Errors: UsageError."""
    try:
        return msgspec.toml.decode((LIB / "knobs.toml").read_bytes(), type=_Cores).core
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"lib/knobs.toml: {error}") from None


def cores_where_first(backend: str) -> tuple[Core, ...]:
    """The cores for which the default configuration takes a backend."""
    return tuple(core for core in known_cores() if core.constant[:1] == (backend,))


def any_of(cores: tuple[Core, ...]) -> str:
    """A condition of the preprocessor: it compiles for one of them."""
    return " || \\\n    ".join(f"({core.when})" for core in cores)


# ---- questions to the configuration ------------------------------------------------------------


def is_flag(knob: Knob, value: str, curve: str | None) -> str:
    """The macro that says that a slot has a value."""
    return macros(knob, value, curve)[-1][0]


def offered(knob: Knob, slot: CurveSlot | None) -> list[str]:
    """The values of a slot that there are for a curve, or for the library."""
    if slot is None:
        return list(knob.choices)
    instead = slot.instead.get(knob.name, {})
    return [
        value
        for value, choice in knob.choices.items()
        if value not in instead and slot.takes(choice)
    ]


# ---- what is checked ---------------------------------------------------------------------------


class Check(NamedTuple):
    """A condition under which a knob is wrong, and what is said; in both, <NAME> asks whether a
    flag of the curve is defined, {NAME} is a number of it, {} its name and @ the macro to blame.
    With choices, and the questions whether the knob has them: these need what is said.
    """

    asked: str
    knob: str
    said: str
    choices: tuple[tuple[str, str], ...] = ()


def _together(checks: list[Check]) -> Iterator[tuple[str, str, str]]:
    """What is asked, of which knob, and said; once for all choices that need the same."""
    alike: dict[Check, tuple[tuple[str, str], ...]] = {}
    for check in checks:
        key = check._replace(choices=())
        alike[key] = alike.get(key, ()) + check.choices
    for (asked, knob, text, _), choices in alike.items():
        if not choices:
            yield asked, knob, text
            continue
        either = " || ".join(flag for _, flag in choices)
        either = f"({either})" if len(choices) > 1 else either
        names = " and ".join(name for name, _ in choices)
        yield f"{either} && {asked}", knob, f"{names} need{'s' * (len(choices) == 1)} {text}"


def _flag(knob: Knob, value: str) -> str:
    """The question whether a slot has a value."""
    if knob.scope == "global":
        return f"defined({is_flag(knob, value, None)})"
    return f"<{knob.name}_IS_{value.upper()}>"


def _slot_checks(knob: Knob, slot: CurveSlot | None) -> Iterator[Check]:
    """That exactly one choice is made, with everything that it needs."""
    for former in knob.gone:
        yield Check(_flag(knob, former), knob.name, knob.gone_text(former))
    there = offered(knob, slot)
    names = ", ".join(f"@_IS_{value.upper()}" for value in there)
    total = " + ".join(_flag(knob, value) for value in there)
    yield Check(f"{total} != 1", knob.name, f"define exactly one of {names}")
    for choice in there:
        for partner, allowed in knob.choices[choice].needs.items():
            needed = all_knobs()[needed_knob(partner, slot) if slot else partner]
            if slot and needed.scope == "curve" and not needed.concerns(slot):
                continue
            where = slot if needed.scope == "curve" else None
            able = [value for value in offered(needed, where) if value in allowed]
            unable = [value for value in offered(needed, where) if value not in allowed]
            asked = f"!({' || '.join(_flag(needed, value) for value in able) or '0'})"
            others = len(needed.choices) - len(allowed)
            if others < len(allowed):  # the shorter way to ask, on every curve the same
                asked = " || ".join(_flag(needed, value) for value in unable)
                asked = f"({asked})" if len(unable) > 1 else asked
            text = f"{needed.name} {' or '.join(able)}"
            if unable:
                yield Check(asked, knob.name, text, ((choice, _flag(knob, choice)),))


def _number_checks(knob: Knob) -> Iterator[Check]:
    """That it is in its range; one that is not defined counts as 0."""
    assert knob.scope == "curve" and knob.min > 0, knob.name
    number = f"{{{knob.name}}}"
    assert macros(knob, "", "a")[0][0] == f"ECFIT_A_{knob.name}", knob.name
    for value in knob.gone:
        yield Check(f"{number} == {value}", knob.name, knob.gone_text(value))
    outside = f"{number} < {knob.min} || {number} > {knob.max}"
    yield Check(outside, knob.name, f"define it, {knob.range_text}")


def _table_checks(slot: CurveSlot) -> Iterator[Check]:
    """Tables of the base point that are neither in lib/src nor beside the configuration."""
    numbers: tuple[str, ...] = ("COMB_TEETH", "COMB_BLOCKS")
    if slot.family == "montgomery":  # the table of the Edwards curve, where that has not its own
        edwards = slot.name.replace("x", "ed")
        alone = f"<MULG_IS_COMB_EDWARDS> && !ECFIT_CURVE_{edwards.upper()}_ENABLED"
        tables = [("COMB", alone, edwards, "MULG=comb_edwards", numbers)]
    else:
        users = all_knobs()["WNAF_G"].used_by["MULD"]
        odd = " || ".join(f"<MULD_IS_{user.upper()}>" for user in users)
        tables = [
            ("COMB", "<MULG_IS_COMB_FLASH>", "{}", "MULG=comb_flash", numbers),
            ("ODD", odd, "{}", "MULD=naf", ("WNAF_G",)),
        ]
    for kind, asked, curve, user, knobs in tables:
        sets = ",".join([user, *(f"{knob}=.." for knob in knobs)])
        file = f"ECFIT_{kind}_FILE({', '.join([curve, *(f'{{{knob}}}' for knob in knobs)])})"
        text = (
            f"lib/src/curve/comb has no such table; `ecfit config --curve {{}} "
            f"--set {sets} -o DIR` writes DIR/curve: put it beside this header"
        )
        yield Check(f"({asked}) && !__has_include({file})", knobs[0], text)


# ---- where it is written -----------------------------------------------------------------------


def folded(condition: str, width: int = WIDTH) -> str:
    """A condition in lines of the width of the house, or of another."""
    lines = textwrap.wrap(condition, width - 2, subsequent_indent="    ", break_long_words=False)
    return " \\\n".join(lines)


def _chain(checks: list[Check], curve: str | None = None, *, shared: bool = False) -> list[str]:
    """#if and #elif, with an error each: of the library, of a curve, or of the curve that the file
    of a family is included for.
    """
    macro = f"ECFIT_{curve.upper()}_" if curve else "ECFIT_"
    flag, number, name = rf"defined({macro}\1)", rf"{macro}\1", curve or ""
    if shared:
        flag, number, name = (
            r"ECFIT_CHECKED_HAS(\1)", r"ECFIT_CHECKED(\1)", "ECFIT_CHECKED_NAME",
        )  # fmt: skip
    lines: list[str] = []
    for asked, knob, message in _together(checks):
        condition = re.sub(r"{(\w+)}", number, re.sub(r"<(\w+)>", flag, asked))
        text = message.replace("@", "" if shared else macro + knob).replace("{}", name)
        lines += [
            folded(f"#{'elif' if lines else 'if'} {condition.replace('{}', name)}"),
            f"ECFIT_REFUSED({knob}, {text})" if shared else f'#error "{macro}{knob}: {text}"',
        ]
    return [*lines, "#endif"] if lines else []


def _core_checks() -> Iterator[str]:
    """Backends that are not constant-time on the core that is compiled for, and unknown cores."""
    yield f"#if !defined({ALLOW})"
    word = "if"
    for core in known_cores():
        fit = [is_flag(all_knobs()["BACKEND"], value, None) for value in core.constant]
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
            yield f"#if defined({is_flag(knob, value, None)})\n{NO_UNIT}#endif"


def _groups(slot: CurveSlot) -> Iterator[list[Check]]:
    """The checks of each knob of a curve, and at last those of its tables."""
    for knob in all_knobs().values():
        if knob.concerns(slot):
            yield list(_slot_checks(knob, slot) if knob.kind == "slot" else _number_checks(knob))
    yield list(_table_checks(slot))


def _shared(family: str) -> Iterator[list[Check]]:
    """The same, of those that all curves of a family have."""
    slots = [slot for slot in curve_slots() if slot.family == family]
    for first, *others in zip(*map(_groups, slots), strict=True):
        yield [check for check in first if all(check in checks for checks in others)]


def _written(groups: list[list[Check]], curve: str | None) -> list[str]:
    """Checks of a curve, or of the one that the file of a family is included for (None)."""
    *of_knobs, of_tables = (_chain(group, curve, shared=curve is None) for group in groups)
    lines = [line for group in of_knobs for line in group]
    if of_tables:
        lines.append("#if defined(ECFIT_COMB_FILE) && defined(__has_include) /* template.h */")
        lines += [*of_tables, "#endif"]
    return lines


def family_checks() -> dict[str, str]:
    """The file of each family, by its name below lib/include."""
    files = {}
    for family in dict.fromkeys(slot.family for slot in curve_slots()):
        lines = [
            f"/* {FOLDER}/{family}.h - the checks that all curves of a family share.",
            " * It is included once for each curve of the image:",
            " * ECFIT_CHECKED_CURVE and ECFIT_CHECKED_NAME are its name, SECP256R1 and secp256r1.",
            f" * {MADE} */",
            *_written(list(_shared(family)), None),
            "#undef ECFIT_CHECKED_CURVE",
            "#undef ECFIT_CHECKED_NAME",
        ]
        files[f"{FOLDER}/{family}.h"] = "\n".join([*lines, ""])
    return files


def _curve_checks(slot: CurveSlot) -> Iterator[str]:
    """Those of its family, and its own."""
    yield f"#define ECFIT_CHECKED_CURVE {slot.name.upper()}"
    yield f"#define ECFIT_CHECKED_NAME {slot.name}"
    yield f'#include "{FOLDER}/{slot.family}.h"'
    pairs = zip(_groups(slot), _shared(slot.family), strict=True)
    own = [[check for check in group if check not in shared] for group, shared in pairs]
    yield from _written(own, slot.name)


def config_check() -> str:
    """lib/include/ecfit_config_check.h."""
    lines = [
        "/* ecfit_config_check.h - refuses a configuration that is incomplete, "
        "out of range or contradictory.",
        f" * {MADE} */",
        "#ifndef ECFIT_CONFIG_CHECK_H",
        "#define ECFIT_CONFIG_CHECK_H",
        "",
        f"#ifndef {leaves_of('')[-1].macro}",
        f'#error "{OLD}"',
        "#endif",
    ]
    for knob in all_knobs().values():
        if knob.scope == "global":
            lines += _chain(list(_slot_checks(knob, None)))
    lines += [*_core_checks(), *_unit_checks(), "", ASKING]
    for slot in curve_slots():
        lines += ["", f"#if {slot.macro}_ENABLED", *_curve_checks(slot), "#endif"]
    return "\n".join([*lines, "", "#endif", ""])


def check_files() -> dict[str, str]:
    """All of them, by their names below lib/include."""
    return {f"{FOLDER}.h": config_check(), **family_checks()}
