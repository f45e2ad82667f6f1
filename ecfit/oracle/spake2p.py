"""SPAKE2+ of RFC 9383 on P-256 with Python's integers: the bench checks its outputs by it.

P256-SHA256-HKDF-SHA256-HMAC-SHA256, and the keys that Matter takes from the same transcript.
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec

from ecfit.choices.curves import CURVES
from ecfit.oracle import weierstrass

_C = CURVES["secp256r1"]
Point = tuple[int, int]
M = (  # RFC 9383, 4
    0x886E2F97ACE46E55BA9DD7242579F2993B64E16EF3DCAB95AFD497333D8FA12F,
    0x5FF355163E43CE224E0B0E65FF02AC8E5C7BE09419C785E0CA547D55A12E2D20,
)
N = (
    0xD8BBD6C639C62937B04D997F38C3770719C629D7014D49A24B4F98BAA1292B49,
    0x07D60AA6BFADE45008A636337F5168C64D9BD36034808CD564490B1E656EDBE7,
)


class Names(msgspec.Struct, frozen=True):
    """The application's context, both identities, and whether the keys are those of Matter."""

    context: bytes = b""
    prover: bytes = b""
    verifier: bytes = b""
    matter: bool = False


class Keys(msgspec.Struct, frozen=True):
    """What one side has of a run: its share, both confirmations, and the shared key."""

    share: bytes
    confirm_p: bytes
    confirm_v: bytes
    shared: bytes


BENCH = Names(b"bench", b"client", b"server")  # of firmware/adapter_ecfit_message.c


def _times(k: int, point: Point) -> Point:
    product = weierstrass.multiply(_C, k, point)
    assert product is not None
    return product


def _sum(a: Point, b: Point) -> Point:
    total = weierstrass.add(_C, a, b)
    assert total is not None
    return total


def scalar(wide: bytes) -> int:
    """w0 or w1, of 40 bytes (3.2)."""
    return int.from_bytes(wide, "big") % _C.n


def record(w1: int) -> bytes:
    """L, of which the verifier has no w1."""
    return weierstrass.encode_point(_C, _times(w1, weierstrass.base(_C)))


def prover_share(x: int, w0: int) -> bytes:
    """X (3.3)."""
    return weierstrass.encode_point(_C, _share(x, w0, M))


def verifier_share(y: int, w0: int) -> bytes:
    """Y (3.3)."""
    return weierstrass.encode_point(_C, _share(y, w0, N))


def _share(secret: int, w0: int, mask: Point) -> Point:
    return _sum(_times(secret, weierstrass.base(_C)), _times(w0, mask))


def prover(names: Names, x: int, w0: int, w1: int, share: bytes) -> Keys:
    """The prover's side, with the verifier's share (3.3)."""
    own = _share(x, w0, M)
    bare = _sum(_point(share), _times(_C.n - w0, N))
    return _keys(names, own, (own, _point(share), _times(x, bare), _times(w1, bare)), w0)


def verifier(names: Names, y: int, w0: int, known: bytes, share: bytes) -> Keys:
    """The verifier's side, with its record and the prover's share (3.3)."""
    own = _share(y, w0, N)
    bare = _sum(_point(share), _times(_C.n - w0, M))
    return _keys(names, own, (_point(share), own, _times(y, bare), _times(y, _point(known))), w0)


def _point(data: bytes) -> Point:
    point = weierstrass.decode_point(_C, data)
    assert point is not None
    return point


def _hkdf(key: bytes, info: bytes, size: int) -> bytes:
    key, block, out = hmac.digest(bytes(32), key, "sha256"), b"", b""
    while len(out) < size:
        block = hmac.digest(key, block + info + bytes([len(out) // 32 + 1]), "sha256")
        out += block
    return out[:size]


def _keys(names: Names, own: Point, points: tuple[Point, ...], w0: int) -> Keys:
    """Of X, Y, Z and V (3.4), or as Matter does (its core specification, 3.10)."""
    x, y, *rest = (weierstrass.encode_point(_C, point) for point in points)
    fixed = [weierstrass.encode_point(_C, point) for point in (M, N)]
    parts = (names.context, names.prover, names.verifier, *fixed, x, y, *rest)
    transcript = b"".join(
        len(part).to_bytes(8, "little") + part for part in (*parts, w0.to_bytes(32, "big"))
    )
    main = hashlib.sha256(transcript).digest()
    size = 16 if names.matter else 32
    confirming = _hkdf(main[:size], b"ConfirmationKeys", 2 * size)
    return Keys(
        weierstrass.encode_point(_C, own),
        hmac.digest(confirming[:size], y, "sha256"),
        hmac.digest(confirming[size:], x, "sha256"),
        main[size:] + bytes(16) if names.matter else _hkdf(main, b"SharedKey", size),
    )
