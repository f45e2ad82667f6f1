"""`tools/setup.sh`: nothing is printed when it works; a step that fails says what it said."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
USED = ("sh", "cat", "cc", "cksum", "cut", "dirname", "getconf", "mkdir", "make", "rm", "sha256sum",
        "touch", "xargs", "flock", "python3", "arm-none-eabi-gcc", "echo")  # fmt: skip
NOISE = "echo said much; echo and more >&2\n"
SIMULATOR = "all: ; @echo compiling; touch libecsim.so\n"


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout where cargo is missing, the environment is empty, and the simulator not built.
    Its commands talk; apt-get installs cargo.
    """
    for name in USED:
        found = shutil.which(name)
        assert found is not None, name
        script(tmp_path / "bin" / name, f'exec {found} "$@"\n')
    script(tmp_path / "bin" / "id", "echo 0\n")
    cargo = tmp_path / "bin" / "cargo"
    script(tmp_path / "bin" / "apt-get", f"{NOISE}{shutil.which('cp')} /bin/true {cargo}\n")
    script(tmp_path / ".venv" / "bin" / "python", NOISE)
    script(tmp_path / ".venv" / "bin" / "ecfit", "")
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "Makefile").write_text(SIMULATOR, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup.sh", tmp_path / "tools")
    return tmp_path


def set_up(checkout: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        ["tools/setup.sh", "bench"], cwd=checkout, env={"PATH": str(checkout / "bin")},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_it_is_silent_when_it_works_and_when_there_is_nothing_to_do(checkout: Path) -> None:
    assert set_up(checkout) == (0, "", "")
    assert (checkout / "bin" / "cargo").is_file()
    assert (checkout / "sim" / "libecsim.so").is_file()
    assert len(list((checkout / ".venv").glob("ecfit-bench-*"))) == 1
    script(checkout / "bin" / "apt-get", "exit 1\n")  # no step is done again
    script(checkout / ".venv" / "bin" / "python", "exit 1\n")
    assert set_up(checkout) == (0, "", "")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("bin/apt-get", "setup: apt-get could not install: cargo"),
        (".venv/bin/python", "setup: the Python packages could not be installed: see above"),
        ("sim/Makefile", "setup: the simulator does not build: see above"),
    ],
)
def test_a_step_that_fails_says_why(checkout: Path, command: str, said: str) -> None:
    if command.endswith("Makefile"):
        (checkout / command).write_text("all: ; @echo no space left; false\n", encoding="utf-8")
    else:
        script(checkout / command, "echo no space left >&2; exit 1\n")
    code, out, err = set_up(checkout)
    assert (code, out) == (3, "")
    assert "no space left" in err
    assert err.splitlines()[-1] == said


def test_what_cannot_be_installed_is_named(checkout: Path) -> None:
    """Somebody who is not root, on a system without sudo."""
    script(checkout / "bin" / "id", "echo 1000\n")
    code, out, err = set_up(checkout)
    assert (code, out) == (3, "")
    assert err.startswith("setup: missing packages: cargo (for instance: apt-get install cargo)")


@pytest.mark.parametrize(
    ("manager", "line"),
    [("dnf", "dnf install cargo"), ("pacman", "pacman -S rust"), ("brew", "brew install rust")],
)
def test_another_system_is_told_its_own_command(checkout: Path, manager: str, line: str) -> None:
    """By the names that the packages have there; nothing is installed."""
    (checkout / "bin" / "apt-get").unlink()
    for name in ("awk", "sort"):
        script(checkout / "bin" / name, f'exec {shutil.which(name)} "$@"\n')
    script(checkout / "bin" / manager, "exit 1\n")
    code, out, err = set_up(checkout)
    assert (code, out) == (3, "")
    assert err == f"setup: missing packages: cargo (install them: {line})\n"
