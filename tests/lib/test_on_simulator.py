"""Every preset as an image for a Cortex-M0+, with the same vectors as on the host;
and secrets that must not show.

The code is what the cross compilers make, so this also tests them; the chip's simulator
is tested elsewhere.
"""

from __future__ import annotations

import hashlib

import pytest
from ref import ecdsa
from ref.curves import SECP256R1

from ecfit.choices.presets import all_presets
from workshop.library.api import Status
from workshop.library.cases import N, invalid_points, public_key_of, scalar_bytes
from workshop.library.images import Chip
from workshop.vectors.published import RFC5903, RFC6979, RFC6979_KEY, RFC6979_PUBLIC
from workshop.vectors.wycheproof import ecdh_cases, ecdsa_cases

KEY = bytes.fromhex(RFC6979_KEY)
PUBLIC = bytes.fromhex(RFC6979_PUBLIC)
TARGETS = ["samd20"]
BUILDS = [("gcc", "Os"), ("clang", "O2")]
PRESETS = [
    (target, preset, *built) for target in TARGETS for preset in all_presets() for built in BUILDS
]


@pytest.fixture(scope="session", params=PRESETS, ids="-".join)
def chip(request: pytest.FixtureRequest) -> Chip:
    """One preset on one target."""
    return Chip(*request.param)


def nonce_kind(chip: Chip) -> str:
    """The value of the knob NONCE."""
    return dict(chip.configuration.settings)["NONCE"]


def test_rfc6979(chip: Chip) -> None:
    for vector in RFC6979:
        digest = hashlib.new(vector.hash_name, vector.message).digest()[:32]
        if len(digest) < 32:
            continue  # the adapter takes 32 bytes
        signature = bytes.fromhex(vector.r + vector.s)
        assert chip.call("verify", signature + PUBLIC + digest, 0).status == Status.OK
        answer = chip.call("sign", KEY + digest, 64, bytes.fromhex(vector.k))
        assert answer.status == Status.OK
        if nonce_kind(chip) == "random" or vector.hash_name == "sha256":
            assert answer.out == signature
        else:
            wanted = ecdsa.sign(SECP256R1, int(RFC6979_KEY, 16), digest)
            assert answer.out == ecdsa.encode_signature(SECP256R1, wanted)


def test_rfc5903(chip: Chip) -> None:
    private_i, public_i, private_r, public_r, shared = (bytes.fromhex(value) for value in RFC5903)
    for private, public in ((private_i, public_r), (private_r, public_i)):
        assert chip.call("ecdh", private + public, 32)[:2] == (Status.OK, shared)
    for private, public in ((private_i, public_i), (private_r, public_r)):
        assert chip.call("keygen", b"", 97, private)[:2] == (Status.OK, private + public)


def test_wycheproof_ecdh(chip: Chip) -> None:
    """Every fifteenth valid case, and all invalid ones."""
    cases = [
        case
        for case in ecdh_cases("ecdh_secp256r1_ecpoint")
        if case.public_key and len(case.public_key) == 65
    ]
    valid = [case for case in cases if case.expect == "valid"][::15]
    for case in valid + [case for case in cases if case.expect == "invalid"]:
        answer = chip.call("ecdh", case.private_key + (case.public_key or b""), 32)
        wanted = (
            (Status.OK, case.shared)
            if case.expect == "valid"
            else (Status.BAD_PUBLIC_KEY, bytes(32))
        )
        assert answer[:2] == wanted, case.label


def test_wycheproof_ecdsa(chip: Chip) -> None:
    """Every fifteenth valid and every fifteenth invalid case."""
    cases = [case for case in ecdsa_cases("ecdsa_secp256r1_sha256_p1363") if case.signature]
    for expect in ("valid", "invalid"):
        for case in [case for case in cases if case.expect == expect][::15]:
            answer = chip.call("verify", (case.signature or b"") + case.public_key + case.digest, 0)
            assert answer.status == (Status.OK if expect == "valid" else Status.BAD_SIGNATURE), (
                case.label
            )


def test_errors(chip: Chip) -> None:
    for key in (bytes(32), scalar_bytes(N), b"\xff" * 32):
        assert chip.call("ecdh", key + PUBLIC, 32)[:2] == (Status.BAD_PRIVATE_KEY, bytes(32))
        assert chip.call("sign", key + scalar_bytes(7), 64, scalar_bytes(5))[:2] == (
            Status.BAD_PRIVATE_KEY,
            bytes(64),
        )
    for name, point in invalid_points().items():
        assert chip.call("ecdh", KEY + point, 32)[:2] == (Status.BAD_PUBLIC_KEY, bytes(32)), name
    assert chip.call("keygen", b"", 97)[:2] == (Status.RNG_FAILED, bytes(97))
    assert chip.call("keygen", b"", 97, bytes(512))[:2] == (Status.RNG_FAILED, bytes(97))
    if nonce_kind(chip) == "random":
        assert chip.call("sign", KEY + scalar_bytes(7), 64)[:2] == (Status.RNG_FAILED, bytes(64))


SECRETS = [
    1,
    N - 2,
    2,
    3,
    N - 1,
    N // 2,
    N // 2 + 1,
    1 << 255,
    (1 << 255) - 1,
    (1 << 128) - 1,
    int("5a" + "55" * 31, 16),  # a generator that gives one byte for ever is refused
]
OTHER_BUILDS = [("gcc", "O2"), ("gcc", "O3"), ("clang", "Os"), ("clang", "O3")]


def traces(chip: Chip, op: str, secrets: list[int]) -> set[tuple[int, str]]:
    """(cycles, trace hash) of an operation, one for each secret key or draw."""
    peer, digest = public_key_of(0xC0FFEE), bytes(range(32))
    seen = set()
    for secret, other in zip(secrets, reversed(secrets), strict=True):
        key = scalar_bytes(secret)
        data = {"keygen": b"", "ecdh": key + peer, "sign": key + digest}[op]
        answer = chip.call(op, data, 97, key if op == "keygen" else scalar_bytes(other))
        assert answer.status == Status.OK
        seen.add((answer.cycles, answer.trace_hash))
    return seen


@pytest.mark.parametrize("op", ["keygen", "ecdh", "sign"])
def test_one_trace_for_all_secrets(chip: Chip, op: str) -> None:
    """Scalars that are special to some formula take the path of all others:
    same cycles, same addresses.
    """
    found = traces(chip, op, SECRETS)
    assert len(found) == 1, found


@pytest.mark.parametrize("built", OTHER_BUILDS, ids="-".join)
@pytest.mark.parametrize("preset", ["tiny", "balanced"])
def test_one_trace_with_other_compilers(preset: str, built: tuple[str, str]) -> None:
    """A compiler may see through a mask and branch on it, at one level of optimisation
    and not at another.
    """
    chip = Chip(TARGETS[0], preset, *built)
    for op in ("ecdh", "sign"):
        found = traces(chip, op, SECRETS[:4])
        assert len(found) == 1, (op, found)


def test_different_work_has_a_different_trace() -> None:
    """The trace does tell: a public input of another length, a wrong one, an extra draw."""
    chip = Chip(TARGETS[0], "tiny")
    good = chip.call("keygen", b"", 97, scalar_bytes(5))
    again = chip.call("keygen", b"", 97, scalar_bytes(N) + scalar_bytes(5))
    assert good.out == again.out
    assert good.trace_hash != again.trace_hash
    assert good.cycles < again.cycles
