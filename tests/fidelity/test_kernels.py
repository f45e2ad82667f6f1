"""The kept rows of kernels that others timed on silicon (tools/kernels)."""

from __future__ import annotations

import json
import statistics
import sys

from ecfit.choices.targets import ERRORS, Target, all_targets, find_target
from ecfit.paths import ROOT

sys.path.insert(0, str(ROOT / "tools" / "kernels"))
import kernels

KEPT = kernels.kept()
COUNTED = [row for row in KEPT if row.counted]
HELD_OUT = [row for row in COUNTED if row.held_out]
OUTSIDE = ROOT / "results" / "fidelity-outside.json"


def test_every_row_of_the_pages_was_measured_with_todays_model() -> None:
    for name, one in kernels.manifests().items():
        rows = [row for row in KEPT if row.name == name]
        assert {row.kernel: row.published for row in rows} == one.published
        assert {(row.commit, row.stack) for row in rows} == {(one.commit[:8], one.stack)}
        assert sum(not row.counted for row in rows) == one.fitted_rows
        assert one.fitted or not one.fitted_rows
        today = kernels.model_digest(find_target(one.target))
        assert {row.model for row in rows} == {today}, "tools/kernels/kernels.py NAME=FOLDER"


def test_rows_of_the_cortex_m4() -> None:
    """Median within 1 %, at most three beyond 4 %; without banks all were off by more."""
    off = [abs(row.ratio - 1) for row in COUNTED]
    assert len(off) >= 40
    assert statistics.median(off) < 0.01
    assert sum(each > 0.04 for each in off) <= 3
    assert {row.name for row in HELD_OUT} == {"curve9767"}
    assert max(abs(row.ratio - 1) for row in HELD_OUT) < 0.05
    unbanked = [abs((row.unbanked + row.overhead) / row.published - 1) for row in COUNTED]
    assert statistics.median(unbanked) > 0.06


def test_what_the_page_says_of_banks() -> None:
    """How fast code came out without them, and what is left with them."""
    page = " ".join(kernels.PAGE.read_text(encoding="utf-8").split())

    def said(words: str, ratios: list[float]) -> None:
        percent = [f"{100 * (1 - ratio):.0f}" for ratio in (max(ratios), min(ratios))]
        assert words.format(*percent) in page, percent

    unbanked = [(row.unbanked + row.overhead) / row.published for row in COUNTED]
    said("Published code came out {} to {} % fast", unbanked)
    other = [one for one, row in zip(unbanked, COUNTED, strict=True) if not row.held_out]
    said("are wide and lie at words too, and came out up to {1} % fast", other)
    said("All operations of curve9767 are {} to {} % fast still", [row.ratio for row in HELD_OUT])


def earned(target: Target) -> str:
    """The class without wait states: by the worst of the held-out rows of the chip, else of the
    assembly from outside that ran on a chip with the same core.
    """
    worst = [abs(row.ratio - 1) for row in HELD_OUT if row.target == target.name]
    for row in json.loads(OUTSIDE.read_text(encoding="utf-8")):
        chip = find_target(row["target"])
        if row["code"] == "asm" and row["mode"] == "zero-ws" and chip.core == target.core:
            worst.append(abs(row["ratio"] - 1))
    return next((name for name in "AB" if worst and max(worst) <= ERRORS[name]), "C")


def test_no_class_without_wait_states_is_better_than_its_rows() -> None:
    """RTL: tests/sim/test_rtl.py. The classes with flash: test_fidelity.py."""
    claims = {
        target.name: (target.modes["zero-ws"].error_class, earned(target))
        for target in all_targets().values()
        if target.runner == "sim"
    }
    assert all(claim in ("RTL", *"ABC"["ABC".index(row) :]) for claim, row in claims.values())
    assert claims["stm32f407"] == ("B", "B")
    assert claims["samd20"] == ("A", "A")


def test_the_page_has_todays_table() -> None:
    page = kernels.PAGE.read_text(encoding="utf-8")
    assert f"{kernels.BEGIN}\n{kernels.table()}{kernels.END}" in page
