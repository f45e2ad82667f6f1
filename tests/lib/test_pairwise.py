"""Every two values of knobs that go together, in one configuration each, on three curves,
with vectors from elsewhere.

Sweep `pairwise` runs all of the covering array (workshop/library/pairs.py); the tests run its
first rows, which have two thirds of the pairs. Expected values: the plain-Python reference, and
OpenSSL where it knows the curve.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import random
from collections.abc import Callable
from functools import cache

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from ref import codec, ecdsa
from ref.curves import Curve
from ref.group import multiply, multiply_base

from ecfit.choices import knobs
from ecfit.errors import UsageError
from ecfit.model import Configuration
from workshop.library import build as lib_build
from workshop.library import pairs
from workshop.library.curves import BAD_PUBLIC_KEY, BAD_SIGNATURE, CURVES, NAMES, OK, generator

FULL = os.environ.get("ECFIT_TEST_SCALE") == "full"
ROWS = 15
GLV = ("secp256k1",)  # takes MULD and MULV = glv, which are for it alone, in rows with MULD = naf
SLOT = knobs.find_slot("secp256r1")
OPENSSL: dict[str, Callable[[], ec.EllipticCurve]] = {
    "secp192r1": ec.SECP192R1, "secp224r1": ec.SECP224R1, "secp256r1": ec.SECP256R1,
    "secp384r1": ec.SECP384R1,
    "secp521r1": ec.SECP521R1, "secp256k1": ec.SECP256K1, "brainpoolP256r1": ec.BrainpoolP256R1,
    "brainpoolP384r1": ec.BrainpoolP384R1, "brainpoolP512r1": ec.BrainpoolP512R1,
}  # fmt: skip


@cache
def rows() -> list[pairs.Row]:
    """The configurations of this run."""
    return pairs.covering(SLOT, None if FULL else ROWS)


def curves_of(number: int, row: pairs.Row) -> list[str]:
    """Curves that the configuration is for, other ones for each row: three, in CI one; GLV."""
    able = [name for name in NAMES if refusal(name, row) is None]
    chosen = [
        able[(number + step) % len(able)]
        for step in (0, len(able) // 3, 2 * len(able) // 3)[: 3 if FULL else 1]
    ]
    return list(dict.fromkeys([*chosen, *(GLV if row["MULD"] == "naf" else ())]))


def refusal(name: str, row: pairs.Row) -> UsageError | None:
    """Why a curve cannot have a configuration."""
    slot = knobs.find_slot(name)
    try:
        knobs._check_combination(slot, slot.fitted({**defaults(), **row}), ())
    except UsageError as error:
        return error
    return None


@cache
def defaults() -> dict[str, str]:
    """A value for every knob of any curve."""
    return {knob.name: str(knob.default) for knob in knobs.all_knobs().values()}


class Built:
    """The library in one configuration, with three curves."""

    def __init__(self, number: int) -> None:
        row = rows()[number]
        self.names = curves_of(number, row)
        self.settings = {**defaults(), **row}
        config = Configuration(knobs.LIBRARY, "balanced", tuple(sorted(self.settings.items())), ())
        more = {}
        if self.names[1:] and self.names[-1] in GLV:
            unmasked = row["MULV"] == "window" and row["BLIND"] in {"none", "coordinates"}
            halves = {"MULD": "glv", "MULV": "glv" if unmasked else row["MULV"]}
            settings = tuple(sorted((self.settings | halves).items()))
            more = dict.fromkeys(GLV, msgspec.structs.replace(config, settings=settings))
        command = [
            lib_build.compiler()[0],
            "-std=c11",
            "-O1",
            *lib_build.WARNINGS,
            "-shared",
            "-fPIC",
        ]
        sources = lib_build.units(config)
        self.lib = ctypes.CDLL(
            str(
                lib_build.build(
                    config,
                    sources,
                    command,
                    suffix=".so",
                    curves=[name for name in self.names if name not in more],
                    more=more,
                )
            )
        )

    def call(
        self, curve: Curve, verb: str, size: int, *arguments: object
    ) -> tuple[int, bytes] | None:
        """Status and output of a function whose first argument is its output;
        None where it is left out.
        """
        if not hasattr(self.lib, f"ecfit_{curve.name}_{verb}"):
            return None
        out = ctypes.create_string_buffer(b"\xa5" * size, size)
        return getattr(self.lib, f"ecfit_{curve.name}_{verb}")(out, *arguments), out.raw


@pytest.fixture(scope="module", params=range(len(rows()) if FULL else ROWS))
def built(request: pytest.FixtureRequest) -> Built:
    """Each configuration."""
    return Built(request.param)


def scalars(curve: Curve) -> list[int]:
    """Ends of the range, and one from nowhere."""
    some = (
        int.from_bytes(hashlib.shake_256(curve.name.encode()).digest(80), "big") % (curve.n - 1) + 1
    )
    return [1, 2, curve.n - 1, curve.n - 2, some]


def test_keys_and_secrets(built: Built) -> None:
    for name in built.names:
        curve, rng = CURVES[name], generator(name)
        field, order = curve.field_bytes, curve.order_bytes
        peer = multiply_base(curve, 5)
        for scalar in scalars(curve):
            key, source = scalar.to_bytes(order, "big"), ctypes.byref(rng)
            wanted = codec.encode_point(curve, multiply_base(curve, scalar))
            public = built.call(curve, "public_key", 1 + 2 * field, key, source)
            assert public in (None, (OK, wanted)), (name, scalar)
            shared = multiply(curve, scalar, peer)
            assert shared is not None
            secret = built.call(curve, "ecdh", field, key, codec.encode_point(curve, peer), source)
            assert secret in (None, (OK, shared[0].to_bytes(field, "big"))), (name, scalar)
            packed = built.call(curve, "compress", 1 + field, wanted)
            assert packed in (
                None,
                (OK, codec.encode_point(curve, multiply_base(curve, scalar), compressed=True)),
            )
            if packed is not None:
                assert built.call(curve, "decompress", 1 + 2 * field, packed[1]) == (OK, wanted)
        off = codec.encode_point(curve, peer)[:-1] + b"\0"
        refused = built.call(curve, "ecdh", field, key, off, source)
        assert refused in (None, (BAD_PUBLIC_KEY, bytes(field)))


def test_signatures(built: Built) -> None:
    for name in built.names:
        curve, rng, scalar = CURVES[name], generator(name), scalars(CURVES[name])[-1]
        size, order = (
            (32 if curve.order_bits <= 256 else 48 if curve.order_bits == 384 else 64),
            curve.order_bytes,
        )
        digest_name = {32: "sha256", 48: "sha384", 64: "sha512"}[size]
        digest, point = (
            hashlib.new(digest_name, name.encode()).digest(),
            multiply_base(curve, scalar),
        )
        arguments = (
            scalar.to_bytes(order, "big"),
            digest,
            ctypes.c_size_t(size),
            ctypes.byref(rng),
        )
        signed = built.call(curve, "ecdsa_sign", 2 * order, *arguments)
        if signed is not None:
            assert signed[0] == OK, name
            pair = (
                int.from_bytes(signed[1][:order], "big"),
                int.from_bytes(signed[1][order:], "big"),
            )
            assert ecdsa.verify(curve, point, digest, pair)
            assert openssl_accepts(curve, scalar, digest, pair)
            if built.settings["NONCE"] == "deterministic":
                assert pair == ecdsa.sign(curve, scalar, digest, hash_name=digest_name)
        check_verification(built, curve, scalar, digest)


def check_verification(built: Built, curve: Curve, scalar: int, digest: bytes) -> None:
    """Signatures of the reference, right and wrong, and one that OpenSSL made."""
    if not hasattr(built.lib, f"ecfit_{curve.name}_ecdsa_verify"):
        return
    verify = getattr(built.lib, f"ecfit_{curve.name}_ecdsa_verify")
    public, size = (
        codec.encode_point(curve, multiply_base(curve, scalar)),
        ctypes.c_size_t(len(digest)),
    )
    found = [ecdsa.sign(curve, scalar, digest)]
    if curve.name in OPENSSL:
        key = ec.derive_private_key(scalar, OPENSSL[curve.name]())
        found.append(utils.decode_dss_signature(key.sign(digest, ec.ECDSA(prehashed(digest)))))
    for r, s in found:
        wrong = (r % (curve.n - 1) + 1, s)
        assert verify(codec_pair(curve, (r, s)), public, digest, size) == OK
        assert verify(codec_pair(curve, wrong), public, digest, size) == BAD_SIGNATURE
        assert verify(codec_pair(curve, (r, s)), public, digest[::-1], size) == BAD_SIGNATURE


def codec_pair(curve: Curve, pair: tuple[int, int]) -> bytes:
    """r || s."""
    return b"".join(number.to_bytes(curve.order_bytes, "big") for number in pair)


def prehashed(digest: bytes) -> utils.Prehashed:
    """What OpenSSL takes for a digest of this size."""
    return utils.Prehashed(
        {32: hashes.SHA256(), 48: hashes.SHA384(), 64: hashes.SHA512()}[len(digest)]
    )


def openssl_accepts(curve: Curve, scalar: int, digest: bytes, pair: tuple[int, int]) -> bool:
    """Whether OpenSSL takes the signature, True for the two curves that it does not know."""
    if curve.name not in OPENSSL:
        return True
    public = ec.derive_private_key(scalar, OPENSSL[curve.name]()).public_key()
    try:
        public.verify(utils.encode_dss_signature(*pair), digest, ec.ECDSA(prehashed(digest)))
    except InvalidSignature:
        return False
    return True


def test_every_pair_of_a_random_configuration_is_possible() -> None:
    """The array's list of pairs against configurations made another way: at random,
    accepted by `knobs.resolve`.
    """
    space, source = pairs.Space(SLOT), random.Random(3)
    possible = space.possible()
    accepted = 0
    while accepted < 20:
        row = {name: source.choice(pairs.offered(knob, SLOT)) for name, knob in space.knobs.items()}
        if refusal(SLOT.name, row) is not None:
            continue
        accepted += 1
        used = space.used(sum(1 << space.number[item] for item in row.items()))
        for number in range(len(space.items)):
            if used >> number & 1:
                assert not used & ~possible[number] & ~(1 << number), row


def test_the_rows_go_together_and_have_most_pairs() -> None:
    space = pairs.Space(SLOT)
    missing = before = space.possible()
    for row in rows():
        assert refusal(SLOT.name, row) is None
        used = space.used(sum(1 << space.number[item] for item in row.items()))
        missing = [
            mask & ~used if used >> number & 1 else mask for number, mask in enumerate(missing)
        ]
    left, total = (sum(mask.bit_count() for mask in masks) for masks in (missing, before))
    assert left <= (0 if FULL else 0.4 * total)
    assert total > 4000
