"""X25519 and X448: vectors, OpenSSL, the reference, wrong input, failing generators;
in all configurations.
"""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import x448, x25519
from ref.rfc7748 import XCURVES

from workshop.library.api import Rng, Status
from workshop.library.cases import scaled
from workshop.library.rfc_api import SETTINGS, RfcLibrary, settings_of
from workshop.library.rfc_cases import (
    edge_coordinates,
    edge_keys,
    exchanged,
    little,
    small_coordinates,
    strings,
)
from workshop.vectors.rfc_published import KEY_VECTORS, X_ITERATED, X_VECTORS
from workshop.vectors.rfc_wycheproof import check_x, x_cases

OPENSSL: dict[str, tuple[Any, Any]] = {
    "x25519": (x25519.X25519PrivateKey, x25519.X25519PublicKey),
    "x448": (x448.X448PrivateKey, x448.X448PublicKey),
}
SLOW = (
    "bytes",
    "halfwords",
    "x448-tiny-w32m16",
    "x448-balanced-w32m16",
    "x448-mont",
)  # short words, long products


@pytest.fixture(scope="session", params=settings_of(["x25519", "x448"]))
def library(request: pytest.FixtureRequest) -> RfcLibrary:
    """X25519 or X448 in one configuration."""
    setting = SETTINGS[request.param]
    return RfcLibrary(setting.shared(), setting.curve)


def count(request: pytest.FixtureRequest, number: int) -> int:
    """`number`, fewer with short words and under sanitizers."""
    slow = any(word in request.node.name for word in SLOW)
    return scaled(max(1, number // 10) if slow else number)


def test_rfc7748_functions(library: RfcLibrary) -> None:
    vectors = [vector for vector in X_VECTORS if vector.curve == library.curve]
    assert len(vectors) == 2
    for vector in vectors:
        scalar, u, result = (bytes.fromhex(text) for text in vector[1:])
        assert library.exchange(scalar, u) == (Status.OK, result)


def test_rfc7748_iterated(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    curve = XCURVES[library.curve]
    for rounds in (1, 1000):
        if rounds > 1 and (count(request, 1000) < rounds or "w64" not in request.node.name):
            continue  # once per curve and preset: half a minute with products of 16 bits
        k = u = little(curve.base, curve.size)
        for _ in range(rounds):
            status, result = library.exchange(k, u)
            assert status is Status.OK
            k, u = result, k
        assert k.hex() == X_ITERATED[library.curve, rounds]


def test_rfc7748_keys(library: RfcLibrary) -> None:
    vectors = [vector for vector in KEY_VECTORS if vector.curve == library.curve]
    assert vectors
    for vector in vectors:
        private_a, public_a, private_b, public_b, shared = (
            bytes.fromhex(text) for text in vector[1:]
        )
        assert library.public_key(private_a) == (Status.OK, public_a)
        assert library.public_key(private_b) == (Status.OK, public_b)
        assert library.exchange(private_a, public_b) == (Status.OK, shared)
        assert library.exchange(private_b, public_a) == (Status.OK, shared)


def test_wycheproof(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    """Of the slow ones a part."""
    cases = x_cases(library.curve)
    done = check_x(library, cases[:: len(cases) // count(request, len(cases))])
    assert done["valid"] >= min(30, count(request, 400)), done
    if count(request, 10) == 10:
        assert done["invalid"] >= 8, done


def test_random_against_openssl(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    private, public = OPENSSL[library.curve]
    keys = strings(library.size, 1, 2 * count(request, 60))
    for mine, theirs in zip(keys[::2], keys[1::2], strict=True):
        other = private.from_private_bytes(theirs).public_key().public_bytes_raw()
        assert library.public_key(theirs) == (Status.OK, other), theirs.hex()
        shared = private.from_private_bytes(mine).exchange(public.from_public_bytes(other))
        assert library.exchange(mine, other) == (Status.OK, shared), (mine.hex(), other.hex())


def test_edges(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    """Each edge key with an ordinary point and the base point, each edge coordinate
    with ordinary keys.
    """
    ordinary = strings(library.size, 2, 3)
    base = little(XCURVES[library.curve].base, library.size)
    pairs = [(key, point) for key in edge_keys(library.size) for point in (ordinary[0], base)]
    pairs += [(key, point) for point in edge_coordinates(library.curve) for key in ordinary[1:]]
    for key, point in pairs[:: len(pairs) // count(request, len(pairs))]:
        shared = exchanged(library.curve, key, point)
        status = Status.OK if any(shared) else Status.BAD_PUBLIC_KEY
        assert library.exchange(key, point) == (status, shared), (key.hex(), point.hex())
        if point == base:
            assert library.public_key(key) == (Status.OK, shared)


def test_points_of_small_order(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    points = small_coordinates(library.curve)
    assert len(points) >= 5
    for key in strings(library.size, 3, count(request, 5)):
        for point in points:
            assert library.exchange(key, point) == (Status.BAD_PUBLIC_KEY, bytes(library.size)), (
                point.hex()
            )


def test_ignored_bits(library: RfcLibrary) -> None:
    """Clamped bits of the private key, and bits of the public key above the field."""
    curve = XCURVES[library.curve]
    key, point = strings(library.size, 4, 2)
    wanted = library.exchange(key, point)
    low = curve.cofactor.bit_length() - 1
    for bit in [*range(low), *range(curve.field_bits - 1, 8 * curve.size)]:
        other = little(int.from_bytes(key, "little") ^ 1 << bit, curve.size)
        assert library.exchange(other, point) == wanted, bit
    for bit in range(curve.field_bits, 8 * curve.size):
        other = little(int.from_bytes(point, "little") ^ 1 << bit, curve.size)
        assert library.exchange(key, other) == wanted, bit
    for data, at in (
        (key, low),
        (key, curve.field_bits - 2),
        (point, 0),
        (point, curve.field_bits - 1),
    ):
        other = little(int.from_bytes(data, "little") ^ 1 << at, curve.size)
        changed = library.exchange(other, point) if data is key else library.exchange(key, other)
        assert changed != wanted, at


def test_keygen(library: RfcLibrary) -> None:
    for draw in strings(library.size, 5, scaled(10)):
        rng = Rng.of(draw)
        assert library.keygen(rng) == (Status.OK, exchanged_base(library, draw), draw)
        assert rng.calls == 1


def exchanged_base(library: RfcLibrary, key: bytes) -> bytes:
    """The public key by the reference."""
    return exchanged(library.curve, key, little(XCURVES[library.curve].base, library.size))


def test_keygen_without_randomness(library: RfcLibrary) -> None:
    nothing = (Status.RNG_FAILED, bytes(library.size), bytes(library.size))
    assert library.keygen(None) == nothing
    assert library.keygen(Rng.empty()) == nothing
    assert library.keygen(Rng.of()) == nothing
    for byte in (0x00, 0xFF, 0x55):
        assert library.keygen(Rng.of(bytes([byte]) * library.size)) == nothing, byte
    almost = b"\x01" + bytes(library.size - 1)
    assert library.keygen(Rng.of(almost))[0] is Status.OK
    assert library.keygen(Rng.of(almost[::-1]))[0] is Status.OK
