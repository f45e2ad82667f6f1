"""Conditions of the preprocessor that the configuration decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ecfit.ship.tokens import BLANK, Token, text_of

# macros for the value of a knob, for a curve that is included, for a template's curve and field
_OURS = re.compile(r"ECFIT_\w+_(?:IS_\w+|ENABLED)|(?:CURVE|FIELD)_IS_\w+")
_WORD = re.compile(r"\w+|&&|\|\||\S")


def decided(words: Sequence[Token], defined: Callable[[str], bool]) -> bool | None:
    """What a condition on choices of the configuration comes to; None for any other.

    `words`: `if` or `elif`, then `defined(ECFIT_A_IS_B) && !ECFIT_CURVE_C_ENABLED`, and the like.
    """
    text = text_of(token for token in words[1:] if token.kind not in BLANK)
    names = [token.text for token in words[1:] if token.kind == "name"]
    asked = [name for name in names if name != "defined"]
    if not asked or not all(_OURS.fullmatch(name) for name in asked):
        return None
    return _Reader(_WORD.findall(text), defined).either()


class _Reader:
    """Reads from the left; each method takes off what it answers for."""

    def __init__(self, words: list[str], defined: Callable[[str], bool]) -> None:
        self.words, self.defined = words, defined

    def _takes(self, word: str) -> bool:
        is_next = self.words[:1] == [word]
        if is_next:
            del self.words[0]
        return is_next

    def either(self) -> bool:
        """Terms with || between them."""
        value = self._both()
        while self._takes("||"):
            value = self._both() or value
        return value

    def _both(self) -> bool:
        value = self._one()
        while self._takes("&&"):
            value = self._one() and value
        return value

    def _one(self) -> bool:
        if self._takes("!"):
            return not self._one()
        if self._takes("("):
            value = self.either()
            self._takes(")")
            return value
        if self._takes("defined"):
            return self._one()
        return self.defined(self.words.pop(0))
