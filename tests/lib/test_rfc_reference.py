"""The references of RFC 7748 and RFC 8032 (lib/ref): vectors, OpenSSL, the group laws
that their formulas must keep.
"""

from __future__ import annotations

import hashlib
import random

import pytest
from cryptography.hazmat.primitives.asymmetric import ed448, ed25519, x448, x25519
from ref import rfc7748, rfc8032
from ref.edcomb import EdComb
from ref.rfc7748 import XCURVES, XCurve
from ref.rfc8032 import EDCURVES, EdCurve, EPoint

from workshop.library.rfc_cases import little, strings, torsion
from workshop.vectors.rfc_published import KEY_VECTORS, SIGNATURES, X_ITERATED, X_VECTORS


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
def test_comb(curve: EdCurve, teeth: int, blocks: int) -> None:
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
