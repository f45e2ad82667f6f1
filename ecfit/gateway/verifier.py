"""Verification of signed messages by the compiled library, in this process.

The library keeps no state, and its calls do not hold Python's lock: threads verify on all cores.
"""

from __future__ import annotations

import ctypes as ct
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from ecfit.errors import BuildError
from ecfit.message.algorithms import ALGORITHMS, Key

_GOOD, _BAD_PUBLIC_KEY = 0, 2
_HASHES: dict[str, Callable[[bytes], bytes]] = {
    "SHA256": lambda data: hashlib.sha256(data).digest(),
    "SHA384": lambda data: hashlib.sha384(data).digest(),
    "SHA512": lambda data: hashlib.sha512(data).digest(),
}


class LibraryVerifier:
    """A Verifier of ecfit.message.algorithms: key, signed bytes and signature to yes or no."""

    def __init__(self, library: Path) -> None:
        loaded = ct.CDLL(str(library))
        self._calls = {}
        for algorithm in ALGORITHMS:
            verb = "ecdsa_verify" if algorithm.hash else "verify"
            self._calls[algorithm.curve] = loaded[f"ecfit_{algorithm.curve}_{verb}"]

    def __call__(self, key: Key, signed: bytes, signature: bytes) -> bool:
        """Whether it is a signature of these bytes; sizes must have been checked."""
        algorithm = key.algorithm
        assert len(signature) == algorithm.signature_bytes
        data = _HASHES[algorithm.hash](signed) if algorithm.hash else signed
        call = self._calls[algorithm.curve]
        return bool(call(signature, key.public, data, ct.c_size_t(len(data))) == _GOOD)

    def takes(self, key: Key) -> bool:
        """Whether it is a public key: a point of the curve. Its size must be right."""
        algorithm = key.algorithm
        call, data = self._calls[algorithm.curve], bytes(64)
        signature = bytes(algorithm.signature_bytes)
        return bool(call(signature, key.public, data, ct.c_size_t(32)) != _BAD_PUBLIC_KEY)


def load(library: bytes) -> LibraryVerifier:
    """Loads what ecfit.gateway.library has built. Errors: BuildError."""
    try:
        handle, name = tempfile.mkstemp(prefix="ecfit-verify-", suffix=".so")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(library)
            return LibraryVerifier(Path(name))
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise BuildError(f"the library that verifies cannot be loaded: {error}") from None
