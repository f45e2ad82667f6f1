"""Faults during signing, on the simulator: a run leaves out one instruction and goes on. Its output
is put in one of a few classes. If it is another valid signature, the test tries to compute the
private key from it.

Each instruction of a run is left out the first, the middle and the last time it is executed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from ref import ecdsa, rfc8032
from ref.curves import CURVES as WEIERSTRASS
from ref.group import Point, multiply_base

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.measure.store import Store
from ecfit.model import Image
from ecfit.sim.machine import Region, load_model
from ecfit.sim.state import StoppableMachine

OK = 0  # ECFIT_OK
MESSAGE = hashlib.sha256(b"message").digest()  # of ECDSA the hash
POOL = (bytes(range(1, 256)) * 3)[:512]  # what the caller's generator gives
OUT, GENERATOR, STUB = 256, 416, 432  # in bench_arena
BEFORE = 0xA5  # each byte of the output before the call
LIMIT = 10**9  # instructions of a run, at most
SOON = 30_000  # instructions after a fault until its run is compared with the run without it

# Outcomes of a run: (what the caller has)
RIGHT = "right"  # ECFIT_OK and the signature that it should be
REFUSED = "refused"  # another status, and zeros, or one byte again and again
LOST = "lost"  # the function does not come back
VALID = "valid"  # ECFIT_OK and another signature that is valid
KEY = "key"  # the same, and the private key follows from it and the right one
WRONG = "wrong"  # ECFIT_OK and anything else
LEFT = "left"  # another status, and something else than zeros or the right signature
OUTCOMES = (RIGHT, REFUSED, LOST, VALID, KEY, WRONG, LEFT)


class SignBuild(NamedTuple):
    """What is attacked."""

    target: str
    toolchain: str
    opt: str
    curve: str
    preset: str
    function: str
    sets: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        sets = " ".join(f"{name}={value}" for name, value in self.sets)
        head = f"{self.target} {self.toolchain} {self.opt} {self.curve} {self.preset}"
        return f"{head} {self.function}" + (f" {sets}" if sets else "")


class SkipPoint(NamedTuple):
    """The instruction at `pc` that `number` others come before, there for the `hit`-th time."""

    number: int
    pc: int
    hit: int


class SignRig:
    """A signature on a chip, whose run can be stopped, changed and continued."""

    def __init__(self, build_: SignBuild) -> None:
        self.build, self.target = build_, find_target(build_.target)
        self.edwards = CURVES[build_.curve].form == "edwards"
        self.image = _image(build_)
        self.arm = self.target.arch != "rv32"
        self.size = CURVES[build_.curve].scalar_bytes
        self.key = hashlib.shake_256(b"key").digest(self.size)
        if not self.edwards:
            n = WEIERSTRASS[build_.curve].n
            self.key = (int.from_bytes(self.key, "big") % n).to_bytes(self.size, "big")
        self.judge = Judge(build_.curve, self.key)
        self.ram = next(memory for memory in self.target.memory if memory.kind == "ram")
        regions = [Region(m.name, m.start, m.size, m.kind) for m in self.target.memory]
        model = load_model(self.target.model or "", **self.target.model_options)
        self.machine = StoppableMachine(model, regions, None)
        for segment in self.image.segments:
            self.machine.load(segment.address, segment.data)
        self.code = max(self.image.segments, key=lambda segment: len(segment.data))
        ready = self.machine.reset(self.target.region("flash").start, limit=10**6)
        assert ready.stop == "bkpt", ready
        symbols = self.image.symbols
        self.back, self.arena = symbols["bench_return"] & ~1, symbols["bench_arena"]
        self._call(symbols[f"ecfit_{build_.curve}_{build_.function}"] & ~1)
        self.start = self.machine.save()
        outcome = self._finish(LIMIT)
        self.instructions = self.machine.executed
        assert outcome[0] == OK, outcome
        self.right = outcome[1]
        assert self.judge.valid(self.right), "without a fault"
        self.own = [
            (one.address, one.address + one.size)
            for one in self.image.functions
            if one.size and not one.name.startswith("bench_")
        ]

    def _call(self, function: int) -> None:
        arena, machine = self.arena, self.machine
        symbols = self.image.symbols
        stub = _stub(symbols["bench_random"] & ~1, arm=self.arm)
        machine.write(arena, self.key + MESSAGE)
        machine.write(arena + OUT, bytes([BEFORE]) * (GENERATOR - OUT))
        machine.write(arena + STUB, stub)
        pointer = arena + STUB | self.arm
        machine.write(arena + GENERATOR, pointer.to_bytes(4, "little") + bytes(4))
        machine.write(symbols["bench_pool"], POOL)
        machine.write(symbols["bench_pool_used"], bytes(4))
        machine.call(
            function,
            (arena + OUT, arena, arena + self.size, len(MESSAGE), arena + GENERATOR),
            sp=symbols["image_stack_top"] - 64,
            return_to=self.back,
            limit=0,
        )

    def _finish(self, instructions: int) -> tuple[int | None, bytes]:
        """Status, None of a run that does not come back, and output."""
        machine = self.machine
        machine.on(instructions)
        back = machine.at_breakpoint and machine.pc == self.back
        status = machine.register(0 if self.arm else 10) if back else None
        return status, machine.read(self.arena + OUT, 2 * self.size)

    def points(self, *functions: str) -> list[SkipPoint]:
        """Every instruction of a run, the first, the middle and the last time it is executed; of
        functions whose names contain one of these texts, where there are any.
        """
        machine, hits, ranges = self.machine, dict[int, list[int]](), self._ranges(functions)
        spans = [(start, end - start) for start, end in ranges]
        machine.restore(self.start)
        index, alive = 0, True
        while alive:
            hits.setdefault(machine.pc, []).append(index)
            if functions:
                alive = machine.on_to(spans, LIMIT)
                index = machine.executed
            else:
                alive = machine.on(1)
                index += 1
        found = []
        for pc, indices in hits.items():
            if any(start <= pc < end for start, end in ranges):
                last = len(indices) - 1
                found += [SkipPoint(indices[hit], pc, hit + 1) for hit in {0, last // 2, last}]
        return sorted(found)

    def _ranges(self, functions: tuple[str, ...]) -> list[tuple[int, int]]:
        if not functions:
            return self.own
        return [
            (one.address, one.address + one.size)
            for one in self.image.functions
            if one.size and any(part in one.name for part in functions)
        ]

    def outcomes(self, points: list[SkipPoint]) -> Iterator[tuple[SkipPoint, str]]:
        """What each of these points, in their order, gives."""
        machine = self.machine
        machine.restore(self.start)
        at = 0
        for point in points:
            machine.on(point.number - at)
            at = point.number
            assert machine.pc == point.pc, (point, hex(machine.pc))
            here = machine.save()
            machine.on(1 + SOON)
            soon = None if machine.stopped else self._all()
            machine.restore(here)
            yield point, self.skipped(point, soon)
            machine.restore(here)

    def sample(self, count: int) -> list[SkipPoint]:
        """`count` instructions evenly spread over a run."""
        machine, found = self.machine, []
        machine.restore(self.start)
        at = 0
        for number in range(count):
            index = self.instructions * (2 * number + 1) // (2 * count)
            machine.on(index - at)
            at = index
            if any(start <= machine.pc < end for start, end in self.own):
                found.append(SkipPoint(index, machine.pc, 0))
        return found

    def _all(self) -> bytes:
        """All that the rest of the run depends on: registers, and memory above the stack."""
        registers = [self.machine.register(index) for index in range(17 if self.arm else 33)]
        low = self.image.symbols["image_stack_limit"] - self.ram.start
        sp = max(low, min(registers[13 if self.arm else 2] - self.ram.start, self.ram.size))
        memory = self.machine.read(self.ram.start, self.ram.size)
        return memory[:low] + memory[sp:] + repr(registers).encode()

    def skipped(self, point: SkipPoint, soon: bytes | None = None) -> str:
        """What comes of the run that stands before this instruction, without it. `soon`: what all
        is SOON instructions later where it is not left out: the rest is the same where this is.
        """
        machine = self.machine
        half = self._code_at(point.pc)
        machine.pc = point.pc + self._size_of(half)
        if self.arm and half >> 8 == 0xBF and half & 15 != 0:
            self._without_it(point.pc, half)
        elif soon is not None:
            machine.on(SOON)
            if not machine.stopped and self._all() == soon:
                return RIGHT
        status, out = self._finish(self.instructions * 5 // 4 - point.number + SOON)
        if status is None:
            return LOST
        if out == self.right:
            return RIGHT
        if status != OK:
            return REFUSED if len(set(out)) == 1 else LEFT
        if not self.judge.valid(out):
            return WRONG
        return KEY if self.judge.key_follows(self.right, out) else VALID

    def _without_it(self, pc: int, half: int) -> None:
        """Goes on to the end of an IT block without its IT, this once: its instructions are
        decoded anew before, and again behind.
        """
        end = pc + 2
        for _ in range(4 - ((half & -half).bit_length() - 1)):
            end += self._size_of(self._code_at(end))
        self.machine.load(self.code.address, self.code.data)
        while pc < self.machine.pc < end and self.machine.on(1):
            pass
        self.machine.load(self.code.address, self.code.data)

    def name(self, pc: int) -> str:
        """The function there."""
        for one in self.image.functions:
            if one.address <= pc < one.address + one.size:
                return one.name
        return hex(pc)

    def _code_at(self, pc: int) -> int:
        offset = pc - self.code.address
        return int.from_bytes(self.code.data[offset : offset + 2], "little")

    def _size_of(self, half: int) -> int:
        if not self.arm:
            return 4 if half & 3 == 3 else 2
        return 4 if half >> 11 in (0b11101, 0b11110, 0b11111) else 2


class Judge:
    """What a signature of MESSAGE is worth, by the reference."""

    def __init__(self, curve: str, key: bytes) -> None:
        self.curve, self.key = curve, key
        self.known: dict[bytes, bool] = {}
        if curve in WEIERSTRASS:
            of = WEIERSTRASS[curve]
            self.n, self.d = of.n, int.from_bytes(key, "big")
            self.point: Point = multiply_base(of, self.d)
            self.e = ecdsa.bits2int(of, MESSAGE)
        else:
            edwards = rfc8032.EDCURVES[curve]
            self.n, self.d = edwards.n, rfc8032.expand(edwards, key)[0]
            self.public = rfc8032.public_key(edwards, key)

    def valid(self, signature: bytes) -> bool:
        """Whether it holds."""
        if signature not in self.known:
            self.known[signature] = self._valid(signature)
        return self.known[signature]

    def _valid(self, signature: bytes) -> bool:
        if self.curve in WEIERSTRASS:
            return ecdsa.verify(WEIERSTRASS[self.curve], self.point, MESSAGE, _halves(signature))
        return rfc8032.verify(rfc8032.EDCURVES[self.curve], signature, self.public, MESSAGE)

    def nonce(self, signature: bytes) -> int:
        """The nonce of a valid signature, by the private key."""
        if self.curve in WEIERSTRASS:
            r, s = _halves(signature)
            return (self.e + self.d * r) * pow(s, -1, self.n) % self.n
        edwards = rfc8032.EDCURVES[self.curve]
        half = len(signature) // 2
        hashed = edwards.dom_of(False, None) + signature[:half] + self.public + MESSAGE
        k = int.from_bytes(edwards.hash(hashed), "little")
        return (int.from_bytes(signature[half:], "little") - k * self.d) % self.n

    def key_follows(self, right: bytes, other: bytes) -> bool:
        """Whether two valid signatures of one message give the private key: their nonces are
        related in a way that can be guessed. See `guessable`.
        """
        return guessable(self.n, self.nonce(right), self.nonce(other))


def guessable(n: int, k: int, other: int) -> bool:
    """Whether `other` = a k + c 2^j modulo n for an a of 0 or a signed power of two, as shifts,
    words and products make them, and a c of 64 bits: one nonce is known, or both differ in 64 bits
    that stand together, or one is the other shifted. With such a relation two signatures are two
    equations in two unknowns.
    """
    powers = {*range(9), 16, 24, *range(32, 34 * 32, 32)}
    factors = [0]
    for power in powers:
        for one in (pow(2, power, n), pow(2, -power, n)):
            factors += [one, n - one]
    half = pow(2, -1, n)
    for factor in dict.fromkeys(factors):
        rest = (other - factor * k) * pow(2, 256, n) % n
        for _ in range(256 + 1088):  # j from -256 on
            if min(rest, n - rest) >> 64 == 0:
                return True
            rest = rest * half % n
    return False


def _halves(signature: bytes) -> tuple[int, int]:
    half = len(signature) // 2
    return int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")


def _stub(random: int, *, arm: bool) -> bytes:
    """A generator's fill: (context, out, size), by bench_random(out, size)."""
    if arm:  # movs r0, r1; movs r1, r2; ldr r3, [pc]; bx r3
        halves = (0x0008, 0x0011, 0x4B00, 0x4718)
        return b"".join(one.to_bytes(2, "little") for one in halves) + (random | 1).to_bytes(
            4, "little"
        )
    low = (random & 0xFFF) - ((random & 0x800) << 1)  # mv a0, a1; mv a1, a2; lui t0; jr low(t0)
    high = (random - low) & 0xFFFFF000
    words = (0x00058513, 0x00060593, high | 0x2B7, (low & 0xFFF) << 20 | 0x28067)
    return b"".join(one.to_bytes(4, "little") for one in words)


def _image(build_: SignBuild) -> Image:
    target = find_target(build_.target)
    config = resolve(CURVES[build_.curve], build_.preset, dict(build_.sets), target.backend)
    parts = make_parts(config, build_.curve, ["sign"], {})
    toolchain = find_toolchain(build_.toolchain, target.arch, target.core, build_.opt)
    wanted = (f"ecfit_{build_.curve}_{build_.function}", "bench_random")
    parts = type(parts)(
        **{name: getattr(parts, name) for name in parts.__struct_fields__}
        | {"roots": (*parts.roots, *wanted), "identity": [*parts.identity, *wanted]}
    )
    request = Request(target, config, build_.curve, ("sign",), toolchain, parts)
    return Store().made_image(request.key, lambda: build(request))
