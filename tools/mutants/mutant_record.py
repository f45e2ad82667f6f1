"""What became of mutants: the record, the reasons of survivors in docs/mutants.toml, the share
that has none. Used by tools/mutants/mutants.py and tools/mutants/sim_mutants.py.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
REASONS = ROOT / "docs" / "mutants.toml"
MOST = 0.02  # of those that were tried: survivors without a reason
Record = dict[str, Any]


@cache
def reasons() -> dict[str, str]:
    """Why survivors are equivalent, or who notices them, by name."""
    listed = tomllib.loads(REASONS.read_text(encoding="utf-8"))["equivalent"]
    return {f"{one['file']}: {one['kind']}: {one['change']}": one["reason"] for one in listed}


def summary(record: Record) -> tuple[str, bool]:
    """A summary in a line, and whether the share of survivors without a reason is below MOST."""
    fates = Counter(one["fate"] for one in record["mutants"].values())
    survivors = [name for name, one in record["mutants"].items() if one["fate"] == "survived"]
    open_ = [name for name in survivors if name not in reasons()]
    share = len(open_) / max(fates["noticed"] + fates["survived"], 1)
    parts = ", ".join(f"{count} {fate}" for fate, count in fates.most_common())
    return (
        f"mutants: {len(record['mutants'])} of {record['of']}, seed {record['seed']}: {parts}; "
        f"{len(survivors)} survivors, {len(open_)} without a reason: {share:.1%}"
    ), share < MOST


def is_open(record: Record, name: str) -> bool:
    """Whether a mutant survived or was not compiled, and there is no reason for it."""
    fate = record["mutants"].get(name, {}).get("fate")
    return fate in {"survived", "not compiled"} and name not in reasons()


def keep(path: Path, record: Record) -> None:
    """Writes the record, in the order of the names."""
    ordered = record | {"mutants": dict(sorted(record["mutants"].items()))}
    path.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def show(path: Path) -> int:
    """Prints the survivors of a record with their reasons; returns an exit code."""
    record = json.loads(path.read_text(encoding="utf-8"))
    for name, one in record["mutants"].items():
        if one["fate"] == "survived":
            print(f"{name}\n    {reasons().get(name, 'no reason yet')}")
    return closed(record)


def closed(record: Record) -> int:
    """Prints the last line; returns an exit code."""
    line, few = summary(record)
    print(line)
    return 0 if few else 1
