#!/usr/bin/env python3
"""Faults in hardened verification and in signing with CHECK=verify, on the simulator:
every line of the plans is built and attacked; docs/faults.md says what was tried.

    tools/faults/faults.py [--jobs N]      all lines whose image is not the one in the record;
    exit code 1 where a fault was accepted, or a signature given out that should not be
    tools/faults/faults.py --only TEXT     the lines that have TEXT in them, in any case
    tools/faults/faults.py --doc [--check] writes the tables of docs/faults.md from the records,
    or exit code 1 when they differ

What is tried on a line: workshop/rigs/faults.py (models, points),
workshop/rigs/forgeries.py (what the attacker prepares); of signing
tools/faults/faults_signing.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from tools.faults import faults_signing as signing
from workshop.rigs.faults import Build, Rig

ROOT = Path(__file__).resolve().parents[2]

RECORD = ROOT / "results" / "faults.json"
DOCUMENT = ROOT / "docs" / "faults.md"
BEGIN, END = "<!-- table: tools/faults/faults.py{} -->\n", "<!-- end -->\n"
CORES = {
    "samd20": "Cortex-M0+",
    "stm32f103": "Cortex-M3",
    "stm32wle5": "Cortex-M4",
    "ibex": "RV32IMC",
}
EVERY = tuple(product(CORES, ("gcc", "clang"), ("Os", "O2")))
MOMENTS = 100  # instructions all over the arithmetic
INNER = ("another r", "e = 0", "another S", "k = 0")  # tried in the point multiplication too


def plan() -> list[Build]:
    """What is attacked."""
    once, twice = EVERY[::4], [one for one in EVERY if one[1:] in {("gcc", "Os"), ("clang", "O2")}]
    lines = [("secp128r1", "balanced", EVERY), ("ed25519", "balanced", twice)]
    lines += [
        ("secp128r1", "tiny", once),
        ("ed25519", "tiny", once),
        ("secp256r1", "balanced", once),
    ]
    found = []
    for curve, preset, images in lines:
        edwards = curve.startswith("ed")
        function = "verify_hardened" if edwards else "ecdsa_verify_hardened"
        sets = (("VERIFY", "eddsa_hardened" if edwards else "hardened"),)
        found += [Build(*image, curve, preset, function, sets) for image in images]
    return found


def plan_named() -> list[Build]:
    """What is attacked of the operations that are to be named, which nothing hardens; of those in
    parts, also two beside each other.
    """
    lines = [("ed25519", "verify_parts"), ("ed25519", "verify_parts_twice"),
             ("secp128r1", "recover_key"), ("secp256k1", "verify_schnorr")]  # fmt: skip
    return [
        Build(core, "gcc", "Os", curve, "balanced", function)
        for curve, function in lines
        for core in ("samd20", "stm32wle5", "ibex")
    ]


def image_digest(rig: Rig) -> str:
    """Names the code and data of an image."""
    text = b"".join(segment.data for segment in rig.image.segments)
    return hashlib.sha256(text).hexdigest()[:16]


def attacked(build: Build, known: str | None) -> dict[str, Any] | None:
    """The record of one line; None when its image is the known one."""
    rig = Rig(build)
    digest = image_digest(rig)
    if digest == known:
        return None
    start = time.time()
    all_forgeries, success = rig.forgeries, build.success
    assert rig.whole(all_forgeries["valid"]) == success, build
    tried: Counter[str] = Counter()
    accepted = []
    for forgery in all_forgeries.values():
        if forgery.name == "valid":
            continue
        assert rig.whole(forgery) not in (success, None), (build, forgery.name)
        functions = rig.deciding if forgery.name in INNER else rig.outer
        found = rig.attack(forgery, success, functions=functions)
        tried += found.tried
        accepted += [[forgery.name, *fault] for fault in found.accepted]
    wrong = next(one for one in all_forgeries.values() if one.name.startswith("another"))
    for point in rig.moments(wrong, MOMENTS):
        for kind, answer in rig.faulted(point):
            tried["arithmetic"] += 1
            if answer == success:
                accepted.append([wrong.name, rig.name(point.pc), point.pc, point.hit, kind])
    return {
        "image": digest,
        "forgeries": len(all_forgeries) - 1,
        "skip": tried["skip"],
        "zero": tried["zero"],
        "arithmetic": tried["arithmetic"],
        "accepted": accepted,
        "seconds": round(time.time() - start),
    }


def said(build: Build, one: dict[str, Any]) -> str:
    """A line for who waits, and one for each fault that was accepted."""
    head = (
        f"{build}: {one['skip']} skipped, {one['zero']} registers read as zero, "
        f"{one['arithmetic']} in the arithmetic: {len(one['accepted'])} accepted"
    )
    return "\n  accepted: ".join([head, *map(str, one["accepted"])])


class Part(NamedTuple):
    """What is attacked, line by line, and where the record of it is."""

    record: Path
    plan: Callable[[], Any]
    attacked: Callable[[Any, str | None], dict[str, Any] | None]
    broken: Callable[[Any, dict[str, Any]], bool]
    said: Callable[[Any, dict[str, Any]], str]
    table: Callable[[dict[str, Any]], str]
    mark: str


def run(part: Part, only: str, jobs: int) -> bool:
    """Attacks the lines, keeps what each gives as soon as it is known, and prints it.
    Whether one is broken.
    """
    builds = [build for build in part.plan() if only.lower() in str(build).lower()]
    record = load(part)
    with ProcessPoolExecutor(jobs) as pool:
        asked = {
            pool.submit(part.attacked, build, record.get(str(build), {}).get("image")): build
            for build in builds
        }
        for done in as_completed(asked):
            build, result = asked[done], done.result()
            if result is not None:
                record = load(part) | {str(build): result}
                text = json.dumps(dict(sorted(record.items())), indent=1)
                part.record.write_text(text + "\n", encoding="utf-8")
            shown = part.said(build, record[str(build)])
            print(shown + ("" if result else " (as recorded)"), flush=True)
    return any(part.broken(build, record[str(build)]) for build in builds)


def load(part: Part) -> dict[str, Any]:
    """The record, by line."""
    if not part.record.is_file():
        return {}
    return dict(json.loads(part.record.read_text(encoding="utf-8")))


def table(record: dict[str, Any]) -> str:
    """The record as a table."""
    lines = [
        "| curve | preset | core | compiler | forgeries "
        "| skipped | read as zero | arithmetic | accepted |",
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    totals: Counter[str] = Counter()
    for build in plan():
        one = record.get(str(build))
        if one is None:
            continue
        cells = [one[name] for name in ("skip", "zero", "arithmetic")]
        totals.update(
            skip=cells[0], zero=cells[1], arithmetic=cells[2], accepted=len(one["accepted"])
        )
        shown = " | ".join(f"{cell:,}" for cell in (one["forgeries"], *cells, len(one["accepted"])))
        compiler = f"{build.toolchain} -{build.opt}"
        lines.append(
            f"| {build.curve} | {build.preset} | {CORES[build.target]} | {compiler} | {shown} |"
        )
    shown = " | ".join(f"{totals[name]:,}" for name in ("skip", "zero", "arithmetic", "accepted"))
    lines.append(f"| all | | | | | {shown} |")
    return "\n" + "\n".join(lines) + "\n\n"


def table_named(record: dict[str, Any]) -> str:
    """The record of operations that are to be named as a table."""
    lines = [
        "| curve | operation | core | forgeries | skipped | read as zero | arithmetic | accepted |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for build in plan_named():
        if one := record.get(str(build)):
            counts = *(one[name] for name in ("skip", "zero", "arithmetic")), len(one["accepted"])
            shown = " | ".join(f"{count:,}" for count in (one["forgeries"], *counts))
            name = build.function.replace("_twice", "`, two beside each other")
            name = f"`{name}" + ("" if name.endswith("other") else "`")
            lines.append(f"| {build.curve} | {name} | {CORES[build.target]} | {shown} |")
    return "\n" + "\n".join(lines) + "\n\n"


def broken_named(build: Build, one: dict[str, Any]) -> bool:
    """Whether what should withstand a fault did not: two verifications beside each other."""
    return build.function.endswith("_twice") and bool(one["accepted"])


PARTS = (
    Part(RECORD, plan, attacked, lambda _, one: bool(one["accepted"]), said, table, ""),
    Part(RECORD, plan_named, attacked, broken_named, said, table_named, ", named"),
    Part(
        signing.RECORD,
        signing.plan,
        signing.attacked,
        signing.broken,
        signing.said,
        signing.table,
        ", signing",
    ),
)


def write_document(*, check: bool) -> int:
    """Puts the tables into the document, or says that they are not there."""
    text = DOCUMENT.read_text(encoding="utf-8")
    new = text
    for part in PARTS:
        begin = BEGIN.format(part.mark)
        before, rest = new.split(begin)
        new = before + begin + part.table(load(part)) + END + rest.split(END, 1)[1]
    if check and new != text:
        sys.stderr.write(
            f"{DOCUMENT.relative_to(ROOT)} is not what the record says: run 'make generate'\n"
        )
        return 1
    if not check:
        DOCUMENT.write_text(new, encoding="utf-8")
    return 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--doc", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.doc:
        return write_document(check=options.check)
    broken = [run(part, options.only, options.jobs) for part in PARTS]
    return 1 if any(broken) else 0


if __name__ == "__main__":
    sys.exit(main())
