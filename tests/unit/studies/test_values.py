"""Every value of a knob is on a front, or says for what it stays; no row leaves a preset behind."""

from __future__ import annotations

from ecfit.survey import study as studies
from ecfit.survey.front import USUAL, beaten, figures, key, where_on_front
from ecfit.survey.kept import kept
from ecfit.survey.study import StudyRecord

# Rows of presets that a measured row leaves behind by more than 2 % in a figure, all operations in
# one image at -Os, and why. This table may only shrink.
BARE = "that row takes hash and nonce from the caller and clears nothing"
WIPED = "that row clears nothing, and has an inversion that is a knob of the whole library"
BEHIND: dict[tuple[str, str, str], str] = {
    ("samd20", "secp256r1", "compact"): BARE,
    ("samd20", "secp256k1", "compact"): BARE,
    ("samd20", "x25519", "compact"): WIPED,
    ("samd20", "ed25519", "compact"): WIPED,
    ("nrf52840", "secp256r1", "compact"): BARE,
    ("nrf52840", "secp256k1", "compact"): BARE,
    ("nrf52840", "x25519", "compact"): WIPED,
    ("lpc1114", "secp256r1", "compact"): BARE,
    ("lpc1114", "x25519", "compact"): WIPED,
    ("lpc1114", "ed25519", "compact"): WIPED,
    ("cc2538", "secp256r1", "compact"): BARE,
    ("cc2538", "x25519", "compact"): WIPED,
    ("cc2538", "ed25519", "compact"): WIPED,
    ("ibex", "x25519", "compact"): WIPED,
}


def records(*names: str) -> list[StudyRecord]:
    return [record for name in names for record in kept(studies.find_study(name))]


def test_no_value_is_without_a_reason() -> None:
    cells = where_on_front(records("anchors", "fronts", "knobs")).cells
    assert len(cells) > 100
    assert [row[0] for row in cells if not (row[1] or row[2])] == []


def test_no_measured_row_leaves_a_preset_behind() -> None:
    """Ours and those of other libraries, on the five chips of both studies; an entry that is no
    longer needed has to go.
    """
    usual = [record for record in records("anchors", "fronts") if record.opt == USUAL]
    found = set()
    for target, curve in dict.fromkeys((r.target, r.curve) for r in usual):
        mine = [r for r in usual if (r.target, r.curve) == (target, curve)]
        presets = {
            key(r): r.preset or "" for r in mine if r.library == "ecfit" and r.changed is None
        }
        behind = beaten(figures(mine))
        found |= {(target, curve, name) for row, name in presets.items() if row in behind}
    assert len({target for target, *_ in {(r.target, r.curve) for r in usual}}) == 5
    assert found == BEHIND.keys()


def test_a_row_is_behind_by_more_than_two_per_cent_in_a_figure() -> None:
    rows = {
        ("a", "Os"): {"flash": 1000.0, "ram": 500.0, "sign": 10.0},
        ("b", "Os"): {"flash": 981.0, "ram": 500.0, "sign": 10.0},
        ("c", "Os"): {"flash": 979.0, "ram": 500.0, "sign": 10.0},
        ("d", "Os"): {"flash": 900.0, "ram": 501.0, "sign": 10.0},
    }
    assert beaten(rows) == {("a", "Os"): ("c", "Os")}
