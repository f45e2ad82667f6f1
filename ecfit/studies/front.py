"""Which rows of a table nothing else beats, and which row of ours leaves a peer's behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ecfit.build.parts import OWN
from ecfit.studies.study import StudyRecord

Key = tuple[str, str]  # group and optimisation: one configuration at one level
Figures = Mapping[Key, Mapping[str, float]]  # flash, RAM and the time of each operation


def key(record: StudyRecord) -> Key:
    """Which row a record is of."""
    return record.group, record.opt


def figures(records: Sequence[StudyRecord]) -> dict[Key, dict[str, float]]:
    """What of each row is compared; rows with a failed record are left out."""
    failed = {key(record) for record in records if record.status != "ok"}
    found: dict[Key, dict[str, float]] = {}
    for record in records:
        if key(record) not in failed:
            mine = found.setdefault(key(record), {"flash": record.flash_bytes or 0, "ram": 0})
            mine["ram"] = max(mine["ram"], record.ram_bytes or 0)
            mine[record.op] = record.time_us or 0
    return found


def front(found: Figures) -> set[Key]:
    """The rows that no other beats: at most as much flash, RAM and time of each operation, less
    of one. Rows compare when they have the same operations.
    """
    return {
        name
        for name, mine in found.items()
        if not any(_at_most(other, mine, less=True) for other in found.values())
    }


def ahead(found: Figures, libraries: Mapping[Key, str]) -> dict[Key, Key]:
    """For each row of a peer the first of ours that is no larger, needs no more RAM and is no
    slower in any operation, where there is one.
    """
    own = {name: mine for name, mine in found.items() if libraries[name] == OWN}
    peers = {name: mine for name, mine in found.items() if libraries[name] != OWN}
    best = {
        name: next((one for one, mine in own.items() if _at_most(mine, theirs)), None)
        for name, theirs in peers.items()
    }
    return {name: one for name, one in best.items() if one is not None}


def _at_most(other: Mapping[str, float], mine: Mapping[str, float], *, less: bool = False) -> bool:
    """Whether `other` has all that `mine` has and no figure above its; `less`: and one below."""
    if not mine.keys() <= other.keys() or other is mine:
        return False
    gains = [mine[axis] - other[axis] for axis in mine]
    return min(gains) >= 0 and (max(gains) > 0 or not less)
