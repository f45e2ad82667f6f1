"""Every curve of the library in a few builds, through ctypes: what test_curves.py
and test_wycheproof.py share.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from functools import cache

from ref.curves import LIBRARY, Curve

from ecfit.choices.curves import EVERY_OP
from ecfit.choices.curves import SCHNORR as SCHNORR_OPS
from ecfit.choices.curves import SPAKE2P as SPAKE2P_OPS
from workshop.library import build as lib_build
from workshop.scale import FULL

NAMES = [curve.name for curve in LIBRARY]
CURVES = {curve.name: curve for curve in LIBRARY}
# What the preset is changed by, and the backend: each curve runs through each of them.
BUILDS = {
    "tiny": ("tiny", "w32", {"COMPRESS": "sec1", "RESUME": "steps", "WORK": "caller"}),
    "balanced": ("balanced", "w64", {"DER": "strict", "RESUME": "steps", "WORK": "caller"}),
    "lowram": ("lowram", "w64", {"COMPRESS": "sec1"}),
    "blinded": (
        "balanced",
        "w32",
        {"BLIND": "coordinates", "VERIFY": "hardened", "RESUME": "steps", "WORK": "caller"},
    ),
    "masked": ("balanced", "w64", {"BLIND": "both", "REDUCE": "mont"}),
    "checked": (
        "balanced",
        "w64",
        {
            "MULV": "binary",
            "REDUCE": "mont",
            "MULG": "as_var",
            "MULD": "bits",
            "CHECK": "verify",
        },
    ),
    "xonly": (
        "tiny",
        "w64",
        {"MULV": "ladder_x", "REDUCE": "mont", "COMPRESS": "sec1", "BLIND": "scalar"},
    ),
    "ladder_coz": (
        "lowram",
        "w64",
        {
            "COORDINATES": "jacobian_run",
            "MULV": "ladder_coz",
            "MULD": "digits",
            "BLIND": "coordinates",
            "COMPRESS": "sec1",
        },
    ),
    "late": (
        "lowram",
        "w32",
        {
            "COORDINATES": "jacobian_run",
            "MULV": "digits",
            "MULD": "digits",
            "READ": "late",
            "COMPRESS": "sec1",
        },
    ),
    "shared": (
        "tiny",
        "w32m16",
        {
            "INSTANCE": "shared",
            "REDUCE": "mont",
            "COMPRESS": "sec1",
            "NONCE": "deterministic",
            "SHA256": "own",
            "SHA512": "own",
            "DER": "strict",
            "VERIFY": "hardened",
            "CHECK": "verify",
        },
    ),
}
# Where there is time, as under the sanitizers, the presets that are left.
OTHER_PRESETS = {
    "compact": ("compact", "w32", {"COMPRESS": "sec1"}),
    "fast": ("fast", "w64", {"DER": "strict"}),
}
if os.environ.get("ECFIT_TEST_BUILDS") == "all":
    BUILDS |= OTHER_PRESETS

OK, BAD_PRIVATE_KEY, BAD_PUBLIC_KEY, BAD_SIGNATURE, RNG_FAILED = range(5)
BAD_HASH = 8

Fill = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class Rng(ctypes.Structure):
    """ecfit_rng."""

    _fields_ = [("fill", Fill), ("context", ctypes.c_void_p)]


def generator(seed: str) -> Rng:
    """A generator whose bytes follow from the seed."""
    state = [hashlib.sha256(seed.encode()).digest()]

    def fill(_context: int, out: int, size: int) -> int:
        state[0] = hashlib.sha256(state[0]).digest()
        ctypes.memmove(out, hashlib.shake_256(state[0]).digest(size), size)
        return 0

    return Rng(Fill(fill), None)


def empty() -> Rng:
    """`ecfit_rng rng = {0}`: a generator without a function."""
    return Rng(Fill(), None)


@cache
def library(
    build: str, named: tuple[str, ...] = (), curves: tuple[str, ...] = tuple(NAMES)
) -> ctypes.CDLL:
    """The library with all curves. `named`: operations that are there only where they are named."""
    preset, backend, sets = BUILDS[build]
    if {*named} & {*SCHNORR_OPS, *SPAKE2P_OPS}:
        sets = sets | {"SHA256": "own"}
    config = lib_build.configuration(preset, backend, **sets)
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    path = lib_build.build(
        config, lib_build.units(config), command, suffix=".so", curves=curves,
        ops=(*EVERY_OP, *named),
    )  # fmt: skip
    return ctypes.CDLL(str(path))


class Bound:
    """The functions of one curve."""

    def __init__(self, build: str | ctypes.CDLL, curve: Curve) -> None:
        self.lib, self.curve = library(build) if isinstance(build, str) else build, curve
        self.field, self.order = curve.field_bytes, curve.order_bytes

    def call(self, verb: str, size: int, *arguments: object) -> tuple[int, bytes]:
        """Status and output of a function whose first argument is its output."""
        out = ctypes.create_string_buffer(b"\xa5" * size, size)
        return getattr(self.lib, f"ecfit_{self.curve.name}_{verb}")(out, *arguments), out.raw

    def scalar(self, value: int) -> bytes:
        """Encoded scalar."""
        return value.to_bytes(self.order, "big")

    def verify(self, signature: bytes, public_key: bytes, digest: bytes) -> int:
        """Status of a verification."""
        function = getattr(self.lib, f"ecfit_{self.curve.name}_ecdsa_verify")
        return int(function(signature, public_key, digest, ctypes.c_size_t(len(digest))))

    def check(self, public_key: bytes) -> int:
        """Status of a public key alone."""
        return int(getattr(self.lib, f"ecfit_{self.curve.name}_public_key_check")(public_key))

    def to_der(self, signature: bytes) -> tuple[int, bytes]:
        """Status and DER; what lies behind the DER in the buffer must be zero."""
        size, length = 2 * self.order + 9, ctypes.c_size_t(12345)
        status, out = self.call("signature_to_der", size, ctypes.byref(length), signature)
        assert length.value <= size
        assert not any(out[length.value :])
        return status, out[: length.value]

    def from_der(self, der: bytes) -> tuple[int, bytes]:
        """Status and r || s."""
        return self.call("signature_from_der", 2 * self.order, der, ctypes.c_size_t(len(der)))

    def sign(self, private_key: int, digest: bytes, rng: Rng | None) -> tuple[int, bytes]:
        """Status and r || s."""
        source = None if rng is None else ctypes.byref(rng)
        key, size = self.scalar(private_key), ctypes.c_size_t(len(digest))
        return self.call("ecdsa_sign", 2 * self.order, key, digest, size, source)

    @property
    def hash_bytes(self) -> int:
        """Bytes of the digest that goes with the curve."""
        return 32 if self.curve.order_bits <= 256 else 48 if self.curve.order_bits == 384 else 64


def fixed(*draws: bytes) -> Rng:
    """A generator that gives these strings, one a call, then fails."""
    left = list(draws)

    def fill(_context: int, out: int, size: int) -> int:
        if not left or len(left[0]) != size:
            return -1
        ctypes.memmove(out, left.pop(0), size)
        return 0

    return Rng(Fill(fill), None)


# Builds with recovery: curves that share an instance have none.
RECOVERING = [name for name, (_, _, sets) in BUILDS.items() if sets.get("INSTANCE") != "shared"]


def recovering(build: str, curve: Curve) -> Bound:
    """A curve with signatures from which its public keys are recovered."""
    return Bound(library(build, ("sign_recoverable", "recover_key")), curve)


def sign_recoverable(
    bound: Bound, private_key: int, digest: bytes, rng: Rng | None
) -> tuple[int, bytes]:
    """Status and r || s || id."""
    source = None if rng is None else ctypes.byref(rng)
    key, size = bound.scalar(private_key), ctypes.c_size_t(len(digest))
    return bound.call("ecdsa_sign_recoverable", 2 * bound.order + 1, key, digest, size, source)


def recover(bound: Bound, recoverable: bytes, digest: bytes) -> tuple[int, bytes]:
    """Status and public key."""
    size = ctypes.c_size_t(len(digest))
    return bound.call("ecdsa_recover", 1 + 2 * bound.field, recoverable, digest, size)


# Builds with Schnorr signatures, which are not checked before they are given out.
_UNCHECKED = [name for name in RECOVERING if BUILDS[name][2].get("CHECK") != "verify"]
SCHNORR = _UNCHECKED if FULL else ["masked", "late"]


def with_schnorr(build: str) -> Bound:
    """secp256k1 with Schnorr signatures (BIP 340)."""
    return Bound(library(build, SCHNORR_OPS, ("secp256k1",)), CURVES["secp256k1"])


def schnorr_sign(
    bound: Bound, private_key: bytes, message: bytes, rng: Rng | None
) -> tuple[int, bytes]:
    """Status and signature."""
    source, data = None if rng is None else ctypes.byref(rng), message or None
    size = ctypes.c_size_t(len(message))
    return bound.call("schnorr_sign", 64, private_key, data, size, source)


def schnorr_verify(bound: Bound, signature: bytes, public_key: bytes, message: bytes) -> int:
    """Status."""
    function, size = bound.lib.ecfit_secp256k1_schnorr_verify, ctypes.c_size_t(len(message))
    return int(function(signature, public_key, message or None, size))


SPAKE2P = RECOVERING if FULL else ["masked", "late", "ladder_coz"]


def with_spake2p(build: str) -> Bound:
    """secp256r1 with SPAKE2+ (RFC 9383)."""
    return Bound(library(build, SPAKE2P_OPS, ("secp256r1",)), CURVES["secp256r1"])


class Bytes(ctypes.Structure):
    """ecfit_bytes."""

    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Spake2p:
    """A run of one side of SPAKE2+, with the names of both; `matter`: its keys.

    Each function gives its status and its outputs.
    """

    def __init__(self, bound: Bound, names: tuple[bytes, bytes, bytes], *, matter: bool = False):
        self.lib, self.context = bound.lib, ctypes.create_string_buffer(17 * 8)
        self.names = (Bytes * 3)(*(Bytes(name or None, len(name)) for name in names))
        self.matter = int(matter)

    def _call(self, verb: str, sizes: tuple[int, ...], *rest: object) -> tuple[int, list[bytes]]:
        """Status and outputs; the context stands behind a key, and before a share."""
        outs = [ctypes.create_string_buffer(b"\xa5" * size, size) for size in sizes]
        at = 0 if verb.endswith("start") else len(outs)
        arguments = [*outs[:at], self.context, *outs[at:], *rest]
        status = getattr(self.lib, f"ecfit_secp256r1_spake2p_{verb}")(*arguments)
        return status, [out.raw for out in outs]

    @staticmethod
    def _of(rng: Rng | None) -> object:
        return None if rng is None else ctypes.byref(rng)

    def prover_start(self, w0: bytes, rng: Rng | None) -> tuple[int, bytes]:
        status, (share,) = self._call("prover_start", (65,), w0, self._of(rng))
        return status, share

    def prover_finish(
        self, w1: bytes, share: bytes, confirmation: bytes, rng: Rng | None
    ) -> tuple[int, bytes, bytes]:
        rest = w1, share, confirmation, self.names, self.matter, self._of(rng)
        status, (key, own) = self._call("prover_finish", (32, 32), *rest)
        return status, key, own

    def verifier_start(
        self, w0: bytes, record: bytes, share: bytes, rng: Rng | None
    ) -> tuple[int, bytes, bytes]:
        rest = w0, record, share, self.names, self.matter, self._of(rng)
        status, (own, confirmation) = self._call("verifier_start", (65, 32), *rest)
        return status, own, confirmation

    def verifier_finish(self, confirmation: bytes) -> tuple[int, bytes]:
        status, (key,) = self._call("verifier_finish", (32,), confirmation)
        return status, key
