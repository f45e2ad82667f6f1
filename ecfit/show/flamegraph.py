"""Flame graphs as SVG: one drawing, no script, no outside resource.
A pure function of call stacks and their cycles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from html import escape

import msgspec

from ecfit.units import grouped

Stacks = Mapping[tuple[str, ...], int]

WIDTH, MARGIN, ROW, TITLE, GAP = 1200, 10, 18, 28, 16  # pixels
NARROWEST = 0.25  # of what is drawn
LETTER = 6.6  # width of a character at FONT pixels
FONT = 11


class Node(msgspec.Struct):
    """A function in a call stack: cycles with all that it called."""

    name: str
    cycles: int = 0
    children: dict[str, Node] = {}


def tree(root: str, stacks: Stacks) -> Node:
    """The call tree of collapsed stacks, outermost function first."""
    top = Node(root, sum(stacks.values()), {})
    for stack, cycles in stacks.items():
        node = top
        for name in stack:
            node = node.children.setdefault(name, Node(name, 0, {}))
            node.cycles += cycles
    return top


def draw(graphs: Sequence[tuple[str, Stacks]]) -> str:
    """One graph below the other, each with its title; the widths are cycles,
    a tooltip names the figures.
    """
    y, parts = MARGIN, []
    for title, stacks in graphs:
        top = tree("all", stacks)
        height = _depth(top) * ROW
        parts.append(f'<text x="{MARGIN}" y="{y + 16}" font-size="14">{escape(title)}</text>')
        frames: list[str] = []
        _frames(top, float(MARGIN), y + TITLE + height - ROW, top, frames)
        parts += frames
        y += TITLE + height + GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" '
        f'viewBox="0 0 {WIDTH} {y}" font-family="monospace" font-size="{FONT}">'
    )
    back = f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>'
    return "\n".join([head, back, *parts, "</svg>"]) + "\n"


def _depth(node: Node) -> int:
    return 1 + max((_depth(child) for child in node.children.values()), default=0)


def _colour(name: str) -> str:
    """A warm colour that belongs to the name."""
    red, green, blue = hashlib.sha256(name.encode()).digest()[:3]
    return f"#{205 + red % 50:02x}{100 + green % 130:02x}{40 + blue % 50:02x}"


def _frames(node: Node, x: float, y: int, whole: Node, parts: list[str]) -> None:
    """A box for the function, callees above it from left to right, dearest first."""
    scale = (WIDTH - 2 * MARGIN) / (whole.cycles or 1)
    width = node.cycles * scale
    if width < NARROWEST:
        return
    share = 100 * node.cycles / (whole.cycles or 1)
    tip = f"{node.name}: {grouped(node.cycles)} cycles, {share:.1f} %"
    letters = int((width - 6) / LETTER)
    label = (
        node.name
        if len(node.name) <= letters
        else node.name[: letters - 2] + ".."
        if letters > 4
        else ""
    )
    text = f'<text x="{x + 3:.2f}" y="{y + 13}">{escape(label)}</text>' if label else ""
    box = (
        f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{ROW - 1}" '
        f'fill="{_colour(node.name)}" rx="1"/>'
    )
    parts.append(f"<g><title>{escape(tip)}</title>{box}{text}</g>")
    for child in sorted(node.children.values(), key=lambda c: (-c.cycles, c.name)):
        _frames(child, x, y - ROW, whole, parts)
        x += child.cycles * scale
