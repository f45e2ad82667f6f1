"""The fields of Curve25519 and Curve448 against Python's integers: every backend, both reductions,
both ways to powers.

Elements are tried over their whole range: modulo 2^255 - 19 by folding they are below 2p, not p.
"""

from __future__ import annotations

import ctypes
import os
import random

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from workshop.library import build as lib_build
from workshop.library.cases import scaled
from workshop.paths import C_TESTS

PRIMES = {"p25519": (2**255 - 19, 256), "p448": (2**448 - 2**224 - 1, 448)}
MUL, SQR, ADD, SUB, SMALL, INVERT, ROOT, NEGATE, OUT, IN, RUN_SQR, LOWER, STEP = range(13)
# preset (tiny: squares are products, powers bit by bit; balanced: neither), backend
CHOSEN = os.environ.get("ECFIT_TEST_CONFIGURATIONS", "").split()
BUILDS = [
    (preset, backend)
    for preset in ("tiny", "balanced")
    for backend in ("w8", "w16", "w32m16", "w32", "w64", "w64-without-adx")
    if not CHOSEN or f"{preset}-{backend}" in CHOSEN
]


class Field:
    """One field of one build: `limit` bounds its elements, which stand for value / factor."""

    def __init__(self, c: ctypes.CDLL, prime: str, reduction: str) -> None:
        self.p, self.bits = PRIMES[prime]
        self.function = getattr(c, f"{prime}_{reduction}_open")
        self.factor = 1 << self.bits if reduction == "mont" else 1
        self.limit = 2 * self.p if (prime, reduction) == ("p25519", "pmers") else self.p
        self.reduction = reduction

    def call(self, op: int, a: int, b: int = 0) -> int:
        """One operation on elements as they are."""
        out = ctypes.create_string_buffer(self.bits // 8)
        self.function(
            op, out, a.to_bytes(self.bits // 8, "little"), b.to_bytes(self.bits // 8, "little")
        )
        return int.from_bytes(out.raw, "little")

    def elements(self, seed: int, count: int) -> list[int]:
        """Corners, random ones, and random bytes of only zeros and ones."""
        source = random.Random(seed)
        limit, p = self.limit, self.p
        values = [
            0,
            1,
            2,
            18,
            19,
            20,
            37,
            38,
            39,
            p - 1,
            p - 2,
            p - 19,
            p,
            p + 1,
            p + 18,
            p + 19,
            p + 20,
            2 * p - 1,
        ]
        values += [limit - offset for offset in (1, 2, 19, 20, 38)] + [limit >> 1, limit >> 2]
        values += [1 << bit for bit in range(0, self.bits, 8)] + [
            (1 << bit) - 1 for bit in range(8, self.bits + 1, 8)
        ]
        values += [
            (1 << self.bits // 2) - 1 << shift
            for shift in (0, 1, self.bits // 4, self.bits // 2 - 1)
        ]
        values += [source.randrange(limit) for _ in range(count)]
        for _ in range(count):
            pieces = [
                source.choice((b"\x00", b"\xff", b"\x01", b"\x80")) for _ in range(self.bits // 8)
            ]
            values.append(int.from_bytes(b"".join(pieces), "little"))
        return [value for value in dict.fromkeys(values) if 0 <= value < limit]


@pytest.fixture(scope="module", params=BUILDS, ids="-".join)
def fields(request: pytest.FixtureRequest) -> list[Field]:
    """All fields of one build."""
    preset, backend = request.param
    backend, _, plain = backend.partition("-")
    sets = {"BACKEND": backend, "REDUCE": "pmers"}
    config = knobs.resolve(CURVES["x448"], preset, sets, backend)
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    command += ["-DECFIT_ADX=1"] if plain else []
    path = lib_build.build(
        config, [C_TESTS / "open_prime.c"], command, suffix=".so", curves=["x25519", "x448"]
    )
    c = ctypes.CDLL(str(path))
    return [Field(c, prime, reduction) for prime in PRIMES for reduction in ("pmers", "mont")]


def test_products_and_sums(fields: list[Field]) -> None:
    for field in fields:
        values = field.elements(1, scaled(40))
        source = random.Random(2)
        unfactor = pow(field.factor, -1, field.p)
        for a in values:
            for b in (a, *(source.choice(values) for _ in range(3))):
                wanted = [a * b * unfactor, a * a * unfactor, a + b, a - b]
                for op, value in zip((MUL, SQR, ADD, SUB), wanted, strict=True):
                    found = field.call(op, a, b)
                    assert found < field.limit, (op, hex(a), hex(b))
                    assert (found - value) % field.p == 0, (op, hex(a), hex(b), field.reduction)
            assert (field.call(RUN_SQR, 0, a) - a * a * unfactor) % field.p == 0, "in place"


def test_products_with_small_integers(fields: list[Field]) -> None:
    for field in fields:
        unfactor = pow(field.factor, -1, field.p)
        for a in field.elements(3, scaled(20)):
            for b in (0, 1, 39081, 121665, 0xFFFF, 0x10000, 0xFFFFFFFF):
                found = field.call(SMALL, a, b)
                assert found < field.limit
                assert (found - a * b * unfactor) % field.p == 0, (hex(a), b)


def test_powers(fields: list[Field]) -> None:
    for field in fields:
        p = field.p
        unfactor = pow(field.factor, -1, p)
        root = (p - 5) // 8 if p % 8 == 5 else (p - 3) // 4
        for a in field.elements(4, 3)[:: 1 if scaled(10) == 10 else 10][:40]:
            plain = a * unfactor % p
            for op, exponent in ((INVERT, p - 2), (ROOT, root)):
                found = field.call(op, a)
                assert (found * unfactor - pow(plain, exponent, p)) % p == 0, (op, hex(a))


def test_ends_of_the_range(fields: list[Field]) -> None:
    for field in fields:
        p = field.p
        unfactor = pow(field.factor, -1, p)
        for a in field.elements(5, scaled(40)):
            assert field.call(OUT, a) == a * unfactor % p, hex(a)
            assert field.call(LOWER, a) == a * unfactor % p, hex(a)
            if a % p:
                negated = field.call(NEGATE, a)
                assert negated < field.limit
                assert (negated + a) % p == 0
        top = 1 << (255 if field.bits == 256 else 448)
        for value in (0, 1, p - 1, p, p + 1, p + 18, top - 1, top - 2, top >> 1):
            if value < top:
                found = field.call(IN, value)
                assert found < field.limit
                assert (found * unfactor - value) % p == 0, hex(value)


def test_steps_of_the_ladder(fields: list[Field]) -> None:
    """From (b : a) and (a : b), whose difference is said to have x = a: any elements will do. Those
    of Curve25519 on 64-bit words are below 2^255 + 2^38 in a ladder.
    """
    for field in fields:
        p, factor = field.p, field.factor
        highest = min(field.limit, 2**255 + 2**38) if field.bits == 256 else field.limit
        values = [a for a in (*field.elements(6, scaled(20)), highest - 1) if a < highest]
        source = random.Random(7)
        unfactor = pow(factor, -1, p)
        for a in values:
            for b in (a, highest - 1, source.choice(values)):
                found = [field.call(STEP + index, a, b) for index in range(4)]
                assert max(found) < field.limit
                x, z = a * unfactor, b * unfactor
                wanted = step(x=(z, x), other=(x, z), difference=x, p=p)  # exchanged before
                values_found = [value * unfactor % p for value in found]
                assert values_found == wanted, (hex(a), hex(b), field.bits, field.reduction)


def step(x: tuple[int, int], other: tuple[int, int], difference: int, p: int) -> list[int]:
    """A step of the ladder (RFC 7748, 5) from two points X : Z, with the constant 121665."""
    (x2, z2), (x3, z3) = x, other
    s, d = (x2 + z2) ** 2, (x2 - z2) ** 2
    cross = ((x3 - z3) * (x2 + z2), (x3 + z3) * (x2 - z2))
    doubled = [s * d, (s - d) * (s + 121665 * (s - d))]
    added = [(cross[0] + cross[1]) ** 2, difference * (cross[0] - cross[1]) ** 2]
    return [value % p for value in (*doubled, *added)]
