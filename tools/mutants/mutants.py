#!/usr/bin/env python3
"""Mutants of lib/src: operators, constants, conditions and calls changed one at a time;
who notices?

    tools/mutants/mutants.py [--sample N] [--seed S] [--jobs N] [--only TEXT]
        writes results/mutants.json; exit code 1 where survivors without a reason are 2 % or more
    tools/mutants/mutants.py --again    asks again about survivors of the record without a reason
    tools/mutants/mutants.py --show     the survivors of the record, with their reasons

A mutant is compiled in configurations that have its file, one after the other, until one notices:
a compiler that refuses it, a crash,
no end within SECONDS, or another answer to one of the calls of tools/mutants/mutant_calls.py,
which are such as the tests make. Where the
library is the same, byte for byte, nothing has been tried.
A mutant that no configuration notices is run with the sanitizers, then through
the quick tests of its layer (TESTS), and is a survivor when they pass.
docs/mutants.toml says of a survivor why it is equivalent.
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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.mutants import mutant_calls, mutant_record
from tools.mutants.mutate import Mutant, applied, mutants

ROOT = Path(__file__).resolve().parents[2]

SRC, INCLUDE = ROOT / "lib" / "src", ROOT / "lib" / "include"
RECORD = ROOT / "results" / "mutants.json"
GENERATED = ("curve/comb/", "curve/params/", "_tables.inc")
SECONDS = 20  # of processor time, for the calls in one configuration
TRIES = 6  # configurations in which a mutant is tried
REPLAY = """
import pickle, sys
from pathlib import Path
from tools.mutants import mutant_calls
mutant_calls.replay(Path(sys.argv[2]), pickle.loads(Path(sys.argv[1]).read_bytes()))
"""
FLAGS = ["gcc", "-std=c11", "-O1", "-w", "-fPIC", "-shared", "-s", "-Wl,--build-id=none"]
# What sanitizers see without a library of theirs: use of what was not set, beyond an array, shifts.
FLAGS += ["-ftrivial-auto-var-init=pattern", "-fsanitize=bounds,shift"]
FLAGS += ["-fsanitize-undefined-trap-on-error"]
SANITIZERS = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# Quick ones, by what they run.
TESTS = (
    ("^(mul|group)/", ("test_toy_mul", "test_toy")),
    ("^(field|mp)/", ("test_open_arithmetic",)),
    ("^field/.*(inv_|steps_)", ("test_divsteps",)),
    ("^hash/", ("test_hashes", "test_sha256")),
    ("nonce|rfc6979|hedged", ("test_hedged",)),
    ("^api/ecdsa/der_", ("test_der",)),
    ("^api/(?!eddsa|exchange)|^mul/", ("test_rng", "test_steps", "test_api_errors")),
    ("ed|exchange|xz|25519|448", ("test_rfc_toy", "test_rfc_arithmetic")),
    ("wipe|sign|public|exchange|steps|work", ("test_wipe",)),
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

    def is_sane(self, source: Path) -> bool:
        """Whether sanitizers have nothing to say of the calls to the library from there."""
        library, _ = self.compiled(source, SANITIZERS)
        setting = self.folder / "setting.pickle"
        setting.write_bytes(pickle.dumps(self.setting))
        find = ["gcc", "-print-file-name=libasan.so"]
        runtime = subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip()
        environment = {
            **os.environ,
            "LD_PRELOAD": runtime,
            "ASAN_OPTIONS": "detect_leaks=0",
        }
        command = [sys.executable, "-c", REPLAY, str(setting), str(library)]
        done = subprocess.run(command, env=environment, capture_output=True, check=False, text=True)
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode == 0

    def includes(self, source: Path = SRC) -> list[str]:
        """Options for what is included."""
        return [f"-I{path}" for path in (self.folder, source, INCLUDE)]

    def compiled(self, source: Path, more: Sequence[str] = ()) -> tuple[Path | None, str]:
        """The library from there; None when the compiler refuses it. And its digest.
        more: further flags.
        """
        library = (self.folder if source == SRC else source) / f"{self.setting.name}.so"
        command = [
            *FLAGS,
            *more,
            *self.includes(source),
            str(source / "ecfit.c"),
            "-o",
            str(library),
        ]
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


def judge(mutant: Mutant, builds: list[Build], folder: Path, tries: int = TRIES) -> dict[str, Any]:
    """What became of a mutant, in so many configurations."""
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
            if tried == tries:
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
    child.join()
    return child.exitcode == 0


def _compare(library: Path, build: Build) -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    wanted = build.unchanged[1]
    same = mutant_calls.replay(library, build.setting, wanted) == wanted
    os._exit(0 if same else 1)


def sanitized(mutant: Mutant, builds: list[Build], folder: Path, tries: int = TRIES) -> bool:
    """Whether the address and undefined-behaviour sanitizers let a mutant pass, in a third of so
    many configurations.
    """
    source = tree(mutant, folder)
    try:
        candidates = [build for build in builds if mutant.path in build.files]
        random.Random(mutant.name).shuffle(candidates)
        return all(build.is_sane(source) for build in candidates[: tries // 3])
    finally:
        shutil.rmtree(source)


def passes_tests(mutant: Mutant, builds: list[Build], folder: Path) -> bool:
    """Whether the tests of the library pass with the mutant in place."""
    source = tree(mutant, folder)
    names = [build.setting.name for build in builds if mutant.path in build.files]
    own = [name.removeprefix("secp256r1-") for name in names if name.startswith("secp256r1-")]
    environment = {
        **os.environ,
        "ECFIT_TEST_SRC": str(source),
        "ECFIT_TEST_CFLAGS": "-O1",
        "ECFIT_TEST_CONFIGURATIONS": " ".join(own[:3]),
        "ECFIT_CACHE": str(folder / "cache"),
    }
    tests = {test for path, some in TESTS if re.search(path, mutant.path) for test in some}
    try:
        for test in sorted(tests):
            files = [f"tests/lib/{test}.py", "-k", "host" if test == "test_wipe" else "test"]
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:xdist", *files]
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=900
            )
            assert done.returncode != 4, done.stdout.decode()[-2000:]  # a file that is not there
            if done.returncode not in {0, 5}:
                return False
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        shutil.rmtree(source)


def asked_further(
    mutant: Mutant, builds: list[Build], folder: Path, tries: int, *, tests: bool
) -> dict[str, Any] | None:
    """Who else notices a survivor: sanitizers, or the tests of the layer."""
    if not sanitized(mutant, builds, folder, tries):
        return {"fate": "noticed", "by": "sanitizers"}
    if tests and not passes_tests(mutant, builds, folder):
        return {"fate": "noticed", "by": "tests"}
    return None


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tries", type=int, default=TRIES, help="configurations, at most")
    parser.add_argument("--only", default="", help="mutants whose name has this")
    parser.add_argument(
        "--no-tests", action="store_true", help="survivors are not run through the tests"
    )
    parser.add_argument("--again", action="store_true", help="the survivors of the record")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.show:
        return mutant_record.show(RECORD)
    everything = all_mutants()
    record = {"of": len(everything), "seed": options.seed, "mutants": {}}
    if options.again:
        record = json.loads(RECORD.read_text(encoding="utf-8"))
        chosen = [one for one in everything if mutant_record.is_open(record, one.name)]
    else:
        some = [one for one in everything if options.only in one.name]
        chosen = random.Random(options.seed).sample(some, min(options.sample, len(some)))
    found: mutant_record.Record = record["mutants"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        builds = [Build(setting, folder) for setting in mutant_calls.settings()]
        print(f"{len(everything)} mutants, {len(chosen)} chosen, {len(builds)} builds", flush=True)

        def one(mutant: Mutant) -> None:
            fate = judge(mutant, builds, folder, options.tries)
            if fate["fate"] == "survived":
                tests = not options.no_tests
                further = asked_further(mutant, builds, folder, options.tries, tests=tests)
                fate = further or fate
            found[mutant.name] = {"line": mutant.line, **fate}
            print(f"{fate['fate']} {fate.get('by', '')}: {mutant.name}", flush=True)

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, chosen))
    if not options.only:
        mutant_record.keep(RECORD, record)
    return mutant_record.closed(record)


if __name__ == "__main__":
    sys.exit(main())
