"""Random ARMv7-M programs against the independent emulator."""

import dataclasses

import pytest

from ecfit.sim.machine import Machine
from workshop.cores.armv7m_differential import COMPARISON
from workshop.cores.armv7m_oracle import State, state_of
from workshop.sim.differential import Divergence


def test_a_million_random_instructions_agree() -> None:
    assert COMPARISON.compare(1_000_000, seed=70_000) >= 1_000_000


def test_a_wrong_flag_is_noticed() -> None:
    """As if the simulator lost the saturation flag; the shortest program that shows it is told."""

    def wrong(machine: Machine) -> State:
        state = state_of(machine)
        return State(state.registers, state.flags & ~(1 << 27), state.vector)

    broken = dataclasses.replace(COMPARISON, state_of=wrong, length=30)
    with pytest.raises(
        Divergence, match=r"flags [0-9a-f]{8} not [0-9a-f]{8}\n[0-9a-f ]{0,60}\nfrom State"
    ):
        broken.compare(10_000, seed=1)
