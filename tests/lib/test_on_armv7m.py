"""The library's P-256 as images for a Cortex-M3, M4 and M33, by both compilers,
against published vectors.

What all images have in common is tested on a Cortex-M0+ (`test_on_simulator`);
here it is the instruction set.
"""

from __future__ import annotations

import hashlib

import pytest
from ref import rfc8032

from ecfit.choices.curves import CURVES
from ecfit.choices.targets import find_target
from workshop.library.api import Status
from workshop.library.images import Chip
from workshop.vectors.published import RFC5903, RFC6979, RFC6979_KEY, RFC6979_PUBLIC
from workshop.vectors.wycheproof import ecdh_cases, ecdsa_cases

KEY, PUBLIC = bytes.fromhex(RFC6979_KEY), bytes.fromhex(RFC6979_PUBLIC)
CORES = {"cc2538": "cortex-m3", "nrf52840": "cortex-m4", "nrf5340": "cortex-m33"}
BUILDS = [
    ("tiny", "gcc", "Os"),
    ("balanced", "gcc", "O2"),
    ("balanced", "clang", "O2"),
    ("tiny", "clang", "Os"),
]


PUBLIC_DATA = ("cc2538", "fast", "gcc", "Os")  # with PRODUCT_VAR=long


@pytest.fixture(
    scope="module",
    params=[*((target, *build) for target in CORES for build in BUILDS), PUBLIC_DATA],
    ids="-".join,
)
def chip(request: pytest.FixtureRequest) -> Chip:
    """One preset on one core, by one compiler."""
    return Chip(*request.param)


def check_vectors(chip: Chip) -> None:
    """RFC 6979 (signing, verification), RFC 5903 (key agreement, key generation)."""
    for vector in RFC6979:
        digest = hashlib.new(vector.hash_name, vector.message).digest()[:32]
        if len(digest) == 32:
            signature = bytes.fromhex(vector.r + vector.s)
            assert chip.call("verify", signature + PUBLIC + digest, 0).status == Status.OK
            random = dict(chip.configuration.settings)["NONCE"] == "random"
            if random or vector.hash_name == "sha256":
                answer = chip.call("sign", KEY + digest, 64, bytes.fromhex(vector.k))
                assert answer[:2] == (Status.OK, signature)
    private_i, public_i, private_r, public_r, shared = (bytes.fromhex(value) for value in RFC5903)
    for private, public, other in (
        (private_i, public_i, public_r),
        (private_r, public_r, public_i),
    ):
        assert chip.call("ecdh", private + other, 32)[:2] == (Status.OK, shared)
        assert chip.call("keygen", b"", 97, private)[:2] == (Status.OK, private + public)


def test_the_targets_have_these_cores() -> None:
    assert {name: find_target(name).model for name in CORES} == CORES


def test_published_vectors(chip: Chip) -> None:
    check_vectors(chip)


def test_ed25519_by_products_of_public_data() -> None:
    """Signatures of the reference, and the same with a bit of each half turned."""
    chip, ed = Chip(*PUBLIC_DATA, curve=CURVES["ed25519"]), rfc8032.EDCURVES["ed25519"]
    for key, message in ((KEY, bytes(range(32))), (bytes(31) + b"\1", b"\xff" * 32)):
        public, signature = rfc8032.public_key(ed, key), rfc8032.sign(ed, key, message)
        assert chip.call("verify", signature + public + message, 0).status == Status.OK
        for at in (3, 40):
            wrong = bytearray(signature)
            wrong[at] ^= 16
            answer = chip.call("verify", bytes(wrong) + public + message, 0)
            assert answer.status == Status.BAD_SIGNATURE, at


def test_secp256k1_by_products_of_public_data() -> None:
    """Wycheproof: every twentieth valid signature, every tenth invalid one."""
    chip = Chip(*PUBLIC_DATA, curve=CURVES["secp256k1"])
    signed = [case for case in ecdsa_cases("ecdsa_secp256k1_sha256_p1363") if case.signature]
    for expect, step, status in (("valid", 20, Status.OK), ("invalid", 10, Status.BAD_SIGNATURE)):
        some = [case for case in signed if case.expect == expect][::step]
        assert len(some) > 3
        for one in some:
            answer = chip.call("verify", (one.signature or b"") + one.public_key + one.digest, 0)
            assert answer.status == status, one.label


@pytest.mark.parametrize("target", CORES)
def test_code_in_ram(target: str) -> None:
    check_vectors(Chip(target, "tiny", place="ram"))


def check_wycheproof(chip: Chip) -> None:
    """Every sixtieth valid case, every twentieth invalid one."""
    shared = [
        case
        for case in ecdh_cases("ecdh_secp256r1_ecpoint")
        if case.public_key and len(case.public_key) == 65
    ]
    signed = [case for case in ecdsa_cases("ecdsa_secp256r1_sha256_p1363") if case.signature]
    for expect, step in (("valid", 60), ("invalid", 20)):
        for case in [case for case in shared if case.expect == expect][::step]:
            answer = chip.call("ecdh", case.private_key + (case.public_key or b""), 32)
            wanted = (
                (Status.OK, case.shared)
                if expect == "valid"
                else (Status.BAD_PUBLIC_KEY, bytes(32))
            )
            assert answer[:2] == wanted, case.label
        for one in [case for case in signed if case.expect == expect][::step]:
            answer = chip.call("verify", (one.signature or b"") + one.public_key + one.digest, 0)
            assert answer.status == (Status.OK if expect == "valid" else Status.BAD_SIGNATURE), (
                one.label
            )


def test_wycheproof(chip: Chip) -> None:
    check_wycheproof(chip)
