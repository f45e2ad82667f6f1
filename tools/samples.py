"""Are kept records of today's code? Of each kind whose records name what they are of, a few are
drawn by a seed, and built or measured again: `tools/sweeps.py status` says how many differ.

    python -m tools.samples    prints {kind: [that differ, that were asked]} as JSON
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import boot_faults

from ecfit.choices import kernels
from ecfit.choices.curves import find_curve
from ecfit.choices.peers import all_peers, outside_peers
from ecfit.choices.targets import find_target
from ecfit.errors import EcfitError
from ecfit.fit.asked import answers
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import Ask, all_studies, find_study, measure
from tools import ct_compilers
from tools.docs import articles, fit_ahead
from tools.docs.studies import place, place_of
from tools.faults import faults
from tools.mutants import mutant_record, mutants, sim_mutants
from workshop.rigs.faults import Rig

T = TypeVar("T")
SEED, IMAGES = 54, 5
QUICK = 20_000_000  # instructions of a row of a study that is asked


def drawn(some: Sequence[T], count: int = IMAGES) -> list[T]:
    """A few of them, the same ones each time."""
    return random.Random(SEED).sample(some, min(count, len(some)))


def of_studies() -> Iterator[bool]:
    """Of rows of our library: whether a figure is another; of an article's program, likewise."""
    yield not articles.alike(articles.base_again())
    rows = []
    for name in all_studies():
        study = find_study(name)
        targets = tuple(map(find_target, study.targets))
        peers = {key: peer for key, peer in outside_peers().items() if key in study.outside}
        ask = Ask(targets, tuple(map(find_curve, study.curves)), "datasheet", peers | all_peers())
        records = [row for row in kept(study) if row.op != "ecdhe"]
        steady = {
            (*place(row), row.group) for row in records
        }  # of this machine, no others are kept
        jobs = [
            job
            for job in study.plan(ask)
            if job.row.target.name != "host" or (*place_of(job), job.group) in steady
        ]
        planned = [(*place_of(job), job.group, job.base, job.published) for job in jobs]
        if planned != [(*place(row), row.group, row.base, row.published) for row in records]:
            yield True
            continue
        rows += [
            (study, job, record)
            for job, record in zip(jobs, records, strict=True)
            if record.library == "ecfit" and 0 < (record.instructions or 0) < QUICK
        ]
    bench = Bench(Settings(), all_peers(), Store())
    for study, job, record in drawn(rows):
        ((_, again),) = measure(study, [job], bench)
        yield (again.cycles, again.flash_bytes) != (record.cycles, record.flash_bytes)


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


def main() -> None:
    with ProcessPoolExecutor(2) as pool:
        counts = zip(KINDS, pool.map(asked, KINDS), strict=True)
        print(json.dumps({kind: count for kind, count in counts if count}))


if __name__ == "__main__":
    main()
