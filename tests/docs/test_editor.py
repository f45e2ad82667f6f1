"""An editor finds definitions in a fresh clone: VS Code's way, by clangd; vim's way, by ctags."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workshop.devices.consumer import copy_checkout, run


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
