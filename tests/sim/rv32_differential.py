"""The simulator against the independent emulator on random RV32IMC programs.

    python tests/sim/rv32_differential.py [N] [SEED]    N instructions (default 1,000,000)

Prints one line and exits 0, or prints the shortest diverging program and exits 1.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass

from rv32_oracle import Oracle, State, difference, size_of, state_of
from rv32_random import NOP, Program, random_state
from sim_build import MEMORY, RAM, RAM_SIZE, TEXT

from ecfit.simlib import FlashTiming, Machine, load_model

LENGTH = 400  # halfwords of a program
_END = 6  # bytes


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


def run_both(machine: Machine, oracle: Oracle, code: bytes, start: State, *, profile: bool = False) -> tuple[str, int]:
    """Run a program that ends in EBREAK on both sides: (difference, instructions)."""
    machine.load(TEXT, code)
    oracle.load(TEXT, code)
    start.apply(machine)
    oracle.apply(start)
    result = machine.run(TEXT, limit=1_000_000, profile=profile)
    trouble = oracle.run(TEXT, TEXT + len(code) - _END)
    if result.stop != "bkpt" or trouble:
        return f"stopped by {result.stop} ({result.fault}), the oracle by {trouble}", result.instructions
    return difference(state_of(machine), oracle.state()), result.instructions


def isolated(case: Case) -> str:
    """Run a case on machines of its own; includes the comparison of memories."""
    oracle = Oracle()
    with Machine(load_model("ibex"), MEMORY) as machine:
        machine.write(RAM, case.ram)
        oracle.load(RAM, case.ram)
        found, _ = run_both(machine, oracle, case.encoded(), case.start)
        return found or ("" if machine.read(RAM, RAM_SIZE) == oracle.ram() else "memories differ")


def shorten(case: Case) -> tuple[Case, str]:
    """Replace by NOPs what is not needed for the divergence; a run that stops early is another one."""
    code, early = list(case.code), isolated(case).startswith("stopped")
    starts = [0]
    while starts[-1] < len(code) - _END // 2:
        starts.append(starts[-1] + size_of(code[starts[-1]]) // 2)
    for group in (64, 16, 4, 1):
        for first in range(0, len(starts) - 1, group):
            low, high = starts[first], starts[min(first + group, len(starts) - 1)]
            saved = code[low:high]
            code[low:high] = [NOP] * (high - low)
            found = isolated(Case(tuple(code), case.start, case.ram))
            if not found or found.startswith("stopped") != early:
                code[low:high] = saved
    smaller = Case(tuple(code), case.start, case.ram)
    return smaller, isolated(smaller)


def compare(instructions: int, seed: int) -> int:
    """Run random programs until that many instructions agree; returns how many did. Raises Divergence.

    Each variant of the executor has its share: every other program is profiled, and the machine has slow flash when the
    seed is odd.
    """
    rng, done, programs = random.Random(seed), 0, 0
    oracle = Oracle()
    with Machine(load_model("ibex"), MEMORY, FlashTiming(2, 64) if seed % 2 else None) as machine:
        while done < instructions:
            case = Case(tuple(Program(rng).generate(LENGTH)), random_state(rng), machine.read(RAM, RAM_SIZE))
            programs += 1
            found, count = run_both(machine, oracle, case.encoded(), case.start, profile=programs % 2 == 0)
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
    listing = " ".join(f"{half:04x}" for half in case.code if half != NOP)
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
    print(f"{done} random RV32IMC instructions agree (seed {seed}, {time.perf_counter() - start:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
