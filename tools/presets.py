#!/usr/bin/env python3
"""Find values that leave a preset behind at a place: a preset, a chip, a curve, operations.

tools/presets.py [--minutes N] [--write]
    every place of the study `presets`, a chip for each back end: each single value beside those of
    the preset, with what it needs. It starts no place after N minutes (60)
tools/presets.py PRESET:CHIP:CURVE:OP+OP..
    these places, by the search of `ecfit fit` within the preset's figures: minutes for each place

It prints, for a place where it finds more than 2 %, the figures of both and the lines for
ecfit/data/presets; --write adds them there. Knobs of the whole library are not varied: two curves
of one image could contradict each other.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.knobspace import nearest
from ecfit.choices.presets import find_preset
from ecfit.choices.targets import find_target
from ecfit.errors import BUDGET
from ecfit.fit.space import in_effect, values_to_try
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.paths import DATA

AIMS = {"tiny": "flash", "lowram": "ram"}  # of the others: time
NEAR = 0.02
CHIPS = ("samd20", "nrf52840", "cc2538", "ibex")  # values are chosen by back end: one of each
ASKING = ("NONCE", "WIPE", "SIGN", "BLIND")  # of the caller, or bought with other things
CURVES = ("secp256r1", "secp256k1", "x25519", "ed25519", "secp384r1")
SUBSETS = ("verify", "ecdh", "sign", "keygen+sign")  # and all
PRESETS = ("balanced", "lowram", "tiny", "compact", "fast")


Found = tuple[dict[str, float], dict[str, float], dict[str, str]]  # figures, better ones, values


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


def better(place: Place) -> Found | None:
    """Figures of the preset and of what leaves it behind, by the search of `fit`, and the values of
    that; None without.
    """
    own, now = settings_of(place), figures(place, {})
    fixed = [f"{name}={v}" for name, v in own.items() if all_knobs()[name].scope == "global"]
    slot = find_slot(place.curve)
    asking = [name for name in ASKING if all_knobs()[name].concerns(slot)]
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


def neighbours(place: Place) -> Iterator[dict[str, str]]:
    """Each value that the preset does not have there, with the fewest others that it needs."""
    own, target, curve = settings_of(place), find_target(place.chip), find_curve(place.curve)
    slot = find_slot(place.curve)
    for name in sorted(in_effect(slot, own, place.ops)):
        knob = all_knobs()[name]
        if knob.scope == "global" or name in ASKING:
            continue
        for value in values_to_try(knob, own[name], target, slot)[1:]:
            sets = nearest(curve, place.preset, target.backend, {name: value})
            if sets and all(all_knobs()[other].scope == "curve" for other in sets):
                yield sets


def rows_of(place: Place, sets: dict[str, str]) -> list[Row]:
    """A row for each operation of the image."""
    target, curve = find_target(place.chip), find_curve(place.curve)
    made = resolve(curve, place.preset, sets, target.backend, ops=place.ops)
    mode = target.mode("datasheet")
    return [Row(target, mode, "datasheet", made, curve, op, place.ops) for op in place.ops]


def nearby(place: Place, bench: Bench) -> Found | None:
    """The neighbour that leaves the preset behind and is best in what the preset is for."""
    tried = [dict[str, str](), *neighbours(place)]
    rows = [(number, row) for number, sets in enumerate(tried) for row in rows_of(place, sets)]
    seen: dict[int, dict[str, float]] = {}
    failed = set()
    for index, record in bench.each([row for _, row in rows], bench.measure):
        number, mine = rows[index][0], seen.setdefault(rows[index][0], {"ram": 0.0})
        if record.status != "ok":
            failed.add(number)
            continue
        mine["flash"] = float(record.flash_bytes or 0)
        mine["ram"] = max(mine["ram"], float(record.ram_bytes or 0))
        mine[record.op] = record.time_us or 0.0
    if 0 in failed:
        return None
    aim = AIMS.get(place.preset, "time")
    price = {
        number: mine[aim] if aim in mine else sum(mine[op] for op in place.ops)
        for number, mine in seen.items()
        if number not in failed and _behind(seen[0], mine)
    }
    best = min(price, key=price.__getitem__, default=None)
    return None if best is None else (seen[0], seen[best], tried[best])


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


def lines(place: Place, found: Found) -> str:
    """What a preset's file says of it, with the evidence."""
    now, then, moved = found
    sets = ", ".join(f'{name} = "{value}"' for name, value in moved.items())
    ops = ", ".join(f'"{op}"' for op in place.ops)
    before, after = (
        ", ".join(f"{name} {value:.0f}" for name, value in one.items()) for one in (now, then)
    )
    return (
        f"\n# By tools/presets.py on the {place.chip}, in bytes and microseconds:\n"
        f"# {before}\n# then {after}\n"
        f'[[where]]\ncurve = ["{place.curve}"]\n'
        f'backend = ["{find_target(place.chip).backend}"]\nops = [{ops}]\nset = {{ {sets} }}\n'
    )


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60, help="starts no place after these")
    parser.add_argument("--write", action="store_true", help="add the lines to the preset's file")
    parser.add_argument("places", nargs="*", metavar="PRESET:CHIP:CURVE:OPS")
    asked = parser.parse_args()
    started, places = time.monotonic(), [place_of(text) for text in asked.places] or every_place()
    bench = Bench(Settings(), {}, Store())
    for number, place in enumerate(places):
        if time.monotonic() - started > 60 * asked.minutes:
            sys.stderr.write(f"presets: {len(places) - number} of {len(places)} places left\n")
            break
        found = better(place) if asked.places else nearby(place, bench)
        if found:
            sys.stdout.write(f"# {place.preset}{lines(place, found)}\n")
            sys.stdout.flush()
            if asked.write:
                with (DATA / "presets" / f"{place.preset}.toml").open("a") as file:
                    file.write(lines(place, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
