"""Constant time by compiler, `tools/ct.py --compilers`: what leaks is found, kept and shown, what
is missing is named; in the outer ring a sample of the compilers that are there.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from ecfit.choices.variants import known
from ecfit.errors import BUILD_FAILED, CONSTANT_TIME, USAGE, PackageError
from tools import ct, ct_compilers
from tools.ct_compilers import CORES, Cell, Row
from workshop.paths import VARIANTS

CELL = Cell("clang-19", "lpc1114", "O2", "secp128r1", "balanced")
CLEAN = Row(*CELL, "19.1.7", "0123456789abcdef", "c0de", "c0ffee12", "2026-11-28", 3)
LEAKS = msgspec.structs.replace(
    CLEAN, preset="tiny", findings=("branch secp128r1_pt_add lib/src/group/planted.inc:48",)
)
SKIPPED = msgspec.structs.replace(CLEAN, preset="fast", failed="not followed: secp128r1_sc_sign")
LARGE = msgspec.structs.replace(CLEAN, preset="lowram", failed="too large: 12 bytes more")
IMAGES = 15 * 5 * 3


def table(*rows: Row) -> dict[str, list[str]]:
    """The cells of the table of cores, by compiler."""
    lines = ct_compilers.table({row.cell: row for row in rows}).splitlines()
    rows_of_cores = (line.strip("| ").split(" | ") for line in lines[2:] if line.startswith("|"))
    return {cells[0]: cells[1:] for cells in rows_of_cores if len(cells) == len(CORES) + 1}


def test_the_table_shows_what_was_found() -> None:
    """Each kind of row in the place of its compiler and core, which says nothing of the others."""
    assert table(CLEAN)["clang 19.1.7"] == [f"1 clean, of {IMAGES}", "-", "-", "-", "-"]
    every = table(CLEAN, LEAKS, SKIPPED, LARGE)
    said = f"**1 leak**, **1 not checked**, 1 clean, 1 too large, of {IMAGES}"
    assert every["clang 19.1.7"] == [said, "-", "-", "-", "-"]
    assert every["gcc 12"] == ["-"] * len(CORES)
    text = ct_compilers.table({row.cell: row for row in (CLEAN, LEAKS)})
    place = "branch pt_add lib/src/group/planted.inc:48"
    assert f"| clang-19 | {place} | 1 | Cortex-M0 | -O2 | secp128r1 tiny |" in text
    assert "2 images at `c0ffee12` on 2026-11-28" in text


def test_one_place_in_several_curves_is_one_line() -> None:
    other = msgspec.structs.replace(
        LEAKS, curve="secp256k1", findings=(LEAKS.findings[0].replace("secp128r1", "secp256k1"),)
    )
    text = ct_compilers.table({row.cell: row for row in (LEAKS, other)})
    assert "planted.inc:48 | 2 | Cortex-M0 | -O2 | secp128r1 tiny |" in text


def test_a_leak_decides_the_exit_code_and_an_image_that_is_too_large_does_not() -> None:
    assert ct_compilers.exit_code([CLEAN, LARGE]) == 0
    broken = msgspec.structs.replace(CLEAN, failed="build failed: the compiler ended")
    assert ct_compilers.exit_code([CLEAN, LARGE, broken]) == BUILD_FAILED
    for row in (LEAKS, SKIPPED):
        assert ct_compilers.exit_code([CLEAN, broken, row]) == CONSTANT_TIME


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Lines that were appended replace those of the same cell."""
    path, later = tmp_path / "record.jsonl", msgspec.structs.replace(CLEAN, key="later")
    ct_compilers.write({row.cell: row for row in (CLEAN, LEAKS)}, path)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(later) + b"\n")
    assert ct_compilers.read(path) == {CELL: later, LEAKS.cell: LEAKS}
    with path.open("ab") as file:
        file.write(b'["clang-19"]\n')
    with pytest.raises(ValueError, match=r"record\.jsonl, line 4: "):
        ct_compilers.read(path)


def test_the_committed_record_is_of_cells_that_there_are() -> None:
    pairs = [(compiler.name, core) for compiler in ct_compilers.COMPILERS for core in CORES]
    assert set(ct_compilers.read()) <= set(ct_compilers.cells(pairs))


def planted(folder: Path, name: str, version: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def test_a_compiler_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And one of another version is not taken for it."""

    def unreachable(_: ct_compilers.Compiler) -> Path:
        raise PackageError("no registry")

    planted(tmp_path, "clang", "19.2.0")
    planted(tmp_path, "clang-22", "21.0.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(ct_compilers, "fetched", unreachable)
    programs, missing = ct_compilers.installed()
    assert programs == {("clang-19", core): str(tmp_path / "clang") for core in CORES}
    assert "gcc-13: no registry" in missing
    named = "clang-22: no clang-22 on the path of commands (Debian 12: clang-22 "
    assert any(line.startswith(named) for line in missing)
    assert {line.partition(":")[0] for line in missing} == {
        compiler.name for compiler in ct_compilers.COMPILERS
    } - {"clang-19"}
    monkeypatch.setattr(ct_compilers, "RECORD", tmp_path / "record.jsonl")
    assert ct_compilers.sweep("gcc-15", None, 1, 1) == USAGE  # not a check that passed
    said = capsys.readouterr()
    assert f"ct: skipped {named}" in said.out
    assert "ct: nothing to check: " in said.err


def test_a_sample_has_each_compiler_on_each_core() -> None:
    pairs = [(name, core) for name in ("gcc-12", "clang-19") for core in CORES]
    every = ct_compilers.cells(pairs)
    assert len(every) == len(pairs) * IMAGES
    drawn = ct_compilers.drawn(every, len(pairs), 7)
    assert sorted((cell.compiler, cell.core) for cell in drawn) == sorted(pairs)
    assert drawn == ct_compilers.drawn(every, len(pairs), 7) != ct_compilers.drawn(every, 10, 8)
    assert len(set(ct_compilers.drawn(every, 10_000, 7))) == len(every)
    some = ct_compilers.cells(pairs, "clang-19 O3 secp256k1")
    assert {(cell.compiler, cell.opt, cell.curve) for cell in some} == {
        ("clang-19", "O3", "secp256k1")
    }


def test_what_is_checked_by_default_has_all_values_of_two_axes_together() -> None:
    pairs = [(compiler.name, core) for compiler in ct_compilers.COMPILERS for core in CORES]
    covering = ct_compilers.covering(pairs)
    assert len(covering) == len(set(covering)) == len(pairs) * 15
    for key in (
        lambda cell: (cell.compiler, cell.core, cell.curve),
        lambda cell: (cell.compiler, cell.core, cell.opt, cell.preset),
        lambda cell: (cell.curve, cell.opt, cell.preset),
    ):
        assert {key(cell) for cell in covering} == {key(c) for c in ct_compilers.cells(pairs)}
    assert set(ct_compilers.covering(pairs[7:9])) < set(covering)  # whatever is installed


@known(VARIANTS)
def test_a_planted_leak_is_found_and_not_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A multiplication that is variable-time, as a compiler could have made it."""
    plain = ct_compilers.arguments
    monkeypatch.setattr(ct_compilers, "RECORD", tmp_path / "record.jsonl")
    monkeypatch.setattr(
        ct_compilers, "arguments", lambda *cell: [*plain(*cell), "--set", "MULV=naf_var"]
    )
    only = "gcc-12 lpc1114 Os secp128r1 compact"
    assert ct_compilers.sweep(only, None, 1, 1) == CONSTANT_TIME
    out = capsys.readouterr().out
    assert "1 images checked, 0 as recorded" in out
    (row,) = ct_compilers.read(tmp_path / "record.jsonl").values()
    assert row.findings
    assert row.checks == 3
    assert ct_compilers.sweep(only, None, 1, 1) == CONSTANT_TIME
    assert "0 images checked, 1 as recorded" in capsys.readouterr().out
    for other, checked in (("key", 0), ("code", 1)):  # a comment of the library; its code
        older = msgspec.structs.replace(row, **{"key": "older", other: "older"})
        ct_compilers.write({row.cell: older}, tmp_path / "record.jsonl")
        assert ct_compilers.sweep(only, None, 1, 1) == CONSTANT_TIME
        said = f"{checked} images checked, {1 - checked} as recorded"
        assert said in capsys.readouterr().out
        assert ct_compilers.read(tmp_path / "record.jsonl") == {row.cell: row}


def test_both_pages_have_the_tables_of_their_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--doc --check` notices the row that a page does not show."""
    monkeypatch.setattr("sys.argv", ["ct.py", "--doc", "--check"])
    assert ct.main() == 0
    ct_compilers.write(ct_compilers.read() | {LEAKS.cell: LEAKS}, tmp_path / "record.jsonl")
    monkeypatch.setattr(ct_compilers, "RECORD", tmp_path / "record.jsonl")
    assert ct.main() == 1
    assert "docs/compilers.md: the table is not today's" in capsys.readouterr().err


@pytest.mark.ci
def test_a_sample_of_the_compilers_that_are_there_is_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other images for each change of the library, drawn by its commit."""
    seed = int(ct_compilers.commit().rstrip("+") or "1", 16)
    monkeypatch.setattr(ct_compilers, "RECORD", tmp_path / "record.jsonl")
    code = ct_compilers.sweep("", 12, seed, os.cpu_count() or 1)
    said = capsys.readouterr().out
    with capsys.disabled():
        print(f"\nseed {seed}\n{said}")
    assert code == 0, said
    assert "12 images checked" in said
