"""All curves of the library against the reference: keys, ECDH, signatures, compression,
and what must be refused.
"""

from __future__ import annotations

import ctypes
import hashlib

import pytest
from ref import codec, ecdsa
from ref.curves import Curve
from ref.group import multiply, multiply_base

from workshop.library.curves import (
    BAD_PRIVATE_KEY,
    BAD_PUBLIC_KEY,
    BAD_SIGNATURE,
    BUILDS,
    CURVES,
    NAMES,
    OK,
    Bound,
    generator,
)
from workshop.scale import some

VERIFIED = 0xA53C965A  # ECFIT_VERIFIED


@pytest.fixture(params=NAMES)
def curve(request: pytest.FixtureRequest) -> Curve:
    """Each curve."""
    return CURVES[request.param]


@pytest.fixture(params=BUILDS)
def bound(request: pytest.FixtureRequest, curve: Curve) -> Bound:
    """Each curve in each build."""
    return Bound(request.param, curve)


def edges(curve: Curve) -> list[int]:
    """Scalars at the ends, around halves of words, where k + n gets a bit more, and two from
    nowhere."""
    n = curve.n
    more = (1 << n.bit_length()) - n
    some = [
        int.from_bytes(hashlib.shake_256(f"{curve.name} {i}".encode()).digest(80), "big") % (n - 1)
        + 1
        for i in (1, 2)
    ]
    return [
        1,
        2,
        3,
        n - 1,
        n - 2,
        n - 3,
        n // 2,
        n // 2 + 1,
        more - 1,
        more,
        1 << (n.bit_length() // 2),
        *some,
    ]


def test_public_keys_and_secrets(bound: Bound) -> None:
    curve = bound.curve
    rng = generator(curve.name)
    for scalar in edges(curve):
        point = multiply_base(curve, scalar)
        status, public = bound.call(
            "public_key", 1 + 2 * bound.field, bound.scalar(scalar), ctypes.byref(rng)
        )
        assert (status, public) == (OK, codec.encode_point(curve, point)), scalar
        peer = multiply_base(curve, 5)
        status, secret = bound.call(
            "ecdh",
            bound.field,
            bound.scalar(scalar),
            codec.encode_point(curve, peer),
            ctypes.byref(rng),
        )
        shared = multiply(curve, scalar, peer)
        assert shared is not None
        assert (status, secret) == (OK, shared[0].to_bytes(bound.field, "big")), scalar
        assert bound.check(public) == OK
        status, packed = bound.call("compress", 1 + bound.field, public)
        assert (status, packed[0], packed[1:]) == (
            OK,
            2 + (public[-1] & 1),
            public[1 : 1 + bound.field],
        )
        assert bound.call("decompress", 1 + 2 * bound.field, packed) == (OK, public)


@pytest.mark.sampled
@pytest.mark.parametrize("size", some([32, 20, 64, 48], 2))
def test_signatures(bound: Bound, size: int) -> None:
    curve = bound.curve
    rng = generator(f"{curve.name} {size}")
    digest = hashlib.shake_256(f"message {size}".encode()).digest(size)
    for scalar in some(edges(curve)[-4:], 2):
        public = codec.encode_point(curve, multiply_base(curve, scalar))
        status, signature = bound.call(
            "ecdsa_sign",
            2 * bound.order,
            bound.scalar(scalar),
            digest,
            ctypes.c_size_t(size),
            ctypes.byref(rng),
        )
        assert status == OK
        r, s = (int.from_bytes(signature[i : i + bound.order], "big") for i in (0, bound.order))
        assert ecdsa.verify(curve, multiply_base(curve, scalar), digest, (r, s))
        verify = getattr(bound.lib, f"ecfit_{curve.name}_ecdsa_verify")
        assert verify(signature, public, digest, ctypes.c_size_t(size)) == OK
        other = bytearray(signature)
        other[len(other) // 2 - 1] ^= 1
        assert verify(bytes(other), public, digest, ctypes.c_size_t(size)) == BAD_SIGNATURE
        for bad in (bytes(bound.order), bound.scalar(curve.n)):
            assert (
                verify(bad + signature[bound.order :], public, digest, ctypes.c_size_t(size))
                == BAD_SIGNATURE
            )
            assert (
                verify(signature[: bound.order] + bad, public, digest, ctypes.c_size_t(size))
                == BAD_SIGNATURE
            )


def test_bad_input(bound: Bound) -> None:
    curve, field = bound.curve, bound.field
    public = codec.encode_point(curve, multiply_base(curve, 7))
    for bad in (0, curve.n, min(curve.n + 1, 256**bound.order - 1), 256**bound.order - 1):
        assert bound.call("public_key", 1 + 2 * field, bound.scalar(bad), None) == (
            BAD_PRIVATE_KEY,
            bytes(1 + 2 * field),
        )
        assert bound.call("ecdh", field, bound.scalar(bad), public, None) == (
            BAD_PRIVATE_KEY,
            bytes(field),
        )
    off = bytearray(public)
    off[-1] ^= 1
    for wrong in (
        bytes(off),
        b"\x02" + public[1:],
        b"\x04" + b"\xff" * (2 * field),
        b"\x04" + bytes(2 * field),
    ):
        assert bound.call("ecdh", field, bound.scalar(1), wrong, None) == (
            BAD_PUBLIC_KEY,
            bytes(field),
        )
        assert bound.check(wrong) == BAD_PUBLIC_KEY


def test_bad_compressed_keys(bound: Bound) -> None:
    """Other lead bytes, x not below p, and x of no point: of p = 1 modulo 2^96 too,
    where a root takes many steps.
    """
    curve, field = bound.curve, bound.field
    off = [x for x in range(60) if not is_square(curve, x)]
    assert len(off) > 10
    wrong = [
        bytes([lead]) + x.to_bytes(field, "big")
        for lead in (2, 3)
        for x in (*off, curve.p, 256**field - 1)
    ]
    wrong += [bytes([lead]) + curve.gx.to_bytes(field, "big") for lead in (0, 1, 4, 5, 0x82, 0xFF)]
    for compressed in wrong:
        assert bound.call("decompress", 1 + 2 * field, compressed) == (
            BAD_PUBLIC_KEY,
            bytes(1 + 2 * field),
        )
    for uncompressed in (
        b"\x02" + bytes(2 * field),
        b"\x04" + bytes(2 * field),
        b"\x04" + b"\xff" * (2 * field),
    ):
        assert bound.call("compress", 1 + field, uncompressed) == (BAD_PUBLIC_KEY, bytes(1 + field))


def is_square(curve: Curve, x: int) -> bool:
    """Whether there is a point with this x."""
    return pow(x**3 + curve.a * x + curve.b, (curve.p - 1) // 2, curve.p) != curve.p - 1


def test_keys_are_drawn_in_range(bound: Bound) -> None:
    curve = bound.curve
    rng = generator(f"keys {curve.name}")
    for _ in range(4):
        private = ctypes.create_string_buffer(bound.order)
        status, public = bound.call("keygen", 1 + 2 * bound.field, private, ctypes.byref(rng))
        assert status == OK
        assert public == codec.encode_point(
            curve, multiply_base(curve, int.from_bytes(private.raw, "big"))
        )


@pytest.mark.parametrize("build", ["balanced", "shared"])
def test_deterministic_nonces(build: str, curve: Curve) -> None:
    """RFC 6979 with the hash of the curve, against the reference: that of the digest's own size."""
    bound = Bound(build, curve)
    name = {32: "sha256", 48: "sha384", 64: "sha512"}[bound.hash_bytes]
    digest = hashlib.new(name, b"sample").digest()
    for scalar in edges(curve)[-2:]:
        _, signature = bound.call(
            "ecdsa_sign",
            2 * bound.order,
            bound.scalar(scalar),
            digest,
            ctypes.c_size_t(len(digest)),
            None,
        )
        r, s = ecdsa.sign(curve, scalar, digest, hash_name=name)
        assert signature == bound.scalar(r) + bound.scalar(s)


@pytest.mark.parametrize("build", ["blinded", "shared"])
def test_hardened_verification(build: str, curve: Curve) -> None:
    """Its own value for what is valid, with the draws that the plain function refuses too;
    never for what is not.
    """
    bound = Bound(build, curve)
    digest = hashlib.sha256(b"boot").digest()
    public = codec.encode_point(curve, multiply_base(curve, 77))
    r, s = ecdsa.sign(curve, 77, digest)
    off = public[:-1] + bytes([public[-1] ^ 1])

    def verify(r: int, s: int, public: bytes = public, digest: bytes = digest) -> tuple[int, int]:
        """Of the hardened and of the plain function."""
        function = getattr(bound.lib, f"ecfit_{curve.name}_ecdsa_verify_hardened")
        function.restype = ctypes.c_uint32
        signature = bound.scalar(r) + bound.scalar(s)
        hardened = function(signature, public, digest, ctypes.c_size_t(len(digest)))
        return hardened, bound.verify(signature, public, digest)

    for valid in ((r, s), (r, curve.n - s)):
        assert verify(*valid) == (VERIFIED, OK)
    wrong = [(r, s ^ 1), (r ^ 1, s), (0, s), (r, 0), (curve.n, s), (r, curve.n), (0, 0)]
    found = [verify(*pair) for pair in wrong] + [verify(r, s, digest=digest[::-1])]
    assert all(
        hardened not in {VERIFIED, OK, 1} and plain == BAD_SIGNATURE for hardened, plain in found
    )
    hardened, plain = verify(r, s, public=off)
    assert hardened not in {VERIFIED, OK, 1}
    assert plain == BAD_PUBLIC_KEY
