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
VARIABLES: dict[str, str] = {}  # beside the usual ones
ASK = ("bench", "--target", "samd20", "--curve", "x25519", "--op", "ecdh", "--preset", "tiny")


def gate(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {"PATH": path, "ECFIT_CACHE": str(folder / "cache"), "HOME": str(folder / "home"),
                 "GITHUB_STEP_SUMMARY": str(folder / "step.md"), **VARIABLES}  # fmt: skip
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


LEAKY = """
int differs(const unsigned char *a, const unsigned char *b)
{
    for (int i = 0; i < 4; i++) {
        LINE
    }
    return 0;
}
"""
LEAKS, DOES_NOT = "if (a[i] != b[i]) return 1;", "if (*(volatile unsigned char *)&i > 9) return 1;"
MEASURE = ("figures.json", "0%", "measure", "--target", "stm32l4r5", "--elf", "it.o", "--function",
           "differs", "--arg", "secret:00010203", "--arg", "bytes:00010203")  # fmt: skip


def compiled(folder: Path, line: str) -> None:
    """The function, with that line in its loop."""
    (folder / "it.c").write_text(LEAKY.replace("LINE", line), encoding="utf-8")
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Os", "-g", "-c", "it.c"]
    subprocess.run(command, cwd=folder, check=True)


def test_a_leak_has_a_summary_and_a_repair_passes(tmp_path: Path) -> None:
    """Also where the repaired function is slower; and code that leaks from the beginning is kept,
    so that its speed can be watched.
    """
    compiled(tmp_path, DOES_NOT)
    assert gate(tmp_path, *MEASURE).returncode == 0
    compiled(tmp_path, LEAKS)
    leaks = gate(tmp_path, *MEASURE)
    assert leaks.returncode == 7, leaks.stderr
    assert "leak" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "if that is meant" in leaks.stderr
    (tmp_path / "figures.json").unlink()
    assert gate(tmp_path, *MEASURE).returncode == 5
    assert gate(tmp_path, *MEASURE).returncode == 0
    compiled(tmp_path, f"{DOES_NOT} {DOES_NOT}")
    assert gate(tmp_path, *MEASURE).returncode == 0


def test_ci_does_not_write_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be green for ever, since what it writes is thrown away."""
    monkeypatch.setitem(VARIABLES, "CI", "true")
    done = gate(tmp_path, "figures.json", "0%", *ASK)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert not (tmp_path / "figures.json").exists()


@pytest.mark.parametrize("words", [(), ("f", "1%"), ("f", "1%", "report"), ("f", "1x%", "size")])
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
