"""Wycheproof vectors of X25519, X448, Ed25519 and Ed448 as the library takes them:
strings of fixed size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple, Protocol

from workshop.library.api import Status
from workshop.library.rfc_api import SIZES
from workshop.vectors.wycheproof import NO_KEY, NO_SIGNATURE, tests_of


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


class Exchange(Protocol):
    """What has the operation: `RfcLibrary` of library/rfc_api.py, or a program on an emulator."""

    def exchange(self, private_key: bytes, public_key: bytes) -> tuple[Status, bytes]:
        """(status, shared secret)."""


class Eddsa(Protocol):
    """Likewise."""

    def verify(self, signature: bytes, public_key: bytes, message: bytes, /) -> Status:
        """Status of a verification."""

    def sign(self, private_key: bytes, message: bytes, /) -> tuple[Status, bytes]:
        """(status, signature)."""


def check_x(library: Exchange, cases: Iterable[XCase]) -> Counter[str]:
    """Acceptable cases (twists, non-canonical keys) must come out right; those with a secret
    of zero are refused. How many of each, and by which rule.
    """
    done: Counter[str] = Counter()
    for case in cases:
        if case.public_key is None:
            done[NO_KEY] += 1
            continue
        zero = not any(case.shared)
        wanted = (Status.BAD_PUBLIC_KEY if zero else Status.OK, case.shared)
        assert case.expect != "invalid", case.label
        assert library.exchange(case.private_key, case.public_key) == wanted, case.label
        done["invalid" if zero else "valid"] += 1
    return done


def check_ed(library: Eddsa, cases: Iterable[EdCase]) -> Counter[str]:
    """Where the private key is given, a valid signature is made again. Counts likewise."""
    done: Counter[str] = Counter()
    for case in cases:
        if case.signature is None:
            done[NO_SIGNATURE] += 1
            continue
        status = library.verify(case.signature, case.public_key, case.message)
        assert status is (Status.OK if case.valid else Status.BAD_SIGNATURE), case.label
        if case.valid and case.private_key:
            made = library.sign(case.private_key, case.message)
            assert made == (Status.OK, case.signature), case.label
        done["valid" if case.valid else "invalid"] += 1
    return done


def _sized(text: str, size: int) -> bytes | None:
    data = bytes.fromhex(text)
    return data if len(data) == size else None
