"""Interpreters and ladders: their object code does to the registers what a program says.

A program is a table of `lib/src/group/*_codes.inc`, or one that uses all registers. The routines of
the field act by their contracts: each makes a new element, of which a node tells the operation and
the operands. At the end, the node of each register must be the one of the program. The emulator
runs the whole code on numbers, and must agree.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from random import Random
from typing import Any

from flint import Ordering, fmpz_mpoly_ctx

from prove.algebra.formulas import Step
from prove.algebra.values import Pointer, Refused, Value
from prove.contracts.banner import SAVED, Unread, contracts
from prove.contracts.contract import Contract, Goal, Operand, Outcome
from prove.contracts.expression import Term
from prove.contracts.sources import banners
from prove.contracts.tables import REGISTERS, Promise, code_of, programs, promise
from prove.goals.emulation import Emulated
from prove.goals.entries import ends
from prove.goals.states import State, begin, draw, finish
from prove.machine.execution import Hook, Run
from prove.machine.image import Image
from prove.machine.thumb import Thumb

STATES = 3  # of the emulator, for each program


@cache
def callees(backend: str) -> dict[str, list[Contract]]:
    """The routines with a contract, by name."""
    found: dict[str, list[Contract]] = {}
    for name in banners(backend):
        try:
            if promise(backend, name) is None:
                found[name] = contracts(backend, name)
        except (Unread, ValueError, AssertionError):
            continue
    return found


class Nodes:
    """Operations on elements, each once."""

    def __init__(self) -> None:
        self.of: dict[tuple[Any, ...], int] = {}
        self.all: list[tuple[Any, ...]] = []

    def __call__(self, *node: Any) -> int:
        if node not in self.of:
            self.of[node] = len(self.all)
            self.all.append(node)
        return self.of[node]

    def values(self, inputs: Mapping[tuple[Any, ...], Any], bit: int, mul: Any) -> list[Any]:
        """All of them, from the inputs on."""
        v: list[Any] = []
        for node in self.all:
            op, *rest = node
            if op in ("in", "word"):
                v.append(inputs[node])
            elif op == "choice":
                v.append(v[rest[0] if bit else rest[1]])
            else:
                x, y = (v[n] for n in rest)
                v.append(x + y if op == "add" else x - y if op == "sub" else mul(x, y))
        return v


class Program:
    """One run of one program."""

    def __init__(self, image: Image, backend: str, name: str, said: Promise, steps: list[Step]):
        self.image, self.backend, self.name, self.said, self.steps = (
            image, backend, name, said, steps,
        )  # fmt: skip
        self.rv, self.length = backend == "rv32im", said.words
        self.size = 4 * said.words
        self.node = Nodes()
        self.elements: dict[tuple[int, ...], tuple[int, int]] = {}
        self.words: dict[int, tuple[int, int]] = {}  # bounds of inputs that are read as a word
        self.called: set[str] = set()
        first = 10 if self.rv else 0
        table = code_of(steps)
        count = -(-len(table) // 4)
        value = Term("var", (), "reg")
        operands = {"reg": Operand(self.length * REGISTERS, 1 << 8 * self.size * REGISTERS)}
        if not said.ladder:
            operands["code"] = Operand(count, 1 << 32 * count, 0, int.from_bytes(table, "little"))
        self.contract = Contract(
            name, backend, {first: "reg"} | ({} if said.ladder else {first + 1: "code"}),
            operands, (Goal("reg", self.length * REGISTERS, value),),
            masks={first + 1: "mask"} if said.masked else {},
            keeps=SAVED["rv" if self.rv else "arm"], public=name.endswith("_var"), text=said.text,
        )  # fmt: skip
        hooks = {
            image.symbols[callee]: self.hook(some)
            for callee, some in callees(backend).items()
            if callee != name and callee in image.symbols
        }
        self.state: State = begin(image, self.contract, {}, hooks)
        variables = self.state.inputs["reg"]
        for i in range(REGISTERS):
            names = tuple(variables[self.length * i : self.length * (i + 1)])
            self.elements[names] = self.node("in", i), said.bound
        self.state.run.path = []
        finish(image, self.contract, self.state)

    def element(self, run: Run, p: Pointer) -> tuple[int, int]:
        """The node of what is in memory, and its bound."""
        found = []
        for i in range(self.length):
            w = run.load(Pointer(p.base, p.offset + 4 * i))
            if not isinstance(w, Value) or len(w.p) != 1 or set(w.p.values()) != {1}:
                raise Refused(f"{p} is no element")
            found.append(next(iter(w.p))[0])
        if tuple(found) not in self.elements:
            raise Refused(f"{p} is no element, or a part of one")
        return self.elements[tuple(found)]

    def hook(self, some: Sequence[Contract]) -> Hook:
        """What a routine of the field does to the elements: by the contract for these registers."""

        def act(run: Run) -> None:
            for which, callee in enumerate(some):
                if all(self._const(run, n) == x for n, x in callee.numbers.items()):
                    return self._call(run, callee, which)
            raise Refused(f"{some[0].name} is called with a number that its banner does not have")

        return act

    @staticmethod
    def _const(run: Run, n: int) -> int | None:
        v = run.r.get(n)
        return v.const if isinstance(v, Value) else None

    def _call(self, run: Run, callee: Contract, which: int) -> None:
        if len(callee.goals) != 1 or callee.data or callee.indexes or callee.frame:
            raise Refused(f"{callee.name} is no operation on elements")
        (goal,) = callee.goals
        if goal.top or callee.public > self.contract.public:
            raise Refused(f"{callee.name} returns a word, or its time varies")
        places = {o: run.pointer(run.get(n)) for n, o in callee.arguments.items()}
        self._alias(callee, places)
        env: dict[str, int] = {}
        for o in goal.value.names() - goal.value.masks():
            node, bound = self.element(run, places[o])
            operand = callee.operands[o]
            if operand.words == 1:
                self.words[node] = operand.least, operand.bound
                node = self.node("word", node)
            elif operand.words != self.length or bound > operand.bound or operand.least:
                raise Refused(f"operand {o} of {callee.name} may be too large")
            env[o] = node
        for n in callee.masks:
            if run.word(n).p != self.state.space.scale(self._mask(), 0xFFFFFFFF).p:
                raise Refused(f"{callee.name} is called with another mask")
        node = self._built(goal.value, env)
        self._promised(callee, goal, node)
        fresh = [run.s.word(f"{callee.name}.{i}") for i in range(self.length)]
        names = tuple(next(iter(w.p))[0] for w in fresh)
        self.elements[names] = node, goal.bound or 1 << 8 * self.size
        self._lose(run, callee, places, which)
        for i, w in enumerate(fresh):
            if goal.registers:  # the caller stores them
                run.r[goal.registers[i]] = w
            else:
                out = places[goal.place]
                run.store(Pointer(out.base, out.offset + 4 * i), w)
        self.called.add(callee.name)

    def _mask(self) -> Value:
        if not self.said.masked:
            raise Refused("a mask where there is none")
        bit = self.state.inputs["mask"][0]
        return Value({(bit,): 1}, 0, 1)

    def _built(self, term: Term, env: Mapping[str, int]) -> int:
        if term.op == "var":
            return env[term.name]
        if term.op == "choice":
            return self.node("choice", *(self._built(part, env) for part in term.parts[1:]))
        if term.op not in ("add", "sub", "mul"):
            raise Refused(f"a routine that computes {term.op}")
        if term.op == "mul" and term.parts[0].op == "num":  # a sum: products may have a factor
            each = self._built(term.parts[1], env)
            return reduce(lambda total, _: self.node("add", total, each),
                          range(term.parts[0].value - 1), each)  # fmt: skip
        return self.node(term.op, *(self._built(part, env) for part in term.parts))

    def _promised(self, callee: Contract, goal: Goal, node: int) -> None:
        """The operation is one modulo the prime, with the factor and the bound of the banner."""
        op = self.node.all[node][0]
        factor = self.said.factor if op == "mul" else 1
        if goal.modulus not in (None, self.said.prime) or goal.factor != factor:
            raise Refused(f"{callee.name} computes something else than the banner says")
        bound = goal.bound or 1 << 8 * self.size
        if op == "mul" and self.node.all[self.node.all[node][2]][0] == "word":
            op = "small"
        if goal.words != self.length or bound > min(
            self.said.bound, self.said.limits.get(op, bound)
        ):
            raise Refused(f"the result of {callee.name} may be too large")

    def _alias(self, callee: Contract, places: Mapping[str, Pointer]) -> None:
        """Operands are one, or apart, as the contract allows."""
        for p in places.values():
            if p.base != "reg" or p.offset % self.size:
                raise Refused(f"{callee.name} is called with {p}")
        together = {frozenset(o for o in places if places[o] == p) for p in places.values()}
        for alias in callee.aliases:
            one = {o: alias.get(o, o) for o in places}
            if {frozenset(x for x in one if one[x] == b) for b in one.values()} == together:
                return
        raise Refused(f"{callee.name} is called with operands that may not be one")

    def _lose(self, run: Run, callee: Contract, places: Mapping[str, Pointer], which: int) -> None:
        found, kept = ends(self.backend, callee.name, which, entries=False)
        moved = {n: run.r.get(m) for n, (what, m) in callee.becomes.items() if what == "register"}
        for n in range(5, 32) if self.rv else range(13):
            if n not in callee.keeps and n not in kept:
                run.r[n] = None
        run.r |= moved
        for n, (o, offset) in found.items():
            if o in places:
                run.r[n] = Pointer(places[o].base, places[o].offset + offset)
        sp = run.get(run.sp)
        if callee.free and isinstance(sp, Pointer):
            run.memory[sp.base, sp.offset] = None
        if isinstance(run, Thumb):
            run.carry = run.result = None

    def expected(self, *, exchanged: bool) -> dict[int, int]:
        """The node of each register after the program."""
        r = {i: self.node("in", i) for i in range(REGISTERS)}
        if exchanged:
            r |= {0: r[2], 1: r[3], 2: r[0], 3: r[1]}
        for s in self.steps:
            if s.op == "SMALL":
                r[s.d] = self.node("mul", r[s.a], self.node("word", r[s.b]))
            else:
                r[s.d] = self.node(s.op.lower(), r[s.a], r[s.b])
        return r

    def _inputs(self, whole: Sequence[Any], words: Sequence[Any]) -> dict[tuple[Any, ...], Any]:
        """Values of the registers at the start, and of the words of those that are read as one."""
        found = {n: whole[n[1]] for n in self.node.all if n[0] == "in"}
        for n in self.node.all:
            if n[0] == "word":
                origin = self.node.all[n[1]]
                if origin[0] != "in":
                    raise Refused("a word of a result is a factor")
                found[n] = words[origin[1]]
        return found

    def check(self) -> None:
        """Each register has the node of the program; those of a ladder are equal polynomials."""
        run, masked = self.state.run, self.said.masked
        out = {i: self.element(run, Pointer("reg", self.size * i))[0] for i in range(REGISTERS)}
        if not self.said.ladder:
            if out != self.expected(exchanged=False):
                raise Refused("a register has another value than the program gives it")
            return
        ring = fmpz_mpoly_ctx.get([f"r{i}" for i in range(2 * REGISTERS)], Ordering.lex)
        generators = ring.gens()
        for bit in (0, 1) if masked else (0,):
            wanted = self.expected(exchanged=bool(bit))
            inputs = self._inputs(generators, generators[REGISTERS:])
            v = self.node.values(inputs, bit, lambda x, y: x * y)
            for i in range(6 if masked else REGISTERS):
                if v[out[i]] != v[wanted[i]]:
                    raise Refused(f"register {i} is another polynomial than the program gives")

    def compare(self, seed: int) -> int:
        """The emulator has, for some numbers, what the nodes say; how many instructions."""
        random, state, p = Random(seed), self.state, self.said.prime  # noqa: S311
        over = pow(self.said.factor, -1, p)
        emulated, total = Whole(self.image, self.contract, state), 0
        for _ in range(STATES):
            slots = [draw(random, 0, self.said.bound, self.length) for _ in range(REGISTERS)]
            for node, (least, bound) in self.words.items():
                slots[self.node.all[node][1]] = draw(random, least, bound, 1)
            bit = random.randrange(2)
            free = [i for i, d in enumerate(state.space.defs) if d is None]
            values = {i: random.getrandbits(32) for i in free}
            for i, x in enumerate(slots):
                for k in range(self.length):
                    values[state.inputs["reg"][self.length * i + k]] = x >> 32 * k & 0xFFFFFFFF
            if self.said.masked:
                values[state.inputs["mask"][0]] = bit
            ends_with, count = emulated.whole(state.space.witness(values), self.size)
            total += count
            inputs = self._inputs(slots, slots)
            v = self.node.values(inputs, bit, lambda x, y: x * y * over % p)
            for i in range(REGISTERS):
                node, bound = self.element(state.run, Pointer("reg", self.size * i))
                got = ends_with[i]
                exact = self.node.all[node][0] == "in"
                if (got != v[node]) if exact else ((got - v[node]) % p or got >= bound):
                    raise Refused(f"the emulator has {got:#x} in register {i}")
        return total


class Whole(Emulated):
    """The emulator with all the code."""

    def whole(self, env: list[int], size: int) -> tuple[list[int], int]:
        """The registers after a run, of so many bytes each; what must be kept is kept."""
        self.execute(env)
        state = self.state
        for n in (*self.kept, state.run.sp):
            if self.uc.reg_read(self.registers[n]) != self.number(state.start[n], env):
                raise Refused(f"the emulator has another number in register {n}")
        reg = bytes(self.uc.mem_read(self.place["reg"], size * REGISTERS))
        slots = [reg[i : i + size] for i in range(0, len(reg), size)]
        return [int.from_bytes(x, "little") for x in slots], len(self.path)

    kept: tuple[int, ...] = ()


def prove(image: Image, backend: str, name: str, said: Promise) -> Outcome:
    """All programs of a routine. Errors: Refused."""
    start, total = time.monotonic(), Outcome()
    for label, steps in programs(said).items():
        try:
            one = Program(image, backend, name, said, steps)
            one.check()
            Whole.kept = one.contract.keeps
            total.compared += one.compare(zlib.crc32(f"{name} {label}".encode()))
        except Refused as error:
            raise Refused(f"{label}: {error}") from None
        total.facts.append(f"{label}: {len(steps)} operations, {len(one.node.all)} values")
        total.aliases += 1
        total.instructions = max(total.instructions, one.state.run.steps)
        total.stack = max(total.stack, -one.state.run.low)
        total.calls = sorted({*total.calls, *one.called})
    total.seconds = time.monotonic() - start
    return total
