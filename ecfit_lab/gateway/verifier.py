"""Verification of signed messages by the compiled library, in this process.

The library keeps no state, and its calls do not hold Python's lock: threads verify on all cores.
"""

from __future__ import annotations

import ctypes as ct
import hashlib
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from ecfit.errors import BuildError
from ecfit.paths import private_folder
from ecfit_lab.message.algorithms import Algorithm, Key

_GOOD, _BAD_PUBLIC_KEY = 0, 2
_HASHES: dict[str, Callable[[bytes], bytes]] = {
    "SHA256": lambda data: hashlib.sha256(data).digest(),
    "SHA384": lambda data: hashlib.sha384(data).digest(),
    "SHA512": lambda data: hashlib.sha512(data).digest(),
}


class LibraryVerifier:
    """A Verifier of ecfit_lab.message.algorithms: key, signed bytes and signature to yes or no."""

    def __init__(self, build: Callable[[str, Path], Path]) -> None:
        """`build` compiles the library of a curve in a folder, and says where it is."""
        self._build, self._lock = build, Lock()
        self._calls: dict[str, Any] = {}

    def __call__(self, key: Key, signed: bytes, signature: bytes) -> bool:
        """Whether it is a signature of these bytes; sizes must have been checked."""
        algorithm = key.algorithm
        assert len(signature) == algorithm.signature_bytes
        data = _HASHES[algorithm.hash](signed) if algorithm.hash else signed
        call = self._calls.get(algorithm.curve) or self._loaded(algorithm)
        return bool(call(signature, key.public, data, ct.c_size_t(len(data))) == _GOOD)

    def takes(self, key: Key) -> bool:
        """Whether it is a public key: a point of the curve. Its size must be right.
        Errors: BuildError, MissingToolError, OutputError for the first key of a curve.
        """
        algorithm = key.algorithm
        call, data = self._calls.get(algorithm.curve) or self._loaded(algorithm), bytes(64)
        signature = bytes(algorithm.signature_bytes)
        return bool(call(signature, key.public, data, ct.c_size_t(32)) != _BAD_PUBLIC_KEY)

    def _loaded(self, algorithm: Algorithm) -> Any:
        """The function that verifies, of a library compiled and loaded where only we can write.
        Errors: BuildError, MissingToolError, OutputError.
        """
        with self._lock:
            if algorithm.curve not in self._calls:
                verb = "ecdsa_verify" if algorithm.hash else "verify"
                try:
                    with private_folder("ecfit-verify-") as folder:
                        library = ct.CDLL(str(self._build(algorithm.curve, folder)))
                except OSError as error:
                    raise BuildError(
                        f"the library that verifies cannot be loaded: {error}"
                    ) from None
                self._calls[algorithm.curve] = library[f"ecfit_{algorithm.curve}_{verb}"]
            return self._calls[algorithm.curve]
