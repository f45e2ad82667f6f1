"""Random ARMv7-M programs against the independent emulator."""

from armv7m_differential import compare


def test_a_million_random_instructions_agree() -> None:
    assert compare(1_000_000, seed=70_000) >= 1_000_000
