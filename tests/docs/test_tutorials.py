"""Each tutorial, and a recipe, as a reader types it: every command ends well and prints what the
page shows.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tools.docs import first_page

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(sh|text)\n(.*?)^```", re.DOTALL | re.MULTILINE)
TIME = re.compile(r"\d+ ms")  # of a verification: it differs from signature to signature


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all that the commands read, and a build folder of its own."""
    for name in (".venv", "examples", "ecfit"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def followed(page: str, folder: Path) -> None:
    """Runs the page from top to bottom."""
    said = ""
    for kind, text in FENCE.findall((DOCS / page).read_text(encoding="utf-8")):
        if kind == "text":
            assert TIME.sub("", said).endswith(TIME.sub("", text)), page
            continue
        done = first_page.run(f"set -e\n{text}", folder)
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        said = done.stdout


@pytest.mark.ci
def test_the_tutorial_of_secure_boot(folder: Path) -> None:
    followed("tutorial-secure-boot.md", folder)


@pytest.mark.ci
def test_the_tutorial_of_tls(folder: Path) -> None:
    followed("tutorial-tls.md", folder)


@pytest.mark.ci
def test_a_verifier_in_a_bare_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}")
    followed("amalgam.md", folder)


def test_a_page_that_shows_something_else_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.DOCS", folder)
    (folder / "a.md").write_text("```sh\necho one 3 ms\n```\n\n```text\none 4 ms\n```\n", "utf-8")
    followed("a.md", folder)
    for shown in ("```sh\necho one\n```\n\n```text\ntwo\n```\n", "```sh\nfalse\n```\n"):
        (folder / "a.md").write_text(shown, "utf-8")
        with pytest.raises(AssertionError):
            followed("a.md", folder)
