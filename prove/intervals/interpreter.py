"""C, run on what is known of its numbers: declarations, functions and statements."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from prove.intervals.arithmetic import compared, fit
from prove.intervals.ctypes import INT, Type, Types
from prove.intervals.domain import Content, Num, Ptr, State, Unknown, any_of, exactly, join
from prove.intervals.expressions import Expressions, Frame, Result, Typed
from prove.intervals.source import Unit

UNROLLED, ROUNDS, MANY = 18, 12, 6
FEW, MOST = 2, 200  # rounds of a loop that has many, and of one that constants end
INSIDE = ("mp", "field", "group", "mul", "api", "curve")  # layers that are run


class Flow:
    """How a statement ends."""

    def __init__(self, normal: list[State] | None = None) -> None:
        self.normal = normal or []
        self.broken: list[State] = []
        self.continued: list[State] = []
        self.returned: list[tuple[State, Content]] = []

    def take(self, other: Flow) -> None:
        """What leaves a statement within."""
        self.broken += other.broken
        self.continued += other.continued
        self.returned += other.returned


def merged(states: list[State], most: int = 1) -> list[State]:
    """As few states as addresses allow, where there are more than `most`."""
    if len(states) <= most:
        return states
    out: list[State] = []
    for s in states:
        for i, t in enumerate(out):
            both = join(t, s)
            if both is not None:
                out[i] = both
                break
        else:
            out.append(s)
    return out


class Interpreter(Expressions):
    """One unit. `model`: what knows the functions that are not run (prove.compose.models)."""

    def __init__(self, unit: Unit, model: Any) -> None:
        self.unit, self.model = unit, model
        self.types = Types()
        self.types.number = self._number
        self.sizes: dict[str, int] = {}
        self.globals: dict[str, tuple[str, Type]] = {}
        self.frames: list[Frame] = [Frame("", 0)]
        self.start = State()
        self.memo: dict[Any, list[Any]] = {}
        self.seen: set[str] = set()  # functions that were run
        self.reached = set()
        for node in unit.tree.ext:
            self._top(node)

    # declarations
    def _top(self, node: Any) -> None:
        if isinstance(node, c_ast.Typedef):
            self.types.names[node.name] = self.types.of(node.type)
        elif isinstance(node, c_ast.Decl):
            t = self.types.of(node)
            if node.name is None or t.kind == "function":
                return
            if t.kind == "array" and not t.size and node.init is not None:
                t = t._replace(size=self.length(node.init) * t.of.size)
            self.globals[node.name] = (node.name, t)
            self.sizes[node.name] = t.size
            if node.init is not None:
                self._init(self.start, Ptr(node.name, exactly(0)), t, node.init)

    def _init(self, state: State, p: Ptr, t: Type, init: Any) -> list[State]:
        if isinstance(init, c_ast.InitList):
            states = [state]
            if t.size:
                state.write(p.obj, p.off.lo, t.size, exactly(0))
            for i, one in enumerate(init.exprs):
                if isinstance(one, c_ast.NamedInitializer):
                    off, inner = t.field(one.name[0].name)
                    one = one.expr  # noqa: PLW2901
                elif t.kind == "struct":
                    off, inner = t.fields[i][1], t.fields[i][2]
                else:
                    off, inner = i * t.of.size, t.of
                at = Ptr(p.obj, exactly(p.off.lo + off))
                states = [u for s in states for u in self._init(s, at, inner, one)]
            return states
        if t.kind == "array":  # a string
            return [state]
        out = []
        for s, v, of in self.value(state, init):
            self.store(s, p, t, v, of)
            out.append(s)
        return out

    # functions
    def call(
        self, s: State, name: str, args: list[Typed], *, used: bool = True, where: str = ""
    ) -> list[Result]:
        """A function: by its model, or run."""
        found: list[Result] | None = self.model.call(self, s, name, args, (used, where))
        if found is not None:
            return found
        if self.unit.layers.get(name) not in INSIDE:
            return self.forget(s, args)
        done: list[Result] = self.model.after(self, name, args, self.run(s, name, args))
        return done

    def forget(self, s: State, args: list[Typed]) -> list[Result]:
        """What a function that is not run may have done: anything to what it got."""
        for v, t in args:
            if isinstance(v, Ptr) and t.kind == "ptr":
                size = self.sizes.get(v.obj)
                off = max(v.off.lo, 0)
                if size and off < size and t.of.size != 0:
                    s.write(v.obj, off, size - off, any_of(size - off))
        return [(s, Num(-(1 << 31), (1 << 32) - 1), INT)]

    def run(self, s: State, name: str, args: list[Typed]) -> list[Result]:
        """A function of the unit; what it did before to the same memory it does again."""
        if self.unit.layers.get(name) not in ("field", "group", "mul"):
            return self._run(s, name, args)
        key = (name, tuple(v for v, _ in args), self._reached(s, args), self.frames[-1].depth)
        if key not in self.memo:
            self.memo[key] = []
            for u, v, t in self._run(s.fork(), name, args):
                new = {o: one for o, one in u.memory.items() if s.memory.get(o) is not one}
                self.memo[key].append((new, v, t))
        out: list[Result] = []
        for new, v, t in self.memo[key]:
            u = s.fork()
            u.memory.update(new)
            out.append((u, v, t))
        return out

    def _reached(self, s: State, args: list[Typed]) -> Any:
        """What a function may read that is not as at the start: what its arguments point to, and
        what these point to, and all that has a name outside of functions."""
        found: dict[str, Any] = {}
        todo = [v.obj for v, _ in args if isinstance(v, Ptr)]
        todo += [o for o, _ in self.globals.values()]
        while todo:
            obj = todo.pop()
            cells = s.memory.get(obj, {})
            if obj not in found and cells and cells is not self.start.memory.get(obj):
                found[obj] = frozenset(cells.items())
                todo += [v.obj for _, v in cells.values() if isinstance(v, Ptr)]
        return frozenset(found.items())

    def _run(self, s: State, name: str, args: list[Typed]) -> list[Result]:
        node = self.unit.functions[name]
        self.seen.add(name)
        frame = Frame(name, len(self.frames))
        self.frames.append(frame)
        params = node.decl.type.args.params if node.decl.type.args else []
        for param, (v, of) in zip(
            [p for p in params if getattr(p, "name", None)], args, strict=False
        ):
            t = self.types.of(param)
            if t.kind == "array":
                t = Type("ptr", 4, of=t.of)
            self.store(s, self._declare(s, param, t), t, v, of)
        flow = self.block(s, node.body)
        self.frames.pop()
        t = self.types.of(node.decl.type.type)
        ends = flow.returned + [(u, exactly(0)) for u in flow.normal]
        groups: dict[Any, list[State]] = {}
        for u, v in ends:
            for obj in [o for o in u.memory if o.startswith(f"{frame.depth}/")]:
                del u.memory[obj]
            key = v if not isinstance(v, Num) or v.const is not None else None
            if key is None or t.kind == "void":
                key = v if t.kind != "void" else None
            groups.setdefault(key, []).append(u)
        out: list[Result] = []
        for key, states in groups.items():
            v = key if key is not None else exactly(0)
            if t.kind == "int" and isinstance(v, Num):
                v = fit(v, t)
            out += [(u, v, t) for u in merged(states)]
        return out

    def _declare(self, s: State, node: Any, t: Type) -> Ptr:
        frame = self.frames[-1]
        obj = f"{frame.depth}/{frame.name}/{node.name}@{node.coord.line if node.coord else 0}"
        frame.scopes[-1][node.name] = (obj, t)
        self.sizes[obj] = t.size
        s.memory[obj] = {}
        return Ptr(obj, exactly(0))

    # statements
    def block(self, s: State, node: Any) -> Flow:
        """{ .. }"""
        self.frames[-1].scopes.append({})
        flow, states = Flow(), [s]
        for item in node.block_items or ():
            after: list[State] = []
            for u in states:
                one = self.statement(u, item)
                flow.take(one)
                after += one.normal
            loose = self.unit.layers.get(self.frames[-1].name) not in ("mp", "field")
            states = self._apart(after) if loose else merged(after, MANY)
            if not states:
                break
        flow.normal = states
        self.frames[-1].scopes.pop()
        return flow

    def _apart(self, states: list[State]) -> list[State]:
        """One for all that the integers of this frame may be; one of all, where these are many."""
        groups: dict[Any, list[State]] = {}
        names = [
            obj for scope in self.frames[-1].scopes for obj, t in scope.values() if t.kind == "int"
        ]
        for s in states if len(states) > 1 else ():
            known = (s.memory.get(obj, {}).get(0) for obj in names)
            key = tuple(v[1] if v and isinstance(v[1], Num) and v[1].const is not None else None
                        for v in known)  # fmt: skip
            groups.setdefault(key, []).append(s)
        if not 1 < len(groups) <= MANY:
            return merged(states)
        return [s for group in groups.values() for s in merged(group)]

    def statement(self, s: State, node: Any) -> Flow:
        """One of them."""
        kind = type(node).__name__
        if kind == "Compound":
            return self.block(s, node)
        if kind in ("For", "While", "DoWhile"):
            return self.loop(s, node)
        if kind == "If":
            return self._if(s, node)
        if kind == "Switch":
            return self._switch(s, node)
        if kind == "Return":
            return self._return(s, node)
        if kind == "Decl":
            return self._decl(s, node)
        flow = Flow()
        if kind in ("EmptyStatement", "Typedef", "StaticAssert", "Pragma"):
            flow.normal = [s]
        elif kind == "Break":
            flow.broken = [s]
        elif kind == "Continue":
            flow.continued = [s]
        elif kind == "FuncCall":
            flow.normal = [u for u, _, _ in self._funccall(s, node, used=False)]
        elif kind == "Cast" and isinstance(node.expr, c_ast.FuncCall):
            flow.normal = [u for u, _, _ in self._funccall(s, node.expr, used=False)]
        else:
            flow.normal = [u for u, _, _ in self.value(s, node)]
        return flow

    def _decl(self, s: State, node: Any) -> Flow:
        if isinstance(node.type, c_ast.Enum):
            self.types.enum(node.type)
            return Flow([s])
        t = self.types.of(node)
        if t.kind == "array" and not t.size and node.init is not None:
            t = t._replace(size=self.length(node.init) * t.of.size)
        p = self._declare(s, node, t)
        return Flow(self._init(s, p, t, node.init) if node.init is not None else [s])

    def _return(self, s: State, node: Any) -> Flow:
        flow = Flow()
        if node.expr is None:
            flow.returned = [(s, exactly(0))]
        else:
            flow.returned = [(u, v) for u, v, _ in self.value(s, node.expr)]
        return flow

    def _if(self, s: State, node: Any) -> Flow:
        flow = Flow()
        for u, holds in self.branches(s, node.cond):
            branch = node.iftrue if holds else node.iffalse
            if branch is None:
                flow.normal.append(u)
                continue
            one = self.statement(u, branch)
            flow.take(one)
            flow.normal += one.normal
        return flow

    def _switch(self, s: State, node: Any) -> Flow:
        flow, items = Flow(), node.stmt.block_items
        for u, v, _ in self.value(s, node.cond):
            ways: list[int] = []
            sure = False
            for i, item in enumerate(items):
                if isinstance(item, c_ast.Case) and isinstance(v, Num):
                    same = compared("==", v, exactly(self._number(item.expr)))
                    sure = sure or bool(same.lo)
                    ways += [i] * same.hi
            if not sure:
                ways += [i for i, item in enumerate(items) if isinstance(item, c_ast.Default)]
                if all(isinstance(item, c_ast.Case) for item in items):
                    flow.normal.append(u.fork())
            for i in ways:
                rest = [one for item in items[i:] for one in item.stmts]
                one = self.block(u.fork(), c_ast.Compound(rest))
                flow.normal += one.normal + one.broken
                one.broken = []
                flow.take(one)
        return flow

    def loop(self, s: State, node: Any) -> Flow:
        """Some rounds one by one, then all others at once."""
        flow = Flow()
        self.frames[-1].scopes.append({})
        states = [s]
        if isinstance(node, c_ast.For) and node.init is not None:
            decls = node.init.decls if isinstance(node.init, c_ast.DeclList) else [node.init]
            for decl in decls:
                states = [u for t in states for u in self.statement(t, decl).normal]
        known: list[State] = []
        first = isinstance(node, c_ast.DoWhile)
        unrolled, rounds = (FEW, FEW) if self._long(states, node) else (UNROLLED, ROUNDS)
        for number in range(2 * MOST):
            inside: list[State] = []
            before = len(flow.normal)
            for u in states:
                always = first or node.cond is None
                for w, holds in [(u, True)] if always else self.branches(u, node.cond):
                    (inside if holds else flow.normal).append(w)
            first = False
            if len(flow.normal) == before and unrolled == number < MOST and rounds > FEW:
                unrolled += 1  # nothing but the data of the program decides about another round
            if number >= unrolled:
                inside = self._new(known, inside, widen=number > unrolled + rounds)
            if not inside:
                break
            states = self._round(inside, node, flow)
        else:
            raise Unknown("a loop without end")
        self.frames[-1].scopes.pop()
        flow.normal = merged(flow.normal + flow.broken)
        flow.broken, flow.continued = [], []
        return flow

    def _long(self, states: list[State], node: Any) -> bool:
        """Whether a loop over an integer has more rounds than are run one by one."""
        if not isinstance(node, c_ast.For) or not isinstance(node.init, c_ast.DeclList):
            return False
        ends = [node.init.decls[0].init]
        if isinstance(node.cond, c_ast.BinaryOp) and node.cond.op[0] == "<":
            ends.append(node.cond.right)
        found = [v for s in states for e in ends if e is not None
                 for _, v, _ in self.value(s.fork(), e)]  # fmt: skip
        return any(isinstance(v, Num) and v.lo > UNROLLED for v in found)

    def _round(self, states: list[State], node: Any, flow: Flow) -> list[State]:
        after: list[State] = []
        for u in merged(states):
            one = self.statement(u, node.stmt)
            flow.returned += one.returned
            flow.broken += one.broken
            after += one.normal + one.continued
        after = merged(after)
        if isinstance(node, c_ast.For) and node.next is not None:
            after = [w for u in after for w, _, _ in self.value(u, node.next)]
        return after

    def _new(self, known: list[State], states: list[State], *, widen: bool) -> list[State]:
        """States that are no case of what the loop had before, joined with it."""
        out = []
        for s in merged(states):
            for i, old in enumerate(known):
                both = join(old, s, widen)
                if both is None:
                    continue
                if both.memory != old.memory:
                    known[i] = both.fork()
                    out.append(both)
                break
            else:
                known.append(s.fork())
                out.append(s)
        return out
