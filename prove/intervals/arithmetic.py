"""Operators of C on numbers between bounds."""

from __future__ import annotations

from prove.intervals.ctypes import Type
from prove.intervals.domain import Num, any_of, exactly


def fit(v: Num, t: Type) -> Num:
    """A number as a type has it."""
    bits = 8 * t.size
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if t.signed else (0, (1 << bits) - 1)
    if low <= v.lo and v.hi <= high:
        return v
    if v.const is not None:
        return exactly((v.lo - low) % (1 << bits) + low)
    if v.hi - v.lo < 1 << bits and (v.lo - low) >> bits == (v.hi - low) >> bits:
        by = (v.lo - low) >> bits << bits
        return Num(v.lo - by, v.hi - by, 0, v.step)
    step = v.step & -v.step if v.step else 1
    base = (v.lo - low) % step
    return Num(low + base, high, 0, step)


def _bits(v: Num) -> int:
    return (1 << max(v.hi, 0).bit_length()) - 1


def binary(op: str, x: Num, y: Num, t: Type) -> Num:
    """x op y, of type t."""
    if x.const is not None and y.const is not None:
        return fit(exactly(_numbers(op, x.lo, y.lo)), t)
    if op in ("+", "-"):
        steps = [v.step for v in (x, y) if v.const is None]
        step = steps[0] if len(steps) == 1 else _gcd(*steps)
        if op == "+":
            return fit(Num(x.lo + y.lo, x.hi + y.hi, 0, step), t)
        return fit(Num(x.lo - y.hi, x.hi - y.lo, 0, step), t)
    if op == "*":
        ends = [a * b for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
        k = x.const if x.const is not None else y.const
        other = y if x.const is not None else x
        return fit(Num(min(ends), max(ends), 0, abs(k) * other.step if k else 1), t)
    if x.lo < 0 or y.lo < 0:
        if op == "&" and max(x.lo, y.lo) >= 0:
            return Num(0, min(v.hi for v in (x, y) if v.lo >= 0))
        return Num(-(1 << 31), (1 << 31) - 1) if t.signed else any_of(t.size)
    return fit(_positive(op, x, y, t), t)


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _positive(op: str, x: Num, y: Num, t: Type) -> Num:
    if op == "&":
        for a, b in ((x, y), (y, x)):
            if b.const is None:
                continue
            q = b.const + 1
            if q & (q - 1) == 0 and a.lo // q == a.hi // q:
                return Num(a.lo % q, a.hi % q)
        return Num(0, min(x.hi, y.hi))
    if op in ("|", "^"):
        return Num(max(x.lo, y.lo) if op == "|" else 0, _bits(x) | _bits(y))
    if op == "<<":
        if y.const is not None:
            return Num(x.lo << y.lo, x.hi << y.lo, 0, x.step << y.lo)
        return any_of(t.size)
    if op == ">>":
        return Num(x.lo >> min(y.hi, 256), x.hi >> y.lo)
    if op == "/":
        return Num(x.lo // max(y.hi, 1), x.hi // max(y.lo, 1))
    if op == "%":
        return x if x.hi < y.lo else Num(0, max(y.hi - 1, 0))
    return any_of(t.size)


def _numbers(op: str, x: int, y: int) -> int:
    if op in ("/", "%"):
        q = abs(x) // abs(y) if y else 0
        q = q if (x < 0) == (y < 0) else -q
        return q if op == "/" else x - q * y
    return {
        "+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "&": lambda: x & y,
        "|": lambda: x | y, "^": lambda: x ^ y, "<<": lambda: x << y, ">>": lambda: x >> y,
    }[op]()  # fmt: skip


def compared(op: str, x: Num, y: Num) -> Num:
    """0, 1 or either."""
    if op in (">", ">="):
        return compared("<" if op == ">" else "<=", y, x)
    if op == "!=":
        same = compared("==", x, y)
        return Num(1 - same.hi, 1 - same.lo)
    if op == "==":
        if x.const is not None and x.const == y.const:
            return exactly(1)
        return exactly(0) if x.hi < y.lo or y.hi < x.lo else Num(0, 1)
    if op == "<":
        return exactly(1) if x.hi < y.lo else exactly(0) if x.lo >= y.hi else Num(0, 1)
    return exactly(1) if x.hi <= y.lo else exactly(0) if x.lo > y.hi else Num(0, 1)


COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
