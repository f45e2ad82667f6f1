"""Random RV32IMC programs that run to their end: every format of 32 and of 16 bits,
with addresses that lie in RAM.

x3 holds the middle of RAM and is never written; x2 (sp) walks near it and comes home before each
use; x8 is the base of loads, stores and computed jumps and is set before each; x9 counts loops.
All else is free. Programs are lists of halfwords; they end in EBREAK and the marker of its number.
"""

from __future__ import annotations

import random

from workshop.cores.rv32_oracle import State
from workshop.sim.build import RAM, RAM_SIZE
from workshop.sim.random_items import RandomProgram
from workshop.sim.random_programs import random_word

MIDDLE = RAM + RAM_SIZE // 2
NOP = 0x0001  # C.NOP
_LUI, _AUIPC, _OP_IMM, _OP, _LOAD, _STORE, _BRANCH, _JALR, _JAL = (
    0x37,
    0x17,
    0x13,
    0x33,
    0x03,
    0x23,
    0x63,
    0x67,
    0x6F,
)
_KEPT = frozenset({2, 3})
_MSCRATCH = 0x340


def random_state(rng: random.Random) -> State:
    registers = [random_word(rng) for _ in range(31)]
    registers[2 - 1] = MIDDLE
    registers[3 - 1] = MIDDLE
    return State(tuple(registers))


def word(value: int) -> list[int]:
    """The halfwords of an instruction of 32 bits."""
    return [value & 0xFFFF, value >> 16 & 0xFFFF]


def i_type(opcode: int, funct3: int, rd: int, rs1: int, imm: int) -> list[int]:
    return word((imm & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode)


def r_type(funct7: int, funct3: int, rd: int, rs1: int, rs2: int) -> list[int]:
    return word(funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | _OP)


def s_type(funct3: int, rs1: int, rs2: int, imm: int) -> list[int]:
    return word(
        (imm >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 31) << 7 | _STORE
    )


def b_type(funct3: int, rs1: int, rs2: int, imm: int) -> list[int]:
    high, low = (imm >> 12 & 1) << 6 | imm >> 5 & 63, imm & 0x1E | imm >> 11 & 1
    return word(high << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | low << 7 | _BRANCH)


def jal(rd: int, imm: int) -> list[int]:
    field = (
        (imm >> 20 & 1) << 19 | (imm >> 1 & 0x3FF) << 9 | (imm >> 11 & 1) << 8 | imm >> 12 & 0xFF
    )
    return word(field << 12 | rd << 7 | _JAL)


def c_jump(funct3: int, imm: int) -> int:
    """C.J (5) and C.JAL (1)."""
    bits = (
        (11, 12),
        (4, 11),
        (9, 10),
        (8, 9),
        (10, 8),
        (6, 7),
        (7, 6),
        (3, 5),
        (2, 4),
        (1, 3),
        (5, 2),
    )
    return funct3 << 13 | 1 | sum((imm >> source & 1) << to for source, to in bits)


def c_branch(funct3: int, rs1: int, imm: int) -> int:
    """C.BEQZ (6) and C.BNEZ (7) on x8..x15."""
    bits = ((8, 12), (4, 11), (3, 10), (7, 6), (6, 5), (2, 4), (1, 3), (5, 2))
    return funct3 << 13 | (rs1 - 8) << 7 | 1 | sum((imm >> source & 1) << to for source, to in bits)


# Zba, Zbb, Zbkb and Zbs: funct7 and funct3 of R-type; funct3 and the whole immediate of I-type; and
# of shifts by an immediate, funct7 and funct3.
_BITS_R = (
    *((0x10, 2), (0x10, 4), (0x10, 6), (0x20, 4), (0x20, 6), (0x20, 7)),
    *((5, 4), (5, 5), (5, 6), (5, 7), (0x30, 1), (0x30, 5), (4, 4), (4, 7)),
    *((0x14, 1), (0x24, 1), (0x34, 1), (0x24, 5)),
)
_BITS_I = (
    *((1, 0x08F), (1, 0x600), (1, 0x601), (1, 0x602), (1, 0x604), (1, 0x605)),
    *((5, 0x08F), (5, 0x287), (5, 0x687), (5, 0x698)),
)
_BITS_SHIFT = ((0x30, 5), (0x14, 1), (0x24, 1), (0x34, 1), (0x24, 5))
_AMO = 0x2F
_AMO_OPS = (0, 1, 4, 8, 12, 16, 20, 24, 28)
_PUSH, _POP, _POPRETZ, _POPRET = 0xB802, 0xBA02, 0xBC02, 0xBE02


class Program(RandomProgram):
    """Random instructions of RV32IMC."""

    end = (0x9002, 0x5013, 0x4000)  # C.EBREAK; SRAI x0, x0, 0

    def __init__(
        self, rng: random.Random, *, without: frozenset[str] = frozenset(), bits: bool = False
    ) -> None:
        """``without``: "unaligned" accesses, "fence.i". ``bits``: also of A, Zba, Zbb, Zbs, Zbkb,
        Zcb and Zcmp.
        """
        more = (
            (24, self._bits),
            (12, self._zcb),
            (10, self._atomic),
            (6, self._push_pop),
            (4, self._pop_return),
            (4, self._move_two),
        )
        self._aligned = "unaligned" in without
        self._has_fence_i = "fence.i" not in without
        super().__init__(
            rng,
            (16, self._immediate),
            (18, self._register),
            (12, self._multiply),
            (3, self._upper),
            (30, self._compressed),
            (10, self._load_store),
            (5, self._compressed_load_store),
            (5, self._stack),
            (2, self._stack_pointer),
            (2, self._csr),
            (1, self._fence),
            (7, self._skip),
            (3, self._computed_skip),
            (3, self._loaded_skip),
            (1, self._loop),
            *(more if bits else ()),
        )
        self._in_loop = False

    def _rd(self) -> int:
        """A register that may be written, x0 among them."""
        while (rd := self._rng.randrange(32)) in _KEPT or (self._in_loop and rd == 9):
            pass
        return rd

    def _rd3(self) -> int:
        """Of x8..x15, one that may be written."""
        return self._rng.randrange(10 if self._in_loop else 8, 16)

    def _any(self) -> int:
        return self._rng.randrange(32)

    def _immediate(self) -> list[int]:
        rng, funct3 = self._rng, self._rng.randrange(8)
        if funct3 in (1, 5):
            imm = rng.randrange(32) | (0x400 if funct3 == 5 and rng.random() < 0.5 else 0)
        else:
            imm = rng.getrandbits(12)
        return i_type(_OP_IMM, funct3, self._rd(), self._any(), imm)

    def _register(self) -> list[int]:
        funct3 = self._rng.randrange(8)
        funct7 = 0x20 if funct3 in (0, 5) and self._rng.random() < 0.5 else 0
        return r_type(funct7, funct3, self._rd(), self._any(), self._any())

    def _multiply(self) -> list[int]:
        return r_type(1, self._rng.randrange(8), self._rd(), self._any(), self._any())

    def _upper(self) -> list[int]:
        opcode = self._rng.choice((_LUI, _AUIPC))
        return word(self._rng.getrandbits(20) << 12 | self._rd() << 7 | opcode)

    def _compressed(self) -> list[int]:
        """Arithmetic of 16 bits: C.ADDI, C.LI, C.LUI, the six of x8..x15, C.ANDI, shifts,
        C.MV, C.ADD, C.ADDI4SPN.
        """
        rng, kind = self._rng, self._rng.randrange(11)
        rd, imm = self._rd(), rng.randrange(64)
        split = (imm >> 5) << 12 | (imm & 31) << 2
        if kind < 2:
            return [(0x0001 if kind else 0x4001) | rd << 7 | split]
        if kind == 2:
            return [0x6001 | rd << 7 | split] if imm else [NOP]
        if kind == 3:
            return [0x8C01 | (self._rd3() - 8) << 7 | rng.randrange(4) << 5 | rng.randrange(8) << 2]
        if kind == 4:
            return [0x8801 | (self._rd3() - 8) << 7 | split]
        if kind in (5, 6):
            return [0x8001 | (kind - 5) << 10 | (self._rd3() - 8) << 7 | (imm & 31) << 2]
        if kind == 7:
            return [0x0002 | rd << 7 | (imm & 31) << 2]
        if kind in (8, 9):
            return [(0x8002, 0x9002)[kind - 8] | rd << 7 | rng.randrange(1, 32) << 2]
        return [0x0000 | rng.randrange(1, 256) << 5 | (self._rd3() - 8) << 2]

    def _base(self) -> list[int]:
        """x8 = an address in RAM, mostly a multiple of 4."""
        offset = self._rng.randrange(-512, 512) * 4
        offset += self._rng.randrange(4) if self._rng.random() < 0.2 and not self._aligned else 0
        return i_type(_OP_IMM, 0, 8, 3, offset)

    def _load_store(self) -> list[int]:
        rng = self._rng
        funct3 = rng.choice((0, 1, 2, 2, 4, 5))
        size = 1 << (funct3 & 3)
        imm = (
            rng.randrange(-2048, 2048) // size * size
            if rng.random() < 0.9 or self._aligned
            else rng.randrange(-2048, 2048)
        )
        if rng.random() < 0.5:
            return self._base() + s_type(funct3 & 3, 8, self._any(), imm)
        return self._base() + i_type(_LOAD, funct3, self._rd(), 8, imm)

    def _compressed_load_store(self) -> list[int]:
        """C.LW and C.SW: offset[5:3|2|6]."""
        offset, store = self._rng.randrange(32), self._rng.random() < 0.5
        field = (offset >> 1 & 7) << 10 | (offset & 1) << 6 | (offset >> 4) << 5
        rt = self._rng.randrange(8) if store else self._rd3() - 8
        return [*self._base(), (0xC000 if store else 0x4000) | field | 0 << 7 | rt << 2]

    def _stack(self) -> list[int]:
        """C.LWSP: offset[5|4:2|7:6], C.SWSP: offset[5:2|7:6]."""
        offset = self._rng.randrange(64)
        if self._rng.random() < 0.5:
            return [0xC002 | (offset & 15) << 9 | (offset >> 4) << 7 | self._any() << 2]
        rd = self._rd() or 1
        return [0x4002 | (offset >> 3 & 1) << 12 | rd << 7 | (offset & 7) << 4 | (offset >> 4) << 2]

    def _stack_pointer(self) -> list[int]:
        """The stack pointer moves by C.ADDI16SP, ADDI, ADD, SUB or a load, is used,
        and comes home.
        """
        rng, kind = self._rng, self._rng.randrange(5)
        home = [0x810E]  # C.MV sp, x3
        if kind == 0:
            imm = rng.randrange(1, 64)
            split = (
                (imm >> 5) << 12
                | (imm & 1) << 6
                | (imm >> 2 & 1) << 5
                | (imm >> 3 & 3) << 3
                | (imm >> 1 & 1) << 2
            )
            move = [0x6101 | split]
        elif kind == 1:
            move = i_type(_OP_IMM, 0, 2, 2, -16 * rng.randrange(1, 64))
        elif kind in (2, 3):
            move = i_type(_OP_IMM, 0, 8, 0, 16 * rng.randrange(1, 64)) + r_type(
                0x20 * (kind - 2), 0, 2, 2, 8
            )
        else:
            move = s_type(2, 3, 3, 16) + i_type(_LOAD, 2, 2, 3, 16)
        return move + self._stack() + home

    def _csr(self) -> list[int]:
        funct3 = self._rng.choice((1, 2, 3, 5, 6, 7))
        return i_type(0x73, funct3, self._rd(), self._any(), _MSCRATCH)

    def _fence(self) -> list[int]:
        plain = self._rng.random() < 0.5 or not self._has_fence_i
        return word(0x0FF0000F if plain else 0x0000100F)

    def _skip(self) -> list[int]:
        """A branch or jump over an item, of 16 or of 32 bits."""
        rng, over = self._rng, self.item()
        kind, distance = rng.randrange(10), 2 * len(over)
        if kind < 5:
            return (
                b_type(rng.choice((0, 1, 4, 5, 6, 7)), self._any(), self._any(), 4 + distance)
                + over
            )
        if kind < 7 and distance < 250:
            return [c_branch(rng.choice((6, 7)), rng.randrange(8, 16), 2 + distance), *over]
        if kind == 7:
            return jal(self._rd(), 4 + distance) + over
        return [c_jump(rng.choice((1, 5)), 2 + distance), *over]

    def _computed_skip(self) -> list[int]:
        """AUIPC x8, 0, then JALR, C.JR or C.JALR by x8 over an item."""
        rng, over = self._rng, self.item()
        distance = 2 * len(over)
        start = word(8 << 7 | _AUIPC)
        if rng.random() < 0.5 and distance < 2000:
            return start + i_type(_JALR, 0, self._rd(), 8, (8 + distance) | rng.randrange(2)) + over
        tail = rng.choice((0x8002, 0x9002)) | 8 << 7
        return [*start, *i_type(_OP_IMM, 0, 8, 8, 10 + distance), tail, *over]

    def _between(self) -> list[int]:
        """Nothing, or an instruction that leaves x8 alone: between a load and its use."""
        rng, rd = self._rng, self._rd()
        rd = 7 if rd == 8 else rd
        offset = 4 * rng.randrange(32, 64)
        offset += rng.randrange(4) if rng.random() < 0.2 and not self._aligned else 0
        kinds: tuple[list[int], ...] = (
            [],
            i_type(_OP_IMM, 4, rd, self._any(), rng.getrandbits(12)),
            r_type(1, rng.randrange(8), rd, self._any(), self._any()),
            s_type(2, 3, self._any(), offset),
            i_type(_LOAD, 2, rd, 3, offset),
        )
        return rng.choice(kinds)

    def _loaded_skip(self) -> list[int]:
        """A jump over an item by an address that comes from memory."""
        rng, over, between = self._rng, self.item(), self._between() + self._between()
        # The cycle model of CV32E40P leaves out what `taken` excludes: see leaves_out.
        taken = {8, between[-2] >> 7 & 31} if between else set()
        rd = 8
        while rd in taken or (not between and rd != 8):
            rd = self._rd()
        load = s_type(2, 3, 8, 16) + i_type(_LOAD, 2, 8, 3, 16)
        head = 2 * (len(load) + len(between))
        start = word(8 << 7 | _AUIPC)
        jump = i_type(_JALR, 0, rd, 8, rng.randrange(2))
        distance = 8 + head + 4 + 2 * len(over)
        return [*start, *i_type(_OP_IMM, 0, 8, 8, distance), *load, *between, *jump, *over]

    def _loop(self) -> list[int]:
        if self._in_loop:
            return [NOP]
        self._in_loop = True
        body = self.item() + self.item() + self.item()
        self._in_loop = False
        start = i_type(_OP_IMM, 0, 9, 0, self._rng.randrange(1, 5))
        step = i_type(_OP_IMM, 0, 9, 9, -1)
        back = -2 * (len(body) + len(step))
        if back > -240 and self._rng.random() < 0.5:
            return [*start, *body, *step, c_branch(7, 9, back)]
        return start + body + step + b_type(1, 9, 0, back)

    def _bits(self) -> list[int]:
        rng, kind = self._rng, self._rng.randrange(5)
        if kind < 3:
            funct7, funct3 = rng.choice(_BITS_R)
            return r_type(funct7, funct3, self._rd(), self._any(), self._any())
        if kind == 3:
            funct3, imm = rng.choice(_BITS_I)
            return i_type(_OP_IMM, funct3, self._rd(), self._any(), imm)
        funct7, funct3 = rng.choice(_BITS_SHIFT)
        return i_type(_OP_IMM, funct3, self._rd(), self._any(), funct7 << 5 | rng.randrange(32))

    def _zcb(self) -> list[int]:
        """Zcb: arithmetic on a register of x8..x15; bytes and halfwords by x8."""
        rng, kind = self._rng, self._rng.randrange(11)
        if kind < 6:
            one = (0x9C41 | rng.randrange(8) << 2, 0x9C61, 0x9C65, 0x9C69, 0x9C6D, 0x9C75)[kind]
            return [one | (self._rd3() - 8) << 7]
        offset = rng.randrange(2) << 5 | (rng.randrange(2) << 6 if kind in (6, 9) else 0)
        rt = (rng.randrange(8) if kind > 8 else self._rd3() - 8) << 2
        return [*self._base(), (0x8000, 0x8400, 0x8440, 0x8800, 0x8C00)[kind - 6] | offset | rt]

    def _atomic(self) -> list[int]:
        """LR, SC and AMO by x8, also one directly behind another, or behind a load."""
        rng, aligned = self._rng, self._aligned
        self._aligned = True
        code, self._aligned = self._base(), aligned
        for _ in range(rng.randrange(1, 4)):
            funct5 = rng.choice((2, 3, 2, 3, rng.choice(_AMO_OPS)))
            rd, rs2 = self._rd(), 0 if funct5 == 2 else self._any()
            rd = 7 if rd == 8 else rd
            high = (funct5 << 2 | rng.randrange(4)) << 25
            code += word(high | rs2 << 20 | 8 << 15 | 2 << 12 | rd << 7 | _AMO)
            code += self._between() if rng.random() < 0.3 else []
        return code

    def _list(self) -> int:
        """rlist and spimm, not with s1 in a loop, which counts by it."""
        return self._rng.randrange(4, 6 if self._in_loop else 16) << 4 | self._rng.randrange(4) << 2

    def _push_pop(self) -> list[int]:
        """Moves the stack pointer, too, which is used and comes home."""
        rng = self._rng
        before = i_type(_LOAD, 2, 2, 3, 16) if rng.random() < 0.2 else []
        before = s_type(2, 3, 3, 16) + before if before else []
        what = [rng.choice((_PUSH, _POP)) | self._list()]
        after = [rng.choice((_PUSH, _POP)) | self._list()] if rng.random() < 0.3 else self._stack()
        return [*before, *what, *after, 0x810E]

    def _pop_return(self) -> list[int]:
        """CM.POPRET or CM.POPRETZ over an item, the address stored before."""
        rng, over, listed = self._rng, self.item(), self._list()
        count = 13 if listed >> 4 == 15 else (listed >> 4) - 3
        moves = (4 * count + 15) // 16 * 16 + 4 * (listed & 12)
        between = self._between()
        code = i_type(_OP_IMM, 0, 8, 8, 14 + 2 * len(between) + 2 * len(over) | rng.randrange(2))
        code = word(8 << 7 | _AUIPC) + code + s_type(2, 2, 8, moves - 4 * count)
        return [*code, *between, rng.choice((_POPRET, _POPRETZ)) | listed, *over, 0x810E]

    def _move_two(self) -> list[int]:
        """CM.MVA01S and CM.MVSA01, behind a load at times."""
        rng = self._rng
        one, other = rng.sample([0, *range(2, 8)] if self._in_loop else range(8), 2)
        kind = rng.choice((0x60, 0x20))
        if kind == 0x60 and rng.random() < 0.2:
            other = one
        before = i_type(_LOAD, 2, rng.choice((8, 10, 11)), 3, 16) if rng.random() < 0.3 else []
        return [*before, 0xAC02 | one << 7 | kind | other << 2]
