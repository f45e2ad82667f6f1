"""The arithmetic of each backend against Python's integers: words,
Montgomery residues, field elements.

The functions take any number of words up to the configuration's maximum, so short operands are
tried as well, and any odd modulus: close to a power of two, small ones, and those of the curves.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator

import pytest
from ref.curves import TOY223, TOY251

from workshop.library.api import Library
from workshop.library.build import only
from workshop.library.cases import CURVE, scaled

MUL, ADD, SUB, INV, ONCE = range(5)
FIELD_MUL, FIELD_SQR, FIELD_ADD, FIELD_SUB, FIELD_INV = range(5)


class Words:
    """The word functions of an opened library, on integers."""

    def __init__(self, library: Library) -> None:
        self.c = library.c
        self.bytes = int(self.c.open_word_bytes())
        self.bits = 8 * self.bytes
        self.max_limbs = int(self.c.open_max_limbs())
        for name in ("open_add", "open_sub", "open_is_zero", "open_word_equal", "open_mac_row"):
            getattr(self.c, name).restype = ctypes.c_uint64
        self.ones = (1 << self.bits) - 1

    def pack(self, value: int, limbs: int) -> bytes:
        """Words in the order of the host, which is little-endian."""
        return value.to_bytes(limbs * self.bytes, "little")

    def call(self, name: str, limbs: int, *arguments: object, result: int = 0) -> tuple[int, int]:
        """(value of the output of `limbs` words, that begins as `result`; value returned)."""
        out = ctypes.create_string_buffer(self.pack(result, limbs), limbs * self.bytes)
        returned = getattr(self.c, name)(out, *arguments)
        return int.from_bytes(out.raw, "little"), int(returned)

    def mod(  # noqa: PLR0917
        self, op: int, a: int, b: int, modulus: int, limbs: int, alias: int = 0
    ) -> int:
        """One operation modulo `modulus`."""
        radix = 1 << (self.bits * limbs)
        inverse = ctypes.c_uint64(-pow(modulus, -1, 1 << 64) % (1 << 64))
        words = [self.pack(value, limbs) for value in (a, b, modulus, radix**2 % modulus)]
        out = ctypes.create_string_buffer(limbs * self.bytes)
        self.c.open_mod(op, out, *words, inverse, ctypes.c_size_t(limbs), alias)
        return int.from_bytes(out.raw, "little")


@pytest.fixture(scope="module")
def words(opened: Library) -> Words:
    """The words of one configuration."""
    return Words(opened)


def lengths(words: Words) -> list[int]:
    """Numbers of words to try."""
    return sorted(
        {1, 2, 3, words.max_limbs - 1, words.max_limbs} & set(range(1, words.max_limbs + 1))
    )


def operands(bits: int, seed: int, count: int) -> list[int]:
    """Integers of at most `bits` bits: corners, then random ones, then random words
    of only zeros and ones.
    """
    source = random.Random(seed)
    top = 1 << bits
    edges = [
        0,
        1,
        2,
        top - 1,
        top - 2,
        top >> 1,
        (top >> 1) - 1,
        int("55" * (bits // 8), 16),
        int("aa" * (bits // 8), 16),
    ]
    edges += [1 << bit for bit in range(0, bits, 16)] + [
        (1 << bit) - 1 for bit in range(16, bits, 16)
    ]
    values = edges + [source.randrange(top) for _ in range(count)]
    for _ in range(count):
        halves = [source.choice((0, 0xFFFF, 1, 0x8000, 0x7FFF)) for _ in range(bits // 16)]
        values.append(sum(half << (16 * index) for index, half in enumerate(halves)))
    return values


def pairs(values: list[int], seed: int) -> Iterator[tuple[int, int]]:
    """Every value with itself and with three others."""
    source = random.Random(seed)
    for value in values:
        yield value, value
        for _ in range(3):
            yield value, source.choice(values)


def moduli(words: Words, limbs: int) -> list[int]:
    """Odd moduli that fit: the largest, the smallest, the middle, random, and those
    of the curves.
    """
    bits = words.bits * limbs
    source = random.Random(bits)
    found = [
        (1 << bits) - 1,
        (1 << bits) - 3,
        3,
        (1 << (bits - 1)) + 1,
        (1 << (bits - 1)) - 1,
        source.randrange(1 << bits) | 1,
    ]
    found += [
        value
        for curve in (CURVE, TOY251, TOY223)
        for value in (curve.p, curve.n)
        if value >> bits == 0
    ]
    return found


def test_add_and_subtract(words: Words) -> None:
    for limbs in lengths(words):
        top, size = 1 << (words.bits * limbs), ctypes.c_size_t(limbs)
        for a, b in pairs(operands(words.bits * limbs, 1, scaled(20)), 2):
            packed = words.pack(a, limbs), words.pack(b, limbs)
            for alias, other in ((0, b), (1, b), (2, b), (3, a)):
                total, difference = a + other, a - other
                assert words.call("open_add", limbs, *packed, 1, size, alias) == (
                    total % top,
                    total // top,
                )
                assert words.call("open_add", limbs, *packed, 0, size, alias) == (a, 0)
                assert words.call("open_sub", limbs, *packed, size, alias) == (
                    difference % top,
                    int(difference < 0),
                )


def test_halving(words: Words) -> None:
    for limbs in lengths(words):
        top = 1 << (words.bits * limbs)
        for value in operands(words.bits * limbs, 15, scaled(20)):
            for carry in (0, 1):
                halved, _ = words.call(
                    "open_half", limbs, carry, ctypes.c_size_t(limbs), result=value
                )
                assert halved == (value + carry * top) // 2


def test_masks(words: Words) -> None:
    for limbs in lengths(words):
        size = ctypes.c_size_t(limbs)
        values = operands(words.bits * limbs, 3, scaled(20))
        for value in values:
            assert words.c.open_is_zero(words.pack(value, limbs), size) == (
                words.ones if value == 0 else 0
            )
        for a, b in pairs(values, 4):
            packed = words.pack(b, limbs)
            assert words.call("open_cmov", limbs, packed, 0, size, result=a)[0] == a
            assert words.call("open_cmov", limbs, packed, 1, size, result=a)[0] == b
            assert bool(words.c.open_equal(words.pack(a, limbs), packed, size)) == (a == b)
            assert not words.c.open_equal(
                words.pack(a, limbs), words.pack(a ^ 1 << (a % words.bits), limbs), size
            )
    for a, b in pairs(operands(words.bits, 5, scaled(50)), 6):
        equal = words.c.open_word_equal(ctypes.c_uint64(a), ctypes.c_uint64(b))
        assert equal == (words.ones if a == b else 0)


def test_bytes(words: Words) -> None:
    limbs = words.max_limbs
    source = random.Random(7)
    for size in range(limbs * words.bytes + 1):
        data = source.randbytes(size)
        value, _ = words.call(
            "open_from_bytes", limbs, data, ctypes.c_size_t(size), ctypes.c_size_t(limbs), result=77
        )
        assert value == int.from_bytes(data, "big")
        out = ctypes.create_string_buffer(b"\xee" * (size + 1), size + 1)
        words.c.open_to_bytes(
            out, words.pack(value, limbs), ctypes.c_size_t(size), ctypes.c_size_t(limbs)
        )
        assert out.raw == data + b"\xee"


def test_multiply_and_accumulate(words: Words) -> None:
    for limbs in lengths(words):
        top, size = 1 << (words.bits * limbs), ctypes.c_size_t(limbs)
        factors = operands(words.bits, 8, scaled(20))
        for index, (a, r) in enumerate(pairs(operands(words.bits * limbs, 9, scaled(20)), 10)):
            b = factors[index % len(factors)]
            total = r + a * b
            found = words.call(
                "open_mac_row", limbs, words.pack(a, limbs), ctypes.c_uint64(b), size, result=r
            )
            assert found == (total % top, total // top)


def test_products(words: Words) -> None:
    for limbs in lengths(words):
        size = ctypes.c_size_t(limbs)
        for a, b in pairs(operands(words.bits * limbs, 16, scaled(40)), 17):
            packed = words.pack(a, limbs), words.pack(b, limbs)
            assert words.call("open_mul", 2 * limbs, *packed, size)[0] == a * b
            if limbs > 1:
                assert words.call("open_mul", 2 * limbs, packed[0], None, size)[0] == a * a


def test_modular_operations(words: Words) -> None:
    for limbs in lengths(words):
        radix = 1 << (words.bits * limbs)
        for modulus in moduli(words, limbs):
            values = operands(words.bits * limbs, modulus % 1000, scaled(10))
            below = [value % modulus for value in values] + [modulus - 1, modulus - 2, modulus >> 1]
            unradix = pow(radix, -1, modulus)
            for a, b in pairs(below, 11):
                for alias, other in ((0, b), (1, b), (2, b), (3, a)):
                    assert words.mod(ADD, a, b, modulus, limbs, alias) == (a + other) % modulus
                    assert words.mod(SUB, a, b, modulus, limbs, alias) == (a - other) % modulus
                    assert (
                        words.mod(MUL, a, b, modulus, limbs, alias) == a * other * unradix % modulus
                    )
            for a, b in zip(below, values, strict=False):
                assert words.mod(MUL, a, b, modulus, limbs) == a * b * unradix % modulus, (
                    "one factor below R only"
                )
                assert words.mod(MUL, b, a, modulus, limbs) == a * b * unradix % modulus, (
                    "one factor below R only"
                )
                twice = a + b % modulus
                carry, low = divmod(twice, radix)
                assert words.mod(ONCE, low, carry, modulus, limbs) == twice % modulus


@pytest.mark.parametrize("curve", [CURVE, TOY251, TOY223], ids=lambda curve: curve.name)
def test_inversion(words: Words, curve) -> None:  # type: ignore[no-untyped-def]
    limbs = -(-curve.p.bit_length() // words.bits)
    radix = 1 << (words.bits * limbs)
    for modulus in (curve.p, curve.n):
        values = [value % modulus for value in operands(words.bits * limbs, 12, scaled(20))] + [
            modulus - 1,
            modulus - 2,
        ]
        for a in values if curve is CURVE else range(modulus):
            wanted = radix**2 * pow(a, -1, modulus) % modulus if a else 0
            assert words.mod(INV, a, 0, modulus, limbs) == wanted


@only("opened", INVERT="bingcd")
def test_inversion_with_the_most_steps(opened: Library) -> None:
    """A binary GCD may do one bit a step: for m = 2^(bits-1) + 3, a = 3 * 2^(bits-3) it needs all
    steps but three.
    """
    words = Words(opened)
    for limbs in lengths(words):
        bits = words.bits * limbs
        modulus, a = (1 << (bits - 1)) + 3, 3 << (bits - 3)
        wanted = (1 << (2 * bits)) * pow(a, -1, modulus) % modulus
        assert words.mod(INV, a, 0, modulus, limbs) == wanted


def test_field(opened: Library) -> None:
    """The field of secp256r1 through its own reduction."""
    p, size = CURVE.p, 32

    def field(op: int, a: int, b: int = 0) -> int:
        out = ctypes.create_string_buffer(size)
        opened.c.secp256r1_open_field(op, out, a.to_bytes(size, "big"), b.to_bytes(size, "big"))
        return int.from_bytes(out.raw, "big")

    values = [value % p for value in operands(256, 13, scaled(60))] + [
        p - 1,
        p - 2,
        p >> 1,
        (p >> 1) + 1,
    ]
    # near multiples of p and of its terms the reduction has its longest carries
    values += [(p - (1 << bit)) % p for bit in (32, 64, 96, 128, 160, 192, 224)] + [
        p - (1 << 224) + (1 << 192)
    ]
    for a, b in pairs(values, 14):
        assert field(FIELD_MUL, a, b) == a * b % p
        assert field(FIELD_ADD, a, b) == (a + b) % p
        assert field(FIELD_SUB, a, b) == (a - b) % p
    for a in values:
        assert field(FIELD_SQR, a) == a * a % p
    for a in values[:: max(1, len(values) // 20)]:
        assert field(FIELD_INV, a) == (pow(a, -1, p) if a else 0)
