"""Operands and flags of Thumb code."""

from __future__ import annotations

from typing import Any

from capstone import arm as A  # noqa: N812

from prove.algebra.values import M32, Pointer, Refused, Value, constant
from prove.machine.execution import Content, Run
from prove.machine.image import Instruction

REGISTERS = {getattr(A, f"ARM_REG_R{i}"): i for i in range(13)} | {
    A.ARM_REG_SP: 13, A.ARM_REG_LR: 14, A.ARM_REG_PC: 15,
}  # fmt: skip
UNIT = {getattr(A, f"ARM_REG_S{i}"): 32 + i for i in range(32)}  # floating-point registers
REGISTERS |= UNIT
SHORT = 6  # terms of a difference that has no name of its own
SHIFTS = {1: "asr", 2: "lsl", 3: "lsr", 4: "ror"}
PAIRS = (("eq", "ne"), ("hs", "lo"), ("mi", "pl"), ("hi", "ls"), ("ge", "lt"), ("gt", "le"))
OPPOSITE = dict(PAIRS) | {b: a for a, b in PAIRS}
CONDITIONS = {getattr(A, f"ARM_CC_{name.upper()}"): name for name in OPPOSITE}


class Flags(Run):
    """State beside registers: the carry, the last result for Z and N, and an IT block."""

    carry: Value | None = None
    result: Value | None = None
    compared: tuple[int, int] | None = None  # numbers, for conditions with signs
    zero_only = False  # the last result is known to be 0 or not, and no more
    bytes_carried: Value | None = None  # the bit of all four flags GE
    block = False  # the instruction stands in an IT block
    shifter: Value | None = None  # the last bit that an operand's shift lost

    # operands
    def register(self, operand: Any) -> int:
        """The number of a register."""
        return REGISTERS[operand.reg]

    def operand(self, i: Instruction, o: Any) -> Content:
        """A number, or a register, perhaps shifted."""
        if o.type == A.ARM_OP_IMM:
            return constant(o.imm & M32)
        n = self.register(o)
        if n == 15:
            return constant((i.address + 4) & ~3)
        if o.shift.type and o.shift.value:
            if o.shift.type not in SHIFTS:
                raise Refused("the shift of an operand is not modelled")
            out, last = self.shifted(SHIFTS[o.shift.type], self.word(n), o.shift.value)
            self.shifter = last
            return out
        return self.get(n)

    def holds(self, condition: str) -> bool:
        """A condition, of numbers alone."""
        if condition in OPPOSITE and condition not in dict(PAIRS):
            return not self.holds(OPPOSITE[condition])
        c = self.carry.const if self.carry is not None else None
        r = self.result.const if self.result is not None else None
        if self.zero_only and condition != "eq":
            raise Refused("a condition on flags that are not known")
        need_c, need_r = condition in {"hs", "hi"}, condition in {"eq", "mi", "hi"}
        if (need_c and c is None) or (need_r and r is None):
            raise Refused("a branch depends on data")
        if condition in {"ge", "gt"}:
            if self.compared is None:
                raise Refused("a branch depends on data")
            a, b = self.compared
            return a >= b if condition == "ge" else a > b
        return {"eq": r == 0, "hs": c == 1, "mi": bool(r and r >> 31), "hi": bool(c and r)}[
            condition
        ]

    def set_flags(self, result: Content | None) -> None:
        """Z and N of a result."""
        self.result = result if isinstance(result, Value) else None
        self.compared, self.zero_only = None, False

    def sum(self, x: Content, y: Content, carry: Value, *, flags: bool) -> Content:
        """x + y + carry."""
        moved = self.moved(x, y, carry)
        if moved is not None:
            if flags:
                self.carry = None
                self.set_flags(None)
            return moved
        assert isinstance(x, Value) and isinstance(y, Value)
        total = self.s.add(x, y, carry)
        out = self.s.mod(total, 32)
        negated = any(v.const is None and self.mask(self.inverted(v)) for v in (x, y))
        if negated and not self.s.index:
            # the end of -v where a mask says so: products of it are short
            out = out if len(out.p) <= SHORT else self.s.named(out)
        if flags:
            self.carry = self.s.floor(total, 32)
            self.set_flags(out)
        return out

    def difference(self, x: Content, y: Content, carry: Value, *, flags: bool) -> Content:
        """x - y - 1 + carry."""
        if isinstance(y, Pointer):
            if not isinstance(x, Pointer) or x.base != y.base:
                raise Refused("a difference of pointers to different operands")
            x, y = constant(x.offset + (1 << 30)), constant(y.offset + (1 << 30))
        return self.sum(x, self.inverted(y), carry, flags=flags)

    def carried(self) -> Value:
        """The carry."""
        if self.carry is None:
            raise Refused("the carry is read and not defined")
        return self.carry

    def _apart_pointers(self, x: Pointer, y: Pointer) -> None:
        """Addresses within two operands, which do not overlap: they differ, no more is known."""
        for p in (x, y):
            low, high, _ = self.areas.get(p.base, (0, 0, False))
            if not low <= p.offset < high:
                raise Refused("a comparison of pointers to different operands")
        self.set_flags(constant(1))
        self.zero_only, self.carry = True, None

    def _apart_from_image(self, x: Content, y: Content) -> None:
        """An address of the stack, and one of a constant: they differ."""
        p, other = (x, y) if isinstance(x, Pointer) else (y, x)
        if not isinstance(p, Pointer) or not isinstance(other, Value) or p.base != "sp":
            raise Refused("a comparison of a pointer with a number")
        self.image.constant(self.pointer(other).offset, 4)
        self.set_flags(constant(1))
        self.zero_only, self.carry = True, None

    def compare(self, i: Instruction, op: str) -> None:
        """cmp, cmn, tst, teq."""
        x, y = self.operand(i, i.operands[0]), self.operand(i, i.operands[1])
        pointers = isinstance(x, Pointer) and isinstance(y, Pointer) and x.base == y.base
        if op == "teq" and pointers:
            self.set_flags(constant(int(x != y)))
            self.zero_only = True
            return
        if op in ("tst", "teq"):
            self.set_flags(self.logic("and" if op == "tst" else "eor", x, y))
            number = i.operands[1].type == A.ARM_OP_IMM and i.operands[1].imm
            if self.shifter is not None or not 0 <= number < 256:  # a rotated one has a carry
                self.carry = None
            return
        if isinstance(x, Pointer) and isinstance(y, Pointer):
            if x.base != y.base:
                self._apart_pointers(x, y)
                return
            x, y = constant(x.offset + (1 << 30)), constant(y.offset + (1 << 30))
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            self._apart_from_image(x, y)
            return
        if op == "cmn":
            self.sum(x, y, constant(0), flags=True)
            return
        self.sum(x, self.inverted(y), constant(1), flags=True)
        if x.const is not None and y.const is not None:
            a, b = x.const, y.const
            self.compared = (a - (a >> 31 << 32), b - (b >> 31 << 32))
