"""Runs the library's tests with the library built under the address
and undefined-behaviour sanitizers.

    python workshop/library/sanitize.py gcc|clang [pytest arguments]

All tests, with every preset of every curve, or those that the arguments name.

The sanitizer's runtime is loaded into Python; the first finding ends the run with a report
and a non-zero exit code.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2] / "tests" / "lib"
FLAGS = "-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
RUNTIME = {"gcc": "libasan.so", "clang": "libclang_rt.asan-x86_64.so"}
EXTRA_FLAGS = {"gcc": "", "clang": "-shared-libasan -gdwarf-4"}
# Tests that use the shared library; the others (lints, valgrind, simulator) build their own.
# CI has a part of FILES.
FILES = [
    "test_api_vectors",
    "test_api_errors",
    "test_api_differential",
    "test_sha256",
    "test_open_arithmetic",
    "test_toy",
    "test_hashes",
    "test_rfc_exchange",
    "test_rfc_signatures",
    "test_rfc_arithmetic",
    "test_rfc_toy",
]
MORE_FILES = [
    "test_curves",
    "test_steps",
    "test_der",
    "test_rng",
    "test_published",
    "test_wycheproof",
    "test_toy_mul",
]
# the simulator's libraries do not load beside a sanitizer
LEFT_OUT = "tests/lib/test_steps.py::test_on_a_chip"


def runtime(compiler: str) -> str:
    """Path of the runtime to preload. RuntimeError when the compiler does not have it."""
    if shutil.which(compiler) is None:
        raise RuntimeError(f"{compiler} is missing")
    names = [RUNTIME[compiler], RUNTIME[compiler].replace("-x86_64", "")]
    for name in names:
        command = [compiler, f"-print-file-name={name}"]
        path = subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=60
        ).stdout.strip()
        if Path(path).is_absolute():
            return path
    raise RuntimeError(f"{compiler} has no sanitizer runtime: {' or '.join(names)} not found")


def environment(compiler: str) -> dict[str, str]:
    """Variables for a Python process whose library builds are sanitized."""
    return os.environ | {
        "LD_PRELOAD": runtime(compiler),
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "ECFIT_TEST_CC": compiler,
        "ECFIT_TEST_CFLAGS": f"{FLAGS} {EXTRA_FLAGS[compiler]}".strip(),
    }


def command(arguments: list[str], names: list[str] = FILES) -> list[str]:
    """The pytest command for these arguments, with the files of `names` when they name none."""
    named = any(".py" in argument for argument in arguments)
    files = [] if named else [str(HERE / f"{name}.py") for name in names]
    plugins = ["-p", "no:cacheprovider", "-p", "no:xdist"]
    return [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        *plugins,
        f"--deselect={LEFT_OUT}",
        *files,
        *arguments,
    ]


def main() -> int:
    """Command line."""
    if len(sys.argv) < 2 or sys.argv[1] not in RUNTIME:
        print(__doc__, file=sys.stderr)
        return 2
    variables = environment(sys.argv[1]) | {"ECFIT_TEST_BUILDS": "all"}
    return subprocess.run(
        command(sys.argv[2:], FILES + MORE_FILES), env=variables, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
