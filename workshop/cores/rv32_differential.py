"""Random RV32IMC programs on the simulator and the independent emulator;
arguments: workshop/sim/differential.py.
"""

from __future__ import annotations

import sys

from workshop.cores.rv32_oracle import Oracle, size_of, state_of
from workshop.cores.rv32_random import NOP, Program, random_state
from workshop.sim.differential import Comparison, main

COMPARISON = Comparison("RV32IMC", "ibex", Oracle, Program, random_state, state_of, NOP, size_of)

if __name__ == "__main__":
    sys.exit(main([COMPARISON]))
