"""What the tests of packages share: the programs of a user, and how they are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHOLE = pytest.mark.skipif(
    os.environ.get("ECFIT_PACKAGES") != "1",
    reason="builds a package as its user does, minutes in all: make long WHAT=packages",
)


def run(*command: object, cwd: Path | None = None, **variables: str) -> str:
    """Output of a command that ends well."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env={**os.environ, **variables},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.args}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def blocks(title: str) -> list[str]:
    """The blocks of code of a section of docs/packages.md: what a user types."""
    text = (ROOT / "docs" / "packages.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def copy_checkout(folder: Path) -> Path:
    """The files of this checkout that git knows, or would, as they are now: a clean one."""
    names = run("git", "ls-files", "-co", "--exclude-standard", "-z", cwd=ROOT)
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file() or (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name, follow_symlinks=False)
    return folder
