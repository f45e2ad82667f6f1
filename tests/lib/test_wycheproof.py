"""Wycheproof for every curve that it has: ECDH, ECDSA with raw signatures,
ECDSA with signatures in DER.
"""

from __future__ import annotations

import pytest

from workshop.library.curves import CURVES, Bound
from workshop.vectors.wycheproof import check_ecdh, check_ecdsa, ecdh_cases, ecdsa_cases, files

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
    for file in files("ecdh", name):
        done = check_ecdh(bound, ecdh_cases(file))
        assert done["valid"] >= 200, (file, done)
        assert done.total() - done["valid"] >= 10, (file, done)


@pytest.mark.parametrize("name", ECDSA_CURVES)
def test_ecdsa(name: str) -> None:
    bound = Bound(BUILD, CURVES[name])
    encodings = set()
    for file in files("ecdsa", name):
        cases = ecdsa_cases(file)
        done = check_ecdsa(bound, cases)
        encodings |= {case.der is not None for case in cases}
        assert done["valid"] >= 30, (file, done)
        assert done.total() - done["valid"] >= 50, (file, done)
    assert encodings == {False, True}
