"""ML-KEM (FIPS 203) by kyber-py: what the bench compares libraries with. Loaded when somebody
measures a KEM.

Slow, and not in constant time: for inputs and right results alone.
"""

from __future__ import annotations

from typing import Any

MODULUS = 3329
SEED_BYTES, MESSAGE_BYTES = 64, 32  # d || z of a key pair, m of an encapsulation


def _of(name: str) -> Any:
    from kyber_py import ml_kem

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


def with_coefficient(ek: bytes, index: int, value: int) -> bytes:
    """An encapsulation key with another coefficient, of 12 bits: of the modulus or above, none."""
    vector = int.from_bytes(ek[:-32], "little")
    vector ^= (vector >> 12 * index & 0xFFF ^ value) << 12 * index
    return vector.to_bytes(len(ek) - 32, "little") + ek[-32:]
