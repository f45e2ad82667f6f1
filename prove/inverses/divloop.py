"""The loop of an inversion by divsteps, in C: its object code on limbs that know of which number
they are.

What it calls acts by contract. `mod_inv_split` makes limbs of m, a and r2. After each matrix of S
divsteps, f and g become T (f, g)/2^S, and d and e likewise modulo m. So d a = r2 f and e a = r2 g
modulo m throughout, as at the beginning: f = m, g = a, d = 0, e = r2. After as many divsteps as
[WUILLE21] has for numbers of so many bits, g is 0, and f is the greatest common divisor of m and a,
or its opposite. Then d or -d is r2/a, or 0 for a = 0.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from prove.algebra.values import M32, Pointer, Refused, Value, constant
from prove.contracts.banner import SAVED
from prove.contracts.contract import Contract, Outcome
from prove.contracts.divsteps import ZETA
from prove.contracts.powers import Power
from prove.goals.states import State, draw, finish, same
from prove.inverses import elements
from prove.inverses.limbs import LIMBS, STRIDES, Promise, begin, lengths, lose
from prove.machine.compiled import Build
from prove.machine.execution import Content, Run
from prove.machine.image import Image
from prove.machine.signed import Signed

STATES = 3  # of the emulator, for each modulus


class Number(NamedTuple):
    """A number in limbs: its name, after so many matrices."""

    name: str
    turn: int


class Matrix(NamedTuple):
    """The matrix of S divsteps from these numbers on."""

    f: Number
    g: Number


class Loop:
    """One run."""

    def __init__(self, image: Image, backend: str, power: Power, *, together: bool) -> None:
        self.image, self.backend, self.power = image, backend, power
        self.m, contract = power.prime, power.contract
        self.words = contract.operands["r"].words
        self.bits, self.size = LIMBS[backend]
        self.first = 10 if backend == "rv32im" else 0
        self.limbs: dict[int, tuple[Number, int]] = {}  # of each variable
        self.entries: dict[int, tuple[Matrix, int]] = {}
        self.zeta: Content = constant(M32)
        self.most = 1  # of zeta
        self.matrices: list[Matrix] = []
        self.now = {"fg": (Number("m", 0), Number("a", 0)), "de": (Number("0", 0), Number("r2", 0))}
        self.joined = 0
        s, n = Signed(), self.words
        memory: dict[tuple[str, int], Content] = {
            (o, 4 * i): s.word(f"{o}.{i}") for o in ("a", "r2") for i in range(n)
        }
        memory |= {("m", 4 * i): constant(self.m >> 32 * i & M32) for i in range(n)}
        memory |= {("record", 4): Pointer("r2", 0), ("record", 8): constant(self.inverse)}
        areas = dict.fromkeys(("a", "r2", "m"), (0, 4 * n, False)) | {"r": (0, 4 * n, True)}
        self.out = Pointer("a" if together else "r", 0)
        areas[self.out.base] = (0, 4 * n, True)
        arguments: list[Content] = [self.out, Pointer("a", 0), Pointer("record", 0)]
        said = Promise("inv", backend, contract.name, n, ())
        hooks = {
            image.symbols[name]: act for name, act in self.hooks().items() if name in image.symbols
        }
        self.state: State = begin(said, image, s, arguments, memory, areas=areas, hooks=hooks)
        finish(image, said.contract(), self.state)
        if self.joined != 1:
            raise Refused("the result is not made once")

    @property
    def inverse(self) -> int:
        """-1/m modulo 2^32."""
        return -pow(self.m, -1, 1 << 32) % (1 << 32)

    def hooks(self) -> dict[str, Callable[[Run], None]]:
        """What is called by contract."""
        found: dict[str, Callable[[Run], None]] = {
            "mod_inv_split": self.split, "mod_inv_join": self.join
        }  # fmt: skip
        asm = "_15" if self.bits == 15 else ""
        for kind, act in (("steps", self.steps), ("reduce", self.reduce), ("follow", self.follow)):
            found[f"ecfit_inv_{kind}{asm}"] = self._named(f"ecfit_inv_{kind}{asm}", act)
            if not asm:
                found[f"mod_inv_{kind}"] = self._named(f"mod_inv_{kind}", act)
        return found

    def _named(self, name: str, act: Callable[[Run], None]) -> Callable[[Run], None]:
        def hook(run: Run) -> None:
            if name.startswith("ecfit_inv_follow"):
                self.inverted(run)
            elif name == "mod_inv_follow" and self.argument(run, 3) != Pointer("record", 0):
                raise Refused("another modulus")
            act(run)
            run.called.add(name)

        return hook

    def argument(self, run: Run, i: int) -> Content:
        """One of the call."""
        if i < 4 or self.backend == "rv32im":
            return run.get(self.first + i)
        stack = run.pointer(run.get(run.sp))
        return run.load(Pointer(stack.base, stack.offset + 4 * (i - 4)))

    def length(self, run: Run, i: int) -> int:
        """A number of limbs that is proved, and that m and a sign need. Errors: Refused."""
        v = self.argument(run, i)
        n = v.const if isinstance(v, Value) else None
        if n is None or n not in lengths(self.backend, self.words):
            raise Refused(f"{n} limbs are not proved")
        if self.m >> self.bits * n - 1:
            raise Refused(f"{n} limbs are too few")
        return n

    def end(self, run: Run) -> None:
        """What a call leaves of registers and the stack."""
        keeps = SAVED["rv" if self.backend == "rv32im" else "arm"]
        lose(run, Contract("", self.backend, {}, {}, (), keeps=keeps))

    def put(self, run: Run, p: Pointer, number: Number, n: int, stride: int) -> None:
        """A number in limbs."""
        top = (1 << 8 * self.size) - 1
        for i in range(n):
            most = top if i == n - 1 else (1 << self.bits) - 1
            v = run.s.word(f"{number.name}{number.turn}.{i}", most)
            self.limbs[next(iter(v.p))[0]] = number, i
            run.store(Pointer(p.base, p.offset + self.size * stride * i), v, self.size)

    def number(self, run: Run, p: Pointer, n: int, stride: int) -> Number:
        """The number in memory. Errors: Refused."""
        found = set()
        for i in range(n):
            v = run.load(Pointer(p.base, p.offset + self.size * stride * i), self.size)
            zero = isinstance(v, Value) and v.const == 0
            known = (Number("0", 0), i) if zero else self.limb(v)
            if known is None or known[1] != i:
                raise Refused(f"limb {i} at {p} is of no number")
            found.add(known[0])
        if len(found) != 1:
            raise Refused(f"limbs at {p} are of more than one number")
        return found.pop()

    def limb(self, v: Content) -> tuple[Number, int] | None:
        """Of which number a word is a limb."""
        if isinstance(v, Pointer) or len(v.p) != 1 or set(v.p.values()) != {1}:
            return None
        mono = next(iter(v.p))
        return self.limbs.get(mono[0]) if len(mono) == 1 else None

    def split(self, run: Run) -> None:
        """r[0], r[stride] .. = the limbs of m, a or r2."""
        stride, n = self.argument(run, 1), self.length(run, 3)
        source, out = self.argument(run, 2), run.pointer(self.argument(run, 0))
        if self.argument(run, 4) != Pointer("record", 0) or not isinstance(stride, Value):
            raise Refused("another modulus")
        names = [o for o in ("m", "a", "r2") if source == Pointer(o, 0)]
        if not names or stride.const not in STRIDES:
            raise Refused(f"{source} is no number of an inversion")
        self.put(run, out, Number(names[0], 0), n, stride.const)
        run.called.add("mod_inv_split")
        self.end(run)

    def steps(self, run: Run) -> None:
        """t = the matrix of S divsteps."""
        t, *low, zeta = (self.argument(run, i) for i in range(4))
        f, g = self.now["fg"]
        right = [self.limb(v) for v in low] == [(f, 0), (g, 0)]
        if not right or not same(zeta, self.zeta) or self.most > ZETA:
            raise Refused("a matrix is made of other numbers")
        turn = len(self.matrices)
        if any(x.turn != turn for x in (f, g, *self.now["de"])):
            raise Refused("a matrix is not applied to all numbers")
        matrix = Matrix(f, g)
        self.matrices.append(matrix)
        out = run.pointer(t)
        for i in range(4):
            v = run.s.word(f"t{turn}.{i}")
            self.entries[next(iter(v.p))[0]] = matrix, i
            run.store(Pointer(out.base, out.offset + 4 * i), v)
        self.end(run)
        self.zeta, self.most = run.s.word(f"zeta{turn}"), self.most + 2 * self.bits
        run.r[self.first] = self.zeta

    def matrix(self, run: Run, p: Pointer) -> int:
        """Which one is in memory. Errors: Refused."""
        for i in range(4):
            v = run.load(Pointer(p.base, p.offset + 4 * i))
            mono = next(iter(v.p)) if isinstance(v, Value) and len(v.p) == 1 else ()
            if len(mono) != 1 or self.entries.get(mono[0]) != (self.matrices[-1], i):
                raise Refused("this is not the last matrix")
        return len(self.matrices)

    def apply(self, run: Run, kind: str, stride: int) -> None:
        """Two numbers become those of the next turn."""
        p, n = run.pointer(self.argument(run, 0)), self.length(run, 2)
        turn = self.matrix(run, run.pointer(self.argument(run, 1)))
        places = [Pointer(p.base, p.offset + self.size * k) for k in range(stride)]
        found = tuple(self.number(run, at, n, stride) for at in places)
        if found[:2] != self.now[kind] or any(x.turn == turn for x in found):
            raise Refused(f"the matrix is applied to {found}")
        if stride == 3 and found[2] != Number("m", 0):
            raise Refused("another modulus")
        self.now[kind] = Number(kind[0], turn), Number(kind[1], turn)
        for at, number in zip(places, self.now[kind], strict=False):
            self.put(run, at, number, n, stride)
        self.end(run)

    def reduce(self, run: Run) -> None:
        """f and g."""
        self.apply(run, "fg", 2)

    def follow(self, run: Run) -> None:
        """d and e."""
        self.apply(run, "de", 3)

    def inverted(self, run: Run) -> None:
        """The last argument is -1/m. Errors: Refused."""
        last = self.argument(run, 3)
        if not isinstance(last, Value) or last.const != self.inverse:
            raise Refused("another inverse of m")

    def join(self, run: Run) -> None:
        """d or -d, by the sign of f."""
        out, dem, f = (self.argument(run, i) for i in range(3))
        n, turn = self.length(run, 3), len(self.matrices)
        p = run.pointer(dem)
        three = [
            self.number(run, Pointer(p.base, p.offset + self.size * k), n, 3) for k in range(3)
        ]
        if out != self.out or self.argument(run, 4) != Pointer("record", 0):
            raise Refused("another result")
        last = [Number("d", turn), Number("e", turn), Number("m", 0)]
        if three != last or self.now["fg"][0] != Number("f", turn):
            raise Refused("these are not the last numbers")
        if not isinstance(f, Value) or not self._is_top(run, f, n):
            raise Refused("this is not the sign of f")
        if 1644 * self.bits * turn < 3787 * self.m.bit_length() + 2166:
            raise Refused("there are too few steps")
        for i in range(self.words):
            run.store(Pointer(self.out.base, 4 * i), run.s.word(f"r{i}"))
        self.end(run)
        run.called.add("mod_inv_join")
        self.joined += 1

    def _is_top(self, run: Run, f: Value, n: int) -> bool:
        """Whether a word is the highest limb of f."""
        for v, known in self.limbs.items():
            if known == (self.now["fg"][0], n - 1):
                word = Value({(v,): 1}, 0, (1 << 8 * self.size) - 1)
                return f.p == (word if self.size == 4 else run.extended(word, self.size)).p
        return False

    def compare(self, count: int) -> int:
        """The emulator runs all the code, and Python's integers say what comes of it."""
        contract, s = self.power.contract, self.state.space
        random = Random(zlib.crc32(contract.variant().encode()))  # noqa: S311
        emulated, total = elements.Whole(self.image, contract, self.state, self.out.base), 0
        for i in range(count):
            a = (0, 1, self.m - 1)[i // 2 % 3] if i % 2 else draw(random, 0, self.m, self.words)
            numbers = {"a": a, "r2": draw(random, 0, self.m, self.words)}
            named = {
                f"{o}.{k}": x >> 32 * k & M32 for o, x in numbers.items() for k in range(self.words)
            }
            values = {
                v: named.get(s.names[v], random.randrange(s.hi[v] + 1))
                for v, define in enumerate(s.defs)
                if define is None
            }
            total += emulated.run(s.witness(values))
            data = bytes(emulated.uc.mem_read(emulated.place[self.out.base], 4 * self.words))
            wanted = numbers["r2"] * pow(a, self.m - 2, self.m) % self.m
            if int.from_bytes(data, "little") != wanted:
                raise Refused("the emulator has another inverse")
        return total


def prove(
    made: Build, some: list[Power], of_c: Mapping[str, Mapping[str, Any]]
) -> Iterator[Outcome]:
    """For each modulus, r apart or where a is. Errors: Refused."""
    image, seen = made.image(), set[str]()
    for one in some:
        for together in (False, True):
            begun = time.monotonic()
            loop = Loop(image, made.backend, one, together=together)
            run = loop.state.run
            for name in sorted(run.called - seen):
                elements.recorded(made, image, name, of_c)
            seen |= run.called
            yield Outcome(
                compared=loop.compare(STATES), calls=sorted(run.called), aliases=1,
                instructions=run.steps, stack=-run.low, seconds=time.monotonic() - begun,
            )  # fmt: skip
