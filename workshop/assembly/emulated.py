"""The assembly of a backend on a user-mode emulator: many operands in little time.

The emulator knows no cycles; `workshop/assembly/routines.py` asks for all that a banner
says. What is asked here: results, what is returned, that registers are kept, and that nothing
beside the outputs is written, neither the operands nor the memory around them.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from random import Random
from typing import IO, NamedTuple, Self

from ecfit.build import foreign, toolchain
from ecfit.build.elf import Elf
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from workshop.assembly.edges import patterned
from workshop.assembly.routines import (
    ALL_ONES,
    BACKENDS,
    FILL,
    GUARD,
    WORD,
    Argument,
    Case,
    Function,
    whole,
)
from workshop.paths import C_TESTS, LIB

EMULATORS = {
    "EM_ARM": ("qemu-arm", "-cpu", "max"),
    "EM_RISCV": ("qemu-riscv32", "-cpu", "rv32"),
}
THUMB = {"EM_ARM": 1, "EM_RISCV": 0}  # added to the address of a function
ARGUMENTS, INNER = 6, 1 << 31  # of emulated.c
BUFFER = 1 << 18  # words of a batch there, at most
MOST = 1000  # calls of a batch
GUARDED = (
    FILL * GUARD
)  # before and behind each operand: they stand where `workshop/assembly/routines.py` has them
EDGES = (0, 1, ALL_ONES, ALL_ONES - 1, 1 << 31, (1 << 31) - 1, 1 << 16, (1 << 16) - 1)
CHUNK = 4  # words
LINK = """ENTRY(_start)
PHDRS { code PT_LOAD FLAGS(7); data PT_LOAD FLAGS(6); }
SECTIONS {
    . = 0x10000;
    .text : { *(.text*) *(.rodata*) } :code
    . = 0x20000000;
    .bss : { *(.bss.record) *(.data*) *(.sdata*) *(.bss*) *(.sbss*) *(COMMON) } :data
}
"""
EXITS = {3: "a register of the caller's is not kept"}  # of emulated.c
KINDS, EVERYWHERE, AIMED = 4, 2, 3  # of operands, by turns
SECONDS = 20  # for a batch: more is a loop


Aliases = tuple[tuple[int, int], ...]


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
    config = knobs.resolve(CURVES["secp256r1"], "balanced", whole(backend), backend)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        header = knobs.header(config, ["secp256r1"])
        (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
        sources = (str(LIB / "src" / "ecfit_asm.S"), str(C_TESTS / "emulated.c"))
        (folder / "a.ld").write_text(LINK, encoding="utf-8")
        link = ["-nostdlib", "-static", "-T", "a.ld", "-Wl,--no-gc-sections,--build-id=none"]
        link += ["-fno-tree-loop-distribute-patterns"]  # which would call memcpy
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

    def __init__(self, case: Case, alias: Aliases) -> None:
        """`alias`: pairs, the first of them is where the second is."""
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
        for one, other in alias:
            self.part[one], self.offset[one] = self.part[other], self.offset[other]
        self.template.append(bytes(4))
        self.words = at // 4 + 1
        self.offset += [0] * (ARGUMENTS - len(self.offset))
        self.unknown = [  # bytes of a record that are no result
            (4 * (self.offset[i] + first), 4 * (self.offset[i] + argument.words))
            for i, argument in enumerate(case.arguments)
            for first in [0 if argument.kind == "lost" else argument.words - argument.scratch]
            if first < argument.words
        ]

    def header(self, function: int, count: int, *, inner: bool) -> bytes:
        """Of a batch."""
        pointers = self.pointers | (INNER if inner else 0)
        return struct.pack("<10I", function, self.words, count, pointers, *self.offset)


class Draws:
    """Random operands of a case: uniform, with edge values in words, or at an edge of a range."""

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
        bounds, size = argument.elements()
        i = self.random.randrange(WORD * argument.words // size)
        bound = bounds[i % len(bounds)]
        near = self.random.choice((0, 1, 2, bound - 1, bound - 2, bound // 2, bound // 2 + 1))
        mask = (1 << size) - 1 << size * i
        return value & ~mask | near << size * i

    def values(self, kind: int) -> list[int]:
        """Operands for one call: by turns edges here and there, random ones, edges everywhere,
        and such as put a result at an edge.
        """
        if kind % KINDS == EVERYWHERE:
            return self._fitted(self._everywhere())
        values = self._drawn(edge=kind % 2 == 0)
        if kind % KINDS == AIMED:
            if self.case.aim is None:
                return self._fitted(self._everywhere())
            self.case.aim(self.random, values)
        return values

    def _everywhere(self) -> list[int]:
        """All words edges, of few kinds: all operands alike, or each by itself."""
        every = patterned(self.random, self.words) if self.random.random() < 1 / 2 else None
        found, at = [], 0
        for argument in self.case.arguments:
            words = argument.words or 1
            one = patterned(self.random, words) if every is None else every >> WORD * at
            found.append(one % (1 << WORD * words))
            at += words
        return found

    def _fitted(self, values: list[int]) -> list[int]:
        """The same within what each argument may be."""
        found = []
        for argument, value in zip(self.case.arguments, values, strict=True):
            if argument.kind == "length":
                found.append(self.n)
            elif argument.kind == "mask":
                found.append(ALL_ONES if value & 1 else 0)
            elif argument.most is not None:
                room = argument.most - argument.least + 1
                inside = argument.least <= value <= argument.most
                found.append(value if inside else argument.least + value % room)
            else:
                found.append(argument.fit(value))
        return found

    def _drawn(self, *, edge: bool) -> list[int]:
        """At random, or edges here and there."""
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
            [*self.program.command, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in self._pipes():
            with suppress(BrokenPipeError):
                pipe.close()
        self.folder.cleanup()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdin
        assert self.process.stdout
        return self.process.stdin, self.process.stdout

    def check(self, function: Function, case: Case, n: int, draws: Draws, count: int) -> None:
        """So many calls: half of them at random, half of edges; operands in one place now and
        then, where they may be, also both that are read.
        """
        for batch in batches(case, draws, count):
            got = self.answers(function, batch)
            ended = self.process.wait() if len(got) < len(batch.sent) else None
            assert ended is None, f"{function.name}: exit code {ended}: {EXITS.get(ended)}"
            for index in range(len(batch.drawn)):
                wrong = batch.wrong(index, got)
                assert not wrong, f"{function.name}: {wrong}"

    def answers(self, function: Function, batch: Batch, seconds: float | None = None) -> bytes:
        """The records of a batch as the function leaves them; fewer where it does not return."""
        into, out = self._pipes()
        address, count = self.program.symbols[function.name], len(batch.drawn)
        header = batch.layout.header(address, count, inner=function.inner)
        got, size = bytearray(), len(batch.sent)
        try:
            into.write(header + batch.sent)
            into.flush()
            _ = batch.wanted  # while the other one computes
            while len(got) < size:
                if seconds is not None and not select.select([out], [], [], seconds)[0]:
                    break
                more = os.read(out.fileno(), size - len(got))
                if not more:
                    break
                got += more
        except BrokenPipeError:
            pass
        return bytes(got)

    def change(self, address: int, code: bytes) -> None:
        """Writes other code there."""
        halves = struct.unpack(f"<{len(code) // 2}H", code)
        empty = [0] * (ARGUMENTS - len(halves))
        into, _ = self._pipes()
        into.write(struct.pack("<10I", address, 0, len(halves), 0, *halves, *empty))


class Batch:
    """Operands for some calls of a case, what is sent for them, and what is to come back."""

    def __init__(self, case: Case, drawn: list[list[int]], alias: Aliases) -> None:
        self.case, self.drawn, self.alias = case, drawn, alias
        self.layout = layout = Layout(case, alias)
        self.records = []
        for values in drawn:
            for one, other in alias:
                values[one] = values[other]
            self.records.append(parts := layout.template.copy())
            for i, argument in enumerate(case.arguments):
                if argument.kind != "out":
                    size = 4 * (argument.words or 1)
                    parts[layout.part[i]] = values[i].to_bytes(size, "little")
        self.sent = b"".join(map(b"".join, self.records))

    @cached_property
    def wanted(self) -> list[tuple[bytes, bytes | None]]:
        """Each record as it is to be, and what is returned where that is a result."""
        arguments = self.case.arguments
        outputs = [i for i, argument in enumerate(arguments) if "out" in argument.kind]
        found = []
        for values, record in zip(self.drawn, self.records, strict=True):
            written, returned = self.case.reference(*values)
            parts = record.copy()
            for i, value in zip(outputs, written, strict=True):
                parts[self.layout.part[i]] = value.to_bytes(4 * arguments[i].words, "little")
            last = None if returned is None else returned.to_bytes(4, "little")
            found.append((b"".join(parts[:-1]), last))
        return found

    def wrong(self, index: int, got: bytes) -> str:
        """What is wrong with an answer; empty where nothing is."""
        size = 4 * self.layout.words
        one = got[size * index : size * index + size]
        expected, returned = self.wanted[index]
        expected += one[-4:] if returned is None else returned
        if expected == one:
            return ""
        for start, end in self.layout.unknown:
            expected = expected[:start] + one[start:end] + expected[end:]
        if expected == one:
            return ""
        seen = [hex(value) for value in self.drawn[index]]
        return f"{seen}, alias {self.alias}: {one.hex()}, not {expected.hex()}"


@cache
def places_shared(case: Case) -> tuple[Aliases, ...]:
    """Operands in one place: an output and what it may be, two that are read, all of them."""
    found: list[Aliases] = [(pair,) for pair in case.aliases]
    read = [i for i, a in enumerate(case.arguments) if a.kind == "in" and a.words]
    pairs = [
        (i, k)
        for i, k in combinations(read, 2)
        if case.arguments[i] == case.arguments[k] and case.arguments[i].least == 0
    ]
    found += [(pair,) for pair in pairs]
    found += [((i, k), (0, k)) for i, k in pairs if {(0, i), (0, k)} <= set(case.aliases)]
    return tuple(found)


def batches(case: Case, draws: Draws, count: int, most: int = MOST) -> Iterator[Batch]:
    """So many calls."""
    while count > 0:
        alias = draws.random.choice(((), (), *places_shared(case)))
        some = min(count, most, BUFFER // Layout(case, alias).words)
        yield Batch(case, [draws.values(index) for index in range(some)], alias)
        count -= some


def share(count: int, parts: int) -> Iterator[int]:
    """A number of calls for each of so many cases."""
    for i in range(parts):
        yield count // parts + (i < count % parts)
