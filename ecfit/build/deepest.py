"""Which calls make the deepest stack of an operation, from an image's frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ecfit.model import Frame


def path(all_frames: Sequence[Frame], root: str) -> tuple[Frame, ...]:
    """The calls from `root` down to where the stack is deepest, as far as the compiler's call
    graph knows them (ecfit.build.stackbound); the sum of their bytes is the bound. Of two ways as
    deep the one with the first name in the alphabet. Empty when there is no call graph.
    """
    by_name = {frame.name: frame for frame in all_frames}
    if root not in by_name:
        return ()
    known: dict[str, tuple[Frame, ...]] = {}
    return _below(by_name, root, known, set())


def depth(frames: Sequence[Frame]) -> int:
    """The stack of such a path, in bytes."""
    return sum(frame.bytes for frame in frames)


def _below(
    by_name: Mapping[str, Frame], name: str, known: dict[str, tuple[Frame, ...]], above: set[str]
) -> tuple[Frame, ...]:
    if name in above:  # recursion: of which there is no bound
        return ()
    if name not in known:
        frame = by_name[name]
        inner = above | {name}
        ways = [_below(by_name, callee, known, inner) for callee in frame.calls]
        known[name] = (frame, *max(ways, key=depth, default=()))
    return known[name]
