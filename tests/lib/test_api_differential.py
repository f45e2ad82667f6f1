"""The public API against OpenSSL and the reference, on random and on edge inputs."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from ref import codec, ecdsa, group

from workshop.library import build as lib_build
from workshop.library.api import Library, Rng, Status
from workshop.library.build import CONFIGURATIONS, only
from workshop.library.cases import (
    CURVE,
    N,
    check_signing,
    edge_digests,
    edge_scalars,
    expected_signature,
    public_key_of,
    random_scalars,
    scalar_bytes,
    scaled,
    signing_rng,
    special_points,
)
from workshop.scale import some

pytestmark = pytest.mark.sampled


@pytest.fixture(scope="module", params=some(CONFIGURATIONS, 3))
def library(request: pytest.FixtureRequest) -> Library:
    """Of the configurations a third; other tests run all of them."""
    config = CONFIGURATIONS[request.param]
    return Library(lib_build.shared(config), dict(config.settings))


def openssl_public(data: bytes) -> ec.EllipticCurvePublicKey:
    """A public key of OpenSSL."""
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)


def openssl_ecdh(scalar: int, public: bytes) -> bytes:
    """The shared secret by OpenSSL."""
    return ec.derive_private_key(scalar, ec.SECP256R1()).exchange(ec.ECDH(), openssl_public(public))


def openssl_accepts(signature: bytes, public: bytes, digest: bytes) -> bool:
    """Verification by OpenSSL, for digests of 32 bytes."""
    der = utils.encode_dss_signature(
        int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    )
    try:
        openssl_public(public).verify(der, digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))
    except InvalidSignature:
        return False
    return True


def test_public_key_on_edges(library: Library) -> None:
    for scalar in edge_scalars():
        assert library.public_key(scalar_bytes(scalar)) == (Status.OK, public_key_of(scalar)), hex(
            scalar
        )


def test_public_key_and_ecdh_on_random_keys(library: Library) -> None:
    scalars = random_scalars(1, scaled(60))
    for scalar, peer in zip(scalars, reversed(scalars), strict=True):
        public = public_key_of(peer)
        assert library.public_key(scalar_bytes(peer)) == (Status.OK, public), hex(peer)
        assert library.ecdh(scalar_bytes(scalar), public) == (
            Status.OK,
            openssl_ecdh(scalar, public),
        ), hex(scalar)


def test_ecdh_on_edges(library: Library) -> None:
    """Edge scalars with an ordinary point, ordinary scalars with special points and with +-G,
    and both together.
    """
    points = [*special_points().values(), public_key_of(1), public_key_of(N - 1)]
    pairs = [(scalar, public_key_of(0xC0FFEE)) for scalar in edge_scalars()]
    pairs += [
        (scalar, point)
        for point in points
        for scalar in (1, 2, N - 1, (N + 1) // 2, *random_scalars(3, 1))
    ]
    for scalar, point in pairs:
        shared = openssl_ecdh(scalar, point)
        assert library.ecdh(scalar_bytes(scalar), point) == (Status.OK, shared), (
            hex(scalar),
            point.hex(),
        )


def test_leading_zeros(library: Library) -> None:
    """Coordinates and secrets that begin with zero bytes keep their size."""
    found = [
        scalar
        for scalar in range(1, 1000)
        if 0 in (public_key_of(scalar)[1], public_key_of(scalar)[33])
    ]
    assert len(found) >= 4
    for scalar in found[:4]:
        public = public_key_of(scalar)
        assert library.public_key(scalar_bytes(scalar)) == (Status.OK, public)
        assert library.ecdh(scalar_bytes(1), public) == (Status.OK, public[1:33])
        half = scalar * pow(2, -1, N) % N
        assert library.ecdh(scalar_bytes(2), public_key_of(half)) == (Status.OK, public[1:33])


def test_signatures_on_edges(library: Library) -> None:
    """Each edge digest with some key, each edge key with some digest: equal to the reference,
    accepted by ourselves; what is no hash (`ecdsa.takes`) is refused by both.
    """
    key = 0x1234567
    other = [digest for digest in edge_digests() if not ecdsa.takes(CURVE, digest)]
    made = expected_signature(library, key, scalar_bytes(1), scalar_bytes(0x77))
    for digest in other:
        draw = signing_rng(library, scalar_bytes(0x77))
        assert library.sign(scalar_bytes(key), digest, draw)[0] is Status.BAD_HASH, digest.hex()
        assert library.verify(made, public_key_of(key), digest) is Status.BAD_HASH, digest.hex()
    assert len(other) >= 6
    pairs = [(key, digest) for digest in edge_digests() if digest not in other]
    pairs += [(scalar, scalar_bytes(0xABCDEF)) for scalar in edge_scalars()]
    for scalar, digest in pairs:
        signature = check_signing(library, scalar, digest, scalar_bytes(0x77 + scalar % 1000))
        assert library.verify(signature, public_key_of(scalar), digest) is Status.OK, (
            hex(scalar),
            digest.hex(),
        )


def test_signatures_on_random_inputs(library: Library) -> None:
    source = random.Random(4)
    for scalar in random_scalars(5, scaled(30)):
        digest = source.randbytes(32)
        signature = check_signing(library, scalar, digest, scalar_bytes(source.randrange(1, N)))
        assert openssl_accepts(signature, public_key_of(scalar), digest)
        assert library.verify(signature, public_key_of(scalar), digest) is Status.OK


def test_openssl_signatures(library: Library) -> None:
    """Signatures of OpenSSL verify, and every single-bit change is judged as OpenSSL judges it."""
    source = random.Random(6)
    for scalar in random_scalars(7, scaled(20)):
        digest = source.randbytes(32)
        der = ec.derive_private_key(scalar, ec.SECP256R1()).sign(
            digest, ec.ECDSA(utils.Prehashed(hashes.SHA256()))
        )
        signature = b"".join(scalar_bytes(part) for part in utils.decode_dss_signature(der))
        public = public_key_of(scalar)
        assert library.verify(signature, public, digest) is Status.OK
        for _ in range(3):
            bit = source.randrange(512)
            changed = (int.from_bytes(signature, "big") ^ 1 << bit).to_bytes(64, "big")
            accepted = library.verify(changed, public, digest) is Status.OK
            assert accepted == openssl_accepts(changed, public, digest)
        r, s = signature[:32], int.from_bytes(signature[32:], "big")
        assert library.verify(r + scalar_bytes(N - s), public, digest) is Status.OK, (
            "-s is as good as s"
        )


@pytest.mark.parametrize("private_key", [1, 2, N - 1, N - 2, (N + 1) // 2, 0xC0FFEE])
def test_verification_with_special_sums(library: Library, private_key: int) -> None:
    """u1*G and u2*Q equal, opposite, or one of them zero: sums that the general addition
    formula cannot make.
    """
    public = public_key_of(private_key)
    for nonce in (1, 2, 5, N - 1, *random_scalars(8, 2)):
        point = group.multiply_base(CURVE, nonce)
        assert point is not None
        r = point[0] % N
        # u1 = e/s = 1 means s = e, and s*k = e + r*d
        one = r * private_key * pow(nonce - 1, -1, N) % N if nonce != 1 else 1
        for name, e in {"equal": r * private_key % N, "u1 = 0": 0, "u1 = 1": one}.items():
            s = pow(nonce, -1, N) * (e + r * private_key) % N
            signature = ecdsa.encode_signature(CURVE, (r, s))
            wanted = ecdsa.verify(
                CURVE, group.multiply_base(CURVE, private_key), scalar_bytes(e), (r, s)
            )
            assert wanted == (s != 0), name
            found = library.verify(signature, public, scalar_bytes(e))
            answer = Status.OK if wanted else Status.BAD_SIGNATURE
            if wanted and not ecdsa.takes(CURVE, scalar_bytes(e)):
                answer = Status.BAD_HASH  # u1 = 0: the forgery (test_hash_rule.py)
            assert found is answer, (name, hex(nonce))
        opposite = -r * private_key % N  # u1*G = -u2*Q: the point at infinity, for any s
        for s in (1, r, N - 1):
            signature = ecdsa.encode_signature(CURVE, (r, s))
            assert library.verify(signature, public, scalar_bytes(opposite)) is Status.BAD_SIGNATURE


def test_verification_where_x_is_not_below_n(library: Library) -> None:
    """For such an x, r = x - n must be accepted and r = x refused; nor is r + n believed
    for another x.
    """
    x = int.from_bytes(special_points()["x above n"][1:33], "big")
    y = int.from_bytes(special_points()["x above n"][33:], "big")
    assert x >= N
    r, s, e = x - N, 0x123, 0x456
    inverse_r = pow(
        r, -1, N
    )  # Q = (s*R - e*G) / r makes (r, s) a signature of e with the nonce point R
    point = group.add(CURVE, group.multiply(CURVE, s, (x, y)), group.multiply_base(CURVE, -e))
    public = codec.encode_point(CURVE, group.multiply(CURVE, inverse_r, point))
    assert (
        library.verify(ecdsa.encode_signature(CURVE, (r, s)), public, scalar_bytes(e)) is Status.OK
    )
    assert (
        library.verify(scalar_bytes(x) + scalar_bytes(s), public, scalar_bytes(e))
        is Status.BAD_SIGNATURE
    )
    other = ecdsa.encode_signature(CURVE, (r + 1, s))
    assert library.verify(other, public, scalar_bytes(e)) is Status.BAD_SIGNATURE


@only("library", COMPRESS="sec1")
def test_compression(library: Library) -> None:
    points = [
        *special_points().values(),
        *(public_key_of(scalar) for scalar in random_scalars(9, scaled(30))),
    ]
    for public in points:
        compressed = bytes([2 + public[64] % 2]) + public[1:33]
        assert library.compress(public) == (Status.OK, compressed)
        assert library.decompress(compressed) == (Status.OK, public)
        other = bytes([compressed[0] ^ 1]) + compressed[1:]
        x, y = codec.decode_point(CURVE, other)
        assert library.decompress(other) == (Status.OK, codec.encode_point(CURVE, (x, y)))


def test_calls_side_by_side(library: Library) -> None:
    """Every function is reentrant: four threads at a time get what one alone gets."""
    scalars = random_scalars(11, scaled(40))
    peer = public_key_of(0xC0FFEE)

    def work(scalar: int) -> tuple[bytes, bytes]:
        return library.public_key(scalar_bytes(scalar))[1], library.ecdh(
            scalar_bytes(scalar), peer
        )[1]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(work, scalars))
    assert together == [work(scalar) for scalar in scalars]


def test_keygen(library: Library) -> None:
    source = random.Random(10)
    for _ in range(scaled(20)):
        rng = Rng(source.randbytes)
        status, public, private = library.keygen(rng)
        assert status is Status.OK
        assert public == public_key_of(int.from_bytes(private, "big"))
        assert private == rng.drawn[-1], "the key is the last draw"
        digest = source.randbytes(32)
        draw = scalar_bytes(source.randrange(1, N))
        status, signature = library.sign(private, digest, signing_rng(library, draw))
        assert status is Status.OK
        assert library.verify(signature, public, digest) is Status.OK
