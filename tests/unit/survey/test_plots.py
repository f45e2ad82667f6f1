"""Plots: the same bytes for the same points, and labels that are not written over each other."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

from ecfit.survey.plots import HEIGHT, WIDTH, Axis, labels, svg
from ecfit.survey.study import Chart, Point

POINTS = (
    Point(1000, 10.0, "one", "a"),
    Point(1001, 10.0, "two", "b"),
    Point(1040, 10.5, "near", "b"),
    Point(3000, 40.0, "pale", "b", marked=False),
    Point(1002, 10.1, "crowded " * 20, "b", marked=False),
    Point(9000, 900.0, "far", "b"),
)
ACROSS, UP = Axis([p.x for p in POINTS], WIDTH), Axis([p.y for p in POINTS], HEIGHT)


def test_points_in_one_place_share_a_label() -> None:
    """All that stand out are named; the others where there is room, in a text of their own."""
    found = {label.text: label.marked for label in labels(POINTS, ACROSS, UP)}
    assert found == {"one, two": True, "near": True, "far": True, "pale": False}
    assert labels((), ACROSS, UP) == []


def test_no_label_lies_on_a_point_or_another() -> None:
    """Nor on a line between points, nor outside the picture."""
    line = tuple(Point(1000 * 1.3**n, 10.0 * 1.5**n, f"point {n}", "a") for n in range(8))
    for points, joined in ((POINTS, False), (line, True)):
        across, up = Axis([p.x for p in points], WIDTH), Axis([p.y for p in points], HEIGHT)
        boxes = [label.box() for label in labels(points, across, up, line=joined)]
        assert len(boxes) >= 4
        for a, b in combinations(boxes, 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        places = [(across.place(p.x), up.place(p.y)) for p in points]
        if joined:
            places += [
                (x + (x2 - x) * n / 50, y + (y2 - y) * n / 50)
                for (x, y), (x2, y2) in pairwise(places)
                for n in range(50)
            ]
        for left, low, right, high in boxes:
            assert left > 0
            assert right < WIDTH
            assert not any(left < x < right and low < y < high for x, y in places)


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
