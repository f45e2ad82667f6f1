"""The assembly of a backend on the simulator: each function alone, held to what its banner says.

A banner is the comment that stands before `function NAME` in a file of lib/src, or `entry NAME`:

    /* mp_word ecfit_mp_mac_row(mp_word *r, const mp_word *a, mp_word b, size_t n)
     * r += a * b; ..
     * CT: all but n   Clobbers: r0-r3, r12, flags   Stack: 20 bytes
     * Cost: 21 + 34 n (cortex-m0plus), 21 + 35 n (cortex-m0)

`Stack:` is exact, and `Cost:` is exact on each cycle model that it names,
from the first instruction to the return; both are sums of numbers and multiples of n or n/2.
Where another backend takes more of the stack, `Stack:` says so: `112 bytes, 120 with armv7m`.
What a function computes stands in `workshop/assembly/cases.py`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from ecfit.build import foreign, toolchain
from ecfit.build.build import build_assembly
from ecfit.build.elf import Elf
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.run.call import BREAK
from ecfit.ship.assembly import cut
from ecfit.sim.abi import CONVENTIONS
from ecfit.sim.machine import Machine, Region, load_model
from workshop.assembly.edges import Aim
from workshop.paths import SRC

WORD = 32
ALL_ONES = (1 << WORD) - 1
FLASH, RAM, SIZE = 0, 0x2000_0000, 0x1_0000
TOP = RAM + SIZE - 0x400  # the stack pointer of a call
BELOW, ABOVE = 0x2000, 0x40  # bytes of the stack that are checked
GUARD = 32  # bytes around each operand
RETURN = 0x10  # where BKPT #1 stands
SAVED = {
    "EM_ARM": tuple(range(4, 12)),
    "EM_RISCV": (8, 9, *range(18, 28)),
}  # registers that a function keeps, beside the stack pointer
FILL = b"\xa5"
BACKENDS = {
    "armv6m": ("armv6m", "cortex-m0plus"),
    "armv7m": ("armv7m", "cortex-m3"),
    "armv7em": ("armv7m", "cortex-m4"),
    "rv32im": ("rv32", "ibex"),
}
CORES = {
    "armv6m": ("cortex-m0plus", "cortex-m0"),
    "armv7m": ("cortex-m3",),
    "armv7em": ("cortex-m4", "cortex-m33"),
    "rv32im": ("ibex", "ibex-single", "esp32-c3"),
    "avr": ("avr",),
}  # that banners name; for AVR: workshop/assembly/avr.py
MODELS = {
    "ibex-single": ("ibex", {"multiplier": 1}),
}  # cores of a banner that are not the name of a model: Ibex with its single-cycle multiplier
BANNER = re.compile(
    r"/\*(?P<text>[^/]*?\b(?P<name>ecfit_\w+)\((?P<parameters>[^)]*)\)(?:[^*]|\*(?!/))*)\*/"
)
FUNCTION = re.compile(r"^[ \t]+(function|entry)[ \t]+(\w+)", re.MULTILINE)
SUM = re.compile(r"\d+(?: n(?:/\d)?)?(?: [+-] \d+(?: n(?:/\d)?)?)*")


class Function(NamedTuple):
    """What a banner says: sums of numbers and multiples of n, as texts; `costs` by cycle model,
    where they are no such sum with one for each of some lengths. `inner`: keeps no register."""

    name: str
    stack: str
    costs: dict[str, str]
    inner: bool = False


Kind = Literal["in", "lost", "out", "inout", "word", "mask", "length"]


class Argument(NamedTuple):
    """A parameter: a pointer to `words` words, or a value.

    `least`, `most`: of an operand, where not all values are allowed. `below`: of one that has one
    element or several, what each is less than: one for all, or one for each.
    "lost" is read, and what it holds afterwards is no result; so it is of the last `scratch` words
    of others.
    """

    kind: Kind
    words: int = 0
    most: int | None = None
    least: int = 0
    below: int | tuple[int, ...] | None = None
    scratch: int = 0

    def elements(self) -> tuple[tuple[int, ...], int]:
        """What its elements are less than, and the bits from one to the next."""
        bounds = self.below if isinstance(self.below, tuple) else (self.below or 0,)
        bits = (max(bounds) - 1).bit_length()
        # whole ones of 64 bits: 521 bits stand in 18 words, 160 in 6
        return bounds, min(-(-bits // (2 * WORD)) * 2 * WORD, WORD * self.words)

    def fit(self, value: int) -> int:
        """The value with each of its elements brought below what they must be less than."""
        if self.below is None:
            return value
        bounds, size = self.elements()
        places = range(0, WORD * self.words, size)
        return sum(
            ((value >> at) % (1 << size) % bounds[i % len(bounds)]) << at
            for i, at in enumerate(places)
        )


class Case(NamedTuple):
    """What a function computes for one length.

    `reference`: from the values of its arguments, the values that it writes, in their order,
    and what it returns (None: nothing). `aliases`: pairs of arguments (written, read)
    that may be the same memory. `special`: operands worth a try. `fixed`: there is nothing to draw.
    `aim`: changes operands so that a result is an edge.
    """

    arguments: tuple[Argument, ...]
    reference: Callable[..., tuple[tuple[int, ...], int | None]]
    aliases: tuple[tuple[int, int], ...] = ()
    special: tuple[int, ...] = ()
    fixed: bool = False
    aim: Aim | None = None


@cache
def sources(backend: str) -> dict[str, str]:
    """The functions of a backend: what stands of each below lib/src, its banner with it.

    Of those that backends share, in folders `thumb`, those that name a core of this one; where they
    name none, they are of armv6m.
    """
    found: dict[str, str] = {}
    for path in sorted(SRC.rglob("*.S")):
        folders = path.relative_to(SRC).parts
        shared = "thumb" in folders
        if not shared and backend not in folders:
            continue
        for name, text in cut(path.read_text(encoding="utf-8")).items():
            cores = set(re.findall(r"\((cortex-\w+)", text)) or {CORES["armv6m"][0]}
            if not shared or cores & set(CORES[backend]):
                assert name not in found, f"{backend}: {name} twice"
                found[name] = text
    return found


def functions(backend: str) -> dict[str, Function]:
    """Every assembly function of a backend. Fails where one has no banner, or an incomplete one."""
    found: dict[str, Function] = {}
    for text in sources(backend).values():
        banners = {match["name"]: match["text"] for match in BANNER.finditer(text)}
        for kind, name in FUNCTION.findall(text):
            if kind == "entry" and name not in banners:
                continue  # of an inner function
            assert name in banners, f"{name} has no banner"
            found[name] = _function(backend, name, banners[name])
    return found


def _function(backend: str, name: str, banner: str) -> Function:
    banner = banner.replace("\n *", "")
    stack = re.search(rf"Stack: ({SUM.pattern}) bytes", banner)
    here = re.search(rf"bytes, (\d+) with {backend}\b", banner)
    line = re.search(r"Cost: ([^*]*)", banner)
    said = re.findall(rf"({SUM.pattern}) \(([\w-]+)(?:, n = (\d+))?\)", line[1] if line else "")
    costs: dict[str, str] = {}
    for text, core, length in said:
        if core not in CORES[backend]:
            continue
        costs[core] = f"{costs.get(core, '')} {length}:{text}" if length else text
    assert stack, f"{name} does not say its stack"
    assert costs, f"{name} does not say its cost"
    assert "Clobbers:" in banner, f"{name} does not say what it clobbers"
    return Function(name, (here or stack)[1], costs)


def evaluate(text: str, n: int) -> int:
    """The value of a sum in a banner. If the banner lists values by length, the value for n, or -1
    if there is none.
    """
    if ":" in text:
        return int(dict(re.findall(r"(\d+):(\d+)", text)).get(str(n), -1))
    total = 0
    for sign, number, times, part in re.findall(r"([+-]?) ?(\d+)(?:( n)(?:/(\d))?)?", text):
        total += (-1 if sign == "-" else 1) * int(number) * (n if times else 1) // int(part or 1)
    return total


def whole(backend: str) -> dict[str, str]:
    """The settings with which all of its functions are there."""
    return {"BACKEND": backend} | ({"FPU": "words"} if backend == "armv7em" else {})


@cache
def image(backend: str, compiler: str) -> Elf:
    """All functions of a backend, linked alone."""
    arch, core = BACKENDS[backend]
    machine = foreign.MACHINES[arch]
    tools = toolchain.find_toolchain(compiler, arch, core, "Os")
    config = knobs.resolve(CURVES["secp256r1"], "balanced", whole(backend), backend)
    with tempfile.TemporaryDirectory() as folder:
        return Elf(
            build_assembly(tools, knobs.header(config, ["secp256r1"]), Path(folder)), machine
        )


class Bench:
    """A core with the functions of a backend. `model`: its cycle model. `operands`: the arguments
    beside which there is no memory but the stack.
    """

    def __init__(
        self,
        backend: str,
        model: str,
        compiler: str = "gcc",
        operands: Sequence[Argument] | None = None,
    ) -> None:
        elf = image(backend, compiler)
        self.symbols = elf.symbols
        regions = [Region("flash", FLASH, 0x4_0000, "flash")]
        if operands is None:
            regions.append(Region("ram", RAM, SIZE, "ram"))
        else:
            regions.append(Region("stack", TOP - BELOW, BELOW, "ram"))
            regions += [
                Region(f"operand {i}", at, 4 * argument.words, "ram")
                for i, (at, argument) in enumerate(zip(places(operands), operands, strict=True))
                if argument.words
            ]
        name, options = MODELS.get(model, (model, {}))
        self.machine = Machine(load_model(name, **options), regions, None)
        arch = BACKENDS[backend][0]
        self.convention, self.saved = CONVENTIONS[arch], SAVED[foreign.MACHINES[arch]]
        for segment in elf.segments:
            self.machine.load(segment.address, segment.data)
        self.machine.load(RETURN, BREAK[arch])
        self.traces: dict[tuple[str, int], str] = {}

    def run(self, function: Function, case: Case, values: Sequence[int]) -> None:
        """One call, which is to end."""
        at = places(case.arguments)
        for place, argument, value in zip(at, case.arguments, values, strict=True):
            if argument.words:
                self.machine.write(place, value.to_bytes(4 * argument.words, "little"))
        words = [place or value for place, value in zip(at, values, strict=True)]
        result = self.machine.call(
            self.symbols[function.name], words, sp=TOP, return_to=RETURN, limit=4_000_000
        )
        assert (result.stop, result.bkpt) == ("bkpt", 1), (function.name, result)

    def check(
        self,
        function: Function,
        case: Case,
        n: int,
        values: Sequence[int],
        *,
        cost: str | None = None,
        alias: tuple[int, int] | None = None,
    ) -> None:
        """One call: results, cycles, trace, stack, kept registers, and nothing else written."""
        arguments, values = case.arguments, list(values)
        at = places(arguments)
        if alias:
            values[alias[0]], at[alias[0]] = values[alias[1]], at[alias[1]]
        before = bytearray(FILL * (_end(arguments) - RAM))
        for place, argument, value in zip(at, arguments, values, strict=True):
            if argument.words and (argument.kind != "out" or alias):
                _put(before, place, argument, value)
        words = [place or value for place, value in zip(at, values, strict=True)]
        self.machine.write(RAM, bytes(before))
        self.machine.write(TOP - BELOW, FILL * (BELOW + ABOVE))
        result = self.machine.call(
            self.symbols[function.name], words, sp=TOP, return_to=RETURN, limit=4_000_000
        )
        seen = f"{function.name}, n = {n}, {[hex(value) for value in values]}, alias {alias}"
        assert (result.stop, result.bkpt) == ("bkpt", 1), (seen, result)
        after = bytearray(self.machine.read(RAM, len(before)))
        written, returned = case.reference(*values)
        outputs = [i for i, argument in enumerate(arguments) if argument.kind in {"out", "inout"}]
        for index, value in zip(outputs, written, strict=True):
            got = _get(after, at[index], arguments[index])
            result_bits = WORD * (arguments[index].words - arguments[index].scratch)
            wrong = (got ^ value) & (1 << result_bits) - 1
            assert not wrong, f"{seen}: {got:x}, not {value:x}"
            _put(before, at[index], arguments[index], got)
        for place, argument in zip(at, arguments, strict=True):
            if argument.kind == "lost":
                _put(before, place, argument, _get(after, place, argument))
        assert after == before, f"{seen}: writes beside its outputs"
        if returned is not None:
            assert result.result == returned, f"{seen}: returns {result.result:x}, not {returned:x}"
        if cost is not None and evaluate(cost, n) >= 0:
            assert result.cycles == evaluate(cost, n), f"{seen}: {result.cycles} cycles, not {cost}"
        stacked = max(0, len(words) - len(self.convention.arguments))
        sp = TOP - (4 * stacked + 7 & -8)  # arguments that are in no register lie there
        self._check_kept(seen, sp)
        stack = sp - result.stack_low
        assert stack == evaluate(function.stack, n), f"{seen}: {stack} bytes of stack"
        if alias is None:
            trace = self.traces.setdefault((function.name, n), result.trace_hash)
            assert trace == result.trace_hash, f"{seen}: path or addresses depend on data"

    def _check_kept(self, seen: str, sp: int) -> None:
        """Registers and stack as the caller had them."""
        for index in self.saved:
            kept = self.machine.register(index) == 0xECF00000 + index
            assert kept, f"{seen}: r{index} is not kept"
        pointer = self.machine.register(self.convention.sp)
        assert pointer == sp, f"{seen}: the stack pointer is not kept"
        assert self.machine.read(TOP, ABOVE) == FILL * ABOVE, f"{seen}: writes above its frame"


def places(arguments: Sequence[Argument]) -> list[int]:
    """The address of each operand, guarded by unused memory; 0 of a value."""
    found, at = [], RAM
    for argument in arguments:
        found.append(at + GUARD if argument.words else 0)
        at += 4 * argument.words + 2 * GUARD if argument.words else 0
    return found


def _end(arguments: Sequence[Argument]) -> int:
    """Where their memory ends."""
    return RAM + sum(4 * argument.words + 2 * GUARD for argument in arguments)


def _put(memory: bytearray, place: int, argument: Argument, value: int) -> None:
    size = 4 * argument.words
    memory[place - RAM : place - RAM + size] = value.to_bytes(size, "little")


def _get(memory: bytearray, place: int, argument: Argument) -> int:
    return int.from_bytes(memory[place - RAM : place - RAM + 4 * argument.words], "little")


@cache
def edges(words: int) -> tuple[int, ...]:
    """Operands at which carries and halves go wrong: all ones, single bits, runs of ones."""
    full = (1 << WORD * words) - 1
    found = {0, 1, full, full - 1, full >> 1, (full >> 1) + 1}
    for i in range(words):
        found |= {1 << WORD * i + bit for bit in (0, 1, 15, 16, 31)}
        found |= {(1 << WORD * i) - 1, full ^ ((1 << WORD * i) - 1), full ^ (ALL_ONES << WORD * i)}
    for word in (
        0x55555555,
        0xAAAAAAAA,
        0x0000FFFF,
        0xFFFF0000,
        0x80000000,
        0x7FFFFFFF,
        0xFFFE0001,
    ):
        found.add(sum(word << WORD * i for i in range(words)))
    return tuple(sorted(found))


def draw(random: Random, argument: Argument, special: Sequence[int], *, edge: bool) -> int:
    """A value for an argument: any, or one of its edges."""
    if argument.kind == "mask":
        return random.choice((0, ALL_ONES))
    if argument.kind == "length":
        return 0
    bits = WORD * (argument.words or 1)
    most = (1 << bits) - 1 if argument.most is None else argument.most
    if edge:
        offered = [
            value
            for value in (*edges(argument.words or 1), *special, most)
            if argument.least <= value <= most
        ]
        return argument.fit(random.choice(offered))
    return argument.fit(random.randint(argument.least, most))


def operands(case: Case, n: int, count: int, seed: str) -> Iterator[list[int]]:
    """`count` times operands at random: edges in all of them, or anything."""
    random = Random(seed)
    arguments = case.arguments
    read = [i for i, a in enumerate(arguments) if a.kind in {"in", "lost", "inout", "word"}][:2]
    for index in range(1 if case.fixed else count):
        edge = index % 2 == 0
        drawn = [
            draw(random, a, case.special, edge=edge or (index % 4 == 1 and i not in read))
            for i, a in enumerate(arguments)
        ]
        yield [n if a.kind == "length" else v for a, v in zip(arguments, drawn, strict=True)]


def pairs(case: Case, n: int, most: int, seed: str) -> Iterator[list[int]]:
    """Pairs of edges of the first two operands that are read: all, or `most` of them."""
    random = Random(seed)
    read = [i for i, a in enumerate(case.arguments) if a.kind in {"in", "lost", "inout", "word"}][
        :2
    ]
    lists = []
    for index in read:
        argument = case.arguments[index]
        most_value = (
            (1 << WORD * (argument.words or 1)) - 1 if argument.most is None else argument.most
        )
        found = {*edges(argument.words or 1), *case.special, most_value}
        fit = [v for v in found if argument.least <= v <= most_value]
        lists.append(sorted({argument.fit(value) for value in fit}))
    chosen = list(product(*lists))
    for pair in chosen if len(chosen) <= most else random.sample(chosen, most):
        drawn = [draw(random, a, case.special, edge=True) for a in case.arguments]
        for index, value in zip(read, pair, strict=True):
            drawn[index] = value
        yield [n if a.kind == "length" else v for a, v in zip(case.arguments, drawn, strict=True)]
