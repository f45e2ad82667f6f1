"""What taint calls public is public, of random programs: those of workshop/rigs/taint_pairs.py,
in a number that CI can afford."""

from __future__ import annotations

import ctypes as ct

import pytest

from workshop.rigs import taint_pairs
from workshop.rigs.taint_mutants import MUTANTS, contradicting


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> ct.CDLL:
    return taint_pairs.driver(tmp_path_factory.mktemp("pairs"))


@pytest.mark.parametrize(
    ("model", "programs"),
    [("cortex-m0", 4000), ("cortex-m4", 4000), ("ibex", 4000), ("hazard3", 4000)],
)
def test_public_is_public(native: ct.CDLL, model: str, programs: int, cross_compiler: None) -> None:
    compared, wrong = taint_pairs.check(native, model, programs, 1)
    assert not wrong, wrong[0]
    assert compared >= 0.8 * programs


def test_what_is_called_public_wrongly_is_found(
    native: ct.CDLL, monkeypatch: pytest.MonkeyPatch, cross_compiler: None
) -> None:
    """The comparison can fail: secrets that nothing marks reach memory and the course."""
    monkeypatch.setattr(taint_pairs, "MARKED", 0)
    for model in taint_pairs.MODELS:
        _, wrong = taint_pairs.check(native, model, 1000, 1)
        assert {one.what for one in wrong} >= {"memory differs", "time or trace differs"}
        assert len(wrong) > 500


@pytest.mark.ci
def test_how_many_programs_notice_a_wrong_rule(cross_compiler: None) -> None:
    """The figure at the end of docs/constant-time.md; sweep `taint-mutants` has more rules."""
    (mutant,) = (one for one in MUTANTS if one.what == "ADC forgets the carry")
    assert contradicting(mutant, 4000) == 3
