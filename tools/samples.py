"""Are kept records of today's code? Of each kind whose records name what they are of, a few are
drawn by a seed, and built or measured again: `tools/sweeps.py status` says how many differ.

    python -m tools.samples    prints {kind: [that differ, that were asked]} as JSON
    python -m tools.samples --rows [SEED]
                               measures some rows of each study again, of our library, of others
                               and of this machine; exit code 1, and a line for each that differs
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import boot_faults
import msgspec

from ecfit.build.parts import OWN
from ecfit.choices import kernels
from ecfit.choices.curves import find_curve
from ecfit.choices.peers import all_peers, outside_peers
from ecfit.choices.targets import find_target
from ecfit.choices.variants import known
from ecfit.errors import EcfitError
from ecfit.fit.asked import answers
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit_studies.survey.plan import VARIANTS
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import (
    Ask,
    Job,
    Study,
    StudyRecord,
    all_studies,
    measure,
)
from tools import ct_compilers
from tools.docs import articles, fit_ahead
from tools.docs.studies import counted, place, place_of
from tools.faults import faults
from tools.mutants import mutant_record, mutants, sim_mutants
from workshop.rigs.faults import Rig

T = TypeVar("T")
SEED, IMAGES = 54, 5
ROWS = 2  # of our library, of others, and of this machine, in each study
QUICK = 20_000_000  # instructions of a row of a study that is asked
COUNTS = "cycles", "instructions", "flash_bytes", "ram_bytes"  # of a simulated chip: exactly
LIKE = 0.02  # part by which a count of this machine may differ: libc and random numbers are in it


def drawn(some: Sequence[T], count: int = IMAGES, seed: int = SEED) -> list[T]:
    """A few of them, the same ones each time."""
    return random.Random(seed).sample(some, min(count, len(some)))


def rows_of(study: Study) -> list[tuple[Job, StudyRecord]] | None:
    """What a study plans, each with its record; None where the plan is another one."""
    targets = tuple(map(find_target, study.targets))
    peers = {key: peer for key, peer in outside_peers().items() if key in study.outside}
    ask = Ask(targets, tuple(map(find_curve, study.curves)), "datasheet", peers | all_peers())
    records = [row for row in kept(study) if row.op != "ecdhe"]
    steady = {(*place(row), row.group) for row in records}  # of this machine, no others are kept
    jobs = [
        job
        for job in study.plan(ask)
        if job.row.target.name != "host" or (*place_of(job), job.group) in steady
    ]
    planned = [(*place_of(job), job.group, job.base, job.published) for job in jobs]
    if planned != [(*place(row), row.group, row.base, row.published) for row in records]:
        return None
    return list(zip(jobs, records, strict=True))


def of_studies() -> Iterator[bool]:
    """Of rows of our library: whether a figure is another; of an article's program, likewise."""
    yield not articles.alike(articles.base_again())
    rows = []
    for study in all_studies().values():
        found = rows_of(study)
        if found is None:
            yield True
            continue
        rows += [
            (study, job, record)
            for job, record in found
            if record.library == OWN and quick(record) and record.target != "host"
        ]
    bench = Bench(Settings(), all_peers(), Store())
    for study, job, record in drawn(rows):
        ((_, again),) = measure(study, [job], bench)
        yield (again.cycles, again.flash_bytes) != (record.cycles, record.flash_bytes)


def quick(record: StudyRecord) -> bool:
    """Whether a row has figures, and measures in a second or so."""
    return 0 < (record.instructions or 0) < QUICK


def contradicted(study: Study, bench: Bench, seed: int) -> Iterator[tuple[str, str]]:
    """Of some rows which they are, and what a new measurement says against them; empty: nothing.
    A row of a compiler or of code that is not at hand is not asked. Errors: BuildError.
    """
    found = rows_of(study)
    if found is None:
        yield study.name, "another plan than that of its records"
        return
    kinds = defaultdict[str, list[tuple[Job, StudyRecord]]](list)
    for job, record in found:
        own = "ours" if record.library == OWN else "theirs"
        if quick(record) and record.library not in study.outside:
            kinds["host" if record.target == "host" else own].append((job, record))
    for kind, rows in kinds.items():
        for job, record in drawn(rows, ROWS, seed):
            where = f"{record.curve} {record.op} on {record.target}, -{record.opt}"
            said = ""
            if kind == "host":
                row = msgspec.structs.replace(job.row, opt=job.opt)
                now, before = counted(bench, row), record.instructions or 0
                if abs(now / before - 1) > LIKE:
                    said = f"instructions are {now}, kept {before} (band {LIKE:.0%})"
            else:
                ((_, again),) = measure(study, [job], bench)
                if again.toolchain != record.toolchain:
                    continue
                pairs = [(name, getattr(again, name), getattr(record, name)) for name in COUNTS]
                parts = [f"{name} {now}, kept {was}" for name, now, was in pairs if now != was]
                parts += [again.status] * (again.status != record.status)
                said = "; ".join(parts)
            yield f"{study.name}: {record.group} {where}", said


@known(VARIANTS)
def against(seed: int) -> int:
    """How many rows of all studies are contradicted; prints each, and how many were asked."""
    bench, asked, wrong = Bench(Settings(), all_peers(), Store()), 0, 0
    for study in all_studies().values():
        for what, said in contradicted(study, bench, seed):
            asked += 1
            if said:
                wrong += 1
                print(f"{what}: {said}", flush=True)
    print(f"{asked} rows measured again (seed {seed}), {wrong} contradicted")
    return wrong


def of_faults() -> Iterator[bool]:
    """Of attacked images: whether a build of now has another digest."""
    record = faults.load(faults.PARTS[0])
    yield record.keys() != {str(build) for build in faults.plan()}
    for build in drawn(faults.plan()):
        yield faults.image_digest(Rig(build)) != record.get(str(build), {}).get("image")


def of_boot_faults() -> Iterator[bool]:
    """Of attacked boot loaders, likewise."""
    newest = boot_faults.newest(boot_faults.load())
    for build in drawn(boot_faults.BUILDS, 2):
        digests = {record["image"] for record in newest[build]}
        yield digests != {boot_faults.made(build).digest}


def of_compilers() -> Iterator[bool]:
    """Of images that were followed, by compilers that are there: whether one of now is another."""
    programs, _ = ct_compilers.installed()
    rows = [
        (cell, row)
        for cell, row in ct_compilers.read().items()
        if (cell.compiler, cell.core) in programs
    ]
    for cell, row in drawn(rows):
        version, bench, request = ct_compilers.asked(cell, programs[cell.compiler, cell.core])
        with ct_compilers.passing_cache():
            yield (version, ct_compilers.loaded(bench, request)) != (row.version, row.code)


def of_mutants() -> Iterator[bool]:
    """Of all that were tried, or have a reason: whether the line that they change is another."""
    names = {mutant.name for mutant in (*mutants.all_mutants(), *sim_mutants.all_mutants())}
    record = json.loads(mutants.RECORD.read_text(encoding="utf-8"))["mutants"]
    for name in {*record, *mutant_record.reasons()}:
        yield name not in names


def of_answers() -> Iterator[bool]:
    """Of answers of `fit`: whether they measure otherwise."""
    measured = fit_ahead.measurer(1)
    for answer in drawn(answers(), 3):
        yield fit_ahead.again(answer, measured) != answer


def of_kernels() -> Iterator[bool]:
    """Of all: whether the model of their chip is another."""
    for row in kernels.kept():
        yield not kernels.current(row)


KINDS: dict[str, Callable[[], Iterator[bool]]] = {
    "studies": of_studies,
    "fit-ahead": of_answers,
    "ct-compilers": of_compilers,
    "faults": of_faults,
    "boot-faults": of_boot_faults,
    "kernels": of_kernels,
    "mutants": of_mutants,
}


def asked(kind: str) -> tuple[int, int] | None:
    """How many differ, and how many were asked; None where a tool for it is missing."""
    try:
        differ = list(KINDS[kind]())
    except EcfitError as error:
        print(f"{kind}: not asked: {error}", file=sys.stderr)
        return None
    return sum(differ), len(differ)


def main(words: Sequence[str]) -> int:
    """Command line."""
    match words:
        case ["--rows", *seed] if len(seed) < 2 and all(map(str.isdecimal, seed)):
            return 1 if against(int(seed[0]) if seed else SEED) else 0
        case []:
            pass
        case _:
            print((__doc__ or "").strip(), file=sys.stderr)
            return 2
    with ProcessPoolExecutor(2) as pool:
        counts = zip(KINDS, pool.map(asked, KINDS), strict=True)
        print(json.dumps({kind: count for kind, count in counts if count}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
