"""The functions of uECC.h in Python, of ecfit and of micro-ecc."""

from __future__ import annotations

import ctypes
import hashlib
from typing import NamedTuple

from ref.curves import LIBRARY, Curve

SIZES = {"secp160r1": 20, "secp192r1": 24, "secp224r1": 28, "secp256r1": 32, "secp256k1": 32}
CURVES = {curve.name: curve for curve in LIBRARY if curve.name in SIZES}
FILL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint)
_INIT = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_UPDATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint)
_FINISH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint8))
BLOCKS = {"sha1": 64, "sha256": 64, "sha512": 128}


class _Context(ctypes.Structure):
    _fields_ = [
        ("init", _INIT),
        ("update", _UPDATE),
        ("finish", _FINISH),
        ("block_size", ctypes.c_uint),
        ("result_size", ctypes.c_uint),
        ("tmp", ctypes.c_void_p),
    ]


class Hash:
    """A uECC_HashContext around a hash of Python."""

    def __init__(self, name: str) -> None:
        size = hashlib.new(name).digest_size
        self.room = ctypes.create_string_buffer(b"\x55" * 500, 500)
        self.used = 2 * size + BLOCKS[name]
        self._state = hashlib.new(name)

        def init(_: int | None) -> None:
            self._state = hashlib.new(name)

        def update(_: int | None, data: ctypes._Pointer[ctypes.c_uint8], count: int) -> None:
            self._state.update(ctypes.string_at(data, count))

        def finish(_: int | None, out: ctypes._Pointer[ctypes.c_uint8]) -> None:
            ctypes.memmove(out, self._state.digest(), size)

        self.context = _Context(
            _INIT(init), _UPDATE(update), _FINISH(finish), BLOCKS[name], size,
            ctypes.addressof(self.room),
        )  # fmt: skip


class Answer(NamedTuple):
    """What a function returned, and its output."""

    done: int
    out: bytes


class Uecc:
    """One library and one curve."""

    def __init__(self, c: ctypes.CDLL, name: str) -> None:
        self.c, self.name, self.size = c, name, SIZES[name]
        self.order_size = (self.order.bit_length() + 7) // 8
        get = getattr(c, f"uECC_{name}")
        get.restype = ctypes.c_void_p
        self.curve = ctypes.c_void_p(get())

    @property
    def reference(self) -> Curve:
        """The curve in the slow reference."""
        return CURVES[self.name]

    @property
    def order(self) -> int:
        """n"""
        return CURVES[self.name].n

    def key(self, number: int) -> bytes:
        """A private key in bytes."""
        return number.to_bytes(self.order_size, "big")

    def _call(self, verb: str, size: int, *arguments: object, at: int) -> Answer:
        out = ctypes.create_string_buffer(b"\xa7" * (size + 8), size + 8)
        words = [*arguments[:at], out, *arguments[at:], self.curve]
        done = getattr(self.c, f"uECC_{verb}")(*words)
        assert out.raw[size:] == b"\xa7" * 8, f"{verb} wrote beside its output"
        return Answer(done, out.raw[:size])

    def make_key(self) -> tuple[Answer, bytes]:
        """uECC_make_key: what it returned and the public key; the private one."""
        private = ctypes.create_string_buffer(self.order_size)
        return self._call("make_key", 2 * self.size, private, at=0), private.raw

    def public(self, private: bytes) -> Answer:
        """uECC_compute_public_key"""
        return self._call("compute_public_key", 2 * self.size, private, at=1)

    def shared(self, public: bytes, private: bytes) -> Answer:
        """uECC_shared_secret"""
        return self._call("shared_secret", self.size, public, private, at=2)

    def compress(self, public: bytes) -> bytes:
        """uECC_compress"""
        return self._call("compress", self.size + 1, public, at=1).out

    def decompress(self, compressed: bytes) -> bytes:
        """uECC_decompress"""
        return self._call("decompress", 2 * self.size, compressed, at=1).out

    def valid(self, public: bytes) -> int:
        """uECC_valid_public_key"""
        return int(self.c.uECC_valid_public_key(public, self.curve))

    def sign(self, private: bytes, digest: bytes) -> Answer:
        """uECC_sign"""
        size = ctypes.c_uint(len(digest))
        return self._call("sign", 2 * self.size, private, digest, size, at=3)

    def sign_with_k(self, private: bytes, digest: bytes, k: bytes) -> Answer:
        """uECC_sign_with_k"""
        size = ctypes.c_uint(len(digest))
        return self._call("sign_with_k", 2 * self.size, private, digest, size, k, at=4)

    def sign_deterministic(self, private: bytes, digest: bytes, hash_: Hash) -> Answer:
        """uECC_sign_deterministic"""
        size, context = ctypes.c_uint(len(digest)), ctypes.byref(hash_.context)
        return self._call("sign_deterministic", 2 * self.size, private, digest, size, context, at=4)

    def verify(self, public: bytes, digest: bytes, signature: bytes) -> int:
        """uECC_verify"""
        size = ctypes.c_uint(len(digest))
        return int(self.c.uECC_verify(public, digest, size, signature, self.curve))
