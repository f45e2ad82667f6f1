"""Whole compiled programs against the independent emulator: result, memory, instructions,
stack, trace hash.
"""

from __future__ import annotations

import pytest

from ecfit.sim.machine import Machine, RunResult
from workshop.sim.build import RAM, RAM_SIZE, STACK_TOP, Image, compile_c
from workshop.sim.oracle import State, TracingOracle

SORT = """
#include <stdint.h>
static uint32_t data[200];
static void quicksort(uint32_t *a, int low, int high)
{
    while (low < high) {
        uint32_t pivot = a[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) { uint32_t t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
        }
        quicksort(a, low, j);
        low = i;
    }
}
uint32_t work(uint32_t seed)
{
    for (int i = 0; i < 200; i++) { seed = seed * 1664525u + 1013904223u; data[i] = seed >> 4; }
    quicksort(data, 0, 199);
    uint32_t sum = 0;
    for (int i = 0; i < 200; i++) {
        if (i && data[i - 1] > data[i]) return 0xbad;
        sum = sum * 31 + data[i];
    }
    return sum;
}
"""
MULTIPLY = """
#include <stdint.h>
static void multiply(uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    uint16_t *out = (uint16_t *)r;
    const uint16_t *x = (const uint16_t *)a, *y = (const uint16_t *)b;
    for (int i = 0; i < 32; i++) out[i] = 0;
    for (int i = 0; i < 16; i++) {
        uint32_t carry = 0;
        for (int j = 0; j < 16; j++) {
            carry += (uint32_t)x[i] * y[j] + out[i + j];
            out[i + j] = (uint16_t)carry;
            carry >>= 16;
        }
        out[i + 16] = (uint16_t)carry;
    }
}
uint32_t work(uint32_t seed)
{
    uint32_t a[8], b[8], r[16];
    for (int i = 0; i < 8; i++) { a[i] = seed + i * 0x9e3779b9u; b[i] = ~a[i] * 3; }
    for (int n = 0; n < 8; n++) {
        multiply(r, a, b);
        for (int i = 0; i < 8; i++) a[i] ^= r[i + 8] + r[i];
    }
    return a[0] ^ a[3] ^ r[15];
}
"""
CRC = """
#include <stdint.h>
#include <string.h>
static const char text[] = "the quick brown fox jumps over the lazy dog";
static uint8_t copy[300];
uint32_t work(uint32_t seed)
{
    memset(copy, (int)seed, sizeof copy);
    for (unsigned i = 0; i + sizeof text < sizeof copy; i += sizeof text)
        memcpy(copy + i, text, sizeof text);
    memmove(copy + 3, copy, 250);
    uint32_t crc = 0xffffffff;
    for (unsigned i = 0; i < sizeof copy; i++) {
        crc ^= copy[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}
"""
DIVISION = """
#include <stdint.h>
uint32_t work(uint32_t seed)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i < 60; i++) {
        uint32_t x = seed * i + 12345, y = (seed >> (i & 15)) | 1;
        int32_t sx = (int32_t)x, sy = (int32_t)(y % 1000) - 500;
        uint64_t wide = (uint64_t)x * y + i;
        sum += x / y + x % y + (uint32_t)(sx / (sy ? sy : 1));
        sum += wide / (y | 3) + wide % (x | 1) + (wide >> (i & 63));
    }
    return (uint32_t)(sum ^ sum >> 32);
}
"""
DISPATCH = """
#include <stdint.h>
typedef int32_t (*operation)(int32_t, int32_t);
static int32_t add(int32_t a, int32_t b) { return a + b; }
static int32_t subtract(int32_t a, int32_t b) { return a - b; }
static int32_t mix(int32_t a, int32_t b) { return (int8_t)a * (int16_t)b; }
static int32_t swap(int32_t a, int32_t b) { return __builtin_bswap32(a) ^ b << 3; }
static const operation table[] = {add, subtract, mix, swap};
static int32_t choose(int32_t a, uint32_t which)
{
    switch (which) {
    case 0: return a + 1;
    case 1: return a ^ 0x55;
    case 2: return a * 7;
    case 3: return a >> 3;
    case 4: return (int16_t)a;
    case 5: return -a;
    case 6: return a << 5;
    default: return ~a;
    }
}
uint32_t work(uint32_t seed)
{
    int32_t a = (int32_t)seed;
    for (uint32_t i = 0; i < 400; i++) {
        operation o = table[(seed >> (i & 31)) & 3];
        a = choose(o(a, (int32_t)i * 77), ((uint32_t)a >> 7) & 7);
    }
    return (uint32_t)a;
}
"""
PROGRAMS = {
    "sort": SORT,
    "multiply": MULTIPLY,
    "crc": CRC,
    "division": DIVISION,
    "dispatch": DISPATCH,
}

pytestmark = pytest.mark.usefixtures("cross_compiler")


@pytest.mark.parametrize("optimise", ["-Os", "-O2"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_agrees(name: str, optimise: str, m0: Machine) -> None:
    image = compile_c(PROGRAMS[name], optimise)
    image.load(m0)
    result = image.call(m0, "work", 0xC0FFEE01)
    assert result.stop == "bkpt", result
    assert result.instructions > 5_000

    oracle = TracingOracle()
    oracle.load_image(image)
    registers = [0xECF00000 + i for i in range(13)]  # as Machine.call leaves them
    registers[0] = 0xC0FFEE01
    back = image.symbols["back"]
    oracle.apply(State((*registers, STACK_TOP, back | 1), 0))
    assert oracle.run(image.symbols["work"], back) is None
    assert result.result == oracle.state().registers[0] != 0xBAD
    assert result.stack_low < STACK_TOP
    oracle.check(result, back)
    assert m0.read(RAM, RAM_SIZE) == oracle.ram()


def check_slices(
    monkeypatch: pytest.MonkeyPatch, machine: Machine, image: Image, *sizes: int
) -> RunResult:
    """A run cut into slices of so many instructions counts as one that is not,
    which is returned.
    """
    image.load(machine)
    whole = image.call(machine, "work", 1, profile=True)
    for size in sizes:
        monkeypatch.setattr("ecfit.sim.machine.SLICE", size)
        assert image.call(machine, "work", 1, profile=True) == whole
    return whole


def test_slices_do_not_change_counts(monkeypatch: pytest.MonkeyPatch, m0: Machine) -> None:
    check_slices(monkeypatch, m0, compile_c(PROGRAMS["division"], "-Os"), 1000)
