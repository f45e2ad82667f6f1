"""Registers for a program, in one walk, and loads and stores where they cost least.

The walk evicts the value that is needed last (Belady), and one that memory has before one that must
be written; two numbers of `Tuning` weigh that. Then loads move up to loads, and loads and stores
to where the cost model of the back end has them for less, as far as nothing minds.
Nothing reads a word of an operand once the result's word of the same number is written, because
the result may be the operand: `aliased` checks it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from gen.straight.program import Op, Program

NEVER = 10**9
FIRST_USES = 30  # operations between two uses of an operand, beyond which its pointer counts again
NEAR = 12  # operations: what is needed this soon keeps its register when it is spilt
OPERANDS = frozenset("abc")  # areas that the result's may be
ON_STACK = "x"  # the area of an operand that needs no pointer
FAR = 40  # lines that a load moves up at most
WINDOW, ROUNDS = 24, 6  # lines that one moves by at most, and how often all are tried


class Tuning(NamedTuple):
    """Operations by which the next use of a value seems nearer than it is: of one that has to be
    written first, and of a pointer.
    """

    dirty: int
    pointer: int


class Line(NamedTuple):
    """An instruction. `kind`: op, ldr or str; of the last two, the register and the place:
    an area (`frame`, `x`, `saved`, or a pointer) and a word of it, behind a register.
    """

    kind: str
    name: str
    operands: tuple[str, ...]
    reads: frozenset[str]
    writes: frozenset[str]
    place: tuple[str, int] = ("", 0)
    base: str = "sp"


Estimate = Callable[[Sequence[Line]], int]


class Walk:
    """The state of the allocator between two operations."""

    def __init__(self, p: Program, registers: Sequence[str], start: dict[str, str], tuning: Tuning):
        self.p, self.registers, self.tuning = p, registers, tuning
        self.saved = {value: i for i, value in enumerate(start)}  # pointers that the frame has
        self.register = {v: r for v, r in start.items() if r}
        self.owner = {r: v for v, r in self.register.items()}
        self.dirty: set[str] = set()
        self.slots: dict[str, int] = {}
        self.free_slots: list[int] = []
        self.count = 0  # of slots
        self.lines: list[Line] = []
        self.age: dict[str, int] = {}
        self.uses = self._uses()
        self.at = 0

    def _uses(self) -> dict[str, list[int]]:
        """Where each value is read; a pointer where a strip begins to load through it."""
        uses: dict[str, list[int]] = {}
        for i, op in enumerate(self.p.ops):
            for v in op.reads:
                home = self.p.home.get(v)
                if home:
                    before = uses.get(v)
                    if not before or i - before[-1] > FIRST_USES:
                        uses.setdefault(home[0], []).append(i)
                uses.setdefault(v, []).append(i)
            if op.name == "store":
                uses.setdefault(op.place[0], []).append(i)
        return uses

    def next_use(self, v: str, i: int) -> int:
        """From operation i on."""
        uses = self.uses.get(v, [])
        first = bisect_left(uses, i)
        return uses[first] if first < len(uses) else NEVER

    def drop(self, v: str) -> str:
        """Its register, free."""
        r = self.register.pop(v)
        del self.owner[r]
        self.age[r] = len(self.lines)
        return r

    def save(self, v: str, *, first: bool = False) -> None:
        """To its slot in the frame."""
        if v not in self.slots:
            if self.free_slots:
                self.slots[v] = self.free_slots.pop(0 if first else -1)
            else:
                self.slots[v] = self.count
                self.count += 1
        self.write(self.register[v], ("frame", self.slots[v]))
        self.dirty.discard(v)

    def write(self, r: str, place: tuple[str, int], base: str = "sp") -> None:
        """A store."""
        reads = frozenset({r} if base == "sp" else {r, base})
        self.lines.append(Line("str", "str", (r,), reads, frozenset(), place, base))

    def evict(self, keep: set[str]) -> str:
        """The register of the value that is needed last."""
        best, score = "", -NEVER
        for v in self.owner.values():
            if v in keep:
                continue
            use = self.next_use(v, self.at)
            mine = use if use == NEVER else use - self.at - self.tuning.dirty * (v in self.dirty)
            if v in self.saved and use < NEVER:
                mine -= self.tuning.pointer
            if mine > score:
                best, score = v, mine
        assert best, "no register is free"
        if best in self.dirty and self.next_use(best, self.at) < NEVER:
            self.save(best)
        return self.drop(best)

    def get(self, keep: set[str]) -> str:
        """A register: of those that are free, the one that is so for longest."""
        free = [r for r in self.registers if r not in self.owner]
        return min(free, key=lambda r: self.age.get(r, 0)) if free else self.evict(keep)

    def bring(self, v: str, keep: set[str]) -> str:
        """The value in a register."""
        if v in self.register:
            return self.register[v]
        place, base = ("", 0), "sp"
        if v in self.slots:
            place = ("frame", self.slots[v])
        elif v in self.saved:
            place = ("saved", self.saved[v])
        else:
            place = self.p.home[v]
            if place[0] != ON_STACK:
                base = self.bring(place[0], keep)
                keep = keep | {place[0]}
        r = self.get(keep)
        reads = frozenset() if base == "sp" else frozenset({base})
        self.lines.append(Line("ldr", "ldr", (r,), reads, frozenset({r}), place, base))
        self.register[v], self.owner[r] = r, v
        return r

    def forget(self) -> None:
        """What nothing needs any more."""
        for v in [v for v in self.register if self.next_use(v, self.at + 1) == NEVER]:
            self.drop(v)
            self.dirty.discard(v)
        for v in [v for v in self.slots if self.next_use(v, self.at + 1) == NEVER]:
            self.free_slots.append(self.slots.pop(v))

    def step(self, i: int, op: Op) -> None:
        """One operation."""
        self.at, keep = i, set(op.reads)
        if op.name == "touch":
            after = self.p.ops[i + 1] if i + 1 < len(self.p.ops) else op
            done = {*after.reads} & {*self.register} if after.name == "spill" else set()
            for v in op.reads:
                self.bring(v, keep | done)
        elif op.name == "spill":
            (v,) = op.reads
            if v in self.register and v in self.dirty and self.next_use(v, i + 1) < NEVER:
                self.save(v, first=True)
                if self.next_use(v, i + 1) - i > NEAR:
                    self.drop(v)
            return
        elif op.name == "store":
            base = "sp"
            if op.place[0] != ON_STACK:
                keep.add(op.place[0])
                base = self.bring(op.place[0], keep)
            self.write(self.bring(op.reads[0], keep), op.place, base)
        else:
            self.compute(op, keep)
        self.forget()

    def compute(self, op: Op, keep: set[str]) -> None:
        """An instruction: values that it reads last leave their registers to new ones."""
        for v in op.reads:
            self.bring(v, keep)
        where = {v: self.register[v] for v in keep}
        fresh = [v for v in op.writes if v not in op.reads]
        two = len(op.writes) > 1  # whose results may not stand where its operands do
        if not two:
            for v in [v for v in keep if v not in op.writes]:
                if self.next_use(v, self.at + 1) == NEVER:
                    self.drop(v)
                    self.dirty.discard(v)
        self.at += not two
        for v in fresh:
            kept = (keep if two else {u for u in keep if u in self.register}) | set(fresh)
            r = self.get(kept)
            self.register[v], self.owner[r], where[v] = r, v, r
        self.at -= not two
        self.dirty |= set(op.writes)
        operands = tuple(where.get(text, text) for text in op.operands)
        reads = frozenset(where[v] for v in op.reads)
        writes = frozenset(where[v] for v in op.writes)
        self.lines.append(Line("op", op.name, operands, reads, writes))


def allocated(
    p: Program, registers: Sequence[str], start: dict[str, str], tuning: Tuning, estimate: Estimate
) -> tuple[list[Line], int]:
    """The lines of a program, and the words of its frame. `start`: the registers of pointers, or ""
    where none has one, whose values the frame has as well, behind its own words, in this order.
    """
    walk = Walk(p, registers, start, tuning)
    for i, op in enumerate(p.ops):
        walk.step(i, op)
    lines = scheduled(paired(walk.lines), estimate)
    assert p.apart or not aliased(lines)
    return lines, walk.count


def aliased(lines: Sequence[Line]) -> list[Line]:
    """Loads of an operand's word behind the store of the result's word of the same number."""
    written: set[int] = set()
    late = []
    for line in lines:
        area, k = line.place
        if line.kind == "str" and area == "r":
            written.add(k)
        if line.kind == "ldr" and area in OPERANDS and k in written:
            late.append(line)
    return late


def commute(x: Line, y: Line) -> bool:
    """Whether two lines may change places. Where one is a store, no word is in two places but one
    of the result, which may be an operand's of the same number.
    """
    if x.writes & (y.reads | y.writes) or y.writes & x.reads:
        return False
    if "str" not in (x.kind, y.kind) or "op" in (x.kind, y.kind):
        return True
    if x.place[1] != y.place[1]:
        return True
    areas = {x.place[0], y.place[0]}
    return len(areas) > 1 and not ("r" in areas and areas & OPERANDS)


def paired(lines: Sequence[Line]) -> list[Line]:
    """Loads go up to loads."""
    out, changed = list(lines), True
    while changed:
        changed = False
        for i, line in enumerate(out):
            if line.kind != "ldr" or (i and out[i - 1].kind == "ldr"):
                continue
            j = i - 1
            while j >= 0 and i - j < FAR and commute(out[j], line) and out[j].kind != "ldr":
                j -= 1
            if j < i - 1 and j >= 0 and i - j < FAR and commute(out[j], line):
                out.insert(j + 1, out.pop(i))
                changed = True
    return out


def movable(line: Line) -> bool:
    """Whether it may cost less elsewhere."""
    return line.kind != "op" or (line.name == "mov" and line.operands[1:] == ("#0",))


def scheduled(lines: Sequence[Line], estimate: Estimate) -> list[Line]:
    """Loads, stores and zeros where they cost least."""
    out = list(lines)
    for _ in range(ROUNDS):
        changed = False
        for i in range(len(out)):
            line = out[i]
            if not movable(line):
                continue
            lo = hi = i
            while lo > 0 and i - lo < WINDOW and commute(out[lo - 1], line):
                lo -= 1
            while hi < len(out) - 1 and hi - i < WINDOW and commute(line, out[hi + 1]):
                hi += 1
            if lo == hi:
                continue
            first, end = max(0, lo - 2), min(len(out), hi + 3)
            rest = out[first:i] + out[i + 1 : end]
            best, where = estimate(out[first:end]), i
            for j in range(lo, hi + 1):
                cost = estimate([*rest[: j - first], line, *rest[j - first :]])
                if cost < best:
                    best, where = cost, j
            if where != i:
                out.insert(where, out.pop(i))
                changed = True
        if not changed:
            break
    return out
