"""Plots: the same bytes for the same points, and labels that are not written over each other."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from plots import labelled, svg

from ecfit.studies.study import Chart, Point

POINTS = (
    Point(1000, 10.0, "one", "a"),
    Point(1010, 10.0, "two", "b"),
    Point(1010, 10.0, "pale", "b", marked=False),
    Point(9000, 900.0, "far", "b"),
)


def test_labels_in_one_place_are_one_label() -> None:
    assert labelled(POINTS) == ["one, two", "", "pale", "far"]
    assert labelled(POINTS[:1]) == ["one"]
    assert labelled(()) == []


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
    assert {"a title", "bytes", "ms", "one, two", "far"} <= words
    assert "pale" not in words
    other = Chart(
        "name", "a title", "bytes", "ms", (*POINTS[:3], Point(9000, 901.0, "far", "b")), line=True
    )
    assert svg(other) != text
