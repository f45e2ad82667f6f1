"""ecfit_config_check.h refuses what lib/knobs.toml does not allow, and names curve, knob and value:
on each curve, whichever file has the check. A header is read back to the choices that it was made
from.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from ecfit.choices import headers, knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import CurveSlot, Knob, all_knobs, curve_slots
from ecfit.choices.presets import all_presets
from ecfit.paths import LIB

SAMPLE = None if os.environ.get("ECFIT_TEST_SCALE") in ("ci", "full") else 10


class Wrong(NamedTuple):
    """A change of a configuration header: macros that are defined, or not; who is to blame, and
    what the message says.
    """

    gone: tuple[str, ...]
    new: Mapping[str, str]
    knob: str
    said: str


def values_of(knob: Knob, slot: CurveSlot) -> list[str]:
    """Those that a curve has."""
    return [
        value
        for value, choice in knob.choices.items()
        if value not in slot.instead.get(knob.name, {}) and slot.takes(choice)
    ]


def wrong_slot(knob: Knob, slot: CurveSlot, value: str) -> Iterator[Wrong]:
    """Of a slot that has this value now."""
    name = f"ECFIT_{slot.name.upper()}_{knob.name}_IS_"
    flag, there = name + value.upper(), values_of(knob, slot)
    other = name + next((one for one in there if one != value), "nothing").upper()
    last = f"{knob.name}_IS_{there[-1].upper()}"
    one_of = rf"define exactly one of .*{last.removeprefix(knob.name)}\b"
    yield Wrong((flag,), {}, knob.name, one_of)
    if len(there) > 1:
        for text in ("1", "0", ""):  # a flag is there or not, whatever its value
            yield Wrong((), {other: text}, knob.name, one_of)
    for former, instead in knob.gone.items():
        text = f"{former} is gone: {re.escape(instead)}"
        yield Wrong((flag,), {name + former.upper(): "1"}, knob.name, text)
    for choice in there:
        yield from lacking(knob, slot, flag, choice)


def lacking(knob: Knob, slot: CurveSlot, flag: str, choice: str) -> Iterator[Wrong]:
    """A value that needs others; one of these after the other is missing."""
    needs = {
        name: allowed
        for name, allowed in knobs.needed(slot, knob.name, choice).items()
        if all_knobs()[name].scope == "global" or all_knobs()[name].concerns(slot)
    }
    for missing, able in needs.items():
        if set(values_of(all_knobs()[missing], slot)) <= set(able):
            continue  # each value will do, and the lack of one is that knob's error
        gone, new = [flag], {f"ECFIT_{slot.name.upper()}_{knob.name}_IS_{choice.upper()}": "1"}
        for name, allowed in needs.items():
            asked = all_knobs()[name]
            curve = "" if asked.scope == "global" else f"{slot.name.upper()}_"
            gone += [f"ECFIT_{curve}{name}_IS_{one.upper()}" for one in asked.choices]
            fit = [one for one in values_of(asked, slot) if (one in allowed) != (name == missing)]
            new |= {f"ECFIT_{curve}{name}_IS_{one.upper()}": "1" for one in fit[:1]}
        # One error for all values that need the same.
        said = rf"(\w+ and )*{choice}( needs|( and \w+)* need) {missing} "
        yield Wrong(tuple(gone), new, knob.name, said)


def wrong_number(knob: Knob, slot: CurveSlot) -> Iterator[Wrong]:
    """Of a number."""
    name = f"ECFIT_{slot.name.upper()}_{knob.name}"
    said = f"define it, {re.escape(knob.range_text)}"
    yield Wrong((name,), {}, knob.name, said)
    for value in (knob.min - 1, knob.max + 1, *map(int, knob.gone)):
        gone = knob.gone.get(str(value))
        text = f"{value} is gone: {re.escape(gone)}" if gone else said
        yield Wrong((name,), {name: str(value)}, knob.name, text)


def right(slot: CurveSlot) -> str:
    """A header that is in order."""
    return knobs.header(knobs.resolve(CURVES[slot.name], "balanced", {}, "w32"), [slot.name])


def wrong(slot: CurveSlot) -> Iterator[Wrong]:
    """All of a curve."""
    header = right(slot)
    for knob in all_knobs().values():
        if not knob.concerns(slot):
            continue
        if knob.kind == "number":
            yield from wrong_number(knob, slot)
            continue
        found = re.search(rf"_{slot.name.upper()}_{knob.name}_IS_(\w+) 1$", header, re.M)
        assert found, knob.name
        yield from wrong_slot(knob, slot, found[1].lower())


def checked(
    header: str, folder: Path, include: Path = LIB / "include", cc: str = "gcc"
) -> list[str]:
    """What a compiler says of a configuration, error by error; nothing where it is in order."""
    (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
    source = '#include "ecfit_config.h"\n#include "template.h"\n#include "ecfit_config_check.h"\n'
    command = [
        *cc.split(),
        "-fsyntax-only",
        *(f"-I{path}" for path in (folder, include, LIB / "src")),
    ]
    done = subprocess.run(
        [*command, "-xc", "-"], input=source, capture_output=True, text=True, check=False,
        env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    said = re.findall(r"error: (?:#error )?(.*)", done.stderr)
    assert bool(said) == (done.returncode != 0), done.stderr
    return said


def changed(header: str, change: Wrong) -> str:
    """The header with the change."""
    for name in change.gone:
        header = re.sub(rf"^#define {name}\b.*\n", "", header, flags=re.M)
    new = "".join(f"#define {name} {text}\n" for name, text in change.new.items())
    before, end, rest = header.rpartition("#endif")
    return before + new + end + rest


@pytest.mark.sampled
@pytest.mark.parametrize("slot", curve_slots(), ids=lambda slot: slot.name)
def test_what_is_wrong_is_refused_by_its_name(slot: CurveSlot, tmp_path: Path) -> None:
    assert checked(right(slot), tmp_path) == []
    cases = list(wrong(slot))
    for case in cases if SAMPLE is None else random.Random(slot.name).sample(cases, SAMPLE):
        said = checked(changed(right(slot), case), tmp_path)
        blamed = rf"\"?ECFIT_{slot.name.upper()}_{case.knob}: {case.said}"
        assert any(re.match(blamed, line) for line in said), (case, said)


@pytest.mark.parametrize("cc", ["clang", "gcc -U__GNUC__", "clang -fgnuc-version=0"])
def test_other_compilers_refuse_it_too(cc: str, tmp_path: Path) -> None:
    """A compiler without the pragma stops at the message."""
    slot = next(slot for slot in curve_slots() if slot.name == "secp256r1")
    change = Wrong((), {"ECFIT_SECP256R1_WIPE_IS_NONE": "1"}, "WIPE", "")
    source = changed(right(slot), change)
    assert checked(right(slot), tmp_path, cc=cc) == []
    said = checked(source, tmp_path, cc=cc)
    message = "ECFIT_SECP256R1_WIPE: define exactly one of _IS_STACK, _IS_NONE"
    assert any(message in line for line in said) == ("GNUC" not in cc and "gnuc" not in cc)
    assert said


# ---- a header read back --------------------------------------------------------------------------

BACKENDS = ("w32m16", "armv6m", "armv7em", "rv32im")
TOGETHER = (
    ("secp256r1", "x25519"),
    ("x25519", "ed25519"),
    ("secp384r1", "ed25519"),
    ("secp256r1", "x25519", "ed25519"),
    ("secp256r1", "secp384r1", "x25519"),
)


def header(preset: str, backend: str, curves: tuple[str, ...], **sets: str) -> str:
    """Of all operations of curves in one image."""
    several = sum(CURVES[name].form == "weierstrass" for name in curves) > 1
    made = {
        name: knobs.resolve(CURVES[name], preset, sets, backend, several=several) for name in curves
    }
    first = made.pop(curves[0])
    return knobs.header(first, [curves[0]], CURVES["secp256r1"].ops, more=made)


@pytest.mark.check
@pytest.mark.parametrize("curves", TOGETHER, ids="+".join)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("preset", all_presets())
def test_a_preset_of_several_families_sets_nothing(
    preset: str, backend: str, curves: tuple[str, ...]
) -> None:
    """Where their values of a global knob differ, the header has the last one's."""
    text = header(preset, backend, curves)
    asked = headers.read(text, "it")
    assert asked.sets == (f"BACKEND={backend}",), asked.preset
    assert header(asked.preset, backend, curves) == text


@pytest.mark.check
def test_a_value_of_the_whole_library_is_said_once() -> None:
    curves = ("secp256r1", "x25519", "ed25519")
    for value in ("fermat", "divsteps"):
        asked = headers.read(header("compact", "armv6m", curves, INVERT=value), "it")
        assert (asked.preset, asked.sets) == ("compact", ("BACKEND=armv6m", f"INVERT={value}"))
