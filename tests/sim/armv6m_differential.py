"""Random ARMv6-M programs on the simulator and the independent emulator;
arguments: differential.py.
"""

from __future__ import annotations

import sys

from differential import Comparison, main
from sim_oracle import Oracle, state_of
from sim_random import NOP, Program, random_state

COMPARISON = Comparison(
    "ARMv6-M", "cortex-m0", Oracle, Program, random_state, state_of, NOP, size_of=lambda _half: 2
)

if __name__ == "__main__":
    sys.exit(main([COMPARISON]))
