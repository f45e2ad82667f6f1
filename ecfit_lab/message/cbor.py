"""CBOR (RFC 8949). All that is well-formed is read, but for maps with duplicates or with keys that
are neither integer, text nor bytes. What is written has the core deterministic encoding (4.2.1).
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from ecfit_lab.message.refusal import MessageRefusedError, Reason

_DEEPEST = 16
_SIMPLE = {20: False, 21: True, 22: None}
_FLOATS = {25: ">e", 26: ">f", 27: ">d"}
_INDEFINITE, _BREAK = 31, 0xFF
_MAJORS = ("unsigned", "negative", "bytes", "text", "array", "map", "tag", "simple")


class Tagged(msgspec.Struct, frozen=True):
    """An item with a tag."""

    tag: int
    item: Any


class Simple(msgspec.Struct, frozen=True):
    """A simple value without a meaning here; 23 is undefined."""

    value: int


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

    def head(self) -> tuple[str, int | None]:
        """Major type and number; None for an indefinite length."""
        first = self.take(1)[0]
        major, short = _MAJORS[first >> 5], first & 31
        if short < 24:
            return major, short
        if short == _INDEFINITE and major in ("bytes", "text", "array", "map"):
            return major, None
        if short > 27:
            raise _bad("a break" if first == _BREAK else "a reserved head")
        return major, int.from_bytes(self.take(1 << (short - 24)), "big")

    def item(self, depth: int) -> Any:
        """The next item."""
        if depth > _DEEPEST:
            raise _bad(f"more than {_DEEPEST} deep")
        start = self.at
        major, number = self.head()
        match major:
            case "bytes":
                return b"".join(self.chunks(major, number))
            case "text":
                return "".join(map(_text, self.chunks(major, number)))
            case "array":
                return [self.item(depth + 1) for _ in self.counted(number)]
            case "map":
                return self.map(number, depth)
        assert number is not None
        match major:
            case "unsigned":
                return number
            case "negative":
                return -1 - number
            case "tag":
                return Tagged(number, self.item(depth + 1))
        return self.simple(start, number)

    def simple(self, start: int, number: int) -> Any:
        """A float, or a simple value. `start`: where its head is."""
        short = self.data[start] & 31
        if short in _FLOATS:
            return struct.unpack(_FLOATS[short], self.data[start + 1 : self.at])[0]
        if short == 24 and number < 32:
            raise _bad("a simple value of two bytes below 32")  # RFC 8949, 3.3
        return _SIMPLE[number] if number in _SIMPLE else Simple(number)

    def chunks(self, major: str, number: int | None) -> Iterator[bytes]:
        """Bytes or a text: in one piece, or in several of its kind up to the break (3.2.3)."""
        if number is not None:
            yield self.take(number)
            return
        while not self.at_break():
            kind, size = self.head()
            if kind != major or size is None:
                raise _bad("a chunk of another kind")
            yield self.take(size)

    def at_break(self) -> bool:
        """Whether here is a break, which is taken."""
        if self.take(1)[0] == _BREAK:
            return True
        self.at -= 1
        return False

    def counted(self, number: int | None) -> Iterator[None]:
        """For so many items, or up to the break: each has a byte at least, which keeps a large
        number from costing.
        """
        if number is None:
            while not self.at_break():
                yield
        elif number > len(self.data) - self.at:
            raise _bad("it ends too early")
        else:
            yield from itertools.repeat(None, number)

    def map(self, number: int | None, depth: int) -> dict[Any, Any]:
        """The pairs of a map, whose keys are integers, texts or bytes."""
        pairs: dict[Any, Any] = {}
        for _ in self.counted(number):
            key = self.item(depth + 1)
            if isinstance(key, bool) or not isinstance(key, int | str | bytes):
                raise _bad("a key that is neither integer, text nor bytes")
            if key in pairs:
                raise MessageRefusedError(Reason.DUPLICATE, str(key)[:40])
            pairs[key] = self.item(depth + 1)
        return pairs


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


def _float(value: float) -> bytes:
    """The shortest that holds the value; all that are no number are one (RFC 8949, 4.2.2)."""
    if math.isnan(value):
        return b"\xf9\x7e\x00"
    for short, kind in _FLOATS.items():
        with suppress(OverflowError):
            data = struct.pack(kind, value)
            if struct.unpack(kind, data)[0] == value:
                return bytes((0xE0 | short,)) + data
    raise AssertionError(value)


def write(item: Any) -> bytes:
    """The deterministic encoding of what `read` returns. Errors: TypeError for other types."""
    if item is None or isinstance(item, bool):
        return _head("simple", {False: 20, True: 21, None: 22}[item])
    if isinstance(item, Simple):
        return _head("simple", item.value)
    if isinstance(item, float):
        return _float(item)
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
