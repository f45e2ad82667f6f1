"""compat/psa: published vectors, `cryptography` beside it, and what every argument may be.

psa-arch-tests are not here: `make long WHAT=compat-psa` runs them (tools/rigs/psa_peer.py).
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, utils, x448, x25519
from ref.curves import CURVES

from ecfit.build.elf import Elf
from ecfit.build.fetch import code_folder
from ecfit.choices.peers import all_peers
from tools.docs import example_table
from workshop.compat import psa as lib_psa
from workshop.compat.adapters import COMPAT, ROOT
from workshop.compat.psa import (
    ANY_HASH,
    ANY_USE,
    BAD_STATE,
    BUFFER_TOO_SMALL,
    DERIVE,
    DETERMINISTIC,
    ECDH,
    ECDSA,
    ED25519PH,
    EDWARDS,
    EXPORT,
    FFDH,
    HASH,
    INSUFFICIENT_ENTROPY,
    INSUFFICIENT_MEMORY,
    INVALID_ARGUMENT,
    INVALID_HANDLE,
    INVALID_SIGNATURE,
    KINDS,
    MONTGOMERY,
    NOT_PERMITTED,
    NOT_SUPPORTED,
    PURE_EDDSA,
    SETS,
    SHA,
    SIGN_HASH,
    SIGN_MESSAGE,
    SUCCESS,
    VERIFY_HASH,
    VERIFY_MESSAGE,
    WEIERSTRASS,
    Kind,
    Psa,
)  # fmt: skip
from workshop.library import sanitize as lib_sanitize
from workshop.scale import FULL, OUTER
from workshop.vectors.cavp import rfc6979
from workshop.vectors.rfc_published import KEY_VECTORS, SIGNATURES, X_VECTORS

# Keys of each curve, with several operations each. `make long WHAT=compat` takes all.
COUNT = 250 if FULL else 60 if OUTER else 8
SHA2 = ("sha256", "sha384", "sha512")
TWO = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
OF_OTHERS: dict[str, ec.EllipticCurve] = {
    "secp192r1": ec.SECP192R1(),
    "secp224r1": ec.SECP224R1(),
    "secp256r1": ec.SECP256R1(),
    "secp384r1": ec.SECP384R1(),
    "secp521r1": ec.SECP521R1(),
    "secp256k1": ec.SECP256K1(),
    "brainpoolP256r1": ec.BrainpoolP256R1(),
    "brainpoolP384r1": ec.BrainpoolP384R1(),
    "brainpoolP512r1": ec.BrainpoolP512R1(),
}
P256 = KINDS["secp256r1"]
KEY = bytes(range(1, 33))
DIGEST = hashlib.sha256(b"message").digest()
WITH = ECDSA | SHA["sha256"]
RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw


@cache
def every() -> Psa:
    """With all curves and hashes."""
    return Psa(tuple(KINDS))


@pytest.fixture
def psa() -> Iterator[Psa]:
    """The same, without keys."""
    every().restart()
    yield every()
    every().restart()


def point_of(name: str, number: int) -> bytes:
    """A public key, by `cryptography`."""
    other = ec.derive_private_key(number, OF_OTHERS[name]).public_key()
    return other.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


# ---- vectors -------------------------------------------------------------------------------------


def test_deterministic_ecdsa_is_rfc_6979(psa: Psa) -> None:
    """A.2.3 to A.2.7: with the hash of each vector, message and hash, bit for bit."""
    made = 0
    for vector in rfc6979():
        kind = KINDS[vector.curve]
        alg = DETERMINISTIC | SHA[vector.hash_name]
        key = psa.key(kind, vector.private_key.to_bytes(kind.size, "big"), alg)
        r, s = utils.decode_dss_signature(vector.der)
        wanted = r.to_bytes(kind.size, "big") + s.to_bytes(kind.size, "big")
        digest = hashlib.new(vector.hash_name, vector.message).digest()
        assert psa.verify("hash", key, alg, digest, wanted) == SUCCESS
        if vector.hash_name in SHA2:
            assert psa.sign("message", key, alg, vector.message) == (SUCCESS, wanted)
            assert psa.sign("hash", key, alg, digest) == (SUCCESS, wanted)
            assert psa.verify("message", key, alg, vector.message, wanted) == SUCCESS
            made += 1
        else:  # SHA-1 and SHA-224 are not there
            assert psa.sign("hash", key, alg, digest) == (NOT_SUPPORTED, b"")
            assert psa.sign("message", key, alg, vector.message) == (NOT_SUPPORTED, b"")
        assert psa.destroy(key) == SUCCESS
    assert made == 30


def test_pure_eddsa_is_rfc_8032(psa: Psa) -> None:
    made = 0
    for vector in SIGNATURES:
        if vector.curve not in EDWARDS or vector.context is not None or vector.prehashed:
            continue
        private, public, message, wanted = (
            bytes.fromhex(text)
            for text in (vector.private, vector.public, vector.message, vector.signature)
        )
        key = psa.key(KINDS[vector.curve], private, PURE_EDDSA)
        other = psa.public_key(KINDS[vector.curve], public, PURE_EDDSA)
        assert psa.public(key) == psa.public(other) == psa.export(other) == (SUCCESS, public)
        assert psa.sign("message", key, PURE_EDDSA, message) == (SUCCESS, wanted)
        for one in (key, other):
            assert psa.verify("message", one, PURE_EDDSA, message, wanted) == SUCCESS
            assert psa.verify("message", one, PURE_EDDSA, message + b"x", wanted) == (
                INVALID_SIGNATURE
            )
            assert psa.destroy(one) == SUCCESS
        made += 1
    assert made >= 5


def test_key_agreement_is_rfc_7748(psa: Psa) -> None:
    for vector in X_VECTORS:
        key = psa.key(KINDS[vector.curve], bytes.fromhex(vector.scalar), ECDH)
        shared = psa.agree(key, bytes.fromhex(vector.u))
        assert shared == (SUCCESS, bytes.fromhex(vector.result))
        assert psa.destroy(key) == SUCCESS
    for pair in KEY_VECTORS:
        kind = KINDS[pair.curve]
        one, two = (psa.key(kind, bytes.fromhex(k), ECDH) for k in (pair.private_a, pair.private_b))
        assert psa.public(one).out.hex() == pair.public_a
        assert psa.agree(one, bytes.fromhex(pair.public_b)).out.hex() == pair.shared
        assert psa.agree(two, bytes.fromhex(pair.public_a)).out.hex() == pair.shared
        assert (psa.destroy(one), psa.destroy(two)) == (SUCCESS, SUCCESS)


# ---- beside another implementation ---------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("name", WEIERSTRASS)
def test_beside_cryptography(name: str, psa: Psa) -> None:
    """Public keys, ECDH, signatures of both kinds, each verified by the other; damaged ones."""
    kind, source, n = WEIERSTRASS[name], random.Random(name), CURVES[name].n
    peer = ec.derive_private_key(source.randrange(1, n), OF_OTHERS[name])
    edges = [1, 2, n - 2, n - 1]
    for number in (*edges, *(source.randrange(1, n) for _ in range(COUNT))):
        private = number.to_bytes(kind.size, "big")
        other = ec.derive_private_key(number, OF_OTHERS[name])
        agreeing = psa.key(kind, private, ECDH)
        point = point_of(name, number)
        assert psa.public(agreeing) == (SUCCESS, point)
        assert psa.export(agreeing) == (SUCCESS, private)
        shared = psa.agree(agreeing, point_of(name, peer.private_numbers().private_value))
        assert shared == (SUCCESS, other.exchange(ec.ECDH(), peer.public_key()))
        sha = source.choice(SHA2)
        message = source.randbytes(source.randrange(200))
        for base in (ECDSA, DETERMINISTIC):
            signing = psa.key(kind, private, base | SHA[sha])
            verifying = psa.key(kind, point, base | SHA[sha])
            status, signature = psa.sign("message", signing, base | SHA[sha], message)
            assert status == SUCCESS
            r, s = (
                int.from_bytes(part, "big")
                for part in (signature[: kind.size], signature[kind.size :])
            )
            der = utils.encode_dss_signature(r, s)
            other.public_key().verify(der, message, ec.ECDSA(TWO[sha]))
            theirs = other.sign(message, ec.ECDSA(TWO[sha], deterministic_signing=True))
            if base == DETERMINISTIC:
                r, s = utils.decode_dss_signature(theirs)
                order = CURVES[name].n
                low = min(s, order - s) if name == "secp256k1" else s
                assert utils.encode_dss_signature(r, low) == der
            r, s = utils.decode_dss_signature(theirs)
            signature = r.to_bytes(kind.size, "big") + s.to_bytes(kind.size, "big")
            for key in (signing, verifying):
                assert psa.verify("message", key, base | SHA[sha], message, signature) == SUCCESS
            damaged = bytearray(signature)
            damaged[source.randrange(len(damaged))] ^= 1 << source.randrange(8)
            done = psa.verify("message", verifying, base | SHA[sha], message, bytes(damaged))
            assert done == INVALID_SIGNATURE
            assert (psa.destroy(signing), psa.destroy(verifying)) == (SUCCESS, SUCCESS)
        assert psa.destroy(agreeing) == SUCCESS


@pytest.mark.sampled
def test_curves_of_the_rfcs_beside_cryptography(psa: Psa) -> None:
    source = random.Random(7748)
    exchange: dict[str, Any] = {"x25519": x25519.X25519PrivateKey, "x448": x448.X448PrivateKey}
    signing: dict[str, Any] = {"ed25519": ed25519.Ed25519PrivateKey, "ed448": ed448.Ed448PrivateKey}
    for _ in range(COUNT):
        for name, theirs in exchange.items():
            kind = KINDS[name]
            private, peer = source.randbytes(kind.size), source.randbytes(kind.size)
            key = psa.key(kind, private, ECDH)
            mine, yours = theirs.from_private_bytes(private), theirs.from_private_bytes(peer)
            assert psa.public(key).out == mine.public_key().public_bytes(*RAW)
            shared = psa.agree(key, yours.public_key().public_bytes(*RAW))
            assert shared == (SUCCESS, mine.exchange(yours.public_key()))
            assert psa.destroy(key) == SUCCESS
        for name, signer in signing.items():
            kind, message = KINDS[name], source.randbytes(source.randrange(200))
            private = source.randbytes(kind.size)
            key = psa.key(kind, private, PURE_EDDSA)
            wanted = signer.from_private_bytes(private).sign(message)
            assert psa.sign("message", key, PURE_EDDSA, message) == (SUCCESS, wanted)
            damaged = bytearray(wanted)
            damaged[source.randrange(len(damaged))] ^= 1 << source.randrange(8)
            done = psa.verify("message", key, PURE_EDDSA, message, bytes(damaged))
            assert done == INVALID_SIGNATURE
            assert psa.destroy(key) == SUCCESS


@pytest.mark.parametrize("name", KINDS)
def test_a_generated_key_is_one(name: str, psa: Psa) -> None:
    kind = KINDS[name]
    alg = ECDH if name in MONTGOMERY else PURE_EDDSA if name in EDWARDS else WITH
    status, key = psa.generated(psa.attributes(kind.pair, alg, bits=kind.bits))
    assert status == SUCCESS
    assert psa.asked[-1] == kind.size
    status, private = psa.export(key)
    assert (status, len(private)) == (SUCCESS, kind.size)
    assert psa.public(psa.key(kind, private)) == psa.public(key)
    if name in WEIERSTRASS:
        assert 0 < int.from_bytes(private, "big") < CURVES[name].n
    if alg != ECDH:
        signature = psa.sign("message", key, alg, b"m")
        assert psa.verify("message", key, alg, b"m", signature.out) == SUCCESS
    status, found = psa.attributes_of(key)
    assert (status, found.type, found.bits, found.usage) == (SUCCESS, kind.pair, kind.bits, ANY_USE)
    assert (found.algorithm, found.id, found.lifetime) == (alg, key, 0)


# ---- keys: arguments -----------------------------------------------------------------------------


def test_import_refuses(psa: Psa) -> None:
    """Curves, sizes, ranges and points that are not right."""
    n, point = CURVES["secp256r1"].n, point_of("secp256r1", 5)
    pair, public = P256.pair, P256.public

    def status(type_: int, bits: int, data: bytes, **more: int) -> int:
        status, key = psa.imported(psa.attributes(type_, WITH, bits=bits, **more), data)
        if status == SUCCESS:
            assert psa.attributes_of(key)[1].bits in (256, bits)
            assert psa.destroy(key) == SUCCESS
        assert psa.c.bytes_in_use() == 0, "something is left of a key"
        return status

    for bits in (0, 256):
        assert status(pair, bits, KEY) == status(public, bits, point) == SUCCESS
        for data in (KEY[:31], KEY + b"\0", b"", point):
            assert status(pair, bits, data) == INVALID_ARGUMENT
        for data in (point[:64], point + b"\0", b"", KEY):
            assert status(public, bits, data) == INVALID_ARGUMENT
        for number in (0, n, n + 1, 2**256 - 1):
            assert status(pair, bits, number.to_bytes(32, "big")) == INVALID_ARGUMENT
        for lead in (0, 2, 3, 5, 6):
            assert status(public, bits, bytes([lead]) + point[1:]) == INVALID_ARGUMENT
        assert status(public, bits, point[:-1] + bytes([point[-1] ^ 1])) == INVALID_ARGUMENT
        assert status(public, bits, b"\x04" + bytes(64)) == INVALID_ARGUMENT
    assert status(pair, 257, KEY) == status(pair, 160, KEY[:20]) == NOT_SUPPORTED
    for type_ in (0, 0x1001, 0x1100, 0x2400, 0x4001, 0x7001, 0x711B, 0x7200, 0x8100):
        assert status(type_, 256, KEY) == NOT_SUPPORTED, hex(type_)
    assert status(pair, 256, KEY, lifetime=1) == NOT_SUPPORTED
    assert status(pair, 256, KEY, lifetime=0x100) == NOT_SUPPORTED
    assert status(pair, 256, KEY, id=5) == SUCCESS
    assert status(pair, 256, KEY, usage=0x10000) == INVALID_ARGUMENT


def test_generate_refuses(psa: Psa) -> None:
    def status(type_: int, bits: int, **more: int) -> int:
        found = psa.generated(psa.attributes(type_, WITH, bits=bits, **more))[0]
        assert psa.c.bytes_in_use() == 0, "something is left of a key"
        return found

    assert status(P256.public, 256) == status(P256.pair, 0) == INVALID_ARGUMENT
    assert status(P256.pair, 257) == status(0x2400, 128) == NOT_SUPPORTED
    assert status(P256.pair, 256, lifetime=1) == NOT_SUPPORTED
    for byte in (0, 0x55, 0xFF):  # a generator that is stuck
        stuck = lib_psa.FILL(lambda _, out, size, b=byte: (ctypes.memset(out, b, size), 0)[1])
        psa.c.choose_generator(stuck)
        assert status(P256.pair, 256) == status(KINDS["x25519"].pair, 255) == INSUFFICIENT_ENTROPY
    psa.c.choose_generator(None)
    assert status(P256.pair, 256) == INSUFFICIENT_ENTROPY


def test_drawn_keys_are_what_is_drawn(psa: Psa) -> None:
    """Numbers that are not in range are drawn again; bits above the order do not count."""
    n = CURVES["secp521r1"].n
    draws = [n.to_bytes(66, "big"), (n + 5).to_bytes(66, "big"), b"\xff" * 65 + b"\xfe",
             (n - 1 + (0x7F << 521)).to_bytes(66, "big")]  # fmt: skip

    def fill(_: int | None, out: ctypes._Pointer[ctypes.c_uint8], size: int) -> int:
        ctypes.memmove(out, draws.pop(0), size)
        return 0

    chosen = lib_psa.FILL(fill)
    psa.c.choose_generator(chosen)
    kind = KINDS["secp521r1"]
    status, key = psa.generated(psa.attributes(kind.pair, WITH, bits=521))
    assert (status, draws) == (SUCCESS, [])
    assert psa.export(key) == (SUCCESS, (n - 1).to_bytes(66, "big"))


def test_montgomery_keys_are_as_rfc_7748_says(psa: Psa) -> None:
    """Bits are set and cleared when a key comes in."""
    for fill in (b"\0", b"\xff"):
        one = psa.export(psa.key(KINDS["x25519"], fill * 32)).out
        assert (one[0], one[31]) == (0xF8 & fill[0], 0x40 | 0x7F & fill[0])
        two = psa.export(psa.key(KINDS["x448"], fill * 56)).out
        assert (two[0], two[55]) == (0xFC & fill[0], 0x80 | fill[0])
    psa.restart()


def test_slots(psa: Psa) -> None:
    """Four keys, a fifth one that finds no place; identifiers do not come again at once."""
    keys = [psa.key(P256, KEY, WITH) for _ in range(4)]
    assert len(set(keys)) == 4
    assert all(0x40000000 <= key <= 0x7FFFFFFF for key in keys)
    attributes = psa.attributes(P256.pair, WITH, bits=256)
    assert psa.imported(attributes, KEY) == (INSUFFICIENT_MEMORY, 0)
    assert psa.generated(attributes) == (INSUFFICIENT_MEMORY, 0)
    assert psa.destroy(keys[2]) == SUCCESS
    assert psa.destroy(keys[2]) == INVALID_HANDLE
    new = psa.key(P256, KEY, WITH)
    assert new not in keys
    psa.c.set_last_id(ctypes.c_uint32(keys[0] - 1))  # one that is in use is left out
    assert psa.destroy(new) == SUCCESS
    assert psa.key(P256, KEY, WITH) not in keys[:2]
    psa.restart()
    psa.c.set_last_id(ctypes.c_uint32(0x7FFFFFFF))
    assert psa.key(P256, KEY, WITH) == 0x40000000


def test_what_no_key_is(psa: Psa) -> None:
    """0, one that was destroyed, and numbers that are none."""
    key = psa.key(P256, KEY, WITH)
    assert psa.destroy(key) == SUCCESS
    assert psa.c.bytes_in_use() == 0
    assert psa.destroy(0) == SUCCESS
    for none in (key, 0, 1, 0xFFFFFFFF):
        if none:
            assert psa.destroy(none) == INVALID_HANDLE
        status, found = psa.attributes_of(none)
        assert (status, bytes(found)) == (INVALID_HANDLE, bytes(20))
        assert psa.export(none)[0] == psa.public(none)[0] == INVALID_HANDLE
        for what in ("hash", "message"):
            assert psa.sign(what, none, WITH, DIGEST)[0] == INVALID_HANDLE
            assert psa.verify(what, none, WITH, DIGEST, bytes(64)) == INVALID_HANDLE
        assert psa.agree(none, point_of("secp256r1", 5))[0] == INVALID_HANDLE


def test_before_psa_crypto_init(psa: Psa) -> None:
    psa.c.forget()
    attributes = psa.attributes(P256.pair, WITH, bits=256)
    assert psa.imported(attributes, KEY)[0] == psa.generated(attributes)[0] == BAD_STATE
    assert psa.destroy(1) == psa.destroy(0) == psa.attributes_of(1)[0] == BAD_STATE
    assert psa.export(1)[0] == psa.public(1)[0] == BAD_STATE
    assert psa.sign("hash", 1, WITH, DIGEST)[0] == BAD_STATE
    assert psa.verify("hash", 1, WITH, DIGEST, bytes(64)) == BAD_STATE
    assert psa.agree(1, bytes(65))[0] == BAD_STATE
    assert psa.c.psa_generate_random(bytes(4), ctypes.c_size_t(4)) == BAD_STATE
    assert psa.compute(HASH | 9, b"") == (SUCCESS, hashlib.sha256().digest())  # needs no state
    assert psa.c.psa_crypto_init() == psa.c.psa_crypto_init() == SUCCESS


def test_export(psa: Psa) -> None:
    """A private key needs its usage flag, a public one does not; sizes of buffers."""
    pair, closed = psa.key(P256, KEY, usage=EXPORT), psa.key(P256, KEY, usage=ANY_USE ^ EXPORT)
    public = psa.key(P256, psa.public(pair).out, usage=0)
    assert psa.export(pair, 32) == (SUCCESS, KEY)
    assert psa.export(pair, 31) == (BUFFER_TOO_SMALL, b"")
    assert psa.export(closed) == (NOT_PERMITTED, b"")
    for key in (pair, closed, public):
        assert psa.public(key, 65).status == SUCCESS
        assert psa.public(key, 64) == (BUFFER_TOO_SMALL, b"")
    assert psa.export(public, 65) == psa.public(public)
    assert psa.export(public, 64) == (BUFFER_TOO_SMALL, b"")


def test_random(psa: Psa) -> None:
    room = ctypes.create_string_buffer(40)
    assert psa.c.psa_generate_random(room, ctypes.c_size_t(32)) == SUCCESS
    assert any(room.raw[:32])
    assert not any(room.raw[32:])
    psa.c.choose_generator(None)
    assert psa.c.psa_generate_random(room, ctypes.c_size_t(32)) == INSUFFICIENT_ENTROPY
    assert psa.c.psa_generate_random(room, ctypes.c_size_t(0)) == SUCCESS


# ---- signatures and key agreement: arguments -----------------------------------------------------


@pytest.mark.parametrize(
    ("usage", "allowed"),
    [
        (0, set()),
        (EXPORT | DERIVE, set()),
        (SIGN_HASH, {"sign hash", "sign message"}),
        (SIGN_MESSAGE, {"sign message"}),
        (VERIFY_HASH, {"verify hash", "verify message"}),
        (VERIFY_MESSAGE, {"verify message"}),
    ],
)
def test_usages(usage: int, allowed: set[str], psa: Psa) -> None:
    """A flag for hashes allows messages, too."""
    full, key = psa.key(P256, KEY, WITH), psa.key(P256, KEY, WITH, usage)
    for what, data in (("hash", DIGEST), ("message", b"message")):
        signature = psa.sign(what, full, WITH, data).out
        wanted = SUCCESS if f"sign {what}" in allowed else NOT_PERMITTED
        assert psa.sign(what, key, WITH, data)[0] == wanted
        wanted = SUCCESS if f"verify {what}" in allowed else NOT_PERMITTED
        assert psa.verify(what, key, WITH, data, signature) == wanted
    agreeing = psa.key(P256, KEY, ECDH, usage)
    done = psa.agree(agreeing, point_of("secp256r1", 5))[0]
    assert done == (SUCCESS if usage & DERIVE else NOT_PERMITTED)


def test_permitted_algorithms(psa: Psa) -> None:
    """The one of the attributes; where that is for any hash, each hash, of the same base."""
    for base in (ECDSA, DETERMINISTIC):
        other = ECDSA ^ DETERMINISTIC ^ base
        one, any_ = psa.key(P256, KEY, base | 9), psa.key(P256, KEY, base | ANY_HASH)
        for key, sha, wanted in (
            (one, 9, SUCCESS), (one, 10, NOT_PERMITTED), (any_, 9, SUCCESS), (any_, 10, SUCCESS),
        ):  # fmt: skip
            data = bytes([1]) * (32 if sha == 9 else 48)
            assert psa.sign("hash", key, base | sha, data)[0] == wanted
            assert psa.sign("message", key, base | sha, data)[0] == wanted
            assert psa.sign("hash", key, other | sha, data)[0] == NOT_PERMITTED
        assert psa.sign("hash", any_, base | ANY_HASH, DIGEST)[0] == INVALID_ARGUMENT
        assert psa.sign("hash", any_, base, DIGEST)[0] == NOT_PERMITTED
        assert psa.agree(any_, point_of("secp256r1", 5))[0] == NOT_PERMITTED
        assert (psa.destroy(one), psa.destroy(any_)) == (SUCCESS, SUCCESS)
    none = psa.key(P256, KEY, 0)
    assert psa.sign("hash", none, WITH, DIGEST)[0] == NOT_PERMITTED
    raw = psa.key(P256, KEY, ECDSA)
    for size, wanted in ((15, INVALID_ARGUMENT), (16, SUCCESS), (33, SUCCESS), (64, SUCCESS),
                         (65, INVALID_ARGUMENT), (0, INVALID_ARGUMENT)):  # fmt: skip
        assert psa.sign("hash", raw, ECDSA, b"\1" * size)[0] == wanted
    assert psa.sign("message", raw, ECDSA, b"m")[0] == INVALID_ARGUMENT
    wide = psa.key(P256, KEY, DETERMINISTIC)  # without a hash there is no HMAC
    assert psa.sign("hash", wide, DETERMINISTIC, DIGEST)[0] == NOT_SUPPORTED


def test_algorithms_that_do_not_fit(psa: Psa) -> None:
    ed, mont = KINDS["ed25519"], KINDS["x25519"]
    for kind, data, alg, wanted in (
        (P256, KEY, PURE_EDDSA, INVALID_ARGUMENT),
        (P256, KEY, 0x06000209, INVALID_ARGUMENT),  # RSA
        (P256, KEY, 0x06000309, INVALID_ARGUMENT),
        (P256, KEY, HASH | 9, INVALID_ARGUMENT),
        (P256, KEY, ECDH, INVALID_ARGUMENT),
        (P256, KEY, ED25519PH, INVALID_ARGUMENT),
        (P256, KEY, 0, INVALID_ARGUMENT),
        (ed, KEY, WITH, INVALID_ARGUMENT),
        (ed, KEY, ED25519PH, NOT_SUPPORTED),
        (mont, KEY, WITH, INVALID_ARGUMENT),
        (mont, KEY, PURE_EDDSA, INVALID_ARGUMENT),
    ):
        key = psa.key(kind, data, alg)
        for what, bytes_ in (("hash", DIGEST), ("message", b"m")):
            found = INVALID_ARGUMENT if what == "hash" and alg == PURE_EDDSA else wanted
            assert psa.sign(what, key, alg, bytes_)[0] == found, (kind, hex(alg))
            assert psa.verify(what, key, alg, bytes_, bytes(64)) == found
        assert psa.destroy(key) == SUCCESS
    public = psa.key(P256, point_of("secp256r1", 5), WITH)
    assert psa.sign("hash", public, WITH, DIGEST)[0] == INVALID_ARGUMENT
    assert psa.sign("message", public, WITH, b"m")[0] == INVALID_ARGUMENT
    small = psa.key(P256, KEY, ECDSA | SHA["sha1"])
    assert psa.sign("hash", small, ECDSA | SHA["sha1"], b"\1" * 20)[0] == SUCCESS
    assert psa.sign("message", small, ECDSA | SHA["sha1"], b"m")[0] == NOT_SUPPORTED


def test_sizes_of_signatures_and_hashes(psa: Psa) -> None:
    for name in (*WEIERSTRASS, *EDWARDS):
        kind = KINDS[name]
        alg = PURE_EDDSA if name in EDWARDS else WITH
        key = psa.key(kind, bytes([0, *range(1, kind.size)]), alg)
        size = 2 * kind.size
        status, signature = psa.sign("message", key, alg, b"m", size)
        assert (status, len(signature)) == (SUCCESS, size)
        assert psa.sign("message", key, alg, b"m", size - 1) == (BUFFER_TOO_SMALL, b"")
        for wrong in (signature[:-1], signature + b"\0", b""):
            assert psa.verify("message", key, alg, b"m", wrong) == INVALID_SIGNATURE
        assert psa.verify("message", key, alg, b"m", bytes(size)) == INVALID_SIGNATURE
        assert psa.destroy(key) == SUCCESS
    key = psa.key(P256, KEY, WITH)
    for data in (DIGEST[:31], DIGEST + b"\0", b"", bytes(32)):  # a hash of zeros: anybody can
        assert psa.sign("hash", key, WITH, data) == (INVALID_ARGUMENT, b"")
        assert psa.verify("hash", key, WITH, data, b"\1" * 64) == INVALID_ARGUMENT


def test_signing_without_a_generator(psa: Psa) -> None:
    """Randomised ECDSA needs one; the others do not ask for it."""
    random_, fixed = psa.key(P256, KEY, WITH), psa.key(P256, KEY, DETERMINISTIC | 9)
    ed = psa.key(KINDS["ed25519"], KEY, PURE_EDDSA)
    first = psa.sign("hash", fixed, DETERMINISTIC | 9, DIGEST)
    assert psa.sign("hash", random_, WITH, DIGEST) != psa.sign("hash", random_, WITH, DIGEST)
    psa.c.choose_generator(None)
    assert psa.sign("hash", random_, WITH, DIGEST) == (INSUFFICIENT_ENTROPY, b"")
    assert psa.sign("hash", fixed, DETERMINISTIC | 9, DIGEST) == first
    assert psa.sign("message", ed, PURE_EDDSA, b"m")[0] == SUCCESS


def test_key_agreement_refuses(psa: Psa) -> None:
    key, point = psa.key(P256, KEY, ECDH), point_of("secp256r1", 5)
    assert psa.agree(key, point, 32)[0] == SUCCESS
    assert psa.agree(key, point, 31) == (BUFFER_TOO_SMALL, b"")
    off = point[:-1] + bytes([point[-1] ^ 1])
    for peer in (point[:64], point + b"\0", b"", point[1:], off, b"\x04" + bytes(64), b"\0" * 65):
        assert psa.agree(key, peer) == (INVALID_ARGUMENT, b"")
    assert psa.agree(key, point, algorithm=FFDH)[0] == NOT_SUPPORTED
    for algorithm in (0, WITH, ECDH | 0x109, HASH | 9):
        assert psa.agree(key, point, algorithm=algorithm)[0] == INVALID_ARGUMENT
    public = psa.key(P256, point, ECDH)
    assert psa.agree(public, point)[0] == INVALID_ARGUMENT
    assert psa.destroy(public) == SUCCESS
    assert psa.agree(psa.key(KINDS["ed25519"], KEY, ECDH), KEY)[0] == INVALID_ARGUMENT
    mont = psa.key(KINDS["x25519"], KEY, ECDH)
    for small in (bytes(32), b"\1" + bytes(31)):  # of small order
        assert psa.agree(mont, small) == (INVALID_ARGUMENT, b"")


@pytest.mark.parametrize("name", KINDS)
def test_a_public_key_is_no_private_one(name: str, psa: Psa) -> None:
    """Also where it has the length of one, as with the curves of RFC 7748 and 8032."""
    kind = KINDS[name]
    alg = ECDH if name in MONTGOMERY else PURE_EDDSA if name in EDWARDS else WITH
    pair = psa.key(kind, KEY[:1].rjust(kind.size, b"\1"), ECDH)
    point = psa.public(pair).out
    for data in (point, KEY[:1].rjust(kind.size, b"\1")):
        status, key = psa.imported(psa.attributes(kind.public, ECDH, bits=kind.bits), data)
        if status == SUCCESS:
            assert psa.agree(key, point) == (INVALID_ARGUMENT, b"")
    signing = psa.public_key(kind, point, alg)
    assert psa.sign("hash", signing, alg, DIGEST) == (INVALID_ARGUMENT, b"")
    assert psa.sign("message", signing, alg, b"m") == (INVALID_ARGUMENT, b"")
    psa.restart()
    assert psa.generated(psa.attributes(kind.public, alg, bits=kind.bits))[0] == INVALID_ARGUMENT


# ---- hashes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHA2)
def test_hashes(name: str, psa: Psa) -> None:
    """At once and in parts of all sizes, clones and comparisons."""
    source, alg = random.Random(name), HASH | SHA[name]
    for size in (0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000):
        data = source.randbytes(size)
        wanted = hashlib.new(name, data).digest()
        assert psa.compute(alg, data) == (SUCCESS, wanted)
        assert psa.compute(alg, data, len(wanted) - 1) == (BUFFER_TOO_SMALL, b"")
        assert psa.compare(alg, data, wanted) == SUCCESS
        one, two, three = psa.operation(), psa.operation(), psa.operation()
        assert one.setup(alg) == SUCCESS
        cut = source.randrange(size + 1)
        assert one.update(data[:cut]) == SUCCESS
        assert one.clone(two) == one.clone(three) == SUCCESS
        for operation in (one, two):
            assert operation.update(data[cut:]) == operation.update(b"") == SUCCESS
        assert one.finish() == (SUCCESS, wanted)
        assert two.verify(wanted) == SUCCESS
        assert three.abort() == SUCCESS
        for ended in (one, two, three):
            assert ended.update(b"") == BAD_STATE
            assert not any(ended.room)
    for wrong in (wanted[:-1], wanted + b"\0", b"", wanted[:-1] + bytes([wanted[-1] ^ 1])):
        assert psa.compare(alg, data, wrong) == INVALID_SIGNATURE


def test_order_of_hash_functions(psa: Psa) -> None:
    one, two = psa.operation(), psa.operation()
    assert one.update(b"") == one.finish()[0] == one.verify(b"") == one.clone(two) == BAD_STATE
    assert one.abort() == two.abort() == SUCCESS
    for alg, wanted in ((HASH | 5, NOT_SUPPORTED), (HASH | 8, NOT_SUPPORTED),
                        (HASH | 0x11, NOT_SUPPORTED), (HASH | 0xFF, NOT_SUPPORTED),
                        (0, INVALID_ARGUMENT), (WITH, INVALID_ARGUMENT)):  # fmt: skip
        assert one.setup(alg) == wanted
        assert psa.compute(alg, b"")[0] == psa.compare(alg, b"", b"") == wanted
    assert one.setup(HASH | 9) == SUCCESS
    assert one.setup(HASH | 9) == BAD_STATE
    assert one.setup(HASH | 9) == two.setup(HASH | 9) == SUCCESS
    assert one.clone(two) == BAD_STATE
    assert one.finish(31) == (BUFFER_TOO_SMALL, b"")
    assert one.finish()[0] == BAD_STATE


# ---- headers and configurations ------------------------------------------------------------------


def test_values_are_those_of_mbed_tls(tmp_path: Path) -> None:
    """Every object-like macro of ours that its headers have, and some that take arguments."""
    theirs = code_folder(all_peers()["mbedtls"]) / "mbedtls" / "include"
    ours = COMPAT / "psa"
    text = "".join(
        (ours / "psa" / name).read_text("utf-8")
        for name in ("crypto_values.h", "error.h", "crypto_sizes.h")
    )
    names = re.findall(r"^#define (PSA_\w+) ", text, re.MULTILINE)
    names = [name for name in names if not name.endswith("MAX_SIZE") and "MAX_CURVE" not in name]
    taken = [
        f"PSA_KEY_TYPE_{macro}({type_})"
        for macro in ("IS_ECC", "IS_KEY_PAIR", "IS_PUBLIC_KEY", "IS_RSA", "IS_ASYMMETRIC",
                      "IS_UNSTRUCTURED", "ECC_GET_FAMILY", "IS_DH")
        for type_ in ("0x1001", "0x2400", "0x4001", "0x7001", "0x4112", "0x7112", "0x7142")
    ]  # fmt: skip
    algorithms = ("0x06000600", "0x06000609", "0x0600070a", "0x060006ff", "0x06000800",
                  "0x0600090b", "0x02000009", "0x06000209", "0x06001309", "0x09020000",
                  "0x09020109", "0x09010000")  # fmt: skip
    taken += [
        f"PSA_ALG_{macro}({alg})"
        for macro in ("IS_SIGN", "IS_SIGN_HASH", "IS_SIGN_MESSAGE", "IS_HASH_AND_SIGN", "IS_ECDSA",
                      "IS_DETERMINISTIC_ECDSA", "IS_RANDOMIZED_ECDSA", "IS_HASH_EDDSA", "GET_HASH",
                      "SIGN_GET_HASH", "IS_KEY_AGREEMENT", "IS_RAW_KEY_AGREEMENT", "IS_ECDH",
                      "IS_HASH", "IS_WILDCARD", "KEY_AGREEMENT_GET_BASE")
        for alg in algorithms
    ]  # fmt: skip
    taken += [f"PSA_HASH_LENGTH(0x020000{byte:02x})" for byte in (3, 4, 5, 8, 9, 10, 11, 0x11)]
    for type_, bits in ((0x4112, 256), (0x7112, 256), (0x7112, 521), (0x7117, 256), (0x7141, 255)):
        for macro in ("KEY_OUTPUT_SIZE", "PUBLIC_KEY_OUTPUT_SIZE"):
            if macro == "KEY_OUTPUT_SIZE" or type_ != 0x7141:  # where theirs is an upper bound
                taken.append(f"PSA_EXPORT_{macro}({type_}, {bits})")
        taken.append(f"PSA_SIGN_OUTPUT_SIZE({type_}, {bits}, 0x06000609)")
        taken.append(f"PSA_RAW_KEY_AGREEMENT_OUTPUT_SIZE({type_}, {bits})")
    program = '#include <stdio.h>\n#include "psa/crypto.h"\nint main(void)\n{\n'
    for name in names:
        program += f'#ifdef {name}\n    printf("{name} %lld\\n", (long long)({name}));\n#endif\n'
    for word in taken:
        program += f'    printf("{word} %lld\\n", (long long)({word}));\n'
    (tmp_path / "values.c").write_text(program + "}\n", encoding="utf-8")
    (tmp_path / "config.h").write_text(
        "#define MBEDTLS_PSA_CRYPTO_C\n#define MBEDTLS_ECP_C\n#define MBEDTLS_BIGNUM_C\n"
        "#define MBEDTLS_ECDH_C\n#define MBEDTLS_ECDSA_C\n"
        "#define MBEDTLS_ECP_DP_SECP521R1_ENABLED\n"
        "#define MBEDTLS_ECP_DP_CURVE25519_ENABLED\n#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG\n"
        "#define MBEDTLS_ASN1_PARSE_C\n#define MBEDTLS_ASN1_WRITE_C\n",
        encoding="utf-8",
    )
    printed = []
    for include in (
        [f"-I{ours}", f"-I{header_folder(tmp_path)}", f"-I{ROOT / 'lib' / 'include'}"],
        [f"-I{theirs}", f'-DMBEDTLS_CONFIG_FILE="{tmp_path / "config.h"}"'],
    ):
        command = ["cc", "-w", *include, str(tmp_path / "values.c"), "-o", str(tmp_path / "values")]
        subprocess.run(command, check=True)
        done = subprocess.run([tmp_path / "values"], check=True, capture_output=True, text=True)
        printed.append(dict(line.rsplit(" ", 1) for line in done.stdout.splitlines()))
    mine, other = printed
    both = mine.keys() & other.keys()
    both -= {"PSA_ALG_IS_SIGN_MESSAGE(0x06000600)"}  # by the specification 0: it names no hash
    assert len(both) > 250
    assert {name: mine[name] for name in both} == {name: other[name] for name in both}


def header_folder(folder: Path) -> Path:
    """A folder with the ecfit_config.h of all curves, written into one of `folder`."""
    command = [*example_table.ECFIT, "config", "--target", "host", "--curve"]
    command += ["secp521r1,x25519", "--set", "secp521r1.NONCE=random,"
                "HASH_STREAM=own,SHA256=own", "-o", str(folder / "config")]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    return folder / "config"


@pytest.mark.parametrize("compiler", [["cc", "-std=c99", "-xc"], ["g++", "-std=c++11", "-xc++"]])
def test_headers_are_c99_and_c_plus_plus(compiler: list[str], tmp_path: Path) -> None:
    folders = [COMPAT / "psa", header_folder(tmp_path), ROOT / "lib" / "include"]
    text = '#include "psa/crypto.h"\npsa_key_attributes_t a = PSA_KEY_ATTRIBUTES_INIT;\n'
    text += "psa_hash_operation_t o = PSA_HASH_OPERATION_INIT;\n"
    text += "unsigned char s[PSA_SIGN_OUTPUT_SIZE(PSA_KEY_TYPE_ECC_KEY_PAIR(0x12), 256,\n"
    text += "    PSA_ALG_ECDSA_ANY)], t[PSA_SIGNATURE_MAX_SIZE == 132 ? 1 : -1];\n"
    done = subprocess.run(
        [*compiler[:-1], "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wpedantic",
         *(f"-I{folder}" for folder in folders), compiler[-1], "-"],
        input=text, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        (SETS | {"HASH_STREAM": "none"}, "HASH_STREAM=own"),
        (SETS | {"NONCE": "deterministic"}, "secp256r1.NONCE=random"),
        (SETS | {"BLIND": "coordinates"}, "secp256r1.BLIND=none"),
    ],
)
def test_a_wrong_configuration_is_an_error(sets: dict[str, str], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        Psa(("secp256r1",), sets)


def test_one_curve_alone() -> None:
    """With SHA-256 alone: others are not supported, and slots are small."""
    psa = Psa(("secp256r1",), SETS | {"SHA512": "none"})
    key = psa.key(P256, KEY, DETERMINISTIC | ANY_HASH)
    assert psa.sign("message", key, DETERMINISTIC | 9, b"m")[0] == SUCCESS
    assert psa.sign("message", key, DETERMINISTIC | 11, b"m")[0] == NOT_SUPPORTED
    assert psa.sign("hash", key, DETERMINISTIC | 11, b"\1" * 64)[0] == NOT_SUPPORTED
    assert psa.compute(HASH | 11, b"")[0] == NOT_SUPPORTED
    for name, kind in KINDS.items():
        if name != "secp256r1":
            data = bytes([0, *range(1, kind.size)])
            found = psa.imported(psa.attributes(kind.pair, bits=kind.bits), data)
            assert found == (NOT_SUPPORTED, 0)
    assert psa.c.operation_bytes() <= 112
    psa.restart()


def test_ed25519ph_where_the_configuration_has_it() -> None:
    """RFC 8032, 7.3: of the message and of its hash; without SIGN=eddsa_all it is not supported."""
    both = {"SIGN": "eddsa_all", "VERIFY": "eddsa_all", "HASH_STREAM": "own", "SHA256": "none"}
    psa, alone = Psa(("ed25519",), both), Psa(("ed25519",), {"HASH_STREAM": "own"})
    vector = next(one for one in SIGNATURES if one.curve == "ed25519" and one.prehashed)
    texts = vector.private, vector.public, vector.message, vector.signature
    private, public, message, wanted = map(bytes.fromhex, texts)
    kind, digest = KINDS["ed25519"], hashlib.sha512(message).digest()
    key, other = psa.key(kind, private, ED25519PH), psa.public_key(kind, public, ED25519PH)
    for what, data in (("message", message), ("hash", digest)):
        assert psa.sign(what, key, ED25519PH, data) == (SUCCESS, wanted)
        for one in (key, other):
            assert psa.verify(what, one, ED25519PH, data, wanted) == SUCCESS
        damaged = bytes([data[0] ^ 1]) + data[1:]
        assert psa.verify(what, other, ED25519PH, damaged, wanted) == INVALID_SIGNATURE
        given = alone.sign(what, alone.key(kind, private, ED25519PH), ED25519PH, data)
        assert given == (NOT_SUPPORTED, b"")
    assert psa.sign("hash", key, ED25519PH, digest[:63])[0] == INVALID_ARGUMENT
    plain = psa.key(kind, private, PURE_EDDSA)
    assert psa.sign("message", plain, ED25519PH, message)[0] == NOT_PERMITTED
    assert psa.verify("message", psa.public_key(kind, public, PURE_EDDSA), PURE_EDDSA,
                      message, wanted) == INVALID_SIGNATURE  # fmt: skip


def test_edwards_alone() -> None:
    psa = Psa(("ed25519",), {"HASH_STREAM": "own", "SHA256": "none"})
    key = psa.key(KINDS["ed25519"], KEY, PURE_EDDSA)
    wanted = ed25519.Ed25519PrivateKey.from_private_bytes(KEY).sign(b"m")
    assert psa.sign("message", key, PURE_EDDSA, b"m") == (SUCCESS, wanted)
    assert psa.compute(HASH | 9, b"")[0] == NOT_SUPPORTED
    psa.restart()


@pytest.mark.parametrize("other", ["", "MBEDTLS", "MBEDTLS P256M"])
def test_the_example_with_each_library(other: str, tmp_path: Path) -> None:
    values = {"MBEDTLS": code_folder(all_peers()["mbedtls"]) / "mbedtls", "P256M": 1}
    words = [f"{name}={values[name]}" for name in other.split()]
    done = example_table.make("psa", "host", tmp_path, "run", *words)
    assert done.returncode == 0, done.stderr
    assert "signature and verification: done\n" in done.stdout


def test_a_verification_is_small_on_a_cortex_m0plus(tmp_path: Path) -> None:
    """With all that it calls: docs/from-psa.md has the figure."""
    sizes = []
    for part in "0v":
        folder = tmp_path / part
        done = example_table.make("psa", "samd20", folder, f"DEFINES=-DPART=\"'{part}'\"")
        assert done.returncode == 0, done.stderr
        elf = Elf((folder / "psa.elf").read_bytes(), "EM_ARM")
        sizes.append(sum(len(segment.data) for segment in elf.segments))
    assert 4000 < sizes[1] - sizes[0] <= 6000


@pytest.mark.ci
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="already under a sanitizer")
def test_sanitized() -> None:
    """All of this again under the address and undefined-behaviour sanitizers."""
    variables = lib_sanitize.environment("clang") | {"ECFIT_TEST_SCALE": "small"}
    flags = variables["ECFIT_TEST_CFLAGS"].replace("-O1", "-O0")  # all curves in half a minute
    variables["ECFIT_TEST_CFLAGS"] = flags
    files = __file__, str(Path(__file__).with_name("test_psa_storage.py"))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", *files]
    leave = "not sanitized and not mbed_tls and not headers and not wrong_configuration"
    leave += " and not example and not cortex"
    run = subprocess.run(
        [*command, "-k", leave], env=variables, capture_output=True, text=True, timeout=900,
        check=False, cwd=ROOT,
    )  # fmt: skip
    assert run.returncode == 0, f"{run.stdout[-4000:]}\n{run.stderr[-8000:]}"
    assert " passed" in run.stdout


def test_a_wrong_signature_is_wrong_elsewhere_too(psa: Psa) -> None:
    """That the comparisons above could fail."""
    key = psa.key(P256, KEY, WITH)
    signature = psa.sign("hash", key, WITH, DIGEST).out
    r, s = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
    other = ec.derive_private_key(int.from_bytes(KEY, "big"), ec.SECP256R1()).public_key()
    with pytest.raises(InvalidSignature):
        other.verify(utils.encode_dss_signature(r, s ^ 1), b"message", ec.ECDSA(hashes.SHA256()))


def test_kinds_are_those_of_the_library() -> None:
    """No curve that PSA Crypto knows is forgotten."""
    assert isinstance(P256, Kind)
    text = (COMPAT / "psa" / "psa_curves.h").read_text("utf-8")
    rows = set(re.findall(r"#define WITH_(\w+)\(X, \.\.\.\) X\(", text))
    assert rows == {name.upper() for name in KINDS}
