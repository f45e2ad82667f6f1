"""Random AVR programs that run to their end: every instruction of AVRe+ but SPM, SLEEP, BREAK
and those that need a peripheral, with addresses in RAM, in flash, and among the registers.

r23 counts loops, X, Y and Z are set before each use; the stack pointer walks near the middle
of RAM and comes home. All else is free. Programs are lists of words; they end in BREAK and the
marker of its number.
"""

from __future__ import annotations

import random

from workshop.cores.avr_oracle import EIND_AT, RAMPZ_AT, Part, State
from workshop.sim.random_items import RandomProgram

NOP = 0x0000
COUNTER = 23
STUB_RET, STUB_IJMP, STUB_EIJMP = 0x40, 0x42, 0x44  # subroutines at these addresses of flash
STUBS = {STUB_RET: 0x9508, STUB_IJMP: 0x9409, STUB_EIJMP: 0x9419}
_X, _Y, _Z = 26, 28, 30


def two(opcode: int, d: int, r: int) -> int:
    """An instruction of two registers."""
    return opcode << 10 | (r >> 4) << 9 | d << 4 | r & 15


def immediate(opcode: int, d: int, k: int) -> int:
    """An instruction of r16..r31 with a byte."""
    return opcode << 12 | (k >> 4) << 8 | (d - 16) << 4 | k & 15


def out(address: int, r: int) -> int:
    """OUT by the address in the data space."""
    io = address - 0x20
    return 0xB800 | (io >> 4) << 9 | r << 4 | io & 15


def ldi(d: int, k: int) -> int:
    return immediate(14, d, k & 0xFF)


class Program(RandomProgram):
    """Random instructions for a part."""

    part: Part

    end = (0x9598, 0x2C00)  # BREAK; MOV r0, r0

    def __init__(self, rng: random.Random) -> None:
        self._in_loop = False
        self._simple = (self._registers, self._immediate, self._one, self._bit, self._product)
        super().__init__(
            rng,
            (30, self._registers),
            (16, self._immediate),
            (12, self._one),
            (8, self._product),
            (6, self._word),
            (6, self._bit),
            (5, self._flag),
            (10, self._pointed),
            (6, self._direct),
            (5, self._stack),
            (2, self._stack_pointer),
            (4, self._from_flash),
            (2, self._special),
            (8, self._skip),
            (8, self._branch),
            (3, self._jump),
            (3, self._call),
            (2, self._computed),
            (1, self._loop),
        )

    def _rd(self, low: int = 0) -> int:
        """A register that may be written."""
        while (rd := self._rng.randrange(low, 32)) == COUNTER and self._in_loop:
            pass
        return rd

    def _any(self) -> int:
        return self._rng.randrange(32)

    def _registers(self) -> list[int]:
        opcode = self._rng.choice((1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 0))
        if opcode == 0:  # MOVW
            pair = self._rng.choice([p for p in range(16) if p != COUNTER // 2])
            return [0x0100 | pair << 4 | self._rng.randrange(16)]
        return [two(opcode, self._rd(), self._any())]

    def _immediate(self) -> list[int]:
        opcode = self._rng.choice((3, 4, 5, 6, 7, 14))
        return [immediate(opcode, self._rd(16), self._rng.getrandbits(8))]

    def _one(self) -> list[int]:
        low = self._rng.choice((0, 1, 2, 3, 5, 6, 7, 10))
        return [0x9400 | self._rd() << 4 | low]

    def _product(self) -> list[int]:
        rng = self._rng
        kind = rng.randrange(6)
        if kind < 2:
            return [two(0x27, self._any(), self._any())]
        if kind == 2:
            return [0x0200 | rng.getrandbits(8)]
        return [0x0300 | rng.getrandbits(8)]

    def _word(self) -> list[int]:
        return [0x9600 | self._rng.getrandbits(9)]

    def _bit(self) -> list[int]:
        bit = self._rng.randrange(8)
        if self._rng.random() < 0.5:
            return [0xFA00 | self._any() << 4 | bit]  # BST
        return [0xF800 | self._rd() << 4 | bit]

    def _flag(self) -> list[int]:
        return [0x9408 | self._rng.randrange(16) << 4]

    def _place(self) -> int:
        """An address in the data space: in RAM, seldom a register but r23, or SREG."""
        rng = self._rng
        if rng.random() < 0.08:
            return rng.choice([0x5F, *(a for a in range(32) if a != COUNTER)])
        return self.part.middle + rng.choice((rng.randrange(16, 500), rng.randrange(-500, -260)))

    def _pointer(self, low: int, address: int) -> list[int]:
        return [ldi(low, address), ldi(low + 1, address >> 8)]

    def _pointed(self) -> list[int]:
        """LD, LDD, ST and STD by a pointer that has just been set."""
        rng, place = self._rng, self._place()
        low = rng.choice((_X, _Y, _Z))
        store, kind = rng.random() < 0.5, rng.randrange(3)
        if kind == 0 and low != _X:
            q = rng.randrange(64)
            field = (q >> 5) << 13 | (q >> 3 & 3) << 10 | q & 7 | (8 if low == _Y else 0)
            r = self._any() if store else self._rd()
            return [*self._pointer(low, place - q), 0x8000 | field | store << 9 | r << 4]
        while (r := self._any() if store else self._rd()) >> 1 == low >> 1:
            pass
        while place in (
            low,
            low + 1,
        ):  # avr_oracle.py: simavr writes the pointer back
            place = self._place()
        moves = 0 if kind == 0 else kind
        code = {_X: 12, _Y: 8, _Z: 0}[low] | moves
        address = place + (moves == 2)
        return [*self._pointer(low, address), 0x9000 | store << 9 | r << 4 | code]

    def _direct(self) -> list[int]:
        """LDS and STS."""
        if self._rng.random() < 0.5:
            return [0x9000 | self._rd() << 4, self._place()]
        return [0x9200 | self._any() << 4, self._place()]

    def _stack(self) -> list[int]:
        depth = self._rng.randrange(1, 5)
        pushes = [0x920F | self._any() << 4 for _ in range(depth)]
        body = self._rng.choice(self._simple)() if self._rng.random() < 0.5 else []
        return [*pushes, *body, *(0x900F | self._rd() << 4 for _ in range(depth))]

    def _stack_pointer(self) -> list[int]:
        """The stack pointer moves by way of Y, is used, is read, and comes home."""
        by = self._rng.randrange(64)
        field = 2 << 4 | (by >> 4) << 6 | by & 15
        get = [0xB7CD, 0xB7DE]  # IN r28, SPL; IN r29, SPH
        put = [out(0x5E, _Y + 1), out(0x5D, _Y)]
        read = [0xB60D + self._rng.randrange(2) | self._rd() << 4]
        return [*get, 0x9700 | field, *put, *self._stack(), *read, *get, 0x9600 | field, *put]

    def _from_flash(self) -> list[int]:
        """LPM and ELPM."""
        rng, kind = self._rng, self._rng.randrange(6 if self.part.has_rampz else 3)
        address = rng.randrange(min(self.part.flash, 0x10000))
        while (rd := self._rd()) >> 1 == _Z >> 1:
            pass
        code = ([0x95C8], [0x9004 | rd << 4], [0x9005 | rd << 4], [0x95D8], [0x9006 | rd << 4],
                [0x9007 | rd << 4])[kind]  # fmt: skip
        bank = [ldi(16, rng.randrange((self.part.flash >> 16) or 1)), out(RAMPZ_AT, 16)]
        if address == 0xFFFF and kind == 5:
            bank[0] = ldi(16, 0)
        return [*(bank if kind > 2 else []), *self._pointer(_Z, address), *code]

    def _special(self) -> list[int]:
        """IN and OUT of SREG, IN of RAMPZ and EIND, WDR."""
        rng = self._rng
        kinds = [out(0x5F, self._any()), 0xB60F | self._rd() << 4, 0x95A8, NOP]
        kinds += [0xB60B | self._rd() << 4] * self.part.has_rampz
        kinds += [0xB60C | self._rd() << 4] * self.part.wide_pc
        return [rng.choice(kinds)]

    def _skip(self) -> list[int]:
        """CPSE, SBRC or SBRS over an instruction of one word or two."""
        rng, kind = self._rng, self._rng.randrange(3)
        over = rng.choice((*self._simple, self._direct, self._direct))()
        if kind == 0:
            return [two(4, self._any(), self._any()), *over]
        return [0xFA00 | kind << 9 | self._any() << 4 | rng.randrange(8), *over]

    def _branch(self) -> list[int]:
        """BRBS or BRBC over an item."""
        over = self.item()
        if len(over) > 60:
            return over
        return [0xF000 | self._rng.randrange(2) << 10 | len(over) << 3 | self._rng.randrange(8),
                *over]  # fmt: skip

    def _jump(self) -> list[int]:
        over = self.item()
        return [0xC000 | len(over), *over]

    def _call(self) -> list[int]:
        """RCALL of a subroutine that is jumped over, or CALL of one at a fixed address."""
        if self._rng.random() < 0.3:
            return [0x940E, STUB_RET // 2]
        body = [*self.item(), self._rng.choice((0x9508, 0x9518))]  # RET, RETI
        return [0xD001, 0xC000 | len(body), *body]

    def _computed(self) -> list[int]:
        """The program counter comes from the stack into Z, then ICALL of a return, or IJMP
        or JMP to one over an item.
        """
        wide, over = self.part.wide_pc, self.item()
        pops = [0x900F, 0x91FF, 0x91EF] if wide else [0x91FF, 0x91EF]
        bank = [out(EIND_AT, 0)] if wide else []
        here = [0xD000, *pops, *bank]  # RCALL .+0
        kind = self._rng.randrange(3)
        if kind == 0:  # its body begins behind two words
            body = [*over, 0x9508]
            enter = 0x9519 if wide and self._rng.random() < 0.5 else 0x9509
            start = len(here) - 1 + 3
            return [*here, 0x9600 | 3 << 4 | start, enter, 0xC000 | len(body), *body]
        extended = wide and self._rng.random() < 0.5
        jump = [0x9419 if extended else 0x9409]
        if kind == 2:
            jump = [0x940C, (STUB_EIJMP if extended else STUB_IJMP) // 2]
        start = len(here) - 1 + 1 + len(jump) + len(over)
        if start > 63:
            return over
        add = 0x9600 | 3 << 4 | (start >> 4) << 6 | start & 15
        return [*here, add, *jump, *over]

    def _loop(self) -> list[int]:
        if self._in_loop:
            return [NOP]
        self._in_loop = True
        body = self.item() + self.item() + self.item()
        self._in_loop = False
        step = [0x940A | COUNTER << 4]
        back = -(len(body) + len(step) + 1)
        if back < -64:
            return body
        return [ldi(COUNTER, self._rng.randrange(1, 5)), *body, *step,
                0xF401 | (back & 0x7F) << 3]  # fmt: skip


def random_state(rng: random.Random, part: Part) -> State:
    registers = tuple(rng.choice((0, 1, 0x7F, 0x80, 0xFF, *(rng.getrandbits(8),) * 5))
                      for _ in range(32))  # fmt: skip
    return State(registers, rng.getrandbits(8), part.middle)


def size_of(first: int) -> int:
    """Bytes of the instruction that begins with that word."""
    return 4 if first & 0xFE0C == 0x940C or first & 0xFC0F == 0x9000 else 2
