"""Calls that hash a message and sign or verify the hash: on every curve with its own hash, wherever
the configuration has one.
"""

from __future__ import annotations

import ctypes
import hashlib

import pytest
from ref import codec, ecdsa
from ref.group import multiply_base

from ecfit.choices.curves import CURVES as BENCH_CURVES
from ecfit.choices.curves import EVERY_OP, OPS
from workshop.library import build as lib_build
from workshop.library.curves import (
    BAD_PRIVATE_KEY,
    BAD_PUBLIC_KEY,
    BAD_SIGNATURE,
    CURVES,
    NAMES,
    OK,
    RNG_FAILED,
    Bound,
    generator,
)

SCALAR = 0xC0FFEE
MESSAGE = b"the first 32 bytes of a message, and what follows them"


def sign(bound: Bound, message: bytes, seed: str = "m", key: int = SCALAR) -> tuple[int, bytes]:
    """Status and r || s of a message."""
    length, rng = ctypes.c_size_t(len(message)), ctypes.byref(generator(seed))
    return bound.call(
        "ecdsa_sign_message", 2 * bound.order, bound.scalar(key), message, length, rng
    )


def verify(bound: Bound, signature: bytes, public: bytes, message: bytes) -> int:
    """Status of a message's verification."""
    function = getattr(bound.lib, f"ecfit_{bound.curve.name}_ecdsa_verify_message")
    return int(function(signature, public, message, ctypes.c_size_t(len(message))))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("build", ["balanced", "blinded", "shared", "checked"])
def test_a_message_is_hashed_and_signed(build: str, name: str) -> None:
    """As the hash of the curve by the call for hashes; all of the message counts."""
    bound, hashed_by = Bound(build, CURVES[name]), BENCH_CURVES[name].hash_name
    point = multiply_base(bound.curve, SCALAR)
    public = codec.encode_point(bound.curve, point)
    for message in (MESSAGE, b"", bytes(300)):
        digest = hashlib.new(hashed_by, message).digest()
        status, signature = sign(bound, message)
        assert (status, signature) == bound.sign(SCALAR, digest, generator("m"))
        r, s = (int.from_bytes(signature[i : i + bound.order], "big") for i in (0, bound.order))
        assert status == OK and ecdsa.verify(bound.curve, point, digest, (r, s))
        assert verify(bound, signature, public, message) == OK
        assert bound.verify(signature, public, digest) == OK
        assert verify(bound, signature, public, message + b"\0") == BAD_SIGNATURE
    signature = sign(bound, MESSAGE)[1]
    assert verify(bound, signature, public, MESSAGE[:32] + b"?" + MESSAGE[33:]) == BAD_SIGNATURE


@pytest.mark.parametrize("name", ["secp256r1", "secp521r1"])
def test_wrong_input_of_messages(name: str) -> None:
    bound = Bound("balanced", CURVES[name])
    public = codec.encode_point(bound.curve, multiply_base(bound.curve, SCALAR))
    signature = sign(bound, MESSAGE)[1]
    for bad in (0, bound.curve.n):
        assert sign(bound, MESSAGE, key=bad) == (BAD_PRIVATE_KEY, bytes(2 * bound.order))
    off = public[:-1] + bytes([public[-1] ^ 1])
    assert verify(bound, signature, off, MESSAGE) == BAD_PUBLIC_KEY
    assert verify(bound, bytes(2 * bound.order), public, MESSAGE) == BAD_SIGNATURE
    none = bound.call(
        "ecdsa_sign_message", 2 * bound.order, bound.scalar(5), MESSAGE, ctypes.c_size_t(9), None
    )
    assert none[0] == OK, "a deterministic nonce needs no generator"
    blinded = Bound("blinded", CURVES[name])
    refused = blinded.call(
        "ecdsa_sign_message", 2 * bound.order, bound.scalar(5), MESSAGE, ctypes.c_size_t(9), None
    )
    assert refused == (RNG_FAILED, bytes(2 * bound.order))


def test_where_they_are() -> None:
    """With the hash and the operation that they need, and nowhere else; images that do not name
    them have none, so that their code is what it was.
    """
    for preset, ops, sets, there in (
        ("balanced", None, {}, {"sign", "verify"}),
        ("balanced", None, {"SHA256": "caller", "NONCE": "random"}, {"sign", "verify"}),
        ("tiny", None, {}, set()),
        ("tiny", None, {"SHA256": "own"}, {"sign", "verify"}),
        ("balanced", ("verify", "verify_message"), {}, {"verify"}),
        ("balanced", ("sign_message",), {}, {"sign"}),
        ("balanced", OPS, {}, set()),
    ):
        config = lib_build.configuration(preset, "w64", **sets)
        command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
        path = lib_build.build(
            config, lib_build.units(config), command, suffix=".so", ops=ops or EVERY_OP
        )
        library = ctypes.CDLL(str(path))
        found = {
            verb
            for verb in ("sign", "verify")
            if hasattr(library, f"ecfit_secp256r1_ecdsa_{verb}_message")
        }
        assert found == there, (preset, ops, sets)
