"""Wycheproof vectors of X25519, X448, Ed25519 and Ed448 as the library takes them:
strings of fixed size.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from lib_rfc_api import SIZES
from lib_wycheproof import tests_of


class XCase(NamedTuple):
    """Private key, public key (None: of another size), shared secret; expected:
    "valid", "acceptable", "invalid".
    """

    label: str
    expect: str
    private_key: bytes
    public_key: bytes | None
    shared: bytes


class EdCase(NamedTuple):
    """Public key, message, signature (None: of another size), and whether it is valid;
    the private key where given.
    """

    label: str
    valid: bool
    public_key: bytes
    message: bytes
    signature: bytes | None
    private_key: bytes | None


@cache
def x_cases(curve: str) -> list[XCase]:
    """All cases of a curve."""
    cases = []
    for _, test, label in tests_of(curve):
        public = _sized(test["public"], SIZES[curve])
        assert public is not None or test["result"] != "valid", label
        private, shared = bytes.fromhex(test["private"]), bytes.fromhex(test["shared"])
        cases.append(XCase(label, test["result"], private, public, shared))
    return cases


@cache
def ed_cases(curve: str) -> list[EdCase]:
    """All cases of a curve."""
    cases = []
    for group, test, label in tests_of(curve):
        signature, valid = _sized(test["sig"], 2 * SIZES[curve]), test["result"] == "valid"
        assert signature is not None or not valid, label
        key = group["publicKey"]
        public = bytes.fromhex(key["pk"])
        private = bytes.fromhex(key["sk"]) if "sk" in key else None
        cases.append(EdCase(label, valid, public, bytes.fromhex(test["msg"]), signature, private))
    return cases


def _sized(text: str, size: int) -> bytes | None:
    data = bytes.fromhex(text)
    return data if len(data) == size else None
