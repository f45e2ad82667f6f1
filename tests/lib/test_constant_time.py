"""Secrets as undefined memory under valgrind: no branch and no address may depend on them,
in any preset and backend.

The compiler of the host makes this code, not that of a target: it shows what the source does.
Instructions of a target are the simulator's business.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from workshop.library import build as lib_build
from workshop.library.build import CONFIGURATIONS
from workshop.paths import C_TESTS, SRC
from workshop.scale import some

FOUND = 9
FOR_VALGRIND = ["-include", str(C_TESTS / "ct_valgrind.h")]
SECONDS = 600
OPERATIONS = ["keygen", "public_key", "ecdh", "sign"]
COMPILERS = {
    "gcc": ["gcc", "-g", "-O2"],
    "gcc-Os": ["gcc", "-g", "-Os"],
    "clang": ["clang", "-O2", "-gdwarf-4"],
}


def program(name: str, compiler: str) -> Path:
    """The test program for a configuration."""
    command = [*COMPILERS[compiler], "-std=c11", *FOR_VALGRIND]
    config = CONFIGURATIONS[name]
    return lib_build.build(config, [*lib_build.units(config), C_TESTS / "ct.c"], command)


def operations(name: str) -> list[str]:
    """Those with a secret; of messages where the configuration has the hash."""
    has_hash = dict(CONFIGURATIONS[name].settings)["SHA256"] != "none"
    return [*OPERATIONS, *(["sign_message"] if has_hash else [])]


def poisoned(path: Path, *operations: str, count: int = 1) -> subprocess.CompletedProcess[str]:
    """One run under valgrind, of some operations; exit code FOUND when a secret decided something,
    and each place where one did in its words.
    """
    valgrind = shutil.which("valgrind")
    assert valgrind, "valgrind is missing"
    command = [
        valgrind,
        "-q",
        f"--error-exitcode={FOUND}",
        "--track-origins=no",
        str(path),
        str(count),
        *operations,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.mark.sampled
@pytest.mark.parametrize("name", some(CONFIGURATIONS, 3))
def test_secrets_decide_nothing(name: str) -> None:
    run = poisoned(program(name, "gcc"), *operations(name))
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("compiler", ["gcc-Os", "clang"])
@pytest.mark.parametrize("name", ["tiny-w32m16", "balanced-w32m16", "balanced-w64"])
def test_secrets_decide_nothing_with_other_compilers(name: str, compiler: str) -> None:
    run = poisoned(program(name, compiler), *operations(name))
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("curve", "size"),
    [("secp256r1", 32), ("secp256k1", 32), ("secp384r1", 48), ("secp521r1", 66)],
)
def test_secrets_decide_nothing_on_computers(curve: str, size: int, compiler: str) -> None:
    """The fields of w64 with the tables of `fast`, and what this processor has: assembly, and
    look-ups by vectors. Valgrind says that there is no ADX, but executes it.
    """
    config = knobs.resolve(CURVES[curve], "fast", {"BACKEND": "w64"}, "w64")
    defines = [f"-DCT_CURVE={curve}", f"-DCT_SIZE={size}", f"-DECFIT_ADX={2 if has_adx() else 0}"]
    command = [*COMPILERS[compiler], "-std=c11", *defines, *FOR_VALGRIND]
    sources = [*lib_build.units(config), C_TESTS / "ct.c"]
    run = poisoned(lib_build.build(config, sources, command, curves=[curve]), *OPERATIONS)
    assert run.returncode == 0, run.stderr


def has_adx() -> bool:
    """Whether this machine has MULX, ADCX, ADOX and vectors of four words."""
    found = Path("/proc/cpuinfo")
    flags = set(found.read_text().split()) if found.exists() else set()
    return {"bmi2", "adx", "avx2"} <= flags


@pytest.mark.parametrize(
    ("operation", "message"), [("planted_branch", "Conditional"), ("planted_index", "Use of")]
)
def test_a_planted_leak_is_found(operation: str, message: str) -> None:
    run = poisoned(program("tiny-w32", "gcc"), operation)
    assert run.returncode == FOUND
    assert message in run.stderr


def test_the_secret_reaches_the_library() -> None:
    """A leak planted in the library's own arithmetic, by skipping additions of zero,
    is found in every operation.
    """
    text = (SRC / "mp" / "linear.inc").read_text(encoding="utf-8")
    leak = "    if (keep.word == 0) {\n        return 0;\n    }\n"
    leaking = re.sub(r"(mp_word mp_add\([^{]*\{\n)", rf"\1{leak}", text, count=1)
    assert leaking != text
    command = [*COMPILERS["gcc"], "-std=c11", *FOR_VALGRIND]
    sources = [SRC / "ecfit.c", C_TESTS / "ct.c"]
    path = lib_build.build(
        CONFIGURATIONS["tiny-w32"], sources, command, replace={"mp/linear.inc": leaking}
    )
    for operation in OPERATIONS:
        run = poisoned(path, operation)
        assert run.returncode == FOUND, operation
        assert "mp_add" in run.stderr
