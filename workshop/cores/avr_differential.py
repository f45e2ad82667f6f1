"""Random AVR programs on the simulator and on simavr, cycles included; arguments: those of
workshop/sim/differential.py.

The instructions are shared out among the parts.
"""

from __future__ import annotations

import functools
import sys

from workshop.cores.avr_oracle import PARTS, Oracle, State, state_of
from workshop.cores.avr_random import NOP, STUBS, Program, random_state, size_of
from workshop.sim.differential import Comparison, Layout, main


def comparison(name: str) -> Comparison[State]:
    """The comparison for a part."""
    part = PARTS[name]
    beside = tuple((address, code.to_bytes(2, "little")) for address, code in STUBS.items())
    return Comparison(
        f"AVR ({name})",
        "avr",
        functools.partial(Oracle, name),
        type("Program", (Program,), {"part": part}),
        functools.partial(random_state, part=part),
        state_of,
        NOP,
        size_of,
        layout=Layout(part.memory, part.memory[1].start, part.ram, beside),
    )


COMPARISONS = [comparison(name) for name in PARTS]

if __name__ == "__main__":
    sys.exit(main(COMPARISONS))
