"""Random ARMv7-M programs against the independent emulator."""

import armv7m_differential
import pytest
from armv7m_differential import Divergence, compare
from armv7m_oracle import State, state_of

from ecfit.simlib import Machine


def test_a_million_random_instructions_agree() -> None:
    assert compare(1_000_000, seed=70_000) >= 1_000_000


def test_a_wrong_flag_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the simulator lost the saturation flag; the shortest program that shows it is told."""

    def wrong(machine: Machine, vectors: bool = True) -> State:
        state = state_of(machine, vectors)
        return State(state.registers, state.flags & ~(1 << 27), state.vector)

    monkeypatch.setattr(armv7m_differential, "state_of", wrong)
    monkeypatch.setattr(armv7m_differential, "LENGTH", 30)
    with pytest.raises(Divergence, match=r"flags [0-9a-f]{8} not [0-9a-f]{8}\n[0-9a-f ]{0,60}\nfrom State"):
        compare(10_000, seed=1)
