"""`ecfit compare`: what changed between two runs, and when that is too much."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_run import Ecfit

Rows = Callable[..., str]


@pytest.fixture(scope="module")
def measured(ecfit: Ecfit) -> list[dict[str, Any]]:
    """Records of a real run."""
    done = ecfit("bench", "--target", "lpc1114", "--curve", "x25519", "--format", "json")
    records: list[dict[str, Any]] = json.loads(done.out)
    return records


@pytest.fixture
def rows(tmp_path: Path, measured: list[dict[str, Any]]) -> Rows:
    """Writes the records with changes of the first: rows("old.json", cycles=5)."""

    def write(name: str, drop: int = 0, **changes: Any) -> str:
        records = [{**measured[0], **changes}, *measured[1:]][drop:]
        (tmp_path / name).write_text(json.dumps(records), encoding="utf-8")
        return str(tmp_path / name)

    return write


def test_equal_runs(ecfit: Ecfit, rows: Rows) -> None:
    done = ecfit("compare", rows("old"), rows("new", toolchain="gcc 99.1"), "--fail-on", "0%")
    assert (done.code, done.err) == (0, "")
    assert "figures changed: 0; rows as they were: 2" in done.out


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"cycles": 1010}, 0),
        ({"cycles": 1011}, 7),
        ({"cycles": 900}, 0),
        ({"flash_bytes": 2000}, 7),
        ({"stack_bytes": 101}, 0),
        ({"status": "wrong result"}, 7),
        ({"drop": 1}, 7),
    ],
)
def test_what_is_too_much(ecfit: Ecfit, rows: Rows, changes: dict[str, Any], code: int) -> None:
    before = {"cycles": 1000, "flash_bytes": 1000, "stack_bytes": 100}
    old, new = rows("old", **before), rows("new", **{**before, **changes})
    done = ecfit("compare", old, new, "--fail-on", "1%")
    assert done.code == code, done.err
    assert ("1 of the figures" in done.err) == (code == 7)


def test_how_it_reads(ecfit: Ecfit, rows: Rows) -> None:
    """Of one change, what all rows have in common stands above; of none, no empty table."""
    worse = ecfit("compare", rows("old", cycles=1), rows("new", cycles=2), "--fail-on", "1%").out
    assert "what: cycles   worse\n" in worse
    same = ecfit("compare", rows("old"), rows("new")).out
    assert same.startswith("figures changed: 0; rows as they were: 2\n")


def test_markdown_for_a_pull_request(ecfit: Ecfit, rows: Rows) -> None:
    done = ecfit("compare", rows("old", cycles=1000), rows("new", cycles=1100), "--format", "md")
    assert done.code == 0  # without --fail-on nothing is too much
    assert "| cycles | 1 000 | 1 100 | +100 | +10.0 % |" in done.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "no records of"),
        ('{"a": 1}', "no records of"),
        ('[{"cycles": 1}]', "no records of"),
        ("[]", "has no rows: there is nothing to compare"),
        (None, "cannot be read"),
    ],
)
def test_files_that_are_none(
    ecfit: Ecfit, rows: Rows, tmp_path: Path, text: str | None, said: str
) -> None:
    if text is not None:
        (tmp_path / "bad").write_text(text, encoding="utf-8")
    done = ecfit("compare", rows("old"), str(tmp_path / "bad"))
    assert (done.code, said in done.error) == (2, True)


def test_limits_that_are_none(ecfit: Ecfit, rows: Rows) -> None:
    done = ecfit("compare", rows("old"), rows("new"), "--fail-on", "1")
    assert (done.code, "as 1% or 0.5%" in done.error) == (2, True)


def test_a_row_that_is_there_twice(ecfit: Ecfit, rows: Rows) -> None:
    name = rows("old")
    records = json.loads(Path(name).read_text(encoding="utf-8"))
    Path(name).write_text(json.dumps(records * 2), encoding="utf-8")
    done = ecfit("compare", name, rows("new"))
    assert (done.code, "a row is there twice" in done.error) == (2, True)
