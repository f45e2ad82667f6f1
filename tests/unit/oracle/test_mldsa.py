"""The bench's oracle of ML-DSA against vectors of NIST and Wycheproof and an independent library;
and what the bench knows of such a signature beside it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa as openssl

from ecfit.choices.curves import SIGNATURES
from ecfit.oracle import mldsa
from ecfit.run.cases import complaint, make_case, secret_case, secret_parts
from workshop.scale import some
from workshop.vectors import acvp

OPENSSL: dict[str, Any] = {
    "mldsa44": openssl.MLDSA44PrivateKey,
    "mldsa65": openssl.MLDSA65PrivateKey,
    "mldsa87": openssl.MLDSA87PrivateKey,
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_vectors_of_nist(name: str) -> None:
    scheme, pairs = SIGNATURES[name], acvp.dsa_key_pairs(name)
    signatures = acvp.dsa_signatures(name)
    for pair in some(pairs, 6):
        assert mldsa.key_pair(name, pair.seed) == (pair.dk, pair.ek)
        assert (len(pair.dk), len(pair.ek)) == (scheme.scalar_bytes, scheme.public_bytes)
    for one in some(signatures, 6):
        if one.private:
            made = mldsa.sign(name, one.private, one.message, one.rnd, prefix=b"")
            assert made == one.signature
            assert len(made) == scheme.signature_bytes
        else:
            good = mldsa.verify(name, one.public, one.message, one.signature, prefix=b"")
            assert good == one.good, one.reason
    assert (len(pairs), len(signatures)) == (25, 35)


@pytest.mark.parametrize("name", SIGNATURES)
def test_vectors_of_wycheproof(name: str) -> None:
    vectors = acvp.dsa_of_32_bytes(name)
    assert len(vectors) > 80
    assert sum(one.good for one in vectors) < len(vectors) - 4
    for one in some(vectors, 12):
        assert mldsa.verify(name, one.public, one.message, one.signature) == one.good, one.reason


@pytest.mark.parametrize("name", OPENSSL)
def test_openssl_agrees(name: str) -> None:
    seed, message = bytes(range(32)), b"a message"
    private, public = mldsa.key_pair(name, seed)
    key = OPENSSL[name].from_seed_bytes(seed)
    assert key.public_key().public_bytes_raw() == public
    assert mldsa.verify(name, public, message, key.sign(message))
    made = mldsa.sign(name, private, message, bytes(32))
    key.public_key().verify(made, message)
    for wrong in mldsa.with_other_hints(name, made).values():
        with pytest.raises(InvalidSignature):
            key.public_key().verify(wrong, message)


@pytest.mark.parametrize("name", SIGNATURES)
def test_each_case_is_right_and_what_is_refused_is_not(name: str) -> None:
    scheme = SIGNATURES[name]
    keygen, sign, verify = (make_case(scheme, op, 1, 0) for op in scheme.ops)
    private, public = mldsa.key_pair(name, keygen.pool[:32])
    assert complaint(scheme, keygen, 0, private + public) is None
    assert complaint(scheme, keygen, 0, public + private)
    key, message = sign.data[: scheme.scalar_bytes], sign.data[scheme.scalar_bytes :]
    right = mldsa.sign(name, key, message, sign.pool[:32])
    assert complaint(scheme, sign, 0, right) is None
    assert complaint(scheme, sign, 0, mldsa.sign(name, key, message, bytes(32)))
    given = [verify.data, *(refused.data for refused in verify.refused)]
    cut = scheme.signature_bytes, scheme.signature_bytes + scheme.public_bytes
    good = [
        mldsa.verify(name, data[cut[0] : cut[1]], data[cut[1] :], data[: cut[0]]) for data in given
    ]
    assert good == [True, False, False, False, False]


def test_what_is_secret_of_a_key_and_nothing_else_differs() -> None:
    """Of equal public inputs: the seed K and the vectors s1 and s2."""
    scheme = SIGNATURES["mldsa44"]
    first, *others = (secret_case(scheme, "sign", 1, index) for index in range(3))
    parts = secret_parts(scheme, "sign")
    assert parts == ((32, 32), (128, 8 * 96))
    secret = {at for start, size in parts for at in range(start, start + size)}
    for other in others:
        differ = {
            at for at, (a, b) in enumerate(zip(first.data, other.data, strict=True)) if a != b
        }
        assert differ <= secret
        assert len(differ) > len(secret) * 0.9
        assert other.pool != first.pool


def test_rows_that_are_measured_side_by_side_have_right_results() -> None:
    """The package hashes with one state for all callers."""
    seeds = [bytes([index]) * 32 for index in range(12)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: mldsa.key_pair("mldsa44", seed), seeds))
    mldsa.key_pair.cache_clear()
    assert together == [mldsa.key_pair("mldsa44", seed) for seed in seeds]
