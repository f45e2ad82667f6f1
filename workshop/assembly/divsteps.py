"""What the functions of an inversion by divsteps compute, on limbs of 30 bits in words and of 15
bits in halves of words.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import NamedTuple

from workshop.assembly.routines import ALL_ONES, WORD, Argument, Case

SIGNED = {16: "h", 32: "i"}  # of `struct`, by bits


def _signed(value: int, bits: int) -> int:
    """What the low bits are, the highest of them being the sign."""
    value %= 1 << bits
    return value - (value >> bits - 1 << bits)


def _split(value: int, count: int, bits: int) -> list[int]:
    """Signed numbers of so many bits, the lowest first."""
    return list(unpack(f"<{count}{SIGNED[bits]}", value.to_bytes(count * bits // 8, "little")))


def _joined(numbers: list[int], bits: int) -> int:
    mask, code = (1 << bits) - 1, SIGNED[bits].upper()
    return int.from_bytes(pack(f"<{len(numbers)}{code}", *(n & mask for n in numbers)), "little")


class Limbs(NamedTuple):
    """Limbs of `limb` bits, each in `place` bits; sums of `wide` bits."""

    limb: int
    place: int
    wide: int

    def steps(self, _: int) -> Case:
        """The matrix of as many divsteps [BY19] as a limb has bits, from the low words of f, g."""

        def reference(_t: int, f: int, g: int, zeta: int) -> tuple[tuple[int, ...], int]:
            u, v, q, r = 1, 0, 0, 1
            for _ in range(self.limb):
                if g & 1 and zeta >> WORD - 1:
                    zeta = -zeta - 2
                    f, u, v, g, q, r = g, q, r, g - f, q - u, r - v
                else:
                    zeta -= 1
                    if g & 1:
                        g, q, r = g + f, q + u, r + v
                f, g, zeta = f & ALL_ONES, (g & ALL_ONES) >> 1, zeta & ALL_ONES
                u, v = 2 * u, 2 * v
            return (_joined([u, v, q, r], WORD),), zeta

        word = Argument("word")
        return Case((Argument("out", 4), word, word, word), reference)

    def rows(self, rows: list[list[int]], columns: list[list[int]]) -> list[int]:
        """Each row times each column of limbs, divided by 2^limb, in turn."""
        sums, found = [0] * len(rows), []
        low, half, wide = (1 << self.limb) - 1, 1 << self.wide - 1, (1 << self.wide) - 1
        for i, column in enumerate(columns):
            for k, row in enumerate(rows):
                total = sums[k] + half
                for a, b in zip(row, column, strict=True):
                    total += a * b
                total = (total & wide) - half
                if i:
                    found.append(total & low)
                sums[k] = total >> self.limb
        return [*found, *sums]

    def reduce(self, n: int) -> Case:
        """(f, g) = T (f, g)/2^limb."""

        def reference(fg: int, t: int, _: int) -> tuple[tuple[int, ...], None]:
            u, v, q, r = _split(t, 4, WORD)
            limbs = _split(fg, 2 * n, self.place)
            found = self.rows([[u, v], [q, r]], [limbs[2 * i : 2 * i + 2] for i in range(n)])
            return (_joined(found, self.place),), None

        words = 2 * n * self.place // WORD
        return Case((Argument("inout", words), Argument("in", 4), Argument("length")), reference)

    def follow(self, n: int) -> Case:
        """(d, e) = (T (d, e) + m times what makes it a multiple)/2^limb."""

        def reference(dem: int, t: int, _: int, inv: int) -> tuple[tuple[int, ...], None]:
            entries, limbs = _split(t, 4, WORD), _split(dem, 3 * n, self.place)
            if self.place < WORD:
                limbs[2::3] = [limb % (1 << self.place) for limb in limbs[2::3]]
            signs = [1 if high < 0 else -1 for high in limbs[-3:-1]]
            rows = []
            for row in (entries[:2], entries[2:]):
                near = _signed(sum(a * b for a, b in zip(row, signs, strict=True)) + 1, WORD) >> 1
                rest = sum(a * b for a, b in zip(row, limbs[:2], strict=True)) * inv - near
                rows.append([*row, _signed(near + _signed(rest, self.limb), WORD)])
            found = self.rows(rows, [limbs[3 * i : 3 * i + 3] for i in range(n)])
            m = limbs[2::3]
            turns = [word for i in range(n) for word in (*found[2 * i : 2 * i + 2], m[i])]
            return (_joined(turns, self.place),), None

        words = 3 * n * self.place // WORD
        matrix, length = Argument("in", 4), Argument("length")
        return Case((Argument("inout", words), matrix, length, Argument("word")), reference)


WORDS, HALVES = Limbs(30, 32, 64), Limbs(15, 16, 32)
