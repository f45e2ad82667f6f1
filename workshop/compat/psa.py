"""The functions of PSA Crypto in Python, of compat/psa."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from workshop.compat.adapters import COMPAT, ROOT, contents
from workshop.library import build as lib_build
from workshop.paths import SRC

HERE = ROOT / "tests" / "compat" / "psa"
SETS = {"NONCE": "random", "COMPRESS": "none", "HASH_STREAM": "own", "SHA256": "own"}
SUCCESS, NOT_PERMITTED, NOT_SUPPORTED, INVALID_ARGUMENT, INVALID_HANDLE = 0, -133, -134, -135, -136
BAD_STATE, BUFFER_TOO_SMALL, INSUFFICIENT_MEMORY, INSUFFICIENT_ENTROPY = -137, -138, -141, -148
INVALID_SIGNATURE = -149
ALREADY_EXISTS, DOES_NOT_EXIST, INSUFFICIENT_STORAGE, STORAGE_FAILURE = -139, -140, -142, -146
DATA_CORRUPT, DATA_INVALID = -152, -153
EXPORT, SIGN_MESSAGE, VERIFY_MESSAGE, SIGN_HASH, VERIFY_HASH, DERIVE = (
    1, 0x400, 0x800, 0x1000, 0x2000, 0x4000,
)  # fmt: skip
ANY_USE = EXPORT | SIGN_MESSAGE | VERIFY_MESSAGE | SIGN_HASH | VERIFY_HASH | DERIVE
SHA = {"sha1": 5, "sha224": 8, "sha256": 9, "sha384": 10, "sha512": 11}
HASH, ANY_HASH, ECDSA, DETERMINISTIC = 0x02000000, 0xFF, 0x06000600, 0x06000700
PURE_EDDSA, ED25519PH, ECDH, FFDH = 0x06000800, 0x0600090B, 0x09020000, 0x09010000
FILL = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t
)
TEST_ITS = ("-DTEST_ITS", '-DECFIT_PSA_ITS="its.h"')
STORAGE = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_char, ctypes.c_uint64, ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_uint8), ctypes.POINTER(ctypes.c_size_t),
)  # fmt: skip


class Kind(NamedTuple):
    """A curve as PSA Crypto sees it; bytes of a private key."""

    family: int
    bits: int
    size: int

    @property
    def pair(self) -> int:
        """The type of a key pair."""
        return 0x7100 | self.family

    @property
    def public(self) -> int:
        """The type of a public key."""
        return 0x4100 | self.family

    @property
    def point(self) -> int:
        """Bytes of a public key."""
        return self.size if self.family >= 0x41 else 1 + 2 * self.size


WEIERSTRASS = {
    "secp192r1": Kind(0x12, 192, 24),
    "secp224r1": Kind(0x12, 224, 28),
    "secp256r1": Kind(0x12, 256, 32),
    "secp384r1": Kind(0x12, 384, 48),
    "secp521r1": Kind(0x12, 521, 66),
    "secp256k1": Kind(0x17, 256, 32),
    "brainpoolP256r1": Kind(0x30, 256, 32),
    "brainpoolP384r1": Kind(0x30, 384, 48),
    "brainpoolP512r1": Kind(0x30, 512, 64),
}
MONTGOMERY = {"x25519": Kind(0x41, 255, 32), "x448": Kind(0x41, 448, 56)}
EDWARDS = {"ed25519": Kind(0x42, 255, 32), "ed448": Kind(0x42, 448, 57)}
KINDS = {**WEIERSTRASS, **MONTGOMERY, **EDWARDS}


class Attributes(ctypes.Structure):
    """psa_key_attributes_t"""

    _fields_ = [
        ("lifetime", ctypes.c_uint32),
        ("id", ctypes.c_uint32),
        ("usage", ctypes.c_uint32),
        ("algorithm", ctypes.c_uint32),
        ("type", ctypes.c_uint16),
        ("bits", ctypes.c_uint16),
    ]


class Answer(NamedTuple):
    """What a function returned, and its output."""

    status: int
    out: bytes


@cache
def _library(
    curves: Sequence[str], sets: tuple[tuple[str, str], ...], flags: tuple[str, ...]
) -> Path:
    config = knobs.resolve(CURVES[curves[0]], "balanced", dict(sets), "w64")
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    own = [HERE / "open.c", HERE / "its.h"]
    command += [f"-I{COMPAT / 'psa'}", f"-I{HERE}", *flags, contents(COMPAT, own)]
    units = [SRC / "ecfit.c", COMPAT / "psa" / "psa_hash.c", HERE / "open.c"]
    return lib_build.build(config, units, command, suffix=".so", curves=curves)


class Psa:
    """One build of compat/psa, ready to use, with the system's generator."""

    def __init__(
        self,
        curves: Sequence[str],
        sets: Mapping[str, str] | None = None,
        flags: tuple[str, ...] = (),
    ) -> None:
        chosen = tuple(sorted((SETS if sets is None else sets).items()))
        self.c = ctypes.CDLL(str(_library(tuple(curves), chosen, flags)))
        self.c.bytes_in_use.restype = ctypes.c_size_t
        self.c.operation_bytes.restype = ctypes.c_size_t
        self.fill = FILL(self._random)
        self.asked: list[int] = []
        self.restart()

    def _random(self, _: int | None, out: ctypes._Pointer[ctypes.c_uint8], size: int) -> int:
        self.asked.append(size)
        ctypes.memmove(out, os.urandom(size), size)
        return 0

    def restart(self) -> None:
        """No key, psa_crypto_init(), the system's generator."""
        self.c.forget()
        self.c.choose_generator(self.fill)
        assert self.c.psa_crypto_init() == SUCCESS

    def attributes(
        self, type_: int, algorithm: int = 0, usage: int = ANY_USE, bits: int = 0, **more: int
    ) -> Attributes:
        """Of a key to import or to generate."""
        return Attributes(type=type_, algorithm=algorithm, usage=usage, bits=bits, **more)

    def imported(self, attributes: Attributes, data: bytes) -> tuple[int, int]:
        """psa_import_key: status and key."""
        key = ctypes.c_uint32(77)
        size = ctypes.c_size_t(len(data))
        status = self.c.psa_import_key(ctypes.byref(attributes), data, size, ctypes.byref(key))
        assert (status == SUCCESS) == (key.value != 0)
        return status, key.value

    def key(self, kind: Kind, data: bytes, algorithm: int = 0, usage: int = ANY_USE) -> int:
        """The same of a pair or a public key, whose type its length says; it must work."""
        type_ = kind.pair
        if len(data) == kind.point != kind.size:
            type_ = kind.public
        status, key = self.imported(self.attributes(type_, algorithm, usage, kind.bits), data)
        assert status == SUCCESS
        return key

    def public_key(self, kind: Kind, data: bytes, algorithm: int = 0, usage: int = ANY_USE) -> int:
        """The same of a public key, where the length does not say so."""
        attributes = self.attributes(kind.public, algorithm, usage, kind.bits)
        status, key = self.imported(attributes, data)
        assert status == SUCCESS
        return key

    def generated(self, attributes: Attributes) -> tuple[int, int]:
        """psa_generate_key: status and key."""
        key = ctypes.c_uint32(77)
        status = self.c.psa_generate_key(ctypes.byref(attributes), ctypes.byref(key))
        assert (status == SUCCESS) == (key.value != 0)
        return status, key.value

    def destroy(self, key: int) -> int:
        """psa_destroy_key"""
        return int(self.c.psa_destroy_key(ctypes.c_uint32(key)))

    def purge(self, key: int) -> int:
        """psa_purge_key"""
        return int(self.c.psa_purge_key(ctypes.c_uint32(key)))

    def attributes_of(self, key: int) -> tuple[int, Attributes]:
        """psa_get_key_attributes"""
        found = Attributes(1, 2, 3, 4, 5, 6)
        status = self.c.psa_get_key_attributes(ctypes.c_uint32(key), ctypes.byref(found))
        return status, found

    def _out(self, function: str, size: int, *arguments: object) -> Answer:
        out = ctypes.create_string_buffer(b"\xa7" * (size + 8), size + 8)
        length = ctypes.c_size_t(99)
        called = getattr(self.c, function)
        status = called(*arguments, out, ctypes.c_size_t(size), ctypes.byref(length))
        assert out.raw[size:] == b"\xa7" * 8, f"{function} wrote beside its output"
        assert status == SUCCESS or length.value == 0
        return Answer(status, out.raw[: length.value])

    def export(self, key: int, size: int = 200) -> Answer:
        """psa_export_key"""
        return self._out("psa_export_key", size, ctypes.c_uint32(key))

    def public(self, key: int, size: int = 200) -> Answer:
        """psa_export_public_key"""
        return self._out("psa_export_public_key", size, ctypes.c_uint32(key))

    def sign(self, what: str, key: int, algorithm: int, data: bytes, size: int = 200) -> Answer:
        """psa_sign_hash or psa_sign_message"""
        return self._out(
            f"psa_sign_{what}", size, ctypes.c_uint32(key), ctypes.c_uint32(algorithm), data,
            ctypes.c_size_t(len(data)),
        )  # fmt: skip

    def verify(self, what: str, key: int, algorithm: int, data: bytes, signature: bytes) -> int:
        """psa_verify_hash or psa_verify_message"""
        done: int = getattr(self.c, f"psa_verify_{what}")(
            ctypes.c_uint32(key), ctypes.c_uint32(algorithm), data, ctypes.c_size_t(len(data)),
            signature, ctypes.c_size_t(len(signature)),
        )  # fmt: skip
        return done

    def agree(self, key: int, peer: bytes, size: int = 200, algorithm: int = ECDH) -> Answer:
        """psa_raw_key_agreement"""
        return self._out(
            "psa_raw_key_agreement", size, ctypes.c_uint32(algorithm), ctypes.c_uint32(key), peer,
            ctypes.c_size_t(len(peer)),
        )  # fmt: skip

    def compute(self, algorithm: int, data: bytes, size: int = 64) -> Answer:
        """psa_hash_compute"""
        return self._out(
            "psa_hash_compute", size, ctypes.c_uint32(algorithm), data, ctypes.c_size_t(len(data))
        )

    def compare(self, algorithm: int, data: bytes, digest: bytes) -> int:
        """psa_hash_compare"""
        sizes = ctypes.c_size_t(len(data)), ctypes.c_size_t(len(digest))
        return int(
            self.c.psa_hash_compare(ctypes.c_uint32(algorithm), data, sizes[0], digest, sizes[1])
        )

    def operation(self) -> Operation:
        """A psa_hash_operation_t, inactive."""
        return Operation(self)


class Operation:
    """A hash in parts."""

    def __init__(self, psa: Psa) -> None:
        self.psa = psa
        self.room = (ctypes.c_uint64 * (psa.c.operation_bytes() // 8 + 1))()

    def setup(self, algorithm: int) -> int:
        """psa_hash_setup"""
        return int(self.psa.c.psa_hash_setup(self.room, ctypes.c_uint32(algorithm)))

    def update(self, data: bytes) -> int:
        """psa_hash_update"""
        return int(self.psa.c.psa_hash_update(self.room, data, ctypes.c_size_t(len(data))))

    def finish(self, size: int = 64) -> Answer:
        """psa_hash_finish"""
        return self.psa._out("psa_hash_finish", size, self.room)

    def verify(self, digest: bytes) -> int:
        """psa_hash_verify"""
        return int(self.psa.c.psa_hash_verify(self.room, digest, ctypes.c_size_t(len(digest))))

    def abort(self) -> int:
        """psa_hash_abort"""
        return int(self.psa.c.psa_hash_abort(self.room))

    def clone(self, target: Operation) -> int:
        """psa_hash_clone"""
        return int(self.psa.c.psa_hash_clone(self.room, target.room))
