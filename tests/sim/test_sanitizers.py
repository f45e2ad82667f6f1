"""Part of these tests again on a build with address and undefined-behaviour sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workshop.library import sanitize as lib_sanitize

pytestmark = pytest.mark.ci
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TIMEOUT = 900
COMPILER = "clang"  # of `make long WHAT=san`


def sanitized_environment() -> dict[str, str]:
    """Python itself is not instrumented, so the runtime comes first and leaks
    are not its business.
    """
    return {
        **os.environ,
        "LD_PRELOAD": lib_sanitize.runtime(COMPILER),
        "ASAN_OPTIONS": "detect_leaks=0",
        "ECFIT_LIBECSIM": str(ROOT / "sim" / "libecsim-san.so"),
    }


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    build = ["make", "-s", "-C", str(ROOT / "sim"), "san"]
    subprocess.run(build, check=True, timeout=TIMEOUT)
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=False,
        cwd=ROOT,
        env=sanitized_environment(),
    )  # fmt: skip


@pytest.mark.usefixtures("cross_compiler")
def test_faults_flash_and_observations_are_clean() -> None:
    names = (
        "faults",
        "armv7m_faults",
        "rv32_faults",
        "flash",
        "observe",
        "rv32_observe",
    )
    files = [str(HERE / f"test_{name}.py") for name in names]
    slow = "not keyboard_interrupt"  # which measures time
    done = run(
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", slow, *files]
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


@pytest.mark.parametrize(
    ("script", "much"),
    [
        ("workshop/cores/differential.py armv6m", 20_000),
        ("workshop/cores/differential.py armv7m", 20_000),
        ("workshop/cores/differential.py rv32", 20_000),
        ("workshop/rigs/noise.py", 100),
        ("workshop/rigs/taint_pairs.py", 40),  # slow here; many more run without sanitizers
    ],
)
def test_random_programs_and_bytes_are_clean(script: str, much: int) -> None:
    program, *instruction_set = script.split()
    done = run([str(ROOT / program), *instruction_set, str(much), "7"])
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]


def test_the_sanitizers_are_on() -> None:
    """A read of a wild address, made on purpose, is reported as theirs."""
    script = """
import ctypes
from ecfit.sim import abi
row_name = abi.library().ecsim_row_name
row_name.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
row_name(1, 0)
"""
    done = run(["-c", script])
    assert done.returncode != 0
    assert "AddressSanitizer" in done.stderr


def commands(goal: str) -> list[str]:
    """How the objects of a library of the simulator are compiled."""
    make = ["make", "-n", "-B", "-C", str(ROOT / "sim"), goal]
    done = subprocess.run(make, capture_output=True, text=True, timeout=TIMEOUT, check=True)
    return [line for line in done.stdout.splitlines() if " -c " in line]


def test_gcc_and_clang_have_no_warning() -> None:
    """Both have compiled all of it, or there is no library, with warnings that are errors;
    `make warnings` asks them where `cc` is no gcc.
    """
    for goal in ("all", "san"):
        assert len(commands(goal)) > 30
        assert all("-Wconversion" in line and "-Werror" in line for line in commands(goal))
    assert all(line.startswith("clang ") for line in commands("san"))
    said = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True).stdout
    if "Free Software Foundation" not in said:
        make = ["make", "-s", "-C", str(ROOT / "sim"), "warnings"]
        done = subprocess.run(make, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
