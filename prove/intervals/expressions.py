"""Expressions of C: their values on each path."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from pycparser import c_ast

from prove.intervals.arithmetic import COMPARISONS, binary, compared, fit
from prove.intervals.branches import Branches
from prove.intervals.ctypes import INT, UNSIGNED, VOID, Type, Types
from prove.intervals.domain import Content, Function, Num, Ptr, State, Unknown, exactly
from prove.intervals.source import Unit

Typed = tuple[Content, Type]
Result = tuple[State, Content, Type]


class Frame:
    """The variables of a call."""

    def __init__(self, name: str, depth: int) -> None:
        self.name, self.depth = name, depth
        self.scopes: list[dict[str, tuple[str, Type]]] = [{}]

    def find(self, name: str) -> tuple[str, Type] | None:
        """Object and type."""
        for scope in reversed(self.scopes):
            known: tuple[str, Type] | None = scope.get(name)
            if known is not None:
                return known
        return None


class Expressions(Branches):
    """What expressions are; calls are left to prove.intervals.interpreter."""

    unit: Unit
    types: Types
    globals: dict[str, tuple[str, Type]]
    frames: list[Frame]
    reached: set[Any]  # calls that were run

    def _number(self, node: Any) -> int:
        ((_, v, _),) = self.value(State(), node)
        if isinstance(v, Num) and v.const is not None:
            return v.const
        raise Unknown("an expression that is no constant")

    def length(self, init: Any) -> int:
        """Of an array, by what it begins with."""
        if isinstance(init, c_ast.InitList):
            return len(init.exprs)
        return len(str(init.value)) - 1  # a string and its end

    def values(self, s: State, nodes: list[Any]) -> list[tuple[State, list[Typed]]]:
        """Several, one after the other."""
        out: list[tuple[State, list[Typed]]] = [(s, [])]
        for node in nodes:
            out = [(u, [*found, (v, t)]) for r, found in out for u, v, t in self.value(r, node)]
        return out

    def value(self, s: State, node: Any) -> list[Result]:
        """What an expression is, on each path."""
        ask = getattr(self, f"_{type(node).__name__.lower()}", None)
        if ask is None:
            raise Unknown(f"C that the check does not read: {type(node).__name__}")
        found: list[Result] = ask(s, node)
        return found

    def _constant(self, s: State, node: Any) -> list[Result]:
        if node.type == "string":
            return [(s, Ptr("string", exactly(0)), Type("ptr", 4, of=Type("int", 1)))]
        if node.type == "char":
            return [(s, exactly(ord(node.value[1:-1].encode().decode("unicode_escape"))), INT)]
        x = int(node.value.rstrip("uUlL") or "0", 0)
        unsigned = "u" in node.value.lower() or x > 0x7FFFFFFF
        size = 8 if x >> 32 or "ll" in node.value.lower() else 4
        return [(s, exactly(x), Type("int", size, not unsigned))]

    def _id(self, s: State, node: Any) -> list[Result]:
        if node.name in self.types.constants:
            return [(s, exactly(self.types.constants[node.name]), INT)]
        found = self.frames[-1].find(node.name) or self.globals.get(node.name)
        if found is None:
            return [(s, Function(node.name), Type("ptr", 4, of=VOID))]
        obj, t = found
        p = Ptr(obj, exactly(0))
        if t.kind in ("array", "struct"):
            return [(s, p, self._decayed(t))]
        return [(s, self.load(s, p, t), t)]

    def _decayed(self, t: Type) -> Type:
        return Type("ptr", 4, of=t.of) if t.kind == "array" else t

    def place(self, s: State, node: Any) -> list[tuple[State, Ptr, Type]]:
        """Where an lvalue stands."""
        if isinstance(node, c_ast.ID):
            found = self.frames[-1].find(node.name) or self.globals[node.name]
            return [(s, Ptr(found[0], exactly(0)), found[1])]
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            return [(u, self._address(v), t.of) for u, v, t in self.value(s, node.expr)]
        if isinstance(node, c_ast.ArrayRef):
            out = []
            for u, ((v, t), (i, _)) in self.values(s, [node.name, node.subscript]):
                assert isinstance(i, Num)
                out.append((u, self._address(v).moved(i, t.of.size), t.of))
            return out
        if isinstance(node, c_ast.StructRef):
            if node.type == "->":
                inner = [(u, self._address(v), t.of) for u, v, t in self.value(s, node.name)]
            else:
                inner = self.place(s, node.name)
            out = []
            for u, p, t in inner:
                off, of = t.field(node.field.name)
                out.append((u, p.moved(exactly(off), 1), of))
            return out
        if isinstance(node, c_ast.Cast):
            return [(u, p, self.types.of(node.to_type)) for u, p, _ in self.place(s, node.expr)]
        raise Unknown(f"an lvalue of {type(node).__name__}")

    def _address(self, v: Content) -> Ptr:
        if isinstance(v, Ptr):
            return v
        return Ptr("somewhere", Num(0, 1 << 32))

    def _loaded(self, s: State, node: Any) -> list[Result]:
        out: list[Result] = []
        for u, p, t in self.place(s, node):
            if t.kind in ("array", "struct"):
                out.append((u, p, self._decayed(t)))
            else:
                out.append((u, self.load(u, p, t), t))
        return out

    _arrayref = _structref = _loaded

    def _cast(self, s: State, node: Any) -> list[Result]:
        t = self.types.of(node.to_type)
        out: list[Result] = []
        for u, v, _ in self.value(s, node.expr):
            out.append((u, fit(v, t) if isinstance(v, Num) and t.kind == "int" else v, t))
        return out

    def _exprlist(self, s: State, node: Any) -> list[Result]:
        out: list[Result] = [(s, exactly(0), INT)]
        for one in node.exprs:
            out = [r for u, _, _ in out for r in self.value(u, one)]
        return out

    def _assignment(self, s: State, node: Any) -> list[Result]:
        out: list[Result] = []
        for u, v, of in self.value(s, node.rvalue):
            for w, p, t in self.place(u, node.lvalue):
                new = v
                if node.op != "=":
                    old = self.load(w, p, t)
                    new, of = self._operate(node.op[:-1], (old, t), (v, of))  # noqa: PLW2901
                self.store(w, p, t, new, of)
                out.append((w, self.load(w, p, t) if t.kind != "struct" else p, t))
        return out

    def _unaryop(self, s: State, node: Any) -> list[Result]:
        op = node.op
        if op == "sizeof":
            return [(s, exactly(self._size(s, node.expr)), UNSIGNED)]
        if op == "&":
            if isinstance(node.expr, c_ast.ID) and node.expr.name in self.unit.functions:
                return self.value(s, node.expr)
            return [(u, p, Type("ptr", 4, of=t)) for u, p, t in self.place(s, node.expr)]
        if op == "*":
            return self._loaded(s, node)
        if op in ("++", "--", "p++", "p--"):
            out: list[Result] = []
            for u, p, t in self.place(s, node.expr):
                old = self.load(u, p, t)
                new, of = self._operate("+" if "+" in op else "-", (old, t), (exactly(1), INT))
                self.store(u, p, t, new, of)
                out.append((u, old if op[0] == "p" else self.load(u, p, t), t))
            return out
        out = []
        for u, v, t in self.value(s, node.expr):
            if op == "!":
                x = self.truth(v)
                out.append((u, Num(1 - x.hi, 1 - x.lo), INT))
                continue
            if not isinstance(v, Num):
                raise Unknown(f"{op} of an address")
            of = t if t.size >= 4 else INT
            if op == "-":
                out.append((u, fit(Num(-v.hi, -v.lo, 0, v.step), of), of))
            elif op == "~":
                out.append((u, fit(Num(-1 - v.hi, -1 - v.lo), of), of))
            else:
                out.append((u, v, of))
        return out

    def _size(self, s: State, node: Any) -> int:
        if isinstance(node, c_ast.Typename):
            return self.types.of(node).size
        if isinstance(node, c_ast.Constant):
            return self.length(node)
        return self.place(s.fork(), node)[0][2].size

    def _binaryop(self, s: State, node: Any) -> list[Result]:
        if node.op in ("&&", "||"):
            out: list[Result] = []
            for u, v, _ in self.value(s, node.left):
                x = self.truth(v)
                stop = int(node.op == "||")
                if x.const == stop:
                    out.append((u, exactly(stop), INT))
                    continue
                if x.const is None:
                    out.append((u.fork(), exactly(stop), INT))
                for w, y, _ in self.value(u, node.right):
                    out.append((w, self.truth(y), INT))
            return out
        out = []
        for u, (left, right) in self.values(s, [node.left, node.right]):
            v, t = self._operate(node.op, left, right)
            out.append((u, v, t))
        return out

    def _operate(self, op: str, left: Typed, right: Typed) -> Typed:
        (x, t), (y, of) = left, right
        if not isinstance(x, Num) or not isinstance(y, Num):
            return self._addresses(op, left, right)
        t, of = (z if z.size >= 4 and z.kind == "int" else INT for z in (t, of))
        if op in COMPARISONS:
            if not (t.signed and of.signed):
                whole = Type("int", max(t.size, of.size))
                x, y = fit(x, whole), fit(y, whole)
            return compared(op, x, y), INT
        if op in ("<<", ">>"):
            return binary(op, x, y, t), t
        size = max(t.size, of.size)
        unsigned = any(z.size == size and not z.signed for z in (t, of))
        both = Type("int", size, not unsigned)
        return binary(op, fit(x, both), fit(y, both), both), both

    def _addresses(self, op: str, left: Typed, right: Typed) -> Typed:
        (x, t), (y, of) = left, right
        if op in ("+", "-") and isinstance(x, Ptr) and isinstance(y, Num):
            by = y if op == "+" else Num(-y.hi, -y.lo, 0, y.step)
            return x.moved(by, t.of.size), t
        if op == "+" and isinstance(y, Ptr) and isinstance(x, Num):
            return y.moved(x, of.of.size), of
        if isinstance(x, Ptr) and isinstance(y, Ptr):
            if op == "-" and x.obj == y.obj:
                return Num(
                    (x.off.lo - y.off.hi) // t.of.size, (x.off.hi - y.off.lo) // t.of.size
                ), INT
            if op in COMPARISONS and x.obj == y.obj:
                return compared(op, x.off, y.off), INT
        if op == "==":
            return exactly(0), INT
        if op == "!=":
            return exactly(1), INT
        return Num(-(1 << 31), (1 << 32) - 1), INT

    def _ternaryop(self, s: State, node: Any) -> list[Result]:
        out: list[Result] = []
        for u, holds in self.branches(s, node.cond):
            out += self.value(u, node.iftrue if holds else node.iffalse)
        return out

    def _compoundliteral(self, s: State, node: Any) -> list[Result]:
        raise Unknown("a compound literal")

    def _funccall(self, s: State, node: Any, *, used: bool = True) -> list[Result]:
        out: list[Result] = []
        self.reached.add(node)
        args = list(node.args.exprs) if node.args else []
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name not in self.unit.functions and self.frames[-1].find(name):
            name = ""
        for u, found in self.values(s, args):
            where = f"{self.frames[-1].name}:{node.coord.line}" if node.coord else ""
            out += self.call(u, name, found, used=used, where=where)
        return out

    @abstractmethod
    def call(
        self, s: State, name: str, args: list[Typed], *, used: bool = True, where: str = ""
    ) -> list[Result]:
        """A function: `Interpreter` runs it, or takes the contract of its banner."""
