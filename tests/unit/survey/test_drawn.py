"""Every study has something to draw, from the records that are kept."""

from __future__ import annotations

import pytest

from ecfit.show.layout import DEFAULT_WIDTH, lay_out
from ecfit_studies.commands.study import table_rows
from ecfit_studies.commands.tls_document import picture
from ecfit_studies.survey.charts import charts
from ecfit_studies.survey.plots import svg
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import all_studies, find_study
from tools.docs import studies


@pytest.mark.parametrize("name", sorted(all_studies()))
def test_every_study_has_charts(name: str) -> None:
    study = find_study(name)
    records = kept(study)
    drawn = charts(study, records)
    assert drawn
    assert len({one.name for one in drawn}) == len(drawn)
    for one in drawn:
        assert one.points
        assert all(point.x > 0 and point.y > 0 and point.label for point in one.points)


def test_published_times_have_a_line_where_they_are_equal() -> None:
    """On the chip that was published 1:1. The document on NIST and Brainpool is of another machine:
    there the line shows which curves differ from the usual ratio.
    """
    study = find_study("micro-ecc")
    (chart,) = charts(study, kept(study))
    assert chart.ratio == 1.0
    assert chart.title.endswith("filled: more than 10% from 1:1")
    for point in chart.points:
        assert point.marked == (abs(point.y / point.x - 1) > 0.1)
    other = find_study("nist-brainpool")
    first = charts(other, kept(other))[0]
    assert first.ratio is not None
    assert first.ratio > 100
    above = sum(point.y / point.x > first.ratio for point in first.points)
    assert abs(above - len(first.points) / 2) <= 1


def test_the_study_of_tls_has_a_chart() -> None:
    chart = picture(studies.kept_tls())
    assert len(chart.points) > 20
    assert svg(chart).startswith("<svg")


def test_the_bytes_of_a_message_are_in_the_rows_of_jss() -> None:
    study = find_study("jss")
    rows = table_rows(study.summarise(kept(study)))
    first = [row for row in rows if row["table"].endswith("a signed reading")]
    assert first
    assert all(row["B"] > 30 and row["blocks"] >= 1 for row in first)


def test_the_ratio_to_what_is_published_is_in_the_first_view() -> None:
    """Of each table with such a ratio, 80 columns show it, and the names of its rows; in the study
    of micro-ecc with the published time and ours.
    """
    found = 0
    for study in all_studies().values():
        for section in study.summarise(kept(study)):
            names = {column.name for column in section.columns}
            laid = lay_out(section.columns, section.cells, DEFAULT_WIDTH)
            shown = {column.name.replace("\n", " ") for column in laid.columns}
            said = {name for name, _ in laid.above}
            for name in ("ms ratio", "published to base"):
                if name in names:
                    assert {name, "library"} <= shown | said, (study.name, section.title)
                    found += 1
            if study.name == "micro-ecc" and "ms ratio" in names:
                assert {"published ms", "ms", "ms ratio", "flash B", "flash B ratio"} <= shown
                configurations = [column.name for column in laid.columns].index("configuration")
                assert not any(row[configurations].endswith("..") for row in laid.cells)
    assert found >= 8
