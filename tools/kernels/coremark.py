"""CoreMark: the cycles of an iteration, on a core whose memory does not wait. The port is here, all
else comes from a checkout; the benchmark itself checks its results.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ecfit.build.elf import Elf
from ecfit.choices.targets import Target
from ecfit.run.basis import cycle_model
from ecfit.sim.machine import Machine, Region

BACK, CODE = 0x100, 0x200  # in flash: a breakpoint, and the code
TOOLS = {  # by architecture: the compiler, the machine of an ELF file, a breakpoint
    "armv6m": ("arm-none-eabi-gcc", "EM_ARM", "00be"),
    "armv7m": ("arm-none-eabi-gcc", "EM_ARM", "00be"),
    "rv32": ("riscv64-unknown-elf-gcc", "EM_RISCV", "73001000"),
    "avr": ("avr-gcc", "EM_AVR", "9895"),
}
SOURCES = ("core_list_join.c", "core_main.c", "core_matrix.c", "core_state.c", "core_util.c")
FEW, MORE = 1, 3  # iterations: their difference leaves out what comes before and after
LIMIT = 200_000_000
HEADER = """\
#include <stddef.h>
typedef __INT16_TYPE__ ee_s16;
typedef __UINT16_TYPE__ ee_u16;
typedef __INT32_TYPE__ ee_s32;
typedef double ee_f32;
typedef __UINT8_TYPE__ ee_u8;
typedef __UINT32_TYPE__ ee_u32;
typedef __UINTPTR_TYPE__ ee_ptr_int;
typedef size_t ee_size_t;
typedef ee_u32 CORE_TICKS;
typedef struct CORE_PORTABLE_S { ee_u8 portable_id; } core_portable;
#define CORETIMETYPE ee_u32
#define HAS_FLOAT 0
#define HAS_PRINTF 0
#define SEED_METHOD SEED_VOLATILE
#define MEM_METHOD MEM_STATIC
#define MULTITHREAD 1
#define MAIN_HAS_NOARGC 1
#define MAIN_HAS_NORETURN 0
#define COMPILER_VERSION ""
#define COMPILER_FLAGS ""
#define MEM_LOCATION ""
#define align_mem(x) (void *)(4 + (((ee_ptr_int)(x) - 1) & ~3))
extern ee_u32 default_num_contexts;
void portable_init(core_portable *p, int *argc, char *argv[]);
void portable_fini(core_portable *p);
int ee_printf(const char *format, ...);
"""
PORT = """\
#include "coremark.h"
volatile ee_s32 seed1_volatile, seed2_volatile, seed3_volatile = 0x66, seed4_volatile = 1,
    seed5_volatile;
volatile ee_u32 validated;
ee_u32 default_num_contexts = 1;
void portable_init(core_portable *p, int *argc, char *argv[]) { p->portable_id = 1; }
void portable_fini(core_portable *p) { p->portable_id = 0; }
void start_time(void) {}
void stop_time(void) {}
CORE_TICKS get_time(void) { return 11; }
secs_ret time_in_secs(CORE_TICKS ticks) { return ticks; }
int ee_printf(const char *format, ...) {
    if (format[0] == 'C' && format[5] == 'c' && format[8] == 'o') validated = 1;
    return 0;
}
#pragma GCC optimize("no-tree-loop-distribute-patterns")
void *memset(void *to, int byte, size_t size) {
    for (ee_u8 *at = to; size--;) *at++ = byte;
    return to;
}
void *memcpy(void *to, const void *from, size_t size) {
    for (ee_u8 *at = to; size--; from = (const ee_u8 *)from + 1) *at++ = *(const ee_u8 *)from;
    return to;
}
"""  # the text that begins with "Correct operation"
SCRIPT = """\
SECTIONS {{
  .text {:#x} : {{ *(.text*) *(.init*) *(.fini*) *(.progmem*) }}
  .data {:#x} : {{ *(.rodata*) *(.srodata*) *(.data*) *(.sdata*) *(.bss*) *(.sbss*) *(COMMON) }}
}}
PROVIDE(__data_start = 0); PROVIDE(__data_end = 0); PROVIDE(__data_load_start = 0);
PROVIDE(__bss_start = 0); PROVIDE(__bss_end = 0);
"""  # of avr-gcc's start-up code, which does not run


def build(
    checkout: Path, target: Target, flags: Sequence[str], folder: Path, compiler: str = ""
) -> Elf:
    """The benchmark for the core, constants in RAM; the compiler by name, if not the usual one."""
    usual, machine, _ = TOOLS[target.arch]
    (folder / "core_portme.h").write_text(HEADER, encoding="utf-8")
    (folder / "port.c").write_text(PORT, encoding="utf-8")
    layout = SCRIPT.format(target.region("flash").start + CODE, target.region("ram").start)
    (folder / "coremark.ld").write_text(layout, encoding="utf-8")
    link = ("-nostdlib", "-Tcoremark.ld", "-Wl,-n,-emain")
    sources = [str(checkout / name) for name in SOURCES]
    command = [compiler or usual, *flags, "-DPERFORMANCE_RUN=1", "-I.", f"-I{checkout}"]
    command += ["-w", *link, *sources, "port.c", "-lgcc", "-o", "coremark.elf"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return Elf((folder / "coremark.elf").read_bytes(), machine, debug=False)


def measure(elf: Elf, target: Target) -> int:
    """The cycles of an iteration. Errors: ends with a line if a result is wrong."""
    areas = [Region(m.name, m.start, m.size, m.kind) for m in target.memory]
    bank, back = target.region("ram"), target.region("flash").start + BACK
    cycles = []
    with Machine(cycle_model(target), areas) as machine:
        machine.load(back, bytes.fromhex(TOOLS[target.arch][2]))
        for count in (FEW, MORE):
            for segment in elf.segments:
                machine.load(segment.address, segment.data)
            machine.write(elf.symbols["seed4_volatile"], count.to_bytes(4, "little"))
            sp = bank.start + bank.size - 16
            result = machine.call(elf.symbols["main"], (), sp=sp, return_to=back, limit=LIMIT)
            right = machine.read(elf.symbols["validated"], 1) == b"\x01"
            if result.stop != "bkpt" or not right:
                sys.exit(f"CoreMark on {target.name}: {result.fault or 'a wrong result'}")
            cycles.append(result.cycles)
    return round((cycles[1] - cycles[0]) / (MORE - FEW))
