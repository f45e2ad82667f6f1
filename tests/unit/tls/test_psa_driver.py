"""The driver of PSA Crypto (lib/psa) against Mbed TLS's own elliptic curves: the same inputs give
the same results and the same errors, and what one signs the other verifies.
"""

from __future__ import annotations

import ctypes as ct
import hashlib
from collections.abc import Iterator

import pytest
from psa_library import ECDH, PAIR, PUBLIC, Psa, ecdsa

from ecfit.choices.curves import CURVES, Curve
from ecfit.paths import LIB
from ecfit.tls.image import PSA_CURVES

INVALID_ARGUMENT, INVALID_SIGNATURE, TOO_SMALL = -135, -149, -138
NOT_SUPPORTED = -134
WEIERSTRASS = [name for name in PSA_CURVES if name != "x25519"]


@pytest.fixture(scope="module")
def own() -> Psa:
    return Psa(driver=False)


@pytest.fixture(scope="module")
def ours() -> Psa:
    return Psa(driver=True)


@pytest.fixture(autouse=True)
def _no_keys_left(own: Psa, ours: Psa) -> Iterator[None]:
    yield
    own.forget()
    ours.forget()


def scalar(curve: Curve, text: str) -> bytes:
    """A private key that follows from a text."""
    wide = hashlib.sha512(text.encode()).digest() + hashlib.sha512(text.encode()[::-1]).digest()
    if curve.form != "weierstrass":
        return wide[: curve.scalar_bytes]
    return (int.from_bytes(wide, "big") % (curve.n - 1) + 1).to_bytes(curve.scalar_bytes, "big")


@pytest.mark.parametrize("name", PSA_CURVES)
def test_results_are_the_same(own: Psa, ours: Psa, name: str) -> None:
    curve = CURVES[name]
    one, other = scalar(curve, "one"), scalar(curve, "other")
    answers = []
    for psa in (own, ours):
        mine, yours = psa.key(name, one), psa.key(name, other, bits=curve.bits)
        assert psa.native.calls_bits(ct.c_uint32(mine)) == curve.bits
        public = psa.public(yours)
        answers.append([psa.export(mine), psa.public(mine), public, psa.agree(mine, public.data)])
        fresh = psa.generate(name)
        peer = psa.public(mine)
        assert psa.agree(fresh, peer.data) == psa.agree(mine, psa.public(fresh).data)
        again = psa.key(name, psa.export(fresh).data)
        assert psa.public(again) == psa.public(fresh)
    assert answers[0] == answers[1]
    assert all(answer.status == 0 and answer.data for answer in answers[0])


@pytest.mark.parametrize("name", WEIERSTRASS)
def test_what_one_signs_the_other_verifies(own: Psa, ours: Psa, name: str) -> None:
    curve = CURVES[name]
    private = scalar(curve, "signer")
    for size in (32, 48, 64):
        hashed = hashlib.sha512(bytes([size])).digest()[:size]
        for signer, verifier in ((own, ours), (ours, own), (ours, ours)):
            key = signer.key(name, private, alg=ecdsa(size))
            status, signature = signer.sign(key, hashed)
            assert (status, len(signature)) == (0, 2 * curve.scalar_bytes)
            public = verifier.key(name, signer.public(key).data, kind=PUBLIC, alg=ecdsa(size))
            pair = verifier.key(name, private, alg=ecdsa(size))
            assert [verifier.verify(one, hashed, signature) for one in (public, pair)] == [0, 0]
            wrong = bytes([signature[0], signature[1] ^ 1, *signature[2:]])
            assert verifier.verify(public, hashed, wrong) == INVALID_SIGNATURE
            assert verifier.verify(public, hashed, signature[:-1]) == INVALID_SIGNATURE
            assert verifier.verify(public, hashed, bytes(len(signature))) == INVALID_SIGNATURE


def bad_keys(curve: Curve) -> list[tuple[str, int, bytes]]:
    """Keys that no curve takes: what, kind, bytes."""
    size, point = curve.scalar_bytes, 1 + 2 * curve.field_bytes
    n = curve.n.to_bytes(size, "big")
    return [
        ("zero", PAIR, bytes(size)),
        ("n", PAIR, n),
        ("n + 1", PAIR, (curve.n + 1).to_bytes(size, "big")),
        ("all ones", PAIR, b"\xff" * size),
        ("not on the curve", PUBLIC, b"\x04" + bytes(point - 2) + b"\x01"),
        ("infinity", PUBLIC, b"\x00" + bytes(point - 1)),
        ("hybrid", PUBLIC, b"\x06" + bytes(point - 1)),
    ]


@pytest.mark.parametrize("name", WEIERSTRASS)
def test_the_same_keys_are_refused(own: Psa, ours: Psa, name: str) -> None:
    curve = CURVES[name]
    for what, kind, data in bad_keys(curve):
        for bits in (0, curve.bits):
            statuses = [psa.key(name, data, kind=kind, bits=bits) for psa in (own, ours)]
            assert statuses[0] == statuses[1] == INVALID_ARGUMENT, (what, bits, statuses)
    for size in (curve.scalar_bytes - 1, curve.scalar_bytes + 1):
        short = [psa.key(name, b"\x01" * size, bits=curve.bits) for psa in (own, ours)]
        assert max(short) < 0, (size, short)
    good = scalar(curve, "good")
    top = (curve.n - 1).to_bytes(curve.scalar_bytes, "big")
    assert own.key(name, top) > 0
    assert ours.key(name, top) > 0
    for psa in (own, ours):
        key = psa.key(name, good)
        point = psa.public(key).data
        twisted = point[:-1] + bytes([point[-1] ^ 1])
        assert psa.agree(key, twisted).status == INVALID_ARGUMENT
        assert psa.agree(key, point[:-1]).status == INVALID_ARGUMENT


def test_small_buffers_and_small_points(own: Psa, ours: Psa) -> None:
    for psa in (own, ours):
        key = psa.key("secp256r1", scalar(CURVES["secp256r1"], "a"), alg=ECDH)
        assert psa.public(key, 64).status == TOO_SMALL
        assert psa.agree(key, psa.public(key).data, 31).status == TOO_SMALL
        signer = psa.key("secp256r1", scalar(CURVES["secp256r1"], "a"), alg=ecdsa(32))
        assert psa.sign(signer, bytes(31) + b"\x01", 63).status == TOO_SMALL
        montgomery = psa.key("x25519", b"\xff" * 32)
        assert psa.export(montgomery).data == b"\xf8" + b"\xff" * 30 + b"\x7f"
        assert psa.agree(montgomery, bytes(32)).status == INVALID_ARGUMENT


def test_a_hash_that_is_zero_is_an_invalid_argument(own: Psa, ours: Psa) -> None:
    """The signature (Qx, Qx), which anybody can make: Mbed TLS takes it, the driver does not."""
    for name in ("secp256r1", "brainpoolP384r1", "secp521r1"):
        curve = CURVES[name]
        size = 32 if name == "secp256r1" else 48 if name == "brainpoolP384r1" else 64
        statuses = []
        for psa in (own, ours):
            key = psa.key(name, scalar(curve, "zero"), alg=ecdsa(size))
            x = int.from_bytes(psa.public(key).data[1 : 1 + curve.field_bytes], "big") % curve.n
            forged = 2 * x.to_bytes(curve.scalar_bytes, "big")
            statuses.append(
                (psa.verify(key, bytes(size), forged), psa.sign(key, bytes(size)).status)
            )
        assert statuses == [(0, 0), (INVALID_ARGUMENT, INVALID_ARGUMENT)], name


def test_the_description_names_what_the_driver_has() -> None:
    text = (LIB / "psa" / "ecfit_transparent_driver.json").read_text(encoding="utf-8")
    for curve in PSA_CURVES.values():
        assert f"PSA_ECC_FAMILY_{curve.rpartition('_')[0]})" in text
        assert curve.rpartition("_")[2] in text
