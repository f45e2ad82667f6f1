"""A program: operations on named values, in their order, without registers and without loops.

A value lives in a register, in memory, or in both; `allocation.py` decides. An operand of the
routine is a value whose home is memory behind a pointer: `a`, `b` or, for the result, `r`; one that
another routine has left on the stack has its home there, in the area `x`.
The alphabet is that of cores with UMAAL, (hi : lo) = x y + lo + hi, which leaves the flags alone,
and with additions that go on by a carry flag.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ONES = (1 << 32) - 1
SOME = 3  # words of each operand of a sum that are loaded together


class Op(NamedTuple):
    """`operands` of an instruction: names of values, or text that stays, such as `#9`.

    Two are no instruction: `touch` brings what it reads into registers, together; `spill` says that
    what it reads is not needed soon. `store` writes word `place[1]` behind pointer `place[0]`.
    """

    name: str
    operands: tuple[str, ...]
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    place: tuple[str, int] = ("", 0)


class Program:
    """Its operations, and the home in memory of values that have one. `apart`: the result is no
    operand. `to`: where the result goes, behind a pointer or to the area `x`. `zeros_cost`: a 0
    takes an instruction.
    """

    zeros_cost = True

    def __init__(self, *, apart: bool = False, to: str = "r") -> None:
        self.apart, self.to = apart, to
        self.ops: list[Op] = []
        self.home: dict[str, tuple[str, int]] = {}

    def _add(self, name: str, *operands: str, new: bool = False, first: bool = True) -> str:
        """An operation that writes its first operand, unless not `first`; `new`: not reading it."""
        values = tuple(v for v in operands if "." in v)
        writes = values[:1] if first else ()
        self.ops.append(Op(name, operands, writes, values[1:] if new else values))
        return operands[0]

    def new(self) -> str:
        """A name for a value that is not there yet."""
        return f"v.{len(self.ops)}"

    def words(self, pointer: str, count: int) -> list[str]:
        """The words of an operand, the lowest first."""
        names = [f"{pointer}.{k}" for k in range(count)]
        self.home |= {name: (pointer, k) for k, name in enumerate(names)}
        return names

    def umull(self, x: str, y: str) -> tuple[str, str]:
        """Lower and upper word of x y."""
        lo, hi = f"{self.new()}l", f"{self.new()}h"
        self.ops.append(Op("umull", (lo, hi, x, y), (lo, hi), (x, y)))
        return lo, hi

    def umaal(self, lo: str, hi: str, x: str, y: str) -> None:
        """(hi : lo) = x y + lo + hi."""
        self.ops.append(Op("umaal", (lo, hi, x, y), (lo, hi), (lo, hi, x, y)))

    def number(self, value: int) -> str:
        """A constant that one MOV can make."""
        return self._add("mov", self.new(), f"#{value}", new=True)

    def word(self, value: int) -> str:
        """A constant: a byte by MOV, and if it fits an ORR what it has above; else two halves."""
        above = value & ~255
        if above & (above - 1):
            v = self.made("movw", f"#{value & 0xFFFF}")
            self._add("movt", v, f"#{value >> 16}")
            return v
        v = self.number(value & 255)
        if above:
            self.update("orr", v, f"#{above}")
        return v

    def update(self, name: str, value: str, *operands: str) -> None:
        """value = value op operands, the last of which may be a shift, in one word of text."""
        self._add(name, value, value, *operands)

    def made(self, name: str, *operands: str) -> str:
        """A new value = op operands."""
        return self._add(name, self.new(), *operands, new=True)

    def insert(self, value: str, other: str, low: int) -> None:
        """The lowest bits of another value in the place of those from bit `low` on."""
        self._add("bfi", value, other, f"#{low}", f"#{32 - low}")

    def flags(self, name: str, value: str, operand: str) -> None:
        """A comparison, which writes the flags alone."""
        self._add(name, value, operand, first=False)

    def carry(self, value: str, bit: int) -> None:
        """The highest bit that a value may have, to the flag: what a shift loses last."""
        self.made("lsrs", value, f"#{bit + 1}")

    def borrowed(self) -> str:
        """All ones where the flag says that a subtraction borrowed, else 0."""
        v = self.new()
        self.ops.append(Op("sbc", (v, v, v), (v,)))
        return v

    def chain(self, first: str, then: str, values: list[str], operands: list[str]) -> None:
        """values op= operands from the lowest word on, each with the carry of the one before."""
        for i, (value, operand) in enumerate(zip(values, operands, strict=True)):
            self.update(then if i else first, value, operand)

    def touch(self, *values: str) -> None:
        """Loads that cost less together than apart."""
        self.ops.append(Op("touch", values, (), values))

    def ahead(self, a: list[str], b: list[str], k: int, c: Sequence[str] = ()) -> None:
        """Behind word k of a sum: the next words of its operands, some at a time."""
        if k % SOME == SOME - 1:
            self.touch(*(word for words in (a, b, c) for word in words[k + 1 : k + 1 + SOME]))

    def spill(self, value: str) -> None:
        """To memory, behind a load: free on the Cortex-M4."""
        self.ops.append(Op("spill", (value,), (), (value,)))

    def store(self, value: str, k: int) -> None:
        """Word k of the result."""
        self.ops.append(Op("store", (value,), (), (value,), (self.to, k)))

    def stores(self, values: list[str]) -> None:
        """All words of the result."""
        for k, value in enumerate(values):
            self.store(value, k)

    def masked(self, word: int, mask: str) -> tuple[str, ...]:
        """A word of a prime where the mask is all ones, else 0: an operand."""
        ones, zeros = word.bit_count(), (word & -word).bit_length() - 1
        if not word:
            return ("#0",)
        if ones == 32:
            return (mask,)
        if ones + zeros == 32:
            return (mask, f"lsl #{zeros}")
        if ones == word.bit_length():
            return (mask, f"lsr #{32 - ones}")
        return (self.made("bic", mask, f"#{word ^ ONES}"),)

    def restore(self, values: list[str], prime: int, mask: str) -> None:
        """The result: values, and the prime if the mask is all ones and not 0."""
        last = len(values) - 1
        for k, value in enumerate(values):
            name = ("adcs" if k < last else "adc") if k else "adds"
            self.update(name, value, *self.masked(prime >> 32 * k & ONES, mask))
            self.store(value, k)
