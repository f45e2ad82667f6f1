"""Every value of a knob is on a front, or says for what it stays; no row leaves a preset behind."""

from __future__ import annotations

from itertools import product

from ecfit.choices.curves import find_curve
from ecfit.choices.presets import all_presets
from ecfit.studies.presets import behind, places
from ecfit.survey import study as studies
from ecfit.survey.front import beaten, where_on_front
from ecfit.survey.kept import kept
from ecfit.survey.study import StudyRecord

# Presets that a measured row leaves behind by more than 2 % in a figure, by chip, curve and the
# operations of the image, and why. This table may only shrink.
WIPED = "that row clears nothing, which is 32 to 48 bytes and the RAM; its times are the same"
LOADS = "that row reads from addresses that depend on the private key"
BEHIND: dict[tuple[str, str, str, str], str] = {
    ("samd20", "x25519", "keygen+ecdh", "compact"): WIPED,
    ("nrf52840", "x25519", "keygen+ecdh", "compact"): WIPED,
    ("lpc1114", "x25519", "keygen+ecdh", "compact"): WIPED,
    ("cc2538", "x25519", "keygen+ecdh", "compact"): WIPED,
    ("ibex", "x25519", "keygen+ecdh", "compact"): WIPED,
    ("nrf52840", "x25519", "keygen+ecdh", "balanced"): LOADS,
    ("nrf52840", "x25519", "keygen+ecdh", "fast"): LOADS,
}
SUBSETS = {"ecdh", "sign", "verify", "keygen+sign"}


def records(*names: str) -> list[StudyRecord]:
    return [record for name in names for record in kept(studies.find_study(name))]


def test_no_value_is_without_a_reason() -> None:
    cells = where_on_front(records("anchors", "fronts", "knobs")).cells
    assert len(cells) > 100
    assert [row[0] for row in cells if not (row[1] or row[2])] == []


def test_no_measured_row_leaves_a_preset_behind() -> None:
    """Ours and those of other libraries, with all operations in the image and with each subset; an
    entry that is no longer needed has to go.
    """
    found = {(*place, name) for place, name in behind(records("anchors", "fronts", "presets"))}
    assert found == BEHIND.keys()


def test_every_place_is_measured() -> None:
    """Each chip and curve with all operations and with each subset that the curve has, and there
    each preset.
    """
    own = [r for r in records("anchors", "fronts", "presets") if r.library == "ecfit"]
    found = {place: {r.preset for r in rows} for place, rows in places(own).items()}
    study = studies.find_study("presets")
    for target, curve in product(study.targets, map(find_curve, study.curves)):
        every = {ops for ops in SUBSETS if {*ops.split("+")} <= {*curve.ops}}
        for ops in (*every, "+".join(curve.ops)):
            assert found[target, curve.name, ops] == {*all_presets()}, (target, curve.name, ops)


def test_a_row_is_behind_by_more_than_two_per_cent_in_a_figure() -> None:
    rows = {
        ("a", "Os"): {"flash": 1000.0, "ram": 500.0, "sign": 10.0},
        ("b", "Os"): {"flash": 981.0, "ram": 500.0, "sign": 10.0},
        ("c", "Os"): {"flash": 979.0, "ram": 500.0, "sign": 10.0},
        ("d", "Os"): {"flash": 900.0, "ram": 501.0, "sign": 10.0},
    }
    assert beaten(rows) == {("a", "Os"): ("c", "Os")}
