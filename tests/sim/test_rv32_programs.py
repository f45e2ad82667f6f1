"""Whole compiled RISC-V programs against the independent emulator: result, memory, instructions,
stack, trace hash.
"""

from __future__ import annotations

import pytest

from ecfit.sim.machine import Machine, load_model
from tests.sim.test_programs import PROGRAMS, check_slices
from workshop.cores.rv32_build import compile_c
from workshop.cores.rv32_oracle import State, TracingOracle
from workshop.sim.build import MEMORY, RAM, RAM_SIZE, STACK_TOP

pytestmark = pytest.mark.usefixtures("riscv_compiler")

WIDE = """
#include <stdint.h>
static void square_and_reduce(uint32_t *x, uint32_t modulus)
{
    uint64_t carry = 0;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) carry += (uint64_t)x[i] * x[j];
        carry += (uint64_t)((int64_t)(int32_t)x[i] * (int32_t)x[7 - i]);
        x[i] = (uint32_t)carry ^ modulus;
        carry >>= 32;
    }
}
uint32_t work(uint32_t seed)
{
    uint32_t x[8];
    for (int i = 0; i < 8; i++) x[i] = seed * (2 * (uint32_t)i + 1);
    for (int n = 0; n < 40; n++) square_and_reduce(x, (uint32_t)n);
    return x[0] ^ x[7];
}
"""
PACKED = """
#include <stdint.h>
struct __attribute__((packed)) packed { uint8_t a; uint32_t b; uint16_t c; uint8_t d; int16_t e; };
static struct packed table[40];
uint32_t work(uint32_t seed)
{
    uint32_t sum = 0;
    for (int n = 0; n < 10; n++) {
        for (unsigned i = 0; i < 40; i++) {
            uint16_t c = (uint16_t)(seed >> i % 16);
            table[i] = (struct packed){(uint8_t)seed, seed * i, c, (uint8_t)i, (int16_t)(seed ^ i)};
            /* one access, although it is not aligned */
            *(volatile uint32_t *)((uint8_t *)&table[i] + 1) += i;
            *(volatile uint16_t *)((uint8_t *)&table[i] + 5) ^= 0x1234;
        }
        for (unsigned i = 0; i < 40; i++)
            sum = sum * 31 + table[i].b + table[i].c + (uint32_t)table[i].e + table[i].a;
    }
    return sum;
}
"""
ALL = {**PROGRAMS, "wide": WIDE, "packed": PACKED}


@pytest.mark.parametrize("optimise", ["-Os", "-O2"])
@pytest.mark.parametrize("name", ALL)
def test_program_agrees(name: str, optimise: str, ibex: Machine) -> None:
    image = compile_c(ALL[name], optimise)
    image.load(ibex)
    result = image.call(ibex, "work", 0xC0FFEE01)
    assert result.stop == "bkpt", result
    assert result.bkpt == 1
    assert result.instructions > 3_000

    oracle = TracingOracle()
    oracle.load_image(image)
    back = image.symbols["back"]
    registers = [
        back,
        STACK_TOP,
        ibex.register(3),
        ibex.register(4),
        *(0xECF00000 + i for i in range(5, 32)),
    ]
    registers[10 - 1] = 0xC0FFEE01
    oracle.apply(State(tuple(registers)))
    assert oracle.run(image.symbols["work"], back) is None
    assert result.result == oracle.state().registers[10 - 1] != 0xBAD
    oracle.check(result, back)
    assert ibex.read(RAM, RAM_SIZE) == oracle.ram()


@pytest.mark.parametrize("model", ["ibex", "esp32-c3"])
def test_slices_do_not_change_counts(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    with Machine(load_model(model), MEMORY) as machine:
        whole = check_slices(monkeypatch, machine, compile_c(PROGRAMS["division"], "-Os"), 1000)
    # Of Ibex the law of the division is known.
    assert (whole.cycles_min < whole.cycles) == (model == "esp32-c3")
