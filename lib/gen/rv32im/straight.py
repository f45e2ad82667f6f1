"""The fields of `gen.straight` on RV32IM, as routines for formulas.

Mixed products of a square are doubled column by column. Widths of strips were found by
trying all, and written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from gen.rv32im.code import Code, Registers, at
from gen.rv32im.words import Word, Words
from gen.straight.allocation import Line, Tuning, allocated
from gen.straight.fields import FIELDS, Field, Sparse, program, sparse
from gen.straight.products import Column
from gen.straight.program import Program

REGISTERS = Registers().free


class Secp384r1(Sparse):
    """p = 2^384 - 2^128 - 2^96 + 2^32 - 1: digits are columns, m p = m 2^384 - m 2^128 - m 2^96 +
    m 2^32 - m.
    """

    def __init__(self, p: Program, prime: int, length: int) -> None:
        assert isinstance(p, Words)
        super().__init__(p, prime, length)
        self.words, self.plus, self.less = p, 0, 0  # type: Words, Word, Word

    def column(self, k: int, value: str) -> None:
        """Plus digits of 1 and 12 columns before, less those of 3 and 4."""
        n = self.n
        plus, less = (
            [self.digits[k - i] for i in places if 0 <= k - i < n] for places in ((1, n), (3, 4))
        )
        more = self.w[k - n] if k >= n else 0
        self.plus = self.words.sum(value, [value, *plus, self.plus, more])
        self.less = self.words.difference(value, value, [*less, self.less])
        self.done(k, value)

    def finish(self) -> None:
        """What was carried and borrowed is 1 or 0."""
        mask = self.p.new()
        self.words.difference(mask, self.plus, [self.less, 1])
        self.lowered(mask)

    def total(self, a: list[str], b: list[str]) -> None:
        """With w."""
        self.result, carry = a, 0  # type: list[str], Word
        for k in range(self.n):
            carry = self.words.sum(a[k], [a[k], b[k], self.w[k], carry])
        mask = self.p.new()
        self.words.difference(mask, carry, [1])
        self.lowered(mask)


HERE = (*FIELDS, sparse(Secp384r1, 2**384 - 2**128 - 2**96 + 2**32 - 1, 12))


class Squares:
    """Columns of a^2 from those of the products of two words of a, which are doubled: a word's own
    square is added. Its low word is 0, 1 or 4 modulo 8, and takes a carry.
    """

    def __init__(self, p: Words, a: Sequence[str], column: Column) -> None:
        self.p, self.a, self.column = p, a, column
        self.bit, self.carry, self.high = 0, 0, 0  # type: Word, Word, Word

    def add(self, k: int, value: str) -> None:
        """Column k, the lowest first."""
        p, own, odd = self.p, self.high, k % 2
        if not odd:
            own, self.high = p.times(self.a[k // 2], self.a[k // 2])
            p.sum(str(own), [own, self.carry])
            self.carry = 0
        lost: Word = 0
        if p.read(value):
            lost = p.emit("srli", p.new(), value, 31)
            p.emit("slli", value, value, 1)
            if self.bit:
                p.emit("add", value, value, self.bit)
        else:
            p.sum(value, [self.bit])
        self.bit = lost
        over = p.sum(value, [value, own])
        if odd:
            self.carry = over
        else:
            p.sum(str(self.high), [self.high, over])
        self.column(k, value)


def square(
    p: Program, a: Sequence[str], widths: Sequence[int], column: Column, _: object = None
) -> None:
    """The columns of a^2: products of two words by strips of the lower one."""
    assert isinstance(p, Words)
    n, start = len(a), 0
    column = Squares(p, a, column).add
    part: dict[int, str] = {}
    column(0, p.number(0))
    for width in widths:
        end = start + width
        current: dict[int, str] = {}
        for i in range(start + 1, n + 1):
            if i < n:
                above = part.pop(i + start, None) or p.number(0)
                for j in range(start, min(i, end)):
                    value = current.get(i + j)
                    if value is None:
                        value, above = above, p.number(0)
                    p.umaal(value, above, a[i], a[j])
                    current[i + j] = value
                current[i + min(i, end)] = above
            for k in [i + start] if i < n else sorted(current):
                if end < n and k > 2 * end:
                    part[k] = current.pop(k)
                else:
                    column(k, current.pop(k))
        start = end
    column(2 * n - 1, p.number(0))


class Routine(NamedTuple):
    """The instructions of a routine, the words of its frame, and the pointers that it loads again:
    those of `saved`, which stand behind them.
    """

    lines: list[Line]
    frame: int
    saved: dict[int, int]

    def words(self) -> int:
        """Of the stack, which stays at a multiple of 16 bytes."""
        return self.frame + len(self.saved) + 3 & -4


POINTERS = ("r", "a", "b", "mask.")
OPS = ("mul", "sqr", "add", "sub", "three_halves", "small", "select")
ONE_OPERAND = ("sqr", "three_halves")
WIDTHS = {
    "secp128r1": (4,),
    "secp160r1": (5,),
    "secp192r1": (6,),
    "secp224r1": (7,),
    "secp384r1": (7, 5),
    "secp521r1": (9, 8),
    "p448": (7, 7),
}  # of strips


def ops(field: Field) -> tuple[str, ...]:
    """What there is of a field."""
    return (*OPS[:4], *OPS[5:]) if field.name == "p448" else OPS[:5]


@cache
def of_field(field: Field, op: str) -> Routine:
    """An operation of a field."""
    p = Words()
    program(field, op, WIDTHS[field.name], p, square)
    p.needed()
    pointers = POINTERS[: 2 if op in ONE_OPERAND else 4 if op == "select" else 3]
    start = {name: f"a{k}" for k, name in enumerate(pointers)}
    lines, frame = allocated(p, REGISTERS, start, Tuning(0, 0), lambda _: 0)
    again = sorted({line.place[1] for line in lines if line.place[0] == "saved"})
    return Routine(lines, frame, {k: frame + i for i, k in enumerate(again)})


def write(c: Code, made: Routine) -> None:
    """The routine. It leaves the address of its result in a0."""
    lines, _, saved = made
    size, base = 4 * made.words(), "a0"
    if size:
        c("addi", "sp", "sp", -size)
    for k, word in saved.items():
        c("sw", f"a{k}", at("sp", word))
    for line in lines:
        if line.kind == "op":
            c(line.name, *line.operands)
            continue
        area, k = line.place
        place = at(line.base, saved[k] if area == "saved" else k)
        c("lw" if line.kind == "ldr" else "sw", *line.operands, place)
        base = line.base if area == "r" else base
    if base != "a0":
        c("mv", "a0", base)
    if size:
        c("addi", "sp", "sp", size)
    c("ret")
