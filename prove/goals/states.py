"""A contract made into the start of a run, and what is left at its end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from prove.algebra.values import M32, Pointer, Poly, Refused, Space, Value, constant, whole
from prove.contracts.contract import FLAGS_GE, HELD, Contract, Goal, Operand
from prove.contracts.expression import Term
from prove.machine.execution import ROWS, Content, Hook, Run
from prove.machine.image import Image
from prove.machine.riscv import RiscV
from prove.machine.signed import Signed, SignedThumb
from prove.machine.thumb import Thumb

STACK, Q = 4096, 1 << 32
WORDS = (0, M32, M32, 1, 1 << 31, (1 << 31) - 1, 0xFFFF, 0xFFFF0000)


@dataclass
class State:
    """A run that ended."""

    space: Space
    run: Run
    start: dict[int, Content]
    inputs: dict[str, list[int]]  # of each operand, mask and number: its variables
    known: dict[str, Poly]  # each as a number
    memory: dict[tuple[str, int], Content]  # at the start
    base: dict[str, str]
    ambient: Mapping[int, Value]  # numbers in the caller's frame

    def outputs(self, goal: Goal) -> list[Value]:
        """The words of a result."""
        found: list[Value] = []
        if goal.place:
            for i in range(goal.words):
                v = self.run.memory.get((self.base[goal.place], 4 * i))
                if not isinstance(v, Value):
                    raise Refused(f"word {i} of {goal.place} is not written")
                found.append(v)
        for n in goal.registers:
            v = self.run.word(n)
            found.append(self.space.scale(v, goal.top) if goal.top else v)
        return found

    def key(self, contract: Contract) -> object:
        """Equal for states of which a proof is the same: what goes in and out, what each variable
        stands for, and all facts.
        """
        s, read = self.space, contract.read
        facts = (*s.facts, *s.given, *s.told, *s.products)
        return (
            tuple(sorted((o, frozenset(p.items())) for o, p in self.known.items() if o in read)),
            tuple(w.key() for g in contract.goals for w in self.outputs(g)),
            tuple((key, v.key()) for key, v in s.memo.items()),
            tuple((frozenset(p.items()), lo, hi) for p, lo, hi in facts),
        )


def words_of(
    space: Space, name: str, operand: Operand, inputs: dict[str, list[int]]
) -> list[Value]:
    """Fresh words of an operand, each with the range that the operand's bound gives it."""
    if operand.number is not None:
        return [constant(operand.number >> 32 * i & M32) for i in range(operand.words)]
    ceilings = [min(M32, (operand.bound - 1) >> 32 * i) for i in range(operand.words)]
    if operand.words == 1 and operand.least:
        span = space.word(f"{name}0", operand.bound - 1 - operand.least)
        inputs[name] = [next(iter(span.p))[0]]
        return [space.add(span, constant(operand.least))]
    found = [space.word(f"{name}{i}", hi) for i, hi in enumerate(ceilings)]
    inputs[name] = [next(iter(w.p))[0] for w in found]
    return found


@dataclass(frozen=True)
class Around:
    """What a run begins with beside its contract. `long`: terms of a factor that products take as
    it is; `digits`: whether digits are variables of their own; `ambient`: numbers in the caller's
    frame; `equal`: operands that are apart and have the words of another; `signed`: whether
    words are numbers with signs (prove.machine.signed); `named`: whether words of memory that is
    lost, or of registers in a loop where none is, and digits by the number 1, are variables of
    their own.
    """

    long: int = 2
    digits: bool = True
    ambient: Mapping[int, Value] = field(default_factory=dict)
    equal: Mapping[str, str] = field(default_factory=dict)
    signed: bool = False
    named: bool = False


def begin(
    image: Image,
    contract: Contract,
    alias: Mapping[str, str],
    hooks: Mapping[int, Hook] | None = None,
    around: Around | None = None,
) -> State:
    """The state at the entry."""
    around = around or Around()
    space, rv = Space(around.long, digits=around.digits), contract.backend == "rv32im"
    kind: type[Run] = RiscV if rv else Thumb
    if around.signed and not rv:
        space, kind = Signed(), SignedThumb
    sp, lr = (2, 1) if rv else (13, 14)
    start: dict[int, Content] = {sp: Pointer("sp", 0), lr: Pointer("lr", 0)}
    for n in range(5, 32) if rv else range(13):
        start[n] = space.word(f"register {n}")
    base = {o: alias.get(o, o) for o in contract.operands}
    known, memory = _operands(contract, space, base, around.equal)
    start |= {offset // 4: w for (at, offset), w in memory.items() if at == HELD}
    start |= _registers(contract, space, base, known)
    for n, o in contract.above.items():
        start[n] = memory.pop((base[o], 4 * contract.operands[o].words - 4))
    start, memory = _on_the_stack(contract, start, memory)
    for i, v in enumerate(contract.record):
        address = Pointer(base[v], 0) if isinstance(v, str) else space.word(f"record {i}")
        memory[("record", 4 * i)] = constant(v) if isinstance(v, int) else address
    memory |= {("sp", 4 * i): Pointer(base[o], 0) for i, o in enumerate(contract.pushed)}
    if contract.tail and contract.frame:
        end = 4 * contract.operands[contract.frame].words
        memory[("sp", end)] = Pointer(base[contract.goals[0].place], 0)
        memory[("sp", end + 4)], start[lr] = Pointer("lr", 0), space.word("link")
    areas = _areas(contract, base)
    if around.ambient:
        memory |= {("sp", offset): v for offset, v in around.ambient.items()}
        areas["sp"] = (-STACK, max(areas["sp"][1], max(around.ambient) + 4), True)
    run = kind(image, space, start, memory, areas, hooks=hooks)
    space.nested = run.tops = not contract.name.startswith("ecfit_")  # in C
    run.bytewise = frozenset(re.findall(r"\buint8_t \*(\w+)", contract.text) if run.tops else ())
    if run.tops:  # what the contract names is named before the run
        for goal in contract.goals:
            goal.value.poly(space, known)
    run.long_multiplies = contract.public or contract.backend != "armv7m"
    moduli = {o.number for o in contract.operands.values() if o.number}
    if rv and "t" in contract.operands:
        moduli |= {g.modulus for g in contract.goals if g.modulus}
    run.inverses = {-pow(m, -1, Q) % Q for m in moduli if m % 2} - (set() if around.named else {1})
    run.named = ({base[o] for o in contract.lost} or {ROWS}) if around.named else set()
    if isinstance(run, Thumb) and FLAGS_GE in contract.masks:
        p = known[contract.masks[FLAGS_GE]]
        run.bytes_carried = Value(p, 0, 1)
    state = State(space, run, start, space.inputs, known, memory, base, around.ambient)
    space.given = list(facts_of(contract, state))
    return state


def _operands(
    contract: Contract, space: Space, base: Mapping[str, str], equal: Mapping[str, str]
) -> tuple[dict[str, Poly], dict[tuple[str, int], Content]]:
    """Each operand as a number, and the words of all in memory."""
    known: dict[str, Poly] = {}
    memory: dict[tuple[str, int], Content] = {}
    only_out = ({g.place for g in contract.goals} | {*contract.lost}) - contract.read
    for o, operand in contract.operands.items():
        if base[o] != o or o in only_out:
            continue
        if o in equal:
            other = equal[o]
            memory |= {(o, 4 * i): memory[(other, 4 * i)] for i in range(operand.words)}
            known[o] = known[other]
            continue
        words = words_of(space, o, operand, space.inputs)
        at = "sp" if contract.frame == o else o
        memory |= {(at, 4 * i): w for i, w in enumerate(words)}
        known[o] = whole(words).p
        if operand.number is None:
            space.limits[frozenset(known[o].items())] = operand.bound - 1
    known |= {o: known[b] for o, b in base.items() if b != o}
    memory |= {("sp", 4 * i): space.word(f"frame {i}") for i in range(contract.free)}
    return known, memory


def _registers(
    contract: Contract, space: Space, base: Mapping[str, str], known: dict[str, Poly]
) -> dict[int, Content]:
    """Those that the contract names; what they hold joins what is known."""
    start: dict[int, Content] = {
        n: Pointer(base.get(o, o), 0) for n, o in contract.arguments.items()
    }
    for n, name in contract.masks.items():
        bit = space.word(name, 1)
        space.inputs[name] = [next(iter(bit.p))[0]]
        start[n], known[name] = space.scale(bit, M32), bit.p
    for n, (name, size) in contract.indexes.items():
        space.inputs[name] = space.index_of(name, size)
        known[name] = {(v,): 1 << i for i, v in enumerate(space.inputs[name])}
        start[n] = Value(known[name], 0, (1 << size) - 1)
    for n, name in contract.data.items():
        w = space.word(name)
        space.inputs[name], known[name] = [next(iter(w.p))[0]], w.p
        start[n] = w
    return start | {n: constant(number) for n, number in contract.numbers.items()}


def _on_the_stack(
    contract: Contract, start: dict[int, Content], memory: dict[tuple[str, int], Content]
) -> tuple[dict[int, Content], dict[tuple[str, int], Content]]:
    """Arguments beyond the fourth, on ARM."""
    if contract.backend != "rv32im":
        for n in (4, 5):
            if n in contract.numbers:
                memory[("sp", 4 * (n - 4))] = constant(contract.numbers[n])
                start[n] = Value({(n,): 1}, 0, M32)  # the variable of that register
    return start, memory


def _areas(contract: Contract, base: Mapping[str, str]) -> dict[str, tuple[int, int, bool]]:
    top = 4 * (contract.free or (2 if 4 in contract.numbers else len(contract.pushed)))
    areas = {"sp": (-STACK, top, True), "record": (0, 4 * len(contract.record), False)}
    writable = {base[o] for o in contract.lost} | {base[g.place] for g in contract.goals if g.place}
    for o, operand in contract.operands.items():
        b = base[o]
        words = operand.words - (o in contract.above.values())
        size = max(4 * words, areas.get(b, (0, 0, False))[1])
        areas[b] = (0, size, b in writable)
    if contract.frame:
        top = 4 * contract.operands[contract.frame].words + 8 * contract.tail
        areas["sp"] = (-STACK, top, True)
    return areas


def finish(image: Image, contract: Contract, state: State) -> None:
    """Run it, and check what holds for all contracts: registers and the stack."""
    run = state.run
    run.go(image.symbols[contract.name])
    sp = 2 if contract.backend == "rv32im" else 13
    top = 0
    if contract.tail and contract.frame:
        top = 4 * contract.operands[contract.frame].words + 8
    if run.get(sp) != Pointer("sp", top):
        raise Refused(f"the stack pointer is not kept: {run.get(sp)}")
    if contract.backend == "rv32im" and (run.r.get(3) or run.r.get(4)):
        raise Refused("gp or tp is written")
    if state.ambient:
        above = [{k for k in m if k[0] == "sp" and k[1] >= 0} for m in (run.memory, state.memory)]
        kept = all(run.memory.get(("sp", n)) is v for n, v in state.ambient.items())
        if not kept or above[0] != above[1]:
            raise Refused("the caller's frame is written")
    for n in contract.keeps:
        if not same(run.r.get(n), state.start[n]):
            raise Refused(f"register {n} is not kept")
    for n, (what, offset) in contract.becomes.items():
        wanted = state.start[offset] if what == "register" else Pointer(state.base[what], offset)
        if not same(run.r.get(n), wanted):
            raise Refused(f"register {n} is not what the banner says at the end")


def same(a: Content | None, b: Content) -> bool:
    """Whether both are the same polynomial, or the same address."""
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        return a == b
    return a is not None and a.p == b.p


def draw(random: Random, least: int, bound: int, words: int) -> int:
    """A number from least to below bound: an edge, at random, or of words that are edges."""
    kind = random.randrange(6)
    if kind == 0:
        return random.choice([least, min(least + 1, bound - 1), bound - 1, max(bound - 2, least)])
    if kind == 1:
        return random.randrange(least, bound)
    x = sum(random.choice([*WORDS, random.getrandbits(32)]) << 32 * i for i in range(words))
    return x if least <= x < bound else least + x % (bound - least)


def _digits(random: Random, goal: Goal, operand: Operand, x: int) -> int:
    """x; or, often, a number for which the digits of Montgomery's quotient, or the words that they
    clear, are edges; and of some of these, the result before p is subtracted, too.
    """
    m, size = goal.modulus, goal.factor
    if m is None or size == 1 or random.randrange(3) == 0:
        return x
    inverse, digits = -pow(m, -1, 1 << 32) % (1 << 32), 0
    for i in range(operand.words // 2):
        edge = random.choice((*WORDS, random.getrandbits(32), random.getrandbits(10)))
        digits += (edge * random.choice((1, inverse)) & M32) << 32 * i
    near = random.getrandbits(random.choice((2, 40, size.bit_length() - 36)))
    edge = random.choice((m, 2 * m, size)) + random.choice((-1, 1)) * near
    y = edge * size - digits * m
    if random.randrange(2) and 0 <= y < operand.bound:
        return y
    x += -(digits * m + x) % size
    return x if x < operand.bound else x - size


def _factor(random: Random, contract: Contract, drawn: Mapping[str, int]) -> dict[str, int]:
    """Of a Montgomery product of two operands: one of them, often, so that the digits of the
    quotient, or the words that they clear, are edges.
    """
    goal = contract.goals[0]
    value, bits = goal.value, goal.factor.bit_length() - 1
    m = goal.modulus if goal.factor == 1 << bits and bits else None
    if value.op != "mul" or any(part.op != "var" for part in value.parts):
        return {}
    one, other = (part.name for part in value.parts)
    if m is None or m % 2 == 0 or random.randrange(3) == 0 or not {one, other} <= drawn.keys():
        return {}
    a, low, operand = drawn[one] | 1, 0, contract.operands[other]
    inverse = -pow(m, -1, 1 << 32) % (1 << 32)
    for i in range(bits // 32):
        edge = random.choice((*WORDS, random.getrandbits(32), random.getrandbits(10)))
        low += (edge * random.choice((1, inverse)) & M32) << 32 * i
    b = low * random.choice((1, -m)) * pow(a, -1, 1 << bits) % (1 << bits)
    fits = a < contract.operands[one].bound and operand.least <= b < operand.bound
    return {one: a, other: b} if fits else {}


def _near(random: Random, contract: Contract, drawn: Mapping[str, int]) -> dict[str, int]:
    """Of two numbers that are compared: often equal ones, or ones that differ in a bit."""
    value = contract.goals[0].value
    if value.op != "equal" or (kind := random.randrange(3)) == 0:
        return {}
    a, b = (part.name for part in value.parts)
    bit = (kind - 1) << random.randrange(32 * value.value)
    return {b: drawn[a] ^ bit} if {a, b} <= drawn.keys() else {}


def samples(contract: Contract, state: State, count: int, seed: int) -> list[dict[int, int]]:
    """Values for all inputs of a run, some of them edges."""
    random, space, found = Random(seed), state.space, []  # noqa: S311
    for _ in range(count):
        values = {
            i: random.randrange(space.hi[i] + 1) for i, d in enumerate(space.defs) if d is None
        }
        drawn: dict[str, int] = {}
        for name, variables in state.inputs.items():
            operand = contract.operands.get(name)
            if operand is None:
                if len(variables) == 1 and space.hi[variables[0]] > 1:
                    values[variables[0]] = draw(random, 0, 1 << 32, 1)
                continue
            x = draw(random, operand.least, operand.bound, operand.words)
            x = _digits(random, contract.goals[0], operand, x) if name == "t" else x
            drawn[name] = x - (operand.least if operand.words == 1 else 0)
        drawn |= _factor(random, contract, drawn) | _near(random, contract, drawn)
        for name, x in drawn.items():
            for i, v in enumerate(state.inputs[name]):
                values[v] = x >> 32 * i & M32
        found.append(values)
    return found


def facts_of(contract: Contract, state: State) -> Iterable[tuple[Poly, int, int]]:
    """The bounds of operands, and of the products that the specification has. A result that is
    where an operand is may be shorter: it bounds nothing.
    """
    space = state.space
    limits: dict[str, tuple[int, int]] = {}
    for name in state.known:
        operand = contract.operands.get(name)
        own = state.base.get(name) == name or name in contract.read
        if operand and operand.number is None and own:
            limits[name] = (operand.least, operand.bound - 1)
            yield (state.known[name], *limits[name])
    for goal in contract.goals:
        for pair in _products(goal):
            if all(name in limits for name in pair):
                p = space.multiply(state.known[pair[0]], state.known[pair[1]])
                (least, most), (low, high) = limits[pair[0]], limits[pair[1]]
                yield p, least * low, most * high
        yield from _composed(goal, state, limits)


def _products(goal: Goal) -> Iterable[tuple[str, str]]:
    def walk(term: Term) -> Iterable[tuple[str, str]]:
        if term.op == "mul" and all(part.op == "var" for part in term.parts):
            yield term.parts[0].name, term.parts[1].name
        for part in term.parts:
            yield from walk(part)

    return walk(goal.value)


def _composed(
    goal: Goal, state: State, limits: Mapping[str, tuple[int, int]]
) -> Iterable[tuple[Poly, int, int]]:
    """Of (a + b)^2, (a - b)^2: the square, and a^2, b^2, a b for themselves."""
    value = goal.value
    if value.op != "mul" or value.parts[0].op not in ("add", "sub"):
        return
    names = sorted(value.parts[0].names())
    if not limits.keys() >= set(names):
        return  # words in registers
    for i, a in enumerate(names):
        for b in names[i:]:
            p = state.space.multiply(state.known[a], state.known[b])
            yield p, 0, limits[a][1] * limits[b][1]
    inner = value.parts[0].poly(state.space, state.known)
    lo, hi = limits[names[0]][1], limits[names[-1]][1]
    most = (lo + hi if value.parts[0].op == "add" else max(lo, hi)) ** 2
    yield state.space.multiply(inner, inner), 0, most
