"""The reference against published vectors, OpenSSL and brute force: it is what everything else
is held against.
"""

from __future__ import annotations

import hashlib
import itertools
import random

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from ref import codec, ecdsa, group, montgomery
from ref.comb import Comb, exceptions
from ref.curves import CURVES, LIBRARY, SECP256R1, TOY223, TOY251, Curve
from ref.ecdh import shared_secret

from workshop.scale import OUTER
from workshop.vectors.published import RFC5903, RFC6979, RFC6979_KEY, RFC6979_PUBLIC

TOYS = [TOY251, TOY223]


@pytest.mark.parametrize("curve", CURVES.values(), ids=lambda curve: curve.name)
def test_domain_parameters(curve: Curve) -> None:
    assert curve.contains(curve.gx, curve.gy)
    assert group.multiply_base(curve, curve.n) is None
    assert (4 * curve.a**3 + 27 * curve.b**2) % curve.p != 0
    assert pow(2, curve.p - 1, curve.p) == pow(2, curve.n - 1, curve.n) == 1
    assert abs(curve.n * curve.h - curve.p - 1) <= 2 * curve.p**0.5, "Hasse's bound"
    assert curve.n != curve.p


@pytest.mark.parametrize("curve", TOYS, ids=lambda curve: curve.name)
def test_toy_order(curve: Curve) -> None:
    points = [(x, y) for x in range(curve.p) for y in range(curve.p) if curve.contains(x, y)]
    assert len(points) + 1 == curve.n
    assert all(curve.n % factor for factor in range(2, curve.n))
    assert set(group.multiples(curve, group.base(curve))) == {None, *points}


def test_toys_cover_both_orders() -> None:
    assert TOY251.n < TOY251.p
    assert TOY223.n > TOY223.p
    assert all(curve.p.bit_length() == curve.n.bit_length() == 8 for curve in TOYS)


@pytest.mark.parametrize(
    "vector", RFC6979, ids=lambda vector: f"{vector.hash_name}-{vector.message.decode()}"
)
def test_rfc6979(vector) -> None:  # type: ignore[no-untyped-def]
    key = int(RFC6979_KEY, 16)
    digest = hashlib.new(vector.hash_name, vector.message).digest()
    assert next(ecdsa.nonces(SECP256R1, key, digest, hash_name=vector.hash_name)) == int(
        vector.k, 16
    )
    signature = ecdsa.sign(SECP256R1, key, digest, hash_name=vector.hash_name)
    assert signature == (int(vector.r, 16), int(vector.s, 16))
    public = group.multiply_base(SECP256R1, key)
    assert codec.encode_point(SECP256R1, public) == bytes.fromhex(RFC6979_PUBLIC)
    assert ecdsa.verify(SECP256R1, public, digest, signature)
    assert not ecdsa.verify(
        SECP256R1, public, digest + b"\x00" if len(digest) < 32 else b"\x01" + digest, signature
    )


def test_rfc5903() -> None:
    keys = [bytes.fromhex(value) for value in RFC5903]
    assert (
        shared_secret(SECP256R1, keys[0], keys[3])
        == shared_secret(SECP256R1, keys[2], keys[1])
        == keys[4]
    )


def test_against_openssl() -> None:
    source = random.Random(2)
    for _ in range(5):
        scalar = source.randrange(1, SECP256R1.n)
        key = ec.derive_private_key(scalar, ec.SECP256R1())
        point = group.multiply_base(SECP256R1, scalar)
        for compressed, kind in ((False, "UncompressedPoint"), (True, "CompressedPoint")):
            wanted = key.public_key().public_bytes(
                serialization.Encoding.X962, getattr(serialization.PublicFormat, kind)
            )
            assert codec.encode_point(SECP256R1, point, compressed=compressed) == wanted
            assert codec.decode_point(SECP256R1, wanted) == point
        digest = source.randbytes(32)
        der = utils.encode_dss_signature(
            *ecdsa.sign(SECP256R1, scalar, digest, extra=source.randbytes(32))
        )
        key.public_key().verify(der, digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))


def test_additional_data_changes_the_nonce() -> None:
    digest = bytes(32)
    plain = next(ecdsa.nonces(SECP256R1, 1, digest))
    hedged = [
        next(ecdsa.nonces(SECP256R1, 1, digest, extra=extra))
        for extra in (bytes(32), bytes(31) + b"\x01")
    ]
    assert len({plain, *hedged}) == 3


@pytest.mark.parametrize("curve", TOYS, ids=lambda curve: curve.name)
def test_toy_group(curve: Curve) -> None:
    powers = list(group.multiples(curve, group.base(curve)))
    index = {point: number for number, point in enumerate(powers)}
    for first, second in itertools.product(range(curve.n), repeat=2):
        assert index[group.add(curve, powers[first], powers[second])] == (first + second) % curve.n
    for scalar in range(-3, 2 * curve.n):
        assert index[group.multiply(curve, scalar, powers[5])] == 5 * scalar % curve.n
    for point in powers[1:]:
        assert codec.decode_point(curve, codec.encode_point(curve, point, compressed=True)) == point
    square_roots = sum(curve.contains(x, y) for x in range(curve.p) for y in range(0, curve.p, 2))
    assert square_roots == (curve.n - 1) // 2


@pytest.mark.parametrize("curve", CURVES.values(), ids=lambda curve: curve.name)
def test_montgomery_constants(curve: Curve) -> None:
    for modulus in (montgomery.field(curve), montgomery.scalars(curve)):
        assert modulus.radix > modulus.m
        assert modulus.one == modulus.encode(1)
        assert modulus.decode(modulus.r2) == modulus.one
        assert (modulus.inverse * modulus.m + 1) % (1 << 64) == 0
        assert modulus.decode(modulus.encode(12345)) == 12345 % modulus.m


@pytest.mark.parametrize("teeth", [2, 4, 5, 6])
@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_comb(teeth: int, blocks: int) -> None:
    comb = Comb(SECP256R1, teeth, blocks)
    table = comb.table()
    n = SECP256R1.n
    source = random.Random(teeth * 10 + blocks)
    edges = [
        1,
        2,
        3,
        n - 1,
        n - 2,
        1 << 255,
        (1 << 255) - 1,
        1 << comb.columns,
        (1 << comb.columns) - 1,
    ]
    for scalar in edges + [source.randrange(1, n) for _ in range(3)]:
        assert comb.multiply(table, scalar) == group.multiply_base(SECP256R1, scalar)


@pytest.mark.parametrize("curve", TOYS, ids=lambda curve: curve.name)
@pytest.mark.parametrize("teeth", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("blocks", [1, 2])
def test_toy_comb(curve: Curve, teeth: int, blocks: int) -> None:
    comb = Comb(curve, teeth, blocks)
    table = comb.table()
    for scalar, point in enumerate(group.multiples(curve, group.base(curve))):
        if scalar:
            assert comb.multiply(table, scalar) == point


ALL_SHAPES = [(teeth, blocks) for teeth in range(2, 8) for blocks in range(1, 9)]
SHAPES = ALL_SHAPES if OUTER else [(2, 1), (4, 1), (5, 4), (6, 2), (7, 8)]


@pytest.mark.sampled
@pytest.mark.parametrize("curve", LIBRARY, ids=lambda curve: curve.name)
def test_only_the_last_addition_of_a_comb_can_be_a_doubling(curve: Curve) -> None:
    """For no scalar of a curve of the library any other addition is exceptional,
    and no entry is infinity.
    """
    for teeth, blocks in SHAPES:
        comb = Comb(curve, teeth, blocks)
        assert set(exceptions(comb)) <= {(0, 0, 1)}, (teeth, blocks)
        entries = [
            comb.entry_scalar(block, index)
            for block in range(blocks)
            for index in range(comb.entries)
        ]
        assert all(entry % curve.n for entry in entries)


@pytest.mark.parametrize("curve", LIBRARY, ids=lambda curve: curve.name)
def test_a_bit_of_the_order_says_whether_a_comb_has_an_exception(curve: Curve) -> None:
    """With one block: lib/src/mul/comb_run.inc goes by it."""
    for teeth in range(2, 7):
        comb = Comb(curve, teeth, 1)
        bit = curve.n >> ((teeth - 1) * comb.columns + 1) & 1
        assert comb.columns > teeth + 1
        assert bool(set(exceptions(comb))) == bool(bit), teeth


@pytest.mark.parametrize("curve", TOYS, ids=lambda curve: curve.name)
def test_exceptional_additions_are_found(curve: Curve) -> None:
    """All shapes against all scalars, one by one: the same additions, equal,
    opposite and infinity.
    """
    kinds = set()
    for teeth, blocks in ((t, v) for t, v in ALL_SHAPES if v <= 4):
        comb = Comb(curve, teeth, blocks)
        wanted = set()
        for scalar in range(1, curve.n, 2):
            for number, (total, entry) in enumerate(comb.additions(scalar)):
                step = (comb.columns - 1 - number // blocks, blocks - 1 - number % blocks)
                wanted |= {
                    (*step, r) for r in (0, 1, -1) if number and (total - r * entry) % curve.n == 0
                }
        assert set(exceptions(comb)) == wanted, (teeth, blocks)
        kinds |= {relation for _, _, relation in wanted}
    assert kinds == ({0, 1, -1} if curve is TOY223 else {1})
