"""Which presets a measured row leaves behind, by place."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.build.parts import OWN
from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import NONE, resolve
from ecfit.choices.targets import find_target
from ecfit_studies.survey.front import Key, beaten, figures, key
from ecfit_studies.survey.study import StudyRecord

Place = tuple[str, str, str]  # target, curve, operations of the image


def places(records: Sequence[StudyRecord]) -> dict[Place, list[StudyRecord]]:
    """The records by place. Rows with fewer operations than a preset has there cannot be ahead."""
    found: dict[Place, list[StudyRecord]] = {}
    for record in records:
        if record.opt == "Os":
            place = record.target, record.curve, record.image_ops
            found.setdefault(place, []).append(record)
    return found


def behind(records: Sequence[StudyRecord]) -> dict[tuple[Place, str], Key]:
    """Of each preset that a measured row leaves behind the place, its name and that row. A row of
    ours that clears nothing is compared with presets that clear nothing alone.
    """
    found: dict[tuple[Place, str], Key] = {}
    for place, mine in places(records).items():
        every = figures(mine)
        own = {key(r): r for r in mine if r.library == OWN and key(r) in every}
        wiping = {row: one for row, one in every.items() if row not in own or _wipes(own[row])}
        for row, record in own.items():
            rivals = wiping if row in wiping else every
            if record.changed is None and (ahead := beaten({row: every[row]}, rivals)):
                found[place, record.preset or ""] = ahead[row]
    return found


def _wipes(record: StudyRecord) -> bool:
    """Whether a row of ours clears the stack behind a secret."""
    sets = dict(change.split("=") for change in (record.changed or "").split())
    backend = find_target(record.target).backend
    ops = record.image_ops.split("+")
    made = resolve(find_curve(record.curve), record.preset, sets, backend, ops=ops)
    return dict(made.settings)["WIPE"] != NONE
