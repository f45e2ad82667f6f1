"""The C loop around an inversion by divsteps, run on what its numbers are, not on their values.

All its lengths and counts are public. So the check executes `mod_inv` with the modulus of a curve:
integers are integers, and a limb knows which number it is of. The three routines in assembly act by
their banners (prove.contracts.divsteps), and what these ask for is checked at each call. Also
checked: that a matrix is made of the f and g that it multiplies, and that d and e follow each
matrix once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pycparser import c_ast

from prove.contracts.divsteps import ZETA, Promise, promise
from prove.intervals.domain import Unknown
from prove.intervals.source import Unit

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "|": operator.or_, "<<": operator.lshift,
    "/": operator.floordiv,
}  # fmt: skip


class Number(NamedTuple):
    """In limbs: `most`, its absolute value; `name`: f, g, d, e or m; `turn`: after so many
    matrices. f is odd, because m is, and because divsteps leave it odd.
    """

    name: str
    most: int
    turn: int = 0


class Limb(NamedTuple):
    """One of them."""

    of: Number
    i: int


class Matrix(NamedTuple):
    """Of these numbers."""

    f: Number
    g: Number


class Entry(NamedTuple):
    """One of four."""

    of: Matrix
    i: int


class Zeta(NamedTuple):
    """From -most to most."""

    most: int


class Name(NamedTuple):
    """A member of the modulus, or an argument."""

    text: str


class Broken(Exception):
    """The loop does not keep what a banner asks for."""


@dataclass
class Array:
    """Cells, by place."""

    name: str
    size: int
    cells: dict[int, Any] = field(default_factory=dict)

    def write(self, at: int, value: Any) -> None:
        """One of them. Errors: Broken."""
        if not 0 <= at < self.size:
            raise Broken(f"{self.name} has no element {at}")
        self.cells[at] = value


class Place(NamedTuple):
    """In an array."""

    array: Array
    at: int


class Returned(Exception):
    """The function ends."""


class Inversion:
    """One run of `mod_inv`."""

    def __init__(self, unit: Unit, m: int) -> None:
        self.unit, self.m = unit, m
        self.words = -(-m.bit_length() // 32)
        self.scopes: list[dict[str, Any]] = []
        self.matrices = self.steps = self.calls = 0
        self.joined = False

    def need(self, holds: object, what: str) -> None:
        """Errors: Broken."""
        if not holds:
            raise Broken(what)

    def run(self) -> int:
        """The calls that were checked. Errors: Broken, Unknown."""
        self.call("mod_inv", [Name("r"), Name("a"), Name("modulus")])
        self.need(self.joined, "no result is made")
        return self.calls

    # functions
    def call(self, name: str, args: list[Any]) -> Any:
        """One: of the library, or by what is known of it."""
        known = getattr(self, "_" + name.removesuffix("_15"), None)
        if known is not None:
            return known(name, *args)
        node = self.unit.functions.get(name)
        if node is None:
            raise Unknown(f"a function that the check does not know: {name}")
        params = [p.name for p in node.decl.type.args.params]
        outer, self.scopes = self.scopes, [dict(zip(params, args, strict=True))]
        value = None
        try:
            self.statement(node.body)
        except Returned as end:
            (value,) = end.args
        self.scopes = outer
        return value

    def _mp_bit(self, _: str, a: Any, i: int) -> int:
        self.need(a == Name("m"), "a bit of something else than m is read")
        return self.m >> i & 1

    def _mod_inv_split(self, _: str, r: Place, stride: int, a: Any, n: int, m: Any) -> None:
        """a is m, or a number below it; what d, e and m begin with stands at their places."""
        places = {("fg", 0, "m"): "f", ("fg", 1, "a"): "g"}
        places |= {("dem", 1, "r2"): "e", ("dem", 2, "m"): "m"}
        self.need(m == Name("modulus"), "another modulus")
        role = places.get((r.array.name, r.at, a.text))
        self.need(role, f"{a} is no number of an inversion")
        for i in range(n):
            r.array.write(r.at + stride * i, Limb(Number(str(role), self.m), i))

    def said(self, name: str) -> Promise:
        """The banner of a routine."""
        found = promise(self.unit.backend, name)
        self.need(found, f"{name} has no banner")
        assert found
        self.calls += 1
        return found

    def _ecfit_inv_steps(self, name: str, t: Place, f: Any, g: Any, zeta: Any) -> Zeta:
        said = self.said(name)
        zeta = Zeta(1) if zeta == -1 and not self.matrices else zeta
        self.need(isinstance(zeta, Zeta) and zeta.most <= ZETA, "zeta may be too large")
        numbers = [x.of for x in (f, g) if isinstance(x, Limb) and x.i == 0]
        self.need([x.name for x in numbers] == ["f", "g"], "a matrix is made of other numbers")
        self.need(all(x.turn == self.matrices for x in numbers), "a matrix is made of old numbers")
        self.matrices += 1
        self.steps += said.bits
        for i in range(4):
            t.array.write(t.at + i, Entry(Matrix(*numbers), i))
        return Zeta(zeta.most + 2 * said.bits)

    def numbers(self, said: Promise, p: Place, n: int, names: str) -> list[Number]:
        """Those in turn behind a place. Errors: Broken."""
        self.need(n in said.lengths, f"{n} limbs are not proved")
        found = []
        for k, name in enumerate(names):
            cells = [p.array.cells.get(p.at + k + len(names) * i) for i in range(n)]
            if name == "d" and all(cell == 0 for cell in cells):
                cells = [Limb(Number("d", 0), i) for i in range(n)]
            first = cells[0]
            assert isinstance(first, Limb)
            self.need(cells == [Limb(first.of, i) for i in range(n)], f"{name} is not whole")
            self.need(first.of.name == name, f"{first.of.name} stands for {name}")
            self.need(first.of.most < 1 << said.bits * n - 1, f"{name} may be too large")
            found.append(first.of)
        return found

    def matrix(self, t: Place, turn: int) -> Matrix:
        """That of this turn. Errors: Broken."""
        cells = [t.array.cells.get(t.at + i) for i in range(4)]
        first = cells[0]
        self.need(isinstance(first, Entry), "there is no matrix")
        assert isinstance(first, Entry)
        self.need(cells == [Entry(first.of, i) for i in range(4)], "a matrix is not whole")
        self.need(first.of.f.turn == turn, "a matrix of other numbers")
        return first.of

    def left(self, p: Place, n: int, names: str, most: int) -> None:
        """Results, of so many turns."""
        for k, role in enumerate(names):
            for i in range(n):
                number = Number(role, most, self.matrices)
                p.array.write(p.at + k + (2 + ("d" in names)) * i, Limb(number, i))

    def _ecfit_inv_reduce(self, name: str, fg: Place, t: Place, n: int) -> None:
        f, g = self.numbers(self.said(name), fg, n, "fg")
        self.need(self.matrix(t, f.turn) == Matrix(f, g), "a matrix of other numbers")
        self.left(fg, n, "fg", max(f.most, g.most))

    def _ecfit_inv_follow(self, name: str, dem: Place, t: Place, n: int, inv: Any) -> None:
        d, e, m = self.numbers(self.said(name), dem, n, "dem")
        self.need(m.most == self.m and inv == Name("inv"), "another modulus")
        self.need(max(d.most, e.most) <= self.m, "d or e may be above m")
        self.matrix(t, e.turn)
        self.need(e.turn == self.matrices - 1 and d.turn in (0, e.turn), "d and e are left out")
        self.left(dem, n, "de", self.m)

    def _mod_inv_join(self, _: str, r: Any, dem: Place, f: Any, n: int, m: Any) -> None:
        """d or -d is the result, by the sign of f. Then g must be 0: after as many steps as
        [WUILLE21] has for numbers of so many bits.
        """
        bits = self.m.bit_length()
        said = promise(self.unit.backend, self.reducing())
        assert said
        d = self.numbers(said, dem, n, "dem")[0]
        self.need(d.turn == self.matrices and d.most <= self.m, "d is not the last one")
        whole = isinstance(f, Limb) and f.of.name == "f" and f.i == n - 1
        self.need(whole and f.of.turn == self.matrices, "this is not the sign of f")
        self.need(1644 * self.steps >= 3787 * bits + 2166, "there are too few steps")
        self.need(r == Name("r") and m == Name("modulus"), "another result")
        self.joined = True

    def reducing(self) -> str:
        """The name of the routine that multiplies f and g."""
        return "ecfit_inv_reduce" + "_15" * (self.unit.backend == "armv6m")

    # statements
    def statement(self, node: Any) -> None:
        """One."""
        match node:
            case c_ast.Compound():
                self.scopes.append({})
                for item in node.block_items or ():
                    self.statement(item)
                self.scopes.pop()
            case c_ast.DeclList():
                for one in node.decls:
                    self.statement(one)
            case c_ast.Decl():
                value = None if node.init is None else self.value(node.init)
                if isinstance(node.type, c_ast.ArrayDecl):
                    value = Place(Array(node.name, self.value(node.type.dim)), 0)
                self.scopes[-1][node.name] = value
            case c_ast.For() | c_ast.While():
                self.loop(node)
            case c_ast.Return():
                raise Returned(None if node.expr is None else self.value(node.expr))
            case _:
                self.value(node)

    def loop(self, node: Any) -> None:
        """for and while."""
        self.scopes.append({})
        if isinstance(node, c_ast.For) and node.init is not None:
            self.statement(node.init)
        while self.value(node.cond):
            self.statement(node.stmt)
            if isinstance(node, c_ast.For) and node.next is not None:
                self.value(node.next)
        self.scopes.pop()

    def scope(self, name: str) -> dict[str, Any]:
        """Where a variable stands."""
        found: dict[str, Any]
        for found in reversed(self.scopes):
            if name in found:
                return found
        raise Unknown(f"a variable that is not declared: {name}")

    def place(self, node: Any) -> Place:
        """Of a[i]."""
        base, i = self.value(node.name), self.value(node.subscript)
        if not isinstance(base, Place) or not isinstance(i, int):
            raise Unknown("an array that is not known")
        return Place(base.array, base.at + i)

    def put(self, node: Any, value: Any) -> None:
        """node = value."""
        if isinstance(node, c_ast.ArrayRef):
            p = self.place(node)
            p.array.write(p.at, value)
        else:
            self.scope(node.name)[node.name] = value

    def value(self, node: Any) -> Any:
        """Of an expression."""
        match node:
            case c_ast.Constant():
                return int(node.value.rstrip("uUlL"), 0)
            case c_ast.ID():
                return self.scope(node.name)[node.name]
            case c_ast.Cast():
                return self.value(node.expr)
            case c_ast.ArrayRef():
                p = self.place(node)
                return p.array.cells[p.at]
            case c_ast.StructRef():
                self.need(self.value(node.name) == Name("modulus"), "another modulus")
                return self.words if node.field.name == "limbs" else Name(node.field.name)
            case c_ast.FuncCall():
                given = [self.value(x) for x in node.args.exprs] if node.args else []
                return self.call(node.name.name, given)
            case c_ast.Assignment():
                new = self.value(node.rvalue)
                if node.op != "=":
                    new = self.binary(node.op[:-1], self.value(node.lvalue), new)
                self.put(node.lvalue, new)
                return new
            case c_ast.BinaryOp():
                return self.binary(node.op, self.value(node.left), self.value(node.right))
            case c_ast.UnaryOp():
                return self.unary(node)
        raise Unknown(f"C that the check does not read: {type(node).__name__}")

    def binary(self, op: str, a: Any, b: Any) -> Any:
        """a op b, of integers or an address and one."""
        if isinstance(a, Place) and isinstance(b, int) and op in "+-":
            return Place(a.array, a.at + OPERATORS[op](0, b))
        if not isinstance(a, int) or not isinstance(b, int) or op not in OPERATORS:
            raise Unknown(f"an operation on a number that is not public: {op}")
        return int(OPERATORS[op](a, b))

    def unary(self, node: Any) -> Any:
        """!, ++ and --."""
        old = self.value(node.expr)
        if node.op == "!":
            return int(not old)
        if node.op in ("p++", "p--", "++", "--"):
            new = self.binary(node.op[-1], old, 1)
            self.put(node.expr, new)
            return old if node.op[0] == "p" else new
        raise Unknown(f"C that the check does not read: {node.op}")
