"""The rows that the study `fronts` shows are those that nothing of ours is ahead of."""

from __future__ import annotations

import re

from ecfit.build.parts import OWN
from ecfit.studies.kept import kept
from ecfit.studies.study import StudyRecord, find_study

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
    sections = {section.title.partition(":")[0]: section for section in STUDY.summarise(records)}
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
        assert left == len(section.cells)
