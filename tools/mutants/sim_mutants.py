#!/usr/bin/env python3
"""Mutants of sim/src: what instructions cost, and for a quarter the rest, changed in one place
at a time; which of the simulator's own tests notices?

    tools/mutants/sim_mutants.py [--sample N] [--seed S] [--only TEXT]
        writes results/sim-mutants.json; exit code 1 where survivors without a reason are 2 %
        or more
    tools/mutants/sim_mutants.py --on       goes on with a sample that --seconds ended
    tools/mutants/sim_mutants.py --again    asks again about survivors of the record without a
                                            reason
    tools/mutants/sim_mutants.py --show     the survivors of the record, with their reasons

The simulator is built with the change (-O0, and without its taint variant unless the change is
there alone), and the tests of STAGES are asked in a process of their own, cheap ones first:
kernels that were counted by hand, then faults, calls and programs,
then random programs and all encodings against an independent emulator, then taint.
docs/mutants.toml says of a survivor why no test can notice it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import pickle
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ecfit.paths import cache_dir
from ecfit.sim import abi
from tools.mutants import mutant_record
from tools.mutants.mutate import Mutant, applied, mutants
from workshop.sim import build as sim_build

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "sim"

SIM, RECORD = ROOT / "sim", ROOT / "results" / "sim-mutants.json"
COST = re.compile(r"cost|flash|exec|loads|ops|\.def$")
COST_SHARE = 3, 4  # of a sample
SECONDS = {"counted": 40, "programs": 60, "random": 200, "taint": 200}  # of processor time
STAGES = {
    "counted": (
        "armv7m_roles",
        "armv7m_cycles",
        "rv32_cycles",
        "cycles",
        "flash",
        "flash_cache",
    ),
    "programs": (
        "state",
        "observe",
        "rv32_observe",
        "faults",
        "armv7m_faults",
        "rv32_faults",
        "armv7m_programs",
        "rv32_programs",
        "programs",
        "banks",
        "supervisor",
    ),
    "random": (
        "armv7m_random",
        "rv32_random",
        "random",
        "armv7m_encodings",
        "rv32_encodings",
        "encodings",
    ),
    "taint": ("taint", "taint_attacked", "taint_random"),
}
ARMV6M = {"cycles", "programs", "random", "encodings"}  # of the instruction sets, by its first


def all_mutants() -> list[Mutant]:
    """Every mutant of the simulator."""
    src = SIM / "src"
    files = sorted(path for path in src.rglob("*") if path.suffix in {".c", ".h", ".inc", ".def"})
    return [
        mutant
        for path in files
        for mutant in mutants(
            f"sim/{path.relative_to(src)}", path.read_text(encoding="utf-8"), tables=True
        )
    ]


def sample(everything: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """So many of them, COST_SHARE of what instructions cost."""
    cost = [one for one in everything if COST.search(one.path)]
    rest = [one for one in everything if not COST.search(one.path)]
    some, most = random.Random(seed), size * COST_SHARE[0] // COST_SHARE[1]
    chosen = some.sample(cost, min(most, len(cost)))
    return chosen + some.sample(rest, min(size - len(chosen), len(rest)))


def remembered(link: Callable[..., sim_build.Image]) -> Callable[..., sim_build.Image]:
    """What compilers and assemblers make of sources, kept in the cache: most of the time of these
    tests.
    """
    folder = cache_dir() / "simtest"
    folder.mkdir(parents=True, exist_ok=True)

    def kept(command: list[str], source: str, suffix: str, script: str = "") -> sim_build.Image:
        path = folder / hashlib.sha256(repr((command, source, suffix, script)).encode()).hexdigest()
        if not path.is_file():
            partial = path.with_suffix(f".{os.getpid()}")
            partial.write_bytes(pickle.dumps(link(command, source, suffix, script)))
            partial.replace(path)
        image: sim_build.Image = pickle.loads(path.read_bytes())
        return image

    return kept


class Simulator:
    """A copy of sim/, built, in which each mutant is made."""

    def __init__(self, folder: Path) -> None:
        paths = sorted(SIM.glob("src/**/*.*"))
        text = "".join(f"{path}\n{path.read_text(encoding='utf-8')}" for path in paths)
        made = f"sim-O0-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        self.folder, self.mutants = cache_dir() / "simtest" / made, folder
        if not self.folder.is_dir():
            leave = shutil.ignore_patterns("san", "fuzz", "*.so", "*.d", "*.o")
            shutil.copytree(SIM, folder / made, ignore=leave)
            assert self.made(folder / made) is not None
            shutil.copytree(folder / made, self.folder)
        self.number = 0
        self.library = self.folder / "libecsim.so"
        self.digest = _digest(self.library)

    def made(self, folder: Path) -> Path | None:
        """The library of a folder; None when the compiler refuses it."""
        options = ["CFLAGS=-O0", "WATCHING=", "WARNINGS=-w", "BUILD_ID=mutant"]
        command = ["make", "-s", "-C", str(folder), *options]
        done = subprocess.run(command, capture_output=True, check=False)
        return folder / "libecsim.so" if done.returncode == 0 else None

    def judge(self, mutant: Mutant) -> dict[str, str]:
        """What became of it."""
        self.number += 1  # a name of its own: a library is loaded once by its name
        folder = self.mutants / f"mutant{self.number}"
        shutil.copytree(self.folder, folder)
        try:
            path = folder / "src" / mutant.path.removeprefix("sim/")
            changed = applied(mutant, path.read_text(encoding="utf-8"))
            fate = "same code"
            for with_taint in (False, True):  # the variant that follows taint is made when asked
                path.write_text(changed, encoding="utf-8")
                if not with_taint:
                    for made in (folder / "build" / "fast").glob("*.taint.o"):
                        made.touch()
                library = self.made(folder)
                if library is None:
                    return {"fate": "refused"}
                if _digest(library) != self.digest:
                    stages = [name for name in STAGES if (name == "taint") == with_taint]
                    by = noticed_by(library, mutant, stages)
                    if by is not None:
                        return {"fate": "noticed", "by": by}
                    fate = "survived"
            return {"fate": fate}
        finally:
            shutil.rmtree(folder)


def noticed_by(library: Path, mutant: Mutant, stages: list[str]) -> str | None:
    """Which stage notices. Random programs say nothing of cycles: what is only that skips them."""
    cycles = mutant.kind in {"row", "role"} or re.search("cost|flash", mutant.path)
    for name in stages:
        chosen = [test for test in STAGES[name] if _concerns(test, mutant.path)]
        if name == "random" and cycles:
            continue
        if chosen and not passes(library, chosen, SECONDS[name]):
            return name
    return None


def _concerns(test: str, path: str) -> bool:
    """Whether a test runs what a file is part of: not another instruction set."""
    sets = {"armv6m", "armv7m", "rv32"}
    own = {one for one in sets if one in path}
    if not own and "encodings" in test:  # of one set, and minutes
        return False
    its = {one for one in sets if one in test} or ({"armv6m"} if test in ARMV6M else set())
    return not own or not its or own == its


def passes(library: Path, tests: list[str], seconds: int) -> bool:
    """Whether these tests pass, in a process of their own that has all that was assembled
    here before.
    """
    child = multiprocessing.get_context("fork").Process(target=_run, args=(library, tests, seconds))
    child.start()
    child.join()
    return child.exitcode == 0


def _run(library: Path, tests: list[str], seconds: int) -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    os._exit(run_tests(library, tests))


def run_tests(library: Path, tests: list[str]) -> int:
    """Runs tests of the simulator with that library; returns pytest's exit code."""
    os.environ["ECFIT_LIBECSIM"] = str(library)
    abi.library.cache_clear()
    files = [str(TESTS / f"test_{test}.py") for test in tests]
    return int(pytest.main(["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *files]))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="mutants whose name has this")
    parser.add_argument("--seconds", type=float, default=1e9, help="ends after the mutant of then")
    parser.add_argument("--on", action="store_true", help="with the sample of the record")
    parser.add_argument("--again", action="store_true", help="the survivors of the record")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.show:
        return mutant_record.show(RECORD)
    end, everything = time.monotonic() + options.seconds, all_mutants()
    cost = sum(1 for one in everything if COST.search(one.path))
    record = {"of": len(everything), "cost": cost, "size": options.sample, "seed": options.seed,
              "mutants": {}}  # fmt: skip
    if options.again or options.on:
        record = json.loads(RECORD.read_text(encoding="utf-8"))
    if options.again:
        chosen = [one for one in everything if mutant_record.is_open(record, one.name)]
    else:
        some = [one for one in everything if options.only in one.name]
        chosen = sample(some, record["size"], record["seed"])
        chosen = [one for one in chosen if one.name not in record["mutants"]]
    found: mutant_record.Record = record["mutants"]
    print(f"{len(everything)} mutants, {len(chosen)} chosen", flush=True)
    with tempfile.TemporaryDirectory() as name:
        simulator = Simulator(Path(name))
        sim_build.link = remembered(sim_build.link)
        quick = [*STAGES["counted"], *STAGES["programs"]]
        if not (options.on or passes(simulator.library, quick, 1000)):  # and all is assembled
            raise SystemExit("sim-mutants: the tests fail on the simulator as it is")
        for number, mutant in enumerate(chosen, 1):
            if time.monotonic() > end:
                break
            found[mutant.name] = {"line": mutant.line, **simulator.judge(mutant)}
            fate = found[mutant.name]
            print(f"{number}: {fate['fate']} {fate.get('by', '')}: {mutant.name}", flush=True)
    if not options.only:
        mutant_record.keep(RECORD, record)
    return mutant_record.closed(record)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
