"""Calls from C functions, by contract, of routines that take any modulus or any length: the modulus
and the length are those at the call.

A routine without a record for that length is proved at the call.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from prove.algebra.values import M32, Pointer, Refused, Value, at, constant, plus, times, whole
from prove.contracts import records
from prove.contracts.banner import LENGTHS, Reader, Unread, contracts
from prove.contracts.contract import Contract
from prove.contracts.sources import banners
from prove.goals import calls
from prove.goals.proofs import prove
from prove.machine.execution import Content, Hook, Run
from prove.machine.image import Image

PREFIX = "ecfit_"
_proved: set[tuple[str, str, int]] = set()  # at calls: the digest of the code, and the length


def hooks(image: Image, contract: Contract) -> dict[int, Hook]:
    """For what a C function calls. If it has a modulus, that is the one of its goal."""
    m = contract.goals[0].modulus
    made: dict[str, Callable[..., bool | None]] = {"mp_mac_row": _exact}
    if m is not None:
        made = {
            "mod_mul": _product,
            "mod_reduce_8": _product,
            "mod_redc": _zeroed,
            "mp_mac_row": _row,
            "mp_add": _sum,
            "mp_mul_blocks": _exact,
        }
    known = banners(contract.backend)
    found = {} if m is None else _products(image, contract)
    return found | {
        image.symbols[PREFIX + name]: partial(hook, Callee(image, contract.backend, name), m)
        for name, hook in made.items()
        if PREFIX + name in image.symbols and PREFIX + name in known
    }


def _products(image: Image, contract: Contract) -> dict[int, Hook]:
    """Full products, of the length of the numbers, and reductions of a field."""
    found: dict[int, Hook] = {}
    names = [f"ecfit_mp_{kind}_{contract.goals[0].words}" for kind in ("mul", "sqr", "both")]
    names.append(f"ecfit_redc_{contract.name.rsplit('_', 2)[0]}")
    for name in names:
        if name in image.symbols and name in banners(contract.backend):
            with suppress(Unread):
                found[image.symbols[name]] = calls.by_contract(contracts(contract.backend, name)[0])
    return found


class Sized(Reader):
    """A banner for numbers of so many words."""

    def __init__(self, backend: str, name: str, words: int) -> None:
        self.words = words
        super().__init__(backend, name, banners(backend)[name])

    def _length(self) -> int:
        return self.words


class Callee:
    """A routine that is called."""

    def __init__(self, image: Image, backend: str, name: str) -> None:
        self.image, self.backend, self.name = image, backend, PREFIX + name

    def of_modulus(self, run: Run, m: int) -> list[Contract]:
        """Its contracts for a modulus."""
        run.called.add(self.name)
        some = contracts(self.backend, self.name)
        found = [one for one in some if one.operands["m"].number == m]
        if not found:
            raise Refused(f"{self.name} is called with a modulus for which it is not proved")
        return found

    def of_length(self, run: Run, n: int | None) -> Contract:
        """Its contract for the length at the call."""
        if n is None or not 0 < n < 64:
            raise Refused(f"{self.name} is called with a length that is not known")
        one = Sized(self.backend, self.name, n).contract()
        if n == LENGTHS[self.name]:
            run.called.add(self.name)
            return one
        key = self.name, records.code(self.image, self.name), n
        if key not in _proved:
            prove(self.image, one)
            _proved.add(key)
        return one


def _first(run: Run) -> int:
    """The register of the first argument."""
    return 0 if run.sp == 13 else 10


def _places(run: Run, callee: Contract) -> dict[str, Pointer]:
    return {o: run.pointer(run.get(n)) for n, o in callee.arguments.items()}


def _ends(run: Run, callee: Contract, places: dict[str, Pointer]) -> None:
    """What a call loses."""
    calls.lose(run, callee, places, run.pointer(run.get(run.sp)))


def _operand(run: Run, callee: Contract, name: str, p: Pointer) -> Value:
    """A variable, or a number if it is one."""
    value = whole(calls.words_at(run, callee, name, p))
    return value if value.const is not None else run.s.named(value)


def _checked(run: Run, callee: Contract, p: Pointer, given: list[Content]) -> None:
    """The modulus at the call is that of the contract, as are what the caller tells of it."""
    numbers = [v.const if isinstance(v, Value) else None for v in given]
    wanted = list(callee.record[2:]) or list(callee.numbers.values())
    m = whole(calls.words_at(run, callee, "m", p)).const
    if m != callee.operands["m"].number or numbers != wanted:
        raise Refused(f"{callee.name} is called with another modulus, inverse or length")


def _alone(callee: Contract, places: dict[str, Pointer]) -> None:
    """What the callee takes as its own meets nothing else."""
    sizes = {o: 4 * operand.words for o, operand in callee.operands.items()} | {"record": 16}
    for o in {*callee.lost, *(g.place for g in callee.goals[1:])}:
        mine = places[o]
        for other, p in places.items():
            apart = p.base != mine.base or p.offset >= mine.offset + sizes[o]
            if other != o and not apart and mine.offset < p.offset + sizes[other]:
                raise Refused(f"{callee.name} is called with {o} over another operand")


def _product(callee: Callee, m: int, run: Run) -> None:
    """A product or a reduction modulo m, which stands in a record or is an argument."""
    some = callee.of_modulus(run, m)
    for i, one in enumerate(some):
        places = _places(run, one)
        if one.record:
            p = places["record"]
            fields = [run.load(Pointer(p.base, p.offset + 4 * k)) for k in range(4)]
            places["m"] = run.pointer(fields[0])
            _checked(run, one, places["m"], fields[2:])
        else:
            _checked(run, one, places["m"], [run.word(n) for n in one.numbers])
        stack = run.pointer(run.get(run.sp))
        for k, o in enumerate(one.pushed):
            places[o] = run.pointer(run.load(Pointer(stack.base, stack.offset + 4 * k)))
        _alone(one, places)
        try:
            calls.by_contract(one)(run)
        except Refused:
            if i + 1 == len(some):
                raise
            continue  # the other one of both operands is below m
        return


def _above(run: Run, value: Value, count: int, zeros: int, m: int) -> list[Value]:
    """The words of a number of which the lowest ones are 0: variables. What they are together is
    told, and what the first of them is modulo m.
    """
    s, shift = run.s, 32 * zeros
    words = s.words(lambda env: at(value.p, env) >> shift, count - zeros)
    total = whole(words)
    (first,), (top,) = (next(iter(word.p)) for word in (words[0], words[-1]))
    s.hi[top] = min(M32, value.hi >> 32 * (count - 1))
    s.bit[top] = s.hi[top] <= 1
    words[-1] = Value(words[-1].p, 0, s.hi[top])
    rest = plus(total.p, {(first,): 1}, -1)
    s.residues[first] = m, plus(times(value.p, pow(1 << shift, -1, m)), rest, -1)
    s.facts.append((plus(times(total.p, 1 << shift), value.p, -1), 0, 0))
    s.facts.append((total.p, max(value.lo, 0) >> shift, value.hi >> shift))
    s.limits[total.key()] = value.hi >> shift
    return [*(constant(0) for _ in range(zeros)), *words]


def _store(run: Run, p: Pointer, words: list[Value]) -> None:
    for i, word in enumerate(words):
        run.store(Pointer(p.base, p.offset + 4 * i), word)


def _row(callee: Callee, m: int, run: Run) -> None:
    """r = r + a b, of a row of a product modulo m. A digit b of the quotient clears word 0."""
    s, one = run.s, callee.of_length(run, run.word(_first(run) + 3).const)
    n, places = one.operands["a"].words, _places(run, one)
    calls.apart(one, one.goals[0], places)
    ((register, _),) = one.data.items()
    b = run.word(register)
    r, a = (calls.words_at(run, one, o, places[o]) for o in ("r", "a"))
    low = s.add(r[0], s.mul(a[0], b))
    zeros = all(c % (1 << 32) == 0 for c in low.p.values()) or s.cleared(low.p, 1 << 32)
    factor = _operand(run, one, "a", places["a"])
    value = s.add(_operand(run, one, "r", places["r"]), s.mul(factor, b))
    calls.bounded(s, {"a": factor.p, "b": b.p})
    words = _above(run, value, n + 1, int(zeros), m)
    _store(run, places["r"], words[:n])
    _ends(run, one, places)
    run.r[one.goals[0].registers[0]] = words[n]


def _sum(callee: Callee, m: int, run: Run) -> bool | None:
    """r = a + b, of twice the length of m, where a is a product and b a multiple of m that clears
    the lower half.
    """
    s, first = run.s, _first(run)
    n = run.word(14) if first else run.load(run.pointer(run.get(13)))
    words, keep = n.const if isinstance(n, Value) else None, run.get(first + 3)
    half = -(-m.bit_length() // 32)
    if words != 2 * half or not isinstance(keep, Value) or keep.const != M32:
        return False
    one = callee.of_length(run, words)
    places = _places(run, one)
    calls.apart(one, one.goals[0], places)
    some = [calls.words_at(run, one, o, places[o]) for o in ("a", "b")]
    low = calls.plain(s, s.add(*(whole(w[:half]) for w in some)).p)
    zeros = half if all(c % (1 << 32 * half) == 0 for c in low.values()) else 0
    value = s.add(*(s.named(whole(w)) for w in some))
    result = _above(run, value, words + 1, zeros, m)
    _store(run, places["r"], result[:words])
    _ends(run, one, places)
    run.r[first] = result[words]
    return None


def _zeroed(callee: Callee, m: int, run: Run) -> None:
    """t = t + q m, of which the lowest words are 0; the carry is returned."""
    s, (one,) = run.s, callee.of_modulus(run, m)
    places, n = _places(run, one), one.goals[1].words
    _checked(run, one, places["m"], [run.word(k) for k in one.numbers])
    _alone(one, places)
    size = 1 << 32 * n
    t, inverse = _operand(run, one, "t", places["t"]), pow(-m, -1, size)
    q = s.variable(f"q{len(s.names)}", 0, size - 1, lambda env: at(t.p, env) * inverse % size)
    value = Value(plus(t.p, {(q,): m}), t.lo, t.hi + (size - 1) * m)
    words = _above(run, value, 2 * n + 1, n, m)
    _store(run, places["t"], words[: 2 * n])
    _ends(run, one, places)
    run.r[one.goals[0].registers[0]] = words[2 * n]


def _exact(callee: Callee, _: int | None, run: Run) -> None:
    """A product, or a row of one."""
    one = callee.of_length(run, run.word(_first(run) + 3).const)
    called = set(run.called)
    calls.by_contract(one)(run)
    run.called = called
