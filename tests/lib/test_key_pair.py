"""EdDSA with a key pair: the signatures of RFC 8032, and no other public key than the right one."""

from __future__ import annotations

import ctypes
import hashlib

import pytest
from ref import rfc8032
from ref.rfc8032 import EDCURVES

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from workshop.library import build as lib_build
from workshop.library.curves import BAD_PRIVATE_KEY, OK
from workshop.library.rfc_api import SIGNATURE, SIZES
from workshop.paths import SRC

MESSAGE = b"a message that is longer than a block of each of the two hashes: " * 3
LABEL = b"key pair of ecfit"


@pytest.fixture(params=[(curve, wipe) for curve in SIGNATURE for wipe in ("stack", "none")])
def library(request: pytest.FixtureRequest) -> tuple[str, ctypes.CDLL]:
    """A curve, and the library with it."""
    curve, wipe = request.param
    sets = {"BACKEND": "w64", "SIGN": "eddsa_pair", "WIPE": wipe}
    config = resolve(CURVES[curve], "balanced", sets, "w64")
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    path = lib_build.build(config, [SRC / "ecfit.c"], command, suffix=".so", curves=[curve])
    return curve, ctypes.CDLL(str(path))


def made(library: tuple[str, ctypes.CDLL], key: bytes) -> bytes:
    """The pair of a private key, by the library."""
    curve, lib = library
    out = ctypes.create_string_buffer(3 * len(key))
    assert getattr(lib, f"ecfit_{curve}_key_pair")(out, key) == OK
    return out.raw


def signed(library: tuple[str, ctypes.CDLL], pair: bytes, message: bytes) -> tuple[int, bytes]:
    """Status and signature with a pair."""
    curve, lib = library
    out = ctypes.create_string_buffer(b"\xa5" * (2 * SIZES[curve]), 2 * SIZES[curve])
    status = getattr(lib, f"ecfit_{curve}_sign_pair")(
        out, pair, message, ctypes.c_size_t(len(message))
    )
    return status, out.raw


def test_pairs_and_signatures(library: tuple[str, ctypes.CDLL]) -> None:
    """The pair as its header says, the tag as its definition; the signatures of the RFC."""
    of = EDCURVES[library[0]]
    for seed in range(4):
        key = hashlib.shake_256(b"key%d" % seed).digest(of.size)
        public, prefix = rfc8032.public_key(of, key), rfc8032.expand(of, key)[1]
        pair = made(library, key)
        assert pair == key + public + of.hash(LABEL + prefix + public)[: of.size]
        for message in (MESSAGE, b"", MESSAGE[:7]):
            assert signed(library, pair, message) == (OK, rfc8032.sign(of, key, message))


def test_what_is_no_pair_signs_nothing(library: tuple[str, ctypes.CDLL]) -> None:
    """Another public key, of another pair or with its tag, would give the private key away;
    each bit of a pair counts.
    """
    size = SIZES[library[0]]
    first, second = (made(library, bytes([number] * size)) for number in (1, 2))
    mixed = [first[:size] + second[size:], first[: 2 * size] + second[2 * size :]]
    mixed += [first[:size] + second[size : 2 * size] + first[2 * size :], bytes(3 * size)]
    flipped = [
        first[:place] + bytes([first[place] ^ 1 << place % 8]) + first[place + 1 :]
        for place in range(3 * size)
    ]
    for wrong in mixed + flipped:
        assert signed(library, wrong, MESSAGE) == (BAD_PRIVATE_KEY, bytes(2 * size))
    assert signed(library, first, MESSAGE)[0] == OK


def test_a_pair_over_its_private_key(library: tuple[str, ctypes.CDLL]) -> None:
    """The output may begin with the input."""
    curve, lib = library
    key = bytes(range(SIZES[curve]))
    place = ctypes.create_string_buffer(key, 3 * len(key))
    assert getattr(lib, f"ecfit_{curve}_key_pair")(place, place) == OK
    assert place.raw == made(library, key)
