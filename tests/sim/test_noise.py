"""Random bytes as code: every core ends in a documented way (`noise`)."""

import pytest

from ecfit.sim.machine import load_model, model_names
from workshop.rigs import noise
from workshop.rigs.noise import runs


@pytest.mark.parametrize("name", model_names())
def test_random_bytes(name: str) -> None:
    ends = set(runs(load_model(name), 500, seed=5))
    assert {"undefined instruction", "read outside memory"} <= ends
    assert len(ends) >= 5, ends


def test_a_count_that_depends_on_the_watching_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = noise._counts
    monkeypatch.setattr(
        noise, "_counts", lambda result, machine: (*right(result, machine), len(result.classes))
    )
    with pytest.raises(AssertionError):
        list(runs(load_model("cortex-m4"), 50, seed=5))
