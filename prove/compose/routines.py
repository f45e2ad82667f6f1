"""Formulas, interpreters and ladders in assembly: their object code, by the contracts of what it
calls. So each call within them is checked, too."""

from __future__ import annotations

from functools import reduce
from typing import Any

from prove.algebra.values import M32, Pointer, Refused, Space, Value, constant, whole
from prove.compose.promises import ON, OPERATIONS, PROMISES, RV
from prove.contracts.contract import HELD, Contract
from prove.goals.entries import called, ends, image_of
from prove.goals.states import STACK
from prove.intervals.ctypes import UNSIGNED
from prove.intervals.domain import Content, Num, Ptr, State, any_of
from prove.machine.execution import Hook, Run
from prove.machine.flags import REGISTERS
from prove.machine.image import Instruction
from prove.machine.riscv import RiscV
from prove.machine.thumb import Thumb

Words = tuple[int, ...]


class Assembly:
    """Routines of a back end that have no contract of their own."""

    def __init__(self, backend: str, model: Any) -> None:
        self.backend, self.model = backend, model
        self.memo: dict[Any, dict[str, list[tuple[int, int, Num]]]] = {}

    def call(self, c: Any, s: State, name: str, args: list[Content]) -> list[Any]:
        """Run it on what is known; the state has its results afterwards."""
        objects = sorted({a.obj for a in args if isinstance(a, Ptr)})
        contents = [tuple(sorted(s.memory.get(o, {}).items(), key=lambda i: i[0])) for o in objects]
        key = (name, tuple(args), tuple(zip(objects, contents, strict=True)))
        if key not in self.memo:
            try:
                self.memo[key] = _Call(self, c, s, name, args).results()
            except Refused as error:
                self.model.fault(f"{name} is not read: {error}")
                self.memo[key] = {}
        for obj, found in self.memo[key].items():
            for off, size, v in found:
                s.write(obj, off, size, v)
        return [(s, any_of(4), UNSIGNED)]


def moved(p: Pointer, by: int) -> Pointer:
    """So many bytes further."""
    return Pointer(p.base, p.offset + by)


class _Thumb(Thumb):
    """Also asks whether an operand is there."""

    def compare(self, i: Instruction, op: str) -> None:
        x, y = self.operand(i, i.operands[0]), self.operand(i, i.operands[1])
        if op != "cmp" or not isinstance(x, Pointer) or not isinstance(y, Value) or y.const != 0:
            super().compare(i, op)
            return
        self.check(x, 4, write=False)
        self.set_flags(constant(1))
        self.zero_only, self.carry = True, None

    def returned(self) -> int | None:
        after = super().returned()
        self.r[14] = self.s.word("left 14")
        return after

    def _step(self, i: Instruction) -> int | None:
        if i.name != "clz":
            return super()._step(i)
        self.word(REGISTERS[i.operands[1].reg])  # it is defined
        self.r[REGISTERS[i.operands[0].reg]] = self.s.word("clz", 32)
        return i.address + i.size


class _RiscV(RiscV):
    """Likewise."""

    def _taken(self, name: str, o: Any) -> bool:
        x = self.operand(o[0])
        if name in ("beqz", "bnez") and isinstance(x, Pointer):
            self.check(x, 4, write=False)
            return name == "bnez"
        return super()._taken(name, o)


class _Call:
    """One run of one of them."""

    def __init__(self, outer: Assembly, c: Any, s: State, name: str, args: list[Content]) -> None:
        self.outer, self.name, self.space = outer, name, Space()
        self.bounds: dict[Words, Num] = {}
        rv = outer.backend == "rv32im"
        kind: type[Run] = _RiscV if rv else _Thumb
        sp, lr, first = (2, 1, 10) if rv else (13, 14, 0)
        start: dict[int, Any] = {sp: Pointer("sp", 0), lr: Pointer("lr", 0)}
        for n in range(5, 32) if rv else range(13):
            start[n] = self.space.word(f"register {n}")
        self.memory: dict[tuple[str, int], Any] = {}
        areas = {"sp": (-STACK, 0, True)}
        for i, a in enumerate(args):
            if isinstance(a, Ptr):
                if a.off.const is None:
                    start[first + i] = Pointer(f"operand {i}", 0)
                    areas[f"operand {i}"] = (0, self._one_of(c, s, a, f"operand {i}"), False)
                    continue
                start[first + i] = Pointer(a.obj, a.off.const)
                known = a.obj in c.sizes  # else the caller's: bytes as many as an element has
                size = c.sizes.get(a.obj, 4 * outer.model.words)
                areas[a.obj] = (0, self._fill(s, a.obj, size), known)
            elif isinstance(a, Num) and a.const is not None:
                start[first + i] = constant(a.const & M32)
            else:
                start[first + i] = self.space.scale(self.space.word("mask", 1), M32)
        code = image_of(outer.backend)
        hooks: dict[int, Hook] = {
            at: self.hook(contract)
            for at, contract in called(outer.backend).items()
            if contract.name != name
        }
        for inner, at in code.symbols.items():
            if inner.endswith("_on") and inner[inner.index("_", 6) :] in ON:
                hooks[at] = self.on_registers(inner)
        for inner, cases in PROMISES.get(outer.backend, {}).items():
            if inner in code.symbols:
                hooks[code.symbols[inner]] = self.by_operation(inner, cases)
        self.run = kind(code, self.space, start, self.memory, areas, hooks=hooks)
        self.run.limit = 400_000
        self.run.go(code.symbols[name])

    def _one_of(self, c: Any, s: State, p: Ptr, obj: str) -> int:
        """An operand that may stand in several places of an object, such as an entry of a table:
        it is only read, and has what any of them has. Returns how many bytes there are in all."""
        size, at = 4 * self.outer.model.words, 0
        places = c.offsets(s, p, size)
        last = max(o + n for o, (n, _) in s.memory.get(p.obj, {}).items())
        while places and max(places) + at + size <= last:
            found = [s.read(p.obj, off + at, size) for off in places]
            known = [v.stored(size) for v in found if isinstance(v, Num)]
            if len(known) < len(found):
                break
            v = reduce(Num.join, known)
            for i, w in enumerate(self.fresh(v, size // 4, f"{obj}.{at}")):
                self.memory[obj, at + 4 * i] = w
            at += size
        return at

    def _fill(self, s: State, obj: str, size: int) -> int:
        end = size
        for off, (n, v) in s.memory.get(obj, {}).items():
            end = max(end, off + n)
            if n % 4 or off % 4 or not isinstance(v, Num):
                continue
            for i, w in enumerate(self.fresh(v.stored(n), n // 4, f"{off}")):
                self.memory[obj, off + 4 * i] = w
        for off in range(0, end, 4):  # bytes, and what nothing is known of
            if (obj, off) not in self.memory:
                v = s.read(obj, off, min(4, end - off))
                if isinstance(v, Num):
                    self.memory[obj, off] = self.fresh(v.stored(4), 1, f"{off}")[0]
        return end

    def fresh(self, v: Num, words: int, name: str) -> list[Value]:
        """Words of a number between bounds."""
        if v.const is not None:
            return [constant(v.const >> 32 * i & M32) for i in range(words)]
        found = [self.space.word(f"{name}.{i}", min(M32, v.hi >> 32 * i)) for i in range(words)]
        self.bounds[self._names(found)] = v
        return found

    @staticmethod
    def _names(words: list[Value]) -> Words:
        return tuple(next(iter(w.p))[0] if len(w.p) == 1 and () not in w.p else -1 for w in words)

    def number(self, words: list[Value]) -> Num:
        """What words lie between, as one number."""
        names = self._names(words)
        if names in self.bounds and all(max(w.p.values()) == 1 for w in words):
            return self.bounds[names]
        v = whole(words)
        return Num(v.lo, v.hi)

    def load(self, run: Run, p: Pointer, words: int) -> Num:
        """A number in memory."""
        found = []
        for i in range(words):
            v = run.load(Pointer(p.base, p.offset + 4 * i))
            if not isinstance(v, Value):
                raise Refused("a number with an address in it")
            found.append(v)
        return self.number(found)

    def held(self, run: Run, words: int) -> Num:
        """A number in the registers from r0 on."""
        return self.number([run.word(n) for n in range(words)])

    def hook(self, contract: Contract) -> Hook:
        """A call: operands checked, results of which the bound is known."""

        def act(run: Run) -> None:
            model, sp = self.outer.model, 2 if contract.backend == "rv32im" else 13
            places = {o: run.pointer(run.get(n)) for n, o in contract.arguments.items()}
            if contract.frame:
                places[contract.frame] = run.pointer(run.get(sp))
            read = {n for g in contract.goals for n in g.value.names()}
            known = {}
            for o, operand in contract.operands.items():
                if o in read and (o in places or o == HELD) and operand.number is None:
                    if o == HELD:
                        v = self.held(run, operand.words)
                    else:
                        v = self.load(run, places[o], operand.words)
                    known[o] = v
                    if v.lo < operand.least or v.hi >= operand.bound:
                        model.fault(
                            f"{self.name} calls {contract.name}: operand {o} may be {v.hi:#x}, "
                            f"which asks for less than {operand.bound:#x}"
                        )
            self.results_of(run, contract, places, known)
            model.relied.add(contract.name)

        return act

    def results_of(
        self, run: Run, contract: Contract, places: dict[str, Pointer], known: dict[str, Num]
    ) -> None:
        """What a contract promises."""
        from prove.compose.models import outcome

        found, kept = ends(contract.backend, contract.name)
        become = {
            n: run.get(off) if what == "register" else moved(places[what], off)
            for n, (what, off) in contract.becomes.items()
        }
        for n in range(5, 32) if contract.backend == "rv32im" else (*range(13), 14):
            if n not in contract.keeps and n not in kept and n != 14:
                run.r[n] = self.space.word(f"left {n}")  # any value: two formulas read it
        for n, (o, off) in found.items():
            if o in places:
                run.r[n] = moved(places[o], off)
        run.r.update(become)
        for goal in contract.goals:
            words = self.fresh(outcome(contract, goal, known), goal.words, contract.name)
            for i, w in enumerate(words):
                if goal.place:
                    run.store(moved(places[goal.place], 4 * i), w)
                elif i < len(goal.registers):
                    run.r[goal.registers[i]] = w
        if isinstance(run, Thumb):
            run.carry = run.result = None

    def on_registers(self, name: str) -> Hook:
        """An entry with an operand in r0 to r7 and another where r10 points."""

        def act(run: Run) -> None:
            p = self.outer.model.p
            for v in (self.held(run, 8), self.load(run, run.pointer(run.get(10)), 8)):
                if v.hi >= p:
                    self.outer.model.fault(f"{self.name} calls {name}: {v.hi:#x} is not below p")
            for n in (9, 10, 11, 12):
                run.r[n] = self.space.word(f"left {n}")
            for n, w in enumerate(self.fresh(Num(0, p - 1, p), 8, name)):
                run.r[n] = w
            run.carry = run.result = None  # type: ignore[attr-defined]
            self.outer.model.relied.add(name)

        return act

    def by_operation(self, name: str, cases: dict[str, tuple[str, int]]) -> Hook:
        """A routine that does what r3 says, on operands of any value."""

        def act(run: Run) -> None:
            rv = self.outer.backend == "rv32im"
            codes, first = (RV, 10) if rv else (OPERATIONS, 0)
            op, out = run.word(first + 3).const, run.pointer(run.get(first))
            small = op == codes["OP_SMALL"] and "OP_SMALL" in cases
            for n, size in ((first + 1, 8), (first + 2, 1 if small else 8)):
                v = self.load(run, run.pointer(run.get(n)), size)
                if rv and small and size == 1 and v.hi >> 26:
                    self.outer.model.fault(f"{self.name} calls {name} with {v.hi:#x}")
            bound = next((b for o, (_, b) in cases.items() if codes[o] == op), None)
            if bound is None:
                raise Refused(f"{name} is called with an operation that it does not have")
            p = self.outer.model.p
            for i, w in enumerate(self.fresh(Num(0, bound - 1, p), 8, name)):
                run.store(Pointer(out.base, out.offset + 4 * i), w)
            lost: tuple[int, ...] = (*range(8), 12) if name.endswith("sum") else (0, 1, 2, 3, 12)
            if rv:
                lost = (5, 6, 7, *range(10, 18), *range(28, 32))
            if name.endswith("loop_product"):
                lost = tuple(n for n in range(5, 32) if n != 10)
            for n in lost:
                run.r[n] = None
            if isinstance(run, Thumb):
                run.carry = run.result = None
            self.outer.model.relied.add(name)

        return act

    def results(self) -> dict[str, list[tuple[int, int, Num]]]:
        """What stands in memory at the end, by numbers as long as elements."""
        size = 4 * self.outer.model.words
        out: dict[str, list[tuple[int, int, Num]]] = {}
        for obj in {o for o, _ in self.run.memory if o != "sp"}:
            offsets = sorted(off for o, off in self.run.memory if o == obj)
            for off in (o for o in offsets if o % size == 0):
                words = [self.run.memory.get((obj, off + i)) for i in range(0, size, 4)]
                before = [self.memory.get((obj, off + i)) for i in range(0, size, 4)]
                if all(isinstance(w, Value) for w in words) and words != before:
                    v = self.number([w for w in words if isinstance(w, Value)])
                    out.setdefault(obj, []).append((off, size, v))
        return out
