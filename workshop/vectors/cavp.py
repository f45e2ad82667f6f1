"""Published vectors of the NIST curves and of RFC 6979 and RFC 7027,
from the package cryptography-vectors.

The files of NIST's Cryptographic Algorithm Validation Program (CAVP: SP 800-56A
and FIPS 186-3 tests, generated 2011) are blocks of "name = value" below headings "[curve,hash]";
numbers are hexadecimal without leading zeros.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cryptography_vectors

FOLDER = Path(cryptography_vectors.__file__).parent / "asymmetric"
NIST = {
    "P-192": "secp192r1",
    "P-224": "secp224r1",
    "P-256": "secp256r1",
    "P-384": "secp384r1",
    "P-521": "secp521r1",
    "K-256": "secp256k1",
}
KAS_SETS = {"EA": "P-192", "EB": "P-224", "EC": "P-256", "ED": "P-384", "EE": "P-521"}


class Block(NamedTuple):
    """The last heading, split at commas, and the values below it."""

    heading: tuple[str, ...]
    values: dict[str, str]

    @property
    def curve(self) -> str | None:
        """Our name of the curve in the heading, None for those that we do not have."""
        return NIST.get(KAS_SETS.get(self.heading[0], self.heading[0]))

    @property
    def hash_name(self) -> str:
        """The hash in the heading by hashlib's name."""
        return self.heading[1].replace("-", "").lower()

    def number(self, name: str) -> int:
        """A value."""
        return int(self.values[name], 16)


def blocks(file: str) -> Iterator[Block]:
    """The blocks of a file below `asymmetric`."""
    heading: tuple[str, ...] = ("",)
    values: dict[str, str] = {}
    for line in [*(FOLDER / file).read_text(encoding="utf-8").splitlines(), ""]:
        text = line.strip()
        if text.startswith("[") and re.fullmatch(r"\[[A-Z]+(-\d+)?( ?[,-] ?SHA-?\d+)?\]", text):
            heading = tuple(re.split(r",| - ", text.strip("[]")))
        elif "=" in text and not text.startswith(("[", "#")):
            name, _, value = text.partition("=")
            values[name.strip()] = value.strip()
        elif not text and values:
            yield Block(heading, values)
            values = {}


class Deterministic(NamedTuple):
    """A signature of RFC 6979, A.2: curve, private key, hash, message, signature in DER."""

    curve: str
    private_key: int
    hash_name: str
    message: bytes
    der: bytes


def rfc6979() -> Iterator[Deterministic]:
    """The vectors of the NIST curves over prime fields (A.2.3 to A.2.7)."""
    text = (FOLDER / "ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt").read_text(encoding="utf-8")
    keys = {}
    for name, pem in re.findall(
        r"^PrivateKey ?= ?(\S+)_PRIV\n-----BEGIN PRIVATE KEY-----\n(.*?)\n---", text, re.S | re.M
    ):
        inner = base64.b64decode(pem).split(b"\x02\x01\x01\x04", 1)[
            1
        ]  # ECPrivateKey of RFC 5915: version 1, octets
        keys[name] = int.from_bytes(inner[1 : 1 + inner[0]], "big")
    pattern = (
        r"^DigestSign = (\S+)\nKey = (\S+)_PRIV\n(?:NonceType = \S+\n)?Input = \"(\w+)\"\n"
        r"Output = (\w+)$"
    )
    for hash_name, name, message, der in re.findall(pattern, text, re.M):
        if name in NIST:
            yield Deterministic(
                NIST[name], keys[name], hash_name.lower(), message.encode(), bytes.fromhex(der)
            )
