"""`inv_steps` on the emulator, behind each divstep; and its proof as a whole."""

from __future__ import annotations

import time
import zlib
from random import Random
from typing import Any, NamedTuple

from prove.algebra.values import M32, Refused, constant
from prove.contracts.contract import Outcome
from prove.contracts.divsteps import ZETA, Matrix, Promise, matrix, rows_hold
from prove.goals.emulation import Emulated
from prove.goals.states import State
from prove.inverses.steps import Loop, Pair, RiscVStepper, Start, Stepper, ThumbStepper
from prove.machine.image import Image
from prove.machine.signed import Signed

STATES = 6  # of the emulator


class Watched(Emulated):
    """`seen`: the registers behind each step."""

    def __init__(self, loop: Loop, run: Stepper) -> None:
        self.loop, self.ends, self.seen = loop, loop.ends, list[dict[int, int]]()
        self.count = loop.said.bits
        base = {"t": "t"}
        state = State(run.s, run, loop.first, {}, {}, {}, base, {})
        super().__init__(loop.image, loop.contract, state)

    def _step(self, _uc: Any, address: int, _size: int, _data: object) -> None:
        if self.path and self.path[-1] in self.ends:
            self.seen.append(self.registers_now())
        self.path.append(address)

    def registers_now(self) -> dict[int, int]:
        """All of them."""
        return {n: int(self.uc.reg_read(x)) for n, x in self.registers.items()}

    def agree(self, run: Stepper, now: dict[int, int], env: list[int]) -> None:
        """Registers are what the model has. Errors: Refused."""
        for n, v in run.r.items():
            if v is not None and n in now:
                self._same(f"register {n}", now[n], v, env)

    def memory_agrees(self, run: Stepper, env: list[int]) -> None:
        """The same of memory."""
        for (base, offset), v in run.memory.items():
            if v is not None:
                data = self.uc.mem_read(self.place[base] + offset, 4)
                self._same(f"{base}{offset:+d}", int.from_bytes(data, "little"), v, env)

    def kept(self, env: list[int]) -> bool:
        """Whether the stack pointer and r4 to r11 are as at the entry."""
        now, first = self.registers_now(), self.state.start
        kept = (*self.loop.contract.keeps, self.loop.sp)
        return all(now[n] == self.number(first[n], env) for n in kept)

    def numbers(self, env: list[int]) -> tuple[list[int], int]:
        """Runs a state; the matrix as numbers with signs, and the zeta that is returned."""
        self.seen.clear()
        self.execute(env)
        data = bytes(self.uc.mem_read(self.place["t"], 16))
        words = [int.from_bytes(data[i : i + 4], "little", signed=True) for i in range(0, 16, 4)]
        zeta = int(self.uc.reg_read(self.registers[self.loop.result]))
        return words, zeta - (zeta >> 31 << 32)


def drawn(random: Random, said: Promise) -> tuple[int, int, int]:
    """F, G and zeta, some of them edges."""
    size = random.choice((said.bits, 64, 256))
    f, g = random.getrandbits(size) | 1, random.getrandbits(size)
    g = random.choice((g, 0, 1, f, -f, (1 << said.bits) - 1, 1 << said.bits - 1, -1))
    f = random.choice((f, f, f, 1, -1, (1 << said.bits) - 1))
    near = random.randrange(-40, 40)
    return f, g, random.choice((-1, near, near, ZETA, -ZETA, random.randrange(-ZETA, ZETA)))


def entered(random: Random, loop: Loop, f: int, g: int, zeta: int) -> list[int]:
    """The variables of registers at the entry: above the low limbs is anything."""
    least = 5 if loop.rv else 0
    env = [random.getrandbits(32) for _ in range(27 if loop.rv else 13)]
    mask = (1 << loop.said.bits) - 1
    numbers = [(x & mask | random.getrandbits(32) & ~mask) & M32 for x in (f, g)]
    for n, x in zip(loop.layout.entry, (*numbers, zeta & M32), strict=True):
        env[n - least] = x
    return env


class Place(NamedTuple):
    """After `i` steps: the matrix, F and G, and the registers."""

    i: int
    m: Matrix
    pair: Pair
    now: dict[int, int]


def _registers(loop: Loop, env: list[int]) -> dict[int, int]:
    """Those at the entry."""
    return dict(enumerate(env, 5 if loop.rv else 0))


def _witness(loop: Loop, start: Start, env: list[int], place: Place) -> list[int]:
    """All variables of the run that begins there."""
    s, layout, (i, m, pair, now) = start.space, loop.layout, place
    low = [now[n] for n in (layout.entry[:2] if i == 0 else (layout.f, layout.g))]
    above = [(x - number) >> loop.said.bits - i for x, number in zip(low, pair, strict=True)]
    named = {"f": low[0] >> 1, "g": low[1] >> 1, "a": above[0], "b": above[1]}
    named |= {"any f": low[0], "any g": low[1], "any zeta": m.zeta} | m._asdict()
    named |= {f"register {n}": x for n, x in _registers(loop, env).items()}
    values = {v: named[s.names[v]] for v, define in enumerate(s.defs) if define is None}
    if i < loop.said.bits and any(not s.lo[v] <= x <= s.hi[v] for v, x in values.items()):
        raise Refused("a state of the emulator is not one of those of the proof")
    return s.witness(values)


def compared(loop: Loop, last: tuple[Start, Stepper]) -> int:
    """Instructions on the emulator with the same outcome, step by step. Errors: Refused."""
    random = Random(zlib.crc32(loop.contract.name.encode()))  # noqa: S311
    watched, total = Watched(loop, last[1]), 0
    for _ in range(STATES):
        f, g, zeta = drawn(random, loop.said)
        env = entered(random, loop, f, g, zeta)
        known = matrix(loop.said.bits, f, g, zeta)
        words, returned = watched.numbers(env)
        if watched.path != loop.path or len(watched.seen) != loop.said.bits:
            raise Refused("the emulator takes another path")
        now = _registers(loop, env)
        for i, m in enumerate(known):
            pair = (m.u * f + m.v * g) >> i, (m.q * f + m.r * g) >> i
            final = i == loop.said.bits
            start, run = last if final else loop.segments[i][bool(pair[1] & 1), m.zeta < 0]
            values = _witness(loop, start, env, Place(i, m, pair, now))
            now = watched.registers_now() if final else watched.seen[i]
            watched.agree(run, now, values)
        watched.memory_agrees(last[1], values)
        if words != list(known[-1][1:]) or returned != known[-1].zeta:
            raise Refused("the emulator has another matrix")
        total += len(watched.path)
    return total


def right(image: Image, backend: str, name: str, said: Promise, count: int) -> bool:
    """Whether the emulator's matrices are those of the specification."""
    loop = Loop(image, backend, name, said)
    random, s = Random(99), Signed()  # noqa: S311
    kind: type[Stepper] = RiscVStepper if loop.rv else ThumbStepper
    watched = Watched(loop, kind(image, s, loop.first, {("t", 0): constant(0)}, {}))
    for _ in range(count):
        f, g, zeta = drawn(random, said)
        known = matrix(said.bits, f, g, zeta)[-1]
        env = entered(random, loop, f, g, zeta)
        words, returned = watched.numbers(env)
        if words != list(known[1:]) or returned != known.zeta or not watched.kept(env):
            return False
    return True


def prove(image: Image, backend: str, name: str, said: Promise) -> Outcome:
    """All steps, and what is behind them. Errors: Refused."""
    begun = time.monotonic()
    rows_hold(said.bits)
    loop = Loop(image, backend, name, said)
    for i in range(said.bits):
        loop.step(i)
    last = loop.end()
    total = Outcome(instructions=len(loop.path), aliases=1, queries=3 * said.bits, stack=-loop.low)
    total.facts = [
        f"{said.bits} steps, each for g odd or even and zeta negative or not",
        f"the bounds of the matrix by induction: {total.queries} queries",
    ]
    total.compared = compared(loop, last)
    total.seconds = time.monotonic() - begun
    return total
