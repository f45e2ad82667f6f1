"""Why there is no batch verification of Ed25519, and what one would have to check
(evidence/notebooks/speed-algorithms.md): big integers alone, beside the reference.

A batch adds the errors E = S B - R - k A of its signatures, each times a coefficient z of its own.
An error of small order is lost in the sum more often than a batch may be wrong.
"""

from __future__ import annotations

import random
from itertools import product

from ref import rfc8032
from ref.rfc8032 import ED25519, EPoint

from workshop.library.cancellations_ed import torsion

LOW = rfc8032.decode(ED25519, torsion(ED25519))  # of order 8
P, N, A = ED25519.p, ED25519.n, 486662  # the curve v^2 = u^3 + A u^2 + u is this one, too
ROOT = rfc8032.square_root(P, A + 2) or 0  # (1, ROOT) has order 4
FACTOR = rfc8032.square_root(P, -(A + 2) % P) or 0  # x = FACTOR u / v


def times(scalar: int, point: EPoint) -> EPoint:
    return rfc8032.multiply(ED25519, scalar, point)


def plus(one: EPoint, other: EPoint) -> EPoint:
    return rfc8032.add(ED25519, one, other)


def planted(draw: random.Random, order: int) -> tuple[bytes, bytes, bytes]:
    """Signature, key and message: right but for a point of this order (2, 4 or 8) in R."""
    a, r, message = draw.randrange(N), draw.randrange(N), draw.randbytes(8)
    public = rfc8032.encode(ED25519, times(a, ED25519.base))
    first = rfc8032.encode(ED25519, plus(times(r, ED25519.base), times(8 // order, LOW)))
    k = int.from_bytes(ED25519.hash(first + public + message), "little") % N
    return first + ((r + k * a) % N).to_bytes(32, "little"), public, message


def batch(signed: list[tuple[bytes, bytes, bytes]], coefficients: tuple[int, ...]) -> bool:
    """The usual equation: the sum of z (S B - R - k A) is the neutral element."""
    total = ED25519.identity
    for (signature, public, message), z in zip(signed, coefficients, strict=True):
        first, s = signature[:32], int.from_bytes(signature[32:], "little")
        k = int.from_bytes(ED25519.hash(first + public + message), "little") % N
        right = plus(rfc8032.decode(ED25519, first), times(k, rfc8032.decode(ED25519, public)))
        error = plus(times(s, ED25519.base), rfc8032.negate(ED25519, right))
        total = plus(total, times(z, error))
    return rfc8032.equal(ED25519, total, ED25519.identity)


def test_a_batch_takes_what_single_verification_refuses() -> None:
    """Odd coefficients lose two errors of order 2, whatever they are; multiples of 8 lose all."""
    draw = random.Random(1)
    pair = [planted(draw, 2), planted(draw, 2)]
    assert not any(rfc8032.verify(ED25519, *one) for one in pair)
    for _ in range(4):
        z = tuple(draw.randrange(1 << 127, 1 << 128) | 1 for _ in pair)
        assert batch(pair, z)
        assert not batch(pair, (z[0] + 1, z[1]))
    assert batch([planted(draw, 8)], (8 * draw.getrandbits(125),))


def test_no_coefficients_help() -> None:
    """Whatever errors of small order two signatures have, at least one in 8 pairs of coefficients
    loses them. Errors of order 2 are lost by one in 2.
    """
    multiples = [times(i, LOW) for i in range(8)]
    neutral = [rfc8032.equal(ED25519, one, ED25519.identity) for one in multiples]
    assert neutral == [True] + 7 * [False]
    lost = {
        errors: sum(
            (errors[0] * y + errors[1] * z) % 8 == 0 for y, z in product(range(8), repeat=2)
        )
        for errors in product(range(8), repeat=2)
    }
    assert min(lost.values()) == 8
    assert lost[4, 0] == lost[4, 4] == 32


def in_prime_subgroup(point: EPoint) -> bool:
    """Whether its order divides n: it has a half (two roots), and that is four times a point (one
    power). Three exponentiations, where n times the point are 252 doublings.
    """
    x, y = rfc8032.affine(ED25519, point)
    if x == 0:
        return y == 1
    u = (1 + y) * pow(1 - y, -1, P) % P
    v = pow(x, -1, P) * u * FACTOR % P
    w = rfc8032.square_root(P, u)
    if w is None:
        return False
    for sign in (1, -1):
        s = 2 * (u + sign * v * pow(w, -1, P)) % P
        root = rfc8032.square_root(P, (s + A) % P)
        if root is not None:  # for one of the signs
            break
    assert root is not None
    q = (s + 2 * w * root) * pow(2, -1, P) % P
    v = (q * q - 1) * pow(2 * w, -1, P) % P
    return pow((v - ROOT * q) ** 2 * pow(q, -1, P), (P - 1) // 4, P) == 1


def test_the_check_of_the_subgroup_is_right() -> None:
    draw = random.Random(2)
    for _ in range(6):
        point = times(draw.randrange(1, N), ED25519.base)
        for i in range(8):
            assert in_prime_subgroup(plus(point, times(i, LOW))) == (i == 0)
    assert [in_prime_subgroup(times(i, LOW)) for i in range(8)] == [True] + 7 * [False]
