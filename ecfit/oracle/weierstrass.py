"""Slow curve arithmetic with Python's integers: makes the inputs of the bench
and checks its outputs.

Independent of the C library and of any package. It handles keys of the bench only:
it is not constant time. Points are affine pairs; None is the point at infinity.
Inside, Jacobian coordinates: x = X/Z^2, y = Y/Z^3.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools

from ecfit.choices.curves import Curve

Point = tuple[int, int] | None
_Jacobian = tuple[int, int, int]


def _double(c: Curve, point: _Jacobian) -> _Jacobian:
    x, y, z = point
    yy = y * y % c.p
    s = 4 * x * yy % c.p
    m = (3 * x * x + c.a * pow(z, 4, c.p)) % c.p
    x3 = (m * m - 2 * s) % c.p
    return x3, (m * (s - x3) - 8 * yy * yy) % c.p, 2 * y * z % c.p


def _add(c: Curve, left: _Jacobian, right: _Jacobian) -> _Jacobian:
    if left[2] == 0:
        return right
    if right[2] == 0:
        return left
    (x1, y1, z1), (x2, y2, z2) = left, right
    zz1, zz2 = z1 * z1 % c.p, z2 * z2 % c.p
    u1, u2 = x1 * zz2 % c.p, x2 * zz1 % c.p
    s1, s2 = y1 * z2 * zz2 % c.p, y2 * z1 * zz1 % c.p
    h, r = (u2 - u1) % c.p, (s2 - s1) % c.p
    if h == 0:
        return _double(c, left) if r == 0 else (1, 1, 0)
    hh = h * h % c.p
    hhh, v = h * hh % c.p, u1 * hh % c.p
    x3 = (r * r - hhh - 2 * v) % c.p
    return x3, (r * (v - x3) - s1 * hhh) % c.p, h * z1 * z2 % c.p


def _affine(c: Curve, point: _Jacobian) -> Point:
    x, y, z = point
    if z == 0:
        return None
    inverse = pow(z, -1, c.p)
    return x * inverse * inverse % c.p, y * pow(inverse, 3, c.p) % c.p


def _times(c: Curve, k: int, point: tuple[int, int]) -> _Jacobian:
    result: _Jacobian = (1, 1, 0)
    base = (*point, 1)
    for bit in bin(k)[2:]:
        result = _double(c, result)
        if bit == "1":
            result = _add(c, result, base)
    return result


def base(c: Curve) -> tuple[int, int]:
    """The base point G."""
    return c.gx, c.gy


def on_curve(c: Curve, point: tuple[int, int]) -> bool:
    """Whether both coordinates are below p and fulfil the equation."""
    x, y = point
    return x < c.p and y < c.p and (y * y - (x * x * x + c.a * x + c.b)) % c.p == 0


def multiply(c: Curve, k: int, point: tuple[int, int]) -> Point:
    """k * point, 0 <= k."""
    return _affine(c, _times(c, k, point))


def add(c: Curve, left: tuple[int, int], right: tuple[int, int]) -> Point:
    """left + right."""
    return _affine(c, _add(c, (*left, 1), (*right, 1)))


def hash_to_int(c: Curve, digest: bytes) -> int:
    """The leftmost bits of a hash, as many as n has (FIPS 186-5, 6.4.1)."""
    e = int.from_bytes(digest, "big")
    return e >> max(0, 8 * len(digest) - c.n.bit_length())


def sign(c: Curve, d: int, digest: bytes, k: int) -> tuple[int, int]:
    """ECDSA signature (r, s) with nonce k, 1 <= k < n (FIPS 186-5, 6.4.1)."""
    point = multiply(c, k, base(c))
    assert point is not None
    r = point[0] % c.n
    s = pow(k, -1, c.n) * (hash_to_int(c, digest) + r * d) % c.n
    assert r
    assert s
    return r, s


def verify(c: Curve, public: tuple[int, int], digest: bytes, signature: tuple[int, int]) -> bool:
    """ECDSA verification (FIPS 186-5, 6.4.2) of a point that is on the curve."""
    r, s = signature
    if not (0 < r < c.n and 0 < s < c.n):
        return False
    w = pow(s, -1, c.n)
    u1, u2 = hash_to_int(c, digest) * w % c.n, r * w % c.n
    point = _affine(c, _add(c, _times(c, u1, base(c)), _times(c, u2, public)))
    return point is not None and point[0] % c.n == r


def commitment(c: Curve, public: tuple[int, int], s: int, h: int) -> Point:
    """s G - h public: the point of the nonce of a signature s = k + h d; 0 <= s."""
    return _affine(c, _add(c, _times(c, s, base(c)), _times(c, -h % c.n, public)))


def encode_point(c: Curve, point: tuple[int, int]) -> bytes:
    """Uncompressed point 0x04 || x || y (SEC 1 v2, 2.3.3)."""
    x, y = point
    return b"\x04" + x.to_bytes(c.field_bytes, "big") + y.to_bytes(c.field_bytes, "big")


def decode_point(c: Curve, data: bytes) -> tuple[int, int] | None:
    """The point of an uncompressed encoding, or None when it is none on the curve."""
    if len(data) != 1 + 2 * c.field_bytes or data[0] != 4:
        return None
    point = (
        int.from_bytes(data[1 : 1 + c.field_bytes], "big"),
        int.from_bytes(data[1 + c.field_bytes :], "big"),
    )
    return point if on_curve(c, point) else None


def square_root(p: int, a: int) -> int | None:
    """A square root of a modulo the prime p, or None when it has none (Cipolla's algorithm)."""
    if pow(a, (p - 1) // 2, p) != 1:
        return 0 if a % p == 0 else None
    t = next(t for t in range(p) if pow(t * t - a, (p - 1) // 2, p) == p - 1)
    square = (t * t - a) % p  # of w, which is no number modulo p; x + y w to the power (p + 1) / 2
    x, y, power = 1, 0, (t, 1)
    for bit in bin((p + 1) // 2)[2:]:
        x, y = (x * x + y * y * square) % p, 2 * x * y % p
        if bit == "1":
            x, y = (x * power[0] + y * power[1] * square) % p, (x * power[1] + y * power[0]) % p
    return x


def first_nonce(curve: Curve, d: int, digest: bytes, additional: bytes = b"") -> int:
    """The first candidate of the deterministic nonce (RFC 6979, 3.2), with SHA-256,
    384 or 512 by the curve's size.

    It is the nonce when it lies in 1 .. n-1. `additional`: data of 3.6, as in a hedged nonce.
    """
    bits = curve.n.bit_length()
    name = (
        "sha256" if curve.field_bytes <= 32 else "sha384" if curve.field_bytes <= 48 else "sha512"
    )

    def number(data: bytes) -> int:
        return int.from_bytes(data, "big") >> max(0, 8 * len(data) - bits)

    size = curve.scalar_bytes
    secret = d.to_bytes(size, "big") + (number(digest) % curve.n).to_bytes(size, "big") + additional
    v = b"\1" * hashlib.new(name).digest_size
    k = bytes(len(v))
    for separator in (b"\0", b"\1"):
        k = hmac.digest(k, v + separator + secret, name)
        v = hmac.digest(k, v, name)
    octets = b""
    while 8 * len(octets) < bits:
        v = hmac.digest(k, v, name)
        octets += v
    return number(octets)


def near_complement(curve: Curve, x: int) -> tuple[int, int]:
    """A point of the curve whose x has few of the bits of this one."""
    bits = curve.p.bit_length()
    start = ~x & ((1 << bits) - 1)
    start ^= 1 << (bits - 1) if start >= curve.p else 0
    for near_x in (start ^ distance for distance in itertools.count()):
        y = square_root(curve.p, (near_x**3 + curve.a * near_x + curve.b) % curve.p)
        if y:
            return near_x, y
    raise AssertionError  # every second x is one
