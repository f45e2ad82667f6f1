"""A prime that nobody asked for is one line of data: its routines from the generator, on the cycle
models, against Python's integers. Of a toy, and of numsp256t1 (draft-black-numscurves-02).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from gen.armv7em import straight as thumb
from gen.armv7em.code import Code as ThumbCode
from gen.rv32im import straight as riscv
from gen.rv32im.code import Code as RiscvCode
from gen.straight.allocation import Tuning
from gen.straight.fields import Field, PseudoMersenne, program, sparse

from ecfit.build import build, foreign, toolchain
from ecfit.build.elf import Elf
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.run.call import BREAK
from ecfit.sim.machine import Machine, Region, load_model
from workshop.assembly.routines import BACKENDS, FLASH, RAM, RETURN, SIZE, TOP

FIELDS = (
    sparse("toy64", PseudoMersenne, 2**64 - 59, 2),
    sparse("numsp256t1", PseudoMersenne, 2**256 - 189, 8),
)
MACROS = {"armv7em": "thumb", "rv32im": "riscv"}
OPERATIONS = ("mul", "sqr", "add", "sub", "three_halves", "add_twice_sub")


def prime(field: Field) -> int:
    """2^(32 n) - c."""
    return int(field.form.keywords["prime"])  # type: ignore[attr-defined]


def written(backend: str, field: Field, op: str) -> str:
    """The routine as a text for the assembler."""
    name = f"{field.name}_{op}"
    if backend == "armv7em":
        widths = (field.words,) if field.words < 6 else (4, 4)
        operation = program(field, op, widths)
        thumb_code = ThumbCode()
        routine = thumb.routine(operation, thumb.pointers(op), Tuning(0, 0), keeps=False)
        thumb.write(thumb_code, routine)
        return f"    inner {name}, 4\n{thumb_code.text()}    endfunction {name}\n"
    riscv_code = RiscvCode()
    riscv.write(riscv_code, riscv.of_field(field, op))
    return f"    inner {name}\n{riscv_code.text()}    endfunction {name}\n"


def operands(p: int, field: Field) -> Iterator[tuple[int, int, int]]:
    """Edges of each word and of p, and operands whose product, sum or difference is at one."""
    random, radix = Random(p), 1 << 32 * field.words
    edges = [0, 1, 2, p - 1, p - 2, radix - p, radix % p, p >> 1]
    edges += [(1 << 32 * k) + step for k in range(1, field.words) for step in (-1, 0)]
    for a in edges:
        for b in edges:
            yield a, b, random.choice(edges)
    for result in edges * 4:
        a = random.randrange(1, p)
        yield a, result * radix * pow(a, -1, p) % p, (a - result) % p
    for _ in range(200):
        yield random.randrange(p), random.randrange(p), random.randrange(p)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
@pytest.mark.parametrize("backend", list(MACROS))
def test_a_prime_is_a_line(
    backend: str, field: Field, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arch, core = BACKENDS[backend]
    tools = toolchain.find_toolchain("gcc", arch, core, "Os")
    monkeypatch.setitem(riscv.WIDTHS, field.name, (field.words,))
    ops = [op for op in OPERATIONS if backend == "armv7em" or op in riscv.ops(field)]
    text = f'#include "mp/{MACROS[backend]}.S"\n'
    text += "".join(written(backend, field, op) for op in ops)
    (tmp_path / "prime.S").write_text(text, encoding="utf-8")
    config = knobs.resolve(CURVES["secp256r1"], "balanced", {}, backend)
    header = knobs.header(config, ["secp256r1"])
    image = build.build_alone(tools, header, tmp_path, [str(tmp_path / "prime.S")])
    elf = Elf(image, foreign.MACHINES[arch])
    regions = [Region("flash", FLASH, 0x4_0000, "flash"), Region("ram", RAM, SIZE, "ram")]
    machine = Machine(load_model(core), regions, None)
    for segment in elf.segments:
        machine.load(segment.address, segment.data)
    machine.load(RETURN, BREAK[arch])
    p, size = prime(field), 4 * field.words
    half, over = pow(2, -1, p), pow(1 << 8 * size, -1, p)
    places = [RAM + 0x100 * k for k in range(4)]

    def call(op: str, values: tuple[int, ...], into: int) -> int:
        for place, value in zip(places[1:], values, strict=True):
            machine.write(place, value.to_bytes(size, "little"))
        result = machine.call(
            elf.symbols[f"{field.name}_{op}"], [places[into], *places[1:]], sp=TOP,
            return_to=RETURN, limit=100_000,
        )  # fmt: skip
        assert (result.stop, result.bkpt) == ("bkpt", 1)
        return int.from_bytes(machine.read(places[into], size), "little")

    for a, b, c in operands(p, field):
        wanted = {
            "mul": a * b * over, "sqr": a * a * over, "add": a + b, "sub": a - b,
            "three_halves": 3 * a * half, "add_twice_sub": a + 2 * b - c,
        }  # fmt: skip
        for op in ops:
            for into in range(2):
                assert call(op, (a, b, c), into) == wanted[op] % p, (op, a, b, c, into)
