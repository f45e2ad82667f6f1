"""Slow X25519 and Ed25519 with Python's integers: makes the inputs of the bench and checks its outputs.

X25519: RFC 7748, 5. Ed25519: RFC 8032, 5.1, points in extended coordinates (5.1.4). For keys of the bench only: not
constant time.
"""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, P) % P
_SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)
_Extended = tuple[int, int, int, int]


def x25519(scalar: bytes, u: bytes) -> bytes:
    """The function X25519 of 32-byte strings (RFC 7748, 5)."""
    k = int.from_bytes(scalar, "little") & ~7 & ~(1 << 255) | 1 << 254
    x1 = (int.from_bytes(u, "little") & ~(1 << 255)) % P
    x2, z2, x3, z3 = 1, 0, x1, 1
    for bit in range(254, -1, -1):
        if k >> bit & 1:
            x3, z3, x2, z2 = _ladder_step(x1, x3, z3, x2, z2)
        else:
            x2, z2, x3, z3 = _ladder_step(x1, x2, z2, x3, z3)
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def _ladder_step(x1: int, x2: int, z2: int, x3: int, z3: int) -> tuple[int, int, int, int]:
    """Doubles (x2 : z2) and adds (x3 : z3) to it, their difference being x1."""
    a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
    aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
    e = aa - bb
    return aa * bb % P, e * (aa + 121665 * e) % P, (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P


def x25519_base(scalar: bytes) -> bytes:
    """The public key of a private key."""
    return x25519(scalar, (9).to_bytes(32, "little"))


def _add(left: _Extended, right: _Extended) -> _Extended:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = left, right
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * _D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(k: int, point: _Extended) -> _Extended:
    result: _Extended = (0, 1, 1, 0)
    for bit in bin(k)[2:]:
        result = _add(result, result)
        if bit == "1":
            result = _add(result, point)
    return result


def _recover_x(y: int, sign: int) -> int | None:
    """The x of a point with this y and lowest bit, or None (RFC 8032, 5.1.3)."""
    if y >= P:
        return None
    xx = (y * y - 1) * pow(_D * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P:
        x = x * _SQRT_MINUS_1 % P
    if (x * x - xx) % P or (x == 0 and sign):
        return None
    return x if x & 1 == sign else P - x


def _encode(point: _Extended) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> _Extended | None:
    number = int.from_bytes(data, "little")
    y = number & ~(1 << 255)
    x = _recover_x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def _base() -> _Extended:
    y = 4 * pow(5, -1, P) % P
    x = _recover_x(y, 0)
    assert x is not None
    return x, y, 1, x * y % P


def _secrets(seed: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & ~7 & ~(1 << 255) | 1 << 254, digest[32:]


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def ed25519_public(seed: bytes) -> bytes:
    """The public key of a 32-byte seed."""
    return _encode(_times(_secrets(seed)[0], _base()))


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """The signature, 64 bytes; the only one there is."""
    a, prefix = _secrets(seed)
    r = _number(prefix, message)
    encoded = _encode(_times(r, _base()))
    s = (r + _number(encoded, ed25519_public(seed), message) * a) % ORDER
    return encoded + s.to_bytes(32, "little")


def ed25519_verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is good (RFC 8032, 5.1.7, without the cofactor)."""
    point, commitment, s = _decode(public), _decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if point is None or commitment is None or s >= ORDER:
        return False
    k = _number(signature[:32], public, message)
    return _encode(_times(s, _base())) == _encode(_add(commitment, _times(k, point)))
