"""A part of the library's tests under the address and undefined-behaviour sanitizers
of two compilers.

`make long WHAT=san` runs all of them. Here: every backend, both presets, most choices,
fewer random inputs, no Wycheproof.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from workshop.library import build as lib_build
from workshop.library import curves as lib_curves
from workshop.library import rfc_api as lib_rfc_api
from workshop.library import sanitize as lib_sanitize
from workshop.library.build import CONFIGURATIONS
from workshop.paths import SRC

SECONDS = 900
SUBSET = {"gcc": "tiny-w32m16 hedged", "clang": "tiny-w32 balanced-w64 odd wide"}
LEFT_OUT = "not wycheproof and not toy and not every_cut"

pytestmark = [
    pytest.mark.ci,
    pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="already under a sanitizer"),
]


@pytest.mark.every
@pytest.mark.parametrize("compiler", SUBSET)
def test_sanitized(compiler: str) -> None:
    variables = lib_sanitize.environment(compiler)
    if compiler == "clang":  # compiles in a third of the time without optimisation
        variables["ECFIT_TEST_CFLAGS"] = variables["ECFIT_TEST_CFLAGS"].replace("-O1", "-O0")
    variables |= {"ECFIT_TEST_SCALE": "small", "ECFIT_TEST_CONFIGURATIONS": SUBSET[compiler]}
    command = lib_sanitize.command(["-x", "-k", LEFT_OUT])
    run = subprocess.run(
        command, env=variables, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert run.returncode == 0, f"{run.stdout[-4000:]}\n{run.stderr[-8000:]}"
    assert " passed" in run.stdout


@pytest.mark.parametrize("compiler", SUBSET)
def test_a_null_generator_is_not_moved(compiler: str) -> None:
    """Deterministic signing takes NULL for the generator; CHECK=verify once added 0 to it, which
    C does not define.
    """
    variables = lib_sanitize.environment(compiler)
    variables["ECFIT_TEST_CFLAGS"] = variables["ECFIT_TEST_CFLAGS"].replace("-O1", "-O0")
    file = Path(__file__).with_name("test_curves.py")
    command = lib_sanitize.command([f"{file}::test_deterministic_nonces[secp128r1-shared]"])
    run = subprocess.run(
        command, env=variables, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert run.returncode == 0, f"{run.stdout[-4000:]}\n{run.stderr[-8000:]}"
    assert "1 passed" in run.stdout


def test_every_preset_of_every_curve() -> None:
    """What `make long WHAT=san` builds, by the tables that the tests take their builds from."""
    presets = set(all_presets())
    builds = (lib_curves.BUILDS | lib_curves.OTHER_PRESETS).values()
    assert {preset for preset, _, _ in builds} == presets
    assert {
        name.split("-")[0] for name in (*lib_rfc_api.PRESETS, *lib_rfc_api.OTHER_PRESETS)
    } == presets
    assert {*lib_curves.NAMES, *lib_rfc_api.SIZES} == set(CURVES)


PLANTED = {
    "read past an array": ("mp_word any = 0;", "mp_word any = a[n];", "AddressSanitizer"),
    "shift too far": (
        "mp_word any = 0;",
        "mp_word any = a[0] << (MP_BITS + (int)n);",
        "runtime error: shift",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("compiler", SUBSET)
def test_a_planted_bug_is_found(compiler: str, name: str, tmp_path: Path) -> None:
    """The same set-up with a bug in mp_is_zero, which every operation calls."""
    old, new, message = PLANTED[name]
    text = (SRC / "mp" / "base.inc").read_text(encoding="utf-8")
    assert old in text
    variables = lib_sanitize.environment(compiler)
    compile_command = [
        compiler,
        "-std=c11",
        "-g",
        *variables["ECFIT_TEST_CFLAGS"].split(),
        "-w",
        "-shared",
        "-fPIC",
    ]
    path = lib_build.build(
        CONFIGURATIONS["tiny-w32"],
        [SRC / "ecfit.c"],
        compile_command,
        suffix=".so",
        replace={"mp/base.inc": text.replace(old, new)},
    )
    script = (
        "import ctypes, sys; c = ctypes.CDLL(sys.argv[1]); one = bytes(31) + b'\\x01';"
        "c.ecfit_secp256r1_public_key(ctypes.create_string_buffer(65), one, None)"
    )
    command = [sys.executable, "-c", script, str(path)]
    run = subprocess.run(
        command, env=variables, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert run.returncode != 0
    assert message in run.stderr
