"""C text cut into tokens, of which nothing is lost: joined again they are the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_PATTERN = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)"
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<newline>\n)"
    r"|(?P<space>(?:[ \t]|\\\n)+)"
    r"|(?P<other>##|->|.)",
    re.DOTALL,
)
BLANK = ("space", "newline", "comment")


class Token(NamedTuple):
    """One of them; `kind` is a name of the pattern above."""

    kind: str
    text: str


def tokens_of(text: str) -> list[Token]:
    """All tokens of a text."""
    return [Token(str(match.lastgroup), match.group()) for match in _PATTERN.finditer(text)]


def text_of(tokens: Iterable[Token]) -> str:
    """The text that they are."""
    return "".join(token.text for token in tokens)


def trimmed(tokens: Sequence[Token]) -> list[Token]:
    """Without comments, and without blanks at both ends."""
    kept = [token for token in tokens if token.kind != "comment"]
    while kept and kept[0].kind in BLANK:
        kept.pop(0)
    while kept and kept[-1].kind in BLANK:
        kept.pop()
    return kept


def names_in(text: str) -> set[str]:
    """The identifiers of a text, those in comments and strings apart."""
    return {token.text for token in tokens_of(text) if token.kind == "name"}


def arguments_at(tokens: Sequence[Token], start: int) -> tuple[list[list[Token]], int] | None:
    """The arguments of a call whose "(" is the next token from `start` on that is not blank,
    and where it ends; None where there is no such call.
    """
    while start < len(tokens) and tokens[start].kind in BLANK:
        start += 1
    if start == len(tokens) or tokens[start].text != "(":
        return None
    arguments: list[list[Token]] = [[]]
    depth = 0
    for at in range(start, len(tokens)):
        token = tokens[at]
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            return arguments, at + 1
        if token.text == "," and depth == 1:
            arguments.append([])
        elif at > start:
            arguments[-1].append(token)
    return None
