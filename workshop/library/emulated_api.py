"""The library for one curve on a user-mode emulator: its functions as a program calls them.

The program is that of emulated.py (lib/test/emulated.c), with the library beside it.
Each call also checks what every call must keep: inputs as they were, and the memory around
inputs and outputs.
"""

from __future__ import annotations

import struct
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import IO, Self

from ecfit.build import foreign, toolchain
from ecfit.build.elf import Elf
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, EVERY_OP
from workshop.assembly.emulated import ARGUMENTS, EMULATORS, LINK, THUMB, Program
from workshop.assembly.routines import BACKENDS, FILL, GUARD
from workshop.library.api import Status
from workshop.paths import C_TESTS, INCLUDE, SRC

PORTABLE = "w32m16"  # what the default configuration takes where there is no assembly
CORES = BACKENDS | {PORTABLE: BACKENDS["armv6m"]}
# Beside the preset, which is the fastest: encodings are part of the vectors.
PRESET, OPT = "fast", "O2"
SETS = {"weierstrass": {"COMPRESS": "sec1", "DER": "strict"}}
MORE_OPS = {"weierstrass": ("recover_key",)}
# A compiler that recognises loops would call memcpy; qemu's multiplication has no time.
FLAGS = ("-fno-tree-loop-distribute-patterns", "-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY")
HEADER = "<4I"  # function, words, count, pointers; then an offset for each argument


@cache
def program(backend: str, curve: str) -> Program:
    """The library for a curve, and emulated.c, as a program of Linux."""
    arch, core = CORES[backend]
    machine, form = foreign.MACHINES[arch], CURVES[curve].form
    tools = toolchain.find_toolchain("gcc", arch, core, OPT)
    sets = {"BACKEND": backend, **SETS.get(form, {})}
    config = knobs.resolve(CURVES[curve], PRESET, sets, backend)
    link = ["-nostdlib", "-static", "-T", "a.ld", "-Wl,--no-gc-sections,--build-id=none"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        header = knobs.header(config, [curve], (*EVERY_OP, *MORE_OPS.get(form, ())), extras=True)
        (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
        (folder / "a.ld").write_text(LINK, encoding="utf-8")
        sources = [SRC / "ecfit.c", C_TESTS / "emulated.c"]
        sources += [SRC / "ecfit_asm.S"] if backend != PORTABLE else []
        include = [f"-I{path}" for path in (folder, INCLUDE, SRC)]
        command = [*tools.compile, *FLAGS, *include, *map(str, sources), *link, "-lgcc"]
        toolchain.run([*command, "-o", "a.elf"], f"ecfit for {core} with emulated.c", folder)
        data = (folder / "a.elf").read_bytes()
    symbols = {k: v & ~1 | THUMB[machine] for k, v in Elf(data, machine).symbols.items()}
    return Program(EMULATORS[machine], symbols, data)


class EmulatedCurve:
    """A process of the emulator with the library for one curve: the functions of `Bound`
    (curves.py) and of `RfcLibrary` (rfc_api.py) that Wycheproof's vectors need.
    """

    def __init__(self, backend: str, curve: str) -> None:
        sizes = CURVES[curve]
        self.program, self.curve = program(backend, curve), curve
        self.field, self.order = sizes.field_bytes, sizes.scalar_bytes
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name, "a.elf")
        path.write_bytes(self.program.image)
        path.chmod(0o700)
        command = [*self.program.command, str(path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in self._pipes():
            pipe.close()
        self.folder.cleanup()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdin
        assert self.process.stdout
        return self.process.stdin, self.process.stdout

    def _call(
        self, ending: str, outs: list[int], *inputs: bytes | int | None
    ) -> tuple[int, list[bytes]]:
        """Status and outputs, which come first. None is a null pointer."""
        given = [*(FILL * size for size in outs), *inputs]
        record, places, pointers = b"", [], 0
        for number, one in enumerate(given):
            record += FILL * GUARD
            places.append(len(record))
            if isinstance(one, bytes):
                pointers |= 1 << number
                record += one + FILL * (-len(one) % 4)
            else:
                record += (one or 0).to_bytes(4, "little")
        record += FILL * GUARD + bytes(4)
        offsets = [place // 4 for place in places] + [0] * (ARGUMENTS - len(places))
        name = f"ecfit_{self.curve}{ending}"
        into, out = self._pipes()
        head = struct.pack(HEADER, self.program.symbols[name], len(record) // 4, 1, pointers)
        into.write(head + struct.pack(f"<{ARGUMENTS}I", *offsets) + record)
        into.flush()
        got = out.read(len(record))
        assert len(got) == len(record), f"{name}: the program ended: {self.process.poll()}"
        found, kept = [], got[:-4]
        for place, size in zip(places, outs, strict=False):
            found.append(got[place : place + size])
            kept = kept[:place] + FILL * size + kept[place + size :]
        assert kept == record[:-4], f"{name} wrote beside its outputs"
        status = int.from_bytes(got[-4:], "little")
        assert status == 0 or not any(b"".join(found)), f"{name}: status {status} with an output"
        return status, found

    def call(self, verb: str, size: int, *arguments: bytes | int | None) -> tuple[int, bytes]:
        """Status and output of a function whose first argument is its output."""
        status, (out,) = self._call(f"_{verb}", [size], *arguments)
        return status, out

    def from_der(self, der: bytes) -> tuple[int, bytes]:
        """Status and r || s."""
        return self.call("signature_from_der", 2 * self.order, der, len(der))

    def to_der(self, signature: bytes) -> tuple[int, bytes]:
        """Status and DER."""
        status, (der, size) = self._call("_signature_to_der", [2 * self.order + 9, 4], signature)
        return status, der[: int.from_bytes(size, "little")]

    def exchange(self, private_key: bytes, public_key: bytes) -> tuple[Status, bytes]:
        """(status, shared secret) of X25519 or X448."""
        status, (shared,) = self._call("", [self.order], private_key, public_key)
        return Status(status), shared

    def verify(self, signature: bytes, public_key: bytes, data: bytes) -> Status:
        """Status of a verification: of a hash by ECDSA, of a message by EdDSA."""
        ending = "_ecdsa_verify" if CURVES[self.curve].form == "weierstrass" else "_verify"
        return Status(self._call(ending, [], signature, public_key, data, len(data))[0])

    def sign(self, private_key: bytes, message: bytes) -> tuple[Status, bytes]:
        """(status, signature) by EdDSA."""
        status, (signature,) = self._call(
            "_sign", [2 * self.order], private_key, message, len(message)
        )
        return Status(status), signature
