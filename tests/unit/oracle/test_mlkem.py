"""The bench's oracle of ML-KEM against vectors of NIST and an independent library; and what the
bench knows of a KEM beside it.
"""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import mlkem as openssl

from ecfit.choices.curves import KEMS, find_curve
from ecfit.errors import UsageError
from ecfit.oracle import mlkem
from ecfit.run.cases import Case, complaint, make_case, secret_case, secret_parts
from workshop.vectors import acvp

OPENSSL: dict[str, Any] = {
    "mlkem768": openssl.MLKEM768PrivateKey,
    "mlkem1024": openssl.MLKEM1024PrivateKey,
}


@pytest.mark.parametrize("name", KEMS)
def test_vectors_of_nist(name: str) -> None:
    pairs, kem = acvp.key_pairs(name), KEMS[name]
    for pair in pairs:
        assert mlkem.key_pair(name, pair.seed) == (pair.dk, pair.ek)
        assert (len(pair.dk), len(pair.ek)) == (kem.scalar_bytes, kem.public_bytes)
    encapsulations, decapsulations = acvp.encapsulations(name), acvp.decapsulations(name)
    for one in encapsulations:
        assert mlkem.encapsulate(name, one.ek, one.m) == (one.c, one.k)
        assert len(one.c) == kem.cipher_bytes
    for other in decapsulations:
        assert mlkem.decapsulate(name, other.dk, other.c) == other.k, other.reason
    assert (len(pairs), len(encapsulations), len(decapsulations)) == (25, 25, 10)
    assert len({other.reason for other in decapsulations}) == 2  # half of them are rejected


@pytest.mark.parametrize("name", KEMS)
def test_keys_that_are_not_reduced(name: str) -> None:
    keys = acvp.keys_not_reduced(name)
    assert len(keys) > 300
    for key in keys[::40]:
        with pytest.raises(ValueError, match="Modulus check failed"):
            mlkem.encapsulate(name, key, bytes(32))


@pytest.mark.parametrize("name", OPENSSL)
def test_openssl_agrees(name: str) -> None:
    for index in range(3):
        case = make_case(KEMS[name], "decaps", 5, index)
        seed = bytes(range(index, 64 + index))
        dk, ek = mlkem.key_pair(name, seed)
        key = OPENSSL[name].from_seed_bytes(seed)
        assert key.public_key().public_bytes_raw() == ek
        secret, cipher = key.public_key().encapsulate()
        assert mlkem.decapsulate(name, dk, cipher) == secret
        other = case.data[KEMS[name].scalar_bytes :]  # of another key
        assert mlkem.decapsulate(name, dk, other) == key.decapsulate(other)


@pytest.mark.parametrize("name", KEMS)
def test_each_case_is_right_and_what_is_refused_is_not(name: str) -> None:
    kem = KEMS[name]
    dk, ek = mlkem.key_pair(name, make_case(kem, "keygen", 1, 0).pool[:64])
    assert complaint(kem, make_case(kem, "keygen", 1, 0), 0, dk + ek) is None
    assert complaint(kem, make_case(kem, "keygen", 1, 0), 0, ek + dk)
    encaps, decaps = make_case(kem, "encaps", 1, 0), make_case(kem, "decaps", 1, 0)
    right = b"".join(mlkem.encapsulate(name, encaps.data, encaps.pool[:32]))
    assert complaint(kem, encaps, 0, right) is None
    assert complaint(kem, encaps, 0, right[:-1] + b"\0")
    assert complaint(kem, decaps, 0, bytes(32))
    assert len(encaps.refused) == len(decaps.refused) == 2
    for refused in encaps.refused:
        with pytest.raises(ValueError, match="Modulus check failed"):
            mlkem.encapsulate(name, refused.data, bytes(32))
    for refused in decaps.refused:
        with pytest.raises(ValueError, match="hash check failed"):
            mlkem.decapsulate(name, *_parts(kem.scalar_bytes, refused.data))


def _parts(size: int, data: bytes) -> tuple[bytes, bytes]:
    return data[:size], data[size:]


@pytest.mark.parametrize("name", KEMS)
def test_what_is_secret_of_a_key_and_nothing_else_differs(name: str) -> None:
    """Of equal public inputs; the first key is whole, the others are of two, and rejected."""
    kem = KEMS[name]
    made = [
        [secret_case(kem, "decaps", 1, index, public) for index in range(3)] for public in (0, 1)
    ]
    secret = {
        at for start, size in secret_parts(kem, "decaps") for at in range(start, start + size)
    }
    for first, *others in made:
        assert len(secret) == kem.scalar_bytes - kem.public_bytes - 32
        for other in others:
            assert len(other.data) == len(first.data)
            differ = {
                at for at, (a, b) in enumerate(zip(first.data, other.data, strict=True)) if a != b
            }
            assert differ <= secret
            assert len(differ) > len(secret) * 0.9
    whole = [not _rejected(kem.scalar_bytes, name, case) for row in made for case in row]
    assert whole == [True, False, False] * 2
    encaps = [secret_case(kem, "encaps", 1, index) for index in range(2)]
    assert encaps[0].data == encaps[1].data
    assert encaps[0].pool != encaps[1].pool


def _rejected(size: int, name: str, case: Case) -> bool:
    """Whether the secret depends on the last bytes of the key, which nothing else uses."""
    dk, cipher = _parts(size, case.data)
    other = dk[:-32] + bytes(32)
    return mlkem.decapsulate(name, dk, cipher) != mlkem.decapsulate(name, other, cipher)


def test_names() -> None:
    assert find_curve("ML-KEM-768", KEMS) == KEMS["mlkem768"]
    with pytest.raises(UsageError, match="unknown curve 'ML-KEM-768'"):
        find_curve("ML-KEM-768")  # what is for curves alone
