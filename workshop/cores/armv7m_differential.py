"""Random ARMv7-M programs on the simulator and the independent emulator;
arguments: workshop/sim/differential.py.
"""

from __future__ import annotations

import sys

from workshop.cores.armv7m_oracle import Oracle, state_of
from workshop.cores.armv7m_random import Program, random_state
from workshop.sim.differential import Comparison, main
from workshop.sim.random_programs import NOP

COMPARISON = Comparison(
    "ARMv7-M",
    "cortex-m4",
    Oracle,
    Program,
    random_state,
    state_of,
    NOP,
    size_of=lambda _half: 2,
    length=600,
    states=4,
)

if __name__ == "__main__":
    sys.exit(main([COMPARISON]))
