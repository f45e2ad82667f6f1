"""Cycles by function: call stacks as the rows of a tree, for the flame graph of the page."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ecfit.show.flamegraph import Node, Stacks, tree

NARROWEST = 0.001  # of all cycles: what takes less stays with its caller


class Frame(msgspec.Struct, frozen=True, array_like=True):
    """A function in a call stack: the place of its caller among the frames, -1 for the first;
    its own cycles, with those of callees that are left out.
    """

    caller: int
    name: str
    own: int


def frames(root: str, stacks: Stacks) -> list[Frame]:
    """The tree of call stacks, callers before callees, dearest first."""
    top = tree(root, stacks)
    return list(_frames(top, -1, [0], NARROWEST * top.cycles))


def _frames(node: Node, caller: int, count: list[int], least: float) -> Iterator[Frame]:
    place, count[0] = count[0], count[0] + 1
    shown = [child for child in node.children.values() if child.cycles >= least]
    yield Frame(caller, node.name, node.cycles - sum(child.cycles for child in shown))
    for child in sorted(shown, key=lambda child: (-child.cycles, child.name)):
        yield from _frames(child, place, count, least)
