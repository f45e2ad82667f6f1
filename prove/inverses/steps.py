"""The loop of `inv_steps`: each divstep by itself, from any state that the steps before it leave.

After i steps, the registers have f and g, which are the numbers F and G modulo 2^(S - i); zeta; and
the rows of the matrix, each entry in a register or two as u + 2^16 v in one. The prover stops at
the end of each step. There it checks that the registers are those of the next divstep, as
polynomials, forgets all else, and goes on with new variables. Whether g is odd and zeta negative
are four cases of a step; all four take the same path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from capstone.riscv import RISCV_REG_X0

from prove.algebra.values import M32, Pointer, Poly, Refused, Value, constant, plus
from prove.contracts.banner import SAVED
from prove.contracts.contract import Contract
from prove.contracts.divsteps import ZETA, Promise
from prove.goals.states import STACK, same
from prove.machine.execution import Content, Run
from prove.machine.image import Image
from prove.machine.signed import Signed, SignedRiscV, SignedThumb
from prove.machine.thumb import Thumb

WIDE = 1 << 600  # more than the numbers above the low limbs
Pair = tuple[int, int]  # F and G
Case = tuple[bool, bool]  # g is odd, zeta is negative
CASES: list[Case] = [(odd, negative) for odd in (False, True) for negative in (False, True)]


@dataclass(frozen=True)
class Layout:
    """Where a step ends, and the registers there; what `rows` has may be wrong, and then the proof
    fails. `rows`: of u, v, q, r, or of two rows. `entry`: the registers of f, g, zeta at first.
    """

    end: str
    f: int
    g: int
    zeta: int
    rows: tuple[int, ...]
    entry: tuple[int, int, int] = (1, 2, 3)


LAYOUTS = {
    30: Layout("lsls r5, r5, #1", 1, 2, 3, (4, 5, 6, 7)),
    15: Layout("lsls r4, r4, #1", 1, 2, 3, (4, 5)),
}


def layout_in_c(image: Image, name: str) -> Layout:
    """That of GCC's code on RV32IM: a branch ends a step. The matrix is stored from the registers
    of its entries, f and g stay where they are, and zeta is returned.
    """
    code = list(image.instructions(name))
    ends = {f"{i.name} {i.text}" for i in code if i.name.startswith("b")}
    stored = [i.operands[0].reg - RISCV_REG_X0 for i in code if i.name in ("sw", "swsp")]
    if len(ends) != 1:
        raise Refused("its steps are no loop")
    return Layout(ends.pop(), 11, 12, 10, tuple(stored[-4:]), (11, 12, 13))


class Stepper(Run):
    """A run that can stop."""

    limit = 100  # instructions of a step

    def until(self, pc: int, ends: set[int]) -> int | None:
        """From an address to behind one of these instructions, or to the caller."""
        assert self.path is not None
        while True:
            self.path.append(pc)
            after = self.step(pc)
            self.steps += 1
            if after is None or pc in ends:
                if isinstance(self, Thumb) and self.conditions:
                    raise Refused("a step ends in an IT block")
                return after
            pc = after
            if self.steps > self.limit:
                raise Refused(f"more than {self.limit} instructions")


class ThumbStepper(Stepper, SignedThumb):
    """In Thumb code."""

    METHODS: ClassVar[Any] = SignedThumb.METHODS
    limit = Stepper.limit


class RiscVStepper(Stepper, SignedRiscV):
    """In RV32IMC code."""

    limit = Stepper.limit


@dataclass
class Start:
    """After some steps: the variables, F and G, and the numbers that registers stand for."""

    space: Signed
    f: Value
    g: Value
    numbers: tuple[Poly, Poly]
    zeta: Value
    entries: list[Value]


def registers(s: Signed, *, rv: bool) -> dict[int, Value]:
    """Those at the entry: the first variables."""
    return {n: s.word(f"register {n}") for n in (range(5, 32) if rv else range(13))}


def started(count: int, said: Promise, case: Case, *, rv: bool) -> Start:
    """New variables for the state after so many steps."""
    s = Signed()
    registers(s, rv=rv)
    odd, negative = case
    half = s.value({(s.variable("f", 0, M32 >> 1),): 2, (): 1})
    other = s.value({(s.variable("g", 0, M32 >> 1),): 2} | ({(): 1} if odd else {}))
    most = ZETA + 2 * count
    ends = (-most, -1) if negative else (0, most)
    zeta = s.value({(s.variable("zeta", *ends),): 1})
    above = 1 << said.bits - count
    numbers = tuple(
        plus(v.p, {(s.variable(x, -WIDE, WIDE),): 1}, -above)
        for x, v in (("a", half), ("b", other))
    )
    k = 1 << count
    entries = [s.value({(s.variable(x, 1 - k, k),): 1}) for x in "uvqr"]
    if count == 0:
        entries = [constant(x) for x in (1, 0, 0, 1)]
    return Start(s, half, other, (numbers[0], numbers[1]), zeta, entries)


def following(start: Start, case: Case) -> tuple[tuple[Poly, Poly], Value, list[Value]]:
    """F, G, zeta and the matrix after a divstep."""
    s, (f, g), (u, v, q, r) = start.space, start.numbers, start.entries
    odd, negative = case
    sign = (-1 if negative else 1) if odd else 0
    twice = plus(g, f, sign)
    if any(c % 2 for c in twice.values()):
        raise Refused("the numbers of a divstep are not shown to be even")
    after = {m: c // 2 for m, c in twice.items()}
    lower = [s.add(x, s.scale(y, sign)) if sign else x for x, y in ((q, u), (r, v))]
    if odd and negative:
        zeta = s.add(s.scale(start.zeta, -1), constant(-2))
        return (g, after), zeta, [s.scale(q, 2), s.scale(r, 2), *lower]
    return (f, after), s.add(start.zeta, constant(-1)), [s.scale(u, 2), s.scale(v, 2), *lower]


def packed(s: Signed, entries: list[Value], layout: Layout) -> list[Value]:
    """The words of a matrix in registers."""
    if len(layout.rows) == 2:
        entries = [s.add(a, s.scale(b, 1 << 16)) for a, b in (entries[:2], entries[2:])]
    return [s.mod(e, 32) for e in entries]


class Loop:
    """The proof of one routine."""

    def __init__(self, image: Image, backend: str, name: str, said: Promise) -> None:
        self.image, self.said, self.rv = image, said, backend == "rv32im"
        self.layout = layout_in_c(image, name) if self.rv else LAYOUTS[said.bits]
        keeps = SAVED["rv" if self.rv else "arm"]
        self.contract = Contract(name, backend, {}, {}, (), keeps=keeps)
        self.entry = image.symbols[name]
        end = self.layout.end
        some = image.instructions(name)
        self.ends = {i.address for i in some if f"{i.name} {i.text}" == end}
        self.pc: int | None = self.entry
        self.path: list[int] = []
        self.segments: list[dict[Case, tuple[Start, Stepper]]] = []
        self.low = 0
        self.result, self.sp, link = (10, 2, 1) if self.rv else (0, 13, 14)
        self.registers: dict[int, Content] = {**registers(Signed(), rv=self.rv)}
        self.registers |= {self.result: Pointer("t", 0), self.sp: Pointer("sp", 0)}
        self.registers[link] = Pointer("lr", 0)
        self.first = dict(self.registers)
        self.memory: dict[tuple[str, int], Content | None] = {}

    def run(self, start: Start, registers: dict[int, Content]) -> tuple[Stepper, int | None]:
        """From where the last step ended."""
        areas = {"sp": (-STACK, 0, True), "t": (0, 16, True)}
        kind: type[Stepper] = RiscVStepper if self.rv else ThumbStepper
        run = kind(self.image, start.space, registers, {}, areas)
        run.memory = dict(self.memory)
        run.path = []
        assert self.pc is not None
        after = run.until(self.pc, self.ends)
        self.low = min(self.low, run.low)
        return run, after

    def step(self, count: int) -> None:
        """A divstep after so many. Errors: Refused."""
        found = dict[Case, tuple[Start, Stepper]]()
        ends = set[int | None]()
        for case in CASES:
            start = started(count, self.said, case, rv=self.rv)
            run, after = self.run(start, self._registers(start, first=count == 0))
            ends.add(after)
            found[case] = start, run
            self._compare(count, case, start, run)
        runs = [run for _, run in found.values()]
        if len(ends) != 1 or None in ends or any(r.path != runs[0].path for r in runs):
            raise Refused("the paths of a step differ, or it has no end")
        self.segments.append(found)
        self.path += runs[0].path or []
        (self.pc,) = ends
        self._merge(runs)

    def _registers(self, start: Start, *, first: bool) -> dict[int, Content]:
        layout, s = self.layout, start.space
        made = dict(self.registers)
        places = layout.entry if first else (layout.f, layout.g, layout.zeta)
        made |= dict(zip(places, (start.f, start.g, s.mod(start.zeta, 32)), strict=True))
        if not first:
            words = packed(s, start.entries, layout)
            made |= dict(zip(layout.rows, words, strict=True))
        return made

    def _compare(self, count: int, case: Case, start: Start, run: Stepper) -> None:
        """The registers after the step. Errors: Refused."""
        layout, s = self.layout, start.space
        numbers, zeta, entries = following(start, case)
        above = 1 << self.said.bits - count - 1
        for n, number in ((layout.f, numbers[0]), (layout.g, numbers[1])):
            if any(c % above for c in plus(run.word(n).p, number, -1).values()):
                raise Refused(f"register {n} after step {count + 1} has other low bits")
        words = [s.mod(zeta, 32), *packed(s, entries, layout)]
        for n, word in zip((layout.zeta, *layout.rows), words, strict=True):
            if run.word(n).p != word.p:
                raise Refused(f"register {n} after step {count + 1} is another")
        most = ZETA + 2 * (count + 1)
        if zeta.lo < -most or zeta.hi > most:
            raise Refused("zeta is too large")

    def _merge(self, runs: list[Stepper]) -> None:
        """What all cases left the same and is no new variable; other registers are forgotten."""
        layout, kept = self.layout, dict[int, Content]()
        mine = {layout.f, layout.g, layout.zeta, *layout.rows}
        for n, v in runs[0].r.items():
            others = [r.r.get(n) for r in runs]
            if n in mine or v is None or not self._old(v):
                continue
            if all(o is not None and same(o, v) for o in others):
                kept[n] = v
        self.registers = kept
        memory = runs[0].memory
        for r in runs:
            equal = r.memory.keys() == memory.keys() and all(
                isinstance(v, Value | Pointer) and self._old(v) and same(r.memory[k], v)
                for k, v in memory.items()
            )
            if not equal:
                raise Refused("a step writes memory")
        self.memory = dict(memory)

    def end(self) -> tuple[Start, Stepper]:
        """Behind the last step. Errors: Refused."""
        count, contract = self.said.bits, self.contract
        start = started(count, self.said, (False, False), rv=self.rv)
        s = start.space
        most = ZETA + 2 * count
        start.zeta = s.value({(s.variable("any zeta", -most, most),): 1})
        start.f, start.g = s.word("any f"), s.word("any g")  # no bit of them counts
        run, after = self.run(start, self._registers(start, first=False))
        self.path += run.path or []
        if after is not None:
            raise Refused(f"there are more than {count} steps")
        words = [s.mod(e, 32) for e in start.entries]
        for i, word in enumerate(words):
            found = run.memory.get(("t", 4 * i))
            if not isinstance(found, Value) or found.p != word.p:
                raise Refused(f"entry {i} of the matrix is another")
        if run.word(self.result).p != s.mod(start.zeta, 32).p:
            raise Refused("another zeta is returned")
        if run.get(self.sp) != Pointer("sp", 0):
            raise Refused("the stack pointer is not kept")
        for n in contract.keeps:
            if not same(run.r.get(n), self.first[n]):
                raise Refused(f"register {n} is not kept")
        return start, run

    def _old(self, v: Content) -> bool:
        """Whether it has no variables but the registers at the entry."""
        most = 27 if self.rv else 13
        return isinstance(v, Pointer) or all(x < most for m in v.p for x in m)
