"""Types of C: sizes and fields."""

from __future__ import annotations

from typing import Any, NamedTuple

from pycparser import c_ast

from prove.intervals.domain import Unknown


class Type(NamedTuple):
    """`kind`: int, ptr, array, struct, function or void."""

    kind: str
    size: int
    signed: bool = False
    of: Any = None  # of a pointer or an array
    fields: tuple[tuple[str, int, Any], ...] = ()

    def field(self, name: str) -> tuple[int, Type]:
        """Offset and type."""
        for n, off, t in self.fields:
            if n == name:
                return off, t
            if not n and t.kind == "struct" and any(f[0] == name for f in t.fields):
                inner, found = t.field(name)
                return off + inner, found
        raise Unknown(f"no field {name}")


VOID = Type("void", 1)
INT, UNSIGNED = Type("int", 4, True), Type("int", 4)
BASIC = {"char": 1, "short": 2, "int": 4, "long": 4, "long long": 8}


class Types:
    """The typedefs, structs and enums of a unit."""

    def __init__(self) -> None:
        self.names: dict[str, Type] = {}
        self.tags: dict[str, Type] = {}
        self.constants: dict[str, int] = {}
        self.number: Any = None  # evaluates an expression of constants

    def of(self, node: Any) -> Type:
        """The type of a declaration."""
        if isinstance(node, (c_ast.Decl, c_ast.Typedef, c_ast.Typename)):
            return self.of(node.type)
        if isinstance(node, c_ast.TypeDecl):
            return self.of(node.type)
        if isinstance(node, c_ast.PtrDecl):
            return Type("ptr", 4, of=self.of(node.type))
        if isinstance(node, c_ast.ArrayDecl):
            inner = self.of(node.type)
            count = self.number(node.dim) if node.dim is not None else 0
            return Type("array", inner.size * count, of=inner)
        if isinstance(node, c_ast.FuncDecl):
            return Type("function", 4, of=self.of(node.type))
        if isinstance(node, c_ast.IdentifierType):
            return self._named(node.names)
        if isinstance(node, (c_ast.Struct, c_ast.Union)):
            return self._struct(node)
        if isinstance(node, c_ast.Enum):
            self.enum(node)
            return UNSIGNED
        raise Unknown(f"type {type(node).__name__}")

    def _named(self, names: list[str]) -> Type:
        if len(names) == 1 and names[0] in self.names:
            return self.names[names[0]]
        if names == ["void"]:
            return VOID
        signed = "unsigned" not in names
        rest = [n for n in names if n not in ("unsigned", "signed")]
        if rest.count("long") == 2:
            return Type("int", 8, signed)
        kind = next((n for n in rest if n in ("char", "short", "long", "__int128")), "int")
        return Type("int", 16 if kind == "__int128" else BASIC[kind], signed)

    def _struct(self, node: Any) -> Type:
        if node.decls is None:
            return self.tags.get(node.name, Type("struct", 0))
        fields, at, align = [], 0, 1
        union, size = isinstance(node, c_ast.Union), 0
        for decl in node.decls:
            t = self.of(decl)
            unit = alignment(t)
            align = max(align, unit)
            at = 0 if union else -(-at // unit) * unit
            fields.append((decl.name or "", at, t))
            at += t.size
            size = max(size, at)
        made = Type("struct", -(-size // align) * align, fields=tuple(fields))
        if node.name:
            self.tags[node.name] = made
        return made

    def enum(self, node: Any) -> None:
        """Its constants."""
        value = -1
        for one in node.values.enumerators if node.values else ():
            value = self.number(one.value) if one.value is not None else value + 1
            self.constants[one.name] = value


def alignment(t: Type) -> int:
    """Of a type."""
    if t.kind == "array":
        return alignment(t.of)
    if t.kind == "struct":
        return max([alignment(f[2]) for f in t.fields], default=1)
    return max(1, min(t.size, 8))
