"""Sums of carries: the high half of a product and the carries that are added to it.

A low half, and what is added to it, lose a carry: v = floor((A - 2^k u + B) / 2^k), where
u = floor(A / 2^k) is the high half. So u + v = floor((A + B) / 2^k), whose range is known: the sum
of both fits in a word, and it loses nothing more.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import partial

from prove.algebra.digits import Digits
from prove.algebra.polynomials import Poly, Value, at, plus

FEW = 6  # carries of a sum
NEWEST, MOST = 3, 8  # carries that one may belong to, and sums that are kept of each


class Carries(Digits):
    """What a space knows of them."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: dict[int, list[tuple[Poly, Poly, int, int]]] = {}
        self.sums: dict[frozenset[tuple[tuple[int, ...], int]], tuple[int, int]] = {}
        self.level: dict[int, int] = {}  # the k of each floor
        self.differ: dict[frozenset[object], Poly] = {}  # 1 where two words do, else 0

    def note_carry(self, v: int, x: Value, k: int) -> None:
        """v = floor(x / 2^k): what the sums of v and carries in x lie between."""
        mine: Poly = {(v,): 1}
        self.level[v] = k
        found = [(mine, x.p, x.lo, x.hi)]
        lost = [
            m[0]
            for m, c in x.p.items()
            if len(m) == 1 and abs(c + (1 << k)) <= FEW and self.level.get(m[0]) == k
        ]
        for u in sorted(lost, reverse=True)[:NEWEST]:
            for total, p, lo, hi in self.groups[u]:
                # x = p - 2^k total + rest
                rest = plus(plus(x.p, p, -1), total, 1 << k)
                least, most = self.known(rest)
                if len(total) < FEW and len(found) < MOST and most - least < 1 << k + 1:
                    both = plus(total, mine)
                    low, high = lo + least, hi + most
                    found.append((both, plus(x.p, total, 1 << k), low, high))
                    key = frozenset(both.items())
                    a, b = self.sums.get(key, (low >> k, high >> k))
                    self.sums[key] = max(a, low >> k), min(b, high >> k)
        self.groups[v] = found

    def equal(self, pairs: Iterable[tuple[Value, Value]]) -> Poly:
        """1 where the words of each pair are equal, else 0."""
        bits: list[Poly] = []
        for x, y in pairs:
            p = plus(x.p, y.p, -1)
            known = self.differ.get(frozenset((x.key(), y.key())))
            if known is not None:
                bits.append(known)
            elif p:
                v = self.variable(f"d{len(self.lo)}", 0, 1, partial(_nonzero, p))
                bits.append({(v,): 1})
                self.differ[frozenset((x.key(), y.key()))] = bits[-1]
        if not bits:
            return {(): 1}
        some: Poly = {}
        for bit in bits:
            some = plus(some, bit)
        key = frozenset(frozenset(bit.items()) for bit in bits)
        if key in self.differ:
            return self.differ[key]
        all_equal: Poly = {(self.variable("equal", 0, 1, partial(_zero, some)),): 1}
        self.differ[key] = all_equal
        self.facts += [(plus(bit, all_equal), 0, 1) for bit in bits]
        self.facts.append((plus(some, all_equal), 1, len(bits)))
        return all_equal

    def note_exact(self, found: Value, x: Value, k: int) -> None:
        """The same of a variable that stands for a polynomial."""
        if len(found.p) == 1:
            ((mono, c),) = found.p.items()
            if len(mono) == 1 and c == 1 and mono[0] not in self.groups:
                self.note_carry(mono[0], x, k)

    def known(self, p: Poly) -> tuple[int, int]:
        """What a polynomial lies between: the best of what is known."""
        lo, hi = self.range(p)
        width = self.width.get(frozenset(p.items()))
        if width is not None:
            lo, hi = max(lo, 0), min(hi, (1 << width) - 1)
        a, b = self.sums.get(frozenset(p.items()), (lo, hi))
        return max(lo, a), min(hi, b)

    width: dict[frozenset[tuple[tuple[int, ...], int]], int]

    @abstractmethod
    def value(self, p: Poly, lo: int | None = None, hi: int | None = None) -> Value:
        """A polynomial with its range."""


def _nonzero(p: Poly, env: Sequence[int]) -> int:
    return int(at(p, env) != 0)


def _zero(p: Poly, env: Sequence[int]) -> int:
    return int(at(p, env) == 0)
