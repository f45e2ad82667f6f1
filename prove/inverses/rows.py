"""The matrix of some divsteps times numbers: `inv_reduce` and `inv_follow`, for each length.

The code must compute, limb by limb, t_i = u d_i + v e_i + x m_i + floor(t_(i-1) / 2^S), and leave
t_i modulo 2^S, for i > 0, and what is above the last one. As polynomials, that is
(u d + v e + x m - t_0 mod 2^S) / 2^S. The signs of d and e are four cases.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping, Sequence
from itertools import product as cube
from random import Random
from typing import NamedTuple

from prove.algebra.values import Pointer, Poly, Refused, Value, constant, plus, times
from prove.contracts.banner import SAVED
from prove.contracts.contract import Contract, Outcome
from prove.contracts.divsteps import Promise, sums_hold
from prove.goals.emulation import Emulated
from prove.goals.states import STACK, State, draw, finish
from prove.machine.execution import Content
from prove.machine.image import Image
from prove.machine.signed import Signed, SignedRiscV, SignedThumb

STATES = 2  # of the emulator, of each case
ROOM = 1  # sums of a row of the matrix, as a part of 2^S; tests change it
SIGNS = tuple(cube((False, True), repeat=2))  # which of both numbers is negative


class Routine(NamedTuple):
    """One of them."""

    image: Image
    backend: str
    name: str
    said: Promise


class Numbers(NamedTuple):
    """Two rows of a matrix and limbs, as variables; `limbs`: turns of f and g, or d, e and m."""

    s: Signed
    said: Promise
    entries: list[Value]
    limbs: list[list[Value]]
    inv: Value
    negative: tuple[bool, ...]

    def total(self, k: int) -> Poly:
        """The number at place k of each turn."""
        p: Poly = {}
        for i, turn in enumerate(self.limbs):
            p = plus(p, turn[k].p, 1 << self.said.bits * i)
        return p


def _halves(space: Signed, values: list[Value]) -> list[Content]:
    """Words of two halves each; behind the last one stands something else."""
    if len(values) % 2:
        values = [*values, space.word("beside", (1 << 16) - 1)]
    low = [space.mod(v, 16) for v in values]
    return [space.add(a, space.scale(b, 1 << 16)) for a, b in zip(low[::2], low[1::2], strict=True)]


def words(space: Signed, said: Promise, values: list[Value]) -> list[Content]:
    """Limbs as they stand in memory."""
    if said.place == 16:
        return _halves(space, values)
    return [space.mod(v, 32) for v in values]


def begin(routine: Routine, n: int, negative: tuple[bool, ...]) -> tuple[State, Numbers]:
    """The state at the entry, for d and e with these signs."""
    s, said = Signed(), routine.said
    rv = routine.backend == "rv32im"
    first, sp, link = (10, 2, 1) if rv else (0, 13, 14)
    start: dict[int, Content] = {sp: Pointer("sp", 0), link: Pointer("lr", 0)}
    start |= {k: s.word(f"register {k}") for k in (range(5, 32) if rv else range(13))}
    most = 1 << said.bits
    entries = [s.value({(s.variable(x, -most, most),): 1}) for x in "uvqr"]
    names = [next(iter(e.p))[0] for e in entries]
    s.rows = [(names[0], names[1], ROOM * most), (names[2], names[3], ROOM * most)]
    limbs = []
    for i in range(n):
        signs: list[bool | None] = [*negative, *([False] if said.kind == "follow" else [])]
        turn = []
        for o, minus in zip("dem", signs, strict=False):
            lo, hi = 0, most - 1
            if i == n - 1:
                lo, hi = (-most // 2, -1) if minus else (0, most // 2 - 1)
            turn.append(s.value({(s.variable(f"{o}{i}", lo, hi),): 1}))
        limbs.append(turn)
    start |= {first: Pointer("numbers", 0), first + 1: Pointer("t", 0), first + 2: constant(n)}
    inv = constant(0)
    if said.kind == "follow":
        start[first + 3] = inv = s.word("inv")
    flat = [v for turn in limbs for v in turn]
    memory = {("numbers", 4 * i): w for i, w in enumerate(words(s, said, flat))}
    memory |= {("t", 4 * i): s.mod(e, 32) for i, e in enumerate(entries)}
    areas = {"sp": (-STACK, 0, True), "t": (0, 16, False)}
    if said.kind == "follow" and rv:  # in C, inv stands in the modulus
        start[first + 3] = Pointer("record", 0)
        memory["record", 8], areas["record"] = inv, (0, 16, False)
    areas["numbers"] = (0, len(flat) * said.place // 8, True)
    run = (SignedRiscV if rv else SignedThumb)(routine.image, s, start, memory, areas)
    run.path = []
    base = {base: base for base in areas if base != "sp"}
    state = State(s, run, start, s.inputs, {}, memory, base, {})
    return state, Numbers(s, said, entries, limbs, inv, negative)


def factor(given: Numbers, row: list[Value]) -> tuple[Value, Value]:
    """The factor of m, and what is added to `near`: the low bits of it as a number with a sign."""
    s = given.s
    signs = [1 if minus else -1 for minus in given.negative]
    near = s.floor(s.add(*(s.scale(e, k) for e, k in zip(row, signs, strict=True)), constant(1)), 1)
    low = s.add(*(s.mul(e, d) for e, d in zip(row, given.limbs[0], strict=False)))
    rest = s.signed(s.add(s.mul(low, given.inv), s.scale(near, -1)), given.said.bits)
    return s.add(near, rest), rest


def wanted(given: Numbers) -> list[Value]:
    """The limbs that are to be left, in turn."""
    s, said = given.s, given.said
    rows = [given.entries[:2], given.entries[2:]]
    columns = []
    for k, row in enumerate(rows):
        factors, rest = list(row), constant(0)
        if said.kind == "follow":
            x, rest = factor(given, row)
            factors.append(x)
        sums: list[Value] = []
        carry = constant(0)
        for turn in given.limbs:
            total = carry
            for f, limb in zip(factors, turn, strict=True):
                total = s.add(total, s.mul(f, limb))
            sums.append(total)
            carry = s.floor(total, said.bits)
        column = [s.mod(t, said.bits) for t in sums[1:]] + [carry]
        _exact(given, factors, sums[0], column)
        if said.kind == "follow":
            _bounded(given, row, factors[2], rest)
        columns.append(column)
        if k == 1 and said.kind == "follow":
            columns.append([turn[2] for turn in given.limbs])
    return [v for turn in zip(*columns, strict=True) for v in turn]


def _exact(given: Numbers, factors: list[Value], lowest: Value, column: list[Value]) -> None:
    """2^S times the result is the sum of the products, less the lowest limb; that is 0 where m
    joins. Errors: Refused.
    """
    s, said, size = given.s, given.said, given.said.bits
    left: Poly = s.mod(lowest, size).p
    for i, limb in enumerate(column):
        left = plus(left, limb.p, 1 << size * (i + 1))
    for k, f in enumerate(factors):
        left = plus(left, s.multiply(f.p, given.total(k)), -1)
    if left:
        raise Refused("the limbs are not those of the quotient")
    if said.kind == "follow":
        m, inv = (next(iter(v.p))[0] for v in (given.limbs[0][2], given.inv))
        # inv m_0 is -1 and a multiple of 2^S
        low: Poly = {}
        for mono, c in lowest.p.items():
            if m in mono and inv in mono:
                some = list(mono)
                some.remove(m)
                some.remove(inv)
                low = plus(low, {tuple(some): -c})
            else:
                low = plus(low, {mono: c})
        if any(c % (1 << size) for c in low.values()):
            raise Refused("the lowest limb is not shown to be 0")


def _bounded(given: Numbers, row: list[Value], x: Value, rest: Value) -> None:
    """The result is from -m to below m. With a sign of d, 2 d - m or 2 d + m is from -m to m, and
    so for e. Twice the sum of the products is u (2 d -+ m) + v (2 e -+ m), which is 2^S m at most
    in absolute value, and c m; so c must be from -2^S to 2^S. Errors: Refused.
    """
    s, most = given.s, 1 << given.said.bits
    signs = [1 if minus else -1 for minus in given.negative]
    c = times(x.p, 2)
    for e, k in zip(row, signs, strict=True):
        c = plus(c, e.p, -k)
    # c = 2 near - (what near is half of, less 1) + 2 rest, and near is rounded down
    half = s.add(*(s.scale(e, k) for e, k in zip(row, signs, strict=True)), constant(1))
    lowest = s.mod(half, 1)
    wanted = plus(plus({(): 1}, lowest.p, -1), rest.p, 2)
    lo, hi = 0 + 2 * rest.lo, 1 + 2 * rest.hi
    if plus(c, wanted, -1) or (lowest.lo, lowest.hi) != (0, 1) or lo < -most or hi > most:
        raise Refused("the bound of the result is not proved")


def _check(state: State, given: Numbers) -> None:
    """The memory at the end. Errors: Refused.

    The highest limb fits, because the result is as large as an operand at most: that of `reduce` by
    the sums of the matrix (`sums_hold`), that of `follow` as `_bounded` shows.
    """
    s, said = given.s, given.said
    sums_hold()
    n, per = len(given.limbs), 32 // said.place
    limbs = wanted(given)
    for i, limb in enumerate(limbs):
        word = state.run.memory.get(("numbers", 4 * (i // per)))
        if not isinstance(word, Value):
            raise Refused(f"limb {i} is not written")
        mine = s.mod(s.floor(word, said.place * (i % per)), said.place)
        if mine.p != s.mod(limb, said.place).p:
            raise Refused(f"limb {i} of {n} is not what the specification has")
        if i < len(limbs) - len(limbs) // n and not 0 <= limb.lo <= limb.hi < 1 << said.bits:
            raise Refused(f"limb {i} of {n} is not in its range")
    if len(limbs) % per:  # half a word behind them
        beside = s.mod(s.floor(_word(state.run.memory, len(limbs) // per), said.place), said.place)
        if beside.p != s.floor(_word(state.memory, len(limbs) // per), said.place).p:
            raise Refused("what stands behind the limbs is written")


def _word(memory: Mapping[tuple[str, int], Content | None], i: int) -> Value:
    found = memory[("numbers", 4 * i)]
    if not isinstance(found, Value):
        raise Refused("a number with an address in it")
    return found


def proved(routine: Routine, n: int, negative: tuple[bool, ...]) -> tuple[int, int, int]:
    """One length, and one case of signs: instructions, those of the emulator, and the stack."""
    said, kept = routine.said, contract(routine)
    state, given = begin(routine, n, negative)
    finish(routine.image, kept, state)
    _check(state, given)
    emulated = Emulated(routine.image, kept, state)
    random = Random(zlib.crc32(f"{routine.name} {n} {negative}".encode()))  # noqa: S311
    compared = 0
    for _ in range(STATES):
        some = drawn(random, said, n, negative)
        compared += emulated.run(_witness(random, given, some))
        if not met(said, some, left(said, emulated, n)):
            raise Refused("the emulator has another result")
    return state.run.steps, compared, -state.run.low


def contract(routine: Routine) -> Contract:
    """Which registers are kept."""
    keeps = SAVED["rv" if routine.backend == "rv32im" else "arm"]
    return Contract(routine.name, routine.backend, {}, {}, (), keeps=keeps)


class Drawn(NamedTuple):
    """Integers: two rows of a matrix; f and g, or d, e and m."""

    rows: tuple[tuple[int, int], tuple[int, int]]
    numbers: list[int]


def _row(random: Random, most: int) -> tuple[int, int]:
    u = random.choice((0, 1, most // 2, most - 1, most, random.randrange(most + 1)))
    rest = most - u
    v = random.choice((0, rest, random.randrange(rest + 1)))
    pair = [x * random.choice((1, -1)) for x in (u, v)]
    random.shuffle(pair)
    return pair[0], pair[1]


def drawn(random: Random, said: Promise, n: int, negative: tuple[bool, ...]) -> Drawn:
    """Integers within the bounds, some of them edges."""
    most, top = 1 << said.bits, 1 << said.bits * n - 1
    rows = _row(random, most), _row(random, most)
    if said.kind == "follow":
        m = draw(random, 3, top, n) | 1
        ends = m
    else:
        m, ends = 0, top - 1
    numbers = [
        -draw(random, 1, ends + 1, n) if x else draw(random, 0, ends + 1, n) for x in negative
    ]
    return Drawn(rows, [*numbers, m] if m else numbers)


def split(value: int, n: int, bits: int) -> list[int]:
    """Its limbs, the highest with the sign."""
    mask = (1 << bits) - 1
    return [value >> bits * i & mask for i in range(n - 1)] + [value >> bits * (n - 1)]


def _witness(random: Random, given: Numbers, some: Drawn) -> list[int]:
    """All variables of a run."""
    space, said, n = given.s, given.said, len(given.limbs)
    values = {
        v: random.randrange(space.hi[v] + 1)
        for v, define in enumerate(space.defs)
        if define is None and space.lo[v] >= 0
    }

    def put(v: Value, x: int) -> None:
        ((mono, _),) = v.p.items()
        if not v.lo <= x <= v.hi:
            raise Refused("a state of the emulator is not one of those of the proof")
        values[mono[0]] = x

    for entry, x in zip(given.entries, (*some.rows[0], *some.rows[1]), strict=True):
        put(entry, x)
    for k, number in enumerate(some.numbers):
        for turn, x in zip(given.limbs, split(number, n, said.bits), strict=True):
            put(turn[k], x)
    if said.kind == "follow":
        put(given.inv, -pow(some.numbers[2], -1, 1 << 32) % (1 << 32))
    return space.witness(values)


def left(said: Promise, emulated: Emulated, n: int) -> list[int]:
    """The limbs in the emulator's memory, in turn."""
    size = said.place // 8
    count = n * (3 if said.kind == "follow" else 2)
    data = bytes(emulated.uc.mem_read(emulated.place["numbers"], count * size))
    return [
        int.from_bytes(data[i : i + size], "little", signed=True) for i in range(0, len(data), size)
    ]


def met(said: Promise, some: Drawn, limbs: list[int]) -> bool:
    """Whether these limbs are what the banner says, by integers."""
    turn = len(some.numbers)
    most = 1 << said.bits
    columns = [limbs[k::turn] for k in range(turn)]
    if any(not 0 <= x < most for column in columns for x in column[:-1]):
        return False
    found = [sum(x << said.bits * i for i, x in enumerate(column)) for column in columns]
    sums = [u * some.numbers[0] + v * some.numbers[1] for u, v in some.rows]
    if said.kind == "reduce":
        return found == [x >> said.bits for x in sums]
    m = some.numbers[2]
    residues = all((most * x - y) % m == 0 for x, y in zip(found, sums, strict=False))
    return residues and found[2] == m and all(-m <= x <= m for x in found[:2])


def right(routine: Routine, count: int) -> bool:
    """Whether the emulator's results are what the banner says, by integers, for two lengths."""
    random, said = Random(99), routine.said  # noqa: S311
    for n in (said.lengths[0], said.lengths[-1]):
        for negative in SIGNS:
            state, given = begin(routine, n, negative)
            emulated = Emulated(routine.image, contract(routine), state)
            for _ in range(count // 8):
                some = drawn(random, said, n, negative)
                emulated.execute(_witness(random, given, some))
                if not met(said, some, left(said, emulated, n)):
                    return False
    return True


def prove(routine: Routine, lengths: Sequence[int]) -> Outcome:
    """These lengths. Errors: Refused."""
    begun, total = time.monotonic(), Outcome(queries=1)
    for n in lengths:
        for negative in SIGNS:
            steps, compared, stack = proved(routine, n, negative)
            total.instructions, total.stack = steps, max(total.stack, stack)
            total.compared += compared
        total.aliases += 1
    total.facts = [f"lengths from {min(lengths)} to {max(lengths)}, each for the signs of both"]
    total.seconds = time.monotonic() - begun
    return total
