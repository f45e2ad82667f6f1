"""What `ecfit amalgamate` hands over is the library: the same code in every function, no warning
of C99 and C++ compilers, and right results, on this machine and on the simulator.

Sweep `amalgams` takes every preset of every curve and 20 random configurations, and runs the tests
of the library on amalgams (ECFIT_TEST_AMALGAM); here are samples.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ecfit.ship.expand import PLUMBING
from ecfit.ship.tokens import names_in
from workshop.library import amalgam as lib_amalgam
from workshop.library.amalgam import DIALECTS, STRICT, Case, objects, of_case
from workshop.paths import ROOT, SRC

ALL = bool(os.environ.get("ECFIT_AMALGAMS"))
SECONDS = 120
STEPS = (("RESUME", "steps"), ("WORK", "caller"), ("VERIFY", "hardened"), ("DER", "strict"))
SAMPLE = [
    Case("samd20", "secp256r1", "balanced"),
    Case("nrf52840", "ed25519", "fast"),
    Case("ibex", "x25519", "tiny"),
    Case("samd20", "x25519", "balanced", (("MULG", "comb_edwards"),)),
    Case("host", "secp256r1", "balanced", STEPS),
    Case("host", "secp384r1", "tiny", (("INSTANCE", "shared"), ("REDUCE", "mont"))),
    Case("cc2538", "x25519", "compact"),  # whose functions are aligned otherwise than by default
]
CASES = [*lib_amalgam.presets(), *lib_amalgam.random_cases(), *SAMPLE] if ALL else SAMPLE
FUNCTIONS = {"mp_mul", "mp_sqr_own"}  # which some backends have under these names


def name_of(case: Case) -> str:
    """How a test is called."""
    return case.name


@pytest.fixture(params=CASES, ids=name_of)
def case(request: pytest.FixtureRequest) -> Case:
    """A configuration."""
    found: Case = request.param
    return found


def test_the_same_code_runs_and_is_right(case: Case, tmp_path: Path) -> None:
    """Each function compiled alike, the image of a chip byte for byte the same, and each operation
    against the oracle.
    """
    own, other = of_case(case, tmp_path)
    for compiler in ("gcc", "clang") if ALL or case.target == "host" else ("gcc",):
        for tree, amalgam in objects(case, own, other, compiler):
            different = [name for name in amalgam if tree.get(name) != amalgam[name]]
            assert not different, (case, compiler, different)
            left_out = [name for name in tree if name not in amalgam and ".text.ecfit" not in name]
            assert not left_out, (case, compiler, left_out)
    image = lib_amalgam.image_of(case, other)
    assert set(lib_amalgam.statuses(case, image).values()) <= {"ok"}
    if case.target != "host":
        assert image.segments == lib_amalgam.image_of(case, own).segments


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "case", CASES if ALL else [*SAMPLE[::2], Case("host", "secp256k1", "fast")], ids=name_of
)
def test_no_warning(case: Case, dialect: str, tmp_path: Path) -> None:
    _, other = of_case(case, tmp_path)
    flags = [*STRICT, "-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY", "-fsyntax-only"]
    lib_amalgam.compiled([*DIALECTS[dialect], *flags, str(other.sources[0])])


def test_reads_as_if_written(case: Case, tmp_path: Path) -> None:
    """No name of a template is left, no line is too wide, conditions are only the compiler's,
    and more than two functions in three have a comment above them, as in the tree.
    """
    _, other = of_case(case, tmp_path)
    text = other.sources[0].read_text(encoding="utf-8")
    assert not names_in(text) & PLUMBING - FUNCTIONS
    assert not [line for line in text.splitlines() if len(line) > 100]
    assert re.findall("^#include.*", text, re.MULTILINE) == ['#include "ecfit.h"']
    assert "template:" not in text
    assert "\n\n\n" not in text
    assert not re.findall(r"[(]slot|of the slot|^ \* \*/", text, re.MULTILINE)
    assert text.count("clang-format off") == text.count("clang-format on")
    assert not _idle_macros(text)
    conditions = re.findall(r"^#\s*(?:if|elif).*", text, re.MULTILINE)
    compilers = "__|ECFIT_(ALLOW|DECLASSIFY|ADX|NO_MULTIPLIER)"
    assert all(re.search(compilers, line) for line in conditions)
    above = re.findall(r"^(.*)\nECFIT_(?:NOINLINE|STATIC|INLINE) [^\n;=]*\(", text, re.MULTILINE)
    # one of the random configurations leaves all operations out
    assert not above or sum(line.endswith("*/") for line in above) > 2 * len(above) / 3


def _idle_macros(text: str) -> list[str]:
    """Macros that nothing names behind the line that defines them, up to where they end, nor
    another macro.
    """
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    macros = re.findall(r"^#define ((?:.*\\\n)*.*)", text, re.MULTILINE)
    found = []
    for macro in re.finditer(r"^#define (\w+)", text, re.MULTILINE):
        rest = re.split(rf"^#undef {macro[1]}$", text[macro.end() :], flags=re.MULTILINE)[0]
        others = [body for body in macros if not re.match(rf"{macro[1]}\b", body)]
        if not re.search(rf"\b{macro[1]}\b", "\n".join([rest, *others])):
            found.append(macro[1])
    return found


def test_a_difference_is_noticed(tmp_path: Path) -> None:
    """The comparison of objects fails where a constant of the amalgam is another."""
    case = Case("host", "secp256r1", "tiny")
    own, other = of_case(case, tmp_path)
    path = other.sources[0]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("_sc_draws = 64", "_sc_draws = 65"), encoding="utf-8")
    ((tree, amalgam),) = objects(case, own, other, "gcc")
    assert [name for name in amalgam if tree.get(name) != amalgam[name]]


@pytest.mark.parametrize("core", ["-mcpu=cortex-m0plus", "-mcpu=cortex-m3"])
def test_a_core_where_the_backend_leaks_is_refused(core: str, tmp_path: Path) -> None:
    compiler = shutil.which("arm-none-eabi-gcc")
    assert compiler is not None, "tools/setup.sh test installs it"
    _, other = of_case(Case("ibex", "x25519", "tiny"), tmp_path)
    command = [compiler, core, "-mthumb", "-fsyntax-only", str(other.sources[0])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "BACKEND rv32im is not known to be constant-time on this core" in done.stderr
    lib_amalgam.compiled([*command, "-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"])


def test_the_tests_of_the_library_on_an_amalgam(tmp_path: Path) -> None:
    """RFC 6979, RFC 5903 and Wycheproof on one configuration; sweep `amalgams` runs the others."""
    variables = {
        **os.environ,
        "ECFIT_TEST_AMALGAM": "1",
        "ECFIT_TEST_CONFIGURATIONS": "balanced-w32",
        "ECFIT_CACHE": str(tmp_path),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "tests/lib/test_api_vectors.py"]
    done = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=SECONDS,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
    made = list((tmp_path / "libtest").glob("*/ecfit.c"))
    assert made
    assert SRC not in {path.parent for path in made}
