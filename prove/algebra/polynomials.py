"""Polynomials with integer coefficients, and values made of them: what a run computes with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Mono = tuple[int, ...]
Poly = dict[Mono, int]
Fact = tuple[Poly, int, int]

M32 = (1 << 32) - 1


class Refused(Exception):
    """The code does not meet its contract, or the tool cannot show that it does."""


class Large(Refused):
    """A sum or a product has more terms than any of a proof: those of damaged code may grow so."""


def plus(p: Mapping[Mono, int], q: Mapping[Mono, int], factor: int = 1) -> Poly:
    """p + factor q."""
    r = dict(p)
    for mono, c in q.items():
        total = r.get(mono, 0) + c * factor
        if total:
            r[mono] = total
        else:
            r.pop(mono, None)
    return r


def times(p: Mapping[Mono, int], factor: int) -> Poly:
    """factor p."""
    return {mono: c * factor for mono, c in p.items()} if factor else {}


def modulo(p: Mapping[Mono, int], m: int | None) -> Poly:
    """Each coefficient modulo m, the least in absolute value."""
    if not m:
        return dict(p)
    low = {mono: c % m for mono, c in p.items()}
    return {mono: c if c <= m // 2 else c - m for mono, c in low.items() if c}


def multiples(p: Poly) -> Poly:
    """q where p = 2^32 q and what has coefficients from -2^31 to 2^31 - 1."""
    return {m: c + (1 << 31) >> 32 for m, c in p.items() if c + (1 << 31) >> 32}


class Value:
    """A polynomial and what it lies between."""

    __slots__ = ("hi", "lo", "p")

    def __init__(self, p: Poly, lo: int, hi: int) -> None:
        self.p, self.lo, self.hi = p, lo, hi

    @property
    def const(self) -> int | None:
        """Its value where it has no variable."""
        if not self.p:
            return 0
        return self.p.get(()) if len(self.p) == 1 else None

    def key(self) -> frozenset[tuple[Mono, int]]:
        """Equal for equal polynomials."""
        return frozenset(self.p.items())


def constant(c: int) -> Value:
    """A number."""
    return Value({(): c} if c else {}, c, c)


class Pointer:
    """An address: a place in an operand, the stack (`sp`), or what the caller returns to (`lr`)."""

    __slots__ = ("base", "offset")

    def __init__(self, base: str, offset: int) -> None:
        self.base, self.offset = base, offset

    def __repr__(self) -> str:
        return f"{self.base}{self.offset:+d}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pointer):
            return False
        return (self.base, self.offset) == (other.base, other.offset)

    def __hash__(self) -> int:
        return hash((self.base, self.offset))


def at(p: Mapping[Mono, int], env: Mapping[int, int] | Sequence[int]) -> int:
    """The value of a polynomial."""
    total = 0
    for mono, c in p.items():
        term = c
        for v in mono:
            term *= env[v]
        total += term
    return total


def whole(words: Iterable[Value]) -> Value:
    """Words as one number, the lowest first."""
    p: Poly = {}
    lo = hi = 0
    for i, w in enumerate(words):
        p = plus(p, w.p, 1 << 32 * i)
        lo += w.lo << 32 * i
        hi += w.hi << 32 * i
    return Value(p, lo, hi)
