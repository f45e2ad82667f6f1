"""What a shell asks for: completion of values, and the manual page; imports without `fcntl`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ecfit.cli import cli
from tools.packages import man
from workshop.cli.run import ECFIT

ROOT = Path(__file__).resolve().parents[2]


def completed(shell: str, typed: str, env_more: dict[str, str] | None = None) -> list[str]:
    """What a shell is offered for the last word."""
    words = typed.split(" ")
    env = {
        "_ECFIT_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": typed,
        "COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1),
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
    }
    done = subprocess.run(ECFIT, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if shell == "zsh":  # kind, value, help
        return lines[1::3]
    return [line.partition(",")[2].partition("\t")[0] for line in lines]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ecfit bench --target stm32f4", ["stm32f407", "stm32f411"]),
        ("ecfit fit --target samd20,stm32f40", ["samd20,stm32f407"]),
        ("ecfit size --curve brainpoolP5", ["brainpoolP512r1"]),
        ("ecfit config --preset low", ["lowram"]),
        ("ecfit bench --lib mono", ["monocypher"]),
        ("ecfit fid", ["fidelity"]),
    ],
)
def test_values_are_completed(shell: str, typed: str, offered: list[str]) -> None:
    assert completed(shell, typed) == offered


def test_the_manual_page_has_every_command_and_option() -> None:
    page = man.page().replace(r"\-", "-")
    for name, command in cli.every().items():
        assert f".SS ecfit {name} " in page
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert parameter.opts[0] in page
    assert not [line for line in page.splitlines() if not line or line.startswith("'")]


def test_everything_is_imported_without_fcntl() -> None:
    """As on Windows: the modules that the command line imports."""
    code = (
        "import sys; sys.modules['fcntl'] = None\n"
        "import pkgutil, importlib, ecfit\n"
        "for m in pkgutil.walk_packages(ecfit.__path__, 'ecfit.'):\n"
        "    if not m.name.endswith('__main__'): importlib.import_module(m.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
