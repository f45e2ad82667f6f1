"""JSON as it is signed: read strictly (RFC 7493), written in the canonical form of RFC 8785."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

import rfc8785

from ecfit_lab.message.refusal import MessageRefusedError, Reason

LONGEST = 65_536  # bytes of a message
_EXACT = 2**53  # from here on a number of JSON is not one integer any more
_DEEPEST = 32  # objects and arrays inside each other


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise MessageRefusedError(Reason.DUPLICATE, name[:40])
        found[name] = value
    return found


def _constant(text: str) -> NoReturn:
    raise MessageRefusedError(Reason.NOT_JSON, f"{text} is no number")


def number(text: str) -> int | float:
    """A number that is spelled with a point or an exponent. All spellings of a double have one
    value, and one signature (RFC 8785, 3.2.2.3): an integer where it is one below 2^53.

    Errors: MessageRefusedError for more than a double holds.
    """
    value = float(text)
    if not math.isfinite(value):
        raise MessageRefusedError(Reason.NUMBER, text[:40])
    return double(value)


def double(value: float) -> int | float:
    """A finite double as the number that it is: an integer where it is one below 2^53."""
    return int(value) if value.is_integer() and abs(value) < _EXACT else value


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) >= _EXACT:
        raise MessageRefusedError(Reason.NUMBER, text[:40])
    return int(text)


def _deep(text: str) -> bool:
    """Returns whether brackets outside of strings are nested deeper than in any reading."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    depth = 0
    quoted = escaped = False
    for character in text:
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "[{":
            depth += 1
            if depth > _DEEPEST:
                return True
        elif character in "]}":
            depth -= 1
    return False


def read(data: bytes) -> dict[str, Any]:
    """The object in a message of UTF-8: any white space, any order of members, none twice.

    Errors: MessageRefusedError.
    """
    if len(data) > LONGEST:
        raise MessageRefusedError(Reason.TOO_LONG, f"{len(data)} bytes, at most {LONGEST}")
    try:
        text = data.decode("utf-8")
        if _deep(text):
            raise MessageRefusedError(Reason.NOT_JSON, f"more than {_DEEPEST} deep")
        value = json.loads(
            text,
            object_pairs_hook=_members,
            parse_constant=_constant,
            parse_float=number,
            parse_int=_integer,
        )
    except UnicodeDecodeError:
        raise MessageRefusedError(Reason.NOT_JSON, "not UTF-8") from None
    except ValueError as error:
        raise MessageRefusedError(Reason.NOT_JSON, str(error)) from None
    if not isinstance(value, dict):
        raise MessageRefusedError(Reason.NOT_OBJECT)
    return value


def write(value: object) -> bytes:
    """The canonical form. Errors: MessageRefusedError for half a surrogate pair in a text."""
    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]
    except (ValueError, UnicodeError):
        raise MessageRefusedError(Reason.NOT_JSON, "a text that is not Unicode") from None
