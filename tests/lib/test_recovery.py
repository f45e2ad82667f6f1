"""Public keys from signatures (SEC 1 v2, 4.1.6) on every curve, against the reference."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from ref import codec, ecdsa
from ref.curves import Curve
from ref.group import Point, add, multiply, multiply_base, negate

from workshop.library.curves import (
    BAD_HASH,
    BAD_PRIVATE_KEY,
    BAD_SIGNATURE,
    CURVES,
    NAMES,
    OK,
    RECOVERING,
    RNG_FAILED,
    Bound,
    generator,
    recover,
    recovering,
    sign_recoverable,
)
from workshop.library.emulated_api import CORES, EmulatedCurve

DIGEST = hashlib.sha512(b"what is signed").digest()


@pytest.fixture(params=NAMES)
def curve(request: pytest.FixtureRequest) -> Curve:
    """Each curve."""
    return CURVES[request.param]


@pytest.fixture(params=RECOVERING)
def bound(request: pytest.FixtureRequest, curve: Curve) -> Bound:
    """Each curve in each build."""
    return recovering(request.param, curve)


def key_of(curve: Curve, point: Point, r: int, s: int) -> Point:
    """s/r R - e/r G"""
    e, inverse = ecdsa.bits2int(curve, DIGEST) % curve.n, pow(r, -1, curve.n)
    return add(
        curve,
        multiply(curve, s * inverse % curve.n, point),
        negate(curve, multiply_base(curve, e * inverse % curve.n)),
    )


def encoded(bound: Bound, r: int, s: int, number: int) -> bytes:
    """r || s || id"""
    return bound.scalar(r) + bound.scalar(s) + bytes([number])


def test_signatures_give_their_keys(bound: Bound) -> None:
    """By the id that comes with them; each other id gives another key or none."""
    curve, rng = bound.curve, generator("recovery")
    for key in (1, 2, curve.n - 1, 123456789, curve.n // 3):
        public = codec.encode_point(curve, multiply_base(curve, key))
        status, signature = sign_recoverable(bound, key, DIGEST, rng)
        assert status == OK
        assert bound.verify(signature[:-1], public, DIGEST) == OK
        assert recover(bound, signature, DIGEST) == (OK, public)
        for number in {*range(6), 0x80, 0xFF} - {signature[-1]}:
            other = signature[:-1] + bytes([number])
            status, given = recover(bound, other, DIGEST)
            assert (status, any(given)) in ((OK, True), (BAD_SIGNATURE, False))
            assert given != public
            assert number < 4 or status == BAD_SIGNATURE
            assert status != OK or bound.verify(signature[:-1], given, DIGEST) == OK
        plain = bound.sign(key, DIGEST, generator("recovery"))
        rng = generator("recovery")
        assert plain[1] == sign_recoverable(bound, key, DIGEST, rng)[1][:-1]


def test_x_not_below_the_order(bound: Bound) -> None:
    """r = x - n with the ids 2 and 3; no id serves an r with r + n >= p."""
    curve = bound.curve
    first = next((x for x in range(curve.n, curve.p) if is_x(curve, x)), None)
    least = max(1, curve.p - curve.n)
    for number in (2, 3):
        assert recover(bound, encoded(bound, least, 5, number), DIGEST) == nothing(bound)
        assert recover(bound, encoded(bound, curve.n - 1, 5, number), DIGEST) == nothing(bound)
    assert (first is None) == (curve.n >= curve.p)
    if first is not None and first > curve.n:
        for odd in (False, True):
            point = first, y_of(curve, first, odd=odd)
            wanted = codec.encode_point(curve, key_of(curve, point, first - curve.n, 5))
            given = recover(bound, encoded(bound, first - curve.n, 5, 2 + odd), DIGEST)
            assert given == (OK, wanted)


def is_x(curve: Curve, x: int) -> bool:
    """Whether a point has this x (Euler)."""
    square = (x**3 + curve.a * x + curve.b) % curve.p
    return pow(square, (curve.p - 1) // 2, curve.p) == 1


def y_of(curve: Curve, x: int, *, odd: bool) -> int:
    """By the reference, or by OpenSSL where p = 1 modulo 4."""
    if curve.p % 4 == 3:
        return codec.lift(curve, x, odd=odd)
    packed = bytes([2 + odd]) + x.to_bytes(curve.field_bytes, "big")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP224R1(), packed)
    return key.public_numbers().y


def nothing(bound: Bound) -> tuple[int, bytes]:
    return BAD_SIGNATURE, bytes(1 + 2 * bound.field)


def test_what_has_no_key(bound: Bound) -> None:
    """r and s out of range, an x of no point, the point at infinity (s = e/k and R = k G)."""
    curve, wrong = bound.curve, [0, bound.curve.n, 256**bound.order - 1]
    for bad in wrong:
        for number in range(4):
            assert recover(bound, encoded(bound, bad, 1, number), DIGEST) == nothing(bound)
            assert recover(bound, encoded(bound, 1, bad, number), DIGEST) == nothing(bound)
    none = next(x for x in range(1, 99) if not is_x(curve, x) and x < curve.n)
    assert recover(bound, encoded(bound, none, 5, 0), DIGEST) == nothing(bound)
    k, e = 7, ecdsa.bits2int(curve, DIGEST) % curve.n
    point = multiply_base(curve, k)
    assert point is not None
    s, number = e * pow(k, -1, curve.n) % curve.n, point[1] & 1 | (point[0] >= curve.n) << 1
    assert recover(bound, encoded(bound, point[0] % curve.n, s, number), DIGEST) == nothing(bound)
    status, _ = recover(bound, encoded(bound, point[0] % curve.n, s, number ^ 1), DIGEST)
    assert status == OK


def edges(curve: Curve) -> Iterator[tuple[int, int]]:
    """r and s at the ends of their ranges: beside 0, n and p, and x of the first points."""
    small = [multiply_base(curve, k) for k in (1, 2, 3, curve.n - 1, (curve.n + 1) // 2)]
    xs = [x for point in small if point for x in (point[0], point[0] % curve.n)]
    xs += [*range(1, 12)] + [abs(curve.p - curve.n) + i for i in (-1, 0, 1)]
    beside = [0, 1, 2, curve.n - 1, curve.n, curve.n + 1, curve.p - 1, curve.p, curve.p + 1]
    for r in dict.fromkeys([*xs, *beside]):
        yield from ((r, s) for s in (1, curve.n - 1))
    yield from ((xs[0], s) for s in beside)


def wanted_key(curve: Curve, r: int, s: int, number: int) -> bytes | None:
    """SEC 1 v2, 4.1.6, in Python's integers; None where there is none."""
    x = r + (number >> 1) * curve.n
    if not (0 < r < curve.n and 0 < s < curve.n and x < curve.p and is_x(curve, x)):
        return None
    key = key_of(curve, (x, y_of(curve, x, odd=bool(number & 1))), r, s)
    return None if key is None else codec.encode_point(curve, key)


ON_CORES = [(backend, name) for name in NAMES for backend in CORES]


@pytest.mark.parametrize(
    ("backend", "name"), [pytest.param(*one, marks=pytest.mark.ci) for one in ON_CORES]
)
def test_edges_on_every_core(backend: str, name: str) -> None:
    curve = CURVES[name]
    with EmulatedCurve(backend, name) as core:
        for r, s in edges(curve):
            if max(r, s) >= 256**core.order:
                continue
            for number in range(4):
                key = wanted_key(curve, r, s, number)
                given = core.call(
                    "ecdsa_recover", 1 + 2 * core.field,
                    r.to_bytes(core.order, "big") + s.to_bytes(core.order, "big") + bytes([number]),
                    DIGEST, len(DIGEST),
                )  # fmt: skip
                right = (OK, key) if key else (BAD_SIGNATURE, bytes(1 + 2 * core.field))
                assert given == right, (r, s, number)


def test_errors_leave_zeros(bound: Bound) -> None:
    order, key = bound.order, 5
    for digest in (b"", bytes(15), bytes(32), bytes(65)):
        assert sign_recoverable(bound, key, digest, generator("x"))[0] == BAD_HASH
        assert recover(bound, encoded(bound, 1, 1, 0), digest)[0] in (BAD_HASH, BAD_SIGNATURE)
    zeros = bytes(2 * order + 1)
    for bad in (0, bound.curve.n):
        refused = sign_recoverable(bound, bad, DIGEST, generator("x"))
        assert refused == (BAD_PRIVATE_KEY, zeros)
    status, given = sign_recoverable(bound, key, DIGEST, None)
    assert status in (OK, RNG_FAILED)
    assert status == OK or given == zeros
