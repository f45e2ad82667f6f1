"""`ecfit compare`: what changed between two runs, and when that is too much."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workshop.cli.run import Ecfit

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


FUNCTION: dict[str, Any] = {
    "elf": "tag.o", "elf_sha256": "0", "function": "tag_differs", "arguments": "secret:0001 2",
    "target": "samd20", "core": "cortex-m0plus", "mode": "datasheet", "seed": 1, "runs": 1,
    "status": "ok", "detail": None, "result": 0, "cycles": 1000, "cycles_min": 1000,
    "cycles_max": 1000, "instructions": 900, "time_us": 20.0, "energy_uj": None,
    "stack_bytes": 100, "static_ram_bytes": 0, "flash_bytes": 400, "trace_hash": "0",
    "trace_hashes": 1, "constant_time": "ok", "findings": 0, "leaks": None,
    "outputs": "argument 1=00010203aabbccdd; state=ff", "error_class": "B",
}  # fmt: skip
SLOWER = {"cycles": 3000, "stack_bytes": 108}
FAILED = {"status": "wrong result", "cycles": 3000}


@pytest.fixture
def compared(ecfit: Ecfit, tmp_path: Path) -> Callable[..., Any]:
    """Compares the record of a function with a second one, each with changes."""

    def run(old: dict[str, Any], new: dict[str, Any], *options: str) -> Any:
        for name, changes in (("old", old), ("new", new)):
            (tmp_path / name).write_text(json.dumps([{**FUNCTION, **changes}]), encoding="utf-8")
        return ecfit("compare", "old", "new", *options, cwd=tmp_path)

    return run


OTHER = {"outputs": "argument 1=000102ffaabbccdd; state=ff"}


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        # a repair may be slower, but not in other work
        ({"constant_time": "leak"}, SLOWER, {"cycles": False, "stack": False, "status": False}),
        ({"constant_time": "leak"}, OTHER, {"argument 1": True, "status": False}),
        ({}, SLOWER | {"constant_time": "leak"}, {"cycles": True, "stack": True, "status": True}),
        ({"constant_time": "leak"}, {}, {"status": False}),
        (FAILED, {}, {"status": False}),  # what failed did other work
        ({}, FAILED, {"status": True}),
        (FAILED, {"constant_time": "leak"}, {"status": True}),
    ],
)
def test_figures_are_compared_also_when_a_leak_comes_or_goes(
    compared: Callable[..., Any], old: Any, new: Any, found: dict[str, bool]
) -> None:
    done = compared(old, new, "--fail-on", "0%", "--format", "json")
    assert {c["what"]: c["worse"] for c in json.loads(done.out)} == found
    assert done.code == (7 if any(found.values()) else 0)


def test_other_outputs_are_a_change(compared: Callable[..., Any]) -> None:
    """The table shows the first bytes that differ, the records have all."""
    done = compared({}, OTHER, "--fail-on", "50%", "--format", "json")
    (change,) = json.loads(done.out)
    assert (done.code, change["what"], change["worse"]) == (7, "argument 1", True)
    assert (change["old"], change["new"]) == ("00010203aabbccdd", "000102ffaabbccdd")
    done = compared({}, OTHER, "--fail-on", "50%")
    assert "argument 1 ..03aabbcc.. -> ..ffaabbcc.." in done.error
    assert "..03aabbcc..  ..ffaabbcc.." in done.out
    assert compared({}, OTHER).code == 0  # without --fail-on nothing is too much
    gone = compared({}, {"outputs": None}, "--fail-on", "50%", "--format", "json")
    assert [(c["what"], c["new"]) for c in json.loads(gone.out)] == [
        ("argument 1", "not there"), ("state", "not there")
    ]  # fmt: skip


def test_long_arguments_are_cut(compared: Callable[..., Any]) -> None:
    long = {"arguments": f"secret:{'ab' * 100} 2"}
    done = compared(long, {**long, **SLOWER}, "--fail-on", "0%")
    assert "first: cycles 1000 -> 3000 of tag.o secret:" in done.error
    assert ".. 2 tag_differs on samd20" in done.error
    assert len(done.error) < 250
    assert max(map(len, done.out.splitlines())) <= 80


def test_wide_lists_what_did_not_change(compared: Callable[..., Any]) -> None:
    done = compared({}, {"cycles": 1001}, "--fail-on", "1%", "--wide")
    lines = [line.split() for line in done.out.splitlines()]
    for what, old, new in (("cycles", "1 000", "1 001"), ("flash", "400", "400")):
        assert any(f"{what} {old} {new}" in " ".join(line) for line in lines), done.out
    assert "figures changed: 1; rows as they were: 0" in done.out
    same = compared({}, {}, "--wide", "--format", "md")
    assert "| stack | 100 | 100 |" in same.out
    assert json.loads(compared({}, {}, "--wide", "--format", "json").out) == []
