"""Hardened verification without faults: it says what the plain one says,
but for what its description refuses.
"""

from __future__ import annotations

import ctypes
import hashlib
from functools import cache

import pytest
from ref import codec, ecdsa, rfc8032
from ref.curves import CURVES
from ref.group import multiply_base
from ref.rfc8032 import EDCURVES

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES as BENCH_CURVES
from workshop.library.api import Status
from workshop.library.curves import Bound
from workshop.library.rfc_api import SIGNATURE, RfcLibrary, Setting
from workshop.library.rfc_cases import signature_by_hand
from workshop.rigs.forgeries import forgeries
from workshop.vectors.rfc_wycheproof import ed_cases

VERIFIED = 0xA53C965A
HASH_MIN = 28  # ECFIT_HARDENED_HASH_MIN
BUILDS = [
    (curve, *rest) for curve in SIGNATURE for rest in (("balanced", "w32"), ("tiny", "w32m16"))
]


@cache
def built(curve: str, preset: str, backend: str, verify: str) -> RfcLibrary:
    """A curve with that value of VERIFY."""
    sets = {"BACKEND": backend, "VERIFY": verify}
    config = knobs.resolve(BENCH_CURVES[curve], preset, sets, backend)
    return RfcLibrary(Setting(verify, curve, config).shared(), curve)


def hardened(library: RfcLibrary, signature: bytes, public: bytes, message: bytes) -> bool:
    """Whether the hardened function says so; what it returns else is not near to a success."""
    function = getattr(library.c, f"ecfit_{library.curve}_verify_hardened")
    function.restype = ctypes.c_uint32
    answer = function(signature, public, message, ctypes.c_size_t(len(message)))
    assert answer == VERIFIED or (answer ^ VERIFIED).bit_count() >= 4
    assert answer not in {0, 1, 0xFFFFFFFF}
    return bool(answer == VERIFIED)


@pytest.mark.parametrize(("curve", "preset", "backend"), BUILDS)
def test_eddsa_vectors(curve: str, preset: str, backend: str) -> None:
    """Wycheproof: the hardened function and the plain one of the same file,
    and that of VERIFY=eddsa, agree.
    """
    library = built(curve, preset, backend, "eddsa_hardened")
    plain = built(curve, preset, backend, "eddsa")
    cases = [case for case in ed_cases(curve) if case.signature is not None]
    assert len(cases) >= 60
    for case in cases:
        assert case.signature is not None
        status = plain.verify(case.signature, case.public_key, case.message)
        assert (status is Status.OK) == case.valid, case.label
        assert library.verify(case.signature, case.public_key, case.message) is status, case.label
        assert hardened(library, case.signature, case.public_key, case.message) == case.valid


@pytest.mark.parametrize("curve", SIGNATURE)
def test_eddsa_keys_of_mixed_order_and_r_without_x(curve: str) -> None:
    """A key with a part of small order is as good as for the plain function;
    an R whose x is zero is refused.
    """
    library, ed = built(curve, "balanced", "w32", "eddsa_hardened"), EDCURVES[curve]
    a, r, message = 987654321, 1234567, b"message"
    small = (0, ed.p - 1, 1, 0)  # of order 2
    key = rfc8032.encode(ed, rfc8032.add(ed, rfc8032.multiply(ed, a, ed.base), small))
    plain = rfc8032.encode(ed, rfc8032.multiply(ed, a, ed.base))
    commitment = rfc8032.encode(ed, rfc8032.multiply(ed, r, ed.base))
    verdicts = set()
    for number in range(8):
        message = bytes([number])
        made = signature_by_hand(
            ed, scalar=a, public=key, commitment=commitment, r=r, message=message
        )
        good = rfc8032.verify(ed, made, key, message)
        verdicts.add(good)
        assert hardened(library, made, key, message) == good
    assert verdicts == {True, False}
    neutral = rfc8032.encode(ed, ed.identity)
    made = signature_by_hand(ed, scalar=a, public=plain, commitment=neutral, r=0, message=message)
    assert library.verify(made, plain, message) is Status.OK
    assert not hardened(library, made, plain, message)


@pytest.mark.parametrize("curve", SIGNATURE)
def test_eddsa_forgeries(curve: str) -> None:
    """What the attack with faults starts from is refused without one."""
    library = built(curve, "tiny", "w32m16", "eddsa_hardened")
    for one in forgeries(curve).values():
        assert hardened(library, one.signature, one.public, one.message) == (one.name == "valid")


@pytest.mark.parametrize("name", ["secp256r1", "secp384r1", "brainpoolP512r1"])
@pytest.mark.parametrize("build", ["blinded", "shared"])
def test_short_hashes(build: str, name: str) -> None:
    """Refused below the minimum of hashes that is the hardened function's own; that of all
    functions is in test_hash_rule.py.
    """
    curve = CURVES[name]
    bound = Bound(build, curve)
    function = getattr(bound.lib, f"ecfit_{name}_ecdsa_verify_hardened")
    function.restype = ctypes.c_uint32
    public = codec.encode_point(curve, multiply_base(curve, 77))
    for size in (16, HASH_MIN - 1, HASH_MIN, 64):
        digest = hashlib.sha512(bytes([size])).digest()[:size]
        r, s = ecdsa.sign(curve, 77, digest)
        signature = bound.scalar(r) + bound.scalar(s)
        answer = function(signature, public, digest, ctypes.c_size_t(size))
        assert (answer == VERIFIED) == (size >= HASH_MIN), size
        assert bound.verify(signature, public, digest) == Status.OK
    forged = forgeries(name)["e = 0"]
    assert bound.verify(forged.signature, forged.public, b"") == Status.BAD_HASH
    assert function(forged.signature, forged.public, b"", ctypes.c_size_t(0)) != VERIFIED
