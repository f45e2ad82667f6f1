"""Markdown that programs write, in the width of the house."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 100
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
CODE_SPAN = re.compile(r"`[^`\n]{1,60}`")
# What would be read as something else at the beginning of a line.
STARTS = re.compile(r"(?:[-*+>|=]|#+|\d+[.)])$")
FENCES, OTHER = ("```", "~~~"), ("|", "#", "<", "![")


def wrapped(text: str) -> str:
    """The text with its paragraphs and list items filled to WIDTH; tables, headings, code as is."""
    out: list[str] = []
    block: list[str] = []
    fenced = False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(FENCES)
        code = not block and line.startswith("    ")
        if fenced or fence or code or not line.strip() or line.startswith(OTHER):
            out += [*_filled(block), line]
            block, fenced = [], fenced != fence
        elif ITEM.match(line):
            out += _filled(block)
            block = [line]
        else:
            block.append(line)
    return "\n".join([*out, *_filled(block)])


def _filled(block: list[str]) -> Iterator[str]:
    """One paragraph or list item in lines, as full as they can be; short code spans stay whole."""
    if not block:
        return
    item = ITEM.match(block[0])
    start = item.group() if item else ""
    text = " ".join([block[0][len(start) :], *(line.strip() for line in block[1:])])
    whole = CODE_SPAN.sub(lambda span: span.group().replace(" ", "\0"), text)
    lines = [start]
    for word in whole.split():
        if len(lines[-1]) + len(word) > WIDTH and lines[-1].strip():
            down = [word]
            while STARTS.match(down[0]):
                lines[-1], _, last = lines[-1].rstrip().rpartition(" ")
                down.insert(0, last)
            lines.append(" " * len(start) + " ".join(down) + " ")
        else:
            lines[-1] += word + " "
    yield from (line.rstrip().replace("\0", " ") for line in lines)
