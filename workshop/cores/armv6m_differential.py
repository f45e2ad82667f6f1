"""Random ARMv6-M programs on the simulator and the independent emulator;
arguments: workshop/sim/differential.py.
"""

from __future__ import annotations

import sys

from workshop.sim.differential import Comparison, main
from workshop.sim.oracle import Oracle, state_of
from workshop.sim.random_programs import NOP, Program, random_state

COMPARISON = Comparison(
    "ARMv6-M", "cortex-m0", Oracle, Program, random_state, state_of, NOP, size_of=lambda _half: 2
)

if __name__ == "__main__":
    sys.exit(main([COMPARISON]))
