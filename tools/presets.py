#!/usr/bin/env python3
"""Find values that leave a preset behind: for each place (preset, chip, curve, operations) the
search of `ecfit fit`, within the figures that the preset has there.

tools/presets.py [--minutes N] [PRESET:CHIP:CURVE:OP+OP..]..

It prints, for a place where it finds more than 2 %, the figures of both and the lines for
ecfit/data/presets. It starts no place after N minutes (60 by default). Knobs of the whole library
are not searched: two curves of one image could contradict each other.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.presets import find_preset
from ecfit.choices.targets import find_target
from ecfit.errors import BUDGET
from ecfit.fit.space import in_effect

AIMS = {"tiny": "flash", "lowram": "ram"}  # of the others: time
NEAR = 0.02
CHIPS = ("samd20", "nrf52840", "lpc1114", "cc2538", "ibex")
CURVES = ("secp256r1", "secp256k1", "x25519", "ed25519", "secp384r1")
SUBSETS = ("verify", "ecdh", "sign", "keygen+sign")  # and all
PRESETS = ("balanced", "lowram", "tiny", "compact", "fast")


class Place(NamedTuple):
    """Where a preset is looked at."""

    preset: str
    chip: str
    curve: str
    ops: tuple[str, ...]


def every_place() -> list[Place]:
    """All that the studies know, those of one operation first: they take the least time."""
    return [
        Place(preset, chip, curve, tuple(ops.split("+")) if ops else find_curve(curve).ops)
        for ops in (*SUBSETS, "")
        for preset in PRESETS
        for curve in CURVES
        for chip in CHIPS
        if set(ops.split("+") if ops else ()) <= set(find_curve(curve).ops)
    ]


def called(*arguments: str) -> Any:
    """What a command writes as JSON; None where no configuration keeps a budget.

    Errors: RuntimeError.
    """
    command = [str(Path(sys.executable).with_name("ecfit")), *arguments]
    done = subprocess.run(
        [*command, "--quiet", "--format", "json"], capture_output=True, check=False
    )
    if done.returncode not in (0, BUDGET):
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode().strip()}")
    return msgspec.json.decode(done.stdout) if done.returncode == 0 else None


def figures(place: Place, sets: dict[str, str]) -> dict[str, float]:
    """Flash, RAM and time of each operation, with settings on top of the preset."""
    more = ["--set", ",".join(f"{name}={value}" for name, value in sets.items())] if sets else []
    records = called(
        "bench", "--target", place.chip, "--curve", place.curve, "--op", ",".join(place.ops),
        "--preset", place.preset, *more,
    )  # fmt: skip
    found = {"flash": records[0]["flash_bytes"], "ram": max(r["ram_bytes"] for r in records)}
    return found | {record["op"]: record["time_us"] for record in records}


def settings_of(place: Place) -> dict[str, str]:
    """What the preset has here."""
    backend = find_target(place.chip).backend
    return dict(resolve(find_curve(place.curve), place.preset, {}, backend, ops=place.ops).settings)


def better(place: Place) -> tuple[dict[str, float], dict[str, float], dict[str, str]] | None:
    """Figures of the preset and of what leaves it behind, and the values of that; None without."""
    own, now = settings_of(place), figures(place, {})
    fixed = [f"{name}={v}" for name, v in own.items() if all_knobs()[name].scope == "global"]
    slot = find_slot(place.curve)
    asking = [
        name for name in ("NONCE", "WIPE", "SIGN", "BLIND") if all_knobs()[name].concerns(slot)
    ]
    fixed += [f"{name}={own[name]}" for name in asking]
    limits = [f"--flash={now['flash']:.0f}B", f"--ram={now['ram']:.0f}B"]
    limits += [f"--time={op}={now[op]:.3f}us" for op in place.ops]
    answer = called(
        "fit", "--target", place.chip, "--need", f"{place.curve}:{','.join(place.ops)}",
        "--minimise", AIMS.get(place.preset, "time"), "--set", ",".join(fixed), *limits,
    )  # fmt: skip
    if not answer or not answer["fits"]:
        return None
    chosen = next(iter(answer["places"][0]["settings"].values()))
    active = in_effect(slot, chosen, place.ops)
    moved = {name: v for name, v in chosen.items() if v != own[name] and name in active}
    found = figures(place, moved)
    return (now, found, moved) if _behind(now, found) else None


def _behind(now: dict[str, float], found: dict[str, float]) -> bool:
    return all(found[name] <= now[name] for name in now) and any(
        found[name] < (1 - NEAR) * now[name] for name in now
    )


def place_of(text: str) -> Place:
    """PRESET:CHIP:CURVE:OP+OP. Errors: UsageError."""
    preset, chip, curve, ops = text.split(":")
    return Place(
        find_preset(preset), find_target(chip).name, find_curve(curve).name, tuple(ops.split("+"))
    )


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60, help="starts no place after these")
    parser.add_argument("places", nargs="*", metavar="PRESET:CHIP:CURVE:OPS")
    asked = parser.parse_args()
    started, places = time.monotonic(), [place_of(text) for text in asked.places] or every_place()
    for number, place in enumerate(places):
        if time.monotonic() - started > 60 * asked.minutes:
            sys.stderr.write(f"presets: {len(places) - number} of {len(places)} places left\n")
            break
        if found := better(place):
            now, then, moved = found
            sets = ", ".join(f'{name} = "{value}"' for name, value in moved.items())
            sys.stdout.write(f"# {place.preset} on {place.chip}: {now} -> {then}\n")
            sys.stdout.write(f'[[where]]\ncurve = ["{place.curve}"]\n')
            sys.stdout.write(f'backend = ["{find_target(place.chip).backend}"]\n')
            sys.stdout.write(f"ops = {list(place.ops)}\nset = {{ {sets} }}\n\n".replace("'", '"'))
    return 0


if __name__ == "__main__":
    sys.exit(main())
