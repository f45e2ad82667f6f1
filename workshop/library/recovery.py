"""Makes and opens signatures with message recovery, written from the text of docs/telemetry.md and
lib/msg/recovery.c alone. OpenSSL and libsodium compute on the curves, Python's integers the rest.

Nobody has published vectors for this padding, masking and hashing. So this second implementation
shares no line with the first.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
from functools import cache
from typing import Any

L = 2**252 + 27742317777372353535851937790883648493  # RFC 8032
NIST = {  # name for OpenSSL, order (FIPS 186-4, D.1.2)
    "secp192r1": ("prime192v1", 0xFFFFFFFFFFFFFFFFFFFFFFFF99DEF836146BC9B1B4D22831),
    "secp256r1": (
        "prime256v1",
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    ),
}
UNCOMPRESSED = 4


def order(curve: str) -> int:
    return NIST[curve][1] if curve in NIST else L


def combined(curve: str, s: int, h: int = 0, public: bytes = b"") -> bytes:
    """s G - h Q; s G alone without a public key."""
    return _nist(curve, s, h, public) if curve in NIST else _edwards(s, h, public)


@cache
def _library(name: str) -> Any:
    found = ctypes.util.find_library(name)
    assert found, f"install lib{name}"
    return ctypes.CDLL(found)


def _nist(curve: str, s: int, h: int, public: bytes) -> bytes:
    """By OpenSSL's EC_POINT_mul, which computes n G + m Q."""
    crypto, (name, n) = _library("crypto"), NIST[curve]
    for function in ("EC_GROUP_new_by_curve_name", "EC_POINT_new", "BN_bin2bn"):
        getattr(crypto, function).restype = ctypes.c_void_p
    crypto.EC_POINT_point2oct.restype = ctypes.c_size_t
    group = ctypes.c_void_p(crypto.EC_GROUP_new_by_curve_name(crypto.OBJ_txt2nid(name.encode())))
    points = [ctypes.c_void_p(crypto.EC_POINT_new(group)) for _ in range(2)]
    numbers = [
        ctypes.c_void_p(crypto.BN_bin2bn(number.to_bytes(32, "big"), 32, None))
        for number in (s, -h % n)
    ]
    try:
        second: tuple[Any, Any] = None, None
        if public:
            size = ctypes.c_size_t(len(public))
            assert crypto.EC_POINT_oct2point(group, points[0], public, size, None) == 1
            second = points[0], numbers[1]
        assert crypto.EC_POINT_mul(group, points[1], numbers[0], *second, None) == 1
        out, form = ctypes.create_string_buffer(65), ctypes.c_int(UNCOMPRESSED)
        size = crypto.EC_POINT_point2oct(group, points[1], form, out, ctypes.c_size_t(65), None)
        return out.raw[:size]
    finally:
        for number in numbers:
            crypto.BN_free(number)
        for point in points:
            crypto.EC_POINT_free(point)
        crypto.EC_GROUP_free(group)


def _edwards(s: int, h: int, public: bytes) -> bytes:
    """By libsodium; without its clamping of scalars."""
    sodium = _library("sodium")
    assert sodium.sodium_init() >= 0
    base, times, out = (ctypes.create_string_buffer(32) for _ in range(3))
    scalars = [number.to_bytes(32, "little") for number in (s, h % L)]
    assert sodium.crypto_scalarmult_ed25519_base_noclamp(base, scalars[0]) == 0
    if not public:
        return base.raw
    assert sodium.crypto_scalarmult_ed25519_noclamp(times, scalars[1], public) == 0
    assert sodium.crypto_core_ed25519_sub(out, base, times) == 0
    return out.raw


def _masked(data: bytes, point: bytes) -> bytes:
    stream = b""
    while len(stream) < len(data):
        number = bytes([len(stream) // 32])
        stream += hashlib.sha256(b"PV1 stream" + number + point).digest()
    value = int.from_bytes(data, "big") ^ int.from_bytes(stream[: len(data)], "big")
    return value.to_bytes(len(data), "big")


def _hashed(c: bytes, visible: bytes, zeros: int) -> int:
    text = b"PV1 hash" + c
    if visible:
        text = b"PV1 data" + (len(c) - zeros).to_bytes(1, "big") + c + visible
    return int(hashlib.sha256(text).hexdigest(), 16)


def taken(curve: str, data: bytes, public: bytes, visible: bytes) -> bytes | None:
    """The message in a signature; None where the zeros before it are not there."""
    scalar = 24 if curve == "secp192r1" else 32
    end = "big" if curve in NIST else "little"
    c, s = data[:-scalar], int.from_bytes(data[-scalar:], end)  # type: ignore[arg-type]
    z = _masked(c, combined(curve, s, _hashed(c, visible, scalar // 2), public))
    zeros, message = z[: scalar // 2], z[scalar // 2 :]
    return None if zeros.strip(b"\0") else message


def made(curve: str, d: int, k: int, message: bytes, visible: bytes) -> bytes:
    """A signature: d is the private key as a number, k the nonce."""
    scalar = 24 if curve == "secp192r1" else 32
    c = _masked(bytes(scalar // 2) + message, combined(curve, k))
    s = (k + _hashed(c, visible, scalar // 2) * d) % order(curve)
    return c + s.to_bytes(scalar, "big" if curve in NIST else "little")
