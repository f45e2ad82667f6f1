"""ML-DSA (FIPS 204) by dilithium-py: what the bench compares libraries with. Loaded when somebody
measures such a signature.

Slow, and not in constant time: for inputs and right results alone. dilithium-py hashes with one
state for all: so one call at a time, and what was computed is kept, as many rows have the same
inputs.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

from ecfit.errors import MissingToolError

SEED_BYTES, RANDOM_BYTES = 32, 32  # xi of a key pair, rnd of a hedged signature
HINTS = {"mldsa44": (80, 4), "mldsa65": (55, 6), "mldsa87": (75, 8)}  # omega and k: table 1
PURE = b"\0\0"  # before the message: pure ML-DSA, empty context (algorithm 2)
_KEPT = 512
_one_at_a_time = Lock()


def _of(name: str) -> Any:
    try:
        from dilithium_py import ml_dsa
    except ImportError:
        raise MissingToolError(
            "ML-DSA is compared with the Python package dilithium-py: pip install dilithium-py"
        ) from None
    return getattr(ml_dsa, name.replace("mldsa", "ML_DSA_"))


@lru_cache(_KEPT)
def key_pair(name: str, seed: bytes) -> tuple[bytes, bytes]:
    """Private and public key of a seed xi."""
    with _one_at_a_time:
        public, private = _of(name).key_derive(seed)
    return private, public


@lru_cache(_KEPT)
def sign(name: str, private: bytes, message: bytes, rnd: bytes, prefix: bytes = PURE) -> bytes:
    """The hedged signature with these random bytes; with zeros, the deterministic one."""
    with _one_at_a_time:  # its public function draws rnd itself
        signature: bytes = _of(name)._sign_internal(private, prefix + message, rnd)
    return signature


def verify(
    name: str, public: bytes, message: bytes, signature: bytes, prefix: bytes = PURE
) -> bool:
    """Whether the signature is one of this message."""
    with _one_at_a_time:
        good: bool = _of(name)._verify_internal(public, prefix + message, signature)
    return good


def with_other_hints(name: str, signature: bytes) -> dict[str, bytes]:
    """The same hints encoded in other ways, by what is other: who accepts one accepts two
    signatures where one was made. Not all signatures have hints for each of these ways.
    """
    most, count = HINTS[name]
    start = len(signature) - most - count
    places, ends = signature[start : start + most], signature[start + most :]
    encodings = {}
    if ends[-1] < most:
        encodings["a signature with something behind the hints"] = places[:-1] + b"\1"
    for first, end in zip((0, *ends), ends, strict=False):
        if end - first > 1:
            swapped = places[first : first + 2][::-1]
            hints = places[:first] + swapped + places[first + 2 :]
            encodings["a signature with hints in another order"] = hints
            break
    return {what: signature[:start] + hints + ends for what, hints in encodings.items()}
