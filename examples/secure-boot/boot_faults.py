"""One instruction of the boot loader left out, on the simulator: does what must not run, run?

What decides inside the library is attacked by tools/faults.py (docs/faults.md); here it is
what stands around it: main.c, verify.c, parse.c, check_*.c.

    PYTHONPATH=examples/secure-boot .venv/bin/python examples/secure-boot/boot_faults.py
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import NamedTuple

from boot_attacks import Attack, attacks
from secureboot import (
    ALGORITHMS,
    LIBRARIES,
    MINIMUM,
    SLOT,
    SYSTEM_CONTROL,
    Chip,
    build_boot,
    chip,
    make_key,
)

from ecfit.build.elf import Elf
from ecfit.choices.targets import find_target
from ecfit.run.runner import cycle_model
from ecfit.sim.machine import Region
from ecfit.sim.state import StoppableMachine

OWN = {
    "area", "bench_main", "boot_age", "boot_parse", "boot_verify", "check_hash",
    "check_signature", "differ", "misplaced", "older", "once", "open_entry", "port_refuse",
    "protected_entry", "start",
}  # fmt: skip
TRIED = (
    "program and hash altered",
    "wrong key that calls itself the right one",
    "downgrade from 1.3.0+0",
    "downgrade of the counter",
)
TIMES = 2  # an instruction is left out the first times that it is executed
RUNS_CODE = b"\x04\xbe"  # BKPT #4: port_sim.c


class Found(NamedTuple):
    """How many instructions were left out, and those after which the program ran."""

    tried: int
    accepted: list[str]


def sweep(where: Chip, boot: Elf, attack: Attack, step: int = 1) -> Found:
    """Leaves out every `step`-th instruction, one in a run."""
    target = find_target(where.name)
    regions = [Region(one.name, one.start, one.size, one.kind) for one in target.memory]
    machine = StoppableMachine(cycle_model(target), [*regions, SYSTEM_CONTROL])
    for segment in boot.segments:
        machine.load(segment.address, segment.data)
    machine.load(where.flash + SLOT, attack.image)
    machine.load(where.flash + MINIMUM, attack.oldest)
    whole = machine.reset(where.flash, limit=10**9)
    assert (whole.bkpt, whole.result) == (3, attack.reason), whole
    own = [one for one in boot.functions if one.name.split(".")[0] in OWN]
    named = [(one.name, one.address, one.size) for one in own]
    ranges = [(start, size) for _, start, size in named]
    machine.reset(where.flash, limit=0)
    seen: Counter[int] = Counter()
    tried, accepted = 0, []
    while machine.on_to(ranges, 10**9):
        pc = machine.pc
        seen[pc] += 1
        if seen[pc] > TIMES or len(seen) % step:
            continue
        here = machine.save()
        half = int.from_bytes(machine.read(pc, 2), "little")
        machine.pc = pc + (4 if half >> 11 in (0b11101, 0b11110, 0b11111) else 2)
        machine.on(2 * whole.instructions)
        tried += 1
        if machine.at_breakpoint and machine.read(machine.pc, 2) == RUNS_CODE:
            name, start = next((n, a) for n, a, size in named if a <= pc < a + size)
            accepted.append(f"{name}+{pc - start:#x}")
        machine.restore(here)
    return Found(tried, accepted)


def main() -> int:
    """Command line: all algorithms, on one chip of each core. Exit code 1: something ran."""
    code = 0
    for algorithm in ALGORITHMS.values():
        for name in ("samd21", "nrf52840"):
            key = make_key(algorithm, "the owner's")
            boot = build_boot(chip(name), algorithm, LIBRARIES["ecfit balanced"], key)
            for attack in attacks(chip(name), algorithm, key):
                if attack.name in TRIED:
                    found = sweep(chip(name), boot, attack)
                    code |= bool(found.accepted)
                    sys.stdout.write(
                        f"{algorithm.name}, {name}, {attack.name}: {found.tried} left out, "
                        f"{len(found.accepted)} accepted {' '.join(found.accepted)}\n"
                    )
                    sys.stdout.flush()
    return code


if __name__ == "__main__":
    sys.exit(main())
