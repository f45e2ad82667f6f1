"""What the symbolic runs of all cores share: registers, memory by operand, arithmetic on words.

A run follows the one path there is. A branch, an address or a shift that depends on data ends it,
as does a read or a write beside the operands and the frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from prove.algebra.majority import OPS, carry
from prove.algebra.values import M32, Pointer, Refused, Space, Value, at, constant, plus

if TYPE_CHECKING:
    from prove.machine.image import Image

Content = Value | Pointer
Place = tuple[str, int]
Hook = Callable[["Run"], bool | None]  # False: it leaves a call to the run
ROWS = "rows"  # in the place of an operand: what registers hold where a loop turns


def signed(x: int) -> int:
    """A word as a number with a sign."""
    return x - (1 << 32) if x >> 31 else x


def _none(_: Run) -> bool:
    return False


class Run(ABC):
    """One run. `areas`: of each operand, where it begins and ends and whether it may be written."""

    sp = 13  # its register
    limit = 60_000  # instructions

    def __init__(
        self,
        image: Image,
        space: Space,
        registers: Mapping[int, Content],
        memory: Mapping[Place, Content],
        areas: Mapping[str, tuple[int, int, bool]],
        *,
        hooks: Mapping[int, Hook] | None = None,
    ) -> None:
        self.image, self.s = image, space
        self.r: dict[int, Content | None] = dict(registers)
        self.memory: dict[Place, Content | None] = dict(memory)
        self.areas = areas
        self.hooks = hooks or {}
        self.steps = 0
        self.bytewise: frozenset[str] = frozenset()  # operands that no word is read from
        self.low = 0  # the least offset of the stack
        self.called: set[str] = set()
        self.long_multiplies = True  # allowed on data
        self.inverses: set[int] = set()  # -1/m of moduli: factors of digits
        self.named: set[str] = set()  # operands whose words get names when they are stored
        self.path: list[int] | None = None
        self.xors: dict[object, tuple[Value, Value]] = {}
        self.chosen: dict[object, tuple[Value, Value, Value]] = {}
        self.tops = False  # whether the highest bit of what logic leaves is told by its operands
        self.parts: dict[Place, tuple[Value, list[Value]]] = {}  # words that are stored as bytes
        self.made: dict[object, tuple[str, Value, Value]] = {}

    # registers and memory
    def get(self, i: int) -> Content:
        """What a register holds."""
        v = self.r.get(i)
        if v is None:
            raise Refused(f"register {i} is read and not defined")
        return v

    def word(self, i: int) -> Value:
        """What a register holds, which is no pointer."""
        v = self.get(i)
        if isinstance(v, Pointer):
            raise Refused(f"arithmetic on the pointer in register {i}")
        return v

    def check(self, p: Pointer, size: int, *, write: bool) -> None:
        """Whether the access is allowed."""
        low, high, writable = self.areas.get(p.base, (0, 0, False))
        if p.base == "sp":
            top = self.get(self.sp)
            if isinstance(top, Pointer) and top.base == "sp" and p.offset < top.offset:
                raise Refused(f"access below the stack pointer: {p}")
            self.low = min(self.low, p.offset)
        if not low <= p.offset <= high - size:
            raise Refused(f"access beside the operands: {p}, {size} bytes")
        if write and not writable:
            raise Refused(f"write to an operand that is only read: {p}")
        if p.offset % size or (size > 1 and p.base in self.bytewise):
            raise Refused(f"access that is not aligned: {p}")

    def pointer(self, v: Content) -> Pointer:
        """An address: of an operand or, as a number, of the image."""
        if isinstance(v, Pointer):
            return v
        if v.const is None:
            raise Refused("an address depends on data")
        return Pointer("image", v.const)

    def load(self, p: Pointer, size: int = 4) -> Content:
        """A word or a part of it."""
        s = self.s
        if p.base == "image":
            return constant(int.from_bytes(self.image.constant(p.offset, size), "little"))
        self.check(p, size, write=False)
        v = self.memory.get((p.base, p.offset & ~3))
        if v is None:
            raise Refused(f"{p} is read and not written before")
        if size == 4:
            return v
        if isinstance(v, Pointer):
            raise Refused("a part of a pointer is read")
        return s.mod(s.floor(v, 8 * (p.offset & 3)), 8 * size)

    def extended(self, v: Value, size: int) -> Value:
        """A part of a word, with a sign, as a word."""
        s = self.s
        return s.add(v, s.scale(s.floor(v, 8 * size - 1), (1 << 32) - (1 << 8 * size)))

    def part(self, p: Pointer, size: int) -> Value:
        """Such a part, from memory."""
        v = self.load(p, size)
        assert isinstance(v, Value)
        return self.extended(v, size)

    def store(self, p: Pointer, v: Content | None, size: int = 4) -> None:
        """The same, written."""
        self.check(p, size, write=True)
        key = (p.base, p.offset & ~3)
        if size == 4:
            named = p.base in self.named and isinstance(v, Value) and v.const is None
            self.memory[key] = self.s.named(v) if named and isinstance(v, Value) else v
            return
        s, old, shift = self.s, self.memory.get(key), 8 * (p.offset & 3)
        old = old if isinstance(old, Value) else None
        if old is None or not isinstance(v, Value):
            raise Refused("a part of a word that is not known is written")
        if self.tops:
            some, first = self._bytes_of(key, old), p.offset & 3
            some[first : first + size] = [s.mod(s.floor(v, 8 * i), 8) for i in range(size)]
            word = s.add(*(s.scale(one, 1 << 8 * i) for i, one in enumerate(some)))
            self.memory[key], self.parts[key] = word, (word, some)
            return
        low = s.mod(old, shift) if shift else constant(0)
        top = shift + 8 * size
        high = s.floor(old, top) if top < 32 else constant(0)
        middle = s.scale(s.mod(v, 8 * size), 1 << shift)
        self.memory[key] = s.add(low, middle, s.scale(high, 1 << top))

    def _bytes_of(self, key: Place, word: Value) -> list[Value]:
        """Those of a word in memory; as they were stored, if they were."""
        stored, some = self.parts.get(key, (None, []))
        if stored is word:
            return list(some)
        return [self.s.mod(self.s.floor(word, 8 * i), 8) for i in range(4)]

    # arithmetic
    def moved(self, x: Content, y: Content, carry: Value) -> Pointer | None:
        """x + y + carry where one is a pointer."""
        if isinstance(y, Pointer):
            x, y = y, x
        if not isinstance(x, Pointer):
            return None
        if isinstance(y, Pointer):
            raise Refused("a sum of pointers")
        if y.const is None or carry.const is None:
            raise Refused("a pointer depends on data")
        return Pointer(x.base, x.offset + signed((y.const + carry.const) & M32))

    def inverted(self, y: Value) -> Value:
        """~y."""
        made = Value(plus({(): M32}, y.p, -1), M32 - y.hi, M32 - y.lo)
        if self.tops and y.const is None and self.made.get(y.key(), ("",))[0] != "not":
            self.made.setdefault(made.key(), ("not", y, y))
        return made

    def top(self, x: Value) -> Value:
        """The highest bit of a word."""
        found = self.made.get(x.key())
        if found is None or not self.tops:
            return self.s.floor(x, 31)
        op, a, b = found
        if op == "not":
            return Value(plus({(): 1}, self.top(a).p, -1), 0, 1)
        made = carry(self.s, self.made, x) or self.s.table(OPS[op], self.top(a).p, self.top(b).p)
        if made is None:
            return self.s.floor(x, 31)
        self.s.facts.append((plus(x.p, made.p, -1 << 31), 0, (1 << 31) - 1))
        return made

    def mask(self, v: Value) -> Value | None:
        """The bit b where v = (2^32 - 1) b."""
        if v.p and all(c % M32 == 0 for c in v.p.values()):
            return Value({m: c // M32 for m, c in v.p.items()}, 0, 1)
        return None

    def logic(self, op: str, x: Content, y: Content) -> Content:
        """x & y, x | y or x ^ y; an address where a public mask keeps it or clears it."""
        if isinstance(y, Pointer):
            x, y = y, x
        if isinstance(x, Pointer):
            number = None if isinstance(y, Pointer) else y.const
            if op == "and" and number == 0:
                return constant(0)
            if number == (M32 if op == "and" else 0):
                return x
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            raise Refused("logic on a pointer")
        found = self.s.table(OPS[op], x.p, y.p)
        if found is not None:
            return found
        if x.p == y.p:
            return constant(0) if op == "eor" else x
        for a, b in ((x, y), (y, x)):
            z = self._with_number(op, a, b) or self._with_choice(op, a, b)
            z = z or self._with_mask(op, a, b) or self._apart(op, a, b) or self._either(op, a, b)
            if z is not None:
                return z
        made = self._opaque(op, x, y)
        self.made.setdefault(made.key(), (op, x, y))
        return made

    def _with_number(self, op: str, a: Value, b: Value) -> Value | None:
        k, s = b.const, self.s
        if k is None:
            return None
        if k == 0:
            return constant(0) if op == "and" else a
        if op == "eor" and k == M32:
            return self.inverted(a)
        low = (k & -k).bit_length() - 1
        run = k >> low
        if run & run + 1:
            return None
        z = s.scale(s.mod(s.floor(a, low), run.bit_length()), 1 << low)
        if op == "and":
            return z
        return s.value(plus(plus(a.p, b.p), z.p, -1 if op == "orr" else -2), 0, M32)

    def _with_choice(self, op: str, a: Value, b: Value) -> Value | None:
        """x ^ (mask & (x ^ y))."""
        found = self.chosen.get(b.key())
        if op != "eor" or found is None:
            return None
        bit, x, y = found
        if a.p == y.p:
            x, y = y, x
        if a.p != x.p:
            return None
        return self.s.value(plus(x.p, self.s.multiply(bit.p, plus(y.p, x.p, -1))), 0, M32)

    def _with_mask(self, op: str, a: Value, b: Value) -> Value | None:
        bit = self.mask(b)
        if bit is None:
            return None
        z = self.s.mul(a, bit)
        if op == "and":
            if a.key() in self.xors:
                self.chosen[z.key()] = (bit, *self.xors[a.key()])
            return self.s.value(z.p, 0, a.hi)
        return self.s.value(plus(plus(a.p, b.p), z.p, -1 if op == "orr" else -2), 0, M32)

    def _apart(self, op: str, a: Value, b: Value) -> Value | None:
        """Words that have no bit in common."""
        k = 1 << b.hi.bit_length()
        if op != "and" and b.lo >= 0 and all(c % k == 0 for c in a.p.values()):
            return self.s.add(a, b)
        return None

    def _either(self, op: str, a: Value, b: Value) -> Value | None:
        """Words of which the secret index leaves one: their product is 0 for each index."""
        if not self.s.index or self.s.multiply(a.p, b.p):
            return None
        return constant(0) if op == "and" else self.s.value(plus(a.p, b.p), 0, M32)

    def _opaque(self, op: str, x: Value, y: Value) -> Value:
        """A variable of its own: nothing is known but what all such results have."""
        s, p, q = self.s, x.p, y.p
        if op == "orr":
            z = self._opaque("and", x, y)
            return s.value(plus(plus(p, q), z.p, -1), 0, M32)
        first, second = sorted((x, y), key=lambda v: sorted(v.p.items()))
        key = (first.key(), (second.key(), op))
        if key not in s.memo:
            define = OPS[op]
            hi = min(x.hi, y.hi) if op == "and" else M32
            i = s.variable(f"{op}{len(s.names)}", 0, hi, lambda e: define(at(p, e), at(q, e)))
            z = Value({(i,): 1}, 0, hi)
            if op == "and":
                s.facts += [(plus(v.p, z.p, -1), 0, M32) for v in (x, y)]
                s.facts.append((plus(plus(p, q), z.p, -1), 0, M32))
            else:
                self.xors[z.key()] = (x, y)
                differ = s.differ.get(frozenset((x.key(), y.key())))
                if differ is not None:
                    s.facts += [(plus(z.p, differ, -1), 0, M32), (plus(z.p, differ, -M32), -M32, 0)]
            s.memo[key] = z
        return s.memo[key]

    def shifted(self, op: str, x: Value, k: int) -> tuple[Value, Value | None]:
        """x shifted by k > 0, and the last bit that is shifted out."""
        s = self.s
        if op == "lsl":
            out = s.scale(s.mod(x, 1), 1 << 31) if k == 31 else s.mod(s.scale(x, 1 << k), 32)
            return out, s.mod(s.floor(x, 32 - k), 1) if k <= 32 else constant(0)
        last = s.mod(s.floor(x, k - 1), 1)
        if op == "lsr" and k == 31 and self.tops:
            return self.top(x), last
        if op == "lsr":
            return s.floor(x, k), last
        if op == "ror":
            low = s.mod(x, k)
            return s.value(plus(s.floor(x, k).p, low.p, 1 << 32 - k), 0, M32), last
        if op != "asr":
            raise Refused(f"shift {op}")
        found = s.table(lambda y: signed(y) >> min(k, 31) & M32, x.p, linear=True)
        if found is None:
            sign = s.floor(x, 31)
            top = (1 << 32) - (1 << 32 - min(k, 32))
            found = s.value(plus(s.floor(x, k).p, sign.p, top), 0, M32)
        return found, last

    def long_product(self, x: Value, y: Value) -> Value:
        """x y, both halves."""
        data = x.const is None or y.const is None
        if data and not self.long_multiplies:
            raise Refused("a long multiply on data, whose time varies on this core")
        return self.s.mul(x, y)

    # the run
    def go(self, pc: int) -> None:
        """From an address until the return to the caller."""
        while True:
            if self.steps and self.hooks.get(pc, _none)(self) is not False:
                after = self.returned()
            else:
                if self.path is not None:
                    self.path.append(pc)
                after = self.step(pc)
                self.steps += 1
            if after is None:
                return
            pc = after
            if self.steps > self.limit:
                raise Refused(f"more than {self.limit} instructions")

    def jump(self, v: Content) -> int | None:
        """Where a jump leads; None to the caller."""
        if isinstance(v, Pointer):
            if v == Pointer("lr", 0):
                return None
            raise Refused("a jump to an operand")
        if v.const is None:
            raise Refused("a jump depends on data")
        return v.const & ~1

    @abstractmethod
    def returned(self) -> int | None:
        """The same, by the register of the return address."""

    @abstractmethod
    def step(self, pc: int) -> int | None:
        """One instruction; the address of the next, None at the end."""
