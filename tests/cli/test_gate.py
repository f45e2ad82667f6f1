"""The script that the action, the template and the container call: in an empty folder."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
GATE = ROOT / "tools" / "gate.sh"
ASK = ("bench", "--target", "samd20", "--curve", "x25519", "--op", "ecdh", "--preset", "tiny")


def gate(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {"PATH": path, "ECFIT_CACHE": str(folder / "cache"), "HOME": str(folder / "home"),
                 "GITHUB_STEP_SUMMARY": str(folder / "step.md")}  # fmt: skip
    return subprocess.run(
        [GATE, *words], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def test_it_writes_figures_then_compares_with_them(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    first = gate(tmp_path, "figures.json", "0%", *ASK)
    assert first.returncode == 0, first.stderr
    assert "commit it" in first.stderr
    assert gate(tmp_path, "figures.json", "0%", *ASK).returncode == 0
    (row,) = json.loads(figures.read_text(encoding="utf-8"))
    figures.write_text(json.dumps([row | {"cycles": row["cycles"] - 1000}]), encoding="utf-8")
    slower = gate(tmp_path, "figures.json", "0%", *ASK)
    assert slower.returncode == 7, slower.stderr
    assert "+1000" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert (tmp_path / "step.md").read_text(encoding="utf-8").endswith(slower.stdout)


@pytest.mark.parametrize("words", [(), ("f", "1%"), ("f", "1%", "report")])
def test_a_wrong_call_is_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = gate(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_who_calls_it_calls_it_so() -> None:
    """The arguments of the action and of the template, in their order."""
    (step,) = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    assert shlex.split(step["run"])[1:] == ["$FIGURES", "$LIMIT", "$COMMAND"]
    spec, job = yaml.safe_load_all((ROOT / "templates" / "gate.yml").read_text(encoding="utf-8"))
    names = [f"$[[ inputs.{name} ]]" for name in ("figures", "limit", "command")]
    assert job["ecfit"]["script"] == ['gate.sh "{}" "{}" {}'.format(*names)]
    assert set(spec["spec"]["inputs"]) == {"image", "figures", "limit", "command"}
