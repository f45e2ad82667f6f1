"""Random ARMv6-M programs that run to their end: every 16-bit format, with addresses
that lie in RAM.

r8 holds the middle of RAM and is never written; r6 is the base of loads, stores and computed
branches and is set before each; r7 counts loops. All else is free. Programs are lists of halfwords;
they end in BKPT #0.
"""

from __future__ import annotations

import random

from workshop.sim.build import FLASH_SIZE, RAM, RAM_SIZE
from workshop.sim.oracle import State, is_unpredictable
from workshop.sim.random_items import RandomProgram

MIDDLE = RAM + RAM_SIZE // 2
BKPT, NOP = 0xBE00, 0xBF00
_INTERESTING = (0, 1, 2, 31, 32, 33, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
    0x7FFFFFFF, 0x80000000,
                0x80000001, 0xFFFFFFFE, 0xFFFFFFFF)  # fmt: skip
_MOV_R6_R8, _MOV_R6_PC, _MOV_SP_R8 = 0x4646, 0x467E, 0x46C5


def random_word(rng: random.Random) -> int:
    return rng.choice(_INTERESTING) if rng.random() < 0.4 else rng.getrandbits(32)


def random_operand(rng: random.Random, code_bit: int = 1, code_end: int = FLASH_SIZE) -> int:
    """Registers of all kinds: addresses of data and code, some of them odd,
    small and random words.
    """
    kind = rng.random()
    if kind < 0.5:
        return RAM + rng.randrange(0x1000, RAM_SIZE - 0x1000, rng.choice((1, 2, 4, 4, 4)))
    if kind < 0.6:
        return rng.randrange(0, code_end) | (code_bit and rng.random() < 0.7)
    return rng.randrange(256) if kind < 0.75 else random_word(rng)


def random_stack_pointer(rng: random.Random) -> int:
    return RAM + rng.randrange(0x1000, RAM_SIZE - 0x1000, 4)


def random_state(rng: random.Random) -> State:
    registers = [random_word(rng) for _ in range(15)]
    registers[8] = MIDDLE
    registers[13] = MIDDLE + 4 * rng.randrange(-64, 64)
    return State(tuple(registers), rng.getrandbits(4) << 28)


class Program(RandomProgram):
    """Random instructions of ARMv6-M."""

    end = (BKPT,)

    def __init__(self, rng: random.Random) -> None:
        super().__init__(
            rng,
            (30, self._shift_add_move),
            (30, self._data_processing),
            (6, self._shift_by_register),
            (8, self._high_registers),
            (5, self._extend_reverse),
            (4, self._addresses),
            (12, self._load_store),
            (4, self._sp_relative),
            (4, self._multiple),
            (4, self._push_pop),
            (3, self._literal),
            (2, self._flags),
            (4, self._skip),
            (2, self._computed_skip),
            (1, self._loop),
        )
        self._keep_r7 = False  # inside a loop

    def _low(self) -> int:
        """A register that may be written."""
        return self._rng.randrange(6 if self._keep_r7 else 8)

    def _any_low(self) -> int:
        return self._rng.randrange(8)

    def _list(self) -> int:
        """A set of registers that may be written, not empty, without r6 and r7."""
        return self._rng.randrange(1, 64)

    def _shift_add_move(self) -> list[int]:
        rng, kind = self._rng, self._rng.randrange(8)
        if kind < 3:
            return [kind << 11 | rng.randrange(32) << 6 | self._any_low() << 3 | self._low()]
        if kind == 3:
            return [
                3 << 11
                | rng.randrange(4) << 9
                | self._any_low() << 6
                | self._any_low() << 3
                | self._low()
            ]
        return [kind << 11 | self._low() << 8 | rng.randrange(256)]

    def _data_processing(self) -> list[int]:
        return [0x4000 | self._rng.randrange(16) << 6 | self._any_low() << 3 | self._low()]

    def _shift_by_register(self) -> list[int]:
        """LSLS, LSRS, ASRS or RORS by amounts around 0, 32 and 64."""
        amount = self._rng.choice((0, 1, 16, 31, 32, 33, 63, 64, 65, 255))
        by, operation = self._low(), self._rng.choice((2, 3, 4, 7))
        return [0x2000 | by << 8 | amount, 0x4000 | operation << 6 | by << 3 | self._low()]

    def _high_registers(self) -> list[int]:
        """ADD, CMP and MOV on any registers, the PC as a source; SP only from r8."""
        rng = self._rng
        if rng.random() < 0.1:
            return [_MOV_SP_R8]
        if rng.random() < 0.1:
            return [
                0x46C5,
                0x2000 | self._low() << 8 | 4 * rng.randrange(64),
                0x4485 | self._low() << 3,
                _MOV_SP_R8,
            ]
        while True:
            kind = rng.choice((0x4400, 0x4500, 0x4600))
            rd, rm = rng.choice([*range(6), 9, 10, 11, 12, 14]), rng.randrange(16)
            first = kind | (rd & 8) << 4 | rm << 3 | (rd & 7)
            if not is_unpredictable(first):
                return [first]

    def _extend_reverse(self) -> list[int]:
        base = self._rng.choice((0xB200, 0xB240, 0xB280, 0xB2C0, 0xBA00, 0xBA40, 0xBAC0))
        return [base | self._any_low() << 3 | self._low()]

    def _addresses(self) -> list[int]:
        """ADR, ADD Rd, SP and a small walk of SP, which comes home now and then."""
        rng, kind = self._rng, self._rng.randrange(4)
        if kind == 0:
            return [0xA000 | self._low() << 8 | rng.randrange(256)]
        if kind == 1:
            return [0xA800 | self._low() << 8 | rng.randrange(256)]
        return [_MOV_SP_R8, (0xB000 if kind == 2 else 0xB080) | rng.randrange(128)]

    def _load_store(self) -> list[int]:
        rng, kind = self._rng, self._rng.randrange(14)
        if kind < 6:  # immediate offset: STR LDR STRB LDRB STRH LDRH
            rt = self._low()
            return [_MOV_R6_R8, 0x6000 + (kind << 11) | rng.randrange(32) << 6 | 6 << 3 | rt]
        size = (4, 2, 1, 1, 4, 2, 1, 2)[
            kind - 6
        ]  # register offset: STR STRH STRB LDRSB LDR LDRH LDRB LDRSH
        offset = rng.randrange(0, 256, size)
        index = rng.randrange(6)
        return [
            _MOV_R6_R8,
            0x2000 | index << 8 | offset,
            0x5000 | (kind - 6) << 9 | index << 6 | 6 << 3 | self._low(),
        ]

    def _sp_relative(self) -> list[int]:
        return [0x9000 | self._rng.randrange(2) << 11 | self._low() << 8 | self._rng.randrange(256)]

    def _multiple(self) -> list[int]:
        registers = self._list()
        if self._rng.random() < 0.5:
            return [_MOV_R6_R8, 0xC000 | 6 << 8 | registers]
        return [_MOV_R6_R8, 0xC800 | 6 << 8 | registers | (self._rng.random() < 0.3) << 6]

    def _push_pop(self) -> list[int]:
        push = 0xB400 | self._rng.randrange(1, 512)
        return [push, 0xBC00 | self._list()] if self._rng.random() < 0.8 else [_MOV_SP_R8, push]

    def _literal(self) -> list[int]:
        return [0x4800 | self._low() << 8 | self._rng.randrange(256)]

    def _flags(self) -> list[int]:
        """MRS APSR, or MSR APSR with only the flags set (the emulator keeps Q,
        which ARMv6-M does not have).
        """
        low = self._low()
        if self._rng.random() < 0.5:
            return [0xF3EF, 0x8000 | low << 8]
        return [0x0F00 | low << 3 | low, 0x0700 | low << 3 | low, 0xF380 | low, 0x8800]

    def _skip(self) -> list[int]:
        """A conditional branch, B or BL over an item."""
        over, kind = self.item(), self._rng.randrange(16)
        if kind < 14:
            return [0xD000 | kind << 8 | len(over) - 1, *over] if over else []
        if kind == 14:
            return [0xE000 | len(over) - 1, *over]
        return [0xF000, 0xF800 | len(over), *over]

    def _computed_skip(self) -> list[int]:
        """BX, BLX, MOV PC, ADD PC or POP {.., PC} over an item."""
        rng, over = self._rng, self.item()
        jump = rng.randrange(5)
        if jump == 0:  # r6 = distance from the PC value of the ADD
            return [0x2600 | 2 * len(over) - 2 & 0xFF, 0x44B7, *over] if over[1:] else [NOP]
        if jump == 4:
            also = rng.randrange(64)
            tail = [0xB440 | also, 0xBD00 | also]
        else:
            tail = [(0x4730, 0x47B0, 0x46B7)[jump - 1]]
        distance = 2 * (len(tail) + len(over)) + (jump != 3)
        return [_MOV_R6_PC, 0x3600 | distance, *tail, *over]

    def _loop(self) -> list[int]:
        if self._keep_r7:
            return [NOP]
        self._keep_r7 = True
        body = self.item() + self.item() + self.item()
        self._keep_r7 = False
        start = [0x2700 | self._rng.randrange(1, 5)]
        return [*start, *body, 0x3F01, 0xD100 | (-(len(body) + 3)) & 0xFF]
