"""Calls by contract: products and reductions that are proved by themselves, in runs of what calls
them. What a contract asks of the operands is proved at the call.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from math import prod

from prove.algebra.solver import Solver, check, pair
from prove.algebra.values import Pointer, Poly, Refused, Space, Value, at, plus, times, whole
from prove.contracts.banner import Unread, contracts
from prove.contracts.contract import Contract, Goal
from prove.contracts.sources import routines
from prove.goals.congruence import SAMPLES, SEED, Proof
from prove.goals.proofs import tried
from prove.goals.states import Around, State, samples
from prove.machine.execution import Hook, Run
from prove.machine.image import Image
from prove.machine.thumb import Thumb

SPARSE = ("secp128r1", "secp160r1", "secp192r1", "secp224r1", "secp521r1")
BRAINPOOL = ("brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1")
LEVELS = (
    (
        "mul128",
        "sqr128",
        "mul96",
        "sqr96",
        "mp_mac_row",
        *(f"mp_{op}_{n}" for n in (8, 12, 16) for op in ("product", "square")),
    ),
    (
        "mul192",
        "sqr192",
        "mul224",
        "sqr224",
        "mul256",
        "sqr256",
        "both256",
        "rows128",
        "rows192",
        "rows256",
    ),
    ("mul384", "sqr384", "mul521", "sqr521"),
    (
        "secp256r1_redc",
        "secp256k1_redc",
        "secp384r1_redc",
        *(f"{curve}_redc" for curve in (*SPARSE, *BRAINPOOL)),
        "secp256r1_least_reduce",
        "secp256r1_blocks_redc",
    ),
    (
        "secp256r1_mul",
        "secp256r1_sqr",
        "secp256r1_both",
        "secp256r1_least_both",
        "secp256r1_blocks",
        "secp256k1_mul",
        "secp256k1_sqr",
        "p448_mul",
        "p448_sqr",
        "secp256r1_mul_var",
        *(f"{curve}_{op}" for curve in SPARSE for op in ("mul", "sqr", "both")),
        *(f"{curve}_{op}" for curve in BRAINPOOL for op in ("mul", "sqr")),
    ),
    ("secp384r1_mul", "secp384r1_sqr"),
)  # each calls those before it
ORDER = {f"ecfit_{name}": i for i, some in enumerate(LEVELS) for name in some}
INNER = ("ecfit_both128", "ecfit_blocks128", "ecfit_secp256r1_reduce")
"""Entries that are proved at the call: what one calls may stand in the caller's frame. So are
routines of ARMv6-M that ARMv7-M has, too: they have no record there.
"""
LONG = 1500  # terms of a product that is also told as one of parts of the operands
PART = 4  # words of a part
SOME = 24  # samples in which all facts must hold
SECONDS = 20  # as prove.algebra.solver counts; to prove that operands are as a contract asks


def hooks(image: Image, contract: Contract) -> dict[int, Hook]:
    """For the routines that one may call: those of a lower level."""
    found: dict[int, Hook] = {}
    mine = ORDER.get(contract.name, len(LEVELS))
    for name in (*ORDER, *INNER):
        if name not in image.symbols or ORDER.get(name, -1) >= mine or name == contract.name:
            continue
        if name == "ecfit_mp_mac_row" and contract.backend != "armv6m":
            continue  # other back ends call it with other lengths than the one that is proved
        shared = contract.backend == "armv7m" and name not in routines(contract.backend)
        try:
            (callee,) = contracts("armv6m" if shared else contract.backend, name)
            callee = replace(callee, backend=contract.backend)
            if callee.public and not contract.public:
                continue  # a call would hide that its time varies
            inner = shared or name in INNER
            made = _inner(image, callee, contract) if inner else by_contract(callee, contract)
        except Unread:
            continue
        found[image.symbols[name]] = made
    return found


def _inner(image: Image, callee: Contract, caller: Contract) -> Hook:
    """A routine without a record: proved at the call, with the numbers in its caller's frame."""
    proved: dict[object, list[str]] = {}
    apply = by_contract(callee, caller)

    def hook(run: Run) -> None:
        stack = run.pointer(run.get(run.sp))
        places = {o: run.pointer(run.get(n)) for n, o in callee.arguments.items()}
        if callee.frame:
            places[callee.frame] = stack
        ins = sorted(callee.goals[0].value.names())
        alias = {o: ins[0] for o in ins[1:] if places[o] == places[ins[0]]}
        words = {o: words_at(run, callee, o, places[o]) for o in ins}
        equal = {
            o: ins[0]
            for o in ins[1:]
            if o not in alias and [w.p for w in words[o]] == [w.p for w in words[ins[0]]]
        }
        out = places[callee.goals[0].place]
        result = range(out.offset, out.offset + 4 * callee.goals[0].words)
        ambient = {
            offset - stack.offset: v
            for (base, offset), v in run.memory.items()
            if base == "sp" and offset >= stack.offset and isinstance(v, Value)
            if v.const is not None
            and not (out.base == "sp" and offset in result)
            and not (callee.frame and offset - stack.offset < 4 * callee.operands["t"].words)
        }
        key = (
            tuple(sorted(alias.items())),
            tuple(sorted(equal.items())),
            tuple(sorted((n, v.const) for n, v in ambient.items())),
        )
        if key not in proved:
            around = Around(ambient=ambient, equal=equal)
            one = tried(image, callee, alias, around, hooks=hooks(image, callee))
            proved[key] = one.calls
        apply(run)
        run.called.discard(callee.name)
        run.called.update(proved[key])

    return hook


def expanded(space: Space, p: Poly) -> Poly:
    """p without variables that stand for polynomials, in parts of the operands (`parts`)."""
    rules = parts(space)
    kept = {v for q in rules.values() for m in q for v in m}
    return space.substitute(plain(space, p, kept), rules)


def plain(space: Space, p: Poly, kept: Container[int] = ()) -> Poly:
    """p without variables that stand for polynomials."""
    while True:
        some = {v for m in p for v in m if v in space.cuts and v not in kept and not space.bit[v]}
        if not some:
            return p
        p = space.substitute(p, {v: space.cuts[v] for v in some})


def parts(space: Space) -> dict[int, Poly]:
    """The lowest word of each four of an operand, by a variable for the four: a product of two
    such variables is one monomial, where the words make sixteen.
    """
    rules = {}
    for variables in space.inputs.values():
        if len(variables) < PART:
            continue
        for first in range(0, len(variables), PART):
            some = variables[first : first + PART]
            p: Poly = {(v,): 1 << 32 * i for i, v in enumerate(some)}
            part = space.named(Value(p, 0, space.range(p)[1]))
            rules[some[0]] = plus({(some[0],): 1}, plus(part.p, p, -1))
    return rules


def by_contract(callee: Contract, caller: Contract | None = None) -> Hook:
    """What a routine does to a state, by its contract."""
    (goal,) = callee.goals
    if callee.masks or callee.free or len(goal.registers) > 1 or goal.top < 0:
        raise Unread("such a routine is not called by contract")
    if goal.modulus is not None and (goal.bound is None or goal.bound > goal.modulus):
        raise Unread("its contract leaves more than one result")

    def hook(run: Run) -> None:
        places = {o: run.pointer(run.get(n)) for n, o in callee.arguments.items()}
        stack = run.pointer(run.get(run.sp))
        if callee.frame:
            places[callee.frame] = stack
        if callee.tail and callee.frame:
            end = stack.offset + 4 * callee.operands[callee.frame].words
            places[goal.place] = run.pointer(run.load(Pointer(stack.base, end)))
            run.r[14] = run.load(Pointer(stack.base, end + 4))
            stack = Pointer(stack.base, end + 8)
        for i, o in enumerate(callee.pushed):
            places[o] = run.pointer(run.load(Pointer(stack.base, stack.offset + 4 * i)))
        apart(callee, goal, places)
        if any(run.word(n).const != number for n, number in callee.numbers.items()):
            raise Refused(f"{callee.name} is called with another length")
        known = {o: run.word(n).p for n, o in callee.data.items()}
        for o in sorted(goal.value.names() & callee.operands.keys()):
            known[o] = _operand(run, callee, o, places[o], caller).p
        words = _result(run.s, callee, goal, known)
        out = places[goal.place]
        for i, word in enumerate(words[: goal.words]):
            run.store(Pointer(out.base, out.offset + 4 * i), word)
        lose(run, callee, places, stack)
        for n, word in zip(goal.registers, words[goal.words :], strict=True):
            run.r[n] = word
        run.called.add(callee.name)

    return hook


def apart(callee: Contract, goal: Goal, places: dict[str, Pointer]) -> None:
    """The result is no operand, or one that it may be."""
    out, size = places[goal.place], 4 * goal.words
    for o in goal.value.names() & callee.operands.keys() - {goal.place}:
        p, length = places[o], 4 * callee.operands[o].words
        meet = out.base == p.base and (
            out.offset < p.offset + length and p.offset < out.offset + size
        )
        if meet and not (out == p and any(a.get(goal.place) == o for a in callee.aliases)):
            raise Refused(f"{callee.name} is called with its result over an operand")


def words_at(run: Run, callee: Contract, name: str, p: Pointer) -> list[Value]:
    """Those of an operand."""
    words = []
    for i in range(callee.operands[name].words):
        w = run.load(Pointer(p.base, p.offset + 4 * i))
        if isinstance(w, Pointer):
            raise Refused("a number with an address in it")
        words.append(w)
    return words


def _operand(
    run: Run, callee: Contract, name: str, p: Pointer, caller: Contract | None = None
) -> Value:
    """An operand as one variable; it is as the contract asks."""
    s, operand = run.s, callee.operands[name]
    words = words_at(run, callee, name, p)
    if caller and callee.frame == name and whole(words).hi >= operand.bound:
        words = multiplied(run, caller, words)
    value = s.named(whole(words))
    if value.lo < operand.least or value.hi >= operand.bound:
        solver = Solver(s, [*s.facts, *s.given], SECONDS)
        if not solver.holds(value.p, operand.least, operand.bound - 1):
            raise Refused(f"{callee.name} is called with {name} that may be too large")
    return value


class Midway(State):
    """A run at a call: the words in question are what is looked for."""

    words: list[Value]

    def outputs(self, goal: Goal) -> list[Value]:
        """These words."""
        return self.words[: goal.words]


def multiplied(run: Run, caller: Contract, words: list[Value]) -> list[Value]:
    """Words of which it is proved that they are the product of the caller's operands, as variables
    that are no larger than it. As they are, where the caller has no such product.
    """
    s, value = run.s, caller.goals[0].value
    factors = [part.name for part in value.parts] if value.op == "mul" else []
    if len(factors) != 2 or not all(factors):
        return words
    there = [o for o in s.inputs if o in caller.operands]
    others = [o for o in there if o not in factors] or there
    of = {o: o if o in there else others[0] for o in factors}
    known = {o: _number(s.inputs[of[o]]) for o in factors}
    state = Midway(s, run, {}, s.inputs, known, {}, {}, {})
    state.words = words
    envs = [s.witness(v) for v in samples(caller, state, SAMPLES, SEED)]
    facts = [*s.facts, *s.given, *((w.p, w.lo, w.hi) for w in words)]
    simple = [f for f in facts if all(len(m) <= 1 for m in f[0])]
    goal = Goal("t", len(words), value)
    proof = Proof(state, goal, envs, pair(s, simple, facts, SECONDS))
    proof.refute([{} for _ in envs])
    check(s, facts, envs[:SOME])
    proof.congruence()
    most = prod(caller.operands[of[o]].bound - 1 for o in factors)
    return s.fresh(Value(proof.value, 0, most), len(words))


def _number(variables: list[int]) -> Poly:
    """An operand of these words."""
    return {(v,): 1 << 32 * i for i, v in enumerate(variables)}


def _result(s: Space, callee: Contract, goal: Goal, known: dict[str, Poly]) -> list[Value]:
    """The words of the result, as variables."""
    value = s.value(goal.value.poly(s, known))
    if goal.modulus is None and goal.factor == 1:
        other = expanded(s, value.p)
        if len(other) < LONG and other != value.p:
            s.facts.append((plus(value.p, other, -1), 0, 0))
        bounded(s, known)
        return s.fresh(value, goal.words + len(goal.registers))
    m, factor = goal.modulus, goal.factor
    assert m is not None
    assert goal.bound is not None
    inverse = pow(factor, -1, m)
    bound = goal.bound - 1
    words = s.words(lambda env: at(value.p, env) * inverse % m, goal.words)
    total = whole(words)
    lo, hi = -value.hi // m, (bound * factor - value.lo) // m + 1
    i = s.variable(
        f"q{len(s.names)}", lo, hi, lambda env: (at(total.p, env) * factor - at(value.p, env)) // m
    )
    equal = plus(plus(times(total.p, factor), value.p, -1), {(i,): 1}, -m)
    s.facts += [(equal, 0, 0), (total.p, 0, bound)]
    s.limits[total.key()] = bound
    (first,) = next(iter(words[0].p))
    rest = plus(total.p, {(first,): 1}, -1)
    s.residues[first] = m, plus(times(value.p, inverse), rest, -1)
    return words


def bounded(s: Space, known: dict[str, Poly]) -> None:
    """A number times a word of an operand: what the number times that operand lies between."""
    monos = [m for p in known.values() if len(p) == 1 for m in p if len(m) == 1]
    words = [v for (v,) in monos if any(v == some[0] for some in s.inputs.values())]
    for v in words:
        (variables,) = (some for some in s.inputs.values() if some[0] == v)
        p: Poly = {(u,): 1 << 32 * i for i, u in enumerate(variables)}
        most = s.limits.get(frozenset(p.items()), s.range(p)[1])
        s.facts += [
            (s.multiply({m: 1}, p), 0, s.hi[m[0]] * most) for m in monos if m[0] not in variables
        ]


def lose(run: Run, callee: Contract, places: dict[str, Pointer], stack: Pointer) -> None:
    """Registers, flags and memory that the callee does not keep."""
    run.r[run.sp] = stack
    for n in range(13) if run.sp == 13 else range(5, 32):
        if n not in callee.keeps:  # GCC pushes and pops r3 where it needs a word of stack
            run.r[n] = run.s.word(f"lost {n}") if run.tops and n == 3 else None
    for n, (what, offset) in callee.becomes.items():
        run.r[n] = Pointer(places[what].base, places[what].offset + offset)
    lost = {*callee.lost, *([callee.frame] if callee.frame else [])}
    for o in lost:
        for i in range(callee.operands[o].words):
            run.memory[(places[o].base, places[o].offset + 4 * i)] = None
    for key in list(run.memory):
        if key[0] == stack.base == "sp" and key[1] < stack.offset:
            run.memory[key] = None
    if isinstance(run, Thumb):
        run.carry = run.result = None
