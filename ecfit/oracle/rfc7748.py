"""Slow X25519, X448, Ed25519 and Ed448 with Python's integers:
makes the inputs of the bench and checks its outputs.

RFC 7748, 5 and RFC 8032, 5, points in extended coordinates. For keys of the bench only:
not constant time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

_Extended = tuple[int, int, int, int]


@dataclass(frozen=True)
class _Curve:
    """The prime, the cofactor, u of the base point and (A - 2)/4; a, d, the order,
    y and parity of the base point.
    """

    p: int
    cofactor: int
    u: int
    a24: int
    a: int
    d: int
    order: int
    y: int
    dom: bytes
    digest: Callable[[bytes], bytes]

    @property
    def bits(self) -> int:
        """Bits of a field element."""
        return self.p.bit_length()

    @property
    def field_bytes(self) -> int:
        """Size of the strings of RFC 7748."""
        return (self.bits + 7) // 8

    @property
    def encoded_bytes(self) -> int:
        """Size of keys of RFC 8032: a field element and a bit."""
        return self.bits // 8 + 1


_P25519, _P448 = 2**255 - 19, 2**448 - 2**224 - 1
_CURVE25519 = _Curve(
    p=_P25519,
    cofactor=8,
    u=9,
    a24=121665,
    a=-1,
    d=-121665 * pow(121666, -1, _P25519) % _P25519,
    order=2**252 + 27742317777372353535851937790883648493,
    y=4 * pow(5, -1, _P25519) % _P25519,
    dom=b"",
    digest=lambda data: hashlib.sha512(data).digest(),
)
_CURVE448 = _Curve(
    p=_P448,
    cofactor=4,
    u=5,
    a24=39081,
    a=1,
    d=-39081 % _P448,
    order=2**446 - 0x8335DC163BB124B65129C96FDE933D8D723A70AADC873D6D54A7BB0D,
    y=0x693F46716EB6BC248876203756C9C7624BEA73736CA3984087789C1E05A0C2D73AD3FF1CE67C39C4FDBD132C4ED7C8AD9808795BF230FA14,
    dom=b"SigEd448\0\0",
    digest=lambda data: hashlib.shake_256(data).digest(114),
)
_CURVES = {"x25519": _CURVE25519, "ed25519": _CURVE25519, "x448": _CURVE448, "ed448": _CURVE448}


def _clamped(curve: _Curve, data: bytes) -> int:
    """The secret scalar that begins a string."""
    top = 1 << (curve.bits - 1)
    return (
        int.from_bytes(data[: curve.field_bytes], "little") % top // curve.cofactor * curve.cofactor
        + top
    )


def exchange(name: str, scalar: bytes, u: bytes) -> bytes:
    """The function X25519 or X448 (RFC 7748, 5)."""
    curve = _CURVES[name]
    k = _clamped(curve, scalar)
    x1 = int.from_bytes(u, "little") % (1 << curve.bits) % curve.p
    x2, z2, x3, z3 = 1, 0, x1, 1
    for bit in range(curve.bits - 1, -1, -1):
        if k >> bit & 1:
            x3, z3, x2, z2 = _ladder_step(curve, x1, x3, z3, x2, z2)
        else:
            x2, z2, x3, z3 = _ladder_step(curve, x1, x2, z2, x3, z3)
    return (x2 * pow(z2, curve.p - 2, curve.p) % curve.p).to_bytes(curve.field_bytes, "little")


def _ladder_step(  # noqa: PLR0917
    curve: _Curve, x1: int, x2: int, z2: int, x3: int, z3: int
) -> tuple[int, int, int, int]:
    """Doubles (x2 : z2) and adds (x3 : z3) to it, their difference being x1."""
    p = curve.p
    a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
    aa, bb, da, cb = a * a % p, b * b % p, d * a % p, c * b % p
    e = aa - bb
    return aa * bb % p, e * (aa + curve.a24 * e) % p, (da + cb) ** 2 % p, x1 * (da - cb) ** 2 % p


def exchange_base(name: str, scalar: bytes) -> bytes:
    """The public key of a private key of X25519 or X448."""
    curve = _CURVES[name]
    return exchange(name, scalar, curve.u.to_bytes(curve.field_bytes, "little"))


def _add(curve: _Curve, left: _Extended, right: _Extended) -> _Extended:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = left, right
    p = curve.p
    a, b, c, d = x1 * x2 % p, y1 * y2 % p, curve.d * t1 * t2 % p, z1 * z2 % p
    e, f, g, h = (x1 + y1) * (x2 + y2) - a - b, d - c, d + c, b - curve.a * a
    return e * f % p, g * h % p, f * g % p, e * h % p


def _times(curve: _Curve, k: int, point: _Extended) -> _Extended:
    result: _Extended = (0, 1, 1, 0)
    for bit in bin(k)[2:]:
        result = _add(curve, result, result)
        if bit == "1":
            result = _add(curve, result, point)
    return result


def _lift(curve: _Curve, y: int, sign: int) -> _Extended | None:
    """The point with this y and this lowest bit of x, or None (RFC 8032, 5.1.3, 5.2.3)."""
    p = curve.p
    if y >= p:
        return None
    xx = (1 - y * y) * pow(curve.a - curve.d * y * y, -1, p) % p
    x = pow(xx, (p + 1) // 4 if p % 4 == 3 else (p + 3) // 8, p)
    if (x * x - xx) % p:
        x = x * pow(2, (p - 1) // 4, p) % p
    if (x * x - xx) % p or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else p - x
    return x, y, 1, x * y % p


def _encode(curve: _Curve, point: _Extended) -> bytes:
    x, y, z, _ = point
    inverse, size = pow(z, -1, curve.p), curve.encoded_bytes
    return (y * inverse % curve.p | (x * inverse % curve.p & 1) << (8 * size - 1)).to_bytes(
        size, "little"
    )


def _decode(curve: _Curve, data: bytes) -> _Extended | None:
    """The point of an encoding, or None when it is none (RFC 8032, 5.1.3, 5.2.3)."""
    if len(data) != curve.encoded_bytes:
        return None
    number, bit = int.from_bytes(data, "little"), 8 * curve.encoded_bytes - 1
    return _lift(curve, number % (1 << bit), number >> bit)


def _is_neutral(point: _Extended) -> bool:
    x, y, z, _ = point
    return x == 0 and y == z


def _base(curve: _Curve) -> _Extended:
    """B, whose x is even (RFC 8032, 5.1, 5.2)."""
    point = _lift(curve, curve.y, 0)
    assert point is not None
    return point


def _number(curve: _Curve, *parts: bytes) -> int:
    return int.from_bytes(curve.digest(curve.dom + b"".join(parts)), "little") % curve.order


def public_key(name: str, seed: bytes) -> bytes:
    """The public key of a private key of Ed25519 or Ed448."""
    curve = _CURVES[name]
    return _encode(curve, _times(curve, _clamped(curve, curve.digest(seed)), _base(curve)))


def sign(name: str, seed: bytes, message: bytes) -> bytes:
    """The signature; the only one there is."""
    curve = _CURVES[name]
    expanded = curve.digest(seed)
    a, prefix = _clamped(curve, expanded), expanded[curve.encoded_bytes :]
    r = _number(curve, prefix, message)
    encoded = _encode(curve, _times(curve, r, _base(curve)))
    s = (r + _number(curve, encoded, public_key(name, seed), message) * a) % curve.order
    return encoded + s.to_bytes(curve.encoded_bytes, "little")


def verify(name: str, public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is good (RFC 8032, 5.1.7, 5.2.7, without the cofactor)."""
    curve = _CURVES[name]
    size = curve.encoded_bytes
    point, commitment = _decode(curve, public), _decode(curve, signature[:size])
    s = int.from_bytes(signature[size:], "little")
    if point is None or commitment is None or s >= curve.order:
        return False
    k = _number(curve, signature[:size], public, message)
    right = _add(curve, commitment, _times(curve, k, point))
    return _encode(curve, _times(curve, s, _base(curve))) == _encode(curve, right)


def commitment(name: str, public: bytes, s: bytes, h: int) -> bytes | None:
    """s B - h public, encoded: the point of the nonce of a signature s = k + h d,
    or None where s is not below the order or the key is none, or one of small order, for which
    anybody can sign.
    """
    curve = _CURVES[name]
    point, number = _decode(curve, public), int.from_bytes(s, "little")
    if point is None or number >= curve.order or _is_neutral(_times(curve, curve.cofactor, point)):
        return None
    negative = _times(curve, -h % curve.order, point)
    return _encode(curve, _add(curve, _times(curve, number, _base(curve)), negative))
