"""How libraries stand beside ours: on records that are made up, on the fronts, and where `ecfit
fit` is asked.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from ecfit.build.parts import OWN
from ecfit.choices.peers import all_peers
from ecfit.errors import USAGE
from ecfit.fit.asked import Asked, answers
from ecfit_studies.survey.front import at_most
from ecfit_studies.survey.ranking import (
    SUBSETS,
    both,
    claim,
    compared,
    constant_time,
    not_behind,
    standings,
    without_preset,
)
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import StudyRecord, conditions, find_study, too_large
from tools.docs import fit_ahead

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


@pytest.mark.check
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


@pytest.mark.check
def test_images_with_other_operations_are_rows_of_their_own() -> None:
    theirs = [*row("one", 900, {"ecdh": 10.0}), *row("one", 1100, {"keygen": 10.0, "ecdh": 10.0})]
    found = {one.ops: one for one in standings([*OURS, *theirs])}
    assert {ops: one.behind for ops, one in found.items()} == {"ecdh": 0, "keygen+ecdh": 1}
    alone = row(OWN, 900, {"ecdh": 10.0}, preset="fast", group="ecfit fast")
    assert all(one.behind == one.presets == 1 for one in standings([*OURS, *alone, *theirs]))
    text = claim([*found.values()], [])
    assert "In 1 of the rows, the image has fewer operations" in text
    assert "not measured" not in text  # the one row of it with all operations has its row of ECDH
    more = standings([*OURS, *theirs, *row("one", 1, {"keygen": 1.0, "ecdh": 1.0}, group="b")])
    assert "1 further rows with fewer operations were not measured" in claim(more, [])


@pytest.mark.check
def test_a_build_that_another_of_theirs_beats_does_not_count() -> None:
    """Of any library; one with other operations, or of the same figures, beats nothing."""
    rows = {
        "best": (600, {"keygen": 9.0, "ecdh": 9.0}),
        "same": (600, {"keygen": 9.0, "ecdh": 9.0}),
        "smaller": (500, {"keygen": 99.0, "ecdh": 99.0}),
        "beaten": (600, {"keygen": 9.0, "ecdh": 9.1}),
        "fewer": (700, {"ecdh": 9.0}),
    }
    theirs = [record for name, figures in rows.items() for record in row(name, *figures)]
    counted = {one.library for one in standings([*OURS, *theirs], fronts=True)}
    assert counted == {"best", "same", "smaller", "fewer"}


@pytest.mark.check
def test_a_row_is_constant_time_where_each_operation_with_a_secret_is() -> None:
    both_ops = row("one", 1, {"sign": 1.0, "verify": 1.0})

    def said(text: str | None) -> str:
        return constant_time([msgspec.structs.replace(r, constant_time=text) for r in both_ops])

    assert [said(text) for text in ("yes", None)] == ["yes", "not checked"]
    assert said("no: branch in f").startswith("no: branch in f (")
    assert constant_time(both_ops[1:]) == "-"


@pytest.mark.check
def test_every_library_has_rows_with_each_subset() -> None:
    """Of the operations that it has on a curve on a chip. Code of 2013 has those of its page."""
    found = {(one.target, one.curve, one.library, one.ops) for one in both()}
    for *place, ops in found:
        for fewer in SUBSETS if place[2] != "micro-ecc-2013" else ():
            if {*fewer.split("+")} < {*ops.split("+")}:
                assert (*place, fewer) in found


# ---- the study `fronts` shows the rows that nothing of ours is ahead of --------------------------

STUDY = find_study("fronts")


def behind_one(mine: list[StudyRecord], theirs: list[StudyRecord]) -> bool:
    """Asked of records as they are: each operation apart, no code shared with the study."""
    by_op = {record.op: record for record in mine}
    return all(
        other.op in by_op
        and (by_op[other.op].flash_bytes or 0) <= (other.flash_bytes or 0)
        and max(r.ram_bytes or 0 for r in mine) <= max(r.ram_bytes or 0 for r in theirs)
        and (by_op[other.op].time_us or 0) <= (other.time_us or 0)
        for other in theirs
    )


def test_rows_and_counts() -> None:
    records = kept(STUDY)
    *some, each = STUDY.summarise(records)
    assert each.title == "Each library"
    sections = {section.title.partition(":")[0]: section for section in some}
    assert list(sections) == list(STUDY.targets)
    for target, section in sections.items():
        left = 0
        for line in section.lines:
            counts = re.match(r"(\w+): (\d+) of (\d+) rows", line)
            assert counts is not None
            curve, behind, of = counts.groups()
            rows: dict[tuple[str, str, str], list[StudyRecord]] = {}
            for record in records:
                if (record.target, record.curve) == (target, curve):
                    rows.setdefault((record.library, record.group, record.opt), []).append(record)
            ours = [mine for name, mine in rows.items() if name[0] == OWN]
            theirs = {
                name: mine
                for name, mine in rows.items()
                if name[0] != OWN and all(record.status == "ok" for record in mine)
            }
            ahead = {
                (curve, name[1], f"-{name[2]}")
                for name, mine in theirs.items()
                if not any(behind_one(one, mine) for one in ours)
            }
            shown = {tuple(row[:3]) for row in section.cells if row[0] == curve}
            published = {name for name in shown if "published" in name[1]}
            assert shown - published == ahead
            assert int(of) - int(behind) == len(shown)
            assert len(theirs) <= int(of) <= len(theirs) + 2  # and rows of published figures
            left += len(shown)
        assert left == len(section.cells) if left else section.cells == [["none"]]


def test_a_chip_without_a_row_says_none() -> None:
    records = [record for record in kept(STUDY) if record.library == OWN]
    assert {str(section.cells) for section in STUDY.summarise(records)[:-1]} == {"[['none']]"}


def test_what_does_not_fit_is_one_line_for_each_chip() -> None:
    records = kept(STUDY)
    lines = [line for line in conditions(records, all_peers()) if "too large" in line]
    large = {record.target for record in records if too_large(record)}
    assert sorted(line.partition(":")[0] for line in lines) == sorted(large)
    for record in filter(too_large, records):
        row = rf"{record.library} {record.curve} \([^)]*-{record.opt}[,)]"
        mine = [line for line in lines if line.startswith(f"{record.target}:")]
        assert [len(re.findall(row, line)) for line in mine] == [1]


# ---- what `ecfit fit` answers to the figures of other libraries: it is ahead of them, still ------

ECFIT = str(Path(sys.executable).with_name("ecfit"))
SAMPLE = 12


@pytest.mark.check
def test_every_answer_keeps_the_limits_that_a_row_is() -> None:
    found = answers()
    rows = list(without_preset(compared()))
    assert fit_ahead.needed(found, rows) == found, "run tools/docs/fit_ahead.py --again"
    for one in found:
        assert at_most(one.figures, one.limits)


def test_an_answer_that_exceeds_its_limits_or_that_no_row_asks_for_is_not_kept() -> None:
    place = ("nrf52840", "x25519", "ecdh")
    limits = {"flash": 900.0, "ram": 90.0, "ecdh": 9.0}
    good = Asked(*place, limits, "fast", {}, dict(limits), 1)
    worse = msgspec.structs.replace(good, figures={**limits, "ram": 91.0})
    other = msgspec.structs.replace(good, target="cc2538")
    fewer = msgspec.structs.replace(good, figures={"flash": 1.0, "ram": 1.0})
    rows = [(place, limits)]
    assert fit_ahead.needed([worse, other, fewer, good, good], rows) == [good]
    assert fit_ahead.needed([good], [(place, {**limits, "ecdh": 9.1})]) == []


@pytest.mark.ci
def test_a_sample_of_the_answers_measures_the_same() -> None:
    measured = fit_ahead.measurer(2)
    for one in random.Random(7).sample(answers(), SAMPLE):
        assert fit_ahead.again(one, measured) == one, "run tools/docs/fit_ahead.py --again"


@pytest.mark.ci
def test_fit_keeps_these_limits() -> None:
    """A question of few operations, as a user types it. Of X25519: searches on others take long."""
    some = [one for one in answers() if one.curve == "x25519"]
    one = min(some, key=lambda one: (len(one.figures), one.measured, one.target))
    command = [ECFIT, *one.command(), "--format=json", "--quiet"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    for limit in msgspec.json.decode(done.stdout)["limits"]:
        assert limit["spent"] <= limit["budget"]


@pytest.mark.check
def test_the_command_is_a_question_to_fit() -> None:
    command = [ECFIT, *answers()[0].command(), "--set=NONCE=1"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == USAGE
    assert b"NONCE" in done.stderr
