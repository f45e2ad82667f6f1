"""Presets, curves, operations and backends as a menu (Zephyr, ESP-IDF) and as symbols on a
compiler's line (PlatformIO, Rust): the configuration that follows is the one of `ecfit config`;
versions and generated files agree.
"""

from __future__ import annotations

import itertools
import os
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import kconfiglib
import pytest

import ecfit
from ecfit.choices.curves import CURVES, HASHING, OPS
from ecfit.choices.knobs import all_knobs, curve_slots, find_slot, header, resolve
from ecfit.choices.presets import all_presets
from ecfit.errors import UsageError
from tools.packages import gen_packages
from workshop.devices.consumer import ROOT, run

INCLUDE = ROOT / "packages" / "include"
EVERY = os.environ.get("ECFIT_PACKAGES") == "1"
NO_SETS: Mapping[str, str] = {}
OP_SETS = [ops for size in range(1, 5) for ops in itertools.combinations(OPS, size)]


def macros(text: str, folder: Path) -> dict[str, str]:
    """What a C compiler knows of the library and the curves of the image after this text, but for
    the symbols of the menu.
    """
    source = folder / "macros.c"
    source.write_text(text, encoding="utf-8")
    lines = run("cc", "-E", "-dM", f"-I{INCLUDE}", source).splitlines()
    words = [line.split(" ", 2)[1:] for line in lines if "ECFIT_" in line]
    values = {word[0]: word[1] if len(word) > 1 else "" for word in words}
    curves = [slot.name.upper() for slot in curve_slots()]
    absent = [name for name in curves if values.get(f"ECFIT_CURVE_{name}_ENABLED") != "1"]
    found = {}
    for name, value in values.items():
        for_others = name.startswith(tuple(f"ECFIT_{curve}_" for curve in absent))
        if not name.startswith("ECFIT_") or for_others:
            continue
        value_of = value
        while value_of in values:  # as another curve
            value_of = values[value_of]
        if not value_of.startswith("ECFIT_"):  # where the other has none
            found[name] = value_of
    return found


def text_of(
    preset: str,
    curves: Sequence[str],
    backend: str = "w32",
    ops: Sequence[str] = OPS,
    sets: Mapping[str, str] = NO_SETS,
) -> str:
    """The header of `ecfit config` for these curves, each with the preset's values for itself."""
    alone = ops if len(curves) == 1 else ()
    first, *rest = [resolve(CURVES[name], preset, sets, backend, ops=alone) for name in curves]
    there = [*ops, *(op for op, whole in HASHING.items() if whole in ops)]
    return header(first, curves[:1], there, more=dict(zip(curves[1:], rest, strict=True)))


def by_symbols(chosen: Iterable[str], folder: Path) -> dict[str, str]:
    """The macros of the header that takes symbols."""
    defines = "".join(f"#define {symbol}\n" for symbol in chosen)
    return macros(f'{defines}#include "ecfit_config.h"\n', folder)


def symbols(preset: str, curves: Iterable[str], backend: str, ops: Iterable[str]) -> list[str]:
    """What a user chooses, without CONFIG_ECFIT_."""
    chosen = [f"PRESET_{preset}", f"BACKEND_{backend}", *curves, *(f"OP_{op}" for op in ops)]
    return [name.upper() for name in chosen]


def test_presets_curves_backends_and_operations_by_symbols(tmp_path: Path) -> None:
    """Every preset on every curve and on pairs of curves: all of them, or a sample."""
    names = [slot.name for slot in curve_slots()]
    pairs = list(itertools.combinations(names, 2))
    backends = [name for name in all_knobs()["BACKEND"].values if name not in {"w8", "w16"}]
    cases: list[tuple[str, ...]] = [*zip(names), *random.Random(1).sample(pairs, 10)]
    cases = cases if EVERY else random.Random(2).sample(cases, 5)
    of = random.Random(4)
    for preset, curves in itertools.product(all_presets(), cases):
        for ops in (OPS, of.choice(OP_SETS), ("ecdh",), ("verify",)):
            backend = of.choice(backends)
            chosen = symbols(preset, curves, backend, ops)
            try:
                text = text_of(preset, curves, backend, ops)
            except UsageError:  # no file for this curve with that backend
                continue
            found = by_symbols([f"CONFIG_ECFIT_{name} 1" for name in chosen], tmp_path)
            assert found == macros(text, tmp_path), chosen


def test_without_a_symbol_it_is_the_header_that_the_library_comes_with(tmp_path: Path) -> None:
    text = (ROOT / "lib/include/ecfit_config.h").read_text(encoding="utf-8")
    assert by_symbols([], tmp_path) == macros(text, tmp_path)


@pytest.fixture(scope="module")
def menu() -> kconfiglib.Kconfig:
    """The menu as Zephyr reads it."""
    kconfig = kconfiglib.Kconfig(str(ROOT / "zephyr" / "Kconfig"), warn_to_stderr=False)
    assert kconfig.warnings == []
    return kconfig


MCUBOOT = """
config MCUBOOT
    bool
    default y

config BOOT_SIGNATURE_TYPE_ECDSA_P256
    bool
    default y

config BOOT_ENCRYPT_IMAGE
    bool "Encrypted images"

choice BOOT_ECDSA_IMPLEMENTATION
    prompt "Ecdsa implementation"
    default BOOT_ECDSA_TINYCRYPT

config BOOT_ECDSA_TINYCRYPT
    bool "Use tinycrypt"

endchoice
"""


@pytest.mark.parametrize("first", [True, False], ids=["module first", "MCUboot first"])
def test_mcuboot_offers_ecfit_and_keeps_its_default(tmp_path: Path, *, first: bool) -> None:
    """Wherever Zephyr reads the module; an encrypted image takes what MCUboot has."""
    parts = [f'source "{ROOT}/zephyr/Kconfig"', MCUBOOT]
    (tmp_path / "Kconfig").write_text("\n".join(parts if first else parts[::-1]), encoding="utf-8")
    found = kconfiglib.Kconfig(str(tmp_path / "Kconfig"), warn_to_stderr=False)
    choice = found.named_choices["BOOT_ECDSA_IMPLEMENTATION"]
    assert choice.selection.name == "BOOT_ECDSA_TINYCRYPT"
    assert found.syms["ECFIT"].str_value == "n"
    found.syms["BOOT_ECDSA_ECFIT"].set_value("y")
    assert choice.selection.name == "BOOT_ECDSA_ECFIT"
    assert found.syms["ECFIT"].str_value == "y"
    found.syms["BOOT_ENCRYPT_IMAGE"].set_value("y")
    assert choice.selection.name == "BOOT_ECDSA_TINYCRYPT"
    assert found.warnings == []


def symbols_of(menu: kconfiglib.Kconfig) -> list[str]:
    """What the build system would write to autoconf.h."""
    lines = (symbol.config_string for symbol in menu.unique_defined_syms)
    found = [re.match(r"(CONFIG_\w+)=(.+)", line) for line in lines]
    return [f"{m[1]} {'1' if m[2] == 'y' else m[2]}" for m in found if m]


def test_a_menu_says_what_the_command_line_says(menu: kconfiglib.Kconfig, tmp_path: Path) -> None:
    """What a user leaves out of the operations, too."""
    for preset, curve, backend, ops in (
        ("balanced", "secp256r1", "armv7em", ("verify",)),
        ("tiny", "secp256r1", "armv6m", ("ecdh",)),
        ("fast", "ed25519", "rv32im", ("sign", "verify")),
        ("lowram", "x448", "w32", OPS),
    ):
        lines = [f"CONFIG_ECFIT_{name}=y" for name in symbols(preset, [curve], backend, ops)]
        left_out = [f"OP_{op.upper()}" for op in OPS if op not in ops]
        left_out += [] if curve == "secp256r1" else ["SECP256R1"]
        lines += [f"# CONFIG_ECFIT_{name} is not set" for name in left_out]
        path = tmp_path / "prj.conf"
        path.write_text("\n".join(["CONFIG_ECFIT=y", *lines, ""]), encoding="utf-8")
        menu.load_config(str(path))
        assert menu.warnings == []
        wanted = macros(text_of(preset, [curve], backend, ops), tmp_path)
        assert by_symbols(symbols_of(menu), tmp_path) == wanted, (preset, curve)


def test_a_header_of_ones_own_sets_every_knob(tmp_path: Path) -> None:
    """The values of all knobs on three curves, through ECFIT_CONFIG_FILE: all, or a sample."""
    for curve in ("secp256r1", "ed25519", "x448"):
        values = [
            (knob.name if knob.scope == "global" else f"{curve}.{knob.name}", value)
            for knob in all_knobs().values()
            if knob.scope == "global" or knob.concerns(find_slot(curve))
            for value in (knob.values if knob.kind == "slot" else (str(knob.max),))
        ]
        random.Random(3).shuffle(values)
        tried = 0
        for name, value in values:
            try:
                text = text_of("balanced", [curve], sets={name: value})
            except UsageError:
                continue  # it needs another value of another knob
            (tmp_path / "mine.h").write_text(text, encoding="utf-8")
            file = [f'ECFIT_CONFIG_FILE "{tmp_path}/mine.h"', "CONFIG_ECFIT_PRESET_TINY 1"]
            found = by_symbols(file, tmp_path)
            assert found.pop("ECFIT_CONFIG_FILE") == f'"{tmp_path}/mine.h"'
            assert found == macros(text, tmp_path), (name, value)
            tried += 1
            if tried == 5 and not EVERY:
                break
        assert tried > 10 if EVERY else tried == 5


def test_symbols_of_knobs_are_refused_with_what_to_use_instead() -> None:
    include = (f"-I{INCLUDE}", f"-I{ROOT}/lib/include", f"-I{ROOT}/lib/src")
    for symbol, what in (
        ("SECP256R1_MULV_LADDER=1", "secp256r1"),
        ("SECP256R1_CHECK_VERIFY=1", "secp256r1"),
        ("ED25519_COMB_BLOCKS=3", "ed25519"),
        ("SHA256_CALLER=1", "the library"),
    ):
        said = f"{what}: a knob is no symbol any more: name a header of `ecfit config`"
        with pytest.raises(AssertionError, match=said):
            flag = f"-DCONFIG_ECFIT_{symbol}"
            run("cc", "-E", *include, flag, ROOT / "lib" / "src" / "ecfit.c")


def test_sizes_without_a_table_are_refused_with_the_command_that_writes_it(tmp_path: Path) -> None:
    include = (f"-I{INCLUDE}", f"-I{ROOT}/lib/include", f"-I{ROOT}/lib/src")
    source = ROOT / "lib" / "src" / "ecfit.c"
    for name, value in (("COMB_TEETH", "3"), ("COMB_BLOCKS", "4")):
        sets = {"MULG": "comb_flash", name: value}
        text = text_of("balanced", ["secp256r1"], sets=sets)
        (tmp_path / "mine.h").write_text(text, encoding="utf-8")
        said = r"no such table; `ecfit config --curve secp256r1 --set MULG=comb_flash,COMB_TEETH="
        with pytest.raises(AssertionError, match=said):
            run("cc", "-E", *include, f'-DECFIT_CONFIG_FILE="{tmp_path}/mine.h"', source)


def test_every_package_has_one_version() -> None:
    """A new version reaches every file, and nothing else in them."""
    for name, patterns in gen_packages.STAMPED.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert gen_packages.stamped(text, patterns) == text
        new = gen_packages.stamped(text, patterns, "7.8.9")
        assert new.count("7.8.9") + new.count("0x070809") == len(patterns)
    for name in ("library.json", "idf_component.yml", "packages/arduino/library.properties"):
        assert ecfit.__version__ in (ROOT / name).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="nothing is like"):
        gen_packages.stamped("", (r"^version @$",))
