"""Secrets in an image: marking them before a run, and naming the places
where they decided about time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from ecfit.model import Image, Leak, Line
from ecfit.run.cases import POOL_BYTES
from ecfit.run.job import NOT_FOLLOWED, FailureError, function_at
from ecfit.sim.machine import DECLARED, PUBLIC_BLOCK, PUBLIC_MEMORY, Finding, Machine, SimError

SECRETS = (  # label n is bit n
    "private key",
    "random bytes",
    "private key of an earlier call",
    "random bytes of an earlier call",
)
REGISTER_BYTES = {"avr": 1}  # elsewhere 4
LARGEST_BLOCK = 1 << 20  # bytes of memory that a mark may name
EARLIER = 0b1100  # labels of what earlier calls left
_AGED = bytes(labels & EARLIER | (labels & 3) << 2 for labels in range(256))
_EQUAL = re.compile(rb"([^\0])\1*")  # labels that are one secret
_ARM = {"sb": 9, "sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14}
_RISC_V = {
    name: index
    for index, name in enumerate(["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"])
}
_RISC_V |= {f"a{i}": 10 + i for i in range(8)} | {f"s{i}": 16 + i for i in range(2, 12)}
_RISC_V |= {f"t{i}": 25 + i for i in range(3, 7)} | {"fp": 8}


def register_number(name: str, arch: str) -> int:
    """The register that a compiler calls so, numbered as the simulator does. Errors: ValueError."""
    numbered = re.fullmatch(r"[rx](\d+)", name)  # AVR has no other names
    if numbered:
        return int(numbered[1])
    numbers = _RISC_V if arch == "rv32" else _ARM
    if name not in numbers:
        raise ValueError(f"unknown register '{name}'")
    return numbers[name]


def declare_public(machine: Machine, image: Image, arch: str) -> None:
    """Tells the machine, once, where the image says that something becomes public.
    Errors: FailureError where a mark says it of nothing that this core has.
    """
    wide = REGISTER_BYTES.get(arch, 4)
    for mark in image.public_at:
        try:
            first = register_number(mark.register, arch)
            if not 1 <= mark.bytes <= (LARGEST_BLOCK if mark.memory else 8):
                raise ValueError(f"{mark.bytes} bytes")
            if mark.memory:
                if arch == "avr":  # an address takes two registers
                    raise ValueError("memory")
                machine.public_at(mark.address, PUBLIC_MEMORY + first, mark.bytes)
                continue
            for word in range(-(-mark.bytes // wide)):  # what one does not hold is in the next
                rest = mark.bytes - wide * word
                machine.public_at(mark.address, first + word, min(rest, wide))
        except (ValueError, SimError) as error:
            where = f"{function_at(image, mark.address)}, 0x{mark.address:08x}"
            message = f"a mark of what is public in {where}: {error}"
            raise FailureError(NOT_FOLLOWED, message) from None
    if "bench_public" in image.symbols:
        machine.public_at(image.symbols["bench_public"] & ~1, PUBLIC_BLOCK)


def mark(
    machine: Machine,
    image: Image,
    ram: Sequence[tuple[int, int]],
    secret: Sequence[tuple[int, int]],
    input_bytes: int,
    *,
    again: bool,
) -> None:
    """Makes what is `secret` of the input (start and size of each part) and the random pool secret,
    the rest of the input public, and all else of RAM: public, or, where it is called `again`,
    what it was in the call before, of which it is then a secret of its own.
    """
    for start, size in ram:
        labels = machine.labels(start, size).translate(_AGED) if again else b""
        machine.secret(start, size, 0)
        for stretch in _EQUAL.finditer(labels):
            machine.secret(start + stretch.start(), len(stretch[0]), stretch[1][0])
    machine.secret(image.symbols["bench_arena"], input_bytes, 0)
    for start, size in secret:
        machine.secret(image.symbols["bench_arena"] + start, size, 1)
    machine.secret(image.symbols["bench_pool"], POOL_BYTES, 2)
    machine.secret(image.symbols["bench_pool_used"], 4, 0)


def source_at(lines: tuple[Line, ...], address: int) -> str | None:
    """The source line of an instruction as "file:line", or None where none is known;
    of a package, below its folder.
    """
    index = bisect_right(lines, address, key=lambda line: line.address) - 1
    source = lines[index].source if index >= 0 else ""
    return re.sub(r"^packages/[^/]+/", "", source) or None


class Seen(NamedTuple):
    """What was found in a run: with the public input of that number, and what else was
    out of the ordinary.
    """

    findings: tuple[Finding, ...]
    number: int = 1
    during: str | None = None


def named(image: Image, runs: Sequence[Seen], secrets: Sequence[str] = SECRETS) -> tuple[Leak, ...]:
    """What was found in runs by name. `secrets`: the name of each label.

    Findings of one kind on one source line (or, without one, at one instruction) are one leak.
    Declarations are one for each instruction, path of calls and size: every use is listed.
    """
    leaks: dict[tuple[object, ...], Leak] = {}
    for run in runs:
        for key, leak in _each(image, run, secrets):
            leaks[key] = _joined(leaks[key], leak, secrets) if key in leaks else leak
    return tuple(leaks.values())


def _each(
    image: Image, run: Seen, secrets: Sequence[str]
) -> Iterator[tuple[tuple[object, ...], Leak]]:
    """The findings of one run, and what makes them one with others.
    A value in two registers is one use of both.
    """
    registers: dict[tuple[object, ...], list[Finding]] = {}
    for finding in run.findings:
        block = finding.bytes if finding.what >= PUBLIC_MEMORY else None
        registers.setdefault((finding.kind, finding.pc, finding.stack, block), []).append(finding)
    for use, together in registers.items():
        leak = _leak(image, together, run, secrets)
        place: tuple[object, ...] = leak.kind, leak.function, leak.source or leak.address
        yield (use if leak.kind == DECLARED else place), leak


def _leak(image: Image, together: list[Finding], run: Seen, secrets: Sequence[str]) -> Leak:
    first = together[0]
    path = tuple(function_at(image, address) for address in first.stack)
    function = function_at(image, first.pc)
    labels = 0
    for finding in together:
        labels |= finding.labels
    declared = "block" if first.what >= PUBLIC_MEMORY else ", ".join(f"r{n.what}" for n in together)
    return Leak(
        kind=first.kind,
        # assembly behind a symbol's size
        function=path[-1] if function.startswith("0x") and path else function,
        source=source_at(image.lines, first.pc),
        address=first.pc,
        path=path,
        secret=tuple(name for bit, name in enumerate(secrets) if labels >> bit & 1),
        count=first.count,
        declared=declared if first.kind == DECLARED else None,
        bytes=sum(finding.bytes for finding in together) if first.kind == DECLARED else None,
        input=run.number,
        during=run.during,
    )


def _joined(leak: Leak, again: Leak, secrets: Sequence[str]) -> Leak:
    secret = tuple(name for name in secrets if name in leak.secret or name in again.secret)
    return msgspec.structs.replace(leak, secret=secret, count=leak.count + again.count)
