"""What a run of C knows: numbers between bounds, addresses, and memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import gcd
from typing import NamedTuple


class Unknown(Exception):
    """The C has a form that the check does not read."""


@dataclass(frozen=True)
class Num:
    """From lo to hi, lo modulo step; `tag`: the modulus whose residues it stands for.

    In memory it is the number before anything was lost above its words. So one that is negative or
    too large is not what its words say: `whole` tells.
    """

    lo: int
    hi: int
    tag: int = 0
    step: int = 1

    @property
    def const(self) -> int | None:
        """Its value where that is known."""
        return self.lo if self.lo == self.hi else None

    def whole(self, size: int) -> bool:
        """Whether `size` bytes hold it."""
        return self.lo >= 0 and self.hi < 1 << 8 * size

    def stored(self, size: int) -> Num:
        """What its bytes say."""
        if self.whole(size):
            return self
        q = 1 << 8 * size
        if self.lo // q == self.hi // q:
            return Num(self.lo % q, self.hi % q, self.tag)
        return Num(0, q - 1, self.tag)

    def join(self, other: Num) -> Num:
        """Either."""
        if self == other:
            return self
        step = gcd(
            self.step if self.lo != self.hi else 0, other.step if other.lo != other.hi else 0
        )
        step = gcd(step, self.lo - other.lo) or 1
        lo, hi = min(self.lo, other.lo), max(self.hi, other.hi)
        return Num(lo, hi, self.tag or other.tag, step)


def exactly(x: int, tag: int = 0) -> Num:
    """One number."""
    return Num(x, x, tag)


def any_of(size: int, tag: int = 0) -> Num:
    """Whatever `size` bytes hold."""
    return Num(0, (1 << 8 * size) - 1, tag)


class Ptr(NamedTuple):
    """An address: an object, and how many bytes behind its begin."""

    obj: str
    off: Num

    def moved(self, by: Num, size: int) -> Ptr:
        """`by` elements further."""
        a, b = self.off.lo + by.lo * size, self.off.hi + by.hi * size
        steps = (x.step * k for x, k in ((self.off, 1), (by, size)) if x.const is None)
        return Ptr(self.obj, Num(a, b, 0, gcd(0, *steps) or 1))


class Function(NamedTuple):
    """The address of a function."""

    name: str


Content = Num | Ptr | Function
Cells = dict[int, tuple[int, Content]]  # by offset: size, content


def part(size: int, v: Num, low: int, count: int, *, top: bool = False) -> Num:
    """`count` bytes of a number of `size` bytes, from byte `low` on. `top`: the last ones stand for
    all that is above them.
    """
    bits = 8 * low
    if top and low + count == size:
        return Num(v.lo >> bits, v.hi >> bits, v.tag)
    v = v.stored(size)
    if v.const is not None:
        return exactly(v.lo >> bits & (1 << 8 * count) - 1, v.tag)
    lo, hi, q = v.lo >> bits, v.hi >> bits, 1 << 8 * count
    if lo // q == hi // q:
        return Num(lo % q, hi % q, v.tag)
    return any_of(count, v.tag)


@dataclass
class State:
    """The memory of one path. Objects are copied when they are written."""

    memory: dict[str, Cells] = field(default_factory=dict)
    owned: set[str] = field(default_factory=set)

    def fork(self) -> State:
        """Another path from here."""
        self.owned = set()
        return State(dict(self.memory))

    def cells(self, obj: str) -> Cells:
        """Those of an object, to be written."""
        if obj not in self.owned:
            self.memory[obj] = dict(self.memory.get(obj, {}))
            self.owned.add(obj)
        return self.memory[obj]

    def pieces(self, obj: str, off: int, size: int) -> list[tuple[int, int, Content]]:
        """What overlaps with a region: offset, size and content, in their order."""
        cells = self.memory.get(obj, {})
        exact = cells.get(off)
        if exact is not None and exact[0] == size:
            return [(off, size, exact[1])]
        found, at = [], off
        while at < off + size and at in cells and at + cells[at][0] <= off + size:
            found.append((at, *cells[at]))
            at += cells[at][0]
        if at == off + size:
            return found
        return sorted(
            ((o, s, v) for o, (s, v) in cells.items() if o < off + size and off < o + s),
            key=lambda piece: piece[0],
        )

    def read(self, obj: str, off: int, size: int) -> Content:
        """What stands in a region."""
        pieces = self.pieces(obj, off, size)
        if len(pieces) == 1 and pieces[0][:2] == (off, size):
            return pieces[0][2]
        lo = hi = tag = 0
        at = off
        for o, s, v in [*pieces, (off + size, 1, exactly(0))]:
            if o > at:  # nothing is known of it
                hi += ((1 << 8 * (o - at)) - 1) << 8 * (at - off)
                at = o
            if o >= off + size:
                break
            first, last = max(o, off), min(o + s, off + size)
            known = v if isinstance(v, Num) else any_of(s)
            known = part(s, known, first - o, last - first, top=last == off + size)
            lo += known.lo << 8 * (first - off)
            hi += known.hi << 8 * (first - off)
            tag, at = tag or known.tag, last
        return Num(lo, hi, tag)

    def clear(self, obj: str, off: int, size: int) -> None:
        """Forget a region; of numbers that stand in it in part, the rest is kept."""
        cells = self.cells(obj)
        for o, s, v in self.pieces(obj, off, size):
            del cells[o]
            number = v if isinstance(v, Num) else any_of(s)
            if o < off:
                cells[o] = (off - o, part(s, number, 0, off - o))
            if o + s > off + size:
                rest = o + s - off - size
                cells[off + size] = (rest, part(s, number, s - rest, rest))

    def write(self, obj: str, off: int, size: int, v: Content) -> None:
        """Put it there."""
        if size <= 0:
            return
        cells = self.memory.get(obj, {}).get(off)
        if cells is None or cells[0] != size:
            self.clear(obj, off, size)
        self.cells(obj)[off] = (size, v)


def join_contents(a: Content, b: Content) -> Content | None:
    """Either; None where that cannot be said."""
    if a == b:
        return a
    if isinstance(a, Num) and isinstance(b, Num):
        return a.join(b)
    if isinstance(a, Ptr) and isinstance(b, Ptr) and a.obj == b.obj:
        return Ptr(a.obj, a.off.join(b.off))
    return None


def join(a: State, b: State, widen: bool = False) -> State | None:
    """A state that both are cases of; None where an address differs."""
    out = State()
    for obj in a.memory.keys() | b.memory.keys():
        x, y = a.memory.get(obj), b.memory.get(obj)
        if x is None or y is None or x is y or x == y:
            out.memory[obj] = x if x is not None else y or {}
            continue
        cells = _join_cells(a, b, obj, widen)
        if cells is None:
            return None
        out.memory[obj] = cells
    return out


def _join_cells(a: State, b: State, obj: str, widen: bool) -> Cells | None:
    x, y = a.memory[obj], b.memory[obj]
    out: Cells = {}
    for start, end in _spans(x, y):
        size = end - start
        mine, other = a.pieces(obj, start, size), b.pieces(obj, start, size)
        if not mine or not other:  # written on one path alone
            for o, s, v in mine or other:
                out[o] = (s, v)
            continue
        v, w = a.read(obj, start, size), b.read(obj, start, size)
        both = join_contents(v, w)
        if both is None:
            return None
        if widen and both != v and isinstance(both, Num):
            both = wide(both, size)
        out[start] = (size, both)
    return out


def wide(v: Num, size: int) -> Num:
    """Bounds that soon change no more."""
    if size <= 8:
        return Num(-(1 << 31), (1 << 32) - 1)
    return Num(0, v.tag - 1, v.tag) if v.lo >= 0 and v.hi < v.tag else any_of(size, v.tag)


def _spans(x: Cells, y: Cells) -> list[tuple[int, int]]:
    """Regions in which cells of both are joined: as few as can be taken apart without loss."""
    spans = sorted({(o, o + s) for cells in (x, y) for o, (s, _) in cells.items()})
    out: list[tuple[int, int]] = []
    group: list[tuple[int, int]] = []
    for start, end in [*spans, (1 << 40, 1 << 40)]:
        if group and start >= max(e for _, e in group):
            edges = sorted({c for span in group for c in span})
            inner = edges[1:-1]
            if inner:
                whole = [(o, *c[o]) for c in (x, y) for o, _ in set(group) if o in c]
                inner = [c for c in inner if all(_parts(cell, c) for cell in whole)]
            out += list(pairwise([edges[0], *inner, edges[-1]]))
            group = []
        group.append((start, end))
    return out


def _parts(cell: tuple[int, int, Content], cut: int) -> bool:
    """Whether a cell is known in both parts, if the cut is in it."""
    o, s, v = cell
    if not o < cut < o + s:
        return True
    if not isinstance(v, Num):
        return False
    v, low = v.stored(s), 8 * (cut - o)
    return v.lo >> low == v.hi >> low
