"""The driver of PSA Crypto (lib/psa) against Mbed TLS's own elliptic curves: the same inputs give
the same results and the same errors, and what one signs the other verifies.
"""

from __future__ import annotations

import ctypes as ct
import hashlib
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import pytest

from ecfit.choices.curves import CURVES, Curve
from ecfit.paths import LIB
from ecfit_lab.tls.image import PSA_CURVES
from workshop.devices.psa_library import (
    DETERMINISTIC,
    EC_SHA,
    ECDH,
    PAIR,
    PUBLIC,
    Psa,
    ecdsa,
    family,
)

INVALID_ARGUMENT, INVALID_SIGNATURE, TOO_SMALL = -135, -149, -138
NOT_SUPPORTED, NOT_PERMITTED = -134, -133
SIGN_MESSAGE, VERIFY_MESSAGE, SIGN_HASH, VERIFY_HASH, DERIVE = 0x400, 0x800, 0x1000, 0x2000, 0x4000
RAW_DATA = 0x1001
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


@pytest.mark.parametrize("name", WEIERSTRASS)
def test_deterministic_signatures_are_the_same(own: Psa, ours: Psa, name: str) -> None:
    """RFC 6979 with hashes shorter and longer than the order, and above it. On secp256k1 ours has
    the smaller one of s and n - s.
    """
    curve = CURVES[name]
    for text in ("one", "two", "three"):
        for size in (32, 48, 64):
            hashes = [hashlib.sha512(f"{text}{size}".encode()).digest()[:size], b"\xff" * size]
            for hashed in hashes:
                answers = []
                for psa in (own, ours):
                    key = psa.key(name, scalar(curve, text), alg=ecdsa(size, deterministic=True))
                    answers.append(psa.sign(key, hashed, deterministic=True))
                    psa.forget()
                if name == "secp256k1":
                    whole, half = answers[0].data, curve.scalar_bytes
                    s = int.from_bytes(whole[half:], "big")
                    low = min(s, curve.n - s).to_bytes(half, "big")
                    answers[0] = answers[0]._replace(data=whole[:half] + low)
                assert answers[0] == answers[1]
                assert (answers[0].status, len(answers[0].data)) == (0, 2 * curve.scalar_bytes)


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


def test_keys_of_others_are_drawn_by_the_core(own: Psa, ours: Psa) -> None:
    """The core passes the size of the key as its length too: a driver that passes must leave it."""
    for psa in (own, ours):
        drawn = psa.export(psa.draw(RAW_DATA, 72))
        assert (drawn.status, len(drawn.data)) == (0, 9)


@pytest.mark.parametrize("name", PSA_CURVES)
def test_a_public_key_is_no_private_one(own: Psa, ours: Psa, name: str) -> None:
    """One of X25519 has the length of a private key: the "secret" would be known to anybody."""
    statuses = []
    for psa in (own, ours):
        pair = psa.key(name, scalar(CURVES[name], "a"))
        point = psa.public(pair).data
        public = psa.key(name, point, kind=PUBLIC, bits=CURVES[name].bits)
        statuses.append(psa.agree(public, point).status)
    assert statuses == [INVALID_ARGUMENT, INVALID_ARGUMENT]


# ---- the entry points, called by somebody who has not checked anything ---------------------------


class Call(NamedTuple):
    """A call of an entry point of the driver."""

    function: str
    kind: int  # the key's type, without its family
    family: int
    bits: int
    usage: int  # flags of the key
    alg: int
    key: bytes  # of import_key: what is imported
    data: bytes  # the peer's key, or the hash
    signature: bytes
    room: int  # bytes for the output

    def run(self, psa: Psa) -> tuple[int, bytes, int]:
        """Status, output and its length."""
        alg = ct.c_uint32(self.alg)
        words: dict[str, tuple[object, ...]] = {
            "generate_key": (),
            "import_key": (self.key,),
            "export_public_key": (self.key,),
            "key_agreement": (self.key, alg, self.data),
            "sign_hash": (self.key, alg, self.data),
            "verify_hash": (self.key, alg, self.data, self.signature),
        }
        attributes = (self.kind | self.family, self.bits, self.usage, self.alg)
        return psa.entry(self.function, attributes, *words[self.function], room=self.room)


def right_calls(psa: Psa, name: str) -> dict[str, tuple[Call, bytes]]:
    """A call of each entry point that works, and its result, empty where it is random."""
    curve, hashed = CURVES[name], hashlib.sha256(b"entry").digest()
    private = scalar(curve, "entry")
    pair = psa.key(name, private)
    point, secret = psa.public(pair).data, psa.agree(pair, psa.public(pair).data).data
    kept = psa.export(pair).data
    size = curve.scalar_bytes
    base = Call("", PAIR, family(name), curve.bits, 0, 0, kept, b"", b"", size)
    calls = {
        "generate_key": (base, b""),
        "import_key": (base._replace(key=private), kept),
        "export_public_key": (base._replace(room=len(point)), point),
        "key_agreement": (
            base._replace(usage=DERIVE, alg=ECDH, data=point, room=curve.field_bytes),
            secret,
        ),
    }
    if name in WEIERSTRASS:
        signer = psa.key(name, private, alg=ecdsa(32))
        signing = base._replace(usage=SIGN_HASH, alg=ecdsa(32), data=hashed, room=2 * size)
        signature = psa.sign(signer, hashed).data
        verifying = signing._replace(usage=VERIFY_HASH, signature=signature, room=0)
        calls |= {"sign_hash": (signing, b""), "verify_hash": (verifying, b"")}
    return {name: (call._replace(function=name), out) for name, (call, out) in calls.items()}


ALL_USES = SIGN_MESSAGE | VERIFY_MESSAGE | SIGN_HASH | VERIFY_HASH | DERIVE | 3
EVERY = {
    "generate_key", "import_key", "export_public_key", "key_agreement", "sign_hash", "verify_hash",
}  # fmt: skip
HKDF, FFDH, EDDSA, PSS = 0x08000109, 0x09010000, 0x06000800, 0x06000309
ANY_HASH = 0x060006FF


# What is wrong, the status that PSA names for it, and what it changes in a call that works.
Wrong = Iterator[tuple[str, int, dict[str, Any]]]


def wrong_types(call: Call, point: bytes) -> Wrong:
    """Types, families, sizes. point: a public key of the curve."""
    function, looks_private = call.function, len(point) == len(call.key)
    for what, kind in (("raw data", 0x1001), ("RSA", 0x7001), ("FFDH", 0x7200), ("nothing", 0)):
        yield what, NOT_SUPPORTED, {"kind": kind, "family": 0}
    for number in (0, 0x1B, 0x22, 0x27, 0x2B, 0x42):
        yield f"family {number:#x}", NOT_SUPPORTED, {"family": number}
    # The length of what is imported says which curve it is; bits that say another one lie.
    contradicted = INVALID_ARGUMENT if function == "import_key" else NOT_SUPPORTED
    for bits in (1, call.bits - 1, call.bits + 1, 65528):
        yield f"{bits} bits", contradicted, {"bits": bits}
    if function != "import_key":
        yield "no bits", NOT_SUPPORTED, {"bits": 0}
    if function in ("generate_key", "key_agreement", "sign_hash"):
        for key in (call.key, point):
            yield "a public key", INVALID_ARGUMENT, {"kind": PUBLIC, "key": key}
    if function == "export_public_key":  # the core copies it
        yield "a public key", NOT_SUPPORTED, {"kind": PUBLIC, "key": point}
    if function in ("import_key", "verify_hash") and not looks_private:
        yield "a private key as a public one", INVALID_ARGUMENT, {"kind": PUBLIC}
        yield "a public key as a private one", INVALID_ARGUMENT, {"key": point}


def wrong_buffers(call: Call, point: bytes) -> Wrong:
    """Keys and room for outputs."""
    if call.function != "generate_key":
        for key in (b"", call.key[:-1], call.key + b"\x01", call.key * 2):
            yield f"a key of {len(key)} bytes", INVALID_ARGUMENT, {"key": key}
        if len(point) != len(call.key):
            for key in (bytes(len(call.key)), b"\xff" * len(call.key)):
                yield "a key out of range", INVALID_ARGUMENT, {"key": key}
    if call.function != "verify_hash":
        for room in (0, call.room - 1):
            yield f"room for {room} bytes", TOO_SMALL, {"room": room}


def wrong_uses(call: Call, point: bytes) -> Wrong:
    """Usage flags, algorithms, and what is signed or agreed on."""
    if call.usage:
        message = {SIGN_HASH: SIGN_MESSAGE, VERIFY_HASH: VERIFY_MESSAGE}.get(call.usage, 0)
        for usage in (0, ALL_USES & ~call.usage & ~message):
            yield f"usage {usage:#x}", NOT_PERMITTED, {"usage": usage}
    if call.function == "key_agreement":
        for alg in (0, FFDH, ECDH | HKDF, ecdsa(32)):
            yield f"algorithm {alg:#x}", NOT_SUPPORTED, {"alg": alg}
        for peer in (b"", point[:-1], point + b"\0", bytes(len(point))):
            yield f"a peer of {len(peer)} bytes", INVALID_ARGUMENT, {"data": peer}
    if call.alg != ecdsa(32):
        return
    for alg in (0, ECDH, EDDSA, PSS):
        yield f"algorithm {alg:#x}", NOT_SUPPORTED, {"alg": alg}
    for alg in (ecdsa(48), ecdsa(64), ANY_HASH, ecdsa(48) | DETERMINISTIC):
        yield f"algorithm {alg:#x}", INVALID_ARGUMENT, {"alg": alg}
    for size in (0, 15, 31, 33, 65):
        yield f"a hash of {size} bytes", INVALID_ARGUMENT, {"data": b"\x01" * size}
    for size in (0, 15, 65):
        change = {"data": b"\x01" * size, "alg": EC_SHA}
        yield f"no algorithm, a hash of {size} bytes", INVALID_ARGUMENT, change
    for signature in (b"", call.signature[:-1], call.signature + b"\0") if call.signature else ():
        yield f"{len(signature)} bytes", INVALID_SIGNATURE, {"signature": signature}


WRONG = wrong_types, wrong_buffers, wrong_uses


@pytest.mark.parametrize("name", PSA_CURVES)
def test_each_entry_point_checks_its_arguments_itself(ours: Psa, name: str) -> None:
    """Nothing that is wrong gets a result; the output stays as it was, or is zero."""
    calls = right_calls(ours, name)
    assert set(calls) == (EVERY if name in WEIERSTRASS else EVERY - {"sign_hash", "verify_hash"})
    _, point = calls["export_public_key"]
    for call, result in calls.values():
        status, out, length = call.run(ours)
        assert status == 0 and (result in (b"", out)), call
        assert call.function == "verify_hash" or length == len(out)
        for what, expected, change in chain(*(wrong(call, point) for wrong in WRONG)):
            status, out, length = call._replace(**change).run(ours)
            assert (what, status) == (what, expected), call.function
            if call.function != "verify_hash":
                assert set(out) in (set(), {0}, {0xA7}), (what, call.function)
                untouched = status == NOT_SUPPORTED  # the core may have a size there
                assert length == (99 if untouched else 0), (what, call.function)


def test_a_hash_that_the_core_lacks_is_passed_on(ours: Psa) -> None:
    call, _ = right_calls(ours, "secp256r1")["sign_hash"]
    sha224 = 0x06000708
    status, out, length = call._replace(alg=sha224, data=b"\x01" * 28).run(ours)
    assert (status, set(out), length) == (NOT_SUPPORTED, {0xA7}, 0)


def test_signatures_with_a_montgomery_key_are_refused(ours: Psa) -> None:
    call, _ = right_calls(ours, "x25519")["export_public_key"]
    signing = call._replace(
        function="sign_hash", usage=ALL_USES, alg=ecdsa(32), data=bytes(31) + b"1"
    )
    for function, room in (("sign_hash", 64), ("verify_hash", 0)):
        for kind in (PAIR, PUBLIC):
            wrong = signing._replace(function=function, kind=kind, signature=bytes(64), room=room)
            assert wrong.run(ours)[:2] == (INVALID_ARGUMENT, b"\xa7" * room)


@pytest.mark.parametrize("name", PSA_CURVES)
def test_a_generator_that_fails_leaves_no_key(ours: Psa, name: str) -> None:
    call, _ = right_calls(ours, name)["generate_key"]
    ours.native.calls_fail_random(1)
    try:
        status, out, length = call.run(ours)
    finally:
        ours.native.calls_fail_random(0)
    assert status < 0
    assert (set(out), length) == ({0}, 0)


def test_the_description_names_what_the_driver_has() -> None:
    text = (LIB / "psa" / "ecfit_transparent_driver.json").read_text(encoding="utf-8")
    for curve in PSA_CURVES.values():
        assert f"PSA_ECC_FAMILY_{curve.rpartition('_')[0]})" in text
        assert curve.rpartition("_")[2] in text
