"""Random programs of each instruction set against the independent emulator."""

import dataclasses

import pytest

from ecfit.sim.machine import Machine
from workshop.cores import armv6m_differential, armv7m_differential, rv32_differential
from workshop.cores.armv7m_oracle import State, state_of
from workshop.sim.differential import Divergence


def test_a_million_random_instructions_of_armv6m_agree() -> None:
    assert armv6m_differential.COMPARISON.compare(1_000_000, seed=20_000) >= 1_000_000


def test_a_million_random_instructions_of_armv7m_agree() -> None:
    assert armv7m_differential.COMPARISON.compare(1_000_000, seed=70_000) >= 1_000_000


@pytest.mark.parametrize("seed", [32_000, 32_001])
def test_a_million_random_instructions_of_rv32_agree(seed: int) -> None:
    """Half of them on a machine with slow flash."""
    assert rv32_differential.COMPARISON.compare(500_000, seed) >= 500_000


def test_a_wrong_flag_is_noticed() -> None:
    """As if the simulator lost the saturation flag; the shortest program that shows it is told."""

    def wrong(machine: Machine) -> State:
        state = state_of(machine)
        return State(state.registers, state.flags & ~(1 << 27), state.vector)

    broken = dataclasses.replace(armv7m_differential.COMPARISON, state_of=wrong, length=30)
    with pytest.raises(
        Divergence, match=r"flags [0-9a-f]{8} not [0-9a-f]{8}\n[0-9a-f ]{0,60}\nfrom State"
    ):
        broken.compare(10_000, seed=1)
