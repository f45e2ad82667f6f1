"""Memory as C has access to it: also where an address is not known exactly."""

from __future__ import annotations

from typing import Any

from prove.intervals.arithmetic import fit
from prove.intervals.ctypes import Type
from prove.intervals.domain import Content, Num, Ptr, State, any_of, exactly, join_contents


class Access:
    """Loads, stores and copies. `sizes`: of objects. `model`: prove.compose.models."""

    model: Any
    sizes: dict[str, int]

    def load(self, s: State, p: Ptr, t: Type) -> Content:
        """What an address holds."""
        if t.kind == "array":
            return p
        if p.off.const is not None:
            if t.kind == "int":
                self.model.watch(self, s, p, t.size)
            v = s.read(p.obj, p.off.lo, t.size)
        else:
            found: Content | None = None
            for off in self.offsets(s, p, t.size):
                self.model.watch(self, s, Ptr(p.obj, exactly(off)), t.size)
                one = s.read(p.obj, off, t.size)
                found = one if found is None else join_contents(found, one)
            v = found if found is not None else any_of(t.size)
        if t.kind == "int" and isinstance(v, Num):
            return fit(Num(v.lo, v.hi, 0, v.step), t)
        return v

    def offsets(self, s: State, p: Ptr, size: int) -> list[int]:
        """Where an address may point within what is known of its object."""
        cells = s.memory.get(p.obj, {})
        end = self.sizes.get(p.obj) or max((o + n for o, (n, _) in cells.items()), default=0)
        lo, hi, step = p.off.lo, min(p.off.hi, end - size), p.off.step or 1
        first = lo if lo >= 0 else lo % step
        return list(range(first, hi + 1, step))

    def store(self, s: State, p: Ptr, t: Type, v: Content, of: Type) -> None:
        """Put a value there."""
        if t.kind == "struct":
            if isinstance(v, Ptr):
                self.copy(s, p, v, t.size)
            return
        if isinstance(v, Num) and t.kind == "int":
            v = fit(v, t)
        self.put(s, p, t.size, v)

    def put(self, s: State, p: Ptr, size: int, v: Content) -> None:
        """Write `size` bytes, where that is known or anywhere that it may be."""
        if p.off.const is not None:
            s.write(p.obj, p.off.lo, size, v)
            return
        for off in self.offsets(s, p, size):
            if not s.pieces(p.obj, off, size):
                s.write(p.obj, off, size, v)
                continue
            both = join_contents(s.read(p.obj, off, size), v)
            s.write(p.obj, off, size, both if both is not None else any_of(size))

    def copy(self, s: State, to: Ptr, source: Ptr, size: int, *, perhaps: bool = False) -> None:
        """`size` bytes, piece by piece; `perhaps`: or not."""
        if source.off.const is None:
            unit = self.model.words * 4
            unit = unit if size % unit == 0 else size
            for at in range(0, size, unit):
                found: Content | None = None
                for off in self.offsets(s, source, size):
                    one = s.read(source.obj, off + at, unit)
                    found = one if found is None else join_contents(found, one)
                self._piece(s, to, at, unit, found or any_of(unit), perhaps=perhaps)
            return
        pieces = s.pieces(source.obj, source.off.lo, size)
        unit = self.model.words * 4
        if size % unit == 0 and all(
            (n == unit and (o - source.off.lo) % unit == 0)
            or (isinstance(v, Num) and v.const is not None)
            for o, n, v in pieces
        ):  # elements, some of them constants in words
            for at in range(0, size, unit):
                v = s.read(source.obj, source.off.lo + at, unit)
                self._piece(s, to, at, unit, v, perhaps=perhaps)
            return
        for o, n, v in pieces:
            first, last = max(o, source.off.lo), min(o + n, source.off.lo + size)
            if (first, last) != (o, o + n):
                v = s.read(source.obj, first, last - first)  # noqa: PLW2901
            self._piece(s, to, first - source.off.lo, last - first, v, perhaps=perhaps)

    def _piece(self, s: State, to: Ptr, at: int, size: int, v: Content, *, perhaps: bool) -> None:
        there = Ptr(to.obj, Num(to.off.lo + at, to.off.hi + at, 0, to.off.step))
        if perhaps and there.off.const is not None and s.pieces(to.obj, there.off.lo, size):
            both = join_contents(s.read(to.obj, there.off.lo, size), v)
            v = both if both is not None else any_of(size)
        self.put(s, there, size, v)
