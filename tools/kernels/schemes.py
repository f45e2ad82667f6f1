"""Schemes of mupq/pqm4: keys and encapsulation, each the mean over some seeds; verification, which
takes the same time within 0.1 %, of one signature.

Most of their cycles are in assembly of the checkout. The C beside it is compiled as the checkout
has it; pqm4/ stands in for what the repository takes from a submodule.
"""

from __future__ import annotations

import csv
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ecfit.build.elf import Elf
from ecfit.choices.targets import Target
from ecfit.sim.machine import Machine, Region, load_model

HERE = Path(__file__).parent
OPERATIONS = {  # what the benchmark calls, in its order
    "crypto_kem": ("crypto_kem_keypair", "crypto_kem_enc", "crypto_kem_dec"),
    "crypto_sign": ("crypto_sign_keypair", "crypto_sign_ctx", "crypto_sign_open_ctx"),
}
NAMES = {
    "crypto_kem": ("keygen", "encaps", "decaps"),
    "crypto_sign": ("keygen", "sign", "verify"),
}
MESSAGE = bytes(range(59))  # as long as the benchmark's
CODE, BACK, PART = 0x200, 0x100, 0x2000  # in flash: code, a breakpoint; bytes of an operand
SCRIPT = """\
SECTIONS {{
  .text {:#x} : {{ *(.text*) *(.rodata*) }}
  .data {:#x} : {{ *(.data*) *(.bss*) }}
}}
"""
LIMIT = 2_000_000_000


class Image(msgspec.Struct, frozen=True):
    """A scheme as it runs, and the entry addresses of its functions in assembly."""

    family: str
    elf: Elf
    assembly: frozenset[int]


class Cycles(msgspec.Struct, frozen=True):
    """Of an operation: the mean over the seeds, the standard error of the mean, and the part of
    the first run that is spent in assembly.
    """

    mean: float
    error: float
    assembly: float


def published(checkout: Path) -> dict[str, int]:
    """The means of its benchmarks.csv: SCHEME IMPLEMENTATION, OPERATION. Those before the heading
    of signatures are of key encapsulation.
    """
    found, family = {}, "crypto_kem"
    with (checkout / "benchmarks.csv").open(encoding="utf-8") as file:
        for row in csv.reader(file):
            if row[0].startswith("Memory"):
                break
            if row[0].startswith("Signature"):
                family = "crypto_sign"
            if "executions" in row[0]:
                for name, cell in zip(NAMES[family], row[2:9:3], strict=True):
                    found[f"{row[0].split()[0]} {row[1]}, {name}"] = int(cell)
    return found


def _run(command: Sequence[str | Path], folder: Path) -> str:
    return subprocess.run(
        list(map(str, command)), cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def build(
    checkout: Path, scheme: str, flags: Sequence[str], starts: tuple[int, int], scratch: Path
) -> Image:
    """The scheme SCHEME IMPLEMENTATION of the checkout; `starts`: of flash and static data."""
    family = next(f for f in OPERATIONS if (checkout / f / scheme.replace(" ", "/")).is_dir())
    folder, stand_in = checkout / family / scheme.replace(" ", "/"), HERE / "pqm4"
    sources = sorted(p for p in folder.iterdir() if p.suffix in (".c", ".S", ".s"))
    sources += [checkout / "common" / "keccakf1600.S", stand_in / "sponge.c"]
    compiler, objects, names = ["arm-none-eabi-gcc", *flags], [], set()
    for number, source in enumerate(sources):
        out = scratch / f"{number}.o"
        _run([*compiler, f"-I{stand_in}", f"-I{folder}", "-c", source, "-o", out], scratch)
        objects.append(out)
        if source.suffix != ".c":
            names |= {
                line.split()[-1] for line in _run(["arm-none-eabi-nm", out], scratch).splitlines()
            }
    script = scratch / "scheme.ld"
    script.write_text(SCRIPT.format(starts[0] + CODE, starts[1]), encoding="utf-8")
    link = ["-nostartfiles", "--specs=nosys.specs", f"-T{script}"]
    link += ["-Wl,--gc-sections,--build-id=none,--no-warn-rwx-segments,--entry=0"]
    link += [f"-Wl,-u,{name}" for name in OPERATIONS[family]]
    _run([*compiler, *link, *objects, "-o", "scheme.elf"], scratch)
    elf = Elf((scratch / "scheme.elf").read_bytes(), "EM_ARM")
    functions = frozenset(one.address for one in elf.functions if one.name in names)
    return Image(family, elf, functions)


def measure(image: Image, target: Target, stack: str, seeds: int, latencies: bool) -> list[Cycles]:
    """All operations in their order; each run is checked by its result."""
    bank = next(m for m in target.memory if m.name == stack)
    areas = [Region(m.name, m.start, m.size, m.kind, m.latency * latencies) for m in target.memory]
    back = target.region("flash").start + BACK
    cycles: list[list[int]] = [[], [], []]
    shares: list[float] = []
    with Machine(load_model(target.model or ""), areas) as machine:
        for segment in image.elf.segments:
            machine.load(segment.address, segment.data)
        machine.load(back, bytes.fromhex("00be"))
        machine.functions([one.address for one in image.elf.functions])
        top = bank.start + bank.size
        public, secret, sent, shared, again, size = (top - PART * n for n in range(1, 7))

        def call(number: int, *arguments: int) -> int:
            name = OPERATIONS[image.family][number]
            result = machine.call(
                image.elf.symbols[name], arguments, sp=size - 64, return_to=back, limit=LIMIT,
                profile=not cycles[number],
            )  # fmt: skip
            if result.stop != "bkpt" or result.stack_low < bank.start:
                sys.exit(f"{name}: {result.fault or 'its stack leaves the bank'}")
            if not cycles[number]:
                own = sum(count for at, count in result.profile if at[-1] in image.assembly)
                shares.append(own / sum(count for _, count in result.profile))
            cycles[number].append(result.cycles)
            return result.result

        for seed in range(1, seeds + 1):
            machine.write(image.elf.symbols["bench_seed"], seed.to_bytes(4, "little"))
            call(0, public, secret)
            if image.family == "crypto_kem":
                call(1, sent, shared, public)
                call(2, again, sent, secret)
                right = machine.read(shared, 32) == machine.read(again, 32)
            elif seed > 1:
                continue
            else:
                machine.write(shared, MESSAGE)
                call(1, sent, size, shared, len(MESSAGE), 0, 0, secret)
                length = int.from_bytes(machine.read(size, 4), "little")
                failed = call(2, again, size, sent, length, 0, 0, public)
                right = not failed and machine.read(again, len(MESSAGE)) == MESSAGE
            if not right:
                sys.exit(f"{image.family}: a wrong result with seed {seed}")
    return [
        Cycles(
            statistics.mean(some),
            statistics.stdev(some) / len(some) ** 0.5 if len(some) > 1 else 0.0,
            share,
        )
        for some, share in zip(cycles, shares, strict=True)
    ]
