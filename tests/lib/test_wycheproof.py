"""Wycheproof for every curve that it has: ECDH, ECDSA with raw signatures,
ECDSA with signatures in DER.
"""

from __future__ import annotations

import pytest
from lib_curves import BAD_PUBLIC_KEY, BAD_SIGNATURE, CURVES, OK, Bound
from lib_wycheproof import ecdh_cases, ecdsa_cases, files

ECDH_CURVES = [name for name in CURVES if files("ecdh", name)]
ECDSA_CURVES = [name for name in CURVES if files("ecdsa", name)]
BUILD = "balanced"


def test_curves_and_files() -> None:
    """What there is to run: Wycheproof has no secp128r1, and no ECDH of the next two."""
    assert set(CURVES) - set(ECDSA_CURVES) == {"secp128r1"}
    assert set(ECDSA_CURVES) - set(ECDH_CURVES) == {"secp160r1", "secp192r1"}
    assert sum(len(files("ecdsa", name)) for name in CURVES) >= 45


@pytest.mark.parametrize("name", ECDH_CURVES)
def test_ecdh(name: str) -> None:
    bound = Bound(BUILD, CURVES[name])
    field = bound.field
    for file in files("ecdh", name):
        done = {"valid": 0, "invalid": 0}
        for case in ecdh_cases(file):
            public, status, shared = case.public_key, BAD_PUBLIC_KEY, b""
            if public is not None and len(public) == 1 + field:
                status, public = bound.call("decompress", 1 + 2 * field, public)
                public = public if status == OK else None
            if public is not None:
                status, shared = bound.call("ecdh", field, case.private_key, public, None)
            if case.expect == "invalid":
                assert status == BAD_PUBLIC_KEY, case.label
            elif (
                case.expect == "valid" or status == OK
            ):  # "acceptable" may be refused, but not be wrong
                assert (status, shared) == (OK, case.shared), case.label
            done["valid" if status == OK else "invalid"] += 1
        assert done["valid"] >= 200, (file, done)
        assert done["invalid"] >= 10, (file, done)


@pytest.mark.parametrize("name", ECDSA_CURVES)
def test_ecdsa(name: str) -> None:
    """Raw signatures as they are; DER through signature_from_der, which must take the one encoding
    and no other.
    """
    bound = Bound(BUILD, CURVES[name])
    encodings = set()
    for file in files("ecdsa", name):
        done = {"valid": 0, "invalid": 0, "acceptable": 0}
        for case in ecdsa_cases(file):
            signature = case.signature
            if case.der is not None:
                status, raw = bound.from_der(case.der)
                assert status in (OK, BAD_SIGNATURE)
                assert status == OK or (not any(raw) and case.expect != "valid"), case.label
                assert status != OK or (raw == signature and bound.to_der(raw) == (OK, case.der)), (
                    case.label
                )
                signature = raw if status == OK else None
            encodings.add(case.der is not None)
            if signature is not None:
                status = bound.verify(signature, case.public_key, case.digest)
                assert status == (OK if case.expect == "valid" else BAD_SIGNATURE), case.label
            done[case.expect] += 1
        assert done["valid"] >= 30, (file, done)
        assert done["invalid"] >= 50, (file, done)
    assert encodings == {False, True}
