"""Random ARMv7-M programs that run to their end: every encoding of `armv7m_templates`,
the 16-bit formats of ARMv6-M and those that are new, IT blocks, and all ways to branch,
with addresses that lie in RAM.

Registers are used as in `sim_random`: r8 holds the middle of RAM and is never written,
r6 is a base that is set before it is used, r7 counts loops.
"""

from __future__ import annotations

import random

from workshop.cores.armv7m_oracle import FLAGS, State
from workshop.cores.armv7m_templates import Template, draw, templates
from workshop.sim import random_programs as sim_random
from workshop.sim.random_items import Items
from workshop.sim.random_programs import MIDDLE, NOP, random_word

_WRITABLE = (0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 14)
_READABLE = (*range(13), 14)
_MOV_R6_R8, _MOV_R6_PC = 0x4646, 0x467E


def random_state(rng: random.Random) -> State:
    registers = [random_word(rng) for _ in range(15)]
    registers[8] = MIDDLE
    registers[13] = MIDDLE + 4 * rng.randrange(-64, 64)
    return State(
        tuple(registers), rng.getrandbits(32) & FLAGS, tuple(random_word(rng) for _ in range(32))
    )


def _it(condition: int, pattern: list[bool]) -> int:
    """IT and whether each further instruction has the first one's condition (then)
    or the opposite (else).
    """
    mask = 0
    for then in pattern:
        mask = mask << 1 | ((condition & 1) if then else 1 - (condition & 1))
    return 0xBF00 | condition << 4 | (mask << 1 | 1) << (3 - len(pattern))


class Program(sim_random.Program):
    """Grows a random program item by item."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self._data = [
            template
            for group in ("data processing", "fields and bits", "multiplications", "dsp")
            for template in templates()[group]
        ]
        self._memory = templates()["memory"]
        self._two_words = templates()["two words"]
        self._vectors = templates()["vectors"]
        self._v6 = self._kinds
        self._kinds = Items(
            rng,
            (60, self._of_armv6m),
            (130, self._wide_data),
            (30, self._wide_memory),
            (12, self._wide_two_words),
            (10, self._wide_vectors),
            (25, self._it_block),
            (6, self._unaligned),
            (5, self._compare_branch),
            (4, self._wide_branch),
            (3, self._table_branch),
            (3, self._load_pc),
            (2, self._exclusive),
            (2, self._stack),
            (2, self._flags_ge),
        )

    def item(self) -> list[int]:
        """One that is not empty and that every branch of this module can skip."""
        while True:
            code = super().item()
            if 0 < len(code) < 60:
                return code

    def _of_armv6m(self) -> list[int]:
        return self._v6.draw()

    def _choices(self, base: int) -> dict[str, tuple[int, ...]]:
        """Registers by field; r7 may be written outside loops."""
        written = _WRITABLE if self._keep_r7 else (*_WRITABLE, 7)
        return {**dict.fromkeys("detu", written), **dict.fromkeys("nma", _READABLE), "b": (base,)}

    def _literal_up(self, row: Template) -> list[int]:
        """A load near the program counter, from behind it."""
        return [*draw(self._rng, row, {**self._choices(8), "x": (1,)})]

    def _wide_data(self) -> list[int]:
        return [*draw(self._rng, self._rng.choice(self._data), self._choices(8))]

    def _single(self, *, vectors: bool = True) -> list[int]:
        """One instruction that needs no preparation, and is right in an IT block too."""
        rng, kind = self._rng, self._rng.random()
        if kind < 0.4:
            return self._wide_data()
        if kind < 0.7:
            narrow = rng.choice(
                (self._shift_add_move, self._data_processing, self._extend_reverse)
            )()
            return (
                narrow if narrow[0] & 0xFFC0 else [NOP]
            )  # MOVS of a register has no place in an IT block
        if kind < 0.8:
            return [
                0x9000 | rng.randrange(2) << 11 | self._low() << 8 | rng.randrange(256)
            ]  # STR, LDR of SP
        if kind < 0.9 or not vectors:
            return self._offset_access()
        return [*draw(rng, rng.choice(self._vectors[:10]), self._choices(8))]  # moves

    def _offset_access(self) -> list[int]:
        """A load or store around r8."""
        rows = [
            row for row in self._memory if row.name.endswith(("imm12", "minus", "unprivileged"))
        ]
        return [*draw(self._rng, self._rng.choice(rows), self._choices(8))]

    def _wide_memory(self) -> list[int]:
        rng = self._rng
        row = rng.choice(self._memory)
        if row.name.endswith("register"):
            index = rng.choice((0, 1, 2, 3, 4, 5, 9, 10, 11, 12))
            move = draw(
                rng,
                Template("movw", f"111100100100kkkk 0kkk{index:04b}kkkkkkkk"),
                {"k": range(0x800)},
            )
            return [*move, *draw(rng, row, {**self._choices(8), "m": (index,)})]
        if row.name.endswith("literal"):
            return self._literal_up(row)
        return [_MOV_R6_R8, *draw(rng, row, self._choices(6))]

    def _unaligned(self) -> list[int]:
        """r6 off the grid, then single accesses through it."""
        rng = self._rng
        rows = [
            row for row in self._memory if "register" not in row.name and "literal" not in row.name
        ]
        code = [_MOV_R6_R8, 0x3600 | rng.randrange(256)]
        for _ in range(rng.randrange(1, 4)):
            code += draw(rng, rng.choice(rows), self._choices(6))
        return code

    def _wide_two_words(self) -> list[int]:
        rng = self._rng
        row = rng.choice(self._two_words)
        if "literal" in row.name:
            return self._literal_up(row)
        registers = sum(1 << r for r in _WRITABLE)
        while True:
            first, second = draw(rng, row, self._choices(6))
            if row.name.startswith(("ldm", "stm")):
                second &= registers
                if second.bit_count() < 2:
                    continue
            return [_MOV_R6_R8, first, second]

    def _wide_vectors(self) -> list[int]:
        row = self._rng.choice(self._vectors)
        return (
            self._literal_up(row)
            if "literal" in row.name
            else [_MOV_R6_R8, *draw(self._rng, row, self._choices(6))]
        )

    def _it_block(self) -> list[int]:
        """One to four instructions under a condition; the last may be a branch."""
        rng = self._rng
        length = rng.randrange(4)
        condition = rng.randrange(15)
        pattern = [condition == 14 or rng.random() < 0.5 for _ in range(length)]
        code = [_it(condition, pattern)]
        for _ in range(length):
            code += self._single()
        if rng.random() < 0.8:
            return code + self._single()
        over = self.item()
        branch = rng.randrange(3)
        if branch == 0:
            return [*code, 0xE000 | len(over) - 1, *over]
        if branch == 1:
            return [*code, *self._branch_wide(len(over), link=False), *over]
        return [*code, *self._branch_wide(len(over), link=True), *over]

    @staticmethod
    def _branch_wide(halfwords: int, *, link: bool) -> list[int]:
        """B.W or BL over that many halfwords."""
        return [0xF000, (0xF800 if link else 0xB800) | halfwords]

    def _compare_branch(self) -> list[int]:
        over = self.item()
        offset = len(over) - 1
        first = 0xB100 | self._rng.randrange(2) << 11 | (offset >> 5) << 9 | (offset & 31) << 3
        return [first | self._any_low(), *over]

    def _wide_branch(self) -> list[int]:
        over = self.item()
        if self._rng.random() < 0.5:
            return [*self._branch_wide(len(over), link=False), *over]
        return [0xF000 | self._rng.randrange(14) << 6, 0x8000 | len(over), *over]

    def _table_branch(self) -> list[int]:
        """TBB or TBH with a table of two behind it, of which one skips an item."""
        rng, over = self._rng, self.item()
        index = rng.randrange(6)
        half = rng.randrange(2)
        words = 2 if half else 1
        table = [words, words + len(over)] if half else [1 | (1 + len(over)) << 8]
        move = [0x2000 | index << 8 | rng.randrange(2)]
        return [*move, 0xE8DF, 0xF000 | half << 4 | index, *table, *over]

    def _load_pc(self) -> list[int]:
        """An address is made behind r8 and loaded into the PC, in several ways."""
        rng, over = self._rng, self.item()
        way = rng.randrange(4)
        load = (
            [0xF8D8, 0xF000],  # LDR PC, [r8]
            [0xF858, 0xF003],  # LDR PC, [r8, r3]
            [0x46C6, 0xF85E, 0xFB04],  # MOV lr, r8; LDR PC, [lr], #4
            [0xE898, 0x8002],  # LDM r8, {r1, PC}
        )[way]
        place = 4 if way == 3 else 0
        clear = [0x2300] if way == 1 else []
        store = [0xF8C8, 0x6000 | place]  # STR r6, [r8, #place]
        halfwords = len(clear) + len(store) + len(load) + len(over)
        distance = (
            2 * halfwords + 1
        )  # the PC reads as the address of the instruction behind `0x36..`
        return [_MOV_R6_PC, 0x3600 | distance, *clear, *store, *load, *over]

    def _exclusive(self) -> list[int]:
        """LDREX, something, STREX."""
        size = self._rng.randrange(3)
        address = self._rng.randrange(256)
        load = ((0xE856, 0x1F00 | address), (0xE8D6, 0x1F4F), (0xE8D6, 0x1F5F))[size]
        store = ((0xE846, 0x2300 | address), (0xE8C6, 0x2F43), (0xE8C6, 0x2F53))[size]
        between = self._wide_data() if self._rng.random() < 0.5 else [0xF3BF, 0x8F2F]  # CLREX
        return [_MOV_R6_R8, *load, *between, *store]

    def _stack(self) -> list[int]:
        """What writes the stack pointer, which comes home first."""
        row = self._rng.choice(
            [row for row in templates()["stack pointer"] if "immediate" in row.name]
        )
        return [0x46C5, *draw(self._rng, row, {"i": range(0, 256)}), 0x46C5]

    def _flags_ge(self) -> list[int]:
        """MSR APSR with Q and GE from any register, or MRS."""
        if self._rng.random() < 0.5:
            return [
                0xF380 | self._rng.choice(_READABLE),
                0x8000 | self._rng.choice((4, 8, 12)) << 8,
            ]
        return [0xF3EF, 0x8000 | self._rng.choice(_WRITABLE) << 8]
