"""Affine group law and scalar multiplication. The point at infinity is None."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ref.curves import Curve

Point = tuple[int, int] | None


def base(curve: Curve) -> Point:
    """The base point."""
    return (curve.gx, curve.gy)


def negate(curve: Curve, point: Point) -> Point:
    """-P."""
    return None if point is None else (point[0], -point[1] % curve.p)


def add(curve: Curve, first: Point, second: Point) -> Point:
    """P + Q for all P, Q (SEC 1 v2, 2.2.1: the five rules)."""
    if first is None:
        return second
    if second is None:
        return first
    (x1, y1), (x2, y2) = first, second
    p = curve.p
    if x1 == x2:
        if (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 + curve.a) * pow(2 * y1, -1, p) % p
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, p) % p
    x3 = (slope * slope - x1 - x2) % p
    return (x3, (slope * (x1 - x3) - y1) % p)


@lru_cache(maxsize=1 << 15)
def multiply(curve: Curve, scalar: int, point: Point) -> Point:
    """scalar * P for any integer, by double and add. Remembered:
    tests ask for the same in every build."""
    if scalar < 0:
        return multiply(curve, -scalar, negate(curve, point))
    result: Point = None
    for bit in bin(scalar)[2:]:
        result = add(curve, result, result)
        if bit == "1":
            result = add(curve, result, point)
    return result


def multiply_base(curve: Curve, scalar: int) -> Point:
    """scalar * G."""
    return multiply(curve, scalar, base(curve))


def multiples(curve: Curve, point: Point) -> Iterator[Point]:
    """0*P, 1*P, 2*P, ... up to (n-1)*P. For toy curves."""
    current: Point = None
    for _ in range(curve.n):
        yield current
        current = add(curve, current, point)
