"""AES in assembly for the Cortex-M3 and M4 (common/aes.S of mupq/pqm4): key expansions and the
encryption of one block. Each ciphertext is held against FIPS 197, appendix C.
"""

from __future__ import annotations

import sys
from functools import partial

from ecfit.build.elf import Elf
from ecfit.choices.targets import Target
from ecfit.sim.machine import Machine, Region, load_model

KEY, BLOCK = bytes(range(32)), bytes(range(0, 256, 17))
CIPHERTEXT = {  # by bytes of the key
    16: "69c4e0d86a7b0430d8cdb78070b4c55a",
    24: "dda97ca4864cdfe06eaf70a0ec0d7191",
    32: "8ea2b7ca516745bfeafc49904b496089",
}
BACK = 0x100  # in flash: a breakpoint
LIMIT = 100_000


def cycles_of(  # noqa: PLR0917 - a call, and where it stands
    machine: Machine, elf: Elf, lowest: int, sp: int, back: int, name: str, *arguments: int
) -> int:
    """Of a call that returns to the breakpoint at `back`, its stack no lower than `lowest`.
    Errors: ends with a line.
    """
    result = machine.call(
        elf.symbols[name], arguments, sp=sp, return_to=back, limit=LIMIT, warm=True
    )
    if result.stop != "bkpt" or result.stack_low < lowest:
        sys.exit(f"{name}: {result.fault or 'its stack leaves the bank'}")
    return result.cycles


def measure(elf: Elf, target: Target, stack: str, latencies: bool) -> dict[str, int]:
    """Cycles of each operation. Operands lie in the bank, above the stack."""
    bank = next(m for m in target.memory if m.name == stack)
    areas = [Region(m.name, m.start, m.size, m.kind, m.latency * latencies) for m in target.memory]
    back, top = target.region("flash").start + BACK, bank.start + bank.size
    key, plain, out, expanded = top - 32, top - 48, top - 64, top - 304
    cycles = {}
    with Machine(load_model(target.model or ""), areas) as machine:
        for segment in elf.segments:
            machine.load(segment.address, segment.data)
        machine.load(back, bytes.fromhex("00be"))
        machine.write(plain, BLOCK)
        call = partial(cycles_of, machine, elf, bank.start, expanded - 64 & ~7, back)
        for size, right in CIPHERTEXT.items():
            machine.write(key, KEY[:size])
            machine.write(expanded, KEY[:size])  # the first round keys, which the caller copies
            name = f"AES-{8 * size}"
            cycles[f"{name}, key expansion"] = call(
                f"aes{8 * size}_keyexp_asm", key, expanded + size
            )
            cycles[f"{name}, one block"] = call(f"aes{8 * size}_encrypt_asm", expanded, plain, out)
            if machine.read(out, 16).hex() != right:
                sys.exit(f"{name}: a wrong result")
    return cycles
