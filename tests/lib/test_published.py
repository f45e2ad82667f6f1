"""Published vectors of all curves that have any: NIST CAVP, RFC 5903, RFC 6979, RFC 7027."""

from __future__ import annotations

import ctypes
import hashlib
from collections import Counter

import pytest

from workshop.library.curves import BAD_PUBLIC_KEY, BAD_SIGNATURE, CURVES, OK, Bound, fixed
from workshop.vectors.cavp import NIST, Block, blocks, rfc6979
from workshop.vectors.published import RFC5903_OTHERS, ExchangeVector

FIVE = [name for name in NIST.values() if name != "secp256k1"]


def cavp(file: str, curve: str) -> list[Block]:
    """The blocks of one curve."""
    return [block for block in blocks(file) if block.curve == curve]


def point(bound: Bound, block: Block, x: str = "Qx", y: str = "Qy") -> bytes | None:
    """The public key, None where a coordinate is longer than the field."""
    values = [block.number(name) for name in (x, y)]
    if max(values) >= 1 << 8 * bound.field:
        return None
    return b"\x04" + b"".join(value.to_bytes(bound.field, "big") for value in values)


@pytest.mark.parametrize("name", FIVE)
def test_key_pairs(name: str) -> None:
    bound = Bound("balanced", CURVES[name])
    cases = [block for block in cavp("ECDSA/FIPS_186-3/KeyPair.rsp", name) if "d" in block.values]
    assert len(cases) >= 10
    for block in cases:
        private = bound.scalar(block.number("d"))
        assert bound.call("public_key", 1 + 2 * bound.field, private, None) == (
            OK,
            point(bound, block),
        )
        private_out = ctypes.create_string_buffer(bound.order)
        draw = fixed(private)
        status, public = bound.call("keygen", 1 + 2 * bound.field, private_out, ctypes.byref(draw))
        assert (status, public, private_out.raw) == (OK, point(bound, block), private)


@pytest.mark.parametrize("name", FIVE)
def test_public_keys(name: str) -> None:
    bound = Bound("balanced", CURVES[name])
    seen: Counter[str] = Counter()
    for block in cavp("ECDSA/FIPS_186-3/PKV.rsp", name):
        public, wanted = point(bound, block), block.values["Result"][0]
        seen[wanted] += 1
        if public is None:
            assert wanted == "F"
            continue
        status, _ = bound.call("ecdh", bound.field, bound.scalar(1), public, None)
        assert status == (OK if wanted == "P" else BAD_PUBLIC_KEY), block
    assert min(seen["P"], seen["F"]) >= 2


@pytest.mark.parametrize("name", NIST.values())
def test_signing(name: str) -> None:
    """With NIST's nonces where the file tells them, which a build with random nonces takes
    as its draw.
    """
    bound = Bound("tiny", CURVES[name])
    file = "ECDSA/SECP256K1/SigGen.txt" if name == "secp256k1" else "ECDSA/FIPS_186-3/SigGen.txt"
    cases = cavp(file, name)
    assert len(cases) >= 60
    for block in cases:
        digest = hashlib.new(block.hash_name, bytes.fromhex(block.values["Msg"])).digest()
        signature = bound.scalar(block.number("R")) + bound.scalar(block.number("S"))
        public = point(bound, block)
        assert public is not None
        assert bound.verify(signature, public, digest) == OK, block
        if "k" in block.values:
            assert bound.sign(
                block.number("d"), digest, fixed(bound.scalar(block.number("k")))
            ) == (OK, signature)


@pytest.mark.parametrize("name", FIVE)
def test_verification(name: str) -> None:
    bound = Bound("balanced", CURVES[name])
    seen: Counter[str] = Counter()
    for block in cavp("ECDSA/FIPS_186-3/SigVer.rsp", name):
        digest = hashlib.new(block.hash_name, bytes.fromhex(block.values["Msg"])).digest()
        public, wanted = point(bound, block), block.values["Result"][0]
        assert public is not None
        signature = bound.scalar(block.number("R")) + bound.scalar(block.number("S"))
        allowed = {OK} if wanted == "P" else {BAD_SIGNATURE, BAD_PUBLIC_KEY}
        assert bound.verify(signature, public, digest) in allowed, block
        seen[wanted] += 1
    assert min(seen["P"], seen["F"]) >= 10


@pytest.mark.parametrize("name", FIVE)
def test_key_agreement(name: str) -> None:
    """Both roles; what NIST calls wrong has a wrong Z, hash or key: where Z was changed,
    ours must differ.
    """
    bound = Bound("balanced", CURVES[name])
    seen: Counter[str] = Counter()
    for role in ("init", "resp"):
        for block in cavp(f"ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{role}.fax", name):
            public, result = point(bound, block, "QsCAVSx", "QsCAVSy"), block.values["Result"]
            if public is None:
                assert result[0] == "F"
                continue
            answer = bound.call(
                "ecdh", bound.field, bound.scalar(block.number("dsIUT")), public, None
            )
            z = block.number("Z").to_bytes(bound.field, "big")
            if result[0] == "P":
                assert answer == (OK, z), block
            elif "Z changed" in result:
                assert answer[0] == OK
                assert answer[1] != z
            seen[result[0]] += 1
    assert min(seen["P"], seen["F"]) >= 10


@pytest.mark.parametrize("count", range(3))
def test_rfc7027(count: int) -> None:
    block = [block for block in blocks("ECDH/brainpool.txt") if "curve" in block.values][count]
    bound = Bound("balanced", CURVES[block.values["curve"]])
    points = [point(bound, block, f"x_q{side}", f"y_q{side}") for side in "AB"]
    scalars = [bound.scalar(block.number(f"d{side}")) for side in "AB"]
    for scalar, public, peer in zip(scalars, points, reversed(points), strict=True):
        assert bound.call("public_key", 1 + 2 * bound.field, scalar, None) == (OK, public)
        z = block.number("x_Z").to_bytes(bound.field, "big")
        assert bound.call("ecdh", bound.field, scalar, peer, None) == (OK, z)


@pytest.mark.parametrize("name", RFC5903_OTHERS)
def test_rfc5903(name: str) -> None:
    vector: ExchangeVector = RFC5903_OTHERS[name]
    bound = Bound("balanced", CURVES[name])
    private_i, public_i, private_r, public_r, shared = (bytes.fromhex(value) for value in vector)
    for private, public, peer in ((private_i, public_i, public_r), (private_r, public_r, public_i)):
        assert bound.call("public_key", 1 + 2 * bound.field, private, None) == (OK, public)
        assert bound.call("ecdh", bound.field, private, peer, None) == (OK, shared)


@pytest.mark.parametrize("name", FIVE)
def test_rfc6979(name: str) -> None:
    """All verify; those with the hash of the curve, which the library has,
    must come out of signing.
    """
    bound = Bound("balanced", CURVES[name])
    made = 0
    cases = [vector for vector in rfc6979() if vector.curve == name]
    assert len(cases) == 10
    for vector in cases:
        digest = hashlib.new(vector.hash_name, vector.message).digest()
        status, signature = bound.from_der(vector.der)
        _, public = bound.call(
            "public_key", 1 + 2 * bound.field, bound.scalar(vector.private_key), None
        )
        assert (status, bound.verify(signature, public, digest)) == (OK, OK)
        if len(digest) == bound.hash_bytes:
            assert bound.sign(vector.private_key, digest, None) == (OK, signature)
            made += 1
    assert made == 2
