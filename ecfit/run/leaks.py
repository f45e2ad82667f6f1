"""Secrets in an image: marking them before a run, and naming the places
where they decided about time.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from ecfit.model import Image, Leak, Line
from ecfit.run.cases import POOL_BYTES
from ecfit.sim.machine import PUBLIC_BLOCK, Finding, Machine

SECRETS = ("private key", "random bytes")  # label n is bit n
_ARM = {"sb": 9, "sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14}
_RISC_V = {
    name: index
    for index, name in enumerate(["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"])
}
_RISC_V |= {f"a{i}": 10 + i for i in range(8)} | {f"s{i}": 16 + i for i in range(2, 12)}
_RISC_V |= {f"t{i}": 25 + i for i in range(3, 7)} | {"fp": 8}


def register_number(name: str, arch: str) -> int:
    """The register that a compiler calls so, numbered as the simulator does. Errors: ValueError."""
    numbered = re.fullmatch(r"[rx](\d+)", name)
    if numbered:
        return int(numbered[1])
    known = _RISC_V if arch == "rv32" else _ARM
    if name not in known:
        raise ValueError(f"unknown register '{name}'")
    return known[name]


def declare_public(machine: Machine, image: Image, arch: str) -> None:
    """Tells the machine, once, where the image says that something becomes public."""
    for address, name in image.public_at:
        machine.public_at(address, register_number(name, arch))
    if "bench_public" in image.symbols:
        machine.public_at(image.symbols["bench_public"] & ~1, PUBLIC_BLOCK)


def mark(
    machine: Machine, image: Image, ram: tuple[tuple[int, int], ...], private_bytes: int
) -> None:
    """Makes the private key at the begin of the input and the random pool secret,
    and all else of RAM public.
    """
    for start, size in ram:
        machine.secret(start, size, 0)
    if private_bytes:
        machine.secret(image.symbols["bench_arena"], private_bytes, 1)
    machine.secret(image.symbols["bench_pool"], POOL_BYTES, 2)


def function_at(image: Image, address: int) -> str:
    """The name of the function that holds an address, or its hexadecimal form."""
    for function in reversed(image.functions):
        if function.address <= address < function.address + max(function.size, 2):
            return function.name
    return f"0x{address:08x}"


def source_at(lines: tuple[Line, ...], address: int) -> str | None:
    """The source line of an instruction as "file:line", or None where none is known;
    of a package, below its folder.
    """
    index = bisect_right(lines, address, key=lambda line: line.address) - 1
    source = lines[index].source if index >= 0 else ""
    return re.sub(r"^packages/[^/]+/", "", source) or None


def named(image: Image, findings: tuple[Finding, ...]) -> tuple[Leak, ...]:
    """Findings by name; those of one kind on one source line (or, without one, at one instruction)
    are one leak.
    """
    leaks: dict[tuple[object, ...], Leak] = {}
    for found in findings:
        source, path = (
            source_at(image.lines, found.pc),
            tuple(function_at(image, address) for address in found.stack),
        )
        function = function_at(image, found.pc)
        leak = Leak(
            kind=found.kind,
            function=path[-1]
            if function.startswith("0x") and path
            else function,  # assembly behind a symbol's size
            source=source,
            address=found.pc,
            path=path,
            secret=tuple(name for bit, name in enumerate(SECRETS) if found.labels >> bit & 1),
            count=found.count,
        )
        key = (leak.kind, leak.function, source or found.pc)
        leaks[key] = _joined(leaks[key], leak) if key in leaks else leak
    return tuple(leaks.values())


def _joined(one: Leak, other: Leak) -> Leak:
    secret = tuple(name for name in SECRETS if name in one.secret or name in other.secret)
    return Leak(
        one.kind, one.function, one.source, one.address, one.path, secret, one.count + other.count
    )
