"""The library's templates expanded for one configuration: a text that reads like one written
by hand.

What a template is made of (names, contexts, slots, files) is resolved; comments, plain constants
and helper macros stay, and so does what only the compiler knows (`#if defined(__GNUC__)`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from ecfit.errors import BuildError
from ecfit.ship.conditions import decided
from ecfit.ship.macros import Macro, Macros
from ecfit.ship.tokens import BLANK, Token, text_of, tokens_of, trimmed

# Macros of templates, beside all that begin with ECFIT_ and are not of KEEPING files.
PLUMBING = frozenset({
    "ADD_CODE", "API", "API_LINKAGE", "BASE_POINT", "COEFFICIENT_B", "COMB_TABLE", "CTX", "CTX_",
    "CTX_LAST", "CTX_LAST_", "CURVE", "CURVE_A", "CURVE_CAPS", "CURVE_CODE", "CURVE_HASH",
    "DOUBLE_CODE", "EDWARDS", "EDWARDS_VAR", "F", "FE_LAST", "FE_RUN", "FIELD",
    "FORMULAS", "FORMULAS_VAR", "FORMULA_OF", "FORMULA_RUN", "FUSED", "FUSED_POINT", "HASH_ROOM",
    "ECFIT_FAST", "ECFIT_FAST_MUL", "HASH_SLIDE", "MOD_ANY_MUL",
    "MP_ROW", "N", "P25519_ROUTINE", "P256_PRODUCT", "P256_RUN", "PRIME", "SC_TO_BYTES",
    "RHS_CODE", "SC_INV", "SECOND_HALF", "SECRET_BODY", "SHA384_FIRST", "SHA512_BYTE",
    "SHA512_FIRST", "SHA512_SUM", "SIZED", "SOLINAS", "X_RECOVER_CODE", "X_STEP_CODE",
    "mp_mul", "mp_sqr_own",
})  # fmt: skip
FLAGS = ("CURVE_IS_", "FIELD_IS_")  # macros that only conditions ask for
KEEPING = ("ct.h", "ecfit.h", "ecfit/")  # files whose macros are for the reader
_OPEN = ("ECFIT_ADX", "ECFIT_ALLOW_", "ECFIT_DECLASSIFY")  # names that whoever compiles may define
_IN_COMMENTS = re.compile(r"\b(?:N|F|API|FUSED)\(\w+\)")

Kind = Literal["code", "comment", "define", "undef", "condition", "open", "close", "include"]


class Piece(msgspec.Struct):
    """Text between two directives, a directive, or where a file begins and ends.

    `name`: of a macro; of a file, its path. `blank`: a blank line stood before it.
    """

    kind: Kind
    text: str
    name: str = ""
    blank: bool = False


class Expander:
    """Reads a file and what it includes. `read`: the text of a file by its name below lib/src or
    lib/include, None if it is left out; `absent` are files that are read and not shown.
    """

    def __init__(self, read: Callable[[str], str | None], hidden_files: Sequence[str] = ()) -> None:
        self.read, self.hidden_files = read, hidden_files
        self.macros = Macros()
        self.pieces: list[Piece] = []
        self._conditions: list[bool | None] = []  # None: only the compiler knows
        self._taken: list[bool] = []  # of each condition, whether a branch was taken
        self._silent = 0

    def file(self, path: str) -> None:
        """Expands a file. Errors: BuildError."""
        text = self.read(path)
        if text is None:
            return
        self._silent += path in self.hidden_files
        self._add(Piece("open", "", path))
        for tokens in _lines(tokens_of(text)):
            if tokens and tokens[0].text == "#":
                self._directive(tokens[1:], path)
            elif self._active:
                self._code(tokens)
        self._add(Piece("close", "", path))
        self._silent -= path in self.hidden_files

    @property
    def _active(self) -> bool:
        return False not in self._conditions

    def _add(self, piece: Piece) -> None:
        if self._silent == 0:
            self.pieces.append(piece)

    def _code(self, tokens: Sequence[Token]) -> None:
        text = text_of(self.macros.expand([self._comment(token) for token in tokens]))
        if self.pieces and self.pieces[-1].kind == "code":
            self.pieces[-1].text += text
        else:
            self._add(Piece("code", text))

    def _comment(self, token: Token) -> Token:
        """A comment with the names of this instance."""
        if token.kind != "comment":
            return token

        def resolved(name: re.Match[str]) -> str:
            return text_of(self.macros.expand(tokens_of(name.group())))

        return Token("comment", _IN_COMMENTS.sub(resolved, token.text))

    def _directive(self, tokens: Sequence[Token], path: str) -> None:
        words = [token for token in tokens if token.kind not in BLANK]
        name = words[0].text if words else ""
        if name in {"if", "ifdef", "ifndef", "elif", "else", "endif"}:
            self._condition(name, trimmed(tokens))
        elif not self._active:
            return
        elif name == "define":
            self._define(list(tokens), path)
        elif name == "undef":
            macro = self.macros.pop(words[1].text, None)
            if macro is not None and not macro.plumbing:
                self._add(Piece("undef", f"#undef {macro.name}", macro.name))
        elif name == "include":
            self._include(tokens)
        else:
            self._add(Piece("condition", f"#{text_of(tokens).rstrip()}"))

    def _condition(self, name: str, words: Sequence[Token]) -> None:
        """Guards and choices are resolved; what else there is only the compiler can answer."""
        if name == "endif":
            verdict = self._conditions.pop()
            self._taken.pop()
        elif name in {"elif", "else"}:
            verdict = self._conditions[-1]
            if verdict is not None:
                verdict = not self._taken[-1] and (name == "else" or self._decided(words) is True)
                self._conditions[-1] = verdict
                self._taken[-1] |= verdict
        else:
            verdict = self._decided(words) if name == "if" else self._defined(words)
            self._conditions.append(verdict)
            self._taken.append(verdict is True)
        if verdict is None and self._active:
            self._add(Piece("condition", f"#{text_of(words)}"))

    def _defined(self, words: Sequence[Token]) -> bool | None:
        """What #ifdef or #ifndef comes to."""
        asked = words[-1].text
        if asked.startswith("ECFIT_") and not asked.startswith(_OPEN):
            return (asked in self.macros) == (words[0].text == "ifdef")
        return None

    def _decided(self, words: Sequence[Token]) -> bool | None:
        """What #if or #elif comes to: a choice is defined, or is 1 or 0."""

        def there(name: str) -> bool:
            return name in self.macros and text_of(self.macros[name].body) != "0"

        return decided(words, there)

    def _define(self, tokens: list[Token], path: str) -> None:
        at = next(i for i, token in enumerate(tokens) if token.text == "define") + 1
        while tokens[at].kind in BLANK:
            at += 1
        name, start, parameters = tokens[at].text, at, None
        at += 1
        if at < len(tokens) and tokens[at].text == "(":
            end = next(i for i in range(at, len(tokens)) if tokens[i].text == ")")
            parameters = tuple(t.text for t in tokens[at:end] if t.kind == "name")
            at = end + 1
        plumbing = (
            name in PLUMBING
            or name.startswith(FLAGS)
            or (name.startswith("ECFIT_") and (not path.startswith(KEEPING) or name.endswith("_H")))
        )
        self.macros[name] = Macro(name, parameters, trimmed(tokens[at:]), plumbing)
        if not plumbing:
            rest = [self._comment(token) for token in tokens[at:]]
            hidden = frozenset(parameters or ()) | {name}
            body = text_of(self.macros.expand(rest, hidden)).rstrip()
            self._add(Piece("define", f"#define {text_of(tokens[start:at])}{body}", name))

    def _include(self, tokens: Sequence[Token]) -> None:
        words = trimmed(self.macros.expand(trimmed(tokens)[1:], every=True))
        text = text_of(words)
        if text.startswith("<"):
            self._add(Piece("include", f"#include {text}", text))
        elif len(words) != 1 or words[0].kind != "string":
            raise BuildError(f"a slot of the configuration is not filled: {text_of(tokens)}")
        else:
            self.file(text.strip('"'))


def _lines(tokens: Sequence[Token]) -> list[list[Token]]:
    """Tokens from one directive to the next: each directive by itself."""
    lines: list[list[Token]] = [[]]
    fresh = True  # at the beginning of a line
    directive = False
    for token in tokens:
        if fresh and token.text == "#":
            lines.append([])
            directive = True
        lines[-1].append(token)
        if token.kind == "newline":
            fresh = True
            if directive:
                lines.append([])
                directive = False
        elif token.kind != "space":
            fresh = False
    return [line for line in lines if line]
