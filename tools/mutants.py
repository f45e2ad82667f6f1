#!/usr/bin/env python3
"""Mutants of lib/src: operators, constants, conditions and calls changed one at a time;
who notices?

    tools/mutants.py [--sample N] [--seed S] [--jobs N] [--only TEXT]   results/mutants.json,
    exit code 1 where survivors
                                                                        without a reason are 2 % or
                                                                        more
    tools/mutants.py --show                                             the survivors of the
    record, with their reasons

A mutant is compiled in configurations that have its file, one after the other, until one notices:
a compiler that refuses it, a crash,
no end within SECONDS, or another answer to one of the calls of tools/mutant_calls.py,
which are such as the tests make. Where the
library is the same, byte for byte, nothing has been tried.
A mutant that no configuration notices is run through
the tests themselves (TESTS), and is a survivor when they pass.
docs/mutants.toml says of a survivor why it is equivalent.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "lib"), str(ROOT / "lib"), str(ROOT / "tools")]

import mutant_calls  # noqa: E402
from mutate import Mutant, applied, mutants  # noqa: E402

SRC, INCLUDE = ROOT / "lib" / "src", ROOT / "lib" / "include"
RECORD, REASONS = ROOT / "results" / "mutants.json", ROOT / "docs" / "mutants.toml"
GENERATED = ("curve/comb/", "curve/params/", "_tables.inc")
SECONDS = 20
TRIES = 6  # configurations in which a mutant is tried
FLAGS = ["gcc", "-std=c11", "-O1", "-w", "-fPIC", "-shared", "-s", "-Wl,--build-id=none"]
# What sanitizers see without a library of theirs: use of what was not set, beyond an array, shifts.
FLAGS += ["-ftrivial-auto-var-init=pattern", "-fsanitize=bounds,shift"]
FLAGS += ["-fsanitize-undefined-trap-on-error"]
TESTS = (
    "test_open_arithmetic",
    "test_hashes",
    "test_sha256",
    "test_api_errors",
    "test_toy",
    "test_rfc_toy",
    "test_rfc_arithmetic",
    "test_rng",
    "test_hardened",
    "test_rfc_objects",
)


def all_mutants() -> list[Mutant]:
    """Every mutant of the library."""
    files = sorted(path for path in SRC.rglob("*") if path.suffix in {".inc", ".c", ".h"})
    return [
        mutant
        for path in files
        if not any(part in str(path) for part in GENERATED)
        for mutant in mutants(str(path.relative_to(SRC)), path.read_text(encoding="utf-8"))
    ]


class Build:
    """A configuration: its folder, the files that it reads,
    the object of the unchanged library and its answers.
    """

    def __init__(self, setting: mutant_calls.Setting, folder: Path) -> None:
        self.setting = setting
        self.folder = folder / setting.name
        self.folder.mkdir()
        for name, text in setting.files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")
        asked = subprocess.run(
            [*FLAGS, "-MM", *self.includes(), str(SRC / "ecfit.c")],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        names = asked.replace("\\\n", " ").split()
        self.files = {
            str(Path(name).resolve().relative_to(SRC)) for name in names if str(SRC) in name
        }

    @cached_property
    def unchanged(self) -> tuple[str, list[Any]]:
        """Digest and answers of the unchanged library."""
        library, digest = self.compiled(SRC)
        assert library is not None, self.setting.name
        return digest, mutant_calls.replay(library, self.setting)

    def includes(self, source: Path = SRC) -> list[str]:
        """Options for what is included."""
        return [f"-I{path}" for path in (self.folder, source, INCLUDE)]

    def compiled(self, source: Path) -> tuple[Path | None, str]:
        """The library from there; None when the compiler refuses it. And its digest."""
        library = (self.folder if source == SRC else source) / f"{self.setting.name}.so"
        command = [*FLAGS, *self.includes(source), str(source / "ecfit.c"), "-o", str(library)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None, ""
        return library, hashlib.sha256(library.read_bytes()).hexdigest()


def tree(mutant: Mutant, folder: Path) -> Path:
    """A copy of lib/src with the change; all other files are links."""
    source = Path(tempfile.mkdtemp(dir=folder))
    for path in SRC.rglob("*"):
        if path.is_file():
            (source / path.relative_to(SRC)).parent.mkdir(parents=True, exist_ok=True)
            (source / path.relative_to(SRC)).symlink_to(path)
    target = source / mutant.path
    target.unlink()
    target.write_text(applied(mutant, (SRC / mutant.path).read_text(encoding="utf-8")))
    return source


def judge(mutant: Mutant, builds: list[Build], folder: Path) -> dict[str, Any]:
    """What became of a mutant."""
    source = tree(mutant, folder)
    try:
        candidates = [build for build in builds if mutant.path in build.files]
        random.Random(mutant.name).shuffle(candidates)
        tried = same = 0
        for build in candidates:
            library, digest = build.compiled(source)
            if library is None:
                return {"fate": "refused", "by": build.setting.name}
            if digest == build.unchanged[0]:
                same += 1
                continue
            tried += 1
            if not agrees(library, build):
                return {"fate": "noticed", "by": build.setting.name}
            if tried == TRIES:
                break
        if not tried:
            return {"fate": "same code" if same else "not compiled"}
        return {"fate": "survived", "tried": tried}
    finally:
        shutil.rmtree(source)


def agrees(library: Path, build: Build) -> bool:
    """Whether a library answers as the unchanged one does, in a process of its own."""
    context = multiprocessing.get_context("fork")
    child = context.Process(target=_compare, args=(library, build), daemon=True)
    child.start()
    child.join(SECONDS)
    if child.is_alive():
        child.kill()
        child.join()
        return False
    return child.exitcode == 0


def _compare(library: Path, build: Build) -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 2)
    wanted = build.unchanged[1]
    same = mutant_calls.replay(library, build.setting, wanted) == wanted
    os._exit(0 if same else 1)


def passes_tests(mutant: Mutant, build_names: list[str], folder: Path) -> bool:
    """Whether the tests of the library pass with the mutant in place."""
    source = tree(mutant, folder)
    environment = {
        **os.environ,
        "ECFIT_TEST_SRC": str(source),
        "ECFIT_TEST_CFLAGS": "-O1",
        "ECFIT_TEST_CONFIGURATIONS": " ".join(build_names[:3]),
        "ECFIT_CACHE": str(folder / "cache"),
    }
    try:
        for name in TESTS:
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-x",
                "-q",
                "-p",
                "no:xdist",
                f"tests/lib/{name}.py",
            ]
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=900
            )
            if done.returncode not in {0, 5}:
                return False
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        shutil.rmtree(source)


@cache
def reasons() -> dict[str, str]:
    """Why survivors are equivalent, by name."""
    if not REASONS.is_file():
        return {}
    listed = tomllib.loads(REASONS.read_text(encoding="utf-8")).get("equivalent", [])
    return {f"{one['file']}: {one['kind']}: {one['change']}": one["reason"] for one in listed}


def summary(record: dict[str, Any]) -> tuple[str, float]:
    """A line, and the share of survivors without a reason among those that were tried."""
    fates = Counter(one["fate"] for one in record["mutants"].values())
    survivors = [name for name, one in record["mutants"].items() if one["fate"] == "survived"]
    open_ = [name for name in survivors if name not in reasons()]
    counted = fates["noticed"] + fates["survived"]
    share = len(open_) / max(counted, 1)
    parts = ", ".join(f"{count} {fate}" for fate, count in fates.most_common())
    return (
        f"mutants: {len(record['mutants'])} of {record['of']}, seed {record['seed']}: {parts}; "
        f"{len(survivors)} survivors, {len(open_)} without a reason: {share:.1%}"
    ), share


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument(
        "--no-tests", action="store_true", help="survivors are not run through the tests"
    )
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.show:
        return show()
    everything = [one for one in all_mutants() if options.only in one.path]
    chosen = random.Random(options.seed).sample(everything, min(options.sample, len(everything)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        builds = [Build(setting, folder) for setting in mutant_calls.settings()]
        print(f"{len(everything)} mutants, {len(chosen)} chosen, {len(builds)} builds", flush=True)
        found: dict[str, Any] = {}

        def one(mutant: Mutant) -> None:
            found[mutant.name] = {"line": mutant.line, **judge(mutant, builds, folder)}
            if found[mutant.name]["fate"] == "survived":
                print(
                    f"survived: {mutant.path}:{mutant.line}: {mutant.kind}: {mutant.shown}",
                    flush=True,
                )

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, chosen))
        for mutant in chosen:
            if (
                found[mutant.name]["fate"] == "survived"
                and not options.no_tests
                and mutant.name not in reasons()
            ):
                names = [b.setting.name for b in builds if mutant.path in b.files]
                if not passes_tests(mutant, names, folder):
                    found[mutant.name] = {"line": mutant.line, "fate": "noticed", "by": "tests"}
                    print(f"noticed by the tests: {mutant.name}", flush=True)
    record = {"of": len(everything), "seed": options.seed, "mutants": dict(sorted(found.items()))}
    if not options.only:
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    line, share = summary(record)
    print(line)
    return 1 if share >= 0.02 else 0


def show() -> int:
    """Prints the survivors of the record."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    for name, one in record["mutants"].items():
        if one["fate"] == "survived":
            print(f"{name}\n    {reasons().get(name, 'no reason yet')}")
    line, share = summary(record)
    print(line)
    return 1 if share >= 0.02 else 0


if __name__ == "__main__":
    sys.exit(main())
