"""Calls a function of a foreign program: its arguments put in place, its run counted,
its secrets followed.

Nothing of the program runs but that function and what it calls. Every call starts
from the memory that start-up code would leave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

import msgspec

from ecfit.build.foreign import Program, outside, with_lines
from ecfit.build.toolchain import RV32_BITS
from ecfit.choices.targets import Memory, Mode, Target
from ecfit.errors import UsageError
from ecfit.model import Image, Leak
from ecfit.run import leaks
from ecfit.run.basis import cycle_model, flash_timing
from ecfit.run.job import function_at
from ecfit.sim.machine import Machine, Region, RunResult, SimError

RETURNED = 1  # BKPT number of the return address
BREAK = {"armv6m": b"\x01\xbe", "armv7m": b"\x01\xbe", "rv32": b"\x73\x00\x10\x00\x13\x50\x10\x40"}
PC = {"armv6m": 15, "armv7m": 15, "rv32": 32}
GLOBAL_POINTER = 3  # x3
RESULT_HIGH = {"armv6m": 1, "armv7m": 1, "rv32": 11}  # r1, a1
ALIGN = 16
GUARD = b"\xa5" * ALIGN  # behind each buffer
LEAST_STACK = 64  # bytes: with less there is no call
MOST_SECRETS = 8  # labels of the simulator
UNUSED_VALUE = "0xecf0"  # how the patterns begin that registers hold


class Argument(msgspec.Struct, frozen=True):
    """An argument, or what is put into a variable. `text`: as the user wrote it.

    integer, long: `value`, of 32 or 64 bits; bytes: a pointer to `data`; buffer: likewise to so
    many zeros, which are shown afterwards; symbol: the address of `name`; call: what that function
    returns.
    """

    text: str
    kind: Literal["integer", "long", "bytes", "buffer", "symbol", "call"]
    value: int = 0
    data: bytes = b""
    secret: bool = False
    name: str = ""


class Call(msgspec.Struct, frozen=True):
    """What to call and how. `puts`: variables to be written before; `shows`: variables to be shown
    afterwards, with their sizes; `before`: functions that are called first, not counted;
    `maps`: further memory, filled with zeros. `runs`: so many, each but the first with
    random secrets made from `seed`. `limit`: instructions of a run.
    """

    function: str
    arguments: tuple[Argument, ...] = ()
    puts: tuple[tuple[str, Argument], ...] = ()
    shows: tuple[tuple[str, int | None], ...] = ()
    before: tuple[str, ...] = ()
    maps: tuple[tuple[int, int], ...] = ()
    runs: int = 1
    seed: int = 1
    limit: int = 2_000_000_000

    @property
    def secrets(self) -> list[str]:
        """The names of what is secret; label n is the bit n."""
        named = [f"argument {n}" for n, argument in enumerate(self.arguments, 1) if argument.secret]
        return named + [name for name, argument in self.puts if argument.secret]

    @property
    def names(self) -> list[str]:
        """The function, then all else of the program that the call names."""
        named = [argument.name for argument in self.arguments if argument.name]
        return [self.function, *self.before, *named, *(n for n, _ in (*self.puts, *self.shows))]


class Outcome(msgspec.Struct, frozen=True):
    """The results: one figure per run. The outputs are of the first run, in the order of arguments
    and variables. `result_high`: what the second register of a result holds. `leaks` is None if
    there is no secret.
    """

    status: str = "ok"
    detail: str | None = None
    result: int | None = None
    result_high: int | None = None
    cycles: tuple[int, ...] = ()
    instructions: tuple[int, ...] = ()
    trace_hashes: tuple[str, ...] = ()
    stack_bytes: int | None = None
    outputs: dict[str, bytes] = {}
    leaks: tuple[Leak, ...] | None = None


class _FailureError(Exception):
    def __init__(self, status: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


class _Room(NamedTuple):
    """Where things are: the stack from `sp` down to `limit`, the return address,
    and buffers with their sizes by argument number.
    """

    sp: int
    limit: int
    back: int
    buffers: dict[int, int]


def call(program: Program, target: Target, mode: Mode | None, what: Call) -> Outcome:
    """Calls the function. A run that fails is an outcome with its status. Errors: UsageError."""
    memory = [*target.memory, *_mapped(what, target)]
    if complaint := outside(program, memory):
        raise UsageError(
            f"{complaint} on {target.name}: choose the target that it was linked for, "
            "or say with --flash-at and --ram-at where this one's memory begins"
        )
    if len(what.secrets) > MOST_SECRETS:
        raise UsageError(f"at most {MOST_SECRETS} secrets are told apart")
    done: list[tuple[RunResult, _Room]] = []
    outputs: dict[str, bytes] = {}
    findings: tuple[Leak, ...] | None = None
    high: int | None = None
    try:
        room = _room(program, target, memory, what)
        for number in range(what.runs):
            with _machine(program, target, mode, memory) as machine:
                try:
                    varied = _varied(what, number)
                    result = _run(machine, program, target, varied, room, taint=False)
                    if number == 0:
                        high = machine.register(RESULT_HIGH[target.arch])
                finally:  # a run that fails has them too
                    if number == 0:
                        outputs = _outputs(machine, program, what, room)
            done.append((result, room))
        if what.secrets:
            with _machine(program, target, mode, memory) as machine:
                machine.functions([function.address for function in program.image.functions])
                followed = _run(machine, program, target, what, room, taint=True)
            findings = leaks.named(
                with_lines(program), [leaks.Seen(followed.findings)], what.secrets
            )
    except _FailureError as failure:
        other = " (with a random secret of --n: does the function take every value?)"
        other = other if 0 < len(done) < what.runs else ""
        return Outcome(failure.status, failure.detail + other, outputs=outputs)
    except SimError as error:
        return Outcome("fault: image refused", str(error))
    return Outcome(
        result=done[0][0].result,
        result_high=high,
        cycles=tuple(result.cycles for result, _ in done),
        instructions=tuple(result.instructions for result, _ in done),
        trace_hashes=tuple(result.trace_hash for result, _ in done),
        stack_bytes=max(room.sp - result.stack_low for result, room in done),
        outputs=outputs,
        leaks=findings,
    )


def _mapped(what: Call, target: Target) -> list[Memory]:
    """Errors: UsageError where such memory is where there is some already."""
    mapped: list[Memory] = []
    for start, size in what.maps:
        for region in (*target.memory, *mapped):
            if start < region.start + region.size and region.start < start + size:
                raise UsageError(f"--map 0x{start:08x}: {region.name} of {target.name} is there")
        mapped.append(Memory(f"mapped at 0x{start:08x}", "ram", start, size, "--map"))
    return mapped


def _machine(
    program: Program, target: Target, mode: Mode | None, memory: Sequence[Memory]
) -> Machine:
    regions = [Region(m.name, m.start, m.size, m.kind, m.latency) for m in memory]
    machine = Machine(cycle_model(target), regions, flash_timing(mode))
    for m in memory:
        if m.source == "--map":
            machine.load(m.start, bytes(m.size))
    in_memory = [(m.start, m.start + m.size) for m in memory]
    for piece in program.pieces:  # the sources first: what runs wins where both are one place
        if any(
            low <= piece.source and piece.source + len(piece.data) <= high
            for low, high in in_memory
        ):
            machine.load(piece.source, piece.data)
    for piece in program.pieces:
        machine.load(piece.address, piece.data + bytes(piece.size - len(piece.data)))
    if program.global_pointer is not None:
        machine.set_register(GLOBAL_POINTER, program.global_pointer)
    return machine


def _gaps(program: Program, memory: Memory) -> Iterator[tuple[int, int]]:
    """The parts of a memory where nothing of a program is: first and last address."""
    taken = [(p.address, p.size) for p in program.pieces]
    taken += [(p.source, len(p.data)) for p in program.pieces if p.source != p.address]
    end, at = memory.start + memory.size, memory.start
    for start, size in sorted(taken):
        if memory.start <= start < end:
            if start > at:
                yield at, start
            at = max(at, start + size)
    if at < end:
        yield at, end


def _room(program: Program, target: Target, memory: Sequence[Memory], what: Call) -> _Room:
    """Buffers at the top of the largest free part of RAM, the stack below them,
    the return address in free flash, or above the buffers. Errors: UsageError.
    """
    gaps = [gap for m in target.memory if m.kind == "ram" for gap in _gaps(program, m)]
    low, high = max(gaps, key=lambda gap: gap[1] - gap[0], default=(0, 0))
    back = next(
        (
            -(-end_low // ALIGN) * ALIGN
            for m in target.memory
            if m.kind == "flash"
            for end_low, end_high in reversed(list(_gaps(program, m)))
            if end_high - end_low >= 2 * ALIGN
        ),
        high // ALIGN * ALIGN - ALIGN,
    )
    at = (back if low <= back < high else high) // ALIGN * ALIGN
    buffers = {}
    for number, argument in enumerate(what.arguments, 1):
        if argument.kind in ("bytes", "buffer"):
            at -= -(-len(argument.data) // ALIGN) * ALIGN + ALIGN
            buffers[number] = at
    if at - low < LEAST_STACK:
        raise UsageError(
            f"{target.name} has no room for these arguments and a stack: "
            f"{high - low} bytes of RAM are free"
        )
    return _Room(at, low, back, buffers)


def _varied(what: Call, number: int) -> Call:
    """The call with other secrets: random ones of the same size; the first is as it is given."""
    if number == 0:
        return what

    def other(place: str, argument: Argument) -> Argument:
        if not argument.secret:
            return argument
        seed = f"{what.seed} {number} {place}".encode()
        return msgspec.structs.replace(
            argument, data=hashlib.shake_256(seed).digest(len(argument.data))
        )

    return msgspec.structs.replace(
        what,
        arguments=tuple(other(f"argument {n}", a) for n, a in enumerate(what.arguments)),
        puts=tuple((name, other(name, a)) for name, a in what.puts),
    )


def _run(
    machine: Machine, program: Program, target: Target, what: Call, room: _Room, *, taint: bool
) -> RunResult:
    """One run, from the functions that are called before to the end. Errors: _FailureError."""
    machine.load(room.back, BREAK[target.arch])

    def started(name: str, words: Sequence[int], *, follow: bool = False) -> RunResult:
        entry = program.entry(name) & ~1
        result = machine.call(
            entry, words, sp=room.sp, return_to=room.back, limit=what.limit, taint=follow
        )
        if result.stack_low < room.limit:  # what it did afterwards is of no account
            raise _FailureError(
                "stack overflow into data",
                f"{name} needs at least {room.limit - result.stack_low} bytes of stack more "
                f"than {target.name} has free, or does not end",
            )
        _expect(machine, program, target, result, name)
        return result

    for name in what.before:
        started(name, ())
    words = _words(program, target, what, room, lambda name: started(name, ()).result)
    label = 0
    for number, argument in enumerate(what.arguments, 1):
        if number in room.buffers:
            machine.write(room.buffers[number], argument.data)
            machine.write(room.buffers[number] + len(argument.data), GUARD)
            if taint and argument.secret:
                machine.secret(room.buffers[number], len(argument.data), 1 << label)
                label += 1
    for name, argument in what.puts:
        address, size = program.place(name)
        if size and len(argument.data) > size:
            raise UsageError(f"--put {name}: {len(argument.data)} bytes, the variable has {size}")
        machine.write(address, argument.data)
        if taint and argument.secret:
            machine.secret(address, len(argument.data), 1 << label)
            label += 1
    result = started(what.function, words, follow=taint)
    for number, argument in enumerate(what.arguments, 1):
        if number in room.buffers:
            behind = room.buffers[number] + len(argument.data)
            if machine.read(behind, len(GUARD)) != GUARD:
                detail = f"{what.function} writes behind the {len(argument.data)} bytes of argument"
                raise _FailureError("buffer overrun", f"{detail} {number}: {argument.text[:40]}")
    return result


def _words(
    program: Program, target: Target, what: Call, room: _Room, returned: Callable[[str], int]
) -> list[int]:
    """The arguments as words. A 64-bit one begins at an even word on Arm."""
    words: list[int] = []
    for number, argument in enumerate(what.arguments, 1):
        if argument.kind == "long":
            if target.arch != "rv32" and len(words) % 2:
                words.append(0)
            words += [argument.value & 0xFFFFFFFF, argument.value >> 32 & 0xFFFFFFFF]
        elif argument.kind == "call":
            words.append(returned(argument.name))
        elif argument.kind == "symbol":
            is_variable = argument.name in program.objects
            words.append(
                program.place(argument.name)[0] if is_variable else program.entry(argument.name)
            )
        else:
            words.append(room.buffers.get(number, argument.value & 0xFFFFFFFF))
    return words


def _outputs(machine: Machine, program: Program, what: Call, room: _Room) -> dict[str, bytes]:
    """What stands in the buffers, in bytes that have changed, and in the variables asked for."""
    shown = {}
    for number, address in room.buffers.items():
        argument = what.arguments[number - 1]
        data = machine.read(address, len(argument.data))
        if argument.kind == "buffer" or data != argument.data:
            shown[f"argument {number}"] = data
    for name, size in what.shows:
        address, whole = program.place(name)
        shown[name] = machine.read(address, whole if size is None else size)
    return shown


def _expect(
    machine: Machine, program: Program, target: Target, result: RunResult, name: str
) -> None:
    """Errors: _FailureError, which says what the function needs that is not there."""
    if result.stop == "bkpt" and result.bkpt == RETURNED:
        return
    image = with_lines(program)
    pc = machine.register(PC[target.arch])
    if result.stop == "limit":
        detail = f"{name} did not end within {result.instructions} instructions (--limit): then"
        raise _FailureError("endless loop", f"{detail} it was in {_where(image, pc)}")
    if result.fault is None:
        detail = f"{name} stopped at breakpoint {result.bkpt} in {_where(image, pc)}: a debugger's "
        detail += "or semihosting's service, which is not there"
        raise _FailureError("needs a debugger", detail)
    kind, address = result.fault.kind, result.fault.address
    where = f"{name}: {kind.strip(',')} 0x{address:08x} in {_where(image, result.fault.pc)}"
    if address < ALIGN * ALIGN and kind not in ("undefined instruction", "supervisor call"):
        advice = "a pointer that is not set: by start-up (--before), by the caller (--put)?"
        raise _FailureError("needs start-up", f"{where}: {advice}")
    if f"0x{address:08x}".startswith(UNUSED_VALUE):
        advice = "an argument is missing? Registers without one hold 0xecf000.."
        raise _FailureError("needs an argument", f"{where}: {advice}")
    if "peripheral" in kind or "outside memory" in kind:
        advice = "core and memory are there, nothing else"
        advice += f"; plain memory in its place: --map 0x{address & ~0xFFF:08x}+4KiB"
        raise _FailureError("needs a peripheral", f"{where}: {advice}")
    if "undefined" in kind or "not modelled" in kind:
        advice = f"was it built for {target.core}?"
        if target.arch.startswith("rv32"):
            model = cycle_model(target)
            march = RV32_BITS if model.bits else "rv32ec" if model.rv32e else "rv32imc"
            advice = f"compile it with -march={march}, since no other extension is modelled"
        where += f": {advice}"
    raise _FailureError(f"fault: {kind}", where)


def _where(image: Image, address: int) -> str:
    return place(function_at(image, address), leaks.source_at(image.lines, address))


def place(function: str, source: str | None) -> str:
    """A place in words: function, and file:line without the folders of who built it."""
    return f"{function} ({PurePosixPath(source).name})" if source else function
