"""A few DER types (X.690), written, for keys on curves
that the Python library `cryptography` does not know.
"""

from __future__ import annotations

INTEGER, BIT_STRING, OCTET_STRING, OBJECT, SEQUENCE = 0x02, 0x03, 0x04, 0x06, 0x30


def tagged(tag: int, *parts: bytes) -> bytes:
    """Tag, length in its shortest form (X.690, 10.1), contents."""
    content = b"".join(parts)
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def small_integer(value: int) -> bytes:
    """An INTEGER in 0 .. 127."""
    return tagged(INTEGER, bytes([value]))


def bit_string(data: bytes) -> bytes:
    """A BIT STRING of whole bytes."""
    return tagged(BIT_STRING, b"\0", data)


def object_identifier(dotted: str) -> bytes:
    """An OBJECT IDENTIFIER from its dotted form (X.690, 8.19)."""
    first, second, *rest = map(int, dotted.split("."))
    content = b""
    for arc in (40 * first + second, *rest):
        groups = [arc & 0x7F]
        while arc := arc >> 7:
            groups.insert(0, 0x80 | arc & 0x7F)
        content += bytes(groups)
    return tagged(OBJECT, content)
