"""Calls by contract: products that are proved by themselves, in runs of what calls them."""

from __future__ import annotations

from prove.banner import Unread, contracts
from prove.contract import Contract
from prove.image import Image
from prove.machine import Hook, Run
from prove.thumb import Thumb
from prove.values import M32, Pointer, Poly, Refused, Space, Value, plus, whole

PRODUCTS = ("mul128", "sqr128", "mul256", "sqr256", "mul384", "sqr384")
ORDER = {f"ecfit_{name}": i // 2 for i, name in enumerate(PRODUCTS)}
LONG = 1500  # terms of a product that is also told as one of its input words


def hooks(image: Image, contract: Contract) -> dict[int, Hook]:
    """For the products that a routine may call: those of fewer words than its own."""
    found: dict[int, Hook] = {}
    mine = ORDER.get(contract.name, len(PRODUCTS))
    for name, order in ORDER.items():
        if name in image.symbols and order < mine:
            try:
                (callee,) = contracts(contract.backend, name)
            except Unread:
                continue
            found[image.symbols[name]] = product(callee)
    return found


def expanded(space: Space, p: Poly) -> Poly:
    """p in input words: variables that stand for polynomials are replaced."""
    while True:
        rules = {v: space.cuts[v] for m in p for v in m if v in space.cuts and not space.bit[v]}
        if not rules:
            return p
        p = space.substitute(p, rules)


def product(callee: Contract) -> Hook:
    """What the product does to a state: [r0] = [r1] [r2], or [r1]^2."""
    (goal,) = callee.goals
    names = [part.name for part in goal.value.parts]
    registers = {o: n for n, o in callee.arguments.items()}
    if goal.value.op != "mul" or goal.modulus is not None or len(names) != 2:
        raise Unread("only products are called by contract")

    def hook(run: Run) -> None:
        s = run.s
        out = run.pointer(run.get(registers[goal.place]))
        factors = []
        for name in names:
            words = callee.operands[name].words
            p = run.pointer(run.get(registers[name]))
            if out.base == p.base and (
                out.offset < p.offset + 4 * words and p.offset < out.offset + 4 * goal.words
            ):
                raise Refused(f"{callee.name} is called with its result over an operand")
            loaded = [run.load(Pointer(p.base, p.offset + 4 * i)) for i in range(words)]
            if any(isinstance(w, Pointer) for w in loaded):
                raise Refused("a product of a pointer")
            factors.append(whole([s.cut(w) for w in loaded if isinstance(w, Value)]))
        x, y = factors
        value = Value(s.multiply(x.p, y.p), 0, x.hi * y.hi)
        s.facts.append((value.p, 0, value.hi))
        if any(v in s.cuts for m in value.p for v in m):
            other = expanded(s, value.p)
            if len(other) < LONG:
                s.facts.append((plus(value.p, other, -1), 0, 0))
        for i in range(goal.words):
            above = s.floor(value, 32)
            word = Value(plus(value.p, above.p, -(1 << 32)), 0, M32)
            run.store(Pointer(out.base, out.offset + 4 * i), word)
            value = above
        _lose(run, callee, out)
        run.called.add(callee.name)

    return hook


def _lose(run: Run, callee: Contract, out: Pointer) -> None:
    """Registers and flags that the callee does not keep."""
    for n in range(13):
        if n not in callee.keeps:
            run.r[n] = None
    for n, (_, offset) in callee.becomes.items():
        run.r[n] = Pointer(out.base, out.offset + offset)
    if isinstance(run, Thumb):
        run.carry = run.result = None
