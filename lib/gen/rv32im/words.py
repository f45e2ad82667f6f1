"""Programs of `gen.straight` without flags, in the instructions of RV32IM: a carry is a value, one
SLTU, and constants are folded, so that digits of a quotient are added and not multiplied by 1.

A multiply-add takes eight instructions, and five where a word that is added is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.straight.program import ONES, Op, Program

IMMEDIATE = 2047
BY_REGISTER = {"orr": "or", "eor": "xor", "and": "and"}
SETTING = {"adds", "adcs", "subs", "sbcs", "rsbs", "rrxs", "lsrs"}
SHIFTS = {"lsl": "slli", "lsr": "srli", "asr": "srai"}
Word = str | int  # a value, or a constant


class Words(Program):
    """A program whose carry is a value, 0 or 1; `borrows`: it says what was borrowed."""

    zeros_cost = False

    def __init__(self, *, apart: bool = False) -> None:
        super().__init__(apart=apart)
        self.known: dict[str, int] = {}  # values of constants
        self.made_up: set[str] = set()  # those of them that are in registers
        self.made_once: dict[int, str] = {}  # by value
        self.most: dict[str, int] = {}  # values of those that are less than some are
        self.count, self.flag, self.borrows = 0, 0, False  # type: int, Word, bool

    def new(self) -> str:
        self.count += 1
        return f"v.{self.count}"

    def emit(self, name: str, result: str, *operands: Word) -> str:
        """An instruction, which reads none but its operands."""
        self.known.pop(result, None)
        most = [self.most.get(x, ONES) if isinstance(x, str) else x for x in operands] or [0]
        found = {
            "sltu": 1, "sltiu": 1, "snez": 1, "mulhu": ONES - 1,
            "srli": most[0] >> most[-1] % 32, "slli": most[0] << most[-1] % 32,
            "add": most[0] + most[-1], "addi": most[0] + most[-1], "and": min(most),
        }.get(name, ONES)  # fmt: skip
        self.most[result] = ONES if found < 0 or most[-1] < 0 else min(found, ONES)
        return self._add(name, result, *map(str, operands), new=True)

    def word(self, value: int) -> str:
        v = self.new()
        self.constant(v, value)
        return v

    number = word

    def constant(self, v: str, value: int) -> None:
        """It is that from here on."""
        self.known[v] = value & ONES
        self.made_up.discard(v)

    def read(self, x: Word) -> Word:
        """The constant that it is, if it is one."""
        return self.known.get(x, x) if isinstance(x, str) else x

    def register(self, x: Word) -> str:
        """A name that an instruction may read."""
        if isinstance(x, int):
            if x & ONES not in self.made_once:
                self.made_once[x & ONES] = self.word(x)
            x = self.made_once[x & ONES]
        if x not in self.known or x in self.made_up:
            return x
        value = self.known[x]
        if not value:
            return "zero"
        self.emit("li", x, value - (value >> 31 << 32))
        self.known[x] = value
        self.made_up.add(x)
        return x

    def operand(self, texts: Sequence[str]) -> Word:
        """Of an instruction: a constant, a value, or one that is shifted."""
        if texts[0].startswith("#"):
            return int(texts[0][1:])
        if len(texts) == 1:
            return self.read(texts[0])
        name, _, count = texts[1].partition(" #")
        return self.emit(SHIFTS[name], self.new(), self.register(texts[0]), count)

    def together(self, names: list[str], k: int) -> tuple[list[str], int]:
        """Those whose sum is a word become one; a constant among them."""
        small = [x for x in names if self.most.get(x, ONES) < ONES]
        for x in small:
            if 0 < k <= IMMEDIATE and self.most[x] + k <= ONES:
                return [self.emit("addi", self.new(), x, k) if y == x else y for y in names], 0
            for y in small:
                if x < y and self.most[x] + self.most[y] <= ONES:
                    both = self.emit("add", self.new(), x, y)
                    rest = [z for z in names if z not in {x, y}]
                    return self.together([*rest, both], k)
        return names, k

    def plus(self, d: str, x: str, y: Word, carry: str) -> None:
        """d = x + y, and what is carried."""
        if y == ONES:
            self.emit("snez", carry, x)
            self.emit("addi", d, x, -1)
        elif isinstance(y, int) and y <= IMMEDIATE:
            self.emit("addi", d, x, y)
            self.emit("sltiu", carry, d, y)
        else:
            other = self.register(y)
            self.emit("add", d, x, other)
            self.emit("sltu", carry, d, other)

    def minus(self, d: str, x: str, y: Word, borrow: str) -> None:
        """d = x - y, and what is borrowed."""
        if isinstance(y, int) and y <= IMMEDIATE:
            self.emit("sltiu", borrow, x, y)
            self.emit("addi", d, x, -y)
        else:
            other = self.register(y)
            self.emit("sltu", borrow, x, other)
            self.emit("sub", d, x, other)

    def parts(self, some: Sequence[Word]) -> tuple[list[str], int, int]:
        """Of a sum: values, and the words of a constant, the lower one first."""
        read = [self.read(x) for x in some]
        over, k = divmod(sum(x for x in read if isinstance(x, int)), 1 << 32)
        return [x for x in read if isinstance(x, str)], k, over

    def sum(self, d: str, some: Sequence[Word], above: str = "", into: str = "") -> Word:
        """d = the sum; what is carried, with the value `above`, which is lost; `into`: where to."""
        names, k, over = self.parts(some)
        if not names:
            self.constant(d, k)
        else:
            x, *rest = sorted(names, key=lambda name: name != d)
            if rest:
                rest, k = self.together(rest, k)
            if not rest and not k and x != d:
                self.emit("mv", d, x)
            every: list[Word] = [*rest, *([k] if k else [])]
            for left, y in zip(reversed(range(len(every))), every, strict=True):
                carry = into if into and not left else self.new()
                self.plus(d, x, y, carry)
                x = d
                if above and left:
                    self.emit("add", above, above, carry)
                else:
                    above = self.emit("add", carry, carry, above) if above else carry
        if over and above:
            self.emit("addi", above, above, over)
        if not into or above == into:
            return above or over
        if above:
            self.emit("mv", into, above)
        else:
            self.constant(into, over)
        return into

    def difference(self, d: str, x: Word, some: Sequence[Word]) -> Word:
        """d = x less those; what is borrowed."""
        x, (names, k, over) = self.read(x), self.parts(some)
        if isinstance(x, int) and not names:
            self.constant(d, x - k)
            return over + (x < k)
        if x != d and not names and not k:
            self.emit("mv", d, x)
        names, k = self.together(names, k)
        borrow: Word = over
        every: list[Word] = [*names, *([k] if k else [])]
        for y in every:
            one = self.new()
            self.minus(d, self.register(x), y, one)
            x, borrow = d, self.emit("add", one, one, borrow) if borrow else one
        return borrow

    def carried(self) -> Word:
        """The flag as a carry."""
        if self.borrows and isinstance(self.flag, str):
            return self.emit("xori", self.new(), self.flag, 1)
        return 1 - self.flag if self.borrows and isinstance(self.flag, int) else self.flag

    def borrow(self) -> Word:
        """The flag as a borrow."""
        self.borrows = not self.borrows
        found = self.carried()
        self.borrows = not self.borrows
        return found

    def set(self, flag: Word, *, borrows: bool) -> None:
        """What the flag says from here on."""
        self.flag, self.borrows = flag, borrows

    def compute(self, name: str, d: str, x: str, *texts: str) -> None:
        """d = x op the others."""
        if name == "uadd8":  # for SEL
            return
        y, flag = self.operand(texts) if texts else 0, 0  # type: Word, Word
        root, sets = (name[:-1], True) if name in SETTING else (name, False)
        if root in ("add", "adc"):
            flag = self.sum(d, [x, y, self.carried() if root == "adc" else 0])
        elif root in ("sub", "sbc"):
            flag = self.difference(d, x, [y, self.borrow() if root == "sbc" else 0])
        elif root == "rsb":
            flag = self.difference(d, y, [x])
        elif root == "rrx":
            top = self.carried()
            flag = self.emit("andi", self.new(), x, 1)
            self.emit("srli", d, x, 1)
            if top:
                self.emit("or", d, d, self.emit("slli", self.new(), top, 31))
        elif root == "sel":
            other = self.register(y)
            self.emit("xor", d, x, other)
            self.emit("and", d, d, "mask.")
            self.emit("xor", d, d, other)
        elif root == "ubfx":
            low, count = (int(text[1:]) for text in texts)
            self.emit("slli", d, self.register(x), 32 - low - count)
            self.emit("srli", d, d, 32 - count)
        else:
            flag = self.simple(root, d, x, y)
        if sets:
            self.set(flag, borrows=root in ("sub", "sbc", "rsb"))

    def simple(self, name: str, d: str, x: str, y: Word) -> Word:
        """Products, shifts and operations bit by bit; what a shift by 1 loses."""
        value, lost = self.read(x), 0  # type: Word, Word
        if name == "mul":
            self.times(value, y, d)
        elif name == "mvn" and x.startswith("#"):
            self.constant(d, ~int(x[1:]))
        elif name == "mvn":
            self.emit("xori", d, self.register(x), -1)
        elif name in SHIFTS:
            if name == "lsr" and y == 1:
                lost = self.emit("andi", self.new(), self.register(x), 1)
            self.emit(SHIFTS[name], d, self.register(x), y)
        elif name == "mov":
            self.sum(d, [value])
        elif isinstance(value, int) and isinstance(y, int):
            self.constant(d, {"and": value & y, "orr": value | y, "eor": value ^ y}[name])
        else:
            if name == "bic":
                assert isinstance(y, int)
                name, y = "and", ~y & ONES
            small = isinstance(y, int) and y <= IMMEDIATE
            operation = BY_REGISTER[name] + "i" * small
            self.emit(operation, d, self.register(x), y if small else self.register(y))
        return lost

    def update(self, name: str, value: str, *operands: str) -> None:
        self.compute(name, value, value, *operands)

    def made(self, name: str, *operands: str) -> str:
        v = self.new()
        self.compute(name, v, *operands)
        return v

    def insert(self, value: str, other: str, low: int) -> None:
        for shift in ("slli", "srli"):
            self.emit(shift, value, value, 32 - low)
        self.emit("or", value, value, self.emit("slli", self.new(), other, low))

    def flags(self, name: str, value: str, operand: str) -> None:
        assert operand == "#0"
        self.set(1 if name == "cmp" else 0, borrows=False)

    def carry(self, value: str, bit: int) -> None:
        self.set(self.emit("srli", self.new(), value, bit), borrows=False)

    def borrowed(self) -> str:
        v = self.new()
        self.difference(v, 0, [self.borrow()])
        return v

    def times(self, x: Word, y: Word, into: str = "") -> tuple[Word, Word]:
        """The halves of a product; `into`: where the lower one goes to."""
        low, high = into or self.new(), self.new()
        if isinstance(x, int) and isinstance(y, int) and not into:
            return x * y & ONES, x * y >> 32
        if isinstance(x, int):
            x, y = y, x
        if isinstance(y, int) and isinstance(x, str):
            if y == 1 and not into:
                return x, 0
            if y.bit_count() == 1:
                self.emit("slli", low, x, y.bit_length() - 1)
                return low, self.emit("srli", high, x, 33 - y.bit_length())
        x, y = self.register(x), self.register(y)
        return self.emit("mul", low, x, y), self.emit("mulhu", high, x, y)

    def umull(self, x: str, y: str) -> tuple[str, str]:
        low, high = self.times(self.read(x), self.read(y))
        return self.register(low), self.register(high)

    def umaal(self, lo: str, hi: str, x: str, y: str) -> None:
        low, high = self.times(self.read(x), self.read(y))
        self.sum(lo, [lo, low, hi], high if isinstance(high, str) else "", hi)

    def restore(self, values: list[str], prime: int, mask: str) -> None:
        """p is 0 less few words."""
        less = (1 << 32 * len(values)) - prime
        borrow: Word = 0
        bit = self.emit("srli", self.new(), self.register(mask), 31)
        for k, value in enumerate(values):
            word = less >> 32 * k & ONES
            operand: Word = 0 if not word else mask if word == ONES else bit
            if word.bit_count() == 1 and word > 1:
                operand = self.emit("slli", self.new(), bit, word.bit_length() - 1)
            elif word not in {0, 1, ONES}:
                operand = self.emit("and", self.new(), mask, self.register(word))
            borrow = self.difference(value, value, [operand, borrow])
            self.store(value, k)

    def touch(self, *values: str) -> None:
        """All loads cost the same."""

    def spill(self, value: str) -> None:
        """It stays as long as it can."""

    def store(self, value: str, k: int) -> None:
        value = self.register(value) if self.read(value) else self.emit("li", self.new(), 0)
        super().store(value, k)

    def needed(self) -> None:
        """What nothing reads goes."""
        live: set[str] = set()
        kept: list[Op] = []
        for op in reversed(self.ops):
            if op.writes and not live & set(op.writes):
                continue
            live -= set(op.writes)
            live |= set(op.reads)
            kept.insert(0, op)
        self.ops = kept
