"""The rows that the study `fronts` shows are those that nothing of ours is ahead of."""

from __future__ import annotations

import re

from ecfit.build.parts import OWN
from ecfit.choices.peers import all_peers
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import StudyRecord, conditions, find_study, too_large

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
