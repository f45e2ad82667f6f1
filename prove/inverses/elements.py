"""Powers in C: their object code multiplies elements, and the exponents are those of the comment.

The prover executes the code of a function on elements, each a coefficient times powers of the
operands. Products, and what makes an integer below p of an element, act by their contracts. The
words of a new element are new variables. So a copy of all words is the same element, and anything
else that is stored over a word leaves no element. All branches depend on public numbers alone.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import unicorn

from prove.algebra.values import Pointer, Poly, Refused, Value, at
from prove.contracts import records
from prove.contracts.banner import Unread
from prove.contracts.banner import contracts as read
from prove.contracts.comments import contracts
from prove.contracts.contract import Contract, Goal, Outcome
from prove.contracts.expression import Term
from prove.contracts.powers import Power, promises
from prove.goals.emulation import RETURN, Emulated
from prove.goals.states import State, begin, finish, samples
from prove.machine.compiled import Build
from prove.machine.execution import Hook, Run
from prove.machine.image import Image
from prove.machine.thumb import Thumb

STATES = 2  # of the emulator, for each of the first contracts
MOST_COMPARED = 12  # contracts of a function that the emulator runs


class Element(NamedTuple):
    """A number in memory: modulo the prime, the coefficient times powers; below a bound."""

    coefficient: int
    powers: tuple[tuple[str, int], ...]
    bound: int


class Callee(NamedTuple):
    """A function that is called by contract: its contracts, and what its record is to have."""

    name: str
    contracts: Sequence[Contract]
    powers: Sequence[Power]


def callees(made: Build, image: Image, name: str) -> dict[int, Callee]:
    """Those that a function may call, by address: products, reductions and inverses."""
    found: dict[int, Callee] = {}
    for symbol, address in image.symbols.items():
        if symbol == name:
            continue
        function = made.functions.get(symbol)
        some: Sequence[Contract] = ()
        power: Sequence[Power] = ()
        try:
            if function is not None:
                if function.path.name == "divsteps.inc":
                    power = promises(made.backend, function, made.words)
                some = () if power else contracts(made.backend, function, made.words)
            elif symbol.startswith("ecfit_"):
                some = read(_home(image, made.backend, symbol), symbol)
        except (Unread, ValueError, AssertionError, KeyError):
            continue
        some = [one for one in some if _operation(one)]
        if some or power:
            found[address] = Callee(symbol, some, power)
    return found


@cache
def _proved() -> dict[str, dict[str, Any]]:
    """The records of routines in assembly."""
    return records.load()


def _home(image: Image, backend: str, name: str) -> str:
    """The back end that has the record of a routine: ARMv6-M may have it for others."""
    for home in (backend, "armv6m"):
        record = _proved().get(f"{home} {name}")
        if record is not None and record["code"] == records.code(image, name):
            return home
    return backend


def _operation(one: Contract) -> bool:
    """Whether it makes an element of elements."""
    if len(one.goals) != 1 or one.masks or one.data or one.indexes or one.frame or one.above:
        return False
    (goal,) = one.goals
    plain = goal.modulus is not None and not goal.registers and goal.quotient is None
    return plain and not one.pushed and not one.lost and not one.free and _factors(goal.value)


def _factors(term: Term) -> bool:
    if term.op == "mul":
        return all(_factors(part) for part in term.parts)
    return term.op == "var"


class Elements:
    """One run of one contract."""

    def __init__(self, image: Image, made: Build, one: Power, known: dict[int, Callee]) -> None:
        self.image, self.made, self.one = image, made, one
        self.contract = one.contract
        self.of: dict[tuple[int, ...], Element] = {}
        self.called: set[str] = set()
        hooks = {address: self._hook(callee) for address, callee in known.items()}
        self.state: State = begin(image, self.contract, {}, hooks)
        for o, variables in self.state.inputs.items():
            bound = self.contract.operands[o].bound
            self.of[tuple(variables)] = Element(1, ((o, 1),), bound)
        self.state.run.path = []
        finish(image, self.contract, self.state)

    def element(self, run: Run, p: Pointer, words: int) -> Element:
        """What is in memory. Errors: Refused."""
        found, number = [], 0
        for i in range(words):
            w = run.load(Pointer(p.base, p.offset + 4 * i))
            if not isinstance(w, Value):
                raise Refused(f"{p} is no element: it has an address in it")
            if w.const is not None:
                number += w.const << 32 * i
                continue
            if len(w.p) != 1 or set(w.p.values()) != {1}:
                raise Refused(f"{p} is no element")
            found.append(next(iter(w.p))[0])
        if not found:
            return Element(number % self.one.prime, (), number + 1)
        if tuple(found) not in self.of:
            raise Refused(f"{p} is no element, or a part of one")
        return self.of[tuple(found)]

    def _hook(self, callee: Callee) -> Hook:
        """What a call does, by the first contract that the operands keep."""

        def act(run: Run) -> None:
            reason = f"{callee.name} is called with numbers that it has no contract for"
            some = callee.contracts or [p.contract for p in callee.powers]
            for i, one in enumerate(some):
                if not self._meant(run, one):
                    continue
                try:
                    value = self._value(run, one, callee.powers[i] if callee.powers else None)
                except Refused as error:
                    reason = str(error)
                    continue
                self._leave(run, one, value)
                self.called.add(callee.name)
                return
            raise Refused(reason)

        return act

    @staticmethod
    def _meant(run: Run, one: Contract) -> bool:
        """Whether registers, the record and the modulus are those of a contract."""
        for n, x in one.numbers.items():
            v = run.r.get(n)
            if not isinstance(v, Value) or v.const != x:
                return False
        for n in (n for n, o in one.arguments.items() if o == "record"):
            start = run.pointer(run.get(n))
            for i, wanted in enumerate(one.record):
                v = run.load(Pointer(start.base, start.offset + 4 * i))
                if isinstance(wanted, int) and not (isinstance(v, Value) and v.const == wanted):
                    return False
        places = Elements._places(run, one)
        for o, operand in one.operands.items():
            if operand.number is not None and o in places:
                p = places[o]
                for i in range(operand.words):
                    w = run.load(Pointer(p.base, p.offset + 4 * i))
                    if not isinstance(w, Value) or w.const != operand.number >> 32 * i & 0xFFFFFFFF:
                        return False
        return True

    @staticmethod
    def _places(run: Run, one: Contract) -> dict[str, Pointer]:
        """Where the operands are, and what the record has the addresses of."""
        places = {o: run.pointer(run.get(n)) for n, o in one.arguments.items()}
        start = places.pop("record", None)
        for i, name in enumerate(one.record if start else ()):
            if isinstance(name, str) and start:
                places[name] = run.pointer(run.load(Pointer(start.base, start.offset + 4 * i)))
        return places

    def _value(self, run: Run, one: Contract, power: Power | None) -> Element:
        """The result, and that operands are as the contract asks. Errors: Refused."""
        (goal,) = one.goals
        prime = self.one.prime
        if goal.modulus != prime or (one.public and not self.contract.public):
            raise Refused(f"{one.name} has another modulus, or its time varies")
        places = self._places(run, one)
        self._apart(one, goal, places)
        operands: dict[str, Element] = {}
        factors = dict(power.powers) if power else _count(goal.value)
        for o in sorted(factors):
            operand, element = one.operands[o], self.element(run, places[o], one.operands[o].words)
            if element.bound > operand.bound or operand.least:
                raise Refused(f"{one.name} is called with {o} that may be too large")
            operands[o] = element
        coefficient = power.coefficient if power else pow(goal.factor, -1, prime)
        total: dict[str, int] = {}
        for o, e in factors.items():
            coefficient = coefficient * pow(operands[o].coefficient, e, prime) % prime
            for x, k in operands[o].powers:
                total[x] = total.get(x, 0) + k * e
        bound = min(goal.bound or 1 << 32 * goal.words, 1 << 32 * goal.words)
        return Element(coefficient, tuple(sorted(total.items())), bound)

    @staticmethod
    def _apart(one: Contract, goal: Goal, places: dict[str, Pointer]) -> None:
        """Operands are one, or apart, as the contract allows. Errors: Refused."""
        names = [o for o in places if one.operands[o].number is None]
        together = {frozenset(o for o in names if places[o] == places[x]) for x in names}
        for alias in one.aliases:
            base = {o: alias.get(o, o) for o in names}
            if {frozenset(x for x in names if base[x] == base[o]) for o in names} == together:
                break
        else:
            raise Refused(f"{one.name} is called with operands that may not be one")
        out, size = places[goal.place], 4 * goal.words
        for o, p in places.items():
            length = 4 * one.operands[o].words
            meet = p.base == out.base and p.offset < out.offset + size
            if p != out and meet and out.offset < p.offset + length:
                raise Refused(f"{one.name} is called with its result over a part of {o}")

    def _leave(self, run: Run, one: Contract, value: Element) -> None:
        """The result in memory, and what is lost."""
        (goal,) = one.goals
        out = run.pointer(run.get(next(n for n, o in one.arguments.items() if o == goal.place)))
        stack = run.pointer(run.get(run.sp))
        fresh = [run.s.word(f"{one.name}.{i}") for i in range(goal.words)]
        for i, w in enumerate(fresh):
            run.store(Pointer(out.base, out.offset + 4 * i), w)
        self.of[tuple(next(iter(w.p))[0] for w in fresh)] = value
        for n in range(5, 32) if self.contract.backend == "rv32im" else range(13):
            if n not in one.keeps:
                run.r[n] = None
        for key in run.memory:
            if key[0] == stack.base == "sp" and key[1] < stack.offset:
                run.memory[key] = None
        if isinstance(run, Thumb):
            run.carry = run.result = None

    def check(self) -> None:
        """The result has the exponents of the comment. Errors: Refused."""
        (goal,), p = self.contract.goals, self.one.prime
        found = self.element(self.state.run, Pointer(self.state.base["r"], 0), goal.words)
        if found.coefficient != self.one.coefficient % p:
            raise Refused("the result has another factor")
        got, wanted = dict(found.powers), dict(self.one.powers)
        same = got.keys() == wanted.keys() and all(
            got[x] > 0 and (got[x] - e) % (p - 1) == 0 for x, e in wanted.items()
        )
        if not same:
            raise Refused("the result has another exponent than the comment says")
        if goal.bound is not None and found.bound > goal.bound:
            raise Refused("the result may be too large")

    def compare(self, count: int) -> int:
        """The emulator runs all the code, and Python's power says what comes of it."""
        emulated, total = Whole(self.image, self.contract, self.state), 0
        (goal,), p = self.contract.goals, self.one.prime
        seed = zlib.crc32(self.contract.variant().encode())
        for values in samples(self.contract, self.state, count, seed):
            env = self.state.space.witness(values)
            total += emulated.run(env)
            wanted = self.one.coefficient
            for o, e in self.one.powers:
                wanted = wanted * pow(at(_known(self.state, o), env), e, p) % p
            data = bytes(emulated.uc.mem_read(emulated.place["r"], 4 * goal.words))
            out = int.from_bytes(data, "little")
            if (out - wanted) % p or (goal.bound is not None and out >= goal.bound):
                raise Refused(f"the emulator has {out:#x}")
        return total


def _known(state: State, o: str) -> Poly:
    return state.known[o]


def _count(term: Term) -> dict[str, int]:
    """The factors of a product, each as often as it stands there."""
    if term.op == "var":
        return {term.name: 1}
    found: dict[str, int] = {}
    for part in term.parts:
        for x, k in _count(part).items():
            found[x] = found.get(x, 0) + k
    return found


class Whole(Emulated):
    """The emulator with all the code; the path without what is called by contract."""

    def __init__(self, image: Image, contract: Contract, state: State, out: str = "r") -> None:
        self.out = state.base.get(out)
        self.entries, self.back, self.keeps = set(state.run.hooks), 0, contract.keeps
        super().__init__(image, contract, state)
        self.link = self.registers[1 if contract.backend == "rv32im" else 14]

    def _step(self, _uc: Any, address: int, _size: int, _data: object) -> None:
        if self.back:
            if address != self.back:
                return
            self.back = 0
        if address in self.entries and self.path:
            self.back = int(self.uc.reg_read(self.link)) & ~1
            return
        self.path.append(address)

    def execute(self, env: list[int]) -> None:
        """Runs one state, by its variables. Errors: Refused."""
        for (base, offset), v in self.state.memory.items():
            word = self.number(v, env).to_bytes(4, "little")
            self.uc.mem_write(self.place[base] + offset, word)
        for n, content in self.state.start.items():
            self.uc.reg_write(self.registers[n], self.number(content, env))
        self.path.clear()
        self.back = 0
        try:
            self.uc.emu_start(self.entry | self.thumb, RETURN)
        except unicorn.UcError as error:
            raise Refused(f"the emulator stops: {error}") from None

    def run(self, env: list[int]) -> int:
        """The path is that of the model, and what must be kept is kept. Errors: Refused."""
        self.execute(env)
        state = self.state
        if self.path != state.run.path:
            raise Refused("the emulator takes another path")
        for n in (*self.keeps, state.run.sp):
            if self.uc.reg_read(self.registers[n]) != self.number(state.start[n], env):
                raise Refused(f"the emulator has another number in register {n}")
        for (base, offset), v in state.memory.items():
            got = int.from_bytes(self.uc.mem_read(self.place[base] + offset, 4), "little")
            if base != self.out and got != self.number(v, env):
                raise Refused(f"the emulator writes {base}")
        return len(self.path)


def prove(
    made: Build, some: Sequence[Power], of_c: Mapping[str, Mapping[str, Any]]
) -> Iterator[Outcome]:
    """Each contract of a function. `of_c`: the records of C functions. Errors: Refused."""
    image = made.image()
    known, seen = callees(made, image, some[0].contract.name), set[str]()
    for i, one in enumerate(some):
        begun = time.monotonic()
        run = Elements(image, made, one, known)
        for name in sorted(run.called - seen):
            recorded(made, image, name, of_c)
        seen |= run.called
        run.check()
        yield Outcome(
            compared=run.compare(STATES) if i < MOST_COMPARED else 0, calls=sorted(run.called),
            aliases=1, instructions=run.state.run.steps, stack=-run.state.run.low,
            seconds=time.monotonic() - begun,
        )  # fmt: skip


def recorded(made: Build, image: Image, name: str, of_c: Mapping[str, Mapping[str, Any]]) -> None:
    """What is called has the code and the contract that are proved. Errors: Refused."""
    function = made.functions.get(name)
    if function is None:
        home = _home(image, made.backend, name)
        record = _proved().get(f"{home} {name}")
        if record is not None and record["code"] == records.code(image, name):
            return
    else:
        mine = of_c.get(f"{made.backend} {name} {made.words}")
        if mine is not None and function.digest in mine["codes"]:
            return
    raise Refused(f"{name} is called, and its code is not the one that is proved")
