"""A secret index: its bits are variables, and what depends on it is told for each of its values.

So the mask of an entry is a polynomial in these bits, which is 1 for one index and 0 for others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product as cube

Poly = dict[tuple[int, ...], int]


class Indexes:
    """What a space knows of them, and of the ranges of its variables."""

    def __init__(self) -> None:
        self.lo: list[int] = []  # of each variable
        self.hi: list[int] = []
        self.index: set[int] = set()  # the bits

    @abstractmethod
    def variable(
        self, name: str, lo: int, hi: int, define: Callable[[Sequence[int]], int] | None = None
    ) -> int:
        """A new one."""

    def index_of(self, name: str, bits: int) -> list[int]:
        """The bits of a secret index below 2^bits, the lowest first."""
        found = [self.variable(f"{name}.{i}", 0, 1) for i in range(bits)]
        self.index.update(found)
        return found

    def by_index(self, p: Mapping[tuple[int, ...], int]) -> Iterator[tuple[dict[int, int], Poly]]:
        """p for each value of the index bits in it."""
        bits = sorted({v for mono in p for v in mono} & self.index)
        for pattern in cube((0, 1), repeat=len(bits)):
            env = dict(zip(bits, pattern, strict=True))
            q: Poly = {}
            for mono, c in p.items():
                if all(env.get(v, 1) for v in mono):
                    rest = tuple(v for v in mono if v not in env)
                    q[rest] = q.get(rest, 0) + c
            yield env, {m: c for m, c in q.items() if c}

    def mono_range(self, mono: tuple[int, ...]) -> tuple[int, int]:
        """What a product of variables lies between."""
        lo = hi = 1
        for v in mono:
            ends = [x * y for x in (lo, hi) for y in (self.lo[v], self.hi[v])]
            lo, hi = min(ends), max(ends)
        return lo, hi

    def range(self, p: Mapping[tuple[int, ...], int]) -> tuple[int, int]:
        """What a polynomial lies between, each term for itself."""
        if self.index and any(v in self.index for mono in p for v in mono):
            ends = [self.range(q) for _, q in self.by_index(p)]
            return min(lo for lo, _ in ends), max(hi for _, hi in ends)
        lo = hi = 0
        for mono, c in p.items():
            a, b = self.mono_range(mono)
            lo += c * (a if c > 0 else b)
            hi += c * (b if c > 0 else a)
        return lo, hi
