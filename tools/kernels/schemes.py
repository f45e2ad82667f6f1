"""Schemes of mupq/pqm4: keys and encapsulation, each the mean over some seeds; verification, which
takes the same time within 0.1 %, of one signature.

Most of their cycles are in assembly of the checkout. The C beside it is compiled as the checkout
has it; pqm4/ stands in for what the repository takes from a submodule.

    schemes.py CHECKOUT [SCHEME/IMPLEMENTATION ..] [--runs 10]

prints what `convert_benchmarks.py csv` of the checkout does, of the modelled NUCLEO-L4R5ZI: of its
ML-KEM and ML-DSA in assembly, or of those that are named (docs/post-quantum.md).
"""

from __future__ import annotations

import argparse
import csv
import io
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from ecfit.build.elf import Elf
from ecfit.choices.targets import Target, find_target
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
    """A scheme as it runs, the entry addresses of its functions in assembly and of those that hash,
    and the bytes of its own .text, .data and .bss.
    """

    family: str
    elf: Elf
    assembly: frozenset[int]
    hashing: frozenset[int]
    sizes: tuple[int, int, int]


class Cycles(msgspec.Struct, frozen=True):
    """Of an operation: the mean over the seeds, the standard error of the mean, the least and the
    most; the parts of the first run that are spent in assembly and in hashing; bytes of stack.
    """

    mean: float
    error: float
    least: int
    most: int
    assembly: float
    hashing: float
    stack: int


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
    compiler, objects = ["arm-none-eabi-gcc", *flags], []
    names: set[str] = set()
    hashing: set[str] = set()
    for number, source in enumerate(sources):
        out = scratch / f"{number}.o"
        _run([*compiler, f"-I{stand_in}", f"-I{folder}", "-c", source, "-o", out], scratch)
        objects.append(out)
        listed = _run(["arm-none-eabi-nm", out], scratch).splitlines()
        if source.suffix != ".c":
            names |= {line.split()[-1] for line in listed}
        if source.parent != folder:
            defined = (line.split() for line in listed)
            hashing |= {words[-1] for words in defined if words[-2] in "Tt"} - {"randombytes"}
    own = [out for out, source in zip(objects, sources, strict=True) if source.parent == folder]
    total = _run(["arm-none-eabi-size", "-t", *own], scratch).splitlines()[-1].split()
    script = scratch / "scheme.ld"
    script.write_text(SCRIPT.format(starts[0] + CODE, starts[1]), encoding="utf-8")
    link = ["-nostartfiles", "--specs=nosys.specs", f"-T{script}"]
    link += ["-Wl,--gc-sections,--build-id=none,--no-warn-rwx-segments,--entry=0"]
    link += [f"-Wl,-u,{name}" for name in OPERATIONS[family]]
    _run([*compiler, *link, *objects, "-o", "scheme.elf"], scratch)
    elf = Elf((scratch / "scheme.elf").read_bytes(), "EM_ARM")
    functions = frozenset(one.address for one in elf.functions if one.name in names)
    hashes = frozenset(one.address for one in elf.functions if one.name in hashing)
    return Image(family, elf, functions, hashes, (int(total[0]), int(total[1]), int(total[2])))


def measure(
    image: Image, target: Target, stack: str, seeds: int, latencies: bool, *, signatures: int = 1
) -> list[Cycles]:
    """All operations in their order; each run is checked by its result. `signatures`: how many of
    the seeds sign and verify.
    """
    bank = next(m for m in target.memory if m.name == stack)
    areas = [Region(m.name, m.start, m.size, m.kind, m.latency * latencies) for m in target.memory]
    back = target.region("flash").start + BACK
    cycles: list[list[int]] = [[], [], []]
    shares: list[tuple[float, float]] = []
    depths = [0, 0, 0]
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
                every = sum(count for _, count in result.profile)
                own = sum(count for at, count in result.profile if at[-1] in image.assembly)
                hashed = sum(n for at, n in result.profile if not image.hashing.isdisjoint(at))
                shares.append((own / every, hashed / every))
            depths[number] = max(depths[number], size - 64 - result.stack_low)
            cycles[number].append(result.cycles)
            return result.result

        for seed in range(1, seeds + 1):
            machine.write(image.elf.symbols["bench_seed"], seed.to_bytes(4, "little"))
            call(0, public, secret)
            if image.family == "crypto_kem":
                call(1, sent, shared, public)
                call(2, again, sent, secret)
                right = machine.read(shared, 32) == machine.read(again, 32)
            elif seed > signatures:
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
            min(some),
            max(some),
            *share,
            depth,
        )
        for some, share, depth in zip(cycles, shares, depths, strict=True)
    ]


# ---- the sheet of pqm4 ---------------------------------------------------------------------------

TITLES = {"crypto_kem": "Key Encapsulation Schemes", "crypto_sign": "Signature Schemes"}
HEADS = {
    "crypto_kem": ("Key Generation", "Encapsulation", "Decapsulation"),
    "crypto_sign": ("Key Generation", "Sign", "Verify"),
}
COLUMNS = 11
Measured = tuple[str, Image, Sequence[Cycles]]


def sheet(measured: Sequence[Measured], runs: int) -> str:
    """Rows SCHEME/IMPLEMENTATION as benchmarks.csv has them: its four parts, its headings."""
    lines: list[list[object]] = []

    def part(
        title: str, heads: Callable[[str], list[str]], cells: Callable[..., list[object]]
    ) -> None:
        lines.append([title])
        for family, name in TITLES.items():
            rows = [row for row in measured if row[1].family == family]
            lines.extend([[name], ["Scheme", "Implementation", *heads(family)]] if rows else [])
            for called, image, counts in rows:
                scheme, implementation = called.split("/")
                times = f" ({runs} executions)" * title.startswith("Speed")
                lines.append([scheme + times, implementation, *cells(image, counts)])

    part(
        "Speed Evaluation",
        lambda family: [f"{op} [cycles] ({kind})" for op in HEADS[family]
                        for kind in ("mean", "min", "max")],
        lambda _, counts: [n for c in counts for n in (round(c.mean), c.least, c.most)],
    )  # fmt: skip
    part(
        "Memory Evaluation",
        lambda family: [f"{op} [bytes]" for op in HEADS[family]],
        lambda _, counts: [c.stack for c in counts],
    )
    part(
        "Hashing Evaluation",
        lambda family: [f"{op} [%]" for op in HEADS[family]],
        lambda _, counts: [f"{100 * c.hashing:.1f}" for c in counts],
    )
    part(
        "Size Evaluation",
        lambda _: [f"{name} [bytes]" for name in (".text", ".data", ".bss", "Total")],
        lambda image, _: [*image.sizes, sum(image.sizes)],
    )
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [*line, *[""] * (COLUMNS - len(line))] for line in lines
    )
    return out.getvalue()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="pqm4's benchmarks on the modelled L4R5, as CSV.")
    parser.add_argument("checkout", type=Path, help="of mupq/pqm4")
    parser.add_argument("schemes", nargs="*", metavar="SCHEME/IMPLEMENTATION")
    parser.add_argument("--runs", type=int, default=10, help="of each operation")
    asked = parser.parse_args()
    there = {
        f"{path.parent.name}/{path.name}"
        for family in OPERATIONS
        for path in (asked.checkout / family).glob("ml-*/*")
    }
    if not there or not (asked.checkout / "common" / "keccakf1600.S").is_file():
        sys.exit(f"schemes.py: {asked.checkout} is no checkout of mupq/pqm4 with ML-KEM or ML-DSA")
    if missing := sorted(set(asked.schemes) - there):
        sys.exit(f"schemes.py: there is no {missing[0]}: {', '.join(sorted(there))}")
    series = tomllib.loads((HERE / "pqm4.toml").read_text(encoding="utf-8"))["series"]
    setting = next(one for one in series if one["name"] == "pqm4")
    target = find_target(setting["target"])
    memory = {bank.name: bank.start for bank in target.memory}
    cpu = (f"-mcpu={target.core}", "-mthumb", "-mfloat-abi=hard", f"-mfpu={target.fpu}")
    measured: list[Measured] = []
    for called in asked.schemes or sorted(name for name in there if "/m4f" in name):
        with tempfile.TemporaryDirectory() as scratch:
            image = build(
                asked.checkout.resolve(), called.replace("/", " "), (*cpu, *setting["flags"]),
                (memory["flash"], memory[setting["data"]]), Path(scratch),
            )  # fmt: skip
        sys.stderr.write(f"schemes.py: {called}\n")
        counts = measure(image, target, setting["stack"], asked.runs, True, signatures=asked.runs)
        measured.append((called, image, counts))
    sys.stdout.write(sheet(measured, asked.runs))


if __name__ == "__main__":
    main()
