"""secp256k1 beside libsecp256k1, the distribution's: nothing here normalises a signature."""

from __future__ import annotations

import ctypes
import ctypes.util
import random
from functools import cache

import pytest
from ref import codec
from ref.curves import SECP256K1
from ref.group import multiply_base

from workshop.library.curves import (
    BAD_SIGNATURE,
    BUILDS,
    OK,
    RECOVERING,
    SCHNORR,
    Bound,
    Rng,
    fixed,
    generator,
    recover,
    recovering,
    schnorr_sign,
    schnorr_verify,
    sign_recoverable,
    with_schnorr,
)
from workshop.scale import FULL

N = SECP256K1.n
EACH = 100  # random cases in each of the ten builds
VERIFY, SIGN = 0x101, 0x201  # SECP256K1_CONTEXT_VERIFY, SECP256K1_CONTEXT_SIGN
DETERMINISTIC = {"balanced", "blinded", "masked", "checked", "shared"}  # and not hedged


class Peer:
    """libsecp256k1: it computes RFC 6979, and verifies no signature with s above n/2."""

    def __init__(self) -> None:
        self.c = ctypes.CDLL(ctypes.util.find_library("secp256k1"))
        self.c.secp256k1_context_create.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.c.secp256k1_context_create(VERIFY | SIGN))

    def sign(self, key: bytes, digest: bytes) -> bytes:
        """r || s"""
        held, out = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
        assert self.c.secp256k1_ecdsa_sign(self.context, held, digest, key, None, None) == 1
        self.c.secp256k1_ecdsa_signature_serialize_compact(self.context, out, held)
        return out.raw

    def takes(self, signature: bytes, public: bytes, digest: bytes) -> bool:
        """Whether the signature is valid, as it is."""
        held, key = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
        size = ctypes.c_size_t(len(public))
        assert self.c.secp256k1_ec_pubkey_parse(self.context, key, public, size) == 1
        parse = self.c.secp256k1_ecdsa_signature_parse_compact
        return bool(
            parse(self.context, held, signature) == 1
            and self.c.secp256k1_ecdsa_verify(self.context, held, digest, key) == 1
        )

    def sign_recoverable(self, key: bytes, digest: bytes) -> bytes:
        """r || s || id"""
        held, out = ctypes.create_string_buffer(65), ctypes.create_string_buffer(64)
        number = ctypes.c_int()
        sign = self.c.secp256k1_ecdsa_sign_recoverable
        assert sign(self.context, held, digest, key, None, None) == 1
        give = self.c.secp256k1_ecdsa_recoverable_signature_serialize_compact
        give(self.context, out, ctypes.byref(number), held)
        return out.raw + bytes([number.value])

    def recover(self, recoverable: bytes, digest: bytes) -> bytes | None:
        """The public key, uncompressed, or None where there is none."""
        held, key = ctypes.create_string_buffer(65), ctypes.create_string_buffer(64)
        parse = self.c.secp256k1_ecdsa_recoverable_signature_parse_compact
        if parse(self.context, held, recoverable[:64], ctypes.c_int(recoverable[64])) != 1:
            return None
        if self.c.secp256k1_ecdsa_recover(self.context, key, held, digest) != 1:
            return None
        out, size = ctypes.create_string_buffer(65), ctypes.c_size_t(65)
        give, uncompressed = self.c.secp256k1_ec_pubkey_serialize, 2
        assert give(self.context, out, ctypes.byref(size), key, uncompressed) == 1
        return out.raw

    def schnorr_sign(self, private: bytes, message: bytes, aux: bytes) -> tuple[bytes, bytes]:
        """BIP 340, of a message of any size: x of the public key, and the signature."""
        pair, key, public = (ctypes.create_string_buffer(size) for size in (96, 64, 32))
        assert self.c.secp256k1_keypair_create(self.context, pair, private) == 1
        assert self.c.secp256k1_keypair_xonly_pub(self.context, key, None, pair) == 1
        assert self.c.secp256k1_xonly_pubkey_serialize(self.context, public, key) == 1
        out, size = ctypes.create_string_buffer(64), ctypes.c_size_t(len(message))
        given = ctypes.create_string_buffer(aux, 32)
        magic = (ctypes.c_ubyte * 4)(0xDA, 0x6F, 0xB3, 0x8C)
        extra = Extra(magic, None, ctypes.cast(given, ctypes.c_void_p))
        sign = self.c.secp256k1_schnorrsig_sign_custom
        assert sign(self.context, out, message, size, pair, ctypes.byref(extra)) == 1
        return public.raw, out.raw

    def schnorr_takes(self, signature: bytes, public: bytes, message: bytes) -> bool:
        """Whether the signature is valid, of a key by its x."""
        key, size = ctypes.create_string_buffer(64), ctypes.c_size_t(len(message))
        return bool(
            self.c.secp256k1_xonly_pubkey_parse(self.context, key, public) == 1
            and self.c.secp256k1_schnorrsig_verify(self.context, signature, message, size, key)
        )


class Extra(ctypes.Structure):
    """secp256k1_schnorrsig_extraparams; without a function for nonces, BIP 340's."""

    _fields_ = [("magic", ctypes.c_ubyte * 4), ("noncefp", ctypes.c_void_p),
                ("ndata", ctypes.c_void_p)]  # fmt: skip


@cache
def peer() -> Peer:
    return Peer()


def signed(bound: Bound, key: int, digest: bytes, rng: Rng) -> list[bytes]:
    """What each function that the build has makes of a hash."""
    status, whole = bound.sign(key, digest, rng)
    assert status == OK
    if not hasattr(bound.lib, "ecfit_secp256k1_ecdsa_sign_in"):
        return [whole]
    work = (ctypes.c_uint64 * 90)()  # ECFIT_TASK_BLOCKS(32)
    size, source = ctypes.c_size_t(len(digest)), ctypes.byref(rng)
    status, pieces = bound.call("ecdsa_sign_in", 64, bound.scalar(key), digest, size, source, work)
    assert status == OK
    return [whole, pieces]


@pytest.mark.parametrize("build", BUILDS)
def test_signatures_both_ways(build: str) -> None:
    """Ours as they are, all with the smaller s; theirs, and theirs with the larger one, here."""
    bound, dice, rng = Bound(build, SECP256K1), random.Random(build), generator(build)
    for _ in range(EACH):
        key, digest = dice.randrange(1, N), dice.randbytes(32)
        public = codec.encode_point(SECP256K1, multiply_base(SECP256K1, key))
        theirs = peer().sign(bound.scalar(key), digest)
        large = bound.scalar(N - int.from_bytes(theirs[32:], "big"))
        for signature in signed(bound, key, digest, rng):
            assert int.from_bytes(signature[32:], "big") <= N // 2
            assert peer().takes(signature, public, digest)
            assert bound.verify(signature, public, digest) == OK
            assert build not in DETERMINISTIC or signature == theirs
        assert bound.verify(theirs, public, digest) == OK
        assert bound.verify(theirs[:32] + large, public, digest) == OK
        assert not peer().takes(theirs[:32] + large, public, digest)


@pytest.mark.parametrize("build", RECOVERING)
def test_recovery_both_ways(build: str) -> None:
    """Ids and keys of signatures, and of random numbers, most of which have no key or a new one."""
    bound, dice, rng = recovering(build, SECP256K1), random.Random(build), generator(build)
    found = 0
    for _ in range(1000 // len(RECOVERING) + 1):
        key, digest = dice.randrange(1, N), dice.randbytes(32)
        public = codec.encode_point(SECP256K1, multiply_base(SECP256K1, key))
        status, ours = sign_recoverable(bound, key, digest, rng)
        theirs = peer().sign_recoverable(bound.scalar(key), digest)
        assert status == OK
        assert peer().recover(ours, digest) == public
        assert peer().takes(ours[:64], public, digest)
        assert recover(bound, ours, digest) == (OK, public)
        assert recover(bound, theirs, digest) == (OK, public)
        assert build not in DETERMINISTIC or ours == theirs
        chance = dice.randbytes(64) + bytes([dice.randrange(4)])
        wanted = peer().recover(chance, digest)
        found += wanted is not None
        nothing = (BAD_SIGNATURE, bytes(65))
        assert recover(bound, chance, digest) == ((OK, wanted) if wanted else nothing)
    assert found > 10


@pytest.mark.parametrize("build", SCHNORR)
def test_schnorr_both_ways(build: str) -> None:
    """The same signatures, also of what is valid by chance alone: a random key, R or s."""
    bound, dice = with_schnorr(build), random.Random(build)
    for _ in range(1000 // len(SCHNORR) + 1 if FULL else 4):
        private, aux = bound.scalar(dice.randrange(1, N)), dice.randbytes(32)
        message = dice.randbytes(dice.choice((0, 1, 31, 32, 33, 64, dice.randrange(300))))
        public, theirs = peer().schnorr_sign(private, message, aux)
        draws = [aux, *(dice.randbytes(32) for _ in range(9))]
        assert schnorr_sign(bound, private, message, fixed(*draws)) == (OK, theirs)
        r, s = theirs[:32], theirs[32:]
        cases = [(theirs, public), (theirs, dice.randbytes(32)), (r + dice.randbytes(32), public),
                 (dice.randbytes(32) + s, public),
                 (r + bound.scalar(N - int.from_bytes(s, "big")), public)]  # fmt: skip
        for signature, key in cases:
            taken = peer().schnorr_takes(signature, key, message)
            assert taken == (schnorr_verify(bound, signature, key, message) == OK)
        assert peer().schnorr_takes(theirs, public, message)
        assert not peer().schnorr_takes(theirs, public, message + b"x")
        assert schnorr_verify(bound, theirs, public, message + b"x") == BAD_SIGNATURE
