"""Random bytes as code: every core ends in a documented way (`noise`)."""

import pytest
from noise import runs

from ecfit.simlib import load_model, model_names


@pytest.mark.parametrize("name", model_names())
def test_random_bytes(name: str) -> None:
    ends = set(runs(load_model(name), 500, seed=5))
    assert {"undefined instruction", "read outside memory"} <= ends
    assert len(ends) >= 5, ends
