"""Random programs against the independent emulator."""

from workshop.cores.armv6m_differential import COMPARISON


def test_a_million_random_instructions_agree() -> None:
    assert COMPARISON.compare(1_000_000, seed=20_000) >= 1_000_000
