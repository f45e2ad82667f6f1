"""The reference (lib/ref) against published vectors, OpenSSL and brute force: it is what everything
else is held against.
"""

from __future__ import annotations

import hashlib
import itertools
import random

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, utils, x448, x25519
from ref import codec, ecdsa, group, montgomery, rfc7748, rfc8032
from ref.comb import Comb, exceptions
from ref.curves import CURVES, LIBRARY, SECP256R1, TOY223, TOY251, Curve
from ref.ecdh import shared_secret
from ref.edcomb import EdComb
from ref.rfc7748 import XCURVES, XCurve
from ref.rfc8032 import EDCURVES, EdCurve, EPoint

from workshop.library.rfc_cases import little, strings, torsion
from workshop.scale import OUTER
from workshop.vectors.published import RFC5903, RFC6979, RFC6979_KEY, RFC6979_PUBLIC
from workshop.vectors.rfc_published import KEY_VECTORS, SIGNATURES, X_ITERATED, X_VECTORS

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


# ---- RFC 7748 and RFC 8032: vectors, OpenSSL, the group laws that their formulas must keep -------


@pytest.mark.parametrize("curve", XCURVES.values(), ids=XCURVES)
def test_exchange_vectors(curve: XCurve) -> None:
    for vector in X_VECTORS:
        if vector.curve == curve.name:
            scalar, u, result = (bytes.fromhex(text) for text in vector[1:])
            assert rfc7748.exchange(curve, scalar, u) == result
    for keys in KEY_VECTORS:
        if keys.curve == curve.name:
            private_a, public_a, private_b, public_b, shared = (
                bytes.fromhex(text) for text in keys[1:]
            )
            assert rfc7748.public_key(curve, private_a) == public_a
            assert (
                rfc7748.exchange(curve, private_a, public_b)
                == rfc7748.exchange(curve, private_b, public_a)
                == shared
            )
    base = little(curve.base, curve.size)
    assert rfc7748.exchange(curve, base, base).hex() == X_ITERATED[curve.name, 1]


@pytest.mark.parametrize("curve", EDCURVES.values(), ids=EDCURVES)
def test_signature_vectors(curve: EdCurve) -> None:
    for vector in SIGNATURES:
        if vector.curve != curve.name:
            continue
        private, public, message, signature = (bytes.fromhex(text) for text in vector[1:5])
        context = None if vector.context is None else bytes.fromhex(vector.context)
        if vector.prehashed:
            sha512 = curve.name == "ed25519"
            message = (
                hashlib.sha512(message).digest()
                if sha512
                else hashlib.shake_256(message).digest(64)
            )
        assert rfc8032.public_key(curve, private) == public
        assert (
            rfc8032.sign(curve, private, message, context, prehashed=vector.prehashed) == signature
        )
        assert rfc8032.verify(
            curve, signature, public, message, context, prehashed=vector.prehashed
        )
        assert not rfc8032.verify(
            curve, signature, public, message + b"x", context, prehashed=vector.prehashed
        )


def test_openssl() -> None:
    for data in strings(57, 1, 10):
        key_x = x25519.X25519PrivateKey.from_private_bytes(data[:32])
        assert (
            rfc7748.public_key(rfc7748.X25519, data[:32]) == key_x.public_key().public_bytes_raw()
        )
        key_x448 = x448.X448PrivateKey.from_private_bytes(data[:56])
        assert (
            rfc7748.public_key(rfc7748.X448, data[:56]) == key_x448.public_key().public_bytes_raw()
        )
        key_ed = ed25519.Ed25519PrivateKey.from_private_bytes(data[:32])
        assert rfc8032.sign(rfc8032.ED25519, data[:32], data) == key_ed.sign(data)
        key_ed448 = ed448.Ed448PrivateKey.from_private_bytes(data)
        assert rfc8032.sign(rfc8032.ED448, data, data) == key_ed448.sign(data)


@pytest.mark.parametrize("curve", EDCURVES.values(), ids=EDCURVES)
def test_group_laws(curve: EdCurve) -> None:
    source = random.Random(1)
    points: list[EPoint] = [
        rfc8032.multiply(curve, source.randrange(curve.n), curve.base) for _ in range(4)
    ]
    points += torsion(curve.name)
    for first in points:
        x, y = rfc8032.affine(curve, first)
        assert (curve.a * x * x + y * y - 1 - curve.d * x * x * y * y) % curve.p == 0
        assert rfc8032.equal(curve, rfc8032.add(curve, first, curve.identity), first)
        assert rfc8032.equal(
            curve, rfc8032.add(curve, first, rfc8032.negate(curve, first)), curve.identity
        )
        assert rfc8032.equal(curve, rfc8032.decode(curve, rfc8032.encode(curve, first)), first)
        for second in points:
            total = rfc8032.add(curve, first, second)
            assert rfc8032.equal(curve, total, rfc8032.add(curve, second, first))
            third = points[0]
            left = rfc8032.add(curve, total, third)
            assert rfc8032.equal(
                curve, left, rfc8032.add(curve, first, rfc8032.add(curve, second, third))
            )
    assert rfc8032.equal(curve, rfc8032.multiply(curve, curve.n, curve.base), curve.identity)
    assert (
        pow(curve.a, (curve.p - 1) // 2, curve.p) == 1
        and pow(curve.d, (curve.p - 1) // 2, curve.p) == curve.p - 1
    )


@pytest.mark.parametrize("curve", EDCURVES.values(), ids=EDCURVES)
@pytest.mark.parametrize(("teeth", "blocks"), [(4, 1), (5, 1), (5, 2), (6, 2)])
def test_comb_of_edwards(curve: EdCurve, teeth: int, blocks: int) -> None:
    """The signs of an odd scalar's digits, and the sum of the columns
    as mul/edwards/ed_comb.inc takes them.
    """
    comb = EdComb(curve, teeth, blocks)
    assert comb.digits > curve.n.bit_length()
    source = random.Random(2)
    for scalar in (0, 1, 2, curve.n - 1, curve.n - 2, source.randrange(curve.n)):
        odd = scalar + (1 - scalar % 2) * curve.n
        signs = odd >> 1 | 1 << (comb.digits - 1)
        total = 0
        for column in reversed(range(comb.columns)):
            total *= 2
            for block in range(blocks):
                bits = [
                    signs >> (comb.exponent(block, tooth) + column) & 1 for tooth in range(teeth)
                ]
                index = sum(bit << tooth for tooth, bit in enumerate(bits))
                minus = not bits[-1]
                index = (index ^ -minus) & (comb.entries - 1)
                total += comb.entry_scalar(block, index) * (-1 if minus else 1)
        assert total == odd
    for block, index in ((0, 0), (blocks - 1, comb.entries - 1)):
        point = rfc8032.multiply(curve, comb.entry_scalar(block, index) % curve.n, curve.base)
        assert rfc8032.equal(curve, comb.entry(block, index), point)


@pytest.mark.parametrize("curve", EDCURVES.values(), ids=EDCURVES)
def test_decoding_refuses(curve: EdCurve) -> None:
    sign = 1 << (8 * curve.size - 1)
    for value in (curve.p, curve.p + 1, 1 | sign, (curve.p - 1) | sign, sign - 1):
        with pytest.raises(ValueError):
            rfc8032.decode(curve, little(value, curve.size))
    for size in (curve.size - 1, curve.size + 1):
        with pytest.raises(ValueError):
            rfc8032.decode(curve, bytes(size))
    with pytest.raises(ValueError):
        rfc8032.expand(curve, bytes(curve.size - 1))
    with pytest.raises(ValueError):
        curve.dom_of(False, bytes(256))
