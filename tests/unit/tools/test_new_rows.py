"""tools/docs/studies.py --new: what a run that was stopped has measured is kept; and the figures of
articles by their own program.
"""

from __future__ import annotations

import gzip
import importlib.util
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from ecfit.choices.curves import find_curve
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import Job, StudyRecord, find_study
from tools.docs import articles, studies

PATH = Path(__file__).resolve().parents[3] / "tools" / "docs" / "studies.py"
STUDY = find_study("presets")
KEPT = kept(STUDY)


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool, which writes elsewhere, keeps after each row, and has records of all rows but the
    last three. Of these, it measures two and is stopped.
    """
    spec = importlib.util.spec_from_file_location("studies_tool", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(__import__("sys").modules, "studies_tool", module)
    spec.loader.exec_module(module)

    def stopped(study: object, jobs: Sequence[Job], bench: object) -> Iterator[Any]:
        assert [module.place_of(job) for job in jobs] == [module.place(r) for r in KEPT[-3:]]
        yield 2, KEPT[-1]
        yield 0, KEPT[-3]
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "RECORDS", tmp_path)
    monkeypatch.setattr(module, "OFTEN", 1)
    monkeypatch.setattr(module, "run", stopped)
    monkeypatch.setattr(module, "kept", lambda study: KEPT[:-3])
    return module


def written(folder: Path) -> list[StudyRecord]:
    lines = gzip.decompress((folder / "presets.jsonl.gz").read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=StudyRecord) for line in lines]


def test_a_run_that_was_stopped_goes_on_there(tool: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        tool.add(STUDY, {}, 1)
    assert written(tmp_path) == [*KEPT[:-2], KEPT[-1]]  # in the order of the plan


def test_a_row_that_failed_ends_it_and_is_not_kept(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = msgspec.structs.replace(KEPT[-2], status="wrong result")
    monkeypatch.setattr(tool, "run", lambda study, jobs, bench: iter([(0, KEPT[-3]), (1, bad)]))
    with pytest.raises(RuntimeError, match="wrong result"):
        tool.add(STUDY, {}, 1)
    assert written(tmp_path) == KEPT[:-2]


@pytest.mark.parametrize("on", [(), ("x25519", "nrf52840")])
def test_rows_on_some_chips_or_curves_are_measured_again(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, on: tuple[str, ...]
) -> None:
    asked: list[Job] = []
    monkeypatch.setattr(tool, "kept", lambda study: KEPT)

    def run(study: object, jobs: Sequence[Job], bench: object) -> Iterator[Any]:
        asked.extend(jobs)
        return iter(())

    monkeypatch.setattr(tool, "run", run)
    tool.add(STUDY, {}, 1, ["ecfit"], on)
    ours = [record for record in KEPT if record.library == "ecfit"]
    wanted = [record for record in ours if not on or {record.target, record.curve} & {*on}]
    assert [tool.place_of(job) for job in asked] == [tool.place(record) for record in wanted]


def test_a_count_of_this_machine_repeats_and_is_of_one_call() -> None:
    """micro-ecc has no set-up: an ECDH is a multiplication, as a key pair is, and a signature is
    one and a half at most.
    """
    if shutil.which("valgrind") is None:
        pytest.skip("needs valgrind")
    target, curve, peers = find_target("host"), find_curve("secp160r1"), all_peers()
    bench = Bench(Settings(), peers, Store())
    ops = "keygen", "ecdh", "sign"
    row = Row(target, None, None, peers["micro-ecc"].configure({}), curve, "keygen", ops)
    rows = {op: msgspec.structs.replace(row, op=op) for op in ops}
    counts = {op: studies.counted(bench, rows[op]) for op in ops}
    assert counts["ecdh"] == studies.counted(bench, rows["ecdh"])
    assert 1e5 < counts["keygen"] < counts["sign"] < 1.5 * counts["keygen"]
    assert abs(counts["ecdh"] / counts["keygen"] - 1) < 0.1


def test_rows_that_differ_in_what_else_is_in_the_image(tool: ModuleType) -> None:
    """The study of knobs has the same settings with and without RESUME's functions."""
    knobs = find_study("knobs")
    jobs = tool.planned(knobs, {})
    assert {tool.place_of(job) for job in jobs} == {tool.place(record) for record in kept(knobs)}
    images = {
        tool.place_of(msgspec.structs.replace(job, row=msgspec.structs.replace(job.row, extras=())))
        for job in jobs
    }
    assert len(images) < len({tool.place_of(job) for job in jobs})


# ---- tools/docs/articles.py ----------------------------------------------------------------------


@pytest.mark.ci
def test_a_setting_gives_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is not kept is noticed."""
    monkeypatch.setattr(articles, "COUNTED", 1)
    again = articles.base_again()
    assert articles.alike(again)
    assert again[0].heap_bytes == 3592
    more = 1.03 * again[0].instructions
    for other in ({"heap_bytes": 3608}, {"instructions": round(more)}):
        assert not articles.alike([msgspec.structs.replace(again[0], **other), *again[1:]])
