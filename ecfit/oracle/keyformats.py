"""Key pairs as text: PEM (PKCS #8 or SEC 1), JWK, C arrays, JSON.
The only module that knows `cryptography`.

Where that library does not know a curve, the same structures are written with `ecfit.oracle.der`.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Literal

import msgspec

from ecfit import documents
from ecfit.choices.curves import Curve
from ecfit.errors import MissingToolError, UsageError
from ecfit.oracle import der

Form = Literal["pkcs8", "sec1"]
FORMATS = ("c", "words", "pem", "sec1", "jwk", "json")
_EC_PUBLIC_KEY = "1.2.840.10045.2.1"  # RFC 5480, 2.1.1
_OF_2013 = ("secp128r1", "secp192r1", "secp256r1", "secp384r1")  # micro-ecc's curves then
_UNKNOWN = {
    "secp128r1": "1.3.132.0.28",
    "secp160r1": "1.3.132.0.8",
}  # SEC 2 v1, annex A; no curves of `cryptography`
_JWK_EC = {
    "secp256r1": "P-256",
    "secp384r1": "P-384",
    "secp521r1": "P-521",
    "secp256k1": "secp256k1",
}
_JWK_OKP = {"x25519": "X25519", "ed25519": "Ed25519", "x448": "X448", "ed448": "Ed448"}


class KeyPair(msgspec.Struct, frozen=True):
    """Private and public key as the library takes them: scalar and uncompressed point,
    or the strings of the RFCs.
    """

    curve: Curve
    private: bytes
    public: bytes


def text(pairs: Sequence[KeyPair], form: str) -> str:
    """The key pairs in one of FORMATS. Errors: UsageError where the format has no name
    for the curve.
    """
    if form == "c":
        return _c_arrays(pairs)
    if form == "words":
        return _c_words(pairs)
    if form == "json":
        return _json([_plain(pair) for pair in pairs])
    if form == "jwk":
        keys = [_jwk(pair) for pair in pairs]
        return _json({"keys": keys} if len(keys) > 1 else keys[0])
    return "".join(_pem(pair, "sec1" if form == "sec1" else "pkcs8") for pair in pairs)


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def _plain(pair: KeyPair) -> dict[str, str]:
    return {
        "curve": pair.curve.name,
        "private_key": pair.private.hex(),
        "public_key": pair.public.hex(),
    }


def _c_arrays(pairs: Sequence[KeyPair]) -> str:
    lines = ["#include <stdint.h>", ""]
    for number, pair in enumerate(pairs):
        suffix = f"_{number}" if len(pairs) > 1 else ""
        for name, data in (("private_key", pair.private), ("public_key", pair.public)):
            lines.append(f"static const uint8_t {pair.curve.name}_{name}{suffix}[{len(data)}] = {{")
            lines += [f"    {row}" for row in wrap(" ".join(f"0x{byte:02x}," for byte in data), 72)]
            lines += ["};", ""]
    return "\n".join(lines)


def _c_words(pairs: Sequence[KeyPair]) -> str:
    """For micro-ecc of 2013 (compat/uecc/ecc.h), as its makekeys prints them: words of 32 bits, the
    least significant first. Errors: UsageError for a curve that it does not have.
    """
    lines = ['#include "ecc.h"', ""]
    for number, pair in enumerate(pairs):
        size, name = pair.curve.field_bytes, pair.curve.name
        if name not in _OF_2013:
            raise UsageError(f"words are for {', '.join(_OF_2013)}, not for {name}: use c")
        suffix = f"_{number}" if len(pairs) > 1 else ""
        x, y = pair.public[1 : 1 + size], pair.public[1 + size :]
        rows = "},\n    {".join(map(_words, (x, y)))
        lines.append(f"static const uint32_t {name}_private_key{suffix}[{size // 4}] = {{")
        lines += [f"    {_words(pair.private)}", "};", ""]
        lines.append(f"static const EccPoint {name}_public_key{suffix} = {{")
        lines += [f"    {{{rows}}}", "};", ""]
    return "\n".join(lines)


def _words(data: bytes) -> str:
    words = [data[at : at + 4].hex() for at in range(len(data) - 4, -1, -4)]
    return "\n     ".join(wrap(", ".join(f"0x{word}" for word in words), 72))


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _jwk(pair: KeyPair) -> dict[str, str]:
    """RFC 7518, 6.2 (EC), RFC 8812 (secp256k1), RFC 8037 (OKP)."""
    name, size = pair.curve.name, pair.curve.field_bytes
    if name in _JWK_EC:
        x, y = pair.public[1 : 1 + size], pair.public[1 + size :]
        key = {"kty": "EC", "crv": _JWK_EC[name], "x": _base64url(x), "y": _base64url(y)}
    elif name in _JWK_OKP:
        key = {"kty": "OKP", "crv": _JWK_OKP[name], "x": _base64url(pair.public)}
    else:
        raise UsageError(
            f"JWK has no name for {name}: it has {', '.join([*_JWK_EC, *_JWK_OKP])}; "
            "use pem, c or json"
        )
    return {**key, "d": _base64url(pair.private)}


def _pem(pair: KeyPair, form: Form) -> str:
    """The private key, then the public key as SubjectPublicKeyInfo (RFC 5280)."""
    if pair.curve.form != "weierstrass" and form == "sec1":
        raise UsageError(f"SEC 1 has no form for a private key of {pair.curve.name}: use pem")
    return _written(pair, form) if pair.curve.name in _UNKNOWN else _through_library(pair, form)


def public_pem(pair: KeyPair) -> str:
    """The public key alone, as SubjectPublicKeyInfo in PEM."""
    whole = _pem(pair, "pkcs8")
    return whole[whole.index("-----BEGIN PUBLIC KEY") :]


def private_key(data: bytes, curve: Curve, name: str) -> bytes:
    """The private key in the file `name`, PEM (PKCS #8 or SEC 1) or JWK, for the curve.
    Errors: UsageError.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as s

    wrong = UsageError(f"{name}: no private key of {curve.name} in PEM or JWK, without password")
    try:
        if data.lstrip().startswith(b"{"):
            return _from_jwk(documents.json(data, dict[str, Any]), curve)
        key: Any = s.load_pem_private_key(data, None)
        if hasattr(key, "private_numbers"):
            if key.curve.name.lower() != curve.name.lower():
                raise wrong
            return int(key.private_numbers().private_value).to_bytes(curve.scalar_bytes, "big")
        raw: bytes = key.private_bytes_raw()
        if type(key) is not type(_library_key(KeyPair(curve, raw, b""))):
            raise wrong
    except (ValueError, TypeError, KeyError, AttributeError, UnsupportedAlgorithm):
        raise wrong from None
    return raw


def _from_jwk(key: dict[str, str], curve: Curve) -> bytes:
    """Errors: KeyError, ValueError."""
    if key["crv"] != {**_JWK_EC, **_JWK_OKP}[curve.name]:
        raise ValueError
    data = base64.urlsafe_b64decode(key["d"] + "=" * (-len(key["d"]) % 4))
    if len(data) != curve.scalar_bytes:
        raise ValueError
    if curve.form == "weierstrass" and not 0 < int.from_bytes(data, "big") < curve.n:
        raise ValueError
    return data


def _through_library(pair: KeyPair, form: Form) -> str:
    try:
        from cryptography.hazmat.primitives import serialization as s
    except ImportError as error:
        raise MissingToolError(
            f"the Python package cryptography does not load ({error}): run 'make setup'"
        ) from None
    key = _library_key(pair)
    kind = s.PrivateFormat.PKCS8 if form == "pkcs8" else s.PrivateFormat.TraditionalOpenSSL
    private = key.private_bytes(s.Encoding.PEM, kind, s.NoEncryption())
    public = key.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)
    return str((private + public).decode())


def _library_key(pair: KeyPair) -> Any:
    """The private key as an object of `cryptography`."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, x448, x25519

    classes: dict[str, Any] = {
        "x25519": x25519.X25519PrivateKey,
        "ed25519": ed25519.Ed25519PrivateKey,
        "x448": x448.X448PrivateKey,
        "ed448": ed448.Ed448PrivateKey,
    }
    if pair.curve.name in classes:
        return classes[pair.curve.name].from_private_bytes(pair.private)
    group: Any = getattr(ec, pair.curve.name.upper().replace("BRAINPOOL", "Brainpool"))
    return ec.derive_private_key(int.from_bytes(pair.private, "big"), group())


def _written(pair: KeyPair, form: Form) -> str:
    """The same without the library (RFC 5915, 3; RFC 5958, 2; RFC 5480, 2)."""
    curve = der.object_identifier(_UNKNOWN[pair.curve.name])
    public = der.tagged(0xA1, der.bit_string(pair.public))
    key = (der.small_integer(1), der.tagged(der.OCTET_STRING, pair.private))
    algorithm = der.tagged(der.SEQUENCE, der.object_identifier(_EC_PUBLIC_KEY), curve)
    if form == "sec1":
        private = _armour(
            "EC PRIVATE KEY", der.tagged(der.SEQUENCE, *key, der.tagged(0xA0, curve), public)
        )
    else:
        inner = der.tagged(der.OCTET_STRING, der.tagged(der.SEQUENCE, *key, public))
        private = _armour(
            "PRIVATE KEY", der.tagged(der.SEQUENCE, der.small_integer(0), algorithm, inner)
        )
    return private + _armour(
        "PUBLIC KEY", der.tagged(der.SEQUENCE, algorithm, der.bit_string(pair.public))
    )


def _armour(label: str, data: bytes) -> str:
    """RFC 7468."""
    return "\n".join(
        [
            f"-----BEGIN {label}-----",
            *wrap(base64.b64encode(data).decode(), 64),
            f"-----END {label}-----",
            "",
        ]
    )
