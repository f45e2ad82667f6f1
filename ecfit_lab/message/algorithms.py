"""The signature algorithms of messages: names, numbers, sizes, keys, and what verifies them.

A verifier is a function, so that the compiled library can take the place of `verify`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from ecfit.errors import UsageError
from ecfit_lab.message.refusal import MessageRefusedError, Reason


class Algorithm(msgspec.Struct, frozen=True):
    """An algorithm: its name in JOSE (RFC 7518, 3.1; RFC 8812; RFC 8037) and its number in COSE
    (RFC 9053, 2; RFC 8812), the bytes of a signature r || s, the hash of ECDSA, and what the same
    is called where the name says the curve as well (RFC 9864, 2, 3), which a receiver takes, too.
    """

    name: str
    number: int
    curve: str
    signature_bytes: int
    hash: str | None
    fully_specified: tuple[str | int, ...] = ()

    @property
    def names(self) -> tuple[str | int, ...]:
        """All that a message may call it."""
        return self.name, self.number, *self.fully_specified


# ES192 is of the paper on JSS; COSE has no number for it: one of those for private use.
ALGORITHMS = (
    Algorithm("ES192", -65537, "secp192r1", 48, "SHA256"),
    Algorithm("ES256", -7, "secp256r1", 64, "SHA256", (-9,)),
    Algorithm("ES256K", -47, "secp256k1", 64, "SHA256"),
    Algorithm("ES384", -35, "secp384r1", 96, "SHA384", (-51,)),
    Algorithm("ES512", -36, "secp521r1", 132, "SHA512", (-52,)),
    Algorithm("EdDSA", -8, "ed25519", 64, None, ("Ed25519", -19)),
    Algorithm("EdDSA", -8, "ed448", 114, None, ("Ed448", -53)),
)


class Key(msgspec.Struct, frozen=True):
    """A public key as the library takes it: SEC 1 uncompressed, or RFC 8032."""

    curve: str
    public: bytes

    @property
    def algorithm(self) -> Algorithm:
        """The one algorithm that this key is for. Errors: UsageError."""
        for algorithm in ALGORITHMS:
            if algorithm.curve == self.curve:
                return algorithm
        known = ", ".join(algorithm.curve for algorithm in ALGORITHMS)
        raise UsageError(f"no message is signed with a key of {self.curve}: known: {known}")


Verifier = Callable[[Key, bytes, bytes], bool]  # key, what is signed, r || s


def check_algorithm(name: str | int, key: Key, signature: bytes) -> None:
    """The algorithm that a message names is known, and that of the key; the signature
    has its size. Errors: MessageRefusedError.
    """
    if not any(name in algorithm.names for algorithm in ALGORITHMS):
        raise MessageRefusedError(Reason.UNKNOWN_ALGORITHM, str(name)[:40])
    wanted = key.algorithm
    if name not in wanted.names:
        raise MessageRefusedError(Reason.OTHER_ALGORITHM, f"{name} with a key of {key.curve}")
    if len(signature) != wanted.signature_bytes:
        raise MessageRefusedError(Reason.SIGNATURE_SIZE, f"{len(signature)} bytes")


@cache
def _library_key(key: Key) -> Any:
    """The key as an object of `cryptography`. Errors: UsageError."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519

    try:
        if key.curve == "ed25519":
            return ed25519.Ed25519PublicKey.from_public_bytes(key.public)
        if key.curve == "ed448":
            return ed448.Ed448PublicKey.from_public_bytes(key.public)
        group: Any = getattr(ec, key.curve.upper())
        return ec.EllipticCurvePublicKey.from_encoded_point(group(), key.public)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UsageError(f"this is no public key of {key.curve}: {error}") from None


def verify(key: Key, signed: bytes, signature: bytes) -> bool:
    """Whether it is a signature of these bytes, says the Python package cryptography.
    Errors: UsageError for a key that is none.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    public, algorithm = _library_key(key), key.algorithm
    try:
        if algorithm.hash is None:
            public.verify(signature, signed)
        else:
            half = len(signature) // 2
            pair = (int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
            hashed = getattr(hashes, algorithm.hash)()
            public.verify(utils.encode_dss_signature(*pair), signed, ec.ECDSA(hashed))
    except InvalidSignature:
        return False
    return True
