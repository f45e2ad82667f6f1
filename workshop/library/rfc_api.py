"""X25519, X448, Ed25519 and Ed448 of the library through ctypes, in many configurations.

Every call checks what every call must keep: guards around the outputs, inputs unchanged,
outputs zero unless the status is OK.
"""

from __future__ import annotations

import ctypes
import os
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES as BENCH_CURVES
from ecfit.choices.curves import EVERY_OP
from ecfit.model import Configuration
from ecfit.paths import FIRMWARE
from workshop.library import build as lib_build
from workshop.library.api import Rng, Status, _Out
from workshop.paths import SRC

# bytes: the context of a verification in parts, its hash, and the scalars that take its place
VERIFY_CONTEXT = {"ed25519": (216, 200, 64), "ed448": (224, 204, 112)}
MISUSE = 6  # ECFIT_MISUSE
SIZES = {"x25519": 32, "x448": 56, "ed25519": 32, "ed448": 57}
EXCHANGE = ["x25519", "x448"]
SIGNATURE = ["ed25519", "ed448"]

PRESETS = ["tiny-w32m16", "tiny-w32", "balanced-w32m16", "balanced-w32", "balanced-w64"]
OTHER_PRESETS = [
    "compact-w32",
    "fast-w64",
    "lowram-w32",
]  # where there is time, as under the sanitizers
if os.environ.get("ECFIT_TEST_BUILDS") == "all":
    PRESETS += OTHER_PRESETS

# Choices beside the presets, as (preset, backend, curves, knobs): every value
# that concerns these curves appears.
EXTRA: dict[str, tuple[str, str, list[str], dict[str, str]]] = {
    "mont": ("balanced", "w32", [*SIZES], {"REDUCE": "mont"}),
    "bytes": ("tiny", "w8", [*SIZES], {"INVERT": "bingcd"}),
    "halfwords": ("balanced", "w16", [*SIZES], {}),
    "two": (
        "balanced",
        "w64",
        SIGNATURE,
        {"MULD": "two", "MULG": "as_var", "SQUARE": "as_mul", "CHECK": "verify"},
    ),
    "comb-two": ("balanced", "w32", SIGNATURE, {"MULD": "two", "COMB_TEETH": "5"}),
    "wide": (
        "balanced",
        "w32",
        SIGNATURE,
        {"COMB_TEETH": "6", "COMB_BLOCKS": "2", "WNAF_A": "6", "CHECK": "verify"},
    ),
    "narrow": (
        "balanced",
        "w64",
        SIGNATURE,
        {"COMB_TEETH": "5", "COMB_BLOCKS": "11", "WNAF_A": "2"},
    ),
    "naf": ("balanced", "w32m16", SIGNATURE, {"MULD": "naf", "WNAF_A": "2", "WNAF_G": "7"}),
    "naf-mont": (
        "balanced",
        "w64",
        SIGNATURE,
        {"REDUCE": "mont", "MULD": "naf", "WNAF_A": "6", "WNAF_G": "3", "SHA512": "roots"},
    ),
    "complete": (
        "balanced",
        "w32m16",
        SIGNATURE,
        {"COORDINATES": "complete", "MULG": "as_var", "MULD": "two"},
    ),
    "caller": ("tiny", "w64", SIGNATURE, {"SHA512": "caller", "SHAKE256": "caller"}),
    "comb": ("balanced", "w32", EXCHANGE, {"MULG": "comb_edwards"}),
    "comb-five": (
        "balanced",
        "w64",
        EXCHANGE,
        {"MULG": "comb_edwards", "COMB_TEETH": "5", "COMB_BLOCKS": "2"},
    ),
    "comb-mont": (
        "balanced",
        "w32",
        EXCHANGE,
        {"MULG": "comb_edwards", "REDUCE": "mont", "COMB_TEETH": "5"},
    ),
    "comb-beside": ("balanced", "w64", EXCHANGE, {"MULG": "comb_edwards"}),
    "as-var-beside": ("compact", "w64", EXCHANGE, {"MULG": "comb_edwards"}),
}
BESIDE = {"x25519": "ed25519", "x448": "ed448"}  # what the last two have in their images


@dataclass(frozen=True)
class Setting:
    """A configuration for one of the curves."""

    name: str
    curve: str
    config: Configuration

    def shared(self) -> Path:
        """Path of the shared library."""
        command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
        curves = [self.curve, *([BESIDE[self.curve]] if self.name.endswith("-beside") else [])]
        return lib_build.build(
            self.config, self.units(), command, suffix=".so", curves=curves, ops=self.ops()
        )

    def ops(self) -> tuple[str, ...]:
        """All that go with the configuration."""
        if self.curve not in SIGNATURE or self.name == "caller":
            return EVERY_OP
        checks = dict(self.config.settings)["CHECK"] == "verify"
        return (*EVERY_OP, "verify_parts", *(() if checks else ("sign_parts",)))

    def units(self) -> list[Path]:
        """What is compiled: the library, and the hashes that the caller owes it."""
        caller = dict(self.config.settings)["SHAKE256"] == "caller"
        owed = ["caller_sha512.c", "caller_shake256.c"] if caller else []
        return [SRC / "ecfit.c", *(FIRMWARE / name for name in owed)]


def forms(curve: str) -> dict[str, str]:
    """What makes all functions of the curve."""
    return {"SIGN": "eddsa_all", "VERIFY": "eddsa_all"} if curve in SIGNATURE else {}


def _settings() -> dict[str, Setting]:
    """By "x25519-tiny-w32" and "ed448-wide"; ECFIT_TEST_CONFIGURATIONS chooses
    by what follows the curve.
    """
    rows: dict[str, tuple[str, str, list[str], dict[str, str]]] = {}
    for name in PRESETS:
        preset, backend = name.split("-")
        rows[name] = (preset, backend, [*SIZES], {})
    chosen = os.environ.get("ECFIT_TEST_CONFIGURATIONS", "").split()
    return {
        f"{curve}-{name}": Setting(
            name,
            curve,
            knobs.resolve(
                BENCH_CURVES[curve], preset, {"BACKEND": backend, **forms(curve), **sets}, backend
            ),
        )
        for name, (preset, backend, curves, sets) in (rows | EXTRA).items()
        for curve in curves
        if not chosen or name in chosen
    }


SETTINGS = _settings()


def settings_of(curves: list[str]) -> list[str]:
    """Names of the settings of these curves."""
    return [name for name, setting in SETTINGS.items() if setting.curve in curves]


PIECE = 64  # bytes that a reader is asked for, at most
READ = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint64, ctypes.c_size_t
)


class _ReaderStruct(ctypes.Structure):
    _fields_ = [("read", READ), ("context", ctypes.c_void_p)]


class Reader:
    """ecfit_reader of a message. `source(number, offset, size)` returns the bytes for this call,
    or None to report a failure.
    """

    CONTEXT = 0x4321

    def __init__(self, source: Callable[[int, int, int], bytes | None]) -> None:
        self._source = source
        self.asked: list[tuple[int, int]] = []  # offset and size of each call
        self.error: BaseException | None = None
        self.struct = _ReaderStruct(READ(self._read), self.CONTEXT)

    @classmethod
    def of(cls, message: bytes) -> Reader:
        """Gives the message whenever it is asked."""
        return cls(lambda _, offset, size: message[offset : offset + size])

    def _read(
        self, context: int, out: ctypes._Pointer[ctypes.c_uint8], offset: int, size: int
    ) -> int:
        try:
            assert context == self.CONTEXT, "the context is not handed through"
            data = self._source(len(self.asked), offset, size)
            self.asked.append((offset, size))
            if data is None:
                return 1
            assert len(data) == size, f"the library reads {size} bytes, the test gives {len(data)}"
            ctypes.memmove(out, data, size)
        except BaseException as error:  # which cannot cross the C frames: keep it for the caller
            self.error = error
            return 1
        return 0


class RfcLibrary:
    """The operations of one curve."""

    def __init__(self, path: Path, curve: str) -> None:
        self.curve = curve
        self.size = SIZES[curve]
        self.c = ctypes.CDLL(str(path))

    def keygen(self, rng: Rng | None) -> tuple[Status, bytes, bytes]:
        """(status, public key, private key)."""
        status, (public, private) = self._call("_keygen", [self.size, self.size], [], rng=(rng,))
        return status, public, private

    def public_key(self, private_key: bytes) -> tuple[Status, bytes]:
        """(status, public key)."""
        status, (public,) = self._call("_public_key", [self.size], [private_key])
        return status, public

    def exchange(self, private_key: bytes, public_key: bytes) -> tuple[Status, bytes]:
        """(status, shared secret)."""
        status, (shared,) = self._call("", [self.size], [private_key, public_key])
        return status, shared

    def sign(
        self,
        private_key: bytes,
        message: bytes,
        context: bytes | None = None,
        *,
        prehashed: bool = False,
    ) -> tuple[Status, bytes]:
        """(status, signature) by _sign, _sign_ctx or _sign_ph, whose message is a digest
        of 64 bytes.
        """
        name, inputs = self._form("_sign", message, context, prehashed)
        status, (signature,) = self._call(name, [2 * self.size], [private_key, *inputs])
        if hasattr(self.c, f"ecfit_{self.curve}_sign_parts") and not prehashed:
            reader = Reader.of(message)
            again = self.sign_parts(private_key, len(message), reader, context)
            assert again == (status, signature), "in parts, the signature is another"
            places = [(at, min(PIECE, len(message) - at)) for at in range(0, len(message), PIECE)]
            assert reader.asked == 2 * places
        return status, signature

    def sign_parts(
        self, private_key: bytes, size: int, reader: Reader | None, name: bytes | None = None
    ) -> tuple[Status, bytes]:
        """(status, signature) of _sign_parts or _sign_parts_ctx; None: no reader."""
        out, key = _Out(2 * self.size), ctypes.create_string_buffer(private_key, self.size)
        given = None if reader is None else ctypes.byref(reader.struct)
        arguments = [out.pointer, key, ctypes.c_uint64(size), given]
        arguments += [] if name is None else [name, len(name)]
        ending = "sign_parts" if name is None else "sign_parts_ctx"
        status = Status(getattr(self.c, f"ecfit_{self.curve}_{ending}")(*arguments))
        if reader is not None and reader.error is not None:
            raise reader.error
        signature = out.take()
        assert key.raw == private_key
        assert status is Status.OK or not any(signature), "an output that is not zero"
        return status, signature

    def verify(
        self,
        signature: bytes,
        public_key: bytes,
        message: bytes,
        context: bytes | None = None,
        *,
        prehashed: bool = False,
    ) -> Status:
        """Status of _verify, _verify_ctx or _verify_ph."""
        name, inputs = self._form("_verify", message, context, prehashed)
        status = self._call(name, [], [signature, public_key, *inputs])[0]
        if hasattr(self.c, f"ecfit_{self.curve}_verify_start") and not prehashed:
            again = self.verify_parts(signature, public_key, self.cut(message), context)
            assert again is status, "in parts, the verdict is another"
        return status

    @staticmethod
    def cut(message: bytes) -> list[bytes]:
        """A message in up to five parts, some of them empty: the same each time."""
        source = random.Random(message)
        places = sorted(source.randrange(len(message) + 1) for _ in range(source.randrange(5)))
        return [message[a:b] for a, b in pairwise([0, *places, len(message)])]

    def verify_parts(
        self, signature: bytes, public_key: bytes, parts: Iterable[bytes], name: bytes | None = None
    ) -> Status:
        """Status of _verify_start or _verify_start_ctx, _update for each part, and _finish."""
        call = f"ecfit_{self.curve}_verify_"
        context_bytes, hash_bytes, scalar_bytes = VERIFY_CONTEXT[self.curve]
        place, size = _Out(context_bytes), len(name or b"")
        given = [ctypes.create_string_buffer(data, len(data)) for data in (signature, public_key)]
        if name is None:
            getattr(self.c, f"{call}start")(place.pointer, *given)
        else:
            getattr(self.c, f"{call}start_ctx")(place.pointer, *given, name, size)
        for part in parts:
            data = ctypes.create_string_buffer(part, len(part)) if part else None
            getattr(self.c, f"{call}update")(place.pointer, data, ctypes.c_size_t(len(part)))
        status = Status(getattr(self.c, f"{call}finish")(place.pointer))
        assert [data.raw for data in given] == [signature, public_key]
        assert not any(place.take()[scalar_bytes:hash_bytes]), "the message is left"
        assert getattr(self.c, f"{call}finish")(place.pointer) == MISUSE
        return status

    @staticmethod
    def _form(
        verb: str, message: bytes, context: bytes | None, prehashed: bool
    ) -> tuple[str, list[bytes | int]]:
        """The name's ending and the last arguments."""
        if prehashed:
            assert len(message) == 64
            context = context or b""
            return f"{verb}_ph", [message, context, len(context)]
        if context is None:
            return verb, [message, len(message)]
        return f"{verb}_ctx", [message, len(message), context, len(context)]

    def _call(
        self,
        ending: str,
        out_sizes: list[int],
        inputs: list[bytes | int] | list[bytes],
        rng: tuple[Rng | None, ...] = (),
    ) -> tuple[Status, list[bytes]]:
        """One call: outputs, then inputs (strings and sizes), then the generator."""
        outs = [_Out(size) for size in out_sizes]
        buffers: list[object] = []
        for value in inputs:
            if isinstance(value, int):
                buffers.append(ctypes.c_size_t(value))
            else:
                buffers.append(ctypes.create_string_buffer(value, max(len(value), 1)))
        generator = [None if source is None else ctypes.byref(source.struct) for source in rng]
        arguments = [*(out.pointer for out in outs), *buffers, *generator]
        status = Status(getattr(self.c, f"ecfit_{self.curve}{ending}")(*arguments))
        for source in rng:
            if source is not None and source.error is not None:
                raise source.error
        for value, buffer in zip(inputs, buffers, strict=True):
            if isinstance(value, bytes):
                after = bytes(buffer)[: len(value)]  # type: ignore[call-overload]
                assert after == value, "the library changed an input"
        results = [out.take() for out in outs]
        if status is not Status.OK:
            assert not any(b"".join(results)), (
                f"{ending}: {status.name} with an output that is not zero"
            )
        return status, results
