"""Flame graphs: widths are cycles, nothing comes from outside, names cannot break the drawing; and
the deepest path of calls.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from ecfit.build.stackbound import bound
from ecfit.commands.frames import depth, path
from ecfit.model import Frame
from ecfit.show.flamegraph import MARGIN, WIDTH, draw

SVG = "{http://www.w3.org/2000/svg}"
STACKS = {
    ("main",): 100,
    ("main", "mul"): 600,
    ("main", "mul", "row"): 200,
    ("main", "add<&>"): 100,
}


def boxes(text: str) -> dict[str, tuple[float, float, float]]:
    """Name: x, y, width of each box."""
    found = {}
    for group in ET.fromstring(text).iter(f"{SVG}g"):
        title, box = group.find(f"{SVG}title"), group.find(f"{SVG}rect")
        assert title is not None
        assert title.text is not None
        assert box is not None
        found[title.text.split(":")[0]] = (
            float(box.get("x", 0)),
            float(box.get("y", 0)),
            float(box.get("width", 0)),
        )
    return found


def test_widths_are_shares_of_cycles() -> None:
    found = boxes(draw([("title", STACKS)]))
    whole = WIDTH - 2 * MARGIN
    assert found["all"][2] == whole
    assert found["mul"][2] == pytest.approx(0.8 * whole)
    assert found["row"][2] == pytest.approx(0.2 * whole)
    assert found["add<&>"][2] == pytest.approx(0.1 * whole)
    assert found["all"][1] > found["main"][1] > found["mul"][1] > found["row"][1]
    assert found["mul"][0] + found["mul"][2] == pytest.approx(
        found["add<&>"][0]
    )  # dearest first, side by side


def test_the_drawing_stands_alone() -> None:
    text = draw([("one", STACKS), ("two", {("a",): 1})])
    assert text.count("http") == 1  # the name space
    assert "<script" not in text
    assert "href" not in text
    assert text == draw([("one", STACKS), ("two", {("a",): 1})])


def test_nothing_was_run() -> None:
    assert "title" in draw([("title", {})])


# ---- the deepest path, of frames written by hand -------------------------------------------------

FRAMES = (
    Frame("root", 8, ("left", "right")),
    Frame("left", 100, ("leaf",)),
    Frame("right", 40, ("big", "right")),  # calls itself
    Frame("big", 90),
    Frame("leaf", 16),
)


def test_of_frames_by_hand() -> None:
    found = path(FRAMES, "root")
    assert [frame.name for frame in found] == ["root", "right", "big"]
    assert depth(found) == 8 + 40 + 90
    assert path(FRAMES, "nobody") == ()


def test_its_depth_is_the_bound() -> None:
    limit = bound(FRAMES, "root")
    assert limit is not None and depth(path(FRAMES, "root")) == limit.bytes
