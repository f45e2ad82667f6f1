"""Integers as limbs: `mod_inv_split` makes limbs of words, and `mod_inv_join` words of limbs.

Both are proved by polynomials that are equal, as the routines of an inversion
(`prove/inverses/rows.py`). The bits of an operand are variables in pieces, cut where a word or a
limb ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any, ClassVar, NamedTuple

from prove.algebra.values import M32, Pointer, Poly, Refused, Value, constant, plus
from prove.contracts.banner import SAVED, Unread
from prove.contracts.comments import MODULI, text_of
from prove.contracts.contract import Contract, Outcome
from prove.goals.states import STACK, State, draw, finish
from prove.inverses.elements import Whole, recorded
from prove.machine.compiled import Build, Function
from prove.machine.execution import Content, Hook, Run
from prove.machine.image import Image
from prove.machine.signed import Signed, SignedRiscV, SignedThumb
from prove.machine.thumb import Thumb

LIMBS = {"armv6m": (15, 2), "armv7m": (15, 2), "armv7em": (30, 4), "rv32im": (30, 4)}
"""Bits of a limb, and the bytes of its place: MP_LIMB_BITS and mp_limb."""
KINDS = {
    "split": "(mp_limb *r, size_t stride, const mp_word *a, size_t n, const mod *m) "
    "r[0], r[stride] .. = the n lowest limbs of a. in: a of as many words as m ",
    "join": "(mp_word *r, const mp_limb *dem, mp_entry f, size_t n, const mod *m) "
    "r = d or, where f is negative, -d, modulo m. in: n limbs of d, e, m in turn, as many as the "
    "bits of m and a sign need, or more; d from -m to m out: below m ",
}


STATES = 4  # of the emulator
STRIDES = (1, 2, 3)  # between limbs of a number
SIGNS = [(f, d) for f in (False, True) for d in (False, True)]


class Words(Run):
    """Words with bits in common to none are a word."""

    def _apart(self, op: str, a: Value, b: Value) -> Value | None:
        found = super()._apart(op, a, b)
        return found and self.s.value(found.p, 0, M32)


class Halves(Words):
    """Limbs in halves of words, each by itself."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.cells: dict[tuple[str, int], Value] = {}

    def load(self, p: Pointer, size: int = 4) -> Content:
        """A half is what was stored there; a word of which halves are known is not read."""
        cell = self.cells.get((p.base, p.offset))
        if size == 2 and cell is not None:
            self.check(p, size, write=False)
            return cell
        if any((p.base, (p.offset & ~3) + k) in self.cells for k in (0, 2)):
            raise Refused(f"{p} is read as another part than it was written")
        return super().load(p, size)

    def store(self, p: Pointer, v: Content | None, size: int = 4) -> None:
        """A half is kept for itself."""
        word = p.offset & ~3
        if size != 2:
            for k in (0, 2):
                self.cells.pop((p.base, word + k), None)
            super().store(p, v, size)
            return
        self.check(p, size, write=True)
        if not isinstance(v, Value):
            raise Refused("a part of an address is written")
        if self.memory.get((p.base, word)) is not None:
            self.memory[p.base, word] = None
        self.cells[p.base, p.offset] = self.s.mod(v, 16)


class HalfThumb(Halves, SignedThumb):
    """Thumb code on limbs."""

    METHODS: ClassVar[Any] = SignedThumb.METHODS
    limit = 20_000


class WordRiscV(Words, SignedRiscV):
    """RV32IMC code on limbs."""


def kind(backend: str) -> type[Run]:
    """The run of a back end."""
    return WordRiscV if backend == "rv32im" else HalfThumb


def lengths(backend: str, words: int) -> tuple[int, ...]:
    """So many limbs: those of moduli of this length, and one more."""
    bits = LIMBS[backend][0]
    return tuple(range((32 * words - 31) // bits + 1, 32 * words // bits + 3))


class Promise(NamedTuple):
    """What the comment of a function says: `kind`, and numbers of so many words."""

    kind: str
    backend: str
    name: str
    words: int
    lengths: tuple[int, ...]

    @property
    def first(self) -> int:
        """The register of the first argument."""
        return 10 if self.backend == "rv32im" else 0

    def contract(self) -> Contract:
        """Which registers are kept."""
        keeps = SAVED["rv" if self.backend == "rv32im" else "arm"]
        return Contract(self.name, self.backend, {}, {}, (), keeps=keeps)


def promises(backend: str, function: Function, words: int) -> list[Promise]:
    """It; nothing for other functions. Errors: Unread."""
    which = function.name.removeprefix("mod_inv_")
    if function.name != f"mod_inv_{which}" or which not in KINDS:
        return []
    text = text_of(function.path, function.line, function.name)
    if function.name + KINDS[which] not in f"{' '.join(text.split())} ":
        raise Unread("its comment is not what the prover knows of limbs")
    some = lengths(backend, words)
    return [Promise(which, backend, function.name, words, some)]


def begin(
    said: Promise, image: Image, s: Signed, arguments: list[Content],
    memory: dict[tuple[str, int], Content], *, areas: dict[str, tuple[int, int, bool]],
    hooks: Mapping[int, Hook],
) -> State:  # fmt: skip
    """The state at the entry; the fifth argument is on the stack of ARM."""
    rv = said.backend == "rv32im"
    sp, link = (2, 1) if rv else (13, 14)
    start: dict[int, Content] = {sp: Pointer("sp", 0), link: Pointer("lr", 0)}
    start |= {k: s.word(f"register {k}") for k in (range(5, 32) if rv else range(13))}
    start |= {said.first + i: v for i, v in enumerate(arguments[: 8 if rv else 4])}
    more = not rv and len(arguments) > 4
    areas = areas | {"sp": (-STACK, 4 * more, True), "record": (0, 16, False)}
    record: dict[tuple[str, int], Content] = {("record", 0): Pointer("m", 0)}
    record["record", 12] = constant(said.words)
    memory = {**record, **memory}
    if more:
        memory["sp", 0] = arguments[4]
    run = kind(said.backend)(image, s, start, memory, areas, hooks=hooks)
    run.path = []
    bases = {base: base for base in areas if base != "sp"} | {"m": "m"}
    return State(s, run, start, s.inputs, {}, memory, bases, {})


class Pieces(NamedTuple):
    """A number: variables for its bits, cut at each word and each limb."""

    ends: list[int]
    values: list[Value]

    def part(self, s: Signed, low: int, high: int) -> Value:
        """Bits from low to below high, as a number."""
        some = [
            s.scale(v, 1 << start - low)
            for start, v in zip(self.ends, self.values, strict=False)
            if low <= start < high
        ]
        return s.add(constant(0), *some)


def pieces(s: Signed, words: int, bits: int) -> Pieces:
    """New ones."""
    ends = sorted({*range(0, 32 * words, bits), *range(0, 32 * words + 1, 32)})
    values = [
        s.value({(s.variable(f"a{low}", 0, (1 << high - low) - 1),): 1})
        for low, high in pairwise(ends)
    ]
    return Pieces(ends, values)


def _left(run: Run, offset: int, size: int) -> Value:
    """The limb at a place. Errors: Refused."""
    if size == 2:
        assert isinstance(run, Halves)
        v: Content | None = run.cells.get(("r", offset))
    else:
        v = run.memory.get(("r", offset))
    if not isinstance(v, Value):
        raise Refused(f"the limb at {offset} is not written")
    return v


def split(said: Promise, image: Image, n: int, stride: int) -> State:
    """The limbs of any number; a state for the emulator. Errors: Refused."""
    s, (bits, size) = Signed(), LIMBS[said.backend]
    number = pieces(s, said.words, bits)
    memory: dict[tuple[str, int], Content] = {
        ("a", 4 * i): number.part(s, 32 * i, 32 * i + 32) for i in range(said.words)
    }
    areas = {"a": (0, 4 * said.words, False), "r": (0, size * (stride * (n - 1) + 1), True)}
    arguments: list[Content] = [
        Pointer("r", 0), constant(stride), Pointer("a", 0), constant(n), Pointer("record", 0),
    ]  # fmt: skip
    state = begin(said, image, s, arguments, memory, areas=areas, hooks={})
    finish(image, said.contract(), state)
    places = {stride * size * i for i in range(n)}
    for i in range(n):
        limb = number.part(s, bits * i, bits * i + bits)
        if _left(state.run, stride * size * i, size).p != limb.p:
            raise Refused(f"limb {i} of {n} is another")
    run = state.run
    written = {at for base, at in run.cells if base == "r"} if isinstance(run, Halves) else set()
    written |= {at for (base, at), v in run.memory.items() if base == "r" and v is not None}
    if written != places:
        raise Refused("something else than limbs is written")
    return state


def _signed(s: Signed, name: str, bits: int, *, minus: bool) -> Value:
    """A variable of so many bits, with a sign that is known."""
    ends = (-(1 << bits), -1) if minus else (0, (1 << bits) - 1)
    return s.value({(s.variable(name, *ends),): 1})


class Join:
    """One run, for signs of f and d."""

    def __init__(self, said: Promise, image: Image, n: int, signs: tuple[bool, bool]) -> None:
        self.said, self.signs, self.joined = said, signs, 0
        s, (bits, size) = Signed(), LIMBS[said.backend]
        f = _signed(s, "f", bits, minus=signs[0])
        self.turns = []
        for i in range(n):
            top = i == n - 1
            d = _signed(s, f"d{i}", bits - top, minus=top and signs[1])
            e = _signed(s, f"e{i}", 8 * size - 1, minus=False)
            self.turns.append((d, e, _signed(s, f"m{i}", bits - top, minus=False)))
        flat = [v for turn in self.turns for v in turn]
        memory = {} if size == 2 else {("dem", 4 * i): s.mod(v, 32) for i, v in enumerate(flat)}
        areas = {"r": (0, 4 * said.words, True), "dem": (0, size * len(flat), False)}
        arguments: list[Content] = [
            Pointer("r", 0), Pointer("dem", 0), s.mod(f, 32), constant(n), Pointer("record", 0),
        ]  # fmt: skip
        hooks = {image.symbols["mod_once"]: self.once}
        self.state = begin(said, image, s, arguments, dict(memory), areas=areas, hooks=hooks)
        run = self.state.run
        if isinstance(run, Halves) and size == 2:
            run.cells = {("dem", 2 * i): s.mod(v, 16) for i, v in enumerate(flat)}
        finish(image, said.contract(), self.state)
        if self.joined != 1:
            raise Refused("the result is not made once")

    def total(self) -> Poly:
        """d or -d, and m where that is negative: from 0 to m."""
        bits = LIMBS[self.said.backend][0]
        f, d = self.signs
        p: Poly = {}
        for i, turn in enumerate(self.turns):
            p = plus(p, turn[0].p, (-1 if f else 1) << bits * i)
            p = plus(p, turn[2].p, (f != d) << bits * i)
        return p

    def once(self, run: Run) -> None:
        """The call of mod_once: r is the total modulo a power of two, and both are below that."""
        said, first = self.said, self.said.first
        given = [run.get(first + i) for i in range(3)]
        carry = given[1]
        right = given[0] == Pointer("r", 0) and given[2] == Pointer("record", 0)
        if not right or not isinstance(carry, Value) or carry.const != 0:
            raise Refused("mod_once is called with something else")
        p = self.total()
        most = min(LIMBS[said.backend][0] * len(self.turns), 32 * said.words)
        for i in range(said.words):
            w = run.load(Pointer("r", 4 * i))
            if not isinstance(w, Value) or w.lo < 0 or w.hi >= 1 << max(0, min(most - 32 * i, 32)):
                raise Refused(f"word {i} may be too large")
            p = plus(p, w.p, -1 << 32 * i)
        if any(c % (1 << most) for c in p.values()):
            raise Refused("the words are not those of the total")
        for i in range(said.words):
            run.store(Pointer("r", 4 * i), run.s.word(f"r{i}"))
        lose(run, said.contract())
        run.called.add("mod_once")
        self.joined += 1


def lose(run: Run, callee: Contract) -> None:
    """Registers and memory below the stack pointer, by a call."""
    stack = run.pointer(run.get(run.sp))
    for n in range(13) if run.sp == 13 else range(5, 32):
        if n not in callee.keeps:
            run.r[n] = None
    for key in run.memory:
        if key[0] == stack.base and key[1] < stack.offset:
            run.memory[key] = None
    if isinstance(run, Halves):
        for key in [k for k in run.cells if k[0] == stack.base and k[1] < stack.offset]:
            del run.cells[key]
    if isinstance(run, Thumb):
        run.carry = run.result = None


def _witness(state: State, named: Mapping[str, int], random: Random) -> list[int]:
    """All variables, for these; registers that are not named are at random."""
    s = state.space
    values = {}
    for v, define in enumerate(s.defs):
        if define is None:
            values[v] = named.get(s.names[v], random.getrandbits(32))
            if s.names[v] in named and not s.lo[v] <= values[v] <= s.hi[v]:
                raise Refused("a state of the emulator is not one of those of the proof")
    return s.witness(values)


def limbs_of(x: int, n: int, bits: int) -> list[int]:
    """n limbs of a number, the highest with the sign."""
    return [x >> bits * i & (1 << bits) - 1 for i in range(n - 1)] + [x >> bits * (n - 1)]


def compare_split(
    said: Promise, image: Image, state: State, shape: tuple[int, int], count: int
) -> int:
    """The emulator makes the same limbs of some numbers. `shape`: their number, and the stride."""
    (n, stride), (bits, size) = shape, LIMBS[said.backend]
    random = Random(n)  # noqa: S311
    emulated, total = Whole(image, said.contract(), state), 0
    ends = pieces(Signed(), said.words, bits).ends
    for _ in range(count):
        a = draw(random, 0, 1 << 32 * said.words, said.words)
        named = {f"a{low}": a >> low & (1 << high - low) - 1 for low, high in pairwise(ends)}
        total += emulated.run(_witness(state, named, random))
        for i, limb in enumerate(limbs_of(a % (1 << bits * n), n, bits)):
            data = emulated.uc.mem_read(emulated.place["r"] + size * stride * i, size)
            if int.from_bytes(data, "little") != limb:
                raise Refused("the emulator has another limb")
    return total


def compare_join(join: Join, image: Image, n: int, count: int) -> int:
    """The emulator, with the code of mod_once, has d or -d modulo some primes."""
    said, state, (bits, size) = join.said, join.state, LIMBS[join.said.backend]
    random, (minus, negative) = Random(n), join.signs  # noqa: S311
    emulated, total = Whole(image, said.contract(), state), 0
    moduli = [m for _, m in MODULI if -(-m.bit_length() // 32) == said.words]
    moduli = [m for m in moduli if not m >> bits * n - 1]
    for m in (random.choice(moduli) for _ in range(count if moduli else 0)):
        d = -draw(random, 1, m + 1, said.words) if negative else draw(random, 0, m + 1, said.words)
        f = -draw(random, 1, 1 << bits, 1) if minus else draw(random, 0, 1 << bits, 1)
        numbers = {"d": d, "e": random.randrange(m), "m": m}
        named = {"f": f}
        for o, x in numbers.items():
            named |= {f"{o}{i}": limb for i, limb in enumerate(limbs_of(x, n, bits))}
        for i in range(n):
            for k, o in enumerate("dem"):
                data = (named[f"{o}{i}"] % (1 << 8 * size)).to_bytes(size, "little")
                emulated.uc.mem_write(emulated.place["dem"] + size * (3 * i + k), data)
        emulated.uc.mem_write(emulated.place["m"], m.to_bytes(4 * said.words, "little"))
        total += emulated.run(_witness(state, named, random))
        found = bytes(emulated.uc.mem_read(emulated.place["r"], 4 * said.words))
        if int.from_bytes(found, "little") != (-d if minus else d) % m:
            raise Refused("the emulator has another result")
    return total


def prove(made: Build, said: Promise, known: Mapping[str, Mapping[str, Any]]) -> Iterator[Outcome]:
    """For each length. `known`: the records of C functions. Errors: Refused."""
    image = made.image()
    for n in said.lengths:
        begun, total = time.monotonic(), Outcome()
        if said.kind == "split":
            for stride in STRIDES:
                state = split(said, image, n, stride)
                total.compared += compare_split(said, image, state, (n, stride), STATES)
        else:
            for signs in SIGNS:
                join = Join(said, image, n, signs)
                total.compared += compare_join(join, image, n, STATES)
                state = join.state
        for name in state.run.called if n == said.lengths[0] else ():
            recorded(made, image, name, known)
        total.calls, total.instructions = sorted(state.run.called), state.run.steps
        total.aliases, total.stack = 1, -state.run.low
        total.seconds = time.monotonic() - begun
        yield total
