"""The fuzz targets of the library: each builds and finds nothing in a second (sweep `fuzz`: in
minutes), and a planted bug is found.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.fuzz import fuzz_lib
from workshop.paths import ROOT

SECONDS = 1
# A negative number in DER taken for a positive one: (target, old, new).
PLANTED = [("der", "in[0] > 0x7f", "in[0] > 0xff")]


def fuzz(program: Path, folder: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    """Runs a target from an empty corpus, always with the same random numbers."""
    options = [
        f"-max_total_time={seconds}",
        "-seed=1",
        "-max_len=400",
        "-timeout=20",
        f"-artifact_prefix={folder}/",
    ]
    return subprocess.run(
        [str(program), *options],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def build(*arguments: str) -> Path:
    """The program that tools/fuzz/fuzz_lib.py makes."""
    command = [sys.executable, str(ROOT / "tools" / "fuzz" / "fuzz_lib.py"), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


INNER = {"der", "ecdsa"}  # the parser, and what has the most functions; all in the outer ring


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in INNER else [pytest.mark.ci])
        for name in fuzz_lib.TARGETS
    ],
)
def test_smoke(name: str, tmp_path: Path) -> None:
    run = fuzz(build(name), tmp_path, SECONDS)
    assert run.returncode == 0, run.stderr[-3000:]
    assert "DONE" in run.stderr


def test_every_target_is_in_make_fuzz() -> None:
    text = (ROOT / "tools" / "fuzz" / "run.sh").read_text(encoding="utf-8")
    listed = next(line for line in text.splitlines() if line.startswith("LIB="))
    assert sorted(re.findall(r"lib-(\w+)", listed)) == fuzz_lib.TARGETS


@pytest.mark.ci
@pytest.mark.parametrize(("name", "old", "new"), PLANTED)
def test_a_planted_bug_is_found(name: str, old: str, new: str, tmp_path: Path) -> None:
    run = fuzz(build(name, "--break", old, new), tmp_path, 60)
    assert run.returncode != 0
    assert "not so" in run.stderr


def test_a_text_that_is_not_there_is_no_bug_to_plant() -> None:
    command = [
        sys.executable,
        str(ROOT / "tools" / "fuzz" / "fuzz_lib.py"),
        "der",
        "--break",
        "nowhere to be found",
        "x",
    ]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    assert (run.returncode, run.stderr) == (
        1,
        "fuzz: 'nowhere to be found' stands in 0 files, not in one\n",
    )
