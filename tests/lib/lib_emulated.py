"""The assembly of a backend on a user-mode emulator: many operands in little time.

The emulator knows no cycles; `lib_assembly.py` asks for all that a banner says. What is asked here:
results, what is returned, and that nothing beside the outputs is written, neither the operands nor
the memory around them.
"""

from __future__ import annotations

import struct
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import IO, NamedTuple, Self

from lib_assembly import ALL_ONES, BACKENDS, FILL, GUARD, WORD, Argument, Case, Function
from lib_paths import C_TESTS, LIB

from ecfit.build import foreign, toolchain
from ecfit.build.elf import Elf
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES

EMULATORS = {
    "EM_ARM": ("qemu-arm", "-cpu", "max"),
    "EM_RISCV": ("qemu-riscv32", "-cpu", "rv32"),
}
THUMB = {"EM_ARM": 1, "EM_RISCV": 0}  # added to the address of a function
ARGUMENTS = 6  # of emulated.c
BUFFER = 1 << 18  # words of a batch there, at most
MOST = 1000  # calls of a batch
GUARDED = (
    FILL * GUARD
)  # before and behind each operand: they stand where `lib_assembly.py` has them
EDGES = (0, 1, ALL_ONES, ALL_ONES - 1, 1 << 31, (1 << 31) - 1, 1 << 16, (1 << 16) - 1)
CHUNK = 4  # words
LINK = """ENTRY(_start)
SECTIONS {
    . = 0x10000;
    .text : { *(.text*) *(.rodata*) }
    . = 0x20000000;
    .bss : { *(.bss.record) *(.data*) *(.sdata*) *(.bss*) *(.sbss*) *(COMMON) }
}
"""
SECONDS = 20  # for a batch: more is a loop


class Program(NamedTuple):
    """What the emulator runs: a file and where its functions are."""

    command: tuple[str, ...]
    symbols: dict[str, int]
    image: bytes


@cache
def program(backend: str, compiler: str = "gcc") -> Program:
    """All functions of a backend with emulated.c, as a program of Linux."""
    arch, core = BACKENDS[backend]
    machine = foreign.MACHINES[arch]
    tools = toolchain.find_toolchain(compiler, arch, core, "Os")
    config = knobs.resolve(CURVES["secp256r1"], "balanced", {"BACKEND": backend}, backend)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        header = knobs.header(config, ["secp256r1"])
        (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
        sources = (str(LIB / "src" / "ecfit_asm.S"), str(C_TESTS / "emulated.c"))
        (folder / "a.ld").write_text(LINK, encoding="utf-8")
        link = ("-nostdlib", "-static", "-T", "a.ld", "-Wl,--no-gc-sections,--build-id=none")
        link += ("-fno-tree-loop-distribute-patterns",)  # which would call memcpy
        toolchain.run(
            [
                *tools.compile,
                f"-I{folder}",
                f"-I{LIB / 'src'}",
                *sources,
                *link,
                "-lgcc",
                "-o",
                "a.elf",
            ],
            "the assembly of ecfit with lib/test/emulated.c",
            folder,
        )
        data = (folder / "a.elf").read_bytes()
    symbols = {k: v & ~1 | THUMB[machine] for k, v in Elf(data, machine).symbols.items()}
    return Program(EMULATORS[machine], symbols, data)


class Layout:
    """A record of a case: operands between guards, then values, then what is returned."""

    def __init__(self, case: Case, alias: tuple[int, int] | None) -> None:
        """`alias`: the first of them is where the second is."""
        self.template: list[bytes] = []
        self.part: list[int] = []  # of each argument in the template
        self.pointers, self.offset = 0, []
        at = 0
        for i, argument in enumerate(case.arguments):
            self.part.append(-1)
            self.offset.append(0)
            if argument.words:
                self.pointers |= 1 << i
                self.part[i] = len(self.template) + 1
                self.offset[i] = (at + GUARD) // 4
                self.template += [GUARDED, FILL * (4 * argument.words), GUARDED]
                at += 4 * argument.words + 2 * GUARD
        for i, argument in enumerate(case.arguments):
            if not argument.words:
                self.part[i], self.offset[i] = len(self.template), at // 4
                self.template.append(bytes(4))
                at += 4
        if alias:
            self.part[alias[0]] = self.part[alias[1]]
            self.offset[alias[0]] = self.offset[alias[1]]
        self.template.append(bytes(4))
        self.words = at // 4 + 1
        self.offset += [0] * (ARGUMENTS - len(self.offset))
        self.unknown = [  # bytes of a record that are no result
            (4 * (self.offset[i] + first), 4 * (self.offset[i] + argument.words))
            for i, argument in enumerate(case.arguments)
            for first in [0 if argument.kind == "lost" else argument.words - argument.scratch]
            if first < argument.words
        ]

    def header(self, function: int, count: int) -> bytes:
        """Of a batch."""
        return struct.pack("<10I", function, self.words, count, self.pointers, *self.offset)


class Draws:
    """Operands of a case at random: any, or words of them edges, or one of their own edges."""

    def __init__(self, case: Case, n: int, seed: str) -> None:
        self.random, self.case, self.n = Random(seed), case, n
        self.words = sum(argument.words or 1 for argument in case.arguments)

    def _stream(self, *, edge: bool) -> bytes:
        """What the operands of one call are cut from."""
        if not edge:
            return self.random.randbytes(4 * self.words)
        return b"".join(self.random.choices(self._pool(), k=-(-self.words // CHUNK)))

    def _pool(self) -> list[bytes]:
        """Groups of words, each an edge with a probability of 1/2; others now and then."""
        if not hasattr(self, "pool") or self.random.random() < 1 / MOST:
            draw = self.random
            self.pool = [
                b"".join(
                    (draw.choice(EDGES) if draw.random() < 1 / 2 else draw.getrandbits(WORD))
                    .to_bytes(4, "little")
                    for _ in range(CHUNK)
                )
                for _ in range(MOST)
            ]  # fmt: skip
        return self.pool

    def _near(self, argument: Argument) -> int:
        """One of an operand's own edges."""
        most = (1 << WORD * (argument.words or 1)) - 1 if argument.most is None else argument.most
        some = [v for v in self.case.special if argument.least <= v <= most]
        return self.random.choice([argument.least, argument.least + 1, most, most - 1, *some])

    def _elements(self, argument: Argument, value: int) -> int:
        """The value with one of its elements an edge."""
        bounds = argument.below if isinstance(argument.below, tuple) else (argument.below or 0,)
        size = -(-(max(bounds) - 1).bit_length() // WORD) * WORD
        i = self.random.randrange(WORD * argument.words // size)
        bound = bounds[i % len(bounds)]
        near = self.random.choice((0, 1, 2, bound - 1, bound - 2, bound // 2, bound // 2 + 1))
        mask = (1 << size) - 1 << size * i
        return value & ~mask | near << size * i

    def values(self, *, edge: bool) -> list[int]:
        """Operands for one call."""
        stream, at, found = self._stream(edge=edge), 0, []
        special = self.random.getrandbits(WORD) if edge else ALL_ONES  # 4 bits of each argument
        for argument in self.case.arguments:
            size = 4 * (argument.words or 1)
            value = int.from_bytes(stream[at : at + size], "little")
            at += size
            if argument.kind == "length":
                value = self.n
            elif argument.kind == "mask":
                value = ALL_ONES if value & 2 else 0
            elif argument.most is not None:
                if not argument.least <= value <= argument.most:
                    value = argument.least + value % (argument.most - argument.least + 1)
                if special & 15 == 0 and argument.most > argument.least:
                    value = self._near(argument)
            elif argument.below is not None:
                value = argument.fit(value)
                if special & 15 < 4:
                    value = self._elements(argument, value)
            elif special & 15 == 0:
                value = self._near(argument)
            special >>= 4
            found.append(value)
        return found


class Emulated:
    """A process of the emulator."""

    def __init__(self, backend: str) -> None:
        self.program = program(backend)
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name, "a.elf")
        path.write_bytes(self.program.image)
        path.chmod(0o700)
        self.process = subprocess.Popen(
            [*self.program.command, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

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

    def check(self, function: Function, case: Case, n: int, draws: Draws, count: int) -> None:
        """So many calls: half of them at random, half of edges; operands in one place now and
        then, where they may be.
        """
        while count > 0:
            alias = draws.random.choice((None, None, *case.aliases))
            layout = Layout(case, alias)
            batch = min(count, MOST, BUFFER // layout.words)
            self._batch(function, case, layout, [
                draws.values(edge=index % 2 == 0) for index in range(batch)
            ], alias)  # fmt: skip
            count -= batch

    def _batch(
        self,
        function: Function,
        case: Case,
        layout: Layout,
        drawn: list[list[int]],
        alias: tuple[int, int] | None,
    ) -> None:
        into, out = self._pipes()
        records = []
        for values in drawn:
            if alias:
                values[alias[0]] = values[alias[1]]
            records.append(parts := layout.template.copy())
            for i, argument in enumerate(case.arguments):
                if argument.kind != "out":
                    size = 4 * (argument.words or 1)
                    parts[layout.part[i]] = values[i].to_bytes(size, "little")
        into.write(layout.header(self.program.symbols[function.name], len(drawn)))
        into.write(b"".join(map(b"".join, records)))
        into.flush()
        outputs = [i for i, argument in enumerate(case.arguments) if "out" in argument.kind]
        wanted = [case.reference(*values) for values in drawn]  # while the other one computes
        size = 4 * layout.words
        got = out.read(size * len(drawn))
        assert len(got) == size * len(drawn), f"{function.name}: {self.process.poll()}"
        for index, (written, returned) in enumerate(wanted):
            parts, one = records[index], got[size * index : size * index + size]
            for i, value in zip(outputs, written, strict=True):
                parts[layout.part[i]] = value.to_bytes(4 * case.arguments[i].words, "little")
            parts[-1] = one[-4:] if returned is None else returned.to_bytes(4, "little")
            expected = b"".join(parts)
            for start, end in layout.unknown:
                expected = expected[:start] + one[start:end] + expected[end:]
            if expected != one:
                seen = [hex(value) for value in drawn[index]]
                raise AssertionError(
                    f"{function.name}: {seen}, alias {alias}: {one.hex()}, not {expected.hex()}"
                )


def share(count: int, parts: int) -> Iterator[int]:
    """A number of calls for each of so many cases."""
    for i in range(parts):
        yield count // parts + (i < count % parts)
