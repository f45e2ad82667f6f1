"""Random programs of each instruction set against the independent emulator."""

import dataclasses

import pytest

from ecfit.sim.machine import Machine
from workshop.cores.armv7m_oracle import State, state_of
from workshop.cores.differential import ARMV6M, ARMV7M, RV32
from workshop.sim.differential import Divergence


def test_a_million_random_instructions_of_armv6m_agree() -> None:
    assert ARMV6M.compare(1_000_000, seed=20_000) >= 1_000_000


def test_a_million_random_instructions_of_armv7m_agree() -> None:
    assert ARMV7M.compare(1_000_000, seed=70_000) >= 1_000_000


def test_two_instructions_a_cycle_do_what_one_does() -> None:
    dual = dataclasses.replace(ARMV7M, model="cortex-m7")
    assert dual.compare(100_000, seed=71_000) >= 100_000


@pytest.mark.parametrize("seed", [32_000, 32_001])
def test_a_million_random_instructions_of_rv32_agree(seed: int) -> None:
    """Half of them on a machine with slow flash."""
    assert RV32.compare(500_000, seed) >= 500_000


def test_a_wrong_flag_is_noticed() -> None:
    """As if the simulator lost the saturation flag; the shortest program that shows it is told."""

    def wrong(machine: Machine) -> State:
        state = state_of(machine)
        return State(state.registers, state.flags & ~(1 << 27), state.vector)

    broken = dataclasses.replace(ARMV7M, state_of=wrong, length=30)
    with pytest.raises(
        Divergence, match=r"flags [0-9a-f]{8} not [0-9a-f]{8}\n[0-9a-f ]{0,60}\nfrom State"
    ):
        broken.compare(10_000, seed=1)
