"""CBOR (RFC 8949) as far as messages have it: definite lengths, no float, maps without
duplicates. What is written has the core deterministic encoding (RFC 8949, 4.2.1).
"""

from __future__ import annotations

from typing import Any

import msgspec

from ecfit_lab.message.refusal import MessageRefusedError, Reason

_DEEPEST = 16
_SIMPLE = {20: False, 21: True, 22: None}
_MAJORS = ("unsigned", "negative", "bytes", "text", "array", "map", "tag", "simple")


class Tagged(msgspec.Struct, frozen=True):
    """An item with a tag."""

    tag: int
    item: Any


def _bad(detail: str) -> MessageRefusedError:
    return MessageRefusedError(Reason.NOT_CBOR, detail)


class _Reader:
    """The rest of the data."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        """So many bytes. Errors: MessageRefusedError where there are fewer."""
        if size > len(self.data) - self.at:
            raise _bad("it ends too early")
        self.at += size
        return self.data[self.at - size : self.at]

    def head(self) -> tuple[str, int]:
        """Major type and number."""
        first = self.take(1)[0]
        major, short = _MAJORS[first >> 5], first & 31
        if short < 24:
            return major, short
        if short > 27:
            raise _bad("an indefinite length" if short == 31 else "a reserved head")
        number = int.from_bytes(self.take(1 << (short - 24)), "big")
        if major == "simple":
            raise _bad("a float or an unknown simple value")
        return major, number

    def item(self, depth: int) -> Any:
        """The next item."""
        if depth > _DEEPEST:
            raise _bad(f"more than {_DEEPEST} deep")
        major, number = self.head()
        match major:
            case "unsigned":
                return number
            case "negative":
                return -1 - number
            case "bytes":
                return self.take(number)
            case "text":
                return _text(self.take(number))
            case "array":
                return [self.item(depth + 1) for _ in self.counted(number)]
            case "map":
                return self.map(number, depth)
            case "tag":
                return Tagged(number, self.item(depth + 1))
        if number not in _SIMPLE:
            raise _bad("an unknown simple value")
        return _SIMPLE[number]

    def counted(self, number: int) -> range:
        """For so many items: each has a byte at least, which keeps a large number from costing."""
        if number > len(self.data) - self.at:
            raise _bad("it ends too early")
        return range(number)

    def map(self, number: int, depth: int) -> dict[Any, Any]:
        """The pairs of a map, whose keys are integers, texts or bytes."""
        found: dict[Any, Any] = {}
        for _ in self.counted(number):
            key = self.item(depth + 1)
            if isinstance(key, bool) or not isinstance(key, int | str | bytes):
                raise _bad("a key that is neither integer, text nor bytes")
            if key in found:
                raise MessageRefusedError(Reason.DUPLICATE, str(key)[:40])
            found[key] = self.item(depth + 1)
        return found


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _bad("a text that is not UTF-8") from None


def read(data: bytes) -> Any:
    """The one item of the data. Errors: MessageRefusedError."""
    reader = _Reader(data)
    item = reader.item(0)
    if reader.at != len(data):
        raise _bad("something behind the end")
    return item


def _head(major: str, number: int) -> bytes:
    lead = _MAJORS.index(major) << 5
    if number < 24:
        return bytes([lead | number])
    size = next(size for size in range(4) if number < 1 << (8 << size))
    return bytes([lead | (24 + size)]) + number.to_bytes(1 << size, "big")


def write(item: Any) -> bytes:
    """The deterministic encoding of integers, bytes, texts, lists, maps, tags, true, false, null.
    Errors: TypeError.
    """
    if item is None or isinstance(item, bool):
        return _head("simple", {False: 20, True: 21, None: 22}[item])
    if isinstance(item, int):
        return _head("unsigned", item) if item >= 0 else _head("negative", -1 - item)
    if isinstance(item, bytes):
        return _head("bytes", len(item)) + item
    if isinstance(item, str):
        return _head("text", len(item.encode())) + item.encode()
    if isinstance(item, list | tuple):
        return _head("array", len(item)) + b"".join(map(write, item))
    if isinstance(item, dict):
        pairs = sorted((write(key), write(value)) for key, value in item.items())
        return _head("map", len(pairs)) + b"".join(key + value for key, value in pairs)
    if isinstance(item, Tagged):
        return _head("tag", item.tag) + write(item.item)
    raise TypeError(f"CBOR of messages has no {type(item).__name__}")
