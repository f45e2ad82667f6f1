"""Wycheproof for every curve that it has: ECDH, ECDSA with raw signatures, ECDSA with signatures in
DER; on this machine, and on every back end for 32-bit cores by a user-mode emulator.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import pytest

from ecfit.choices.curves import CURVES as BENCH_CURVES
from workshop.library.api import Status
from workshop.library.curves import CURVES, Bound
from workshop.library.emulated_api import CORES, PORTABLE, EmulatedCurve
from workshop.vectors.rfc_wycheproof import check_ed, check_x, ed_cases, x_cases
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


# ---- on cores: the four in assembly, and the portable one that a core without assembly takes -----

ALL = os.environ.get("ECFIT_WYCHEPROOF") == "all"
SAMPLE = 24  # cases of a file's kind and of a pair
WITH = [
    name
    for name in BENCH_CURVES
    if BENCH_CURVES[name].form != "weierstrass" or files("ecdsa", name)
]
FEW = {  # every form of curve, every back end
    "armv6m": "secp256r1",
    "armv7m": "x448",
    "armv7em": "ed25519",
    "rv32im": "brainpoolP384r1",
    PORTABLE: "secp521r1",
}
T = TypeVar("T")


def some(cases: Sequence[T], backend: str) -> Sequence[T]:
    """All, or cases at equal distances, on each back end others."""
    step = 1 if ALL else max(1, len(cases) // SAMPLE)
    return cases[list(CORES).index(backend) % step :: step]


def processor_seconds() -> float:
    """Of this process, and of the emulators that it waited for."""
    return sum(os.times()[:4])


def run(backend: str, name: str) -> Counter[str]:
    """The vectors of a curve on a back end: how many by result or rule, which is printed."""
    began = processor_seconds()
    with EmulatedCurve(backend, name) as curve:
        if name in ("x25519", "x448"):
            secrets = [case for case in x_cases(name) if any(case.shared)]
            refused = [case for case in x_cases(name) if not any(case.shared)]  # few
            done = check_x(curve, [*some(secrets, backend), *refused])
        elif name in ("ed25519", "ed448"):
            done = check_ed(curve, some(ed_cases(name), backend))
        else:
            shared = [case for file in files("ecdh", name) for case in ecdh_cases(file)]
            signed = [case for file in files("ecdsa", name) for case in ecdsa_cases(file)]
            done = check_ecdh(curve, some(shared, backend))
            done += check_ecdsa(curve, some(signed, backend))
    counts = ", ".join(f"{count} {what}" for what, count in done.most_common())
    seconds = processor_seconds() - began
    sys.stdout.write(f"{backend} {name}: {done.total()} vectors, {seconds:.0f} s: {counts}\n")
    return done


def test_there_are_such_vectors() -> None:
    """All curves but secp128r1, all back ends that are not for other words."""
    assert set(BENCH_CURVES) - set(WITH) == {"secp128r1"}
    assert set(FEW) == set(CORES)


@pytest.mark.parametrize(("backend", "name"), FEW.items())
def test_sample(backend: str, name: str) -> None:
    done = run(backend, name)
    assert done["valid"] >= 5, done
    assert done.total() - done["valid"] >= 2, done


@pytest.mark.ci
@pytest.mark.parametrize("name", WITH)
@pytest.mark.parametrize("backend", CORES)
def test_vectors(backend: str, name: str) -> None:
    """All in `make long WHAT=wycheproof`, else some."""
    done = run(backend, name)
    assert done["valid"] >= 5, done
    assert done.total() - done["valid"] >= 2, done


def test_what_is_wrong_is_found() -> None:
    """A vector of each kind whose result is another one."""
    (shared, *_) = (case for case in ecdh_cases("ecdh_secp256r1_ecpoint") if case.expect == "valid")
    (good, *_) = (case for case in ecdsa_cases("ecdsa_secp256r1_sha256") if case.expect == "valid")
    with EmulatedCurve("armv6m", "secp256r1") as curve:
        assert check_ecdh(curve, [shared]) == {"valid": 1}
        assert check_ecdsa(curve, [good]) == {"valid": 1}
        with pytest.raises(AssertionError, match=shared.label[:20]):
            check_ecdh(curve, [shared._replace(shared=bytes(32))])
        with pytest.raises(AssertionError, match=good.label[:20]):
            check_ecdsa(curve, [good._replace(digest=bytes(32))])
        with pytest.raises(AssertionError, match=good.label[:20]):
            check_ecdsa(curve, [good._replace(expect="invalid")])


def test_a_write_beside_an_output_is_found() -> None:
    """Of 65 bytes, told to be 61."""
    point = bytes.fromhex("036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
    with EmulatedCurve("armv6m", "secp256r1") as curve:
        assert curve.call("decompress", 65, point)[0] == Status.OK
        with pytest.raises(AssertionError, match="wrote beside"):
            curve.call("decompress", 61, point)
