"""Simulated instructions a second on one core: 256-bit multiplication in C, compiled for the Cortex-M0.

Always on: cycles, stack mark, trace hash. Processor time, best of some runs: other work on the machine shows little.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ecfit.simlib import FlashTiming, Machine, Region, load_model

MEMORY = (Region("flash", 0, 0x8000, "flash"), Region("ram", 0x10000000, 0x2000, "ram"))
TOP = 0x10002000
RUNS, MULTIPLICATIONS = 5, 5000
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
FLAGS = ["-mcpu=cortex-m0", "-mthumb", "-O2", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-nostdlib"]
BACK = 0x4000  # a BKPT


def compiled() -> bytes:
    """The kernel from address 0 on; `work` is first."""
    with tempfile.TemporaryDirectory() as folder:
        source, elf, flat = (Path(folder) / name for name in ("kernel.c", "kernel.elf", "kernel.bin"))
        source.write_text(KERNEL)
        link = ["-Wl,-Ttext=0", "-Wl,-e,work"]
        subprocess.run(["arm-none-eabi-gcc", *FLAGS, *link, str(source), "-o", str(elf)], check=True)
        subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", str(elf), str(flat)], check=True)
        return flat.read_bytes()


def rate(code: bytes, flash: FlashTiming | None, profile: bool) -> float:
    """Millions of instructions a second, the best of some runs."""
    best = 0.0
    with Machine(load_model("cortex-m0"), MEMORY, flash) as machine:
        machine.load(0, code)
        machine.load(BACK, b"\x01\xbe")
        for _ in range(RUNS):
            start = time.process_time()
            result = machine.call(0, [MULTIPLICATIONS], sp=TOP, return_to=BACK, limit=10**9, profile=profile)
            best = max(best, result.instructions / (time.process_time() - start) / 1e6)
            if result.stop != "bkpt":
                raise SystemExit(f"the kernel did not end: {result.stop} {result.fault}")
    return best


def main() -> int:
    try:
        code = compiled()
    except FileNotFoundError as missing:
        print(f"{missing.filename} is not installed (package gcc-arm-none-eabi)", file=sys.stderr)
        return 3
    for name, flash in (("zero-ws", None), ("datasheet", FlashTiming(2, 128))):
        for profile in (False, True):
            print(f"{name:9} {'profile' if profile else 'plain':7} {rate(code, flash, profile):6.0f} M instructions/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
