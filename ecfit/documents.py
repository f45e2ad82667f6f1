"""TOML and JSON that a user hands in: bounded in size and depth, and each fault is a DecodeError.

The reader of TOML works in Python: it takes a minute for one key of 50,000 parts, and gives up in
other ways than by its own errors. A file that is larger or deeper than any that makes sense
is refused before.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ecfit.errors import UsageError

T = TypeVar("T")

LARGEST_TOML = 1 << 18  # bytes: the largest of this project has 48 kB
LARGEST_JSON = 1 << 26  # bytes: some 50,000 records
DEEPEST = 32  # tables and arrays inside each other, parts of a key
_SHOWN = 300  # characters of a fault, which may quote the file
# Strings and comments as a whole, and what opens, closes or parts the rest.
_TOKENS = re.compile(
    rb'"""(?:[^"\\]|\\.|"(?!""))*(?:"{3,5}|\Z)|'
    rb"'''(?:[^']|'(?!''))*(?:'{3,5}|\Z)|"
    rb'"(?:[^"\\\n]|\\.)*"?|'
    rb"'[^'\n]*'?|#[^\n]*|[\[\]{}.=,\n]",
    re.DOTALL,
)
_STRINGS = (b'"', b"'", b"#")


def toml(data: bytes, kind: type[T]) -> T:
    """A document as a record. Errors: MsgspecError, whose text is one line."""
    _bounded(data, LARGEST_TOML)
    if _deep(data):
        raise msgspec.DecodeError(f"more than {DEEPEST} tables, arrays or parts of a key deep")
    return _decoded(msgspec.toml.decode, data, kind)


def json(data: bytes, kind: type[T]) -> T:
    """The same of JSON, whose reader has a bound for the depth of its own."""
    _bounded(data, LARGEST_JSON)
    return _decoded(msgspec.json.decode, data, kind)


def named(path: Path, kind: type[T]) -> dict[str, T]:
    """The tables of a TOML file of ours, each a record whose field `name` is the table's.
    Errors: UsageError.
    """
    tables: Any = dict[str, kind]  # type: ignore[valid-type]
    try:
        records = msgspec.toml.decode(path.read_bytes(), type=tables)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path.name}: {error}") from None
    return {name: msgspec.structs.replace(record, name=name) for name, record in records.items()}


def _bounded(data: bytes, largest: int) -> None:
    if len(data) > largest:
        raise msgspec.DecodeError(f"larger than {largest} bytes")


def _decoded(decode: Any, data: bytes, kind: type[T]) -> T:
    try:
        return decode(data, type=kind)  # type: ignore[no-any-return]
    except RecursionError:
        raise msgspec.DecodeError("too deep") from None
    except ValueError as error:  # of msgspec, a text that is not UTF-8, a number of 5000 digits
        fault = " ".join(str(error).split())[:_SHOWN]
        fault = "".join(one if one.isprintable() else "?" for one in fault)
        known = isinstance(error, msgspec.ValidationError)
        raise (msgspec.ValidationError if known else msgspec.DecodeError)(fault) from None


def _deep(data: bytes) -> bool:
    """Whether brackets or the parts of a key go deeper than those of any file that makes sense."""
    depth = parts = 0
    for match in _TOKENS.finditer(data):
        token = match[0]
        if token.startswith(_STRINGS):
            continue
        if token == b".":
            parts += 1
        else:
            parts = 0
            depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token, 0)
        if depth > DEEPEST or parts >= DEEPEST:
            return True
    return False
