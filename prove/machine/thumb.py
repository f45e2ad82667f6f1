"""A symbolic run of Thumb code: ARMv6-M, ARMv7-M and its DSP instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from capstone import arm as A  # noqa: N812

from prove.algebra.values import M32, Pointer, Refused, Value, at, constant, plus
from prove.machine.execution import ROWS, Content
from prove.machine.flags import CONDITIONS, OPPOSITE, REGISTERS, Flags
from prove.machine.image import Instruction

SUMS, COMPARES = {"add", "adc", "sub", "sbc", "rsb", "neg"}, {"cmp", "cmn", "tst", "teq"}
LOGIC = {"and": "and", "bic": "and", "orr": "orr", "orn": "orr", "eor": "eor"}
MOVES = {"mov", "mvn", "movw", "movt"}
DATA = SUMS | COMPARES | set(LOGIC) | {"lsl", "lsr", "asr", "ror", "mov", "mvn", "mul"}
PARTS = {"ldrsb": 1, "ldrsh": 2}
LOADS = {"ldr": 4, "ldrh": 2, "ldrb": 1, "ldrd": 4, "str": 4, "strh": 2, "strb": 1, "strd": 4}
BLOCKS = {"push", "pop", "ldm", "stm", "ldmdb", "stmdb"}
LONG = {"umull", "umaal", "umlal"}


class Thumb(Flags):
    """The instructions."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conditions: list[str] = []  # of the rest of an IT block
        self.loaded: list[tuple[int, Content]] = []

    def returned(self) -> int | None:
        after = self.jump(self.get(14))
        self.r[14] = None
        return after

    def step(self, pc: int) -> int | None:
        i = self.image.instruction(pc)
        try:
            return self._step(i)
        except Refused as error:
            raise type(error)(f"{pc:#x} {i.name} {i.text}: {error}") from None

    def _step(self, i: Instruction) -> int | None:
        self.block = False
        following = i.address + i.size
        name = i.name
        if self.conditions:
            condition = self.conditions.pop(0)
            name = name.removesuffix(condition)
            self.block = True
            if not self.holds(condition):
                if self.path:
                    self.path.pop()  # the emulator does not count it
                return following
        if name.startswith("it"):
            first = CONDITIONS[i.detail.cc]
            self.conditions = [first] + [
                first if letter == "t" else OPPOSITE[first] for letter in name[2:]
            ]
            return following
        if i.detail.id in (A.ARM_INS_B, A.ARM_INS_BL, A.ARM_INS_BX, A.ARM_INS_BLX):
            return self._branch(i, name, following)
        if name in ("cbz", "cbnz"):
            tested = self.get(self.register(i.operands[0]))
            if isinstance(tested, Pointer) or tested.const is None:
                raise Refused("a branch depends on data")
            return i.operands[1].imm if (tested.const == 0) == (name == "cbz") else following
        method = self._method(name)
        after = method(self, i, name)
        return following if after is None else after if after >= 0 else None

    def _method(self, name: str) -> Callable[[Thumb, Instruction, str], int | None]:
        for names, method in self.METHODS:
            if name in names:
                return method
        base = name.removesuffix("s")
        if name in DATA or base in DATA:
            return Thumb._data
        raise Refused("the instruction is not modelled")

    # instructions
    def _branch(self, i: Instruction, name: str, following: int) -> int | None:
        o = i.operands[0]
        if name in ("bx", "blx") and o.type == A.ARM_OP_REG:
            target = self.get(self.register(o))
            if name == "blx":
                self.r[14] = constant(following | 1)
            elif isinstance(target, Value) and not (target.const or 0) & 1:
                raise Refused("a jump out of Thumb")
            return self.jump(target)
        if name == "bl":
            self.r[14] = constant(following | 1)
            return int(o.imm) & ~1
        condition = CONDITIONS.get(i.detail.cc)
        if condition is not None and not self.block and not self.holds(condition):
            return following
        if int(o.imm) < i.address and ROWS in self.named:
            some = {n: v for n, v in self.r.items() if isinstance(v, Value) and v.hi > 1}
            self.r |= {n: self.s.named(v) for n, v in some.items() if v.const is None}
        return int(o.imm)

    def _nop(self, i: Instruction, name: str) -> None:
        pass

    def _multiple(self, i: Instruction, name: str) -> int | None:
        """push, pop, ldm, stm."""
        stack = name in ("push", "pop")
        base = 13 if stack else self.register(i.operands[0])
        numbers = sorted(self.register(o) for o in (i.operands if stack else i.operands[1:]))
        p = self.pointer(self.get(base))
        loads, down = name in ("pop", "ldm", "ldmdb"), name in ("push", "ldmdb", "stmdb")
        size = 4 * len(numbers)
        start = p.offset - size if down else p.offset
        end = Pointer(p.base, start if down else start + size)
        back = stack or i.detail.writeback
        if base == 13 and not loads and back:
            self.r[13] = end
        target: int | None = None
        for k, n in enumerate(numbers):
            place = Pointer(p.base, start + 4 * k)
            if not loads:
                self.store(place, self.r.get(n))
            elif n == 15:
                to = self.jump(self.load(place))
                target = -1 if to is None else to
            else:
                self._later(n, self.load(place))
        if back and not (loads and base in numbers):
            self.r[base] = self._content(end)
        self._now()
        return target

    def _later(self, n: int, v: Content) -> None:
        self.loaded.append((n, v))

    def _now(self) -> None:
        for n, v in self.loaded:
            self.r[n] = v
        self.loaded = []

    def _content(self, p: Pointer) -> Content:
        return constant(p.offset) if p.base == "image" else p

    def _memory(self, i: Instruction, name: str) -> int | None:
        """Loads and stores."""
        two = name.endswith("d")
        data, rest = (i.operands[:2], i.operands[2:]) if two else (i.operands[:1], i.operands[1:])
        place, new = self._address(i, rest)
        base, target = REGISTERS[rest[0].mem.base], None
        if new is not None and base == 13 and name.startswith("str"):
            self.r[13] = new  # stored below the stack pointer as it was
        for k, o in enumerate(data):
            p, n = Pointer(place.base, place.offset + 4 * k), self.register(o)
            if name.startswith("str"):
                size = LOADS[name]
                self.store(p, self.r.get(n) if size == 4 else self.word(n), size)
            elif n == 15:
                to = self.jump(self.load(p))
                target = -1 if to is None else to
            else:
                part = PARTS.get(name)
                self._later(n, self.part(p, part) if part else self.load(p, LOADS[name]))
        if new is not None:
            self.r[base] = self._content(new)
        self._now()
        return target

    def _address(self, i: Instruction, rest: Any) -> tuple[Pointer, Pointer | None]:
        """Where a load reads, and what its base becomes."""
        m = rest[0].mem
        if REGISTERS[m.base] == 15:
            return Pointer("image", ((i.address + 4) & ~3) + m.disp), None
        base = self.get(REGISTERS[m.base])
        if m.index:
            offset = self.get(REGISTERS[m.index])
            shift = m.lshift or (rest[0].shift.value if rest[0].shift.type else 0)
            if shift:
                if isinstance(offset, Pointer):
                    raise Refused("a shifted pointer")
                offset = self.shifted("lsl", offset, shift)[0]
            return self.pointer(self.sum(base, offset, constant(0), flags=False)), None
        p = self.pointer(base)
        after = rest[1].imm if len(rest) > 1 else m.disp
        moved = Pointer(p.base, p.offset + after)
        if len(rest) > 1 or i.detail.post_index:
            return p, moved
        return moved, moved if i.detail.writeback else None

    def _unit(self, i: Instruction, name: str) -> None:
        """vmov of words to and from floating-point registers; vldm without write-back."""
        if name == "vmov":
            half = len(i.operands) // 2
            words = [self.get(self.register(o)) for o in i.operands[half:]]
            for o, word in zip(i.operands[:half], words, strict=True):
                self.r[self.register(o)] = word
            return
        if i.detail.writeback:
            raise Refused("vldm with write-back is not modelled")
        p = self.pointer(self.get(self.register(i.operands[0])))
        for k, o in enumerate(i.operands[1:]):
            self.r[self.register(o)] = self.load(Pointer(p.base, p.offset + 4 * k))

    def _long(self, i: Instruction, name: str) -> None:
        low, high, x, y = (self.register(o) for o in i.operands)
        total = self.long_product(self.word(x), self.word(y))
        if name == "umaal":
            total = self.s.add(total, self.word(low), self.word(high))
        if name == "umlal":
            total = self.s.add(total, self.word(low), self.s.scale(self.word(high), 1 << 32))
        self.r[low], self.r[high] = self.s.mod(total, 32), self.s.mod(self.s.floor(total, 32), 32)

    def _accumulate(self, i: Instruction, name: str) -> None:
        d, x, y, a = (self.register(o) for o in i.operands)
        t = self.s.mul(self.word(x), self.word(y))
        if name == "mls":
            t = self.s.scale(t, -1)
        moved = self.moved(self.s.mod(t, 32), self.get(a), constant(0))
        self.r[d] = moved or self.s.mod(self.s.add(t, self.word(a)), 32)

    def _zeros(self, i: Instruction, name: str) -> None:
        """clz: all that is told is whether the number is 0."""
        d, x, s = self.register(i.operands[0]), self.word(self.register(i.operands[1])), self.s
        zero = plus({(): 1}, s.nonzero(x).p, -1)
        v = s.variable(f"z{len(s.names)}", 0, 32, lambda env: 32 - at(x.p, env).bit_length())
        s.facts.append((plus({(v,): 1}, zero, -32), 0, 31))
        self.r[d] = Value({(v,): 1}, 0, 32)

    def _extend(self, i: Instruction, name: str) -> None:
        d, x = self.register(i.operands[0]), self.operand(i, i.operands[1])
        if name == "uxtah":
            self.r[d] = self.sum(x, self._half(i), constant(0), flags=False)
            return
        if isinstance(x, Pointer):
            raise Refused("a part of a pointer")
        if name == "sbfx":
            low, width = i.operands[2].imm, i.operands[3].imm
            if width != 1:
                raise Refused("sbfx of more than one bit is not modelled")
            self.r[d] = self.s.scale(self.s.mod(self.s.floor(x, low), 1), M32)
        elif name == "ubfx":
            x = self.s.floor(x, i.operands[2].imm)
            self.r[d] = self.s.mod(x, i.operands[3].imm)
        else:
            self.r[d] = self.s.mod(x, 16 if name == "uxth" else 8)

    def _insert(self, i: Instruction, name: str) -> None:
        """bfi up to the top of the register."""
        d, x = self.register(i.operands[0]), self.word(self.register(i.operands[1]))
        low, width = i.operands[2].imm, i.operands[3].imm
        if low + width != 32:
            raise Refused("bfi below the top is not modelled")
        above = self.s.scale(self.s.mod(x, width), 1 << low)
        self.r[d] = self.s.add(self.s.mod(self.word(d), low), above)

    def _half(self, i: Instruction) -> Value:
        """The lower half of the last operand."""
        return self.s.mod(self.plain(self.operand(i, i.operands[2])), 16)

    def _rotate_carry(self, i: Instruction, name: str) -> None:
        x, carry = self.word(self.register(i.operands[1])), self.carried()
        out = self.s.value(plus(self.s.floor(x, 1).p, carry.p, 1 << 31), 0, M32)
        if name == "rrxs":
            self.carry = self.s.mod(x, 1)
            self.set_flags(out)
        self.r[self.register(i.operands[0])] = out

    def _bytes(self, i: Instruction, name: str) -> None:
        """uadd8 of a mask with itself, and sel after it."""
        d, x, y = (self.register(o) for o in i.operands)
        if name == "uadd8":
            a, b = self.word(x), self.word(y)
            bit = self.mask(a) if a.p == b.p else None
            bit = constant(0) if a.const == b.const == 0 else bit
            if bit is None:
                raise Refused("uadd8 of something other than a mask with itself")
            self.bytes_carried = bit
            self.r[d] = self.s.scale(bit, 0xFEFEFEFE)
            return
        if self.bytes_carried is None:
            raise Refused("the flags GE are read and not known")
        a, b = self.word(x), self.word(y)
        chosen = self.s.multiply(self.bytes_carried.p, plus(a.p, b.p, -1))
        self.r[d] = self.s.value(plus(b.p, chosen), 0, M32)

    def _wide(self, i: Instruction, name: str) -> None:
        """movw, movt, addw, subw, adr."""
        d = self.register(i.operands[0])
        if name == "movw":
            self.r[d] = constant(i.operands[1].imm & 0xFFFF)
        elif name == "movt":
            low = self.s.mod(self.word(d), 16)
            self.r[d] = self.s.add(low, constant((i.operands[1].imm & 0xFFFF) << 16))
        elif name == "adr":
            self.r[d] = constant(((i.address + 4) & ~3) + i.operands[1].imm)
        else:
            x, k = self.operand(i, i.operands[-2]), i.operands[-1].imm
            k = k if name == "addw" else -k
            self.r[d] = self.sum(x, constant(k & M32), constant(0), flags=False)

    def _data(self, i: Instruction, name: str) -> int | None:
        flags = name not in DATA and name.endswith("s")
        op = name.removesuffix("s") if flags else name
        if self.block and i.size == 2:
            flags = False
        self.shifter = None
        ops = i.operands
        if op in COMPARES:
            self.compare(i, op)
            return None
        single = len(ops) == 2
        d = self.register(ops[0])
        x, y = (ops[0], ops[1]) if single else (ops[1], ops[2])
        if op in ("lsl", "lsr", "asr", "ror"):
            out: Content = self._shift(i, op, x, y, flags=flags)
        elif op == "mvn":
            out = self.inverted(self.plain(self.operand(i, ops[1])))
        elif op == "mov":
            out = self.operand(i, ops[1])
        elif op == "mul":
            second = self.plain(self.operand(i, y))
            first = self.word(self.register(x))
            out = self.s.mod(self.s.mul(first, second), 32)
            numbers = {first.const or 0, second.const or 0}
            if max(numbers) > 1 << 16 or (1 in numbers and 1 in self.inverses):
                out = self.s.digit(out)
        elif op in SUMS:
            out = self._sum(i, op, x, y, flags=flags)
        else:
            second = self.plain(self.operand(i, y))
            if op in ("bic", "orn"):
                second = self.inverted(second)
            out = self.logic(LOGIC[op], self.operand(i, x), second)
        if flags and op not in SUMS:
            self._logic_flags(i, op, y)
            self.set_flags(out)
        if d == 15:
            to = self.jump(out)
            return -1 if to is None else to
        self.r[d] = out
        return None

    def _logic_flags(self, i: Instruction, op: str, y: Any) -> None:
        """The carry of a shift, or of the rotation of a number."""
        if self.shifter is not None:
            self.carry = self.shifter
        elif y.type == A.ARM_OP_IMM and i.size == 4 and op not in ("lsl", "lsr", "asr", "ror"):
            self.carry = None

    def plain(self, v: Content) -> Value:
        """A value that is no pointer."""
        if isinstance(v, Pointer):
            raise Refused("logic on a pointer")
        return v

    def _shift(self, i: Instruction, op: str, x: Any, y: Any, *, flags: bool) -> Value:
        k = self.plain(self.operand(i, y)).const
        if k is None:
            raise Refused("a shift by data")
        k &= 255
        value = self.word(self.register(x))
        if k == 0:
            return value
        if op == "ror" and k > 31:  # by as much modulo 32; the carry is the top bit in any case
            out = self.shifted(op, value, k % 32)[0] if k % 32 else value
            self.shifter = self.s.floor(out, 31) if flags else self.shifter
            return out
        if k > 32:
            raise Refused("a shift by more than a word")
        out, last = self.shifted(op, value, k)
        if flags:
            self.shifter = last
        return out

    def _sum(self, i: Instruction, op: str, x: Any, y: Any, *, flags: bool) -> Content:
        first, second = self.operand(i, x), self.operand(i, y)
        if op == "neg":
            first, op = constant(0), "sub"
        if op == "rsb":
            first, second, op = second, first, "sub"
        if op == "add":
            return self.sum(first, second, constant(0), flags=flags)
        if op == "adc":
            return self.sum(first, second, self.carried(), flags=flags)
        carry = constant(1) if op == "sub" else self.carried()
        return self.difference(first, second, carry, flags=flags)

    METHODS: ClassVar[tuple[tuple[set[str], Callable[[Thumb, Instruction, str], int | None]], ...]]
    METHODS = (
        ({"nop"}, _nop),
        (BLOCKS, _multiple),
        ({*LOADS, *PARTS}, _memory),
        (LONG, _long),
        ({"mla", "mls"}, _accumulate),
        ({"clz"}, _zeros),
        ({"uxth", "uxtb", "ubfx", "sbfx", "uxtah"}, _extend),
        ({"bfi"}, _insert),
        ({"rrx", "rrxs"}, _rotate_carry),
        ({"uadd8", "sel"}, _bytes),
        ({"vmov", "vldmia"}, _unit),
        ({"movw", "movt", "addw", "subw", "adr"}, _wide),
    )
