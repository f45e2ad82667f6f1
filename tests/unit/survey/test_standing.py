"""How libraries stand beside ours, on records that are made up."""

from __future__ import annotations

import msgspec
import pytest

from ecfit.build.parts import OWN
from ecfit_studies.survey.ranking import SUBSETS, both, claim, constant_time, not_behind, standings
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import StudyRecord, find_study

pytestmark = pytest.mark.check
ONE = next(r for r in kept(find_study("anchors")) if (r.curve, r.op) == ("x25519", "ecdh"))


def row(library: str, flash: int, times: dict[str, float], **more: object) -> list[StudyRecord]:
    fields = {
        "library": library, "group": library, "flash_bytes": flash, "ram_bytes": 400,
        "image_ops": "+".join(times), "preset": None, "changed": None, "constant_time": None,
    } | more  # fmt: skip
    return [
        msgspec.structs.replace(ONE, op=op, time_us=time, **fields) for op, time in times.items()
    ]


OURS = row(OWN, 1000, {"keygen": 10.0, "ecdh": 10.0}, preset="fast", group="ecfit fast")
SMALL = row(OWN, 500, {"keygen": 90.0, "ecdh": 90.0}, preset="fast", changed="X=1", group="ecfit x")


def test_a_row_is_behind_where_one_of_ours_is_as_good_in_every_figure() -> None:
    theirs = [
        *row("equal", 1000, {"keygen": 10.0, "ecdh": 10.0}),
        *row("faster once", 1000, {"keygen": 9.9, "ecdh": 99.0}),
        *row("small", 600, {"keygen": 99.0, "ecdh": 99.0}),
        *row("one", 1000, {"ecdh": 10.0}),
        *row("less ram", 1000, {"ecdh": 10.0}, ram_bytes=399),
        *row("more", 9000, {"keygen": 99.0, "ecdh": 99.0, "sign": 99.0}),
    ]
    found = {one.library: one for one in standings([*OURS, *SMALL, *theirs])}
    counts = {name: (one.rows, one.behind, one.presets) for name, one in found.items()}
    assert counts == {
        "equal": (1, 1, 1),
        "faster once": (1, 0, 0),
        "small": (1, 1, 0),
        "one": (1, 1, 1),
        "less ram": (1, 0, 0),
        "more": (1, 0, 0),
    }
    assert found["one"].ops == "ecdh"
    left = ["faster once", "less ram (ecdh alone)", "more (keygen+ecdh+sign alone)"]
    assert not_behind([*found.values()]) == [f"x25519: {name} on {ONE.target}" for name in left]


def test_images_with_other_operations_are_rows_of_their_own() -> None:
    theirs = [*row("one", 900, {"ecdh": 10.0}), *row("one", 1100, {"keygen": 10.0, "ecdh": 10.0})]
    found = {one.ops: one for one in standings([*OURS, *theirs])}
    assert {ops: one.behind for ops, one in found.items()} == {"ecdh": 0, "keygen+ecdh": 1}
    alone = row(OWN, 900, {"ecdh": 10.0}, preset="fast", group="ecfit fast")
    assert all(one.behind == one.presets == 1 for one in standings([*OURS, *alone, *theirs]))
    text = claim([*found.values()])
    assert "In 1 of the rows, the image has fewer operations" in text
    assert "not measured" not in text  # the one row of it with all operations has its row of ECDH
    more = standings([*OURS, *theirs, *row("one", 1, {"keygen": 1.0, "ecdh": 1.0}, group="b")])
    assert "1 further rows with fewer operations were not measured" in claim(more)


def test_a_row_is_constant_time_where_each_operation_with_a_secret_is() -> None:
    both_ops = row("one", 1, {"sign": 1.0, "verify": 1.0})

    def said(text: str | None) -> str:
        return constant_time([msgspec.structs.replace(r, constant_time=text) for r in both_ops])

    assert [said(text) for text in ("yes", None)] == ["yes", "not checked"]
    assert said("no: branch in f").startswith("no: branch in f (")
    assert constant_time(both_ops[1:]) == "-"


def test_every_library_has_rows_with_each_subset() -> None:
    """Of the operations that it has on a curve on a chip. Code of 2013 has those of its page."""
    found = {(one.target, one.curve, one.library, one.ops) for one in both()}
    for *place, ops in found:
        for fewer in SUBSETS if place[2] != "micro-ecc-2013" else ():
            if {*fewer.split("+")} < {*ops.split("+")}:
                assert (*place, fewer) in found
