"""Do the operands of test_assembly_random.py notice a lost carry? Each mutant of the assembly
(workshop/assembly/mutants.py) runs on the operands that `make long WHAT=asm-random` begins with.

    workshop/assembly/mutants_run.py [--sample N] [--seed S] [--only TEXT] [--jobs N]
        exit code 1 where one survives without a reason in docs/asm-mutants.toml

Goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from ecfit.paths import cache_dir
from workshop.assembly import mutants as lib_asm_mutants
from workshop.assembly.cases import cases
from workshop.assembly.emulated import Batch, Draws, Emulated, batches, program
from workshop.assembly.inner import inner
from workshop.assembly.mutants import Mutant
from workshop.assembly.routines import BACKENDS, functions

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

REASONS = ROOT / "docs" / "asm-mutants.toml"
# Operands of a function, until one notices, and how many functions are asked about one inside.
ROUNDS = ((32, 6), (480, 6), (4000, 3), (20000, 3))
SECONDS = 3  # for a batch: more is a loop
NOTICED, SURVIVED = "noticed", "survived"
Fates = dict[str, str]


def reasons() -> dict[str, str]:
    """Why survivors are equivalent, by name."""
    listed = tomllib.loads(REASONS.read_text(encoding="utf-8")).get("equivalent", [])
    return {name: one["reason"] for one in listed for name in one["mutants"]}


@lru_cache(maxsize=20)
def asked(backend: str, function: str, index: int, number: int) -> list[Batch]:
    """The operands of a round for one of a function's cases: those of asm-random, in its order."""
    known = cases(function, backend)
    n, case = known[index]
    count = 1 if case.fixed else ROUNDS[number][0] // len(known) + 1
    draws = Draws(case, n, f"{function} {n} {number}" if number else f"{function} {n}")
    return list(batches(case, draws, count))


class Judge:
    """An emulator that is started again where a mutant leaves it in disorder."""

    def __init__(self, backend: str) -> None:
        self.backend, self.known = backend, functions(backend) | inner(backend)
        self.emulated = Emulated(backend)

    def close(self) -> None:
        """Ends the emulator."""
        self.emulated.__exit__()

    def again(self) -> None:
        """Another one."""
        self.close()
        self.emulated = Emulated(self.backend)

    def wrong(self, function: str, number: int) -> bool:
        """Whether the function does not return, or answers otherwise, on a round of operands."""
        for index in range(len(cases(function, self.backend))):
            for batch in asked(self.backend, function, index, number):
                got = self.emulated.answers(self.known[function], batch, SECONDS)
                if len(got) < len(batch.sent):
                    self.again()
                    return True
                if any(batch.wrong(i, got) for i in range(len(batch.drawn))):
                    return True
        return False

    def fate(self, mutant: Mutant, original: bytes, rounds: int) -> str:
        """Noticed by which function and round, or survived."""
        every = lib_asm_mutants.reached(self.backend, mutant.function)
        through = [name for name in every if name in self.known]
        assert through, f"{mutant.function}: no function that is tested leads there"
        for number, (_, near) in enumerate(ROUNDS[:rounds]):
            for function in through[:near]:
                self.emulated.change(mutant.address, mutant.patch)
                wrong = self.wrong(function, number)
                self.emulated.change(mutant.address, original)
                if wrong:
                    return f"{NOTICED} {number} {function}"
        return SURVIVED

    def healthy(self, function: str) -> bool:
        """Whether the code as it is still answers as it should."""
        every = lib_asm_mutants.reached(self.backend, function)
        return not any(self.wrong(name, 0) for name in every if name in self.known)


def judged(chosen: list[Mutant], rounds: int = len(ROUNDS)) -> Fates:
    """The fates of mutants of one function, after so many rounds at most."""
    backend, function = chosen[0].backend, chosen[0].function
    code = lib_asm_mutants.bodies(backend)[function].code
    judge = Judge(backend)
    try:
        assert judge.healthy(function), f"{function}: wrong as it is"
        found = {one.name: judge.fate(one, bytes(code[one.number].bytes), rounds) for one in chosen}
        assert judge.healthy(function), f"{function}: a mutant has changed more than its code"
    finally:
        judge.close()
    return found


def everything() -> Iterator[Mutant]:
    """All mutants."""
    for backend in BACKENDS:
        for function in lib_asm_mutants.own(backend):
            yield from lib_asm_mutants.mutants(backend, function)


def record() -> Path:
    """Where fates are kept: for this code and these tests."""
    files = sorted([*HERE.glob("*.py"), *HERE.parent.glob("library/emulated*.py")])
    made = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    for backend in BACKENDS:
        made.update(program(backend).image)
    return cache_dir() / "asm-mutants" / f"{made.hexdigest()[:16]}.jsonl"


def known(path: Path) -> Fates:
    """What has been found out."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found: Fates = {}
    for line in lines:
        found |= json.loads(line)
    return found


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, help="so many of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="mutants whose name has this")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    every = [one for one in everything() if options.only in one.name]
    if options.sample:
        every = random.Random(options.seed).sample(every, min(options.sample, len(every)))
        every.sort(key=lambda one: (one.backend, one.function))
    path = record()
    path.parent.mkdir(parents=True, exist_ok=True)
    found = known(path)
    rest = [one for one in every if one.name not in found]
    groups = [list(some) for _, some in groupby(rest, key=lambda one: (one.backend, one.function))]
    with ProcessPoolExecutor(options.jobs) as pool, path.open("a", encoding="utf-8") as file:
        for fates in pool.map(judged, groups):
            found |= fates
            file.write(json.dumps(fates) + "\n")
            file.flush()
    return summary(every, found)


def summary(every: list[Mutant], found: Fates) -> int:
    """Prints the figure and who survives; returns an exit code."""
    why = reasons()
    survivors = [one.name for one in every if found[one.name] == SURVIVED]
    for name in survivors:
        print(f"{name}\n    {why.get(name, 'no reason')}")
    for backend in BACKENDS:
        fates = [found[one.name].split()[0] for one in every if one.backend == backend]
        print(f"asm-mutants: {backend}: {fates.count(NOTICED)} of {len(fates)} noticed")
    left = [name for name in survivors if name not in why]
    noticed = len(every) - len(survivors)
    print(
        f"asm-mutants: {noticed} of {len(every)} noticed, {len(survivors) - len(left)} equivalent, "
        f"{len(left)} without a reason"
    )
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
