"""Random RV32IMC programs against the independent emulator."""

from rv32_differential import compare


def test_a_million_random_instructions_agree() -> None:
    assert compare(1_000_000, seed=32_000) >= 1_000_000
