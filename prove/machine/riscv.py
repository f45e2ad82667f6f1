"""A symbolic run of RV32IMC code."""

from __future__ import annotations

from typing import Any, NamedTuple

from capstone import riscv as R  # noqa: N812

from prove.algebra.values import M32, Pointer, Refused, Value, constant, plus
from prove.machine.execution import Content, Run, signed
from prove.machine.image import Instruction

BRANCHES = {"beq", "bne", "bltu", "bgeu", "blt", "bge"}
BRANCHES |= {"beqz", "bnez", "bltz", "bgez", "bgtz", "blez"}
PARTS = {"lb": 1, "lh": 2}
LOADS, STORES = {"lw": 4, "lhu": 2, "lbu": 1, "lwsp": 4}, {"sw": 4, "sh": 2, "sb": 1, "swsp": 4}
LOGIC = {"and": "and", "andi": "and", "or": "orr", "ori": "orr", "xor": "eor", "xori": "eor"}
SHIFTS = {"sll": "lsl", "slli": "lsl", "srl": "lsr", "srli": "lsr", "sra": "asr", "srai": "asr"}


def _of(chains: dict[int, tuple[Value, Chain]], x: Value) -> Chain | None:
    """What is known of that very value."""
    value, chain = chains.get(id(x), (None, None))
    return chain if value is x else None


class Chain(NamedTuple):
    """A product of two words and what was added to it, in this order; the most that all may be.
    Of its upper word, which of the carries it has already.
    """

    number: int
    most: int
    added: tuple[int, ...] = ()
    carries: frozenset[int] = frozenset()

    def goes_on(self, other: Chain) -> bool:
        """Whether one is the beginning of the other."""
        common = min(len(self.added), len(other.added))
        return self.number == other.number and self.added[:common] == other.added[:common]


class RiscV(Run):
    """Registers by their numbers; x0 is 0.

    Of a product and words z1, z2 .. that are added to it, the upper word is MULHU and what each
    sum of the lower one carries, each once: below 2^32 where the product and all of them are below
    2^64.
    """

    sp = 2

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.added: dict[int, tuple[Value, Value, Value]] = {}  # sums, and what was added
        self.chains: dict[tuple[Any, Any], int] = {}  # by factors
        self.lower: dict[int, tuple[Value, Chain]] = {}  # lower words of such sums
        self.upper: dict[int, tuple[Value, Chain]] = {}
        self.carries: dict[int, tuple[Value, Chain]] = {}
        self.alive: list[Value] = []  # what chains know by its address

    def get(self, i: int) -> Content:
        return constant(0) if i == 0 else super().get(i)

    def put(self, i: int, v: Content) -> None:
        """Write a register."""
        if i:
            self.r[i] = v

    def returned(self) -> int | None:
        after = self.jump(self.get(1))
        self.r[1] = None
        return after

    def step(self, pc: int) -> int | None:
        i = self.image.instruction(pc)
        try:
            return self._step(i, pc + i.size)
        except Refused as error:
            raise type(error)(f"{pc:#x} {i.name} {i.text}: {error}") from None

    def register(self, o: Any) -> int:
        """The number of a register."""
        return int(o.reg) - int(R.RISCV_REG_X0)

    def operand(self, o: Any) -> Content:
        """A number or a register."""
        return constant(o.imm & M32) if o.type == R.RISCV_OP_IMM else self.get(self.register(o))

    def _step(self, i: Instruction, following: int) -> int | None:
        name, o = i.name, i.operands
        if name in BRANCHES:
            return i.address + o[-1].imm if self._taken(name, o) else following
        if name in ("j", "jal"):
            if name == "jal" and (len(o) == 1 or self.register(o[0]) == 1):
                self.put(1, constant(following))
            elif name == "jal" and self.register(o[0]):
                self.put(self.register(o[0]), constant(following))
            return int(i.address + o[-1].imm)
        if name in ("ret", "jr", "jalr"):
            return self._return(name, o, following)
        if name in LOADS or name in STORES or name in PARTS:
            self._memory(name, o)
        elif name != "nop":
            d = 2 if name == "addi16sp" else self.register(o[0])
            self.put(d, self._value(i, name))
        return following

    def _return(self, name: str, o: Any, following: int) -> int | None:
        registers = [self.register(x) for x in o if x.type == R.RISCV_OP_REG]
        target = self.get(1 if name == "ret" else registers[-1])
        if name == "jalr":
            self.put(registers[0] if len(registers) > 1 else 1, constant(following))
        return self.jump(target)

    def _memory(self, name: str, o: Any) -> None:
        if o[1].type == R.RISCV_OP_MEM:
            base, offset = self.get(int(o[1].mem.base) - int(R.RISCV_REG_X0)), o[1].mem.disp
        else:
            base, offset = self.get(self.register(o[2]) if len(o) > 2 else 2), o[1].imm
        p = self.pointer(base)
        p, n = Pointer(p.base, p.offset + offset), self.register(o[0])
        if name in LOADS:
            self.put(n, self.load(p, LOADS[name]))
        elif name in PARTS:
            self.put(n, self.part(p, PARTS[name]))
        else:
            size = STORES[name]
            v = constant(0) if n == 0 else self.r.get(n)
            self.store(p, v if size == 4 else self.word(n), size)

    def _taken(self, name: str, o: Any) -> bool:
        x = self.operand(o[0])
        y = constant(0) if name.endswith("z") else self.operand(o[1])
        if isinstance(x, Pointer) and isinstance(y, Pointer) and x.base == y.base:
            x, y = constant(x.offset + (1 << 30)), constant(y.offset + (1 << 30))
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            raise Refused("a comparison of pointers to different operands")
        if x.const is None or y.const is None:
            raise Refused("a branch depends on data")
        a, b = x.const, y.const
        base = name.removesuffix("z") if name.endswith("z") else name
        if not base.endswith("u"):
            a, b = signed(a), signed(b)
        return {
            "beq": a == b, "bne": a != b, "bltu": a < b, "bgeu": a >= b, "blt": a < b,
            "bge": a >= b, "bgt": a > b, "ble": a <= b,
        }[base]  # fmt: skip

    def less(self, x: Content, y: Content) -> Value:
        """1 where x < y without signs, else 0."""
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            if isinstance(x, Pointer) and isinstance(y, Pointer) and x.base == y.base:
                return constant(int(x.offset < y.offset))
            raise Refused("a comparison of pointers to different operands")
        out, *parts = self.added.get(id(x), (None,))
        if out is x and any(part is y for part in parts):
            carry = self.s.floor(self.s.add(*parts), 32)  # of that sum
            chain = _of(self.lower, x)
            if chain is not None:
                self.carries[id(carry)] = carry, chain
            return carry
        if x.const == 0:
            return self.s.nonzero(y)
        if y.const == 1:
            return self.s.value(plus({(): 1}, self.s.nonzero(x).p, -1), 0, 1)
        total = self.s.add(x, self.s.scale(y, -1), constant(1 << 32))
        return self.s.value(plus({(): 1}, self.s.floor(total, 32).p, -1), 0, 1)

    def minus(self, x: Content, y: Content) -> Content:
        """x - y."""
        if isinstance(y, Pointer):
            if not isinstance(x, Pointer) or x.base != y.base:
                raise Refused("a difference of pointers to different operands")
            return constant((x.offset - y.offset) & M32)
        if isinstance(x, Pointer):
            return self.sum(x, constant(-(y.const if y.const is not None else 1) & M32), y)
        if x.const == 0 and y.const is None and (y.lo, y.hi) == (0, 1):
            y = self.s.named(y)  # a mask: the sum of two carries is one bit
        return self.s.mod(self.s.add(x, self.s.scale(y, -1), constant(1 << 32)), 32)

    def sum(self, x: Content, y: Content, tested: Content) -> Content:
        """x + y; a pointer moves by numbers alone."""
        if isinstance(x, Pointer) and isinstance(tested, Value) and tested.const is None:
            raise Refused("a pointer depends on data")
        moved = self.moved(x, y, constant(0))
        if moved is not None:
            return moved
        assert isinstance(x, Value) and isinstance(y, Value)
        out = self.s.mod(self._upper(self.s.add(x, y), x, y), 32)
        self._lower(out, x, y)
        if self.tops and out.const is None and out.hi <= 2:
            out = self._borrow(out)
        if out is not x and out is not y:
            self.added[id(out)] = out, x, y
        return out

    def _lower(self, out: Value, x: Value, y: Value) -> None:
        """out = x + y: of the newest product that one of them belongs to."""
        found = [
            Chain(chain.number, chain.most + z.hi, (*chain.added, id(z)))
            for chain, z in ((_of(self.lower, x), y), (_of(self.lower, y), x))
            if chain is not None
        ]
        if found:
            self.lower[id(out)] = out, max(found, key=lambda chain: chain.number)
            self.alive += [x, y]

    def _upper(self, total: Value, x: Value, y: Value) -> Value:
        """x + y: where one is a carry that the other, an upper word, has not, below its bound."""
        for high, carry in ((x, y), (y, x)):
            have, new = _of(self.upper, high), _of(self.carries, carry)
            if have is None or new is None or not have.goes_on(new):
                continue
            place, longer = len(new.added), max(have, new, key=lambda chain: len(chain.added))
            if place not in have.carries:
                found = Value(total.p, total.lo, min(total.hi, longer.most >> 32))
                self.upper[id(found)] = found, longer._replace(carries=have.carries | {place})
                return found
        return total

    def _borrow(self, x: Value) -> Value:
        """x as a bit, where that is known: the sum of two borrows, of which one is 0."""
        c = x.p.get((), 0)
        lo, hi = self.s.known({m: -d for m, d in x.p.items() if m})
        return self.s.named(Value(x.p, 0, 1)) if c - hi >= 0 and c - lo <= 1 else x

    def _value(self, i: Instruction, name: str) -> Content:
        o = i.operands
        if name in ("lui", "li", "mv", "auipc"):
            if name == "auipc":
                return constant(i.address + (o[1].imm << 12) & M32)
            return self.operand(o[1]) if name != "lui" else constant(o[1].imm << 12 & M32)
        if name in ("addi16sp", "addi4spn"):
            return self.sum(self.get(2), constant(o[-1].imm & M32), constant(0))
        if name in ("not", "neg", "seqz", "snez"):
            return self._single(name, self.operand(o[1]))
        x, y = (self.operand(o[0]), self.operand(o[1])) if len(o) == 2 else map(self.operand, o[1:])
        if name in ("add", "addi"):
            return self.sum(x, y, constant(0))
        if name == "sub":
            return self.minus(x, y)
        if name in ("sltu", "sltiu"):
            return self.less(x, y)
        if name in LOGIC:
            return self.logic(LOGIC[name], x, y)
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            raise Refused("arithmetic on a pointer")
        return self._arithmetic(name, x, y)

    def _arithmetic(self, name: str, x: Value, y: Value) -> Value:
        if name == "mul":
            out = self.s.mod(self.s.mul(x, y), 32)
            if self._makes_digit(x, y) or self._makes_digit(y, x):
                return self.s.digit(out)
            self.lower[id(out)] = out, self._chain(x, y)
            return out
        if name == "mulhu":
            out = self.s.floor(self.s.mul(x, y), 32)
            self.upper[id(out)] = out, self._chain(x, y)
            return out
        if name not in SHIFTS:
            raise Refused("the instruction is not modelled")
        if y.const is None:
            raise Refused("a shift by data")
        return self.shifted(SHIFTS[name], x, y.const & 31)[0] if y.const & 31 else x

    def _chain(self, x: Value, y: Value) -> Chain:
        """That of a product, with nothing added."""
        number = self.chains.setdefault((x.key(), y.key()), len(self.chains))
        return Chain(number, x.hi * y.hi)

    def _makes_digit(self, x: Value, c: Value) -> bool:
        """Whether x c is a digit: c is -1/m, and x is no digit. A word of m may be -1/m, too."""
        known = len(x.p) == 1 and any(v in self.s.digits for v in next(iter(x.p)))
        return c.const in self.inverses and not known

    def _single(self, name: str, x: Content) -> Content:
        if name == "seqz":
            return self.less(x, constant(1))
        if name == "snez":
            return self.less(constant(0), x)
        if isinstance(x, Pointer):
            raise Refused("arithmetic on a pointer")
        return self.inverted(x) if name == "not" else self.minus(constant(0), x)
