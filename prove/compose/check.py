"""The check of a configuration: all that users call, run on bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from pycparser import c_ast

from ecfit.choices.curves import CURVES
from prove.algebra.primes import P25519
from prove.compose.models import Model
from prove.intervals.ctypes import Type
from prove.intervals.domain import Num, Ptr, Unknown, any_of, exactly
from prove.intervals.expressions import Typed
from prove.intervals.interpreter import INSIDE, Interpreter
from prove.intervals.source import SRC, entries, unit


class Found(NamedTuple):
    """What a check says."""

    faults: list[str]
    calls: dict[tuple[str, str], int]
    relied: list[str]
    functions: int  # of C that were run
    unread: list[str]  # functions that users call and that the check does not read
    skipped: list[str]  # functions that constants of the configuration leave out
    facts: list[str]  # that were used


def check(curve: str, preset: str, backend: str, source: Path = SRC, *, only: str = "") -> Found:
    """All of a configuration."""
    found = unit(curve, preset, backend, source)
    model = Model(backend, field(curve), found.layers)
    c = Interpreter(found, model)
    model.c = c
    if backend != "c":
        from prove.compose.routines import Assembly

        model.assembly = Assembly(backend, model)
    unread = []
    for name in (n for n in entries(found) if n.endswith(only)):
        try:
            run(c, name)
        except Unknown as error:
            c.frames = c.frames[:1]
            unread.append(f"{name}: {error}")
    return Found(
        list(model.faults), model.calls, sorted(model.relied), len(c.seen), unread, skipped(c),
        sorted(model.assumed),
    )  # fmt: skip


class _Calls(c_ast.NodeVisitor):  # type: ignore[misc]
    """The calls in a function."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    def visit_FuncCall(self, node: Any) -> None:  # noqa: N802
        self.found.append(node)
        self.generic_visit(node)


def skipped(c: Interpreter) -> list[str]:
    """Functions that code which was run would call, and never did."""
    visitor = _Calls()
    for name in c.seen:
        visitor.visit(c.unit.functions[name].body)
    done: set[str] = set()
    never: set[str] = set()
    for node in visitor.found:
        (done if node in c.reached else never).add(getattr(node.name, "name", ""))
    return sorted(n for n in never - done if c.unit.layers.get(n) in INSIDE)


def field(curve: str) -> int:
    """The prime of a curve's field."""
    if "25519" in curve:
        return P25519
    return (1 << 448) - (1 << 224) - 1 if "448" in curve else CURVES[curve].p


def run(c: Interpreter, name: str) -> None:
    """One function, with arguments of any value."""
    s = c.start.fork()
    node = c.unit.functions[name]
    args: list[Typed] = []
    for i, param in enumerate(node.decl.type.args.params if node.decl.type.args else []):
        t = c.types.of(param)
        if t.kind in ("ptr", "array"):
            args.append((Ptr(f"argument {i}", exactly(0)), Type("ptr", 4, of=t.of)))
        else:
            args.append((any_of(t.size) if not t.signed else Num(-(1 << 31), (1 << 31) - 1), t))
    c.run(s, name, args)
