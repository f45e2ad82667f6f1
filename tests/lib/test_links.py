"""Every back end links at every level of optimisation: nothing relies on what a compiler folds.

`make test` takes -O0 with a preset each; CI all presets, levels and compilers, and amalgams.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ecfit.build import combs
from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from ecfit.ship.amalgam import amalgam
from workshop.library import link as lib_link

LEVELS = ("-O0", "-Og", "-O1")
FEW = ("secp256r1", "x25519", "ed25519")  # whose code in assembly has most conditions
SETS: tuple[dict[str, str], ...] = (
    {},
    {"SQUARE": "as_mul"},
    {"PRODUCT": "rows"},
    {"PRODUCT": "rows", "SQUARE": "as_mul"},
)
IN_ASSEMBLY = ("armv6m", "armv7m", "armv7em", "rv32im", "avr")


def linked(
    folder: Path,
    backend: str,
    preset: str,
    curves: tuple[str, ...],
    level: str,
    *,
    sets: dict[str, str] | None = None,
    clang: bool = False,
) -> str:
    """What is said of a configuration; empty: it links."""
    header = lib_link.written(folder, lib_link.configurations(curves, preset, backend, sets))
    return lib_link.said(folder, backend, header, (level,), clang=clang)


@pytest.mark.parametrize("backend", lib_link.CORES)
def test_without_optimisation(backend: str, tmp_path: Path) -> None:
    """In assembly the preset with most formulas; in C the one without hashes."""
    preset = "fast" if backend in IN_ASSEMBLY else "tiny"
    assert linked(tmp_path, backend, preset, FEW, "-O0") == ""


@pytest.mark.ci
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("preset", all_presets())
@pytest.mark.parametrize("backend", lib_link.CORES)
def test_every_level(backend: str, preset: str, level: str, tmp_path: Path) -> None:
    """With each kind of product and square in turn, of one curve or all together in turn."""
    every = (
        tuple(CURVES) if backend not in {"w8", "avr"} else FEW
    )  # all of them are more than an AVR has
    curves = [every, *((name,) for name in FEW)]
    number = list(all_presets()).index(preset) + LEVELS.index(level)
    sets = SETS[number % len(SETS)] if backend in IN_ASSEMBLY else {}
    names = curves[number % len(curves)]
    for clang in (False, True) if lib_link.CORES[backend].clang else (False,):
        what = linked(tmp_path, backend, preset, names, level, sets=sets, clang=clang)
        assert what == "", (sets, names, clang)


def delivered(
    folder: Path, backend: str, preset: str, curve: str, level: str, *, clang: bool = False
) -> str:
    """What is said of an amalgam."""
    found = lib_link.configurations([curve], preset, backend)
    header = lib_link.written(folder, found)
    tables = combs.missing_tables(curve, dict(found[curve].settings))
    for name, text in amalgam(header, tables, "a test").files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return lib_link.said(folder, backend, header, (level,), library=folder, clang=clang)


@pytest.mark.parametrize("backend", IN_ASSEMBLY)
def test_the_amalgam_without_optimisation(backend: str, tmp_path: Path) -> None:
    for curve in ("x25519", "ed25519"):
        assert delivered(tmp_path, backend, "fast", curve, "-O0") == ""


@pytest.mark.parametrize("backend", [one for one in IN_ASSEMBLY if lib_link.CORES[one].clang])
def test_no_stack_is_executable(backend: str, tmp_path: Path) -> None:
    """The linker warns where some objects say that theirs need not be, and others say nothing:
    those of clang say so, those of gcc for bare metal do not.
    """
    assert linked(tmp_path, backend, "tiny", ("x25519",), "-Os") == ""
    assert linked(tmp_path, backend, "tiny", ("x25519",), "-Os", clang=True) == ""
    assert delivered(tmp_path, backend, "tiny", "x25519", "-Os", clang=True) == ""


@pytest.mark.ci
@pytest.mark.parametrize("preset", all_presets())
@pytest.mark.parametrize("backend", lib_link.CORES)
def test_every_amalgam(backend: str, preset: str, tmp_path: Path) -> None:
    for curve, level in zip(FEW, LEVELS, strict=True):
        assert delivered(tmp_path, backend, preset, curve, level) == "", (curve, level)


def test_a_name_that_is_nowhere_is_found(tmp_path: Path) -> None:
    """The test itself: an image that lacks a function does not pass for one that links."""
    header = lib_link.written(tmp_path, lib_link.configurations(["x25519"], "fast", "armv7em"))
    without = header.replace("mp/armv7em/all.S", "none.h")
    (tmp_path / "ecfit_config.h").write_text(without, encoding="utf-8")
    what = lib_link.said(tmp_path, "armv7em", without, ("-O0",))
    assert "undefined reference to `ecfit_p25519_xz_steps'" in what


@pytest.mark.parametrize("backend", ["armv6m", "armv7m"])
def test_a_reduction_has_no_prime_that_it_is_not_proved_for(backend: str, tmp_path: Path) -> None:
    """What an image without assembly lacks is what it calls: `ecfit_mod_redc` for Brainpool's
    primes, also where another curve reduces by Montgomery's method.
    """
    for curve, called in (("secp384r1", False), ("secp256r1", False), ("brainpoolP384r1", True)):
        sets = {"REDUCE": "mont"}
        configurations = lib_link.configurations([curve], "fast", backend, sets)
        header = lib_link.written(tmp_path, configurations)
        without = header.replace(f"mp/{backend}/all.S", "none.h")
        (tmp_path / "ecfit_config.h").write_text(without, encoding="utf-8")
        what = lib_link.said(tmp_path, backend, without, ("-Os",))
        assert "undefined reference to `ecfit_mp_" in what
        assert ("undefined reference to `ecfit_mod_redc'" in what) == called, curve
