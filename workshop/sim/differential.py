"""The simulator against the independent emulator on random programs:
what the instruction sets share.

They are in workshop/cores/differential.py, which is the program:

    python -m workshop.cores.differential SET [N] [SEED]    N instructions (default 1,000,000)

Prints one line and exits 0, or prints the shortest diverging program and exits 1.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol

from ecfit.sim.machine import FlashTiming, Machine, Region, load_model
from workshop.sim.build import MEMORY, RAM, RAM_SIZE, TEXT
from workshop.sim.emulator import AnyState, difference
from workshop.sim.random_items import RandomProgram


class Oracle(Protocol[AnyState]):
    """A core to compare with. `cycles`: of the last run; None: it does not count them."""

    code_bit: int
    cycles: int | None

    def load(self, address: int, data: bytes) -> None: ...
    def apply(self, state: AnyState) -> None: ...
    def state(self) -> AnyState: ...
    def run(self, pc: int, until: int, count: int = 0, timeout: float = 0) -> str | None: ...
    def ram(self) -> bytes: ...


class Layout(NamedTuple):
    """The memory of both sides, and what stands in flash beside the program."""

    memory: tuple[Region, ...] = MEMORY
    ram: int = RAM
    ram_size: int = RAM_SIZE
    beside: tuple[tuple[int, bytes], ...] = ()


USUAL = Layout()


class Divergence(Exception):
    """Both ran; they disagree."""


@dataclass(frozen=True)
class Case(Generic[AnyState]):
    """A program and the state that it starts in."""

    code: tuple[int, ...]
    start: AnyState
    ram: bytes

    def encoded(self) -> bytes:
        return b"".join(half.to_bytes(2, "little") for half in self.code)


@dataclass(frozen=True)
class Comparison(Generic[AnyState]):
    """An instruction set, by what is particular to it."""

    name: str
    model: str
    oracle: Callable[[], Oracle[AnyState]]
    program: type[RandomProgram]
    random_state: Callable[[random.Random], AnyState]
    state_of: Callable[[Machine], AnyState]
    nop: int  # a halfword
    size_of: Callable[
        [int], int
    ]  # bytes of what begins with that halfword and is left out as a whole
    length: int = 400  # halfwords of a program
    states: int = 1  # from which each is run
    layout: Layout = USUAL

    def compare(self, instructions: int, seed: int) -> int:
        """Run random programs until that many instructions agree;
        returns how many did. Raises Divergence.

        Each variant of the executor has its share: every other run is profiled,
        and the machine has slow flash when the seed is odd.
        """
        rng, done = random.Random(seed), 0
        oracle, watched = self.oracle(), itertools.cycle((False, True))
        with Machine(
            load_model(self.model),
            self.layout.memory,
            FlashTiming(2, 64) if seed % 2 and oracle.cycles is None else None,
        ) as machine:
            self._load_beside(machine, oracle)
            while done < instructions:
                code = tuple(self.program(rng).generate(self.length))
                for _ in range(self.states):
                    ram = machine.read(self.layout.ram, self.layout.ram_size)
                    case = Case(code, self.random_state(rng), ram)
                    found, count = self.run_both(machine, oracle, case, profile=next(watched))
                    if found:
                        raise Divergence(
                            f"seed {seed}, after {done} instructions: {found}\n{self.explain(case)}"
                        )
                    done += count
        return done

    def run_both(
        self,
        machine: Machine,
        oracle: Oracle[AnyState],
        case: Case[AnyState],
        *,
        profile: bool,
        timeout: float = 0,
    ) -> tuple[str, int]:
        """Run a program to its end on both sides, which hold its memory:
        (difference, instructions).
        """
        code = case.encoded()
        machine.load(TEXT, code)
        oracle.load(TEXT, code)
        case.start.apply(machine)
        oracle.apply(case.start)
        result = machine.run(TEXT | oracle.code_bit, limit=1_000_000, profile=profile)
        trouble = oracle.run(TEXT, TEXT + len(code) - 2 * len(self.program.end), timeout=timeout)
        if result.stop != "bkpt" or trouble:
            return (
                f"stopped by {result.stop} ({result.fault}), the oracle by {trouble}",
                result.instructions,
            )
        found = difference(self.state_of(machine), oracle.state())
        if not found and machine.read(self.layout.ram, self.layout.ram_size) != oracle.ram():
            found = "memories differ"
        if not found and oracle.cycles not in (None, result.cycles):
            found = f"cycles {result.cycles} not {oracle.cycles}"
        return found, result.instructions

    def _load_beside(self, machine: Machine, oracle: Oracle[AnyState]) -> None:
        for address, data in self.layout.beside:
            machine.load(address, data)
            oracle.load(address, data)

    def isolated(self, case: Case[AnyState]) -> str:
        """Run a case on machines of its own."""
        oracle = self.oracle()
        with Machine(load_model(self.model), self.layout.memory) as machine:
            self._load_beside(machine, oracle)
            machine.write(self.layout.ram, case.ram)
            oracle.load(self.layout.ram, case.ram)
            # A shortened loop may be endless.
            return self.run_both(machine, oracle, case, profile=False, timeout=1)[0]

    def _starts(self, code: tuple[int, ...]) -> list[int]:
        """Where what can be left out begins, and last where the end does."""
        starts = [0]
        while starts[-1] < len(code) - len(self.program.end):
            starts.append(starts[-1] + self.size_of(code[starts[-1]]) // 2)
        return starts

    def shorten(self, case: Case[AnyState]) -> tuple[Case[AnyState], str]:
        """Replace by NOPs what is not needed for the divergence; a run that stops early
        is another one.
        """
        code, early = list(case.code), self.isolated(case).startswith("stopped")
        starts = self._starts(case.code)
        for group in (128, 32, 8, 4, 2, 1):
            for first in range(0, len(starts) - 1, group):
                low, high = starts[first], starts[min(first + group, len(starts) - 1)]
                saved = code[low:high]
                code[low:high] = [self.nop] * (high - low)
                found = self.isolated(Case(tuple(code), case.start, case.ram))
                if not found or found.startswith("stopped") != early:
                    code[low:high] = saved
        smaller = Case(tuple(code), case.start, case.ram)
        return smaller, self.isolated(smaller)

    def explain(self, case: Case[AnyState]) -> str:
        """The divergence again on fresh machines, as short as it gets."""
        if not self.isolated(case):
            return "the program alone does not diverge"
        case, found = self.shorten(case)
        listing = " ".join(f"{half:04x}" for half in case.code if half != self.nop)
        return f"shortest (NOPs left out): {found}\n{listing}\nfrom {case.start}"


def main(comparisons: Sequence[Comparison[Any]]) -> int:
    """The program of a module: the instructions asked for, shared out."""
    instructions = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    for one in comparisons:
        start = time.perf_counter()
        try:
            done = one.compare(-(-instructions // len(comparisons)), seed)
        except Divergence as divergence:
            print(divergence)
            return 1
        seconds = time.perf_counter() - start
        print(f"{done} random {one.name} instructions agree (seed {seed}, {seconds:.1f} s)")
    return 0
