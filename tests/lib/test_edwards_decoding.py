"""Points of Ed25519 at which decoding meets elements that are not below p.

Public keys whose y^2 is small: what decoding compares is a sum near 2p then, which a backend in
assembly may leave above that. Whether a point has such a y is reckoned here. And points whose x is
a product that ARMv6-M and the Cortex-M3 leave above 2^255, one in some 2^27, or any field where x
is small.
"""

from __future__ import annotations

import ctypes
import hashlib

import pytest
from ref import rfc8032

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from workshop.library import build as lib_build
from workshop.library.api import Status
from workshop.library.images import Chip
from workshop.paths import C_TESTS

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
SMALL = range(2, 40)  # squares of y; 0 and 1 are of small order
BUILDS = [
    ("samd20", "fast", "gcc", "Os"),
    ("nrf52840", "fast", "gcc", "Os"),
    ("ibex", "fast", "clang", "O2"),
    ("ibex", "balanced", "gcc", "Os"),
    ("ibex", "compact", "gcc", "Os"),
]
CURVE = rfc8032.ED25519
LARGE = (3298582746643, 3298607677899)  # multiples of the base point, found from 3 * 2^40 on
LARGE_BUILDS = [("samd20", "fast"), ("samd20", "compact"), ("cc2538", "fast")]


def root(square: int) -> int | None:
    """A square root modulo p, if there is one."""
    found = pow(square, (P + 3) // 8, P)
    if found * found % P != square % P:
        found = found * pow(2, (P - 1) // 4, P) % P
    return found if found * found % P == square % P else None


def keys() -> list[tuple[bytes, bool]]:
    """Encodings with a small y^2, both signs of x each, and whether a point has them."""
    found = []
    for square in SMALL:
        y = root(square)
        if y is None:
            continue
        on_curve = root((square - 1) * pow(D * square + 1, -1, P)) is not None
        for value in (y, P - y):
            for sign in (0, 1 << 255):
                found.append(((value | sign).to_bytes(32, "little"), on_curve))
    return found


def test_there_are_both() -> None:
    assert {True, False} == {on_curve for _, on_curve in keys()}


@pytest.mark.parametrize("build", BUILDS, ids="-".join)
def test_a_small_square_is_decoded(build: tuple[str, str, str, str]) -> None:
    chip = Chip(*build, curve=CURVES["ed25519"])
    for key, on_curve in keys():
        status = chip.call("verify", bytes(64) + key + bytes(32), 0).status
        wanted = Status.BAD_SIGNATURE if on_curve else Status.BAD_PUBLIC_KEY
        assert status == wanted, key.hex()


@pytest.mark.parametrize("build", LARGE_BUILDS, ids="-".join)
def test_an_x_that_a_product_leaves_above_p(build: tuple[str, str]) -> None:
    """Signatures under keys of such points, of either sign of x."""
    chip = Chip(*build, curve=CURVES["ed25519"])
    for scalar in LARGE:
        for key in (scalar, CURVE.n - scalar):
            signature, public = signed(key, bytes(32))
            status = chip.call("verify", signature + public + bytes(32), 0).status
            assert status == Status.OK, public.hex()


def signed(key: int, message: bytes) -> tuple[bytes, bytes]:
    """A signature by a scalar, and its public key."""
    nonce = 8
    points = [rfc8032.encode(CURVE, rfc8032.multiply(CURVE, k, CURVE.base)) for k in (nonce, key)]
    digest = hashlib.sha512(b"".join(points) + message).digest()
    s = (nonce + int.from_bytes(digest, "little") * key) % CURVE.n
    return points[0] + s.to_bytes(32, "little"), points[1]


def test_a_small_x_is_decoded() -> None:
    """All of them below what folding leaves above p, where the root may be x + p."""
    config = resolve(CURVES["ed25519"], "balanced", {"BACKEND": "w64"}, "w64")
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    units = [C_TESTS / "open_edwards.c"]
    path = lib_build.build(config, units, command, suffix=".so", curves=["ed25519"])
    decode, out = ctypes.CDLL(str(path)).open_edwards_decode, ctypes.create_string_buffer(64)
    for x in range(2, 1500):
        y = root((1 + x * x) * pow(1 - D * x * x, -1, P))
        if y is None:
            continue
        for value in (x, P - x):
            assert decode(out, (y | (value & 1) << 255).to_bytes(32, "little"))
            assert int.from_bytes(out.raw[:32], "little") % P == P - value, value
