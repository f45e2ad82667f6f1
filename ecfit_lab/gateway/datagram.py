"""Datagrams of CoAP (RFC 7252, 3): what sensors send is read, what a gateway sends is written.

Anybody may send anything here. So a datagram is read in one pass that only goes forward, and each
size is compared with what is left. An option that comes again, or whose length is none of its
own, counts as one that nobody knows (RFC 7252, 5.4.3, 5.4.5): critical ones have the message
rejected, elective ones are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

CON, NON, ACK, RST = range(4)  # kinds
EMPTY, GET, CONTENT = 0, 1, 69  # codes
RESERVED = (1, 6, 7)  # classes of codes (RFC 7252, 12.1)
URI_HOST, URI_PATH, URI_QUERY = 3, 11, 15  # of requests
ETAG, OBSERVE, CONTENT_FORMAT, MAX_AGE, BLOCK2 = 4, 6, 12, 14, 23
# Of responses, the bytes that they may have: RFC 7252, 5.10; RFC 7641, 2; RFC 7959, 2.1.
LENGTHS = {
    ETAG: range(1, 9),
    OBSERVE: range(4),
    CONTENT_FORMAT: range(3),
    MAX_AGE: range(5),
    BLOCK2: range(4),
}
_END = 0xFF  # of the options
Options = list[tuple[int, bytes]]


class Block(msgspec.Struct, frozen=True):
    """Which part of a message this is (RFC 7959, 2.2): of 2^(size + 4) bytes."""

    number: int
    more: bool
    size: int


class Datagram(msgspec.Struct, frozen=True):
    """One that was read. `options`: the values of those that are understood, by their number.
    `not_understood`: the first critical option that is not, for which the message must be rejected
    (RFC 7252, 5.4.1). Odd numbers are critical (5.4.6).
    """

    kind: int
    code: int
    mid: int
    token: bytes
    options: dict[int, bytes]
    payload: bytes
    not_understood: int | None = None

    def number(self, option: int) -> int | None:
        """An option that is an unsigned integer."""
        value = self.options.get(option)
        return None if value is None else int.from_bytes(value, "big")

    def block(self) -> Block | None:
        """Which block it is, if it is one."""
        value = self.number(BLOCK2)
        return None if value is None else Block(value >> 4, bool(value & 8), value & 7)


def read(data: bytes) -> Datagram | None:
    """None for what is no message of CoAP, version 1."""
    size = len(data)
    if size < 4:
        return None
    first, code = data[0], data[1]
    at = 4 + (first & 15)
    if first >> 6 != 1 or at > 12 or at > size or (code == EMPTY and size > 4):
        return None
    token, payload, number = data[4:at], b"", 0
    options: dict[int, bytes] = {}
    not_understood = None
    while at < size:
        if data[at] == _END:
            payload = data[at + 1 :]
            if not payload:
                return None
            break
        delta, length, at = data[at] >> 4, data[at] & 15, at + 1
        if delta > 12 or length > 12:
            more = _extended(data, at, delta, length)
            if more is None:
                return None
            delta, length, at = more
        before, number = number, number + delta
        if at + length > size:
            return None
        if length in LENGTHS.get(number, ()) and number > before:
            options[number] = data[at : at + length]
        elif number & 1 and not_understood is None:
            not_understood = number
        at += length
    mid = data[2] << 8 | data[3]
    return Datagram(first >> 4 & 3, code, mid, token, options, payload, not_understood)


def rejectable(data: bytes) -> int | None:
    """The Message ID of a confirmable message of version 1 that `read` does not read: it is to be
    rejected with a reset, while all others are ignored in silence (RFC 7252, 4.2, 4.3).
    """
    confirmable = len(data) >= 4 and data[0] >> 4 == 0b01_00
    return data[2] << 8 | data[3] if confirmable else None


def _extended(data: bytes, at: int, delta: int, length: int) -> tuple[int, int, int] | None:
    """Delta and length of an option that have bytes of their own, and where its value begins."""
    found = []
    for nibble in (delta, length):
        bytes_ = max(nibble - 12, 0)  # 13: one byte, 14: two
        if nibble == 15 or at + bytes_ > len(data):
            return None
        base = (0, 13, 269)[bytes_]
        found.append(int.from_bytes(data[at : at + bytes_], "big") + (base or nibble))
        at += bytes_
    return found[0], found[1], at


def empty(kind: int, mid: int) -> bytes:
    """An acknowledgement or a reset."""
    return bytes((0x40 | kind << 4, EMPTY, mid >> 8, mid & 255))


def request(mid: int, token: bytes, options: Iterable[tuple[int, bytes]]) -> bytes:
    """A GET that wants an acknowledgement. in: options in the order of their numbers"""
    parts = [bytes((0x40 | CON << 4 | len(token), GET, mid >> 8, mid & 255)), token]
    before = 0
    for number, value in options:
        (delta, first), (length, second) = _nibble(number - before), _nibble(len(value))
        parts += [bytes((delta << 4 | length,)), first, second, value]
        before = number
    return b"".join(parts)


def _nibble(value: int) -> tuple[int, bytes]:
    """Four bits of a delta or a length, and the bytes that follow."""
    if value < 13:
        return value, b""
    if value < 269:
        return 13, bytes((value - 13,))
    return 14, (value - 269).to_bytes(2, "big")


def block_value(number: int, size: int) -> bytes:
    """The option that asks for a block."""
    value = number << 4 | size
    return value.to_bytes((value.bit_length() + 7) // 8, "big")
