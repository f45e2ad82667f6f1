"""The deepest path of calls: of frames written by hand."""

from __future__ import annotations

from ecfit.build.stackbound import bound
from ecfit.commands.frames import depth, path
from ecfit.model import Frame

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
