#!/usr/bin/env python3
"""Damaged ELF files: each must be read, or refused in one line, within a second;
what is read must load and run.

tools/fuzz/fuzz_elf.py [SECONDS] [SEED]    fuzzes for that time (default 60); prints one line and
                                           exits 0, or prints the first file that ends otherwise,
                                           keeps it, and exits 1
"""

from __future__ import annotations

import random
import signal
import struct
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path
from types import FrameType

from ecfit.build import build, foreign
from ecfit.build.parts import NULL, null_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.targets import find_target
from ecfit.errors import EcfitError
from ecfit.model import Configuration, Image
from ecfit.run import call as foreign_call
from ecfit.run import runner
from ecfit.run.call import Argument
from ecfit.run.job import Job

TARGET, CURVE, OP = "samd20", "secp256r1", "ecdh"
WORDS = (
    0,
    1,
    2,
    4,
    15,
    16,
    17,
    0x7F,
    0x80,
    0xFF,
    0x1000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFF0,
    0xFFFFFFFF,
)
SLOW = 2.0  # seconds of processor time
HANG = 20  # seconds until a file is given up


class OddEndError(Exception):
    """A file that ended neither in an image nor in one line; `data` is that file."""

    data = b""


class HangError(BaseException):
    """So that no handler of exceptions takes it for one of a parser."""


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise HangError


@cache
def request(lines: bool) -> Request:
    """The empty library's image, with all that an image has; with source lines
    when they are asked for.
    """
    target = find_target(TARGET)
    null = Configuration(NULL, None, ())
    toolchain = find_toolchain("gcc", target.arch, target.core, "Os")
    return Request(target, null, CURVE, (OP,), toolchain, null_parts(), lines=lines)


@cache
def seed_file(lines: bool) -> tuple[bytes, str]:
    """A good image: ELF file and linker map."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build._build_bare(request(lines), folder)
        return (folder / "image.elf").read_bytes(), (folder / "image.map").read_text()


def tables(data: bytes) -> list[tuple[int, int]]:
    """(offset, size) of the file header, and of each entry of the program and section tables."""
    at_programs, at_sections = struct.unpack_from("<2I", data, 28)
    program_size, programs, section_size, sections = struct.unpack_from("<4H", data, 42)
    found = [(0, 52)]
    found += [(at_programs + i * program_size, program_size) for i in range(programs)]
    return found + [(at_sections + i * section_size, section_size) for i in range(sections)]


def damage(rng: random.Random, good: bytes) -> bytes:
    """One to four injuries: fields of the tables, bytes, pieces moved,
    the end cut off, no sections.
    """
    data = bytearray(good)
    places = tables(good)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        kind = rng.randrange(8)
        if kind < 4:  # a field of a table, whole
            offset, size = rng.choice(places)
            width = rng.choice((1, 2, 4, 4, 4))
            value = rng.choice(WORDS) if rng.random() < 0.7 else rng.getrandbits(32)
            at = offset + rng.randrange(0, size - width + 1, width)
            data[at : at + width] = (value % 2 ** (8 * width)).to_bytes(width, "little")
        elif kind == 4:
            for _ in range(rng.randrange(1, 20)):
                data[rng.randrange(len(data))] = rng.getrandbits(8)
        elif kind == 5:
            data = data[: rng.randrange(len(data))] + bytes(rng.choice((0, 0, 52, 4096)))
            if len(data) < 52:
                break
            places = [(0, 52)]
        elif kind == 6:
            size = rng.randrange(1, min(400, len(data)))
            to, source = (rng.randrange(len(data) - size + 1) for _ in range(2))
            data[to : to + size] = data[source : source + size]
        else:
            struct.pack_into("<3H", data, 46, 0, 0, 0)  # e_shentsize, e_shnum, e_shstrndx
            data[32:36] = bytes(4)
    return bytes(data)


def run(image: Image, limit: int) -> str:
    """One operation of an image that could be read: how that ended."""
    target = find_target(TARGET)
    job = Job(target, target.mode("zero-ws"), CURVES[CURVE], OP, seed=1, runs=1, limit=limit)
    return runner.run(image, job).status


def call(data: bytes) -> None:
    """The same operation, called as one of a foreign image."""
    target = find_target(TARGET)
    buffers = tuple(Argument("buffer:512", "buffer", data=bytes(512)) for _ in range(2))
    asked = foreign_call.Call(f"bench_{OP}", buffers, limit=10_000)
    foreign_call.call(foreign.read_elf(data, "it", target), target, None, asked)


def end_of(data: bytes, map_text: str, lines: bool) -> str:
    """How one file ends: "refused: .." or the status of a run. Errors: OddEndError."""
    start = time.process_time()
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(HANG)
    ended = "refused"
    try:
        for read in (
            lambda: run(build.read_image(request(lines), data, map_text), 10_000),
            lambda: call(data),
        ):
            try:
                ended = read() or ended
            except EcfitError as error:
                if "\n" in str(error) or not 10 < len(str(error)) < 300:
                    raise OddEndError(f"not one line: {error}") from error
    except OddEndError:
        raise
    except Exception as error:
        raise OddEndError(f"{type(error).__name__}: {error}") from error
    except HangError as error:
        raise OddEndError(f"not done after {HANG} s") from error
    finally:
        signal.alarm(0)
    if time.process_time() - start > SLOW:
        raise OddEndError(f"took {time.process_time() - start:.1f} s")
    return ended


def fuzz(seed: int, files: int = 0, seconds: float = 0) -> Counter[str]:
    """That many files, or for that time. Errors: OddEndError, with the file."""
    rng, ends, until = random.Random(seed), Counter[str](), time.monotonic() + seconds
    while sum(ends.values()) < files or time.monotonic() < until:
        lines = rng.random() < 0.3
        good, map_text = seed_file(lines)
        data = damage(rng, good)
        try:
            ends[end_of(data, map_text, lines)] += 1
        except OddEndError as odd:
            odd.data = data
            raise
    return ends


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    try:
        ends = fuzz(seed, seconds=seconds)
    except OddEndError as odd:
        kept = Path(tempfile.gettempdir()) / f"ecfit-fuzz-{seed}.elf"
        kept.write_bytes(odd.data)
        print(f"fuzz_elf: seed {seed}: {odd}: {kept}")
        return 1
    told = ", ".join(f"{count} {end}" for end, count in ends.most_common())
    print(
        f"fuzz_elf: {sum(ends.values())} damaged ELF files in {seconds:.0f} s (seed {seed}): {told}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
