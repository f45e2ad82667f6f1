"""EdDSA with random bytes in the nonce's hash, against the definition written down again in Python;
its draws, its output, what it leaves in memory.
"""

from __future__ import annotations

import ctypes
import hashlib

import pytest
from ref import rfc8032
from ref.rfc8032 import EDCURVES

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from workshop.library import build as lib_build
from workshop.library.curves import OK, RNG_FAILED, empty, fixed
from workshop.library.rfc_api import SIGNATURE, SIZES
from workshop.paths import SRC

MESSAGE = (
    b"a message of some length, so that it is more than a block of any of the two hashes: " * 3
)


def nonce_and_s(curve: str, key: bytes, message: bytes, drawn: bytes) -> bytes:
    """R || S by the draft, step 2: prefix' = the first half of H(prefix || Z),
    r = H(dom || prefix' || M).
    """
    of = EDCURVES[curve]
    scalar, prefix = rfc8032.expand(of, key)
    dom = of.dom_of(False, None)
    hedged = of.hash(prefix + drawn)[: of.size]
    r = int.from_bytes(of.hash(dom + hedged + message), "little") % of.n
    commitment = rfc8032.encode(of, rfc8032.multiply(of, r, of.base))
    k = int.from_bytes(of.hash(dom + commitment + rfc8032.public_key(of, key) + message), "little")
    return commitment + ((r + k * scalar) % of.n).to_bytes(of.size, "little")


@pytest.fixture(params=[(c, w) for c in SIGNATURE for w in ("stack", "none", "checked")])
def library(request: pytest.FixtureRequest) -> tuple[str, ctypes.CDLL]:
    """A curve, and the library with it."""
    curve, form = request.param
    sets = {"BACKEND": "w64", "SIGN": "eddsa_hedged"}
    sets |= {"CHECK": "verify"} if form == "checked" else {"WIPE": form}
    config = resolve(CURVES[curve], "balanced", sets, "w64")
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    path = lib_build.build(config, [SRC / "ecfit.c"], command, suffix=".so", curves=[curve])
    return curve, ctypes.CDLL(str(path))


def test_signatures(library: tuple[str, ctypes.CDLL]) -> None:
    """As the draft defines them; they verify; another draw gives another one."""
    curve, lib = library
    size = SIZES[curve]
    function = getattr(lib, f"ecfit_{curve}_sign_hedged")
    found = set()
    for seed in range(3):
        key = hashlib.shake_256(b"key%d" % (seed // 2)).digest(size)
        for message in (MESSAGE, b"", MESSAGE[:7]):
            drawn = hashlib.shake_256(b"%d" % seed + message).digest(size)
            out = ctypes.create_string_buffer(b"\xa5" * 2 * size, 2 * size)
            length = ctypes.c_size_t(len(message))
            status = function(out, key, message, length, ctypes.byref(fixed(drawn)))
            assert (status, out.raw) == (OK, nonce_and_s(curve, key, message, drawn))
            public = rfc8032.public_key(EDCURVES[curve], key)
            verify = getattr(lib, f"ecfit_{curve}_verify")
            assert verify(out, public, message, length) == OK
            found.add(out.raw)
    assert len(found) == 9


def test_bad_generators(library: tuple[str, ctypes.CDLL]) -> None:
    """None, one without a function, one that fails, one that is stuck: no signature."""
    curve, lib = library
    size = SIZES[curve]
    for rng in (None, empty(), fixed(), fixed(bytes(size)), fixed(b"\x55" * size)):
        out = ctypes.create_string_buffer(b"\xa5" * 2 * size, 2 * size)
        source = None if rng is None else ctypes.byref(rng)
        function = getattr(lib, f"ecfit_{curve}_sign_hedged")
        status = function(out, bytes(size), MESSAGE, ctypes.c_size_t(len(MESSAGE)), source)
        assert (status, out.raw) == (RNG_FAILED, bytes(2 * size))


def test_the_deterministic_one_stays(library: tuple[str, ctypes.CDLL]) -> None:
    curve, lib = library
    key = bytes(range(SIZES[curve]))
    out = ctypes.create_string_buffer(2 * len(key))
    function = getattr(lib, f"ecfit_{curve}_sign")
    assert function(out, key, MESSAGE, ctypes.c_size_t(len(MESSAGE))) == OK
    assert out.raw == rfc8032.sign(EDCURVES[curve], key, MESSAGE)
