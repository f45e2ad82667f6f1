"""Inversion by divsteps: the arithmetic modulo p and n of every curve, on every width of limbs,
with the compiler's checks of overflow; and the number of steps that it takes.
"""

from __future__ import annotations

import random
from math import gcd

import pytest
from ref.curves import LIBRARY
from ref.rfc8032 import EDCURVES

from tests.lib.test_open_arithmetic import INV, Words
from workshop.library import build as lib_build
from workshop.library.api import Library
from workshop.library.cases import scaled
from workshop.paths import C_TESTS

MODULI = sorted(
    {m for curve in LIBRARY for m in (curve.p, curve.n)}
    | {m for edwards in EDCURVES.values() for m in (edwards.p, edwards.n)}
)
CHECKED = ["-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all"]
Hulls = dict[int, list[tuple[int, int]]]


@pytest.fixture(scope="module", params=["w8", "w16", "w32m16", "w32", "w64"])
def wide(request: pytest.FixtureRequest) -> Words:
    """The words of a backend, as many as the widest curve needs."""
    config = lib_build.configuration("balanced", request.param, INVERT="divsteps", REDUCE="mont")
    path = lib_build.build(
        config,
        [C_TESTS / "open.c", *lib_build.units(config)[1:]],
        [*lib_build.compiler(), *lib_build.WARNINGS, *CHECKED, "-shared", "-fPIC"],
        suffix=".so",
        curves=("secp256r1", "secp521r1"),
    )
    return Words(Library(path, dict(config.settings)))


def operands(m: int, seed: int, count: int) -> list[int]:
    """Corners below m, then random integers."""
    source = random.Random(seed)
    bits = m.bit_length()
    edges = [0, 1, 2, 3, m - 1, m - 2, m >> 1, (m >> 1) + 1, m // 3]
    edges += [(1 << bit) % m for bit in range(13, bits, 45)]
    return [*edges, *(m - (1 << bit) % m for bit in (15, 31, bits - 1))] + [
        source.randrange(m) for _ in range(count)
    ]


def test_every_modulus(wide: Words) -> None:
    """r = R^2/a modulo p and n of every curve, and modulo those of 2^k - 1, 2^k + 1 and random m
    that have an inverse there.
    """
    source = random.Random(1)
    widths = [bits for bits in (31, 61, 128, 225, 510, 512, 575) if bits >= wide.bits]
    more = [source.randrange(1 << (bits - 1), 1 << bits) | 1 for bits in widths]
    more += [(1 << bits) - 1 for bits in widths] + [(1 << bits) + 1 for bits in widths]
    for m in MODULI + more:
        limbs = -(-m.bit_length() // wide.bits)
        square = (1 << (2 * wide.bits * limbs)) % m
        for a in operands(m, m & 0xFFFF, scaled(20)):
            if a == 0 or gcd(a, m) == 1:
                wanted = square * pow(a, -1, m) % m if a else 0
                assert wide.mod(INV, a, 0, m, limbs) == wanted, (hex(m), hex(a))


def hull(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The corners of the convex hull."""
    points = sorted(set(points))

    def half(row: list[tuple[int, int]]) -> list[tuple[int, int]]:
        out: list[tuple[int, int]] = []
        for x, y in row:
            while len(out) > 1:
                (x0, y0), (x1, y1) = out[-2:]
                if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                    break
                out.pop()
            out.append((x, y))
        return out

    return points if len(points) < 3 else half(points)[:-1] + half(points[::-1])[:-1]


def most_steps(largest: int) -> int:
    """At most so many divsteps from delta = 1/2 bring any 0 <= g <= f <= largest to g = 0
    [WUILLE21]: all real f, g are followed, by the hull of those with the same delta;
    |g| < 1 is an end.
    """
    hulls: Hulls = {0: [(0, 0), (largest, 0), (largest, largest)]}  # by delta - 1/2
    steps = 0
    while True:  # coordinates times 2^steps
        hulls = {
            delta: corners
            for delta, corners in hulls.items()
            if any(abs(g) >= 1 << steps for _, g in corners)
        }
        if not hulls:
            return steps
        after: Hulls = {}
        for delta, corners in hulls.items():
            after.setdefault(delta + 1, []).extend((2 * f, g) for f, g in corners)
            if delta >= 0:
                after.setdefault(-delta, []).extend((2 * g, g - f) for f, g in corners)
            else:
                after.setdefault(delta + 1, []).extend((2 * f, g + f) for f, g in corners)
        hulls = {delta: hull(corners) for delta, corners in after.items()}
        steps += 1


@pytest.mark.parametrize("bits", [*range(1, 25), 40])
def test_steps_suffice(bits: int) -> None:
    """The number of steps is that of the published formula or more, and where that has not been
    verified, for the smallest numbers, as the hulls say.
    """
    taken = (7 * bits + 4) // 3
    assert taken >= (3787 * bits + 2166) // 1644
    assert taken >= most_steps((1 << bits) - 1)


def test_steps_of_the_curves() -> None:
    """That number is the published formula's or more for every modulus."""
    for bits in range(1, 577):
        assert (7 * bits + 4) // 3 >= (3787 * bits + 2166) // 1644
