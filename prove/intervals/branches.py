"""Conditions: what a branch that is taken says of a variable."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

from pycparser import c_ast

from prove.intervals.access import Access
from prove.intervals.arithmetic import COMPARISONS, compared
from prove.intervals.ctypes import Type
from prove.intervals.domain import Content, Num, Ptr, State, exactly

NOT = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


class Variable(NamedTuple):
    """An integer that a condition compares with a constant, which may count it by `by`."""

    place: Ptr
    t: Type
    before: Num
    by: int
    op: str
    other: int


class Branches(Access):
    """Asks conditions."""

    @abstractmethod
    def value(self, s: State, node: Any) -> list[tuple[State, Content, Type]]:
        """Of an expression."""

    @abstractmethod
    def place(self, s: State, node: Any) -> list[tuple[State, Ptr, Type]]:
        """Of an lvalue."""

    def truth(self, v: Content) -> Num:
        """Whether it is not 0."""
        if not isinstance(v, Num):
            return exactly(1)
        return compared("!=", v, exactly(0))

    def branches(self, s: State, node: Any) -> list[tuple[State, bool]]:
        """The states in which a condition holds or not."""
        variable = self._variable(s, node)
        out: list[tuple[State, bool]] = []
        for u, v, _ in self.value(s, node):
            x = self.truth(v)
            ways = [True] * (x.hi > 0) + [False] * (x.lo == 0)
            for i, holds in enumerate(ways):
                w = u.fork() if i + 1 < len(ways) else u
                if variable is not None:
                    self._narrow(w, variable, holds=holds)
                out.append((w, holds))
        return out

    def _variable(self, s: State, node: Any) -> Variable | None:
        if not isinstance(node, c_ast.BinaryOp) or node.op not in COMPARISONS:
            return None
        left, by = node.left, 0
        if isinstance(left, c_ast.UnaryOp) and left.op in ("p--", "p++"):
            left, by = left.expr, -1 if left.op == "p--" else 1
        if not isinstance(left, c_ast.ID) or not isinstance(node.right, (c_ast.Constant, c_ast.ID)):
            return None
        ((_, y, of),) = self.value(s.fork(), node.right)
        ((_, x, t),) = self.value(s.fork(), left)
        if not isinstance(x, Num) or not isinstance(y, Num) or y.const is None or t.kind != "int":
            return None
        if x.const is not None:
            return None
        if x.lo < 0 and not (t.signed and (of.signed or of.size < 4)):
            return None
        ((_, p, _),) = self.place(s.fork(), left)
        return Variable(p, t, x, by, node.op, y.const)

    def _narrow(self, s: State, v: Variable, *, holds: bool) -> None:
        old = narrowed(v.before, v.op if holds else NOT[v.op], v.other)
        if old is not None and (holds or v.by == 0):
            self.store(s, v.place, v.t, Num(old.lo + v.by, old.hi + v.by, 0, old.step), v.t)


def narrowed(v: Num, op: str, other: int) -> Num | None:
    """The part of v for which it holds; None where that says nothing."""
    lo, hi = v.lo, v.hi
    if op in ("<", "<=", "=="):
        hi = min(hi, other - (op == "<"))
    if op in (">", ">=", "=="):
        lo = max(lo, other + (op == ">"))
    if op == "!=":
        lo, hi = lo + (lo == other), hi - (hi == other)
    if v.step > 1:
        lo += (v.lo - lo) % v.step
    return Num(lo, hi, 0, v.step) if lo <= hi and (lo, hi) != (v.lo, v.hi) else None
