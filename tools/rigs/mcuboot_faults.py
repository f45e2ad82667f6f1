#!/usr/bin/env python3
"""Attacks MCUboot's validation on compat/mcuboot as a whole, from the reset to the jump into an
image that it should refuse. MCUboot is a checkout of yours.

    tools/rigs/mcuboot_faults.py --peer-dir mcuboot=PATH    all that is not in the record
    --only TEXT     the builds with TEXT in their names        --jobs N    processes
    tools/rigs/mcuboot_faults.py --doc [--check]    writes the tables of docs/from-mcuboot.md from
    the record, or exit code 1 when they differ

Models of faults and slots are those of examples/secure-boot (boot_rig.py, boot_forgeries.py), and
an acceptance is an instruction that is fetched from the slot. An instruction left out and a
register read as zero are tried for every slot. For the slots `EVERY_BIT`, every bit is tried of
every instruction outside the library. An instruction is attacked the first, the middle and the
last time that it is executed, and where an altered image is read at each. Every run goes to its
end.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from boot_forgeries import PROGRAM_BYTES, Adversary, adversaries
from boot_rig import MODELS, Rig
from cryptography.hazmat.primitives import serialization
from secureboot import (
    ALGORITHMS,
    MINIMUM,
    SLOT,
    SLOT_SIZE,
    Algorithm,
    Chip,
    PrivateKey,
    build_program,
    chip,
    linked,
    make_key,
    minimum,
    sign_again,
)

from ecfit.build.combs import missing_tables
from ecfit.build.elf import Elf
from ecfit.build.parts import library_sources
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.paths import LIB, ROOT
from tools.rigs.mcuboot_peer import BOOTUTIL, COMPAT, MACROS, PORT, SETS

RECORD = ROOT / "results" / "mcuboot-faults.json"
PAGE = ROOT / "docs" / "from-mcuboot.md"
BEGIN, END = "<!-- table: tools/rigs/mcuboot_faults.py{} -->\n", "<!-- end -->\n"
RAM_SIZE = 0x2000  # bytes that the loader has here
MOST = 10**7  # instructions of a run without a fault
AROUND = 400  # instructions about the first one that reads something altered
EVERY_BIT = "e = 0", "k = 0", "program"
JOINS = ("bootutil_img_hash", "find_key", "verify_sig", "verify_once", "ecdsa_verify", "mul_check",
         "bootutil_img_validate", "mod_inv")  # fmt: skip
VERIFICATIONS = "plain", "hardened"
PROFILES = {"OFF": "off", "MEDIUM": "medium"}
SHOWN = {"ecdsa-p256": "P-256", "ecdsa-p384": "P-384", "ed25519": "Ed25519"}
KINDS = {True: "altered", False: "forged"}
WHOSE = {  # of a function, by the beginning of its name
    "start-up": ("bench_reset",),
    "the loader": ("bench_main", "flash_area_read", "start"),
    "the shim": ("bootutil_verify_sig", "bootutil_ecdsa_", "ED25519_verify", "verified"),
    "MCUboot": ("bootutil_", "boot_", "fih_"),
    "the C library": ("mem",),
}
REST = "ecfit"


class Build(NamedTuple):
    """What is attacked. `validations`: how often the loader asks MCUboot."""

    algorithm: str
    chip: str
    hardened: bool
    profile: str
    validations: int = 1

    def __str__(self) -> str:
        kind = "hardened" if self.hardened else "plain"
        return f"{self.algorithm} {self.chip} {kind} {self.profile} {self.validations}"


BUILDS = [
    Build("ecdsa-p256", "nrf52840", hardened=False, profile="OFF"),
    Build("ecdsa-p256", "nrf52840", hardened=False, profile="MEDIUM"),
    Build("ecdsa-p256", "nrf52840", hardened=True, profile="MEDIUM"),
    Build("ecdsa-p256", "nrf52840", hardened=True, profile="MEDIUM", validations=2),
]


class Endless(Rig):
    """A boot loader that refuses by an endless loop."""

    def _whole(self) -> bool:
        walker, flash = self.walker, self.where.flash
        walker.on(MOST)
        if walker.stopped:
            walker.restore(self.begin)
            self.limit = MOST
            return super()._whole()
        loop = walker.pc
        walker.restore(self.begin)
        _, when, _ = walker.visits(flash, [1] * (MINIMUM // 2), MOST)
        self.instructions = when[(loop - flash) // 2] + 1
        self.limit = 2 * self.instructions + 10**6
        self.refusal = range(loop, loop + 2)
        self.joins[loop] = 0
        self.victim.restore(self.begin)
        self._as_built(loop, 2)
        return self._finish()


class Made(NamedTuple):
    """A build and the slots."""

    where: Chip
    boot: Elf
    image: bytes
    slots: dict[str, Adversary]

    @property
    def digest(self) -> str:
        """Names code and data of the loader."""
        return _digest(b"".join(segment.data for segment in self.boot.segments))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _key_source(key: PrivateKey) -> str:
    der = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return (
        '#include "bootutil/sign_key.h"\n'
        f"static const uint8_t key[] = {{{', '.join(map(str, der))}}};\n"
        "static const unsigned int size = sizeof key;\n"
        "const struct bootutil_key bootutil_keys[] = {{key, &size}};\n"
        "const int bootutil_key_cnt = 1;\n"
    )


def _build(build: Build, peer: Path, where: Chip, algorithm: Algorithm, key: PrivateKey) -> Elf:
    """The loader. Errors: BuildError, MissingToolError."""
    sets = {"BACKEND": where.backend}
    sets |= dict(pair.split("=") for pair in SETS[build.algorithm].split(","))
    if build.hardened:
        sets["VERIFY"] = dict(algorithm.sets)["VERIFY"]
    settings = knobs.resolve(CURVES[algorithm.curve], "balanced", sets, where.backend)
    files = {"key.c": _key_source(key)}
    files |= missing_tables(algorithm.curve, dict(settings.settings))
    files["ecfit_config.h"] = knobs.header(settings, [algorithm.curve], ("verify",))
    theirs = [unit for unit in BOOTUTIL if not (build.hardened and unit.startswith("image_e"))]
    units = [
        *(peer / "boot" / "bootutil" / "src" / f"{unit}.c" for unit in theirs),
        ROOT / "tests" / "compat" / "mcuboot" / "loader.c",
        COMPAT / "ecfit_mcuboot.c",
        *library_sources(files["ecfit_config.h"]),
    ]
    folders = PORT, COMPAT, peer / "boot" / "bootutil" / "include", LIB / "include", LIB / "src"
    flags = ["-w", f"-ffile-prefix-map={peer}=mcuboot", *(f"-I{folder}" for folder in folders)]
    macros = [f"MCUBOOT_SIGN_{MACROS[build.algorithm]}", f"MCUBOOT_FIH_PROFILE_{build.profile}"]
    macros += [f"VALIDATIONS={build.validations}", f"BOOT_SLOT_SIZE={SLOT_SIZE:#x}u"]
    macros += [f"BOOT_SLOT={where.flash + SLOT:#x}u"]
    macros += ["ECFIT_MCUBOOT_HARDENED"] if build.hardened else []
    flags += [f"-D{macro}" for macro in macros]
    return linked(where, algorithm, units, files, flags=flags, flash=(where.flash, MINIMUM))


@cache
def made(build: Build, peer: Path) -> Made:
    """Built once in a process."""
    algorithm = ALGORITHMS[build.algorithm]
    if build.algorithm == "ed25519":  # MCUboot's default
        algorithm = algorithm._replace(sha=256)
    whole = chip(build.chip)
    where = whole._replace(ram=(whole.ram[0], RAM_SIZE))
    key = make_key(algorithm, "the owner's")
    boot = _build(build, peer, where, algorithm, key)
    image = sign_again(algorithm, build_program(where, algorithm, PROGRAM_BYTES), key)
    slots = {one.name: one for one in adversaries(algorithm, key, image) if not one.genuine}
    return Made(where, boot, image, slots)


def tried(build: Build, peer: Path, name: str) -> dict[str, Any]:
    """The record of one slot of a build."""
    start, one = time.process_time(), made(build, peer)
    slot = one.slots[name]
    genuine = Endless(one.where, one.boot, one.image, minimum(), joins=JOINS)
    assert genuine.accepted_whole, build
    rig = Endless(one.where, one.boot, slot.image, minimum(), joins=JOINS)
    assert not rig.accepted_whole, (build, name)
    points = set(rig.points())
    if slot.altered:
        points |= set(rig.around(genuine, AROUND))
    done = [rig.attack(sorted(points), MODELS[:2])]
    if name in EVERY_BIT:
        done.append(rig.attack(rig.points(sum(WHOSE.values(), ())), MODELS[2:3]))
    taken = [fault for found in done for fault in found.accepted]
    accepted = Counter((fault.function.split("+")[0], fault.model) for fault in taken)
    return {
        **build._asdict(),
        "image": one.digest,
        "slot": _digest(slot.image),
        "adversary": name,
        "altered": slot.altered,
        "flash": sum(len(segment.data) for segment in one.boot.segments),
        "instructions": genuine.instructions,
        "tried": dict(sum((found.tried for found in done), Counter[str]())),
        "accepted": [[*where, count] for where, count in sorted(accepted.items())],
        "seconds": round(time.process_time() - start, 1),
    }


def load() -> list[dict[str, Any]]:
    """The record."""
    if not RECORD.is_file():
        return []
    records: list[dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return records


def build_of(record: dict[str, Any]) -> Build:
    """What a record is of."""
    return Build(*(record[name] for name in Build._fields))


def sweep(builds: list[Build], peer: Path, jobs: int) -> None:
    """Tries what is not in the record, and puts it there."""
    records = load()
    names = {(one["image"], one["slot"]): one for one in records}
    with ProcessPoolExecutor(jobs) as pool:
        waiting = []
        for build in builds:
            one = made(build, peer)
            records = [r for r in records if build_of(r) != build or r["image"] == one.digest]
            for name, slot in one.slots.items():
                if (one.digest, _digest(slot.image)) not in names:
                    waiting.append(pool.submit(tried, build, peer, name))
        for done in as_completed(waiting):
            record = done.result()
            records.append(record)
            ordered = sorted(records, key=lambda r: (BUILDS.index(build_of(r)), r["adversary"]))
            lines = ",\n".join(json.dumps(r) for r in ordered)
            RECORD.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
            count = sum(entry[-1] for entry in record["accepted"])
            text = f"{build_of(record)}, {record['adversary']}: {record['tried']}"
            print(f"{text}, {count} accepted, {record['seconds']} s", flush=True)


def whose(function: str, *, hardened: bool) -> str:
    """Which part a function belongs to."""
    for part, names in WHOSE.items():
        if function.startswith(names):
            mine = part == "the shim" and function == "bootutil_verify_sig"
            return "MCUboot" if mine and not hardened else part
    return REST


def _cells(build: Build) -> list[str]:
    kind = VERIFICATIONS[build.hardened]
    return [SHOWN[build.algorithm], build.chip, kind, PROFILES[build.profile],
            "twice" if build.validations == 2 else "once"]  # fmt: skip


def table(records: list[dict[str, Any]]) -> str:
    """What was tried, and accepted."""
    text = "| signature | chip | verification | profile | validated | image | flash B |"
    text += " skips | accepted | zeros | accepted | bits | accepted |\n"
    text += f"| --- | --- | --- | --- | --- | --- |{' ---: |' * 7}\n"
    for build in BUILDS:
        own = [record for record in records if build_of(record) == build]
        for altered, kind in KINDS.items():
            here = [record for record in own if record["altered"] == altered]
            if not here:
                continue
            cells = [*_cells(build), kind, f"{here[0]['flash']:,}"]
            for model in MODELS[:3]:
                count = sum(record["tried"].get(model, 0) for record in here)
                taken = sum(n for record in here for _, m, n in record["accepted"] if m == model)
                cells += [f"{count:,}", f"{taken:,}"]
            text += f"| {' | '.join(cells)} |\n"
    return text


def places(records: list[dict[str, Any]]) -> str:
    """Where the faults were that were accepted."""
    parts = ("MCUboot", "the loader", "start-up", "the C library", "the shim", REST)
    text = f"| signature | chip | verification | profile | validated | {' | '.join(parts)} |\n"
    text += f"| --- | --- | --- | --- | --- |{' ---: |' * len(parts)}\n"
    for build in BUILDS:
        own = [record for record in records if build_of(record) == build]
        found = Counter[str]()
        for record in own:
            for function, _, count in record["accepted"]:
                found[whose(function, hardened=build.hardened)] += count
        if own:
            cells = [*_cells(build), *(f"{found[part]:,}" for part in parts)]
            text += f"| {' | '.join(cells)} |\n"
    return text


def document(*, check: bool) -> int:
    """Puts the tables into the page, or says that they differ."""
    text = PAGE.read_text(encoding="utf-8")
    new, records = text, load()
    for place, made_new in (("", table), (" (places)", places)):
        head, mark, rest = new.partition(BEGIN.format(place))
        new = f"{head}{mark}\n{made_new(records)}\n{END}{rest.partition(END)[2]}"
    if check and new != text:
        sys.stderr.write("docs/from-mcuboot.md is not what the record says\n")
        return 1
    if not check:
        PAGE.write_text(new, encoding="utf-8")
    return 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-dir", metavar="mcuboot=PATH")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--doc", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.doc:
        return document(check=options.check)
    name, _, path = (options.peer_dir or "").partition("=")
    if name != "mcuboot" or not (Path(path) / "boot" / "bootutil").is_dir():
        parser.error(f"--peer-dir mcuboot=PATH: {options.peer_dir} is not a checkout of MCUboot")
    builds = [build for build in BUILDS if options.only in str(build)]
    sweep(builds, Path(path).resolve(), options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
