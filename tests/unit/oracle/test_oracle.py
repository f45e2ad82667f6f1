"""The bench's own curve arithmetic against published vectors and an independent library."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, utils, x448, x25519
from cryptography.hazmat.primitives.hashes import SHA256

from ecfit.choices.curves import CURVES, Curve, find_curve
from ecfit.errors import UsageError
from ecfit.oracle import rfc7748, weierstrass
from ecfit.run.cases import complaint, make_case, stream

P256 = CURVES["secp256r1"]
WEIERSTRASS = [curve for curve in CURVES.values() if curve.form == "weierstrass"]


def test_rfc6979_example() -> None:
    """RFC 6979, A.2.5: SHA-256, message "sample"."""
    d = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
    k = 0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60
    digest = hashlib.sha256(b"sample").digest()
    assert weierstrass.first_nonce(P256, d, digest) == k
    r, s = weierstrass.sign(P256, d, digest, k)
    assert r == 0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
    assert s == 0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
    public = weierstrass.multiply(P256, d, weierstrass.base(P256))
    assert public is not None
    assert public[0] == 0x60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
    assert weierstrass.verify(P256, public, digest, (r, s))
    assert not weierstrass.verify(P256, public, digest, (r, s + 1))
    assert not weierstrass.verify(P256, public, digest, (0, s))


@pytest.mark.parametrize(
    "d", [1, 2, 3, P256.n - 1, P256.n - 2, int.from_bytes(hashlib.sha256(b"d").digest(), "big")]
)
def test_public_keys_and_ecdh_agree_with_cryptography(d: int) -> None:
    key = ec.derive_private_key(d, ec.SECP256R1())
    numbers = key.public_key().public_numbers()
    assert weierstrass.multiply(P256, d, weierstrass.base(P256)) == (numbers.x, numbers.y)
    other = ec.derive_private_key(d * 7 % P256.n, ec.SECP256R1()).public_key()
    point = other.public_numbers()
    shared = weierstrass.multiply(P256, d, (point.x, point.y))
    assert shared is not None
    assert shared[0].to_bytes(32, "big") == key.exchange(ec.ECDH(), other)


def test_verify_agrees_with_cryptography() -> None:
    key = ec.derive_private_key(12345, ec.SECP256R1())
    public = weierstrass.multiply(P256, 12345, weierstrass.base(P256))
    assert public is not None
    for message in (b"", b"a", b"b" * 100):
        digest = hashlib.sha256(message).digest()
        signature = utils.decode_dss_signature(
            key.sign(digest, ec.ECDSA(utils.Prehashed(SHA256())))
        )
        assert weierstrass.verify(P256, public, digest, signature)
        assert not weierstrass.verify(
            P256, public, hashlib.sha256(message + b"!").digest(), signature
        )


def test_order_and_infinity() -> None:
    assert weierstrass.multiply(P256, P256.n, weierstrass.base(P256)) is None
    assert weierstrass.multiply(P256, 0, weierstrass.base(P256)) is None
    assert weierstrass.on_curve(P256, weierstrass.base(P256))


def test_points_off_the_curve_are_none() -> None:
    good = weierstrass.encode_point(P256, weierstrass.base(P256))
    assert weierstrass.decode_point(P256, good) == weierstrass.base(P256)
    for bad in (
        good[:-1],
        b"\x02" + good[1:],
        good[:-1] + bytes([good[-1] ^ 1]),
        b"\x04" + b"\xff" * 64,
    ):
        assert weierstrass.decode_point(P256, bad) is None


def test_stream_is_fixed() -> None:
    """These bytes are part of every golden count: they may never change."""
    assert stream(1, "secp256r1 0 key", 8).hex() == "38a0ab45681dcd0b"
    assert stream(1, "x", 100)[:32] == stream(1, "x", 32)
    assert stream(1, "x", 32) != stream(2, "x", 32)


@pytest.mark.parametrize(("curve", "op"), [(c, op) for c in CURVES.values() for op in c.ops])
def test_cases_follow_from_the_seed(curve: Curve, op: str) -> None:
    assert make_case(curve, op, 1, 0) == make_case(curve, op, 1, 0)
    assert make_case(curve, op, 1, 0) != make_case(curve, op, 1, 1)
    assert make_case(curve, op, 1, 0) != make_case(curve, op, 2, 0)


@pytest.mark.parametrize("curve", WEIERSTRASS, ids=lambda curve: curve.name)
def test_domain_parameters(curve: Curve) -> None:
    """Every parameter takes part: G is on the curve, its order is n, and a signature made
    with them verifies.
    """
    assert weierstrass.on_curve(curve, weierstrass.base(curve))
    assert weierstrass.multiply(curve, curve.n, weierstrass.base(curve)) is None
    assert pow(2, curve.n - 1, curve.n) == 1
    assert pow(2, curve.p - 1, curve.p) == 1
    digest, key = hashlib.sha256(b"digest").digest(), 987654321
    public = weierstrass.multiply(curve, key, weierstrass.base(curve))
    assert public is not None
    r, s = weierstrass.sign(curve, key, digest, 123456789)
    assert weierstrass.verify(curve, public, digest, (r, s))
    assert not weierstrass.verify(curve, public, digest[::-1], (r, s))


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize(
    ("name", "kind"),
    [("x25519", x25519.X25519PrivateKey), ("x448", x448.X448PrivateKey)],
    ids=["x25519", "x448"],
)
def test_exchange_agrees_with_cryptography(name: str, kind: Any, number: int) -> None:
    key, other = (stream(number, label, CURVES[name].scalar_bytes) for label in ("key", "other"))
    mine, theirs = (kind.from_private_bytes(k) for k in (key, other))
    assert rfc7748.exchange_base(name, key) == mine.public_key().public_bytes_raw()
    assert rfc7748.exchange(name, key, rfc7748.exchange_base(name, other)) == mine.exchange(
        theirs.public_key()
    )


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize(
    ("name", "kind"),
    [("ed25519", ed25519.Ed25519PrivateKey), ("ed448", ed448.Ed448PrivateKey)],
    ids=["ed25519", "ed448"],
)
def test_eddsa_agrees_with_cryptography(name: str, kind: Any, number: int) -> None:
    size = CURVES[name].scalar_bytes
    key, message = stream(number, "key", size), stream(number, "message", 32)
    signer = kind.from_private_bytes(key)
    public, signature = rfc7748.public_key(name, key), rfc7748.sign(name, key, message)
    assert public == signer.public_key().public_bytes_raw()
    assert signature == signer.sign(message)
    assert rfc7748.verify(name, public, message, signature)
    assert not rfc7748.verify(name, public, message[::-1], signature)
    assert not rfc7748.verify(name, public, message, signature[:size] + b"\xff" * size)


def test_what_a_25519_operation_must_give() -> None:
    for name, op, wrong in (
        ("x25519", "keygen", "the public key is not that of the private key"),
        ("x448", "ecdh", "the shared secret differs from the oracle's"),
        ("ed25519", "keygen", "the public key is not that of the private key"),
        ("ed448", "sign", "the signature differs from the oracle's"),
    ):
        case = make_case(CURVES[name], op, 1, 0)
        assert complaint(CURVES[name], case, 0, bytes(case.out_size)) == wrong
    case = make_case(CURVES["ed25519"], "sign", 1, 0)
    good = rfc7748.sign("ed25519", case.data[:32], case.data[64:])
    assert complaint(CURVES["ed25519"], case, 0, good) is None


def test_complaints() -> None:
    case = make_case(P256, "ecdh", 1, 0)
    d = int.from_bytes(case.data[:32], "big")
    peer = weierstrass.decode_point(P256, case.data[32:])
    assert peer is not None
    shared = weierstrass.multiply(P256, d, peer)
    assert shared is not None
    right = shared[0].to_bytes(32, "big")
    assert complaint(P256, case, 0, right) is None
    assert complaint(P256, case, 1, right) == "ecdh failed with status 1"
    assert complaint(P256, case, 0, right[::-1]) == "the shared secret differs from the oracle's"
    assert (
        complaint(P256, make_case(P256, "keygen", 1, 0), 0, bytes(97))
        == "the private key is out of range"
    )
    assert (
        complaint(P256, make_case(P256, "sign", 1, 0), 0, bytes(64))
        == "the signature does not verify"
    )


@pytest.mark.parametrize(
    "name", ["secp256r1", "SECP256R1", "P-256", "p256", "prime256v1", "nist-p256", "NIST P-256"]
)
def test_curve_aliases(name: str) -> None:
    assert find_curve(name) is P256


def test_unknown_curve() -> None:
    with pytest.raises(UsageError, match=r"unknown curve 'secp256k9': did you mean secp256k1\?"):
        find_curve("secp256k9")
