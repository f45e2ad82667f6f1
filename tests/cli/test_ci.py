"""`ecfit compare` of checkouts and revisions, and the commands of docs/ci.md as they stand there,
in a repository with a change.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from workshop.cli.run import Done, Ecfit

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("ecfit", "lib", "sim", "firmware", "peers")
QUESTION = ("--target", "samd20", "--curve", "x25519", "--preset", "tiny", "--op", "ecdh")
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project in a repository of its own, as a pull request against main checks it out."""
    folder = tmp_path_factory.mktemp("repository")
    for part in PARTS:
        skip = shutil.ignore_patterns(
            "__pycache__", *([] if part == "ecfit" else ["build", "test"])
        )
        shutil.copytree(ROOT / part, folder / part, ignore=skip)
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "ecfit").symlink_to(ROOT / ".venv" / "bin" / "ecfit")
    (folder / ".gitignore").write_text(".venv\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "before")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    return folder


@pytest.fixture
def worse(repository: Path) -> Path:
    """An operation that does a little more than it did."""
    path = repository / "lib" / "src" / "api" / "exchange" / "x_ecdh.inc"
    text = path.read_text()
    slower = '    __asm__ volatile("nop\\n nop");\n    return status;'
    path.write_text(text.replace("    return status;", slower))
    assert path.read_text() != text
    return repository


def commands(name: str) -> list[str]:
    """What the workflows of the page run in the steps of that name, folded as YAML does."""
    steps = re.findall(
        rf"- name: {name}\n(?: +if: .*\n)? +run: (>\n)?((?:.+\n?)+?)(?= +- |```)", PAGE
    )
    return [" ".join(text.split()) for _, text in steps]


def shell(line: str, folder: Path, cache: Path, **environment: str) -> Done:
    """As a step of a workflow runs it."""
    variables = {**os.environ, "ECFIT_CACHE": str(cache), **environment}
    done = subprocess.run(
        ["bash", "-e", "-c", line], cwd=folder, env=variables, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return Done(done)


def test_the_workflow_of_the_page(worse: Path, cache: Path, tmp_path: Path) -> None:
    (compare,) = commands("compare")
    (show,) = commands("summary")
    done = shell(compare, worse, cache, GITHUB_BASE_REF="main")
    assert (done.code, "worse than --fail-on 1% allows" in done.err) == (0, False), done.err
    step = tmp_path / "step.md"
    assert shell(show, worse, cache, GITHUB_STEP_SUMMARY=str(step)).code == 0
    text = step.read_text()
    assert text.startswith("### ecfit: no figure is worse\n\n| target |")
    assert re.search(r"^\| samd20 \| ecfit \| tiny \| x25519 \| ecdh \| flash \|", text, re.M), text
    assert re.search(r"^- old: origin/main \([0-9a-f]{10}\)$", text, re.M)
    assert re.search(r"^- new: \. \([0-9a-f]+-dirty\)$", text, re.M)
    strict = shell(compare.replace("1%", "0%"), worse, cache, GITHUB_BASE_REF="main")
    assert (strict.code, "worse than --fail-on 0% allows" in strict.err) == (7, True)
    assert "figures are worse than allowed" in (worse / "summary.md").read_text()


TAG = """
#include <stdint.h>
int tag_differs(const uint8_t *tag, const uint8_t *other, uint32_t size)
{
    uint8_t found = 0;
    for (uint32_t i = 0; i < size; i++)
        found |= (uint8_t)(tag[i] ^ other[i]);
    return found;
}
"""
LEAKY = TAG.replace(
    "found |= (uint8_t)(tag[i] ^ other[i]);",
    'if (tag[i] != other[i]) { found |= 1; __asm__ volatile("nop"); }',
)
SLOWER = TAG.replace("    return", '    __asm__ volatile("nop\\n nop");\n    return')
RESULT = TAG.replace("return found", "return !found")


@pytest.mark.ci
def test_the_workflow_of_another_library(cache: Path, tmp_path: Path) -> None:
    """The recipe as it stands, in a repository from its first commit: the same code, code that
    takes longer, that leaks and no longer leaks, that is wrong; a commit without the function.
    """
    recipe = PAGE.partition("## A library that is not ours")[2].partition("```yaml\n")[2]
    workflow, _, rest = recipe.partition("```")
    assert len(workflow.splitlines()) <= 20
    (tmp_path / "ci").mkdir()
    script = rest.partition("```sh\n")[2].partition("```")[0]
    (tmp_path / "ci" / "cycles.sh").write_text(script)
    line = workflow.rpartition("- run: ")[2]
    (tmp_path / "src").mkdir()
    git(tmp_path, "init", "-q")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    states = [(TAG, 0), (SLOWER, 1), (LEAKY, 1), (TAG, 0), (RESULT, 1), ("int other;", 1), (TAG, 0)]
    said = []
    for text, code in states:
        (tmp_path / "src" / "tag.c").write_text(text)
        git(tmp_path, "add", "src")
        git(tmp_path, "commit", "-q", "-m", "change")
        for name in ("stm32f091.json", "nrf52840.json"):
            (tmp_path / name).unlink(missing_ok=True)  # a job begins with a new checkout
        done = shell(line, tmp_path, cache, PATH=path)
        assert done.code == code, (text, done.out, done.err)
        assert not (tmp_path / "old").exists()
        said.append(done.out + done.err)
    for chip in ("stm32f091", "nrf52840"):
        assert re.search(rf"^ {chip} +tag.o .* flash +(\d+) +\1 ", said[0], re.M), said[0]
    assert "worse than --fail-on 1% allows, the first: cycles" in said[1]
    assert "constant-time finding: branch by argument 1 at 0x" in said[2]
    assert re.search(r" status +leak +ok ", said[3]), said[3]
    assert "returned 0x1, not 0x0" in said[4]


def test_two_folders_and_a_file(ecfit: Ecfit, repository: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.json"
    assert ecfit("bench", *QUESTION, "--format", "json", "-o", str(records)).code == 0
    for old, new in ((".", "."), (str(records), "main"), ("HEAD", str(records))):
        done = ecfit("compare", old, new, "--fail-on", "0%", "--quiet", "--", *QUESTION,
                     cwd=repository)  # fmt: skip
        assert (done.code, done.err) == (0, ""), done.err
        assert "figures changed: 0; rows as they were: 1" in done.out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("no-such-branch .", "cannot be read: it is neither a file of records"),
        (". lib", "lib is no checkout of ecfit: it has no ecfit/cli.py"),
        ("figures.txt figures.txt -- --target samd20", "compared as they are"),
        (". . --fail-on 1", "as 1% or 0.5%"),
        ("-- --upload-pack=x .", "cannot be read"),
    ],
)
def test_what_cannot_be_compared(ecfit: Ecfit, repository: Path, line: str, said: str) -> None:
    (repository / "figures.txt").write_text("[]")
    done = ecfit("compare", *line.split(), cwd=repository)
    assert (done.code, said in done.error) == (2, True), done.err


def test_a_question_that_is_none(ecfit: Ecfit, repository: Path) -> None:
    done = ecfit("compare", ".", ".", "--quiet", "--", "--target", "nothing", cwd=repository)
    assert done.code == 2
    assert "unknown target 'nothing'" in done.err
    assert done.err.splitlines()[-1].startswith("ecfit: error: the bench of ")
