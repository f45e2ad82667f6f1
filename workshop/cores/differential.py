"""Random programs of an instruction set on the simulator and on the independent emulator; of AVR on
simavr, cycles included, and the instructions are shared out among the parts.

    python -m workshop.cores.differential SET [N] [SEED]    SET: armv6m, armv7m, avr, rv32

N and SEED: workshop/sim/differential.py.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from workshop.cores import (
    armv7m_oracle,
    armv7m_random,
    avr_oracle,
    avr_random,
    rv32_oracle,
    rv32_random,
)
from workshop.sim import oracle, random_programs
from workshop.sim.differential import Comparison, Layout, main
from workshop.sim.random_programs import NOP


def _avr(name: str) -> Comparison[avr_oracle.State]:
    """The comparison for a part."""
    part, stubs = avr_oracle.PARTS[name], avr_random.STUBS
    beside = tuple((address, code.to_bytes(2, "little")) for address, code in stubs.items())
    return Comparison(
        f"AVR ({name})",
        "avr",
        functools.partial(avr_oracle.Oracle, name),
        type("Program", (avr_random.Program,), {"part": part}),
        functools.partial(avr_random.random_state, part=part),
        avr_oracle.state_of,
        avr_random.NOP,
        avr_random.size_of,
        layout=Layout(part.memory, part.memory[1].start, part.ram, beside),
    )


ARMV6M = Comparison(
    "ARMv6-M", "cortex-m0", oracle.Oracle, random_programs.Program, random_programs.random_state,
    oracle.state_of, NOP, size_of=lambda _half: 2,
)  # fmt: skip
ARMV7M = Comparison(
    "ARMv7-M", "cortex-m4", armv7m_oracle.Oracle, armv7m_random.Program,
    armv7m_random.random_state, armv7m_oracle.state_of, NOP, size_of=lambda _half: 2, length=600,
    states=4,
)  # fmt: skip
AVR = [_avr(name) for name in avr_oracle.PARTS]
RV32 = Comparison(
    "RV32IMC", "ibex", rv32_oracle.Oracle, rv32_random.Program, rv32_random.random_state,
    rv32_oracle.state_of, rv32_random.NOP, rv32_oracle.size_of,
)  # fmt: skip

if __name__ == "__main__":
    known: Mapping[str, Sequence[Comparison[Any]]] = {
        "armv6m": [ARMV6M], "armv7m": [ARMV7M], "avr": AVR, "rv32": [RV32],
    }  # fmt: skip
    asked = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if asked not in known:
        sys.exit(f"differential.py: SET is one of {', '.join(known)}, not '{asked}'")
    sys.exit(main(known[asked]))
