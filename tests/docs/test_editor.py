"""An editor finds definitions in a fresh clone: VS Code's way, by clangd; vim's way, by ctags."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from consumer import copy_checkout, run

# Functions as the code calls them, in fast on the Cortex-M4, with the file that runs.
FUNCTIONS = {
    "ecdsa_sign": "api/ecdsa/sign.inc",
    "fe_inv": "field/inverse/by_chain.inc",
}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh one, in which `make editor` was run, without its set-up."""
    folder = copy_checkout(tmp_path_factory.mktemp("editor") / "clone")
    environment = {"PYTHONPATH": str(folder)}
    command = [sys.executable, folder / "tools/editor.py"]
    run(*command, "--preset", "fast", "--target", "nrf52840", cwd=folder, **environment)
    return folder


@pytest.mark.ci
def test_clangd_finds_every_function(clone: Path) -> None:
    """The tool prints what is missed; ten functions by name, so that it asks about them at all."""
    done = subprocess.run(
        [sys.executable, str(clone / "tools/clangd.py"), "--list"], cwd=clone, check=False,
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(clone)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = dict(line.split() for line in done.stdout.splitlines() if line.count(" ") == 1)
    print(found)
