"""The simulator against the independent emulator on random ARMv7-M programs.

    python tests/sim/armv7m_differential.py [N] [SEED]    N instructions (default 1,000,000)

Prints one line and exits 0, or prints the shortest diverging program and exits 1.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass

from armv7m_oracle import Oracle, State, difference, state_of
from armv7m_random import BKPT, Program, random_state
from sim_build import MEMORY, RAM, RAM_SIZE, TEXT

from ecfit.simlib import Machine, load_model

LENGTH = 600  # halfwords of a program
STATES = 4  # from which each is run
_NOP = 0xBF00


class Divergence(Exception):
    """Both ran; they disagree."""


@dataclass(frozen=True)
class Case:
    """A program and the state that it starts in."""

    code: tuple[int, ...]
    start: State
    ram: bytes

    def encoded(self) -> bytes:
        return b"".join(half.to_bytes(2, "little") for half in self.code)


def run_both(machine: Machine, oracle: Oracle, code: bytes, start: State, timeout: float = 0) -> tuple[str, int]:
    """Run a program that ends in BKPT on both sides: (difference, instructions)."""
    machine.load(TEXT, code)
    oracle.load(TEXT, code)
    start.apply(machine)
    oracle.apply(start)
    result = machine.run(TEXT | 1, limit=1_000_000)
    trouble = oracle.run(TEXT, TEXT + len(code) - 2, timeout=timeout)
    if result.stop != "bkpt" or trouble:
        return f"stopped by {result.stop} ({result.fault}), the oracle by {trouble}", result.instructions
    return difference(state_of(machine), oracle.state()), result.instructions


def isolated(case: Case) -> str:
    """Run a case on machines of its own; includes the comparison of memories."""
    oracle = Oracle()
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        machine.write(RAM, case.ram)
        oracle.load(RAM, case.ram)
        found, _ = run_both(machine, oracle, case.encoded(), case.start, timeout=1)  # a shortened loop may be endless
        return found or ("" if machine.read(RAM, RAM_SIZE) == oracle.ram() else "memories differ")


def shorten(case: Case) -> tuple[Case, str]:
    """Replace by NOP what is not needed for the divergence; a run that stops early is another one."""
    code, early = list(case.code), isolated(case).startswith("stopped")
    for size in (128, 32, 8, 4, 2, 1):
        for at in range(0, len(code) - 1, size):
            saved = code[at : at + size]
            code[at : at + size] = [_NOP if half != BKPT else half for half in saved]
            found = isolated(Case(tuple(code), case.start, case.ram))
            if not found or found.startswith("stopped") != early:
                code[at : at + size] = saved
    smaller = Case(tuple(code), case.start, case.ram)
    return smaller, isolated(smaller)


def compare(instructions: int, seed: int) -> int:
    """Run random programs until that many instructions agree; returns how many did. Raises Divergence."""
    rng, done = random.Random(seed), 0
    oracle = Oracle()
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        while done < instructions:
            code = tuple(Program(rng).generate(LENGTH))
            for _ in range(STATES):
                case = Case(code, random_state(rng), machine.read(RAM, RAM_SIZE))
                found, count = run_both(machine, oracle, case.encoded(), case.start)
                if not found and machine.read(RAM, RAM_SIZE) != oracle.ram():
                    found = "memories differ"
                if found:
                    raise Divergence(f"seed {seed}, after {done} instructions: {found}\n{explain(case)}")
                done += count
    return done


def explain(case: Case) -> str:
    """The divergence again on fresh machines, as short as it gets."""
    if not isolated(case):
        return "the program alone does not diverge"
    case, found = shorten(case)
    listing = " ".join(f"{half:04x}" for half in case.code if half != _NOP)
    return f"shortest (NOPs left out): {found}\n{listing}\nfrom {case.start}"


def main() -> int:
    instructions = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    start = time.perf_counter()
    try:
        done = compare(instructions, seed)
    except Divergence as divergence:
        print(divergence)
        return 1
    print(f"{done} random ARMv7-M instructions agree (seed {seed}, {time.perf_counter() - start:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
