"""ML-KEM (FIPS 203) by kyber-py: what the bench compares libraries with. Loaded when somebody
measures a KEM.

Slow, and not in constant time: for inputs and right results alone.
"""

from __future__ import annotations

from typing import Any

from ecfit.errors import MissingToolError

MODULUS = 3329
SEED_BYTES, MESSAGE_BYTES = 64, 32  # d || z of a key pair, m of an encapsulation


def _of(name: str) -> Any:
    try:
        from kyber_py import ml_kem
    except ImportError:
        raise MissingToolError(
            "ML-KEM is compared with the Python package kyber-py: pip install kyber-py"
        ) from None
    return getattr(ml_kem, name.replace("mlkem", "ML_KEM_"))


def key_pair(name: str, seed: bytes) -> tuple[bytes, bytes]:
    """Decapsulation and encapsulation key of a seed d || z."""
    ek, dk = _of(name).key_derive(seed)
    return dk, ek


def encapsulate(name: str, ek: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and shared secret. Errors: ValueError for a key that is not one."""
    secret, cipher = _of(name)._encaps_internal(ek, message)  # its public function draws m itself
    return cipher, secret


def decapsulate(name: str, dk: bytes, cipher: bytes) -> bytes:
    """The shared secret. Errors: ValueError for a key whose hash is not that of the key inside."""
    secret: bytes = _of(name).decaps(dk, cipher)
    return secret


def not_reduced(ek: bytes) -> dict[str, bytes]:
    """Encapsulation keys with a coefficient that is not below the modulus, by what is wrong."""
    vector, last = int.from_bytes(ek[:-32], "little"), (len(ek) - 32) * 8 // 12 - 1
    keys = {}
    for index, value in ((0, MODULUS), (last, 0xFFF)):
        changed = vector ^ (vector >> 12 * index & 0xFFF ^ value) << 12 * index
        text = f"a key with coefficient {index} = {value}"
        keys[text] = changed.to_bytes(len(ek) - 32, "little") + ek[-32:]
    return keys


def not_matching(dk: bytes) -> dict[str, bytes]:
    """Decapsulation keys whose hash is not that of the key inside, by what is wrong."""
    ends = {"a key with another hash": 32, "a key with the hash of another key": 64}
    return {
        what: dk[: -end - 1] + bytes([dk[-end - 1] ^ 1]) + dk[-end:] for what, end in ends.items()
    }
