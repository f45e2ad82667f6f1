"""The boot loader attacked on the simulator, from the reset to the jump.

Models of faults and what counts as an acceptance: boot_rig.py. What the attacker wrote into the
slot: boot_forgeries.py. An instruction left out and a register read as zero are tried at every
instruction, the first, the middle and the last time that it is executed, and where an altered image
is read at each; for all algorithms on the chips `CHIPS`, gcc -Os. All four models are tried in a
sample, there and on the other builds, from RAM as the simulator has it and from RAM that a genuine
boot left when it was stopped. Every bit of every instruction of a forgery's run is tried too, each
for NEAR_LIMIT instructions: most that lead into the slot do so soon. Signatures of chosen words are
counted apart: after how many faults the next instruction is one that they name, whether a
protection unit forbids it or not.

    .venv/bin/python examples/secure-boot/boot_faults.py

    --sample N    faults of the sample (SAMPLE)        --seed S    of its choice
    --jobs N      processes                            --seconds N start nothing new after so long
    --only TEXT   the builds with TEXT in their names
    --doc [--check]   writes the table of docs/secure-boot.md from the record;
                  exit code 1 where it says something else

What has been tried is a line of results/boot-faults.jsonl, named by the loader and the slot; what
stands there is not tried again. Exit code 1: something was accepted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache, lru_cache
from typing import Any, NamedTuple

from boot_forgeries import PROGRAM_BYTES, Adversary, adversaries, chosen_words
from boot_rig import MODELS, Rig, small
from secureboot import (
    ALGORITHMS,
    HYBRIDS,
    LIBRARIES,
    MINIMUM,
    SLOT,
    SLOT_SIZE,
    Chip,
    PrivateKey,
    build_boot,
    build_program,
    chip,
    make_key,
    minimum,
    sign_again,
)

from ecfit.build.elf import Elf
from ecfit.paths import ROOT

RECORD = ROOT / "results" / "boot-faults.jsonl"
DOCUMENT = ROOT / "docs" / "secure-boot.md"
BEGIN, END = "<!-- table: examples/secure-boot/boot_faults.py{} -->\n", "<!-- end -->\n"
CHIPS = "nrf52840", "samd21"  # the quicker one first
OTHER_CHIPS = "cc2538", "nrf5340"
COMPILERS = ("gcc", "Os"), ("gcc", "O2"), ("clang", "Os"), ("clang", "O2")
SHOWN = {"ecdsa-p256": "ECDSA P-256", "ed25519": "Ed25519", "ecdsa-p384": "ECDSA P-384"}
SLOTS = 13  # of boot_forgeries.py, besides the genuine ones that are too old
SAMPLE = 400_000
MOMENTS = 50  # at which a genuine boot is stopped; what it leaves in RAM is the sample's
AROUND = 400  # instructions about the first one that reads something altered
PART = 500  # points that are tried, and recorded, together
NEAR = "near"  # in place of a seed: every bit of every point, for so many instructions behind it
NEAR_LIMIT, NEAR_PART = 20_000, 2500
WORDS = "words"  # in place of a seed: skips and bits of a signature of chosen words
SAMPLED = 200  # points of a unit of the sample, each with a fault of each model


class Build(NamedTuple):
    """A boot loader that is attacked."""

    algorithm: str
    chip: str
    compiler: str
    opt: str

    def __str__(self) -> str:
        return f"{self.algorithm} {self.chip} {self.compiler} -{self.opt}"


COMPLETE = [Build(name, where, "gcc", "Os") for where in CHIPS for name in ALGORITHMS]
BUILDS = [
    *COMPLETE,
    *(Build(name, where, *one) for where in CHIPS for name in ALGORITHMS for one in COMPILERS[1:]),
    *(Build(name, where, *COMPILERS[0]) for where in OTHER_CHIPS for name in ALGORITHMS),
]


class Unit(NamedTuple):
    """What is tried and recorded together: all faults of a part of the points of a slot, or a part
    of the sample.
    """

    build: Build
    adversary: str
    part: int
    sample: str = ""  # its seed; empty: complete
    points: int = SAMPLED


class Made(NamedTuple):
    """A build and the slots."""

    where: Chip
    boot: Elf
    image: bytes
    slots: dict[str, Adversary]
    words: dict[str, Adversary]

    @property
    def digest(self) -> str:
        """Names the code and data of the boot loader."""
        return _digest(b"".join(segment.data for segment in self.boot.segments))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@cache
def made(build: Build) -> Made:
    """Built once in a process. Errors: BuildError, MissingToolError."""
    algorithm = (ALGORITHMS | HYBRIDS)[build.algorithm]
    where = small(chip(build.chip))
    key: PrivateKey = make_key(algorithm, "the owner's")
    library = LIBRARIES["ecfit balanced"]
    boot = build_boot(where, algorithm, library, key, compiler=(build.compiler, build.opt))
    image = sign_again(algorithm, build_program(where, algorithm, PROGRAM_BYTES), key)
    slots = {one.name: one for one in adversaries(algorithm, key, image)}
    words = chosen_words(algorithm, key, image, where.flash + SLOT)
    return Made(where, boot, image, slots, {one.name: one for one in words})


@lru_cache(maxsize=1)
def genuine(build: Build) -> Rig:
    """The boot that is not attacked."""
    one = made(build)
    rig = Rig(one.where, one.boot, one.image, minimum())
    assert rig.accepted_whole, build
    return rig


@lru_cache(maxsize=1)
def left_in_ram(build: Build) -> list[bytes]:
    """What it leaves in RAM where it is stopped."""
    return genuine(build).left_in_ram(MOMENTS)


@lru_cache(maxsize=1)
def attacked(build: Build, name: str, moment: int | None) -> tuple[Rig, list[int]]:
    """A slot, the RAM left at a moment, and the instructions to be attacked."""
    one, slot = made(build), made(build).slots[name]
    ram = None if moment is None else left_in_ram(build)[moment]
    rig = Rig(one.where, one.boot, slot.image, slot.oldest, ram)
    assert not rig.accepted_whole, (build, name)
    points = set(rig.points())
    if slot.altered and moment is None:
        points |= set(rig.around(genuine(build), AROUND))
    return rig, sorted(points)


def tried(unit: Unit) -> dict[str, Any]:
    """The record of a unit."""
    start, build = time.process_time(), unit.build
    one = made(build)
    if unit.sample == WORDS:
        rig = Rig(one.where, one.boot, one.words[unit.adversary].image, minimum())
        assert not rig.accepted_whole
        rig.limit, rig.guarded, parts = NEAR_LIMIT, False, 1
        found = rig.attack(rig.points(), (MODELS[0], MODELS[2]))
    elif unit.sample == NEAR:
        rig = Rig(one.where, one.boot, one.slots[unit.adversary].image, minimum())
        assert not rig.accepted_whole
        rig.limit, points = NEAR_LIMIT, rig.points()
        parts = -(-len(points) // NEAR_PART)
        found = rig.attack(points[unit.part :: parts], MODELS[2:3])
    elif unit.sample:
        chance = random.Random(f"{unit.sample} {build} {unit.adversary} {unit.part}")
        moment = chance.randrange(MOMENTS) if unit.part % 2 else None
        rig, points = attacked(build, unit.adversary, moment)
        chosen = sorted(chance.sample(points, min(unit.points, len(points))))
        found, parts = rig.attack(chosen, MODELS, chance), 0
    else:
        rig, points = attacked(build, unit.adversary, None)
        parts = -(-len(points) // PART)
        found = rig.attack(points[unit.part :: parts])
    return {
        **unit.build._asdict(),
        "image": one.digest,
        "slot": _digest((one.slots | one.words)[unit.adversary].image),
        "adversary": unit.adversary,
        "part": unit.part,
        "parts": parts,
        "sample": unit.sample,
        "tried": dict(found.tried),
        "accepted": [list(fault) for fault in found.accepted],
        "seconds": round(time.process_time() - start, 1),
    }


def complete(build: Build, known: dict[tuple[str, str], int], *, altered: bool) -> Iterator[Unit]:
    """All faults of the models that are tried at each point, for altered images or forgeries.
    `known`: how many parts the slots of an image have that have been begun.
    """
    slots = {name: slot for name, slot in made(build).slots.items() if not slot.genuine}
    assert len(slots) == SLOTS
    for name, slot in slots.items():
        if slot.altered == altered:
            parts = known.get((made(build).digest, name))
            if parts is None:
                parts = -(-len(attacked(build, name, None)[1]) // PART)
            yield from (Unit(build, name, part) for part in range(parts))


def near(build: Build, known: dict[tuple[str, str], int]) -> Iterator[Unit]:
    """Every wrong bit that leads into the slot soon, for the first of the forgeries."""
    one = made(build)
    name = next(name for name, slot in one.slots.items() if not slot.altered)
    parts = known.get((one.digest, NEAR))
    if parts is None:
        parts = -(-len(attacked(build, name, None)[1]) // NEAR_PART)
    yield from (Unit(build, name, part, NEAR) for part in range(parts))


def sampled(builds: list[Build], total: int, seed: str) -> Iterator[Unit]:
    """Units of all builds and slots in turn, until they come to `total` faults or so."""
    part, left = 0, float(total)
    while left > 0:
        for build in builds:
            for name in made(build).slots:
                yield Unit(build, name, part, seed)
                left -= 2.85 * SAMPLED  # not every instruction loads
                if left <= 0:
                    return
        part += 1


def load() -> list[dict[str, Any]]:
    """The record."""
    if not RECORD.is_file():
        return []
    return [json.loads(line) for line in RECORD.read_text(encoding="utf-8").splitlines()]


def name_of(record: dict[str, Any]) -> tuple[object, ...]:
    """What a record is of."""
    return tuple(record[name] for name in ("image", "slot", "adversary", "part", "sample"))


def _show(record: dict[str, Any]) -> None:
    runs = sum(record["tried"].values())
    build = f"{record['algorithm']} {record['chip']} {record['compiler']} -{record['opt']}"
    kind = {"": "complete", NEAR: "every bit", WORDS: WORDS}.get(record["sample"], "sample")
    speed = runs / max(record["seconds"], 0.1)  # of the processor
    print(
        f"{build}, {record['adversary']}, {kind} {record['part']}: {runs} runs, "
        f"{speed:.0f} a second, {len(record['accepted'])} accepted",
        flush=True,
    )
    for fault in record["accepted"] if record["sample"] != WORDS else []:
        print(f"  accepted: {fault}", flush=True)


def sweep(builds: list[Build], options: argparse.Namespace) -> int:
    """Tries what is not in the record, and adds it there; 1 where something was accepted."""
    end = time.time() + options.seconds
    records = load()
    known = {name_of(record) for record in records}
    parts = {
        (one["image"], one["sample"] or one["adversary"]): one["parts"]
        for one in records
        if one["parts"]
    }
    accepted = 0

    def units() -> Iterator[Unit]:
        asked = [build for build in COMPLETE if build in builds]
        quick = [build for build in asked if build.chip == CHIPS[0]]
        for build in builds:
            yield from near(build, parts)
        for build in asked:
            yield from complete(build, parts, altered=True)
        for build in quick:
            yield from complete(build, parts, altered=False)
        for build in asked:
            yield from (Unit(build, name, 0, WORDS) for name in made(build).words)
        yield from sampled(builds, options.sample, options.seed)
        for build in asked[len(quick) :]:
            yield from complete(build, parts, altered=False)

    def is_new(unit: Unit) -> bool:
        one = made(unit.build)
        slot = _digest((one.slots | one.words)[unit.adversary].image)
        return (one.digest, slot, unit.adversary, unit.part, unit.sample) not in known

    def keep(record: dict[str, Any]) -> None:
        nonlocal accepted
        known.add(name_of(record))
        accepted += len(record["accepted"]) if record["sample"] != WORDS else 0
        with RECORD.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        _show(record)

    if options.jobs == 1:
        for unit in units():
            if time.time() > end:
                break
            if is_new(unit):
                keep(tried(unit))
    else:
        with ProcessPoolExecutor(options.jobs) as pool:
            waiting = set()
            for unit in units():
                if time.time() > end:
                    break
                if is_new(unit):
                    waiting.add(pool.submit(tried, unit))
                while len(waiting) > 2 * options.jobs:
                    done = next(as_completed(waiting))
                    waiting.remove(done)
                    keep(done.result())
            for done in as_completed(waiting):
                keep(done.result())
    return 1 if accepted else 0


def newest(records: list[dict[str, Any]]) -> dict[Build, list[dict[str, Any]]]:
    """The records of each build's last image."""
    images, found = {}, {build: list[dict[str, Any]]() for build in BUILDS}
    named = [(Build(*(one[name] for name in Build._fields)), one) for one in records]
    for build, one in named:
        images[build] = one["image"]
    for build, one in named:
        if build in found and one["image"] == images[build]:
            found[build].append(one)
    return found


def finished(records: list[dict[str, Any]]) -> int:
    """The slots all of whose faults have been tried."""
    parts, done = {}, Counter[str]()
    for one in records:
        if not one["sample"]:
            parts[one["adversary"]] = one["parts"]
            done[one["adversary"]] += 1
    return sum(done[name] == count for name, count in parts.items())


def table() -> str:
    """The record, a line for each build."""
    head = ("algorithm", "chip", "compiler", "every bit", "slots", "skip", "zero", "sample: skip",
            "zero", "bit", "load", "accepted")  # fmt: skip
    text = f"| {' | '.join(head)} |\n| --- | --- | --- |{' ---: |' * 9}\n"
    totals, accepted = Counter[tuple[str, str]](), 0
    for build, every in newest(load()).items():
        records = [one for one in every if one["sample"] != WORDS]
        if not records:
            continue
        runs, found = Counter[tuple[str, str]](), 0
        for one in records:
            for model, count in one["tried"].items():
                kind = {"": "complete", NEAR: NEAR}.get(one["sample"], "sample")
                runs[kind, model] += count
            found += len(one["accepted"])
        slots = f"{finished(records)} of {SLOTS}" if build in COMPLETE else ""
        totals, accepted = totals + runs, accepted + found
        compiler = f"{build.compiler} -{build.opt}"
        text += _row((SHOWN[build.algorithm], build.chip, compiler), slots, runs, found)
    text += _row(("all", "", ""), "", totals, accepted)
    bits = totals[NEAR, MODELS[2]]
    whole = sum(totals.values()) - bits
    return f"\n{text}\n{whole:,} runs to the end, {bits:,} of every bit.\n\n"


def words_table() -> str:
    """Of the chosen words: what was tried, and after how many faults one was where the run went."""
    text = "| algorithm | chip | numbers | skips | lead there | bits | lead there |\n"
    text += f"| --- | --- | --- |{' ---: |' * 4}\n"
    for build, records in newest(load()).items():
        for one in records:
            if one["sample"] == WORDS:
                led = Counter(fault[3] for fault in one["accepted"])
                cells = [SHOWN[build.algorithm], build.chip, one["adversary"]]
                for model in (MODELS[0], MODELS[2]):
                    cells += [f"{one['tried'][model]:,}", f"{led[model]:,}"]
                text += f"| {' | '.join(cells)} |\n"
    return f"\n{text}\n"


def sizes() -> str:
    """How much is attacked, and where the slot lies."""
    rows = {
        "room for the boot loader, L": f"{MINIMUM >> 10} KiB",
        "the slot": f"{SLOT >> 10} KiB to {(SLOT + SLOT_SIZE) >> 10} KiB",
        "instructions that are attacked about the first altered byte": f"{AROUND:,}",
        "instructions that are followed after one bit of one": f"{NEAR_LIMIT:,}",
        "points at which a genuine boot was stopped": f"{MOMENTS:,}",
    }
    lines = "".join(f"| {name} | {value} |\n" for name, value in rows.items())
    return f"\n| what | how much |\n| --- | ---: |\n{lines}\n"


# By what stands behind their tool's name in the document.
TABLES = {"": table, ", chosen words": words_table, ", sizes": sizes}


def _row(names: tuple[str, ...], slots: str, runs: Counter[tuple[str, str]], accepted: int) -> str:
    counts = [runs["complete", model] for model in MODELS[:2]]
    counts += [runs["sample", model] for model in MODELS]
    cells = [f"{one:,}" if one else "" for one in (runs[NEAR, MODELS[2]], *counts)]
    return f"| {' | '.join((*names, cells[0], slots, *cells[1:]))} | {accepted} |\n"


def write_document(*, check: bool) -> int:
    """Puts the tables into the document, or says that they are not there."""
    text = DOCUMENT.read_text(encoding="utf-8")
    new = text
    for place, written in TABLES.items():
        before, mark, rest = new.partition(BEGIN.format(place))
        new = before + mark + written() + END + rest.partition(END)[2]
    if check and new != text:
        name = DOCUMENT.relative_to(ROOT)
        sys.stderr.write(f"{name} is not what the record says: run 'make generate'\n")
        return 1
    if not check:
        DOCUMENT.write_text(new, encoding="utf-8")
    return 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--only", default="")
    parser.add_argument("--doc", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.doc:
        return write_document(check=options.check)
    return sweep([one for one in BUILDS if options.only in str(one)], options)


if __name__ == "__main__":
    sys.exit(main())
