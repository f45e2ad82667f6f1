"""A value of a knob stands in one place: adding one takes its file and its lines of
lib/knobs.toml, and a line of the changelog; removing it the same three.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ecfit.paths import ROOT

FOLDERS = ("ecfit", "lib", "tests/lib", "tools")
VALUE = """\
[knob.choices.digits_three]
help = "a value that only this test has"
macros = { "ECFIT_{CURVE}_MULV" = "mul/digits_three.inc" }
needs = { COORDINATES = ["jacobian"] }
"""
BEFORE = "[knob.choices.binary]\n"  # of MULV
SEEN = """
import json, sys
from tools import ct
from workshop.library import build
from ecfit.choices import knobdocs, knobs
from ecfit.choices.curves import find_curve
from ecfit.choices.knobspace import variants
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError

P256, chip = find_curve("secp256r1"), find_target("lpc1114")
try:
    knobs.resolve(P256, "balanced", {"MULV": "digits_three"}, "w32")
    error = ""
except UsageError as raised:
    error = str(raised)
texts = {path.name: text for path, text in knobdocs.texts().items()}
print(json.dumps({
    "error": error,
    "tests": [n for n, c in build.CONFIGURATIONS.items()
              if ("MULV", "digits_three") in c.settings],
    "ct": [line.sets for line in ct.PLAN if "MULV=digits_three" in " ".join(line.sets)],
    "study": [v.value for v in variants(P256, "balanced", chip) if v.knob == "MULV"],
    "family": texts["weierstrass.h"].count("DIGITS_THREE"),
    "curve": texts["ecfit_config_check.h"].count("SECP256R1_MULV_IS_DIGITS_THREE"),
    "page": texts["knobs.md"].count("digits_three"),
}))
"""


def seen(folder: Path) -> dict[str, Any]:
    """What tests, checks, studies, documents and headers of a tree say about the value."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{folder}:{folder / 'lib'}",
        "ECFIT_CACHE": str(folder / ".cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", SEEN],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what a value concerns."""
    leave = shutil.ignore_patterns("__pycache__", ".cache", "results", "*.so")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=leave)
    return tmp_path


def test_a_value_is_added_and_removed_in_one_place(tree: Path) -> None:
    """Two files besides the changelog, both times."""
    knobs, source = tree / "lib" / "knobs.toml", tree / "lib" / "src" / "mul" / "digits_three.inc"
    before = knobs.read_text(encoding="utf-8")
    shutil.copy(source.with_name("binary.inc"), source)
    knobs.write_text(before.replace(BEFORE, VALUE + BEFORE, 1), encoding="utf-8")
    added = seen(tree)
    assert added["error"] == ""
    assert added["tests"] == ["MULV-digits_three"]
    assert added["ct"] == [["MULV=digits_three"]]
    assert "digits_three" in added["study"]
    assert added["family"] == 1  # what it needs
    assert added["curve"] == 2  # one of its values, what is said of that: one curve has another
    assert added["page"] > 0

    source.unlink()
    gone = before.replace('ladder = "', 'digits_three = "use binary", ladder = "')
    assert gone != before
    knobs.write_text(gone, encoding="utf-8")
    removed = seen(tree)
    assert "digits_three is gone: use binary" in removed["error"]
    assert not removed["tests"] and not removed["ct"] and "digits_three" not in removed["study"]
    assert removed["family"] == 1  # an error that says what to take
