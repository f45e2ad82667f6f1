"""Faults on the simulator: in a run of a verification one thing goes wrong once,
and the run goes on.

Two fault models: an instruction is left out;
or an instruction reads a register (the flags are one) as zero, which holds its
value again afterwards. Which signature is wrong in which way,
and what the registers and the stack held before: lib_forgeries.

A whole run for each fault would take days. A rig keeps the state at a point of a run and puts it
back for each fault there; and where a
faulted run enters a heavy function with the registers and the memory of an earlier one,
it ends as that one did. That
is exact: a run depends on nothing else. Memory below the stack pointer is left out,
where nothing of value is.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.measure.store import Store
from ecfit.model import Image, Symbol
from ecfit.sim.machine import Region, load_model
from ecfit.sim.state import State, StoppableMachine
from workshop.library.images import ARENA_OUT
from workshop.rigs.forgeries import Forgery, forgeries

# The functions that decide: verification itself, the last comparison,
# conversions and checks of inputs.
DECIDING = (
    "verify",
    "mul_check",
    "mul_x_is",
    "mp_is_some",
    "mp_is_zero",
    "mp_equal",
    "sc_from",
    "pt_from",
    "pt_coordinate",
    "mp_from_bytes",
    "mp_from_little",
    "pt_decode",
    "pt_encode",
    "bytes_",
    "sc_no_dom",
    "sc_dom",
)
HEAVY = (
    "mul_check",
    "mul_two",
    "mod_inv",
    "mul_point",
    "mul_strauss",
    "sha512_sum",
    "shake256_",
    "keccak",
    "fe_inv",
)
VERIFIED = 0xA53C965A  # ECFIT_VERIFIED
# Functions of firmware/ that call several of the library, or what gives no verdict: the operation,
# and which functions decide beside DECIDING. The callers themselves are not attacked.
HASHING = ("sha512_next", "sha512_end", "sha512_first")
CALLERS = {
    "verify_parts": ("verify_parts", HASHING),
    "verify_parts_twice": ("verify_parts", HASHING),
    "recover_key": ("recover_key", ("recover",)),
    "verify_schnorr": ("verify_schnorr", ("recover", "sc_challenge", "sc_tagged")),
}


class Build(NamedTuple):
    """What is attacked."""

    target: str
    toolchain: str
    opt: str
    curve: str
    preset: str
    function: str
    sets: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        line = f"{self.target} {self.toolchain} {self.opt} {self.curve} {self.preset}"
        return f"{line} {self.function}" if self.function in CALLERS else line

    @property
    def success(self) -> int:
        """What it returns for a valid signature; what calls recovery compares the key."""
        return VERIFIED if "hardened" in self.function else 0


class Fault(NamedTuple):
    """One fault: where, at which time, and of what kind: "skip",
    or the register that reads as zero.
    """

    function: str
    pc: int
    hit: int
    kind: str


class Point(NamedTuple):
    """An instruction about to be executed: its address, for how many times now,
    and the state before it.

    `outside`: of one in a heavy function, which returns to a breakpoint instead:
    where it would return to, and its stack pointer then.
    """

    pc: int
    hit: int
    state: State
    outside: tuple[int, int] | None = None


class Found(NamedTuple):
    """The answers of faulted runs: how many faults were tried, and those that were accepted."""

    tried: Counter[str]
    accepted: list[Fault]


class Rig:
    """A verification on a chip that can be stopped, changed and continued."""

    def __init__(self, build_: Build) -> None:
        self.target = find_target(build_.target)
        self.build = build_
        self.image = _image(build_)
        self.ram = next(memory for memory in self.target.memory if memory.kind == "ram")
        regions = [Region(m.name, m.start, m.size, m.kind) for m in self.target.memory]
        model = load_model(self.target.model or "", **self.target.model_options)
        self.machine = StoppableMachine(model, regions, None)
        self.arm = self.target.arch != "rv32"
        self.code = max(self.image.segments, key=lambda segment: len(segment.data))
        for segment in self.image.segments:
            self.machine.load(segment.address, segment.data)
        self.wanted = b""  # the public key of the last forgery
        name = f"ecfit_{build_.curve}_{build_.function}"
        if build_.function in CALLERS:
            name = f"bench_{build_.function}"
        self.function = self.image.symbols[name] & ~1
        ready = self.machine.reset(self.target.region("flash").start, limit=10**6)
        assert ready.stop == "bkpt", ready
        symbols = self.image.symbols
        self.back, self.stack = symbols["bench_return"] & ~1, symbols["image_stack_top"]
        self.low = symbols["image_stack_limit"]
        self.registers = tuple(range(15)) if self.arm else tuple(range(1, 32))
        self.flags = (16,) if self.arm else ()
        self.saved = range(4, 12) if self.arm else (8, 9, *range(18, 28))
        self.sp, self.link, self.argument = (13, 14, 0) if self.arm else (2, 1, 10)
        self.deciding = self.functions(*DECIDING, *CALLERS.get(build_.function, ("", ()))[1])
        self.heavy = {one.address for one in self.functions(*HEAVY)}
        self.outer = [one for one in self.deciding if one.address not in self.heavy]
        self.forgeries = forgeries(build_.curve, build_.function)
        self.instructions = 0  # of a whole run
        self.known: dict[bytes, int | None] = {}
        self.outside: tuple[int, int] | None = None

    def begin(self, forgery: Forgery) -> State:
        """The state at the first instruction of a verification of these arguments."""
        arena, machine = self.image.symbols["bench_arena"], self.machine
        is_recovery = self.build.function == "recover_key"
        self.wanted = forgery.public
        parts = (forgery.signature, b"" if is_recovery else forgery.public, forgery.message)
        machine.write(arena, b"".join(parts))
        at = [arena, arena + len(parts[0]), arena + len(parts[0]) + len(parts[1]), len(parts[2])]
        word = forgery.fill
        if isinstance(word, tuple):
            word = at[("signature", "public", "message").index(word[0])] + word[1]
        if word is not None:
            machine.write(self.low, word.to_bytes(4, "little") * ((self.stack - self.low) // 4))
        if self.build.function in CALLERS:
            at = [arena + ARENA_OUT, arena]
        machine.call(self.function, at, sp=self.stack, return_to=self.back, limit=0)
        for register in self.saved if word is not None else ():
            machine.set_register(register, word or 0)
        return machine.save()

    def whole(self, forgery: Forgery) -> int | None:
        """The result of an undisturbed run."""
        self.machine.restore(self.begin(forgery))
        self.machine.on(10**9)
        ended = self._answer()
        self.instructions = self.machine.executed
        return ended

    def functions(self, *parts: str) -> list[Symbol]:
        """The functions of the library whose name contains one of these texts."""
        return [
            one
            for one in self.image.functions
            if one.size
            and not one.name.startswith("bench_")
            and any(part in one.name for part in parts)
        ]

    def attack(
        self,
        forgery: Forgery,
        success: int,
        *,
        step: int = 1,
        functions: list[Symbol] | None = None,
        zeros: bool = True,
    ) -> Found:
        """Every fault at every `step`-th point of what decides; `success`:
        what the function returns for a valid signature.
        """
        tried: Counter[str] = Counter()
        accepted = []
        self.known.clear()
        for number, point in enumerate(self.points(forgery, functions or self.deciding)):
            if number % step:
                continue
            for kind, answer in self.faulted(point, zeros=zeros):
                tried["skip" if kind == "skip" else "zero"] += 1
                if answer == success:
                    accepted.append(Fault(self.name(point.pc), point.pc, point.hit, kind))
        return Found(tried, accepted)

    def name(self, pc: int) -> str:
        """The function there."""
        for one in self.image.functions:
            if one.address <= pc < one.address + one.size:
                return one.name
        return hex(pc)

    def faulted(self, point: Point, *, zeros: bool = True) -> Iterator[tuple[str, int | None]]:
        """The results with each fault at this point that changes anything."""
        yield "skip", self.skipped(point)
        if not zeros:
            return
        self.machine.restore(point.state)
        before = self._registers()
        self.machine.on(1)
        if self.machine.stopped:
            return
        after, pc, memory = self._registers(), self.machine.pc, self._memory()
        for register in (*self.registers, *self.flags):
            if before[register] == 0:
                continue
            self.machine.restore(point.state)
            self.machine.set_register(register, 0)
            alive = self.machine.on(1)
            now = self._registers()
            if now[register] == 0 and after[register] == before[register]:
                self.machine.set_register(register, before[register])  # it was read only
                now[register] = before[register]
            if alive and now == after and self.machine.pc == pc and self._memory() == memory:
                continue  # not read, or to no effect
            yield f"r{register}", self.finish(point.outside)

    def skipped(self, point: Point) -> int | None:
        """The result when this instruction is left out."""
        machine = self.machine
        machine.restore(point.state)
        half = self.code_at(point.pc)
        is_it = self.arm and half >> 8 == 0xBF and half & 15 != 0
        if is_it:  # what was decoded in its block keeps the conditions
            machine.load(self.code.address, self.code.data)
        machine.pc = point.pc + self.size_of(half)
        answer = self.finish(point.outside)
        if is_it:
            machine.load(self.code.address, self.code.data)
            self.known.clear()
        return answer

    def points(self, forgery: Forgery, functions: list[Symbol]) -> Iterator[Point]:
        """The instructions of these functions in a run. A run of a valid signature comes before:
        what it left is there.
        """
        totals = Counter(pc for pc, _ in self._stops(forgery, functions))
        inner = {
            pc
            for one in functions
            if one.address in self.heavy
            for pc in range(one.address, one.address + one.size, 2)
        }
        for pc, hit in self._stops(forgery, functions):
            outside = self.outside
            total = totals[pc]
            between = {2, total // 2, total // 2 + 1, total - 1} if pc not in inner else set[int]()
            if hit in {1, total, *between}:
                here = self.machine.save()
                yield Point(pc, hit, here, outside)
                self.machine.restore(here)

    def moments(self, forgery: Forgery, count: int) -> Iterator[Point]:
        """`count` instructions all over a run, whatever function they are in, evenly spread."""
        self.whole(self.forgeries["valid"])
        start = self.begin(forgery)
        for number in range(count):
            self.machine.restore(start)
            self.machine.on(1 + self.instructions * (2 * number + 1) // (2 * count))
            yield Point(self.machine.pc, number, self.machine.save())

    def _stops(self, forgery: Forgery, functions: list[Symbol]) -> Iterator[tuple[int, int]]:
        """Address and how often it was reached, at each instruction of these functions;
        the machine stands before it.
        """
        self.whole(self.forgeries["valid"])
        self.machine.restore(self.begin(forgery))
        ranges = [(one.address, one.size) for one in functions]
        seen: Counter[int] = Counter()
        self.outside = None
        while True:
            pc = self.machine.pc
            if pc in self.heavy and self.outside is None:
                self.outside = (self._divert(), self.machine.register(self.sp))
            if any(pc - start < size and pc >= start for start, size in ranges):
                seen[pc] += 1
                yield pc, seen[pc]
            if not self.machine.on_to(ranges, 10**9) and not self._return_to(self.outside):
                return
            if self.machine.pc == (self.outside or (None,))[0]:
                self.outside = None

    def _divert(self) -> int:
        """The function that begins here will return to a breakpoint; where it would have."""
        link = self.machine.register(self.link)
        self.machine.set_register(self.link, self.back | self.arm)
        return link & ~1

    def _return_to(self, outside: tuple[int, int] | None) -> bool:
        """Goes on behind a diverted call that has returned; whether it has."""
        machine = self.machine
        if outside is None or not machine.at_breakpoint or machine.pc != self.back:
            return False
        if machine.register(self.sp) != outside[1]:
            return False  # it was not this call that returned
        machine.pc = outside[0]
        return True

    def finish(self, outside: tuple[int, int] | None = None) -> int | None:
        """Runs on; the result, None when the function does not come back (a fault,
        an endless loop).
        """
        machine, keys = self.machine, []
        left = self.instructions * 5 // 4 + 10**4
        entries = [(entry, 2) for entry in self.heavy]
        if outside is not None and not machine.stopped:
            machine.on(left)
            if not self._return_to(outside):
                return self._answer()
        answer = None
        while True:
            alive = machine.on_to(entries, left) if not machine.stopped else False
            if not alive or machine.pc not in self.heavy:
                answer = self._answer()
                break
            keys.append(self._key())
            if keys[-1] in self.known:
                answer = self.known[keys[-1]]
                break
            call = (self._divert(), machine.register(self.sp))
            machine.on(left)  # at full speed; inner heavy functions are part of it
            if not self._return_to(call):
                answer = self._answer()
                break
        for key in keys:
            self.known[key] = answer
        return answer

    def _answer(self) -> int | None:
        """The result of a run that has ended; None when it has not returned."""
        machine = self.machine
        if machine.at_breakpoint and machine.pc == self.back:
            status = machine.register(self.argument)
            if status == 0 and self.build.function == "recover_key":
                out = self.image.symbols["bench_arena"] + ARENA_OUT
                return int(machine.read(out, len(self.wanted)) != self.wanted)
            return status
        return None

    def _registers(self) -> list[int]:
        return [self.machine.register(index) for index in range(17 if self.arm else 32)]

    def _memory(self) -> bytes:
        return self.machine.read(self.ram.start, self.ram.size)

    def _key(self) -> bytes:
        """All that the rest of the run depends on."""
        registers = self._registers()
        memory, low = self._memory(), self.low - self.ram.start
        sp = max(low, min(registers[self.sp] - self.ram.start, self.ram.size))
        text = b"".join(
            value.to_bytes(4, "little")
            for value in (*registers[: 16 if self.arm else 32], self.machine.pc)
        )
        return hashlib.blake2b(memory[:low] + memory[sp:] + text, digest_size=16).digest()

    def code_at(self, pc: int) -> int:
        """The halfword there, as built."""
        offset = pc - self.code.address
        return int.from_bytes(self.code.data[offset : offset + 2], "little")

    def size_of(self, half: int) -> int:
        """Bytes of an instruction that begins with this halfword."""
        if not self.arm:
            return 4 if half & 3 == 3 else 2
        return 4 if half >> 11 in (0b11101, 0b11110, 0b11111) else 2


def _image(build_: Build) -> Image:
    target = find_target(build_.target)
    op = CALLERS.get(build_.function, ("verify", ()))[0]
    curve, sets = CURVES[build_.curve], dict(build_.sets)
    config = resolve(curve, build_.preset, sets, target.backend, ops=[op])
    parts = make_parts(config, build_.curve, [op], {})
    toolchain = find_toolchain(build_.toolchain, target.arch, target.core, build_.opt)
    is_caller = build_.function in CALLERS
    root = f"bench_{build_.function}" if is_caller else f"ecfit_{build_.curve}_{build_.function}"
    parts = type(parts)(
        **{name: getattr(parts, name) for name in parts.__struct_fields__}
        | {"roots": (*parts.roots, root), "identity": [*parts.identity, root]}
    )
    request = Request(target, config, build_.curve, (op,), toolchain, parts)
    return Store().made_image(request.key, lambda: build(request))
