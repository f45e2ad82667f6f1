"""The compression of SHA-512: OpenSSL's, and as FIPS 180-4, 6.4.2 says it, in Python's integers,
which takes 100 times as long.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes.util import find_library
from functools import cache
from math import isqrt

from workshop.assembly.routines import Argument, Case

SIZE, ROUNDS = 64, 80
ONES = (1 << SIZE) - 1


def primes() -> Iterator[int]:
    """All of them."""
    found: list[int] = []
    number = 2
    while True:
        if all(number % p for p in found if p <= isqrt(number)):
            found.append(number)
            yield number
        number += 1


def cube_root(number: int) -> int:
    """Its integer part."""
    low, high = 0, 1 << number.bit_length() // 3 + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle)
    return low


START = [isqrt(p << 2 * SIZE) & ONES for p, _ in zip(primes(), range(16), strict=False)]
CONSTANTS = [
    cube_root(p << 3 * SIZE) & ONES for p, _ in zip(primes(), range(ROUNDS), strict=False)
]  # 4.2.3: the first bits behind the point of cube roots of primes


def turned(x: int, *by: int) -> int:
    """The exclusive or of rotations to the right."""
    result = 0
    for n in by:
        result ^= x >> n | x << SIZE - n & ONES
    return result


def compressed(state: list[int], block: list[int]) -> list[int]:
    """6.4.2."""
    w = list(block)
    for t in range(16, ROUNDS):
        x, y = w[t - 15], w[t - 2]
        small = turned(x, 1, 8) ^ x >> 7
        w.append(small + w[t - 16] + w[t - 7] + (turned(y, 19, 61) ^ y >> 6) & ONES)
    a, b, c, d, e, f, g, h = state
    for t in range(ROUNDS):
        first = h + turned(e, 14, 18, 41) + (e & f ^ ~e & g) + CONSTANTS[t] + w[t]
        second = turned(a, 28, 34, 39) + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, h = first + second & ONES, a, b, c, d + first & ONES, e, f, g
    return [x + y & ONES for x, y in zip(state, (a, b, c, d, e, f, g, h), strict=True)]


@cache
def openssl() -> ctypes.CDLL:
    """The library."""
    name = find_library("crypto")
    assert name, "OpenSSL's libcrypto is missing: install libssl-dev"
    return ctypes.CDLL(name)


def transformed(h: int, w: int) -> int:
    """The compression by OpenSSL: state and block of 64-bit words, the first one lowest."""
    context = ctypes.create_string_buffer(h.to_bytes(64, "little"), 256)  # SHA512_CTX begins so
    block = b"".join(word.to_bytes(8, "big") for word in parts(w, 16))
    openssl().SHA512_Transform(context, block)
    return int.from_bytes(context.raw[:64], "little")


def whole(words: list[int]) -> int:
    """Words of 64 bits as one integer, the first one lowest."""
    return sum(word << SIZE * i for i, word in enumerate(words))


def parts(value: int, count: int) -> list[int]:
    """The other way."""
    return [value >> SIZE * i & ONES for i in range(count)]


def sha512_roots(n: int) -> Case:
    """The constants of so many primes: by square roots, or by cube roots for all rounds."""
    constants = CONSTANTS if n == ROUNDS else START[:n]
    degree = 3 if n == ROUNDS else 2
    arguments = (Argument("out", 2 * n), Argument("length"), Argument("word", 0, degree, degree))
    return Case(arguments, lambda *_: ((whole(constants),), None), fixed=True)


def sha512_block(_: int) -> Case:
    """h = compression of h and a block, with the constants."""
    constants = whole(CONSTANTS)

    def reference(h: int, w: int, _: int) -> tuple[tuple[int, ...], None]:
        return (transformed(h, w),), None

    arguments = (
        Argument("inout", 16),
        Argument("in", 32),
        Argument("in", 2 * ROUNDS, constants, constants),
    )
    return Case(arguments, reference)
