"""The assembly of AVR on the simulator: what routines.py is for cores of 32 bits.

Its functions are not proved, so each bound of operands that a banner names is among the operands
here, and each bound of results is checked. `Stack:` is without the return address of the function
itself; `Cost:` is for a program counter of 16 bits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from ecfit.build import toolchain
from ecfit.build.build import build_assembly
from ecfit.build.elf import Elf
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.sim.machine import Machine, Region, RunResult, load_model
from workshop.assembly.routines import FILL, GUARD, Function, evaluate

DATA = 0x80_0000
RAM, SIZE = DATA + 0x200, 0x2000
TOP = RAM + SIZE - 0x41  # the stack pointer of a call
BELOW, ABOVE = 0x200, 0x40  # bytes of the stack that are checked
RETURN, BREAK = 0x10, b"\x98\x95\x11\x2c"  # BREAK, MOV r1, r1: stops with number 1
SP, KEPT, ZERO = 32, (*range(2, 18), 28, 29), 1
X, Y, Z, MASK = 26, 28, 30, 18
ALL_ONES = 0xFFFF  # a mask
SECRET = 1  # a label

R = 1 << 256
P25519 = (1 << 255) - 19
P160 = (1 << 160) - (1 << 31) - 1
P256 = (1 << 256) - (1 << 224) + (1 << 192) + (1 << 96) - 1


class Argument(NamedTuple):
    """`size` bytes behind a pointer, or a value if there are none. `kind`: in, out, inout, lost
    (read, and garbage afterwards) or value. `below`: what an operand must be less than.
    `public`: it is never random.
    """

    kind: str
    size: int = 0
    below: int | None = None
    public: bool = False

    @property
    def bound(self) -> int:
        """What it is less than."""
        return self.below or 1 << 8 * (self.size or 2)


class Case(NamedTuple):
    """`right`: whether the results are, from the operands and the results, the returned value
    last. `edges`: of operands, by argument. `pointers`: registers of an inner routine's pointers.
    """

    arguments: tuple[Argument, ...]
    right: Callable[[Sequence[int], Sequence[int]], bool]
    edges: dict[int, tuple[int, ...]]
    aliases: tuple[tuple[int, int], ...] = ()
    pointers: tuple[int, ...] = ()
    n: int = 0


def edges(size: int) -> tuple[int, ...]:
    """Integers of some bytes at which carries go wrong: all ones, single bits, runs of ones."""
    full = (1 << 8 * size) - 1
    found = {0, 1, full, full - 1, full >> 1, (full >> 1) + 1}
    for i in range(0, 8 * size, 8):
        found |= {1 << i, 1 << i + 7, (1 << i) - 1, full ^ ((1 << i) - 1), full ^ (0xFF << i)}
    found |= {int.from_bytes(bytes([byte]) * size, "little") for byte in (0x55, 0xAA, 0x80, 0x7F)}
    return tuple(sorted(found))


def by_halves(size: int) -> tuple[int, ...]:
    """Two halves that are edges each: what Karatsuba subtracts is 0, all ones, of either sign."""
    half = size // 2
    draw, some = Random(size), edges(half)
    extremes = (0, 1, (1 << 8 * half) - 1, (1 << 8 * half) - 2)
    found = {low | high << 8 * half for low in extremes for high in extremes}
    found |= {draw.choice(some) | draw.choice(some) << 8 * half for _ in range(200)}
    return tuple(sorted(found))


def near(*pivots: int) -> tuple[int, ...]:
    """Numbers at pivots."""
    return tuple(sorted({max(0, pivot + d) for pivot in pivots for d in (-2, -1, 0, 1, 2)}))


@cache
def elf() -> Elf:
    """All functions of the back end, linked alone."""
    tools = toolchain.find_toolchain("gcc", "avr", "avr5", "Os")
    config = knobs.resolve(CURVES["secp256r1"], "balanced", {"BACKEND": "avr"}, "avr")
    with tempfile.TemporaryDirectory() as folder:
        return Elf(build_assembly(tools, knobs.header(config, ["secp256r1"]), Path(folder)),
                   "EM_AVR")  # fmt: skip


class Bench:
    """A core with the functions of the back end."""

    def __init__(self) -> None:
        image = elf()
        self.symbols = image.symbols
        regions = [Region("flash", 0, 0x1_0000, "flash"), Region("ram", RAM, SIZE, "ram")]
        self.machine = Machine(load_model("avr"), regions, None)
        for segment in image.segments:
            self.machine.load(segment.address, segment.data)
        self.machine.load(RETURN, BREAK)
        self.traces: dict[str, str] = {}

    def check(
        self,
        function: Function,
        case: Case,
        values: Sequence[int],
        alias: tuple[int, int] | None = None,
        *,
        taint: bool = False,
    ) -> None:
        """One call: results, cycles, trace, stack, kept registers, and nothing else written."""
        machine, arguments = self.machine, case.arguments
        values, at = list(values), places(arguments)
        if alias:
            values[alias[0]], at[alias[0]] = values[alias[1]], at[alias[1]]
        before = bytearray(FILL * (_end(arguments) - RAM))
        for start, argument, value in zip(at, arguments, values, strict=True):
            if argument.size and (argument.kind != "out" or alias):
                _put(before, start, argument, value)
        machine.write(RAM, bytes(before))
        machine.write(TOP + 1 - BELOW, FILL * (BELOW + ABOVE))
        if taint:
            self._mark(at, arguments)
        words = [(start or value) & 0xFFFF for start, value in zip(at, values, strict=True)]
        result = self._called(function, case, words, taint=taint)
        seen = f"{function.name} {[hex(value) for value in values]}, alias {alias}"
        assert (result.stop, result.bkpt) == ("bkpt", 1), (seen, result)
        after = bytearray(machine.read(RAM, len(before)))
        results = []
        for start, argument in zip(at, arguments, strict=True):
            if argument.kind in {"out", "inout"}:
                results.append(_get(after, start, argument))
            if argument.size and argument.kind != "in":
                _put(before, start, argument, _get(after, start, argument))
        assert case.right(values, [*results, result.result & 0xFFFF]), (
            f"{seen}: {[hex(value) for value in results]}"
        )
        assert after == before, f"{seen}: writes beside its outputs"
        assert not result.findings, (seen, result.findings)
        self._check_kept(seen, words, keeps=not case.pointers)
        if not case.pointers:
            stack = TOP - 2 - result.stack_low
            assert stack == evaluate(function.stack, case.n), f"{seen}: {stack} bytes of stack"
            assert result.cycles == evaluate(function.costs["avr"], case.n), (seen, result.cycles)
        if alias is None:
            key = f"{function.name} {case.n}"
            assert self.traces.setdefault(key, result.trace_hash) == result.trace_hash, seen

    def _mark(self, at: Sequence[int], arguments: Sequence[Argument]) -> None:
        """The operands in memory are secret."""
        self.machine.secret(RAM, SIZE, 0)
        for start, argument in zip(at, arguments, strict=True):
            if argument.size and argument.kind != "out":
                self.machine.secret(start, argument.size, SECRET)

    def _check_kept(self, seen: str, words: Sequence[int], *, keeps: bool) -> None:
        """Registers and stack as the caller had them; r1 zero."""
        machine = self.machine
        assert machine.register(ZERO) == 0, seen
        assert machine.register(SP) == TOP, f"{seen}: the stack pointer is not kept"
        assert machine.read(TOP + 1, ABOVE) == FILL * ABOVE, f"{seen}: writes above its frame"
        if keeps:
            kept = {index: index for index in KEPT}  # patterns, but for a fifth argument
            if words[4:]:
                kept |= {16: words[4] & 0xFF, 17: words[4] >> 8}
            found = {index: machine.register(index) for index in KEPT}
            assert found == kept, f"{seen}: registers are not kept"

    def _called(
        self, function: Function, case: Case, words: Sequence[int], *, taint: bool
    ) -> RunResult:
        address, machine = self.symbols[function.name], self.machine
        if not case.pointers:
            return machine.call(
                address, words, sp=TOP, return_to=RETURN, limit=100_000, taint=taint
            )
        machine.write(TOP - 1, (RETURN // 2).to_bytes(2, "big"))
        for index, word in zip(case.pointers, words, strict=True):
            machine.set_register(index, word & 0xFF)
            if index != MASK:
                machine.set_register(index + 1, word >> 8)
        machine.set_register(ZERO, 0)
        machine.set_register(SP, TOP - 2)
        return machine.run(address, limit=100_000, taint=taint)


def places(arguments: Sequence[Argument]) -> list[int]:
    """The address of each operand, guarded by unused memory; 0 of a value."""
    found, at = [], RAM
    for argument in arguments:
        found.append(at + GUARD if argument.size else 0)
        at += argument.size + 2 * GUARD if argument.size else 0
    return found


def _end(arguments: Sequence[Argument]) -> int:
    """Where their memory ends."""
    return RAM + sum(argument.size + 2 * GUARD for argument in arguments)


def _put(memory: bytearray, place: int, argument: Argument, value: int) -> None:
    memory[place - RAM : place - RAM + argument.size] = value.to_bytes(argument.size, "little")


def _get(memory: bytearray, place: int, argument: Argument) -> int:
    return int.from_bytes(memory[place - RAM : place - RAM + argument.size], "little")


def operands(case: Case, count: int, draw: Random) -> Iterator[list[int]]:
    """Edges with edges, and random values; of pointers to results 0."""
    for index in range(count):
        values = []
        for place, argument in enumerate(case.arguments):
            if argument.kind == "out":
                values.append(0)
            elif argument.public or (case.edges.get(place) and index % 4):  # a quarter is random
                values.append(draw.choice(case.edges[place]) % argument.bound)
            else:
                values.append(draw.randrange(argument.bound))
        yield values


# ---- what each function computes --------------------------------------------------------------

OUT, IN = Argument("out", 32), Argument("in", 32)
BELOW_P, BELOW_P160 = Argument("in", 32, P256), Argument("in", 24, P160)
SHORT = Argument("in", 20)
OF_25519 = near(0, P25519, 2 * P25519, 1 << 255, R - 1, 167 << 248, 130 << 248) + edges(32)
OF_P160 = near(0, P160, P160 >> 1, 1 << 31, (1 << 160) - P160 - 1) + edges(20)
OF_P256 = near(0, P256, P256 >> 1, 1 << 224, 1 << 192, 1 << 96, R - P256) + edges(32)
ALIASES = ((0, 1), (0, 2))


def exact(compute: Callable[..., int]) -> Callable[[Sequence[int], Sequence[int]], bool]:
    """The first result is that of the operands."""
    return lambda values, results: results[0] == compute(*values[1:])


def modulo(
    p: int, below: int, compute: Callable[..., int]
) -> Callable[[Sequence[int], Sequence[int]], bool]:
    """It is that modulo p, and below a bound."""
    return lambda values, results: (
        results[0] < below and (results[0] - compute(*values[1:])) % p == 0
    )


def field(p: int, below: int, operand: Argument, some: tuple[int, ...], sign: int) -> list[Case]:
    """A sum or a difference."""
    right = modulo(p, below, lambda a, b: a + sign * b)
    out = Argument("out", operand.size)
    return [Case((out, operand, operand), right, {1: some, 2: some}, ALIASES)]


def lengths(make: Callable[[int], Case]) -> list[Case]:
    """For some numbers of words, those of curves among them."""
    return [make(n) for n in (1, 2, 10, 12, 16, 17, 36)]


def added(n: int) -> Case:
    size, full = 2 * n, 1 << 16 * n

    def right(values: Sequence[int], results: Sequence[int]) -> bool:
        total = values[1] + (values[2] if values[3] else 0)
        return results[0] == total % full and results[1] == total // full

    mask, count = Argument("value"), Argument("value", below=n + 1)
    arguments = (Argument("out", size), Argument("in", size), Argument("in", size), mask, count)
    some = edges(size)
    return Case(arguments, right, {1: some, 2: some, 3: (0, ALL_ONES), 4: (n,)}, ALIASES, n=n)


def subtracted(n: int) -> Case:
    size, full = 2 * n, 1 << 16 * n

    def right(values: Sequence[int], results: Sequence[int]) -> bool:
        total = values[1] - values[2]
        return results[0] == total % full and results[1] == (total < 0)

    arguments = (Argument("out", size), Argument("in", size), Argument("in", size))
    some = edges(size)
    return Case((*arguments, Argument("value")), right, {1: some, 2: some, 3: (n,)}, ALIASES, n=n)


def moved(n: int) -> Case:
    arguments = (Argument("inout", 2 * n), Argument("in", 2 * n), *MASK_AND_LENGTH)
    right = lambda values, results: results[0] == values[1 if values[2] else 0]  # noqa: E731
    return Case(arguments, right, {2: (0, ALL_ONES), 3: (n,)}, n=n)


def exchanged(n: int) -> Case:
    def right(values: Sequence[int], results: Sequence[int]) -> bool:
        return list(results[:2]) == list(values[:2][:: -1 if values[2] else 1])

    arguments = (Argument("inout", 2 * n), Argument("inout", 2 * n), *MASK_AND_LENGTH)
    return Case(arguments, right, {2: (0, ALL_ONES), 3: (n,)}, n=n)


ENTRIES = 8
MASK_AND_LENGTH = (Argument("value"), Argument("value"))


def looked_up(n: int) -> Case:
    def right(values: Sequence[int], results: Sequence[int]) -> bool:
        return results[0] == values[1] >> 16 * n * values[2] & (1 << 16 * n) - 1

    arguments = (Argument("out", 2 * n), Argument("in", 2 * n * ENTRIES), *3 * (Argument("value"),))
    return Case(arguments, right, {2: tuple(range(ENTRIES)), 3: (ENTRIES,), 4: (n,)}, n=n)


def row(n: int) -> Case:
    def right(values: Sequence[int], results: Sequence[int]) -> bool:
        total = values[0] + values[1] * values[2]
        return results[0] == total % (1 << 16 * n) and results[1] == total >> 16 * n

    arguments = (Argument("inout", 2 * n), Argument("in", 2 * n), *MASK_AND_LENGTH)
    some = edges(2 * n)
    words = (0, 1, 0xFF, 0x100, 0xFF00, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF)
    return Case(arguments, right, {0: some, 1: some, 2: words, 3: (n,)}, n=n)


def fixed(case: Case, *places: int) -> Case:
    """A value that is drawn from the edges alone."""
    return case._replace(
        arguments=tuple(
            argument._replace(public=True) if place in places else argument
            for place, argument in enumerate(case.arguments)
        )
    )


def combined(values: Sequence[int], results: Sequence[int]) -> bool:
    """Of l, h and m: what stands at Y begins a byte below m."""
    low, high, m = values[0] % R, values[0] >> 256, values[1] >> 8
    middle = low + high + (-m if values[2] else m)
    return middle < 0 or results[0] == (low + (middle << 128) + (high << 256)) % (1 << 512)


HALF, WHOLE = Argument("in", 16), Argument("out", 64)
PARTS = by_halves(32)
SQUARES = tuple(a * b for a in edges(16)[::7] + edges(16)[-3:] for b in edges(16)[-3:])
WIDE = (
    *by_halves(64),
    *(a * b for a in OF_25519[::9] for b in OF_25519[::11]),
    *((high << 256) + low for high in (R - 1, R - 38, 0) for low in (R - 1, R - 38, 0)),
)
WIDE_P256 = (
    *(a * b for a in OF_P256[::7] for b in OF_P256[::11] if a < P256 and b < P256),
    *((high << 256) + low for high in (0, 1, P256 - 1, P256 - 2) for low in OF_P256),
)
WIDE_P160 = (
    *(a * b for a in OF_P160[::5] for b in OF_P160[::7] if a < P160 and b < P160),
    *((high << 160) + low for high in (0, 1, P160 - 2) for low in OF_P160),
    *(
        sum(draw.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)) << 32 * i for i in range(10))
        for draw in (Random(seed) for seed in range(300))
    ),
)
SMALL = (0, 1, 121665, 121666, (1 << 19) - 1, (1 << 19) - 2, 0xFF, 0xFF00, 0x70000, 1 << 18)
CASES: dict[str, list[Case]] = {
    "ecfit_mp_add": [fixed(case, 3, 4) for case in lengths(added)],
    "ecfit_mp_sub": [fixed(case, 3) for case in lengths(subtracted)],
    "ecfit_mp_cmov": [fixed(case, 2, 3) for case in lengths(moved)],
    "ecfit_mp_cswap": [fixed(case, 2, 3) for case in lengths(exchanged)],
    "ecfit_mp_lookup": [fixed(case, 2, 3, 4) for case in lengths(looked_up)],
    "ecfit_mp_mac_row": [fixed(case, 3) for case in lengths(row)],
    "ecfit_mp_mul_half": [
        Case(
            (HALF, HALF, OUT),
            lambda values, results: results[0] == values[0] * values[1],
            {0: edges(16), 1: edges(16)},
            pointers=(X, Y, Z),
        )
    ],
    "ecfit_mp_sqr_half": [
        Case(
            (HALF, OUT),
            lambda values, results: results[0] == values[0] ** 2,
            {0: edges(16)},
            pointers=(X, Z),
        )
    ],
    "ecfit_mp_combine": [
        fixed(
            Case(
                (Argument("inout", 64), Argument("in", 33), Argument("value", below=256)),
                combined,
                {
                    0: tuple(low | high << 256 for low in SQUARES[::3] for high in SQUARES[::5]),
                    1: tuple(m << 8 | 0xA5 for m in SQUARES),
                    2: (0, 0xFF),
                },
                pointers=(Z, Y, MASK),
            ),
            0, 1, 2,
        )
    ],
    "ecfit_mp_mul_16": [Case((WHOLE, IN, IN), exact(lambda a, b: a * b), {1: PARTS, 2: PARTS})],
    "ecfit_mp_sqr_16": [Case((WHOLE, IN), exact(lambda a: a * a), {1: PARTS})],
    "ecfit_p25519_redc": [
        Case((OUT, Argument("in", 64)), modulo(P25519, 167 << 248, lambda t: t), {1: WIDE})
    ],
    "ecfit_p25519_fe_add": field(P25519, 130 << 248, IN, OF_25519, 1),
    "ecfit_p25519_fe_sub": field(P25519, 131 << 248, IN, OF_25519, -1),
    "ecfit_p25519_fe_small": [
        Case(
            (OUT, IN, Argument("in", 4, 1 << 19)),
            modulo(P25519, (1 << 255) + (1 << 250), lambda a, b: a * b),
            {1: OF_25519, 2: SMALL},
            ((0, 1),),
        )
    ],
    "ecfit_mp_mul_short": [
        Case(
            (SHORT, SHORT, Argument("out", 40)),
            lambda values, results: results[0] == values[0] * values[1],
            {0: edges(20), 1: edges(20)},
            pointers=(X, Y, Z),
        )
    ],
    "ecfit_mp_sqr_short": [
        Case(
            (SHORT, Argument("out", 40)),
            lambda values, results: results[0] == values[0] ** 2,
            {0: edges(20)},
            pointers=(X, Z),
        )
    ],
    "ecfit_mp_mul_10": [
        Case(
            (Argument("out", 40), SHORT, SHORT),
            exact(lambda a, b: a * b),
            {1: edges(20), 2: edges(20)},
        )
    ],
    "ecfit_mp_sqr_10": [
        Case((Argument("out", 40), SHORT), exact(lambda a: a * a), {1: edges(20)})
    ],
    "ecfit_secp160r1_redc": [
        Case(
            (Argument("out", 24), Argument("lost", 40, (P160 - 1) ** 2 + 1)),
            modulo(P160, P160, lambda t: t * pow(1 << 192, -1, P160)),
            {1: WIDE_P160},
        )
    ],
    "ecfit_secp160r1_fe_add": field(P160, P160, BELOW_P160, OF_P160, 1),
    "ecfit_secp160r1_fe_sub": field(P160, P160, BELOW_P160, OF_P160, -1),
    "ecfit_secp256r1_redc": [
        Case(
            (OUT, Argument("lost", 64, P256 << 256)),
            modulo(P256, P256, lambda t: t * pow(R, -1, P256)),
            {1: WIDE_P256},
        )
    ],
    "ecfit_secp256r1_fe_add": field(P256, P256, BELOW_P, OF_P256, 1),
    "ecfit_secp256r1_fe_sub": field(P256, P256, BELOW_P, OF_P256, -1),
}  # fmt: skip
