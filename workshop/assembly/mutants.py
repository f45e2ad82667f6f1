"""Mutants of the assembly of a backend, as it is linked for the emulator: one instruction changed.

A mutant loses a carry or a borrow, forces a mask or a choice, or leaves out a conditional
instruction. It keeps the length of the instruction, so that its bytes are all that changes:

- Thumb: ADC and SBC without their carry, and left out; AND, BIC, NEG, MVN, SEL and shifts by 31
  with a constant or an operand as the result; IT, and what stands under it, left out;
- RISC-V: SLTU and its kin as 0 and as 1; sums, differences and unions that take such a carry,
  without it; AND, NEG and shifts by 31 as in Thumb.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import capstone
from capstone import riscv_const
from elftools.elf.elffile import ELFFile

from workshop.assembly.emulated import program
from workshop.assembly.routines import sources

THUMB_NOP, THUMB_NOP_WIDE = 0xBF00, 0x8000F3AF
ALWAYS = 14
RISCV_NOP, RISCV_NOP_SHORT = 0x13, 1
FLAGGED = 1 << 4  # of the first half of a wide Thumb instruction: sets flags
SIGN = 31
CARRIES = {"sltu", "sltiu", "slt", "slti", "snez", "seqz", "sltz", "sgtz"}
JUMPS = {"b", "b.w", "bl", "beq", "beq.w", "bne.w", "bpl.w", "j", "jal", "c.j", "c.jal"}
# What ends a function, or pads behind one; others lead into the next.
ENDS = {"b", "b.w", "bx", "pop", "pop.w", "ldr", "nop", "j", "c.j", "c.jr"}
DEFINED = re.compile(r"^[ \t]+(?:function|inner|entry)[ \t]+(\w+)", re.MULTILINE)


class Mutant(NamedTuple):
    """`number`: of the instruction in its function; `patch`: what stands there instead."""

    backend: str
    function: str
    number: int
    text: str
    change: str
    address: int
    patch: bytes

    @property
    def name(self) -> str:
        """The same as long as the function is."""
        return f"{self.backend} {self.function} {self.number}: {self.text} -> {self.change}"


class Body(NamedTuple):
    """Instructions of a function, its other entries, and what it jumps or leads to outside."""

    name: str
    entries: tuple[str, ...]
    code: tuple[capstone.CsInsn, ...]
    targets: frozenset[str]


@cache
def reader(backend: str) -> capstone.Cs:
    """The disassembler."""
    arch = (capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
    if backend == "rv32im":
        arch = (capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC)
    found = capstone.Cs(*arch)
    found.detail = True
    return found


@cache
def bodies(backend: str) -> dict[str, Body]:
    """Every function of a backend, inner ones too; an entry is part of the one around it."""
    elf: Any = ELFFile(io.BytesIO(program(backend).image))
    table, text = elf.get_section_by_name(".symtab"), elf.get_section_by_name(".text")
    start, data = text["sh_addr"], text.data()
    functions, constants, entries = [], [], []
    for symbol in table.iter_symbols():
        at = symbol["st_value"]
        if symbol.name.startswith("ecfit_") and symbol["st_size"]:
            functions.append((at & ~1, symbol["st_size"], symbol.name))
        elif symbol.name.startswith("ecfit_"):
            entries.append((at & ~1, symbol.name))
        elif symbol.name.startswith("$"):
            constants.append((at, symbol.name.startswith("$d")))
    functions.sort()
    constants.sort()
    found = {}
    for at, size, name in functions:
        ends = [place for place, is_data in constants if is_data and at < place < at + size]
        end = min(ends, default=at + size)
        code = tuple(reader(backend).disasm(data[at - start : end - start], at))
        assert sum(one.size for one in code) == end - at, f"{name}: not all of it was read"
        places = {_target(one) for one in code if one.mnemonic in {*JUMPS, "adr"}}
        if code[-1].mnemonic not in ENDS:
            places.add(end)
        targets = frozenset(
            other
            for first, length, other in functions
            if other != name and any(first <= place < first + length for place in places)
        )
        inside = tuple(other for place, other in entries if at <= place < at + size)
        found[name] = Body(name, inside, code, targets)
    return found


def _target(one: Any) -> int:
    """Where a jump leads, or a computed address is; what has no such operand, nowhere."""
    last = one.operands[-1]
    place = last.imm if last.type == capstone.CS_OP_IMM else -1
    if one.mnemonic == "adr":
        return int((one.address + 4 & ~3) + place)
    relative = one._cs.arch == capstone.CS_ARCH_RISCV
    return int(place + one.address if relative else place)


def own(backend: str) -> list[str]:
    """The functions whose files are in the backend's folders; others are those of another one."""
    names = {name for text in sources(backend).values() for name in DEFINED.findall(text)}
    return [name for name in bodies(backend) if name in names]


def reached(backend: str, name: str) -> list[str]:
    """The functions through which a function is reached, itself first, the nearest ones next."""
    found, every = [name], bodies(backend)
    for one in found:
        inside = every[one].entries if one in every else ()
        callers = [other for other, body in every.items() if one in body.targets]
        found += [other for other in (*inside, *callers) if other not in found]
    return found


def mutants(backend: str, function: str) -> Iterator[Mutant]:
    """All of a function."""
    body = bodies(backend)[function]
    thumb = backend != "rv32im"
    for number, change, patch in (_thumb if thumb else _riscv)(body.code):
        one = body.code[number]
        if patch != bytes(one.bytes):
            text = f"{one.mnemonic} {one.op_str}".strip()
            yield Mutant(backend, function, number, text, change, one.address, patch)


Change = tuple[int, str, bytes]


def _thumb(code: tuple[capstone.CsInsn, ...]) -> Iterator[Change]:
    under = 0  # instructions that an IT still covers
    for i, one in enumerate(code):
        word = int.from_bytes(one.bytes, "little")
        wide = one.size == 4
        nop = THUMB_NOP_WIDE if wide else THUMB_NOP
        changes: list[tuple[str, int]] = []
        if not wide and word >> 8 == 0xBF and word & 15:
            under = 4 - ((word & 15) & -(word & 15)).bit_length() + 1
            changes = [("always", nop)]
        elif under:
            under -= 1
            changes = [("left out", nop)]
        else:
            changes = _wide(word) if wide else _narrow(word)
            if changes:
                changes.append(("left out", nop))
        yield from ((i, what, value.to_bytes(one.size, "little")) for what, value in changes)


def _narrow(word: int) -> list[tuple[str, int]]:
    """Of 16 bits: ADCS, SBCS, ANDS, BICS, NEGS, MVNS, and shifts by 31."""
    d, m = word & 7, word >> 3 & 7
    zero, move = ("0", 0x2000 | d << 8), ("the other", m << 3 | d)
    kind = word >> 6
    if kind == 0x4140 >> 6:
        return [("without carry", 0x1800 | m << 6 | d << 3 | d)]
    if kind == 0x4180 >> 6:
        return [("without carry", 0x1A00 | m << 6 | d << 3 | d)]
    if kind == 0x4000 >> 6:
        return [zero, move]
    if kind in {0x4380 >> 6, 0x4240 >> 6, 0x43C0 >> 6}:
        return [zero]
    if word >> 12 in {0, 1} and word >> 11 in {1, 2} and word >> 6 & 31 == SIGN:
        return [zero]
    return []


def _wide(word: int) -> list[tuple[str, int]]:
    """Of 32 bits: the same, and SEL."""
    first, second = word & 0xFFFF, word >> 16
    n, d, m = first & 15, second >> 8 & 15, second & 15
    flagged = first & FLAGGED
    zero = ("0", 0xF04F | flagged | d << 24)
    ones = ("all ones", 0xF06F | flagged | d << 24)
    moved = ("the first", 0xEA4F | flagged | (d << 8 | n) << 16)
    kind = first >> 5
    register, immediate = kind, 0 if second >> 15 else (first & 0xFBE0) >> 5
    adc, sbc = (
        {0xEB40 >> 5: 0xEB00, 0xEB60 >> 5: 0xEBA0},
        {0xF140 >> 5: 0xF100, 0xF160 >> 5: 0xF1A0},
    )
    if register in adc or immediate in sbc:
        other = adc.get(register) or sbc[immediate] | first & 0x400
        changes = [("without carry", other | flagged | n | second << 16)]
        if register == 0xEB60 >> 5 and n == m and not second & 0x70F0:
            changes += [zero, ones]
        return changes
    if d == 15:
        return []
    if register == 0xEA00 >> 5:
        return [zero, moved, ("the second", 0xEA4F | flagged | second << 16)]
    if immediate == 0xF000 >> 5:
        return [zero, moved, ("the second", 0xF04F | flagged | first & 0x400 | second << 16)]
    if register == 0xEA20 >> 5 or immediate == 0xF020 >> 5:
        return [zero, moved]
    if first & 0xFFF0 == 0xFAA0 and second & 0xF0F0 == 0xF080:
        return [moved, ("the second", 0xEA4F | (d << 8 | m) << 16)]
    shift = second >> 10 & 0x1C | second >> 6 & 3
    if first & 0xFFEF == 0xEA4F and shift == SIGN and second >> 4 & 3 in {1, 2}:
        return [zero, ones] if second >> 4 & 3 == 2 else [zero]
    if immediate == 0xF1C0 >> 5 and not second & 0x70FF and not first & 0x400:
        return [zero, ones]
    return []


def _riscv(code: tuple[capstone.CsInsn, ...]) -> Iterator[Change]:
    carries: set[int] = set()  # registers that hold one
    for i, one in enumerate(code):
        short = one.size == 2
        name = one.mnemonic.removeprefix("c.")
        registers = [
            operand.reg - riscv_const.RISCV_REG_X0 if operand.type == capstone.CS_OP_REG else None
            for operand in one.operands
        ]
        d = registers[0] if registers else None
        if name.startswith(("s", "b", "j", "ret")) and name not in {
            *CARRIES, "sub", "sll", "srl", "sra", "slli", "srli", "srai",
        }:  # fmt: skip
            continue  # writes no register, or is a jump
        if d is None:
            continue
        joined = len(registers) == 2 and name not in {"mv", "neg", "not"}  # d op= a
        some = registers if joined else registers[1:]
        sources = list(dict.fromkeys(r for r in some if r is not None))
        zero = ("0", 0x4001 | d << 7 if short else RISCV_NOP | d << 7)
        ones = ("all ones", 0x507D | d << 7 if short else 0xFFF00013 | d << 7)
        last = one.operands[-1]
        amount = last.imm if last.type == capstone.CS_OP_IMM else None
        changes: list[tuple[str, int]] = []
        becomes = False
        if name in CARRIES:
            changes, becomes = [zero, ("1", 0x00100013 | d << 7)], True
        elif name == "neg" or (name == "sub" and sources and sources[0] == 0):
            changes = [zero, ones]
        elif name in {"and", "andi"}:
            changes = [zero, *_moves(d, sources, short=short)]
        elif name in {"srli", "srai"} and amount == SIGN:
            changes, becomes = [zero], name == "srli"
        elif name in {"add", "sub", "or", "xor"} and carries & set(sources):
            rest = [s for s in sources if s not in carries]
            kept = rest if name != "sub" else sources[:1]
            changes = _moves(d, kept or sources, short=short)
            becomes = not rest
        elif name == "mv":
            becomes = bool(carries & set(sources))
        (carries.add if becomes else carries.discard)(d)
        yield from ((i, what, value.to_bytes(one.size, "little")) for what, value in changes)


def _moves(d: int, sources: list[int], *, short: bool) -> list[tuple[str, int]]:
    """One of the operands as the result."""
    found = []
    for s in sources:
        if s == d:
            found.append(("left out", RISCV_NOP_SHORT if short else RISCV_NOP))
        else:
            move = 0x8002 | d << 7 | s << 2 if short else RISCV_NOP | d << 7 | s << 15
            found.append((f"operand {sources.index(s) + 1}", move))
    return found
