"""The functions of jnk0le/cortexm-AES: key schedules, and the encryption and decryption of one
block. Each ciphertext and plaintext is held against FIPS 197, appendix C.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from ecfit.build.elf import Elf
from ecfit.choices.targets import Memory, Target
from ecfit.run.basis import cycle_model, flash_timing
from ecfit.sim.machine import Machine, Region
from tools.kernels.aes import BLOCK, CIPHERTEXT, KEY, cycles_of
from tools.kernels.coremark import TOOLS

BACK = 0x100  # in front of the code: a breakpoint
# Each function begins at a multiple of 16 bytes; the tables lie in RAM.
SCRIPT = """\
SECTIONS {{
  .text {:#x} : SUBALIGN(16) {{ KEEP(*(.text*)) }}
  .data {:#x} : {{ *(.data*) }}
  /DISCARD/ : {{ *(.ARM.attributes .comment) }}
}}
"""


def script(code: Memory, data: Memory) -> str:
    """The linker script: code, and tables behind it if they share the memory."""
    return SCRIPT.format(code.start + 2 * BACK, data.start + 0x2000 * (code == data))


def files(checkout: Path, kernels: Iterable[str]) -> list[Path]:
    """Of the functions, and of the tables. Errors: ends with a line if one is missing."""
    sources = sorted(checkout.rglob("*lookup_tables.c"))  # one; older commits have it elsewhere
    for name in dict.fromkeys(kernel.partition(",")[0] for kernel in kernels):
        there = sorted(checkout.rglob(f"{name}.S"))
        if not there:
            sys.exit(f"kernels.py: {checkout} has no {name}.S")
        sources += there
    return sources


def measure(
    elf: Elf, target: Target, mode: str, places: Sequence[str], kernels: Iterable[str]
) -> dict[str, int]:
    """Cycles of each kernel, FUNCTION or FUNCTION, N rounds, called a second time: with what
    branches learnt in the first. `places`: of code and stack; operands lie above the stack.
    """
    code, bank = (next(m for m in target.memory if m.name == place) for place in places)
    areas = [Region(m.name, m.start, m.size, m.kind, m.latency) for m in target.memory]
    back, top = code.start + BACK, bank.start + bank.size
    key, plain, sent, out, expanded = (top - 32 * n for n in (1, 2, 3, 4, 14))
    cycles = {}
    with Machine(cycle_model(target), areas, flash_timing(target.mode(mode))) as machine:
        for segment in elf.segments:
            machine.load(segment.address, segment.data)
        machine.load(back, bytes.fromhex(TOOLS[target.arch][2]))
        machine.write(plain, BLOCK)
        call = partial(cycles_of, machine, elf, bank.start, expanded - 64 & ~7, back)
        for kernel in kernels:
            name, _, rounds = kernel.partition(", ")
            size = 32 if "256" in name or rounds.startswith("14") else 16
            count = (int(rounds.split()[0]),) if rounds else ()
            schedule = schedule_of(size)
            machine.write(key, KEY[:size])
            machine.write(sent, bytes.fromhex(CIPHERTEXT[size]))
            for _ in range(2):
                if "keyschedule" in name:
                    backward = name.endswith("_dec")
                    machine.write(expanded, schedule if backward else bytes(len(schedule)))
                    cycles[kernel] = call(name, expanded, *(count if backward else (key,)))
                    right = inverse(schedule) if backward else schedule
                    wrong = machine.read(expanded, len(schedule)) != right
                else:
                    forward = "encrypt" in name
                    tables = forward or "sBOX" in name  # which mix the columns themselves
                    machine.write(expanded, schedule if tables else inverse(schedule))
                    keys = key if "OTFKS" in name else expanded
                    cycles[kernel] = call(name, keys, plain if forward else sent, out, *count)
                    right = bytes.fromhex(CIPHERTEXT[size]) if forward else BLOCK
                    wrong = machine.read(out, 16) != right
                if wrong:
                    sys.exit(f"{kernel}: a wrong result")
    return cycles


def _times(a: int, b: int) -> int:
    """The product in the field of AES."""
    product = 0
    for bit in range(8):
        product ^= (a << bit) * (b >> bit & 1)
    for bit in range(14, 7, -1):
        product ^= (0x11B << bit - 8) * (product >> bit & 1)
    return product


def _substituted(byte: int) -> int:
    """S-box, FIPS 197, 5.1.1."""
    inverse = next((x for x in range(256) if _times(byte, x) == 1), 0)
    turned = inverse
    for shift in range(1, 5):
        turned ^= (inverse << shift | inverse >> 8 - shift) & 0xFF
    return turned ^ 0x63


def schedule_of(size: int) -> bytes:
    """The round keys of KEY's first `size` bytes (FIPS 197, 5.2)."""
    words = [KEY[at : at + 4] for at in range(0, size, 4)]
    constant, step = 1, size // 4
    while len(words) < 4 * (step + 7):
        word = words[-1]
        if len(words) % step == 0:
            word = bytes(map(_substituted, word[1:] + word[:1]))
            word = bytes((word[0] ^ constant, *word[1:]))
            constant = _times(constant, 2)
        elif step > 6 and len(words) % step == 4:
            word = bytes(map(_substituted, word))
        words.append(bytes(a ^ b for a, b in zip(words[-step], word, strict=True)))
    return b"".join(words)


def inverse(schedule: bytes) -> bytes:
    """The round keys of the equivalent inverse cipher, in the order of encryption."""
    mixed = bytearray(schedule)
    for at in range(16, len(schedule) - 16, 4):
        column = schedule[at : at + 4]
        for row in range(4):
            factors = (14, 11, 13, 9)
            mixed[at + row] = 0
            for other in range(4):
                mixed[at + row] ^= _times(column[other], factors[(other - row) % 4])
    return bytes(mixed)
