"""Faults in signing with CHECK=verify, on the simulator: the second part of tools/faults/faults.py.

What is tried on a line: workshop/library/signing.py.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

from workshop.library.signing import (
    KEY,
    LEFT,
    LOST,
    REFUSED,
    RIGHT,
    VALID,
    WRONG,
    SignBuild,
    SignRig,
)

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "results" / "faults-signing.json"
CORES = {"samd20": "Cortex-M0+", "stm32wle5": "Cortex-M4", "ibex": "RV32IMC"}
SAMPLE = 300  # points of a line that is not complete
VERIFY = ("CHECK", "verify")
ECDSA, EDDSA, HEDGED = "ecdsa_sign", "sign", "sign_hedged"


def plan() -> dict[SignBuild, int]:
    """What is attacked: the points of each line, 0: all."""
    found = {}
    for (curve, function), target in product((("secp128r1", ECDSA), ("ed25519", EDDSA)), CORES):
        found[SignBuild(target, "gcc", "Os", curve, "balanced", function, (VERIFY,))] = 0
    every = tuple(CORES)
    samples: list[tuple[tuple[str, ...], str, str, str, tuple[tuple[str, str], ...]]] = [
        (every, "gcc", "secp256r1", ECDSA, (VERIFY,)),
        (every, "clang", "secp128r1", ECDSA, (VERIFY,)),
        (every, "clang", "ed25519", EDDSA, (VERIFY,)),
        (every[1:2], "gcc", "ed448", EDDSA, (VERIFY,)),
        (every[:1], "gcc", "secp128r1", ECDSA, (VERIFY, ("NONCE", "hedged"))),
        (every[:1], "gcc", "secp128r1", ECDSA, (VERIFY, ("NONCE", "random"))),
        (every[1:2], "gcc", "ed25519", HEDGED, (VERIFY, ("SIGN", "eddsa_hedged"))),
        (every[:1], "gcc", "secp128r1", ECDSA, ()),
        (every[1:2], "gcc", "ed25519", EDDSA, ()),
    ]
    for targets, compiler, curve, function, sets in samples:
        for target in targets:
            found[SignBuild(target, compiler, "Os", curve, "balanced", function, sets)] = SAMPLE
    return found


def image_digest(rig: SignRig) -> str:
    """Names the code and data of an image."""
    text = b"".join(segment.data for segment in rig.image.segments)
    return hashlib.sha256(text).hexdigest()[:16]


def attacked(build: SignBuild, known: str | None) -> dict[str, Any] | None:
    """The record of one line; None when its image is the known one."""
    rig, start = SignRig(build), time.time()
    digest = image_digest(rig)
    if digest == known:
        return None
    points, count = rig.points(), plan()[build]
    every = max(1, len(points) // count) if count else 1
    found: Counter[str] = Counter()
    bad = []
    for point, outcome in rig.outcomes(points[::every]):
        found[outcome] += 1
        if outcome in (VALID, KEY, WRONG, LEFT):
            bad.append([outcome, rig.name(point.pc), point.pc, point.hit])
    return {
        "image": digest,
        "points": len(points),
        "skip": found.total(),
        "outcomes": dict(sorted(found.items())),
        "bad": bad,
        "seconds": round(time.time() - start),
    }


def broken(build: SignBuild, one: dict[str, Any]) -> bool:
    """Whether a line with CHECK=verify gives out what it should not."""
    outcomes = one["outcomes"]
    worse = any(outcomes.get(name, 0) for name in (KEY, WRONG, LEFT))
    return VERIFY in build.sets and (worse or 100 * outcomes.get(VALID, 0) >= one["skip"])


def said(build: SignBuild, one: dict[str, Any]) -> str:
    """A line for who waits."""
    counts = ", ".join(f"{count} {name}" for name, count in one["outcomes"].items())
    return f"{build}: {one['skip']} of {one['points']} skipped: {counts}"


def table(record: dict[str, Any]) -> str:
    """The record as a table."""
    lines = [
        "| curve | settings | core | compiler | skipped | of | right | refused | no return "
        "| another valid | key | wrong |",
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for checked in (True, False):
        totals = [0] * 8
        for build in plan():
            one = record.get(str(build))
            if one is None or (VERIFY in build.sets) != checked:
                continue
            outcomes = Counter(one["outcomes"])
            cells = [one["skip"], one["points"]]
            cells += [outcomes[name] for name in (RIGHT, REFUSED, LOST, VALID, KEY)]
            cells.append(outcomes[WRONG] + outcomes[LEFT])
            totals = [a + b for a, b in zip(totals, cells, strict=True)]
            sets = " ".join(f"`{name}={value}`" for name, value in build.sets) or "`CHECK=none`"
            lines.append(
                f"| {build.curve} | {sets} | {CORES[build.target]} | {build.toolchain} -{build.opt}"
                f" | {_shown(cells)} |"
            )
        name = "`CHECK=verify`" if checked else "`CHECK=none`"
        lines.append(f"| all | {name} | | | {_shown(totals)} |")
    return "\n" + "\n".join(lines) + "\n\n"


def _shown(cells: list[int]) -> str:
    return " | ".join(f"{cell:,}" for cell in cells)
