"""Runs each command of the first page, as a new user would, up to a signed message that an
emulated board verifies.

The installation is left out here; `make long WHAT=try` runs it too, in a new clone. There an editor
finds definitions: VS Code's way, by clangd; vim's way, by ctags.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.docs import first_page
from workshop.devices.consumer import copy_checkout, run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What git has of this folder, in another, with the environment of this one."""
    listed = subprocess.run(["git", "ls-files", "-z", "examples", "lib", "LICENSE"], cwd=ROOT,
                            capture_output=True, text=True, check=True)  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes((ROOT / name).read_bytes())
            (tmp_path / name).chmod((ROOT / name).stat().st_mode)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    return tmp_path


def test_from_the_first_page_to_a_verified_message(clone: Path) -> None:
    said = []
    for command in first_page.commands():
        if command.startswith(first_page.INSTALLS):
            continue
        done = first_page.run(command, clone)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        said.append(done.stdout)
    bench, check, board, *_ = said
    assert all(word in bench for word in ("tiny", "balanced", "verify", "class: C"))
    assert "Verified OK\n" in check
    assert "the signature of OpenSSL verifies\npublic key: 04" in board
    records = json.loads((clone / "build/mine/evidence.json").read_text(encoding="utf-8"))
    assert {record["op"] for record in records} == {"verify", "verify_message"}
    assert {path.name for path in (clone / "build/mine").glob("*.o")} == {
        "ecfit.o", "ecfit_asm.o", "example.o",
    }  # fmt: skip


@pytest.mark.ci
def test_definitions_are_found(tmp_path: Path) -> None:
    """The tool asks clangd at one call of each function, and fails where an answer is wrong."""
    clone = copy_checkout(tmp_path / "clone")
    path = {"PYTHONPATH": str(clone)}
    run(sys.executable, clone / "tools/checks/editor.py", cwd=clone, **path)
    said = run(sys.executable, clone / "tools/checks/clangd.py", "--list", cwd=clone, **path)
    found = dict(line.split() for line in said.splitlines() if line.count(" ") == 1)
    assert len(found) > 100, said
    run("ctags", "-R", cwd=clone)
    tags = (clone / "tags").read_text(encoding="utf-8").splitlines()
    rows = {tuple(row.split("\t")[:2]) for row in tags}
    for name in sorted(found)[:: len(found) // 10]:
        assert (name, f"lib/src/{found[name]}") in rows
