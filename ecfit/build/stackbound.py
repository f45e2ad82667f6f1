"""A bound of the stack from the compiler's call graph (toolchain.CALL_GRAPH), before anything runs.

Functions that no compiler of ours has seen (libgcc, libc, assembly) are read as instructions.
A pointer that one of these calls through is to those whose address one of them takes by ADR.
What a bound leaves out is said: calls through pointers, recursion, stack that grows with a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ecfit.build.elf import Elf
from ecfit.model import (
    DEEPER,
    GROWS,
    LABEL,
    POINTER,
    RECURSION,
    UNKNOWN,
    Frame,
    StackBound,
    Symbol,
)
from ecfit.paths import LIB

INDIRECT = "__indirect_call"

_NODE = re.compile(r'^node: \{ title: "([^"]*)" label: "((?:[^"\\]|\\.)*)"')
_EDGE = re.compile(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"')
_BYTES = re.compile(r"(\d+) bytes \(([a-z,]+)\)")
_LITERAL = re.compile(r"ldr (r\d), \[pc, #(\w+)\]")
_DECLARED = re.compile(r"/\* void (ecfit_\w+)\((?:(?!\*/).)*?Stack: (\d+) bytes\b", re.DOTALL)
_CHANGE = re.compile(r"(?:add|sub)(?:\.w)? sp, (?:sp, )?([rst]\d+)")  # of SP by a register


def frames(graphs: Iterable[str], elf: Elf, arch: str) -> tuple[Frame, ...]:
    """Every function of the compiler's call graphs, and those outside that they call,
    read from the image.
    """
    by_function: dict[str, Frame] = {}
    calls: dict[str, set[str]] = {}
    for line in (line for graph in graphs for line in graph.splitlines()):
        if node := _NODE.match(line):
            if size := _BYTES.search(node[2]):
                open_ = (GROWS,) if size[2] == "dynamic" else ()
                by_function[node[1]] = Frame(node[1], int(size[1]), (), open_)
        elif edge := _EDGE.match(line):
            calls.setdefault(edge[1], set()).add(edge[2])
    for name, frame in by_function.items():
        targets = calls.get(name, set())
        pointer = (POINTER,) if INDIRECT in targets else ()
        by_function[name] = Frame(
            name, frame.bytes, tuple(sorted(targets - {INDIRECT})), frame.open + pointer
        )
    by_name = {symbol.name: symbol for symbol in elf.functions}
    by_function |= _merged(by_function, elf, arch)
    waiting = sorted(
        {
            callee
            for frame in by_function.values()
            for callee in frame.calls
            if callee not in by_function
        }
    )
    read: set[str] = set()
    aimed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in by_function:
            continue
        if name in by_name:
            by_function[name], taken = _read(by_name[name], elf, arch)
            read.add(name)
            aimed |= taken
            waiting += taken
        else:
            by_function[name] = Frame(name, 0, (), (LABEL if name in elf.symbols else UNKNOWN,))
        waiting += by_function[name].calls
    for name in read:
        by_function[name] = _through_pointers(by_function[name], aimed)
    return tuple(by_function[name] for name in sorted(by_function))


def bound(all_frames: Sequence[Frame], root: str, taken: int | None = None) -> StackBound | None:
    """The most stack that a function and all that it calls can need; None when there is no call
    graph. `taken`: bytes that a run took. More than the graph has are assembly inside C, of which
    the compiler knows nothing.
    """
    by_name = {frame.name: frame for frame in all_frames}
    if root not in by_name:
        return None
    open_: dict[str, None] = {}
    total = _deepest(by_name, root, {}, [], open_)
    if (taken or 0) > total and not open_:
        open_[f"{root}: {DEEPER}"] = None
    return StackBound(total, tuple(sorted(open_)))


def _deepest(
    by_name: Mapping[str, Frame],
    name: str,
    depths: dict[str, int],
    path: list[str],
    open_: dict[str, None],
) -> int:
    if name in path:
        open_[f"{_short(name)}: {RECURSION}"] = None
        return 0
    if name not in depths:
        frame = by_name[name]
        open_.update(dict.fromkeys(f"{_short(name)}: {reason}" for reason in frame.open))
        below = [_deepest(by_name, callee, depths, [*path, name], open_) for callee in frame.calls]
        depths[name] = frame.bytes + max(below, default=0)
    return depths[name]


def _short(name: str) -> str:
    """Without the file that a static function's name begins with."""
    return name.rpartition(":")[2]


def _merged(by_function: Mapping[str, Frame], elf: Elf, arch: str) -> dict[str, Frame]:
    """Frames that call a function of which the image has only its equal (gcc keeps one of several
    functions with equal code, `-fipa-icf`): with the calls that their instructions make.
    """
    there = {symbol.name: symbol for symbol in elf.functions}
    names = {*by_function, *there, *elf.symbols}
    same: dict[str, set[str]] = {}
    for name in by_function:
        same.setdefault(_short(name), set()).add(name)
    frames_: dict[str, Frame] = {}
    for name, frame in by_function.items():
        if _short(name) in there and not names.issuperset(frame.calls):
            callees = _read(there[_short(name)], elf, arch)[0].calls
            calls = {callee for callee in frame.calls if callee in names}
            calls = calls.union(*(same.get(callee, {callee}) for callee in callees))
            frames_[name] = Frame(name, frame.bytes, tuple(sorted(calls)), frame.open)
    return frames_


def _through_pointers(frame: Frame, aimed: set[str]) -> Frame:
    """A function that was read, with what it may call through a pointer, where any is known."""
    if POINTER not in frame.open or not aimed:
        return frame
    rest = tuple(reason for reason in frame.open if reason != POINTER)
    return Frame(frame.name, frame.bytes, tuple(sorted({*frame.calls, *aimed})), rest)


def _read(symbol: Symbol, elf: Elf, arch: str) -> tuple[Frame, set[str]]:
    """A function from its instructions: the sum of all that it takes off the stack pointer,
    and whom it calls; and whose address it takes.
    """
    names = elf.names
    after = next((start for start in names if start > symbol.address), symbol.address)
    end = symbol.address + (symbol.size or after - symbol.address)
    taken = 0
    calls: set[str] = set()
    open_: set[str] = set()
    aimed: set[str] = set()
    literals: dict[str, int] = {}  # in registers: gcc adds large ones to SP
    moves: list[tuple[int, int]] = []  # where SP is moved down, or up
    for instruction in _instructions(
        elf.code(symbol.address, end - symbol.address), symbol.address, arch
    ):
        size, target, pointer = (_thumb if arch != "rv32" else _rv32)(instruction)
        taken += size
        moves.append((instruction.address, size or -_given_back(instruction)))
        first = target if target is not None and target <= instruction.address else end
        if first >= symbol.address and sum(move for at, move in moves if at >= first) > 0:
            open_.add(GROWS)  # a loop moves SP down
        text = f"{instruction.mnemonic} {instruction.op_str}"
        if load := _LITERAL.fullmatch(text):
            place = (instruction.address + 4 & ~3) + int(load[2], 0)
            literals[load[1]] = int.from_bytes(elf.code(place, 4), "little", signed=True)
        elif (change := _CHANGE.fullmatch(text)) and change[1] in literals:
            taken += max(0, -literals[change[1]])
        elif change and not literals:  # with one, this is the end that gives the bytes back
            open_.add(GROWS)
        if target is not None and not symbol.address <= target < end:
            (calls if target in names else open_).add(names.get(target, LABEL))
        if pointer:
            open_.add(POINTER)
        if instruction.mnemonic == "adr":
            place = (instruction.address + 4 & ~3) + _number(instruction.op_str.rpartition(",")[2])
            aimed |= {names[place]} if place in names else set()
    if GROWS in open_ and symbol.name in declared_stacks(arch):
        taken = declared_stacks(arch)[symbol.name]
        open_.remove(GROWS)
    return Frame(symbol.name, taken, tuple(sorted(calls)), tuple(sorted(open_))), aimed


@cache
def declared_stacks(arch: str) -> dict[str, int]:
    """What the assembly of this library says of its stack in bytes, by function: for those that
    move SP down in a loop. Tests compare it with what a run takes.
    """
    stacks: dict[str, int] = {}
    for path in (LIB / "src").rglob("*.S"):
        if ("armv6m" in path.parts) == (arch == "armv6m"):
            for name, size in _DECLARED.findall(path.read_text(encoding="utf-8")):
                stacks[name] = max(stacks.get(name, 0), int(size))
    return stacks


def _given_back(instruction: Instruction) -> int:
    """Bytes by which an instruction of Arm moves SP up."""
    name, operands = instruction.mnemonic.removesuffix(".w"), instruction.op_str
    if name == "pop" or (name == "ldm" and operands.startswith("sp!")):
        return 4 * int(operands.count(",") + 1 - operands.startswith("sp!"))
    moved = re.fullmatch(r"sp, (?:sp, )?#(\w+)", operands) if name in ("add", "addw") else None
    return int(moved[1], 0) if moved else 0


class Instruction(NamedTuple):
    """An instruction as it is read."""

    address: int
    size: int
    mnemonic: str
    op_str: str


@cache
def _reader(arch: str) -> Any:
    import capstone

    if arch == "rv32":
        machine = capstone.Cs(
            capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC
        )
    else:
        machine = capstone.Cs(
            capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS
        )
    machine.skipdata = True
    return machine


def _instructions(code: bytes, address: int, arch: str) -> list[Instruction]:
    return [Instruction(*each) for each in _reader(arch).disasm_lite(code, address)]


def _number(text: str) -> int:
    return int(text.strip().lstrip("#"), 0)


def _thumb(instruction: Instruction) -> tuple[int, int | None, bool]:
    """Bytes that an instruction takes off SP, where it branches to,
    and whether that is through a pointer.
    """
    name, operands = instruction.mnemonic.removesuffix(".w"), instruction.op_str
    if name in ("push", "vpush") or (name == "stmdb" and operands.startswith("sp!")):
        registers = operands[operands.index("{") + 1 : operands.index("}")].split(",")
        return (
            sum(8 if register.strip().startswith("d") else 4 for register in registers),
            None,
            False,
        )
    if name in ("sub", "subw", "sub.w") and operands.startswith("sp,") and "#" in operands:
        return _number(operands.rpartition(",")[2].strip()), None, False
    if stored := re.search(r"\[sp, #-(0x[0-9a-f]+|\d+)\]!", operands):
        return _number(stored[1]), None, False
    if name in ("blx", "bx") and operands not in ("lr",):
        return (0, _number(operands), False) if operands.startswith("#") else (0, None, True)
    if re.fullmatch(
        r"b(l|eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?", name
    ) and operands.startswith("#"):
        return 0, _number(operands), False
    return 0, None, False


def _rv32(instruction: Instruction) -> tuple[int, int | None, bool]:
    """The same for RISC-V."""
    name, operands = instruction.mnemonic, [part.strip() for part in instruction.op_str.split(",")]
    if name in ("addi", "c.addi", "c.addi16sp") and operands[0] == "sp":
        return max(0, -_number(operands[-1])), None, False
    if name in ("jal", "j", "c.jal", "c.j"):
        return 0, instruction.address + _number(operands[-1]), False
    if (
        name in ("jalr", "jr", "c.jr", "c.jalr")
        and operands[0] != "ra"
        and "ra" not in operands[-1:]
    ):
        return 0, None, True
    return 0, None, False
