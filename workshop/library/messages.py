"""lib/msg through ctypes: a member list in, (status, message) out.

Around the buffer stand guard bytes, it is dirty before the call,
and all zero after one that fails.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.model import digest
from ecfit.paths import cache_dir
from workshop.library import build as lib_build
from workshop.library.api import DIRT, GUARD, Rng
from workshop.paths import INCLUDE, LIB, SRC

MESSAGES = LIB / "msg"
Pair = tuple[str | int, int]  # name or label, value


class Status(IntEnum):
    """ecfit_msg_status."""

    OK = 0
    FULL = 1
    BAD_MEMBERS = 2
    NOT_SIGNED = 3


class _Member(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("label", ctypes.c_int32),
        ("value", ctypes.c_int64),
    ]


class _Signer(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("number", ctypes.c_int32),
        ("size", ctypes.c_size_t),
        ("sign", ctypes.c_void_p),
    ]


def header() -> str:
    """The configuration header of a library with all curves and deterministic nonces."""
    curves = [slot.name for slot in knobs.curve_slots() if slot.family != "edwards"]
    settings = knobs.resolve(CURVES["secp256r1"], "balanced", {"BACKEND": "w64"}, "w64")
    edwards = knobs.resolve(CURVES["ed25519"], "balanced", {"BACKEND": "w64"}, "w64")
    return knobs.header(settings, curves, more={"ed25519": edwards})


@cache
def shared() -> Path:
    """The library with all of lib/msg as a shared object, from the cache or compiled."""
    sources = sorted(MESSAGES.glob("*.c"))
    files = [*sources, *sorted(MESSAGES.glob("*.[hi]*")), *sorted(SRC.rglob("*.[chi]*"))]
    texts = [[path.name, path.read_bytes()] for path in files]
    flags = [*lib_build.compiler(), *lib_build.WARNINGS, "-fPIC", "-shared"]
    folder = cache_dir() / "messages" / digest([header(), texts, flags])
    target = folder / "messages.so"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ecfit_config.h").write_text(header(), encoding="utf-8")
        includes = [f"-I{path}" for path in (folder, INCLUDE, SRC, MESSAGES)]
        partial = folder / f"messages.{os.getpid()}.so"
        command = [*flags, *includes, *map(str, (SRC / "ecfit.c", *sources)), "-o", str(partial)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=lib_build.COMPILE_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        partial.replace(target)
    return target


class Messages:
    """The functions of ecfit_msg.h."""

    def __init__(self) -> None:
        self.dll = ctypes.CDLL(str(shared()))

    def signer(self, name: str) -> ctypes.c_char:
        """The object of an algorithm or a recovery group, by its name in C."""
        return ctypes.c_char.in_dll(self.dll, f"ecfit_msg_{name}")

    def _call(self, function: str, capacity: int, *arguments: object) -> tuple[Status, bytes]:
        dirty = bytes([DIRT]) * capacity
        buffer = ctypes.create_string_buffer(GUARD + dirty + GUARD, capacity + 2 * len(GUARD))
        place, size = ctypes.addressof(buffer) + len(GUARD), ctypes.c_size_t(99)
        out = ctypes.c_void_p(place), ctypes.c_size_t(capacity), ctypes.byref(size)
        status = Status(getattr(self.dll, function)(*out, *arguments))
        assert buffer.raw.startswith(GUARD), "it wrote before the buffer"
        assert buffer.raw.endswith(GUARD), "it wrote behind the buffer"
        written = buffer.raw[len(GUARD) : -len(GUARD)]
        if status != Status.OK:
            assert size.value == 0
            assert not any(written), "a message that failed is not cleared"
        return status, written[: size.value]

    def renamed(self, name: str, alg: str, number: int) -> _Signer:
        """A copy of an algorithm's object that calls itself otherwise."""
        copy = _Signer.from_buffer_copy(_Signer.in_dll(self.dll, f"ecfit_msg_{name}"))
        copy.name, copy.number = alg.encode(), number
        return copy

    def write(
        self, form: str, members: Sequence[Pair], capacity: int = 400
    ) -> tuple[Status, bytes]:
        """`form`: json_write or cbor_write."""
        return self._call(f"ecfit_{form}", capacity, _array(members), _size(len(members)))

    def sign(
        self,
        form: str,
        algorithm: str | _Signer,
        key: bytes,
        members: Sequence[Pair],
        capacity: int = 600,
    ) -> tuple[Status, bytes]:
        """`form`: jss_sign or cose_sign1. Nonces are deterministic."""
        named = self.signer(algorithm) if isinstance(algorithm, str) else algorithm
        which = ctypes.byref(named)
        given = _array(members), _size(len(members)), None
        return self._call(f"ecfit_{form}", capacity, which, key, *given)

    def boot_epoch(self, member: Pair, rng: Rng | None) -> tuple[Status, Pair]:
        """ecfit_msg_boot_epoch, and the member then."""
        made = _array([member])
        source = ctypes.byref(rng.struct) if rng else None
        status = Status(self.dll.ecfit_msg_boot_epoch(made, source))
        return status, (made[0].name.decode(), made[0].value)

    def recovery(
        self,
        curve: str,
        key: bytes,
        message: bytes,
        visible: bytes,
        rng: Rng | None,
        *,
        capacity: int = 400,
    ) -> tuple[Status, bytes]:
        """ecfit_recovery_sign."""
        which = ctypes.byref(self.signer(f"recovery_{curve}"))
        given = message, _size(len(message)), visible, _size(len(visible))
        source = ctypes.byref(rng.struct) if rng else None
        return self._call("ecfit_recovery_sign", capacity, which, key, *given, source)


def _size(value: int) -> ctypes.c_size_t:
    return ctypes.c_size_t(value)


def _array(members: Sequence[Pair]) -> ctypes.Array[_Member]:
    made = (_Member * max(1, len(members)))()
    for place, (key, value) in enumerate(members):
        name, label = (key.encode(), 0) if isinstance(key, str) else (None, key)
        made[place] = _Member(name, label, value)
    return made
