"""Simulated instructions a second on one core of this machine: 256-bit multiplication in C,
for each instruction set.

Always on: cycles, stack mark, trace hash. Processor time, best of some runs: other work
on the machine shows little. Exit code 1 where a figure is below what the project promises (LIMITS),
3 where a compiler is missing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ecfit.sim.machine import FlashTiming, Machine, Region, load_model

MEMORY = (Region("flash", 0, 0x8000, "flash"), Region("ram", 0x10000000, 0x2000, "ram"))
TOP = 0x10002000
RUNS, MULTIPLICATIONS = 5, 5000
LIMITS = {"plain": 100, "taint": 20}  # million instructions a second, at zero wait states
KERNEL = """
#include <stdint.h>
static void wide(uint32_t x, uint32_t y, uint32_t *low, uint32_t *high)
{
    uint32_t xl = x & 0xffff, xh = x >> 16, yl = y & 0xffff, yh = y >> 16;
    uint32_t a = xl * yl, b = xl * yh, c = xh * yl, d = xh * yh, m = b + c;
    d += (uint32_t)(m < b) << 16;
    uint32_t l = a + (m << 16);
    *high = d + (m >> 16) + (l < a);
    *low = l;
}
__attribute__((noinline)) static void multiply(uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    for (int i = 0; i < 16; i++) r[i] = 0;
    for (int i = 0; i < 8; i++) {
        uint32_t carry = 0;
        for (int j = 0; j < 8; j++) {
            uint32_t low, high;
            wide(a[i], b[j], &low, &high);
            low += carry;
            high += low < carry;
            low += r[i + j];
            high += low < r[i + j];
            r[i + j] = low;
            carry = high;
        }
        r[i + 8] = carry;
    }
}
__attribute__((section(".text.startup"))) uint32_t work(uint32_t n)
{
    uint32_t a[8], b[8], r[16];
    for (uint32_t i = 0; i < 8; i++) { a[i] = i * 0x9e3779b9u + n; b[i] = ~a[i] * 5; }
    while (n--) { multiply(r, a, b); for (int i = 0; i < 8; i++) a[i] ^= r[i + 8] + r[i]; }
    return a[0] ^ a[7];
}
"""
BACK = 0x4000  # a breakpoint
_COMMON = [
    "-O2",
    "-ffreestanding",
    "-fno-tree-loop-distribute-patterns",
    "-nostdlib",
    "-Wl,-Ttext=0",
    "-Wl,-e,work",
]


class Core(NamedTuple):
    """A cycle model, the compiler of its instruction set, and the bytes of a breakpoint."""

    model: str
    prefix: str
    flags: tuple[str, ...]
    breakpoint: str
    package: str


CORES = (
    Core("cortex-m0", "arm-none-eabi-", ("-mcpu=cortex-m0", "-mthumb"), "01be",
        "gcc-arm-none-eabi"),
    Core("cortex-m4", "arm-none-eabi-", ("-mcpu=cortex-m4", "-mthumb"), "01be",
        "gcc-arm-none-eabi"),
    Core(
        "ibex", "riscv64-unknown-elf-", ("-march=rv32imc", "-mabi=ilp32"), "0290 13501040",
        "gcc-riscv64-unknown-elf"
    ),
)  # fmt: skip


def compiled(core: Core) -> bytes:
    """The kernel from address 0 on; `work` is first."""
    with tempfile.TemporaryDirectory() as folder:
        source, elf, flat = (
            Path(folder) / name for name in ("kernel.c", "kernel.elf", "kernel.bin")
        )
        source.write_text(KERNEL)
        command = [f"{core.prefix}gcc", *core.flags, *_COMMON, str(source), "-o", str(elf)]
        subprocess.run(command, check=True)
        subprocess.run([f"{core.prefix}objcopy", "-O", "binary", str(elf), str(flat)], check=True)
        return flat.read_bytes()


def rate(core: Core, code: bytes, flash: FlashTiming | None, observe: str) -> float:
    """Millions of instructions a second, the best of some runs."""
    best = 0.0
    with Machine(load_model(core.model), MEMORY, flash) as machine:
        machine.load(0, code)
        machine.load(BACK, bytes.fromhex(core.breakpoint))
        if observe == "taint":
            machine.secret(TOP - 0x100, 0x100, 1)  # what the kernel works on
        for _ in range(RUNS):
            start = time.process_time()
            result = machine.call(
                0, [MULTIPLICATIONS], sp=TOP, return_to=BACK, limit=10**9,
                profile=observe == "profile", taint=observe == "taint",
            )  # fmt: skip
            best = max(best, result.instructions / (time.process_time() - start) / 1e6)
            if result.stop != "bkpt":
                raise SystemExit(f"the kernel did not end: {result.stop} {result.fault}")
    return best


def main() -> int:
    code = 0
    for core in CORES:
        try:
            kernel = compiled(core)
        except FileNotFoundError as missing:
            print(f"{missing.filename} is not installed (package {core.package})", file=sys.stderr)
            code = 3
            continue
        for name, flash in (("zero-ws", None), ("datasheet", FlashTiming(2, 128))):
            for observe in ("plain", "profile", "taint"):
                speed = rate(core, kernel, flash, observe)
                limit = LIMITS.get(observe) if flash is None else None
                print(
                    f"{core.model:9} {name:9} {observe:7} {speed:6.0f} M instructions/s",
                    *([f"(promised: {limit})"] if limit else []),
                    *(["TOO SLOW"] if limit and speed < limit else []),
                )
                code = max(code, 1 if limit and speed < limit else 0)
    return code


if __name__ == "__main__":
    sys.exit(main())
