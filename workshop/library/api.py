"""The public API through ctypes: bytes in, (status, bytes...) out; every call checks what every
call must keep.

Around each output stand guard bytes, outputs are dirty before the call,
inputs must be unchanged after it, and outputs must be all zero unless the status is OK.
A random source that raises makes the call fail in Python too.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

GUARD = bytes(range(0xA0, 0xB0))
DIRT = 0xC3

FILL = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t
)


class Status(IntEnum):
    """ecfit_status."""

    OK = 0
    BAD_PRIVATE_KEY = 1
    BAD_PUBLIC_KEY = 2
    BAD_SIGNATURE = 3
    RNG_FAILED = 4
    FAULT = 7
    BAD_HASH = 8
    READ_FAILED = 9


class _RngStruct(ctypes.Structure):
    _fields_ = [("fill", FILL), ("context", ctypes.c_void_p)]


class BytesStruct(ctypes.Structure):
    """ecfit_bytes."""

    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Rng:
    """A caller's generator. `source(size)` returns the bytes, or None to report a failure."""

    CONTEXT = 0x1234

    def __init__(self, source: Callable[[int], bytes | None]) -> None:
        self._source = source
        self.drawn: list[bytes] = []
        self.calls = 0
        self.error: BaseException | None = None
        self._callback = FILL(self._fill)
        self.struct = _RngStruct(self._callback, self.CONTEXT)

    @classmethod
    def of(cls, *draws: bytes) -> Rng:
        """Gives these strings, one a call, then fails."""
        queue = list(draws)
        return cls(lambda size: queue.pop(0) if queue else None)

    @classmethod
    def empty(cls) -> Rng:
        """`ecfit_rng rng = {0}`: without a function."""
        rng = cls.of()
        rng.struct = _RngStruct()
        return rng

    def _fill(self, context: int, out: ctypes._Pointer[ctypes.c_uint8], size: int) -> int:
        self.calls += 1
        try:
            assert context == self.CONTEXT, "the context is not handed through"
            data = self._source(size)
            if data is None:
                return -1
            assert len(data) == size, f"the library drew {size} bytes, the test gives {len(data)}"
            ctypes.memmove(out, data, size)
            self.drawn.append(data)
        except (
            BaseException
        ) as error:  # an exception cannot cross the C frames: keep it for the caller
            self.error = error
            return -1
        return 0


class _Out:
    """An output buffer between guards."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.buffer = ctypes.create_string_buffer(
            GUARD + bytes([DIRT]) * size + GUARD, size + 2 * len(GUARD)
        )
        self.pointer = ctypes.byref(self.buffer, len(GUARD))

    def take(self) -> bytes:
        raw = self.buffer.raw
        assert raw.startswith(GUARD) and raw.endswith(GUARD), "the library wrote beside an output"
        return raw[len(GUARD) : -len(GUARD)]


class Library:
    """A shared library built for one configuration; `size`: bytes of a field element
    and of a scalar.
    """

    def __init__(
        self, path: Path, knobs: dict[str, str], curve: str = "secp256r1", size: int = 32
    ) -> None:
        self.knobs = knobs
        self.curve = curve
        self.size = size
        self.c = ctypes.CDLL(str(path))

    def has(self, verb: str) -> bool:
        """True when the configuration contains the operation."""
        return hasattr(self.c, f"ecfit_{self.curve}_{verb}")

    def keygen(self, rng: Rng | None) -> tuple[Status, bytes, bytes]:
        """(status, public key, private key)."""
        status, public, private = self._call(
            "keygen", [1 + 2 * self.size, self.size], [], rng=(rng,)
        )
        return status, public, private

    def public_key(self, private_key: bytes, rng: Rng | None = None) -> tuple[Status, bytes]:
        """(status, public key)."""
        status, public = self._call("public_key", [1 + 2 * self.size], [private_key], rng=(rng,))
        return status, public

    def ecdh(
        self, private_key: bytes, public_key: bytes, rng: Rng | None = None
    ) -> tuple[Status, bytes]:
        """(status, shared secret)."""
        status, shared = self._call("ecdh", [self.size], [private_key, public_key], rng=(rng,))
        return status, shared

    def sign(
        self, private_key: bytes, digest: bytes, rng: Rng | None = None
    ) -> tuple[Status, bytes]:
        """(status, signature)."""
        status, signature = self._call("ecdsa_sign", [2 * self.size], [private_key], digest, (rng,))
        return status, signature

    def verify(self, signature: bytes, public_key: bytes, digest: bytes) -> Status:
        """Status of a verification."""
        (status,) = self._call("ecdsa_verify", [], [signature, public_key], digest)
        return Status(status)

    def public_key_check(self, public_key: bytes) -> Status:
        """Whether it is a point of the curve."""
        return Status(self._call("public_key_check", [], [public_key])[0])

    def compress(self, public_key: bytes) -> tuple[Status, bytes]:
        """(status, 02/03 || x)."""
        status, compressed = self._call("compress", [1 + self.size], [public_key])
        return status, compressed

    def decompress(self, compressed: bytes) -> tuple[Status, bytes]:
        """(status, 04 || x || y)."""
        status, public = self._call("decompress", [1 + 2 * self.size], [compressed])
        return status, public

    def sha256(self, *pieces: bytes) -> bytes:
        """Digest of the concatenation."""
        out = _Out(32)
        array = (BytesStruct * len(pieces))(*[BytesStruct(piece, len(piece)) for piece in pieces])
        self.c.ecfit_sha256(out.pointer, array, ctypes.c_size_t(len(pieces)))
        return out.take()

    def _call(  # type: ignore[no-untyped-def]
        self,
        verb: str,
        out_sizes: list[int],
        inputs: list[bytes],
        digest: bytes | None = None,
        rng: tuple[Rng | None, ...] = (),
    ):
        """One call: outputs, fixed-size inputs, then hash and its size, then the generator."""
        assert all(
            len(data) in (self.size, 2 * self.size, 1 + self.size, 1 + 2 * self.size)
            for data in inputs
        )
        outs = [_Out(size) for size in out_sizes]
        given = [*inputs, digest] if digest is not None else inputs
        buffers = [ctypes.create_string_buffer(data, max(len(data), 1)) for data in given]
        arguments: list[object] = [out.pointer for out in outs] + list(buffers)
        if digest is not None:
            arguments.append(ctypes.c_size_t(len(digest)))
        arguments += [None if source is None else ctypes.byref(source.struct) for source in rng]
        status = Status(getattr(self.c, f"ecfit_{self.curve}_{verb}")(*arguments))
        for source in rng:
            if source is not None and source.error is not None:
                raise source.error
        for data, buffer in zip(given, buffers, strict=True):
            assert buffer.raw[: len(data)] == data, "the library changed an input"
        results = [out.take() for out in outs]
        if status is not Status.OK:
            assert not any(b"".join(results)), (
                f"{verb}: {status.name} with an output that is not zero"
            )
        return (status, *results)
