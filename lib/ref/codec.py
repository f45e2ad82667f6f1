"""Octet strings of SEC 1 v2, 2.3: integers, field elements, points. Errors are ValueError."""

from __future__ import annotations

from ref.curves import Curve
from ref.group import Point


def encode_scalar(curve: Curve, value: int) -> bytes:
    """Integer below 2^(8*order_bytes) as a big-endian string of `order_bytes`."""
    return value.to_bytes(curve.order_bytes, "big")


def decode_private_key(curve: Curve, data: bytes) -> int:
    """d with 1 <= d < n (SEC 1 v2, 3.2.1)."""
    value = int.from_bytes(data, "big")
    if len(data) != curve.order_bytes or not 1 <= value < curve.n:
        raise ValueError("private key out of range")
    return value


def encode_point(curve: Curve, point: Point, *, compressed: bool = False) -> bytes:
    """04 || x || y, or 02/03 || x (2.3.3). The point at infinity has no fixed-size form."""
    if point is None:
        raise ValueError("the point at infinity")
    x, y = (coordinate.to_bytes(curve.field_bytes, "big") for coordinate in point)
    return bytes([2 + point[1] % 2]) + x if compressed else b"\x04" + x + y


def decode_point(curve: Curve, data: bytes) -> tuple[int, int]:
    """A point from its uncompressed or compressed form,
    validated (2.3.4; full validation, as h = 1)."""
    size = curve.field_bytes
    if data[:1] == b"\x04" and len(data) == 1 + 2 * size:
        x, y = int.from_bytes(data[1 : 1 + size], "big"), int.from_bytes(data[1 + size :], "big")
    elif data[:1] in (b"\x02", b"\x03") and len(data) == 1 + size:
        x = int.from_bytes(data[1:], "big")
        y = lift(curve, x, odd=data[0] == 3)
    else:
        raise ValueError("lead byte or length")
    if not curve.contains(x, y):
        raise ValueError("not a point of the curve")
    return (x, y)


def lift(curve: Curve, x: int, *, odd: bool) -> int:
    """y of the wanted parity with (x, y) on the curve. Fields with p = 3 mod 4."""
    if curve.p % 4 != 3:
        raise NotImplementedError("square roots need p = 3 mod 4")
    square = (x * x * x + curve.a * x + curve.b) % curve.p
    y = pow(square, (curve.p + 1) // 4, curve.p)
    if x >= curve.p or y * y % curve.p != square or (y == 0 and odd):
        raise ValueError("not the x coordinate of a point")
    return y if y % 2 == odd else curve.p - y
