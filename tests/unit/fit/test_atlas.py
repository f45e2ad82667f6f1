"""The atlas: every file reads, every row still resolves, and charts keep what they are made of."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.targets import all_targets, find_target
from ecfit.fit.atlas import Chart, Entry, bits, file_of, operations, read_charts
from ecfit.fit.climb import changed, named
from ecfit.fit.question import Need, Question
from ecfit.paths import ROOT
from tools import atlas as tool

CHIPS = {"armv6m": "samd20", "armv7m": "cc2538", "armv7em": "nrf52840", "rv32im": "ibex",
         "avr": "atmega1284p"}  # fmt: skip
GAPS: list[dict[str, Any]] = msgspec.json.decode((ROOT / "results/fit/gaps.json").read_bytes())
CHANGES = 6  # measured of each pair


@pytest.mark.parametrize("backend", CHIPS)
def test_every_row_resolves(backend: str) -> None:
    charts = read_charts(backend)
    assert "x25519" in charts
    assert file_of(backend).stat().st_size <= 100_000
    chip = find_target(CHIPS[backend])
    for name, chart in charts.items():
        curve = CURVES[name]
        question = Question(
            target=chip, mode=None, mode_name="zero-ws", needs=(Need(curve, operations(curve)),),
            limits=(), minimise="time", weights={}, use=None, sets={}, presets=(),
            libraries=("ecfit",), asking=True,
        )  # fmt: skip
        assert chart.rows
        for row in chart.rows:
            configuration = named(question, row.values, row.values)
            assert configuration is not None, (name, row.values)
            assert row.values.items() <= dict(configuration.settings).items()


def test_every_chip_has_its_factors() -> None:
    """Without them, the page of `ecfit report` has no times for the chips that are timed like it.
    They come from `tools/atlas.py --chips CHIP`.
    """
    kept = msgspec.json.decode((ROOT / "results/fit/chips.json").read_bytes())
    timed = (t for t in all_targets().values() if t.runner == "sim" and t.backend in CHIPS)
    assert [target.name for target in timed if not kept.get(target.name)] == []


def test_flash_of_a_set_is_what_its_operations_reach() -> None:
    """Of 1,000 bytes all operations share 600, ecdh alone reaches 100, keygen alone 300."""
    curve = CURVES["x25519"]
    row = Entry({"WIPE": "none"}, 1000, {1: 300, 2: 100}, (5000, 7000), (64, 72), (64, 80))
    assert row.flash_with(bits(curve, ["keygen"])) == 900
    assert row.flash_with(bits(curve, ["ecdh"])) == 700
    assert row.flash_with(bits(curve, ["keygen", "ecdh"])) == 1000
    assert Chart.of([row]).rows == [row]


@pytest.mark.parametrize("gap", [gap for gap in GAPS if gap.get("new")], ids=lambda g: g["pair"])
def test_no_change_of_an_answer_gains_more_than_is_said(
    gap: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of a curve that is open: some single changes of its answers, against the record that
    docs/fit.md speaks of.
    """
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    backend, _, curve = gap["pair"].partition(":")
    pair, rows = tool.Pair(backend, curve), read_charts(backend)[curve].rows
    questions = pair.usual(rows)
    answers = pair.answered(dict(enumerate(rows)), questions)
    chance = random.Random(gap["pair"])
    while len(pair.rows) < CHANGES:
        row = rows[chance.choice(answers)[1]]
        configuration = pair.configuration(row.values)
        assert configuration is not None
        changes = [c for name in row.values for c in changed(pair.question, configuration, name)]
        pair.measure(chance.choice(changes))
    measured = {number: kept.row for number, kept in enumerate(pair.rows) if kept.row}
    for question, (cost, _), (new, number) in zip(
        questions, answers, pair.answered(measured, questions), strict=True
    ):
        said = 1 + max(gap["most"], 0.02)
        assert new * said >= cost, (question, pair.rows[number].values)
