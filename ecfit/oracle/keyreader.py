"""Public keys out of files: PEM (SubjectPublicKeyInfo) and JWK."""

from __future__ import annotations

import base64
import re
from typing import Any

import msgspec

from ecfit import documents
from ecfit.errors import UsageError

LARGEST = 65_536  # bytes of a file
_JWK = {
    "P-192": ("EC", "secp192r1", 24),  # has no registered name: this is what it would be
    "P-256": ("EC", "secp256r1", 32),
    "secp256k1": ("EC", "secp256k1", 32),
    "P-384": ("EC", "secp384r1", 48),
    "P-521": ("EC", "secp521r1", 66),
    "Ed25519": ("OKP", "ed25519", 32),
    "Ed448": ("OKP", "ed448", 57),
}


def public_key(data: bytes) -> tuple[str, bytes]:
    """The curve and the public key, uncompressed or as RFC 8032 has it, in a file.

    Of a file with private and public key, as `ecfit keys` writes it, the public one.
    Errors: UsageError, one line without the file's name.
    """
    if len(data) > LARGEST:
        raise UsageError(f"a key of more than {LARGEST} bytes")
    if data.lstrip()[:1] == b"{":
        return _from_jwk(data)
    match = re.search(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----", data, re.DOTALL)
    if not match:
        private = b"PRIVATE KEY-----" in data
        raise UsageError(
            "it has a private key and no public one: a gateway needs 'BEGIN PUBLIC KEY'"
            if private
            else "it is neither PEM with 'BEGIN PUBLIC KEY' nor a JWK"
        )
    return _from_pem(match[0] + b"\n")


def _from_pem(data: bytes) -> tuple[str, bytes]:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519

    try:
        key: Any = s.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UsageError(f"not a public key: {' '.join(str(error).split())[:80]}") from None
    if isinstance(key, ec.EllipticCurvePublicKey):
        form = s.PublicFormat.UncompressedPoint
        return key.curve.name.lower(), key.public_bytes(s.Encoding.X962, form)
    if isinstance(key, ed25519.Ed25519PublicKey | ed448.Ed448PublicKey):
        name = "ed25519" if isinstance(key, ed25519.Ed25519PublicKey) else "ed448"
        return name, key.public_bytes_raw()
    raise UsageError("a public key, but none of an elliptic curve that signs")


def _from_jwk(data: bytes) -> tuple[str, bytes]:
    try:
        jwk = documents.json(data, dict[str, Any])
    except msgspec.MsgspecError as error:
        raise UsageError(f"not a JWK: {str(error)[:80]}") from None
    if "keys" in jwk:
        raise UsageError("a JWK is one object: a file for each key, not a set")
    kind, curve, size = _JWK.get(str(jwk.get("crv")), ("", "", 0))
    if not curve or jwk.get("kty") != kind:
        raise UsageError(f"a JWK of kty and crv as {', '.join(_JWK)} is needed")
    x = _field(jwk, "x", size)
    return curve, (b"\4" + x + _field(jwk, "y", size)) if kind == "EC" else x


def _field(jwk: dict[str, Any], name: str, size: int) -> bytes:
    text = jwk.get(name)
    try:
        if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9_-]+", text):
            raise ValueError
        value = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise UsageError(f"'{name}' of a JWK is base64url without padding") from None
    if len(value) != size:
        raise UsageError(f"'{name}' of this JWK has {len(value)} bytes, and {size} are needed")
    return value
