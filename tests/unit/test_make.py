"""What `make test` says besides pytest: lines that are too wide, the time of its stages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import lint_width
import pytest

from ecfit.prose import wrapped

ROOT = Path(__file__).resolve().parents[2]
WIDE = "x" * 60 + " " + "y" * 60


def test_no_line_is_too_wide() -> None:
    assert lint_width.all_findings(ROOT) == []


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.py", f"a = 1\n# {WIDE}\n", [2]),
        ("a.c", f"/* {WIDE} */\n", [1]),
        ("a.md", f"{WIDE}\n\n| {WIDE} |\n```\n{WIDE}\n```\n", [1, 5]),
        ("a.md", f"- https://{'x' * 120}\n", []),
        ("a.toml", f"# {WIDE}\na = [1] # {WIDE}\n", [1, 2]),
        ("a.toml", f'a = {{ b = 1, c = "{WIDE}" }}\nd = ["{WIDE}", "e"]\n', []),
        ("a.toml", f'a = "{WIDE}"\nb = """\n{WIDE}"""\n    "{WIDE}",\n', [1, 3, 4]),
    ],
)
def test_a_planted_line_is_found(name: str, text: str, lines: list[int]) -> None:
    found = list(lint_width.findings(name, text))
    assert [int(line.split(":")[1]) for line in found] == lines
    assert all(line.startswith(f"{name}:") for line in found)


def test_every_kind_of_file_is_looked_at() -> None:
    """What people write, the generated tables of lib/src not."""
    found = set(lint_width.files(ROOT))
    assert {"Makefile", ".ci/run", "README.md", "sim/ecsim.h", "lib/knobs.toml"} <= found
    assert not any(name.endswith(("_params.inc", ".svg", ".json")) for name in found)


def test_wrapped_texts_say_the_same() -> None:
    """Filled once, and no more by a second time; tables, code and headings stay."""
    text = f"# {WIDE}\n\nwords `a b` {WIDE} - {WIDE} 4. end\n\n- one {WIDE}\n  and more\n"
    text += f"| {WIDE} |\n\n```\n{WIDE} {WIDE}\n```\n"
    after = wrapped(text)
    assert after.split() == text.split()
    assert wrapped(after) == after
    assert after.split("\n")[0] == f"# {WIDE}"
    assert f"{WIDE} {WIDE}\n```" in after
    assert not any(line.startswith(("4. ", "- y")) for line in after.split("\n"))


def test_a_stage_keeps_its_time_and_its_exit_code(tmp_path: Path) -> None:
    stage = ROOT / "tools" / "stage.sh"
    for name, command, code in (
        ("old", ["true"], 0),
        ("set-up", ["true"], 0),
        ("lint: x", ["sh", "-c", "sleep 0.1"], 0),
        ("fails", ["sh", "-c", "exit 7"], 7),
    ):
        done = subprocess.run([stage, name, *command], cwd=tmp_path, check=False, timeout=60)
        assert done.returncode == code
    lines = (tmp_path / ".cache" / "stages").read_text(encoding="utf-8").splitlines()
    assert [line.partition(" ")[2] for line in lines] == ["set-up", "lint: x"]
    assert 100 <= int(lines[1].partition(" ")[0]) < 60_000


def test_the_stages_stand_before_the_closing_line(tmp_path: Path) -> None:
    (tmp_path / "stages").write_text("1500 set-up\n2500 lint: width\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n", "0", f"--stages={tmp_path / 'stages'}"]
    done = subprocess.run(
        [*command, "tests/unit/measure/test_derive.py"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    words = [line.split() for line in done.stdout.splitlines()]
    assert ["set-up", "1.5"] in words
    assert ["lint:", "width", "2.5"] in words
    assert [
        line[0] for line in words if "tests/unit/measure/test_derive.py" in line and len(line) == 3
    ]
    assert words[-1][2] == "passed"
