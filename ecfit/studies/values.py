"""For each value of a knob: where a measured row that has it is on the front, or why it stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ecfit.build.parts import OWN
from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import Knob, all_knobs, curve_slots, find_slot, resolve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.fit.space import in_effect
from ecfit.show.layout import Column
from ecfit.studies.front import USUAL, beaten, figures, key
from ecfit.studies.study import Section, StudyRecord

TITLE = "Values, and where they are on the front"
FEATURES = (
    *("STATUS_TEXT", "HASH_STREAM", "KEYGEN", "ECDH", "SIGN", "VERIFY"),
    *("COMPRESS", "DER", "RESUME", "WORK"),
)
DOCUMENTS = {
    "BACKEND": ("w16", "w32"),
    "COORDINATES": ("affine", "homogeneous"),
    "MULV": ("naf_var", "binary_var"),
    "MULG": ("comb_ram",),
    "WINDOW": ("2", "3", "4", "5", "6", "7"),
}  # values that a published study asks for: ecc-window, ecc-fixed-point, remote
OTHERS = {
    ("BACKEND", "w8"): "8-bit cores",
    ("BACKEND", "w64"): "computers",
    ("BACKEND", "w32m16"): "cores without assembly and without a constant-time long multiply",
    ("SHA256", "caller"): "a hash of the caller",
    ("SHA512", "caller"): "a hash of the caller",
    ("SHAKE256", "caller"): "a hash of the caller",
    ("SHA512", "roots"): "500 bytes less flash, for a boot loader",
    ("COMB_TEETH", "3"): "key generation or signing alone: 4 % less flash than 4 teeth",
    ("COMB_TEETH", "6"): "key generation alone: the fastest, with 4 blocks",
    ("WNAF_G", "3"): "verification of Ed25519 alone: 2 % less flash than 4",
}


def where_on_front(records: Sequence[StudyRecord]) -> Section:
    """A row for each value: chips and curves where it is on the front of these records, else the
    reason for which it stays.
    """
    found = _places(records)
    columns = [Column(name, figure=False) for name in ("value", "on the front", "or stays for")]
    cells = [
        [f"{knob.name}={value}", _text(found.get((knob.name, value), {})), reason(knob, value)]
        for knob in all_knobs().values()
        for value in knob.values
    ]
    lines = [
        "on the front: in the records of the studies anchors, fronts and knobs at -Os, with all "
        "operations in one image; no other row of ours there is as good in every figure, and more "
        "than 2 % better in one. Curves by chip"
    ]
    return Section(TITLE, columns, cells, lines)


def _text(places: Mapping[str, set[str]]) -> str:
    return "; ".join(f"{chip}: {', '.join(sorted(curves))}" for chip, curves in places.items())


def _places(records: Sequence[StudyRecord]) -> dict[tuple[str, str], dict[str, set[str]]]:
    """Of each value of a knob the curves of each chip on whose front a row has it."""
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    own = [r for r in records if r.library == OWN and r.opt == USUAL]
    for target, curve in dict.fromkeys((r.target, r.curve) for r in own):
        mine = [r for r in own if (r.target, r.curve) == (target, curve)]
        rows, firsts = figures(mine), {key(record): record for record in mine}
        for name in rows.keys() - beaten(rows):
            for pair in _active(firsts[name]):
                found.setdefault(pair, {}).setdefault(target, set()).add(curve)
    return found


def _active(record: StudyRecord) -> Iterator[tuple[str, str]]:
    """The knobs that decide about what a record measured, with their values."""
    curve = find_curve(record.curve)
    sets = dict(pair.split("=") for pair in (record.changed or "").split())
    backend = find_target(record.target).backend
    settings = dict(resolve(curve, record.preset, sets, backend).settings)
    active = in_effect(find_slot(curve.name), settings, record.image_ops.split("+"))
    return ((name, value) for name, value in settings.items() if name in active)


def reason(knob: Knob, value: str) -> str:
    """For what a value is there beside fronts; empty where there is nothing."""
    if value in DOCUMENTS.get(knob.name, ()):
        return "a published study asks for it"
    if knob.bought(value):
        return knob.bought(value)
    for name, preset in all_presets().items():
        for where, sets in preset.exceptions().items():
            if str(sets.get(knob.name)) == value:
                return f"the preset `{name}`: {where}"
    slots = [s for s in curve_slots() if value in s.instead.get(knob.name, {}).values()]
    if falls := [slot.name for slot in slots]:
        return f"{falls[0]} and others have it in place of another value"
    if knob.choices and (knob.name in FEATURES or value == "none" or knob.choices[value].asks):
        return "what a program needs"
    return OTHERS.get((knob.name, value), "")
