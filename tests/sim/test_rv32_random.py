"""Random RV32IMC programs against the independent emulator."""

import pytest

from workshop.cores.rv32_differential import COMPARISON


@pytest.mark.parametrize("seed", [32_000, 32_001])
def test_a_million_random_instructions_agree(seed: int) -> None:
    """Half of them on a machine with slow flash."""
    assert COMPARISON.compare(500_000, seed) >= 500_000
