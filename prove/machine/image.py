"""The linked object code of a back end's assembly; capstone decodes its instructions."""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import capstone
from elftools.elf.elffile import ELFFile

from ecfit.build import toolchain
from ecfit.build.build import build_assembly
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from prove.algebra.values import Refused

CORES = {
    "armv6m": ("armv6m", "cortex-m0plus"),
    "armv7m": ("armv7m", "cortex-m3"),
    "armv7em": ("armv7m", "cortex-m4"),
    "rv32im": ("rv32", "ibex"),
}  # of each back end


class Instruction(NamedTuple):
    """One of them: `detail` is capstone's."""

    address: int
    size: int
    name: str
    text: str
    operands: Any
    detail: Any
    code: bytes


class Image:
    """The code of a back end, linked alone; `patch` changes it. `every`: with C functions, too."""

    def __init__(self, data: bytes, *, every: bool = False) -> None:
        elf = ELFFile(io.BytesIO(data))
        self.thumb = elf["e_machine"] == "EM_ARM"
        self.segments = [(s["p_vaddr"], bytearray(s.data())) for s in elf.iter_segments("PT_LOAD")]
        self.symbols: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        table: Any = elf.get_section_by_name(".symtab")
        for s in table.iter_symbols():
            if s.name.startswith("ecfit_") or (every and s["st_info"]["type"] == "STT_FUNC"):
                self.symbols[s.name] = s["st_value"] & (~1 if self.thumb else ~0)
                self.sizes[s.name] = s["st_size"]
        self.code = [
            (s["sh_addr"], s["sh_addr"] + s["sh_size"])
            for s in elf.iter_sections()
            if s["sh_flags"] & 4 and s["sh_size"]
        ]
        if self.thumb:
            self.decoder = capstone.Cs(
                capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS
            )
        else:
            self.decoder = capstone.Cs(
                capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC
            )
        self.decoder.detail = True
        self._decoded: dict[int, Instruction] = {}

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the image; fewer at its end."""
        for start, data in self.segments:
            if start <= address < start + len(data):
                return bytes(data[address - start : address - start + size])
        raise Refused(f"{address:#x} is not in the image")

    def constant(self, address: int, size: int) -> bytes:
        """Bytes that a load takes: literals."""
        found = self.read(address, size)
        if len(found) < size or address % size:
            raise Refused(f"{address:#x} is no constant of the image")
        return found

    def patch(self, address: int, code: bytes) -> None:
        """Change some bytes of it."""
        for start, data in self.segments:
            if start <= address < start + len(data):
                data[address - start : address - start + len(code)] = code
        self._decoded = {}

    def instruction(self, address: int) -> Instruction:
        """The instruction at an address."""
        if address not in self._decoded:
            if not any(start <= address < end for start, end in self.code):
                raise Refused(f"{address:#x} is no code")
            raw = self.read(address, 4)
            i = next(self.decoder.disasm(raw, address, 1), None)
            if i is None:
                raise Refused(f"{address:#x} is no instruction: {raw.hex()}")
            name = i.mnemonic.removesuffix(".w").removesuffix(".n").removeprefix("c.")
            self._decoded[address] = Instruction(
                address, i.size, name, i.op_str, i.operands, i, bytes(i.bytes)
            )
        return self._decoded[address]

    def body(self, name: str) -> bytes:
        """The bytes of a function, to its end."""
        return self.read(self.symbols[name], self.sizes[name])

    def instructions(self, name: str) -> Iterator[Instruction]:
        """Those of a function, one behind the other."""
        at, end = self.symbols[name], self.symbols[name] + self.sizes[name]
        while at < end:
            try:
                found = self.instruction(at)
            except Refused:  # a literal
                at += 2
                continue
            yield found
            at += found.size

    def digest(self) -> str:
        """Of all its bytes."""
        h = hashlib.sha256()
        for start, data in self.segments:
            h.update(start.to_bytes(4, "little") + data)
        return h.hexdigest()


@cache
def linked(backend: str, compiler: str = "gcc") -> bytes:
    """The ELF file. Errors: MissingToolError, BuildError."""
    arch, core = CORES[backend]
    tools = toolchain.find_toolchain(compiler, arch, core, "Os")
    sets = {"BACKEND": backend} | ({"FPU": "words"} if backend == "armv7em" else {})
    config = knobs.resolve(CURVES["secp256r1"], "balanced", sets, backend)
    with tempfile.TemporaryDirectory() as folder:
        return build_assembly(tools, knobs.header(config, ["secp256r1"]), Path(folder))


def image(backend: str, compiler: str = "gcc") -> Image:
    """A copy of one's own."""
    return Image(linked(backend, compiler))
