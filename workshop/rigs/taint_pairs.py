"""Random programs, each run with two sets of secrets: what taint calls public is public.

A program without a finding takes the same course and the same time whatever the secrets are; and a
register, a flag or a byte of memory that differs afterwards is labelled. Programs are made here, in
batches; taint_pairs.c runs and compares them.

    taint_pairs.py [N [SEED]]    N programs for each core; exit code 1 where one contradicts
"""

from __future__ import annotations

import ctypes as ct
import itertools
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ecfit.sim import abi
from ecfit.sim.machine import load_model
from ecfit.sim.model import CycleModel
from workshop.cores import rv32_random
from workshop.rigs.taint_armv7m import Assembly
from workshop.sim import random_programs as sim_random
from workshop.sim.build import FLASH, FLASH_SIZE, RAM, RAM_SIZE, TEXT, assemble, tool_environment
from workshop.sim.random_programs import MIDDLE

SECRETS = 96  # bytes from the middle of RAM on
LIMIT = 20_000  # instructions
BATCH = 500
MARKED = 1  # 0: secrets are not marked, for the test of this test
MODELS = ("cortex-m0", "cortex-m4", "ibex", "hazard3")  # one for each instruction set
OUTCOMES = ("compared", "not compared", "no machine", "time or trace differs", "register differs",
            "flags differ", "memory differs")  # fmt: skip
_FLAGS = ("adds r4, r0, r1", "cmp r0, r1", "uadd8 r4, r0, r1", "qadd r4, r0, r1")
SANITIZED = ("-fsanitize=address,undefined", "-shared-libasan")  # as sim/Makefile's, of clang
_SOURCE = Path(__file__).with_name("taint_pairs.c")


class _Core(ct.Structure):
    _fields_ = (
        ("isa", ct.c_char_p),
        ("costs", ct.POINTER(abi.Cost)),
        ("regions", ct.POINTER(abi.Region)),
        ("flash", ct.POINTER(abi.Flash)),
        ("variable", ct.POINTER(ct.c_uint32)),
        *((name, ct.c_uint32) for name in ("rows", "strict", "variable_count", "text", "secrets")),
        *((name, ct.c_uint32) for name in ("secrets_size", "marked", "code_bit", "first", "last")),
    )


class _Program(ct.Structure):
    _fields_ = (
        ("code", ct.c_char_p),
        ("seed", ct.c_uint64),
        ("given", ct.c_uint64),
        ("size", ct.c_uint32),
        ("limit", ct.c_uint32),
        ("value", ct.c_uint32 * 33),
    )


class _Result(ct.Structure):
    _fields_ = (("outcome", ct.c_uint32), ("where", ct.c_uint32))


class Contradiction(NamedTuple):
    """A program of which something differs that taint calls public."""

    number: int
    what: str
    where: int
    code: bytes

    def __str__(self) -> str:
        return f"program {self.number}: {self.what} (0x{self.where:x}): {self.code.hex(' ', 2)}"


class Kind(NamedTuple):
    """What is random for an instruction set: code of many programs,
    and the state that one starts in.
    """

    codes: Callable[[random.Random, int], list[bytes]]
    values: Callable[[random.Random], dict[int, int]]
    code_bit: int
    registers: range


def _halfwords(code: list[int]) -> bytes:
    return b"".join(half.to_bytes(2, "little") for half in code)


def _length(rng: random.Random, most: int) -> int:
    """Every second program is short: what one rule does to few secrets is not lost in others."""
    return rng.randrange(1, 5) if rng.random() < 0.5 else rng.randrange(4, most)


def _armv6m(rng: random.Random, count: int) -> list[bytes]:
    begin = [0x4646, 0xCE0F, 0x180C]  # mov r6, r8; ldm r6!, {r0-r3}; adds r4, r1, r0
    return [
        _halfwords(begin + sim_random.Program(rng).generate(_length(rng, 40))) for _ in range(count)
    ]


def _armv7m(rng: random.Random, count: int) -> list[bytes]:
    """All of them in one text: the assembler is what takes time."""
    programs = [
        f".balign 4\np{n}: ldm r8, {{r0-r3}}\n{rng.choice(_FLAGS)}\n"
        f"{Assembly(rng).program(_length(rng, 24))}\nbkpt #0"
        for n in range(count)
    ]
    text = "\n".join([".fpu fpv4-sp-d16", *programs, f"p{count}:"])
    image = assemble(text, cpu="cortex-m4")
    ((start, data),) = image.segments
    at = [image.symbols[f"p{n}"] - start for n in range(count + 1)]
    return [data[one:other] for one, other in itertools.pairwise(at)]


def _rv32(rng: random.Random, count: int, *, bits: bool = False) -> list[bytes]:
    without = frozenset({"unaligned"} if bits else ())  # of Hazard3
    begin = [
        half
        for number in (10, 11, 12, 13)
        for half in rv32_random.i_type(0x03, 2, number, 3, 4 * (number - 10))
    ]
    return [
        _halfwords(begin + program.generate(_length(rng, 40)))
        for program in (rv32_random.Program(rng, without=without, bits=bits) for _ in range(count))
    ]


def _arm_values(rng: random.Random) -> dict[int, int]:
    state = sim_random.random_state(rng)
    return {**dict(enumerate(state.registers)), 16: state.flags}


def _rv32_values(rng: random.Random) -> dict[int, int]:
    return dict(enumerate(rv32_random.random_state(rng).registers, 1))


KINDS = {
    "armv6m": Kind(_armv6m, _arm_values, 1, range(15)),
    "armv7m": Kind(_armv7m, _arm_values, 1, range(15)),
    "rv32": Kind(_rv32, _rv32_values, 0, range(1, 32)),
    "rv32+bits": Kind(partial(_rv32, bits=True), _rv32_values, 0, range(1, 32)),
}


def driver(folder: Path) -> ct.CDLL:
    """taint_pairs.c, compiled against the simulator that is in use."""
    made, library = folder / "taint_pairs.so", abi.library()._name
    sanitize = [*SANITIZED] if "san" in Path(library).name else []
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", *sanitize, "-shared", "-fPIC"]
    command = [
        "clang" if sanitize else os.environ.get("CC", "cc"),
        *flags,
        str(_SOURCE),
        library,
        "-o",
        str(made),
    ]
    subprocess.run(command, check=True, env=tool_environment())
    loaded = ct.CDLL(str(made))
    loaded.pair_check.restype = ct.c_uint32
    return loaded


def _core(model: CycleModel, kind: Kind) -> _Core:
    library = abi.library()
    names: list[str] = []
    while name := library.ecsim_row_name(model.native_isa.encode(), len(names)):
        names.append(name.decode())
    rows = [model.rows[name] for name in names]
    costs = [
        abi.Cost(r.cycles, r.per_register, r.cycles if r.cycles_min is None else r.cycles_min)
        for r in rows
    ]
    variable = [names.index(row) for row in model.variable_rows()]
    flash, ram = abi.Region(FLASH, FLASH_SIZE, 0), abi.Region(RAM, RAM_SIZE, 1)
    return _Core(
        model.native_isa.encode(),
        (abi.Cost * len(costs))(*costs),
        (abi.Region * 2)(flash, ram),
        ct.pointer(abi.Flash(0, 0, 4)),
        (ct.c_uint32 * len(variable))(*variable),
        len(costs),
        model.unaligned == "fault",
        len(variable),
        TEXT,
        MIDDLE,
        SECRETS,
        MARKED,
        kind.code_bit,
        kind.registers[0],
        kind.registers[-1],
    )


def check(
    native: ct.CDLL, model: str, programs: int, seed: object
) -> tuple[int, list[Contradiction]]:
    """How many of so many random programs were compared, and those that contradict."""
    rng, described = random.Random(f"taint {model} {seed}"), load_model(model)
    kind = KINDS[described.isa + "+bits" * described.bits]
    core, compared, wrong = _core(described, kind), 0, []
    for begin in range(0, programs, BATCH):
        codes = kind.codes(rng, min(BATCH, programs - begin))
        batch, results = (_Program * len(codes))(), (_Result * len(codes))()
        for one, code in zip(batch, codes, strict=True):
            values = kind.values(rng)
            one.code, one.size, one.limit = code, len(code), LIMIT
            one.seed, one.given = rng.getrandbits(64) | 1, sum(1 << index for index in values)
            for index, value in values.items():
                one.value[index] = value & 0xFFFFFFFF
        compared += native.pair_check(ct.byref(core), batch, len(codes), results)
        wrong += [
            Contradiction(begin + n, OUTCOMES[result.outcome], result.where, codes[n])
            for n, result in enumerate(results)
            if result.outcome > 1
        ]
    return compared, wrong


def main(arguments: list[str]) -> int:
    """N programs for each core: what was compared, what contradicts, how long it took."""
    import tempfile

    programs, seed = int(arguments[0]) if arguments else 100_000, (*arguments, "", "1")[1] or "1"
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        native = driver(Path(folder))
        for model in MODELS:
            start = time.monotonic()
            compared, wrong = check(native, model, programs, seed)
            seconds = time.monotonic() - start
            sys.stdout.write(
                f"taint-random: {model}: {programs} programs, {compared} compared, "
                f"{len(wrong)} contradict, {seconds:.0f} s\n"
            )
            for one in wrong[:10]:
                sys.stdout.write(f"  {one}\n")
            sys.stdout.flush()
            code = code or bool(wrong)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
