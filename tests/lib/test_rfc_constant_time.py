"""X25519, X448, Ed25519, Ed448 secrets undefined under valgrind: none may decide a branch
or an address.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.lib.test_constant_time import COMPILERS, FOR_VALGRIND, FOUND, has_adx, poisoned
from workshop.library import build as lib_build
from workshop.library.rfc_api import EXCHANGE, SETTINGS, SIZES, Setting
from workshop.paths import C_TESTS, SRC
from workshop.scale import FULL, some

OPERATIONS = {
    "exchange": ["exchange", "keygen", "public_key"],
    "signature": ["sign", "keygen", "public_key", "sign_ctx", "sign_ph"],
}
OTHERS = ["tiny-w32m16", "balanced-w64"]
ADX = {"balanced-w64", "fast-w64"}  # with products in assembly, if the processor has what they need
# Sweep `ct` runs all settings; here those whose multiplications differ, and of the longer curves,
# ten times as slow, one of each preset.
SHORT = ["tiny-w32m16", "balanced-w64", "mont", "wide", "complete", "comb"]
LONG = ["tiny-w32", "balanced-w64"]
CHECKED = [
    name
    for name, setting in SETTINGS.items()
    if FULL or setting.name in (SHORT if SIZES[setting.curve] == 32 else LONG)
]


def form(curve: str) -> str:
    """What kind of curve it is."""
    return "exchange" if curve in EXCHANGE else "signature"


def program(setting: Setting, compiler: str, replace: dict[str, str] | None = None) -> Path:
    """The test program for a configuration."""
    curve = setting.curve
    defines = [
        f"-DCT_CURVE={curve}",
        f"-DCT_SIZE={SIZES[curve]}",
        f'-DCT_FORM="ct_{form(curve)}.inc"',
        f"-DECFIT_ADX={2 if setting.name in ADX and has_adx() else 0}",
    ]
    command = [*COMPILERS[compiler], "-std=c11", *FOR_VALGRIND, *defines]
    sources = [*setting.units(), C_TESTS / "ct_rfc.c"]
    return lib_build.build(setting.config, sources, command, curves=[curve], replace=replace)


@pytest.mark.sampled
@pytest.mark.parametrize("name", some(CHECKED, 3))
def test_secrets_decide_nothing(name: str) -> None:
    """The operation that contains the others, and once for each kind of curve all of them,
    where keys are made another way, too.
    """
    setting = SETTINGS[name]
    operations = OPERATIONS[form(setting.curve)]
    whole = name in ("x25519-balanced-w64", "ed25519-balanced-w64", "x25519-comb")
    run = poisoned(program(setting, "gcc"), *(operations if whole else operations[:1]))
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("compiler", ["gcc-Os", "clang"])
@pytest.mark.parametrize("name", [name for name in CHECKED if SETTINGS[name].name in OTHERS])
def test_secrets_decide_nothing_with_other_compilers(name: str, compiler: str) -> None:
    setting = SETTINGS[name]
    run = poisoned(program(setting, compiler), OPERATIONS[form(setting.curve)][0])
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(
    ("operation", "message"), [("planted_branch", "Conditional"), ("planted_index", "Use of")]
)
def test_a_planted_leak_is_found(operation: str, message: str) -> None:
    setting = next(iter(SETTINGS.values()))
    run = poisoned(program(setting, "gcc"), operation)
    assert run.returncode == FOUND
    assert message in run.stderr


@pytest.mark.parametrize("curve", SIZES)
def test_the_secret_reaches_the_library(curve: str) -> None:
    """A leak planted in the arithmetic, by skipping differences with zero,
    is found in every operation.
    """
    text = (SRC / "mp" / "linear.inc").read_text(encoding="utf-8")
    leak = "    if (b[0] == 0) {\n        return 0;\n    }\n"
    leaking = re.sub(r"(mp_word mp_sub\([^{]*\{\n)", rf"\1{leak}", text, count=1)
    assert leaking != text
    setting = next(setting for setting in SETTINGS.values() if setting.curve == curve)
    path = program(setting, "gcc", {"mp/linear.inc": leaking})
    for operation in OPERATIONS[form(curve)][: None if SIZES[curve] == 32 else 1]:
        run = poisoned(path, operation)
        assert run.returncode == FOUND, operation
        assert "mp_sub" in run.stderr
