"""Expands macros as the preprocessor does, except for those that must stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ecfit.ship.tokens import BLANK, Token, arguments_at, text_of, tokens_of, trimmed

_GLUED = {"[", ","}  # what an expansion may begin with that has no space before it


class Macro(NamedTuple):
    """One definition. `parameters` is None for those without; `plumbing`: it is always expanded."""

    name: str
    parameters: tuple[str, ...] | None
    body: list[Token]
    plumbing: bool


class Macros(dict[str, Macro]):
    """The macros that are defined, by name."""

    def expand(
        self, tokens: Sequence[Token], hidden: frozenset[str] = frozenset(), *, every: bool = False
    ) -> list[Token]:
        """Expands plumbing, or every macro; `hidden`: not these (C99, 6.10.3.4)."""
        out: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            macro = self.get(token.text) if token.kind == "name" else None
            at += 1
            if macro is None or macro.name in hidden or not (every or macro.plumbing):
                out.append(token)
                continue
            body = macro.body
            if macro.parameters is not None:
                call = arguments_at(tokens, at)
                if call is None:
                    out.append(token)
                    continue
                arguments, at = call
                body = self._substituted(macro, arguments, hidden, every=every)
            replaced = self.expand(body, hidden | {macro.name}, every=every)
            at = _join(out, replaced, tokens, at)
        return out

    def _substituted(
        self, macro: Macro, arguments: list[list[Token]], hidden: frozenset[str], *, every: bool
    ) -> list[Token]:
        """The body with arguments for parameters, strings made and names pasted."""
        assert macro.parameters is not None
        values = dict(zip(macro.parameters, map(trimmed, arguments), strict=False))
        out: list[Token] = []
        paste = False
        body = macro.body
        for at, token in enumerate(body):
            if token.text == "##":
                while out and out[-1].kind in BLANK:
                    out.pop()
                paste = True
                continue
            if token.text == "#":
                continue
            if token.kind in BLANK and paste:
                continue
            value = [token]
            if token.text in values:
                value = values[token.text]
                following = next((t.text for t in body[at + 1 :] if t.kind not in BLANK), "")
                if at > 0 and body[at - 1].text == "#":
                    value = [Token("string", f'"{text_of(value)}"')]
                elif not paste and following != "##":
                    value = self.expand(value, hidden, every=every)
            if paste and out and value:
                value = [*tokens_of(out.pop().text + value[0].text), *value[1:]]
            out += value
            paste = False
        return out


def _join(out: list[Token], replaced: Sequence[Token], tokens: Sequence[Token], at: int) -> int:
    """Appends an expansion and sees to the spaces around it; returns where the text goes on."""
    if replaced:
        if replaced[0].text in _GLUED and out and out[-1].kind == "space":
            out.pop()
        out.extend(replaced)
        return at
    if at < len(tokens) and tokens[at].kind == "space":
        at += 1
    following = tokens[at].text if at < len(tokens) else ""
    if following in {")", ",", "\n"} and out and out[-1].kind == "space":
        out.pop()
    return at
