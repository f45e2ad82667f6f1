"""Random RV32IMC programs on the simulator and the independent emulator;
arguments: differential.py.
"""

from __future__ import annotations

import sys

from differential import Comparison, main
from rv32_oracle import Oracle, size_of, state_of
from rv32_random import NOP, Program, random_state

COMPARISON = Comparison("RV32IMC", "ibex", Oracle, Program, random_state, state_of, NOP, size_of)

if __name__ == "__main__":
    sys.exit(main([COMPARISON]))
