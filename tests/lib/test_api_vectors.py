"""Published vectors through the public API, in every preset with every portable backend."""

from __future__ import annotations

import hashlib

import pytest

from workshop.library.api import Library, Status
from workshop.library.build import EXTRA
from workshop.library.cases import check_signing, scalar_bytes
from workshop.vectors.published import (
    RFC5903,
    RFC6979,
    RFC6979_KEY,
    RFC6979_PUBLIC,
    SignatureVector,
)
from workshop.vectors.wycheproof import ECDH_FILES, ECDSA_FILES, ecdh_cases, ecdsa_cases

KEY = bytes.fromhex(RFC6979_KEY)
PUBLIC = bytes.fromhex(RFC6979_PUBLIC)


def test_rfc6979_public_key(library: Library) -> None:
    assert library.public_key(KEY) == (Status.OK, PUBLIC)


@pytest.mark.parametrize(
    "vector", RFC6979, ids=lambda vector: f"{vector.hash_name}-{vector.message.decode()}"
)
def test_rfc6979(library: Library, vector: SignatureVector) -> None:
    """All vectors verify; signing must give them where the nonce can be the vector's:
    by HMAC-SHA-256, or handed in.
    """
    digest = hashlib.new(vector.hash_name, vector.message).digest()
    signature = bytes.fromhex(vector.r + vector.s)
    assert library.verify(signature, PUBLIC, digest) is Status.OK
    for position in (0, 31, 32, 63):
        changed = bytearray(signature)
        changed[position] ^= 1
        assert library.verify(bytes(changed), PUBLIC, digest) is Status.BAD_SIGNATURE
    made = check_signing(library, int(RFC6979_KEY, 16), digest, bytes.fromhex(vector.k))
    nonce = library.knobs["NONCE"]
    if nonce == "random" or (nonce == "deterministic" and vector.hash_name == "sha256"):
        assert made == signature


def test_rfc5903(library: Library) -> None:
    private_i, public_i, private_r, public_r, shared = (bytes.fromhex(value) for value in RFC5903)
    assert library.public_key(private_i) == (Status.OK, public_i)
    assert library.public_key(private_r) == (Status.OK, public_r)
    assert library.ecdh(private_i, public_r) == (Status.OK, shared)
    assert library.ecdh(private_r, public_i) == (Status.OK, shared)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ECDH_FILES)
def test_wycheproof_ecdh(fewer: Library, name: str) -> None:
    done = {"valid": 0, "invalid": 0}
    for case in ecdh_cases(name):
        if case.public_key is None:
            continue
        public: bytes | None = case.public_key
        if len(case.public_key) == 33:
            if not fewer.has("decompress"):
                continue
            status, public = fewer.decompress(case.public_key)
            public = public if status is Status.OK else None
        status, shared = (
            fewer.ecdh(case.private_key, public) if public else (Status.BAD_PUBLIC_KEY, b"")
        )
        if case.expect == "invalid":
            assert status is Status.BAD_PUBLIC_KEY, case.label
        elif (
            case.expect == "valid" or status is Status.OK
        ):  # "acceptable" may be refused, but not be wrong
            assert (status, shared) == (Status.OK, case.shared), case.label
        done["valid" if status is Status.OK else "invalid"] += 1
    assert done["valid"] >= 300, done
    assert done["invalid"] >= 10, done


@pytest.mark.sampled
def test_wycheproof_ecdsa(fewer: Library, request: pytest.FixtureRequest) -> None:
    """All files for the presets; one that has all kinds of signatures
    for the other configurations.
    """
    is_extra = request.node.callspec.params["fewer"] in EXTRA
    for name in ECDSA_FILES[:1] if is_extra else ECDSA_FILES:
        done = {"valid": 0, "invalid": 0}
        for case in ecdsa_cases(name):
            if case.signature is None:
                continue
            status = fewer.verify(case.signature, case.public_key, case.digest)
            assert status is (Status.OK if case.expect == "valid" else Status.BAD_SIGNATURE), (
                case.label
            )
            done[case.expect] += 1
        assert done["valid"] >= 170, done
        assert done["invalid"] >= 50, done


def test_the_vectors_are_not_taken_for_granted(library: Library) -> None:
    """A valid vector is refused as soon as key or hash is another one."""
    vector = RFC6979[2]
    signature, digest = bytes.fromhex(vector.r + vector.s), hashlib.sha256(vector.message).digest()
    other = library.public_key(scalar_bytes(5))[1]
    assert library.verify(signature, other, digest) is Status.BAD_SIGNATURE
    assert library.verify(signature, PUBLIC, digest[:-1]) is Status.BAD_SIGNATURE
    assert library.verify(signature, PUBLIC, digest[:-1] + b"\x00") is Status.BAD_SIGNATURE
    assert library.verify(signature, PUBLIC, digest + b"\x00") is Status.OK, (
        "only the leftmost 256 bits count"
    )
