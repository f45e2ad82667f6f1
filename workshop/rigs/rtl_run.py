"""The simulator beside a core in RTL: kernels, random programs and operations of the library,
each from the same registers and memory. Memory at the end and cycles must be equal.

    rtl_run.py [--programs N] [--seed N] [--all] [--keep] [--peer-dir NAME=FOLDER] [NAME ..]

NAME: of rtl_build.py. `--all`: each configuration runs all operations, not its share. `--keep`
writes what was equal to results/rtl.json. `--peer-dir`: a core that no package carries, and the
folder of its code (a checkout of the commit that rtl_build.py names); it alone runs, with all
operations, and `--keep` keeps the rows of the others.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import Target, find_target
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.paths import ROOT, write_atomic
from ecfit.run import job as jobs
from ecfit.run import runner
from ecfit.sim.machine import CycleModel, Machine, Region, load_model
from workshop.cores.rv32_build import assemble
from workshop.cores.rv32_kernels import EXTENDED, HAZARD3, KERNELS, SP
from workshop.cores.rv32_random import MIDDLE, NOP, Program, random_state, s_type
from workshop.rigs.rtl_build import CONFIGURATIONS, OUTSIDE, Configuration, program
from workshop.sim.build import MEMORY, TEXT

KEPT = ROOT / "results" / "rtl.json"
LENGTH = 200  # halfwords of a random program
BASIS, PRIME = 1469598103934665603, 1099511628211  # FNV-1a, by words
NO_STOP, LIMIT = 0xFFFFFFFE, 1_000_000
# What cannot be held to RTL: a core that waits for an interrupt sleeps on.
SLEEPS = ("wait",)
SMALL = 0x4_0000  # as much of each memory as the test benches have
# Ten operations: curve, operation, preset.
OPERATIONS = (
    ("x25519", "ecdh", "balanced"),
    ("x25519", "keygen", "fast"),
    ("secp256r1", "verify", "fast"),
    ("secp256r1", "sign", "fast"),
    ("secp256r1", "keygen", "balanced"),
    ("secp256r1", "ecdh", "fast"),
    ("ed25519", "sign", "fast"),
    ("ed25519", "verify", "balanced"),
    ("secp256k1", "sign", "balanced"),
    ("secp224r1", "verify", "fast"),
)


class Job(NamedTuple):
    """What the RTL starts from, and what the simulator found."""

    name: str
    words: bytes
    cycles: int
    instructions: int
    digest: str


class Difference(NamedTuple):
    """A job that came out otherwise."""

    name: str
    ours: tuple[int, str]
    rtl: tuple[int, str]


def digest(machine: Machine, areas: Iterable[Region]) -> str:
    """Of the memory, as sim/rtl/main.cc makes it."""
    value = BASIS
    for area in areas:
        for word in struct.unpack(f"<{area.size // 4}I", machine.read(area.start, area.size)):
            value = (value ^ word) * PRIME & (1 << 64) - 1
    return f"{value:016x}"


def run(name: str, machine: Machine, areas: list[Region], entry: int, limit: int) -> Job:
    """Runs a machine that is ready, to its EBREAK."""
    registers = [machine.register(index) for index in range(1, 32)]
    memory = b"".join(
        struct.pack("<2I", area.start, area.size // 4) + machine.read(area.start, area.size)
        for area in areas
    )
    result = machine.run(entry, limit=10**9)
    assert result.stop == "bkpt", f"{name}: {result.stop} {result.fault}"
    head = [entry, machine.register(32), limit, *registers, len(areas)]
    words = struct.pack(f"<{len(head)}I", *head) + memory
    return Job(name, words, result.cycles, result.instructions, digest(machine, areas))


def kernels(model: CycleModel) -> Iterator[Job]:
    """Those of the tests of the cycle models."""
    codes = {
        name: kernel.code
        for name, kernel in KERNELS.items()
        if name not in SLEEPS and (name in HAZARD3 or model.unaligned != "fault")
    }
    codes |= {name: kernel.code for name, kernel in EXTENDED.items() if model.bits}
    for name, code in codes.items():
        image = assemble(code)
        with Machine(model, MEMORY) as machine:
            image.load(machine)
            machine.call(TEXT, [1], sp=SP, return_to=image.symbols["back"], limit=0)
            areas = [Region("code", TEXT, 1024, "flash"), Region("data", SP - 256, 512, "ram")]
            yield run(f"kernel {name}", machine, areas, TEXT, LIMIT)


def programs(
    model: CycleModel, count: int, seed: int, without: frozenset[str] = frozenset()
) -> Iterator[Job]:
    """Random ones, as the tests of the instruction set have them."""
    rng = random.Random(seed)
    for index in range(count):
        code = Program(rng, without=without, bits=model.bits).generate(LENGTH)
        # The end is a NOP in RTL, which waits for a load before it where the EBREAK does not.
        tail = [half for r in range(1, 32) for half in s_type(2, 3, r, 4 * r)] if model.bits else []
        code[-len(Program.end) : -len(Program.end)] = [*tail, NOP]
        state = random_state(rng)
        raw = struct.pack(f"<{len(code)}H", *code)
        raw += bytes(-len(raw) % 4)
        areas = [
            Region("code", TEXT, len(raw), "flash"),
            Region("data", MIDDLE - 0x1800, 0x3000, "ram"),
        ]
        with Machine(model, MEMORY) as machine:
            machine.load(TEXT, raw)
            for number, value in enumerate(state.registers, 1):
                machine.set_register(number, value)
            yield run(f"program {index} of seed {seed}", machine, areas, TEXT, LIMIT)


def operation(target: Target, curve_name: str, op: str, preset: str) -> Job:
    """One of the library, from its call to its return."""
    mode, curve = target.mode("zero-ws"), CURVES[curve_name]
    plain = {"SIGN": "eddsa"} if (curve_name, op) == ("ed25519", "sign") else {}  # no key pair
    configuration = resolve(curve, preset, plain, target.backend)
    bench = Bench(Settings(toolchain="gcc"), {}, Store())
    row = Row(target, mode, "zero-ws", configuration, curve, op, (op,))
    image = bench.image(bench.request(row))
    job = jobs.Job(target, mode, curve, op, seed=1, runs=1, limit=0)
    areas = [Region(m.name, m.start, m.size, m.kind) for m in target.memory]
    with runner.loaded(image, job) as machine:
        try:
            runner.call(machine, image, job, job.case(0), "counts")
        except jobs.FailureError as stopped:  # by the limit: ready to begin
            assert stopped.status == "endless loop", stopped.detail
        name = f"{curve_name} {op} {preset}"
        return run(name, machine, areas, image.symbols[f"bench_{op}"], (1 << 32) - 1)


def compare(simulation: Path, jobs: list[Job]) -> list[Difference]:
    """Runs the jobs in RTL."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(job.words for job in jobs))
        file.flush()
        done = subprocess.run(
            [simulation, file.name], capture_output=True, text=True, timeout=1200, check=True
        )
    lines = [line.split() for line in done.stdout.splitlines() if line[:2] in ("0 ", "1 ")]
    assert len(lines) == len(jobs), done.stdout[-500:]
    return [
        Difference(job.name, (job.cycles, job.digest), (int(cycles), memory))
        for job, (ended, cycles, _, memory) in zip(jobs, lines, strict=True)
        if (ended, int(cycles), memory) != ("1", job.cycles, job.digest)
    ]


class Equal(msgspec.Struct, frozen=True):
    """What was equal, cycles and memory, of a configuration: results/rtl.json.

    `outcome`: of a core that no package carries, SHA-256 of the cycles and the memory that its RTL
    gave for the kernels and the programs, so that they can be compared without it.
    """

    name: str
    core: str
    repository: str
    commit: str
    package: str
    parameters: dict[str, int]
    options: dict[str, int]
    kernels: int
    programs: int
    instructions: int
    operations: tuple[str, ...]
    outcome: str = ""


def outcome(jobs: Iterable[Job]) -> str:
    """What was found for the jobs, as one number."""
    lines = "".join(f"{job.cycles} {job.digest}\n" for job in jobs)
    return hashlib.sha256(lines.encode()).hexdigest()


def target_of(one: Configuration) -> Target:
    """The target with the model of a configuration."""
    target = find_target(one.core.name)
    return msgspec.structs.replace(
        target,
        model_options={**target.model_options, **one.options},
        memory=tuple(
            msgspec.structs.replace(memory, size=min(memory.size, SMALL))
            for memory in target.memory
        ),
    )


def check(
    one: Configuration,
    count: int,
    seed: int,
    operations: Iterable[tuple[str, str, str]],
    given: Path | None = None,
) -> tuple[Equal, list[Difference]]:
    """All jobs of a configuration. `given`: as in rtl_build.program. Errors: EcfitError."""
    simulation, target = program(one, given), target_of(one)
    model = load_model(target.model or "", **target.model_options)
    jobs = list(kernels(model))
    number = len(jobs)
    jobs += programs(model, count, seed, one.core.fails_on)
    instructions = sum(job.instructions for job in jobs[number:])
    jobs += [operation(target, *which) for which in operations]
    equal = Equal(
        one.name,
        one.core.name,
        one.core.repository,
        one.core.commit,
        f"{one.core.package} {one.core.version}".strip(),
        dict(one.parameters),
        dict(target.model_options),
        number,
        count,
        instructions,
        tuple(job.name for job in jobs[number + count :]),
        outcome(jobs[: number + count]) if given else "",
    )
    return equal, compare(simulation, jobs)


def share(name: str) -> tuple[tuple[str, str, str], ...]:
    """The operations of a configuration where each has its part of them."""
    place = list(CONFIGURATIONS).index(name)
    return OPERATIONS[place :: len(CONFIGURATIONS)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=34)
    parser.add_argument("--all", action="store_true", help="all operations, not a share of them")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--peer-dir", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("name", nargs="*", choices=[*CONFIGURATIONS, []])
    asked = parser.parse_args()
    if asked.keep and asked.name:
        parser.error("--keep is for all configurations")
    folders = dict(one.split("=", 1) for one in asked.peer_dir if "=" in one)
    if len(folders) != len(asked.peer_dir) or set(folders) - set(OUTSIDE):
        parser.error(f"--peer-dir NAME=FOLDER: NAME is one of {', '.join(OUTSIDE)}")
    kept, code, begin = [], 0, time.monotonic()
    for name in folders or asked.name or CONFIGURATIONS:
        start = time.monotonic()
        one, given = (OUTSIDE | CONFIGURATIONS)[name], folders.get(name)
        which = OPERATIONS if asked.all or given else share(name)
        path = Path(given) if given else None
        equal, differences = check(one, asked.programs, asked.seed, which, path)
        for other in differences[:5]:
            print(f"{name}: {other.name}: modelled {other.ours}, RTL {other.rtl}")
        done = f"{equal.kernels} kernels, {equal.programs} programs, {len(which)} operations"
        result = f"{len(differences)} differ" if differences else "equal"
        print(f"{name}: {done}: {result}; {time.monotonic() - start:.0f} s", flush=True)
        code |= bool(differences)
        kept.append(equal)
    print(f"rtl: {time.monotonic() - begin:.0f} s")
    if asked.keep and not code:
        old = msgspec.json.decode(KEPT.read_bytes(), type=list[Equal])
        others = CONFIGURATIONS if folders else OUTSIDE
        rest = [one for one in old if one.name in others]
        kept = [*rest, *kept] if folders else [*kept, *rest]
        write_atomic(KEPT, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
