"""Plots: the same bytes for the same points, labels that are not written over each other, and
something to draw in every study.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations, pairwise

import msgspec
import pytest

from ecfit.show.layout import DEFAULT_WIDTH, lay_out
from ecfit_studies.commands.study import table_rows
from ecfit_studies.commands.tls_document import picture
from ecfit_studies.survey.charts import charts
from ecfit_studies.survey.plots import HEIGHT, WIDTH, Axis, Label, labels, svg
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import Chart, Point, all_studies, find_study
from tools.docs import studies

POINTS = (
    Point(1000, 10.0, "one", "a"),
    Point(1001, 10.0, "two", "b"),
    Point(1040, 10.5, "near", "b"),
    Point(3000, 40.0, "pale", "b", marked=False),
    Point(1002, 10.1, "crowded " * 20, "b", marked=False),
    Point(9000, 900.0, "far", "b"),
)
LINE = tuple(Point(1000 * 1.3**n, 10.0 * 1.5**n, f"point {n}", "a") for n in range(8))
CROWD = tuple(
    Point(100 * 1.02**n, 100 * 1.02**n * (0.8 + 0.1 * (n % 5)), f"curve {n} verify", "a", n % 3 > 0)
    for n in range(40)
)


def named(
    points: tuple[Point, ...], *, line: bool = False, ratio: float | None = None
) -> tuple[list[Label], Axis, Axis]:
    """The labels of a chart, and its axes."""
    across, up = Axis([p.x for p in points], WIDTH), Axis([p.y for p in points], HEIGHT)
    chart = Chart("name", "title", "x", "y", points, line=line, ratio=ratio)
    return labels(chart, across, up), across, up


def test_points_in_one_place_share_a_label() -> None:
    """All that stand out are named; the others where there is room, in a text of their own."""
    found, _, _ = named(POINTS)
    assert {label.text: label.marked for label in found} == {
        "one, two": True, "near": True, "far": True, "pale": False,
    }  # fmt: skip
    assert named(())[0] == []


@pytest.mark.parametrize(
    ("points", "joined", "ratio"),
    [(POINTS, False, None), (LINE, True, None), (CROWD, False, None), (CROWD, False, 1.0)],
)
def test_no_label_lies_on_a_point_a_line_or_another(
    points: tuple[Point, ...], joined: bool, ratio: float | None
) -> None:
    """Lines join points, lead to labels, or are that of a ratio, which has a name."""
    found, across, up = named(points, line=joined, ratio=ratio)
    assert len(found) >= 4
    assert any(label.text == "1:1" for label in found) == (ratio is not None)
    for a, b in combinations([label.box() for label in found], 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    places = [(across.place(p.x), up.place(p.y)) for p in points]
    lines = list(pairwise(places)) if joined else []
    if ratio:
        low, high = across.value(0), across.value(WIDTH)
        lines.append(((0, up.place(low * ratio)), (WIDTH, up.place(high * ratio))))
    leaders = [(label.point, (label.x, label.y)) for label in found if label.leader()]
    assert leaders or points is not CROWD
    for label in found:
        left, low, right, high = label.box()
        assert 0 < left < right < WIDTH
        others = [line for line in leaders if line[1] != (label.x, label.y)]
        for x, y in (*places, *(place for line in (*lines, *others) for place in along(*line))):
            assert not (left < x < right and low < y < high), label.text


def along(one: tuple[float, float], other: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Places on a line."""
    for n in range(50):
        yield one[0] + (other[0] - one[0]) * n / 50, one[1] + (other[1] - one[1]) * n / 50


def test_the_line_of_a_ratio_is_drawn() -> None:
    chart = Chart("name", "a title", "published ms", "measured, ms", CROWD)
    for ratio, name in ((1.0, "1:1"), (0.9, "1:0.9"), (400.0, "")):
        text = svg(msgspec.structs.replace(chart, ratio=ratio))
        assert text.count("stroke-dasharray") - svg(chart).count("stroke-dasharray") == bool(name)
        assert f">{name}<" in text if name else "1:400" not in text


def test_an_axis_has_some_round_numbers() -> None:
    for low, high in ((1.2, 1.6), (2868, 17000), (0.5, 70000), (3, 3)):
        axis = Axis([low, high], WIDTH)
        assert 2 <= len(axis.ticks()) <= WIDTH / 45
        assert 0 < axis.place(low) <= axis.place(high) < WIDTH
        assert abs(axis.value(axis.place(high)) / high - 1) < 1e-5


def test_the_same_points_make_the_same_picture() -> None:
    chart = Chart("name", "a title", "bytes", "ms", POINTS, line=True)
    text = svg(chart)
    svg.cache_clear()
    assert svg(chart) == text
    words = {
        "".join(element.itertext())
        for element in ET.fromstring(text).iter()
        if element.tag.endswith("text")
    }
    assert {"a title", "bytes", "ms", "one, two", "far", "pale"} <= words
    assert not any(word.startswith("crowded") for word in words)
    other = Chart(
        "name", "a title", "bytes", "ms", (*POINTS[:-1], Point(9000, 901.0, "far", "b")), line=True
    )
    assert svg(other) != text


# ---- every study, from the records that are kept -------------------------------------------------


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
    """On the chip that was published 1:1."""
    study = find_study("micro-ecc")
    (chart,) = charts(study, kept(study))
    assert chart.ratio == 1.0
    assert chart.title.endswith("filled: more than 10% from 1:1")
    for point in chart.points:
        assert point.marked == (abs(point.y / point.x - 1) > 0.1)


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
                    who = names & {"library", "configuration"}
                    assert {name, *sorted(who)[-1:]} <= shown | said, (study.name, section.title)
                    found += 1
            if study.name == "micro-ecc" and "ms ratio" in names:
                assert {"published ms", "ms", "ms ratio", "flash B", "flash B ratio"} <= shown
                configurations = [column.name for column in laid.columns].index("configuration")
                assert not any(row[configurations].endswith("..") for row in laid.cells)
    assert found >= 5
