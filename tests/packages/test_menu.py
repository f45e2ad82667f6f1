"""The knobs as a menu (Zephyr, ESP-IDF) and as symbols on a compiler's line (PlatformIO, Rust): the
configuration that follows is the one of `ecfit config`; versions and generated files agree.
"""

from __future__ import annotations

import itertools
import os
import random
import re
from collections.abc import Iterable
from pathlib import Path

import gen_packages
import kconfiglib
import pytest
from consumer import ROOT, run

import ecfit
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import all_knobs, curve_slots, header, resolve
from ecfit.choices.presets import all_presets
from ecfit.errors import UsageError

INCLUDE = ROOT / "packages" / "include"
MENU = ROOT / "packages" / "Kconfig.knobs"
EVERY = os.environ.get("ECFIT_PACKAGES") == "1"
BACKEND = "CONFIG_ECFIT_BACKEND_W32"


def macros(text: str, folder: Path) -> dict[str, str]:
    """What a C compiler knows of the library after this text, but for the symbols of the menu."""
    source = folder / "macros.c"
    source.write_text(text, encoding="utf-8")
    lines = run("cc", "-E", "-dM", f"-I{INCLUDE}", source).splitlines()
    words = [line.split(" ", 2)[1:] for line in lines if "ECFIT_" in line]
    values = {word[0]: word[1] if len(word) > 1 else "" for word in words}
    return {
        name: values.get(value, value)  # a number of the menu
        for name, value in values.items()
        if name.startswith("ECFIT_")
    }


def expected(preset: str, curves: Iterable[str], sets: dict[str, str], folder: Path) -> object:
    """The macros of `ecfit config` for these curves, each with the preset's values for itself."""
    first, *rest = [resolve(CURVES[name], preset, sets, "w32") for name in curves]
    names = list(curves)
    text = header(first, names[:1], more=dict(zip(names[1:], rest, strict=True)))
    return macros(text, folder)


def by_symbols(symbols: Iterable[str], folder: Path) -> object:
    """The macros of the header that takes symbols."""
    defines = "".join(f"#define {symbol}\n" for symbol in symbols)
    return macros(f'{defines}#include "ecfit_config.h"\n', folder)


def test_presets_and_curves_by_symbols(tmp_path: Path) -> None:
    """Every preset on every curve and on pairs of curves: all of them, or a sample."""
    names = [slot.name for slot in curve_slots()]
    pairs = list(itertools.combinations(names, 2))
    cases: list[tuple[str, ...]] = [*zip(names), *random.Random(1).sample(pairs, 10)]
    cases = cases if EVERY else random.Random(2).sample(cases, 5)
    for preset in all_presets():
        for curves in cases:
            chosen = [f"CONFIG_ECFIT_{name.upper()}" for name in curves]
            symbols = [BACKEND, f"CONFIG_ECFIT_PRESET_{preset.upper()}", *chosen]
            found = by_symbols([f"{name} 1" for name in symbols], tmp_path)
            assert found == expected(preset, curves, {}, tmp_path), (preset, curves)


def test_without_a_symbol_it_is_the_header_that_the_library_comes_with(tmp_path: Path) -> None:
    text = (ROOT / "lib/include/ecfit_config.h").read_text(encoding="utf-8")
    assert by_symbols([], tmp_path) == macros(text, tmp_path)


@pytest.fixture(scope="module")
def menu() -> kconfiglib.Kconfig:
    """The menu as Zephyr reads it."""
    kconfig = kconfiglib.Kconfig(str(ROOT / "zephyr" / "Kconfig"), warn_to_stderr=False)
    assert kconfig.warnings == []
    return kconfig


def symbols_of(menu: kconfiglib.Kconfig) -> list[str]:
    """What the build system would write to autoconf.h."""
    lines = (symbol.config_string for symbol in menu.unique_defined_syms)
    found = [re.match(r"(CONFIG_\w+)=(.+)", line) for line in lines]
    return [f"{m[1]} {'1' if m[2] == 'y' else m[2]}" for m in found if m]


def test_a_menu_says_what_the_command_line_says(menu: kconfiglib.Kconfig, tmp_path: Path) -> None:
    """Values of slots that a curve offers in `balanced`, where nothing forbids it: all of them, or
    a sample.
    """
    for name in ("secp256r1", "ed25519", "x448"):
        values = [
            (knob, value)
            for knob in all_knobs().values()
            for value in (knob.values if knob.kind == "slot" and knob.name != "BACKEND" else ())
        ]
        random.Random(3).shuffle(values)
        tried = 0
        for knob, value in values:
            symbol = f"ECFIT_{name.upper()}_{knob.name}_{value.upper()}"
            if knob.scope == "global":
                symbol = f"ECFIT_{knob.name}_{value.upper()}"
            settings = {f"{name}.{knob.name}" if knob.scope == "curve" else knob.name: value}
            if symbol not in menu.syms or (tried == 5 and not EVERY):
                continue
            try:
                wanted = expected("balanced", [name], settings, tmp_path)
            except UsageError:
                continue  # it needs another value of another knob
            menu.load_config(str(written(tmp_path, name, symbol)))
            assert by_symbols(symbols_of(menu), tmp_path) == wanted, symbol
            tried += 1
        assert tried > 10 if EVERY else tried == 5


def written(folder: Path, curve: str, *symbols: str) -> Path:
    """A configuration of a user."""
    lines = ["ECFIT", "ECFIT_BACKEND_W32", f"ECFIT_{curve.upper()}", *symbols]
    text = "".join(f"CONFIG_{line}=y\n" for line in lines)
    text += "" if curve == "secp256r1" else "# CONFIG_ECFIT_SECP256R1 is not set\n"
    path = folder / "prj.conf"
    path.write_text(text, encoding="utf-8")
    return path


def test_values_that_are_gone_are_refused_with_what_to_use_instead() -> None:
    include = (f"-I{INCLUDE}", f"-I{ROOT}/lib/include", f"-I{ROOT}/lib/src")
    for symbol, said in (
        ("MULV_LADDER=1", "MULV: ladder is gone: use ladder_x"),
        ("COMB_BLOCKS=3", "COMB_BLOCKS: 3 is gone: use 4"),
    ):
        with pytest.raises(AssertionError, match=said):
            flag = f"-DCONFIG_ECFIT_SECP256R1_{symbol}"
            run("cc", "-E", *include, flag, ROOT / "lib" / "src" / "ecfit.c")


def test_sizes_without_a_table_are_refused_with_the_command_that_writes_it() -> None:
    include = (f"-I{INCLUDE}", f"-I{ROOT}/lib/include", f"-I{ROOT}/lib/src")
    source = ROOT / "lib" / "src" / "ecfit.c"
    for symbol in ("COMB_TEETH=3", "COMB_BLOCKS=4"):
        said = r"no such table; `ecfit config --curve secp256r1 --set MULG=comb_flash,COMB_TEETH="
        with pytest.raises(AssertionError, match=said):
            run("cc", "-E", *include, f"-DCONFIG_ECFIT_SECP256R1_{symbol}", source)


def test_generated_files_are_up_to_date() -> None:
    assert gen_packages.outdated() == []


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
